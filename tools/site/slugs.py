"""Anchors of headings as code hosts make them: small letters, no punctuation, hyphens for spaces."""
import re


def slug(text, separator):
    text = re.sub(r"<[^>]*>", "", text).strip().lower()
    return re.sub(r"[^\w\s-]", "", text).replace(" ", separator)

"""What is wrong with the links of the pages below a folder, one a line: links and anchors that lead nowhere, and whatever a page loads from a
network host. The number of links goes to the standard error."""
import html
import pathlib
import re
import sys
import urllib.parse


TAG = re.compile(r"<(\w+)\b([^<>]*)>")
ATTRIBUTE = re.compile(r"\b(id|name|href|src|srcset)=(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
STYLE = re.compile(r"<style[^>]*>(.*?)</style>", re.S)


class Page:
    """The links of a page, as (what loads it, target), and its anchors."""

    def __init__(self, text):
        self.links, self.anchors = [], set()
        for tag, attributes in TAG.findall(text):
            for key, *values in ATTRIBUTE.findall(attributes):
                value = html.unescape("".join(values))
                if key in ("id", "name"):
                    self.anchors.add(value) if tag != "meta" else None
                elif key == "srcset":
                    self.links += [(tag, part.split()[0]) for part in value.split(",")]
                else:
                    self.links.append((tag, value))
        self.links += [("style", link) for style in STYLE.findall(text) for link in re.findall(r"url\(['\"]?([^)'\"]+)", style)]


def check(root):
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(root.rglob("*.html"))}
    count = 0
    for path, page in pages.items():
        where = path.relative_to(root)
        for tag, link in page.links:
            count += 1
            host = re.match(r"(?:https?:)?//", link)
            if host and tag != "a":
                print(f"{where}: asks the network for {link}")
            if host or re.match(r"(?:data|mailto|javascript|blob):", link) or where.name == "404.html":
                continue
            name, _, anchor = urllib.parse.unquote(link).partition("#")
            target = (path.parent / name.partition("?")[0]).resolve() if name else path.resolve()
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                print(f"{where}: there is no {link}")
            elif anchor and target.suffix == ".html" and anchor not in pages[root.resolve() / target.relative_to(root.resolve())].anchors:
                print(f"{where}: {link.partition('#')[0] or where} has no #{anchor}")
    for style in sorted(root.rglob("*.css")):
        for link in re.findall(r"url\(['\"]?([^)'\"]+)", style.read_text(encoding="utf-8")):
            if re.match(r"(?:https?:)?//", link):
                print(f"{style.relative_to(root)}: asks the network for {link}")
            elif not link.startswith(("data:", "#")) and not (style.parent / re.split("[?#]", link)[0]).exists():
                print(f"{style.relative_to(root)}: there is no {link}")
    print(count, file=sys.stderr)


check(pathlib.Path(sys.argv[1]).resolve())

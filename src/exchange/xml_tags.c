/* xml_tags.c: how many attributes the tags of an XML file have, before a parser sees them.
 *
 * libxml2 compares each attribute of an element with all others, so that an element with a hundred
 * thousand takes minutes; a tag is looked at here by its quotes alone.
 */
#include "exchange/xml.h"

#include <string.h>

/* Behind the next occurrence of a word, or the end. */
static const char *behind(const char *s, const char *end, const char *word) {
    const size_t n = strlen(word);
    for (; (size_t)(end - s) >= n; s++) {
        s = memchr(s, *word, (size_t)(end - s));
        if (!s || (size_t)(end - s) < n) break;
        if (memcmp(s, word, n) == 0) return s + n;
    }
    return end;
}

/* Whether a word stands here. */
static int stands(const char *s, const char *end, const char *word) {
    const size_t n = strlen(word);
    return (size_t)(end - s) >= n && memcmp(s, word, n) == 0;
}

/* Behind the tag whose name begins here; *n counts what is in quotes. */
static const char *behind_tag(const char *s, const char *end, int *n) {
    for (*n = 0; s < end && *s != '>' && *s != '<' && *n <= HOL__XML_ATTRIBUTES; s++) {
        if (*s != '"' && *s != '\'') continue;
        const char *close = memchr(s + 1, *s, (size_t)(end - s - 1));
        if (!close) return end;
        s = close;
        ++*n;
    }
    return s;
}

size_t hol__xml_wide_tag(const char *text, size_t length) {
    const char *end = text + length;
    for (const char *s = text; s < end && (s = memchr(s, '<', (size_t)(end - s)));) {
        const char *tag = s++;
        int n = 0;
        if (stands(s, end, "!--"))
            s = behind(s + 3, end, "-->");
        else if (stands(s, end, "![CDATA["))
            s = behind(s, end, "]]>");
        else if (stands(s, end, "?"))
            s = behind(s, end, "?>");
        else
            s = behind_tag(s, end, &n);
        if (n > HOL__XML_ATTRIBUTES) return (size_t)(tag - text);
    }
    return length;
}

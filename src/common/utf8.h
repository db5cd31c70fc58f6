/* utf8.h: UTF-8, a character at a time [RFC 3629]; and what a YAML file may hold unescaped. */
#ifndef HOL_COMMON_UTF8_H
#define HOL_COMMON_UTF8_H

/* Decode the character at s (before end): its length in bytes and its code point; 0 where it is not
 * UTF-8. */
static inline int hol__utf8_decode(const char *s, const char *end, unsigned *code) {
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned first = (unsigned char)*s;
    const int n = first < 0x80       ? 1
                  : first >> 5 == 6  ? 2
                  : first >> 4 == 14 ? 3
                  : first >> 3 == 30 ? 4
                                     : 0;
    if (n == 0 || end - s < n) return 0;
    *code = n == 1 ? first : first & (0x7Fu >> n);
    for (int i = 1; i < n; i++) {
        if (((unsigned char)s[i] & 0xC0) != 0x80) return 0;
        *code = *code << 6 | ((unsigned char)s[i] & 0x3F);
    }
    if (*code < least[n] || *code > 0x10FFFF || (*code >= 0xD800 && *code <= 0xDFFF)) return 0;
    return n;
}

/* The character at *text, which ends with a zero byte and is not empty; *text moves behind it.
 * U+FFFD for a byte that is not UTF-8. */
static inline unsigned hol__utf8_next(const char **text) {
    const char *end = *text;
    unsigned code;
    while (end - *text < 4 && *end) end++;
    const int n = hol__utf8_decode(*text, end, &code);
    *text += n ? n : 1;
    return n ? code : 0xFFFD;
}

/* Whether a character begins with this byte: counts characters in a text that is known to be
 * UTF-8. */
static inline int hol__utf8_begins(char byte) {
    return ((unsigned char)byte & 0xC0) != 0x80;
}

/* The number of characters of a text. */
static inline int hol__utf8_length(const char *text) {
    int n = 0;
    for (; *text; text++) n += hol__utf8_begins(*text);
    return n;
}

/* The byte at which character k (from 0) of a text starts, or its end. */
static inline unsigned long hol__utf8_byte_of(const char *text, int k) {
    unsigned long i = 0;
    for (; text[i]; i++)
        if (hol__utf8_begins(text[i]) && k-- == 0) break;
    return i;
}

/* Whether YAML 1.2 allows the character unescaped [YAML 1.2.2, 5.1]. */
static inline int hol__utf8_printable(unsigned code) {
    return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code <= 0x7E) ||
           code == 0x85 || (code >= 0xA0 && code != 0xFFFE && code != 0xFFFF);
}

/* Whether a terminal, or whoever reads it, is misled by the character: controls, marks of
 * direction, ends of lines beyond our own. */
static inline int hol__utf8_misleads(unsigned code) {
    return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0) ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0xFEFF;
}

#endif

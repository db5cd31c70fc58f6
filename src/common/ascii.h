/* ascii.h: kinds and cases of characters, those of ASCII alone, the same under every locale of the
 * host program. */
#ifndef HOL_COMMON_ASCII_H
#define HOL_COMMON_ASCII_H

static inline int hol__is_digit(char c) {
    return c >= '0' && c <= '9';
}

static inline int hol__is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The small letter of a capital; anything else as it is. */
static inline char hol__lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline int hol__is_letter(char c) {
    return hol__lower(c) >= 'a' && hol__lower(c) <= 'z';
}

static inline int hol__is_hex(char c) {
    return hol__is_digit(c) || (hol__lower(c) >= 'a' && hol__lower(c) <= 'f');
}

/* Whether two texts are the same but for the case of letters. */
static inline int hol__same_letters(const char *a, const char *b) {
    while (*a && hol__lower(*a) == hol__lower(*b)) a++, b++;
    return hol__lower(*a) == hol__lower(*b);
}

#endif

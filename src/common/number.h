/* number.h: numbers as text and back, the same under every locale of the host program. */
#ifndef HOL_COMMON_NUMBER_H
#define HOL_COMMON_NUMBER_H

enum { HOL__NUMBER_SIZE = 40 };

/* value into buf with the given number of significant digits; 0 digits: the fewest that read back
 * to the same bits. Infinite and undefined values become "inf", "-inf" and "nan". Returns the
 * length. */
int hol__number_write(double value, int digits, char buf[HOL__NUMBER_SIZE]);

/* The same with the fewest digits; returns buf. */
static inline const char *hol__number_text(double value, char buf[HOL__NUMBER_SIZE]) {
    hol__number_write(value, 0, buf);
    return buf;
}

/* Bytes in words: "3.2 GB"; returns buf. */
const char *hol__size_text(double bytes, char buf[HOL__NUMBER_SIZE]);

/* The number at text; *end is set behind it, or to text when there is none. */
double hol__number_read(const char *text, const char **end);

#endif

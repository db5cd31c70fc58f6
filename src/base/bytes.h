/* bytes.h: numbers as bytes, the low one first, and bytes as text. */
#ifndef HOL_BASE_BYTES_H
#define HOL_BASE_BYTES_H

#include "base/text.h"

#include <stdint.h>

/* Append the low n bytes of bits; a number in 8 bytes, in 4 bytes. */
void hol__put_bits(hol__text *bytes, uint64_t bits, int n);
void hol__put_double(hol__text *bytes, double value);
void hol__put_float(hol__text *bytes, double value);

/* Base64 [RFC 4648] of n bytes. */
void hol__base64(hol__text *out, const void *data, size_t n);

#endif

/* bytes.c: numbers as bytes, and bytes as text [RFC 4648]. */
#include "base/bytes.h"

#include <string.h>

void hol__put_bits(hol__text *bytes, uint64_t bits, int n) {
    char out[8];
    for (int i = 0; i < n; i++) out[i] = (char)(bits >> (8 * i) & 0xFF);
    hol__text_add_n(bytes, out, (size_t)n);
}

void hol__put_double(hol__text *bytes, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    hol__put_bits(bytes, bits, 8);
}

void hol__put_float(hol__text *bytes, double value) {
    const float f = (float)value;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    hol__put_bits(bytes, bits, 4);
}

void hol__base64(hol__text *out, const void *data, size_t n) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *p = data;
    char chunk[4096];
    size_t used = 0;
    for (size_t i = 0; i < n; i += 3) {
        const size_t left = n - i;
        const unsigned long bits = (unsigned long)p[i] << 16 |
                                   (left > 1 ? (unsigned long)p[i + 1] << 8 : 0) |
                                   (left > 2 ? (unsigned long)p[i + 2] : 0);
        for (int k = 0; k < 4; k++) chunk[used++] = digits[bits >> (18 - 6 * k) & 63];
        if (left < 3) chunk[used - 1] = '=';
        if (left < 2) chunk[used - 2] = '=';
        if (used == sizeof chunk || i + 3 >= n) {
            hol__text_add_n(out, chunk, used);
            used = 0;
        }
    }
}

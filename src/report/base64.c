/* base64.c: bytes as text [RFC 4648]. */
#include "report/payload.h"

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

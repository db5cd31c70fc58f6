/* png.c: pixels as a PNG file [RFC 2083], packed by deflate with its fixed code [RFC 1951].
 *
 * Each line is written as its difference to the one above it. Drawings are mostly flat, so that
 * runs of one byte are long, and runs (copies from one byte back) are all that the packing looks
 * for.
 */
#include "report/canvas.h"

#include <stdint.h>
#include <string.h>

/* ---- checksums ---- */

/* CRC-32 over n bytes, continued. */
static uint32_t crc32(uint32_t crc, const unsigned char *data, size_t n) {
    crc = ~crc;
    for (size_t i = 0; i < n; i++) {
        crc ^= data[i];
        for (int k = 0; k < 8; k++) crc = crc & 1 ? 0xEDB88320u ^ crc >> 1 : crc >> 1;
    }
    return ~crc;
}

static uint32_t adler32(const unsigned char *data, size_t n) {
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < n; i++) {
        a = (a + data[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

/* ---- deflate ---- */

typedef struct bits {
    hol__text *out;
    uint32_t held;
    int n;
} bits;

/* The low n bits of value, the lowest first. */
static void put_bits(bits *b, uint32_t value, int n) {
    b->held |= value << b->n;
    b->n += n;
    for (; b->n >= 8; b->n -= 8, b->held >>= 8) {
        const char byte = (char)(b->held & 0xFF);
        hol__text_add_n(b->out, &byte, 1);
    }
}

/* A code of n bits, the highest first. */
static void put_code(bits *b, uint32_t code, int n) {
    uint32_t turned = 0;
    for (int i = 0; i < n; i++) turned |= (code >> i & 1) << (n - 1 - i);
    put_bits(b, turned, n);
}

/* A literal or length symbol in the fixed code. */
static void put_symbol(bits *b, unsigned symbol) {
    if (symbol < 144)
        put_code(b, 0x30 + symbol, 8);
    else if (symbol < 256)
        put_code(b, 0x190 + symbol - 144, 9);
    else if (symbol < 280)
        put_code(b, symbol - 256, 7);
    else
        put_code(b, 0xC0 + symbol - 280, 8);
}

/* A copy of 3 to 258 bytes from one byte back. */
static void put_run(bits *b, unsigned length) {
    if (length == 258) {
        put_symbol(b, 285);
    } else if (length < 11) {
        put_symbol(b, 254 + length);
    } else {
        unsigned extra = 1;
        while (length - 3 >= 8u << extra) extra++;
        const unsigned offset = length - 3 - (4u << extra);
        put_symbol(b, 261 + 4 * extra + (offset >> extra));
        put_bits(b, offset & ((1u << extra) - 1), (int)extra);
    }
    put_code(b, 0, 5);
}

/* The zlib stream of the bytes. */
static void deflate(hol__text *out, const unsigned char *data, size_t n) {
    bits b = {out, 0, 0};
    hol__text_add_n(out, "\x78\x01", 2);
    put_bits(&b, 3, 3); /* the last block, in the fixed code */
    for (size_t i = 0; i < n;) {
        size_t run = 0;
        while (i > 0 && i + run < n && run < 258 && data[i + run] == data[i - 1]) run++;
        if (run >= 3) {
            put_run(&b, (unsigned)run);
            i += run;
        } else
            put_symbol(&b, data[i++]);
    }
    put_symbol(&b, 256);
    if (b.n) put_bits(&b, 0, 8 - b.n);
    const uint32_t check = adler32(data, n);
    for (int i = 3; i >= 0; i--) {
        const char byte = (char)(check >> (8 * i) & 0xFF);
        hol__text_add_n(out, &byte, 1);
    }
}

/* ---- PNG ---- */

static void put_word(unsigned char *to, uint32_t value) {
    for (int i = 0; i < 4; i++) to[i] = (unsigned char)(value >> (24 - 8 * i) & 0xFF);
}

static void put_chunk(hol__text *out, const char *type, const void *data, size_t n) {
    unsigned char word[4];
    uint32_t crc = crc32(0, (const unsigned char *)type, 4);
    put_word(word, (uint32_t)n);
    hol__text_add_n(out, (const char *)word, 4);
    hol__text_add_n(out, type, 4);
    if (n) hol__text_add_n(out, data, n);
    crc = n ? crc32(crc, data, n) : crc;
    put_word(word, crc);
    hol__text_add_n(out, (const char *)word, 4);
}

void hol__png_write(const hol__raster *raster, hol__text *out) {
    const size_t line = 3 * (size_t)raster->width, size = (line + 1) * (size_t)raster->height;
    unsigned char head[13] = {0}, *lines = hol__alloc(raster->ctx, size, 1);
    hol__text packed;
    if (!lines || raster->failed) {
        out->failed = 1;
        hol__release(raster->ctx, lines);
        return;
    }
    for (int y = 0; y < raster->height; y++) {
        unsigned char *to = lines + (size_t)y * (line + 1);
        const unsigned char *from = raster->pixels + (size_t)y * line;
        *to++ = y ? 2 : 0;
        for (size_t i = 0; i < line; i++)
            to[i] = (unsigned char)(y ? from[i] - *(from + i - line) : from[i]);
    }
    hol__text_init(&packed, raster->ctx);
    deflate(&packed, lines, size);
    put_word(head, (uint32_t)raster->width);
    put_word(head + 4, (uint32_t)raster->height);
    head[8] = 8; /* bits a sample */
    head[9] = 2; /* red, green, blue */
    hol__text_add_n(out, "\x89PNG\r\n\x1a\n", 8);
    put_chunk(out, "IHDR", head, sizeof head);
    if (!packed.failed) put_chunk(out, "IDAT", packed.data, packed.length);
    put_chunk(out, "IEND", NULL, 0);
    if (packed.failed) out->failed = 1;
    hol__text_free(&packed);
    hol__release(raster->ctx, lines);
}

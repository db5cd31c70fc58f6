/* mat.c: MAT files of level 5 [MathWorks, MAT-File Format, chapter 1].
 *
 * A file is a head of 128 bytes and elements; an element is a tag (type and number of bytes, 4
 * bytes each, low byte first), its bytes, and zeros up to a multiple of 8. A variable is an element
 * of type MATRIX whose bytes are elements again: flags with its class, dimensions, name, and then
 * numbers column after column (doubles; letters as UTF-16), or the elements of a cell array or of a
 * struct, which have empty names. The number of bytes of a variable is written when all of it is
 * there.
 */
#include "io/mat.h"

#include "base/bytes.h"
#include "common/utf8.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { INT8 = 1, UINT16 = 4, INT32 = 5, UINT32 = 6, DOUBLE = 9, MATRIX = 14 };
enum { CELL_CLASS = 1, STRUCT_CLASS = 2, CHAR_CLASS = 4, DOUBLE_CLASS = 6 };

hol__mat hol__mat_begin(hol__text *out) {
    char head[116];
    memset(head, ' ', sizeof head);
    const char *const words = "MATLAB 5.0 MAT-file, written by Holonom";
    memcpy(head, words, strlen(words));
    hol__text_add_n(out, head, sizeof head);
    hol__put_bits(out, 0, 8);
    hol__put_bits(out, 0x0100, 2);
    hol__text_add_n(out, "IM", 2);
    return (hol__mat){.out = out};
}

/* ---- elements ---- */

/* Zeros up to a multiple of 8 behind n bytes. */
static void pad(hol__mat *mat, size_t n) {
    hol__put_bits(mat->out, 0, (int)((8 - n % 8) % 8));
}

/* A tag; n is written anew by end_element where it is not known yet. */
static void put_tag(hol__mat *mat, int type, size_t n) {
    hol__put_bits(mat->out, (uint64_t)type, 4);
    hol__put_bits(mat->out, (uint64_t)n, 4);
}

static void put_bytes(hol__mat *mat, int type, const char *bytes, size_t n) {
    put_tag(mat, type, n);
    hol__text_add_n(mat->out, bytes, n);
    pad(mat, n);
}

/* Begin an element whose length is not known yet; returns where its bytes begin. */
static size_t begin_element(hol__mat *mat, int type) {
    put_tag(mat, type, 0);
    return mat->out->length;
}

/* End it, with its length in the tag. */
static void end_element(hol__mat *mat, size_t start) {
    hol__text *out = mat->out;
    if (out->failed) return;
    const size_t n = out->length - start;
    if (n > UINT32_MAX) mat->too_large = 1;
    for (int i = 0; i < 4; i++) out->data[start - 4 + (size_t)i] = (char)(n >> (8 * i) & 0xFF);
    pad(mat, n);
}

/* The beginning of a variable; a matrix has two dimensions where the third is 1. */
static size_t begin_matrix(hol__mat *mat, int class, const char *name, const int dims[3]) {
    const int rank = dims[2] == 1 ? 2 : 3;
    const size_t start = begin_element(mat, MATRIX);
    put_tag(mat, UINT32, 8);
    hol__put_bits(mat->out, (uint64_t) class, 8);
    put_tag(mat, INT32, 4 * (size_t)rank);
    for (int i = 0; i < rank; i++) hol__put_bits(mat->out, (uint64_t)dims[i], 4);
    pad(mat, 4 * (size_t)rank);
    char word[HOL__MAT_NAME] = "";
    if (name) hol__mat_name(name, word);
    put_bytes(mat, INT8, word, strlen(word));
    return start;
}

/* ---- names ---- */

void hol__mat_name(const char *text, char name[HOL__MAT_NAME]) {
    size_t n = 0;
    const char *const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (!*text || !strchr(letters, *text)) name[n++] = 'x';
    for (; *text && n + 1 < HOL__MAT_NAME; text++)
        name[n++] = strchr(letters, *text) || strchr("0123456789", *text) ? *text : '_';
    name[n] = '\0';
}

/* Whether one of the first n names is that name. */
static int is_taken(char (*names)[HOL__MAT_NAME], int n, const char *name) {
    for (int i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0) return 1;
    return 0;
}

void hol__mat_names(const char *const *texts, int n, char (*names)[HOL__MAT_NAME]) {
    for (int i = 0; i < n; i++) {
        char name[HOL__MAT_NAME];
        hol__mat_name(texts[i], name);
        memcpy(names[i], name, sizeof name);
        for (int k = 2; is_taken(names, i, names[i]); k++)
            snprintf(names[i], HOL__MAT_NAME, "%.50s_%d", name, k);
    }
}

/* ---- values ---- */

void hol__mat_numbers(hol__mat *mat, const char *name, const int dims[3], const size_t steps[3],
                      const double *values) {
    const size_t n = (size_t)dims[0] * (size_t)dims[1] * (size_t)dims[2];
    const size_t start = begin_matrix(mat, DOUBLE_CLASS, name, dims);
    if (n > UINT32_MAX / 8) mat->too_large = 1;
    put_tag(mat, DOUBLE, 8 * n);
    for (int k = 0; k < dims[2] && !mat->too_large; k++)
        for (int j = 0; j < dims[1]; j++)
            for (int i = 0; i < dims[0]; i++)
                hol__put_double(
                    mat->out,
                    values[(size_t)i * steps[0] + (size_t)j * steps[1] + (size_t)k * steps[2]]);
    end_element(mat, start);
}

/* The next one or two units of UTF-16 of a text of UTF-8, into units; how many. */
static int next_units(const char **text, unsigned units[2]) {
    const unsigned letter = hol__utf8_next(text);
    units[0] = letter;
    if (letter < 0x10000) return 1;
    units[0] = 0xD800 + ((letter - 0x10000) >> 10);
    units[1] = 0xDC00 + ((letter - 0x10000) & 0x3FF);
    return 2;
}

/* How many units of UTF-16 a text has. */
static int count_units(const char *text) {
    unsigned units[2];
    int n = 0;
    while (*text) n += next_units(&text, units);
    return n;
}

/* The units of a text into a row, every `step`-th place of it. */
static void spread_units(const char *text, uint16_t *row, int step) {
    unsigned units[2];
    while (*text) {
        const int n = next_units(&text, units);
        for (int i = 0; i < n; i++, row += step) *row = (uint16_t)units[i];
    }
}

/* A matrix of letters, column after column. */
static void put_letters(hol__mat *mat, const char *name, int rows, int columns,
                        const uint16_t *letters) {
    const int dims[3] = {rows, columns, 1};
    const size_t start = begin_matrix(mat, CHAR_CLASS, name, dims);
    const size_t n = (size_t)rows * (size_t)columns;
    put_tag(mat, UINT16, 2 * n);
    for (size_t i = 0; i < n; i++) hol__put_bits(mat->out, letters[i], 2);
    pad(mat, 2 * n);
    end_element(mat, start);
}

void hol__mat_rows(hol__mat *mat, const char *name, int n, const char *const *texts) {
    int width = 0;
    for (int i = 0; i < n; i++) {
        const int w = count_units(texts[i] ? texts[i] : "");
        if (w > width) width = w;
    }
    const size_t size = (size_t)n * (size_t)width;
    uint16_t *letters = hol__alloc(mat->out->ctx, size + 1, sizeof *letters);
    if (!letters) {
        mat->out->failed = 1;
        return;
    }
    for (size_t i = 0; i < size; i++) letters[i] = ' ';
    for (int i = 0; i < n; i++) spread_units(texts[i] ? texts[i] : "", letters + i, n);
    put_letters(mat, name, width ? n : 0, width, letters);
    hol__release(mat->out->ctx, letters);
}

void hol__mat_text(hol__mat *mat, const char *name, const char *text) {
    hol__mat_rows(mat, name, 1, &text);
}

void hol__mat_texts(hol__mat *mat, const char *name, int n, const char *const *texts) {
    const int dims[3] = {n, 1, 1};
    const size_t start = begin_matrix(mat, CELL_CLASS, name, dims);
    for (int i = 0; i < n; i++) hol__mat_text(mat, NULL, texts[i] ? texts[i] : "");
    end_element(mat, start);
}

size_t hol__mat_struct(hol__mat *mat, const char *name, int n,
                       const char (*fields)[HOL__MAT_NAME]) {
    const int dims[3] = {1, 1, 1};
    const size_t start = begin_matrix(mat, STRUCT_CLASS, name, dims);
    /* the length of a name is a small element: type and bytes in 4, the number in 4 */
    hol__put_bits(mat->out, INT32 | 4 << 16, 4);
    hol__put_bits(mat->out, HOL__MAT_NAME, 4);
    put_tag(mat, INT8, HOL__MAT_NAME * (size_t)n);
    for (int i = 0; i < n; i++) {
        char padded[HOL__MAT_NAME] = {0};
        memcpy(padded, fields[i], strlen(fields[i]));
        hol__text_add_n(mat->out, padded, sizeof padded);
    }
    return start;
}

void hol__mat_end(hol__mat *mat, size_t start) {
    end_element(mat, start);
}

hol_status hol__mat_status(const hol__mat *mat) {
    if (mat->out->failed) return HOL_ERR_MEMORY;
    if (!mat->too_large) return HOL_OK;
    return hol__report(mat->out->ctx, HOL_ERROR, HOL_ERR_IO, NULL, NULL,
                       "a variable of a MAT file has at most 4 GB, and this one would have more: "
                       "keep fewer rows (output), or read "
                       "the .h5 file");
}

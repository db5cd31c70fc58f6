/* fuzz_csv.c: any bytes as a CSV result; what follows a byte that is 0 is the file of extremes
 * beside it. What is read has columns of equal length and is written to no other place. */
#include "fuzz_tape.h"

#include <holonom/result.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(const char *path, const uint8_t *data, size_t n) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, n, file) != n || fclose(file) != 0) abort();
}

void fuzz_one(const uint8_t *data, size_t size) {
    const uint8_t *cut = size ? memchr(data, 0, size) : NULL;
    const size_t n = cut ? (size_t)(cut - data) : size;
    hol_context *ctx = hol_context_new();
    put("fuzz.csv", data, n);
    remove("fuzz.extremes.csv");
    if (cut) put("fuzz.extremes.csv", cut + 1, size - n - 1);
    hol_result *result = hol_result_read(ctx, "fuzz.csv");
    if (!result && hol_message_count_of(ctx, HOL_ERROR) == 0) abort();
    double sum = 0;
    for (int i = 0; result && i < hol_result_columns(result); i++) {
        hol_extremes x = {.size = sizeof x};
        if (hol_result_extremes(result, i, &x) == HOL_OK) sum += x.minimum;
        for (int k = 0; k < hol_result_rows(result); k++) sum += hol_result_values(result, i)[k];
        if (hol_result_find(result, hol_result_column(result, i)->name) < 0) abort();
    }
    if (result) hol_result_set_units(result, sum > 0 ? "length=mm" : "");
    hol_result_free(result);
    hol_context_free(ctx);
}

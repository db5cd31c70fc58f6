/* fuzz_answer_with_hdf5.c: any bytes as the answer of the process that reads HDF5 results, which a
 * file may have taken over: taken with bounds, or refused with a message. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz_tape.h"
#include "io/hdf5_content.h"

#include <stdlib.h>
#include <unistd.h>

enum { MOST = 60000, ANSWER = 1 << 20 };

void fuzz_one(const uint8_t *data, size_t size) {
    int ends[2];
    hol_context *ctx = hol_context_new();
    hol_result result = {.ctx = ctx};
    hol__arena_init(&result.arena, ctx);
    if (size > MOST) size = MOST; /* what a pipe takes without a reader */
    if (pipe(ends) != 0 || write(ends[1], data, size) != (ssize_t)size) abort();
    close(ends[1]);
    const hol_status status = hol__hdf5_take(&result, "fuzz.h5", ends[0], ANSWER);
    if (status && hol_message_count_of(ctx, HOL_ERROR) == 0) abort();
    double sum = 0;
    for (int i = 0; !status && i < hol_result_columns(&result); i++)
        for (int k = 0; k < hol_result_rows(&result); k++) sum += hol_result_values(&result, i)[k];
    if (!status && sum > 0) hol_result_text(&result, "model");
    hol__arena_free(&result.arena);
    hol_context_free(ctx);
}

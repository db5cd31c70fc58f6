/* fuzz_hdf5.c: any bytes as an HDF5 result: read in its process apart, its motion and its stored
 * model made ready for drawing. Checked: no crash here, whatever happens there, and a failure has a
 * message. Built without HDF5 it sees only that. For whole files that are damaged
 * (tools/mutate.sh); those that are sound and hostile are in fuzz_result_with_hdf5.c. */
#include "fuzz_tape.h"
#include "report/geometry.h"
#include "report/payload.h"

#include <stdio.h>
#include <stdlib.h>

/* The whole way of `holonom report`, but for the page around the data. */
static void show(hol_context *ctx, const char *path) {
    hol__movie movie;
    hol__geometry geometry;
    hol__payload payload;
    hol__payload_init(&payload, ctx, 1);
    const hol_status status = hol__movie_read(&movie, ctx, path);
    if (status && hol_message_count_of(ctx, HOL_ERROR) == 0) abort();
    if (!status && hol__geometry_init(&geometry, &movie))
        hol__payload_add(&payload, &movie, &geometry);
    hol__movie_free(&movie);
    hol__payload_free(&payload);
}

void fuzz_one(const uint8_t *data, size_t size) {
    hol_context *ctx = hol_context_new();
    FILE *file = fopen("fuzz.h5", "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0) abort();
    show(ctx, "fuzz.h5");
    hol_context_free(ctx);
}

/* hdf5_without_hdf5.c: stands in for the HDF5 format where the library was built without it. */
#include "io/format.h"

/* Say that the part is missing. */
static hol_status missing(hol_context *ctx, const char *path) {
    const hol_location where = {path, 0, 0};
    return hol__report(ctx, HOL_ERROR, HOL_ERR_FEATURE, &where, NULL,
                       "HDF5 files cannot be used: not built with HDF5; use a .csv file, or build "
                       "the library with it");
}

/* Opening says so. */
static hol_status no_open(hol__out_file *out, const hol__record *record, void **file) {
    (void)record, (void)file;
    return missing(out->ctx, out->path);
}

/* Never called, since no file can be open. */
static hol_status no_append(void *file) {
    (void)file;
    return HOL_ERR_FEATURE;
}

/* As no_append. */
static hol_status no_close(void *file, const hol_sim_info *info) {
    (void)file, (void)info;
    return HOL_ERR_FEATURE;
}

/* As no_append. */
static hol_status no_copy(void *file, const char *from, long rows) {
    (void)file, (void)from, (void)rows;
    return HOL_ERR_FEATURE;
}

/* As no_append. */
static double no_bytes(const hol__record *record) {
    (void)record;
    return 0;
}

hol_status hol__hdf5_read(hol_result *result, const char *path) {
    return missing(result->ctx, path);
}

double *hol__hdf5_block(hol_context *ctx, const char *path, const char *dataset, int dims[3]) {
    (void)dataset, (void)dims;
    missing(ctx, path);
    return NULL;
}

const hol__format hol__hdf5_format = {.extension = ".h5",
                                      .title = "HDF5 (not built in)",
                                      .open = no_open,
                                      .append = no_append,
                                      .close = no_close,
                                      .read = hol__hdf5_read,
                                      .sync = no_append,
                                      .copy = no_copy,
                                      .row_bytes = no_bytes};

/* hdf5_rows_with_hdf5.c: the first records of a result as its writer has laid them out, for a run
 * that goes on with them. It runs in a process apart, as all reading of HDF5. */
#include "io/hdf5_content.h"
#include "io/hdf5_input.h"

#include <stdio.h>

/* Open the dataset of a field, which must hold the records in the form of the field; -1 after an
 * error. */
static hid_t open_set(hol__h5guard *guard, hid_t file, const hol__h5rows *what, int i) {
    const hol__field *field = &what->fields[i];
    const hid_t set = hol__h5input_set(guard, file, what->paths[i]);
    hsize_t dims[3];
    if (set < 0) return -1;
    const hsize_t rows = field->rank > 0 ? (hsize_t)field->dims[0] : 1;
    const hsize_t width = field->rank > 1 ? (hsize_t)field->dims[1] : 1;
    if (!hol__h5content_sizes(set, dims) || dims[1] != rows || dims[2] != width)
        hol__h5input_wrong(guard, "'%.200s' is damaged, or of another run", what->paths[i]);
    else if (dims[0] < (hsize_t)what->rows)
        hol__h5input_wrong(guard, "it holds %llu rows, and %ld are needed to go on from",
                           (unsigned long long)dims[0], what->rows);
    else
        return set;
    H5Dclose(set);
    return -1;
}

/* The records from `first` on of one dataset. */
static void read_some(hol__h5guard *guard, hid_t set, const hol__field *field, long first, int n,
                      double *to) {
    const hsize_t start[3] = {(hsize_t)first, 0, 0},
                  count[3] = {(hsize_t)n, (hsize_t)field->dims[0], (hsize_t)field->dims[1]};
    const hid_t memory = H5Screate_simple(field->rank + 1, count, NULL), space = H5Dget_space(set);
    if (hol__h5ok(guard, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL)))
        hol__h5ok(guard, H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, to));
    if (memory >= 0) H5Sclose(memory);
    if (space >= 0) H5Sclose(space);
}

int hol__h5content_rows(hol_context *ctx, int fd, const hol__h5rows *what, hol__h5rows_fn *send,
                        void *self, char reason[HOL__H5_REASON]) {
    hol__h5guard guard;
    const hid_t file = hol__h5content_open(&guard, fd);
    hid_t *sets = hol__alloc(ctx, (size_t)what->n_fields, sizeof *sets);
    double *block = hol__alloc(ctx, (size_t)what->block * (size_t)what->size, sizeof *block);
    if (!sets || !block) hol__h5input_wrong(&guard, "no memory to read it");
    for (int i = 0; i < what->n_fields && !guard.failed; i++)
        sets[i] = what->paths[i] ? open_set(&guard, file, what, i) : -1;
    for (long first = 0; first < what->rows && !guard.failed; first += what->block) {
        const long left = what->rows - first;
        const int n = left < what->block ? (int)left : what->block;
        for (int i = 0; i < what->n_fields && !guard.failed; i++)
            if (sets[i] >= 0)
                read_some(&guard, sets[i], &what->fields[i], first, n,
                          block + (size_t)n * (size_t)what->fields[i].offset);
        if (!guard.failed) send(self, block, (size_t)n * (size_t)what->size);
    }
    snprintf(reason, HOL__H5_REASON, "%s", guard.failed ? guard.reason : "");
    return !guard.failed;
}

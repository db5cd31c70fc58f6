/* hdf5_input_with_hdf5.c: a file driver of HDF5 that reads one open file and knows no other.
 *
 * HDF5 opens files by their names, those that a file names in links among them. This driver gives
 * the bytes of its descriptor for every name, and takes none. Where the writer of the file was
 * killed in the middle of a change, or is in it, its journal lies over them (journal.c).
 */
#define _GNU_SOURCE
#include "io/hdf5_input.h"

#include "io/journal.h"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#define DRIVER_VERSION .version = H5FD_CLASS_VERSION, .value = (H5FD_class_value_t)510,
#else
#define DRIVER_VERSION
#endif

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct input_file {
    H5FD_t base; /* of HDF5; must be first */
    int fd;
    haddr_t space, size; /* what HDF5 takes for the end; what there is */
    hol__journal journal;
} input_file;

/* ---- what HDF5 calls ---- */

/* The file of the descriptor that the access list holds; memory is that of the process apart. */
static H5FD_t *input_open(const char *name, unsigned flags, hid_t access, haddr_t most) {
    const int *fd = H5Pget_driver_info(access);
    struct stat about;
    (void)name, (void)flags, (void)most;
    if (!fd || fstat(*fd, &about) != 0) return NULL;
    input_file *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->fd = *fd;
    f->size = (haddr_t)about.st_size;
    hol__journal_read(f->fd, f->size, &f->journal);
    if (f->journal.bytes) f->size = f->journal.start;
    return &f->base;
}

static herr_t input_close(H5FD_t *base) {
    hol__journal_free(&((input_file *)base)->journal);
    free(base);
    return 0;
}

/* Nothing of what HDF5 can do beside reading and writing. */
static herr_t input_query(const H5FD_t *base, unsigned long *flags) {
    (void)base;
    *flags = H5FD_FEAT_DATA_SIEVE;
    return 0;
}

/* The end of the space that HDF5 knows of, and the end of the file. */
static haddr_t input_get_eoa(const H5FD_t *base, H5FD_mem_t type) {
    (void)type;
    return ((const input_file *)base)->space;
}

static herr_t input_set_eoa(H5FD_t *base, H5FD_mem_t type, haddr_t at) {
    (void)type;
    ((input_file *)base)->space = at;
    return 0;
}

static haddr_t input_get_eof(const H5FD_t *base, H5FD_mem_t type) {
    (void)type;
    return ((const input_file *)base)->size;
}

/* The bytes of the file, zeros behind its end. */
static herr_t input_read(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size,
                         void *to) {
    const input_file *f = (const input_file *)base;
    size_t done = 0;
    (void)type, (void)transfer;
    memset(to, 0, size);
    while (done < size && at + done < f->size) {
        const ssize_t got = pread(f->fd, (char *)to + done, size - done, (off_t)(at + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) break;
        done += (size_t)got;
    }
    hol__journal_over(&f->journal, at, size, to);
    return 0;
}

static herr_t input_write(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size,
                          const void *data) {
    (void)base, (void)type, (void)transfer, (void)at, (void)size, (void)data;
    return -1;
}

static const H5FD_class_t input_class = {
    DRIVER_VERSION.name = "holonom input",
    .maxaddr = ((haddr_t)1 << 62) - 1,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(int),
    .open = input_open,
    .close = input_close,
    .query = input_query,
    .get_eoa = input_get_eoa,
    .set_eoa = input_set_eoa,
    .get_eof = input_get_eof,
    .read = input_read,
    .write = input_write,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t hol__h5input_open(hol__h5guard *guard, int fd) {
    const hid_t driver = H5FDregister(&input_class), access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = -1;
    if (hol__h5ok(guard, driver) && hol__h5ok(guard, access) &&
        hol__h5ok(guard, H5Pset_driver(access, driver, &fd)) &&
        hol__h5ok(guard, H5Pset_fclose_degree(access, H5F_CLOSE_STRONG))) {
        file = H5Fopen("result", H5F_ACC_RDONLY, access);
        hol__h5ok(guard, file);
    }
    if (access >= 0) H5Pclose(access);
    return file;
}

/* hdf5_driver_with_hdf5.c: a file driver of HDF5 that changes the disk only at a flush, and never
 * fails at it.
 *
 * HDF5 cannot recover from a write that fails: the file is lost, and the library crashes when the
 * process ends. So the driver takes every write into memory, and at a flush commits them in two
 * parts:
 *   1. what lies behind the end of the file on disk. It may fail (a full disk); then the file is
 *      cut to where it was, and nothing more is ever written: the disk holds the state of the last
 *      flush, and HDF5 goes on in memory;
 *   2. what changes bytes that are there already: the superblock first (it says how long the file
 *      is), the headers of datasets last (they say how many records there are).
 * A process that is killed before part 2 leaves the last state too, and within it nearly always one
 * of the two. Failures are kept in hol__h5driver.reason for the writer to ask for; to HDF5 every
 * write succeeds.
 *
 * Invariant: reading gives the disk, overlaid with the pending writes in their order.
 */
#define _GNU_SOURCE
#include "io/hdf5_driver.h"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#define DRIVER_VERSION .version = H5FD_CLASS_VERSION, .value = (H5FD_class_value_t)511,
#else
#define DRIVER_VERSION
#endif

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* One write that has not reached the disk. */
typedef struct piece {
    haddr_t at;
    size_t size;
    size_t data; /* where its bytes start in the store */
    int rank;    /* pieces of lower rank go to the disk first */
} piece;

enum { RANK_SUPERBLOCK, RANK_OTHER, RANK_HEADER, N_RANKS };

typedef struct driver_file {
    H5FD_t base; /* of HDF5; must be first */
    hol__h5driver *driver;
    int fd;
    haddr_t space;   /* what HDF5 has allocated (its eoa) */
    haddr_t on_disk; /* size of the file on disk */
    haddr_t end;     /* size with the pending writes */
    piece *pieces;
    size_t n_pieces, piece_room;
    char *store;
    size_t stored, store_room;
} driver_file;

/* ---- the disk ---- */

/* Write all bytes at a place; the errno of a failure, else 0. */
static int write_at(int fd, const char *data, size_t n, haddr_t at) {
    while (n > 0) {
        const ssize_t put = pwrite(fd, data, n, (off_t)at);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return errno;
        data += put;
        at += (haddr_t)put;
        n -= (size_t)put;
    }
    return 0;
}

/* Write the parts of the pending pieces of a rank (-1: all) that lie in [from, to); the errno of a
 * failure, else 0. */
static int write_pieces(const driver_file *f, int rank, haddr_t from, haddr_t to) {
    int reason = 0;
    for (size_t i = 0; i < f->n_pieces && !reason; i++) {
        const piece *p = &f->pieces[i];
        const haddr_t start = p->at > from ? p->at : from;
        const haddr_t stop = p->at + p->size < to ? p->at + p->size : to;
        if (start < stop && (rank < 0 || p->rank == rank))
            reason = write_at(f->fd, f->store + p->data + (start - p->at), (size_t)(stop - start),
                              start);
    }
    return reason;
}

/* Whether pieces of different rank lie over each other, so that only the order in which they came
 * is right. */
static int ranks_overlap(const driver_file *f) {
    for (size_t i = 1; i < f->n_pieces; i++)
        for (size_t k = 0; k < i; k++) {
            const piece *p = &f->pieces[i], *q = &f->pieces[k];
            if (p->rank != q->rank && p->at < q->at + q->size && q->at < p->at + p->size) return 1;
        }
    return 0;
}

/* Part 2 of a commit: change what is on the disk already. */
static int write_changes(const driver_file *f, haddr_t end) {
    int reason = 0;
    if (ranks_overlap(f)) return write_pieces(f, -1, 0, end);
    for (int rank = 0; rank < N_RANKS && !reason; rank++) reason = write_pieces(f, rank, 0, end);
    return reason;
}

/* Bring everything to the disk; after a failure nothing is changed there, now and later. */
static void commit(driver_file *f) {
    const haddr_t old = f->on_disk;
    if (f->driver->reason) return;
    int reason = write_pieces(f, -1, old, HADDR_MAX);
    if (!reason && f->end > old && ftruncate(f->fd, (off_t)f->end) != 0) reason = errno;
    if (reason && ftruncate(f->fd, (off_t)old) == 0) {
        f->driver->reason = reason;
        return;
    }
    if (!reason) reason = write_changes(f, old);
    if (!reason && f->end < old && ftruncate(f->fd, (off_t)f->end) != 0) reason = errno;
    f->driver->reason = reason;
    f->on_disk = f->end;
    f->n_pieces = f->stored = 0;
}

/* ---- pending writes ---- */

/* Room for need items of a size in an array that grows; 0 without memory. */
static int grow(hol_context *ctx, void **array, size_t size, size_t used, size_t *room,
                size_t need) {
    if (need <= *room) return 1;
    const size_t more = 2 * need + 64;
    void *grown = hol__alloc(ctx, more, size);
    if (!grown) return 0;
    if (used) memcpy(grown, *array, used * size);
    hol__release(ctx, *array);
    *array = grown;
    *room = more;
    return 1;
}

/* Keep a write; 0 without memory. */
static int keep(driver_file *f, H5FD_mem_t type, haddr_t at, size_t size, const void *data) {
    hol_context *ctx = f->driver->ctx;
    const int rank = type == H5FD_MEM_SUPER  ? RANK_SUPERBLOCK
                     : type == H5FD_MEM_OHDR ? RANK_HEADER
                                             : RANK_OTHER;
    void *pieces = f->pieces, *store = f->store;
    const int room =
        grow(ctx, &pieces, sizeof(piece), f->n_pieces, &f->piece_room, f->n_pieces + 1) &&
        grow(ctx, &store, 1, f->stored, &f->store_room, f->stored + size);
    f->pieces = pieces;
    f->store = store;
    if (!room) return 0;
    memcpy(f->store + f->stored, data, size);
    f->pieces[f->n_pieces++] = (piece){at, size, f->stored, rank};
    f->stored += size;
    return 1;
}

/* ---- what HDF5 calls ---- */

/* Create an empty file, locked against other writers. */
static H5FD_t *driver_open(const char *path, unsigned flags, hid_t access, haddr_t most) {
    hol__h5driver *const *info = H5Pget_driver_info(access);
    (void)flags, (void)most;
    if (!info) return NULL;
    hol__h5driver *driver = *info;
    driver_file *f = hol__alloc(driver->ctx, 1, sizeof *f);
    if (!f) return NULL;
    *f = (driver_file){.driver = driver, .fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666)};
    struct stat status;
    /* the lock comes before the file is emptied: another run may be writing it */
    if (f->fd >= 0 && fstat(f->fd, &status) == 0 && !S_ISREG(status.st_mode))
        driver->reason = S_ISDIR(status.st_mode) ? EISDIR : ESPIPE;
    else if (f->fd < 0 || (flock(f->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) ||
             ftruncate(f->fd, 0) != 0)
        driver->reason = errno;
    if (!driver->reason) return &f->base;
    if (f->fd >= 0) close(f->fd);
    hol__release(driver->ctx, f);
    return NULL;
}

/* Commit and close. */
static herr_t driver_close(H5FD_t *base) {
    driver_file *f = (driver_file *)base;
    hol_context *ctx = f->driver->ctx;
    commit(f);
    if (close(f->fd) != 0 && !f->driver->reason) f->driver->reason = errno;
    hol__release(ctx, f->pieces);
    hol__release(ctx, f->store);
    hol__release(ctx, f);
    return 0;
}

/* Metadata are not accumulated, so that each write tells what it holds. */
static herr_t driver_query(const H5FD_t *base, unsigned long *flags) {
    (void)base;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA |
             H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

/* The end of the space that HDF5 has allocated, and the end of the file. */
static haddr_t driver_get_eoa(const H5FD_t *base, H5FD_mem_t type) {
    (void)type;
    return ((const driver_file *)base)->space;
}

static herr_t driver_set_eoa(H5FD_t *base, H5FD_mem_t type, haddr_t at) {
    (void)type;
    ((driver_file *)base)->space = at;
    return 0;
}

static haddr_t driver_get_eof(const H5FD_t *base, H5FD_mem_t type) {
    (void)type;
    return ((const driver_file *)base)->end;
}

/* The disk, zeros behind its end, and the pending writes over both. */
static herr_t driver_read(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size,
                          void *to) {
    const driver_file *f = (const driver_file *)base;
    size_t done = 0;
    (void)type, (void)transfer;
    memset(to, 0, size);
    while (done < size && at + done < f->on_disk) {
        const ssize_t got = pread(f->fd, (char *)to + done, size - done, (off_t)(at + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) break;
        done += (size_t)got;
    }
    for (size_t i = 0; i < f->n_pieces; i++) {
        const piece *p = &f->pieces[i];
        const haddr_t start = p->at > at ? p->at : at;
        const haddr_t stop = p->at + p->size < at + size ? p->at + p->size : at + size;
        if (start < stop)
            memcpy((char *)to + (start - at), f->store + p->data + (start - p->at),
                   (size_t)(stop - start));
    }
    return 0;
}

/* Keep the write; without memory it goes to the disk at once, after those that are pending. */
static herr_t driver_write(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size,
                           const void *data) {
    driver_file *f = (driver_file *)base;
    (void)transfer;
    if (!keep(f, type, at, size, data)) {
        commit(f);
        if (!f->driver->reason) f->driver->reason = write_at(f->fd, data, size, at);
        if (!f->driver->reason && at + size > f->on_disk) f->on_disk = at + size;
    }
    if (at + size > f->end) f->end = at + size;
    return 0;
}

/* Commit; a failure stays between the driver and the writer. */
static herr_t driver_flush(H5FD_t *base, hid_t transfer, hbool_t closing) {
    (void)transfer, (void)closing;
    commit((driver_file *)base);
    return 0;
}

/* Let the file end where the allocated space does. */
static herr_t driver_truncate(H5FD_t *base, hid_t transfer, hbool_t closing) {
    driver_file *f = (driver_file *)base;
    (void)transfer, (void)closing;
    f->end = f->space;
    return 0;
}

static const H5FD_class_t driver_class = {
    DRIVER_VERSION.name = "holonom",
    .maxaddr = ((haddr_t)1 << 62) - 1,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(hol__h5driver *),
    .open = driver_open,
    .close = driver_close,
    .query = driver_query,
    .get_eoa = driver_get_eoa,
    .set_eoa = driver_set_eoa,
    .get_eof = driver_get_eof,
    .read = driver_read,
    .write = driver_write,
    .flush = driver_flush,
    .truncate = driver_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t hol__h5driver_choose(hid_t access, hol__h5driver *driver) {
    const hid_t id = H5FDregister(&driver_class);
    if (id < 0) return id;
    if (H5Pset_driver(access, id, &driver) >= 0) return id;
    H5FDunregister(id);
    return -1;
}

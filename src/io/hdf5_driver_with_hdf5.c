/* hdf5_driver_with_hdf5.c: a file driver of HDF5 that changes the disk only at a flush, all at
 * once, and never fails at it.
 *
 * HDF5 cannot recover from a write that fails: the file is lost, and the library crashes when the
 * process ends. So the driver takes every write into memory, and at a flush commits them:
 *   1. what lies behind the end of the file on disk. It may fail (a full disk); then the file is
 *      cut to where it was, and nothing more is ever written: the disk holds the state of the last
 *      flush, and HDF5 goes on in memory;
 *   2. a journal behind the new end: all changes of bytes that are there already (journal.c). It
 *      may fail like 1;
 *   3. these changes themselves, and the journal is cut off.
 * A process that is killed within 1 or 2 leaves the last state, since a journal that is not whole
 * counts for nothing; within 3 it leaves the new one, since the reader (hdf5_input_with_hdf5.c)
 * sees the journal's bytes over those of the file. The first eight bytes of a new file, without
 * which it is no HDF5 file, are written last. Failures are kept in hol__h5driver.reason for the
 * writer to ask for; to HDF5 every write succeeds.
 *
 * A reader holds the state of the file while it reads (out_lock.h); the writer then keeps its
 * changes in memory, for some seconds and some megabytes at most.
 *
 * Invariant: reading gives the disk, overlaid with the pending writes in their order.
 */
#define _GNU_SOURCE
#include "io/hdf5_driver.h"

#include "common/clock.h"
#include "io/journal.h"
#include "io/out_lock.h"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#define DRIVER_VERSION .version = H5FD_CLASS_VERSION, .value = (H5FD_class_value_t)511,
#else
#define DRIVER_VERSION
#endif

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* One write that has not reached the disk. */
typedef struct piece {
    haddr_t at;
    size_t size;
    size_t data; /* where its bytes start in the store */
} piece;

enum { SIGNATURE = 8, MOST_KEPT = 64 << 20 };

/* Seconds for which a reader may hold the writer back. */
static const double MOST_HELD = 5.0;

typedef struct driver_file {
    H5FD_t base; /* of HDF5; must be first */
    hol__h5driver *driver;
    int fd;
    double held_since; /* the writer waits for readers since then; 0 when it does not */
    haddr_t space;     /* what HDF5 has allocated (its eoa) */
    haddr_t on_disk;   /* size of the file on disk */
    haddr_t end;       /* size with the pending writes */
    piece *pieces;
    size_t n_pieces, piece_room;
    char *store, *journal;
    size_t stored, store_room, journal_room;
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

/* Write the parts of the pending pieces that lie in [from, to); the errno of a failure, else 0. */
static int write_pieces(const driver_file *f, haddr_t from, haddr_t to) {
    int reason = 0;
    for (size_t i = 0; i < f->n_pieces && !reason; i++) {
        const piece *p = &f->pieces[i];
        const haddr_t start = p->at > from ? p->at : from;
        const haddr_t stop = p->at + p->size < to ? p->at + p->size : to;
        if (start < stop)
            reason = write_at(f->fd, f->store + p->data + (start - p->at), (size_t)(stop - start),
                              start);
    }
    return reason;
}

/* The changes of bytes before `end` as a journal that begins at `start`. Its size; 0 where nothing
 * changes, and without memory, which *reason says. */
static size_t make_journal(driver_file *f, haddr_t end, haddr_t start, int *reason) {
    size_t size = 0, count = 0;
    for (size_t i = 0; i < f->n_pieces; i++)
        if (f->pieces[i].at < end) size += f->pieces[i].size + HOL__JOURNAL_ENTRY;
    void *journal = f->journal;
    if (!size) return 0;
    if (!grow(f->driver->ctx, &journal, 1, 0, &f->journal_room, size + HOL__JOURNAL_END))
        *reason = ENOMEM;
    f->journal = journal;
    if (*reason) return 0;
    size = 0;
    for (size_t i = 0; i < f->n_pieces; i++) {
        const piece *p = &f->pieces[i];
        if (p->at >= end) continue;
        const size_t n = p->at + p->size < end ? p->size : (size_t)(end - p->at);
        size += hol__journal_put(f->journal + size, p->at, f->store + p->data, n);
        count++;
    }
    return hol__journal_end(f->journal, size, count, start);
}

/* ---- commits ---- */

/* Parts 1 and 2; the errno of a failure, else 0. *changes is whether part 3 is needed. */
static int write_new(driver_file *f, int *changes) {
    const haddr_t old = f->on_disk, behind = f->end > old ? f->end : old;
    int reason = write_pieces(f, old ? old : SIGNATURE, HADDR_MAX);
    if (!reason && f->end > old && ftruncate(f->fd, (off_t)f->end) != 0) reason = errno;
    if (!reason && !old) reason = write_pieces(f, 0, SIGNATURE);
    const size_t n = reason || !old ? 0 : make_journal(f, old, behind, &reason);
    if (!reason && n) reason = write_at(f->fd, f->journal, n, behind);
    *changes = n > 0;
    return reason;
}

/* Whether the writer may change the file now; a reader may hold it back for a while. */
static int may_commit(driver_file *f, int closing) {
    const double now = hol__clock_wall();
    if (hol__out_may_change(f->fd)) return 1;
    if (f->held_since == 0) f->held_since = now;
    return closing || now - f->held_since > MOST_HELD || f->stored > MOST_KEPT;
}

/* Bring everything to the disk; after a failure nothing is changed there, now and later. */
static void commit(driver_file *f, int closing) {
    const haddr_t old = f->on_disk;
    int changes;
    if (f->driver->reason || (!f->n_pieces && f->end == old)) return;
    f->driver->pending = !may_commit(f, closing);
    if (f->driver->pending) return;
    int reason = write_new(f, &changes);
    if (!reason || ftruncate(f->fd, (off_t)old) != 0) {
        if (!reason && changes) reason = write_pieces(f, 0, old);
        if (!reason && (changes || f->end < old) && ftruncate(f->fd, (off_t)f->end) != 0)
            reason = errno;
        f->on_disk = f->end;
        f->n_pieces = f->stored = 0;
    }
    f->driver->reason = reason;
    f->held_since = 0;
    hol__out_changed(f->fd);
}

/* ---- pending writes ---- */

/* Keep a write; 0 without memory. */
static int keep(driver_file *f, haddr_t at, size_t size, const void *data) {
    hol_context *ctx = f->driver->ctx;
    void *pieces = f->pieces, *store = f->store;
    const int room =
        grow(ctx, &pieces, sizeof(piece), f->n_pieces, &f->piece_room, f->n_pieces + 1) &&
        grow(ctx, &store, 1, f->stored, &f->store_room, f->stored + size);
    f->pieces = pieces;
    f->store = store;
    if (!room) return 0;
    memcpy(f->store + f->stored, data, size);
    f->pieces[f->n_pieces++] = (piece){at, size, f->stored};
    f->stored += size;
    return 1;
}

/* ---- what HDF5 calls ---- */

/* The empty file behind the descriptor of the driver. */
static H5FD_t *driver_open(const char *path, unsigned flags, hid_t access, haddr_t most) {
    hol__h5driver *const *info = H5Pget_driver_info(access);
    (void)path, (void)flags, (void)most;
    driver_file *f = info ? hol__alloc((*info)->ctx, 1, sizeof *f) : NULL;
    if (!f) return NULL;
    *f = (driver_file){.driver = *info, .fd = (*info)->fd};
    return &f->base;
}

/* Commit and forget; whoever opened the file closes it. */
static herr_t driver_close(H5FD_t *base) {
    driver_file *f = (driver_file *)base;
    hol_context *ctx = f->driver->ctx;
    commit(f, 1);
    hol__release(ctx, f->pieces);
    hol__release(ctx, f->store);
    hol__release(ctx, f->journal);
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
    (void)transfer, (void)type;
    if (!keep(f, at, size, data)) {
        commit(f, 1);
        if (!f->driver->reason) f->driver->reason = write_at(f->fd, data, size, at);
        if (!f->driver->reason && at + size > f->on_disk) f->on_disk = at + size;
    }
    if (at + size > f->end) f->end = at + size;
    return 0;
}

/* Commit; a failure stays between the driver and the writer. */
static herr_t driver_flush(H5FD_t *base, hid_t transfer, hbool_t closing) {
    (void)transfer, (void)closing;
    commit((driver_file *)base, 0);
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

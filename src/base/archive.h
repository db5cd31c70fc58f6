/* archive.h: the state of an object as a block of bytes, for exact restarts.
 *
 * An object has one function that walks over everything that belongs to its state. The same walk
 * counts the bytes, writes them and reads them, so that the three cannot differ:
 *
 *     static void walk(hol__archive *archive, thing *thing) {
 *         HOL__ARCHIVE(archive, thing->t);
 *         hol__archive_numbers(archive, thing->y, n);
 *     }
 *
 * Bytes are those of this machine and this build; they are for going on, not for keeping.
 */
#ifndef HOL_BASE_ARCHIVE_H
#define HOL_BASE_ARCHIVE_H

#include <stddef.h>
#include <string.h>

typedef enum hol__archive_mode {
    HOL__ARCHIVE_COUNT,
    HOL__ARCHIVE_WRITE,
    HOL__ARCHIVE_READ,
    HOL__ARCHIVE_CHECK /* reads nothing; only compares marks */
} hol__archive_mode;

typedef struct hol__archive {
    hol__archive_mode mode;
    unsigned char *bytes; /* NULL when read: zeros, of an object that remembers nothing yet */
    size_t size;          /* walked over so far */
    size_t limit;         /* how many bytes there are; 0: as many as are walked over */
    /* a mark was not the one expected, or the bytes are too few: the rest is not read */
    int mismatch;
} hol__archive;

static inline int hol__archive_reads(const hol__archive *archive) {
    return archive->mode == HOL__ARCHIVE_READ;
}

/* size bytes at item, out or in. */
static inline void hol__archive_item(hol__archive *archive, void *item, size_t size) {
    if (archive->limit && archive->size + size > archive->limit) archive->mismatch = 1;
    if (!size || archive->mismatch) return;
    if (archive->mode == HOL__ARCHIVE_WRITE) memcpy(archive->bytes + archive->size, item, size);
    if (archive->mode == HOL__ARCHIVE_READ && archive->bytes)
        memcpy(item, archive->bytes + archive->size, size);
    if (archive->mode == HOL__ARCHIVE_READ && !archive->bytes) memset(item, 0, size);
    archive->size += size;
}

/* size bytes of something that is not there: zeros out, passed over in. */
static inline void hol__archive_nothing(hol__archive *archive, size_t size) {
    if (archive->limit && archive->size + size > archive->limit) archive->mismatch = 1;
    if (archive->mismatch) return;
    if (archive->mode == HOL__ARCHIVE_WRITE) memset(archive->bytes + archive->size, 0, size);
    archive->size += size;
}

/* One variable. */
#define HOL__ARCHIVE(archive, variable) hol__archive_item(archive, &(variable), sizeof(variable))

/* n of an array. */
#define HOL__ARCHIVE_N(archive, array, n)                                                          \
    hol__archive_item(archive, array, sizeof *(array) * (size_t)(n))

/* n numbers. */
static inline void hol__archive_numbers(hol__archive *archive, double *x, int n) {
    hol__archive_item(archive, x, sizeof *x * (size_t)n);
}

/* Bytes that must be the same when they are read: what kind of object, of which size. */
static inline void hol__archive_mark(hol__archive *archive, const void *mark, size_t size) {
    unsigned char *at = archive->bytes ? archive->bytes + archive->size : NULL;
    if (archive->limit && archive->size + size > archive->limit) archive->mismatch = 1;
    if (archive->mismatch) return;
    if (archive->mode == HOL__ARCHIVE_WRITE) memcpy(at, mark, size);
    if (archive->mode >= HOL__ARCHIVE_READ && memcmp(at, mark, size) != 0) archive->mismatch = 1;
    archive->size += size;
}

#endif

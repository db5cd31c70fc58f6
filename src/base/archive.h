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
    unsigned char *bytes;
    size_t size;  /* walked over so far */
    int mismatch; /* a mark was not the one expected */
} hol__archive;

/* size bytes at item, out or in. */
static inline void hol__archive_item(hol__archive *archive, void *item, size_t size) {
    if (archive->mode == HOL__ARCHIVE_WRITE && size)
        memcpy(archive->bytes + archive->size, item, size);
    if (archive->mode == HOL__ARCHIVE_READ && size)
        memcpy(item, archive->bytes + archive->size, size);
    archive->size += size;
}

/* One variable. */
#define HOL__ARCHIVE(archive, variable) hol__archive_item(archive, &(variable), sizeof(variable))

/* n numbers. */
static inline void hol__archive_numbers(hol__archive *archive, double *x, int n) {
    hol__archive_item(archive, x, sizeof *x * (size_t)n);
}

/* Bytes that must be the same when they are read: what kind of object, of which size. */
static inline void hol__archive_mark(hol__archive *archive, const void *mark, size_t size) {
    unsigned char *at = archive->bytes ? archive->bytes + archive->size : NULL;
    if (archive->mode == HOL__ARCHIVE_WRITE) memcpy(at, mark, size);
    if (archive->mode >= HOL__ARCHIVE_READ && memcmp(at, mark, size) != 0) archive->mismatch = 1;
    archive->size += size;
}

#endif

/* journal.h: changes of a file that are noted before they are made; see journal.c. */
#ifndef HOL_IO_JOURNAL_H
#define HOL_IO_JOURNAL_H

#include <stddef.h>

typedef unsigned long long hol__place;

/* Bytes that an entry and the end of a journal take beside the data. */
enum { HOL__JOURNAL_ENTRY = 16, HOL__JOURNAL_END = 40 };

/* Write an entry: n bytes that shall stand at a place; how long it is. Then the end of a journal
 * of some entries, `size` bytes long so far, that shall begin at a place of the file; how long it
 * is in all. */
size_t hol__journal_put(char *to, hol__place at, const char *data, size_t n);
size_t hol__journal_end(char *journal, size_t size, size_t entries, hol__place start);

/* The journal at the end of a file that its writer left, or is, in the middle of making changes. */
typedef struct hol__journal {
    char *bytes; /* NULL where there is none */
    size_t length;
    hol__place start; /* where the file itself ends */
} hol__journal;

/* Read it, where there is a whole one at the end of a file of that size; memory is that of malloc.
 * Then put its bytes over those that were read from a place of the file. */
void hol__journal_read(int fd, hol__place size, hol__journal *journal);
void hol__journal_over(const hol__journal *journal, hol__place at, size_t n, char *to);
void hol__journal_free(hol__journal *journal);

#endif

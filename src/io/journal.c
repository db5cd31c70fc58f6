/* journal.c: changes of a file that are noted behind its end before they are made.
 *
 * A journal is a list of entries (place, number of bytes, bytes), then where it begins, how long
 * the entries are, how many, a checksum of all that (FNV-1a) and a mark: numbers of eight bytes,
 * the lowest first. One that is not whole, or does not end with the file, counts for nothing.
 * Where it is whole, the file with the entries in their places is the state after the changes,
 * however many of them were made.
 */
#define _POSIX_C_SOURCE 200809L
#include "io/journal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORD = 8 };

static const char mark[WORD] = {'H', 'O', 'L', 'J', 'R', 'N', 'L', '1'};

/* A number as eight bytes, and back. */
static void put_word(char *to, hol__place value) {
    for (int i = 0; i < WORD; i++) to[i] = (char)(value >> 8 * i & 0xFF);
}

static hol__place get_word(const char *from) {
    hol__place value = 0;
    for (int i = WORD; i-- > 0;) value = value << 8 | (unsigned char)from[i];
    return value;
}

static hol__place checksum(const char *data, size_t n) {
    hol__place sum = 14695981039346656037u;
    for (size_t i = 0; i < n; i++) sum = (sum ^ (unsigned char)data[i]) * 1099511628211u;
    return sum;
}

/* ---- writing ---- */

size_t hol__journal_put(char *to, hol__place at, const char *data, size_t n) {
    put_word(to, at);
    put_word(to + WORD, n);
    memcpy(to + HOL__JOURNAL_ENTRY, data, n);
    return n + HOL__JOURNAL_ENTRY;
}

size_t hol__journal_end(char *journal, size_t size, size_t entries, hol__place start) {
    char *end = journal + size;
    put_word(end, start);
    put_word(end + WORD, size);
    put_word(end + 2 * WORD, entries);
    put_word(end + 3 * WORD, checksum(journal, size + 3 * WORD));
    memcpy(end + 4 * WORD, mark, WORD);
    return size + HOL__JOURNAL_END;
}

/* ---- reading ---- */

/* Bytes of the file; 0 when there are not so many. */
static int read_exactly(int fd, char *to, size_t n, hol__place at) {
    while (n > 0) {
        const ssize_t got = pread(fd, to, n, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return 0;
        to += got;
        at += (hol__place)got;
        n -= (size_t)got;
    }
    return 1;
}

/* Whether the entries are as many and as long as the end says, and lie before the journal. */
static int check_entries(const hol__journal *journal, hol__place entries) {
    size_t at = 0;
    for (hol__place i = 0; i < entries; i++) {
        if (journal->length - at < HOL__JOURNAL_ENTRY) return 0;
        const hol__place place = get_word(journal->bytes + at);
        const hol__place n = get_word(journal->bytes + at + WORD);
        at += HOL__JOURNAL_ENTRY;
        if (n > journal->length - at || place > journal->start || n > journal->start - place)
            return 0;
        at += (size_t)n;
    }
    return at == journal->length;
}

void hol__journal_read(int fd, hol__place size, hol__journal *journal) {
    char end[HOL__JOURNAL_END];
    *journal = (hol__journal){.bytes = NULL};
    if (size < sizeof end || !read_exactly(fd, end, sizeof end, size - sizeof end) ||
        memcmp(end + 4 * WORD, mark, WORD) != 0)
        return;
    const hol__place start = get_word(end), length = get_word(end + WORD);
    if (start > size || length > size - start || size - start - length != sizeof end) return;
    *journal = (hol__journal){malloc((size_t)length + sizeof end), (size_t)length, start};
    if (journal->bytes && read_exactly(fd, journal->bytes, (size_t)length + sizeof end, start) &&
        checksum(journal->bytes, (size_t)length + 3 * WORD) == get_word(end + 3 * WORD) &&
        check_entries(journal, get_word(end + 2 * WORD)))
        return;
    hol__journal_free(journal);
}

void hol__journal_over(const hol__journal *journal, hol__place at, size_t n, char *to) {
    for (size_t i = 0; journal->bytes && i < journal->length;) {
        const char *entry = journal->bytes + i;
        const hol__place place = get_word(entry), size = get_word(entry + WORD);
        const hol__place from = place > at ? place : at;
        const hol__place until = place + size < at + n ? place + size : at + n;
        if (from < until)
            memcpy(to + (from - at), entry + HOL__JOURNAL_ENTRY + (from - place),
                   (size_t)(until - from));
        i += HOL__JOURNAL_ENTRY + (size_t)size;
    }
}

void hol__journal_free(hol__journal *journal) {
    free(journal->bytes);
    *journal = (hol__journal){.bytes = NULL};
}

/* apart.h: work in a process of its own, with limits, whose result comes through a pipe; see
 * apart.c. */
#ifndef HOL_IO_APART_H
#define HOL_IO_APART_H

#include <stddef.h>

/* What the process may use. */
typedef struct hol__apart_limits {
    size_t memory;  /* bytes, beyond what the caller had */
    double seconds; /* of processor time */
    size_t answer;  /* bytes that it may send */
} hol__apart_limits;

typedef struct hol__apart {
    long process;
    int fd;
    double until;
    size_t left; /* bytes that may still come */
    int ended, too_long, too_much;
} hol__apart;

/* The work: file is open for reading, the answer goes to hol__apart_send(out, …). It has no other
 * file and can open none. */
typedef void hol__apart_work(void *self, int file, int out);

/* Start the work on an open file. NULL, or the reason why it could not be started. */
const char *hol__apart_start(hol__apart *apart, const hol__apart_limits *limits, int file,
                             hol__apart_work *work, void *self);

/* The same for an answer that comes through fd, without a process. */
void hol__apart_from(hol__apart *apart, int fd, size_t answer);

/* n more bytes of the answer; 0 when they do not come: the process ended, took too long or sent too
 * much. */
int hol__apart_get(hol__apart *apart, void *to, size_t n);

/* End the process and forget it; how it ended, for a message about the file, into buf. */
const char *hol__apart_finish(hol__apart *apart, char *buf, size_t size);

/* In the process: n bytes of the answer. Without a reader the process ends. */
void hol__apart_send(int out, const void *data, size_t n);

#endif

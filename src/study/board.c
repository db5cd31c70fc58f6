/* board.c: shared memory of the processes of a study. See board.h.
 *
 *     head, seats, and for each seat RING times an outcome and its goals
 *
 * It is one anonymous mapping: the system gives it back when the last process is gone, and pages
 * that are never written take no memory.
 */
#define _GNU_SOURCE
#include "study/board.h"

#include "common/clock.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* Outcomes that wait: what a process with cases of 20 us makes while the parent sleeps
 * (workers.c, 50 ms at most). A power of 2. */
enum { RING = 4096 };

/* Nanoseconds that a process waits where its ring is full. */
enum { PAUSE = 100000 };

typedef struct seat {
    _Alignas(64) atomic_llong running;
    _Atomic double since;
    atomic_int done, status;
    _Alignas(64) atomic_ullong put; /* outcomes so far; of the process … */
    _Alignas(64) atomic_ullong got; /* … and of the parent */
} seat;

struct hol__board {
    _Alignas(64) atomic_llong next; /* the counter, alone in its line of the cache */
    _Alignas(64) atomic_int stop;
    hol_context *ctx;
    int n_goals;
    size_t size, stride;
    char *rings;
    seat seats[];
};

hol__board *hol__board_new(hol_context *ctx, int seats, int n_goals) {
    const size_t stride = sizeof(hol__outcome) + sizeof(double) * (size_t)n_goals,
                 head = sizeof(hol__board) + sizeof(seat) * (size_t)seats,
                 size = head + stride * RING * (size_t)seats;
    hol__board *b =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (b == MAP_FAILED) {
        hol__report(ctx, HOL_ERROR, HOL_ERR_MEMORY, NULL, NULL,
                    "the processes of a study cannot share memory: %s", strerror(errno));
        return NULL;
    }
    b->ctx = ctx;
    b->n_goals = n_goals;
    b->size = size;
    b->stride = stride;
    b->rings = (char *)b + head;
    return b;
}

void hol__board_free(hol__board *b) {
    if (b) munmap(b, b->size);
}

void hol__board_rewind(hol__board *b) {
    atomic_store(&b->next, 0);
}

long long hol__board_take(hol__board *b) {
    return atomic_fetch_add(&b->next, 1);
}

long long hol__board_next(const hol__board *b) {
    return atomic_load(&b->next);
}

atomic_int *hol__board_stop(hol__board *b) {
    return &b->stop;
}

void hol__board_sit(hol__board *b, int i) {
    atomic_store(&b->seats[i].running, -1);
    atomic_store(&b->seats[i].done, 0);
    atomic_store(&b->seats[i].status, HOL_OK);
}

void hol__board_rise(hol__board *b, int i, hol_status status) {
    atomic_store(&b->seats[i].status, status);
    atomic_store(&b->seats[i].done, 1);
}

int hol__board_is_done(const hol__board *b, int i, hol_status *status) {
    *status = (hol_status)atomic_load(&b->seats[i].status);
    return atomic_load(&b->seats[i].done);
}

void hol__board_begin(hol__board *b, int i, long long k) {
    atomic_store(&b->seats[i].since, hol__clock_wall());
    atomic_store(&b->seats[i].running, k);
}

long long hol__board_running(const hol__board *b, int i, double *since) {
    *since = atomic_load(&b->seats[i].since);
    return atomic_load(&b->seats[i].running);
}

/* Where outcome number n of a seat stands. */
static char *place(const hol__board *b, int i, unsigned long long n) {
    return b->rings + ((size_t)i * RING + (size_t)(n % RING)) * b->stride;
}

void hol__board_put(hol__board *b, int i, const hol__outcome *out) {
    seat *s = &b->seats[i];
    const unsigned long long n = atomic_load(&s->put);
    const struct timespec pause = {.tv_nsec = PAUSE};
    while (n - atomic_load(&s->got) >= RING) nanosleep(&pause, NULL);
    char *to = place(b, i, n);
    /* the reason is copied as far as it goes: pages of the ring stay untouched */
    memcpy(to, out, offsetof(hol__outcome, reason) + strlen(out->reason) + 1);
    memcpy(to + sizeof *out, out->goals, sizeof *out->goals * (size_t)b->n_goals);
    atomic_store(&s->put, n + 1);
    atomic_store(&s->running, -1);
}

int hol__board_get(hol__board *b, int i, hol__outcome *out) {
    seat *s = &b->seats[i];
    const unsigned long long n = atomic_load(&s->got);
    double *goals = out->goals;
    if (n == atomic_load(&s->put)) return 0;
    const char *from = place(b, i, n);
    memcpy(out, from, sizeof *out);
    out->goals = goals;
    memcpy(goals, from + sizeof *out, sizeof *goals * (size_t)b->n_goals);
    atomic_store(&s->got, n + 1);
    return 1;
}

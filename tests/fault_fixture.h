/* fault_fixture.h: one harness for everything that may fail under the library: memory, writing,
 * reading, factorisations, the force of the caller, the clock.
 *
 * A fault is armed for its k-th occasion, once or from there on. Memory fails through the allocator
 * of the context, factorisations through -Wl,--wrap of hol__kernel_factor, the force through
 * hol_sim_on_force; files and the clock through functions of the same names as those of the C
 * library, which stand in the program that includes this and so come before them.
 */
#ifndef HOLONOM_TEST_FAULT_FIXTURE_H
#define HOLONOM_TEST_FAULT_FIXTURE_H

#include "model_fixture.h"

#include "kernel/kernel.h"

#include <dlfcn.h>
#include <errno.h>
#include <time.h>
#include <unistd.h>

/* ---- what fails, and when ---- */

typedef enum fault_kind {
    FAULT_MEMORY,
    FAULT_WRITE,
    FAULT_READ,
    FAULT_FACTOR,
    FAULT_FORCE,     /* the force of the caller returns an error … */
    FAULT_RETRY,     /* … or asks for a smaller step … */
    FAULT_NONFINITE, /* … or is NaN */
    FAULT_CLOCK,     /* the clock is set back by a day, for good */
    N_FAULTS
} fault_kind;

static const char *const fault_names[N_FAULTS] = {"memory", "write", "read", "factor",
                                                  "force",  "retry", "NaN",  "clock"};

/* Occasions of each kind are counted while `watching`; the at-th (from 1) of the armed kind fails,
 * and with for_good all later ones. */
typedef struct fault_state {
    int watching, for_good;
    fault_kind kind;
    long at, count[N_FAULTS];
    long live;                                /* blocks of memory that are not released */
    hol_context *ctx;                         /* the one that was made last */
    int (*branch)(fault_kind kind, long now); /* asked first: 1 where it fails (fault_fan.h) */
} fault_state;

static fault_state faults;

/* Whether a fault of that kind may stay: what lacks once may lack from there on. */
static inline int fault_lasts(fault_kind kind) {
    return kind <= FAULT_FACTOR || kind == FAULT_CLOCK;
}

/* Count from 0, with one fault armed; at = 0: none. */
static inline void fault_arm(fault_kind kind, long at, int for_good) {
    faults = (fault_state){.watching = 1, .kind = kind, .at = at, .for_good = for_good};
}

/* Whether this occasion fails. */
static inline int fault_here(fault_kind kind) {
    if (!faults.watching) return 0;
    const long now = ++faults.count[kind];
    if (faults.branch && faults.branch(kind, now)) return 1;
    return faults.at && kind == faults.kind &&
           (faults.for_good ? now >= faults.at : now == faults.at);
}

/* ---- memory ---- */

static void *fault_alloc(void *user, size_t size) {
    (void)user;
    if (fault_here(FAULT_MEMORY)) return NULL;
    void *block = malloc(size);
    faults.live += block != NULL;
    return block;
}

static void fault_release(void *user, void *block) {
    (void)user;
    faults.live -= block != NULL;
    free(block);
}

static inline hol_context *fault_context(void) {
    const hol_allocator allocator = {fault_alloc, fault_release, NULL};
    return faults.ctx = hol_context_new_with(&allocator);
}

/* ---- factorisations and forces ---- */

hol_status __real_hol__kernel_factor(hol__kernel *kernel, const hol__csr *W, const hol__csr *A);
hol_status __wrap_hol__kernel_factor(hol__kernel *kernel, const hol__csr *W, const hol__csr *A);

hol_status __wrap_hol__kernel_factor(hol__kernel *kernel, const hol__csr *W, const hol__csr *A) {
    return fault_here(FAULT_FACTOR) ? HOL_SINGULAR : __real_hol__kernel_factor(kernel, W, A);
}

/* A small force on the first body, when nothing fails. */
static hol_status fault_force(void *user, hol_data *data) {
    static const double origin[3] = {0, 0, 0};
    double force[3] = {1e-3, -2e-3, 1.5e-3};
    (void)user;
    if (fault_here(FAULT_FORCE)) return HOL_ERR_IO;
    if (fault_here(FAULT_RETRY)) return HOL_RETRY;
    if (fault_here(FAULT_NONFINITE)) force[1] = NAN;
    return hol_data_add_force(data, 0, origin, force);
}

/* ---- files and the clock, before those of the C library ---- */

/* The function of that name that would have been called. */
#define FAULT_NEXT(name, type) ((type)(uintptr_t)dlsym(RTLD_NEXT, name))

/* Only descriptors of files fail, not those of the terminal. */
static inline int fault_on(fault_kind kind, int fd) {
    return fd > STDERR_FILENO && fault_here(kind);
}

ssize_t write(int fd, const void *from, size_t n) {
    if (fault_on(FAULT_WRITE, fd)) return errno = ENOSPC, -1;
    return FAULT_NEXT("write", ssize_t(*)(int, const void *, size_t))(fd, from, n);
}

ssize_t pwrite(int fd, const void *from, size_t n, off_t at) {
    if (fault_on(FAULT_WRITE, fd)) return errno = ENOSPC, -1;
    return FAULT_NEXT("pwrite", ssize_t(*)(int, const void *, size_t, off_t))(fd, from, n, at);
}

int ftruncate(int fd, off_t length) {
    if (fault_on(FAULT_WRITE, fd)) return errno = EIO, -1;
    return FAULT_NEXT("ftruncate", int (*)(int, off_t))(fd, length);
}

int fsync(int fd) {
    if (fault_on(FAULT_WRITE, fd)) return errno = EIO, -1;
    return FAULT_NEXT("fsync", int (*)(int))(fd);
}

int rename(const char *from, const char *to) {
    if (fault_here(FAULT_WRITE)) return errno = EACCES, -1;
    return FAULT_NEXT("rename", int (*)(const char *, const char *))(from, to);
}

ssize_t read(int fd, void *to, size_t n) {
    if (fault_on(FAULT_READ, fd)) return errno = EIO, -1;
    return FAULT_NEXT("read", ssize_t(*)(int, void *, size_t))(fd, to, n);
}

ssize_t pread(int fd, void *to, size_t n, off_t at) {
    if (fault_on(FAULT_READ, fd)) return errno = EIO, -1;
    return FAULT_NEXT("pread", ssize_t(*)(int, void *, size_t, off_t))(fd, to, n, at);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    const int status =
        FAULT_NEXT("clock_gettime", int (*)(clockid_t, struct timespec *))(clock, now);
    if (fault_here(FAULT_CLOCK)) now->tv_sec -= 86400;
    return status;
}

/* ---- which points are visited ---- */

/* Whether all points are to be visited (./dev faults) and not a sample of them. */
static inline int fault_whole(void) {
    const char *word = getenv("HOLONOM_WHOLE");
    return word && *word && strcmp(word, "0") != 0;
}

/* Whether faults of a kind are visited: all kinds, unless HOLONOM_WHOLE names one. */
static inline int fault_wanted(fault_kind kind) {
    const char *word = getenv("HOLONOM_WHOLE");
    int named = 0;
    for (int i = 0; word && i < N_FAULTS; i++) named |= strcmp(word, fault_names[i]) == 0;
    return !named || strcmp(word, fault_names[kind]) == 0;
}

/* Point i of n, of which `most` are wanted: all of them, or an even sample that is moved by `shift`
 * so that other tests visit others. Returns the point after `before`; past n at the end. */
static inline long fault_next(long before, long n, long most, long shift) {
    if (fault_whole() || n <= most) return before + 1;
    const long step = (n + most - 1) / most;
    return before ? before + step : 1 + shift % step;
}

#endif

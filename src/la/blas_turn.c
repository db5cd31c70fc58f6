/* blas_turn.c: the way into LAPACK, which is loaded at its first call; one thread at a time inside
 * a BLAS that takes no more.
 *
 * OpenBLAS built for a single thread (Debian's libopenblas0-serial) hands out its work buffers
 * without a lock: of two threads that multiply matrices at the same moment one may get the buffer
 * of the other, and with it wrong numbers. Such a build says that it is sequential; every call then
 * takes its turn here. Any other BLAS is called as it comes. The mutex and the flags are kept
 * outside the objects of the library, because what they are about is kept there too.
 *
 * OpenBLAS takes its work buffer at the first call that wants one, and where the system has no
 * memory for it tries again for ever. So it is asked for once as soon as the library is loaded,
 * after as much memory was had and given back; where that fails LAPACK counts as missed.
 */
#define _DEFAULT_SOURCE
#include "la/openblas_calls.h"

#include "base/late.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

static atomic_int loaded;

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

/* The largest work buffer that OpenBLAS is built with, that of x86-64. */
static const size_t WORK_BUFFER = (size_t)128 << 20;

/* Whether the BLAS that is linked takes one thread at a time. */
static int takes_turns(void) {
    return openblas_get_parallel && openblas_get_parallel() == 0;
}

/* Let OpenBLAS take its work buffer, which every factorisation asks for; NULL, or what is wrong. */
static const char *take_buffer(void) {
    double A = 1;
    int one = 1, pivot, info;
    void *room =
        mmap(NULL, WORK_BUFFER, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) return "there are no 128 MB of memory for its work";
    munmap(room, WORK_BUFFER);
    dgetrf_(&one, &one, &A, &one, &pivot, &info);
    return NULL;
}

/* Load it; 0 where that fails. */
static int load(void) {
    const char *wrong = hol__openblas_load(), *lacks = NULL;
    pthread_mutex_lock(&turn);
    if (!wrong && openblas_get_parallel && !atomic_load(&loaded)) lacks = take_buffer();
    if (!wrong && !lacks) atomic_store_explicit(&loaded, 1, memory_order_release);
    pthread_mutex_unlock(&turn);
    if (wrong) hol__late_miss("LAPACK", wrong, HOL_ERR_FEATURE);
    if (lacks) hol__late_miss("LAPACK", lacks, HOL_ERR_MEMORY);
    return !wrong && !lacks;
}

/* Whether it is there. */
static int have(void) {
    return atomic_load_explicit(&loaded, memory_order_acquire) || load();
}

int hol__blas_enter(void) {
    if (!have()) return 0;
    if (takes_turns()) pthread_mutex_lock(&turn);
    return 1;
}

void hol__blas_leave(void) {
    if (takes_turns()) pthread_mutex_unlock(&turn);
}

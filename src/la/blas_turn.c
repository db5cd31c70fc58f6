/* blas_turn.c: the way into LAPACK, which is loaded at its first call; one thread at a time inside
 * a BLAS that takes no more.
 *
 * OpenBLAS built for a single thread (Debian's libopenblas0-serial) hands out its work buffers
 * without a lock: of two threads that multiply matrices at the same moment one may get the buffer
 * of the other, and with it wrong numbers. Such a build says that it is sequential; every call then
 * takes its turn here. Any other BLAS is called as it comes. The mutex and the flags are kept
 * outside the objects of the library, because what they are about is kept there too.
 */
#include "la/openblas_calls.h"

#include "base/late.h"

#include <pthread.h>
#include <stdatomic.h>

static atomic_int loaded;

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

/* Whether the BLAS that is linked takes one thread at a time. */
static int takes_turns(void) {
    return openblas_get_parallel && openblas_get_parallel() == 0;
}

/* Whether it is there. */
static int have(void) {
    if (atomic_load_explicit(&loaded, memory_order_acquire)) return 1;
    const char *wrong = hol__openblas_load();
    if (wrong) {
        hol__late_miss("LAPACK", wrong);
        return 0;
    }
    atomic_store_explicit(&loaded, 1, memory_order_release);
    return 1;
}

int hol__blas_enter(void) {
    if (!have()) return 0;
    if (takes_turns()) pthread_mutex_lock(&turn);
    return 1;
}

void hol__blas_leave(void) {
    if (takes_turns()) pthread_mutex_unlock(&turn);
}

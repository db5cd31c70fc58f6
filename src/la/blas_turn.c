/* blas_turn.c: one thread at a time inside a BLAS that takes no more.
 *
 * OpenBLAS built for a single thread (Debian's libopenblas0-serial) hands out its work buffers
 * without a lock: of two threads that multiply matrices at the same moment one may get the buffer
 * of the other, and with it wrong numbers. Such a build says that it is sequential; every call then
 * takes its turn here. Any other BLAS is called as it comes. The mutex is the only thing that the
 * library keeps outside its objects, because what it guards is kept there too.
 */
#include "la/lapack.h"

#include <pthread.h>

/* 0 in a sequential OpenBLAS; the symbol is absent from every other BLAS. */
int openblas_get_parallel(void);
#pragma weak openblas_get_parallel

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

/* Whether the BLAS that is linked takes one thread at a time. */
static int takes_turns(void) {
    return openblas_get_parallel && openblas_get_parallel() == 0;
}

void hol__blas_enter(void) {
    if (takes_turns()) pthread_mutex_lock(&turn);
}

void hol__blas_leave(void) {
    if (takes_turns()) pthread_mutex_unlock(&turn);
}

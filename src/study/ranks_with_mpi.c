/* ranks_with_mpi.c: the ranks of an MPI job. See ranks.h.
 *
 * Counters lie in a window of rank 0, and are read and raised in one (MPI_Fetch_and_op), so that no
 * rank waits for what another one computes. Where the caller has started MPI, it also ends it.
 */
#include "study/ranks.h"

#include "study/mpi_calls.h"

struct hol__mpi_job {
    MPI_Win window;
    long long *counters; /* of rank 0 */
    int ends;            /* this library has started MPI */
};

/* MPI, started; *started: here. */
static hol_status start(hol_context *ctx, int *started) {
    int given = MPI_THREAD_SERIALIZED, before = 0;
    const char *wrong = hol__mpi_load();
    if (wrong)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_FEATURE, NULL, NULL, "MPI cannot be loaded: %s",
                           wrong);
    MPI_Initialized(&before);
    *started = !before;
    if (!before && MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &given) != MPI_SUCCESS)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_FEATURE, NULL, NULL, "MPI cannot be started");
    if (given >= MPI_THREAD_SERIALIZED) return HOL_OK;
    if (!before) MPI_Finalize();
    return hol__report(ctx, HOL_ERROR, HOL_ERR_FEATURE, NULL, NULL,
                       "this MPI does not take calls from several threads, one at a time");
}

hol_status hol__mpi_join(hol_context *ctx, hol__mpi_job **out, int *number, int *count) {
    hol__mpi_job *job = *out = hol__alloc(ctx, 1, sizeof *job);
    if (!job) return HOL_ERR_MEMORY;
    const hol_status status = start(ctx, &job->ends);
    if (status) {
        hol__release(ctx, job);
        *out = NULL;
        return status;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, number);
    MPI_Comm_size(MPI_COMM_WORLD, count);
    MPI_Win_allocate(*number ? 0 : (MPI_Aint)sizeof *job->counters * HOL__MPI_COUNTERS,
                     sizeof *job->counters, MPI_INFO_NULL, MPI_COMM_WORLD, (void *)&job->counters,
                     &job->window);
    for (int i = 0; i < HOL__MPI_COUNTERS && !*number; i++) job->counters[i] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, job->window);
    return HOL_OK;
}

void hol__mpi_leave(hol_context *ctx, hol__mpi_job *job) {
    MPI_Win_unlock_all(job->window);
    MPI_Win_free(&job->window);
    if (job->ends) MPI_Finalize();
    hol__release(ctx, job);
}

long long hol__mpi_add(hol__mpi_job *job, int counter, long long n) {
    long long before = 0;
    MPI_Fetch_and_op(&n, &before, MPI_LONG_LONG_INT, 0, counter, MPI_SUM, job->window);
    MPI_Win_flush(0, job->window);
    return before;
}

void hol__mpi_meet(hol__mpi_job *job) {
    (void)job;
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ranks.h: the processes that share a study, and the counter from which they take cases.
 *
 * One process is a rank by itself. Started by mpirun (or srun), it is one of an MPI job; calls come
 * from one thread at a time.
 */
#ifndef HOL_STUDY_RANKS_H
#define HOL_STUDY_RANKS_H

#include "base/context.h"

typedef struct hol__ranks hol__ranks;

/* Join the others, where there are any and `shared` says so. NULL after an error. */
hol__ranks *hol__ranks_join(hol_context *ctx, int shared);

/* Leave them: all at the same time. */
void hol__ranks_leave(hol__ranks *ranks);

int hol__ranks_number(const hol__ranks *ranks); /* of this one, from 0 */
int hol__ranks_count(const hol__ranks *ranks);

/* The counter, which begins with 0 and is raised by one. */
long long hol__ranks_take(hol__ranks *ranks);

/* Cases that were run since the start. */
typedef struct hol__progress {
    long long done, failed;
} hol__progress;

/* What this rank has done by now; and what all have told. */
void hol__ranks_tell(hol__ranks *ranks, hol__progress own);
hol__progress hol__ranks_told(hol__ranks *ranks);

/* Until all are here. */
void hol__ranks_meet(hol__ranks *ranks);

/* ---- MPI: ranks_with_mpi.c, ranks_without_mpi.c ---- */

/* What an MPI job has; NULL where this process is in none. HOL_ERR_FEATURE without MPI. */
typedef struct hol__mpi_job hol__mpi_job;
hol_status hol__mpi_join(hol_context *ctx, hol__mpi_job **job, int *number, int *count);
void hol__mpi_leave(hol_context *ctx, hol__mpi_job *job);
enum { HOL__MPI_PIECES, HOL__MPI_DONE, HOL__MPI_FAILED, HOL__MPI_COUNTERS };
long long hol__mpi_add(hol__mpi_job *job, int counter, long long n); /* what it was before */
void hol__mpi_meet(hol__mpi_job *job);

#endif

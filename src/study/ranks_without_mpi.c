/* ranks_without_mpi.c: what takes the place of MPI in a build without it. */
#include "study/ranks.h"

hol_status hol__mpi_join(hol_context *ctx, hol__mpi_job **job, int *number, int *count) {
    (void)number, (void)count;
    *job = NULL;
    return hol__report(ctx, HOL_ERROR, HOL_ERR_FEATURE, NULL, NULL,
                       "not built with MPI, and started by mpirun: each process would run the "
                       "whole study; build the library with it (Debian: libopenmpi-dev), or start "
                       "the study without mpirun");
}

void hol__mpi_leave(hol_context *ctx, hol__mpi_job *job) {
    (void)ctx, (void)job;
}

long long hol__mpi_add(hol__mpi_job *job, int counter, long long n) {
    (void)job, (void)counter, (void)n;
    return 0;
}

void hol__mpi_meet(hol__mpi_job *job) {
    (void)job;
}

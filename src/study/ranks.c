/* ranks.c: one process, or those of an MPI job. See ranks.h. */
#include "study/ranks.h"

#include <stdlib.h>

struct hol__ranks {
    hol_context *ctx;
    int number, count;
    long long next;     /* the counter of a process by itself */
    hol__progress told; /* by this one */
    hol__mpi_job *job;  /* NULL: by itself */
};

/* Whether a starter of MPI jobs has started this process: Open MPI, Slurm and others with PMIx,
 * those with PMI. */
static int is_started(void) {
    static const char *const signs[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_SIZE"};
    for (int i = 0; i < 3; i++)
        if (getenv(signs[i])) return 1;
    return 0;
}

hol__ranks *hol__ranks_join(hol_context *ctx, int shared) {
    hol__ranks *ranks = hol__alloc(ctx, 1, sizeof *ranks);
    if (!ranks) return NULL;
    ranks->ctx = ctx;
    ranks->count = 1;
    if (!shared || !is_started()) return ranks;
    if (hol__mpi_join(ctx, &ranks->job, &ranks->number, &ranks->count) == HOL_OK) return ranks;
    hol__release(ctx, ranks);
    return NULL;
}

void hol__ranks_leave(hol__ranks *ranks) {
    if (!ranks) return;
    if (ranks->job) hol__mpi_leave(ranks->ctx, ranks->job);
    hol__release(ranks->ctx, ranks);
}

int hol__ranks_number(const hol__ranks *ranks) {
    return ranks->number;
}

int hol__ranks_count(const hol__ranks *ranks) {
    return ranks->count;
}

long long hol__ranks_take(hol__ranks *ranks) {
    return ranks->job ? hol__mpi_add(ranks->job, HOL__MPI_PIECES, 1) : ranks->next++;
}

void hol__ranks_tell(hol__ranks *ranks, hol__progress own) {
    if (!ranks->job) return;
    hol__mpi_add(ranks->job, HOL__MPI_DONE, own.done - ranks->told.done);
    hol__mpi_add(ranks->job, HOL__MPI_FAILED, own.failed - ranks->told.failed);
    ranks->told = own;
}

hol__progress hol__ranks_told(hol__ranks *ranks) {
    if (!ranks->job) return ranks->told;
    return (hol__progress){hol__mpi_add(ranks->job, HOL__MPI_DONE, 0),
                           hol__mpi_add(ranks->job, HOL__MPI_FAILED, 0)};
}

void hol__ranks_meet(hol__ranks *ranks) {
    if (ranks->job) hol__mpi_meet(ranks->job);
}

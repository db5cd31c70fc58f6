/* bench.h: where one thread runs its cases, one after the other. */
#ifndef HOL_STUDY_BENCH_H
#define HOL_STUDY_BENCH_H

#include "study/study.h"

#include <stdatomic.h>

/* How a case came out. */
typedef enum hol__case_state {
    HOL__CASE_OPEN, /* not run yet */
    HOL__CASE_DONE,
    HOL__CASE_BEYOND, /* its run ended, and exceeded its tolerances */
    HOL__CASE_FAILED
} hol__case_state;

enum { HOL__REASON_SIZE = 480 };

typedef struct hol__outcome {
    long long number;
    hol__case_state state;
    hol_status status;
    double steps, evaluations;
    double *goals;                 /* of the study; NaN where there is none */
    char reason[HOL__REASON_SIZE]; /* why it failed */
} hol__outcome;

/* What runs the cases in place of a mechanism: searches (searches.h). `begin` makes what a thread
 * needs, NULL after an error; `run` is hol__bench_run. */
typedef struct hol__runner {
    void *(*begin)(void *self, hol_context *ctx);
    hol_status (*run)(void *self, void *own, long long k, const atomic_int *stop,
                      hol__outcome *out);
    void (*end)(void *own);
} hol__runner;

typedef struct hol__bench hol__bench;

/* Messages go to ctx, and memory comes from it; both serve one thread. */
hol__bench *hol__bench_new(hol_context *ctx, const hol_study *study);
void hol__bench_free(hol__bench *bench);

/* Run case k. HOL_OK with the outcome, whatever it is; HOL_ERR_INTERRUPTED where `stop` was set
 * meanwhile, and the case is not done. */
hol_status hol__bench_run(hol__bench *bench, long long k, const atomic_int *stop,
                          hol__outcome *out);

/* The simulation of case k at its start; NULL, with messages. */
hol_sim *hol__bench_sim(hol__bench *bench, long long k);

#endif

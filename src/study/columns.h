/* columns.h: the cases that ended, as columns, from which all answers are made. */
#ifndef HOL_STUDY_COLUMNS_H
#define HOL_STUDY_COLUMNS_H

#include "study/crew.h"

typedef struct hol__columns {
    hol__arena arena;
    int rows;
    long long *number;  /* of the case, in rising order */
    double **factors;   /* by factor, by row; words as their numbers */
    double **responses; /* by response, by row; NaN where a formula is not defined */
} hol__columns;

/* Of cases that have their numbers; those that failed are left out. */
hol_status hol__columns_init(hol__columns *columns, hol_study *study, const hol__cases *cases);
void hol__columns_free(hol__columns *columns);

/* ---- parts of the answer, each in a file of its own ---- */

/* facts.c: what was studied. */
void hol__study_facts(const hol_study *study, const hol__cases *cases, double seconds,
                      hol_answer *answer);

/* failures.c: `failures`, `failed`. */
void hol__study_failures(const hol_study *study, const hol__cases *cases, hol_answer *answer);

/* distribution.c: `summary`, `extremes`, and `histogram_…`, `distribution_…`, `ends_…`. */
void hol__study_distribution(const hol_study *study, const hol__columns *columns,
                             hol_answer *answer);

/* yield.c: `yield`, `yield_…`. */
void hol__study_yield(hol_study *study, const hol__columns *columns, hol_answer *answer);

/* effects.c: `effects_…`, `correlation`. */
void hol__study_effects(const hol_study *study, const hol__columns *columns, hol_answer *answer);

/* Which share of the variance of response i the means over the parts of factor j have; 0 where it
 * has none. */
double hol__main_share(const hol_study *study, const hol__columns *columns, int j, int i,
                       hol__arena *room);

/* surface.c: `surfaces_…`, `surface_…`. */
hol_status hol__study_surfaces(const hol_study *study, const hol__columns *columns,
                               hol_answer *answer);

/* indices.c: `indices_…`. */
void hol__study_indices(const hol_study *study, const hol__columns *columns, hol_answer *answer);

/* ---- numbers.c ---- */

/* Those of n numbers that are finite, in rising order, in the arena; how many. NULL without
 * memory. */
double *hol__sorted(hol__arena *arena, const double *x, int n, int *found);

/* The places of those of n numbers that are finite, in the order of their values, of equal ones in
 * the order of their places; how many. NULL without memory. */
int *hol__ranked(hol__arena *arena, const double *x, int n, int *found);

/* The value below which the share p of sorted numbers lies: linear between them. */
double hol__quantile(const double *sorted, int n, double p);

typedef struct hol__moments {
    int n;
    double mean, deviation; /* of the population they are a sample of */
} hol__moments;

/* Of those that are finite, in two passes. */
hol__moments hol__moments_of(const double *x, int n);

#endif

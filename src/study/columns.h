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

/* ---- tables of the answer, each in a file of its own ---- */

/* distribution.c: `summary`, `histogram_…`, `yield`. */
void hol__study_distribution(const hol_study *study, const hol__columns *columns,
                             hol_answer *answer);

/* effects.c: `effects_…`, `correlation`. */
void hol__study_effects(const hol_study *study, const hol__columns *columns, hol_answer *answer);

/* indices.c: `indices_…`. */
void hol__study_indices(const hol_study *study, const hol__columns *columns, hol_answer *answer);

/* ---- numbers.c ---- */

/* Those of n numbers that are finite, in rising order, in the arena; how many. NULL without
 * memory. */
double *hol__sorted(hol__arena *arena, const double *x, int n, int *found);

/* The value below which the share p of sorted numbers lies: linear between them. */
double hol__quantile(const double *sorted, int n, double p);

typedef struct hol__moments {
    int n;
    double mean, deviation; /* of the population they are a sample of */
} hol__moments;

/* Of those that are finite, in two passes. */
hol__moments hol__moments_of(const double *x, int n);

#endif

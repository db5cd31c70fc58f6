/* identify.h: an identification as it was understood, between its files. */
#ifndef HOL_ANALYSIS_IDENTIFY_H
#define HOL_ANALYSIS_IDENTIFY_H

#include "analysis/fit_statistics.h"
#include "analysis/goals.h"
#include "analysis/least_squares.h"
#include "analysis/vary.h"

#include <holonom/identify.h>
#include <holonom/result.h>

/* A measured column that is to follow a column of the data. */
typedef struct hol__follower {
    const char *measure, *column, *unit; /* unit: of the measure */
    double weight;
    int has_weight;
    const double *data; /* rows, in SI units */
} hol__follower;

/* What is asked, checked. */
typedef struct hol__identification {
    hol_context *ctx;
    const hol_spec *spec;
    hol_identify_options o;
    hol__arena arena;
    hol__vary vary;
    int rows; /* times of the data */
    const double *times;
    int n; /* followers */
    hol__follower *followers;
    hol__goals *goals;                    /* follower by follower, all times */
    double *values, *gradient, *at_start; /* of the goals */
    long failed;
    const char *reason; /* of the first failure */
    int seen;           /* the start was */
    hol__sheet *progress;
    hol_result *result;
} hol__identification;

/* The data and what follows them (identify_data.c). */
hol_status hol__identification_data(hol__identification *q);

/* The facts and tables of what was found (identify_answer.c). */
void hol__identification_progress(hol__identification *q, hol_answer *answer);
hol_status hol__identification_answer(hol__identification *q, const hol__fit *fit,
                                      hol_answer *answer);

#endif

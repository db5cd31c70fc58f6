/* factor.h: what varies from case to case, and the values that it takes. */
#ifndef HOL_STUDY_FACTOR_H
#define HOL_STUDY_FACTOR_H

#include "base/arena.h"

#include <holonom/model.h>

/* How its values are spread. */
typedef enum hol__spread {
    HOL__SPREAD_LEVELS, /* a list */
    HOL__SPREAD_UNIFORM,
    HOL__SPREAD_LOGARITHMIC, /* its logarithm is uniform */
    HOL__SPREAD_NORMAL,      /* within low and high where these are given */
    HOL__SPREAD_LOGNORMAL,   /* its logarithm is normal */
    HOL__SPREAD_TRIANGULAR,
    HOL__SPREAD_TABLE /* the rows of a file */
} hol__spread;

typedef struct hol__factor {
    hol_column about; /* name, unit, what it is */
    const char *path; /* of the number, or the word, in the model */
    hol_location where;
    hol__spread spread;
    int n_levels;
    const double *levels;     /* SI; of words 0, 1, 2 … */
    const char *const *words; /* NULL: it is a number */
    double centre, width;     /* normal: mean, deviation; lognormal: of the logarithm; mode */
    double low, high;         /* ends; infinite where there are none */
} hol__factor;

/* The value below which the share u of all values lies, 0 < u < 1. */
double hol__factor_value(const hol__factor *factor, double u);

/* The share of the values of a normal distribution that lies below x, and its inverse. */
double hol__normal_share(double x);
double hol__normal_value(double u);

#endif

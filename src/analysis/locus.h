/* locus.h: eigenvalues over a parameter, shared by the files of hol_locus. */
#ifndef HOL_ANALYSIS_LOCUS_H
#define HOL_ANALYSIS_LOCUS_H

#include "analysis/linearize.h"

typedef struct hol__locus {
    hol_context *ctx;
    hol_spec *spec;  /* a copy */
    const char *key; /* of the parameter in it */
    const hol_options *options;
    const hol_locus_options *how;
    const char *coordinates;
    double base; /* the value in the description */
    int varies;  /* elements come and go */
    hol__arena arena;
} hol__locus;

/* The eigenvalues at one value. */
typedef struct hol__roots {
    hol__spectrum x; /* without vectors */
    int growing;
    hol__motion motion;
    double *re_rate, *im_rate; /* by the parameter; NULL: not known */
} hol__roots;

/* At that value; like: as in spectrum.h, or NULL. What is wrong is reported. */
hol_status hol__locus_roots(hol__locus *locus, double value, const hol__spectrum *like,
                            hol__roots *out);

/* The eigenvalues of `now` in the order of the branches of `last`, each the nearest that is not
 * taken; zeros stay last in all. */
hol_status hol__locus_follow(hol__locus *locus, const hol__roots *last, hol__roots *now);

/* All crossings between a and b, whose roots are in the order of the same branches, into the
 * table: parameter, imaginary part, frequency, how many grow below and above. */
hol_status hol__locus_crossings(hol__locus *locus, double a, hol__roots *at_a, double b,
                                hol__roots *at_b, hol__sheet *sheet);

#endif

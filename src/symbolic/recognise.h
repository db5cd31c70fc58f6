/* recognise.h: the formula of a number of a compiled model.
 *
 * A model is compiled from its description with several sets of parameters: a number of it is a
 * vector of samples, one a set. Candidates are the expressions that stand in the file, with their
 * samples. A number v is
 *
 *     a number                      where all samples are the same
 *     r e,  r e f,  r e + s f       e, f candidates; r, s simple fractions
 *     r p_1^k_1 ... p_n^k_n         p_i parameters, k_i multiples of 1/2
 *     r_0 + r_1 p_1 + ... + r_n p_n
 *
 * and the shortest of these that meets every sample, to rounding, is its formula. There are more
 * samples than any of them has unknowns: what meets them all by chance is out of the question.
 */
#ifndef HOL_SYMBOLIC_RECOGNISE_H
#define HOL_SYMBOLIC_RECOGNISE_H

#include "symbolic/sym.h"

typedef struct hol__candidate {
    hol__sym e;
    double *value; /* by sample */
} hol__candidate;

typedef struct hol__candidates {
    hol__algebra *a;
    int n_samples;
    double **sample; /* by sample and symbol: values of the parameters and of pi */
    int n, capacity;
    hol__candidate *list;
    int n_parameters; /* the parameters that vary by themselves … */
    hol__sym *parameter;
    double scale; /* a length of the model: what is below rounding of it is 0 */
} hol__candidates;

/* A further candidate, unless its value does not vary or is not defined. */
void hol__candidates_add(hol__candidates *c, hol__sym e);

/* The number as a node: 0 and whole numbers where it is one to rounding, pi times a simple
 * fraction where `angle`, the root of a simple fraction, else what hol__exact_of says. */
hol__sym hol__recognise_number(hol__algebra *a, double x, double scale, int angle);

/* The formula of a number with these samples; NULL: there is none. */
hol__sym hol__recognise(const hol__candidates *c, const double *value, int angle);

#endif

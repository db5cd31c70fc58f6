/* variation.h: the equations of the perturbations along a motion, integrated.
 *
 *     Y' = J(t) Y      Y = (dq, dv, dz), one column for each perturbation
 *
 * by Gauss's formula with three stages, order six: with J_k at the nodes c_k of a step,
 *
 *     K_k = J_k (Y + h sum_l a_kl K_l)      Y <- Y + h sum_k b_k K_k
 *
 * which is one linear system of three times the size. See cycle.h for J.
 */
#ifndef HOL_ANALYSIS_VARIATION_H
#define HOL_ANALYSIS_VARIATION_H

#include "analysis/perturb.h"

enum { HOL__GAUSS = 3 };

typedef struct hol__variation_equations hol__variation_equations;

/* Place of node k in a step, 0 … 1; its weight. */
double hol__gauss_place(int k);
double hol__gauss_weight(int k);

/* For the states of a model like that of data. */
hol_status hol__variation_new(const hol_data *data, hol__variation_equations **equations);
void hol__variation_free(hol__variation_equations *equations);

/* Y = the independent perturbations. */
void hol__variation_begin(hol__variation_equations *equations, const hol__perturb *start);

/* J of node k at the state of data, which is solved anew; and the step of length h. */
hol_status hol__variation_node(hol__variation_equations *equations, hol_data *data, int k);
hol_status hol__variation_step(hol__variation_equations *equations, double h);

/* Y in terms of the independent perturbations: M (n x n, column-major). */
void hol__variation_end(const hol__variation_equations *equations, const hol__perturb *end,
                        double *M);

#endif

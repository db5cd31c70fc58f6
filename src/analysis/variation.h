/* variation.h: the equations of the perturbations along a motion, integrated.
 *
 *     Y' = J(t) Y + F(t)      Y = (dq, dv, dz), one column for each perturbation
 *
 * by Gauss's formula with three stages, order six: with J_k, F_k at the nodes c_k of a step,
 *
 *     K_k = J_k (Y + h sum_l a_kl K_l) + F_k      Y <- Y + h sum_k b_k K_k
 *
 * which is one linear system of three times the size, B K = J Y + F. See cycle.h for J.
 *
 * Backwards: what functionals m (columns of M) say of Y at the end of the step they say of Y at its
 * start, and of F. With g_k what they read of the stages Y_k = Y + h sum_l a_kl K_l as well,
 *
 *     m . Y_end + h sum_k b_k g_k . Y_k = m' . Y_start + sum_k W_k . F_k
 *     B^T W = h (b_k m + h sum_l b_l a_lk g_l)_k      m' = m + h sum_k b_k g_k + sum_k J_k^T W_k
 *
 * so that the sums of both directions are the same up to rounding.
 */
#ifndef HOL_ANALYSIS_VARIATION_H
#define HOL_ANALYSIS_VARIATION_H

#include "analysis/perturb.h"

enum { HOL__GAUSS = 3 };

typedef struct hol__variation_equations hol__variation_equations;

/* Place of node k in a step, 0 … 1; its weight. */
double hol__gauss_place(int k);
double hol__gauss_weight(int k);

/* For the states of a model like that of data, with room for so many columns; 0: one for each row
 * of Y. */
hol_status hol__variation_new(const hol_data *data, int columns,
                              hol__variation_equations **equations);
void hol__variation_free(hol__variation_equations *equations);

/* Y = the independent perturbations. */
void hol__variation_begin(hol__variation_equations *equations, const hol__perturb *start);

/* The state of data, solved anew, with its tangent and factors; with J of node k too; and the step
 * of length h. */
hol_status hol__variation_take(hol__variation_equations *equations, const hol_data *data);
hol_status hol__variation_node(hol__variation_equations *equations, const hol_data *data, int k);
hol_status hol__variation_step(hol__variation_equations *equations, double h);

/* The parts: Y (n x columns), F_k (the same, zeros until something else is written), J_k (n x n),
 * column-major; and after a step of length h the stage k of Y, into out. */
int hol__variation_size(const hol__variation_equations *equations);
double *hol__variation_columns(hol__variation_equations *equations, int columns);
double *hol__variation_forcing(hol__variation_equations *equations, int k);
double *hol__variation_matrix(hol__variation_equations *equations, int k);
void hol__variation_stage(const hol__variation_equations *equations, double h, int k, double *out);

/* The state that was taken last, and its tangent. */
hol_data *hol__variation_data(hol__variation_equations *equations);
const hol__tangent *hol__variation_tangent(const hol__variation_equations *equations);

/* Backwards over a step of length h with the matrices J[k] (n x n): M (n x columns) becomes that at
 * its start, W (3 n x columns) says what F_k is worth. g: what is read of stages (3 n x columns).
 * lu: of size 3 n. */
hol_status hol__variation_back(int n, double h, double *const *J, int columns, const double *g,
                               hol__lu *lu, double *M, double *W);

/* Y in terms of the independent perturbations: M (n x n, column-major). */
void hol__variation_end(const hol__variation_equations *equations, const hol__perturb *end,
                        double *M);

#endif

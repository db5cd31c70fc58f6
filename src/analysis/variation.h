/* variation.h: the equations of the perturbations along a motion, integrated.
 *
 *     Y' = J(t) Y + F(t)      Y = (dq, dv, dz), one column for each perturbation
 *
 * On the constraints Y = E u + y_p, with r independent perturbations E (perturb.h), and u = Z Y
 * reads them off what is settled there (Z y_p = 0, Z E = 1). So with G = J E, F~ = F + J y_p
 *
 *     Y' = G Z Y + F~
 *
 * has the same solutions, and what is off the constraints does not count: near a singular position
 * J alone magnifies that without bound. A step of a formula (collocation.h) has the unknowns u_k
 * alone, five times as many as the mechanism has freedoms and rates of them:
 *
 *     u_k = Z_k (Y + h sum_l a_kl (G_l u_l + F~_l))      Y <- Y + h sum_k b_k (G_k u_k + F~_k)
 *
 * or B u = Z (Y + h a F~). Without constraints Z = 1, G = J.
 *
 * Backwards: what functionals m (columns of M) say of Y at the end of the step they say of Y at its
 * start, and of F~. With g_k what they read of the stages Y_k as well, and
 * w_l = h (b_l m + h sum_k b_k a_kl g_k),
 *
 *     m . Y_end + h sum_k b_k g_k . Y_k = m' . Y_start + sum_k W_k . F~_k       B^T V = G^T w
 *     m' = m + h sum_k b_k g_k + sum_k Z_k^T V_k      W_l = w_l + h sum_k a_kl Z_k^T V_k
 *
 * so that the sums of both directions are the same up to rounding.
 */
#ifndef HOL_ANALYSIS_VARIATION_H
#define HOL_ANALYSIS_VARIATION_H

#include "analysis/collocation.h"
#include "analysis/parameter_tangent.h"
#include "analysis/perturb.h"

typedef struct hol__variation_equations hol__variation_equations;

/* The equations at a node, n rows: G (n x r), Z as the columns of its transpose (n x r); NULL: Z =
 * 1. */
typedef struct hol__variation_place {
    int r;
    double *G, *Z;
} hol__variation_place;

/* For the states of a model like that of data, with room for so many columns; 0: one for each row
 * of Y. */
hol_status hol__variation_new(const hol_data *data, int columns,
                              hol__variation_equations **equations);
void hol__variation_free(hol__variation_equations *equations);

/* The formula of the steps that follow: that of Gauss where the equations jump at their end. */
const hol__collocation *hol__variation_choose(hol__variation_equations *equations, int jumps);

/* Y = the independent perturbations. */
void hol__variation_begin(hol__variation_equations *equations, const hol__perturb *start);

/* The state of data, solved anew, with its tangent and factors; with G and Z of node k too; and the
 * step of length h. */
hol_status hol__variation_take(hol__variation_equations *equations, const hol_data *data);
hol_status hol__variation_node(hol__variation_equations *equations, const hol_data *data, int k);
hol_status hol__variation_step(hol__variation_equations *equations, double h);

/* The perturbations whose readings by Z of the node that was taken last are 1 and zeros (n x r,
 * column-major), into out: E Z y is y, settled without parameters. Before a step. */
const double *hol__variation_basis(hol__variation_equations *equations, int r, double *out);

/* The parts: Y (n x columns), F~_k (the same, zeros until something else is written), column-major;
 * the equations at node k, with room for n x n numbers each; and after a step of length h the stage
 * k of Y, into out. */
int hol__variation_size(const hol__variation_equations *equations);
double *hol__variation_columns(hol__variation_equations *equations, int columns);
double *hol__variation_forcing(hol__variation_equations *equations, int k);
hol__variation_place *hol__variation_at(hol__variation_equations *equations, int k);
void hol__variation_stage(const hol__variation_equations *equations, double h, int k, double *out);

/* The state that was taken last, and its tangent. */
hol_data *hol__variation_data(hol__variation_equations *equations);
const hol__tangent *hol__variation_tangent(const hol__variation_equations *equations);

/* Backwards over a step of length h with the equations at its nodes: M (n x columns) becomes that
 * at its start, W (5 n x columns) says what F~_k is worth. g: what is read of stages (5 n x
 * columns). lu and V: of size 5 n. */
hol_status hol__variation_back(const hol__collocation *formula, int n, double h,
                               const hol__variation_place *places, int columns, const double *g,
                               hol__lu *lu, double *M, double *W, double *V);

/* Y in terms of the independent perturbations: M (n x n, column-major). */
void hol__variation_end(const hol__variation_equations *equations, const hol__perturb *end,
                        double *M);

/* ---- variation_state.c: at the state that was taken last ---- */

/* y (n) onto the constraints, by the least corrections in the metric of M; terms: of the parameter
 * that has changed by 1 (NULL: none). */
hol_status hol__variation_settle(hol__variation_equations *equations,
                                 const hol__parameter_terms *terms, double *y);

/* What a functional w (n) of what was settled says of it before, in place; and by parameter, with
 * their terms, what it has besides, added to rest. */
hol_status hol__variation_settle_back(hol__variation_equations *equations, int n_terms,
                                      const hol__parameter_terms *terms, double *w, double *rest);

/* out (n) = J y + F, with the terms of a parameter (NULL: F = 0). */
hol_status hol__variation_apply(hol__variation_equations *equations,
                                const hol__parameter_terms *terms, const double *y, double *out);

#endif

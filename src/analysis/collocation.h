/* collocation.h: two formulas of five stages for linear equations along a run.
 *
 *     Y_k = Y + h sum_l a_kl Y'_l      Y_end = Y + h sum_l b_l Y'_l      at the times c_k h
 *
 * a_kl = int_0^c_k L_l, b_l = int_0^1 L_l with Lagrange's polynomials L of the nodes. Radau's nodes
 * end at 1: order nine, and what a stiff force damps within a step is damped (R(inf) = 0). Gauss's
 * nodes lie inside: order ten, for steps at whose end the equations jump; perturbations that die
 * within a step it would carry on with alternating sign.
 */
#ifndef HOL_ANALYSIS_COLLOCATION_H
#define HOL_ANALYSIS_COLLOCATION_H

enum { HOL__STAGES = 5 };

typedef struct hol__collocation {
    double c[HOL__STAGES], b[HOL__STAGES], a[HOL__STAGES][HOL__STAGES];
} hol__collocation;

void hol__collocation_gauss(hol__collocation *formula);
void hol__collocation_radau(hol__collocation *formula);

#endif

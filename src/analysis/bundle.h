/* bundle.h: neighbouring motions of a run, to first order.
 *
 *     Y' = J Y + f_p      Y = (dq, dv, dz), one column each
 *
 * The first `free` columns are perturbations of the state alone; the others, one for each
 * parameter, belong to that parameter being larger by one unit, with f_p = (0, a_p, r_p): the
 * derivatives of the accelerations and of the rates of z by it at the same numbers (family.h). On
 * the constraints
 *
 *     D dq + Phi_p = 0      A dv + Pq dq + Pz dz + psi_p = 0
 *
 * which the equations keep but for the errors of the formula; hol__bundle_settle removes these, by
 * the least corrections in the metric of M, x = X r with A x = r.
 *
 * Between two settlings what is off the constraints, w = Y - P Y, is carried on by w' = P' w, which
 * keeps its length where the projection P is orthogonal in that metric. Where there are constraints
 * on velocities alone it is not, since x keeps these as well, and w can grow: for these the columns
 * are settled after each step that ends at a node.
 */
#ifndef HOL_ANALYSIS_BUNDLE_H
#define HOL_ANALYSIS_BUNDLE_H

#include "analysis/family.h"
#include "analysis/variation.h"

typedef struct hol__bundle {
    hol__family *family;
    hol__arena arena;
    const hol_model *model;
    hol__variation_equations *equations;
    int n, nv, free, columns;
    double *Y;        /* n x columns */
    double *dt;       /* by column: how the time of the state moves; 0 but at changes */
    double *stage;    /* n x columns */
    double *measures; /* columns of the measures x columns */
    double *room;     /* columns of the measures */
    hol_data *side;   /* a state nearby */
    hol__nudge nudge;
    hol__parameter_terms *terms; /* by parameter, of the state that was taken last */
    double *x;                   /* n */
    double *particular; /* n x parameters: the settled zeros at the node that was taken last; NULL:
                         * steps need no settling */
} hol__bundle;

/* For the model of data; its columns are 0. close takes one that was not opened. */
hol_status hol__bundle_open(hol__bundle *bundle, hol__family *family, const hol_data *data,
                            int free);
void hol__bundle_close(hol__bundle *bundle);

/* Column c of Y, or of something like it. */
static inline double *hol__bundle_column(const hol__bundle *b, double *Y, int c) {
    return Y + hol__area(c, b->n);
}

/* The equations of node k at the state of data; a step of length h over all nodes. */
hol_status hol__bundle_node(hol__bundle *bundle, const hol_data *data, int k);
hol_status hol__bundle_step(hol__bundle *bundle, double h);

/* Whether a step of the formula ends with a settling; the columns onto the constraints at the last
 * node of a step. */
int hol__bundle_settles(const hol__bundle *bundle, const hol__collocation *formula);
hol_status hol__bundle_settle_step(hol__bundle *bundle);

/* The columns onto the constraints at the state of data. */
hol_status hol__bundle_settle(hol__bundle *bundle, const hol_data *data);

/* What a functional w of the columns that were settled, at the state that was taken last, says of
 * them before: w (n) in place; and by parameter (n of them) what it has besides, added to rest. */
hol_status hol__bundle_settle_back(hol__bundle *bundle, double *w, double *rest);

/* The rate (v, a, z') of the state that was taken last into x (n). */
void hol__bundle_rate(const hol__bundle *bundle, const hol_data *data, double *x);

/* The direction of column c of Y, with its time. */
hol__direction hol__bundle_direction(const hol__bundle *bundle, const double *Y, int c);

/* How all measures follow column c of Y at the state of data, solved: into out. inside: the state
 * lies between two changes. */
hol_status hol__bundle_measure(hol__bundle *bundle, hol_data *data, const double *Y, int c,
                               int inside, double *out);

#endif

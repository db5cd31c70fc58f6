/* relative_spatial.h: the records of the recursions in space, shared by kinematics
 * (relative_spatial.c), dynamics (relative_spatial_dyn.c) and the articulated bodies
 * (relative_spatial_solve.c). */
#ifndef HOL_COORDS_RELATIVE_SPATIAL_H
#define HOL_COORDS_RELATIVE_SPATIAL_H

#include "coords/tree.h"
#include "math/vec3.h"

#include <string.h>

typedef struct hol__work3 {
    double P[3], D[3], c[3];
    double w[3], v[3];   /* angular velocity (global), velocity of P */
    double bl[3], ba[3]; /* accelerations of P and of w where v' = 0 */
    double M[6], H[9], I[6], f[3], n[3];
    double a[3], alpha[3];     /* in momentum_rate: momenta beyond the link, about P */
    double Ul[3], Ua[3], d, u; /* of a single velocity */
} hol__work3;

static inline hol__work3 *hol__work3_of(double *work) {
    return (hol__work3 *)(void *)work;
}

static inline const hol__work3 *hol__work3_in(const double *work) {
    return (const hol__work3 *)(const void *)work;
}

/* The axis of each velocity, global, behind the records. */
static inline double *hol__axes_of(const hol__tree *tree, double *work) {
    return (double *)(void *)(hol__work3_of(work) + tree->n + 1);
}

static inline const double *hol__axes_in(const hol__tree *tree, const double *work) {
    return (const double *)(const void *)(hol__work3_in(work) + tree->n + 1);
}

/* What a wrench (f, n about P) does along velocity k of a link with the axis s. */
static inline double hol__along3(const hol__link *link, int k, const double *s, const double *f,
                                 const double *n) {
    if (k < link->n_move) return hol__dot3(s, f);
    return hol__dot3(s, n) + (link->pitch != 0 ? link->pitch * hol__dot3(s, f) : 0);
}

/* The motion (a of P, alpha) gains x along velocity k of a link. */
static inline void hol__move3(const hol__link *link, int k, const double *s, double x, double *a,
                              double *alpha) {
    double *to = k < link->n_move ? a : alpha;
    for (int j = 0; j < 3; j++) to[j] += s[j] * x;
    for (int j = 0; j < 3 && k >= link->n_move && link->pitch != 0; j++)
        a[j] += link->pitch * s[j] * x;
}

/* The rate of the axis s of velocity k: fixed in the parent, those of a ball and the second of a
 * universal joint in the child. */
static inline void hol__axis_rate3(const hol__link *link, int k, const hol__work3 *parent,
                                   const hol__work3 *child, const double *s, double *out) {
    const int in_child = k >= link->n_move && (link->turn == HOL__TURN_BALL ||
                                               (link->turn == HOL__TURN_UNIVERSAL && k == 1));
    hol__cross3(in_child ? child->w : parent->w, s, out);
}

/* y = S x for a symmetric matrix xx xy xz yy yz zz. */
static inline void hol__mul_sym3(const double *S, const double *x, double *y) {
    y[0] = S[0] * x[0] + S[1] * x[1] + S[2] * x[2];
    y[1] = S[1] * x[0] + S[3] * x[1] + S[4] * x[2];
    y[2] = S[2] * x[0] + S[4] * x[1] + S[5] * x[2];
}

/* I = R JP R^T */
static inline void hol__turn_inertia3(const double *R, const double *JP, double *I) {
    double T[9];
    for (int i = 0; i < 3; i++) hol__mul_sym3(JP, R + 3 * i, T + 3 * i);
    I[0] = hol__dot3(T, R), I[1] = hol__dot3(T, R + 3), I[2] = hol__dot3(T, R + 6);
    I[3] = hol__dot3(T + 3, R + 3), I[4] = hol__dot3(T + 3, R + 6), I[5] = hol__dot3(T + 6, R + 6);
}

/* J' v of a body, linear, global; the angular part is w->ba. */
static inline void hol__bias3(const hol__work3 *w, double out[3]) {
    double t[3], u[3], z[3];
    hol__cross3(w->ba, w->c, t);
    hol__cross3(w->w, w->c, u);
    hol__cross3(w->w, u, z);
    for (int k = 0; k < 3; k++) out[k] = w->bl[k] + t[k] + z[k];
}

/* Add a wrench at the joint of a link to that of its parent. */
static inline void hol__pass_wrench3(hol__work3 *p, const hol__work3 *w, const double *f,
                                     const double *n) {
    double t[3];
    hol__cross3(w->D, f, t);
    for (int k = 0; k < 3; k++) p->f[k] += f[k], p->n[k] += n[k] + t[k];
}

/* What the parts of a walk (tree_walks.h, tree_solve.h) work on. */
typedef struct hol__walk3 {
    const hol_model *model;
    const hol__tree *tree;
    const hol__body3 *bodies;
    hol__work3 *all;
    double *axes;
} hol__walk3;

static inline hol__walk3 hol__walk3_of(const hol_model *model, const hol__bodies *bodies,
                                       double *work) {
    return (hol__walk3){model, model->tree, bodies->b3, hol__work3_of(work),
                        hol__axes_of(model->tree, work)};
}

/* f, n about P of each link: load - M_b J' v. */
void hol__spatial_wrenches(const hol__walk3 *t, const double *load);

/* The acceleration of the parent at P. */
static inline void hol__carry3(const hol__work3 *p, hol__work3 *w) {
    hol__cross3(p->alpha, w->D, w->a);
    hol__add3(w->a, p->a, w->a);
    memcpy(w->alpha, p->alpha, sizeof w->alpha);
}

HOL__TREE_DYNAMICS(spatial);

#endif

/* relative_spatial_solve.c: M a = Q in space by articulated bodies, in time proportional to the
 * number of bodies (tree.h).
 *
 * Articulated inertia about P: (a, alpha) -> (M a + H alpha, H^T a + I alpha), M and I symmetric.
 * The bias accelerations of the whole motion are taken into the wrenches first, so that the
 * elimination runs without them. A velocity with the axis s has
 *     U = inertia times its motion,  d = motion . U,  u = motion . wrench;
 *     what is left: inertia - U U^T / d, wrench - U u / d
 */
#include "coords/relative_spatial.h"

#include <math.h>
#include <string.h>

typedef hol__work3 part;
typedef hol__walk3 walk;

/* Inertias of the bodies about P. */
static void start_inertias(const walk *t) {
    for (int i = 0; i < t->tree->n; i++) {
        part *w = &t->all[i];
        const double m = t->tree->links3[i].mass, x = m * w->c[0], y = m * w->c[1], z = m * w->c[2];
        w->M[0] = w->M[3] = w->M[5] = m;
        w->M[1] = w->M[2] = w->M[4] = 0;
        w->H[0] = 0, w->H[1] = z, w->H[2] = -y;
        w->H[3] = -z, w->H[4] = 0, w->H[5] = x;
        w->H[6] = y, w->H[7] = -x, w->H[8] = 0;
        hol__turn_inertia3(t->bodies[t->tree->links[i].body].R, t->tree->links3[i].JP, w->I);
    }
}

/* Add what a link leaves of inertia and wrench to its parent: K = H - M [D], I + [D] K + ([D]
 * H)^T. */
static inline void pass_inertia(hol__work3 *p, const hol__work3 *w) {
    const double *M = w->M, *H = w->H, *D = w->D;
    const double x = D[0], y = D[1], z = D[2];
    const double K[9] = {
        H[0] - (M[1] * z - M[2] * y), H[1] - (M[2] * x - M[0] * z), H[2] - (M[0] * y - M[1] * x),
        H[3] - (M[3] * z - M[4] * y), H[4] - (M[4] * x - M[1] * z), H[5] - (M[1] * y - M[3] * x),
        H[6] - (M[4] * z - M[5] * y), H[7] - (M[5] * x - M[2] * z), H[8] - (M[2] * y - M[4] * x)};
    for (int k = 0; k < 6; k++) p->M[k] += M[k];
    for (int k = 0; k < 9; k++) p->H[k] += K[k];
    p->I[0] += w->I[0] + (y * K[6] - z * K[3]) + (y * H[6] - z * H[3]);
    p->I[1] += w->I[1] + (y * K[7] - z * K[4]) + (z * H[0] - x * H[6]);
    p->I[2] += w->I[2] + (y * K[8] - z * K[5]) + (x * H[3] - y * H[0]);
    p->I[3] += w->I[3] + (z * K[1] - x * K[7]) + (z * H[1] - x * H[7]);
    p->I[4] += w->I[4] + (z * K[2] - x * K[8]) + (x * H[4] - y * H[1]);
    p->I[5] += w->I[5] + (x * K[5] - y * K[2]) + (x * H[5] - y * H[2]);
    hol__pass_wrench3(p, w, w->f, w->n);
}

/* Take U U^T / d and U u / d off inertia and wrench. */
static inline void take_off(hol__work3 *w, const double *Ul, const double *Ua, double d, double u) {
    const double r = 1 / d, g = u * r;
    const double x[3] = {Ul[0] * r, Ul[1] * r, Ul[2] * r}, y[3] = {Ua[0] * r, Ua[1] * r, Ua[2] * r};
    w->M[0] -= x[0] * Ul[0], w->M[1] -= x[0] * Ul[1], w->M[2] -= x[0] * Ul[2];
    w->M[3] -= x[1] * Ul[1], w->M[4] -= x[1] * Ul[2], w->M[5] -= x[2] * Ul[2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) w->H[3 * i + j] -= x[i] * Ua[j];
    w->I[0] -= y[0] * Ua[0], w->I[1] -= y[0] * Ua[1], w->I[2] -= y[0] * Ua[2];
    w->I[3] -= y[1] * Ua[1], w->I[4] -= y[1] * Ua[2], w->I[5] -= y[2] * Ua[2];
    for (int k = 0; k < 3; k++) w->f[k] -= Ul[k] * g, w->n[k] -= Ua[k] * g;
}

/* Where the general links keep U, d, u: eight numbers a velocity behind the axes. */
static inline double *store(const walk *t, int velocity) {
    return t->axes + 3 * t->model->nv + 8 * velocity;
}

/* The part of U that the advance h of a screw adds: h (M s, H^T s). */
static void add_advance(double h, const double *s, const hol__work3 *w, double *U) {
    double t[3];
    hol__mul_sym3(w->M, s, t);
    for (int k = 0; k < 3; k++) U[k] += h * t[k];
    hol__mul3_t(w->H, s, t);
    for (int k = 0; k < 3; k++) U[3 + k] += h * t[k];
}

/* Eliminate the velocities of a link, the last first; 0 when singular. */
static int eliminate(const walk *t, const hol__link *link, part *w) {
    for (int k = link->nv - 1; k >= 0; k--) {
        const double *s = t->axes + 3 * (link->v + k);
        double *U = store(t, link->v + k);
        if (k < link->n_move) {
            hol__mul_sym3(w->M, s, U);
            hol__mul3_t(w->H, s, U + 3);
        } else {
            hol__mul3(w->H, s, U);
            hol__mul_sym3(w->I, s, U + 3);
            if (link->pitch != 0) add_advance(link->pitch, s, w, U);
        }
        U[6] = hol__along3(link, k, s, U, U + 3);
        U[7] = hol__along3(link, k, s, w->f, w->n);
        if (!(U[6] > 0)) return 0;
        take_off(w, U, U + 3, U[6], U[7]);
    }
    return 1;
}

/* Eliminate a link and pass on what is left; 0 when singular. */
static inline int reduce(const walk *t, const hol__link *link, part *w, part *parent) {
    if (link->kind == HOL__LINK_REVOLUTE) {
        const double *e = t->axes + 3 * link->v;
        hol__mul3(w->H, e, w->Ul);
        hol__mul_sym3(w->I, e, w->Ua);
        w->d = hol__dot3(e, w->Ua);
        w->u = hol__dot3(e, w->n);
        if (!(w->d > 0)) return 0;
        if (parent) take_off(w, w->Ul, w->Ua, w->d, w->u);
    } else if (!eliminate(t, link, w))
        return 0;
    if (parent) pass_inertia(parent, w);
    return 1;
}

/* The accelerations of the velocities of a link on top. */
static inline void unroll(const walk *t, const hol__link *link, part *w, double *a) {
    if (link->kind == HOL__LINK_REVOLUTE) {
        const double *e = t->axes + 3 * link->v;
        const double x = (w->u - hol__dot3(w->Ul, w->a) - hol__dot3(w->Ua, w->alpha)) / w->d;
        for (int k = 0; k < 3; k++) w->alpha[k] += e[k] * x;
        a[0] = x;
        return;
    }
    for (int k = 0; k < link->nv; k++) {
        const double *U = store(t, link->v + k), *s = t->axes + 3 * (link->v + k);
        const double x = (U[7] - hol__dot3(U, w->a) - hol__dot3(U + 3, w->alpha)) / U[6];
        hol__move3(link, k, s, x, w->a, w->alpha);
        a[k] = x;
    }
}

/* ---- the root of M ---- */

/* No wrenches. */
static inline void start_none(const walk *t) {
    for (int i = 0; i < t->tree->n; i++)
        for (int k = 0; k < 3; k++) t->all[i].f[k] = t->all[i].n[k] = 0;
}

/* s and U of velocity k of a link that was reduced; returns d. */
static inline double put_record(const walk *t, const hol__link *link, const part *w, int k,
                                double *s, double *U) {
    const double *axis = t->axes + 3 * (link->v + k);
    for (int j = 0; j < 3; j++) {
        s[j] = k < link->n_move ? axis[j] : link->pitch * axis[j];
        s[3 + j] = k < link->n_move ? 0 : axis[j];
    }
    if (link->kind == HOL__LINK_REVOLUTE) {
        for (int j = 0; j < 3; j++) U[j] = w->Ul[j], U[3 + j] = w->Ua[j];
        return w->d;
    }
    const double *kept = store(t, link->v + k);
    for (int j = 0; j < 6; j++) U[j] = kept[j];
    return kept[6];
}

/* A wrench to the parent, added. */
static inline void pass_up(const double *D, const double *w, double *to) {
    double t[3];
    hol__cross3(D, w, t);
    for (int k = 0; k < 3; k++) to[k] += w[k], to[3 + k] += w[3 + k] + t[k];
}

/* The motion of the parent at the link. */
static inline void pass_down(const double *D, const double *from, double *a) {
    double t[3];
    hol__cross3(from + 3, D, t);
    for (int k = 0; k < 3; k++) a[k] = from[k] + t[k], a[3 + k] = from[3 + k];
}

#define WIDTH 6
#define WALK(name) hol__spatial_##name
#define walk_of hol__walk3_of
#define start_wrenches hol__spatial_wrenches
#define carry hol__carry3
#include "coords/tree_root.h"
#include "coords/tree_solve.h"

/* relative_planar_dyn.c: the dynamics of relative coordinates in the plane: generalised forces,
 * mass matrix, accelerations by articulated bodies, reactions (tree.h).
 *
 * A wrench (f, n about P) has the generalised force s . f for a translation, n for a turn.
 * Articulated inertia about P:
 *     (a, alpha) -> (M a + H alpha, H . a + I alpha);
 *     a revolute joint leaves only M - H H^T / I of it.
 *
 * M' v: with p = m v of a body, J'^T p + J^T M_b J' v. Of all bodies beyond a link, with their
 * momentum p and the wrench (f, n) of their m J' v:  s' . p + s . f for a translation, n - P' x p
 * for a turn.
 */
#include "coords/relative_planar.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef hol__work2 part;

/* What the parts of a walk work on. */
typedef struct walk {
    const hol__tree *tree;
    const hol__body2 *bodies;
    part *all;
} walk;

static inline walk walk_of(const hol_model *model, const hol__bodies *bodies, double *work) {
    return (walk){model->tree, bodies->b2, hol__work2_of(work)};
}

/* f, n about P of each link: load - m J' v. */
static inline void start_wrenches(const walk *t, const double *load) {
    for (int i = 0; i < t->tree->n; i++) {
        const int body = t->tree->links[i].body;
        const double m = t->tree->links2[i].mass, *x = load + 3 * body;
        part *w = &t->all[i];
        double beta[2];
        hol__bias2(&t->bodies[body], w, beta);
        w->f[0] = x[0] - m * beta[0];
        w->f[1] = x[1] - m * beta[1];
        w->n = x[2] + w->c[0] * w->f[1] - w->c[1] * w->f[0];
    }
}

/* Add a wrench at the joint of a link to that of its parent. */
static inline void pass_wrench(hol__work2 *p, const hol__work2 *w, double fx, double fy, double n) {
    p->f[0] += fx;
    p->f[1] += fy;
    p->n += n + w->D[0] * fy - w->D[1] * fx;
}

static inline void pass_own(part *p, const part *w) {
    pass_wrench(p, w, w->f[0], w->f[1], w->n);
}

/* What the wrench of a link does along its velocities. */
static inline void put_forces(const walk *t, const hol__link *link, const part *w, double *Q) {
    (void)t;
    for (int k = 0; k < link->n_move; k++) {
        double s[2];
        hol__direction2(link, w, k, s);
        Q[link->v + k] = s[0] * w->f[0] + s[1] * w->f[1];
    }
    if (link->turn) Q[link->v + link->n_move] = w->n;
}

/* Inertias of the bodies about P. */
static inline void start_inertias(const walk *t) {
    const hol__tree *tree = t->tree;
    for (int i = 0; i < tree->n; i++) {
        part *w = &t->all[i];
        const double m = tree->links2[i].mass, x = w->c[0], y = w->c[1];
        w->Mxx = w->Myy = m;
        w->Mxy = 0;
        w->Hx = -m * y;
        w->Hy = m * x;
        w->I = tree->links2[i].inertia + m * (x * x + y * y);
    }
}

/* Inertias of all bodies beyond each link, as if they were one. */
static inline void composites(const walk *t) {
    const hol__tree *tree = t->tree;
    part *all = t->all;
    start_inertias(t);
    for (int i = tree->n - 1; i >= 0; i--) {
        if (tree->links[i].parent == tree->n) continue;
        const hol__work2 *w = &all[i];
        hol__work2 *p = &all[tree->links[i].parent];
        const double m = w->Mxx, *D = w->D;
        p->Mxx += m;
        p->Hx += w->Hx - m * D[1];
        p->Hy += w->Hy + m * D[0];
        p->I += w->I + m * (D[0] * D[0] + D[1] * D[1]) + 2 * (D[0] * w->Hy - D[1] * w->Hx);
    }
}

/* The row of velocity k of link i up to the root: the wrench (f, n about P) that it takes. */
static void mass_row(const hol__tree *tree, const hol__work2 *all, int i, int k, int *next,
                     double *M) {
    const hol__link *link = &tree->links[i];
    const hol__work2 *w = &all[i];
    double f[2] = {w->Hx, w->Hy}, n = w->I;
    if (k < link->n_move) {
        hol__direction2(link, w, k, f);
        n = w->Hx * f[0] + w->Hy * f[1];
        f[0] *= w->Mxx, f[1] *= w->Mxx;
    }
    for (int up = i; up < tree->n; up = tree->links[up].parent) {
        const hol__link *l = &tree->links[up];
        for (int j = 0; j < (up == i ? k + 1 : l->nv); j++) {
            double s[2], x = n;
            if (j < l->n_move) {
                hol__direction2(l, &all[up], j, s);
                x = s[0] * f[0] + s[1] * f[1];
            }
            hol__put_pair(next, link->v + k, l->v + j, x, M);
        }
        n += all[up].D[0] * f[1] - all[up].D[1] * f[0];
    }
}

void hol__planar_mass_at(const hol_model *model, const hol__bodies *bodies, double *work,
                         double *M) {
    const walk t = walk_of(model, bodies, work);
    const hol__tree *tree = t.tree;
    const part *all = t.all;
    int *next = hol__tree_places(model, work);
    composites(&t);
    for (int i = 0; i < tree->n; i++) {
        if (!tree->turning) {
            for (int k = 0; k < tree->links[i].nv; k++) mass_row(tree, all, i, k, next, M);
            continue;
        }
        /* nothing but turns */
        const double fx = all[i].Hx, fy = all[i].Hy;
        double n = all[i].I;
        for (int up = i; up < tree->n; up = tree->links[up].parent) {
            hol__put_pair(next, tree->links[i].v, tree->links[up].v, n, M);
            n += all[up].D[0] * fy - all[up].D[1] * fx;
        }
    }
}

void hol__planar_mass_diagonal(const hol_model *model, const hol__bodies *bodies, double *work,
                               double *out) {
    const walk t = walk_of(model, bodies, work);
    composites(&t);
    for (int i = 0; i < t.tree->n; i++) {
        const hol__link *link = &t.tree->links[i];
        for (int k = 0; k < link->nv; k++)
            out[link->v + k] = k < link->n_move ? t.all[i].Mxx : t.all[i].I;
    }
}

/* ---- momenta ---- */

/* Momenta of the bodies, and the wrenches of m J' v. */
static void start_momenta(const walk *t) {
    for (int i = 0; i < t->tree->n; i++) {
        const hol__body2 *b = &t->bodies[t->tree->links[i].body];
        const double m = t->tree->links2[i].mass;
        part *w = &t->all[i];
        double beta[2];
        hol__bias2(b, w, beta);
        for (int k = 0; k < 2; k++) w->a[k] = m * b->v[k], w->f[k] = m * beta[k];
        w->n = w->c[0] * w->f[1] - w->c[1] * w->f[0];
    }
}

/* M' v of a link, added. */
static inline void put_momentum_rate(const walk *t, const hol__link *link, const part *parent,
                                     const part *w, double *out) {
    const double wp = t->bodies[link->parent_body].w, *p = w->a;
    (void)parent;
    for (int k = 0; k < link->n_move; k++) {
        double s[2];
        hol__direction2(link, w, k, s);
        out[k] += wp * (s[0] * p[1] - s[1] * p[0]) + s[0] * w->f[0] + s[1] * w->f[1];
    }
    if (link->turn) out[link->n_move] += w->n - (w->v[0] * p[1] - w->v[1] * p[0]);
}

static inline void pass_momenta(part *p, const part *w) {
    p->a[0] += w->a[0], p->a[1] += w->a[1];
}

/* ---- articulated bodies ---- */

/* Add inertia and wrench that a link leaves to those of its parent. */
static inline void pass_inertia(hol__work2 *p, const hol__work2 *w, const double X[6]) {
    const double tx = -w->D[1], ty = w->D[0];
    const double hx = X[0] * tx + X[1] * ty, hy = X[1] * tx + X[2] * ty;
    p->Mxx += X[0];
    p->Mxy += X[1];
    p->Myy += X[2];
    p->I += X[5] + hx * tx + hy * ty + 2 * (X[3] * tx + X[4] * ty);
    p->Hx += X[3] + hx;
    p->Hy += X[4] + hy;
}

/* U = I s of velocity k, and s. */
static void column(const hol__link *link, const hol__work2 *w, int k, double s[3], double U[3]) {
    s[0] = s[1] = 0, s[2] = 1;
    if (k < link->n_move) hol__direction2(link, w, k, s), s[2] = 0;
    U[0] = w->Mxx * s[0] + w->Mxy * s[1] + w->Hx * s[2];
    U[1] = w->Mxy * s[0] + w->Myy * s[1] + w->Hy * s[2];
    U[2] = w->Hx * s[0] + w->Hy * s[1] + w->I * s[2];
}

/* Eliminate the velocities of a link one after the other; what is left of inertia and wrench is in
 * w. > 0: singular. */
static int eliminate(const hol__link *link, hol__work2 *w, double U[3][3], double *d, double *u) {
    for (int k = link->nv - 1; k >= 0; k--) {
        double s[3];
        column(link, w, k, s, U[k]);
        d[k] = s[0] * U[k][0] + s[1] * U[k][1] + s[2] * U[k][2];
        u[k] = s[0] * w->f[0] + s[1] * w->f[1] + s[2] * w->n;
        if (!(d[k] > 0)) return 1;
        const double r = 1 / d[k], g = u[k] * r, *x = U[k];
        w->Mxx -= x[0] * x[0] * r, w->Mxy -= x[0] * x[1] * r, w->Myy -= x[1] * x[1] * r;
        w->Hx -= x[0] * x[2] * r, w->Hy -= x[1] * x[2] * r, w->I -= x[2] * x[2] * r;
        w->f[0] -= x[0] * g, w->f[1] -= x[1] * g, w->n -= x[2] * g;
    }
    return 0;
}

/* The accelerations of the velocities of a link and of its body, from those of the parent at P in
 * (a, alpha). */
static void unroll_general(const hol__link *link, const part *w, const double U[3][3],
                           const double *d, const double *u, double A[3], double *out) {
    for (int k = 0; k < link->nv; k++) {
        double s[3], ignore[3];
        column(link, w, k, s, ignore);
        out[k] = (u[k] - U[k][0] * A[0] - U[k][1] * A[1] - U[k][2] * A[2]) / d[k];
        for (int j = 0; j < 3; j++) A[j] += s[j] * out[k];
    }
}

/* Where the general links keep U, d and u: behind the records, 15 numbers a link. */
static inline double *store(const walk *t, const part *w) {
    return (double *)(void *)(t->all + t->tree->n + 1) + 15 * (w - t->all);
}

/* Eliminate a link and pass on what is left; 0 when singular. */
static inline int reduce(const walk *t, const hol__link *link, part *w, part *p) {
    if (link->kind == HOL__LINK_REVOLUTE) {
        if (!(w->I > 0)) return 0;
        if (!p) return 1;
        const double r = 1 / w->I, x = w->Hx * r, y = w->Hy * r;
        const double X[6] = {w->Mxx - x * w->Hx, w->Mxy - x * w->Hy, w->Myy - y * w->Hy, 0, 0, 0};
        pass_inertia(p, w, X);
        pass_wrench(p, w, w->f[0] - x * w->n, w->f[1] - y * w->n, 0);
        return 1;
    }
    double *s = store(t, w);
    if (eliminate(link, w, (double(*)[3])(void *)s, s + 9, s + 12)) return 0;
    if (!p) return 1;
    const double X[6] = {w->Mxx, w->Mxy, w->Myy, w->Hx, w->Hy, w->I};
    pass_inertia(p, w, X);
    pass_own(p, w);
    return 1;
}

/* No wrenches. */
static inline void start_none(const walk *t) {
    for (int i = 0; i < t->tree->n; i++) t->all[i].f[0] = t->all[i].f[1] = t->all[i].n = 0;
}

/* s and U of velocity k of a link that was reduced; returns d. */
static inline double put_record(const walk *t, const hol__link *link, const part *w, int k,
                                double *s, double *U) {
    if (link->kind == HOL__LINK_REVOLUTE) {
        column(link, w, k, s, U);
        return U[2];
    }
    const double *kept = store(t, w);
    column(link, w, k, s, U);
    for (int j = 0; j < 3; j++) U[j] = kept[3 * k + j];
    return kept[9 + k];
}

/* A wrench to the parent, added. */
static inline void pass_up(const double *D, const double *w, double *to) {
    to[0] += w[0], to[1] += w[1];
    to[2] += w[2] + D[0] * w[1] - D[1] * w[0];
}

/* The motion of the parent at the link. */
static inline void pass_down(const double *D, const double *from, double *a) {
    a[0] = from[0] - from[2] * D[1];
    a[1] = from[1] + from[2] * D[0];
    a[2] = from[2];
}

/* ---- accelerations ---- */

/* The acceleration of the parent at P. */
static inline void carry(const part *p, part *w) {
    w->a[0] = p->a[0] - p->alpha * w->D[1];
    w->a[1] = p->a[1] + p->alpha * w->D[0];
    w->alpha = p->alpha;
}

/* The accelerations of the velocities of a link on top. */
static inline void unroll(const walk *t, const hol__link *link, part *w, double *a) {
    if (link->kind == HOL__LINK_REVOLUTE) {
        const double x = (w->n - w->Hx * w->a[0] - w->Hy * w->a[1]) / w->I;
        a[0] = x - w->alpha;
        w->alpha = x;
        return;
    }
    const double *s = store(t, w);
    double A[3] = {w->a[0], w->a[1], w->alpha};
    unroll_general(link, w, (const double(*)[3])(const void *)s, s + 9, s + 12, A, a);
    w->a[0] = A[0], w->a[1] = A[1], w->alpha = A[2];
}

/* That of velocity k on top. */
static inline void move(const walk *t, const hol__link *link, part *w, int k, double x) {
    double s[2];
    (void)t;
    if (k >= link->n_move) {
        w->alpha += x;
        return;
    }
    hol__direction2(link, w, k, s);
    w->a[0] += s[0] * x, w->a[1] += s[1] * x;
}

/* That of the body. */
static inline void put_acceleration(const walk *t, const hol__link *link, const part *w,
                                    double *out) {
    double beta[2];
    hol__bias2(&t->bodies[link->body], w, beta);
    out[0] = w->a[0] - w->alpha * w->c[1] + beta[0];
    out[1] = w->a[1] + w->alpha * w->c[0] + beta[1];
    out[2] = w->alpha;
}

/* ---- reactions ---- */

/* The wrench of inertia less the load. */
static inline void load_link(const walk *t, int i, const double *acc, const double *load) {
    const double m = t->tree->links2[i].mass;
    part *w = &t->all[i];
    w->f[0] = m * acc[0] - load[0];
    w->f[1] = m * acc[1] - load[1];
    w->n = t->tree->links2[i].inertia * acc[2] - load[2] + w->c[0] * w->f[1] - w->c[1] * w->f[0];
}

static inline void put_reaction(const part *w, double *out) {
    memset(out, 0, 6 * sizeof *out);
    out[0] = w->f[0], out[1] = w->f[1], out[5] = w->n;
}

#define WIDTH 3
#define WALK(name) hol__planar_##name
#include "coords/tree_root.h"
#include "coords/tree_solve.h"
#include "coords/tree_walks.h"

hol_status hol__planar_mass(hol_model *model) {
    hol__tree *tree = (hol__tree *)(uintptr_t)model->tree;
    tree->work = (tree->n + 1) * (int)(sizeof(hol__work2) / sizeof(double)) + 15 * tree->n;
    return hol__tree_mass(model);
}

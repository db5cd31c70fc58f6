/* relative_planar_dyn.c: the dynamics of relative coordinates in the plane: generalised forces, mass matrix, accelerations by
 * articulated bodies, reactions (tree.h).
 *
 * A wrench (f, n about P) has the generalised force s . f for a translation, n for a turn. Articulated inertia about P:
 *     (a, alpha) -> (M a + H alpha, H . a + I alpha);  a revolute joint leaves only M - H H^T / I of it.
 *
 * M' v: with p = m v of a body, J'^T p + J^T M_b J' v. Of all bodies beyond a link, with their momentum p and the wrench
 * (f, n) of their m J' v:  s' . p + s . f for a translation, n - P' x p for a turn.
 */
#include "coords/relative_planar.h"

#include <stdint.h>
#include <string.h>

/* f, n about P of each link: load - m J' v. */
static void wrenches(const hol_model *model, const hol__body2 *b2, hol__work2 *all,
                     const double *load) {
    const hol__tree *tree = model->tree;
    for (int i = 0; i < tree->n; i++) {
        const int body = tree->links[i].body;
        const double m = tree->links2[i].mass, *x = load + 3 * body;
        hol__work2 *w = &all[i];
        double beta[2];
        hol__bias2(&b2[body], w, beta);
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

void hol__planar_forces(const hol_model *model, const hol__bodies *bodies, double *work,
                        const double *load, double *Q) {
    const hol__body2 *b2 = bodies->b2;
    const hol__tree *tree = model->tree;
    hol__work2 *all = hol__work2_of(work);
    wrenches(model, b2, all, load);
    for (int i = tree->n - 1; i >= 0; i--) {
        const hol__link *link = &tree->links[i];
        const hol__work2 *w = &all[i];
        for (int k = 0; k < link->n_move; k++) {
            double s[2];
            hol__direction2(link, w, k, s);
            Q[link->v + k] = s[0] * w->f[0] + s[1] * w->f[1];
        }
        if (link->turn) Q[link->v + link->n_move] = w->n;
        if (link->parent < tree->n) pass_wrench(&all[link->parent], w, w->f[0], w->f[1], w->n);
    }
}

/* Inertias of the bodies about P. */
static void start_inertias(const hol__tree *tree, hol__work2 *all) {
    for (int i = 0; i < tree->n; i++) {
        hol__work2 *w = &all[i];
        const double m = tree->links2[i].mass, x = w->c[0], y = w->c[1];
        w->Mxx = w->Myy = m;
        w->Mxy = 0;
        w->Hx = -m * y;
        w->Hy = m * x;
        w->I = tree->links2[i].inertia + m * (x * x + y * y);
    }
}

/* Inertias of all bodies beyond each link, as if they were one. */
static void composites(const hol__tree *tree, hol__work2 *all) {
    start_inertias(tree, all);
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

/* The row of velocity k of link i up to the root: the wrench (f, n about P) that it takes; places in at, two an entry. */
static const int *mass_row(const hol__tree *tree, const hol__work2 *all, int i, int k,
                           const int *at, double *M) {
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
        for (int j = 0; j < (up == i ? k + 1 : l->nv); j++, at += 2) {
            double s[2], x = n;
            if (j < l->n_move) {
                hol__direction2(l, &all[up], j, s);
                x = s[0] * f[0] + s[1] * f[1];
            }
            M[at[0]] = M[at[1]] = x;
        }
        n += all[up].D[0] * f[1] - all[up].D[1] * f[0];
    }
    return at;
}

void hol__planar_mass_at(const hol_model *model, const hol__bodies *bodies, double *work,
                         double *M) {
    (void)bodies;
    const hol__tree *tree = model->tree;
    hol__work2 *all = hol__work2_of(work);
    const int *at = tree->M_at;
    composites(tree, all);
    for (int i = 0; i < tree->n; i++) {
        if (!tree->turning) {
            for (int k = 0; k < tree->links[i].nv; k++) at = mass_row(tree, all, i, k, at, M);
            continue;
        }
        /* nothing but turns */
        const double fx = all[i].Hx, fy = all[i].Hy;
        double n = all[i].I;
        for (int up = i; up < tree->n; up = tree->links[up].parent, at += 2) {
            M[at[0]] = M[at[1]] = n;
            n += all[up].D[0] * fy - all[up].D[1] * fx;
        }
    }
}

/* ---- momenta ---- */

/* out += M' v. */
void hol__planar_momentum_rate(const hol_model *model, const hol__bodies *bodies, double *work,
                               double *out) {
    const hol__body2 *b2 = bodies->b2;
    const hol__tree *tree = model->tree;
    hol__work2 *all = hol__work2_of(work);
    for (int i = 0; i < tree->n; i++) {
        const hol__body2 *b = &b2[tree->links[i].body];
        const double m = tree->links2[i].mass;
        hol__work2 *w = &all[i];
        double beta[2];
        hol__bias2(b, w, beta);
        for (int k = 0; k < 2; k++) w->a[k] = m * b->v[k], w->f[k] = m * beta[k];
        w->n = w->c[0] * w->f[1] - w->c[1] * w->f[0];
    }
    for (int i = tree->n - 1; i >= 0; i--) {
        const hol__link *link = &tree->links[i];
        const hol__work2 *w = &all[i];
        const double wp = b2[link->parent_body].w, *p = w->a;
        for (int k = 0; k < link->n_move; k++) {
            double s[2];
            hol__direction2(link, w, k, s);
            out[link->v + k] += wp * (s[0] * p[1] - s[1] * p[0]) + s[0] * w->f[0] + s[1] * w->f[1];
        }
        if (link->turn) out[link->v + link->n_move] += w->n - (w->v[0] * p[1] - w->v[1] * p[0]);
        if (link->parent == tree->n) continue;
        hol__work2 *up = &all[link->parent];
        pass_wrench(up, w, w->f[0], w->f[1], w->n);
        up->a[0] += p[0], up->a[1] += p[1];
    }
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

/* Eliminate the velocities of a link one after the other; what is left of inertia and wrench is in w. > 0: singular. */
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

/* The accelerations of the velocities of a link and of its body, from those of the parent at P in (a, alpha). */
static void unroll(const hol__link *link, const hol__work2 *w, double U[3][3], const double *d,
                   const double *u, double A[3], double *out) {
    for (int k = 0; k < link->nv; k++) {
        double s[3], ignore[3];
        column(link, w, k, s, ignore);
        out[k] = (u[k] - U[k][0] * A[0] - U[k][1] * A[1] - U[k][2] * A[2]) / d[k];
        for (int j = 0; j < 3; j++) A[j] += s[j] * out[k];
    }
}

/* Where the general links keep U, d and u: behind the records, 15 numbers a link. */
static double *store(const hol__tree *tree, double *work, int i) {
    return (double *)(void *)(hol__work2_of(work) + tree->n + 1) + 15 * i;
}

hol_status hol__planar_solve(const hol_model *model, const hol__bodies *bodies, double *work,
                             const double *load, double *a) {
    const hol__body2 *b2 = bodies->b2;
    const hol__tree *tree = model->tree;
    hol__work2 *all = hol__work2_of(work);
    start_inertias(tree, all);
    wrenches(model, b2, all, load);
    for (int i = tree->n - 1; i >= 0; i--) {
        const hol__link *link = &tree->links[i];
        hol__work2 *w = &all[i], *p = &all[link->parent];
        if (link->kind == HOL__LINK_REVOLUTE) {
            if (!(w->I > 0)) return HOL_SINGULAR;
            if (link->parent == tree->n) continue;
            const double r = 1 / w->I, x = w->Hx * r, y = w->Hy * r;
            const double X[6] = {
                w->Mxx - x * w->Hx, w->Mxy - x * w->Hy, w->Myy - y * w->Hy, 0, 0, 0};
            pass_inertia(p, w, X);
            pass_wrench(p, w, w->f[0] - x * w->n, w->f[1] - y * w->n, 0);
            continue;
        }
        double *s = store(tree, work, i);
        if (eliminate(link, w, (double(*)[3])(void *)s, s + 9, s + 12)) return HOL_SINGULAR;
        if (link->parent == tree->n) continue;
        const double X[6] = {w->Mxx, w->Mxy, w->Myy, w->Hx, w->Hy, w->I};
        pass_inertia(p, w, X);
        pass_wrench(p, w, w->f[0], w->f[1], w->n);
    }
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        const hol__work2 *p = &all[link->parent];
        hol__work2 *w = &all[i];
        double A[3] = {p->a[0] - p->alpha * w->D[1], p->a[1] + p->alpha * w->D[0], p->alpha};
        if (link->kind == HOL__LINK_REVOLUTE) {
            const double x = (w->n - w->Hx * A[0] - w->Hy * A[1]) / w->I;
            a[link->v] = x - A[2];
            A[2] = x;
        } else {
            double *s = store(tree, work, i);
            unroll(link, w, (double(*)[3])(void *)s, s + 9, s + 12, A, a + link->v);
        }
        w->a[0] = A[0], w->a[1] = A[1], w->alpha = A[2];
    }
    return HOL_OK;
}

void hol__planar_accelerations(const hol_model *model, const hol__bodies *bodies, double *work,
                               const double *a, double *acc) {
    const hol__body2 *b2 = bodies->b2;
    const hol__tree *tree = model->tree;
    hol__work2 *all = hol__work2_of(work);
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        const hol__work2 *p = &all[link->parent];
        hol__work2 *w = &all[i];
        const double *x = a + link->v;
        w->a[0] = p->a[0] - p->alpha * w->D[1];
        w->a[1] = p->a[1] + p->alpha * w->D[0];
        for (int k = 0; k < link->n_move; k++, x++) {
            double s[2];
            hol__direction2(link, w, k, s);
            w->a[0] += s[0] * *x, w->a[1] += s[1] * *x;
        }
        w->alpha = p->alpha + (link->turn ? *x : 0);
        double *out = acc + 3 * link->body, beta[2];
        hol__bias2(&b2[link->body], w, beta);
        out[0] = w->a[0] - w->alpha * w->c[1] + beta[0];
        out[1] = w->a[1] + w->alpha * w->c[0] + beta[1];
        out[2] = w->alpha;
    }
    memset(acc + 3 * model->nb, 0, 3 * sizeof *acc);
}

void hol__planar_reactions(const hol_model *model, const hol__bodies *bodies, double *work,
                           const double *acc, const double *load, double *out) {
    (void)bodies;
    const hol__tree *tree = model->tree;
    hol__work2 *all = hol__work2_of(work);
    for (int i = 0; i < tree->n; i++) {
        const double m = tree->links2[i].mass, *x = load + 3 * tree->links[i].body,
                     *y = acc + 3 * tree->links[i].body;
        hol__work2 *w = &all[i];
        w->f[0] = m * y[0] - x[0];
        w->f[1] = m * y[1] - x[1];
        w->n = tree->links2[i].inertia * y[2] - x[2] + w->c[0] * w->f[1] - w->c[1] * w->f[0];
    }
    for (int i = tree->n - 1; i >= 0; i--) {
        const hol__work2 *w = &all[i];
        double *r = out + 6 * i;
        memset(r, 0, 6 * sizeof *r);
        r[0] = w->f[0], r[1] = w->f[1], r[5] = w->n;
        if (tree->links[i].parent < tree->n)
            pass_wrench(&all[tree->links[i].parent], w, w->f[0], w->f[1], w->n);
    }
}

hol_status hol__planar_mass(hol_model *model) {
    hol__tree *tree = (hol__tree *)(uintptr_t)model->tree;
    tree->work = (tree->n + 1) * (int)(sizeof(hol__work2) / sizeof(double)) + 15 * tree->n;
    return hol__tree_mass(model);
}

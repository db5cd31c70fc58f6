/* relative_planar.c: the recursions of relative coordinates in the plane (tree.h).
 *
 *     P' = P'_p + w_p x D + E d'       D = P - P_p        bias of P:  -w_p^2 D + 2 w_p x E d'
 *     r' = P' + w x c,  c = r - P      bias of r: that of P, - w^2 c;  angular accelerations have none
 *
 * Articulated inertia about P: (a, alpha) -> (M a + H alpha, H . a + I alpha). A revolute joint leaves only M - H H^T / I of it.
 */
#include "coords/tree.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct work2 {
    double P[2], D[2], c[2], e[2];  /* e: x axis of the marker on the parent, global */
    double v[2], gamma[2], bias[2]; /* of P: velocity, bias of the link and in all */
    double Mxx, Mxy, Myy, Hx, Hy, I, f[2], n;
    double a[2], alpha;
} work2;

static work2 *work_of(double *work) {
    return (work2 *)(void *)work;
}

/* The direction of translation k of a link, global. */
static void direction(const hol__link *link, const work2 *w, int k, double s[2]) {
    const int y = link->move == 2 || k == 1;
    s[0] = y ? -w->e[1] : w->e[0];
    s[1] = y ? w->e[0] : w->e[1];
}

static void poses(const hol_model *model, const double *q, hol__body2 *b2, hol__body3 *b3,
                  double *work) {
    const hol__tree *tree = model->tree;
    work2 *all = work_of(work);
    (void)b3;
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        const hol__link2 *g = &tree->links2[i];
        const hol__body2 *p = &b2[link->parent_body];
        hol__body2 *b = &b2[link->body];
        work2 *w = &all[i];
        const double *x = q + link->q;
        double P[2] = {p->r[0] + p->c * g->s1[0] - p->s * g->s1[1],
                       p->r[1] + p->s * g->s1[0] + p->c * g->s1[1]};
        if (link->n_move) {
            w->e[0] = p->c * g->e[0] - p->s * g->e[1];
            w->e[1] = p->s * g->e[0] + p->c * g->e[1];
            for (int k = 0; k < link->n_move; k++) {
                double s[2];
                direction(link, w, k, s);
                P[0] += s[0] * *x;
                P[1] += s[1] * *x++;
            }
        }
        b->theta = p->theta + g->offset + (link->turn ? *x : 0);
        b->c = cos(b->theta);
        b->s = sin(b->theta);
        for (int k = 0; k < 2; k++) w->P[k] = P[k], w->D[k] = P[k] - all[link->parent].P[k];
        w->c[0] = -(b->c * g->s2[0] - b->s * g->s2[1]);
        w->c[1] = -(b->s * g->s2[0] + b->c * g->s2[1]);
        b->r[0] = P[0] + w->c[0];
        b->r[1] = P[1] + w->c[1];
    }
}

static void twists(const hol_model *model, const double *v, hol__body2 *b2, hol__body3 *b3,
                   double *work) {
    const hol__tree *tree = model->tree;
    work2 *all = work_of(work);
    (void)b3;
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        const work2 *p = &all[link->parent];
        hol__body2 *b = &b2[link->body];
        work2 *w = &all[i];
        const double wp = b2[link->parent_body].w, *x = v + link->v;
        w->v[0] = p->v[0] - wp * w->D[1];
        w->v[1] = p->v[1] + wp * w->D[0];
        w->gamma[0] = -wp * wp * w->D[0];
        w->gamma[1] = -wp * wp * w->D[1];
        for (int k = 0; k < link->n_move; k++, x++) {
            double s[2];
            direction(link, w, k, s);
            w->v[0] += s[0] * *x;
            w->v[1] += s[1] * *x;
            w->gamma[0] -= 2 * wp * s[1] * *x;
            w->gamma[1] += 2 * wp * s[0] * *x;
        }
        b->w = link->turn ? wp + *x : wp;
        b->v[0] = w->v[0] - b->w * w->c[1];
        b->v[1] = w->v[1] + b->w * w->c[0];
        w->bias[0] = p->bias[0] + w->gamma[0];
        w->bias[1] = p->bias[1] + w->gamma[1];
    }
}

static void from_bodies(const hol_model *model, const hol__body2 *b2, const hol__body3 *b3,
                        double *q, double *v) {
    const hol__tree *tree = model->tree;
    (void)b3;
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        const hol__link2 *g = &tree->links2[i];
        const hol__body2 *p = &b2[link->parent_body], *b = &b2[link->body];
        work2 w = {.e = {p->c * g->e[0] - p->s * g->e[1], p->s * g->e[0] + p->c * g->e[1]}};
        const double t[2] = {b->c * g->s2[0] - b->s * g->s2[1], b->s * g->s2[0] + b->c * g->s2[1]};
        const double D[2] = {b->r[0] + t[0] - p->r[0], b->r[1] + t[1] - p->r[1]};
        const double s1[2] = {p->c * g->s1[0] - p->s * g->s1[1], p->s * g->s1[0] + p->c * g->s1[1]};
        const double vx = b->v[0] - b->w * t[1] - p->v[0] + p->w * D[1],
                     vy = b->v[1] + b->w * t[0] - p->v[1] - p->w * D[0];
        for (int k = 0; k < link->n_move; k++) {
            double s[2];
            direction(link, &w, k, s);
            q[link->q + k] = s[0] * (D[0] - s1[0]) + s[1] * (D[1] - s1[1]);
            v[link->v + k] = s[0] * vx + s[1] * vy;
        }
        if (!link->turn) continue;
        q[link->q + link->n_move] = b->theta - p->theta - g->offset;
        v[link->v + link->n_move] = b->w - p->w;
    }
}

static void start(const hol_model *model, double *q, double *v) {
    hol__body2 *b2 = hol__arena_alloc(&((hol_model *)(uintptr_t)model)->arena,
                                      (size_t)model->nb + 1, sizeof *b2);
    if (!b2) return;
    hol__drawn_bodies(model, b2, NULL);
    from_bodies(model, b2, NULL, q, v);
}

static void rows(const hol_model *model, const hol__body2 *b2, const hol__body3 *b3,
                 const double *work, const double *G, double *A) {
    const hol__tree *tree = model->tree;
    const work2 *all = (const work2 *)(const void *)work;
    (void)b3;
    for (int i = 0; i < tree->n_maps; i++) {
        const hol__map *map = &tree->maps[i];
        for (int k = 0; k < map->n_rows; k++) {
            double *row = A + map->A + k * map->width;
            memset(row, 0, sizeof(double) * (size_t)map->width);
            for (int s = map->slot; s < map->slot + map->n_slots; s++) {
                const hol__slot *slot = &tree->slots[s];
                const double *g = G + map->G + k * map->stride + slot->at, *r = b2[slot->body].r;
                for (int j = slot->path; j < slot->path + slot->n_path; j++) {
                    const hol__link *link = &tree->links[tree->steps[j].link];
                    const work2 *w = &all[tree->steps[j].link];
                    double *at = row + tree->steps[j].at;
                    for (int d = 0; d < link->n_move; d++) {
                        double dir[2];
                        direction(link, w, d, dir);
                        *at++ += dir[0] * g[0] + dir[1] * g[1];
                    }
                    if (link->turn) *at += g[2] + (r[0] - w->P[0]) * g[1] - (r[1] - w->P[1]) * g[0];
                }
            }
        }
    }
}

/* J' v of a body. */
static void bias_of(const hol__body2 *b, const work2 *w, double out[2]) {
    for (int k = 0; k < 2; k++) out[k] = w->bias[k] - b->w * b->w * w->c[k];
}

static void bias(const hol_model *model, const hol__body2 *b2, const hol__body3 *b3,
                 const double *work, const double *G, double *c) {
    const hol__tree *tree = model->tree;
    const work2 *all = (const work2 *)(const void *)work;
    (void)b3;
    for (int i = 0; i < tree->n_maps; i++) {
        const hol__map *map = &tree->maps[i];
        for (int s = map->slot; s < map->slot + map->n_slots; s++) {
            const hol__slot *slot = &tree->slots[s];
            double beta[2];
            bias_of(&b2[slot->body], &all[tree->of_body[slot->body]], beta);
            for (int k = 0; k < map->n_rows; k++) {
                const double *g = G + map->G + k * map->stride + slot->at;
                c[map->row + k] -= g[0] * beta[0] + g[1] * beta[1];
            }
        }
    }
}

/* f, n about P of each link: load - m J' v. */
static void wrenches(const hol_model *model, const hol__body2 *b2, work2 *all, const double *load) {
    const hol__tree *tree = model->tree;
    for (int i = 0; i < tree->n; i++) {
        const int body = tree->links[i].body;
        const double m = tree->links2[i].mass, *x = load + 3 * body;
        work2 *w = &all[i];
        double beta[2];
        bias_of(&b2[body], w, beta);
        w->f[0] = x[0] - m * beta[0];
        w->f[1] = x[1] - m * beta[1];
        w->n = x[2] + w->c[0] * w->f[1] - w->c[1] * w->f[0];
    }
}

/* Add a wrench at the joint of a link to that of its parent. */
static inline void pass_wrench(work2 *p, const work2 *w, double fx, double fy, double n) {
    p->f[0] += fx;
    p->f[1] += fy;
    p->n += n + w->D[0] * fy - w->D[1] * fx;
}

static void forces(const hol_model *model, const hol__body2 *b2, const hol__body3 *b3, double *work,
                   const double *load, double *Q) {
    const hol__tree *tree = model->tree;
    work2 *all = work_of(work);
    (void)b3;
    wrenches(model, b2, all, load);
    for (int i = tree->n - 1; i >= 0; i--) {
        const hol__link *link = &tree->links[i];
        const work2 *w = &all[i];
        for (int k = 0; k < link->n_move; k++) {
            double s[2];
            direction(link, w, k, s);
            Q[link->v + k] = s[0] * w->f[0] + s[1] * w->f[1];
        }
        if (link->turn) Q[link->v + link->n_move] = w->n;
        if (link->parent < tree->n) pass_wrench(&all[link->parent], w, w->f[0], w->f[1], w->n);
    }
}

/* Inertias of the bodies about P. */
static void start_inertias(const hol__tree *tree, work2 *all) {
    for (int i = 0; i < tree->n; i++) {
        work2 *w = &all[i];
        const double m = tree->links2[i].mass, x = w->c[0], y = w->c[1];
        w->Mxx = w->Myy = m;
        w->Mxy = 0;
        w->Hx = -m * y;
        w->Hy = m * x;
        w->I = tree->links2[i].inertia + m * (x * x + y * y);
    }
}

static void mass_at(const hol_model *model, const hol__body2 *b2, const hol__body3 *b3,
                    double *work, double *M) {
    const hol__tree *tree = model->tree;
    work2 *all = work_of(work);
    const int *at = tree->M_at;
    (void)b2;
    (void)b3;
    start_inertias(tree, all);
    for (int i = tree->n - 1; i >= 0; i--) {
        if (tree->links[i].parent == tree->n) continue;
        const work2 *w = &all[i];
        work2 *p = &all[tree->links[i].parent];
        const double m = w->Mxx, *D = w->D;
        p->Mxx += m;
        p->Hx += w->Hx - m * D[1];
        p->Hy += w->Hy + m * D[0];
        p->I += w->I + m * (D[0] * D[0] + D[1] * D[1]) + 2 * (D[0] * w->Hy - D[1] * w->Hx);
    }
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        for (int k = 0; k < link->nv; k++) {
            const work2 *w = &all[i];
            double f[2], n;
            if (k < link->n_move) {
                direction(link, w, k, f);
                n = w->Hx * f[0] + w->Hy * f[1];
                f[0] *= w->Mxx, f[1] *= w->Mxx;
            } else
                f[0] = w->Hx, f[1] = w->Hy, n = w->I;
            for (int up = i; up < tree->n; up = tree->links[up].parent) {
                const hol__link *l = &tree->links[up];
                for (int j = 0; j < (up == i ? k + 1 : l->nv); j++, at += 2) {
                    double s[2], x = n;
                    if (j < l->n_move) direction(l, &all[up], j, s), x = s[0] * f[0] + s[1] * f[1];
                    M[at[0]] = M[at[1]] = x;
                }
                n += all[up].D[0] * f[1] - all[up].D[1] * f[0];
            }
        }
    }
}

/* ---- articulated bodies ---- */

/* Add inertia and wrench that a link leaves to those of its parent. */
static inline void pass_inertia(work2 *p, const work2 *w, const double X[6]) {
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
static void column(const hol__link *link, const work2 *w, int k, double s[3], double U[3]) {
    s[0] = s[1] = 0, s[2] = 1;
    if (k < link->n_move) direction(link, w, k, s), s[2] = 0;
    U[0] = w->Mxx * s[0] + w->Mxy * s[1] + w->Hx * s[2];
    U[1] = w->Mxy * s[0] + w->Myy * s[1] + w->Hy * s[2];
    U[2] = w->Hx * s[0] + w->Hy * s[1] + w->I * s[2];
}

/* Eliminate the velocities of a link one after the other; what is left of inertia and wrench is in w. > 0: singular. */
static int eliminate(const hol__link *link, work2 *w, double U[3][3], double *d, double *u) {
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
static void unroll(const hol__link *link, const work2 *w, double U[3][3], const double *d,
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
    return (double *)(void *)(work_of(work) + tree->n + 1) + 15 * i;
}

static hol_status solve(const hol_model *model, const hol__body2 *b2, const hol__body3 *b3,
                        double *work, const double *load, double *a) {
    const hol__tree *tree = model->tree;
    work2 *all = work_of(work);
    (void)b3;
    start_inertias(tree, all);
    wrenches(model, b2, all, load);
    for (int i = tree->n - 1; i >= 0; i--) {
        const hol__link *link = &tree->links[i];
        work2 *w = &all[i], *p = &all[link->parent];
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
        const work2 *p = &all[link->parent];
        work2 *w = &all[i];
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

static void accelerations(const hol_model *model, const hol__body2 *b2, const hol__body3 *b3,
                          double *work, const double *a, double *acc) {
    const hol__tree *tree = model->tree;
    work2 *all = work_of(work);
    (void)b3;
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        const work2 *p = &all[link->parent];
        work2 *w = &all[i];
        const double *x = a + link->v;
        w->a[0] = p->a[0] - p->alpha * w->D[1];
        w->a[1] = p->a[1] + p->alpha * w->D[0];
        for (int k = 0; k < link->n_move; k++, x++) {
            double s[2];
            direction(link, w, k, s);
            w->a[0] += s[0] * *x, w->a[1] += s[1] * *x;
        }
        w->alpha = p->alpha + (link->turn ? *x : 0);
        double *out = acc + 3 * link->body, beta[2];
        bias_of(&b2[link->body], w, beta);
        out[0] = w->a[0] - w->alpha * w->c[1] + beta[0];
        out[1] = w->a[1] + w->alpha * w->c[0] + beta[1];
        out[2] = w->alpha;
    }
    memset(acc + 3 * model->nb, 0, 3 * sizeof *acc);
}

static void reactions(const hol_model *model, const hol__body2 *b2, const hol__body3 *b3,
                      double *work, const double *acc, const double *load, double *out) {
    const hol__tree *tree = model->tree;
    work2 *all = work_of(work);
    (void)b2;
    (void)b3;
    for (int i = 0; i < tree->n; i++) {
        const double m = tree->links2[i].mass, *x = load + 3 * tree->links[i].body,
                     *y = acc + 3 * tree->links[i].body;
        work2 *w = &all[i];
        w->f[0] = m * y[0] - x[0];
        w->f[1] = m * y[1] - x[1];
        w->n = tree->links2[i].inertia * y[2] - x[2] + w->c[0] * w->f[1] - w->c[1] * w->f[0];
    }
    for (int i = tree->n - 1; i >= 0; i--) {
        const work2 *w = &all[i];
        double *r = out + 6 * i;
        memset(r, 0, 6 * sizeof *r);
        r[0] = w->f[0], r[1] = w->f[1], r[5] = w->n;
        if (tree->links[i].parent < tree->n)
            pass_wrench(&all[tree->links[i].parent], w, w->f[0], w->f[1], w->n);
    }
}

static hol_status mass(hol_model *model) {
    hol__tree *tree = (hol__tree *)(uintptr_t)model->tree;
    tree->work = (tree->n + 1) * (int)(sizeof(work2) / sizeof(double)) + 15 * tree->n;
    return hol__tree_mass(model);
}

static double inertia(const hol_model *model, const hol__body2 *b2, const hol__body3 *b3,
                      double *load) {
    return hol__coords_planar.inertia(model, b2, b3, load);
}

static const hol__maps maps = {.choose = hol__tree_new,
                               .lay_rows = hol__tree_rows,
                               .work_size = hol__tree_work,
                               .from_bodies = from_bodies,
                               .rows = rows,
                               .bias = bias,
                               .forces = forces,
                               .mass_at = mass_at,
                               .solve = solve,
                               .accelerations = accelerations,
                               .reactions = reactions};

const hol__coords hol__coords_relative_planar = {
    .name = "relative-planar",
    .title = "relative: joint coordinates of a spanning tree, in the plane",
    .space = HOL_PLANAR,
    .start = start,
    .poses = poses,
    .twists = twists,
    .plus = hol__tree_plus,
    .minus = hol__tree_minus,
    .rate = hol__tree_rate,
    .mass = mass,
    .inertia = inertia,
    .maps = &maps,
};

/* relative_spatial.c: the recursions of relative coordinates in space (tree.h), in global axes, about the point P of each link.
 *
 *     w = w_p + w_J                  P' = P'_p + w_p x D + E d'              D = P - P_p
 *     bias of w: w_p x w_J (universal: + e1 v1 x e2 v2)                      bias of P: w_p x (w_p x D) + 2 w_p x E d'
 *     r' = P' + w x c, c = r - P
 *
 * Articulated inertia about P: (a, alpha) -> (M a + H alpha, H^T a + I alpha), M and I symmetric. The bias accelerations of the
 * whole motion are taken into the wrenches first, so that the elimination runs without them.
 */
#include "coords/tree.h"
#include "math/quat.h"

#include <stdint.h>
#include <string.h>

typedef struct work3 {
    double P[3], D[3], c[3];
    double w[3], v[3];   /* angular velocity (global), velocity of P */
    double gl[3], ga[3]; /* bias of the link: of P and of w */
    double bl[3], ba[3]; /* in all */
    double M[6], H[9], I[6], f[3], n[3];
    double a[3], alpha[3];
    double Ul[3], Ua[3], d, u; /* of a single velocity */
} work3;

static work3 *work_of(double *work) {
    return (work3 *)(void *)work;
}

/* The axis of each velocity, global, behind the records. */
static double *axes_of(const hol__tree *tree, double *work) {
    return (double *)(void *)(work_of(work) + tree->n + 1);
}

static void poses(const hol_model *model, const double *q, hol__body2 *b2, hol__body3 *b3,
                  double *work) {
    const hol__tree *tree = model->tree;
    work3 *all = work_of(work);
    double *axes = axes_of(tree, work);
    (void)b2;
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        const hol__link3 *g = &tree->links3[i];
        const hol__body3 *p = &b3[link->parent_body];
        hol__body3 *b = &b3[link->body];
        work3 *w = &all[i];
        double *s = axes + 3 * link->v, t[4], u[4];
        const double *x = q + link->q;
        hol__mul3(p->R, g->s1, w->P);
        hol__add3(w->P, p->r, w->P);
        hol__quat_mul(p->p, g->f1, t);
        for (int k = 0; k < 3 && link->n_move; k++) {
            if (!(link->move & (1u << k))) continue;
            const double e[3] = {g->F1[k], g->F1[3 + k], g->F1[6 + k]};
            hol__mul3(p->R, e, s);
            for (int j = 0; j < 3; j++) w->P[j] += s[j] * *x;
            s += 3;
            x++;
        }
        if (link->turn == HOL__TURN_AXIS || link->turn == HOL__TURN_UNIVERSAL) {
            const double e[3] = {g->F1[2], g->F1[5], g->F1[8]}, c1 = cos(0.5 * *x),
                         s1 = sin(0.5 * *x);
            hol__mul3(p->R, e, s);
            u[0] = t[0] * c1 - t[3] * s1, u[1] = t[1] * c1 + t[2] * s1;
            u[2] = t[2] * c1 - t[1] * s1, u[3] = t[3] * c1 + t[0] * s1;
            if (link->turn == HOL__TURN_UNIVERSAL) {
                static const double h = 0.70710678118654752440;
                const double alpha = 0.5 * (x[0] + x[1]), beta = 0.5 * (x[0] - x[1]);
                const double r[4] = {h * cos(alpha), h * cos(beta), h * sin(beta), h * sin(alpha)};
                hol__quat_mul(t, r, u);
            }
            hol__quat_mul(u, g->f2c, b->p);
        } else if (link->turn == HOL__TURN_BALL) {
            hol__quat_mul(t, x, u);
            hol__quat_mul(u, g->f2c, b->p);
        } else
            hol__quat_mul(t, g->f2c, b->p);
        hol__quat_matrix(b->p, b->R);
        if (link->turn == HOL__TURN_UNIVERSAL) {
            const double e[3] = {g->F2[2], g->F2[5], g->F2[8]};
            hol__mul3(b->R, e, s + 3);
        } else if (link->turn == HOL__TURN_BALL)
            for (int k = 0; k < 3; k++) {
                const double e[3] = {g->F2[k], g->F2[3 + k], g->F2[6 + k]};
                hol__mul3(b->R, e, s + 3 * k);
            }
        hol__mul3(b->R, g->s2, w->c);
        for (int k = 0; k < 3; k++) {
            w->c[k] = -w->c[k];
            w->D[k] = w->P[k] - all[link->parent].P[k];
            b->r[k] = w->P[k] + w->c[k];
        }
    }
}

static void twists(const hol_model *model, const double *v, hol__body2 *b2, hol__body3 *b3,
                   double *work) {
    const hol__tree *tree = model->tree;
    work3 *all = work_of(work);
    const double *axes = axes_of(tree, work);
    (void)b2;
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        const work3 *p = &all[link->parent];
        hol__body3 *b = &b3[link->body];
        work3 *w = &all[i];
        const double *s = axes + 3 * link->v, *x = v + link->v;
        double t[3], wJ[3] = {0, 0, 0};
        hol__cross3(p->w, w->D, t);
        hol__cross3(p->w, t, w->gl);
        hol__add3(p->v, t, w->v);
        for (int k = 0; k < link->n_move; k++, s += 3, x++) {
            const double Ed[3] = {s[0] * *x, s[1] * *x, s[2] * *x};
            hol__cross3(p->w, Ed, t);
            for (int j = 0; j < 3; j++) w->v[j] += Ed[j], w->gl[j] += 2 * t[j];
        }
        for (int k = link->n_move; k < link->nv; k++, s += 3, x++)
            for (int j = 0; j < 3; j++) wJ[j] += s[j] * *x;
        hol__cross3(p->w, wJ, w->ga);
        if (link->turn == HOL__TURN_UNIVERSAL) {
            hol__cross3(s - 6, s - 3, t);
            for (int j = 0; j < 3; j++) w->ga[j] += t[j] * x[-2] * x[-1];
        }
        hol__add3(p->w, wJ, w->w);
        hol__cross3(w->w, w->c, t);
        hol__add3(w->v, t, b->v);
        hol__mul3_t(b->R, w->w, b->w);
        hol__add3(p->ba, w->ga, w->ba);
        hol__cross3(p->ba, w->D, t);
        for (int j = 0; j < 3; j++) w->bl[j] = p->bl[j] + t[j] + w->gl[j];
    }
}

static void from_bodies(const hol_model *model, const hol__body2 *b2, const hol__body3 *b3,
                        double *q, double *v) {
    const hol__tree *tree = model->tree;
    (void)b2;
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        const hol__link3 *g = &tree->links3[i];
        const hol__body3 *p = &b3[link->parent_body], *b = &b3[link->body];
        const double f2[4] = {g->f2c[0], -g->f2c[1], -g->f2c[2], -g->f2c[3]};
        double *x = q + link->q, *y = v + link->v;
        double t1[4], t2[4], rel[4], wp[3], wc[3], w[3], s[3], D[3], E[9], B[9], u[3], vel[3],
            local[3];
        hol__quat_mul(p->p, g->f1, t1);
        hol__quat_mul(b->p, f2, t2);
        hol__quat_mul_c(t1, t2, rel);
        hol__mat3_mul(p->R, g->F1, E);
        hol__mat3_mul(b->R, g->F2, B);
        hol__mul3(p->R, p->w, wp);
        hol__mul3(b->R, b->w, wc);
        hol__sub3(wc, wp, w);
        /* P of the child against the parent, and its velocity seen from there */
        hol__mul3(b->R, g->s2, s);
        for (int k = 0; k < 3; k++) D[k] = b->r[k] + s[k] - p->r[k];
        hol__cross3(wc, s, u);
        hol__cross3(wp, D, vel);
        for (int k = 0; k < 3; k++) vel[k] = b->v[k] + u[k] - p->v[k] - vel[k];
        hol__mul3(p->R, g->s1, s);
        hol__sub3(D, s, D);
        hol__mul3_t(E, D, local);
        hol__mul3_t(E, vel, u);
        for (int k = 0; k < 3; k++)
            if (link->move & (1u << k)) *x++ = local[k], *y++ = u[k];
        if (link->turn == HOL__TURN_AXIS) {
            *x = 2 * atan2(rel[3], rel[0]);
            *y = E[2] * w[0] + E[5] * w[1] + E[8] * w[2];
        } else if (link->turn == HOL__TURN_UNIVERSAL) {
            const double alpha = atan2(rel[3], rel[0]), beta = atan2(rel[2], rel[1]);
            x[0] = alpha + beta, x[1] = alpha - beta;
            y[0] = E[2] * w[0] + E[5] * w[1] + E[8] * w[2];
            y[1] = B[2] * w[0] + B[5] * w[1] + B[8] * w[2];
        } else if (link->turn == HOL__TURN_BALL) {
            memcpy(x, rel, sizeof rel);
            hol__quat_normalize(x);
            hol__mul3_t(B, w, y);
        }
    }
}

static void start(const hol_model *model, double *q, double *v) {
    hol__body3 *b3 = hol__arena_alloc(&((hol_model *)(uintptr_t)model)->arena,
                                      (size_t)model->nb + 1, sizeof *b3);
    if (!b3) return;
    hol__drawn_bodies(model, NULL, b3);
    from_bodies(model, NULL, b3, q, v);
}

static void rows(const hol_model *model, const hol__body2 *b2, const hol__body3 *b3,
                 const double *work, const double *G, double *A) {
    const hol__tree *tree = model->tree;
    const work3 *all = (const work3 *)(const void *)work;
    const double *axes = (const double *)(const void *)(all + tree->n + 1);
    (void)b2;
    for (int i = 0; i < tree->n_maps; i++) {
        const hol__map *map = &tree->maps[i];
        for (int k = 0; k < map->n_rows; k++) {
            double *row = A + map->A + k * map->width;
            memset(row, 0, sizeof(double) * (size_t)map->width);
            for (int s = map->slot; s < map->slot + map->n_slots; s++) {
                const hol__slot *slot = &tree->slots[s];
                const double *g = G + map->G + k * map->stride + slot->at;
                double turn[3];
                hol__mul3(b3[slot->body].R, g + 3, turn);
                for (int j = slot->path; j < slot->path + slot->n_path; j++) {
                    const hol__link *link = &tree->links[tree->steps[j].link];
                    const double *axis = axes + 3 * link->v;
                    double arm[3], n[3], *at = row + tree->steps[j].at;
                    hol__sub3(b3[slot->body].r, all[tree->steps[j].link].P, arm);
                    hol__cross3(arm, g, n);
                    hol__add3(n, turn, n);
                    for (int d = 0; d < link->nv; d++, axis += 3)
                        at[d] += hol__dot3(axis, d < link->n_move ? g : n);
                }
            }
        }
    }
}

/* J' v of a body, linear, global; the angular part is w->ba. */
static void bias_of(const work3 *w, double out[3]) {
    double t[3], u[3], z[3];
    hol__cross3(w->ba, w->c, t);
    hol__cross3(w->w, w->c, u);
    hol__cross3(w->w, u, z);
    for (int k = 0; k < 3; k++) out[k] = w->bl[k] + t[k] + z[k];
}

static void bias(const hol_model *model, const hol__body2 *b2, const hol__body3 *b3,
                 const double *work, const double *G, double *c) {
    const hol__tree *tree = model->tree;
    const work3 *all = (const work3 *)(const void *)work;
    (void)b2;
    for (int i = 0; i < tree->n_maps; i++) {
        const hol__map *map = &tree->maps[i];
        for (int s = map->slot; s < map->slot + map->n_slots; s++) {
            const hol__slot *slot = &tree->slots[s];
            const work3 *w = &all[tree->of_body[slot->body]];
            double beta[3], turn[3];
            bias_of(w, beta);
            hol__mul3_t(b3[slot->body].R, w->ba, turn);
            for (int k = 0; k < map->n_rows; k++) {
                const double *g = G + map->G + k * map->stride + slot->at;
                c[map->row + k] -= hol__dot3(g, beta) + hol__dot3(g + 3, turn);
            }
        }
    }
}

/* f, n about P of each link: load - M_b J' v. */
static void wrenches(const hol_model *model, const hol__body3 *b3, work3 *all, const double *load) {
    const hol__tree *tree = model->tree;
    for (int i = 0; i < tree->n; i++) {
        const int body = tree->links[i].body;
        const hol__body3 *b = &b3[body];
        const double m = tree->links3[i].mass, *x = load + 6 * body;
        work3 *w = &all[i];
        double beta[3], t[3], Jt[3];
        bias_of(w, beta);
        for (int k = 0; k < 3; k++) w->f[k] = x[k] - m * beta[k];
        hol__mul3_t(b->R, w->ba, t);
        hol__mul3(model->bodies[body].J, t, Jt);
        hol__sub3(x + 3, Jt, Jt);
        hol__mul3(b->R, Jt, t);
        hol__cross3(w->c, w->f, w->n);
        hol__add3(w->n, t, w->n);
    }
}

static inline void pass_wrench(work3 *p, const work3 *w, const double *f, const double *n) {
    double t[3];
    hol__cross3(w->D, f, t);
    for (int k = 0; k < 3; k++) p->f[k] += f[k], p->n[k] += n[k] + t[k];
}

static void forces(const hol_model *model, const hol__body2 *b2, const hol__body3 *b3, double *work,
                   const double *load, double *Q) {
    const hol__tree *tree = model->tree;
    work3 *all = work_of(work);
    const double *axes = axes_of(tree, work);
    (void)b2;
    wrenches(model, b3, all, load);
    for (int i = tree->n - 1; i >= 0; i--) {
        const hol__link *link = &tree->links[i];
        const work3 *w = &all[i];
        for (int k = 0; k < link->nv; k++)
            Q[link->v + k] = hol__dot3(axes + 3 * (link->v + k), k < link->n_move ? w->f : w->n);
        if (link->parent < tree->n) pass_wrench(&all[link->parent], w, w->f, w->n);
    }
}

/* y = S x for a symmetric matrix xx xy xz yy yz zz. */
static inline void mul_sym(const double *S, const double *x, double *y) {
    y[0] = S[0] * x[0] + S[1] * x[1] + S[2] * x[2];
    y[1] = S[1] * x[0] + S[3] * x[1] + S[4] * x[2];
    y[2] = S[2] * x[0] + S[4] * x[1] + S[5] * x[2];
}

/* I = R JP R^T */
static inline void turn_inertia(const double *R, const double *JP, double *I) {
    double T[9];
    for (int i = 0; i < 3; i++) mul_sym(JP, R + 3 * i, T + 3 * i);
    I[0] = hol__dot3(T, R), I[1] = hol__dot3(T, R + 3), I[2] = hol__dot3(T, R + 6);
    I[3] = hol__dot3(T + 3, R + 3), I[4] = hol__dot3(T + 3, R + 6), I[5] = hol__dot3(T + 6, R + 6);
}

/* ---- composite bodies: mass M[0], first moment H[0..2], inertia I about P ---- */

static void composites(const hol__tree *tree, const hol__body3 *b3, work3 *all) {
    for (int i = 0; i < tree->n; i++) {
        work3 *w = &all[i];
        const double m = tree->links3[i].mass;
        w->M[0] = m;
        for (int k = 0; k < 3; k++) w->H[k] = m * w->c[k];
        turn_inertia(b3[tree->links[i].body].R, tree->links3[i].JP, w->I);
    }
    for (int i = tree->n - 1; i >= 0; i--) {
        if (tree->links[i].parent == tree->n) continue;
        const work3 *w = &all[i];
        work3 *p = &all[tree->links[i].parent];
        const double m = w->M[0], *D = w->D, *h = w->H,
                     both = m * hol__dot3(D, D) + 2 * hol__dot3(h, D);
        for (int r = 0, k = 0; r < 3; r++)
            for (int c = r; c < 3; c++, k++)
                p->I[k] +=
                    w->I[k] + (r == c ? both : 0) - m * D[r] * D[c] - h[r] * D[c] - D[r] * h[c];
        for (int k = 0; k < 3; k++) p->H[k] += h[k] + m * D[k];
        p->M[0] += m;
    }
}

static void mass_at(const hol_model *model, const hol__body2 *b2, const hol__body3 *b3,
                    double *work, double *M) {
    const hol__tree *tree = model->tree;
    work3 *all = work_of(work);
    const double *axes = axes_of(tree, work);
    const int *at = tree->M_at;
    (void)b2;
    composites(tree, b3, all);
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        const work3 *w = &all[i];
        for (int k = 0; k < link->nv; k++) {
            const double *s = axes + 3 * (link->v + k);
            double f[3], n[3], t[3];
            if (k < link->n_move) {
                for (int j = 0; j < 3; j++) f[j] = w->M[0] * s[j];
                hol__cross3(w->H, s, n);
            } else {
                hol__cross3(s, w->H, f);
                mul_sym(w->I, s, n);
            }
            for (int up = i; up < tree->n; up = tree->links[up].parent) {
                const hol__link *l = &tree->links[up];
                for (int j = 0; j < (up == i ? k + 1 : l->nv); j++, at += 2)
                    M[at[0]] = M[at[1]] = hol__dot3(axes + 3 * (l->v + j), j < l->n_move ? f : n);
                hol__cross3(all[up].D, f, t);
                hol__add3(n, t, n);
            }
        }
    }
}

/* ---- articulated bodies ---- */

static void start_inertias(const hol__tree *tree, const hol__body3 *b3, work3 *all) {
    for (int i = 0; i < tree->n; i++) {
        work3 *w = &all[i];
        const double m = tree->links3[i].mass, x = m * w->c[0], y = m * w->c[1], z = m * w->c[2];
        w->M[0] = w->M[3] = w->M[5] = m;
        w->M[1] = w->M[2] = w->M[4] = 0;
        w->H[0] = 0, w->H[1] = z, w->H[2] = -y;
        w->H[3] = -z, w->H[4] = 0, w->H[5] = x;
        w->H[6] = y, w->H[7] = -x, w->H[8] = 0;
        turn_inertia(b3[tree->links[i].body].R, tree->links3[i].JP, w->I);
    }
}

/* Add what a link leaves of inertia and wrench to its parent: K = H - M [D], I + [D] K + ([D] H)^T. */
static inline void pass_inertia(work3 *p, const work3 *w) {
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
    pass_wrench(p, w, w->f, w->n);
}

/* Take U U^T / d and U u / d off inertia and wrench. */
static inline void take_off(work3 *w, const double *Ul, const double *Ua, double d, double u) {
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
static double *store(const hol_model *model, double *work, int velocity) {
    return axes_of(model->tree, work) + 3 * model->nv + 8 * velocity;
}

/* Eliminate the velocities of a link, the last first. > 0: singular. */
static int eliminate(const hol_model *model, const hol__link *link, const double *axes,
                     double *work, work3 *w) {
    for (int k = link->nv - 1; k >= 0; k--) {
        const double *s = axes + 3 * (link->v + k);
        const int moves = k < link->n_move;
        double *U = store(model, work, link->v + k);
        if (moves) {
            mul_sym(w->M, s, U);
            hol__mul3_t(w->H, s, U + 3);
        } else {
            hol__mul3(w->H, s, U);
            mul_sym(w->I, s, U + 3);
        }
        U[6] = hol__dot3(s, moves ? U : U + 3);
        U[7] = hol__dot3(s, moves ? w->f : w->n);
        if (!(U[6] > 0)) return 1;
        take_off(w, U, U + 3, U[6], U[7]);
    }
    return 0;
}

static hol_status solve(const hol_model *model, const hol__body2 *b2, const hol__body3 *b3,
                        double *work, const double *load, double *a) {
    const hol__tree *tree = model->tree;
    work3 *all = work_of(work);
    const double *axes = axes_of(tree, work);
    (void)b2;
    start_inertias(tree, b3, all);
    wrenches(model, b3, all, load);
    for (int i = tree->n - 1; i >= 0; i--) {
        const hol__link *link = &tree->links[i];
        work3 *w = &all[i];
        if (link->kind == HOL__LINK_REVOLUTE) {
            const double *e = axes + 3 * link->v;
            hol__mul3(w->H, e, w->Ul);
            mul_sym(w->I, e, w->Ua);
            w->d = hol__dot3(e, w->Ua);
            w->u = hol__dot3(e, w->n);
            if (!(w->d > 0)) return HOL_SINGULAR;
            if (link->parent == tree->n) continue;
            take_off(w, w->Ul, w->Ua, w->d, w->u);
        } else if (eliminate(model, link, axes, work, w))
            return HOL_SINGULAR;
        if (link->parent < tree->n) pass_inertia(&all[link->parent], w);
    }
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        const work3 *p = &all[link->parent];
        work3 *w = &all[i];
        hol__cross3(p->alpha, w->D, w->a);
        hol__add3(w->a, p->a, w->a);
        memcpy(w->alpha, p->alpha, sizeof w->alpha);
        if (link->kind == HOL__LINK_REVOLUTE) {
            const double *e = axes + 3 * link->v;
            const double x = (w->u - hol__dot3(w->Ul, w->a) - hol__dot3(w->Ua, w->alpha)) / w->d;
            for (int k = 0; k < 3; k++) w->alpha[k] += e[k] * x;
            a[link->v] = x;
            continue;
        }
        for (int k = 0; k < link->nv; k++) {
            const double *U = store(model, work, link->v + k), *s = axes + 3 * (link->v + k);
            const double x = (U[7] - hol__dot3(U, w->a) - hol__dot3(U + 3, w->alpha)) / U[6];
            double *to = k < link->n_move ? w->a : w->alpha;
            for (int j = 0; j < 3; j++) to[j] += s[j] * x;
            a[link->v + k] = x;
        }
    }
    return HOL_OK;
}

static void accelerations(const hol_model *model, const hol__body2 *b2, const hol__body3 *b3,
                          double *work, const double *a, double *acc) {
    const hol__tree *tree = model->tree;
    work3 *all = work_of(work);
    const double *axes = axes_of(tree, work);
    (void)b2;
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        const work3 *p = &all[link->parent];
        work3 *w = &all[i];
        double t[3], beta[3], *out = acc + 6 * link->body;
        hol__cross3(p->alpha, w->D, w->a);
        hol__add3(w->a, p->a, w->a);
        memcpy(w->alpha, p->alpha, sizeof w->alpha);
        for (int k = 0; k < link->nv; k++) {
            double *to = k < link->n_move ? w->a : w->alpha;
            for (int j = 0; j < 3; j++) to[j] += axes[3 * (link->v + k) + j] * a[link->v + k];
        }
        bias_of(w, beta);
        hol__cross3(w->alpha, w->c, t);
        for (int k = 0; k < 3; k++) out[k] = w->a[k] + t[k] + beta[k];
        hol__add3(w->alpha, w->ba, t);
        hol__mul3_t(b3[link->body].R, t, out + 3);
    }
    memset(acc + 6 * model->nb, 0, 6 * sizeof *acc);
}

static void reactions(const hol_model *model, const hol__body2 *b2, const hol__body3 *b3,
                      double *work, const double *acc, const double *load, double *out) {
    const hol__tree *tree = model->tree;
    work3 *all = work_of(work);
    (void)b2;
    for (int i = 0; i < tree->n; i++) {
        const int body = tree->links[i].body;
        const double m = tree->links3[i].mass, *x = load + 6 * body, *y = acc + 6 * body;
        work3 *w = &all[i];
        double t[3], u[3];
        for (int k = 0; k < 3; k++) w->f[k] = m * y[k] - x[k];
        hol__mul3(model->bodies[body].J, y + 3, t);
        hol__sub3(t, x + 3, t);
        hol__mul3(b3[body].R, t, u);
        hol__cross3(w->c, w->f, w->n);
        hol__add3(w->n, u, w->n);
    }
    for (int i = tree->n - 1; i >= 0; i--) {
        memcpy(out + 6 * i, all[i].f, 3 * sizeof *out);
        memcpy(out + 6 * i + 3, all[i].n, 3 * sizeof *out);
        if (tree->links[i].parent < tree->n)
            pass_wrench(&all[tree->links[i].parent], &all[i], all[i].f, all[i].n);
    }
}

static hol_status mass(hol_model *model) {
    hol__tree *tree = (hol__tree *)(uintptr_t)model->tree;
    tree->work = (tree->n + 1) * (int)(sizeof(work3) / sizeof(double)) + 11 * model->nv;
    return hol__tree_mass(model);
}

static double inertia(const hol_model *model, const hol__body2 *b2, const hol__body3 *b3,
                      double *load) {
    return hol__coords_spatial.inertia(model, b2, b3, load);
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

const hol__coords hol__coords_relative_spatial = {
    .name = "relative-spatial",
    .title = "relative: joint coordinates of a spanning tree, unit quaternions for balls",
    .space = HOL_SPATIAL,
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

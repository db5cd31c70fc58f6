/* relative_spatial.c: relative coordinates in space (tree.h): motion of the bodies, and rows over
 * the joint velocities; in global axes, about the point P of each link.
 *
 *     w = w_p + w_J                  P' = P'_p + w_p x D + E d'              D = P - P_p
 *     bias of w: w_p x w_J (universal: + e1 v1 x e2 v2)
 *     bias of P: w_p x (w_p x D) + 2 w_p x E d'
 *     r' = P' + w x c, c = r - P     a screw: d' = h w_J along its axis, h the pitch per radian
 *
 * A row g = (g_f, g_n) of a body (g_n in the body frame) has the entries s . g_f for a translation
 * along s and s . n for a turn about it, n = R g_n + (r - P) x g_f; n' = w x R g_n + (r' - P') x
 * g_f + that of g'; s' by hol__axis_rate3.
 */
#include "coords/relative_spatial.h"
#include "coords/tree_variation.h"
#include "math/quat.h"

#include <string.h>

/* ---- poses ---- */

/* u = t * (turn of the link by its coordinates x). */
static void turn_by(const hol__link *link, const double *t, const double *x, double *u) {
    static const double h = 0.70710678118654752440;
    if (link->turn == HOL__TURN_AXIS) {
        const double c = cos(0.5 * *x), s = sin(0.5 * *x);
        u[0] = t[0] * c - t[3] * s, u[1] = t[1] * c + t[2] * s;
        u[2] = t[2] * c - t[1] * s, u[3] = t[3] * c + t[0] * s;
    } else if (link->turn == HOL__TURN_UNIVERSAL) {
        /* about z, a quarter turn about the x axis between, about the new z */
        const double alpha = 0.5 * (x[0] + x[1]), beta = 0.5 * (x[0] - x[1]);
        const double r[4] = {h * cos(alpha), h * cos(beta), h * sin(beta), h * sin(alpha)};
        hol__quat_mul(t, r, u);
    } else if (link->turn == HOL__TURN_BALL)
        hol__quat_mul(t, x, u);
    else
        memcpy(u, t, 4 * sizeof *u);
}

/* s = R times column k of F. */
static inline void axis_of(const double *R, const double *F, int k, double *s) {
    const double e[3] = {F[k], F[3 + k], F[6 + k]};
    hol__mul3(R, e, s);
}

static void poses(const hol_model *model, const double *q, hol__bodies *bodies, double *work) {
    hol__body3 *b3 = bodies->b3;
    const hol__tree *tree = model->tree;
    hol__work3 *all = hol__work3_of(work);
    double *axes = hol__axes_of(tree, work);
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        const hol__link3 *g = &tree->links3[i];
        const hol__body3 *p = &b3[link->parent_body];
        hol__body3 *b = &b3[link->body];
        hol__work3 *w = &all[i];
        double *s = axes + 3 * link->v, t[4], u[4];
        const double *x = q + link->q;
        hol__mul3(p->R, g->s1, w->P);
        hol__add3(w->P, p->r, w->P);
        hol__quat_mul(p->p, g->f1, t);
        for (int k = 0; k < 3 && link->n_move; k++) {
            if (!(link->move & (1u << k))) continue;
            axis_of(p->R, g->F1, k, s);
            for (int j = 0; j < 3; j++) w->P[j] += s[j] * *x;
            s += 3;
            x++;
        }
        if (link->turn == HOL__TURN_AXIS || link->turn == HOL__TURN_UNIVERSAL)
            axis_of(p->R, g->F1, 2, s);
        for (int j = 0; j < 3 && link->pitch != 0; j++) w->P[j] += link->pitch * s[j] * *x;
        turn_by(link, t, x, u);
        hol__quat_mul(u, g->f2c, b->p);
        hol__quat_matrix(b->p, b->R);
        if (link->turn == HOL__TURN_UNIVERSAL) axis_of(b->R, g->F2, 2, s + 3);
        for (int k = 0; k < 3 && link->turn == HOL__TURN_BALL; k++)
            axis_of(b->R, g->F2, k, s + 3 * k);
        hol__mul3(b->R, g->s2, w->c);
        for (int k = 0; k < 3; k++) {
            w->c[k] = -w->c[k];
            w->D[k] = w->P[k] - all[link->parent].P[k];
            b->r[k] = w->P[k] + w->c[k];
        }
    }
}

/* ---- velocities ---- */

static void twists(const hol_model *model, const double *v, hol__bodies *bodies, double *work) {
    hol__body3 *b3 = bodies->b3;
    const hol__tree *tree = model->tree;
    hol__work3 *all = hol__work3_of(work);
    const double *axes = hol__axes_of(tree, work);
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        const hol__work3 *p = &all[link->parent];
        hol__body3 *b = &b3[link->body];
        hol__work3 *w = &all[i];
        const double *s = axes + 3 * link->v, *x = v + link->v;
        double t[3], gl[3], ga[3], Ed[3] = {0, 0, 0}, wJ[3] = {0, 0, 0};
        for (int k = 0; k < link->nv; k++) hol__move3(link, k, s + 3 * k, x[k], Ed, wJ);
        hol__cross3(p->w, w->D, t);
        hol__cross3(p->w, t, gl);
        hol__add3(p->v, t, w->v);
        if (link->n_move || link->pitch != 0) {
            hol__cross3(p->w, Ed, t);
            for (int j = 0; j < 3; j++) w->v[j] += Ed[j], gl[j] += 2 * t[j];
        }
        hol__cross3(p->w, wJ, ga);
        if (link->turn == HOL__TURN_UNIVERSAL) {
            hol__cross3(s, s + 3, t);
            for (int j = 0; j < 3; j++) ga[j] += t[j] * x[0] * x[1];
        }
        hol__add3(p->w, wJ, w->w);
        hol__cross3(w->w, w->c, t);
        hol__add3(w->v, t, b->v);
        hol__mul3_t(b->R, w->w, b->w);
        hol__add3(p->ba, ga, w->ba);
        hol__cross3(p->ba, w->D, t);
        for (int j = 0; j < 3; j++) w->bl[j] = p->bl[j] + t[j] + gl[j];
    }
}

/* ---- from the bodies ---- */

/* The child's marker as the parent's sees it: place and velocity of P, rotation, and (global) axes
 * and relative angular velocity. */
typedef struct seen {
    double local[3], rate[3]; /* along the axes of the parent's marker */
    double rel[4];
    double E[9], B[9], w[3]; /* axes of both markers */
} seen;

static seen see(const hol__link3 *g, const hol__body3 *p, const hol__body3 *b) {
    const double f2[4] = {g->f2c[0], -g->f2c[1], -g->f2c[2], -g->f2c[3]};
    double t1[4], t2[4], wp[3], wc[3], s[3], D[3], u[3], vel[3];
    seen x;
    hol__quat_mul(p->p, g->f1, t1);
    hol__quat_mul(b->p, f2, t2);
    hol__quat_mul_c(t1, t2, x.rel);
    hol__mat3_mul(p->R, g->F1, x.E);
    hol__mat3_mul(b->R, g->F2, x.B);
    hol__mul3(p->R, p->w, wp);
    hol__mul3(b->R, b->w, wc);
    hol__sub3(wc, wp, x.w);
    hol__mul3(b->R, g->s2, s);
    for (int k = 0; k < 3; k++) D[k] = b->r[k] + s[k] - p->r[k];
    hol__cross3(wc, s, u);
    hol__cross3(wp, D, vel);
    for (int k = 0; k < 3; k++) vel[k] = b->v[k] + u[k] - p->v[k] - vel[k];
    hol__mul3(p->R, g->s1, s);
    hol__sub3(D, s, D);
    hol__mul3_t(x.E, D, x.local);
    hol__mul3_t(x.E, vel, x.rate);
    return x;
}

/* The angle about the axis; full turns of a screw are those of its displacement. */
static double angle_of(const hol__link *link, const seen *x) {
    static const double turn = 6.283185307179586476925286766559;
    const double now =
        2 * (x->rel[0] < 0 ? atan2(-x->rel[3], -x->rel[0]) : atan2(x->rel[3], x->rel[0]));
    return link->pitch != 0 ? now + turn * round((x->local[2] / link->pitch - now) / turn) : now;
}

static void from_bodies(const hol_model *model, const hol__bodies *bodies, double *q, double *v) {
    const hol__body3 *b3 = bodies->b3;
    const hol__tree *tree = model->tree;
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        const seen s = see(&tree->links3[i], &b3[link->parent_body], &b3[link->body]);
        const double *E = s.E, *B = s.B, *w = s.w;
        double *x = q + link->q, *y = v + link->v;
        for (int k = 0; k < 3; k++)
            if (link->move & (1u << k)) *x++ = s.local[k], *y++ = s.rate[k];
        if (link->turn == HOL__TURN_AXIS) {
            *x = angle_of(link, &s);
            *y = E[2] * w[0] + E[5] * w[1] + E[8] * w[2];
        } else if (link->turn == HOL__TURN_UNIVERSAL) {
            const double alpha = atan2(s.rel[3], s.rel[0]), beta = atan2(s.rel[2], s.rel[1]);
            x[0] = alpha + beta, x[1] = alpha - beta;
            y[0] = E[2] * w[0] + E[5] * w[1] + E[8] * w[2];
            y[1] = B[2] * w[0] + B[5] * w[1] + B[8] * w[2];
        } else if (link->turn == HOL__TURN_BALL) {
            memcpy(x, s.rel, sizeof s.rel);
            hol__quat_normalize(x);
            hol__mul3_t(B, w, y);
        }
    }
}

/* ---- rows ---- */

static void rows(const hol_model *model, const hol__bodies *bodies, const double *work,
                 const double *G, const unsigned char *spared, double *A) {
    const hol__body3 *b3 = bodies->b3;
    const hol__tree *tree = model->tree;
    const hol__work3 *all = hol__work3_in(work);
    const double *axes = hol__axes_in(tree, work);
    for (const hol__map *map = tree->maps; map < tree->maps + tree->n_maps; map++)
        for (int k = 0; k < map->n_rows; k++) {
            if (spared && spared[map->row + k]) continue;
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
                        at[d] += hol__along3(link, d, axis, g, n);
                }
            }
        }
}

/* at += g J' over the velocities of one link, for a row g of a body; turn = R g_n. */
static void add_turning(const hol__link *link, const hol__work3 *parent, const hol__work3 *w,
                        const hol__body3 *b, const double *axis, const double *g,
                        const double *turn, const double *turn_rate, double *at) {
    double arm[3], n[3], ndot[3], none[3] = {0, 0, 0};
    hol__sub3(b->r, w->P, arm);
    hol__cross3(arm, g, n);
    hol__add3(n, turn, n);
    hol__sub3(b->v, w->v, arm);
    hol__cross3(arm, g, ndot);
    hol__add3(ndot, turn_rate, ndot);
    for (int d = 0; d < link->nv; d++, axis += 3) {
        double rate[3];
        hol__axis_rate3(link, d, parent, w, axis, rate);
        at[d] += hol__along3(link, d, rate, g, n) + hol__along3(link, d, axis, none, ndot);
    }
}

/* A' = G' J + G J'. */
static void rows_rate(const hol_model *model, const hol__bodies *bodies, const double *work,
                      const double *G, const double *Gdot, const unsigned char *spared,
                      double *Adot) {
    const hol__body3 *b3 = bodies->b3;
    const hol__tree *tree = model->tree;
    const hol__work3 *all = hol__work3_in(work);
    const double *axes = hol__axes_in(tree, work);
    rows(model, bodies, work, Gdot, spared, Adot);
    for (const hol__map *map = tree->maps; map < tree->maps + tree->n_maps; map++)
        for (int k = 0; k < map->n_rows; k++)
            for (int s = map->slot; s < map->slot + map->n_slots; s++) {
                if (spared && spared[map->row + k]) break;
                const hol__slot *slot = &tree->slots[s];
                const double *g = G + map->G + k * map->stride + slot->at;
                double turn[3], rate[3];
                hol__mul3(b3[slot->body].R, g + 3, turn);
                hol__cross3(all[slot->link].w, turn, rate);
                for (int j = slot->path; j < slot->path + slot->n_path; j++) {
                    const int i = tree->steps[j].link;
                    const hol__link *link = &tree->links[i];
                    add_turning(link, &all[link->parent], &all[i], &b3[slot->body],
                                axes + 3 * link->v, g, turn, rate,
                                Adot + map->A + k * map->width + tree->steps[j].at);
                }
            }
}

static void bias(const hol_model *model, const hol__bodies *bodies, const double *work,
                 const double *G, const unsigned char *spared, double *c) {
    const hol__body3 *b3 = bodies->b3;
    const hol__tree *tree = model->tree;
    const hol__work3 *all = hol__work3_in(work);
    for (const hol__map *map = tree->maps; map < tree->maps + tree->n_maps; map++)
        for (int s = map->slot; s < map->slot + map->n_slots; s++) {
            if (hol__is_spared(spared, map->row, map->n_rows)) break;
            const hol__slot *slot = &tree->slots[s];
            const hol__work3 *w = &all[slot->link];
            double beta[3], turn[3];
            hol__bias3(w, beta);
            hol__mul3_t(b3[slot->body].R, w->ba, turn);
            for (int k = 0; k < map->n_rows; k++) {
                if (spared && spared[map->row + k]) continue;
                const double *g = G + map->G + k * map->stride + slot->at;
                c[map->row + k] -= hol__dot3(g, beta) + hol__dot3(g + 3, turn);
            }
        }
}

static const hol__maps maps = {HOL__TREE_MAPS(spatial), HOL__TREE_VARIATION};

const hol__coords hol__coords_relative_spatial = {
    .name = "relative-spatial",
    .title = "relative: joint coordinates of a spanning tree, unit quaternions for balls",
    .space = HOL_SPATIAL,
    HOL__TREE_COORDS(spatial),
    .maps = &maps,
};

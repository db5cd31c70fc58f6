/* relative_planar.c: relative coordinates in the plane (tree.h): motion of the bodies, and rows
 * over the joint velocities.
 *
 *     P' = P'_p + w_p x D + E d'       D = P - P_p        bias of P:  -w_p^2 D + 2 w_p x E d'
 *     r' = P' + w x c,  c = r - P
 *     bias of r: that of P, - w^2 c;  angular accelerations have none
 *
 * A row g = (g_f, g_n) of a body has the entries s . g_f for a translation along s, and g_n + (r -
 * P) x g_f for a turn about P; along the motion s' = w_p x s and (r - P)' = r' - P'.
 *
 * phi is the angle of a body without the full turns that were taken out of the joint angles: theta
 * = phi + turn.
 */
#include "coords/relative_planar.h"
#include "coords/tree_variation.h"

#include <math.h>
#include <string.h>

static void poses(const hol_model *model, const double *q, hol__bodies *bodies, double *work) {
    hol__body2 *b2 = bodies->b2;
    const hol__tree *tree = model->tree;
    hol__work2 *all = hol__work2_of(work);
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        const hol__link2 *g = &tree->links2[i];
        const hol__body2 *p = &b2[link->parent_body];
        hol__body2 *b = &b2[link->body];
        hol__work2 *w = &all[i];
        const double *x = q + link->q;
        double P[2] = {p->r[0] + p->c * g->s1[0] - p->s * g->s1[1],
                       p->r[1] + p->s * g->s1[0] + p->c * g->s1[1]};
        if (link->n_move) {
            w->e[0] = p->c * g->e[0] - p->s * g->e[1];
            w->e[1] = p->s * g->e[0] + p->c * g->e[1];
            for (int k = 0; k < link->n_move; k++) {
                double s[2];
                hol__direction2(link, w, k, s);
                P[0] += s[0] * *x;
                P[1] += s[1] * *x++;
            }
        }
        w->phi = all[link->parent].phi + g->offset + (link->turn ? *x : 0);
        b->theta = w->phi + b->turn;
        b->c = cos(w->phi);
        b->s = sin(w->phi);
        for (int k = 0; k < 2; k++) w->P[k] = P[k], w->D[k] = P[k] - all[link->parent].P[k];
        w->c[0] = -(b->c * g->s2[0] - b->s * g->s2[1]);
        w->c[1] = -(b->s * g->s2[0] + b->c * g->s2[1]);
        b->r[0] = P[0] + w->c[0];
        b->r[1] = P[1] + w->c[1];
    }
}

static void twists(const hol_model *model, const double *v, hol__bodies *bodies, double *work) {
    hol__body2 *b2 = bodies->b2;
    const hol__tree *tree = model->tree;
    hol__work2 *all = hol__work2_of(work);
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        const hol__work2 *p = &all[link->parent];
        hol__body2 *b = &b2[link->body];
        hol__work2 *w = &all[i];
        const double wp = b2[link->parent_body].w, *x = v + link->v;
        w->v[0] = p->v[0] - wp * w->D[1];
        w->v[1] = p->v[1] + wp * w->D[0];
        w->bias[0] = p->bias[0] - wp * wp * w->D[0];
        w->bias[1] = p->bias[1] - wp * wp * w->D[1];
        for (int k = 0; k < link->n_move; k++, x++) {
            double s[2];
            hol__direction2(link, w, k, s);
            w->v[0] += s[0] * *x;
            w->v[1] += s[1] * *x;
            w->bias[0] -= 2 * wp * s[1] * *x;
            w->bias[1] += 2 * wp * s[0] * *x;
        }
        b->w = link->turn ? wp + *x : wp;
        b->v[0] = w->v[0] - b->w * w->c[1];
        b->v[1] = w->v[1] + b->w * w->c[0];
    }
}

static void from_bodies(const hol_model *model, const hol__bodies *bodies, double *q, double *v) {
    const hol__body2 *b2 = bodies->b2;
    const hol__tree *tree = model->tree;
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        const hol__link2 *g = &tree->links2[i];
        const hol__body2 *p = &b2[link->parent_body], *b = &b2[link->body];
        hol__work2 w = {.e = {p->c * g->e[0] - p->s * g->e[1], p->s * g->e[0] + p->c * g->e[1]}};
        const double t[2] = {b->c * g->s2[0] - b->s * g->s2[1], b->s * g->s2[0] + b->c * g->s2[1]};
        const double D[2] = {b->r[0] + t[0] - p->r[0], b->r[1] + t[1] - p->r[1]};
        const double s1[2] = {p->c * g->s1[0] - p->s * g->s1[1], p->s * g->s1[0] + p->c * g->s1[1]};
        const double vx = b->v[0] - b->w * t[1] - p->v[0] + p->w * D[1],
                     vy = b->v[1] + b->w * t[0] - p->v[1] - p->w * D[0];
        for (int k = 0; k < link->n_move; k++) {
            double s[2];
            hol__direction2(link, &w, k, s);
            q[link->q + k] = s[0] * (D[0] - s1[0]) + s[1] * (D[1] - s1[1]);
            v[link->v + k] = s[0] * vx + s[1] * vy;
        }
        if (!link->turn) continue;
        q[link->q + link->n_move] = b->theta - p->theta - g->offset;
        v[link->v + link->n_move] = b->w - p->w;
    }
}

/* Entries of any link: at[k * width] += row k of g J. */
static void add_general(const hol__map *map, const hol__link *link, const hol__work2 *w,
                        const double *r, const double *g, double *at) {
    for (int k = 0; k < map->n_rows; k++, g += map->stride, at += map->width) {
        for (int d = 0; d < link->n_move; d++) {
            double dir[2];
            hol__direction2(link, w, d, dir);
            at[d] += dir[0] * g[0] + dir[1] * g[1];
        }
        if (link->turn)
            at[link->n_move] += g[2] + (r[0] - w->P[0]) * g[1] - (r[1] - w->P[1]) * g[0];
    }
}

/* A record that is not a pair of rows over turns. */
static void rows_general(const hol__tree *tree, const hol__map *map, const hol__body2 *b2,
                         const hol__work2 *all, const double *G, double *A) {
    memset(A + map->A, 0, sizeof(double) * (size_t)(map->n_rows * map->width));
    for (int s = map->slot; s < map->slot + map->n_slots; s++) {
        const hol__slot *slot = &tree->slots[s];
        const hol__tree_step *step = tree->steps + slot->path;
        for (int j = 0; j < slot->n_path; j++, step++)
            add_general(map, &tree->links[step->link], &all[step->link], b2[slot->body].r,
                        G + map->G + slot->at, A + map->A + step->at);
    }
}

/* A = G J. Points that coincide, two rows over turns, are most of what there is. */
static void rows(const hol_model *model, const hol__bodies *bodies, const double *work,
                 const double *G, const unsigned char *spared, double *A) {
    const hol__body2 *b2 = bodies->b2;
    const hol__tree *tree = model->tree;
    const hol__work2 *all = hol__work2_in(work);
    for (const hol__map *map = tree->maps, *end = map + tree->n_maps; map < end; map++) {
        if (hol__is_spared(spared, map->row, map->n_rows)) continue;
        if (!map->turning || map->n_rows != 2) {
            rows_general(tree, map, b2, all, G, A);
            continue;
        }
        double *upper = A + map->A, *lower = upper + map->width;
        const hol__slot *slot = tree->slots + map->slot;
        for (const hol__slot *last = slot + map->n_slots; slot < last; slot++) {
            const double *r = b2[slot->body].r, *g = G + map->G + slot->at, *h = g + map->stride;
            const hol__tree_step *step = tree->steps + slot->path;
            for (const hol__tree_step *top = step + slot->n_path; step < top; step++) {
                const double *P = all[step->link].P, x = r[0] - P[0], y = r[1] - P[1];
                const double a = g[2] + x * g[1] - y * g[0], b = h[2] + x * h[1] - y * h[0];
                upper[step->at] = step->first ? a : upper[step->at] + a;
                lower[step->at] = step->first ? b : lower[step->at] + b;
            }
        }
    }
}

/* A' = G' J + G J'. */
static void rows_rate(const hol_model *model, const hol__bodies *bodies, const double *work,
                      const double *G, const double *Gdot, const unsigned char *spared,
                      double *Adot) {
    const hol__body2 *b2 = bodies->b2;
    const hol__tree *tree = model->tree;
    const hol__work2 *all = hol__work2_in(work);
    rows(model, bodies, work, Gdot, spared, Adot);
    for (const hol__map *map = tree->maps; map < tree->maps + tree->n_maps; map++)
        for (int s = map->slot; s < map->slot + map->n_slots; s++) {
            if (hol__is_spared(spared, map->row, map->n_rows)) break;
            const hol__slot *slot = &tree->slots[s];
            const double *v = b2[slot->body].v;
            for (int j = slot->path; j < slot->path + slot->n_path; j++) {
                const hol__link *link = &tree->links[tree->steps[j].link];
                const hol__work2 *w = &all[tree->steps[j].link];
                const double wp = b2[link->parent_body].w, *g = G + map->G + slot->at;
                double *at = Adot + map->A + tree->steps[j].at;
                for (int k = 0; k < map->n_rows; k++, g += map->stride, at += map->width) {
                    for (int d = 0; d < link->n_move; d++) {
                        double dir[2];
                        hol__direction2(link, w, d, dir);
                        at[d] += wp * (dir[0] * g[1] - dir[1] * g[0]);
                    }
                    if (link->turn)
                        at[link->n_move] += (v[0] - w->v[0]) * g[1] - (v[1] - w->v[1]) * g[0];
                }
            }
        }
}

static void bias(const hol_model *model, const hol__bodies *bodies, const double *work,
                 const double *G, const unsigned char *spared, double *c) {
    const hol__body2 *b2 = bodies->b2;
    const hol__tree *tree = model->tree;
    const hol__work2 *all = hol__work2_in(work);
    for (const hol__map *map = tree->maps; map < tree->maps + tree->n_maps; map++)
        for (int s = map->slot; s < map->slot + map->n_slots; s++) {
            if (hol__is_spared(spared, map->row, map->n_rows)) break;
            const hol__slot *slot = &tree->slots[s];
            const double *g = G + map->G + slot->at;
            double beta[2];
            hol__bias2(&b2[slot->body], &all[slot->link], beta);
            for (double *at = c + map->row, *end = at + map->n_rows; at < end; g += map->stride)
                *at++ -= g[0] * beta[0] + g[1] * beta[1];
        }
}

static const hol__maps maps = {HOL__TREE_MAPS(planar), HOL__TREE_VARIATION};

const hol__coords hol__coords_relative_planar = {
    .name = "relative-planar",
    .title = "relative: joint coordinates of a spanning tree, in the plane",
    .space = HOL_PLANAR,
    HOL__TREE_COORDS(planar),
    .maps = &maps,
};

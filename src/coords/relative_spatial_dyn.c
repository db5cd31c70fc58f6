/* relative_spatial_dyn.c: the dynamics of relative coordinates in space: generalised forces, composite-body mass matrix, momenta,
 * accelerations of the bodies, reactions (tree.h).
 *
 * A wrench (f, n about P) has the generalised force s . f for a translation along s, s . n for a turn about it, s . (n + h f) for
 * a screw.
 *
 * M' v = J'^T p + J^T M_b J' v with the momenta p of the bodies. Of all bodies beyond a link, with their momentum p, angular
 * momentum L about P, and the wrench (f, n) of M_b J' v and w x L:
 *     translation   s' . p + s . f              turn   s' . L + s . (n - P' x p)
 */
#include "coords/relative_spatial.h"

#include <stdint.h>
#include <string.h>

/* f, n about P of each link: load - M_b J' v. */
void hol__spatial_wrenches(const hol_model *model, const hol__body3 *b3, hol__work3 *all,
                           const double *load) {
    const hol__tree *tree = model->tree;
    for (int i = 0; i < tree->n; i++) {
        const int body = tree->links[i].body;
        const hol__body3 *b = &b3[body];
        const double m = tree->links3[i].mass, *x = load + 6 * body;
        hol__work3 *w = &all[i];
        double beta[3], t[3], Jt[3];
        hol__bias3(w, beta);
        for (int k = 0; k < 3; k++) w->f[k] = x[k] - m * beta[k];
        hol__mul3_t(b->R, w->ba, t);
        hol__mul3(model->bodies[body].J, t, Jt);
        hol__sub3(x + 3, Jt, Jt);
        hol__mul3(b->R, Jt, t);
        hol__cross3(w->c, w->f, w->n);
        hol__add3(w->n, t, w->n);
    }
}

void hol__spatial_forces(const hol_model *model, const hol__bodies *bodies, double *work,
                         const double *load, double *Q) {
    const hol__body3 *b3 = bodies->b3;
    const hol__tree *tree = model->tree;
    hol__work3 *all = hol__work3_of(work);
    const double *axes = hol__axes_of(tree, work);
    hol__spatial_wrenches(model, b3, all, load);
    for (int i = tree->n - 1; i >= 0; i--) {
        const hol__link *link = &tree->links[i];
        const hol__work3 *w = &all[i];
        for (int k = 0; k < link->nv; k++)
            Q[link->v + k] = hol__along3(link, k, axes + 3 * (link->v + k), w->f, w->n);
        if (link->parent < tree->n) hol__pass_wrench3(&all[link->parent], w, w->f, w->n);
    }
}

/* ---- composite bodies: mass M[0], first moment H[0..2], inertia I about P ---- */

static void composites(const hol__tree *tree, const hol__body3 *b3, hol__work3 *all) {
    for (int i = 0; i < tree->n; i++) {
        hol__work3 *w = &all[i];
        const double m = tree->links3[i].mass;
        w->M[0] = m;
        for (int k = 0; k < 3; k++) w->H[k] = m * w->c[k];
        hol__turn_inertia3(b3[tree->links[i].body].R, tree->links3[i].JP, w->I);
    }
    for (int i = tree->n - 1; i >= 0; i--) {
        if (tree->links[i].parent == tree->n) continue;
        const hol__work3 *w = &all[i];
        hol__work3 *p = &all[tree->links[i].parent];
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

void hol__spatial_mass_at(const hol_model *model, const hol__bodies *bodies, double *work,
                          double *M) {
    const hol__body3 *b3 = bodies->b3;
    const hol__tree *tree = model->tree;
    hol__work3 *all = hol__work3_of(work);
    const double *axes = hol__axes_of(tree, work);
    const int *at = tree->M_at;
    composites(tree, b3, all);
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        const hol__work3 *w = &all[i];
        for (int k = 0; k < link->nv; k++) {
            const double *s = axes + 3 * (link->v + k);
            double f[3], n[3], t[3];
            if (k < link->n_move) {
                for (int j = 0; j < 3; j++) f[j] = w->M[0] * s[j];
                hol__cross3(w->H, s, n);
            } else {
                hol__cross3(s, w->H, f);
                hol__mul_sym3(w->I, s, n);
                if (link->pitch != 0) {
                    const double h = link->pitch;
                    hol__cross3(w->H, s, t);
                    for (int j = 0; j < 3; j++) f[j] += h * w->M[0] * s[j], n[j] += h * t[j];
                }
            }
            for (int up = i; up < tree->n; up = tree->links[up].parent) {
                const hol__link *l = &tree->links[up];
                for (int j = 0; j < (up == i ? k + 1 : l->nv); j++, at += 2)
                    M[at[0]] = M[at[1]] = hol__along3(l, j, axes + 3 * (l->v + j), f, n);
                hol__cross3(all[up].D, f, t);
                hol__add3(n, t, n);
            }
        }
    }
}

/* ---- momenta ---- */

/* Of each body: momentum (a) and angular momentum about P (alpha); the wrench (f, n about P) of M_b J' v + (0, w x L). */
static void body_momenta(const hol_model *model, const hol__body3 *b3, hol__work3 *all) {
    const hol__tree *tree = model->tree;
    for (int i = 0; i < tree->n; i++) {
        const int body = tree->links[i].body;
        const hol__body3 *b = &b3[body];
        const double m = tree->links3[i].mass;
        hol__work3 *w = &all[i];
        double beta[3], L[3], t[3], u[3];
        hol__mul3(model->bodies[body].J, b->w, t);
        hol__mul3(b->R, t, L);
        hol__bias3(w, beta);
        for (int k = 0; k < 3; k++) w->a[k] = m * b->v[k], w->f[k] = m * beta[k];
        hol__cross3(w->c, w->a, w->alpha);
        hol__add3(w->alpha, L, w->alpha);
        hol__mul3_t(b->R, w->ba, t);
        hol__mul3(model->bodies[body].J, t, u);
        hol__mul3(b->R, u, t);
        hol__cross3(w->w, L, u);
        hol__cross3(w->c, w->f, w->n);
        for (int k = 0; k < 3; k++) w->n[k] += t[k] + u[k];
    }
}

/* out += M' v. */
void hol__spatial_momentum_rate(const hol_model *model, const hol__bodies *bodies, double *work,
                                double *out) {
    const hol__body3 *b3 = bodies->b3;
    const hol__tree *tree = model->tree;
    hol__work3 *all = hol__work3_of(work);
    const double *axes = hol__axes_of(tree, work);
    body_momenta(model, b3, all);
    for (int i = tree->n - 1; i >= 0; i--) {
        const hol__link *link = &tree->links[i];
        const hol__work3 *w = &all[i];
        double n[3], t[3];
        hol__cross3(w->v, w->a, t);
        hol__sub3(w->n, t, n);
        for (int k = 0; k < link->nv; k++) {
            const double *s = axes + 3 * (link->v + k);
            double rate[3];
            hol__axis_rate3(link, k, &all[link->parent], w, s, rate);
            out[link->v + k] +=
                hol__along3(link, k, rate, w->a, w->alpha) + hol__along3(link, k, s, w->f, n);
        }
        if (link->parent == tree->n) continue;
        hol__work3 *up = &all[link->parent];
        hol__pass_wrench3(up, w, w->f, w->n);
        hol__cross3(w->D, w->a, t);
        for (int k = 0; k < 3; k++) up->a[k] += w->a[k], up->alpha[k] += w->alpha[k] + t[k];
    }
}

void hol__spatial_accelerations(const hol_model *model, const hol__bodies *bodies, double *work,
                                const double *a, double *acc) {
    const hol__body3 *b3 = bodies->b3;
    const hol__tree *tree = model->tree;
    hol__work3 *all = hol__work3_of(work);
    const double *axes = hol__axes_of(tree, work);
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        const hol__work3 *p = &all[link->parent];
        hol__work3 *w = &all[i];
        double t[3], beta[3], *out = acc + 6 * link->body;
        hol__cross3(p->alpha, w->D, w->a);
        hol__add3(w->a, p->a, w->a);
        memcpy(w->alpha, p->alpha, sizeof w->alpha);
        for (int k = 0; k < link->nv; k++)
            hol__move3(link, k, axes + 3 * (link->v + k), a[link->v + k], w->a, w->alpha);
        hol__bias3(w, beta);
        hol__cross3(w->alpha, w->c, t);
        for (int k = 0; k < 3; k++) out[k] = w->a[k] + t[k] + beta[k];
        hol__add3(w->alpha, w->ba, t);
        hol__mul3_t(b3[link->body].R, t, out + 3);
    }
    memset(acc + 6 * model->nb, 0, 6 * sizeof *acc);
}

void hol__spatial_reactions(const hol_model *model, const hol__bodies *bodies, double *work,
                            const double *acc, const double *load, double *out) {
    const hol__body3 *b3 = bodies->b3;
    const hol__tree *tree = model->tree;
    hol__work3 *all = hol__work3_of(work);
    for (int i = 0; i < tree->n; i++) {
        const int body = tree->links[i].body;
        const double m = tree->links3[i].mass, *x = load + 6 * body, *y = acc + 6 * body;
        hol__work3 *w = &all[i];
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
            hol__pass_wrench3(&all[tree->links[i].parent], &all[i], all[i].f, all[i].n);
    }
}

hol_status hol__spatial_mass(hol_model *model) {
    hol__tree *tree = (hol__tree *)(uintptr_t)model->tree;
    tree->work = (tree->n + 1) * (int)(sizeof(hol__work3) / sizeof(double)) + 11 * model->nv;
    return hol__tree_mass(model);
}

/* relative_spatial_dyn.c: the dynamics of relative coordinates in space: generalised forces,
 * composite-body mass matrix, momenta, accelerations of the bodies, reactions (tree.h).
 *
 * A wrench (f, n about P) has the generalised force s . f for a translation along s, s . n for a
 * turn about it, s . (n + h f) for a screw.
 *
 * M' v = J'^T p + J^T M_b J' v with the momenta p of the bodies. Of all bodies beyond a link, with
 * their momentum p, angular momentum L about P, and the wrench (f, n) of M_b J' v and w x L:
 *     translation   s' . p + s . f              turn   s' . L + s . (n - P' x p)
 */
#include "coords/relative_spatial.h"

#include <stdint.h>
#include <string.h>

typedef hol__work3 part;
typedef hol__walk3 walk;

/* f, n about P of each link: load - M_b J' v. */
void hol__spatial_wrenches(const walk *t, const double *load) {
    for (int i = 0; i < t->tree->n; i++) {
        const int body = t->tree->links[i].body;
        const hol__body3 *b = &t->bodies[body];
        const double m = t->tree->links3[i].mass, *x = load + 6 * body;
        part *w = &t->all[i];
        double beta[3], turn[3], Jt[3];
        hol__bias3(w, beta);
        for (int k = 0; k < 3; k++) w->f[k] = x[k] - m * beta[k];
        hol__mul3_t(b->R, w->ba, turn);
        hol__mul3(t->model->bodies[body].J, turn, Jt);
        hol__sub3(x + 3, Jt, Jt);
        hol__mul3(b->R, Jt, turn);
        hol__cross3(w->c, w->f, w->n);
        hol__add3(w->n, turn, w->n);
    }
}

static inline void pass_own(part *p, const part *w) {
    hol__pass_wrench3(p, w, w->f, w->n);
}

/* What the wrench of a link does along its velocities. */
static inline void put_forces(const walk *t, const hol__link *link, const part *w, double *Q) {
    for (int k = 0; k < link->nv; k++)
        Q[link->v + k] = hol__along3(link, k, t->axes + 3 * (link->v + k), w->f, w->n);
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

/* The wrench (f, n about P) that velocity k of a link with the axis s takes. */
static void column(const hol__link *link, const hol__work3 *w, int k, const double *s, double f[3],
                   double n[3]) {
    const double h = link->pitch;
    double t[3];
    if (k < link->n_move) {
        for (int j = 0; j < 3; j++) f[j] = w->M[0] * s[j];
        hol__cross3(w->H, s, n);
        return;
    }
    hol__cross3(s, w->H, f);
    hol__mul_sym3(w->I, s, n);
    if (h == 0) return;
    hol__cross3(w->H, s, t);
    for (int j = 0; j < 3; j++) f[j] += h * w->M[0] * s[j], n[j] += h * t[j];
}

void hol__spatial_mass_diagonal(const hol_model *model, const hol__bodies *bodies, double *work,
                                double *out) {
    const hol__tree *tree = model->tree;
    const hol__work3 *all = hol__work3_of(work);
    const double *axes = hol__axes_of(tree, work);
    composites(tree, bodies->b3, hol__work3_of(work));
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        for (int k = 0; k < link->nv; k++) {
            const double *s = axes + 3 * (link->v + k);
            double f[3], n[3];
            column(link, &all[i], k, s, f, n);
            out[link->v + k] = hol__along3(link, k, s, f, n);
        }
    }
}

void hol__spatial_mass_at(const hol_model *model, const hol__bodies *bodies, double *work,
                          double *M) {
    const hol__body3 *b3 = bodies->b3;
    const hol__tree *tree = model->tree;
    hol__work3 *all = hol__work3_of(work);
    const double *axes = hol__axes_of(tree, work);
    int *next = hol__tree_places(model, work);
    composites(tree, b3, all);
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        const hol__work3 *w = &all[i];
        for (int k = 0; k < link->nv; k++) {
            double f[3], n[3], t[3];
            column(link, w, k, axes + 3 * (link->v + k), f, n);
            for (int up = i; up < tree->n; up = tree->links[up].parent) {
                const hol__link *l = &tree->links[up];
                for (int j = 0; j < (up == i ? k + 1 : l->nv); j++)
                    hol__put_pair(next, link->v + k, l->v + j,
                                  hol__along3(l, j, axes + 3 * (l->v + j), f, n), M);
                hol__cross3(all[up].D, f, t);
                hol__add3(n, t, n);
            }
        }
    }
}

/* ---- momenta ---- */

/* Of each body: momentum (a) and angular momentum about P (alpha); the wrench (f, n about P) of
 * M_b J' v + (0, w x L). */
static void start_momenta(const walk *t) {
    for (int i = 0; i < t->tree->n; i++) {
        const int body = t->tree->links[i].body;
        const hol__body3 *b = &t->bodies[body];
        const double m = t->tree->links3[i].mass, *J = t->model->bodies[body].J;
        part *w = &t->all[i];
        double beta[3], L[3], x[3], u[3];
        hol__mul3(J, b->w, x);
        hol__mul3(b->R, x, L);
        hol__bias3(w, beta);
        for (int k = 0; k < 3; k++) w->a[k] = m * b->v[k], w->f[k] = m * beta[k];
        hol__cross3(w->c, w->a, w->alpha);
        hol__add3(w->alpha, L, w->alpha);
        hol__mul3_t(b->R, w->ba, x);
        hol__mul3(J, x, u);
        hol__mul3(b->R, u, x);
        hol__cross3(w->w, L, u);
        hol__cross3(w->c, w->f, w->n);
        for (int k = 0; k < 3; k++) w->n[k] += x[k] + u[k];
    }
}

/* M' v of a link, added. */
static inline void put_momentum_rate(const walk *t, const hol__link *link, const part *parent,
                                     const part *w, double *out) {
    double n[3], x[3];
    hol__cross3(w->v, w->a, x);
    hol__sub3(w->n, x, n);
    for (int k = 0; k < link->nv; k++) {
        const double *s = t->axes + 3 * (link->v + k);
        double rate[3];
        hol__axis_rate3(link, k, parent, w, s, rate);
        out[k] += hol__along3(link, k, rate, w->a, w->alpha) + hol__along3(link, k, s, w->f, n);
    }
}

static inline void pass_momenta(part *p, const part *w) {
    double x[3];
    hol__cross3(w->D, w->a, x);
    for (int k = 0; k < 3; k++) p->a[k] += w->a[k], p->alpha[k] += w->alpha[k] + x[k];
}

/* ---- accelerations ---- */

/* That of velocity k on top. */
static inline void move(const walk *t, const hol__link *link, part *w, int k, double x) {
    hol__move3(link, k, t->axes + 3 * (link->v + k), x, w->a, w->alpha);
}

/* That of the body. */
static inline void put_acceleration(const walk *t, const hol__link *link, const part *w,
                                    double *out) {
    double x[3], beta[3];
    hol__bias3(w, beta);
    hol__cross3(w->alpha, w->c, x);
    for (int k = 0; k < 3; k++) out[k] = w->a[k] + x[k] + beta[k];
    hol__add3(w->alpha, w->ba, x);
    hol__mul3_t(t->bodies[link->body].R, x, out + 3);
}

/* ---- reactions ---- */

/* The wrench of inertia less the load. */
static inline void load_link(const walk *t, int i, const double *acc, const double *load) {
    const int body = t->tree->links[i].body;
    const double m = t->tree->links3[i].mass;
    part *w = &t->all[i];
    double x[3], u[3];
    for (int k = 0; k < 3; k++) w->f[k] = m * acc[k] - load[k];
    hol__mul3(t->model->bodies[body].J, acc + 3, x);
    hol__sub3(x, load + 3, x);
    hol__mul3(t->bodies[body].R, x, u);
    hol__cross3(w->c, w->f, w->n);
    hol__add3(w->n, u, w->n);
}

static inline void put_reaction(const part *w, double *out) {
    memcpy(out, w->f, 3 * sizeof *out);
    memcpy(out + 3, w->n, 3 * sizeof *out);
}

#define WIDTH 6
#define WALK(name) hol__spatial_##name
#define walk_of hol__walk3_of
#define start_wrenches hol__spatial_wrenches
#define carry hol__carry3
#include "coords/tree_walks.h"

hol_status hol__spatial_mass(hol_model *model) {
    hol__tree *tree = (hol__tree *)(uintptr_t)model->tree;
    tree->work = (tree->n + 1) * (int)(sizeof(hol__work3) / sizeof(double)) + 11 * model->nv;
    return hol__tree_mass(model);
}

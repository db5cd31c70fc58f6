/* frames.c: frames of the links, and where the masses are counted.
 *
 * The frame of a link is that of the joint on its child, turned about the axis z by b:
 *
 *     B = F2 Rz(b)            R = B_p^T F1 T Rz(b) = K T',      T' = Rz(q + offset) for one axis
 *     B_p^T F1 = Rz(a) Rx(beta) Rz(gamma):   K = Rz(a) Rx(beta),  offset = gamma + b
 *
 * and b of the parent takes a away where a link is the first of its parent: K is a turn about x
 * alone, as in the parameters of Denavit and Hartenberg. In the plane B = K = 1.
 *
 * A body on a joint with one axis has moments m, h, I at P. The part
 *
 *     m,  h = (0, 0, h_z),  I = diag(I_yy, I_yy, 0)
 *
 * moves in the same way when the joint turns or not: the parent carries it, and m, h_z and I_yy of
 * the link are 0. What ground carries does not move. [base parameters: Khalil and Gautier]
 */
#include "generate/program.h"

#include <math.h>
#include <string.h>

static const void *link_at(const hol_model *m, int i) {
    return m->dim == 2 ? (const void *)&m->tree->links2[i] : (const void *)&m->tree->links3[i];
}

static const void *body_at(const hol_model *m, int i) {
    return &m->bodies[i];
}

static void link_numbers(hol__program *p, int i, const double *field, int n, hol__ref *out) {
    for (int k = 0; k < n; k++)
        out[k] = hol__program_number(p, link_at, i, field + k, HOL__NUMBER_PLACE);
}

/* Column k of F. */
static void column(const hol__ref F[9], int k, hol__ref out[3]) {
    for (int j = 0; j < 3; j++) out[j] = F[3 * j + k];
}

static void transpose(const hol__ref A[9], hol__ref out[9]) {
    for (int k = 0; k < 9; k++) out[k] = A[3 * (k % 3) + k / 3];
}

/* ---- turns of the frames ---- */

/* What rounding left of 0 and 1 in a matrix of cosines. */
static double clean(double x) {
    const double whole = round(x);
    return fabs(x - whole) < 4e-16 ? whole : x;
}

static void put_turn_z(hol__dag *d, double b, hol__ref R[9]) {
    const double c = clean(cos(b)), s = clean(sin(b));
    hol__gunit(d, R);
    R[0] = R[4] = hol__dag_number(d, c);
    R[1] = hol__dag_number(d, -s), R[3] = hol__dag_number(d, s);
}

/* G = Rz(a) Rx(beta) Rz(gamma) of numbers; a is 0 where beta is. */
typedef struct turns {
    double a, c, s, gamma; /* c, s: of beta */
} turns;

static turns turns_of(const hol__dag *d, const hol__ref G[9]) {
    double x[9];
    for (int k = 0; k < 9; k++) x[k] = d->nodes[G[k]].value;
    turns t = {.c = clean(x[8]), .s = clean(hypot(x[2], x[5]))};
    if (fabs(t.s) < 1e-12) {
        t.s = 0;
        t.gamma = atan2(t.c > 0 ? x[3] : -x[3], x[0]);
        return t;
    }
    t.a = atan2(x[2], -x[5]);
    t.gamma = atan2(x[6], x[7]);
    return t;
}

/* B_p^T F1 of a link; B of ground is 1. */
static void seen_by_parent(hol__program *p, int i, const hol__ref F1[9], hol__ref G[9]) {
    const int parent = p->model->tree->links[i].parent;
    hol__ref Bt[9];
    if (parent >= p->model->tree->n) {
        memcpy(G, F1, 9 * sizeof *G);
        return;
    }
    transpose(p->links[parent].frame.B, Bt);
    hol__gproduct(&p->dag, Bt, F1, G);
}

/* Whether a link turns about one axis and has its numbers folded. */
static int can_turn(const hol__program *p, int i) {
    return p->n_models == 1 && p->model->tree->links[i].turn == HOL__TURN_AXIS;
}

/* b of a link: the angle that takes a of its first child away; 0 where frames are not free. */
static double free_turn(hol__program *p, int i, const hol__ref F2[9]) {
    const hol__tree *tree = p->model->tree;
    hol__ref Ft[9], F1[9], G[9];
    if (!can_turn(p, i)) return 0;
    for (int k = i + 1; k < tree->n; k++) {
        if (tree->links[k].parent != i || !can_turn(p, k)) continue;
        link_numbers(p, k, tree->links3[k].F1, 9, F1);
        transpose(F2, Ft);
        hol__gproduct(&p->dag, Ft, F1, G);
        return p->dag.status ? 0 : turns_of(&p->dag, G).a;
    }
    return 0;
}

/* K and offset of a link that turns about one axis. */
static void split_turn(hol__program *p, hol__gframe *f, double b) {
    hol__dag *d = &p->dag;
    const turns t = turns_of(d, f->K);
    const double ca = clean(cos(t.a)), sa = clean(sin(t.a));
    const double K[9] = {ca, -sa * t.c, sa * t.s, sa, ca * t.c, -ca * t.s, 0, t.s, t.c};
    for (int k = 0; k < 9; k++) f->K[k] = hol__dag_number(d, clean(K[k]));
    f->offset = hol__dag_number(d, t.gamma + b);
}

/* ---- the numbers of a link ---- */

static void spatial_frame(hol__program *p, int i) {
    hol__dag *d = &p->dag;
    const hol__link *link = &p->model->tree->links[i];
    const hol__link3 *n = &p->model->tree->links3[i];
    hol__glink *g = &p->links[i];
    hol__gframe *f = &g->frame;
    hol__ref F1[9], F2[9], turn[9], s1[3];
    int at = 0;
    link_numbers(p, i, n->F1, 9, F1);
    link_numbers(p, i, n->F2, 9, F2);
    link_numbers(p, i, n->f1, 4, f->f1);
    link_numbers(p, i, n->f2c, 4, f->f2c);
    link_numbers(p, i, n->s1, 3, s1);
    link_numbers(p, i, n->s2, 3, g->s2);
    if (d->status) return;
    const double b = free_turn(p, i, F2);
    put_turn_z(d, b, turn);
    hol__gproduct(d, F2, turn, f->B);
    seen_by_parent(p, i, F1, f->K);
    for (int k = 0; k < 3 && link->n_move; k++)
        if (link->move & (1u << k)) column(f->K, k, f->axes[at++]);
    column(f->K, 2, f->axes[3]);
    f->offset = d->zero;
    if (can_turn(p, i) && !d->status) split_turn(p, f, b);
    memcpy(g->L, s1, sizeof s1);
    if (link->parent < p->model->tree->n) hol__gmul_t(d, p->links[link->parent].frame.B, s1, g->L);
    hol__gmul_t(d, f->B, g->s2, g->s2);
}

static void planar_frame(hol__program *p, int i) {
    hol__dag *d = &p->dag;
    const hol__link *link = &p->model->tree->links[i];
    const hol__link2 *n = &p->model->tree->links2[i];
    hol__glink *g = &p->links[i];
    hol__gframe *f = &g->frame;
    hol__ref e[2];
    f->offset = hol__program_number(p, link_at, i, &n->offset, HOL__NUMBER_ANGLE);
    hol__gunit(d, f->B);
    hol__gunit(d, f->K);
    for (int k = 0; k < 4; k++) f->f1[k] = f->f2c[k] = k ? d->zero : d->one;
    link_numbers(p, i, n->s1, 2, g->L);
    link_numbers(p, i, n->s2, 2, g->s2);
    link_numbers(p, i, n->e, 2, e);
    g->L[2] = g->s2[2] = d->zero;
    for (int k = 0; k < link->n_move; k++) {
        const int y = link->move == 2 || k == 1;
        f->axes[k][0] = y ? hol__dag_neg(d, e[1]) : e[0], f->axes[k][1] = y ? e[0] : e[1];
        f->axes[k][2] = d->zero;
    }
    if (link->turn != HOL__TURN_NONE) return;
    /* without an angle the offset is a turn of its own */
    const hol__ref c = hol__dag_1(d, HOL__OP_COS, f->offset),
                   s = hol__dag_1(d, HOL__OP_SIN, f->offset);
    f->K[0] = f->K[4] = c, f->K[1] = hol__dag_neg(d, s), f->K[3] = s;
}

/* ---- masses ---- */

/* m, h and I at P of the body. */
static void moments(hol__program *p, int i) {
    hol__dag *d = &p->dag;
    const int body = p->model->tree->links[i].body;
    const hol__body *b = &p->model->bodies[body];
    const hol__ref none[3] = {d->zero, d->zero, d->zero};
    hol__glink *g = &p->links[i];
    hol__ref J[9], Bt[9], away[3];
    g->m = hol__program_number(p, body_at, body, &b->mass, HOL__NUMBER_PLAIN);
    for (int k = 0; k < 9; k++)
        J[k] = p->model->dim == 3
                   ? hol__program_number(p, body_at, body, &b->J[k], HOL__NUMBER_PLAIN)
               : k == 8 ? hol__program_number(p, body_at, body, &b->inertia, HOL__NUMBER_PLAIN)
                        : d->zero;
    transpose(g->frame.B, Bt);
    hol__gsimilar(d, Bt, J, g->I);
    for (int k = 0; k < 3; k++) away[k] = hol__dag_neg(d, g->s2[k]);
    hol__gscale(d, g->m, away, g->h);
    hol__gshift(d, g->m, none, away, g->I);
}

/* The part that the parent carries as well goes there. */
static void hand_over(hol__program *p, int i) {
    hol__dag *d = &p->dag;
    const hol__link *link = &p->model->tree->links[i];
    hol__glink *g = &p->links[i];
    if (link->turn != HOL__TURN_AXIS || link->n_move || link->pitch != 0) return;
    const hol__ref round = p->model->dim == 3 ? g->I[4] : d->zero;
    const hol__ref part[9] = {round,   d->zero, d->zero, d->zero, round,
                              d->zero, d->zero, d->zero, d->zero},
                   along[3] = {d->zero, d->zero, g->h[2]};
    if (link->parent < p->model->tree->n) {
        hol__glink *up = &p->links[link->parent];
        hol__ref h[3], I[9], mL[3];
        hol__gmul(d, g->frame.K, along, h);
        hol__gsimilar(d, g->frame.K, part, I);
        hol__gshift(d, g->m, h, g->L, I);
        for (int k = 0; k < 9; k++) up->I[k] = hol__dag_add(d, up->I[k], I[k]);
        hol__gscale(d, g->m, g->L, mL);
        hol__gadd(d, up->h, h, up->h);
        hol__gadd(d, up->h, mL, up->h);
        up->m = hol__dag_add(d, up->m, g->m);
    }
    g->I[0] = hol__dag_sub(d, g->I[0], round);
    g->I[4] = hol__dag_sub(d, g->I[4], round);
    g->h[2] = g->m = d->zero;
}

void hol__program_frames(hol__program *p) {
    const hol__tree *tree = p->model->tree;
    for (int i = 0; i < tree->n && !p->dag.status; i++) {
        if (p->model->dim == 2)
            planar_frame(p, i);
        else
            spatial_frame(p, i);
        if (tree->links[i].parent < tree->n)
            hol__gsub(&p->dag, p->links[i].L, p->links[tree->links[i].parent].s2, p->links[i].L);
        moments(p, i);
    }
    for (int i = tree->n - 1; i >= 0 && !p->dag.status; i--) hand_over(p, i);
}

/* chain.c: the tree of joints as a computation: poses, velocities, accelerations at v' = 0, M by
 * composite bodies, and generalised forces, in the frames of the links.
 *
 *     R = F1 T F2^T,  D = s1 + F1 d,  P = r_p + R_p D,  r_c = P - R_c s2       (tree.h)
 *     w     = R^T w_p + w_J,                    w_J = sum e_k v_k
 *     alpha = R^T alpha_p + R^T w_p x w_J + sum e_k' v_k
 *     v_P   = R^T (v_p + w_p x D + sum l_k v_k)
 *     a_P   = R^T (a_p + alpha_p x D + w_p x (w_p x D + 2 sum l_k v_k))
 *     v     = v_P - w x s2,   a = a_P - alpha x s2 - w x (w x s2)
 *
 * Gravity is an acceleration -g of the ground. A wrench (f, n about P, child's frame) has the
 * generalised forces e_k . n + l_k . R f, and is (R f, R n + L x R f) for the parent.
 */
#include "generate/program.h"

#include <string.h>

/* ---- numbers ---- */

static const void *link_at(const hol_model *m, int i) {
    return m->dim == 2 ? (const void *)&m->tree->links2[i] : (const void *)&m->tree->links3[i];
}

static const void *plain_link_at(const hol_model *m, int i) {
    return &m->tree->links[i];
}

static const void *body_at(const hol_model *m, int i) {
    return &m->bodies[i];
}

static const void *model_at(const hol_model *m, int i) {
    (void)i;
    return m;
}

static hol__ref link_number(hol__program *p, int i, const double *field, int angle) {
    return hol__program_number(p, link_at, i, field, angle);
}

static void link_numbers(hol__program *p, int i, const double *field, int n, hol__ref *out) {
    for (int k = 0; k < n; k++) out[k] = link_number(p, i, field + k, 0);
}

/* ---- a link ---- */

/* What the turn of a link is made of: F1 T F2^T with T of its coordinates. */
typedef struct turning {
    hol__ref F1[9], F2[9], f1[4], f2c[4];
} turning;

/* A^ij = c (F1_i0 F2_j0 + F1_i1 F2_j1) + s (F1_i1 F2_j0 - F1_i0 F2_j1) + F1_i2 F2_j2: numbers are
 * folded. */
static void turn_about_z(hol__dag *d, const turning *f, hol__ref x, hol__ref R[9]) {
    const hol__ref c = hol__dag_1(d, HOL__OP_COS, x), s = hol__dag_1(d, HOL__OP_SIN, x);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const hol__ref *a = f->F1 + 3 * i, *b = f->F2 + 3 * j;
            const hol__ref even = hol__dag_add(d, hol__dag_mul(d, a[0], b[0]),
                                               hol__dag_mul(d, a[1], b[1])),
                           odd = hol__dag_sub(d, hol__dag_mul(d, a[1], b[0]),
                                              hol__dag_mul(d, a[0], b[1]));
            const hol__ref turned =
                hol__dag_add(d, hol__dag_mul(d, even, c), hol__dag_mul(d, odd, s));
            R[3 * i + j] = hol__dag_add(d, turned, hol__dag_mul(d, a[2], b[2]));
        }
}

static void rotation_z(hol__dag *d, hol__ref x, hol__ref R[9]) {
    const hol__ref c = hol__dag_1(d, HOL__OP_COS, x), s = hol__dag_1(d, HOL__OP_SIN, x);
    hol__gunit(d, R);
    R[0] = R[4] = c, R[1] = hol__dag_neg(d, s), R[3] = s;
}

static void half_turn(hol__dag *d, hol__ref x, hol__ref p[4]) {
    const hol__ref half = hol__dag_mul(d, hol__dag_number(d, 0.5), x);
    p[0] = hol__dag_1(d, HOL__OP_COS, half), p[1] = p[2] = d->zero;
    p[3] = hol__dag_1(d, HOL__OP_SIN, half);
}

/* R = 1 + 2 p0 [p]x + 2 [p]x [p]x */
static void quaternion_matrix(hol__dag *d, const hol__ref p[4], hol__ref R[9]) {
    const hol__ref two = hol__dag_number(d, 2);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if (i == j) {
                const int k = 1 + (i + 1) % 3, l = 1 + (i + 2) % 3;
                const hol__ref others =
                    hol__dag_add(d, hol__dag_mul(d, p[k], p[k]), hol__dag_mul(d, p[l], p[l]));
                R[4 * i] = hol__dag_sub(d, d->one, hol__dag_mul(d, two, others));
                continue;
            }
            const int k = 3 - i - j, up = (j + 3 - i) % 3 == 2;
            const hol__ref turn = hol__dag_mul(d, p[0], p[1 + k]),
                           both = hol__dag_mul(d, p[1 + i], p[1 + j]);
            R[3 * i + j] = hol__dag_mul(
                d, two, up ? hol__dag_add(d, both, turn) : hol__dag_sub(d, both, turn));
        }
}

/* T of a universal joint or a ball, and its quaternion. */
static void general_turn(hol__program *p, const hol__link *link, hol__ref T[9], hol__ref turn[4]) {
    hol__dag *d = &p->dag;
    const hol__ref *x = p->q + link->q + link->n_move;
    if (link->turn == HOL__TURN_BALL) {
        memcpy(turn, x, 4 * sizeof *turn);
        quaternion_matrix(d, turn, T);
        return;
    }
    /* about z, a quarter turn about x, about the new z */
    const hol__ref minus = hol__dag_number(d, -1), h = hol__dag_number(d, 0.70710678118654752440);
    const hol__ref X[9] = {d->one, d->zero, d->zero, d->zero, d->zero,
                           minus,  d->zero, d->one,  d->zero},
                   quarter[4] = {h, h, d->zero, d->zero};
    hol__ref second[9], z[4];
    rotation_z(d, x[0], T);
    rotation_z(d, x[1], second);
    hol__gproduct(d, T, X, T);
    hol__gproduct(d, T, second, T);
    half_turn(d, x[0], turn);
    hol__gquat_mul(d, turn, quarter, turn);
    half_turn(d, x[1], z);
    hol__gquat_mul(d, turn, z, turn);
}

/* R of the link and the quaternion between the markers. */
static void turn_link(hol__program *p, int i, const turning *f, hol__ref turn[4]) {
    hol__dag *d = &p->dag;
    const hol__link *link = &p->model->tree->links[i];
    hol__glink *g = &p->links[i];
    const hol__ref still[4] = {d->one, d->zero, d->zero, d->zero};
    hol__ref T[9], Ft[9];
    for (int j = 0; j < 9; j++) Ft[j] = f->F2[3 * (j % 3) + j / 3];
    memcpy(turn, still, sizeof still);
    if (link->turn == HOL__TURN_AXIS) {
        const hol__ref x = p->q[link->q + link->n_move];
        turn_about_z(d, f, x, g->R);
        half_turn(d, x, turn);
        return;
    }
    hol__gunit(d, T);
    if (link->turn != HOL__TURN_NONE) general_turn(p, link, T, turn);
    hol__gproduct(d, f->F1, T, g->R);
    hol__gproduct(d, g->R, Ft, g->R);
}

/* Column k of F. */
static void column(const hol__ref F[9], int k, hol__ref out[3]) {
    for (int j = 0; j < 3; j++) out[j] = F[3 * j + k];
}

/* e and l of all velocities of a link, and D. axes: directions of its translations. */
static void move_link(hol__program *p, int i, const turning *f, hol__ref axes[3][3]) {
    hol__dag *d = &p->dag;
    const hol__link *link = &p->model->tree->links[i];
    hol__glink *g = &p->links[i];
    for (int k = 0; k < 6; k++) hol__gzero(d, g->e[k]), hol__gzero(d, g->l[k]);
    for (int k = 0; k < link->n_move; k++) {
        hol__ref by[3];
        memcpy(g->l[k], axes[k], sizeof axes[k]);
        hol__gscale(d, p->q[link->q + k], axes[k], by);
        hol__gadd(d, g->D, by, g->D);
    }
    hol__ref(*e)[3] = g->e + link->n_move;
    if (link->turn == HOL__TURN_AXIS) column(f->F2, 2, e[0]);
    for (int k = 0; k < 3 && link->turn == HOL__TURN_BALL; k++) column(f->F2, k, e[k]);
    if (link->turn == HOL__TURN_UNIVERSAL) {
        const hol__ref x = p->q[link->q + link->n_move + 1];
        const hol__ref first[3] = {hol__dag_1(d, HOL__OP_SIN, x), hol__dag_1(d, HOL__OP_COS, x),
                                   d->zero};
        hol__gmul(d, f->F2, first, e[0]);
        column(f->F2, 2, e[1]);
    }
    if (link->pitch == 0) return;
    hol__ref z[3], by[3];
    column(f->F1, 2, z);
    hol__gscale(d, hol__program_number(p, plain_link_at, i, &link->pitch, 0), z,
                g->l[link->n_move]);
    hol__gscale(d, p->q[link->q + link->n_move], g->l[link->n_move], by);
    hol__gadd(d, g->D, by, g->D);
}

/* The numbers of a link in the plane: frames turned about z. */
static void planar_numbers(hol__program *p, int i, turning *f, hol__ref axes[3][3]) {
    hol__dag *d = &p->dag;
    const hol__link *link = &p->model->tree->links[i];
    const hol__link2 *n = &p->model->tree->links2[i];
    hol__glink *g = &p->links[i];
    hol__ref e[2];
    rotation_z(d, link_number(p, i, &n->offset, 1), f->F1);
    hol__gunit(d, f->F2);
    half_turn(d, link_number(p, i, &n->offset, 1), f->f1);
    for (int k = 0; k < 4; k++) f->f2c[k] = k ? d->zero : d->one;
    link_numbers(p, i, n->s1, 2, g->D);
    link_numbers(p, i, n->s2, 2, g->s2);
    link_numbers(p, i, n->e, 2, e);
    g->D[2] = g->s2[2] = d->zero;
    for (int k = 0; k < link->n_move; k++) {
        const int y = link->move == 2 || k == 1;
        axes[k][0] = y ? hol__dag_neg(d, e[1]) : e[0], axes[k][1] = y ? e[0] : e[1];
        axes[k][2] = d->zero;
    }
}

static void spatial_numbers(hol__program *p, int i, turning *f, hol__ref axes[3][3]) {
    const hol__link *link = &p->model->tree->links[i];
    const hol__link3 *n = &p->model->tree->links3[i];
    hol__glink *g = &p->links[i];
    int at = 0;
    link_numbers(p, i, n->F1, 9, f->F1);
    link_numbers(p, i, n->F2, 9, f->F2);
    link_numbers(p, i, n->f1, 4, f->f1);
    link_numbers(p, i, n->f2c, 4, f->f2c);
    link_numbers(p, i, n->s1, 3, g->D);
    link_numbers(p, i, n->s2, 3, g->s2);
    for (int k = 0; k < 3 && link->n_move; k++)
        if (link->move & (1u << k)) column(f->F1, k, axes[at++]);
}

static void inertia_numbers(hol__program *p, int i) {
    hol__dag *d = &p->dag;
    const int body = p->model->tree->links[i].body;
    const hol__body *b = &p->model->bodies[body];
    hol__glink *g = &p->links[i];
    g->m = hol__program_number(p, body_at, body, &b->mass, 0);
    for (int k = 0; k < 9; k++)
        g->J[k] = p->model->dim == 3 ? hol__program_number(p, body_at, body, &b->J[k], 0)
                  : k == 8           ? hol__program_number(p, body_at, body, &b->inertia, 0)
                                     : d->zero;
    /* about P, from which the mass centre is -s2 away */
    const hol__ref none[3] = {d->zero, d->zero, d->zero};
    hol__ref away[3];
    g->mc = g->m;
    for (int k = 0; k < 3; k++) away[k] = hol__dag_neg(d, g->s2[k]);
    hol__gscale(d, g->m, away, g->h);
    memcpy(g->I, g->J, sizeof g->J);
    hol__gshift(d, g->m, none, away, g->I);
}

/* ---- poses ---- */

static void pose(hol__program *p, int i, const turning *f, const hol__ref turn[4]) {
    hol__dag *d = &p->dag;
    const hol__link *link = &p->model->tree->links[i];
    const hol__gbody *parent = &p->bodies[link->parent_body];
    hol__gbody *b = &p->bodies[link->body];
    hol__glink *g = &p->links[i];
    hol__ref arm[3];
    hol__gproduct(d, parent->R, g->R, b->R);
    hol__gmul(d, parent->R, g->D, arm);
    hol__gadd(d, parent->r, arm, b->r);
    hol__gmul(d, b->R, g->s2, arm);
    hol__gsub(d, b->r, arm, b->r);
    hol__gquat_mul(d, parent->p, f->f1, b->p);
    hol__gquat_mul(d, b->p, turn, b->p);
    hol__gquat_mul(d, b->p, f->f2c, b->p);
    b->theta = d->zero;
    if (p->model->dim == 2) {
        const hol__ref offset = link_number(p, i, &p->model->tree->links2[i].offset, 1);
        b->theta = hol__dag_add(d, parent->theta, offset);
        if (link->turn) b->theta = hol__dag_add(d, b->theta, p->q[link->q + link->n_move]);
    }
    if (link->parent < p->model->tree->n)
        hol__gsub(d, g->D, p->links[link->parent].s2, g->L);
    else
        memcpy(g->L, g->D, sizeof g->D);
}

/* ---- velocities ---- */

/* sum x_k v_k over the velocities of a link. */
static void combine(hol__program *p, const hol__link *link, hol__ref x[6][3], hol__ref out[3]) {
    hol__gzero(&p->dag, out);
    for (int k = 0; k < link->nv; k++) {
        hol__ref part[3];
        hol__gscale(&p->dag, p->v[link->v + k], x[k], part);
        hol__gadd(&p->dag, out, part, out);
    }
}

/* sum e_k' v_k: of the first axis of a universal joint, about the second. */
static void axis_rates(hol__program *p, int i, hol__ref out[3]) {
    hol__dag *d = &p->dag;
    const hol__link *link = &p->model->tree->links[i];
    const hol__glink *g = &p->links[i];
    hol__gzero(d, out);
    if (link->turn != HOL__TURN_UNIVERSAL) return;
    const int k = link->n_move;
    const hol__ref both = hol__dag_mul(d, p->v[link->v + k], p->v[link->v + k + 1]);
    hol__gcross(d, g->e[k], g->e[k + 1], out); /* e' = -e2 v2 x e */
    hol__gscale(d, both, out, out);
}

static void twist(hol__program *p, int i) {
    hol__dag *d = &p->dag;
    const hol__link *link = &p->model->tree->links[i];
    const int root = link->parent >= p->model->tree->n;
    hol__glink *g = &p->links[i], ground;
    const hol__glink *up = root ? &ground : &p->links[link->parent];
    hol__ref wJ[3], lv[3], carried[3], t[3], u[3];
    if (root) {
        hol__gzero(d, ground.w), hol__gzero(d, ground.vb), hol__gzero(d, ground.alpha);
        for (int k = 0; k < 3; k++) ground.a[k] = hol__dag_neg(d, p->gravity[k]);
    }
    combine(p, link, g->e, wJ);
    combine(p, link, g->l, lv);
    hol__gmul_t(d, g->R, up->w, carried);
    hol__gadd(d, carried, wJ, g->w);
    hol__gmul_t(d, g->R, up->alpha, g->alpha);
    hol__gcross(d, carried, wJ, t);
    hol__gadd(d, g->alpha, t, g->alpha);
    axis_rates(p, i, t);
    hol__gadd(d, g->alpha, t, g->alpha);
    /* of P */
    hol__gcross(d, up->w, g->D, t);
    hol__gadd(d, up->vb, t, u);
    hol__gadd(d, u, lv, u);
    hol__gmul_t(d, g->R, u, g->vb);
    for (int k = 0; k < 3; k++)
        u[k] = hol__dag_add(d, t[k], hol__dag_mul(d, hol__dag_number(d, 2), lv[k]));
    hol__gcross(d, up->w, u, u);
    hol__gcross(d, up->alpha, g->D, t);
    hol__gadd(d, u, t, u);
    hol__gadd(d, up->a, u, u);
    hol__gmul_t(d, g->R, u, g->a);
    /* of the mass centre */
    hol__gcross(d, g->w, g->s2, t);
    hol__gsub(d, g->vb, t, g->vb);
    hol__gcross(d, g->w, t, t);
    hol__gcross(d, g->alpha, g->s2, u);
    hol__gadd(d, t, u, t);
    hol__gsub(d, g->a, t, g->a);
}

/* What the elements see of the motion. */
static void show(hol__program *p, int i) {
    hol__dag *d = &p->dag;
    hol__gbody *b = &p->bodies[p->model->tree->links[i].body];
    const hol__glink *g = &p->links[i];
    memcpy(b->w, g->w, sizeof b->w);
    memcpy(b->alpha0, g->alpha, sizeof b->alpha0);
    hol__gmul(d, b->R, g->vb, b->v);
    hol__gmul(d, b->R, g->a, b->a0);
    hol__gadd(d, b->a0, p->gravity, b->a0);
}

void hol__program_chain(hol__program *p) {
    hol__dag *d = &p->dag;
    const hol__tree *tree = p->model->tree;
    hol__gbody *ground = &p->bodies[p->model->nb];
    for (int k = 0; k < 3; k++) {
        p->gravity[k] = k < p->model->dim
                            ? hol__program_number(p, model_at, 0, &p->model->gravity[k], 0)
                            : d->zero;
        ground->r[k] = ground->v[k] = ground->w[k] = ground->a0[k] = ground->alpha0[k] = d->zero;
    }
    hol__gunit(d, ground->R);
    for (int k = 0; k < 4; k++) ground->p[k] = k ? d->zero : d->one;
    ground->theta = d->zero;
    for (int i = 0; i < tree->n && !d->status; i++) {
        turning f;
        hol__ref axes[3][3], turn[4];
        if (p->model->dim == 2)
            planar_numbers(p, i, &f, axes);
        else
            spatial_numbers(p, i, &f, axes);
        inertia_numbers(p, i);
        turn_link(p, i, &f, turn);
        move_link(p, i, &f, axes);
        for (int k = 0; k < tree->links[i].nv; k++)
            hol__gmul_t(d, p->links[i].R, p->links[i].l[k], p->links[i].lc[k]);
        pose(p, i, &f, turn);
        twist(p, i);
        show(p, i);
    }
}

/* ---- forces and rows ---- */

/* Wrenches about P (child's frame) on all links to generalised forces; they are summed up on the
 * way to the root. */
static void sweep(hol__program *p, hol__ref (*f)[3], hol__ref (*n)[3], hol__ref *out) {
    hol__dag *d = &p->dag;
    const hol__tree *tree = p->model->tree;
    for (int i = tree->n - 1; i >= 0 && !d->status; i--) {
        const hol__link *link = &tree->links[i];
        const hol__glink *g = &p->links[i];
        hol__ref F[3], N[3], t[3];
        hol__gmul(d, g->R, f[i], F);
        for (int k = 0; k < link->nv; k++)
            out[link->v + k] =
                hol__dag_add(d, hol__gdot(d, g->e[k], n[i]), hol__gdot(d, g->l[k], F));
        if (link->parent >= tree->n) continue;
        hol__gmul(d, g->R, n[i], N);
        hol__gcross(d, g->L, F, t);
        hol__gadd(d, N, t, N);
        hol__gadd(d, f[link->parent], F, f[link->parent]);
        hol__gadd(d, n[link->parent], N, n[link->parent]);
    }
}

/* A wrench on a body (force global, torque in its frame) about P in the frame of its link. */
static void at_link(hol__program *p, int i, const hol__ref *wrench, hol__ref f[3], hol__ref n[3]) {
    hol__dag *d = &p->dag;
    const int body = p->model->tree->links[i].body;
    hol__ref t[3];
    hol__gmul_t(d, p->bodies[body].R, wrench + 6 * body, f);
    hol__gcross(d, p->links[i].s2, f, t);
    hol__gsub(d, wrench + 6 * body + 3, t, n);
}

typedef hol__ref three[3];

static three *new_threes(hol__program *p) {
    three *x = HOL__NEW_N(&p->dag.arena, three, p->model->tree->n + 1);
    if (!x) p->dag.status = HOL_ERR_MEMORY;
    return x;
}

void hol__program_row(hol__program *p, const hol__ref *wrench, hol__ref *out) {
    three *f = new_threes(p), *n = new_threes(p);
    for (int i = 0; i < p->model->tree->n && f && n; i++) at_link(p, i, wrench, f[i], n[i]);
    if (f && n) sweep(p, f, n, out);
}

void hol__program_forces(hol__program *p, const hol__ref *wrench) {
    hol__dag *d = &p->dag;
    three *f = new_threes(p), *n = new_threes(p);
    for (int i = 0; i < p->model->tree->n && f && n; i++) {
        const hol__glink *g = &p->links[i];
        hol__ref ma[3], Jw[3], t[3];
        at_link(p, i, wrench, f[i], n[i]);
        hol__gscale(d, g->m, g->a, ma);
        hol__gsub(d, f[i], ma, f[i]);
        hol__gcross(d, g->s2, ma, t); /* -(-s2) x (m a) */
        hol__gadd(d, n[i], t, n[i]);
        hol__gmul(d, g->J, g->w, Jw);
        hol__gcross(d, g->w, Jw, t);
        hol__gsub(d, n[i], t, n[i]);
        hol__gmul(d, g->J, g->alpha, t);
        hol__gsub(d, n[i], t, n[i]);
    }
    if (f && n) sweep(p, f, n, p->Q);
}

/* ---- M ---- */

/* What link i carries is carried by its parent. */
static void carry(hol__program *p, int i) {
    hol__dag *d = &p->dag;
    const hol__link *link = &p->model->tree->links[i];
    if (link->parent >= p->model->tree->n) return;
    const hol__glink *g = &p->links[i];
    hol__glink *up = &p->links[link->parent];
    hol__ref h[3], I[9], mL[3];
    hol__gmul(d, g->R, g->h, h);
    hol__gsimilar(d, g->R, g->I, I);
    hol__gshift(d, g->mc, h, g->L, I);
    for (int k = 0; k < 9; k++) up->I[k] = hol__dag_add(d, up->I[k], I[k]);
    hol__gscale(d, g->mc, g->L, mL);
    hol__gadd(d, h, mL, h);
    hol__gadd(d, up->h, h, up->h);
    up->mc = hol__dag_add(d, up->mc, g->mc);
}

/* The momentum of what link i carries when velocity k is 1, at P: f along, n about. */
static void momentum(hol__dag *d, const hol__glink *g, int k, hol__ref f[3], hol__ref n[3]) {
    hol__ref t[3];
    hol__gscale(d, g->mc, g->lc[k], f);
    hol__gcross(d, g->e[k], g->h, t);
    hol__gadd(d, f, t, f);
    hol__gmul(d, g->I, g->e[k], n);
    hol__gcross(d, g->h, g->lc[k], t);
    hol__gadd(d, n, t, n);
}

void hol__program_mass(hol__program *p) {
    hol__dag *d = &p->dag;
    const hol__tree *tree = p->model->tree;
    const int nv = p->model->nv;
    for (int i = tree->n - 1; i >= 0 && !d->status; i--) {
        for (int k = 0; k < tree->links[i].nv; k++) {
            hol__ref f[3], n[3], t[3];
            const int row = tree->links[i].v + k;
            momentum(d, &p->links[i], k, f, n);
            for (int up = i; up < tree->n; up = tree->links[up].parent) {
                const hol__glink *g = &p->links[up];
                for (int j = 0; j < tree->links[up].nv; j++) {
                    const int at = tree->links[up].v + j;
                    p->M[row * nv + at] = p->M[at * nv + row] =
                        hol__dag_add(d, hol__gdot(d, g->e[j], n), hol__gdot(d, g->lc[j], f));
                }
                hol__gmul(d, g->R, f, f);
                hol__gmul(d, g->R, n, n);
                hol__gcross(d, g->L, f, t);
                hol__gadd(d, n, t, n);
            }
        }
        carry(p, i);
    }
}

/* chain.c: the tree of joints as a computation: poses, velocities, accelerations at v' = 0, M by
 * composite bodies, and generalised forces, in the frames of the links (frames.c), about their P.
 *
 *     R     = K T                               L = L_0 + sum l_k q_k
 *     w     = R^T w_p + w_J,                    w_J = sum e_k v_k
 *     alpha = R^T alpha_p + R^T w_p x w_J + sum e_k' v_k
 *     v     = R^T (v_p + w_p x L + sum l_k v_k)
 *     a     = R^T (a_p + U_p L + 2 w_p x sum l_k v_k),    U = [alpha]x + [w]x [w]x
 *
 * Gravity is an acceleration -g of the ground where there are no constraints, which need
 * accelerations without it. A wrench (f, n about P, child's frame) has the
 * generalised forces e_k . n + l_k . R f, and is (R f, R n + L x R f) for the parent.
 */
#include "generate/program.h"

#include <string.h>

/* ---- numbers ---- */

static const void *plain_link_at(const hol_model *m, int i) {
    return &m->tree->links[i];
}

static const void *model_at(const hol_model *m, int i) {
    (void)i;
    return m;
}

/* ---- a link ---- */

/* R of a turn about z behind K: numbers of K are folded. */
static void turn_about_z(hol__dag *d, const hol__ref K[9], hol__ref x, hol__ref R[9]) {
    const hol__ref c = hol__dag_1(d, HOL__OP_COS, x), s = hol__dag_1(d, HOL__OP_SIN, x);
    for (int i = 0; i < 3; i++) {
        const hol__ref k[3] = {K[3 * i], K[3 * i + 1], K[3 * i + 2]}; /* R may be K */
        R[3 * i] = hol__dag_add(d, hol__dag_mul(d, k[0], c), hol__dag_mul(d, k[1], s));
        R[3 * i + 1] = hol__dag_sub(d, hol__dag_mul(d, k[1], c), hol__dag_mul(d, k[0], s));
        R[3 * i + 2] = k[2];
    }
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
    hol__ref one[9], z[4];
    hol__gunit(d, one);
    turn_about_z(d, one, x[0], T);
    hol__gproduct(d, T, X, T);
    turn_about_z(d, T, x[1], T);
    half_turn(d, x[0], turn);
    hol__gquat_mul(d, turn, quarter, turn);
    half_turn(d, x[1], z);
    hol__gquat_mul(d, turn, z, turn);
}

/* R of the link, and the quaternion between the markers. */
static void turn_link(hol__program *p, int i, hol__ref turn[4]) {
    hol__dag *d = &p->dag;
    const hol__link *link = &p->model->tree->links[i];
    hol__glink *g = &p->links[i];
    const hol__ref still[4] = {d->one, d->zero, d->zero, d->zero};
    hol__ref T[9];
    memcpy(turn, still, sizeof still);
    if (link->turn == HOL__TURN_AXIS) {
        const hol__ref x = p->q[link->q + link->n_move];
        turn_about_z(d, g->frame.K, hol__dag_add(d, x, g->frame.offset), g->R);
        half_turn(d, x, turn);
        return;
    }
    hol__gunit(d, T);
    if (link->turn != HOL__TURN_NONE) general_turn(p, link, T, turn);
    hol__gproduct(d, g->frame.K, T, g->R);
}

/* e and l of all velocities of a link, and L; in the frames of the links. */
static void move_link(hol__program *p, int i) {
    hol__dag *d = &p->dag;
    const hol__link *link = &p->model->tree->links[i];
    hol__glink *g = &p->links[i];
    for (int k = 0; k < 6; k++) hol__gzero(d, g->e[k]), hol__gzero(d, g->l[k]);
    for (int k = 0; k < link->n_move; k++) {
        hol__ref by[3];
        memcpy(g->l[k], g->frame.axes[k], sizeof g->l[k]);
        hol__gscale(d, p->q[link->q + k], g->l[k], by);
        hol__gadd(d, g->L, by, g->L);
    }
    hol__ref(*e)[3] = g->e + link->n_move;
    if (link->turn == HOL__TURN_AXIS) e[0][2] = d->one;
    for (int k = 0; k < 3 && link->turn == HOL__TURN_BALL; k++) e[k][k] = d->one;
    if (link->turn == HOL__TURN_UNIVERSAL) {
        const hol__ref x = p->q[link->q + link->n_move + 1];
        e[0][0] = hol__dag_1(d, HOL__OP_SIN, x), e[0][1] = hol__dag_1(d, HOL__OP_COS, x);
        e[1][2] = d->one;
    }
    if (link->pitch != 0) {
        hol__ref by[3], *l = g->l[link->n_move];
        hol__gscale(d, hol__program_number(p, plain_link_at, i, &link->pitch, HOL__NUMBER_PLAIN),
                    g->frame.axes[3], l);
        hol__gscale(d, p->q[link->q + link->n_move], l, by);
        hol__gadd(d, g->L, by, g->L);
    }
    for (int k = 0; k < link->nv; k++) hol__gmul_t(d, g->R, g->l[k], g->lc[k]);
}

/* ---- poses ---- */

static void pose(hol__program *p, int i, const hol__ref turn[4]) {
    hol__dag *d = &p->dag;
    const hol__link *link = &p->model->tree->links[i];
    const int root = link->parent >= p->model->tree->n;
    const hol__gbody *parent = &p->bodies[link->parent_body];
    hol__gbody *b = &p->bodies[link->body];
    hol__glink *g = &p->links[i];
    const hol__ref *up = root ? parent->R : p->links[link->parent].global;
    hol__ref arm[3];
    hol__gproduct(d, up, g->R, g->global);
    hol__gmul(d, up, g->L, g->P);
    hol__gadd(d, root ? parent->r : p->links[link->parent].P, g->P, g->P);
    hol__gmul(d, g->global, g->s2, arm);
    hol__gsub(d, g->P, arm, b->r);
    hol__ref Bt[9];
    for (int k = 0; k < 9; k++) Bt[k] = g->frame.B[3 * (k % 3) + k / 3];
    hol__gproduct(d, g->global, Bt, b->R);
    hol__gquat_mul(d, parent->p, g->frame.f1, b->p);
    hol__gquat_mul(d, b->p, turn, b->p);
    hol__gquat_mul(d, b->p, g->frame.f2c, b->p);
    b->theta = d->zero;
    if (p->model->dim == 2) {
        b->theta = hol__dag_add(d, parent->theta, g->frame.offset);
        if (link->turn) b->theta = hol__dag_add(d, b->theta, p->q[link->q + link->n_move]);
    }
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

/* U = [alpha]x + [w]x [w]x */
static void swing(hol__dag *d, const hol__ref w[3], const hol__ref alpha[3], hol__ref U[9]) {
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const hol__ref both = hol__dag_mul(d, w[i], w[j]);
        U[4 * i] = hol__dag_neg(
            d, hol__dag_add(d, hol__dag_mul(d, w[j], w[j]), hol__dag_mul(d, w[k], w[k])));
        U[3 * i + j] = hol__dag_sub(d, both, alpha[k]);
        U[3 * j + i] = hol__dag_add(d, both, alpha[k]);
    }
}

static void twist(hol__program *p, int i) {
    hol__dag *d = &p->dag;
    const hol__link *link = &p->model->tree->links[i];
    const int root = link->parent >= p->model->tree->n, split = p->model->m > 0;
    hol__glink *g = &p->links[i], ground;
    const hol__glink *up = root ? &ground : &p->links[link->parent];
    hol__ref wJ[3], lv[3], carried[3], t[3], u[3];
    if (root) {
        hol__gzero(d, ground.w), hol__gzero(d, ground.v), hol__gzero(d, ground.alpha);
        for (int k = 0; k < 9; k++) ground.U[k] = d->zero;
        for (int k = 0; k < 3; k++) {
            ground.a[k] = split ? d->zero : hol__dag_neg(d, p->gravity[k]);
            ground.g[k] = split ? p->gravity[k] : d->zero;
        }
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
    swing(d, g->w, g->alpha, g->U);
    /* of P */
    hol__gcross(d, up->w, g->L, t);
    hol__gadd(d, up->v, t, u);
    hol__gadd(d, u, lv, u);
    hol__gmul_t(d, g->R, u, g->v);
    hol__gcross(d, up->w, lv, t);
    hol__gscale(d, hol__dag_number(d, 2), t, t);
    hol__gmul(d, up->U, g->L, u);
    hol__gadd(d, u, t, u);
    hol__gadd(d, up->a, u, u);
    hol__gmul_t(d, g->R, u, g->a);
    hol__gmul_t(d, g->R, up->g, g->g);
}

/* What the elements see of the motion: of the mass centre, P - s2. */
static void show(hol__program *p, int i) {
    hol__dag *d = &p->dag;
    hol__gbody *b = &p->bodies[p->model->tree->links[i].body];
    const hol__glink *g = &p->links[i];
    hol__ref t[3];
    hol__gmul(d, g->frame.B, g->w, b->w);
    hol__gmul(d, g->global, g->w, b->omega);
    hol__gmul(d, g->global, g->alpha, b->alpha0);
    hol__gcross(d, g->w, g->s2, t);
    hol__gsub(d, g->v, t, t);
    hol__gmul(d, g->global, t, b->v);
    hol__gmul(d, g->U, g->s2, t);
    hol__gsub(d, g->a, t, t);
    hol__gmul(d, g->global, t, b->a0);
    if (!p->model->m) hol__gadd(d, b->a0, p->gravity, b->a0);
}

static void ground_body(hol__program *p) {
    hol__dag *d = &p->dag;
    hol__gbody *ground = &p->bodies[p->model->nb];
    for (int k = 0; k < 3; k++) {
        p->gravity[k] =
            k < p->model->dim
                ? hol__program_number(p, model_at, 0, &p->model->gravity[k], HOL__NUMBER_PLAIN)
                : d->zero;
        ground->r[k] = ground->v[k] = ground->w[k] = ground->omega[k] = ground->a0[k] =
            ground->alpha0[k] = d->zero;
    }
    hol__gunit(d, ground->R);
    for (int k = 0; k < 4; k++) ground->p[k] = k ? d->zero : d->one;
    ground->theta = d->zero;
}

void hol__program_chain(hol__program *p) {
    const hol__tree *tree = p->model->tree;
    ground_body(p);
    hol__program_frames(p);
    for (int i = 0; i < tree->n && !p->dag.status; i++) {
        hol__ref turn[4];
        turn_link(p, i, turn);
        move_link(p, i);
        pose(p, i, turn);
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

/* A wrench on a body (global, about the mass centre) about P in the frame of its link. */
static void at_link(hol__program *p, int i, const hol__ref *wrench, hol__ref f[3], hol__ref n[3]) {
    hol__dag *d = &p->dag;
    const int body = p->model->tree->links[i].body;
    hol__ref t[3];
    hol__gmul_t(d, p->links[i].global, wrench + 6 * body, f);
    hol__gmul_t(d, p->links[i].global, wrench + 6 * body + 3, n);
    hol__gcross(d, p->links[i].s2, f, t);
    hol__gsub(d, n, t, n);
}

typedef hol__ref three[3];

static three *new_threes(hol__program *p) {
    three *x = HOL__NEW_N(&p->dag.arena, three, p->model->tree->n + 1);
    if (!x) p->dag.status = HOL_ERR_MEMORY;
    return x;
}

/* Entries of one body in a row: e_k . (n + (r - P_k) x f) + l_k . f for the velocities of all links
 * up to the root, in global axes, where rows of joints are simplest. */
static void row_of_body(hol__program *p, int body, const hol__ref *f, const hol__ref *n,
                        hol__ref *out) {
    hol__dag *d = &p->dag;
    const hol__tree *tree = p->model->tree;
    for (int i = tree->of_body[body]; i < tree->n; i = tree->links[i].parent) {
        const hol__link *link = &tree->links[i];
        const hol__glink *g = &p->links[i];
        hol__ref arm[3], about[3], e[3], l[3];
        hol__gsub(d, p->bodies[body].r, g->P, arm);
        hol__gcross(d, arm, f, about);
        hol__gadd(d, about, n, about);
        for (int k = 0; k < link->nv; k++) {
            hol__gmul(d, g->global, g->e[k], e);
            hol__gmul(d, g->global, g->lc[k], l);
            out[link->v + k] = hol__dag_add(
                d, out[link->v + k], hol__dag_add(d, hol__gdot(d, e, about), hol__gdot(d, l, f)));
        }
    }
}

void hol__program_row(hol__program *p, const hol__ref *wrench, hol__ref *out) {
    for (int j = 0; j < p->model->nv; j++) out[j] = p->dag.zero;
    for (int b = 0; b < p->model->nb; b++) {
        int any = 0;
        for (int k = 0; k < 6; k++) any |= !hol__dag_is(&p->dag, wrench[6 * b + k], 0);
        if (any) row_of_body(p, b, wrench + 6 * b, wrench + 6 * b + 3, out);
    }
}

/* f = m a + U h,  n = I alpha + w x I w + h x a, about P. */
void hol__program_forces(hol__program *p, const hol__ref *wrench) {
    hol__dag *d = &p->dag;
    three *f = new_threes(p), *n = new_threes(p);
    for (int i = 0; i < p->model->tree->n && f && n; i++) {
        const hol__glink *g = &p->links[i];
        hol__ref x[3], Iw[3];
        at_link(p, i, wrench, f[i], n[i]);
        hol__ref a[3];
        hol__gsub(d, g->a, g->g, a);
        hol__gscale(d, g->m, a, x);
        hol__gsub(d, f[i], x, f[i]);
        hol__gmul(d, g->U, g->h, x);
        hol__gsub(d, f[i], x, f[i]);
        hol__gmul(d, g->I, g->w, Iw);
        hol__gcross(d, g->w, Iw, x);
        hol__gsub(d, n[i], x, n[i]);
        hol__gmul(d, g->I, g->alpha, x);
        hol__gsub(d, n[i], x, n[i]);
        hol__gcross(d, g->h, a, x);
        hol__gsub(d, n[i], x, n[i]);
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
    hol__gmul(d, g->R, g->hc, h);
    hol__gsimilar(d, g->R, g->Ic, I);
    hol__gshift(d, g->mc, h, g->L, I);
    for (int k = 0; k < 9; k++) up->Ic[k] = hol__dag_add(d, up->Ic[k], I[k]);
    hol__gscale(d, g->mc, g->L, mL);
    hol__gadd(d, h, mL, h);
    hol__gadd(d, up->hc, h, up->hc);
    up->mc = hol__dag_add(d, up->mc, g->mc);
}

/* The momentum of what link i carries when velocity k is 1, at P: f along, n about. */
static void momentum(hol__dag *d, const hol__glink *g, int k, hol__ref f[3], hol__ref n[3]) {
    hol__ref t[3];
    hol__gscale(d, g->mc, g->lc[k], f);
    hol__gcross(d, g->e[k], g->hc, t);
    hol__gadd(d, f, t, f);
    hol__gmul(d, g->Ic, g->e[k], n);
    hol__gcross(d, g->hc, g->lc[k], t);
    hol__gadd(d, n, t, n);
}

void hol__program_mass(hol__program *p) {
    hol__dag *d = &p->dag;
    const hol__tree *tree = p->model->tree;
    const int nv = p->model->nv;
    for (int i = 0; i < tree->n; i++) {
        hol__glink *g = &p->links[i];
        g->mc = g->m;
        memcpy(g->hc, g->h, sizeof g->h);
        memcpy(g->Ic, g->I, sizeof g->I);
    }
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

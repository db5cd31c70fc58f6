/* tree_variation.c: how the bodies follow joint coordinates, to second order, in the plane and in
 * space (tree.h, variation.h).
 *
 * All vectors are global and have three components. A velocity j of a link with the point P moves
 * everything beyond its joint by
 *
 *     sigma_j = s, l_j(r) = s x (r - P) + h s    a turn about s with the pitch h          sigma_j =
 * 0, l_j = s    a translation
 *
 * while the frame before the joint ("in": the parent with what comes before j in the link) stays.
 * With the motion of that frame (omega_in, alpha_in, v_in, a_in at the place of the body) and the
 * motion relative to it, v_rel = v - v_in and so on, which turns with sigma_j, with omega and alpha
 * of the body:
 *
 *     dv = omega_in x l + sigma x v_rel                       dw     = R^T (omega_in x sigma)
 *     da = alpha_in x l + omega_in x (omega_in x l)           dalpha = R^T (alpha_in x sigma +
 * (omega_in x sigma) x omega_rel)
 *          + 2 omega_in x (sigma x v_rel) + sigma x a_rel     a_rel  = a - a_in - 2 omega_in x
 * v_rel
 *     d(J' v)/dv_j = (dv, dw) + J_j',  J_j' = (omega_b x l + sigma x (v - v_b), R^T (sigma x (omega
 * - omega_b)))
 *
 * where b is the frame in which the axis s lies: "in", for a ball the child. For wrenches (f
 * global, n in the body frame) the derivative of (J^T w)_i by q_j is, with the sums over the bodies
 * beyond the link of i (outer) or of j (inner)
 *
 *     F = sum f,  N = sum R n,  T = sum (r - P) f^T
 *     i moves with j (it comes after j, is j, or both belong to a ball):   l_i . (f x sigma_j)
 * summed
 *         translation  s_i . (F x sigma_j)         turn  s_i . (T^T sigma_j - tr T sigma_j + h F x
 * sigma_j)
 *     i comes before j:  sigma_i . tau_j
 *         translation  tau_j = s x F               turn  tau_j = T s - tr T s + s x (N + h F) with
 * the sign of s x F for h
 */
#include "coords/relative_planar.h"
#include "coords/relative_spatial.h"
#include "coords/tree_variation.h"
#include "coords/variation.h"

#include <string.h>

/* The motion of a frame: velocity and acceleration at P, angular ones. */
typedef struct field {
    double v[3], w[3], a[3], alpha[3];
} field;

typedef struct link_state {
    double P[3];
    field out;               /* of the child */
    double F[3], N[3], T[9]; /* wrenches beyond the link */
    double f[3], n[3];       /* of pull */
} link_state;

typedef struct axis_state {
    double s[3];
    int link, k, turns;
    double pitch;
    field in;
} axis_state;

typedef struct body_state {
    double r[3], R[9], v[3], w[3], a[3], alpha[3];
} body_state;

typedef struct state {
    link_state *links; /* n + 1, ground last and zero */
    axis_state *axes;  /* nv */
    body_state *bodies;
} state;

enum { LINK = sizeof(link_state) / sizeof(double), BODY = sizeof(body_state) / sizeof(double) };
enum { AXIS = (sizeof(axis_state) + sizeof(double) - 1) / sizeof(double) };

int hol__tree_variation_size(const hol_model *model) {
    return LINK * (model->tree->n + 1) + BODY * (model->nb + 1) + AXIS * model->nv;
}

static state state_of(const hol_model *model, double *work) {
    double *bodies = work + LINK * (model->tree->n + 1), *axes = bodies + BODY * (model->nb + 1);
    return (state){(link_state *)(void *)work, (axis_state *)(void *)axes,
                   (body_state *)(void *)bodies};
}

int hol__tree_movers(const hol_model *model, int body, int *list) {
    const hol__tree *tree = model->tree;
    int n = 0;
    for (int i = tree->of_body[body]; i < tree->n; i = tree->links[i].parent)
        for (int k = 0; k < tree->links[i].nv; k++, n++)
            if (list) list[n] = tree->links[i].v + k;
    return n;
}

/* out += a x b */
static void add_cross(const double *a, const double *b, double *out) {
    double t[3];
    hol__cross3(a, b, t);
    hol__add3(out, t, out);
}

/* Velocity and acceleration of the point of a frame that is at arm from its P. */
static void at_arm(const field *x, const double *arm, double *v, double *a) {
    double wr[3];
    hol__cross3(x->w, arm, wr);
    hol__add3(x->v, wr, v);
    memcpy(a, x->a, 3 * sizeof *a);
    add_cross(x->alpha, arm, a);
    add_cross(x->w, wr, a);
}

/* ---- motion ---- */

/* The point of a link and the axes of its velocities. */
static void place_link(const hol_model *model, const double *work, int i, const state *s) {
    const hol__tree *tree = model->tree;
    const hol__link *link = &tree->links[i];
    link_state *l = &s->links[i];
    memset(l->P, 0, sizeof l->P);
    memcpy(l->P, model->dim == 2 ? hol__work2_in(work)[i].P : hol__work3_in(work)[i].P,
           sizeof(double) * (size_t)model->dim);
    for (int k = 0; k < link->nv; k++) {
        axis_state *x = &s->axes[link->v + k];
        *x = (axis_state){.link = i,
                          .k = k,
                          .turns = k >= link->n_move,
                          .pitch = k >= link->n_move ? link->pitch : 0};
        if (model->dim == 3)
            memcpy(x->s, hol__axes_in(tree, work) + 3 * (link->v + k), sizeof x->s);
        else if (x->turns)
            x->s[2] = 1;
        else
            hol__direction2(link, &hol__work2_in(work)[i], k, x->s);
    }
}

/* The frame moves on by velocity and acceleration of one axis; base: the frame in which the axis
 * lies before. */
static void add_axis(const axis_state *x, double v, double a, const field *base, field *to) {
    double move[3], rate[3], push[3];
    const double along = x->turns ? x->pitch : 1;
    for (int i = 0; i < 3; i++) {
        move[i] = along * x->s[i] * v;
        rate[i] = x->turns ? x->s[i] * v : 0;
        to->v[i] += move[i];
        to->w[i] += rate[i];
        to->a[i] += along * x->s[i] * a;
        to->alpha[i] += x->turns ? x->s[i] * a : 0;
        push[i] = 2 * move[i];
    }
    add_cross(base->w, push, to->a);
    add_cross(base->w, rate, to->alpha);
}

/* The motion of the frames of a link from that of the parent. */
static void move_link(const hol__tree *tree, int i, const double *v, const double *a,
                      const state *s) {
    const hol__link *link = &tree->links[i];
    const link_state *p = &s->links[link->parent];
    link_state *l = &s->links[i];
    double D[3];
    hol__sub3(l->P, p->P, D);
    l->out = p->out;
    at_arm(&p->out, D, l->out.v, l->out.a);
    field before = l->out;
    for (int k = 0; k < link->nv; k++) {
        axis_state *x = &s->axes[link->v + k];
        const int ball = link->turn == HOL__TURN_BALL && k > link->n_move;
        if (!ball) before = l->out;
        x->in = before;
        add_axis(x, v[link->v + k], a[link->v + k], &before, &l->out);
    }
}

/* Place and motion of the body of a link. */
static void move_body(const hol_model *model, const hol__bodies *bodies, int i, const state *s) {
    const int b = model->tree->links[i].body;
    const link_state *l = &s->links[i];
    body_state *to = &s->bodies[b];
    double arm[3];
    if (bodies->b2) {
        const hol__body2 *x = &bodies->b2[b];
        const double R[9] = {x->c, -x->s, 0, x->s, x->c, 0, 0, 0, 1};
        to->r[0] = x->r[0], to->r[1] = x->r[1], to->r[2] = 0;
        memcpy(to->R, R, sizeof R);
    } else {
        memcpy(to->r, bodies->b3[b].r, sizeof to->r);
        memcpy(to->R, bodies->b3[b].R, sizeof to->R);
    }
    hol__sub3(to->r, l->P, arm);
    at_arm(&l->out, arm, to->v, to->a);
    memcpy(to->w, l->out.w, sizeof to->w);
    memcpy(to->alpha, l->out.alpha, sizeof to->alpha);
}

/* ---- pairs ---- */

/* Linear and angular parts (global) into the bw numbers of a pair. */
static void put(const hol_model *model, const body_state *b, const double *lin, const double *turn,
                double *out) {
    if (model->dim == 2) {
        out[0] = lin[0], out[1] = lin[1], out[2] = turn[2];
        return;
    }
    memcpy(out, lin, 3 * sizeof *out);
    hol__mul3_t(b->R, turn, out + 3);
}

/* l at the place of a body, and sigma. */
static void reach(const axis_state *x, const double *arm, double l[3], double sigma[3]) {
    for (int i = 0; i < 3; i++) {
        sigma[i] = x->turns ? x->s[i] : 0;
        l[i] = x->turns ? x->pitch * x->s[i] : x->s[i];
    }
    add_cross(sigma, arm, l);
}

static void vary_pair(const hol_model *model, const axis_state *x, const link_state *link,
                      const body_state *b, const hol__variation *out, int pair) {
    const field *in = &x->in;
    const int ball = x->turns && model->tree->links[x->link].turn == HOL__TURN_BALL;
    const field *base = ball ? &link->out : in;
    double arm[3], l[3], sigma[3], v_in[3], a_in[3], v_rel[3], a_rel[3], w_rel[3];
    double lin[3], turn[3], t[3], u[3];
    hol__sub3(b->r, link->P, arm);
    reach(x, arm, l, sigma);
    at_arm(in, arm, v_in, a_in);
    hol__sub3(b->v, v_in, v_rel);
    hol__sub3(b->w, in->w, w_rel);
    hol__cross3(in->w, v_rel, t);
    for (int i = 0; i < 3; i++) a_rel[i] = b->a[i] - a_in[i] - 2 * t[i];
    const int at = model->bw * pair;
    put(model, b, l, sigma, out->pose + at);
    /* velocities */
    hol__cross3(in->w, l, lin);
    add_cross(sigma, v_rel, lin);
    hol__cross3(in->w, sigma, turn);
    put(model, b, lin, turn, out->twist + at);
    /* bias: the same with the rate of J_j */
    at_arm(base, arm, v_in, a_in);
    hol__sub3(b->v, v_in, u);
    add_cross(base->w, l, lin);
    add_cross(sigma, u, lin);
    hol__sub3(b->w, base->w, u);
    hol__cross3(in->w, sigma, t);
    add_cross(sigma, u, turn);
    put(model, b, lin, turn, out->bias + at);
    /* accelerations */
    hol__cross3(in->alpha, sigma, turn);
    add_cross(t, w_rel, turn);
    hol__cross3(in->w, l, t);
    hol__cross3(sigma, v_rel, u);
    for (int i = 0; i < 3; i++) t[i] += 2 * u[i];
    hol__cross3(in->alpha, l, lin);
    add_cross(in->w, t, lin);
    add_cross(sigma, a_rel, lin);
    put(model, b, lin, turn, out->acc + at);
}

void hol__tree_vary(const hol_model *model, const hol__bodies *bodies, const double *work,
                    const double *q, const double *v, const double *a, hol__variation *out) {
    const hol__tree *tree = model->tree;
    const state s = state_of(model, out->work);
    (void)q;
    memset(&s.links[tree->n], 0, sizeof(link_state));
    for (int i = 0; i < tree->n; i++) {
        place_link(model, work, i, &s);
        move_link(tree, i, v, a, &s);
        move_body(model, bodies, i, &s);
    }
    for (int j = 0; j < model->nv; j++)
        for (int k = out->ptr[j]; k < out->ptr[j + 1]; k++)
            vary_pair(model, &s.axes[j], &s.links[s.axes[j].link], &s.bodies[out->body[k]], out, k);
}

/* ---- wrenches ---- */

/* The wrench of the body of a link, global, about its mass centre, which is at arm from P. */
static void wrench_of(const hol_model *model, const state *s, int link, const double *w,
                      double f[3], double n[3], double arm[3]) {
    const int body = model->tree->links[link].body;
    const body_state *b = &s->bodies[body];
    w += model->bw * body;
    hol__sub3(b->r, s->links[link].P, arm);
    if (model->dim == 2) {
        f[0] = w[0], f[1] = w[1], f[2] = 0;
        n[0] = n[1] = 0, n[2] = w[2];
        return;
    }
    memcpy(f, w, 3 * sizeof *f);
    hol__mul3(b->R, w + 3, n);
}

void hol__tree_pull(const hol_model *model, const hol__bodies *bodies, const double *w,
                    hol__variation *x, double *out) {
    const hol__tree *tree = model->tree;
    const state s = state_of(model, x->work);
    (void)bodies;
    for (int i = 0; i < tree->n; i++) {
        double arm[3];
        wrench_of(model, &s, i, w, s.links[i].f, s.links[i].n, arm);
        add_cross(arm, s.links[i].f, s.links[i].n);
    }
    for (int i = tree->n - 1; i >= 0; i--) {
        const hol__link *link = &tree->links[i];
        const link_state *l = &s.links[i];
        link_state *p = &s.links[link->parent];
        double D[3];
        for (int k = 0; k < link->nv; k++) {
            const axis_state *a = &s.axes[link->v + k];
            out[link->v + k] = a->turns ? hol__dot3(a->s, l->n) + a->pitch * hol__dot3(a->s, l->f)
                                        : hol__dot3(a->s, l->f);
        }
        if (link->parent == tree->n) continue;
        hol__sub3(l->P, p->P, D);
        hol__add3(p->f, l->f, p->f);
        hol__add3(p->n, l->n, p->n);
        add_cross(D, l->f, p->n);
    }
}

/* T += a f^T */
static void add_outer(const double *a, const double *f, double *T) {
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) T[3 * r + c] += a[r] * f[c];
}

void hol__tree_hold(const hol_model *model, const hol__bodies *bodies, const double *w,
                    hol__variation *x) {
    const hol__tree *tree = model->tree;
    const state s = state_of(model, x->work);
    (void)bodies;
    for (int i = 0; i < tree->n; i++) {
        double arm[3];
        wrench_of(model, &s, i, w, s.links[i].F, s.links[i].N, arm);
        memset(s.links[i].T, 0, sizeof s.links[i].T);
        add_outer(arm, s.links[i].F, s.links[i].T);
    }
    for (int i = tree->n - 1; i >= 0; i--) {
        const link_state *l = &s.links[i];
        link_state *p = &s.links[tree->links[i].parent];
        double D[3];
        if (tree->links[i].parent == tree->n) continue;
        hol__sub3(l->P, p->P, D);
        hol__add3(p->F, l->F, p->F);
        hol__add3(p->N, l->N, p->N);
        for (int k = 0; k < 9; k++) p->T[k] += l->T[k];
        add_outer(D, l->F, p->T);
    }
}

/* l_i . (f x sigma) summed over the bodies beyond the link of i. */
static double outer_term(const axis_state *x, const link_state *l, const double *sigma) {
    const double *T = l->T;
    double u[3], y[3];
    hol__cross3(l->F, sigma, u);
    if (!x->turns) return hol__dot3(x->s, u);
    hol__mul3_t(T, sigma, y);
    const double trace = T[0] + T[4] + T[8];
    for (int k = 0; k < 3; k++) y[k] += x->pitch * u[k] - trace * sigma[k];
    return hol__dot3(x->s, y);
}

/* tau_j: what the turn of a frame before j meets. */
static void inner_moment(const axis_state *x, const link_state *l, double tau[3]) {
    const double *T = l->T, trace = T[0] + T[4] + T[8];
    hol__cross3(x->s, l->F, tau);
    if (!x->turns) return;
    double y[3];
    hol__mul3(T, x->s, y);
    for (int k = 0; k < 3; k++) tau[k] = x->pitch * tau[k] + y[k] - trace * x->s[k];
    add_cross(x->s, l->N, tau);
}

void hol__tree_bend(const hol_model *model, const hol__variation *variation, int j,
                    double *column) {
    const hol__tree *tree = model->tree;
    const state s = state_of(model, variation->work);
    const axis_state *x = &s.axes[j];
    const hol__link *own = &tree->links[x->link];
    const int ball = x->turns && own->turn == HOL__TURN_BALL;
    /* of this link: from here on (of a ball all) it moves with j */
    const int from = ball ? own->n_move : x->k;
    double tau[3];
    inner_moment(x, &s.links[x->link], tau);
    for (int k = variation->ptr[j]; x->turns && k < variation->ptr[j + 1]; k++) {
        const int i = tree->of_body[variation->body[k]];
        const hol__link *link = &tree->links[i];
        for (int d = i == x->link ? from : 0; d < link->nv; d++)
            column[link->v + d] += outer_term(&s.axes[link->v + d], &s.links[i], x->s);
    }
    for (int i = x->link; i < tree->n; i = tree->links[i].parent) {
        const hol__link *link = &tree->links[i];
        for (int d = link->n_move; d < (i == x->link ? from : link->nv); d++)
            column[link->v + d] += hol__dot3(s.axes[link->v + d].s, tau);
    }
}

/* formula.c: poses of the bodies as formulas of the coordinates: reference points and joints.
 *
 *     reference points   r and theta, or r and p (unit quaternion), are the coordinates
 *                        p' = 1/2 p (0, w)
 *     joints (tree.h)    R_c = R_p F1 R(turn) F2^T      r_c = r_p + R_p (s1 + F1 d) - R_c s2
 *                        w_c = R_rel^T w_p + F2 w_J, in the frame of the child
 *
 * Velocities of the mass centres are r' along the motion.
 */
#include "coords/formula.h"

#include "coords/natural.h"
#include "coords/tree.h"

#include <holonom/matrix.h>

#include <stdio.h>
#include <string.h>

enum { NAME = 256 };

/* ---- symbols ---- */

/* \dot{x}_{\mathrm{rod}}: a letter, dots, and what it belongs to. */
static const char *latex_of(hol__symbolic *to, const char *letter, int dots, const char *owner,
                            const char *index) {
    hol__text text;
    char head[64];
    hol__text_init(&text, to->a->ctx);
    snprintf(head, sizeof head, dots == 0 ? "%s" : dots == 1 ? "\\dot{%s}" : "\\ddot{%s}", letter);
    hol__text_add(&text, "%s_{", head);
    if (*index) hol__text_add(&text, "%s,", index);
    hol__latex_name(owner, &text);
    hol__text_add(&text, "}");
    const char *out = hol__arena_text(&to->a->arena, text.data ? text.data : "");
    hol__text_free(&text);
    return out;
}

/* A coordinate with its velocity v = q'. */
static void plain_pair(hol__symbolic *to, int q, int v, const char *letter, const char *owner,
                       const char *index) {
    char name[NAME], dotted[NAME + 2];
    hol_model_velocity_name(to->model, v, name, sizeof name);
    snprintf(dotted, sizeof dotted, "%s'", name);
    to->v[v] =
        hol__symbolic_symbol(to, dotted, latex_of(to, letter, 1, owner, index), HOL__SYM_VELOCITY,
                             (hol__symbolic_source){.kind = HOL__SYMBOLIC_V, .i = v}, NULL);
    to->q[q] =
        hol__symbolic_symbol(to, name, latex_of(to, letter, 0, owner, index), HOL__SYM_COORDINATE,
                             (hol__symbolic_source){.kind = HOL__SYMBOLIC_Q, .i = q}, to->v[v]);
}

/* A unit quaternion from q on with the angular velocity from v on; p' = 1/2 p (0, w). */
static void quaternion(hol__symbolic *to, int q, int v, const char *owner) {
    static const char *const axes[] = {"x", "y", "z"};
    hol__algebra *a = to->a;
    hol__sym w[4] = {a->zero, NULL, NULL, NULL}, rate[4];
    for (int i = 0; i < 3; i++) {
        char name[NAME];
        hol_model_velocity_name(to->model, v + i, name, sizeof name);
        w[1 + i] = to->v[v + i] = hol__symbolic_symbol(
            to, name, latex_of(to, "\\omega", 0, owner, axes[i]), HOL__SYM_VELOCITY,
            (hol__symbolic_source){.kind = HOL__SYMBOLIC_V, .i = v + i}, NULL);
    }
    for (int i = 0; i < 4; i++) {
        char name[NAME], index[8];
        snprintf(name, sizeof name, "%s.p%d", owner, i);
        snprintf(index, sizeof index, "%d", i);
        to->q[q + i] =
            hol__symbolic_symbol(to, name, latex_of(to, "p", 0, owner, index), HOL__SYM_COORDINATE,
                                 (hol__symbolic_source){.kind = HOL__SYMBOLIC_Q, .i = q + i}, NULL);
    }
    hol__sym_unit_quaternion(a, to->q[q]);
    hol__symbolic_quat_mul(to, to->q + q, w, rate);
    for (int i = 0; i < 4 && !a->status; i++)
        to->rate[to->q[q + i]->symbol] = hol__sym_mul(a, a->half, rate[i]);
}

/* ---- bodies ---- */

static void set_planar(hol__symbolic *to, hol__symbolic_body *b, hol__sym theta) {
    hol__algebra *a = to->a;
    const hol__sym c = hol__sym_cos(a, theta), s = hol__sym_sin(a, theta);
    const hol__sym R[9] = {c, hol__sym_neg(a, s), a->zero, s, c, a->zero, a->zero, a->zero, a->one};
    b->theta = theta;
    memcpy(b->R, R, sizeof R);
}

static void set_still(hol__symbolic *to, hol__symbolic_body *b) {
    hol__algebra *a = to->a;
    for (int i = 0; i < 3; i++) b->r[i] = b->v[i] = b->w[i] = a->zero;
    for (int i = 0; i < 9; i++) b->R[i] = i % 4 == 0 ? a->one : a->zero;
    for (int i = 0; i < 4; i++) b->p[i] = i ? a->zero : a->one;
    b->theta = a->zero;
}

/* r' along the motion. */
static void set_velocity(hol__symbolic *to, hol__symbolic_body *b) {
    for (int i = 0; i < 3; i++) b->v[i] = hol__sym_shorten(to->a, hol__symbolic_rate(to, b->r[i]));
}

static void planar_reference(hol__symbolic *to) {
    for (int i = 0; i < to->model->nb; i++) {
        static const char *const letters[] = {"x", "y", "\\theta"};
        hol__symbolic_body *b = &to->bodies[i];
        for (int k = 0; k < 3; k++)
            plain_pair(to, 3 * i + k, 3 * i + k, letters[k], to->model->bodies[i].name, "");
        b->r[0] = to->q[3 * i], b->r[1] = to->q[3 * i + 1];
        set_planar(to, b, to->q[3 * i + 2]);
        b->v[0] = to->v[3 * i], b->v[1] = to->v[3 * i + 1];
        b->w[2] = to->v[3 * i + 2];
    }
}

static void spatial_reference(hol__symbolic *to) {
    for (int i = 0; i < to->model->nb; i++) {
        static const char *const letters[] = {"x", "y", "z"};
        hol__symbolic_body *b = &to->bodies[i];
        const char *name = to->model->bodies[i].name;
        const int q = 7 * i, v = 6 * i;
        for (int k = 0; k < 3; k++) {
            plain_pair(to, q + k, v + k, letters[k], name, "");
            b->r[k] = to->q[q + k], b->v[k] = to->v[v + k];
        }
        quaternion(to, q + 3, v + 3, name);
        for (int k = 0; k < 4; k++) b->p[k] = to->q[q + 3 + k];
        for (int k = 0; k < 3; k++) b->w[k] = to->v[v + 3 + k];
        hol__symbolic_quat_matrix(to, b->p, b->R);
    }
}

/* ---- joints ---- */

/* A number of link i: the same place in the records of every model. */
typedef const double *link_field(const hol_model *model, int i, int k);

static hol__sym link_number(hol__symbolic *to, link_field *field, int i, int k, const char *hint,
                            int angle) {
    double values[64];
    for (int s = 0; s < to->n_models; s++) values[s] = *field(to->models[s], i, k);
    return hol__symbolic_of_values(to, values, hint,
                                   to->model->bodies[to->model->tree->links[i].body].name, angle);
}

static const double *planar_s1(const hol_model *m, int i, int k) {
    return &m->tree->links2[i].s1[k];
}
static const double *planar_s2(const hol_model *m, int i, int k) {
    return &m->tree->links2[i].s2[k];
}
static const double *planar_e(const hol_model *m, int i, int k) {
    return &m->tree->links2[i].e[k];
}
static const double *planar_offset(const hol_model *m, int i, int k) {
    (void)k;
    return &m->tree->links2[i].offset;
}
static const double *spatial_s1(const hol_model *m, int i, int k) {
    return &m->tree->links3[i].s1[k];
}
static const double *spatial_s2(const hol_model *m, int i, int k) {
    return &m->tree->links3[i].s2[k];
}
static const double *spatial_F1(const hol_model *m, int i, int k) {
    return &m->tree->links3[i].F1[k];
}
static const double *spatial_F2(const hol_model *m, int i, int k) {
    return &m->tree->links3[i].F2[k];
}
static const double *spatial_f1(const hol_model *m, int i, int k) {
    return &m->tree->links3[i].f1[k];
}
static const double *spatial_f2c(const hol_model *m, int i, int k) {
    return &m->tree->links3[i].f2c[k];
}
static const double *link_pitch(const hol_model *m, int i, int k) {
    (void)k;
    return &m->tree->links[i].pitch;
}

static void link_numbers(hol__symbolic *to, link_field *field, int i, int n, const char *hint,
                         hol__sym *out) {
    for (int k = 0; k < n; k++) {
        char name[32];
        snprintf(name, sizeof name, n == 3 ? "%s_%c" : "%s_%d", hint, n == 3 ? "xyz"[k] : k);
        out[k] = link_number(to, field, i, k, name, 0);
    }
}

static const char *link_name(const hol_model *m, const hol__link *link) {
    return link->joint >= 0 ? m->joints[link->joint].name : m->bodies[link->body].name;
}

/* Symbols of the plain coordinates of a link: n_move translations, then `turns` angles. */
static void link_symbols(hol__symbolic *to, const hol__link *link, int turns) {
    const char *name = link_name(to->model, link);
    for (int k = 0; k < link->n_move + turns; k++) {
        const int moves = k < link->n_move, n = moves ? link->n_move : turns;
        char index[16] = "";
        if (n > 1) snprintf(index, sizeof index, "%d", moves ? k + 1 : k - link->n_move + 1);
        plain_pair(to, link->q + k, link->v + k, moves ? "s" : "\\varphi", name, index);
    }
}

static void planar_link(hol__symbolic *to, int i) {
    hol__algebra *a = to->a;
    const hol__link *link = &to->model->tree->links[i];
    hol__symbolic_body *b = &to->bodies[link->body], *p = &to->bodies[link->parent_body];
    hol__sym s1[3] = {NULL, NULL, a->zero}, s2[3] = {NULL, NULL, a->zero}, P[3], u[3];
    link_symbols(to, link, link->turn != HOL__TURN_NONE);
    for (int k = 0; k < 2; k++) {
        static const char *const first[] = {"a_x", "a_y"}, *const second[] = {"b_x", "b_y"};
        s1[k] = link_number(to, planar_s1, i, k, first[k], 0);
        s2[k] = link_number(to, planar_s2, i, k, second[k], 0);
    }
    for (int k = 0; k < link->n_move; k++) {
        const int y = link->move == 2 || k == 1;
        const hol__sym e[2] = {link_number(to, planar_e, i, 0, "e_x", 0),
                               link_number(to, planar_e, i, 1, "e_y", 0)};
        const hol__sym s[2] = {y ? hol__sym_neg(a, e[1]) : e[0], y ? e[0] : e[1]};
        for (int j = 0; j < 2; j++)
            s1[j] = hol__sym_add(a, s1[j], hol__sym_mul(a, s[j], to->q[link->q + k]));
    }
    const hol__sym turned[3] = {p->theta, link_number(to, planar_offset, i, 0, "alpha", 1),
                                link->turn ? to->q[link->q + link->n_move] : a->zero};
    set_planar(to, b, hol__sym_sum(a, 3, turned));
    hol__symbolic_point(to, link->parent_body, s1, P);
    hol__symbolic_turned(to, link->body, s2, u);
    for (int k = 0; k < 2; k++) b->r[k] = hol__sym_shorten(a, hol__sym_sub(a, P[k], u[k]));
    b->w[2] = hol__symbolic_rate(to, b->theta);
    set_velocity(to, b);
}

/* R and quaternion of the turn of a link, and its angular velocity in the turned frame. */
static void turn_of(hol__symbolic *to, const hol__link *link, hol__sym R[9], hol__sym p[4],
                    hol__sym w[3]) {
    hol__algebra *a = to->a;
    const hol__sym *x = to->q + link->q + link->n_move, *v = to->v + link->v + link->n_move;
    hol__symbolic_body still;
    set_still(to, &still);
    memcpy(R, still.R, sizeof still.R);
    memcpy(p, still.p, sizeof still.p);
    memcpy(w, still.w, sizeof still.w);
    if (link->turn == HOL__TURN_BALL) {
        memcpy(p, x, 4 * sizeof *p);
        memcpy(w, v, 3 * sizeof *w);
        hol__symbolic_quat_matrix(to, p, R);
        return;
    }
    for (int k = 0; k < (int)link->turn && link->turn != HOL__TURN_NONE; k++) {
        const hol__sym half = hol__sym_mul(a, a->half, x[k]), c = hol__sym_cos(a, x[k]),
                       s = hol__sym_sin(a, x[k]);
        const hol__sym Z[9] = {c,     hol__sym_neg(a, s), a->zero, s, c, a->zero, a->zero, a->zero,
                               a->one},
                       Zt[9] = {c,       s,       a->zero, hol__sym_neg(a, s), c, a->zero,
                                a->zero, a->zero, a->one},
                       z[4] = {hol__sym_cos(a, half), a->zero, a->zero, hol__sym_sin(a, half)};
        if (k == 1) { /* a quarter turn about x between */
            const hol__sym X[9] = {a->one,       a->zero, a->zero, a->zero, a->zero,
                                   a->minus_one, a->zero, a->one,  a->zero};
            const hol__sym h = hol__sym_mul(a, a->half, hol__sym_sqrt(a, a->two));
            const hol__sym quarter[4] = {h, h, a->zero, a->zero};
            const hol__sym seen[3] = {w[0], w[2], hol__sym_neg(a, w[1])}; /* X^T w */
            hol__symbolic_multiply(to, R, X, R);
            hol__symbolic_quat_mul(to, p, quarter, p);
            memcpy(w, seen, sizeof seen);
        }
        hol__sym turned[3];
        for (int i = 0; i < 3; i++) turned[i] = hol__symbolic_dot(to, Zt + 3 * i, w);
        turned[2] = hol__sym_add(a, turned[2], v[k]);
        memcpy(w, turned, sizeof turned);
        hol__symbolic_multiply(to, R, Z, R);
        hol__symbolic_quat_mul(to, p, z, p);
    }
}

/* Where the turn of a link begins: s1 + F1 d, a screw included. */
static void link_origin(hol__symbolic *to, int i, const hol__sym F1[9], hol__sym s1[3]) {
    hol__algebra *a = to->a;
    const hol__link *link = &to->model->tree->links[i];
    const hol__sym *x = to->q + link->q;
    link_numbers(to, spatial_s1, i, 3, "a", s1);
    for (int k = 0; k < 3 && link->n_move; k++) {
        if (!(link->move & (1u << k))) continue;
        for (int j = 0; j < 3; j++)
            s1[j] = hol__sym_add(a, s1[j], hol__sym_mul(a, F1[3 * j + k], *x));
        x++;
    }
    if (link->pitch == 0) return;
    const hol__sym along = hol__sym_mul(a, link_number(to, link_pitch, i, 0, "h", 0), *x);
    for (int j = 0; j < 3; j++)
        s1[j] = hol__sym_add(a, s1[j], hol__sym_mul(a, F1[3 * j + 2], along));
}

static void spatial_link(hol__symbolic *to, int i) {
    hol__algebra *a = to->a;
    const hol__link *link = &to->model->tree->links[i];
    hol__symbolic_body *b = &to->bodies[link->body], *p = &to->bodies[link->parent_body];
    const int ball = link->turn == HOL__TURN_BALL;
    hol__sym F1[9], F2[9], f1[4], f2c[4], s1[3], s2[3], T[9], turn[4], w[3], rel[9], P[3], u[3];
    link_symbols(to, link, ball ? 0 : link->nv - link->n_move);
    if (ball)
        quaternion(to, link->q + link->n_move, link->v + link->n_move, link_name(to->model, link));
    link_numbers(to, spatial_F1, i, 9, "F", F1);
    link_numbers(to, spatial_F2, i, 9, "G", F2);
    link_numbers(to, spatial_f1, i, 4, "f", f1);
    link_numbers(to, spatial_f2c, i, 4, "g", f2c);
    link_numbers(to, spatial_s2, i, 3, "b", s2);
    link_origin(to, i, F1, s1);
    if (a->status) return;
    turn_of(to, link, T, turn, w);
    const hol__sym F2t[9] = {F2[0], F2[3], F2[6], F2[1], F2[4], F2[7], F2[2], F2[5], F2[8]};
    hol__symbolic_multiply(to, F1, T, rel);
    hol__symbolic_multiply(to, rel, F2t, rel);
    hol__symbolic_multiply(to, p->R, rel, b->R);
    hol__symbolic_quat_mul(to, p->p, f1, b->p);
    hol__symbolic_quat_mul(to, b->p, turn, b->p);
    hol__symbolic_quat_mul(to, b->p, f2c, b->p);
    for (int k = 0; k < 4; k++) b->p[k] = hol__sym_shorten(a, b->p[k]);
    for (int k = 0; k < 3; k++) {
        const hol__sym column[3] = {rel[k], rel[3 + k], rel[6 + k]};
        b->w[k] = hol__sym_shorten(a, hol__sym_add(a, hol__symbolic_dot(to, column, p->w),
                                                   hol__symbolic_dot(to, F2 + 3 * k, w)));
    }
    hol__symbolic_point(to, link->parent_body, s1, P);
    hol__symbolic_turned(to, link->body, s2, u);
    for (int k = 0; k < 3; k++) b->r[k] = hol__sym_shorten(a, hol__sym_sub(a, P[k], u[k]));
    set_velocity(to, b);
}

static void joints(hol__symbolic *to) {
    for (int i = 0; i < to->model->tree->n && !to->a->status; i++) {
        if (to->model->dim == 2)
            planar_link(to, i);
        else
            spatial_link(to, i);
    }
}

hol_status hol__symbolic_coordinates(hol__symbolic *to) {
    const hol_model *m = to->model;
    for (int i = 0; i <= m->nb; i++) set_still(to, &to->bodies[i]);
    if (m->coords == &hol__coords_natural_planar || m->coords == &hol__coords_natural_spatial)
        hol__symbolic_natural(to);
    else if (m->tree)
        joints(to);
    else if (m->dim == 2)
        planar_reference(to);
    else
        spatial_reference(to);
    return to->a->status;
}

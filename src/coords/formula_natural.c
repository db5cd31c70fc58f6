/* formula_natural.c: natural coordinates as formulas: items as symbols, poses from base and legs,
 * the constant mass matrix, and the quadratic rows of rigid bodies.
 *
 *     plane   c = d . u / l,  s = u x d / l       u: the leg in the body, a unit vector;  l = |d|
 *             w = d x d' / l^2
 *     space   e1 = d1/l1,  e2 = (d2 - h e1)/l2,  e3 = e1 x e2,  h = d2 . e1      R = [e1 e2 e3] E^T
 *             w = E (w1, w2, w3):  w1 = (e3 . d2' - h e3 . d1'/l1)/l2,  w2 = -e3 . d1'/l1,
 *             w3 = e2 . d1'/l1
 *     M       as in natural_mass.c, with formulas for mass, inertia, mass centre and legs
 *     Phi     = sigma (d_a . d_b - kappa)
 *
 * l, l1 and l2 are lengths of the body on the constraints; the library does not assume it, and
 * neither do these.
 */
#include "coords/formula.h"

#include "coords/natural.h"

#include <holonom/matrix.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 256 };

/* ---- numbers ---- */

/* A number of the items, of body i, in every model. */
typedef double item_number(const hol_model *model, int i, int k, int j);

static double leg_number(const hol_model *m, int i, int k, int j) {
    return m->items->carried[i].leg[k][j];
}
static double unit_number(const hol_model *m, int i, int k, int j) {
    const double *l = m->items->carried[i].leg[k];
    return l[j] / sqrt(l[0] * l[0] + l[1] * l[1] + l[2] * l[2]);
}
static double arm_number(const hol_model *m, int i, int k, int j) {
    (void)k;
    return m->items->carried[i].s[j];
}
static double frame_number(const hol_model *m, int i, int k, int j) {
    return m->items->carried[i].E[3 * k + j];
}
static double fixed_number(const hol_model *m, int i, int k, int j) {
    (void)k;
    return m->items->fixed[3 * (i - m->items->n_free) + j];
}
static double turn_number(const hol_model *m, int i, int k, int j) {
    (void)k;
    return m->dim == 2 ? m->bodies[i].theta : m->bodies[i].p[j];
}
static double mass_number(const hol_model *m, int i, int k, int j) {
    if (k < 0) return m->bodies[i].mass;
    return m->dim == 2 ? m->bodies[i].inertia : m->bodies[i].J[3 * k + j];
}
static double sigma_number(const hol_model *m, int i, int k, int j) {
    (void)j;
    return k ? m->items->rigid[i].kappa : m->items->rigid[i].sigma;
}

static hol__sym number(hol__symbolic *to, item_number *of, int i, int k, int j, const char *hint,
                       const char *owner, int angle) {
    double values[64];
    for (int s = 0; s < to->n_models; s++) values[s] = of(to->models[s], i, k, j);
    return hol__symbolic_of_values(to, values, hint, owner, angle);
}

static void numbers(hol__symbolic *to, item_number *of, int i, int k, const char *hint,
                    const char *owner, hol__sym out[3]) {
    for (int j = 0; j < 3; j++) {
        char name[32];
        snprintf(name, sizeof name, "%s_%c", hint, "xyz"[j]);
        out[j] = j < to->model->dim ? number(to, of, i, k, j, name, owner, 0) : to->a->zero;
    }
}

/* ---- symbols ---- */

/* x_{B}: the letter of the direction, and the name of the point or vector. */
static const char *item_latex(hol__symbolic *to, const char *name, int dot) {
    hol__text text;
    char owner[NAME];
    const char *letter = strrchr(name, '.');
    snprintf(owner, sizeof owner, "%.*s", letter ? (int)(letter - name) : 0, name);
    hol__text_init(&text, to->a->ctx);
    hol__text_add(&text, dot ? "\\dot{%s}_{" : "%s_{", letter ? letter + 1 : "q");
    hol__latex_name(owner, &text);
    hol__text_add(&text, "}");
    const char *out = hol__arena_text(&to->a->arena, text.data ? text.data : "");
    hol__text_free(&text);
    return out;
}

static void item_symbols(hol__symbolic *to) {
    for (int i = 0; i < to->model->nv; i++) {
        char name[NAME], dotted[NAME + 2];
        hol_model_velocity_name(to->model, i, name, sizeof name);
        snprintf(dotted, sizeof dotted, "%s'", name);
        to->v[i] =
            hol__symbolic_symbol(to, dotted, item_latex(to, name, 1), HOL__SYM_VELOCITY,
                                 (hol__symbolic_source){.kind = HOL__SYMBOLIC_V, .i = i}, NULL);
        to->q[i] =
            hol__symbolic_symbol(to, name, item_latex(to, name, 0), HOL__SYM_COORDINATE,
                                 (hol__symbolic_source){.kind = HOL__SYMBOLIC_Q, .i = i}, to->v[i]);
    }
}

static void item_place(hol__symbolic *to, int item, hol__sym x[3]) {
    const int dim = to->model->dim, is_free = item < to->model->items->n_free;
    for (int j = 0; j < 3; j++)
        x[j] = j >= dim  ? to->a->zero
               : is_free ? to->q[dim * item + j]
                         : number(to, fixed_number, item, 0, j, "x", "", 0);
}

/* d of leg k of a body. */
static void leg(hol__symbolic *to, int body, int k, hol__sym d[3]) {
    const hol__carried *b = &to->model->items->carried[body];
    hol__sym base[3];
    item_place(to, b->item[k], d);
    item_place(to, b->item[0], base);
    for (int j = 0; j < 3 && b->by_point[k]; j++) d[j] = hol__sym_sub(to->a, d[j], base[j]);
}

/* ---- poses ---- */

/* A number of the pose of a body that has no formula here: its angle, or its quaternion. */
static hol__sym pose_symbol(hol__symbolic *to, int body, int j, hol__sym rate) {
    char name[NAME];
    snprintf(name, sizeof name, j < 0 ? "%s.angle" : "%s.p%d", to->model->bodies[body].name, j);
    return hol__symbolic_symbol(
        to, name, NULL, HOL__SYM_OTHER,
        (hol__symbolic_source){.kind = HOL__SYMBOLIC_POSE,
                               .i = body,
                               .j = j,
                               .note = j < 0 ? "the angle of the body, from its leg"
                                             : "of the unit quaternion of the body"},
        rate);
}

/* A body without legs keeps its orientation. */
static void point_mass(hol__symbolic *to, int body, hol__symbolic_body *b) {
    hol__algebra *a = to->a;
    const char *name = to->model->bodies[body].name;
    if (to->model->dim == 3) {
        for (int j = 0; j < 4; j++) b->p[j] = number(to, turn_number, body, 0, j, "p", name, 0);
        hol__symbolic_quat_matrix(to, b->p, b->R);
        return;
    }
    b->theta = number(to, turn_number, body, 0, 0, "theta", name, 1);
    b->R[0] = b->R[4] = hol__sym_cos(a, b->theta);
    b->R[3] = hol__sym_sin(a, b->theta);
    b->R[1] = hol__sym_neg(a, b->R[3]);
}

static void planar_pose(hol__symbolic *to, int body, hol__symbolic_body *b) {
    hol__algebra *a = to->a;
    hol__sym d[3], u[3], rate[2];
    leg(to, body, 1, d);
    numbers(to, unit_number, body, 1, "u", to->model->bodies[body].name, u);
    const hol__sym l = hol__symbolic_length(to, d, "l");
    const hol__sym along = hol__symbolic_dot(to, d, u),
                   across =
                       hol__sym_sub(a, hol__sym_mul(a, d[1], u[0]), hol__sym_mul(a, d[0], u[1]));
    for (int j = 0; j < 2; j++) rate[j] = hol__symbolic_rate(to, d[j]);
    b->R[0] = b->R[4] = hol__sym_div(a, along, l);
    b->R[3] = hol__sym_div(a, across, l);
    b->R[1] = hol__sym_neg(a, b->R[3]);
    b->w[2] = hol__sym_div(
        a, hol__sym_sub(a, hol__sym_mul(a, d[0], rate[1]), hol__sym_mul(a, d[1], rate[0])),
        hol__sym_square(a, l));
    b->theta = pose_symbol(to, body, -1, b->w[2]);
}

/* e1, e2, e3 as rows, and the angular velocity along them. */
static void leg_frame(hol__symbolic *to, int body, hol__sym e[9], hol__sym w[3]) {
    hol__algebra *a = to->a;
    hol__sym d1[3], d2[3], t[3], r1[3], r2[3];
    leg(to, body, 1, d1);
    leg(to, body, 2, d2);
    const hol__sym l1 = hol__symbolic_length(to, d1, "l1");
    for (int j = 0; j < 3; j++) e[j] = hol__sym_div(a, d1[j], l1);
    const hol__sym h = hol__symbolic_dot(to, d2, e);
    for (int j = 0; j < 3; j++) t[j] = hol__sym_sub(a, d2[j], hol__sym_mul(a, h, e[j]));
    const hol__sym l2 = hol__symbolic_length(to, t, "l2");
    for (int j = 0; j < 3; j++) {
        e[3 + j] = hol__sym_div(a, t[j], l2);
        r1[j] = hol__symbolic_rate(to, d1[j]);
        r2[j] = hol__symbolic_rate(to, d2[j]);
    }
    hol__symbolic_cross(to, e, e + 3, e + 6);
    const hol__sym k1 = hol__sym_div(a, hol__symbolic_dot(to, e + 6, r1), l1);
    w[0] = hol__sym_div(
        a, hol__sym_sub(a, hol__symbolic_dot(to, e + 6, r2), hol__sym_mul(a, h, k1)), l2);
    w[1] = hol__sym_neg(a, k1);
    w[2] = hol__sym_div(a, hol__symbolic_dot(to, e + 3, r1), l1);
}

static void spatial_pose(hol__symbolic *to, int body, hol__symbolic_body *b) {
    hol__algebra *a = to->a;
    hol__sym e[9], w[3], E[9], spin[4] = {a->zero, NULL, NULL, NULL}, rate[4];
    leg_frame(to, body, e, w);
    for (int k = 0; k < 3; k++)
        numbers(to, frame_number, body, k, "E", to->model->bodies[body].name, E + 3 * k);
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            const hol__sym column[3] = {e[r], e[3 + r], e[6 + r]};
            b->R[3 * r + c] = hol__symbolic_dot(to, column, E + 3 * c);
        }
        b->w[r] = spin[1 + r] = hol__symbolic_dot(to, E + 3 * r, w);
    }
    for (int j = 0; j < 4; j++) b->p[j] = pose_symbol(to, body, j, NULL);
    hol__symbolic_quat_mul(to, b->p, spin, rate);
    for (int j = 0; j < 4 && !a->status; j++)
        to->rate[b->p[j]->symbol] = hol__sym_mul(a, a->half, rate[j]);
}

void hol__symbolic_natural(hol__symbolic *to) {
    hol__algebra *a = to->a;
    item_symbols(to);
    for (int i = 0; i < to->model->nb && !a->status; i++) {
        const hol__element owner = {.name = to->model->bodies[i].name};
        hol__symbolic_body *b = &to->bodies[i];
        hol__sym base[3], s[3], u[3];
        to->element = &owner;
        if (to->model->items->carried[i].n == 1)
            point_mass(to, i, b);
        else if (to->model->dim == 2)
            planar_pose(to, i, b);
        else
            spatial_pose(to, i, b);
        item_place(to, to->model->items->carried[i].item[0], base);
        numbers(to, arm_number, i, 0, "s", owner.name, s);
        hol__symbolic_turned(to, i, s, u);
        for (int j = 0; j < 3; j++) b->r[j] = hol__sym_add(a, base[j], u[j]);
        for (int j = 0; j < 3; j++) b->v[j] = hol__symbolic_rate(to, b->r[j]);
        to->element = NULL;
    }
}

/* ---- rows of rigid bodies ---- */

void hol__symbolic_natural_rows(hol__symbolic *to) {
    const hol__items *nat = to->model->items;
    hol__algebra *a = to->a;
    to->row = nat->first_rigid;
    for (int i = 0; i < nat->n_rigid && !a->status; i++) {
        const hol__rigid *r = &nat->rigid[i];
        const char *name = to->model->bodies[r->body].name;
        hol__sym da[3], db[3];
        leg(to, r->body, r->a, da);
        leg(to, r->body, r->b, db);
        const hol__sym sigma = number(to, sigma_number, i, 0, 0, "sigma", name, 0),
                       kappa = number(to, sigma_number, i, 1, 0, "kappa", name, 0);
        hol__symbolic_row(
            to, i, hol__sym_mul(a, sigma, hol__sym_sub(a, hol__symbolic_dot(to, da, db), kappa)));
    }
}

/* ---- the mass matrix ---- */

typedef struct blocks {
    hol__sym alpha[4][4], beta[4][4];
} blocks;

/* Over (base, leg) in the plane. */
static void leg_mass_plane(hol__symbolic *to, int body, hol__sym m, blocks *x) {
    hol__algebra *a = to->a;
    const char *name = to->model->bodies[body].name;
    hol__sym l[3], s[3];
    numbers(to, leg_number, body, 1, "L", name, l);
    numbers(to, arm_number, body, 0, "s", name, s);
    const hol__sym L2 = hol__sym_shorten(a, hol__symbolic_dot(to, l, l)),
                   J = number(to, mass_number, body, 0, 0, "J", name, 0),
                   across =
                       hol__sym_sub(a, hol__sym_mul(a, l[0], s[1]), hol__sym_mul(a, l[1], s[0]));
    x->alpha[0][0] = m;
    x->alpha[0][1] = x->alpha[1][0] =
        hol__sym_mul(a, m, hol__sym_div(a, hol__symbolic_dot(to, s, l), L2));
    x->beta[0][1] = hol__sym_mul(a, m, hol__sym_div(a, across, L2));
    x->beta[1][0] = hol__sym_neg(a, x->beta[0][1]);
    x->alpha[1][1] =
        hol__sym_div(a, hol__sym_add(a, J, hol__sym_mul(a, m, hol__symbolic_dot(to, s, s))), L2);
}

/* X^-1 of the legs as columns, by rows. */
static void invert_legs(hol__symbolic *to, int body, hol__sym X[9]) {
    hol__sym l[3][3];
    for (int k = 0; k < 3; k++)
        numbers(to, leg_number, body, k + 1, "L", to->model->bodies[body].name, l[k]);
    for (int k = 0; k < 3; k++) hol__symbolic_cross(to, l[(k + 1) % 3], l[(k + 2) % 3], X + 3 * k);
    const hol__sym det = hol__sym_shorten(to->a, hol__symbolic_dot(to, l[0], X));
    for (int k = 0; k < 9; k++) X[k] = hol__sym_shorten(to->a, hol__sym_div(to->a, X[k], det));
}

/* The same over three legs in space: S = tr(J)/2 1 - J + m s s^T. */
static void leg_mass_space(hol__symbolic *to, int body, hol__sym m, blocks *x) {
    hol__algebra *a = to->a;
    const char *name = to->model->bodies[body].name;
    hol__sym X[9], J[9], S[9], s[3], XS[9];
    invert_legs(to, body, X);
    numbers(to, arm_number, body, 0, "s", name, s);
    for (int k = 0; k < 3; k++) numbers(to, mass_number, body, k, "J", name, J + 3 * k);
    const hol__sym trace = hol__sym_add(a, J[0], hol__sym_add(a, J[4], J[8]));
    for (int k = 0; k < 9; k++) {
        const hol__sym terms[3] = {k % 4 ? a->zero : hol__sym_mul(a, a->half, trace),
                                   hol__sym_neg(a, J[k]),
                                   hol__sym_mul(a, m, hol__sym_mul(a, s[k / 3], s[k % 3]))};
        S[k] = hol__sym_sum(a, 3, terms);
    }
    hol__symbolic_multiply(to, X, S, XS);
    x->alpha[0][0] = m;
    for (int k = 0; k < 3; k++) {
        x->alpha[0][k + 1] = x->alpha[k + 1][0] =
            hol__sym_mul(a, m, hol__symbolic_dot(to, X + 3 * k, s));
        for (int l = 0; l < 3; l++)
            x->alpha[k + 1][l + 1] = hol__symbolic_dot(to, XS + 3 * k, X + 3 * l);
    }
}

/* From legs to items: row and column 0 take off what the point legs hold. */
static void change_basis(hol__symbolic *to, const hol__carried *b, hol__sym x[4][4]) {
    for (int k = 1; k < b->n; k++)
        for (int j = 0; b->by_point[k] && j < b->n; j++)
            x[0][j] = hol__sym_sub(to->a, x[0][j], x[k][j]);
    for (int k = 1; k < b->n; k++)
        for (int j = 0; b->by_point[k] && j < b->n; j++)
            x[j][0] = hol__sym_sub(to->a, x[j][0], x[j][k]);
}

/* The share of a body. */
static void add_mass(hol__symbolic *to, int body, hol__sym *M) {
    hol__algebra *a = to->a;
    const hol__items *nat = to->model->items;
    const hol__carried *b = &nat->carried[body];
    const int dim = to->model->dim, n = to->model->nv;
    const hol__sym m = number(to, mass_number, body, -1, 0, "m", to->model->bodies[body].name, 0);
    blocks x;
    for (int k = 0; k < 16; k++) x.alpha[k / 4][k % 4] = x.beta[k / 4][k % 4] = a->zero;
    x.alpha[0][0] = m;
    if (b->n > 1) (dim == 2 ? leg_mass_plane : leg_mass_space)(to, body, m, &x);
    change_basis(to, b, x.alpha);
    change_basis(to, b, x.beta);
    for (int k = 0; k < b->n; k++)
        for (int l = 0; l < b->n; l++) {
            if (b->item[k] >= nat->n_free || b->item[l] >= nat->n_free) continue;
            for (int r = 0; r < dim; r++)
                for (int c = 0; c < dim; c++) {
                    if (c != r && dim == 3) continue;
                    const hol__sym beta = c > r ? hol__sym_neg(a, x.beta[k][l]) : x.beta[k][l];
                    hol__sym *at = &M[(dim * b->item[k] + r) * n + dim * b->item[l] + c];
                    *at = hol__sym_add(a, *at, c == r ? x.alpha[k][l] : beta);
                }
        }
}

void hol__symbolic_natural_mass(hol__symbolic *to, hol__sym *M) {
    for (int i = 0; i < to->model->nb && !to->a->status; i++) add_mass(to, i, M);
}

/* formula.c: symbols, rates and geometry of formulas. See formula.h. */
#include "element/formula.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Room by symbol for all that there are. */
static int grow(hol__symbolic *to) {
    hol__algebra *a = to->a;
    if (a->n_symbols <= to->capacity) return 1;
    const int n = 2 * a->n_symbols;
    hol__sym *rate = HOL__NEW_N(&a->arena, hol__sym, n);
    hol__symbolic_source *source = HOL__NEW_N(&a->arena, hol__symbolic_source, n);
    if (!rate || !source) {
        a->status = HOL_ERR_MEMORY;
        return 0;
    }
    if (to->capacity) {
        memcpy(rate, to->rate, sizeof *rate * (size_t)to->capacity);
        memcpy(source, to->source, sizeof *source * (size_t)to->capacity);
    }
    to->rate = rate;
    to->source = source;
    to->capacity = n;
    return 1;
}

hol__sym hol__symbolic_symbol(hol__symbolic *to, const char *name, const char *latex,
                              hol__sym_class what, hol__symbolic_source source, hol__sym rate) {
    const hol__sym s = hol__sym_new(to->a, name, latex, what);
    if (!s || !grow(to)) return NULL;
    to->rate[s->symbol] = rate;
    to->source[s->symbol] = source;
    return s;
}

hol__sym hol__symbolic_rate(hol__symbolic *to, hol__sym x) {
    return grow(to) ? hol__sym_along(to->a, x, to->rate) : NULL;
}

/* ---- numbers ---- */

/* A symbol for a number that has no formula: the same one where the name and the numbers are. */
static hol__sym own_symbol(hol__symbolic *to, const double *values, const char *hint,
                           const char *owner, int varies) {
    hol__algebra *a = to->a;
    char name[200];
    snprintf(name, sizeof name, *owner ? "%s_%s" : "%s%s", hint, owner);
    for (int i = 0; i < a->n_symbols && i < to->capacity; i++)
        if (to->source[i].kind == HOL__SYMBOLIC_OWN && strcmp(a->symbols[i].name, name) == 0) {
            if (memcmp(to->source[i].own, values, sizeof *values * (size_t)to->n_models) == 0)
                return a->symbols[i].node;
            snprintf(name + strlen(name), sizeof name - strlen(name), "_%d", a->n_symbols);
        }
    double *own = HOL__NEW_N(&a->arena, double, to->n_models);
    if (!own) {
        a->status = HOL_ERR_MEMORY;
        return NULL;
    }
    memcpy(own, values, sizeof *own * (size_t)to->n_models);
    const hol__sym s = hol__symbolic_symbol(
        to, name, NULL, HOL__SYM_PARAMETER,
        (hol__symbolic_source){
            .kind = HOL__SYMBOLIC_OWN,
            .own = own,
            .note = varies ? "depends on the parameters; no short formula was found" : NULL},
        NULL);
    if (s) a->symbols[s->symbol].positive = values[0] > 0;
    return s;
}

/* Whether a number belongs to how things lie to each other, and gets no symbol: 0, and 1 where it
 * is no mass, inertia, stiffness or damping. */
static int is_structure(hol__exact x, const char *hint) {
    if (hol__exact_is(x, 0)) return 1;
    return (hol__exact_is(x, 1) || hol__exact_is(x, -1)) && !strchr("mJkc", *hint);
}

hol__sym hol__symbolic_of_values(hol__symbolic *to, const double *values, const char *hint,
                                 const char *owner, int angle) {
    const hol__sym e = hol__recognise(to->numbers, values, angle);
    const int plain = e && hol__sym_is_number(e);
    if (e && (!plain || !to->name_all || is_structure(e->number, hint))) return e;
    return own_symbol(to, values, hint, owner ? owner : "", !plain);
}

static hol__sym of_field(hol__symbolic *to, const double *field, const char *hint, int angle) {
    double values[64];
    const ptrdiff_t at = (const char *)field - to->record[0];
    for (int k = 0; k < to->n_models; k++) memcpy(&values[k], to->record[k] + at, sizeof *values);
    return hol__symbolic_of_values(to, values, hint, to->element ? to->element->name : "", angle);
}

hol__sym hol__symbolic_number(hol__symbolic *to, const double *field, const char *hint) {
    return of_field(to, field, hint, 0);
}

hol__sym hol__symbolic_angle_number(hol__symbolic *to, const double *field, const char *hint) {
    return of_field(to, field, hint, 1);
}

/* Whether a component is rounding beside the largest one, in all models. */
static int is_rounding(const hol__symbolic *to, const double *field, int i) {
    const ptrdiff_t at = (const char *)field - to->record[0];
    for (int k = 0; k < to->n_models; k++) {
        double values[3], largest = 0;
        memcpy(values, to->record[k] + at, sizeof *values * (size_t)to->model->dim);
        for (int j = 0; j < to->model->dim; j++) largest = fmax(largest, fabs(values[j]));
        if (fabs(values[i]) > 2 * DBL_EPSILON * largest) return 0;
    }
    return 1;
}

void hol__symbolic_vector(hol__symbolic *to, const double *field, const char *hint,
                          hol__sym out[3]) {
    static const char *const axes[] = {"x", "y", "z"};
    for (int i = 0; i < 3; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s_%s", hint, axes[i]);
        out[i] = i < to->model->dim && !is_rounding(to, field, i)
                     ? hol__symbolic_number(to, field + i, name)
                     : to->a->zero;
    }
}

/* ---- geometry ---- */

hol__sym hol__symbolic_dot(hol__symbolic *to, const hol__sym x[3], const hol__sym y[3]) {
    hol__sym terms[3];
    for (int i = 0; i < 3; i++) terms[i] = hol__sym_mul(to->a, x[i], y[i]);
    return hol__sym_sum(to->a, 3, terms);
}

void hol__symbolic_cross(hol__symbolic *to, const hol__sym x[3], const hol__sym y[3],
                         hol__sym out[3]) {
    hol__sym z[3];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        z[i] =
            hol__sym_sub(to->a, hol__sym_mul(to->a, x[j], y[k]), hol__sym_mul(to->a, x[k], y[j]));
    }
    memcpy(out, z, sizeof z);
}

void hol__symbolic_turned(hol__symbolic *to, int body, const hol__sym s[3], hol__sym u[3]) {
    const int fixed =
        hol__sym_is_number(s[0]) && hol__sym_is_number(s[1]) && hol__sym_is_number(s[2]);
    hol__sym out[3];
    if (to->turned && fixed && body < to->model->nb) {
        to->turned(to, body, s, u);
        return;
    }
    for (int i = 0; i < 3; i++) out[i] = hol__symbolic_dot(to, to->bodies[body].R + 3 * i, s);
    memcpy(u, out, sizeof out);
}

void hol__symbolic_seen(hol__symbolic *to, int body, const hol__sym u[3], hol__sym s[3]) {
    const hol__sym *R = to->bodies[body].R;
    hol__sym out[3];
    for (int i = 0; i < 3; i++) {
        const hol__sym column[3] = {R[i], R[3 + i], R[6 + i]};
        out[i] = hol__symbolic_dot(to, column, u);
    }
    memcpy(s, out, sizeof out);
}

void hol__symbolic_point(hol__symbolic *to, int body, const hol__sym s[3], hol__sym P[3]) {
    hol__sym u[3];
    hol__symbolic_turned(to, body, s, u);
    for (int i = 0; i < 3; i++) P[i] = hol__sym_add(to->a, to->bodies[body].r[i], u[i]);
}

void hol__symbolic_gap(hol__symbolic *to, const int body[2], const hol__sym s1[3],
                       const hol__sym s2[3], hol__sym d[3]) {
    hol__sym P1[3], P2[3];
    hol__symbolic_point(to, body[0], s1, P1);
    hol__symbolic_point(to, body[1], s2, P2);
    for (int i = 0; i < 3; i++) d[i] = hol__sym_shorten(to->a, hol__sym_sub(to->a, P2[i], P1[i]));
}

void hol__symbolic_multiply(hol__symbolic *to, const hol__sym A[9], const hol__sym B[9],
                            hol__sym out[9]) {
    hol__sym C[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const hol__sym column[3] = {B[j], B[3 + j], B[6 + j]};
            C[3 * i + j] = hol__sym_shorten(to->a, hol__symbolic_dot(to, A + 3 * i, column));
        }
    memcpy(out, C, sizeof C);
}

void hol__symbolic_quat_mul(hol__symbolic *to, const hol__sym p[4], const hol__sym q[4],
                            hol__sym out[4]) {
    hol__algebra *a = to->a;
    hol__sym cross[3], r[4];
    hol__symbolic_cross(to, p + 1, q + 1, cross);
    r[0] = hol__sym_sub(a, hol__sym_mul(a, p[0], q[0]), hol__symbolic_dot(to, p + 1, q + 1));
    for (int i = 0; i < 3; i++) {
        const hol__sym terms[3] = {hol__sym_mul(a, p[0], q[1 + i]), hol__sym_mul(a, q[0], p[1 + i]),
                                   cross[i]};
        r[1 + i] = hol__sym_sum(a, 3, terms);
    }
    memcpy(out, r, sizeof r);
}

/* R = 1 + 2 p0 [p]x + 2 [p]x [p]x, of a unit quaternion: 1 - 2 (p2^2 + p3^2) … */
void hol__symbolic_quat_matrix(hol__symbolic *to, const hol__sym p[4], hol__sym R[9]) {
    hol__algebra *a = to->a;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if (i == j) {
                const hol__sym others = hol__sym_add(a, hol__sym_square(a, p[1 + (i + 1) % 3]),
                                                     hol__sym_square(a, p[1 + (i + 2) % 3]));
                R[4 * i] = hol__sym_sub(a, a->one, hol__sym_mul(a, a->two, others));
                continue;
            }
            const int k = 3 - i - j, up = (j + 3 - i) % 3 == 2; /* [p]x has + p_k there */
            const hol__sym turn = hol__sym_mul(a, p[0], p[1 + k]),
                           both = hol__sym_mul(a, p[1 + i], p[1 + j]);
            R[3 * i + j] = hol__sym_mul(
                a, a->two, up ? hol__sym_add(a, both, turn) : hol__sym_sub(a, both, turn));
        }
}

hol__sym hol__symbolic_length(hol__symbolic *to, const hol__sym d[3], const char *hint) {
    hol__algebra *a = to->a;
    hol__sym e[3];
    char name[200];
    snprintf(name, sizeof name, "%s_%s", hint, to->element->name);
    const hol__sym is = hol__sym_shorten(a, hol__sym_sqrt(a, hol__symbolic_dot(to, d, d)));
    for (int i = 0; i < 3; i++) e[i] = hol__symbolic_rate(to, d[i]);
    const hol__sym l =
        hol__symbolic_symbol(to, name, NULL, HOL__SYM_OTHER,
                             (hol__symbolic_source){.kind = HOL__SYMBOLIC_DEFINED, .is = is}, NULL);
    if (!l) return NULL;
    to->rate[l->symbol] = hol__sym_div(a, hol__symbolic_dot(to, d, e), l);
    a->symbols[l->symbol].positive = 1;
    return l;
}

hol__sym hol__symbolic_short_rate(hol__symbolic *to, hol__sym rate, const char *hint) {
    enum { SHORT = 6 };
    char name[200], latex[400];
    hol__text written;
    if (!rate || rate->operations <= SHORT) return rate;
    hol__text_init(&written, to->a->ctx);
    snprintf(name, sizeof name, "%s_%s'", hint, to->element->name);
    hol__latex_name(to->element->name, &written);
    snprintf(latex, sizeof latex, "\\dot{%s}_{%s}", hint, written.data ? written.data : "");
    hol__text_free(&written);
    return hol__symbolic_symbol(to, name, latex, HOL__SYM_VELOCITY,
                                (hol__symbolic_source){.kind = HOL__SYMBOLIC_DEFINED, .is = rate},
                                NULL);
}

/* ---- followed angles ---- */

/* In the plane theta2 - theta1, less what it is as drawn. */
static hol__sym planar_angle(hol__symbolic *to, const hol__angle *angle) {
    double drawn[64];
    for (int k = 0; k < to->n_models; k++) {
        const hol_model *m = to->models[k];
        drawn[k] = (angle->body[1] < m->nb ? m->bodies[angle->body[1]].theta : 0) -
                   (angle->body[0] < m->nb ? m->bodies[angle->body[0]].theta : 0);
    }
    const hol__sym terms[3] = {
        to->bodies[angle->body[1]].theta, hol__sym_neg(to->a, to->bodies[angle->body[0]].theta),
        hol__sym_neg(to->a, hol__symbolic_of_values(to, drawn, "drawn", to->element->name, 1))};
    return hol__sym_sum(to->a, 3, terms);
}

/* The relative quaternion of the frames f on both bodies. */
static void relative(hol__symbolic *to, const int body[2], const hol__sym f1[4],
                     const hol__sym f2[4], hol__sym p[4]) {
    hol__sym q1[4], q2[4];
    hol__symbolic_quat_mul(to, to->bodies[body[0]].p, f1, q1);
    hol__symbolic_quat_mul(to, to->bodies[body[1]].p, f2, q2);
    for (int i = 1; i < 4; i++) q1[i] = hol__sym_neg(to->a, q1[i]);
    hol__symbolic_quat_mul(to, q1, q2, p);
    for (int i = 0; i < 4; i++) p[i] = hol__sym_shorten(to->a, p[i]);
}

/* In space a symbol: 2 atan2(p3, p0) with its full turns, whose rate is 2 (p0 p3' - p3 p0')/(p0^2 +
 * p3^2). */
static hol__sym spatial_angle(hol__symbolic *to, int i) {
    hol__algebra *a = to->a;
    hol__sym f[2][4], p[4];
    char name[200];
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < 4; j++) {
            double values[64];
            for (int s = 0; s < to->n_models; s++)
                values[s] = to->models[s]->angles[i].marker[k].f[j];
            f[k][j] = hol__symbolic_of_values(to, values, "f", to->element->name, 0);
        }
    relative(to, to->model->angles[i].body, f[0], f[1], p);
    const hol__sym n = hol__sym_add(a, hol__sym_square(a, p[0]), hol__sym_square(a, p[3])),
                   cross = hol__sym_sub(a, hol__sym_mul(a, p[0], hol__symbolic_rate(to, p[3])),
                                        hol__sym_mul(a, p[3], hol__symbolic_rate(to, p[0])));
    const hol__sym rate = hol__sym_shorten(a, hol__sym_mul(a, a->two, hol__sym_div(a, cross, n)));
    snprintf(name, sizeof name, "phi_%s", to->element->name);
    return hol__symbolic_symbol(
        to, name, NULL, HOL__SYM_OTHER,
        (hol__symbolic_source){.kind = HOL__SYMBOLIC_ANGLE,
                               .i = i,
                               .note = "the angle about the axis, followed over full turns"},
        rate);
}

hol__sym hol__symbolic_angle(hol__symbolic *to, int i) {
    hol__algebra *a = to->a;
    const hol__angle *angle = &to->model->angles[i];
    if (angle->follow) {
        to->why = "it follows a place on a curve";
        return NULL;
    }
    if (to->model->dim == 2) return planar_angle(to, angle);
    for (int s = 0; s < a->n_symbols && s < to->capacity; s++)
        if (to->source[s].kind == HOL__SYMBOLIC_ANGLE && to->source[s].i == i)
            return a->symbols[s].node;
    return spatial_angle(to, i);
}

/* ---- conditions that several elements have ---- */

int hol__symbolic_coincide(hol__symbolic *to, const int body[2], const double *s1,
                           const double *s2) {
    hol__sym p1[3], p2[3], d[3];
    hol__symbolic_vector(to, s1, "a", p1);
    hol__symbolic_vector(to, s2, "b", p2);
    hol__symbolic_gap(to, body, p1, p2, d);
    for (int k = 0; k < to->model->dim; k++) hol__symbolic_row(to, k, d[k]);
    return 1;
}

int hol__symbolic_slide(hol__symbolic *to, const int body[2], const double *s1, const double *s2,
                        const double *e, const hol__law *f) {
    hol__sym p1[3], p2[3], along[3], d[3];
    hol__symbolic_vector(to, s1, "a", p1);
    hol__symbolic_vector(to, s2, "b", p2);
    hol__symbolic_vector(to, e, "e", along);
    hol__symbolic_gap(to, body, p1, p2, d);
    hol__symbolic_turned(to, body[0], along, along);
    hol__symbolic_row(
        to, 0,
        hol__sym_sub(to->a, hol__symbolic_dot(to, along, d), hol__symbolic_drive(to, f, "f")));
    return 1;
}

/* ---- what elements say ---- */

void hol__symbolic_row(hol__symbolic *to, int k, hol__sym Phi) {
    to->Phi[to->row + k] = hol__sym_shorten(to->a, Phi);
    to->psi[to->row + k] = hol__symbolic_rate(to, to->Phi[to->row + k]);
}

void hol__symbolic_rate_row(hol__symbolic *to, int k, hol__sym psi) {
    to->psi[to->row + k] = hol__sym_shorten(to->a, psi);
}

void hol__symbolic_act(hol__symbolic *to, hol__sym x, hol__sym F) {
    const hol__sym rate = hol__symbolic_rate(to, x);
    for (int j = 0; j < to->nv; j++) {
        const hol__sym along = hol__sym_derivative(to->a, rate, to->v[j]);
        to->Q[j] = hol__sym_add(to->a, to->Q[j], hol__sym_mul(to->a, F, along));
    }
    hol__symbolic_power(to, hol__sym_mul(to->a, F, rate));
}

void hol__symbolic_twist(hol__symbolic *to, int body, const hol__sym T[3]) {
    for (int j = 0; j < to->nv; j++)
        for (int i = 0; i < 3; i++) {
            const hol__sym along = hol__sym_derivative(to->a, to->bodies[body].w[i], to->v[j]);
            to->Q[j] = hol__sym_add(to->a, to->Q[j], hol__sym_mul(to->a, T[i], along));
        }
    hol__symbolic_power(to, hol__symbolic_dot(to, T, to->bodies[body].w));
}

void hol__symbolic_keep(hol__symbolic *to, hol__sym x, hol__sym F) {
    hol__algebra *a = to->a;
    if (to->power)
        hol__symbolic_power(to, hol__sym_neg(a, hol__sym_mul(a, F, hol__symbolic_rate(to, x))));
}

void hol__symbolic_power(hol__symbolic *to, hol__sym P) {
    if (to->power) to->power = hol__sym_add(to->a, to->power, P);
}

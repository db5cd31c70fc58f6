/* mechanism_fixture.h: mechanisms from texts, random states, and derivatives by differences, shared
 * by the tests of mechanics.
 *
 * Derivatives are central differences of order six,
 *     f'(0) = sum_k w_k (f(k h) - f(-k h)) / h,   w = 3/4, -3/20, 1/60
 * with the error h^6 |f^(7)| / 140 + 2 eps |f| / h. With h = 0.004 and |f^(7)| <= 1e4 (rates of a
 * few rad/s and m/s) the first part is below 3e-13, the second is 1.1e-13 |f|: mech_tolerance has
 * two decimal digits to spare over both.
 */
#ifndef HOL_TESTS_MECHANISM_FIXTURE_H
#define HOL_TESTS_MECHANISM_FIXTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "answers.h"
#include "common.h"
#include "dyn/data.h"
#include "math/quat.h"

#include <holonom/holonom.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double mech_step = 0.004;
static const double mech_tolerance = 5e-11;

/* A driven shaft, a carriage that slides and turns on it, and a bob on a universal joint: the
 * joints; tests give the bodies. */
#define SHAFT_JOINTS                                                                               \
    "joints:\n"                                                                                    \
    "  drive: {type: generic, bodies: [ground, shaft], at: [0, 0, 0], axis: [0.1, 0, 1], lock: "   \
    "[x, "                                                                                         \
    "y, z, rx, ry], drive: {rz: "                                                                  \
    "'1.9*t - 0.2*t^2'}}\n"                                                                        \
    "  sleeve: {type: cylindrical, bodies: [shaft, carriage], at: [0.3, 0.1, 0.3], axis: [1, "     \
    "0.2, "                                                                                        \
    "0.1]}\n"                                                                                      \
    "  cross: {type: universal, bodies: [carriage, bob], at: [0.9, 0.2, 0.1], axis: [0, 1, 0], "   \
    "axis_second: [1, 0, 0.4]}\n"

/* ---- numbers without order ---- */

/* A unit quaternion, uniform over all rotations. */
static inline void random_quaternion(uint64_t *seed, double p[4]) {
    double n2;
    do {
        n2 = 0;
        for (int i = 0; i < 4; i++) p[i] = random_one(seed), n2 += p[i] * p[i];
    } while (n2 < 0.01 || n2 > 1);
    for (int i = 0; i < 4; i++) p[i] /= sqrt(n2);
}

/* ---- texts ---- */

/* A text that grows at its end. */
typedef struct mech_text {
    char text[16384];
    size_t used;
} mech_text;

static inline void put(mech_text *to, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(to->text + to->used, sizeof to->text - to->used, format, args);
    va_end(args);
    assert_true(n >= 0 && to->used + (size_t)n < sizeof to->text);
    to->used += (size_t)n;
}

/* ---- mechanisms ---- */

typedef struct mech {
    hol_context *ctx;
    hol_model *model;
    hol_options *options; /* of the section `simulation` */
    hol_data *data;
} mech;

/* Fail with the messages of the context. */
static inline void fail_with_messages(const hol_context *ctx, const char *what) {
    char line[2048];
    for (int i = 0; i < hol_message_count(ctx); i++) {
        hol_message_format(hol_message_get(ctx, i), line, sizeof line);
        print_error("%s\n", line);
    }
    fail_msg("%s", what);
}

/* The model of a text in the context, NULL (with messages) when it has errors; *options receives
 * how to run it (may be NULL). */
static inline hol_model *compile_text(hol_context *ctx, const char *text, const char *name,
                                      hol_options **options) {
    hol_spec *spec = hol_spec_new(ctx);
    hol_model *model = NULL;
    if (options) *options = NULL;
    if (spec && hol_spec_read_text(spec, text, name) == HOL_OK)
        model = hol_model_from_spec(ctx, spec, options);
    hol_spec_free(spec);
    return model;
}

/* A model with data at the drawn position; fails with the messages and the text when it cannot be
 * made. */
static inline mech mech_open(const char *text) {
    mech m = {.ctx = hol_context_new()};
    assert_non_null(m.ctx);
    m.model = compile_text(m.ctx, text, "test.yaml", &m.options);
    if (!m.model) fail_with_messages(m.ctx, text);
    m.data = hol_data_new(m.ctx, m.model);
    assert_non_null(m.data);
    return m;
}

static inline void mech_close(mech *m) {
    hol_data_free(m->data);
    hol_options_free(m->options);
    hol_model_free(m->model);
    hol_context_free(m->ctx);
}

/* The word of the option `coordinates` for a set. */
static inline const char *coordinates_of(const hol__coords *set) {
    static const char *const words[] = {"relative", "natural"};
    for (int i = 0; i < 2; i++)
        if (strncmp(set->name, words[i], strlen(words[i])) == 0) return words[i];
    return "reference";
}

/* The same where q are points and vectors: those of bodies in a state of no particular kind. */
static inline void random_items(const hol_model *model, uint64_t *seed, double *q, double *v) {
    hol__body2 *b2 = calloc((size_t)model->nb + 1, sizeof *b2);
    hol__body3 *b3 = calloc((size_t)model->nb + 1, sizeof *b3);
    assert_true(b2 && b3);
    for (int i = 0; i < model->nb; i++) {
        b2[i].theta = 4 * random_one(seed), b2[i].w = 1.6 * random_one(seed);
        b2[i].c = cos(b2[i].theta), b2[i].s = sin(b2[i].theta);
        random_quaternion(seed, b3[i].p);
        hol__quat_matrix(b3[i].p, b3[i].R);
        for (int k = 0; k < 3; k++) {
            b3[i].r[k] = 1.3 * random_one(seed), b3[i].v[k] = 1.6 * random_one(seed);
            b3[i].w[k] = 1.6 * random_one(seed);
            if (k < 2) b2[i].r[k] = b3[i].r[k], b2[i].v[k] = b3[i].v[k];
        }
    }
    model->coords->maps->from_bodies(
        model, &(hol__bodies){model->dim == 2 ? b2 : NULL, model->dim == 3 ? b3 : NULL}, q, v);
    free(b2);
    free(b3);
}

/* A state of no particular kind: positions within 1.3, any orientation, rates within 1.6; t in (0,
 * 2). */
static inline void random_state(const hol_model *model, uint64_t *seed, double *t, double *q,
                                double *v) {
    *t = 1 + random_one(seed);
    if (model->items) {
        random_items(model, seed, q, v);
        return;
    }
    for (int i = 0; i < model->nb; i++) {
        double *at = q + model->nq / model->nb * i;
        for (int k = 0; k < model->dim; k++) at[k] = 1.3 * random_one(seed);
        if (model->dim == 2)
            at[2] = 4 * random_one(seed);
        else
            random_quaternion(seed, at + 3);
    }
    for (int i = 0; i < model->nv; i++) v[i] = 1.6 * random_one(seed);
}

/* Put a random state into the data and count angles from there. */
static inline void mech_random(mech *m, uint64_t *seed) {
    double t, *q = calloc((size_t)m->model->nq + 1, sizeof *q),
              *v = calloc((size_t)m->model->nv + 1, sizeof *v);
    random_state(m->model, seed, &t, q, v);
    hol_data_set(m->data, t, q, v);
    hol__data_keep_angles(m->data);
    free(q);
    free(v);
}

/* Whether the axes of some joint point almost against each other, where the twist about them is not
 * defined. */
static inline int is_turned_over(hol_data *data) {
    const hol_model *m = data->model;
    hol_data_update(data, HOL_STAGE_POS);
    for (int j = 0; data->bodies.b3 && j < m->n_joints; j++) {
        double z[2][3];
        for (int i = 0; i < 2; i++) {
            const double *F = m->joints[j].marker[i].F, local[3] = {F[2], F[5], F[8]};
            hol__mul3(data->bodies.b3[m->joints[j].body[i]].R, local, z[i]);
        }
        if (hol__dot3(z[0], z[1]) < -0.5) return 1;
    }
    return 0;
}

/* ---- a line through a state ---- */

/* The states q (+) s dq, v + s dv, t + s dt, and those of the elements, around the one that the
 * data had. */
typedef struct mech_line {
    mech *m;
    double h; /* of the differences */
    double t, dt;
    double *q, *v, *aux, *aux_rate;
    double *dq, *dv;
    double *q_at, *d, *v_at, *aux_at;
} mech_line;

static inline mech_line line_open(mech *m) {
    const size_t nq = (size_t)m->model->nq + 1, nv = (size_t)m->model->nv + 1,
                 na = (size_t)m->model->n_aux + 1;
    double *block = calloc(2 * nq + 5 * nv + 3 * na, sizeof *block);
    assert_non_null(block);
    mech_line l = {.m = m, .h = mech_step, .t = m->data->t, .q = block};
    l.q_at = l.q + nq, l.v = l.q_at + nq, l.dq = l.v + nv, l.dv = l.dq + nv, l.d = l.dv + nv,
    l.v_at = l.d + nv;
    l.aux = l.v_at + nv, l.aux_rate = l.aux + na, l.aux_at = l.aux_rate + na;
    memcpy(l.q, m->data->q, (nq - 1) * sizeof *l.q);
    memcpy(l.v, m->data->v, (nv - 1) * sizeof *l.v);
    hol_data_update(m->data, HOL_STAGE_DYN);
    if (na > 1) {
        memcpy(l.aux, m->data->aux, (na - 1) * sizeof *l.aux);
        memcpy(l.aux_rate, m->data->aux_rate, (na - 1) * sizeof *l.aux);
    }
    return l;
}

/* The direction of the motion itself: q with v, time with 1, v with a (NULL: v stays). */
static inline void line_along_motion(mech_line *l, const double *a) {
    const int nv = l->m->model->nv;
    l->dt = 1;
    memcpy(l->dq, l->v, (size_t)nv * sizeof *l->dq);
    for (int i = 0; i < nv; i++) l->dv[i] = a ? a[i] : 0;
}

/* Only coordinate direction k, at rest in time. */
static inline void line_along_coordinate(mech_line *l, int k) {
    const int nv = l->m->model->nv;
    l->dt = 0;
    for (int i = 0; i < nv; i++) l->dq[i] = i == k, l->dv[i] = 0;
}

/* Put the state at s into the data. */
static inline void line_at(mech_line *l, double s) {
    const hol_model *model = l->m->model;
    for (int i = 0; i < model->nv; i++) l->d[i] = s * l->dq[i], l->v_at[i] = l->v[i] + s * l->dv[i];
    for (int i = 0; i < model->n_aux; i++) l->aux_at[i] = l->aux[i] + s * l->dt * l->aux_rate[i];
    if (s == 0)
        memcpy(l->q_at, l->q, (size_t)model->nq * sizeof *l->q);
    else
        model->coords->plus(model, l->q, l->d, l->q_at);
    hol_data_set(l->m->data, l->t + s * l->dt, l->q_at, l->v_at);
    if (model->n_aux) hol__data_set_aux(l->m->data, l->aux_at);
}

static inline void line_close(mech_line *l) {
    line_at(l, 0);
    free(l->q);
}

/* What is differentiated: n numbers of the data. */
typedef void mech_fn(void *user, hol_data *data, double *out);

/* out = d/ds f(s) at 0 along the line; the data is back at 0 afterwards. */
static inline void line_derivative(mech_line *l, mech_fn *f, void *user, int n, double *out) {
    static const double w[3] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    double *plus = calloc(2 * (size_t)n + 1, sizeof *plus), *minus = plus + n;
    assert_non_null(plus);
    for (int i = 0; i < n; i++) out[i] = 0;
    for (int k = 3; k >= 1; k--) {
        line_at(l, k * l->h);
        f(user, l->m->data, plus);
        line_at(l, -k * l->h);
        f(user, l->m->data, minus);
        for (int i = 0; i < n; i++) out[i] += w[k - 1] * (plus[i] - minus[i]) / l->h;
    }
    free(plus);
    line_at(l, 0);
}

/* Fails when two numbers differ by more than the tolerance relative to their size (at least 1). */
static inline void check_close(double a, double b, double tolerance, const char *what,
                               const char *where) {
    const double size = fmax(1, fmax(fabs(a), fabs(b)));
    if (!(fabs(a - b) <= tolerance * size))
        fail_msg("%s: %.17g and %.17g differ by %.3g, more than %.3g\n%s", what, a, b, fabs(a - b),
                 tolerance * size, where);
}

/* ---- small linear algebra, independent of the library's ---- */

/* x = B^-1 f by elimination with pivots; B (n x n, row-major) is destroyed. */
static inline void solve_dense(int n, double *B, const double *f, double *x) {
    for (int i = 0; i < n; i++) x[i] = f[i];
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(B[i * n + k]) > fabs(B[p * n + k])) p = i;
        assert_true(B[p * n + k] != 0);
        for (int j = 0; j < n && p != k; j++) {
            const double swap = B[k * n + j];
            B[k * n + j] = B[p * n + j], B[p * n + j] = swap;
        }
        const double swap = x[k];
        x[k] = x[p], x[p] = swap;
        for (int i = k + 1; i < n; i++) {
            const double f_ik = B[i * n + k] / B[k * n + k];
            for (int j = k; j < n; j++) B[i * n + j] -= f_ik * B[k * n + j];
            x[i] -= f_ik * x[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) x[k] -= B[k * n + j] * x[j];
        x[k] /= B[k * n + k];
    }
}

/* a = M^-1 Q: the accelerations that the bodies would have without joints. */
static inline void free_acceleration(hol_data *data, double *a) {
    const int n = data->model->nv;
    double *M = calloc((size_t)n * (size_t)n + 1, sizeof *M);
    hol_data_update(data, HOL_STAGE_DYN);
    hol__csr_to_dense(hol__data_mass(data), M);
    solve_dense(n, M, data->Q, a);
    free(M);
}

#endif

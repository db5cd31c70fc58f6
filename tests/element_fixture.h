/* element_fixture.h: shared by the tests of joints: their rows against differences of positions and
 * velocities.
 *
 *     A   = d Phi(q (+) e) / de          b = -dPhi/dt at fixed q
 *     A'  = dA/dt along the motion       psi = A v - b = dPhi/dt along the motion
 *     c = b' - A' v = -d/dt (A v - b) with the velocities v kept
 *
 * Nonholonomic rows have no Phi: for them A' and c are checked. Entries that are marked as never
 * live are exactly zero.
 */
#ifndef HOL_TESTS_ELEMENT_FIXTURE_H
#define HOL_TESTS_ELEMENT_FIXTURE_H

#include "mechanism_fixture.h"

#include "compile/compile.h"
#include "element/primitives.h"
#include "element/rigid.h"

/* ---- where joints are, and between what ---- */

static const char *const pairs[] = {"[b1, b2]", "[ground, b1]", "[b2, ground]"};

enum { PAIRS = sizeof pairs / sizeof *pairs };

/* Two bodies drawn anywhere, one with its mass centre away from its frame, and the head of the
 * section joints. */
static inline void put_bodies(mech_text *to, int spatial) {
    put(to, "holonom: 1\nspace: %s\nbodies:\n", spatial ? "spatial" : "planar");
    if (spatial)
        put(to, "  b1: {mass: 1.37, inertia: [0.21, 0.34, 0.27, 0.02, -0.03, 0.01], position: "
                "[0.31, -0.22, 0.47], com: "
                "[0.13, -0.07, 0.19], orientation: {euler: [0.4, -0.7, 1.1]}}\n"
                "  b2: {mass: 0.83, inertia: [0.11, 0.15, 0.18], position: [-0.41, 0.36, 0.29], "
                "orientation: {axis: "
                "[1, 2, -0.5], angle: 0.9}}\n");
    else
        put(to, "  b1: {mass: 1.37, inertia: 0.21, position: [0.31, -0.22], com: [0.13, -0.07], "
                "angle: 0.83}\n"
                "  b2: {mass: 0.83, inertia: 0.11, position: [-0.41, 0.36], angle: -2.1}\n");
    put(to, "joints:\n");
}

/* Keys of the place and the axes, drawn apart and turned, so that no term of the equations
 * vanishes. */
static inline const char *place(int spatial) {
    return spatial ? "at: [0.23, 0.54, -0.38], at_second: [0.61, -0.17, 0.28]"
                   : "at: [0.23, 0.54], at_second: [0.61, -0.17]";
}

static inline const char *axes(int spatial) {
    return spatial ? "axis: [0.3, -0.8, 0.5], axis_second: [-0.2, 0.9, 0.7], x_axis: [1, 0.2, 0]"
                   : "axis: [0.3, -0.8], axis_second: [0.7, 0.4]";
}

/* ---- the checks ---- */

static inline void value_phi(void *user, hol_data *data, double *out) {
    (void)user;
    hol_data_update(data, HOL_STAGE_POS);
    memcpy(out, data->Phi, (size_t)data->model->mh * sizeof *out);
}

static inline void value_a(void *user, hol_data *data, double *out) {
    (void)user;
    hol_data_update(data, HOL_STAGE_POS);
    memcpy(out, data->A.x, (size_t)data->A.ptr[data->model->m] * sizeof *out);
}

static inline void value_psi(void *user, hol_data *data, double *out) {
    (void)user;
    memcpy(out, hol_data_velocity_residual(data), (size_t)data->model->m * sizeof *out);
}

/* Everything that the state has, kept while the data moves. */
typedef struct rows {
    double *A, *Adot, *dense, *b, *c, *psi, *found;
} rows;

static inline rows rows_of(hol_data *data) {
    const hol_model *model = data->model;
    const size_t nnz = (size_t)model->A.ptr[model->m], m = (size_t)model->m, n = (size_t)model->nv;
    rows r = {calloc(nnz + 1, sizeof(double)),    calloc(nnz + 1, sizeof(double)),
              calloc(m * n + 1, sizeof(double)),  calloc(m + 1, sizeof(double)),
              calloc(m + 1, sizeof(double)),      calloc(m + 1, sizeof(double)),
              calloc(nnz + m + 1, sizeof(double))};
    if (!model->coords->maps) hol__data_adot(data);
    hol__data_psi(data);
    memcpy(r.A, data->A.x, nnz * sizeof *r.A);
    if (!model->coords->maps) memcpy(r.Adot, data->Adot, nnz * sizeof *r.A);
    memcpy(r.b, data->b, m * sizeof *r.b);
    memcpy(r.c, data->c, m * sizeof *r.c);
    memcpy(r.psi, data->psi, m * sizeof *r.psi);
    hol__csr_to_dense(&data->A, r.dense);
    return r;
}

static inline void rows_free(rows *r) {
    free(r->A), free(r->Adot), free(r->dense), free(r->b), free(r->c), free(r->psi), free(r->found);
}

/* A and b against Phi, at the state in the data. */
static inline void check_positions(mech *m, mech_line *l, rows *r, const char *text) {
    const hol_model *model = m->model;
    for (int k = 0; k < model->nv; k++) {
        line_along_coordinate(l, k);
        line_derivative(l, value_phi, NULL, model->mh, r->found);
        for (int i = 0; i < model->mh; i++)
            check_close(r->dense[i * model->nv + k], r->found[i], mech_tolerance, "A", text);
    }
    line_along_coordinate(l, -1);
    l->dt = 1;
    line_derivative(l, value_phi, NULL, model->mh, r->found);
    for (int i = 0; i < model->mh; i++) {
        check_close(r->b[i], -r->found[i], mech_tolerance, "b", text);
        if (r->b[i] != 0 && !model->rheonomic)
            fail_msg("b is not 0, but the model does not depend on time\n%s", text);
    }
}

/* psi, A' (which only reference-point coordinates make) and c along the motion. */
static inline void check_rates(mech *m, mech_line *l, rows *r, const char *text) {
    const hol_model *model = m->model;
    const int nnz = model->coords->maps ? 0 : model->A.ptr[model->m];
    line_along_motion(l, NULL);
    line_derivative(l, value_phi, NULL, model->mh, r->found);
    for (int i = 0; i < model->mh; i++)
        check_close(r->psi[i], r->found[i], mech_tolerance, "psi", text);
    if (nnz) line_derivative(l, value_a, NULL, nnz, r->found);
    for (int i = 0; i < nnz; i++) check_close(r->Adot[i], r->found[i], mech_tolerance, "A'", text);
    line_derivative(l, value_psi, NULL, model->m, r->found);
    for (int i = 0; i < model->m; i++)
        check_close(r->c[i], -r->found[i], mech_tolerance, "c", text);
}

/* Dead entries are zero, rows have words, and every entry stands in the columns of a body of the
 * joint. */
static inline void check_marks(const hol_model *model, const rows *r, const char *text) {
    for (int i = 0; i < model->m; i++) {
        const hol_row row = *hol_model_row(model, i);
        if (!row.element || !row.element[0] || !row.direction || !row.direction[0] ||
            row.where.line < 1)
            fail_msg("row %d has no words\n%s", i, text);
        for (int k = model->A.ptr[i]; k < model->A.ptr[i + 1]; k++) {
            if (!model->A.live[k] && (r->A[k] != 0 || r->Adot[k] != 0))
                fail_msg("row %d (%s), column %d: marked as zero for good, but A = %g, A' = %g\n%s",
                         i, row.direction, model->A.idx[k], r->A[k], r->Adot[k], text);
        }
    }
}

/* Joints that push have their rows in models in which they are closed. */
static inline void close_gaps(mech *m) {
    enum { SLOTS = 256 };
    hol__touch_bits touch[SLOTS];
    if (!m->model->n_slots) return;
    const int elements = m->model->n_joints + m->model->n_forces;
    unsigned char *off = calloc((size_t)elements, 1);
    const hol__marker **place = calloc((size_t)m->model->n_joints, sizeof *place);
    assert_true(off && place && m->model->n_slots <= SLOTS);
    for (int i = 0; i < SLOTS; i++) touch[i] = HOL__TOUCH_CLOSED | HOL__TOUCH_ROWS;
    const hol__variant variant = {
        .n_joints = m->model->n_joints, .off = off, .place = place, .touch = touch};
    hol_model *closed = hol__model_variant(m->ctx, m->model, &variant);
    assert_non_null(closed);
    hol_data_free(m->data);
    hol_model_free(m->model);
    m->model = closed;
    m->data = hol_data_new(m->ctx, closed);
    assert_non_null(m->data);
    free(off);
    free(place);
}

/* All checks of a mechanism at random states. Angles are counted from the state, so no difference
 * crosses a turn. */
static inline void check_text_with(const char *text, int states, double h, uint64_t *seed) {
    mech m = mech_open(text);
    close_gaps(&m);
    assert_true(m.model->m > 0);
    for (int i = 0; i < states; i++) {
        mech_random(&m, seed);
        mech_line l = line_open(&m);
        l.h = h;
        rows r = rows_of(m.data);
        check_positions(&m, &l, &r, text);
        check_rates(&m, &l, &r, text);
        check_marks(m.model, &r, text);
        rows_free(&r);
        line_close(&l);
    }
    mech_close(&m);
}

static inline void check_text(const char *text, int states, uint64_t *seed) {
    check_text_with(text, states, mech_step, seed);
}

/* The same in another set of coordinates, at states near the drawn one; returns how many rows are
 * left there, 0 when the joints hold by the coordinates. Natural coordinates stay nearer: legs must
 * not shrink, or angles change too fast for the differences. */
static inline int check_set(const char *text, const char *set, int states, double h,
                            uint64_t *seed) {
    mech m = {.ctx = hol_context_new()};
    hol_spec *spec = hol_spec_new(m.ctx);
    assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
    assert_int_equal(hol_spec_set(spec, "coordinates", set, "test"), HOL_OK);
    m.model = hol_model_from_spec(m.ctx, spec, &m.options);
    if (!m.model) fail_with_messages(m.ctx, text);
    hol_spec_free(spec);
    m.data = hol_data_new(m.ctx, m.model);
    const int n = m.model->nv, rows_left = m.model->m;
    double *d = calloc((size_t)n + 1, sizeof *d), *v = calloc((size_t)n + 1, sizeof *v),
           *q = calloc((size_t)m.model->nq + 1, sizeof *q);
    for (int i = 0; rows_left && i < states; i++) {
        const double far = m.model->items ? 0.1 : 0.6;
        for (int k = 0; k < n; k++) d[k] = far * random_one(seed), v[k] = 1.3 * random_one(seed);
        m.model->coords->plus(m.model, m.model->q0, d, q);
        hol_data_set(m.data, 1 + random_one(seed), q, v);
        hol__data_keep_angles(m.data);
        mech_line l = line_open(&m);
        l.h = h;
        rows r = rows_of(m.data);
        check_positions(&m, &l, &r, text);
        check_rates(&m, &l, &r, text);
        rows_free(&r);
        line_close(&l);
    }
    free(d), free(v), free(q);
    mech_close(&m);
    return rows_left;
}

/* One joint, given by its keys, between the bodies of a pair. */
static inline void check_joint(const char *type, const char *keys, int spatial, int pair,
                               int states, uint64_t *seed) {
    mech_text text = {.used = 0};
    put_bodies(&text, spatial);
    put(&text, "  J: {type: %s, bodies: %s, %s}\n", type, pairs[pair], keys);
    check_text(text.text, states, seed);
}

#endif

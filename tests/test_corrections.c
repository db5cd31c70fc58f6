/* test_corrections.c: bringing a state onto the constraints: after a step, and at the start.
 *
 * Every correction, with every kernel that solves exactly, also with redundant constraints:
 *     afterwards Phi = 0 and A v = b to rounding, and a second run changes nothing beyond rounding
 *     the change is the smallest one: u^T W delta = 0 for all u with A u = 0, W = 1 or M
 *     (velocities: to rounding; positions: up to the square of the change, since the constraints are curved)
 *     with energy: the balance is that of the start
 * Assembly: closes what is drawn apart, keeps what is fixed, names what it cannot do.
 */
#include "mechanism_fixture.h"

#include "sim/sim.h"

/* ---- mechanisms ---- */

/* A four-bar with one joint twice, and a driven spatial mechanism with three degrees of freedom left. */
static const char *const twin_text =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
    "  crank: {mass: 1.1, inertia: 0.3, along: [[0, 0], [1, 1.7]], omega: 1.3}\n"
    "  coupler: {mass: 2.3, inertia: 2.1, along: [[1, 1.7], [4.6, 3.3]]}\n"
    "  follower: {mass: 2.2, inertia: 1.4, along: [[2.5, 0], [4.6, 3.3]]}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
    "  B: {type: revolute, bodies: [crank, coupler], at: [1, 1.7]}\n"
    "  C: {type: revolute, bodies: [coupler, follower], at: [4.6, 3.3]}\n"
    "  C2: {type: revolute, bodies: [follower, coupler], at: [4.6, 3.3]}\n"
    "  D: {type: revolute, bodies: [follower, ground], at: [2.5, 0]}\n";

static const char *const driven_text =
    "holonom: 1\nspace: spatial\ngravity: [0.4, -1.1, -9.6]\nbodies:\n"
    "  shaft: {mass: 1.3, inertia: [0.07, 0.09, 0.04], position: [0.05, 0.02, 0.2], com: [0.01, 0.03, 0.02]}\n"
    "  carriage: {mass: 0.8, inertia: [0.03, 0.02, 0.04, 0.004, 0.001, -0.002], position: [0.7, 0.2, 0.3], orientation: {euler: "
    "[0.3, 0.2, -0.8]}, velocity: [0.9, 0.3, -0.2]}\n"
    "  bob: {mass: 0.6, inertia: [0.02, 0.025, 0.01], position: [1.1, 0.3, -0.5], omega: [0.7, -1.2, 2.1]}\n"
    "joints:\n"
    "  drive: {type: generic, bodies: [ground, shaft], at: [0, 0, 0], axis: [0.1, 0, 1], lock: [x, y, z, rx, ry], drive: {rz: "
    "'1.9*t - 0.2*t^2'}}\n"
    "  sleeve: {type: cylindrical, bodies: [shaft, carriage], at: [0.3, 0.1, 0.3], axis: [1, 0.2, 0.1]}\n"
    "  cross: {type: universal, bodies: [carriage, bob], at: [0.9, 0.2, 0.1], axis: [0, 1, 0], axis_second: [1, 0, 0.4]}\n";

static const struct {
    const char *file, *text;
} subjects[] = {{"four_bar.yaml", NULL}, {"slider_crank_spatial.yaml", NULL}, {"a04_bricard.yaml", NULL}, {"five_bar.yaml", NULL}, {"twin", twin_text}, {"driven", driven_text}};

enum { SUBJECTS = sizeof subjects / sizeof *subjects };

/* A mechanism assembled at its start. */
typedef struct stage {
    mech m;
    hol_sim *sim;
    hol_data *data;
    const char *name;
} stage;

static stage stage_open(const char *file, const char *text) {
    stage s = {.m = {.ctx = hol_context_new()}, .name = file};
    if (text)
        s.m.model = compile_text(s.m.ctx, text, file);
    else {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", HOLONOM_TEST_MODELS, file);
        s.m.model = hol_model_from_file(s.m.ctx, path);
    }
    if (!s.m.model) fail_with_messages(s.m.ctx, file);
    s.sim = hol_sim_new(s.m.model);
    if (!s.sim) fail_with_messages(s.m.ctx, file);
    s.data = hol_sim_data(s.sim);
    return s;
}

static void stage_close(stage *s) {
    hol_sim_free(s->sim);
    mech_close(&s->m);
}

/* ---- the null space of A, by elimination ---- */

/* A basis of {u: A u = 0} as columns of N (n x the returned number, row-major n x n storage): elimination with complete pivoting;
 * pivots below 1e-9 of the largest count as zero. A (m x n) is destroyed. */
static int null_space(int m, int n, double *A, double *N) {
    int *column = calloc((size_t)n, sizeof *column), rank = 0;
    double first = 0;
    for (int j = 0; j < n; j++) column[j] = j;
    for (; rank < m && rank < n; rank++) {
        int p = rank, c = rank;
        for (int i = rank; i < m; i++)
            for (int j = rank; j < n; j++)
                if (fabs(A[i * n + column[j]]) > fabs(A[p * n + column[c]])) p = i, c = j;
        const double pivot = A[p * n + column[c]];
        if (rank == 0) first = fabs(pivot);
        if (!(fabs(pivot) > 1e-9 * first)) break;
        for (int j = 0; j < n; j++) {
            const double swap = A[p * n + j];
            A[p * n + j] = A[rank * n + j];
            A[rank * n + j] = swap / pivot;
        }
        const int swap = column[c];
        column[c] = column[rank], column[rank] = swap;
        for (int i = 0; i < m; i++) {
            const double f = A[i * n + swap];
            for (int j = 0; j < n && i != rank; j++) A[i * n + j] -= f * A[rank * n + j];
        }
    }
    for (int k = rank; k < n; k++) {
        for (int j = 0; j < n; j++) N[j * n + k - rank] = 0;
        N[column[k] * n + k - rank] = 1;
        for (int i = 0; i < rank; i++) N[column[i] * n + k - rank] = -A[i * n + column[k]];
    }
    free(column);
    return n - rank;
}

/* The largest |u^T W x| / (|u| |x|) over the basis of the null space of the first `rows` rows of A at the state in data;
 * W is M or the identity. */
static double along_constraints(hol_data *data, int rows, int mass_weighted, const double *x) {
    const int n = data->model->nv, m = data->model->m;
    double *A = calloc((size_t)(m * n), sizeof *A), *N = calloc((size_t)(n * n), sizeof *N), *Wx = calloc((size_t)n, sizeof *Wx), worst = 0;
    hol_data_update(data, HOL_STAGE_POS);
    hol__csr_to_dense(&data->A, A);
    const int free_directions = null_space(rows, n, A, N);
    assert_true(free_directions > 0);
    if (mass_weighted)
        hol__csr_mul(&data->model->M, x, Wx);
    else
        memcpy(Wx, x, (size_t)n * sizeof *x);
    for (int k = 0; k < free_directions; k++) {
        double dot = 0, size = 0;
        for (int j = 0; j < n; j++) dot += N[j * n + k] * Wx[j], size += N[j * n + k] * N[j * n + k];
        worst = fmax(worst, fabs(dot) / (sqrt(size) * hol__norm(x, n)));
    }
    free(A), free(N), free(Wx);
    return worst;
}

/* ---- corrections ---- */

/* Tolerances of the residuals: rounding of sums of a few terms near 5. */
static const double residual_tolerance = 1e-14;

typedef struct trial {
    stage *s;
    const hol__correction_type *type;
    const hol__kernel_type *kernel_type;
    hol__kernel *kernel;
    hol__correction *c;
    double *q0, *v0, *q1, *v1, *d;
    char what[160];
} trial;

static trial trial_open(stage *s, const hol__correction_type *type, const hol__kernel_type *kernel_type) {
    const hol_model *m = s->m.model;
    const hol__kernel_options options = {.rank_tolerance = 1e-9};
    trial t = {.s = s, .type = type, .kernel_type = kernel_type};
    snprintf(t.what, sizeof t.what, "%s, correction %s, kernel %s", s->name, type->name, kernel_type->name);
    assert_int_equal(hol__kernel_new(s->m.ctx, kernel_type, &m->M, &s->data->A, &options, &t.kernel), HOL_OK);
    t.c = hol__correction_new(s->data, type, t.kernel, &options, residual_tolerance, residual_tolerance);
    assert_non_null(t.c);
    t.c->must_land = 1;
    t.c->energy_limit = 0.5;
    t.q0 = calloc((size_t)(2 * m->nq + 3 * m->nv), sizeof(double));
    t.q1 = t.q0 + m->nq, t.v0 = t.q1 + m->nq, t.v1 = t.v0 + m->nv, t.d = t.v1 + m->nv;
    return t;
}

static void trial_close(trial *t) {
    free(t->q0);
    hol__correction_free(t->c);
    hol__kernel_free(t->kernel);
}

/* Move the state off the constraints: positions by up to `by`, velocities by ten times that. Kept in q0, v0. */
static void disturb(trial *t, double by, uint64_t *seed) {
    const hol_model *m = t->s->m.model;
    hol_data *data = t->s->data;
    for (int i = 0; i < m->nv; i++) t->d[i] = by * random_one(seed);
    m->coords->plus(m, data->q, t->d, t->q0);
    for (int i = 0; i < m->nv; i++) t->v0[i] = data->v[i] + 10 * by * random_one(seed);
    hol_data_set(data, data->t, t->q0, t->v0);
}

static void check_residuals(trial *t) {
    hol_data *data = t->s->data;
    const double Phi = hol__norm(hol_data_position_residual(data), data->model->mh);
    const double psi = hol__norm(hol_data_velocity_residual(data), data->model->m);
    /* a correction may rest where Newton's steps no longer halve the residual, up to 100 tolerances */
    if (!(Phi <= 100 * residual_tolerance && psi <= 100 * residual_tolerance))
        fail_msg("%s: residuals %g and %g remain", t->what, Phi, psi);
}

/* The change from (q0, v0) to the state in data is the smallest: positions up to the square of the change. */
static void check_smallest(trial *t, double by) {
    hol_data *data = t->s->data;
    const hol_model *m = data->model;
    m->coords->minus(m, data->q, t->q0, t->d);
    /* curvatures up to some 30/m (levers of a few centimetres) times the change, some 5 by in norm */
    const double positions = along_constraints(data, m->mh, t->type->mass_weighted, t->d);
    if (!(positions < 300 * by)) fail_msg("%s: the change of positions has the share %g along the constraints", t->what, positions);
    if (t->type->energy) return;
    for (int i = 0; i < m->nv; i++) t->d[i] = data->v[i] - t->v0[i];
    /* the change is 1e-4, known to 1e-15: 1e-10 with a condition of 10; penalties of 1e7 lose seven digits more */
    const double velocities = along_constraints(data, m->m, t->type->mass_weighted, t->d);
    if (!(velocities < (t->type->kernel ? 1e-3 : 1e-9))) fail_msg("%s: the change of velocities has the share %g along the constraints", t->what, velocities);
}

/* A second run leaves the state where it is, to rounding. */
static void check_idempotent(trial *t) {
    hol_data *data = t->s->data;
    const hol_model *m = data->model;
    memcpy(t->q1, data->q, (size_t)m->nq * sizeof *t->q1);
    memcpy(t->v1, data->v, (size_t)m->nv * sizeof *t->v1);
    assert_int_equal(hol__correction_run(t->c), HOL_OK);
    m->coords->minus(m, data->q, t->q1, t->d);
    for (int i = 0; i < m->nv; i++) {
        const double dv = fabs(data->v[i] - t->v1[i]);
        if (!(fabs(t->d[i]) < 1e-13 && dv < 1e-12 * (1 + fabs(t->v1[i]))))
            fail_msg("%s: a second run moves direction %d by %g, its velocity by %g", t->what, i, t->d[i], dv);
    }
}

static void check_correction(stage *s, const hol__correction_type *type, const hol__kernel_type *kernel, uint64_t *seed) {
    const double by = 1e-5;
    hol_data *data = s->data, *start = hol_data_new(s->m.model);
    hol_data_copy(start, data);
    trial t = trial_open(s, type, kernel);
    t.c->balance = hol_data_energy(data).balance;
    /* kernels learn on the constraints which rows are redundant; off them such rows look almost independent */
    assert_int_equal(hol__correction_factor(t.c, t.c->positions), HOL_OK);
    assert_int_equal(hol__correction_factor(t.c, t.c->velocities), HOL_OK);
    for (int k = 0; k < 3; k++) {
        hol_data_copy(data, start);
        disturb(&t, by, seed);
        const hol_status status = hol__correction_run(t.c);
        if (status) fail_msg("%s: %s", t.what, hol_status_name(status));
        check_residuals(&t);
        check_smallest(&t, by);
        if (type->energy) check_close(hol_data_energy(data).balance, t.c->balance, 1e-13, "energy balance", t.what);
        check_idempotent(&t);
    }
    trial_close(&t);
    hol_data_copy(data, start);
    hol_data_free(start);
}

/* Kernels that take redundant constraints where there are some, and solve exactly. */
static int fits(const stage *s, const hol__kernel_type *kernel) {
    if (kernel->flags & HOL__KERNEL_APPROXIMATE) return 0;
    return (kernel->flags & HOL__KERNEL_REDUNDANT) || hol_sim_describe(s->sim).n_redundant == 0;
}

static void test_corrections(void **state) {
    uint64_t seed = 88172645463325252u;
    int tried = 0;
    (void)state;
    if (!reads_yaml()) skip();
    for (int i = 0; i < SUBJECTS; i++) {
        stage s = stage_open(subjects[i].file, subjects[i].text);
        const int advance = strcmp(s.name, "twin") == 0 ? 0 : 1;
        /* away from the drawn position, where bodies rest or axes are parallel to the global ones */
        if (advance) assert_int_equal(hol_sim_advance(s.sim, 0.23), HOL_OK);
        const hol__correction_type *type;
        const hol__kernel_type *kernel;
        for (int c = 0; (type = hol__correction_get(c)); c++)
            for (int k = 0; type->run && (kernel = hol__kernel_get(k)); k++)
                if (fits(&s, kernel)) check_correction(&s, type, kernel, &seed), tried++;
        stage_close(&s);
    }
    assert_true(tried >= 6 * 2 * 2);
}

/* The correction "none" leaves the state alone; "drift" leaves it below its threshold and corrects it above. */
static void test_none_and_drift(void **state) {
    uint64_t seed = 4101842887655102017u;
    (void)state;
    if (!reads_yaml()) skip();
    stage s = stage_open("driven", driven_text);
    static const char *const names[] = {"none", "drift"};
    for (int i = 0; i < 2; i++) {
        const hol__correction_type *type = hol__correction_find(names[i]);
        if (!type) continue;
        trial t = trial_open(&s, type, hol__kernel_get(0));
        t.c->threshold = 1e-3;
        disturb(&t, 1e-5, &seed);
        assert_int_equal(hol__correction_run(t.c), HOL_OK);
        assert_memory_equal(s.data->q, t.q0, (size_t)s.m.model->nq * sizeof *t.q0);
        assert_memory_equal(s.data->v, t.v0, (size_t)s.m.model->nv * sizeof *t.v0);
        t.c->threshold = 1e-6;
        assert_int_equal(hol__correction_run(t.c), HOL_OK);
        if (i == 1) check_residuals(&t);
        trial_close(&t);
    }
    stage_close(&s);
}

/* The tangent part: what a correction would remove is removed, and nothing else: A d = 0, W (d - d0) in the range of A^T. */
static void test_tangent(void **state) {
    uint64_t seed = 2685821657736338717u;
    (void)state;
    if (!reads_yaml()) skip();
    for (int i = 0; i < SUBJECTS; i++) {
        stage s = stage_open(subjects[i].file, subjects[i].text);
        const int n = s.m.model->nv, m = s.m.model->m;
        const hol__correction_type *type;
        for (int c = 0; (type = hol__correction_get(c)); c++) {
            /* the penalty kernel of mass-orthogonal solves up to a share of 1e-7 only */
            if (!type->run || type->kernel) continue;
            trial t = trial_open(&s, type, hol__kernel_get(0));
            double *d = calloc((size_t)(4 * n + m), sizeof *d), *v = d + n, *d0 = v + n, *v0 = d0 + n, *r = v0 + n;
            for (int k = 0; k < n; k++) d0[k] = d[k] = random_one(&seed), v0[k] = v[k] = random_one(&seed);
            hol__correction_tangent(t.c, d, v);
            hol_data_update(s.data, HOL_STAGE_POS);
            hol__csr_mul(&s.data->A, v, r);
            assert_true(hol__norm(r, m) < 1e-12);
            hol__csr_mul(&s.data->A, d, r);
            assert_true(hol__norm(r, s.m.model->mh) < 1e-12);
            for (int k = 0; k < n; k++) d[k] -= d0[k], v[k] -= v0[k];
            assert_true(along_constraints(s.data, s.m.model->mh, type->mass_weighted, d) < 1e-12);
            assert_true(along_constraints(s.data, m, type->mass_weighted, v) < 1e-12);
            free(d);
            trial_close(&t);
        }
        stage_close(&s);
    }
}

/* ---- assembly ---- */

/* A four-bar whose bars are drawn anywhere near; their ends are points of the bars. */
static void put_loose_four_bar(mech_text *to, const char *crank, const char *coupler) {
    put(to, "holonom: 1\nspace: planar\nbodies:\n"
            "  crank: {mass: 1, inertia: 0.3, position: [0.1, -0.2], angle: 1.1, com: [1, 0]%s}\n"
            "  coupler: {mass: 2.25, inertia: 2, position: [1.3, 1.5], angle: 0.3, com: [2, 0]%s}\n"
            "  follower: {mass: 2.2, inertia: 1.35, position: [2.3, 0.2], angle: 0.9, com: [2, 0]}\n"
            "joints:\n"
            "  A: {type: revolute, bodies: [ground, crank], at: [0, 0], at_second: {body: crank, at: [0, 0]}}\n"
            "  B: {type: revolute, bodies: [crank, coupler], at: {body: crank, at: [2, 0]}, at_second: {body: coupler, at: [0, 0]}}\n"
            "  C: {type: revolute, bodies: [coupler, follower], at: {body: coupler, at: [4, 0]}, at_second: {body: follower, at: [4, "
            "0]}}\n"
            "  D: {type: revolute, bodies: [follower, ground], at: {body: follower, at: [0, 0]}, at_second: [2.5, 0]}\n",
        crank, coupler);
}

static int has_message(const hol_context *ctx, hol_severity severity, const char *element, const char *words, int line) {
    for (int i = 0; i < hol_message_count(ctx); i++) {
        const hol_message *m = hol_message_get(ctx, i);
        if (m->severity == severity && strstr(m->text, words) && (!element || (m->element && strcmp(m->element, element) == 0)) &&
            (line == 0 || (m->where.line == line && m->where.file && strcmp(m->where.file, "test.yaml") == 0)))
            return 1;
    }
    return 0;
}

/* Residuals after assembly: below the tolerance, or at rest at rounding: 1e-13 of a size of 4. */
static void check_closed(hol_sim *sim) {
    const hol_model *model = hol_sim_data(sim)->model;
    assert_true(hol__norm(hol_data_position_residual(hol_sim_data(sim)), model->mh) < 4e-13);
    assert_true(hol__norm(hol_data_velocity_residual(hol_sim_data(sim)), model->m) < 4e-12);
}

static void test_assembly_closes(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    for (int fixed = 0; fixed < 2; fixed++) {
        mech_text text = {.used = 0};
        put_loose_four_bar(&text, fixed ? ", fix: [angle], omega: 1.7" : ", omega: 1.7", "");
        mech m = mech_open(text.text);
        hol_sim *sim = hol_sim_new(m.model);
        if (!sim) fail_with_messages(m.ctx, text.text);
        hol_data *data = hol_sim_data(sim);
        check_closed(sim);
        const hol_sim_info info = hol_sim_describe(sim);
        assert_true(info.assembly_correction > 0.05 && info.assembly_correction < 2);
        assert_true(has_message(m.ctx, HOL_WARNING, "assembly", "moved the bodies by up to", 0));
        assert_int_equal(info.dof, 1);
        if (fixed) check_close(hol_data_q(data)[2], 1.1, 1e-9, "fixed angle", text.text);
        /* lengths of the loop: |B - A| = 2, |C - B| = 4, |C - D| = 4 by the joints; the crank turns as given */
        check_close(hol_data_v(data)[2], 1.7, 1e-8, "given rate", text.text);
        const hol_pose crank = hol_data_body_pose(data, 0), coupler = hol_data_body_pose(data, 1);
        check_close(crank.r[0], 0, 1e-12, "A", text.text);
        check_close(coupler.r[0], 2 * crank.R[0], 1e-12, "B", text.text);
        /* v_B = omega x AB */
        const hol_twist twist = hol_data_body_twist(data, 1);
        check_close(twist.v[0], -1.7 * coupler.r[1], 1e-7, "velocity of B", text.text);
        check_close(twist.v[1], 1.7 * coupler.r[0], 1e-7, "velocity of B", text.text);
        hol_sim_free(sim);
        mech_close(&m);
    }
}

/* Of two bodies that are drawn apart and share a joint, the one with the large weight stays and the other comes. */
static void test_assembly_weights(void **state) {
    static const char *const format =
        "holonom: 1\nspace: %s\nbodies:\n"
        "  b1: {mass: 1.3, inertia: 0.2, position: %s%s}\n  b2: {mass: 0.7, inertia: 0.3, position: %s%s}\n"
        "joints:\n  J: {type: fixed, bodies: [b1, b2], at: {body: b1, at: %s}, at_second: {body: b2, at: %s}}\n";
    (void)state;
    if (!reads_yaml()) skip();
    for (int spatial = 0; spatial < 2; spatial++)
        for (int heavy = 0; heavy < 2; heavy++) {
            char text[1024];
            const char *far = spatial ? "[1.2, 0.4, -0.3]" : "[1.2, 0.4]", *near = spatial ? "[0.1, 0.2, 0]" : "[0.1, 0.2]";
            snprintf(text, sizeof text, format, spatial ? "spatial" : "planar", near, heavy ? "" : ", weight: 1e6", far,
                     heavy ? ", weight: 1e6" : "", near, near);
            mech m = mech_open(text);
            hol_sim *sim = hol_sim_new(m.model);
            if (!sim) fail_with_messages(m.ctx, text);
            check_closed(sim);
            const int w = m.model->coords->nq_body;
            double moved[2];
            for (int b = 0; b < 2; b++)
                moved[b] = hypot(hol_data_q(hol_sim_data(sim))[w * b] - m.model->q0[w * b],
                                 hol_data_q(hol_sim_data(sim))[w * b + 1] - m.model->q0[w * b + 1]);
            assert_true(moved[heavy] < 1e-5 && moved[!heavy] > 0.5);
            hol_sim_free(sim);
            mech_close(&m);
        }
}

/* Andrews' squeezer is drawn roughly, with the crank held. */
static void test_assembly_andrews(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    stage s = stage_open("a03_andrews.yaml", NULL);
    check_closed(s.sim);
    check_close(hol_data_q(s.data)[2], -0.0620, 1e-9, "beta", "a03_andrews.yaml");
    assert_int_equal(hol_sim_describe(s.sim).dof, 1);
    stage_close(&s);
}

/* The spatial slider-crank drawn apart and turned: the crank is held, the rest is found. */
static void test_assembly_spatial(void **state) {
    static const char *const text =
        "holonom: 1\nspace: spatial\nbodies:\n"
        "  crank: {mass: 0.12, inertia: [1e-4, 1e-4, 1e-5], position: [0, 0, 0.05], omega: [0, -6.2832, 0], fix: [x, y, z, rx, ry, rz]}\n"
        "  rod: {mass: 0.5, inertia: [4e-3, 4e-4, 4e-3], position: [0.02, 0.06, -0.04], orientation: {euler: [-0.9, 0.1, -0.2]}}\n"
        "  slider: {mass: 0.5, inertia: [1e-4, 1e-4, 1e-4], position: [0.01, 0.12, -0.14], orientation: {euler: [0.1, 0.05, -0.1]}}\n"
        "joints:\n"
        "  O: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 1, 0]}\n"
        "  T: {type: spherical, bodies: [crank, rod], at: [0, 0, 0.1], at_second: {body: rod, at: [0, -0.145, 0]}}\n"
        "  S: {type: universal, bodies: [slider, rod], at: {body: slider, at: [0, 0, 0]}, at_second: {body: rod, at: [0, 0.145, 0]}, "
        "axis: [0.1, 1, 0.1], axis_second: [1, 0.2, -0.1]}\n"
        "  guide: {type: generic, bodies: [ground, slider], at: [0, 0, -0.15], at_second: {body: slider, at: [0, 0, 0]}, axis: [0, 1, "
        "0], lock: [x, y, rx, ry, rz]}\n";
    (void)state;
    if (!reads_yaml()) skip();
    mech m = mech_open(text);
    hol_sim *sim = hol_sim_new(m.model);
    if (!sim) fail_with_messages(m.ctx, text);
    hol_data *data = hol_sim_data(sim);
    check_closed(sim);
    for (int k = 0; k < 7; k++) check_close(hol_data_q(data)[k], m.model->q0[k], 1e-9, "crank", text);
    const double omega = -6.2832;
    check_close(hol_data_v(data)[4], omega, 1e-8, "rate of the crank", text);
    const hol_pose slider = hol_data_body_pose(data, 2);
    /* the rod is 0.29 long, its tip at (0, 0, 0.1): y^2 + 0.25^2 = 0.29^2 */
    check_close(slider.r[1], sqrt(0.29 * 0.29 - 0.25 * 0.25), 1e-11, "slider", text);
    check_close(slider.r[2], -0.15, 1e-11, "slider", text);
    /* the tip moves with (omega z, 0, 0), across the rod: the slider rests at this instant */
    check_close(hol_data_body_twist(data, 2).v[1], 0, 1e-8, "speed of the slider", text);
    check_close(hol_data_body_twist(data, 0).v[0], 0.05 * omega, 1e-8, "speed of the crank", text);
    hol_sim_free(sim);
    mech_close(&m);
}

/* What cannot be closed is named: a follower that is too short, and fixed bodies that are too far apart. */
static void test_assembly_fails(void **state) {
    static const char *const too_short =
        "holonom: 1\nspace: planar\nbodies:\n"
        "  crank: {mass: 1, inertia: 0.3, along: [[0, 0], [1, 0]]}\n"
        "  follower: {mass: 1, inertia: 0.3, along: [[3, 0], [2.2, 0]]}\n"
        "joints:\n"
        "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
        "  B: {type: revolute, bodies: [crank, follower], at: [1, 0], at_second: [2.2, 0]}\n"
        "  D: {type: revolute, bodies: [follower, ground], at: [3, 0]}\n";
    static const char *const held =
        "holonom: 1\nspace: planar\nbodies:\n"
        "  block: {mass: 1, inertia: 0.3, position: [0.7, 0.4], fix: [x, y]}\n"
        "joints:\n"
        "  pin: {type: revolute, bodies: [ground, block], at: [0, 0], at_second: {body: block, at: [0, 0]}}\n";
    (void)state;
    if (!reads_yaml()) skip();
    mech m = mech_open(too_short);
    assert_null(hol_sim_new(m.model));
    /* at best the gap of 1.2 is shared among the joints; each that stays open is named with its place */
    assert_true(has_message(m.ctx, HOL_ERROR, "joint 'B'", "cannot be closed", 8));
    assert_true(has_message(m.ctx, HOL_ERROR, "joint 'B'", "translation x", 8));
    assert_false(has_message(m.ctx, HOL_ERROR, "joint 'B'", "translation y", 1));
    for (int i = 0; i < hol_message_count(m.ctx); i++)
        if (hol_message_get(m.ctx, i)->severity == HOL_ERROR) assert_int_equal(hol_message_get(m.ctx, i)->status, HOL_ERR_ASSEMBLY);
    mech_close(&m);

    m = mech_open(held);
    assert_null(hol_sim_new(m.model));
    assert_true(has_message(m.ctx, HOL_ERROR, "body 'block'", "a fixed coordinate had to move", 4) ||
                has_message(m.ctx, HOL_ERROR, "joint 'pin'", "cannot be closed", 6));
    mech_close(&m);
}

/* Velocities that the joints do not allow: given ones are changed with a warning, fixed ones are refused. */
static void test_velocities(void **state) {
    static const char *const format =
        "holonom: 1\nspace: planar\nbodies:\n"
        "  rod: {mass: 1, inertia: 0.3, along: [[0, 0], [1, 0]], velocity: [0.4, 0.9], omega: 1.3%s}\n"
        "joints:\n"
        "  pin: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n";
    (void)state;
    if (!reads_yaml()) skip();
    char text[512];
    snprintf(text, sizeof text, format, "");
    mech m = mech_open(text);
    hol_sim *sim = hol_sim_new(m.model);
    if (!sim) fail_with_messages(m.ctx, text);
    check_closed(sim);
    const double *v = hol_data_v(hol_sim_data(sim));
    assert_true(has_message(m.ctx, HOL_WARNING, "body 'rod'", "vx = 0.4 was changed to", 4));
    assert_true(has_message(m.ctx, HOL_WARNING, "body 'rod'", "vy = 0.9 was changed to", 4));
    /* nearest in the metric of mass and inertia: vx = 0, vy = omega/2, minimise (omega/2 - 0.9)^2 + 0.3 (omega - 1.3)^2 */
    const double omega = (0.45 + 0.39) / (0.25 + 0.3);
    check_close(v[2], omega, 1e-6, "nearest velocity", text);
    check_close(v[1], omega / 2, 1e-6, "nearest velocity", text);
    hol_sim_free(sim);
    mech_close(&m);

    snprintf(text, sizeof text, format, ", fix_velocity: [vx]");
    m = mech_open(text);
    assert_null(hol_sim_new(m.model));
    assert_true(has_message(m.ctx, HOL_ERROR, "body 'rod'", "the joints do not allow vx = 0.4", 4));
    mech_close(&m);

    /* a fixed one that can be met is met exactly, and the others give way */
    snprintf(text, sizeof text, format, ", fix_velocity: [omega]");
    m = mech_open(text);
    sim = hol_sim_new(m.model);
    if (!sim) fail_with_messages(m.ctx, text);
    check_close(hol_data_v(hol_sim_data(sim))[2], 1.3, 1e-8, "fixed velocity", text);
    check_close(hol_data_v(hol_sim_data(sim))[1], 0.65, 1e-8, "velocity that follows", text);
    hol_sim_free(sim);
    mech_close(&m);
}

/* One given rate determines all others, in the plane and in space, also with redundant constraints. */
static void test_one_rate(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    for (int i = 0; i < 2; i++) {
        stage s = i ? stage_open("slider_crank_spatial.yaml", NULL) : stage_open("twin", twin_text);
        check_closed(s.sim);
        assert_int_equal(hol_message_count_of(s.m.ctx, HOL_ERROR), 0);
        for (int k = 0; k < hol_message_count(s.m.ctx); k++)
            if (strstr(hol_message_get(s.m.ctx, k)->text, "was changed")) fail_msg("%s", hol_message_get(s.m.ctx, k)->text);
        check_close(hol_data_body_twist(s.data, 0).omega[i ? 1 : 2], i ? -6.2832 : 1.3, 1e-8, "given rate", s.name);
        /* the motion has one degree of freedom: the velocities are those of the run a moment later, in the same ratio */
        double *v = calloc((size_t)s.m.model->nv, sizeof *v), *q = calloc((size_t)s.m.model->nq, sizeof *q), *d = calloc((size_t)s.m.model->nv, sizeof *d);
        memcpy(v, hol_data_v(s.data), (size_t)s.m.model->nv * sizeof *v);
        memcpy(q, hol_data_q(s.data), (size_t)s.m.model->nq * sizeof *q);
        const double h = 1e-5;
        assert_int_equal(hol_sim_advance(s.sim, h), HOL_OK);
        s.m.model->coords->minus(s.m.model, hol_data_q(s.data), q, d);
        double scale = 1;
        for (int k = 0; k < s.m.model->nv; k++) scale = fmax(scale, fabs(v[k]));
        /* accelerations of up to 40 times the velocity scale: h^2/2 of them */
        for (int k = 0; k < s.m.model->nv; k++)
            if (!(fabs(d[k] / h - v[k]) < 40 * h * scale * 10)) fail_msg("%s: velocity %d is %g, the motion has %g", s.name, k, v[k], d[k] / h);
        free(v), free(q), free(d);
        stage_close(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corrections),     cmocka_unit_test(test_none_and_drift),   cmocka_unit_test(test_tangent),
        cmocka_unit_test(test_assembly_closes), cmocka_unit_test(test_assembly_weights), cmocka_unit_test(test_assembly_andrews),
        cmocka_unit_test(test_assembly_spatial), cmocka_unit_test(test_assembly_fails),  cmocka_unit_test(test_velocities),
        cmocka_unit_test(test_one_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_corrections.c: bringing a state onto the constraints after a step.
 *
 * Every correction, with every kernel that solves exactly, also with redundant constraints:
 *     afterwards Phi = 0 and A v = b to rounding, and a second run changes nothing beyond rounding
 *     the change is the smallest one: u^T W delta = 0 for all u with A u = 0, W = 1 or M
 *     (velocities: to rounding; positions: up to the square of the change, since the constraints
 *     are curved)
 *     with energy: the balance is that of the start
 */
#include "mechanism_stage.h"

/* ---- mechanisms ---- */

/* A driven mechanism with three degrees of freedom left. */
static const char *const driven_text =
    "holonom: 1\nspace: spatial\ngravity: [0.4, -1.1, -9.6]\nbodies:\n"
    "  shaft: {mass: 1.3, inertia: [0.07, 0.09, 0.04], position: [0.05, 0.02, 0.2], com: [0.01, "
    "0.03, 0.02]}\n"
    "  carriage: {mass: 0.8, inertia: [0.03, 0.02, 0.04, 0.004, 0.001, -0.002], position: [0.7, "
    "0.2, 0.3], orientation: {euler: "
    "[0.3, 0.2, -0.8]}, velocity: [0.9, 0.3, -0.2]}\n"
    "  bob: {mass: 0.6, inertia: [0.02, 0.025, 0.01], position: [1.1, 0.3, -0.5], omega: [0.7, "
    "-1.2, 2.1]}\n" SHAFT_JOINTS;

static const struct {
    const char *file, *text;
} subjects[] = {{"four_bar.yaml", NULL},    {"slider_crank_spatial.yaml", NULL},
                {"a04_bricard.yaml", NULL}, {"five_bar.yaml", NULL},
                {"twin", twin_text},        {"driven", driven_text}};

enum { SUBJECTS = sizeof subjects / sizeof *subjects };

/* ---- the null space of A, by elimination ---- */

/* A basis of {u: A u = 0} as columns of N (n x the returned number, row-major n x n storage):
 * elimination with complete pivoting; pivots below 1e-9 of the largest count as zero. A (m x n) is
 * destroyed. */
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

/* The largest |u^T W x| / (|u| |x|) over the basis of the null space of the first `rows` rows of A
 * at the state in data; W is M or the identity. */
static double along_constraints(hol_data *data, int rows, int mass_weighted, const double *x) {
    const int n = data->model->nv, m = data->model->m;
    double *A = calloc((size_t)(m * n), sizeof *A), *N = calloc((size_t)(n * n), sizeof *N),
           *Wx = calloc((size_t)n, sizeof *Wx), worst = 0;
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
        for (int j = 0; j < n; j++)
            dot += N[j * n + k] * Wx[j], size += N[j * n + k] * N[j * n + k];
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

static trial trial_open(stage *s, const hol__correction_type *type,
                        const hol__kernel_type *kernel_type) {
    const hol_model *m = s->m.model;
    const hol__kernel_options options = {.rank_tolerance = 1e-9};
    trial t = {.s = s, .type = type, .kernel_type = kernel_type};
    snprintf(t.what, sizeof t.what, "%s, correction %s, kernel %s", s->name, type->name,
             kernel_type->name);
    assert_int_equal(
        hol__kernel_new(s->m.ctx, kernel_type, &m->M, &s->data->A, &options, &t.kernel), HOL_OK);
    t.c = hol__correction_new(s->data, type, t.kernel, &options, residual_tolerance,
                              residual_tolerance);
    assert_non_null(t.c);
    assert_int_equal(hol__correction_complete(t.c, NULL, 2), HOL_OK);
    t.c->energy_limit = 0.5;
    t.c->engaged = 1;
    t.q0 = calloc((size_t)(2 * m->nq + 3 * m->nv), sizeof(double));
    t.q1 = t.q0 + m->nq, t.v0 = t.q1 + m->nq, t.v1 = t.v0 + m->nv, t.d = t.v1 + m->nv;
    return t;
}

/* The share of a change x that the correction may not make: what lies along the first `rows` rows
 * of A in its metric or, of a partitioned one, in the independent coordinates. */
static double forbidden_share(const trial *t, int rows, const double *x) {
    double w[64];
    if (!t->type->partitioned)
        return along_constraints(t->s->data, rows, t->type->mass_weighted, x);
    assert_true(t->c->completion->f > 0 && t->c->completion->f <= 64);
    hol__completion_project(t->c->completion, x, w);
    return hol__norm(w, t->c->completion->f) / hol__norm(x, t->s->m.model->nv);
}

static void trial_close(trial *t) {
    free(t->q0);
    hol__correction_free(t->c);
    hol__kernel_free(t->kernel);
}

/* Move the state off the constraints: positions by up to `by`, velocities by ten times that. Kept
 * in q0, v0. */
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
    /* a correction may rest where Newton's steps no longer halve the residual, up to 100
     * tolerances */
    if (!(Phi <= 100 * residual_tolerance && psi <= 100 * residual_tolerance))
        fail_msg("%s: residuals %g and %g remain", t->what, Phi, psi);
}

/* The change from (q0, v0) to the state in data is the smallest: positions up to the square of the
 * change. */
static void check_smallest(trial *t, double by) {
    hol_data *data = t->s->data;
    const hol_model *m = data->model;
    m->coords->minus(m, data->q, t->q0, t->d);
    /* curvatures up to some 30/m (levers of a few centimetres) times the change, some 5 by in
     * norm */
    const double positions = forbidden_share(t, m->mh, t->d);
    if (!(positions < 300 * by))
        fail_msg("%s: the change of positions has the share %g along the constraints", t->what,
                 positions);
    if (t->type->energy) return;
    for (int i = 0; i < m->nv; i++) t->d[i] = data->v[i] - t->v0[i];
    /* the change is 1e-4, known to 1e-15: 1e-10 with a condition of 10; penalties of 1e7 lose seven
     * digits more */
    const double velocities = forbidden_share(t, m->m, t->d);
    if (!(velocities < (t->type->kernel ? 1e-3 : 1e-9)))
        fail_msg("%s: the change of velocities has the share %g along the constraints", t->what,
                 velocities);
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
            fail_msg("%s: a second run moves direction %d by %g, its velocity by %g", t->what, i,
                     t->d[i], dv);
    }
}

static void check_correction(stage *s, const hol__correction_type *type,
                             const hol__kernel_type *kernel, uint64_t *seed) {
    const double by = 1e-5;
    hol_data *data = s->data, *start = hol_data_new(s->m.ctx, s->m.model);
    hol_data_copy(start, data);
    trial t = trial_open(s, type, kernel);
    t.c->balance = energy_of(data).balance;
    /* kernels learn on the constraints which rows are redundant; off them such rows look almost
     * independent */
    if (!type->partitioned) {
        assert_int_equal(hol__correction_factor(t.c, t.c->positions), HOL_OK);
        assert_int_equal(hol__correction_factor(t.c, t.c->velocities), HOL_OK);
    }
    for (int k = 0; k < 3; k++) {
        hol_data_copy(data, start);
        disturb(&t, by, seed);
        const hol_status status = hol__correction_run(t.c);
        if (status) fail_msg("%s: %s", t.what, hol_status_name(status));
        check_residuals(&t);
        check_smallest(&t, by);
        if (type->energy)
            check_close(energy_of(data).balance, t.c->balance, 1e-13, "energy balance", t.what);
        check_idempotent(&t);
    }
    trial_close(&t);
    hol_data_copy(data, start);
    hol_data_free(start);
}

/* Kernels that take redundant constraints where there are some, and solve exactly. */
static int fits(const stage *s, const hol__kernel_type *kernel) {
    if (kernel->flags & HOL__KERNEL_APPROXIMATE) return 0;
    return (kernel->flags & HOL__KERNEL_REDUNDANT) || sim_info(s->sim).n_redundant == 0;
}

static void test_corrections(void **state) {
    uint64_t seed = 88172645463325252u;
    int tried = 0;
    (void)state;
    if (!reads_yaml()) skip();
    for (int i = 0; i < SUBJECTS; i++) {
        stage s = stage_open(subjects[i].file, subjects[i].text);
        const int advance = strcmp(s.name, "twin") == 0 ? 0 : 1;
        /* away from the drawn position, where bodies rest or axes are parallel to the global
         * ones */
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

/* The correction "none" leaves the state alone; "drift" leaves it below its threshold and corrects
 * it above; "hybrid" acts when it is engaged. */
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

/* The tangent part: what a correction would remove is removed, and nothing else: A d = 0, W (d -
 * d0) in the range of A^T. */
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
            double *d = calloc((size_t)(4 * n + m), sizeof *d), *v = d + n, *d0 = v + n,
                   *v0 = d0 + n, *r = v0 + n;
            for (int k = 0; k < n; k++)
                d0[k] = d[k] = random_one(&seed), v0[k] = v[k] = random_one(&seed);
            hol__correction_tangent(t.c, d, v);
            hol_data_update(s.data, HOL_STAGE_POS);
            hol__csr_mul(&s.data->A, v, r);
            assert_true(hol__norm(r, m) < 1e-12);
            hol__csr_mul(&s.data->A, d, r);
            assert_true(hol__norm(r, s.m.model->mh) < 1e-12);
            for (int k = 0; k < n; k++) d[k] -= d0[k], v[k] -= v0[k];
            assert_true(forbidden_share(&t, s.m.model->mh, d) < 1e-12);
            assert_true(forbidden_share(&t, m, v) < 1e-12);
            free(d);
            trial_close(&t);
        }
        stage_close(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corrections),
        cmocka_unit_test(test_none_and_drift),
        cmocka_unit_test(test_tangent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

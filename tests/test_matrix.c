/* test_matrix.c: the terms of the equations of motion that the library hands out, against each
 * other, in every set of coordinates:
 *
 *     A v - b = psi     M v' + A^T lambda = Q     A v' = c     A R = 0     R^T R = 1
 *
 * and derivatives against differences of the terms. Sums of some ten products of numbers s round to
 * 10 eps s each; solutions are as good as the kernel makes them, 1e-10 of their terms with
 * redundant constraints.
 */
#include "mechanism_fixture.h"

/* A term of a data, both ways. */
typedef struct matrix {
    int rows, columns;
    double *x; /* row-major */
} matrix;

/* The dense copy, checked entry by entry against the compressed rows. */
static matrix term_of(hol_data *data, hol_term term) {
    hol_size size = {.size = sizeof size};
    assert_int_equal(hol_data_term_size(data, term, &size), HOL_OK);
    const int n = size.rows * size.columns;
    matrix m = {size.rows, size.columns, calloc((size_t)n + 1, sizeof(double))};
    double *seen = calloc((size_t)n + 1, sizeof *seen),
           *value = calloc((size_t)size.entries + 1, sizeof *value);
    int *start = calloc((size_t)size.rows + 1, sizeof *start),
        *column = calloc((size_t)size.entries + 1, sizeof *column);
    assert_int_equal(hol_data_term(data, term, m.x, n), HOL_OK);
    assert_int_equal(hol_data_term_rows(data, term, start, column, value, size.entries), HOL_OK);
    assert_int_equal(start[size.rows], size.entries);
    for (int i = 0; i < m.rows; i++)
        for (int k = start[i]; k < start[i + 1]; k++) {
            assert_true(column[k] >= 0 && column[k] < m.columns);
            assert_true(k == start[i] || column[k] > column[k - 1]);
            seen[i * m.columns + column[k]] = value[k];
        }
    for (int i = 0; i < n; i++) assert_true(seen[i] == m.x[i]);
    if (n) assert_int_equal(hol_data_term(data, term, m.x, n - 1), HOL_ERR_ARGUMENT);
    if (size.entries)
        assert_int_equal(hol_data_term_rows(data, term, start, column, value, size.entries - 1),
                         HOL_ERR_ARGUMENT);
    free(seen), free(value), free(start), free(column);
    return m;
}

/* y += s op(A) x and the largest term in it. */
static double add_product(const matrix *A, int transposed, double s, const double *x, double *y) {
    double largest = 0;
    for (int i = 0; i < A->rows; i++)
        for (int j = 0; j < A->columns; j++) {
            const double term = s * A->x[i * A->columns + j] * x[transposed ? i : j];
            y[transposed ? j : i] += term;
            largest = fmax(largest, fabs(term));
        }
    return largest;
}

static void check_zero(const double *x, int n, double tolerance, const char *what) {
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i]) <= tolerance))
            fail_msg("%s: %d is %g, the tolerance %g", what, i, x[i], tolerance);
}

/* The identities at a solved state. */
static void check_identities(hol_data *data, const char *what) {
    const hol_model_info about = model_info(data->model);
    const int n = about.n_v, m = about.n_constraints;
    matrix M = term_of(data, HOL_TERM_M), A = term_of(data, HOL_TERM_A),
           R = term_of(data, HOL_TERM_R), Phi = term_of(data, HOL_TERM_PHI),
           b = term_of(data, HOL_TERM_B), c = term_of(data, HOL_TERM_C),
           Q = term_of(data, HOL_TERM_Q);
    double *y = calloc((size_t)(n + m) + 1, sizeof *y);
    assert_true(M.rows == n && M.columns == n && A.rows == m && A.columns == n && R.rows == n);
    assert_true(Phi.rows == about.n_holonomic && b.rows == m && c.rows == m && Q.rows == n);
    for (int i = 0; i < Phi.rows; i++) assert_true(Phi.x[i] == hol_data_position_residual(data)[i]);
    /* A v - b - psi */
    double size = add_product(&A, 0, 1, hol_data_v(data), y);
    for (int i = 0; i < m; i++) y[i] -= b.x[i] + hol_data_velocity_residual(data)[i];
    check_zero(y, m, 1e-14 * (1 + size), what);
    /* M a + A^T lambda - Q */
    memset(y, 0, sizeof *y * (size_t)(n + m));
    size = add_product(&M, 0, 1, hol_data_acceleration(data), y);
    size = fmax(size, add_product(&A, 1, 1, hol_data_multipliers(data), y));
    for (int i = 0; i < n; i++) y[i] -= Q.x[i], size = fmax(size, fabs(Q.x[i]));
    check_zero(y, n, 1e-10 * (1 + size), what);
    /* A a - c */
    memset(y, 0, sizeof *y * (size_t)(n + m));
    size = add_product(&A, 0, 1, hol_data_acceleration(data), y);
    for (int i = 0; i < m; i++) y[i] -= c.x[i];
    check_zero(y, m, 1e-10 * (1 + size), what);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            const double lower = M.x[i * n + j], upper = M.x[j * n + i];
            assert_true(fabs(lower - upper) <=
                        1e-14 * (fabs(M.x[i * n + i]) + fabs(M.x[j * n + j])));
        }
    for (int k = 0; k < R.columns; k++) {
        double *r = calloc((size_t)n + 1, sizeof *r);
        for (int i = 0; i < n; i++) r[i] = R.x[i * R.columns + k];
        memset(y, 0, sizeof *y * (size_t)(n + m));
        add_product(&A, 0, 1, r, y);
        check_zero(y, m, 1e-9, what); /* rows that count as dependent may be off by 1e-9 */
        memset(y, 0, sizeof *y * (size_t)(n + m));
        add_product(&R, 1, 1, r, y);
        y[k] -= 1;
        check_zero(y, R.columns, 1e-13, what);
        free(r);
    }
    free(M.x), free(A.x), free(R.x), free(Phi.x), free(b.x), free(c.x), free(Q.x), free(y);
}

/* d(term)/dv along a direction against the derivative that is handed out. */
static void check_by_velocity(hol_data *data, hol_term term, hol_term derivative,
                              const char *what) {
    static const double h = 1e-3; /* terms are quadratic in v: central differences are exact */
    const hol_model_info about = model_info(data->model);
    const double t = hol_data_time(data);
    double *v = calloc((size_t)about.n_v + 1, sizeof *v),
           *d = calloc((size_t)about.n_v + 1, sizeof *d),
           *q = calloc((size_t)about.n_q + 1, sizeof *q);
    uint64_t seed = 975;
    memcpy(v, hol_data_v(data), sizeof *v * (size_t)about.n_v);
    memcpy(q, hol_data_q(data), sizeof *q * (size_t)about.n_q);
    for (int i = 0; i < about.n_v; i++) d[i] = random_one(&seed);
    matrix D = term_of(data, derivative), x[2];
    for (int k = 0; k < 2; k++) {
        double *moved = calloc((size_t)about.n_v + 1, sizeof *moved);
        for (int i = 0; i < about.n_v; i++) moved[i] = v[i] + (k ? h : -h) * d[i];
        hol_data_set(data, t, q, moved);
        x[k] = term_of(data, term);
        free(moved);
    }
    hol_data_set(data, t, q, v);
    double *y = calloc((size_t)D.rows + 1, sizeof *y);
    const double size = add_product(&D, 0, 1, d, y);
    double largest = size;
    for (int i = 0; i < D.rows; i++) {
        y[i] -= (x[1].x[i] - x[0].x[i]) / (2 * h);
        largest = fmax(largest, fabs(x[0].x[i]));
    }
    check_zero(y, D.rows, 1e-11 * (1 + largest / h * 1e-2), what);
    free(v), free(d), free(q), free(D.x), free(x[0].x), free(x[1].x), free(y);
}

/* Names of velocities are there, and differ. */
static void check_names(const hol_model *model) {
    char a[128], b[128];
    for (int i = 0; i < model->nv; i++) {
        assert_int_equal(hol_model_velocity_name(model, i, a, sizeof a), HOL_OK);
        assert_true(a[0] != '\0');
        for (int j = 0; j < i; j++) {
            hol_model_velocity_name(model, j, b, sizeof b);
            assert_string_not_equal(a, b);
        }
    }
    assert_int_equal(hol_model_velocity_name(model, model->nv, a, sizeof a), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_model_velocity_name(model, -1, a, sizeof a), HOL_ERR_ARGUMENT);
}

static void test_models(void **state) {
    static const char *const files[] = {
        "four_bar", "slider_crank_spatial", "a04_bricard", "pendulum", "bicycle", "heavy_top"};
    static const char *const sets[] = {"reference", "natural", "relative"};
    (void)state;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++)
        for (int k = 0; k < 3; k++) {
            char path[512], what[128];
            hol_context *ctx = hol_context_new();
            hol_spec *spec = hol_spec_new(ctx);
            snprintf(path, sizeof path, "%s/%s.yaml", HOLONOM_TEST_MODELS, files[f]);
            snprintf(what, sizeof what, "%s in %s coordinates", files[f], sets[k]);
            if (hol_spec_read_file(spec, path)) fail_with_messages(ctx, what);
            hol_model *model = hol_model_compile(ctx, spec, sets[k]);
            hol_sim *sim = model ? hol_sim_new(ctx, model, NULL) : NULL;
            if (!sim || hol_sim_advance(sim, 0.02)) fail_with_messages(ctx, what);
            hol_data *data = hol_sim_data(sim);
            check_identities(data, what);
            check_by_velocity(data, HOL_TERM_Q, HOL_TERM_Q_V, what);
            check_by_velocity(data, HOL_TERM_C, HOL_TERM_C_V, what);
            for (int term = HOL_TERM_K; term <= HOL_TERM_PHI_T; term++)
                free(term_of(data, (hol_term)term).x);
            check_names(model);
            assert_int_equal(hol_data_term(data, (hol_term)99, NULL, 0), HOL_ERR_ARGUMENT);
            hol_sim_free(sim);
            hol_model_free(model);
            hol_spec_free(spec);
            hol_context_free(ctx);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models)};
    return run_tests_of_models("matrix", tests);
}

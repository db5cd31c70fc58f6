/* test_tangent_solve.c: derivatives of accelerations and multipliers of every model, in every set
 * of coordinates, against differences of the solved equations of motion, with and without
 * stabilisation.
 *
 * A solution is off by rounding over the square of the smallest share that a constraint has of its
 * own (kernel.h, info.condition), and a difference with the step h = 5e-4 by 2/h of that, some
 * 1e-12 over the square: twice this and 5e-8 of the largest value are allowed. (Bricard's mechanism
 * is redundant where it is drawn, and nearly so where these states are.) Differences that change
 * with their step by more than 1e-6 say nothing: laws with kinks, and some of these nearly singular
 * states. Where a knot of a spline lies within their points, so that a derivative jumps there, a
 * derivative is known between those that are taken from the two sides.
 */
#define _POSIX_C_SOURCE 200809L
#include "tangent_fixture.h"

#include "kernel/kernel.h"

/* A state with a kernel that solves it. */
typedef struct solver {
    residual r;
    hol__kernel *kernel;
    hol__gains gains;
    double *cbar, *g1, *g0;
    double blur; /* relative error that is allowed */
} solver;

static hol_status solve(void *self, const double *f, const double *c, double *x, double *mu) {
    return hol__kernel_solve(self, f, c, x, mu);
}

/* a and lambda at the state in the data, into out. */
static void solve_state(solver *s, double *out) {
    const hol_model *m = s->r.model;
    hol_data *d = s->r.data;
    assert_int_equal(hol_data_update(d, HOL_STAGE_DYN), HOL_OK);
    hol__data_psi(d);
    for (int i = 0; i < m->m; i++)
        s->cbar[i] = d->c[i] - s->g1[i] * d->psi[i] - (i < m->mh ? s->g0[i] * d->Phi[i] : 0);
    assert_int_equal(hol__kernel_factor(s->kernel, hol__data_mass(d), &d->A), HOL_OK);
    assert_int_equal(hol__kernel_solve(s->kernel, d->Q, s->cbar, out, out + m->nv), HOL_OK);
}

/* The same moved by h along one direction. */
static void solve_at(solver *s, int by, int k, double h, double *out) {
    double *ignore = numbers(s->r.n);
    residual_at(&s->r, by, k, h, ignore);
    solve_state(s, out);
    free(ignore);
}

/* Derivatives by the step h, and how far those from the two sides are apart. */
static void slope(solver *s, int by, int k, double h, double *out, double *apart) {
    static const double weight[4] = {0, 0.75, -0.15, 1.0 / 60};
    static const double one_sided[4] = {-11.0 / 6, 3, -1.5, 1.0 / 3};
    const int n = s->r.model->nv + s->r.model->m;
    double *f = numbers(n);
    memset(out, 0, sizeof(double) * (size_t)n);
    memset(apart, 0, sizeof(double) * (size_t)n);
    for (int i = 0; i <= 3; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            solve_at(s, by, k, sign * i * h, f);
            for (int j = 0; j < n; j++) {
                out[j] += sign * weight[i] / h * f[j];
                apart[j] += one_sided[i] / h * f[j];
            }
        }
    free(f);
}

static void compare(solver *s, int by, int k, const double *a, const double *lambda,
                    const double *size, const char *what) {
    const hol_model *m = s->r.model;
    const int n = m->nv + m->m;
    const double scale = by == BY_Q && !hol__is_turn(m, k) ? m->length : 1;
    const double h = by == BY_Z ? 1e-5 : 1e-3 * scale;
    double *coarse = numbers(n), *fine = numbers(n), *apart = numbers(n);
    slope(s, by, k, h, coarse, apart);
    slope(s, by, k, 0.5 * h, fine, apart);
    for (int i = 0; i < n; i++) {
        const double found = i < m->nv ? a[i] : lambda[i - m->nv];
        const double error = fabs(coarse[i] - fine[i]), off = fabs(found - fine[i]),
                     most = size[i] / scale + fabs(fine[i]);
        checked++;
        if (error > 1e-6 * most) {
            skipped++;
            continue;
        }
        worst = fmax(worst, off / (most + 1e-300));
        if (!(off <= s->blur * most + 3 * error + fabs(apart[i])) && failures++ < 40)
            print_error("%s: value %d of %d by %c[%d]: %.15g, by differences %.15g +- %.1e, from "
                        "both sides %.1e apart\n",
                        what, i, n, "qvtz"[by], k, found, fine[i], error, apart[i]);
    }
    free(coarse);
    free(fine);
    free(apart);
}

static void check_solution(solver *s, hol__tangent *t, const char *what) {
    residual *r = &s->r;
    const hol_model *m = r->model;
    const int n = m->nv, rows = m->m, n_aux = m->n_aux;
    double *size = numbers(n + rows), *found = numbers(n + rows);
    hol__acceleration_tangent x = {numbers(n * n),     numbers(n * n),       numbers(n),
                                   numbers(n * n_aux), numbers(rows * n),    numbers(rows * n),
                                   numbers(rows),      numbers(rows * n_aux)};
    residual_put(r);
    solve_state(s, found);
    memcpy(r->data->a, found, sizeof(double) * (size_t)n);
    if (rows) memcpy(r->data->lambda, found + n, sizeof(double) * (size_t)rows);
    assert_int_equal(hol__tangent_update(t, r->data, HOL__PART_ALL), HOL_OK);
    assert_int_equal(hol__tangent_accelerations(t, &s->gains, solve, s->kernel, &x), HOL_OK);
    double most[2] = {0, 0};
    for (int i = 0; i < n + rows; i++) most[i >= n] = fmax(most[i >= n], fabs(found[i]));
    /* where nothing acts, what is left of rounding: eps/h of what cancels, 1e-5 of the blur */
    for (int i = 0; i < n + rows; i++) size[i] = most[i >= n] + 1e-5 * (1 + most[0] + most[1]);
    for (int j = 0; j < n; j++) {
        compare(s, BY_Q, j, x.a_q + j * n, x.lambda_q + j * rows, size, what);
        compare(s, BY_V, j, x.a_v + j * n, x.lambda_v + j * rows, size, what);
    }
    compare(s, BY_T, 0, x.a_t, x.lambda_t, size, what);
    for (int j = 0; j < n_aux; j++)
        compare(s, BY_Z, j, x.a_z + j * n, x.lambda_z + j * rows, size, what);
    double *const all[] = {x.a_q,      x.a_v,      x.a_t,      x.a_z, x.lambda_q,
                           x.lambda_v, x.lambda_t, x.lambda_z, size,  found};
    for (int i = 0; i < 10; i++) free(all[i]);
}

static void check_model(const char *file, const char *set, uint64_t *seed) {
    hol_context *ctx = hol_context_new();
    hol_model *model = tangent_model(ctx, file, set);
    if (model) {
        solver s = {.r = residual_open(ctx, model),
                    .cbar = numbers(model->m),
                    .g1 = numbers(model->m),
                    .g0 = numbers(model->m)};
        hol__tangent *t;
        assert_int_equal(hol__kernel_new(ctx, &hol__kernel_kkt, hol__data_mass(s.r.data),
                                         &s.r.data->A, NULL, &s.kernel),
                         HOL_OK);
        assert_int_equal(hol__tangent_new(s.r.data, &t), HOL_OK);
        for (int i = 0; i < 2; i++) {
            char what[256];
            snprintf(what, sizeof what, "%s in %s coordinates, state %d", file, set, i);
            for (int k = 0; i && k < model->m; k++)
                s.g1[k] = 3.1 + 0.37 * k, s.g0[k] = 4.7 - 0.1 * k;
            if (i) s.gains = (hol__gains){s.g1, s.g0};
            residual_random(&s.r, 0.02, seed);
            residual_put(&s.r);
            double *ignore = numbers(model->nv + model->m);
            solve_state(&s, ignore);
            free(ignore);
            const int before = failures, rank = s.kernel->info.rank;
            const double share = s.kernel->info.condition;
            s.blur = 5e-8 + 2e-12 / (share * share);
            if (rank == model->m) check_solution(&s, t, what);
            if (getenv("TANGENT_VERBOSE"))
                print_message("%-40s rank %d of %d, share %.1e, failures %d worst %.1e\n", what,
                              rank, model->m, share, failures - before, worst);
            worst = 0;
        }
        hol__tangent_free(t);
        hol__kernel_free(s.kernel);
        free(s.cbar);
        free(s.g1);
        free(s.g0);
        residual_close(&s.r);
    }
    hol_model_free(model);
    hol_context_free(ctx);
}

static void test_models(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    const int all = each_model(check_model, 2463534242884172645u);
    assert_int_equal(failures, 0);
    if (!all) return;
    assert_true(checked > 10000);
    assert_true(100 * skipped < checked);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_linearize_models.c: the linear equations of every model in every set of coordinates: the
 * perturbations keep to the constraints, their accelerations are those of differences of the
 * nonlinear equations, and all sets have the same eigenvalues. */
#define _POSIX_C_SOURCE 200809L
#include "tangent_fixture.h"

#include "analysis/linearize.h"

/* A model of models/ as it starts; NULL in sim where it does not run in these coordinates. */
static run open_model(const char *file, const char *set) {
    char settings[64];
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    snprintf(settings, sizeof settings, "coordinates=%s", set);
    return run_try(ctx, spec, run_read(spec, file), settings);
}

/* The state of s moved by h along perturbation k. */
static void put(const hol__small *s, hol_data *to, int k, double h, double *q, double *v,
                double *d) {
    const hol_model *m = s->model;
    const hol__perturb *p = &s->p;
    for (int i = 0; i < m->nv; i++) {
        d[i] = h * p->dq[k * p->nv + i];
        v[i] = s->data->v[i] + h * p->dv[k * p->nv + i];
    }
    m->coords->plus(m, s->data->q, d, q);
    hol_data_set(to, s->data->t, q, v);
    for (int i = 0; i < m->n_aux; i++) d[i] = s->data->aux[i] + (k == p->n_q + p->n_v + i ? h : 0);
    if (m->n_aux) hol__data_set_aux(to, d);
}

/* Differences of order six of a, Phi and psi along perturbation k, n_v + mh + m numbers; and how
 * far those from the two sides are apart. */
static void slope(const hol__small *s, hol_data *at, int k, double h, double *out, double *apart) {
    static const double weight[4] = {0, 0.75, -0.15, 1.0 / 60};
    static const double one_sided[4] = {-11.0 / 6, 3, -1.5, 1.0 / 3};
    const hol_model *m = s->model;
    double *q = numbers(m->nq), *v = numbers(m->nv), *d = numbers(m->nv + m->n_aux);
    memset(out, 0, sizeof(double) * (size_t)(m->nv + m->mh + m->m));
    memset(apart, 0, sizeof(double) * (size_t)(m->nv + m->mh + m->m));
    for (int i = 0; i <= 3; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            const double w = sign * weight[i] / h, side = one_sided[i] / h;
            put(s, at, k, sign * i * h, q, v, d);
            assert_int_equal(hol_data_solve(at), HOL_OK);
            hol__data_psi(at);
            for (int j = 0; j < m->nv; j++) out[j] += w * at->a[j], apart[j] += side * at->a[j];
            for (int j = 0; j < m->mh; j++) out[m->nv + j] += w * at->Phi[j];
            for (int j = 0; j < m->m; j++) out[m->nv + m->mh + j] += w * at->psi[j];
        }
    free(q);
    free(v);
    free(d);
}

/* One perturbation: what the step changes by more than 1e-6 of says nothing (a kink nearby); else
 * 5e-8 of the largest value and what the step changes is allowed, and what differs
 * from the two sides where a force begins to act, as in test_tangent_solve. */
static void compare(const hol__small *s, hol_data *at, int k, double blur, const char *what) {
    const hol_model *m = s->model;
    const hol__perturb *p = &s->p;
    const int n = m->nv + m->mh + m->m;
    double unit = 0, most = 0, *coarse = numbers(n), *fine = numbers(n), *apart = numbers(n);
    for (int i = 0; i < m->nv; i++)
        unit = fmax(
            unit, fmax(fabs(p->dq[k * p->nv + i]), fabs(p->dv[k * p->nv + i]) / fmax(s->rate, 1)) /
                      (hol__is_turn(m, i) ? 1 : m->length));
    const double h = unit > 0 ? 1e-3 / unit : 1e-5;
    slope(s, at, k, h, coarse, apart);
    slope(s, at, k, 0.5 * h, fine, apart);
    for (int i = 0; i < m->nv; i++) most = fmax(most, fabs(s->data->a[i]) * unit + fabs(fine[i]));
    most += 1e-5 * unit * s->rate * s->rate;
    for (int i = 0; i < n; i++) {
        const double wanted = i < m->nv ? s->a[k * m->nv + i] : 0,
                     size = i < m->nv ? most : unit * (1 + s->rate) * fmax(m->length, 1),
                     error = fabs(coarse[i] - fine[i]), off = fabs(wanted - fine[i]);
        checked++;
        if (error > 1e-6 * size) {
            skipped++;
            continue;
        }
        if (!(off <= blur * size + 3 * error + fabs(apart[i])) && failures++ < 20)
            print_error("%s: value %d of perturbation %d: %.12g, by differences %.12g +- %.1e\n",
                        what, i, k, wanted, fine[i], error);
    }
    free(coarse);
    free(fine);
    free(apart);
}

/* The eigenvalues of the set before this one. */
static struct {
    char file[128];
    hol__motion motion;
    int n, n_zero;
    double re[512], im[512], rate;
} last;

/* The same motion, zeros and eigenvalues as in the set before: eigenvalues may be badly
 * conditioned, so the sums of their first powers are compared, trace A and trace A^2. */
static void compare_sets(const char *file, const hol__small *s, const hol__spectrum *x) {
    if (x->n > 512) return;
    if (strcmp(last.file, file) == 0 && s->motion == HOL__MOTION_STATE)
        assert_int_equal(s->motion, last.motion); /* A of an instant is that of its coordinates */
    else if (strcmp(last.file, file) == 0) {
        double sums[2][2] = {{0}}, size = s->rate;
        for (int k = 0; k < x->n; k++) {
            sums[0][0] += x->re[k], sums[0][1] += last.re[k];
            sums[1][0] += x->re[k] * x->re[k] - x->im[k] * x->im[k];
            sums[1][1] += last.re[k] * last.re[k] - last.im[k] * last.im[k];
            size = fmax(size, hypot(x->re[k], x->im[k]));
        }
        assert_int_equal(x->n, last.n);
        assert_int_equal(s->motion, last.motion);
        if (x->n_zero != last.n_zero && s->motion != HOL__MOTION_STATE && failures++ < 20)
            print_error("%s: %d zeros, %d in other coordinates\n", file, x->n_zero, last.n_zero);
        for (int j = 0; j < 2; j++)
            if (!(fabs(sums[j][0] - sums[j][1]) <= 1e-7 * (j ? size * size : size)) &&
                failures++ < 20)
                print_error("%s: sum of eigenvalues to the power %d: %.12g and %.12g\n", file,
                            j + 1, sums[j][0], sums[j][1]);
    }
    snprintf(last.file, sizeof last.file, "%s", file);
    last.motion = s->motion;
    last.n = x->n;
    last.n_zero = x->n_zero;
    memcpy(last.re, x->re, sizeof(double) * (size_t)x->n);
    memcpy(last.im, x->im, sizeof(double) * (size_t)x->n);
}

static int answered;

static void check_model(const char *file, const char *set, uint64_t *seed) {
    char what[256];
    /* starts where it just touches: there the tangent is that of one side */
    if (strcmp(file, "elements/contact") == 0) return;
    run r = open_model(file, set);
    (void)seed;
    snprintf(what, sizeof what, "%s, %s", file, set);
    if (r.sim) {
        hol__small *s = NULL;
        hol__spectrum x;
        const hol_status status = hol__small_new(hol_sim_data(r.sim), 0, &s);
        if (status) { /* an answer, or an error that says why not */
            if (!run_last_error(r.ctx) && failures++ < 20) print_error("%s: nothing said\n", what);
        } else {
            answered++;
            hol_data *at_state = hol_data_new(r.ctx, s->model);
            assert_int_equal(hol_data_copy(at_state, s->data), HOL_OK);
            for (int k = 0; k < s->p.n && s->p.n <= 120; k++) compare(s, at_state, k, 5e-8, what);
            assert_int_equal(hol__small_spectrum(s, NULL, &x), HOL_OK);
            compare_sets(file, s, &x);
            hol_data_free(at_state);
        }
        hol__small_free(s);
    }
    run_close(&r);
}

static void test_models(void **unused) {
    (void)unused;
    if (each_model(check_model, 5)) assert_true(answered > 250);
    print_message("%d models, %d values, %d without a smooth difference\n", answered, checked,
                  skipped);
    assert_int_equal(failures, 0);
    assert_true(skipped < checked / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models)};
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}

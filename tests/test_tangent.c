/* test_tangent.c: the tangents of every model, in every set of coordinates, against differences of
 * the whole pipeline. */
#define _POSIX_C_SOURCE 200809L
#include "tangent_fixture.h"

static int failures, checked, skipped;
static double worst;

/* One column against differences; rows: values and their scale. */
static int check_column(residual *r, int by, int k, const double *found, const double *size,
                        const char *what) {
    const hol_model *m = r->model;
    const double scale = by == BY_Q && !hol__is_turn(m, k) ? m->length : 1;
    const double h = by == BY_Z ? 1e-5 : 2e-3 * scale;
    double *coarse = numbers(r->n), *fine = numbers(r->n);
    int kinks = 0;
    residual_slope(r, by, k, h, coarse);
    residual_slope(r, by, k, 0.5 * h, fine);
    for (int i = 0; i < r->n; i++) {
        const double error = fabs(coarse[i] - fine[i]), off = fabs(found[i] - fine[i]);
        const double allowed = 1e-8 * (size[i] / scale + fabs(fine[i])) + 3 * error;
        checked++;
        if (error > 1e-6 * (size[i] / scale + fabs(fine[i]))) {
            kinks++;
            skipped++;
            continue;
        }
        worst = fmax(worst, off / (size[i] / scale + fabs(fine[i]) + 1e-300));
        if (!(off <= allowed)) {
            if (failures++ < 40)
                print_error("%s: value %d of %d by %c[%d]: %.15g, by differences %.15g +- %.1e\n",
                            what, i, r->n, "qvtz"[by], k, found[i], fine[i], error);
        }
    }
    free(coarse);
    free(fine);
    return kinks;
}

/* Column j of a sparse matrix. */
static void column_of(const hol__csr *A, int j, double *out) {
    for (int i = 0; i < A->rows; i++) {
        const int at = hol__csr_find(A, i, j);
        out[i] = at < 0 ? 0 : A->x[at];
    }
}

/* All columns at the state of the residual; returns how many values had a kink. */
static int check_state(residual *r, hol__tangent *t, const char *what) {
    const hol_model *m = r->model;
    double *found = numbers(r->n), *size = numbers(r->n);
    int kinks = 0;
    residual_put(r);
    assert_int_equal(hol__tangent_update(t, r->data, r->parts), HOL_OK);
    double *A = numbers(m->m * m->nv);
    hol__csr_to_dense(&r->data->A, A);
    residual_at(r, BY_T, 0, 0, size);
    double most[3] = {0};
    for (int i = 0; i < r->n; i++) {
        const int group = i < m->nv ? 0 : i < m->nv + 2 * m->m ? 1 : 2;
        most[group] = fmax(most[group], fabs(size[i]));
    }
    for (int i = 0; i < r->n; i++) size[i] = most[i < m->nv ? 0 : i < m->nv + 2 * m->m ? 1 : 2];
    double *c = found + m->nv, *psi = c + m->m, *z = psi + m->m;
    for (int j = 0; j < m->nv; j++) {
        column_of(&t->K, j, found);
        column_of(&t->Cq, j, c);
        column_of(&t->Pq, j, psi);
        for (int k = 0; k < m->n_aux; k++) z[k] = t->Rq[k * m->nv + j];
        kinks += check_column(r, BY_Q, j, found, size, what);
        if (!(r->parts & HOL__PART_FORCES)) continue;
        column_of(&t->B, j, found);
        column_of(&t->Cv, j, c);
        for (int i = 0; i < m->m; i++) psi[i] = A[i * m->nv + j];
        for (int k = 0; k < m->n_aux; k++) z[k] = t->Rv[k * m->nv + j];
        kinks += check_column(r, BY_V, j, found, size, what);
    }
    memcpy(found, t->F_t, sizeof(double) * (size_t)m->nv);
    memcpy(c, t->C_t, sizeof(double) * (size_t)m->m);
    memcpy(psi, t->P_t, sizeof(double) * (size_t)m->m);
    if (m->n_aux) memcpy(z, t->R_t, sizeof(double) * (size_t)m->n_aux);
    kinks += check_column(r, BY_T, 0, found, size, what);
    for (int j = 0; (r->parts & HOL__PART_FORCES) && j < m->n_aux; j++) {
        for (int i = 0; i < m->nv; i++) found[i] = t->Qz[i * m->n_aux + j];
        for (int i = 0; i < m->m; i++)
            c[i] = t->Cz[i * m->n_aux + j], psi[i] = t->Pz[i * m->n_aux + j];
        for (int i = 0; i < m->n_aux; i++) z[i] = t->Rz[i * m->n_aux + j];
        kinks += check_column(r, BY_Z, j, found, size, what);
    }
    free(A);
    free(found);
    free(size);
    return kinks;
}

static void check_model(const char *file, const char *set, uint64_t *seed) {
    hol_context *ctx = hol_context_new();
    hol_model *model = tangent_model(ctx, file, set);
    if (model && model->nv <= 60) {
        residual r = residual_open(ctx, model);
        hol__tangent *t;
        assert_int_equal(hol__tangent_new(r.data, &t), HOL_OK);
        static const double far[] = {0.03, 1e-4};
        static const int parts[] = {HOL__PART_ALL, HOL__PART_FORCES, HOL__PART_REACTIONS,
                                    HOL__PART_INERTIA};
        for (int i = 0; i < 5; i++) {
            char what[256];
            r.parts = parts[i % 4];
            residual_random(&r, far[i % 2], seed);
            snprintf(what, sizeof what, "%s in %s coordinates, state %d", file, set, i);
            const int before = failures;
            const int kinks = check_state(&r, t, what);
            if (getenv("TANGENT_VERBOSE") || kinks)
                print_message("%-40s kinks %d failures %d worst %.1e\n", what, kinks,
                              failures - before, worst);
            worst = 0;
        }
        hol__tangent_free(t);
        residual_close(&r);
    }
    hol_model_free(model);
    hol_context_free(ctx);
}

static void test_models(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    const int all = each_model(check_model, 88172645463325252u);
    assert_int_equal(failures, 0);
    if (!all) return;
    assert_true(checked > 500000);
    assert_true(200 * skipped < checked);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

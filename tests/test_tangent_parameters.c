/* test_tangent_parameters.c: derivatives by the parameters of model files and by what laws read,
 * against differences over descriptions in which the parameter was set to other values. */
#define _POSIX_C_SOURCE 200809L
#include "tangent_fixture.h"

#include "analysis/parameter_tangent.h"
#include "kernel/kernel.h"
#include "model/node.h"

static int parameters;

/* The values of the residual and of Phi with the parameter at a value. */
static void values_at(hol_context *ctx, const char *file, const char *set, const char *name,
                      double value, const residual *at, double *out) {
    char path[1024], text[64];
    hol_spec *spec = hol_spec_new(ctx);
    snprintf(path, sizeof path, "%s/%s.yaml", HOLONOM_TEST_MODELS, file);
    snprintf(text, sizeof text, "%.17g", value);
    assert_int_equal(hol_spec_read_file(spec, path), HOL_OK);
    snprintf(path, sizeof path, "parameters.%s", name);
    assert_int_equal(hol_spec_set(spec, path, text, "test"), HOL_OK);
    hol_model *model = hol_model_compile(ctx, spec, set);
    assert_non_null(model);
    const hol_model *m = at->model;
    residual r = residual_open(ctx, model);
    r.parts = HOL__PART_ALL;
    memcpy(r.q_at, at->q, sizeof(double) * (size_t)m->nq);
    memcpy(r.v_at, at->v, sizeof(double) * (size_t)m->nv);
    memcpy(r.a, at->a, sizeof(double) * (size_t)m->nv);
    if (m->m) memcpy(r.lambda, at->lambda, sizeof(double) * (size_t)m->m);
    if (m->n_aux) memcpy(r.z_at, at->z, sizeof(double) * (size_t)m->n_aux);
    if (m->n_memory) memcpy(r.data->memory, at->data->memory, sizeof(double) * (size_t)m->n_memory);
    if (m->n_angles)
        memcpy(r.data->angles_base, at->data->angles_base, sizeof(double) * (size_t)m->n_angles);
    residual_values(&r, at->t, out);
    memcpy(out + r.n, r.data->Phi, sizeof(double) * (size_t)m->mh);
    residual_close(&r);
    hol_model_free(model);
    hol_spec_free(spec);
}

/* One parameter at the state of r: differences of order six with two steps. */
static void check_parameter(hol_context *ctx, const char *file, const char *set, const char *name,
                            const hol_spec *spec, residual *r) {
    static const double weight[3] = {0.75, -0.15, 1.0 / 60};
    const hol_model *m = r->model;
    const int n = r->n + m->mh;
    hol__parameter_tangent *t;
    assert_int_equal(hol__parameter_tangent_new(ctx, spec, set, name, r->data, &t), HOL_OK);
    residual_put(r);
    assert_int_equal(hol_data_update(r->data, HOL_STAGE_DYN), HOL_OK);
    assert_int_equal(hol__parameter_tangent_update(t, r->data), HOL_OK);
    double *found = numbers(n), *f = numbers(n), *slope[2] = {numbers(n), numbers(n)};
    const double scale = t->value != 0 ? fabs(t->value) : 1;
    for (int s = 0; s < 2; s++)
        for (int i = -3; i <= 3; i++) {
            const double h = 1e-3 * scale * (s ? 0.5 : 1);
            if (!i) continue;
            values_at(ctx, file, set, name, t->value + i * h, r, f);
            for (int k = 0; k < n; k++)
                slope[s][k] += (i < 0 ? -1 : 1) * weight[abs(i) - 1] / h * f[k];
        }
    memcpy(found, t->by.F, sizeof(double) * (size_t)m->nv);
    memcpy(found + m->nv, t->by.C, sizeof(double) * (size_t)m->m);
    memcpy(found + m->nv + m->m, t->by.P, sizeof(double) * (size_t)m->m);
    if (m->n_aux) memcpy(found + m->nv + 2 * m->m, t->by.R, sizeof(double) * (size_t)m->n_aux);
    memcpy(found + r->n, t->by.Phi, sizeof(double) * (size_t)m->mh);
    double most = 0;
    for (int k = 0; k < n; k++) most = fmax(most, fabs(f[k]) / scale);
    for (int k = 0; k < n; k++) {
        const double error = fabs(slope[0][k] - slope[1][k]), off = fabs(found[k] - slope[1][k]);
        if (off > 1e-9 * most + 3 * error && failures++ < 20)
            print_error("%s in %s coordinates, %s, value %d: %.15g, by differences %.15g +- %.1e\n",
                        file, set, name, k, found[k], slope[1][k], error);
    }
    parameters++;
    free(found), free(f), free(slope[0]), free(slope[1]);
    hol__parameter_tangent_free(t);
}

static void check_model(const char *file, const char *set, uint64_t *seed) {
    char path[1024];
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    snprintf(path, sizeof path, "%s/%s.yaml", HOLONOM_TEST_MODELS, file);
    assert_int_equal(hol_spec_read_file(spec, path), HOL_OK);
    hol_model *model = hol_model_compile(ctx, spec, set);
    hol__node *section = hol__node_get(spec->root, "parameters");
    if (model && section && model->nv <= 24) {
        residual r = residual_open(ctx, model);
        residual_random(&r, 0.02, seed);
        int count = 0;
        for (hol__node *p = section->first; p && count < 3; p = p->next, count++)
            check_parameter(ctx, file, set, p->key, spec, &r);
        residual_close(&r);
    }
    hol_model_free(model);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

static void test_models(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    failures = 0;
    const int all = each_model(check_model, 5573589319906701683u);
    assert_int_equal(failures, 0);
    if (all) assert_true(parameters > 30);
}

/* ---- accelerations, inputs, errors ---- */

static const char *const text =
    "holonom: 1\nspace: planar\ngravity: [0.7, -9.3]\n"
    "parameters: {m: 1.37, l: 0.9, shift: 0, gain: 0}\nbodies:\n"
    "  b1: {mass: m, inertia: m*l^2/12, position: [l/2, 0.1], angle: 0.2, omega: 0.7}\n"
    "  b2: {mass: 0.83, inertia: 0.11, position: [1.4*l, 0.3], angle: -0.3}\njoints:\n"
    "  base: {type: revolute, bodies: [ground, b1], at: [0, 0.1]}\n"
    "  pin: {type: revolute, bodies: [b1, b2], at: [l, 0.2]}\n"
    "measures:\n  place: {type: position, body: b2}\nforces:\n"
    "  f: {type: force, body: b1, at: [l/3, 0.1], force: ['sin(1.3*(place.x + shift))', '0.4*t']}\n"
    "  g: {type: spring, bodies: [ground, b2], from: [0, 1], to: [1.4*l, 0.3], stiffness: '9 + "
    "(place.x + shift)^2'}\n"
    "  h: {type: pid, joint: base, proportional: 3, integral: gain}\n";

typedef struct scene {
    hol_context *ctx;
    hol_spec *spec;
    hol_model *model;
    residual r;
} scene;

static scene scene_open(const char *set) {
    scene s = {.ctx = hol_context_new()};
    s.spec = hol_spec_new(s.ctx);
    assert_int_equal(hol_spec_read_text(s.spec, text, "test.yaml"), HOL_OK);
    s.model = hol_model_compile(s.ctx, s.spec, set);
    assert_non_null(s.model);
    s.r = residual_open(s.ctx, s.model);
    return s;
}

static void scene_close(scene *s) {
    residual_close(&s->r);
    hol_model_free(s->model);
    hol_spec_free(s->spec);
    hol_context_free(s->ctx);
}

/* dQ/du of a column is the derivative by something that is added to it wherever a law reads it. */
static void test_inputs(void **state) {
    static const char *const sets[] = {"reference", "relative", "natural"};
    uint64_t seed = 8442974193847123u;
    (void)state;
    if (!run_reads_files()) skip();
    for (int k = 0; k < 3; k++) {
        scene s = scene_open(sets[k]);
        hol__tangent *t;
        hol__parameter_tangent *p;
        double out[16];
        residual_random(&s.r, 0.1, &seed);
        residual_put(&s.r);
        assert_int_equal(hol__tangent_new(s.r.data, &t), HOL_OK);
        assert_int_equal(hol__tangent_update(t, s.r.data, HOL__PART_ALL), HOL_OK);
        hol__tangent_by_column(t, hol_model_measure_index(s.model, "place.x"), out);
        assert_int_equal(hol__parameter_tangent_new(s.ctx, s.spec, sets[k], "shift", s.r.data, &p),
                         HOL_OK);
        assert_int_equal(hol__parameter_tangent_update(p, s.r.data), HOL_OK);
        double most = 0;
        for (int i = 0; i < s.model->nv; i++) most = fmax(most, fabs(out[i]));
        assert_true(most > 0.01);
        for (int i = 0; i < s.model->nv; i++)
            check_near("dQ/du", out[i], p->by.F[i], 1e-10 * (most + 10));
        hol__parameter_tangent_free(p);
        hol__tangent_free(t);
        scene_close(&s);
    }
}

static hol_status solve(void *self, const double *f, const double *c, double *x, double *mu) {
    return hol__kernel_solve(self, f, c, x, mu);
}

/* Accelerations by a mass: against those of the equations with other masses. */
static void test_accelerations(void **state) {
    uint64_t seed = 271828182845904523u;
    (void)state;
    if (!run_reads_files()) skip();
    scene s = scene_open("reference");
    hol_data *d = s.r.data;
    hol__kernel *kernel;
    hol__parameter_tangent *p;
    double a[2][16], lambda[16], a_p[16], lambda_p[16];
    residual_random(&s.r, 0.1, &seed);
    residual_put(&s.r);
    assert_int_equal(hol_data_update(d, HOL_STAGE_DYN), HOL_OK);
    assert_int_equal(
        hol__kernel_new(s.ctx, &hol__kernel_kkt, hol__data_mass(d), &d->A, NULL, &kernel), HOL_OK);
    assert_int_equal(hol__kernel_factor(kernel, hol__data_mass(d), &d->A), HOL_OK);
    assert_int_equal(hol__kernel_solve(kernel, d->Q, d->c, d->a, d->lambda), HOL_OK);
    assert_int_equal(hol__parameter_tangent_new(s.ctx, s.spec, "reference", "m", d, &p), HOL_OK);
    assert_int_equal(hol__parameter_tangent_update(p, d), HOL_OK);
    assert_int_equal(hol__parameter_accelerations(p, NULL, solve, kernel, a_p, lambda_p), HOL_OK);
    const double h = 1e-4;
    for (int i = 0; i < 2; i++) {
        char value[64];
        hol_spec *spec = hol_spec_new(s.ctx);
        assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
        snprintf(value, sizeof value, "%.17g", 1.37 + (i ? h : -h));
        assert_int_equal(hol_spec_set(spec, "parameters.m", value, "test"), HOL_OK);
        hol_model *model = hol_model_compile(s.ctx, spec, "reference");
        hol_data *other = hol_data_new(s.ctx, model);
        hol_data_set(other, s.r.t, s.r.q, s.r.v);
        memcpy(other->angles_base, d->angles_base, sizeof(double) * (size_t)model->n_angles);
        assert_int_equal(hol_data_update(other, HOL_STAGE_DYN), HOL_OK);
        assert_int_equal(hol__kernel_factor(kernel, hol__data_mass(other), &other->A), HOL_OK);
        assert_int_equal(hol__kernel_solve(kernel, other->Q, other->c, a[i], lambda), HOL_OK);
        hol_data_free(other);
        hol_model_free(model);
        hol_spec_free(spec);
    }
    /* central difference: h^2 a'''/6 over (1.37 kg)^3, and rounding 1e-15 |a|/h */
    for (int i = 0; i < s.model->nv; i++)
        check_near("da/dm", a_p[i], (a[1][i] - a[0][i]) / (2 * h), 1e-7 * (1 + fabs(a_p[i])));
    hol__parameter_tangent_free(p);
    hol__kernel_free(kernel);
    scene_close(&s);
}

/* An unknown name, and a value that makes another mechanism. */
static void test_errors(void **state) {
    static const struct {
        const char *name, *words;
    } wrong[] = {{"n", "no parameter 'n'"}, {"gain", "other coordinates or constraints"}};
    (void)state;
    if (!run_reads_files()) skip();
    for (int i = 0; i < 2; i++) {
        scene s = scene_open("reference");
        hol__parameter_tangent *p;
        int said = 0;
        assert_int_equal(
            hol__parameter_tangent_new(s.ctx, s.spec, "reference", wrong[i].name, s.r.data, &p),
            HOL_ERR_ARGUMENT);
        assert_null(p);
        for (int k = 0; k < hol_message_count(s.ctx); k++)
            said |= strstr(hol_message_get(s.ctx, k)->text, wrong[i].words) != NULL;
        assert_true(said);
        scene_close(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models), cmocka_unit_test(test_inputs),
                                       cmocka_unit_test(test_accelerations),
                                       cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

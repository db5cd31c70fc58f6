/* parameter_tangent.c: models with a parameter changed, and differences over them. See
 * parameter_tangent.h. */
#include "analysis/parameter_tangent.h"

#include "compile/compile.h"
#include "dyn/probe.h"
#include "model/path.h"

#include <math.h>
#include <string.h>

typedef struct hol__parameter_work {
    hol_context *ctx;
    double step;
    hol_model *model[HOL__STENCIL];
    hol_data *data[HOL__STENCIL];
    double *right, *multipliers; /* m */
} hol__parameter_work;

/* Share of the value that is a step; of a parameter that is 0 the step itself. */
static const double share = 1e-3;

static double *numbers(hol__arena *arena, int n) {
    return HOL__NEW_N(arena, double, n);
}

void hol__parameter_terms_init(hol__parameter_terms *t, const hol_model *m, hol__arena *arena) {
    t->F = numbers(arena, m->nv);
    t->C = numbers(arena, m->m);
    t->P = numbers(arena, m->m);
    t->Phi = numbers(arena, m->mh);
    t->R = numbers(arena, m->n_aux);
}

hol_status hol__why_not_made(const hol_context *ctx) {
    hol_status status = HOL_ERR_MEMORY;
    for (int i = 0; i < hol_message_count(ctx); i++) {
        const hol_message *message = hol_message_get(ctx, i);
        if (message->severity != HOL_ERROR) continue;
        status = message->status;
        if (status == HOL_ERR_MEMORY) return status;
    }
    return status;
}

hol_status hol__parameter_value(hol_context *ctx, const hol_spec *spec, const char *coordinates,
                                const char *name, double *value) {
    hol__shift shift = {.name = name};
    hol_model *model = hol__model_compile_shifted(ctx, spec, coordinates, &shift);
    const int compiled = model != NULL;
    hol_model_free(model);
    *value = shift.value;
    if (!compiled) return hol__why_not_made(ctx);
    if (shift.found) return HOL_OK;
    return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                       "the model has no parameter '%s'; name one of its section 'parameters'",
                       name);
}

double hol__parameter_step_at(double value, double part) {
    return (part > 0 ? part : share) * (value != 0 ? fabs(value) : 1);
}

hol_status hol__parameter_varies(const hol_model *model, const hol_spec *spec,
                                 const char *coordinates, const char *name, hol__arena *arena,
                                 int *varies, const char **why) {
    hol_context *quiet = hol__context_like(arena->ctx);
    double value = 0;
    hol_status status =
        quiet ? hol__parameter_value(quiet, spec, coordinates, name, &value) : HOL_ERR_MEMORY;
    *varies = status != HOL_OK && status != HOL_ERR_MEMORY; /* whoever asks for it says why */
    *why = "the model is another one then";
    for (int sign = 1; sign >= -1 && !status && !*varies; sign -= 2) {
        hol__shift shift = {.name = name, .by = sign * hol__parameter_step_at(value, 0)};
        hol_model *made = hol__model_compile_shifted(quiet, spec, coordinates, &shift);
        *varies = made && hol__models_are_alike(made, model);
        if (!made && hol__why_not_made(quiet) == HOL_ERR_MEMORY) status = HOL_ERR_MEMORY;
        hol_model_free(made);
    }
    for (int i = 0; quiet && i < hol_message_count(quiet); i++)
        if (hol_message_get(quiet, i)->severity == HOL_ERROR)
            *why = hol__arena_text(arena, hol_message_get(quiet, i)->text);
    hol_context_free(quiet);
    return status == HOL_ERR_MEMORY || !*why ? HOL_ERR_MEMORY : HOL_OK;
}

/* The model of point i of the difference, with a state of its own. */
static hol_status make_point(hol__parameter_tangent *t, const hol_spec *spec,
                             const char *coordinates, const char *name, int i) {
    hol__parameter_work *w = t->work;
    hol__shift shift = {.name = name, .by = hol__stencil[i].at * w->step};
    w->model[i] = hol__model_compile_shifted(w->ctx, spec, coordinates, &shift);
    if (!w->model[i]) return hol__why_not_made(w->ctx);
    if (!hol__models_are_alike(w->model[i], t->model)) {
        hol__report(w->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                    "parameter '%s': with the value %.10g the model has other coordinates or "
                    "constraints, so there is no derivative",
                    name, shift.value + shift.by);
        return HOL_ERR_ARGUMENT;
    }
    w->data[i] = hol_data_new(w->ctx, w->model[i]);
    return w->data[i] ? HOL_OK : HOL_ERR_MEMORY;
}

/* All points by a parameter, or by the number at a path as one. */
static hol_status make_points(hol__parameter_tangent *t, const hol_spec *spec,
                              const char *coordinates, const char *name) {
    hol__parameter_work *w = t->work;
    hol_spec *own = hol_spec_copy(w->ctx, spec);
    const char *key = name;
    hol_status status = own ? hol__path_parameter(own, name, &key) : HOL_ERR_MEMORY;
    if (!status) status = hol__parameter_value(w->ctx, own, coordinates, key, &t->value);
    w->step = hol__parameter_step_at(t->value, 0);
    for (int i = 0; i < HOL__STENCIL && !status; i++)
        status = make_point(t, own, coordinates, key, i);
    hol_spec_free(own);
    return status;
}

hol_status hol__parameter_tangent_new(hol_context *ctx, const hol_spec *spec,
                                      const char *coordinates, const char *name,
                                      const hol_data *data, hol__parameter_tangent **tangent) {
    const hol_model *m = data->model;
    *tangent = NULL;
    hol__parameter_tangent *t = hol__alloc(ctx, 1, sizeof *t);
    if (!t) return HOL_ERR_MEMORY;
    hol__arena_init(&t->arena, ctx);
    t->model = m;
    hol__parameter_terms_init(&t->by, m, &t->arena);
    t->work = HOL__NEW(&t->arena, hol__parameter_work);
    hol_status status = t->work ? HOL_OK : HOL_ERR_MEMORY;
    if (t->work) {
        t->work->ctx = ctx;
        t->work->right = numbers(&t->arena, m->m);
        t->work->multipliers = numbers(&t->arena, m->m);
    }
    if (!status) status = make_points(t, spec, coordinates, name);
    if (!status && t->arena.failed) status = HOL_ERR_MEMORY;
    if (status)
        hol__parameter_tangent_free(t);
    else
        *tangent = t;
    return status;
}

void hol__parameter_tangent_free(hol__parameter_tangent *t) {
    if (!t) return;
    hol_context *ctx = t->arena.ctx;
    for (int i = 0; t->work && i < HOL__STENCIL; i++) {
        hol_data_free(t->work->data[i]);
        hol_model_free(t->work->model[i]);
    }
    hol__arena_free(&t->arena);
    hol__release(ctx, t);
}

/* The state of data in a model that has other numbers. */
static hol_status put_state(const hol_data *data, hol_data *to) {
    hol__data_take_numbers(to, data);
    const hol_status status = hol_data_update(to, HOL_STAGE_DYN);
    if (!status) hol__data_psi(to);
    return status;
}

static void clear(double *x, int n) {
    if (n) memset(x, 0, sizeof(double) * (size_t)n);
}

void hol__parameter_terms_clear(hol__parameter_terms *t, const hol_model *m) {
    clear(t->F, m->nv);
    clear(t->C, m->m);
    clear(t->P, m->m);
    clear(t->Phi, m->mh);
    clear(t->R, m->n_aux);
}

void hol__parameter_terms_add(hol__parameter_terms *t, const hol_data *data, hol_data *at,
                              double weight) {
    const hol_model *m = data->model;
    hol__csr_mul_add(hol__data_mass(at), -weight, data->a, t->F);
    hol__csr_mul_t_add(&at->A, -weight, data->lambda, t->F);
    hol__csr_mul_add(&at->A, -weight, data->a, t->C);
    for (int i = 0; i < m->nv; i++) t->F[i] += weight * at->Q[i];
    for (int i = 0; i < m->m; i++) t->C[i] += weight * at->c[i], t->P[i] += weight * at->psi[i];
    for (int i = 0; i < m->mh; i++) t->Phi[i] += weight * at->Phi[i];
    for (int i = 0; i < m->n_aux; i++) t->R[i] += weight * at->aux_rate[i];
}

hol_status hol__parameter_tangent_update(hol__parameter_tangent *t, const hol_data *data) {
    hol__parameter_work *w = t->work;
    hol__parameter_terms_clear(&t->by, t->model);
    for (int i = 0; i < HOL__STENCIL; i++) {
        const hol_status status = put_state(data, w->data[i]);
        if (status) return status;
        hol__parameter_terms_add(&t->by, data, w->data[i], hol__stencil[i].weight / w->step);
    }
    return HOL_OK;
}

hol_data *hol__parameter_point(const hol__parameter_tangent *t, int i, double *shift) {
    *shift = hol__stencil[i].at * t->work->step;
    return t->work->data[i];
}

double hol__parameter_step(const hol__parameter_tangent *t) {
    return t->work->step;
}

hol_status hol__parameter_accelerations(hol__parameter_tangent *t, const hol__gains *gains,
                                        hol__solve_fn *solve, void *self, double *a,
                                        double *lambda) {
    const hol_model *m = t->model;
    hol__parameter_work *w = t->work;
    for (int i = 0; i < m->m; i++) {
        w->right[i] = t->by.C[i];
        if (gains && gains->g1) w->right[i] -= gains->g1[i] * t->by.P[i];
        if (gains && gains->g0 && i < m->mh) w->right[i] -= gains->g0[i] * t->by.Phi[i];
    }
    return solve(self, t->by.F, w->right, a, lambda ? lambda : w->multipliers);
}

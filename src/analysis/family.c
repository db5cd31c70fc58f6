/* family.c: neighbours of a run. See family.h. */
#include "analysis/family.h"

#include <math.h>
#include <string.h>

/* Four points on one side, in steps, with their weights. */
static const struct hol__stencil_point ahead[HOL__STENCIL] = {
    {1, 4}, {2, -3}, {3, 4.0 / 3}, {4, -0.25}};

/* Options of a simulation that makes no steps. */
static hol_status still(hol_options *options) {
    hol_status status = hol_options_set_choice(options, "tolerance_kind", "local");
    if (!status) status = hol_options_set_choice(options, "extremes", "off");
    return status;
}

/* One neighbour, started. */
static hol_status open_one(hol__family *f, const double *p, int j, double by, hol__neighbour *out) {
    out->by = by;
    hol_status status = hol__trial_open(f->goals, f->ctx, p, j, by, still, &out->trial);
    if (!status) status = hol_sim_advance(out->trial.sim, out->trial.sim->data->t);
    return status;
}

/* The neighbours of parameter j at so many steps h with these weights. */
static hol_status open_side(hol__family *f, const double *p, int j, double h,
                            const struct hol__stencil_point *points) {
    hol_status status = HOL_OK;
    f->rest[j] = 0;
    for (int i = 0; i < HOL__STENCIL && !status; i++) {
        hol__neighbour *x = hol__family_get(f, j, i);
        status = open_one(f, p, j, points[i].at * h, x);
        x->weight = points[i].weight / h;
        f->rest[j] -= x->weight;
    }
    if (points == hol__stencil) f->rest[j] = 0;
    for (int i = 0; i < HOL__STENCIL && status; i++) {
        hol__trial_close(&hol__family_get(f, j, i)->trial);
        hol__family_get(f, j, i)->trial = (hol__trial){0};
    }
    return status;
}

/* On both sides, or on the one where there are models. */
static hol_status open_parameter(hol__family *f, const double *p, int j, double h) {
    hol_status status = open_side(f, p, j, h, hol__stencil);
    if (status && status != HOL_ERR_MEMORY) status = open_side(f, p, j, h, ahead);
    if (status && status != HOL_ERR_MEMORY) status = open_side(f, p, j, -h, ahead);
    if (!status || status == HOL_ERR_MEMORY) return status;
    hol__context_take_messages(f->goals->own, f->ctx);
    return hol__report(f->goals->own, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                       "parameter '%s' = %.10g: the model cannot run with %.10g more nor with as "
                       "much less, so there is no derivative",
                       f->goals->parameters[j], p[j], h);
}

/* The start of a neighbour, to come back to. */
static hol_status keep_start(hol__family *f, hol__neighbour *x) {
    hol_sim *sim = x->trial.sim;
    x->memory = HOL__NEW_N(&f->arena, double, sim->data->model->n_memory + 1);
    x->size = hol_sim_state_size(sim);
    x->start = hol__arena_alloc(&f->arena, x->size + 1, 1);
    return x->memory && x->start ? hol_sim_state_save(sim, x->start, x->size) : HOL_ERR_MEMORY;
}

hol_status hol__family_reset(hol__family *f) {
    hol_status status = HOL_OK;
    f->split = f->beside = 0;
    f->latest = f->until = -INFINITY;
    for (int i = 0; i < f->n * HOL__STENCIL && !status; i++)
        status = hol_sim_state_load(f->all[i].trial.sim, f->all[i].start, f->all[i].size);
    return status;
}

hol_status hol__family_new(hol__goals *g, const double *p, double share, hol__family **out) {
    hol__family *f = *out = hol__alloc(g->ctx, 1, sizeof *f);
    if (!f) return HOL_ERR_MEMORY;
    hol__arena_init(&f->arena, g->ctx);
    f->goals = g;
    f->n = g->n_parameters;
    f->ctx = hol__context_like(g->ctx);
    f->all = HOL__NEW_N(&f->arena, hol__neighbour, f->n * HOL__STENCIL + 1);
    f->rest = HOL__NEW_N(&f->arena, double, f->n + 1);
    f->energy = HOL__NEW_N(&f->arena, double, f->n + 1);
    hol_status status = f->ctx && !f->arena.failed ? HOL_OK : HOL_ERR_MEMORY;
    for (int j = 0; j < f->n && !status; j++)
        status = open_parameter(f, p, j, hol__parameter_step_at(p[j], share));
    for (int i = 0; i < f->n * HOL__STENCIL && !status; i++) status = keep_start(f, &f->all[i]);
    if (!status && f->n) {
        f->room = HOL__NEW_N(&f->arena, double, f->all[0].trial.sim->data->model->nv + 1);
        if (!f->room) status = HOL_ERR_MEMORY;
    }
    if (!status) return HOL_OK;
    hol__family_free(f);
    *out = NULL;
    return status;
}

void hol__family_free(hol__family *f) {
    if (!f) return;
    hol_context *ctx = f->arena.ctx;
    for (int i = 0; f->all && i < f->n * HOL__STENCIL; i++) hol__trial_close(&f->all[i].trial);
    hol_context_free(f->ctx);
    hol__arena_free(&f->arena);
    hol__release(ctx, f);
}

hol_status hol__family_check(const hol__family *f, const hol_data *data) {
    for (int j = 0; j < f->n; j++)
        for (int i = 0; i < HOL__STENCIL; i++) {
            const hol__neighbour *x = hol__family_get(f, j, i);
            if (hol__models_are_alike(x->trial.sim->data->model, data->model)) continue;
            return hol__report(
                f->goals->own, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                "at t = %.9g, with parameter '%s' changed by %.3g, the mechanism has "
                "other coordinates or constraints, so there is no derivative",
                data->t, f->goals->parameters[j], x->by);
        }
    return HOL_OK;
}

hol_data *hol__family_put(const hol__family *f, int j, int i, const hol_data *data) {
    const hol__neighbour *x = hol__family_get(f, j, i);
    hol_data *to = x->trial.sim->data;
    hol__data_take_numbers(to, data);
    for (int k = 0; k < data->model->n_memory; k++) to->memory[k] += x->memory[k];
    return to;
}

void hol__family_start(const hol__family *f, hol_data *start, double *Y) {
    const hol_model *m = start->model;
    const double energy = hol__nudge_energy(start);
    const int nv = m->nv, n = 2 * nv + m->n_aux;
    memset(Y, 0, sizeof(double) * hol__area(n, f->n));
    for (int j = 0; j < f->n; j++) f->energy[j] = 0;
    for (int j = 0; j < f->n; j++)
        for (int i = 0; i < HOL__STENCIL; i++) {
            const hol__neighbour *x = hol__family_get(f, j, i);
            hol_data *at = x->trial.sim->data;
            double *y = Y + hol__area(j, n), *d = f->room;
            f->energy[j] += x->weight * (hol__nudge_energy(at) - energy);
            m->coords->minus(m, at->q, start->q, d);
            for (int k = 0; k < nv; k++) {
                y[k] += x->weight * d[k];
                y[nv + k] += x->weight * (at->v[k] - start->v[k]);
            }
            for (int k = 0; k < m->n_aux; k++)
                y[2 * nv + k] += x->weight * (at->aux[k] - start->aux[k]);
            for (int k = 0; k < m->n_memory; k++) x->memory[k] = at->memory[k] - start->memory[k];
        }
}

double hol__family_end(const hol__family *f, int j, double end) {
    double rate = 0;
    for (int i = 0; i < HOL__STENCIL; i++) {
        const hol__neighbour *x = hol__family_get(f, j, i);
        rate += x->weight * (x->trial.sim->options[HOL__OPT_END] - end);
    }
    return rate;
}

void hol__family_pass(hol__family *f, double t, double by) {
    f->split |= t - f->latest < by;
    f->until = t + by;
}

/* Forces and residuals of a neighbour, or of the run itself. */
static hol_status evaluate(hol_data *data) {
    const hol_status status = hol_data_update(data, HOL_STAGE_DYN);
    if (status) return status;
    hol__data_psi(data);
    return hol__data_forces(data) ? HOL_OK : HOL_NONFINITE;
}

/* The neighbour of parameter j that lies nearest to p on a side, twice as far where `second`; -1:
 * none. */
static int nearest(const hol__family *f, int j, int side, int second) {
    double least = INFINITY;
    for (int i = 0; i < HOL__STENCIL; i++) least = fmin(least, fabs(hol__family_get(f, j, i)->by));
    for (int i = 0; i < HOL__STENCIL; i++)
        if (fabs(hol__family_get(f, j, i)->by - side * (second ? 2 : 1) * least) < 1e-6 * least)
            return i;
    return -1;
}

/* All neighbours of parameter j at the numbers of data, and what each weighs in the difference, the
 * run itself last. Where some lie on the other side of a corner: two on the same side as the run,
 * to second order; 0: there are none. */
static hol_status look(const hol__family *f, int j, hol_data *data, double *weight, int *found) {
    int same[HOL__STENCIL], all = 1;
    hol_status status = evaluate(data);
    for (int i = 0; i < HOL__STENCIL && !status; i++) {
        hol_data *at = hol__family_put(f, j, i, data);
        status = evaluate(at);
        same[i] = !status && hol__nudge_same_sides(data, at);
        all &= same[i];
        weight[i] = hol__family_get(f, j, i)->weight;
    }
    weight[HOL__STENCIL] = f->rest[j];
    *found = 1;
    if (status || all) return status;
    for (int side = -1; side <= 1; side += 2) {
        const int first = nearest(f, j, side, 0), second = nearest(f, j, side, 1);
        if (first < 0 || second < 0 || !same[first] || !same[second]) continue;
        const double h = hol__family_get(f, j, first)->by;
        memset(weight, 0, sizeof *weight * HOL__STENCIL);
        weight[first] = 2 / h;
        weight[second] = -0.5 / h;
        weight[HOL__STENCIL] = -1.5 / h;
        return HOL_OK;
    }
    *found = 0;
    return HOL_OK;
}

hol_status hol__family_terms(hol__family *f, int j, hol_data *data, int inside,
                             hol__parameter_terms *terms) {
    double weight[HOL__STENCIL + 1];
    int found;
    hol__parameter_terms_clear(terms, data->model);
    const hol_status status = look(f, j, data, weight, &found);
    if (status) return status;
    for (int i = 0; i <= HOL__STENCIL; i++) {
        hol_data *at = i < HOL__STENCIL ? hol__family_get(f, j, i)->trial.sim->data : data;
        if (weight[i] != 0) hol__parameter_terms_add(terms, data, at, weight[i]);
    }
    f->split |= inside && (!found || data->t < f->until);
    f->beside |= inside && weight[0] != hol__family_get(f, j, 0)->weight;
    if (inside) f->latest = data->t;
    return HOL_OK;
}

hol_status hol__family_measures(const hol__family *f, int j, hol_data *data, hol__nudge *nudge,
                                double *out) {
    double weight[HOL__STENCIL + 1];
    int found;
    memset(out, 0, sizeof(double) * (size_t)data->model->n_columns);
    hol_status status = look(f, j, data, weight, &found);
    const double energy = nudge->works && !status ? hol__nudge_energy(data) : 0;
    for (int i = 0; i <= HOL__STENCIL && !status; i++) {
        const hol__neighbour *x = i < HOL__STENCIL ? hol__family_get(f, j, i) : NULL;
        hol_data *at = x ? x->trial.sim->data : data;
        if (weight[i] == 0) continue;
        /* W is what T + V has gained since the start */
        if (x && nudge->works)
            at->work = data->work + hol__nudge_energy(at) - energy - x->by * f->energy[j];
        status = hol__nudge_add(nudge, at, weight[i], out);
    }
    return status;
}

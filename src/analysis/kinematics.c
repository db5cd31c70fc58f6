/* kinematics.c: the motion of a driven mechanism over its output times. */
#include "analysis/actuated.h"
#include "analysis/kinematics.h"

#include "base/argument.h"

#include <math.h>
#include <string.h>

/* What of the options concerns a motion that is not integrated. */
static const char *const kept[] = {"start",    "end",           "output",   "units",
                                   "assemble", "coordinates",   "max_rows", "max_bytes",
                                   "extremes", "rank_tolerance"};

hol_sim *hol_kinematics_new(hol_context *ctx, const hol_model *model, const hol_options *options) {
    char value[4096];
    if (!ctx || hol__need(ctx, "hol_kinematics_new", "the model", model)) return NULL;
    hol_options *own = hol_options_new(ctx);
    hol_status status = own ? hol_options_set_choice(own, "method", "lagrange") : HOL_ERR_MEMORY;
    for (size_t i = 0; i < sizeof kept / sizeof *kept && options && !status; i++) {
        if (!hol_options_is_given(options, kept[i])) continue;
        const char *text = hol_options_text(options, kept[i], value, sizeof value);
        if (text) status = hol_options_set(own, kept[i], text, NULL);
    }
    hol_sim *sim = status ? NULL : hol_sim_new(ctx, model, own);
    hol_options_free(own);
    return sim;
}

/* Reactions that are not known. */
static void forget_loads(hol_data *data) {
    for (int i = 0; i < data->model->m; i++) data->lambda[i] = NAN;
    if (!hol__data_needs_twin(data) || hol__data_twin(data)) return;
    for (int i = 0; i < data->twin->model->m; i++) data->twin->lambda[i] = NAN;
}

/* Accelerations and loads at the state in data: those of the equations of motion, whose
 * accelerations are the driven ones; where they cannot be solved, or masses are missing, the driven
 * ones and no loads. */
static void solve_loads(hol__kinematics *k) {
    hol_data *data = k->sim->data;
    const hol_model *m = data->model;
    const double *a = k->follow->singular ? k->follow->trial.a : k->follow->at.a;
    const hol_status status = hol__data_accelerate(data);
    memcpy(data->a, a, sizeof(double) * (size_t)m->nv);
    hol__data_set_solved(data, HOL__SOLVED_METHOD);
    if (status || k->massless >= 0 || k->follow->singular) forget_loads(data);
}

/* All that is not conservative has done the work by which the energy has changed. */
static void set_work(hol__kinematics *k) {
    hol_data *data = k->sim->data;
    hol_energy e;
    data->work = 0;
    if (hol__data_energy(data, &e)) return;
    if (!k->taken) k->energy0 = e.kinetic + e.potential;
    data->work = e.kinetic + e.potential - k->energy0;
}

/* What it takes to drive each driver at the state in data. */
static void take_loads(hol__kinematics *k) {
    hol_data *data = k->sim->data;
    const int n = data->model->n_joints;
    for (int j = 0; j < n && k->how.loads; j++)
        if (hol__is_driver(data->model, j))
            k->loads[(size_t)k->taken * (size_t)n + (size_t)j] = -hol__data_multiplier(data, j, 0);
}

/* The state in data as a sample, and to whoever is called. */
static hol_status take(hol__kinematics *k) {
    hol_sim *sim = k->sim;
    hol_status status = hol_data_update(sim->data, HOL_STAGE_DYN);
    if (status) return status;
    set_work(k);
    status = hol__sim_watch(sim, !k->taken);
    if (status) return status;
    solve_loads(k);
    take_loads(k);
    if (!k->taken) hol__extremes_start(sim);
    hol__extremes_take(sim, 1);
    k->times[k->taken] = sim->data->t;
    status = hol__measure_all(sim->data, k->samples + (size_t)k->taken * (size_t)k->columns);
    k->taken++;
    if (status < 0) return status;
    return k->how.on_output ? k->how.on_output(k->how.user, sim) : HOL_OK;
}

/* A singular position that the last step went over. */
static hol_status note_singular(hol__kinematics *k) {
    const hol__follow *f = k->follow;
    hol_status status = HOL_OK;
    if (!f->crossed) return HOL_OK;
    if (k->n_singular < HOL__SINGULAR_KEPT) {
        k->singular[k->n_singular] = f->crossed_at;
        status = hol__kinematics_lost(k, &k->lost[k->n_singular]);
    }
    k->n_singular++;
    return status < 0 ? status : HOL_OK;
}

/* All output times. */
static hol_status go(hol__kinematics *k) {
    hol_sim *sim = k->sim;
    hol_status status = take(k);
    for (int i = 1; i < k->rows && !status; i++) {
        status = hol__kinematics_ahead(k, hol__sim_output_time(sim, i));
        if (status) return status;
        status = hol__follow_to(k->follow, hol__sim_output_time(sim, i));
        if (status == HOL_ERR_SINGULAR) {
            if (!hol__kinematics_ended(k, hol__sim_output_time(sim, i))) hol__kinematics_stuck(k);
            return status;
        }
        if (status) return hol__data_answer(sim->data, status);
        status = note_singular(k);
        if (!status) status = take(k);
    }
    return status;
}

/* Room for the samples; the grid of the output is that of a cycle, or of the options. */
static hol_status lay_out(hol__kinematics *k) {
    hol_sim *sim = k->sim;
    hol_status status = k->how.cycle ? hol__kinematics_cycle(k) : HOL_OK;
    if (status) return status;
    if (sim->options[HOL__OPT_OUTPUT] < 0) sim->options[HOL__OPT_OUTPUT] = 0;
    const double rows = hol_sim_rows(sim);
    if (!(rows * (k->columns + 1) < 1e8))
        return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "kinematics",
                           "%.6g output times are too many; set a larger `output`", rows);
    k->rows = (int)rows;
    k->times = HOL__NEW_N(&k->arena, double, k->rows);
    k->samples = HOL__NEW_N(&k->arena, double, (size_t)k->rows *(size_t)(k->columns + 1));
    if (k->how.loads)
        k->loads = HOL__NEW_N(&k->arena, double, (size_t)k->rows *(size_t)sim->model->n_joints + 1);
    return k->arena.failed ? HOL_ERR_MEMORY : HOL_OK;
}

/* From the assembled start to the end. */
static hol_status run(hol__kinematics *k) {
    hol_sim *sim = k->sim;
    hol_status status = hol__kinematics_check(k);
    if (!status)
        status = hol__follow_new(
            sim->data, sim->options[HOL__OPT_END] - sim->options[HOL__OPT_START], &k->follow);
    if (status > 0) status = hol__kinematics_stuck(k);
    if (!status) status = lay_out(k);
    if (!status) status = go(k);
    sim->end = status ? HOL_END_FAILED : HOL_END_TIME;
    return status;
}

hol_status hol_kinematics(hol_context *ctx, hol_sim *sim, const hol_kinematics_options *options,
                          hol_answer **out) {
    static const char call[] = "hol_kinematics";
    if (!ctx || hol__need(ctx, call, "the simulation", sim) ||
        hol__need(ctx, call, "the answer", out))
        return HOL_ERR_ARGUMENT;
    *out = NULL;
    hol__kinematics k = {.sim = sim, .massless = -1, .columns = sim->whole->n_columns};
    if (options)
        memcpy(&k.how, options, options->size < sizeof k.how ? options->size : sizeof k.how);
    if (sim->started || sim->end != HOL_END_RUNNING)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                           "the simulation has been run; make another with hol_kinematics_new");
    hol__arena_init(&k.arena, ctx);
    hol_answer *answer = hol__answer_of(ctx, "kinematics", "kinematics", sim->whole->name);
    hol_status status = answer ? run(&k) : HOL_ERR_MEMORY;
    if (!status) status = hol__kinematics_tell(&k, answer);
    hol__follow_free(k.follow);
    hol__arena_free(&k.arena);
    return answer ? hol__answer_finish(answer, status, out) : status;
}

/* sim.c: setting up a simulation, and taking steps.
 *
 * Everything is allocated in hol_sim_new. A step is: the integrator's step (with the correction
 * inside), the check for the stop, acceptance (the base point of the increments moves), and the
 * watch over residuals and energies.
 */
#include "base/argument.h"
#include "sim/step.h"

#include "common/clock.h"
#include "form/braun_goldfarb.h"

#include <math.h>
#include <string.h>

/* ---- setting up ---- */

/* Steps aim at this fraction of the tolerance, so that the error of the whole run stays near it. */
static const double safety = 0.05;

/* The angle by which a step may turn a body in space. */
static const double most_turn = 1.0;

/* What the integrator is told of the options. */
static hol__control control_of(const hol_sim *sim) {
    const double *o = sim->options;
    return (hol__control){.step = o[HOL__OPT_STEP],
                          .tolerance = safety * o[HOL__OPT_TOLERANCE],
                          .stated = sim->asked_tolerance,
                          .first = o[HOL__OPT_FIRST_STEP],
                          .max_step = o[HOL__OPT_MAX_STEP],
                          .max_steps = (long)o[HOL__OPT_MAX_STEPS]};
}

/* Redundant constraints stay redundant where an integrator's stage lies off the constraints, so a
 * mechanism that has them keeps the kernel's wide margin. Without them a small share means a
 * singular position nearby, where every digit of it counts. */
static hol__kernel_options kernel_options(const hol_sim *sim) {
    const double tolerance = sim->options[HOL__OPT_RANK_TOLERANCE];
    const int iterations = (int)sim->options[HOL__OPT_ITERATIONS];
    return (hol__kernel_options){
        .storage = (hol__storage)sim->options[HOL__OPT_STORAGE],
        .rank_tolerance = tolerance,
        .release_tolerance = sim->rank.n_redundant ? 0 : tolerance,
        .penalty = sim->options[HOL__OPT_PENALTY],
        .penalties = sim->model->gains[HOL__GAIN_PENALTY],
        .mass = hol__largest_mass(sim->model),
        .iteration_tolerance = iterations < 0 ? sim->options[HOL__OPT_ITERATION_TOLERANCE] : -1,
        .max_iterations = iterations < 0 ? 0 : iterations,
        .basis = sim->basis,
        .form = sim->nullspace_form,
        .uk_form = (hol__uk_form)sim->options[HOL__OPT_UK_FORM],
        .reactions = sim->reactions,
        .blocks = sim->data->local ? &sim->data->local->blocks : NULL,
        .cut = sim->cuts ? sim->cuts->row : NULL};
}

/* Why the equations cannot be solved at the start: the kernel cannot take the mass matrix, or what
 * the data says. */
static hol_status report_unsolvable(hol_sim *sim, hol_status status) {
    const hol_model *m = sim->model;
    if (status > 0 && !hol__data_has_singular_body(sim->data) && m->items && sim->kernel &&
        !(sim->kernel_type->flags & HOL__KERNEL_SINGULAR_MASS))
        return hol__report(
            sim->ctx, HOL_ERROR, HOL_ERR_SINGULAR, NULL, "equations of motion",
            "cannot be solved by the kernel '%s': in natural coordinates the mass matrix is "
            "singular where a body is flat or thin; take kernel kkt, or coordinates "
            "reference",
            sim->kernel_type->name);
    return hol__data_report_unsolvable(sim->data, status);
}

/* The equations solved once at the state in data, watched; first: at the start of a run. */
static hol_status solve_here(hol_sim *sim, int first) {
    hol__aside_reset(sim);
    hol__data_keep_angles(sim->data);
    hol__instants_start(sim);
    hol__form_reset_step(&sim->form);
    hol__hybrid_start(sim);
    hol__form_pack(&sim->form, sim->y);
    hol_status status = hol__sim_watch(sim, first);
    sim->form.balance = sim->correction->balance = sim->balance0;
    if (!status) hol__form_hold(&sim->form, 1);
    if (!status) status = hol__form_solve(&sim->form);
    return status ? report_unsolvable(sim, status) : HOL_OK;
}

/* The equations at the start. */
static hol_status first_solution(hol_sim *sim) {
    hol_status status = solve_here(sim, 1);
    hol__extremes_start(sim);
    if (!status) hol__extremes_take(sim, 0);
    if (!status) status = hol__sim_first_reading(sim);
    if (!status) status = hol__sim_read_corners(sim);
    if (!status) status = hol__integrator_start(sim->integ, sim->data->t, sim->y);
    return status ? status : hol__crossing_start(sim);
}

/* Whether M a = Q can be solved by recursion: an open tree, and nothing else that needs M. */
static int is_recursive(const hol_sim *sim) {
    return !sim->stepper->implicit && sim->model->coords->maps && sim->model->coords->maps->solve &&
           !sim->model->m && strcmp(sim->method->state, "dependent") == 0 &&
           (sim->kernel_type == &hol__kernel_kkt || sim->kernel_type == &hol__kernel_open_chain) &&
           sim->stabilizer->id != HOL__STABILIZER_BRAUN_GOLDFARB && !sim->correction_type->energy;
}

/* What the data has of its own for reactions, so that a run need not make it; also after another
 * data was copied onto it. */
static hol_status own_solver(hol_sim *sim, const hol__kernel_options *options) {
    hol_data *data = sim->data;
    hol__data_set_solving(data, options);
    hol_status status = data->analysed ? HOL_OK : hol__data_analyse(data);
    if (!status && !data->twin && hol__data_needs_twin(data)) status = hol__data_twin(data);
    return status < 0 ? status : HOL_OK; /* reactions that cannot be had are not a number */
}

/* Local coordinates in full, where they are asked for: all of them must be independent, which is
 * seen here at the start. */
static hol_status make_local(hol_sim *sim) {
    hol_data *data = sim->data;
    if (!(int)sim->options[HOL__OPT_LOCAL_COORDINATES]) return HOL_OK;
    hol__local_free(data->local); /* of the parts before, where joints come and go */
    data->local = hol__local_new(sim->ctx, sim->model);
    if (!data->local) return HOL_ERR_MEMORY;
    hol__data_set_q(data, data->t, NULL);
    hol_data_update(data, HOL_STAGE_POS);
    hol__basis *basis =
        hol__basis_new_local(&sim->arena, &data->local->blocks, sim->model->nv,
                             sim->options[HOL__OPT_RANK_TOLERANCE], HOL__RELEASE_TOLERANCE);
    if (!basis) return HOL_ERR_MEMORY;
    const hol_status status = hol__basis_factor(basis, &data->A);
    if (status <= 0) return status;
    const hol_location where = hol__sim_option_where(sim, HOL__OPT_LOCAL_COORDINATES);
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_INPUT, &where, "simulation",
                       "the %d local coordinates of the joints depend on each other over the %d "
                       "velocities of the model; take local_coordinates fewest",
                       data->local->blocks.k, sim->model->nv);
}

/* Where loops are opened, for the kernel that needs to know; in relative coordinates all rows close
 * loops. */
static hol_status make_cuts(hol_sim *sim) {
    if (sim->kernel_type != &hol__kernel_open_chain || sim->model->tree) return HOL_OK;
    sim->cuts = hol__cuts_new(sim->ctx, sim->model);
    return sim->cuts ? HOL_OK : HOL_ERR_MEMORY;
}

/* The kernel (none with recursion), the one that shows singular positions, and the twin for
 * reactions. */
static hol_status make_kernels(hol_sim *sim, const hol__kernel_options *options) {
    hol_data *data = sim->data;
    hol_status status = HOL_OK;
    if (!data->recursive) {
        hol__data_mass(data);
        status =
            hol__kernel_new(sim->ctx, sim->kernel_type, &data->M, &data->A, options, &sim->kernel);
    }
    if (status) return status;
    return own_solver(sim, options);
}

/* The formulation: state, gains and, where it has them, independent coordinates. */
static hol_status make_form(hol_sim *sim, const hol__kernel_options *options) {
    const double *o = sim->options;
    hol__step_gains by_step;
    hol_status status = hol__sim_step_gains(sim, &by_step);
    if (status) return status;
    const hol__form_options gains = {.step = o[HOL__OPT_STEP],
                                     .alpha = o[HOL__OPT_ALPHA],
                                     .beta = o[HOL__OPT_BETA],
                                     .step_gains = by_step,
                                     .held = sim->held,
                                     .adaptive = sim->gain_rule->id == HOL__GAINS_ADAPTIVE,
                                     .omega = o[HOL__OPT_OMEGA],
                                     .mu = o[HOL__OPT_MU],
                                     .penalty = o[HOL__OPT_PENALTY],
                                     .energy_limit = o[HOL__OPT_ENERGY_LIMIT],
                                     .threshold = o[HOL__OPT_THRESHOLD]};
    const hol__state_type *state = hol__state_find(sim->method->state);
    if (state->completed) {
        const int by_completion =
            strcmp(sim->method->kernel, "frame") == 0 && !(int)o[HOL__OPT_KERNEL];
        status = hol__form_complete(&sim->form, &sim->arena, sim->data, (int)sim->completion_basis,
                                    o[HOL__OPT_WATCH], by_completion);
    }
    if (!status)
        status = hol__form_init(&sim->form, &sim->arena, sim->data, sim->kernel, state,
                                sim->stabilizer->id, &gains);
    return status ? status : hol__braun_goldfarb_init(&sim->form, &sim->arena, options);
}

hol__correction *hol__sim_correction(hol_sim *sim, const hol__correction_type *type,
                                     hol__kernel *kernel, const hol__kernel_options *options) {
    const double *o = sim->options, length = fmax(1, sim->model->length);
    hol__correction *made = hol__correction_new(sim->data, type, kernel, options,
                                                o[HOL__OPT_POSITION_TOLERANCE] * length,
                                                o[HOL__OPT_VELOCITY_TOLERANCE] * length);
    return made;
}

/* The correction of the method and, where it has none, what it is lent over singular positions. */
static hol_status make_corrections(hol_sim *sim, const hol__kernel_options *options) {
    sim->correction = hol__sim_correction(sim, sim->correction_type, sim->kernel, options);
    if (!sim->correction) return HOL_ERR_MEMORY;
    sim->correction->energy_limit = sim->options[HOL__OPT_ENERGY_LIMIT];
    sim->correction->threshold = sim->options[HOL__OPT_THRESHOLD];
    sim->correction->full = (int)sim->options[HOL__OPT_NEWTON] == 1;
    hol_status status = hol__correction_complete(sim->correction, sim->form.completion,
                                                 sim->options[HOL__OPT_WATCH]);
    if (!status) status = hol__independent_give(sim);
    if (!status) status = hol__hybrid_init(sim);
    return status ? status : hol__crossing_lend(sim, options);
}

/* Everything that a run needs beside the data, for the choices made. */
static hol_status make_parts(hol_sim *sim) {
    hol_status status = make_local(sim);
    if (!status) status = make_cuts(sim);
    if (status) return status;
    hol__kernel_options options = kernel_options(sim);
    sim->data->recursive = is_recursive(sim);
    if (sim->data->recursive) sim->correction_type = hol__correction_get(0);
    status = hol__aside_init(sim, &options);
    if (!status) status = make_kernels(sim, &options);
    if (!status) status = make_form(sim, &options);
    if (!status) status = make_corrections(sim, &options);
    if (status) return status;
    sim->system = hol__sim_system(sim);
    const hol__control control = control_of(sim);
    status = hol__sim_make_derivatives(sim);
    if (status) return status;
    sim->integ = hol__integrator_new(sim->ctx, sim->stepper, &sim->system, &control);
    sim->y = HOL__NEW_N(&sim->arena, double, sim->form.n);
    sim->scales = HOL__NEW_N(&sim->arena, double, 2 * sim->model->nv);
    if (!sim->integ || sim->arena.failed) return HOL_ERR_MEMORY;
    status = hol__instants_init(sim);
    if (!status) status = hol__corners_init(sim);
    return status ? status : hol__crossing_init(sim);
}

/* A copy of the options, and their values. */
static hol_status read_options(hol_sim *sim, const hol_options *options) {
    sim->given = options ? hol_options_copy(sim->ctx, options) : hol_options_new(sim->ctx);
    if (!sim->given) return HOL_ERR_MEMORY;
    hol_status status = hol__sim_read_options(sim->given, sim->options);
    sim->asked_tolerance = sim->options[HOL__OPT_TOLERANCE];
    if (!status) status = hol__sim_read_units(sim);
    if (status || sim->options[HOL__OPT_END] >= sim->options[HOL__OPT_START]) return status;
    const hol_location where = hol__sim_option_where(sim, HOL__OPT_END);
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_INPUT, &where, "simulation",
                       "the end %g lies before the start %g", sim->options[HOL__OPT_END],
                       sim->options[HOL__OPT_START]);
}

/* The rank of the constraints at the state in data, and the parts of the run for it. */
static hol_status equip(hol_sim *sim) {
    const hol_model *m = sim->model;
    const hol__kernel_options solver = kernel_options(sim);
    sim->redundant = HOL__NEW_N(&sim->arena, unsigned char, m->m);
    sim->undetermined = HOL__NEW_N(&sim->arena, unsigned char, m->m);
    if (sim->arena.failed) return HOL_ERR_MEMORY;
    hol_status status = hol__sim_analyse(sim);
    if (!status && sim->rank.n_redundant) {
        status = hol__crossing_probe(sim, &solver);
        hol__sim_take_rank(sim);
    }
    if (!status) status = make_parts(sim); /* who solves for reactions knows which are unique */
    if (!status) status = hol__verdict_init(sim);
    return status ? status : hol__contradiction_init(sim);
}

/* Choose, assemble, analyse, and make the parts. */
static hol_status set_up(hol_sim *sim, const hol_options *options) {
    hol_status status = read_options(sim, options);
    if (!status) status = hol__sim_choose(sim);
    if (!status) status = hol__switching_init(sim);
    if (!status) status = hol__extremes_init(sim);
    if (status) return status;
    const hol_model *m = sim->model;
    sim->data = hol_data_new(sim->ctx, m);
    if (!sim->data) return HOL_ERR_MEMORY;
    hol__data_set_q(sim->data, sim->options[HOL__OPT_START], NULL);
    const hol__kernel_options solver = kernel_options(sim);
    status = hol__sim_place(sim, &solver);
    if (status > 0) status = report_unsolvable(sim, status);
    if (status) return status;
    status = equip(sim);
    if (!status) status = hol__contradiction_check(sim, HOL_ERR_ASSEMBLY);
    if (!status && sim->rank.n_redundant) hol__sim_report_redundant(sim);
    return status;
}

hol_sim *hol_sim_new(hol_context *ctx, const hol_model *model, const hol_options *options) {
    if (!ctx || hol__need(ctx, "hol_sim_new", "the model", model)) return NULL;
    hol_context *own = hol__context_child(ctx);
    hol_sim *sim = own ? hol__alloc(own, 1, sizeof *sim) : NULL;
    if (!sim) {
        hol_context_free(own);
        return NULL;
    }
    sim->ctx = own;
    sim->whole = sim->model = model;
    hol__arena_init(&sim->arena, own);
    hol__context_take_messages(own, model->own);
    if (set_up(sim, options) == HOL_OK) return sim;
    hol_sim_free(sim);
    return NULL;
}

/* Everything that make_parts made but the integrator. */
static void free_parts(hol_sim *sim) {
    hol__sim_free_derivatives(sim);
    hol__crossing_free(sim);
    hol__contradiction_free(sim);
    hol__correction_free(sim->correction);
    hol__braun_goldfarb_free(&sim->form);
    hol__kernel_free(sim->kernel);
    hol__cuts_free(sim->cuts);
    sim->cuts = NULL;
    hol__arena_free(&sim->arena);
}

void hol_sim_free(hol_sim *sim) {
    if (!sim) return;
    hol__integrator_free(sim->integ);
    free_parts(sim);
    hol_data_free(sim->data);
    hol_options_free(sim->given);
    hol__switching_free(sim);
    hol__extremes_free(sim);
    hol_context *own = sim->ctx;
    hol__release(own, sim);
    hol_context_free(own);
}

/* The parts are gone; what was counted by them stays, and crossings that were made. */
static void forget_parts(hol_sim *sim) {
    hol__counts *past = &sim->switching.past;
    past->factorizations += hol__sim_factorizations(sim);
    past->refinements += sim->kernel ? sim->kernel->info.refinements : 0;
    past->changes += hol__sim_coordinate_changes(sim);
    past->corrections += sim->correction ? sim->correction->count : 0;
    free_parts(sim);
    hol__arena_init(&sim->arena, sim->ctx);
    sim->correction = NULL;
    sim->kernel = NULL;
    sim->form = (hol__form){.evaluations = sim->form.evaluations};
    sim->hybrid.partitioned = 0;
    memset(&sim->crossing, 0, offsetof(hol__crossing, count));
    sim->aside = (hol__sim_aside){.given = sim->aside.given};
}

/* The first solution with new parts, at the state in data, and the integrator where the one before
 * left off. */
static hol_status go_on(hol_sim *sim, const hol__integrator *before) {
    hol_status status = solve_here(sim, 0);
    if (!status) status = hol__sim_read_corners(sim);
    if (!status) status = hol__integrator_start(sim->integ, sim->data->t, sim->y);
    if (!status) hol__integrator_succeed(sim->integ, before);
    return status ? status : hol__crossing_start(sim);
}

hol_status hol__sim_remake(hol_sim *sim) {
    hol__integrator_free(sim->integ);
    sim->integ = NULL;
    forget_parts(sim);
    hol_status status = hol__sim_choose(sim);
    if (!status) status = equip(sim);
    sim->broken = status != HOL_OK;
    if (status) sim->end = HOL_END_FAILED;
    return status;
}

hol_status hol__sim_check(const hol_sim *sim, const char *call) {
    if (!sim) return HOL_ERR_ARGUMENT;
    if (!sim->broken) return HOL_OK;
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                       "the simulation has failed for good (see the messages before); free it and "
                       "make another");
}

hol_status hol__sim_remake_parts(hol_sim *sim) {
    const hol__counts counts = sim->switching.past;
    hol__integrator_free(sim->integ);
    sim->integ = NULL;
    forget_parts(sim);
    sim->switching.past = counts;
    const hol_status status = equip(sim);
    sim->broken = status != HOL_OK;
    return status;
}

hol_status hol__sim_change_model(hol_sim *sim, const hol_model *model, hol_data *next) {
    hol__integrator *before = sim->integ;
    sim->integ = NULL;
    forget_parts(sim);
    sim->model = sim->whole;
    hol_status status = hol__sim_choose(sim);
    hol__data_exchange(sim->data, next);
    sim->model = model;
    if (!status) status = equip(sim);
    sim->broken = status != HOL_OK;
    if (!status) status = hol__contradiction_check(sim, HOL_ERR_TOLERANCE);
    if (!status) status = go_on(sim, before);
    if (!sim->integ) sim->integ = before;
    if (sim->integ != before) hol__integrator_free(before);
    return status;
}

hol_data *hol_sim_data(hol_sim *sim) {
    return sim ? sim->data : NULL;
}

const hol_options *hol_sim_options(const hol_sim *sim) {
    return sim ? sim->given : NULL;
}

hol_location hol__sim_option_where(const hol_sim *sim, int option) {
    return hol_options_where(sim->given, hol__sim_option_name(option));
}

const hol_model *hol_sim_model(const hol_sim *sim) {
    return sim ? sim->whole : NULL;
}

hol_context *hol_sim_context(const hol_sim *sim) {
    return sim ? sim->ctx : NULL;
}

void hol_sim_on_force(hol_sim *sim, hol_force_fn *fn, void *user) {
    if (!sim) return;
    sim->data->on_force = fn;
    sim->data->user = user;
    sim->started = 0;
    sim->other_forces = 1;
    sim->data->stage = sim->data->stage > HOL_STAGE_VEL ? HOL_STAGE_VEL : sim->data->stage;
    hol__data_stale(sim->data);
}

/* ---- stepping ---- */

/* Where conditions ask for it, other elements act from here on. */
static hol_status switch_sets(hol_sim *sim) {
    const hol_status status = sim->switching.fired ? hol__switching_run(sim) : HOL_OK;
    if (status) sim->end = HOL_END_FAILED;
    return status;
}

/* The first call of a run solves the equations at the start. */
static hol_status start(hol_sim *sim) {
    if (sim->data->model != sim->model)
        return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "hol_sim",
                           "its data was made a copy of one in which other joints and forces act; "
                           "go on from there with hol_sim_restart");
    if (sim->started) return HOL_OK;
    hol_status status = hol__sim_converge(sim);
    if (!status && sim->other_forces) status = hol__sim_make_derivatives(sim);
    if (status) return status;
    sim->other_forces = 0;
    status = first_solution(sim);
    if (status) return status;
    sim->started = 1;
    return switch_sets(sim);
}

/* Whether n numbers of the caller are finite; NULL: there are none. */
static hol_status check_numbers(const hol_sim *sim, const char *what, const double *x, int n) {
    hol_status status = HOL_OK;
    for (int i = 0; x && i < n && !status; i++)
        status = hol__need_finite(sim->ctx, "hol_sim_restart", what, x[i]);
    return status;
}

/* Whether a state of the caller's can be one. */
static hol_status check_state(const hol_sim *sim, double t, const double *q, const double *v) {
    hol_status status = hol__sim_check(sim, "hol_sim_restart");
    if (!status) status = hol__need_finite(sim->ctx, "hol_sim_restart", "the time", t);
    if (!status) status = check_numbers(sim, "a coordinate", q, sim->data->model->nq);
    return status ? status : check_numbers(sim, "a velocity", v, sim->data->model->nv);
}

hol_status hol_sim_restart(hol_sim *sim, double t, const double *q, const double *v) {
    hol_status status = check_state(sim, t, q, v);
    if (!status && sim->data->model != sim->model) status = hol__switching_adopt(sim);
    if (status) return status;
    hol_data_set(sim->data, t, q, v);
    sim->data->work = 0;
    const hol__kernel_options options = kernel_options(sim);
    status = own_solver(sim, &options);
    if (status) return status;
    hol__independent_restart(sim);
    sim->started = sim->crossing.at_start = 0;
    sim->end = HOL_END_RUNNING;
    status = hol__correction_run(sim->correction);
    if (!status) return hol__data_answer(sim->data, start(sim));
    if (status < 0) return status;
    return hol__report(
        sim->ctx, HOL_ERROR, HOL_ERR_ASSEMBLY, NULL, "restart",
        "the state at t = %.6g cannot be brought onto the constraints; where drivers or "
        "gears count full turns, copy the data of the run first (hol_data_copy)",
        t);
}

/* Give a recoverable failure that ran out of retries its place: the joint with the largest
 * residual. */
static hol_status fail(hol_sim *sim, hol_status status) {
    sim->end = HOL_END_FAILED;
    hol__data_report_culprit(sim->data, sim->data->culprit, sim->data->culprit_time);
    sim->data->culprit = NULL;
    hol__integrator_commit(sim->integ);
    hol__form_unpack(&sim->form, hol__integrator_time(sim->integ),
                     hol__integrator_state(sim->integ));
    if (status != HOL_ERR_SINGULAR) hol__crossing_name(sim, status);
    hol__contradiction_explain(sim, status);
    return hol__independent_explain(sim, status);
}

/* The latest end of a step in which no body of space turns by more than most_turn: increments of
 * rotation stay far from a half turn, where their logarithm jumps, and full turns of one body
 * against another can be counted. In the plane both do not matter; but where corners are watched,
 * what turns with a body must not come round between two samples of a step. */
static double turn_limit(const hol_sim *sim, double t_stop) {
    const hol_model *m = sim->model;
    double w2 = 0;
    if (sim->options[HOL__OPT_STEP] > 0 || (m->dim == 2 && !sim->corners.n)) return t_stop;
    for (int i = 0; i < m->nb; i++) {
        if (m->dim == 2) {
            const double turn =
                m->coords->maps ? sim->data->bodies.b2[i].w : sim->data->v[m->bw * i + 2];
            w2 = fmax(w2, turn * turn);
            continue;
        }
        const double *w =
            m->coords->maps ? sim->data->bodies.b3[i].w : sim->data->v + m->bw * i + 3;
        w2 = fmax(w2, w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    }
    return w2 > 0 ? fmin(t_stop, sim->data->t + most_turn / sqrt(w2)) : t_stop;
}

/* One step to t_soft at the latest, or to t_hard where it crosses a singular position. */
static hol_status step_to(hol_sim *sim, double t_soft, double t_hard) {
    const double most = fmin(turn_limit(sim, t_hard), sim->instants.limit);
    hol_status status = hol__crossing_step(sim, fmin(t_soft, most), most);
    if (!status) status = hol__sim_check_finite(sim);
    if (status) return fail(sim, status);
    if (sim->switching.n_watches || sim->corners.n) status = hol__sim_end_of_step(sim);
    return status ? fail(sim, status) : HOL_OK;
}

/* Make the step just taken the state of the simulation. */
static hol_status accept(hol_sim *sim) {
    sim->data->culprit = NULL; /* a shorter step has passed */
    hol__integrator_commit(sim->integ);
    hol__form_unpack(&sim->form, hol__integrator_time(sim->integ),
                     hol__integrator_state(sim->integ));
    hol__data_keep_angles(sim->data);
    hol_status status = hol__sim_watch(sim, 0);
    if (!status) hol__extremes_take(sim, 0);
    if (!status) hol__form_hold(&sim->form, 0);
    const int other = !status && sim->hybrid.on && hol__hybrid_accept(sim, &status);
    if (!status) status = hol__crossing_accept(sim);
    if (!status && (hol__form_renew(&sim->form, &status) || other)) {
        /* other independent coordinates, or other terms, from here on: the integrator starts anew
         * at this state */
        hol__form_pack(&sim->form, sim->y);
        status = hol__integrator_continue(sim->integ, sim->y);
    }
    return status ? fail(sim, status) : HOL_OK;
}

/* On behind the instants that were reached; what changes there may switch elements. */
static hol_status pass_instants(hol_sim *sim, double t_hard) {
    hol_status status = HOL_OK;
    do {
        status = hol__instants_pass(sim, t_hard);
        if (status) return fail(sim, status);
        if (!sim->switching.fired) break;
        status = switch_sets(sim);
    } while (!status);
    return status;
}

hol_status hol__sim_step(hol_sim *sim, double t_soft, double t_hard,
                         hol_status (*inside)(hol_sim *sim, void *user), void *user) {
    const double began = hol__clock_wall();
    hol_status status = start(sim);
    if (!status) status = pass_instants(sim, t_hard);
    if (status || sim->data->t >= t_soft || sim->end != HOL_END_RUNNING) return status;
    status = step_to(sim, t_soft, t_hard);
    if (status == HOL_ERR_TOLERANCE) hol__creep_stopped(sim);
    if (!status && inside && (t_soft == t_hard || sim->crossing.active)) status = inside(sim, user);
    if (!status) status = accept(sim);
    if (!status) status = switch_sets(sim);
    if (status) return status;
    status = hol__creep_watch(sim, hol__clock_wall() - began);
    if (status) sim->end = HOL_END_FAILED;
    return status;
}

/* A run that has failed goes on only from another state. */
static hol_status check_running(const hol_sim *sim, const char *call) {
    const hol_status bad = hol__sim_check(sim, call);
    if (bad || sim->end != HOL_END_FAILED) return bad;
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                       "the run has failed at t = %.6g; go on from another state with "
                       "hol_sim_restart or hol_sim_state_load",
                       sim->data->t);
}

hol_status hol__sim_explain(hol_sim *sim, int errors, hol_status status) {
    if (status <= 0) return status;
    if (hol_message_count_of(sim->ctx, HOL_ERROR) > errors) return HOL_ERR_TOLERANCE;
    return hol__data_report_unsolvable(sim->data, status);
}

hol_status hol_sim_step(hol_sim *sim) {
    static const char call[] = "hol_sim_step";
    const hol_status bad = check_running(sim, call);
    if (bad) return bad;
    const double end = sim->options[HOL__OPT_END];
    const int errors = hol_message_count_of(sim->ctx, HOL_ERROR);
    if (sim->data->t >= end || sim->end != HOL_END_RUNNING)
        return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                           "the run is over at t = %.6g (%s); there is no step left", sim->data->t,
                           hol_end_name(sim->end));
    const hol_status status = hol__sim_step(sim, end, end, NULL, NULL);
    if (!status && sim->end == HOL_END_RUNNING && sim->data->t >= end) sim->end = HOL_END_TIME;
    return hol__sim_explain(sim, errors, status);
}

hol_status hol_sim_advance(hol_sim *sim, double t) {
    static const char call[] = "hol_sim_advance";
    hol_status status = check_running(sim, call);
    if (status) return status;
    const int errors = hol_message_count_of(sim->ctx, HOL_ERROR);
    status = hol__need_finite(sim->ctx, call, "the time", t);
    if (!status) status = start(sim);
    while (!status && sim->data->t < t && sim->end == HOL_END_RUNNING)
        status = hol__sim_step(sim, t, t, NULL, NULL);
    if (!status) status = hol__form_solve(&sim->form);
    return hol__sim_explain(sim, errors, status);
}

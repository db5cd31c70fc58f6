/* make.c: the parts of a simulation: made from its options and the state at the start, and made
 * anew where options or the elements that act change.
 *
 * Everything is allocated here, so that a step allocates nothing.
 */
#include "sim/laws.h"
#include "sim/make.h"

#include "form/braun_goldfarb.h"
#include "kernel/penalty.h"

#include <math.h>
#include <string.h>

/* Steps aim at this fraction of the tolerance, so that the error of the whole run stays near it. */
static const double safety = 0.05;

/* What the integrator is told of the options. */
static hol__control control_of(const hol_sim *sim) {
    const double *o = sim->options;
    return (hol__control){.step = o[HOL__OPT_STEP],
                          .tolerance = safety * o[HOL__OPT_TOLERANCE],
                          .stated = sim->asked_tolerance,
                          .first = o[HOL__OPT_FIRST_STEP],
                          .max_step = o[HOL__OPT_MAX_STEP],
                          .max_steps = (long)o[HOL__OPT_MAX_STEPS],
                          .radius = o[HOL__OPT_SPECTRAL_RADIUS],
                          .radius_given = 1,
                          .watched = sim->stiff.watches && !sim->stiff.on};
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

/* A motion whose mass is lost in W + A^T alpha A. */
static hol_status report_too_light(hol_sim *sim) {
    const double penalty = sim->options[HOL__OPT_PENALTY];
    return hol__report(
        sim->ctx, HOL_ERROR, HOL_ERR_SINGULAR, NULL, "equations of motion",
        "cannot be solved by the kernel '%s' with a penalty of %g: a body or a motion that the "
        "constraints leave free has less than about %.0e of the largest mass, which is rounding "
        "beside the penalty; take kernel kkt, or a smaller penalty",
        sim->kernel_type->name, penalty, HOL__NORMAL_PIVOT * penalty);
}

/* The rows of the open chain are not independent: open_chain.c. */
static hol_status report_open_chain(hol_sim *sim) {
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_SINGULAR, NULL, "equations of motion",
                       "cannot be solved by the kernel 'open-chain': constraints of the chain that "
                       "is left when loops are opened depend on each other; open it further "
                       "('cut: true' in a joint or body), or take coordinates relative or "
                       "reference, or another method");
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
    if (status == HOL_SINGULAR && !hol__data_has_singular_body(sim->data) && sim->kernel &&
        hol__penalty_is(sim->kernel_type))
        return report_too_light(sim);
    if (status == HOL_SINGULAR && sim->kernel_type == &hol__kernel_open_chain &&
        !hol__data_has_singular_body(sim->data))
        return report_open_chain(sim);
    return hol__data_report_unsolvable(sim->data, status);
}

hol_status hol__sim_solve_here(hol_sim *sim, int first) {
    hol__aside_reset(sim);
    hol__data_keep_angles(sim->data);
    hol__instants_start(sim);
    hol__form_reset_step(&sim->form);
    hol__hybrid_start(sim);
    hol__pace_start(sim, first);
    hol__form_pack(&sim->form, sim->y);
    hol_status status = hol__sim_watch(sim, first);
    sim->form.balance = sim->correction->balance = sim->balance0;
    if (!status) hol__form_hold(&sim->form, 1);
    if (!status) status = hol__form_solve(&sim->form);
    return status ? report_unsolvable(sim, status) : HOL_OK;
}

int hol__sim_may_recurse(const hol_sim *sim) {
    return !sim->stepper->implicit && sim->model->coords->maps && sim->model->coords->maps->solve &&
           sim->state == &hol__state_dependent &&
           (sim->kernel_type == &hol__kernel_kkt || sim->kernel_type == &hol__kernel_open_chain) &&
           sim->stabilizer->id != HOL__STABILIZER_BRAUN_GOLDFARB && !sim->correction_type->energy;
}

int hol__sim_takes_root(const hol_sim *sim) {
    const int mechanical =
        sim->state == &hol__state_dependent || sim->state == &hol__state_canonical;
    return !sim->stepper->implicit && mechanical && hol__kernel_over_root(sim->kernel_type) &&
           (hol__storage)sim->options[HOL__OPT_STORAGE] == HOL__STORAGE_AUTO && !sim->data->local &&
           sim->stabilizer->id != HOL__STABILIZER_BRAUN_GOLDFARB && !sim->correction_type->energy &&
           !sim->correction_type->kernel && !sim->correction_type->partitioned &&
           hol__data_prefers_root(sim->data);
}

/* What the data has of its own for reactions, solved for with these options. */
static hol_status own_solver(hol_sim *sim, const hol__kernel_options *options) {
    hol_data *data = sim->data;
    hol__data_set_solving(data, options);
    hol_status status = data->analysed ? HOL_OK : hol__data_analyse(data);
    if (!status && !data->twin && hol__data_needs_twin(data)) status = hol__data_twin(data);
    return status < 0 ? status : HOL_OK; /* reactions that cannot be had are not a number */
}

hol_status hol__sim_own_solver(hol_sim *sim) {
    const hol__kernel_options options = kernel_options(sim);
    return own_solver(sim, &options);
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

/* Say that a kernel fills up whose size alone does not tell. */
static void warn_of_filling(hol_sim *sim) {
    const hol_location where = hol__sim_option_where(sim, HOL__OPT_KERNEL);
    if (sim->kernel && sim->kernel->info.work > HOL__FULL_WITHOUT_WARNING)
        hol__warn(sim->ctx, &where, "simulation",
                  "the kernel '%s' fills up: with %d constraints in %d velocities a factorisation "
                  "takes some %.1g multiplications; kernel kkt gives the same motion with sparse "
                  "matrices",
                  sim->kernel_type->name, sim->model->m, sim->model->nv, sim->kernel->info.work);
}

/* The kernel (none with recursion), the one that shows singular positions, and the twin for
 * reactions. */
static hol_status make_kernels(hol_sim *sim, const hol__kernel_options *options) {
    hol_data *data = sim->data;
    hol_status status = HOL_OK;
    if (!data->recursive) {
        status = data->by_root ? hol__data_hold_root(data) : hol__data_hold_mass(data);
        if (status) return status;
        status = hol__kernel_new(sim->ctx, sim->kernel_type,
                                 data->by_root ? hol__data_root(data) : hol__data_mass(data),
                                 &data->A, options, &sim->kernel);
        if (status == HOL_SINGULAR && sim->kernel_type == &hol__kernel_open_chain)
            return report_open_chain(sim);
    }
    if (status) return status;
    return own_solver(sim, options);
}

/* What momenta p = M v need. In natural coordinates M is singular where a body is flat or thin. */
static hol_status make_mass(hol_sim *sim, const hol__kernel_options *options) {
    hol_status status = hol__form_init_mass(&sim->form, options);
    if (status || !sim->form.mass) return status;
    status = hol__form_solve_mass(&sim->form, sim->form.p, sim->form.x);
    if (status <= 0) return status;
    const hol_location where = hol__sim_option_where(sim, HOL__OPT_DAE_FORM);
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_INPUT, &where, "simulation",
                       "momenta p = M v do not tell the velocities: the mass matrix is singular "
                       "in these coordinates; take coordinates reference, or dae_form index-2");
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
    const hol__state_type *state = sim->state;
    if (state->completed) {
        const int by_completion =
            strcmp(sim->method->kernel, "frame") == 0 && !(int)o[HOL__OPT_KERNEL];
        sim->form.state = state;
        status = hol__form_complete(&sim->form, &sim->arena, sim->data, (int)sim->completion_basis,
                                    o[HOL__OPT_WATCH], options->aside, by_completion);
    }
    if (!status)
        status = hol__form_init(&sim->form, &sim->arena, sim->data, sim->kernel, state,
                                sim->stabilizer->id, &gains);
    sim->form.code = sim->code;
    if (!status) status = make_mass(sim, options);
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

/* Without constraints every kernel solves M x = f and all velocities are independent, so that y is
 * (d, v) or, of canonical equations, (d, p): so where the recursion over a large tree takes the
 * place of its full M. */
static void take_bare_tree(hol_sim *sim) {
    const hol_model *m = sim->model;
    const int canonical = strncmp(sim->state->name, "canonical", 9) == 0;
    if (m->m || sim->stepper->implicit || sim->state == &hol__state_canonical_plain ||
        (hol__storage)sim->options[HOL__OPT_STORAGE] != HOL__STORAGE_AUTO ||
        (int)sim->options[HOL__OPT_INDEPENDENT] || !hol__data_prefers_root(sim->data))
        return;
    sim->state = canonical ? &hol__state_canonical : &hol__state_dependent;
    sim->kernel_type = &hol__kernel_kkt;
    sim->correction_type = hol__correction_get(0);
    sim->pace.on = 0;
}

/* Everything that a run needs beside the data, for the choices made. */
static hol_status make_parts(hol_sim *sim) {
    hol_status status = make_local(sim);
    if (!status) status = make_cuts(sim);
    if (status) return status;
    take_bare_tree(sim);
    hol__kernel_options options = kernel_options(sim);
    sim->data->recursive = !sim->model->m && hol__sim_may_recurse(sim);
    if (sim->data->recursive) sim->correction_type = hol__correction_get(0);
    sim->data->by_root = !sim->data->recursive && hol__sim_takes_root(sim);
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
    sim->kept = HOL__NEW_N(&sim->arena, double, sim->model->nq + 2 * sim->model->nv);
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

hol_status hol__sim_set_up(hol_sim *sim, const hol_options *options) {
    hol_status status = read_options(sim, options);
    if (!status) status = hol__sim_choose(sim);
    if (!status) status = hol__events_init(sim);
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
    if (!status) hol__laws_check(sim);
    if (!status) warn_of_filling(sim);
    return status;
}

void hol__sim_free_parts(hol_sim *sim) {
    hol__sim_free_derivatives(sim);
    hol__crossing_free(sim);
    hol__contradiction_free(sim);
    hol__correction_free(sim->correction);
    hol__braun_goldfarb_free(&sim->form);
    hol__kernel_free(sim->form.mass);
    hol__kernel_free(sim->kernel);
    hol__cuts_free(sim->cuts);
    sim->cuts = NULL;
    hol__arena_free(&sim->arena);
}

/* The parts are gone; what was counted by them stays, and crossings that were made. */
static void forget_parts(hol_sim *sim) {
    hol__counts *past = &sim->switching.past;
    past->factorizations += hol__sim_factorizations(sim);
    past->refinements += sim->kernel ? sim->kernel->info.refinements : 0;
    past->changes += hol__sim_coordinate_changes(sim);
    past->corrections += sim->correction ? sim->correction->count : 0;
    hol__sim_free_parts(sim);
    hol__arena_init(&sim->arena, sim->ctx);
    sim->correction = NULL;
    sim->kernel = NULL;
    sim->form = (hol__form){.evaluations = sim->form.evaluations,
                            .derivatives = sim->form.derivatives,
                            .beside_code = sim->form.beside_code};
    sim->hybrid.partitioned = 0;
    memset(&sim->crossing, 0, offsetof(hol__crossing, count));
    sim->aside = (hol__sim_aside){.given = sim->aside.given};
}

/* The first solution with new parts, at the state in data, and the integrator where the one before
 * left off. */
static hol_status go_on(hol_sim *sim, const hol__integrator *before) {
    hol_status status = hol__sim_solve_here(sim, 0);
    if (!status) status = hol__sim_read_corners(sim);
    if (!status) status = hol__integrator_start(sim->integ, sim->data->t, sim->y);
    if (!status) hol__integrator_succeed(sim->integ, before);
    return status ? status : hol__crossing_start(sim);
}

/* The same, and the integrator is gone. */
static void drop_parts(hol_sim *sim) {
    hol__integrator_free(sim->integ);
    sim->integ = NULL;
    forget_parts(sim);
}

hol_status hol__sim_remake(hol_sim *sim) {
    drop_parts(sim);
    hol_status status = hol__sim_choose(sim);
    if (!status) status = equip(sim);
    sim->broken = status != HOL_OK;
    if (status) sim->end = HOL_END_FAILED;
    return status;
}

hol_status hol__sim_remake_parts(hol_sim *sim) {
    const hol__counts counts = sim->switching.past;
    drop_parts(sim);
    sim->switching.past = counts;
    const hol_status status = equip(sim);
    sim->broken = status != HOL_OK;
    return status;
}

/* Other parts at the state in data, or in that of `next` for another model, which gets the old
 * one. */
static hol_status change(hol_sim *sim, const hol_model *model, hol_data *next) {
    hol__integrator *before = sim->integ;
    sim->integ = NULL;
    forget_parts(sim);
    sim->model = sim->whole;
    hol_status status = hol__sim_choose(sim);
    if (next) hol__data_exchange(sim->data, next);
    sim->model = model;
    if (!status) status = equip(sim);
    sim->broken = status != HOL_OK;
    if (!status) status = hol__contradiction_check(sim, HOL_ERR_TOLERANCE);
    if (!status) status = go_on(sim, before);
    if (!sim->integ) sim->integ = before;
    if (sim->integ != before) hol__integrator_free(before);
    return status;
}

hol_status hol__sim_change_model(hol_sim *sim, const hol_model *model, hol_data *next) {
    return change(sim, model, next);
}

hol_status hol__sim_change_integrator(hol_sim *sim) {
    return change(sim, sim->model, NULL);
}

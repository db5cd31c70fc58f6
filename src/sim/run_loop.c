/* run_loop.c: a whole run with its output times, and what it was made of. */
#include "sim/sim.h"

#include "base/give.h"
#include "common/clock.h"
#include "form/braun_goldfarb.h"
#include "sim/step.h"

#include <math.h>
#include <string.h>

/* The interval of the output: as given, or a thousandth of the run, in whole fixed steps. */
static double output_interval(const hol_sim *sim) {
    const double given = sim->options[HOL__OPT_OUTPUT], step = sim->options[HOL__OPT_STEP],
                 start = sim->options[HOL__OPT_START], end = sim->options[HOL__OPT_END],
                 late = fmax(fabs(start), fabs(end));
    /* times that are closer than this are the same number */
    const double part = fmax((end - start) / 1000, nextafter(late, INFINITY) - late);
    if (given > 0) return given;
    return step > 0 ? step * fmax(1, round(part / step)) : part;
}

/* Whether every accepted step is written. */
static int every_step(const hol_sim *sim) {
    return sim->options[HOL__OPT_OUTPUT] < 0;
}

/* Whether something is looked for along the steps: conditions, events, corners of laws, contacts.
 * Between two looks it may come and go. */
static int looks_along(const hol_sim *sim) {
    return sim->switching.n_watches || sim->switching.n_slots || sim->corners.n || sim->events.n;
}

/* Whether interpolated states are as good as those at the ends of steps: not of steps of a given
 * length, which have no tolerance to be held against; not of implicit formulas whose interpolant
 * the estimate does not hold, since stiff forces make a rattle of what is off by more than the
 * tolerance; and not where something is looked for, since outputs are where the user looks. */
static int interpolates(const hol_sim *sim) {
    const hol__stepper_type *type = sim->stepper;
    return !(sim->options[HOL__OPT_STEP] > 0) && (!type->implicit || type->dense_held) &&
           !looks_along(sim);
}

/* How states at output times come about. A history of steps is not cut short for them. */
static int output_mode(const hol_sim *sim) {
    const int given = (int)sim->options[HOL__OPT_OUTPUT_MODE];
    if (every_step(sim)) return HOL__OUTPUT_STEPS;
    if (sim->stepper->paces) return HOL__OUTPUT_DENSE;
    if (given != HOL__OUTPUT_AUTO) return given;
    return interpolates(sim) ? HOL__OUTPUT_DENSE : HOL__OUTPUT_LAND;
}

double hol__sim_output_time(const hol_sim *sim, long k) {
    const double start = sim->options[HOL__OPT_START], end = sim->options[HOL__OPT_END];
    const double interval = output_interval(sim);
    const double t = start + (double)k * interval;
    return t > end - 1e-9 * interval ? end : t;
}

double hol_sim_rows(const hol_sim *sim) {
    if (!sim) return 0;
    const double span = sim->options[HOL__OPT_END] - sim->options[HOL__OPT_START];
    if (every_step(sim)) return 0;
    return 1 + (span > 0 ? ceil(span / output_interval(sim) - 1e-9) : 0);
}

/* Refuse a run with more output times than max_rows. */
static hol_status check_rows(hol_sim *sim) {
    const double rows = hol_sim_rows(sim), most = sim->options[HOL__OPT_MAX_ROWS];
    const hol_location where = hol__sim_option_where(sim, HOL__OPT_OUTPUT);
    if (!(most > 0) || rows <= most) return HOL_OK;
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_INPUT, &where, NULL,
                       "output: an interval of %.6g s over %.6g s gives %.6g rows, and max_rows "
                       "allows %.6g: write it further apart, or set max_rows",
                       output_interval(sim),
                       sim->options[HOL__OPT_END] - sim->options[HOL__OPT_START], rows, most);
}

/* Stop a run that has written as many rows as max_rows allows, of steps or of events. */
static hol_status check_written(hol_sim *sim) {
    const double most = sim->options[HOL__OPT_MAX_ROWS];
    const long rows = sim->output_index + sim->events.rows;
    if ((!every_step(sim) && !sim->events.rows) || !(most > 0) || (double)rows < most)
        return HOL_OK;
    const hol_location where = hol__sim_option_where(sim, HOL__OPT_OUTPUT);
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, &where, NULL,
                       "the run stopped at t = %.9g after %ld rows, as many as max_rows allows; "
                       "what it computed is kept",
                       sim->data->t, rows);
}

/* Measures at the state in data are numbers, or the first that is not is named. */
static hol_status check_measures(hol_sim *sim) {
    hol_data *data = sim->data;
    const hol_model *m = data->model;
    hol__measure_all(data, NULL);
    for (int i = 0; i < m->n_measures; i++) {
        const hol__measure *measure = &m->measures[i];
        for (int k = measure->first; k < measure->first + measure->count; k++)
            if (!isfinite(data->inputs[1 + k]))
                return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, &measure->where,
                                   measure->label,
                                   "is NaN or infinite at t = %.6g (column '%s'); look at what it "
                                   "divides by and takes roots of, and whether its joint is in a "
                                   "singular position",
                                   data->t, m->columns[k].name);
    }
    return HOL_OK;
}

static hol_status solve_now(void *self) {
    hol_sim *sim = self;
    return hol__form_solve(&sim->form);
}

/* Hand the state in data to the observer. At the end of a step the equations are solved, as the
 * next step needs them; inside one when somebody asks for what follows from them. */
static hol_status hand_over(hol_sim *sim, const hol_observer *observer) {
    hol_data *data = sim->data;
    hol_status status = sim->inside ? HOL_OK : hol__form_solve(&sim->form);
    if (status) return status;
    data->later.solution = solve_now;
    data->later.self = sim;
    sim->unfinished = HOL_OK;
    hol__extremes_take(sim, 1);
    if (observer->on_output) status = check_measures(sim);
    if (observer->on_output && !status) status = observer->on_output(observer->user, sim);
    data->later = (hol__later){0};
    return status ? status : sim->unfinished;
}

/* The state in data as the next row of the grid; an event may have written it. */
static hol_status emit(hol_sim *sim, const hol_observer *observer) {
    const hol_status status = check_written(sim);
    if (status) return status;
    sim->output_index++;
    return sim->events.fresh ? HOL_OK : hand_over(sim, observer);
}

hol_status hol__sim_record(hol_sim *sim) {
    hol_status status = sim->observer ? check_written(sim) : HOL_OK;
    if (status || !sim->observer || sim->events.fresh) return status;
    status = hand_over(sim, sim->observer);
    sim->events.fresh = 1;
    sim->events.rows++;
    return status;
}

/* What the next evaluation starts from: where iterations for positions begin decides their last
 * bits, and near a singular position more. Outputs inside a step leave it as they found it. */
static void keep_end(hol_sim *sim) {
    const hol_model *m = sim->model;
    const size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
    memcpy(sim->kept, sim->data->q, sizeof(double) * nq);
    memcpy(sim->kept + nq, sim->data->v, sizeof(double) * nv);
    if (sim->form.d) memcpy(sim->kept + nq + nv, sim->form.d, sizeof(double) * nv);
}

static void put_end_back(hol_sim *sim) {
    const hol_model *m = sim->model;
    const size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
    hol__data_set_q(sim->data, hol__integrator_time(sim->integ), sim->kept);
    hol__data_set_v(sim->data, sim->kept + nq);
    if (sim->form.d) memcpy(sim->form.d, sim->kept + nq + nv, sizeof(double) * nv);
    sim->form.unpacked = 0;
}

/* The second half of a correction, when somebody asks for velocities. */
static hol_status finish_velocities(void *self) {
    hol_sim *sim = self;
    sim->correction->keeps = 1;
    const hol_status status = hol__correct_velocities(sim->correction);
    sim->correction->keeps = 0;
    if (status) sim->unfinished = status;
    return status;
}

/* Whether the correction has halves of which the second can wait: not where both are judged
 * together, near a singular position, or where energies are corrected behind them. */
static int can_wait(const hol_sim *sim) {
    const hol__correction_type *type = sim->correction->type;
    return type->run == hol__correct_direct && !type->energy && sim->model->m &&
           !sim->crossing.kept;
}

/* The state at t inside the step that was made, interpolated and corrected, its velocities when
 * somebody asks for them; independent coordinates are those of the step. */
static hol_status go_inside(hol_sim *sim, double t) {
    hol__correction *correction = sim->correction;
    const int held = correction && correction->held, waits = correction && can_wait(sim);
    hol_status status = hol__integrator_dense_rough(sim->integ, t, sim->y);
    if (!status) status = hol__form_unpack(&sim->form, t, sim->y);
    if (correction) correction->held = correction->keeps = 1, correction->halves = waits;
    if (!status) status = hol__crossing_correct(sim, t, sim->y);
    if (correction) correction->held = held, correction->keeps = correction->halves = 0;
    if (waits && !status)
        sim->data->later = (hol__later){.velocities = finish_velocities, .self = sim};
    return status;
}

/* Whether the step may end before where it does: nothing was decided there. */
static int may_end_before(const hol_sim *sim) {
    return sim->end == HOL_END_RUNNING && !sim->switching.fired && !sim->crossing.active &&
           !sim->corners.met && !sim->corners.leapt;
}

/* Inside a step: the output times that it passed. Where no state on the constraints is found near
 * an interpolated one, the step ends there instead. */
static hol_status emit_inside(hol_sim *sim, void *user) {
    const double t_new = hol__integrator_time(sim->integ), end = sim->options[HOL__OPT_END];
    for (double t = hol__sim_output_time(sim, sim->output_index); t < t_new && t < end;
         t = hol__sim_output_time(sim, sim->output_index)) {
        hol_status status = go_inside(sim, t);
        if (status > 0 && may_end_before(sim)) return hol__integrator_retake(sim->integ, t);
        if (!status) status = emit(sim, user);
        if (status) return status;
    }
    return HOL_OK;
}

/* Up to the first step of the loop: the start with its output. A state that was saved between two
 * steps of a loop is past that. */
static hol_status begin(hol_sim *sim, const hol_observer *observer) {
    const double end = sim->options[HOL__OPT_END];
    if (sim->between) return HOL_OK;
    hol_status status = check_rows(sim);
    if (!status) status = hol_sim_advance(sim, sim->data->t);
    if (!status && sim->output_index == 0) status = emit(sim, observer);
    /* output times that the caller has passed by himself lie behind */
    while (!status && sim->data->t < end &&
           hol__sim_output_time(sim, sim->output_index) <= sim->data->t)
        sim->output_index++;
    return status;
}

/* The clock that has run since the run began, or since the last call, counts for the run. */
static void count_time(hol_sim *sim) {
    const double now = hol__clock_wall();
    sim->wall_time += now - sim->run_began;
    sim->run_began = now;
}

/* The same, with nothing changed for what comes behind. */
static hol_status emit_dense(hol_sim *sim, void *user) {
    const double t = hol__sim_output_time(sim, sim->output_index);
    if (t >= hol__integrator_time(sim->integ)) return HOL_OK;
    keep_end(sim);
    sim->inside = 1;
    const hol_status status = emit_inside(sim, user);
    sim->inside = 0;
    if (sim->correction) sim->correction->kept = 0;
    if (!status) put_end_back(sim);
    return status;
}

/* Between two steps: the place for checkpoints. */
static hol_status pause_between(hol_sim *sim) {
    sim->between = 0;
    if (!sim->on_checkpoint) return HOL_OK;
    count_time(sim);
    sim->between = 1;
    const hol_status status = sim->on_checkpoint(sim->checkpoint_user, sim);
    sim->between = 0;
    return status;
}

/* Steps until the end, the stop, or an error. */
static hol_status run_loop(hol_sim *sim, const hol_observer *observer) {
    const double end = sim->options[HOL__OPT_END];
    hol_observer watcher = *observer;
    hol_status status = begin(sim, observer);
    while (!status && sim->end == HOL_END_RUNNING && sim->data->t < end) {
        const int mode = output_mode(sim); /* stiff forces may have asked for another formula */
        status = pause_between(sim);
        if (status) break;
        /* a step over a singular position is not cut short by an output inside it */
        const double t = sim->data->t, next = mode == HOL__OUTPUT_LAND
                                                  ? hol__sim_output_time(sim, sim->output_index)
                                                  : end;
        status =
            hol__sim_step(sim, next, end, mode == HOL__OUTPUT_STEPS ? NULL : emit_dense, &watcher);
        if (!status && observer->on_step) status = observer->on_step(observer->user, sim);
        const int at_output = sim->end == HOL_END_STOP ||
                              (mode == HOL__OUTPUT_STEPS
                                   ? sim->data->t > t
                                   : sim->data->t >= hol__sim_output_time(sim, sim->output_index));
        if (!status && at_output) status = emit(sim, observer);
    }
    return status;
}

hol_status hol_sim_run(hol_sim *sim, const hol_observer *observer) {
    static const hol_observer nobody = {0};
    const hol_status bad = hol__sim_check(sim, "hol_sim_run");
    if (bad) return bad;
    const int errors = hol_message_count_of(sim->ctx, HOL_ERROR);
    sim->run_began = hol__clock_wall();
    sim->observer = observer;
    const hol_status status = run_loop(sim, observer ? observer : &nobody);
    sim->observer = NULL;
    count_time(sim);
    if (status == HOL_ERR_INTERRUPTED)
        sim->end = HOL_END_INTERRUPTED;
    else if (status)
        sim->end = HOL_END_FAILED;
    else if (sim->end == HOL_END_RUNNING)
        sim->end = HOL_END_TIME;
    if (!status) hol__verdict_say(sim);
    hol__extremes_warn(sim);
    return hol__sim_explain(sim, errors, status);
}

/* All factorisations: of the kernel, of the independent coordinates, and of corrections that have a
 * solver of their own. */
long hol__sim_factorizations(const hol_sim *sim) {
    long count = sim->kernel ? sim->kernel->info.factorizations : 0;
    if (sim->form.completion) count += sim->form.completion->factorizations;
    count += hol__braun_goldfarb_factorizations(&sim->form);
    if (sim->form.mass) count += sim->form.mass->info.factorizations;
    if (sim->correction) count += hol__correction_factorizations(sim->correction);
    count += hol__crossing_factorizations(sim);
    return count;
}

/* k of the basis local. */
static int local_coordinates(const hol_sim *sim) {
    if (sim->data->local) return sim->data->local->blocks.k;
    const int uses = sim->kernel && (sim->kernel_type->flags & HOL__KERNEL_BASIS);
    return uses && sim->basis == &hol__basis_local ? sim->model->m : 0;
}

long hol__sim_coordinate_changes(const hol_sim *sim) {
    const hol__correction *correction = sim->correction;
    return (sim->kernel ? sim->kernel->info.switches : 0) +
           (sim->form.completion ? sim->form.completion->changes : 0) +
           (correction && correction->own ? correction->completion->changes : 0);
}

/* What gives the accelerations (or, of canonical equations, the velocities): a kernel by name, the
 * frame of independent coordinates, or the recursion over an open tree. */
static const char *solver(const hol_sim *sim) {
    if (sim->form.code) return "compiled";
    if (sim->data->recursive) return "recursive";
    return sim->form.by_completion || sim->form.state == &hol__state_canonical_independent
               ? "frame"
               : sim->kernel_type->name;
}

hol_status hol_sim_describe(const hol_sim *sim, hol_sim_info *out) {
    if (!sim) return HOL_ERR_ARGUMENT;
    const hol__integ_stats stats = hol__integrator_stats(sim->integ);
    static const hol__kernel_info none = {.form = "recursive"};
    const hol__kernel_info *kernel = sim->kernel ? &sim->kernel->info : &none;
    const double scale = hol__sim_energy_scale(sim);
    const hol__switching *switching = &sim->switching;
    const hol__counts *past = &switching->past;
    const hol_sim_info info = {
        .method = sim->method->name,
        .kernel = solver(sim),
        .stabilizer = sim->stabilizer->name,
        .dae_form = hol__sim_is_dae(sim) ? sim->dae_form->name : "",
        .correction = sim->correction_type->name,
        .integrator = sim->stepper->name,
        .coordinates = sim->model->coords->title,
        .choice = sim->choice,
        .t_start = sim->options[HOL__OPT_START],
        .t_end = sim->options[HOL__OPT_END],
        .t = sim->data->t,
        .step = stats.last_step,
        .steps = stats.steps,
        .rejected = stats.rejected + stats.failures,
        .evaluations = sim->form.evaluations,
        .factorizations = past->factorizations + hol__sim_factorizations(sim),
        .refinements = past->refinements + kernel->refinements,
        .corrections = past->corrections + (sim->correction ? sim->correction->count : 0),
        .crossings = sim->crossing.count,
        .crossing_times = {sim->crossing.times,
                           (int)fmin((double)sim->crossing.count, HOL__CROSSINGS_KEPT)},
        .switches = switching->n,
        .switch_times = {switching->times, switching->n},
        .switch_losses = {switching->lost, switching->n},
        .switch_impulses = {switching->impulses, HOL__IMPULSE * switching->n_joints * switching->n},
        .switch_names = switching->text ? switching->text : "",
        .coordinate_changes = past->changes + hol__sim_coordinate_changes(sim),
        .hybrid_switches = sim->hybrid.switches,
        .term_steps = sim->hybrid.term_steps,
        .partition_steps = sim->hybrid.partition_steps,
        .max_position_violation = sim->max_position,
        .max_velocity_violation = sim->max_velocity,
        .relative_energy_error = sim->max_balance / scale,
        .energy_scale = scale,
        .dof = sim->rank.dof,
        .n_redundant = sim->rank.n_redundant,
        .n_constraints = sim->model->m,
        .wall_time = sim->wall_time,
        .end = sim->end,
        .assembly_correction = sim->moved,
        .local_coordinates = local_coordinates(sim),
        .start_position_violation = sim->start_position,
        .start_velocity_violation = sim->start_velocity,
        .repeats = sim->converge.repeats,
        .estimated_error = sim->converge.error,
        .verdict = hol__verdict_text(sim),
        .beyond = hol__verdict_beyond(sim),
        .relative_position_violation = sim->verdict.position.share,
        .relative_velocity_violation = sim->verdict.velocity.share,
        .violation_limit = hol__verdict_violation_limit(sim),
        .energy_error_limit = hol__verdict_energy_limit(sim),
        .instants = sim->instants.count,
        .corners = sim->corners.count,
        .minima = {sim->extremes.low, sim->extremes.n},
        .minimum_times = {sim->extremes.t_low, sim->extremes.n},
        .maxima = {sim->extremes.high, sim->extremes.n},
        .maximum_times = {sim->extremes.t_high, sim->extremes.n},
        .largest_loads = sim->extremes.loads,
        .certificate = sim->certificate,
        .events = sim->events.n_named,
        .event_times = {sim->events.times, sim->events.n_named},
        .event_names = sim->events.text ? sim->events.text : "",
        .derivatives = sim->form.derivatives,
        .beside_code = sim->form.beside_code,
        .equilibrium = sim->equilibrium,
        .equilibrium_moved = sim->settled_by,
    };
    return hol__give(sim->ctx, "hol_sim_describe", &info, sizeof info, out);
}

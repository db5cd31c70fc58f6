/* drive.c: a simulation that another program drives: inputs, single steps, states of an integrator
 * of the caller's. See holonom/drive.h.
 *
 * An input is a variable that no event sets. Where it changes, the forces may jump at the same
 * state: what instants.c does where a law of time jumps is done here (the integrator goes on from
 * the same y, of which nothing is known any more), with the change of the potential as work.
 *
 * Where the caller integrates, the conditions of the run are read at the states that he comes to,
 * against what they were at the last of them.
 */
#include "base/argument.h"
#include "sim/make.h"
#include "sim/step.h"

#include <holonom/drive.h>

#include <math.h>

/* Switches that conditions ask for at the state in data. */
static hol_status switch_now(hol_sim *sim) {
    if (!sim->switching.fired) return HOL_OK;
    const hol_status status = hol__switching_run(sim);
    if (status) sim->end = HOL_END_FAILED;
    return status;
}

/* ---- inputs ---- */

/* The values, of a run that has not begun: it begins with them. */
static hol_status give_first(hol_sim *sim, int n, const int *columns, const double *values) {
    hol_status status = HOL_OK;
    for (int i = 0; i < n && !status; i++)
        status = hol_data_set_input(sim->data, columns[i], values[i]);
    return status ? status : hol_sim_restart(sim, sim->data->t, NULL, NULL);
}

/* The bodies follow drivers that follow an input. */
static hol_status follow(hol_sim *sim) {
    if (!sim->model->rheonomic || !sim->correction) return HOL_OK;
    const hol_status status = hol__correction_run(sim->correction);
    hol__form_pack(&sim->form, sim->y);
    return status ? status : hol__integrator_continue(sim->integ, sim->y);
}

/* The state in data as the one from which everything goes on, with other forces. */
static hol_status go_on(hol_sim *sim) {
    hol_status status = hol__form_solve(&sim->form);
    if (!status) status = hol__integrator_hop(sim->integ, sim->data->t);
    if (!status && (sim->switching.n_watches || sim->switching.n_slots)) {
        hol__sim_next_instant(sim);
        status = hol__sim_read_again(sim, 1);
    }
    if (!status) status = hol__sim_read_corners(sim);
    return status ? status : switch_now(sim);
}

/* The values, between two steps. */
static hol_status give(hol_sim *sim, int n, const int *columns, const double *values) {
    hol_data *data = sim->data;
    hol_status status = hol_data_update(data, HOL_STAGE_DYN);
    const double before = data->potential;
    for (int i = 0; i < n && !status; i++) status = hol_data_set_input(data, columns[i], values[i]);
    if (!status) status = follow(sim);
    if (!status) status = hol_data_update(data, HOL_STAGE_DYN);
    data->work += data->potential - before;
    hol__form_pack(&sim->form, sim->y);
    if (!status) status = hol__integrator_continue(sim->integ, sim->y);
    return status ? status : go_on(sim);
}

hol_status hol_sim_set_inputs(hol_sim *sim, int n, const int *columns, const double *values) {
    static const char call[] = "hol_sim_set_inputs";
    hol_status status = hol__sim_check(sim, call);
    if (!status) status = hol__need_array(sim->ctx, call, "columns", n, 0, columns);
    if (!status) status = hol__need_array(sim->ctx, call, "values", n, 0, values);
    for (int i = 0; i < n && !status; i++)
        status = hol__data_check_input(sim->data, call, columns[i], values[i]);
    if (status || n == 0) return status;
    const int errors = hol_message_count_of(sim->ctx, HOL_ERROR);
    status = sim->started ? give(sim, n, columns, values) : give_first(sim, n, columns, values);
    return hol__sim_explain(sim, errors, status);
}

/* ---- an integrator of the caller's ---- */

/* The parts of the run at the state in data, as behind a restart. */
static hol_status place(hol_sim *sim) {
    hol__independent_restart(sim);
    sim->crossing.at_start = sim->between = sim->described = 0;
    hol_status status = sim->correction ? hol__correction_run(sim->correction) : HOL_OK;
    if (!status) status = hol__sim_solve_here(sim, 0);
    if (!status) status = hol__integrator_start(sim->integ, sim->data->t, sim->y);
    return status ? status : hol__crossing_start(sim);
}

hol_status hol_sim_arrive(hol_sim *sim) {
    static const char call[] = "hol_sim_arrive";
    hol_status status = hol__sim_check(sim, call);
    if (status) return status;
    const int errors = hol_message_count_of(sim->ctx, HOL_ERROR);
    if (!sim->started) status = hol_sim_advance(sim, sim->data->t);
    if (sim->data->model != sim->model)
        return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                           "its data was made a copy of one in which other joints and forces act");
    if (!status) status = place(sim);
    if (!status && (sim->switching.n_watches || sim->switching.n_slots)) {
        hol__sim_next_instant(sim);
        status = hol__sim_read_again(sim, 1);
    }
    if (!status) status = hol__sim_read_corners(sim);
    if (!status) status = switch_now(sim);
    if (!status && sim->end == HOL_END_RUNNING) status = hol__sim_pass_instants(sim, sim->data->t);
    return hol__sim_explain(sim, errors, status);
}

/* ---- conditions ---- */

int hol_sim_switches(const hol_sim *sim) {
    return sim && (sim->switching.n_elements > 0 || sim->switching.n_slots > 0);
}

/* Whether corner i of the laws is one number that changes its sign. Their number is that of the
 * elements that act, so they count only where these stay. */
static int is_sign(const hol_sim *sim, int i) {
    const hol__corner *corner = &sim->model->corners[i];
    return corner->thick >= 0 && corner->cells.op == hol__cells_of_sign.op;
}

static int n_signs(const hol_sim *sim) {
    int n = 0;
    for (int i = 0; !hol_sim_switches(sim) && i < sim->corners.n_model; i++) n += is_sign(sim, i);
    return n;
}

/* One for each condition, one for all joints that push, one for each corner. */
int hol_sim_n_conditions(const hol_sim *sim) {
    return sim ? sim->switching.n_watches + (sim->switching.n_slots > 0) + n_signs(sim) : -1;
}

/* How far the numbers that a condition compares are from where it changes: the nearest of them. */
static double distance(const hol_sim *sim, const hol__watch *w) {
    const int first = hol__expr_first_recorded(w->e), n = hol__expr_recorded(w->e);
    double least = INFINITY;
    for (int k = 0; k < n; k++) {
        const hol__cells *cells = hol__expr_recorded_cells(w->e, k);
        const double g = *hol__recorded(sim->switching.scratch, first + k);
        least = fmin(least, fmin(fabs(g - hol__cell_boundary(cells, g, INFINITY)),
                                 fabs(g - hol__cell_boundary(cells, g, -INFINITY))));
    }
    return isfinite(least) ? least : 1;
}

hol_status hol_sim_conditions(hol_sim *sim, double *out, int n) {
    static const char call[] = "hol_sim_conditions";
    hol_status status = hol__sim_check(sim, call);
    if (status) return status;
    const hol__switching *s = &sim->switching;
    const int count = hol_sim_n_conditions(sim);
    if (n < count) status = hol__need_array(sim->ctx, call, "conditions", n, count, out);
    if (status || !count) return status;
    status = hol_data_solve(sim->data);
    if (!status) hol__measure_all(sim->data, NULL);
    for (int i = 0; i < s->n_watches && !status; i++) {
        const hol__watch *w = &s->watches[i];
        const int positive = hol__expr_value(w->e, sim->data->inputs, s->scratch) > 0;
        const double d = fmax(distance(sim, w), 1e-300);
        out[i] = positive ? d : -d;
    }
    int touches = 0;
    if (!status && s->n_slots) status = hol__rigid_changed(sim, &touches);
    if (s->n_slots) out[s->n_watches] = touches ? -1 : 1;
    int at = s->n_watches + (s->n_slots > 0);
    for (int i = 0; at < count; i++)
        if (is_sign(sim, i)) out[at++] = *hol__recorded(sim->data->scratch, i);
    return status;
}

double hol_sim_next_jump(hol_sim *sim, double end) {
    if (!sim) return NAN;
    double first = INFINITY;
    for (int k = 0; k < sim->instants.n; k++) {
        const double t = hol__instants_when(sim, k, sim->data->t, end);
        if (t < first) first = t;
    }
    return first;
}

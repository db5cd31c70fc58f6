/* watch.c: what a run keeps an eye on: constraint residuals, the energy balance, and the rank of the constraints. */
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double hol__sim_energy_scale(const hol_sim *sim) {
    const double range = sim->potential_high - sim->potential_low;
    const hol_model *m = sim->model;
    double mass = 0;
    for (int i = 0; i < m->nb; i++) mass += m->bodies[i].mass;
    /* not below that of a speed of 1e-4 sizes a second: at rest there is only what rounding makes, which no step can resolve */
    const double least = 0.5e-8 * mass * m->length * m->length;
    const double scale = fmax(fmax(fmax(sim->max_kinetic, range), sim->max_work), least);
    return scale > 0 ? scale : 1;
}

/* The row with the largest residual. */
static const hol_row *worst_row(const hol_sim *sim, const double *residual, int n) {
    int worst = 0;
    for (int i = 1; i < n; i++)
        if (fabs(residual[i]) > fabs(residual[worst])) worst = i;
    return &sim->model->rows[worst];
}

/* Stop when a limit that the user set is passed. */
static hol_status check_limits(hol_sim *sim, double position, double velocity) {
    const double limit = sim->options[HOL__OPT_MAX_VIOLATION],
                 energy = sim->options[HOL__OPT_MAX_ENERGY_ERROR];
    hol_data *data = sim->data;
    if (limit > 0 && (position > limit || velocity > limit)) {
        const int by_position = position > limit;
        const hol_row *row = worst_row(sim, by_position ? data->Phi : data->psi, sim->model->m);
        return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, &row->where, row->element,
                           "at t = %.6g the constraints are violated by %.3g (%s), more than "
                           "max_violation = %.3g; use a method with a "
                           "correction, or a smaller step",
                           data->t, by_position ? position : velocity,
                           by_position ? "positions" : "velocities", limit);
    }
    const double error = sim->max_balance / hol__sim_energy_scale(sim);
    if (energy > 0 && error > energy)
        return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, "energy balance",
                           "at t = %.6g the relative error is %.3g, more than max_energy_error = "
                           "%.3g; use a smaller tolerance or step",
                           data->t, error, energy);
    return HOL_OK;
}

hol_status hol__sim_watch(hol_sim *sim, int first) {
    hol_data *data = sim->data;
    hol_energy e;
    const hol_status status = hol__data_energy(data, &e);
    if (status) return status;
    hol__data_psi(data);
    const double position = hol__norm(data->Phi, sim->model->mh),
                 velocity = hol__norm(data->psi, sim->model->m);
    if (first) {
        sim->balance0 = e.balance;
        sim->potential_low = sim->potential_high = e.potential;
        sim->max_kinetic = sim->max_work = sim->max_balance = sim->max_position =
            sim->max_velocity = 0;
    }
    sim->max_position = fmax(sim->max_position, position);
    sim->max_velocity = fmax(sim->max_velocity, velocity);
    sim->max_kinetic = fmax(sim->max_kinetic, e.kinetic);
    sim->max_work = fmax(sim->max_work, fabs(e.work));
    sim->potential_low = fmin(sim->potential_low, e.potential);
    sim->potential_high = fmax(sim->potential_high, e.potential);
    sim->balance = e.balance;
    sim->max_balance = fmax(sim->max_balance, fabs(e.balance - sim->balance0));
    return first ? HOL_OK : check_limits(sim, position, velocity);
}

/* sqrt(x . M x) */
static double mass_norm(hol_data *data, const double *x) {
    return sqrt(2 * hol__data_kinetic(data, x));
}

/* Name the joints in or near the singular position. */
static void report_singular(hol_sim *sim, hol_status status) {
    hol__rank_result found = {.redundant = sim->redundant, .undetermined = sim->undetermined};
    hol_data_update(sim->data, HOL_STAGE_POS);
    if (hol__rank_analyse(sim->ctx, &sim->data->A, 0.1, &found)) return;
    for (int i = 0, named = 0; i < sim->model->m && named < 8; i++)
        if (sim->redundant[i]) {
            const hol_row *row = &sim->model->rows[i];
            hol__report(sim->ctx, HOL_NOTE, status, &row->where, row->element,
                        "is in or near a singular position at t = %.6g (%s)", sim->data->t,
                        row->direction);
            named++;
        }
}

int hol__sim_near_singular(const hol_sim *sim) {
    if (!sim->kernel) return 0;
    if (sim->data->t >= sim->t_singular) return 1;
    const double now =
        sim->monitor == sim->kernel ? fmin(sim->share, sim->kernel->info.condition) : sim->share;
    return sim->model->m > 0 && now < 0.05 * sim->usual;
}

/* Rounding of the constraints, C, means 2 v^2 C/x^3 in the accelerations at the distance x from a singular position: below this share
 * of the usual distance it counts. */
static const double rounding_share = 5e-4;

/* Below this share of the usual distance a singular position is foreseen where the last distances lead to. */
static const double foreseen_share = 0.5;

/* When the polynomial through the last two or three shares becomes zero; INFINITY: not ahead. *rate receives its slope now. */
static double extrapolate(const hol_sim *sim, double *rate) {
    const double *s = sim->past_share, *t = sim->past_t;
    if (sim->n_past < 2 || !(s[0] < s[1])) return INFINITY;
    const double r = (s[0] - s[1]) / (t[0] - t[1]);
    double curve = 0;
    if (sim->n_past > 2) curve = (r - (s[1] - s[2]) / (t[1] - t[2])) / (t[0] - t[2]);
    *rate = r + curve * (t[0] - t[1]);
    const double discriminant = *rate * *rate - 4 * curve * s[0];
    return discriminant > 0 && *rate < 0 ? t[0] + 2 * s[0] / (sqrt(discriminant) - *rate)
                                         : INFINITY;
}

/* Take the share at the accepted state into the record, and look ahead. */
static void foresee(hol_sim *sim) {
    double *s = sim->past_share, *t = sim->past_t, rate = 0;
    if (sim->data->t >= sim->t_singular) sim->n_past = 0; /* behind it the share grows again */
    if (sim->n_past && !(sim->data->t > t[0])) return;
    for (int i = 2; i > 0; i--) s[i] = s[i - 1], t[i] = t[i - 1];
    s[0] = sim->share;
    t[0] = sim->data->t;
    if (sim->n_past < 3) sim->n_past++;
    sim->t_singular = INFINITY;
    if (sim->share < foreseen_share * sim->usual) sim->t_singular = extrapolate(sim, &rate);
    if (isfinite(sim->t_singular)) sim->singular_width = -rounding_share * sim->usual / rate;
}

/* The share of the most dependent constraint at the accepted state. */
static hol_status measure_share(hol_sim *sim) {
    hol_status status = HOL_OK;
    if (!sim->kernel) return HOL_OK;
    if (sim->monitor == sim->kernel)
        status = hol__form_factor(&sim->form);
    else
        status = hol__kernel_factor(sim->monitor, hol__data_mass(sim->data), &sim->data->A);
    sim->share = sim->monitor->info.condition;
    sim->usual = fmax(sim->usual, sim->share);
    foresee(sim);
    return status;
}

/* The energy balance may change by this share while a singular position is passed. */
static const double energy_jump = 1e-2;

/* Keep the velocities, accelerations and energy of a state away from singular positions. */
static hol_status keep_before(hol_sim *sim) {
    const hol_status status = sim->share < 0.5 * sim->usual ? hol__form_solve(&sim->form) : HOL_OK;
    memcpy(sim->v_before, sim->data->v, sizeof(double) * (size_t)sim->model->nv);
    sim->t_before = sim->data->t;
    sim->a_before = mass_norm(sim->data, sim->data->a);
    sim->balance_before = sim->balance;
    sim->near_singular = 0;
    return status;
}

hol_status hol__sim_watch_start(hol_sim *sim) {
    sim->n_past = 0;
    sim->t_singular = INFINITY;
    sim->share = sim->usual; /* not known yet */
    return keep_before(sim);
}

/* Stop: what the velocities or the energy did at a singular position is not the motion. */
static hol_status leave_branch(hol_sim *sim, const char *what) {
    report_singular(sim, HOL_ERR_SINGULAR);
    return hol__report(
        sim->ctx, HOL_ERROR, HOL_ERR_SINGULAR, NULL, "singular position",
        "between t = %.6g and %.6g the %s jumped: the motion has left its branch, "
        "which the method '%s' does not "
        "hold here; use the method auto, or a fixed step that passes over the position",
        sim->t_before, sim->data->t, what, sim->method->name);
}

hol_status hol__sim_watch_branch(hol_sim *sim) {
    const hol_model *m = sim->model;
    hol_data *data = sim->data;
    if (!m->m) return HOL_OK;
    hol_status status = measure_share(sim);
    if (status) return status;
    const int near_now = sim->share < 0.05 * sim->usual;
    if (!near_now && !sim->near_singular) return keep_before(sim);
    sim->near_singular = 1;
    /* what the regular accelerations explain, and half the speed, is no jump */
    if (!near_now) status = hol__form_solve(&sim->form);
    if (status) return status;
    for (int i = 0; i < m->nv; i++) sim->scales[i] = data->v[i] - sim->v_before[i];
    const double jump = mass_norm(sim->data, sim->scales),
                 speed = fmax(mass_norm(sim->data, data->v), mass_norm(sim->data, sim->v_before));
    const double a = near_now ? sim->a_before : fmax(sim->a_before, mass_norm(sim->data, data->a));
    if (jump > 0.5 * speed + 3 * a * (data->t - sim->t_before))
        return leave_branch(sim, "velocities");
    if (fabs(sim->balance - sim->balance_before) > energy_jump * hol__sim_energy_scale(sim))
        return leave_branch(sim, "energy");
    return near_now ? HOL_OK : keep_before(sim);
}

void hol__sim_report_redundant(hol_sim *sim) {
    const hol_model *m = sim->model;
    char list[768] = "", joints[512] = "";
    for (int i = 0; i < m->m; i++) {
        const size_t used = strlen(list);
        if (sim->redundant[i])
            snprintf(list + used, sizeof list - used, "%s%s (%s)", used ? "; " : "",
                     m->rows[i].element, m->rows[i].direction);
    }
    for (int i = 0; i < m->n_joints; i++) {
        const size_t used = strlen(joints);
        if (!hol__reaction_unique(sim->data, i))
            snprintf(joints + used, sizeof joints - used, "%s'%.100s'", used ? ", " : "",
                     m->joints[i].name);
    }
    hol__warn(sim->ctx, NULL, "constraints",
              "%d of %d %s redundant: %s. The motion is not affected; reactions that are not "
              "unique (joints %s) are the smallest "
              "possible ones",
              sim->rank.n_redundant, m->m, sim->rank.n_redundant == 1 ? "is" : "are", list,
              joints[0] ? joints : "none");
}

hol_status hol__sim_analyse(hol_sim *sim) {
    const hol_model *m = sim->model;
    hol_data *data = sim->data;
    const hol_status status = hol__data_analyse(data);
    if (status) return status;
    memcpy(sim->redundant, data->redundant_rows, (size_t)m->m);
    memcpy(sim->undetermined, data->undetermined, (size_t)m->m);
    sim->rank = (hol_rank){data->rank,     m->m - data->rank, m->nv - data->rank, m->m,
                           sim->redundant, sim->undetermined, data->smallest};
    return HOL_OK;
}

hol_status hol_sim_rank(hol_sim *sim, hol_rank *rank) {
    const hol_status status = hol__sim_analyse(sim);
    *rank = sim->rank;
    return status;
}

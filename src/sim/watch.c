/* watch.c: what a run keeps an eye on: constraint residuals, the energy balance, and the rank of
 * the constraints. */
#include "base/give.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* States beyond this are those of a motion that has blown up; energies are squares times masses. */
static const double LARGEST = 1e100;

double hol__sim_energy_of(const hol_sim *sim, double speed) {
    const hol_model *m = sim->model;
    double mass = 0;
    for (int i = 0; i < m->nb; i++) mass += m->bodies[i].mass;
    return 0.5 * speed * speed * mass * m->length * m->length;
}

double hol__sim_energy_scale(const hol_sim *sim) {
    const double range = sim->potential_high - sim->potential_low;
    /* not below that of a speed of 1e-4 sizes a second: at rest there is only what rounding makes,
     * which no step can resolve */
    const double least = hol__sim_energy_of(sim, 1e-4);
    const double scale = fmax(fmax(fmax(sim->max_kinetic, range), sim->max_work), least);
    return scale > 0 ? scale : 1;
}

/* The row with the largest residual. */
static const hol_row *worst_row(const hol_sim *sim, const double *residual, int n) {
    int worst = 0;
    for (int i = 1; i < n; i++)
        if (!(fabs(residual[i]) <= fabs(residual[worst]))) worst = i;
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

/* The body that moves the fastest. */
static const hol__body *fastest_body(const hol_sim *sim) {
    const hol_model *m = sim->model;
    const hol__body *fastest = NULL;
    double most = -1;
    for (int i = 0; i < m->nb; i++) {
        const hol__bodies *b = &sim->data->bodies;
        const double *v = b->b2 ? b->b2[i].v : b->b3[i].v;
        const double size = fabs(v[0]) + fabs(v[1]) + (b->b2 ? 0 : fabs(v[2]));
        if (!(size <= most)) most = size, fastest = &m->bodies[i];
    }
    return fastest;
}

/* Numbers have left what can be squared and multiplied: name the joint that came apart the most, or
 * else the body that moves the fastest. */
static hol_status report_infinite(hol_sim *sim) {
    hol_data *data = sim->data;
    const hol_model *m = sim->model;
    const hol_row *row = m->m ? worst_row(sim, data->psi, m->m) : NULL;
    const int apart = row && !(fabs(data->psi[row - m->rows]) < LARGEST);
    const hol__body *body = fastest_body(sim);
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE,
                       apart  ? &row->where
                       : body ? &body->where
                              : NULL,
                       apart  ? row->element
                       : body ? body->label
                              : "energy",
                       "%s beyond all bounds at t = %.6g: the motion has blown up; use a smaller "
                       "step, error control, or another method than '%s'",
                       apart ? "came apart" : "moves", data->t, sim->method->name);
}

hol_status hol__sim_check_finite(hol_sim *sim) {
    const double *y = hol__integrator_state(sim->integ);
    double sum = 0;
    for (int i = 0; i < sim->form.n; i++) sum += y[i] * y[i];
    if (sum < LARGEST * LARGEST) return HOL_OK;
    hol__form_unpack(&sim->form, hol__integrator_time(sim->integ), y);
    hol_data_update(sim->data, HOL_STAGE_VEL);
    hol__data_psi(sim->data);
    const hol_status status = report_infinite(sim);
    hol__integrator_undo(sim->integ);
    return status;
}

hol_status hol__sim_watch(hol_sim *sim, int first) {
    hol_data *data = sim->data;
    hol_energy e;
    const hol_status status = hol__data_energy(data, &e);
    if (status) return status;
    hol__data_psi(data);
    const double position = hol__norm(data->Phi, sim->model->mh),
                 velocity = hol__norm(data->psi, sim->model->m);
    if (!isfinite(position + velocity + e.kinetic + e.balance)) return report_infinite(sim);
    if (first) {
        sim->balance0 = e.balance;
        sim->potential_low = sim->potential_high = e.potential;
        sim->start_position = position;
        sim->start_velocity = velocity;
        sim->max_kinetic = sim->max_work = sim->max_balance = sim->max_position =
            sim->max_velocity = 0;
        sim->verdict.position = sim->verdict.velocity = (hol__worst){0};
        hol__verdict_start(sim);
    }
    const int counts = !first || (int)sim->options[HOL__OPT_ASSEMBLE] == HOL__ASSEMBLE_ON;
    if (counts) {
        sim->max_position = fmax(sim->max_position, position);
        sim->max_velocity = fmax(sim->max_velocity, velocity);
    }
    hol__verdict_watch(sim, counts);
    sim->max_kinetic = fmax(sim->max_kinetic, e.kinetic);
    sim->max_work = fmax(sim->max_work, fabs(e.work));
    sim->potential_low = fmin(sim->potential_low, e.potential);
    sim->potential_high = fmax(sim->potential_high, e.potential);
    sim->balance = e.balance;
    if (fabs(e.balance - sim->balance0) > sim->max_balance) {
        sim->max_balance = fabs(e.balance - sim->balance0);
        sim->verdict.t_energy = data->t;
    }
    if (first) return HOL_OK;
    const hol_status contradicts = hol__contradiction_watch(sim);
    return contradicts ? contradicts : check_limits(sim, position, velocity);
}

unsigned hol__sim_reaction_open(const hol_sim *sim, int joint) {
    return hol__reaction_open(sim->data, joint);
}

/* Whether every row counts, as a spring (docs/theory/redundant.md). */
static int has_springs(const hol_sim *sim) {
    return sim->aside.only_read && (sim->kernel_type == &hol__kernel_penalty ||
                                    sim->kernel_type == &hol__kernel_augmented_lagrangian);
}

/* Names with a separator between them, as many as there is room for, and how many more. */
typedef struct names {
    char text[512];
    size_t used;
    int left_out;
} names;

static void add_name(names *list, const char *separator, const char *name) {
    enum { MORE = 24 }; /* for the words behind the last */
    const size_t room = sizeof list->text - MORE - list->used,
                 need = strlen(name) + (list->used ? strlen(separator) : 0);
    if (list->left_out || need >= room) {
        list->left_out++;
        return;
    }
    list->used += (size_t)hol__print(list->text + list->used, room, "%s%s",
                                     list->used ? separator : "", name);
}

static const char *end_names(names *list) {
    if (list->left_out)
        hol__print(list->text + list->used, sizeof list->text - list->used, " and %d more",
                   list->left_out);
    return list->used ? list->text : "none";
}

void hol__sim_report_redundant(hol_sim *sim) {
    const hol_model *m = sim->model;
    names rows = {.used = 0}, joints = {.used = 0};
    char name[160];
    for (int i = 0; i < m->m; i++) {
        hol__print(name, sizeof name, "%s (%s)", m->rows[i].element, m->rows[i].direction);
        if (sim->redundant[i]) add_name(&rows, "; ", name);
    }
    for (int i = 0; i < m->n_joints; i++) {
        hol__print(name, sizeof name, "'%.100s'", m->joints[i].name);
        if (!hol__reaction_unique(sim->data, i)) add_name(&joints, ", ", name);
    }
    hol__warn(sim->ctx, NULL, "constraints",
              "%d of %d %s redundant: %s. %s; reactions that are not unique (joints %s) are the "
              "minimum-norm solution",
              sim->rank.n_redundant, m->m, sim->rank.n_redundant == 1 ? "is" : "are",
              end_names(&rows),
              has_springs(sim) ? "Each row is a spring in this method: they make it stiffer by as "
                                 "much, and cost as if all were needed; another method sets them "
                                 "aside"
                               : "The motion is not affected",
              end_names(&joints));
}

void hol__sim_take_rank(hol_sim *sim) {
    const hol_model *m = sim->model;
    const hol_data *data = sim->data;
    memcpy(sim->redundant, data->redundant_rows, (size_t)m->m);
    memcpy(sim->undetermined, data->undetermined, (size_t)m->m);
    sim->rank = (hol_rank){.rank = data->rank,
                           .n_redundant = m->m - data->rank,
                           .dof = m->nv - data->rank,
                           .n_rows = m->m,
                           .redundant = sim->redundant,
                           .undetermined = sim->undetermined,
                           .smallest = data->smallest};
}

hol_status hol__sim_analyse(hol_sim *sim) {
    const hol_status status = hol__data_analyse(sim->data);
    if (!status) hol__sim_take_rank(sim);
    return status;
}

hol_status hol_sim_rank(hol_sim *sim, hol_rank *rank) {
    hol_status status = hol__sim_check(sim, "hol_sim_rank");
    if (!status) status = hol__data_answer(sim->data, hol__sim_analyse(sim));
    return status ? status
                  : hol__give(sim->ctx, "hol_sim_rank", &sim->rank, sizeof sim->rank, rank);
}

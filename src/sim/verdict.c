/* verdict.c: whether a run ended within what its tolerances mean.
 *
 * Residuals are shares of the mechanism's size, row by row:
 *
 *     |Phi_i| / s_i,   |psi_i| / (s_i f),      s_i = sum_j |A_ij| l_j
 *
 * s_i is what a row changes by when every coordinate moves by l_j, a radian or the length of the
 * mechanism; f how often a second the mechanism moves by its size, at least once (system.c).
 *
 * Limits. The tolerance bounds the local error of a step in the same measure. N steps add up to N
 * times that where the motion does not magnify it, so that is what it means for a whole run, of 100
 * steps at least. Constraint residuals are not magnified: in a method without any help
 * d^2 Phi/dt^2 = 0. In fixed steps nobody gave a tolerance: residuals may be a millionth of the
 * size, far below what a part can be made to, and the energy off by a thousandth, with which
 * velocities still have three digits. Both can be set, and no run is allowed more than a hundredth.
 *
 * Where nothing moves, or by less than the tolerance, the energy that moves says nothing of its
 * balance. Forces F do the work sum |F| times what positions are off by: eps of their size in every
 * step, which rounds them, and what the limit of positions allows, where steps are chosen for it or
 * the residual |Phi| has it; and velocities may be off by the tolerance, in sizes a second, in
 * every step. That much is allowed besides.
 */
#include "sim/sim.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double fewest_steps = 100;
static const double fixed_violation = 1e-6, fixed_energy = 1e-3, most = 1e-2;

hol_status hol__verdict_init(hol_sim *sim) {
    const hol_model *m = sim->model;
    const hol__csr *A = &sim->data->A;
    double *size = sim->verdict.size = HOL__NEW_N(&sim->arena, double, m->m);
    if (!size) return HOL_ERR_MEMORY;
    hol_data_update(sim->data, HOL_STAGE_POS);
    for (int i = 0; i < m->m; i++) {
        size[i] = 0;
        for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++)
            size[i] += fabs(A->x[k]) * (hol__is_turn(m, A->idx[k]) ? 1 : m->length);
        if (!(size[i] > 0)) size[i] = m->length; /* a row that vanishes here alone */
    }
    return HOL_OK;
}

/* A wrench in data on a body, taken into the forces and what rounding makes of them. */
static void add_wrench(hol_sim *sim, int body) {
    const hol_model *m = sim->model;
    const hol_data *data = sim->data;
    const double *w = data->wrench + m->bw * body,
                 *r = data->bodies.b2 ? data->bodies.b2[body].r : data->bodies.b3[body].r;
    double size = m->length;
    for (int i = 0; i < m->dim; i++) size = fmax(size, fabs(r[i]));
    for (int i = 0; i < m->bw; i++) {
        if (!isfinite(w[i])) continue;
        sim->verdict.force += fabs(w[i]);
        sim->verdict.rounding += DBL_EPSILON * fabs(w[i]) * (i < m->dim ? size : 1);
    }
}

void hol__verdict_start(hol_sim *sim) {
    const hol_model *m = sim->model;
    hol__told told;
    sim->verdict.force = sim->verdict.rounding = 0;
    if (hol_data_update(sim->data, HOL_STAGE_DYN)) return;
    for (int i = 0; i < m->nb; i++) {
        hol__data_weigh(sim->data, i, &told);
        add_wrench(sim, i);
    }
    for (int i = 0; i < m->n_forces; i++) {
        const hol__element *e = &m->forces[i];
        if (e->off) continue;
        hol__data_force_wrench(sim->data, i);
        add_wrench(sim, e->body[0]);
        if (e->body[1] != e->body[0]) add_wrench(sim, e->body[1]);
    }
}

/* A text is kept, where it is not the one that is kept already. */
static void keep(const char *text, char *kept, size_t size) {
    if (strcmp(text, kept) != 0) snprintf(kept, size, "%s", text);
}

/* The rows of x, over their sizes times f, are taken into the largest so far. */
static void take(const hol_sim *sim, const double *x, int n, double f, hol__worst *worst) {
    const double *size = sim->verdict.size;
    int largest = -1;
    for (int i = 0; i < n; i++) {
        const double share = fabs(x[i]) / (size[i] * f);
        if (share > worst->share) worst->share = share, largest = i;
    }
    if (largest < 0) return;
    worst->t = sim->data->t;
    keep(sim->model->rows[largest].element, worst->element, sizeof worst->element);
    keep(sim->model->rows[largest].direction, worst->direction, sizeof worst->direction);
}

void hol__verdict_watch(hol_sim *sim, int counts) {
    hol__verdict *v = &sim->verdict;
    if (!counts || !sim->model->m) return;
    take(sim, sim->data->Phi, sim->model->mh, 1, &v->position);
    take(sim, sim->data->psi, sim->model->m, hol__sim_frequency(sim), &v->velocity);
}

/* Steps that count. */
static double steps_of(const hol_sim *sim) {
    return fmax(fewest_steps, (double)hol__integrator_stats(sim->integ).steps);
}

/* What is given, or what the tolerance means over the steps made; in fixed steps the number for
 * these. */
static double limit(const hol_sim *sim, int option, double fixed) {
    const double given = sim->options[option];
    if (given > 0) return given;
    if (sim->options[HOL__OPT_STEP] > 0) return fixed;
    return fmin(most, sim->asked_tolerance * steps_of(sim));
}

double hol__verdict_violation_limit(const hol_sim *sim) {
    return limit(sim, HOL__OPT_EXPECTED_VIOLATION, fixed_violation);
}

double hol__verdict_energy_limit(const hol_sim *sim) {
    return limit(sim, HOL__OPT_EXPECTED_ENERGY_ERROR, fixed_energy);
}

/* What positions may be off by: their limit, of which fixed steps have but the residual. */
static double position_off(const hol_sim *sim) {
    const double off = hol__verdict_violation_limit(sim) * sim->model->length;
    return sim->options[HOL__OPT_STEP] > 0 ? fmin(off, sim->max_position) : off;
}

/* What the energy may be off by where nothing moves. */
static double unavoidable(const hol_sim *sim) {
    const double share = hol__verdict_violation_limit(sim);
    return steps_of(sim) * sim->verdict.rounding + position_off(sim) * sim->verdict.force +
           hol__sim_energy_of(sim, share);
}

unsigned hol__verdict_beyond(const hol_sim *sim) {
    const hol__verdict *v = &sim->verdict;
    const double violation = hol__verdict_violation_limit(sim);
    unsigned beyond = 0;
    if (v->position.share > violation) beyond |= HOL_BEYOND_POSITIONS;
    if (v->velocity.share > violation) beyond |= HOL_BEYOND_VELOCITIES;
    if (sim->max_balance >
        hol__verdict_energy_limit(sim) * hol__sim_energy_scale(sim) + unavoidable(sim))
        beyond |= HOL_BEYOND_ENERGY;
    return beyond;
}

const char *hol__verdict_text(const hol_sim *sim) {
    static const char *const texts[] = {"met",
                                        "not met: positions",
                                        "not met: velocities",
                                        "not met: positions, velocities",
                                        "not met: energy",
                                        "not met: positions, energy",
                                        "not met: velocities, energy",
                                        "not met: positions, velocities, energy"};
    const int ended = sim->end == HOL_END_TIME || sim->end == HOL_END_STOP;
    return ended ? texts[hol__verdict_beyond(sim)] : "unfinished";
}

/* Where a limit comes from. */
static const char *source(const hol_sim *sim, int option, char *buf, size_t size) {
    if (sim->options[option] > 0)
        snprintf(buf, size, "%s allows", hol__sim_option_name(option));
    else if (sim->options[HOL__OPT_STEP] > 0)
        snprintf(buf, size, "a run in fixed steps is allowed (%s)", hol__sim_option_name(option));
    else
        hol__print(buf, size, "tolerance %g means over %ld steps", sim->asked_tolerance,
                   hol__integrator_stats(sim->integ).steps);
    return buf;
}

/* What to try. */
static const char *advice(const hol_sim *sim) {
    if (!sim->correction_type->run)
        return "constraints drift without a correction: use the method direct-correction, or a "
               "smaller step or tolerance";
    return "use a smaller step or tolerance";
}

/* Whether a label is the one that was kept, as far as there was room for it. */
static int is_label(const char *label, const char *kept) {
    return strncmp(label, kept, sizeof((hol__worst *)0)->element - 1) == 0;
}

/* The place of the joint, or of the body, with that label. */
static hol_location place_of(const hol_model *m, const char *label) {
    for (int i = 0; i < m->n_joints; i++)
        if (is_label(m->joints[i].label, label)) return m->joints[i].where;
    for (int i = 0; i < m->nb; i++)
        if (is_label(m->bodies[i].label, label)) return m->bodies[i].where;
    return (hol_location){0};
}

/* A residual that is beyond. */
static void say_residual(hol_sim *sim, const hol__worst *worst, const char *what,
                         const char *symbol, double norm) {
    char from[96];
    const hol_location where = place_of(sim->whole, worst->element);
    hol__warn(
        sim->ctx, &where, worst->element,
        "%s are off by up to %.2g of the mechanism's size (%s, t = %.6g; |%s| = %.2g with the "
        "method '%s'), more than the %.2g that %s; %s",
        what, worst->share, worst->direction, worst->t, symbol, norm, sim->method->name,
        hol__verdict_violation_limit(sim),
        source(sim, HOL__OPT_EXPECTED_VIOLATION, from, sizeof from), advice(sim));
}

void hol__verdict_say(hol_sim *sim) {
    const hol__verdict *v = &sim->verdict;
    const unsigned beyond = hol__verdict_beyond(sim);
    char from[96];
    if (beyond & HOL_BEYOND_POSITIONS)
        say_residual(sim, &v->position, "positions", "Phi", sim->max_position);
    if (beyond & HOL_BEYOND_VELOCITIES)
        say_residual(sim, &v->velocity, "velocities", "psi", sim->max_velocity);
    if (beyond & HOL_BEYOND_ENERGY)
        hol__warn(
            sim->ctx, NULL, "energy balance",
            "off by up to %.2g of the energy that moves (t = %.6g), more than the %.2g that "
            "%s: the motion is not that of the mechanism; use a smaller step or tolerance, or "
            "another method than '%s'",
            sim->max_balance / hol__sim_energy_scale(sim), v->t_energy,
            hol__verdict_energy_limit(sim),
            source(sim, HOL__OPT_EXPECTED_ENERGY_ERROR, from, sizeof from), sim->method->name);
}

/* A residual; its words end, whatever was read. */
static void walk_worst(hol__worst *worst, hol__archive *archive) {
    HOL__ARCHIVE(archive, *worst);
    worst->element[sizeof worst->element - 1] = worst->direction[sizeof worst->direction - 1] =
        '\0';
}

void hol__verdict_walk(hol_sim *sim, hol__archive *archive) {
    HOL__ARCHIVE_N(archive, sim->verdict.size, sim->model->m);
    walk_worst(&sim->verdict.position, archive);
    walk_worst(&sim->verdict.velocity, archive);
    HOL__ARCHIVE(archive, sim->verdict.t_energy);
    HOL__ARCHIVE(archive, sim->verdict.rounding);
    HOL__ARCHIVE(archive, sim->verdict.force);
}

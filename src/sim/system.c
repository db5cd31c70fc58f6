/* system.c: the system y' = f(t, y) that the integrator sees, with what happens inside its steps:
 * corrections, errors across the constraints, and the sizes against which errors count. */
#include "sim/laws.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

/* No entry is asked for more digits than this share of the largest of its kind: some 5000 times
 * rounding, a hundred times what iterations of implicit formulas reach. */
static const double NEAR_ROUNDING = 1e-12;

/* Gains that depend on the length of the step are those of its longest try. */
static int begin_step(void *self, double t, double longest) {
    hol_sim *sim = self;
    (void)t;
    return hol__form_begin_step(&sim->form, longest);
}

/* y' of the method, on the constraints where the step leads over a singular position and while the
 * hybrid method partitions. */
static hol_status rhs(void *self, double t, const double *y, double *ydot) {
    hol_sim *sim = self;
    const int stages = sim->crossing.leaps || sim->hybrid.partitioned;
    const hol_status status = stages ? hol__crossing_stage(sim, t, &y) : HOL_OK;
    if (status) return status;
    return hol__form_rhs(&sim->form, t, y, ydot);
}

/* The correction of the method, or the one that it is lent over a singular position. */
static hol_status project(void *self, double t, double *y) {
    hol_sim *sim = self;
    hol__correction *correction = hol__crossing_correction(sim);
    if (!correction || sim->data->recursive) return HOL_OK; /* nothing to correct */
    hol_status status = hol__form_unpack(&sim->form, t, y);
    if (!status) hol__hybrid_judge(sim);
    if (sim->hybrid.partitions && !correction->engaged) return status;
    if (!status) status = hol__correction_run(correction);
    if (!status) hol__form_repack(&sim->form, y);
    return status;
}

/* A correction removes what lies across the constraints. Without one it counts as an error like any
 * other. */
static void remove_across(hol_sim *sim, double *error) {
    hol__correction *correction = hol__crossing_correction(sim);
    if (sim->hybrid.partitions && !correction->engaged) return;
    if (correction) hol__correction_tangent(correction, error, error + sim->model->nv);
}

/* Errors as they count: momenta by the velocities that they mean, no part across the constraints
 * that is removed. */
static void tangent(void *self, double *error) {
    hol_sim *sim = self;
    const hol__state_type *state = sim->form.state;
    if (state->weigh && state->weigh(&sim->form, error)) error[0] = NAN;
    if (sim->model->m && state->dependent && !sim->data->recursive) remove_across(sim, error);
}

/* Momenta by the velocities that they mean. */
static hol_status weigh(void *self, double *error) {
    hol_sim *sim = self;
    return sim->form.state->weigh(&sim->form, error);
}

/* The base point of the increments moves to y. */
static void retract(void *self, double t, double *y) {
    hol_sim *sim = self;
    hol__form_rebase(&sim->form, t, y);
}

/* Whether rotations are far from the base point. */
static int far(void *self, double t, const double *y) {
    hol_sim *sim = self;
    return hol__form_far(&sim->form, t, y);
}

/* At the new base the increments are zero and their rate is the velocity; where it is not, f is
 * another function in the next step anyway (begin_step). Other states are evaluated again. */
static void retract_rate(void *self, double t, const double *y, double *ydot) {
    hol_sim *sim = self;
    if (sim->form.state->dependent)
        memcpy(ydot, y + sim->model->nv, sizeof(double) * (size_t)sim->model->nv);
    else
        hol__form_rhs(&sim->form, t, y, ydot);
}

/* The largest speed and the largest angular velocity. */
static void find_largest(const hol_sim *sim, double *speed, double *spin) {
    const hol_model *m = sim->model;
    const double *v = sim->data->v;
    *speed = *spin = 0;
    for (int i = 0; i < m->nv; i++) {
        if (hol__is_turn(m, i))
            *spin = fmax(*spin, fabs(v[i]));
        else
            *speed = fmax(*speed, fabs(v[i]));
    }
}

double hol__sim_frequency(const hol_sim *sim) {
    double speed, spin;
    find_largest(sim, &speed, &spin);
    return 1 + fmax(spin, speed / sim->model->length);
}

/* Sizes by velocity direction: of the positions, of the velocities. */
typedef void sizes(const hol_sim *sim, double v_scale, double w_scale, double *position,
                   double *velocity);

/* Positions have the size of a body, angles a radian; velocities the largest of their kind. */
static void size_of_bodies(const hol_sim *sim, double v_scale, double w_scale, double *position,
                           double *velocity) {
    const hol_model *m = sim->model;
    for (int i = 0; i < m->nv; i++) {
        const int turn = hol__is_turn(m, i);
        position[i] = turn ? 1 : m->length;
        velocity[i] = turn ? 1 + w_scale : m->length + v_scale;
    }
}

/* What errors of natural coordinates count against: points by the angle that they turn their
 * bodies, velocities as what they become in a second. They turn with the bodies: errors against the
 * largest velocity would be made anew in each radian of a spin and go on as an angle
 * (docs/theory/integ.md). Within one tolerance there is always a share that rounding does not
 * reach. */
static void size_of_points(const hol_sim *sim, double v_scale, double w_scale, double *position,
                           double *velocity) {
    const hol_model *m = sim->model;
    const double least = NEAR_ROUNDING / sim->options[HOL__OPT_TOLERANCE];
    for (int i = 0; i < m->nv; i++) {
        const int turn = hol__is_turn(m, i);
        position[i] = turn ? 1 : fmin(m->length, fmax(m->legs[i], least * m->length));
        velocity[i] = fmax(position[i], least * (turn ? w_scale : v_scale));
    }
}

/* By entry of y. */
static void spread(hol_sim *sim, const double *y, sizes *of, double *size) {
    const hol_model *m = sim->model;
    double *position = sim->scales, *velocity = sim->scales + m->nv;
    double v_max, w_max;
    find_largest(sim, &v_max, &w_max);
    of(sim, fmax(v_max, w_max * m->length), fmax(w_max, v_max / m->length), position, velocity);
    sim->form.state->scale(&sim->form, position, velocity, size);
    for (int i = sim->form.n_mech; i < sim->form.n - 1; i++) size[i] = 1 + fabs(y[i]);
    size[sim->form.n - 1] = hol__sim_energy_scale(sim);
}

/* What an error of 1 means. */
static void scale(void *self, const double *y, double *out) {
    hol_sim *sim = self;
    spread(sim, y, sim->model->legs ? size_of_points : size_of_bodies, out);
}

/* How large the entries are. */
static void size(void *self, const double *y, double *out) {
    spread(self, y, size_of_bodies, out);
}

/* A driver that cannot go on, or whose law has no values ahead, is named instead of the
 * integrator. */
static hol_status explain(void *self, double t, const double *y) {
    hol_sim *sim = self;
    if (hol__form_unpack(&sim->form, t, y)) return HOL_OK;
    if (hol__blocked(sim, HOL__NEARLY)) return HOL_ERR_SINGULAR;
    return hol__laws_run_away(sim) ? HOL_ERR_TOLERANCE : HOL_OK;
}

hol__system hol__sim_system(hol_sim *sim) {
    const hol_model *m = sim->model;
    return (hol__system){
        .n = sim->form.n,
        .self = sim,
        .begin_step = begin_step,
        .rhs = rhs,
        .project = sim->correction_type->run || sim->crossing.lent ? project : NULL,
        .tangent = (m->m && sim->form.state->dependent) || sim->form.state->weigh ? tangent : NULL,
        .weigh = sim->form.state->weigh ? weigh : NULL,
        .retract = retract,
        .retract_rate = retract_rate,
        .shifts = !sim->form.turns.n,
        .far = far,
        .scale = scale,
        .size = size,
        .explain = explain};
}

/* system.c: the system y' = f(t, y) that the integrator sees, with what happens inside its steps: corrections, errors across the
 * constraints, the passage of singular positions, and the sizes against which errors count.
 */
#include "sim/sim.h"

#include <math.h>
#include <string.h>

/* The right-hand side of the step being tried. */
static hol_status ode_rhs(void *self, double t, const double *y, double *ydot) {
    hol_sim *sim = self;
    sim->form.step = hol__integrator_trial(sim->integ);
    return hol__form_rhs(&sim->form, t, y, ydot);
}

/* The correction of the method; or, where it has none, one that helps it past a singular position: what has drifted so far grows with
 * the inverse square of the distance to it. */
static hol_status ode_correct(void *self, double t, double *y) {
    hol_sim *sim = self;
    hol__correction *correction = sim->correction;
    if (!correction->type->run) {
        if (!hol__sim_near_singular(sim)) return HOL_OK;
        correction = sim->rescue;
    }
    hol_status status = hol__form_unpack(&sim->form, t, y);
    correction->must_land = t == sim->t_stop;
    if (!status) status = hol__correction_run(correction);
    if (!status) hol__form_repack(&sim->form, y);
    return status;
}

/* A correction removes what lies across the constraints. Without one it counts as an error like any other, but for singular positions:
 * there it would lead into them in ever shorter steps (docs/theory/corrections.md). */
static void ode_tangent(void *self, double *error) {
    hol_sim *sim = self;
    if (sim->correction_type->run)
        hol__correction_tangent(sim->correction, error, error + sim->model->nv);
    else if (hol__sim_near_singular(sim)) {
        if (sim->rescue)
            hol__correction_tangent(sim->rescue, error, error + sim->model->nv);
        else
            hol__form_tangent(&sim->form, error, error + sim->model->nv);
    }
}

/* A position with a nearly dependent constraint is one to pass. */
static int ode_passes(void *self) {
    return hol__sim_near_singular(self);
}

/* The singular position ahead. */
static double ode_obstacle(void *self, double *width) {
    const hol_sim *sim = self;
    *width = sim->singular_width;
    return sim->t_singular;
}

/* The base point of the increments moves to y. */
static void ode_rebase(void *self, double t, double *y) {
    hol_sim *sim = self;
    hol__form_rebase(&sim->form, t, y);
}

/* At the new base the increments are zero and their rate is the velocity; other states are evaluated again. */
static void ode_rebase_rate(void *self, double t, const double *y, double *ydot) {
    hol_sim *sim = self;
    if (sim->form.state->dependent && !sim->form.shift)
        memcpy(ydot, y + sim->model->nv, sizeof(double) * (size_t)sim->model->nv);
    else
        hol__form_rhs(&sim->form, t, y, ydot);
}

/* Positions against the size of a body, angles against a radian; velocities and work against the largest of their kind. */
static void ode_scale(void *self, const double *y, double *scale) {
    hol_sim *sim = self;
    const hol_model *m = sim->model;
    const double *v = sim->data->v;
    double *position = sim->scales, *velocity = sim->scales + m->nv;
    double v_max = 0, w_max = 0;
    for (int i = 0; i < m->nv; i++) {
        const int turn = hol__is_turn(m, i);
        position[i] = turn ? 1 : m->length;
        if (turn)
            w_max = fmax(w_max, fabs(v[i]));
        else
            v_max = fmax(v_max, fabs(v[i]));
    }
    const double v_scale = fmax(v_max, w_max * m->length), w_scale = fmax(w_max, v_max / m->length);
    for (int i = 0; i < m->nv; i++)
        velocity[i] = hol__is_turn(m, i) ? 1 + w_scale : m->length + v_scale;
    sim->form.state->scale(&sim->form, position, velocity, scale);
    for (int i = sim->form.n_mech; i < sim->form.n - 1; i++) scale[i] = 1 + fabs(y[i]);
    scale[sim->form.n - 1] = hol__sim_energy_scale(sim);
}

hol__ode hol__sim_system(hol_sim *sim) {
    const hol_model *m = sim->model;
    return (hol__ode){.n = sim->form.n,
                      .self = sim,
                      .rhs = ode_rhs,
                      .correct = sim->correction_type->run || sim->rescue ? ode_correct : NULL,
                      .tangent = m->m && sim->form.state->dependent ? ode_tangent : NULL,
                      .passes = m->m ? ode_passes : NULL,
                      .obstacle = m->m ? ode_obstacle : NULL,
                      .rebase = ode_rebase,
                      .rebase_rate = ode_rebase_rate,
                      .scale = ode_scale};
}

/* derivatives.c: what an implicit integrator asks of the system: its own derivatives where the
 * formulation has them (form/linear.h), differences of its right-hand side elsewhere; and the
 * constrained equations (form/constrained.h) where the method holds all constraints with
 * multipliers and a correction, by GGL, or in a form that method dae is given (form/dae_form.h).
 * Methods that make other equations of them keep these. */
#include "form/constrained.h"
#include "form/linear.h"
#include "sim/sim.h"

static hol_status linearize(void *self, double t, const double *y, const double *f, double h,
                            double *ft) {
    hol_sim *sim = self;
    return sim->linear ? hol__linear_update(sim->linear, t, y, h, ft)
                       : hol__differences_linearize(sim->differences, t, y, f, h, ft);
}

static hol_status shift(void *self, double g) {
    hol_sim *sim = self;
    return sim->linear ? hol__linear_shift(sim->linear, g)
                       : hol__differences_shift(sim->differences, g);
}

static hol_status solve(void *self, const double *r, double *x) {
    hol_sim *sim = self;
    return sim->linear ? hol__linear_solve(sim->linear, r, x)
                       : hol__differences_solve(sim->differences, r, x);
}

static void turn(void *self, const double *y, int back, double *r) {
    const hol_sim *sim = self;
    if (sim->linear) hol__linear_turn(sim->linear, y, back, r);
}

static hol_status residual(void *self, double t, const double *y, const double *ydot,
                           const double *x, double *F) {
    return hol__constrained_residual(self, t, y, ydot, x, F);
}

static hol_status linearize_all(void *self, double t, const double *y, const double *ydot,
                                const double *x) {
    return hol__constrained_linearize(self, t, y, ydot, x);
}

static hol_status shift_all(void *self, int slot, const hol__sigma *sigma) {
    return hol__constrained_shift(self, slot, sigma->d, sigma->v);
}

static hol_status solve_all(void *self, int slot, double *re, double *im) {
    return hol__constrained_solve(self, slot, re, im);
}

static void turn_all(void *self, const double *y, int back, double *r) {
    hol__constrained_turn(self, y, back, r);
}

static hol_status energy(void *self, double t, const double *y, hol__dae_energy *out) {
    return hol__constrained_energy(self, t, y, &out->kinetic, &out->potential, &out->power);
}

static void walk_all(void *self, hol__archive *archive) {
    hol__constrained_walk(self, archive);
}

static void rate(void *self, const double *y, double *out) {
    hol__inertial_rate(self, y, out);
}

static hol_status places(void *self, double t, const double *y, double *Phi) {
    return hol__inertial_places(self, t, y, Phi);
}

static hol_status keep(void *self) {
    return hol__inertial_keep(self);
}

static hol_status solve_kept(void *self, double sigma, double *r) {
    return hol__inertial_solve(self, sigma, r);
}

static void times_kept(void *self, double sigma, const double *x, double *r) {
    hol__inertial_times(self, sigma, x, r);
}

static int steady(void *self) {
    return hol__inertial_steady(self);
}

static const hol__dae_inertial inertial = {.rate = rate,
                                           .places = places,
                                           .keep = keep,
                                           .solve = solve_kept,
                                           .times = times_kept,
                                           .steady = steady};

/* The constrained equations for the integrator. */
static hol_status make_constrained(hol_sim *sim) {
    const hol_status status =
        hol__constrained_new(sim->ctx, &sim->form, sim->dae_form, sim->stepper->slots,
                             sim->stepper->inertial, &sim->constrained);
    const hol__constrained *c = sim->constrained;
    if (status) return status;
    sim->dae = (hol__dae){.n = c->n,
                          .nd = sim->state->dependent ? c->nv : 0,
                          .apart = 1,
                          .m = c->m,
                          .mh = c->mh,
                          .self = sim->constrained,
                          .residual = residual,
                          .linearize = linearize_all,
                          .shift = shift_all,
                          .solve = solve_all,
                          .turn = c->frames.n ? turn_all : NULL,
                          .archive = walk_all,
                          .energy = energy,
                          .inertial = sim->stepper->inertial ? &inertial : NULL};
    sim->system.dae = &sim->dae;
    return HOL_OK;
}

void hol__sim_walk_derivatives(hol_sim *sim, hol__archive *archive) {
    if (sim->constrained) hol__constrained_walk(sim->constrained, archive);
}

void hol__sim_free_derivatives(hol_sim *sim) {
    hol__linear_free(sim->linear);
    hol__constrained_free(sim->constrained);
    sim->constrained = NULL;
    hol__differences_free(sim->differences);
    sim->linear = NULL;
    sim->differences = NULL;
}

hol_status hol__sim_make_derivatives(hol_sim *sim) {
    hol__sim_free_derivatives(sim);
    if (!sim->stepper->implicit) return HOL_OK;
    sim->system.linearize = linearize;
    sim->system.shift = shift;
    sim->system.solve = solve;
    sim->system.turn = turn;
    sim->system.exact = hol__sim_is_constrained(sim) || hol__linear_serves(&sim->form);
    if (sim->stepper->slots && hol__sim_is_constrained(sim)) return make_constrained(sim);
    if (sim->stepper->slots && !sim->stepper->paces) return HOL_OK;
    if (hol__linear_serves(&sim->form)) return hol__linear_new(sim->ctx, &sim->form, &sim->linear);
    sim->differences = hol__differences_new(sim->ctx, &sim->system);
    return sim->differences ? HOL_OK : HOL_ERR_MEMORY;
}

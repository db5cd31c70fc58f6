/* motion_fixture.h: runs of model texts that are compared with closed solutions: start, advance,
 * poses and velocities by name.
 *
 * Runs use the tolerance 1e-10 of the local error; the errors of a whole run stay within a few
 * hundred times that, and results are compared at 1e-7 unless a sharper bound follows from the
 * mathematics and is written beside it.
 */
#ifndef HOL_TESTS_MOTION_FIXTURE_H
#define HOL_TESTS_MOTION_FIXTURE_H

#include "mechanism_fixture.h"

typedef struct motion {
    hol_context *ctx;
    hol_model *model;
    hol_options *options;
    hol_sim *sim;
    hol_data *data;
} motion;

/* A simulation of a text at its start. */
static inline motion run_open(const char *text) {
    motion r = {.ctx = hol_context_new()};
    r.model = compile_text(r.ctx, text, "test.yaml", &r.options);
    if (!r.model) fail_with_messages(r.ctx, text);
    r.sim = hol_sim_new(r.ctx, r.model, r.options);
    if (!r.sim) fail_with_messages(r.ctx, text);
    r.data = hol_sim_data(r.sim);
    return r;
}

static inline void run_to(motion *r, double t) {
    if (hol_sim_advance(r->sim, t)) fail_with_messages(r->ctx, "the run stopped");
    assert_true(hol_data_time(r->data) == t);
}

static inline void run_free(motion *r) {
    hol_sim_free(r->sim);
    hol_options_free(r->options);
    hol_model_free(r->model);
    hol_context_free(r->ctx);
}

/* No constraint drifts and no energy is lost: both are held to rounding by the corrections, and to
 * the tolerance by the integrator. */
static inline void run_close(motion *r, double energy) {
    const hol_sim_info info = sim_info(r->sim);
    assert_true(info.max_position_violation < 1e-11);
    assert_true(info.max_velocity_violation < 1e-10);
    if (!(info.relative_energy_error <= energy))
        fail_msg("the energy error is %g", info.relative_energy_error);
    run_free(r);
}

static inline hol_pose pose_of(motion *r, const char *body) {
    return pose_at(r->data, hol_model_body(r->model, body));
}

static inline hol_twist twist_of(motion *r, const char *body) {
    return twist_at(r->data, hol_model_body(r->model, body));
}

static inline void near_to(double a, double b, double tolerance, const char *what) {
    check_close(a, b, tolerance, what, "");
}

static const double g = 9.81;

#endif

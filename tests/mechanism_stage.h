/* mechanism_stage.h: a mechanism assembled at its start, for the tests of corrections and of
 * assembly. */
#ifndef HOL_TESTS_MECHANISM_STAGE_H
#define HOL_TESTS_MECHANISM_STAGE_H

#include "mechanism_fixture.h"

#include "sim/sim.h"

/* A four-bar with one joint twice. */
static const char *const twin_text =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
    "  crank: {mass: 1.1, inertia: 0.3, along: [[0, 0], [1, 1.7]], omega: 1.3}\n"
    "  coupler: {mass: 2.3, inertia: 2.1, along: [[1, 1.7], [4.6, 3.3]]}\n"
    "  follower: {mass: 2.2, inertia: 1.4, along: [[2.5, 0], [4.6, 3.3]]}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
    "  B: {type: revolute, bodies: [crank, coupler], at: [1, 1.7]}\n"
    "  C: {type: revolute, bodies: [coupler, follower], at: [4.6, 3.3]}\n"
    "  C2: {type: revolute, bodies: [follower, coupler], at: [4.6, 3.3]}\n"
    "  D: {type: revolute, bodies: [follower, ground], at: [2.5, 0]}\n";

/* A mechanism assembled at its start. */
typedef struct stage {
    mech m;
    hol_sim *sim;
    hol_data *data;
    const char *name;
} stage;

static inline stage stage_open(const char *file, const char *text) {
    stage s = {.m = {.ctx = hol_context_new()}, .name = file};
    if (text)
        s.m.model = compile_text(s.m.ctx, text, file, &s.m.options);
    else {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", HOLONOM_TEST_MODELS, file);
        s.m.model = hol_model_from_file(s.m.ctx, path, &s.m.options);
    }
    if (!s.m.model) fail_with_messages(s.m.ctx, file);
    s.sim = hol_sim_new(s.m.ctx, s.m.model, s.m.options);
    if (!s.sim) fail_with_messages(s.m.ctx, file);
    s.data = hol_sim_data(s.sim);
    return s;
}

static inline void stage_close(stage *s) {
    hol_sim_free(s->sim);
    mech_close(&s->m);
}

#endif

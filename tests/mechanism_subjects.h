/* mechanism_subjects.h: the mechanisms of the tests that compare whole runs, as scenes, and runs of
 * them. */
#ifndef HOL_TESTS_MECHANISM_SUBJECTS_H
#define HOL_TESTS_MECHANISM_SUBJECTS_H

#include "mechanism_scene.h"

/* With fixed steps two descriptions of one mechanism differ by rounding, 1e-16, times the growth of
 * disturbances over the run (up to 1e3 in these runs) times the number of steps (some 1e3). */
static const double bound = 1e-10;

/* ---- the mechanisms ---- */

static const char *const planar_forces =
    "  s1: {type: spring, bodies: [ground, rod], from: P(0.3, 1.2), to: P(0.9, 0.55), stiffness: "
    "35, free_length: 0.4}\n"
    "  s2: {type: spring, bodies: [crank, slider], from: P(0.2, 0.3), to: P(1.7, 0.1), stiffness: "
    "4 + 2*length, damping: 0.7}\n"
    "  t1: {type: torsion, joint: B, stiffness: 1.3, damping: 0.2}\n"
    "  m1: {type: torque, body: slider, reaction: rod, torque: 0.8*sin(3*t)}\n"
    "  f1: {type: force, body: arm, at: P(-0.8, 0.9), force: ['2*cos(2*t)', -1.1], frame: body}\n";

/* A driven crank, a rod, a slider in a guide, and an arm that hangs on the rod. */
static const char *const planar_text =
    "holonom: 1\nspace: planar\ngravity: [0.4, -9.6]\nbodies:\n"
    "  crank: {mass: 1.3, inertia: 0.07, along: [[0, 0], [0.3, 0.5]]}\n"
    "  rod: {mass: 0.8, inertia: 0.21, along: [[0.3, 0.5], [1.7, 0.1]], com: [0.6, 0.04]}\n"
    "  slider: {mass: 0.6, inertia: 0.02, position: [1.7, 0.1], angle: 0.2}\n"
    "  arm: {mass: 0.45, inertia: 0.03, along: [[0.9, 0.55], [1.2, -0.3]]}\n"
    "joints:\n"
    "  A: {type: generic, bodies: [ground, crank], at: [0, 0], axis: [1, 0.5], lock: [x, y], "
    "drive: {angle: '1.7*t + 0.4*t^2'}}\n"
    "  B: {type: revolute, bodies: [crank, rod], at: [0.3, 0.5]}\n"
    "  C: {type: revolute, bodies: [rod, slider], at: [1.7, 0.1]}\n"
    "  G: {type: prismatic, bodies: [ground, slider], at: [1.2, 0.1], axis: [1, 0]}\n"
    "  H: {type: revolute, bodies: [rod, arm], at: [0.9, 0.55]}\n";

static const char *const spatial_forces =
    "  s1: {type: spring, bodies: [ground, bob], from: P(0.3, 1.2, 0.4), to: P(1.1, 0.3, -0.6), "
    "stiffness: 35, free_length: 0.4}\n"
    "  s2: {type: spring, bodies: [shaft, carriage], from: P(0, 0.1, 0.4), to: P(0.7, 0.2, 0.3), "
    "stiffness: 20 + 9*length, damping: 1.7}\n"
    "  t1: {type: torsion, joint: sleeve, stiffness: 1.3, damping: 0.1}\n"
    "  m1: {type: torque, body: bob, reaction: carriage, torque: ['0.2*sin(3*t)', 0.1, -0.15], "
    "frame: body}\n"
    "  f1: {type: force, body: bob, at: P(1.0, 0.4, -0.9), force: ['0.7*cos(2*t)', -0.4, 0.3], "
    "frame: body}\n";

/* A driven shaft, a carriage that slides and turns on it, and a bob on a universal joint. */
static const char *const spatial_text =
    "holonom: 1\nspace: spatial\ngravity: [0.4, -1.1, -9.6]\nbodies:\n"
    "  shaft: {mass: 1.3, inertia: [0.07, 0.09, 0.04], position: [0.05, 0.02, 0.2], com: [0.01, "
    "0.03, 0.02]}\n"
    "  carriage: {mass: 0.8, inertia: [0.03, 0.02, 0.04, 0.004, 0.001, -0.002], position: [0.7, "
    "0.2, 0.3], orientation: {euler: "
    "[0.3, 0.2, -0.8]}}\n"
    "  bob: {mass: 0.6, inertia: [0.02, 0.025, 0.01], position: [1.1, 0.3, -0.5], orientation: "
    "{axis: [1, 1, 0], angle: 0.5}}\n" SHAFT_JOINTS;

/* A mechanism of the tests: from a file of models/ or from a text, with what the scene cannot take
 * from the model. */
typedef struct subject {
    const char *file, *text, *set; /* set: "name=value" of a parameter */
    const char *forces;
    const char *rest_joint, *rest; /* further keys of one joint */
    double step, end;
    int redundant; /* has redundant constraints as it is */
} subject;

static const subject subjects[] = {
    {.file = "four_bar.yaml", .step = 4e-3, .end = 1.2},
    {.file = "slider_crank_spatial.yaml", .step = 1e-3, .end = 0.3},
    {.file = "a04_bricard.yaml", .step = 5e-3, .end = 0.6, .redundant = 1},
    {.file = "five_bar.yaml", .set = "spin=1", .step = 2e-3, .end = 0.5},
    {.text = planar_text,
     .forces = planar_forces,
     .rest_joint = "A",
     .rest = ", lock: [x, y], drive: {angle: '1.7*t + 0.4*t^2'}",
     .step = 2e-3,
     .end = 0.8},
    {.text = spatial_text,
     .forces = spatial_forces,
     .rest_joint = "drive",
     .rest = ", lock: [x, y, z, rx, ry], drive: {rz: '1.9*t - 0.2*t^2'}",
     .step = 2e-3,
     .end = 0.8},
};

enum { SUBJECTS = sizeof subjects / sizeof *subjects };

/* Read a subject and take it apart. */
static inline void load(const subject *sub, scene *s) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    char path[512];
    *s = (scene){.dim = 0};
    snprintf(path, sizeof path, "%s/%s", HOLONOM_TEST_MODELS, sub->file ? sub->file : "");
    const hol_status status = sub->file ? hol_spec_read_file(spec, path)
                                        : hol_spec_read_text(spec, sub->text, "own.yaml");
    if (status) fail_with_messages(ctx, path);
    if (sub->set) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(sub->set, "="), sub->set);
        assert_int_equal(hol_spec_set(spec, name, strchr(sub->set, '=') + 1, "test"), HOL_OK);
    }
    hol_model *model = hol_model_from_spec(ctx, spec, NULL);
    if (!model) fail_with_messages(ctx, path);
    scene_read(model, s);
    if (sub->forces) snprintf(s->forces, sizeof s->forces, "%s", sub->forces);
    for (int i = 0; sub->rest && i < s->n_joints; i++)
        if (strcmp(s->joint[i].name, sub->rest_joint) == 0)
            snprintf(s->joint[i].rest, sizeof s->joint[i].rest, "%s", sub->rest);
    snprintf(s->simulation, sizeof s->simulation, "end: %g, step: %g", sub->end, sub->step);
    hol_model_free(model);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* ---- runs ---- */

typedef struct run {
    mech m;
    hol_sim *sim;
    hol_data *data;
} run;

static inline run run_open(const scene *s, const scene_frame *f) {
    mech_text text;
    scene_write(s, f, &text);
    run r = {.m = mech_open(text.text)};
    r.sim = hol_sim_new(r.m.ctx, r.m.model, r.m.options);
    if (!r.sim) fail_with_messages(r.m.ctx, text.text);
    r.data = hol_sim_data(r.sim);
    return r;
}

static inline void run_close(run *r) {
    hol_sim_free(r->sim);
    mech_close(&r->m);
}

static inline void run_to(run *r, double t) {
    if (hol_sim_advance(r->sim, t)) fail_with_messages(r->m.ctx, "the run failed");
}

/* Largest difference of the motion of all bodies, the second as the frame shows the first:
 * positions (in units of length), orientations, velocities and angular velocities, relative to the
 * largest velocity of the kind and at least 1. */
static inline double motion_apart(run *a, run *b, const scene_frame *f) {
    double R[9], most = 0, v_size = 1, w_size = 1;
    hol__quat_matrix(f->p, R);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < a->m.model->nb; i++) {
            const int k = hol_model_body(b->m.model, hol_model_body_name(a->m.model, i));
            assert_true(k >= 0);
            const hol_pose pa = pose_at(a->data, i), pb = pose_at(b->data, k);
            const hol_twist ta = twist_at(a->data, i), tb = twist_at(b->data, k);
            double r[3], O[9], v[3], w[3];
            hol__mul3(R, pa.r, r);
            hol__add3(r, f->d, r);
            hol__mat3_mul(R, pa.R, O);
            hol__mul3(R, ta.v, v);
            hol__mul3(R, ta.omega, w);
            for (int j = 0; j < 3; j++) {
                if (!pass) {
                    v_size = fmax(v_size, fabs(v[j])), w_size = fmax(w_size, fabs(w[j]));
                    continue;
                }
                most = fmax(most, fabs(pb.r[j] / f->length - r[j]));
                most = fmax(most, fabs(tb.v[j] / f->length - v[j]) / v_size);
                most = fmax(most, fabs(tb.omega[j] - w[j]) / w_size);
            }
            for (int j = 0; j < 9 && pass; j++) most = fmax(most, fabs(pb.R[j] - O[j]));
        }
    return most;
}

/* Run both to the end and compare on the way. */
static inline void compare_motion(run *a, run *b, const scene_frame *f, double end, double limit,
                                  const char *what) {
    for (int k = 1; k <= 5; k++) {
        run_to(a, end * k / 5);
        run_to(b, end * k / 5);
        const double apart = motion_apart(a, b, f);
        if (!(apart <= limit))
            fail_msg("%s: at t = %g the motions differ by %.3g, more than %.3g", what, end * k / 5,
                     apart, limit);
    }
}

/* What a message says of a test: the subject and what was done to it. */
static inline void name_of(const subject *sub, const char *what, char *out, size_t size) {
    snprintf(out, size, "%s, %s",
             sub->file                      ? sub->file
             : sub->forces == planar_forces ? "own planar"
                                            : "own spatial",
             what);
}

/* Each subject with its scene, which the check may change; skipped where no model file can be
 * read. */
static inline void each_subject(void (*check)(const subject *sub, scene *s)) {
    if (!reads_yaml()) skip();
    for (int i = 0; i < SUBJECTS; i++) {
        scene s;
        load(&subjects[i], &s);
        check(&subjects[i], &s);
    }
}

/* ---- a run and one of the changed description ---- */

typedef struct twins {
    const subject *sub;
    run a, b;
    char what[96];
} twins;

/* The runs of the scene as it is and of the changed one in a frame. */
static inline twins twins_open(const subject *sub, const char *change, const scene *s,
                               const scene *changed, const scene_frame *f) {
    twins t = {.sub = sub, .a = run_open(s, &scene_as_it_is), .b = run_open(changed, f)};
    name_of(sub, change, t.what, sizeof t.what);
    return t;
}

static inline void twins_close(twins *t) {
    run_close(&t->a);
    run_close(&t->b);
}

#endif

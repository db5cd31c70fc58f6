/* test_metamorphic.c: changes of the description that must not change the motion.
 *
 * Turning and moving the whole mechanism, other orders of bodies and joints, reversed joints, joints given twice, other units:
 * with fixed steps the formulas are the same up to rounding, since increments of rotation are in body frames, and the
 * corrections are measured with the mass matrix. What remains is rounding, 1e-16, times the growth of disturbances over the run
 * (up to 1e3 in these runs) times the number of steps (some 1e3): bound 1e-10. Where constraints are redundant another path of
 * the solver is taken, and where steps are chosen the tolerance counts; their bounds stand beside the tests.
 *
 * Reactions: the laws of Newton and Euler for every body, and signs and frames under all these changes.
 */
#include "mechanism_scene.h"

#include "sim/sim.h"

static const double bound = 1e-10;

/* ---- the mechanisms ---- */

static const char *const planar_forces =
    "  s1: {type: spring, bodies: [ground, rod], from: P(0.3, 1.2), to: P(0.9, 0.55), stiffness: 35, free_length: 0.4}\n"
    "  s2: {type: spring, bodies: [crank, slider], from: P(0.2, 0.3), to: P(1.7, 0.1), stiffness: 4 + 2*length, damping: 0.7}\n"
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
    "  A: {type: generic, bodies: [ground, crank], at: [0, 0], axis: [1, 0.5], lock: [x, y], drive: {angle: '1.7*t + 0.4*t^2'}}\n"
    "  B: {type: revolute, bodies: [crank, rod], at: [0.3, 0.5]}\n"
    "  C: {type: revolute, bodies: [rod, slider], at: [1.7, 0.1]}\n"
    "  G: {type: prismatic, bodies: [ground, slider], at: [1.2, 0.1], axis: [1, 0]}\n"
    "  H: {type: revolute, bodies: [rod, arm], at: [0.9, 0.55]}\n";

static const char *const spatial_forces =
    "  s1: {type: spring, bodies: [ground, bob], from: P(0.3, 1.2, 0.4), to: P(1.1, 0.3, -0.6), stiffness: 35, free_length: 0.4}\n"
    "  s2: {type: spring, bodies: [shaft, carriage], from: P(0, 0.1, 0.4), to: P(0.7, 0.2, 0.3), stiffness: 20 + 9*length, damping: 1.7}\n"
    "  t1: {type: torsion, joint: sleeve, stiffness: 1.3, damping: 0.1}\n"
    "  m1: {type: torque, body: bob, reaction: carriage, torque: ['0.2*sin(3*t)', 0.1, -0.15], frame: body}\n"
    "  f1: {type: force, body: bob, at: P(1.0, 0.4, -0.9), force: ['0.7*cos(2*t)', -0.4, 0.3], frame: body}\n";

/* A driven shaft, a carriage that slides and turns on it, and a bob on a universal joint. */
static const char *const spatial_text =
    "holonom: 1\nspace: spatial\ngravity: [0.4, -1.1, -9.6]\nbodies:\n"
    "  shaft: {mass: 1.3, inertia: [0.07, 0.09, 0.04], position: [0.05, 0.02, 0.2], com: [0.01, 0.03, 0.02]}\n"
    "  carriage: {mass: 0.8, inertia: [0.03, 0.02, 0.04, 0.004, 0.001, -0.002], position: [0.7, 0.2, 0.3], orientation: {euler: "
    "[0.3, 0.2, -0.8]}}\n"
    "  bob: {mass: 0.6, inertia: [0.02, 0.025, 0.01], position: [1.1, 0.3, -0.5], orientation: {axis: [1, 1, 0], angle: 0.5}}\n"
    "joints:\n"
    "  drive: {type: generic, bodies: [ground, shaft], at: [0, 0, 0], axis: [0.1, 0, 1], lock: [x, y, z, rx, ry], drive: {rz: "
    "'1.9*t - 0.2*t^2'}}\n"
    "  sleeve: {type: cylindrical, bodies: [shaft, carriage], at: [0.3, 0.1, 0.3], axis: [1, 0.2, 0.1]}\n"
    "  cross: {type: universal, bodies: [carriage, bob], at: [0.9, 0.2, 0.1], axis: [0, 1, 0], axis_second: [1, 0, 0.4]}\n";

/* A mechanism of the tests: from a file of models/ or from a text, with what the scene cannot take from the model. */
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
    {.text = planar_text, .forces = planar_forces, .rest_joint = "A", .rest = ", lock: [x, y], drive: {angle: '1.7*t + 0.4*t^2'}", .step = 2e-3, .end = 0.8},
    {.text = spatial_text, .forces = spatial_forces, .rest_joint = "drive", .rest = ", lock: [x, y, z, rx, ry], drive: {rz: '1.9*t - 0.2*t^2'}", .step = 2e-3, .end = 0.8},
};

enum { SUBJECTS = sizeof subjects / sizeof *subjects };

/* Read a subject and take it apart. */
static void load(const subject *sub, scene *s) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    char path[512];
    *s = (scene){.dim = 0};
    snprintf(path, sizeof path, "%s/%s", HOLONOM_TEST_MODELS, sub->file ? sub->file : "");
    const hol_status status = sub->file ? hol_spec_read_file(spec, path) : hol_spec_read_text(spec, sub->text, "own.yaml");
    if (status) fail_with_messages(ctx, path);
    if (sub->set) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(sub->set, "="), sub->set);
        assert_int_equal(hol_spec_set(spec, name, strchr(sub->set, '=') + 1, "test"), HOL_OK);
    }
    hol_model *model = hol_model_compile(spec);
    if (!model) fail_with_messages(ctx, path);
    scene_read(model, s);
    if (sub->forces) snprintf(s->forces, sizeof s->forces, "%s", sub->forces);
    for (int i = 0; sub->rest && i < s->n_joints; i++)
        if (strcmp(s->joint[i].name, sub->rest_joint) == 0) snprintf(s->joint[i].rest, sizeof s->joint[i].rest, "%s", sub->rest);
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

static run run_open(const scene *s, const scene_frame *f) {
    mech_text text;
    scene_write(s, f, &text);
    run r = {.m = mech_open(text.text)};
    r.sim = hol_sim_new(r.m.model);
    if (!r.sim) fail_with_messages(r.m.ctx, text.text);
    r.data = hol_sim_data(r.sim);
    return r;
}

static void run_close(run *r) {
    hol_sim_free(r->sim);
    mech_close(&r->m);
}

static void run_to(run *r, double t) {
    if (hol_sim_advance(r->sim, t)) fail_with_messages(r->m.ctx, "the run failed");
}

/* Largest difference of the motion of all bodies, the second as the frame shows the first: positions (in units of length),
 * orientations, velocities and angular velocities, relative to the largest velocity of the kind and at least 1. */
static double motion_apart(run *a, run *b, const scene_frame *f) {
    double R[9], most = 0, v_size = 1, w_size = 1;
    hol__quat_matrix(f->p, R);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < a->m.model->nb; i++) {
            const int k = hol_model_body(b->m.model, hol_model_body_name(a->m.model, i));
            assert_true(k >= 0);
            const hol_pose pa = hol_data_body_pose(a->data, i), pb = hol_data_body_pose(b->data, k);
            const hol_twist ta = hol_data_body_twist(a->data, i), tb = hol_data_body_twist(b->data, k);
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
static void compare_motion(run *a, run *b, const scene_frame *f, double end, double limit, const char *what) {
    for (int k = 1; k <= 5; k++) {
        run_to(a, end * k / 5);
        run_to(b, end * k / 5);
        const double apart = motion_apart(a, b, f);
        if (!(apart <= limit)) fail_msg("%s: at t = %g the motions differ by %.3g, more than %.3g", what, end * k / 5, apart, limit);
    }
}

static void name_of(const subject *sub, const char *what, char *out, size_t size) {
    snprintf(out, size, "%s, %s", sub->file ? sub->file : sub->forces == planar_forces ? "own planar" : "own spatial", what);
}

/* A turn about no particular axis (in the plane about z) and a shift. */
static scene_frame elsewhere(int dim) {
    scene_frame f = {.d = {0.83, -1.37, dim == 3 ? 0.59 : 0}, .length = 1, .mass = 1};
    const double u[3] = {dim == 3 ? 0.7 : 0, dim == 3 ? -1.1 : 0, 1.3};
    hol__quat_exp(u, f.p);
    return f;
}

/* The size of a reaction, to measure differences against. */
static double reaction_size(hol_data *data, int joint) {
    const hol_reaction r = hol_data_reaction(data, joint);
    return fmax(1, hol__norm3(r.force) + hol__norm3(r.moment));
}

/* ---- turned, moved, scaled ---- */

static void test_turned_and_moved(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    for (int i = 0; i < SUBJECTS; i++) {
        scene s;
        char what[96];
        load(&subjects[i], &s);
        const scene_frame f = elsewhere(s.dim);
        name_of(&subjects[i], "turned", what, sizeof what);
        run a = run_open(&s, &scene_as_it_is), b = run_open(&s, &f);
        compare_motion(&a, &b, &f, subjects[i].end, subjects[i].redundant ? 1e-8 : bound, what);
        for (int j = 0; j < s.n_joints; j++) {
            const hol_reaction ra = hol_data_reaction(a.data, j), rb = hol_data_reaction(b.data, j);
            double R[9], F[3], M[3], P[3];
            hol__quat_matrix(f.p, R);
            hol__mul3(R, ra.force, F);
            hol__mul3(R, ra.moment, M);
            hol__mul3(R, ra.point, P);
            hol__add3(P, f.d, P);
            assert_int_equal(ra.unique, rb.unique);
            /* accelerations lose three digits against positions: forces of stiff springs and lengths of a decimetre */
            const double limit = (subjects[i].redundant ? 1e-5 : 1e-7) * reaction_size(a.data, j);
            for (int k = 0; k < 3; k++) {
                check_close(rb.point[k], P[k], 1e-8, "point", what);
                if (!ra.unique) continue;
                if (!(fabs(rb.force[k] - F[k]) < limit && fabs(rb.moment[k] - M[k]) < limit))
                    fail_msg("%s: reaction of %s differs by %g, %g", what, s.joint[j].name, rb.force[k] - F[k], rb.moment[k] - M[k]);
                /* in the joint's own frame nothing turns, where it is drawn along with the axis */
                if (s.joint[j].has_axis && (s.joint[j].has_x || k == s.dim - 1) &&
                    !(fabs(rb.force_joint[k] - ra.force_joint[k]) < limit && fabs(rb.moment_joint[k] - ra.moment_joint[k]) < limit))
                    fail_msg("%s: reaction of %s in its frame differs", what, s.joint[j].name);
            }
        }
        run_close(&a);
        run_close(&b);
    }
}

/* Millimetres and tonnes: lengths times 1000, masses times 0.001, inertias times 1000. */
static void test_units(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    for (int i = 0; i < SUBJECTS; i++) {
        scene s;
        char what[96];
        if (subjects[i].forces) continue;
        load(&subjects[i], &s);
        const scene_frame f = {{1, 0, 0, 0}, {0, 0, 0}, 1000, 1e-3};
        name_of(&subjects[i], "in millimetres", what, sizeof what);
        run a = run_open(&s, &scene_as_it_is), b = run_open(&s, &f);
        /* residuals of lengths and angles are weighed otherwise when iterations end: 1e-12 remains of them */
        compare_motion(&a, &b, &f, subjects[i].end, 1e-7, what);
        for (int j = 0; j < s.n_joints; j++) {
            const hol_reaction ra = hol_data_reaction(a.data, j), rb = hol_data_reaction(b.data, j);
            const double limit = 1e-4 * reaction_size(a.data, j);
            for (int k = 0; k < 3 && ra.unique; k++)
                if (!(fabs(rb.force[k] - ra.force[k]) < limit && fabs(rb.moment[k] / 1000 - ra.moment[k]) < limit))
                    fail_msg("%s: reaction of %s", what, s.joint[j].name);
        }
        run_close(&a);
        run_close(&b);
    }
}

/* ---- other orders ---- */

static void test_permuted(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    for (int i = 0; i < SUBJECTS; i++) {
        scene s;
        char what[96];
        load(&subjects[i], &s);
        const scene p = scene_permuted(&s, s.n_bodies % 7 && s.n_joints % 7 ? 7 : 11);
        name_of(&subjects[i], "permuted", what, sizeof what);
        run a = run_open(&s, &scene_as_it_is), b = run_open(&p, &scene_as_it_is);
        compare_motion(&a, &b, &scene_as_it_is, subjects[i].end, subjects[i].redundant ? 1e-8 : bound, what);
        for (int j = 0; j < s.n_joints; j++) {
            const int k = hol_model_joint(b.m.model, s.joint[j].name);
            const hol_reaction ra = hol_data_reaction(a.data, j), rb = hol_data_reaction(b.data, k);
            /* the smallest reactions are the same in any order, also where they are not unique */
            const double limit = (subjects[i].redundant ? 1e-5 : 1e-7) * reaction_size(a.data, j);
            assert_int_equal(ra.unique, rb.unique);
            for (int c = 0; c < 3; c++)
                if (!(fabs(rb.force[c] - ra.force[c]) < limit && fabs(rb.moment[c] - ra.moment[c]) < limit))
                    fail_msg("%s: reaction of %s", what, s.joint[j].name);
        }
        run_close(&a);
        run_close(&b);
    }
}

/* All joints but driven ones with their bodies in the other order: what the first body receives is the opposite, moved to the
 * point of the other body; along the common axis the components in the joints' frames are opposite too. A joint whose
 * equations are written in the frame of its first body is another one off its constraints, where the stages of a step lie by
 * h^3: over a run the difference is of the order of the formula's error, 1e-8. */
static void test_reversed(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    for (int i = 0; i < SUBJECTS; i++) {
        scene s, p;
        char what[96];
        load(&subjects[i], &s);
        p = s;
        for (int j = 0; j < s.n_joints; j++)
            if (!s.joint[j].rest[0]) scene_reverse(&p.joint[j]);
        name_of(&subjects[i], "reversed", what, sizeof what);
        /* a torsion spring follows its joint: its angle and its torque change sign both, so nothing changes */
        run a = run_open(&s, &scene_as_it_is), b = run_open(&p, &scene_as_it_is);
        compare_motion(&a, &b, &scene_as_it_is, subjects[i].end, 3e-8, what);
        for (int j = 0; j < s.n_joints; j++) {
            const hol_reaction ra = hol_data_reaction(a.data, j), rb = hol_data_reaction(b.data, j);
            const double sign = s.joint[j].rest[0] ? 1 : -1, limit = 1e-5 * reaction_size(a.data, j);
            double arm[3], shift[3];
            hol__sub3(ra.point, rb.point, arm);
            hol__cross3(arm, ra.force, shift);
            for (int k = 0; k < 3 && ra.unique; k++)
                if (!(fabs(rb.force[k] - sign * ra.force[k]) < limit &&
                      fabs(rb.moment[k] - sign * (ra.moment[k] + shift[k])) < limit))
                    fail_msg("%s: reaction of %s", what, s.joint[j].name);
            if (!ra.unique || !s.joint[j].has_x) continue;
            assert_true(fabs(rb.force_joint[2] - sign * ra.force_joint[2]) < limit);
            if (hol__norm3(arm) < 1e-9) assert_true(fabs(rb.moment_joint[2] - sign * ra.moment_joint[2]) < limit);
        }
        run_close(&a);
        run_close(&b);
    }
}

/* A joint given twice: the motion is the same, and the two reactions add up to the one. The rank-revealing path of the solver
 * works to about 1e-12 on the accelerations; a thousand steps and growth leave 1e-8. */
static void test_duplicated(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    for (int i = 0; i < SUBJECTS; i++) {
        if (subjects[i].redundant) continue;
        scene s, p;
        char what[96];
        load(&subjects[i], &s);
        p = s;
        const int twin = p.n_joints++, of = 1;
        p.joint[twin] = s.joint[of];
        snprintf(p.joint[twin].name, sizeof p.joint[twin].name, "twin");
        name_of(&subjects[i], "a joint twice", what, sizeof what);
        run a = run_open(&s, &scene_as_it_is), b = run_open(&p, &scene_as_it_is);
        assert_int_equal(hol_sim_describe(a.sim).n_redundant, 0);
        assert_int_equal(hol_sim_describe(b.sim).n_redundant, b.m.model->m - a.m.model->m);
        assert_int_equal(hol_sim_describe(b.sim).dof, hol_sim_describe(a.sim).dof);
        compare_motion(&a, &b, &scene_as_it_is, subjects[i].end, 1e-8, what);
        const hol_reaction one = hol_data_reaction(a.data, of), r1 = hol_data_reaction(b.data, of), r2 = hol_data_reaction(b.data, twin);
        assert_true(one.unique && !r1.unique && !r2.unique);
        const double limit = 1e-5 * reaction_size(a.data, of);
        for (int k = 0; k < 3; k++) {
            if (!(fabs(r1.force[k] + r2.force[k] - one.force[k]) < limit && fabs(r1.moment[k] + r2.moment[k] - one.moment[k]) < limit))
                fail_msg("%s: the reactions add up to %g, %g, expected %g, %g", what, r1.force[k] + r2.force[k], r1.moment[k] + r2.moment[k],
                         one.force[k], one.moment[k]);
            /* the smallest reactions share equally */
            assert_true(fabs(r1.force[k] - r2.force[k]) < limit && fabs(r1.moment[k] - r2.moment[k]) < limit);
        }
        run_close(&a);
        run_close(&b);
    }
}

/* ---- chosen steps ---- */

/* With chosen steps rounding may change the steps: the local error of 1e-10 (safety included 5e-12) times growth. */
static void test_chosen_steps(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    for (int i = 0; i < SUBJECTS; i++) {
        scene s;
        char what[96];
        load(&subjects[i], &s);
        snprintf(s.simulation, sizeof s.simulation, "end: %g, tolerance: 1e-10", subjects[i].end);
        const scene_frame f = elsewhere(s.dim);
        const scene p = scene_permuted(&s, s.n_bodies % 7 && s.n_joints % 7 ? 7 : 11);
        name_of(&subjects[i], "turned and permuted, chosen steps", what, sizeof what);
        run a = run_open(&s, &scene_as_it_is), b = run_open(&p, &f);
        compare_motion(&a, &b, &f, subjects[i].end, 1e-7, what);
        run_close(&a);
        run_close(&b);
    }
}

/* ---- the laws of mechanics, body by body ---- */

/* m a = m g + applied + reactions, and J omega' + omega x J omega = moments about the mass centre, global. */
static void check_balance(run *r, const char *what) {
    hol_data *data = r->data;
    const hol_model *model = r->m.model;
    const int n = model->nv + model->bw;
    double *w = calloc((size_t)n, sizeof *w);
    hol_data_update(data, HOL_STAGE_DYN);
    model->coords->inertia(model, data->b2, data->b3, w);
    for (int i = 0; i < n; i++) w[i] = data->Q[i] - w[i];
    for (int b = 0; b < model->nb; b++) {
        const hol__body *body = &model->bodies[b];
        const hol_pose pose = hol_data_body_pose(data, b);
        const double *a = hol_data_acceleration(data) + model->bw * b, *v = hol_data_v(data) + model->bw * b;
        double c[3], F[3] = {0, 0, 0}, M[3] = {0, 0, 0}, H[3] = {0, 0, 0}, local[3] = {0, 0, 0}, size = 1, u[3];
        hol__mul3(pose.R, body->com, u);
        hol__add3(pose.r, u, c);
        for (int k = 0; k < model->dim; k++) F[k] = w[model->bw * b + k] + body->mass * (model->gravity[k] - a[k]);
        if (model->dim == 2) {
            M[2] = w[3 * b + 2] - body->inertia * a[2];
        } else {
            double Jw[3], gyro[3], Ja[3];
            hol__mul3(body->J, v + 3, Jw);
            hol__cross3(v + 3, Jw, gyro);
            hol__mul3(body->J, a + 3, Ja);
            for (int k = 0; k < 3; k++) local[k] = w[6 * b + 3 + k] - Ja[k] - gyro[k];
            hol__mul3(pose.R, local, H);
            hol__add3(M, H, M);
        }
        for (int j = 0; j < model->n_joints; j++) {
            const hol_reaction re = hol_data_reaction(data, j);
            const double sign = model->joints[j].body[0] == b ? 1 : model->joints[j].body[1] == b ? -1 : 0;
            double arm[3], moment[3];
            hol__sub3(re.point, c, arm);
            hol__cross3(arm, re.force, moment);
            for (int k = 0; k < 3 && sign != 0; k++) F[k] += sign * re.force[k], M[k] += sign * (re.moment[k] + moment[k]);
            if (sign != 0) size = fmax(size, hol__norm3(re.force) + hol__norm3(re.moment) + hol__norm3(moment));
        }
        /* the solver's backward error and the sums: 1e-11 of the largest term */
        for (int k = 0; k < 3; k++)
            if (!(fabs(F[k]) < 1e-11 * size && fabs(M[k]) < 1e-11 * size))
                fail_msg("%s: body %s is out of balance by %g N, %g N m (of %g)", what, body->name, F[k], M[k], size);
    }
    free(w);
}

static void test_newton_euler(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    for (int i = 0; i < SUBJECTS; i++)
        for (int twice = 0; twice < 2; twice++) {
            scene s;
            char what[96];
            load(&subjects[i], &s);
            if (twice) {
                s.joint[s.n_joints] = s.joint[0];
                snprintf(s.joint[s.n_joints++].name, sizeof s.joint[0].name, "twin");
            }
            name_of(&subjects[i], twice ? "balance of bodies with a joint twice" : "balance of bodies", what, sizeof what);
            run r = run_open(&s, &scene_as_it_is);
            for (int k = 0; k <= 4; k++) {
                run_to(&r, subjects[i].end * k / 4);
                check_balance(&r, what);
            }
            run_close(&r);
        }
}

/* ---- once more ---- */

/* The same input gives the same bits. */
static void test_same_bits(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    for (int i = 0; i < SUBJECTS; i++)
        for (int chosen = 0; chosen < 2; chosen++) {
            scene s;
            load(&subjects[i], &s);
            if (chosen) snprintf(s.simulation, sizeof s.simulation, "end: %g", subjects[i].end);
            run a = run_open(&s, &scene_as_it_is), b = run_open(&s, &scene_as_it_is);
            run_to(&a, subjects[i].end);
            run_to(&b, subjects[i].end);
            const size_t size = sizeof(double);
            assert_memory_equal(hol_data_q(a.data), hol_data_q(b.data), size * (size_t)a.m.model->nq);
            assert_memory_equal(hol_data_v(a.data), hol_data_v(b.data), size * (size_t)a.m.model->nv);
            assert_memory_equal(hol_data_acceleration(a.data), hol_data_acceleration(b.data), size * (size_t)a.m.model->nv);
            assert_memory_equal(hol_data_multipliers(a.data), hol_data_multipliers(b.data), size * (size_t)a.m.model->m);
            run_close(&a);
            run_close(&b);
        }
}

/* A run continued from a snapshot in another simulation is the whole run: the snapshot lies on the constraints, so what restarting
 * corrects is rounding. Copying the snapshot first carries over the full turns of joints. */
static void test_split_run(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    for (int i = 0; i < SUBJECTS; i++) {
        scene s;
        char what[96];
        load(&subjects[i], &s);
        name_of(&subjects[i], "split", what, sizeof what);
        run a = run_open(&s, &scene_as_it_is), b = run_open(&s, &scene_as_it_is);
        const double half = subjects[i].step * floor(0.4 * subjects[i].end / subjects[i].step);
        hol_data *snapshot = hol_data_new(a.m.model);
        run_to(&a, half);
        hol_data_copy(snapshot, a.data);
        run_to(&a, subjects[i].end);
        assert_true(hol_data_time(snapshot) == half);
        hol_data_copy(b.data, snapshot);
        assert_int_equal(hol_sim_restart(b.sim, half, hol_data_q(snapshot), hol_data_v(snapshot)), HOL_OK);
        run_to(&b, subjects[i].end);
        const double apart = motion_apart(&a, &b, &scene_as_it_is);
        if (!(apart <= (subjects[i].redundant ? 1e-8 : bound))) fail_msg("%s: %g", what, apart);
        /* and back again in the first one */
        hol_data_copy(a.data, snapshot);
        assert_int_equal(hol_sim_restart(a.sim, half, hol_data_q(snapshot), hol_data_v(snapshot)), HOL_OK);
        run_to(&a, subjects[i].end);
        const double again = motion_apart(&a, &b, &scene_as_it_is);
        if (!(again <= (subjects[i].redundant ? 1e-8 : bound))) fail_msg("%s, in the first simulation: %g", what, again);
        hol_data_free(snapshot);
        run_close(&a);
        run_close(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turned_and_moved), cmocka_unit_test(test_units),        cmocka_unit_test(test_permuted),
        cmocka_unit_test(test_reversed),         cmocka_unit_test(test_duplicated),   cmocka_unit_test(test_chosen_steps),
        cmocka_unit_test(test_newton_euler),     cmocka_unit_test(test_same_bits),    cmocka_unit_test(test_split_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

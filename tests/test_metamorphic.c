/* test_metamorphic.c: changes of the description that must not change the motion.
 *
 * Turning and moving the whole mechanism, other orders of bodies and joints, reversed joints,
 * joints given twice, other units: with fixed steps the formulas are the same up to rounding, since
 * increments of rotation are in body frames, and the corrections are measured with the mass matrix.
 * What remains is rounding, 1e-16, times the growth of disturbances over the run (up to 1e3 in
 * these runs) times the number of steps (some 1e3): bound 1e-10. Where constraints are redundant
 * another path of the solver is taken, and where steps are chosen the tolerance counts; their
 * bounds stand beside the tests.
 *
 * Reactions keep their sizes, with the signs and frames that these changes imply.
 */
#include "mechanism_subjects.h"

/* A turn about no particular axis (in the plane about z) and a shift. */
static scene_frame elsewhere(int dim) {
    scene_frame f = {.d = {0.83, -1.37, dim == 3 ? 0.59 : 0}, .length = 1, .mass = 1};
    const double u[3] = {dim == 3 ? 0.7 : 0, dim == 3 ? -1.1 : 0, 1.3};
    hol__quat_exp(u, f.p);
    return f;
}

/* The size of a reaction, to measure differences against. */
static double reaction_size(hol_data *data, int joint) {
    const hol_reaction r = reaction_of(data, joint);
    return fmax(1, hol__norm3(r.force) + hol__norm3(r.moment));
}

/* The bound on a motion by another order of the same sums. */
static double motion_bound(const subject *sub) {
    return sub->redundant ? 1e-8 : bound;
}

/* That on its reactions: accelerations lose three digits against positions, by forces of stiff
 * springs and lengths of a decimetre. */
static double reaction_bound(const subject *sub) {
    return sub->redundant ? 1e-5 : 1e-7;
}

/* The order in which bodies and joints are given: a step that has no factor in common with their
 * numbers. */
static scene permuted_scene(const scene *s) {
    return scene_permuted(s, s->n_bodies % 7 && s->n_joints % 7 ? 7 : 11);
}

/* The reaction of a joint is the force F and the moment M. */
static void check_reaction(const hol_reaction *r, const double F[3], const double M[3],
                           double limit, const char *joint, const char *what) {
    for (int k = 0; k < 3; k++)
        if (!(fabs(r->force[k] - F[k]) < limit && fabs(r->moment[k] - M[k]) < limit))
            fail_msg("%s: reaction of %s differs by %g, %g", what, joint, r->force[k] - F[k],
                     r->moment[k] - M[k]);
}

/* ---- turned, moved, scaled ---- */

/* The reaction of joint j turns with the mechanism; in the joint's own frame nothing turns, where
 * it is drawn along with the axis. */
static void check_turned_reaction(twins *t, const scene *s, const scene_frame *f, int j) {
    const hol_reaction ra = reaction_of(t->a.data, j), rb = reaction_of(t->b.data, j);
    const scene_joint *joint = &s->joint[j];
    double R[9], F[3], M[3], P[3];
    hol__quat_matrix(f->p, R);
    hol__mul3(R, ra.force, F);
    hol__mul3(R, ra.moment, M);
    hol__mul3(R, ra.point, P);
    hol__add3(P, f->d, P);
    assert_int_equal(ra.unique, rb.unique);
    for (int k = 0; k < 3; k++) check_close(rb.point[k], P[k], 1e-8, "point", t->what);
    if (!ra.unique) return;
    const double limit = reaction_bound(t->sub) * reaction_size(t->a.data, j);
    check_reaction(&rb, F, M, limit, joint->name, t->what);
    for (int k = 0; k < 3; k++)
        if (joint->has_axis && (joint->has_x || k == s->dim - 1) &&
            !(fabs(rb.force_joint[k] - ra.force_joint[k]) < limit &&
              fabs(rb.moment_joint[k] - ra.moment_joint[k]) < limit))
            fail_msg("%s: reaction of %s in its frame differs", t->what, joint->name);
}

static void check_turned(const subject *sub, scene *s) {
    const scene_frame f = elsewhere(s->dim);
    twins t = twins_open(sub, "turned", s, s, &f);
    compare_motion(&t.a, &t.b, &f, sub->end, motion_bound(sub), t.what);
    for (int j = 0; j < s->n_joints; j++) check_turned_reaction(&t, s, &f, j);
    twins_close(&t);
}

static void test_turned_and_moved(void **state) {
    (void)state;
    each_subject(check_turned);
}

/* Millimetres and tonnes: lengths times 1000, masses times 0.001, inertias times 1000. */
static void check_units(const subject *sub, scene *s) {
    if (sub->forces) return;
    const scene_frame f = {{1, 0, 0, 0}, {0, 0, 0}, 1000, 1e-3};
    twins t = twins_open(sub, "in millimetres", s, s, &f);
    /* residuals of lengths and angles are weighed otherwise when iterations end: 1e-12 remains of
     * them */
    compare_motion(&t.a, &t.b, &f, sub->end, 1e-7, t.what);
    for (int j = 0; j < s->n_joints; j++) {
        const hol_reaction ra = reaction_of(t.a.data, j);
        hol_reaction rb = reaction_of(t.b.data, j);
        for (int k = 0; k < 3; k++) rb.moment[k] /= 1000;
        if (ra.unique)
            check_reaction(&rb, ra.force, ra.moment, 1e-4 * reaction_size(t.a.data, j),
                           s->joint[j].name, t.what);
    }
    twins_close(&t);
}

static void test_units(void **state) {
    (void)state;
    each_subject(check_units);
}

/* ---- other orders ---- */

/* The smallest reactions are the same in any order, also where they are not unique. */
static void check_permuted(const subject *sub, scene *s) {
    const scene p = permuted_scene(s);
    twins t = twins_open(sub, "permuted", s, &p, &scene_as_it_is);
    compare_motion(&t.a, &t.b, &scene_as_it_is, sub->end, motion_bound(sub), t.what);
    for (int j = 0; j < s->n_joints; j++) {
        const int k = hol_model_joint(t.b.m.model, s->joint[j].name);
        const hol_reaction ra = reaction_of(t.a.data, j), rb = reaction_of(t.b.data, k);
        assert_int_equal(ra.unique, rb.unique);
        check_reaction(&rb, ra.force, ra.moment, reaction_bound(sub) * reaction_size(t.a.data, j),
                       s->joint[j].name, t.what);
    }
    twins_close(&t);
}

static void test_permuted(void **state) {
    (void)state;
    each_subject(check_permuted);
}

/* The reaction of a reversed joint: what the first body receives is the opposite, moved to the
 * point of the other body; along the common axis the components in the joints' frames are opposite
 * too. */
static void check_reversed_reaction(twins *t, const scene_joint *joint, int j) {
    const hol_reaction ra = reaction_of(t->a.data, j), rb = reaction_of(t->b.data, j);
    const double sign = joint->rest[0] ? 1 : -1, limit = 1e-5 * reaction_size(t->a.data, j);
    double arm[3], shift[3], F[3], M[3];
    if (!ra.unique) return;
    hol__sub3(ra.point, rb.point, arm);
    hol__cross3(arm, ra.force, shift);
    for (int k = 0; k < 3; k++) F[k] = sign * ra.force[k], M[k] = sign * (ra.moment[k] + shift[k]);
    check_reaction(&rb, F, M, limit, joint->name, t->what);
    if (!joint->has_x) return;
    assert_true(fabs(rb.force_joint[2] - sign * ra.force_joint[2]) < limit);
    if (hol__norm3(arm) < 1e-9)
        assert_true(fabs(rb.moment_joint[2] - sign * ra.moment_joint[2]) < limit);
}

/* All joints but driven ones with their bodies in the other order. A joint whose equations are
 * written in the frame of its first body is another one off its constraints, where the stages of a
 * step lie by h^3: over a run the difference is of the order of the formula's error, 1e-8. A
 * torsion spring follows its joint: its angle and its torque change sign both, so nothing
 * changes. */
static void check_reversed(const subject *sub, scene *s) {
    snprintf(s->simulation, sizeof s->simulation, "end: %g, step: %g", sub->end, sub->step / 2);
    scene p = *s;
    for (int j = 0; j < s->n_joints; j++)
        if (!s->joint[j].rest[0]) scene_reverse(&p.joint[j]);
    twins t = twins_open(sub, "reversed", s, &p, &scene_as_it_is);
    compare_motion(&t.a, &t.b, &scene_as_it_is, sub->end, 3e-8, t.what);
    for (int j = 0; j < s->n_joints; j++) check_reversed_reaction(&t, &s->joint[j], j);
    twins_close(&t);
}

static void test_reversed(void **state) {
    (void)state;
    each_subject(check_reversed);
}

/* A joint given twice: the motion is the same, and the two reactions add up to the one. The
 * rank-revealing path of the solver works to about 1e-12 on the accelerations; a thousand steps and
 * growth leave 1e-8. */
static void check_duplicated(const subject *sub, scene *s) {
    if (sub->redundant) return;
    const int twin = s->n_joints, of = 1;
    const scene p = scene_doubled(s, of);
    twins t = twins_open(sub, "a joint twice", s, &p, &scene_as_it_is);
    assert_int_equal(sim_info(t.a.sim).n_redundant, 0);
    assert_int_equal(sim_info(t.b.sim).n_redundant, t.b.m.model->m - t.a.m.model->m);
    assert_int_equal(sim_info(t.b.sim).dof, sim_info(t.a.sim).dof);
    compare_motion(&t.a, &t.b, &scene_as_it_is, sub->end, 1e-8, t.what);
    const hol_reaction one = reaction_of(t.a.data, of), r2 = reaction_of(t.b.data, twin);
    hol_reaction r1 = reaction_of(t.b.data, of), sum = r1;
    assert_true(one.unique && !r1.unique && !r2.unique);
    const double limit = 1e-5 * reaction_size(t.a.data, of);
    hol__add3(r1.force, r2.force, sum.force);
    hol__add3(r1.moment, r2.moment, sum.moment);
    check_reaction(&sum, one.force, one.moment, limit, "both joints", t.what);
    /* the smallest reactions share equally */
    check_reaction(&r1, r2.force, r2.moment, limit, "one of the joints", t.what);
    twins_close(&t);
}

static void test_duplicated(void **state) {
    (void)state;
    each_subject(check_duplicated);
}

/* ---- chosen steps ---- */

/* With chosen steps rounding may change the steps: the local error of 1e-10 (safety included 5e-12)
 * times growth. */
static void check_chosen_steps(const subject *sub, scene *s) {
    snprintf(s->simulation, sizeof s->simulation, "end: %g, tolerance: 1e-10", sub->end);
    const scene_frame f = elsewhere(s->dim);
    const scene p = permuted_scene(s);
    twins t = twins_open(sub, "turned and permuted, chosen steps", s, &p, &f);
    compare_motion(&t.a, &t.b, &f, sub->end, 1e-7, t.what);
    twins_close(&t);
}

static void test_chosen_steps(void **state) {
    (void)state;
    each_subject(check_chosen_steps);
}

/* ---- all of it under methods and coordinates ---- */

/* With the velocities turned round the motion runs back to its start. */
static void check_backwards(const scene *s, double end, double limit, const char *what) {
    run r = run_open(s, &scene_as_it_is);
    const int n_q = r.m.model->nq, n_v = r.m.model->nv;
    double *q0 = calloc((size_t)n_q + 1, sizeof *q0), *v0 = calloc((size_t)n_v + 1, sizeof *v0);
    double *q = calloc((size_t)n_q + 1, sizeof *q), *v = calloc((size_t)n_v + 1, sizeof *v);
    double apart = 0, size = 1;
    run_to(&r, 0);
    memcpy(q0, hol_data_q(r.data), (size_t)n_q * sizeof *q);
    memcpy(v0, hol_data_v(r.data), (size_t)n_v * sizeof *v);
    run_to(&r, end);
    memcpy(q, hol_data_q(r.data), (size_t)n_q * sizeof *q);
    for (int i = 0; i < n_v; i++) {
        v[i] = -hol_data_v(r.data)[i];
        size = fmax(size, fabs(v[i]));
    }
    assert_int_equal(hol_sim_restart(r.sim, 0, q, v), HOL_OK);
    run_to(&r, end);
    for (int i = 0; i < n_q; i++) apart = fmax(apart, fabs(hol_data_q(r.data)[i] - q0[i]));
    for (int i = 0; i < n_v; i++) apart = fmax(apart, fabs(hol_data_v(r.data)[i] + v0[i]) / size);
    if (!(apart <= limit))
        fail_msg("%s: back at the start the motion is %.3g off, more than %.3g", what, apart,
                 limit);
    free(q0), free(v0), free(q), free(v);
    run_close(&r);
}

/* Turned, moved and permuted; a joint twice; backwards: one method in one set of coordinates.
 * Steps are chosen, since independent coordinates are chosen otherwise in another frame; bounds as
 * above. Motions that run back pass twice as many steps. */
static void check_combination(const subject *sub, scene *s, const char *coordinates,
                              const char *method) {
    char what[64];
    const scene_frame f = elsewhere(s->dim);
    snprintf(s->simulation, sizeof s->simulation,
             "end: %g, tolerance: 1e-10, coordinates: %s, method: %s", sub->end, coordinates,
             method);
    snprintf(what, sizeof what, "%s in %s coordinates", method, coordinates);
    const scene p = permuted_scene(s);
    twins t = twins_open(sub, what, s, &p, &f);
    compare_motion(&t.a, &t.b, &f, sub->end, 1e-7, t.what);
    twins_close(&t);
    if (!sub->redundant) {
        const scene d = scene_doubled(s, 1);
        t = twins_open(sub, what, s, &d, &scene_as_it_is);
        compare_motion(&t.a, &t.b, &scene_as_it_is, sub->end, 1e-7, t.what);
        twins_close(&t);
    }
    if (!sub->forces) check_backwards(s, sub->end, 2e-7, t.what);
}

/* The methods that are tried: all whose equations are exact and that correct or carry no drift
 * beyond the tolerance; of these two in the default run, all with HOLONOM_WHOLE=1. */
static void check_matrix(const subject *sub, scene *s) {
    static const char *const methods[] = {
        "direct-correction", "partitioning", "lagrange",
        "nullspace",         "projection",   "udwadia-kalaba",
        "independent",       "canonical",    "canonical-independent",
        "index1-projection"};
    static const char *const coordinates[] = {"reference", "natural", "relative"};
    const char *word = getenv("HOLONOM_WHOLE");
    const int whole = word && *word && strcmp(word, "0") != 0;
    const size_t n = whole ? sizeof methods / sizeof *methods : 2;
    for (size_t c = 0; c < 3; c++)
        for (size_t m = 0; m < n; m++) check_combination(sub, s, coordinates[c], methods[m]);
}

static void test_matrix(void **state) {
    (void)state;
    each_subject(check_matrix);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turned_and_moved), cmocka_unit_test(test_units),
        cmocka_unit_test(test_permuted),         cmocka_unit_test(test_reversed),
        cmocka_unit_test(test_duplicated),       cmocka_unit_test(test_chosen_steps),
        cmocka_unit_test(test_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

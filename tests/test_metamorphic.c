/* test_metamorphic.c: changes of the description that must not change the motion.
 *
 * Turning and moving the whole mechanism, other orders of bodies and joints, reversed joints, joints given twice, other units:
 * with fixed steps the formulas are the same up to rounding, since increments of rotation are in body frames, and the
 * corrections are measured with the mass matrix. What remains is rounding, 1e-16, times the growth of disturbances over the run
 * (up to 1e3 in these runs) times the number of steps (some 1e3): bound 1e-10. Where constraints are redundant another path of
 * the solver is taken, and where steps are chosen the tolerance counts; their bounds stand beside the tests.
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
                    fail_msg("%s: reaction of %s differs by %g, %g", what, s.joint[j].name,
                             rb.force[k] - F[k], rb.moment[k] - M[k]);
                /* in the joint's own frame nothing turns, where it is drawn along with the axis */
                if (s.joint[j].has_axis && (s.joint[j].has_x || k == s.dim - 1) &&
                    !(fabs(rb.force_joint[k] - ra.force_joint[k]) < limit &&
                      fabs(rb.moment_joint[k] - ra.moment_joint[k]) < limit))
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
                if (!(fabs(rb.force[k] - ra.force[k]) < limit &&
                      fabs(rb.moment[k] / 1000 - ra.moment[k]) < limit))
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
        compare_motion(&a, &b, &scene_as_it_is, subjects[i].end,
                       subjects[i].redundant ? 1e-8 : bound, what);
        for (int j = 0; j < s.n_joints; j++) {
            const int k = hol_model_joint(b.m.model, s.joint[j].name);
            const hol_reaction ra = hol_data_reaction(a.data, j), rb = hol_data_reaction(b.data, k);
            /* the smallest reactions are the same in any order, also where they are not unique */
            const double limit = (subjects[i].redundant ? 1e-5 : 1e-7) * reaction_size(a.data, j);
            assert_int_equal(ra.unique, rb.unique);
            for (int c = 0; c < 3; c++)
                if (!(fabs(rb.force[c] - ra.force[c]) < limit &&
                      fabs(rb.moment[c] - ra.moment[c]) < limit))
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
        snprintf(s.simulation, sizeof s.simulation, "end: %g, step: %g", subjects[i].end,
                 subjects[i].step / 2);
        p = s;
        for (int j = 0; j < s.n_joints; j++)
            if (!s.joint[j].rest[0]) scene_reverse(&p.joint[j]);
        name_of(&subjects[i], "reversed", what, sizeof what);
        /* a torsion spring follows its joint: its angle and its torque change sign both, so nothing changes */
        run a = run_open(&s, &scene_as_it_is), b = run_open(&p, &scene_as_it_is);
        compare_motion(&a, &b, &scene_as_it_is, subjects[i].end, 3e-8, what);
        for (int j = 0; j < s.n_joints; j++) {
            const hol_reaction ra = hol_data_reaction(a.data, j), rb = hol_data_reaction(b.data, j);
            const double sign = s.joint[j].rest[0] ? 1 : -1,
                         limit = 1e-5 * reaction_size(a.data, j);
            double arm[3], shift[3];
            hol__sub3(ra.point, rb.point, arm);
            hol__cross3(arm, ra.force, shift);
            for (int k = 0; k < 3 && ra.unique; k++)
                if (!(fabs(rb.force[k] - sign * ra.force[k]) < limit &&
                      fabs(rb.moment[k] - sign * (ra.moment[k] + shift[k])) < limit))
                    fail_msg("%s: reaction of %s", what, s.joint[j].name);
            if (!ra.unique || !s.joint[j].has_x) continue;
            assert_true(fabs(rb.force_joint[2] - sign * ra.force_joint[2]) < limit);
            if (hol__norm3(arm) < 1e-9)
                assert_true(fabs(rb.moment_joint[2] - sign * ra.moment_joint[2]) < limit);
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
        const hol_reaction one = hol_data_reaction(a.data, of), r1 = hol_data_reaction(b.data, of),
                           r2 = hol_data_reaction(b.data, twin);
        assert_true(one.unique && !r1.unique && !r2.unique);
        const double limit = 1e-5 * reaction_size(a.data, of);
        for (int k = 0; k < 3; k++) {
            if (!(fabs(r1.force[k] + r2.force[k] - one.force[k]) < limit &&
                  fabs(r1.moment[k] + r2.moment[k] - one.moment[k]) < limit))
                fail_msg("%s: the reactions add up to %g, %g, expected %g, %g", what,
                         r1.force[k] + r2.force[k], r1.moment[k] + r2.moment[k], one.force[k],
                         one.moment[k]);
            /* the smallest reactions share equally */
            assert_true(fabs(r1.force[k] - r2.force[k]) < limit &&
                        fabs(r1.moment[k] - r2.moment[k]) < limit);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turned_and_moved), cmocka_unit_test(test_units),
        cmocka_unit_test(test_permuted),         cmocka_unit_test(test_reversed),
        cmocka_unit_test(test_duplicated),       cmocka_unit_test(test_chosen_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

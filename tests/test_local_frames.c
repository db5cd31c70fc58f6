/* test_local_frames.c: the two examples of [BL] as models: three links whose end A is held, or
 * slides on an inclined line, in reference-point and in relative coordinates (there the three
 * angles are the unknowns, as in the paper).
 *
 * Along a motion in which every two links become parallel:
 *     A R = 0 at every state, and the coordinates that complete the constraints change
 *     rho = J'^-T (Q - M a) are the multipliers of the kernel kkt, and R^T (Q - M a) = 0
 *     the method nullspace with `reactions: local` gives the reactions of `lagrange`, at A in the
 *     frame of the joint too
 */
#include "model_fixture.h"

#include "dyn/data.h"
#include "kernel/basis.h"
#include "kernel/kernel.h"

enum { MOST = 16, STATES = 1500 };

static const struct example {
    const char *model, *settings;
    int links_parallel; /* each pair of links changes sides */
} examples[] = {
    {"three_links", "coordinates=reference", 1},
    {"three_links", "coordinates=relative", 1},
    {"three_links_slider", "coordinates=reference", 0},
    {"three_links_slider", "coordinates=relative", 0},
};
enum { N_EXAMPLES = sizeof examples / sizeof *examples };

static run open_example(const struct example *e, const char *more) {
    char settings[256];
    snprintf(settings, sizeof settings, "%s tolerance=1e-10 %s", e->settings, more);
    return run_open(e->model, settings);
}

static double largest(const double *x, int n) {
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* ---- the basis along the motion ---- */

/* A^ R = 0. Rows of A^ have length 1 and R_d solves a system whose smallest pivot is kept above a
 * tenth of its value when it was chosen; a bound of 1e-14 times the entries of R leaves each of the
 * n terms its rounding. */
static void check_complement(const hol__basis *b) {
    const int n = b->n, free = n - b->rank;
    const double bound = 1e-14 * fmax(1, largest(b->R, n * free));
    for (int k = 0; k < free; k++)
        for (int i = 0; i < b->m; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++) sum += b->At[i * n + j] * b->R[k * n + j];
            check_near("A R", sum, 0, bound);
        }
}

/* rho against the multipliers of the kernel, and what is left in the directions that the
 * constraints leave free. */
static void check_reactions(hol__basis *b, hol_data *data) {
    double r[MOST], rho[MOST], forces[MOST];
    const double *R = b->R;
    hol__csr_mul(hol__data_mass(data), data->a, r);
    for (int i = 0; i < b->n; i++) r[i] = data->Q[i] - r[i];
    for (int i = 0; i < b->n; i++) forces[i] = fabs(r[i]) + fabs(data->Q[i]);
    hol__basis_local_reactions(b, r, rho);
    const double scale = largest(data->lambda, b->m), size = largest(forces, b->n);
    for (int i = 0; i < b->m; i++) check_near("rho", rho[i] / scale, data->lambda[i] / scale, 1e-9);
    for (int k = 0; k < b->n - b->rank; k++) {
        double sum = 0, most = 0;
        for (int j = 0; j < b->n; j++) {
            sum += R[k * b->n + j] * r[j];
            most = fmax(most, fabs(R[k * b->n + j]));
        }
        check_near("R^T r", sum / (size * most), 0, 1e-9);
    }
}

/* Whether each pair of links has been on either side of being parallel. */
typedef struct sides {
    int left[3], right[3];
} sides;

static void look_at_sides(run *r, sides *s) {
    static const char *const names[3] = {"theta1", "theta2", "theta3"};
    for (int i = 0; i < 3; i++) {
        const double sine = sin(run_measure(r, names[(i + 1) % 3]) - run_measure(r, names[i]));
        s->left[i] |= sine > 0.05;
        s->right[i] |= sine < -0.05;
    }
}

static void follow(const struct example *e) {
    run r = open_example(e, "");
    hol_data *data = hol_sim_data(r.sim);
    hol__arena arena;
    sides s = {0};
    hol__arena_init(&arena, r.ctx);
    hol__basis *b = hol__basis_new(&arena, &hol__basis_local, data->model->nv, data->model->m,
                                   HOL__RANK_TOLERANCE, HOL__RELEASE_TOLERANCE);
    assert_non_null(b);
    assert_true(data->model->nv <= MOST && data->model->m <= MOST);
    for (int k = 0; k <= STATES; k++) {
        run_to(&r, 0.002 * k);
        assert_int_equal(hol__basis_factor(b, &data->A), HOL_OK);
        assert_int_equal(b->rank, data->model->m);
        check_complement(b);
        check_reactions(b, data);
        look_at_sides(&r, &s);
    }
    assert_true(b->switches >= 2);
    for (int i = 0; e->links_parallel && i < 3; i++) assert_true(s.left[i] && s.right[i]);
    hol__arena_free(&arena);
    run_close(&r);
}

static void test_along_motion(void **unused) {
    (void)unused;
    for (int i = 0; i < N_EXAMPLES; i++) follow(&examples[i]);
}

/* ---- the option ---- */

/* Largest difference of all reactions, in both frames, over the largest reaction. */
static double reaction_difference(run *a, run *b) {
    double off = 0, scale = 0;
    for (int i = 0; i < model_info(a->model).n_joints; i++) {
        const hol_reaction f = reaction_of(hol_sim_data(a->sim), i),
                           g = reaction_of(hol_sim_data(b->sim), i);
        assert_int_equal(f.unique, g.unique);
        for (int k = 0; k < 3 && f.unique; k++) {
            off = fmax(off, fabs(f.force[k] - g.force[k]));
            off = fmax(off, fabs(f.force_joint[k] - g.force_joint[k]));
            off = fmax(off, fabs(f.moment[k] - g.moment[k]));
            off = fmax(off, fabs(f.moment_joint[k] - g.moment_joint[k]));
            scale = fmax(scale, fabs(g.force[k]));
        }
    }
    assert_true(scale > 0);
    return off / scale;
}

/* Put a run at the state of another. */
static void meet(run *r, run *there) {
    hol_data *data = hol_sim_data(there->sim);
    assert_int_equal(
        hol_sim_restart(r->sim, hol_data_time(data), hol_data_q(data), hol_data_v(data)), HOL_OK);
    run_to(r, hol_data_time(data));
}

static void compare_reactions(const struct example *e, const char *method) {
    char settings[128];
    snprintf(settings, sizeof settings, "method=%s basis=local reactions=local", method);
    run moved = open_example(e, ""), wanted = open_example(e, "method=lagrange"),
        got = open_example(e, settings);
    const int A = model_info(got.model).n_joints - 1;
    for (int k = 0; k <= 30; k++) {
        run_to(&moved, 0.1 * k);
        meet(&wanted, &moved);
        meet(&got, &moved);
        check_near("reactions", reaction_difference(&got, &wanted), 0, 1e-9);
        const hol_reaction f = reaction_of(hol_sim_data(got.sim), A);
        /* the frame of A has its x axis along the line on which it slides */
        if (!e->links_parallel)
            check_near("along the line", f.force_joint[0] / fabs(f.force_joint[1]), 0, 1e-12);
    }
    run_close(&moved);
    run_close(&wanted);
    run_close(&got);
}

static void test_option(void **unused) {
    (void)unused;
    for (int i = 0; i < N_EXAMPLES; i++) {
        compare_reactions(&examples[i], "nullspace");
        compare_reactions(&examples[i], "projection");
    }
}

/* A pin that is there twice: one of the two carries all, in either direction; what is unique is as
 * ever. */
static void test_redundant(void **unused) {
    (void)unused;
    static const char more[] = "joints:\n"
                               "  again: {type: revolute, bodies: [ground, link1], at: O}\n";
    run wanted = run_with("three_links", more, "method=lagrange"),
        got = run_with("three_links", more, "method=nullspace basis=local reactions=local");
    run_to(&wanted, 0);
    run_to(&got, 0);
    check_near("unique reactions", reaction_difference(&got, &wanted), 0, 1e-9);
    hol_data *data = hol_sim_data(got.sim);
    double sum[2] = {0}, half[2] = {0};
    int idle = 0, shared = 0;
    for (int i = 0; i < 5; i++) {
        const hol_reaction f = reaction_of(data, i), g = reaction_of(hol_sim_data(wanted.sim), i);
        for (int k = 0; k < 2 && !f.unique; k++) {
            sum[k] += f.force[k];
            half[k] += g.force[k];
            idle += f.force[k] == 0;
            shared += g.force[k] != 0;
        }
    }
    assert_int_equal(idle, 2);
    assert_int_equal(shared, 4);
    for (int k = 0; k < 2; k++) check_near("both together", sum[k], half[k], 1e-9 * fabs(half[k]));
    run_close(&wanted);
    run_close(&got);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_along_motion),
        cmocka_unit_test(test_option),
        cmocka_unit_test(test_redundant),
    };
    return run_tests_of_models("local frames", tests);
}

/* test_many_loops.c: many loops in space, each with three redundant rows, move as the same loops in
 * the plane, whether they stand apart or share their links, and setting up and solving N of them
 * apart takes N times the work of one. */
#include "model_fixture.h"

#include "base/text.h"

#include <time.h>

/* ---- models ---- */

/* A point x to the right and h up. */
static void point(hol__text *text, int spatial, double x, double h) {
    hol__text_add(text, spatial ? "[%.17g, 0, %.17g]" : "[%.17g, %.17g]", x, h);
}

static void body(hol__text *text, int spatial, const char *kind, int i, double mass, double x1,
                 double h1, double x2, double h2) {
    const double J = 0.085 * mass;
    hol__text_add(text, "  %s%d: {mass: %.17g, inertia: ", kind, i, mass);
    hol__text_add(text, spatial ? "[0.0117, %.17g, %.17g]" : "%.17g", J, J);
    hol__text_add(text, ", along: [");
    point(text, spatial, x1, h1);
    hol__text_add(text, ", ");
    point(text, spatial, x2, h2);
    hol__text_add(text, "]}\n");
}

static void hinge(hol__text *text, int spatial, const char *a, int i, const char *b, int j,
                  double x, double h) {
    static int number;
    hol__text_add(text, "  H%d: {type: revolute, bodies: [", number++);
    hol__text_add(text, i < 0 ? "ground" : "%s%d", a, i);
    hol__text_add(text, ", %s%d], at: ", b, j);
    point(text, spatial, x, h);
    hol__text_add(text, spatial ? ", axis: [0, 1, 0]}\n" : "}\n");
}

static void begin(hol__text *text, int spatial) {
    hol__text_add(text, "holonom: 1\nspace: %s\ngravity: %s\nbodies:\n",
                  spatial ? "spatial" : "planar", spatial ? "[0, 0, -9.81]" : "[0, -9.81]");
}

/* n four-bars on the ground, with springs from one to the next. */
static void apart(hol__text *text, int spatial, int n) {
    begin(text, spatial);
    for (int i = 0; i < n; i++) {
        const double x = 2 * i;
        body(text, spatial, "c", i, 1.3, x, 0, x + 0.31, 0.83);
        body(text, spatial, "l", i, 0.9, x + 0.31, 0.83, x + 1.53, 1.12);
        body(text, spatial, "r", i, 1.1, x + 1.21, 0, x + 1.53, 1.12);
    }
    hol__text_add(text, "joints:\n");
    for (int i = 0; i < n; i++) {
        const double x = 2 * i;
        hinge(text, spatial, "", -1, "c", i, x, 0);
        hinge(text, spatial, "c", i, "l", i, x + 0.31, 0.83);
        hinge(text, spatial, "l", i, "r", i, x + 1.53, 1.12);
        hinge(text, spatial, "", -1, "r", i, x + 1.21, 0);
    }
    if (n > 1) hol__text_add(text, "forces:\n");
    for (int i = 0; i + 1 < n; i++) {
        hol__text_add(text, "  s%d: {type: spring, bodies: [r%d, c%d], stiffness: 40, from: ", i, i,
                      i + 1);
        point(text, spatial, 2 * i + 1.53, 1.12);
        hol__text_add(text, ", to: ");
        point(text, spatial, 2 * i + 2.31, 0.83);
        hol__text_add(text, "}\n");
    }
}

/* n parallelograms, each of which shares a side with the next. */
static void joined(hol__text *text, int spatial, int n) {
    begin(text, spatial);
    for (int i = 0; i <= n; i++) body(text, spatial, "c", i, 1.07, i, 0, i + 0.3, 1);
    for (int i = 0; i < n; i++) body(text, spatial, "l", i, 0.93, i + 0.3, 1, i + 1.3, 1);
    hol__text_add(text, "joints:\n");
    for (int i = 0; i <= n; i++) hinge(text, spatial, "", -1, "c", i, i, 0);
    for (int i = 0; i < n; i++) {
        hinge(text, spatial, "c", i, "l", i, i + 0.3, 1);
        hinge(text, spatial, "l", i, "c", i + 1, i + 1.3, 1);
    }
}

typedef void writer(hol__text *text, int spatial, int n);

/* ---- runs ---- */

typedef struct machine {
    hol_context *ctx;
    hol_spec *spec;
    hol_options *options;
    hol_model *model;
    hol_sim *sim;
    double seconds; /* until it runs */
} machine;

static machine make(writer *write, int spatial, int n, const char *coordinates) {
    machine m = {.ctx = hol_context_new()};
    hol__text text;
    hol__text_init(&text, m.ctx);
    write(&text, spatial, n);
    hol__text_add(&text, "simulation: {coordinates: %s, integrator: rk4, step: 1e-3, end: 0.05}\n",
                  coordinates);
    m.spec = hol_spec_new(m.ctx);
    assert_int_equal(hol_spec_read_text(m.spec, text.data, "loops.yaml"), HOL_OK);
    const clock_t from = clock();
    m.model = hol_model_from_spec(m.ctx, m.spec, &m.options);
    m.sim = m.model ? hol_sim_new(m.ctx, m.model, m.options) : NULL;
    if (!m.sim) run_print_messages(m.ctx);
    assert_non_null(m.sim);
    for (int i = 0; i < 2; i++) assert_int_equal(hol_sim_step(m.sim), HOL_OK);
    m.seconds = (double)(clock() - from) / CLOCKS_PER_SEC;
    hol__text_free(&text);
    return m;
}

static void destroy(machine *m) {
    hol_sim_free(m->sim);
    hol_options_free(m->options);
    hol_model_free(m->model);
    hol_spec_free(m->spec);
    hol_context_free(m->ctx);
}

/* Where the mass centres of both are after some steps: the same in their common plane, and nothing
 * across it. */
static void moves_as_in_the_plane(writer *write, int n, const char *coordinates) {
    machine space = make(write, 1, n, coordinates), plane = make(write, 0, n, coordinates),
            old = make(write, 0, n, coordinates);
    hol_model_info info = {.size = sizeof info};
    double off = 0, moved = 0;
    assert_int_equal(hol_sim_run(space.sim, NULL), HOL_OK);
    assert_int_equal(hol_sim_run(plane.sim, NULL), HOL_OK);
    assert_int_equal(hol_model_describe(space.model, &info), HOL_OK);
    for (int i = 0; i < info.n_bodies; i++) {
        hol_pose start, a, b;
        assert_int_equal(hol_data_body_pose(hol_sim_data(old.sim), i, &start), HOL_OK);
        assert_int_equal(hol_data_body_pose(hol_sim_data(space.sim), i, &a), HOL_OK);
        assert_int_equal(hol_data_body_pose(hol_sim_data(plane.sim), i, &b), HOL_OK);
        off = fmax(off, fmax(fabs(a.r[0] - b.r[0]), fabs(a.r[2] - b.r[1])));
        off = fmax(off, fabs(a.r[1]));
        moved = fmax(moved, fabs(a.r[0] - start.r[0]));
    }
    print_message("# %d loops, %s coordinates: %.1e m off those in the plane, which move by %.2g m\n", n,
                  coordinates, off, moved);
    /* fifty steps, of which each adds rounding, 1e-14 of up to 50 m */
    assert_true(off < 1e-12);
    assert_true(moved > 1e-4);
    destroy(&space);
    destroy(&plane);
    destroy(&old);
}

static const char *const sets[] = {"relative", "reference", "natural"};

static void loops_apart(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    for (int k = 0; k < 3; k++) moves_as_in_the_plane(apart, 23, sets[k]);
}

/* Forty of them were more than elimination without pivoting could tell from rounding. */
static void loops_joined(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    for (int k = 0; k < 3; k++) moves_as_in_the_plane(joined, 40, sets[k]);
}

/* Four times the loops take less than nine times as long (linear: 4, quadratic: 16). */
static void many_are_linear(void **state) {
    enum { N = 120, TRIES = 4 };
    (void)state;
    if (!run_reads_files()) skip();
    for (int k = 0; k < 3; k++) {
        double few = INFINITY, many = INFINITY;
        for (int i = 0; i < TRIES && !(many < 9 * few); i++) {
            machine a = make(apart, 1, N, sets[k]), b = make(apart, 1, 4 * N, sets[k]);
            few = fmin(few, a.seconds);
            many = fmin(many, b.seconds);
            destroy(&a);
            destroy(&b);
        }
        print_message("# %s: %d loops %.3f s, %d loops %.3f s\n", sets[k], N, few, 4 * N, many);
        assert_true(many < 9 * few);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_apart),
        cmocka_unit_test(loops_joined),
        cmocka_unit_test(many_are_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

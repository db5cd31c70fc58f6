/* test_magnitude.c: the length of a vector, as a component of a measure and by name in expressions,
 * against the components. */
#include "model_fixture.h"

/* Two links in the plane that turn about each other, and a spring. */
static const char planar[] =
    "holonom: 1\nspace: planar\ngravity: [1.3, -9.81]\n"
    "bodies:\n"
    "  a: {mass: 1.7, inertia: 0.11, along: [[0, 0], [0.71, 0.32]], omega: 2.3}\n"
    "  b: {mass: 0.9, inertia: 0.07, along: [[0.71, 0.32], [1.4, -0.1]]}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
    "  B: {type: fixed, bodies: [a, b], at: [0.71, 0.32]}\n"
    "forces:\n"
    "  s: {type: spring, bodies: [ground, b], from: [0.3, 1.1], to: [1.4, -0.1], stiffness: 37}\n"
    "measures:\n"
    "  p: {type: position, body: b}\n  p1: {type: position, body: b, component: magnitude}\n"
    "  v: {type: velocity, body: b, relative_to: a, at: [1.4, -0.1]}\n"
    "  u: {type: velocity, body: b}\n  u1: {type: velocity, body: b, component: magnitude}\n"
    "  c: {type: acceleration, body: b}\n"
    "  c1: {type: acceleration, body: b, component: magnitude}\n"
    "  m: {type: momentum, body: b}\n  m1: {type: momentum, body: b, component: magnitude}\n"
    "  r: {type: reaction, joint: B}\n"
    "  r1: {type: reaction, joint: B, component: magnitude, frame: joint}\n"
    "  r2: {type: reaction, joint: B, component: moment_magnitude}\n"
    "  f: {type: load, force: s, quantity: force}\n"
    "  f1: {type: load, force: s, quantity: force, component: magnitude}\n"
    "  all: {type: load, force: s}\n"
    "  e1: {type: expression, value: all.force.magnitude}\n"
    "  e2: {type: expression, value: 2*r.moment_magnitude}\n"
    "  e3: {type: expression, value: 'hypot(c.x, c.y, p.magnitude*1.7)'}\n"
    "  e4: {type: expression, value: u.magnitude}\n"
    "simulation: {end: 1, tolerance: 1e-10}\n";

/* Vectors of two or three components, and where their lengths stand. */
typedef struct vector {
    const char *parts[3], *length;
} vector;

static void check_vectors(run *r, const vector *rows, size_t n) {
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < 3 && rows[i].parts[k]; k++)
            sum += pow(run_measure(r, rows[i].parts[k]), 2);
        assert_true(sum > 1e-6); /* a test of zeros would say nothing */
        /* three products, a sum, a root */
        check_near(rows[i].length, run_measure(r, rows[i].length), sqrt(sum), 1e-14 * sqrt(sum));
    }
}

/* The unit of a measured column. */
static const char *unit_of(run *r, const char *name) {
    return hol_model_measure(r->model, hol_model_measure_index(r->model, name))->unit;
}

static void test_in_the_plane(void **state) {
    (void)state;
    static const vector rows[] = {
        {{"p.x", "p.y"}, "p1"}, {{"u.x", "u.y"}, "u1"},   {{"c.x", "c.y"}, "c1"},
        {{"m.x", "m.y"}, "m1"}, {{"r.fx", "r.fy"}, "r1"}, {{"r.mz"}, "r2"},
        {{"f.x", "f.y"}, "f1"}, {{"f.x", "f.y"}, "e1"},   {{"u.x", "u.y"}, "e4"},
    };
    run r = run_text(planar, NULL);
    run_to(&r, 0.37);
    check_vectors(&r, rows, sizeof rows / sizeof *rows);
    check_near("twice", run_measure(&r, "e2"), 2 * fabs(run_measure(&r, "r.mz")), 1e-12);
    check_near("three arguments", run_measure(&r, "e3"),
               hypot(run_measure(&r, "c1"), 1.7 * run_measure(&r, "p1")), 1e-12);
    assert_string_equal(unit_of(&r, "r1"), "N");
    assert_string_equal(unit_of(&r, "r2"), "N*m");
    assert_string_equal(unit_of(&r, "e4"), "m/s");
    run_close(&r);
}

static const char spatial[] =
    "holonom: 1\nspace: spatial\ngravity: [1.3, 0.4, -9.81]\n"
    "bodies:\n"
    "  a: {mass: 1.7, inertia: [0.11, 0.21, 0.17], position: [0.3, 0.2, 0.5], "
    "omega: [2.3, -0.7, 1.1]}\n"
    "joints:\n"
    "  A: {type: universal, bodies: [ground, a], at: [0, 0, 0], axis: [1, 0, 0], "
    "axis_second: [0, 1, 0]}\n"
    "forces:\n"
    "  bush: {type: bushing, bodies: [ground, a], at: [0.4, 0.1, 0.3], "
    "stiffness: [80, 90, 70, 3, 4, 5]}\n"
    "measures:\n"
    "  w: {type: angular_velocity, body: a}\n"
    "  w1: {type: angular_velocity, body: a, frame: body, component: magnitude}\n"
    "  l: {type: angular_acceleration, body: a}\n"
    "  l1: {type: angular_acceleration, body: a, component: magnitude}\n"
    "  h: {type: angular_momentum, body: a}\n"
    "  h1: {type: angular_momentum, body: a, component: magnitude}\n"
    "  r: {type: reaction, joint: A}\n"
    "  r1: {type: reaction, joint: A, component: magnitude}\n"
    "  r2: {type: reaction, joint: A, component: moment_magnitude}\n"
    "  f: {type: load, force: bush, quantity: moment}\n"
    "  f1: {type: load, force: bush, quantity: moment, component: magnitude}\n"
    "  g: {type: load, gravity: a, quantity: force, component: magnitude}\n"
    "  e1: {type: expression, value: r.magnitude}\n"
    "  e2: {type: expression, value: r.moment_magnitude}\n"
    "simulation: {end: 1, tolerance: 1e-10}\n";

static void test_in_space(void **state) {
    (void)state;
    static const vector rows[] = {
        {{"w.x", "w.y", "w.z"}, "w1"},    {{"l.x", "l.y", "l.z"}, "l1"},
        {{"h.x", "h.y", "h.z"}, "h1"},    {{"r.fx", "r.fy", "r.fz"}, "r1"},
        {{"r.mx", "r.my", "r.mz"}, "r2"}, {{"f.x", "f.y", "f.z"}, "f1"},
        {{"r.fx", "r.fy", "r.fz"}, "e1"}, {{"r.mx", "r.my", "r.mz"}, "e2"},
    };
    run r = run_text(spatial, NULL);
    run_to(&r, 0.37);
    check_vectors(&r, rows, sizeof rows / sizeof *rows);
    check_near("weight", run_measure(&r, "g"), 1.7 * sqrt(1.3 * 1.3 + 0.16 + 9.81 * 9.81), 1e-13);
    run_close(&r);
}

/* What has no length says so. */
static void test_refused(void **state) {
    (void)state;
    static const char head[] =
        "holonom: 1\nspace: spatial\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\n"
        "forces:\n  bush: {type: bushing, bodies: [ground, a], at: [0, 0, 0], stiffness: [1, 1, "
        "1, 1, 1, 1]}\n"
        "measures:\n  q: {type: orientation, body: a}\n  p: {type: position, body: a}\n";
    static const struct {
        const char *line, *words;
    } rows[] = {
        {"  x: {type: expression, value: q.magnitude}\n", "unknown name 'q.magnitude'"},
        {"  x: {type: expression, value: p.x.magnitude}\n", "unknown name 'p.x.magnitude'"},
        {"  x: {type: load, force: bush, quantity: deflection, component: magnitude}\n",
         "'deflection' has no component 'magnitude'"},
        {"  x: {type: load, force: bush, quantity: power, component: magnitude}\n",
         "'power' has no component 'magnitude'"},
        {"  x: {type: load, force: bush, component: magnitude}\n", "a component is one of"},
        {"  x: {type: velocity, body: a, component: resultant}\n", "did you mean 'magnitude'?"},
        {"  x: {type: position, body: a, component: magnitude}\njoints:\n"
         "  d: {type: driver, measure: x, position: 1}\n",
         "'x' is a position; name one component of it"},
    };
    char text[1200];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(text, sizeof text, "%s%s", head, rows[i].line);
        run_wont_compile(text, rows[i].words);
    }
    run_wont_compile("holonom: 1\nspace: planar\nbodies:\n  a: {mass: 1, inertia: 1}\nmeasures:\n"
                     "  x: {type: velocity, body: a, component: z}\n",
                     "there is no component 'z' in the plane; use x, y or magnitude");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_in_the_plane),
                                       cmocka_unit_test(test_in_space),
                                       cmocka_unit_test(test_refused)};
    if (!run_reads_files()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

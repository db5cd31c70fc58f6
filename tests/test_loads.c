/* test_loads.c: what forces, drivers and gravity tell of themselves through the measure `load`, and
 * single multipliers.
 *
 *     every force of the table, at random states and along its example:
 *     power + V' = -dissipation             power = sum of F . v + M . omega over its bodies
 *     row 1 of its quantities, where it is called rate, is the derivative of row 0
 *     the force that acts on both bodies together has no resultant and no moment
 *
 * and closed solutions: springs, bushings, contacts, drivers, weights, and what does not act.
 */
#include "mechanism_fixture.h"
#include "model_fixture.h"
#include "element/measures.h"
#include "math/vec3.h"

/* ---- the table ---- */

static int is_force(const hol__element_type *type) {
    return strcmp(type->section, "forces") == 0;
}

/* Names are unique among all that a force tells, every row has a sentence, and all of them fit. */
static void test_rows(void **state) {
    const hol__element_type *type;
    int with_rows = 0;
    (void)state;
    for (int i = 0; (type = hol__element_type_get(i)); i++) {
        hol_quantity_doc doc = {.size = sizeof doc}, other = {.size = sizeof other};
        int n = 0;
        for (; hol_element_quantity(type->section, type->name, n, &doc) == HOL_OK; n++) {
            assert_true(doc.name[0] && doc.doc[0]);
            for (int k = 0; k < n; k++) {
                hol_element_quantity(type->section, type->name, k, &other);
                assert_string_not_equal(doc.name, other.name);
            }
        }
        const int own = n - (is_force(type) ? 5 : 1);
        assert_int_equal(n == 0, strcmp(type->section, "measures") == 0);
        assert_true(n == 0 || (own >= 0 && own <= HOL__MAX_TOLD));
        assert_int_equal(n > 0 && own > 0, type->quantities != NULL);
        with_rows += type->quantities != NULL;
    }
    assert_true(with_rows >= 15);
}

/* ---- every force of the table ---- */

enum { OWN = HOL__MAX_TOLD * HOL__TOLD_WIDTH };

/* Own quantities and the energy of the first force. */
static void value_told(void *user, hol_data *data, double *out) {
    hol__told told;
    (void)user;
    hol_data_update(data, HOL_STAGE_DYN);
    hol__data_tell(data, 0, &told);
    memcpy(out, told.own, sizeof told.own);
    out[OWN] = told.energy;
}

/* At the state in the data, along the motion without joints. Tolerances as in
 * test_force_contract.c; contacts of 1e6 N/m at h = 1e-5 leave h^6 f^(7)/140 < 1e-9 of their
 * power. */
static void check_here(mech *m, double h, double tolerance, const char *text) {
    const hol__quantity *rows = m->model->forces[0].type->quantities;
    double *a = calloc((size_t)m->model->nv, sizeof *a), rate[OWN + 1];
    hol__told told;
    free_acceleration(m->data, a);
    hol__data_tell(m->data, 0, &told);
    mech_line l = line_open(m);
    l.h = h;
    line_along_motion(&l, a);
    line_derivative(&l, value_told, NULL, OWN + 1, rate);
    line_close(&l);
    free(a);
    const double size = 1 + fabs(told.power) + fabs(rate[OWN]);
    check_close((told.power + rate[OWN]) / size, -told.loss / size, tolerance, "balance", text);
    if (!rows || !rows[1].name || strcmp(rows[1].name, "rate") != 0) return;
    for (int k = 0; k < HOL__TOLD_WIDTH; k++)
        check_close(rate[k], told.own[HOL__TOLD_WIDTH + k], tolerance, "rate", text);
}

/* Whether the force of the example does something at this state. */
static int does_act(hol_data *data) {
    hol__told told;
    hol_data_update(data, HOL_STAGE_DYN);
    hol__data_tell(data, 0, &told);
    double size = 0;
    for (int k = 0; k < 3; k++) size += fabs(told.force[0][k]) + fabs(told.moment[0][k]);
    for (int k = 0; k < 3; k++) size += fabs(told.force[1][k]) + fabs(told.moment[1][k]);
    return size > 0;
}

/* Returns at how many states the force acted. */
static int check_example(const hol__element_type *type, uint64_t *seed) {
    hol_context *ctx = hol_context_new();
    char *text = hol_element_example(ctx, type->section, type->name);
    int acted = 0;
    assert_non_null(text);
    mech m = mech_open(text);
    for (int i = 0; i < 12; i++) {
        do {
            mech_random(&m, seed);
        } while (is_turned_over(m.data));
        acted += does_act(m.data);
        check_here(&m, 1e-3, 1e-8, text);
    }
    hol_sim *sim = hol_sim_new(m.ctx, m.model, m.options);
    for (int i = 0; i <= 100; i++) {
        assert_int_equal(hol_sim_advance(sim, 0.001 * i), HOL_OK);
        hol_data_copy(m.data, hol_sim_data(sim));
        acted += does_act(m.data);
        check_here(&m, 1e-5, 1e-7, text);
    }
    hol_sim_free(sim);
    mech_close(&m);
    hol_free(ctx, text);
    hol_context_free(ctx);
    return acted;
}

static void test_every_force(void **state) {
    uint64_t seed = 88172645463325252u;
    const hol__element_type *type;
    (void)state;
    if (!reads_yaml()) skip();
    for (int i = 0; (type = hol__element_type_get(i)); i++)
        if (is_force(type) && !check_example(type, &seed))
            fail_msg("the example of '%s' never acts", type->name);
}

/* ---- closed solutions ---- */

static double column(mech *m, const char *name) {
    const int i = hol_model_measure_index(m->model, name);
    if (i < 0) fail_msg("no column '%s'", name);
    return measure_of(m->data, i);
}

static const char *unit_of(const mech *m, const char *name) {
    return hol_model_measure(m->model, hol_model_measure_index(m->model, name))->unit;
}

/* A spring of 120 N/m and 0.4 m free length that is 0.5 m long and grows by 0.3 m/s, c = 7: F =
 * 12 + 2.1 N along (3, 4)/5. */
static void test_spring(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    mech m = mech_open(
        "holonom: 1\nspace: planar\nbodies:\n"
        "  b: {mass: 2, inertia: 0.1, position: [0.3, 0.4], angle: 0.7, velocity: [0.18, 0.24]}\n"
        "forces:\n  s: {type: spring, bodies: [ground, b], from: [0, 0], to: [0.3, 0.4], "
        "stiffness: 120, damping: 7, free_length: 0.4}\n"
        "measures:\n  all: {type: load, force: s}\n"
        "  on_b: {type: load, force: s, quantity: force, on: b, in: b}\n"
        "  fx: {type: load, force: s, quantity: force, on: b, component: x}\n");
    hol_data_update(m.data, HOL_STAGE_DYN);
    const double F = 14.1, c = cos(0.7), s = sin(0.7);
    check_close(column(&m, "all.length"), 0.5, 1e-15, "length", "");
    check_close(column(&m, "all.rate"), 0.3, 1e-15, "rate", "");
    check_close(column(&m, "all.deformation"), 0.1, 1e-15, "deformation", "");
    check_close(column(&m, "all.tension"), F, 1e-13, "tension", "");
    check_close(column(&m, "all.force.x"), 0.6 * F, 1e-13, "force", "");
    check_close(column(&m, "all.force.y"), 0.8 * F, 1e-13, "force", "");
    check_close(column(&m, "fx"), -0.6 * F, 1e-13, "force on the second body", "");
    check_close(column(&m, "on_b.x"), -F * (0.6 * c + 0.8 * s), 1e-13, "in the body", "");
    check_close(column(&m, "on_b.y"), -F * (0.8 * c - 0.6 * s), 1e-13, "in the body", "");
    check_close(column(&m, "all.power"), -F * 0.3, 1e-13, "power", "");
    check_close(column(&m, "all.energy"), 0.5 * 120 * 0.01, 1e-14, "energy", "");
    check_close(column(&m, "all.dissipation"), 7 * 0.09, 1e-13, "dissipation", "");
    assert_string_equal(unit_of(&m, "all.tension"), "N");
    assert_string_equal(unit_of(&m, "all.power"), "W");
    assert_string_equal(
        hol_model_measure(m.model, hol_model_measure_index(m.model, "on_b.x"))->frame, "b");
    mech_close(&m);
}

/* Units follow from what a force acts on. */
static void test_units(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    mech m = mech_open(
        "holonom: 1\nspace: planar\nbodies:\n  a: {mass: 2, inertia: 0.1}\n  b: {mass: 1, inertia: "
        "0.2}\njoints:\n  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
        "  B: {type: prismatic, bodies: [ground, b], at: [0, 0], axis: [1, 0]}\n"
        "  D: {type: driver, joint: B, position: 0.1*t^2}\n"
        "forces:\n  turn: {type: motor, joint: A, curve: 3}\n"
        "  push: {type: friction, joint: B, level: 2}\n"
        "  mount: {type: bushing, bodies: [a, b], at: [0, 0], stiffness: [1, 2, 3]}\n"
        "measures:\n  t: {type: load, force: turn}\n  p: {type: load, force: push}\n"
        "  d: {type: load, joint: D}\n  m: {type: load, force: mount}\n"
        "  l: {type: multiplier, joint: D}\n  r: {type: multiplier, joint: B, row: 2}\n");
    static const char *const units[][2] = {{"t.coordinate", "rad"},
                                           {"t.load", "N*m"},
                                           {"p.coordinate", "m"},
                                           {"p.load", "N"},
                                           {"p.rate", "m/s"},
                                           {"d.load", "N"},
                                           {"d.power", "W"},
                                           {"l", "N"},
                                           {"m.load.x", "N"},
                                           {"m.load.angle", "N*m"},
                                           {"r", "N*m"},
                                           {"m.moment", "N*m"},
                                           {"m.deflection.y", "m"},
                                           {"m.deflection.angle", "rad"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        assert_string_equal(unit_of(&m, units[i][0]), units[i][1]);
    mech_close(&m);
}

/* A driven pendulum, m = 2, J = 0.3, half a metre to its mass centre: T = (J + m r^2) phi'' + m g r
 * cos(phi), in all coordinates; the work of the motor is the integral of its power; multipliers are
 * reactions; the weight does its work. Runs of 1e-9 meet 1e-7. */
static void check_drive(const char *settings) {
    run r = run_text("holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
                     "  rod: {mass: 2, inertia: 0.3, along: [[0, 0], [1, 0]]}\njoints:\n"
                     "  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
                     "  M: {type: motor, joint: A, speed: 2 + sin(t)}\nmeasures:\n"
                     "  d: {type: load, joint: M}\n  l: {type: multiplier, joint: M}\n"
                     "  y: {type: multiplier, joint: A, row: 2}\n"
                     "  R: {type: reaction, joint: A}\n  w: {type: load, gravity: rod}\n"
                     "  E: {type: energy}\nsimulation: {end: 4, tolerance: 1e-9}\n",
                     settings);
    for (int i = 1; i <= 30; i++) {
        const double t = 0.1 * i, h = 1e-3;
        run_to(&r, t - h);
        const double before = run_measure(&r, "E.work");
        run_to(&r, t);
        const double phi = 2 * t + 1 - cos(t), rate = 2 + sin(t),
                     power = run_measure(&r, "d.power");
        const double T = 0.8 * cos(t) + 2 * 9.81 * 0.5 * cos(phi);
        check_near("torque", run_measure(&r, "d.load"), T, 1e-7);
        check_near("power", power, T * rate, 1e-7);
        check_near("multiplier", run_measure(&r, "l"), -T, 1e-7);
        check_near("equation y", run_measure(&r, "y"), run_measure(&r, "R.fy"), 1e-9);
        check_near("weight", run_measure(&r, "w.force.y"), -19.62, 1e-12);
        check_near("its energy", run_measure(&r, "w.energy"), 9.81 * sin(phi), 1e-7);
        check_near("its power", run_measure(&r, "w.power"), -9.81 * rate * cos(phi), 1e-7);
        run_to(&r, t + h);
        /* (W(t + h) - W(t - h))/2h is off by h^2/6 of the second derivative of the power, < 600 */
        check_near("work", (run_measure(&r, "E.work") - before) / (2 * h), power, 1e-4);
    }
    run_close(&r);
}

static void test_drive(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    check_drive("simulation.coordinates=reference");
    check_drive("simulation.coordinates=relative");
    check_drive("simulation.coordinates=natural");
}

/* A force that does not act has a length and no tension; then it acts. */
static void test_active(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    run r = run_text("holonom: 1\nspace: planar\nbodies:\n  b: {mass: 2, inertia: 0.1, position: "
                     "[0.5, 0], velocity: [0.1, 0]}\nforces:\n"
                     "  s: {type: spring, bodies: [ground, b], from: [0, 0], to: [0.5, 0], "
                     "stiffness: 50, free_length: 0.2, active: t > 1}\nmeasures:\n"
                     "  s: {type: load, force: s}\n  m: {type: multiplier, joint: G}\n"
                     "joints:\n  G: {type: generic, bodies: [ground, b], at: [0.5, 0], lock: "
                     "[y], active: t > 1}\nsimulation: {end: 2}\n",
                     NULL);
    run_to(&r, 0.5);
    check_near("length", run_measure(&r, "s.length"), 0.55, 1e-12);
    check_near("rate", run_measure(&r, "s.rate"), 0.1, 1e-12);
    check_near("tension", run_measure(&r, "s.tension"), 0, 0);
    check_near("energy", run_measure(&r, "s.energy"), 0, 0);
    check_near("multiplier", run_measure(&r, "m"), 0, 0);
    run_to(&r, 1.05);
    check_near("tension", run_measure(&r, "s.tension"), 50 * (run_measure(&r, "s.length") - 0.2),
               1e-12);
    assert_true(run_measure(&r, "s.tension") > 10);
    run_close(&r);
}

/* A condition that reads what the element itself does cannot say when it acts; one that reads a
 * length can. */
static void test_own_condition(void **state) {
    static const char *const cases[][3] = {
        {"s.tension < 5", "t < 1", "reads the load of the force itself"},
        {"twice < 5", "t < 1", "reads the load of the force itself"},
        {"t < 1", "m > 0", "reads the reaction of the joint itself"},
        {"s.length < 5", "t < 1", NULL},
    };
    (void)state;
    if (!reads_yaml()) skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hol_context *ctx = hol_context_new();
        mech_text text = {.used = 0};
        char line[1024] = "";
        put(&text,
            "holonom: 1\nspace: planar\ngravity: [0, 0]\nbodies:\n  b: {mass: 2, inertia: 0.1}\n"
            "joints:\n  G: {type: revolute, bodies: [ground, b], at: [0, 0], active: '%s'}\n"
            "forces:\n  s: {type: spring, bodies: [ground, b], from: [1, 0], to: [0.5, 0], "
            "stiffness: 50, active: '%s'}\nmeasures:\n  s: {type: load, force: s}\n"
            "  m: {type: multiplier, joint: G}\n"
            "  twice: {type: expression, value: 2*s.power}\n",
            cases[i][1], cases[i][0]);
        hol_model *model = compile_text(ctx, text.text, "test.yaml", NULL);
        assert_int_equal(model != NULL, !cases[i][2]);
        for (int k = 0; cases[i][2] && k < hol_message_count(ctx) && !strstr(line, cases[i][2]);
             k++)
            hol_message_format(hol_message_get(ctx, k), line, sizeof line);
        if (cases[i][2] && !strstr(line, cases[i][2])) fail_msg("%s: %s", cases[i][0], line);
        hol_model_free(model);
        hol_context_free(ctx);
    }
}

/* ---- refusals ---- */

static const char *const wrong[][2] = {
    {"force: s, quantity: tention", "did you mean 'tension'?"},
    {"force: spring", "there is no force 'spring'"},
    {"quantity: power", "give exactly one of"},
    {"force: s, joint: A", "give exactly one of"},
    {"force: s, component: x", "give it too"},
    {"force: s, quantity: force, component: z", "has no component 'z'"},
    {"force: s, quantity: tension, in: rod", "only force and moment"},
    {"force: s, on: other", "does not act on this body"},
    {"force: f, on: ground", "does not act on this body"},
    {"gravity: ground", "ground has no weight"},
    {"joint: A, quantity: load", "there is no quantity 'load' here; one of: power"},
};

static void test_refusals(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        hol_context *ctx = hol_context_new();
        mech_text text = {.used = 0};
        char line[1024] = "";
        put(&text,
            "holonom: 1\nspace: planar\nbodies:\n  rod: {mass: 1, inertia: 1}\n  other: {mass: 1, "
            "inertia: 1}\njoints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
            "forces:\n  s: {type: spring, bodies: [ground, rod], from: [0, 1], to: [1, 0], "
            "stiffness: 1}\n  f: {type: force, body: rod, force: [1, 0]}\n"
            "measures:\n  m: {type: load, %s}\n",
            wrong[i][0]);
        assert_null(compile_text(ctx, text.text, "test.yaml", NULL));
        for (int k = 0; k < hol_message_count(ctx) && !strstr(line, wrong[i][1]); k++)
            hol_message_format(hol_message_get(ctx, k), line, sizeof line);
        if (!strstr(line, wrong[i][1]) || !strstr(line, "test.yaml:12:"))
            fail_msg("%s: %s", wrong[i][0], line);
        hol_context_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),          cmocka_unit_test(test_every_force),
        cmocka_unit_test(test_spring),        cmocka_unit_test(test_units),
        cmocka_unit_test(test_drive),         cmocka_unit_test(test_active),
        cmocka_unit_test(test_own_condition), cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

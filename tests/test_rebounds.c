/* test_rebounds.c: bodies that rebound with friction until they rest on the floor, slide on, and
 * stop or roll: against the sums of all rebounds, down to those of no height.
 *
 * Between impacts a body flies; an impact at the speed u takes the impulse m (1 + e) u along the
 * normal, and at most mu times that across it, against the slip s = v - r w,
 *
 *     m v' = m v - z,  J w' = J w + r z,  z = min(mu m (1 + e) u, s/(1/m + r^2/J))
 *
 * Behind the last one it slides with mu m g until s = 0, and goes on with the speed it has then.
 */
#include "model_fixture.h"

static const double g = 9.81, m = 1.3, height = 0.35, speed = 3.1, mu = 0.23;

/* x at the time `end` of a body that falls from the height with the speed along the floor; 1/J is 0
 * where it does not turn. */
static double place(double e, double radius, double per_J, double end) {
    double u = sqrt(2 * g * height), t = u / g, v = speed, w = 0, x = v * t;
    const double give = 1 / m + radius * radius * per_J;
    for (; u > 1e-40; u *= e) {
        const double s = v - radius * w, z = fmin(mu * m * (1 + e) * u, s / give);
        v -= z / m, w += radius * z * per_J;
        const double flight = 2 * e * u / g;
        x += v * flight, t += flight;
    }
    const double slows = (v - radius * w) / (mu * m * g * give), last = fmin(slows, end - t);
    x += v * last - mu * g * last * last / 2;
    v -= mu * g * last;
    return x + v * (end - t - last);
}

/* A puck that does not turn, as the impact of an event and as a rigid contact; and a ball that
 * does. */
static const char event[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {e: 0.4, mu: 0.23}\nbodies:\n"
    "  puck: {mass: 1.3, inertia: 0.02, position: [0, 0.35], velocity: [3.1, 0]}\njoints:\n"
    "  level: {type: generic, bodies: [ground, puck], at: [0, 0.35], lock: [angle]}\n"
    "  floor: {type: generic, bodies: [ground, puck], at: [0, 0], at_second: [0, 0.35], lock: "
    "[y],\n"
    "    active: {initially: false, until: N.fy > 0}}\n"
    "measures:\n  p: {type: position, body: puck}\n  N: {type: reaction, joint: floor}\n"
    "events:\n  bounce: {when: p.y < 0, do: {impact: {joint: floor, restitution: e, friction: "
    "mu}}}\n"
    "simulation: {end: 2.3, tolerance: 1e-10}\n";
static const char contact[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {e: 0.4, mu: 0.23}\nbodies:\n"
    "  puck: {mass: 1.3, inertia: 0.02, position: [0, 0.45], velocity: [3.1, 0]}\njoints:\n"
    "  level: {type: generic, bodies: [ground, puck], at: [0, 0.45], lock: [angle]}\n"
    "  floor: {type: rigid_contact, bodies: [ground, puck], restitution: e, friction: mu,\n"
    "    shapes: [{type: plane, at: [0, 0], normal: [0, 1]}, {type: sphere, radius: 0.1}]}\n"
    "measures:\n  p: {type: position, body: puck}\nsimulation: {end: 2.3, tolerance: 1e-10}\n";
static const char ball[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {e: 0.4, mu: 0.23}\nbodies:\n"
    "  ball: {mass: 1.3, inertia: 0.0052, position: [0, 0.45], velocity: [3.1, 0]}\njoints:\n"
    "  floor: {type: rigid_contact, bodies: [ground, ball], restitution: e, friction: mu,\n"
    "    shapes: [{type: plane, at: [0, 0], normal: [0, 1]}, {type: sphere, radius: 0.1}]}\n"
    "measures:\n  p: {type: position, body: ball}\nsimulation: {end: 2.3, tolerance: 1e-10}\n";
static const char in_space[] =
    "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nparameters: {e: 0.4, mu: 0.23}\nbodies:\n"
    "  puck: {mass: 1.3, inertia: [0.02, 0.02, 0.02], position: [0, 0, 0.45],\n"
    "    velocity: [1.86, 2.48, 0]}\njoints:\n"
    "  level: {type: generic, bodies: [ground, puck], at: [0, 0, 0.45], lock: [rx, ry, rz]}\n"
    "  floor: {type: rigid_contact, bodies: [ground, puck], restitution: e, friction: mu,\n"
    "    shapes: [{type: plane, at: [0, 0, 0], normal: [0, 0, 1]}, {type: sphere, radius: 0.1}]}\n"
    "measures:\n  p: {type: expression, value: at.x*0.6 + at.y*0.8, unit: m}\n"
    "  at: {type: position, body: puck}\nsimulation: {end: 2.3, tolerance: 1e-10}\n";

/* Rebounds with heights of 1e-9 sizes, or what the first step of a history loses, end in it:
 * 4 mu h/(1 - e) is 1.5e-9 there; errors of formulas with a history are some tolerances. */
static void check_body(const char *name, const char *text, const char *column, double e,
                       double radius, double per_J, const char *formula, double off) {
    char settings[128], what[192];
    snprintf(settings, sizeof settings, "parameters.e=%g simulation.integrator=%s", e, formula);
    snprintf(what, sizeof what, "%s, %s, e = %g", name, formula, e);
    run r = run_text(text, settings);
    run_to(&r, 2.3);
    check_near(what, run_measure(&r, column), place(e, radius, per_J, 2.3), off);
    run_close(&r);
}

static void check_all(const char *formula, double off) {
    static const double restitution[] = {0.23, 0.4, 0.57};
    for (int i = 0; i < 3; i++) {
        const double e = restitution[i];
        check_body("event", event, "p.x", e, 0, 0, formula, off);
        check_body("contact", contact, "p.x", e, 0, 0, formula, off);
        check_body("ball", ball, "p.x", e, 0.1, 1 / 0.0052, formula, off);
        check_body("in_space", in_space, "p", e, 0, 0, formula, off);
    }
}

static void test_one_step(void **unused) {
    static const char *const formulas[] = {"auto", "dopri5", "radau5", "newmark-extrapolated"};
    (void)unused;
    for (int i = 0; i < 4; i++) check_all(formulas[i], 2e-9);
}

static void test_histories(void **unused) {
    (void)unused;
    if (!built_with("sundials")) skip();
    check_all("bdf", 1e-8);
    check_all("ida", 1e-8);
    check_all("adams", 1e-8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_step),
        cmocka_unit_test(test_histories),
    };
    if (!run_reads_files()) return skip_models();
    return cmocka_run_group_tests(tests, NULL, NULL);
}

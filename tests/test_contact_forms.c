/* test_contact_forms.c: small mechanisms of contacts and events against closed forms, in all
 * coordinates, by explicit and implicit formulas and one with a history. */
#include "model_fixture.h"

static const double g = 9.81, pi = 3.14159265358979323846;

/* ---- closed forms ---- */

/* Up an incline of 23.7 degrees: it stops and stays with mu = 0.52, and goes back with 0.31. */
static const double incline = 23.7 * 3.14159265358979323846 / 180, thrown = 2.385;

static double stops(double t) {
    const double slows = g * (sin(incline) + 0.52 * cos(incline)), until = fmin(t, thrown / slows);
    return 0.2 + thrown * until - slows * until * until / 2;
}

static double returns(double t) {
    const double slows = g * (sin(incline) + 0.31 * cos(incline)), until = fmin(t, thrown / slows),
                 back = g * (sin(incline) - 0.31 * cos(incline));
    return 0.2 + thrown * until - slows * until * until / 2 - back * pow(t - until, 2) / 2;
}

/* A rod at an angle falls on its lower end: the impulse I = (1 + e) u/(1/m + c^2/J). */
static double rod_turns(double t) {
    const double m = 1.3, J = m * 0.64 / 12, c = 0.4 * cos(0.651), u = sqrt(2 * g * 0.45),
                 I = 1.6 * u / (1 / m + c * c / J);
    return 0.651 - c * I / J * fmax(0, t - u / g);
}

/* A bob falls into its rope and rebounds with e until it hangs. */
static double falls_into_rope(double t, double e) {
    double u = sqrt(2 * g * 0.75);
    if (t < u / g) return -0.35 - g * t * t / 2;
    for (t -= u / g, u *= e; u > 1e-12; u *= e) {
        if (t < 2 * u / g) return -1.1 + u * t - g * t * t / 2;
        t -= 2 * u / g;
    }
    return -1.1;
}

static double plastic_rope(double t) {
    return falls_into_rope(t, 0);
}

static double elastic_rope(double t) {
    return falls_into_rope(t, 0.6);
}

/* A ball between two walls. */
static double between_walls(double t) {
    double x = 0.4, v = 3.17;
    for (;;) {
        const double wall = v > 0 ? 0.9 : 0.1, there = (wall - x) / v;
        if (t <= there) return x + v * t;
        t -= there, x = wall, v *= -0.83;
    }
}

/* A ball slips until it rolls, with 5/7 of its speed. */
static double begins_to_roll(double t) {
    const double v = 2.9, mu = 0.21, until = fmin(t, 2 * v / (7 * mu * g));
    return cos(0.4) * (v * until - mu * g * until * until / 2 + 5.0 / 7 * v * (t - until));
}

/* A block on a belt, held by a spring: it rides, slips, and is caught again. */
static double rides_on_belt(double t) {
    const double k = 20, v = 0.2, w = sqrt(k), high = 0.5 * g / k, mid = 0.3 * g / k,
                 a = high - mid, slips = 2 * (pi - atan(a * w / v)) / w, sticks = 2 * a / v;
    if (t < high / v) return v * t;
    t = fmod(t - high / v, slips + sticks);
    return t < slips ? mid + a * cos(w * t) + v / w * sin(w * t) : mid - a + v * (t - slips);
}

/* A rod that turns is let go at an angle of 1.234. */
static double let_go(double t) {
    const double w = 2.1, at = 1.234;
    return w * t < at ? 0.6 * cos(w * t) : 0.6 * cos(at) - 0.6 * w * sin(at) * (t - at / w);
}

/* One that is caught goes on together with what it caught. */
static double is_latched(double t) {
    return t < 0.6 / 1.7 ? 1 : 1 + 1.7 * 1.3 / 2.2 * (t - 0.6 / 1.7);
}

/* A tall box turns about its edge: th'' = m g r/J sin(th - al), by RK4. */
static double tips(double t) {
    enum { N = 4000 };
    const double r = hypot(0.3, 0.9) / 2, al = atan2(0.3, 0.9), c = g * r / (4 * r * r / 3),
                 h = t / N;
    double th = 0, w = 1.1;
    for (int i = 0; i < N; i++) {
        const double a1 = c * sin(th - al), w2 = w + h / 2 * a1, a2 = c * sin(th + h / 2 * w - al),
                     w3 = w + h / 2 * a2, a3 = c * sin(th + h / 2 * w2 - al), w4 = w + h * a3,
                     a4 = c * sin(th + h * w3 - al);
        th += h / 6 * (w + 2 * w2 + 2 * w3 + w4);
        w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return th;
}

/* A block rocks from edge to edge: th'' = p^2 sin(th - al) by RK4 on one edge, and each fall on the
 * other keeps its moment of momentum about that: w+ = (1 - 3/2 sin^2 al) w [Housner]. */
static double rock_rate(double th, double al, double p2) {
    return p2 * sin(th - al);
}

static double rocks(double t) {
    const double r = hypot(0.3, 0.9) / 2, al = atan2(0.3, 0.9), p2 = 3 * g / (4 * r), h = 2e-5;
    double th = 0.211, w = 0, now = 0;
    while (now < t) {
        double dt = fmin(h, t - now), th1 = 0, w1 = 0;
        const double sign = th > 0 || (th == 0 && w > 0) ? 1 : -1;
        for (int again = 0; again < 60; again++) { /* the step ends where th is 0 */
            const double a1 = sign * rock_rate(sign * th, al, p2), w2 = w + dt / 2 * a1,
                         a2 = sign * rock_rate(sign * (th + dt / 2 * w), al, p2),
                         w3 = w + dt / 2 * a2,
                         a3 = sign * rock_rate(sign * (th + dt / 2 * w2), al, p2), w4 = w + dt * a3,
                         a4 = sign * rock_rate(sign * (th + dt * w3), al, p2);
            th1 = th + dt / 6 * (w + 2 * w2 + 2 * w3 + w4);
            w1 = w + dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
            if (sign * th1 >= 0 || fabs(th1) < 1e-15) break;
            dt -= th1 / w1;
        }
        now += dt;
        th = th1, w = w1;
        if (sign * th <= 1e-15) th = 0, w *= 1 - 1.5 * pow(sin(al), 2);
        if (th == 0 && fabs(w) < 1e-9) break; /* at rest */
    }
    return th;
}

/* Two rotors on one axis, of which one locks on the other: J1 w1 + J2 w2 stays. */
static double locks(double t) {
    const double at = 0.53, J1 = 0.31, J2 = 0.17, w1 = 2.3, w2 = -1.1;
    return t < at ? w2 * t : w2 * at + (J1 * w1 + J2 * w2) / (J1 + J2) * (t - at);
}

/* Carts that couple one after another: the momentum stays. */
static double are_shunted(double t) {
    const double m[] = {1.3, 0.9, 1.7, 0.6}, at[] = {0, 1, 1.8, 2.9};
    double mass = m[0], v = 2.3, x = 0;
    for (int i = 1; i < 4; i++) {
        const double there = (at[i] - at[i - 1] - 0.4) / v; /* each stops short by its length */
        if (t < there) return x + v * t;
        t -= there;
        x += v * there;
        v *= mass / (mass + m[i]);
        mass += m[i];
    }
    return x + v * t;
}

/* Down an incline of 23.7 degrees a ball rolls with 0.2, which is more than 2/7 of the slope. */
static double rolls_down(double t) {
    return 5.0 / 7 * g * sin(incline) * t * t / 2;
}

/* With 0.07 it slips as a block does. */
static double slips_down(double t) {
    return g * (sin(incline) - 0.07 * cos(incline)) * t * t / 2;
}

static double stays(double t) {
    (void)t;
    return 0.1;
}

/* ---- the mechanisms ---- */

#define PLANE "holonom: 1\nspace: planar\n"
#define WEIGHT "gravity: [0, -9.81]\n"
#define FLOOR "{type: plane, at: [0, 0], normal: [0, 1]}"

static const struct mechanism {
    const char *name, *column;
    double (*form)(double t);
    double end;
    const char *text;
} mechanisms[] = {
    {"stops", "p.x", stops, 3.1,
     PLANE "parameters: {a: 23.7 deg}\ngravity: [-9.81*sin(a), -9.81*cos(a)]\nbodies:\n"
           "  b: {mass: 1.73, inertia: 0.05, position: [0.2, 0.1], velocity: [2.385, 0]}\njoints:\n"
           "  f: {type: rigid_contact, bodies: [ground, b], friction: 0.52,\n"
           "    shapes: [" FLOOR ", {type: box, size: [0.6, 0.2]}]}\n"
           "measures:\n  p: {type: position, body: b}\n"},
    {"returns", "p.x", returns, 2.1,
     "holonom: 1\nspace: spatial\nparameters: {a: 23.7 deg}\n"
     "gravity: [-9.81*sin(a), 0, -9.81*cos(a)]\nbodies:\n"
     "  b: {mass: 1.73, inertia: [0.05, 0.06, 0.07], position: [0.2, 0, 0.1],\n"
     "    velocity: [2.385, 0, 0]}\njoints:\n"
     "  f: {type: rigid_contact, bodies: [ground, b], friction: 0.31,\n"
     "    shapes: [{type: plane, normal: [0, 0, 1]}, {type: box, size: [0.6, 0.5, 0.2]}]}\n"
     "measures:\n  p: {type: position, body: b}\n"},
    {"falling rod", "an", rod_turns, 0.34,
     PLANE WEIGHT "parameters: {y: 0.45 + 0.4*sin(0.651), c: 0.4*cos(0.651)}\nbodies:\n"
                  "  b: {mass: 1.3, inertia: 1.3*0.64/12, position: [0, y], angle: 0.651}\n"
                  "joints:\n  f: {type: rigid_contact, bodies: [ground, b], restitution: 0.6,\n"
                  "    shapes: [{type: plane, at: [0, -0.02], normal: [0, 1]}, {type: capsule,\n"
                  "      at: [-c, 0.45], to: [c, 2*y - 0.45], radius: 0.02}]}\n"
                  "measures:\n  an: {type: angle, body: b}\n"},
    {"plastic rope", "p.y", plastic_rope, 3.1,
     PLANE WEIGHT "bodies:\n  b: {mass: 2.1, inertia: 0.01, position: [0.3, -0.35]}\njoints:\n"
                  "  r: {type: rope, bodies: [ground, b], from: [0.3, 0], to: [0.3, -0.35],\n"
                  "    length: 1.1}\nmeasures:\n  p: {type: position, body: b}\n"},
    {"elastic rope", "p.y", elastic_rope, 3.1,
     PLANE WEIGHT
     "bodies:\n  b: {mass: 2.1, inertia: 0.01, position: [0.3, -0.35]}\njoints:\n"
     "  r: {type: rope, bodies: [ground, b], from: [0.3, 0], to: [0.3, -0.35],\n"
     "    length: 1.1, restitution: 0.6}\nmeasures:\n  p: {type: position, body: b}\n"},
    {"between walls", "p.x", between_walls, 4.1,
     PLANE
     "gravity: [0, 0]\nbodies:\n"
     "  b: {mass: 0.7, inertia: 0.002, position: [0.4, 0.2], velocity: [3.17, 0]}\njoints:\n"
     "  r: {type: rigid_contact, bodies: [ground, b], restitution: 0.83,\n"
     "    shapes: [{type: plane, at: [1, 0], normal: [-1, 0]}, {type: sphere, radius: 0.1}]}\n"
     "  l: {type: rigid_contact, bodies: [ground, b], restitution: 0.83,\n"
     "    shapes: [{type: plane, at: [0, 0], normal: [1, 0]}, {type: sphere, radius: 0.1}]}\n"
     "measures:\n  p: {type: position, body: b}\n"},
    {"begins to roll", "p.x", begins_to_roll, 2.1,
     "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nparameters: {J: 0.4*0.7*0.13^2}\n"
     "bodies:\n  b: {mass: 0.7, inertia: [J, J, J], position: [0, 0, 0.13],\n"
     "    velocity: [2.9*cos(0.4), 2.9*sin(0.4), 0]}\njoints:\n"
     "  f: {type: rigid_contact, bodies: [ground, b], friction: 0.21,\n"
     "    shapes: [{type: plane, normal: [0, 0, 1]}, {type: sphere, radius: 0.13}]}\n"
     "measures:\n  p: {type: position, body: b}\n"},
    {"rides on a belt", "p.x", rides_on_belt, 9.7,
     PLANE WEIGHT
     "bodies:\n  belt: {mass: 1, inertia: 1, position: [0, -0.05]}\n"
     "  b: {mass: 1, inertia: 0.05, position: [0, 0.1], velocity: [0.2, 0]}\njoints:\n"
     "  guide: {type: prismatic, bodies: [ground, belt], at: [0, -0.05], axis: [1, 0]}\n"
     "  drive: {type: driver, joint: guide, velocity: 0.2}\n"
     "  f: {type: rigid_contact, bodies: [belt, b], friction: 0.3, static_friction: 0.5,\n"
     "    shapes: [" FLOOR ", {type: box, size: [0.6, 0.2]}]}\n"
     "forces:\n  s: {type: spring, bodies: [ground, b], from: [-5, 0.1], to: [0, 0.1],\n"
     "    stiffness: 20}\nmeasures:\n  p: {type: position, body: b}\n"},
    {"let go", "p.x", let_go, 2.1,
     PLANE "gravity: [0, 0]\nbodies:\n"
           "  b: {mass: 1.3, inertia: 0.21, position: [0.6, 0], omega: 2.1, velocity: [0, 1.26]}\n"
           "joints:\n  A: {type: revolute, bodies: [ground, b], at: [0, 0]}\n"
           "measures:\n  an: {type: angle, body: b}\n  p: {type: position, body: b}\n"
           "events:\n  cut: {measure: an, crosses: 1.234, do: {release: A}}\n"},
    {"is latched", "z.x", is_latched, 2.1,
     PLANE "gravity: [0, 0]\nbodies:\n"
           "  s: {mass: 1.3, inertia: 0.21, position: [0, 0], velocity: [1.7, 0]}\n"
           "  c: {mass: 0.9, inertia: 0.1, position: [1, 0]}\njoints:\n"
           "  g1: {type: prismatic, bodies: [ground, s], at: [0, 0], axis: [1, 0]}\n"
           "  g2: {type: prismatic, bodies: [ground, c], at: [1, 0], axis: [1, 0]}\n"
           "  hook: {type: distance, bodies: [s, c], from: [0, 0], to: [1, 0], length: 0.4,\n"
           "    active: false}\n"
           "measures:\n  x: {type: position, body: s}\n  z: {type: position, body: c}\n"
           "  gap: {type: expression, value: z.x - x.x}\n"
           "events:\n  catch: {measure: gap, crosses: 0.4, direction: falling,\n"
           "    do: {activate: hook}}\n"},
    {"tips", "an", tips, 0.31,
     PLANE WEIGHT "bodies:\n  b: {mass: 2, inertia: 0.15, position: [0.15, 0.45], omega: 1.1,\n"
                  "    velocity: [-0.495, 0.165]}\njoints:\n"
                  "  f: {type: rigid_contact, bodies: [ground, b], friction: 1.7,\n"
                  "    shapes: [" FLOOR ", {type: box, size: [0.3, 0.9]}]}\n"
                  "measures:\n  an: {type: angle, body: b}\n"},
    {"rocks", "an", rocks, 2.3,
     PLANE WEIGHT "parameters: {r: sqrt(0.9)/2, u: atan(3) + 0.211}\nbodies:\n"
                  "  b: {mass: 2, inertia: 0.15, position: [r*cos(u), r*sin(u)], angle: 0.211}\n"
                  "joints:\n  f: {type: rigid_contact, bodies: [ground, b], friction: 1.7,\n"
                  "    shapes: [" FLOOR ", {type: box, size: [0.3, 0.9]}]}\n"
                  "measures:\n  an: {type: angle, body: b}\n"},
    {"locks", "an", locks, 2.1,
     PLANE "gravity: [0, 0]\nbodies:\n  a: {mass: 1, inertia: 0.31, omega: 2.3}\n"
           "  b: {mass: 1, inertia: 0.17, omega: -1.1}\njoints:\n"
           "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
           "  B: {type: revolute, bodies: [ground, b], at: [0, 0]}\n"
           "  lock: {type: generic, bodies: [a, b], at: [0, 0], lock: [angle], active:\n"
           "    {initially: false, from: t > 0.53, until: t > 1.3, catch: here}}\n"
           "measures:\n  an: {type: angle, body: b}\n"},
    {"are shunted", "p1.x", are_shunted, 2.9,
     PLANE "gravity: [0, 0]\nbodies:\n"
           "  c1: {mass: 1.3, inertia: 0.1, position: [0, 0], velocity: [2.3, 0]}\n"
           "  c2: {mass: 0.9, inertia: 0.1, position: [1, 0]}\n"
           "  c3: {mass: 1.7, inertia: 0.1, position: [1.8, 0]}\n"
           "  c4: {mass: 0.6, inertia: 0.1, position: [2.9, 0]}\njoints:\n"
           "  g1: {type: prismatic, bodies: [ground, c1], at: [0, 0], axis: [1, 0]}\n"
           "  g2: {type: prismatic, bodies: [ground, c2], at: [1, 0], axis: [1, 0]}\n"
           "  g3: {type: prismatic, bodies: [ground, c3], at: [1.8, 0], axis: [1, 0]}\n"
           "  g4: {type: prismatic, bodies: [ground, c4], at: [2.9, 0], axis: [1, 0]}\n"
           "  h2: {type: distance, bodies: [c1, c2], from: [0, 0], to: [1, 0], length: 0.4,\n"
           "    active: false}\n"
           "  h3: {type: distance, bodies: [c2, c3], from: [1, 0], to: [1.8, 0], length: 0.4,\n"
           "    active: false}\n"
           "  h4: {type: distance, bodies: [c3, c4], from: [1.8, 0], to: [2.9, 0], length: 0.4,\n"
           "    active: false}\n"
           "measures:\n  p1: {type: position, body: c1}\n  p2: {type: position, body: c2}\n"
           "  p3: {type: position, body: c3}\n  p4: {type: position, body: c4}\n"
           "  d2: {type: expression, value: p2.x - p1.x}\n"
           "  d3: {type: expression, value: p3.x - p2.x}\n"
           "  d4: {type: expression, value: p4.x - p3.x}\nevents:\n"
           "  e2: {measure: d2, crosses: 0.4, direction: falling, do: {activate: h2}}\n"
           "  e3: {measure: d3, crosses: 0.4, direction: falling, do: {activate: h3}}\n"
           "  e4: {measure: d4, crosses: 0.4, direction: falling, do: {activate: h4}}\n"},
#define BALL_ON_INCLINE(mu)                                                                        \
    "holonom: 1\nspace: spatial\nparameters: {a: 23.7 deg, J: 0.4*0.7*0.13^2}\n"                   \
    "gravity: [9.81*sin(a), 0, -9.81*cos(a)]\nbodies:\n"                                           \
    "  b: {mass: 0.7, inertia: [J, J, J], position: [0, 0, 0.13]}\njoints:\n"                      \
    "  f: {type: rigid_contact, bodies: [ground, b], friction: " mu ",\n"                          \
    "    shapes: [{type: plane, normal: [0, 0, 1]}, {type: sphere, radius: 0.13}]}\n"              \
    "measures:\n  p: {type: position, body: b}\n"
    {"rolls down", "p.x", rolls_down, 2.1, BALL_ON_INCLINE("0.2")},
    {"slips down", "p.x", slips_down, 2.1, BALL_ON_INCLINE("0.07")},
    {"on two supports", "p.x", stays, 5.1,
     PLANE WEIGHT "bodies:\n  b: {mass: 1.1, inertia: 0.2, position: [0.1, 0.35]}\njoints:\n"
                  "  l: {type: rigid_contact, bodies: [ground, b], friction: 0.3, shapes: [{type:\n"
                  "    sphere, at: [-0.4, 0.1], radius: 0.2}, {type: capsule, at: [-0.9, 0.35],\n"
                  "    to: [0.9, 0.35], radius: 0.05}]}\n"
                  "  r: {type: rigid_contact, bodies: [ground, b], friction: 0.3, shapes: [{type:\n"
                  "    sphere, at: [0.5, 0.1], radius: 0.2}, {type: capsule, at: [-0.9, 0.35],\n"
                  "    to: [0.9, 0.35], radius: 0.05}]}\n"
                  "measures:\n  p: {type: position, body: b}\n"},
};

/* All of them by a formula, at seven instants; errors are some tolerances of 1e-8. */
static void check_all(const char *formula, double off) {
    static const char *const sets[] = {"reference", "natural", "relative"};
    for (size_t i = 0; i < sizeof mechanisms / sizeof *mechanisms; i++)
        for (int set = 0; set < 3; set++) {
            const struct mechanism *m = &mechanisms[i];
            char settings[192], what[128];
            snprintf(settings, sizeof settings,
                     "simulation.end=%g simulation.tolerance=1e-8 simulation.integrator=%s "
                     "simulation.coordinates=%s",
                     m->end, formula, sets[set]);
            run r = run_text(m->text, settings);
            for (int k = 1; k <= 7; k++) {
                const double t = m->end * k / 7;
                snprintf(what, sizeof what, "%s, %s, %s, t = %g", m->name, formula, sets[set], t);
                run_to(&r, t);
                check_near(what, run_measure(&r, m->column), m->form(t), off);
            }
            run_close(&r);
        }
}

static void test_explicit(void **unused) {
    (void)unused;
    check_all("dopri5", 3e-8);
    check_all("dop853", 3e-8);
}

static void test_implicit(void **unused) {
    (void)unused;
    check_all("radau5", 3e-8);
}

/* What a first step loses after every instant adds up over the periods of the belt. */
static void test_history(void **unused) {
    (void)unused;
    if (!built_with("sundials")) skip();
    check_all("bdf", 3e-7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_explicit),
        cmocka_unit_test(test_implicit),
        cmocka_unit_test(test_history),
    };
    if (!run_reads_files()) return skip_models();
    return cmocka_run_group_tests(tests, NULL, NULL);
}

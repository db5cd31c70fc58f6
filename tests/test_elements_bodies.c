/* test_elements_bodies.c: bodies and gravity: inertia by shapes and about other points, point
 * masses, prescribed motions, gravity that varies. */
#include "model_fixture.h"

#include "model/model.h"

static const double pi = 3.14159265358979323846;

/* A model with one body, given by its keys. */
static run body_model(const char *space, const char *keys) {
    char text[2048];
    snprintf(text, sizeof text, "holonom: 1\nspace: %s\nbodies:\n  b: {%s}\n", space, keys);
    return run_text(text, NULL);
}

/* Mass, mass centre and inertia (tensor xx yy zz xy xz yz) of a body in space. Sums of a few
 * products: 1e-14 of their size. */
static void check_body(const char *keys, double m, const double com[3], const double J[6]) {
    static const int place[6] = {0, 4, 8, 1, 2, 5};
    run r = body_model("spatial", keys);
    const hol__body *b = &r.model->bodies[0];
    double size = m;
    for (int i = 0; i < 6; i++) size = fmax(size, fabs(J[i]));
    check_near(keys, b->mass, m, 1e-13 * m);
    for (int i = 0; i < 3; i++) check_near(keys, b->com[i], com[i], 1e-14);
    for (int i = 0; i < 6; i++) check_near(keys, b->J[place[i]], J[i], 1e-13 * size);
    run_close(&r);
}

static const double origin[3] = {0, 0, 0};

/* ---- shapes ---- */

static void test_shapes(void **state) {
    (void)state;
    double m = 2.3, J[6] = {0};
    const double box[3] = {0.31, 0.17, 0.08}, r = 0.13, q = 0.07, L = 0.42;
    for (int i = 0; i < 3; i++)
        J[i] = m * (box[(i + 1) % 3] * box[(i + 1) % 3] + box[(i + 2) % 3] * box[(i + 2) % 3]) / 12;
    check_body("shape: {type: box, size: [0.31, 0.17, 0.08], mass: 2.3}", m, origin, J);
    check_body("mass: 2.3, shape: {type: box, size: [0.31, 0.17, 0.08]}", m, origin, J);
    /* cylinder along y, then hollow along z */
    m = 780 * pi * r * r * L;
    check_body(
        "shape: {type: cylinder, radius: 0.13, length: 0.42, axis: [0, 1, 0], density: 780}", m,
        origin,
        (double[6]){m * (3 * r * r + L * L) / 12, m * r * r / 2, m * (3 * r * r + L * L) / 12});
    m = 780 * pi * (r * r - q * q) * L;
    const double across = m * (3 * (r * r + q * q) + L * L) / 12;
    check_body("shape: {type: cylinder, radius: 0.13, inner: 0.07, length: 0.42, density: 780}", m,
               origin, (double[6]){across, across, m * (r * r + q * q) / 2});
    m = 1.7;
    check_body("shape: {type: sphere, radius: 0.13, mass: 1.7}", m, origin,
               (double[6]){0.4 * m * r * r, 0.4 * m * r * r, 0.4 * m * r * r});
    check_body("shape: {type: rod, length: 0.42, mass: 1.7}", m, origin,
               (double[6]){0, m * L * L / 12, m * L * L / 12});
    check_body("shape: {type: ring, radius: 0.13, mass: 1.7}", m, origin,
               (double[6]){m * r * r / 2, m * r * r / 2, m * r * r});
    m = 780 * pi * r * r * L / 3;
    const double cone = 3.0 / 80 * m * (4 * r * r + L * L);
    check_body("shape: {type: cone, radius: 0.13, length: 0.42, density: 780, at: [0.1, 0.2, 0.3]}",
               m, (double[3]){0.1, 0.2, 0.3}, (double[6]){cone, cone, 0.3 * m * r * r});
    m = 2 * pi * pi * r * 0.03 * 0.03 * 780;
    const double flat = m * (r * r / 2 + 0.625 * 9e-4);
    check_body("shape: {type: torus, radius: 0.13, tube: 0.03, density: 780}", m, origin,
               (double[6]){flat, flat, m * (r * r + 0.75 * 9e-4)});
}

/* A hollow sphere is a sphere less a sphere, as the list of both says; a shell of thickness 1e-6 r
 * has 2/3 m r^2 up to that. */
static void test_hollow(void **state) {
    (void)state;
    run hollow =
        body_model("spatial", "shape: {type: sphere, radius: 0.2, inner: 0.15, density: 900}");
    run list = body_model("spatial", "shape: [{type: sphere, radius: 0.2, density: 900}, {type: "
                                     "sphere, radius: 0.15, density: -900}]");
    run shell =
        body_model("spatial", "shape: {type: sphere, radius: 0.2, inner: 0.2*(1 - 1e-6), mass: 3}");
    check_near("mass", hollow.model->bodies[0].mass, list.model->bodies[0].mass, 1e-12);
    check_near("inertia", hollow.model->bodies[0].J[4], list.model->bodies[0].J[4], 1e-13);
    check_near("shell", shell.model->bodies[0].J[8], 2.0 / 3 * 3 * 0.04, 1e-6);
    run_close(&hollow);
    run_close(&list);
    run_close(&shell);
}

/* Two boxes side by side are one long box; a turned one has products of inertia; `along` puts a
 * shape half-way. */
static void test_composite(void **state) {
    (void)state;
    const double a = 0.6, b = 0.2, c = 0.1, m = 1000 * a * b * c;
    const double J[6] = {m * (b * b + c * c) / 12, m * (a * a + c * c) / 12,
                         m * (a * a + b * b) / 12};
    check_body("shape: [{type: box, size: [0.4, 0.2, 0.1], at: [0.2, 0, 0], density: 1000}, {type: "
               "box, size: [0.2, 0.2, 0.1], at: [0.5, 0, "
               "0], density: 1000}]",
               m, (double[3]){0.3, 0, 0}, J);
    check_body("mass: 12, shape: [{type: box, size: [0.4, 0.2, 0.1], at: [0.2, 0, 0]}, {type: box, "
               "size: [0.2, 0.2, 0.1], at: [0.5, 0, 0]}]",
               12, (double[3]){0.3, 0, 0}, J);
    check_body(
        "along: [[1, 0, 0], [1.6, 0, 0]], shape: {type: box, size: [0.6, 0.2, 0.1], mass: 12}", 12,
        (double[3]){0.3, 0, 0}, J);
    /* Ixy' = (Iyy - Ixx) sin a cos a of a box turned by a about z */
    const double s = sin(0.4), k = cos(0.4);
    check_body("shape: {type: box, size: [0.6, 0.2, 0.1], mass: 12, orientation: {axis: [0, 0, 1], "
               "angle: 0.4}}",
               12, origin,
               (double[6]){J[0] * k * k + J[1] * s * s, J[0] * s * s + J[1] * k * k, J[2],
                           (J[0] - J[1]) * s * k});
}

/* In the plane Izz. */
static void test_planar_shapes(void **state) {
    static const struct {
        const char *keys;
        double m, I;
    } cases[] = {
        {"mass: 3, shape: {type: rod, length: 0.7}", 3, 3 * 0.49 / 12},
        {"mass: 3, shape: {type: box, size: [0.7, 0.3]}", 3, 3 * (0.49 + 0.09) / 12},
        {"mass: 3, shape: {type: cylinder, radius: 0.4}", 3, 3 * 0.16 / 2},
        {"shape: [{type: rod, length: 0.7, mass: 3}, {type: point, at: [0.35, 0], mass: 1.5}]", 4.5,
         3 * 0.49 / 12 + 3 * 1.5 / 4.5 * 0.35 * 0.35},
        {"mass: 3, inertia: 3*0.49/3, com: [0.35, 0], inertia_at: [0, 0]", 3, 3 * 0.49 / 12},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run r = body_model("planar", cases[i].keys);
        check_near(cases[i].keys, r.model->bodies[0].mass, cases[i].m, 1e-14);
        check_near(cases[i].keys, r.model->bodies[0].inertia, cases[i].I, 1e-15);
        run_close(&r);
    }
}

/* A cube about a corner: 2/3 m a^2 and -m a^2/4 are m a^2/6 about its centre. */
static void test_inertia_at(void **state) {
    (void)state;
    check_body("mass: 2.2, com: [0.15, 0.15, 0.15], inertia: [2.2*0.06, 2.2*0.06, 2.2*0.06, "
               "-2.2*0.0225, -2.2*0.0225, -2.2*0.0225], "
               "inertia_at: [0, 0, 0]",
               2.2, (double[3]){0.15, 0.15, 0.15},
               (double[6]){2.2 * 0.015, 2.2 * 0.015, 2.2 * 0.015});
}

/* ---- refusals ---- */

/* Bodies that cannot be, and words of the message. */
static const struct {
    const char *text, *words;
} refused[] = {
    {"bodies:\n  b: {inertia: 1}\n", "needs the key 'mass'"},
    {"bodies:\n  b: {mass: 1}\n", "needs the key 'inertia'"},
    {"bodies:\n  b: {mass: 1, inertia: 1, shape: {type: rod, length: 1}}\n",
     "the shape says what the inertia is"},
    {"bodies:\n  b: {shape: {type: rod, length: 1, density: 3}}\n", "is thin and has no volume"},
    {"bodies:\n  b: {shape: {type: rod, length: 1, radius: 3}}\n", "a rod has no 'radius'"},
    {"bodies:\n  b: {shape: {type: sphere, mass: 3}}\n", "a sphere needs 'radius'"},
    {"bodies:\n  b: {shape: {type: ball, mass: 3}}\n", "it is one of: box"},
    {"bodies:\n  b: {shape: {type: cylinder, radius: 1, inner: 2, mass: 3}}\n",
     "is not below the radius"},
    {"bodies:\n  b: {mass: 2, shape: [{type: point, mass: 3}, {type: rod, length: 1}]}\n",
     "have masses of their own"},
    {"bodies:\n  b: {shape: [{type: point, mass: 3}, {type: rod, length: 1}]}\n",
     "every shape needs"},
    {"bodies:\n  b: {mass: 1, inertia: 0.1, inertia_at: [3, 0]}\n",
     "at least mass times distance squared"},
    {"bodies:\n  b: {mass: 1, point: true, inertia: 0.1}\n", "a point mass has no inertia"},
    {"bodies:\n  b: {mass: 1, point: true}\njoints:\n  w: {type: fixed, bodies: [ground, b], "
     "at: [0, 0]}\n",
     "which is a point mass"},
    {"bodies:\n  b: {mass: 1, point: true}\njoints:\n  w: {type: revolute, bodies: [ground, "
     "b], at: [1, 0]}\n",
     "which is a point mass"},
    {"bodies:\n  b: {motion: {x: t}, velocity: [1, 0]}\n", "moves as its `motion` says"},
    {"bodies:\n  b: {mass: 1, inertia: 1, position: {body: b, at: [1, 0]}}\n",
     "the place of body 'b' depends on itself"},
    {"bodies:\n  b: {mass: 1, inertia: 1, position: {body: c, at: [1, 0]}}\n  c: {mass: 1, "
     "inertia: 1, along: [[0, 0], {body: b, at: [2, 0]}]}\n",
     "the place of body 'b' depends on itself"},
    {"bodies:\n  b: {motion: {rz: t}}\n", "not a direction of a planar joint"},
    {"gravity: {mu: 3}\nbodies:\n  b: {mass: 1, inertia: 1}\n", "needs both `center` and `mu`"},
    {"gravity: [0, 0, 1]\nbodies:\n  b: {mass: 1, inertia: 1}\n", "2 components"},
    {"bodies:\n  b: {mass: 1, inertia: 1}\nforces:\n  f: {type: drag, body: ground, linear: "
     "1}\n",
     "a force on ground has no effect"},
    {"bodies:\n  b: {mass: 1, inertia: 1}\nforces:\n  f: {type: torque, body: b, reaction: b, "
     "torque: 2}\n",
     "would act on itself"},
    {"bodies:\n  b: {mass: 1, inertia: 1}\nforces:\n  f: {type: drag, body: b}\n",
     "all coefficients are 0"},
    {"bodies:\n  b: {mass: 1, inertia: 1}\nforces:\n  f: {type: rotor, body: b}\n",
     "does not exist in the plane"},
    {"bodies:\n  b: {mass: 1, inertia: 1}\nforces:\n  f: {type: bushing, bodies: [ground, b], "
     "at: [0, 0]}\n",
     "a bushing needs"},
    {"bodies:\n  b: {mass: 1, inertia: 1}\nforces:\n  f: {type: bushing, bodies: [ground, b], "
     "at: [0, 0], stiffness: [1, 2]}\n",
     "a list of 3 numbers"},
    {"bodies:\n  b: {mass: 1, inertia: 1}\nforces:\n  f: {type: bushing, bodies: [ground, b], "
     "at: [0, 0], stiffness: [[1, 2, 0], [0, 1, 0], "
     "[0, 0, 1]]}\n",
     "not symmetric"},
    {"bodies:\n  b: {mass: 1, inertia: 1}\njoints:\n  A: {type: revolute, bodies: [ground, b], "
     "at: [0, 0]}\n"
     "forces:\n  f: {type: limit, joint: A, component: displacement, upper: 1, stiffness: 3}\n",
     "does not slide"},
    {"bodies:\n  b: {mass: 1, inertia: 1}\njoints:\n  A: {type: revolute, bodies: [ground, b], "
     "at: [0, 0]}\n"
     "forces:\n  f: {type: limit, joint: A, lower: 2, upper: 1, stiffness: 3}\n",
     "is not below the upper end"},
    {"bodies:\n  b: {mass: 1, inertia: 1}\njoints:\n  A: {type: prismatic, bodies: [ground, "
     "b], at: [0, 0], axis: [1, 0]}\n"
     "forces:\n  f: {type: friction, joint: A, component: angle, level: 3}\n",
     "does not turn"},
    {"bodies:\n  b: {mass: 1, inertia: 1}\njoints:\n  A: {type: revolute, bodies: [ground, b], "
     "at: [0, 0]}\n"
     "forces:\n  f: {type: friction, joint: A, model: lugre, level: 3}\n",
     "needs 'bristle_stiffness'"},
    {"bodies:\n  b: {mass: 1, inertia: 1}\nforces:\n  f: {type: contact_plane, bodies: "
     "[ground, b], plane: [0, 0], normal: [0, 1], point: [0, "
     "1], modulus: 3}\n",
     "a point has no stiffness after Hertz"},
    {"bodies:\n  b: {mass: 1, inertia: 1}\nforces:\n  f: {type: contact_plane, bodies: "
     "[ground, b], plane: [0, 0], normal: [0, 1], point: [0, "
     "1], stiffness: 3, restitution: 1.2}\n",
     "lies between 0 and 1"},
    {"bodies:\n  b: {mass: 1, inertia: 1}\nforces:\n  f: {type: tyre, body: b, radius: 1, "
     "stiffness: 1, road: sin(y)}\n",
     "unknown name 'y'"},
};

/* What cannot be is refused with these words. */
static void test_refusals(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char text[1024], line[2048] = "";
        snprintf(text, sizeof text, "holonom: 1\nspace: planar\n%s", refused[i].text);
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
        assert_null(hol_model_from_spec(ctx, spec, NULL));
        int found = 0;
        for (int k = 0; k < hol_message_count(ctx); k++) {
            const hol_message *message = hol_message_get(ctx, k);
            hol_message_format(message, line, sizeof line);
            found |= strstr(line, refused[i].words) != NULL && message->where.line > 0;
        }
        if (!found) fail_msg("%s\nsays '%s', not '%s'", text, line, refused[i].words);
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
}

/* ---- point masses ---- */

/* A point mass on a massless rod is the simple pendulum of A01, in the plane and in space. */
static void test_point_mass(void **state) {
    (void)state;
    for (int spatial = 0; spatial < 2; spatial++) {
        run r = run_text(spatial ? "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n  "
                                   "b: {mass: 1, point: true, position: [-1, 0, 0]}\n"
                                   "joints:\n  rod: {type: distance, bodies: [ground, b], from: "
                                   "[0, 0, 0], to: [-1, 0, 0]}\n"
                                   "measures:\n  x: {type: position, body: b, component: x}\n  y: "
                                   "{type: position, body: b, component: z}\n"
                                   "  hold: {type: reaction, joint: b.orientation}\nsimulation: "
                                   "{end: 10, tolerance: 1e-11}\n"
                                 : "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  b: "
                                   "{mass: 1, point: true, position: [-1, 0]}\n"
                                   "joints:\n  rod: {type: distance, bodies: [ground, b], from: "
                                   "[0, 0], to: [-1, 0]}\n"
                                   "measures:\n  x: {type: position, body: b, component: x}\n  y: "
                                   "{type: position, body: b, component: y}\n"
                                   "  hold: {type: reaction, joint: b.orientation}\nsimulation: "
                                   "{end: 10, tolerance: 1e-11}\n",
                         NULL);
        assert_int_equal(sim_info(r.sim).dof, spatial ? 2 : 1);
        run_to(&r, 10);
        check_near("x", run_measure(&r, "x"), -0.275087462576, 1e-8);
        check_near("y", run_measure(&r, "y"), -0.961419205099, 1e-8);
        check_near("the frame is held by nothing", run_measure(&r, "hold.mz"), 0, 1e-12);
        run_close(&r);
    }
}

/* ---- prescribed motion ---- */

/* In a cart that moves with x(t) a pendulum swings as in gravity (-x'', -g) on ground; the balance
 * closes with the work of the motion. */
static void test_motion(void **state) {
    (void)state;
    run cart = run_open("elements/motion", "tolerance=1e-11");
    /* the bob starts with the velocity that assembly finds nearest to rest; give ground's the
     * same */
    run_to(&cart, 0);
    const double *v = hol_data_v(hol_sim_data(cart.sim));
    char W[64];
    snprintf(W, sizeof W, "W=%.17g", v[5]);
    run still = run_text("holonom: 1\nspace: planar\ngravity: ['3.2*sin(4*t)', -9.81]\n"
                         "bodies:\n  bob: {mass: 0.7, shape: {type: rod, length: 0.6}, along: [[0, "
                         "0], [0, -0.6]], omega: W}\n"
                         "parameters: {W: 0}\njoints:\n  pivot: {type: revolute, bodies: [ground, "
                         "bob], at: [0, 0]}\n"
                         "measures:\n  swing: {type: joint_coordinate, joint: pivot}\nsimulation: "
                         "{end: 5, tolerance: 1e-11}\n",
                         W);
    const double start = energy_of(hol_sim_data(cart.sim)).balance,
                 start_still = energy_of(hol_sim_data(still.sim)).balance;
    for (int i = 1; i <= 5; i++) {
        run_to(&cart, i);
        run_to(&still, i);
        check_near("swing", run_measure(&cart, "swing"), run_measure(&still, "swing"), 1e-7);
        check_near("balance of the cart", energy_of(hol_sim_data(cart.sim)).balance, start, 1e-8);
        check_near("balance in gravity that varies", energy_of(hol_sim_data(still.sim)).balance,
                   start_still, 1e-8);
    }
    run_close(&cart);
    run_close(&still);
}

/* A body that turns as given in space about all axes carries another one rigidly: its orientation
 * is Rx Ry Rz. */
static void test_motion_in_space(void **state) {
    (void)state;
    run r = run_text("holonom: 1\nspace: spatial\nbodies:\n"
                     "  base: {motion: {x: 0.3*t, z: 0.1*t^2, rx: 0.4*sin(t), ry: 0.7*t, rz: t^2}, "
                     "position: [0.2, 0.1, 0.4]}\n"
                     "  load: {mass: 2, inertia: [0.1, 0.2, 0.25], position: [0.5, 0.1, 0.4]}\n"
                     "joints:\n  weld: {type: fixed, bodies: [base, load], at: [0.2, 0.1, 0.4]}\n"
                     "measures:\n  p: {type: position, body: load}\n  energy: {type: "
                     "energy}\nsimulation: {end: 1, tolerance: 1e-11}\n",
                     NULL);
    const double start = energy_of(hol_sim_data(r.sim)).balance, t = 0.9, a = 0.4 * sin(t),
                 b = 0.7 * t, c = t * t;
    run_to(&r, t);
    /* Rx Ry Rz (0.3, 0, 0) */
    const double u[3] = {0.3 * cos(b) * cos(c), 0.3 * (cos(a) * sin(c) + sin(a) * sin(b) * cos(c)),
                         0.3 * (sin(a) * sin(c) - cos(a) * sin(b) * cos(c))};
    check_near("x", run_measure(&r, "p.x"), 0.2 + 0.3 * t + u[0], 1e-11);
    check_near("y", run_measure(&r, "p.y"), 0.1 + u[1], 1e-11);
    check_near("z", run_measure(&r, "p.z"), 0.4 + 0.1 * t * t + u[2], 1e-11);
    check_near("balance", energy_of(hol_sim_data(r.sim)).balance, start, 1e-9);
    run_close(&r);
}

/* ---- gravity ---- */

/* Kepler: from the pericentre the satellite is there again after 2 pi sqrt(a^3/mu), 1/a = 2/r -
 * v^2/mu; energy -mu m/(2 a) and angular momentum stay. The tolerance 1e-12 on lengths of 7e6 m
 * over one turn. */
static void test_orbit(void **state) {
    (void)state;
    const double mu = 3.986004418e14, rp = 7e6, v = 8900, a = 1 / (2 / rp - v * v / mu),
                 T = 2 * pi * sqrt(a * a * a / mu);
    char settings[64];
    snprintf(settings, sizeof settings, "end=%.17g tolerance=1e-12", T);
    run r = run_open("elements/gravity_central", settings);
    const double start = energy_of(hol_sim_data(r.sim)).balance;
    check_near("energy", start, -mu * 850 / (2 * a), 1e-13 * fabs(start));
    run_to(&r, 0.5 * T);
    check_near("apocentre", run_measure(&r, "place.x"), -(2 * a - rp), 1e-8 * a);
    run_to(&r, T);
    const double *q = hol_data_q(hol_sim_data(r.sim)), *w = hol_data_v(hol_sim_data(r.sim));
    check_near("x after one turn", q[0], rp, 1e-8 * rp);
    check_near("y after one turn", q[1], 0, 1e-8 * rp);
    check_near("angular momentum", q[0] * w[1] - q[1] * w[0], rp * v, 1e-10 * rp * v);
    /* errors are shares of the distance, not of a metre */
    hol_sim_info info = {.size = sizeof info};
    assert_int_equal(hol_sim_describe(r.sim, &info), HOL_OK);
    assert_true(info.steps < 400);
    check_near("balance", energy_of(hol_sim_data(r.sim)).balance, start, 1e-10 * fabs(start));
    run_close(&r);
}

/* Free fall in g(t) = g0 (1 + s t): z = -g0 (t^2/2 + s t^3/6); the work is that of the potential's
 * own change. */
static void test_gravity_of_time(void **state) {
    (void)state;
    run r = run_text("holonom: 1\nspace: spatial\ngravity: {uniform: [0, 0, '-9.81*(1 + 0.6*t)']}\n"
                     "bodies:\n  b: {mass: 1.3, inertia: 1, position: [0.4, 0.2, 3]}\n"
                     "measures:\n  z: {type: position, body: b, component: z}\nsimulation: {end: "
                     "2, tolerance: 1e-11}\n",
                     NULL);
    const double start = energy_of(hol_sim_data(r.sim)).balance, t = 1.7;
    run_to(&r, t);
    check_near("z", run_measure(&r, "z"), 3 - 9.81 * (t * t / 2 + 0.6 * t * t * t / 6), 1e-10);
    check_near("balance", energy_of(hol_sim_data(r.sim)).balance, start, 1e-9);
    assert_true(fabs(energy_of(hol_sim_data(r.sim)).work) > 1);
    run_close(&r);
}

/* A body may be drawn at a point of one that stands later in the file: the order does not
 * matter. */
static void test_order_of_bodies(void **state) {
    static const char *const lines[3] = {
        "  first: {mass: 1, inertia: 0.1, position: {body: second, at: [1.2, 2.3]}, angle: 0.7}\n",
        "  second: {mass: 1, inertia: 0.1, position: P, angle: 0.4, com: [0.3, 0.1]}\n",
        "  third: {mass: 1, inertia: 0.1, position: [3.1, 4.2], angle: 1.3, com: [0.2, -0.4]}\n"};
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    (void)state;
    for (int i = 0; i < 6; i++) {
        char text[1024];
        snprintf(
            text, sizeof text,
            "holonom: 1\nspace: planar\npoints: {P: {body: third, at: [0.5, -0.6]}}\nbodies:\n%s"
            "%s%smeasures:\n  p: {type: position, body: first}\nsimulation: {end: 1}\n",
            lines[orders[i][0]], lines[orders[i][1]], lines[orders[i][2]]);
        run r = run_text(text, NULL);
        run_to(&r, 0);
        /* from the frame of the third to the second to the first, by hand */
        const double x2 = 3.1 + 0.5 * cos(1.3) + 0.6 * sin(1.3),
                     y2 = 4.2 + 0.5 * sin(1.3) - 0.6 * cos(1.3);
        check_near("x", run_measure(&r, "p.x"), x2 + 1.2 * cos(0.4) - 2.3 * sin(0.4), 1e-14);
        check_near("y", run_measure(&r, "p.y"), y2 + 1.2 * sin(0.4) + 2.3 * cos(0.4), 1e-14);
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),          cmocka_unit_test(test_hollow),
        cmocka_unit_test(test_composite),       cmocka_unit_test(test_planar_shapes),
        cmocka_unit_test(test_inertia_at),      cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_point_mass),      cmocka_unit_test(test_motion),
        cmocka_unit_test(test_motion_in_space), cmocka_unit_test(test_orbit),
        cmocka_unit_test(test_gravity_of_time), cmocka_unit_test(test_order_of_bodies),
    };
    return run_tests_of_models("tests", tests);
}

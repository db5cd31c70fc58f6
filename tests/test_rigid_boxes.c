/* test_rigid_boxes.c: rigid contact of boxes, hulls and capsules in space, where edges cross: gaps
 * and rows against differences, impacts in closed form, stacks at rest, a block that tips off
 * another against the same in the plane, and bodies that tumble over each other, whose overlap is
 * computed apart from their gaps. */
#include "event_fixture.h"

#include "dyn/data.h"
#include "element/rigid.h"
#include "math/overlap.h"

static const double g = 9.81;

/* ---- gaps and rows ---- */

#define TWO_BOXES                                                                                  \
    "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"                                \
    "  low: {mass: 2, inertia: [0.03, 0.04, 0.05], position: [0, 0, 0], orientation: {axis: [1, "  \
    "0.2, 0], angle: 50 deg}, velocity: [0.2, -0.5, 0.3], omega: [0.7, -0.2, 0.5]}\n"              \
    "  top: {mass: 1, inertia: [0.03, 0.04, 0.05], position: [0.03, 0.02, 0.3], orientation: "     \
    "{axis: [0.1, 1, 0.3], angle: 40 deg}, velocity: [-0.4, 0.1, -1.2], omega: [-0.3, 0.9, "       \
    "0.4]}\njoints:\n  c: {type: rigid_contact, bodies: [low, top], friction: 0.4, shapes: "       \
    "[{type: box, size: [0.8, 0.2, 0.2]}, {type: box, size: [0.2, 0.7, 0.2]}]}\n"                  \
    "simulation: {end: 1}\n"

/* All slots of a joint, with the state moved along its own velocities by a time. */
static void see_slot(hol_data *data, const double *q, const double *v, double dt, int slot,
                     hol__rigid_point *out) {
    const hol_model *m = data->model;
    double step[12], moved[14];
    for (int i = 0; i < m->nv; i++) step[i] = dt * v[i];
    m->coords->plus(m, q, step, moved);
    hol_data_set(data, 0, moved, v);
    hol_data_update(data, HOL_STAGE_VEL);
    const hol__force_args force = hol__data_force_args(data);
    const hol__con_args args = hol__rigid_args(&force);
    hol__rigid_at(m->joints[0].rigid, &args, slot, out);
}

/* The rate of a gap is its difference over time, and row times velocities; the rates of n, P and of
 * every row are theirs. Differences of h = 1e-5 are exact to h^2 and to rounding over h, 1e-10. */
static void test_rates(void **unused) {
    (void)unused;
    const double h = 1e-5;
    run r = run_text(TWO_BOXES, NULL);
    hol_data *data = hol_sim_data(r.sim);
    const hol__rigid *rigid = data->model->joints[0].rigid;
    double q[14], v[12];
    int edges = 0, corners = 0;
    memcpy(q, data->q, sizeof q);
    memcpy(v, data->v, sizeof v);
    assert_int_equal(rigid->corners, 16);
    assert_int_equal(rigid->slots, 16 + 144);
    for (int slot = 0; slot < rigid->slots; slot++) {
        hol__rigid_point at, before, after;
        see_slot(data, q, v, -h, slot, &before);
        see_slot(data, q, v, h, slot, &after);
        see_slot(data, q, v, 0, slot, &at);
        if (slot >= rigid->corners && at.beside) continue;
        if (slot < rigid->corners)
            corners++;
        else
            edges++;
        check_near("rate", at.rate, (after.gap - before.gap) / (2 * h), 1e-8);
        const hol__body3 *b = data->bodies.b3;
        for (int k = 0; k < 3; k++) {
            double sum = 0;
            for (int j = 0; j < 2; j++) {
                double w[3];
                hol__mul3(b[j].R, b[j].w, w);
                sum += hol__dot3(at.lin[k][j].f, b[j].v) + hol__dot3(at.turn[k][j].f, w);
            }
            if (!k) check_near("row times velocities", sum, at.rate, 1e-13);
            for (int j = 0; j < 2; j++)
                for (int i = 0; i < 3; i++) {
                    check_near("rate of a row", at.lin[k][j].d[i],
                               (after.lin[k][j].f[i] - before.lin[k][j].f[i]) / (2 * h), 1e-7);
                    check_near("rate of a row", at.turn[k][j].d[i],
                               (after.turn[k][j].f[i] - before.turn[k][j].f[i]) / (2 * h), 1e-7);
                }
        }
    }
    assert_int_equal(corners, 16);
    assert_true(edges >= 1); /* the ridges face each other */
    run_close(&r);
}

/* ---- impacts ---- */

/* u+ of Newton's and Coulomb's laws where the contact sticks: z = -G^-1 (u- with (1 + e) u_N). */
static void solve3(double A[3][3], const double b[3], double x[3]) {
    double c[3][3], det;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            c[j][i] = A[i1][j1] * A[i2][j2] - A[i1][j2] * A[i2][j1];
        }
    det = A[0][0] * c[0][0] + A[0][1] * c[1][0] + A[0][2] * c[2][0];
    for (int i = 0; i < 3; i++) x[i] = (c[i][0] * b[0] + c[i][1] * b[1] + c[i][2] * b[2]) / det;
}

/* A beam on its edge falls across the ridge of another that is fixed: edges along x and along y
 * cross right above each other, at (a, b) from the centre of the falling one. The place does not
 * move while it falls, because it does not turn. */
static void hit_ridge(const char *low, const char *top, double high, double mu, double a, double b,
                      double arm) {
    char text[2048];
    const double m = 1.5, J[3] = {0.02, 0.03, 0.035}, e = 0.3, fall = 0.3, vx = 0.25;
    snprintf(
        text, sizeof text,
        "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  fixed: {mass: 1, inertia: [1, 1, 1], orientation: {axis: [1, 0, 0], angle: 45 "
        "deg}}\n  top: {mass: 1.5, inertia: %s, position: [%.17g, %.17g, %.17g], velocity: "
        "[0.25, 0, 0]%s}\njoints:\n  hold: {type: fixed, bodies: [ground, fixed], at: [0, 0, 0]}\n"
        "  c: {type: rigid_contact, bodies: [fixed, top], restitution: 0.3, friction: %g, "
        "shapes: [%s, %s]}\nmeasures:\n  v: {type: velocity, body: top}\n  w: {type: "
        "angular_velocity, body: top}\nsimulation: {end: 1, tolerance: 1e-11, output: 0.1}\n",
        "[0.02, 0.03, 0.035]", -a - vx * sqrt(2 * fall / g), -b, high + arm + fall, "", mu, low,
        top);
    run r = run_text(text, NULL);
    const double t = sqrt(2 * fall / g), v[3] = {vx, 0, -g * t}, P[3] = {a, b, -arm};
    double G[3][3], u[3] = {v[0], v[1], (1 + e) * v[2]}, z[3], w[3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            /* (1/m) 1 - [P] J^-1 [P] */
            const double Pi[3][3] = {{0, -P[2], P[1]}, {P[2], 0, -P[0]}, {-P[1], P[0], 0}};
            G[i][j] = i == j ? 1 / m : 0;
            for (int k = 0; k < 3; k++) G[i][j] -= Pi[i][k] / J[k] * Pi[k][j];
        }
    if (mu > 0)
        solve3(G, u, z);
    else
        z[0] = z[1] = 0, z[2] = u[2] / G[2][2];
    for (int i = 0; i < 3; i++) z[i] = -z[i];
    if (mu > 0) assert_true(hypot(z[0], z[1]) < mu * z[2]);
    w[0] = (P[1] * z[2] - P[2] * z[1]) / J[0];
    w[1] = (P[2] * z[0] - P[0] * z[2]) / J[1];
    w[2] = (P[0] * z[1] - P[1] * z[0]) / J[2];
    run_to(&r, t + 1e-6);
    const hol_event hit = event_of(&r, 0);
    check_near("impact", hit.t, t, 1e-12);
    assert_int_equal(hit.joints[1], HOL_IS_HIT);
    /* a microsecond of turning changes w by 1e-5 of itself at most */
    check_near("vx", run_measure(&r, "v.x"), v[0] + z[0] / m, 1e-11);
    check_near("vy", run_measure(&r, "v.y"), v[1] + z[1] / m, 1e-11);
    check_near("vz", run_measure(&r, "v.z"), v[2] + z[2] / m - g * 1e-6, 1e-11);
    check_near("wx", run_measure(&r, "w.x"), w[0], 1e-4);
    check_near("wy", run_measure(&r, "w.y"), w[1], 1e-4);
    check_near("wz", run_measure(&r, "w.z"), w[2], 1e-4);
    check_balance(&r, 1e-13);
    run_close(&r);
}

static void test_ridges(void **unused) {
    static const char *const low = "{type: box, size: [0.8, 0.2, 0.2]}",
                             *const top = "{type: hull, points: [[0, -0.3, -0.1], [0, 0.4, -0.1], "
                                          "[-0.2, -0.3, 0.1], [-0.2, 0.4, 0.1], [0.2, -0.3, 0.1], "
                                          "[0.2, 0.4, 0.1]]}";
    const double ridge = 0.1 * sqrt(2);
    (void)unused;
    hit_ridge(low, top, ridge, 0, 0, 0.07, 0.1);
    hit_ridge(low, top, ridge, 0.9, 0, 0.07, 0.1);
    hit_ridge(low, top, ridge, 0.9, 0, -0.11, 0.1);
    /* capsules that cross, one above the other: the upper one is drawn where it starts, its axis
     * through the mass centre */
    char capsule[160];
    const double x = -0.25 * sqrt(0.6 / g);
    snprintf(capsule, sizeof capsule,
             "{type: capsule, at: [%.17g, -0.3, 0.38], to: [%.17g, 0.6, 0.38], radius: 0.03}", x,
             x);
    hit_ridge("{type: capsule, at: [-0.5, 0, 0], to: [0.4, 0, 0], radius: 0.05}", capsule, 0.05,
              0.8, 0, 0.05, 0.03);
}

/* ---- rest ---- */

#define BLOCK "{type: box, size: [0.4, 0.3, 0.2]}"

/* Three blocks on each other, aligned or turned: nothing moves, and each carries what is above. */
static void test_stack(void **unused) {
    static const struct {
        double turn, x;
    } cases[] = {{0, 0}, {70, 0.02}, {90, 0.03}, {1e-5, 0}, {37, 0.05}};
    (void)unused;
    for (int set = 0; set < N_SETS; set++)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            char text[2048];
            snprintf(
                text, sizeof text,
                "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
                "  one: {mass: 2, inertia: [0.02, 0.02, 0.03], position: [0, 0, 0.1]}\n"
                "  two: {mass: 1.5, inertia: [0.02, 0.02, 0.03], position: [%g, 0.01, 0.3], "
                "orientation: {axis: [0, 0, 1], angle: %g deg}}\n"
                "  three: {mass: 1, inertia: [0.02, 0.02, 0.03], position: [0, 0, 0.5]}\n"
                "joints:\n  floor: {type: rigid_contact, bodies: [ground, one], shapes: [{type: "
                "plane, normal: [0, 0, 1]}, " BLOCK "], friction: 0.4}\n"
                "  middle: {type: rigid_contact, bodies: [one, two], shapes: [" BLOCK ", " BLOCK
                "], friction: 0.4}\n  upper: {type: rigid_contact, bodies: [two, three], shapes: "
                "[" BLOCK ", " BLOCK "], friction: 0.4}\n"
                "measures:\n  floor: {type: reaction, joint: floor}\n  middle: {type: reaction, "
                "joint: middle}\n  upper: {type: reaction, joint: upper}\n  p: {type: position, "
                "body: three}\n  q: {type: position, body: two}\nsimulation: {end: 0.2, output: "
                "0.02}\n",
                cases[k].x, cases[k].turn);
            run r = run_text(text, coordinates(set));
            run_whole(&r);
            assert_int_equal(sim_info(r.sim).switches, 1);
            assert_int_equal(sim_info(r.sim).dof, 0);
            check_near("three", run_measure(&r, "p.z"), 0.5, 1e-14);
            check_near("three", run_measure(&r, "p.x"), 0, 1e-14);
            check_near("two", run_measure(&r, "q.x"), cases[k].x, 1e-14);
            check_near("on the floor", run_measure(&r, "floor.fz"), -4.5 * g, 1e-11);
            check_near("on the first", run_measure(&r, "middle.fz"), -2.5 * g, 1e-11);
            check_near("on the second", run_measure(&r, "upper.fz"), -g, 1e-11);
            run_close(&r);
        }
}

/* ---- against the plane ---- */

/* A block slides over a table and tips off its edge: in space, where its edges cross that of the
 * table, and in the plane, where a corner of the table is under it. */
static void test_off_the_edge(void **unused) {
    static const char space
        [] = "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n  block: {mass: 2, "
             "inertia: "
             "[0.02, 0.025, 0.03], position: [0.2, 0, 0.5], velocity: [1.4, 0, 0]}\njoints:\n  "
             "table: "
             "{type: rigid_contact, bodies: [ground, block], friction: 0.2, shapes: [{type: box, "
             "at: [0, "
             "0, 0.2], size: [1, 0.6, 0.4]}, {type: box, size: [0.3, 0.25, 0.2]}]}\n"
             "measures:\n  p: {type: position, body: block}\n  w: {type: angular_velocity, body: "
             "block}\n"
             "simulation: {end: 0.7, output: 0.02}\n",
   plane[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  block: {mass: 2, inertia: "
        "0.025, position: [0.2, 0.5], velocity: [1.4, 0]}\njoints:\n  table: {type: rigid_contact, "
        "bodies: [ground, block], friction: 0.2, shapes: [{type: box, at: [0, 0.2], size: [1, "
        "0.4]}, {type: box, size: [0.3, 0.2]}]}\nmeasures:\n  p: {type: position, body: block}\n"
        "  w: {type: angular_velocity, body: block}\nsimulation: {end: 0.7, output: 0.02}\n";
    (void)unused;
    run flat = run_text(plane, "tolerance=1e-10");
    run_whole(&flat);
    for (int set = 0; set < N_SETS; set++) {
        run r = run_text(space, coordinates(set));
        run_whole(&r);
        assert_int_equal(sim_info(r.sim).switches, 2);
        check_near("leaves at", event_of(&r, 1).t, event_of(&flat, 1).t, 1e-8);
        check_near("x", run_measure(&r, "p.x"), run_measure(&flat, "p.x"), 1e-8);
        check_near("y", run_measure(&r, "p.y"), 0, 1e-12);
        check_near("z", run_measure(&r, "p.z"), run_measure(&flat, "p.y"), 1e-8);
        check_near("omega", run_measure(&r, "w.y"), -run_measure(&flat, "w"), 1e-8);
        check_balance(&r, 1e-12);
        run_close(&r);
    }
    run_close(&flat);
}

/* ---- bodies that tumble ---- */

/* By how much the two shapes of a joint overlap at the state of a run, by all directions that could
 * part them. */
static double overlap(run *r, int joint) {
    hol_data *data = hol_sim_data(r->sim);
    const hol__element *e = &data->model->joints[joint];
    hol__placed at[2];
    hol__overlap o;
    hol_data_update(data, HOL_STAGE_POS);
    for (int k = 0; k < 2; k++) {
        const hol__body3 *b = &data->bodies.b3[e->body[k]];
        at[k].shape = &e->rigid->pair.shape[k].core;
        memcpy(at[k].R, b->R, sizeof at[k].R);
        memcpy(at[k].r, b->r, sizeof at[k].r);
    }
    hol__overlap_of(&at[0], &at[1], 0, &o);
    return o.depth;
}

/* A body falls on a box that is fixed, and tumbles over it onto the floor: at no time do they
 * overlap by more than contact_tolerance, and nothing is lost but what impacts and friction take.
 * The first sticks to the floor with a corner, which begins to slide at 0.716 s. */
static void test_tumbling(void **unused) {
    static const struct {
        const char *top, *turn;
        double mu, end;
    } cases[] = {
        {"{type: box, size: [0.3, 0.7, 0.3]}", "{axis: [0, 1, 0], angle: 40 deg}", 0.4, 0.74},
        {"{type: box, size: [0.5, 0.2, 0.3]}", "{axis: [1, 1, 0], angle: 75 deg}", 0, 1.5},
        {"{type: hull, points: [[0.2, 0, -0.15], [-0.2, 0.2, -0.15], [-0.2, -0.2, -0.15], [0, 0, "
         "0.25]]}",
         "{axis: [0.3, 1, 0], angle: 100 deg}", 0, 1.5},
    };
    (void)unused;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[2048];
        snprintf(
            text, sizeof text,
            "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
            "  top: {mass: 1.5, inertia: [0.02, 0.03, 0.035], position: [0.06, 0.05, 0.75], "
            "orientation: %s, omega: [0.5, -0.3, 1]}\n"
            "joints:\n  over: {type: rigid_contact, bodies: [ground, top], shapes: [{type: box, "
            "at: [0, 0, 0.2], size: [0.8, 0.2, 0.2]}, %s], friction: %g, restitution: 0.3}\n"
            "  floor: {type: rigid_contact, bodies: [ground, top], shapes: [{type: plane, "
            "normal: [0, 0, 1]}, %s], friction: %g, restitution: 0.3}\n"
            "simulation: {end: 1.5, tolerance: 1e-8, output: 0.1}\n",
            cases[k].turn, cases[k].top, cases[k].mu, cases[k].top, cases[k].mu);
        run r = run_text(text, NULL);
        double most = -1;
        for (int i = 1; i <= 300; i++) {
            run_to(&r, cases[k].end * i / 300);
            most = fmax(most, overlap(&r, 0));
        }
        assert_true(most > -1e-9); /* they did touch … */
        assert_true(most < 2e-9);  /* … and no more */
        assert_true(sim_info(r.sim).switches > 5);
        check_balance(&r, 1e-7); /* 1e-8 for each step */
        run_close(&r);
    }
}

/* ---- the largest hull ---- */

enum { CORNERS = 64, FACES = 2 * CORNERS - 4 };

/* Points on a sphere of radius 1, on a spiral: all of them are corners of their hull, whose faces
 * are triangles. Their middles and normals; returns how many there are. */
static int find_faces(double x[CORNERS][3], double middle[FACES][3], double normal[FACES][3]) {
    int n = 0;
    for (int i = 0; i < CORNERS; i++) {
        const double z = 1 - (2 * i + 1.0) / CORNERS, turn = 2.399963229728653 * i;
        x[i][0] = sqrt(1 - z * z) * cos(turn), x[i][1] = sqrt(1 - z * z) * sin(turn), x[i][2] = z;
    }
    for (int i = 0; i < CORNERS; i++)
        for (int j = i + 1; j < CORNERS; j++)
            for (int k = j + 1; k < CORNERS; k++) {
                double a[3], b[3], m[3], above = 0, below = 0;
                for (int l = 0; l < 3; l++) a[l] = x[j][l] - x[i][l], b[l] = x[k][l] - x[i][l];
                for (int l = 0; l < 3; l++)
                    m[l] = a[(l + 1) % 3] * b[(l + 2) % 3] - a[(l + 2) % 3] * b[(l + 1) % 3];
                for (int p = 0; p < CORNERS; p++) {
                    double h = 0;
                    for (int l = 0; l < 3; l++) h += m[l] * (x[p][l] - x[i][l]);
                    if (p != i && p != j && p != k) above = fmax(above, h), below = fmin(below, h);
                }
                if (above > 0 && below < 0) continue;
                assert_true(n < FACES);
                const double size =
                    (above > 0 ? -1 : 1) * sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
                for (int l = 0; l < 3; l++) {
                    normal[n][l] = m[l] / size;
                    middle[n][l] = (x[i][l] + x[j][l] + x[k][l]) / 3;
                }
                n++;
            }
    return n;
}

/* The tip of a tetrahedron is pushed onto faces of a hull with as many corners as there may be, and
 * rests on each where that is: the last faces have the largest numbers. */
static void test_largest_hull(void **unused) {
    static double x[CORNERS][3], middle[FACES][3], normal[FACES][3];
    (void)unused;
    assert_int_equal(find_faces(x, middle, normal), FACES);
    for (int f = FACES - 1; f >= 0; f -= 41) {
        const double *m = middle[f], *n = normal[f];
        char text[8192], points[5120] = "";
        for (int i = 0; i < CORNERS; i++)
            snprintf(points + strlen(points), sizeof points - strlen(points),
                     "%s[%.15g, %.15g, %.15g]", i ? ", " : "", x[i][0], x[i][1], x[i][2]);
        snprintf(text, sizeof text,
                 "holonom: 1\nspace: spatial\nbodies:\n  tip: {mass: 1.3, inertia: [0.1, 0.1, "
                 "0.1], position: [%.15g, %.15g, %.15g]}\njoints:\n  guide: {type: prismatic, "
                 "bodies: [ground, tip], at: [0, 0, 0], axis: [%.15g, %.15g, %.15g]}\n"
                 "  touch: {type: rigid_contact, bodies: [ground, tip], friction: 0.3, shapes: "
                 "[{type: hull, at: [0, 0, 0], points: [%s]}, {type: hull, points: [[0, 0, 0], "
                 "[%.15g, %.15g, %.15g], [%.15g, %.15g, %.15g], [%.15g, %.15g, %.15g]]}]}\n"
                 "forces:\n  push: {type: force, body: tip, force: [%.15g, %.15g, %.15g]}\n"
                 "measures:\n  p: {type: position, body: tip}\nsimulation: {end: 0.7}\n",
                 m[0] + 0.1 * n[0], m[1] + 0.1 * n[1], m[2] + 0.1 * n[2], n[0], n[1], n[2], points,
                 n[0] + 0.2 * n[1], n[1] - 0.2 * n[0], n[2] + 0.1, n[0] + 0.2 * n[2], n[1] + 0.1,
                 n[2] - 0.2 * n[0], n[0] - 0.15, n[1] - 0.2 * n[2], n[2] + 0.2 * n[1], -3.1 * n[0],
                 -3.1 * n[1], -3.1 * n[2]);
        run r = run_text(text, NULL);
        run_whole(&r);
        check_near("x", run_measure(&r, "p.x"), m[0], 1e-12);
        check_near("y", run_measure(&r, "p.y"), m[1], 1e-12);
        check_near("z", run_measure(&r, "p.z"), m[2], 1e-12);
        assert_int_equal(sim_info(r.sim).dof, 0);
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates),    cmocka_unit_test(test_ridges),
        cmocka_unit_test(test_stack),    cmocka_unit_test(test_off_the_edge),
        cmocka_unit_test(test_tumbling), cmocka_unit_test(test_largest_hull),
    };
    if (!run_reads_files()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

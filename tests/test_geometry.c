/* test_geometry.c: what a mechanism is drawn as: bodies without shapes get theirs from the points,
 * masses and rails that are known of them. */
#include "report_fixture.h"

#include "report/geometry.h"
#include "report/parts.h"

/* A model as it stands, with its geometry. */
typedef struct scene {
    hol_model *model;
    hol_sim *sim;
    hol__movie movie;
    hol__geometry g;
} scene;

static void open_scene(fixture *f, scene *s, const char *text) {
    if (!run_reads_files()) skip();
    hol_spec *spec = hol_spec_new(f->ctx);
    assert_int_equal(hol_spec_read_text(spec, text, "scene"), HOL_OK);
    s->model = hol_model_compile(f->ctx, spec, NULL);
    hol_spec_free(spec);
    assert_non_null(s->model);
    s->sim = hol_sim_new(f->ctx, s->model, NULL);
    assert_non_null(s->sim);
    assert_int_equal(hol_sim_advance(s->sim, 0), HOL_OK);
    assert_int_equal(hol__movie_of_sim(&s->movie, s->sim), HOL_OK);
    assert_true(hol__geometry_init(&s->g, &s->movie));
}

static void open_model(fixture *f, scene *s, const char *name) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s.yaml", HOLONOM_TEST_MODELS, name);
    char *text = slurp(path, NULL);
    open_scene(f, s, text);
    free(text);
}

static void close_scene(scene *s) {
    hol__movie_free(&s->movie);
    hol_sim_free(s->sim);
    hol_model_free(s->model);
}

static const hol__outline *outline(const scene *s, const char *body) {
    const int i = hol_model_body(s->model, body);
    assert_true(i >= 0);
    return &s->g.bodies[i];
}

/* The k-th shape of a kind, or NULL. */
static const hol_shape *shape_of(const hol__outline *body, hol_shape_kind kind, int k) {
    for (int i = 0; i < body->n_shapes; i++)
        if (body->shapes[i].kind == kind && !k--) return &body->shapes[i];
    return NULL;
}

/* An end of a rod: from its middle by half its length along its z axis. */
static void end_of(const hol_shape *rod, double sign, double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = rod->at[i] + sign * 0.5 * rod->size[1] * rod->R[3 * i + 2];
}

static void assert_near(const double *a, double x, double y, double z, double tolerance) {
    const double b[3] = {x, y, z};
    for (int i = 0; i < 3; i++)
        if (!(fabs(a[i] - b[i]) <= tolerance))
            fail_msg("(%g, %g, %g) instead of (%g, %g, %g)", a[0], a[1], a[2], x, y, z);
}

/* ---- bars ---- */

/* The rods of the governor reach to their tips, 1 m from the hinges, and have their 5 kg there. */
static void test_governor_has_tips(void **state) {
    scene s;
    double a[3], b[3];
    open_model(*state, &s, "a05_flyball_governor");
    const hol__outline *rod = outline(&s, "rod1");
    const hol_shape *bar = shape_of(rod, HOL_SHAPE_ROD, 0),
                    *tip = shape_of(rod, HOL_SHAPE_SPHERE, 0);
    assert_non_null(bar);
    assert_non_null(tip);
    assert_null(shape_of(rod, HOL_SHAPE_SPHERE, 1));
    end_of(bar, -1, a);
    end_of(bar, 1, b);
    assert_near(a[0] < b[0] ? a : b, 0, 0, 0, 1e-12);
    assert_near(a[0] < b[0] ? b : a, 1, 0, 0, 1e-12);
    assert_near(tip->at, 1, 0, 0, 1e-12);
    /* thick enough to be seen, thin enough to leave the mechanism in sight */
    assert_true(bar->size[0] > 0.003 * s.g.size && bar->size[0] < 0.05);
    assert_true(tip->size[0] > bar->size[0] && tip->size[0] <= 0.1);
    close_scene(&s);
}

/* A bar with masses at its ends shows a ball exactly where more than half of the mass is and no
 * joint holds it. */
static void test_tips_follow_the_mass(void **state) {
    static const struct {
        double bar, first, second; /* kg */
        int balls;
        double at; /* of the ball, along the bar of 0.8 m */
    } cases[] = {{2.385, 0, 0, 0, 0},
                 {0.7, 0, 1.9, 1, 0.8},
                 {0.7, 1.9, 0, 0, 0},
                 {1.3, 0.9, 0.85, 0, 0},
                 {0.4, 0.1, 0.45, 0, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double L = 0.8, mb = cases[k].bar, m1 = cases[k].first, m2 = cases[k].second;
        const double m = mb + m1 + m2, x = (mb * L / 2 + m2 * L) / m;
        const double I = mb * L * L / 3 + m2 * L * L - m * x * x;
        char text[900];
        scene s;
        snprintf(text, sizeof text,
                 "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
                 "  rod: {mass: %.17g, inertia: %.17g, along: [[0, 0], [%.17g, 0]], com: [%.17g, "
                 "0]}\njoints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n",
                 m, I, L, x);
        open_scene(*state, &s, text);
        const hol__outline *rod = outline(&s, "rod");
        const hol_shape *ball = shape_of(rod, HOL_SHAPE_SPHERE, 0);
        assert_int_equal(ball != NULL, cases[k].balls);
        if (ball) assert_near(ball->at, cases[k].at, 0, 0, 1e-12);
        close_scene(&s);
    }
}

/* ---- rails ---- */

static const char quick_return[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
    "bodies:\n"
    "  lever: {mass: 3, inertia: 0.12, along: [[0, -0.35], [0.2, 0.335]]}\n"
    "  link: {mass: 0.6, inertia: 0.002, along: [[0.2, 0.335], [0, 0.42]]}\n"
    "  ram: {mass: 8, inertia: 0.2, position: [0, 0.42]}\n"
    "joints:\n"
    "  Q: {type: revolute, bodies: [ground, lever], at: [0, -0.35]}\n"
    "  B: {type: revolute, bodies: [lever, link], at: [0.2, 0.335]}\n"
    "  C: {type: revolute, bodies: [link, ram], at: [0, 0.42]}\n"
    "  guide: {type: prismatic, bodies: [ground, ram], at: [-0.3, 0.42], axis: [1, 0]}\n";

/* What slides is a block on its rail, below the links, wherever on the line the joint was named. */
static void test_ram_is_a_block(void **state) {
    scene s;
    open_scene(*state, &s, quick_return);
    const hol__outline *ram = outline(&s, "ram");
    assert_int_equal(ram->n_shapes, 1);
    assert_int_equal(ram->shapes[0].kind, HOL_SHAPE_BOX);
    assert_true(ram->behind && !outline(&s, "link")->behind);
    assert_near(ram->shapes[0].at, 0, 0, 0, 1e-12);
    /* no larger than a quarter of the link, whose length is 0.217 m */
    assert_true(ram->shapes[0].size[0] < 0.055 && ram->shapes[0].size[1] < 0.055);
    const int guide = hol_model_joint(s.model, "guide");
    const hol__mark *mark = &s.g.marks[guide];
    assert_int_equal(mark->symbol, HOL__SYMBOL_SLIDE);
    /* the ram stands 0.3 m from the point of the rail, and the rail goes past it on both sides */
    assert_true(mark->low < 0.3 && mark->high > 0.3 && mark->high - mark->low < 0.1);
    close_scene(&s);
}

/* ---- points ---- */

/* Bodies described by points are bars between them; what the compiler adds is not drawn. */
static void test_points_are_bars(void **state) {
    scene s;
    open_model(*state, &s, "double_four_bar_natural");
    const hol_shape *bar = shape_of(outline(&s, "up0"), HOL_SHAPE_ROD, 0);
    assert_non_null(bar);
    assert_true(fabs(bar->size[1] - 1) < 1e-12);
    assert_int_equal(outline(&s, "up0")->n_shapes, 1);
    close_scene(&s);
    open_model(*state, &s, "elements/point_mass");
    int hidden = 0, shown = 0;
    for (int i = 0; i < s.g.n_joints; i++) {
        const int added = strstr(s.g.joints[i].name, ".orientation") != NULL;
        assert_int_equal(s.g.marks[i].symbol == HOL__SYMBOL_NONE, added);
        hidden += added, shown += !added;
    }
    assert_true(hidden > 0 && shown > 0);
    close_scene(&s);
}

/* A body of three points in the plane: bars around it, and the area between them. */
static void test_plates_have_all_corners(void **state) {
    scene s;
    open_model(*state, &s, "a03_andrews");
    int plates = 0;
    for (int i = 0; i < s.g.n_bodies; i++) {
        const hol__outline *body = &s.g.bodies[i];
        if (!body->n_plate) continue;
        plates++;
        for (int k = 0; k < body->n_plate; k++) {
            int found = 0;
            for (int j = 0; j < body->n_points; j++)
                found |= hol__same_point(body->plate + 3 * k, body->points + 3 * j);
            assert_true(found);
        }
        assert_true(body->n_shapes >= body->n_plate);
    }
    assert_true(plates > 0);
    close_scene(&s);
}

/* ---- tyres ---- */

/* The wheel is as large as its tyre, about the axis across the way; the road has the heights of its
 * expression. */
static void test_tyre_has_wheel_and_road(void **state) {
    scene s;
    open_model(*state, &s, "iltis_corner");
    const hol_shape *ring = shape_of(outline(&s, "carrier"), HOL_SHAPE_TORUS, 0);
    assert_non_null(ring);
    assert_true(fabs(ring->size[0] + ring->size[1] - 0.364325) < 1e-12);
    const double axis[3] = {ring->R[2], ring->R[5], ring->R[8]};
    assert_true(fabs(fabs(axis[1]) - 1) < 1e-6);
    assert_int_equal(s.g.n_roads, 1);
    assert_false(s.g.roads[0].moves);
    close_scene(&s);

    static const char moving[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
        "  wheel: {mass: 38, inertia: 1, position: [0.7, 0.29]}\njoints:\n"
        "  up: {type: prismatic, bodies: [ground, wheel], at: [0.7, 0.29], axis: [0, 1]}\nforces:\n"
        "  tyre: {type: tyre, body: wheel, radius: 0.31, stiffness: 2e5, road: '%s'}\n";
    char text[900];
    snprintf(text, sizeof text, moving, "0.05*sin(3*x)");
    open_scene(*state, &s, text);
    const hol__road *road = &s.g.roads[0];
    assert_true(road->n > 100 && road->x[0] < 0.4 && road->x[road->n - 1] > 1);
    for (int i = 0; i < road->n; i++)
        assert_true(fabs(road->height[i] - 0.05 * sin(3 * road->x[i])) < 1e-15);
    close_scene(&s);
    snprintf(text, sizeof text, moving, "0.05*cos(3*t) + 0.1*x");
    open_scene(*state, &s, text);
    road = &s.g.roads[0];
    assert_true(road->moves && road->n == 1);
    /* at t = 0 below the wheel, at x = 0.7 */
    assert_true(fabs(road->height[0] - 0.12) < 1e-12);
    double height;
    int moves;
    assert_int_equal(hol_model_road(s.movie.ctx, s.model, 0, 2.385, 0.7, &height, &moves), HOL_OK);
    assert_true(fabs(height - (0.05 * cos(3 * 2.385) + 0.07)) < 1e-15 && moves);
    assert_int_equal(hol_model_road(s.movie.ctx, s.model, 1, 0, 0, &height, &moves),
                     HOL_ERR_ARGUMENT);
    close_scene(&s);
}

/* ---- curves and what is stretched ---- */

/* The edge of a cam is its curve, its followers have a roller and a face that touch it, and the cam
 * is drawn as nothing else. */
static void test_cam_has_its_edge(void **state) {
    scene s;
    open_model(*state, &s, "elements/cam");
    const hol__outline *rod = outline(&s, "rod"), *plate = outline(&s, "plate");
    const int cam = hol_model_body(s.model, "cam");
    assert_int_equal(outline(&s, "cam")->n_shapes, 0);
    assert_int_equal(s.g.n_curves, 2);
    assert_true(hol__has_edge(&s.g, cam));
    for (int i = 0; i < 2; i++) {
        const hol__curve_mark *c = &s.g.curves[i];
        const int flat = strcmp(s.g.joints[c->joint].name, "flat") == 0;
        assert_true(c->closed && c->body == cam);
        assert_int_equal(c->n, 180);
        /* x = 0.008 + 0.1 cos s, y = 0.1 sin s of the flat one; the spline passes its points */
        for (int k = 0; flat && k < c->n; k++) {
            const double angle = 2 * acos(-1.0) * k / 180;
            assert_near(c->points + 3 * k, 0.008 + 0.1 * cos(angle), 0.1 * sin(angle), 0, 1e-12);
        }
        if (!flat) assert_near(c->points, 0.11, 0, 0, 1e-12);
    }
    const hol_shape *roller = shape_of(rod, HOL_SHAPE_SPHERE, 0),
                    *face = shape_of(plate, HOL_SHAPE_ROD, 0);
    assert_non_null(roller);
    assert_true(fabs(roller->size[0] - 0.02) < 1e-12);
    assert_near(roller->at, 0, -0.03, 0, 1e-12); /* [0, 0.12] from [0, 0.15] */
    assert_non_null(face);
    /* it lies across its normal, its upper edge at the face, below the cam */
    assert_true(fabs(face->R[5]) < 1e-12);
    assert_near(face->at, 0, -face->size[0], 0, 1e-12);
    close_scene(&s);
}

/* A driven distance is a cylinder whose barrel leaves room for the rod; other drivers are
 * nothing. */
static void test_driven_distance_is_a_cylinder(void **state) {
    scene s;
    double ends[2][3];
    open_model(*state, &s, "elements/driver");
    assert_int_equal(s.g.marks[hol_model_joint(s.model, "tip")].symbol, HOL__SYMBOL_NONE);
    assert_int_equal(s.g.marks[hol_model_joint(s.model, "spin")].symbol, HOL__SYMBOL_NONE);
    assert_int_equal(s.g.marks[hol_model_joint(s.model, "winch")].symbol, HOL__SYMBOL_CYLINDER);
    assert_int_equal(s.g.n_stretches, 1);
    const hol__stretch *winch = &s.g.stretches[0];
    assert_int_equal(winch->kind, HOL__STRETCH_CYLINDER);
    hol__stretch_ends(winch, &s.movie, 0, ends);
    assert_near(ends[0], 3, -0.6, 0, 1e-12);
    assert_near(ends[1], 2, -0.6, 0, 1e-12);
    assert_true(fabs(winch->shortest - 1) < 1e-12 && fabs(winch->longest - 1) < 1e-12);
    assert_true(fabs(winch->barrel - 0.62) < 1e-12);
    close_scene(&s);
}

/* A rope between its two points. */
static void test_rope_is_drawn(void **state) {
    scene s;
    double ends[2][3];
    open_scene(*state, &s,
               "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
               "  load: {mass: 38, point: true, position: [0.7, -2.1]}\njoints:\n"
               "  sling: {type: rope, bodies: [ground, load], from: [0.2, 3], to: [0.7, -2.1],"
               " length: 5.385}\n");
    assert_int_equal(s.g.n_stretches, 1);
    assert_int_equal(s.g.stretches[0].kind, HOL__STRETCH_ROPE);
    assert_string_equal(hol__stretch_name(s.g.stretches[0].kind), "rope");
    hol__stretch_ends(&s.g.stretches[0], &s.movie, 0, ends);
    assert_true(fabs(ends[0][0] - 0.2) < 1e-12 && fabs(ends[0][1] - 3) < 1e-12);
    assert_true(fabs(ends[1][0] - 0.7) < 1e-12 && fabs(ends[1][1] + 2.1) < 1e-12);
    close_scene(&s);
}

/* Wheels have their pitch radii: of a planetary set with 24, 18 and 60 teeth whose planets run at
 * 42 mm, half a module (1 mm) for each tooth; the ring lies around the others. Those of a belt are
 * given. Inertias say nothing here. */
static void test_wheels_have_their_radii(void **state) {
    scene s;
    open_scene(*state, &s,
               "holonom: 1\nspace: planar\ngravity: [0, 0]\nbodies:\n"
               "  sun: {mass: 0.8, inertia: 7, position: [0, 0]}\n"
               "  arm: {mass: 1.5, inertia: 3e-3, along: [[0, 0], [0.042, 0]]}\n"
               "  planet: {mass: 0.3, inertia: 8e-9, position: [0.042, 0]}\n"
               "  ring: {mass: 2, inertia: 8e-3, position: [0, 0]}\n"
               "  pulley: {mass: 2, inertia: 8e-3, position: [0.3, 0.2]}\njoints:\n"
               "  A: {type: revolute, bodies: [ground, arm], at: [0, 0]}\n"
               "  S: {type: revolute, bodies: [arm, sun], at: [0, 0]}\n"
               "  P: {type: revolute, bodies: [arm, planet], at: [0.042, 0]}\n"
               "  R: {type: revolute, bodies: [arm, ring], at: [0, 0]}\n"
               "  B: {type: revolute, bodies: [ground, pulley], at: [0.3, 0.2]}\n"
               "  inner: {type: gear, joints: [S, P], teeth: [24, 18]}\n"
               "  outer: {type: gear, joints: [P, R], teeth: [18, 60], kind: internal}\n"
               "  belt: {type: belt, joints: [A, B], radii: [0.0123, 0.0456]}\n");
    const hol_shape *disc = shape_of(outline(&s, "sun"), HOL_SHAPE_CYLINDER, 0);
    assert_non_null(disc);
    assert_true(fabs(disc->size[0] - 0.024) < 1e-12);
    assert_int_equal(outline(&s, "sun")->n_shapes, 1);
    disc = shape_of(outline(&s, "planet"), HOL_SHAPE_CYLINDER, 0);
    assert_true(disc && fabs(disc->size[0] - 0.018) < 1e-12);
    const hol_shape *rim = shape_of(outline(&s, "ring"), HOL_SHAPE_TORUS, 0);
    assert_true(rim && fabs(rim->size[0] - rim->size[1] - 0.06) < 1e-12);
    assert_null(shape_of(outline(&s, "ring"), HOL_SHAPE_CYLINDER, 0));
    disc = shape_of(outline(&s, "pulley"), HOL_SHAPE_CYLINDER, 0);
    assert_true(disc && fabs(disc->size[0] - 0.0456) < 1e-12);
    close_scene(&s);
}

/* A rod with a heavy big end in a joint is a bar alone. */
static void test_held_ends_have_no_ball(void **state) {
    scene s;
    open_scene(*state, &s,
               "holonom: 1\nspace: planar\ngravity: [0, 0]\nbodies:\n"
               "  crank: {mass: 4.2, inertia: 0.012, along: [[0, 0], [0, 0.043]], com: [0, 0]}\n"
               "  rod: {mass: 0.55, inertia: 0.0018, along: [[0, 0.043], [0, 0.186]], com: [0.038, "
               "0]}\n"
               "joints:\n  main: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
               "  big_end: {type: revolute, bodies: [crank, rod], at: [0, 0.043]}\n");
    const hol__outline *rod = outline(&s, "rod");
    assert_int_equal(rod->n_shapes, 1);
    assert_int_equal(rod->shapes[0].kind, HOL_SHAPE_ROD);
    /* its name belongs to the middle of the bar, that of the balanced crank too */
    assert_near(rod->label, 0.0715, 0, 0, 1e-12);
    assert_near(outline(&s, "crank")->label, 0.0215, 0, 0, 1e-12);
    close_scene(&s);
}

/* ---- contacts ---- */

static const char contacts[] =
    "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
    "  block: {mass: 2, inertia: [0.02, 0.03, 0.03], position: [0.1, 0.2, 0.4]}\n"
    "  pill: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [-0.9, 0.3, 0.4]}\n"
    "  wedge: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [-0.4, -0.7, 0.4]}\n"
    "  drawn: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [1.4, 0, 2], draw: {type: sphere, "
    "radius: 0.3}}\n"
    "forces:\n"
    "  a: {type: contact, bodies: [ground, block], shapes: [{type: plane, at: [0, 0, 0.07], "
    "normal: "
    "[0, 0, 1]}, {type: box, at: [0.15, 0.2, 0.4], size: [0.43, 0.25, 0.15]}], stiffness: 1e5, "
    "exponent: 1}\n"
    "  b: {type: contact, bodies: [ground, pill], shapes: [{type: plane, at: [3, 1, 0.07], normal: "
    "[0, 0, 1]}, {type: capsule, at: [-1, 0.3, 0.4], to: [-0.8, 0.3, 0.4], radius: 0.07}], "
    "stiffness: 1e5, exponent: 1}\n"
    "  c: {type: contact, bodies: [wedge, block], shapes: [{type: hull, points: [[-0.2, 0, 0], "
    "[0.2, "
    "0, 0], [0, 0.3, 0], [0, 0.1, 0.37]]}, {type: box, at: [0.15, 0.2, 0.4], size: [0.43, 0.25, "
    "0.15]}], stiffness: 1e5, exponent: 1}\n"
    "  d: {type: contact, bodies: [ground, drawn], shapes: [{type: box, at: [1.4, 0, 0], size: "
    "[0.3, "
    "0.2, 0.1]}, {type: box, size: [0.5, 0.5, 0.5]}], stiffness: 1e5, exponent: 1}\n"
    "  e: {type: contact_spheres, bodies: [block, drawn], from: [0.1, 0.2, 0.4], to: [1.4, 0, 2], "
    "radius_from: 0.02, radius_to: 0.1, stiffness: 1e5}\n"
    "simulation: {end: 1}\n";

/* Bodies are drawn by what they touch with, each shape once and in place of a solid of their
 * inertia; those with shapes of their own by these alone. */
static void test_contacts_are_drawn(void **state) {
    scene s;
    double a[3], b[3];
    open_scene(*state, &s, contacts);
    const hol__outline *block = outline(&s, "block"), *pill = outline(&s, "pill"),
                       *wedge = outline(&s, "wedge"), *drawn = outline(&s, "drawn");
    const hol_shape *box = shape_of(block, HOL_SHAPE_BOX, 0);
    assert_non_null(box);
    assert_null(shape_of(block, HOL_SHAPE_BOX, 1));
    assert_non_null(shape_of(block, HOL_SHAPE_SPHERE, 0));
    assert_near(box->at, 0.05, 0, 0, 1e-12);
    /* the directions of its edges come in any order */
    for (int i = 0; i < 3; i++) {
        double along = 0;
        for (int k = 0; k < 3; k++) along += fabs(box->R[3 * i + k]) * box->size[k];
        assert_true(fabs(along - (i == 0 ? 0.43 : i == 1 ? 0.25 : 0.15)) < 1e-12);
    }
    assert_int_equal(pill->n_shapes, 1);
    const hol_shape *rod = shape_of(pill, HOL_SHAPE_ROD, 0);
    assert_non_null(rod);
    end_of(rod, -1, a);
    end_of(rod, 1, b);
    assert_near(a[0] < b[0] ? a : b, -0.1, 0, 0, 1e-12);
    assert_near(a[0] < b[0] ? b : a, 0.1, 0, 0, 1e-12);
    assert_true(fabs(rod->size[0] - 0.07) < 1e-15);
    const hol_shape *hull = shape_of(wedge, HOL_SHAPE_MESH, 0);
    assert_int_equal(wedge->n_shapes, 1);
    assert_non_null(hull);
    assert_int_equal(hull->n_vertices, 12);
    assert_int_equal(hull->n_indices, 16);
    assert_int_equal(drawn->n_shapes, 1);
    assert_true(shape_of(drawn, HOL_SHAPE_SPHERE, 0)->size[0] == 0.3);
    close_scene(&s);
}

/* The plane of two contacts is one plate, below both of the others; ground has its box. */
static void test_planes_are_plates(void **state) {
    static const double below[2][2] = {{0.15, 0.2}, {-0.9, 0.3}};
    scene s;
    open_scene(*state, &s, contacts);
    const hol__outline *ground = &s.g.bodies[s.g.n_bodies];
    const hol_shape *plane = shape_of(ground, HOL_SHAPE_PLANE, 0);
    assert_int_equal(ground->n_shapes, 2);
    assert_non_null(shape_of(ground, HOL_SHAPE_BOX, 0));
    assert_non_null(plane);
    assert_true(fabs(plane->at[2] - 0.07) < 1e-12 && plane->size[2] > 0);
    for (int i = 0; i < 3; i++) assert_true(fabs(plane->R[3 * i + 2] - (i == 2)) < 1e-12);
    for (int c = 0; c < 2; c++)
        for (int k = 0; k < 2; k++) {
            const double d[2] = {below[c][0] - plane->at[0], below[c][1] - plane->at[1]};
            const double along = plane->R[k] * d[0] + plane->R[3 + k] * d[1];
            assert_true(fabs(along) < 0.5 * plane->size[k]);
        }
    /* and the picture has room for it */
    assert_true(s.g.low[2] <= 0.07 && s.g.low[0] <= plane->at[0] - 0.4 * plane->size[0]);
    close_scene(&s);
}

/* Corners and edges of pictures: a box shows three faces with rims, a plane lies below all else. */
static void test_boxes_have_edges(void **state) {
    fixture *f = *state;
    scene s;
    open_scene(f, &s, contacts);
    hol__drawing drawing = {.movie = &s.movie, .geometry = &s.g};
    hol__camera_init(&drawing.camera, &s.g, 800, 600);
    hol__parts list = {.ctx = f->ctx};
    hol__parts_add(&list, &drawing, 0, hol_model_body(s.model, "block"));
    int faces = 0;
    for (int i = 0; i < list.n; i++)
        if (list.items[i].n == 4 && list.items[i].rim != list.items[i].color) faces++;
    assert_int_equal(faces, 3);
    const int before = list.n;
    hol__parts_add(&list, &drawing, 0, s.g.n_bodies);
    int floors = 0;
    for (int i = before; i < list.n; i++) floors += list.items[i].depth == -INFINITY;
    assert_int_equal(floors, 1);
    hol__parts_free(&list);
    close_scene(&s);
}

/* In the plane: a polygon around its corners, a line whose area lies behind it. */
static void test_planar_contacts(void **state) {
    scene s;
    open_scene(
        *state, &s,
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
        "  tri: {mass: 1, inertia: 0.01, position: [0.3, 0.5]}\n"
        "  box: {mass: 1, inertia: 0.01, position: [1.3, 0.5]}\n"
        "forces:\n"
        "  a: {type: contact, bodies: [ground, tri], shapes: [{type: plane, at: [0, 0], "
        "normal: [0.6, 0.8]}, {type: hull, points: [[-0.15, -0.1], [0.15, -0.1], [0, 0.2]]}],"
        " stiffness: 1e5, exponent: 1}\n"
        "  b: {type: contact, bodies: [tri, box], shapes: [{type: sphere, at: [0.3, 0.6], "
        "radius: 0.05}, {type: box, size: [0.4, 0.25]}], stiffness: 1e5, exponent: 1}\n"
        "simulation: {end: 1}\n");
    const hol_shape *tri = shape_of(outline(&s, "tri"), HOL_SHAPE_MESH, 0),
                    *box = shape_of(outline(&s, "box"), HOL_SHAPE_BOX, 0),
                    *plane = shape_of(&s.g.bodies[s.g.n_bodies], HOL_SHAPE_PLANE, 0);
    assert_non_null(tri);
    assert_int_equal(tri->n_vertices, 3);
    assert_int_equal(tri->n_indices, 4);
    double area = 0;
    for (int i = 0; i < 3; i++) {
        const double *p = tri->vertices + 3 * i, *q = tri->vertices + 3 * ((i + 1) % 3);
        area += 0.5 * (p[0] * q[1] - p[1] * q[0]);
    }
    assert_true(fabs(area - 0.045) < 1e-12);
    assert_non_null(box);
    assert_true(fabs(fabs(box->R[0]) * box->size[0] + fabs(box->R[1]) * box->size[1] - 0.4) <
                1e-12);
    assert_non_null(plane);
    assert_true(fabs(plane->R[2] - 0.6) < 1e-12 && fabs(plane->R[5] - 0.8) < 1e-12);
    /* its y axis, a quarter turn from x, points out of it */
    assert_true(fabs(-plane->R[3] - 0.6) < 1e-12 && fabs(plane->R[0] - 0.8) < 1e-12);
    close_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_governor_has_tips, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_tips_follow_the_mass, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_ram_is_a_block, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_points_are_bars, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_plates_have_all_corners, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_tyre_has_wheel_and_road, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cam_has_its_edge, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_driven_distance_is_a_cylinder, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rope_is_drawn, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wheels_have_their_radii, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_held_ends_have_no_ball, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_contacts_are_drawn, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_planes_are_plates, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_boxes_have_edges, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_planar_contacts, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

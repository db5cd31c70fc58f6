/* test_compile_memory.c: memory that fails while a model is compiled is told as such, and never as
 * a mistake in the model: every allocation of compiling a few rich models fails in turn, once and
 * for good. */
#include "model_fixture.h"

/* Allocations are counted while at > 0; the at-th fails, and with for_good all later ones. */
typedef struct counter {
    long at, count, live;
    int for_good;
} counter;

static void *alloc(void *user, size_t size) {
    counter *c = user;
    if (c->at) {
        c->count++;
        if (c->for_good ? c->count >= c->at : c->count == c->at) return NULL;
    }
    void *block = malloc(size);
    c->live += block != NULL;
    return block;
}

static void release(void *user, void *block) {
    ((counter *)user)->live -= block != NULL;
    free(block);
}

/* A model with a bit of everything that is compiled. */
static const char rich[] =
    "holonom: 1\nname: rich\nspace: planar\ngravity: [0, -9.81]\n"
    "parameters: {L: 0.7 m, k: 2*L, w: 3 rad/s}\npoints: {O: [0, 0], P: [L, 0], Q: [L, 0.4 m]}\n"
    "tables: {lift: {points: [[0, 0], [1, 0.2], [2, 0.1]], outside: clamp}}\n"
    "bodies:\n"
    "  rod: {mass: 1.3, inertia: 0.1, along: [O, P]}\n"
    "  bar: {mass: 0.9, inertia: 0.07, along: [P, Q], length: 0.41}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, rod], at: O, start: {angle: 5 deg}}\n"
    "  B: {type: revolute, bodies: [rod, bar], at: P}\n"
    "  drive: {type: motor, joint: A, speed: 'w*(1 + 0.1*sin(t))'}\n"
    "  tie: {type: rope, bodies: [ground, bar], from: [1.5, 1], to: Q, length: 2}\n"
    "forces:\n"
    "  s: {type: spring, bodies: [ground, bar], from: [0, 1], to: Q, stiffness: '40*(1 + "
    "length)'}\n"
    "  T: {type: torque, body: bar, torque: '-0.3*spin + lift(t)', active: 't < 0.5'}\n"
    "measures:\n"
    "  spin: {type: angular_velocity, body: bar}\n  pin: {type: reaction, joint: B}\n"
    "  load: {type: load, force: s}\n  sum: {type: expression, value: pin.magnitude + pin.fx}\n"
    "  count: {type: variable, value: 0}\n"
    "events:\n  stop: {when: spin - 40, times: 3, do: {set: {count: count + 1}}}\n"
    "simulation: {end: 0.1, units: {angle: deg}}\n";

/* Compile with allocation `at` failing: 1 where memory was enough; fails where something else than
 * memory is told. */
static int compile(hol_spec *spec, counter *c, long at, int for_good, const char *coordinates) {
    const hol_allocator allocator = {alloc, release, c};
    *c = (counter){0};
    hol_context *ctx = hol_context_new_with(&allocator);
    assert_non_null(ctx);
    *c = (counter){.at = at, .for_good = for_good, .live = c->live};
    hol_model *model = hol_model_compile(ctx, spec, coordinates);
    const int enough = c->count < at;
    c->at = 0;
    if (enough && !model) fail_msg("it cannot be compiled at all");
    int told = model != NULL;
    for (int i = 0; i < hol_message_count(ctx) && !model; i++) {
        const hol_message *m = hol_message_get(ctx, i);
        told |= m->severity == HOL_ERROR && m->status == HOL_ERR_MEMORY;
        if (m->severity == HOL_ERROR && m->status != HOL_ERR_MEMORY) {
            char line[1024];
            hol_message_format(m, line, sizeof line);
            fail_msg("allocation %ld%s fails, and it says: %s", at,
                     for_good ? " and all later" : "", line);
        }
    }
    if (!told)
        fail_msg("allocation %ld%s fails without a word", at, for_good ? " and all later" : "");
    hol_model_free(model);
    hol_context_free(ctx);
    return enough;
}

static void sweep(hol_spec *spec, const char *coordinates) {
    counter c = {0};
    long n = 1;
    for (int for_good = 0; for_good < 2; for_good++)
        for (n = 1; !compile(spec, &c, n, for_good, coordinates); n++) assert_int_equal(c.live, 0);
    assert_true(n > 3); /* there was something to fail */
}

static hol_spec *read(hol_context *ctx, const char *text) {
    hol_spec *spec = hol_spec_new(ctx);
    if (hol_spec_read_text(spec, text, "test.yaml")) {
        run_print_messages(ctx);
        fail_msg("the description is wrong");
    }
    return spec;
}

static void test_rich(void **state) {
    static const char *const sets[] = {"reference", "relative", "natural", "cheapest"};
    (void)state;
    hol_context *ctx = hol_context_new();
    hol_spec *spec = read(ctx, rich);
    for (int i = 0; i < 4; i++) sweep(spec, sets[i]);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* Models of the repository with other sections and elements. */
static void test_models(void **state) {
    static const char *const names[] = {"slider_crank_spatial",
                                        "bicycle",
                                        "woodpecker",
                                        "iltis_corner",
                                        "cam_follower",
                                        "double_four_bar_natural",
                                        "catch",
                                        "clutch",
                                        "engine",
                                        "four_bar_spatial_natural",
                                        "newtons_cradle",
                                        "elements/axes",
                                        "elements/axial_spring",
                                        "elements/belt",
                                        "elements/bump_stop",
                                        "elements/bushing",
                                        "elements/cam",
                                        "elements/constant_velocity",
                                        "elements/contact",
                                        "elements/contact_plane",
                                        "elements/contact_spheres",
                                        "elements/coupler",
                                        "elements/cylindrical",
                                        "elements/differential",
                                        "elements/distance",
                                        "elements/drag",
                                        "elements/driver",
                                        "elements/fixed",
                                        "elements/force",
                                        "elements/friction",
                                        "elements/friction_lugre",
                                        "elements/gear",
                                        "elements/generic",
                                        "elements/gravity_central",
                                        "elements/gravity_time",
                                        "elements/inertia",
                                        "elements/knife_edge",
                                        "elements/lever",
                                        "elements/limit",
                                        "elements/line_in_plane",
                                        "elements/links",
                                        "elements/momentum",
                                        "elements/motion",
                                        "elements/motor",
                                        "elements/motor_joint",
                                        "elements/pid",
                                        "elements/planar",
                                        "elements/point_in_plane",
                                        "elements/point_mass",
                                        "elements/point_on_curve",
                                        "elements/point_on_line",
                                        "elements/prismatic",
                                        "elements/rack_pinion",
                                        "elements/revolute",
                                        "elements/rigid_contact",
                                        "elements/rolling_disk",
                                        "elements/rolling_resistance",
                                        "elements/rolling_sphere",
                                        "elements/rotor",
                                        "elements/screw",
                                        "elements/shapes",
                                        "elements/solids",
                                        "elements/spherical",
                                        "elements/spring",
                                        "elements/spring_table",
                                        "elements/torque",
                                        "elements/torsion",
                                        "elements/tyre",
                                        "elements/universal",
                                        "elements/variable",
                                        "elements/velocity_coupler",
                                        "elements/wheel"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[512];
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        snprintf(path, sizeof path, "%s/%s.yaml", HOLONOM_TEST_MODELS, names[i]);
        if (hol_spec_read_file(spec, path) != HOL_OK) fail_msg("%s cannot be read", path);
        sweep(spec, NULL);
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rich), cmocka_unit_test(test_models)};
    if (!run_reads_files()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_no_allocation.c: memory. A run allocates nothing after its first step, whatever it is made
 * of, but for steps at which joints or forces take hold or let go; and when an allocation fails,
 * whichever it is, there is an error and nothing is left behind.
 *
 * Messages are kept in memory of the context: a step that says something may allocate that message
 * and no more.
 */
#include "mechanism_stage.h"

#include "la_support.h"
#include "sim/sim.h"

#include "kernel/basis.h"

/* ---- mechanisms ---- */

/* A driven crank with a rod and a slider, a spring, a law that reads a measure. */
static const char *const planar_text =
    "holonom: 1\nspace: planar\ngravity: [0.4, -9.6]\nbodies:\n"
    "  crank: {mass: 1.3, inertia: 0.07, along: [[0, 0], [0.3, 0.5]], omega: 1.7}\n"
    "  rod: {mass: 0.8, inertia: 0.21, along: [[0.3, 0.5], [1.7, 0.1]], com: [0.6, 0.04]}\n"
    "  slider: {mass: 0.6, inertia: 0.02, position: [1.7, 0.1], angle: 0.2}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
    "  B: {type: revolute, bodies: [crank, rod], at: [0.3, 0.5]}\n"
    "  C: {type: revolute, bodies: [rod, slider], at: [1.7, 0.1]}\n"
    "  G: {type: prismatic, bodies: [ground, slider], at: [1.2, 0.1], axis: [1, 0]}\n"
    "forces:\n"
    "  s: {type: spring, bodies: [ground, rod], from: [0.3, 1.2], to: [0.9, 0.55], stiffness: 35 + "
    "length, damping: 0.3}\n"
    "  m: {type: torque, body: crank, torque: 0.8*sin(3*t) - 0.1*w}\n"
    "  k: {type: torsion, joint: B, stiffness: 0.4}\n"
    "measures:\n"
    "  w: {type: angular_velocity, body: crank}\n"
    "  E: {type: energy}\n"
    "  R: {type: reaction, joint: G}\n"
    "  x: {type: expression, value: R.fx + 2*w}\n";

static const char *const spatial_text =
    "holonom: 1\nspace: spatial\ngravity: [0.4, -1.1, -9.6]\nbodies:\n"
    "  shaft: {mass: 1.3, inertia: [0.07, 0.09, 0.04], position: [0.05, 0.02, 0.2], com: [0.01, "
    "0.03, 0.02]}\n"
    "  carriage: {mass: 0.8, inertia: [0.03, 0.02, 0.04], position: [0.7, 0.2, 0.3], orientation: "
    "{euler: [0.3, 0.2, -0.8]}}\n"
    "  bob: {mass: 0.6, inertia: [0.02, 0.025, 0.01], position: [1.1, 0.3, -0.5]}\n" SHAFT_JOINTS
    "forces:\n"
    "  s: {type: spring, bodies: [shaft, carriage], from: [0, 0.1, 0.4], to: [0.7, 0.2, 0.3], "
    "stiffness: 29, damping: 1.7}\n"
    "  k: {type: torsion, joint: sleeve, stiffness: 1.3, damping: 0.1}\n"
    "measures:\n"
    "  P: {type: position, body: bob}\n"
    "  a: {type: joint_coordinate, joint: sleeve, component: angle}\n"
    "  R: {type: reaction, joint: cross}\n";

/* Two equal links; both are upright, a singular position, soon after the start. */
static const char *const singular_text =
    "holonom: 1\nspace: planar\nbodies:\n"
    "  link1: {mass: 1, inertia: 0.083, along: [[0, 0], [0.11, 0.99393]], omega: 3.1}\n"
    "  link2: {mass: 1, inertia: 0.083, along: [[0.11, 0.99393], [0.22, 0]]}\n"
    "joints:\n"
    "  O: {type: revolute, bodies: [ground, link1], at: [0, 0]}\n"
    "  P: {type: revolute, bodies: [link1, link2], at: [0.11, 0.99393]}\n"
    "  S: {type: generic, bodies: [ground, link2], at: [0.22, 0], lock: [y]}\n";

/* An open tree with values at the start, angles that turn over, and a screw. */
static const char tree_text[] =
    "holonom: 1\nspace: spatial\ngravity: [0.3, 0.2, -9.81]\nbodies:\n"
    "  a: {mass: 1.3, inertia: [0.21, 0.24, 0.19], position: [0.4, 0.1, 0.2]}\n"
    "  b: {mass: 0.7, inertia: [0.11, 0.09, 0.1], position: [1.1, 0.5, -0.2]}\n"
    "  c: {mass: 0.5, inertia: [0.07, 0.06, 0.08], position: [1.6, 0.2, 0.3]}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, a], at: [0.1, 0.2, 0.1], axis: [0.2, 0.5, 0.7], start: "
    "{angle: 3.14, angle_rate: 41}}\n"
    "  B: {type: spherical, bodies: [b, a], at: [0.8, 0.3, 0]}\n"
    "  C: {type: screw, bodies: [b, c], at: [1.3, 0.4, 0.1], axis: [0.1, 0.9, 0.3], pitch: 0.31}\n";

/* A double pendulum whose elbow is locked and released, with a force that is switched too. */
static const char switched_text[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
    "  a: {mass: 1.2, inertia: 0.1, along: [[0, 0], [1, 0.3]], omega: 1.1}\n"
    "  b: {mass: 0.8, inertia: 0.05, along: [[1, 0.3], [1.7, 0.1]]}\njoints:\n"
    "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
    "  B: {type: revolute, bodies: [a, b], at: [1, 0.3]}\n"
    "  lock: {type: fixed, bodies: [a, b], at: [1, 0.3], active: {initially: false, from: t > "
    "0.001, "
    "until: t > 0.0025, catch: here}}\nforces:\n"
    "  turn: {type: torque, body: b, torque: 2, active: t > 0.0025}\n";

/* Two rods in free flight, which keep an angular momentum. */
static const char free_text[] =
    "holonom: 1\nspace: planar\nbodies:\n"
    "  a: {mass: 1.3, inertia: 0.2, along: [[0, 0], [1, 0]], velocity: [0.1, 0.2], omega: 1.7}\n"
    "  b: {mass: 0.7, inertia: 0.1, along: [[1, 0], [1.6, 0.5]], omega: -0.9}\n"
    "joints:\n  H: {type: revolute, bodies: [a, b], at: [1, 0]}\n"
    "forces:\n  s: {type: torsion, joint: H, stiffness: 3}\n"
    "measures:\n"
    "  La: {type: angular_momentum, body: a}\n  Lb: {type: angular_momentum, body: b}\n"
    "  L: {type: expression, value: La + Lb, invariant: true}\n";

/* A crank whose driven speed jumps after two steps and a half. */
static const char jump_text[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
    "  crank: {mass: 1.3, inertia: 0.07, along: [[0, 0], [0.3, 0.5]]}\n"
    "  arm: {mass: 0.8, inertia: 0.21, along: [[0.3, 0.5], [1.7, 0.1]]}\njoints:\n"
    "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
    "  B: {type: revolute, bodies: [crank, arm], at: [0.3, 0.5]}\n"
    "  M: {type: motor, joint: A, speed: 't > 0.0025 ? 7.3 : 1.2'}\n";

/* ---- one run ---- */

/* A setting of the section simulation; value NULL: left out. */
typedef struct setting {
    const char *name, *value;
} setting;

enum { SETTINGS = 8 };

typedef struct outcome {
    int made;    /* the simulation could be set up */
    long steps;  /* that went well */
    long blocks; /* allocated after the first step, messages not counted */
} outcome;

/* Allocations since the marks, but for messages, which the simulation and its caller keep. */
static long blocks_since(const counting *memory, const hol_context *ctx, long made, int messages) {
    return memory->made - made - 2 * (hol_message_count(ctx) - messages);
}

/* One step, then more up to `steps` and some ways to look at the state, counting. */
static void count_run(hol_sim *sim, counting *memory, hol_context *ctx, int steps, outcome *out) {
    hol_data *data = hol_sim_data(sim);
    if (hol_sim_step(sim)) return;
    const long made = memory->made;
    const int messages = hol_message_count(ctx);
    /* a run that creeps by the clock looks once, with memory, for what holds it back: not here */
    sim->creep.told = 1;
    /* a step that fails looks for the reason, which may take memory, also where it then passes */
    for (; out->steps < steps && hol_sim_step(sim) == HOL_OK && !sim->again.count; out->steps++)
        out->blocks = blocks_since(memory, ctx, made, messages);
    if (out->steps < steps || hol_sim_advance(sim, hol_data_time(data) + 1e-3) || sim->again.count)
        return;
    for (int c = 0; c < model_info(data->model).n_measures; c++) measure_of(data, c);
    for (int j = 0; j < data->model->n_joints; j++) reaction_of(data, j);
    energy_of(data);
    out->blocks = blocks_since(memory, ctx, made, messages);
}

static outcome try_run(const char *text, const setting *settings, int steps) {
    counting memory;
    hol_context *ctx = counting_context(&memory);
    hol_spec *spec = hol_spec_new(ctx);
    outcome out = {0};
    assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
    for (int i = 0; i < SETTINGS && settings[i].name; i++) {
        char path[64];
        snprintf(path, sizeof path, "simulation.%s", settings[i].name);
        if (settings[i].value)
            assert_int_equal(hol_spec_set(spec, path, settings[i].value, "test"), HOL_OK);
    }
    hol_options *options;
    hol_model *model = hol_model_from_spec(ctx, spec, &options);
    if (!model) fail_with_messages(ctx, text);
    hol_sim *sim = hol_sim_new(ctx, model, options);
    hol_options_free(options);
    out.made = sim != NULL;
    /* a combination that makes no sense is refused with words */
    if (!sim) assert_true(hol_message_count_of(ctx, HOL_ERROR) > 0);
    if (sim) count_run(sim, &memory, ctx, steps, &out);
    hol_sim_free(sim);
    hol_model_free(model);
    hol_spec_free(spec);
    hol_context_free(ctx);
    assert_int_equal(memory.live, 0);
    return out;
}

static void describe(const setting *settings, char *out, size_t size) {
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < SETTINGS && settings[i].name; i++)
        if (settings[i].value && used < size)
            used += (size_t)snprintf(out + used, size - used, " %s=%s", settings[i].name,
                                     settings[i].value);
}

/* Whether the integrator makes many steps in one. */
static int is_composed(const setting *settings) {
    for (int i = 0; i < SETTINGS && settings[i].name; i++)
        if (strcmp(settings[i].name, "integrator") == 0 && settings[i].value)
            return strncmp(settings[i].value, "rattle", 6) == 0;
    return 0;
}

/* Run and fail when a step allocated; *ran counts runs that made all steps. */
static void check_run(const char *text, const setting *settings, int steps, int *ran) {
    if (is_composed(settings)) steps = 1;
    const outcome out = try_run(text, settings, steps);
    char what[256];
    describe(settings, what, sizeof what);
    if (out.blocks)
        fail_msg("%ld blocks were allocated in %ld steps:%s", out.blocks, out.steps, what);
    *ran += out.steps == steps;
}

/* The i-th name of a table, round and round. */
static const char *integrator_name(int i) {
    int n = 0;
    while (hol__stepper_get(n)) n++;
    return hol__stepper_get(i % n)->name;
}

static int needs_step(const char *integrator) {
    return hol__stepper_find(integrator)->error_order == 0;
}

/* ---- nothing is allocated ---- */

/* All methods, kernels and corrections; integrators, kinds of steps and storage in turn. */
static void check_combinations(const char *text, int steps, int least) {
    const hol_method_doc *method;
    const hol__correction_type *correction;
    int ran = 0, turn = 0;
    for (int m = 0; (method = hol__method_get(m)); m++)
        for (int k = -1; k < 0 || hol__kernel_get(k); k++)
            for (int c = 0; (correction = hol__correction_get(c)); c++, turn++) {
                static const char *const storages[] = {"auto", "dense", "sparse"};
                const char *integrator = integrator_name(turn);
                const setting settings[SETTINGS] = {
                    {"method", method->name},
                    {"kernel", k < 0 ? NULL : hol__kernel_get(k)->name},
                    {"correction", correction->name},
                    {"integrator", integrator},
                    {"step", needs_step(integrator) || turn % 4 == 0 ? "1e-3" : NULL},
                    {"storage", storages[turn % 3]},
                    {"end", "5"}};
                check_run(text, settings, steps, &ran);
            }
    if (ran < least) fail_msg("only %d of %d combinations ran", ran, turn);
}

static void test_planar(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    check_combinations(planar_text, 4, 300);
}

static void test_spatial(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    check_combinations(spatial_text, 2, 300);
}

/* Every method with every integrator, with fixed and with chosen steps. */
static void check_integrators(const char *text, int steps, int least) {
    const hol_method_doc *method;
    const hol__stepper_type *table;
    int ran = 0;
    for (int m = 0; (method = hol__method_get(m)); m++)
        for (int i = 0; (table = hol__stepper_get(i)); i++)
            for (int fixed = 0; fixed < 2; fixed++) {
                if (!fixed && needs_step(table->name)) continue;
                const setting settings[SETTINGS] = {{"method", method->name},
                                                    {"integrator", table->name},
                                                    {"step", fixed ? "1e-3" : NULL},
                                                    {"end", "5"}};
                check_run(text, settings, steps, &ran);
            }
    if (ran < least) fail_msg("only %d combinations ran", ran);
}

static void test_integrators(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    check_integrators(planar_text, 8, 60);
    check_integrators(spatial_text, 4, 60);
}

/* Every method with kernels, corrections, integrators and kinds of steps in turn, in other
 * coordinates: trees and loops. */
static void check_set(const char *text, const char *set, int steps, int least) {
    static const char *const storages[] = {"auto", "dense", "sparse"};
    const hol_method_doc *method;
    int ran = 0, turn = 0, kernels = 0;
    while (hol__kernel_get(kernels)) kernels++;
    for (int m = 0; (method = hol__method_get(m)); m++)
        for (int c = 0; hol__correction_get(c); c++, turn++) {
            const char *integrator = integrator_name(turn);
            const int k = turn % (2 * kernels);
            const setting settings[SETTINGS] = {
                {"method", method->name},
                {"coordinates", set},
                {"kernel", k < kernels ? hol__kernel_get(k)->name : NULL},
                {"correction", hol__correction_get(c)->name},
                {"integrator", integrator},
                {"step", needs_step(integrator) || turn % 3 == 0 ? "1e-3" : NULL},
                {"storage", storages[turn % 3]},
                {"end", "5"}};
            check_run(text, settings, steps, &ran);
        }
    if (ran < least) fail_msg("only %d of %d combinations ran", ran, turn);
}

static void test_relative(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    check_set(planar_text, "relative", 8, 100);
    check_set(spatial_text, "relative", 4, 100);
    check_set(twin_text, "relative", 8, 60);
    check_set(tree_text, "relative", 8, 100);
}

static void test_natural(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    check_set(planar_text, "natural", 8, 100);
    check_set(spatial_text, "natural", 4, 100);
    check_set(twin_text, "natural", 8, 60);
}

/* Velocities that jump with the rate of a driver. */
static void test_jump(void **state) {
    static const char *const sets[] = {"reference", "relative", "natural"};
    int ran = 0;
    (void)state;
    if (!reads_yaml()) skip();
    for (int s = 0; s < 3; s++)
        for (int m = 0; hol__method_get(m); m++) {
            const setting settings[SETTINGS] = {{"method", hol__method_get(m)->name},
                                                {"coordinates", sets[s]},
                                                {"integrator", "dopri5"},
                                                {"step", "1e-3"},
                                                {"end", "5"}};
            check_run(jump_text, settings, 6, &ran);
        }
    if (ran < 40) fail_msg("only %d combinations ran", ran);
}

/* Every basis of the null space, and every stabilizer. */
static void test_bases_and_stabilizers(void **state) {
    int ran = 0;
    (void)state;
    if (!reads_yaml()) skip();
    for (int b = 0; hol__basis_get(b); b++)
        for (int form = 0; form < 2; form++) {
            const setting settings[SETTINGS] = {{"method", "nullspace"},
                                                {"basis", hol__basis_get(b)->name},
                                                {"nullspace_form", form ? "stacked" : "reduced"},
                                                {"step", "1e-3"},
                                                {"end", "5"}};
            check_run(planar_text, settings, 5, &ran);
            check_run(spatial_text, settings, 5, &ran);
        }
    for (int s = 0; hol__stabilizer_get(s); s++)
        for (int k = 0; hol__kernel_get(k); k++) {
            const setting settings[SETTINGS] = {{"stabilizer", hol__stabilizer_get(s)->name},
                                                {"kernel", hol__kernel_get(k)->name},
                                                {"step", "1e-3"},
                                                {"end", "5"}};
            check_run(planar_text, settings, 5, &ran);
        }
    for (int g = 0; hol__gain_rule_get(g); g++)
        for (int held = 0; held < 2; held++) {
            const setting settings[SETTINGS] = {{"method", "baumgarte"},
                                                {"gains", hol__gain_rule_get(g)->name},
                                                {"sampling", held ? "step" : "auto"},
                                                {"step", "1e-3"},
                                                {"end", "5"}};
            check_run(planar_text, settings, 5, &ran);
        }
    assert_true(ran > 10);
}

/* Invariants beside the energy, in every set of coordinates, with fixed and with chosen steps; and
 * over switches, after which everything is made anew. */
static void test_invariants(void **state) {
    static const char *const sets[] = {"reference", "natural", "relative"};
    int ran = 0;
    (void)state;
    if (!reads_yaml()) skip();
    for (int set = 0; set < 3; set++)
        for (int fixed = 0; fixed < 2; fixed++) {
            const setting settings[SETTINGS] = {{"method", "braun-goldfarb"},
                                                {"coordinates", sets[set]},
                                                {"step", fixed ? "1e-3" : NULL},
                                                {"end", "5"}};
            check_run(free_text, settings, 10, &ran);
            assert_true(try_run(switched_text, settings, 10).made);
        }
    assert_int_equal(ran, 6);
}

/* Redundant constraints, and a run through a singular position: 0.22 m are passed in about 0.04 s
 * at 3.1 rad/s. */
static void test_redundant_and_singular(void **state) {
    int ran = 0;
    (void)state;
    if (!reads_yaml()) skip();
    for (int k = 0; hol__kernel_get(k); k++)
        for (int c = 0; hol__correction_get(c); c++)
            for (int fixed = 0; fixed < 2; fixed++) {
                const setting settings[SETTINGS] = {{"kernel", hol__kernel_get(k)->name},
                                                    {"correction", hol__correction_get(c)->name},
                                                    {"step", fixed ? "2e-3" : NULL},
                                                    {"end", "0.3"}};
                check_run(twin_text, settings, 20, &ran);
                check_run(singular_text, settings, 60, &ran);
            }
    assert_true(ran > 10);
}

/* Whole runs with output, interpolated or not, and a stop: what an observer does not allocate is
 * not allocated. */
typedef struct watch {
    const counting *memory;
    const hol_context *ctx;
    long made, worst;
    int messages, outputs;
} watch;

static hol_status watch_output(void *user, hol_sim *sim) {
    watch *w = user;
    measure_of(hol_sim_data(sim), 0);
    if (w->outputs++ == 1) w->made = w->memory->made, w->messages = hol_message_count(w->ctx);
    if (w->outputs > 2) w->worst = blocks_since(w->memory, w->ctx, w->made, w->messages);
    return HOL_OK;
}

static void test_whole_run(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    for (int dense = 0; dense < 2; dense++)
        for (int spatial = 0; spatial < 2; spatial++) {
            counting memory;
            hol_context *ctx = counting_context(&memory);
            mech_text text = {.used = 0};
            put(&text,
                "%s\nstop_when: t > 0.37\nsimulation: {end: 1, output: 0.01, output_mode: %s}\n",
                spatial ? spatial_text : planar_text, dense ? "dense" : "land");
            hol_options *options;
            hol_model *model = compile_text(ctx, text.text, "test.yaml", &options);
            if (!model) fail_with_messages(ctx, text.text);
            hol_sim *sim = hol_sim_new(ctx, model, options);
            hol_options_free(options);
            if (!sim) fail_with_messages(ctx, text.text);
            watch w = {.memory = &memory, .ctx = ctx};
            const hol_observer observer = {.on_output = watch_output, .user = &w};
            assert_int_equal(hol_sim_run(sim, &observer), HOL_OK);
            assert_int_equal(sim_info(sim).end, HOL_END_STOP);
            assert_true(w.outputs > 30);
            assert_int_equal(w.worst, 0);
            hol_sim_free(sim);
            hol_model_free(model);
            hol_context_free(ctx);
            assert_int_equal(memory.live, 0);
        }
}

/* Steps of a run that switches: blocks in those that do not. */
typedef struct between {
    const counting *memory;
    long made, switches, worst;
} between;

static hol_status watch_step(void *user, hol_sim *sim) {
    between *w = user;
    const long switches = sim_info(sim).switches;
    if (w->made && switches == w->switches && w->memory->made - w->made > w->worst)
        w->worst = w->memory->made - w->made;
    w->made = w->memory->made;
    w->switches = switches;
    return HOL_OK;
}

static void test_between_switches(void **state) {
    static const char *const sets[] = {"reference", "natural", "relative"};
    (void)state;
    if (!reads_yaml()) skip();
    for (int set = 0; set < 3; set++) {
        counting memory;
        hol_context *ctx = counting_context(&memory);
        mech_text text = {.used = 0};
        put(&text, "%s\nsimulation: {end: 0.01, step: 1e-4, coordinates: %s}\n", switched_text,
            sets[set]);
        hol_options *options;
        hol_model *model = compile_text(ctx, text.text, "test.yaml", &options);
        if (!model) fail_with_messages(ctx, text.text);
        hol_sim *sim = hol_sim_new(ctx, model, options);
        if (!sim) fail_with_messages(ctx, text.text);
        between w = {.memory = &memory};
        const hol_observer observer = {.on_step = watch_step, .user = &w};
        assert_int_equal(hol_sim_run(sim, &observer), HOL_OK);
        assert_int_equal(w.switches, 2);
        assert_int_equal(w.worst, 0);
        hol_options_free(options);
        hol_sim_free(sim);
        hol_model_free(model);
        hol_context_free(ctx);
        assert_int_equal(memory.live, 0);
    }
}

/* ---- the k-th allocation fails ---- */

/* From the text to the end of a short run; returns whether all of it went well. The state is looked
 * at only where it exists. */
static int whole_way(hol_context *ctx, const char *text) {
    hol_spec *spec = hol_spec_new(ctx);
    hol_model *model = NULL;
    hol_options *options = NULL;
    hol_sim *sim = NULL;
    hol_data *snapshot = NULL;
    int good = 0;
    if (spec && hol_spec_read_text(spec, text, "test.yaml") == HOL_OK)
        model = hol_model_from_spec(ctx, spec, &options);
    hol_spec_free(spec);
    if (model) sim = hol_sim_new(ctx, model, options);
    hol_options_free(options);
    if (sim) {
        const hol_status status = hol_sim_run(sim, NULL);
        assert_true(status <= 0);
        snapshot = hol_data_new(ctx, model);
        if (snapshot) hol_data_copy(snapshot, hol_sim_data(sim));
        good = status == HOL_OK && snapshot != NULL;
        if (good) assert_true(isfinite(energy_of(snapshot).balance));
    }
    hol_data_free(snapshot);
    hol_sim_free(sim);
    hol_model_free(model);
    return good;
}

static int says_out_of_memory(const hol_context *ctx) {
    for (int i = 0; i < hol_message_count(ctx); i++)
        if (hol_message_get(ctx, i)->status == HOL_ERR_MEMORY) return 1;
    return 0;
}

/* How many blocks it takes to read and compile a text. */
static long blocks_of_model(const char *text) {
    counting memory;
    hol_context *ctx = counting_context(&memory);
    hol_model_free(compile_text(ctx, text, "test.yaml", NULL));
    hol_context_free(ctx);
    return memory.made;
}

/* Fail each allocation in turn, or only those after the model is compiled, until a run needs no
 * more. */
static void check_failures(const char *text, const char *options, int only_run) {
    mech_text whole = {.used = 0};
    put(&whole, "%s\nsimulation: {end: 0.004, output: 0.002%s}\n", text, options);
    long failed = 0;
    int passed = 0;
    for (long k = only_run ? blocks_of_model(whole.text) : 1; !passed; k++) {
        counting memory;
        hol_context *ctx = failing_context(&memory, k);
        if (!ctx) {
            assert_int_equal(k, 1);
            failed++;
            continue;
        }
        const int good = whole_way(ctx, whole.text);
        passed = memory.made < k;
        if (passed && !good) fail_with_messages(ctx, "the run fails with all the memory it wants");
        /* without memory for a message alone everything else goes on */
        if (!good) {
            failed++;
            if (!says_out_of_memory(ctx))
                fail_msg("allocation %ld of%s: no message says why", k, options);
        }
        hol_context_free(ctx);
        if (memory.live)
            fail_msg("%ld blocks are left after allocation %ld failed", memory.live, k);
    }
    assert_true(failed > (only_run ? 10 : 60));
}

static void test_failures_planar(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    check_failures(planar_text, "", 0);
}

static void test_failures_spatial(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    check_failures(spatial_text, ", kernel: schur, storage: sparse, correction: direct", 0);
}

static void test_failures_relative(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    check_failures(planar_text, ", coordinates: relative", 0);
    check_failures(spatial_text, ", coordinates: relative, method: canonical", 1);
    check_failures(tree_text, ", coordinates: relative", 0);
}

static void test_failures_natural(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    check_failures(planar_text, ", coordinates: natural", 0);
    check_failures(spatial_text, ", coordinates: natural", 0);
}

static void test_failures_redundant(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    check_failures(twin_text, "", 0);
}

static void test_failures_switched(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    check_failures(switched_text, ", step: 1e-3", 0);
    check_failures(switched_text, ", step: 1e-3, coordinates: relative", 1);
}

/* Every method: its set-up and its run. */
static void test_failures_of_methods(void **state) {
    const hol_method_doc *method;
    (void)state;
    if (!reads_yaml()) skip();
    for (int m = 0; (method = hol__method_get(m)); m++) {
        char options[96];
        snprintf(options, sizeof options, ", method: %s, step: 1e-3", method->name);
        check_failures(twin_text, options, 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planar),
        cmocka_unit_test(test_spatial),
        cmocka_unit_test(test_integrators),
        cmocka_unit_test(test_relative),
        cmocka_unit_test(test_jump),
        cmocka_unit_test(test_natural),
        cmocka_unit_test(test_bases_and_stabilizers),
        cmocka_unit_test(test_invariants),
        cmocka_unit_test(test_redundant_and_singular),
        cmocka_unit_test(test_whole_run),
        cmocka_unit_test(test_between_switches),
        cmocka_unit_test(test_failures_planar),
        cmocka_unit_test(test_failures_spatial),
        cmocka_unit_test(test_failures_relative),
        cmocka_unit_test(test_failures_natural),
        cmocka_unit_test(test_failures_redundant),
        cmocka_unit_test(test_failures_switched),
        cmocka_unit_test(test_failures_of_methods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

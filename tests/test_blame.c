/* test_blame.c: why a run cannot go on: the element that is not finite is named at its place,
 * whatever rows stand beside it, at the start and later, in every set of coordinates; the force of
 * the caller is named too; and no failure is without a message.
 */
#include "model_fixture.h"

#define ROD                                                                                        \
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"                                    \
    "  rod: {mass: 1.2, inertia: %s, along: [[0, 0], [1, 0]]}\n"

/* A model with a fault, and the words that name it. */
typedef struct fault {
    const char *lines, *words;
} fault;

static const fault faults[] = {
    /* rows of joints: Phi, b and c, A, at the start and later */
    {"joints:\n  A: {type: distance, bodies: [ground, rod], from: [0, 1], to: [0, 0], length: "
     "1/t}\n",
     "joint 'A'"},
    {"joints:\n  A: {type: distance, bodies: [ground, rod], from: [0, 1], to: [0, 0], length: 1 + "
     "0.1*sqrt(t)}\n",
     "joint 'A'"},
    {"joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n  D: {type: driver, "
     "joint: A, law: t^1.5}\n",
     "joint 'D'"},
    {"joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n  D: {type: driver, "
     "joint: A, law: sqrt(0.25 - t)}\n",
     "joint 'D'"},
    /* forces */
    {"joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\nforces:\n  F: {type: "
     "torque, body: rod, torque: log(t)}\n",
     "force 'F'"},
    {"joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\nforces:\n  F: {type: "
     "torque, body: rod, torque: sqrt(0.1 - t)}\n",
     "force 'F'"},
};

/* Whether an error names the words. */
static int is_named(const hol_context *ctx, const char *words) {
    char line[2048];
    for (int i = 0; i < hol_message_count(ctx); i++) {
        const hol_message *m = hol_message_get(ctx, i);
        hol_message_format(m, line, sizeof line);
        if (m->severity == HOL_ERROR && strstr(line, words)) return 1;
    }
    return 0;
}

/* Read, compile and run a model; its status, or that of the last error. */
static hol_status run_all(hol_context *ctx, const char *text, const char *settings,
                          hol_force_fn *force) {
    hol_spec *spec = hol_spec_new(ctx);
    hol_options *options = NULL;
    hol_model *model = NULL;
    hol_sim *sim = NULL;
    hol_status status = hol_spec_read_text(spec, text, "blame.yaml");
    if (!status) status = run_settings(spec, settings);
    if (!status) model = hol_model_from_spec(ctx, spec, &options);
    if (model) sim = hol_sim_new(ctx, model, options);
    if (sim && force) hol_sim_on_force(sim, force, NULL);
    status = sim ? hol_sim_run(sim, NULL) : HOL_ERR_INPUT;
    hol_sim_free(sim);
    hol_options_free(options);
    hol_model_free(model);
    hol_spec_free(spec);
    return status;
}

static const char *const coordinates[] = {"reference", "natural", "relative"};

static void test_elements(void **state) {
    (void)state;
    char text[2048], settings[128];
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        for (int k = 0; k < 3; k++) {
            hol_context *ctx = hol_context_new();
            snprintf(text, sizeof text, ROD "%s", "0.1", faults[i].lines);
            snprintf(settings, sizeof settings, "end=0.5 coordinates=%s max_steps=3000",
                     coordinates[k]);
            const hol_status status = run_all(ctx, text, settings, NULL);
            if (!status || !is_named(ctx, faults[i].words)) {
                print_error("%s in %s coordinates: %s\n%s", faults[i].words, coordinates[k],
                            hol_status_name(status), text);
                run_print_messages(ctx);
                fail();
            }
            hol_context_free(ctx);
        }
}

/* Rows that keep a body rigid belong to no joint: an inertia that underflows makes them matter. */
static void test_tiny_inertia(void **state) {
    static const char *const tiny[] = {"1e-308", "1e-320", "5e-324"};
    static const char *const methods[] = {"auto", "lagrange", "nullspace", "penalty"};
    (void)state;
    char text[2048], settings[160];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 4; j++) {
                hol_context *ctx = hol_context_new();
                snprintf(text, sizeof text, ROD "%s", tiny[i],
                         "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0.5, 0]}\n"
                         "forces:\n  F: {type: torque, body: rod, torque: 3.7}\n");
                snprintf(settings, sizeof settings,
                         "end=0.01 max_steps=200 coordinates=%s method=%s", coordinates[k],
                         methods[j]);
                const hol_status status = run_all(ctx, text, settings, NULL);
                if (status) assert_true(hol_message_count_of(ctx, HOL_ERROR) > 0);
                hol_context_free(ctx);
            }
}

/* ---- the force of the caller ---- */

static hol_status gives_nan(void *user, hol_data *data) {
    const double force[3] = {hol_data_time(data) >= 0 ? NAN : 0, 0, 0}, origin[3] = {0};
    (void)user;
    return hol_data_add_force(data, 0, origin, force);
}

static hol_status gives_up(void *user, hol_data *data) {
    (void)user;
    (void)data;
    return HOL_ERR_IO;
}

static hol_status asks_too_much(void *user, hol_data *data) {
    hol_energy energy = {.size = sizeof energy};
    (void)user;
    return hol_data_energy(data, &energy);
}

static hol_status retries(void *user, hol_data *data) {
    (void)user;
    return hol_data_time(data) > 0.1 ? HOL_RETRY : HOL_OK;
}

static void test_caller(void **state) {
    static hol_force_fn *const forces[] = {gives_nan, gives_up, asks_too_much, retries};
    static const hol_status wanted[] = {HOL_ERR_SINGULAR, HOL_ERR_IO, HOL_ERR_ARGUMENT,
                                        HOL_ERR_TOLERANCE};
    static const char *const words[] = {"hol_force_fn: the force of the caller is NaN",
                                        "hol_force_fn: the force of the caller failed", "asks for",
                                        "error: "};
    (void)state;
    char text[2048], settings[128];
    snprintf(text, sizeof text, ROD "%s", "0.1",
             "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n");
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            hol_context *ctx = hol_context_new();
            snprintf(settings, sizeof settings, "end=0.5 coordinates=%s", coordinates[k]);
            const hol_status status = run_all(ctx, text, settings, forces[i]);
            if (status != wanted[i] || !is_named(ctx, words[i])) {
                print_error("force %d in %s coordinates: %s\n", i, coordinates[k],
                            hol_status_name(status));
                run_print_messages(ctx);
                fail();
            }
            hol_context_free(ctx);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elements),
        cmocka_unit_test(test_tiny_inertia),
        cmocka_unit_test(test_caller),
    };
    return run_tests_of_models("blame", tests);
}

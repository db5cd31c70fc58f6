/* fuzz_fmu_with_fyaml.c: any bytes as a sequence of calls of an FMU, of both versions and kinds,
 * linked with its functions so that sanitizers see them. Nothing crashes, and what an instance of
 * FMI 2.0 takes it gives back.
 *
 * The first byte says which version and kind, the others choose calls and arguments (fmu_calls.c).
 */
#include "fmu/calls.h"
#include "fmu/table.h"
#include "fuzz_tape.h"

#include <stdlib.h>
#include <sys/stat.h>

enum { FUZZ_LENGTH = 600 };

/* Events, an input, a controller's state, a loop's worth of constraints. */
static const char model[] = "holonom: 1\nname: fuzzed\nspace: planar\ngravity: [0, -9.81]\n"
                            "parameters: {L: 0.7 m, k: 12 N/m}\n"
                            "bodies:\n  rod: {mass: 1.2, inertia: 0.1, along: [[0, 0], [L, 0]]}\n"
                            "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
                            "forces:\n"
                            "  push: {type: torsion, joint: A, stiffness: 1.2, torque: u + w}\n"
                            "measures:\n"
                            "  u: {type: variable, value: 0, unit: N*m}\n"
                            "  w: {type: variable, value: 1, unit: N*m}\n"
                            "  angle: {type: angle, body: rod}\n"
                            "  energy: {type: energy}\n"
                            "events:\n  low: {when: angle < -0.8, do: {set: {w: 3}}}\n"
                            "simulation: {end: 3, tolerance: 1e-6, coordinates: reference}\n";

static const char folder[] = "fuzz_fmu"; /* in the current one */
static char token[80];
static int n_variables, n_states, n_conditions;

/* The model in a folder of resources, and the token and sizes of its table. */
static void prepare(void) {
    if (*token) return;
    mkdir(folder, 0755);
    char path[100];
    snprintf(path, sizeof path, "%s/model.yaml", folder);
    FILE *file = fopen(path, "w");
    if (!file || fputs(model, file) < 0 || fclose(file)) abort();
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol__fmu_model made;
    hol__fmu_table table;
    if (hol_spec_read_file(spec, path) || hol__fmu_compile(ctx, spec, &made)) abort();
    hol_sim *sim = hol_sim_new(ctx, made.model, made.options);
    if (!sim || hol__fmu_table_make(ctx, spec, sim, NULL, &table)) abort();
    snprintf(token, sizeof token, "%s", table.token);
    n_variables = table.n, n_states = table.n_states, n_conditions = table.n_conditions;
    hol__fmu_table_free(&table);
    hol_sim_free(sim);
    hol__fmu_model_free(&made);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

static long live;

static void *take(size_t n, size_t size) {
    void *block = calloc(n, size);
    live += block != NULL;
    return block;
}

static void give(void *block) {
    live -= block != NULL;
    free(block);
}

static unsigned next_byte(void *user, unsigned below) {
    tape *in = user;
    return below > 256 ? (tape_byte(in) << 8 | tape_byte(in)) % below
                       : tape_byte(in) % (below ? below : 1);
}

static void update(fmi3InstanceEnvironment environment, fmi3Float64 t, fmi3Boolean sets,
                   fmi3Boolean gets, fmi3Boolean finished, fmi3Boolean may, fmi3Boolean *early,
                   fmi3Float64 *when) {
    tape *in = environment;
    (void)sets, (void)gets, (void)finished, (void)t, (void)when;
    *early = may && tape_byte(in) % 8 == 0;
}

void fuzz_one(const uint8_t *data, size_t size) {
#define LINKED(name) .name = name,
    static const fmu_calls calls = {FMU_CALLS2(LINKED) FMU_CALLS3(LINKED)};
#undef LINKED
    static const fmi2CallbackFunctions callbacks = {NULL, take, give, NULL, NULL};
    if (size < 2 || size > FUZZ_LENGTH) return;
    prepare();
    tape in = {data, size};
    const unsigned kind = tape_byte(&in);
    const int version = kind & 1 ? 3 : 2, exchange = (kind & 2) != 0, events = (kind & 4) != 0;
    void *handle =
        version == 2 ? fmi2Instantiate("fuzzed", exchange ? fmi2ModelExchange : fmi2CoSimulation,
                                       token, folder, &callbacks, 0, 0)
        : exchange ? fmi3InstantiateModelExchange("fuzzed", token, folder, false, false, &in, NULL)
                   : fmi3InstantiateCoSimulation("fuzzed", token, folder, false, false, events,
                                                 events, NULL, 0, &in, NULL, update);
    if (!handle) fuzz_fail("no instance of a good model");
    const fmu_choices choices = {next_byte, &in};
    fmu_tally tally = {0, 0};
    fmu_call_at_random(&calls, version, exchange, handle, n_variables, n_states, n_conditions,
                       (int)(size / 4), &choices, &tally);
    if (live) fuzz_fail("an instance left memory behind");
}

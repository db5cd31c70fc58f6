/* test_fmus_linked_with_fyaml.c: random calls on FMUs whose functions are linked in, so that
 * sanitizers see all of them (./dev asan): a thousand sequences over models with loops, contacts,
 * events, inputs and states of elements, of both versions and kinds. None crashes, and what
 * instances of FMI 2.0 take through the importer's functions they give back; of FMI 3.0 the leak
 * sanitizer tells. */
#include "fmu/calls.h"
#include "fmu/table.h"
#include "model_fixture.h"

#include <sys/stat.h>

typedef struct resources {
    char token[80];
    int n_variables, n_states, n_conditions;
} resources;

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

/* The model, in reference-point coordinates, as ./model.yaml; and its table. */
static resources put(const char *model) {
    char path[600];
    resources out;
    snprintf(path, sizeof path, HOLONOM_TEST_MODELS "/%s.yaml", model);
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol__fmu_model made;
    hol__fmu_table table;
    assert_int_equal(hol_spec_read_file(spec, path), HOL_OK);
    hol_spec_set(spec, "simulation.coordinates", "reference", "test");
    char *text = hol_spec_text(spec);
    FILE *file = fopen("model.yaml", "w");
    assert_true(file && fputs(text, file) >= 0 && fclose(file) == 0);
    hol_free(ctx, text);
    hol_spec_free(spec);
    spec = hol_spec_new(ctx);
    assert_int_equal(hol_spec_read_file(spec, "model.yaml"), HOL_OK);
    assert_int_equal(hol__fmu_compile(ctx, spec, &made), HOL_OK);
    hol_sim *sim = hol_sim_new(ctx, made.model, made.options);
    assert_non_null(sim);
    assert_int_equal(hol__fmu_table_make(ctx, spec, sim, NULL, &table), HOL_OK);
    snprintf(out.token, sizeof out.token, "%s", table.token);
    out.n_variables = table.n, out.n_states = table.n_states;
    out.n_conditions = table.n_conditions;
    hol__fmu_table_free(&table);
    hol_sim_free(sim);
    hol__fmu_model_free(&made);
    hol_spec_free(spec);
    hol_context_free(ctx);
    return out;
}

/* Numbers of a generator (xorshift). */
static unsigned next_number(void *user, unsigned below) {
    unsigned long long *s = user;
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return below ? (unsigned)((*s >> 16) % below) : 0;
}

static void update(fmi3InstanceEnvironment environment, fmi3Float64 t, fmi3Boolean sets,
                   fmi3Boolean gets, fmi3Boolean finished, fmi3Boolean may, fmi3Boolean *early,
                   fmi3Float64 *when) {
    (void)environment, (void)sets, (void)gets, (void)finished;
    *early = may;
    *when = t;
}

static void *make(const resources *r, int version, int exchange, int events) {
    const fmi2CallbackFunctions f = {NULL, take, give, NULL, NULL};
    if (version == 2)
        return fmi2Instantiate("a", exchange ? fmi2ModelExchange : fmi2CoSimulation, r->token, ".",
                               &f, 0, 0);
    if (exchange) return fmi3InstantiateModelExchange("a", r->token, ".", 0, 0, NULL, NULL);
    return fmi3InstantiateCoSimulation("a", r->token, ".", 0, 0, events, events, NULL, 0, NULL,
                                       NULL, update);
}

static void sequences_neither_crash_nor_leak(void **state) {
    static const char *const models[] = {"elements/variable", "bouncing_ball", "four_bar",
                                         "elements/friction_lugre", "elements/pid"};
    enum { N = 50 }; /* of each model, version and kind */
    fmu_calls calls;
    fmu_tally tally = {0, 0};
    int trials = 0;
    (void)state;
#define TAKE(name) calls.name = name;
    FMU_CALLS2(TAKE)
    FMU_CALLS3(TAKE)
#undef TAKE
    for (int m = 0; m < 5; m++) {
        const resources r = put(models[m]);
        for (int k = 0; k < 4 * N; k++) {
            unsigned long long seed = 88172645463325252ULL + 7919ULL * (unsigned)trials++;
            const fmu_choices choices = {next_number, &seed};
            const int version = 2 + k % 2, exchange = k / 2 % 2;
            void *handle = make(&r, version, exchange, k % 8 >= 4);
            assert_non_null(handle);
            fmu_call_at_random(&calls, version, exchange, handle, r.n_variables, r.n_states,
                               r.n_conditions, 28, &choices, &tally);
            assert_true(live == 0);
        }
    }
    print_message("# %d sequences: %ld calls went well, %ld were refused\n", trials, tally.good,
                  tally.refused);
    assert_true(trials == 20 * N && tally.good > 8L * trials && tally.refused > 8L * trials);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sequences_neither_crash_nor_leak)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

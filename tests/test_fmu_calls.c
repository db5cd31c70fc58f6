/* test_fmu_calls.c: sequences of calls, legal and not, on FMUs of both versions and
 * kinds: none crashes, and what instances take they give back (counted by the importer's memory
 * functions in FMI 2.0; the fuzzer replays the same under sanitizers). Illegal calls are refused
 * and change nothing. States that are kept go on with the same bits, in other instances too. Early
 * returns and events of FMI 3.0; instances in several threads. */
#include "fmu/calls.h"
#include "fmu/importer.h"
#include "fmu/models.h"
#include "model_fixture.h"

#include <pthread.h>

static fmu_calls calls_of(const fmu_archive *fmu) {
    fmu_calls calls;
#define TAKE(name) calls.name = (__typeof__(&name))fmu_function(fmu, #name);
    FMU_CALLS2(TAKE)
    FMU_CALLS3(TAKE)
#undef TAKE
    return calls;
}

/* Numbers of a generator (xorshift). */
static unsigned next_number(void *user, unsigned below) {
    unsigned long long *s = user;
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return below ? (unsigned)((*s >> 16) % below) : 0;
}

static void random_calls_neither_crash_nor_leak(void **state) {
    static const char *const models[] = {"elements/variable", "bouncing_ball", "four_bar"};
    /* of each of six; HOLONOM_WHOLE: a thousand in all */
    const int n = getenv("HOLONOM_WHOLE") ? 167 : 60;
    (void)state;
    fmu_tally tally = {0, 0};
    long before = 0, after = 0;
    int trials = 0;
    for (int version = 2; version <= 3; version++)
        for (int m = 0; m < 3; m++) {
            fmu_archive fmu;
            fmu_make(&fmu, models[m], version, 0, NULL);
            const fmu_calls calls = calls_of(&fmu);
            for (int k = 0; k < n; k++) {
                unsigned long long seed = 88172645463325252ULL + 7919ULL * (unsigned)trials++;
                const fmu_choices choices = {next_number, &seed};
                void *handle = fmu_raw(&fmu, k % 2, k % 4 >= 2, trials == 1 ? &before : NULL);
                assert_non_null(handle);
                fmu_call_at_random(&calls, version, k % 2, handle, fmu.n_variables, fmu.n_states,
                                   fmu.n_conditions, 28, &choices, &tally);
            }
            if (version == 2) {
                void *last = fmu_raw(&fmu, 0, 0, &after);
                calls.fmi2FreeInstance(last);
                assert_true(after == before);
            }
            fmu_close(&fmu);
        }
    print_message("# %d sequences: %ld calls went well, %ld were refused\n", trials, tally.good,
                  tally.refused);
    assert_true(trials == 6 * n && tally.good > 20L * n && tally.refused > 20L * n);
}

static unsigned first_output(const fmu_archive *fmu) {
    for (int k = 0; k < fmu->n_variables; k++)
        if (strcmp(fmu->variables[k].causality, "output") == 0) return fmu->variables[k].reference;
    fail();
    return 0;
}

/* Steps of co-simulation from t on: the sum of an output over them. */
static double steps_from(fmu_instance *i, double t, int n) {
    double sum = 0;
    for (int k = 0; k < n; k++) {
        assert_int_equal(fmu_do_step(i, t + 0.05 * k, 0.05), 0);
        sum += (k + 1) * fmu_get(i, first_output(i->fmu));
    }
    return sum;
}

static void states_go_on_with_the_same_bits(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        static const char *const models[] = {"four_bar", "bouncing_ball",
                                             "elements/friction_lugre"};
        for (int m = 0; m < 3; m++) {
            fmu_archive fmu;
            fmu_instance i, other;
            fmu_make(&fmu, models[m], version, 0, NULL);
            fmu_start(&i, &fmu, 0, 0);
            fmu_begin(&i, 0, 3);
            fmu_ready(&i);
            steps_from(&i, 0, 6);
            void *kept = fmu_keep(&i);
            const double first = steps_from(&i, 0.05 * 6, 9);
            fmu_load(&i, kept);
            assert_true(steps_from(&i, 0.05 * 6, 9) == first);
            fmu_start(&other, &fmu, 0, 0);
            void *carried = fmu_carry(&i, kept, &other);
            fmu_load(&other, carried);
            other.mode = FMU_STEPS;
            assert_true(steps_from(&other, 0.05 * 6, 9) == first);
            fmu_drop(&other, carried);
            fmu_drop(&i, kept);
            fmu_free(&other);
            fmu_free(&i);
            fmu_close(&fmu);
        }
    }
}

/* In FMI 3.0 an event ends the step at its instant, where event mode is used. */
static void events_end_steps(void **state) {
    (void)state;
    fmu_archive fmu;
    fmu_instance i;
    fmu_make(&fmu, "elements/variable", 3, 0, NULL);
    fmu_start(&i, &fmu, 0, 1);
    fmu_begin(&i, 0, 1);
    fmu_ready(&i);
    /* 1.5 kg under 4 N from rest to x = 0.2 m: t = sqrt(2 x m/F) */
    const double when = sqrt(2 * 0.2 * 1.5 / 4);
    assert_int_equal(fmu_do_step(&i, 0, 1), 0);
    assert_true(i.event && i.early);
    assert_true(fabs(i.reached - when) < 1e-9);
    fmu_events(&i);
    assert_int_equal(fmu_do_step(&i, i.reached, 1 - i.reached), 0);
    fmu_free(&i);
    fmu_close(&fmu);
}

/* The importer asks for an early return within a step: it comes there. */
static void steps_return_early(void **state) {
    (void)state;
    fmu_archive fmu;
    fmu_instance i;
    fmu_make(&fmu, "four_bar", 3, 0, NULL);
    fmu_start(&i, &fmu, 0, 1);
    fmu_begin(&i, 0, 5);
    fmu_ready(&i);
    i.ask = 3;
    assert_int_equal(fmu_do_step(&i, 0, 2), 0);
    assert_true(i.early && !i.event && i.updates == 3 && i.reached > 0 && i.reached < 2);
    assert_int_equal(fmu_do_step(&i, i.reached, 2 - i.reached), 0);
    assert_true(!i.early && i.reached == 2);
    fmu_free(&i);
    fmu_close(&fmu);
}

/* Illegal calls return an error and leave the run as it is. */
static void illegal_calls_change_nothing(void **state) {
    (void)state;
    fmu_archive fmu;
    fmu_instance i;
    fmu_make(&fmu, "four_bar", 2, 0, NULL);
    const fmu_calls f = calls_of(&fmu);
    double x[16], value;
    const unsigned parameter = fmu.variables[fmu_find(&fmu, "L2")].reference, none = 99999,
                   output = first_output(&fmu);
    fmu_start(&i, &fmu, 0, 0);
    assert_int_equal(f.fmi2DoStep(i.handle, 0, 0.1, 1), fmi2Error);
    assert_int_equal(f.fmi2GetReal(i.handle, &output, 1, &value), fmi2Error);
    assert_non_null(strstr(i.last, "fmi2GetReal"));
    fmu_begin(&i, 0, 5);
    fmu_ready(&i);
    const double first = steps_from(&i, 0, 4);
    assert_int_equal(f.fmi2SetupExperiment(i.handle, 0, 0, 0, 0, 0), fmi2Error);
    assert_int_equal(f.fmi2EnterEventMode(i.handle), fmi2Error);
    assert_int_equal(f.fmi2SetContinuousStates(i.handle, x, 7), fmi2Error);
    value = 2.5;
    assert_int_equal(f.fmi2SetReal(i.handle, &parameter, 1, &value), fmi2Error);
    assert_non_null(strstr(i.last, "L2"));
    assert_int_equal(f.fmi2SetReal(i.handle, &none, 1, &value), fmi2Error);
    assert_int_equal(f.fmi2DoStep(i.handle, 0.7, 0.1, 1), fmi2Error); /* it is at 0.2 */
    assert_int_equal(f.fmi2DoStep(i.handle, 0.2, -0.1, 1), fmi2Error);
    assert_int_equal(f.fmi2DoStep(i.handle, 0.2, 50, 1), fmi2Error); /* beyond the end */
    const double rest = steps_from(&i, 0.2, 4);
    assert_int_equal(f.fmi2Reset(i.handle), fmi2OK);
    i.mode = FMU_NEW;
    fmu_begin(&i, 0, 5);
    fmu_ready(&i);
    assert_true(steps_from(&i, 0, 4) == first);
    assert_true(steps_from(&i, 0.2, 4) == rest);
    fmu_free(&i);
    /* the token is that of another FMU */
    char token[80];
    memcpy(token, fmu.token, sizeof token);
    fmu.token[3] ^= 1;
    assert_null(fmu_raw(&fmu, 0, 0, NULL));
    memcpy(fmu.token, token, sizeof token);
    fmu_close(&fmu);
}

/* ---- threads ---- */

typedef struct work {
    const fmu_archive *fmu;
    double sum;
} work;

static void *run_one(void *user) {
    work *w = user;
    fmu_instance i;
    fmu_start(&i, w->fmu, 0, 0);
    fmu_begin(&i, 0, 3);
    fmu_ready(&i);
    w->sum = steps_from(&i, 0, 20);
    fmu_free(&i);
    return NULL;
}

static void instances_run_in_threads(void **state) {
    enum { N = 4 };
    (void)state;
    fmu_archive fmu;
    fmu_make(&fmu, "bouncing_ball", 3, 0, NULL);
    pthread_t threads[N];
    work all[N];
    for (int k = 0; k < N; k++) {
        all[k] = (work){&fmu, 0};
        assert_int_equal(pthread_create(&threads[k], NULL, run_one, &all[k]), 0);
    }
    for (int k = 0; k < N; k++) pthread_join(threads[k], NULL);
    for (int k = 1; k < N; k++) assert_true(all[k].sum == all[0].sum && all[0].sum != 0);
    fmu_close(&fmu);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_calls_neither_crash_nor_leak),
                                       cmocka_unit_test(states_go_on_with_the_same_bits),
                                       cmocka_unit_test(events_end_steps),
                                       cmocka_unit_test(steps_return_early),
                                       cmocka_unit_test(illegal_calls_change_nothing),
                                       cmocka_unit_test(instances_run_in_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

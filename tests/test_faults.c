/* test_faults.c: everything that a program does with a model, from reading it to the pages of its
 * results, with a fault at one of its points: nothing crashes, nothing leaks, every failure has a
 * status and a message, and what is left can still be asked and freed.
 *
 * A sample of the points is visited; all of them with HOLONOM_WHOLE=1 (./dev faults), or those of
 * one kind: HOLONOM_WHOLE=memory.
 */
#define _GNU_SOURCE
#include "fault_fan.h"

/* ---- the sweep ---- */

/* How many points of a kind are visited for each model in a sample. */
static const long sampled[N_FAULTS] = {12, 4, 4, 4, 2, 2, 2, 1};

static void test_sweep(void **state) {
    (void)state;
    for (int i = 0; i < N_SUBJECTS; i++) {
        way w;
        fault_arm(FAULT_MEMORY, 0, 0);
        const char *wrong = go(&subjects[i], &w);
        if (wrong || w.status)
            fail_msg("%s: fails at '%s' without a fault", subjects[i].file, w.at);
        long n[N_FAULTS];
        memcpy(n, faults.count, sizeof n);
        fan_out(&subjects[i], n, sampled, 7L * i);
    }
    for (int kind = 0; kind < N_FAULTS; kind++) {
        const fan_counts *c = &fan.counts[kind];
        print_message("%-8s %6ld points, %6ld runs, %6ld of them failed\n", fault_names[kind],
                      c->points, c->visited, c->failed);
        assert_true(c->points > 0);
        assert_int_equal(c->visited > 0, fault_wanted((fault_kind)kind));
    }
    /* a clock that goes back changes nothing, and a step that is asked for again is shorter */
    assert_int_equal(fan.counts[FAULT_CLOCK].failed, 0);
    if (fault_wanted(FAULT_MEMORY))
        assert_true(fan.counts[FAULT_MEMORY].failed > fan.counts[FAULT_MEMORY].visited / 2);
    assert_int_equal(fan.bad, 0);
}

/* The end of a run with fixed steps, with a factorisation that fails, into q and v; the status. */
static hol_status end_of_run(long at, int for_good, double *q, double *v, int *warned) {
    fault_arm(FAULT_FACTOR, 0, 0);
    run r = run_open("four_bar", "step=0.01 end=0.2 integrator=rk4");
    fault_arm(FAULT_FACTOR, at, for_good);
    const hol_status status = hol_sim_run(r.sim, NULL);
    memcpy(q, hol_data_q(hol_sim_data(r.sim)), sizeof *q * 9);
    memcpy(v, hol_data_v(hol_sim_data(r.sim)), sizeof *v * 9);
    *warned = run_warns(&r, "passed with everything factored anew");
    run_close(&r);
    return status;
}

/* A factorisation that fails once in a step of given length is made anew, and the motion is the
 * same, with no error; one that fails for good stops the run. */
static void test_again(void **state) {
    double q[9], v[9], q1[9], v1[9];
    int warned;
    (void)state;
    assert_int_equal(end_of_run(0, 0, q, v, &warned), HOL_OK);
    assert_false(warned);
    const long n = faults.count[FAULT_FACTOR];
    assert_true(n > 60);
    for (long k = 20; k <= n - 10; k += 7) {
        assert_int_equal(end_of_run(k, 0, q1, v1, &warned), HOL_OK);
        assert_true(warned);
        for (int i = 0; i < 9; i++)
            assert_true(fabs(q1[i] - q[i]) < 1e-13 && fabs(v1[i] - v[i]) < 1e-12);
    }
    assert_int_equal(end_of_run(n / 2, 1, q1, v1, &warned), HOL_ERR_TOLERANCE);
    assert_false(warned);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_again), cmocka_unit_test(test_sweep)};
    if (!reads_yaml()) return skip_models();
    return cmocka_run_group_tests_name("faults", tests, scratch_enter, scratch_leave);
}

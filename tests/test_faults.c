/* test_faults.c: everything that a program does with a model, from reading it to the pages of its
 * results, with a fault at one of its points: nothing crashes, nothing leaks, every failure has a
 * status and a message, and what is left can still be asked and freed.
 *
 * A sample of the points is visited; all of them with HOLONOM_WHOLE=1 (./dev faults), or those of
 * one kind, which takes less than the night of all: HOLONOM_WHOLE=memory.
 */
#define _GNU_SOURCE
#include "fault_way.h"
#include "scratch.h"

/* ---- the sweep ---- */

/* How many points of a kind are visited for each model in a sample. */
static const long sampled[N_FAULTS] = {12, 4, 4, 4, 2, 2, 2, 1};

/* Every point, or a sample, of one kind; failed: how many of the runs failed as they should. */
static int sweep(int i, fault_kind kind, long n, long *visited, long *failed) {
    int bad = 0;
    way w;
    for (long k = fault_next(0, n, sampled[kind], 7L * i + (long)kind); k <= n;
         k = fault_next(k, n, sampled[kind], 7L * i + (long)kind))
        for (int for_good = 0; for_good < (kind <= FAULT_FACTOR ? 2 : 1); for_good++) {
            fault_arm(kind, k, for_good);
            const char *wrong = go(&subjects[i], &w);
            ++*visited;
            *failed += w.status != HOL_OK;
            if (!wrong) continue;
            print_error("%s (%s): %s at %ld of %ld%s fails at '%s' %s (%s)\n", subjects[i].file,
                        subjects[i].settings, fault_names[kind], k, n,
                        for_good ? " and from there on" : "", w.at, wrong,
                        hol_status_name(w.status));
            bad++;
        }
    return bad;
}

static void test_sweep(void **state) {
    long visited[N_FAULTS] = {0}, failed[N_FAULTS] = {0}, points[N_FAULTS] = {0};
    int bad = 0;
    (void)state;
    for (int i = 0; i < N_SUBJECTS; i++) {
        way w;
        fault_arm(FAULT_MEMORY, 0, 0);
        const char *wrong = go(&subjects[i], &w);
        if (wrong || w.status)
            fail_msg("%s: fails at '%s' without a fault", subjects[i].file, w.at);
        long n[N_FAULTS];
        memcpy(n, faults.count, sizeof n);
        for (int kind = 0; kind < N_FAULTS; kind++) {
            points[kind] += n[kind];
            if (!fault_wanted((fault_kind)kind)) continue;
            bad += sweep(i, (fault_kind)kind, n[kind], &visited[kind], &failed[kind]);
        }
    }
    for (int kind = 0; kind < N_FAULTS; kind++) {
        print_message("%-8s %6ld points, %6ld runs, %6ld of them failed\n", fault_names[kind],
                      points[kind], visited[kind], failed[kind]);
        assert_true(points[kind] > 0);
        assert_int_equal(visited[kind] > 0, fault_wanted((fault_kind)kind));
    }
    /* a clock that goes back changes nothing, and a step that is asked for again is shorter */
    assert_int_equal(failed[FAULT_CLOCK], 0);
    if (fault_wanted(FAULT_MEMORY)) assert_true(failed[FAULT_MEMORY] > visited[FAULT_MEMORY] / 2);
    assert_int_equal(bad, 0);
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

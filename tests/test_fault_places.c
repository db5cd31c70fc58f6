/* test_fault_places.c: every place in the sources that asks for memory, or for a piece of work that
 * may fail, fails once: nothing crashes, nothing leaks, and every failure has a status and a
 * message.
 *
 * test_faults fails the k-th occasion and visits a sample of them; most are the same few places.
 * Here a place fails the first time that it is reached, and once more in the middle of the run, in
 * the first model that comes by.
 */
#define _GNU_SOURCE
#include "fault_places.h"

/* How often each place was reached in a run of a model without a fault. */
static long reached[MOST_PLACES];

/* The whole way, with the at-th visit to a place failing; place < 0: none. */
static const char *visit(int i, int place, long at, hol_status status, way *w) {
    for (int k = 0; k < places.n; k++) places.list[k].reached = 0;
    places.armed = place;
    places.at = at;
    places.status = status;
    places.failed = 0;
    fault_arm(FAULT_MEMORY, 0, 0);
    return go(&subjects[i], w);
}

/* Say what is wrong with a visit. */
static int complain(int i, int place, long at, const way *w, const char *wrong) {
    const fault_place *p = &places.list[place];
    print_error("%s (%s): %s called from %p, visit %ld, fails at '%s' %s (%s)\n", subjects[i].file,
                subjects[i].settings, p->name, p->at, at, w->at, wrong, hol_status_name(w->status));
    return 1;
}

/* The faults of one place: no memory; or an error that no one can mend, and one that a smaller step
 * may. Returns how many went wrong. */
static int try_place(int i, int place, long *runs) {
    static const hol_status statuses[] = {HOL_ERR_IO, HOL_SINGULAR};
    const long n = reached[place];
    const fault_sort sort = places.list[place].sort;
    int bad = 0;
    way w;
    for (int k = 0; k < (sort == FAILS_FOR_NOW ? 2 : 1); k++)
        for (long at = 1; at <= n; at += n > 1 ? n / 2 : 1) {
            const char *wrong = visit(i, place, at, statuses[k], &w);
            if (!wrong && !places.failed) wrong = "nowhere, though it was reached before";
            if (wrong) bad += complain(i, place, at, &w, wrong);
            ++*runs;
            if (sort == LACKS_MEMORY) break;
        }
    return bad;
}

static void test_places(void **state) {
    static int done[MOST_PLACES];
    int bad = 0;
    long runs = 0;
    (void)state;
    for (int i = 0; i < N_SUBJECTS; i++) {
        way w;
        /* the second run finds the files of the first, as all others do */
        const char *wrong = visit(i, -1, 0, HOL_OK, &w);
        if (!wrong) wrong = visit(i, -1, 0, HOL_OK, &w);
        if (wrong || w.status)
            fail_msg("%s: fails at '%s' without a fault", subjects[i].file, w.at);
        const int n = places.n;
        for (int k = 0; k < n; k++) reached[k] = places.list[k].reached;
        for (int k = 0; k < n; k++)
            if (reached[k] && !done[k]) {
                done[k] = 1;
                bad += try_place(i, k, &runs);
            }
    }
    print_message("%d places, %ld runs\n", places.n, runs);
    assert_true(places.n > 500);
    assert_int_equal(bad, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places)};
    return run_tests_of_models("fault_places", tests);
}

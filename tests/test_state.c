/* test_state.c: the exact state of a simulation: saved and loaded, it goes on with the same bits.
 *
 * Every method in every set of coordinates, every integrator with fixed and with chosen steps,
 * every model under `auto`, as it is and with its first joint twice: a few steps, save, more steps;
 * another simulation, and the same one again, load and make the same steps. Time, state,
 * accelerations, reactions, energies and all statistics but the clock must agree to the last bit.
 */
#define _POSIX_C_SOURCE 200809L
#include "model_list.h"

#include "integ/stepper.h"

enum { STEPS = 6, FEW = 5 };

/* ---- what must agree ---- */

typedef struct course {
    double t[STEPS], q[STEPS][MOST], v[STEPS][MOST], a[MOST], reaction[6 * MOST];
    hol_sim_info info;
} course;

/* Steps and what they lead to; the last state is solved. */
static void go_on(run *r, course *c) {
    hol_data *data = hol_sim_data(r->sim);
    const hol_model *m = data->model;
    memset(c, 0, sizeof *c);
    for (int k = 0; k < STEPS; k++) {
        if (hol_sim_step(r->sim)) {
            run_print_messages(r->ctx);
            fail_msg("no step from t = %g", hol_data_time(data));
        }
        c->t[k] = hol_data_time(data);
        memcpy(c->q[k], hol_data_q(data), sizeof(double) * (size_t)m->nq);
        memcpy(c->v[k], hol_data_v(data), sizeof(double) * (size_t)m->nv);
    }
    run_to(r, hol_data_time(data));
    memcpy(c->a, hol_data_acceleration(data), sizeof(double) * (size_t)m->nv);
    for (int i = 0; i < m->n_joints; i++) {
        const hol_reaction f = reaction_of(data, i);
        memcpy(c->reaction + 6 * i, f.force, sizeof f.force);
        memcpy(c->reaction + 6 * i + 3, f.moment, sizeof f.moment);
    }
    c->info = sim_info(r->sim);
    c->info.wall_time = 0;
}

static void check_same(const char *what, const course *got, const course *wanted) {
    for (int k = 0; k < STEPS; k++)
        if (memcmp(&got->t[k], &wanted->t[k], sizeof(double)) != 0 ||
            memcmp(got->q[k], wanted->q[k], sizeof got->q[k]) != 0 ||
            memcmp(got->v[k], wanted->v[k], sizeof got->v[k]) != 0)
            fail_msg("%s: step %d after loading is another one: t %.17g, wanted %.17g", what, k + 1,
                     got->t[k], wanted->t[k]);
    if (memcmp(got->a, wanted->a, sizeof got->a) != 0) fail_msg("%s: other accelerations", what);
    if (memcmp(got->reaction, wanted->reaction, sizeof got->reaction) != 0)
        fail_msg("%s: other reactions", what);
    const hol_sim_info *a = &got->info, *b = &wanted->info;
    if (a->steps != b->steps || a->rejected != b->rejected || a->evaluations != b->evaluations ||
        a->factorizations != b->factorizations || a->refinements != b->refinements ||
        a->corrections != b->corrections || a->coordinate_changes != b->coordinate_changes ||
        a->hybrid_switches != b->hybrid_switches || a->term_steps != b->term_steps ||
        a->partition_steps != b->partition_steps || a->step != b->step ||
        a->max_position_violation != b->max_position_violation ||
        a->max_velocity_violation != b->max_velocity_violation ||
        a->relative_energy_error != b->relative_energy_error || a->energy_scale != b->energy_scale)
        fail_msg("%s: other statistics: %ld evaluations (%ld), %ld factorisations (%ld), %ld "
                 "refinements (%ld)",
                 what, a->evaluations, b->evaluations, a->factorizations, b->factorizations,
                 a->refinements, b->refinements);
}

/* Saved again, what was loaded is the same bytes. */
static void check_bytes(const char *what, hol_sim *sim, const unsigned char *bytes, size_t size) {
    unsigned char *again = malloc(size);
    assert_non_null(again);
    assert_int_equal(hol_sim_state_size(sim), size);
    assert_int_equal(hol_sim_state_save(sim, again, size), HOL_OK);
    for (size_t i = 0; i < size; i++)
        if (again[i] != bytes[i]) fail_msg("%s: byte %zu of %zu changes", what, i, size);
    free(again);
}

/* ---- one combination ---- */

/* Whether the model runs with the settings; its state after a few steps is exact where it does. */
static int check_settings(const subject *s, const char *settings, int few) {
    static course wanted, got;
    char what[512];
    run first = open_subject(s, settings), second = open_subject(s, settings);
    const int runs = first.sim != NULL;
    assert_int_equal(second.sim != NULL, runs);
    snprintf(what, sizeof what, "%s with %s", s->name, settings);
    for (int k = 0; runs && k < few; k++)
        if (hol_sim_step(first.sim)) fail_msg("%s: no step", what);
    if (runs) {
        const size_t size = hol_sim_state_size(first.sim);
        unsigned char *bytes = malloc(size);
        assert_non_null(bytes);
        assert_int_equal(hol_sim_state_save(first.sim, bytes, size), HOL_OK);
        go_on(&first, &wanted);
        assert_int_equal(hol_sim_state_load(second.sim, bytes, size), HOL_OK);
        check_bytes(what, second.sim, bytes, size);
        go_on(&second, &got);
        check_same(what, &got, &wanted);
        assert_int_equal(hol_sim_state_load(first.sim, bytes, size), HOL_OK);
        go_on(&first, &got);
        check_same(what, &got, &wanted);
        free(bytes);
    }
    run_close(&first);
    run_close(&second);
    return runs;
}

/* ---- over all ---- */

static void check_auto(const subject *s, uint64_t seed) {
    char settings[128];
    (void)seed;
    snprintf(settings, sizeof settings, "coordinates=%s end=10 max_step=0.3 tolerance=1e-7",
             set_now);
    assert_true(check_settings(s, settings, FEW));
}

static void test_models(void **unused) {
    (void)unused;
    for (int i = 0; i < N_SETS; i++) {
        set_now = sets[i];
        each_model(check_auto);
    }
}

static const subject some[] = {{.name = "four_bar"},
                               {.name = "five_bar"},
                               {.name = "a04_bricard"},
                               {.name = "slider_crank_spatial"},
                               {.name = "elements/momentum"}};

static void test_methods(void **unused) {
    (void)unused;
    int ran = 0;
    for (size_t k = 0; k < sizeof some / sizeof *some; k++)
        for (int i = 0; i < N_SETS; i++)
            for (int j = 0; hol_method_get(j); j++)
                for (int fixed = 0; fixed < 2; fixed++) {
                    char settings[256];
                    set_now = sets[i];
                    if (!belongs(hol_method_get(j)->name)) continue;
                    snprintf(settings, sizeof settings, "coordinates=%s method=%s end=10 %s",
                             set_now, hol_method_get(j)->name,
                             fixed ? "step=1e-3" : "tolerance=1e-6");
                    ran += check_settings(&some[k], settings, FEW);
                }
    assert_true(ran > 300);
}

/* The hybrid method, saved while its terms act and while it partitions. */
static void test_hybrid(void **unused) {
    (void)unused;
    static const char *const settings[] = {
        "method=partitioning-hybrid end=10 step=2e-3 threshold=1e-13 alpha=0 beta=0",
        "method=partitioning-hybrid end=10 step=2e-3 threshold=1e-12 alpha=90 beta=90",
        "method=partitioning-hybrid end=10 tolerance=1e-7 threshold=1e-13"};
    set_now = "auto";
    for (size_t k = 0; k < sizeof some / sizeof *some; k++)
        for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
            for (int few = 1; few < 12; few += 5)
                assert_true(check_settings(&some[k], settings[i], few));
}

/* Independent coordinates that were given, kept and exchanged on the way. */
static void test_given(void **unused) {
    (void)unused;
    static const char *const methods[] = {"partitioning", "partitioning-extended", "independent",
                                          "canonical-independent", "partitioning-hybrid"};
    set_now = "auto";
    for (int i = 0; i < 5; i++)
        for (int exchange = 0; exchange < 2; exchange++) {
            char settings[256];
            snprintf(settings, sizeof settings,
                     "method=%s end=10 step=0.02 threshold=1e-12 independent=%s "
                     "independent_change=%s",
                     methods[i], exchange ? "follower.angle" : "crank.angle-0.1*coupler.x",
                     exchange ? "exchange" : "stop");
            assert_true(check_settings(&some[0], settings, 1));
            assert_true(check_settings(&some[0], settings, exchange ? 40 : 5));
        }
}

static void test_integrators(void **unused) {
    (void)unused;
    int ran = 0;
    for (int i = 0; part_doc(i).name; i++)
        for (int fixed = 0; fixed < 2; fixed++) {
            char settings[256];
            if (strcmp(part_doc(i).part, "integrator") != 0) continue;
            /* a history of steps is not saved, and that is said (test_cvode_with_sundials.c) */
            if (hol__stepper_find(part_doc(i).name)->paces) continue;
            snprintf(settings, sizeof settings, "coordinates=reference integrator=%s end=10 %s",
                     part_doc(i).name, fixed ? "step=1e-3" : "tolerance=1e-6");
            ran += check_settings(&some[0], settings, FEW) + check_settings(&some[0], settings, 0);
        }
    assert_true(ran >= 20);
}

/* Rules for gains, with terms that are held and gains that adapt. */
static void test_gains(void **unused) {
    static const char *const choices[] = {"gains=taylor", "gains=adaptive threshold=1e-12",
                                          "gains=optimal", "gains=pole-placement sampling=step"};
    (void)unused;
    for (size_t k = 0; k < sizeof some / sizeof *some; k++)
        for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
            for (int fixed = 0; fixed < 2; fixed++) {
                char settings[256];
                snprintf(settings, sizeof settings,
                         "coordinates=reference method=baumgarte end=10 %s %s", choices[i],
                         fixed ? "step=1e-3" : "integrator=dopri5 tolerance=1e-6");
                assert_true(check_settings(&some[k], settings, FEW));
            }
}

/* Through singular positions: a run of some steps, saved at each of them; from wherever it is
 * loaded, it ends in the same bits and has counted the same. */
static void test_singular(void **unused) {
    (void)unused;
    enum { LONG = 150 };
    static unsigned char *bytes[LONG];
    static size_t size[LONG];
    run whole = run_open("a02_two_four_bar", "end=10 tolerance=1e-6"),
        part = run_open("a02_two_four_bar", "end=10 tolerance=1e-6");
    for (int k = 0; k < LONG; k++) {
        size[k] = hol_sim_state_size(whole.sim);
        bytes[k] = malloc(size[k]);
        assert_non_null(bytes[k]);
        assert_int_equal(hol_sim_state_save(whole.sim, bytes[k], size[k]), HOL_OK);
        assert_int_equal(hol_sim_step(whole.sim), HOL_OK);
    }
    const hol_data *a = hol_sim_data(whole.sim), *b = hol_sim_data(part.sim);
    const size_t nq = sizeof(double) * (size_t)whole.model->nq;
    for (int k = LONG - 1; k >= 0; k -= 4) {
        assert_int_equal(hol_sim_state_load(part.sim, bytes[k], size[k]), HOL_OK);
        for (int i = k; i < LONG; i++) assert_int_equal(hol_sim_step(part.sim), HOL_OK);
        if (memcmp(hol_data_q(a), hol_data_q(b), nq) != 0)
            fail_msg("loaded at step %d, the run ends elsewhere", k);
        assert_int_equal(sim_info(part.sim).evaluations, sim_info(whole.sim).evaluations);
        assert_int_equal(sim_info(part.sim).crossings, sim_info(whole.sim).crossings);
    }
    assert_true(sim_info(whole.sim).crossings > 0);
    for (int k = 0; k < LONG; k++) free(bytes[k]);
    run_close(&whole);
    run_close(&part);
}

/* Bytes of another method, or not all of them, are refused and nothing changes. */
static void test_refuses(void **unused) {
    (void)unused;
    run r = run_open("four_bar", "end=10"), other = run_open("four_bar", "end=10 method=lagrange");
    run_to(&r, 0.1);
    const size_t size = hol_sim_state_size(r.sim);
    unsigned char *bytes = malloc(size);
    assert_int_equal(hol_sim_state_save(r.sim, bytes, size - 1), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_sim_state_save(r.sim, bytes, size), HOL_OK);
    const double angle = hol_data_q(hol_sim_data(other.sim))[2];
    assert_int_equal(hol_sim_state_load(other.sim, bytes, size), HOL_ERR_ARGUMENT);
    assert_true(said(other.ctx, "not a state of this model with this method"));
    assert_int_equal(hol_sim_state_load(r.sim, bytes, size - 1), HOL_ERR_ARGUMENT);
    assert_true(hol_data_q(hol_sim_data(other.sim))[2] == angle);
    /* a bit of any byte is wrong: in the head, in counts and indices, in numbers */
    for (size_t i = 0; i < size; i += 1 + i / 400) {
        bytes[i] ^= (unsigned char)(1u << i % 8);
        assert_int_equal(hol_sim_state_load(r.sim, bytes, size), HOL_ERR_ARGUMENT);
        bytes[i] ^= (unsigned char)(1u << i % 8);
    }
    for (size_t n = 0; n < 32; n++)
        assert_int_equal(hol_sim_state_load(r.sim, bytes, n), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_sim_state_load(r.sim, bytes, size), HOL_OK);
    run_to(&other, 0.2);
    run_to(&r, 0.2);
    free(bytes);
    run_close(&r);
    run_close(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refuses),  cmocka_unit_test(test_integrators),
        cmocka_unit_test(test_methods),  cmocka_unit_test(test_models),
        cmocka_unit_test(test_singular), cmocka_unit_test(test_hybrid),
        cmocka_unit_test(test_gains),    cmocka_unit_test(test_given),
    };
    return run_tests_of_models("state", tests);
}

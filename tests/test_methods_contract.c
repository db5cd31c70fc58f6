/* test_methods_contract.c: at one and the same consistent state all methods, and the data by
 * itself, give the same accelerations and reactions.
 *
 * Every file of models/ and models/elements, as it is and with its first joint there twice; every
 * set of coordinates; every row of hol_method_get; at the start and at random states that `auto`
 * brings onto the constraints. A new model or a new row is tested without new code. What a method
 * cannot take it refuses with a reason that the model bears out.
 */
#define _POSIX_C_SOURCE 200809L
#include "model_list.h"

enum { RANDOM_STATES = 5 };

/* The time from one random state to the next; all together short enough that no joint makes half a
 * turn, because a method that is put at a state counts turns from there. */
#define SPAN 0.0173

/* ---- states ---- */

/* A number in (-1, 1). */
static double noise(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

/* A consistent state: from the one that `auto` is at with other velocities, brought onto the
 * constraints, and then moved on for a while. */
static state random_state(const subject *s, run *r, uint64_t *seed) {
    hol_data *data = hol_sim_data(r->sim);
    const hol_model *m = data->model;
    double q[MOST], v[MOST];
    const double t = hol_data_time(data);
    memcpy(q, hol_data_q(data), sizeof(double) * (size_t)m->nq);
    for (int i = 0; i < m->nv; i++)
        v[i] = hol_data_v(data)[i] + noise(seed) * (hol__is_turn(m, i) ? 1 : m->length);
    if (hol_sim_restart(r->sim, t, q, v) || hol_sim_advance(r->sim, t + SPAN)) {
        run_print_messages(r->ctx);
        fail_msg("%s: no consistent state behind t = %g", s->name, t);
    }
    return state_of(r);
}

/* ---- refusals ---- */

/* Whether a model with this message bears it out. */
static int may_refuse(const run *r, const hol_method_doc *method) {
    const hol_model_info info = model_info(r->model);
    int massless = 0;
    for (int i = 0; i < r->model->nb; i++) massless |= r->model->bodies[i].singular;
    if (strstr(method->state, "independent") && info.n_holonomic < info.n_constraints)
        return said_why(r->ctx, "constraints on velocities alone") && said_why(r->ctx, "extended");
    return massless && said_why(r->ctx, "no inertia") && said_why(r->ctx, "kkt");
}

/* ---- the contract ---- */

/* The plain equations in a copy, solved by its own kernel, agree with what the method found. */
static void check_plain(const char *what, run *r, const solution *by_method, double same) {
    hol_data *copy = hol_data_new(r->ctx, r->model);
    assert_non_null(copy);
    assert_int_equal(hol_data_copy(copy, hol_sim_data(r->sim)), HOL_OK);
    assert_int_equal(hol_data_solve(copy), HOL_OK);
    const solution plain = solution_of_data(copy);
    check_solution(what, by_method, &plain, same);
    hol_data_free(copy);
}

static void check_method(const subject *s, const hol_method_doc *method, const state *states,
                         const solution *wanted) {
    const rule own = rule_of(method->name);
    char what[256], settings[256];
    /* whatever integrator the model asks for: methods have their own */
    snprintf(settings, sizeof settings, "integrator=auto %s", own.state_settings);
    run r = open_method(s, method->name, settings);
    if (!r.sim && !may_refuse(&r, method)) {
        run_print_messages(r.ctx);
        fail_msg("%s refuses %s in %s coordinates", method->name, s->name, set_now);
    }
    for (int k = 0; r.sim && k <= RANDOM_STATES; k++) {
        snprintf(what, sizeof what, "%s under %s in %s coordinates, state %d", s->name,
                 method->name, set_now, k);
        const solution got = solution_at(&r, &states[k]);
        check_solution(what, &got, &wanted[k], own.same);
        check_plain(what, &r, &got, own.same);
    }
    run_close(&r);
}

/* At the start, in the coordinates of now, the reactions are those in reference-point coordinates:
 * what the accelerations of all bodies demand, and the smallest ones where that leaves a choice.
 * (test_relative.c and test_elements_models.c compare motions.) */
static void check_against_reference(const subject *s, const solution *first) {
    char what[256], settings[256];
    snprintf(settings, sizeof settings, "coordinates=reference method=lagrange end=10 %s",
             usual_rule.state_settings);
    run r = open_subject(s, settings);
    assert_non_null(r.sim);
    run_to(&r, hol_data_time(hol_sim_data(r.sim)));
    solution got = *first, wanted = solution_of(&r);
    snprintf(what, sizeof what, "reactions of %s in %s coordinates", s->name, set_now);
    got.n_v = wanted.n_v;
    memcpy(got.a, wanted.a, sizeof got.a);
    for (int i = 0; i < wanted.n_reactions; i++) {
        assert_int_equal(got.unique[i], wanted.unique[i]);
        got.unique[i] = wanted.unique[i] = 1;
    }
    check_solution(what, &got, &wanted, 1e-9);
    run_close(&r);
}

static void check_model(const subject *s, uint64_t seed) {
    static state states[RANDOM_STATES + 1];
    static solution wanted[RANDOM_STATES + 1];
    run reference = start_method(s, "lagrange", usual_rule.state_settings),
        moved = start_method(s, "auto", usual_rule.state_settings);
    run_to(&reference, hol_data_time(hol_sim_data(reference.sim)));
    const solution first = solution_of(&reference);
    check_against_reference(s, &first);
    /* the start, brought onto the constraints to rounding as after a step */
    states[0] = state_of(&moved);
    assert_int_equal(hol_sim_restart(moved.sim, states[0].t, states[0].q, states[0].v), HOL_OK);
    states[0] = state_of(&moved);
    for (int k = 1; k <= RANDOM_STATES; k++) states[k] = random_state(s, &moved, &seed);
    for (int k = 0; k <= RANDOM_STATES; k++) wanted[k] = solution_at(&reference, &states[k]);
    for (int i = 0; hol_method_get(i); i++) {
        const hol_method_doc method = *hol_method_get(i);
        if (!belongs(method.name)) continue;
        check_method(s, &method, states, wanted);
    }
    run_close(&reference);
    run_close(&moved);
}

static void test_reference(void **unused) {
    (void)unused;
    set_now = "reference";
    each_model(check_model);
}

static void test_natural(void **unused) {
    (void)unused;
    set_now = "natural";
    each_model(check_model);
}

static void test_relative(void **unused) {
    (void)unused;
    set_now = "relative";
    each_model(check_model);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference),
                                       cmocka_unit_test(test_natural),
                                       cmocka_unit_test(test_relative)};
    return run_tests_of_models("methods contract", tests);
}

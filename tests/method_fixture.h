/* method_fixture.h: shared by the tests of the method table: what a method may need and promises,
 * setting up a model under it, and the solution at a state. */
#ifndef HOLONOM_TEST_METHOD_FIXTURE_H
#define HOLONOM_TEST_METHOD_FIXTURE_H

#include "model_fixture.h"

#include "dyn/data.h"

/* A model: a file of models/, or a text of its own as if it were there; and the length of a short
 * motion. */
typedef struct subject {
    const char *name, *text;
    double motion;
} subject;

enum { MOST = 256 };

/* ---- what a method may need, and what it promises ---- */

/* same: relative difference of accelerations and reactions at one state. moved: difference of
 * positions and velocities after the short motion, relative to the largest of them or 1; 0: not
 * compared. */
typedef struct rule {
    const char *method;
    const char *state_settings, *motion_settings;
    double same, moved;
} rule;

/* With error control at 1e-9 per step these motions of up to a few hundred steps are off by some
 * 1e-9, drift included; 1e-8 is what ten steps in phase would add up to. */
static const rule usual_rule = {NULL, "tolerance=1e-9", "tolerance=1e-9", 1e-9, 1e-8};

/* Penalty: the constraints give way by 1/penalty of the loads, over the square of the share that a
 * constraint has of its own (Bricard: 0.15, the cam: 0.1 at worst). States are compared with 1e10
 * instead of the usual 1e7, so 1e-8; 1e-6 leaves room for shares of 0.01 (angles of unit vectors in
 * natural coordinates). Braun-Goldfarb: states are compared in a step of 1 ms, where its terms act;
 * where the motion along the constraints comes to rest the energy term may change a velocity by
 * sqrt(kappa Phi_e), with kappa = 0.01 and energies of some J that are off by 0.05 tolerance at
 * most: 2e-6. The basic augmented canonical form is stiff and not moved. */
static const rule rules[] = {
    {"penalty", "tolerance=1e-9 penalty=1e10", "tolerance=1e-9", 1e-6, 1e-4},
    {"braun-goldfarb", "step=1e-3", "tolerance=1e-9", 1e-9, 2e-6},
    {"canonical-augmented-basic", "tolerance=1e-9", "tolerance=1e-9", 1e-9, 0},
};

static inline rule rule_of(const char *method) {
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].method, method) == 0) return rules[i];
    return usual_rule;
}

/* ---- setting up ---- */

/* Whether an error message holds the text. */
static inline int said_why(const hol_context *ctx, const char *text) {
    for (int i = 0; i < hol_message_count(ctx); i++) {
        const hol_message *m = hol_message_get(ctx, i);
        if (m->severity == HOL_ERROR && strstr(m->text, text)) return 1;
    }
    return 0;
}

/* Set up a model with settings; sim is NULL where that is refused. */
static inline run open_subject(const subject *s, const char *settings) {
    char path[1024];
    run r = {.ctx = hol_context_new()};
    hol_spec *spec = hol_spec_new(r.ctx);
    assert_non_null(spec);
    snprintf(path, sizeof path, "%s/%s.yaml", HOLONOM_TEST_MODELS, s->text ? "test" : s->name);
    hol_status status =
        s->text ? hol_spec_read_text(spec, s->text, path) : hol_spec_read_file(spec, path);
    if (!status) status = run_settings(spec, settings);
    if (!status) r.model = hol_model_from_spec(r.ctx, spec, &r.options);
    if (!r.model) {
        run_print_messages(r.ctx);
        fail_msg("%s does not compile with %s", s->name, settings);
    }
    r.sim = hol_sim_new(r.ctx, r.model, r.options);
    hol_spec_free(spec);
    return r;
}

/* The sets of coordinates, and the one in which methods are set up now. */
static const char *const sets[] = {"reference", "natural", "relative"};
enum { N_SETS = sizeof sets / sizeof *sets };
static const char *set_now = "reference";

/* Whether a method runs in the set of now: the velocity transformation is relative coordinates. */
static inline int belongs(const char *method) {
    return strcmp(method, "velocity-transformation") != 0 || strcmp(set_now, "relative") == 0;
}

static inline run open_method(const subject *s, const char *method, const char *settings) {
    char all[256];
    snprintf(all, sizeof all, "coordinates=%s method=%s end=10 %s", set_now, method, settings);
    return open_subject(s, all);
}

/* The same where it must work: no method refuses any of the models here. */
static inline run start_method(const subject *s, const char *method, const char *settings) {
    run r = open_method(s, method, settings);
    if (!r.sim) {
        run_print_messages(r.ctx);
        fail_msg("%s refuses %s in %s coordinates", method, s->name, set_now);
    }
    return r;
}

/* ---- one state ---- */

/* Accelerations and unique reactions of a solved state. */
typedef struct solution {
    int n_v, n_reactions;
    double a[MOST], reaction[6 * MOST], load; /* load: the largest of Q */
    int unique[MOST];
} solution;

static inline solution solution_of_data(hol_data *data) {
    const hol_model_info info = model_info(data->model);
    solution s = {.n_v = info.n_v, .n_reactions = info.n_joints};
    assert_true(info.n_v <= MOST && info.n_joints <= MOST);
    memcpy(s.a, hol_data_acceleration(data), sizeof(double) * (size_t)info.n_v);
    for (int i = 0; i < info.n_v; i++) s.load = fmax(s.load, fabs(data->Q[i]));
    for (int i = 0; i < info.n_joints; i++) {
        const hol_reaction f = reaction_of(data, i);
        memcpy(s.reaction + 6 * i, f.force, sizeof f.force);
        memcpy(s.reaction + 6 * i + 3, f.moment, sizeof f.moment);
        s.unique[i] = f.unique;
    }
    return s;
}

static inline solution solution_of(run *r) {
    return solution_of_data(hol_sim_data(r->sim));
}

static inline double largest(const double *x, int n) {
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

static inline double largest_difference(const double *x, const double *y, int n) {
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, isnan(x[i] - y[i]) ? INFINITY : fabs(x[i] - y[i]));
    return most;
}

/* Compare with the solution of `lagrange`, relative to the largest acceleration and to the largest
 * reaction or load of the mechanism; where there is hardly any, to 1e-2: a velocity rounded at
 * 1e-15 and divided by a step of 1e-3, as braun-goldfarb does, is 1e-10 of that. */
static inline void check_solution(const char *what, const solution *got, const solution *wanted,
                                  double bound) {
    const double least = 1e-2;
    double off = 0;
    const double scale =
        fmax(fmax(least, wanted->load), largest(wanted->reaction, 6 * wanted->n_reactions));
    for (int i = 0; i < wanted->n_reactions; i++) {
        assert_int_equal(got->unique[i], wanted->unique[i]);
        if (wanted->unique[i])
            off = fmax(off, largest_difference(got->reaction + 6 * i, wanted->reaction + 6 * i, 6));
    }
    const double aoff = largest_difference(got->a, wanted->a, wanted->n_v) /
                        fmax(least, largest(wanted->a, wanted->n_v));
    check_near(what, aoff, 0, bound);
    check_near(what, off / scale, 0, bound);
}

/* A state on the constraints; aux: of elements that have states of their own. */
typedef struct state {
    double t, q[MOST], v[MOST], aux[MOST];
} state;

static inline state state_of(run *r) {
    const hol_model_info info = model_info(r->model);
    hol_data *data = hol_sim_data(r->sim);
    state s = {.t = hol_data_time(data)};
    assert_true(info.n_q <= MOST);
    memcpy(s.q, hol_data_q(data), sizeof(double) * (size_t)info.n_q);
    memcpy(s.v, hol_data_v(data), sizeof(double) * (size_t)info.n_v);
    assert_true(data->model->n_aux <= MOST);
    if (data->model->n_aux) memcpy(s.aux, data->aux, sizeof(double) * (size_t)data->model->n_aux);
    return s;
}

/* The solution at a state that `auto` reached. */
static inline solution solution_at(run *r, const state *s) {
    hol__data_set_aux(hol_sim_data(r->sim), s->aux);
    if (hol_sim_restart(r->sim, s->t, s->q, s->v)) {
        run_print_messages(r->ctx);
        fail_msg("the run cannot start at t = %g", s->t);
    }
    run_to(r, s->t);
    return solution_of(r);
}

/* Whether a method integrates as many positions as velocities are independent. Constraints on
 * velocities alone leave more positions free than that: such a method refuses them, with a way out.
 * Returns 1 where it did. */
static inline int refuses(const subject *s, int method, const hol_model_info *info) {
    const char *kind = hol_method_get(method)->state;
    if (info->n_holonomic == info->n_constraints) return 0;
    if (strcmp(kind, "independent") != 0 && strcmp(kind, "canonical-independent") != 0) return 0;
    run r = open_method(s, hol_method_get(method)->name, "");
    assert_null(r.sim);
    assert_true(said(r.ctx, "constraints on velocities alone"));
    assert_true(said(r.ctx, "extended"));
    run_close(&r);
    return 1;
}

#endif

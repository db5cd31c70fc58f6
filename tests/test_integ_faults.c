/* test_integ_faults.c: what a system refuses reaches the caller of every integrator. Each function
 * that an integrator calls (f, projections, derivatives, factorisations, solutions, energies, those
 * of constrained equations) fails once, at its k-th call: what a shorter step may cure is tried
 * again and changes the motion by no more than the tolerance, and what is fatal ends the run with
 * its own status.
 */
#include "model_fixture.h"

#include "integ/integ.h"
#include "sim/sim.h"

#define PENDULUM                                                                                   \
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  rod: {mass: 1.2, inertia: 0.1, "   \
    "position: [0.3, 0], omega: 0.7}\njoints:\n  A: {type: revolute, bodies: [ground, rod], at: "  \
    "[0, 0]}\nforces:\n  s: {type: spring, bodies: [ground, rod], from: [1, 1], to: [0.6, 0], "    \
    "stiffness: 30, damping: 0.4}\nsimulation: {end: 0.05, output: 0.05}\n"

enum {
    RHS,
    PROJECT,
    LINEARIZE,
    SHIFT,
    SOLVE,
    DAE_RESIDUAL,
    DAE_LINEARIZE,
    DAE_SHIFT,
    DAE_SOLVE,
    DAE_ENERGY,
    N_CALLS
};

static const char *const names[N_CALLS] = {"f",          "project",  "linearize",      "shift",
                                           "solve",      "residual", "linearize of F", "shift of F",
                                           "solve of F", "energy"};

/* The functions as they are, how often each was called, and the call that fails. */
static hol__system own;
static hol__dae own_dae;
static long calls[N_CALLS], fails_at;
static int failing;
static hol_status fault;

/* Whether this call fails. */
static int fails(int which) {
    return ++calls[which] == fails_at && which == failing;
}

#define WRAPPED(name, which, parameters, ...)                                                      \
    static hol_status name parameters {                                                            \
        return fails(which) ? fault : __VA_ARGS__;                                                 \
    }

/* clang-format off */
WRAPPED(rhs, RHS, (void *self, double t, const double *y, double *f), own.rhs(self, t, y, f))
WRAPPED(project, PROJECT, (void *self, double t, double *y), own.project(self, t, y))
WRAPPED(linearize, LINEARIZE,
        (void *self, double t, const double *y, const double *f, double h, double *ft),
        own.linearize(self, t, y, f, h, ft))
WRAPPED(shift, SHIFT, (void *self, double g), own.shift(self, g))
WRAPPED(solve, SOLVE, (void *self, const double *r, double *x), own.solve(self, r, x))
WRAPPED(dae_residual, DAE_RESIDUAL,
        (void *self, double t, const double *y, const double *ydot, const double *x, double *F),
        own_dae.residual(self, t, y, ydot, x, F))
WRAPPED(dae_linearize, DAE_LINEARIZE,
        (void *self, double t, const double *y, const double *ydot, const double *x),
        own_dae.linearize(self, t, y, ydot, x))
WRAPPED(dae_shift, DAE_SHIFT, (void *self, int slot, const hol__sigma *sigma),
        own_dae.shift(self, slot, sigma))
WRAPPED(dae_solve, DAE_SOLVE, (void *self, int slot, double *re, double *im),
        own_dae.solve(self, slot, re, im))
WRAPPED(dae_energy, DAE_ENERGY, (void *self, double t, const double *y, hol__dae_energy *out),
        own_dae.energy(self, t, y, out))
/* clang-format on */

/* Put the functions above before those of a simulation. */
static void wrap(hol_sim *sim, hol__dae *dae) {
    hol__system *s = &sim->system;
    own = *s;
    s->rhs = rhs;
    if (s->project) s->project = project;
    if (s->linearize) s->linearize = linearize;
    if (s->shift) s->shift = shift;
    if (s->solve) s->solve = solve;
    if (!s->dae) return;
    own_dae = *dae = *s->dae;
    dae->residual = dae_residual;
    dae->linearize = dae_linearize;
    dae->shift = dae_shift;
    dae->solve = dae_solve;
    if (dae->energy) dae->energy = dae_energy;
    s->dae = dae;
}

/* A run of the pendulum with one formula and one fault (fails_at 0: none) to its end, or to where
 * it fails: the status, and the run. */
static run run_faulty(const hol__stepper_type *type, const char *settings, hol_status *status) {
    char all[256];
    hol__dae dae;
    const char *step = type->error_order ? "step=0" : "step=0.01";
    snprintf(all, sizeof all, "integrator=%s %s tolerance=1e-6 %s", type->name, step, settings);
    run r = run_text(PENDULUM, all);
    memset(calls, 0, sizeof calls);
    wrap(r.sim, &dae);
    *status = HOL_OK;
    while (*status == HOL_OK && sim_info(r.sim).t < 0.05) *status = hol_sim_step(r.sim);
    r.sim->system = own;
    return r;
}

/* One fault against the run without it. */
static void check_fault(const hol__stepper_type *type, const char *settings, const run *whole) {
    hol_status status;
    run r = run_faulty(type, settings, &status);
    const int fatal = fault < 0;
    const hol_status expected = fatal ? fault : type->error_order ? HOL_OK : HOL_ERR_TOLERANCE;
    /* a formula may do without derivatives that fail, and has others */
    const int may_do_without = status == HOL_OK && !fatal;
    if (status != expected && !may_do_without) {
        run_print_messages(r.ctx);
        fail_msg("%s %s: %s fails at its call %ld with %s, and the run gives %s", type->name,
                 settings, names[failing], fails_at, hol_status_name(fault),
                 hol_status_name(status));
    }
    if (status && !fatal) assert_true(hol_message_count_of(r.ctx, HOL_ERROR) >= 1);
    /* both runs are as good as the tolerance of a step, a few times */
    if (status == HOL_OK && !(run_distance(&r, whole) < 1e-5))
        fail_msg("%s %s: after %s failed at its call %ld the motion is off by %.2e", type->name,
                 settings, names[failing], fails_at, run_distance(&r, whole));
    run_close(&r);
}

/* Every function that a formula calls fails at its first calls, at some in the middle and at the
 * last. */
static void check_formula(const hol__stepper_type *type, const char *settings) {
    static const hol_status faults[] = {HOL_NONFINITE, HOL_ERR_INTERRUPTED};
    hol_status status;
    long most[N_CALLS];
    fails_at = 0;
    run whole = run_faulty(type, settings, &status);
    if (status) run_print_messages(whole.ctx);
    assert_int_equal(status, HOL_OK);
    memcpy(most, calls, sizeof most);
    for (failing = 0; failing < N_CALLS; failing++)
        for (fails_at = 1; fails_at <= most[failing];
             fails_at += fails_at < 6 || fails_at == most[failing] ? 1
                         : fails_at + 13 < most[failing]           ? 13
                                                                   : most[failing] - fails_at)
            for (int i = 0; i < 2; i++) {
                fault = faults[i];
                check_fault(type, settings, &whole);
            }
    run_close(&whole);
}

/* All formulas on the equations that auto takes, and those that take constrained equations on
 * them. */
static void test_every_formula(void **state) {
    const hol__stepper_type *type;
    (void)state;
    for (int i = 0; (type = hol__stepper_get(i)); i++) {
        if (type->missing) continue;
        check_formula(type, "");
        check_formula(type, "method=baumgarte");
        if (type->slots && !type->holonomic && type->error_order)
            check_formula(type, "stabilizer=ggl");
    }
}

/* ---- memory ---- */

/* A heap whose k-th request fails, and the blocks that are not released. */
typedef struct heap {
    long left, live;
} heap;

static void *take(void *user, size_t size) {
    heap *h = user;
    if (h->left-- == 0) return NULL;
    h->live++;
    return malloc(size);
}

static void give_back(void *user, void *block) {
    ((heap *)user)->live -= block != NULL;
    free(block);
}

/* An integrator that finds no memory says so and leaves nothing behind. */
static void check_memory(const hol__stepper_type *type, const hol__system *system) {
    const hol__control control = {.step = type->error_order ? 0 : 0.01, .tolerance = 1e-6};
    for (long k = 1;; k++) {
        heap h = {.left = k};
        const hol_allocator allocator = {take, give_back, &h};
        hol_context *ctx = hol_context_new_with(&allocator);
        hol__integrator *integ = hol__integrator_new(ctx, type, system, &control);
        if (!integ) assert_true(said(ctx, "out of memory"));
        hol__integrator_free(integ);
        const int whole = h.left >= 0;
        assert_int_equal(whole, integ != NULL);
        hol_context_free(ctx);
        assert_int_equal(h.live, 0);
        if (whole) break;
    }
}

static void test_memory(void **state) {
    const hol__stepper_type *type;
    (void)state;
    for (int i = 0; (type = hol__stepper_get(i)); i++) {
        char settings[96];
        if (type->missing) continue;
        snprintf(settings, sizeof settings, "integrator=%s step=%s", type->name,
                 type->error_order ? "0" : "0.01");
        for (int constrained = 0; constrained < 2; constrained++) {
            run r = run_text(PENDULUM, settings);
            if (!constrained) r.sim->system.dae = NULL;
            check_memory(type, &r.sim->system);
            run_close(&r);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_formula),
        cmocka_unit_test(test_memory),
    };
    return run_tests_of_models("integ_faults", tests);
}

/* test_sensitivity.c: derivatives of goals against closed forms and against differences of whole
 * runs, directly and by the adjoint. */
#define _POSIX_C_SOURCE 200809L
#include "model_fixture.h"
#include "oscillator.h"

#include "analysis/goals.h"
#include "analysis/variation.h"

enum { MOST = 16 };

/* What is asked, and what came of it. */
typedef struct study {
    hol_context *ctx;
    hol_spec *spec;
    hol__goals *goals;
    hol__arena arena;
    int n, n_p;
    double p[MOST], value[MOST], gradient[MOST * MOST];
} study;

static study study_of(hol_spec *spec, hol_context *ctx, const char *goals, int n_p,
                      const char *const *names) {
    study s = {.ctx = ctx, .spec = spec, .n_p = n_p};
    hol_goal *list;
    hol__arena_init(&s.arena, ctx);
    hol_status status = hol__goals_read(ctx, goals, &s.arena, &s.n, &list);
    assert_true(s.n <= MOST);
    if (!status) status = hol__goals_new(ctx, spec, NULL, n_p, names, s.n, list, &s.goals);
    if (status) run_print_messages(ctx);
    assert_int_equal(status, HOL_OK);
    hol__goals_given(s.goals, s.p);
    return s;
}

static study study_text(const char *text, const char *settings, const char *goals, int n_p,
                        const char *const *names) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    if (hol_spec_read_text(spec, text, "study.yaml") || run_settings(spec, settings))
        run_print_messages(ctx);
    return study_of(spec, ctx, goals, n_p, names);
}

static void evaluate(study *s, int by) {
    if (!hol__goals_evaluate(s->goals, s->p, by, s->value, s->gradient)) return;
    fail_msg("no gradient: %s", hol__goals_reason(s->goals));
}

static void done(study *s) {
    hol__goals_free(s->goals);
    hol__arena_free(&s->arena);
    hol_spec_free(s->spec);
    hol_context_free(s->ctx);
}

/* Each derivative within the share of the largest of its column. */
static void compare(const study *s, const double *want, double share, const char *what) {
    for (int j = 0; j < s->n_p; j++) {
        double size = 0;
        for (int i = 0; i < s->n; i++) size = fmax(size, fabs(want[i * s->n_p + j]));
        for (int i = 0; i < s->n; i++) {
            const double is = s->gradient[i * s->n_p + j], w = want[i * s->n_p + j];
            if (!(fabs(is - w) <= share * size))
                fail_msg("%s: d(%s)/dp%d is %.12g and not %.12g", what,
                         hol__goals_get(s->goals, i)->text, j, is, w);
        }
    }
}

/* ---- a mass on a spring ---- */

static const char oscillator[] = OSCILLATOR("");

/* The goals in closed form. */
static void closed(const double *p, double *out) {
    const double w = sqrt(p[1] / p[0]), a = p[2], b = p[3] / w, T = p[4], c = cos(w * T),
                 z = sin(w * T), integral = (a * z + b * (1 - c)) / w;
    out[0] = a * c + b * z;
    out[1] = a * cos(w * 0.5) + b * sin(w * 0.5);
    out[2] = integral;
    out[3] = integral / T;
    out[4] = (0.5 * (a * a + b * b) * T + 0.25 * (a * a - b * b) * sin(2 * w * T) / w +
              a * b * z * z / w) /
             T;
    out[5] = hypot(a, b);
    out[6] = -hypot(a, b);
}

/* Derivatives of closed forms by differences of order six. */
static void differentiate(void (*f)(const double *p, double *out), const double *p, int n_p, int n,
                          double *out) {
    static const double weight[3] = {0.75, -0.15, 1.0 / 60};
    double q[MOST], low[MOST] = {0}, high[MOST] = {0};
    memset(out, 0, sizeof *out * (size_t)(n * n_p));
    for (int j = 0; j < n_p; j++)
        for (int k = 1; k <= 3; k++) {
            const double h = 2e-3 * (p[j] != 0 ? fabs(p[j]) : 1);
            memcpy(q, p, sizeof *q * (size_t)n_p);
            q[j] = p[j] - k * h;
            f(q, low);
            q[j] = p[j] + k * h;
            f(q, high);
            for (int i = 0; i < n; i++) out[i * n_p + j] += weight[k - 1] * (high[i] - low[i]) / h;
        }
}

static void test_oscillator(void **unused) {
    (void)unused;
    static const char *const names[] = {"m", "k", "x0", "v0", "T"}, *const sets[] = {
                                                                        "coordinates=reference",
                                                                        "coordinates=relative",
                                                                        "coordinates=natural"};
    double want[MOST * MOST];
    for (int s = 0; s < 3; s++)
        for (int by = HOL__BY_DIRECT; by <= HOL__BY_ADJOINT; by++) {
            study x = study_text(oscillator, sets[s],
                                 "end x, at 0.5 x, integral x, mean x, mean-square x, max x, min x",
                                 5, names);
            evaluate(&x, by);
            differentiate(closed, x.p, x.n_p, x.n, want);
            compare(&x, want, 1e-8, sets[s]);
            done(&x);
        }
}

/* ---- events ---- */

/* A ball falls from h with the velocity v0 and rebounds with e; s grows by what it finds. */
static const char ball[] =
    "holonom: 1\n"
    "space: planar\n"
    "gravity: [0, -9.81]\n"
    "parameters: {h: 1.313, e: 0.83, v0: 0.41, y1: 0.7}\n"
    "bodies:\n"
    "  ball: {mass: 0.7, inertia: 0.1, position: [0, h], velocity: [0.5, v0]}\n"
    "joints:\n"
    "  floor: {type: generic, bodies: [ground, ball], at: [0, 0], lock: [y], active: {initially: "
    "false, until: N.fy > 0}}\n"
    "measures:\n"
    "  p: {type: position, body: ball}\n"
    "  v: {type: velocity, body: ball}\n"
    "  N: {type: reaction, joint: floor}\n"
    "  s: {type: variable, value: 0}\n"
    "events:\n"
    "  bounce: {when: p.y < 0, do: [{impact: {joint: floor, restitution: e}}, {set: {s: 's + "
    "v.y^2'}}]}\n";

/* y, v, s, the highest place behind t = 1 and the integral of y, over 1.6 s. */
static void bouncing(const double *p, double *out) {
    const double g = 9.81;
    double t = 0, y = p[0], v = p[2], s = 0, sum = 0;
    for (;;) {
        const double hit = (v + sqrt(v * v + 2 * g * y)) / g, dt = t + hit > 1.6 ? 1.6 - t : hit;
        sum += y * dt + 0.5 * v * dt * dt - g * dt * dt * dt / 6;
        if (dt < hit) {
            out[0] = y + v * dt - 0.5 * g * dt * dt;
            out[1] = v - g * dt;
            out[2] = s;
            out[3] = sum;
            return;
        }
        v = -p[1] * (v - g * dt);
        s += v * v;
        y = 0;
        t += dt;
    }
}

static void test_rebounds(void **unused) {
    (void)unused;
    static const char *const names[] = {"h", "e", "v0"};
    char text[2048];
    double want[MOST * MOST];
    snprintf(text, sizeof text, "%ssimulation: {end: 1.6, tolerance: 1e-12}\n", ball);
    study x = study_text(text, NULL, "end p.y, end v.y, end s, integral p.y", 3, names);
    evaluate(&x, HOL__BY_DIRECT);
    differentiate(bouncing, x.p, x.n_p, x.n, want);
    compare(&x, want, 1e-8, "rebounds");
    done(&x);
}

/* The adjoint has the transposed operations of the direct pass: both agree to rounding, but for
 * what differences along other directions leave at changes (1e-12 over a step of 1e-3). */
static void agree(study *x, double share, const char *what) {
    double direct[MOST * MOST];
    evaluate(x, HOL__BY_DIRECT);
    memcpy(direct, x->gradient, sizeof direct);
    evaluate(x, HOL__BY_ADJOINT);
    compare(x, direct, share, what);
}

/* Differences of whole runs, order six; the study keeps the gradient that it has. */
static void by_runs(study *x, double share, double *out) {
    static const double weight[3] = {0.75, -0.15, 1.0 / 60};
    double p[MOST], value[2][MOST];
    memset(out, 0, sizeof *out * (size_t)(x->n * x->n_p));
    for (int j = 0; j < x->n_p; j++)
        for (int k = 1; k <= 3; k++) {
            const double h = share * (x->p[j] != 0 ? fabs(x->p[j]) : 1);
            for (int side = 0; side < 2; side++) {
                memcpy(p, x->p, sizeof p);
                p[j] += (side ? k : -k) * h;
                if (hol__goals_evaluate(x->goals, p, 0, value[side], NULL))
                    fail_msg("a run: %s", hol__goals_reason(x->goals));
            }
            for (int i = 0; i < x->n; i++)
                out[i * x->n_p + j] += weight[k - 1] * (value[1][i] - value[0][i]) / h;
        }
}

/* Both passes against differences of whole runs. */
static void check_text(const char *text, const char *goals, int n_p, const char *const *names,
                       double share, double tolerance) {
    double want[MOST * MOST];
    study x = study_text(text, NULL, goals, n_p, names);
    agree(&x, 1e-9, goals);
    by_runs(&x, share, want);
    compare(&x, want, tolerance, goals);
    done(&x);
}

/* A ball that stops the run, gets another gravity on its way, is caught and let go. */
static void test_changes(void **unused) {
    (void)unused;
    static const char *const names[] = {"h", "e", "v0", "y1"};
    char text[4096], plain[2048];
    /* without what it finds, which the adjoint does not carry */
    snprintf(plain, sizeof plain, "%s", ball);
    char *set = strstr(plain, ", {set");
    snprintf(set, sizeof plain - (size_t)(set - plain), "]}\n");
    snprintf(text, sizeof text, "%ssimulation: {end: 1.6, tolerance: 1e-12}\n", plain);
    check_text(text,
               "end p.y, end v.y, integral p.y, max p.y, min v.y, at 1.2 p.y, mean-square v.y", 3,
               names, 1e-3, 1e-7);
    snprintf(text, sizeof text,
             "%s  low: {when: p.y < y1 and v.y < 0, do: [stop]}\n"
             "simulation: {end: 1.6, tolerance: 1e-12}\n",
             plain);
    check_text(text, "end p.x, end v.y, integral p.y, mean p.y, min p.y", 4, names, 1e-3, 1e-7);
}

/* Laws that jump and bend at times and places that parameters say, and conditions that switch. */
static const char laws[] =
    "holonom: 1\n"
    "space: planar\n"
    "gravity: [0, 0]\n"
    "parameters: {t1: 0.61, x1: 0.31, k: 40, f: 3.7, x2: 0.9}\n"
    "bodies:\n"
    "  block: {mass: 2.1, inertia: 1, position: [0, 0], velocity: [0.53, 0]}\n"
    "joints:\n"
    "  guide: {type: prismatic, bodies: [ground, block], at: [0, 0], axis: [1, 0]}\n"
    "forces:\n"
    "  push: {type: force, body: block, force: ['if(t < t1, f, 0.2*f)', 0]}\n"
    "  wall: {type: force, body: block, force: ['if(p.x > x1, -k*(p.x - x1) - 1.3, 0)', 0]}\n"
    "  brake: {type: force, body: block, force: ['-2.5*v.x', 0], active: p.x > 0.25}\n"
    "measures:\n"
    "  p: {type: position, body: block}\n"
    "  v: {type: velocity, body: block}\n"
    "  a: {type: acceleration, body: block}\n"
    "simulation: {end: 1.3, tolerance: 1e-12}\n";

static void test_laws(void **unused) {
    (void)unused;
    static const char *const names[] = {"t1", "x1", "k", "f"};
    check_text(laws, "end p.x, end v.x, end a.x, integral p.x, integral a.x, max v.x, at 1 p.x", 4,
               names, 3e-4, 1e-7);
}

/* ---- the formula ---- */

/* Y' = J(t) Y + F(t) with numbers without order that turn with t. */
static double turning(int i, int j, double t) {
    return sin(1.3 * i + 2.1 * j + 0.4) * cos((1 + 0.37 * i) * t + 0.7 * j);
}

/* From 0 to 4 in so many steps of Radau's formula or, inside, of Gauss's, Y(0) = 1; where `back`,
 * the functional of that many ones backwards, the sum of which is the same. Returns that sum. */
static double pass(hol__variation_equations *e, int steps, int back, int inside) {
    const int n = hol__variation_size(e);
    double h = 4.0 / steps, sum = 0, M[32], W[160], V[160], none[160] = {0};
    const hol__collocation *f = hol__variation_choose(e, inside);
    double *Y = hol__variation_columns(e, 1);
    hol__arena arena;
    hol__arena_init(&arena, hol__variation_data(e)->ctx);
    hol__lu *lu = hol__lu_new(&arena, HOL__STAGES * n);
    for (int i = 0; i < n; i++) Y[i] = M[i] = 1;
    for (int s = 0; s < steps; s++) {
        hol__variation_place places[HOL__STAGES];
        for (int k = 0; k < HOL__STAGES; k++) {
            const double t = h * ((back ? steps - 1 - s : s) + f->c[k]);
            double *J = hol__variation_at(e, k)->G;
            hol__variation_at(e, k)->r = n;
            places[k] = *hol__variation_at(e, k);
            for (int i = 0; i < n; i++) {
                hol__variation_forcing(e, k)[i] = turning(i, 7, t);
                for (int j = 0; j < n; j++) J[i + n * j] = turning(i, j, t);
            }
        }
        if (!back) assert_int_equal(hol__variation_step(e, h), HOL_OK);
        if (back)
            assert_int_equal(hol__variation_back(f, n, h, places, 1, none, lu, M, W, V), HOL_OK);
        for (int k = 0; back && k < HOL__STAGES; k++)
            for (int i = 0; i < n; i++) sum += W[k * n + i] * hol__variation_forcing(e, k)[i];
    }
    for (int i = 0; i < n; i++) sum += back ? M[i] : Y[i];
    hol__arena_free(&arena);
    return sum;
}

/* Orders nine (Radau) and ten (Gauss): halving the steps takes a 512th or a 1024th of the error;
 * backwards is the same sum. */
static void test_order(void **unused) {
    (void)unused;
    run r = run_text(oscillator, NULL);
    hol__variation_equations *e = NULL;
    assert_int_equal(hol__variation_new(hol_sim_data(r.sim), 1, &e), HOL_OK);
    for (int inside = 0; inside < 2; inside++) {
        const double exact = pass(e, 64, 0, inside), two = pass(e, 2, 0, inside) - exact,
                     four = pass(e, 4, 0, inside) - exact, eight = pass(e, 8, 0, inside) - exact,
                     order = 9 + inside;
        assert_true(fabs(eight) > 1e-13 * fabs(exact));
        assert_true(log2(fabs(two / four)) > order - 1.2 && log2(fabs(four / eight)) > order - 0.5);
        assert_true(log2(fabs(four / eight)) < order + 0.6);
        assert_true(fabs(pass(e, 4, 1, inside) - exact - four) <= 1e-12 * fabs(exact));
    }
    hol__variation_free(e);
    run_close(&r);
}

/* ---- the answer ---- */

/* hol_sensitivity of a text. */
static hol_status ask(const char *text, const hol_sensitivity_options *options, hol_context *ctx,
                      hol_answer **answer) {
    hol_spec *spec = hol_spec_new(ctx);
    assert_int_equal(hol_spec_read_text(spec, text, "ask.yaml"), HOL_OK);
    const hol_status status = hol_sensitivity(ctx, spec, options, answer);
    hol_spec_free(spec);
    return status;
}

static void test_answer(void **unused) {
    (void)unused;
    static const char *const names[] = {"k", "x0"};
    const hol_sensitivity_options options = {.size = sizeof options,
                                             .n_parameters = 2,
                                             .parameters = names,
                                             .goals = "end x, max x",
                                             .points = 2};
    const double w = sqrt(71.3 / 2.385), T = 1.7;
    hol_context *ctx = hol_context_new();
    hol_answer *answer = NULL;
    assert_int_equal(ask(oscillator, &options, ctx, &answer), HOL_OK);
    const hol_table by = answer_table(answer, "sensitivity"),
                    scaled = answer_table(answer, "scaled"), values = answer_table(answer, "goals"),
                    history = answer_table(answer, "history");
    assert_int_equal(by.rows, 2);
    assert_int_equal(by.columns, 2);
    assert_true(fabs(by.values[1] - cos(w * T)) < 1e-8);
    assert_true(fabs(scaled.values[1] - by.values[1] * 0.137 / values.values[0]) < 1e-12);
    assert_int_equal(history.rows, 3);
    assert_int_equal(history.columns, 1 + 3 * (1 + 2)); /* place.x, place.y, x */
    const double *half = history.values + history.columns;
    assert_true(half[0] == 0.5 * T);
    assert_true(fabs(half[4 + 2 * 2 + 1] - cos(0.5 * w * T)) < 1e-8); /* d(x)/d(x0) */
    assert_true(hol_answer_value(answer, "uncertain") < 1e-9);
    hol_answer_free(answer);
    hol_context_free(ctx);
}

/* ---- contacts ---- */

/* The height of a ball above the floor, and its speed, at 1.1 s: three rebounds. */
static void rebounding(const double *p, double *out) {
    const double g = 9.81, end = 1.1;
    double t = 0, y = p[0], v = 0;
    for (;;) {
        const double hit = (v + sqrt(v * v + 2 * g * y)) / g, dt = t + hit > end ? end - t : hit;
        if (dt < hit) {
            out[0] = y + v * dt - 0.5 * g * dt * dt + p[2];
            out[1] = v - g * dt;
            return;
        }
        v = -p[1] * (v - g * dt);
        y = 0;
        t += dt;
    }
}

/* A rigid ball by its closed form, with a radius that shifts it alone. */
static void test_rigid_ball(void **unused) {
    (void)unused;
    static const char *const names[] = {"h", "e", "r"};
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {h: 0.73, e: 0.61, r: 0.13}\n"
        "bodies: {ball: {mass: 0.6, inertia: 0.01, position: [0, h + r]}}\n"
        "joints: {floor: {type: rigid_contact, bodies: [ground, ball], restitution: e, shapes: "
        "[{type: plane, normal: [0, 1]}, {type: sphere, radius: r}]}}\n"
        "measures: {p: {type: position, body: ball}, v: {type: velocity, body: ball}}\n"
        "simulation: {end: 1.1, tolerance: 1e-11}\n";
    double want[MOST * MOST];
    study x = study_text(text, NULL, "end p.y, end v.y", 3, names);
    agree(&x, 1e-8, "rigid ball");
    differentiate(rebounding, x.p, x.n_p, x.n, want);
    compare(&x, want, 1e-8, "rigid ball");
    done(&x);
}

/* A model of the folder over a time, by one parameter, both ways against whole runs. */
static void check_file(const char *file, const char *settings, const char *goals, const char *name,
                       double step, double tolerance) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    double want[MOST * MOST];
    assert_int_equal(run_read(spec, file), HOL_OK);
    assert_int_equal(run_settings(spec, settings), HOL_OK);
    study x = study_of(spec, ctx, goals, 1, &name);
    agree(&x, 2e-7, file);
    by_runs(&x, step, want);
    compare(&x, want, tolerance, file);
    done(&x);
}

/* Sticking that gives way and sliding that is caught again; a block that rocks from edge to edge;
 * balls that rest against each other and pass an impact on. */
static void test_rigid_models(void **unused) {
    (void)unused;
    check_file("stick_slip", "end=4.3 tolerance=1e-11", "end x, end rate.x, end friction.fx",
               "speed", 1e-3, 1e-8);
    check_file("rocking_block", "end=1.7 tolerance=1e-11", "end angle, end rate", "b", 1e-3, 1e-8);
    check_file("rocking_block", "end=1.7 tolerance=1e-11", "end angle, end rate", "tilt", 1e-3,
               1e-8);
    check_file("newtons_cradle", "end=0.9 tolerance=1e-11", "end a, end d", "d", 1e-3, 1e-8);
}

/* Wheels that roll: what lies off their constraints on velocities grows along the run unless each
 * step takes it out. */
static void test_rolling(void **unused) {
    (void)unused;
    check_file("bicycle", "end=5 tolerance=1e-11", "end steer, end omega.x, integral frame.y",
               "bodies.frame.mass", 1e-3, 1e-7);
}

/* Changes whose instant no number of one contact tells, and which need not know it, because the
 * accelerations go on: a box that slides over the edge of a table, first a corner of it and then an
 * edge of the table carrying it, until it tips; one in space on four corners, which share its
 * weight, pulled beside its centre until it slips and turns. And a box that is pushed until it tips
 * over an edge: what has been at rest so far has speeds far below rounding. */
static void test_rigid_shared(void **unused) {
    (void)unused;
    static const struct {
        const char *text, *goals;
        int n;
        const char *names[3];
        double near;
    } all[] = {
        {"holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {mu: 0.2, v: 1.4, m: 1.3}\n"
         "bodies:\n  box: {mass: m, inertia: 0.01, position: [0.2, 0.1], velocity: [v, 0]}\n"
         "joints:\n  top: {type: rigid_contact, bodies: [ground, box], friction: mu, shapes: "
         "[{type: "
         "box, at: [0, -0.1], size: [0.8, 0.2]}, {type: box, at: [0.2, 0.1], size: [0.2, 0.2]}]}\n"
         "measures: {b: {type: position, body: box}, turn: {type: angle, body: box}}\n"
         "simulation: {end: 0.25, tolerance: 1e-11}\n",
         "end b.x, end b.y, end turn",
         3,
         {"mu", "v", "m"},
         1e-8},
        {"holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nparameters: {mu: 0.31, k: 17.3, y: "
         "0.021}\nbodies:\n  box: {mass: 1.3, inertia: [0.01, 0.012, 0.0153], position: [0, 0, "
         "0.075]}\njoints:\n  floor: {type: rigid_contact, bodies: [ground, box], friction: mu, "
         "shapes: [{type: plane, normal: [0, 0, 1]}, {type: box, size: [0.25, 0.2, 0.15]}]}\n"
         "forces:\n  pull: {type: force, body: box, at: [0, y, 0.088], force: [k*t, 0, 0]}\n"
         "measures: {p: {type: position, body: box}, w: {type: angular_velocity, body: box}}\n"
         "simulation: {end: 0.55, tolerance: 1e-11}\n",
         "end p.x, end p.y, end w.z",
         3,
         {"mu", "k", "y"},
         1e-6},
        {"holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {k: 9.3, m: 1.3, h: 0.31}\n"
         "bodies: {box: {mass: m, inertia: 0.021, position: [0, 0.2]}}\n"
         "joints:\n  floor: {type: rigid_contact, bodies: [ground, box], friction: 0.8, shapes: "
         "[{type: plane, normal: [0, 1]}, {type: box, size: [0.2, 0.4]}]}\n"
         "forces: {pull: {type: force, body: box, at: [0, h], force: [k*t, 0]}}\n"
         "measures: {p: {type: position, body: box}, turn: {type: angle, body: box}}\n"
         "simulation: {end: 0.75, tolerance: 1e-11}\n",
         "end p.x, end p.y, end turn",
         3,
         {"k", "m", "h"},
         1e-9},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        double want[MOST * MOST];
        study x = study_text(all[i].text, NULL, all[i].goals, all[i].n, all[i].names);
        evaluate(&x, HOL__BY_DIRECT);
        by_runs(&x, 1e-3, want);
        compare(&x, want, all[i].near, all[i].goals);
        done(&x);
    }
}

/* Over singular positions (ten of them: all bars in a line), where perturbations off the
 * constraints are magnified without bound. A force of gravity moves bars of any mass alike, so that
 * the masses change nothing. */
static void test_singular(void **unused) {
    (void)unused;
    static const char *const sets[] = {"reference", "relative", "natural"};
    for (int i = 0; i < 3; i++) {
        char settings[80];
        snprintf(settings, sizeof settings, "coordinates=%s tolerance=1e-11", sets[i]);
        check_file("a02_two_four_bar", settings, "end theta, end B0.y", "I", 1e-3, 1e-7);
    }
}

/* The work of a damper, of a force and of a rebound, which follows from what T + V has gained. */
static void test_work(void **unused) {
    (void)unused;
    static const char *const names[] = {"c", "k", "m", "x0", "e", "w"};
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
        "parameters: {c: 1.3, k: 40, m: 2, x0: 0.3, e: 0.6, w: 2.1}\n"
        "bodies: {block: {mass: m, inertia: 1, position: [x0, 0], velocity: [-1.7, 0]}}\njoints:\n"
        "  g: {type: prismatic, bodies: [ground, block], at: [0.3, 0], axis: [1, 0]}\n"
        "  stop: {type: rigid_stop, joint: g, lower: -0.21, upper: 2, restitution: e}\nforces:\n"
        "  s: {type: spring, bodies: [ground, block], from: [-1, 0], to: [x0, 0], stiffness: k, "
        "damping: c, free_length: 0.9}\n"
        "  f: {type: force, body: block, force: ['3*sin(w*t)', 1]}\n"
        "measures: {E: {type: energy}}\nsimulation: {end: 0.5, tolerance: 1e-11}\n";
    check_text(text, "end E.work, end E.balance, integral E.work", 6, names, 1e-3, 1e-8);
}

/* Contact forces that remember the speed of their impact, over two of them; a law with a root at
 * its corner, and a radius that moves the corner. */
static void test_restitution(void **unused) {
    (void)unused;
    static const char *const names[] = {"h", "m", "k", "e", "r"};
    static const char *const exponents[] = {"exponent: 1", "exponent: 1.5"};
    for (int i = 0; i < 2; i++) {
        char text[1024];
        double want[MOST * MOST];
        snprintf(text, sizeof text,
                 "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
                 "parameters: {h: 0.3, m: 0.6, k: 2e4, e: 0.7, r: 0.1}\n"
                 "bodies: {ball: {mass: m, inertia: 0.01, position: [0, h + r]}}\n"
                 "forces: {floor: {type: contact, bodies: [ground, ball], stiffness: k, "
                 "restitution: e, %s, shapes: [{type: plane, normal: [0, 1]}, {type: sphere, "
                 "radius: r}]}}\n"
                 "measures: {p: {type: position, body: ball}, v: {type: velocity, body: ball}}\n"
                 "simulation: {end: 0.85, tolerance: 1e-12}\n",
                 exponents[i]);
        study x = study_text(text, NULL, "end p.y, end v.y", 5, names);
        evaluate(&x, HOL__BY_DIRECT);
        by_runs(&x, 1e-3, want);
        /* the runs: differences of order six over 1e-3, of states to 1e-12 */
        compare(&x, want, 1e-7, exponents[i]);
        if (!hol__goals_evaluate(x.goals, x.p, HOL__BY_ADJOINT, x.value, x.gradient) ||
            !strstr(hol__goals_reason(x.goals), "take --by direct"))
            fail_msg("the adjoint takes restitution: %s", hol__goals_reason(x.goals));
        /* who does not say which way is not refused for that */
        evaluate(&x, HOL__BY_CHEAPER);
        compare(&x, want, 1e-7, "the way that is chosen");
        done(&x);
    }
}

/* Numbers by their paths: a mass and a stiffness, each of which stands in one place of the file as
 * the name of a parameter, have the derivatives of the parameter; the second coordinate of a place
 * counts for nothing. */
static void test_paths(void **unused) {
    (void)unused;
    static const char *const names[] = {
        "m", "bodies.block.mass", "k", "forces.spring.stiffness", "simulation.end",
        "T", "joints.guide.at.1"};
    static const char *const ways[] = {"direct", "adjoint"};
    for (int way = 0; way < 2; way++) {
        hol_context *ctx = hol_context_new();
        hol_answer *answer = NULL;
        const hol_sensitivity_options o = {.size = sizeof o,
                                           .n_parameters = 7,
                                           .parameters = names,
                                           .by = ways[way],
                                           .goals = "end x, integral x"};
        if (ask(oscillator, &o, ctx, &answer)) {
            run_print_messages(ctx);
            fail_msg("no answer by %s", ways[way]);
        }
        hol_table table = {.size = sizeof table};
        assert_int_equal(hol_answer_table(answer, hol_answer_find(answer, "sensitivity"), &table),
                         HOL_OK);
        assert_string_equal(table.column_names[1], "bodies.block.mass");
        for (int i = 0; i < table.rows; i++) {
            const double *row = table.values + 7 * i;
            for (int j = 0; j < 6; j += 2) {
                assert_true(fabs(row[j]) > 1e-4);
                check_near(names[j + 1], row[j + 1], row[j], 1e-11);
            }
            check_near(names[6], row[6], 0, 1e-9);
        }
        hol_answer_free(answer);
        hol_context_free(ctx);
    }
}

static void test_refusals(void **unused) {
    (void)unused;
    static const char *const names[] = {"T"}, *const unknown[] = {"q"},
                             *const astray[] = {"bodies.blok.mass"},
                             *const list[] = {"bodies.block.position"};
    static const char none[] = "holonom: 1\nspace: planar\nbodies: {a: {mass: 1, inertia: 1}}\n"
                               "measures: {p: {type: position, body: a}}\nsimulation: {end: 0.1}\n";
    /* a condition that holds for 6e-8 s only: its number turns as soon as it has crossed zero */
    static const char grazing[] =
        "holonom: 1\nspace: planar\ngravity: [0, 0]\nparameters: {x: 0.1}\n"
        "bodies: {a: {mass: 1, inertia: 1, position: [x, 0], velocity: [1, 0]}}\n"
        "measures: {p: {type: position, body: a}, n: {type: variable, value: 0}}\n"
        "events: {top: {when: '(p.x - 0.3)^2 < 1e-15', do: [{set: {n: n + 1}}]}}\n"
        "simulation: {end: 0.6, tolerance: 1e-10}\n";
    /* rebounds without end come to rest, at another instant from a state nearby */
    static const char resting[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {e: 0.43}\n"
        "bodies: {ball: {mass: 0.7, inertia: 0.1, velocity: [0.5, 2.3]}}\njoints:\n"
        "  floor: {type: generic, bodies: [ground, ball], at: [0, 0], lock: [y],\n"
        "    active: {initially: false, until: N.fy > 0}}\n"
        "measures: {p: {type: position, body: ball}, N: {type: reaction, joint: floor}}\n"
        "events: {hit: {when: p.y < 0, do: [{impact: {joint: floor, restitution: e}}]}}\n"
        "simulation: {end: 1.4, tolerance: 1e-10}\n";
    /* runs of a double pendulum of 8 s at 1e-5 and 1e-6 have nothing in common at their ends */
    static const char chaos[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {l: 1}\nbodies:\n"
        "  a: {mass: 1, inertia: 0.01, along: [[0, 0], [l, 0.1]]}\n"
        "  b: {mass: 1, inertia: 0.01, along: [[l, 0.1], [2*l, 0.3]]}\njoints:\n"
        "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
        "  B: {type: revolute, bodies: [a, b], at: [l, 0.1]}\n"
        "measures: {x: {type: angle, body: b}}\nsimulation: {end: 8, tolerance: 1e-6, coordinates: "
        "reference}\n";
    static const char begins[] =
        "holonom: 1\nspace: planar\ngravity: [0, 0]\nparameters: {T: 0.3}\n"
        "bodies: {a: {mass: 1, inertia: 1, velocity: [T, 0]}}\n"
        "measures: {p: {type: position, body: a}}\nsimulation: {start: T, end: 1}\n";
    const struct refusal {
        const char *text;
        hol_sensitivity_options options;
        const char *words;
    } all[] = {
        {none, {.size = sizeof all->options}, "has no section `parameters`"},
        {oscillator, {.size = sizeof all->options, .by = "magic"}, "direct or adjoint"},
        {oscillator,
         {.size = sizeof all->options, .n_parameters = 1, .parameters = unknown},
         "no parameter 'q'"},
        {oscillator,
         {.size = sizeof all->options, .n_parameters = 1, .parameters = astray},
         "no 'blok' in bodies; did you mean 'block'?"},
        {oscillator,
         {.size = sizeof all->options, .n_parameters = 1, .parameters = list},
         "is a list and no number; name one of its elements, such as 'bodies.block.position.0'"},
        {oscillator, {.size = sizeof all->options, .goals = "max"}, "no measure 'max'"},
        {oscillator,
         {.size = sizeof all->options, .n_parameters = 1, .parameters = names, .points = -1},
         "must not be negative"},
        {chaos, {.size = sizeof all->options}, "is 2 radians or lengths of the mechanism away"},
        {begins, {.size = sizeof all->options}, "the start of the run follows parameter 'T'"},
        {grazing, {.size = sizeof all->options}, "grazed"},
        {resting, {.size = sizeof all->options, .by = "adjoint"}, "--by direct may help"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        hol_context *ctx = hol_context_new();
        hol_answer *answer = NULL;
        const hol_status status = ask(all[i].text, &all[i].options, ctx, &answer);
        int said = 0;
        for (int k = 0; k < hol_message_count(ctx); k++)
            said |= strstr(hol_message_get(ctx, k)->text, all[i].words) != NULL;
        if (status >= 0 || answer || !said) {
            run_print_messages(ctx);
            fail_msg("refusal %d is not '%s'", (int)i, all[i].words);
        }
        hol_context_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),        cmocka_unit_test(test_oscillator),
        cmocka_unit_test(test_rebounds),     cmocka_unit_test(test_changes),
        cmocka_unit_test(test_laws),         cmocka_unit_test(test_answer),
        cmocka_unit_test(test_refusals),     cmocka_unit_test(test_rigid_ball),
        cmocka_unit_test(test_rigid_models), cmocka_unit_test(test_restitution),
        cmocka_unit_test(test_singular),     cmocka_unit_test(test_work),
        cmocka_unit_test(test_paths),        cmocka_unit_test(test_rigid_shared),
        cmocka_unit_test(test_rolling),
    };
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}

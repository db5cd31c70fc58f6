/* test_linearize.c: small motions against published eigenvalues, closed solutions, simulations and
 * equations written out here. */
#include "model_fixture.h"

#include "analysis/cycle.h"
#include "analysis/linearize.h"
#include "la/eigen.h"

#include <complex.h>

static const double pi = 3.14159265358979323846;

/* a = b within the tolerance, in double precision. */
static void check_close(double a, double b, double tolerance, int line) {
    if (!(fabs(a - b) <= tolerance))
        fail_msg("line %d: %.17g, not %.17g: off by %.3g", line, a, b, a - b);
}

#define assert_close(a, b, tolerance) check_close(a, b, tolerance, __LINE__)

static const char *text_of(const hol_answer *answer, const char *key) {
    hol_fact fact = {.size = sizeof fact};
    for (int i = 0; i < hol_answer_facts(answer); i++)
        if (!hol_answer_fact(answer, i, &fact) && strcmp(fact.key, key) == 0) return fact.text;
    return "";
}

static hol_answer *answer_of(const run *r, const hol_linearize_options *how) {
    hol_answer *answer = NULL;
    const hol_status status = hol_linearize(r->ctx, r->sim, NULL, how, &answer);
    if (status) run_print_messages(r->ctx);
    assert_int_equal(status, HOL_OK);
    return answer;
}

/* ---- the bicycle ---- */

/* M q'' + v C1 q' + (g K0 + v^2 K2) q = 0 for lean and steer: Meijaard, Papadopoulos, Ruina and
 * Schwab (2007), equations 6.2; as a matrix of first order, column-major. */
static void whipple(double v, double *A) {
    static const double M[2][2] = {{80.81722, 2.31941332208709},
                                   {2.31941332208709, 0.29784188199686}};
    static const double C1[2][2] = {{0, 33.86641391492494}, {-0.85035641456978, 1.68540397397560}};
    static const double K0[2][2] = {{-80.95, -2.59951685249872},
                                    {-2.59951685249872, -0.80329488458618}};
    static const double K2[2][2] = {{0, 76.59734589573222}, {0, 2.65431523794604}};
    const double det = M[0][0] * M[1][1] - M[0][1] * M[1][0], g = 9.81;
    const double W[2][2] = {{M[1][1] / det, -M[0][1] / det}, {-M[1][0] / det, M[0][0] / det}};
    memset(A, 0, 16 * sizeof *A);
    A[4 * 2 + 0] = A[4 * 3 + 1] = 1;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++) {
                A[4 * j + 2 + i] -= W[i][k] * (g * K0[k][j] + v * v * K2[k][j]);
                A[4 * (2 + j) + 2 + i] -= W[i][k] * v * C1[k][j];
            }
}

/* The largest distance of the four eigenvalues from those of the paper. */
static double distance(const hol__spectrum *x, const hol__eig *eig) {
    double most = 0;
    assert_int_equal(x->n - x->n_zero, 4);
    for (int k = 0; k < 4; k++) {
        double least = INFINITY;
        for (int j = 0; j < 4; j++)
            least = fmin(least, hypot(x->re[j] - eig->re[k], x->im[j] - eig->im[k]));
        most = fmax(most, least);
    }
    return most;
}

/* Eigenvalues at 0 … 10 m/s: the matrices are printed with 15 digits; an eigenvalue of them is off
 * by the condition of it, below 1e3. Four directions do not matter (place, and the angles of the
 * wheels), the heading leads along one of them and the speed along another: six zeros. */
static void test_bicycle(void **unused) {
    static const char *const sets[] = {"reference", "natural", "relative"};
    (void)unused;
    hol_context *ctx = hol_context_new();
    hol__arena arena;
    hol__arena_init(&arena, ctx);
    hol__eig *eig = hol__eig_new(&arena, 4);
    for (int k = 0; k < 3; k++)
        for (int v = 0; v <= 10; v++) {
            char settings[128];
            snprintf(settings, sizeof settings, "roll_rate=0 v=%d coordinates=%s", v, sets[k]);
            run r = run_open("bicycle", settings);
            hol__small *s;
            hol__spectrum x;
            assert_int_equal(hol__small_new(hol_sim_data(r.sim), 0, &s), HOL_OK);
            assert_int_equal(s->p.n_q, 7);
            assert_int_equal(s->p.n_v, 3);
            assert_int_equal(s->motion, v ? HOL__MOTION_STEADY : HOL__MOTION_REST);
            assert_int_equal(hol__small_spectrum(s, NULL, &x), HOL_OK);
            assert_int_equal(x.n_zero, 6);
            whipple(v, eig->a);
            assert_int_equal(hol__eig_factor(eig, 4), 0);
            const double off = distance(&x, eig);
            if (off > 1e-11) print_error("%s: off by %g\n", settings, off);
            assert_true(off <= 1e-11);
            hol__small_free(s);
            run_close(&r);
        }
    hol__arena_free(&arena);
    hol_context_free(ctx);
}

/* A description of models/ and how it is run. */
typedef struct described {
    hol_context *ctx;
    hol_spec *spec;
    hol_options *options;
} described;

static described describe(const char *file, const char *settings) {
    described d = {.ctx = hol_context_new()};
    d.spec = hol_spec_new(d.ctx);
    assert_int_equal(run_read(d.spec, file), HOL_OK);
    assert_int_equal(run_settings(d.spec, settings), HOL_OK);
    hol_model *model = hol_model_from_spec(d.ctx, d.spec, &d.options);
    assert_non_null(model);
    hol_model_free(model);
    return d;
}

static void forget(described *d) {
    hol_options_free(d->options);
    hol_spec_free(d->spec);
    hol_context_free(d->ctx);
}

/* Weave and capsize speeds, with the 15 digits of the paper. */
static void test_locus(void **unused) {
    (void)unused;
    described d = describe("bicycle", "roll_rate=0");
    const hol_locus_options how = {
        .size = sizeof how, .parameter = "v", .from = 0, .to = 10, .n = 21};
    hol_answer *answer;
    assert_int_equal(hol_locus(d.ctx, d.spec, d.options, &how, &answer), HOL_OK);
    const hol_table t = answer_table(answer, "crossings"), locus = answer_table(answer, "locus");
    assert_int_equal(t.rows, 2);
    assert_close(answer_entry(&t, 0, 0), 4.29238253634111, 1e-12);
    assert_close(answer_entry(&t, 1, 0), 6.02426201538837, 1e-12);
    assert_close(answer_entry(&t, 0, 1), 3.43503384866144, 1e-11);
    assert_close(answer_entry(&t, 1, 1), 0, 0);
    assert_int_equal(locus.rows, 21);
    assert_int_equal(locus.columns, 21);
    hol_answer_free(answer);
    forget(&d);
}

/* ---- simulations ---- */

/* The state of a simulation that starts at that of s, moved by size times the real part of column k
 * of the vectors, after the time tau: q and v of the result. */
static void simulate(const run *r, const hol__small *s, const double *vector, double size,
                     double tau, double *q, double *v) {
    const hol_model *m = s->model;
    const hol__perturb *p = &s->p;
    double *dq = calloc((size_t)m->nv, sizeof *dq), *speed = calloc((size_t)m->nv, sizeof *speed);
    hol_sim *sim = hol_sim_new(r->ctx, r->model, r->options);
    assert_non_null(sim);
    memcpy(speed, s->data->v, sizeof(double) * (size_t)m->nv);
    for (int j = 0; j < p->n; j++)
        for (int i = 0; i < m->nv; i++) {
            dq[i] += size * vector[j] * p->dq[j * p->nv + i];
            speed[i] += size * vector[j] * p->dv[j * p->nv + i];
        }
    m->coords->plus(m, s->data->q, dq, q);
    assert_int_equal(hol_data_copy(hol_sim_data(sim), s->data), HOL_OK);
    hol_data_set(hol_sim_data(sim), s->data->t, q, speed);
    hol__arena arena;
    hol__arena_init(&arena, r->ctx);
    assert_int_equal(hol__perturb_close(hol_sim_data(sim), &arena), HOL_OK);
    hol__arena_free(&arena);
    memcpy(q, hol_data_q(hol_sim_data(sim)), sizeof(double) * (size_t)m->nq);
    memcpy(speed, hol_data_v(hol_sim_data(sim)), sizeof(double) * (size_t)m->nv);
    assert_int_equal(hol_sim_restart(sim, s->data->t, q, speed), HOL_OK);
    assert_int_equal(hol_sim_advance(sim, s->data->t + tau), HOL_OK);
    memcpy(q, hol_data_q(hol_sim_data(sim)), sizeof(double) * (size_t)m->nq);
    memcpy(v, hol_data_v(hol_sim_data(sim)), sizeof(double) * (size_t)m->nv);
    hol_sim_free(sim);
    free(dq);
    free(speed);
}

/* Mode k against half the difference of two runs, moved to both sides by 1e-4: s(tau) = Re(vector
 * exp(lambda tau)), off by the third order, 1e-8 and what the mechanism makes of it (bound), and by
 * the tolerance of the runs over 1e-4. Returns the largest share. */
static double compare_mode(const run *r, const hol__small *s, const hol__spectrum *x, int k,
                           double tau) {
    const hol_model *m = s->model;
    const hol__perturb *p = &s->p;
    const double size = 1e-4, *re = x->vectors + k * p->n, *im = x->im[k] > 0 ? re + p->n : NULL;
    const double complex turn = cexp((x->re[k] + x->im[k] * I) * tau);
    double *q[2], *v[2], *d = calloc((size_t)m->nv, sizeof *d), most = 0, off = 0;
    for (int i = 0; i < 2; i++) {
        q[i] = calloc((size_t)m->nq, sizeof **q);
        v[i] = calloc((size_t)m->nv, sizeof **v);
        simulate(r, s, re, i ? size : -size, tau, q[i], v[i]);
    }
    m->coords->minus(m, q[1], q[0], d);
    for (int i = 0; i < p->n_q + p->n_v; i++) {
        const int rate = i >= p->n_q, j = rate ? p->at_v[i - p->n_q] : p->at_q[i];
        const double found = (rate ? v[1][j] - v[0][j] : d[j]) / (2 * size),
                     wanted = creal((re[i] + (im ? im[i] * I : 0)) * turn),
                     scale = cabs(re[i] + (im ? im[i] * I : 0)) / s->scale[i];
        most = fmax(most, scale * cabs(turn));
        off = fmax(off, fabs(found - wanted) / s->scale[i]);
    }
    for (int i = 0; i < 2; i++) free(q[i]), free(v[i]);
    free(d);
    return off / most;
}

/* Every mode of a mechanism that oscillates, over so many periods, or one time constant of the
 * others. */
static void compare_modes(const char *what, const run *r, int settle, double periods,
                          double tolerance) {
    hol__small *s;
    hol__spectrum x;
    const hol_status status = hol__small_new(hol_sim_data(r->sim), settle, &s);
    if (status) run_print_messages(r->ctx);
    assert_int_equal(status, HOL_OK);
    assert_true(s->motion != HOL__MOTION_STATE);
    assert_int_equal(hol__small_spectrum(s, NULL, &x), HOL_OK);
    for (int i = 0; i < hol__mode_count(&x); i++) {
        const int k = hol__mode_column(&x, i);
        const double tau = x.im[k] > 0 ? periods * 2 * pi / x.im[k] : 1 / fabs(x.re[k]);
        const double off = compare_mode(r, s, &x, k, tau);
        if (!(off <= tolerance))
            print_error("%s: mode %d, %g%+gi: off by %g\n", what, i + 1, x.re[k], x.im[k], off);
        assert_true(off <= tolerance);
    }
    hol__small_free(s);
}

/* A four-bar that hangs, with a spring. */
static const char four_bar[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
    "points: {A: [0, 0], B: [0.1, -0.4], C: [0.71, -0.41], D: [0.8, 0]}\n"
    "bodies:\n"
    "  left: {mass: 1.3, inertia: 0.021, along: [A, B]}\n"
    "  low: {mass: 2.9, inertia: 0.11, along: [B, C]}\n"
    "  right: {mass: 0.8, inertia: 0.017, along: [D, C]}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, left], at: A}\n"
    "  B: {type: revolute, bodies: [left, low], at: B}\n"
    "  C: {type: revolute, bodies: [low, right], at: C}\n"
    "  D: {type: revolute, bodies: [ground, right], at: D}\n"
    "forces: {s: {type: torsion, joint: A, stiffness: 3.1, damping: 0.07}}\n"
    "simulation: {end: 100, tolerance: 1e-12}\n";

static void test_four_bar(void **unused) {
    static const char *const sets[] = {"coordinates=reference", "coordinates=natural",
                                       "coordinates=relative"};
    (void)unused;
    for (int k = 0; k < 3; k++) {
        run r = run_text(four_bar, sets[k]);
        compare_modes(sets[k], &r, 1, 3.3, 1e-6);
        run_close(&r);
    }
}

/* The corner drives on at 5 m/s on the flat road: its equilibrium is a steady motion, and its wheel
 * hops as the simulation says to 1e-6. */
static void test_corner(void **unused) {
    (void)unused;
    run r = run_open("iltis_corner", "tolerance=1e-12");
    compare_modes("iltis_corner", &r, 1, 1, 1e-6);
    run_close(&r);
}

/* The governor at its speed, over a whole turn: the frame that turns with it is then where it
 * began. */
static void test_governor(void **unused) {
    (void)unused;
    run r = run_open("a05_flyball_governor", "k=8e3 c=40 tolerance=1e-12 integrator=radau5");
    hol__small *s;
    hol__spectrum x;
    assert_int_equal(hol__small_new(hol_sim_data(r.sim), 1, &s), HOL_OK);
    assert_int_equal(s->motion, HOL__MOTION_STEADY);
    assert_close(s->carrier.screw[5], 2 * pi, 1e-9);
    assert_int_equal(hol__small_spectrum(s, NULL, &x), HOL_OK);
    assert_int_equal(x.n_zero, 2);
    int seen = 0;
    for (int i = 0; i < hol__mode_count(&x); i++) {
        const int k = hol__mode_column(&x, i);
        if (x.re[k] < -3) continue; /* nothing is left of it after a turn */
        const double off = compare_mode(&r, s, &x, k, 1);
        if (!(off <= 1e-6)) print_error("mode %d: off by %g\n", i + 1, off);
        assert_true(off <= 1e-6);
        seen++;
    }
    assert_true(seen > 0);
    hol__small_free(s);
    run_close(&r);
}

/* ---- the hanging chain ---- */

/* n slender rods of the length 1/n that hang from each other. */
static void write_chain(char *text, size_t size, int n) {
    size_t used =
        (size_t)snprintf(text, size, "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n");
    for (int i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, size - used,
                                 "  b%d: {mass: 1/%d, inertia: 1/12/%d^3, position: [0, "
                                 "-(%d+0.5)/%d]}\n",
                                 i, n, n, i, n);
    used += (size_t)snprintf(text + used, size - used, "joints:\n");
    for (int i = 0; i < n; i++) {
        char before[16];
        snprintf(before, sizeof before, "b%d", i - 1);
        used += (size_t)snprintf(text + used, size - used,
                                 "  j%d: {type: revolute, bodies: [%s, b%d], at: [0, -%d/%d]}\n", i,
                                 i ? before : "ground", i, i, n);
    }
    snprintf(text + used, size - used, "simulation: {end: 1}\n");
}

/* The three lowest frequencies of a chain of n links. */
static void chain_frequencies(int n, const char *settings, double *w) {
    char *text = malloc(1 << 16);
    write_chain(text, 1 << 16, n);
    run r = run_text(text, settings);
    hol__small *s;
    hol__spectrum x;
    assert_int_equal(hol__small_new(hol_sim_data(r.sim), 0, &s), HOL_OK);
    assert_int_equal(s->motion, HOL__MOTION_REST);
    assert_int_equal(s->p.n, 2 * n);
    assert_int_equal(hol__small_spectrum(s, NULL, &x), HOL_OK);
    assert_int_equal(hol__mode_count(&x), n);
    for (int j = 0; j < 3; j++) w[j] = INFINITY;
    for (int k = 0; k < x.n; k++)
        for (int j = 0; j < 3 && x.im[k] > 0; j++)
            if (x.im[k] < w[j]) {
                for (int i = 2; i > j; i--) w[i] = w[i - 1];
                w[j] = x.im[k];
                break;
            }
    hol__small_free(s);
    run_close(&r);
    free(text);
}

/* A chain of length L swings with j_k/2 sqrt(g/L), j_k the zeros of the Bessel function J0. Rods
 * in place of the chain change that by the order 1/n^2: halving them takes a quarter of the error.
 */
static void test_chain(void **unused) {
    static const double zeros[] = {2.40482555769577, 5.52007811028631, 8.65372791291101};
    double coarse[3], fine[3];
    (void)unused;
    chain_frequencies(20, "coordinates=relative", coarse);
    chain_frequencies(40, "coordinates=relative", fine);
    for (int j = 0; j < 3; j++) {
        const double exact = 0.5 * zeros[j] * sqrt(9.81);
        const double ratio = (coarse[j] - exact) / (fine[j] - exact);
        if (!(fabs(ratio - 4) < 0.4))
            print_error("%d: %.10g %.10g, exact %.10g, ratio %g\n", j, coarse[j], fine[j], exact,
                        ratio);
        assert_true(fabs(ratio - 4) < 0.4);
        assert_true(fabs(fine[j] / exact - 1) < 2e-3 * (j + 1) * (j + 1));
    }
    chain_frequencies(8, "coordinates=natural", coarse);
    chain_frequencies(8, "coordinates=reference", fine);
    for (int j = 0; j < 3; j++) assert_close(coarse[j], fine[j], 1e-11 * fine[j]);
}

/* A chain of six links against its simulation. */
static void test_chain_moves(void **unused) {
    char text[8192];
    (void)unused;
    write_chain(text, sizeof text, 6);
    run r = run_text(text, "coordinates=relative tolerance=1e-12 end=100");
    compare_modes("chain", &r, 0, 2.2, 1e-5);
    run_close(&r);
}

/* ---- inputs and outputs ---- */

static const char swing[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {T: 0, base: 0, F: 0}\nbodies:\n"
    "  rod: {mass: 2.3, inertia: 0.31, position: [0, -0.7]}\n  cart: {mass: 1, inertia: 1, "
    "position: [0, 0]}\n"
    "joints:\n  hinge: {type: revolute, bodies: [cart, rod], at: [0, 0]}\n"
    "  rail: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}\n"
    "  drive: {type: driver, joint: rail, position: base}\n"
    "forces:\n"
    "  damper: {type: torsion, joint: hinge, damping: 0.9, torque: T}\n"
    "  push: {type: force, body: rod, at: [0, -0.7], force: [F, 0]}\n"
    "measures:\n  angle: {type: angle, body: rod}\n  rate: {type: angular_velocity, body: rod}\n"
    "  pin: {type: reaction, joint: hinge}\n  alpha: {type: angular_acceleration, body: rod}\n"
    "simulation: {end: 1}\n";

/* The number of column `name` at row i. */
static double cell(const hol_table *t, int i, const char *name) {
    for (int j = 0; j < t->columns; j++)
        if (strcmp(t->column_names[j], name) == 0) return answer_entry(t, i, j);
    fail_msg("no column '%s'", name);
    return 0;
}

/* J a'' + d a' + m g l a = T + l F, and with the hinge moved by u: … + m l u'': the angle, the
 * acceleration and the force of the pin along x against the closed formulas, gain and phase. */
static void test_response(void **unused) {
    const double m = 2.3, l = 0.7, J = 0.31 + m * l * l, d = 0.9, k = m * 9.81 * l;
    static const char *const inputs[] = {"T", "rod.fx", "F"};
    (void)unused;
    described x = {.ctx = hol_context_new()};
    x.spec = hol_spec_new(x.ctx);
    assert_int_equal(hol_spec_read_text(x.spec, swing, "swing.yaml"), HOL_OK);
    for (int set = 0; set < 3; set++) {
        static const char *const sets[] = {"reference", "natural", "relative"};
        assert_int_equal(hol_spec_set(x.spec, "coordinates", sets[set], "test"), HOL_OK);
        hol_model *model = hol_model_from_spec(x.ctx, x.spec, &x.options);
        hol_sim *sim = hol_sim_new(x.ctx, model, x.options);
        hol_linearize_options how = {.size = sizeof how,
                                     .n_inputs = 3,
                                     .inputs = inputs,
                                     .frequency_from = 0.1,
                                     .frequency_to = 10,
                                     .n_frequencies = 9};
        hol_answer *answer;
        assert_int_equal(hol_linearize(x.ctx, sim, x.spec, &how, &answer), HOL_OK);
        hol_table gain = answer_table(answer, "gain"), phase = answer_table(answer, "phase");
        assert_int_equal(gain.rows, 9);
        for (int i = 0; i < gain.rows; i++) {
            const double w = 2 * pi * answer_entry(&gain, i, 0);
            const double complex G = 1 / (k - J * w * w + d * w * I);
            assert_close(cell(&gain, i, "angle / T"), cabs(G), 1e-9 * cabs(G));
            assert_close(cos(cell(&phase, i, "angle / T") - carg(G)), 1, 1e-9);
            assert_close(cell(&gain, i, "angle / rod.fx"), l * cabs(G), 1e-9 * cabs(G));
            assert_close(cell(&gain, i, "angle / F"), l * cabs(G), 1e-9 * cabs(G));
            assert_close(cell(&gain, i, "alpha / T"), w * w * cabs(G),
                         1e-8 * (1 + w * w) * cabs(G));
            /* the mass centre moves by l a: m l a'' = F + pin */
            const double complex pin = -m * l * w * w * (l * G) - 1;
            const double found = cell(&gain, i, "pin.fx / F");
            assert_close(found, cabs(pin), 1e-7);
            assert_close(found, cell(&gain, i, "pin.fx / rod.fx"), 1e-8);
        }
        hol_answer_free(answer);
        static const char *const base[] = {"base"}, *const angle[] = {"angle", "rate"};
        how.n_inputs = 1, how.inputs = base, how.n_outputs = 2, how.outputs = angle;
        assert_int_equal(hol_linearize(x.ctx, sim, x.spec, &how, &answer), HOL_OK);
        gain = answer_table(answer, "gain");
        for (int i = 0; i < gain.rows; i++) {
            const double w = 2 * pi * answer_entry(&gain, i, 0);
            const double complex G = m * l * w * w / (k - J * w * w + d * w * I);
            assert_close(cell(&gain, i, "angle / base"), cabs(G), 1e-8 * cabs(G));
            assert_close(cell(&gain, i, "rate / base"), w * cabs(G), 1e-8 * w * cabs(G));
        }
        hol_answer_free(answer);
        hol_sim_free(sim);
        hol_options_free(x.options);
        hol_model_free(model);
    }
    hol_spec_free(x.spec);
    hol_context_free(x.ctx);
}

/* ---- cycles ---- */

static const char mathieu[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
    "  base: {motion: {y: '0.08*cos(13*t)'}}\n"
    "  bob: {mass: 2, inertia: 0.05, position: [0, -0.7 + 0.08]}\n"
    "joints:\n  hinge: {type: revolute, bodies: [base, bob], at: [0, 0.08]}\n"
    "forces:\n  damp: {type: torsion, joint: hinge, damping: 0.3}\n"
    "simulation: {end: 10, tolerance: 1e-12}\n";

/* J a'' + c a' + m l (g + y'') a = 0 over a period, by the classical formula of Runge and Kutta
 * with so many steps that its error is 1e-12: trace and determinant of the monodromy matrix. */
static void floquet(double *trace, double *determinant) {
    const double J = 0.05 + 2 * 0.49, T = 2 * pi / 13;
    const int steps = 4000;
    const double h = T / steps;
    double M[2][2];
    for (int c = 0; c < 2; c++) {
        double y[2] = {c == 0, c == 1};
        for (int i = 0; i < steps; i++) {
            double k[4][2];
            for (int s = 0; s < 4; s++) {
                const double part = s == 0   ? 0
                                    : s == 3 ? 1
                                             : 0.5,
                             t = (i + part) * h, a = y[0] + (s ? part * h * k[s - 1][0] : 0),
                             b = y[1] + (s ? part * h * k[s - 1][1] : 0);
                k[s][0] = b;
                k[s][1] = -(0.3 * b + 1.4 * (9.81 - 0.08 * 169 * cos(13 * t)) * a) / J;
            }
            for (int j = 0; j < 2; j++)
                y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
        }
        M[0][c] = y[0], M[1][c] = y[1];
    }
    *trace = M[0][0] + M[1][1];
    *determinant = M[0][0] * M[1][1] - M[0][1] * M[1][0];
}

static void test_floquet(void **unused) {
    static const char *const sets[] = {"coordinates=reference", "coordinates=natural",
                                       "coordinates=relative"};
    double trace, determinant;
    (void)unused;
    floquet(&trace, &determinant);
    for (int k = 0; k < 3; k++) {
        run r = run_text(mathieu, sets[k]);
        const hol_linearize_options how = {.size = sizeof how, .period = 2 * pi / 13};
        hol_answer *answer = answer_of(&r, &how);
        const hol_table t = answer_table(answer, "multipliers");
        assert_int_equal(t.rows, 1);
        assert_close(2 * answer_entry(&t, 0, 0), trace, 1e-9);
        assert_close(pow(answer_entry(&t, 0, 2), 2), determinant, 1e-9);
        assert_string_equal(text_of(answer, "stability"), "stable");
        hol_answer_free(answer);
        run_close(&r);
    }
}

/* A pendulum that is driven swings into a cycle, which is found from a state beside it, in
 * space too: its multipliers multiply to exp(-c/J T) by Liouville. */
static void test_cycle_is_found(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
        "  bob: {mass: 2, inertia: 0.05, position: [0, -0.7]}\n"
        "joints:\n  hinge: {type: revolute, bodies: [ground, bob], at: [0, 0]}\n"
        "forces:\n  damp: {type: torsion, joint: hinge, damping: 0.9, torque: '4*sin(5*t)'}\n"
        "simulation: {end: 100, tolerance: 1e-12}\n";
    const double T = 2 * pi / 5;
    (void)unused;
    run r = run_text(text, NULL);
    hol__cycle *cycle;
    assert_int_equal(hol__cycle_new(r.sim, T, 0, 1e-10, &cycle), HOL_ERR_TOLERANCE);
    assert_non_null(strstr(run_last_error(r.ctx)->text, "does not repeat itself"));
    hol_sim_free(r.sim);
    r.sim = hol_sim_new(r.ctx, r.model, r.options);
    assert_int_equal(hol__cycle_new(r.sim, T, 1, 1e-10, &cycle), HOL_OK);
    assert_true(cycle->missed < 1e-9);
    const double *M = cycle->M;
    assert_close(M[0] * M[3] - M[1] * M[2], exp(-0.9 / (0.05 + 2 * 0.49) * T), 1e-9);
    hol__cycle_free(cycle);
    run_close(&r);
}

/* ---- the rest ---- */

/* Chains of zeros of the length 3, 2 and 1 beside other eigenvalues, behind a similarity without
 * pattern: as many zeros, and the others to rounding, where LAPACK alone has 1e-5. */
static void test_spectrum(void **unused) {
    enum { N = 9 };
    static const double others[3] = {-0.37, -2.1, 1.9};
    double J[N][N] = {{0}}, X[N][N], A[N * N], scale[N];
    uint64_t seed = 77;
    (void)unused;
    J[0][1] = 1, J[1][2] = 1, J[3][4] = 1;
    J[6][6] = others[0];
    J[7][7] = J[8][8] = others[1];
    J[7][8] = others[2], J[8][7] = -others[2];
    /* products of reflections: X X = 1 */
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) X[i][j] = i == j;
    double u[N], square = 0;
    for (int i = 0; i < N; i++) u[i] = random_one(&seed), square += u[i] * u[i], scale[i] = 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) X[i][j] -= 2 * u[i] * u[j] / square;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                for (int l = 0; l < N; l++) sum += X[i][k] * J[k][l] * X[l][j];
            A[j * N + i] = sum;
        }
    hol_context *ctx = hol_context_new();
    hol__arena arena;
    hol__arena_init(&arena, ctx);
    hol__spectrum x;
    assert_int_equal(hol__spectrum_of(A, N, scale, 1, NULL, &arena, &x), HOL_OK);
    assert_int_equal(x.n_zero, 6);
    assert_int_equal(x.n_still, 3);
    assert_close(x.re[0], others[0], 1e-13);
    assert_close(x.re[1], others[1], 1e-13);
    assert_close(x.im[1], others[2], 1e-13);
    for (int k = 0; k < 3; k++) { /* A v = lambda v, zeros A v = 0 */
        const int column = k < 2 ? k : N - x.n_zero;
        const double *v = x.vectors + column * N, *y = k == 1 ? v + N : NULL;
        for (int i = 0; i < N; i++) {
            double sum = 0;
            for (int j = 0; j < N; j++) sum += A[j * N + i] * v[j];
            assert_close(sum, x.re[column] * v[i] - (y ? x.im[column] * y[i] : 0), 1e-13);
        }
    }
    hol__arena_free(&arena);
    hol_context_free(ctx);
}

/* What cannot be answered is told. */
static void test_refusals(void **unused) {
    (void)unused;
    run r = run_text(swing, NULL);
    hol_answer *answer = NULL;
    static const char *const bad[] = {"rod.mz"}, *const good[] = {"rod.m"}, *const no[] = {"angel"};
    hol_linearize_options how = {.size = sizeof how, .n_inputs = 1, .inputs = bad};
    assert_int_equal(hol_linearize(r.ctx, r.sim, NULL, &how, &answer), HOL_ERR_ARGUMENT);
    assert_null(answer);
    assert_non_null(strstr(run_last_error(r.ctx)->text, "there is no input 'rod.mz'"));
    how.inputs = good, how.n_outputs = 1, how.outputs = no;
    assert_int_equal(hol_linearize(r.ctx, r.sim, NULL, &how, &answer), HOL_ERR_ARGUMENT);
    assert_non_null(strstr(run_last_error(r.ctx)->text, "there is no output 'angel'"));
    how.n_outputs = 0, how.frequency_from = 5, how.frequency_to = 2;
    assert_int_equal(hol_linearize(r.ctx, r.sim, NULL, &how, &answer), HOL_ERR_ARGUMENT);
    assert_non_null(strstr(run_last_error(r.ctx)->text, "frequencies must rise"));
    assert_int_equal(hol_linearize(r.ctx, NULL, NULL, &how, &answer), HOL_ERR_ARGUMENT);
    run_close(&r);
    described d = describe("bicycle", "roll_rate=0");
    hol_locus_options vary = {.size = sizeof vary, .parameter = "speed", .from = 0, .to = 1};
    assert_int_equal(hol_locus(d.ctx, d.spec, d.options, &vary, &answer), HOL_ERR_ARGUMENT);
    assert_non_null(strstr(run_last_error(d.ctx)->text, "no parameter 'speed'"));
    vary.parameter = "v", vary.to = -1;
    assert_int_equal(hol_locus(d.ctx, d.spec, d.options, &vary, &answer), HOL_ERR_ARGUMENT);
    assert_non_null(strstr(run_last_error(d.ctx)->text, "must rise"));
    forget(&d);
}

/* A state in motion is told to be one: its eigenvalues decide nothing. */
static void test_moving_state(void **unused) {
    (void)unused;
    run r = run_open("bicycle", NULL);
    hol_answer *answer = answer_of(&r, NULL);
    assert_string_equal(text_of(answer, "about"), "state in motion");
    assert_non_null(strstr(text_of(answer, "stability"), "not said"));
    hol_answer_free(answer);
    run_close(&r);
}

/* The first and the last time of tables that end there: as with tables that go on straight. */
static void test_ends_of_tables(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
        "tables: {x: {points: [[0, 0.1], [0.5, 0.31], [0.8, 0.12], [1.4, 0.27]], outside: %s}}\n"
        "bodies:\n  cart: {mass: 1, inertia: 1, position: [0, 0]}\n"
        "  rod: {mass: 2.3, inertia: 0.1, along: [[0, 0], [0, -0.7]]}\n"
        "joints:\n  rail: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}\n"
        "  A: {type: revolute, bodies: [cart, rod], at: [0, 0]}\n"
        "  push: {type: driver, joint: rail, position: x(t)}\n"
        "forces:\n  f: {type: force, body: rod, force: [x(t), 0.2]}\n"
        "simulation: {end: 1.4}\n";
    (void)unused;
    double found[2][2];
    for (int k = 0; k < 4; k++) {
        char model[2048];
        snprintf(model, sizeof model, text, k / 2 ? "straight" : "error");
        run r = run_text(model, NULL);
        run_to(&r, k % 2 ? 1.4 : 0);
        const hol_linearize_options how = {.size = sizeof how};
        hol_answer *answer = answer_of(&r, &how);
        const hol_table t = answer_table(answer, "eigenvalues");
        found[k / 2][k % 2] = cell(&t, 0, "imaginary");
        hol_answer_free(answer);
        run_close(&r);
    }
    for (int k = 0; k < 2; k++) assert_close(found[0][k], found[1][k], 1e-8 * found[1][k]);
}

/* The first mode of a mechanism as a motion: it begins and ends alike, joints are closed, and the
 * displacement is what was asked for. */
static void test_modes(void **unused) {
    (void)unused;
    run r = run_text(four_bar, NULL);
    hol_modes *modes;
    assert_int_equal(hol_modes_new(r.ctx, r.sim, 1, &modes), HOL_OK);
    assert_int_equal(hol_modes_count(modes), 1);
    const double T = hol_modes_time(modes, 0);
    double angle[5], q[9];
    for (int i = 0; i < 5; i++) {
        hol_data *data = hol_sim_data(r.sim);
        assert_int_equal(hol_modes_put(modes, 0, i * T / 4, 0.02, r.sim), HOL_OK);
        hol_data_update(data, HOL_STAGE_VEL);
        assert_true(hol__norm(hol_data_position_residual(data), 8) < 1e-12);
        assert_true(hol__norm(hol_data_velocity_residual(data), 8) < 1e-12);
        memcpy(q, hol_data_q(data), sizeof q);
        angle[i] = q[2];
    }
    assert_close(angle[4], angle[0], 1e-12);
    assert_close(angle[0] + angle[2], angle[1] + angle[3], 0.02 * 0.02 * 4);
    const double swing_of = fmax(fabs(angle[0] - angle[2]), fabs(angle[1] - angle[3]));
    assert_true(swing_of > 0.01 && swing_of <= 0.0401);
    hol_modes_free(modes);
    run_close(&r);
}

/* Equilibrium from a state beside it that moves, where Newton's iteration alone would be stuck: a
 * pendulum at the side, sqrt(m g l/J - (d/2J)^2). */
static void test_equilibrium(void **unused) {
    const double m = 2.3, l = 0.7, J = 0.31 + m * l * l, d = 0.9, k = m * 9.81 * l;
    (void)unused;
    for (int set = 0; set < 3; set++) {
        static const char *const sets[] = {"coordinates=reference", "coordinates=natural",
                                           "coordinates=relative"};
        run r = run_text("holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
                         "  rod: {mass: 2.3, inertia: 0.31, position: [0.7, 0], omega: 2}\n"
                         "joints:\n  hinge: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
                         "forces:\n  damper: {type: torsion, joint: hinge, damping: 0.9}\n"
                         "simulation: {end: 1}\n",
                         sets[set]);
        const hol_linearize_options how = {.size = sizeof how, .settle = 2};
        hol_answer *answer = answer_of(&r, &how);
        const hol_table t = answer_table(answer, "eigenvalues");
        assert_string_equal(text_of(answer, "about"), "equilibrium");
        assert_int_equal(t.rows, 1);
        assert_close(answer_entry(&t, 0, 0), -d / (2 * J), 1e-11);
        assert_close(answer_entry(&t, 0, 1), sqrt(k / J - d * d / (4 * J * J)), 1e-9);
        hol_answer_free(answer);
        run_close(&r);
    }
}

/* Without memory at the k-th place, for all k, every call says so and leaves nothing behind. */
static void test_memory(void **unused) {
    static const char *const inputs[] = {"T", "rod.fx", "base"};
    const hol_linearize_options hows[] = {
        {.size = sizeof *hows, .n_inputs = 3, .inputs = inputs, .n_frequencies = 2},
        {.size = sizeof *hows, .settle = 2},
        {.size = sizeof *hows, .settle = 1, .period = 0.1}};
    (void)unused;
    for (int i = 0; i < 3; i++)
        for (long left = 0, done = 0; !done; left += i == 2 ? 37 : 3) {
            counting c;
            hol_context *ctx = counting_context(&c);
            hol_spec *spec = hol_spec_new(ctx);
            hol_options *options = NULL;
            hol_answer *answer = NULL;
            assert_int_equal(hol_spec_read_text(spec, swing, "swing.yaml"), HOL_OK);
            hol_model *model = hol_model_from_spec(ctx, spec, &options);
            hol_sim *sim = hol_sim_new(ctx, model, options);
            assert_non_null(sim);
            c.fail_at = c.made + 1 + left;
            const hol_status status = hol_linearize(ctx, sim, spec, &hows[i], &answer);
            c.fail_at = 0;
            if (status && status != HOL_ERR_MEMORY) {
                print_error("%d, place %ld: %s\n", i, left, hol_status_name(status));
                run_print_messages(ctx);
            }
            assert_true(status == HOL_OK || status == HOL_ERR_MEMORY);
            done = status == HOL_OK;
            assert_int_equal(answer != NULL, done);
            hol_answer_free(answer);
            hol_sim_free(sim);
            hol_options_free(options);
            hol_model_free(model);
            hol_spec_free(spec);
            hol_context_free(ctx);
            assert_int_equal(c.live, 0);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bicycle),        cmocka_unit_test(test_locus),
        cmocka_unit_test(test_four_bar),       cmocka_unit_test(test_corner),
        cmocka_unit_test(test_governor),       cmocka_unit_test(test_chain),
        cmocka_unit_test(test_chain_moves),    cmocka_unit_test(test_response),
        cmocka_unit_test(test_floquet),        cmocka_unit_test(test_cycle_is_found),
        cmocka_unit_test(test_spectrum),       cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_moving_state),   cmocka_unit_test(test_modes),
        cmocka_unit_test(test_equilibrium),    cmocka_unit_test(test_memory),
        cmocka_unit_test(test_ends_of_tables),
    };
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}

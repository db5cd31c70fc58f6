/* test_own_equations.c: what `equations` tells, as numbers, as formulas and in LaTeX, and what
 * generated code computes, against equations that are written here from the mechanics and know
 * nothing of the library: two poles on a cart by their energies, a slider-crank by the positions of
 * its joints. */
#include "model_fixture.h"

#include "independent/independent.h"

#include <ctype.h>

enum { N = 3 }; /* s, a, b: the cart and the angles of the poles */

/* ---- two poles on a cart, drawn along x ---- */

static const double cart = 1.7, m1 = 0.61, m2 = 0.43, l1 = 0.55, l2 = 0.38, J1 = 0.021, J2 = 0.0083,
                    k = 37.5, c = 0.9, g = 9.81, height = 0.7, free_length = 0.31;
static const double at[2 * N] = {0.2, -0.4, 0.9, 0.7, 1.3, -0.8};

#define POLES                                                                                      \
    "holonom: 1\nspace: planar\ngravity: [0, -g]\n"                                                \
    "parameters: {M: 1.7, m1: 0.61, m2: 0.43, l1: 0.55, l2: 0.38, J1: 0.021, J2: 0.0083, k: "      \
    "37.5, "                                                                                       \
    "c: 0.9, g: 9.81, h: 0.7}\nbodies:\n"                                                          \
    "  cart: {mass: M, inertia: 0.1, position: [0, 0]}\n"                                          \
    "  up: {mass: m1, inertia: J1, position: [0.6*l1, 0]}\n"                                       \
    "  low: {mass: m2, inertia: J2, position: [l1 + 0.5*l2, 0]}\njoints:\n"                        \
    "  s: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0], start: "             \
    "{displacement: 0.2, displacement_rate: 0.7}}\n"                                               \
    "  a: {type: revolute, bodies: [cart, up], at: [0, 0], start: {angle: -0.4, angle_rate: "      \
    "1.3}}\n"                                                                                      \
    "  b: {type: revolute, bodies: [up, low], at: [l1, 0], start: {angle: 0.9, angle_rate: "       \
    "-0.8}}\nforces:\n"                                                                            \
    "  spring: {type: spring, bodies: [ground, low], from: [0, h], to: [l1 + l2, 0], stiffness: "  \
    "k, free_length: 0.31, damping: c}\n"                                                          \
    "  brake: {type: torsion, joint: b, damping: c}\n"                                             \
    "  pull: {type: force, body: cart, force: [5*cos(3*t), 0]}\n"                                  \
    "measures:\n  s: {type: joint_coordinate, joint: s}\n"                                         \
    "  a: {type: joint_coordinate, joint: a}\n  b: {type: joint_coordinate, joint: b}\n"           \
    "simulation: {end: 0.5, tolerance: 1e-11}\n"

/* The velocity of a point along the poles: x of the upper one, y of the lower. */
static number speed2(const number *q, const number *v, double x, double y) {
    const number w = v[1] + v[2], vx = v[0] - x * csin(q[1]) * v[1] - y * csin(q[1] + q[2]) * w,
                 vy = x * ccos(q[1]) * v[1] + y * ccos(q[1] + q[2]) * w;
    return vx * vx + vy * vy;
}

static number kinetic(const number *q, const number *v) {
    const number w = v[1] + v[2];
    return 0.5 * (cart * v[0] * v[0] + m1 * speed2(q, v, 0.6 * l1, 0) + J1 * v[1] * v[1] +
                  m2 * speed2(q, v, l1, 0.5 * l2) + J2 * w * w);
}

static number spring_length(const number *q) {
    const number x = q[0] + l1 * ccos(q[1]) + l2 * ccos(q[1] + q[2]),
                 y = l1 * csin(q[1]) + l2 * csin(q[1] + q[2]) - height;
    return csqrt(x * x + y * y);
}

static number potential(const number *q) {
    const number off = spring_length(q) - free_length;
    return m1 * g * 0.6 * l1 * csin(q[1]) +
           m2 * g * (l1 * csin(q[1]) + 0.5 * l2 * csin(q[1] + q[2])) + 0.5 * k * off * off;
}

static void force(double t, const double *q, const double *v, double *Q) {
    double by[N], rate = 0;
    for (int i = 0; i < N; i++) {
        number x[N] = {q[0], q[1], q[2]};
        x[i] += 1e-30 * I;
        by[i] = cimag(spring_length(x)) / 1e-30;
        rate += by[i] * v[i];
    }
    for (int i = 0; i < N; i++) Q[i] = -c * rate * by[i];
    Q[0] += 5 * cos(3 * t);
    Q[2] -= c * v[2];
}

static const mechanism poles = {.n = N, .kinetic = kinetic, .potential = potential, .force = force};

static void poles_rates(double t, const double *y, double *ydot) {
    lagrange(&poles, t, y, ydot);
}

/* M, Q and accelerations at the start. */
static void test_numbers(void **unused) {
    double own[MOST][MOST + 1], rates[2 * N];
    (void)unused;
    run r = run_text(POLES, "coordinates=relative");
    hol_answer *answer = NULL;
    assert_int_equal(hol_equations(r.ctx, r.sim, &answer), HOL_OK);
    equations(&poles, 0, at, own);
    poles_rates(0, at, rates);
    const hol_table M = answer_table(answer, "M"), Q = answer_table(answer, "Q"),
                    a = answer_table(answer, "accelerations"),
                    system = answer_table(answer, "system");
    assert_int_equal(M.rows, N);
    for (int i = 0; i < N; i++) {
        /* rounding of numbers up to 30 N and 600 rad/s^2 */
        for (int j = 0; j < N; j++) check_near("M", answer_entry(&M, i, j), own[i][j], 1e-15);
        for (int j = 0; j < N; j++)
            check_near("system", answer_entry(&system, i, j), own[i][j], 1e-15);
        check_near("Q", answer_entry(&Q, i, 0), own[i][N], 1e-13);
        check_near("right", answer_entry(&system, i, N), own[i][N], 1e-13);
        check_near("v'", answer_entry(&a, i, 0), rates[N + i], 1e-11);
    }
    hol_answer_free(answer);
    run_close(&r);
}

/* ---- formulas, read and evaluated here ---- */

typedef struct name {
    const char *text, *latex;
    double value;
} name;

typedef struct reader {
    const char *at;
    int latex;
    const name *names; /* longer ones first where one begins with another; NULL text ends them */
} reader;

static double sum_of(reader *r);

static int taken(reader *r, const char *word) {
    while (*r->at == ' ') r->at++;
    if (strncmp(r->at, word, strlen(word)) != 0) return 0;
    r->at += strlen(word);
    return 1;
}

static double closed(reader *r, const char *end) {
    const double x = sum_of(r);
    if (!taken(r, end)) fail_msg("no '%s' before '%.40s'", end, r->at);
    return x;
}

static double in_brackets(reader *r) {
    if (!taken(r, r->latex ? "\\left(" : "(")) fail_msg("no bracket before '%.40s'", r->at);
    return closed(r, r->latex ? "\\right)" : ")");
}

static double primary(reader *r) {
    char *end;
    if (taken(r, r->latex ? "\\left(" : "(")) return closed(r, r->latex ? "\\right)" : ")");
    if (taken(r, "\\frac{")) {
        const double above = closed(r, "}");
        if (!taken(r, "{")) fail_msg("no denominator before '%.40s'", r->at);
        return above / closed(r, "}");
    }
    if (taken(r, "\\sqrt{")) return sqrt(closed(r, "}"));
    if (taken(r, "sqrt")) return sqrt(in_brackets(r));
    if (taken(r, r->latex ? "\\sin" : "sin")) return sin(in_brackets(r));
    if (taken(r, r->latex ? "\\cos" : "cos")) return cos(in_brackets(r));
    for (const name *n = r->names; n->text; n++)
        if (taken(r, r->latex ? n->latex : n->text)) return n->value;
    const double x = strtod(r->at, &end);
    if (end == r->at) fail_msg("nothing known at '%.40s'", r->at);
    r->at = end;
    return x;
}

static double power_of(reader *r) {
    const double x = primary(r);
    if (!taken(r, "^")) return x;
    return pow(x, taken(r, "{") ? closed(r, "}") : primary(r));
}

static double product_of(reader *r) {
    double x = taken(r, "-") ? -product_of(r) : power_of(r);
    for (;;)
        if (taken(r, r->latex ? "\\," : "*"))
            x *= power_of(r);
        else if (!r->latex && taken(r, "/"))
            x /= power_of(r);
        else
            return x;
}

static double sum_of(reader *r) {
    double x = product_of(r);
    for (;;)
        if (taken(r, "+"))
            x += product_of(r);
        else if (taken(r, "-"))
            x -= product_of(r);
        else
            return x;
}

static double value_of(const char *text, int latex, const name *names) {
    reader r = {text, latex, names};
    const double x = sum_of(&r);
    if (*r.at) fail_msg("'%.40s' is left of '%s'", r.at, text);
    return x;
}

/* The terms as formulas of everything, at a state that is not that of the file. */
static void test_formulas(void **unused) {
    static const double y[2 * N] = {-0.31, 1.1, -0.6, 0.45, -2.1, 1.7};
    const number q[N] = {y[0], y[1], y[2]};
    const double t = 0.37, h = 1e-30;
    number along[N];
    double own[MOST][MOST + 1];
    (void)unused;
    for (int i = 0; i < N; i++) along[i] = y[i] + h * y[N + i] * I;
    const name names[] = {
        {"l_spring'", "\\dot{l}_{\\mathrm{spring}}", cimag(spring_length(along)) / h},
        {"l_spring", "l_{\\mathrm{spring}}", creal(spring_length(q))},
        {"s'", "\\dot{s}_{s}", y[3]},
        {"a'", "\\dot{\\varphi}_{a}", y[4]},
        {"b'", "\\dot{\\varphi}_{b}", y[5]},
        {"s", "s_{s}", y[0]},
        {"a", "\\varphi_{a}", y[1]},
        {"b", "\\varphi_{b}", y[2]},
        {"m1", "m_{1}", m1},
        {"m2", "m_{2}", m2},
        {"l1", "l_{1}", l1},
        {"l2", "l_{2}", l2},
        {"J1", "J_{1}", J1},
        {"J2", "J_{2}", J2},
        {"M", "M", cart},
        {"k", "k", k},
        {"c", "c", c},
        {"g", "g", g},
        {"h", "h", height},
        {"t", "t", t},
        {NULL, NULL, 0},
    };
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_answer *answer = NULL;
    assert_int_equal(hol_spec_read_text(spec, POLES, "poles.yaml"), HOL_OK);
    assert_int_equal(hol_spec_set(spec, "simulation.coordinates", "relative", NULL), HOL_OK);
    assert_int_equal(hol_equations_symbolic(ctx, spec, NULL, &answer), HOL_OK);
    equations(&poles, t, y, own);
    const hol_table M = answer_table(answer, "M"), Q = answer_table(answer, "Q");
    for (int i = 0; i < N; i++)
        for (int latex = 0; latex < 2; latex++) {
            const char *const *m = latex ? M.latex : M.formulas, *const *f =
                                                                     latex ? Q.latex : Q.formulas;
            for (int j = 0; j < N; j++)
                check_near("M", value_of(m[N * i + j], latex, names), own[i][j], 1e-15);
            check_near("Q", value_of(f[i], latex, names), own[i][N], 1e-13);
        }
    hol_answer_free(answer);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* ---- generated code ---- */

/* A run with compiled code against an integration of our own: some 1e3 steps, each good for the
 * tolerance of 1e-11. */
static void test_code(void **unused) {
    const motion own = {.n = 2 * N, .step = 1e-3, .f = poles_rates};
    double y[2 * N];
    hol_code *code = NULL;
    (void)unused;
    if (system("cc --version >/dev/null 2>&1") != 0) skip();
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_options *options = NULL;
    assert_int_equal(hol_spec_read_text(spec, POLES, "poles.yaml"), HOL_OK);
    assert_int_equal(run_settings(spec, "coordinates=relative method=direct-correction"), HOL_OK);
    hol_model *model = hol_model_from_spec(ctx, spec, &options);
    hol_sim *sim = hol_sim_new(ctx, model, options);
    assert_non_null(sim);
    assert_int_equal(hol_code_new(ctx, spec, NULL, &code), HOL_OK);
    assert_int_equal(hol_sim_use_code(sim, code), HOL_OK);
    assert_int_equal(hol_sim_run(sim, NULL), HOL_OK);
    assert_int_equal(sim_info(sim).beside_code, 0);
    double states[4 * N];
    integrate(&own, at, 2, 0.5, 1e-3, states);
    memcpy(y, states + 2 * N, sizeof y);
    for (int i = 0; i < N; i++) {
        double x;
        assert_int_equal(hol_data_measure(hol_sim_data(sim), i, &x), HOL_OK);
        check_near("generated", x, y[i], 1e-9);
    }
    hol_sim_free(sim);
    hol_code_free(code);
    hol_model_free(model);
    hol_options_free(options);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* ---- a slider-crank with an offset, in reference-point coordinates ---- */

enum { NQ = 9, ROWS = 8 };

static const double r1 = 0.17, r2 = 0.52, offset = 0.06, theta = 0.83, omega = 2.9,
                    masses[NQ] = {0.9, 0.9, 0.004, 1.3, 1.3, 0.03, 2.1, 2.1, 0.05};

/* Phi of the joints O, P, B and of the guide. */
static void positions(const number *q, number *Phi) {
    Phi[0] = q[0] - 0.4 * r1 * ccos(q[2]);
    Phi[1] = q[1] - 0.4 * r1 * csin(q[2]);
    Phi[2] = q[0] + 0.6 * r1 * ccos(q[2]) - (q[3] - 0.5 * r2 * ccos(q[5]));
    Phi[3] = q[1] + 0.6 * r1 * csin(q[2]) - (q[4] - 0.5 * r2 * csin(q[5]));
    Phi[4] = q[3] + 0.5 * r2 * ccos(q[5]) - q[6];
    Phi[5] = q[4] + 0.5 * r2 * csin(q[5]) - q[7];
    Phi[6] = q[7] - offset;
    Phi[7] = q[8];
}

/* A by imaginary steps; c = -A' v by central differences of A along v, fourth order. */
static void jacobian(const double *q, double A[ROWS][NQ]) {
    for (int j = 0; j < NQ; j++) {
        number x[NQ], Phi[ROWS];
        for (int i = 0; i < NQ; i++) x[i] = q[i] + (i == j ? 1e-30 * I : 0);
        positions(x, Phi);
        for (int i = 0; i < ROWS; i++) A[i][j] = cimag(Phi[i]) / 1e-30;
    }
}

static void right_side(const double *q, const double *v, double *out) {
    static const double weight[4] = {1. / 12, -8. / 12, 8. / 12, -1. / 12},
                        place[4] = {-2, -1, 1, 2};
    const double h = 1e-3;
    for (int i = 0; i < ROWS; i++) out[i] = 0;
    for (int s = 0; s < 4; s++) {
        double x[NQ], A[ROWS][NQ];
        for (int j = 0; j < NQ; j++) x[j] = q[j] + h * place[s] * v[j];
        jacobian(x, A);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < NQ; j++) out[i] -= weight[s] / h * A[i][j] * v[j];
    }
}

typedef struct terms {
    double A[ROWS][NQ], c[ROWS], Q[NQ];
} terms;

/* All of it at the start, rows with the signs of the library. */
static terms slider_crank(const hol_table *A) {
    const double px = r1 * cos(theta), py = r1 * sin(theta), beta = asin((offset - py) / r2),
                 rate = -r1 * omega * cos(theta) / (r2 * cos(beta));
    const double q[NQ] = {0.4 * px,
                          0.4 * py,
                          theta,
                          px + 0.5 * r2 * cos(beta),
                          py + 0.5 * r2 * sin(beta),
                          beta,
                          px + r2 * cos(beta),
                          offset,
                          0};
    const double v[NQ] = {-0.4 * py * omega,
                          0.4 * px * omega,
                          omega,
                          -py * omega - 0.5 * r2 * sin(beta) * rate,
                          px * omega + 0.5 * r2 * cos(beta) * rate,
                          rate,
                          -py * omega - r2 * sin(beta) * rate,
                          0,
                          0};
    terms out = {.Q = {[1] = -0.9 * 9.81, [4] = -1.3 * 9.81, [6] = -7.5, [7] = -2.1 * 9.81}};
    jacobian(q, out.A);
    right_side(q, v, out.c);
    for (int i = 0; i < ROWS; i++) {
        double dot = 0;
        for (int j = 0; j < NQ; j++) dot += out.A[i][j] * A->values[i * NQ + j];
        for (int j = 0; j < NQ && dot < 0; j++) out.A[i][j] *= -1;
        if (dot < 0) out.c[i] *= -1;
    }
    return out;
}

static void write_slider_crank(char *text, size_t room) {
    const double px = r1 * cos(theta), py = r1 * sin(theta), beta = asin((offset - py) / r2),
                 bx = px + r2 * cos(beta);
    snprintf(text, room,
             "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
             "  crank: {mass: 0.9, inertia: 0.004, position: [%.17g, %.17g], angle: %.17g}\n"
             "  rod: {mass: 1.3, inertia: 0.03, position: [%.17g, %.17g], angle: %.17g}\n"
             "  slider: {mass: 2.1, inertia: 0.05, position: [%.17g, %.17g]}\njoints:\n"
             "  O: {type: revolute, bodies: [ground, crank], at: [0, 0], start: {angle_rate: "
             "%.17g}}\n"
             "  P: {type: revolute, bodies: [crank, rod], at: [%.17g, %.17g]}\n"
             "  B: {type: revolute, bodies: [rod, slider], at: [%.17g, %.17g]}\n"
             "  guide: {type: prismatic, bodies: [ground, slider], at: [%.17g, %.17g], axis: [1, "
             "0]}\nforces:\n  push: {type: force, body: slider, force: [-7.5, 0]}\n"
             "simulation: {end: 1}\n",
             0.4 * px, 0.4 * py, theta, px + 0.5 * r2 * cos(beta), py + 0.5 * r2 * sin(beta), beta,
             bx, offset, omega, px, py, bx, offset, bx, offset);
}

/* The system of a kernel, from the terms: entry (i, j), the right-hand side in column `size`. */
static double kkt_entry(const terms *x, int i, int j) {
    if (j == NQ + ROWS) return i < NQ ? x->Q[i] : x->c[i - NQ];
    if (i < NQ && j < NQ) return i == j ? masses[i] : 0;
    return i < NQ ? x->A[j - NQ][i] : j < NQ ? x->A[i - NQ][j] : 0;
}

static double schur_entry(const terms *x, int i, int j) {
    double sum = j == ROWS ? -x->c[i] : 0;
    for (int n = 0; n < NQ; n++) sum += x->A[i][n] / masses[n] * (j == ROWS ? x->Q[n] : x->A[j][n]);
    return sum;
}

static double penalty_entry(const terms *x, int i, int j) {
    double sum = j == NQ ? x->Q[i] : i == j ? masses[i] : 0;
    for (int n = 0; n < ROWS; n++) sum += 1e7 * 2.1 * x->A[n][i] * (j == NQ ? x->c[n] : x->A[n][j]);
    return sum;
}

static void test_systems(void **unused) {
    static const struct {
        const char *settings;
        int size;
        double (*entry)(const terms *, int, int);
        double near;
    } kernels[] = {
        {"method=lagrange kernel=kkt", NQ + ROWS, kkt_entry, 1e-10},
        {"method=lagrange kernel=schur", ROWS, schur_entry, 1e-10},
        /* alpha is 1e7 times the largest mass, c known to 1e-11 */
        {"method=penalty penalty=1e7", NQ, penalty_entry, 1e-3},
    };
    char text[2048];
    (void)unused;
    write_slider_crank(text, sizeof text);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        char settings[128];
        snprintf(settings, sizeof settings, "coordinates=reference %s", kernels[i].settings);
        run r = run_text(text, settings);
        hol_answer *answer = NULL;
        assert_int_equal(hol_equations(r.ctx, r.sim, &answer), HOL_OK);
        const hol_table A = answer_table(answer, "A"), system = answer_table(answer, "system"),
                        right = answer_table(answer, "c"), R = answer_table(answer, "R");
        const terms x = slider_crank(&A);
        assert_int_equal(A.rows, ROWS);
        assert_int_equal(system.rows, kernels[i].size);
        for (int row = 0; row < ROWS; row++) {
            double off = 0;
            for (int j = 0; j < NQ; j++)
                check_near("A", answer_entry(&A, row, j), x.A[row][j], 1e-14);
            for (int j = 0; j < NQ; j++) off += x.A[row][j] * answer_entry(&R, j, 0);
            check_near("A R", off, 0, 1e-14);
            check_near("c", answer_entry(&right, row, 0), x.c[row], 1e-10);
        }
        for (int a = 0; a < kernels[i].size; a++)
            for (int b = 0; b <= kernels[i].size; b++)
                check_near(kernels[i].settings, answer_entry(&system, a, b),
                           kernels[i].entry(&x, a, b), kernels[i].near);
        hol_answer_free(answer);
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers),
                                       cmocka_unit_test(test_formulas), cmocka_unit_test(test_code),
                                       cmocka_unit_test(test_systems)};
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}

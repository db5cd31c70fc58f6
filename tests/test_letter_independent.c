/* test_letter_independent.c: independent coordinates that the user gives [GJB 5.54], by name or as
 * rows of a matrix B, against the algorithms written from the equations here, with dense matrices
 * and Gauss:
 *
 *     [A; B] v = [b; z'],   R: [A; B] R = [0; 1],   S c: [A; B] x = [c; 0]          (5.60), (5.61)
 *     R^T M R z'' = R^T (Q - M S c)                                                 (5.67)
 *     algorithm 5-4    (q, z')                                                      (5.58), (5.70)
 *     algorithm 5-5    (z, z'), q from Phi(q) = 0, B d = z                          (5.56)
 *     algorithm 5-7    (z, y): R^T M R z' = y - R^T M S b, y' = R^T (Q + M' v) + R'^T M v,
 *                      [A; B] R' = [-A' R; 0]
 *
 * and problems 5/2 and 5/3 of the book with its own R for z = x2.
 */
#include "plain.h"

#include "sim/sim.h"

static const double STEP = 2e-3;

/* ---- the algorithms ---- */

/* A term of a row of B. */
typedef struct term {
    int row;
    const char *name;
    double factor;
} term;

typedef struct independent {
    plain p;
    const hol_model *model;
    int f, reduced, canonical; /* z instead of q, y instead of z' */
    double B[PLAIN2];
    double base[PLAIN], d[PLAIN]; /* q at the start of the step, and the last increments */
} independent;

/* X of [A; B] X = [top; bottom] with k right-hand sides; NULL: zeros. */
static void solve(const independent *in, const double *top, const double *bottom, int k,
                  double *X) {
    const int n = in->p.nv, m = in->p.m;
    double K[PLAIN2], F[PLAIN2] = {0};
    assert_int_equal(m + in->f, n);
    memcpy(K, in->p.A, sizeof *K * (size_t)(m * n));
    memcpy(K + m * n, in->B, sizeof *K * (size_t)(in->f * n));
    if (top) memcpy(F, top, sizeof *F * (size_t)(m * k));
    if (bottom) memcpy(F + m * k, bottom, sizeof *F * (size_t)(in->f * k));
    plain_solve(K, F, n, k, X);
}

/* R (n x f) at the state in p. */
static void make_R(const independent *in, double *R) {
    double one[PLAIN2] = {0};
    for (int k = 0; k < in->f; k++) one[k * in->f + k] = 1;
    solve(in, NULL, one, in->f, R);
}

/* R^T M R, and R^T x. */
static void reduce(const independent *in, const double *R, const double *x, double *RMR,
                   double *Rx) {
    const int n = in->p.nv, f = in->f;
    double Rt[PLAIN2], MR[PLAIN2];
    plain_transpose(R, n, f, Rt);
    plain_mul(in->p.M, R, n, n, f, MR);
    plain_mul(Rt, MR, f, n, f, RMR);
    plain_mul(Rt, x, f, n, 1, Rx);
}

/* z'' of (5.67) at the state in p. */
static void accelerations(const independent *in, double *zdd) {
    const int n = in->p.nv;
    double R[PLAIN2], Sc[PLAIN], MSc[PLAIN], RMR[PLAIN2], g[PLAIN];
    make_R(in, R);
    solve(in, in->p.c, NULL, 1, Sc);
    plain_mul(in->p.M, Sc, n, n, 1, MSc);
    for (int i = 0; i < n; i++) MSc[i] = in->p.Q[i] - MSc[i];
    reduce(in, R, MSc, RMR, g);
    plain_solve(RMR, g, in->f, 1, zdd);
}

/* z' from y = R^T p at the positions in p. */
static void velocity_of_momentum(const independent *in, const double *y, double *zd) {
    const int n = in->p.nv;
    double R[PLAIN2], Sb[PLAIN], MSb[PLAIN], RMR[PLAIN2], g[PLAIN];
    make_R(in, R);
    solve(in, in->p.b, NULL, 1, Sb);
    plain_mul(in->p.M, Sb, n, n, 1, MSb);
    reduce(in, R, MSb, RMR, g);
    for (int k = 0; k < in->f; k++) g[k] = y[k] - g[k];
    plain_solve(RMR, g, in->f, 1, zd);
}

/* y' at the state in p. */
static void momentum_rate(const independent *in, double *yd) {
    const int n = in->p.nv, m = in->p.m, f = in->f;
    hol_data *data = in->p.data;
    double R[PLAIN2], Rt[PLAIN2], Rd[PLAIN2], Ad[PLAIN2], AdR[PLAIN2], Mv[PLAIN], force[PLAIN],
        part[PLAIN];
    hol__csr rows = data->A;
    hol__data_adot(data);
    rows.x = data->Adot;
    hol__csr_to_dense(&rows, Ad);
    memcpy(force, in->p.Q, sizeof *force * (size_t)n);
    hol__data_add_momentum_rate(data, force);
    make_R(in, R);
    plain_mul(Ad, R, m, n, f, AdR);
    for (int i = 0; i < m * f; i++) AdR[i] = -AdR[i];
    solve(in, AdR, NULL, f, Rd);
    plain_transpose(R, n, f, Rt);
    plain_mul(Rt, force, f, n, 1, yd);
    plain_mul(in->p.M, in->p.v, n, n, 1, Mv);
    plain_transpose(Rd, n, f, Rt);
    plain_mul(Rt, Mv, f, n, 1, part);
    for (int k = 0; k < f; k++) yd[k] += part[k];
}

/* q and v of (z or d, z' or y): everything in p at them. */
static void unpack(independent *in, double t, const double *y) {
    const int n = in->p.nv, m = in->p.m, f = in->f, np = in->reduced ? f : n;
    double q[PLAIN], v[PLAIN] = {0}, x[PLAIN], r[PLAIN], w[PLAIN], zd[PLAIN];
    if (!in->reduced) memcpy(in->d, y, sizeof *in->d * (size_t)n);
    for (int k = 0; k < (in->reduced ? 25 : 1); k++) {
        in->model->coords->plus(in->model, in->base, in->d, q);
        plain_at(&in->p, t, q, v);
        if (!in->reduced) break;
        for (int i = 0; i < m; i++) r[i] = -in->p.Phi[i];
        plain_mul(in->B, in->d, f, n, 1, w);
        for (int i = 0; i < f; i++) w[i] = y[i] - w[i];
        solve(in, r, w, 1, x);
        for (int i = 0; i < n; i++) in->d[i] += x[i];
    }
    memcpy(zd, y + np, sizeof *zd * (size_t)f);
    if (in->canonical) velocity_of_momentum(in, y + np, zd);
    solve(in, in->p.b, zd, 1, v);
    plain_at(&in->p, t, q, v);
}

/* y' at the state in p. */
static void rate(independent *in, double *yd) {
    const int n = in->p.nv, f = in->f, np = in->reduced ? f : n;
    double dd[PLAIN];
    in->model->coords->rate(in->model, in->d, in->p.v, dd);
    if (in->reduced)
        plain_mul(in->B, dd, f, n, 1, yd);
    else
        memcpy(yd, dd, sizeof *yd * (size_t)n);
    if (in->canonical)
        momentum_rate(in, yd + np);
    else
        accelerations(in, yd + np);
}

/* One step of classical Runge–Kutta from q, v, to p. */
static void step(independent *in, double t, const double *q, const double *v) {
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    const int n = in->p.nv, f = in->f, np = in->reduced ? f : n, size = np + f;
    double y0[2 * PLAIN] = {0}, y[2 * PLAIN], k[2 * PLAIN] = {0}, sum[2 * PLAIN] = {0};
    memcpy(in->base, q, sizeof *q * (size_t)in->p.nq);
    memset(in->d, 0, sizeof in->d);
    plain_at(&in->p, t, q, v);
    if (in->canonical) {
        double R[PLAIN2], Mv[PLAIN], RMR[PLAIN2];
        make_R(in, R);
        plain_mul(in->p.M, v, n, n, 1, Mv);
        reduce(in, R, Mv, RMR, y0 + np);
    } else
        plain_mul(in->B, v, f, n, 1, y0 + np);
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < size; i++) y[i] = y0[i] + STEP * at[s] * k[i];
        unpack(in, t + STEP * at[s], y);
        rate(in, k);
        for (int i = 0; i < size; i++) sum[i] += weight[s] * k[i];
    }
    for (int i = 0; i < size; i++) y[i] = y0[i] + STEP / 6 * sum[i];
    unpack(in, t + STEP, y);
}

/* ---- against the library ---- */

/* The index of a velocity. */
static int velocity(const hol_model *model, const char *name) {
    char text[128];
    for (int i = 0; !hol_model_velocity_name(model, i, text, sizeof text); i++)
        if (strcmp(text, name) == 0) return i;
    fail_msg("there is no velocity '%s'", name);
    return -1;
}

/* The rows as the option has them: "0.3*a-2*b,c". */
static void write_option(const term *terms, int n, char *text, size_t size) {
    size_t used = 0;
    for (int i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%+.17g*%s",
                                 i && terms[i].row != terms[i - 1].row ? "," : "", terms[i].factor,
                                 terms[i].name);
}

/* Ten steps, each of both from the same state: accelerations of some 100 m/s^2 and matrices of
 * condition 1e4 times 2 ms leave 2e-13 (test_plain.c), positions are solved for to rounding. */
static void follow(const plain_subject *s, const char *method, const term *terms, int n) {
    char settings[768], option[512];
    double q[PLAIN], v[PLAIN];
    write_option(terms, n, option, sizeof option);
    snprintf(settings, sizeof settings, "method=%s step=%g end=100 independent=%s", method, STEP,
             option);
    run r = run_open(s->file, settings);
    independent in = {.p = plain_open(&r), .model = r.model, .f = terms[n - 1].row + 1};
    in.canonical = strcmp(method, "canonical-independent") == 0;
    in.reduced = in.canonical || !strstr(method, "extended");
    for (int i = 0; i < n; i++)
        in.B[terms[i].row * in.p.nv + velocity(r.model, terms[i].name)] += terms[i].factor;
    plain_start(s, 0, q, v);
    assert_int_equal(hol_sim_restart(r.sim, s->t, q, v), HOL_OK);
    for (int k = 0; k < 10; k++) {
        const hol_data *data = hol_sim_data(r.sim);
        const double t = hol_data_time(data);
        memcpy(q, data->q, sizeof *q * (size_t)in.p.nq);
        memcpy(v, data->v, sizeof *v * (size_t)in.p.nv);
        assert_int_equal(hol_sim_step(r.sim), HOL_OK);
        step(&in, t, q, v);
        check_near(settings, plain_difference(&in.p, in.p.q, in.p.v, data->q, data->v), 0, 1e-12);
    }
    assert_int_equal(sim_info(r.sim).coordinate_changes, 0);
    plain_close(&in.p);
    run_close(&r);
}

static const term by_name[] = {{0, "follower.angle", 1}};
static const term plane[] = {{0, "crank.angle", 0.7}, {0, "coupler.x", -0.3}, {0, "follower.y", 2}};
static const term space[] = {
    {0, "crank.omega_y", 1.3}, {0, "rod.omega_z", -0.4}, {0, "slider.x", 0.9}};
static const term rolling[] = {{0, "rear.omega_y", 1},   {0, "frame.x", 0.2},
                               {1, "frame.omega_x", 1},  {1, "fork.omega_z", -0.3},
                               {2, "fork.omega_z", 0.8}, {2, "front.omega_y", 0.1}};

#define TERMS(list) list, (int)(sizeof(list) / sizeof *(list))

/* Algorithms 5-4 and 5-5, with (5.67) and, as partitioning has it, with accelerations of (5.10), of
 * which B takes the independent ones; 5-7 with momenta. */
static void the_algorithms(void **unused) {
    (void)unused;
    static const char *const methods[] = {"independent", "independent-extended", "partitioning",
                                          "partitioning-extended", "canonical-independent"};
    for (int k = 0; k < 5; k++) {
        follow(&plain_subjects[0], methods[k], TERMS(by_name));
        follow(&plain_subjects[0], methods[k], TERMS(plane));
        follow(&plain_subjects[1], methods[k], TERMS(space));
        if (strstr(methods[k], "extended")) follow(&plain_subjects[2], methods[k], TERMS(rolling));
    }
}

/* ---- problems 5/2 and 5/3 ---- */

/* The slider-crank by P1 and x2, as the book has it, L = 1: R of z = x2, and R'. */
typedef struct crank {
    double x1, y1, z, zd;
    double R[3], Rd[3];
} crank;

/* From z and z': x1^2 + y1^2 = 1, (z - x1)^2 + y1^2 = 4; v = R z', R' by the product rule. */
static crank crank_at(double z, double zd) {
    crank c = {.z = z, .zd = zd, .x1 = (z * z - 3) / (2 * z)};
    c.y1 = sqrt(1 - c.x1 * c.x1);
    c.R[0] = (z - c.x1) / z, c.R[1] = -c.x1 * (z - c.x1) / (z * c.y1), c.R[2] = 1;
    const double x1d = c.R[0] * zd, y1d = c.R[1] * zd;
    c.Rd[0] = (zd - x1d) / z - (z - c.x1) * zd / (z * z);
    c.Rd[1] = c.R[1] * (x1d / c.x1 + (zd - x1d) / (z - c.x1) - zd / z - y1d / c.y1);
    return c;
}

/* a . M b, with the masses of the two rods and the slider: 1, 2, 1. */
static double by_mass(const double a[3], const double b[3]) {
    const double both = (1 + 2) / 3.0, across = 2 / 6.0, end = 2 / 3.0 + 1;
    return both * (a[0] * b[0] + a[1] * b[1]) + end * a[2] * b[2] +
           across * (a[0] * b[2] + a[2] * b[0]);
}

/* R^T Q: half of each rod hangs at P1. */
static double weight(const crank *c) {
    return -9.81 * (1 + 2) / 2.0 * c->R[1];
}

/* (5.67): z'' of z, z'. */
static void by_velocity(const double y[2], double yd[2]) {
    const crank c = crank_at(y[0], y[1]);
    yd[0] = y[1];
    yd[1] = (weight(&c) - by_mass(c.R, c.Rd) * y[1]) / by_mass(c.R, c.R);
}

/* (5.111), (5.112): y = R^T M R z'. */
static void by_momentum(const double y[2], double yd[2]) {
    const crank still = crank_at(y[0], 0);
    yd[0] = y[1] / by_mass(still.R, still.R);
    const crank c = crank_at(y[0], yd[0]);
    yd[1] = weight(&c) + by_mass(c.Rd, c.R) * yd[0];
}

typedef void crank_fn(const double y[2], double yd[2]);

static void crank_step(crank_fn *f, double h, double y[2]) {
    static const double at[4] = {0, 0.5, 0.5, 1}, share[4] = {1, 2, 2, 1};
    double k[2] = {0}, sum[2] = {0}, x[2];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 2; i++) x[i] = y[i] + h * at[s] * k[i];
        f(x, k);
        for (int i = 0; i < 2; i++) sum[i] += share[s] * k[i];
    }
    for (int i = 0; i < 2; i++) y[i] += h / 6 * sum[i];
}

/* Forty steps of 10 ms from rest at 60 degrees. R is 3 at most on the way and errors of rounding
 * grow with it: 40 times 1e-15 times 10. */
static void problems_5_2_and_5_3(void **unused) {
    (void)unused;
    static const struct {
        const char *file, *method;
        crank_fn *f;
    } parts[] = {{"gjb/problem_5_2", "independent", by_velocity},
                 {"gjb/problem_5_2", "partitioning", by_velocity},
                 {"gjb/problem_5_3", "canonical-independent", by_momentum}};
    for (int k = 0; k < 3; k++) {
        char settings[128];
        double y[2] = {0.5 + sqrt(4 - 0.75), 0};
        snprintf(settings, sizeof settings, "method=%s independent=P2.x step=0.01 tolerance=1e-9",
                 parts[k].method);
        run r = run_open(parts[k].file, settings);
        const int x2 = velocity(r.model, "P2.x"), y1 = velocity(r.model, "P1.y");
        for (int i = 0; i < 40; i++) {
            assert_int_equal(hol_sim_step(r.sim), HOL_OK);
            crank_step(parts[k].f, 0.01, y);
            const hol_data *data = hol_sim_data(r.sim);
            check_near(parts[k].method, data->q[x2], y[0], 1e-12);
            check_near(parts[k].method, data->q[y1], crank_at(y[0], 0).y1, 1e-12);
        }
        run_close(&r);
    }
}

/* ---- what cannot be ---- */

/* Set up the four-bar with lines of a file; whether it is refused with the words, at the place. */
static void check_refused(const char *lines, int line, int column, const char *words) {
    char text[1024], path[1024];
    snprintf(text, sizeof text, "holonom: 1\ninclude: four_bar.yaml\n%s", lines);
    snprintf(path, sizeof path, "%s/test.yaml", HOLONOM_TEST_MODELS);
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_options *options = NULL;
    hol_model *model = NULL;
    hol_sim *sim = NULL;
    if (!hol_spec_read_text(spec, text, path)) model = hol_model_from_spec(ctx, spec, &options);
    if (model) sim = hol_sim_new(ctx, model, options);
    const int count = hol_message_count(ctx);
    if (sim || !count) fail_msg("not refused: %s", lines);
    const hol_message *m = hol_message_get(ctx, count - 1);
    if (!strstr(m->text, words) || m->where.line != line || m->where.column != column) {
        run_print_messages(ctx);
        fail_msg("wanted '%s' at %d:%d for %s", words, line, column, lines);
    }
    hol_sim_free(sim);
    hol_options_free(options);
    hol_model_free(model);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

static void wrong_ones_are_refused(void **unused) {
    (void)unused;
    static const struct {
        const char *lines;
        int line, column;
        const char *words;
    } cases[] = {
        {"simulation:\n  method: partitioning\n  independent: [crank.angel]", 5, 17,
         "no 'crank.angel'; did you mean 'crank.angle'?"},
        {"simulation:\n  method: partitioning\n  independent: crank.angel", 5, 16,
         "did you mean 'crank.angle'?"},
        {"simulation:\n  method: partitioning\n  independent:\n    - crank.angle\n    - coupler.x",
         6, 5, "2 given, and the mechanism has 1 degree of freedom; these would do: crank.angle"},
        {"simulation:\n  method: partitioning\n  independent: [2*crank.x - nan*crank.y]", 5, 17,
         "a factor is not a finite number"},
        {"simulation:\n  method: partitioning\n  independent: [crank.x - 1.0*crank.x]", 5, 17,
         "its terms cancel"},
        {"simulation:\n  method: partitioning\n  independent: [crank.x +]", 5, 17,
         "a name is missing"},
        {"simulation:\n  method: partitioning\n  independent: [crank.x crank.y]", 5, 17,
         "after a name stands + or -, not 'crank.y'"},
        {"simulation:\n  method: partitioning\n  independent: [[crank.x]]", 5, 17,
         "takes texts, found a list"},
        {"simulation:\n  method: partitioning\n  independent: {crank.x: 1}", 5, 16,
         "takes a list such as [crank.angle], found a map"},
        {"simulation:\n  method: lagrange\n  independent: [crank.angle]", 5, 16,
         "it has no independent coordinates"},
        {"simulation:\n  method: nullspace\n  independent: [crank.angle]", 5, 16,
         "the same for every basis R"},
        {"simulation:\n  method: independent\n  basis: svd\n  independent: [crank.angle]", 6, 16,
         "leave the basis out"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_refused(cases[i].lines, cases[i].line, cases[i].column, cases[i].words);
}

/* Whether a run of a model is refused at its start, or ends on its way, with the words. */
static void check_fails(const char *file, const char *settings, int at_start, const char *words) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.yaml", HOLONOM_TEST_MODELS, file);
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_options *options = NULL;
    assert_int_equal(hol_spec_read_file(spec, path), HOL_OK);
    assert_int_equal(run_settings(spec, settings), HOL_OK);
    hol_model *model = hol_model_from_spec(ctx, spec, &options);
    hol_sim *sim = model ? hol_sim_new(ctx, model, options) : NULL;
    if ((sim == NULL) != at_start || (sim && !hol_sim_run(sim, NULL)) || !said(ctx, words)) {
        run_print_messages(ctx);
        fail_msg("%s with %s: wanted '%s'", file, settings, words);
    }
    hol_sim_free(sim);
    hol_options_free(options);
    hol_model_free(model);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

static void dependent_ones_are_refused(void **unused) {
    (void)unused;
    check_fails("gjb/problem_5_2", "method=partitioning independent=P2.y", 1,
                "'P2.y' cannot move at the start, t = 0; the mechanism has 1 degree of freedom, "
                "and these would do: P2.x");
    check_fails("three_links_slider", "method=partitioning independent=link1.angle,link1.angle", 1,
                "'link1.angle' is given twice");
    check_fails("three_links_slider", "method=partitioning independent=link1.angle,2*link1.angle",
                1, "'2*link1.angle' depends on those before it at the start");
}

/* At the end of its travel x2 turns back: the run stops there and says so, with every method,
 * steps fixed and chosen; where it may exchange it goes on, with the motion of the others. */
static void failing_ones_stop_the_run(void **unused) {
    (void)unused;
    static const char *const methods[] = {"independent", "independent-extended", "partitioning",
                                          "partitioning-extended", "canonical-independent"};
    for (int k = 0; k < 5; k++) {
        char settings[256];
        for (int fixed = 0; fixed < 2; fixed++) {
            snprintf(settings, sizeof settings, "method=%s independent=P2.x %s", methods[k],
                     fixed ? "step=0.005" : "tolerance=1e-8");
            check_fails("gjb/problem_5_2", settings, 0,
                        "'P2.x' no longer tells the motion: P1.y moves");
        }
        snprintf(settings, sizeof settings,
                 "method=%s independent=P2.x independent_change=exchange tolerance=1e-8",
                 methods[k]);
        run r = run_open("gjb/problem_5_2", settings);
        const hol_sim_info info = run_whole(&r);
        assert_true(info.coordinate_changes > 0);
        assert_true(info.relative_energy_error < 1e-6);
        run_close(&r);
    }
}

/* ---- others who keep them ---- */

/* The correction partition and the hybrid method keep the given rows: B (q - q of lagrange) is zero
 * after a step, and the constraints hold. */
static void corrections_keep_them(void **unused) {
    (void)unused;
    double q[PLAIN], v[PLAIN], q1[PLAIN], v1[PLAIN], q2[PLAIN], v2[PLAIN];
    const plain_subject *s = &plain_subjects[0];
    run free = run_open(s->file, "method=lagrange step=2e-3 end=100"),
        kept = run_open(s->file, "method=lagrange correction=partition step=2e-3 end=100 "
                                 "independent=0.7*crank.angle-0.3*coupler.x");
    const int a = velocity(free.model, "crank.angle"), x = velocity(free.model, "coupler.x");
    plain_start(s, 0, q, v);
    plain_library_step(&free, s->t, q, v, q1, v1);
    plain_library_step(&kept, s->t, q, v, q2, v2);
    check_near("z", 0.7 * (q2[a] - q1[a]) - 0.3 * (q2[x] - q1[x]), 0, 1e-15);
    check_near("z'", 0.7 * (v2[a] - v1[a]) - 0.3 * (v2[x] - v1[x]), 0, 1e-14);
    assert_true(fabs(q2[x] - q1[x]) > 1e-15);
    assert_true(sim_info(kept.sim).max_position_violation < 1e-14);
    run_close(&free);
    run_close(&kept);
}

/* Joint coordinates by the names of joints, and components of joints with several. */
static void names_of_every_set(void **unused) {
    (void)unused;
    static const char *const settings[] = {"coordinates=relative independent=O",
                                           "coordinates=relative independent=O-0.2*S[1]+0.3*guide",
                                           "coordinates=reference independent=crank.omega_y"};
    for (int k = 0; k < 3; k++) {
        char all[256];
        snprintf(all, sizeof all, "method=partitioning tolerance=1e-9 end=0.2 %s", settings[k]);
        run r = run_open("slider_crank_spatial", all);
        const hol_sim_info info = run_whole(&r);
        assert_int_equal(info.coordinate_changes, 0);
        assert_true(info.relative_energy_error < 1e-7);
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_algorithms),
        cmocka_unit_test(problems_5_2_and_5_3),
        cmocka_unit_test(wrong_ones_are_refused),
        cmocka_unit_test(dependent_ones_are_refused),
        cmocka_unit_test(failing_ones_stop_the_run),
        cmocka_unit_test(corrections_keep_them),
        cmocka_unit_test(names_of_every_set),
    };
    return run_tests_of_models("letter_independent", tests);
}

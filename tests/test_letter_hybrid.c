/* test_letter_hybrid.c: the method of Park and Haug [GJB 5.2.2] against one that is written from
 * the equations here, with dense matrices and Gauss:
 *
 *     nobody         [M A^T; A 0] [v'; lambda] = [Q; c]                             (5.10)
 *     terms          c - 2 alpha Phi' - beta^2 Phi, c - alpha psi in its place      (5.26)
 *     partitioning   q and v of every stage and of the end from [A; B] x = [-Phi; 0], and
 *                    [A; B] x = [-psi; 0], repeated                                 (5.56), (5.57)
 *
 * A step has the terms if |Phi| or |psi| exceeds the threshold T at its start. They have failed if
 * L = sqrt(sum psi^2 + beta^2 sum Phi^2) is larger at its end. Partitioning ends when one of its
 * steps makes no more than L = (1 - exp(-r h)) min(1, beta) T, with r the slowest decay.
 */
#include "plain.h"

#include "sim/sim.h"

static const double STEP = 2e-3;

/* What the test does on its own. */
typedef struct park_haug {
    plain p;
    const hol_model *model;
    double alpha, beta, threshold;
    int terms, partitioned, engaged;
    long switches, term_steps, partition_steps;
    /* f x n: which coordinates are kept is taken from the library: as chosen before the step, and
     * where partitioning begins, at its end */
    const double *B;
    double before[PLAIN2];
    int f;
} park_haug;

/* v' of (5.10) or (5.26), and the power of drivers. */
static void accelerations(park_haug *ph, double *a) {
    plain *p = &ph->p;
    double c[PLAIN], lambda[PLAIN];
    for (int i = 0; i < p->m; i++) {
        c[i] = p->c[i];
        if (ph->terms && i < p->mh)
            c[i] -= 2 * ph->alpha * p->psi[i] + ph->beta * ph->beta * p->Phi[i];
        else if (ph->terms)
            c[i] -= ph->alpha * p->psi[i];
    }
    plain_saddle(p, p->M, p->Q, c, a, lambda);
}

/* x of [A; B] x = [r; 0] at the state in p. */
static void keep_independent(const park_haug *ph, const double *r, double *x) {
    const plain *p = &ph->p;
    double K[PLAIN2], f[PLAIN] = {0};
    assert_int_equal(p->m + ph->f, p->nv);
    memcpy(K, p->A, sizeof *K * (size_t)(p->m * p->nv));
    memcpy(K + p->m * p->nv, ph->B, sizeof *K * (size_t)(ph->f * p->nv));
    memcpy(f, r, sizeof *f * (size_t)p->m);
    plain_solve(K, f, p->nv, 1, x);
}

/* The position problem, then the velocity problem: q and v, and everything in p at them. */
static void solve_problems(park_haug *ph, double t, double *q, double *v) {
    plain *p = &ph->p;
    double r[PLAIN], x[PLAIN], to[PLAIN];
    for (int k = 0; k < 8; k++) {
        plain_at(p, t, q, v);
        for (int i = 0; i < p->m; i++) r[i] = i < p->mh ? -p->Phi[i] : 0;
        keep_independent(ph, r, x);
        ph->model->coords->plus(ph->model, q, x, to);
        memcpy(q, to, sizeof *q * (size_t)p->nq);
    }
    plain_at(p, t, q, v);
    for (int i = 0; i < p->m; i++) r[i] = -p->psi[i];
    keep_independent(ph, r, x);
    for (int i = 0; i < p->nv; i++) v[i] += x[i];
    plain_at(p, t, q, v);
}

/* Classical Runge–Kutta from (t, q, v), where everything happens that happens in a step. */
static void step(park_haug *ph, double t, double *q, double *v) {
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    const hol__coords *coords = ph->model->coords;
    const int n = ph->p.nv;
    double d[PLAIN], qs[PLAIN], vs[PLAIN], rate[PLAIN] = {0}, a[PLAIN] = {0}, d_sum[PLAIN] = {0},
                                           v_sum[PLAIN] = {0};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < n; i++)
            d[i] = STEP * at[s] * rate[i], vs[i] = v[i] + STEP * at[s] * a[i];
        coords->plus(ph->model, q, d, qs);
        plain_at(&ph->p, t + STEP * at[s], qs, vs);
        if (ph->partitioned) {
            solve_problems(ph, t + STEP * at[s], qs, vs);
            coords->minus(ph->model, qs, q, d);
        }
        accelerations(ph, a);
        coords->rate(ph->model, d, vs, rate);
        for (int i = 0; i < n; i++) d_sum[i] += weight[s] * rate[i], v_sum[i] += weight[s] * a[i];
    }
    for (int i = 0; i < n; i++) d[i] = STEP / 6 * d_sum[i], v[i] += STEP / 6 * v_sum[i];
    coords->plus(ph->model, q, d, qs);
    memcpy(q, qs, sizeof *q * (size_t)ph->p.nq);
    plain_at(&ph->p, t + STEP, q, v);
}

/* L at the state in p. */
static double level(const park_haug *ph) {
    const plain *p = &ph->p;
    return sqrt(plain_dot(p->psi, p->psi, p->m) +
                ph->beta * ph->beta * plain_dot(p->Phi, p->Phi, p->mh));
}

/* Whether a violation at the state in p is above the threshold. */
static int is_above(const park_haug *ph) {
    const plain *p = &ph->p;
    return sqrt(plain_dot(p->Phi, p->Phi, p->mh)) > ph->threshold ||
           sqrt(plain_dot(p->psi, p->psi, p->m)) > ph->threshold;
}

/* What one step of partitioning may make for the terms to hold the threshold: alpha = beta, so the
 * double root alpha is the rate of holonomic rows, and alpha that of the others. */
static double bearable(const park_haug *ph) {
    assert_true(ph->alpha == ph->beta);
    return (1 - exp(-ph->alpha * STEP)) * fmin(1, ph->beta) * ph->threshold;
}

/* One step, corrected as the method says, and what acts in the next. */
static void park_haug_step(park_haug *ph, double t, double *q, double *v) {
    plain_at(&ph->p, t, q, v);
    const double before = level(ph);
    const int was = ph->partitioned;
    ph->terms = !was && is_above(ph);
    step(ph, t, q, v);
    const double after = level(ph);
    const int fails = ph->terms && after > before;
    ph->term_steps += ph->terms, ph->partition_steps += was;
    if (was || fails) solve_problems(ph, t + STEP, q, v);
    ph->partitioned = was ? after > bearable(ph) : fails;
    ph->switches += ph->partitioned != was;
}

/* Follow a run of the library step by step. Each step of both begins at the library's state, and
 * ends at the same one: as in test_plain.c, accelerations of some 100 m/s^2 and matrices of
 * condition 1e4 leave 4e-13; the same steps have terms and partitioning. */
static park_haug follow(const plain_subject *s, double off, double gain, double threshold,
                        int steps) {
    char settings[160];
    double q[PLAIN], v[PLAIN];
    snprintf(settings, sizeof settings,
             "method=partitioning-hybrid step=%g end=100 threshold=%g alpha=%g beta=%g", STEP,
             threshold, gain, gain);
    run r = run_open(s->file, settings);
    const hol__correction *correction = r.sim->correction;
    park_haug ph = {.p = plain_open(&r), .model = r.model, .alpha = gain, .beta = gain};
    ph.threshold = threshold;
    plain_start(s, off, q, v);
    assert_int_equal(hol_sim_restart(r.sim, s->t, q, v), HOL_OK);
    for (int k = 0; k < steps; k++) {
        const hol_data *data = hol_sim_data(r.sim);
        const double t = hol_data_time(data);
        memcpy(q, data->q, sizeof *q * (size_t)ph.p.nq);
        memcpy(v, data->v, sizeof *v * (size_t)ph.p.nv);
        ph.f = correction->completion->f;
        memcpy(ph.before, correction->completion->B, sizeof(double) * (size_t)(ph.f * ph.p.nv));
        assert_int_equal(hol_sim_step(r.sim), HOL_OK);
        ph.B = ph.partitioned ? ph.before : correction->completion->B;
        park_haug_step(&ph, t, q, v);
        check_near(s->file, plain_difference(&ph.p, q, v, data->q, data->v), 0, 1e-12);
    }
    const hol_sim_info info = sim_info(r.sim);
    assert_int_equal(info.term_steps, ph.term_steps);
    assert_int_equal(info.partition_steps, ph.partition_steps);
    assert_int_equal(info.hybrid_switches, ph.switches);
    plain_close(&ph.p);
    run_close(&r);
    return ph;
}

/* A start that is off the constraints: the terms act and hold, in every kind of model. */
static void terms_act(void **unused) {
    (void)unused;
    for (int s = 0; s < PLAIN_SUBJECTS; s++) {
        const park_haug ph = follow(&plain_subjects[s], 1e-6, 20, 1e-9, 12);
        assert_int_equal(ph.term_steps, 12);
        assert_int_equal(ph.switches, 0);
    }
}

/* Below the threshold nothing acts. */
static void nothing_acts(void **unused) {
    (void)unused;
    for (int s = 0; s < PLAIN_SUBJECTS; s++) {
        const park_haug ph = follow(&plain_subjects[s], 1e-6, 20, 1e-2, 6);
        assert_int_equal(ph.term_steps + ph.partition_steps, 0);
    }
}

/* Terms too weak for the threshold fail; partitioning takes over and stays. */
static void partitioning_takes_over(void **unused) {
    (void)unused;
    for (int s = 0; s < PLAIN_SUBJECTS; s++) {
        const park_haug ph = follow(&plain_subjects[s], 0, 1e-3, 1e-13, 40);
        assert_true(ph.term_steps >= 1);
        assert_true(ph.partition_steps > 20);
        assert_true(ph.switches >= 1);
    }
}

/* Where the terms are just strong enough at times, the method goes to and fro. */
static void to_and_fro(void **unused) {
    (void)unused;
    const park_haug ph = follow(&plain_subjects[0], 0, 50, 1e-8, 1500);
    assert_true(ph.term_steps > 20);
    assert_true(ph.partition_steps > 2);
    assert_true(ph.switches >= 4);
}

/* With a threshold of zero the terms fail in the first step, whatever they are: pure partitioning,
 * the motion of `partitioning` from the second on. RK4 with 1 ms over 0.4 s: the first step differs
 * by the violation that it makes, some 1e-13, and the coordinates that are kept are chosen at other
 * instants, which makes differences of the size of the error itself, 1e-9. */
static void without_threshold_it_partitions(void **unused) {
    (void)unused;
    run a = run_open("four_bar", "method=partitioning-hybrid threshold=0 step=1e-3 end=100"),
        b = run_open("four_bar", "method=partitioning step=1e-3 end=100");
    plain p = plain_open(&a);
    run_to(&a, 0.4), run_to(&b, 0.4);
    const hol_data *one = hol_sim_data(a.sim), *other = hol_sim_data(b.sim);
    check_near("partitioning", plain_difference(&p, one->q, one->v, other->q, other->v), 0, 1e-9);
    assert_int_equal(sim_info(a.sim).partition_steps, sim_info(a.sim).steps - 1);
    assert_true(sim_info(a.sim).max_position_violation < 1e-12);
    plain_close(&p);
    run_close(&a);
    run_close(&b);
}

/* Gains act: with them the terms hold the threshold; without them partitioning has to. */
static void gains_act(void **unused) {
    (void)unused;
    static const char *const gain[] = {"0", "5", "50"};
    double partitioned[3];
    for (int k = 0; k < 3; k++) {
        char settings[128];
        snprintf(settings, sizeof settings,
                 "method=partitioning-hybrid threshold=1e-7 step=1e-3 end=10 alpha=%s beta=%s",
                 gain[k], gain[k]);
        run r = run_open("four_bar", settings);
        const hol_sim_info info = run_whole(&r);
        partitioned[k] = (double)info.partition_steps / (double)info.steps;
        assert_true((info.hybrid_switches > 0) == (k == 0));
        /* held within the step in which it passes the threshold, 1 percent of it */
        assert_true(info.max_position_violation < 1.01e-7);
        assert_true(info.term_steps > 0);
        run_close(&r);
    }
    assert_true(partitioned[0] > 0.2 && partitioned[1] == 0 && partitioned[2] == 0);
}

/* Singular positions are crossed by partitioning, with every explicit formula that controls its
 * error, and the motion is right: the error of the run is some hundred times its tolerance. */
static void over_singular_positions(void **unused) {
    (void)unused;
    static const char *const formula[] = {"bs32", "dopri5", "dop853"};
    run exact = run_open("a02_two_four_bar", "tolerance=1e-11 end=3");
    run_whole(&exact);
    for (int k = 0; k < 3; k++) {
        char settings[128];
        snprintf(settings, sizeof settings,
                 "method=partitioning-hybrid integrator=%s tolerance=1e-7 end=3", formula[k]);
        run r = run_open("a02_two_four_bar", settings);
        plain p = plain_open(&r);
        const hol_sim_info info = run_whole(&r);
        const hol_data *one = hol_sim_data(r.sim), *other = hol_sim_data(exact.sim);
        assert_true(info.crossings >= 2);
        assert_true(info.partition_steps > 0 && info.hybrid_switches > 0);
        check_near(formula[k], plain_difference(&p, one->q, one->v, other->q, other->v), 0, 1e-5);
        plain_close(&p);
        run_close(&r);
    }
    run_close(&exact);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_act),
        cmocka_unit_test(nothing_acts),
        cmocka_unit_test(partitioning_takes_over),
        cmocka_unit_test(to_and_fro),
        cmocka_unit_test(without_threshold_it_partitions),
        cmocka_unit_test(gains_act),
        cmocka_unit_test(over_singular_positions),
    };
    return run_tests_of_models("letter_hybrid", tests);
}

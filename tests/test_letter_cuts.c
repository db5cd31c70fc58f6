/* test_letter_cuts.c: loops opened at joints or at rigid-body constraints [GJB 5.3.2], against
 * plain loops over dense arrays.
 *
 *     A1 R1 = 0 for the rows of the open chain, A2 what was cut
 *     [R1^T M R1  (A2 R1)^T; A2 R1  0] [z'; lambda2]
 *         = [R1^T (Q - M S1 c1); c2 - A2 S1 c1]                                          (5.92)
 *
 * and the rule by which loops are cut: every joint that closes one has the fewest constraints of
 * its loop.
 */
#include "plain.h"

#include "coords/cut.h"
#include "coords/tree.h"

/* ---- (5.90) to (5.92) ---- */

typedef struct opened {
    hol__cuts *cuts;
    double lambda[PLAIN];
    int m1, m2;
} opened;

/* R1 (n x n1) and s = S1 c1 of the rows A1 (m1 x n), by elimination with full pivots: of the
 * coordinates the last n1 are free. */
static void open_chain(const double *A1, const double *c1, int m1, int n, double *R1, double *s) {
    static double W[PLAIN2], B[PLAIN2], X[PLAIN2];
    int order[PLAIN], used[PLAIN] = {0};
    memcpy(W, A1, sizeof *W * (size_t)(m1 * n));
    for (int j = 0; j < n; j++) order[j] = j;
    for (int k = 0; k < m1; k++) {
        int r = -1, c = k;
        for (int i = 0; i < m1; i++)
            for (int j = k; !used[i] && j < n; j++)
                if (r < 0 || fabs(W[i * n + order[j]]) > fabs(W[r * n + order[c]])) r = i, c = j;
        const int column = order[c];
        order[c] = order[k], order[k] = column, used[r] = 1;
        assert_true(fabs(W[r * n + column]) > 1e-6); /* the rows of an open chain are independent */
        for (int i = 0; i < m1; i++) {
            if (used[i]) continue;
            const double f = W[i * n + column] / W[r * n + column];
            for (int j = 0; j < n; j++) W[i * n + j] -= f * W[r * n + j];
        }
    }
    const int n1 = n - m1;
    for (int i = 0; i < m1; i++)
        for (int j = 0; j < m1; j++) B[i * m1 + j] = A1[i * n + order[j]];
    for (int i = 0; i < m1; i++) {
        for (int j = 0; j < n1; j++) X[i * (n1 + 1) + j] = -A1[i * n + order[m1 + j]];
        X[i * (n1 + 1) + n1] = c1[i];
    }
    if (m1) plain_solve(B, X, m1, n1 + 1, X);
    memset(R1, 0, sizeof *R1 * (size_t)(n * n1));
    memset(s, 0, sizeof *s * (size_t)n);
    for (int i = 0; i < m1; i++) {
        for (int j = 0; j < n1; j++) R1[order[i] * n1 + j] = X[i * (n1 + 1) + j];
        s[order[i]] = X[i * (n1 + 1) + n1];
    }
    for (int j = 0; j < n1; j++) R1[order[m1 + j] * n1 + j] = 1;
}

/* The rows of A and entries of c with that mark. */
static int take_rows(const plain *p, const unsigned char *mark, int wanted, double *A, double *c) {
    int m = 0;
    for (int i = 0; i < p->m; i++) {
        if (mark[i] != wanted) continue;
        memcpy(A + m * p->nv, p->A + i * p->nv, sizeof *A * (size_t)p->nv);
        c[m++] = p->c[i];
    }
    return m;
}

/* z' and lambda2 of (5.92), then v' = S1 c1 + R1 z'. */
static void accelerate(void *self, plain *p, double *u, double *a) {
    static double A1[PLAIN2], A2[PLAIN2], R1[PLAIN2], R1t[PLAIN2], MR[PLAIN2], W[4 * PLAIN2],
        A2R[PLAIN2], RMR[PLAIN2];
    double c1[PLAIN], c2[PLAIN], s[PLAIN], Ms[PLAIN], As[PLAIN], f[PLAIN], x[2 * PLAIN];
    opened *o = self;
    const int n = p->nv;
    o->m1 = take_rows(p, o->cuts->row, 0, A1, c1);
    const int m2 = o->m2 = take_rows(p, o->cuts->row, 1, A2, c2), n1 = n - o->m1;
    open_chain(A1, c1, o->m1, n, R1, s);
    plain_transpose(R1, n, n1, R1t);
    plain_mul(p->M, R1, n, n, n1, MR);
    plain_mul(R1t, MR, n1, n, n1, RMR);
    plain_mul(A2, R1, m2, n, n1, A2R);
    plain_mul(p->M, s, n, n, 1, Ms);
    plain_mul(A2, s, m2, n, 1, As);
    for (int i = 0; i < n; i++) f[i] = p->Q[i] - Ms[i];
    plain_mul(R1t, f, n1, n, 1, x);
    for (int i = 0; i < m2; i++) x[n1 + i] = c2[i] - As[i];
    memset(W, 0, sizeof W);
    for (int i = 0; i < n1; i++)
        for (int j = 0; j < n1; j++) W[i * (n1 + m2) + j] = RMR[i * n1 + j];
    for (int i = 0; i < m2; i++)
        for (int j = 0; j < n1; j++)
            W[(n1 + i) * (n1 + m2) + j] = W[j * (n1 + m2) + n1 + i] = A2R[i * n1 + j];
    plain_solve(W, x, n1 + m2, 1, x);
    plain_mul(R1, x, n, n1, 1, a);
    for (int i = 0; i < n; i++) a[i] += s[i];
    for (int i = 0, k = 0; i < p->m; i++) o->lambda[i] = o->cuts->row[i] ? x[n1 + k++] : NAN;
    memcpy(u, p->v, sizeof *u * (size_t)n);
}

static const struct subject {
    const char *model, *settings;
    double t;
    int cut; /* how many rows are cut */
} subjects[] = {
    {"four_bar", "coordinates=natural", 0.715, 1},
    {"four_bar", "coordinates=reference", 0.715, 2},
    {"four_bar", "coordinates=natural bodies.follower.cut=true", 0.715, 1},
    {"three_links", "coordinates=natural joints.C.cut=true", 0.43, 2},
    {"double_four_bar_natural", "coordinates=natural", 0.43, 2},
    {"double_four_bar_natural", "coordinates=natural natural.rods.up1.cut=true", 0.43, 2},
    {"slider_crank_spatial", "coordinates=natural", 0.137, 3},
    {"slider_crank_spatial", "coordinates=reference", 0.137, 3},
    {"four_bar_spatial_natural", "coordinates=natural", 0.137, 3},
    {"bicycle", "coordinates=reference", 0.283, 6},
    {"elements/rolling_disk", "coordinates=natural", 0.283, 3},
    {"bicycle", "coordinates=relative", 0.283, 6},
};

/* One step of the library and of the printed equations, and the multipliers of what was cut. */
static void check_subject(const struct subject *one) {
    static plain p;
    opened o = {.cuts = NULL};
    char settings[256];
    double q[PLAIN], v[PLAIN], q2[PLAIN], v2[PLAIN], u[PLAIN], a[PLAIN], most = 0;
    snprintf(settings, sizeof settings,
             "%s method=velocity-transformation correction=none step=1e-3 end=10", one->settings);
    run r = run_open(one->model, settings), there = run_open(one->model, one->settings);
    run_to(&there, one->t);
    assert_string_equal(sim_info(r.sim).kernel, "open-chain");
    p = plain_open(&there);
    o.cuts = hol__cuts_new(p.ctx, r.model);
    assert_non_null(o.cuts);
    memcpy(q, hol_data_q(hol_sim_data(there.sim)), sizeof *q * (size_t)p.nq);
    memcpy(v, hol_data_v(hol_sim_data(there.sim)), sizeof *v * (size_t)p.nv);
    plain_library_step(&r, one->t, q, v, q2, v2);
    plain_rk4(&p, accelerate, &o, one->t, 1e-3, q, v);
    assert_int_equal(o.m2, one->cut);
    /* rounding of sums over up to 24 unknowns, a step of 1e-3: below 1e-12 */
    assert_true(plain_difference(&p, q, v, q2, v2) < 1e-12);
    plain_at(&p, one->t + 1e-3, q2, v2);
    accelerate(&o, &p, u, a);
    run_to(&r, one->t + 1e-3);
    const double *lambda = hol_data_multipliers(hol_sim_data(r.sim));
    for (int i = 0; i < p.m; i++) most = fmax(most, fabs(lambda[i]));
    for (int i = 0; i < p.m; i++)
        if (o.cuts->row[i]) check_near("lambda2", lambda[i] / most, o.lambda[i] / most, 1e-11);
    hol__cuts_free(o.cuts);
    plain_close(&p);
    run_close(&there);
    run_close(&r);
}

static void test_scheme(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) check_subject(&subjects[i]);
}

/* All multipliers and accelerations are those of the method lagrange at the same state. */
static void test_other_methods(void **unused) {
    static const char *const sets[] = {"coordinates=reference", "coordinates=natural",
                                       "coordinates=relative"};
    static const char *const models[] = {"four_bar", "slider_crank_spatial", "bicycle"};
    char settings[128];
    (void)unused;
    for (int k = 0; k < 9; k++) {
        run r = run_open(models[k / 3], sets[k % 3]);
        snprintf(settings, sizeof settings, "%s method=velocity-transformation", sets[k % 3]);
        run_to(&r, 0.137);
        hol_data *at = hol_sim_data(r.sim);
        run v = run_open(models[k / 3], settings);
        assert_int_equal(hol_sim_restart(v.sim, hol_data_time(at), hol_data_q(at), hol_data_v(at)),
                         HOL_OK);
        hol_data *data = hol_sim_data(v.sim);
        assert_int_equal(hol_sim_advance(v.sim, hol_data_time(at)), HOL_OK);
        hol_data_set(at, hol_data_time(data), hol_data_q(data), hol_data_v(data));
        assert_int_equal(hol_data_solve(at), HOL_OK);
        double size = 1, load = 1;
        for (int i = 0; i < r.model->nv; i++) size = fmax(size, fabs(at->a[i]));
        for (int i = 0; i < r.model->m; i++) load = fmax(load, fabs(at->lambda[i]));
        for (int i = 0; i < r.model->nv; i++)
            check_near("v'", data->a[i] / size, at->a[i] / size, 1e-11);
        for (int i = 0; i < r.model->m; i++)
            check_near("lambda", data->lambda[i] / load, at->lambda[i] / load, 1e-11);
        run_close(&r);
        run_close(&v);
    }
}

/* ---- the rule ---- */

/* The rows that a joint has in reference-point coordinates. */
static int constraints_of(const hol_model *model, int joint) {
    const hol_model *m = model->reference ? model->reference : model;
    int n = 0;
    for (int i = 0; i < m->m; i++) n += m->row_joint[i] == joint;
    return n;
}

/* The fewest constraints of the joints between a body and the root of its part of the tree. */
static int fewest_on_path(const hol_model *model, int body, int fewest) {
    const hol__tree *tree = model->tree;
    for (int link = body < model->nb ? tree->of_body[body] : tree->n; link < tree->n;
         link = tree->links[link].parent)
        if (tree->links[link].joint >= 0) {
            const int n = constraints_of(model, tree->links[link].joint);
            fewest = n < fewest ? n : fewest;
        }
    return fewest;
}

/* Every joint that could be a link but closes a loop has no more constraints than any joint of the
 * paths of its two bodies: taking one of these out instead could not leave fewer. */
static void test_fewest(void **unused) {
    static const char *const models[] = {"slider_crank_spatial", "iltis_corner",
                                         "four_bar_spatial_natural", "five_bar", "a03_andrews"};
    int closing = 0;
    (void)unused;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        run r = run_open(models[i], "coordinates=relative");
        const hol_model *m = r.model;
        for (int k = 0; k < m->n_joints; k++) {
            unsigned move;
            hol__turn_kind turn;
            const hol__element *joint = &m->reference->joints[k];
            if (m->tree->of_joint[k] >= 0 || !hol__link_motion(m->reference, joint, &move, &turn))
                continue;
            const int own = constraints_of(m, k);
            int fewest = fewest_on_path(m, joint->body[0], 6);
            fewest = fewest_on_path(m, joint->body[1], fewest);
            assert_true(own <= fewest);
            closing++;
        }
        run_close(&r);
    }
    assert_true(closing >= 6);
}

/* ---- what is said ---- */

static void expect_cut(const char *model, const char *settings, int i, const char *element,
                       const char *reason, int rows) {
    run r = run_open(model, settings);
    hol_cut cut = {.size = sizeof cut};
    assert_int_equal(hol_model_cut(r.ctx, r.model, i, &cut), HOL_OK);
    assert_string_equal(cut.element, element);
    if (!strstr(cut.reason, reason)) fail_msg("%s: %s", cut.element, cut.reason);
    assert_int_equal(cut.n_rows, rows);
    assert_true(cut.where.line > 0);
    run_close(&r);
}

static void test_reasons(void **unused) {
    (void)unused;
    expect_cut("four_bar", "coordinates=relative", 0, "joint 'C'", "fewest constraints", 2);
    expect_cut("three_links", "coordinates=relative joints.A.cut=true", 0, "joint 'A'",
               "given: cut", 2);
    expect_cut("four_bar", "coordinates=natural", 0, "body 'coupler'", "joint 'C'", 1);
    expect_cut("four_bar", "coordinates=natural bodies.follower.cut=true", 0, "body 'follower'",
               "given: cut", 1);
    expect_cut("double_four_bar_natural", "coordinates=natural natural.rods.up1.cut=true", 0,
               "body 'up1'", "given: cut", 1);
    expect_cut("bicycle", "coordinates=relative", 0, "joint 'rear_contact'",
               "cannot be part of the tree", 3);
    run r = run_open("heavy_top", "coordinates=relative");
    hol_cut cut = {.size = sizeof cut};
    assert_int_equal(hol_model_cut(r.ctx, r.model, 0, &cut), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_model_cut(r.ctx, r.model, -1, &cut), HOL_ERR_ARGUMENT);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scheme),
        cmocka_unit_test(test_other_methods),
        cmocka_unit_test(test_fewest),
        cmocka_unit_test(test_reasons),
    };
    return run_tests_of_models("cuts", tests);
}

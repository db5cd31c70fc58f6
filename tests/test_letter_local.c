/* test_letter_local.c: local constraint frames as printed in [BL], against plain loops over dense
 * arrays.
 *
 *     C^T = J^T C~^T (12), D~ C~^T = 0 (8)           every joint type, models in all coordinates
 *     J' = [J; G], (J')^-1 by (18), D^T = (J')^-1 D~'^T (17), C D^T = 0
 *     D M v' = D h (6) with C v' = c (5)             accelerations
 *     lambda (35), r_j = c_j lambda_j (36), rho = J'^-T r (37)
 *     the matrices printed for examples 1 and 2
 *
 * [BL] writes M q'' = h + C^T lambda; here the sign of lambda is that of M v' + A^T lambda = Q.
 */
#include "plain.h"

#include <holonom/matrix.h>
#include <holonom/result.h>

#include "coords/local.h"
#include "kernel/basis.h"

enum { MOST = 48 };

/* ---- C~, D~ and J as dense arrays ---- */

typedef struct frames {
    int n, m, k;
    double C[MOST * MOST], D[MOST * MOST], J[MOST * MOST]; /* m x k, k x (k - m), k x n */
} frames;

/* From the blocks of local coordinates at the state of the data. */
static void read_frames(const hol__blocks *blocks, frames *f) {
    int column = 0;
    *f = (frames){.n = blocks->J.cols, .m = blocks->m, .k = blocks->k};
    assert_true(f->n <= MOST && f->k <= MOST && f->m <= f->k);
    hol__csr_to_dense(&blocks->J, f->J);
    for (int i = 0; i < blocks->n_blocks; i++) {
        const hol__block *b = &blocks->block[i];
        for (int r = 0; r < b->m; r++)
            for (int j = 0; j < b->n; j++)
                f->C[b->row[r] * f->k + b->x + j] = blocks->C[b->C + r * b->n + j];
        for (int c = 0; c < b->n - b->m; c++, column++)
            for (int j = 0; j < b->n; j++)
                f->D[(b->x + j) * (f->k - f->m) + column] = blocks->D[b->D + c * b->n + j];
    }
    assert_int_equal(column, f->k - f->m);
}

/* |A - C~ J| and |C~ D~|, each entry of it within rounding of products of a few numbers of size 1
 * to 10. */
static void check_frames(const char *what, const frames *f, const double *A) {
    double CJ[MOST * MOST], CD[MOST * MOST];
    plain_mul(f->C, f->J, f->m, f->k, f->n, CJ);
    plain_mul(f->C, f->D, f->m, f->k, f->k - f->m, CD);
    for (int i = 0; i < f->m * f->n; i++)
        check_near(what, CJ[i], A[i], 1e-13 * fmax(1, fabs(A[i])));
    for (int i = 0; i < f->m * (f->k - f->m); i++) check_near("C D", CD[i], 0, 1e-13);
    for (int c = 0; c < f->k - f->m; c++) {
        double length = 0;
        for (int i = 0; i < f->k; i++) length += fabs(f->D[i * (f->k - f->m) + c]);
        assert_true(length > 0.1);
    }
}

/* The constraints of a model in local coordinates where it starts and at positions off the
 * constraints. Returns how many superfluous local coordinates there are. */
static int follow_frames(run *r, const char *what) {
    static frames f;
    static double A[MOST * MOST];
    const hol_model *model = r->model;
    hol_data *data = hol_data_new(r->ctx, model);
    uint64_t seed = 0x2545f4914f6cdd1du;
    double q[MOST], d[MOST];
    assert_non_null(data);
    assert_int_equal(hol_data_copy(data, hol_sim_data(r->sim)), HOL_OK);
    data->local = hol__local_new(r->ctx, model);
    assert_non_null(data->local);
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < model->nv; i++) d[i] = 0.07 * k * random_one(&seed);
        model->coords->plus(model, hol_data_q(hol_sim_data(r->sim)), d, q);
        hol_data_set(data, 0.1 * k, q, NULL);
        hol_data_update(data, HOL_STAGE_POS);
        read_frames(&data->local->blocks, &f);
        hol__csr_to_dense(&data->A, A);
        check_frames(what, &f, A);
    }
    const int superfluous = f.k - f.m;
    hol_data_free(data);
    return superfluous;
}

/* Every joint type, in the small model of its example. */
static void test_joint_types(void **unused) {
    (void)unused;
    int superfluous = 0, types = 0;
    hol_element_doc doc = {.size = sizeof doc};
    for (int i = 0; hol_element_get(i, &doc) == HOL_OK; i++) {
        if (strcmp(doc.section, "joints") != 0) continue;
        hol_context *ctx = hol_context_new();
        char *text = hol_element_example(ctx, doc.section, doc.name);
        run r = run_text(text, "");
        superfluous += follow_frames(&r, doc.name) > 0;
        types++;
        run_close(&r);
        hol_free(ctx, text);
        hol_context_free(ctx);
    }
    assert_true(types >= 35 && superfluous >= 10);
}

/* Models with closed loops, rolling and drivers, in all coordinates. */
static void test_models(void **unused) {
    static const char *const models[] = {"slider_crank", "slider_crank_spatial",
                                         "three_links_slider", "bicycle", "a05_flyball_governor"};
    static const char *const sets[] = {"coordinates=reference", "coordinates=relative",
                                       "coordinates=natural"};
    (void)unused;
    int superfluous = 0;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
            run r = run_open(models[i], sets[k]);
            superfluous += follow_frames(&r, models[i]) > 0;
            run_close(&r);
        }
    assert_true(superfluous >= 9);
}

/* ---- (13) to (18), from the printed equations ---- */

/* The coordinates that complete J, last: those that elimination with full pivots leaves over.
 * Returns the smallest pivot. */
static double choose_coordinates(const frames *f, int *order) {
    static double W[MOST * MOST];
    double least = HUGE_VAL;
    int rows[MOST];
    memcpy(W, f->J, sizeof *W * (size_t)(f->k * f->n));
    for (int j = 0; j < f->n; j++) order[j] = j;
    for (int i = 0; i < f->k; i++) rows[i] = i;
    for (int s = 0; s < f->k; s++) {
        int r = s, c = s;
        for (int i = s; i < f->k; i++)
            for (int j = s; j < f->n; j++)
                if (fabs(W[rows[i] * f->n + order[j]]) > fabs(W[rows[r] * f->n + order[c]]))
                    r = i, c = j;
        const int row = rows[r], column = order[c];
        rows[r] = rows[s], rows[s] = row;
        order[c] = order[s], order[s] = column;
        const double pivot = W[row * f->n + column];
        least = fmin(least, fabs(pivot));
        for (int i = s + 1; i < f->k; i++) {
            const double x = W[rows[i] * f->n + column] / pivot;
            for (int j = 0; j < f->n; j++) W[rows[i] * f->n + j] -= x * W[row * f->n + j];
        }
    }
    return least;
}

/* J' = [J; G] (14), G with a 1 for each coordinate behind the first k of the order. */
static void extended_jacobian(const frames *f, const int *order, double *J) {
    memset(J, 0, sizeof *J * (size_t)(f->n * f->n));
    memcpy(J, f->J, sizeof *J * (size_t)(f->k * f->n));
    for (int i = f->k; i < f->n; i++) J[i * f->n + order[i]] = 1;
}

/* (J')^-1 by (18): [0 1; J2^-1 -J2^-1 J1] in the order picked, others. */
static void closed_inverse(const frames *f, const int *order, double *inverse) {
    static double J2[MOST * MOST], right[MOST * MOST];
    const int n = f->n, k = f->k;
    memset(inverse, 0, sizeof *inverse * (size_t)(n * n));
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) J2[i * k + j] = f->J[i * n + order[j]];
    for (int i = 0; i < k; i++)
        for (int j = 0; j < n; j++) right[i * n + j] = j < k ? i == j : -f->J[i * n + order[j]];
    if (k) plain_solve(J2, right, k, n, right);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) inverse[order[i] * n + j] = i < k ? right[i * n + j] : i == j;
}

/* R = D^T = (J')^-1 D~'^T (15), (17): n x (n - m). */
static void complement(const frames *f, const double *inverse, double *R) {
    static double D[MOST * MOST];
    const int free = f->n - f->m, own = f->k - f->m;
    memset(D, 0, sizeof D);
    for (int i = 0; i < f->k; i++)
        for (int j = 0; j < own; j++) D[i * free + j] = f->D[i * own + j];
    for (int i = f->k; i < f->n; i++) D[i * free + own + i - f->k] = 1;
    plain_mul(inverse, D, f->n, f->n, free, R);
}

/* (J')^-1 J' = 1 and A R = 0: rounding against the smallest pivot of J2. */
static void check_inverse(const frames *f, const int *order, double least, const double *A,
                          double *inverse, double *R) {
    static double J[MOST * MOST], product[MOST * MOST];
    extended_jacobian(f, order, J);
    closed_inverse(f, order, inverse);
    plain_mul(inverse, J, f->n, f->n, f->n, product);
    for (int i = 0; i < f->n * f->n; i++)
        check_near("J'^-1 J'", product[i], i % (f->n + 1) == 0, 1e-13 / least);
    complement(f, inverse, R);
    plain_mul(A, R, f->m, f->n, f->n - f->m, product);
    for (int i = 0; i < f->m * (f->n - f->m); i++) check_near("A R", product[i], 0, 1e-13 / least);
}

/* ---- the formulation ---- */

typedef struct scheme {
    frames f;
    double inverse[MOST * MOST], R[MOST * MOST];
    int full;
} scheme;

/* C~, D~, J: in full, or the rows themselves with C~ = 1. */
static void take_frames(scheme *s, plain *p) {
    if (s->full)
        read_frames(&p->data->local->blocks, &s->f);
    else {
        s->f = (frames){.n = p->nv, .m = p->m, .k = p->m};
        memcpy(s->f.J, p->A, sizeof *p->A * (size_t)(p->m * p->nv));
        for (int i = 0; i < p->m; i++) s->f.C[i * p->m + i] = 1;
    }
}

/* [C; D M] v' = [c; D h] (5), (6). */
static void accelerate(void *self, plain *p, double *u, double *a) {
    scheme *s = self;
    static double W[MOST * MOST], Rt[MOST * MOST], RtM[MOST * MOST];
    double right[MOST];
    int order[MOST];
    const int n = p->nv, m = p->m, free = n - m;
    take_frames(s, p);
    check_frames("C~ J", &s->f, p->A);
    const double least = choose_coordinates(&s->f, order);
    check_inverse(&s->f, order, least, p->A, s->inverse, s->R);
    plain_transpose(s->R, n, free, Rt);
    plain_mul(Rt, p->M, free, n, n, RtM);
    memcpy(W, p->A, sizeof *W * (size_t)(m * n));
    memcpy(W + m * n, RtM, sizeof *W * (size_t)(free * n));
    memcpy(right, p->c, sizeof *right * (size_t)m);
    for (int i = 0; i < free; i++) right[m + i] = plain_dot(Rt + i * n, p->Q, n);
    plain_solve(W, right, n, 1, a);
    memcpy(u, p->v, sizeof *u * (size_t)n);
}

/* lambda = (A M^-1 A^T)^-1 (A M^-1 Q - c) (35). */
static void multipliers(const plain *p, double *lambda) {
    static double At[MOST * MOST], X[MOST * MOST], S[MOST * MOST];
    double y[MOST], right[MOST];
    plain_transpose(p->A, p->m, p->nv, At);
    plain_solve(p->M, At, p->nv, p->m, X);
    plain_mul(p->A, X, p->m, p->nv, p->m, S);
    plain_solve(p->M, p->Q, p->nv, 1, y);
    for (int i = 0; i < p->m; i++) right[i] = plain_dot(p->A + i * p->nv, y, p->nv) - p->c[i];
    plain_solve(S, right, p->m, 1, lambda);
}

/* The basis of the library with the same choice of coordinates has the same R, column for
 * column. */
static void check_basis(scheme *s, plain *p) {
    const int n = p->nv, free = n - p->m;
    hol__arena arena;
    hol__arena_init(&arena, p->ctx);
    hol__basis *b = s->full ? hol__basis_new_local(&arena, &p->data->local->blocks, n,
                                                   HOL__RANK_TOLERANCE, HOL__RELEASE_TOLERANCE)
                            : hol__basis_new(&arena, &hol__basis_local, n, p->m,
                                             HOL__RANK_TOLERANCE, HOL__RELEASE_TOLERANCE);
    assert_non_null(b);
    assert_int_equal(hol__basis_factor(b, &p->data->A), HOL_OK);
    assert_int_equal(b->rank, p->m);
    assert_int_equal(b->n_dependent, s->f.k);
    closed_inverse(&s->f, b->column, s->inverse);
    complement(&s->f, s->inverse, s->R);
    for (int j = 0; j < free; j++) {
        double most = 1;
        for (int i = 0; i < n; i++) most = fmax(most, fabs(s->R[i * free + j]));
        for (int i = 0; i < n; i++)
            check_near("R", b->R[j * n + i] / most, s->R[i * free + j] / most, 1e-12);
    }
    hol__arena_free(&arena);
}

/* rho = J'^-T r (37) of r = sum r_j (36): C~^T lambda in the local coordinates and nothing in the
 * directions that G picks. */
static void check_reactions(scheme *s, plain *p, run *r) {
    double lambda[MOST], force[MOST] = {0}, rho[MOST], most = 0;
    const hol_data *data = hol_sim_data(r->sim);
    const frames *f = &s->f;
    multipliers(p, lambda);
    for (int i = 0; i < p->m; i++) most = fmax(most, fabs(lambda[i]));
    for (int i = 0; i < p->m; i++)
        check_near("lambda", data->lambda[i] / most, lambda[i] / most, 1e-11);
    for (int j = 0; j < p->m; j++)
        for (int i = 0; i < p->nv; i++) force[i] -= p->A[j * p->nv + i] * lambda[j];
    for (int x = 0; x < f->n; x++) {
        rho[x] = 0;
        for (int i = 0; i < f->n; i++) rho[x] += s->inverse[i * f->n + x] * force[i];
        double local = 0;
        for (int j = 0; x < f->k && j < f->m; j++) local -= f->C[j * f->k + x] * lambda[j];
        check_near("rho", rho[x] / most, local / most, 1e-11);
    }
}

static const struct subject {
    const char *model, *settings;
    double t;
    int full;
} subjects[] = {
    {"three_links", "coordinates=relative", 0.43, 0},
    {"three_links_slider", "coordinates=relative", 0.43, 0},
    {"three_links_slider", "coordinates=relative", 0.43, 1},
    {"three_links_slider", "coordinates=reference", 0.43, 1},
    {"four_bar", "coordinates=reference", 0.715, 0},
    {"slider_crank", "coordinates=natural", 0.137, 1},
    {"slider_crank_spatial", "coordinates=reference", 0.137, 0},
    {"slider_crank_spatial", "coordinates=relative", 0.137, 1},
    {"bicycle", "coordinates=reference", 0.283, 0},
    {"bicycle", "coordinates=relative", 0.283, 1},
};

static void check_subject(const struct subject *one) {
    static scheme s;
    static plain p;
    char settings[256];
    double q[PLAIN], v[PLAIN], q2[PLAIN], v2[PLAIN], u[PLAIN], a[PLAIN];
    run there = run_open(one->model, one->settings);
    run_to(&there, one->t);
    snprintf(settings, sizeof settings,
             "%s method=nullspace basis=local reactions=local local_coordinates=%s step=1e-3 "
             "end=10",
             one->settings, one->full ? "full" : "fewest");
    run r = run_open(one->model, settings);
    p = plain_open(&there);
    s.full = one->full;
    if (s.full) p.data->local = hol__local_new(p.ctx, there.model);
    memcpy(q, hol_data_q(hol_sim_data(there.sim)), sizeof *q * (size_t)p.nq);
    memcpy(v, hol_data_v(hol_sim_data(there.sim)), sizeof *v * (size_t)p.nv);
    plain_at(&p, one->t, q, v);
    accelerate(&s, &p, u, a);
    check_basis(&s, &p);
    plain_library_step(&r, one->t, q, v, q2, v2);
    plain_rk4(&p, accelerate, &s, one->t, 1e-3, q, v);
    assert_true(plain_difference(&p, q, v, q2, v2) < 1e-12);
    plain_at(&p, one->t + 1e-3, q2, v2);
    accelerate(&s, &p, u, a);
    run_to(&r, one->t + 1e-3);
    check_reactions(&s, &p, &r);
    plain_close(&p);
    run_close(&there);
    run_close(&r);
}

static void test_scheme(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) check_subject(&subjects[i]);
}

/* ---- what is printed for examples 1 and 2 ---- */

enum { ROWS = 2, ANGLES = 3 };

/* Lengths as in the model files, and the inclination of the line. */
static const double arm[3] = {0.9, 1.3, 1.1}, reach[3] = {0.8, 1.1, 0.9},
                    alpha = 25 * 3.14159265358979323846 / 180;

/* A chain of three links at a state: the absolute angles of its links and, over these, J and the
 * complement R that the library has. */
typedef struct chain {
    double theta[3];
    frames f;
    double J[ROWS * ANGLES], R[ANGLES * 2];
} chain;

/* The place of a joint's coordinate among the velocities. */
static int velocity_of(const hol_model *model, const char *joint) {
    char name[64];
    for (int i = 0; i < ANGLES; i++)
        if (hol_model_velocity_name(model, i, name, sizeof name) == HOL_OK &&
            strcmp(name, joint) == 0)
            return i;
    fail_msg("there is no joint coordinate '%s'", joint);
    return -1;
}

/* J and R over the absolute angles: joint coordinates are theta_1, theta_2 - theta_1 and theta_3 -
 * theta_2 or, where link 3 hangs on ground by A, theta_3. */
static void read_chain(run *r, chain *c, int from_ground) {
    static const char *const angles[] = {"theta1", "theta2", "theta3"};
    hol_data *data = hol_sim_data(r->sim);
    const int z1 = velocity_of(r->model, "O"), z2 = velocity_of(r->model, "B"),
              z3 = velocity_of(r->model, from_ground ? "A" : "C");
    hol__arena arena;
    hol__arena_init(&arena, r->ctx);
    data->local = hol__local_new(r->ctx, r->model);
    hol_data_set(data, hol_data_time(data), NULL, NULL);
    hol_data_update(data, HOL_STAGE_POS);
    read_frames(&data->local->blocks, &c->f);
    for (int i = 0; i < 3; i++) c->theta[i] = run_measure(r, angles[i]);
    for (int i = 0; i < c->f.k; i++) {
        const double *z = c->f.J + i * ANGLES;
        c->J[i * ANGLES] = z[z1] - z[z2];
        c->J[i * ANGLES + 1] = from_ground ? z[z2] : z[z2] - z[z3];
        c->J[i * ANGLES + 2] = z[z3];
    }
    hol__basis *b = hol__basis_new_local(&arena, &data->local->blocks, ANGLES, HOL__RANK_TOLERANCE,
                                         HOL__RELEASE_TOLERANCE);
    assert_int_equal(hol__basis_factor(b, &data->A), HOL_OK);
    for (int k = 0; k < ANGLES - b->rank; k++) {
        const double *z = b->R + k * ANGLES;
        c->R[k] = z[z1];
        c->R[2 + k] = z[z1] + z[z2];
        c->R[4 + k] = z[z3] + (from_ground ? 0 : c->R[2 + k]);
    }
    hol__arena_free(&arena);
}

/* Example 1, case a: cut at the end A. (20), (23a), (25a); of the latter the scan shows no signs:
 * with both fractions negative J D^T = 0. */
static void test_example_1a(void **unused) {
    chain c = {0};
    const double *t = c.theta;
    (void)unused;
    run r = run_open("three_links", "coordinates=relative joints.A.cut=true");
    run_to(&r, 0.31);
    read_chain(&r, &c, 0);
    assert_true(c.f.k == 2 && c.f.m == 2);
    for (int i = 0; i < 4; i++) check_near("C~ (20)", c.f.C[i], i % 3 == 0, 0);
    for (int i = 0; i < 3; i++) {
        check_near("J (23a)", c.J[i], -arm[i] * sin(t[i]), 1e-14);
        check_near("J (23a)", c.J[ANGLES + i], arm[i] * cos(t[i]), 1e-14);
    }
    check_near("D (25a)", c.R[0] / c.R[2], -arm[1] * sin(t[2] - t[1]) / (arm[0] * sin(t[2] - t[0])),
               1e-12);
    check_near("D (25a)", c.R[4] / c.R[2], -arm[1] * sin(t[1] - t[0]) / (arm[2] * sin(t[2] - t[0])),
               1e-12);
    run_close(&r);
}

/* Case b: cut in the middle. The paper counts the angle of link 3 from its other end, clockwise:
 * -theta3 here; and x_A is the end of link 2 less that of link 3. */
static void test_example_1b(void **unused) {
    chain c = {0};
    (void)unused;
    run r = run_open("three_links", "coordinates=relative joints.C.cut=true");
    run_to(&r, 0.31);
    read_chain(&r, &c, 1);
    const double t1 = c.theta[0], t2 = c.theta[1], t3 = -c.theta[2];
    const double printed[ROWS * ANGLES] = {-arm[0] * sin(t1), -arm[1] * sin(t2), -arm[2] * sin(t3),
                                           arm[0] * cos(t1),  arm[1] * cos(t2),  -arm[2] * cos(t3)};
    for (int i = 0; i < ROWS * ANGLES; i++)
        check_near("J (23b)", (i % ANGLES == 2 ? 1 : -1) * c.J[i], printed[i], 1e-14);
    check_near("D (25b)", c.R[0] / c.R[2], -arm[1] * sin(t3 + t2) / (arm[0] * sin(t3 + t1)), 1e-12);
    check_near("D (25b)", -c.R[4] / c.R[2], -arm[1] * sin(t2 - t1) / (arm[2] * sin(t3 + t1)),
               1e-12);
    run_close(&r);
}

/* R with the rows of theta_2 and theta_3 made the unit matrix: the two entries of theta_1. */
static void normalise(const double *R, double out[2]) {
    const double det = R[2] * R[5] - R[3] * R[4];
    out[0] = (R[0] * R[5] - R[1] * R[4]) / det;
    out[1] = (R[1] * R[2] - R[0] * R[3]) / det;
}

/* Example 2, case a: x_A and y_A, two local coordinates for one constraint. (27a), (28a), (29a);
 * the row of the program has length 1, that of the paper 1 / cos(alpha). Case b: one coordinate.
 * (27b), (28b), (33b). Both have the same directions. */
static void test_example_2(void **unused) {
    chain c = {0};
    double x[2], row[ANGLES];
    const double *t = c.theta;
    (void)unused;
    run r = run_open("three_links_slider", "coordinates=relative");
    run_to(&r, 0.31);
    read_chain(&r, &c, 0);
    assert_true(c.f.k == 2 && c.f.m == 1);
    check_near("C~ (27a)", c.f.C[0] / cos(alpha), -tan(alpha), 1e-14);
    check_near("C~ (27a)", c.f.C[1] / cos(alpha), 1, 1e-14);
    check_near("D~ (29a)", c.f.D[1] / c.f.D[0], tan(alpha), 1e-14);
    for (int i = 0; i < 3; i++) {
        check_near("J (28a)", c.J[i], -reach[i] * sin(t[i]), 1e-14);
        check_near("J (28a)", c.J[ANGLES + i], reach[i] * cos(t[i]), 1e-14);
    }
    plain_mul(c.f.C, c.J, 1, 2, ANGLES, row);
    for (int i = 0; i < 3; i++)
        check_near("J (28b)", -row[i], -reach[i] * cos(t[i] - alpha), 1e-14);
    normalise(c.R, x);
    for (int i = 0; i < 2; i++)
        check_near("D (33b)", x[i],
                   -reach[i + 1] * cos(t[i + 1] - alpha) / (reach[0] * cos(t[0] - alpha)), 1e-12);
    run_close(&r);
}

/* ---- reactions of single constraints as output ---- */

/* r_j = -A_j^T lambda_j (36) against the interface, row by row. */
static void check_single(hol_data *data) {
    static double r[MOST * MOST], A[MOST * MOST];
    const int m = data->model->m, n = data->model->nv;
    assert_int_equal(hol_data_term(data, HOL_TERM_REACTIONS, r, MOST * MOST), HOL_OK);
    hol__csr_to_dense(&data->A, A);
    for (int i = 0; i < m * n; i++)
        check_near("r_j", r[i], -A[i] * hol_data_multipliers(data)[i / n], 0);
}

/* Columns behind the measures: the multiplier of each row, then its force on each velocity. */
static void test_columns(void **unused) {
    static double A[MOST * MOST];
    static const char path[] = "letter-local-reactions.csv";
    char name[256], velocity[64];
    (void)unused;
    run r = run_open("three_links", "coordinates=relative joints.A.cut=true "
                                    "constraint_reactions=on end=0.2");
    hol_data *data = hol_sim_data(r.sim);
    run_to(&r, 0.2);
    check_single(data);
    hol__csr_to_dense(&data->A, A);
    hol_writer *writer = hol_writer_open(r.sim, path);
    assert_non_null(writer);
    assert_int_equal(hol_writer_record(writer), HOL_OK);
    assert_int_equal(hol_writer_close(writer), HOL_OK);
    hol_result *result = hol_result_read(r.ctx, path);
    assert_non_null(result);
    assert_int_equal(hol_result_columns(result), 1 + model_info(r.model).n_measures + 2 * (1 + 3));
    for (int j = 0; j < 2; j++) {
        const double lambda = data->lambda[j];
        snprintf(name, sizeof name, "A.translation %c.multiplier", "xy"[j]);
        check_near(name, hol_result_values(result, hol_result_find(result, name))[0], lambda, 0);
        for (int i = 0; i < ANGLES; i++) {
            hol_model_velocity_name(r.model, i, velocity, sizeof velocity);
            snprintf(name, sizeof name, "A.translation %c.%s", "xy"[j], velocity);
            assert_true(hol_result_find(result, name) > 0);
            check_near(name, hol_result_values(result, hol_result_find(result, name))[0],
                       -lambda * A[j * ANGLES + i], 0);
        }
    }
    hol_result_free(result);
    remove(path);
    run_close(&r);
}

/* C~ J = A through the interface, and the points in symbols. */
static void test_interface(void **unused) {
    static double C[MOST * MOST], J[MOST * MOST], D[MOST * MOST], A[MOST * MOST], X[MOST * MOST];
    (void)unused;
    run r = run_open("slider_crank", "");
    hol_data *data = hol_sim_data(r.sim);
    hol_size size = {.size = sizeof size};
    assert_int_equal(hol_data_term_size(data, HOL_TERM_LOCAL_D, &size), HOL_OK);
    const int k = size.rows, own = size.columns, n = r.model->nv, m = r.model->m;
    assert_true(k == m + own && own == 1);
    assert_int_equal(hol_data_term(data, HOL_TERM_LOCAL_C, C, MOST * MOST), HOL_OK);
    assert_int_equal(hol_data_term(data, HOL_TERM_LOCAL_J, J, MOST * MOST), HOL_OK);
    assert_int_equal(hol_data_term(data, HOL_TERM_LOCAL_D, D, MOST * MOST), HOL_OK);
    assert_int_equal(hol_data_term(data, HOL_TERM_A, A, MOST * MOST), HOL_OK);
    plain_mul(C, J, m, k, n, X);
    for (int i = 0; i < m * n; i++) check_near("C J", X[i], A[i], 1e-13);
    plain_mul(C, D, m, k, own, X);
    for (int i = 0; i < m * own; i++) check_near("C D", X[i], 0, 1e-15);
    hol_local_point point = {.size = sizeof point};
    int coordinates = 0, i = 0;
    for (; hol_model_local_point(r.ctx, r.model, i, &point) == HOL_OK; i++) {
        coordinates += point.n_coordinates;
        assert_int_equal(point.D[0] != 0, point.n_coordinates > point.n_constraints);
    }
    assert_int_equal(coordinates, k);
    assert_int_equal(hol_model_local_point(r.ctx, r.model, -1, &point), HOL_ERR_ARGUMENT);
    run_close(&r);
}

/* ---- what is refused ---- */

/* More local coordinates than velocities cannot be independent; other bases have none. */
static void test_refused(void **unused) {
    static const struct {
        const char *settings, *words;
    } cases[] = {
        {"coordinates=reference method=nullspace basis=local local_coordinates=full",
         "the 21 local coordinates of the joints depend on each other over the 18 velocities"},
        {"method=nullspace basis=qr local_coordinates=full", "the basis 'qr' do not go together"},
        {"method=lagrange local_coordinates=full", "the kernel 'kkt' do not go together"},
        {"method=nullspace basis=local local_coordinates=few", "fewest"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[1024];
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        hol_options *options = NULL;
        hol_status status =
            hol_spec_read_file(spec, HOLONOM_TEST_MODELS "/slider_crank_spatial.yaml");
        if (!status) status = run_settings(spec, cases[i].settings);
        hol_model *model = status ? NULL : hol_model_from_spec(ctx, spec, &options);
        hol_sim *sim = model ? hol_sim_new(ctx, model, options) : NULL;
        assert_null(sim);
        assert_true(hol_message_count(ctx) > 0);
        hol_message_format(hol_message_get(ctx, hol_message_count(ctx) - 1), line, sizeof line);
        if (!strstr(line, cases[i].words)) fail_msg("%s\nlacks: %s", line, cases[i].words);
        hol_model_free(model);
        hol_options_free(options);
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joint_types), cmocka_unit_test(test_models),
        cmocka_unit_test(test_scheme),      cmocka_unit_test(test_example_1a),
        cmocka_unit_test(test_example_1b),  cmocka_unit_test(test_example_2),
        cmocka_unit_test(test_columns),     cmocka_unit_test(test_interface),
        cmocka_unit_test(test_refused),
    };
    return run_tests_of_models("local frames as printed", tests);
}

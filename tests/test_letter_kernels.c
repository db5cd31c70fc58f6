/* test_letter_kernels.c: one step of the methods that differ in how they solve, against plain loops
 * from the printed equations: (5.17) of GJB with every basis, Udwadia–Kalaba as PV (89) prints it,
 * the augmented Lagrangian of GJB (5.51) and MSF (23)-(25) with its epsilon and its iterations, and
 * the mass-orthogonal projection of MSF (26)-(30) with Newton in full and modified. */
#include "plain.h"

#include "kernel/kernel.h"
#include "sim/sim.h"

/* Errors of a step: rounding of accelerations up to 1e3 with condition numbers up to 1e3, times the
 * step. */
static const double tolerance = 1e-12;

/* The step; that of projections is shorter: alpha is 5e11 times the smallest inertia of the spatial
 * slider-crank, so that doubles know the change of velocities to eps alpha / inertia, 1e-4 of
 * itself, and it falls with the fifth power of the step. */
static const double whole = 1e-3, quarter = 2.5e-4;

/* A formulation in plain loops, with what it counts. */
typedef struct letter {
    double alpha, Omega, mu, epsilon; /* of the augmented Lagrangian */
    int iterations, evaluations;
} letter;

/* Open a subject with a method and settings. */
static run open_subject(const plain_subject *s, double h, const char *settings) {
    char text[256];
    snprintf(text, sizeof text, "integrator=rk4 step=%g end=10 %s", h, settings);
    return run_open(s->file, text);
}

/* The library's step against that of a formulation in plain loops, from the subject's state; after:
 * the projection that follows a step in plain loops, or NULL. */
static void check_step(const plain_subject *s, const char *settings, plain_fn *f, letter *user,
                       void (*after)(letter *user, plain *p, double *q, double *v)) {
    double q[PLAIN], v[PLAIN], q1[PLAIN], v1[PLAIN];
    plain_start(s, 0, q, v);
    const double h = after ? quarter : whole;
    run r = open_subject(s, h, settings);
    plain p = plain_open(&r);
    user->alpha = 1e7 * hol__largest_mass(r.model);
    plain_library_step(&r, s->t, q, v, q1, v1);
    plain_rk4(&p, f, user, s->t, h, q, v);
    if (after) after(user, &p, q, v);
    const double off = plain_difference(&p, q, v, q1, v1);
    if (!(off < tolerance)) fail_msg("%s with %s: the step differs by %g", s->file, settings, off);
    plain_close(&p);
    run_close(&r);
}

/* ---- (5.17) ---- */

/* R (n x f) with A R = 0 and the rank by elimination with full pivots; rows and columns in the
 * order of the pivots. Returns the rank. */
static int eliminate(const plain *p, int *row, int *column, double *R) {
    const int n = p->nv, m = p->m;
    double W[PLAIN2];
    int r = 0;
    memcpy(W, p->A, sizeof *W * (size_t)(m * n));
    for (int i = 0; i < m; i++) row[i] = i;
    for (int j = 0; j < n; j++) column[j] = j;
    for (; r < m && r < n; r++) {
        int bi = r, bj = r;
        for (int i = r; i < m; i++)
            for (int j = r; j < n; j++)
                if (fabs(W[row[i] * n + column[j]]) > fabs(W[row[bi] * n + column[bj]]))
                    bi = i, bj = j;
        if (fabs(W[row[bi] * n + column[bj]]) < 1e-9) break;
        const int ti = row[r], tj = column[r];
        row[r] = row[bi], row[bi] = ti;
        column[r] = column[bj], column[bj] = tj;
        double *pivot = W + row[r] * n;
        const double inverse = 1 / pivot[column[r]];
        for (int j = 0; j < n; j++) pivot[j] *= inverse;
        for (int i = 0; i < m; i++) {
            if (row[i] == row[r]) continue;
            const double f = W[row[i] * n + column[r]];
            for (int j = 0; j < n; j++) W[row[i] * n + j] -= f * pivot[j];
        }
    }
    for (int k = 0; k < n - r; k++)
        for (int i = 0; i < n; i++)
            R[column[i] * (n - r) + k] = i < r ? -W[row[i] * n + column[r + k]] : i == r + k;
    return r;
}

/* [A; R^T M] v' = [c; R^T Q], with r independent rows of A. */
static void projection(void *user, plain *p, double *u, double *a) {
    const int n = p->nv;
    int row[PLAIN], column[PLAIN];
    double R[PLAIN2], B[PLAIN2], f[PLAIN];
    (void)user;
    const int r = eliminate(p, row, column, R), free = n - r;
    for (int i = 0; i < r; i++) {
        memcpy(B + i * n, p->A + row[i] * n, sizeof *B * (size_t)n);
        f[i] = p->c[row[i]];
    }
    for (int k = 0; k < free; k++) {
        f[r + k] = 0;
        for (int i = 0; i < n; i++) f[r + k] += R[i * free + k] * p->Q[i];
        for (int j = 0; j < n; j++) {
            B[(r + k) * n + j] = 0;
            for (int i = 0; i < n; i++) B[(r + k) * n + j] += R[i * free + k] * p->M[i * n + j];
        }
    }
    plain_solve(B, f, n, 1, a);
    memcpy(u, p->v, sizeof *u * (size_t)n);
}

/* With every basis, and by default. */
static void test_projection(void **state) {
    static const char *const bases[] = {"",           "basis=partition", "basis=qr",
                                        "basis=svd",  "basis=eigen",     "basis=schur",
                                        "basis=putd", "basis=local"};
    (void)state;
    if (!run_reads_files()) skip();
    for (int s = 0; s < PLAIN_SUBJECTS; s++)
        for (size_t b = 0; b < sizeof bases / sizeof *bases; b++) {
            char settings[64];
            letter l = {0};
            snprintf(settings, sizeof settings, "method=projection %s", bases[b]);
            check_step(&plain_subjects[s], settings, projection, &l, NULL);
        }
}

/* ---- Udwadia–Kalaba ---- */

/* M^-1/2, the symmetric root, by one-sided Jacobi: M V = W with orthogonal columns of lengths s. */
static void inverse_root(const plain *p, double *root) {
    const int n = p->nv;
    double W[PLAIN2], V[PLAIN2] = {0};
    memcpy(W, p->M, sizeof *W * (size_t)(n * n));
    for (int i = 0; i < n; i++) V[i * n + i] = 1;
    for (int sweep = 0; sweep < 40 && plain_jacobi(W, n, V, n) > 1e-15; sweep++) continue;
    memset(root, 0, sizeof *root * (size_t)(n * n));
    for (int k = 0; k < n; k++) {
        double s = 0;
        for (int i = 0; i < n; i++) s += W[i * n + k] * W[i * n + k];
        s = sqrt(sqrt(s));
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) root[i * n + j] += V[i * n + k] * V[j * n + k] / s;
    }
}

/* v' = a + M^-1/2 D^+ (c - A a), a = M^-1 Q, D = A M^-1/2. */
static void udwadia_kalaba(void *user, plain *p, double *u, double *a) {
    const int n = p->nv, m = p->m;
    double root[PLAIN2], D[PLAIN2], P[PLAIN2], rest[PLAIN], y[PLAIN], x[PLAIN];
    (void)user;
    inverse_root(p, root);
    plain_mul(p->A, root, m, n, n, D);
    plain_pinv(D, m, n, P);
    plain_solve(p->M, p->Q, n, 1, a);
    for (int i = 0; i < m; i++) rest[i] = p->c[i] - plain_dot(p->A + i * n, a, n);
    plain_mul(P, rest, n, m, 1, y);
    plain_mul(root, y, n, n, 1, x);
    for (int i = 0; i < n; i++) a[i] += x[i];
    memcpy(u, p->v, sizeof *u * (size_t)n);
}

static void test_udwadia_kalaba(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    for (int s = 0; s < PLAIN_SUBJECTS; s++)
        for (int form = 0; form < 2; form++) {
            letter l = {0};
            check_step(&plain_subjects[s],
                       form ? "method=udwadia-kalaba uk_form=range-space" : "method=udwadia-kalaba",
                       udwadia_kalaba, &l, NULL);
        }
}

/* The last state of 50 steps. */
static void run_steps(const char *settings, double *q, double *v) {
    run r = open_subject(&plain_subjects[1], whole, settings);
    for (int k = 0; k < 50; k++) plain_next_step(&r, q, v);
    run_close(&r);
}

/* The range-space form is lagrange with kernel schur, to the bit, as its description says; the
 * pseudoinverse is not, nor is the stacked form the reduced one. */
static void test_sharing(void **state) {
    static const char *const pairs[][2] = {
        {"method=udwadia-kalaba uk_form=range-space", "method=lagrange kernel=schur"},
        {"method=udwadia-kalaba", "method=lagrange kernel=schur"},
        {"method=projection", "method=nullspace basis=partition"},
        {"method=projection basis=qr", "method=nullspace"}};
    (void)state;
    if (!run_reads_files()) skip();
    for (int k = 0; k < 4; k++) {
        double q[2][PLAIN] = {{0}}, v[2][PLAIN] = {{0}};
        for (int i = 0; i < 2; i++) run_steps(pairs[k][i], q[i], v[i]);
        const int same = memcmp(q[0], q[1], sizeof *q) == 0 && memcmp(v[0], v[1], sizeof *v) == 0;
        if (same != (k == 0)) fail_msg("%s and %s: same bits %d", pairs[k][0], pairs[k][1], same);
    }
}

/* ---- augmented Lagrangian ---- */

/* X = B^-1 F in extended precision: K in doubles is off by alpha eps, 1e-9 of M, which the printed
 * form adds to the motion along the constraints in every iteration. */
static void solve_long(const long double *B, const long double *F, int n, long double *X) {
    long double W[PLAIN2];
    for (int i = 0; i < n * n; i++) W[i] = B[i];
    for (int i = 0; i < n; i++) X[i] = F[i];
    for (int i = 0; i < n; i++) {
        int best = i;
        for (int r = i + 1; r < n; r++)
            if (fabsl(W[r * n + i]) > fabsl(W[best * n + i])) best = r;
        for (int j = 0; j < n; j++) {
            const long double t = W[i * n + j];
            W[i * n + j] = W[best * n + j], W[best * n + j] = t;
        }
        const long double t = X[i];
        X[i] = X[best], X[best] = t;
        for (int r = i + 1; r < n; r++) {
            const long double f = W[r * n + i] / W[i * n + i];
            for (int j = i; j < n; j++) W[r * n + j] -= f * W[i * n + j];
            X[r] -= f * X[i];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) X[i] -= W[i * n + j] * X[j];
        X[i] /= W[i * n + i];
    }
}

/* K = M + A^T alpha A over the first rows of A. */
static void form_matrix(const plain *p, double alpha, int rows, long double *K) {
    const int n = p->nv;
    for (int i = 0; i < n * n; i++) K[i] = p->M[i];
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                K[i * n + j] += (long double)alpha * p->A[r * n + i] * p->A[r * n + j];
}

/* out = M x + A^T alpha s. */
static void right_side(const plain *p, double alpha, const long double *x, const double *s,
                       long double *out) {
    const int n = p->nv;
    for (int i = 0; i < n; i++) {
        out[i] = 0;
        for (int j = 0; j < n; j++) out[i] += p->M[i * n + j] * x[j];
        for (int r = 0; r < p->m; r++) out[i] += (long double)p->A[r * n + i] * alpha * s[r];
    }
}

/* M v'_0 = Q; (M + A^T alpha A) v'_(i+1) = M v'_i - A^T alpha (-c + s) until
 * |v'_(i+1) - v'_i| <= epsilon; s = 2 Omega mu Phi' + Omega^2 Phi, nonholonomic rows mu psi. */
static void augmented_lagrangian(void *user, plain *p, double *u, double *a) {
    letter *l = user;
    const int n = p->nv;
    double s[PLAIN];
    long double K[PLAIN2];
    long double x[PLAIN] = {0}, y[PLAIN] = {0}, f[PLAIN] = {0}, change = INFINITY;
    for (int r = 0; r < p->m; r++)
        s[r] = p->c[r] - (r < p->mh
                              ? 2 * l->Omega * l->mu * p->psi[r] + l->Omega * l->Omega * p->Phi[r]
                              : l->mu * p->psi[r]);
    for (int i = 0; i < n; i++) f[i] = p->Q[i];
    form_matrix(p, 0, 0, K);
    solve_long(K, f, n, x);
    form_matrix(p, l->alpha, p->m, K);
    int count = 0;
    for (; change > l->epsilon && count < 50; count++) {
        right_side(p, l->alpha, x, s, f);
        solve_long(K, f, n, y);
        change = 0;
        for (int i = 0; i < n; i++) change += (y[i] - x[i]) * (y[i] - x[i]);
        change = sqrtl(change);
        memcpy(x, y, sizeof x);
    }
    l->evaluations++;
    l->iterations += count - 1; /* after the first solution */
    for (int i = 0; i < n; i++) a[i] = (double)x[i];
    memcpy(u, p->v, sizeof *u * (size_t)n);
}

/* With the documents' values and several epsilons. */
static void test_augmented_lagrangian(void **state) {
    static const double epsilons[] = {1e-4, 1e-7};
    (void)state;
    if (!run_reads_files()) skip();
    for (int s = 0; s < PLAIN_SUBJECTS; s++)
        for (int e = 0; e < 2; e++) {
            char settings[96];
            letter l = {.Omega = 10, .mu = 1, .epsilon = epsilons[e]};
            snprintf(settings, sizeof settings,
                     "method=augmented-lagrangian iteration_tolerance=%g", epsilons[e]);
            check_step(&plain_subjects[s], settings, augmented_lagrangian, &l, NULL);
        }
}

/* As many iterations as the printed loop makes: in the step and at its end. */
static void test_iterations(void **state) {
    static const double epsilons[] = {1e-4, 1e-8};
    const plain_subject *s = &plain_subjects[0];
    (void)state;
    if (!run_reads_files()) skip();
    for (int e = 0; e < 2; e++) {
        double q[PLAIN], v[PLAIN], q1[PLAIN], v1[PLAIN], u[PLAIN], a[PLAIN];
        char settings[96];
        letter l = {.Omega = 10, .mu = 1, .epsilon = epsilons[e]};
        plain_start(s, 0, q, v);
        snprintf(settings, sizeof settings, "method=augmented-lagrangian iteration_tolerance=%g",
                 epsilons[e]);
        run r = open_subject(s, whole, settings);
        plain p = plain_open(&r);
        l.alpha = 1e7 * hol__largest_mass(r.model);
        assert_int_equal(hol_sim_restart(r.sim, s->t, q, v), HOL_OK);
        const long before = r.sim->kernel->info.iterations, evaluated = r.sim->form.evaluations;
        plain_next_step(&r, q1, v1);
        plain_rk4(&p, augmented_lagrangian, &l, s->t, whole, q, v);
        plain_at(&p, s->t + whole, q1, v1);
        const long made = r.sim->form.evaluations - evaluated;
        /* the library has the first evaluation from the restart, and that at the end may be one of
         * the next step */
        assert_true(made == l.evaluations - 1 || made == l.evaluations);
        const int first = l.iterations / l.evaluations;
        assert_int_equal(l.iterations, first * l.evaluations);
        assert_int_equal(first, e == 0 ? 1 : 2);
        augmented_lagrangian(&l, &p, u, a);
        assert_int_equal(r.sim->kernel->info.iterations - before, first * made);
        plain_close(&p);
        run_close(&r);
    }
}

/* ---- mass-orthogonal projection ---- */

/* Positions (26)-(28), lambda_0 = 0, with the term alpha Phi that (26) leaves out; then velocities
 * (30), less K v_i on both sides. */
static void project(letter *l, plain *p, double *q, double *v) {
    const hol_model *model = p->data->model;
    const int n = p->nv;
    long double K[PLAIN2];
    double q0[PLAIN], lambda[PLAIN] = {0}, d[PLAIN], q1[PLAIN], rest[PLAIN];
    long double f[PLAIN] = {0}, x[PLAIN] = {0};
    memcpy(q0, q, sizeof q0);
    for (int iteration = 0; iteration < 6; iteration++) {
        plain_at(p, p->t, q, v);
        form_matrix(p, l->alpha, p->mh, K);
        for (int r = 0; r < p->mh; r++) lambda[r] += iteration ? l->alpha * p->Phi[r] : 0;
        model->coords->minus(model, q, q0, d);
        for (int i = 0; i < n; i++) {
            f[i] = 0;
            for (int j = 0; j < n; j++) f[i] -= (long double)p->M[i * n + j] * d[j];
            for (int r = 0; r < p->mh; r++)
                f[i] -= (long double)p->A[r * n + i] * (lambda[r] + l->alpha * p->Phi[r]);
        }
        solve_long(K, f, n, x);
        for (int i = 0; i < n; i++) d[i] = (double)x[i];
        model->coords->plus(model, q, d, q1);
        memcpy(q, q1, sizeof *q * (size_t)p->nq);
    }
    plain_at(p, p->t, q, v);
    form_matrix(p, l->alpha, p->m, K);
    for (int iteration = 0; iteration < 6; iteration++) {
        for (int r = 0; r < p->m; r++) rest[r] = p->b[r] - plain_dot(p->A + r * n, v, n);
        for (int i = 0; i < n; i++) x[i] = 0;
        right_side(p, l->alpha, x, rest, f);
        solve_long(K, f, n, x);
        for (int i = 0; i < n; i++) v[i] += (double)x[i];
    }
}

static void test_index1(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    for (int s = 0; s < PLAIN_SUBJECTS; s++)
        for (int full = 0; full < 2; full++) {
            letter l = {.epsilon = 1e-4};
            check_step(&plain_subjects[s],
                       full ? "method=index1-projection newton=full" : "method=index1-projection",
                       augmented_lagrangian, &l, project);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_projection), cmocka_unit_test(test_udwadia_kalaba),
        cmocka_unit_test(test_sharing),    cmocka_unit_test(test_augmented_lagrangian),
        cmocka_unit_test(test_iterations), cmocka_unit_test(test_index1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

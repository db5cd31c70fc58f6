/* plain.h: for tests that write a formulation anew from its printed equations: the mechanics of a
 * state as dense arrays, naive linear algebra, one step of RK4, and one step of the library to
 * compare with.
 *
 *     plain p = plain_open(&r);                     of a run that is set up
 *     plain_at(&p, t, q, v);                        M A Q c b Phi psi at a state
 *     plain_rk4(&p, f, user, t, h, q, v);           q, v and p.work after h
 *     plain_library_step(&r, t, q, v, q_new, v_new);
 *
 * Positions move as in the library: a step integrates increments d from its start, q = q0 (+) d, d'
 * = rate(d, u), where u is the velocity that the formulation puts into the kinematic equation. All
 * matrices are row-major without gaps.
 */
#ifndef HOLONOM_TEST_PLAIN_H
#define HOLONOM_TEST_PLAIN_H

#include "model_fixture.h"

#include "dyn/data.h"

enum { PLAIN = 32, PLAIN2 = PLAIN * PLAIN }; /* the most unknowns or rows, and its square */

/* ---- linear algebra ---- */

/* C = A B, with A m x k and B k x n. */
static inline void plain_mul(const double *A, const double *B, int m, int k, int n, double *C) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int l = 0; l < k; l++) sum += A[i * k + l] * B[l * n + j];
            C[i * n + j] = sum;
        }
}

/* B = A^T, with A m x n. */
static inline void plain_transpose(const double *A, int m, int n, double *B) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) B[j * m + i] = A[i * n + j];
}

static inline double plain_dot(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* Exchange two rows of n numbers. */
static inline void plain_swap(double *a, double *b, int n) {
    for (int j = 0; j < n; j++) {
        const double was = a[j];
        a[j] = b[j], b[j] = was;
    }
}

/* X = B^-1 F with k right-hand sides (F n x k), by Gauss with row pivots. */
static inline void plain_solve(const double *B, const double *F, int n, int k, double *X) {
    double W[PLAIN2 * 4]; /* also for n = 2 PLAIN unknowns */
    assert_true(n <= 2 * PLAIN);
    memcpy(W, B, sizeof *W * (size_t)(n * n));
    if (X != F) memcpy(X, F, sizeof *X * (size_t)(n * k));
    for (int i = 0; i < n; i++) {
        int p = i;
        for (int r = i + 1; r < n; r++)
            if (fabs(W[r * n + i]) > fabs(W[p * n + i])) p = r;
        assert_true(W[p * n + i] != 0);
        if (p != i) plain_swap(W + i * n, W + p * n, n), plain_swap(X + i * k, X + p * k, k);
        for (int r = i + 1; r < n; r++) {
            const double f = W[r * n + i] / W[i * n + i];
            for (int j = i; j < n; j++) W[r * n + j] -= f * W[i * n + j];
            for (int j = 0; j < k; j++) X[r * k + j] -= f * X[i * k + j];
        }
    }
    for (int i = n - 1; i >= 0; i--)
        for (int j = 0; j < k; j++) {
            for (int r = i + 1; r < n; r++) X[i * k + j] -= W[i * n + r] * X[r * k + j];
            X[i * k + j] /= W[i * n + i];
        }
}

/* The upper triangular U with U^T U = M. */
static inline void plain_cholesky(const double *M, int n, double *U) {
    memset(U, 0, sizeof *U * (size_t)(n * n));
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            double sum = M[i * n + j];
            for (int k = 0; k < i; k++) sum -= U[k * n + i] * U[k * n + j];
            assert_true(j > i || sum > 0);
            U[i * n + j] = j == i ? sqrt(sum) : sum / U[i * n + i];
        }
}

/* One sweep of one-sided Jacobi: the columns of W (rows x n) become orthogonal, W <- W J, V <- V J;
 * the largest cosine met. */
static inline double plain_jacobi(double *W, int rows, double *V, int n) {
    double worst = 0;
    for (int p = 0; p < n; p++)
        for (int q = p + 1; q < n; q++) {
            double a = 0, b = 0, g = 0;
            for (int i = 0; i < rows; i++) {
                a += W[i * n + p] * W[i * n + p];
                b += W[i * n + q] * W[i * n + q];
                g += W[i * n + p] * W[i * n + q];
            }
            if (!(fabs(g) > 1e-16 * sqrt(a * b))) continue;
            worst = fmax(worst, fabs(g) / sqrt(a * b));
            const double z = (b - a) / (2 * g), t = copysign(1, z) / (fabs(z) + hypot(1, z)),
                         c = 1 / hypot(1, t), s = c * t;
            for (int i = 0; i < rows + n; i++) {
                double *row = i < rows ? W + i * n : V + (i - rows) * n;
                const double x = row[p], y = row[q];
                row[p] = c * x - s * y, row[q] = s * x + c * y;
            }
        }
    return worst;
}

/* P = C^+ (n x m) of C (m x n): with C^T V = W, the columns of W orthogonal, C^+ = W S^-2 V^T over
 * the columns whose length s is not zero: more than 1e-10 of the longest. Returns the rank. */
static inline int plain_pinv(const double *C, int m, int n, double *P) {
    double W[PLAIN2], V[PLAIN2] = {0}, s2[PLAIN], most = 0;
    int rank = 0;
    assert_true(m <= PLAIN && n <= PLAIN);
    plain_transpose(C, m, n, W);
    for (int i = 0; i < m; i++) V[i * m + i] = 1;
    for (int sweep = 0; sweep < 40 && plain_jacobi(W, n, V, m) > 1e-15; sweep++) continue;
    for (int j = 0; j < m; j++) {
        s2[j] = 0;
        for (int i = 0; i < n; i++) s2[j] += W[i * m + j] * W[i * m + j];
        most = fmax(most, s2[j]);
    }
    memset(P, 0, sizeof *P * (size_t)(n * m));
    for (int j = 0; j < m; j++) {
        if (!(s2[j] > 1e-20 * most)) continue;
        rank++;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < m; k++) P[i * m + k] += W[i * m + j] * V[k * m + j] / s2[j];
    }
    return rank;
}

/* ---- the mechanics of a state ---- */

/* M v' + A^T lambda = Q, A v = b, A v' = c, psi = A v - b; the first mh rows are holonomic. */
typedef struct plain {
    hol_context *ctx;
    hol_data *data; /* its own, of the model of the run */
    int nq, nv, mh, m;
    double t, q[PLAIN], v[PLAIN];
    double M[PLAIN2], A[PLAIN2], Q[PLAIN], c[PLAIN], b[PLAIN], Phi[PLAIN], psi[PLAIN];
    double kinetic, potential;
    double work;  /* W: set to that of the start of a run, carried on by plain_rk4 */
    double power; /* W' of the forces; a formulation adds that of drivers, -lambda . b */
} plain;

/* For the model of a run, with what its data knows (full turns, memory of forces). */
static inline plain plain_open(run *r) {
    const hol_model *m = r->model;
    plain p = {.ctx = hol_context_new(), .nq = m->nq, .nv = m->nv, .mh = m->mh, .m = m->m};
    assert_true(m->nq <= PLAIN && m->m <= PLAIN && m->n_aux == 0);
    p.data = hol_data_new(p.ctx, m);
    assert_non_null(p.data);
    assert_int_equal(hol_data_copy(p.data, hol_sim_data(r->sim)), HOL_OK);
    return p;
}

static inline void plain_close(plain *p) {
    hol_data_free(p->data);
    hol_context_free(p->ctx);
}

/* Everything at (t, q, v). */
static inline void plain_at(plain *p, double t, const double *q, const double *v) {
    hol_data *data = p->data;
    hol_data_set(data, t, q, v);
    data->recursive = 0; /* Q is wanted */
    assert_int_equal(hol_data_update(data, HOL_STAGE_DYN), HOL_OK);
    p->t = t;
    memmove(p->q, q, sizeof *q * (size_t)p->nq);
    memmove(p->v, v, sizeof *v * (size_t)p->nv);
    hol__csr_to_dense(hol__data_mass(data), p->M);
    hol__csr_to_dense(&data->A, p->A);
    memcpy(p->Q, data->Q, sizeof *p->Q * (size_t)p->nv);
    memcpy(p->c, data->c, sizeof *p->c * (size_t)p->m);
    memcpy(p->b, data->b, sizeof *p->b * (size_t)p->m);
    memcpy(p->Phi, data->Phi, sizeof *p->Phi * (size_t)p->mh);
    for (int i = 0; i < p->m; i++) p->psi[i] = plain_dot(p->A + i * p->nv, v, p->nv) - p->b[i];
    double Mv[PLAIN];
    plain_mul(p->M, v, p->nv, p->nv, 1, Mv);
    p->kinetic = plain_dot(v, Mv, p->nv) / 2;
    p->potential = data->potential;
    p->power = data->power;
}

/* [W A^T; A 0] [x; mu] = [f; c], W n x n, A of the state in p. */
static inline void plain_saddle(const plain *p, const double *W, const double *f, const double *c,
                                double *x, double *mu) {
    const int n = p->nv, m = p->m, N = n + m;
    double K[4 * PLAIN2] = {0}, y[2 * PLAIN];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) K[i * N + j] = W[i * n + j];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) K[(n + i) * N + j] = K[j * N + n + i] = p->A[i * n + j];
    memcpy(y, f, sizeof *y * (size_t)n);
    memcpy(y + n, c, sizeof *y * (size_t)m);
    plain_solve(K, y, N, 1, y);
    memcpy(x, y, sizeof *x * (size_t)n);
    memcpy(mu, y + n, sizeof *mu * (size_t)m);
}

/* ---- one step ---- */

/* The formulation at the state in p: u, the velocity in the kinematic equation, and a = v'. */
typedef void plain_fn(void *user, plain *p, double *u, double *a);

/* Classical Runge–Kutta: q and v after h, and p->work. */
static inline void plain_rk4(plain *p, plain_fn *f, void *user, double t, double h, double *q,
                             double *v) {
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    const hol__coords *coords = p->data->model->coords;
    const hol_model *model = p->data->model;
    const int n = p->nv;
    const double work = p->work;
    double d[PLAIN], vs[PLAIN], qs[PLAIN], u[PLAIN], ddot[PLAIN] = {0}, a[PLAIN] = {0}, power = 0;
    double d_sum[PLAIN] = {0}, v_sum[PLAIN] = {0}, w_sum = 0;
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < n; i++) d[i] = h * at[s] * ddot[i], vs[i] = v[i] + h * at[s] * a[i];
        p->work = work + h * at[s] * power;
        coords->plus(model, q, d, qs);
        plain_at(p, t + h * at[s], qs, vs);
        f(user, p, u, a);
        coords->rate(model, d, u, ddot);
        power = p->power;
        for (int i = 0; i < n; i++) {
            d_sum[i] += weight[s] * ddot[i];
            v_sum[i] += weight[s] * a[i];
        }
        w_sum += weight[s] * power;
    }
    for (int i = 0; i < n; i++) d[i] = h / 6 * d_sum[i], v[i] += h / 6 * v_sum[i];
    coords->plus(model, q, d, qs);
    memcpy(q, qs, sizeof *q * (size_t)p->nq);
    p->work = work + h / 6 * w_sum;
}

/* The next step of the library, of the length that the run was set up with (`step=h`, and an `end`
 * that lies beyond). */
static inline void plain_next_step(run *r, double *q_new, double *v_new) {
    const hol_model_info info = model_info(r->model);
    if (hol_sim_step(r->sim)) {
        run_print_messages(r->ctx);
        fail_msg("the library cannot make the step to t = %g", hol_data_time(hol_sim_data(r->sim)));
    }
    memcpy(q_new, hol_data_q(hol_sim_data(r->sim)), sizeof *q_new * (size_t)info.n_q);
    memcpy(v_new, hol_data_v(hol_sim_data(r->sim)), sizeof *v_new * (size_t)info.n_v);
}

/* The step of the library from (t, q, v). */
static inline void plain_library_step(run *r, double t, const double *q, const double *v,
                                      double *q_new, double *v_new) {
    if (hol_sim_restart(r->sim, t, q, v)) {
        run_print_messages(r->ctx);
        fail_msg("the library cannot start at t = %g", t);
    }
    plain_next_step(r, q_new, v_new);
}

/* The largest difference of two states: increments between the positions, full turns in the plane
 * aside, and velocities. Numbers that are none are infinitely far off. */
static inline double plain_difference(const plain *p, const double *q, const double *v,
                                      const double *q2, const double *v2) {
    static const double turn = 6.283185307179586476925286766559;
    const hol_model *model = p->data->model;
    double d[PLAIN], most = 0;
    model->coords->minus(model, q, q2, d);
    for (int i = 0; i < p->nv; i++) {
        if (hol__is_turn(model, i)) d[i] = remainder(d[i], turn);
        if (!isfinite(d[i]) || !isfinite(v[i] - v2[i])) return INFINITY;
        most = fmax(most, fmax(fabs(d[i]), fabs(v[i] - v2[i])));
    }
    return most;
}

/* ---- three subjects ---- */

/* A model of models/ and an instant of its motion with speed in all its parts. */
typedef struct plain_subject {
    const char *file;
    double t;
} plain_subject;

/* In the plane; in space, with quaternions; and with nonholonomic rows beside holonomic ones. */
static const plain_subject plain_subjects[] = {
    {"four_bar", 0.715}, {"slider_crank_spatial", 0.137}, {"bicycle", 0.283}};

enum { PLAIN_SUBJECTS = sizeof plain_subjects / sizeof *plain_subjects };

/* The state of a subject's motion, and then every position and velocity off by up to `off` of 1 m,
 * 1 rad, 1 m/s, 1 rad/s: an inconsistent start. */
static inline void plain_start(const plain_subject *s, double off, double *q, double *v) {
    uint64_t seed = 0x9e3779b97f4a7c15u;
    run r = run_open(s->file, "end=10 tolerance=1e-10");
    run_to(&r, s->t);
    const hol_data *data = hol_sim_data(r.sim);
    const hol_model *model = r.model;
    double d[PLAIN];
    for (int i = 0; i < model->nv; i++) {
        d[i] = off * random_one(&seed);
        v[i] = hol_data_v(data)[i] + off * random_one(&seed);
    }
    model->coords->plus(model, hol_data_q(data), d, q);
    run_close(&r);
}

#endif

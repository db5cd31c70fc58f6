/* test_plain.c: the plain copies of mechanics and algebra (plain.h) that formulations are compared
 * with: first against the definitions, then a step of `lagrange` written from its equations,
 *
 *     [M A^T; A 0] [v'; lambda] = [Q; c],  q' = N v
 *
 * against the library's.
 */
#include "plain.h"

/* The conditions of Moore and Penrose, for a matrix of rank 3 with 5 rows. */
static void pseudoinverse_of_deficient_rank(void **unused) {
    (void)unused;
    uint64_t seed = 77;
    double L[15], R[21], C[35], P[35], CP[25], PC[49], CPC[35], PCP[35];
    for (int i = 0; i < 15; i++) L[i] = random_one(&seed);
    for (int i = 0; i < 21; i++) R[i] = random_one(&seed);
    plain_mul(L, R, 5, 3, 7, C);
    assert_int_equal(plain_pinv(C, 5, 7, P), 3);
    plain_mul(C, P, 5, 7, 5, CP), plain_mul(P, C, 7, 5, 7, PC);
    plain_mul(CP, C, 5, 5, 7, CPC), plain_mul(PC, P, 7, 7, 5, PCP);
    for (int i = 0; i < 35; i++) {
        check_near("C C+ C", CPC[i], C[i], 1e-14);
        check_near("C+ C C+", PCP[i], P[i], 1e-13);
    }
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) check_near("C C+ ", CP[5 * i + j], CP[5 * j + i], 1e-14);
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) check_near("C+ C", PC[7 * i + j], PC[7 * j + i], 1e-14);
}

/* U^T U = M, and M X = F for two right-hand sides that need pivots. */
static void cholesky_and_gauss(void **unused) {
    (void)unused;
    const double M[9] = {4.2, 1.1, -0.7, 1.1, 3.9, 0.3, -0.7, 0.3, 2.6};
    const double B[9] = {0, 2.385, 1, 1.7, 0, -3, 0.2, 5, 0}, F[6] = {1, 2, 3, 4, 5, 6};
    double U[9], Ut[9], UtU[9], X[6], BX[6];
    plain_cholesky(M, 3, U);
    plain_transpose(U, 3, 3, Ut);
    plain_mul(Ut, U, 3, 3, 3, UtU);
    plain_solve(B, F, 3, 2, X);
    plain_mul(B, X, 3, 3, 2, BX);
    for (int i = 0; i < 9; i++) check_near("U^T U", UtU[i], M[i], 1e-15);
    for (int i = 0; i < 6; i++) check_near("B X", BX[i], F[i], 1e-14);
}

/* v' of Lagrange's equations with multipliers. */
static void lagrange(void *user, plain *p, double *u, double *a) {
    (void)user;
    double lambda[PLAIN];
    plain_saddle(p, p->M, p->Q, p->c, a, lambda);
    memcpy(u, p->v, sizeof *u * (size_t)p->nv);
    p->power -= plain_dot(lambda, p->b, p->m);
}

/* A step of 4 ms of each subject, on the constraints and off them: equal to rounding. Accelerations
 * are some 100 m/s^2, solved with matrices of condition 1e4 at most and multiplied by the step:
 * 1e-16 1e4 100 0.004 = 4e-13. */
static void a_step_of_lagrange(void **unused) {
    (void)unused;
    for (int s = 0; s < PLAIN_SUBJECTS; s++)
        for (int k = 0; k < 2; k++) {
            const plain_subject *subject = &plain_subjects[s];
            double q[PLAIN], v[PLAIN], q_new[PLAIN], v_new[PLAIN];
            run r = run_open(subject->file, "method=lagrange step=4e-3 end=100");
            plain p = plain_open(&r);
            plain_start(subject, k * 1e-3, q, v);
            plain_library_step(&r, subject->t, q, v, q_new, v_new);
            plain_rk4(&p, lagrange, NULL, subject->t, 4e-3, q, v);
            check_near(subject->file, plain_difference(&p, q, v, q_new, v_new), 0, 1e-12);
            plain_close(&p);
            run_close(&r);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pseudoinverse_of_deficient_rank),
        cmocka_unit_test(cholesky_and_gauss),
        cmocka_unit_test(a_step_of_lagrange),
    };
    return run_tests_of_models("plain", tests);
}

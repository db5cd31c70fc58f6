/* test_kernel.c: the contract of a kernel, for every kernel, storage, basis and form: W x + A^T mu
 * = f, A x = c of any rank. What a kernel does not promise by its flags is not asked of it. */
#include "kernel_fixture.h"

#include "la/klu.h"

/* ---- regular systems ---- */

static void check_regular(rig *r) {
    static const int size[][2] = {{1, 0}, {5, 0}, {6, 2}, {9, 8}, {30, 22}, {60, 41}};
    uint64_t seed = 123456789;
    for (int k = 0; k < 6; k++)
        for (int kind = DIAGONAL; kind <= BAND; kind++) {
            sample s = new_sample(&r->arena, size[k][0], size[k][1], (mass)kind, &seed);
            to_sparse(&r->arena, &s);
            hol__kernel *kernel = new_kernel(r, &s);
            /* Condition numbers of these systems are below 1e3, so 1e-12 leaves a factor of 5. */
            for (int round = 0; round < 4; round++) {
                compare(r, kernel, &s, 1e-12);
                for (int i = 0; i < s.As.ptr[s.m]; i++)
                    if (s.As.live[i]) s.As.x[i] *= 1 + 0.05 * uniform(&seed);
                hol__csr_to_dense(&s.As, s.A);
            }
            assert_int_equal(kernel->info.fallbacks, 0);
            assert_int_equal(kernel->info.factorizations, 4);
            hol__kernel_free(kernel);
        }
}

/* f, c and mu may be left out. */
static void check_null_arguments(rig *r) {
    uint64_t seed = 55555;
    sample s = new_sample(&r->arena, 12, 7, BLOCKS, &seed);
    double x[12], mu[7], y[12];
    const double zero[12] = {0};
    to_sparse(&r->arena, &s);
    hol__kernel *kernel = new_kernel(r, &s);
    assert_int_equal(hol__kernel_factor(kernel, &s.Ws, &s.As), HOL_OK);
    assert_int_equal(hol__kernel_solve(kernel, NULL, s.c, x, NULL), HOL_OK);
    assert_int_equal(hol__kernel_solve(kernel, zero, s.c, y, mu), HOL_OK);
    assert_memory_equal(x, y, sizeof x);
    assert_int_equal(hol__kernel_solve(kernel, s.f, NULL, x, mu), HOL_OK);
    assert_int_equal(hol__kernel_solve(kernel, s.f, zero, y, NULL), HOL_OK);
    assert_memory_equal(x, y, sizeof x);
    hol__kernel_free(kernel);
}

/* ---- rank deficient systems ---- */

/* Row to <- a multiple of row i plus a multiple of row j. */
static void combine(sample *s, int to, double a, int i, double b, int j) {
    for (int k = 0; k < s->n; k++)
        s->A[to * s->n + k] = a * s->A[i * s->n + k] + b * s->A[j * s->n + k];
}

static void check_redundant(rig *r) {
    uint64_t seed = 987123;
    for (int kind = DIAGONAL; kind <= BAND; kind++)
        for (int consistent = 0; consistent < 2; consistent++) {
            sample s = new_sample(&r->arena, 18, 12, (mass)kind, &seed);
            combine(&s, 5, 1, 2, 0, 0);
            combine(&s, 9, 0.77, 1, -1.6, 4);
            combine(&s, 11, 2.385, 0, 0.31, 9);
            if (consistent) make_consistent(&s, &seed);
            to_sparse(&r->arena, &s);
            hol__kernel *kernel = new_kernel(r, &s);
            /* As for regular systems; projections on the null space add a few roundings. */
            for (int round = 0; round < 5; round++)
                assert_int_equal(compare(r, kernel, &s, 1e-11), 9);
            assert_int_equal(kernel->info.fallbacks, has(r, HOL__KERNEL_SMOOTH) ? 0 : 5);
            hol__kernel_free(kernel);
        }
}

/* A duplicate changes nothing in x. */
static void check_duplicate(rig *r) {
    uint64_t seed = 13579;
    sample s = new_sample(&r->arena, 15, 9, BLOCKS, &seed), t = s;
    double x[15], y[15], mu[10], one[9];
    t.m = 10;
    t.A = HOL__NEW_N(&r->arena, double, 15 * 10);
    t.c = HOL__NEW_N(&r->arena, double, 10);
    memcpy(t.A, s.A, 15 * 9 * sizeof *t.A);
    memcpy(t.c, s.c, 9 * sizeof *t.c);
    combine(&t, 9, 1, 3, 0, 0);
    t.c[9] = t.c[3];
    to_sparse(&r->arena, &s);
    to_sparse(&r->arena, &t);
    hol__kernel *a = new_kernel(r, &s), *b = new_kernel(r, &t);
    assert_int_equal(hol__kernel_factor(a, &s.Ws, &s.As), HOL_OK);
    assert_int_equal(hol__kernel_factor(b, &t.Ws, &t.As), HOL_OK);
    assert_int_equal(hol__kernel_solve(a, s.f, s.c, x, one), HOL_OK);
    assert_int_equal(hol__kernel_solve(b, t.f, t.c, y, mu), HOL_OK);
    const double tolerance = allowed(r, 1e-12);
    assert_true(difference(15, x, y) < tolerance);
    /* The minimum norm shares the multiplier equally. */
    assert_true(fabs(mu[3] - mu[9]) < 1e-12 && fabs(mu[3] - 0.5 * one[3]) < tolerance);
    hol__kernel_free(a);
    hol__kernel_free(b);
}

/* More rows than columns, zero rows, and rows in units that differ by 1e6 each way; by 2 for
 * kernels with one penalty for all rows. */
static void check_units(rig *r) {
    uint64_t seed = 7654321;
    sample s = new_sample(&r->arena, 12, 16, BLOCKS, &seed);
    for (int i = 9; i < 16; i++) combine(&s, i, uniform(&seed), i - 9, uniform(&seed), i - 8);
    combine(&s, 12, 0, 0, 0, 0);
    make_consistent(&s, &seed);
    double x[12], y[12], mu[16];
    to_sparse(&r->arena, &s);
    hol__kernel *kernel = new_kernel(r, &s);
    assert_int_equal(compare(r, kernel, &s, 1e-10), 9);
    assert_int_equal(hol__kernel_solve(kernel, s.f, s.c, x, mu), HOL_OK);
    for (int i = 0; i < 16; i++) {
        const double most = has(r, HOL__KERNEL_SMOOTH) ? 2 : 1e6;
        const double unit = i % 3 == 0 ? most : i % 3 == 1 ? 1 / most : 1;
        for (int p = s.As.ptr[i]; p < s.As.ptr[i + 1]; p++) s.As.x[p] *= unit;
        s.c[i] *= unit;
    }
    assert_int_equal(hol__kernel_factor(kernel, &s.Ws, &s.As), HOL_OK);
    assert_int_equal(kernel->info.rank, has(r, HOL__KERNEL_SMOOTH) ? 16 : 9);
    assert_int_equal(hol__kernel_solve(kernel, s.f, s.c, y, mu), HOL_OK);
    /* c is consistent, so the units must not matter: but the small rows carry 1e-6 of the weight
     * of c in the projection. */
    assert_true(difference(12, x, y) < allowed(r, 1e-8));
    hol__kernel_free(kernel);
}

/* Once dependent, a row stays so while it is off by less than the release tolerance, and is let
 * go beyond. */
static void check_memory(rig *r) {
    if (has(r, HOL__KERNEL_SMOOTH)) return;
    uint64_t seed = 1928374;
    sample s = new_sample(&r->arena, 12, 8, DIAGONAL, &seed);
    combine(&s, 7, 0.9, 2, 1.1, 3);
    to_sparse(&r->arena, &s);
    s.As = csr_of(&r->arena, s.m, s.n, s.A, 1);
    memset(s.As.live, 1, (size_t)s.As.ptr[s.m]);
    hol__kernel *kernel = new_kernel(r, &s);
    double *entry = &s.As.x[s.As.ptr[8] - 1];
    const double off[] = {0, 1e-12, 1e-6, 0.2, 1e-6, 0}, before = *entry;
    const int rank[] = {7, 7, 7, 8, 8, 7};
    for (int k = 0; k < 6; k++) {
        *entry = before + off[k];
        assert_int_equal(hol__kernel_factor(kernel, &s.Ws, &s.As), HOL_OK);
        assert_int_equal(kernel->info.rank, rank[k]);
    }
    hol__kernel_free(kernel);
}

/* ---- near singular ---- */

/* A whole number of 256ths, so that products and sums below are exact. */
static double short_number(uint64_t *seed) {
    return round(256 * uniform(seed)) / 256;
}

/* The last row differs from a combination of others by d times a row of its own. With numbers of
 * few digits c = A x and f = W x + A^T mu hold exactly, so x must come back to the accuracy that
 * its own conditioning eps/d allows. */
static void check_near_singular(rig *r) {
    uint64_t seed = 60221408;
    if (has(r, HOL__KERNEL_SMOOTH)) return;
    enum { N = 14, M = 9 };
    for (int kind = DIAGONAL; kind <= BLOCKS; kind++) {
        sample s = new_sample(&r->arena, N, M, (mass)kind, &seed);
        for (int i = 0; i < N * N; i++) s.W[i] = round(256 * s.W[i]) / 256;
        for (int i = 0; i < M * N; i++) s.A[i] = round(256 * s.A[i]) / 256;
        to_sparse(&r->arena, &s);
        s.As = csr_of(&r->arena, M, N, s.A, 1);
        memset(s.As.live, 1, (size_t)(M * N));
        hol__kernel *kernel = new_kernel(r, &s);
        double fresh[N], exact[N], exact_mu[M], x[N], mu[M];
        for (int j = 0; j < N; j++) fresh[j] = short_number(&seed);
        /* A^T A knows the direction only to eps/d^2, 6e-8 where this stops. */
        for (int power = 10; power <= (is_squared(r) ? 14 : 23); power++) {
            const double d = ldexp(1, -power); /* 1e-3 … 1.2e-7 */
            for (int j = 0; j < N; j++) {
                s.As.x[(M - 1) * N + j] = s.As.x[2 * N + j] - 2 * s.As.x[4 * N + j] + d * fresh[j];
                exact[j] = short_number(&seed);
            }
            for (int i = 0; i < M; i++) exact_mu[i] = short_number(&seed);
            hol__csr_mul(&s.As, exact, s.c);
            hol__csr_mul(&s.Ws, exact, s.f);
            hol__csr_mul_t_add(&s.As, 1, exact_mu, s.f);
            assert_int_equal(hol__kernel_factor(kernel, &s.Ws, &s.As), HOL_OK);
            assert_int_equal(kernel->info.rank, M);
            assert_int_equal(hol__kernel_solve(kernel, s.f, s.c, x, mu), HOL_OK);
            /* x is O(1); one rounding in A moves its part in the weak direction by eps/d (2e-9 for
             * the last d), so no method does better; one that squares the condition would be off
             * by eps/d^2, 1e-2 at the end. */
            assert_true(difference(N, x, exact) < 12 * eps / d);
        }
        assert_true(kernel->info.refinements + kernel->info.fallbacks > 0);
        hol__kernel_free(kernel);
    }
}

/* N four-bars that fall flat: N weak directions at once. c and f belong to a smooth x, which must
 * stay. The angles are 10^-first … 10^-6, then 0. */
static void fall_flat(rig *r, int N, int first, int last) {
    linkage l;
    linkage_four_bars(&r->arena, &l, N);
    const int n = l.W.rows, m = l.A.rows;
    sample s = {.n = n, .m = m, .Ws = l.W, .As = l.A};
    double *angle = HOL__NEW_N(&r->arena, double, n), *exact = HOL__NEW_N(&r->arena, double, n);
    double *x = HOL__NEW_N(&r->arena, double, n), *mu = HOL__NEW_N(&r->arena, double, m);
    double *f = HOL__NEW_N(&r->arena, double, n), *c = HOL__NEW_N(&r->arena, double, m);
    hol__kernel *kernel = new_kernel(r, &s);
    for (int i = 0; i < n; i++) exact[i] = sin(1.9 * i + 0.3);
    for (int power = first; power <= last; power++) {
        if ((power == 5 || power == 6) && is_squared(r)) continue;
        const double d = power == 7 ? 0 : pow(10, -power);
        for (int i = 0; i < l.bodies; i++) angle[i] = i <= N ? d * (1 + 0.03 * (i % 5)) : 0;
        linkage_fill(&l, angle);
        hol__csr_mul(&l.A, exact, c);
        hol__csr_mul(&l.W, exact, f);
        assert_int_equal(hol__kernel_factor(kernel, &l.W, &l.A), HOL_OK);
        assert_int_equal(hol__kernel_solve(kernel, f, c, x, mu), HOL_OK);
        assert_int_equal(kernel->info.rank, power == 7 ? m - N : m);
        /* c is rounded to eps, which the weak directions magnify by 1/d. Flat: f and c both belong
         * to exact, and so does x, whatever the rank. */
        assert_true(difference(n, x, exact) < (d > 0 ? fmax(20 * eps / d, 1e-12) : 1e-12));
    }
    hol__kernel_free(kernel);
}

/* 1000 four-bars have more weak rows than there is room for: then refinement has to do. */
static void check_flat_four_bars(rig *r) {
    if (has(r, HOL__KERNEL_SMOOTH)) return;
    fall_flat(r, 1, 0, 7);
    fall_flat(r, 3, 0, 7);
    if (r->options.storage == HOL__STORAGE_DENSE || !has(r, HOL__KERNEL_SPARSE)) return;
    fall_flat(r, 40, 0, 7);
    fall_flat(r, 1000, 5, 6);
}

/* ---- singular mass ---- */

/* Massless columns that constraints determine: kernels that promise it solve, the others say so. */
static void check_singular_mass(rig *r) {
    uint64_t seed = 271828;
    for (int redundant = 0; redundant < 2; redundant++) {
        sample s = new_sample(&r->arena, 12, 8, BLOCKS, &seed);
        /* Column 3 has no mass at all, columns 6 and 7 only a common one. */
        for (int j = 0; j < 12; j++) s.W[3 * 12 + j] = s.W[j * 12 + 3] = 0;
        for (int j = 0; j < 12; j++)
            s.W[6 * 12 + j] = s.W[j * 12 + 6] = s.W[7 * 12 + j] = s.W[j * 12 + 7] = 0;
        s.W[6 * 12 + 6] = s.W[6 * 12 + 7] = s.W[7 * 12 + 6] = s.W[7 * 12 + 7] = 1.5;
        s.A[2 * 12 + 3] = 1.7;
        s.A[5 * 12 + 6] = 0.9;
        s.A[5 * 12 + 7] = -0.4;
        if (redundant) combine(&s, 7, 0.6, 2, -0.8, 5);
        to_sparse(&r->arena, &s);
        hol__kernel *kernel = new_kernel(r, &s);
        if (r->type->flags & HOL__KERNEL_SINGULAR_MASS)
            for (int round = 0; round < 3; round++)
                assert_int_equal(compare(r, kernel, &s, 1e-11), redundant ? 7 : 8);
        else
            assert_int_equal(hol__kernel_factor(kernel, &s.Ws, &s.As), HOL_SINGULAR);
        hol__kernel_free(kernel);
    }
}

/* Massless columns that rows of their own determine, those of a body whose motion is given. In
 * sparse storage kkt solves them without pivoting; where another column has a part in these rows
 * (`loose`), x is not determined by them and the sparse LU has to do. */
static void check_held_mass(rig *r) {
    const int plain = r->type == &hol__kernel_kkt && r->options.storage == HOL__STORAGE_SPARSE;
    uint64_t seed = 161803;
    if (!has(r, HOL__KERNEL_SINGULAR_MASS)) return;
    for (int loose = 0; loose < 2; loose++) {
        sample s = new_sample(&r->arena, 15, 9, BLOCKS, &seed);
        for (int i = 3; i < 6; i++) {
            for (int j = 0; j < 15; j++) s.W[i * 15 + j] = s.W[j * 15 + i] = 0;
            for (int j = 0; j < 15; j++)
                s.A[(i - 3) * 15 + j] = j >= 3 && j < 6 ? 0.8 * uniform(&seed) + 2 * (i == j) : 0;
        }
        if (loose) s.A[7] = 1.3, s.A[15 + 8] = -0.7;
        to_sparse(&r->arena, &s);
        hol__kernel *kernel = new_kernel(r, &s);
        for (int round = 0; round < 3; round++) {
            assert_int_equal(compare(r, kernel, &s, 1e-11), 9);
            if (plain && hol__klu_available())
                assert_string_equal(kernel->info.form,
                                    loose ? "sparse LU" : "sparse LDL^T, shifted");
        }
        hol__kernel_free(kernel);
    }
}

/* Massless columns beside rows without an entry, as those of stops that are open: in blocks of
 *
 *     W = diag(1.3, 0, 0.9)    A = (1.1, -0.7, 0; 0, 0, 0)
 *
 * so many of them that there is no decomposition to fall back on. mu of an open row is 0. */
static void check_open_rows(rig *r) {
    enum { P = 140, N = 3 * P, M = 2 * P };
    static double x[N], mu[M], f[N], c[M];
    uint64_t seed = 141421;
    if (r->type != &hol__kernel_kkt || r->options.storage != HOL__STORAGE_SPARSE) return;
    if (!hol__klu_available()) return;
    sample s = {.n = N, .m = M};
    assert_int_equal(hol__csr_identity(&r->arena, N, &s.Ws), HOL_OK);
    s.As = (hol__csr){.rows = M, .cols = N};
    s.As.ptr = HOL__NEW_N(&r->arena, int, M + 1);
    s.As.idx = HOL__NEW_N(&r->arena, int, 3 * M);
    s.As.x = HOL__NEW_N(&r->arena, double, 3 * M);
    for (int p = 0; p < P; p++) {
        const double w[3] = {1.3, 0, 0.9}, a[3] = {1.1, -0.7, 0};
        for (int k = 0; k < 3; k++) {
            s.Ws.x[3 * p + k] = w[k];
            f[3 * p + k] = uniform(&seed);
            s.As.idx[6 * p + k] = s.As.idx[6 * p + 3 + k] = 3 * p + k;
            s.As.x[6 * p + k] = a[k];
        }
        s.As.ptr[2 * p + 1] = 6 * p + 3, s.As.ptr[2 * p + 2] = 6 * p + 6;
        c[2 * p] = uniform(&seed);
        c[2 * p + 1] = uniform(&seed); /* nothing can meet it */
    }
    hol__kernel *kernel = new_kernel(r, &s);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(hol__kernel_factor(kernel, &s.Ws, &s.As), HOL_OK);
        assert_int_equal(hol__kernel_solve(kernel, f, c, x, mu), HOL_OK);
        for (int p = 0; p < P; p++) {
            const double m0 = f[3 * p + 1] / -0.7, a = (f[3 * p] - 1.1 * m0) / 1.3;
            const double want[3] = {a, (1.1 * a - c[2 * p]) / 0.7, f[3 * p + 2] / 0.9};
            assert_true(difference(3, x + 3 * p, want) < 1e-12);
            assert_true(fabs(mu[2 * p] - m0) < 1e-12 && mu[2 * p + 1] == 0);
        }
    }
    hol__kernel_free(kernel);
}

OVER_ALL(regular)
OVER_ALL(null_arguments)
OVER_ALL(redundant)
OVER_ALL(duplicate)
OVER_ALL(units)
OVER_ALL(memory)
OVER_ALL(near_singular)
OVER_ALL(flat_four_bars)
OVER_ALL(singular_mass)
OVER_ALL(held_mass)
OVER_ALL(open_rows)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regular),       cmocka_unit_test(null_arguments),
        cmocka_unit_test(redundant),     cmocka_unit_test(duplicate),
        cmocka_unit_test(units),         cmocka_unit_test(memory),
        cmocka_unit_test(near_singular), cmocka_unit_test(flat_four_bars),
        cmocka_unit_test(singular_mass), cmocka_unit_test(held_mass),
        cmocka_unit_test(open_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

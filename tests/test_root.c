/* test_root.c: M = L L^T of a tree by what L does (coords/tree_root.h), against the entries of M:
 *
 *     L^-1 M L^-T = 1      (L^-1 x) . y = x . (L^-T y)      M x      the diagonal of M
 *
 * at states of no particular kind, on trees with every kind of link; constrained solutions over it
 * against those over the entries, regular and with rows that depend on others; and whole runs of
 * loops and chains long enough to be solved so.
 * Rounding: products of n = 60 to 80 terms of condition below 1e4, so that 1e-11 of the largest is
 * two decimal digits above it.
 */
#include "mechanism_fixture.h"

#include "coords/tree.h"
#include "kernel/kernel.h"
#include "model_fixture.h"
#include "tree_models.h"

static const double tight = 1e-11;

/* A chain of n links along an arc, closed by a joint with ground or open. */
static char *arc(int n, int spatial, int closed, const char *simulation) {
    char *text = malloc((size_t)n * 480 + 2048), *at = text;
    at += sprintf(at, "holonom: 1\nspace: %s\ngravity: [0.7, %s-9.81]\nsimulation: {%s}\nbodies:\n",
                  spatial ? "spatial" : "planar", spatial ? "0, " : "", simulation);
    for (int part = 0; part < 2; part++) {
        if (part) at += sprintf(at, "joints:\n");
        for (int i = 0; i < n + part * closed; i++) {
            const double step = 2.7 / n, a = 3.3 + step * (part ? i : i + 0.5), r = 0.37 * n;
            char from[16] = "ground", to[16] = "ground", place[96];
            if (i) snprintf(from, sizeof from, "b%d", i - 1);
            if (i < n) snprintf(to, sizeof to, "b%d", i);
            snprintf(place, sizeof place, spatial ? "[%.15g, 0, %.15g]" : "[%.15g, %.15g]",
                     r * cos(a), r * sin(a));
            if (part)
                at += sprintf(at, "  j%d: {type: revolute, bodies: [%s, %s], at: %s%s}\n", i, from,
                              to, place, spatial ? ", axis: [0, 1, 0]" : "");
            else
                at += sprintf(at, "  b%d: {mass: %.6g, inertia: %s, position: %s}\n", i,
                              1.3 + sin(2.385 * i), spatial ? "[0.021, 0.083, 0.094]" : "0.0837",
                              place);
        }
    }
    sprintf(at, "measures:\n  p: {type: position, body: b%d}\n", n / 2);
    return text;
}

/* A random state. */
static void scatter(mech *m, uint64_t *seed) {
    const hol_model *model = m->model;
    double *d = calloc((size_t)model->nv + 1, sizeof *d),
           *v = calloc((size_t)model->nv + 1, sizeof *v),
           *q = calloc((size_t)model->nq + 1, sizeof *q);
    for (int i = 0; i < model->nv; i++)
        d[i] = 0.31 * random_one(seed), v[i] = 0.6 * random_one(seed);
    model->coords->plus(model, model->q0, d, q);
    hol_data_set(m->data, 0.7, q, v);
    free(d), free(v), free(q);
}

static double largest(const double *x, int n) {
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

static void assert_near(const double *x, const double *y, int n, double share) {
    double off = 0;
    for (int i = 0; i < n; i++) off = fmax(off, fabs(x[i] - y[i]));
    if (!(off <= share * fmax(largest(x, n), largest(y, n))))
        print_error("off by %g of %g\n", off, largest(x, n));
    assert_true(off <= share * fmax(largest(x, n), largest(y, n)));
}

/* L against the entries at one state. */
static void check_root(mech *m, uint64_t *seed) {
    const int n = m->model->nv;
    double *x = calloc((size_t)(4 * n), sizeof *x), *y = x + n, *Mx = y + n, *z = Mx + n;
    assert_int_equal(hol__data_hold_root(m->data), HOL_OK);
    const hol__csr *W = hol__data_root(m->data), *M = hol__data_mass(m->data);
    const hol__root *root = W->root;
    assert_false(root->singular);
    for (int i = 0; i < n; i++) {
        const double entry = M->x[hol__csr_find(M, i, i)];
        assert_true(fabs(W->x[i] - entry) <= tight * entry);
        x[i] = random_one(seed), y[i] = random_one(seed);
    }
    hol__csr_mul(M, x, Mx);
    hol__csr_mul(W, x, z);
    assert_near(z, Mx, n, tight);
    /* M^-1 M x = x */
    root->lower(root->self, Mx);
    memcpy(z, Mx, sizeof(double) * (size_t)n);
    root->upper(root->self, z);
    assert_near(z, x, n, 1e3 * tight);
    /* L^-1 M x = L^T x, so |L^-1 M x|^2 = x . M x; and the two ways are transposes */
    double square = 0, energy = 0, left = 0, right = 0;
    hol__csr_mul(M, x, z);
    for (int i = 0; i < n; i++) square += Mx[i] * Mx[i], energy += x[i] * z[i];
    assert_true(fabs(square - energy) <= tight * energy);
    memcpy(z, x, sizeof(double) * (size_t)n);
    memcpy(Mx, y, sizeof(double) * (size_t)n);
    root->lower(root->self, z);
    root->upper(root->self, Mx);
    for (int i = 0; i < n; i++) left += z[i] * y[i], right += x[i] * Mx[i];
    assert_true(fabs(left - right) <= tight * n * largest(z, n) * largest(y, n));
    free(x);
}

/* Trees with every kind of link, loops and chains. */
static void test_entries(void **state) {
    (void)state;
    char *const own[] = {arc(23, 0, 1, "coordinates: relative"),
                         arc(17, 1, 1, "coordinates: relative")};
    const char *const texts[] = {planar_tree, spatial_tree, own[0], own[1]};
    uint64_t seed = 2385;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        mech m = mech_open(texts[i]);
        assert_non_null(m.model->tree);
        for (int trial = 0; trial < 5; trial++) {
            scatter(&m, &seed);
            check_root(&m, &seed);
        }
        mech_close(&m);
    }
    for (int i = 0; i < 2; i++) free(own[i]);
}

/* x, mu over the entries by kkt and over the root by each kernel that takes it. copies: the rows of
 * A stand there twice. */
static void compare_kernels(mech *m, uint64_t *seed, int copies) {
    hol_data *data = m->data;
    const int n = m->model->nv;
    hol_data_update(data, HOL_STAGE_POS);
    hol__csr A = data->A;
    const int rows = copies * A.rows, nz = A.ptr[A.rows];
    A.ptr = calloc((size_t)rows + 1, sizeof(int));
    A.idx = calloc((size_t)(copies * nz) + 1, sizeof(int));
    A.x = calloc((size_t)(copies * nz) + 1, sizeof(double));
    A.live = NULL;
    A.rows = rows;
    for (int k = 0; k < copies; k++) {
        for (int i = 0; i < data->A.rows; i++)
            A.ptr[k * data->A.rows + i + 1] = k * nz + data->A.ptr[i + 1];
        for (int p = 0; p < nz; p++)
            A.idx[k * nz + p] = data->A.idx[p], A.x[k * nz + p] = (1 + 0.3 * k) * data->A.x[p];
    }
    double *b = calloc((size_t)(3 * (n + rows)), sizeof *b), *x = b + n + rows, *y = x + n + rows;
    for (int i = 0; i < n + rows; i++) b[i] = random_one(seed);
    for (int i = data->A.rows; i < rows; i++) b[n + i] = 1.3 * b[n + i - data->A.rows];
    assert_int_equal(hol__data_hold_root(data), HOL_OK);
    const hol__csr *W = hol__data_root(data), *M = hol__data_mass(data);
    const hol__kernel_type *const types[] = {&hol__kernel_kkt, &hol__kernel_schur,
                                             &hol__kernel_udwadia_kalaba, &hol__kernel_open_chain};
    hol__kernel *plain, *rooted;
    assert_int_equal(hol__kernel_new(m->ctx, &hol__kernel_kkt, M, &A, NULL, &plain), HOL_OK);
    assert_int_equal(hol__kernel_factor(plain, M, &A), HOL_OK);
    assert_int_equal(hol__kernel_solve(plain, b, b + n, x, x + n), HOL_OK);
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        assert_int_equal(hol__kernel_new(m->ctx, types[k], W, &A, NULL, &rooted), HOL_OK);
        assert_int_equal(hol__kernel_factor(rooted, W, &A), HOL_OK);
        assert_int_equal(rooted->info.rank, plain->info.rank);
        assert_int_equal(hol__kernel_solve(rooted, b, b + n, y, y + n), HOL_OK);
        assert_near(y, x, n, 1e2 * tight);
        assert_near(y + n, x + n, rows, 1e2 * tight);
        hol__kernel_free(rooted);
    }
    assert_int_equal(hol__kernel_new(m->ctx, &hol__kernel_nullspace, W, &A, NULL, &rooted),
                     HOL_ERR_ARGUMENT);
    hol__kernel_free(plain);
    free(A.ptr), free(A.idx), free(A.x), free(b);
}

static void test_kernels(void **state) {
    (void)state;
    char *const own[] = {arc(41, 0, 1, "coordinates: relative"),
                         arc(29, 1, 1, "coordinates: relative")};
    uint64_t seed = 77;
    for (int i = 0; i < 2; i++) {
        mech m = mech_open(own[i]);
        for (int copies = 1; copies <= 2; copies++)
            for (int trial = 0; trial < 4; trial++) {
                scatter(&m, &seed);
                compare_kernels(&m, &seed, copies);
            }
        mech_close(&m);
        free(own[i]);
    }
}

/* A body without inertia: the root says that it is singular, and the kernel too. */
static void test_singular(void **state) {
    (void)state;
    mech m = mech_open("holonom: 1\nspace: planar\nsimulation: {coordinates: relative}\nbodies:\n"
                       "  a: {mass: 2.385, inertia: 0.3, position: [0.5, 0]}\n"
                       "  b: {mass: 0.7, inertia: 0, position: [1, 0]}\njoints:\n"
                       "  j: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
                       "  k: {type: revolute, bodies: [a, b], at: [1, 0]}\n");
    hol__kernel *kernel;
    assert_int_equal(hol__data_hold_root(m.data), HOL_OK);
    const hol__csr *W = hol__data_root(m.data);
    assert_true(W->root->singular);
    assert_int_equal(hol__kernel_new(m.ctx, &hol__kernel_kkt, W, &m.data->A, NULL, &kernel),
                     HOL_OK);
    assert_int_equal(hol__kernel_factor(kernel, W, &m.data->A), HOL_SINGULAR);
    hol__kernel_free(kernel);
    mech_close(&m);
}

/* Where the middle is at the end of a run. */
static void end_of(const char *text, const char *settings, double *out) {
    run r = run_text(text, settings);
    run_to(&r, 0.4);
    for (int k = 0; k < 2; k++) out[k] = run_measure(&r, k ? "p.y" : "p.x");
    run_close(&r);
}

/* A loop of 90 links: relative coordinates by the root against the entries (storage dense), and
 * against reference-point coordinates; position errors of some 20 times the tolerance of 1e-10. */
static void test_loop(void **state) {
    (void)state;
    static const char *const settings[] = {
        "coordinates=relative storage=dense",     "coordinates=relative",
        "coordinates=relative kernel=schur",      "coordinates=relative method=udwadia-kalaba",
        "coordinates=relative method=canonical",  "coordinates=relative method=baumgarte",
        "coordinates=relative kernel=open-chain", "coordinates=reference",
    };
    char *text = arc(90, 0, 1, "tolerance: 1e-10, end: 1");
    double want[2], got[2];
    end_of(text, settings[0], want);
    for (size_t i = 1; i < sizeof settings / sizeof *settings; i++) {
        end_of(text, settings[i], got);
        for (int k = 0; k < 2; k++) check_near(settings[i], got[k], want[k], 2e-9 * 33);
    }
    free(text);
}

/* An open chain of 60 links: all methods by the recursion, against the entries. */
static void test_chain(void **state) {
    (void)state;
    static const char *const settings[] = {
        "method=lagrange",       "method=canonical", "method=canonical-independent",
        "method=partitioning",   "method=nullspace", "method=canonical-augmented",
        "method=udwadia-kalaba", "method=penalty",   "kernel=schur",
    };
    char *text = arc(60, 0, 0, "coordinates: relative, tolerance: 1e-10, end: 1");
    double want[2], got[2];
    end_of(text, "method=direct-correction storage=dense", want);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        end_of(text, settings[i], got);
        for (int k = 0; k < 2; k++) check_near(settings[i], got[k], want[k], 2e-9 * 22);
    }
    free(text);
}

/* A planar loop in space: three of its five rows are redundant. */
static void test_redundant(void **state) {
    (void)state;
    char *text = arc(120, 1, 1, "tolerance: 1e-9, end: 1");
    run r = run_text(text, "coordinates=relative"),
        full = run_text(text, "coordinates=relative storage=dense");
    run_to(&r, 0.1);
    run_to(&full, 0.1);
    check_near("x", run_measure(&r, "p.x"), run_measure(&full, "p.x"), 2e-8 * 44);
    check_near("z", run_measure(&r, "p.z"), run_measure(&full, "p.z"), 2e-8 * 44);
    run_close(&r);
    run_close(&full);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries),  cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_singular), cmocka_unit_test(test_loop),
        cmocka_unit_test(test_chain),    cmocka_unit_test(test_redundant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

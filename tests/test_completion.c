/* test_completion.c: independent coordinates along motions, regular and redundant, by every basis:
 *
 *     A R = 0,  B R = 1,  [A; B] x = [top; bottom],  A^T mu + B^T nu = f
 *     a choice lets no coordinate move further than the independent one that moves it (in sizes of
 *     the mechanism); the watch acts before that has doubled, and the null space has turned by less
 *     than its bound
 */
#include "model_fixture.h"

#include "dyn/completion.h"
#include "la_support.h"

enum { MOST = 64, LOOKS = 60 };

static const hol__completion_basis bases[] = {HOL__COMPLETION_PARTITION, HOL__COMPLETION_QR,
                                              HOL__COMPLETION_SVD};

/* Models that move far enough for changes. */
static const struct subject {
    const char *model, *settings;
    double span;
    int redundant;
} subjects[] = {
    {"four_bar", "", 4, 0},         {"three_links", "", 2, 0},
    {"five_bar", "spin=2", 1.5, 0}, {"slider_crank_spatial", "", 1, 0},
    {"a04_bricard", "", 3, 1},
};

/* The largest of |A R| over the largest entries, and of |B R - 1|. */
static void check_basis(const hol__completion *completion) {
    const hol__csr *A = &completion->data->A;
    double ar[MOST], br[MOST], largest = 1, row = 0;
    for (int i = 0; i < A->ptr[completion->m]; i++) row = fmax(row, fabs(A->x[i]));
    for (int i = 0; i < completion->n * completion->f; i++)
        largest = fmax(largest, fabs(completion->R[i]));
    for (int k = 0; k < completion->f; k++) {
        hol__csr_mul(A, completion->R + k * completion->n, ar);
        hol__completion_project(completion, completion->R + k * completion->n, br);
        /* n terms of that size, each rounded, over pivots of a tenth of their rows */
        for (int i = 0; i < completion->m; i++) check_near("A R", ar[i], 0, 1e-13 * row * largest);
        for (int i = 0; i < completion->f; i++) check_near("B R", br[i], i == k, 1e-13 * largest);
    }
}

/* Right-hand sides that have a solution: of a velocity, and of a reaction with forces along B. */
static void check_solutions(const hol__completion *completion, uint64_t *seed) {
    const int n = completion->n;
    double v[MOST] = {0}, top[MOST], bottom[MOST], x[MOST], mu[MOST] = {0}, f[MOST], back[MOST];
    for (int j = 0; j < n; j++) v[j] = uniform(seed);
    hol__csr_mul(&completion->data->A, v, top);
    hol__completion_project(completion, v, bottom);
    hol__completion_solve(completion, top, bottom, x);
    for (int j = 0; j < n; j++) check_near("x", x[j], v[j], 1e-11);
    for (int i = 0; i < completion->m; i++) mu[i] = uniform(seed);
    hol__csr_mul_t(&completion->data->A, mu, f);
    hol__completion_multipliers(completion, f, mu);
    hol__csr_mul_t(&completion->data->A, mu, back);
    for (int j = 0; j < n; j++) check_near("A^T mu", back[j], f[j], 1e-11);
}

/* How much further a coordinate moves than the independent one; for null-space bases 1 over the
 * cosine of the turn. */
static double growth(const hol__completion *completion) {
    double most = 0;
    for (int k = 0; k < completion->f; k++) {
        double sum = 0;
        for (int j = 0; j < completion->n; j++) {
            const double own = completion->basis == HOL__COMPLETION_PARTITION
                                   ? completion->size[completion->picked[k]]
                                   : 1,
                         r = fabs(completion->R[k * completion->n + j]) * own / completion->size[j];
            sum = completion->basis == HOL__COMPLETION_PARTITION ? fmax(sum, r) : hypot(sum, r);
        }
        most = fmax(most, sum);
    }
    return most;
}

static void follow(const struct subject *s, hol__completion_basis basis) {
    uint64_t seed = 362436069;
    run r = run_open(s->model, s->settings);
    hol__arena arena;
    hol__arena_init(&arena, r.ctx);
    hol__completion *completion = hol__completion_new(&arena, hol_sim_data(r.sim), basis, 2, NULL);
    assert_non_null(completion);
    assert_int_equal(hol__completion_select(completion), HOL_OK);
    assert_true((completion->rank < completion->m) == s->redundant &&
                (completion->lu == NULL) == s->redundant);
    assert_int_equal(completion->f, sim_info(r.sim).dof);
    long changes = 0;
    for (int k = 0; k <= LOOKS; k++) {
        int changed;
        run_to(&r, k * s->span / LOOKS);
        assert_int_equal(hol__completion_renew(completion, &changed), HOL_OK);
        hol__completion_form_basis(completion);
        check_basis(completion);
        check_solutions(completion, &seed);
        const double most = growth(completion);
        assert_true(most < (basis == HOL__COMPLETION_PARTITION ? 2.0 : 1.25) + 1e-12);
        if (changed || k == 0) assert_true(most < 1.002);
        changes += changed;
    }
    assert_int_equal(completion->changes, changes);
    assert_true(basis == HOL__COMPLETION_PARTITION || changes > 0);
    hol__arena_free(&arena);
    run_close(&r);
}

static void test_along_motions(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
        for (size_t k = 0; k < sizeof bases / sizeof *bases; k++) follow(&subjects[i], bases[k]);
}

/* Nothing is factored twice at one state. */
static void test_held_factor(void **unused) {
    (void)unused;
    run r = run_open("four_bar", "");
    hol__arena arena;
    hol__arena_init(&arena, r.ctx);
    hol__completion *completion =
        hol__completion_new(&arena, hol_sim_data(r.sim), HOL__COMPLETION_PARTITION, 2, NULL);
    assert_int_equal(hol__completion_select(completion), HOL_OK);
    const long before = completion->factorizations;
    assert_int_equal(hol__completion_factor(completion), HOL_OK);
    assert_int_equal(completion->factorizations, before);
    run_to(&r, 0.2);
    assert_int_equal(hol__completion_factor(completion), HOL_OK);
    assert_int_equal(completion->factorizations, before + 1);
    hol__arena_free(&arena);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_along_motions),
        cmocka_unit_test(test_held_factor),
    };
    return run_tests_of_models("frame", tests);
}

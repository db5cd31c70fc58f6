/* test_frame.c: independent coordinates along motions, regular and redundant, by every basis:
 *
 *     A R = 0,  B R = 1,  [A; B] x = [top; bottom],  A^T mu + B^T nu = f
 *     a choice lets no coordinate move further than the independent one that moves it (in sizes of
 *     the mechanism); the watch acts before that has doubled, and the null space has turned by less
 *     than its bound
 */
#include "model_fixture.h"

#include "form/frame.h"
#include "la_support.h"

enum { MOST = 64, LOOKS = 60 };

static const hol__frame_basis bases[] = {HOL__FRAME_PARTITION, HOL__FRAME_QR, HOL__FRAME_SVD};

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
static void check_basis(const hol__frame *frame) {
    const hol__csr *A = &frame->data->A;
    double ar[MOST], br[MOST], largest = 1, row = 0;
    for (int i = 0; i < A->ptr[frame->m]; i++) row = fmax(row, fabs(A->x[i]));
    for (int i = 0; i < frame->n * frame->f; i++) largest = fmax(largest, fabs(frame->R[i]));
    for (int k = 0; k < frame->f; k++) {
        hol__csr_mul(A, frame->R + k * frame->n, ar);
        hol__frame_project(frame, frame->R + k * frame->n, br);
        /* n terms of that size, each rounded, over pivots of a tenth of their rows */
        for (int i = 0; i < frame->m; i++) check_near("A R", ar[i], 0, 1e-13 * row * largest);
        for (int i = 0; i < frame->f; i++) check_near("B R", br[i], i == k, 1e-13 * largest);
    }
}

/* Right-hand sides that have a solution: of a velocity, and of a reaction with forces along B. */
static void check_solutions(const hol__frame *frame, uint64_t *seed) {
    const int n = frame->n;
    double v[MOST] = {0}, top[MOST], bottom[MOST], x[MOST], mu[MOST] = {0}, f[MOST], back[MOST];
    for (int j = 0; j < n; j++) v[j] = uniform(seed);
    hol__csr_mul(&frame->data->A, v, top);
    hol__frame_project(frame, v, bottom);
    hol__frame_solve(frame, top, bottom, x);
    for (int j = 0; j < n; j++) check_near("x", x[j], v[j], 1e-11);
    for (int i = 0; i < frame->m; i++) mu[i] = uniform(seed);
    hol__csr_mul_t(&frame->data->A, mu, f);
    hol__frame_multipliers(frame, f, mu);
    hol__csr_mul_t(&frame->data->A, mu, back);
    for (int j = 0; j < n; j++) check_near("A^T mu", back[j], f[j], 1e-11);
}

/* How much further a coordinate moves than the independent one; for null-space bases 1 over the
 * cosine of the turn. */
static double growth(const hol__frame *frame) {
    double most = 0;
    for (int k = 0; k < frame->f; k++) {
        double sum = 0;
        for (int j = 0; j < frame->n; j++) {
            const double own = frame->basis == HOL__FRAME_PARTITION ? frame->size[frame->picked[k]]
                                                                    : 1,
                         r = fabs(frame->R[k * frame->n + j]) * own / frame->size[j];
            sum = frame->basis == HOL__FRAME_PARTITION ? fmax(sum, r) : hypot(sum, r);
        }
        most = fmax(most, sum);
    }
    return most;
}

static void follow(const struct subject *s, hol__frame_basis basis) {
    uint64_t seed = 362436069;
    run r = run_open(s->model, s->settings);
    hol__arena arena;
    hol__arena_init(&arena, r.ctx);
    hol__frame *frame = hol__frame_new(&arena, hol_sim_data(r.sim), basis, 2);
    assert_non_null(frame);
    assert_int_equal(hol__frame_select(frame), HOL_OK);
    assert_true((frame->rank < frame->m) == s->redundant && (frame->lu == NULL) == s->redundant);
    assert_int_equal(frame->f, sim_info(r.sim).dof);
    long changes = 0;
    for (int k = 0; k <= LOOKS; k++) {
        int changed;
        run_to(&r, k * s->span / LOOKS);
        assert_int_equal(hol__frame_watch(frame, &changed), HOL_OK);
        hol__frame_form_basis(frame);
        check_basis(frame);
        check_solutions(frame, &seed);
        const double most = growth(frame);
        assert_true(most < (basis == HOL__FRAME_PARTITION ? 2.0 : 1.25) + 1e-12);
        if (changed || k == 0) assert_true(most < 1.002);
        changes += changed;
    }
    assert_int_equal(frame->changes, changes);
    assert_true(basis == HOL__FRAME_PARTITION || changes > 0);
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
    hol__frame *frame = hol__frame_new(&arena, hol_sim_data(r.sim), HOL__FRAME_PARTITION, 2);
    assert_int_equal(hol__frame_select(frame), HOL_OK);
    const long before = frame->factorizations;
    assert_int_equal(hol__frame_factor(frame), HOL_OK);
    assert_int_equal(frame->factorizations, before);
    run_to(&r, 0.2);
    assert_int_equal(hol__frame_factor(frame), HOL_OK);
    assert_int_equal(frame->factorizations, before + 1);
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

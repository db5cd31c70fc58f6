/* test_messages.c: messages of the library that no model file alone brings about: of calls, of
 * limits, of files of other kinds, of a disk that is full. Each is produced once and named by its
 * text.
 */
#define _POSIX_C_SOURCE 200809L
#include "kernel_fixture.h"
#include "model_fixture.h"

#include "base/option.h"
#include "la/klu.h"
#include "sim/sim.h"
#include "sim/sim_options.h"

#include <sys/statvfs.h>
#include <unistd.h>

/* ---- helpers ---- */

/* Whether some message of the context has the words in its whole line. */
static int has_message(const hol_context *ctx, const char *words) {
    char line[2048];
    for (int i = 0; i < hol_message_count(ctx); i++) {
        hol_message_format(hol_message_get(ctx, i), line, sizeof line);
        if (strstr(line, words)) return 1;
    }
    return 0;
}

static void assert_said(hol_context *ctx, const char *words) {
    if (!has_message(ctx, words)) {
        run_print_messages(ctx);
        fail_msg("not said: %s", words);
    }
    hol_message_clear(ctx);
}

#define PENDULUM                                                                                   \
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  rod: {mass: 1.2, inertia: 0.1, "   \
    "position: [0.3, 0]}\njoints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"

/* A simulation of a text; the caller frees it, its model and its options. */
typedef struct subject {
    hol_spec *spec;
    hol_model *model;
    hol_options *options;
    hol_sim *sim;
} subject;

static subject make_subject(hol_context *ctx, const char *text) {
    subject s = {.spec = hol_spec_new(ctx)};
    assert_int_equal(hol_spec_read_text(s.spec, text, "test.yaml"), HOL_OK);
    s.model = hol_model_from_spec(ctx, s.spec, &s.options);
    assert_non_null(s.model);
    s.sim = hol_sim_new(ctx, s.model, s.options);
    assert_non_null(s.sim);
    return s;
}

static void free_subject(subject *s) {
    hol_sim_free(s->sim);
    hol_options_free(s->options);
    hol_model_free(s->model);
    hol_spec_free(s->spec);
}

/* ---- the base ---- */

/* A request that no address space holds. */
static void test_too_much_memory(void **state) {
    (void)state;
    hol_context *ctx = hol_context_new();
    hol__arena arena;
    hol__arena_init(&arena, ctx);
    assert_null(hol__arena_alloc(&arena, SIZE_MAX / 4, 24));
    assert_true(arena.failed);
    assert_said(ctx, "items of 24 bytes)");
    hol__arena_free(&arena);
    assert_null(hol__alloc(ctx, SIZE_MAX / 4, 24));
    assert_said(ctx, "out of memory (");
    hol_context_free(ctx);
}

static const hol_option own_rows[] = {
    {"brakes", HOL_OPTION_BOOL, 0, 1, "true", "", NULL, "Whether it brakes."},
    {"count", HOL_OPTION_INTEGER, 1, 9, "3", "", NULL, "How many."},
};
static const hol__option_rows own_part = HOL__ROWS(own_rows);
static const hol__option_rows *const own_parts[] = {&own_part, NULL};

/* An option that is true or false, in a table of its own. */
static void test_true_or_false(void **state) {
    static const struct word {
        const char *text;
        int value;
    } words[] = {{"false", 0}, {"yes", 1}, {"no", 0}, {"true", 1}};
    (void)state;
    char buf[16];
    int value;
    hol_context *ctx = hol_context_new();
    hol_options *options = hol__options_new(ctx, own_parts);
    assert_non_null(options);
    assert_int_equal(hol_options_get_bool(options, "brakes", &value), HOL_OK);
    assert_int_equal(value, 1);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        assert_int_equal(hol_options_set(options, "brakes", words[i].text, "here"), HOL_OK);
        assert_int_equal(hol_options_get_bool(options, "brakes", &value), HOL_OK);
        assert_int_equal(value, words[i].value);
        assert_string_equal(hol_options_text(options, "brakes", buf, sizeof buf),
                            words[i].value ? "true" : "false");
    }
    assert_int_equal(hol_options_set_bool(options, "brakes", 7), HOL_OK);
    assert_int_equal(hol_options_set(options, "brakes", "maybe", "here"), HOL_ERR_INPUT);
    assert_said(ctx, "here: error: simulation: 'brakes' is true or false");
    assert_int_equal(hol_options_set_bool(options, "count", 1), HOL_ERR_ARGUMENT);
    assert_said(ctx, "'count' is not of kind bool but integer: use hol_options_set_integer");
    hol_options *copy = hol_options_copy(ctx, options);
    assert_int_equal(hol_options_get_bool(copy, "brakes", &value), HOL_OK);
    assert_int_equal(value, 1);
    hol_options_free(copy);
    /* a simulation needs all of its own */
    double values[HOL__OPT_COUNT];
    assert_int_equal(hol__sim_read_options(options, values), HOL_ERR_ARGUMENT);
    assert_said(ctx, "simulation: the options have no '");
    hol_options_free(options);
    hol_context_free(ctx);
}

/* ---- descriptions by calls ---- */

/* Files are read with a model file; a description that is made by calls has none. */
static void test_files_by_calls(void **state) {
    (void)state;
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_item_number(hol_spec_root(spec), "holonom", 1);
    hol_item_text(hol_spec_root(spec), "space", "planar");
    hol_item *rod = hol_spec_add(spec, "bodies", "rod", NULL);
    hol_item_number(rod, "mass", 1.5);
    hol_item_number(rod, "inertia", 0.3);
    hol_item *mesh = hol_item_map(rod, "draw");
    hol_item_text(mesh, "type", "mesh");
    hol_item_text(mesh, "file", "part.stl");
    hol_item *table = hol_spec_add(spec, "tables", "gas", NULL);
    hol_item_text(table, "file", "gas.csv");
    assert_null(hol_model_from_spec(ctx, spec, NULL));
    assert_true(has_message(ctx, "body 'rod': mesh files are read with the model file; here give "
                                 "vertices and faces"));
    assert_said(ctx, "table 'gas': files are read with the model file alone; give the `points`");
    assert_null(hol_spec_add(spec, "bodies", "rod", NULL));
    assert_said(ctx, "'rod' is already in bodies; choose another name");
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* A model file of more than 64 MB, all of it holes, and such a text. */
static void test_large_file(void **state) {
    (void)state;
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    FILE *file = fopen("large.yaml", "w");
    assert_non_null(file);
    assert_int_equal(ftruncate(fileno(file), (65L << 20) + 1), 0);
    fclose(file);
    assert_int_equal(hol_spec_read_file(spec, "large.yaml"), HOL_ERR_IO);
    unlink("large.yaml");
    assert_said(ctx, "cannot read 'large.yaml': it is larger than 64 MB, the most that is read");
    char *text = malloc((65u << 20) + 1);
    assert_non_null(text);
    memset(text, ' ', 65u << 20);
    text[65u << 20] = '\0';
    assert_true(hol_spec_read_text(spec, text, "text") < 0);
    assert_said(ctx, "cannot read 'text': it is larger than 64 MB, the most that is read");
    free(text);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* A table with more cells in a line than there may be. */
static void test_wide_table(void **state) {
    (void)state;
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    FILE *file = fopen("wide.csv", "w");
    assert_non_null(file);
    for (int i = 0; i < 100000; i++) fputs("1,", file);
    fputs("1\n2,3\n", file);
    fclose(file);
    file = fopen("wide.yaml", "w");
    assert_non_null(file);
    fputs(PENDULUM "tables: {g: {file: wide.csv, x: 1, y: 2}}\n", file);
    fclose(file);
    assert_int_equal(hol_spec_read_file(spec, "wide.yaml"), HOL_ERR_INPUT);
    assert_said(ctx, "wide.csv:1:1: error: the line has more than ");
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* ---- kernels ---- */

/* One row over 11000 unknowns, or 11000 rows over one: products that are too full for sparse
 * storage. */
static void test_full_products(void **state) {
    enum { MANY = 11000 };
    (void)state;
    hol_context *ctx = hol_context_new();
    hol__arena arena;
    hol__arena_init(&arena, ctx);
    for (int tall = 0; tall < 2; tall++) {
        const int n = tall ? MANY + 1 : MANY, m = tall ? MANY : 1;
        hol__csr W, A = {.rows = m, .cols = n};
        assert_int_equal(hol__csr_identity(&arena, n, &W), HOL_OK);
        const int nz = tall ? 2 * MANY : MANY;
        int *ptr = HOL__NEW_N(&arena, int, m + 1), *idx = HOL__NEW_N(&arena, int, nz);
        A.ptr = ptr;
        A.idx = idx;
        A.x = HOL__NEW_N(&arena, double, nz);
        assert_non_null(A.x);
        for (int i = 0; i < m; i++) ptr[i + 1] = tall ? 2 * (i + 1) : MANY;
        for (int k = 0; k < nz; k++) idx[k] = tall ? (k % 2 ? 1 + k / 2 : 0) : k;
        for (int k = 0; k < nz; k++) A.x[k] = 1.3;
        hol__kernel *kernel = NULL;
        const hol__kernel_options options = {.storage = HOL__STORAGE_SPARSE, .penalty = 1e7};
        const hol__kernel_type *type = tall ? &hol__kernel_schur : &hol__kernel_penalty;
        assert_int_equal(hol__kernel_new(ctx, type, &W, &A, &options, &kernel), HOL_ERR_ARGUMENT);
        assert_null(kernel);
        assert_said(ctx, tall ? "kernel 'schur': A W^-1 A^T is too full for this size; use the "
                                "kernel 'kkt'"
                              : "A^T A is too full for sparse storage; use dense storage or the "
                                "kernel 'kkt'");
    }
    hol__arena_free(&arena);
    hol_context_free(ctx);
}

/* A singular mass that no rows of its own determine, in a system too large for dense storage: the
 * sparse LU solves it, and a build without one says so. */
static void test_large_singular_mass(void **state) {
    enum { N = 500 };
    (void)state;
    hol_context *ctx = hol_context_new();
    hol__arena arena;
    hol__arena_init(&arena, ctx);
    hol__csr W, A = {.rows = 1, .cols = N};
    int ptr[] = {0, 2}, idx[] = {3, 7};
    double x[N], mu[1], f[N] = {0}, a[] = {1.3, -0.7};
    const double c = 2.385;
    assert_int_equal(hol__csr_identity(&arena, N, &W), HOL_OK);
    W.x[3] = 0;
    A.ptr = ptr;
    A.idx = idx;
    A.x = a;
    hol__kernel *kernel = NULL;
    const hol__kernel_options options = {.storage = HOL__STORAGE_SPARSE};
    f[7] = 0.41;
    assert_int_equal(hol__kernel_new(ctx, &hol__kernel_kkt, &W, &A, &options, &kernel), HOL_OK);
    const hol_status status = hol__kernel_factor(kernel, &W, &A);
    if (hol__klu_available()) {
        assert_int_equal(status, HOL_OK);
        assert_int_equal(hol__kernel_solve(kernel, f, &c, x, mu), HOL_OK);
        /* column 3: 1.3 mu = 0; column 7: x = f; the row: 1.3 x3 - 0.7 x7 = c */
        assert_true(fabs(mu[0]) < 1e-14 && fabs(x[7] - 0.41) < 1e-14);
        assert_true(fabs(x[3] - (c + 0.7 * 0.41) / 1.3) < 1e-14);
    } else {
        assert_int_equal(status, HOL_ERR_FEATURE);
        assert_said(ctx, "not built with SuiteSparse: the sparse LU factorisation, which large "
                         "systems with a singular mass matrix take, is missing; use dense storage");
    }
    hol__kernel_free(kernel);
    hol__arena_free(&arena);
    hol_context_free(ctx);
}

/* ---- runs ---- */

/* A disc in natural coordinates, whose mass matrix is singular, under a kernel that does not take
 * that. */
static void test_flat_body(void **state) {
    static const char *const text =
        "holonom: 1\nspace: spatial\ngravity: [0, 0, 0]\nbodies:\n  disc: {mass: 1.2, inertia: "
        "[0.1, 0.1, 0.2]}\njoints:\n  A: {type: spherical, bodies: [ground, disc], at: [0.3, 0, "
        "0]}\nsimulation: {coordinates: natural, kernel: %s}\n";
    (void)state;
    for (int takes_it = 0; takes_it < 2; takes_it++) {
        char whole[512];
        hol_context *ctx = hol_context_new();
        snprintf(whole, sizeof whole, text, takes_it ? "kkt" : "schur");
        subject s = make_subject(ctx, whole);
        const hol_status status = hol_sim_advance(s.sim, 0.1);
        assert_int_equal(status, takes_it ? HOL_OK : HOL_ERR_SINGULAR);
        if (!takes_it)
            assert_said(ctx, "equations of motion: cannot be solved by the kernel 'schur': in "
                             "natural coordinates the mass matrix is singular where a body is flat "
                             "or thin; take kernel kkt, or coordinates reference");
        free_subject(&s);
        hol_context_free(ctx);
    }
}

/* Gains that change with the step, and a formula that keeps a history of steps. */
static void test_gains_of_a_history(void **state) {
    (void)state;
    if (!strstr(HOLONOM_TEST_FEATURES, " sundials ")) skip();
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_options *options = NULL;
    const char *text = PENDULUM "simulation: {method: baumgarte, gains: taylor, integrator: bdf}\n";
    assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
    hol_model *model = hol_model_from_spec(ctx, spec, &options);
    assert_non_null(model);
    assert_null(hol_sim_new(ctx, model, options));
    assert_said(ctx, "they make the equations others in each step: give `alpha` and `beta`");
    hol_options_free(options);
    hol_model_free(model);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

static long allocations_left;

static void *alloc_or_not(void *user, size_t size) {
    (void)user;
    return allocations_left-- == 0 ? NULL : malloc(size);
}

static void release(void *user, void *block) {
    (void)user;
    free(block);
}

/* A simulation that finds no memory where its joints change may not be able to go on: it says so
 * when it is asked to. */
static void test_failed_for_good(void **state) {
    const hol_allocator allocator = {alloc_or_not, release, NULL};
    int met = 1, broken = 0; /* a note that finds no memory is left out, and the run goes on */
    (void)state;
    for (long k = 0; met; k++) {
        allocations_left = -1;
        hol_context *ctx = hol_context_new_with(&allocator);
        subject s = make_subject(
            ctx, "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  rod: {mass: 1.2, "
                 "inertia: 0.1, position: [0.5, 0]}\njoints:\n  A: {type: revolute, bodies: "
                 "[ground, rod], at: [0, 0], active: {until: t > 0.1}}\nsimulation: {end: 0.2}\n");
        assert_int_equal(hol_sim_advance(s.sim, 0.05), HOL_OK);
        allocations_left = k;
        const hol_status status = hol_sim_advance(s.sim, 0.15);
        met = allocations_left < 0;
        if (status) assert_int_equal(status, HOL_ERR_MEMORY);
        allocations_left = -1;
        if (status && s.sim->broken) {
            broken++;
            assert_int_equal(hol_sim_step(s.sim), HOL_ERR_ARGUMENT);
            assert_said(ctx, "the simulation has failed for good (see the messages before); free "
                             "it and make another");
        }
        free_subject(&s);
        hol_context_free(ctx);
    }
    assert_true(broken > 10);
}

/* A joint that takes hold within catch_tolerance, and that no position closes: the end of a rod on
 * a pivot, 1 from it, is to be 0.28 from a point 1.3 from it. */
static void test_joints_that_do_not_close(void **state) {
    (void)state;
    hol_context *ctx = hol_context_new();
    subject s = make_subject(
        ctx, "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  rod: {mass: 1.2, "
             "inertia: 0.1, position: [0.5, 0]}\njoints:\n  A: {type: revolute, bodies: [ground, "
             "rod], at: [0, 0]}\n  B: {type: distance, bodies: [ground, rod], from: [1.3, 0], to: "
             "[1, 0], length: 0.28, active: {initially: false, from: t > 0.001}}\nsimulation: "
             "{end: 1, catch_tolerance: 0.05}\n");
    assert_int_equal(hol_sim_run(s.sim, NULL), HOL_ERR_TOLERANCE);
    assert_said(ctx, "joint 'B': cannot be closed at t = 0.001: it is open by 0.0207, and no "
                     "positions near these close it together with joint 'A'");
    free_subject(&s);
    hol_context_free(ctx);
}

/* Limits of a run that a user sets, and steps that are lost in the time. */
static void test_limits(void **state) {
    static const struct limit {
        const char *simulation, *words;
    } cases[] = {
        {"{end: 1, step: 0.02, method: lagrange, max_energy_error: 1e-9}",
         "energy balance: at t = 0.02 the relative error is "},
        {"{start: 1e15, end: 1.000000000000001e15, step: 0.01}",
         "integrator 'rk4': the step of 0.01 is below the resolution of time at t = 1e+15"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        hol_context *ctx = hol_context_new();
        snprintf(text, sizeof text, PENDULUM "simulation: %s\n", cases[i].simulation);
        subject s = make_subject(ctx, text);
        assert_int_equal(hol_sim_run(s.sim, NULL), HOL_ERR_TOLERANCE);
        assert_said(ctx, cases[i].words);
        free_subject(&s);
        hol_context_free(ctx);
    }
}

/* An observer that gives up without a word. */
static hol_status give_up(void *user, hol_sim *sim) {
    (void)user;
    (void)sim;
    return HOL_ERR_IO;
}

/* A caller who stops a run that is made to estimate the error. */
static void test_stopped_estimate(void **state) {
    (void)state;
    const hol_observer observer = {.on_step = give_up};
    hol_context *ctx = hol_context_new();
    subject s = make_subject(ctx, PENDULUM "simulation: {end: 0.3, tolerance: 1e-4, "
                                           "tolerance_kind: end}\n");
    assert_int_equal(hol_sim_run(s.sim, &observer), HOL_ERR_IO);
    assert_said(ctx, "tolerance_kind: a run that was made to estimate the error failed");
    free_subject(&s);
    hol_context_free(ctx);
}

/* ---- results ---- */

static int disk_is_full;

/* Before that of the C library: a disk on which there is no room. */
int fstatvfs(int fd, struct statvfs *disk) {
    (void)fd;
    memset(disk, 0, sizeof *disk);
    disk->f_frsize = 4096;
    disk->f_bavail = disk_is_full ? 2 : 1 << 20;
    return 0;
}

/* A file that will not fit on its disk is warned of before the run. */
static void test_full_disk(void **state) {
    (void)state;
    hol_context *ctx = hol_context_new();
    subject s = make_subject(ctx, PENDULUM "simulation: {end: 10, output: 0.01}\n");
    for (disk_is_full = 0; disk_is_full < 2; disk_is_full++) {
        hol_message_clear(ctx);
        hol_writer *writer = hol_writer_open(s.sim, "disk.csv");
        assert_non_null(writer);
        if (disk_is_full)
            assert_said(ctx, "disk.csv: warning: 'disk.csv' will need about ");
        else
            assert_false(has_message(ctx, "will need about "));
        hol_writer_discard(writer);
    }
    free_subject(&s);
    hol_context_free(ctx);
}

/* Two results whose columns of one name have units that do not go together. */
static void test_units_of_two_results(void **state) {
    static const char *const names[] = {"first.csv", "second.csv"}, *const column = "x";
    (void)state;
    hol_context *ctx = hol_context_new();
    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(names[i], "w");
        assert_non_null(file);
        fprintf(file, "t [s],x [%s]\n0,1.5\n1,2.5\n", i ? "kg" : "m");
        fclose(file);
    }
    const hol_chart chart = {.n_results = 2, .results = names, .n_columns = 1, .columns = &column};
    assert_int_equal(hol_chart_write(ctx, &chart, "two.svg"), HOL_ERR_INPUT);
    assert_said(ctx, "second.csv: error: the column 'x' is in 'kg' here and in 'm' in the first "
                     "result; show them apart");
    hol_context_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_too_much_memory),
        cmocka_unit_test(test_true_or_false),
        cmocka_unit_test(test_files_by_calls),
        cmocka_unit_test(test_large_file),
        cmocka_unit_test(test_wide_table),
        cmocka_unit_test(test_full_products),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_stopped_estimate),
        cmocka_unit_test(test_large_singular_mass),
        cmocka_unit_test(test_gains_of_a_history),
        cmocka_unit_test(test_failed_for_good),
        cmocka_unit_test(test_flat_body),
        cmocka_unit_test(test_joints_that_do_not_close),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_units_of_two_results),
    };
    return run_tests_of_models("messages", tests);
}

/* test_large_models.c: names are found by trees, and descriptions with thousands of items are read
 * and compiled in a time that grows with their length: four times the items cost less than nine
 * times as much (linear: 4, n log n: 5, quadratic: 16), whatever they are wrong about. Memory that
 * nobody asks for is not taken. */
#define _DEFAULT_SOURCE
#include "model_fixture.h"

#include "tree.h"

#include "base/name_tree.h"
#include "base/text.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

/* ---- names ---- */

/* The i-th of a family of names: numbers, words that begin alike, bytes above 127, and words of two
 * letters, the empty one among them. */
static void make_name(int family, int i, char *name, size_t size) {
    static const char *const forms[] = {"%d", "a long beginning that all have %05d", "\xc3\xa4%x"};
    if (family < 3) {
        snprintf(name, size, forms[family], i);
        return;
    }
    /* every word of a, b up to nine letters */
    int n = 0;
    for (int k = i + 1; k > 1; k /= 2) name[n++] = k % 2 ? 'b' : 'a';
    name[n] = '\0';
}

static void names_are_found(void **state) {
    (void)state;
    enum { N = 1000 };
    static char names[N][64];
    for (int family = 0; family < 4; family++) {
        hol_context *ctx = hol_context_new();
        hol__arena arena;
        hol__name_tree tree = {0};
        hol__arena_init(&arena, ctx);
        assert_null(hol__name_tree_find(&tree, "anything"));
        for (int i = 0; i < N; i++) {
            make_name(family, (i * 7919) % N, names[i], sizeof names[i]);
            assert_null(hol__name_tree_find(&tree, names[i]));
            assert_true(hol__name_tree_add(&tree, &arena, names[i], (uintptr_t)i));
        }
        for (int i = 0; i < N; i++) {
            char longer[sizeof names[i] + 1];
            assert_true(hol__name_tree_add(&tree, &arena, names[i], 123456)); /* keeps the first */
            assert_int_equal(*hol__name_tree_find(&tree, names[i]), i);
            snprintf(longer, sizeof longer, "%.63s\x01", names[i]);
            assert_null(hol__name_tree_find(&tree, longer));
        }
        hol__arena_free(&arena);
        hol_context_free(ctx);
    }
}

/* Keys of a large map stay right when some are taken out and put in again. */
static void large_maps_change(void **state) {
    (void)state;
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_item *map = hol_spec_section(spec, "parameters");
    char name[32], path[48], text[32];
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "p%d", i);
        assert_int_equal(hol_item_number(map, name, i), HOL_OK);
    }
    for (int i = 0; i < 100; i += 3) {
        snprintf(path, sizeof path, "parameters.p%d", i);
        snprintf(text, sizeof text, "%d", -i);
        assert_int_equal(hol_spec_set(spec, path, text, "test"), HOL_OK);
        snprintf(name, sizeof name, "p%d", i + 1);
        assert_int_equal(hol_item_number(map, name, 1000 + i), HOL_OK);
    }
    for (int i = 0; i < 99; i++) {
        snprintf(path, sizeof path, "parameters.p%d", i);
        const char *found = text_at(spec, path);
        assert_non_null(found);
        assert_int_equal(atoi(found), i % 3 == 0 ? -i : i % 3 == 1 ? 1000 + i - 1 : i);
    }
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* ---- descriptions ---- */

typedef struct subject {
    const char *name;
    const char *before; /* the section */
    const char *item;   /* with # its number, < that of the item before, > that of the next */
    int errors;         /* whether the model is wrong */
} subject;

static const subject subjects[] = {
    {"parameters", "parameters:\n", "  p#: #.5\n", 0},
    {"parameters that read others", "parameters:\n  p0: 1\n", "  p#: p< + 1\n", 0},
    {"free bodies", "bodies:\n", "  b#: {mass: 1, inertia: 1}\n", 0},
    {"points", "points:\n", "  P#: [#, 0]\n", 0},
    {"measures", "measures:\n", "  m#: {type: expression, value: #*t}\n", 0},
    {"measures that read the next", "measures:\n", "  m#: {type: expression, value: m> + 1}\n", 0},
    {"forces", "forces:\n", "  f#: {type: force, body: a, force: [#, 0]}\n", 0},
    {"unknown keys", "", "k#: #\n", 1},
    {"bodies that are not there", "joints:\n",
     "  j#: {type: revolute, bodies: [x#, y#], at: [0, 0]}\n", 1},
    {"unknown names", "measures:\n", "  m#: {type: expression, value: u#}\n", 1},
    {"unknown types", "forces:\n", "  f#: {type: forse#}\n", 1},
    {"shapes that are drawn", "bodies:\n  b:\n    mass: 1\n    inertia: 1\n    draw:\n",
     "      - {type: sphere, radius: #}\n", 0},
};

/* The text of item i. */
static void write_item(const char *form, int i, hol__text *text) {
    for (; *form; form++)
        if (*form == '#' || *form == '<' || *form == '>')
            hol__text_add(text, "%d", i + (*form == '>') - (*form == '<'));
        else
            hol__text_add_n(text, form, 1);
}

/* The text of a model with n items. */
static void write_model(const subject *s, int n, hol__text *text) {
    hol__text_add(text, "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n%s", s->before);
    for (int i = 1; i <= n; i++) write_item(s->item, i, text);
    if (strstr(s->item, "m>")) hol__text_add(text, "  m%d: {type: expression, value: t}\n", n + 1);
    if (strncmp(s->before, "bodies:\n", 8) != 0) hol__text_add(text, "bodies:\n");
    hol__text_add(text, "  a: {mass: 1, inertia: 1}\n");
}

/* The processor time of reading and compiling it once, in seconds. */
static double time_of(const subject *s, int n) {
    hol_context *ctx = hol_context_new();
    hol__text text;
    hol__text_init(&text, ctx);
    write_model(s, n, &text);
    assert_false(text.failed);
    const clock_t from = clock();
    hol_spec *spec = hol_spec_new(ctx);
    assert_int_equal(hol_spec_read_text(spec, text.data, "large.yaml"), HOL_OK);
    hol_model *model = hol_model_compile(ctx, spec, NULL);
    const clock_t to = clock();
    if ((model == NULL) != s->errors) run_print_messages(ctx);
    assert_int_equal(model == NULL, s->errors);
    assert_true(hol_message_count(ctx) <= 110);
    hol_model_free(model);
    hol_spec_free(spec);
    hol__text_free(&text);
    hol_context_free(ctx);
    return (double)(to - from) / CLOCKS_PER_SEC;
}

static void time_grows_with_length(void **state) {
    (void)state;
    enum { N = 4000, TRIES = 4 };
    if (!run_reads_files()) skip();
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        double small = INFINITY, large = INFINITY;
        /* the least of some tries, as what others do on the machine only adds */
        for (int k = 0; k < TRIES && !(large < 9 * small); k++) {
            small = fmin(small, time_of(&subjects[i], N));
            large = fmin(large, time_of(&subjects[i], 4 * N));
        }
        print_message("# %s: %d in %.3f s, %d in %.3f s\n", subjects[i].name, N, small, 4 * N,
                      large);
        assert_true(large < 9 * small);
    }
}

/* A file that is wrong everywhere ends with one sentence that says that not all was looked at. */
static void errors_come_to_an_end(void **state) {
    (void)state;
    hol_context *ctx = hol_context_new();
    hol__text text;
    char line[256];
    if (!run_reads_files()) skip();
    hol__text_init(&text, ctx);
    write_model(&subjects[7], 500, &text);
    hol_spec *spec = hol_spec_new(ctx);
    assert_int_equal(hol_spec_read_text(spec, text.data, "wrong.yaml"), HOL_OK);
    assert_null(hol_model_compile(ctx, spec, NULL));
    int said = 0;
    for (int i = 0; i < hol_message_count(ctx); i++) {
        hol_message_format(hol_message_get(ctx, i), line, sizeof line);
        said += strstr(line, "100 errors; what follows was not looked at") != NULL;
    }
    assert_int_equal(said, 1);
    assert_int_equal(hol_message_count(ctx), 101);
    hol_spec_free(spec);
    hol__text_free(&text);
    hol_context_free(ctx);
}

/* ---- memory ---- */

/* The bytes that are asked for through a context. */
static void *count_bytes(void *user, size_t size) {
    *(size_t *)user += size;
    return malloc(size);
}

static void release_block(void *user, void *block) {
    (void)user;
    free(block);
}

/* What a chain of n links takes from its description to the first state of a run: bytes that are
 * asked for, and processor time. */
typedef struct demand {
    double bytes, seconds;
} demand;

static void write_chain(int n, int spatial, hol__text *text) {
    const char *const more = spatial ? ", 0" : "", *const axis = spatial ? ", axis: [0, 1, 0]" : "";
    hol__text_add(text, "holonom: 1\nspace: %s\ngravity: [0%s, -9.81]\nbodies:\n",
                  spatial ? "spatial" : "planar", more);
    for (int i = 0; i < n; i++)
        hol__text_add(text, "  b%d: {mass: 1, inertia: %s, position: [%d.5, 0%s]}\n", i,
                      spatial ? "[0.01, 0.1, 0.1]" : "0.1", i, more);
    hol__text_add(text, "joints:\n");
    for (int i = 0; i < n; i++) {
        hol__text_add(text, "  j%d: {type: revolute, bodies: [", i);
        hol__text_add(text, i ? "b%d" : "ground", i - 1);
        hol__text_add(text, ", b%d], at: [%d, 0%s]%s}\n", i, i, more, axis);
    }
    hol__text_add(text, "simulation: {integrator: rk4, step: 0.001, end: 1}\n");
}

static demand demand_of_chain(int n, int spatial, const char *coordinates) {
    size_t bytes = 0;
    const hol_allocator counted = {count_bytes, release_block, &bytes};
    hol_context *ctx = hol_context_new_with(&counted);
    hol__text text;
    hol__text_init(&text, ctx);
    write_chain(n, spatial, &text);
    hol_spec *spec = hol_spec_new(ctx);
    assert_int_equal(hol_spec_read_text(spec, text.data, "chain.yaml"), HOL_OK);
    const size_t before = bytes;
    const clock_t from = clock();
    hol_model *model = hol_model_compile(ctx, spec, coordinates);
    assert_non_null(model);
    hol_sim *sim = hol_sim_new(ctx, model, NULL);
    if (!sim) run_print_messages(ctx);
    assert_non_null(sim);
    const demand found = {(double)(bytes - before), (double)(clock() - from) / CLOCKS_PER_SEC};
    hol_sim_free(sim);
    hol_model_free(model);
    hol_spec_free(spec);
    hol__text_free(&text);
    hol_context_free(ctx);
    return found;
}

/* Nothing of a chain grows with the square of its length: not the time until it runs, and no table,
 * though its mass matrix in relative coordinates is full. */
static void chains_are_set_up_link_by_link(void **state) {
    enum { N = 1500, TRIES = 4 };
    (void)state;
    if (!run_reads_files()) skip();
    for (int i = 0; i < 4; i++) {
        const char *const coordinates = i % 2 ? "relative" : "reference";
        demand small = {INFINITY, INFINITY}, large = small;
        for (int k = 0; k < TRIES && !(large.seconds < 9 * small.seconds); k++) {
            const demand a = demand_of_chain(N, i / 2, coordinates),
                         b = demand_of_chain(4 * N, i / 2, coordinates);
            small = (demand){a.bytes, fmin(a.seconds, small.seconds)};
            large = (demand){b.bytes, fmin(b.seconds, large.seconds)};
        }
        print_message("# %s, %s: %d links %.3f s, %.1f MB; %d links %.3f s, %.1f MB\n",
                      i / 2 ? "space" : "plane", coordinates, N, small.seconds, small.bytes / 1e6,
                      4 * N, large.seconds, large.bytes / 1e6);
        assert_true(large.seconds < 9 * small.seconds);
        /* arrays that grow by doubling may be nearly half empty in one of the two */
        assert_true(large.bytes < 6 * small.bytes);
    }
}

/* The bytes that compiling n hinges with stops asks for. */
static double bytes_of_stops(int n) {
    size_t bytes = 0;
    const hol_allocator counted = {count_bytes, release_block, &bytes};
    hol_context *ctx = hol_context_new_with(&counted);
    hol__text text;
    hol__text_init(&text, ctx);
    write_chain(n, 0, &text);
    for (char *end = strstr(text.data, "simulation:"); end; end = NULL)
        text.length = (size_t)(end - text.data);
    for (int i = 0; i < n; i++)
        hol__text_add(&text, "  s%d: {type: rigid_stop, joint: j%d, lower: -1, upper: 2}\n", i, i);
    hol_spec *spec = hol_spec_new(ctx);
    assert_int_equal(hol_spec_read_text(spec, text.data, "stops.yaml"), HOL_OK);
    const size_t before = bytes;
    hol_model *model = hol_model_compile(ctx, spec, NULL);
    if (!model) run_print_messages(ctx);
    assert_non_null(model);
    const double asked = (double)(bytes - before);
    hol_model_free(model);
    hol_spec_free(spec);
    hol__text_free(&text);
    hol_context_free(ctx);
    return asked;
}

/* Lists of the model that its elements add to one by one (angles, corners) grow with their number.
 */
static void stops_take_memory_one_by_one(void **state) {
    enum { N = 500 };
    (void)state;
    if (!run_reads_files()) skip();
    const double small = bytes_of_stops(N), large = bytes_of_stops(4 * N);
    print_message("# %d stops %.1f MB, %d stops %.1f MB\n", N, small / 1e6, 4 * N, large / 1e6);
    assert_true(large < 6 * small);
}

/* The largest number of bytes that this process had in memory. */
static double resident(void) {
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return 1024.0 * (double)usage.ru_maxrss;
}

/* What nobody writes on takes no memory, and is zero all the same. */
static void untouched_memory_is_free(void **state) {
    enum { SIZE = 400 << 20 };
    (void)state;
    hol_context *ctx = hol_context_new();
    const double before = resident();
    unsigned char *block = hol__alloc(ctx, SIZE, 1);
    assert_non_null(block);
    assert_int_equal(block[0] | block[SIZE / 3] | block[SIZE - 1], 0);
    assert_true(resident() - before < SIZE / 3.0); /* a sanitizer keeps an eighth of its own */
    hol__release(ctx, block);
    hol_context_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found),
        cmocka_unit_test(large_maps_change),
        cmocka_unit_test(time_grows_with_length),
        cmocka_unit_test(errors_come_to_an_end),
        cmocka_unit_test(untouched_memory_is_free),
        cmocka_unit_test(chains_are_set_up_link_by_link),
        cmocka_unit_test(stops_take_memory_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_damage.c: every key of every model file, damaged in turn: left out, misspelt, given twice,
 * of another kind, its value misspelt. Whatever is made of it, the library compiles and sets it up,
 * or says why not, and takes its first steps, and nothing crashes.
 *
 * A sample of the variants is tried; all of them with HOLONOM_WHOLE=1 (./dev faults).
 */
#define _POSIX_C_SOURCE 200809L
#include "model/node.h"
#include "kept.h"
#include "model_list.h"

/* ---- what is done to a node ---- */

typedef hol_status damage_fn(hol_spec *spec, hol__node *node);

static hol_status drop(hol_spec *spec, hol__node *node) {
    (void)spec;
    hol__node_remove(node);
    return HOL_OK;
}

/* A copy of the text with another end. */
static const char *ending(hol_spec *spec, const char *text, const char *end) {
    return hol__arena_format(&spec->arena, "%s%s", text, end);
}

static hol_status misspell_key(hol_spec *spec, hol__node *node) {
    if (!node->key) return HOL_ERR_ARGUMENT;
    node->key = ending(spec, node->key, "x");
    return HOL_OK;
}

/* "revolute" to "revolut". */
static hol_status shorten_value(hol_spec *spec, hol__node *node) {
    const size_t n = node->kind == HOL__SCALAR ? strlen(node->text) : 0;
    if (n < 2) return HOL_ERR_ARGUMENT;
    node->text = hol__arena_text_n(&spec->arena, node->text, n - 1);
    return HOL_OK;
}

static hol_status give_twice(hol_spec *spec, hol__node *node) {
    if (!node->key || !node->parent) return HOL_ERR_ARGUMENT;
    return hol__node_add_scalar(spec, node->parent, node->key, "1") ? HOL_OK : HOL_ERR_MEMORY;
}

/* Another kind of node, or another text, in its place. */
static hol_status replace(hol_spec *spec, hol__node *node, hol__node *by) {
    (void)spec;
    hol__node_replace(node, by);
    return HOL_OK;
}

#define AS_SCALAR(name, value)                                                                     \
    static hol_status name(hol_spec *spec, hol__node *node) {                                      \
        return replace(spec, node, hol__node_add_scalar(spec, NULL, node->key, value));            \
    }

AS_SCALAR(as_number, "-7.25")
AS_SCALAR(as_zero, "0")
AS_SCALAR(as_huge, "1e300")
AS_SCALAR(as_word, "nonsense")
AS_SCALAR(as_nothing, "")
AS_SCALAR(as_time, "1/t")

static hol_status as_list(hol_spec *spec, hol__node *node) {
    hol__node *list = hol__node_add(spec, NULL, node->key, HOL__LIST);
    for (int i = 0; i < 4; i++) hol__node_add_scalar(spec, list, NULL, "0.5");
    return replace(spec, node, list);
}

static hol_status as_map(hol_spec *spec, hol__node *node) {
    hol__node *map = hol__node_add(spec, NULL, node->key, HOL__MAP);
    hol__node_add_scalar(spec, map, "nonsense", "1");
    return replace(spec, node, map);
}

static const struct damage {
    const char *name;
    damage_fn *apply;
} damages[] = {{"left out", drop},           {"misspelt", misspell_key},
               {"cut short", shorten_value}, {"given twice", give_twice},
               {"a number", as_number},      {"0", as_zero},
               {"1e300", as_huge},           {"a word", as_word},
               {"empty", as_nothing},        {"1/t", as_time},
               {"a list", as_list},          {"a map", as_map}};

enum { N_DAMAGES = sizeof damages / sizeof *damages };

/* ---- nodes in their order ---- */

/* Node *k of the tree below; NULL where there are fewer, with *k less by those that there are. */
static hol__node *node_at(hol__node *node, long *k) {
    for (hol__node *child = node->first; child; child = child->next) {
        if ((*k)-- == 0) return child;
        hol__node *found = node_at(child, k);
        if (found) return found;
    }
    return NULL;
}

static long count_nodes(const hol__node *node) {
    long n = 0;
    for (const hol__node *child = node->first; child; child = child->next)
        n += 1 + count_nodes(child);
    return n;
}

/* ---- one variant ---- */

/* What is being tried, for a test that crashes. */
static struct {
    const char *file, *damage;
    long node;
    char *text;
} trying;

/* Compile the text, set it up, take a few steps; whether a failure was without a word. */
static int is_silent(const char *text, const char *name) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_options *options = NULL;
    hol_model *model = NULL;
    hol_sim *sim = NULL;
    hol_status status = hol_spec_read_text(spec, text, name);
    if (!status) model = hol_model_from_spec(ctx, spec, &options);
    if (model) hol_options_set_real(options, "max_time", 2);
    if (model) hol_options_set_integer(options, "max_steps", 40);
    if (model) sim = hol_sim_new(ctx, model, options);
    for (int i = 0; sim && i < 2 && sim_info(sim).end == HOL_END_RUNNING && !status; i++)
        if (sim_info(sim).t < sim_info(sim).t_end) status = hol_sim_step(sim);
    const int silent = (!sim || status < 0) && !hol_message_count_of(ctx, HOL_ERROR);
    hol_sim_free(sim);
    hol_options_free(options);
    hol_model_free(model);
    hol_spec_free(spec);
    hol_context_free(ctx);
    return silent;
}

/* Damage node k and try it; 0 where the damage makes no sense there. */
static int try(const hol_spec *whole, const char *path, long k, const struct damage *damage,
               int *bad) {
    hol_spec *copy = hol_spec_copy(whole->ctx, whole);
    long left = k;
    hol__node *node = node_at(copy->root, &left);
    const int done = damage->apply(copy, node) == HOL_OK;
    char *text = done ? hol_spec_text(copy) : NULL;
    hol_spec_free(copy);
    if (!done) return 0;
    trying.file = path, trying.damage = damage->name, trying.node = k, trying.text = text;
    if (is_silent(text, path)) {
        print_error("---- %s, node %ld %s: fails without a message\n%s\n", path, k, damage->name,
                    text);
        ++*bad;
    }
    trying.text = NULL;
    hol_free(whole->ctx, text);
    return 1;
}

/* After a crash: what it was. */
static int show_trying(void **unused) {
    (void)unused;
    if (trying.text)
        print_error("---- %s, node %ld %s:\n%s\n", trying.file, trying.node, trying.damage,
                    trying.text);
    return 0;
}

/* ---- the sweep ---- */

/* Whether all variants are to be tried. */
static int is_whole(void) {
    const char *word = getenv("HOLONOM_WHOLE");
    return word && *word && strcmp(word, "0") != 0;
}

/* "damage-elements+gas" for elements/gas: where it is noted that all its variants were tried. */
static const char *note_name(const char *model) {
    static char name[NAME + 16];
    snprintf(name, sizeof name, "damage-%.*s", NAME, model);
    for (char *at = name; *at; at++)
        if (*at == '/') *at = '+';
    return name;
}

/* How many variants of a file are tried in a sample. */
enum { SAMPLED = 45 };

static void test_damage(void **unused) {
    long tried = 0;
    int bad = 0;
    uint64_t seed = 0x9E3779B97F4A7C15u;
    static char names[MOST_MODELS][NAME];
    static const char *const folders[] = {"", "elements/", "gjb/"};
    char path[1024];
    int n_files = 0;
    (void)unused;
    for (int i = 0; i < 3; i++) n_files = list_models(folders[i], names, n_files);
    for (int i = 0; i < n_files; i++) {
        snprintf(path, sizeof path, "%s/%.*s.yaml", HOLONOM_TEST_MODELS, NAME, names[i]);
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        assert_int_equal(hol_spec_read_file(spec, path), HOL_OK);
        const long n = count_nodes(spec->root) * N_DAMAGES, before = tried;
        char note[64];
        if (is_whole() && !bad && kept_read(note_name(names[i]), note, sizeof note)) {
            tried += atol(note);
            hol_spec_free(spec);
            hol_context_free(ctx);
            continue;
        }
        for (long k = 0; k < (is_whole() ? n : SAMPLED); k++) {
            const long at = is_whole() ? k : (long)(next_word(&seed) % (uint64_t)n);
            tried += try(spec, path, at / N_DAMAGES, &damages[at % N_DAMAGES], &bad);
        }
        snprintf(note, sizeof note, "%ld\n", tried - before);
        if (is_whole() && !bad) kept_write(note_name(names[i]), note);
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
    print_message("%ld variants of %d files\n", tried, n_files);
    assert_true(n_files > 80 && tried > 20 * n_files);
    assert_int_equal(bad, 0);
}

/* A type that is misspelt, of a joint that measures and forces name, in the plane and in space. */
static void test_misspelt_joint(void **unused) {
    static const char *const spaces[] = {
        "holonom: 1\nspace: planar\nbodies:\n  rod: {mass: 1.2, inertia: 0.1}\njoints:\n  A: "
        "{type: "
        "revolut, bodies: [ground, rod], at: [0, 0]}\n",
        "holonom: 1\nspace: spatial\nbodies:\n  rod: {mass: 1.2, inertia: [0.1, 0.1, "
        "0.1]}\njoints:\n  A: {type: revolut, bodies: [ground, rod], at: [0, 0, 0], axis: [0, 1, "
        "0]}\n"};
    static const char others[] =
        "  D: {type: driver, joint: A, law: t}\n  M: {type: motor, joint: A, speed: 3}\n"
        "  G: {type: gear, joints: [A, A], ratio: 2}\nforces:\n  f: {type: friction, joint: A, "
        "level: 1}\n  p: {type: pid, joint: A, target: 1, proportional: 2}\n  t: {type: torsion, "
        "joint: A, stiffness: 2}\nmeasures:\n  c: {type: joint_coordinate, joint: A}\n  r: {type: "
        "reaction, joint: A}\n  m: {type: multiplier, joint: A}\n  l: {type: load, on: A, "
        "quantity: "
        "power}\n  w: {type: joint_coordinate, joint: D}\n";
    char text[2048];
    (void)unused;
    for (int i = 0; i < 2; i++) {
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        snprintf(text, sizeof text, "%s%s", spaces[i], others);
        assert_int_equal(hol_spec_read_text(spec, text, "typo.yaml"), HOL_OK);
        assert_null(hol_model_from_spec(ctx, spec, NULL));
        assert_true(said(ctx, "there is no type 'revolut' in joints; did you mean 'revolute'?"));
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_damage, show_trying),
        cmocka_unit_test(test_misspelt_joint),
    };
    return run_tests_of_models("damage", tests);
}

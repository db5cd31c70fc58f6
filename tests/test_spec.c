/* test_spec.c: descriptions made by calls: the builder, values set by path, and the text that comes
 * out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tree.h"

#include <holonom/options.h>

#include <math.h>

/* The four-bar linkage that the tests of paths use. */
static void build_sample(hol_spec *spec) {
    const double gravity[] = {0.0, -9.81};
    const char *const bodies[] = {"crank", "ground"};
    hol_item *root = hol_spec_root(spec);
    assert_int_equal(hol_item_number(root, "holonom", 1), HOL_OK);
    assert_int_equal(hol_item_vector(root, "gravity", 2, gravity), HOL_OK);
    hol_item *parameters = hol_spec_section(spec, "parameters");
    assert_int_equal(hol_item_number(parameters, "L2", 2.385), HOL_OK);
    assert_int_equal(hol_item_text(parameters, "rate", "2*pi*L2"), HOL_OK);
    hol_item *crank = hol_spec_add(spec, "bodies", "crank", NULL);
    assert_int_equal(hol_item_number(crank, "mass", 0.1), HOL_OK);
    hol_item *dotted = hol_spec_add(spec, "bodies", "rod.left", NULL);
    assert_int_equal(hol_item_number(dotted, "mass", 7.25e-3), HOL_OK);
    hol_item *joint = hol_spec_add(spec, "joints", "A", "revolute");
    assert_int_equal(hol_item_texts(joint, "bodies", 2, bodies), HOL_OK);
    assert_int_equal(hol_item_text(hol_item_map(joint, "at"), "body", "crank"), HOL_OK);
}

static void builder(void **state) {
    fixture *f = *state;
    build_sample(f->spec);
    assert_string_equal(text_at(f->spec, "parameters.L2"), "2.385");
    assert_string_equal(text_at(f->spec, "gravity.1"), "-9.81");
    assert_string_equal(text_at(f->spec, "joints.A.type"), "revolute");
    assert_string_equal(text_at(f->spec, "joints.A.bodies.1"), "ground");
    assert_string_equal(text_at(f->spec, "joints.A.at.body"), "crank");
    assert_int_equal(f->spec->failed, 0);
    assert_int_equal(hol_message_count(f->ctx), 0);
}

/* Setting a key again replaces the value and keeps its place. */
static void replaced(void **state) {
    fixture *f = *state;
    const double values[] = {1.25, 2.5, 3.75};
    build_sample(f->spec);
    hol_item *root = hol_spec_root(f->spec);
    const int count = root->count;
    assert_int_equal(hol_item_text(root, "gravity", "none"), HOL_OK);
    assert_string_equal(text_at(f->spec, "gravity"), "none");
    assert_int_equal(hol_item_vector(root, "gravity", 3, values), HOL_OK);
    assert_string_equal(text_at(f->spec, "gravity.2"), "3.75");
    assert_ptr_equal(node_at(f->spec, "gravity.2")->parent, node_at(f->spec, "gravity"));
    assert_int_equal(root->count, count);
    assert_ptr_equal(hol__node_at(root, 1), node_at(f->spec, "gravity"));
    assert_ptr_equal(hol_spec_section(f->spec, "bodies"), node_at(f->spec, "bodies"));
}

/* Numbers read back to the same bits. */
static void exact_numbers(void **state) {
    fixture *f = *state;
    uint64_t random = 88172645463325252u;
    for (int i = 0; i < 500; i++) {
        double value;
        next_word(&random);
        memcpy(&value, &random, sizeof value);
        if (!isfinite(value)) continue;
        assert_int_equal(hol_item_number(hol_spec_root(f->spec), "x", value), HOL_OK);
        assert_true(strtod(text_at(f->spec, "x"), NULL) == value);
    }
}

static void builder_errors(void **state) {
    fixture *f = *state;
    build_sample(f->spec);
    assert_null(hol_spec_add(f->spec, "bodies", "crank", NULL));
    assert_true(said(f->ctx, "'crank' is already in bodies"));
    assert_int_equal(f->spec->failed, 1);
    assert_null(hol_spec_section(f->spec, "gravity"));
    assert_null(hol_spec_section(f->spec, ""));
    assert_null(hol_spec_add(f->spec, "bodies", "", NULL));
    assert_null(hol_item_map(node_at(f->spec, "bodies.crank"), "mass"));
    assert_int_equal(hol_item_text(node_at(f->spec, "bodies.crank"), "name", "bad \xFF text"),
                     HOL_ERR_ARGUMENT);
    assert_true(said(f->ctx, "0xFF"));
    assert_null(node_at(f->spec, "bodies.crank.name"));
    char key[400];
    memset(key, 'k', sizeof key - 1);
    key[sizeof key - 1] = '\0';
    assert_int_equal(hol_item_number(hol_spec_root(f->spec), key, 1), HOL_ERR_ARGUMENT);
    /* an item that could not be made may be used on */
    assert_int_equal(hol_item_number(NULL, "mass", 1), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_item_vector(NULL, "mass", 0, NULL), HOL_ERR_ARGUMENT);
    assert_null(hol_item_map(NULL, "mass"));
}

static void removal(void **state) {
    fixture *f = *state;
    hol__node *root = f->spec->root;
    hol__node *a = hol__node_add_scalar(f->spec, root, "a", "1"),
              *b = hol__node_add_scalar(f->spec, root, "b", "2");
    hol__node *c = hol__node_add_scalar(f->spec, root, "c", "3");
    hol__node_remove(b);
    assert_ptr_equal(a->next, c);
    assert_int_equal(root->count, 2);
    hol__node_remove(c);
    assert_ptr_equal(root->last, a);
    hol__node_remove(a);
    assert_null(root->first);
    assert_null(root->last);
    assert_non_null(hol__node_add_scalar(f->spec, root, "d", "4"));
    assert_int_equal(root->count, 1);
    assert_null(hol__node_get(NULL, "a"));
    assert_null(hol__node_at(root, 1));
    assert_string_equal(hol__node_kind_name(NULL), "nothing");
    assert_string_equal(hol__node_kind_name(root), "a map");
}

/* ---- values by path ---- */

static void set_paths(void **state) {
    fixture *f = *state;
    static const char *const cases[][2] = {
        {"parameters.L2", "parameters.L2"},
        {"L2", "parameters.L2"},
        {"bodies.crank.mass", "bodies.crank.mass"},
        {"gravity.1", "gravity.1"},
        {"joints.A.bodies.0", "joints.A.bodies.0"},
        {"joints.A.at.body", "joints.A.at.body"},
        {"bodies.crank.inertia", "bodies.crank.inertia"},
        {"simulation.anything", "simulation.anything"},
    };
    build_sample(f->spec);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char value[32];
        snprintf(value, sizeof value, "%d*L2", (int)i + 17);
        assert_int_equal(hol_spec_set(f->spec, cases[i][0], value, "--set"), HOL_OK);
        const hol__node *node = node_at(f->spec, cases[i][1]);
        assert_non_null(node);
        assert_string_equal(node->text, value);
        assert_string_equal(node->where.file, "--set");
        assert_int_equal(node->where.line, 0);
    }
    /* a name with a dot in it is found too */
    assert_int_equal(hol_spec_set(f->spec, "bodies.rod.left.mass", "3.5", "--set"), HOL_OK);
    assert_string_equal(
        hol__node_get(hol__node_get(node_at(f->spec, "bodies"), "rod.left"), "mass")->text, "3.5");
    assert_int_equal(f->spec->failed, 0);
    assert_int_equal(hol_message_count(f->ctx), 0);
}

/* An option of the simulation by its name alone makes the section when it is not there. */
static void set_option(void **state) {
    fixture *f = *state;
    const hol_option *o;
    const char *first = hol_option_get(0)->name;
    build_sample(f->spec);
    for (int i = 0; (o = hol_option_get(i)); i++) {
        assert_int_equal(hol_spec_set(f->spec, o->name, "0.75", "--set"), HOL_OK);
        assert_string_equal(hol__node_get(node_at(f->spec, "simulation"), o->name)->text, "0.75");
    }
    /* a parameter of the same name comes first */
    assert_int_equal(hol_item_number(hol_spec_section(f->spec, "parameters"), first, 1), HOL_OK);
    assert_int_equal(hol_spec_set(f->spec, first, "0.5", "--set"), HOL_OK);
    assert_string_equal(hol__node_get(node_at(f->spec, "parameters"), first)->text, "0.5");
    assert_string_equal(hol__node_get(node_at(f->spec, "simulation"), first)->text, "0.75");
}

static void set_errors(void **state) {
    fixture *f = *state;
    static const struct {
        const char *path, *words;
    } cases[] = {
        {"parameters.L3", "did you mean 'L2'?"},
        {"raet", "did you mean 'rate'?"},
        {"nothing_like_it_at_all", "neither a parameter of the model nor an option"},
        {"bodeis.crank.mass", "did you mean 'bodies'?"},
        {"bodies.crnk.mass", "did you mean 'crank'?"},
        {"bodies.crank.frame.x", "there is no 'frame'"},
        {"bodies.crank", "is a map"},
        {"gravity.2", "is not an element of the list, which has 2"},
        {"gravity.x", "is not an element of the list"},
        {"gravity.-1", "is not an element of the list"},
        {"gravity.99999999999999999999", "is not an element of the list"},
        {"joints.A.bodies", "is a list"},
        {"bodies.crank.mass.x", "there is nothing below 'bodies.crank.mass'"},
        {"measures.tip.x", "has no 'measures'"},
        {"", "is empty"},
        {".", "there is no section ''"},
        {"parameters.", "there is no ''"},
    };
    build_sample(f->spec);
    char *before = hol_spec_text(f->spec);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hol_message_clear(f->ctx);
        assert_true(hol_spec_set(f->spec, cases[i].path, "1", "--set") < 0);
        assert_int_equal(hol_message_count(f->ctx), 1);
        if (!said(f->ctx, cases[i].words))
            print_error("%s: %s\n", cases[i].path, hol_message_get(f->ctx, 0)->text);
        assert_true(said(f->ctx, cases[i].words));
    }
    /* a typo of an option suggests the option */
    char typo[64];
    snprintf(typo, sizeof typo, "%sx", hol_option_get(0)->name);
    hol_message_clear(f->ctx);
    assert_int_equal(hol_spec_set(f->spec, typo, "1", "--set"), HOL_ERR_INPUT);
    assert_true(said(f->ctx, hol_option_get(0)->name));
    assert_string_equal(hol_message_get(f->ctx, 0)->where.file, "--set");
    /* nothing changed */
    char *after = hol_spec_text(f->spec);
    assert_string_equal(before, after);
    assert_int_equal(f->spec->failed, 1);
    hol_free(f->ctx, before);
    hol_free(f->ctx, after);
}

/* ---- the text ---- */

static void emitted(void **state) {
    fixture *f = *state;
    build_sample(f->spec);
    char *text = hol_spec_text(f->spec);
    assert_string_equal(text, "holonom: 1\n"
                              "gravity: [0, -9.81]\n"
                              "parameters:\n"
                              "  L2: 2.385\n"
                              "  rate: 2*pi*L2\n"
                              "bodies:\n"
                              "  crank:\n"
                              "    mass: 0.1\n"
                              "  rod.left:\n"
                              "    mass: 0.00725\n"
                              "joints:\n"
                              "  A:\n"
                              "    type: revolute\n"
                              "    bodies: [crank, ground]\n"
                              "    at:\n"
                              "      body: crank\n");
    hol_free(f->ctx, text);
}

static void emitted_empty(void **state) {
    fixture *f = *state;
    char *text = hol_spec_text(f->spec);
    assert_string_equal(text, "{}\n");
    hol_free(f->ctx, text);
    hol_spec_section(f->spec, "bodies");
    hol_item_vector(hol_spec_root(f->spec), "gravity", 0, NULL);
    text = hol_spec_text(f->spec);
    assert_string_equal(text, "bodies: {}\ngravity: []\n");
    hol_free(f->ctx, text);
}

/* Quotes exactly where YAML needs them. */
static void quotes(void **state) {
    fixture *f = *state;
    static const char *const cases[][2] = {
        {"x + y", "x + y"},
        {"-x", "-x"},
        {"", "\"\""},
        {"null", "\"null\""},
        {"~", "\"~\""},
        {"true", "true"},
        {"1e-3", "1e-3"},
        {"a: b", "\"a: b\""},
        {"a:b", "a:b"},
        {"a #b", "\"a #b\""},
        {"a#b", "a#b"},
        {"*a", "\"*a\""},
        {"- a", "\"- a\""},
        {"a\nb", "\"a\\nb\""},
        {"a\"b\\", "a\"b\\"},
        {" a", "\" a\""},
        {"a ", "\"a \""},
        {"[1, 2]", "\"[1, 2]\""},
        {"max(a, b)", "max(a, b)"},
        {"é φ", "é φ"},
        {"\xC2\x85", "\"\\x85\""},
        {"\x01", "\"\\x01\""},
        {"tab\there", "\"tab\\there\""},
        {"%x", "\"%x\""},
        {"a:", "\"a:\""},
        {"@x", "\"@x\""},
        {"'x'", "\"'x'\""},
        {"x'", "x'"},
        {"\xEF\xBB\xBFx", "\"\\uFEFFx\""},
        {"---", "\"---\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char expected[64];
        assert_int_equal(hol_item_text(hol_spec_root(f->spec), "k", cases[i][0]), HOL_OK);
        char *text = hol_spec_text(f->spec);
        snprintf(expected, sizeof expected, "k: %s\n", cases[i][1]);
        assert_string_equal(text, expected);
        hol_free(f->ctx, text);
    }
}

/* Keys that YAML would read as something else than a name. */
static void quoted_keys(void **state) {
    fixture *f = *state;
    static const char *const keys[][2] = {
        {"1", "\"1\": x\n"},           {"true", "\"true\": x\n"}, {"null", "\"null\": x\n"},
        {"a b", "a b: x\n"},           {"a: b", "\"a: b\": x\n"}, {"<<", "\"<<\": x\n"},
        {"-1.5e3", "\"-1.5e3\": x\n"}, {"0x1F", "\"0x1F\": x\n"}, {".inf", "\".inf\": x\n"},
        {"?", "\"?\": x\n"},           {"a,b", "\"a,b\": x\n"},   {"x1", "x1: x\n"}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        hol_spec *spec = hol_spec_new(f->ctx);
        assert_int_equal(hol_item_text(hol_spec_root(spec), keys[i][0], "x"), HOL_OK);
        char *text = hol_spec_text(spec);
        assert_string_equal(text, keys[i][1]);
        hol_free(f->ctx, text);
        hol_spec_free(spec);
    }
}

/* Everything with the k-th allocation failing: no crash, no leak, and a failure shows in the
 * description. */
static void failing_allocations(void **state) {
    (void)state;
    for (long k = 1;; k++) {
        counting c;
        hol_context *ctx = failing_context(&c, k);
        hol_spec *spec = ctx ? hol_spec_new(ctx) : NULL;
        if (spec) {
            const double values[] = {1.5, 2.5};
            hol_item *item = hol_spec_add(spec, "bodies", "a", "rigid");
            for (int i = 0; i < 60; i++) { /* enough to need a second block of the arena */
                char key[16];
                snprintf(key, sizeof key, "key%d", i);
                hol_item_number(item, key, 2.385 * i);
                hol_item_vector(item, "v", 2, values);
            }
            hol_spec_set(spec, "bodies.a.key1", "7", "--set");
            if (spec->arena.failed) assert_true(spec->failed);
            hol_free(ctx, hol_spec_text(spec));
        }
        hol_spec_free(spec);
        hol_context_free(ctx);
        assert_int_equal(c.live, 0);
        if (c.made < k) break;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(builder, setup, teardown),
        cmocka_unit_test_setup_teardown(replaced, setup, teardown),
        cmocka_unit_test_setup_teardown(exact_numbers, setup, teardown),
        cmocka_unit_test_setup_teardown(builder_errors, setup, teardown),
        cmocka_unit_test_setup_teardown(removal, setup, teardown),
        cmocka_unit_test_setup_teardown(set_paths, setup, teardown),
        cmocka_unit_test_setup_teardown(set_option, setup, teardown),
        cmocka_unit_test_setup_teardown(set_errors, setup, teardown),
        cmocka_unit_test_setup_teardown(emitted, setup, teardown),
        cmocka_unit_test_setup_teardown(emitted_empty, setup, teardown),
        cmocka_unit_test_setup_teardown(quotes, setup, teardown),
        cmocka_unit_test_setup_teardown(quoted_keys, setup, teardown),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_schema.c: the documentation that is made of the tables: elements, keys, defaults, examples,
 * JSON Schema, reference page. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "common.h"
#include "json_check.h"
#include "model/element.h"
#include "common/number.h"

#include <holonom/holonom.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int new_context(void **state) {
    *state = hol_context_new();
    return *state == NULL;
}

static int free_context(void **state) {
    hol_context_free(*state);
    return 0;
}

/* Fail with the messages of the context. */
static void fail_with_messages(const hol_context *ctx, const char *what) {
    char line[1024];
    for (int i = 0; i < hol_message_count(ctx); i++) {
        hol_message_format(hol_message_get(ctx, i), line, sizeof line);
        print_error("%s\n", line);
    }
    fail_msg("%s", what);
}

static int ends_with_point(const char *text) {
    return text && strlen(text) > 1 && text[strlen(text) - 1] == '.';
}

/* ---- elements and keys ---- */

static void test_elements_are_described(void **state) {
    (void)state;
    int n = 0;
    for (hol_element_doc e; (e = element_doc(n)).name; n++) {
        assert_true(strcmp(e.section, "joints") == 0 || strcmp(e.section, "forces") == 0 ||
                    strcmp(e.section, "measures") == 0);
        assert_true(e.name[0] && ends_with_point(e.title));
        assert_true(e.example && e.example[0]);
        assert_true(e.planar || e.spatial);
        if (strcmp(e.section, "measures") != 0 && !e.equations)
            fail_msg("%s has no equations", e.name);
        for (int k = 0; k < n; k++) {
            const hol_element_doc other = element_doc(k);
            if (strcmp(e.section, other.section) == 0) assert_string_not_equal(e.name, other.name);
        }
    }
    assert_true(n >= 20);
}

/* Every key has a name, a kind, a sentence, and a unit that exists. Returns how many keys there
 * are. */
static int check_keys(const char *section, const char *element) {
    int n = 0;
    for (hol_key_doc key; (key = key_doc(section, element, n)).name; n++) {
        if (!ends_with_point(key.doc))
            fail_msg("%s.%s.%s: '%s'", section, element ? element : "", key.name,
                     key.doc ? key.doc : "");
        assert_true(key.name[0] && key.kind && key.kind[0]);
        if (!hol__dim_of(key.unit).known)
            fail_msg("%s.%s.%s has the unit '%s'", section, element ? element : "", key.name,
                     key.unit ? key.unit : "");
        assert_true(key.planar || key.spatial);
        const int has_words = strcmp(key.kind, hol__key_kind_name(HOL__KEY_CHOICE)) == 0 ||
                              strcmp(key.kind, hol__key_kind_name(HOL__KEY_WORDS)) == 0 ||
                              strcmp(key.kind, hol__key_kind_name(HOL__KEY_DRIVES)) == 0;
        assert_int_equal(has_words, key.choices != NULL);
        for (int k = 0; k < n; k++)
            assert_string_not_equal(key.name, key_doc(section, element, k).name);
    }
    return n;
}

static void test_keys_are_described(void **state) {
    (void)state;
    assert_true(check_keys(NULL, NULL) >= 10);
    assert_int_equal(check_keys("", NULL), check_keys(NULL, NULL));
    assert_true(check_keys("bodies", NULL) >= 10);
    for (int i = 0; element_doc(i).name; i++)
        assert_true(check_keys(element_doc(i).section, element_doc(i).name) >= 1);
}

static void test_keys_by_section(void **state) {
    (void)state;
    assert_string_equal(key_doc("joints", NULL, 0).name, "type");
    assert_string_equal(key_doc("joints", NULL, 1).name, "cut");
    assert_string_equal(key_doc("forces", NULL, 1).name, "active");
    assert_null(key_doc("forces", NULL, 2).name);
    assert_string_equal(key_doc("measures", NULL, 1).name, "invariant");
    assert_string_equal(key_doc("measures", NULL, 2).name, "unit");
    assert_null(key_doc("measures", NULL, 3).name);
    assert_null(key_doc("joint", NULL, 0).name);
    assert_null(key_doc("joints", "energy", 0).name);
    assert_null(key_doc("bodies", NULL, 1000).name);
    /* an element that exists only in space has no planar keys */
    const hol_key_doc axis = key_doc("joints", "universal", 3);
    assert_string_equal(axis.name, "axis");
    assert_null(axis.initial);
    assert_true(axis.spatial && !axis.planar);
    const hol_key_doc frame = key_doc("forces", "force", 3);
    assert_string_equal(frame.initial, "global");
    assert_string_equal(frame.choices[1], "body");
}

/* ---- defaults ---- */

/* A default that the key itself would accept. */
static void check_default(hol__arena *arena, const hol__key *key) {
    static const hol_location nowhere = {"default", 1, 1};
    if (!key->initial || !key->initial[0]) return;
    if (key->kind == HOL__KEY_CHOICE) {
        int i = 0;
        while (key->choices[i] && strcmp(key->choices[i], key->initial) != 0) i++;
        if (!key->choices[i])
            fail_msg("the default '%s' of %s is no choice", key->initial, key->name);
    } else if (key->kind == HOL__KEY_BOOL) {
        assert_true(strcmp(key->initial, "true") == 0 || strcmp(key->initial, "false") == 0);
    } else if (key->kind == HOL__KEY_NUMBER || key->kind == HOL__KEY_LAW ||
               key->kind == HOL__KEY_TIME_LAW) {
        const hol__expr *e = hol__expr_compile(arena, key->initial, NULL, 1, &nowhere, key->name);
        assert_non_null(e);
        assert_true(hol__expr_is_constant(e));
        if (key->flags & HOL__POSITIVE) assert_true(hol__expr_constant(e) > 0);
        if (key->flags & HOL__NOT_NEGATIVE) assert_true(hol__expr_constant(e) >= 0);
    } else
        fail_msg("the key %s has a default of a kind that nobody reads", key->name);
}

static void test_defaults_parse(void **state) {
    hol__arena arena;
    hol__arena_init(&arena, *state);
    for (const hol__key *key = hol__root_keys; key->name; key++) check_default(&arena, key);
    for (const hol__key *key = hol__body_keys; key->name; key++) check_default(&arena, key);
    for (int i = 0; hol__element_type_get(i); i++)
        for (const hol__key *key = hol__element_type_get(i)->keys; key->name; key++)
            check_default(&arena, key);
    hol__arena_free(&arena);
}

static void test_option_defaults_parse(void **state) {
    (void)state;
    const hol_option *o;
    for (int i = 0; (o = hol_option_get(i)); i++) {
        assert_true(o->name && o->unit && ends_with_point(o->doc) && hol__dim_of(o->unit).known);
        int found = o->kind == HOL_OPTION_BOOL &&
                    (strcmp(o->initial, "true") == 0 || strcmp(o->initial, "false") == 0);
        if (o->kind == HOL_OPTION_LIST) found = strcmp(o->initial, "") == 0;
        for (int k = 0; o->kind == HOL_OPTION_CHOICE && o->choice(k); k++)
            found |= strcmp(o->choice(k), o->initial) == 0;
        if (o->kind == HOL_OPTION_REAL || o->kind == HOL_OPTION_INTEGER) {
            const char *rest;
            const double value = hol__number_read(o->initial, &rest);
            found = rest != o->initial && !*rest && value >= o->min && value <= o->max;
        }
        if (!found)
            fail_msg("the default '%s' of the option %s is not one of its values", o->initial,
                     o->name);
    }
}

/* ---- examples ---- */

/* Read, compile and run a model to its end. */
static hol_sim_info run_text(hol_context *ctx, const char *text, const char *name,
                             hol_model_info *about) {
    hol_spec *spec = hol_spec_new(ctx);
    if (hol_spec_read_text(spec, text, name)) fail_with_messages(ctx, "the example cannot be read");
    hol_options *options;
    hol_model *model = hol_model_from_spec(ctx, spec, &options);
    if (!model) fail_with_messages(ctx, "the example cannot be compiled");
    hol_sim *sim = hol_sim_new(ctx, model, options);
    hol_options_free(options);
    if (!sim) fail_with_messages(ctx, "the example cannot be started");
    if (hol_sim_run(sim, NULL)) fail_with_messages(ctx, "the example cannot be run");
    const hol_sim_info info = sim_info(sim);
    *about = model_info(model);
    hol_sim_free(sim);
    hol_model_free(model);
    hol_spec_free(spec);
    return info;
}

static void test_examples_run(void **state) {
    hol_context *ctx = *state;
    if (!reads_yaml()) skip();
    for (int i = 0; element_doc(i).name; i++) {
        const hol_element_doc e = element_doc(i);
        char name[128];
        snprintf(name, sizeof name, "%s/%s", e.section, e.name);
        char *text = hol_element_example(ctx, e.section, e.name);
        assert_non_null(text);
        char word[96];
        snprintf(word, sizeof word, "type: %s", e.name);
        assert_non_null(strstr(text, word));
        assert_non_null(strstr(text, e.planar ? "space: planar" : "space: spatial"));
        hol_model_info model;
        const hol_sim_info info = run_text(ctx, text, name, &model);
        if (hol_message_count(ctx)) fail_with_messages(ctx, name);
        assert_int_equal(info.end, HOL_END_TIME);
        assert_true(info.t == 0.1 && info.steps > 0);
        /* corrections stop at 1e-13 m or below, rounding of 1 m at 2 pi rad/s stays below 1e-14: a
         * margin of ten */
        assert_true(info.max_position_violation < 1e-12 && info.max_velocity_violation < 1e-11);
        assert_true(model.n_joints >= 1);
        const int whole = strncmp(e.example, "holonom:", 8) == 0;
        assert_true(whole || model.n_forces == (strcmp(e.section, "forces") == 0));
        assert_true(strcmp(e.section, "joints") != 0 || model.n_constraints > 0 ||
                    model.n_switched);
        hol_free(ctx, text);
    }
}

/* Those of sections without types use the section, by its name, and run as they stand. */
static void test_section_examples_run(void **state) {
    hol_context *ctx = *state;
    hol_section_doc s = {.size = sizeof s};
    int n = 0;
    if (!reads_yaml()) skip();
    for (; hol_section_get(n, &s) == HOL_OK; n++) {
        hol_model_info model;
        const hol_sim_info info = run_text(ctx, s.example, s.name, &model);
        if (hol_message_count_of(ctx, HOL_ERROR) + hol_message_count_of(ctx, HOL_WARNING))
            fail_with_messages(ctx, s.name);
        assert_int_equal(info.end, HOL_END_TIME);
        const char *word = strcmp(s.name, "shapes") == 0    ? "shape:"
                           : strcmp(s.name, "actions") == 0 ? "do:"
                                                            : s.name;
        assert_non_null(strstr(s.example, word));
        hol_key_doc key = {.size = sizeof key};
        assert_int_equal(hol_element_key(s.name, NULL, 0, &key), HOL_OK);
    }
    assert_true(n >= 9);
}

static void test_unknown_example(void **state) {
    hol_context *ctx = *state;
    assert_null(hol_element_example(ctx, "joints", "spring"));
    assert_int_equal(hol_message_count_of(ctx, HOL_ERROR), 1);
}

/* ---- JSON Schema ---- */

static void test_json_check(void **state) {
    (void)state;
    static const char *const good[] = {"{}", " [1, -2.5e-3, 0, 1e-08] ",
                                       "{\"a\": {\"b\": [true, null, \"x\\\"\\u00e9\"]}}"};
    static const char *const bad[] = {"",      "{",           "{a: 1}",   "[1,]",
                                      "[1 2]", "{\"a\": 01}", "\"\n\"",   "\"\\x\"",
                                      "{} {}", "[.5]",        "{\"a\": }"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(json_is_well_formed(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(json_is_well_formed(bad[i]));
}

/* Every "#/$defs/x" has its "x" among the definitions. */
static void check_references(const char *json) {
    static const char start[] = "\"#/$defs/";
    int n = 0;
    for (const char *at = strstr(json, start); at; at = strstr(at + 1, start), n++) {
        char definition[160];
        const char *name = at + strlen(start);
        snprintf(definition, sizeof definition, "\n    \"%.*s\": {", (int)strcspn(name, "\""),
                 name);
        if (!strstr(json, definition)) fail_msg("nothing is defined for %.60s", at);
    }
    assert_true(n > 50);
}

static void check_has(const char *text, const char *format, const char *a, const char *b) {
    char word[256];
    snprintf(word, sizeof word, format, a, b);
    if (!strstr(text, word)) fail_msg("'%s' is not there", word);
}

static void test_json_schema(void **state) {
    hol_context *ctx = *state;
    char *json = hol_schema_json(ctx);
    assert_non_null(json);
    assert_true(json_is_well_formed(json));
    check_references(json);
    for (int i = 0; key_doc(NULL, NULL, i).name; i++)
        check_has(json, "\n    \"%s\": {%s", key_doc(NULL, NULL, i).name, "");
    for (int i = 0; element_doc(i).name; i++) {
        const hol_element_doc e = element_doc(i);
        char item[32];
        snprintf(item, sizeof item, "%.*s", (int)strlen(e.section) - 1, e.section);
        check_has(json, "\"%s_%s\": {", item, e.name);
        check_has(json, "{\"const\": \"%s\"}%s", e.name, "");
    }
    const hol_option *o;
    for (int i = 0; (o = hol_option_get(i)); i++)
        check_has(json, "        \"%s\": {%s", o->name, "");
    hol_free(ctx, json);
}

/* ---- reference page ---- */

/* Columns of a row: bars that are not escaped, less one. */
static int columns_of(const char *line) {
    int n = -1;
    for (const char *at = line; *at && *at != '\n'; at++)
        n += *at == '|' && (at == line || at[-1] != '\\');
    return n;
}

/* All rows of a table have as many columns as its head, and fences are closed. */
static void check_layout(const char *page) {
    int fenced = 0, columns = 0, tables = 0;
    for (const char *line = page; line && *line; line = strchr(line, '\n'), line += line ? 1 : 0) {
        if (strncmp(line, "```", 3) == 0) fenced = !fenced;
        if (fenced || *line != '|') {
            columns = 0;
            continue;
        }
        if (!columns) columns = columns_of(line), tables++;
        if (columns_of(line) != columns) fail_msg("%.80s", line);
    }
    assert_false(fenced);
    assert_true(tables > 20);
}

static void test_reference_page(void **state) {
    hol_context *ctx = *state;
    char *page = hol_schema_markdown(ctx);
    assert_non_null(page);
    check_layout(page);
    for (int i = 0; element_doc(i).name; i++) {
        const hol_element_doc e = element_doc(i);
        check_has(page, "\n### %s\n\n![Sketch: %s](images/elements/", e.name, e.name);
        check_has(page, "(images/elements/%s-%s.svg)\n", e.section, e.name);
        check_has(page, "-%s.svg)\n\n%s", e.name, e.title);
        check_has(page, "%s%s", e.example, "");
        for (int k = 0; key_doc(e.section, e.name, k).name; k++)
            check_has(page, "| `%s` | %s", key_doc(e.section, e.name, k).name, "");
    }
    for (int kind = HOL__KEY_NUMBER; kind <= HOL__KEY_MAP; kind++)
        check_has(page, "\n| %s | %s", hol__key_kind_name((hol__key_kind)kind), "");
    const hol_option *o;
    for (int i = 0; (o = hol_option_get(i)); i++) check_has(page, "| `%s` | %s", o->name, "");
    for (int i = 0; hol_method_get(i); i++)
        check_has(page, "| `%s` | %s", hol_method_get(i)->name, hol_method_get(i)->title);
    for (int i = 0; hol__expr_function(i).name; i++)
        check_has(page, "| `%s` | %s", hol__expr_function(i).signature, "");
    for (int i = 0; hol__unit_get(i).name; i++)
        check_has(page, "| `%s` | %s", hol__unit_get(i).name, "");
    hol_free(ctx, page);
}

/* The first model on the page is meant to be copied: it runs to its end. */
static void test_first_model_of_the_page(void **state) {
    hol_context *ctx = *state;
    if (!reads_yaml()) skip();
    char *page = hol_schema_markdown(ctx);
    assert_non_null(page);
    char *start = strstr(page, "```yaml\n");
    assert_non_null(start);
    start += strlen("```yaml\n");
    *strstr(start, "```") = '\0';
    hol_model_info model;
    const hol_sim_info info = run_text(ctx, start, "model-file.md", &model);
    if (hol_message_count(ctx)) fail_with_messages(ctx, "the first model has something to say");
    assert_int_equal(info.end, HOL_END_TIME);
    assert_true(info.t == 5);
    assert_int_equal(model.n_forces, 1);
    hol_free(ctx, page);
}

/* ---- without memory ---- */

static char *make_example(hol_context *ctx) {
    return hol_element_example(ctx, "forces", "spring");
}

static void test_without_memory(void **state) {
    (void)state;
    char *(*const makers[])(hol_context *) = {hol_schema_json, hol_schema_markdown, make_example};
    for (int i = 0; i < 3; i++) {
        counting memory;
        hol_context *ctx = counting_context(&memory);
        memory.for_good = 1;
        assert_non_null(ctx);
        char *text = NULL;
        int k = 0;
        for (; !text && k < 5000; k++) {
            hol_message_clear(ctx);
            memory.fail_at = memory.made + k + 1;
            text = makers[i](ctx);
        }
        assert_non_null(text);
        assert_true(k > 1);
        hol_free(ctx, text);
        hol_context_free(ctx);
        assert_int_equal(memory.live, 0);
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, new_context, free_context)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_elements_are_described),
        TEST(test_keys_are_described),
        TEST(test_keys_by_section),
        TEST(test_defaults_parse),
        TEST(test_option_defaults_parse),
        TEST(test_examples_run),
        TEST(test_section_examples_run),
        TEST(test_unknown_example),
        TEST(test_json_check),
        TEST(test_json_schema),
        TEST(test_reference_page),
        TEST(test_first_model_of_the_page),
        TEST(test_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

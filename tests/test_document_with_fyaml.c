/* test_document_with_fyaml.c: YAML and JSON as trees with places, and formulas over names. */
#include "model_fixture.h"

#include <holonom/holonom.h>

#include <math.h>
#include <string.h>

static const char text[] = "claims:\n"
                           "  one: {step: 2.385e-2, list: [a, null, 'c d']}\n"
                           "  two:\n"
                           "    text: >-\n"
                           "      folded\n"
                           "      lines\n";

/* Keys, texts, lists and places; what is not there is empty. */
static void test_tree(void **state) {
    (void)state;
    hol_context *ctx = hol_context_new();
    hol_document *document = hol_document_read_text(ctx, text, "c.yaml");
    assert_non_null(document);
    const hol_item *claims = hol_item_find(hol_document_root(document), "claims");
    assert_int_equal(hol_item_kind_of(claims), HOL_ITEM_MAP);
    assert_int_equal(hol_item_count(claims), 2);
    const hol_item *one = hol_item_first(claims), *list = hol_item_find(one, "list");
    assert_string_equal(hol_item_key(one), "one");
    assert_string_equal(hol_item_value(hol_item_find(one, "step")), "2.385e-2");
    assert_int_equal(hol_item_place(hol_item_find(one, "step")).line, 2);
    assert_int_equal(hol_item_place(hol_item_find(one, "step")).column, 15);
    assert_int_equal(hol_item_key_place(hol_item_find(one, "step")).column, 9);
    assert_string_equal(hol_item_place(one).file, "c.yaml");
    assert_int_equal(hol_item_kind_of(list), HOL_ITEM_LIST);
    const hol_item *nothing = hol_item_next(hol_item_first(list));
    assert_int_equal(hol_item_kind_of(nothing), HOL_ITEM_EMPTY);
    assert_null(hol_item_value(nothing));
    assert_string_equal(hol_item_value(hol_item_next(nothing)), "c d");
    assert_string_equal(hol_item_value(hol_item_find(hol_item_next(one), "text")), "folded lines");
    assert_null(hol_item_find(one, "three"));
    assert_int_equal(hol_item_kind_of(NULL), HOL_ITEM_EMPTY);
    assert_null(hol_item_first(NULL));
    assert_int_equal(hol_item_count(NULL), 0);
    assert_string_equal(hol_item_key(NULL), "");
    assert_null(hol_item_place(NULL).file);
    assert_int_equal(hol_place_error(ctx, hol_item_place(one), "no"), HOL_ERR_INPUT);
    assert_int_equal(hol_message_get(ctx, 0)->where.line, 2);
    hol_document_free(document);
    hol_document_free(NULL);
    hol_context_free(ctx);
}

/* Mistakes have their line; a file that is not there is told. */
static void test_mistakes(void **state) {
    (void)state;
    hol_context *ctx = hol_context_new();
    assert_null(hol_document_read_text(ctx, "a: 1\nb: [1, 2\n", "c.yaml"));
    assert_true(hol_message_count(ctx) > 0);
    assert_true(hol_message_get(ctx, 0)->where.line >= 2);
    hol_message_clear(ctx);
    assert_null(hol_document_read(ctx, "no/such/file.yaml"));
    assert_int_equal(hol_message_get(ctx, 0)->status, HOL_ERR_IO);
    assert_null(hol_document_read_text(NULL, text, "c.yaml"));
    assert_null(hol_document_read_text(ctx, NULL, "c.yaml"));
    hol_context_free(ctx);
}

/* Formulas row by row, conditions as 1 and 0, and a mistake at its column. */
static void test_formulas(void **state) {
    (void)state;
    hol_context *ctx = hol_context_new();
    const char *names[] = {"a.b", "y"};
    const double a[] = {0.37, -1.25, 4.5}, y[] = {2.385, 0.5, -3}, *columns[] = {a, y};
    const hol_location where = {"c.yaml", 7, 20};
    double out[3];
    assert_int_equal(hol_formula(ctx, "a.b^2 - sin(y)/3", &where, 2, names, 3, columns, out), 0);
    for (int i = 0; i < 3; i++) assert_true(fabs(out[i] - (a[i] * a[i] - sin(y[i]) / 3)) < 1e-14);
    assert_int_equal(hol_formula(ctx, "a.b > 0 and not (y < 0)", &where, 2, names, 3, columns, out),
                     0);
    assert_true(out[0] == 1 && out[1] == 0 && out[2] == 0);
    assert_int_equal(hol_formula(ctx, "log(y)", &where, 2, names, 3, columns, out), 0);
    assert_true(isnan(out[2]));
    assert_int_equal(hol_formula(ctx, "6*7", NULL, 0, NULL, 1, NULL, out), 0);
    assert_true(out[0] == 42);
    assert_int_equal(hol_message_count(ctx), 0);
    assert_int_equal(hol_formula(ctx, "y + z", &where, 2, names, 3, columns, out), HOL_ERR_INPUT);
    assert_int_equal(hol_message_get(ctx, 0)->where.line, 7);
    assert_int_equal(hol_message_get(ctx, 0)->where.column, 24);
    assert_int_equal(hol_formula(ctx, NULL, &where, 2, names, 3, columns, out), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_formula(NULL, "1", &where, 0, NULL, 1, NULL, out), HOL_ERR_ARGUMENT);
    hol_context_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_formulas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

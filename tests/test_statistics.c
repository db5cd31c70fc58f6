/* test_statistics.c: the table of statistics: every row has a name and a member of its own. */
#define _POSIX_C_SOURCE 200809L
#include "record_sample.h"

/* The value of the row with that key. */
static hol_statistic_value value_of(const char *key) {
    const hol_sim_info info = sample_info();
    for (int i = 0; hol_statistic_get(i); i++)
        if (strcmp(hol_statistic_get(i)->key, key) == 0) return hol_statistic_of(&info, i);
    fail_msg("there is no statistic '%s'", key);
    return (hol_statistic_value){0};
}

/* Keys, stored keys, titles and columns are there and belong to one row each. */
static void rows_are_told_apart(void **state) {
    (void)state;
    const hol_statistic *row, *other;
    for (int i = 0; (row = hol_statistic_get(i)); i++) {
        assert_true(row->key && *row->key && row->title && *row->title && row->show);
        assert_true(row->kind != HOL_STATISTIC_REAL || !(row->show & HOL_SHOW_SUMMARY) ||
                    row->format);
        assert_true(!row->column == !row->heading && !row->column == !row->latex);
        for (int k = 0; k < i; k++) {
            other = hol_statistic_get(k);
            assert_string_not_equal(row->key, other->key);
            assert_string_not_equal(row->title, other->title);
            assert_true(!row->column || row->column != other->column);
        }
    }
    assert_null(hol_statistic_get(-1));
}

/* Rows read their members, of every kind. */
static void rows_read_their_members(void **state) {
    (void)state;
    assert_string_equal(value_of("integrator").text, "five");
    assert_string_equal(value_of("end").text, "stop");
    assert_int_equal(value_of("steps").count, 1009);
    assert_true(value_of("steps").real == 1009);
    assert_int_equal(value_of("redundant").count, 1051);
    assert_true(value_of("last_step").real == 0.0137);
}

/* No two rows read one member: the made-up values are all different. */
static void members_belong_to_one_row(void **state) {
    (void)state;
    const hol_sim_info info = sample_info();
    for (int i = 0; hol_statistic_get(i); i++)
        for (int k = 0; k < i; k++) {
            const hol_statistic_value a = hol_statistic_of(&info, i),
                                      b = hol_statistic_of(&info, k);
            if (hol_statistic_get(i)->kind != hol_statistic_get(k)->kind) continue;
            assert_true(a.real != b.real || a.text != b.text || a.list.values != b.list.values);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_told_apart),
                                       cmocka_unit_test(rows_read_their_members),
                                       cmocka_unit_test(members_belong_to_one_row)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

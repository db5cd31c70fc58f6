/* test_bricard.c: Bricard's mechanism has 30 constraints of rank 29: the run names what is
 * redundant, and reactions are said not to be unique. */
#include "model_fixture.h"

static void test_bricard_names_its_redundancy(void **state) {
    (void)state;
    run r = run_open("a04_bricard", NULL);
    hol_rank rank = {.size = sizeof rank};
    assert_int_equal(hol_sim_rank(r.sim, &rank), HOL_OK);
    assert_int_equal(rank.n_rows, 30);
    assert_int_equal(rank.rank, 29);
    assert_int_equal(rank.n_redundant, 1);
    assert_int_equal(rank.dof, 1);
    assert_int_equal(hol_message_count_of(r.ctx, HOL_WARNING), 1);
    const hol_message *warning = hol_message_get(r.ctx, 0);
    assert_non_null(strstr(warning->text, "1 of 30"));
    for (int i = 0; i < rank.n_rows; i++)
        if (rank.redundant[i]) {
            const hol_row row = *hol_model_row(r.model, i);
            assert_non_null(strstr(warning->text, row.element));
            assert_non_null(strstr(warning->text, row.direction));
        }
    /* the loop shares the redundancy among all its hinges */
    run_to(&r, 0.5);
    for (int j = 0; j < model_info(r.model).n_joints; j++)
        assert_false(reaction_of(hol_sim_data(r.sim), j).unique);
    hol_sim_rank(r.sim, &rank);
    assert_int_equal(rank.n_redundant, 1);
    run_close(&r);
}

int main(void) {
    if (!run_reads_files()) return skip_models();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bricard_names_its_redundancy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

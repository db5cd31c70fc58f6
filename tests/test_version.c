/* test_version.c: the version text agrees with its numbers, and the list of optional parts is well
 * formed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <holonom/version.h>

#include <stdio.h>
#include <string.h>

/* HOL_VERSION, the three numbers and the linked library say the same. */
static void version_text_and_numbers_agree(void **state) {
    (void)state;
    char text[64];
    snprintf(text, sizeof text, "%d.%d.%d", HOL_VERSION_MAJOR, HOL_VERSION_MINOR,
             HOL_VERSION_PATCH);
    assert_string_equal(HOL_VERSION, text);
    assert_string_equal(hol_version(), text);
}

/* Every part has a name of its own, a purpose, and is either in or out. */
static void features_are_named_once(void **state) {
    (void)state;
    const hol_feature *part;
    int n = 0;
    for (; (part = hol_feature_get(n)); n++) {
        assert_true(part->name && part->name[0]);
        assert_true(part->purpose && part->purpose[0]);
        assert_true(part->built == 0 || part->built == 1);
        for (int j = 0; j < n; j++) assert_string_not_equal(part->name, hol_feature_get(j)->name);
    }
    assert_true(n > 0);
    assert_null(hol_feature_get(-1));
}

#ifdef HOLONOM_TEST_FEATURES
/* What the library says of itself is what the build put in: the build lists the names that are
 * in. */
static void features_are_those_of_the_build(void **state) {
    (void)state;
    const hol_feature *part;
    for (int i = 0; (part = hol_feature_get(i)); i++) {
        char word[64];
        snprintf(word, sizeof word, " %s ", part->name);
        assert_int_equal(part->built, strstr(HOLONOM_TEST_FEATURES, word) != NULL);
    }
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_text_and_numbers_agree),
        cmocka_unit_test(features_are_named_once),
#ifdef HOLONOM_TEST_FEATURES
        cmocka_unit_test(features_are_those_of_the_build),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

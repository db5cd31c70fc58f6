/* test_unit_set.c: units that results are shown in: kinds, products made of others, exact factors,
 * and what is refused. */
#include "base/unit_set.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define PI 3.14159265358979323846

static int open_context(void **state) {
    *state = hol_context_new();
    return *state ? 0 : -1;
}

static int close_context(void **state) {
    hol_context_free(*state);
    return 0;
}

/* Each kind has a unit of its dimension, and no two kinds have the same text. */
static void test_kinds(void **state) {
    (void)state;
    int n = 0;
    for (; hol__unit_kind_get(n).name; n++) {
        hol_unit unit;
        assert_true(hol__unit_try(hol__unit_kind_get(n).si, &unit));
        assert_true(unit.times == 1 && unit.over == 1);
        for (int k = 0; k < n; k++)
            assert_string_not_equal(hol__unit_kind_get(k).si, hol__unit_kind_get(n).si);
    }
    assert_int_equal(n, HOL__UNIT_KINDS);
}

/* What is chosen, an SI unit, how it is shown, and 2.385 of it there. */
static void test_shown(void **state) {
    static const struct {
        const char *chosen[4], *si, *shown;
        double value;
    } cases[] = {
        {{"length=mm"}, "m", "mm", 2385},
        {{"mm"}, "m", "mm", 2385},
        {{"length: mm"}, "m/s", "mm/s", 2385},
        {{"length=mm", "time=ms"}, "m/s", "mm/ms", 2.385},
        {{"length=mm", "time=ms"}, "m/s^2", "mm/ms^2", 2.385e-3},
        {{"length=mm"}, "N*m", "N*mm", 2385},
        {{"force=kN", "length=mm"}, "N*m", "kN*mm", 2.385},
        {{"force=kN", "length=mm"}, "N/m", "kN/mm", 2.385e-6},
        {{"length=mm"}, "J", "J", 2.385},
        {{"N*mm"}, "N*m", "N*mm", 2385},
        {{"N*mm"}, "J", "J", 2.385},
        {{"kJ"}, "J", "kJ", 2.385e-3},
        {{"kJ"}, "N*m", "N*m", 2.385},
        {{"angle=deg"}, "rad", "deg", 2.385 * 180 / PI},
        {{"angle=deg"}, "rad/s^2", "deg/s^2", 2.385 * 180 / PI},
        {{"rpm", "deg"}, "rad/s", "rpm", 2.385 * 30 / PI},
        {{"rpm"}, "rad", "rad", 2.385},
        {{"km/h"}, "m/s", "km/h", 2.385 * 3.6},
        {{"mass=g", "length=cm"}, "kg*m^2/s", "g*cm^2/s", 2.385e7},
        {{"length=in"}, "m", "in", 2.385 / 0.0254},
        {{"length=mm"}, "", "", 2.385},
        {{"length=mm"}, "1/s", "1/s", 2.385},
        {{"pressure=bar"}, "Pa", "bar", 2.385e-5},
        {{"length=mm", "angle=deg"}, "rad/(N*m)", "deg/(N*mm)", 2.385e-3 * 180 / PI},
        {{"length=mm"}, "N*m/(N*m)", "N*mm/(N*mm)", 2.385},
        {{"length=mm", "time=ms"}, "(m/s)^2", "(mm/ms)^2", 2.385},
        {{"length=mm"}, "1/(kg*(m/s)^2)", "1/(kg*(mm/s)^2)", 2.385e-6},
        {{"length=mm"}, "N/(m*s)^-2", "N/(mm*s)^-2", 2.385e6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hol__unit_set set = {0};
        hol_unit unit, named;
        for (int k = 0; k < 4 && cases[i].chosen[k]; k++)
            assert_int_equal(hol__unit_set_add(*state, &set, cases[i].chosen[k], NULL), HOL_OK);
        hol__unit_set_show(&set, cases[i].si, &unit);
        assert_string_equal(unit.name, cases[i].shown);
        /* a product, a quotient, and a rounding of the expected value */
        if (!(fabs(hol_unit_show(&unit, 2.385) - cases[i].value) <= 3 * 0x1p-52 * cases[i].value))
            fail_msg("%s in %s: %.17g instead of %.17g", cases[i].si, unit.name,
                     hol_unit_show(&unit, 2.385), cases[i].value);
        /* the text of what is shown names a unit with the same factors */
        assert_true(hol__unit_try(unit.name, &named));
        assert_true(fabs(named.times / named.over - unit.times / unit.over) <=
                    2 * 0x1p-52 * unit.times / unit.over);
    }
    /* exact where the factors are: a millimetre is a thousandth to the last bit */
    hol__unit_set set = {0};
    hol_unit mm;
    hol__unit_set_add(*state, &set, "mm", NULL);
    hol__unit_set_show(&set, "m", &mm);
    assert_true(hol_unit_show(&mm, 0.005) == 5);
}

static void test_refused(void **state) {
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"angle=degs", "unknown unit 'degs'; did you mean 'deg'?"},
        {"lenght=mm",
         "'lenght' is not a kind of quantity; did you mean 'length'?; there are: length"},
        {"length=deg", "'deg' is not a unit of length; expected one like m"},
        {"torque=kJ", "?"},
        {"length=mm^2", "'mm^2' is not a unit of length"},
        {"force=kg*m/s^2", "the unit of force is a single one like N"},
        {"kg*mm", "'kg*mm' does not say what it is a unit of; write kind=kg*mm"},
        {"length=", "does not"},
        {"mm^", "'mm^' is not a unit; write it like mm, deg/s or N*m"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hol__unit_set set = {0};
        const hol_status status = hol__unit_set_add(*state, &set, cases[i].text, NULL);
        if (*cases[i].words == '?') { /* N*m and J are one dimension */
            assert_int_equal(status, HOL_OK);
            continue;
        }
        assert_int_equal(status, HOL_ERR_INPUT);
        const hol_message *last = hol_message_get(*state, hol_message_count(*state) - 1);
        if (!strstr(last->text, cases[i].words) && strcmp(cases[i].text, "length=") != 0)
            fail_msg("\"%s\": \"%s\" lacks \"%s\"", cases[i].text, last->text, cases[i].words);
    }
}

/* The SI units of texts. */
static void test_si(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"deg", "rad"},
        {"mm", "m"},
        {"km/h", "m/s"},
        {"rpm", "rad/s"},
        {"N*mm", "N*m"},
        {"kJ", "J"},
        {"J", "J"},
        {"N*m", "N*m"},
        {"kN/mm^2", "Pa"},
        {"g", "kg"},
        {"kg*mm^2", "kg*m^2"},
        {"", ""},
        {"what", "what"},
        {"deg/s^2", "rad/s^2"},
        {"kN*mm", "N*m"},
        {"mm/ms", "m/s"},
        {"kg*m^2/s", "kg*m^2/s"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char si[HOL_UNIT_SIZE];
        assert_string_equal(hol__unit_si(cases[i][0], si, sizeof si), cases[i][1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test_setup_teardown(test_shown, open_context, close_context),
        cmocka_unit_test_setup_teardown(test_refused, open_context, close_context),
        cmocka_unit_test(test_si),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

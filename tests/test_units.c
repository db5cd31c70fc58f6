/* test_units.c: units, their products and dimensions. */
#include "base/expr_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define PI 3.14159265358979323846

static void assert_dim(hol__dim d, int m, int kg, int s, int rad) {
    assert_true(d.known && d.m == m && d.kg == kg && d.s == s && d.rad == rad);
}

/* The unit of that name. */
static hol__unit_doc unit_named(const char *name) {
    for (int i = 0; hol__unit_get(i).name; i++)
        if (strcmp(hol__unit_get(i).name, name) == 0) return hol__unit_get(i);
    fail_msg("there is no unit '%s'", name);
    return (hol__unit_doc){0};
}

/* Factors by definition: the inch is 25.4 mm, the pound 0.45359237 kg, the bar 100 kPa; the weight
 * of a mass is that at 9.80665 m/s^2; the horsepower is 550 ft*lbf/s, the PS 75 kgf*m/s. */
static void test_factors(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double factor;
        int m, kg, s, rad;
    } cases[] = {
        {"m", 1, 1, 0, 0, 0},
        {"mm", 1e-3, 1, 0, 0, 0},
        {"cm", 1e-2, 1, 0, 0, 0},
        {"km", 1e3, 1, 0, 0, 0},
        {"um", 1e-6, 1, 0, 0, 0},
        {"in", 0.0254, 1, 0, 0, 0},
        {"ft", 0.3048, 1, 0, 0, 0},
        {"g", 1e-3, 0, 1, 0, 0},
        {"kg", 1, 0, 1, 0, 0},
        {"t", 1e3, 0, 1, 0, 0},
        {"lb", 0.45359237, 0, 1, 0, 0},
        {"s", 1, 0, 0, 1, 0},
        {"ms", 1e-3, 0, 0, 1, 0},
        {"us", 1e-6, 0, 0, 1, 0},
        {"min", 60, 0, 0, 1, 0},
        {"h", 3600, 0, 0, 1, 0},
        {"rad", 1, 0, 0, 0, 1},
        {"deg", PI / 180, 0, 0, 0, 1},
        {"rev", 2 * PI, 0, 0, 0, 1},
        {"mrad", 1e-3, 0, 0, 0, 1},
        {"N", 1, 1, 1, -2, 0},
        {"kN", 1e3, 1, 1, -2, 0},
        {"mN", 1e-3, 1, 1, -2, 0},
        {"J", 1, 2, 1, -2, 0},
        {"kJ", 1e3, 2, 1, -2, 0},
        {"W", 1, 2, 1, -3, 0},
        {"kW", 1e3, 2, 1, -3, 0},
        {"Hz", 1, 0, 0, -1, 0},
        {"rpm", 2 * PI / 60, 0, 0, -1, 1},
        {"Pa", 1, -1, 1, -2, 0},
        {"kPa", 1e3, -1, 1, -2, 0},
        {"MPa", 1e6, -1, 1, -2, 0},
        {"GPa", 1e9, -1, 1, -2, 0},
        {"bar", 1e5, -1, 1, -2, 0},
        {"dm", 0.1, 1, 0, 0, 0},
        {"yd", 0.9144, 1, 0, 0, 0},
        {"mi", 1609.344, 1, 0, 0, 0},
        {"thou", 0.0254e-3, 1, 0, 0, 0},
        {"mg", 1e-6, 0, 1, 0, 0},
        {"oz", 0.45359237 / 16, 0, 1, 0, 0},
        {"slug", 0.45359237 * 9.80665 / 0.3048, 0, 1, 0, 0},
        {"arcmin", PI / 180 / 60, 0, 0, 0, 1},
        {"arcsec", PI / 180 / 3600, 0, 0, 0, 1},
        {"kHz", 1e3, 0, 0, -1, 0},
        {"MHz", 1e6, 0, 0, -1, 0},
        {"kph", 1 / 3.6, 1, 0, -1, 0},
        {"mph", 1609.344 / 3600, 1, 0, -1, 0},
        {"knot", 1852 / 3600.0, 1, 0, -1, 0},
        {"daN", 10, 1, 1, -2, 0},
        {"MN", 1e6, 1, 1, -2, 0},
        {"kgf", 9.80665, 1, 1, -2, 0},
        {"lbf", 0.45359237 * 9.80665, 1, 1, -2, 0},
        {"ozf", 0.45359237 * 9.80665 / 16, 1, 1, -2, 0},
        {"kip", 453.59237 * 9.80665, 1, 1, -2, 0},
        {"mJ", 1e-3, 2, 1, -2, 0},
        {"MJ", 1e6, 2, 1, -2, 0},
        {"Wh", 3600, 2, 1, -2, 0},
        {"kWh", 3.6e6, 2, 1, -2, 0},
        {"Nm", 1, 2, 1, -2, 0},
        {"Nmm", 1e-3, 2, 1, -2, 0},
        {"kNm", 1e3, 2, 1, -2, 0},
        {"mW", 1e-3, 2, 1, -3, 0},
        {"MW", 1e6, 2, 1, -3, 0},
        {"hp", 550 * 0.3048 * 0.45359237 * 9.80665, 2, 1, -3, 0},
        {"PS", 75 * 9.80665, 2, 1, -3, 0},
        {"hPa", 100, -1, 1, -2, 0},
        {"mbar", 100, -1, 1, -2, 0},
        {"atm", 101325, -1, 1, -2, 0},
        {"mmHg", 133.322387415, -1, 1, -2, 0},
        {"psi", 0.45359237 * 9.80665 / (0.0254 * 0.0254), -1, 1, -2, 0},
        {"ksi", 453.59237 * 9.80665 / (0.0254 * 0.0254), -1, 1, -2, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const hol__unit_doc unit = unit_named(cases[i].name);
        /* a rounding each of up to four products on either side */
        assert_true(fabs(unit.factor - cases[i].factor) <= 0x1p-51 * cases[i].factor);
        assert_dim(hol__dim_of(unit.name), cases[i].m, cases[i].kg, cases[i].s, cases[i].rad);
    }
    assert_null(hol__unit_get((int)(sizeof cases / sizeof *cases)).name);
    assert_null(hol__unit_get(-1).name);
}

/* What fits nowhere because a weight was written as a mass, a mass as a weight, g for gravity. */
static void test_hints(void **state) {
    (void)state;
    assert_non_null(strstr(hol__dim_hint(hol__dim_of("lb*ft"), hol__dim_of("N*m")), "lbf"));
    assert_non_null(strstr(hol__dim_hint(hol__dim_of("kg/mm"), hol__dim_of("N/m")), "kgf"));
    assert_non_null(strstr(hol__dim_hint(hol__dim_of("kN"), hol__dim_of("kg")), "slug"));
    assert_non_null(strstr(hol__dim_hint(hol__dim_of("g"), hol__dim_of("m/s^2")), "gram"));
    assert_string_equal(hol__dim_hint(hol__dim_of("lbf*ft"), hol__dim_of("N*m")), "");
    assert_true(hol__unit_is_torque("Nm") && hol__unit_is_torque("kNm"));
    assert_true(hol__unit_is_torque("N*mm") && !hol__unit_is_torque("kWh"));
}

static void test_unknown(void **state) {
    (void)state;
    static const char *const names[] = {"", "M", "Kg", "mmm", "m ", "N*m", "degree", "\xc2\xb5m"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_false(hol__unit_is(names[i], (int)strlen(names[i])));
}

static void test_products(void **state) {
    (void)state;
    assert_dim(hol__dim_of(""), 0, 0, 0, 0);
    assert_dim(hol__dim_of("  "), 0, 0, 0, 0);
    assert_dim(hol__dim_of("1"), 0, 0, 0, 0);
    assert_dim(hol__dim_of("1/s"), 0, 0, -1, 0);
    assert_dim(hol__dim_of("N*m"), 2, 1, -2, 0);
    assert_dim(hol__dim_of("kg*m^2"), 2, 1, 0, 0);
    assert_dim(hol__dim_of("N/m"), 0, 1, -2, 0);
    assert_dim(hol__dim_of("N*s/m"), 0, 1, -1, 0);
    assert_dim(hol__dim_of("N*m*s/rad"), 2, 1, -1, -1);
    assert_dim(hol__dim_of("deg/s"), 0, 0, -1, 1);
    assert_dim(hol__dim_of("mm / s ^ 2"), 1, 0, -2, 0);
    assert_dim(hol__dim_of("m*s^-3"), 1, 0, -3, 0);
    assert_dim(hol__dim_of("m/s/s"), 1, 0, -2, 0);
    assert_dim(hol__dim_of("m^0"), 0, 0, 0, 0);
    assert_dim(hol__dim_of("rad/(N*m)"), -2, -1, 2, 1);
    assert_dim(hol__dim_of("(m/s)^2"), 2, 0, -2, 0);
    assert_dim(hol__dim_of("1/(kg*(m/s)^-2)"), 2, -1, -2, 0);
    static const char *const wrong[] = {
        "x",   "m*",    "*m", "m/", "m^",  "m^x", "m^22", "m^-", "m m",  "m**s",   "2*m",
        "m+s", "m^2.5", "(m", "/s", "1 s", "m/1", "m)",   "()",  "(m))", "(m)^22", "(((((m)))))"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (hol__dim_of(wrong[i]).known) fail_msg("\"%s\" is taken for a unit", wrong[i]);
    /* exponents beyond the range are refused, not wrapped */
    assert_false(
        hol__dim_of("m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9").known);
}

/* The SI text of every unit has the dimension of the unit, and so has its printed form. */
static void test_text(void **state) {
    (void)state;
    char text[64], tiny[4];
    for (int i = 0; hol__unit_get(i).name; i++) {
        const hol__unit_doc doc = hol__unit_get(i);
        const hol__dim dim = hol__dim_of(doc.name);
        assert_true(hol__dim_equal(hol__dim_of(doc.si), dim) && hol__dim_of(doc.si).known);
        assert_true(hol__dim_equal(hol__dim_of(hol__dim_text(dim, text, sizeof text)), dim));
        hol__dim_text(dim, tiny, sizeof tiny);
        assert_true(strlen(tiny) < sizeof tiny);
    }
    assert_string_equal(hol__dim_text(hol__dim_of("N*m/rad"), text, sizeof text), "kg*m^2/s^2/rad");
    assert_string_equal(hol__dim_text(hol__dim_of("Hz"), text, sizeof text), "Hz");
    assert_string_equal(hol__dim_text(hol__dim_of("s^-1"), text, sizeof text), "1/s");
    assert_string_equal(hol__dim_text(hol__dim_of("kg*m/s^2"), text, sizeof text), "N");
    assert_string_equal(hol__dim_text(hol__dim_of(""), text, sizeof text), "a plain number");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_factors), cmocka_unit_test(test_hints),
        cmocka_unit_test(test_unknown), cmocka_unit_test(test_products),
        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

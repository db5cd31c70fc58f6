/* test_decimal.c: numbers as text by whole numbers alone: the very text of printf, which rounds
 * exactly, for every number of digits. */
#include "common.h"
#include "common/decimal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 88172645463325252u;

/* The next of a row of numbers without pattern. */
static uint64_t draw(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* The text with every number of digits; returns with how many it is one of its numbers. */
static int check(double value) {
    int taken = 0;
    for (int digits = 1; digits <= 17; digits++) {
        char ours[HOL__NUMBER_SIZE] = "untouched", theirs[HOL__NUMBER_SIZE];
        const int n = hol__decimal_write(value, digits, ours);
        snprintf(theirs, sizeof theirs, "%.*g", digits, value);
        if (n) assert_string_equal(ours, theirs);
        if (n) assert_int_equal(n, strlen(theirs));
        if (!n) assert_string_equal(ours, "untouched");
        taken += n != 0;
    }
    return taken;
}

static void check_around(double value) {
    check(value);
    check(-value);
    check(nextafter(value, 0));
    check(nextafter(value, INFINITY));
}

/* Any bits, and numbers that a run has. */
static void test_text_is_that_of_printf(void **unused) {
    (void)unused;
    long taken = 0;
    for (int i = 0; i < 20000; i++) {
        const uint64_t bits = draw();
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) check(value);
        value = ldexp((double)(draw() >> 11), (int)(draw() % 150) - 140);
        taken += check(value) + check(-value);
    }
    assert_true(taken > 100000); /* half of 20000 x 2 x 17 have the size */
}

/* Where rounding is decided: halves, which printf rounds to even, and powers of ten with their
 * neighbours, at which the exponent changes. */
static void test_rounding_is_exact(void **unused) {
    (void)unused;
    for (int i = 0; i < 20000; i++) check((double)(draw() % 100000) / (double)(1 << draw() % 17));
    for (int k = -30; k < 20; k++) {
        check_around(pow(10, k));
        check_around(9.9999999999999995 * pow(10, k));
        check_around(2.5 * pow(10, k));
    }
    check_around(9007199254740992.0); /* 2^53, from which on whole numbers are left out */
    check_around(0.5);
}

/* Zeros are numbers of every size; what is not finite, and more digits than a number has, are not
 * its. */
static void test_what_it_takes(void **unused) {
    char buf[HOL__NUMBER_SIZE];
    (void)unused;
    assert_int_equal(check(0.0), 17);
    assert_int_equal(check(-0.0), 17);
    assert_int_equal(check(2.385), 17);
    assert_int_equal(check(-1.75e-10), 17);
    assert_int_equal(check(9.87e15), 2); /* a last digit of 1 or 0.1 */
    assert_int_equal(hol__decimal_write(INFINITY, 17, buf), 0);
    assert_int_equal(hol__decimal_write(NAN, 17, buf), 0);
    assert_int_equal(hol__decimal_write(2.385, 18, buf), 0);
    assert_int_equal(hol__decimal_write(2.385, 0, buf), 0);
    assert_int_equal(hol__decimal_write(1e300, 17, buf), 0);
    assert_int_equal(hol__decimal_write(1e-300, 17, buf), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_is_that_of_printf),
        cmocka_unit_test(test_rounding_is_exact),
        cmocka_unit_test(test_what_it_takes),
    };
    return cmocka_run_group_tests_name("decimal", tests, NULL, NULL);
}

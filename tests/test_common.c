/* test_common.c: what the library and the program share: JSON, UTF-8, suggestions, the clock,
 * checksums. */
#include "base/text.h"
#include "common/clock.h"
#include "common/json.h"
#include "common/nearest.h"
#include "common/utf8.h"
#include "json_check.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* ---- JSON ---- */

static int setup(void **state) {
    hol_context *ctx = hol_context_new();
    hol__text *text = hol__alloc(ctx, 1, sizeof *text);
    hol__text_init(text, ctx);
    *state = text;
    return 0;
}

static int teardown(void **state) {
    hol__text *text = *state;
    hol_context *ctx = text->ctx;
    hol__text_free(text);
    hol__release(ctx, text);
    hol_context_free(ctx);
    return 0;
}

/* One object with everything in it. */
static void write_all(hol__json *json) {
    static const double values[] = {2.385, -INFINITY, 0.1};
    static const char *const words[] = {"a", "b c", NULL};
    hol__json_open(json, NULL, '{');
    hol__json_text(json, "text", "x\n\"y\"");
    hol__json_text(json, "none", NULL);
    hol__json_number(json, "third", 1.0 / 3, 3);
    hol__json_integer(json, "count", -42);
    hol__json_open(json, "empty", '[');
    hol__json_close(json, ']');
    hol__json_numbers(json, "values", 3, values, 0);
    hol__json_open_line(json, "line", '{');
    hol__json_words(json, "words", words);
    hol__json_bool(json, "yes", 1);
    hol__json_close(json, '}');
    hol__json_raw(json, "raw", "{}");
    hol__json_close(json, '}');
}

/* A member a line, or no blanks at all; both are JSON. */
static void json_has_two_forms(void **state) {
    hol__text *text = *state;
    hol__json json = {.put = hol__text_sink, .to = text};
    write_all(&json);
    assert_string_equal(text->data, "{\n  \"text\": \"x\\n\\\"y\\\"\",\n  \"none\": null,\n"
                                    "  \"third\": 0.333,\n  \"count\": -42,\n  \"empty\": [],\n"
                                    "  \"values\": [2.385, null, 0.1],\n"
                                    "  \"line\": {\"words\": [\"a\", \"b c\"], \"yes\": true},\n"
                                    "  \"raw\": {}\n}");
    const char *end = json_value(text->data);
    assert_true(end && !*end);
    text->length = 0;
    json = (hol__json){.put = hol__text_sink, .to = text, .flags = HOL__JSON_COMPACT};
    write_all(&json);
    assert_string_equal(text->data, "{\"text\":\"x\\n\\\"y\\\"\",\"none\":null,\"third\":0.333,"
                                    "\"count\":-42,\"empty\":[],\"values\":[2.385,null,0.1],"
                                    "\"line\":{\"words\":[\"a\",\"b c\"],\"yes\":true},"
                                    "\"raw\":{}}");
}

/* In a script element nothing can end it; bytes that are not UTF-8 are replaced. */
static void json_text_is_harmless(void **state) {
    hol__text *text = *state;
    hol__json json = {.put = hol__text_sink, .to = text, .flags = HOL__JSON_IN_HTML};
    hol__json_text(&json, NULL, "</script><!-- \"quoted\" \\ & \n\t\x01 \xC3\xBC \x7F \xFF");
    assert_null(strpbrk(text->data, "<>&\xFF"));
    assert_non_null(strstr(text->data, "\xC3\xBC"));
    assert_non_null(strstr(text->data, "\\ufffd"));
    const char *end = json_value(text->data);
    assert_true(end && !*end);
}

/* ---- UTF-8 ---- */

/* Characters of one to four bytes; a wrong byte, an overlong form, a surrogate and a cut one. */
static void characters_are_decoded(void **state) {
    (void)state;
    const char *text = "a\xC3\xBC\xE2\x88\x92\xF0\x9F\x98\x80\xFFz\xC0\xAF\xED\xA0\x80\xE2\x88";
    const unsigned codes[] = {'a',    0xFC,   0x2212, 0x1F600, 0xFFFD, 'z',   0xFFFD,
                              0xFFFD, 0xFFFD, 0xFFFD, 0xFFFD,  0xFFFD, 0xFFFD};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        assert_int_equal(hol__utf8_next(&text), codes[i]);
    assert_int_equal(*text, 0);
    assert_int_equal(hol__utf8_length("\xC3\xBC\xE2\x88\x92z"), 3);
}

/* ---- suggestions ---- */

static const char *name_at(const void *list, int i) {
    return ((const char *const *)list)[i];
}

/* Slips of every kind, the beginning of a name, and words that are like none. */
static void slips_are_understood(void **state) {
    (void)state;
    static const char *const names[] = {"revolute", "prismatic", "output", "quiet", "t", NULL};
    static const char *const pairs[][2] = {{"revolut", "revolute"},
                                           {"rveolute", "revolute"},
                                           {"PRISMATIK", "prismatic"},
                                           {"outptu", "output"},
                                           {"qu", "quiet"},
                                           {"T", "t"},
                                           {"x", NULL},
                                           {"spherical", NULL},
                                           {"", NULL}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const char *found = hol__nearest(pairs[i][0], name_at, names);
        if (!found || !pairs[i][1])
            assert_true(!found && !pairs[i][1]);
        else
            assert_string_equal(found, pairs[i][1]);
    }
}

/* ---- time ---- */

/* The clock does not go back, and both advance while work is done. */
static void clocks_advance(void **state) {
    (void)state;
    const double wall = hol__clock_wall(), processor = hol__clock_thread();
    volatile double sum = 0;
    while (hol__clock_thread() == processor) sum += 1;
    assert_true(hol__clock_wall() > wall && hol__clock_thread() > processor);
}

/* ---- checksums ---- */

/* Every bit of every number counts, and so does their order; parts continue each other. */
static void sums_of_numbers_see_every_bit(void **state) {
    const double x[] = {2.385, -0.0, 1e-300, 7.13}, swapped[] = {-0.0, 2.385, 1e-300, 7.13};
    const unsigned long long sum = hol__hash_numbers(HOL__HASH_START, x, 4);
    (void)state;
    for (int i = 0; i < 4; i++)
        for (int bit = 0; bit < 64; bit++) {
            double y[4];
            uint64_t bits;
            memcpy(y, x, sizeof y);
            memcpy(&bits, &y[i], sizeof bits);
            bits ^= (uint64_t)1 << bit;
            memcpy(&y[i], &bits, sizeof bits);
            assert_true(hol__hash_numbers(HOL__HASH_START, y, 4) != sum);
        }
    assert_true(hol__hash_numbers(HOL__HASH_START, swapped, 4) != sum);
    assert_true(hol__hash_numbers(hol__hash_numbers(HOL__HASH_START, x, 1), x + 1, 3) == sum);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(json_has_two_forms, setup, teardown),
        cmocka_unit_test_setup_teardown(json_text_is_harmless, setup, teardown),
        cmocka_unit_test(characters_are_decoded),
        cmocka_unit_test(slips_are_understood),
        cmocka_unit_test(clocks_advance),
        cmocka_unit_test(sums_of_numbers_see_every_bit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

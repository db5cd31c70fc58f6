/* test_report_parts.c: what reports are made of: encodings, canvases, marks of axes. */
#include "report_fixture.h"

#include "json_check.h"
#include "base/bytes.h"
#include "report/canvas_type.h"
#include "report/labels.h"
#include "report/payload.h"
#include "report/ticks.h"

/* ---- encodings ---- */

static void test_base64(void **state) {
    fixture *f = *state;
    /* the vectors of RFC 4648, section 10 */
    static const char *const pairs[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"foobar", "Zm9vYmFy"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        f->text.length = 0;
        hol__text_add_n(&f->text, "", 0);
        hol__base64(&f->text, pairs[i][0], strlen(pairs[i][0]));
        assert_string_equal(f->text.data, pairs[i][1]);
    }
    /* longer than the inner buffer, all bytes: four characters for three bytes, and the last group
     * right */
    unsigned char bytes[5000];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(i * 197 + 31);
    f->text.length = 0;
    hol__base64(&f->text, bytes, sizeof bytes);
    assert_int_equal(f->text.length, 4 * ((sizeof bytes + 2) / 3));
    assert_int_equal(
        strspn(f->text.data, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"),
        f->text.length - 1);
}

/* ---- canvases ---- */

/* Draw something of everything, one text among it, into the file's bytes in f->text. */
static void draw_all(fixture *f, const hol__canvas_type *type, const char *words) {
    const double zigzag[] = {10, 10, 90, 40, NAN, 3, 20, 60, 1e300, -1e300, 70, 70},
                 area[] = {5, 5, 50, 12, 30, 60};
    hol__canvas *canvas = hol__canvas_new(f->ctx, type, 120, 80, 0xFFF8E0);
    assert_non_null(canvas);
    hol__canvas_clip(canvas, 2, 2, 110, 70);
    hol__canvas_line(canvas, 6, zigzag, (hol__stroke){0x2050A0, 1.7, 4, 0.8});
    hol__canvas_fill(canvas, 3, area, 0xA02050, 0.6);
    hol__canvas_pale(canvas, 0xFFF8E0, 0.5);
    hol__canvas_disc(canvas, 60, 40, 9, 0x000000, 1);
    hol__canvas_disc(canvas, NAN, 40, 9, 0x000000, 1);
    hol__canvas_clip(canvas, 0, 0, 0, 0);
    hol__canvas_text(canvas, 60, 75, 11, HOL__ANCHOR_MIDDLE, 0, 0x000000, words);
    hol__canvas_text(canvas, 8, 70, 11, HOL__ANCHOR_START, 1, 0x000000, words);
    f->text.length = 0;
    assert_true(hol__canvas_finish(canvas, &f->text));
    hol__canvas_free(canvas);
}

/* Every kind draws the same calls, the same twice; numbers that are none and bytes that are no
 * letters stop nothing; other words give another file. */
static void test_canvases(void **state) {
    static const char *const begins[][2] = {
        {"svg", "<svg xmlns"}, {"png", "\x89PNG\r\n\x1a\n"}, {"pdf", "%PDF-1."}};
    static const char *const paths[] = {"x.svg", "a.b/c.png", "x.y.pdf"};
    fixture *f = *state;
    for (size_t k = 0; k < sizeof begins / sizeof *begins; k++) {
        const hol__canvas_type *type = hol__canvas_type_find(begins[k][0]);
        assert_ptr_equal(type, hol__canvas_type_of(paths[k]));
        if (hol__canvas_check(f->ctx, type, "x")) continue; /* built without it */
        draw_all(f, type, "\316\251 = 3 rad/s");
        assert_memory_equal(f->text.data, begins[k][1], strlen(begins[k][1]));
        const size_t n = f->text.length;
        char *first = malloc(n);
        memcpy(first, f->text.data, n);
        draw_all(f, type, "\316\251 = 3 rad/s");
        assert_int_equal(f->text.length, n);
        assert_memory_equal(f->text.data, first, n);
        draw_all(f, type, "\316\251 = 4 rad/s");
        assert_true(f->text.length != n || memcmp(f->text.data, first, n) != 0);
        draw_all(f, type, "a\377b\001<&>");
        assert_memory_equal(f->text.data, begins[k][1], strlen(begins[k][1]));
        free(first);
    }
    assert_null(hol__canvas_type_of("picture"));
    assert_null(hol__canvas_type_of("picture.jpg"));
}

/* A kind that the library was built without is an error that says so. */
static void test_canvas_that_is_missing(void **state) {
    fixture *f = *state;
    const hol__canvas_type missing = {.ending = "png", .missing = "cairo"};
    assert_int_equal(hol__canvas_check(f->ctx, &missing, "a.png"), HOL_ERR_FEATURE);
    assert_non_null(strstr(hol_message_get(f->ctx, hol_message_count(f->ctx) - 1)->text,
                           "not built with cairo; use .svg"));
}

/* Widths that layouts count with are about those of fonts: DejaVu Sans has 0.636 for digits. */
static void test_text_widths(void **state) {
    (void)state;
    assert_true(fabs(hol__canvas_text_width("0123456789", 10) / 63.6 - 1) < 0.1);
    assert_true(hol__canvas_text_width("iii", 10) < 0.5 * hol__canvas_text_width("mmm", 10));
    assert_true(hol__canvas_text_width("\316\251", 10) < 7);
    assert_true(hol__canvas_text_width("", 10) == 0);
}

/* ---- axes ---- */

static void test_marks_are_round_and_inside(void **state) {
    (void)state;
    uint64_t seed = 0xA515;
    for (int trial = 0; trial < 2000; trial++) {
        hol__scale s;
        const double size = pow(10, 24 * random_unit(&seed) - 12);
        const double a = size * (random_unit(&seed) - 0.5),
                     b = a + size * (0.001 + random_unit(&seed));
        hol__scale_init(&s, a, b, 0, 6, trial % 2);
        assert_true(s.low <= a + 1e-6 * (b - a) && s.high >= b - 1e-6 * (b - a) && s.n >= 2 &&
                    s.n <= 9);
        const double step = s.at[1] - s.at[0], digit = step / pow(10, floor(log10(step) + 1e-9));
        assert_true(fabs(digit - 1) < 1e-6 || fabs(digit - 2) < 1e-6 || fabs(digit - 5) < 1e-6);
        for (int i = 0; i < s.n; i++) {
            const double place = hol__scale_place(&s, s.at[i]);
            assert_true(place > -1e-5 && place < 1 + 1e-5);
            if (i) assert_true(fabs(s.at[i] - s.at[i - 1] - step) < 1e-6 * step);
            assert_true(strlen(s.label[i]) > 0);
        }
    }
    /* one value, nothing at all, powers of ten that span more than can be shown */
    hol__scale s;
    hol__scale_init(&s, 2.385, 2.385, 0, 6, 1);
    assert_true(s.low < 2.385 && s.high > 2.385);
    hol__scale_init(&s, INFINITY, -INFINITY, 0, 6, 1);
    assert_true(s.low < s.high && s.n >= 2);
    hol__scale_init(&s, 3e-27, 2e-3, 1, 6, 1);
    assert_true(s.low == -18 && s.high == -2 && s.n >= 3 && s.n <= 7);
    assert_true(fabs(hol__scale_place(&s, -1e-10) - 0.5) < 1e-9);
}

/* The number that a label shows. */
static double read_label(const char *label) {
    char plain[HOL__LABEL_SIZE];
    size_t n = 0;
    for (const char *p = label; *p; p++) {
        if (strncmp(p, "\xE2\x88\x92", 3) == 0)
            plain[n++] = '-', p += 2;
        else
            plain[n++] = *p;
    }
    plain[n] = '\0';
    char *end;
    const double value = strtod(plain, &end);
    if (*end) fail_msg("'%s' is no number", label);
    return value;
}

/* Each label is the number of its mark: to a hundredth of the step where that needs less than 15
 * digits, at all sizes and with offsets much larger than the range. */
static void test_labels_are_the_numbers(void **state) {
    (void)state;
    uint64_t seed = 0x5EED;
    for (int trial = 0; trial < 4000; trial++) {
        hol__scale s;
        const double size = pow(10, 24 * random_unit(&seed) - 12);
        const double offset = trial % 3 ? 0 : size * pow(10, 8 * random_unit(&seed));
        const double a = offset + size * (random_unit(&seed) - 0.5),
                     b = a + size * (0.1 + random_unit(&seed));
        hol__scale_init(&s, a, b, 0, 6, trial % 2);
        for (int i = 0; i < s.n && s.n > 1; i++) {
            const double step = s.at[1] - s.at[0];
            if (fabs(read_label(s.label[i]) - s.at[i]) > 0.01 * step)
                fail_msg("%.17g is labelled '%s', step %g", s.at[i], s.label[i], step);
            if (i) assert_string_not_equal(s.label[i], s.label[i - 1]);
        }
    }
    static const struct {
        double low, high;
        const char *second;
    } known[] = {{0, 100000, "20000"},
                 {12000, 12600, "12100"},
                 {0, 0.5, "0.1"},
                 {0, 2.6e6, "5e5"},
                 {0, 5e6, "1e6"},
                 {0, 6e-6,
                  "1e\xE2\x88\x92"
                  "6"},
                 {0, 5e-8,
                  "1e\xE2\x88\x92"
                  "8"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        hol__scale s;
        hol__scale_init(&s, known[i].low, known[i].high, 0, 6, 1);
        assert_string_equal(s.label[1], known[i].second);
    }
}

/* A value is read back from its label to the digits that it shows, over all magnitudes and for
 * those that rounding carries over. */
static void test_value_labels(void **state) {
    (void)state;
    static const double mantissas[] = {1, 1.23, 2, 4.9996, 5, 9.9996, 9.99996, 9.99999999};
    static const struct {
        double value;
        const char *label;
    } known[] = {{20000, "20000"},
                 {12300, "12300"},
                 {9999.96, "10000"},
                 {999999.5, "1e6"},
                 {1e21, "1e21"},
                 {0, "0.00"},
                 {-0.0, "0.00"},
                 {1.25, "1.25"},
                 {0.00123, "0.00123"},
                 {-100, "\xE2\x88\x92"
                        "100"}};
    char label[HOL__LABEL_SIZE];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        hol__value_label(known[i].value, label);
        assert_string_equal(label, known[i].label);
    }
    for (int k = -307; k <= 307; k++)
        for (int i = 0; i < 16; i++) {
            const double x = (i % 2 ? -1 : 1) * mantissas[i / 2] * pow(10, k);
            hol__value_label(x, label);
            /* two decimals from 0.1 to 100; elsewhere four digits, half a unit of the fourth */
            const int decimals = fabs(x) >= 0.1 && fabs(x) < 100;
            if (!(fabs(read_label(label) - x) <= (decimals ? 0.0051 : 5.01e-4 * fabs(x))))
                fail_msg("%.17g is labelled '%s'", x, label);
        }
}

/* Logarithmic scales: labels are the marks; few decades have marks between powers; ends that are
 * given stay. */
static void test_logarithmic_labels(void **state) {
    (void)state;
    uint64_t seed = 0x10C;
    for (int trial = 0; trial < 2000; trial++) {
        hol__scale s;
        const double low = pow(10, 40 * random_unit(&seed) - 20),
                     high = low * pow(10, 0.1 + 11 * random_unit(&seed));
        hol__scale_init(&s, low, high, 1, 6, trial % 2);
        assert_true(s.n >= (trial % 2 ? 2 : 0) && s.n <= 8);
        for (int i = 0; i < s.n; i++) {
            assert_true(fabs(read_label(s.label[i]) / s.at[i] - 1) < 1e-9);
            assert_true(hol__scale_place(&s, s.at[i]) > -1e-6 &&
                        hol__scale_place(&s, s.at[i]) < 1 + 1e-6);
        }
        if (trial % 2) continue;
        assert_true(fabs(hol__scale_place(&s, low)) < 1e-9);
        assert_true(fabs(hol__scale_place(&s, high) - 1) < 1e-9);
    }
    hol__scale s;
    hol__scale_init(&s, 2e-3, 5e-2, 1, 6, 1);
    assert_int_equal(s.n, 3);
    hol__scale_init(&s, 2e-3, 5e-3, 1, 6, 1);
    assert_int_equal(s.n, 4);
    assert_string_equal(s.label[1], "2e\xE2\x88\x92"
                                    "3");
}

/* ---- places of words ---- */

/* Words beside crowded points keep apart and inside; one beside a bar keeps clear of it. */
static void test_words_keep_apart(void **state) {
    fixture *f = *state;
    hol__labels labels;
    double boxes[60][4];
    int n = 0;
    assert_true(hol__labels_init(&labels, f->ctx, 400, 300));
    for (int i = 0; i < 60; i++) {
        const double point[2] = {200 + 41.3 * cos(i * 2.385), 150 + 23.7 * sin(i * 1.71)},
                     width = 20 + (i * 37) % 50;
        double at[2];
        if (!hol__labels_place(&labels, point, width, 15, 5, at)) continue;
        assert_true(at[0] >= 0 && at[1] >= 0 && at[0] + width <= 400 && at[1] + 15 <= 300);
        /* not over its own point, and not far away: within its size and three heights */
        assert_true(at[0] > point[0] || at[0] + width < point[0] || at[1] > point[1] ||
                    at[1] + 15 < point[1]);
        assert_true(fabs(at[0] + width / 2 - point[0]) <= width / 2 + 5 + 2 * 15 + 1e-9);
        for (int k = 0; k < n; k++)
            assert_true(at[0] >= boxes[k][2] || at[0] + width <= boxes[k][0] ||
                        at[1] >= boxes[k][3] || at[1] + 15 <= boxes[k][1]);
        boxes[n][0] = at[0], boxes[n][1] = at[1];
        boxes[n][2] = at[0] + width, boxes[n++][3] = at[1] + 15;
    }
    assert_true(n >= 20 && n < 60);
    hol__labels_free(&labels);

    /* above and to the right of a point everything is drawn on: the word goes below it */
    const double bar[] = {100, 150, 390, 150}, area[] = {0, 0, 400, 0, 400, 148, 0, 148},
                 point[2] = {200, 160}, nowhere[2] = {NAN, 3};
    double at[2];
    assert_true(hol__labels_init(&labels, f->ctx, 400, 300));
    hol__labels_line(&labels, 2, bar, 12);
    hol__labels_area(&labels, 4, area);
    assert_true(hol__labels_place(&labels, point, 60, 15, 5, at));
    assert_true(at[1] > 160);
    assert_false(hol__labels_place(&labels, nowhere, 60, 15, 5, at));
    assert_false(hol__labels_place(&labels, point, 500, 15, 5, at));
    hol__labels_free(&labels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_base64, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_canvases, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_canvas_that_is_missing, set_up, tear_down),
        cmocka_unit_test(test_text_widths),
        cmocka_unit_test(test_marks_are_round_and_inside),
        cmocka_unit_test(test_labels_are_the_numbers),
        cmocka_unit_test(test_value_labels),
        cmocka_unit_test(test_logarithmic_labels),
        cmocka_unit_test_setup_teardown(test_words_keep_apart, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

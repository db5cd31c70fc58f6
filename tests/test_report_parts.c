/* test_report_parts.c: what reports are made of: encodings, pixels, PNG, marks of axes. */
#include "report_fixture.h"

#include "json_check.h"
#include "report/canvas.h"
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

/* ---- pixels ---- */

/* The sum of the shares of black over a white picture. */
static double black(const hol__raster *r) {
    double sum = 0;
    for (int i = 0; i < r->width * r->height; i++) sum += (255 - r->pixels[3 * i]) / 255.0;
    return sum;
}

static void test_raster_covers_areas(void **state) {
    fixture *f = *state;
    hol__raster r;
    uint64_t seed = 0x2385F00D;
    for (int trial = 0; trial < 20; trial++) {
        double xy[6];
        for (int i = 0; i < 6; i++) xy[i] = 3 + 54 * random_unit(&seed);
        const int end = 3;
        const double area =
            0.5 * fabs((xy[2] - xy[0]) * (xy[5] - xy[1]) - (xy[4] - xy[0]) * (xy[3] - xy[1]));
        assert_true(hol__raster_init(&r, f->ctx, 60, 60, 0xFFFFFF));
        hol__raster_fill(&r, 1, &end, xy, 0x000000, 1);
        /* across lines the area is exact; along y it is sampled 5 times a pixel, which for a
         * triangle is off by at most its largest width over 10 at both ends; pixels are rounded to
         * 1/255 on up to 3 x 60 x 2 edge pixels */
        const double width =
            fmax(fmax(fabs(xy[2] - xy[0]), fabs(xy[4] - xy[2])), fabs(xy[0] - xy[4]));
        if (fabs(black(&r) - area) > 0.2 * width + 360 * 0.5 / 255)
            fail_msg("a triangle of %g covers %g", area, black(&r));
        hol__raster_free(&r);
    }
}

static void test_raster_joins_rings(void **state) {
    fixture *f = *state;
    hol__raster r;
    /* two squares, one turned the other way round, overlap: the union counts once, at half
     * strength */
    const double xy[16] = {5, 5, 25, 5, 25, 25, 5, 25, 15, 15, 15, 35, 35, 35, 35, 15};
    const int ends[2] = {4, 8};
    assert_true(hol__raster_init(&r, f->ctx, 40, 40, 0xFFFFFF));
    hol__raster_fill(&r, 2, ends, xy, 0x000000, 0.5);
    assert_int_equal(r.pixels[3 * (20 * 40 + 20)], r.pixels[3 * (8 * 40 + 8)]);
    assert_true(fabs(black(&r) - 0.5 * (400 + 400 - 100)) < 700 * 0.5 / 255 + 1e-9);
    hol__raster_free(&r);
    /* outside of the clip nothing changes, and coordinates far away do no harm */
    assert_true(hol__raster_init(&r, f->ctx, 40, 40, 0xFFFFFF));
    r.clip[0] = 10, r.clip[1] = 12, r.clip[2] = 30, r.clip[3] = 20;
    const double far[8] = {-1e7, -1e7, 1e7, -1e7, 1e7, 1e7, -1e7, 1e7};
    hol__raster_fill(&r, 1, ends, far, 0x000000, 1);
    assert_true(fabs(black(&r) - 20 * 8) < 1e-9);
    hol__raster_free(&r);
}

/* ---- PNG ---- */

/* A reader of deflate's fixed code, independent of the writer. */
typedef struct bit_reader {
    const unsigned char *data;
    size_t at; /* in bits */
} bit_reader;

static unsigned bits_of(bit_reader *b, int n) {
    unsigned value = 0;
    for (int i = 0; i < n; i++, b->at++)
        value |= (unsigned)(b->data[b->at / 8] >> (b->at % 8) & 1) << i;
    return value;
}

static unsigned code_of(bit_reader *b, int n, unsigned code) {
    for (int i = 0; i < n; i++) code = code << 1 | bits_of(b, 1);
    return code;
}

static unsigned symbol_of(bit_reader *b) {
    unsigned code = code_of(b, 7, 0);
    if (code < 0x18) return 256 + code;
    code = code_of(b, 1, code);
    if (code >= 0x30 && code < 0xC0) return code - 0x30;
    if (code >= 0xC0 && code < 0xC8) return code - 0xC0 + 280;
    return code_of(b, 1, code) - 0x190 + 144;
}

/* Unpack one fixed block; returns how many bytes it had. */
static size_t inflate_fixed(const unsigned char *data, unsigned char *out, size_t room) {
    static const unsigned base[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                    31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const int extra[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    bit_reader b = {data, 0};
    size_t n = 0;
    assert_int_equal(bits_of(&b, 3), 3);
    for (unsigned symbol; (symbol = symbol_of(&b)) != 256;) {
        unsigned length = 1;
        if (symbol > 256) {
            length = base[symbol - 257] + bits_of(&b, extra[symbol - 257]);
            assert_int_equal(code_of(&b, 5, 0), 0); /* one byte back */
            assert_true(n > 0);
        }
        assert_true(n + length <= room);
        for (unsigned i = 0; i < length; i++, n++)
            out[n] = symbol < 256 ? (unsigned char)symbol : out[n - 1];
    }
    return n;
}

static unsigned crc_of(const unsigned char *p, size_t n) {
    unsigned crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 8; k++) {
            const unsigned bit = (crc ^ (unsigned)(p[i] >> k)) & 1;
            crc = crc >> 1 ^ (bit ? 0xEDB88320u : 0);
        }
    return ~crc;
}

/* Pixels written and read back are the same, for noise, for flat pictures and for runs of every
 * length. */
static void test_png_round_trip(void **state) {
    fixture *f = *state;
    uint64_t seed = 0xC0FFEE;
    for (int kind = 0; kind < 3; kind++) {
        hol__raster r;
        const int w = kind == 2 ? 331 : 37, h = kind == 2 ? 290 : 23;
        assert_true(hol__raster_init(&r, f->ctx, w, h, 0x4080C0));
        for (int i = 0; i < 3 * w * h; i++) {
            const int y = i / (3 * w), x = i % (3 * w);
            if (kind == 0) r.pixels[i] = (unsigned char)(256 * random_unit(&seed));
            if (kind == 2 && x < y)
                r.pixels[i] = (unsigned char)(y * 7); /* a run one longer in each line */
        }
        f->text.length = 0;
        hol__png_write(&r, &f->text);
        assert_false(f->text.failed);
        const unsigned char *png = (const unsigned char *)f->text.data;
        assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
        assert_int_equal(word_at(png + 16), w);
        assert_int_equal(word_at(png + 20), h);
        const unsigned char *chunk = png + 8 + 25;
        const unsigned size = word_at(chunk);
        assert_memory_equal(chunk + 4, "IDAT", 4);
        assert_int_equal(word_at(chunk + 8 + size), crc_of(chunk + 4, size + 4));
        const size_t room = (size_t)(3 * w + 1) * (size_t)h;
        unsigned char *lines = calloc(room, 1);
        assert_int_equal(inflate_fixed(chunk + 10, lines, room), room);
        for (int y = 0; y < h; y++)
            for (int x = 0; x < 3 * w; x++) {
                unsigned char *at = lines + (size_t)y * (size_t)(3 * w + 1) + 1 + x;
                if (lines[(size_t)y * (size_t)(3 * w + 1)] == 2)
                    *at = (unsigned char)(*at + *(at - (3 * w + 1)));
                if (*at != r.pixels[(y * w) * 3 + x]) fail_msg("pixel %d, %d differs", x, y);
            }
        if (kind == 1) assert_true(f->text.length < 400);
        free(lines);
        hol__raster_free(&r);
    }
}

static void test_font_has_every_character(void **state) {
    (void)state;
    for (unsigned code = 33; code < 127; code++) {
        int advance;
        const char *p = hol__font_glyph(code, &advance);
        assert_true(strlen(p) >= 4 && advance >= 2 && advance <= 6);
        for (int points = 0; *p; p += *p == ' ' ? 1 : 2) {
            if (*p == ' ') {
                assert_true(points >= 2);
                points = 0;
                continue;
            }
            if (p[0] < '0' || p[0] > '4' || p[1] < 'a' || p[1] > 'j')
                fail_msg("'%c' has the point %.2s", (char)code, p);
            points++;
        }
        for (unsigned other = 33; other < code; other++) {
            int ignore;
            const int zero = (code == 'O' && other == '0') || (code == 'S' && other == '$') ||
                             (code == 'l' && other == 'I');
            if (!zero &&
                strcmp(hol__font_glyph(code, &ignore), hol__font_glyph(other, &ignore)) == 0)
                fail_msg("'%c' looks like '%c'", (char)code, (char)other);
        }
    }
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
    assert_true(s.low == -14 && s.high == -2 && s.n >= 3 && s.n <= 7);
    assert_true(fabs(hol__scale_place(&s, -1e-8) - 0.5) < 1e-9);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_base64, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_raster_covers_areas, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_raster_joins_rings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_png_round_trip, set_up, tear_down),
        cmocka_unit_test(test_font_has_every_character),
        cmocka_unit_test(test_marks_are_round_and_inside),
        cmocka_unit_test(test_labels_are_the_numbers),
        cmocka_unit_test(test_logarithmic_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

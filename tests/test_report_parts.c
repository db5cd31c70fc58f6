/* test_report_parts.c: what reports are made of: encodings, pixels, PNG, marks of axes, charts, pictures, pages, and forces of a state.
 * How a page looks and works is tested in a browser (test_report.sh). */
#include "model_fixture.h"

#include "json_check.h"
#include "report/canvas.h"
#include "report/payload.h"
#include "report/ticks.h"

/* ---- helpers ---- */

typedef struct fixture {
    hol_context *ctx;
    hol__text text;
} fixture;

static int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    *state = f;
    if (!f) return 1;
    f->ctx = hol_context_new();
    hol__text_init(&f->text, f->ctx);
    return f->ctx == NULL;
}

static int tear_down(void **state) {
    fixture *f = *state;
    hol__text_free(&f->text);
    hol_context_free(f->ctx);
    free(f);
    return 0;
}

/* A whole file with a zero behind it; the test fails when it is not there. */
static char *slurp(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s was not written", path);
    fseek(file, 0, SEEK_END);
    const long n = ftell(file);
    rewind(file);
    char *data = calloc((size_t)n + 1, 1);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, (size_t)n, file), (size_t)n);
    fclose(file);
    if (size) *size = (size_t)n;
    return data;
}

static int count_of(const char *text, const char *word) {
    int n = 0;
    for (const char *p = text; (p = strstr(p, word)); p += strlen(word)) n++;
    return n;
}

/* Whether a message of the context holds the words. */
static int says(const hol_context *ctx, const char *words) {
    for (int i = 0; i < hol_message_count(ctx); i++)
        if (strstr(hol_message_get(ctx, i)->text, words)) return 1;
    return 0;
}

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
    /* longer than the inner buffer, all bytes: four characters for three bytes, and the last group right */
    unsigned char bytes[5000];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(i * 197 + 31);
    f->text.length = 0;
    hol__base64(&f->text, bytes, sizeof bytes);
    assert_int_equal(f->text.length, 4 * ((sizeof bytes + 2) / 3));
    assert_int_equal(
        strspn(f->text.data, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"),
        f->text.length - 1);
}

static void test_json_text_is_harmless(void **state) {
    fixture *f = *state;
    hol__json_text(&f->text, "</script><!-- \"quoted\" \\ & \n\t\x01 \xC3\xBC \x7F");
    assert_null(strpbrk(f->text.data, "<>&"));
    const char *end = json_value(f->text.data);
    assert_non_null(end);
    assert_int_equal(*end, 0);
    assert_non_null(strstr(f->text.data, "\xC3\xBC"));
    f->text.length = 0;
    hol__json_number(&f->text, NAN, 9);
    hol__text_add(&f->text, " ");
    hol__json_number(&f->text, -2.385e-7, 9);
    assert_string_equal(f->text.data, "null -2.385e-07");
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
        /* across lines the area is exact; along y it is sampled 5 times a pixel, which for a triangle is off by at most its
         * largest width over 10 at both ends; pixels are rounded to 1/255 on up to 3 x 60 x 2 edge pixels */
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
    /* two squares, one turned the other way round, overlap: the union counts once, at half strength */
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

static unsigned word_at(const unsigned char *p) {
    return (unsigned)p[0] << 24 | (unsigned)p[1] << 16 | (unsigned)p[2] << 8 | p[3];
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

/* Pixels written and read back are the same, for noise, for flat pictures and for runs of every length. */
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
    const char *text = "a\xC3\xBC\xE2\x88\x92\xF0\x9F\x98\x80\xFFz";
    const unsigned codes[] = {'a', 0xFC, 0x2212, 0x1F600, 0xFFFD, 'z'};
    for (size_t i = 0; i < 6; i++) assert_int_equal(hol__utf8_next(&text), codes[i]);
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

/* ---- charts and pictures ---- */

/* A pendulum on a spring with hostile names, run for a moment into a file. Works without YAML. */
static void write_result(const char *path) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    const double at[2][2] = {{0, 0}, {0.9, 0.13}}, anchor[2] = {0.3, 1.1};
    hol_item_number(hol_spec_root(spec), "holonom", 1);
    hol_item_text(hol_spec_root(spec), "space", "planar");
    hol_item_vector(hol_spec_root(spec), "gravity", 2, (const double[]){0, -9.81});
    hol_item *rod = hol_spec_add(spec, "bodies", "<rod> & \"co\"", NULL);
    hol_item_number(rod, "mass", 2.385);
    hol_item_number(rod, "inertia", 0.71);
    hol_item_vector(rod, "position", 2, (const double[]){0.45, 0.065});
    hol_item *pin = hol_spec_add(spec, "joints", "pin", "revolute");
    hol_item_texts(pin, "bodies", 2, (const char *const[]){"ground", "<rod> & \"co\""});
    hol_item_vector(pin, "at", 2, at[0]);
    hol_item *spring = hol_spec_add(spec, "forces", "spring", "spring");
    hol_item_texts(spring, "bodies", 2, (const char *const[]){"<rod> & \"co\"", "ground"});
    hol_item_vector(spring, "from", 2, at[1]);
    hol_item_vector(spring, "to", 2, anchor);
    hol_item_number(spring, "stiffness", 31.7);
    hol_item_number(spring, "free_length", 0.4);
    hol_item *angle = hol_spec_add(spec, "measures", "<angle>", "angle");
    hol_item_text(angle, "body", "<rod> & \"co\"");
    hol_item *tip = hol_spec_add(spec, "measures", "tip", "position");
    hol_item_text(tip, "body", "<rod> & \"co\"");
    hol_item_vector(tip, "at", 2, at[1]);
    hol_item_number(hol_spec_section(spec, "simulation"), "end", 0.37);
    hol_model *model = hol_model_compile(spec);
    hol_sim *sim = model ? hol_sim_new(model) : NULL;
    hol_writer *writer = sim ? hol_writer_open(sim, path) : NULL;
    if (!writer) run_print_messages(ctx);
    assert_non_null(writer);
    for (int i = 0; i <= 37; i++) {
        assert_int_equal(hol_sim_advance(sim, 0.01 * i), HOL_OK);
        assert_int_equal(hol_writer_record(writer), HOL_OK);
    }
    assert_int_equal(hol_writer_close(writer), HOL_OK);
    hol_sim_free(sim);
    hol_model_free(model);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

static hol_chart chart_of(const char *const *result, int n, const char *const *columns) {
    return (hol_chart){.n_results = 1, .results = result, .n_columns = n, .columns = columns};
}

static void test_chart(void **state) {
    fixture *f = *state;
    const char *const file[] = {"chart.csv"};
    const char *const names[] = {"tip.x", "tip.y", "<angle>", "nonsense", "tpi.x"};
    write_result(file[0]);
    hol_chart chart = chart_of(file, 3, names);
    chart.title = "a < b & \"c\"";
    assert_int_equal(hol_chart_write(f->ctx, &chart, "chart.svg"), HOL_OK);
    char *svg = slurp("chart.svg", NULL);
    /* three curves of 38 points each, two units on two axes, texts escaped */
    assert_non_null(strstr(svg, "a &#60; b &#38; &#34;c&#34;"));
    assert_non_null(strstr(svg, "&#60;angle&#62;"));
    assert_null(strstr(svg, "<angle>"));
    assert_true(strstr(svg, "[m]") && strstr(svg, "time [s]") && strstr(svg, "[rad]"));
    int long_lines = 0;
    for (const char *p = svg; (p = strstr(p, "points=\"")); p++) {
        const char *end = strchr(p + 8, '"');
        int commas = 0;
        for (const char *q = p; q < end; q++) commas += *q == ',';
        long_lines += commas > 30;
    }
    assert_int_equal(long_lines, 3);
    free(svg);
    assert_int_equal(hol_chart_write(f->ctx, &chart, "chart.png"), HOL_OK);
    size_t size;
    char *png = slurp("chart.png", &size);
    assert_memory_equal(png, "\x89PNG", 4);
    assert_int_equal(word_at((unsigned char *)png + 16), 800);
    free(png);
    chart = chart_of(file, 1, names + 3);
    assert_int_equal(hol_chart_write(f->ctx, &chart, "no.svg"), HOL_ERR_ARGUMENT);
    chart = chart_of(file, 1, names + 4);
    assert_int_equal(hol_chart_write(f->ctx, &chart, "no.svg"), HOL_ERR_ARGUMENT);
    assert_true(says(f->ctx, "tip.x"));
    chart = chart_of(file, 1, names);
    assert_int_equal(hol_chart_write(f->ctx, &chart, "no.gif"), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_chart_write(f->ctx, &chart, "/nowhere/no.svg"), HOL_ERR_IO);
    chart.width = 60;
    assert_int_equal(hol_chart_write(f->ctx, &chart, "no.svg"), HOL_ERR_ARGUMENT);
    assert_null(fopen("no.svg", "r"));
}

static void test_frames(void **state) {
    fixture *f = *state;
    if (!built_with("hdf5") || !built_with("fyaml")) skip();
    int n = 0;
    write_result("frames.h5");
    hol_frames frames = {.rate = 10, .width = 320, .height = 240};
    assert_int_equal(hol_frames_write(f->ctx, "frames.h5", &frames, ".", &n), HOL_OK);
    assert_int_equal(n, 4); /* 0, 0.1, 0.2, 0.3 s */
    char *first = slurp("frame_00000.svg", NULL), *last = slurp("frame_00003.svg", NULL);
    assert_string_not_equal(first, last);
    assert_non_null(strstr(last, "t = 0.300 s"));
    assert_true(count_of(first, "<polyline") > 4 && count_of(first, "<circle") >= 2);
    free(first);
    free(last);
    frames.png = frames.dark = 1;
    frames.from = 0.2, frames.to = 0.3;
    assert_int_equal(hol_frames_write(f->ctx, "frames.h5", &frames, ".", &n), HOL_OK);
    assert_int_equal(n, 2);
    char *png = slurp("frame_00001.png", NULL);
    assert_memory_equal(png, "\x89PNG", 4);
    free(png);
    frames.from = 7, frames.to = 8;
    assert_int_equal(hol_frames_write(f->ctx, "frames.h5", &frames, ".", &n), HOL_ERR_ARGUMENT);
}

/* ---- pages ---- */

/* The JSON of a page is well formed, and names cannot leave it. */
static void test_page(void **state) {
    fixture *f = *state;
    const char *const files[] = {"page.h5", "page2.h5"};
    if (!built_with("web")) {
        assert_int_equal(hol_report_write(f->ctx, 1, files, "page.html"), HOL_ERR_FEATURE);
        assert_true(says(f->ctx, "not built with the report page"));
        skip();
    }
    if (!built_with("hdf5") || !built_with("fyaml")) skip();
    write_result(files[0]);
    write_result(files[1]);
    assert_int_equal(hol_report_write(f->ctx, 2, files, "page.html"), HOL_OK);
    char *html = slurp("page.html", NULL);
    char *json = strstr(html, "id=\"holonom-data\">") + strlen("id=\"holonom-data\">");
    char *end = strstr(json, "</script>");
    *end = '\0';
    const char *rest = json_value(json);
    assert_non_null(rest);
    assert_int_equal(*rest, 0);
    assert_null(strchr(json, '<'));
    assert_int_equal(count_of(json, "\"position\":{\"type\":\"f4\""), 2);
    assert_int_equal(count_of(json, "\"forceForce\":{\"type\":\"f4\""), 2);
    assert_non_null(strstr(json, "\\u003crod\\u003e \\u0026 \\u0022co\\u0022"));
    *end = '<';
    assert_int_equal(count_of(html, "<script"), 3);
    free(html);
    assert_int_equal(hol_report_write(f->ctx, 1, (const char *const[]){"missing.h5"}, "no.html"),
                     HOL_ERR_IO);
    assert_null(fopen("no.html", "r"));
}

/* ---- memory ---- */

/* The k-th allocation fails: nothing crashes, nothing leaks, and success is claimed only when the file is there. */
static void test_failing_memory(void **state) {
    (void)state;
    const char *const csv[] = {"memory.csv"}, *const h5[] = {"memory.h5"},
                      *const names[] = {"tip.x", "tip.y"};
    const int full = built_with("hdf5") && built_with("fyaml");
    write_result(csv[0]);
    if (full) write_result(h5[0]);
    for (int kind = 0; kind < (full ? built_with("web") ? 4 : 3 : 2); kind++) {
        int succeeded = 0;
        for (long k = 0; !succeeded && k < 200000; k += 1 + k / 12) {
            counting c;
            hol_context *ctx = failing_context(&c, k + 1);
            const hol_chart chart = chart_of(csv, 2, names);
            const hol_frames frames = {.rate = 5, .width = 120, .height = 90, .png = 1};
            int n;
            remove("memory.out");
            const hol_status status = !ctx        ? HOL_ERR_MEMORY
                                      : kind == 0 ? hol_chart_write(ctx, &chart, "memory.svg")
                                      : kind == 1 ? hol_chart_write(ctx, &chart, "memory.png")
                                      : kind == 2 ? hol_frames_write(ctx, h5[0], &frames, ".", &n)
                                                  : hol_report_write(ctx, 1, h5, "memory.html");
            hol_context_free(ctx);
            assert_int_equal(c.live, 0);
            succeeded = status == HOL_OK && c.made <= k;
        }
        assert_true(succeeded);
    }
}

/* ---- forces of a state, descriptions, shapes ---- */

static const char spring_model[] =
    "holonom: 1\n"
    "space: spatial\n"
    "bodies:\n"
    "  a: {mass: 2.385, inertia: [0.3, 0.4, 0.5], com: [0.1, 0.2, -0.07], position: [0.4, -0.3, "
    "0.7], "
    "orientation: {axis: [1, 2, -1], angle: 0.83}, velocity: [0.3, 0.1, -0.2], omega: [0.5, -1.1, "
    "0.7]}\n"
    "forces:\n"
    "  s: {type: spring, bodies: [a, ground], from: [0.9, 0.13, 0.31], to: [-0.6, 1.2, 0.4], "
    "stiffness: 31.7, "
    "free_length: 0.4, damping: 3.1}\n"
    "  f: {type: force, body: a, at: [0.2, 0.1, 0.9], force: [1.7, -2.3, 0.6]}\n"
    "  t: {type: torque, body: a, torque: [0.7, 1.9, -0.4]}\n"
    "simulation: {end: 1}\n";

/* Forces one by one add up to the acceleration: m a = sum of the forces. A spring pulls along its line with k (l - l0) + c l'. */
static void test_forces_of_a_state(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    run r = run_text(spring_model, NULL);
    run_to(&r, 0.31);
    hol_data *data = hol_sim_data(r.sim);
    const double *a = hol_data_acceleration(data);
    double sum[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        const hol_load load = hol_data_force(data, i);
        for (int k = 0; k < 3; k++) sum[k] += load.force[k];
    }
    /* both sides have a few roundings of numbers of this size */
    for (int k = 0; k < 3; k++) assert_true(fabs(sum[k] - 2.385 * a[k]) < 1e-12 * 60);
    const hol_load spring = hol_data_force(data, 0), torque = hol_data_force(data, 2);
    const double anchor[3] = {-0.6, 1.2, 0.4};
    double d[3], l = 0, f = 0, out = 0;
    for (int k = 0; k < 3; k++) d[k] = anchor[k] - spring.point[k], l += d[k] * d[k];
    l = sqrt(l);
    const hol_pose pose = hol_data_body_pose(data, 0);
    const hol_twist twist = hol_data_body_twist(data, 0);
    double rate = 0;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double v = twist.v[k] + twist.omega[i] * (spring.point[j] - pose.r[j]) -
                         twist.omega[j] * (spring.point[i] - pose.r[i]);
        rate -= v * d[k] / l;
        f += spring.force[k] * d[k] / l;
        out += fabs(spring.moment[k]);
    }
    assert_true(fabs(f - (31.7 * (l - 0.4) + 3.1 * rate)) < 1e-12 * 60);
    assert_true(out < 1e-12 * 60); /* no moment about its own point */
    assert_true(fabs(torque.moment[0] - 0.7) + fabs(torque.moment[1] - 1.9) +
                    fabs(torque.moment[2] + 0.4) <
                1e-13);
    run_close(&r);
}

static void test_descriptions(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    run r = run_text(spring_model, NULL);
    const hol_element_info spring = hol_model_force_describe(r.model, 0);
    assert_string_equal(spring.type, "spring");
    assert_int_equal(spring.body[0], 0);
    assert_int_equal(spring.body[1], 1);
    /* the point on ground is where it was drawn; the point on the body is in its frame: turned back it is where it was drawn */
    const double drawn[3] = {0.9, 0.13, 0.31};
    hol_data *data = hol_data_new(r.model);
    const hol_pose pose = hol_data_body_pose(data, 0);
    for (int i = 0; i < 3; i++) {
        double p = pose.r[i];
        for (int k = 0; k < 3; k++) p += pose.R[3 * i + k] * spring.point[0][k];
        assert_true(fabs(p - drawn[i]) < 1e-14 * 10);
    }
    assert_true(spring.point[1][0] == -0.6 && spring.point[1][1] == 1.2);
    const hol_body_info body = hol_model_body_describe(r.model, 0);
    assert_true(body.mass == 2.385 && body.com[1] == 0.2 && body.inertia[4] == 0.4 &&
                body.n_shapes == 0);
    hol_data_free(data);
    run_close(&r);
}

static void test_shapes_are_kept(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    run r = run_text(
        "holonom: 1\nspace: spatial\nbodies:\n"
        "  a: {shape: [{type: cone, radius: 0.12, length: 0.31, density: 500, axis: [0, 1, 0]}, "
        "{type: torus, radius: 0.2, "
        "tube: 0.03, mass: 1, color: \"#12ab9F\"}, {type: sphere, radius: 0.02, mass: -0.01}]}\n"
        "  b: {mass: 1, inertia: 1, draw: {type: mesh, vertices: [[0, 0, 0], [0.1, 0, 0], [0, 0.2, "
        "0.3]], faces: [[0, 1, 2]]}}\n"
        "simulation: {end: 1}\n",
        NULL);
    const hol_body_info a = hol_model_body_describe(r.model, 0),
                        b = hol_model_body_describe(r.model, 1);
    assert_int_equal(a.n_shapes, 2); /* what is cut out is not drawn */
    assert_int_equal(a.shapes[0].kind, HOL_SHAPE_CONE);
    assert_true(a.shapes[0].size[0] == 0.12 && a.shapes[0].size[1] == 0.31 &&
                fabs(a.shapes[0].R[5] - 1) < 1e-15);
    assert_int_equal(a.shapes[1].kind, HOL_SHAPE_TORUS);
    assert_string_equal(a.shapes[1].color, "#12ab9F");
    assert_true(b.n_shapes == 1 && b.shapes[0].n_vertices == 3 && b.shapes[0].n_indices == 4);
    assert_true(b.shapes[0].vertices[8] == 0.3 && b.shapes[0].indices[2] == 2 &&
                b.shapes[0].indices[3] == -1);
    run_close(&r);
    static const char *const wrong[][2] = {
        {"shape: {type: mesh, vertices: [[0, 0, 0]], faces: [[0, 0, 0]]}", "can only be drawn"},
        {"mass: 1, inertia: 1, draw: {type: mesh, vertices: [[0, 0, 0]], faces: [[0, 1, 0]]}",
         "counted from 0 to 0"},
        {"mass: 1, inertia: 1, draw: {type: mesh, vertices: [[0, 0]], faces: [[0, 0, 0]]}",
         "has 3 coordinates"},
        {"mass: 1, inertia: 1, draw: {type: mesh, vertices: [[0, 0, 0]], faces: [[0, 0]]}",
         "at least three"},
        {"mass: 1, inertia: 1, draw: {type: mesh, vertices: [[0, 0, 0]]}", "needs 'faces'"},
        {"mass: 1, inertia: 1, draw: {type: sphere, radius: 1, color: red}", "#rrggbb"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[512];
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        snprintf(text, sizeof text, "holonom: 1\nspace: spatial\nbodies:\n  a: {%s}\n",
                 wrong[i][0]);
        assert_int_equal(hol_spec_read_text(spec, text, "wrong.yaml"), HOL_OK);
        assert_null(hol_model_compile(spec));
        if (!says(ctx, wrong[i][1])) {
            run_print_messages(ctx);
            fail_msg("%s: nothing says '%s'", wrong[i][0], wrong[i][1]);
        }
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_base64, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_json_text_is_harmless, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_raster_covers_areas, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_raster_joins_rings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_png_round_trip, set_up, tear_down),
        cmocka_unit_test(test_font_has_every_character),
        cmocka_unit_test(test_marks_are_round_and_inside),
        cmocka_unit_test_setup_teardown(test_chart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_frames, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_page, set_up, tear_down),
        cmocka_unit_test(test_failing_memory),
        cmocka_unit_test(test_forces_of_a_state),
        cmocka_unit_test(test_descriptions),
        cmocka_unit_test(test_shapes_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

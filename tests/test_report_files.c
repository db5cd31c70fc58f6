/* test_report_files.c: charts, pictures and pages as files, also without memory. How a page looks
 * and works is tested in a browser (test_report.sh). */
#include "report_fixture.h"

#include "json_check.h"

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
    hol_options *options;
    hol_model *model = hol_model_from_spec(ctx, spec, &options);
    hol_sim *sim = model ? hol_sim_new(ctx, model, options) : NULL;
    hol_options_free(options);
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
    assert_non_null(strstr(svg, "a &lt; b &amp; &quot;c&quot;"));
    assert_non_null(strstr(svg, "&lt;angle&gt;"));
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
    if (!built_with("cairo")) {
        assert_int_equal(hol_chart_write(f->ctx, &chart, "chart.png"), HOL_ERR_FEATURE);
        assert_true(said(f->ctx, "cairo"));
    } else {
        assert_int_equal(hol_chart_write(f->ctx, &chart, "chart.png"), HOL_OK);
        size_t size;
        char *png = slurp("chart.png", &size);
        assert_memory_equal(png, "\x89PNG", 4);
        assert_int_equal(word_at((unsigned char *)png + 16), 800);
        free(png);
    }
    chart = chart_of(file, 1, names + 3);
    assert_int_equal(hol_chart_write(f->ctx, &chart, "no.svg"), HOL_ERR_ARGUMENT);
    chart = chart_of(file, 1, names + 4);
    assert_int_equal(hol_chart_write(f->ctx, &chart, "no.svg"), HOL_ERR_ARGUMENT);
    assert_true(said(f->ctx, "tip.x"));
    chart = chart_of(file, 1, names);
    assert_int_equal(hol_chart_write(f->ctx, &chart, "no.gif"), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_chart_write(f->ctx, &chart, "/nowhere/no.svg"), HOL_ERR_IO);
    chart.width = 60;
    assert_int_equal(hol_chart_write(f->ctx, &chart, "no.svg"), HOL_ERR_ARGUMENT);
    assert_null(fopen("no.svg", "r"));
}

/* Expressions of columns, differences, ranges and labels. */
static void test_chart_options(void **state) {
    fixture *f = *state;
    const char *const files[] = {"one.csv", "two.csv"}, *const labels[] = {"first", "second"};
    const char *const names[] = {"tip.x^2 + tip.y^2", "tip.x^2 + tpi.y", "tip.x +"};
    write_result(files[0]);
    write_result(files[1]);
    hol_chart chart = chart_of(files, 1, names);
    chart.n_results = 2;
    assert_int_equal(hol_chart_write(f->ctx, &chart, "options.svg"), HOL_OK);
    char *svg = slurp("options.svg", NULL);
    assert_true(strstr(svg, ">one<") && strstr(svg, ">two<") && strstr(svg, "tip.x^2"));
    free(svg);
    chart.labels = labels;
    chart.change = 1;
    chart.low = -3, chart.high = 5;
    assert_int_equal(hol_chart_write(f->ctx, &chart, "options.svg"), HOL_OK);
    svg = slurp("options.svg", NULL);
    assert_true(strstr(svg, ">first<") && strstr(svg, ">second<") && strstr(svg, "(change)"));
    assert_true(strstr(svg, ">4<") && !strstr(svg, ">6<"));
    free(svg);
    for (int i = 1; i < 3; i++) {
        chart = chart_of(files, 1, names + i);
        assert_int_equal(hol_chart_write(f->ctx, &chart, "no.svg"), HOL_ERR_ARGUMENT);
    }
    assert_true(said(f->ctx, "tip.y"));
}

/* Figures one below the other, points, bars, both axes logarithmic; what cannot be drawn is
 * refused. */
static void test_figures(void **state) {
    fixture *f = *state;
    const double x[] = {1e-3, 2e-3, 5e-3}, y[] = {1e-9, NAN, 6e-7}, bars[] = {1, 2.385, 123456};
    const char *const labels[] = {"a-label-that-is-much-longer-than-its-bar", "b", "c"};
    hol_series series[3] = {{.name = "errors", .unit = "m", .n = 3, .x = x, .y = y},
                            {.name = "more", .unit = "s", .n = 3, .x = x, .y = y, .color = 1},
                            {.name = "too many", .unit = "kg", .n = 3, .x = x, .y = y}};
    const hol_series heights = {.n = 3, .y = bars};
    hol_figure figures[2] = {
        {.n_series = 2, .series = series, .kind = HOL_FIGURE_POINTS, .log_x = 1, .log_y = 1},
        {.n_series = 1, .series = &heights, .kind = HOL_FIGURE_BARS, .labels = labels}};
    assert_int_equal(hol_figures_write(f->ctx, 2, figures, 400, 300, "figures.svg"), HOL_OK);
    char *svg = slurp("figures.svg", NULL);
    /* two points of each series, three bars with their values */
    assert_non_null(strstr(svg, "width=\"400\" height=\"600\""));
    assert_int_equal(count_of(svg, "<circle"), 4);
    assert_int_equal(count_of(svg, "<polygon"), 3);
    assert_true(strstr(svg, ">2.38<") || strstr(svg, ">2.39<"));
    assert_true(strstr(svg, ">123456<") && !strstr(svg, ">a-label-that-is-much-longer"));
    free(svg);
    figures[0].n_series = 3;
    assert_int_equal(hol_figures_write(f->ctx, 2, figures, 400, 300, "no.svg"), HOL_ERR_ARGUMENT);
    assert_true(said(f->ctx, "brings a third (kg)"));
    figures[0].n_series = 2;
    assert_int_equal(hol_figures_write(f->ctx, 2, figures, 400, 90, "no.svg"), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_figures_write(f->ctx, 2, figures, 400, 9000, "no.svg"), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_figures_write(f->ctx, 2, figures, -4, 300, "no.svg"), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_figures_write(f->ctx, 0, figures, 400, 300, "no.svg"), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_figures_write(f->ctx, 1, figures, 400, 300, "no.gif"), HOL_ERR_ARGUMENT);
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
    frames.png = built_with("cairo"), frames.dark = 1;
    frames.from = 0.2, frames.to = 0.3;
    assert_int_equal(hol_frames_write(f->ctx, "frames.h5", &frames, ".", &n), HOL_OK);
    assert_int_equal(n, 2);
    char *picture = slurp(frames.png ? "frame_00001.png" : "frame_00001.svg", NULL);
    assert_memory_equal(picture, frames.png ? "\x89PNG" : "<svg", 4);
    free(picture);
    frames.from = 7, frames.to = 8;
    assert_int_equal(hol_frames_write(f->ctx, "frames.h5", &frames, ".", &n), HOL_ERR_ARGUMENT);
}

/* Poses at intervals and at given times; the last one is that of a frame, the first one paler. */
static void test_strobe(void **state) {
    fixture *f = *state;
    if (!built_with("hdf5") || !built_with("fyaml")) skip();
    static const double times[] = {0.05, 0.1, 0.3}, wrong[] = {0.1, 0.05}, late[] = {0.1, 7};
    int n = 0;
    write_result("strobe.h5");
    hol_strobe strobe = {.every = 0.1, .width = 320, .height = 240};
    assert_int_equal(hol_strobe_write(f->ctx, "strobe.h5", &strobe, "a.svg", &n), HOL_OK);
    assert_int_equal(n, 4); /* 0, 0.1, 0.2, 0.3 s */
    hol_frames frames = {.rate = 10, .width = 320, .height = 240};
    assert_int_equal(hol_frames_write(f->ctx, "strobe.h5", &frames, ".", &n), HOL_OK);
    char *poses = slurp("a.svg", NULL), *last = slurp("frame_00003.svg", NULL),
         *first = slurp("frame_00000.svg", NULL);
    const char *from = strchr(last, '\n') + 1;
    from = strchr(from, '\n') + 1; /* behind the ground */
    char *caption = strstr(last, "<text");
    *caption = '\0';
    assert_non_null(strstr(poses, from));
    *strstr(first, "<text") = '\0';
    from = strchr(first, '\n') + 1;
    assert_null(strstr(poses, strchr(from, '\n') + 1));
    assert_non_null(strstr(poses, "t = 0 s to 0.3 s, 4 poses"));
    free(poses);
    free(last);
    free(first);
    strobe.n_times = 3, strobe.times = times, strobe.dark = 1;
    const char *const b = built_with("cairo") ? "b.png" : "b.svg";
    assert_int_equal(hol_strobe_write(f->ctx, "strobe.h5", &strobe, b, &n), HOL_OK);
    assert_int_equal(n, 3);
    char *picture = slurp(b, NULL);
    assert_memory_equal(picture, built_with("cairo") ? "\x89PNG" : "<svg", 4);
    free(picture);
    strobe.n_times = 2, strobe.times = wrong;
    assert_int_equal(hol_strobe_write(f->ctx, "strobe.h5", &strobe, "c.svg", &n), HOL_ERR_ARGUMENT);
    strobe.times = late;
    assert_int_equal(hol_strobe_write(f->ctx, "strobe.h5", &strobe, "c.svg", &n), HOL_ERR_ARGUMENT);
    assert_true(said(f->ctx, "runs from 0 to"));
    strobe = (hol_strobe){.every = 1e-9};
    assert_int_equal(hol_strobe_write(f->ctx, "strobe.h5", &strobe, "c.svg", &n), HOL_ERR_ARGUMENT);
    strobe.every = 0;
    assert_int_equal(hol_strobe_write(f->ctx, "strobe.h5", &strobe, "c.svg", &n), HOL_ERR_ARGUMENT);
    strobe.every = 0.1, strobe.width = 7;
    assert_int_equal(hol_strobe_write(f->ctx, "strobe.h5", &strobe, "c.svg", &n), HOL_ERR_ARGUMENT);
    assert_null(fopen("c.svg", "r"));
}

/* ---- pages ---- */

/* The JSON of a page is well formed, and names cannot leave it. */
static void test_page(void **state) {
    fixture *f = *state;
    const char *const files[] = {"page.h5", "page2.h5"};
    if (!built_with("web")) {
        assert_int_equal(hol_report_write(f->ctx, 1, files, "page.html"), HOL_ERR_FEATURE);
        assert_true(said(f->ctx, "not built with the report page"));
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
    assert_non_null(strstr(json, "\\u003crod\\u003e \\u0026 \\\"co\\\""));
    *end = '<';
    assert_int_equal(count_of(html, "<script"), 3);
    free(html);
    assert_int_equal(hol_report_write(f->ctx, 1, (const char *const[]){"missing.h5"}, "no.html"),
                     HOL_ERR_IO);
    assert_null(fopen("no.html", "r"));
}

/* The value of a digit of base64. */
static unsigned digit_of(char c) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    return (unsigned)(strchr(digits, c) - digits);
}

/* 8-byte number i behind `offset` bytes of what is written in base64. */
static double number_in(const char *base64, size_t offset, size_t i) {
    unsigned char bytes[8];
    double x;
    for (size_t k = 0; k < 8; k++) {
        const size_t at = offset + 8 * i + k, group = at / 3 * 4, shift = 16 - 8 * (at % 3);
        unsigned word = 0;
        for (size_t d = 0; d < 4; d++)
            word = word << 6 | (base64[group + d] == '=' ? 0 : digit_of(base64[group + d]));
        bytes[k] = (unsigned char)(word >> shift);
    }
    memcpy(&x, bytes, sizeof x);
    return x;
}

/* The largest value of the chart of the energy error of a page. */
static double largest_energy_error(const char *html) {
    const char *name = strstr(html, "\"name\":\"energy.error\""),
               *bytes = strstr(html, "id=\"holonom-bytes\">"), *values;
    assert_non_null(name);
    assert_non_null(bytes);
    values = strstr(name, "\"values\":{\"type\":\"f8\",\"offset\":");
    assert_non_null(values);
    const size_t offset = strtoul(strstr(values, "offset") + 8, NULL, 10),
                 count = strtoul(strstr(values, "count") + 7, NULL, 10);
    double most = 0;
    assert_true(count > 10);
    for (size_t i = 0; i < count; i++)
        most = fmax(most, number_in(bytes + strlen("id=\"holonom-bytes\">"), offset, i));
    return most;
}

/* A pendulum that hardly moves: its page has the energy error that the run told, not rounding over
 * the energies of so slow a motion. */
static void test_energy_error(void **state) {
    static const char still[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
        "bodies:\n  rod: {mass: 2.385, inertia: 0.21, along: [[0, 0], [0, -1.1]]}\n"
        "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0], start: {angle: 1e-7}}\n"
        "units: {energy: mJ}\nsimulation: {end: 2, tolerance: 1e-8, coordinates: reference}\n";
    fixture *f = *state;
    const char *const file = "still.h5";
    hol_sim_info info = {.size = sizeof info};
    if (!built_with("web") || !built_with("hdf5") || !built_with("fyaml")) skip();
    run r = run_text(still, NULL);
    hol_writer *writer = hol_writer_open(r.sim, file);
    assert_non_null(writer);
    for (int i = 0; i <= 100; i++) {
        assert_int_equal(hol_sim_advance(r.sim, 0.02 * i), HOL_OK);
        assert_int_equal(hol_writer_record(writer), HOL_OK);
    }
    assert_int_equal(hol_writer_close(writer), HOL_OK);
    assert_int_equal(hol_sim_describe(r.sim, &info), HOL_OK);
    assert_int_equal(hol_report_write(f->ctx, 1, &file, "still.html"), HOL_OK);
    char *html = slurp("still.html", NULL);
    const double shown = largest_energy_error(html);
    if (!(shown > 0 && shown < 2 * info.relative_energy_error)) /* outputs lie between steps */
        fail_msg("the page shows %g, the run says %g", shown, info.relative_energy_error);
    free(html);
    run_close(&r);
}

/* ---- memory ---- */

/* The k-th allocation fails: nothing crashes, nothing leaks, and success is claimed only when the
 * file is there. */
static void test_failing_memory(void **state) {
    (void)state;
    const char *const csv[] = {"memory.csv"}, *const h5[] = {"memory.h5"},
                      *const names[] = {"tip.x", "tip.y"};
    const int full = built_with("hdf5") && built_with("fyaml"), cairo = built_with("cairo");
    write_result(csv[0]);
    if (full) write_result(h5[0]);
    for (int kind = 0; kind < (full ? built_with("web") ? 6 : 5 : 2); kind++) {
        int succeeded = 0;
        if (kind == 1 && !cairo) continue;
        for (long k = 0; !succeeded && k < 200000; k += 1 + k / 12) {
            counting c;
            hol_context *ctx = failing_context(&c, k + 1);
            const hol_chart chart = chart_of(csv, 2, names);
            const hol_frames frames = {.rate = 5, .width = 120, .height = 90, .png = cairo};
            const hol_strobe strobe = {.every = 0.1, .width = 120, .height = 90, .names = 1};
            const hol_motion motion = {.rate = 5};
            int n;
            remove("memory.out");
            const hol_status status =
                !ctx        ? HOL_ERR_MEMORY
                : kind == 0 ? hol_chart_write(ctx, &chart, "memory.svg")
                : kind == 1 ? hol_chart_write(ctx, &chart, "memory.png")
                : kind == 2 ? hol_frames_write(ctx, h5[0], &frames, ".", &n)
                : kind == 3 ? hol_strobe_write(ctx, h5[0], &strobe, "memory.svg", &n)
                : kind == 4 ? hol_motion_write(ctx, h5[0], &motion, "memory.glb", &n)
                            : hol_report_write(ctx, 1, h5, "memory.html");
            hol_context_free(ctx);
            assert_int_equal(c.live, 0);
            succeeded = status == HOL_OK && c.made <= k;
        }
        assert_true(succeeded);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_chart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_chart_options, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_figures, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_frames, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_strobe, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_page, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_energy_error, set_up, tear_down),
        cmocka_unit_test(test_failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

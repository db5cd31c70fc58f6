/* test_rewrite.c: model files with other numbers of parameters and everything else as it was
 * written. */
#define _GNU_SOURCE
#include "yaml_fixture.h"

#include <math.h>

#define with_spec(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

/* The text of f->spec with one or two parameters changed. */
static char *change(fixture *f, int n, const char *const *names, const double *values) {
    char *text = hol_spec_rewrite(f->spec, n, names, values);
    if (!text) print_error("%s\n", hol_message_get(f->ctx, 0)->text);
    assert_non_null(text);
    return text;
}

static void check(fixture *f, const char *before, const char *name, double value,
                  const char *after) {
    read_good(f, before);
    char *text = change(f, 1, &name, &value);
    assert_string_equal(text, after);
    hol_free(f->ctx, text);
}

/* Units, quotes, comments, order, blanks and line ends stay; one number changes. */
static void in_place(void **state) {
    fixture *f = *state;
    check(f, "parameters: {L: 0.3, k: 12}\n", "L", 0.25, "parameters: {L: 0.25, k: 12}\n");
    check(f, "# größe\nparameters:\n  # länge\n  L: 600 mm   # of the rod\n  b: [é, 1]\nx: L\n",
          "L", 0.4375,
          "# größe\nparameters:\n  # länge\n  L: 437.5 mm   # of the rod\n  b: [é, 1]\nx: L\n");
    check(f, "parameters: {ä: 1, start: -30 deg}\n", "start", 0,
          "parameters: {ä: 1, start: 0 deg}\n");
    check(f, "parameters:\r\n  a: \"12 N/mm\"\r\n  b: 3\r\n", "a", 13500.,
          "parameters:\r\n  a: \"13.5 N/mm\"\r\n  b: 3\r\n");
    check(f, "parameters:\n  a: '5kg'\n", "a", 5.25, "parameters:\n  a: '5.25kg'\n");
    check(f, "{\"parameters\": {\"a\": 1e3, \"b\": -2}}\n", "b", -7.5,
          "{\"parameters\": {\"a\": 1e3, \"b\": -7.5}}\n");
    assert_int_equal(hol_message_count(f->ctx), 0);
}

/* Numbers by their paths, in maps and lists. */
static void by_path(void **state) {
    fixture *f = *state;
    const char before[] =
        "gravity: [0, -9.81] # down\nbodies:\n  rod: {mass: 5 kg, at: [1, 2 mm]}\n"
        "parameters: {a: 2}\n";
    check(f, before, "bodies.rod.mass", 4.25,
          "gravity: [0, -9.81] # down\nbodies:\n  rod: {mass: 4.25 kg, at: [1, 2 mm]}\n"
          "parameters: {a: 2}\n");
    check(f, before, "bodies.rod.at.1", 0.0075,
          "gravity: [0, -9.81] # down\nbodies:\n  rod: {mass: 5 kg, at: [1, 7.5 mm]}\n"
          "parameters: {a: 2}\n");
    check(f, before, "gravity.1", -1.62,
          "gravity: [0, -1.62] # down\nbodies:\n  rod: {mass: 5 kg, at: [1, 2 mm]}\n"
          "parameters: {a: 2}\n");
    check(f, before, "parameters.a", 2.5,
          "gravity: [0, -9.81] # down\nbodies:\n  rod: {mass: 5 kg, at: [1, 2 mm]}\n"
          "parameters: {a: 2.5}\n");
}

/* Digits: what is read back is the value, to the rounding of its unit. */
static void digits(void **state) {
    fixture *f = *state;
    const char *const names[] = {"a", "b"};
    const double values[] = {0.1 + 0.2, 1. / 3};
    read_good(f, "parameters: {a: 1, b: 2 in}\n");
    char *text = change(f, 2, names, values);
    double a, b;
    assert_int_equal(sscanf(text, "parameters: {a: %lf, b: %lf in}", &a, &b), 2);
    assert_true(a == values[0]);
    assert_true(fabs(b * 0.0254 - values[1]) < 2e-16);
    hol_free(f->ctx, text);
}

/* An expression becomes a number, with a note at its place. */
static void expressions(void **state) {
    fixture *f = *state;
    check(f, "parameters:\n  a: 2 m\n  b: 2*a + 5 mm # half\n", "b", 1.5,
          "parameters:\n  a: 2 m\n  b: 1.5 # half\n");
    assert_int_equal(hol_message_count(f->ctx), 1);
    assert_int_equal(hol_message_get(f->ctx, 0)->where.line, 3);
    assert_true(said(f->ctx, "was the expression '2*a + 5 mm'"));
}

/* What one included file defines, the new file overrides: in a section of lines, in braces, in a
 * new section. */
static void included(void **state) {
    fixture *f = *state;
    static const char
        *const before[] = {"include: part.yaml\nparameters:\n    c: 3\nx: 1\n",
                           "include: part.yaml\nparameters: {c: 3}\n", "include: part.yaml\nx: 1",
                           "{\"include\": \"part.yaml\", \"parameters\": {}}"},
               *const after[] = {
                   "include: part.yaml\nparameters:\n    a: 1.5\n    b: 2.5\n    c: 3\nx: 1\n",
                   "include: part.yaml\nparameters: {\"a\": 1.5, \"b\": 2.5, c: 3}\n",
                   "include: part.yaml\nx: 1\nparameters: {\"a\": 1.5, \"b\": 2.5}\n",
                   "{\"include\": \"part.yaml\", \"parameters\": {\"a\": 1.5, \"b\": 2.5, }}"};
    const char *const names[] = {"a", "b"};
    const double values[] = {1.5, 2.5};
    put_text("part.yaml", "parameters: {a: 10 mm, b: a}\n");
    for (int i = 0; i < 4; i++) {
        again(f);
        assert_int_equal(hol_spec_read_file(f->spec, put_text("whole.yaml", before[i])), HOL_OK);
        char *text = change(f, 2, names, values);
        assert_string_equal(text, after[i]);
        assert_true(said(f->ctx, "parameter 'a' stands here; the new file overrides it"));
        /* and it is read so */
        char *path = put_text("new.yaml", text);
        hol_free(f->ctx, text);
        again(f);
        assert_int_equal(hol_spec_read_file(f->spec, path), HOL_OK);
        assert_string_equal(node_at(f->spec, "parameters.a")->text, "1.5");
        assert_string_equal(node_at(f->spec, "parameters.b")->text, "2.5");
    }
}

/* Options that an included file sets cannot be set again: that is told, others are added. */
static void included_options(void **state) {
    fixture *f = *state;
    put_text("part.yaml", "parameters: {a: 1}\nsimulation: {end: 5}\n");
    again(f);
    assert_int_equal(hol_spec_read_file(f->spec, put_text("whole.yaml", "include: part.yaml\n")),
                     HOL_OK);
    hol_spec_set(f->spec, "end", "2", "--end");
    hol_spec_set(f->spec, "tolerance", "1e-7", "--tol");
    const char *name = "a";
    const double value = 1.25;
    char *text = change(f, 1, &name, &value);
    assert_string_equal(text, "include: part.yaml\nparameters: {\"a\": 1.25}\nsimulation: "
                              "{\"tolerance\": 1e-7}\n");
    assert_true(
        said(f->ctx, "'simulation.end' was set to '2' by --end, which is not in the new file"));
    char *path = put_text("new.yaml", text);
    hol_free(f->ctx, text);
    again(f);
    assert_int_equal(hol_spec_read_file(f->spec, path), HOL_OK);
}

/* What was set by calls is put in its place, or told. */
static void settings(void **state) {
    fixture *f = *state;
    read_good(f, "parameters: {a: 1, b: 2}\nbodies:\n  rod: {mass: 3 kg, at: [1, 2]}\n");
    hol_spec_set(f->spec, "b", "4 + a", "--set");
    hol_spec_set(f->spec, "a", "7", "--set");
    hol_spec_set(f->spec, "bodies.rod.mass", "5 kg", "--set");
    hol_spec_set(f->spec, "bodies.rod.at.1", "a", "--set");
    hol_spec_set(f->spec, "end", "2.5", "--end");
    hol_spec_set(f->spec, "tolerance", "1e-7", "--tol");
    hol_spec_set(f->spec, "bodies.rod.inertia", "0.3", "--set");
    const char *name = "a";
    const double value = 1.25;
    char *text = change(f, 1, &name, &value);
    assert_string_equal(text,
                        "parameters: {a: 1.25, b: 4 + a}\nbodies:\n  rod: {mass: 5 kg, at: [1, "
                        "a]}\nsimulation: {\"end\": 2.5, \"tolerance\": 1e-7}\n");
    assert_int_equal(hol_message_count(f->ctx), 1);
    assert_true(said(f->ctx, "'bodies.rod.inertia' was set to '0.3' by --set, which is not in "
                             "the new file; write it there by hand"));
    hol_free(f->ctx, text);
}

/* Aliases and texts over several lines are refused, with their place. */
static void refused(void **state) {
    fixture *f = *state;
    static const char *const texts[] = {
        "parameters:\n  b: &x 3\n  a: *x\n", "parameters:\n  a: &x 3\n  b: *x\n",
        "parameters:\n  a: 2 +\n    3\n", "parameters:\n  a: \"\\x32\"\n"};
    const char *name = "a";
    const double value = 4, none = NAN;
    for (int i = 0; i < 4; i++) {
        read_good(f, texts[i]);
        assert_null(hol_spec_rewrite(f->spec, 1, &name, &value));
        assert_true(said(f->ctx, "cannot be replaced in its place"));
        assert_true(hol_message_get(f->ctx, hol_message_count(f->ctx) - 1)->where.line >= 2);
    }
    read_good(f, "parameters: {a: 1}\n");
    assert_null(hol_spec_rewrite(f->spec, 1, &name, &none));
    name = "c";
    assert_null(hol_spec_rewrite(f->spec, 1, &name, &value));
    assert_true(said(f->ctx, "'c' is neither a parameter nor the path of a number"));
    name = "bodies.rod.at"; /* a list */
    read_good(f, "bodies:\n  rod: {mass: 5 kg, at: [1, 2]}\n");
    assert_null(hol_spec_rewrite(f->spec, 1, &name, &value));
}

/* A description that was built by calls has no file: its text with the values. */
static void built(void **state) {
    fixture *f = *state;
    again(f);
    hol_item_number(hol_spec_section(f->spec, "parameters"), "a", 2);
    const char *name = "a";
    const double value = 4.5;
    char *text = change(f, 1, &name, &value);
    assert_string_equal(text, "parameters:\n  a: 4.5\n");
    hol_free(f->ctx, text);
}

/* Without memory it ends with nothing lost. */
static void without_memory(void **state) {
    (void)state;
    const char *const names[] = {"a", "b"};
    const double values[] = {1.5, 2.5};
    int done = 0;
    for (long k = 1; !done; k++) {
        counting c;
        hol_context *ctx = counting_context(&c);
        hol_spec *spec = hol_spec_new(ctx);
        assert_int_equal(hol_spec_read_text(spec, "parameters: {a: 1 mm, b: 2*a}\nx: [1]\n", "m"),
                         HOL_OK);
        hol_spec_set(spec, "end", "3", "--end");
        c.fail_at = c.made + k;
        char *text = hol_spec_rewrite(spec, 2, names, values);
        done = c.made < c.fail_at;
        assert_true(done ? text != NULL : 1);
        hol_free(ctx, text);
        hol_spec_free(spec);
        hol_context_free(ctx);
        assert_int_equal(c.live, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        with_spec(in_place),       with_spec(by_path),  with_spec(digits),
        with_spec(expressions),    with_spec(included), with_spec(included_options),
        with_spec(settings),       with_spec(refused),  with_spec(built),
        with_spec(without_memory),
    };
    if (!mkdtemp(dir)) return 1;
    const int failed = run_tests_of_models("rewrite", tests);
    remove_all();
    return failed;
}

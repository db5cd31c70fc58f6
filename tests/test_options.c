/* test_options.c: options as an object: the table, typed values, texts, places, and what a model
 * and a run make of them. */
#include "mechanism_fixture.h"

typedef struct fixture {
    hol_context *ctx;
    hol_options *options;
} fixture;

static int setup(void **state) {
    fixture *f = calloc(1, sizeof *f);
    f->ctx = hol_context_new();
    f->options = hol_options_new(f->ctx);
    *state = f;
    return f->options ? 0 : -1;
}

static int teardown(void **state) {
    fixture *f = *state;
    hol_options_free(f->options);
    hol_context_free(f->ctx);
    free(f);
    return 0;
}

static double real_of(const hol_options *options, const char *name) {
    double value = NAN;
    assert_int_equal(hol_options_get_real(options, name, &value), HOL_OK);
    return value;
}

static const char *choice_of(const hol_options *options, const char *name) {
    const char *word = NULL;
    assert_int_equal(hol_options_get_choice(options, name, &word), HOL_OK);
    return word;
}

/* ---- the table ---- */

/* Every name is there once, and a new object has every default, as text that reads back. */
static void test_table(void **state) {
    fixture *f = *state;
    const hol_option *row;
    char text[32], again[32];
    int n = 0;
    for (; (row = hol_option_get(n)); n++) {
        assert_ptr_equal(hol_option_find(row->name), row);
        assert_false(hol_options_is_given(f->options, row->name));
        assert_null(hol_options_where(f->options, row->name).file);
        assert_non_null(hol_options_text(f->options, row->name, text, sizeof text));
        assert_int_equal(hol_options_set(f->options, row->name, row->initial, "test"), HOL_OK);
        assert_string_equal(hol_options_text(f->options, row->name, again, sizeof again), text);
        assert_true(hol_options_is_given(f->options, row->name));
        assert_string_equal(hol_options_where(f->options, row->name).file, "test");
    }
    assert_true(n > 30);
    assert_null(hol_option_get(-1));
    assert_null(hol_option_find("no such thing"));
    assert_null(hol_options_text(f->options, "no such thing", text, sizeof text));
    assert_int_equal(hol_message_count(f->ctx), 0);
}

/* The text of a number has all its bits. */
static void test_text_has_all_bits(void **state) {
    fixture *f = *state;
    uint64_t seed = 2385;
    char text[32];
    for (int i = 0; i < 1000; i++) {
        const double x = exp(60 * random_one(&seed));
        assert_int_equal(hol_options_set_real(f->options, "max_step", x), HOL_OK);
        hol_options_text(f->options, "max_step", text, sizeof text);
        assert_int_equal(hol_options_set_real(f->options, "max_step", 0), HOL_OK);
        assert_int_equal(hol_options_set(f->options, "max_step", text, NULL), HOL_OK);
        assert_true(real_of(f->options, "max_step") == x);
    }
}

/* ---- setting ---- */

static void test_typed(void **state) {
    fixture *f = *state;
    long long whole = 0;
    double x = 7.25;
    assert_int_equal(hol_options_set_real(f->options, "tolerance", 2.385e-9), HOL_OK);
    assert_true(real_of(f->options, "tolerance") == 2.385e-9);
    assert_int_equal(hol_options_set_integer(f->options, "max_steps", 123456789012LL), HOL_OK);
    assert_int_equal(hol_options_get_integer(f->options, "max_steps", &whole), HOL_OK);
    assert_true(whole == 123456789012LL);
    assert_int_equal(hol_options_set_choice(f->options, "method", "lagrange"), HOL_OK);
    assert_string_equal(choice_of(f->options, "method"), "lagrange");
    assert_int_equal(hol_message_count(f->ctx), 0);
    /* of another kind: refused with the setter that takes it, and nothing changes */
    assert_int_equal(hol_options_set_real(f->options, "method", 2), HOL_ERR_ARGUMENT);
    assert_true(said(f->ctx, "hol_options_set_choice"));
    assert_int_equal(hol_options_get_real(f->options, "max_steps", &x), HOL_ERR_ARGUMENT);
    assert_true(x == 7.25);
    assert_string_equal(choice_of(f->options, "method"), "lagrange");
}

/* Lists: from texts, from one text with commas, copied, and back; an empty one is none. */
static void test_lists(void **state) {
    fixture *f = *state;
    static const char *const texts[] = {"crank.angle", "2*rod.x - rod.y"};
    const char *text = NULL;
    char all[64];
    assert_int_equal(hol_options_set_list(f->options, "independent", 2, texts), HOL_OK);
    assert_string_equal(hol_options_text(f->options, "independent", all, sizeof all),
                        "crank.angle, 2*rod.x - rod.y");
    hol_options *copy = hol_options_copy(f->ctx, f->options);
    assert_non_null(copy);
    assert_int_equal(hol_options_set(f->options, "independent", " a.x ,b.y", "--set"), HOL_OK);
    assert_int_equal(hol_options_get_text(f->options, "independent", 1, &text), HOL_OK);
    assert_string_equal(text, "b.y");
    assert_int_equal(hol_options_get_text(f->options, "independent", 0, &text), HOL_OK);
    assert_string_equal(text, "a.x");
    assert_int_equal(hol_options_get_text(f->options, "independent", 2, &text), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_options_get_text(f->options, "independent", -1, &text), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_options_set(f->options, "independent", "", NULL), HOL_OK);
    assert_int_equal(hol_options_get_text(f->options, "independent", 0, &text), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_options_get_text(copy, "independent", 1, &text), HOL_OK);
    assert_string_equal(text, texts[1]);
    assert_string_equal(hol_options_text(copy, "independent", all, 6), "crank");
    assert_int_equal(hol_message_count(f->ctx), 0);
    assert_int_equal(hol_options_set_real(f->options, "independent", 2), HOL_ERR_ARGUMENT);
    assert_true(said(f->ctx, "hol_options_set_list"));
    hol_options_free(copy);
}

/* Each wrong value is refused with these words, at its origin, and the value stays. */
static void test_refused(void **state) {
    static const struct {
        const char *name, *text, *words;
    } cases[] = {
        {"tolerence", "1e-9", "unknown option 'tolerence'; did you mean 'tolerance'?"},
        {"tolerance", "0.7", "'tolerance' is 0.7; it must lie between 1e-15 and 0.1"},
        {"tolerance", "1e-9 s", "has the wrong unit; expected a plain number"},
        {"end", "3 m", "has the wrong unit; expected s"},
        {"end", "T", "unknown name 'T'"},
        {"end", "1/0", "is not a finite number"},
        {"end", "nan", ""},
        {"max_steps", "2.5", "'max_steps' is a whole number, found 2.5"},
        {"max_steps", "-3", "it must lie between 0 and"},
        {"method", "lagrage", "did you mean 'lagrange'?"},
        {"storage", "thin", "'thin' is not a value of 'storage'; one of: auto, dense, sparse"},
    };
    fixture *f = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char before[32] = "", after[32] = "";
        hol_message_clear(f->ctx);
        hol_options_text(f->options, cases[i].name, before, sizeof before);
        assert_true(hol_options_set(f->options, cases[i].name, cases[i].text, "--here") < 0);
        hol_options_text(f->options, cases[i].name, after, sizeof after);
        assert_string_equal(before, after);
        assert_int_equal(hol_message_count(f->ctx), 1);
        if (!said(f->ctx, cases[i].words))
            fail_msg("%s: %s", cases[i].text, hol_message_get(f->ctx, 0)->text);
        assert_string_equal(hol_message_get(f->ctx, 0)->where.file, "--here");
        assert_string_equal(hol_message_get(f->ctx, 0)->element, "simulation");
    }
    assert_int_equal(hol_options_set_real(f->options, "end", NAN), HOL_ERR_INPUT);
    assert_int_equal(hol_options_set_real(f->options, "end", INFINITY), HOL_ERR_INPUT);
    assert_int_equal(hol_options_set_choice(f->options, "storage", "thin"), HOL_ERR_INPUT);
}

static void test_units(void **state) {
    fixture *f = *state;
    assert_int_equal(hol_options_set(f->options, "step", "2.5 ms", NULL), HOL_OK);
    assert_true(fabs(real_of(f->options, "step") - 0.0025) < 1e-18);
    assert_int_equal(hol_options_set(f->options, "end", "2*pi", NULL), HOL_OK);
    assert_true(fabs(real_of(f->options, "end") - 6.283185307179586) < 1e-14);
    assert_null(hol_options_where(f->options, "end").file);
    assert_true(hol_options_is_given(f->options, "end"));
}

/* A copy has its own values and places, and outlives the original. */
static void test_copy(void **state) {
    fixture *f = *state;
    hol_context *other = hol_context_new();
    char origin[] = "--end";
    assert_int_equal(hol_options_set(f->options, "end", "2.385", origin), HOL_OK);
    origin[2] = 'x'; /* the place was copied */
    hol_options *copy = hol_options_copy(other, f->options);
    assert_int_equal(hol_options_set_real(f->options, "end", 9), HOL_OK);
    hol_options_free(f->options);
    f->options = NULL;
    assert_true(real_of(copy, "end") == 2.385);
    assert_string_equal(hol_options_where(copy, "end").file, "--end");
    assert_true(hol_options_is_given(copy, "end") && !hol_options_is_given(copy, "start"));
    assert_true(hol_options_set_real(copy, "nothing", 1) < 0);
    assert_int_equal(hol_message_count(other), 1);
    assert_int_equal(hol_message_count(f->ctx), 0);
    hol_options_free(copy);
    hol_context_free(other);
}

/* ---- of a description ---- */

#define PENDULUM                                                                                   \
    "bodies:\n  rod: {mass: 1.7, inertia: 0.3, position: [0.4, 0]}\n"                              \
    "joints:\n  pin: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"

static const char pendulum[] = "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
                               "parameters: {T: 0.35}\n" PENDULUM "simulation:\n"
                               "  end: 2*T\n  tolerance: 1e-9\n  method: nullspace\n";

static hol_spec *read(hol_context *ctx, const char *text) {
    hol_spec *spec = hol_spec_new(ctx);
    if (hol_spec_read_text(spec, text, "p.yaml")) fail_with_messages(ctx, text);
    return spec;
}

static void test_from_spec(void **state) {
    fixture *f = *state;
    if (!reads_yaml()) skip();
    hol_spec *spec = read(f->ctx, pendulum);
    hol_options *options = hol_options_from_spec(f->ctx, spec);
    assert_non_null(options);
    hol_spec_free(spec);
    assert_true(real_of(options, "end") == 2 * 0.35);
    assert_string_equal(choice_of(options, "method"), "nullspace");
    const hol_location where = hol_options_where(options, "end");
    assert_string_equal(where.file, "p.yaml");
    assert_int_equal(where.line, 10);
    assert_int_equal(where.column, 8);
    assert_false(hol_options_is_given(options, "step"));
    hol_options_free(options);
}

/* All errors of the section in one reading, each at its place; those of a parameter once, when the
 * model is compiled. */
static void test_spec_errors(void **state) {
    static const struct {
        int line;
        const char *words;
    } wanted[] = {
        {4, "unknown name 'L'"},      {10, "'end' needs a parameter that cannot be evaluated"},
        {11, "it must lie between"},  {12, "unknown option 'metod'; did you mean 'method'?"},
        {13, "takes a single value"}, {14, "is not a value of 'kernel'"}};
    fixture *f = *state;
    if (!reads_yaml()) skip();
    hol_options *options = f->options;
    hol_spec *spec = read(f->ctx, "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
                                  "parameters: {T: 2*L}\n" PENDULUM "simulation:\n  end: 2*T\n"
                                  "  tolerance: 3\n  metod: auto\n  step: [1, 2]\n  kernel: qr\n");
    assert_null(hol_model_from_spec(f->ctx, spec, &options));
    assert_null(options);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        int found = 0;
        for (int k = 0; k < hol_message_count(f->ctx); k++) {
            const hol_message *m = hol_message_get(f->ctx, k);
            found += m->where.line == wanted[i].line && strstr(m->text, wanted[i].words) != NULL;
        }
        if (found != 1) fail_with_messages(f->ctx, wanted[i].words);
    }
    assert_int_equal(hol_message_count(f->ctx), 6);
    hol_spec_free(spec);
}

/* ---- coordinates ---- */

/* What is named is taken; otherwise what the method needs, and with method auto the model
 * decides. */
static void test_coordinates(void **state) {
    static const char *const cases[][3] = {
        {"auto", "auto", "auto"},
        {"auto", "lagrange", "reference"},
        {"auto", "velocity-transformation", "relative"},
        {"natural", "auto", "natural"},
        {"reference", "velocity-transformation", "reference"},
    };
    fixture *f = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(hol_options_set_choice(f->options, "coordinates", cases[i][0]), HOL_OK);
        assert_int_equal(hol_options_set_choice(f->options, "method", cases[i][1]), HOL_OK);
        assert_string_equal(hol_options_coordinates(f->options), cases[i][2]);
    }
}

/* Coordinates are those of the model: options that name others, and words that name none, are
 * refused. */
static void test_model_keeps_coordinates(void **state) {
    fixture *f = *state;
    if (!reads_yaml()) skip();
    hol_spec *spec = read(f->ctx, pendulum);
    assert_null(hol_model_compile(f->ctx, spec, "relatve"));
    assert_true(said(f->ctx, "there are no coordinates 'relatve'"));
    hol_model *model = hol_model_compile(f->ctx, spec, "relative");
    assert_non_null(strstr(model_info(model).coordinates, "relative"));
    assert_int_equal(hol_options_set_choice(f->options, "coordinates", "natural"), HOL_OK);
    assert_null(hol_sim_new(f->ctx, model, f->options));
    assert_true(said(f->ctx, "a model in relative coordinates do not go together"));
    assert_int_equal(hol_options_set_choice(f->options, "coordinates", "auto"), HOL_OK);
    hol_sim *sim = hol_sim_new(f->ctx, model, f->options);
    assert_non_null(sim);
    hol_sim_free(sim);
    hol_model_free(model);
    hol_spec_free(spec);
}

/* ---- one model, several runs ---- */

/* Two runs of one model with options of their own; without options they are the defaults, whatever
 * the file says. */
static void test_runs(void **state) {
    fixture *f = *state;
    if (!reads_yaml()) skip();
    hol_spec *spec = read(f->ctx, pendulum);
    hol_model *model = hol_model_compile(f->ctx, spec, NULL);
    hol_options_set_real(f->options, "end", 0.6);
    hol_options_set_real(f->options, "step", 0.01);
    hol_sim *a = hol_sim_new(f->ctx, model, f->options);
    hol_options_set_real(f->options, "end", 0.3); /* the run has a copy */
    hol_sim *b = hol_sim_new(f->ctx, model, f->options), *c = hol_sim_new(f->ctx, model, NULL);
    assert_int_equal(hol_sim_run(a, NULL), HOL_OK);
    assert_int_equal(hol_sim_run(b, NULL), HOL_OK);
    assert_true(sim_info(a).t == 0.6 && sim_info(a).steps == 60);
    assert_true(sim_info(b).t == 0.3 && sim_info(b).steps == 30);
    assert_true(sim_info(c).t_end == 10);
    assert_true(real_of(hol_sim_options(a), "end") == 0.6);
    assert_ptr_equal(hol_sim_model(a), model);
    hol_sim_free(a), hol_sim_free(b), hol_sim_free(c);
    hol_model_free(model);
    hol_spec_free(spec);
}

/* A clash names the place where the option was set. */
static void test_clash_has_a_place(void **state) {
    fixture *f = *state;
    if (!reads_yaml()) skip();
    hol_spec *spec = read(f->ctx, pendulum);
    hol_model *model = hol_model_compile(f->ctx, spec, NULL);
    hol_options_set(f->options, "integrator", "rk4", "--integrator");
    assert_null(hol_sim_new(f->ctx, model, f->options));
    const hol_message *m = hol_message_get(f->ctx, hol_message_count(f->ctx) - 1);
    assert_string_equal(m->where.file, "--integrator");
    hol_model_free(model);
    hol_spec_free(spec);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_table, setup, teardown),
        cmocka_unit_test_setup_teardown(test_text_has_all_bits, setup, teardown),
        cmocka_unit_test_setup_teardown(test_typed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_lists, setup, teardown),
        cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_units, setup, teardown),
        cmocka_unit_test_setup_teardown(test_copy, setup, teardown),
        cmocka_unit_test_setup_teardown(test_from_spec, setup, teardown),
        cmocka_unit_test_setup_teardown(test_spec_errors, setup, teardown),
        cmocka_unit_test_setup_teardown(test_coordinates, setup, teardown),
        cmocka_unit_test_setup_teardown(test_model_keeps_coordinates, setup, teardown),
        cmocka_unit_test_setup_teardown(test_runs, setup, teardown),
        cmocka_unit_test_setup_teardown(test_clash_has_a_place, setup, teardown),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}

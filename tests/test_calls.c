/* test_calls.c: every public call, with every argument that it does not take: objects and pointers
 * that are NULL, indices that do not exist (among them the -1 of a name that is not there), sizes
 * that are too small, numbers that are none. A call returns HOL_ERR_ARGUMENT, with a message where
 * there is a context to report to, or the neutral value of its header, and nothing is changed.
 *
 * The rows are compared with docs/abi.txt: a call without a row fails the test.
 */
#include "model_fixture.h"

#include <limits.h>
#include <math.h>

/* ---- what the calls are made on ---- */

/* One of everything. The model is made by calls, so that the test needs no reader. */
typedef struct scene {
    hol_context *ctx;
    hol_spec *spec;
    hol_model *model;
    hol_options *options;
    hol_sim *sim;
    hol_data *data;
    hol_result *result;
} scene;

static scene s;

static hol_status record(void *user, hol_sim *sim) {
    (void)sim;
    return hol_writer_record(user);
}

/* A run of the scene as a file. */
static void write_result(void) {
    hol_writer *writer = hol_writer_open(s.sim, "calls.csv");
    const hol_observer observer = {.on_output = record, .user = writer};
    assert_non_null(writer);
    assert_int_equal(hol_sim_run(s.sim, &observer), HOL_OK);
    assert_int_equal(hol_writer_close(writer), HOL_OK);
    s.result = hol_result_read(s.ctx, "calls.csv");
    assert_non_null(s.result);
}

static hol_spec *make_spec(hol_context *ctx) {
    static const char *const bodies[] = {"ground", "rod"};
    static const double gravity[2] = {0, -9.81}, origin[2] = {0, 0}, centre[2] = {0.3, 0.05},
                        above[2] = {0.1, 0.7};
    hol_spec *spec = hol_spec_new(ctx);
    assert_non_null(spec);
    hol_item_number(hol_spec_root(spec), "holonom", 1);
    hol_item_text(hol_spec_root(spec), "space", "planar");
    hol_item_vector(hol_spec_root(spec), "gravity", 2, gravity);
    hol_item *rod = hol_spec_add(spec, "bodies", "rod", NULL);
    hol_item_number(rod, "mass", 2.385);
    hol_item_number(rod, "inertia", 0.075);
    hol_item_vector(rod, "position", 2, centre);
    hol_item *hinge = hol_spec_add(spec, "joints", "hinge", "revolute");
    hol_item_texts(hinge, "bodies", 2, bodies);
    hol_item_vector(hinge, "at", 2, origin);
    hol_item *spring = hol_spec_add(spec, "forces", "spring", "spring");
    hol_item_texts(spring, "bodies", 2, bodies);
    hol_item_vector(spring, "from", 2, above);
    hol_item_vector(spring, "to", 2, centre);
    hol_item_number(spring, "stiffness", 31.7);
    hol_item *angle = hol_spec_add(spec, "measures", "angle", "angle");
    hol_item_text(angle, "body", "rod");
    return spec;
}

static void open_scene(void) {
    s = (scene){.ctx = hol_context_new()};
    s.spec = make_spec(s.ctx);
    s.model = hol_model_compile(s.ctx, s.spec, "reference");
    s.options = hol_options_new(s.ctx);
    assert_int_equal(hol_options_set_real(s.options, "end", 0.2), HOL_OK);
    if (!s.model) run_print_messages(s.ctx);
    assert_non_null(s.model);
    s.sim = hol_sim_new(s.ctx, s.model, s.options);
    assert_non_null(s.sim);
    s.data = hol_data_new(s.ctx, s.model);
    assert_non_null(s.data);
    write_result();
}

static void close_scene(void) {
    hol_result_free(s.result);
    hol_data_free(s.data);
    hol_sim_free(s.sim);
    hol_options_free(s.options);
    hol_model_free(s.model);
    hol_spec_free(s.spec);
    hol_context_free(s.ctx);
}

/* ---- what comes of a call ---- */

/* The context of the scene has said an error since it was cleared. */
static int has_error(void) {
    const int n = hol_message_count_of(s.ctx, HOL_ERROR);
    hol_message_clear(s.ctx);
    return n > 0;
}

/* Refused with a message; and without one, where there is nobody to tell. */
#define REFUSED(call)                                                                              \
    do {                                                                                           \
        hol_message_clear(s.ctx);                                                                  \
        assert_int_equal((call), HOL_ERR_ARGUMENT);                                                \
        assert_true(has_error());                                                                  \
    } while (0)
#define REFUSED_QUIETLY(call) assert_int_equal((call), HOL_ERR_ARGUMENT)
/* NULL with a message, and without one. */
#define NONE(call)                                                                                 \
    do {                                                                                           \
        hol_message_clear(s.ctx);                                                                  \
        assert_null((call));                                                                       \
        assert_true(has_error());                                                                  \
    } while (0)
#define NONE_QUIETLY(call) assert_null((call))

static const int no_index[] = {-1, 1000000, INT_MIN, INT_MAX};
enum { N_NO_INDEX = sizeof no_index / sizeof *no_index };

#define EACH_NO_INDEX(i) for (int k_ = 0, i; k_ < N_NO_INDEX && (i = no_index[k_], 1); k_++)

/* ---- status.h, version.h ---- */

static void no_effect_of_free(void) {
    hol_context_free(NULL);
    hol_spec_free(NULL);
    hol_options_free(NULL);
    hol_model_free(NULL);
    hol_data_free(NULL);
    hol_sim_free(NULL);
    hol_result_free(NULL);
    assert_int_equal(hol_writer_close(NULL), HOL_OK);
    hol_free(NULL, NULL);
    hol_free(s.ctx, NULL);
}

static void no_arguments(void) {
    assert_string_equal(hol_version(), HOL_VERSION);
    hol_context *ctx = hol_context_new();
    assert_non_null(ctx);
    hol_context_free(ctx);
}

static void context_new_with(void) {
    const hol_allocator empty = {NULL, NULL, NULL};
    NONE_QUIETLY(hol_context_new_with(NULL));
    NONE_QUIETLY(hol_context_new_with(&empty));
}

static void context_on_message(void) {
    hol_context_on_message(NULL, NULL, NULL);
    hol_context_on_message(s.ctx, NULL, NULL);
}

static void messages(void) {
    assert_int_equal(hol_message_count(NULL), 0);
    assert_int_equal(hol_message_count_of(NULL, HOL_ERROR), 0);
    assert_int_equal(hol_message_count_of(s.ctx, (hol_severity)77), 0);
    NONE_QUIETLY(hol_message_get(NULL, 0));
    hol_spec_set(s.spec, NULL, NULL, NULL); /* so that there is one */
    assert_true(hol_message_count(s.ctx) > 0);
    EACH_NO_INDEX(i) NONE_QUIETLY(hol_message_get(s.ctx, i));
    hol_message_clear(NULL);
}

static void message_format(void) {
    char buf[8] = "before";
    hol_message odd = {(hol_severity)9, HOL_OK, NULL, NULL, {NULL, 0, 0}};
    assert_int_equal(hol_message_format(NULL, buf, sizeof buf), 0);
    assert_string_equal(buf, "");
    assert_int_equal(hol_message_format(&odd, buf, sizeof buf), 0);
    odd.severity = HOL_ERROR;
    assert_int_equal(hol_message_format(&odd, NULL, 100), 7);
    assert_int_equal(hol_message_format(&odd, buf, 0), 7);
}

static void statuses(void) {
    assert_non_null(hol_status_name((hol_status)-99));
    assert_non_null(hol_status_text((hol_status)99));
}

static void tables(void) {
    EACH_NO_INDEX(i) {
        hol_part_doc part = {.size = sizeof part};
        hol_element_doc element = {.size = sizeof element};
        NONE_QUIETLY(hol_feature_get(i));
        NONE_QUIETLY(hol_option_get(i));
        NONE_QUIETLY(hol_statistic_get(i));
        NONE_QUIETLY(hol_method_get(i));
        REFUSED_QUIETLY(hol_part_get(i, &part));
        REFUSED_QUIETLY(hol_element_get(i, &element));
    }
    NONE_QUIETLY(hol_option_find(NULL));
    NONE_QUIETLY(hol_option_find("typo"));
    REFUSED_QUIETLY(hol_part_get(0, NULL));
    REFUSED_QUIETLY(hol_element_get(0, NULL));
    REFUSED_QUIETLY(hol_part_get(0, &(hol_part_doc){.size = 0}));
    assert_string_equal(hol_end_name((hol_end)99), "unknown");
    assert_string_equal(hol_end_name((hol_end)-1), "unknown");
    assert_string_equal(hol_change_name((hol_change)5), "unknown");
    assert_string_equal(hol_change_name((hol_change)-2), "unknown");
}

/* ---- spec.h ---- */

static void spec_new(void) {
    NONE_QUIETLY(hol_spec_new(NULL));
    NONE_QUIETLY(hol_spec_copy(NULL, s.spec));
    NONE_QUIETLY(hol_spec_copy(s.ctx, NULL));
}

/* ---- document.h ---- */

static void documents(void) {
    NONE_QUIETLY(hol_document_read(NULL, "x.yaml"));
    NONE(hol_document_read(s.ctx, NULL));
    NONE(hol_document_read(s.ctx, "there is no such file.yaml"));
    NONE_QUIETLY(hol_document_read_text(NULL, "{}", "x.yaml"));
    NONE(hol_document_read_text(s.ctx, NULL, "x.yaml"));
    NONE(hol_document_read_text(s.ctx, "a: [", NULL));
    hol_document_free(NULL);
    assert_null(hol_document_root(NULL));
    REFUSED_QUIETLY(hol_place_error(NULL, (hol_location){0}, "text"));
    REFUSED(hol_place_error(s.ctx, (hol_location){0}, NULL));
}

/* What is not there is empty. */
static void no_items(void) {
    assert_int_equal(hol_item_kind_of(NULL), HOL_ITEM_EMPTY);
    assert_string_equal(hol_item_key(NULL), "");
    assert_null(hol_item_value(NULL));
    assert_int_equal(hol_item_count(NULL), 0);
    assert_null(hol_item_first(NULL));
    assert_null(hol_item_next(NULL));
    assert_null(hol_item_find(NULL, "key"));
    assert_null(hol_item_find(hol_spec_root(s.spec), NULL));
    assert_null(hol_item_place(NULL).file);
    assert_null(hol_item_key_place(NULL).file);
}

static void formulas(void) {
    static const double x[] = {2.385, -0.7};
    const char *const names[] = {"x"}, *const none[] = {NULL};
    const double *const columns[] = {x}, *const missing[] = {NULL};
    double out[2];
    REFUSED_QUIETLY(hol_formula(NULL, "x", NULL, 1, names, 2, columns, out));
    REFUSED(hol_formula(s.ctx, NULL, NULL, 1, names, 2, columns, out));
    REFUSED(hol_formula(s.ctx, "x", NULL, 1, NULL, 2, columns, out));
    REFUSED(hol_formula(s.ctx, "x", NULL, 1, none, 2, columns, out));
    REFUSED(hol_formula(s.ctx, "x", NULL, 1, names, 2, NULL, out));
    REFUSED(hol_formula(s.ctx, "x", NULL, 1, names, 2, missing, out));
    REFUSED(hol_formula(s.ctx, "x", NULL, 1, names, 2, columns, NULL));
    REFUSED(hol_formula(s.ctx, "x", NULL, -1, names, 2, columns, out));
    REFUSED(hol_formula(s.ctx, "x", NULL, 1, names, INT_MIN, columns, out));
    assert_int_equal(hol_formula(s.ctx, "2*x", NULL, 1, names, 2, columns, out), HOL_OK);
    assert_true(out[0] == 4.77 && out[1] == -1.4);
}

static void spec_read(void) {
    REFUSED_QUIETLY(hol_spec_read_file(NULL, "x.yaml"));
    REFUSED_QUIETLY(hol_spec_read_text(NULL, "{}", "x.yaml"));
    hol_spec *spec = hol_spec_new(s.ctx);
    REFUSED(hol_spec_read_file(spec, NULL));
    REFUSED(hol_spec_read_text(spec, NULL, "x.yaml"));
    REFUSED_QUIETLY(hol_spec_set_include_root(NULL, "."));
    REFUSED(hol_spec_set_include_root(spec, NULL));
    REFUSED(hol_spec_set_include_root(spec, "there/is/none"));
    REFUSED(hol_spec_read_file(s.spec, "x.yaml")); /* it is not empty */
    REFUSED(hol_spec_read_text(s.spec, "{}", NULL));
    hol_spec_free(spec);
}

static void spec_set(void) {
    hol_spec *spec = make_spec(s.ctx);
    REFUSED_QUIETLY(hol_spec_set(NULL, "end", "1", "test"));
    REFUSED(hol_spec_set(spec, NULL, "1", "test"));
    REFUSED(hol_spec_set(spec, "", "1", "test"));
    REFUSED(hol_spec_set(spec, "end", NULL, NULL));
    REFUSED(hol_spec_set(spec, "end", "\xff", NULL));
    NONE(hol_model_compile(s.ctx, spec, NULL)); /* a description that failed does not compile */
    hol_spec_free(spec);
}

static void spec_items(void) {
    hol_spec *spec = make_spec(s.ctx);
    hol_item *root = hol_spec_root(spec);
    static const double one = 1;
    static const char *const holes[] = {"x", NULL};
    NONE_QUIETLY(hol_spec_root(NULL));
    NONE_QUIETLY(hol_spec_section(NULL, "bodies"));
    NONE(hol_spec_section(spec, NULL));
    NONE(hol_spec_section(spec, "space"));
    NONE_QUIETLY(hol_spec_add(NULL, "bodies", "b", NULL));
    NONE(hol_spec_add(spec, NULL, "b", NULL));
    NONE(hol_spec_add(spec, "bodies", NULL, NULL));
    NONE(hol_spec_add(spec, "bodies", "rod", NULL));
    NONE(hol_spec_add(spec, "bodies", "b", "\xff"));
    REFUSED_QUIETLY(hol_item_number(NULL, "key", 1));
    REFUSED(hol_item_number(root, NULL, 1));
    REFUSED_QUIETLY(hol_item_text(NULL, "key", "x"));
    REFUSED(hol_item_text(root, NULL, "x"));
    REFUSED(hol_item_text(root, "key", NULL));
    REFUSED_QUIETLY(hol_item_vector(NULL, "key", 1, &one));
    REFUSED(hol_item_vector(root, NULL, 1, &one));
    REFUSED(hol_item_vector(root, "key", -1, &one));
    REFUSED(hol_item_vector(root, "key", 1, NULL));
    REFUSED_QUIETLY(hol_item_texts(NULL, "key", 1, holes));
    REFUSED(hol_item_texts(root, "key", 2, holes));
    REFUSED(hol_item_texts(root, "key", -1, holes));
    REFUSED(hol_item_texts(root, "key", 1, NULL));
    NONE_QUIETLY(hol_item_map(NULL, "key"));
    NONE(hol_item_map(root, NULL));
    NONE(hol_item_map(root, "space"));
    NONE_QUIETLY(hol_spec_text(NULL));
    const char *const names[] = {"nothing"};
    const double values[] = {1.5};
    NONE_QUIETLY(hol_spec_rewrite(NULL, 0, NULL, NULL));
    NONE(hol_spec_rewrite(spec, 1, NULL, values));
    NONE(hol_spec_rewrite(spec, 1, names, NULL));
    NONE(hol_spec_rewrite(spec, 1, names, values));
    hol_spec_free(spec);
}

/* ---- options.h ---- */

static void options_make(void) {
    NONE_QUIETLY(hol_options_new(NULL));
    NONE_QUIETLY(hol_options_copy(NULL, s.options));
    NONE(hol_options_copy(s.ctx, NULL));
    NONE_QUIETLY(hol_options_from_spec(NULL, s.spec));
    NONE(hol_options_from_spec(s.ctx, NULL));
}

/* Every setter and getter: no options, no name, a name that is none, one of another kind. */
#define NAMED_ARGUMENTS(call, ...)                                                                 \
    do {                                                                                           \
        REFUSED_QUIETLY(call(NULL, "end", __VA_ARGS__));                                           \
        REFUSED(call(s.options, NULL, __VA_ARGS__));                                               \
        REFUSED(call(s.options, "typo", __VA_ARGS__));                                             \
    } while (0)

static void options_set(void) {
    static const char *const texts[] = {"a", NULL};
    NAMED_ARGUMENTS(hol_options_set_real, 1);
    NAMED_ARGUMENTS(hol_options_set_integer, 1);
    NAMED_ARGUMENTS(hol_options_set_bool, 1);
    NAMED_ARGUMENTS(hol_options_set_choice, "auto");
    NAMED_ARGUMENTS(hol_options_set_list, 1, texts);
    NAMED_ARGUMENTS(hol_options_set, "1", NULL);
    REFUSED(hol_options_set_real(s.options, "method", 1));
    REFUSED(hol_options_set_choice(s.options, "method", NULL));
    REFUSED(hol_options_set_list(s.options, "units", -1, texts));
    REFUSED(hol_options_set_list(s.options, "units", 1, NULL));
    REFUSED(hol_options_set_list(s.options, "units", 2, texts));
    REFUSED(hol_options_set(s.options, "end", NULL, NULL));
    assert_int_equal(hol_options_set_real(s.options, "end", NAN), HOL_ERR_INPUT);
    assert_true(has_error());
    assert_int_equal(hol_options_set_real(s.options, "end", INFINITY), HOL_ERR_INPUT);
    assert_true(has_error());
}

static void options_get(void) {
    double real = 0;
    long long integer;
    int truth;
    const char *text;
    char buf[64];
    NAMED_ARGUMENTS(hol_options_get_real, &real);
    NAMED_ARGUMENTS(hol_options_get_integer, &integer);
    NAMED_ARGUMENTS(hol_options_get_bool, &truth);
    NAMED_ARGUMENTS(hol_options_get_choice, &text);
    NAMED_ARGUMENTS(hol_options_get_text, 0, &text);
    REFUSED(hol_options_get_real(s.options, "end", NULL));
    REFUSED(hol_options_get_choice(s.options, "method", NULL));
    REFUSED(hol_options_get_text(s.options, "units", 0, NULL));
    EACH_NO_INDEX(i) REFUSED_QUIETLY(hol_options_get_text(s.options, "units", i, &text));
    NONE_QUIETLY(hol_options_text(NULL, "end", buf, sizeof buf));
    NONE_QUIETLY(hol_options_text(s.options, NULL, buf, sizeof buf));
    NONE_QUIETLY(hol_options_text(s.options, "typo", buf, sizeof buf));
    NONE_QUIETLY(hol_options_text(s.options, "end", NULL, 10));
    assert_ptr_equal(hol_options_text(s.options, "end", buf, 0), buf);
    assert_int_equal(hol_options_is_given(NULL, "end"), 0);
    assert_int_equal(hol_options_is_given(s.options, NULL), 0);
    assert_null(hol_options_where(NULL, "end").file);
    assert_null(hol_options_where(s.options, NULL).file);
    assert_string_equal(hol_options_coordinates(NULL), "auto");
    assert_string_equal(hol_options_run_coordinates(NULL), "cheapest");
    assert_int_equal(hol_options_get_real(s.options, "end", &real), HOL_OK);
    assert_true(real == 0.2);
}

/* ---- model.h ---- */

static void model_make(void) {
    hol_options *options = (hol_options *)&s;
    NONE_QUIETLY(hol_model_compile(NULL, s.spec, NULL));
    NONE(hol_model_compile(s.ctx, NULL, NULL));
    NONE(hol_model_compile(s.ctx, s.spec, "typo"));
    NONE_QUIETLY(hol_model_from_spec(NULL, s.spec, &options));
    assert_null(options);
    NONE(hol_model_from_spec(s.ctx, NULL, NULL));
    options = (hol_options *)&s;
    NONE_QUIETLY(hol_model_from_file(NULL, "x.yaml", &options));
    assert_null(options);
    NONE(hol_model_from_file(s.ctx, NULL, NULL));
    NONE(hol_model_from_file(s.ctx, "there/is/none.yaml", NULL));
}

static void model_names(void) {
    double gravity[3] = {1, 2, 3};
    assert_int_equal(hol_model_body(NULL, "rod"), -1);
    assert_int_equal(hol_model_body(s.model, NULL), -1);
    assert_int_equal(hol_model_joint(NULL, "hinge"), -1);
    assert_int_equal(hol_model_joint(s.model, NULL), -1);
    assert_int_equal(hol_model_joint(s.model, "typo"), -1);
    assert_int_equal(hol_model_force(NULL, "spring"), -1);
    assert_int_equal(hol_model_force(s.model, NULL), -1);
    assert_int_equal(hol_model_measure_index(NULL, "angle"), -1);
    assert_int_equal(hol_model_measure_index(s.model, NULL), -1);
    NONE_QUIETLY(hol_model_measure(NULL, 0));
    NONE_QUIETLY(hol_model_parameter(NULL, 0));
    NONE_QUIETLY(hol_model_body_name(NULL, 0));
    NONE_QUIETLY(hol_model_joint_name(NULL, 0));
    NONE_QUIETLY(hol_model_force_name(NULL, 0));
    NONE_QUIETLY(hol_model_row(NULL, 0));
    EACH_NO_INDEX(i) {
        NONE_QUIETLY(hol_model_measure(s.model, i));
        NONE_QUIETLY(hol_model_parameter(s.model, i));
        NONE_QUIETLY(hol_model_body_name(s.model, i));
        NONE_QUIETLY(hol_model_joint_name(s.model, i));
        NONE_QUIETLY(hol_model_force_name(s.model, i));
        NONE_QUIETLY(hol_model_row(s.model, i));
    }
    hol_model_gravity(NULL, gravity);
    assert_true(gravity[0] == 1);
    hol_model_gravity(s.model, NULL);
}

static void model_describe(void) {
    hol_model_info info = {.size = sizeof info};
    hol_body_info body = {.size = sizeof body};
    hol_element_info element = {.size = sizeof element};
    char name[32];
    REFUSED_QUIETLY(hol_model_describe(NULL, &info));
    REFUSED_QUIETLY(hol_model_describe(s.model, NULL));
    REFUSED_QUIETLY(hol_model_describe(s.model, &(hol_model_info){.size = 0}));
    REFUSED_QUIETLY(hol_model_body_describe(NULL, 0, &body));
    REFUSED_QUIETLY(hol_model_body_describe(s.model, 0, NULL));
    REFUSED_QUIETLY(hol_model_joint_describe(NULL, 0, &element));
    REFUSED_QUIETLY(hol_model_joint_describe(s.model, 0, NULL));
    REFUSED_QUIETLY(hol_model_force_describe(NULL, 0, &element));
    REFUSED_QUIETLY(hol_model_force_describe(s.model, 0, NULL));
    REFUSED_QUIETLY(hol_model_velocity_name(NULL, 0, name, sizeof name));
    REFUSED_QUIETLY(hol_model_velocity_name(s.model, 0, NULL, 32));
    assert_null(hol_model_velocity_unit(NULL, 0));
    assert_null(hol_model_velocity_unit(s.model, -1));
    EACH_NO_INDEX(i) {
        REFUSED_QUIETLY(hol_model_body_describe(s.model, i, &body));
        REFUSED_QUIETLY(hol_model_joint_describe(s.model, i, &element));
        REFUSED_QUIETLY(hol_model_force_describe(s.model, i, &element));
        REFUSED_QUIETLY(hol_model_velocity_name(s.model, i, name, sizeof name));
    }
}

static void model_road(void) {
    double height;
    int moves;
    REFUSED_QUIETLY(hol_model_road(NULL, s.model, 0, 0, 0, &height, &moves));
    REFUSED(hol_model_road(s.ctx, NULL, 0, 0, 0, &height, &moves));
    EACH_NO_INDEX(i) REFUSED(hol_model_road(s.ctx, s.model, i, 0, 0, &height, &moves));
    REFUSED(hol_model_road(s.ctx, s.model, 0, 0, 0, &height, &moves)); /* no tyre */
    REFUSED(hol_model_road(s.ctx, s.model, 0, NAN, 0, &height, &moves));
    REFUSED(hol_model_road(s.ctx, s.model, 0, 0, 0, NULL, &moves));
    REFUSED(hol_model_road(s.ctx, s.model, 0, 0, 0, &height, NULL));
}

static void model_curve(void) {
    hol_curve_info info = {.size = sizeof info};
    double points[6];
    REFUSED_QUIETLY(hol_model_curve(NULL, s.model, 0, 2, points, &info));
    REFUSED(hol_model_curve(s.ctx, NULL, 0, 2, points, &info));
    EACH_NO_INDEX(i) REFUSED(hol_model_curve(s.ctx, s.model, i, 2, points, &info));
    REFUSED(hol_model_curve(s.ctx, s.model, 0, 2, points, &info)); /* no curve */
    REFUSED(hol_model_curve(s.ctx, s.model, 0, -1, points, &info));
    REFUSED(hol_model_curve(s.ctx, s.model, 0, 2, NULL, &info));
    REFUSED(hol_model_curve(s.ctx, s.model, 0, 2, points, NULL));
}

static void model_lists(void) {
    hol_local_point point = {.size = sizeof point};
    hol_cut cut = {.size = sizeof cut};
    REFUSED_QUIETLY(hol_model_local_point(NULL, s.model, 0, &point));
    REFUSED(hol_model_local_point(s.ctx, NULL, 0, &point));
    REFUSED(hol_model_local_point(s.ctx, s.model, 0, NULL));
    REFUSED_QUIETLY(hol_model_cut(NULL, s.model, 0, &cut));
    REFUSED(hol_model_cut(s.ctx, NULL, 0, &cut));
    EACH_NO_INDEX(i) {
        REFUSED_QUIETLY(hol_model_local_point(s.ctx, s.model, i, &point));
        REFUSED_QUIETLY(hol_model_cut(s.ctx, s.model, i, &cut));
    }
}

static void model_fields(void) {
    double values[4];
    int count;
    static const char path[] = "forces.spring.stiffness";
    REFUSED_QUIETLY(hol_model_field(NULL, s.model, path, 4, values, &count));
    REFUSED(hol_model_field(s.ctx, NULL, path, 4, values, &count));
    REFUSED(hol_model_field(s.ctx, s.model, NULL, 4, values, &count));
    REFUSED(hol_model_field(s.ctx, s.model, "typo", 4, values, &count));
    REFUSED(hol_model_field(s.ctx, s.model, path, -1, values, &count));
    REFUSED(hol_model_field(s.ctx, s.model, path, 4, NULL, &count));
    REFUSED(hol_model_field(s.ctx, s.model, path, 4, values, NULL));
    NONE_QUIETLY(hol_model_field_text(NULL, s.model, path));
    NONE(hol_model_field_text(s.ctx, NULL, path));
    NONE(hol_model_field_text(s.ctx, s.model, NULL));
    NONE(hol_model_field_text(s.ctx, s.model, "forces.spring.typo"));
    NONE_QUIETLY(hol_model_element_text(NULL, s.model, "forces.spring"));
    NONE(hol_model_element_text(s.ctx, NULL, "forces.spring"));
    NONE(hol_model_element_text(s.ctx, s.model, NULL));
    NONE(hol_model_element_text(s.ctx, s.model, "forces.typo"));
}

static void elements(void) {
    hol_key_doc key = {.size = sizeof key};
    hol_quantity_doc quantity = {.size = sizeof quantity};
    hol_section_doc section = {.size = sizeof section};
    EACH_NO_INDEX(i) {
        REFUSED_QUIETLY(hol_element_key("joints", "revolute", i, &key));
        REFUSED_QUIETLY(hol_element_quantity("forces", "spring", i, &quantity));
        REFUSED_QUIETLY(hol_section_get(i, &section));
    }
    REFUSED_QUIETLY(hol_section_get(0, NULL));
    REFUSED_QUIETLY(hol_element_key("joints", "typo", 0, &key));
    REFUSED_QUIETLY(hol_element_key("joints", "revolute", 0, NULL));
    REFUSED_QUIETLY(hol_element_quantity(NULL, "spring", 0, &quantity));
    REFUSED_QUIETLY(hol_element_quantity("forces", NULL, 0, &quantity));
    REFUSED_QUIETLY(hol_element_quantity("forces", "spring", 0, NULL));
    NONE_QUIETLY(hol_element_example(NULL, "joints", "revolute"));
    NONE(hol_element_example(s.ctx, NULL, "revolute"));
    NONE(hol_element_example(s.ctx, "joints", NULL));
    NONE(hol_element_example(s.ctx, "joints", "typo"));
    NONE_QUIETLY(hol_schema_json(NULL));
    NONE_QUIETLY(hol_schema_markdown(NULL));
}

/* ---- data.h, matrix.h ---- */

static void data_state(void) {
    NONE_QUIETLY(hol_data_new(NULL, s.model));
    NONE(hol_data_new(s.ctx, NULL));
    REFUSED_QUIETLY(hol_data_copy(NULL, s.data));
    REFUSED(hol_data_copy(s.data, NULL));
    NONE_QUIETLY(hol_data_model(NULL));
    assert_true(isnan(hol_data_time(NULL)));
    NONE_QUIETLY(hol_data_q(NULL));
    NONE_QUIETLY(hol_data_v(NULL));
    hol_data_set(NULL, 0, NULL, NULL);
    NONE_QUIETLY(hol_data_acceleration(NULL));
    NONE_QUIETLY(hol_data_multipliers(NULL));
    NONE_QUIETLY(hol_data_position_residual(NULL));
    NONE_QUIETLY(hol_data_velocity_residual(NULL));
    REFUSED_QUIETLY(hol_data_update(NULL, HOL_STAGE_POS));
    REFUSED(hol_data_update(s.data, (hol_stage)77));
    REFUSED_QUIETLY(hol_data_solve(NULL));
}

static void data_answers(void) {
    hol_pose pose;
    hol_twist twist;
    hol_energy energy = {.size = sizeof energy};
    hol_reaction reaction = {.size = sizeof reaction};
    hol_load load = {.size = sizeof load};
    double value;
    REFUSED_QUIETLY(hol_data_body_pose(NULL, 0, &pose));
    REFUSED(hol_data_body_pose(s.data, 0, NULL));
    REFUSED_QUIETLY(hol_data_body_twist(NULL, 0, &twist));
    REFUSED(hol_data_body_twist(s.data, 0, NULL));
    REFUSED_QUIETLY(hol_data_energy(NULL, &energy));
    REFUSED(hol_data_energy(s.data, NULL));
    REFUSED(hol_data_energy(s.data, &(hol_energy){.size = 3}));
    REFUSED_QUIETLY(hol_data_reaction(NULL, 0, &reaction));
    REFUSED(hol_data_reaction(s.data, 0, NULL));
    REFUSED(hol_data_reaction(s.data, hol_model_joint(s.model, "typo"), &reaction));
    REFUSED_QUIETLY(hol_data_force(NULL, 0, &load));
    REFUSED(hol_data_force(s.data, 0, NULL));
    REFUSED_QUIETLY(hol_data_measure(NULL, 0, &value));
    REFUSED(hol_data_measure(s.data, 0, NULL));
    EACH_NO_INDEX(i) {
        REFUSED(hol_data_body_pose(s.data, i, &pose));
        REFUSED(hol_data_body_twist(s.data, i, &twist));
        REFUSED(hol_data_reaction(s.data, i, &reaction));
        REFUSED(hol_data_force(s.data, i, &load));
        REFUSED(hol_data_measure(s.data, i, &value));
    }
}

static void data_forces(void) {
    static const double x[3] = {0.1, 0.2, 0.3};
    REFUSED_QUIETLY(hol_data_add_force(NULL, 0, x, x));
    REFUSED(hol_data_add_force(s.data, 0, NULL, x));
    REFUSED(hol_data_add_force(s.data, 0, x, NULL));
    REFUSED_QUIETLY(hol_data_add_torque(NULL, 0, x));
    REFUSED(hol_data_add_torque(s.data, 0, NULL));
    EACH_NO_INDEX(i) {
        REFUSED(hol_data_add_force(s.data, i, x, x));
        REFUSED(hol_data_add_torque(s.data, i, x));
    }
}

static void data_terms(void) {
    hol_size size = {.size = sizeof size};
    double values[9] = {77};
    int start[4], column[9];
    REFUSED_QUIETLY(hol_data_term_size(NULL, HOL_TERM_M, &size));
    REFUSED(hol_data_term_size(s.data, HOL_TERM_M, NULL));
    REFUSED(hol_data_term_size(s.data, (hol_term)-1, &size));
    REFUSED(hol_data_term_size(s.data, (hol_term)99, &size));
    REFUSED_QUIETLY(hol_data_term(NULL, HOL_TERM_M, values, 9));
    REFUSED(hol_data_term(s.data, HOL_TERM_M, NULL, 9));
    REFUSED(hol_data_term(s.data, HOL_TERM_M, values, 8));
    REFUSED(hol_data_term(s.data, HOL_TERM_M, values, -1));
    REFUSED(hol_data_term(s.data, (hol_term)99, values, 9));
    REFUSED_QUIETLY(hol_data_term_rows(NULL, HOL_TERM_M, start, column, values, 9));
    REFUSED(hol_data_term_rows(s.data, HOL_TERM_M, NULL, column, values, 9));
    REFUSED(hol_data_term_rows(s.data, HOL_TERM_M, start, NULL, values, 9));
    REFUSED(hol_data_term_rows(s.data, HOL_TERM_M, start, column, NULL, 9));
    REFUSED(hol_data_term_rows(s.data, HOL_TERM_M, start, column, values, 0));
    assert_true(values[0] == 77);
}

/* ---- sim.h ---- */

static void sim_make(void) {
    NONE_QUIETLY(hol_sim_new(NULL, s.model, NULL));
    NONE(hol_sim_new(s.ctx, NULL, NULL));
    NONE_QUIETLY(hol_sim_model(NULL));
    NONE_QUIETLY(hol_sim_context(NULL));
    NONE_QUIETLY(hol_sim_data(NULL));
    NONE_QUIETLY(hol_sim_options(NULL));
    hol_sim_on_force(NULL, NULL, NULL);
}

static void sim_steps(void) {
    hol_sim *sim = hol_sim_new(s.ctx, s.model, s.options);
    double q[3] = {0.3, 0.05, NAN}, v[3] = {0, 0, INFINITY};
    REFUSED_QUIETLY(hol_sim_restart(NULL, 0, NULL, NULL));
    REFUSED(hol_sim_restart(sim, NAN, NULL, NULL));
    REFUSED(hol_sim_restart(sim, 0, q, NULL));
    REFUSED(hol_sim_restart(sim, 0, NULL, v));
    REFUSED_QUIETLY(hol_sim_step(NULL));
    REFUSED_QUIETLY(hol_sim_advance(NULL, 1));
    REFUSED(hol_sim_advance(sim, NAN));
    REFUSED(hol_sim_advance(sim, INFINITY));
    REFUSED_QUIETLY(hol_sim_run(NULL, NULL));
    assert_int_equal(hol_sim_run(sim, NULL), HOL_OK);
    REFUSED(hol_sim_step(sim)); /* it is over */
    hol_sim_free(sim);
}

static void sim_states(void) {
    char block[16] = "not a state";
    assert_int_equal(hol_sim_state_size(NULL), 0);
    const size_t size = hol_sim_state_size(s.sim);
    char *room = calloc(1, size);
    REFUSED_QUIETLY(hol_sim_state_save(NULL, block, sizeof block));
    REFUSED(hol_sim_state_save(s.sim, NULL, size));
    REFUSED(hol_sim_state_save(s.sim, block, sizeof block));
    REFUSED_QUIETLY(hol_sim_state_load(NULL, block, sizeof block));
    REFUSED(hol_sim_state_load(s.sim, NULL, size));
    REFUSED(hol_sim_state_load(s.sim, block, sizeof block));
    REFUSED(hol_sim_state_load(s.sim, block, 0));
    REFUSED(hol_sim_state_load(s.sim, room, size));
    free(room);
}

static void sim_answers(void) {
    hol_sim_info info = {.size = sizeof info};
    hol_event event = {.size = sizeof event};
    hol_impulse impulse = {.size = sizeof impulse};
    hol_rank rank = {.size = sizeof rank};
    hol_unit unit;
    REFUSED_QUIETLY(hol_sim_describe(NULL, &info));
    REFUSED(hol_sim_describe(s.sim, NULL));
    REFUSED_QUIETLY(hol_sim_event(NULL, 0, &event));
    REFUSED_QUIETLY(hol_sim_event_impulse(NULL, 0, 0, &impulse));
    REFUSED_QUIETLY(hol_sim_rank(NULL, &rank));
    REFUSED(hol_sim_rank(s.sim, NULL));
    REFUSED_QUIETLY(hol_sim_measure_unit(NULL, 0, &unit));
    REFUSED(hol_sim_measure_unit(s.sim, 0, NULL));
    EACH_NO_INDEX(i) {
        REFUSED(hol_sim_event(s.sim, i, &event));
        REFUSED(hol_sim_event_impulse(s.sim, i, 0, &impulse));
        REFUSED(hol_sim_measure_unit(s.sim, i, &unit));
        assert_null(hol_statistic_of(&info, i).text);
    }
    assert_int_equal(hol_statistic_of(NULL, 0).count, 0);
    hol_sim_unit(NULL, "m", &unit);
    assert_true(hol_unit_show(&unit, 2.385) == 2.385);
    hol_sim_unit(s.sim, NULL, &unit);
    hol_sim_unit(s.sim, "no unit", &unit);
    hol_sim_unit(s.sim, "m", NULL);
    assert_true(hol_unit_show(NULL, 2.385) == 2.385);
}

/* ---- result.h, report.h ---- */

static void writers(void) {
    NONE_QUIETLY(hol_writer_open(NULL, "x.csv"));
    NONE(hol_writer_open(s.sim, NULL));
    NONE(hol_writer_open(s.sim, "x.typo"));
    NONE(hol_writer_open(s.sim, "there/is/none.csv"));
    REFUSED_QUIETLY(hol_writer_record(NULL));
    NONE_QUIETLY(hol_writer_file(NULL));
    assert_true(hol_writer_estimate(NULL, "x.csv") < 0);
    assert_true(hol_writer_estimate(s.sim, NULL) < 0);
    assert_true(hol_writer_estimate(s.sim, "x.typo") < 0);
    assert_true(hol_sim_rows(NULL) == 0);
    hol_writer_discard(NULL);
    REFUSED_QUIETLY(hol_output_check(NULL, "x.txt"));
    REFUSED(hol_output_check(s.ctx, NULL));
    REFUSED_QUIETLY(hol_output_write(NULL, "x.txt", "x", 1));
    REFUSED(hol_output_write(s.ctx, NULL, "x", 1));
    REFUSED(hol_output_write(s.ctx, "x.txt", NULL, 1));
}

static void writers_in_memory(void) {
    hol_writer *file = hol_writer_open(s.sim, "calls.csv"), *memory = hol_writer_open_memory(s.sim);
    hol_quantity q = {.size = sizeof q};
    int rows = 5, width = 5;
    assert_true(file && memory);
    NONE_QUIETLY(hol_writer_open_memory(NULL));
    NONE_QUIETLY(hol_writer_values(NULL, &rows, &width));
    assert_true(rows == 0 && width == 0);
    NONE(hol_writer_values(file, NULL, NULL));
    REFUSED_QUIETLY(hol_writer_quantity(NULL, 0, &q));
    REFUSED(hol_writer_quantity(memory, 0, NULL));
    EACH_NO_INDEX(i) REFUSED_QUIETLY(hol_writer_quantity(memory, i, &q));
    REFUSED_QUIETLY(hol_writer_cut(NULL, 0));
    REFUSED(hol_writer_cut(file, 0));
    EACH_NO_INDEX(i) REFUSED(hol_writer_cut(memory, i));
    REFUSED_QUIETLY(hol_writer_save(NULL, "x.csv"));
    REFUSED(hol_writer_save(file, "x.csv"));
    REFUSED(hol_writer_save(memory, NULL));
    hol_writer_discard(file);
    hol_writer_discard(memory);
}

/* ---- varied.h ---- */

static void varied_mechanisms(void) {
    static const char *const names[] = {"bodies.rod.mass", NULL},
                             *const twice[] = {names[0], names[0]},
                             *const none[] = {"bodies.rod.nothing"}, *const list[] = {"gravity"};
    static const double mass = 3.0, zero = 0.0, no_number = NAN;
    hol_varied *varied = NULL, *const before = (hol_varied *)&s;
    hol_spec *spec = make_spec(s.ctx); /* that of the scene has been given nonsense by now */
    varied = before;
    REFUSED_QUIETLY(hol_varied_new(NULL, spec, 1, names, &varied));
    assert_null(varied);
    varied = before;
    REFUSED(hol_varied_new(s.ctx, NULL, 1, names, &varied));
    assert_null(varied);
    REFUSED(hol_varied_new(s.ctx, spec, 1, names, NULL));
    REFUSED(hol_varied_new(s.ctx, spec, 1, NULL, &varied));
    REFUSED(hol_varied_new(s.ctx, spec, -1, names, &varied));
    REFUSED(hol_varied_new(s.ctx, spec, 2, names, &varied));
    REFUSED(hol_varied_new(s.ctx, spec, 2, twice, &varied));
    REFUSED(hol_varied_new(s.ctx, spec, 1, none, &varied));
    REFUSED(hol_varied_new(s.ctx, spec, 1, list, &varied));
    assert_null(varied);
    hol_varied_free(NULL);
    REFUSED_QUIETLY(hol_varied_set(NULL, &mass));
    NONE_QUIETLY(hol_varied_unit(NULL, 0));
    NONE_QUIETLY(hol_varied_model(NULL));
    NONE_QUIETLY(hol_varied_options(NULL));
    NONE_QUIETLY(hol_varied_sim(NULL));
    NONE_QUIETLY(hol_varied_context(NULL));
    assert_int_equal(hol_varied_changed(NULL), 0);

    assert_int_equal(hol_varied_new(s.ctx, spec, 1, names, &varied), HOL_OK);
    EACH_NO_INDEX(i) NONE_QUIETLY(hol_varied_unit(varied, i));
    NONE_QUIETLY(hol_varied_unit(varied, 1));
    /* no values yet */
    NONE_QUIETLY(hol_varied_model(varied));
    NONE_QUIETLY(hol_varied_options(varied));
    NONE_QUIETLY(hol_varied_context(varied));
    NONE(hol_varied_sim(varied));
    REFUSED(hol_varied_set(varied, NULL));
    REFUSED(hol_varied_set(varied, &no_number));
    assert_int_equal(hol_varied_set(varied, &mass), HOL_OK);
    const hol_model *model = hol_varied_model(varied);
    /* what is refused as an argument changes nothing; what is wrong in the model leaves none */
    REFUSED(hol_varied_set(varied, &no_number));
    assert_ptr_equal(hol_varied_model(varied), model);
    assert_non_null(hol_varied_sim(varied));
    hol_message_clear(s.ctx);
    assert_int_not_equal(hol_varied_set(varied, &zero), HOL_OK);
    assert_true(has_error());
    NONE_QUIETLY(hol_varied_model(varied));
    assert_int_equal(hol_varied_set(varied, &mass), HOL_OK);
    hol_varied_free(varied);
    hol_spec_free(spec);
}

/* Studies. */
static void studies(void) {
    static const char text[] = "factors: {a: [1, 2]}\nresponses: {b: 2*a}\n";
    hol_study_info info = {.size = sizeof info};
    hol_study_options options = {.size = sizeof options, .threads = -1};
    hol_answer *answer = NULL;
    long long kept;
    double value;
    NONE_QUIETLY(hol_study_read(NULL, "x"));
    NONE_QUIETLY(hol_study_read_text(NULL, text, "x"));
    NONE(hol_study_read(s.ctx, NULL));
    NONE(hol_study_read(s.ctx, "nowhere.yaml"));
    NONE(hol_study_read_text(s.ctx, NULL, "x"));
    NONE(hol_study_read_text(s.ctx, "", NULL));
    hol_study_free(NULL);
    REFUSED_QUIETLY(hol_study_describe(NULL, &info));
    NONE_QUIETLY(hol_study_factor(NULL, 0));
    NONE_QUIETLY(hol_study_response(NULL, 0));
    REFUSED_QUIETLY(hol_study_values(NULL, 0, &value));
    NONE_QUIETLY(hol_study_sim(NULL, 0));
    REFUSED_QUIETLY(hol_study_run(NULL, NULL, &answer));
    EACH_NO_INDEX(i) NONE_QUIETLY(hol_study_design(i, NULL));
    hol_study *study = hol_study_read_text(s.ctx, text, "study");
    assert_non_null(study);
    REFUSED(hol_study_describe(study, NULL));
    info.size = 0;
    REFUSED(hol_study_describe(study, &info));
    EACH_NO_INDEX(i) NONE_QUIETLY(hol_study_factor(study, i));
    NONE_QUIETLY(hol_study_response(study, 1));
    REFUSED(hol_study_values(study, -1, &value));
    REFUSED(hol_study_values(study, 2, &value));
    REFUSED(hol_study_values(study, 0, NULL));
    NONE(hol_study_sim(study, 2));
    NONE(hol_study_sim(study, 0)); /* there is no model */
    REFUSED(hol_study_run(study, NULL, NULL));
    REFUSED(hol_study_run(study, &options, &answer));
    options = (hol_study_options){.size = sizeof options, .so_far = 1};
    REFUSED(hol_study_run(study, &options, &answer));
    assert_int_equal(hol_study_run(study, NULL, &answer), HOL_OK);
    assert_int_equal(hol_study_kept(NULL, answer, 1, &kept), 0);
    assert_int_equal(hol_study_kept(study, NULL, 1, &kept), 0);
    assert_int_equal(hol_study_kept(study, answer, 1, NULL), 0);
    assert_int_equal(hol_study_kept(study, answer, -1, &kept), 0);
    hol_answer_free(answer);
    hol_study_free(study);
}

/* ---- exchange.h ---- */

static void imports(void) {
    const hol_import_options unsized = {0};
    NONE_QUIETLY(hol_import_read(NULL, "x.urdf", NULL));
    NONE(hol_import_read(s.ctx, NULL, NULL));
    NONE(hol_import_read(s.ctx, "there/is/none.urdf", NULL));
    NONE(hol_import_read(s.ctx, "there/is/none.urdf", &unsized));
    NONE_QUIETLY(hol_import_read_text(NULL, "<robot/>", "x.urdf", NULL));
    NONE(hol_import_read_text(s.ctx, NULL, "x.urdf", NULL));
    NONE(hol_import_read_text(s.ctx, "<robot", NULL, NULL));
    NONE(hol_import_read_text(s.ctx, "<robot/>", NULL, &unsized));
    hol_import_free(NULL);
    NONE_QUIETLY(hol_import_spec(NULL));
    NONE_QUIETLY(hol_import_text(NULL));
    REFUSED_QUIETLY(hol_import_write(NULL, "x.yaml"));
    assert_string_equal(hol_import_kind_name((hol_import_kind)-1), "");
    assert_int_equal(hol_import_note_count(NULL), 0);
    NONE_QUIETLY(hol_import_note_get(NULL, 0));
}

/* ---- drive.h, fmu.h ---- */

static void drives(void) {
    const int columns[2] = {0, -1};
    const double values[2] = {NAN, 1};
    double x[64];
    const int n = hol_data_n_states(s.data);
    assert_true(n > 0 && n < 64 && hol_data_n_states(NULL) == -1);
    REFUSED_QUIETLY(hol_spec_add_input(NULL, "L"));
    REFUSED(hol_spec_add_input(s.spec, NULL));
    REFUSED(hol_spec_add_input(s.spec, "nothing"));
    assert_int_equal(hol_model_input(NULL, 0), -1);
    assert_int_equal(hol_model_input(s.model, 0), -1);
    assert_int_equal(hol_model_input(s.model, -1), -1);
    REFUSED_QUIETLY(hol_sim_set_inputs(NULL, 0, NULL, NULL));
    REFUSED(hol_sim_set_inputs(s.sim, 1, NULL, values));
    REFUSED(hol_sim_set_inputs(s.sim, 1, columns, NULL));
    REFUSED(hol_sim_set_inputs(s.sim, 2, columns, values));
    REFUSED_QUIETLY(hol_data_set_input(NULL, 0, 1));
    REFUSED(hol_data_set_input(s.data, 0, 1)); /* no variable */
    REFUSED_QUIETLY(hol_sim_step_to(NULL, 1));
    REFUSED(hol_sim_step_to(s.sim, NAN));
    REFUSED_QUIETLY(hol_data_states(NULL, x, 64));
    REFUSED(hol_data_states(s.data, NULL, 64));
    REFUSED(hol_data_states(s.data, x, n - 1));
    assert_int_equal(hol_data_states(s.data, x, 64), HOL_OK);
    REFUSED_QUIETLY(hol_data_set_states(NULL, 0, x, 64));
    REFUSED(hol_data_set_states(s.data, NAN, x, 64));
    x[0] = NAN;
    REFUSED(hol_data_set_states(s.data, 0, x, 64));
    REFUSED_QUIETLY(hol_data_rates(NULL, x, 64));
    REFUSED(hol_data_rates(s.data, x, n - 1));
    REFUSED_QUIETLY(hol_data_accept(NULL));
    REFUSED_QUIETLY(hol_sim_arrive(NULL));
    assert_int_equal(hol_sim_switches(NULL), 0);
    assert_int_equal(hol_sim_n_conditions(NULL), -1);
    REFUSED_QUIETLY(hol_sim_conditions(NULL, x, 64));
    assert_true(isnan(hol_sim_next_jump(NULL, 1)));
}

static void derivatives(void) {
    hol_derivatives *d = NULL;
    const int column = -1;
    const double change = 1;
    REFUSED_QUIETLY(hol_derivatives_new(NULL, &d));
    REFUSED(hol_derivatives_new(s.data, NULL));
    assert_int_equal(hol_derivatives_new(s.data, &d), HOL_OK);
    REFUSED_QUIETLY(hol_derivatives_along(NULL, NULL, 0, NULL, NULL, NULL, NULL));
    REFUSED(hol_derivatives_along(d, NULL, 1, NULL, &change, NULL, NULL));
    REFUSED(hol_derivatives_along(d, NULL, 1, &column, &change, NULL, NULL));
    hol_derivatives_free(d);
    hol_derivatives_free(NULL);
}

static void fmus(void) {
    const char *const none[1] = {NULL};
    const hol_fmu_options old = {.size = sizeof old, .version = 1},
                          nameless = {.size = sizeof nameless, .n_inputs = 1, .inputs = none};
    REFUSED_QUIETLY(hol_fmu_write(NULL, s.spec, "x.fmu", NULL, NULL));
    REFUSED(hol_fmu_write(s.ctx, NULL, "x.fmu", NULL, NULL));
    REFUSED(hol_fmu_write(s.ctx, s.spec, NULL, NULL, NULL));
    REFUSED(hol_fmu_write(s.ctx, s.spec, "x.fmu", &old, NULL));
    REFUSED(hol_fmu_write(s.ctx, s.spec, "x.fmu", &nameless, NULL));
}

static void exports(void) {
    const hol_export_options unsized = {0}, unknown = {.size = sizeof unknown, .format = "dae"};
    NONE_QUIETLY(hol_export_new(NULL, s.model, NULL));
    NONE(hol_export_new(s.ctx, NULL, NULL));
    NONE(hol_export_new(s.ctx, s.model, NULL));
    NONE(hol_export_new(s.ctx, s.model, &unsized));
    NONE(hol_export_new(s.ctx, s.model, &unknown));
    hol_export_free(NULL);
    NONE_QUIETLY(hol_export_text(NULL));
    REFUSED_QUIETLY(hol_export_write(NULL, "x.xml"));
    assert_int_equal(hol_export_note_count(NULL), 0);
    NONE_QUIETLY(hol_export_note_get(NULL, 0));
}

static hol_status pass(void *user, hol_sim *sim) {
    (void)user, (void)sim;
    return HOL_OK;
}

static void checkpoints(void) {
    hol_writer *none = NULL;
    const hol_note hollow = {NULL, "x"};
    hol_checkpoint_parts parts = {.size = sizeof parts, .n_writers = 1};
    hol_checkpoint_info info = {.size = sizeof info};
    hol_sim_on_checkpoint(NULL, pass, NULL);
    hol_sim_on_checkpoint(s.sim, NULL, NULL);
    REFUSED_QUIETLY(hol_checkpoint_write(NULL, "x.checkpoint", NULL));
    REFUSED(hol_checkpoint_write(s.sim, NULL, NULL));
    REFUSED(hol_checkpoint_write(s.sim, "x.checkpoint", &parts));
    parts.writers = &none;
    REFUSED(hol_checkpoint_write(s.sim, "x.checkpoint", &parts));
    parts.n_writers = -1;
    REFUSED(hol_checkpoint_write(s.sim, "x.checkpoint", &parts));
    parts.n_writers = 0, parts.n_notes = 1;
    REFUSED(hol_checkpoint_write(s.sim, "x.checkpoint", &parts));
    parts.notes = &hollow;
    REFUSED(hol_checkpoint_write(s.sim, "x.checkpoint", &parts));
    assert_int_equal(hol_checkpoint_write(s.sim, "x.checkpoint", NULL), HOL_OK);
    NONE_QUIETLY(hol_checkpoint_read(NULL, "x.checkpoint"));
    NONE(hol_checkpoint_read(s.ctx, NULL));
    NONE(hol_checkpoint_read(s.ctx, "there/is/none.checkpoint"));
    NONE(hol_checkpoint_read(s.ctx, "calls.csv"));
    hol_checkpoint *good = hol_checkpoint_read(s.ctx, "x.checkpoint");
    assert_non_null(good);
    REFUSED_QUIETLY(hol_checkpoint_describe(NULL, &info));
    REFUSED(hol_checkpoint_describe(good, NULL));
    NONE_QUIETLY(hol_checkpoint_file(NULL, 0));
    NONE_QUIETLY(hol_checkpoint_note(NULL, 0));
    REFUSED_QUIETLY(hol_checkpoint_load(NULL, s.sim));
    REFUSED(hol_checkpoint_load(good, NULL));
    NONE_QUIETLY(hol_checkpoint_writer(NULL, s.sim, 0, NULL));
    NONE(hol_checkpoint_writer(good, NULL, 0, NULL));
    EACH_NO_INDEX(i) {
        NONE_QUIETLY(hol_checkpoint_file(good, i));
        NONE_QUIETLY(hol_checkpoint_note(good, i));
        NONE(hol_checkpoint_writer(good, s.sim, i, NULL));
    }
    hol_checkpoint_free(good);
    hol_checkpoint_free(NULL);
    hol_checkpoint_remove(NULL, "x.checkpoint");
    hol_checkpoint_remove(s.ctx, NULL);
    hol_checkpoint_remove(s.ctx, "there/is/none.checkpoint");
    hol_checkpoint_remove(s.ctx, "x.checkpoint");
    NONE(hol_checkpoint_read(s.ctx, "x.checkpoint"));
}

static void results(void) {
    hol_extremes extremes = {.size = sizeof extremes};
    char longer[300];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    NONE_QUIETLY(hol_result_read(NULL, "calls.csv"));
    NONE(hol_result_read(s.ctx, NULL));
    NONE(hol_result_read(s.ctx, "there/is/none.csv"));
    assert_int_equal(hol_result_rows(NULL), 0);
    assert_int_equal(hol_result_columns(NULL), 0);
    NONE_QUIETLY(hol_result_column(NULL, 0));
    NONE_QUIETLY(hol_result_values(NULL, 0));
    REFUSED_QUIETLY(hol_result_extremes(NULL, 1, &extremes));
    EACH_NO_INDEX(i) {
        NONE_QUIETLY(hol_result_column(s.result, i));
        NONE_QUIETLY(hol_result_values(s.result, i));
        REFUSED_QUIETLY(hol_result_extremes(s.result, i, &extremes));
    }
    REFUSED_QUIETLY(hol_result_set_units(NULL, "angle=deg"));
    REFUSED(hol_result_set_units(s.result, "angle=typo"));
    REFUSED(hol_result_set_units(s.result, longer));
    REFUSED_QUIETLY(hol_result_convert(NULL, "a.csv", "b.mat"));
    REFUSED(hol_result_convert(s.ctx, NULL, "b.mat"));
    REFUSED(hol_result_convert(s.ctx, "a.csv", NULL));
    REFUSED(hol_result_convert(s.ctx, "a.csv", "b.xyz"));
    assert_int_equal(hol_result_find(NULL, "time"), -1);
    assert_int_equal(hol_result_find(s.result, NULL), -1);
    NONE_QUIETLY(hol_result_text(NULL, "model"));
    NONE_QUIETLY(hol_result_text(s.result, NULL));
}

static void reports(void) {
    static const char *const files[] = {"calls.csv", NULL};
    REFUSED_QUIETLY(hol_report_write(NULL, 1, files, "x.html"));
    REFUSED(hol_report_write(s.ctx, 0, files, "x.html"));
    REFUSED(hol_report_write(s.ctx, -1, files, "x.html"));
    REFUSED(hol_report_write(s.ctx, 1, NULL, "x.html"));
    REFUSED(hol_report_write(s.ctx, 2, files, "x.html"));
    REFUSED(hol_report_write(s.ctx, 1, files, NULL));
    REFUSED_QUIETLY(hol_report_view(NULL, "x.html"));
    REFUSED(hol_report_view(s.sim, NULL));
}

static void driven_motions(void) {
    hol_answer *answer = NULL;
    const hol_workspace_options wide = {.size = sizeof wide};
    REFUSED_QUIETLY(hol_spec_allow_massless(NULL));
    REFUSED_QUIETLY(hol_assemblies(NULL, s.model, NULL, NULL, &answer));
    REFUSED(hol_assemblies(s.ctx, NULL, NULL, NULL, &answer));
    REFUSED(hol_assemblies(s.ctx, s.model, NULL, NULL, NULL));
    REFUSED_QUIETLY(hol_workspace(NULL, s.sim, &wide, &answer));
    REFUSED(hol_workspace(s.ctx, NULL, &wide, &answer));
    REFUSED(hol_workspace(s.ctx, s.sim, NULL, &answer));
    REFUSED(hol_workspace(s.ctx, s.sim, &wide, NULL));
    assert_null(hol_kinematics_new(NULL, s.model, s.options));
    assert_null(hol_kinematics_new(s.ctx, NULL, s.options));
    REFUSED_QUIETLY(hol_kinematics(NULL, s.sim, NULL, &answer));
    REFUSED(hol_kinematics(s.ctx, NULL, NULL, &answer));
    REFUSED(hol_kinematics(s.ctx, s.sim, NULL, NULL));
    REFUSED(hol_kinematics(s.ctx, s.sim, NULL, &answer)); /* it has been run */
}

static void answers(void) {
    hol_answer *answer = NULL;
    hol_fact fact = {.size = sizeof fact};
    hol_table table = {.size = sizeof table};
    REFUSED_QUIETLY(hol_statics(NULL, s.spec, NULL, &answer));
    REFUSED(hol_statics(s.ctx, NULL, NULL, &answer));
    REFUSED(hol_statics(s.ctx, s.spec, NULL, NULL));
    REFUSED_QUIETLY(hol_sensitivity(NULL, s.spec, NULL, &answer));
    REFUSED(hol_sensitivity(s.ctx, NULL, NULL, &answer));
    REFUSED(hol_sensitivity(s.ctx, s.spec, NULL, NULL));
    REFUSED_QUIETLY(hol_certify(NULL, s.spec, NULL, &answer));
    REFUSED(hol_certify(s.ctx, NULL, NULL, &answer));
    REFUSED(hol_certify(s.ctx, s.spec, NULL, NULL));
    int certified;
    REFUSED_QUIETLY(hol_certify_run(NULL, s.spec, s.sim, &certified));
    REFUSED(hol_certify_run(s.ctx, NULL, s.sim, &certified));
    REFUSED(hol_certify_run(s.ctx, s.spec, NULL, &certified));
    REFUSED(hol_certify_run(s.ctx, s.spec, s.sim, NULL));
    REFUSED_QUIETLY(hol_equations(NULL, s.sim, &answer));
    REFUSED(hol_equations(s.ctx, NULL, &answer));
    REFUSED(hol_equations(s.ctx, s.sim, NULL));
    REFUSED_QUIETLY(hol_equations_symbolic(NULL, s.spec, NULL, &answer));
    REFUSED(hol_equations_symbolic(s.ctx, NULL, NULL, &answer));
    REFUSED(hol_equations_symbolic(s.ctx, s.spec, NULL, NULL));
    const hol_generate_options nowhere = {.size = sizeof nowhere};
    REFUSED_QUIETLY(hol_generate(NULL, s.spec, &nowhere, &answer));
    REFUSED(hol_generate(s.ctx, NULL, &nowhere, &answer));
    REFUSED(hol_generate(s.ctx, s.spec, NULL, &answer));
    REFUSED(hol_generate(s.ctx, s.spec, &nowhere, &answer));
    REFUSED(hol_generate(s.ctx, s.spec, &nowhere, NULL));
    hol_code *code = NULL;
    REFUSED_QUIETLY(hol_code_new(NULL, s.spec, NULL, &code));
    REFUSED(hol_code_new(s.ctx, NULL, NULL, &code));
    REFUSED(hol_code_new(s.ctx, s.spec, NULL, NULL));
    hol_varied *const none[] = {NULL};
    REFUSED_QUIETLY(hol_code_new_varied(NULL, s.spec, 1, none, NULL, &code));
    REFUSED(hol_code_new_varied(s.ctx, NULL, 1, none, NULL, &code));
    REFUSED(hol_code_new_varied(s.ctx, s.spec, 1, NULL, NULL, &code));
    REFUSED(hol_code_new_varied(s.ctx, s.spec, 1, none, NULL, NULL));
    REFUSED(hol_code_new_varied(s.ctx, s.spec, 1, none, NULL, &code));
    EACH_NO_INDEX(i) REFUSED(hol_code_new_varied(s.ctx, s.spec, i, none, NULL, &code));
    REFUSED_QUIETLY(hol_sim_use_code(NULL, NULL));
    REFUSED(hol_sim_use_code(s.sim, NULL));
    hol_code_free(NULL);
    assert_int_equal(hol_equations(s.ctx, s.sim, &answer), HOL_OK);
    assert_string_equal(hol_answer_command(NULL), "");
    assert_string_equal(hol_answer_title(NULL), "");
    assert_int_equal(hol_answer_facts(NULL), 0);
    assert_int_equal(hol_answer_tables(NULL), 0);
    REFUSED_QUIETLY(hol_answer_fact(NULL, 0, &fact));
    REFUSED(hol_answer_fact(answer, 0, NULL));
    REFUSED(hol_answer_fact(answer, -1, &fact));
    REFUSED_QUIETLY(hol_answer_table(NULL, 0, &table));
    REFUSED(hol_answer_table(answer, 0, NULL));
    REFUSED(hol_answer_table(answer, INT_MAX, &table));
    assert_int_equal(hol_answer_find(NULL, "M"), -1);
    assert_int_equal(hol_answer_find(answer, NULL), -1);
    assert_true(isnan(hol_answer_value(NULL, "time")));
    assert_true(isnan(hol_answer_value(answer, NULL)));
    REFUSED_QUIETLY(hol_answer_set_units(NULL, ""));
    REFUSED_QUIETLY(hol_answer_write(NULL, "x.txt"));
    REFUSED(hol_answer_write(answer, NULL));
    assert_null(hol_answer_to_text(NULL, 0));
    assert_null(hol_answer_to_json(NULL));
    REFUSED_QUIETLY(hol_report_answer(NULL, answer, "x.html"));
    REFUSED(hol_report_answer(s.ctx, NULL, "x.html"));
    REFUSED(hol_report_answer(s.ctx, answer, NULL));
    hol_answer_free(answer);
    hol_answer_free(NULL);
}

/* An answer that the caller makes: what goes in comes out, and nothing else goes in. */
static void own_answers(void) {
    const char *names[] = {"cost", "error"}, *rows[] = {"loose", "tight"}, *units[] = {"s", ""};
    const double values[] = {2.385, 1e-3, 7.1, 4.2e-9};
    const int paths[] = {0, 1}, beyond[] = {0, 2};
    hol_table table = {.size = sizeof table,
                       .name = "work",
                       .title = "Work",
                       .rows = 2,
                       .columns = 2,
                       .row_names = rows,
                       .column_names = names,
                       .column_units = units,
                       .values = values,
                       .x = -1,
                       .log_x = 1,
                       .log_y = 1,
                       .n_paths = 1,
                       .paths = paths};
    assert_null(hol_answer_new(NULL, "own", "Own"));
    assert_null(hol_answer_new(s.ctx, NULL, "Own"));
    assert_null(hol_answer_new(s.ctx, "own", NULL));
    hol_answer *answer = hol_answer_new(s.ctx, "own", "Own");
    assert_non_null(answer);
    REFUSED_QUIETLY(hol_answer_add_number(NULL, "k", "K", 1, ""));
    REFUSED(hol_answer_add_number(answer, NULL, "K", 1, ""));
    REFUSED(hol_answer_add_number(answer, "k", NULL, 1, ""));
    REFUSED_QUIETLY(hol_answer_add_text(NULL, "k", "K", "t"));
    REFUSED(hol_answer_add_text(answer, NULL, "K", "t"));
    REFUSED(hol_answer_add_text(answer, "k", NULL, "t"));
    REFUSED(hol_answer_add_text(answer, "k", "K", NULL));
    REFUSED_QUIETLY(hol_answer_add_table(NULL, &table));
    REFUSED(hol_answer_add_table(answer, NULL));
    hol_table bad = table;
    bad.name = NULL;
    REFUSED(hol_answer_add_table(answer, &bad));
    bad = table, bad.columns = 0;
    REFUSED(hol_answer_add_table(answer, &bad));
    bad = table, bad.values = NULL;
    REFUSED(hol_answer_add_table(answer, &bad));
    bad = table, bad.x = 2;
    REFUSED(hol_answer_add_table(answer, &bad));
    bad = table, bad.paths = beyond;
    REFUSED(hol_answer_add_table(answer, &bad));
    assert_int_equal(hol_answer_tables(answer), 0);
    assert_int_equal(hol_answer_add_number(answer, "mass", "mass", 2.385, "kg"), HOL_OK);
    assert_int_equal(hol_answer_add_text(answer, "note", "note", "100 % of it"), HOL_OK);
    assert_int_equal(hol_answer_add_table(answer, &table), HOL_OK);
    hol_fact fact = {.size = sizeof fact};
    hol_table read = {.size = sizeof read};
    assert_true(hol_answer_value(answer, "mass") == 2.385);
    assert_int_equal(hol_answer_fact(answer, 1, &fact), HOL_OK);
    assert_string_equal(fact.text, "100 % of it");
    assert_int_equal(hol_answer_table(answer, 0, &read), HOL_OK);
    assert_int_equal(read.rows, 2);
    assert_string_equal(read.row_names[1], "tight");
    assert_string_equal(read.column_units[0], "s");
    assert_true(read.values[3] == 4.2e-9 && read.log_y == 1 && read.n_paths == 1);
    hol_answer_free(answer);
}

static void small_motions(void) {
    hol_answer *answer = NULL;
    hol_modes *modes = NULL;
    const hol_locus_options how = {.size = sizeof how, .parameter = "L", .from = 1, .to = 2},
                            none = {.size = sizeof none};
    REFUSED_QUIETLY(hol_linearize(NULL, s.sim, NULL, NULL, &answer));
    REFUSED(hol_linearize(s.ctx, NULL, NULL, NULL, &answer));
    REFUSED(hol_linearize(s.ctx, s.sim, NULL, NULL, NULL));
    REFUSED_QUIETLY(hol_locus(NULL, s.spec, NULL, &how, &answer));
    REFUSED(hol_locus(s.ctx, NULL, NULL, &how, &answer));
    REFUSED(hol_locus(s.ctx, s.spec, NULL, NULL, &answer));
    REFUSED(hol_locus(s.ctx, s.spec, NULL, &none, &answer));
    REFUSED(hol_locus(s.ctx, s.spec, NULL, &how, NULL));
    REFUSED_QUIETLY(hol_modes_new(NULL, s.sim, 0, &modes));
    REFUSED(hol_modes_new(s.ctx, NULL, 0, &modes));
    REFUSED(hol_modes_new(s.ctx, s.sim, 0, NULL));
    assert_int_equal(hol_modes_count(NULL), 0);
    assert_true(isnan(hol_modes_time(NULL, 0)));
    REFUSED_QUIETLY(hol_modes_put(NULL, 0, 0, 0.1, s.sim));
    assert_int_equal(hol_modes_new(s.ctx, s.sim, 0, &modes), HOL_OK);
    EACH_NO_INDEX(i) {
        assert_true(isnan(hol_modes_time(modes, i)));
        REFUSED(hol_modes_put(modes, i, 0, 0.1, s.sim));
    }
    REFUSED(hol_modes_put(modes, 0, 0, 0.1, NULL));
    hol_modes_free(modes);
    hol_modes_free(NULL);
}

static void inverses(void) {
    const hol_actuator nameless[] = {{.name = NULL}};
    hol_inverse_options how = {.size = sizeof how, .n_actuators = 1, .actuators = nameless};
    hol_inverse *inverse = NULL;
    hol_answer *answer = NULL;
    REFUSED_QUIETLY(hol_inverse_new(NULL, s.model, NULL, &inverse));
    REFUSED(hol_inverse_new(s.ctx, NULL, NULL, &inverse));
    REFUSED(hol_inverse_new(s.ctx, s.model, NULL, NULL));
    REFUSED(hol_inverse_new(s.ctx, s.model, &how, &inverse));
    how.actuators = NULL;
    REFUSED(hol_inverse_new(s.ctx, s.model, &how, &inverse));
    assert_null(inverse);
    REFUSED_QUIETLY(hol_inverse_take(NULL, s.data));
    REFUSED_QUIETLY(hol_inverse_finish(NULL, &answer));
    hol_inverse_free(NULL);
}

/* A search with its options spoiled one after the other. */
static void searches(void) {
    static const char *const vary[] = {"L=0.1:0.9"}, *const goals[] = {"end angle"};
    hol_answer *answer = NULL;
    hol_spec *spec = hol_spec_new(s.ctx);
    hol_optimize_options how = {
        .size = sizeof how, .n_vary = 1, .vary = vary, .n_minimize = 1, .minimize = goals};
    hol_identify_options fit = {.size = sizeof fit, .n_vary = 1, .vary = vary};
    REFUSED_QUIETLY(hol_optimize(NULL, spec, &how, &answer));
    REFUSED(hol_optimize(s.ctx, NULL, &how, &answer));
    REFUSED(hol_optimize(s.ctx, spec, NULL, &answer));
    REFUSED(hol_optimize(s.ctx, spec, &how, NULL));
    REFUSED(hol_optimize(s.ctx, spec, &how, &answer)); /* no such parameter */
    hol_wide_options wide = {.size = sizeof wide, .starts = 2};
    REFUSED_QUIETLY(hol_optimize_widely(NULL, spec, &how, &wide, &answer));
    REFUSED(hol_optimize_widely(s.ctx, NULL, &how, &wide, &answer));
    REFUSED(hol_optimize_widely(s.ctx, spec, NULL, &wide, &answer));
    REFUSED(hol_optimize_widely(s.ctx, spec, &how, NULL, &answer));
    REFUSED(hol_optimize_widely(s.ctx, spec, &how, &wide, NULL));
    REFUSED(hol_optimize_widely(s.ctx, spec, &how, &wide, &answer)); /* no such parameter */
    wide.starts = -1;
    REFUSED(hol_optimize_widely(s.ctx, spec, &how, &wide, &answer));
    wide = (hol_wide_options){.size = sizeof wide, .starts = 2, .threads = -1};
    REFUSED(hol_optimize_widely(s.ctx, spec, &how, &wide, &answer));
    how.tolerance = -1;
    REFUSED(hol_optimize(s.ctx, spec, &how, &answer));
    REFUSED_QUIETLY(hol_identify(NULL, spec, &fit, &answer));
    REFUSED(hol_identify(s.ctx, NULL, &fit, &answer));
    REFUSED(hol_identify(s.ctx, spec, NULL, &answer));
    REFUSED(hol_identify(s.ctx, spec, &fit, NULL));
    REFUSED(hol_identify(s.ctx, spec, &fit, &answer));
    fit.evaluations = -1;
    REFUSED(hol_identify(s.ctx, spec, &fit, &answer));
    NONE_QUIETLY(hol_answer_model(NULL));
    NONE_QUIETLY(hol_optimize_algorithm(-1, NULL));
    NONE_QUIETLY(hol_optimize_algorithm(1000, NULL));
    hol_spec_free(spec);
}

static void gears(void) {
    static const char *const shafts[] = {"A", NULL};
    hol_gears_options how = {.size = sizeof how, .n_shafts = 1, .shafts = shafts};
    hol_answer *answer = NULL;
    REFUSED_QUIETLY(hol_gears(NULL, s.sim, &how, &answer));
    REFUSED(hol_gears(s.ctx, NULL, &how, &answer));
    REFUSED(hol_gears(s.ctx, s.sim, NULL, &answer));
    REFUSED(hol_gears(s.ctx, s.sim, &how, NULL));
    how.n_shafts = 2;
    REFUSED(hol_gears(s.ctx, s.sim, &how, &answer));
    how.n_shafts = 1, how.n_loads = 1;
    REFUSED(hol_gears(s.ctx, s.sim, &how, &answer));
}

static void records(void) {
    const hol_observer nobody = {.user = NULL};
    REFUSED_QUIETLY(hol_result_restart(NULL, "calls.csv", 0, s.sim));
    REFUSED(hol_result_restart(s.ctx, NULL, 0, s.sim));
    REFUSED(hol_result_restart(s.ctx, "calls.csv", 0, NULL));
    REFUSED(hol_result_restart(s.ctx, "calls.csv", NAN, s.sim));
    REFUSED_QUIETLY(hol_result_replay(NULL, "calls.csv", 0, 1, s.sim, &nobody));
    REFUSED(hol_result_replay(s.ctx, NULL, 0, 1, s.sim, &nobody));
    REFUSED(hol_result_replay(s.ctx, "calls.csv", 0, 1, NULL, &nobody));
    REFUSED(hol_result_replay(s.ctx, "calls.csv", 0, 1, s.sim, NULL));
}

static void charts(void) {
    static const char *const files[] = {"calls.csv", NULL}, *const columns[] = {"angle", NULL};
    const hol_chart good = {.n_results = 1, .results = files, .n_columns = 1, .columns = columns};
    hol_chart bad = good;
    REFUSED_QUIETLY(hol_chart_write(NULL, &good, "x.svg"));
    REFUSED(hol_chart_write(s.ctx, NULL, "x.svg"));
    REFUSED(hol_chart_write(s.ctx, &good, NULL));
    bad.results = NULL;
    REFUSED(hol_chart_write(s.ctx, &bad, "x.svg"));
    bad = good, bad.n_results = 2;
    REFUSED(hol_chart_write(s.ctx, &bad, "x.svg"));
    bad = good, bad.n_columns = 0;
    REFUSED(hol_chart_write(s.ctx, &bad, "x.svg"));
    bad = good, bad.columns = NULL;
    REFUSED(hol_chart_write(s.ctx, &bad, "x.svg"));
    bad = good, bad.n_columns = 2;
    REFUSED(hol_chart_write(s.ctx, &bad, "x.svg"));
}

static void figures(void) {
    static const double x[2] = {0, 1};
    const hol_series series = {.n = 2, .x = x, .y = x, .unit = "m"}, hollow = {.n = 2, .x = x};
    hol_figure figure = {.n_series = 1, .series = &series};
    REFUSED_QUIETLY(hol_figures_write(NULL, 1, &figure, 0, 0, "x.svg"));
    REFUSED(hol_figures_write(s.ctx, 0, &figure, 0, 0, "x.svg"));
    REFUSED(hol_figures_write(s.ctx, -1, &figure, 0, 0, "x.svg"));
    REFUSED(hol_figures_write(s.ctx, 1, NULL, 0, 0, "x.svg"));
    REFUSED(hol_figures_write(s.ctx, 1, &figure, 0, 0, NULL));
    REFUSED(hol_figures_write(s.ctx, 1, &figure, -5, 0, "x.svg"));
    REFUSED(hol_figures_write(s.ctx, 1, &figure, 0, -5, "x.svg"));
    REFUSED(hol_figures_write(s.ctx, 1, &figure, INT_MAX, INT_MAX, "x.svg"));
    figure.n_series = -1;
    REFUSED(hol_figures_write(s.ctx, 1, &figure, 0, 0, "x.svg"));
    figure.n_series = 1, figure.series = NULL;
    REFUSED(hol_figures_write(s.ctx, 1, &figure, 0, 0, "x.svg"));
    figure.series = &hollow;
    REFUSED(hol_figures_write(s.ctx, 1, &figure, 0, 0, "x.svg"));
}

static void pictures(void) {
    const hol_frames frames = {.rate = 25}, wide = {.width = INT_MAX};
    const hol_strobe strobe = {.every = 0.1}, hollow = {.n_times = 3}, few = {.n_times = -1};
    int n;
    REFUSED_QUIETLY(hol_frames_write(NULL, "calls.csv", &frames, ".", &n));
    REFUSED(hol_frames_write(s.ctx, NULL, &frames, ".", &n));
    REFUSED(hol_frames_write(s.ctx, "calls.csv", NULL, ".", &n));
    REFUSED(hol_frames_write(s.ctx, "calls.csv", &frames, NULL, &n));
    REFUSED(hol_frames_write(s.ctx, "calls.csv", &frames, ".", NULL));
    REFUSED(hol_frames_write(s.ctx, "calls.csv", &wide, ".", &n));
    REFUSED_QUIETLY(hol_strobe_write(NULL, "calls.csv", &strobe, "x.svg", &n));
    REFUSED(hol_strobe_write(s.ctx, NULL, &strobe, "x.svg", &n));
    REFUSED(hol_strobe_write(s.ctx, "calls.csv", NULL, "x.svg", &n));
    REFUSED(hol_strobe_write(s.ctx, "calls.csv", &strobe, NULL, &n));
    REFUSED(hol_strobe_write(s.ctx, "calls.csv", &strobe, "x.svg", NULL));
    REFUSED(hol_strobe_write(s.ctx, "calls.csv", &hollow, "x.svg", &n));
    REFUSED(hol_strobe_write(s.ctx, "calls.csv", &few, "x.svg", &n));
    REFUSED_QUIETLY(hol_strobe_view(NULL, &strobe, "x.svg"));
    REFUSED(hol_strobe_view(s.sim, NULL, "x.svg"));
    REFUSED(hol_strobe_view(s.sim, &strobe, NULL));
    REFUSED(hol_strobe_view(s.sim, &strobe, "x.gif"));
}

static void motions(void) {
    const hol_motion motion = {0}, odd = {.rate = NAN}, fast = {.speed = INFINITY};
    int n;
    REFUSED_QUIETLY(hol_motion_write(NULL, "calls.csv", &motion, "x.glb", &n));
    REFUSED(hol_motion_write(s.ctx, NULL, &motion, "x.glb", &n));
    REFUSED(hol_motion_write(s.ctx, "calls.csv", NULL, "x.glb", &n));
    REFUSED(hol_motion_write(s.ctx, "calls.csv", &motion, NULL, &n));
    REFUSED(hol_motion_write(s.ctx, "calls.csv", &motion, "x.glb", NULL));
    REFUSED(hol_motion_write(s.ctx, "calls.csv", &odd, "x.glb", &n));
    REFUSED(hol_motion_write(s.ctx, "calls.csv", &fast, "x.glb", &n));
    REFUSED(hol_motion_write(s.ctx, "calls.csv", &motion, "x.svg", &n));
    REFUSED_QUIETLY(hol_motion_view(NULL, "x.glb"));
    REFUSED(hol_motion_view(s.sim, NULL));
    REFUSED(hol_motion_view(s.sim, "x.html"));
}

/* ---- the table ---- */

/* The calls that a function above makes, with blanks between them. */
typedef struct row {
    void (*make)(void);
    const char *calls;
} row;

static const row rows[] = {
    {no_effect_of_free, "hol_context_free hol_spec_free hol_options_free hol_model_free "
                        "hol_data_free hol_sim_free hol_result_free hol_writer_close "
                        "hol_free"},
    {no_arguments, "hol_version hol_context_new"},
    {context_new_with, "hol_context_new_with"},
    {context_on_message, "hol_context_on_message"},
    {messages, "hol_message_count hol_message_count_of hol_message_get "
               "hol_message_clear"},
    {message_format, "hol_message_format"},
    {statuses, "hol_status_name hol_status_text"},
    {tables, "hol_feature_get hol_option_get hol_option_find "
             "hol_statistic_get hol_method_get hol_part_get hol_element_get "
             "hol_end_name hol_change_name"},
    {spec_new, "hol_spec_new hol_spec_copy"},
    {documents, "hol_document_read hol_document_read_text hol_document_free hol_document_root "
                "hol_place_error"},
    {no_items, "hol_item_kind_of hol_item_key hol_item_value hol_item_count hol_item_first "
               "hol_item_next hol_item_find hol_item_place hol_item_key_place"},
    {formulas, "hol_formula"},
    {spec_read, "hol_spec_read_file hol_spec_read_text hol_spec_set_include_root"},
    {spec_set, "hol_spec_set"},
    {spec_items, "hol_spec_root hol_spec_section hol_spec_add hol_item_number "
                 "hol_item_text hol_item_vector hol_item_texts hol_item_map "
                 "hol_spec_text hol_spec_rewrite"},
    {options_make, "hol_options_new hol_options_copy hol_options_from_spec"},
    {options_set, "hol_options_set_real hol_options_set_integer "
                  "hol_options_set_bool hol_options_set_choice "
                  "hol_options_set_list hol_options_set"},
    {options_get, "hol_options_get_real hol_options_get_integer "
                  "hol_options_get_bool hol_options_get_choice "
                  "hol_options_get_text hol_options_text hol_options_is_given "
                  "hol_options_where hol_options_coordinates hol_options_run_coordinates"},
    {model_make, "hol_model_compile hol_model_from_spec hol_model_from_file"},
    {model_names, "hol_model_body hol_model_joint hol_model_force "
                  "hol_model_measure_index hol_model_measure hol_model_parameter "
                  "hol_model_body_name "
                  "hol_model_joint_name hol_model_force_name hol_model_row "
                  "hol_model_gravity"},
    {model_describe, "hol_model_describe hol_model_body_describe "
                     "hol_model_joint_describe hol_model_force_describe "
                     "hol_model_velocity_name hol_model_velocity_unit"},
    {model_road, "hol_model_road"},
    {model_curve, "hol_model_curve"},
    {model_lists, "hol_model_local_point hol_model_cut"},
    {model_fields, "hol_model_field hol_model_field_text hol_model_element_text"},
    {elements, "hol_element_key hol_element_quantity hol_element_example hol_section_get "
               "hol_schema_json hol_schema_markdown"},
    {data_state, "hol_data_new hol_data_copy hol_data_model hol_data_time "
                 "hol_data_q hol_data_v hol_data_set hol_data_acceleration "
                 "hol_data_multipliers hol_data_position_residual "
                 "hol_data_velocity_residual hol_data_update hol_data_solve"},
    {data_answers, "hol_data_body_pose hol_data_body_twist hol_data_energy "
                   "hol_data_reaction hol_data_force hol_data_measure"},
    {data_forces, "hol_data_add_force hol_data_add_torque"},
    {data_terms, "hol_data_term_size hol_data_term hol_data_term_rows"},
    {sim_make, "hol_sim_new hol_sim_model hol_sim_context hol_sim_data "
               "hol_sim_options hol_sim_on_force"},
    {sim_steps, "hol_sim_restart hol_sim_step hol_sim_advance hol_sim_run"},
    {sim_states, "hol_sim_state_size hol_sim_state_save hol_sim_state_load"},
    {sim_answers, "hol_sim_describe hol_sim_event hol_sim_event_impulse "
                  "hol_sim_rank hol_sim_measure_unit hol_sim_unit "
                  "hol_statistic_of hol_unit_show"},
    {writers_in_memory, "hol_writer_open_memory hol_writer_values hol_writer_quantity "
                        "hol_writer_cut hol_writer_save"},
    {varied_mechanisms,
     "hol_varied_new hol_varied_free hol_varied_unit hol_varied_set hol_varied_model "
     "hol_varied_options hol_varied_sim hol_varied_changed hol_varied_context"},
    {drives,
     "hol_spec_add_input hol_model_input hol_sim_set_inputs hol_data_set_input hol_sim_step_to "
     "hol_data_n_states hol_data_states hol_data_set_states hol_data_rates hol_data_accept "
     "hol_sim_arrive hol_sim_switches hol_sim_n_conditions hol_sim_conditions "
     "hol_sim_next_jump"},
    {derivatives, "hol_derivatives_new hol_derivatives_free hol_derivatives_along"},
    {fmus, "hol_fmu_write"},
    {studies, "hol_study_read hol_study_read_text hol_study_free hol_study_describe "
              "hol_study_factor hol_study_response hol_study_values hol_study_sim hol_study_run "
              "hol_study_kept "
              "hol_study_design"},
    {imports, "hol_import_read hol_import_read_text hol_import_free hol_import_spec "
              "hol_import_text hol_import_write hol_import_kind_name hol_import_note_count "
              "hol_import_note_get"},
    {exports, "hol_export_new hol_export_free hol_export_text hol_export_write "
              "hol_export_note_count hol_export_note_get"},
    {writers,
     "hol_writer_open hol_writer_record hol_writer_file hol_writer_discard hol_output_check "
     "hol_output_write hol_writer_estimate hol_sim_rows"},
    {checkpoints, "hol_sim_on_checkpoint hol_checkpoint_write hol_checkpoint_read "
                  "hol_checkpoint_free hol_checkpoint_describe hol_checkpoint_file "
                  "hol_checkpoint_note hol_checkpoint_load hol_checkpoint_writer "
                  "hol_checkpoint_remove"},
    {results, "hol_result_read hol_result_rows hol_result_columns "
              "hol_result_column hol_result_values hol_result_extremes "
              "hol_result_set_units hol_result_find hol_result_text hol_result_convert"},
    {reports, "hol_report_write hol_report_view"},
    {driven_motions,
     "hol_workspace hol_assemblies hol_spec_allow_massless hol_kinematics hol_kinematics_new"},
    {inverses, "hol_inverse_new hol_inverse_free hol_inverse_take hol_inverse_finish"},
    {gears, "hol_gears"},
    {searches, "hol_optimize hol_optimize_widely hol_optimize_algorithm hol_identify "
               "hol_answer_model"},
    {records, "hol_result_restart hol_result_replay"},
    {answers, "hol_statics hol_sensitivity hol_certify hol_certify_run hol_equations "
              "hol_equations_symbolic hol_generate "
              "hol_code_new hol_code_new_varied hol_code_free hol_sim_use_code "
              "hol_answer_free "
              "hol_answer_command "
              "hol_answer_title "
              "hol_answer_facts "
              "hol_answer_tables hol_answer_fact hol_answer_table hol_answer_find hol_answer_value "
              "hol_answer_set_units hol_answer_write hol_answer_to_text hol_answer_to_json "
              "hol_report_answer"},
    {own_answers, "hol_answer_new hol_answer_add_number hol_answer_add_text hol_answer_add_table"},
    {small_motions, "hol_linearize hol_locus hol_modes_new hol_modes_free hol_modes_count "
                    "hol_modes_time hol_modes_put"},
    {charts, "hol_chart_write"},
    {figures, "hol_figures_write"},
    {pictures, "hol_frames_write hol_strobe_write hol_strobe_view"},
    {motions, "hol_motion_write hol_motion_view"},
};

enum { N_ROWS = sizeof rows / sizeof *rows };

static void test_bad_arguments(void **state) {
    (void)state;
    open_scene();
    for (int i = 0; i < N_ROWS; i++) rows[i].make();
    /* after all that everything still works */
    double energy = energy_of(hol_sim_data(s.sim)).balance;
    assert_true(isfinite(energy));
    close_scene();
}

/* Whether the word stands among words with blanks between them. */
static int has_word(const char *words, const char *word, size_t n) {
    for (const char *at = words; (at = strstr(at, word)); at += n)
        if ((at == words || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0')) return 1;
    return 0;
}

static int has_row(const char *name) {
    for (int i = 0; i < N_ROWS; i++)
        if (has_word(rows[i].calls, name, strlen(name))) return 1;
    return 0;
}

/* The name of the function that a line of docs/abi.txt declares: what stands before its first
 * bracket; 0 for types and members. */
static int declared(const char *line, char name[64]) {
    const char *end = strchr(line, '(');
    if (!end || line[0] == ' ' || strncmp(line, "typedef", 7) == 0) return 0;
    const char *at = end;
    while (at > line &&
           (at[-1] == '_' || (at[-1] >= 'a' && at[-1] <= 'z') || (at[-1] >= '0' && at[-1] <= '9')))
        at--;
    if (strncmp(at, "hol_", 4) != 0 || end - at >= 64) return 0;
    snprintf(name, 64, "%.*s", (int)(end - at), at);
    return 1;
}

static void test_all_calls_have_a_row(void **state) {
    (void)state;
    FILE *file = fopen(HOLONOM_TEST_SOURCE "/docs/abi.txt", "r");
    static char line[4096];
    char name[64];
    int n = 0, missing = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        /* a line may hold an inline function and the declaration behind it */
        for (const char *at = line; at; at = strstr(at, "} "), at = at ? at + 2 : NULL) {
            if (!declared(at, name)) continue;
            n++;
            if (has_row(name)) continue;
            print_error("%s has no row\n", name);
            missing++;
        }
    }
    fclose(file);
    assert_true(n >= 130);
    assert_int_equal(missing, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_all_calls_have_a_row),
    };
    return cmocka_run_group_tests_name("calls", tests, NULL, NULL);
}

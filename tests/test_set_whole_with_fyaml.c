/* test_set_whole_with_fyaml.c: lists and maps that are set as a whole: as if they stood in the
 * file. */
#include "model_fixture.h"

static const char text[] = "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
                           "parameters: {L: 0.7}\n"
                           "bodies:\n"
                           "  rod: {mass: 1.3, inertia: 0.1, position: [0.35, 0.2]}\n"
                           "joints:\n"
                           "  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
                           "measures:\n  p: {type: position, body: rod}\n"
                           "simulation: {end: 1, assemble: off}\n";

/* A pair of a path and a value. */
typedef struct pair {
    const char *path, *value;
} pair;

/* The model of the text with these settings, or NULL. */
static hol_model *make(hol_context *ctx, hol_spec *spec, const pair *pairs, size_t n) {
    assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
    for (size_t i = 0; i < n; i++)
        if (hol_spec_set(spec, pairs[i].path, pairs[i].value, "--set")) return NULL;
    return hol_model_compile(ctx, spec, NULL);
}

/* A list, a list with expressions, a map within an element, an element, a section, a key of the
 * file, a list that is an option. */
static void test_whole(void **state) {
    (void)state;
    static const pair pairs[] = {
        {"bodies.rod.position", "[1.25, L + 0.5]"},
        {"gravity", "[1.5, -1.62]"},
        {"joints.A", "{type: prismatic, bodies: [ground, rod], at: [1, 2], axis: [3, 4]}"},
        {"joints.A.bodies", " [rod, ground]"},
        {"forces.push", "{type: force, body: rod, force: [2.5, 0]}"},
        {"measures",
         "{q: {type: position, body: rod, component: y}, v: {type: velocity, body: rod}}"},
        {"name", "another"},
        {"bodies.rod.mass", "2.6"},
    };
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_model *model = make(ctx, spec, pairs, sizeof pairs / sizeof *pairs);
    if (!model) run_print_messages(ctx);
    assert_non_null(model);
    assert_string_equal(hol_model_measure(model, 0)->name, "q");
    assert_string_equal(hol_model_measure(model, 2)->name, "v.y");
    hol_data *data = hol_data_new(ctx, model);
    assert_int_equal(hol_data_update(data, HOL_STAGE_VEL), HOL_OK);
    check_near("q", measure_of(data, 0), 1.2, 0);
    hol_element_info joint = {.size = sizeof joint};
    assert_int_equal(hol_model_joint_describe(model, 0, &joint), HOL_OK);
    assert_string_equal(joint.type, "prismatic");
    assert_int_equal(joint.body[0], 0);
    hol_data_free(data);
    hol_model_free(model);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        pair set;
        const char *words;
    } rows[] = {
        {{"gravity", "3"},
         "'gravity' is a list; set one of its elements, for example 'gravity.0', "
         "or all of it as 'gravity=[1, 2]'"},
        {{"joints.A", "3"}, "or all of it as 'joints.A={key: value}'"},
        {{"gravity", "[1, 2"}, ""},
        {{"gravity", "[1]\nother: 2"}, "a value is one list or one map"},
        {{"gravity", "[1, 2, 3]"}, "2"},
        {{"joints.A", "{type: revolut}"}, "did you mean 'revolute'?"},
        {{"forces.", "{type: force}"}, "there is no ''"},
        {{"forces.a.b", "{type: force}"}, "there is no 'a' in forces"},
        {{"include", "[/etc/passwd]"}, "included while the model is read"},
        {{"include", "other.yaml"}, "included while the model is read"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        assert_null(make(ctx, spec, &rows[i].set, 1));
        int found = 0;
        for (int k = 0; k < hol_message_count(ctx); k++)
            found |= strstr(hol_message_get(ctx, k)->text, rows[i].words) != NULL;
        if (!found) {
            run_print_messages(ctx);
            fail_msg("%s=%s: wanted '%s'", rows[i].set.path, rows[i].set.value, rows[i].words);
        }
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

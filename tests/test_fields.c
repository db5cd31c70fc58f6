/* test_fields.c: parameters of elements: the tables fit their structs, what was given comes back as
 * numbers and as text, and a text that is read again gives the same element. */
#include "model_fixture.h"

#include "model/fields.h"
#include "model/node.h"

static int new_context(void **state) {
    *state = hol_context_new();
    return *state ? 0 : -1;
}

static int free_context(void **state) {
    hol_context_free(*state);
    return 0;
}

static void fail_with_messages(const hol_context *ctx, const char *what) {
    run_print_messages(ctx);
    fail_msg("%s", what);
}

/* ---- tables ---- */

/* Every key is a field with the size of its kind, inside the struct, and no two share a place. */
static void check_table(const char *what, const hol__key *keys, size_t size) {
    assert_true(size > sizeof(hol__params));
    for (const hol__key *key = keys; key->name; key++) {
        if (!key->size || key->size != hol__field_size(key))
            fail_msg("%s.%s is stored in %zu bytes, not %zu", what, key->name, key->size,
                     hol__field_size(key));
        if (key->offset < sizeof(hol__params) || key->offset + key->size > size)
            fail_msg("%s.%s lies outside of the parameters", what, key->name);
        for (const hol__key *other = keys; other < key; other++)
            if (key->offset < other->offset + other->size &&
                other->offset < key->offset + key->size)
                fail_msg("%s: '%s' and '%s' share their place", what, key->name, other->name);
        const int has_items = key->kind == HOL__KEY_COORDINATES || key->kind == HOL__KEY_TERMS ||
                              key->kind == HOL__KEY_SOLIDS;
        assert_int_equal(has_items, key->group != NULL);
        if (has_items) check_table(key->group->what, key->group->keys, key->group->size);
    }
}

static void test_tables(void **state) {
    (void)state;
    for (int i = 0; hol__element_type_get(i); i++) {
        const hol__element_type *type = hol__element_type_get(i);
        check_table(type->name, type->keys, type->size);
    }
}

/* ---- what was given comes back ---- */

static hol_spec *read_spec(hol_context *ctx, const char *text) {
    hol_spec *spec = hol_spec_new(ctx);
    if (hol_spec_read_text(spec, text, "test.yaml")) fail_with_messages(ctx, text);
    return spec;
}

static hol_model *compile(hol_context *ctx, const hol_spec *spec, const char *what) {
    hol_model *model = hol_model_compile(ctx, spec, NULL);
    if (!model) fail_with_messages(ctx, what);
    return model;
}

/* The number that a scalar of an example stands for, by the compiler of expressions alone. */
static double number_of(hol__arena *arena, const hol__node *node) {
    static const hol_location nowhere = {"example", 1, 1};
    assert_int_equal(node->kind, HOL__SCALAR);
    const hol__expr *e = hol__expr_compile(arena, node->text, NULL, 1, &nowhere, "example");
    assert_non_null(e);
    return hol__expr_constant(e);
}

/* The numbers of a node and of what is in it, in order. */
static int numbers_of(hol__arena *arena, const hol__node *node, double *out) {
    int n = 0;
    if (node->kind == HOL__SCALAR) return out[0] = number_of(arena, node), 1;
    for (const hol__node *child = node->first; child; child = child->next)
        n += numbers_of(arena, child, out + n);
    return n;
}

enum { MOST = 64 };

/* The numbers of one field against the node that gave them; 1 when there were some. A direction is
 * brought to length 1 with a rounding error or two; what is on the diagonal of a matrix stands
 * there. */
static int check_field(hol_context *ctx, const hol_model *model, const char *path,
                       const hol__key *key, const hol__node *node) {
    double values[MOST], given[MOST] = {0}, length = 1;
    int n;
    if (hol_model_field(ctx, model, path, MOST, values, &n)) {
        hol_message_clear(ctx);
        return 0;
    }
    hol__arena arena;
    hol__arena_init(&arena, ctx);
    const int m = numbers_of(&arena, node, given);
    hol__arena_free(&arena);
    assert_true(n <= MOST);
    if (key->kind == HOL__KEY_DIRECTION) {
        length = 0;
        for (int i = 0; i < m; i++) length += given[i] * given[i];
        length = sqrt(length);
    }
    const int diagonal = key->kind == HOL__KEY_MATRIX && m * m == n;
    if (!diagonal) assert_int_equal(n, m);
    for (int i = 0; i < n; i++) {
        const double wanted = !diagonal ? given[i] / length : i % (m + 1) ? 0 : given[i / (m + 1)];
        if (!(fabs(values[i] - wanted) <= (length == 1 ? 0 : 4e-16)))
            fail_msg("%s: %.17g is given back as %.17g", path, wanted, values[i]);
    }
    return 1;
}

/* All fields of an item; how many have numbers. */
static int check_item(hol_context *ctx, const hol_model *model, const char *section,
                      const hol__node *item) {
    const hol__node *type = hol__node_get(item, "type");
    const hol__key *keys = hol__element_type_find(section, type->text)->keys;
    int n = 0;
    for (const hol__node *node = item->first; node; node = node->next) {
        const hol__key *key = hol__key_find(keys, node->key);
        char path[256];
        if (!key) continue;
        snprintf(path, sizeof path, "%s.%s.%s", section, item->key, node->key);
        n += check_field(ctx, model, path, key, node);
    }
    return n;
}

static const char *const sections[] = {"joints", "forces", "measures"};

static void test_numbers_come_back(void **state) {
    hol_context *ctx = *state;
    int n = 0;
    if (!reads_yaml()) skip();
    for (int i = 0; element_doc(i).name; i++) {
        const hol_element_doc e = element_doc(i);
        char *text = hol_element_example(ctx, e.section, e.name);
        hol_spec *spec = read_spec(ctx, text);
        hol_model *model = compile(ctx, spec, e.name);
        for (int s = 0; s < 3; s++) {
            const hol__node *map = hol__node_get(spec->root, sections[s]);
            for (const hol__node *item = map ? map->first : NULL; item; item = item->next)
                n += check_item(ctx, model, sections[s], item);
        }
        hol_model_free(model);
        hol_spec_free(spec);
        hol_free(ctx, text);
    }
    assert_true(n > 150);
}

/* ---- text ---- */

/* The description with every element as the model gives it back. */
static char *text_of(hol_context *ctx, const hol_model *model, hol_spec *spec) {
    static char text[8192];
    char lines[4096] = "";
    for (int s = 0; s < 3; s++) {
        hol__node *map = hol__node_get(spec->root, sections[s]);
        if (!map) continue;
        snprintf(lines + strlen(lines), sizeof lines - strlen(lines), "%s:\n", sections[s]);
        for (const hol__node *item = map->first; item; item = item->next) {
            char path[256];
            snprintf(path, sizeof path, "%s.%s", sections[s], item->key);
            char *own = hol_model_element_text(ctx, model, path);
            if (!own) fail_with_messages(ctx, path);
            snprintf(lines + strlen(lines), sizeof lines - strlen(lines), "  %s: %s\n", item->key,
                     own);
            hol_free(ctx, own);
        }
        hol__node_remove(map);
    }
    char *rest = hol_spec_text(spec);
    snprintf(text, sizeof text, "%s%s", rest, lines);
    hol_free(ctx, rest);
    assert_true(strlen(text) + 1 < sizeof text && strlen(lines) + 1 < sizeof lines);
    return text;
}

/* q, v and their rates at the end of a short run. */
static void run_model(hol_context *ctx, const hol_spec *spec, double *out, int n) {
    hol_options *options;
    hol_model *model = hol_model_from_spec(ctx, spec, &options);
    if (!model) fail_with_messages(ctx, "the text that was given back");
    hol_sim *sim = hol_sim_new(ctx, model, options);
    if (!sim || hol_sim_run(sim, NULL)) fail_with_messages(ctx, "the run");
    const hol_data *data = hol_sim_data(sim);
    const hol_model_info info = model_info(model);
    memset(out, 0, sizeof(double) * (size_t)n);
    for (int i = 0; i < info.n_q && i < n; i++) out[i] = hol_data_q(data)[i];
    hol_sim_free(sim);
    hol_options_free(options);
    hol_model_free(model);
}

/* An example and the text that its elements give back make the same motion. Rounding of directions,
 * which are divided by their length twice, and of points that were given in the frame of a body is
 * 1e-16 of 1 m; 0.1 s let it grow by less than 1e4. */
static void test_text_makes_the_same_model(void **state) {
    hol_context *ctx = *state;
    if (!reads_yaml()) skip();
    for (int i = 0; element_doc(i).name; i++) {
        const hol_element_doc e = element_doc(i);
        char *text = hol_element_example(ctx, e.section, e.name);
        hol_spec *spec = read_spec(ctx, text);
        double first[32], second[32];
        run_model(ctx, spec, first, 32);
        hol_model *model = compile(ctx, spec, e.name);
        const char *again = text_of(ctx, model, spec);
        hol_spec *other = read_spec(ctx, again);
        run_model(ctx, other, second, 32);
        for (int k = 0; k < 32; k++)
            if (!(fabs(first[k] - second[k]) <= 1e-12))
                fail_msg("%s moves otherwise: %.17g, %.17g\n%s", e.name, first[k], second[k],
                         again);
        hol_model_free(model);
        hol_spec_free(other);
        hol_spec_free(spec);
        hol_free(ctx, text);
    }
}

/* ---- a model with all kinds of values ---- */

static const char mixed[] =
    "holonom: 1\nspace: spatial\ngravity: [0, 0, 0]\nparameters: {k: 3.7 kN/m, gap: 12 mm}\n"
    "points: {P: [0.31, -0.22, 0.17]}\n"
    "bodies:\n"
    "  rod: {mass: 1.3, inertia: [0.1, 0.2, 0.25], position: [0.4, 0.2, 0.1], com: [0.05, 0, 0]}\n"
    "  'odd: one': {mass: 0.7, inertia: [0.1, 0.2, 0.25], position: [1.4, 0.2, 0.1]}\n"
    "joints:\n"
    "  A.first: {type: revolute, bodies: [ground, rod], at: P, axis: [0, 3, 4]}\n"
    "  B: {type: generic, bodies: [rod, 'odd: one'], at: {body: rod, at: [0.2, 0, 0]}, lock: [x, "
    "y, z], drive: {rz: 0.3*t, rx: 2 deg}}\n"
    "forces:\n"
    "  s: {type: spring, bodies: [ground, rod], from: P, to: [0, 1, gap], stiffness: k, damping: "
    "'0.2 + 0.1*sin(t)'}\n"
    "  b: {type: bushing, bodies: [ground, rod], at: P, stiffness: [1, 2, 3, 4, 5, 6], torque: "
    "['deflection^3', 0, 0.4]}\n"
    "measures:\n  'tip': {type: position, body: rod, at: P, component: y}\n";

static hol_model *mixed_model(hol_context *ctx, const char *path, const char *value) {
    hol_spec *spec = read_spec(ctx, mixed);
    if (path) assert_int_equal(hol_spec_set(spec, path, value, "test"), HOL_OK);
    hol_model *model = compile(ctx, spec, "mixed");
    hol_spec_free(spec);
    return model;
}

static void check_numbers(hol_context *ctx, const hol_model *model, const char *path, int n,
                          const double *wanted) {
    double values[MOST];
    int count;
    assert_int_equal(hol_model_field(ctx, model, path, MOST, values, &count), HOL_OK);
    assert_int_equal(count, n);
    for (int i = 0; i < n; i++)
        if (values[i] != wanted[i]) fail_msg("%s[%d] is %.17g", path, i, values[i]);
}

static void check_text(hol_context *ctx, const hol_model *model, const char *path,
                       const char *wanted) {
    char *text = hol_model_field_text(ctx, model, path);
    assert_non_null(text);
    assert_string_equal(text, wanted);
    hol_free(ctx, text);
}

static void test_values_by_path(void **state) {
    hol_context *ctx = *state;
    if (!reads_yaml()) skip();
    hol_model *model = mixed_model(ctx, NULL, NULL);
    check_numbers(ctx, model, "forces.s.stiffness", 1, (const double[]){3700});
    check_numbers(ctx, model, "forces.s.to", 3, (const double[]){0, 1, 0.012});
    check_numbers(ctx, model, "forces.s.force", 1, (const double[]){0});
    check_numbers(ctx, model, "forces.s.free_length", 0, NULL);
    check_numbers(ctx, model, "joints.A.first.at", 3, (const double[]){0.31, -0.22, 0.17});
    check_numbers(ctx, model, "joints.A.first.axis", 3, (const double[]){0, 0.6, 0.8});
    check_text(ctx, model, "forces.s.stiffness", "3700");
    check_text(ctx, model, "forces.s.damping", "0.2 + 0.1*sin(t)");
    check_text(ctx, model, "forces.s.free_length", "");
    check_text(ctx, model, "forces.b.torque", "[deflection^3, 0, 0.4]");
    check_text(ctx, model, "joints.B.bodies", "[rod, \"odd: one\"]");
    check_text(ctx, model, "joints.B.lock", "[x, y, z]");
    check_text(ctx, model, "joints.B.drive", "{rx: 0.03490658503988659, rz: 0.3*t}");
    check_text(ctx, model, "measures.tip.component", "y");
    /* at most as many as there is room for */
    double one[2] = {0, 7.25};
    int count;
    assert_int_equal(hol_model_field(ctx, model, "forces.b.stiffness", 1, one, &count), HOL_OK);
    assert_int_equal(count, 36);
    assert_true(one[0] == 1 && one[1] == 7.25);
    hol_model_free(model);
}

/* What is set in a description is what the model has. */
static void test_set_and_read(void **state) {
    hol_context *ctx = *state;
    if (!reads_yaml()) skip();
    hol_model *model = mixed_model(ctx, "forces.s.stiffness", "4.1 N/mm");
    check_numbers(ctx, model, "forces.s.stiffness", 1, (const double[]){4100});
    hol_model_free(model);
    model = mixed_model(ctx, "forces.s.free_length", "0.731");
    check_numbers(ctx, model, "forces.s.free_length", 1, (const double[]){0.731});
    hol_model_free(model);
}

static void test_paths_that_lead_nowhere(void **state) {
    static const struct {
        const char *path, *message;
    } cases[] = {
        {"forces.s.stifness", "did you mean 'stiffness'?"},
        {"forces.t.stiffness", "the model has no element 't' in 'forces'"},
        {"bodies.rod.mass", "the model has no element 'rod' in 'bodies'"},
        {"stiffness", "is not a path"},
        {"forces.s", "is not a path"},
        {"forces.s.damping", "not made of constant numbers"},
        {"forces.b.torque", "not made of constant numbers"},
        {"joints.B.bodies", "not made of constant numbers but two bodies"},
    };
    hol_context *ctx = *state;
    if (!reads_yaml()) skip();
    hol_model *model = mixed_model(ctx, NULL, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value;
        int count = 3;
        assert_int_equal(hol_model_field(ctx, model, cases[i].path, 1, &value, &count),
                         HOL_ERR_ARGUMENT);
        assert_int_equal(count, 0);
        assert_int_equal(hol_message_count(ctx), 1);
        assert_non_null(strstr(hol_message_get(ctx, 0)->text, cases[i].message));
        hol_message_clear(ctx);
    }
    assert_null(hol_model_element_text(ctx, model, "forces"));
    assert_null(hol_model_field_text(ctx, model, "forces.s.k"));
    assert_int_equal(hol_message_count(ctx), 2);
    hol_model_free(model);
}

/* ---- without memory ---- */

/* Every element is compiled or refused when the k-th allocation fails, whatever k, and nothing is
 * left behind. */
static void test_without_memory(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    counting memory;
    hol_context *ctx = counting_context(&memory);
    for (int i = 0; element_doc(i).name; i++) {
        const hol_element_doc e = element_doc(i);
        char *text = hol_element_example(ctx, e.section, e.name);
        hol_spec *spec = read_spec(ctx, text);
        hol_model *model = NULL;
        int k = 0;
        for (; !model && k < 2000; k++) {
            const long live = memory.live;
            memory.fail_at = memory.made + k + 1;
            model = hol_model_compile(ctx, spec, NULL);
            memory.fail_at = 0;
            hol_message_clear(ctx);
            if (!model && memory.live > live) fail_msg("%s leaves something behind", e.name);
        }
        assert_true(model && k > 5);
        hol_model_free(model);
        hol_spec_free(spec);
        hol_free(ctx, text);
    }
    hol_context_free(ctx);
    assert_int_equal(memory.live, 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, new_context, free_context)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_tables),
        TEST(test_numbers_come_back),
        TEST(test_text_makes_the_same_model),
        TEST(test_values_by_path),
        TEST(test_set_and_read),
        TEST(test_paths_that_lead_nowhere),
        TEST(test_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_yaml_files.c: model files on disk: what cannot be read, and files that include others. */
#define _GNU_SOURCE
#include "yaml_fixture.h"

/* ---- files ---- */

static void files(void **state) {
    fixture *f = *state;
    char *path = put_text("good.yaml", "a: 1\n");
    assert_int_equal(hol_spec_read_file(f->spec, path), HOL_OK);
    assert_string_equal(f->spec->source, path);
    assert_string_equal(f->spec->text, "a: 1\n");
    assert_string_equal(node_at(f->spec, "a")->where.file, path);
    /* only into an empty description */
    assert_int_equal(hol_spec_read_file(f->spec, path), HOL_ERR_ARGUMENT);
    again(f);
    assert_int_equal(hol_spec_read_file(f->spec, "/nonexistent/model.yaml"), HOL_ERR_IO);
    assert_true(said(f->ctx, "/nonexistent/model.yaml") && said(f->ctx, "No such file"));
    assert_int_equal(f->spec->failed, 1);
    again(f);
    assert_int_equal(hol_spec_read_file(f->spec, dir), HOL_ERR_IO);
    again(f);
    assert_int_equal(hol_spec_read_file(f->spec, put_file("nul.yaml", "a: 1\n\0b: 2\n", 11)),
                     HOL_ERR_INPUT);
    assert_int_equal(hol_message_get(f->ctx, 0)->where.line, 2);
    assert_int_equal(hol_message_get(f->ctx, 0)->where.column, 1);
    again(f);
    assert_int_equal(hol_spec_read_file(f->spec, put_text("empty.yaml", "")), HOL_ERR_INPUT);
}

/* More than 64 MB are refused, whatever is in them. */
static void large_file(void **state) {
    fixture *f = *state;
    char *path = put_text("large.yaml", "a: 1\n");
    assert_int_equal(truncate(path, (off_t)80 << 20), 0);
    assert_int_equal(hol_spec_read_file(f->spec, path), HOL_ERR_IO);
    assert_true(said(f->ctx, "64 MB"));
    unlink(path);
}

/* A good file cut anywhere is read or refused, with messages that have a place. */
static void cut_file(void **state) {
    fixture *f = *state;
    static const char text[] =
        "a: {b: [1, \"x\\n\", 'y'], c: &q {d: é}}\ne: *q\nf: >-\n  two\n  lines\n\"g\": ~\n";
    for (size_t n = 0; n < sizeof text; n++) {
        char cut[sizeof text];
        memcpy(cut, text, n);
        cut[n] = '\0';
        again(f);
        const hol_status status = hol_spec_read_text(f->spec, cut, "model.yaml");
        assert_true(status == HOL_OK || hol_message_count_of(f->ctx, HOL_ERROR) > 0);
        assert_true(status == HOL_OK || hol_message_get(f->ctx, 0)->where.file);
    }
}

/* ---- includes ---- */

static void includes(void **state) {
    fixture *f = *state;
    put_text(
        "base.yaml",
        "holonom: 1\nparameters: {L: 1.5, m: 2}\nbodies:\n  a: {mass: m}\ngravity: [0, -9.81]\n");
    put_text("more.yaml", "bodies:\n  b: {mass: 3}\nempty:\n");
    char *path = put_text(
        "main.yaml", "holonom: 1\ninclude: [base.yaml, more.yaml]\nparameters: {L: 7.25, k: 4}\n"
                     "bodies:\n  c: {mass: 5}\nempty: {x: 1}\n");
    assert_int_equal(hol_spec_read_file(f->spec, path), HOL_OK);
    char *text = hol_spec_text(f->spec);
    assert_string_equal(text, "holonom: 1\nparameters:\n  L: 7.25\n  m: 2\n  k: 4\nbodies:\n  a:\n "
                              "   mass: m\n  b:\n    mass: 3\n"
                              "  c:\n    mass: 5\ngravity: [0, -9.81]\nempty:\n  x: 1\n");
    hol_free(f->ctx, text);
    /* every value knows its own file */
    assert_string_equal(node_at(f->spec, "parameters.L")->where.file, path);
    assert_int_equal(node_at(f->spec, "parameters.L")->where.line, 3);
    assert_int_equal(node_at(f->spec, "parameters.L")->where.column, 17);
    assert_non_null(strstr(node_at(f->spec, "bodies.b.mass")->where.file, "more.yaml"));
    assert_int_equal(node_at(f->spec, "bodies.b.mass")->where.line, 2);
    assert_null(f->spec->text); /* the root file alone does not say what the model is */
    for (const hol__node *node = f->spec->root->first; node; node = node->next)
        assert_ptr_equal(node->parent, f->spec->root);
    /* from text: sought beside the name */
    again(f);
    char name[300];
    snprintf(name, sizeof name, "%s/not-there.yaml", dir);
    assert_int_equal(hol_spec_read_text(f->spec, "include: base.yaml\n", name), HOL_OK);
    assert_string_equal(text_at(f->spec, "parameters.L"), "1.5");
    /* the version of the format is not taken over from an included file */
    assert_null(node_at(f->spec, "holonom"));
}

/* Includes of included files, from their own folder; a file that is reached twice is read once. */
static void nested_includes(void **state) {
    fixture *f = *state;
    char sub[300];
    snprintf(sub, sizeof sub, "%s/sub", dir);
    mkdir(sub, 0777);
    put_text("sub/leaf.yaml", "parameters: {deep: 3, L: 1}\n");
    put_text("sub/left.yaml", "include: leaf.yaml\nparameters: {L: 2}\n");
    put_text("sub/right.yaml", "include: ./leaf.yaml\nbodies: {r: {mass: 1}}\n");
    char *path =
        put_text("top.yaml", "include: [sub/left.yaml, sub/right.yaml]\nparameters: {deep: 4}\n");
    assert_int_equal(hol_spec_read_file(f->spec, path), HOL_OK);
    assert_string_equal(text_at(f->spec, "parameters.L"), "2");
    assert_string_equal(text_at(f->spec, "parameters.deep"), "4");
    assert_string_equal(text_at(f->spec, "bodies.r.mass"), "1");
}

/* Read the file, which must fail; the first message stands at line:column of the file that ends
 * with `file`. */
static void check_include_error(fixture *f, const char *path, const char *file, int line,
                                int column, const char *words) {
    again(f);
    assert_true(hol_spec_read_file(f->spec, path) < 0);
    const hol_message *m = hol_message_get(f->ctx, 0);
    if (!strstr(m->text, words)) print_error("%s\n", m->text);
    assert_non_null(strstr(m->text, words));
    assert_non_null(strstr(m->where.file, file));
    assert_int_equal(m->where.line, line);
    assert_int_equal(m->where.column, column);
    assert_int_equal(f->spec->root->count, 0);
}

static void include_errors(void **state) {
    fixture *f = *state;
    char *path = put_text("i.yaml", "a: 1\ninclude: missing.yaml\n");
    check_include_error(f, path, "i.yaml", 2, 10, "missing.yaml': No such file");
    assert_int_equal(hol_message_get(f->ctx, 0)->status, HOL_ERR_IO);
    path = put_text("i.yaml", "include:\n  - {a: 1}\n");
    check_include_error(f, path, "i.yaml", 2, 5, "include wants the name of a file");
    path = put_text("i.yaml", "include: ~\n");
    check_include_error(f, path, "i.yaml", 1, 10, "include wants the name of a file");
    put_text("bad.yaml", "x: 1\ny: [\n");
    path = put_text("i.yaml", "include: bad.yaml\n");
    check_include_error(f, path, "bad.yaml", 3, 1, "closing bracket");
    /* a name twice, here and there, and the same of two included files */
    put_text("one.yaml", "bodies:\n  a: {mass: 1}\nparameters: {L: 1}\n");
    put_text("two.yaml", "bodies: {a: {mass: 1}}\nparameters: {L: 1}\n");
    path = put_text("i.yaml", "include: one.yaml\nbodies:\n  a: {mass: 2}\n");
    check_include_error(f, path, "i.yaml", 3, 7, "'mass' is already defined at");
    assert_non_null(strstr(hol_message_get(f->ctx, 0)->text, "one.yaml:2:7"));
    path = put_text("i.yaml", "include: [one.yaml, two.yaml]\n");
    check_include_error(f, path, "two.yaml", 1, 14, "'mass' is already defined at");
    assert_int_equal(hol_message_count(f->ctx), 2);
    assert_true(said(f->ctx, "'L' is already defined at"));
    /* versions of the format that differ */
    put_text("two.yaml", "holonom: 2\n");
    path = put_text("i.yaml", "include: two.yaml\nholonom: 1\n");
    check_include_error(f, path, "i.yaml", 2, 1, "'holonom' is not the same as at");
}

static void include_circles(void **state) {
    fixture *f = *state;
    char *path = put_text("self.yaml", "include: self.yaml\n");
    check_include_error(f, path, "self.yaml", 1, 10, "in a circle: ");
    put_text("c2.yaml", "x: 1\ninclude: c3.yaml\n");
    put_text("c3.yaml", "include: ./c1.yaml\n");
    path = put_text("c1.yaml", "include: c2.yaml\n");
    check_include_error(f, path, "c3.yaml", 1, 10, "in a circle: ");
    const char *text = hol_message_get(f->ctx, 0)->text;
    const char *one = strstr(text, "c1.yaml -> "), *two = strstr(text, "c2.yaml -> "),
               *three = strstr(text, "c3.yaml -> ");
    assert_true(one && two && three && one < two && two < three && strstr(three, "c1.yaml"));
    /* a long way that is no circle */
    for (int i = 0; i < 20; i++) {
        char name[32], body[64];
        snprintf(name, sizeof name, "n%d.yaml", i);
        snprintf(body, sizeof body, "include: n%d.yaml\n", i + 1);
        put_text(name, body);
    }
    char start[300];
    snprintf(start, sizeof start, "%s/n0.yaml", dir);
    check_include_error(f, start, "n16.yaml", 1, 10, "more than 16 deep");
}

int main(void) {
    if (!reads_yaml()) {
        puts("1..0 # SKIP built without libfyaml");
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(files, setup, teardown),
        cmocka_unit_test_setup_teardown(large_file, setup, teardown),
        cmocka_unit_test_setup_teardown(cut_file, setup, teardown),
        cmocka_unit_test_setup_teardown(includes, setup, teardown),
        cmocka_unit_test_setup_teardown(nested_includes, setup, teardown),
        cmocka_unit_test_setup_teardown(include_errors, setup, teardown),
        cmocka_unit_test_setup_teardown(include_circles, setup, teardown),
    };
    if (!mkdtemp(dir)) return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove_all();
    return failed;
}

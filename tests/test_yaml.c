/* test_yaml.c: texts of model files: places, every error with its line and column, hostile input,
 * round trips. */
#define _GNU_SOURCE
#include "yaml_fixture.h"

/* The value stands there, its key (where it has one) there. */
static void check_place(const fixture *f, const char *path, int line, int column, int key_line,
                        int key_column) {
    const hol__node *node = node_at(f->spec, path);
    if (!node) print_error("no node %s\n", path);
    assert_non_null(node);
    if (node->where.line != line || node->where.column != column)
        print_error("%s at %d:%d\n", path, node->where.line, node->where.column);
    assert_int_equal(node->where.line, line);
    assert_int_equal(node->where.column, column);
    assert_string_equal(node->where.file, "model.yaml");
    assert_int_equal(node->key_at.line, key_line);
    assert_int_equal(node->key_at.column, key_column);
}

static void places(void **state) {
    fixture *f = *state;
    read_good(f, "# comment\n"                            /* 1 */
                 "holonom: 1\n"                           /* 2 */
                 "bodies:\n"                              /* 3 */
                 "  crank: {mass: 2.5, 'é': \"m*L^2\"}\n" /* 4 */
                 "  rod:\n"                               /* 5 */
                 "    mass:   7e-3  # the rod\n"          /* 6 */
                 "gravity: [0, -9.81,\n"                  /* 7 */
                 "          x + y]\n"                     /* 8 */
                 "joints:\n"                              /* 9 */
                 "- type: revolute\n"                     /* 10 */
                 "- [1, [2, 3]]\n"                        /* 11 */
                 "text: |\n"                              /* 12 */
                 "   two\n"                               /* 13 */
                 "   lines\n"                             /* 14 */
                 "nothing:\n"                             /* 15 */
                 "also: ~\n"                              /* 16 */
                 "long: a +\n"                            /* 17 */
                 "  b\n");                                /* 18 */
    check_place(f, "holonom", 2, 10, 2, 1);
    check_place(f, "bodies", 4, 3, 3, 1);
    check_place(f, "bodies.crank", 4, 10, 4, 3);
    check_place(f, "bodies.crank.mass", 4, 17, 4, 11);
    check_place(f, "bodies.crank.é", 4, 28, 4, 23); /* inside the quotes, columns of characters */
    check_place(f, "bodies.rod.mass", 6, 13, 6, 5);
    check_place(f, "gravity.1", 7, 14, 0, 0);
    check_place(f, "gravity.2", 8, 11, 0, 0);
    check_place(f, "joints", 10, 1, 9, 1);
    check_place(f, "joints.0.type", 10, 9, 10, 3);
    check_place(f, "joints.1.1.0", 11, 8, 0, 0);
    check_place(f, "text", 13, 4, 12, 1);
    check_place(f, "nothing", 15, 1, 15, 1);
    check_place(f, "also", 16, 7, 16, 1);
    check_place(f, "long", 17, 7, 17, 1);
    assert_string_equal(text_at(f->spec, "text"), "two\nlines\n");
    assert_string_equal(text_at(f->spec, "long"), "a + b");
    assert_int_equal(node_at(f->spec, "nothing")->kind, HOL__NULL);
    assert_int_equal(node_at(f->spec, "also")->kind, HOL__NULL);
    assert_int_equal(node_at(f->spec, "bodies.crank.é")->quoted, 1);
    assert_int_equal(node_at(f->spec, "bodies.crank.mass")->quoted, 0);
    assert_string_equal(f->spec->source, "model.yaml");
    assert_non_null(strstr(f->spec->text, "# the rod"));
}

static void json(void **state) {
    fixture *f = *state;
    read_good(f, "{\"holonom\": 1, \"bodies\": {\"a\": {\"mass\": 2.5, \"at\": [1, null, "
                 "\"\\u00e9\\n\"]}}}");
    assert_string_equal(text_at(f->spec, "bodies.a.mass"), "2.5");
    assert_int_equal(node_at(f->spec, "bodies.a.at.1")->kind, HOL__NULL);
    assert_string_equal(text_at(f->spec, "bodies.a.at.2"), "é\n");
}

static void line_ends_and_marks(void **state) {
    fixture *f = *state;
    read_good(f, "\xEF\xBB\xBF"
                 "a: 1\r\nb:\r\n  c: 2\r\n");
    check_place(f, "a", 1, 4, 1, 1);
    check_place(f, "b.c", 3, 6, 3, 3);
    assert_string_equal(text_at(f->spec, "b.c"), "2");
    assert_int_equal(f->spec->text[0], 'a');
    read_good(f, "%YAML 1.2\n---\na: yes\n...\n");
    assert_string_equal(text_at(f->spec, "a"), "yes");
}

static void anchors(void **state) {
    fixture *f = *state;
    read_good(f, "a: &x {p: [1, &y 2]}\nb: *x\nc: {d: *y, e: *x}\n");
    assert_string_equal(text_at(f->spec, "b.p.0"), "1");
    assert_string_equal(text_at(f->spec, "c.e.p.1"), "2");
    check_place(f, "b", 1, 7, 2, 1); /* the value stands where it was written */
    check_place(f, "c.d", 1, 18, 3, 5);
    assert_ptr_not_equal(node_at(f->spec, "b.p"), node_at(f->spec, "a.p"));
    read_good(f, "a: &x 1\nb: &x 2\nc: *x\n"); /* the last one counts */
    assert_string_equal(text_at(f->spec, "c"), "2");
}

/* One wrong text: the first message stands at line:column and has the words. */
typedef struct wrong {
    const char *text;
    int line, column;
    const char *words;
} wrong;

static void check_wrong(fixture *f, const wrong *w) {
    again(f);
    const hol_status status = hol_spec_read_text(f->spec, w->text, "model.yaml");
    const hol_message *m = hol_message_get(f->ctx, 0);
    assert_non_null(m);
    if (m->where.line != w->line || m->where.column != w->column || !strstr(m->text, w->words))
        print_error("'%s'\n  %d:%d: %s\n", w->text, m->where.line, m->where.column, m->text);
    assert_int_equal(status, HOL_ERR_INPUT);
    assert_int_equal(m->where.line, w->line);
    assert_int_equal(m->where.column, w->column);
    assert_string_equal(m->where.file, "model.yaml");
    assert_non_null(strstr(m->text, w->words));
    assert_int_equal(f->spec->failed, 1);
    assert_int_equal(f->spec->root->count, 0);
}

static void errors(void **state) {
    fixture *f = *state;
    static const wrong cases[] = {
        {"", 0, 0, "empty"},
        {"# only a comment\n", 0, 0, "empty"},
        {"---\n", 0, 0, "empty"},
        {"- a\n- b\n", 1, 1, "this is a list"},
        {"just text\n", 1, 1, "this is a number or text"},
        {"a: 1\nb: [1, 2\n", 3, 1, "closing bracket"},
        {"a: {b: 1\n", 2, 1, "flow mapping"},
        {"a: 1\nb: \"never closed\n", 2, 5, "closing quote"},
        {"a: b: c\n", 1, 5, "nested"},
        {"a:\n  - 1\n b: 2\n", 3, 2, "indentation"},
        {"a: @x\n", 1, 4, "'@'"},
        {"a: 1\n\tb: 2\n", 1, 4, "line 2 is indented with a tab"},
        {"a: 1\na: 2\n", 2, 1, "'a' is given twice in the same map; first at model.yaml:1:1"},
        {"a: {b: 1, c: 2, b: 3}\n", 1, 17, "first at model.yaml:1:5"},
        {"a: !!str 1\n", 1, 4, "tags are not used"},
        {"a: !thing {b: 1}\n", 1, 4, "'!thing'"},
        {"a: {[1, 2]: 3}\n", 1, 5, "a list cannot be a key"},
        {"? {a: 1}\n: 2\n", 1, 3, "a map cannot be a key"},
        {"a: 1\n2: 3\n", 2, 1, "the key 2 is a number"},
        {"true: 3\n", 1, 1, "the key true is true or false"},
        {"~: 3\n", 1, 1, "the key ~ is nothing"},
        {"a: 1\n: 3\n", 1, 4, "a key is missing"},
        {"a: &x 1\n*x : 2\n", 2, 1, "an alias cannot be a key"},
        {"&x a: 1\n", 1, 4, "anchor on a key"},
        {"a: *nowhere\n", 1, 4, "there is no anchor '&nowhere'"},
        {"a: &x {b: *x}\n", 1, 11, "inside of what it stands for"},
        {"a: 1\n---\nb: 2\n", 2, 1, "second document"},
        {"a: 1\n...\nb: 2\n", 3, 1, "second document"},
        {"a: &x {b: 1}\nc:\n  <<: *x\n", 3, 3, "merge keys"},
        {"a: \"x\\0y\"\n", 1, 5, "character \\0"},
        {"p:\n  a: |\n  b: 1\n", 3, 3, "indented more than its key"},
        {"a: 1\nb: \x01\n", 2, 4, "U+0001"},
        {"a: 1\nb: x\xFFy\n", 2, 5, "not UTF-8 text (byte 0xFF)"},
        {"a: é\xC3\n", 1, 5, "not UTF-8 text (byte 0xC3)"},
        {"\x89HDF\r\n\x1A\n", 1, 1,
         "this is an HDF5 file, such as the results of a run, and no model"},
        {"a: \xED\xA0\x80\n", 1, 4, "not UTF-8"}, /* half of a surrogate pair */
        {"a: \xC0\xAF\n", 1, 4, "not UTF-8"},     /* longer than it need be */
        {"\xFF\xFE"
         "a",
         1, 1, "UTF-16"},
        {"\x7F"
         "ELF\x02",
         1, 1, "U+007F"},
        {"? e:\t:0\n", 1, 1, "question mark"}, /* crashes libfyaml 0.7.12 */
        {"a: \xEF\xBB\xBF\n", 1, 4, "U+FEFF"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_wrong(f, &cases[i]);
}

/* All duplicates show in one run, each with both places; also errors of other kinds beside them. */
static void all_duplicates(void **state) {
    fixture *f = *state;
    static const int places_[][2] = {{3, 3}, {5, 3}, {8, 1}, {9, 7}};
    assert_int_equal(
        hol_spec_read_text(f->spec,
                           "a:\n  x: 1\n  x: 2\n  y: 1\n  x: 3\nb: 1\nc: 2\nb: 2\nd: {7: 1}\n",
                           "model.yaml"),
        HOL_ERR_INPUT);
    assert_int_equal(hol_message_count(f->ctx), 4);
    int found = 0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            const hol_location *at = &hol_message_get(f->ctx, i)->where;
            found += at->line == places_[k][0] && at->column == places_[k][1] - (k == 3 ? 2 : 0);
        }
    assert_int_equal(found, 4);
    assert_true(said(f->ctx, "'x' is given twice in the same map; first at model.yaml:2:3"));
    assert_true(said(f->ctx, "'b' is given twice in the same map; first at model.yaml:6:1"));
}

/* ---- hostile input ---- */

/* n times the piece, with a start and an end; to be freed. */
static char *repeated(const char *start, const char *piece, size_t n, const char *end) {
    const size_t m = strlen(piece);
    char *text = malloc(strlen(start) + n * m + strlen(end) + 1), *at = stpcpy(text, start);
    for (size_t i = 0; i < n; i++) at = stpcpy(at, piece);
    strcpy(at, end);
    return text;
}

/* Read and free the text; it must fail with the words. */
static void check_hostile(fixture *f, char *text, const char *words) {
    again(f);
    assert_int_equal(hol_spec_read_text(f->spec, text, "model.yaml"), HOL_ERR_INPUT);
    if (!said(f->ctx, words)) print_error("%s\n", hol_message_get(f->ctx, 0)->text);
    assert_true(said(f->ctx, words));
    assert_true(hol_message_count(f->ctx) <= HOL__YAML_MESSAGES + 1);
    free(text);
}

static void hostile(void **state) {
    fixture *f = *state;
    check_hostile(f, repeated("a: ", "[", 50000, ""), "more than 64 deep");
    check_hostile(f, repeated("", "{a: ", 50000, ""), "more than 64 deep");
    check_hostile(f, repeated("a: ", "- ", 50000, ""), "");
    check_hostile(f, repeated("", "? ", 50000, ""), "cannot be a key");
    check_hostile(f, repeated("", "k: 1\n", 50000, ""),
                  "further errors of this file are not shown");
    check_hostile(f, repeated("a: [", "x,", HOL__YAML_NODES + 10, "]"), "more than 4000000 values");
    check_hostile(f, repeated("a: [", "&x 1,", HOL__YAML_ANCHORS + 1, "]"),
                  "more than 1000 anchors");
    check_hostile(f, repeated("", "k", 300, ": 1\n"), "more than 255 bytes");
}

/* Aliases of aliases of aliases: 9^k values from k short lines. */
static void billion_laughs(void **state) {
    fixture *f = *state;
    char text[2048] = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 12; i++) {
        char line[128];
        snprintf(line, sizeof line,
                 "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i, i, i - 1,
                 i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
        strcat(text, line);
    }
    assert_int_equal(hol_spec_read_text(f->spec, text, "model.yaml"), HOL_ERR_INPUT);
    assert_true(said(f->ctx, "with its aliases written out"));
    /* and of depth */
    again(f);
    char *deep = malloc(20000), *at = deep + sprintf(deep, "a0: &a0 {x: 1}\n");
    for (int i = 1; i < 100; i++) at += sprintf(at, "a%d: &a%d {y: *a%d}\n", i, i, i - 1);
    assert_int_equal(hol_spec_read_text(f->spec, deep, "model.yaml"), HOL_ERR_INPUT);
    assert_true(said(f->ctx, "more than 64 deep"));
    free(deep);
}

/* The limits themselves are allowed: 64 levels, many keys (the check of duplicates is not
 * quadratic). */
static void at_the_limits(void **state) {
    fixture *f = *state;
    char deep[512] = "a: ", *at = deep + 3;
    for (int i = 0; i < 63; i++) *at++ = '[';
    for (int i = 0; i < 63; i++) *at++ = ']';
    *at++ = '\n';
    *at = '\0';
    read_good(f, deep);
    char *many = malloc(200000 * 12);
    at = many;
    for (int i = 0; i < 200000; i++) at += sprintf(at, "k%d: %d\n", i, i % 7);
    read_good(f, many);
    assert_int_equal(f->spec->root->count, 200000);
    free(many);
}

/* ---- round trips ---- */

/* read(write(tree)) == tree, quotes too, and the second text is the first. */
static void check_round_trip(fixture *f, int strict) {
    char *text = hol_spec_text(f->spec);
    hol_spec *twin = hol_spec_new(f->ctx);
    const hol_status status = hol_spec_read_text(twin, text, "twin");
    if (status) print_error("%s\n%s\n", text, hol_message_get(f->ctx, 0)->text);
    assert_int_equal(status, HOL_OK);
    assert_true(same_tree(f->spec->root, twin->root, strict));
    char *second = hol_spec_text(twin);
    assert_string_equal(text, second);
    hol_free(f->ctx, second);
    hol_free(f->ctx, text);
    hol_spec_free(twin);
}

static void round_trip_of_files(void **state) {
    fixture *f = *state;
    static const char *const texts[] = {
        "{}\n",
        "a: 1\nb: [1, 2.5, x + y, 'quoted', \"1\", ~, [], {}, [[1, 2], [3]]]\n",
        "a:\n- b: 1\n  c: [2]\n- - 3\n  - max(1, 2)\n- x: {y: {z: null}}\n",
        ("t: |\n  two\n   lines\n\n  end\nu: >\n  folded\n  text\nv: 'it''s'\nw: "
         "\"\\t\\x01\\u2028\\U0001F600\"\n"),
        "\"1\": \"null\"\n\"a: b\": '~'\n\"é\": \"\"\n'#': '#'\n\" \": ' '\n",
        "e: -x\nf: ?x\ng: :x\nh: a:b\ni: a#b\nj: <<\nk: '<<'\nl: 10 mm\nm: 2*pi*t - 3\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        read_good(f, texts[i]);
        check_round_trip(f, 1);
    }
}

/* What made-up texts are put together from. */
/* clang-format off */
static const char *const pieces[] = {
    "a", "B", "1", ".5", "-", ":", " ", "#", ",", "[", "]", "{", "}", "&", "*", "!", "|", ">",
    "'", "\"", "%", "@", "`", "?", "~", "null", "true", "\n", "\t", "\\", "é", "φ",
    "\xE2\x80\xA8", "\xF0\x9F\x98\x80", "\x7F", "---", "...", "e3", "=", "<<", "\r", "\xC2\x85",
    "\xEF\xBB\xBF",
};
/* clang-format on */

/* Made-up trees with texts of every kind of character, seeded so that a failure comes back. */
static void random_tree(hol_spec *spec, hol__node *parent, uint64_t *random, int depth) {
    const int n = (int)(*random % 5);
    for (int i = 0; i < n; i++) {
        char text[64] = "", key[24];
        next_word(random);
        for (uint64_t bits = *random >> 8, k = 0; k < *random % 5; k++, bits /= 43)
            strcat(text, pieces[bits % 43]);
        snprintf(key, sizeof key, *random & 64 ? "%d." : "_%d", i);
        const char *own = parent->kind == HOL__MAP ? key : NULL;
        const int kind = (int)(*random >> 40) % 6;
        if (kind < 3 || depth == 0)
            hol__node_add_scalar(spec, parent, own, text)->quoted = (int)(*random >> 50) & 1;
        else if (kind == 3)
            hol__node_add(spec, parent, own, HOL__NULL);
        else
            random_tree(spec, hol__node_add(spec, parent, own, kind == 4 ? HOL__LIST : HOL__MAP),
                        random, depth - 1);
        if (own && *random & 128 && *text && !hol__node_get(parent, text))
            hol__node_add_scalar(spec, parent, text, "x");
    }
}

static void round_trip_of_random_trees(void **state) {
    fixture *f = *state;
    uint64_t random = 2463534242u;
    for (int i = 0; i < 3000; i++) {
        again(f);
        random_tree(f->spec, f->spec->root, &random, 4);
        next_word(&random);
        check_round_trip(f, 0);
    }
}

/* Reading with the k-th allocation failing: no crash, no leak, and a status that says so. */
static void failing_allocations(void **state) {
    (void)state;
    put_text("base.yaml", "parameters: {L: 1.5, m: 2}\n");
    char *path =
        put_text("main.yaml", "include: base.yaml\nparameters: {L: 2}\na: &x [1, {b: 2}]\nc: *x\n");
    for (long k = 1;; k++) {
        counting c;
        hol_context *ctx = failing_context(&c, k);
        hol_spec *spec = ctx ? hol_spec_new(ctx) : NULL;
        if (spec) {
            const hol_status status = hol_spec_read_file(spec, path);
            assert_true(status == HOL_OK || spec->failed);
            assert_true(c.made >= k || status == HOL_OK);
            assert_true(c.made < k || status != HOL_OK);
        }
        hol_spec_free(spec);
        hol_context_free(ctx);
        assert_int_equal(c.live, 0);
        if (c.made < k) break;
    }
}

int main(void) {
    if (!reads_yaml()) {
        puts("1..0 # SKIP built without libfyaml");
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(places, setup, teardown),
        cmocka_unit_test_setup_teardown(json, setup, teardown),
        cmocka_unit_test_setup_teardown(line_ends_and_marks, setup, teardown),
        cmocka_unit_test_setup_teardown(anchors, setup, teardown),
        cmocka_unit_test_setup_teardown(errors, setup, teardown),
        cmocka_unit_test_setup_teardown(all_duplicates, setup, teardown),
        cmocka_unit_test_setup_teardown(hostile, setup, teardown),
        cmocka_unit_test_setup_teardown(billion_laughs, setup, teardown),
        cmocka_unit_test_setup_teardown(at_the_limits, setup, teardown),
        cmocka_unit_test_setup_teardown(round_trip_of_files, setup, teardown),
        cmocka_unit_test_setup_teardown(round_trip_of_random_trees, setup, teardown),
        cmocka_unit_test(failing_allocations),
    };
    if (!mkdtemp(dir)) return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove_all();
    return failed;
}

/* test_plausible.c: what a model seldom means gives a warning that names it and a way out; what is
 * usual, or is said to be meant, gives none. */
#include "model_fixture.h"

#include "common/nearest.h"
#include "common/synonyms.h"

#define HEAD "holonom: 1\nspace: planar\n"
#define PULL "gravity: [0, -9.81]\n"
#define ROD "bodies:\n  rod: {mass: 2.3, inertia: 0.2, along: [[0, 0], [1.1, 0]]}\n"
#define HINGE "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
#define TWO                                                                                        \
    "bodies:\n  rod: {mass: 2.3, inertia: 0.2, along: [[0, 0], [1.1, 0]]}\n"                       \
    "  block: {mass: 1.4, inertia: 0.1, position: [0.4, 0.7]"

/* A file and a part of the warning that it gives; NULL: none. */
static const struct {
    const char *text, *warning;
} files[] = {
    {HEAD PULL ROD HINGE, NULL},
    {HEAD ROD HINGE, "there is no gravity; write 'gravity: [0, -9.81]', or 'gravity: [0, 0]'"},
    {HEAD "gravity: [0, 0]\n" ROD HINGE, NULL},
    {HEAD "gravity: [0, -9810]\n" ROD HINGE, "9810 m/s^2: lengths are in metres unless"},
    {HEAD PULL TWO "}\n" HINGE, "body 'block': is connected to nothing"},
    {HEAD PULL TWO ", velocity: [1, 0]}\n" HINGE, NULL},
    {HEAD PULL TWO "}\n" HINGE
                   "forces:\n  s: {type: spring, bodies: [ground, block], from: [0, 2], "
                   "to: [0.4, 0.7], stiffness: 3}\n",
     NULL},
    {HEAD PULL "bodies:\n  rod: {mass: 2.3, inertia: 0.2, along: [[0, 0], [350, 0]]}\n" HINGE,
     "body 'rod': has a joint 175 m from its mass centre and a radius of gyration of 0.295 m"},
    {HEAD PULL
     "bodies:\n  rod: {mass: 2.3, inertia: 2.3*350^2/12, along: [[0, 0], [350, 0]]}\n" HINGE,
     NULL},
    {HEAD PULL TWO "}\njoints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n  B: "
                   "{type: revolute, bodies: [rod, block], at: [40, 0]}\n",
     "joint 'B': is drawn 39.61 m from the mass centre of body 'block', and all else lies within"},
};

/* The warnings of a file are those of the table, each with a place where there is one. */
static void test_warnings(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        run r = run_text(files[i].text, NULL);
        const int n = hol_message_count_of(r.ctx, HOL_WARNING);
        char line[1024] = "";
        for (int k = 0; k < hol_message_count(r.ctx); k++)
            if (hol_message_get(r.ctx, k)->severity == HOL_WARNING)
                hol_message_format(hol_message_get(r.ctx, k), line, sizeof line);
        if (n != (files[i].warning != NULL) || (n && !strstr(line, files[i].warning)))
            fail_msg("file %zu: %d warnings, the last: %s", i, n, line);
        run_close(&r);
    }
}

static const char *name_at(const void *list, int i) {
    return ((const char *const *)list)[i];
}

/* A word of another program comes before one that merely looks like it. */
static void test_synonyms(void **state) {
    (void)state;
    static const char *const names[] = {"driver", "prismatic", "revolute", "step", "mm",
                                        "m",      "deg",       "load",     "N*m",  NULL};
    static const char *const pairs[][2] = {
        {"slider", "prismatic"}, {"Hinge", "revolute"}, {"PIN", "revolute"},
        {"dt", "step"},          {"metres", "m"},       {"degrees", "deg"},
        {"Nm", "N*m"},           {"torque", "load"},    {"cylinder", "driver"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_string_equal(hol__nearest(pairs[i][0], name_at, names), pairs[i][1]);
    assert_false(hol__is_synonym("hing", "revolute"));
    assert_false(hol__is_synonym("", "revolute"));
}

/* Every name for which other words are known exists: as a word of the reference page. */
static void test_synonyms_are_of_names(void **state) {
    (void)state;
    hol_context *ctx = hol_context_new();
    char *page = hol_schema_markdown(ctx);
    assert_non_null(page);
    for (int i = 0; hol__synonym_name(i); i++)
        if (!strstr(page, hol__synonym_name(i))) fail_msg("no '%s'", hol__synonym_name(i));
    hol_free(ctx, page);
    hol_context_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_synonyms),
        cmocka_unit_test(test_synonyms_are_of_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

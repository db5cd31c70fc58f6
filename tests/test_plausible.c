/* test_plausible.c: what a model seldom means gives a warning that names it and a way out; what is
 * usual, or is said to be meant, gives none. */
#include "model_fixture.h"

#include "common/nearest.h"
#include "common/synonyms.h"

#define HEAD "holonom: 1\nspace: planar\n"
#define PULL "gravity: [0, -9.81]\n"
#define ROD "bodies:\n  rod: {mass: 2.3, inertia: 0.2, along: [[0, 0], [1.1, 0]]}\n"
#define HINGE "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
#define SLIDE "joints:\n  A: {type: prismatic, bodies: [ground, rod], at: [0, 0], axis: [1, 0]}\n"
#define TWO                                                                                        \
    "bodies:\n  rod: {mass: 2.3, inertia: 0.2, along: [[0, 0], [1.1, 0]]}\n"                       \
    "  block: {mass: 1.4, inertia: 0.1, position: [0.4, 0.7]"
#define WHEELS                                                                                     \
    "bodies:\n  rod: {mass: 1.3, inertia: 0.1, position: [0, 0]}\n"                                \
    "  wheel: {mass: 1.4, inertia: 0.1, position: [0.3, 0.4]}\n" HINGE                             \
    "  B: {type: revolute, bodies: [ground, wheel], at: [0.3, 0.4]}\n"

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
    /* angles that look like degrees, said once, also where a model is compiled for assembly too */
    {HEAD PULL "bodies:\n  rod: {mass: 2.3, inertia: 0.2, position: [1, 0], angle: 90}\n" HINGE,
     "body 'rod': 90 is taken in radians, 14.3 turns; write '90 deg' or '90 rad'"},
    {HEAD PULL "bodies:\n  rod: {mass: 2.3, inertia: 0.2, position: [1, 0], angle: 90 rad}\n" HINGE,
     NULL},
    {HEAD PULL ROD
     "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0], start: {angle: "
     "30}}\n",
     "joint 'A': 30 is taken in radians, 4.77 turns"},
    {HEAD PULL ROD HINGE "forces:\n  k: {type: limit, joint: A, upper: 60, stiffness: 1e4}\n",
     "force 'k': 60 is taken in radians, 9.55 turns; write '60 deg' or '60 rad'"},
    /* stops that are passed as drawn, or out of reach */
    {HEAD PULL ROD HINGE "forces:\n  k: {type: limit, joint: A, lower: 0.2, stiffness: 1e4}\n",
     "force 'k': the joint stands 0.2 rad beyond this end as it is drawn, so that the stop pushes"},
    {HEAD PULL ROD SLIDE "forces:\n  k: {type: limit, joint: A, upper: -30 mm, stiffness: 1e4}\n",
     "force 'k': the joint stands 0.03 m beyond this end as it is drawn"},
    {HEAD PULL ROD SLIDE
     "forces:\n  k: {type: limit, joint: A, lower: -200, upper: 0.3, stiffness: 1e4}\n",
     "force 'k': its lower end is 200 m from the drawn position, and all bodies and joints lie "
     "within 0.55 m; check `lower` and its unit"},
    {HEAD PULL ROD SLIDE
     "forces:\n  k: {type: limit, joint: A, lower: -2, upper: 0.3, stiffness: 1e4}\n",
     NULL},
    {HEAD PULL ROD "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0], start: "
                   "{angle: 0.3}}\nforces:\n  k: {type: limit, joint: A, lower: 0.2, stiffness: "
                   "1e4}\n",
     NULL},
    {HEAD PULL ROD HINGE "  S: {type: rigid_stop, joint: A, lower: -60}\n",
     "joint 'S': -60 is taken in radians"},
    {HEAD PULL ROD HINGE "  S: {type: rigid_stop, joint: A, lower: -60 deg, upper: 6.2}\n", NULL},
    {HEAD PULL ROD
     "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0], start: {angle: 0.1}}\n"
     "  M: {type: motor, joint: A, speed: 't < 0.3 ? 0 : 1'}\n",
     "joint 'M': the driven rate jumps at t = 0.3"},
    /* measures that are shown in other units than expressions have */
    {HEAD PULL ROD HINGE "measures:\n  an: {type: angle, body: rod, unit: deg}\nevents:\n"
                         "  e: {when: an > 30, do: stop}\n",
     "event 'e': 30 is taken in rad, as all expressions are, and not in deg, in which the measure "
     "is shown; write '30 deg' or '30 rad'"},
    {HEAD PULL "units: {length: mm}\n" ROD HINGE
               "measures:\n  p: {type: position, body: rod}\nforces:\n"
               "  f: {type: force, body: rod, force: ['-3*(p.x - 5)', 0]}\n",
     "force 'f': 5 is taken in m, as all expressions are, and not in mm"},
    {HEAD PULL ROD HINGE "measures:\n  an: {type: angle, body: rod, unit: deg}\nevents:\n"
                         "  e: {when: an > 30 deg or an < 0 or an > pi/2, do: stop}\n",
     NULL},
    {HEAD PULL ROD HINGE "measures:\n  an: {type: angle, body: rod}\nevents:\n"
                         "  e: {when: an > 1.2, do: stop}\n",
     NULL},
    /* wheels that do not meet, or overlap */
    {HEAD PULL WHEELS "  G: {type: gear, joints: [A, B], radii: [0.2, 0.2]}\n",
     "joint 'G': the pitch circles do not touch: the axes are drawn 0.5 m apart, and radii of 0.2 "
     "and 0.2 m, external, ask for 0.4 m"},
    {HEAD PULL WHEELS "  G: {type: gear, joints: [A, B], radii: [0.2, 0.29]}\n", NULL},
    {HEAD PULL WHEELS "  G: {type: gear, joints: [A, B], radii: [0.2, 0.7], kind: internal}\n",
     NULL},
    {HEAD PULL WHEELS "  G: {type: gear, joints: [A, B], teeth: [20, 40]}\n", NULL},
    {HEAD PULL WHEELS "  G: {type: belt, joints: [A, B], radii: [0.4, 0.2]}\n",
     "joint 'G': the pulleys overlap: their axes are drawn 0.5 m apart"},
    {HEAD PULL WHEELS "  G: {type: belt, joints: [A, B], radii: [0.3, 0.2]}\n", NULL},
    {HEAD PULL ROD HINGE "forces:\n  s: {type: spring, bodies: [ground, rod], from: [1.1, 0], to: "
                         "[1.1, 0], stiffness: 3, free_length: 0.1}\n",
     "force 's': is drawn with length 0, where its force has no direction"},
    {HEAD PULL ROD HINGE "forces:\n  s: {type: spring, bodies: [ground, rod], from: [1.1, 0], to: "
                         "[1.1, 0], stiffness: 3}\n",
     NULL},
    {HEAD PULL ROD HINGE
     "forces:\n  s: {type: axial_spring, bodies: [ground, rod], from: [0.3, 0], "
     "to: [1.1, 0], axis: [-1, 0], stiffness: 3, free_length: 0.5}\n",
     "force 's': is drawn with a length of -0.8 m along its axis"},
    {HEAD PULL ROD HINGE
     "forces:\n  s: {type: axial_spring, bodies: [ground, rod], from: [0.3, 0], "
     "to: [1.1, 0], axis: [1, 0], stiffness: 3, free_length: 0.5}\n",
     NULL},
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

/* What is said of words that are no types: of another space, of another section, of nothing that is
 * needed; and no other type for a word that has but some letters of it. */
static void test_words_for_types(void **state) {
    static const struct word {
        const char *space, *inertia, *section, *word, *said;
    } words[] = {
        {"planar", "1", "joints", "ball",
         "'ball' (spherical) does not exist in the plane; use "
         "'revolute'"},
        {"spatial", "[1, 1, 1]", "joints", "ball", "did you mean 'spherical'?"},
        {"planar", "1", "joints", "cylindrical",
         "'cylindrical' does not exist in the plane; use "
         "'prismatic'"},
        {"planar", "1", "joints", "leadscrew",
         "'leadscrew' (screw) does not exist in the plane; "
         "one of: revolute, "},
        {"planar", "1", "joints", "bushing", "; there is 'bushing' in forces. The types are: "},
        {"spatial", "[1, 1, 1]", "joints", "swivel", "did you mean 'revolute'?"},
        {"planar", "1", "joints", "6dof", "; a body moves freely where no joint holds it"},
        {"planar", "1", "joints", "guide", "did you mean 'prismatic'?"},
        {"planar", "1", "joints", "bell",
         "there is no type 'bell' in joints; did you mean 'belt'?"},
        {"planar", "1", "joints", "bill", "there is no type 'bill' in joints; the types are: "},
        {"planar", "1", "forces", "gravity", "; give `gravity` at the top of the file"},
        {"planar", "1", "forces", "wind", "did you mean 'drag'?"},
        {"planar", "1", "forces", "brake", "did you mean 'friction'?"},
        {"planar", "1", "measures", "length", "did you mean 'distance'?"},
        {"planar", "1", "measures", "stress", "; bodies are rigid; parts are designed by"},
    };
    (void)state;
    if (!run_reads_files()) skip();
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const struct word *w = &words[i];
        char text[512];
        snprintf(text, sizeof text,
                 "holonom: 1\nspace: %s\nbodies:\n  rod: {mass: 1, inertia: %s}\n%s:\n"
                 "  X: {type: %s}\n",
                 w->space, w->inertia, w->section, w->word);
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        assert_int_equal(hol_spec_read_text(spec, text, "words.yaml"), HOL_OK);
        assert_null(hol_model_compile(ctx, spec, NULL));
        if (!said(ctx, w->said)) {
            run_print_messages(ctx);
            fail_msg("%s, %s: not said: %s", w->space, w->word, w->said);
        }
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
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
        cmocka_unit_test(test_words_for_types),
        cmocka_unit_test(test_synonyms_are_of_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* schema_markdown.c: the reference page of model files (docs/model-file.md) out of the tables of
 * keys, elements, options, methods, functions and units. */
#include "compile/compile.h"
#include "schema/schema_doc.h"
#include "element/measures.h"
#include "common/number.h"

#include <holonom/model.h>
#include <holonom/sim.h>

#include <math.h>
#include <string.h>

/* ---- cells ---- */

/* Text in a cell of a table, where a bar would end it. */
static void put_cell(hol__text *out, const char *text) {
    for (; *text; text++) {
        if (*text == '|') hol__text_add_n(out, "\\", 1);
        hol__text_add_n(out, text, 1);
    }
}

/* "`a`, `b`" */
static void put_word(hol__text *out, const char *word, int first) {
    hol__text_add(out, "%s`%s`", first ? "" : ", ", word);
}

/* "required", nothing, or the default. */
static void put_initial(hol__text *out, const char *initial) {
    if (!initial)
        hol__text_add(out, "**required**");
    else if (initial[0])
        hol__text_add(out, "`%s`", initial);
}

static void put_number(hol__text *out, double value, int digits) {
    char buf[HOL__NUMBER_SIZE];
    hol__number_write(value, digits, buf);
    hol__text_add(out, "%s", buf);
}

/* ---- keys ---- */

/* How a kind of value is written; in the order of the page. */
static const struct kind_form {
    hol__key_kind kind;
    const char *form;
} forms[] = {
    {HOL__KEY_NUMBER, "`0.3`, `60 deg`, `m*L^2/12`"},
    {HOL__KEY_TIME_LAW, "a number, or `0.1*sin(2*pi*t)`"},
    {HOL__KEY_LAW, "a number, or `-k*tip.x - 3*swing`"},
    {HOL__KEY_TEXT, "any text"},
    {HOL__KEY_FILES, "`parts.yaml` or `[parts.yaml, loads.yaml]`"},
    {HOL__KEY_BOOL, "`true` or `false` (also `yes`, `no`)"},
    {HOL__KEY_CHOICE, "one of the words that are listed"},
    {HOL__KEY_WORDS, "a list of some of the words that are listed: `[x, y]`"},
    {HOL__KEY_BODY, "the name of a body, or `ground`"},
    {HOL__KEY_BODIES, "a list of two different bodies: `[ground, rod]`"},
    {HOL__KEY_JOINT, "the name of a joint"},
    {HOL__KEY_FORCE, "the name of a force"},
    {HOL__KEY_POINT, "`[0.3, 0.2]`, the name of a point, or `{body: rod, at: [0.1, 0]}`"},
    {HOL__KEY_POINTS, "a list of two points: `[A, B]`"},
    {HOL__KEY_VECTOR, "`[0, -9.81]`; in space three numbers"},
    {HOL__KEY_DIRECTION, "a vector of any length but 0: `[1, 1]`; in space three numbers; or from "
                         "one point to another: `[P, Q]`"},
    {HOL__KEY_LAWS, "a list with one number or expression for each component: `[10*sin(t), 0]`"},
    {HOL__KEY_TURN, "in the plane `0.5*cos(t)`, in space `[0, 0, 0.5*cos(t)]`"},
    {HOL__KEY_SPIN, "in the plane `2`, in space `[0, 0, 2]`"},
    {HOL__KEY_INERTIA, "in the plane `0.3`; in space `[1, 2, 2.5]`, six numbers, three rows of "
                       "three, or `0.3` for all axes"},
    {HOL__KEY_ORIENTATION, "`{axis: [0, 0, 1], angle: 30 deg}`, `{euler: [0.1, 0, 30 deg]}` or "
                           "`{quaternion: [1, 0, 0, 0]}`"},
    {HOL__KEY_DRIVES, "a map from directions to expressions of time: `{angle: 2*pi*t}`"},
    {HOL__KEY_MATRIX,
     "the diagonal `[1e5, 1e5, 1e3]`, or a list of rows `[[2, 0.1, 0], [0.1, 3, 0], [0, 0, 1]]`"},
    {HOL__KEY_SHAPES, "`{type: box, size: [1, 0.1, 0.1], density: 7800}`, or a list of such"},
    {HOL__KEY_GRAVITY,
     "`[0, -9.81]`, `[0, -9.81*(1 + 0.1*sin(t))]`, or `{center: [0, 0], mu: 3.986e14}`"},
    {HOL__KEY_NUMBERS, "`[20, 40]`"},
    {HOL__KEY_BY_ROW, "`20`, or `[20, 40]` with one number for each equation of the joint"},
    {HOL__KEY_FORMULA, "a number, or `1 + cos(a) - 0.1*t` with `a` a coordinate of the element"},
    {HOL__KEY_FORMULAS, "a list of them: `[1, 2 + cos(a)]`"},
    {HOL__KEY_JOINTS, "a list of two joints: `[A, B]`"},
    {HOL__KEY_NAMES, "a list of names of points or vectors: `[A, B]`"},
    {HOL__KEY_COORDINATES,
     "names with a coordinate under each: `{a: {joint: A}, s: {joint: B, component: displacement}, "
     "x: {body: rod, "
     "at: [1, 0], component: x}, l: {bodies: [ground, rod], from: [0, 1], to: [1, 0]}, m: "
     "{measure: tip.x}}`"},
    {HOL__KEY_TERMS, "`[{body: rod, component: vy, factor: cos(a)}, {body: rod, component: omega, "
                     "factor: -0.2}]`; each may have `at` "
                     "(the point of the body; default: its mass centre), `against` (another "
                     "body; default: ground) and `frame` (global or body)"},
    {HOL__KEY_CURVE, "`[[0.3, 0], [0, 0.4], [-0.3, 0]]`"},
    {HOL__KEY_CORNERS, "`[[0, 0], [0.1, 0], [0, 0.1]]`; in space three numbers each"},
    {HOL__KEY_SOLIDS, "`[{type: plane, normal: [0, 1]}, {type: sphere, radius: 0.1}]`; the keys of "
                      "each stand with the element"},
    {HOL__KEY_ACTIVE,
     "`t < 2`, `gap > 0`, `true`, or `{initially: true, until: N.fy > 0, from: gap < "
     "-1e-9}`"},
    {HOL__KEY_ELEMENTS, "`lock`, or `[lock, push]`"},
    {HOL__KEY_SETTINGS, "`{target: 3 rad/s, count: count + 1}`"},
    {HOL__KEY_IMPACT, "`{joint: wall, restitution: 0.8, friction: 0.3}`"},
    {HOL__KEY_ACTIONS, "`stop`, `record`, `{activate: lock}`, or a list of such: `[record, stop]`"},
    {HOL__KEY_MAP, "names with something under each"},
};

static void put_forms(hol__text *out) {
    hol__text_add(out,
                  "\n## Kinds of values\n\n| in the tables below | is written as |\n|---|---|\n");
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        hol__text_add(out, "| %s | ", hol__key_kind_name(forms[i].kind));
        put_cell(out, forms[i].form);
        hol__text_add(out, " |\n");
    }
}

/* The kind of a key, with its words. */
static void put_kind(hol__text *out, const hol__key *key) {
    if (key->kind != HOL__KEY_CHOICE) hol__text_add(out, "%s", hol__key_kind_name(key->kind));
    if (!key->choices) return;
    hol__text_add(out, key->kind == HOL__KEY_CHOICE ? "one of " : ": ");
    for (int i = 0; key->choices[i]; i++) put_word(out, key->choices[i], i == 0);
}

/* The rows of a table of keys. */
static void put_keys(hol__text *out, const hol__key *keys, unsigned spaces) {
    hol__text_add(out, "| key | value | unit | default | meaning |\n|---|---|---|---|---|\n");
    for (const hol__key *key = keys; key->name; key++) {
        const unsigned where = hol__key_spaces(key, spaces);
        hol__text_add(out, "| `%s` | ", key->name);
        put_kind(out, key);
        hol__text_add(out, " | %s | ", key->unit ? key->unit : "");
        put_initial(out, key->initial);
        hol__text_add(out, " | ");
        put_cell(out, key->doc);
        if (where != spaces)
            hol__text_add(out, where == HOL__IN_PLANE ? " In the plane only." : " In space only.");
        if (key->flags & HOL__POSITIVE) hol__text_add(out, " Positive.");
        if (key->flags & HOL__NOT_NEGATIVE) hol__text_add(out, " Not negative.");
        hol__text_add(out, " |\n");
    }
}

/* The section `natural`: what it means, and its keys. */
static void put_natural(hol__text *out) {
    static const struct {
        const char *title;
        const hol__key *keys;
    } tables[] = {
        {"A rod", hol__rod_keys},
        {"A distance", hol__rod_distance_keys},
        {"An element", hol__natural_element_keys},
    };
    const unsigned both = HOL__IN_PLANE | HOL__IN_SPACE;
    hol__text_add(out, "\n## Natural\n\n");
    for (int i = 0; hol__natural_intro[i]; i++) hol__text_add(out, "%s\n", hol__natural_intro[i]);
    hol__text_add(out, "\n");
    put_keys(out, hol__natural_keys, both);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        hol__text_add(out, "\n%s has these keys:\n\n", tables[i].title);
        put_keys(out, tables[i].keys, both);
    }
}

/* ---- elements ---- */

/* The sketch of an element, or of a part of the page (section NULL); tools/sketches.mjs draws
 * it. */
static void put_sketch(hol__text *out, const char *section, const char *name) {
    hol__text_add(out, "\n![Sketch: %s](images/elements/%s%s%s.svg)\n", name,
                  section ? section : "", section ? "-" : "", name);
}

/* Rows of quantities for the measure `load`. */
static void put_quantities(hol__text *out, const hol__quantity *row) {
    hol__text_add(out, "\n| quantity | unit | meaning |\n|---|---|---|\n");
    for (; row->name; row++) {
        hol__text_add(out, "| `%s` | %s%s%s | ", row->name, row->unit, row->turn ? ", " : "",
                      row->turn ? row->turn : "");
        put_cell(out, row->doc);
        hol__text_add(out, " |\n");
    }
}

static void put_element(hol__text *out, const hol__element_type *type) {
    const unsigned both = HOL__IN_PLANE | HOL__IN_SPACE;
    hol__text_add(out, "\n### %s\n", type->name);
    put_sketch(out, type->section, type->name);
    hol__text_add(out, "\n%s%s\n\n", type->title,
                  type->spaces == both            ? ""
                  : type->spaces == HOL__IN_PLANE ? " In the plane only."
                                                  : " In space only.");
    if (type->keys->name) put_keys(out, type->keys, type->spaces);
    for (const hol__key *key = type->keys; key->name; key++) {
        if (key->kind != HOL__KEY_SOLIDS) continue;
        hol__text_add(out, "\nEach of `%s` has these keys:\n\n", key->name);
        put_keys(out, key->group->keys, type->spaces);
    }
    if (type->quantities) put_quantities(out, type->quantities);
    if (type->measure) hol__text_add(out, "\nUnit: %s.\n", hol__element_unit(type));
    if (type->equations) hol__text_add(out, "\n    %s\n", type->equations);
    if (strncmp(type->example, "holonom:", 8) == 0)
        hol__text_add(out, "\n```yaml\n%s\n```\n", type->example);
    else
        hol__text_add(out, "\n```yaml\n%s:\n%s\n```\n", type->section, type->example);
}

/* The models in which the examples stand. */
static void put_frames(hol__text *out) {
    hol__text_add(out, "\nThe examples of joints, forces and measures below are lines of a small "
                       "model, planar where the element exists "
                       "in the plane:\n");
    for (int planar = 1; planar >= 0; planar--) {
        hol__text_add(out, "\n```yaml\n");
        hol__example_frame(out, "example", planar, 1);
        hol__text_add(out, "simulation: {end: 0.1}\n```\n");
    }
    hol__text_add(out, "\nIn the examples of joints the joint takes the place of `A`.\n\n"
                       "In the sketches the first body is blue and marked 1, the second is amber "
                       "and marked 2. Dash-dotted lines\nare axes; green is what stays free, "
                       "purple what is given, red what a force does. Upright words are keys,\n"
                       "slanted letters symbols.\n");
}

static void put_sections(hol__text *out) {
    static const struct {
        const char *title, *words;
    } heads[] = {
        {"Joints",
         "What holds two bodies together. Every joint has a `type` and the keys of its type."},
        {"Forces", "What acts on the bodies besides gravity. Every force has a `type` and the keys "
                   "of its type."},
        {"Measures", "What is written to the result and what expressions may use. Every measure "
                     "has a `type` and the keys\nof its type. A measure with several components "
                     "makes a column for each, named with a dot: `tip.x`, `tip.y`."},
    };
    const hol__element_type *type;
    for (int s = 0; hol__typed_section(s); s++) {
        const hol__key *common = hol__common_keys(hol__typed_section(s)) + 1;
        hol__text_add(out, "\n## %s\n\n%s\n", heads[s].title, heads[s].words);
        if (common->name) {
            hol__text_add(out, "\nKeys of every type:\n\n");
            put_keys(out, common, HOL__IN_PLANE | HOL__IN_SPACE);
        }
        if (hol__key_find(common, "start")) {
            hol__text_add(out, "\nA `start` has these keys:\n\n");
            put_keys(out, hol__start_keys, HOL__IN_PLANE | HOL__IN_SPACE);
            hol__text_add(out, "\n`gains`, of joints and of bodies, has these keys. A joint may "
                               "give a list with one number for each of its equations, in\nthe "
                               "order in which they stand in its description below:\n\n");
            put_keys(out, hol__gain_keys, HOL__IN_PLANE | HOL__IN_SPACE);
            hol__text_add(out, "\nAn `active` that is a map, here and of forces, has these "
                               "(theory/active.md):\n\n");
            put_keys(out, hol__active_keys, HOL__IN_PLANE | HOL__IN_SPACE);
        }
        if (strcmp(hol__typed_section(s), "forces") == 0) {
            hol__text_add(out, "\nQuantities of every force, for the measure [load](#load); what a "
                               "type has besides stands with it:\n");
            put_quantities(out, hol__force_quantities);
        }
        if (strcmp(hol__typed_section(s), "joints") == 0) {
            hol__text_add(out, "\nThe quantity of every joint, for the measure [load](#load); "
                               "drivers and motors have their load besides:\n");
            put_quantities(out, hol__joint_quantities);
        }
        for (int i = 0; (type = hol__element_type_get(i)); i++)
            if (strcmp(type->section, hol__typed_section(s)) == 0) put_element(out, type);
    }
}

/* The section `events`: what it means, its keys, an example. */
static void put_events(hol__text *out) {
    hol__text_add(out, "\n## Events\n\n");
    for (int i = 0; hol__events_intro[i]; i++) hol__text_add(out, "%s\n", hol__events_intro[i]);
    hol__text_add(out, "\n");
    put_keys(out, hol__event_keys, HOL__IN_PLANE | HOL__IN_SPACE);
    hol__text_add(out, "\nAn action is one of the words `stop`, where the run ends when the list "
                       "is done, and `record`, which writes a row\nof output at this instant "
                       "besides those of the grid; or a map with one of these keys:\n\n");
    put_keys(out, hol__action_keys, HOL__IN_PLANE | HOL__IN_SPACE);
    hol__text_add(out, "\nAn impact has these keys:\n\n");
    put_keys(out, hol__impact_keys, HOL__IN_PLANE | HOL__IN_SPACE);
}

/* ---- options, methods, parts ---- */

/* The range of a number, or the choices. */
static void put_values(hol__text *out, const hol_option *option) {
    const int low = fabs(option->min) < HOL__UNBOUNDED, high = fabs(option->max) < HOL__UNBOUNDED;
    if (option->kind == HOL_OPTION_BOOL) hol__text_add(out, "true or false");
    if (option->kind == HOL_OPTION_LIST) hol__text_add(out, "list of texts");
    if (option->kind == HOL_OPTION_CHOICE)
        for (int i = 0; option->choice(i); i++) put_word(out, option->choice(i), i == 0);
    if (option->kind != HOL_OPTION_REAL && option->kind != HOL_OPTION_INTEGER) return;
    hol__text_add(out, option->kind == HOL_OPTION_INTEGER ? "whole number" : "number");
    if (low) hol__text_add(out, high ? ", " : ", from "), put_number(out, option->min, 0);
    if (high) hol__text_add(out, low ? " to " : ", up to "), put_number(out, option->max, 0);
    for (int i = 0; option->choice && option->choice(i); i++)
        hol__text_add(out, ", or "), put_word(out, option->choice(i), 1);
}

static void put_options(hol__text *out) {
    const hol_option *option;
    hol__text_add(out, "\n## Simulation\n\nThe keys of the section `simulation`; `--set` changes "
                       "each of them for one run.\n\n"
                       "| option | value | unit | default | meaning |\n|---|---|---|---|---|\n");
    for (int i = 0; (option = hol_option_get(i)); i++) {
        hol__text_add(out, "| `%s` | ", option->name);
        put_values(out, option);
        hol__text_add(out, " | %s | ", option->unit);
        put_initial(out, option->initial);
        hol__text_add(out, " | ");
        put_cell(out, option->doc);
        hol__text_add(out, " |\n");
    }
}

static void put_methods(hol__text *out) {
    hol__text_add(out, "\n### Methods\n\nA method is a combination of parts; `kernel`, "
                       "`stabilizer` and `correction` replace the part of "
                       "the method.\nSources are in [references](references.md).\n\n"
                       "| method | | state | kernel | basis | stabilizer | correction | source "
                       "|\n|---|---|---|---|---|---|---|---|\n");
    const hol_method_doc *row;
    for (int i = 0; (row = hol_method_get(i)); i++) {
        hol__text_add(out, "| `%s` | ", row->name);
        put_cell(out, row->title);
        hol__text_add(out, " | %s | %s | %s | %s | %s | %s |\n", row->state, row->kernel,
                      row->basis, row->stabilizer, row->correction, row->source);
    }
}

static void put_parts(hol__text *out) {
    hol__text_add(out, "\n### Parts\n\n| part | name | |\n|---|---|---|\n");
    hol_part_doc row = {.size = sizeof row};
    for (int i = 0; hol_part_get(i, &row) == HOL_OK; i++) {
        hol__text_add(out, "| %s | `%s` | ", row.part, row.name);
        put_cell(out, row.title);
        hol__text_add(out, " |\n");
    }
}

/* ---- expressions ---- */

static void put_functions(hol__text *out) {
    hol__text_add(out, "\n## Functions\n\nWhere a function is not defined its value is not a "
                       "number, and the run stops there with a message.\n"
                       "More about expressions is in [theory/expr](theory/expr.md).\n\n| function "
                       "| value |\n|---|---|\n");
    hol__function_doc row;
    for (int i = 0; (row = hol__expr_function(i)).name; i++) {
        hol__text_add(out, "| `%s` | ", row.signature);
        put_cell(out, row.doc);
        hol__text_add(out, " |\n");
    }
}

static void put_units(hol__text *out) {
    hol__text_add(out, "\n## Units\n\nUnits may be multiplied, divided and raised to a whole "
                       "power: `N/m`, `kg*mm^2`.\n\n"
                       "| unit | is |\n|---|---|\n");
    hol__unit_doc row;
    for (int i = 0; (row = hol__unit_get(i)).name; i++) {
        hol__text_add(out, "| `%s` | ", row.name);
        put_number(out, row.factor, 10);
        hol__text_add(out, " %s |\n", row.si);
    }
}

char *hol_schema_markdown(hol_context *ctx) {
    if (!ctx) return NULL;
    const unsigned both = HOL__IN_PLANE | HOL__IN_SPACE;
    hol__text out;
    hol__text_init(&out, ctx);
    for (int i = 0; hol__schema_intro[i]; i++) hol__text_add(&out, "%s\n", hol__schema_intro[i]);
    put_forms(&out);
    hol__text_add(&out, "\n## Top level\n\n");
    put_keys(&out, hol__root_keys, both);
    put_sketch(&out, NULL, "gravity");
    hol__text_add(&out,
                  "\n## Tables\n\nA table has these keys. Expressions call it like a function: "
                  "`torque: -0.02*pressure(crank)`.\n\n");
    put_keys(&out, hol__table_keys, both);
    hol__text_add(&out, "\n## Bodies\n");
    put_sketch(&out, NULL, "bodies");
    hol__text_add(&out, "\n");
    put_keys(&out, hol__body_keys, both);
    put_sketch(&out, NULL, "shapes");
    hol__text_add(&out, "\nA shape has these keys:\n\n");
    put_keys(&out, hol__shape_keys, both);
    put_natural(&out);
    put_frames(&out);
    put_sections(&out);
    put_events(&out);
    put_options(&out);
    put_methods(&out);
    put_parts(&out);
    put_functions(&out);
    put_units(&out);
    return hol__text_take(&out);
}

/* schema_json.c: the format of model files as a JSON Schema (draft 2020-12), out of the tables of
 * keys, elements and options.
 *
 * A number may always be a text, because it may be an expression. Items of joints, forces and
 * measures are told apart by `type`. Lists have two or three components where both spaces are
 * possible, for a schema of an item cannot see the `space` of the file. What the schema accepts the
 * compiler may still refuse (units, names that do not exist); what the compiler accepts the schema
 * does.
 */
#include "compile/compile.h"
#include "common/json.h"
#include "common/number.h"
#include "base/unit_set.h"
#include "schema/schema_doc.h"
#include "common/format.h"

#include <holonom/model.h>
#include <holonom/options.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The text and what writes to it. */
typedef struct writer {
    hol__text text;
    hol__json json;
} writer;

/* ---- pieces ---- */

static void begin(writer *w, const char *key, char bracket) {
    hol__json_open(&w->json, key, bracket);
}

static void end(writer *w, char bracket) {
    hol__json_close(&w->json, bracket);
}

/* A member whose value is JSON already, with what %s stands for. */
static void put(writer *w, const char *key, const char *format, ...) HOL__PRINTF(3, 4);

static void put(writer *w, const char *key, const char *format, ...) {
    char json[256];
    va_list args;
    va_start(args, format);
    hol__vprint(json, sizeof json, format, args);
    va_end(args);
    hol__json_raw(&w->json, key, json);
}

/* "$ref": "#/$defs/<name><suffix>" */
static void put_reference(writer *w, const char *name, const char *suffix) {
    put(w, "$ref", "\"#/$defs/%s%s\"", name, suffix);
}

/* A default: a number where the text is one, else the text. */
static void put_default(writer *w, const char *text) {
    const char *rest;
    if (!text || !text[0]) return;
    const double value = hol__number_read(text, &rest);
    if (rest != text && !*rest)
        hol__json_number(&w->json, "default", value, 0);
    else
        hol__json_text(&w->json, "default", text);
}

/* ---- keys ---- */

/* Doc, unit and space as one description. */
static void put_description(writer *w, const char *doc, const char *unit, unsigned spaces) {
    hol__text full;
    hol__text_init(&full, w->text.ctx);
    hol__text_add(&full, "%s", doc);
    if (unit && unit[0]) hol__text_add(&full, " Unit: %s.", unit);
    if (spaces == HOL__IN_PLANE) hol__text_add(&full, " In the plane only.");
    if (spaces == HOL__IN_SPACE) hol__text_add(&full, " In space only.");
    hol__json_text(&w->json, "description", full.data ? full.data : "");
    if (full.failed) w->text.failed = 1;
    hol__text_free(&full);
}

/* The definition that a kind refers to; NULL for kinds that are written out. */
static const char *definition_of(const hol__key *key) {
    switch (key->kind) {
    case HOL__KEY_NUMBER:
        return key->flags & HOL__POSITIVE       ? "positive"
               : key->flags & HOL__NOT_NEGATIVE ? "not_negative"
                                                : "number";
    case HOL__KEY_TEXT: return "text";
    case HOL__KEY_FILES: return "files";
    case HOL__KEY_BOOL: return "yes_no";
    case HOL__KEY_LAW: return "law";
    case HOL__KEY_TIME_LAW: return "time_law";
    case HOL__KEY_POINT: return "point";
    case HOL__KEY_POINTS: return "points";
    case HOL__KEY_VECTOR: return "vector";
    case HOL__KEY_DIRECTION: return "direction";
    case HOL__KEY_LAWS: return "laws";
    case HOL__KEY_ORIENTATION: return "orientation";
    case HOL__KEY_INERTIA: return "inertia";
    case HOL__KEY_SPIN: return "angular_velocity";
    case HOL__KEY_TURN: return "torque";
    case HOL__KEY_MATRIX: return "matrix";
    case HOL__KEY_SHAPES: return "shapes";
    case HOL__KEY_GRAVITY: return "gravity";
    case HOL__KEY_BODY: return "name";
    case HOL__KEY_BODIES: return "bodies";
    case HOL__KEY_JOINT: return "name";
    case HOL__KEY_FORCE: return "name";
    case HOL__KEY_NUMBERS: return "numbers";
    case HOL__KEY_BY_ROW: return "by_row";
    case HOL__KEY_FORMULA: return "formula";
    case HOL__KEY_FORMULAS: return "formulas";
    case HOL__KEY_JOINTS: return "bodies";
    case HOL__KEY_NAMES: return "names";
    case HOL__KEY_COORDINATES: return "coordinates";
    case HOL__KEY_TERMS: return "terms";
    case HOL__KEY_CURVE: return "curve";
    case HOL__KEY_CORNERS: return "corners";
    case HOL__KEY_ACTIVE: return "active";
    case HOL__KEY_ELEMENTS: return "one_or_more";
    case HOL__KEY_SETTINGS: return "settings";
    case HOL__KEY_IMPACT: return "impact";
    case HOL__KEY_ACTIONS: return "actions";
    case HOL__KEY_CHOICE:
    case HOL__KEY_WORDS:
    case HOL__KEY_DRIVES:
    case HOL__KEY_SOLIDS:
    case HOL__KEY_MAP: break;
    }
    return NULL;
}

/* "2" or "3" for what has as many components as the space has, where only one space is possible. */
static const char *suffix_of(const hol__key *key, unsigned spaces) {
    const hol__key_kind kind = key->kind;
    const int has_components = kind == HOL__KEY_POINT || kind == HOL__KEY_POINTS ||
                               kind == HOL__KEY_VECTOR || kind == HOL__KEY_DIRECTION ||
                               kind == HOL__KEY_LAWS;
    return !has_components || spaces == (HOL__IN_PLANE | HOL__IN_SPACE) ? ""
           : spaces == HOL__IN_PLANE                                    ? "2"
                                                                        : "3";
}

/* What stands in a section, or in a map within one. */
static void put_map(writer *w, const char *name);

/* A thing that is described by a table of keys. */
static void put_table(writer *w, const char *name, const hol__key *keys);

/* What the values of a key look like. */
static void put_kind(writer *w, const hol__key *key, unsigned spaces) {
    const char *definition = definition_of(key);
    if (definition) {
        put_reference(w, definition, suffix_of(key, spaces));
    } else if (key->kind == HOL__KEY_CHOICE) {
        hol__json_words(&w->json, "enum", key->choices);
    } else if (key->kind == HOL__KEY_WORDS) {
        put(w, "type", "\"array\"");
        begin(w, "items", '{');
        hol__json_words(&w->json, "enum", key->choices);
        end(w, '}');
    } else if (key->kind == HOL__KEY_MAP) {
        put_map(w, key->name);
    } else if (key->kind == HOL__KEY_SOLIDS) {
        put(w, "type", "\"array\"");
        put(w, "minItems", "%d", key->group->most);
        put(w, "maxItems", "%d", key->group->most);
        put_table(w, "items", key->group->keys);
    } else {
        put(w, "type", "\"object\"");
        begin(w, "propertyNames", '{');
        hol__json_words(&w->json, "enum", key->choices);
        end(w, '}');
        put(w, "additionalProperties", "{\"$ref\": \"#/$defs/time_law\"}");
    }
}

static void put_key(writer *w, const hol__key *key, unsigned spaces) {
    spaces = hol__key_spaces(key, spaces);
    begin(w, key->name, '{');
    put_kind(w, key, spaces);
    put_description(w, key->doc, key->unit, spaces);
    put_default(w, key->initial);
    end(w, '}');
}

/* The names of the keys that must be given in every space in which the item exists, after the
 * first. */
static void put_required(writer *w, const hol__key *keys, unsigned spaces, const char *first) {
    hol__json_open_line(&w->json, "required", '[');
    if (first) hol__json_text(&w->json, NULL, first);
    for (const hol__key *key = keys; key->name; key++)
        if (!key->initial && hol__key_spaces(key, spaces) == spaces)
            hol__json_text(&w->json, NULL, key->name);
    end(w, ']');
}

/* ---- bodies and elements ---- */

static void put_table(writer *w, const char *name, const hol__key *keys) {
    const unsigned spaces = HOL__IN_PLANE | HOL__IN_SPACE;
    begin(w, name, '{');
    put(w, "type", "\"object\"");
    begin(w, "properties", '{');
    for (const hol__key *key = keys; key->name; key++) put_key(w, key, spaces);
    end(w, '}');
    put_required(w, keys, spaces, NULL);
    put(w, "additionalProperties", "false");
    end(w, '}');
}

/* "joint_revolute": its keys beside `type`. */
static void put_element(writer *w, const hol__element_type *type, const char *item) {
    char name[128];
    snprintf(name, sizeof name, "%s_%s", item, type->name);
    begin(w, name, '{');
    put_description(w, type->title, NULL, type->spaces);
    begin(w, "properties", '{');
    put(w, "type", "{\"const\": \"%s\"}", type->name);
    for (const hol__key *key = hol__common_keys(type->section) + 1; key->name; key++)
        put_key(w, key, type->spaces);
    for (const hol__key *key = type->keys; key->name; key++) put_key(w, key, type->spaces);
    end(w, '}');
    put_required(w, type->keys, type->spaces, "type");
    put(w, "additionalProperties", "false");
    end(w, '}');
}

/* What the file adds to a joint that the section `natural` makes: the keys that all joints have. */
static void put_addition(writer *w) {
    begin(w, "joint_addition", '{');
    put(w, "type", "\"object\"");
    begin(w, "properties", '{');
    for (const hol__key *key = hol__common_keys("joints") + 1; key->name; key++)
        put_key(w, key, HOL__IN_PLANE | HOL__IN_SPACE);
    end(w, '}');
    put(w, "additionalProperties", "false");
    end(w, '}');
}

/* "joint": the types there are, and for each what else is in it. Without a type a joint is an
 * addition; where there is nothing to add to, the root says that it needs one. */
static void put_section(writer *w, const char *section, const char *item) {
    const hol__element_type *type;
    if (strcmp(section, "joints") == 0) put_addition(w);
    begin(w, item, '{');
    put(w, "type", "\"object\"");
    if (strcmp(section, "joints") == 0) {
        put(w, "if", "{\"required\": [\"type\"]}");
        put(w, "else", "{\"$ref\": \"#/$defs/joint_addition\"}");
    } else
        put(w, "required", "[\"type\"]");
    hol__json_open_line(&w->json, "properties", '{');
    begin(w, "type", '{');
    begin(w, "enum", '[');
    for (int i = 0; (type = hol__element_type_get(i)); i++)
        if (strcmp(type->section, section) == 0) hol__json_text(&w->json, NULL, type->name);
    end(w, ']');
    end(w, '}');
    end(w, '}');
    begin(w, "allOf", '[');
    for (int i = 0; (type = hol__element_type_get(i)); i++) {
        if (strcmp(type->section, section) != 0) continue;
        begin(w, NULL, '{');
        put(w, "if", "{\"properties\": {\"type\": {\"const\": \"%s\"}}, \"required\": [\"type\"]}",
            type->name);
        put(w, "then", "{\"$ref\": \"#/$defs/%s_%s\"}", item, type->name);
        end(w, '}');
    }
    end(w, ']');
    end(w, '}');
    for (int i = 0; (type = hol__element_type_get(i)); i++)
        if (strcmp(type->section, section) == 0) put_element(w, type, item);
}

/* ---- options ---- */

/* A map from kinds of quantities to units. */
static void put_unit_kinds(writer *w) {
    begin(w, "properties", '{');
    for (int i = 0; hol__unit_kind_get(i).name; i++)
        put(w, hol__unit_kind_get(i).name, "{\"type\": \"string\"}");
    end(w, '}');
    put(w, "additionalProperties", "false");
}

static void put_option_kind(writer *w, const hol_option *option) {
    if (option->kind == HOL_OPTION_BOOL) {
        put_reference(w, "yes_no", "");
    } else if (option->kind == HOL_OPTION_LIST) {
        const int named = strcmp(option->name, "units") == 0; /* it may also be a map */
        put(w, "type", named ? "[\"array\", \"string\", \"object\"]" : "[\"array\", \"string\"]");
        put(w, "items", "{ \"type\": \"string\" }");
        if (named) put_unit_kinds(w);
    } else if (option->kind == HOL_OPTION_CHOICE) {
        hol__json_open_line(&w->json, "enum", '[');
        for (int i = 0; option->choice(i); i++) hol__json_text(&w->json, NULL, option->choice(i));
        end(w, ']');
    } else {
        put(w, "type", "[\"%s\", \"string\"]",
            option->kind == HOL_OPTION_INTEGER ? "integer" : "number");
        if (fabs(option->min) < HOL__UNBOUNDED)
            hol__json_number(&w->json, "minimum", option->min, 0);
        if (fabs(option->max) < HOL__UNBOUNDED)
            hol__json_number(&w->json, "maximum", option->max, 0);
    }
}

static void put_options(writer *w) {
    const hol_option *option;
    begin(w, "simulation", '{');
    put(w, "type", "[\"object\", \"null\"]");
    begin(w, "properties", '{');
    for (int i = 0; (option = hol_option_get(i)); i++) {
        begin(w, option->name, '{');
        put_option_kind(w, option);
        put_description(w, option->doc, option->unit, HOL__IN_PLANE | HOL__IN_SPACE);
        if (option->kind == HOL_OPTION_BOOL)
            hol__json_raw(&w->json, "default", option->initial);
        else
            put_default(w, option->initial);
        end(w, '}');
    }
    end(w, '}');
    put(w, "additionalProperties", "false");
    end(w, '}');
}

/* ---- definitions of kinds ---- */

#define NUMBER "\"type\": [\"number\", \"string\"]"
#define REF(name) "{\"$ref\": \"#/$defs/" name "\"}"
#define LIST(item, least, most)                                                                    \
    "{\"type\": \"array\", \"items\": " item ", \"minItems\": " least ", \"maxItems\": " most "}"
#define POINT(least, most)                                                                         \
    "{\"anyOf\": [" LIST(REF("number"), least,                                                     \
                         most) ", {\"type\": \"string\"}, {\"type\": \"object\", \"properties\": " \
                               "{\"body\": " REF("name") ", \"at\": " LIST(                        \
                                   REF("number"), least,                                           \
                                   most) "}, \"required\": [\"body\", \"at\"], "                   \
                                         "\"additionalProperties\": false}]}"

/* clang-format off */
static const char *const definitions[][2] = {
    {"number", "{" NUMBER ", \"description\": \"A number, or a constant expression such as 60 deg "
     "or 2*L.\"}"},
    {"positive", "{" NUMBER ", \"exclusiveMinimum\": 0}"},
    {"not_negative", "{" NUMBER ", \"minimum\": 0}"},
    {"law", "{" NUMBER ", \"description\": \"A number, or an expression of time and measures.\"}"},
    {"time_law", "{" NUMBER ", \"description\": \"A number, or an expression of time.\"}"},
    {"text", "{\"type\": [\"string\", \"number\", \"boolean\"]}"},
    {"files", "{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": "
     "\"string\"}}]}"},
    {"yes_no", "{\"enum\": [true, false, \"yes\", \"no\"]}"},
    {"name", "{\"type\": [\"string\", \"number\"]}"},
    {"bodies", LIST(REF("name"), "2", "2")},
    {"names", "{\"type\": \"array\", \"items\": " REF("name") "}"},
    {"vector", LIST(REF("number"), "2", "3")},
    {"vector2", LIST(REF("number"), "2", "2")},
    {"vector3", LIST(REF("number"), "3", "3")},
    {"laws", LIST(REF("law"), "2", "3")},
    {"laws2", LIST(REF("law"), "2", "2")},
    {"laws3", LIST(REF("law"), "3", "3")},
    {"point", POINT("2", "3")},
    {"point2", POINT("2", "2")},
    {"point3", POINT("3", "3")},
    {"points", LIST(REF("point"), "2", "2")},
    {"points2", LIST(REF("point2"), "2", "2")},
    {"points3", LIST(REF("point3"), "2", "2")},
    {"direction", "{\"anyOf\": [" REF("vector") ", " REF("points") "]}"},
    {"direction2", "{\"anyOf\": [" REF("vector2") ", " REF("points2") "]}"},
    {"direction3", "{\"anyOf\": [" REF("vector3") ", " REF("points3") "]}"},
    {"orientation", "{\"type\": \"object\", \"properties\": {\"axis\": " REF("vector3")
     ", \"angle\": " REF("number") ", "
                    "\"euler\": " REF("vector3") ", \"quaternion\": " LIST(REF("number"), "4", "4")
                    "}, \"additionalProperties\": false}"},
    {"inertia", "{\"anyOf\": [" REF("not_negative") ", " LIST(REF("number"), "3", "3")
     ", " LIST(REF("number"), "6", "6") ", "
                LIST(LIST(REF("number"), "3", "3"), "3", "3") "]}"},
    {"numbers", "{\"type\": \"array\", \"items\": " REF("number") "}"},
    {"by_row", "{\"anyOf\": [" REF("positive") ", {\"type\": \"array\", \"items\": "
     REF("positive") ", \"minItems\": 1}]}"},
    {"formula", "{" NUMBER ", \"description\": \"A number, or an expression of time and of named "
     "coordinates.\"}"},
    {"formulas", "{\"type\": \"array\", \"items\": " REF("formula") "}"},
    {"curve", "{\"type\": \"array\", \"items\": " LIST(REF("number"), "2", "2")
     ", \"minItems\": 2}"},
    {"corners", "{\"type\": \"array\", \"items\": " LIST(REF("number"), "2", "3")
     ", \"minItems\": 1}"},
    {"active", "{\"anyOf\": [{\"type\": \"boolean\"}, " REF("law") ", " REF("switch") "]}"},
    {"actions", "{\"anyOf\": [" REF("action_word") ", " REF("action") ", {\"type\": \"array\", "
     "\"minItems\": 1, \"items\": {\"anyOf\": [" REF("action_word") ", " REF("action") "]}}]}"},
    {"settings", "{\"type\": \"object\", \"minProperties\": 1, \"additionalProperties\": "
     REF("law") "}"},
    {"action_word", "{\"enum\": [\"stop\", \"record\"]}"},
    {"one_or_more", "{\"anyOf\": [" REF("name") ", {\"type\": \"array\", \"items\": " REF("name")
     ", \"minItems\": 1}]}"},
    {"coordinates", "{\"type\": \"object\", \"minProperties\": 1, \"maxProperties\": 4, "
     "\"additionalProperties\": {\"type\": \"object\", "
                    "\"properties\": {\"joint\": " REF("name")
                    ", \"component\": {\"enum\": [\"angle\", \"displacement\", \"x\", \"y\", "
                    "\"z\", "
                    "\"distance\"]}, \"body\": " REF("name") ", \"at\": " REF("point")
                    ", \"bodies\": " REF("bodies") ", \"from\": "
                    REF("point") ", \"to\": " REF("point") ", \"axis\": " REF("vector3")
                        ", \"measure\": " REF("name")
                    "}, \"additionalProperties\": false}}"},
    {"terms", "{\"type\": \"array\", \"minItems\": 1, \"maxItems\": 8, \"items\": {\"type\": "
     "\"object\", \"properties\": {\"body\": "
              REF("name") ", \"against\": " REF("name") ", \"at\": " REF("point")
                  ", \"component\": {\"enum\": [\"vx\", \"vy\", \"vz\", \"wx\", "
              "\"wy\", \"wz\", \"omega\"]}, \"frame\": {\"enum\": [\"global\", \"body\"]}, "
              "\"factor\": " REF("formula")
              "}, \"required\": [\"body\", \"component\"], \"additionalProperties\": false}}"},
    {"angular_velocity", "{\"anyOf\": [" REF("number") ", " REF("vector3") "]}"},
    {"torque", "{\"anyOf\": [" REF("law") ", " REF("laws3") "]}"},
    {"matrix", "{\"anyOf\": [{\"type\": \"array\", \"items\": " REF("number")
     "}, {\"type\": \"array\", \"items\": {\"type\": "
               "\"array\", \"items\": " REF("number") "}}]}"},
    {"shapes", "{\"anyOf\": [" REF("shape") ", {\"type\": \"array\", \"items\": " REF("shape")
     ", \"minItems\": 1}]}"},
    {"gravity", "{\"anyOf\": [" LIST(REF("time_law"), "2", "3")
     ", {\"type\": \"object\", \"properties\": {\"uniform\": "
                LIST(REF("time_law"), "2", "3") ", \"center\": " REF("vector")
                    ", \"mu\": " REF("positive") "}, "
                "\"additionalProperties\": false}]}"},
};
/* clang-format on */

static void put_definitions(writer *w) {
    begin(w, "$defs", '{');
    for (size_t i = 0; i < sizeof definitions / sizeof *definitions; i++)
        hol__json_raw(&w->json, definitions[i][0], definitions[i][1]);
    put_table(w, "body", hol__body_keys);
    put_table(w, "shape", hol__shape_keys);
    put_table(w, "table", hol__table_keys);
    put_table(w, "gains", hol__gain_keys);
    put_table(w, "natural", hol__natural_keys);
    put_table(w, "rod", hol__rod_keys);
    put_table(w, "rod_distance", hol__rod_distance_keys);
    put_table(w, "natural_element", hol__natural_element_keys);
    put_table(w, "switch", hol__active_keys);
    put_table(w, "event", hol__event_keys);
    put_table(w, "action", hol__action_keys);
    put_table(w, "impact", hol__impact_keys);
    for (int i = 0; hol__typed_section(i); i++)
        put_section(w, hol__typed_section(i), hol__typed_item(i));
    put_options(w);
    end(w, '}');
}

/* ---- top level ---- */

/* What stands under each name of a map. */
static const char *const maps[][2] = {
    {"points", REF("point")},
    {"tables", REF("table")},
    {"events", REF("event")},
    {"masses", REF("positive")},
    {"velocities", REF("vector")},
    {"vectors", REF("vector3")},
    {"rods", REF("rod")},
    {"distances", REF("rod_distance")},
    {"elements", REF("natural_element")},
};

static void put_map(writer *w, const char *name) {
    for (int i = 0; hol__typed_section(i); i++)
        if (strcmp(name, hol__typed_section(i)) == 0) {
            put(w, "type", "[\"object\", \"null\"]");
            put(w, "additionalProperties", "{\"$ref\": \"#/$defs/%s\"}", hol__typed_item(i));
            return;
        }
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        if (strcmp(name, maps[i][0]) == 0) {
            put(w, "type", "[\"object\", \"null\"]");
            hol__json_raw(&w->json, "additionalProperties", maps[i][1]);
            return;
        }
    if (strcmp(name, "units") == 0) {
        put(w, "type", "[\"array\", \"string\", \"object\", \"null\"]");
        put(w, "items", "{ \"type\": \"string\" }");
        put_unit_kinds(w);
    } else if (strcmp(name, "simulation") == 0 || strcmp(name, "natural") == 0 ||
               strcmp(name, "gains") == 0) {
        put_reference(w, name, "");
    } else if (strcmp(name, "bodies") == 0) {
        put(w, "type", "\"object\"");
        put(w, "minProperties", "1");
        put(w, "propertyNames", "{\"not\": {\"const\": \"ground\"}}");
        hol__json_raw(&w->json, "additionalProperties", REF("body"));
    } else {
        put(w, "type", "[\"object\", \"null\"]");
        put(w, "propertyNames",
            "{\"pattern\": \"^[A-Za-z_][A-Za-z0-9_]*$\", \"not\": {\"enum\": [\"t\", \"time\", "
            "\"pi\"]}}");
        hol__json_raw(&w->json, "additionalProperties", REF("number"));
    }
}

static void put_root_key(writer *w, const hol__key *key) {
    const unsigned spaces = HOL__IN_PLANE | HOL__IN_SPACE;
    begin(w, key->name, '{');
    if (strcmp(key->name, "holonom") == 0)
        put(w, "const", "1");
    else
        put_kind(w, key, spaces);
    put_description(w, key->doc, key->unit, spaces);
    put_default(w, key->initial);
    end(w, '}');
}

char *hol_schema_json(hol_context *ctx) {
    if (!ctx) return NULL;
    const unsigned spaces = HOL__IN_PLANE | HOL__IN_SPACE;
    writer w;
    hol__text_init(&w.text, ctx);
    w.json = (hol__json){.put = hol__text_sink, .to = &w.text};
    begin(&w, NULL, '{');
    hol__json_text(&w.json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    hol__json_text(&w.json, "$id", "urn:holonom:model-file:1");
    hol__json_text(&w.json, "title", "Holonom model file");
    put(&w, "type", "\"object\"");
    begin(&w, "properties", '{');
    for (const hol__key *key = hol__root_keys; key->name; key++) put_root_key(&w, key);
    end(&w, '}');
    put(&w, "additionalProperties", "false");
    put(&w, "required", "[\"holonom\"]");
    /* the other required keys may come from an included file */
    put(&w, "if", "{\"not\": {\"required\": [\"include\"]}}");
    begin(&w, "then", '{');
    put_required(&w, hol__root_keys, spaces, NULL);
    put(&w, "if", "{\"not\": {\"required\": [\"natural\"]}}");
    put(&w, "then",
        "{\"properties\": {\"joints\": {\"additionalProperties\": {\"required\": [\"type\"]}}}}");
    end(&w, '}');
    put_definitions(&w);
    end(&w, '}');
    hol__text_add(&w.text, "\n");
    return hol__text_take(&w.text);
}

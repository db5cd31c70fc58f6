/* elements.c: holonom elements: what a model file may use, from the library's tables. */
#include "cli/cli.h"
#include "cli/print_json.h"

#include <string.h>

enum { NAME_WIDTH = 18, KEY_WIDTH = 16 };

/* "" in both spaces, otherwise the one. */
static const char *space_note(const hol_element_doc *e) {
    return e->planar && e->spatial ? "" : e->planar ? " (plane only)" : " (space only)";
}

/* What a key takes: its kind, its unit and, where it is one of several words, those. */
static void kind_text(const hol_key_doc *key, char *text, size_t size) {
    const int has_unit = key->unit && *key->unit;
    int used = snprintf(text, size, "%s%s%s%s", key->kind, has_unit ? " [" : "",
                        has_unit ? key->unit : "", has_unit ? "]" : "");
    for (int i = 0; key->choices && key->choices[i] && used > 0 && (size_t)used < size; i++)
        used +=
            snprintf(text + used, size - (size_t)used, "%s%s", i ? ", " : ": ", key->choices[i]);
}

static const char example_heading[] = "\n  example, a whole model file (also: --example)\n\n";

/* The keys of an element, or of a section (element NULL). Where one exists in one space only and
 * the other keys in both, it says so. */
static void print_keys(const char *section, const char *element, int planar, int spatial) {
    hol_key_doc key = {.size = sizeof key};
    for (int i = 0; hol_element_key(section, element, i, &key) == HOL_OK; i++) {
        char text[1536], kind[512];
        if (i == 0) puts("\n  keys");
        const char *need = !key.initial ? "required" : *key.initial ? "default " : "optional";
        const char *where = !(planar && spatial) || key.planar == key.spatial ? ""
                            : key.planar                                      ? " (in the plane)"
                                                                              : " (in space)";
        kind_text(&key, kind, sizeof kind);
        snprintf(text, sizeof text, "%s; %s%s%s\n%s", kind, need, key.initial ? key.initial : "",
                 where, key.doc ? key.doc : "");
        cli_print_row(stdout, 4, KEY_WIDTH, key.name, text);
    }
}

/* The quantities of an element for the measure `load`. */
static void print_quantities(const hol_element_doc *e) {
    hol_quantity_doc q = {.size = sizeof q};
    for (int i = 0; hol_element_quantity(e->section, e->name, i, &q) == HOL_OK; i++) {
        char text[1024];
        if (i == 0) puts("\n  quantities (measure: load)");
        snprintf(text, sizeof text, "%s%s%s%s%s%s\n%s", q.vector ? "vector" : "number",
                 *q.unit ? " [" : "", q.unit, *q.turn ? ", " : "", q.turn, *q.unit ? "]" : "",
                 q.doc);
        cli_print_row(stdout, 4, KEY_WIDTH, q.name, text);
    }
}

/* The example as a model file that runs as printed. */
static void print_example(cli_session *cli, const hol_element_doc *e) {
    char *text = hol_element_example(cli->ctx, e->section, e->name);
    if (text) cli_puts(stdout, text);
    hol_free(cli->ctx, text);
}

/* Everything about one element. */
static void print_element(cli_session *cli, const hol_element_doc *e) {
    cli_printf(stdout, "%s: %s%s\n", e->section, e->name, space_note(e));
    fputs("  ", stdout);
    cli_print_wrapped(stdout, 2, e->title);
    print_keys(e->section, e->name, e->planar, e->spatial);
    print_quantities(e);
    if (e->unit && *e->unit) {
        puts("\n  unit");
        cli_print_block(stdout, 4, e->unit);
    }
    if (e->equations) {
        puts("\n  equations");
        cli_print_block(stdout, 4, e->equations);
    }
    if (e->example) {
        cli_puts(stdout, example_heading);
        print_example(cli, e);
    }
}

static void quantities_json(hol__json *json, const hol_element_doc *e) {
    hol_quantity_doc q = {.size = sizeof q};
    hol__json_open(json, "quantities", '[');
    for (int i = 0; hol_element_quantity(e->section, e->name, i, &q) == HOL_OK; i++) {
        hol__json_open(json, NULL, '{');
        hol__json_text(json, "name", q.name);
        hol__json_text(json, "unit", q.unit);
        hol__json_text(json, "turn", q.turn);
        hol__json_bool(json, "vector", q.vector);
        hol__json_text(json, "doc", q.doc);
        hol__json_close(json, '}');
    }
    hol__json_close(json, ']');
}

static void element_json(hol__json *json, const hol_element_doc *e) {
    hol__json_open(json, NULL, '{');
    hol__json_text(json, "section", e->section);
    hol__json_text(json, "name", e->name);
    hol__json_text(json, "title", e->title);
    hol__json_bool(json, "planar", e->planar);
    hol__json_bool(json, "spatial", e->spatial);
    hol__json_text(json, "unit", e->unit);
    hol__json_text(json, "equations", e->equations);
    hol__json_text(json, "example", e->example);
    hol__json_open(json, "keys", '[');
    hol_key_doc key = {.size = sizeof key};
    for (int i = 0; hol_element_key(e->section, e->name, i, &key) == HOL_OK; i++) {
        hol__json_open(json, NULL, '{');
        hol__json_text(json, "name", key.name);
        hol__json_text(json, "kind", key.kind);
        hol__json_text(json, "unit", key.unit);
        hol__json_text(json, "default", key.initial);
        hol__json_bool(json, "required", !key.initial);
        hol__json_bool(json, "planar", key.planar);
        hol__json_bool(json, "spatial", key.spatial);
        hol__json_open(json, "choices", '[');
        for (int k = 0; key.choices && key.choices[k]; k++)
            hol__json_text(json, NULL, key.choices[k]);
        hol__json_close(json, ']');
        hol__json_text(json, "doc", key.doc);
        hol__json_close(json, '}');
    }
    hol__json_close(json, ']');
    quantities_json(json, e);
    hol__json_close(json, '}');
}

/* One line for each element of a section, or of all (NULL). */
static void print_list(const char *only) {
    const char *section = "";
    hol_element_doc e = {.size = sizeof e};
    for (int i = 0; hol_element_get(i, &e) == HOL_OK; i++) {
        char text[512];
        if (only && strcmp(only, e.section) != 0) continue;
        if (strcmp(section, e.section) != 0)
            cli_printf(stdout, "%s%s\n", *section ? "\n" : "", e.section);
        section = e.section;
        snprintf(text, sizeof text, "%s%s", e.title ? e.title : "", space_note(&e));
        cli_print_row(stdout, 2, NAME_WIDTH, e.name, text);
    }
}

/* The section without types of that name; 0: none. */
static int find_section(const char *name, hol_section_doc *s) {
    for (int i = 0; name && hol_section_get(i, s) == HOL_OK; i++)
        if (strcmp(s->name, name) == 0) return 1;
    return 0;
}

/* Everything about one, or its example alone. */
static void print_section(const hol_section_doc *s, int example) {
    if (!example) {
        cli_printf(stdout, "%s\n  %s\n", s->name, s->title);
        print_keys(s->name, NULL, 1, 1);
        cli_puts(stdout, example_heading);
    }
    cli_puts(stdout, s->example);
}

/* The names of all of them. */
static void print_sections(void) {
    hol_section_doc s = {.size = sizeof s};
    putchar('\n');
    for (int i = 0; hol_section_get(i, &s) == HOL_OK; i++)
        cli_printf(stdout, "%s%s", i ? ", " : "", s.name);
    puts("\n  their keys: holonom elements bodies, holonom elements tables, …");
}

/* Whether the element is asked for: by its name, by that of its section, or by both
 * (joints.motor). */
static int is_wanted(const hol_element_doc *e, const char *name) {
    const size_t section = strlen(e->section);
    if (!name || strcmp(e->name, name) == 0 || strcmp(e->section, name) == 0) return 1;
    return strncmp(name, e->section, section) == 0 && name[section] == '.' &&
           strcmp(name + section + 1, e->name) == 0;
}

/* How many elements have the name or are in the section; *is_section tells which. */
static int count_wanted(const char *name, int *is_section) {
    int n = 0;
    hol_element_doc e = {.size = sizeof e};
    *is_section = 0;
    for (int i = 0; hol_element_get(i, &e) == HOL_OK; i++) {
        n += is_wanted(&e, name);
        *is_section |= name && strcmp(e.section, name) == 0;
    }
    return n;
}

/* Report a name that nothing has. */
static int unknown(cli_session *cli, const cli_args *args, const char *name) {
    hol__near near = hol__near_start(name);
    hol_element_doc e = {.size = sizeof e};
    for (int i = 0; hol_element_get(i, &e) == HOL_OK; i++) {
        hol__near_try(&near, e.name);
        hol__near_try(&near, e.section);
    }
    hol_section_doc s = {.size = sizeof s};
    for (int i = 0; hol_section_get(i, &s) == HOL_OK; i++) hol__near_try(&near, s.name);
    if (strcmp(name, "simulation") == 0)
        return cli_usage(cli, args->command,
                         "the keys of the section simulation are options: holonom options");
    return cli_usage(cli, args->command, "there is no element '%s'%s%s%s", name,
                     near.best ? "; did you mean '" : "", near.best ? near.best : "",
                     near.best ? "'?" : "");
}

static void print_json(const char *name) {
    hol_element_doc e = {.size = sizeof e};
    hol__json json = cli_json_start(stdout);
    hol__json_open(&json, "elements", '[');
    for (int i = 0; hol_element_get(i, &e) == HOL_OK; i++)
        if (is_wanted(&e, name)) element_json(&json, &e);
    hol__json_close(&json, ']');
    cli_json_finish(&json);
}

static int run_elements(cli_session *cli, const cli_args *args) {
    const char *name = args->n_words ? args->words[0] : NULL;
    hol_element_doc e = {.size = sizeof e};
    int is_section, shown = 0;
    hol_section_doc section = {.size = sizeof section};
    if (find_section(name, &section) && !cli_args_has(args, "json")) {
        print_section(&section, cli_args_has(args, "example"));
        return CLI_OK;
    }
    if (!count_wanted(name, &is_section)) return unknown(cli, args, name);
    if (cli_args_has(args, "json"))
        print_json(name);
    else if (!name) {
        print_list(NULL);
        print_sections();
    } else if (is_section) {
        print_list(name);
        print_keys(name, NULL, 1, 1);
    } else
        for (int i = 0; hol_element_get(i, &e) == HOL_OK; i++)
            if (is_wanted(&e, name)) {
                if (cli_args_has(args, "example") && shown) break;
                if (shown++) puts("");
                if (cli_args_has(args, "example"))
                    print_example(cli, &e);
                else
                    print_element(cli, &e);
            }
    return CLI_OK;
}

static const cli_option options[] = {
    {"json", 0, NULL, NULL, "Print one JSON object."},
    {"example", 0, NULL, NULL, "Print the example alone: a model file that runs."},
    {0},
};

const cli_command cli_command_elements = {
    .name = "elements",
    .arguments = "[NAME]",
    .title = "List the elements of model files; with a name, its keys, equations and an example.",
    .text = "The name is that of an element (revolute) or of a section (joints, bodies, shapes). A "
            "name "
            "that exists in several sections is shown for each.",
    .options = options,
    .max_words = 1,
    .run = run_elements,
};

/* schema_snippets.c: holonom schema --snippets: a snippet for every element, for editors that take
 * those of VS Code.
 *
 * A snippet is the lines of the element's example, with its name and its values as places to fill
 * in: `${1:spring}: {type: spring, bodies: ${2:[ground, rod]}, …}`. $ and } are escaped within
 * them.
 */
#include "cli/cli.h"
#include "cli/print_json.h"

#include <string.h>

/* The lines of an item in an example: from its name to the line before the next item, without the
 * indentation of the first. */
typedef struct item {
    const char *start, *end;
} item;

/* A snippet while it is put together: lines in a JSON list. */
typedef struct snippet {
    hol__json *json;
    char line[1024];
    size_t n;
    int place; /* the number of the place that was written last */
} snippet;

/* Whether a line begins an item of a section. */
static int begins_item(const char *line) {
    return strncmp(line, "  ", 2) == 0 && line[2] != ' ' && line[2] != '\0';
}

/* The item of that type in an example; start is NULL where there is none. */
static item find_item(const char *example, const char *type) {
    char words[128];
    item found = {NULL, NULL};
    snprintf(words, sizeof words, "type: %s", type);
    const char *at = strstr(example, words);
    while (at && at[strlen(words)] && !strchr(",}\n", at[strlen(words)]))
        at = strstr(at + 1, words);
    for (const char *line = example; at && line && line <= at; line = strchr(line, '\n')) {
        if (*line == '\n') line++;
        if (begins_item(line)) found.start = line + 2;
    }
    for (found.end = at; found.end; found.end++) {
        if (!*found.end) break;
        if (*found.end == '\n' && strncmp(found.end + 1, "    ", 4) != 0) break;
    }
    return found;
}

/* Append a character of the snippet; a line end makes the next line, two columns further left. */
static void put(snippet *s, const char *text, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '\n') {
            s->line[s->n] = '\0';
            hol__json_text(s->json, NULL, s->line);
            s->n = 0;
            i += strncmp(text + i + 1, "  ", 2) == 0 ? 2 : 0;
        } else if (s->n + 2 < sizeof s->line) {
            s->line[s->n++] = text[i];
        }
    }
}

/* The same for text of an example: what means something in snippets is escaped, } within places. */
static void put_text(snippet *s, const char *text, size_t n, int within) {
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '$' || (within && text[i] == '}')) put(s, "\\", 1);
        put(s, text + i,
            text[i] == '\n' && i + 2 < n && strncmp(text + i + 1, "  ", 2) == 0 ? 3 : 1);
        if (text[i] == '\n' && i + 2 < n && strncmp(text + i + 1, "  ", 2) == 0) i += 2;
    }
}

/* A place to fill in, with what stands there first. */
static void put_place(snippet *s, const char *text, size_t n) {
    char open[16];
    put(s, open, (size_t)snprintf(open, sizeof open, "${%d:", ++s->place));
    put_text(s, text, n, 1);
    put(s, "}", 1);
}

/* The length of a value in braces: up to the comma or brace that ends it. */
static size_t value_length(const char *text, const char *end) {
    const char *at = text;
    for (int depth = 0; at < end; at++) {
        if (depth == 0 && strchr(",}", *at)) break;
        depth += *at == '[' || *at == '{' || *at == '(';
        depth -= *at == ']' || *at == '}' || *at == ')';
    }
    return (size_t)(at - text);
}

/* The lines of an item with its places. */
static void put_item(snippet *s, item it) {
    const char *at = it.start + strcspn(it.start, ":");
    put_place(s, it.start, (size_t)(at - it.start));
    const int braces = strncmp(at, ": {", 3) == 0;
    if (braces) {
        put(s, ": {", 3);
        at += 3;
    }
    while (at < it.end) {
        const char *colon = strstr(at, ": ");
        if (!braces || !colon || colon >= it.end) break;
        const char *value = colon + 2;
        put_text(s, at, (size_t)(value - at), 0);
        at = value;
        const size_t n = value_length(value, it.end);
        if (strncmp(colon - 4, "type", 4) == 0)
            put_text(s, value, n, 0);
        else
            put_place(s, value, n);
        at += n;
    }
    put_text(s, at, (size_t)(it.end - at), 0);
    put(s, "\n", 1);
}

/* One snippet: what to type for it, what it is, its lines. */
static void put_snippet(hol__json *json, const char *title, const char *prefix,
                        const char *description, item it) {
    snippet s = {.json = json};
    hol__json_open(json, title, '{');
    hol__json_text(json, "scope", "yaml");
    hol__json_text(json, "prefix", prefix);
    hol__json_text(json, "description", description);
    hol__json_open(json, "body", '[');
    if (it.start) put_item(&s, it);
    hol__json_close(json, ']');
    hol__json_close(json, '}');
}

/* A whole small model, to begin with. */
static void put_start(hol__json *json) {
    static const char *const lines[] = {
        "holonom: 1",
        "name: ${1:pendulum}",
        "space: ${2|planar,spatial|}",
        "gravity: ${3:[0, -9.81]}",
        "parameters:",
        "  L: ${4:600 mm}",
        "bodies:",
        "  rod: {mass: ${5:2.5}, inertia: ${6:0.075}, along: ${7:[[0, 0], [L, 0]]}}",
        "joints:",
        "  hinge: {type: revolute, bodies: [ground, rod], at: [0, 0]}",
        "measures:",
        "  angle: {type: angle, body: rod}",
        "simulation: {end: ${8:5}}",
        NULL};
    hol__json_open(json, "model", '{');
    hol__json_text(json, "scope", "yaml");
    hol__json_text(json, "prefix", "holonom");
    hol__json_text(json, "description", "A whole model: a pendulum.");
    hol__json_open(json, "body", '[');
    for (int i = 0; lines[i]; i++) hol__json_text(json, NULL, lines[i]);
    hol__json_close(json, ']');
    hol__json_close(json, '}');
}

int cli_schema_snippets(cli_session *cli) {
    hol_element_doc e = {.size = sizeof e};
    hol__json json = cli_json_start(stdout);
    (void)cli;
    put_start(&json);
    for (int i = 0; hol_element_get(i, &e) == HOL_OK; i++) {
        char title[128], prefix[128];
        const int n = (int)strlen(e.section) - 1; /* "joint" of "joints" */
        snprintf(title, sizeof title, "%.*s: %s", n, e.section, e.name);
        snprintf(prefix, sizeof prefix, "%.*s-%s", n, e.section, e.name);
        put_snippet(&json, title, prefix, e.title, find_item(e.example ? e.example : "", e.name));
    }
    cli_json_finish(&json);
    return CLI_OK;
}

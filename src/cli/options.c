/* options.c: holonom options: the settings of a simulation, from the library's table. */
#include "cli/cli.h"
#include "cli/print_json.h"

#include <string.h>

enum { NAME_WIDTH = 21, INITIAL_WIDTH = 14, UNIT_WIDTH = 6 };

/* Values that stand for "no limit" in the table of options. */
static const double HUGE_RANGE = 1e15;

const char *cli_option_range(const hol_option *option, char *buf, size_t size) {
    size_t n = 0;
    buf[0] = '\0';
    if (option->kind == HOL_OPTION_BOOL) snprintf(buf, size, "true or false");
    if (option->kind == HOL_OPTION_LIST) snprintf(buf, size, "a list");
    if (option->kind == HOL_OPTION_CHOICE)
        for (int i = 0; option->choice(i) && n < size; i++)
            n += (size_t)snprintf(buf + n, size - n, "%s%s", i ? ", " : "", option->choice(i));
    if (option->kind != HOL_OPTION_REAL && option->kind != HOL_OPTION_INTEGER) return buf;
    const int low = option->min > -HUGE_RANGE, high = option->max < HUGE_RANGE;
    if (low && high)
        n = (size_t)snprintf(buf, size, "%g to %g", option->min, option->max);
    else if (low)
        n = (size_t)snprintf(buf, size, "from %g", option->min);
    else if (high)
        n = (size_t)snprintf(buf, size, "up to %g", option->max);
    for (int i = 0; option->choice && option->choice(i) && n < size; i++)
        n += (size_t)snprintf(buf + n, size - n, ", or %s", option->choice(i));
    return buf;
}

void cli_print_simulation_options(FILE *out, int indent) {
    const hol_option *o;
    char text[1024], range[512];
    for (int i = 0; (o = hol_option_get(i)); i++) {
        cli_option_range(o, range, sizeof range);
        snprintf(text, sizeof text, "%s%s%s%s", o->doc, *range ? " (" : "", range,
                 *range ? ")" : "");
        cli_printf(out, "%*s", indent, "");
        cli_print_padded(out, o->name, NAME_WIDTH);
        cli_print_padded(out, o->initial, INITIAL_WIDTH);
        cli_print_padded(out, o->unit, UNIT_WIDTH);
        cli_print_wrapped(out, indent + NAME_WIDTH + INITIAL_WIDTH + UNIT_WIDTH, text);
    }
}

/* One option as an object. */
static void print_option(hol__json *json, const hol_option *o) {
    static const char *const kinds[] = {"real", "integer", "bool", "choice", "list"};
    hol__json_open(json, NULL, '{');
    hol__json_text(json, "name", o->name);
    hol__json_text(json, "kind", kinds[o->kind]);
    hol__json_text(json, "default", o->initial);
    hol__json_text(json, "unit", o->unit);
    if (o->kind == HOL_OPTION_REAL || o->kind == HOL_OPTION_INTEGER) {
        hol__json_number(json, "min", o->min, 0);
        hol__json_number(json, "max", o->max, 0);
    }
    if (o->choice) {
        hol__json_open(json, "choices", '[');
        for (int i = 0; o->choice(i); i++) hol__json_text(json, NULL, o->choice(i));
        hol__json_close(json, ']');
    }
    hol__json_text(json, "doc", o->doc);
    hol__json_close(json, '}');
}

static int run_options(cli_session *cli, const cli_args *args) {
    const hol_option *o;
    (void)cli;
    if (!cli_args_has(args, "json")) {
        cli_print_simulation_options(stdout, 0);
        return CLI_OK;
    }
    hol__json json = cli_json_start(stdout);
    hol__json_open(&json, "options", '[');
    for (int i = 0; (o = hol_option_get(i)); i++) print_option(&json, o);
    hol__json_close(&json, ']');
    cli_json_finish(&json);
    return CLI_OK;
}

static const cli_option own_options[] = {
    {"json", 0, NULL, NULL, "Print one JSON object."},
    {0},
};

const cli_command cli_command_options = {
    .name = "options",
    .arguments = "",
    .title = "List the options of a simulation with their defaults and ranges.",
    .text = "They are the keys of the section `simulation` of a model file, and what --set takes "
            "beside parameters.",
    .options = own_options,
    .run = run_options,
};

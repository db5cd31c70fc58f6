/* methods.c: holonom methods: the table of methods and the parts that they are made of. */
#include "cli/cli.h"
#include "cli/print_json.h"

#include <string.h>

enum { NAME_WIDTH = 20, PART_WIDTH = 14 };

/* "kernel kkt, correction direct; GJB 5.1.1": what the method consists of. */
static void describe(const hol_method_doc *m, char *buf, size_t size) {
    const char *const parts[][2] = {{"state", m->state},
                                    {"kernel", m->kernel},
                                    {"basis", m->basis},
                                    {"form", m->form},
                                    {"stabilizer", m->stabilizer},
                                    {"correction", m->correction},
                                    {"coordinates", m->coordinates}};
    size_t n = 0;
    buf[0] = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof *parts && n < size; i++)
        if (parts[i][1] && *parts[i][1])
            n += (size_t)snprintf(buf + n, size - n, "%s%s: %s", n ? ", " : "", parts[i][0],
                                  parts[i][1]);
    if (n < size && m->source && *m->source) snprintf(buf + n, size - n, "; source: %s", m->source);
}

/* Methods and their parts as JSON. */
static void print_json(void) {
    hol__json json = cli_json_start(stdout);
    hol__json_open(&json, "methods", '[');
    const hol_method_doc *m;
    for (int i = 0; (m = hol_method_get(i)); i++) {
        hol__json_open(&json, NULL, '{');
        hol__json_text(&json, "name", m->name);
        hol__json_text(&json, "title", m->title);
        hol__json_text(&json, "state", m->state);
        hol__json_text(&json, "kernel", m->kernel);
        hol__json_text(&json, "basis", m->basis);
        hol__json_text(&json, "form", m->form ? m->form : "");
        hol__json_text(&json, "stabilizer", m->stabilizer);
        hol__json_text(&json, "correction", m->correction);
        hol__json_text(&json, "coordinates", m->coordinates ? m->coordinates : "");
        hol__json_text(&json, "source", m->source);
        hol__json_close(&json, '}');
    }
    hol__json_close(&json, ']');
    hol__json_open(&json, "parts", '[');
    hol_part_doc p = {.size = sizeof p};
    for (int i = 0; hol_part_get(i, &p) == HOL_OK; i++) {
        hol__json_open(&json, NULL, '{');
        hol__json_text(&json, "part", p.part);
        hol__json_text(&json, "name", p.name);
        hol__json_text(&json, "title", p.title);
        hol__json_close(&json, '}');
    }
    hol__json_close(&json, ']');
    cli_json_finish(&json);
}

/* holonom methods. */
static int run_methods(cli_session *cli, const cli_args *args) {
    (void)cli;
    if (cli_args_has(args, "json")) {
        print_json();
        return CLI_OK;
    }
    const hol_method_doc *m;
    puts("methods (--method)");
    for (int i = 0; (m = hol_method_get(i)); i++) {
        char text[512];
        describe(m, text, sizeof text);
        cli_print_row(stdout, 2, NAME_WIDTH, m->name, m->title);
        cli_print_row(stdout, 2, NAME_WIDTH, "", text);
    }
    hol_part_doc p = {.size = sizeof p};
    const char *part = "";
    for (int i = 0; hol_part_get(i, &p) == HOL_OK; i++) {
        if (strcmp(part, p.part) != 0) {
            if (strcmp(p.part, "state") == 0)
                puts("\nstate (by the method)");
            else if (strcmp(p.part, "solver") == 0)
                puts("\nsolver (in place of a kernel, by the method or the coordinates)");
            else if (strcmp(p.part, "coordinates") == 0)
                puts("\ncoordinates (--coordinates reference, natural, relative or auto)");
            else
                cli_printf(stdout, "\n%s (--%s)\n", p.part, p.part);
        }
        part = p.part;
        cli_print_row(stdout, 2, NAME_WIDTH, p.name, p.title);
    }
    return CLI_OK;
}

static const cli_option options[] = {
    {"json", 0, NULL, NULL, "Print one JSON object."},
    {0},
};

const cli_command cli_command_methods = {
    .name = "methods",
    .arguments = "",
    .title = "List the methods, kernels, stabilizers, corrections, integrators and coordinates.",
    .text =
        "The method `auto`, the default, picks what suits the model, and the summary of a run "
        "says what it picked. A method is its parts and nothing else: two that show the same "
        "parts run the same code, and --kernel, --basis, --stabilizer and --correction exchange "
        "one of them. The kernel `frame` is none of the list: accelerations, or velocities of "
        "canonical equations, come from R^T M R in the basis that the independent coordinates "
        "keep. The summary of a run says `recursive` where an open tree in relative coordinates "
        "needs no kernel.",
    .options = options,
    .run = run_methods,
};

/* manual.c: manual pages, in the language of man(7), from the tables of subcommands, options and
 * exit codes: holonom help --man, holonom help run --man. */
#include "cli/cli.h"

#include <string.h>

/* Words inside a line: dashes that can be copied, quotes as they are, no escapes. */
static void put_words(FILE *out, const char *text, size_t n) {
    for (size_t i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && !hol__utf8_begins(text[next]); next++) continue;
        switch (text[i]) {
        case '-': fputs("\\-", out); break;
        case '\\': fputs("\\e", out); break;
        case '\'': fputs("\\(aq", out); break;
        default: cli_put(out, text + i, next - i);
        }
    }
}

/* One line; a full stop at its start would be a request. */
static void put_line(FILE *out, const char *text, size_t n) {
    if (n && *text == '.') fputs("\\&", out);
    put_words(out, text, n);
    fputc('\n', out);
}

static void put_text(FILE *out, const char *text) {
    put_line(out, text, strlen(text));
}

/* Paragraphs with empty lines between them; what is indented stands as it is. */
static void put_paragraphs(FILE *out, const char *text) {
    int literal = 0;
    while (*text) {
        const size_t n = strcspn(text, "\n");
        const int is_literal = *text == ' ' || strncmp(text, "holonom ", 8) == 0;
        if (n && is_literal != literal)
            fputs(is_literal ? ".PP\n.nf\n.RS\n" : ".RE\n.fi\n.PP\n", out);
        if (n) literal = is_literal;
        const size_t from = is_literal ? strspn(text, " ") : 0;
        if (n)
            put_line(out, text + from, n - from);
        else if (!literal)
            fputs(".PP\n", out);
        text += n + (text[n] == '\n');
    }
    if (literal) fputs(".RE\n.fi\n", out);
}

/* ".TH holonom-run 1 …" and what the page is about. No date: the same program has the same page. */
static void put_head(FILE *out, const cli_command *command, const char *title) {
    cli_printf(out, ".TH holonom%s%s 1 \"\" \"holonom %s\" \"Holonom\"\n.SH NAME\n",
               command ? "\\-" : "", command ? command->name : "", hol_version());
    /* whatis wants "name \- what it is", without a full stop */
    cli_printf(out, "holonom%s%s \\- ", command ? "\\-" : "", command ? command->name : "");
    const size_t n = strlen(title);
    put_line(out, title, n && title[n - 1] == '.' ? n - 1 : n);
}

static void put_option(FILE *out, const cli_option *o) {
    fputs(".TP\n\\fB", out);
    if (o->letter) cli_printf(out, "\\-%c\\fR, \\fB", o->letter);
    fputs("\\-\\-", out);
    put_words(out, o->name, strlen(o->name));
    fputs("\\fR", out);
    if (o->argument) {
        fputs(" \\fI", out);
        put_words(out, o->argument, strlen(o->argument));
        fputs("\\fR", out);
    }
    fputc('\n', out);
    put_text(out, o->doc);
}

/* The options of the simulation with their defaults. */
static void put_simulation_options(FILE *out) {
    char range[512], text[1536];
    const hol_option *o;
    fputs(".SH OPTIONS OF THE SIMULATION\nGiven by \\fB\\-\\-set\\fR \\fINAME=VALUE\\fR, or in the "
          "section \\fBsimulation\\fR of the model.\n",
          out);
    for (int i = 0; (o = hol_option_get(i)); i++) {
        cli_option_range(o, range, sizeof range);
        snprintf(text, sizeof text, "%s Default: %s%s%s.%s%s%s", o->doc,
                 *o->initial ? o->initial : "none", *o->unit ? " " : "", o->unit,
                 *range ? " Values: " : "", range, *range ? "." : "");
        cli_printf(out, ".TP\n\\fB%s\\fR\n", o->name);
        put_text(out, text);
    }
}

static void put_exit_codes(FILE *out) {
    const char *code, *text;
    fputs(".SH EXIT STATUS\n", out);
    for (int i = 0; cli_exit_get(i, &code, &text); i++) {
        cli_printf(out, ".TP\n%s\n", code);
        put_text(out, text);
    }
}

static void put_command(FILE *out, const cli_command *command) {
    put_head(out, command, command->title);
    cli_printf(out, ".SH SYNOPSIS\n\\fBholonom %s\\fR", command->name);
    if (*command->arguments) {
        fputs(" \\fI", out);
        put_words(out, command->arguments, strlen(command->arguments));
        fputs("\\fR", out);
    }
    fputs(" [options]\n.SH DESCRIPTION\n", out);
    put_text(out, command->title);
    if (command->text) {
        fputs(".PP\n", out);
        put_paragraphs(out, command->text);
    }
    fputs(".SH OPTIONS\n", out);
    for (const cli_option *o = command->options; o && o->name; o++) put_option(out, o);
    fputs(".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nShow the help of the command.\n", out);
    if (command == &cli_command_run) put_simulation_options(out);
    put_exit_codes(out);
    fputs(".SH SEE ALSO\n.BR holonom (1)\n", out);
}

static void put_program(FILE *out) {
    put_head(out, NULL, "constrained multibody dynamics");
    fputs(".SH SYNOPSIS\n\\fBholonom\\fR \\fICOMMAND\\fR [\\fIarguments\\fR] [\\fIoptions\\fR]\n"
          ".SH DESCRIPTION\nHolonom simulates constrained mechanical systems: it turns a "
          "description of bodies, joints, forces and drivers into motion, reactions and energies, "
          "in the plane and in space, under every classical formulation of constrained dynamics.\n"
          ".PP\nData goes to standard output, messages to standard error.\n.SH COMMANDS\n",
          out);
    for (int i = 0; cli_command_get(i); i++) {
        cli_printf(out, ".TP\n.BR holonom\\-%s (1)\n", cli_command_get(i)->name);
        put_text(out, cli_command_get(i)->title);
    }
    put_exit_codes(out);
    fputs(
        ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nMessages have no colours.\n"
        ".TP\n\\fBXDG_CACHE_HOME\\fR\nWhere \\fBholonom run \\-\\-compiled\\fR keeps machine code "
        "(default: ~/.cache).\n"
        ".SH EXAMPLES\n.TP\nSimulate a model, with its results in four_bar.h5\n"
        "\\fBholonom run four_bar.yaml\\fR\n.TP\nSee it move, with plots\n"
        "\\fBholonom report four_bar.h5\\fR\n.TP\nAll formulations side by side\n"
        "\\fBholonom compare four_bar.yaml\\fR\n.TP\nWhat a model file may contain\n"
        "\\fBholonom elements\\fR\n",
        out);
}

void cli_print_manual(FILE *out, const cli_command *command) {
    if (command)
        put_command(out, command);
    else
        put_program(out);
}

/* statics.c: holonom statics: where a mechanism rests. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* What the words of the command line become. */
typedef struct asked {
    hol_statics_options options;
    double time;
    char *vary;
    const char **names;
} asked;

/* Say that there is no memory; returns 0. */
static int no_memory(cli_session *cli) {
    cli_report(cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
    return 0;
}

/* A copy of the value of an option that was given; NULL without memory. */
static char *copy_value(cli_session *cli, const cli_args *args, const char *name) {
    const char *value = cli_args_value(args, name);
    char *copy = malloc(strlen(value) + 1);
    if (!copy) no_memory(cli);
    return copy ? strcpy(copy, value) : NULL;
}

/* --vary NAME=FROM:TO */
static int read_vary(cli_session *cli, const cli_args *args, asked *a) {
    if (!cli_args_has(args, "vary")) return 1;
    a->vary = copy_value(cli, args, "vary");
    if (!a->vary) return 0;
    const char *end;
    char *equals = strchr(a->vary, '='), *colon = equals ? strchr(equals, ':') : NULL;
    if (equals && colon && equals != a->vary) {
        *equals = '\0';
        a->options.vary = a->vary;
        a->options.from = hol__number_read(equals + 1, &end);
        const int first = end == colon && end != equals + 1;
        a->options.to = hol__number_read(colon + 1, &end);
        if (first && end != colon + 1 && *end == '\0') return 1;
    }
    cli_usage(cli, args->command,
              "'--vary %s': write --vary NAME=FROM:TO, with numbers in SI units",
              cli_args_value(args, "vary"));
    return 0;
}

/* --preload A,B,… */
static int read_preload(cli_session *cli, const cli_args *args, asked *a) {
    a->names = cli_words(cli, args, "preload", &a->options.n_preload);
    a->options.preload = a->options.n_preload ? a->names : NULL;
    return a->names != NULL;
}

/* Everything; 0 after a mistake. */
static int read_asked(cli_session *cli, const cli_args *args, asked *a) {
    int good = 1;
    a->options.size = sizeof a->options;
    a->options.search = cli_args_value(args, "search");
    a->options.steady = cli_args_has(args, "steady");
    a->options.starts = (int)cli_number(cli, args, "starts", 0, 1, 1e5, &good);
    a->options.reach = cli_number(cli, args, "reach", 0, 1e-6, 1e6, &good);
    a->options.points = (int)cli_number(cli, args, "points", 0, 2, 1e6, &good);
    a->time = cli_number(cli, args, "at", 0, -1e300, 1e300, &good);
    if (cli_args_has(args, "at")) a->options.time = &a->time;
    return good && read_vary(cli, args, a) && read_preload(cli, args, a);
}

static hol_status ask(cli_question *q, hol_answer **answer) {
    const asked *a = q->user;
    return hol_statics(q->cli->ctx, q->spec, &a->options, answer);
}

static int run(cli_session *cli, const cli_args *args) {
    asked a = {.vary = NULL};
    const int code = read_asked(cli, args, &a) ? cli_answer(cli, args, CLI_WANTS_SPEC, ask, &a)
                                               : cli_exit_code(cli_why_unread(cli));
    free(a.vary);
    free(a.names);
    return code;
}

static const cli_option options[] = {
    {"at", 't', "T", NULL,
     "At this time, in seconds: drivers and laws hold what they ask for then (default: the "
     "start)."},
    {"search", 0, "S", NULL,
     "auto (default), descent (downhill, to what is stable) or newton (what is near, stable or "
     "not)."},
    {"starts", 0, "N", NULL, "Search from N scattered starts and list all equilibria found."},
    {"reach", 0, "R", NULL,
     "How far these lie from the drawn position, in radians or lengths of the mechanism "
     "(default: pi)."},
    {"vary", 0, "NAME=FROM:TO", NULL,
     "Follow the equilibrium over a parameter, around limit points, and find bifurcations."},
    {"points", 0, "N", NULL, "Points of that curve at most (default: 400)."},
    {"preload", 0, "A,B", NULL,
     "Free lengths of these springs that make the drawn position an equilibrium."},
    {"steady", 0, NULL, NULL,
     "The velocities of the start go on: equilibrium in the frame that turns with them."},
    CLI_MODEL_OPTIONS,
    CLI_ANSWER_OPTIONS,
    {NULL, 0, NULL, NULL, NULL},
};

const cli_command cli_command_statics = {
    "statics",
    "MODEL",
    "Find where a mechanism rests: positions, reactions, stability, curves over a parameter.",
    "holonom statics pendulum.yaml\n"
    "holonom statics truss.yaml --vary P=-5:5 -o truss.html\n"
    "holonom statics four_bar.yaml --starts 50",
    options,
    1,
    1,
    run,
};

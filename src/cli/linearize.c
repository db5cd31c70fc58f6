/* linearize.c: holonom linearize: small motions, eigenvalues, modes, response, root locus. */
#include "cli/cli.h"

#include "common/extension.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 64, FRAMES = 48 };

/* What the command line asks for. */
typedef struct request {
    hol_linearize_options how;
    const char *inputs[MOST], *outputs[MOST];
} request;

/* All values of an option that may be given several times. */
static int collect(cli_session *cli, const cli_args *args, const char *name, const char **out) {
    int n = 0;
    for (int i = 0; i < args->n_given; i++) {
        if (strcmp(args->given[i].option->name, name) != 0) continue;
        if (n == MOST)
            return cli_usage(cli, args->command, "more than %d times --%s", MOST, name), -1;
        out[n++] = args->given[i].value;
    }
    return n;
}

/* Which state: 0 as it is, 1 the nearest that stays steady, 2 the nearest at rest. */
static int wants_settled(cli_session *cli, const cli_args *args, int *good) {
    const char *about = cli_args_value(args, "about");
    if (!about || strcmp(about, "state") == 0) return 0;
    if (strcmp(about, "steady") == 0) return 1;
    if (strcmp(about, "equilibrium") == 0) return 2;
    cli_usage(cli, args->command, "--about takes state, equilibrium or steady, not '%s'", about);
    *good = 0;
    return 0;
}

/* FROM:TO as two numbers. */
static int read_range(cli_session *cli, const cli_args *args, const char *name, const char *text,
                      double *from, double *to) {
    const char *colon, *end;
    *from = hol__number_read(text, &colon);
    if (colon != text && *colon == ':') {
        *to = hol__number_read(colon + 1, &end);
        if (end != colon + 1 && !*end && *to > *from) return 1;
    }
    cli_usage(cli, args->command, "--%s takes two rising numbers such as 0.1:100, not '%s'", name,
              text);
    return 0;
}

/* The request; 0 after a mistake. */
static int read_request(cli_session *cli, const cli_args *args, request *r) {
    int good = 1;
    r->how.size = sizeof r->how;
    r->how.settle = wants_settled(cli, args, &good);
    r->how.n_inputs = collect(cli, args, "input", r->inputs);
    r->how.n_outputs = collect(cli, args, "measure", r->outputs);
    r->how.inputs = r->inputs;
    r->how.outputs = r->outputs;
    r->how.period = cli_number(cli, args, "floquet", 0, 1e-12, 1e300, &good);
    r->how.n_frequencies = (int)cli_number(cli, args, "points", 0, 2, 1e6, &good);
    const char *range = cli_args_value(args, "frequencies");
    if (range &&
        !read_range(cli, args, "frequencies", range, &r->how.frequency_from, &r->how.frequency_to))
        return 0;
    return good && r->how.n_inputs >= 0 && r->how.n_outputs >= 0;
}

/* ---- modes as files ---- */

/* "out-1.h5" */
static char *mode_path(const char *path, int i) {
    char ending[32];
    const char *dot = strrchr(path, '.');
    snprintf(ending, sizeof ending, "-%d%.16s", i + 1, dot ? dot : ".h5");
    return cli_path_from(path, ending, 0);
}

/* One mode as a result. */
static hol_status write_mode(hol_modes *modes, int i, double amplitude, hol_sim *sim,
                             const char *path) {
    const double time = hol_modes_time(modes, i);
    hol_writer *writer = NULL;
    hol_status status = hol_modes_put(modes, i, 0, amplitude, sim);
    if (!status) writer = hol_writer_open(sim, path);
    if (!status && !writer) return HOL_ERR_IO;
    for (int k = 0; k <= FRAMES && !status; k++) {
        status = hol_modes_put(modes, i, time * k / FRAMES, amplitude, sim);
        if (!status) status = hol_writer_record(writer);
    }
    if (!writer) return status;
    if (status) {
        hol_writer_discard(writer);
        return status;
    }
    return hol_writer_close(writer);
}

/* Whether a mode is not written over what is asked about, or over the answer; 0 after saying so. */
static int spares(cli_session *cli, const cli_args *args, const char *file) {
    const char *answer = cli_args_value(args, "output");
    if (!cli_is_same_file(file, args->words[0]) && !(answer && cli_is_same_file(file, answer)))
        return 1;
    cli_usage(cli, args->command, "a mode would overwrite '%s'; give --modes another name", file);
    return 0;
}

/* All modes, each in a file of its own. */
static hol_status write_modes(const cli_question *q, int settle) {
    cli_session *cli = q->cli;
    const cli_args *args = q->args;
    int good = 1;
    const char *path = cli_args_value(args, "modes");
    const double amplitude = cli_number(cli, args, "amplitude", 0.1, 1e-12, 1e3, &good);
    hol_modes *modes = NULL;
    if (!path) return HOL_OK;
    hol_status status = good ? hol_modes_new(cli->ctx, q->sim, settle, &modes) : HOL_ERR_ARGUMENT;
    for (int i = 0; i < hol_modes_count(modes) && !status; i++) {
        char *file = mode_path(path, i);
        status = file ? HOL_OK : HOL_ERR_MEMORY;
        if (!status && !spares(cli, args, file)) status = HOL_ERR_ARGUMENT;
        if (!status) status = write_mode(modes, i, amplitude, q->sim, file);
        if (status)
            cli_not_written(cli, status, "the mode");
        else if (!cli_args_has(args, "quiet") && !cli_args_has(args, "json"))
            cli_printf(stdout, "mode %d: %s\n", i + 1, file);
        free(file);
    }
    hol_modes_free(modes);
    return status;
}

/* ---- root locus ---- */

/* --vary NAME=FROM:TO */
static hol_status vary(const cli_question *q, int settle, hol_answer **answer) {
    cli_session *cli = q->cli;
    const cli_args *args = q->args;
    const char *text = cli_args_value(args, "vary"), *equals = strchr(text, '=');
    char name[256];
    int good = 1;
    hol_locus_options how = {.size = sizeof how, .settle = settle, .parameter = name};
    if (!equals || equals == text || (size_t)(equals - text) >= sizeof name) {
        cli_usage(cli, args->command, "--vary takes NAME=FROM:TO, not '%s'", text);
        return HOL_ERR_ARGUMENT;
    }
    memcpy(name, text, (size_t)(equals - text));
    name[equals - text] = 0;
    if (!read_range(cli, args, "vary", equals + 1, &how.from, &how.to)) return HOL_ERR_ARGUMENT;
    how.n = (int)cli_number(cli, args, "points", 0, 2, 1e6, &good);
    how.at = cli_number(cli, args, "at", 0, -1e300, 1e300, &good);
    return good ? hol_locus(cli->ctx, q->spec, q->options, &how, answer) : HOL_ERR_ARGUMENT;
}

/* ---- the command ---- */

static hol_status ask(cli_question *q, hol_answer **answer) {
    const request *r = q->user;
    if (cli_args_has(q->args, "vary")) return vary(q, r->how.settle, answer);
    const hol_status status = hol_linearize(q->cli->ctx, q->sim, q->spec, &r->how, answer);
    return status || r->how.period > 0 ? status : write_modes(q, r->how.settle);
}

static int run(cli_session *cli, const cli_args *args) {
    request r = {0};
    const int varies = cli_args_has(args, "vary");
    if (varies && hol__has_extension(args->words[0], ".h5"))
        return cli_usage(cli, args->command,
                         "--vary starts the model anew with every value: give the model file");
    return read_request(cli, args, &r)
               ? cli_answer(cli, args, varies ? CLI_WANTS_MODEL : CLI_WANTS_SIM, ask, &r)
               : cli_answer_finish(cli, args, NULL, HOL_ERR_ARGUMENT, NULL);
}

/* clang-format off */
static const cli_option options[] = {
    CLI_AT,
    {"about", 0, "WHAT", NULL,
     "state (default): as it is there. equilibrium: where it comes to rest from there. steady: the "
     "nearest steady motion with the velocities that it has there; with --floquet the nearest "
     "cycle."},
    {"input", 'i', "NAME", NULL,
     "An input: a parameter of the model, a driver (what is added to its law), a joint, spring or "
     "damper (a load along it), or a load on a body such as rod.fx or rod.mz (plane: rod.m). May "
     "be given several times; adds B, C, D and the frequency response."},
    {"measure", 0, "NAME", NULL,
     "An output: a measure (default: all). May be given several times."},
    {"frequencies", 'f', "FROM:TO", NULL, "Range of the frequency response, in Hz."},
    {"points", 0, "N", NULL, "Points of the frequency response (400) or of --vary (101)."},
    {"vary", 0, "NAME=FROM:TO", NULL,
     "Root locus: eigenvalues over a parameter, and where they cross the border of stability."},
    {"floquet", 0, "T", NULL,
     "The motion repeats itself after T seconds: its multipliers over one period."},
    {"modes", 0, "FILE", NULL,
     "Write each mode as a motion, FILE-1.h5 and so on, for report, animate and plot."},
    {"amplitude", 0, "A", NULL,
     "Largest displacement of these motions, as a share of the mechanism's size (0.1)."},
    CLI_MODEL_OPTIONS,
    CLI_ANSWER_OPTIONS,
    {NULL, 0, NULL, NULL, NULL},
};
/* clang-format on */

const cli_command cli_command_linearize = {
    "linearize",
    "MODEL|RESULT",
    "Linearise for small motions: eigenvalues, modes, frequency response, root locus.",
    "holonom linearize bicycle.yaml --set roll_rate=0 --vary v=0:10\n"
    "holonom linearize pendulum.yaml --about equilibrium --modes pendulum.h5\n"
    "holonom linearize pendulum.yaml --about equilibrium --input rod.m -o pendulum.html",
    options,
    1,
    1,
    run,
};

/* question.c: the frame of the commands that answer with tables: open what is asked about, ask,
 * print and write the answer. */
#include "cli/run.h"

#include "common/extension.h"

#include <string.h>

/* A result holds the model of its run, which options of the command line do not change; 0 after
 * saying so. */
static int takes_no_settings(cli_session *cli, const cli_args *args) {
    for (int i = 0; i < args->n_given; i++) {
        const cli_option *option = args->given[i].option;
        const int is_units = option->key && strcmp(option->key, "simulation.units") == 0;
        if (is_units || (!option->key && strcmp(option->name, "set") != 0)) continue;
        cli_usage(cli, args->command,
                  "--%s changes a model, and a result holds that of its run: give the model file",
                  option->name);
        return 0;
    }
    return 1;
}

/* The units of the command line, which results may be shown in. */
static hol_status set_units(cli_question *q) {
    const char *units = cli_args_value(q->args, "units");
    return units ? hol_spec_set(q->spec, "simulation.units", units, "--units") : HOL_OK;
}

/* The description: of a file, or the one that a result holds; 0 after errors. */
static int open_spec(cli_question *q, int massless) {
    const char *path = q->args->words[0];
    if (!q->stored)
        q->spec = cli_load_spec(q->cli, q->args, path);
    else if (takes_no_settings(q->cli, q->args))
        q->spec = cli_stored_spec(q->cli, path);
    if (q->spec && massless) hol_spec_allow_massless(q->spec);
    return q->spec && (!q->stored || set_units(q) == HOL_OK);
}

/* The simulation at the time of --at; 0 after errors. */
static int open_sim(cli_question *q) {
    int good = 1;
    q->sim = hol_sim_new(q->cli->ctx, q->model, q->options);
    if (!q->sim) return 0;
    const double start = cli_figures(q->sim).t;
    q->at = cli_number(q->cli, q->args, "at", start, start, 1e300, &good);
    hol_status status = good ? HOL_OK : HOL_ERR_ARGUMENT;
    if (good)
        status = q->stored ? hol_result_restart(q->cli->ctx, q->args->words[0], q->at, q->sim)
                           : hol_sim_advance(q->sim, q->at);
    if (status && !q->cli->status) q->cli->status = status;
    return status == HOL_OK;
}

/* As far as it is wanted; 0 after errors. */
static int open_question(cli_question *q, cli_wanted wanted) {
    q->stored = (wanted == CLI_WANTS_SIM || wanted == CLI_WANTS_ANY_SPEC) &&
                hol__has_extension(q->args->words[0], ".h5");
    if (!open_spec(q, wanted == CLI_WANTS_GEOMETRY)) return 0;
    if (wanted == CLI_WANTS_SPEC || wanted == CLI_WANTS_ANY_SPEC) {
        q->options = hol_options_from_spec(q->cli->ctx, q->spec);
        return q->options != NULL;
    }
    q->model = hol_model_from_spec(q->cli->ctx, q->spec, &q->options);
    return q->model && (wanted != CLI_WANTS_SIM || open_sim(q));
}

/* Whether the answer is written to none of the results that are read; 0 after saying so. */
static int spares_inputs(cli_session *cli, const cli_args *args) {
    const char *const other[] = {args->n_words > 0 ? args->words[0] : NULL,
                                 args->n_words > 1 ? args->words[1] : NULL};
    for (int i = 0; i < args->n_given; i++)
        for (size_t k = 0; k < sizeof other / sizeof *other; k++) {
            if (strcmp(args->given[i].option->name, "output") != 0 || !other[k]) continue;
            if (!cli_is_same_file(args->given[i].value, other[k])) continue;
            cli_usage(cli, args->command, "the answer would overwrite '%s'; name another file",
                      other[k]);
            return 0;
        }
    return 1;
}

int cli_answer(cli_session *cli, const cli_args *args, cli_wanted wanted, cli_ask *ask,
               void *user) {
    cli_question q = {.cli = cli, .args = args, .user = user};
    hol_answer *answer = NULL;
    if (!spares_inputs(cli, args)) return CLI_USAGE;
    cli_interrupt_tell(1);
    hol_status status = open_question(&q, wanted) ? ask(&q, &answer) : cli->status;
    cli_interrupt_tell(0);
    if (!status && !answer && !q.elsewhere) status = cli->status ? cli->status : HOL_ERR_INPUT;
    const int code = q.elsewhere ? CLI_OK : cli_answer_finish(cli, args, q.options, status, answer);
    hol_sim_free(q.sim);
    hol_options_free(q.options);
    hol_model_free(q.model);
    hol_spec_free(q.spec);
    return code;
}

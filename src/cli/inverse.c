/* inverse.c: holonom inverse: the loads of actuators that a motion takes. */
#include "cli/cli.h"

#include "common/extension.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What was asked for. */
typedef struct question {
    cli_session *cli;
    const cli_args *args;
    int n;
    const char **names; /* those of --actuators */
    hol_actuator *actuators;
    hol_inverse *inverse;
} question;

/* ---- actuators ---- */

/* The actuator of that name; NULL after an error. */
static hol_actuator *find(question *q, const char *option, const char *name, size_t n) {
    for (int i = 0; i < q->n; i++)
        if (strlen(q->actuators[i].name) == n && strncmp(q->actuators[i].name, name, n) == 0)
            return &q->actuators[i];
    cli_usage(q->cli, q->args->command, "'--%s %s': it is not one of the actuators", option, name);
    return NULL;
}

/* The names behind --actuators; 0 after an error. */
static int read_names(question *q) {
    q->names = cli_words(q->cli, q->args, "actuators", &q->n);
    q->actuators = q->names ? calloc((size_t)q->n + 1, sizeof *q->actuators) : NULL;
    if (q->names && !q->actuators) cli_report(q->cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
    for (int i = 0; q->actuators && i < q->n; i++) q->actuators[i].name = q->names[i];
    return q->actuators != NULL;
}

/* A number of "NAME=LOW:HIGH" or "NAME=WEIGHT" up to the sign behind it; 0 after an error. */
static int read_number(question *q, const char *option, const char *text, const char **end,
                       double *value) {
    *value = hol__number_read(text, end);
    if (*end != text) return 1;
    cli_usage(q->cli, q->args->command, "'--%s': '%s' is not a number", option, text);
    return 0;
}

/* All --limit NAME=LOW:HIGH and --weight NAME=W; 0 after an error. */
static int read_rest(question *q) {
    for (int i = 0; i < q->args->n_given; i++) {
        const char *option = q->args->given[i].option->name, *text = q->args->given[i].value, *end;
        const int limit = strcmp(option, "limit") == 0;
        if (!limit && strcmp(option, "weight") != 0) continue;
        const char *equals = strchr(text, '=');
        if (!equals) {
            cli_usage(q->cli, q->args->command, "'--%s %s': write %s", option, text,
                      limit ? "NAME=LOW:HIGH" : "NAME=WEIGHT");
            return 0;
        }
        hol_actuator *a = find(q, option, text, (size_t)(equals - text));
        if (!a) return 0;
        if (!limit) {
            if (!read_number(q, option, equals + 1, &end, &a->weight)) return 0;
            continue;
        }
        if (!read_number(q, option, equals + 1, &end, &a->low)) return 0;
        if (*end == ':' && !read_number(q, option, end + 1, &end, &a->high)) return 0;
    }
    return 1;
}

/* ---- the motion ---- */

static hol_status take(void *user, hol_sim *sim) {
    return hol_inverse_take(user, hol_sim_data(sim));
}

/* All states of a motion: of a run of the model, or of a result with its own model. */
static hol_status follow(const cli_question *asked, question *q, const char *motion) {
    cli_session *cli = q->cli;
    const hol_observer observer = {.on_output = take, .user = q->inverse};
    hol_options *options = NULL;
    hol_model *model = motion ? cli_load_stored(cli, motion, &options) : NULL;
    hol_sim *sim = motion && !model ? NULL
                                    : hol_sim_new(cli->ctx, motion ? model : asked->model,
                                                  motion ? options : asked->options);
    hol_status status = cli->status ? cli->status : HOL_ERR_INPUT;
    if (sim)
        status = motion ? hol_result_replay(cli->ctx, motion, -INFINITY, INFINITY, sim, &observer)
                        : hol_sim_run(sim, &observer);
    hol_sim_free(sim);
    hol_options_free(options);
    hol_model_free(model);
    return status;
}

static hol_status ask(cli_question *asked, hol_answer **answer) {
    question *q = asked->user;
    const hol_inverse_options how = {
        .size = sizeof how, .n_actuators = q->n, .actuators = q->actuators};
    hol_status status = hol_inverse_new(q->cli->ctx, asked->model, &how, &q->inverse);
    if (!status) status = follow(asked, q, cli_args_value(q->args, "motion"));
    if (!status) return hol_inverse_finish(q->inverse, answer);
    hol_inverse_free(q->inverse);
    return status;
}

static int run(cli_session *cli, const cli_args *args) {
    question q = {.cli = cli, .args = args};
    const int code = read_names(&q) && read_rest(&q)
                         ? cli_answer(cli, args, CLI_WANTS_MODEL, ask, &q)
                         : cli_answer_finish(cli, args, NULL, HOL_ERR_ARGUMENT, NULL);
    free(q.actuators);
    free(q.names);
    return code;
}

static const cli_option options[] = {
    {"actuators", 'a', "NAMES", NULL,
     "Joints, springs and dampers whose loads are asked for, with commas between them (default: "
     "the drivers)."},
    {"motion", 0, "RESULT", NULL,
     "The motion is that of this result (.h5), of a model with bodies of the same names (default: "
     "a run of the model)."},
    {"limit", 0, "NAME=LOW:HIGH", NULL, "Limits of an actuator. May be given several times."},
    {"weight", 0, "NAME=W", NULL,
     "Weight of the square of a load in the sum that is least, where there are more actuators "
     "than freedoms (default: 1). May be given several times."},
    CLI_MODEL_OPTIONS,
    CLI_ANSWER_OPTIONS,
    {NULL, 0, NULL, NULL, NULL},
};

const cli_command cli_command_inverse = {
    "inverse",
    "MODEL",
    "Find the actuator loads that a motion requires.",
    "holonom inverse robot.yaml\n"
    "holonom inverse arm.yaml --actuators shoulder,elbow --motion run.h5 -o loads.csv",
    options,
    1,
    1,
    run,
};

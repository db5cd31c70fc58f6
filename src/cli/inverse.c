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
    cli_usage(q->cli, q->args->command,
              "'--%s %s': '%.*s' is not one of the actuators, which are those of --actuators, or "
              "else the drivers",
              option, name, (int)n, name);
    return NULL;
}

/* Whether joint i drives the motion, as `driver` and `motor` do; its name. */
static int is_driver(const hol_model *model, int i, const char **name) {
    hol_element_info info = {.size = sizeof info};
    if (hol_model_joint_describe(model, i, &info)) return 0;
    *name = info.name;
    return strcmp(info.type, "driver") == 0 || strcmp(info.type, "motor") == 0;
}

/* The drivers as actuators, for limits and weights of theirs; 0 without memory. */
static int name_drivers(question *q, const hol_model *model) {
    for (int i = 0; hol_model_joint_name(model, i) && q->actuators; i++) {
        const char *name;
        if (!is_driver(model, i, &name)) continue;
        hol_actuator *more = realloc(q->actuators, ((size_t)q->n + 1) * sizeof *more);
        if (!more) return cli_report(q->cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory"), 0;
        q->actuators = more;
        q->actuators[q->n++] = (hol_actuator){.name = name};
    }
    return 1;
}

/* The names behind --actuators; 0 after an error. */
static int read_names(question *q) {
    q->names = cli_words(q->cli, q->args, "actuators", &q->n);
    q->actuators = q->names ? calloc((size_t)q->n + 1, sizeof *q->actuators) : NULL;
    if (q->names && !q->actuators) cli_report(q->cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
    for (int i = 0; q->actuators && i < q->n; i++) q->actuators[i].name = q->names[i];
    return q->actuators != NULL;
}

/* A number that ends at one of the signs; `none` where a side of limits is left out. 0: no number
 * stands there. */
static int read_number(const char *text, char sign, double none, const char **end, double *value) {
    *end = text;
    *value = none;
    if (*text != sign || isnan(none)) *value = hol__number_read(text, end);
    return !isnan(*value) && (*end != text || !isnan(none)) && (**end == sign || !**end);
}

/* "LOW:HIGH", either side of which may be left out; 0 where it is not that. */
static int read_limits(const char *text, hol_actuator *a) {
    const char *end;
    if (!read_number(text, ':', -INFINITY, &end, &a->low) || *end != ':') return 0;
    return read_number(end + 1, '\0', INFINITY, &end, &a->high) && a->low <= a->high;
}

/* One --limit or --weight; 0 after an error. */
static int read_one(question *q, const char *option, const char *text) {
    const int limit = strcmp(option, "limit") == 0;
    const char *equals = strchr(text, '='), *end;
    hol_actuator *a = equals ? find(q, option, text, (size_t)(equals - text)) : NULL;
    if (equals && !a) return 0;
    if (!equals || (limit ? !read_limits(equals + 1, a)
                          : !read_number(equals + 1, '\0', NAN, &end, &a->weight)))
        cli_usage(q->cli, q->args->command, "'--%s %s': write %s", option, text,
                  limit ? "NAME=LOW:HIGH in N or N*m, the lower limit first; a side may be left out"
                        : "NAME=WEIGHT, a number above 0");
    else if (limit && a->low == 0 && a->high == 0)
        cli_usage(q->cli, q->args->command,
                  "'--limit %s': an actuator that may do nothing is left out of --actuators", text);
    else if (!limit && (a->weight <= 0 || isinf(a->weight)))
        cli_usage(q->cli, q->args->command, "'--weight %s': a weight is above 0 and finite", text);
    else
        return 1;
    return 0;
}

/* All --limit NAME=LOW:HIGH and --weight NAME=W; 0 after an error. */
static int read_rest(question *q, const hol_model *model) {
    int named = q->n > 0;
    for (int i = 0; i < q->args->n_given; i++) {
        const char *option = q->args->given[i].option->name;
        if (strcmp(option, "limit") != 0 && strcmp(option, "weight") != 0) continue;
        if (!named && !name_drivers(q, model)) return 0;
        named = 1;
        if (!read_one(q, option, q->args->given[i].value)) return 0;
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
    if (!read_rest(q, asked->model)) return cli_why_unread(q->cli);
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
    const int code = read_names(&q) ? cli_answer(cli, args, CLI_WANTS_MODEL, ask, &q)
                                    : cli_answer_finish(cli, args, NULL, cli_why_unread(cli), NULL);
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
    {"limit", 0, "NAME=LOW:HIGH", NULL,
     "Limits of an actuator, in N or N*m; a side may be left out (O=:20). May be given several "
     "times."},
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

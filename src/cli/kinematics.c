/* kinematics.c: holonom kinematics: the motion that drivers determine, without integration. */
#include "cli/cli.h"

#include <string.h>

/* The result file of the motion. */
typedef struct motion {
    const char *path;
    hol_writer *writer;
} motion;

static hol_status on_output(void *user, hol_sim *sim) {
    motion *file = user;
    if (!file->path) return HOL_OK;
    if (!file->writer) file->writer = hol_writer_open(sim, file->path);
    return file->writer ? hol_writer_record(file->writer) : HOL_ERR_IO;
}

/* What the command line asks for. */
static hol_status find(cli_session *cli, const cli_args *args, hol_sim *sim, hol_answer **answer) {
    int good = 1;
    motion file = {cli_args_value(args, "motion"), NULL};
    const hol_kinematics_options how = {
        .size = sizeof how,
        .cycle = cli_args_value(args, "cycle"),
        .points = (int)cli_number(cli, args, "points", 0, 2, 1e7, &good),
        .loads = cli_args_has(args, "loads"),
        .transmission = cli_args_value(args, "transmission"),
        .on_output = on_output,
        .user = &file,
        .motion = cli_args_has(args, "output"),
        .turns = cli_number(cli, args, "turns", 0, 1e-3, 1e4, &good),
    };
    if (!good) return HOL_ERR_ARGUMENT;
    if (cli_args_has(args, "turns") && !how.cycle) {
        cli_usage(cli, args->command, "'--turns' are those of '--cycle DRIVER'; give it too");
        return HOL_ERR_ARGUMENT;
    }
    const hol_status status = hol_kinematics(cli->ctx, sim, &how, answer);
    const hol_status closed = file.writer ? hol_writer_close(file.writer) : HOL_OK;
    return status ? status : closed;
}

/* "A=0:1" into name, from and to; 0 when it is something else. */
static int read_range(const char *text, size_t length, char name[160], double *from, double *to) {
    char copy[256];
    const char *end;
    if (length >= sizeof copy) return 0;
    memcpy(copy, text, length);
    copy[length] = '\0';
    char *equals = strchr(copy, '='), *colon = equals ? strchr(equals, ':') : NULL;
    if (!colon || equals == copy || equals - copy >= 128) return 0;
    *equals = '\0';
    strcpy(name, copy);
    *from = hol__number_read(equals + 1, &end);
    if (end != colon || end == equals + 1) return 0;
    *to = hol__number_read(colon + 1, &end);
    return end != colon + 1 && *end == '\0';
}

/* What --workspace names: two drivers or joints and their ranges; 0 after a mistake. */
typedef struct ranges {
    char name[2][160];
    double from[2], to[2];
} ranges;

static int read_ranges(cli_session *cli, const cli_args *args, ranges *r) {
    const char *text = cli_args_value(args, "workspace"), *comma = strchr(text, ',');
    if (comma && cli_args_has(args, "point") &&
        read_range(text, (size_t)(comma - text), r->name[0], &r->from[0], &r->to[0]) &&
        read_range(comma + 1, strlen(comma + 1), r->name[1], &r->from[1], &r->to[1]))
        return 1;
    cli_usage(cli, args->command,
              "'--workspace %s': write --workspace A=FROM:TO,B=FROM:TO --point MEASURE, with "
              "numbers in SI units",
              text);
    return 0;
}

/* Whether the text of an item under a key is that. */
static int says(const hol_item *item, const char *key, const char *text) {
    const hol_item *found = hol_item_find(item, key);
    const char *value = found ? hol_item_value(found) : NULL;
    return value && strcmp(value, text) == 0;
}

/* The driver of the file that drives a joint; NULL: none. */
static const char *driver_of(cli_question *q, const char *joint) {
    const hol_item *item = hol_item_first(hol_spec_section(q->spec, "joints"));
    for (; item; item = hol_item_next(item))
        if ((says(item, "type", "motor") || says(item, "type", "driver")) &&
            says(item, "joint", joint))
            return hol_item_key(item);
    return NULL;
}

/* A motor that holds the joint as drawn, in the description, in place of the joint's name, or the
 * driver that the joint has; a driver stays. */
static hol_status drive_joint(cli_question *q, char name[160]) {
    hol_element_info info = {.size = sizeof info};
    char motor[160];
    const int joint = hol_model_joint(q->model, name);
    if (joint < 0 || hol_model_joint_describe(q->model, joint, &info) != HOL_OK ||
        strcmp(info.type, "motor") == 0 || strcmp(info.type, "driver") == 0)
        return HOL_OK; /* hol_workspace says what is wrong with other names */
    const char *own = driver_of(q, name);
    if (own) {
        snprintf(name, 160, "%.159s", own);
        return HOL_OK;
    }
    snprintf(motor, sizeof motor, "workspace_%.140s", name);
    hol_item *item = hol_spec_add(q->spec, "joints", motor, "motor");
    hol_status status = item ? hol_item_text(item, "joint", name) : HOL_ERR_MEMORY;
    if (!status) status = hol_item_number(item, "angle", 0);
    strcpy(name, motor);
    return status;
}

/* The model with motors in the joints that are named. */
static hol_status drive_joints(cli_question *q, ranges *r) {
    hol_status status = drive_joint(q, r->name[0]);
    if (!status) status = drive_joint(q, r->name[1]);
    if (status) return status;
    hol_model_free(q->model);
    hol_options_free(q->options);
    q->options = NULL;
    q->model = hol_model_from_spec(q->cli->ctx, q->spec, &q->options);
    return q->model ? HOL_OK : q->cli->status;
}

/* --workspace A=FROM:TO,B=FROM:TO --point MEASURE */
static hol_status reach(cli_question *q, const ranges *r, hol_answer **answer) {
    int good = 1;
    const hol_workspace_options how = {
        .size = sizeof how,
        .drivers = {r->name[0], r->name[1]},
        .from = {r->from[0], r->from[1]},
        .to = {r->to[0], r->to[1]},
        .points = (int)cli_number(q->cli, q->args, "points", 0, 2, 2000, &good),
        .point = cli_args_value(q->args, "point")};
    return good ? hol_workspace(q->cli->ctx, q->sim, &how, answer) : HOL_ERR_ARGUMENT;
}

static hol_status ask(cli_question *q, hol_answer **answer) {
    ranges r;
    const int wide = cli_args_has(q->args, "workspace");
    if (wide && !read_ranges(q->cli, q->args, &r)) return HOL_ERR_ARGUMENT;
    const hol_status status = wide ? drive_joints(q, &r) : HOL_OK;
    if (status) return status;
    q->sim = hol_kinematics_new(q->cli->ctx, q->model, q->options);
    if (!q->sim) return q->cli->status;
    return wide ? reach(q, &r, answer) : find(q->cli, q->args, q->sim, answer);
}

static int run(cli_session *cli, const cli_args *args) {
    return cli_answer(cli, args, CLI_WANTS_GEOMETRY, ask, NULL);
}

static const cli_option options[] = {
    {"motion", 0, "FILE", NULL,
     "Write the motion to this result file (.h5 or .csv), for report, plot, animate and results."},
    {"cycle", 0, "DRIVER", NULL,
     "One turn of this motor or driver from the start, instead of the time of the simulation."},
    {"turns", 0, "N", NULL,
     "Turns of that driver that make a cycle (default: 1), such as 2 of a four-stroke engine."},
    {"points", 0, "N", NULL,
     "Positions of the cycle, both ends included (default: 360 a turn and the end), or of each "
     "driver of the "
     "workspace (41)."},
    {"loads", 0, NULL, NULL,
     "Tell the forces and torques of the drivers by inverse dynamics; all bodies need masses."},
    {"transmission", 0, "MEASURE", NULL,
     "Report the smallest transmission angle, from this measured angle between two links."},
    {"workspace", 0, "A=FROM:TO,B=FROM:TO", NULL,
     "Instead of a motion: where a point can be brought by these two drivers, or joints that "
     "nothing drives, from the drawn position."},
    {"point", 0, "MEASURE", NULL, "The measured position of that point."},
    CLI_MODEL_OPTIONS,
    CLI_ANSWER_OPTIONS,
    {NULL, 0, NULL, NULL, NULL},
};

const cli_command cli_command_kinematics = {
    "kinematics",
    "MODEL",
    "Positions, velocities and accelerations of a fully driven mechanism.",
    "holonom kinematics engine.yaml --cycle drive --motion engine.h5\n"
    "holonom kinematics engine.yaml --cycle drive --loads -o engine.html\n"
    "holonom kinematics engine.yaml --cycle drive --turns 2",
    options,
    1,
    1,
    run,
};

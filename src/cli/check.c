/* check.c: holonom check: a model read, assembled and its equations solved once, without a run. */
#include "cli/cli.h"
#include "cli/print_json.h"

#include <string.h>

enum { LABEL_WIDTH = 22, MAX_NAMES = 24 };

/* What was found out about a model. */
typedef struct check {
    cli_session *cli;
    const char *path;
    hol_model *model;
    const hol_model *rows; /* that of the joints and forces that act at the start */
    hol_options *options;
    hol_sim *sim;
    hol_model_info about;
    hol_sim_info info;
    hol_rank rank;
    hol_status status;
} check;

/* Take the model as far as it goes: read, assembled, analysed, equations solved at the start. */
static void examine(check *c, const cli_args *args) {
    cli_session *cli = c->cli;
    c->model = cli_load_to_run(cli, args, c->path, &c->options);
    if (c->model) c->about = cli_about(c->model);
    if (c->model) c->sim = hol_sim_new(cli->ctx, c->model, c->options);
    if (!c->sim) {
        c->status = cli->status;
        return;
    }
    c->info = cli_figures(c->sim);
    c->rank.size = sizeof c->rank;
    c->status = hol_sim_rank(c->sim, &c->rank);
    if (!c->status) c->status = hol_sim_advance(c->sim, c->info.t);
    /* joints and forces that do not act at the start are left out */
    c->rows = hol_data_model(hol_sim_data(c->sim));
    if (c->about.n_switched) c->about = cli_about(c->rows);
    if (c->about.n_switched && !c->status) c->status = hol_sim_rank(c->sim, &c->rank);
}

/* Whether the reaction of the joint is determined. */
static int is_unique(const check *c, int joint) {
    hol_reaction reaction = {.size = sizeof reaction};
    hol_data_reaction(hol_sim_data(c->sim), joint, &reaction);
    return reaction.unique;
}

/* Whether the joint took hold at the start: a contact that touches, a stop or rope at its end. */
static int takes_hold(const check *c, int joint) {
    hol_event event = {.size = sizeof event};
    for (int i = 0; hol_sim_event(c->sim, i, &event) == HOL_OK; i++)
        if (event.joints[joint] == HOL_TAKES_HOLD) return 1;
    return 0;
}

/* ---- lines ---- */

/* "3: crank, coupler, follower" of bodies or joints; the names only where they are few. */
static void print_names(const check *c, const char *label, int n,
                        const char *(*name)(const hol_model *, int)) {
    char text[2048];
    size_t used = (size_t)snprintf(text, sizeof text, "%d", n);
    for (int i = 0; i < n && n <= MAX_NAMES && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? ", " : ": ",
                                 name(c->model, i));
    cli_print_row(stdout, 0, LABEL_WIDTH, label, text);
}

/* The names of the velocities, which the option `independent` takes; the first where they are
 * many. */
static void print_velocities(const check *c) {
    char text[4096] = "", name[256];
    size_t used = 0;
    const int n = c->about.n_v, shown = n < MAX_NAMES ? n : MAX_NAMES;
    for (int i = 0; i < shown && used < sizeof text; i++) {
        hol_model_velocity_name(c->model, i, name, sizeof name);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? ", " : "", name);
    }
    if (n > shown && used < sizeof text)
        snprintf(text + used, sizeof text - used, " and %d more (--json lists all)", n - shown);
    if (n) cli_print_row(stdout, 0, LABEL_WIDTH, "velocities", text);
}

static void print_count(const char *label, int n) {
    cli_printf(stdout, "%-*s%d\n", LABEL_WIDTH, label, n);
}

/* The rows that can be left out, by joint and direction. */
static void print_redundant(const check *c) {
    int n = 0;
    if (!c->rank.n_redundant) cli_print_row(stdout, 0, LABEL_WIDTH, "redundant", "none");
    for (int i = 0; i < c->rank.n_rows; i++) {
        char text[512];
        if (!c->rank.redundant[i]) continue;
        const hol_row row = *hol_model_row(c->rows, i);
        snprintf(text, sizeof text, "%s, %s", row.element, row.direction);
        cli_print_row(stdout, 0, LABEL_WIDTH, n++ ? "" : "redundant", text);
    }
}

/* The joints whose reactions the constraints leave open. */
static void print_undetermined(const check *c) {
    char text[2048];
    size_t used = 0;
    for (int i = 0; i < c->about.n_joints && c->rank.n_redundant && used < sizeof text; i++)
        if (!is_unique(c, i))
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "",
                                     hol_model_joint_name(c->model, i));
    if (used) cli_print_row(stdout, 0, LABEL_WIDTH, "reactions not unique", text);
}

/* The joints that take hold at the start, with whose constraints the freedoms are counted. */
static void print_holding(const check *c) {
    char text[2048];
    size_t used = 0;
    for (int i = 0; i < c->about.n_joints && c->about.n_switched && used < sizeof text; i++)
        if (takes_hold(c, i))
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                 used ? ", " : "counted with ", hol_model_joint_name(c->model, i));
    if (used) cli_print_row(stdout, 0, LABEL_WIDTH, "closed at the start", text);
}

/* Whether the run works on the coordinates of an open chain, so that something is cut. */
static int has_cuts(const check *c) {
    return strstr(c->about.coordinates, "relative") || strcmp(c->info.kernel, "open-chain") == 0;
}

/* Where loops are opened, and why there. */
static void print_cuts(const check *c) {
    hol_cut cut = {.size = sizeof cut};
    int i = 0;
    for (; hol_model_cut(c->cli->ctx, c->model, i, &cut) == HOL_OK; i++) {
        char text[512];
        snprintf(text, sizeof text, "%s, %d %s: %s", cut.element, cut.n_rows,
                 cut.n_rows == 1 ? "constraint" : "constraints", cut.reason);
        cli_print_row(stdout, 0, LABEL_WIDTH, i ? "" : "loops cut at", text);
    }
    if (!i)
        cli_print_row(stdout, 0, LABEL_WIDTH, "loops cut at", "none: the joints form an open tree");
}

/* What the assembly and the analysis found. */
static void print_analysis(const check *c) {
    char text[512];
    snprintf(text, sizeof text, "%d, of which %d independent", c->about.n_constraints,
             c->rank.rank);
    cli_print_row(stdout, 0, LABEL_WIDTH, "constraints", text);
    print_count("degrees of freedom", c->rank.dof);
    print_holding(c);
    if (has_cuts(c)) print_cuts(c);
    print_redundant(c);
    print_undetermined(c);
    const char *assemble = "on";
    hol_options_get_choice(hol_sim_options(c->sim), "assemble", &assemble);
    if (strcmp(assemble, "off") == 0)
        snprintf(text, sizeof text, "off: |Phi| = %.3g and |psi| = %.3g at the start",
                 c->info.start_position_violation, c->info.start_velocity_violation);
    else
        snprintf(text, sizeof text, "largest correction %.3g m", c->info.assembly_correction);
    cli_print_row(stdout, 0, LABEL_WIDTH, "assembly", text);
    snprintf(text, sizeof text, "%s, integrator %s", c->info.method, c->info.integrator);
    cli_print_row(stdout, 0, LABEL_WIDTH, "method", text);
    if (c->info.choice && *c->info.choice)
        cli_print_row(stdout, 0, LABEL_WIDTH, "chosen by auto", c->info.choice);
}

/* How much a run writes. */
static void print_output(const check *c) {
    char text[256], h5[HOL__NUMBER_SIZE], csv[HOL__NUMBER_SIZE];
    const double rows = hol_sim_rows(c->sim), all = hol_writer_estimate(c->sim, "x.h5");
    if (rows > 0)
        snprintf(text, sizeof text, "%.9g rows: about %s%s%s as .csv", rows,
                 all > 0 ? hol__size_text(all, h5) : "", all > 0 ? " as .h5, " : "",
                 hol__size_text(hol_writer_estimate(c->sim, "x.csv"), csv));
    else
        snprintf(text, sizeof text, "a row for every step");
    cli_print_row(stdout, 0, LABEL_WIDTH, "output", text);
}

static void print_lines(const check *c) {
    char text[512];
    cli_print_row(stdout, 0, LABEL_WIDTH, "model", c->about.name);
    print_names(c, "bodies", c->about.n_bodies, hol_model_body_name);
    print_names(c, "joints", c->about.n_joints, hol_model_joint_name);
    print_count("forces", c->about.n_forces);
    if (c->about.n_switched) print_count("elements that switch", c->about.n_switched);
    if (c->about.n_events) print_count("events", c->about.n_events);
    print_count("measured columns", c->about.n_measures);
    snprintf(text, sizeof text, "%s, %d (%d %s)", c->about.coordinates, c->about.n_q, c->about.n_v,
             c->about.n_v == 1 ? "velocity" : "velocities");
    cli_print_row(stdout, 0, LABEL_WIDTH, "coordinates", text);
    print_velocities(c);
    if (c->sim) print_analysis(c);
    if (c->sim) print_output(c);
    cli_print_row(stdout, 0, LABEL_WIDTH, "result",
                  c->status ? "the model cannot run" : "the model can run");
}

/* ---- JSON ---- */

/* The place of an element in its file. */
static void put_where(hol__json *json, hol_location where) {
    hol__json_text(json, "file", where.file);
    hol__json_integer(json, "line", where.line);
    hol__json_integer(json, "column", where.column);
}

/* What the analysis of the constraints found. */
static void put_analysis(hol__json *json, const check *c) {
    hol__json_integer(json, "rank", c->rank.rank);
    hol__json_integer(json, "dof", c->rank.dof);
    hol__json_open(json, "closed_at_start", '[');
    for (int i = 0; i < c->about.n_joints && c->about.n_switched; i++)
        if (takes_hold(c, i)) hol__json_text(json, NULL, hol_model_joint_name(c->model, i));
    hol__json_close(json, ']');
    hol__json_number(json, "smallest_pivot", c->rank.smallest, 0);
    hol__json_number(json, "assembly_correction", c->info.assembly_correction, 0);
    hol__json_number(json, "start_position_violation", c->info.start_position_violation, 0);
    hol__json_number(json, "start_velocity_violation", c->info.start_velocity_violation, 0);
    hol__json_number(json, "output_rows", hol_sim_rows(c->sim), 0);
    hol__json_number(json, "output_bytes", hol_writer_estimate(c->sim, "x.h5"), 0);
    hol__json_text(json, "method", c->info.method);
    hol__json_text(json, "integrator", c->info.integrator);
    hol__json_text(json, "choice", c->info.choice);
    hol__json_open(json, "cuts", '[');
    hol_cut cut = {.size = sizeof cut};
    for (int i = 0; has_cuts(c) && !hol_model_cut(c->cli->ctx, c->model, i, &cut); i++) {
        hol__json_open(json, NULL, '{');
        hol__json_text(json, "element", cut.element);
        hol__json_integer(json, "constraints", cut.n_rows);
        hol__json_text(json, "reason", cut.reason);
        put_where(json, cut.where);
        hol__json_close(json, '}');
    }
    hol__json_close(json, ']');
    hol__json_open(json, "redundant", '[');
    for (int i = 0; i < c->rank.n_rows; i++) {
        if (!c->rank.redundant[i]) continue;
        const hol_row row = *hol_model_row(c->rows, i);
        hol__json_open(json, NULL, '{');
        hol__json_text(json, "element", row.element);
        hol__json_text(json, "direction", row.direction);
        put_where(json, row.where);
        hol__json_close(json, '}');
    }
    hol__json_close(json, ']');
    hol__json_open(json, "not_unique", '[');
    for (int i = 0; i < c->about.n_joints && c->rank.n_redundant; i++)
        if (!is_unique(c, i)) hol__json_text(json, NULL, hol_model_joint_name(c->model, i));
    hol__json_close(json, ']');
}

/* The names of the velocities. */
static void put_velocities(hol__json *json, const check *c) {
    char name[256];
    hol__json_open(json, "velocities", '[');
    for (int i = 0; i < c->about.n_v; i++) {
        hol_model_velocity_name(c->model, i, name, sizeof name);
        hol__json_text(json, NULL, name);
    }
    hol__json_close(json, ']');
}

static void print_json(const check *c) {
    hol__json json = cli_json_start(stdout);
    hol__json_text(&json, "status", hol_status_name(c->status));
    hol__json_text(&json, "file", c->path);
    if (c->model) {
        hol__json_text(&json, "model", c->about.name);
        hol__json_text(&json, "coordinates", c->about.coordinates);
        hol__json_integer(&json, "n_q", c->about.n_q);
        hol__json_integer(&json, "n_v", c->about.n_v);
        hol__json_integer(&json, "bodies", c->about.n_bodies);
        hol__json_integer(&json, "joints", c->about.n_joints);
        hol__json_integer(&json, "forces", c->about.n_forces);
        hol__json_integer(&json, "switched", c->about.n_switched);
        hol__json_integer(&json, "events", c->about.n_events);
        hol__json_integer(&json, "measures", c->about.n_measures);
        hol__json_integer(&json, "constraints", c->about.n_constraints);
        put_velocities(&json, c);
    }
    if (c->sim) put_analysis(&json, c);
    cli_json_messages(&json, c->cli);
    cli_json_finish(&json);
}

static int run_check(cli_session *cli, const cli_args *args) {
    check c = {.cli = cli, .path = args->words[0]};
    cli->quiet = cli_args_has(args, "quiet");
    examine(&c, args);
    if (cli_args_has(args, "json"))
        print_json(&c);
    else if (c.model && !cli->quiet)
        print_lines(&c);
    hol_sim_free(c.sim);
    hol_model_free(c.model);
    hol_options_free(c.options);
    return cli_exit_code(c.status);
}

/* clang-format off */
static const cli_option options[] = {
    CLI_MODEL_OPTIONS,
    {"json", 0, NULL, NULL, "Print one JSON object, also after a failure."},
    {"quiet", 'q', NULL, NULL, "No list and no notes; warnings and errors remain."},
    {0},
};
/* clang-format on */

const cli_command cli_command_check = {
    .name = "check",
    .arguments = "MODEL",
    .title = "Read and assemble a model: degrees of freedom, redundant constraints, warnings.",
    .text = "The model is not simulated; its equations are solved once, at the start. The exit "
            "code is 0 when it can run.",
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .run = run_check,
};

/* events.c: what happened in a run: events of the section `events`, joints and forces that took
 * hold or let go; as lines or as JSON. */
#include "cli/print_json.h"
#include "cli/run.h"

#include <math.h>
#include <string.h>

enum { MAX_EVENTS = 12, LABEL_WIDTH = 20 };

/* Append to a text, as far as it has room. */
#define ADD(text, size, ...) snprintf((text) + strlen(text), (size)-strlen(text), __VA_ARGS__)

/* "joint lock takes hold, force push lets go" */
static void add_changes(char *text, size_t size, const char *word, const hol_model *model,
                        const signed char *change, int n,
                        const char *(*name)(const hol_model *, int)) {
    for (int i = 0; i < n; i++)
        if (change[i])
            ADD(text, size, "%s%s %.60s %s", *text ? ", " : "", word, name(model, i),
                hol_change_name((hol_change)change[i]));
}

/* The length of three numbers. */
static double length(const double x[3]) {
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* The largest impulse or angular impulse of a joint at an event, in N s and N m s. */
static double largest_impulse(const cli_run *run, int event, int n) {
    double largest = 0;
    for (int k = 0; k < n; k++) {
        hol_impulse impulse = {.size = sizeof impulse};
        if (hol_sim_event_impulse(run->sim, event, k, &impulse)) break;
        largest = fmax(largest, fmax(length(impulse.impulse), length(impulse.angular)));
    }
    return largest;
}

/* What counts as rounding in an event: of energies, 1e-12 of the largest that moved in the run; of
 * impulses the same share of the momentum that all bodies would have with it. */
typedef struct rounding {
    double energy, impulse;
} rounding;

static rounding rounding_of(const cli_run *run) {
    hol_sim_info info = {.size = sizeof info};
    double mass = 0;
    hol_sim_describe(run->sim, &info);
    for (int i = 0; i < cli_about(run->model).n_bodies; i++) {
        hol_body_info body = {.size = sizeof body};
        hol_model_body_describe(run->model, i, &body);
        mass += body.mass;
    }
    return (rounding){1e-12 * info.energy_scale, 1e-12 * sqrt(2 * mass * info.energy_scale)};
}

/* "; lost 0.9 J": what went into the impact, or (where drivers feed it) came out of it. */
static void add_loss(char *text, size_t size, const cli_run *run, double lost, double least) {
    hol_unit unit;
    if (!(fabs(lost) > least)) return;
    hol_sim_unit(run->sim, "J", &unit);
    ADD(text, size, "; %s %.6g %s", lost > 0 ? "lost" : "gained", hol_unit_show(&unit, fabs(lost)),
        unit.name);
}

/* What the joints passed on, where they passed on something: rounding leaves 1e-12 of the largest
 * at most. */
static void add_impulses(char *text, size_t size, const cli_run *run, int event, int n,
                         double nothing) {
    const double least = fmax(nothing, 1e-12 * largest_impulse(run, event, n));
    int first = 1;
    hol_unit of_force, of_moment;
    hol_sim_unit(run->sim, "N*s", &of_force);
    hol_sim_unit(run->sim, "N*m*s", &of_moment);
    for (int k = 0; k < n; k++) {
        hol_impulse impulse = {.size = sizeof impulse};
        if (hol_sim_event_impulse(run->sim, event, k, &impulse)) return;
        double force = length(impulse.impulse), moment = length(impulse.angular);
        if (!(force > least)) force = 0;
        if (!(moment > least)) moment = 0;
        if (force == 0 && moment == 0) continue;
        ADD(text, size, "%s%.60s %.5g %s, %.5g %s%s", first ? "; impulse: " : "; ",
            hol_model_joint_name(run->model, k), hol_unit_show(&of_force, force), of_force.name,
            hol_unit_show(&of_moment, moment), of_moment.name,
            impulse.unique ? "" : " (not unique)");
        first = 0;
    }
}

/* "latch: joint lock takes hold …" */
static void print_event(const char *label, const char *name, const char *what) {
    char text[2304];
    snprintf(text, sizeof text, "%.200s%s%s", name, *name && *what ? ": " : "", what);
    cli_print_row(stdout, 0, LABEL_WIDTH, label, text);
}

void cli_events_print(const cli_run *run) {
    const hol_model_info about = cli_about(run->model);
    const rounding least = rounding_of(run);
    hol_event event = {.size = sizeof event};
    int i = 0;
    for (; i < MAX_EVENTS && !hol_sim_event(run->sim, i, &event); i++) {
        char label[CLI_TIME_SIZE + 8], text[2048] = "";
        char t[CLI_TIME_SIZE];
        snprintf(label, sizeof label, "  t = %s", cli_time_text(run->sim, event.t, 9, t, sizeof t));
        add_changes(text, sizeof text, "joint", run->model, event.joints, about.n_joints,
                    hol_model_joint_name);
        add_changes(text, sizeof text, "force", run->model, event.forces, about.n_forces,
                    hol_model_force_name);
        if (event.rebounds >= 0)
            ADD(text, sizeof text, "joint %.60s rebounds",
                hol_model_joint_name(run->model, event.rebounds));
        else if (*text)
            ADD(text, sizeof text, "; freedoms %d, redundant %d", event.dof, event.n_redundant);
        add_loss(text, sizeof text, run, event.energy_lost, least.energy);
        add_impulses(text, sizeof text, run, i, about.n_joints, least.impulse);
        print_event(label, event.name, text);
    }
    if (!hol_sim_event(run->sim, i, &event))
        cli_print_row(stdout, 0, LABEL_WIDTH, "  ...", "the others with --json");
}

/* The names of what did that. */
static void put_names(hol__json *json, const char *key, const cli_run *run, const hol_event *event,
                      hol_change what) {
    const hol_model_info about = cli_about(run->model);
    hol__json_open(json, key, '[');
    for (int i = 0; i < about.n_joints; i++)
        if (event->joints[i] == what)
            hol__json_text(json, NULL, hol_model_joint_name(run->model, i));
    for (int i = 0; i < about.n_forces; i++)
        if (event->forces[i] == what)
            hol__json_text(json, NULL, hol_model_force_name(run->model, i));
    hol__json_close(json, ']');
}

/* Impulses by the names of the joints. */
static void put_impulses(hol__json *json, const cli_run *run, int event) {
    const int n = cli_about(run->model).n_joints;
    hol__json_open(json, "impulses", '{');
    for (int k = 0; k < n; k++) {
        hol_impulse impulse = {.size = sizeof impulse};
        if (hol_sim_event_impulse(run->sim, event, k, &impulse)) continue;
        hol__json_open(json, hol_model_joint_name(run->model, k), '{');
        hol__json_numbers(json, "point", 3, impulse.point, 0);
        hol__json_numbers(json, "impulse", 3, impulse.impulse, 0);
        hol__json_numbers(json, "angular", 3, impulse.angular, 0);
        hol__json_bool(json, "unique", impulse.unique);
        hol__json_close(json, '}');
    }
    hol__json_close(json, '}');
}

void cli_events_json(hol__json *json, const cli_run *run) {
    hol_event event = {.size = sizeof event};
    hol__json_open(json, "events", '[');
    for (int i = 0; !hol_sim_event(run->sim, i, &event); i++) {
        hol__json_open(json, NULL, '{');
        if (event.name[0]) hol__json_text(json, "name", event.name);
        hol__json_number(json, "t", event.t, 0);
        put_names(json, "take_hold", run, &event, HOL_TAKES_HOLD);
        put_names(json, "let_go", run, &event, HOL_LETS_GO);
        put_names(json, "hit", run, &event, HOL_IS_HIT);
        put_names(json, "stick", run, &event, HOL_STICKS);
        put_names(json, "slide", run, &event, HOL_SLIDES);
        if (event.rebounds >= 0)
            hol__json_text(json, "rebounds", hol_model_joint_name(run->model, event.rebounds));
        hol__json_integer(json, "dof", event.dof);
        hol__json_integer(json, "redundant", event.n_redundant);
        hol__json_number(json, "energy_lost", event.energy_lost, 0);
        hol__json_number(json, "gap", event.gap, 0);
        put_impulses(json, run, i);
        hol__json_close(json, '}');
    }
    hol__json_close(json, ']');
}

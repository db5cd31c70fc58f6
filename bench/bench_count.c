/* bench_count.c: runs and steps of a model whose instructions are counted from outside:
 *
 *     bench_count run MODEL KEY=VALUE...        a whole run, every measure read at every output
 *     bench_count step N MODEL KEY=VALUE...     N steps, after two
 *     bench_count output N MODEL KEY=VALUE...   all reactions at the state after two steps, N times
 *     bench_count setup MODEL KEY=VALUE...      from the description to a simulation
 *     bench_count runs N MODEL KEY=VALUE...     N runs of the description with other masses of its
 *                                               first body: changed, compiled, set up, run as above
 *     bench_count varied N MODEL KEY=VALUE...   the same by varied.h
 *     bench_count sets N MODEL KEY=VALUE...     the same up to the simulation, without its run
 *
 * What counts happens inside bench_counted(). Prints what the run was made of, as KEY VALUE; peak
 * is the most memory of the process, in kilobytes.
 */
#include <holonom/holonom.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* What is asked for, and its objects. */
typedef struct job {
    const char *what;
    int n, columns;
    double last; /* the last measure */
    hol_context *ctx;
    hol_spec *spec;
    hol_options *options;
    hol_model *model;
    hol_sim *sim;
    hol_varied *varied;
} job;

/* All measures of a state. */
static hol_status read_measures(void *user, hol_sim *sim) {
    job *j = user;
    hol_status status = HOL_OK;
    for (int i = 0; i < j->columns && !status; i++)
        status = hol_data_measure(hol_sim_data(sim), i, &j->last);
    return status;
}

static hol_status run(job *j) {
    const hol_observer observer = {.on_output = read_measures, .user = j};
    return hol_sim_run(j->sim, &observer);
}

static hol_status steps(job *j) {
    hol_status status = HOL_OK;
    for (int i = 0; i < j->n && !status; i++) status = hol_sim_step(j->sim);
    return status;
}

/* All reactions of a state that nobody has looked at. */
static hol_status reactions(job *j) {
    hol_model_info info = {.size = sizeof info};
    hol_data *data = hol_sim_data(j->sim);
    hol_status status = hol_model_describe(j->model, &info);
    for (int k = 0; k < j->n && !status; k++) {
        hol_data_set(data, hol_data_time(data), hol_data_q(data), hol_data_v(data));
        for (int i = 0; i < info.n_joints && !status; i++) {
            hol_reaction r = {.size = sizeof r};
            status = hol_data_reaction(data, i, &r);
        }
    }
    return status;
}

static hol_status set_up(job *j) {
    j->model = hol_model_from_spec(j->ctx, j->spec, &j->options);
    j->sim = j->model ? hol_sim_new(j->ctx, j->model, j->options) : NULL;
    return j->sim ? HOL_OK : HOL_ERR_INPUT;
}

/* A run of the description with another mass of its first body, everything made anew. */
static hol_status run_again(job *j, double mass) {
    char path[256], value[64];
    snprintf(path, sizeof path, "bodies.%s.mass", hol_model_body_name(j->model, 0));
    snprintf(value, sizeof value, "%.17g", mass);
    hol_sim_free(j->sim);
    hol_options_free(j->options);
    hol_model_free(j->model);
    j->sim = NULL, j->options = NULL, j->model = NULL;
    hol_status status = hol_spec_set(j->spec, path, value, "bench");
    if (!status) status = set_up(j);
    return status ? status : run(j);
}

static hol_status runs(job *j) {
    hol_body_info body = {.size = sizeof body};
    hol_status status = hol_model_body_describe(j->model, 0, &body);
    for (int k = 1; k <= j->n && !status; k++) status = run_again(j, body.mass * (1 + 1e-3 * k));
    return status;
}

/* The same masses by a mechanism that varies: the description is read once. */
static hol_status vary(job *j, int runs) {
    hol_body_info body = {.size = sizeof body};
    char path[256];
    const char *const names[] = {path};
    const hol_observer observer = {.on_output = read_measures, .user = j};
    snprintf(path, sizeof path, "bodies.%s.mass", hol_model_body_name(j->model, 0));
    hol_status status = hol_model_body_describe(j->model, 0, &body);
    if (!status && !j->varied) status = hol_varied_new(j->ctx, j->spec, 1, names, &j->varied);
    for (int k = 1; k <= j->n && !status; k++) {
        const double mass = body.mass * (1 + 1e-3 * k);
        status = hol_varied_set(j->varied, &mass);
        hol_sim *sim = status ? NULL : hol_varied_sim(j->varied);
        if (!sim) return HOL_ERR_INPUT;
        if (runs) status = hol_sim_run(sim, &observer);
    }
    return status;
}

static hol_status varied(job *j) {
    return vary(j, 1);
}

static hol_status sets(job *j) {
    return vary(j, 0);
}

static const struct {
    const char *name;
    int counts; /* takes N */
    int before; /* steps before it */
    hol_status (*part)(job *j);
} parts[] = {{"run", 0, 0, run},     {"step", 1, 2, steps},    {"output", 1, 2, reactions},
             {"runs", 1, 2, runs},   {"varied", 1, 2, varied}, {"sets", 1, 2, sets},
             {"setup", 0, 0, set_up}};
enum { PARTS = sizeof parts / sizeof *parts, SET_UP = PARTS - 1 };

/* What is counted. */
__attribute__((noinline)) hol_status bench_counted(hol_status (*part)(job *j), job *j);
hol_status bench_counted(hol_status (*part)(job *j), job *j) {
    return part(j);
}

/* KEY=VALUE into the description. */
static hol_status set(job *j, char *setting) {
    char *equals = strchr(setting, '=');
    if (!equals) return HOL_ERR_INPUT;
    *equals = '\0';
    return hol_spec_set(j->spec, setting, equals + 1, "bench");
}

/* Where the bodies are: `pose`, the position and the rotation of each, and `centre`, the place of
 * its mass centre by its name. */
static void tell_poses(const job *j) {
    hol_model_info info = {.size = sizeof info};
    hol_pose pose;
    if (hol_model_describe(j->model, &info)) return;
    for (int i = 0; i < info.n_bodies; i++) {
        hol_body_info body = {.size = sizeof body};
        if (hol_data_body_pose(hol_sim_data(j->sim), i, &pose)) return;
        printf("pose");
        for (int k = 0; k < 3; k++) printf(" %.16g", pose.r[k]);
        for (int k = 0; k < 9; k++) printf(" %.16g", pose.R[k]);
        if (hol_model_body_describe(j->model, i, &body)) return;
        printf("\ncentre %s", body.name);
        for (int k = 0; k < 3; k++)
            printf(" %.15g", pose.r[k] + pose.R[3 * k] * body.com[0] +
                                 pose.R[3 * k + 1] * body.com[1] + pose.R[3 * k + 2] * body.com[2]);
        printf("\n");
    }
}

static void tell(const job *j) {
    hol_sim_info info = {.size = sizeof info};
    struct rusage usage = {0};
    if (!getrusage(RUSAGE_SELF, &usage)) printf("peak %ld\n", usage.ru_maxrss);
    if (hol_sim_describe(j->sim, &info)) return;
    printf("steps %ld\nrejected %ld\nevaluations %ld\nfactorizations %ld\nlast %.12g\nenergy %.6g\n",
           info.steps, info.rejected, info.evaluations, info.factorizations, j->last,
           info.relative_energy_error);
    tell_poses(j);
}

static void close_all(job *j) {
    char line[1024];
    for (int i = 0; i < hol_message_count(j->ctx); i++) {
        hol_message_format(hol_message_get(j->ctx, i), line, sizeof line);
        fprintf(stderr, "%s\n", line);
    }
    hol_sim_free(j->sim);
    hol_options_free(j->options);
    hol_model_free(j->model);
    hol_spec_free(j->spec);
    hol_context_free(j->ctx);
}

int main(int argc, char **argv) {
    int k = 0, at = 2;
    if (argc < 2) return puts("counted from outside, by tools/bench.sh") < 0;
    while (argc > 1 && k < PARTS && strcmp(argv[1], parts[k].name) != 0) k++;
    if (k == PARTS || argc < 3 + parts[k].counts) return 2;
    job j = {.what = argv[1], .ctx = hol_context_new()};
    if (parts[k].counts) j.n = atoi(argv[at++]);
    j.spec = hol_spec_new(j.ctx);
    hol_status status = hol_spec_read_file(j.spec, argv[at++]);
    while (at < argc && !status) status = set(&j, argv[at++]);
    if (!status && k != SET_UP) status = set_up(&j);
    if (!status && k != SET_UP) {
        hol_model_info info = {.size = sizeof info};
        status = hol_model_describe(j.model, &info);
        j.columns = info.n_measures;
    }
    for (int i = 0; i < parts[k].before && !status; i++) status = hol_sim_step(j.sim);
    if (!status) status = bench_counted(parts[k].part, &j);
    if (!status) tell(&j);
    close_all(&j);
    return status != HOL_OK;
}

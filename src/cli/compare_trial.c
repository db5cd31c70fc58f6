/* compare_trial.c: one run of a comparison, in the thread that calls.
 *
 * Nothing is printed: the first error, or else the first warning, becomes the message of the trial,
 * with its element and without its place in the file. The time is the processor time of the thread
 * in the run itself, without reading the model and assembling it. Short runs are repeated, because
 * the first one pays for pages and caches; the least time counts, and everything else is of the
 * first.
 */
#include "cli/compare.h"
#include "cli/run.h"
#include "common/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the callbacks of a run know. */
typedef struct course {
    cli_session cli;
    cli_trial *trial;
    hol_severity kept; /* of the message that is kept */
    int n_columns, capacity;
    int is_first;         /* of the repetitions: this one is recorded */
    double first, second; /* the first two output times */
} course;

/* ---- messages ---- */

static void on_message(void *user, const hol_message *message) {
    course *run = user;
    cli_trial *trial = run->trial;
    if (message->severity == HOL_ERROR && !run->cli.status)
        run->cli.status = message->status ? message->status : HOL_ERR_INPUT;
    if (message->severity == HOL_NOTE || (trial->message && message->severity <= run->kept)) return;
    const char *element = message->element ? message->element : "";
    const size_t size = strlen(element) + strlen(message->text) + sizeof ": ";
    char *text = malloc(size);
    if (!text) return;
    snprintf(text, size, "%s%s%s", element, *element ? ": " : "", message->text);
    free(trial->message);
    trial->message = text;
    run->kept = message->severity;
}

/* ---- samples ---- */

/* Append time and measured columns. */
static hol_status on_output(void *user, hol_sim *sim) {
    course *run = user;
    cli_trial *trial = run->trial;
    const size_t width = (size_t)run->n_columns + 1;
    const int row = (int)trial->record.n_samples;
    if (!run->is_first) return HOL_OK;
    if (row == run->capacity) {
        const int capacity = 2 * run->capacity + 1024;
        double *grown = realloc(trial->samples, (size_t)capacity * width * sizeof *grown);
        if (!grown) return HOL_ERR_MEMORY;
        trial->samples = grown;
        run->capacity = capacity;
    }
    double *x = trial->samples + (size_t)row * width;
    x[0] = hol_data_time(hol_sim_data(sim));
    for (int j = 0; j < run->n_columns; j++) {
        const hol_status status = hol_data_measure(hol_sim_data(sim), j, &x[j + 1]);
        if (status < 0) return status;
    }
    trial->record.n_samples++;
    return HOL_OK;
}

/* Note the first two output times, and stop there. */
static hol_status on_first_outputs(void *user, hol_sim *sim) {
    course *run = user;
    const double t = hol_data_time(hol_sim_data(sim));
    if (isnan(run->first)) {
        run->first = t;
        return HOL_OK;
    }
    run->second = t;
    return HOL_ERR_INTERRUPTED;
}

/* Stop when the user wants to. */
static hol_status on_step(void *user, hol_sim *sim) {
    (void)user;
    (void)sim;
    return cli_interrupt_signal() ? HOL_ERR_INTERRUPTED : HOL_OK;
}

/* ---- the run ---- */

/* The model of the trial; one thread reads at a time. */
static hol_model *load(const cli_comparison *c, course *run, const cli_setting *settings, int n,
                       hol_options **options) {
    pthread_mutex_lock(c->reading);
    hol_model *model = cli_compare_load(c, &run->cli, run->trial->case_index, settings, n, options);
    pthread_mutex_unlock(c->reading);
    return model;
}

/* The figures of a simulation as it stands. */
static void take_figures(const hol_sim *sim, cli_record *record) {
    const hol_sim_info info = cli_figures(sim);
    record->is_set_up = 1;
    record->t = info.t;
    for (int i = 0; hol_statistic_get(i) && i < CLI_STATISTICS; i++) {
        const hol_statistic_value value = hol_statistic_of(&info, i);
        record->statistics[i] = value.real;
        snprintf(record->texts[i], CLI_PART_SIZE, "%s", value.text ? value.text : "");
    }
}

/* Whether a run that took that long in all, so often, is to be repeated. */
static int is_repeated(int done, int wanted, double spent) {
    enum { MOST = 20 };
    const double enough = 0.1;
    return wanted > 0 ? done < wanted : done < MOST && spent < enough;
}

/* Run the model, and again for its time. */
static void simulate(course *run, const hol_model *model, const hol_options *options, int repeat) {
    cli_record *record = &run->trial->record;
    const hol_observer observer = {on_output, on_step, run};
    char why[96];
    const int counter = cli_instructions_open(why, sizeof why);
    double spent = 0;
    record->cpu_time = INFINITY;
    record->instructions = NAN;
    for (int i = 0; i == 0 || (!record->status && is_repeated(i, repeat, spent)); i++) {
        hol_sim *sim = hol_sim_new(run->cli.ctx, model, options);
        run->is_first = i == 0;
        if (!sim) {
            record->status = run->cli.status ? run->cli.status : HOL_ERR_MEMORY;
            break;
        }
        const double began = hol__clock_thread(), executed = cli_instructions_read(counter);
        record->status = hol_sim_run(sim, &observer);
        const double passed = hol__clock_thread() - began;
        record->cpu_time = fmin(record->cpu_time, passed);
        record->instructions =
            fmin(record->instructions, cli_instructions_read(counter) - executed);
        spent += passed;
        if (run->is_first) take_figures(sim, record);
        hol_sim_free(sim);
    }
    cli_instructions_close(counter);
}

/* Load with the settings and run. */
static void load_and_simulate(const cli_comparison *c, course *run, const cli_setting *settings,
                              int n, int repeat) {
    hol_options *options;
    hol_model *model = load(c, run, settings, n, &options);
    run->trial->record.status = model ? HOL_OK : run->cli.status;
    if (model && cli_about(model).n_measures != c->n_columns) {
        const hol_message changed = {HOL_ERROR,
                                     HOL_ERR_INPUT,
                                     NULL,
                                     "the measured columns are not those of the other runs",
                                     {0}};
        on_message(run, &changed);
        run->trial->record.status = HOL_ERR_INPUT;
    } else if (model) {
        simulate(run, model, options, repeat);
    }
    hol_model_free(model);
    hol_options_free(options);
}

/* ---- the reference ---- */

/* The interval of the output with the settings; 0 when it could not be found. */
static double output_interval(const cli_comparison *c, course *run, const cli_setting *settings,
                              int n) {
    const hol_observer observer = {on_first_outputs, on_step, run};
    hol_options *options;
    hol_model *model = load(c, run, settings, n, &options);
    hol_sim *sim = model ? hol_sim_new(run->cli.ctx, model, options) : NULL;
    run->first = run->second = NAN;
    if (sim) hol_sim_run(sim, &observer);
    hol_sim_free(sim);
    hol_model_free(model);
    hol_options_free(options);
    return run->second > run->first ? run->second - run->first : 0;
}

/* What a reference is made with; NULL: what is automatic. */
typedef struct recipe {
    const char *method, *coordinates, *integrator, *correction;
} recipe;

/* What the reference of a sweep is checked against: the first that the mechanism takes. The
 * reference is the method auto, multipliers in reference-point or joint coordinates with an
 * explicit formula; these share neither solver nor formula with it. */
static const recipe checks[] = {
    {"nullspace", "natural", "radau9", "mass-orthogonal"},
    {"nullspace", "relative", "radau9", "mass-orthogonal"},
    {"nullspace", "reference", "radau9", "mass-orthogonal"},
    {"partitioning", "reference", "adams", NULL},
    {"auto", "reference", "radau9", NULL},
};

/* Add the settings of a recipe. */
static int add_recipe(const recipe *with, cli_setting *settings, int n) {
    const char *const keys[] = {"method", "coordinates", "integrator", "correction"},
                      *const values[] = {with->method, with->coordinates, with->integrator,
                                         with->correction};
    for (int i = 0; i < 4; i++)
        if (values[i]) settings[n++] = (cli_setting){keys[i], values[i], "reference-tol"};
    return n;
}

/* Everything automatic but the recipe, steps by error, the output times of the other runs. */
static void run_reference(const cli_comparison *c, course *run, const recipe *with) {
    enum { MAX_SETTINGS = 40 };
    cli_setting settings[MAX_SETTINGS];
    char tolerance[HOL__NUMBER_SIZE], interval[HOL__NUMBER_SIZE];
    int n = 0;
    const hol_option *o;
    for (int i = 0; (o = hol_option_get(i)) && n < MAX_SETTINGS - 9; i++)
        if (o->kind == HOL_OPTION_CHOICE && strcmp(o->choice(0), "auto") == 0 &&
            strcmp(o->name, "integrator") != 0)
            settings[n++] = (cli_setting){o->name, "auto", "reference-tol"};
        else if (o->kind == HOL_OPTION_LIST)
            settings[n++] = (cli_setting){o->name, "", "reference-tol"};
    const double every = output_interval(c, run, settings, n);
    settings[n++] = (cli_setting){"integrator", "auto", "reference-tol"};
    n = add_recipe(with, settings, n);
    settings[n++] = (cli_setting){"step", "0", "reference-tol"};
    settings[n++] = (cli_setting){"output_mode", "land", "reference-tol"};
    settings[n++] =
        (cli_setting){"tolerance", hol__number_text(c->reference_tol, tolerance), "reference-tol"};
    if (every > 0)
        settings[n++] = (cli_setting){"output", hol__number_text(every, interval), "reference-tol"};
    free(run->trial->message);
    run->trial->message = NULL;
    run->cli.status = HOL_OK;
    load_and_simulate(c, run, settings, n, 1);
}

/* The first of the checks that comes to its end. */
static void run_check(const cli_comparison *c, course *run) {
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        run->trial->record = (cli_record){0};
        run->capacity = 0;
        free(run->trial->samples);
        run->trial->samples = NULL;
        run_reference(c, run, &checks[i]);
        if (!run->trial->record.status || cli_interrupt_signal()) return;
    }
}

void cli_trial_carry_out(const cli_comparison *c, cli_trial *trial) {
    course run = {.trial = trial, .n_columns = c->n_columns};
    if (!cli_init(&run.cli)) {
        trial->record.status = HOL_ERR_MEMORY;
        return;
    }
    hol_context_on_message(run.cli.ctx, on_message, &run);
    run.cli.quiet = 1;
    if (trial->kind == CLI_TRIAL_REFERENCE)
        run_reference(c, &run, &(recipe){0});
    else if (trial->kind == CLI_TRIAL_CHECK)
        run_check(c, &run);
    else
        load_and_simulate(c, &run, trial->entry->settings, trial->entry->n_settings, c->repeat);
    cli_free(&run.cli);
    if (!trial->message) trial->message = calloc(1, 1);
}

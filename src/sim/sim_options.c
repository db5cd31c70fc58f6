/* sim_options.c: the table of options, the sum of what the parts export, and what belongs to the
 * run itself. */
#include "sim/sim_options.h"

#include "compile/compile.h"
#include "coords/coords.h"
#include "correct/correct.h"
#include "form/method.h"
#include "integ/stepper.h"
#include "kernel/kernel.h"
#include "sim/crossing.h"

#include <holonom/model.h>

#include <string.h>

static const char *output_choice(int i) {
    static const char *const names[] = {"auto", "land", "dense", NULL};
    return names[i];
}

static const char *interval_word(int i) {
    static const char *const names[] = {"steps", NULL};
    return names[i];
}

static const char *switch_choice(int i) {
    static const char *const names[] = {"off", "on", NULL};
    return names[i];
}

static const char *impacts_choice(int i) {
    static const char *const names[] = {"sequence", "together", NULL};
    return names[i];
}

static const char *start_choice(int i) {
    static const char *const names[] = {"drawn", "equilibrium", NULL};
    return names[i];
}

/* The span of a run, and where it starts. */
static const hol_option span[] = {
    HOL__REAL("start", -1e300, 1e300, "0", "s", "Time at which the run starts."),
    HOL__REAL("end", -1e300, 1e300, "10", "s", "Time at which it ends."),
    HOL__CHOICE("start_at", start_choice, "drawn",
                "Where the bodies are then. drawn: as in the file, moved onto the constraints "
                "(`assemble`); equilibrium: at the static equilibrium that `holonom statics` finds "
                "from there, with the velocities of the file and of drivers. How far bodies moved "
                "is reported; without an equilibrium the run does not start."),
};

static const hol__option_rows span_options = HOL__ROWS(span);

static const char *kind_choice(int i) {
    static const char *const names[] = {"local", "end", NULL};
    return names[i];
}

/* Its output, and what it watches. */
static const hol_option run[] = {
    HOL__REAL_OR_WORD("output", 0, 1e300, "0", "s", interval_word,
                      "Interval of the output; 0: a thousandth of the run, in whole steps "
                      "where the step is fixed; steps: every accepted step is written."),
    HOL__CHOICE("output_mode", output_choice, "auto",
                "land: steps end at output times exactly, but for steps over a "
                "singular position; dense: states there are interpolated and brought onto the "
                "constraints; auto: dense, but land where steps are fixed, where the integrator is "
                "an implicit one (but for radau3, radau5, radau9), and where conditions, events, "
                "corners of laws or contacts are looked for along the steps. Integrators with a "
                "history of steps (adams, bdf) are always dense."),
    HOL__CHOICE(
        "extremes", switch_choice, "on",
        "on: the minimum and maximum over all accepted steps of every measure, and of every "
        "other number in a file, are kept with their times, and a warning says where the output "
        "misses them by more than 10 % of the range. Measures of accelerations and reactions are "
        "then evaluated at every step."),
    HOL__CHOICE("tolerance_kind", kind_choice, "local",
                "What the tolerance bounds. local: the error of each step; end: the difference of "
                "all measures, at all output times, to a run with a smaller tolerance (fixed: half "
                "the step), relative to the largest measure with their unit; the run is repeated "
                "until that holds, and stops with an error where it cannot."),
    HOL__CHOICE("constraint_reactions", switch_choice, "off",
                "on: results have, behind the measures, the multiplier of each single constraint "
                "and its generalised force on each velocity, in the coordinates of the run."),
    HOL__LIST("units",
              "Units of the results by kind of quantity: {angle: deg, length: mm}, or "
              "angle=deg,length=mm on the command line; what is not named stays in SI units."),
    HOL__CHOICE("impacts", impacts_choice, "sequence",
                "Which rigid contacts, stops and ropes take part in an impact. sequence: those "
                "that approach, then those that the impulses cause to approach, one after the "
                "other; together: all that touch, at once."),
    HOL__REAL(
        "contact_tolerance", 0, 1e-3, "1e-9", "",
        "The gap below which rigid contacts, stops and ropes count as closed, in sizes of the "
        "mechanism; a rebound that leads no higher ends in rest, and an overlap that is "
        "deeper at the start is an error."),
    HOL__REAL("catch_tolerance", 0, 1, "1e-6", "",
              "The largest position residual with which a joint that takes hold during the run "
              "(key `active`) is closed, in m and rad, or in sizes of the mechanism above 1 m; a "
              "larger one is an error. The default is what a run of the default tolerance may be "
              "off by after some hundred steps."),
    HOL__REAL("max_time", 0, 1e300, "0", "s",
              "The run stops with an error after this many seconds of wall-clock time spent in "
              "steps, and keeps what it has computed; 0: no limit."),
    HOL__REAL("max_rows", 0, 1e300, "1e8", "",
              "A run that would have more output times is refused before it starts, and one that "
              "writes every step stops there with an error; 0: no limit."),
    HOL__REAL("max_bytes", 0, 1e300, "1e11", "",
              "The same for the bytes of each result file; 0: no limit."),
    HOL__REAL("max_creep", 0, 1e300, "0", "s",
              "The same after this many seconds without relevant progress: chosen steps that move "
              "the mechanism by less than a thousandth of its size each, or become shorter and "
              "shorter, and a hundred times as many seconds to go; 0: a warning says what holds "
              "the run back, and it goes on."),
    HOL__REAL(
        "expected_violation", 0, 1e300, "0", "",
        "A run that ends with a larger residual of positions or velocities, as a share of the "
        "mechanism's size, ends with a warning and its own exit code; 0: the tolerance times "
        "the number of steps (at least 100, at most 0.01), with fixed steps 1e-6."),
    HOL__REAL(
        "expected_energy_error", 0, 1e300, "0", "",
        "The same for the relative error of the energy balance; 0: as above, with fixed steps "
        "1e-3."),
    HOL__REAL("max_violation", 0, 1e300, "0", "",
              "The run stops with an error when the norm of a position or "
              "velocity residual exceeds this; 0: it is only reported."),
    HOL__REAL("max_energy_error", 0, 1e300, "0", "",
              "The run stops with an error when the relative error of the "
              "energy balance exceeds this; 0: it is only reported."),
};

static const hol__option_rows run_options = HOL__ROWS(run);

/* The parts, in the order of the documentation. */
static const hol__option_rows *const parts[] = {
    &span_options,          &hol__coords_options,
    &hol__method_options,   &hol__kernel_option_rows,
    &hol__form_option_rows, &hol__correction_options,
    &hol__crossing_options, &hol__integrator_options,
    &run_options,           NULL,
};

const hol_option *hol_option_get(int i) {
    return hol__option_row(parts, i);
}

const hol_option *hol_option_find(const char *name) {
    const hol_option *row;
    for (int i = 0; name && (row = hol_option_get(i)); i++)
        if (strcmp(row->name, name) == 0) return row;
    return NULL;
}

hol_options *hol_options_new(hol_context *ctx) {
    return ctx ? hol__options_new(ctx, parts) : NULL;
}

hol_options *hol_options_from_spec(hol_context *ctx, const hol_spec *spec) {
    if (!ctx || !hol__spec_is_whole(ctx, "hol_options_from_spec", spec)) return NULL;
    hol_options *options = hol_options_new(ctx);
    if (options && hol__read_simulation(spec, options) == HOL_OK) return options;
    hol_options_free(options);
    return NULL;
}

/* The word of a choice. */
static const char *word_of(const hol_options *options, const char *name) {
    const char *word = "auto";
    hol_options_get_choice(options, name, &word);
    return word;
}

const char *hol_options_coordinates(const hol_options *options) {
    const char *coordinates = word_of(options, "coordinates"), *method = word_of(options, "method");
    if (strcmp(coordinates, "auto") != 0 || strcmp(method, "auto") == 0) return coordinates;
    const char *needed = hol__method_find(method)->coordinates;
    return needed ? needed : "reference";
}

const char *hol_options_run_coordinates(const hol_options *options) {
    static const char *const chosen[] = {"kernel",     "basis",     "stabilizer",
                                         "correction", "reactions", "independent"};
    const char *word = hol_options_coordinates(options);
    int open = strcmp(word, "auto") == 0;
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++)
        open = open && !hol_options_is_given(options, chosen[i]);
    return open ? "cheapest" : word;
}

hol_model *hol_model_from_spec(hol_context *ctx, const hol_spec *spec, hol_options **options) {
    if (options) *options = NULL;
    if (!ctx || !hol__spec_is_whole(ctx, "hol_model_from_spec", spec)) return NULL;
    hol_options *read = hol_options_from_spec(ctx, spec);
    /* errors of the description show beside those of its options */
    hol_model *model = hol_model_compile(ctx, spec, read ? hol_options_coordinates(read) : NULL);
    if (!read) hol_model_free(model), model = NULL;
    if (!model || !options) hol_options_free(read), read = NULL;
    if (options) *options = read;
    return model;
}

/* The names of the options that the simulation reads. */
static const char *const names[HOL__OPT_COUNT] = {
    [HOL__OPT_START] = "start",
    [HOL__OPT_END] = "end",
    [HOL__OPT_COORDINATES] = "coordinates",
    [HOL__OPT_METHOD] = "method",
    [HOL__OPT_KERNEL] = "kernel",
    [HOL__OPT_BASIS] = "basis",
    [HOL__OPT_NULLSPACE_FORM] = "nullspace_form",
    [HOL__OPT_UK_FORM] = "uk_form",
    [HOL__OPT_REACTIONS] = "reactions",
    [HOL__OPT_LOCAL_COORDINATES] = "local_coordinates",
    [HOL__OPT_WATCH] = "watch",
    [HOL__OPT_WATCH_BY] = "watch_by",
    [HOL__OPT_INDEPENDENT] = "independent",
    [HOL__OPT_INDEPENDENT_CHANGE] = "independent_change",
    [HOL__OPT_STORAGE] = "storage",
    [HOL__OPT_DAE_FORM] = "dae_form",
    [HOL__OPT_STABILIZER] = "stabilizer",
    [HOL__OPT_ALPHA] = "alpha",
    [HOL__OPT_BETA] = "beta",
    [HOL__OPT_STEP_GAIN] = "step_gain",
    [HOL__OPT_GAINS] = "gains",
    [HOL__OPT_SAMPLING] = "sampling",
    [HOL__OPT_POLE] = "pole",
    [HOL__OPT_PENALTY] = "penalty",
    [HOL__OPT_ITERATIONS] = "iterations",
    [HOL__OPT_ITERATION_TOLERANCE] = "iteration_tolerance",
    [HOL__OPT_OMEGA] = "omega",
    [HOL__OPT_MU] = "mu",
    [HOL__OPT_ENERGY_LIMIT] = "energy_limit",
    [HOL__OPT_THRESHOLD] = "threshold",
    [HOL__OPT_CORRECTION] = "correction",
    [HOL__OPT_NEWTON] = "newton",
    [HOL__OPT_CROSSING] = "crossing",
    [HOL__OPT_INTEGRATOR] = "integrator",
    [HOL__OPT_STEP] = "step",
    [HOL__OPT_TOLERANCE] = "tolerance",
    [HOL__OPT_TOLERANCE_KIND] = "tolerance_kind",
    [HOL__OPT_FIRST_STEP] = "first_step",
    [HOL__OPT_SPECTRAL_RADIUS] = "spectral_radius",
    [HOL__OPT_MAX_STEP] = "max_step",
    [HOL__OPT_MAX_STEPS] = "max_steps",
    [HOL__OPT_OUTPUT] = "output",
    [HOL__OPT_OUTPUT_MODE] = "output_mode",
    [HOL__OPT_EXTREMES] = "extremes",
    [HOL__OPT_POSITION_TOLERANCE] = "position_tolerance",
    [HOL__OPT_VELOCITY_TOLERANCE] = "velocity_tolerance",
    [HOL__OPT_IMPACTS] = "impacts",
    [HOL__OPT_CONTACT_TOLERANCE] = "contact_tolerance",
    [HOL__OPT_CATCH_TOLERANCE] = "catch_tolerance",
    [HOL__OPT_MAX_TIME] = "max_time",
    [HOL__OPT_MAX_ROWS] = "max_rows",
    [HOL__OPT_MAX_CREEP] = "max_creep",
    [HOL__OPT_EXPECTED_VIOLATION] = "expected_violation",
    [HOL__OPT_EXPECTED_ENERGY_ERROR] = "expected_energy_error",
    [HOL__OPT_MAX_VIOLATION] = "max_violation",
    [HOL__OPT_MAX_ENERGY_ERROR] = "max_energy_error",
    [HOL__OPT_RANK_TOLERANCE] = "rank_tolerance",
    [HOL__OPT_ASSEMBLE] = "assemble",
    [HOL__OPT_START_AT] = "start_at",
};

hol_status hol__sim_read_options(const hol_options *options, double values[HOL__OPT_COUNT]) {
    for (int k = 0; k < HOL__OPT_COUNT; k++) {
        const int i = hol__options_find(options, names[k]);
        if (i < 0)
            return hol__report(hol__options_context(options), HOL_ERROR, HOL_ERR_ARGUMENT, NULL,
                               "simulation", "the options have no '%s'", names[k]);
        values[k] = hol__options_value(options, i);
    }
    return HOL_OK;
}

const char *hol__sim_option_name(int option) {
    return names[option];
}

/* certify_run.c: one run over the whole span, with its numbers at the instants of the grid. */
#include "analysis/certify.h"

#include "dyn/data.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const sets[HOL__COORDINATES - 1] = {"reference", "natural", "relative"};

const hol_model *hol__certify_model(hol__certify *c, const char *coordinates) {
    if (!coordinates) return c->model;
    for (int i = 0; i < HOL__COORDINATES - 1; i++) {
        if (strcmp(coordinates, sets[i]) != 0) continue;
        if (!c->compiled[i]) {
            c->compiled[i] = hol__context_like(c->ctx);
            if (c->compiled[i])
                c->models[i] = hol_model_compile(c->compiled[i], c->spec, coordinates);
        }
        return c->models[i];
    }
    return NULL;
}

/* Everything that chooses how equations are solved at its default. */
static void leave_open(hol_options *options) {
    const hol_option *o;
    for (int i = 0; (o = hol_option_get(i)); i++)
        if (o->kind == HOL_OPTION_CHOICE && strcmp(o->choice(0), "auto") == 0)
            hol_options_set_choice(options, o->name, "auto");
        else if (o->kind == HOL_OPTION_LIST && strcmp(o->name, "independent") == 0)
            hol_options_set_list(options, o->name, 0, NULL);
}

static void choose(hol_options *options, const char *name, const char *word) {
    if (word) hol_options_set_choice(options, name, word);
}

hol_options *hol__certify_options(hol__certify *c, const hol__run_setting *with) {
    hol_options *options = hol_options_copy(c->quiet, c->options);
    if (!options) return NULL;
    if (!with->as_asked) {
        leave_open(options);
        choose(options, "method", with->method);
        choose(options, "integrator", with->integrator);
        choose(options, "correction", with->correction);
        hol_options_set_choice(options, "output_mode", "land");
        hol_options_set_real(options, "step", 0);
    } else if (with->step > 0) {
        hol_options_set_real(options, "step", with->step);
    }
    if (with->tolerance > 0) hol_options_set_real(options, "tolerance", with->tolerance);
    if (with->max_step > 0) hol_options_set_real(options, "max_step", with->max_step);
    if (c->grid.interval > 0) hol_options_set_real(options, "output", c->grid.interval);
    hol_options_set_choice(options, "tolerance_kind", "local");
    hol_options_set_choice(options, "extremes", "off");
    return options;
}

/* ---- the numbers ---- */

typedef struct recorder {
    const hol__grid *grid;
    double *x;
    long most, steps; /* evaluations that it may take; steps made */
    int dear;         /* it took more */
} recorder;

/* Where joint i is: its point on the first body, in the global frame. */
static void joint_place(hol_data *data, int i, double out[3]) {
    const hol__element *e = &hol_data_model(data)->joints[i];
    hol_pose pose;
    out[0] = out[1] = out[2] = NAN;
    if (hol_data_body_pose(data, e->body[0], &pose) != HOL_OK) return;
    hol__mul3(pose.R, e->marker[0].s, out);
    hol__add3(pose.r, out, out);
}

hol_status hol__certify_row(const hol__grid *g, hol_sim *sim, double *row) {
    hol_data *data = hol_sim_data(sim);
    const hol_status status = hol__measure_all(data, row);
    for (int i = 0; i < g->joints; i++) joint_place(data, i, row + g->n + 3 * i);
    return status < 0 && status != HOL_ERR_SINGULAR ? status : HOL_OK;
}

static hol_status on_output(void *user, hol_sim *sim) {
    const recorder *r = user;
    const hol__grid *g = r->grid;
    const double t = hol_data_time(hol_sim_data(sim));
    const double k = floor((t - g->start) / g->interval + 0.5);
    if (k < 0 || k > g->rows - 2 || fabs(t - g->start - k * g->interval) > 1e-9 * g->interval)
        return HOL_OK;
    return hol__certify_row(g, sim, r->x + (size_t)k * (size_t)g->width);
}

/* Give up a run that costs too much; counted every so many steps. */
static hol_status on_step(void *user, hol_sim *sim) {
    recorder *r = user;
    if (!r->most || r->steps++ % 32) return HOL_OK;
    hol_sim_info info = {.size = sizeof info};
    hol_sim_describe(sim, &info);
    r->dear = info.evaluations > r->most;
    return r->dear ? HOL_ERR_TOLERANCE : HOL_OK;
}

/* ---- how it went ---- */

static const char *word_of(const char *coordinates) {
    return strstr(coordinates, "natural")    ? "natural"
           : strstr(coordinates, "relative") ? "relative"
                                             : "reference";
}

static void take_times(const hol_list *from, int most, double *to, int *n) {
    for (int i = 0; i < from->n && *n < most; i++) to[(*n)++] = from->values[i];
}

/* The first error of a context, as far as it says what is wrong: what to try is for those who made
 * the run themselves. */
static void take_error(const hol_context *quiet, char *why) {
    for (int i = 0; i < hol_message_count(quiet); i++) {
        const hol_message *m = hol_message_get(quiet, i);
        if (m->severity != HOL_ERROR) continue;
        hol__print(why, HOL__WHY, "%s%s%.*s", m->element ? m->element : "", m->element ? ": " : "",
                   (int)strcspn(m->text, ";"), m->text);
        return;
    }
}

void hol__certify_figures(hol_sim *sim, hol__run *out) {
    hol_sim_info info = {.size = sizeof info};
    int crossed = 0;
    hol_sim_describe(sim, &info);
    out->t = info.t;
    out->stopped = info.end == HOL_END_STOP;
    out->steps = info.steps;
    out->evaluations = info.evaluations;
    out->factorizations = info.factorizations;
    out->crossings = info.crossings;
    take_times(&info.crossing_times, 8, out->crossed, &crossed);
    take_times(&info.switch_times, 64, out->jumps, &out->n_jumps);
    take_times(&info.event_times, 64, out->jumps, &out->n_jumps);
    out->energy_error = info.relative_energy_error;
    out->energy_limit = info.energy_error_limit;
    hol__print(out->method, sizeof out->method, "%s", info.method);
    hol__print(out->integrator, sizeof out->integrator, "%s", info.integrator);
    hol__print(out->coordinates, sizeof out->coordinates, "%s", word_of(info.coordinates));
    take_error(hol_sim_context(sim), out->why);
}

hol_status hol__certify_run(hol__certify *c, const hol__run_setting *with, hol__run *out) {
    const hol__grid *g = &c->grid;
    const size_t n = (size_t)g->rows * (size_t)g->width;
    *out = (hol__run){.with = *with, .status = HOL_ERR_INPUT};
    out->x = HOL__NEW_N(&c->arena, double, n + 1);
    if (!out->x) return HOL_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) out->x[i] = NAN;
    hol_message_clear(c->quiet);
    const hol_model *model = hol__certify_model(c, with->coordinates);
    hol_options *options = model ? hol__certify_options(c, with) : NULL;
    hol_sim *sim = options ? hol_sim_new(c->quiet, model, options) : NULL;
    if (sim) {
        recorder r = {g, out->x, .most = with->most};
        const hol_observer observer = {on_output, on_step, &r};
        out->made = 1;
        out->status = with->moved > 0 ? hol__certify_move(c, model, sim, with->moved) : HOL_OK;
        if (!out->status) out->status = hol_sim_run(sim, &observer);
        hol__certify_figures(sim, out);
        out->dear = r.dear;
        if (!out->status)
            hol__certify_row(g, sim, out->x + (size_t)(g->rows - 1) * (size_t)g->width);
    }
    take_error(c->quiet, out->why);
    if (out->dear)
        hol__print(out->why, sizeof out->why, "given up after %ld evaluations", out->evaluations);
    if (!model) {
        for (int i = 0; i < HOL__COORDINATES - 1; i++)
            if (with->coordinates && strcmp(with->coordinates, sets[i]) == 0 && c->compiled[i])
                take_error(c->compiled[i], out->why);
    }
    hol_sim_free(sim);
    hol_options_free(options);
    return c->arena.failed || out->status == HOL_ERR_MEMORY ? HOL_ERR_MEMORY
           : out->status == HOL_ERR_INTERRUPTED             ? HOL_ERR_INTERRUPTED
                                                            : HOL_OK;
}

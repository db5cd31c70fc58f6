/* converge.c: runs that are repeated until their measures agree (tolerance_kind: end).
 *
 * Local errors say little of the error at the end. So the whole run is made with the tolerance that
 * was asked for and with smaller ones (fixed steps: halves) until two in a row agree at all output
 * times:
 *
 *     e = max |x_fine - x_coarse| / size  <=  tolerance
 *
 * over all measured columns (coordinates and velocities where there are none); the size of a column
 * is the largest value of all columns with its unit. e bounds the error of the finer run where that
 * is at most half of the coarser one's; it is what is reported. The error follows the tolerance, so
 * that the next tolerance is the one that would just do, with a factor of 3 to spare; at least a
 * tenth, at most a thousandth of the last. Where outputs, other limits or the tolerance that
 * rounding allows set the steps, two runs with the same number of them say nothing: their largest
 * step is then halved.
 *
 * It fails where e no longer falls: rounding, or a motion that magnifies small differences more
 * than smaller tolerances take away. The simulation itself then makes the run with what was found,
 * so that observers see one run; same input, same bits.
 */
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_REPEATS = 12, MOST_NUMBERS = 10000000 };

static const double least_tolerance = 1e-15;

/* How a run is made: its tolerance, or its fixed step, and its largest step (0: no limit). */
typedef struct setting {
    double fine, max_step;
    int capped; /* steps go by the largest one and not by the tolerance */
} setting;

/* What one run left at its output times. */
typedef struct trail {
    hol_context *ctx;
    hol_sim *caller;
    int width;        /* numbers a row: the time and the columns */
    long n, room;     /* rows */
    long seen, every; /* outputs seen; one in so many is kept */
    long steps;
    double *x;
} trail;

/* Double the room, or keep one row in two where it would be too much. */
static hol_status make_room(trail *t) {
    const size_t width = (size_t)t->width;
    if ((double)t->room * 2 * t->width > MOST_NUMBERS) {
        for (long i = 1; 2 * i < t->n; i++)
            memcpy(t->x + (size_t)i * width, t->x + (size_t)(2 * i) * width,
                   sizeof(double) * width);
        t->n = (t->n + 1) / 2;
        t->every *= 2;
        return HOL_OK;
    }
    const long room = t->room ? 2 * t->room : 1024;
    double *x = hol__alloc(t->ctx, (size_t)room * width, sizeof *x);
    if (!x) return HOL_ERR_MEMORY;
    if (t->n) memcpy(x, t->x, sizeof(double) * width * (size_t)t->n);
    hol__release(t->ctx, t->x);
    t->x = x;
    t->room = room;
    return HOL_OK;
}

/* A row of the trail. */
static hol_status on_output(void *user, hol_sim *sim) {
    trail *t = user;
    const hol_model *m = sim->data->model;
    if (t->seen++ % t->every) return HOL_OK;
    if (t->n == t->room) {
        const hol_status status = make_room(t);
        if (status) return status;
        if ((t->seen - 1) % t->every) return HOL_OK;
    }
    double *row = t->x + (size_t)t->n++ * (size_t)t->width;
    row[0] = sim->data->t;
    if (m->n_columns) {
        hol__measure_all(sim->data, row + 1);
        return HOL_OK;
    }
    memcpy(row + 1, sim->data->q, sizeof(double) * (size_t)m->nq);
    memcpy(row + 1 + m->nq, hol_data_v(sim->data), sizeof(double) * (size_t)m->nv);
    return HOL_OK;
}

/* The caller may stop a repeat as it may stop the run. */
static hol_status on_step(void *user, hol_sim *sim) {
    const hol_observer *observer = ((trail *)user)->caller->observer;
    return observer && observer->on_step ? observer->on_step(observer->user, sim) : HOL_OK;
}

/* The sizes of the columns: the largest over all with the same unit; velocities and coordinates
 * each by themselves. */
static void find_sizes(const hol_model *m, const trail *t, double *size) {
    const int n = t->width - 1;
    for (int j = 0; j < n; j++) {
        size[j] = 0;
        for (long i = 0; i < t->n; i++)
            size[j] = fmax(size[j], fabs(t->x[(size_t)i * (size_t)t->width + (size_t)j + 1]));
    }
    for (int j = 0; j < n && m->n_columns; j++)
        for (int k = 0; k < n; k++)
            if (strcmp(m->columns[j].unit, m->columns[k].unit) == 0)
                size[j] = fmax(size[j], size[k]);
    for (int j = 0; j < n && !m->n_columns; j++) size[j] = fmax(size[j], 1);
}

/* Where two runs differ the most, and until when they agree. */
typedef struct difference {
    double error, t;
    int column;
    double agree; /* the last time up to which they agree to the tolerance */
} difference;

/* Compare two runs at their common output times. */
static difference compare(const hol_sim *sim, const trail *a, const trail *b, double *size) {
    difference d = {.agree = sim->options[HOL__OPT_START]};
    const double tolerance = sim->asked_tolerance;
    int agree = 1;
    find_sizes(sim->whole, b, size);
    for (long i = 0; i < a->n && i < b->n; i++) {
        const double *x = a->x + (size_t)i * (size_t)a->width,
                     *y = b->x + (size_t)i * (size_t)b->width;
        double worst = 0;
        for (int j = 1; j < a->width; j++) {
            const double e = size[j - 1] > 0 ? fabs(x[j] - y[j]) / size[j - 1] : 0;
            worst = fmax(worst, e);
            if (e > d.error) d.error = e, d.t = y[0], d.column = j - 1;
        }
        agree &= worst <= tolerance;
        if (agree) d.agree = y[0];
    }
    return d;
}

/* The options of the run with a setting; NULL without memory. */
static hol_options *options_for(const hol_sim *sim, hol_context *quiet, const setting *with) {
    const int fixed = sim->options[HOL__OPT_STEP] > 0;
    hol_options *options = hol_options_copy(quiet, sim->given);
    if (!options) return NULL;
    hol_options_set_choice(options, "tolerance_kind", "local");
    /* runs are compared at common times, whatever is written of the one that follows */
    if (!(sim->options[HOL__OPT_OUTPUT] >= 0)) hol_options_set_real(options, "output", 0);
    hol_options_set_real(options, hol__sim_option_name(fixed ? HOL__OPT_STEP : HOL__OPT_TOLERANCE),
                         with->fine);
    hol_options_set_real(options, hol__sim_option_name(HOL__OPT_MAX_STEP), with->max_step);
    return options;
}

/* One run of the whole span with a setting, into t; what it said is in quiet. */
static hol_status make_run(hol_sim *sim, hol_context *quiet, const setting *with, trail *t) {
    const hol_observer observer = {on_output, on_step, t};
    hol_status status = HOL_ERR_TOLERANCE;
    hol_message_clear(quiet);
    hol_options *options = options_for(sim, quiet, with);
    hol_sim *repeat = options ? hol__sim_new(quiet, sim->whole, options, sim->settle) : NULL;
    if (repeat) {
        if (sim->data->on_force) hol_sim_on_force(repeat, sim->data->on_force, sim->data->user);
        t->n = t->seen = 0;
        t->every = 1;
        status = hol_sim_run(repeat, &observer);
        t->steps = hol__integrator_stats(repeat->integ).steps;
    }
    hol_sim_free(repeat);
    hol_options_free(options);
    return options ? status : HOL_ERR_MEMORY;
}

/* A repeat has failed: its first error becomes that of the run. */
static hol_status pass_on(hol_sim *sim, const hol_context *quiet, hol_status status) {
    if (status == HOL_ERR_INTERRUPTED) return status;
    for (int i = 0; i < hol_message_count(quiet); i++) {
        const hol_message *m = hol_message_get(quiet, i);
        if (m->severity == HOL_ERROR)
            return hol__report(sim->ctx, HOL_ERROR, status, &m->where, m->element, "%s", m->text);
    }
    return hol__report(sim->ctx, HOL_ERROR, status, NULL, "tolerance_kind",
                       "a run that was made to estimate the error failed");
}

/* The runs do not come together. */
static hol_status give_up(hol_sim *sim, const difference *d, double fine) {
    const hol_model *m = sim->whole;
    const int fixed = sim->options[HOL__OPT_STEP] > 0;
    const hol_location where = hol__sim_option_where(sim, HOL__OPT_TOLERANCE_KIND);
    return hol__report(
        sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, &where, "tolerance_kind",
        "end: after %d runs, down to the %s %.3g, '%s' still differs by %.3g of its size at t = "
        "%.6g "
        "from one run to the next, and smaller ones do not help; they agree to %.3g up to t = "
        "%.6g. "
        "The motion magnifies small differences, or rounding decides: end the run there, ask for "
        "less, or take tolerance_kind: local",
        sim->converge.repeats, fixed ? "step" : "tolerance", fine,
        m->n_columns ? m->columns[d->column].name : "the state", d->error, d->t,
        sim->asked_tolerance, d->agree);
}

/* The next setting: error is what the last two runs differ by, INFINITY where that is not known;
 * halve: the largest step, where that is what steps go by: outputs, or the one of a run before. */
static void refine(const hol_sim *sim, const trail *last, double error, int halve, setting *with) {
    const double asked = sim->asked_tolerance;
    const double span = sim->options[HOL__OPT_END] - sim->options[HOL__OPT_START];
    if (sim->options[HOL__OPT_STEP] > 0) {
        with->fine /= 2;
        return;
    }
    with->capped |= halve;
    if (with->capped) with->max_step = span / (double)last->steps / 2;
    if (halve) return;
    const double factor = error < INFINITY ? fmax(1e-3, asked / (3 * error)) : 0.1;
    with->fine = fmax(least_tolerance, with->fine * fmin(0.1, factor));
}

/* Whether two runs made the same steps, as far as counts tell. */
static int same_steps(const hol_sim *sim, const trail *a, const trail *b) {
    return sim->options[HOL__OPT_STEP] == 0 && (double)b->steps < 1.02 * (double)a->steps;
}

/* Runs until two agree; with: the setting of the finer one. */
static hol_status repeat(hol_sim *sim, hol_context *quiet, trail t[2], double *size,
                         setting *with) {
    hol__converge *c = &sim->converge;
    const int fixed = sim->options[HOL__OPT_STEP] > 0;
    double last = INFINITY;
    for (int stuck = 0;;) {
        const trail *before = &t[(c->repeats + 1) % 2];
        trail *now = &t[c->repeats % 2];
        const hol_status status = make_run(sim, quiet, with, now);
        if (status) return pass_on(sim, quiet, status);
        if (c->repeats++ == 0) {
            refine(sim, now, INFINITY, 0, with);
            continue;
        }
        const difference d = compare(sim, before, now, size);
        const int same = same_steps(sim, before, now);
        c->error = d.error;
        if (d.error <= sim->asked_tolerance && !same) return HOL_OK;
        stuck = !same && d.error > last / 2 ? stuck + 1 : 0;
        last = d.error;
        if (stuck == 2 || c->repeats > MOST_REPEATS ||
            (!fixed && !same && !with->capped && with->fine <= least_tolerance))
            return give_up(sim, &d, with->fine);
        refine(sim, now, same ? INFINITY : d.error, same, with);
    }
}

/* The option that runs are refined by. */
static double *refined(hol_sim *sim) {
    return &sim->options[sim->options[HOL__OPT_STEP] > 0 ? HOL__OPT_STEP : HOL__OPT_TOLERANCE];
}

/* The parts anew for a setting. */
static hol_status remake_for(hol_sim *sim, const setting *found) {
    *refined(sim) = found->fine;
    sim->options[HOL__OPT_MAX_STEP] = found->max_step;
    return hol__sim_remake(sim);
}

hol_status hol__converge_walk(hol_sim *sim, hol__archive *archive) {
    hol__converge *c = &sim->converge, found = *c;
    setting with = {.fine = *refined(sim), .max_step = sim->options[HOL__OPT_MAX_STEP]};
    HOL__ARCHIVE(archive, found.done);
    HOL__ARCHIVE(archive, found.repeats);
    HOL__ARCHIVE(archive, found.error);
    HOL__ARCHIVE(archive, with.fine);
    HOL__ARCHIVE(archive, with.max_step);
    if (!hol__archive_reads(archive) || archive->mismatch || c->done || !found.done) return HOL_OK;
    *c = found;
    return remake_for(sim, &with);
}

/* The setting that was found, and a word of it. */
static hol_status take_setting(hol_sim *sim, const setting *found) {
    const int fixed = sim->options[HOL__OPT_STEP] > 0;
    const hol_status status = remake_for(sim, found);
    if (status) return status;
    return hol__report(
        sim->ctx, HOL_NOTE, HOL_OK, NULL, "tolerance_kind",
        "end: %d runs to find the %s %.3g; the measures of the last two differ by at "
        "most %.2g of their sizes",
        sim->converge.repeats, fixed ? "step" : "tolerance", found->fine, sim->converge.error);
}

hol_status hol__sim_converge(hol_sim *sim) {
    hol__converge *c = &sim->converge;
    const hol_model *m = sim->whole;
    if (c->done || (int)sim->options[HOL__OPT_TOLERANCE_KIND] != HOL__TOLERANCE_END) return HOL_OK;
    c->done = 1;
    hol_context *quiet = hol__context_like(sim->ctx);
    if (!quiet) return HOL_ERR_MEMORY;
    const int n = m->n_columns ? m->n_columns : m->nq + m->nv;
    trail t[2] = {{.ctx = quiet, .caller = sim, .width = n + 1, .every = 1},
                  {.ctx = quiet, .caller = sim, .width = n + 1, .every = 1}};
    double *size = hol__alloc(sim->ctx, (size_t)n + 1, sizeof *size);
    const int fixed = sim->options[HOL__OPT_STEP] > 0;
    setting with = {.fine = sim->options[fixed ? HOL__OPT_STEP : HOL__OPT_TOLERANCE],
                    .max_step = sim->options[HOL__OPT_MAX_STEP]};
    const hol_status status = size ? repeat(sim, quiet, t, size, &with) : HOL_ERR_MEMORY;
    for (int i = 0; i < 2; i++) hol__release(quiet, t[i].x);
    hol__release(sim->ctx, size);
    hol_context_free(quiet);
    return status ? status : take_setting(sim, &with);
}

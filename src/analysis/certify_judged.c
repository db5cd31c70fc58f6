/* certify_judged.c: what is judged: the run as the description asks for it, with the outputs that
 * it writes, or samples of the caller; and the grid, every so many of its instants. */
#include "analysis/certify.h"

#include "analysis/parameter_tangent.h"
#include "dyn/data.h"
#include "dyn/stiffness.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The rows of a run as it writes them. */
typedef struct tape {
    hol_context *ctx;
    const hol__grid *grid;
    int n, room;
    double *t, *x;
} tape;

enum { MOST_ROWS = 100000 };

static int make_room(tape *p) {
    const int room = 2 * p->room + 1024;
    const size_t row = sizeof(double) * (size_t)p->grid->width;
    double *t = hol__grown(p->ctx, p->t, sizeof(double), p->n, room);
    if (t) p->t = t;
    double *x = t ? hol__grown(p->ctx, p->x, row, p->n, room) : NULL;
    if (x) p->x = x, p->room = room;
    return x != NULL;
}

static hol_status on_output(void *user, hol_sim *sim) {
    tape *p = user;
    if (p->n == MOST_ROWS) return HOL_OK;
    if (p->n == p->room && !make_room(p)) return HOL_ERR_MEMORY;
    p->t[p->n] = hol_data_time(hol_sim_data(sim));
    return hol__certify_row(p->grid, sim, p->x + (size_t)p->n++ * (size_t)p->grid->width);
}

/* Every so many of n instants, so that there are no more than are wanted; their interval, which is
 * that of the first two. */
static void lay_grid(hol__certify *c, const double *t, int n) {
    hol__grid *g = &c->grid;
    const int points = c->o.points > 0 ? c->o.points : 200;
    const double span = g->end - g->start;
    const double least = n > 1 && t[1] > t[0] ? t[1] - t[0] : span / 1000;
    const double every = fmax(1, ceil(span / least / points - 1e-6));
    g->interval = fmin(span, every * least);
    /* the end is a row of its own, not one of the even ones */
    g->rows = (int)ceil(span / g->interval - 1e-6) + 1;
}

/* Report what is wrong with the samples of the caller. */
static hol_status wrong_samples(const hol__certify *c, const char *what) {
    return hol__report(c->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "certify", "%s", what);
}

/* Rows at the instants of the grid; the last one is the end where the run came to it. Samples of
 * which none is there can say nothing. */
static hol_status put_on_grid(hol__certify *c, const double *t, const double *x, int n, int ended) {
    const hol__grid *g = &c->grid;
    const size_t width = (size_t)g->width, all = (size_t)g->rows * width;
    double *out = c->judged.x = HOL__NEW_N(&c->arena, double, all + 1);
    int placed = ended && n;
    if (!out) return HOL_ERR_MEMORY;
    for (size_t i = 0; i < all; i++) out[i] = NAN;
    for (int i = 0; i < n; i++) {
        const double k = floor((t[i] - g->start) / g->interval + 0.5);
        if (k < 0 || k > g->rows - 2 ||
            fabs(t[i] - g->start - k * g->interval) > 1e-9 * g->interval)
            continue;
        memcpy(out + (size_t)k * width, x + (size_t)i * width, sizeof(double) * width);
        placed = 1;
    }
    if (ended && n)
        memcpy(out + (all - width), x + (size_t)(n - 1) * width, sizeof(double) * width);
    if (placed || !c->o.samples) return HOL_OK;
    return hol__report(c->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "certify",
                       "no row of the result can be compared: the run goes from t = %.6g to %.6g, "
                       "and rows are wanted there at the start or whole intervals (%.6g) after it",
                       g->start, g->end, g->interval);
}

/* The columns whose reactions are not unique, at the start: what they are is the method's affair.
 * Expressions of accelerations may read them. */
static void find_open(hol__certify *c, hol_sim *sim) {
    const hol_model *m = c->model;
    hol_data *data = hol_sim_data(sim);
    int any = 0;
    if (hol_data_update(data, HOL_STAGE_ACC)) return;
    for (int i = 0; i < m->n_measures; i++) {
        const hol__measure *e = &m->measures[i];
        hol_reaction r = {.size = sizeof r, .unique = 1};
        if (e->joint < 0 || e->level != HOL__LEVEL_ACC) continue;
        if (hol_data_reaction(data, e->joint, &r) || r.unique) continue;
        any = 1;
        memset(c->open + e->first, 1, (size_t)e->count);
    }
    for (int i = 0; i < m->n_measures && any; i++)
        if (m->measures[i].e && m->measures[i].level == HOL__LEVEL_ACC)
            memset(c->open + m->measures[i].first, 1, (size_t)m->measures[i].count);
}

/* The force with the fastest time scale at the start. */
static void find_fastest(hol__certify *c, hol_sim *sim) {
    hol__fastest fastest = {0};
    if (hol__data_fastest(hol_sim_data(sim), &fastest) || !fastest.force) return;
    c->rate = fastest.rate;
    c->fastest = hol__arena_text(&c->arena, fastest.force->name);
}

/* The run as asked for. */
static hol_status make_run(hol__certify *c, hol_sim *sim, tape *p) {
    const hol_observer observer = {on_output, NULL, p};
    c->judged.made = 1;
    c->judged.with.as_asked = 1;
    hol_options_get_real(c->options, "tolerance", &c->judged.with.tolerance);
    hol_options_get_real(c->options, "step", &c->judged.with.step);
    c->judged.status = hol_sim_run(sim, &observer);
    hol__certify_figures(sim, &c->judged);
    if (c->judged.status == HOL_ERR_MEMORY || c->judged.status == HOL_ERR_INTERRUPTED)
        return c->judged.status;
    const double t = hol_data_time(hol_sim_data(sim));
    return !c->judged.status && p->n && t > p->t[p->n - 1] ? on_output(p, sim) : HOL_OK;
}

/* Report that there is no motion between start and end. */
static hol_status no_length(const hol__certify *c) {
    return hol__report(c->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "certify",
                       "the run ends where it starts, at t = %.6g, so that there is nothing to "
                       "certify; set `end`",
                       c->grid.start);
}

/* Whether times ascend and all that is measured is finite: what is no number cannot be judged. */
static hol_status check_samples(const hol__certify *c) {
    const hol_certify_samples *s = c->o.samples;
    char text[256] = "";
    int found = 0;
    for (int i = 0; i < s->rows && !*text; i++)
        if (!isfinite(s->times[i]) || (i && s->times[i] < s->times[i - 1]))
            hol__print(text, sizeof text,
                       "row %d of the result: times are finite and do not decrease", i + 1);
    for (int j = 0; j < s->columns && !*text; j++) {
        if (!s->values[j] || hol_model_measure_index(c->model, s->names[j]) < 0) continue;
        found = 1;
        for (int i = 0; i < s->rows && !*text; i++)
            if (!isfinite(s->values[j][i]))
                hol__print(text, sizeof text,
                           "row %d of the result: '%s' is not a finite number; leave such rows out",
                           i + 1, s->names[j]);
    }
    if (*text) return wrong_samples(c, text);
    if (found) return HOL_OK;
    hol__print(text, sizeof text, "no column of the result is a measure of the model, such as '%s'",
               c->model->columns[0].name);
    return wrong_samples(c, text);
}

/* The samples of the caller as rows. */
static hol_status take_samples(hol__certify *c, tape *p) {
    const hol_certify_samples *s = c->o.samples;
    const hol_status status = check_samples(c);
    if (status) return status;
    for (int i = 0; i < s->rows; i++) {
        if (p->n == p->room && !make_room(p)) return HOL_ERR_MEMORY;
        double *row = p->x + (size_t)p->n * (size_t)p->grid->width;
        for (int j = 0; j < p->grid->width; j++) row[j] = NAN;
        for (int j = 0; j < s->columns; j++) {
            const int k = s->values[j] ? hol_model_measure_index(c->model, s->names[j]) : -1;
            if (k >= 0) row[k] = s->values[j][i];
        }
        p->t[p->n++] = s->times[i];
    }
    c->judged.status = HOL_OK;
    c->judged.t = s->rows ? s->times[s->rows - 1] : c->grid.start;
    hol__print(c->judged.method, sizeof c->judged.method, "samples");
    return HOL_OK;
}

hol_status hol__certify_judged(hol__certify *c) {
    hol__grid *g = &c->grid;
    tape p = {.ctx = c->ctx, .grid = g};
    hol_options *options = hol_options_copy(c->quiet, c->options);
    if (!options) return HOL_ERR_MEMORY;
    double output = 0;
    if (hol_options_get_real(options, "output", &output) || !(output >= 0))
        hol_options_set_real(options, "output", 0);
    hol_sim *sim = hol_sim_new(c->ctx, c->model, options);
    hol_status status = sim ? HOL_OK : hol__why_not_made(c->ctx);
    if (sim) {
        hol_sim_info info = {.size = sizeof info};
        hol_sim_describe(sim, &info);
        g->start = info.t_start;
        g->end = info.t_end;
        if (!(g->end > g->start)) status = no_length(c);
        find_open(c, sim);
        find_fastest(c, sim);
        hol__context_detach(hol_sim_context(sim));
        if (!status) status = c->o.samples ? take_samples(c, &p) : make_run(c, sim, &p);
    }
    if (!status) {
        lay_grid(c, p.t, p.n);
        c->left = HOL__NEW_N(&c->arena, unsigned char, g->rows);
        status = c->left ? put_on_grid(c, p.t, p.x, p.n,
                                       !c->judged.status &&
                                           (c->judged.stopped || !c->o.samples ||
                                            fabs(c->judged.t - g->end) <= 1e-9 * g->interval))
                         : HOL_ERR_MEMORY;
    }
    hol_sim_free(sim);
    hol_options_free(options);
    hol__release(c->ctx, p.t);
    hol__release(c->ctx, p.x);
    return status;
}

/* certify_growth.c: how neighbouring motions part: a second run from a start nearby.
 *
 *     g(t) = |y'(t) - y(t)| / |y'(0) - y(0)|
 *
 * y: places and velocities of all bodies, in lengths of the mechanism, radians, and those over the
 * time in which the fastest of them covers one. The start is moved along a fixed direction with no
 * particular meaning, by 1e-7, and brought back onto the constraints; a direction that has no
 * share in the one that grows the fastest is not to be expected. A line through log g over t gives
 * the rate; over log t the power. What fits better says which of the two it is.
 */
#include "analysis/certify.h"

#include "analysis/carrier.h"
#include "coords/coords.h"
#include "dyn/data.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

enum { PER_BODY = 18 }; /* place, rotation matrix, velocity, angular velocity */

static const double MOVED = 1e-7;

/* From here on the difference is no longer small against the mechanism. */
static const double LARGE = 1e-2;

typedef struct states {
    const hol__grid *grid;
    int bodies;
    double *x; /* rows x bodies x PER_BODY */
} states;

static hol_status take(const states *s, hol_sim *sim, int row) {
    double *x = s->x + (size_t)row * (size_t)(s->bodies * PER_BODY);
    for (int i = 0; i < s->bodies; i++, x += PER_BODY) {
        hol_pose pose;
        hol_twist twist;
        hol_data_body_pose(hol_sim_data(sim), i, &pose);
        hol_data_body_twist(hol_sim_data(sim), i, &twist);
        memcpy(x, pose.r, sizeof pose.r);
        memcpy(x + 3, pose.R, sizeof pose.R);
        memcpy(x + 12, twist.v, sizeof twist.v);
        memcpy(x + 15, twist.omega, sizeof twist.omega);
    }
    return HOL_OK;
}

static hol_status on_output(void *user, hol_sim *sim) {
    const states *s = user;
    const hol__grid *g = s->grid;
    const double t = hol_data_time(hol_sim_data(sim));
    const double k = floor((t - g->start) / g->interval + 0.5);
    if (k < 0 || k > g->rows - 2 || fabs(t - g->start - k * g->interval) > 1e-9 * g->interval)
        return HOL_OK;
    return take(s, sim, (int)k);
}

hol_status hol__certify_move(hol__certify *c, const hol_model *m, hol_sim *sim, double by) {
    hol_data *data = hol_sim_data(sim);
    double *q = hol__alloc(c->ctx, (size_t)(m->nq + 3 * m->nv) + 1, sizeof *q), *v = q + m->nq;
    if (!q) return HOL_ERR_MEMORY;
    double *d = v + m->nv;
    for (int j = 0; j < m->nv; j++) {
        const double size = by * hol__coordinate_size(m, j);
        d[j] = size * sin(1.7 + 2.385 * j);
        v[j] = hol_data_v(data)[j] + size * cos(0.4 + 1.913 * j);
    }
    m->coords->plus(m, data->q, d, q);
    const hol_status status = hol_sim_restart(sim, c->grid.start, q, v);
    hol__release(c->ctx, q);
    return status;
}

/* One run of the pair; 0 where it did not come to its end. */
static int run_states(hol__certify *c, const hol__run_setting *with, int moved, states *s) {
    const hol_model *m = hol__certify_model(c, with->coordinates);
    hol_options *options = m ? hol__certify_options(c, with) : NULL;
    hol_sim *sim = options ? hol_sim_new(c->quiet, m, options) : NULL;
    const hol_observer observer = {on_output, NULL, s};
    hol_status status = sim ? HOL_OK : HOL_ERR_INPUT;
    if (sim && moved) status = hol__certify_move(c, m, sim, MOVED);
    if (!status) status = hol_sim_run(sim, &observer);
    if (!status) status = take(s, sim, s->grid->rows - 1);
    hol_sim_free(sim);
    hol_options_free(options);
    return status == HOL_OK;
}

/* How fast the mechanism moves by its size. */
static double pace(const states *s, double length) {
    double most = 0;
    for (int i = 0; i < s->grid->rows * s->bodies; i++) {
        const double *x = s->x + (size_t)i * PER_BODY;
        for (int k = 0; k < 3; k++)
            most = fmax(most, fmax(fabs(x[12 + k]) / length, fabs(x[15 + k])));
    }
    return most > 1e-6 ? most : 1;
}

/* |y' - y| at a row. */
static double apart(const states *a, const states *b, int row, double length, double rate) {
    const size_t at = (size_t)row * (size_t)(a->bodies * PER_BODY);
    double sum = 0;
    for (int i = 0; i < a->bodies * PER_BODY; i++) {
        const int k = i % PER_BODY;
        const double size = k < 3 ? length : k < 12 ? 1 : k < 15 ? length * rate : rate;
        const double d = (a->x[at + (size_t)i] - b->x[at + (size_t)i]) / size;
        sum += d * d;
    }
    return sqrt(sum);
}

/* How well a line through y over x fits: the share of the variance that it leaves; its slope. */
static double fit(const double *x, const double *y, int n, double *slope) {
    double mx = 0, my = 0, xx = 0, xy = 0, yy = 0;
    for (int i = 0; i < n; i++) mx += x[i] / n, my += y[i] / n;
    for (int i = 0; i < n; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        xy += (x[i] - mx) * (y[i] - my);
        yy += (y[i] - my) * (y[i] - my);
    }
    *slope = xx > 0 ? xy / xx : 0;
    return yy > 0 && xx > 0 ? 1 - xy * xy / (xx * yy) : 1;
}

/* Rate and kind of growth, of the factors while the difference is small. */
static hol_status find_rate(hol__certify *c, double first) {
    const hol__grid *g = &c->grid;
    hol__growth *w = &c->growth;
    double *t = hol__alloc(c->ctx, (size_t)(3 * g->rows), sizeof *t), power;
    if (!t) return HOL_ERR_MEMORY;
    double *log_t = t + g->rows, *log_g = t + 2 * g->rows;
    int n = 0;
    for (int i = 1; i < g->rows && w->factor[i] * first < LARGE; i++) {
        if (!(w->factor[i] > 0)) continue;
        t[n] = hol__grid_time(g, i) - g->start;
        log_t[n] = log(t[n]);
        log_g[n++] = log(w->factor[i]);
    }
    if (n > 5) {
        const double left = fit(t, log_g, n, &w->rate), other = fit(log_t, log_g, n, &power);
        w->exponential = left < other && w->rate * t[n - 1] > log(100);
    }
    hol__release(c->ctx, t);
    return HOL_OK;
}

hol_status hol__certify_growth(hol__certify *c) {
    const hol__grid *g = &c->grid;
    hol__growth *w = &c->growth;
    if (c->answer < 0) return HOL_OK;
    /* the steps of the coarse run are fine enough: 1e-7 stands far above them */
    hol__run_setting with = c->witness[c->answer].coarse.with;
    with.tolerance = fmin(1e-10, fmax(with.tolerance, 1e-11));
    states s[2];
    for (int i = 0; i < 2; i++) {
        s[i] = (states){g, c->model->nb, NULL};
        s[i].x = HOL__NEW_N(&c->arena, double, g->rows * c->model->nb * PER_BODY + 1);
    }
    w->factor = HOL__NEW_N(&c->arena, double, g->rows);
    if (c->arena.failed) return HOL_ERR_MEMORY;
    if (!run_states(c, &with, 0, &s[0]) || !run_states(c, &with, 1, &s[1])) return HOL_OK;
    const double length = hol__mechanism_size(c->model), rate = pace(&s[0], length);
    const double first = apart(&s[0], &s[1], 0, length, rate);
    if (!(first > 1e-4 * MOVED)) return HOL_OK; /* nothing is free to start otherwise */
    w->known = 1;
    for (int i = 0; i < g->rows; i++) {
        w->factor[i] = apart(&s[0], &s[1], i, length, rate) / first;
        if (!c->left[i]) w->most = fmax(w->most, w->factor[i]);
    }
    return find_rate(c, first);
}

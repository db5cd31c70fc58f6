/* gather.c: values of goals along a run. See gather.h. */
#include "analysis/gather.h"

#include "analysis/nudge.h"

#include <math.h>
#include <string.h>

/* Rounds of a search for an extreme; how close it is bracketed and how far apart the points of the
 * last parabolas lie, as shares of the step. */
enum { ROUNDS = 40, PARABOLAS = 3, NODES = 3 };
static const double BRACKET = 1e-3, APART = 2e-4;

int hol__gather_init(hol__gather *g, int n, const hol__goal *goals, int columns,
                     hol__arena *arena) {
    *g = (hol__gather){.n = n, .goals = goals};
    g->value = HOL__NEW_N(arena, double, n + 1);
    g->integral = HOL__NEW_N(arena, double, n + 1);
    g->place = HOL__NEW_N(arena, hol__spot, n + 1);
    g->column = HOL__NEW_N(arena, double, columns + 1);
    return !arena->failed;
}

/* All measures at the state of the passage. */
static hol_status measure(hol__gather *g, hol__passage *c) {
    const hol_status status = hol__measure_all(c->at, g->column);
    return status == HOL_ERR_SINGULAR ? HOL_SINGULAR : status;
}

/* A value that may be the extreme of goal i; at a change it is that of the change, which moves. */
static void offer(hol__gather *g, int i, double value, hol__spot place) {
    const int up = hol__goal_extreme(&g->goals[i]) > 0,
              ties = place.change >= 0 && value == g->value[i];
    if (!ties && (up ? !(value > g->value[i]) : !(value < g->value[i]))) return;
    g->value[i] = value;
    g->place[i] = place;
}

/* How far the measure of a goal that crosses a level, as it was measured last, is beyond it. */
static double beyond(const hol__gather *g, int i) {
    const hol__goal *goal = &g->goals[i];
    return hol__goal_crosses(goal) * (g->column[goal->column] - goal->level);
}

/* The values that were measured last, for all extremes, and for levels that they are beyond. */
static void offer_all(hol__gather *g, hol__spot place) {
    for (int i = 0; i < g->n; i++) {
        if (hol__goal_extreme(&g->goals[i])) offer(g, i, g->column[g->goals[i].column], place);
        if (hol__goal_crosses(&g->goals[i]) && isnan(g->value[i]) && beyond(g, i) >= 0)
            g->value[i] = place.t;
    }
}

hol_status hol__gather_begin(hol__gather *g, hol__passage *c) {
    g->start = c->at->t;
    for (int i = 0; i < g->n; i++) {
        g->integral[i] = 0;
        const int extreme = hol__goal_extreme(&g->goals[i]);
        g->value[i] = extreme ? -extreme * (double)INFINITY : NAN;
        g->place[i] = (hol__spot){c->at->t, -1, 0};
    }
    const hol_status status = measure(g, c);
    if (status) return status;
    offer_all(g, (hol__spot){c->at->t, -1, 0});
    for (int i = 0; i < g->n; i++)
        if (g->goals[i].rule == HOL__GOAL_AT && g->goals[i].time == g->start)
            g->value[i] = g->column[g->goals[i].column];
    return HOL_OK;
}

/* ---- integrals ---- */

static void add_node(hol__gather *g, double weight) {
    for (int i = 0; i < g->n; i++) {
        const double x = g->column[g->goals[i].column];
        if (hol__goal_gathers(&g->goals[i]))
            g->integral[i] += weight * (g->goals[i].rule == HOL__GOAL_SQUARE ? x * x : x);
    }
}

/* ---- extremes ---- */

/* The measure of goal i at t, with the sign that makes its extreme a maximum. */
static hol_status height(hol__gather *g, hol__passage *c, int i, double t, double *out) {
    hol_status status = hol__passage_look(c, t);
    if (!status) status = measure(g, c);
    const double x = g->column[g->goals[i].column];
    *out = hol__goal_extreme(&g->goals[i]) * x;
    return status;
}

/* The top of the parabola through three points. */
static double top(const double x[3], const double f[3]) {
    const double a = (f[1] - f[0]) / (x[1] - x[0]), b = (f[2] - f[1]) / (x[2] - x[1]),
                 bend = (b - a) / (x[2] - x[0]);
    return bend < 0 ? 0.5 * (x[0] + x[1]) - 0.5 * a / bend : NAN;
}

/* The rate of the measure of goal i at t, along the motion that the equations give there: states
 * inside a step are good to more digits than their differences. */
static hol_status slope(hol__gather *g, hol__passage *c, int i, double t, double *out) {
    hol__arena room;
    hol__nudge nudge = {.works = 1}; /* work grows along the motion too */
    hol_status status = hol__passage_look(c, t);
    if (status) return status;
    const hol_data *at = c->at;
    const hol__direction motion = {at->v, at->a, at->aux_rate, 1};
    hol_data *side = hol_data_new(at->ctx, at->model);
    hol__arena_init(&room, at->ctx);
    status = side && hol__nudge_init(&nudge, at->model, &room) ? hol_data_copy(side, at)
                                                               : HOL_ERR_MEMORY;
    if (!status)
        status = hol__nudge_measures(&nudge, at, hol__nudge_step(at, hol__nudge_rate(at), &motion),
                                     1, &motion, side, g->column);
    *out = g->column[g->goals[i].column];
    hol__arena_free(&room);
    hol_data_free(side);
    return status;
}

/* A step of the secant for the place near *t where the rate is zero, between t0 and t1. */
static hol_status level(hol__gather *g, hol__passage *c, int i, double t0, double t1, double h,
                        double *t) {
    const double other = *t + (*t + APART * h < t1 ? APART : -APART) * h;
    double a = 0, b = 0;
    hol_status status = slope(g, c, i, *t, &a);
    if (!status) status = slope(g, c, i, other, &b);
    const double at = *t - a * (other - *t) / (b - a);
    if (at >= t0 && at <= t1 && fabs(at - *t) <= BRACKET * h) *t = at;
    return status;
}

/* The highest place between low and high, by golden sections and then parabolas. */
static hol_status climb(hol__gather *g, hol__passage *c, int i, double low, double high, double h) {
    const double golden = 0.6180339887498949, t0 = low, t1 = high;
    double x[2] = {high - golden * (high - low), low + golden * (high - low)}, f[2];
    hol_status status = height(g, c, i, x[0], &f[0]);
    if (!status) status = height(g, c, i, x[1], &f[1]);
    for (int k = 0; k < ROUNDS && !status && high - low > BRACKET * h; k++) {
        const int left = f[0] >= f[1];
        if (left)
            high = x[1], x[1] = x[0], f[1] = f[0], x[0] = high - golden * (high - low);
        else
            low = x[0], x[0] = x[1], f[0] = f[1], x[1] = low + golden * (high - low);
        status = height(g, c, i, x[!left], &f[!left]);
    }
    double t = 0.5 * (low + high), value = 0;
    for (int k = 0; k < PARABOLAS && !status; k++) {
        const double mid = fmin(fmax(t, t0 + APART * h), t1 - APART * h);
        double p[3] = {mid - APART * h, mid, mid + APART * h}, y[3];
        for (int j = 0; j < 3 && !status; j++) status = height(g, c, i, p[j], &y[j]);
        const double at = top(p, y);
        if (!(fabs(at - mid) <= 2 * BRACKET * h)) break;
        t = fmin(fmax(at, t0), t1);
    }
    for (int k = 0; k < 2 && !status; k++) status = level(g, c, i, t0, t1, h, &t);
    if (!status) status = height(g, c, i, t, &value);
    if (!status) offer(g, i, g->column[g->goals[i].column], (hol__spot){t, -1, 0});
    return status;
}

/* Extremes between samples of a part of a step: x (times) and f (measures, one row a sample). */
static hol_status climb_all(hol__gather *g, hol__passage *c, const double x[5],
                            double *const f[5]) {
    hol_status status = HOL_OK;
    for (int i = 0; i < g->n && !status; i++) {
        const int sign = hol__goal_extreme(&g->goals[i]);
        if (!sign) continue;
        double y[5];
        int best = 0;
        for (int k = 0; k < 5; k++) {
            y[k] = sign * f[k][i];
            if (y[k] > y[best]) best = k;
        }
        const int mid = best == 0 ? 1 : best == 4 ? 3 : best;
        const double t = top(x + mid - 1, y + mid - 1),
                     rise = y[best] - fmin(y[mid - 1], y[mid + 1]);
        const double low = best == 0 ? x[0] : x[best - 1], high = best == 4 ? x[4] : x[best + 1];
        if (t > low && t < high && y[best] + rise > sign * g->value[i])
            status = climb(g, c, i, low, high, x[4] - x[0]);
    }
    return status;
}

/* ---- levels ---- */

/* The time between low and high at which goal i comes to its level, above it at high: the interval
 * is halved until it is one of rounding. */
static hol_status cross(hol__gather *g, hol__passage *c, int i, double low, double high) {
    hol_status status = HOL_OK;
    for (;;) {
        const double mid = 0.5 * (low + high);
        if (!(mid > low && mid < high)) break;
        status = hol__passage_look(c, mid);
        if (!status) status = measure(g, c);
        if (status) return status;
        if (beyond(g, i) >= 0)
            high = mid;
        else
            low = mid;
    }
    g->value[i] = high;
    return HOL_OK;
}

/* Levels that are met between samples of a part of a step, for the first time. */
static hol_status cross_all(hol__gather *g, hol__passage *c, const double x[5],
                            double *const f[5]) {
    hol_status status = HOL_OK;
    for (int i = 0; i < g->n && !status; i++) {
        const hol__goal *goal = &g->goals[i];
        const int sign = hol__goal_crosses(goal);
        if (!sign || !isnan(g->value[i])) continue;
        int k = 1;
        while (k < 5 && !(sign * (f[k][i] - goal->level) >= 0)) k++;
        if (k < 5) status = cross(g, c, i, x[k - 1], x[k]);
    }
    return status;
}

/* ---- the run ---- */

/* Values at times that goals name, within a step. */
static hol_status take_asked(hol__gather *g, hol__passage *c, double t0, double t1) {
    hol_status status = HOL_OK;
    for (int i = 0; i < g->n && !status; i++) {
        const double t = g->goals[i].time;
        if (g->goals[i].rule != HOL__GOAL_AT || !(t > t0 && t <= t1)) continue;
        status = hol__passage_look(c, t);
        if (!status) status = measure(g, c);
        g->value[i] = g->column[g->goals[i].column];
    }
    return status;
}

/* Gauss's three nodes in a step, 0 … 1, and their weights. */
static double node_place(int k) {
    return 0.5 + 0.5 * (k - 1) * sqrt(0.6);
}

static double node_weight(int k) {
    return k == 1 ? 4.0 / 9 : 5.0 / 18;
}

/* A row of samples, for all extremes. */
static void offer_row(hol__gather *g, const double *f, hol__spot place) {
    for (int i = 0; i < g->n; i++)
        if (hol__goal_extreme(&g->goals[i])) offer(g, i, f[i], place);
}

/* One part of a step: five samples, three of them the nodes. */
static hol_status gather_part(hol__gather *g, hol__passage *c, double t0, double h, double *room) {
    double x[5], *f[5];
    hol_status status = HOL_OK;
    for (int k = 0; k < 5 && !status; k++) {
        const int node = k >= 1 && k <= NODES;
        x[k] = node ? t0 + h * node_place(k - 1) : k ? t0 + h : t0;
        f[k] = room + k * g->n;
        status = hol__passage_look(c, x[k]);
        if (!status) status = measure(g, c);
        if (status) break;
        if (node) add_node(g, h * node_weight(k - 1));
        for (int i = 0; i < g->n; i++) f[k][i] = g->column[g->goals[i].column];
    }
    if (!status) status = cross_all(g, c, x, f);
    for (int k = 1; k < 5 && !status; k++) offer_row(g, f[k], (hol__spot){x[k], -1, 0});
    return status ? status : climb_all(g, c, x, f);
}

hol_status hol__gather_span(hol__gather *g, hol__passage *c, int parts, double t0, double t1) {
    int some = 0;
    for (int i = 0; i < g->n; i++)
        some |= hol__goal_gathers(&g->goals[i]) || hol__goal_extreme(&g->goals[i]) ||
                hol__goal_crosses(&g->goals[i]);
    hol_status status = take_asked(g, c, t0, t1);
    if (!some || status) return status;
    double *room = hol__alloc(c->sim->ctx, 5 * (size_t)g->n + 1, sizeof *room);
    if (!room) return HOL_ERR_MEMORY;
    const double h = (t1 - t0) / parts;
    for (int k = 0; k < parts && !status; k++) status = gather_part(g, c, t0 + k * h, h, room);
    hol__release(c->sim->ctx, room);
    return status;
}

/* Times that the run has leapt over: at instants that are known from the time it has no state. */
static void take_leapt(hol__gather *g, const hol__passage *c) {
    for (int i = 0; i < g->n; i++) {
        if (g->goals[i].rule != HOL__GOAL_AT || !isnan(g->value[i])) continue;
        if (!(g->goals[i].time <= c->at->t)) continue;
        g->value[i] = g->column[g->goals[i].column];
        g->place[i] = (hol__spot){c->at->t, c->changes - 1, 2};
    }
}

hol_status hol__gather_side(hol__gather *g, hol__passage *c, int behind) {
    const hol_status status = measure(g, c);
    if (status) return status;
    offer_all(g, (hol__spot){c->at->t, c->changes - behind, behind});
    if (behind) take_leapt(g, c);
    return HOL_OK;
}

hol_status hol__gather_end(hol__gather *g, hol__passage *c) {
    const double span = c->at->t - g->start;
    g->end = c->at->t;
    const hol_status status = measure(g, c);
    if (status) return status;
    offer_all(g, (hol__spot){c->at->t, c->changes, 0});
    for (int i = 0; i < g->n; i++) {
        const double now = g->column[g->goals[i].column];
        if (g->goals[i].rule == HOL__GOAL_END) g->value[i] = now;
        if (g->goals[i].rule == HOL__GOAL_INTEGRAL) g->value[i] = g->integral[i];
        if (g->goals[i].rule == HOL__GOAL_MEAN || g->goals[i].rule == HOL__GOAL_SQUARE)
            g->value[i] = span > 0                               ? g->integral[i] / span
                          : g->goals[i].rule == HOL__GOAL_SQUARE ? now * now
                                                                 : now;
        if (hol__goal_is_time(&g->goals[i]) && hol__goal_extreme(&g->goals[i]))
            g->value[i] = g->place[i].t;
    }
    return HOL_OK;
}

/* ---- as the watcher of a run ---- */

static hol_status begin(void *self, hol__passage *c) {
    return hol__gather_begin(self, c);
}

static hol_status span(void *self, hol__passage *c, double t0, double t1) {
    return hol__gather_span(self, c, HOL__GATHER_PARTS, t0, t1);
}

static hol_status before(void *self, hol__passage *c, hol__change_kind kind) {
    (void)kind;
    return hol__gather_side(self, c, 0);
}

static hol_status after(void *self, hol__passage *c, hol__change_kind kind) {
    (void)kind;
    return hol__gather_side(self, c, 1);
}

static hol_status end(void *self, hol__passage *c) {
    return hol__gather_end(self, c);
}

const hol__passage_watcher hol__gather_watcher = {begin, span, before, after, end};

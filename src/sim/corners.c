/* corners.c: where a step leads from one cell of a switch to another.
 *
 * Elements and expressions record the numbers g by whose cells they choose (contact or not, the
 * branch of a condition) at every evaluation of the forces. Over a step g is known at its start,
 * its middle and its end, and at the quarters where it comes near a boundary: where the boundary is
 * within NEAR times the range of the three. Through the five runs the polynomial of degree four.
 *
 * The dense output is a polynomial of that degree or little above, and so are gaps, squares of
 * distances and coordinates of bodies that move freely: a g that dips over a boundary and back
 * between two samples shows in the polynomial. Where it does, or comes within CLOSE of the range,
 * g itself is read there, and the dip is followed down to its bottom by parabolas.
 *
 * The depth of two shapes that pass through each other within a step has a corner where they are
 * nearest, and shows in no polynomial. Such a corner comes with a bound on its rate (thick > 0):
 * from a depth g < 0 nothing can happen for |g|/rate, and what is `thick` is not passed in less
 * than thick/rate, so the step is walked through with the larger of |g| and a quarter of `thick`.
 */
#include "sim/sim.h"

#include <math.h>
#include <string.h>

static const double NEAR = 3, CLOSE = 0.1;

/* Points at which the polynomial is looked at; parabolas that follow a dip. */
enum { POINTS = 32, PARABOLAS = 8 };

/* Rates within a step are at most so many times those at its start, middle and end; and the most
 * places at which a fast corner is looked at. */
static const double FASTER = 1.25;
enum { ADVANCES = 400 };

/* Quarters of quarters of a step in which is looked right behind an event: down to 4e-15 of it. */
enum { DIVISIONS = 24 };

/* How long behind it, in intervals of the search: while the number is rounding. */
enum { BEHIND = 1000 };

/* Crossings of one corner in successive steps before it is let go. */
enum { MOST_AGAIN = 8 };

hol_status hol__corners_init(hol_sim *sim) {
    hol__corners *c = &sim->corners;
    hol__arena *arena = &sim->arena;
    const long count = c->count;
    *c = (hol__corners){.n_model = sim->model->n_corners, .count = count};
    c->n = c->n_model + (sim->switching.n_watches ? sim->laws->n_corners : 0);
    double **const vectors[] = {&c->cell, &c->now, &c->band, &c->low, &c->high};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = HOL__NEW_N(arena, double, c->n);
    for (int k = 0; k < HOL__CORNER_SAMPLES; k++) c->samples[k] = HOL__NEW_N(arena, double, c->n);
    c->last = HOL__NEW_N(arena, long, c->n);
    c->again = HOL__NEW_N(arena, int, c->n);
    c->loose = HOL__NEW_N(arena, unsigned char, c->n);
    c->said = HOL__NEW_N(arena, unsigned char, c->n);
    return arena->failed ? HOL_ERR_MEMORY : HOL_OK;
}

static const hol__corner *corner(const hol_sim *sim, int i) {
    const hol__corners *c = &sim->corners;
    return i < c->n_model ? &sim->model->corners[i] : &sim->laws->corners[i - c->n_model];
}

static double cell_of(const hol_sim *sim, int i, double g) {
    return hol__cell(&corner(sim, i)->cells, g);
}

/* The cell of g, the one at the start of the step where it may be that within the band. */
static double cell_beyond(const hol_sim *sim, int i, double g) {
    const double cell = sim->corners.cell[i], band = sim->corners.band[i];
    if (!(band > 0)) return cell_of(sim, i, g);
    const double low = cell_of(sim, i, g - band), high = cell_of(sim, i, g + band);
    return fmin(fmax(cell, low), high);
}

/* Whether g lies in another cell than at the start of the step; along a curve of many pieces a step
 * may lead into the next one, but not over it. */
static int is_other(const hol_sim *sim, int i, double g) {
    const double by = fabs(cell_beyond(sim, i, g) - sim->corners.cell[i]);
    return !sim->corners.loose[i] && corner(sim, i)->thick >= 0 &&
           by > (hol__cells_are_pieces(&corner(sim, i)->cells) ? 1 : 0);
}

int hol__corners_other(const hol_sim *sim, int i, double g) {
    return is_other(sim, i, g);
}

int hol__corners_read(hol_sim *sim) {
    hol__corners *c = &sim->corners;
    int any = 0;
    for (int i = 0; i < c->n; i++) {
        c->now[i] = i < c->n_model ? *hol__recorded(sim->data->scratch, i)
                                   : *hol__recorded(sim->switching.scratch, i - c->n_model);
        any |= is_other(sim, i, c->now[i]);
    }
    return any;
}

/* A contact that gave way until the middles of its shapes nearly met: said once. */
static void say_passed(hol_sim *sim, int i) {
    hol__warn(sim->ctx, NULL, corner(sim, i)->label,
              "at t = %.9g its shapes overlap until their middles nearly meet: they go on "
              "through each other or are pushed out on any side, because the contact is too soft "
              "for this impact; use a larger stiffness, or a rigid_contact",
              sim->data->t);
}

void hol__corners_accept(hol_sim *sim) {
    hol__corners *c = &sim->corners;
    for (int i = 0; i < c->n; i++) {
        const double deep = corner(sim, i)->deep;
        if (deep > 0 && c->now[i] > deep && !(c->said[i] & 4)) {
            say_passed(sim, i);
            c->said[i] |= 4;
        }
        const double cell = cell_beyond(sim, i, c->now[i]);
        if (!c->met && c->loose[i] && cell == c->cell[i]) c->loose[i] = 0;
        c->samples[0][i] = c->now[i];
        c->cell[i] = cell;
    }
    c->steps += !c->met;
}

void hol__corners_start(hol_sim *sim) {
    hol__corners *c = &sim->corners;
    for (int i = 0; i < c->n; i++) c->last[i] = -1, c->again[i] = c->loose[i] = 0;
    c->steps = c->met = 0;
    for (int i = 0; i < c->n; i++) c->band[i] = 0;
    hol__corners_read(sim);
    hol__corners_accept(sim);
    c->since = sim->data->t;
}

/* ---- between the samples ---- */

/* The time at the share s of the part of the step that is looked at; never behind its end, of which
 * a sum may be rounded upwards. */
static double time_at(const hol_sim *sim, double s) {
    const double t0 = hol__integrator_old_time(sim->integ), t1 = sim->corners.end;
    return s < 1 ? fmin(t1, t0 + s * (t1 - t0)) : t1;
}

/* Read there; the numbers into out. */
static hol_status sample(hol_sim *sim, double s, double *out, int *any) {
    const hol_status status = hol__sim_read_at(sim, time_at(sim, s), any);
    memcpy(out, sim->corners.now, sizeof *out * (size_t)sim->corners.n);
    return status;
}

/* The range of the samples `by` apart. */
static void range_of(const hol__corners *c, int i, int by, double *low, double *high) {
    *low = INFINITY, *high = -INFINITY;
    for (int k = 0; k < HOL__CORNER_SAMPLES; k += by) {
        *low = fmin(*low, c->samples[k][i]);
        *high = fmax(*high, c->samples[k][i]);
    }
}

/* Whether a boundary may lie within reach of what the start, the middle and the end say. */
static int is_near(const hol_sim *sim, int i) {
    double low, high;
    range_of(&sim->corners, i, 2, &low, &high);
    const double more = NEAR * (high - low);
    return !sim->corners.loose[i] &&
           (is_other(sim, i, low - more) || is_other(sim, i, high + more));
}

/* The polynomial through the five samples at s, 0 … 1. */
static double polynomial(const hol__corners *c, int i, double s) {
    const double x = 4 * s;
    double sum = 0;
    for (int k = 0; k < HOL__CORNER_SAMPLES; k++) {
        double weight = 1;
        for (int j = 0; j < HOL__CORNER_SAMPLES; j++)
            if (j != k) weight *= (x - j) / (k - j);
        sum += weight * c->samples[k][i];
    }
    return sum;
}

/* Where g may lie in another cell though no sample does: where the polynomial is lowest (side -1)
 * or highest (side 1), as a share of the step; 0: nowhere. */
static double suspect(const hol_sim *sim, int i, double *side) {
    const hol__corners *c = &sim->corners;
    double low, high, least = INFINITY, most = -INFINITY, at_least = 0, at_most = 0;
    range_of(c, i, 1, &low, &high);
    for (int k = 1; k < POINTS; k++) {
        const double s = (double)k / POINTS, g = polynomial(c, i, s);
        if (g < least) least = g, at_least = s;
        if (g > most) most = g, at_most = s;
    }
    const double more = CLOSE * (high - low);
    const int down = is_other(sim, i, least - more), up = is_other(sim, i, most + more);
    *side = down ? -1 : 1;
    return down ? at_least : up ? at_most : 0;
}

/* The place where the parabola through three points is level. */
static double vertex(const double x[3], const double f[3]) {
    const double a = (x[1] - x[0]) * (f[1] - f[2]), b = (x[1] - x[2]) * (f[1] - f[0]);
    return x[1] - 0.5 * ((x[1] - x[0]) * a - (x[1] - x[2]) * b) / (a - b);
}

/* A new point y among three, of which the highest stays in the middle where there is one. */
static void take_in(double x[3], double f[3], double y, double fy) {
    const int right = y > x[1], better = fy >= f[1], out = right == better ? 0 : 2;
    x[out] = better ? x[1] : y;
    f[out] = better ? f[1] : fy;
    if (better) x[1] = y, f[1] = fy;
}

/* side * g of corner i at the share s; *at becomes s where it lies in another cell. */
static hol_status look(hol_sim *sim, int i, double s, double side, double *f, double *at) {
    int any;
    const hol_status status = sample(sim, s, sim->corners.high, &any);
    if (status) return status;
    *f = side * sim->corners.now[i];
    if (s > 0 && is_other(sim, i, sim->corners.now[i])) *at = s;
    return HOL_OK;
}

/* Follow corner i near the share s to where it goes farthest to that side; *at: where it lies in
 * another cell, 0: nowhere. */
static hol_status follow(hol_sim *sim, int i, double s, double side, double *at) {
    double x[3] = {fmax(0, s - 0.125), s, fmin(1, s + 0.125)}, f[3], fy = 0;
    hol_status status = HOL_OK;
    *at = 0;
    for (int k = 0; k < 3 && !status && *at == 0; k++) status = look(sim, i, x[k], side, &f[k], at);
    for (int k = 0; k < PARABOLAS && !status && *at == 0; k++) {
        const double y = vertex(x, f);
        if (!(y > x[0] && y < x[2]) || fabs(y - x[1]) < 1e-9) break;
        status = look(sim, i, y, side, &fy, at);
        take_in(x, f, y, fy);
    }
    return status;
}

/* ---- the bracket ---- */

/* The first sample at which something has changed, from k on; its number, or the number of
 * samples. */
static int first_changed(const hol_sim *sim) {
    const hol__corners *c = &sim->corners;
    for (int k = 1; k < HOL__CORNER_SAMPLES; k++)
        for (int i = 0; i < c->n; i++)
            if (is_other(sim, i, c->samples[k][i])) return k;
    return HOL__CORNER_SAMPLES;
}

/* Go from the start towards the end of the step as far as the depth of fast corner i and the bound
 * on its rate allow, and no less than a quarter of what has to be passed; *at: where it lies in
 * another cell, 0: nowhere; *from: the last place where it does not. */
static hol_status advance(hol_sim *sim, int i, double h, double *from, double *at) {
    hol__corners *c = &sim->corners;
    const double thick = corner(sim, i)->thick,
                 rate = FASTER * fmax(c->samples[0][i + 1],
                                      fmax(c->samples[2][i + 1], c->samples[4][i + 1]));
    double s = 0, g = c->samples[0][i];
    hol_status status = HOL_OK;
    *at = 0;
    if (c->loose[i] || !(g < 0) || !(rate * h > thick)) return HOL_OK;
    for (int k = 0; k < ADVANCES && !status && *at == 0; k++) {
        *from = s;
        s += fmax(-g, 0.25 * thick) / (rate * h);
        if (!(s < 1)) break;
        status = look(sim, i, s, 1, &g, at);
    }
    return status;
}

/* The first place of all fast corners where one has changed. */
static hol_status advance_all(hol_sim *sim, double h, double *from, double *first) {
    hol_status status = HOL_OK;
    *first = *from = 0;
    for (int i = 0; i < sim->corners.n && !status; i++) {
        double at = 0, before = 0;
        if (corner(sim, i)->thick > 0) status = advance(sim, i, h, &before, &at);
        if (at > 0 && (*first == 0 || at < *first)) *first = at, *from = before;
    }
    return status;
}

/* Right behind an event a number may be zero but for rounding, and leave its cell for a moment that
 * no sample of a long step sees (a low rebound): look close to the start, ever further; *at: where
 * one lies in another cell, 0: nowhere; *from: the last place where none does. */
static hol_status look_behind(hol_sim *sim, double *from, double *at) {
    hol_status status = HOL_OK;
    const double t = hol__integrator_old_time(sim->integ);
    *from = *at = 0;
    if (!sim->events.n || t - sim->corners.since > BEHIND * hol__sim_same_instant(t)) return HOL_OK;
    for (int k = DIVISIONS; k > 0 && !status && *at == 0; k--) {
        int any;
        const double s = ldexp(1, -2 * k);
        status = sample(sim, s, sim->corners.high, &any);
        *(hol__corners_changed(sim, sim->corners.now) >= 0 ? at : from) = s;
    }
    return status;
}

hol_status hol__corners_bracket(hol_sim *sim, double *low, double *high) {
    hol__corners *c = &sim->corners;
    const double t0 = hol__integrator_old_time(sim->integ), h = c->end - t0;
    int any, near = 0;
    *low = *high = t0;
    double fast = 0, before = 0;
    hol_status status = look_behind(sim, &before, &fast);
    if (status || fast > 0) {
        *low = time_at(sim, before), *high = time_at(sim, fast);
        return status;
    }
    status = sample(sim, 1, c->samples[4], &any);
    if (!status) status = sample(sim, 0.5, c->samples[2], &any);
    for (int i = 0; i < c->n && !status; i++) near |= is_near(sim, i);
    if (!status) status = advance_all(sim, h, &before, &fast);
    if (status || !(near || fast > 0)) return status;
    status = sample(sim, 0.25, c->samples[1], &any);
    if (!status) status = sample(sim, 0.75, c->samples[3], &any);
    if (status) return status;
    const int k = first_changed(sim);
    double first = k < HOL__CORNER_SAMPLES ? 0.25 * k : 0, from = 0.25 * (k - 1);
    if (fast > 0 && (first == 0 || fast < first)) first = fast, from = before;
    for (int i = 0; i < c->n && !status; i++) {
        double at = 0, side;
        const double s = c->loose[i] ? 0 : suspect(sim, i, &side);
        if (s > 0 && (first == 0 || s < from)) status = follow(sim, i, s, side, &at);
        if (at > 0 && (first == 0 || at < first)) first = at, from = fmax(0, at - 0.25);
    }
    if (status || first == 0) return status;
    *low = time_at(sim, from);
    *high = time_at(sim, first);
    return HOL_OK;
}

int hol__corners_changed(const hol_sim *sim, const double *g) {
    for (int i = 0; i < sim->corners.n; i++)
        if (is_other(sim, i, g[i])) return i;
    return -1;
}

double hol__corners_depth(const hol_sim *sim, int i, double g) {
    const hol__corners *c = &sim->corners;
    return g - hol__cell_boundary(&corner(sim, i)->cells, c->samples[0][i], c->high[i]);
}

/* ---- back and forth ---- */

/* The law goes back and forth: said once. */
static void say_loose(hol_sim *sim, int i) {
    hol__warn(sim->ctx, NULL, corner(sim, i)->label,
              "at t = %.9g a condition in its law goes back and forth from step to step: what it "
              "switches drives it back; steps do not end at it while this lasts. Make the law "
              "continuous, such as tanh(v/0.01) instead of sign(v)",
              sim->data->t);
}

/* What begins and ends within one fixed step is not resolved by it: said once. */
static void say_short(hol_sim *sim, int i) {
    hol__warn(sim->ctx, NULL, corner(sim, i)->label,
              "at t = %.9g it begins and ends to act (or a condition in its law does) within one "
              "fixed step of %.6g s, which is too long to follow it; use a smaller one, or error "
              "control",
              sim->data->t, sim->options[HOL__OPT_STEP]);
}

void hol__corners_crossed(hol_sim *sim) {
    hol__corners *c = &sim->corners;
    for (int i = 0; i < c->n; i++) {
        if (!is_other(sim, i, c->now[i])) continue;
        const int at_once = c->last[i] == c->steps;
        c->count++;
        c->again[i] = at_once ? c->again[i] + 1 : 0;
        c->last[i] = c->steps;
        /* events happen at their instants, however close to each other */
        const int resolved = sim->events.n && i >= c->n_model;
        if (at_once && !resolved && sim->options[HOL__OPT_STEP] > 0 && !(c->said[i] & 1)) {
            say_short(sim, i);
            c->said[i] |= 1;
        }
        if (c->again[i] < MOST_AGAIN) continue;
        if (!(c->said[i] & 2)) say_loose(sim, i);
        c->said[i] |= 2;
        c->loose[i] = 1;
        c->again[i] = 0;
    }
}

void hol__corners_walk(hol_sim *sim, hol__archive *archive) {
    hol__corners *c = &sim->corners;
    HOL__ARCHIVE_N(archive, c->cell, c->n);
    HOL__ARCHIVE_N(archive, c->band, c->n);
    HOL__ARCHIVE_N(archive, c->samples[0], c->n);
    HOL__ARCHIVE_N(archive, c->last, c->n);
    HOL__ARCHIVE_N(archive, c->again, c->n);
    HOL__ARCHIVE_N(archive, c->loose, c->n);
    HOL__ARCHIVE_N(archive, c->said, c->n);
    HOL__ARCHIVE(archive, c->steps);
    HOL__ARCHIVE(archive, c->since);
    HOL__ARCHIVE(archive, c->count);
}

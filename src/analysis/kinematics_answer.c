/* kinematics_answer.c: what is told of a driven motion: extremes, curves of points, singular
 * positions, loads of drivers, transmission.
 *
 * Curves: over a whole cycle of equal samples sums are as exact as the curve is smooth,
 *     area = 1/2 sum (x y' - y x') h,   length = sum |(x', y')| h
 * with derivatives by central differences of eighth order around the cycle.
 *
 * Extremes between samples are those of the polynomial of degree four through the five samples
 * around the least or the largest one: with N samples a turn the value is off by some (2 pi/N)^6.
 */
#include "analysis/actuated.h"
#include "analysis/kinematics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A column of the samples. */
static double sample(const hol__kinematics *k, int i, int column) {
    return k->samples[(size_t)i * (size_t)k->columns + (size_t)column];
}

/* A number at sample i. */
typedef double sampled(const hol__kinematics *k, int i, int column);

/* What it takes to drive joint j at sample i. */
static double load_at(const hol__kinematics *k, int i, int j) {
    return k->loads[(size_t)i * (size_t)k->sim->model->n_joints + (size_t)j];
}

/* The samples at which a number is least and largest; -1: it is none. */
static void find_extremes(const hol__kinematics *k, sampled *f, int column, int at[2]) {
    at[0] = at[1] = -1;
    for (int i = 0; i < k->taken; i++) {
        const double x = f(k, i, column);
        if (!isfinite(x)) continue;
        if (at[0] < 0 || x < f(k, at[0], column)) at[0] = i;
        if (at[1] < 0 || x > f(k, at[1], column)) at[1] = i;
    }
}

/* Value and time of the extreme at sample i: between the samples where five around it are evenly
 * apart and smooth enough for the polynomial to say more than the parabola through three. */
static void refine(const hol__kinematics *k, sampled *f, int column, int i, double *value,
                   double *time) {
    *value = f(k, i, column);
    *time = k->times[i];
    if (i < 2 || i + 2 >= k->taken) return;
    const double h = k->times[i] - k->times[i - 1], y = *value, a = f(k, i - 2, column) - y,
                 b = f(k, i - 1, column) - y, c = f(k, i + 1, column) - y,
                 d = f(k, i + 2, column) - y;
    for (int j = -1; j <= 2; j++)
        if (!(fabs(k->times[i + j] - k->times[i + j - 1] - h) < 1e-6 * h)) return;
    const double p1 = (a - 8 * b + 8 * c - d) / 12, p2 = (-a + 16 * b + 16 * c - d) / 24,
                 p3 = (-a + 2 * b - 2 * c + d) / 12, p4 = (a - 4 * b - 4 * c + d) / 24;
    if (!(fabs(p3) + fabs(p4) < 0.1 * fabs(p2))) return;
    double s = -p1 / (2 * p2);
    for (int j = 0; j < 20; j++)
        s -=
            (p1 + s * (2 * p2 + s * (3 * p3 + s * 4 * p4))) / (2 * p2 + s * (6 * p3 + s * 12 * p4));
    if (!(fabs(s) <= 1)) return;
    *value = y + s * (p1 + s * (p2 + s * (p3 + s * p4)));
    *time = k->times[i] + s * h;
}

/* The least and the largest value of a number over the motion, with their times; NaN: none. */
static void extremes_of(const hol__kinematics *k, sampled *f, int column, double value[2],
                        double time[2]) {
    int at[2];
    find_extremes(k, f, column, at);
    for (int i = 0; i < 2; i++) {
        value[i] = time[i] = NAN;
        if (at[i] >= 0) refine(k, f, column, at[i], &value[i], &time[i]);
    }
}

static void tell_extremes(const hol__kinematics *k, hol_answer *answer) {
    const hol_model *m = k->sim->whole;
    if (!k->columns) return;
    hol__sheet *values = hol__answer_sheet(answer, "extremes", "measures over the motion", 3),
               *times = hol__answer_sheet(answer, "times", "when they are least and largest", 2);
    static const char *const names[3] = {"minimum", "maximum", "range"};
    for (int i = 0; i < 3; i++) hol__sheet_column(values, i, names[i], "");
    for (int i = 0; i < 2; i++) hol__sheet_column(times, i, names[i], "s");
    for (int c = 0; c < k->columns; c++) {
        double *x = hol__sheet_add(values, m->columns[c].name);
        hol__sheet_row_unit(values, c, m->columns[c].unit);
        hol__sheet_row_shown(values, c, hol__model_asked_unit(m, c));
        double *t = hol__sheet_add(times, m->columns[c].name);
        if (x && t) extremes_of(k, sample, c, x, t);
        if (x) x[2] = x[1] - x[0];
    }
}

/* ---- curves ---- */

/* Whether the columns end where they begin, after equal intervals. */
static int is_closed(const hol__kinematics *k, int x, int y, double extent) {
    const int last = k->taken - 1;
    if (last < 16) return 0;
    const double h = (k->times[last] - k->times[0]) / last;
    return fabs(k->times[1] - k->times[0] - h) < 1e-6 * h &&
           fabs(k->times[last] - k->times[last - 1] - h) < 1e-6 * h &&
           hypot(sample(k, last, x) - sample(k, 0, x), sample(k, last, y) - sample(k, 0, y)) <
               1e-9 * extent;
}

/* h times the derivative of a column at sample i of n around the cycle. */
static double slope(const hol__kinematics *k, int column, int i, int n) {
    static const double weight[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    double sum = 0;
    for (int j = 0; j < 4; j++)
        sum += weight[j] *
               (sample(k, (i + j + 1) % n, column) - sample(k, (i - j - 1 + n) % n, column));
    return sum;
}

/* Extent, length and area of the curve of two columns. */
static void tell_curve(const hol__kinematics *k, hol__sheet *sheet, int x, int y,
                       const char *name) {
    double ax[2], ay[2], times[2];
    extremes_of(k, sample, x, ax, times);
    extremes_of(k, sample, y, ay, times);
    double *row = hol__sheet_add(sheet, name);
    if (!row || !isfinite(ax[0]) || !isfinite(ay[0])) return;
    row[0] = ax[1] - ax[0];
    row[1] = ay[1] - ay[0];
    row[2] = row[3] = NAN;
    if (!is_closed(k, x, y, row[0] + row[1])) return;
    const int n = k->taken - 1;
    row[2] = row[3] = 0;
    for (int i = 0; i < n; i++) {
        const double dx = slope(k, x, i, n), dy = slope(k, y, i, n);
        row[2] += hypot(dx, dy);
        row[3] += 0.5 * (sample(k, i, x) * dy - sample(k, i, y) * dx);
    }
}

/* Whether a measure is the place of a point in the plane. */
static int is_place(const hol_model *m, const hol__measure *measure) {
    return m->dim == 2 && strcmp(measure->kind->name, "position") == 0 && measure->count == 2;
}

static void tell_curves(const hol__kinematics *k, hol_answer *answer) {
    const hol_model *m = k->sim->whole;
    hol__sheet *sheet = NULL;
    static const char *const names[4] = {"extent x", "extent y", "length", "area"};
    for (int i = 0; i < m->n_measures; i++) {
        const hol__measure *measure = &m->measures[i];
        const int c = measure->first;
        if (!is_place(m, measure)) continue;
        if (!sheet) {
            sheet = hol__answer_sheet(answer, "curves", "curves of points", 4);
            for (int j = 0; j < 4; j++) hol__sheet_column(sheet, j, names[j], j == 3 ? "m^2" : "m");
        }
        tell_curve(k, sheet, c, c + 1, measure->name);
    }
}

/* Every measure over time, and the paths of the points that are measured. */
static void tell_motion(const hol__kinematics *k, hol_answer *answer) {
    const hol_model *m = k->sim->whole;
    if (!k->how.motion || !k->columns) return;
    hol__sheet *sheet = hol__answer_sheet(answer, "motion", "the motion", 1 + k->columns);
    hol__sheet_column(sheet, 0, "time", "s");
    for (int c = 0; c < k->columns; c++) {
        hol__sheet_column(sheet, 1 + c, m->columns[c].name, m->columns[c].unit);
        hol__sheet_column_shown(sheet, 1 + c, hol__model_asked_unit(m, c));
    }
    for (int i = 0; i < k->taken; i++) {
        double *row = hol__sheet_add(sheet, NULL);
        if (!row) return;
        row[0] = k->times[i];
        for (int c = 0; c < k->columns; c++) row[1 + c] = sample(k, i, c);
    }
    hol__sheet_plot(sheet, 0, 0, 0);
    for (int i = 0; i < m->n_measures; i++)
        if (is_place(m, &m->measures[i]))
            hol__sheet_path(sheet, 1 + m->measures[i].first, 2 + m->measures[i].first, 0);
}

/* ---- the rest ---- */

static void tell_singular(const hol__kinematics *k, hol_answer *answer) {
    const int n = k->n_singular < HOL__SINGULAR_KEPT ? k->n_singular : HOL__SINGULAR_KEPT;
    hol__answer_number(answer, "singular", "singular positions", k->n_singular, "");
    if (!n) return;
    hol__sheet *sheet = hol__answer_sheet(
        answer, "singular",
        "singular positions, in which branches meet; the motion went on straight", 1);
    hol__sheet_column(sheet, 0, "time", "s");
    for (int i = 0; i < n; i++) {
        double *row = hol__sheet_add(sheet, k->lost[i]);
        if (row) row[0] = k->singular[i];
    }
}

/* What it takes to drive each driver, over the motion. */
static void tell_loads(const hol__kinematics *k, hol_answer *answer) {
    const hol_model *m = k->sim->whole;
    static const char *const names[3] = {"minimum", "maximum", "root mean square"};
    hol__sheet *sheet = NULL;
    for (int j = 0, row = 0; j < m->n_joints && k->how.loads; j++) {
        if (!hol__is_driver(m, j)) continue;
        if (!sheet) {
            sheet = hol__answer_sheet(answer, "loads", "loads of drivers", 3);
            for (int i = 0; i < 3; i++) hol__sheet_column(sheet, i, names[i], "");
        }
        double *x = hol__sheet_add(sheet, m->joints[j].name);
        hol__sheet_row_unit(sheet, row++, m->joints[j].pushes ? "N" : "N*m");
        double times[2];
        if (!x) return;
        extremes_of(k, load_at, j, x, times);
        for (int i = 0; i < k->taken; i++)
            x[2] += isfinite(load_at(k, i, j)) ? load_at(k, i, j) * load_at(k, i, j) : 0;
        x[2] = sqrt(x[2] / k->taken);
    }
}

/* The acute angle between two lines, from one between them. */
static double acute(const hol__kinematics *k, int i, int column) {
    return asin(fmin(1, fabs(sin(sample(k, i, column)))));
}

/* How an angle between links transmits: the acute angle between their lines. */
static hol_status tell_transmission(const hol__kinematics *k, hol_answer *answer) {
    const char *name = k->how.transmission;
    const hol_model *m = k->sim->whole;
    if (!name) return HOL_OK;
    const int column = hol__model_named(m, HOL__COLUMNS, name);
    if (column < 0 || strcmp(m->columns[column].unit, "rad") != 0)
        return hol__report(k->sim->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "kinematics",
                           "'%s' is not a measure of an angle; measure that between the links, for "
                           "example mu: {type: expression, value: coupler - follower} of two "
                           "measures of angles",
                           name);
    double least, most, at, when;
    int low = 0, high = 0, through = -1;
    for (int i = 1; i < k->taken; i++) {
        if (acute(k, i, column) < acute(k, low, column)) low = i;
        if (acute(k, i, column) > acute(k, high, column)) high = i;
        if (sin(sample(k, i, column)) * sin(sample(k, i - 1, column)) <= 0) through = i;
    }
    refine(k, acute, column, low, &least, &at);
    refine(k, acute, column, high, &most, &when);
    if (through >= 0) least = 0, at = k->times[through]; /* links in line between two samples */
    hol__answer_number(answer, "transmission_least", "least transmission angle", least, "rad");
    hol__answer_number(answer, "transmission_time", "least transmission angle at", at, "s");
    hol__answer_number(answer, "transmission_most", "largest transmission angle",
                       fmin(most, 1.5707963267948966), "rad");
    return HOL_OK;
}

hol_status hol__kinematics_tell(hol__kinematics *k, hol_answer *answer) {
    const hol_sim *sim = k->sim;
    int drivers = 0;
    for (int i = 0; i < sim->model->n_joints; i++) drivers += hol__is_driver(sim->model, i);
    hol__answer_number(answer, "drivers", "drivers", drivers, "");
    hol__answer_number(answer, "start", "from", k->times[0], "s");
    hol__answer_number(answer, "end", "to", k->times[k->taken - 1], "s");
    hol__answer_number(answer, "positions", "positions", k->taken, "");
    hol__answer_number(answer, "steps", "steps of the continuation", (double)k->follow->steps, "");
    hol__answer_number(answer, "redundant", "redundant constraints", sim->rank.n_redundant, "");
    hol__answer_number(answer, "position_residual", "largest |Phi|", sim->max_position, "");
    hol__answer_number(answer, "velocity_residual", "largest |A v - b|", sim->max_velocity, "");
    tell_singular(k, answer);
    tell_extremes(k, answer);
    tell_curves(k, answer);
    tell_loads(k, answer);
    tell_motion(k, answer);
    return tell_transmission(k, answer);
}

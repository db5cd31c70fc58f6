/* history.c: what formulas with a history of steps share. See history.h. */
#include "integ/history.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Entries count for no less than this share of their scale; and for how many weights what they
 * count for is held, because masses change slowly. */
static const double LEAST_SHARE = 1e-3;
enum { HELD = 20 };

hol_status hol__history_open(hol__history *history, hol__stepper *stepper) {
    const size_t n = (size_t)stepper->n;
    history->stepper = stepper;
    double **const vectors[] = {&history->y_end, &history->at, &history->base, &history->w,
                                &history->f,     &history->e,  &history->share};
    const size_t count = sizeof vectors / sizeof *vectors;
    history->block = hol__alloc(stepper->ctx, count * n, sizeof *history->block);
    for (size_t i = 0; history->block && i < count; i++) *vectors[i] = history->block + i * n;
    history->t_end = NAN;
    return history->block ? HOL_OK : HOL_ERR_MEMORY;
}

void hol__history_close(hol__history *history) {
    hol__release(history->stepper->ctx, history->block);
}

void hol__history_reset(hol__stepper *stepper) {
    hol__history *history = stepper->state;
    history->begun = 0;
    history->t_end = NAN;
}

/* Nothing of the history is kept. */
void hol__history_archive(hol__stepper *stepper, hol__archive *archive) {
    if (hol__archive_reads(archive)) hol__history_reset(stepper);
}

int hol__history_answer(hol__history *history, hol_status status) {
    if (status) history->status = status;
    return status < 0 ? -1 : status > 0;
}

hol_status hol__history_outcome(const hol__history *history, int flag, int no_memory) {
    if (history->status < 0) return history->status;
    if (flag >= 0) return HOL_OK;
    if (no_memory) return HOL_ERR_MEMORY;
    return history->status ? history->status : HOL_NOT_CONVERGED;
}

void hol__history_say(hol__history *history, const char *library, const char *text) {
    hol__stepper *stepper = history->stepper;
    snprintf(stepper->said, sizeof stepper->said, "%s: %s", library, text);
}

const double *hol__history_seen(hol__history *history, const double *y) {
    for (int i = 0; i < history->stepper->n; i++) history->at[i] = y[i] - history->base[i];
    return history->at;
}

/* By entry, what an error of its scale counts for: the largest that it becomes, in scales. */
static void find_shares(hol__history *history, const double *scale) {
    const hol__system *system = history->stepper->system;
    const int n = history->stepper->n;
    double *const e = history->e;
    for (int i = 0; i < n; i++) {
        double most = 0;
        memset(e, 0, sizeof *e * (size_t)n);
        e[i] = scale[i];
        const hol_status status = system->weigh ? system->weigh(system->self, e) : HOL_OK;
        for (int j = 0; j < n; j++) most = fmax(most, fabs(e[j]) / scale[j]);
        history->share[i] = status || !isfinite(most) ? 1 : fmax(LEAST_SHARE, most);
    }
}

void hol__history_weights(hol__history *history, const double *y, double *w) {
    const hol__system *system = history->stepper->system;
    const int n = history->stepper->n;
    const double *at = hol__history_seen(history, y);
    for (int i = 0; i < n; i++) w[i] = 1 + fabs(at[i]);
    if (system->scale) system->scale(system->self, at, w);
    if (system->weigh && history->weighed-- <= 0) {
        find_shares(history, w);
        history->weighed = HELD;
    }
    for (int i = 0; i < n; i++)
        w[i] = (system->weigh ? history->share[i] : 1) / (history->tolerance * w[i]);
}

/* No iteration gets below some 50 eps of the scale. */
double hol__history_left_over(const hol__history *history) {
    return fmax(HOL__HISTORY_LEFT_OVER, 1e-14 / history->tolerance);
}

/* ---- steps */

int hol__history_continues(const hol__history *history, const hol__step *step) {
    return history->begun && history->t_end == step->t &&
           memcmp(history->y_end, step->y_old,
                  sizeof *history->y_end * (size_t)history->stepper->n) == 0;
}

/* f at the end of an explicit step, in f. Where it has no value there (behind the end of a table)
 * the step is shorter, down to what is rounding of the time. */
static hol_status look_ahead(hol__history *history, const hol__step *step, double *probe) {
    hol__stepper *stepper = history->stepper;
    const double least = 16 * DBL_EPSILON * fmax(fabs(step->t), fabs(step->t_new));
    hol_status status;
    for (;; *probe /= 16) {
        for (int i = 0; i < stepper->n; i++)
            history->at[i] = step->y_old[i] + *probe * step->f_old[i];
        status = hol__stepper_rhs(stepper, step->t + *probe, history->at, history->f);
        if (!status && !hol__all_finite(stepper->n, history->f)) status = HOL_NONFINITE;
        if (status <= 0 || *probe < 16 * least) return status;
    }
}

double hol__history_begin(hol__history *history, hol__step *step) {
    hol__stepper *stepper = history->stepper;
    const int n = stepper->n;
    double *const w = history->w, *const f = history->f;
    double d1 = 0, d2 = 0;
    stepper->starts++;
    memset(history->base, 0, sizeof *history->base * (size_t)n);
    history->weighed = 0;
    if (step->first > 0) return step->first;
    if (hol__history_answer(history, hol__stepper_first(stepper, step))) return 0;
    hol__history_weights(history, step->y_old, w);
    for (int i = 0; i < n; i++) d1 += pow(step->f_old[i] * w[i] * history->tolerance, 2);
    double probe = fmin(step->t_new - step->t, 0.01 / sqrt(d1 / n + 1e-20));
    if (hol__history_answer(history, look_ahead(history, step, &probe))) return 0;
    for (int i = 0; i < n; i++) d2 += pow((f[i] - step->f_old[i]) * w[i], 2);
    double h = fmin(sqrt(0.5 * probe / (sqrt(d2 / n) + 1e-300)), 10 * probe);
    if (step->longest > 0) h = fmin(h, step->longest);
    return isfinite(h) ? fmin(h, step->t_new - step->t) : 0;
}

void hol__history_end(hol__history *history, const hol__step *step) {
    memcpy(history->y_end, step->y, sizeof *step->y * (size_t)history->stepper->n);
    history->t_end = step->t_new;
}

double hol__history_off(hol__history *history, const hol__step *step, const double *y) {
    const int n = history->stepper->n;
    double sum = 0;
    hol__history_weights(history, y, history->w);
    const double *at = hol__history_seen(history, y);
    for (int i = 0; i < n; i++) sum += pow((step->y[i] - at[i]) * history->w[i], 2);
    return sqrt(sum / n);
}

/* The history goes on relative to another base, unless its numbers have become so large that
 * rounding is felt. */
void hol__history_shift(hol__stepper *stepper, const double *before, const double *now) {
    hol__history *history = stepper->state;
    double most = 0;
    if (isnan(history->t_end)) return;
    for (int i = 0; i < stepper->n; i++) history->f[i] = before[i] + history->base[i];
    hol__history_weights(history, history->f, history->w);
    for (int i = 0; i < stepper->n; i++) {
        history->base[i] += before[i] - now[i];
        most = fmax(most, fabs(history->base[i]) * history->w[i]);
    }
    memcpy(history->y_end, now, sizeof *now * (size_t)stepper->n);
    if (most * DBL_EPSILON > HOL__HISTORY_LEFT_OVER) history->t_end = NAN;
}

/* ---- inside */

/* p(t) as the system sees it, in at. */
static const double *inside(hol__history *history, double t) {
    return hol__history_seen(history, history->inside(history, t));
}

/* y(s) where there is no history to the step, which was loaded: the cubic of both ends. */
static hol_status cubic(hol__stepper *stepper, hol__step *step, double s, double *y) {
    hol_status status = hol__stepper_first(stepper, step);
    if (!status) status = hol__stepper_last(stepper, step);
    if (!status) hol__cubic(stepper->n, step, s, step->f_old, step->f, y);
    return status;
}

hol_status hol__history_dense(hol__stepper *stepper, hol__step *step, double s, double *y) {
    hol__history *history = stepper->state;
    const int n = stepper->n;
    if (!history->begun) return cubic(stepper, step, s, y);
    const double *p = inside(history, step->t);
    for (int i = 0; i < n; i++) y[i] = (1 - s) * (step->y_old[i] - p[i]);
    p = inside(history, step->t_new);
    for (int i = 0; i < n; i++) y[i] += s * (step->y[i] - p[i]);
    p = inside(history, step->t + s * (step->t_new - step->t));
    for (int i = 0; i < n; i++) y[i] += p[i];
    return HOL_OK;
}

/* The end is the projected state inside; the next step does not start where the library stands. */
hol_status hol__history_shorten(hol__stepper *stepper, hol__step *step, double t_new) {
    hol__history *history = stepper->state;
    const double s = (t_new - step->t) / (step->t_new - step->t);
    const hol_status status = hol__history_dense(stepper, step, s, history->y_end);
    if (status) return status;
    memcpy(step->y, history->y_end, sizeof *step->y * (size_t)stepper->n);
    history->t_end = NAN;
    step->t_new = t_new;
    step->h = t_new - step->t;
    return hol__stepper_project(stepper, step);
}

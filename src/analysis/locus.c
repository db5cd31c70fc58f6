/* locus.c: hol_locus: eigenvalues over a parameter, and where they cross the border of stability.
 *
 * The model is compiled with every value and started; at each the eigenvalues are those of
 * hol_linearize. Between neighbouring values with another number of eigenvalues of positive real
 * part (zeros do not count, spectrum.h) an eigenvalue has crossed the border: halving the interval
 * finds where, down to neighbouring numbers, with no need to know which of them it is. Branches are
 * followed for the table alone, each to the nearest eigenvalue that is not taken.
 */
#include "analysis/linearize.h"

#include "analysis/parameter_tangent.h"
#include "base/argument.h"
#include "compile/compile.h"

#include <holonom/options.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VALUES = 101, HALVINGS = 80 };

typedef struct locus {
    hol_context *ctx;
    const hol_spec *spec;
    const hol_options *options;
    const hol_locus_options *how;
    const char *coordinates;
    double base; /* the value in the description */
    hol__arena arena;
} locus;

/* The eigenvalues at one value. */
typedef struct roots {
    hol__spectrum x; /* without vectors */
    int growing;
    hol__motion motion;
} roots;

/* Whether an eigenvalue grows: rounding of one on the border does not count. */
static int grows(double re, double im) {
    return re > 4 * DBL_EPSILON * hypot(re, im);
}

static hol_status keep(locus *l, const hol__small *s, const hol__spectrum *x, roots *out) {
    const size_t n = (size_t)x->n;
    *out = (roots){.x = *x, .motion = s->motion};
    out->x.re = HOL__NEW_N(&l->arena, double, n + 1);
    out->x.im = HOL__NEW_N(&l->arena, double, n + 1);
    out->x.split = HOL__NEW_N(&l->arena, int, n + 1);
    out->x.vectors = NULL;
    if (l->arena.failed) return HOL_ERR_MEMORY;
    memcpy(out->x.re, x->re, sizeof(double) * n);
    memcpy(out->x.im, x->im, sizeof(double) * n);
    memcpy(out->x.split, x->split, sizeof(int) * n);
    for (int k = 0; k < x->n - x->n_zero; k++) out->growing += grows(x->re[k], x->im[k]);
    return HOL_OK;
}

/* Roots of the mechanism as it starts, or at a time of its run. */
static hol_status roots_of(locus *l, hol_sim *sim, const hol__spectrum *like, roots *out) {
    hol__small *s = NULL;
    hol__spectrum x;
    hol_sim_info info = {.size = sizeof info};
    hol_sim_describe(sim, &info);
    hol_status status = hol_sim_advance(sim, l->how->at > info.t ? l->how->at : info.t);
    if (!status) status = hol__small_new(hol_sim_data(sim), l->how->settle, &s);
    if (!status) status = hol__small_spectrum(s, like, &x);
    if (!status) status = keep(l, s, &x, out);
    hol__small_free(s);
    return status;
}

static hol_status roots_at(locus *l, double value, const hol__spectrum *like, roots *out) {
    hol__shift shift = {.name = l->how->parameter, .by = value - l->base};
    hol_model *model = hol__model_compile_shifted(l->ctx, l->spec, l->coordinates, &shift);
    hol_sim *sim = model ? hol_sim_new(l->ctx, model, l->options) : NULL;
    hol_status status = sim ? roots_of(l, sim, like, out) : hol__why_not_made(l->ctx);
    hol_sim_free(sim);
    hol_model_free(model);
    if (status)
        hol__report(l->ctx, HOL_ERROR, status < 0 ? status : HOL_ERR_SINGULAR, NULL, NULL,
                    "this was with %s = %.10g", l->how->parameter, value);
    return status;
}

/* ---- crossings ---- */

/* The eigenvalue that is nearest to the border among those that are not zero. */
static int nearest(const roots *r) {
    int best = -1;
    for (int k = 0; k < r->x.n - r->x.n_zero; k++)
        if (r->x.im[k] >= 0 && (best < 0 || fabs(r->x.re[k]) < fabs(r->x.re[best]))) best = k;
    return best;
}

/* One crossing between a and b, whose numbers differ, into the table; what is left between it and b
 * is looked at again. */
static hol_status cross(locus *l, double a, const roots *at_a, double b, const roots *at_b,
                        hol__sheet *sheet) {
    roots low = *at_a, high = *at_b;
    double end = b;
    /* an eigenvalue that goes through zero is none of those that are always zero */
    const hol__spectrum like = at_a->x.n_zero <= at_b->x.n_zero ? at_a->x : at_b->x;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (a + end);
        if (middle == a || middle == end) break;
        roots there;
        const hol_status status = roots_at(l, middle, &like, &there);
        if (status) return status;
        if (there.growing == low.growing)
            a = middle, low = there;
        else
            end = middle, high = there;
    }
    const int k = nearest(&high), j = nearest(&low);
    double *row = hol__sheet_add(sheet, NULL);
    if (!row) return HOL_ERR_MEMORY;
    const double im = k >= 0 ? high.x.im[k] : j >= 0 ? low.x.im[j] : 0;
    row[0] = 0.5 * (a + end);
    row[1] = im;
    row[2] = im / (2 * acos(-1.0));
    row[3] = low.growing;
    row[4] = high.growing;
    if (high.growing == at_b->growing || end >= b) return HOL_OK;
    return cross(l, end, &high, b, at_b, sheet);
}

/* ---- the table ---- */

/* The eigenvalues of `now` in the order of the branches of `last`: to[k] is the place of
 * eigenvalue k. Zeros stay last in all. */
static void follow(const roots *last, roots *now, double *re, double *im, unsigned char *taken) {
    const int n = now->x.n;
    memset(taken, 0, (size_t)n);
    for (int k = 0; k < n; k++) {
        int best = -1;
        double least = INFINITY;
        for (int j = 0; j < n; j++) {
            const double d = hypot(now->x.re[j] - last->x.re[k], now->x.im[j] - last->x.im[k]);
            if (!taken[j] && d < least) best = j, least = d;
        }
        taken[best] = 1;
        re[k] = now->x.re[best];
        im[k] = now->x.im[best];
    }
    memcpy(now->x.re, re, sizeof(double) * (size_t)n);
    memcpy(now->x.im, im, sizeof(double) * (size_t)n);
}

static hol__sheet *locus_sheet(hol_answer *answer, const locus *l, int n) {
    char name[32];
    hol__sheet *sheet =
        hol__answer_sheet(answer, "locus", "eigenvalues over the parameter", 1 + 2 * n);
    hol__sheet_column(sheet, 0, l->how->parameter, "");
    for (int k = 0; k < n; k++) {
        snprintf(name, sizeof name, "real %d", k + 1);
        hol__sheet_column(sheet, 1 + k, name, "1/s");
        snprintf(name, sizeof name, "imaginary %d", k + 1);
        hol__sheet_column(sheet, 1 + n + k, name, "1/s");
    }
    hol__sheet_plot(sheet, 0, 0, 0);
    return sheet;
}

static hol_status other_mechanism(locus *l, double value) {
    return hol__report(l->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                       "with %s = %.10g the mechanism has another number of states than with "
                       "%.10g; take a range within which it stays the same",
                       l->how->parameter, value, l->how->from);
}

/* One row of the table of the locus. */
static hol_status add_row(hol__sheet *sheet, double value, const roots *r) {
    double *row = hol__sheet_add(sheet, NULL);
    if (!row) return HOL_ERR_MEMORY;
    row[0] = value;
    memcpy(row + 1, r->x.re, sizeof(double) * (size_t)r->x.n);
    memcpy(row + 1 + r->x.n, r->x.im, sizeof(double) * (size_t)r->x.n);
    return HOL_OK;
}

static hol_status walk(locus *l, hol_answer *answer) {
    const int count = l->how->n > 1 ? l->how->n : VALUES;
    roots last, now;
    double from = l->how->from;
    int unsteady = 0;
    hol_status status = roots_at(l, from, NULL, &last);
    if (status) return status;
    const int n = last.x.n;
    double *re = HOL__NEW_N(&l->arena, double, n + 1), *im = HOL__NEW_N(&l->arena, double, n + 1);
    unsigned char *taken = HOL__NEW_N(&l->arena, unsigned char, n + 1);
    if (l->arena.failed) return HOL_ERR_MEMORY;
    hol__sheet *sheet = locus_sheet(answer, l, n),
               *crossings = hol__answer_sheet(answer, "crossings",
                                              "where eigenvalues cross the border of stability", 5);
    static const char *const names[] = {"imaginary", "frequency", "growing_below", "growing_above"};
    static const char *const units[] = {"1/s", "Hz", "", ""};
    hol__sheet_column(crossings, 0, l->how->parameter, "");
    for (int k = 0; k < 4; k++) hol__sheet_column(crossings, 1 + k, names[k], units[k]);
    status = add_row(sheet, from, &last);
    unsteady += last.motion == HOL__MOTION_STATE;
    for (int i = 1; i < count && !status; i++) {
        const double value = i == count - 1
                                 ? l->how->to
                                 : l->how->from + (l->how->to - l->how->from) * i / (count - 1);
        status = roots_at(l, value, NULL, &now);
        if (!status && now.x.n != n) return other_mechanism(l, value);
        if (!status && now.growing != last.growing)
            status = cross(l, from, &last, value, &now, crossings);
        if (status) return status;
        follow(&last, &now, re, im, taken);
        status = add_row(sheet, value, &now);
        unsteady += now.motion == HOL__MOTION_STATE;
        last = now;
        from = value;
    }
    if (unsteady)
        hol__answer_text(answer, "unsteady", "states in motion",
                         "%d of %d values: there the eigenvalues are those of an instant", unsteady,
                         count);
    return status;
}

/* The value that the description gives the parameter. */
static hol_status find_base(locus *l) {
    hol__shift shift = {.name = l->how->parameter};
    hol_model *model = hol__model_compile_shifted(l->ctx, l->spec, l->coordinates, &shift);
    hol_model_free(model);
    if (!model) return hol__why_not_made(l->ctx);
    l->base = shift.value;
    if (shift.found) return HOL_OK;
    return hol__report(l->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                       "the model has no parameter '%s'; name one of its section 'parameters'",
                       l->how->parameter);
}

hol_status hol_locus(hol_context *ctx, const hol_spec *spec, const hol_options *options,
                     const hol_locus_options *how, hol_answer **out) {
    static const char call[] = "hol_locus";
    if (!ctx || hol__need(ctx, call, "the description", spec) ||
        hol__need(ctx, call, "what to vary", how) ||
        hol__need(ctx, call, "the parameter", how->parameter) ||
        hol__need(ctx, call, "the answer", out))
        return HOL_ERR_ARGUMENT;
    *out = NULL;
    if (!(how->to > how->from) || !isfinite(how->to - how->from))
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "the values of '%s' must rise from %.10g to %.10g", how->parameter,
                           how->from, how->to);
    locus l = {.ctx = ctx,
               .spec = spec,
               .options = options,
               .how = how,
               .coordinates = options ? hol_options_coordinates(options) : NULL};
    hol__arena_init(&l.arena, ctx);
    hol_answer *answer = hol__answer_of(ctx, "linearize", "root locus", NULL);
    if (!answer) return HOL_ERR_MEMORY;
    hol_status status = find_base(&l);
    if (!status) status = walk(&l, answer);
    hol__arena_free(&l.arena);
    return hol__answer_finish(answer, status > 0 ? HOL_ERR_SINGULAR : status, out);
}

/* locus.c: hol_locus: eigenvalues over a parameter, and where they cross the border of stability.
 *
 * The model is compiled with every value and started; at each the eigenvalues are those of
 * hol_linearize. Between neighbouring values all crossings are sought (locus_cross.c): halving the
 * interval finds where, down to neighbouring numbers, with no need to know which eigenvalue it is.
 */
#include "analysis/locus.h"

#include "analysis/parameter_tangent.h"
#include "base/argument.h"
#include "compile/compile.h"
#include "model/path.h"

#include <holonom/options.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VALUES = 101 };

/* Whether eigenvalue k grows: rounding of one on the border does not count, which is the larger the
 * nearer another one is. */
static int grows(const hol__spectrum *x, int k) {
    const double size = hypot(x->re[k], x->im[k]);
    double apart = size;
    for (int j = 0; j < x->n; j++)
        if (j != k) apart = fmin(apart, hypot(x->re[j] - x->re[k], x->im[j] - x->im[k]));
    return x->re[k] > 4 * DBL_EPSILON * size &&
           x->re[k] * apart > 64 * DBL_EPSILON * size * size * (apart < 0.01 * size);
}

static hol_status keep(hol__locus *l, const hol__small *s, const hol__spectrum *x,
                       hol__roots *out) {
    const size_t n = (size_t)x->n;
    *out = (hol__roots){.x = *x, .motion = s->motion};
    out->x.re = HOL__NEW_N(&l->arena, double, n + 1);
    out->x.im = HOL__NEW_N(&l->arena, double, n + 1);
    out->x.split = HOL__NEW_N(&l->arena, int, n + 1);
    out->x.vectors = NULL;
    if (l->arena.failed) return HOL_ERR_MEMORY;
    memcpy(out->x.re, x->re, sizeof(double) * n);
    memcpy(out->x.im, x->im, sizeof(double) * n);
    memcpy(out->x.split, x->split, sizeof(int) * n);
    for (int k = 0; k < x->n - x->n_zero; k++) out->growing += grows(x, k);
    return HOL_OK;
}

/* Roots of the mechanism as it starts, or at a time of its run. */
static hol_status roots_of(hol__locus *l, hol_sim *sim, const hol__spectrum *like,
                           hol__roots *out) {
    hol__small *s = NULL;
    hol__spectrum x;
    hol_sim_info info = {.size = sizeof info};
    hol_sim_describe(sim, &info);
    hol_status status = hol_sim_advance(sim, l->how->at > info.t ? l->how->at : info.t);
    if (!status) status = hol__small_about(sim, l->how->settle, &s);
    if (!status) status = hol__small_spectrum(s, like, &x);
    if (!status) status = keep(l, s, &x, out);
    hol__small_free(s);
    return status;
}

/* The model with a value of the parameter. One whose elements come and go is compiled again in its
 * run, from its own description: there the value is set in that. */
static hol_model *model_at(hol__locus *l, double value) {
    hol__shift shift = {.name = l->key, .by = value - l->base};
    if (!l->varies) return hol__model_compile_shifted(l->ctx, l->spec, l->coordinates, &shift);
    char path[300], text[64];
    hol_spec *spec = hol_spec_copy(l->ctx, l->spec);
    snprintf(path, sizeof path, "parameters.%.200s", l->key);
    hol__print(text, sizeof text, "%.17g", value);
    hol_model *model = spec && hol_spec_set(spec, path, text, "--vary") == HOL_OK
                           ? hol_model_compile(l->ctx, spec, l->coordinates)
                           : NULL;
    hol_spec_free(spec);
    return model;
}

hol_status hol__locus_roots(hol__locus *l, double value, const hol__spectrum *like,
                            hol__roots *out) {
    hol_model *model = model_at(l, value);
    hol_sim *sim = model ? hol_sim_new(l->ctx, model, l->options) : NULL;
    hol_status status = sim ? roots_of(l, sim, like, out) : hol__why_not_made(l->ctx);
    hol_sim_free(sim);
    hol_model_free(model);
    if (status)
        hol__report(l->ctx, HOL_ERROR, status < 0 ? status : HOL_ERR_SINGULAR, NULL, NULL,
                    "this was with %s = %.10g", l->how->parameter, value);
    return status;
}

/* ---- the table ---- */

/* The pair of those that are nearest to each other among those that have no partner. */
static void nearest_pair(const hol__roots *last, const hol__roots *now, const unsigned char *led,
                         const unsigned char *taken, int pair[2]) {
    const int n = now->x.n;
    double least = INFINITY;
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n && !led[k]; j++) {
            const double d = hypot(now->x.re[j] - last->x.re[k], now->x.im[j] - last->x.im[k]);
            if (!taken[j] && d < least) pair[0] = k, pair[1] = j, least = d;
        }
}

/* Nearest pairs first: those that stay zero keep to each other where another one goes through. */
hol_status hol__locus_follow(hol__locus *l, const hol__roots *last, hol__roots *now) {
    const int n = now->x.n;
    double *re = HOL__NEW_N(&l->arena, double, n + 1), *im = HOL__NEW_N(&l->arena, double, n + 1);
    unsigned char *led = HOL__NEW_N(&l->arena, unsigned char, n + 1),
                  *taken = HOL__NEW_N(&l->arena, unsigned char, n + 1);
    if (!re || !im || !led || !taken) return HOL_ERR_MEMORY;
    for (int i = 0; i < n; i++) {
        int pair[2] = {0, 0};
        nearest_pair(last, now, led, taken, pair);
        led[pair[0]] = taken[pair[1]] = 1;
        re[pair[0]] = now->x.re[pair[1]];
        im[pair[0]] = now->x.im[pair[1]];
    }
    now->x.re = re;
    now->x.im = im;
    return HOL_OK;
}

static hol__sheet *locus_sheet(hol_answer *answer, const hol__locus *l, int n) {
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

static hol_status other_mechanism(hol__locus *l, double value) {
    return hol__report(l->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                       "with %s = %.10g the mechanism has another number of states than with "
                       "%.10g; take a range within which it stays the same",
                       l->how->parameter, value, l->how->from);
}

/* The ways of the eigenvalues in the plane; those that stay zero have none. */
static void add_paths(hol__sheet *sheet, int n) {
    for (int k = 0; k < n; k++) {
        int moves = 0;
        for (int i = 0; i < sheet->about.rows; i++) {
            const double *row = hol__sheet_row(sheet, i);
            moves |= row[1 + k] != 0 || row[1 + n + k] != 0;
        }
        if (moves) hol__sheet_path(sheet, 1 + k, 1 + n + k, 0);
    }
}

/* What was varied, and how often the border of stability was crossed. */
static void tell(hol_answer *answer, const hol__locus *l, int values, const hol__sheet *crossings) {
    hol__answer_text(answer, "parameter", "parameter", "%s", l->how->parameter);
    hol__answer_number(answer, "from", "from", l->how->from, "");
    hol__answer_number(answer, "to", "to", l->how->to, "");
    hol__answer_number(answer, "values", "values", values, "");
    hol__answer_number(answer, "crossings", "crossings of the border of stability",
                       crossings->about.rows, "");
}

/* One row of the table of the locus. */
static hol_status add_row(hol__sheet *sheet, double value, const hol__roots *r) {
    double *row = hol__sheet_add(sheet, NULL);
    if (!row) return HOL_ERR_MEMORY;
    row[0] = value;
    memcpy(row + 1, r->x.re, sizeof(double) * (size_t)r->x.n);
    memcpy(row + 1 + r->x.n, r->x.im, sizeof(double) * (size_t)r->x.n);
    return HOL_OK;
}

static hol_status walk(hol__locus *l, hol_answer *answer) {
    const int count = l->how->n > 1 ? l->how->n : VALUES;
    hol__roots last, now;
    double from = l->how->from;
    int unsteady = 0;
    hol_status status = hol__locus_roots(l, from, NULL, &last);
    if (status) return status;
    const int n = last.x.n;
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
        status = hol__locus_roots(l, value, NULL, &now);
        if (!status && now.x.n != n) return other_mechanism(l, value);
        if (!status) status = hol__locus_follow(l, &last, &now);
        if (!status) status = hol__locus_crossings(l, from, &last, value, &now, crossings);
        if (status) return status;
        status = add_row(sheet, value, &now);
        unsteady += now.motion == HOL__MOTION_STATE;
        last = now;
        from = value;
    }
    if (status) return status;
    add_paths(sheet, n);
    tell(answer, l, count, crossings);
    if (unsteady)
        hol__answer_text(answer, "unsteady", "states in motion",
                         "%d of %d values: there the eigenvalues are those of an instant", unsteady,
                         count);
    return status;
}

/* The value that the description gives the parameter. */
static hol_status find_base(hol__locus *l) {
    const hol_status unknown = hol__path_parameter(l->spec, l->how->parameter, &l->key);
    if (unknown) return unknown;
    hol__shift shift = {.name = l->key};
    hol_model *model = hol__model_compile_shifted(l->ctx, l->spec, l->coordinates, &shift);
    if (!model) return hol__why_not_made(l->ctx);
    l->varies = hol__model_varies(model);
    hol_model_free(model);
    l->base = shift.value;
    return HOL_OK;
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
    hol__locus l = {.ctx = ctx,
                    .spec = hol_spec_copy(ctx, spec),
                    .options = options,
                    .how = how,
                    .coordinates = options ? hol_options_coordinates(options) : "auto"};
    hol__arena_init(&l.arena, ctx);
    const hol__node *name = l.spec ? hol__node_get(l.spec->root, "name") : NULL;
    hol_answer *answer = hol__answer_of(ctx, "linearize", "root locus",
                                        name && name->kind == HOL__SCALAR ? name->text : NULL);
    hol_status status = answer && l.spec ? find_base(&l) : HOL_ERR_MEMORY;
    if (!status) status = walk(&l, answer);
    hol__arena_free(&l.arena);
    hol_spec_free(l.spec);
    if (!answer) return HOL_ERR_MEMORY;
    return hol__answer_finish(answer, status > 0 ? HOL_ERR_SINGULAR : status, out);
}

/* certify_panel.c: the witnesses: formulations that share no solver, in different coordinates, with
 * integrators of different families, each with a coarse and a fine tolerance.
 *
 * A family has several rows; the first that can be set up and reaches the end is the witness. The
 * fine tolerance is lowered until what the two runs differ by is a tenth of what is asked for, or
 * until rounding sets the steps.
 */
#include "analysis/certify.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct candidate {
    const char *family, *method, *coordinates, *integrator, *correction;
    int implicit;
    int fine; /* only where more is asked for than an iteration in each step leaves: see below */
} candidate;

/* A formula that iterates leaves 1e-14 of the scale in every step (newton.c, ROUNDING); over the
 * ten thousand steps of a long run that is a digit too much from here on. */
static const double beyond_iterations = 1e-14 * 1e4;

/* clang-format off */
static const candidate candidates[] = {
    {"multipliers", "direct-correction", "reference", "dop853", NULL,  0, 0},
    {"multipliers", "direct-correction", "reference", "radau5", NULL,  1, 0},
    {"multipliers", "lagrange",          "reference", "dop853", NULL,  0, 0},
    {"null space",  "nullspace", "natural",   "dop853", "mass-orthogonal", 0, 1},
    {"null space",  "nullspace", "relative",  "dop853", "mass-orthogonal", 0, 1},
    {"null space",  "nullspace", "natural",   "radau9", "mass-orthogonal", 1, 0},
    {"null space",  "nullspace", "relative",  "radau9", "mass-orthogonal", 1, 0},
    {"null space",  "nullspace", "reference", "radau9", "mass-orthogonal", 1, 0},
    {"null space",  "nullspace", "relative",  "dop853", "mass-orthogonal", 0, 0},
    {"independent", "partitioning", "relative",  "adams",  NULL, 0, 0},
    {"independent", "independent",  "relative",  "dopri5", NULL, 0, 0},
    {"independent", "partitioning", "reference", "bdf",    NULL, 1, 0},
    {"independent", "partitioning", "relative",  "radau5", NULL, 1, 0},
    {"canonical", "canonical",             "reference", "dopri5", NULL, 0, 0},
    {"canonical", "canonical",             "relative",  "dop853", NULL, 0, 0},
    {"canonical", "canonical-independent", "reference", "dop853", NULL, 0, 0},
    {"canonical", "canonical",             "reference", "radau9", NULL, 1, 0},
};

/* For mechanisms that few of those take: what the program would choose, in other coordinates. */
static const candidate others[] = {
    {"automatic", "auto", "relative",  "dopri5", NULL, 0, 0},
    {"automatic", "auto", "natural",   "dop853", NULL, 0, 0},
    {"automatic", "auto", "reference", "dop853", NULL, 0, 0},
    {"automatic", "auto", "relative",  "radau9", NULL, 1, 0},
    {"automatic", "auto", "reference", "bdf",    NULL, 1, 0},
    {"automatic", "auto", "reference", "radau5", NULL, 1, 0},
};
/* clang-format on */

enum {
    N_CANDIDATES = sizeof candidates / sizeof *candidates,
    N_OTHERS = sizeof others / sizeof *others,
    ROUNDS = 3 /* of lower tolerances */
};

static const double least_tolerance = 1e-14;

/* Evaluations that a run of a witness may take: many more than the run itself does, so that a
 * method that suits a mechanism badly costs no more than a few of those that suit it. Methods with
 * full matrices take the cube of their size for one, where the run itself has sparse ones: from 60
 * rows on fewer are granted. Chosen so that a certificate of our models takes seconds. */
static long budget(const hol__certify *c, int automatic) {
    const double rows = c->model->nv + c->model->m,
                 few = automatic ? 1 : fmin(1, 3600 / (rows * rows));
    const double own = (double)c->judged.evaluations;
    return (long)fmax(3 * own, few * (60000 + 20 * own));
}

double hol__certify_own(hol__certify *c, hol__witness *w) {
    const hol__grid *g = &c->grid;
    const int rows = g->rows, n = g->n, half = rows / 10 > 1 ? rows / 10 : 1;
    double most = 0;
    if (!w->error) w->error = HOL__NEW_N(&c->arena, double, (size_t)rows *(size_t)n + 1);
    if (!w->error) return INFINITY;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < rows; i++) {
            double e = 0;
            for (int k = i > half ? i - half : 0; k < rows && k <= i + half; k++) {
                const size_t at = (size_t)k * (size_t)g->width + (size_t)j;
                if (!hol__certify_counts(c, k, j) || isnan(w->fine.x[at])) continue;
                e = fmax(e, fabs(w->fine.x[at] - w->coarse.x[at]));
                if (isnan(w->coarse.x[at])) e = INFINITY;
            }
            w->error[(size_t)i * (size_t)n + (size_t)j] = e;
            if (hol__certify_counts(c, i, j) && c->size[j] > 0) most = fmax(most, e / c->size[j]);
        }
    return most;
}

/* Why a row of the panel is no witness. */
static void note(hol__certify *c, const candidate *row, const hol__run *course) {
    const int most = (int)(sizeof c->note / sizeof *c->note);
    if (c->notes >= most || !course->made) return;
    hol__print(c->note[c->notes++], sizeof *c->note, "%s (%s, %s, %s) stopped at t = %.6g: %s",
               row->family, row->method, row->coordinates, row->integrator, course->t, course->why);
}

/* Whether the steps of two runs were set by something else than the tolerance. */
static int same_steps(const hol__run *a, const hol__run *b) {
    return (double)b->steps < 1.02 * (double)a->steps;
}

/* The next fine run after one with this: a lower tolerance, or half the steps where that does
 * nothing. */
static hol__run_setting finer(const hol__certify *c, const hol__run *coarse, const hol__run *fine,
                              double by) {
    hol__run_setting with = fine->with;
    if (with.step > 0)
        with.step /= 2;
    else if (fine != coarse && same_steps(coarse, fine))
        with.max_step = (c->grid.end - c->grid.start) / (double)fine->steps / 2;
    else
        with.tolerance = fmax(least_tolerance, with.tolerance * by);
    return with;
}

/* The fine run, and finer ones until the two agree as far as is wanted. */
static hol_status refine(hol__certify *c, hol__witness *w, double wanted) {
    hol_status status;
    const hol__run_setting first = finer(c, &w->coarse, &w->coarse, 1e-2);
    if ((status = hol__certify_run(c, &first, &w->fine)) != HOL_OK) return status;
    if (w->fine.status) return HOL_OK;
    hol__certify_sizes(c, w->fine.x);
    for (int i = 0; i < ROUNDS; i++) {
        const int same = !first.step && same_steps(&w->coarse, &w->fine);
        hol__run next;
        w->own = hol__certify_own(c, w);
        if ((w->own <= wanted && !same) || (!same && w->fine.with.tolerance <= least_tolerance))
            break;
        const hol__run_setting with = finer(c, &w->coarse, &w->fine, 1e-2);
        if ((status = hol__certify_run(c, &with, &next)) != HOL_OK) return status;
        if (next.status) break;
        w->coarse = w->fine;
        w->fine = next;
    }
    w->own = hol__certify_own(c, w);
    w->whole = 1;
    return HOL_OK;
}

/* The answer once more, between its runs or finer than both; *better: it came to its end. */
static hol_status again(hol__certify *c, const hol__run_setting *with, const hol__run *coarse,
                        hol__run *out, int *better) {
    const hol_status status = hol__certify_run(c, with, out);
    *better = !status && !out->status && !same_steps(coarse, out);
    return status;
}

hol_status hol__certify_sharpen(hol__certify *c) {
    hol__witness *w = &c->witness[c->answer];
    hol__run_setting with = w->fine.with;
    hol__run run;
    hol_status status = HOL_OK;
    int better = 0;
    if (c->o.quick || with.step > 0 || with.max_step > 0) return HOL_OK;
    with.tolerance *= 10;
    if (w->own > c->share / 10 && with.tolerance < w->coarse.with.tolerance)
        status = again(c, &with, &w->coarse, &run, &better);
    if (better) w->coarse = run, w->own = hol__certify_own(c, w);
    if (status || w->own <= c->share / 10 || w->fine.with.tolerance > least_tolerance)
        return status;
    /* no tolerance below: steps of half the mean length */
    with = w->fine.with;
    with.max_step = (c->grid.end - c->grid.start) / (double)w->fine.steps / 2;
    status = again(c, &with, &w->fine, &run, &better);
    if (better) {
        w->coarse = w->fine;
        w->fine = run;
        w->own = hol__certify_own(c, w);
        c->x = w->fine.x;
    }
    return status;
}

/* One row of the panel as a witness, if it can be one. */
static hol_status try_row(hol__certify *c, const candidate *row, double tolerance,
                          hol__witness *w) {
    const hol__run_setting with = {.family = row->family,
                                   .method = row->method,
                                   .coordinates = row->coordinates,
                                   .integrator = row->integrator,
                                   .correction = row->correction,
                                   .tolerance = tolerance,
                                   .most = budget(c, strcmp(row->method, "auto") == 0)};
    *w = (hol__witness){.apart_row = -1};
    hol_status status = hol__certify_run(c, &with, &w->coarse);
    if (!status && !w->coarse.status) status = refine(c, w, c->share / 10);
    if (status || w->whole) return status;
    const hol__run *failed = w->coarse.status ? &w->coarse : &w->fine;
    c->dear[row->implicit] += failed->dear;
    note(c, row, failed);
    return HOL_OK;
}

/* The tolerance of the coarse runs: a digit more than is asked for, and than the run itself has. */
static double coarse_tolerance(const hol__certify *c) {
    double asked = 1e-8;
    hol_options_get_real(c->options, "tolerance", &asked);
    return fmax(100 * least_tolerance, fmin(c->share, asked) / 10);
}

/* A witness of each family. */
static hol_status add_families(hol__certify *c, const candidate *rows, int n, double tolerance,
                               int most) {
    hol_status status = HOL_OK;
    const char *done = NULL;
    for (int i = 0; i < n && c->n < most && !status; i++) {
        if (done && strcmp(done, rows[i].family) == 0) continue;
        if (c->dear[rows[i].implicit] > 1 || (rows[i].fine && c->share >= beyond_iterations))
            continue;
        status = try_row(c, &rows[i], tolerance, &c->witness[c->n]);
        if (!status && c->witness[c->n].whole) c->n++, done = rows[i].family;
    }
    return status;
}

/* The rows of automatic runs that differ from each other, until there are three witnesses. */
static hol_status add_others(hol__certify *c, double tolerance) {
    hol_status status = HOL_OK;
    for (int i = 0; i < N_OTHERS && c->n < HOL__COUNTED && !status; i++) {
        if (c->dear[others[i].implicit] > 3) continue;
        status = try_row(c, &others[i], tolerance, &c->witness[c->n]);
        if (!status) c->n += c->witness[c->n].whole;
    }
    return status;
}

/* One by other equations and coordinates than those of the run. */
static hol_status add_quick(hol__certify *c, double tolerance) {
    hol_status status = HOL_OK;
    for (int i = 0; i < N_CANDIDATES && !c->n && !status; i++) {
        const candidate *row = &candidates[i];
        hol__witness *w = &c->witness[0];
        if (strcmp(row->coordinates, c->judged.coordinates) == 0 ||
            strcmp(row->method, c->judged.method) == 0 || row->implicit || row->fine)
            continue;
        const hol__run_setting with = {row->family,
                                       row->method,
                                       row->coordinates,
                                       row->integrator,
                                       .correction = row->correction,
                                       .tolerance = tolerance,
                                       .most = budget(c, strcmp(row->method, "auto") == 0)};
        *w = (hol__witness){.apart_row = -1};
        status = hol__certify_run(c, &with, &w->fine);
        if (status || w->fine.status) continue;
        w->coarse = w->fine;
        w->own = hol__certify_own(c, w);
        w->whole = 1;
        c->n = 1;
    }
    return status;
}

/* The run as asked for, refined: it tells whether its tolerance, or its step, is in the way. */
static hol_status refine_judged(hol__certify *c) {
    hol__witness *w = &c->refined;
    hol__run_setting with = {.as_asked = 1, .most = budget(c, 1)};
    *w = (hol__witness){.apart_row = -1, .coarse = c->judged};
    hol_options_get_real(c->options, "tolerance", &with.tolerance);
    hol_options_get_real(c->options, "step", &with.step);
    if (c->o.samples) return HOL_OK;
    if (with.step > 0)
        with.step /= 2;
    else
        with.tolerance = fmax(least_tolerance, with.tolerance / 100);
    const hol_status status = hol__certify_run(c, &with, &w->fine);
    w->whole = !status && !w->fine.status && !c->judged.status;
    if (!w->whole) return status;
    hol__certify_sizes(c, w->fine.x);
    w->own = hol__certify_own(c, w);
    return HOL_OK;
}

hol_status hol__certify_panel(hol__certify *c) {
    const double tolerance = coarse_tolerance(c);
    hol_status status = refine_judged(c);
    if (status) return status;
    if (c->o.quick) {
        if (c->refined.whole) c->witness[c->n++] = c->refined;
        if (c->n) {
            c->n = 0;
            status = add_quick(c, tolerance);
            if (!status) c->witness[c->n++] = c->refined;
        }
        return status;
    }
    status = add_families(c, candidates, N_CANDIDATES, tolerance, HOL__WITNESSES - 1);
    if (!status && c->n < HOL__COUNTED) status = add_others(c, tolerance);
    if (!status && c->n < 2 && tolerance < 1e-9) status = add_others(c, 1e-9);
    return status;
}

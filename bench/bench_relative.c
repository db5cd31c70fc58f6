/* bench_relative.c: the cost of one evaluation of the equations of motion in relative coordinates:
 * serial chains of revolute links in the plane and in space (per link), and the planar four-bar;
 * beside it a quarter of an RK4 step of a run, with the integrator and all that is watched after a
 * step. The limits are for evaluations. */
#include "common/clock.h"

#include <holonom/holonom.h>

#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A chain of n links of 1 m along x; in space the axes alternate. */
static char *chain(int n, int spatial) {
    char *text = malloc((size_t)n * 320 + 1024), *at = text;
    const char *zero = spatial ? ", 0" : "";
    at += sprintf(at, "holonom: 1\nspace: %s\ngravity: [0, %s-9.81]\n",
                  spatial ? "spatial" : "planar", spatial ? "0, " : "");
    at += sprintf(
        at,
        "simulation: {coordinates: relative, method: lagrange, step: 1e-4, end: 1e9}\nbodies:\n");
    for (int i = 0; i < n; i++)
        at += sprintf(at, "  b%d: {mass: 1, inertia: %s, position: [%g, 0%s]}\n", i,
                      spatial ? "[0.01, 0.08, 0.08]" : "0.08", i + 0.5, zero);
    at += sprintf(at, "joints:\n");
    for (int i = 0; i < n; i++) {
        char parent[16] = "ground";
        if (i) snprintf(parent, sizeof parent, "b%d", i - 1);
        at += sprintf(at, "  j%d: {type: revolute, bodies: [%s, b%d], at: [%d, 0%s]%s}\n", i,
                      parent, i, i, zero,
                      !spatial ? ""
                      : i % 2  ? ", axis: [0, 0, 1]"
                               : ", axis: [0, 1, 0]");
    }
    sprintf(at, "measures:\n  e: {type: energy}\n");
    return text;
}

/* Microseconds per evaluation: of the equations alone, and a quarter of a step. */
typedef struct cost {
    double alone, in_run;
    int failed;
} cost;

/* Evaluations at states that all differ a little: nothing is kept from one to the next. */
static double evaluations(hol_sim *sim, int n, int *failed) {
    hol__form *form = &sim->form;
    double *y = calloc(2 * (size_t)form->n, sizeof *y);
    if (!y) return -1;
    hol__form_pack(form, y);
    const double start = y[0], t = hol__clock_wall(), at = sim->data->t;
    for (int i = 0; i < n && !*failed; i++) {
        y[0] = start + 1e-9 * (i + 1);
        *failed = hol__form_rhs(form, at, y, y + form->n) != HOL_OK;
    }
    const double one = (hol__clock_wall() - t) / n * 1e6;
    free(y);
    return one;
}

static double steps(hol_sim *sim, int n, int *failed) {
    const double t = hol__clock_wall();
    for (int i = 0; i < n && !*failed; i++) *failed = hol_sim_step(sim) != HOL_OK;
    return (hol__clock_wall() - t) / n / 4 * 1e6;
}

/* The best of ten, each in a simulation of its own. */
static cost measure(hol_context *ctx, hol_spec *spec, int n) {
    cost best = {1e300, 1e300, 0};
    hol_options *options;
    hol_model *model = hol_model_from_spec(ctx, spec, &options);
    for (int repeat = 0; repeat < 10 && !best.failed; repeat++) {
        hol_sim *sim = model ? hol_sim_new(ctx, model, options) : NULL;
        best.failed = !sim || hol_sim_step(sim);
        if (!best.failed) best.in_run = fmin(best.in_run, steps(sim, n, &best.failed));
        if (!best.failed) best.alone = fmin(best.alone, evaluations(sim, 4 * n, &best.failed));
        hol_sim_free(sim);
    }
    hol_model_free(model);
    hol_options_free(options);
    return best;
}

/* Print a row; whether it failed or is above the limit. */
static int show(const char *what, cost c, int links, double limit) {
    if (c.failed) {
        printf("%-24s failed\n", what);
        return 1;
    }
    printf("%-24s %8.4f us (limit %.2f)   %8.4f us in a run\n", what, c.alone / links, limit,
           c.in_run / links);
    return c.alone / links > limit;
}

int main(int argc, char **argv) {
    hol_context *ctx = hol_context_new();
    int failed = 0;
    puts("microseconds per evaluation, chains per link");
    for (int spatial = 0; spatial < 2; spatial++)
        for (int n = 10; n <= 1000; n *= 10) {
            char *text = chain(n, spatial);
            hol_spec *spec = hol_spec_new(ctx);
            char what[64];
            snprintf(what, sizeof what, "%s chain of %d", spatial ? "spatial" : "planar", n);
            if (hol_spec_read_text(spec, text, "chain") == HOL_OK)
                failed |= show(what, measure(ctx, spec, 20000 / n + 5), n, spatial ? 0.2 : 0.08);
            else
                failed = 1;
            hol_spec_free(spec);
            free(text);
        }
    char path[1024];
    snprintf(path, sizeof path, "%s/four_bar.yaml", argc > 1 ? argv[1] : "models");
    hol_spec *spec = hol_spec_new(ctx);
    cost one = {.failed = 1};
    if (!hol_spec_read_file(spec, path) &&
        !hol_spec_set(spec, "coordinates", "relative", "bench") &&
        !hol_spec_set(spec, "method", "lagrange", "bench") &&
        !hol_spec_set(spec, "step", "1e-3", "bench") && !hol_spec_set(spec, "end", "1e9", "bench"))
        one = measure(ctx, spec, 20000);
    failed |= show("planar four-bar", one, 1, 0.4);
    hol_spec_free(spec);
    hol_context_free(ctx);
    return failed ? 2 : 0;
}

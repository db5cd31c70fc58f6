/* bench_relative.c: the cost of one evaluation of the equations of motion in relative coordinates: serial chains of revolute links in
 * the plane and in space (per link), and the planar four-bar. One evaluation is a quarter of an RK4 step, the integrator included. */
#define _POSIX_C_SOURCE 200809L
#include <holonom/holonom.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

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

/* Microseconds per evaluation; negative after a failure. */
static double measure(hol_spec *spec, int steps) {
    hol_model *model = hol_model_compile(spec);
    hol_sim *sim = model ? hol_sim_new(model) : NULL;
    double best = 1e300;
    int bad = !sim || hol_sim_step(sim);
    for (int repeat = 0; repeat < 5 && !bad; repeat++) {
        const double t = now();
        for (int i = 0; i < steps && !bad; i++) bad = hol_sim_step(sim) != HOL_OK;
        const double one = (now() - t) / steps / 4 * 1e6;
        if (one < best) best = one;
    }
    hol_sim_free(sim);
    hol_model_free(model);
    return bad ? -1 : best;
}

int main(int argc, char **argv) {
    hol_context *ctx = hol_context_new();
    int failed = 0;
    for (int spatial = 0; spatial < 2; spatial++)
        for (int n = 10; n <= 1000; n *= 10) {
            char *text = chain(n, spatial);
            hol_spec *spec = hol_spec_new(ctx);
            const double one =
                hol_spec_read_text(spec, text, "chain") ? -1 : measure(spec, 20000 / n + 5);
            printf("%s chain of %4d: %8.4f us per link and evaluation (limit %.2f)\n",
                   spatial ? "spatial" : "planar ", n, one / n, spatial ? 0.2 : 0.08);
            failed |= one < 0 || one / n > (spatial ? 0.2 : 0.08);
            hol_spec_free(spec);
            free(text);
        }
    char path[1024];
    snprintf(path, sizeof path, "%s/four_bar.yaml", argc > 1 ? argv[1] : "models");
    hol_spec *spec = hol_spec_new(ctx);
    double one = -1;
    if (!hol_spec_read_file(spec, path) &&
        !hol_spec_set(spec, "coordinates", "relative", "bench") &&
        !hol_spec_set(spec, "method", "lagrange", "bench") &&
        !hol_spec_set(spec, "step", "1e-3", "bench") && !hol_spec_set(spec, "end", "1e9", "bench"))
        one = measure(spec, 50000);
    printf("planar four-bar:       %8.4f us per evaluation (limit 0.40)\n", one);
    failed |= one < 0 || one > 0.4;
    hol_spec_free(spec);
    hol_context_free(ctx);
    return failed ? 2 : 0;
}

/* bench_tangent.c: the cost of a tangent in microseconds, beside that of one evaluation of the
 * equations of motion: planar chains of revolute links, each with a spring to ground. In
 * reference-point coordinates it grows with the number of links, in relative ones with its square,
 * as the numbers that it has: 200 links may cost at most eight and thirty times what 50 do. */
#include "common/clock.h"
#include "dyn/tangent.h"

#include <holonom/holonom.h>

#include <stdio.h>
#include <stdlib.h>

enum { REPEATS = 40 };

/* A chain of n links of 1 m along x, in words; NULL without memory. */
static char *chain(int n) {
    char *text = malloc((size_t)n * 400 + 1024), *at = text;
    if (!text) return NULL;
    at += sprintf(at, "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n");
    for (int i = 0; i < n; i++)
        at += sprintf(at, "  b%d: {mass: 1, inertia: 0.08, position: [%g, 0]}\n", i, i + 0.5);
    at += sprintf(at, "joints:\n  j0: {type: revolute, bodies: [ground, b0], at: [0, 0]}\n");
    for (int i = 1; i < n; i++)
        at += sprintf(at, "  j%d: {type: revolute, bodies: [b%d, b%d], at: [%d, 0]}\n", i, i - 1, i,
                      i);
    at += sprintf(at, "forces:\n");
    for (int i = 0; i < n; i++)
        at += sprintf(at, "  s%d: {type: spring, bodies: [ground, b%d], from: [%d, 1], to: ", i, i,
                      i),
            at += sprintf(at, "[%g, 0], stiffness: 3}\n", i + 0.5);
    return text;
}

typedef struct cost {
    double evaluation, tangent;
} cost;

/* The best of some evaluations and tangents of a chain; negative when it fails. */
static cost measure(int n, const char *coordinates) {
    cost best = {1e300, 1e300};
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    char *text = chain(n);
    hol_model *model = NULL;
    hol__tangent *tangent = NULL;
    if (text && spec && hol_spec_read_text(spec, text, "chain") == HOL_OK)
        model = hol_model_compile(ctx, spec, coordinates);
    hol_data *data = model ? hol_data_new(ctx, model) : NULL;
    if (!data || hol__tangent_new(data, &tangent)) best.evaluation = best.tangent = -1;
    for (int i = 0; tangent && i < REPEATS; i++) {
        const double t0 = hol__clock_thread();
        hol_data_set(data, 0.01 * i, NULL, NULL);
        const hol_status evaluated = hol_data_update(data, HOL_STAGE_DYN);
        const double t1 = hol__clock_thread();
        const hol_status done = hol__tangent_update(tangent, data, HOL__PART_ALL);
        const double t2 = hol__clock_thread();
        if (evaluated || done) best.tangent = -1;
        if (t1 - t0 < best.evaluation) best.evaluation = t1 - t0;
        if (t2 - t1 < best.tangent) best.tangent = t2 - t1;
    }
    hol__tangent_free(tangent);
    hol_data_free(data);
    hol_model_free(model);
    hol_spec_free(spec);
    hol_context_free(ctx);
    free(text);
    return best;
}

int main(void) {
    static const struct {
        const char *coordinates;
        double growth;
    } sets[] = {{"reference", 8}, {"relative", 30}};
    int failed = 0;
    printf("coordinates  links  evaluation us  tangent us\n");
    for (int k = 0; k < 2; k++) {
        double before = 0;
        for (int n = 50; n <= 200; n *= 4) {
            const cost c = measure(n, sets[k].coordinates);
            printf("%-11s  %5d  %13.1f  %10.1f\n", sets[k].coordinates, n, 1e6 * c.evaluation,
                   1e6 * c.tangent);
            failed |= c.tangent < 0 || (before > 0 && c.tangent > sets[k].growth * before);
            before = c.tangent;
        }
    }
    if (failed) fprintf(stderr, "the cost grows faster than it should, or something failed\n");
    return failed;
}

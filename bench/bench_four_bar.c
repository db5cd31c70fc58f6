/* bench_four_bar.c: the cost of one RK4 step of the planar four-bar under `lagrange`, as a multiple
 * of the same RK4 loop written by hand in one coordinate (limit/four_bar.h), both in one run. */
#include "common/clock.h"
#include "limit/four_bar.h"

#include <holonom/holonom.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    char path[1024];
    snprintf(path, sizeof path, "%s/four_bar.yaml", argc > 1 ? argv[1] : "models");
    const int n = argc > 2 ? atoi(argv[2]) : 200000;
    const double h = 1e-3;
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_model *model = NULL;
    hol_options *options = NULL;
    hol_sim *sim = NULL;
    if (hol_spec_read_file(spec, path) == HOL_OK &&
        !hol_spec_set(spec, "method", "lagrange", "bench") &&
        !hol_spec_set(spec, "step", "1e-3", "bench") && !hol_spec_set(spec, "end", "1e9", "bench"))
        model = hol_model_from_spec(ctx, spec, &options);
    if (model) sim = hol_sim_new(ctx, model, options);
    hol_options_free(options);
    if (!sim || hol_sim_step(sim)) return 1;

    double ratio = 1e300, hand = 1e300, ours = 1e300;
    for (int repeat = 0; repeat < 5; repeat++) {
        double y[2] = {acos(-1.0) / 3, 0};
        double t = hol__clock_wall();
        by_hand(y, h, n);
        const double t_hand = (hol__clock_wall() - t) / n;
        t = hol__clock_wall();
        for (int i = 0; i < n; i++)
            if (hol_sim_step(sim)) return 1;
        const double t_ours = (hol__clock_wall() - t) / n;
        if (t_ours / t_hand < ratio) ratio = t_ours / t_hand, hand = t_hand, ours = t_ours;
    }
    double y[2] = {acos(-1.0) / 3, 0};
    by_hand(y, h, 10000);
    printf("by hand, one coordinate   %8.3f us per RK4 step   (crank angle at 10 s: %.6f)\n",
           1e6 * hand, y[0]);
    printf("lagrange, 9 coordinates   %8.3f us per RK4 step\n", 1e6 * ours);
    printf("ratio                     %8.2f   (limit 15)\n", ratio);
    hol_sim_free(sim);
    hol_model_free(model);
    hol_spec_free(spec);
    hol_context_free(ctx);
    return ratio > 15 ? 2 : 0;
}

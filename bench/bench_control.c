/* bench_control.c: what gains of the step controller cost: evaluations until the end of a run is
 * right to 1e-6, over models whose steps their accuracy sets.
 *
 *     bench_control [MODELS]
 *
 * Each model runs at tolerances from 1e-5 to 1e-10 under each set of gains; the error is that of q
 * and v at the end against a run at 1e-13, relative to the largest of each. Evaluations at an error
 * of 1e-6 follow from a straight line through the logarithms of both (single runs scatter: an error
 * may pass through zero). Prints evaluations by model and, for each set, the geometric mean over
 * those of the gains that runs have.
 */
#include "sim/sim.h"

#include "integ/integ.h"

#include <holonom/holonom.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    double end;
} models[] = {{"four_bar", 4},
              {"a01_simple_pendulum", 4},
              {"a02_two_four_bar", 2},
              {"a03_andrews", 0.03},
              {"a04_bricard", 6},
              {"slider_crank", 3},
              {"slider_crank_spatial", 1},
              {"three_links", 2},
              {"three_links_slider", 2},
              {"double_pendulum_natural", 3},
              {"four_bar_spatial_natural", 2},
              {"heavy_top", 0.5},
              {"bicycle", 2},
              {"pendulum", 4}};
enum { MODELS = sizeof models / sizeof *models, TOLERANCES = 11, MOST = 512 };

/* The first are those of runs. */
static const hol__pace_gains sets[] = {
    {0.9, 0.2, 0.75, 0.2, 6},  {0.9, 0, 0.75, 0.2, 6},     {0.9, 0.2, 0.75, 0.2, 3},
    {0.9, 0.2, 0.75, 0.2, 2},  {0.8, 0.2, 0.75, 0.2, 6},   {0.85, 0.2, 0.75, 0.2, 6},
    {0.95, 0.2, 0.75, 0.2, 6}, {0.85, 0, 0.75, 0.2, 6},    {0.85, 0.1, 0.75, 0.2, 6},
    {0.85, 0.1, 0.5, 0.2, 6},  {0.85, 0.2, 0.5, 0.2, 6},   {0.85, 0.3, 0.5, 0.2, 6},
    {0.85, 0.3, 0.75, 0.2, 6}, {0.9, 0.4, 0.75, 0.2, 6},   {0.9, 0.2, 2, 0.2, 3},
    {0.9, 0.6, -0.33, 0.2, 6}, {0.85, 0.6, -0.33, 0.2, 6}, {0.85, 0.3, 0, 0.2, 6},
};
enum { SETS = sizeof sets / sizeof *sets };

/* The end of a run. */
typedef struct result {
    double y[MOST];
    int nq, n;
    long evaluations, rejected, steps;
} result;

/* One run; 0 where it fails. */
static int run(const char *folder, int model, double tolerance, const hol__pace_gains *gains,
               result *out) {
    char path[1024], text[2][32];
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_options *options = NULL;
    hol_model_info info = {.size = sizeof info};
    hol_sim_info cost = {.size = sizeof cost};
    snprintf(path, sizeof path, "%s/%s.yaml", folder, models[model].name);
    snprintf(text[0], sizeof text[0], "%.17g", tolerance);
    snprintf(text[1], sizeof text[1], "%.17g", models[model].end);
    int fine = !hol_spec_read_file(spec, path) &&
               !hol_spec_set(spec, "tolerance", text[0], "bench") &&
               !hol_spec_set(spec, "end", text[1], "bench") &&
               !hol_spec_set(spec, "output", text[1], "bench");
    hol_model *m = fine ? hol_model_from_spec(ctx, spec, &options) : NULL;
    hol_sim *sim = m ? hol_sim_new(ctx, m, options) : NULL;
    if (sim) sim->integ->control.gains = gains;
    fine = sim && !hol_sim_run(sim, NULL) && !hol_sim_describe(sim, &cost) &&
           !hol_model_describe(m, &info) && info.n_q + info.n_v <= MOST;
    if (fine) {
        out->nq = info.n_q;
        out->n = info.n_q + info.n_v;
        memcpy(out->y, hol_data_q(hol_sim_data(sim)), sizeof(double) * (size_t)info.n_q);
        memcpy(out->y + info.n_q, hol_data_v(hol_sim_data(sim)), sizeof(double) * (size_t)info.n_v);
        out->evaluations = cost.evaluations;
        out->rejected = cost.rejected;
        out->steps = cost.steps;
    }
    hol_sim_free(sim);
    hol_options_free(options);
    hol_model_free(m);
    hol_spec_free(spec);
    hol_context_free(ctx);
    return fine;
}

/* The largest difference of positions and of velocities, relative to the largest of each. */
static double error_of(const result *a, const result *b) {
    double most[2] = {0, 0}, size[2] = {1e-300, 1e-300};
    for (int i = 0; i < a->n; i++) {
        const int kind = i >= a->nq;
        most[kind] = fmax(most[kind], fabs(a->y[i] - b->y[i]));
        size[kind] = fmax(size[kind], fabs(b->y[i]));
    }
    return fmax(most[0] / size[0], most[1] / size[1]);
}

/* Evaluations at an error of 1e-6, by a line through the logarithms; negative where a run fails. */
static double price(const char *folder, int model, const hol__pace_gains *gains,
                    const result *exact, double *rejected) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    long all = 0, lost = 0;
    for (int i = 0; i < TOLERANCES; i++) {
        result r;
        if (!run(folder, model, pow(10, -5 - 0.5 * i), gains, &r)) return -1;
        const double x = log(fmax(error_of(&r, exact), 1e-14)), y = log((double)r.evaluations);
        sx += x, sy += y, sxx += x * x, sxy += x * y;
        all += r.steps + r.rejected;
        lost += r.rejected;
    }
    *rejected = (double)lost / (double)all;
    const double slope = (TOLERANCES * sxy - sx * sy) / (TOLERANCES * sxx - sx * sx);
    return exp(sy / TOLERANCES + slope * (log(1e-6) - sx / TOLERANCES));
}

int main(int argc, char **argv) {
    const char *folder = argc > 1 ? argv[1] : "models";
    static double prices[SETS][MODELS];
    static result exact[MODELS];
    for (int j = 0; j < MODELS; j++)
        if (!run(folder, j, 1e-13, NULL, &exact[j])) return 1;
    for (int k = 0; k < SETS; k++) {
        double sum = 0, share = 0, worst = 0;
        for (int j = 0; j < MODELS; j++) {
            double rejected;
            prices[k][j] = price(folder, j, &sets[k], &exact[j], &rejected);
            if (prices[k][j] < 0) return 1;
            const double ratio = prices[k][j] / prices[0][j];
            sum += log(ratio);
            worst = fmax(worst, ratio);
            share += rejected / MODELS;
        }
        printf("safety %.2f beta %.2f lean %5.2f most %.0f   %6.3f of those of the first, at worst "
               "%.3f, %4.1f %% rejected\n",
               sets[k].safety, sets[k].beta, sets[k].lean, sets[k].most, exp(sum / MODELS), worst,
               100 * share);
        fflush(stdout);
    }
    return 0;
}

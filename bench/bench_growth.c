/* bench_growth.c: how the cost of one RK4 step under `lagrange` grows with the size of the
 * mechanism: planar chains of N links, and N four-bars side by side. Prints microseconds per step
 * and body; the last column should stay flat. */
#include "common/clock.h"

#include <holonom/holonom.h>

#include <stdio.h>

/* A uniform link of 1 m and 1 kg with its mass centre at (x, y), turned by angle. */
static void add_link(hol_spec *spec, const char *name, double x, double y, double angle) {
    hol_item *body = hol_spec_add(spec, "bodies", name, NULL);
    const double at[2] = {x, y};
    hol_item_number(body, "mass", 1);
    hol_item_number(body, "inertia", 1.0 / 12);
    hol_item_vector(body, "position", 2, at);
    hol_item_number(body, "angle", angle);
}

static void add_pin(hol_spec *spec, const char *name, const char *first, const char *second,
                    double x, double y) {
    hol_item *joint = hol_spec_add(spec, "joints", name, "revolute");
    const char *const bodies[2] = {first, second};
    const double at[2] = {x, y};
    hol_item_texts(joint, "bodies", 2, bodies);
    hol_item_vector(joint, "at", 2, at);
}

/* N links in a row along x, hung at the origin. */
static void chain(hol_spec *spec, int n) {
    char before[32] = "ground", name[32], joint[32];
    for (int i = 0; i < n; i++) {
        snprintf(name, sizeof name, "link%d", i);
        snprintf(joint, sizeof joint, "J%d", i);
        add_link(spec, name, i + 0.5, 0, 0);
        add_pin(spec, joint, before, name, i, 0);
        snprintf(before, sizeof before, "%s", name);
    }
}

/* N four-bars: uprights on pivots (i, 0), links between their tops. */
static void four_bars(hol_spec *spec, int n) {
    const double quarter = 1.5707963267948966;
    char up[32], next[32], top[32], joint[32];
    for (int i = 0; i <= n; i++) {
        snprintf(up, sizeof up, "up%d", i);
        snprintf(joint, sizeof joint, "A%d", i);
        add_link(spec, up, i, 0.5, quarter);
        add_pin(spec, joint, "ground", up, i, 0);
    }
    for (int i = 0; i < n; i++) {
        snprintf(up, sizeof up, "up%d", i);
        snprintf(next, sizeof next, "up%d", i + 1);
        snprintf(top, sizeof top, "top%d", i);
        add_link(spec, top, i + 0.5, 1, 0);
        snprintf(joint, sizeof joint, "B%d", i);
        add_pin(spec, joint, up, top, i, 1);
        snprintf(joint, sizeof joint, "C%d", i);
        add_pin(spec, joint, top, next, i + 1, 1);
    }
}

/* Seconds of one step, the best of several runs of steps; negative when the model does not run. */
static double step_time(void (*make)(hol_spec *, int), int n, int *bodies) {
    static const double gravity[2] = {0, -9.81};
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_item_number(hol_spec_root(spec), "holonom", 1);
    hol_item_text(hol_spec_root(spec), "space", "planar");
    hol_item_vector(hol_spec_root(spec), "gravity", 2, gravity);
    make(spec, n);
    hol_item_text(hol_spec_section(spec, "simulation"), "method", "lagrange");
    hol_item_number(hol_spec_section(spec, "simulation"), "step", 1e-4);
    hol_options *options;
    hol_model *model = hol_model_from_spec(ctx, spec, &options);
    hol_sim *sim = model ? hol_sim_new(ctx, model, options) : NULL;
    hol_options_free(options);
    double best = -1;
    hol_model_info about = {.size = sizeof about};
    if (model) hol_model_describe(model, &about);
    *bodies = about.n_bodies;
    const int steps = 20000 / (n + 10) + 5;
    for (int repeat = 0; sim && repeat < 5; repeat++) {
        const double begin = hol__clock_wall();
        for (int i = 0; i < steps; i++)
            if (hol_sim_step(sim)) return -1;
        const double each = (hol__clock_wall() - begin) / steps;
        if (best < 0 || each < best) best = each;
    }
    hol_sim_free(sim);
    hol_model_free(model);
    hol_spec_free(spec);
    hol_context_free(ctx);
    return best;
}

int main(void) {
    static const struct {
        const char *name;
        void (*make)(hol_spec *, int);
    } kinds[] = {{"chain", chain}, {"four-bars", four_bars}};
    static const int sizes[] = {10, 100, 1000};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) {
            int bodies;
            const double t = step_time(kinds[k].make, sizes[i], &bodies);
            if (t < 0) return 1;
            printf(
                "%-10s N = %4d  %5d bodies  %10.2f us per RK4 step  %7.3f us per step and body\n",
                kinds[k].name, sizes[i], bodies, 1e6 * t, 1e6 * t / bodies);
        }
    return 0;
}

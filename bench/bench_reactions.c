/* bench_reactions.c: the cost of the reactions of all joints and the loads of all forces at a
 * solved state, in microseconds: planar chains of revolute links in relative coordinates, each link
 * with a spring to ground. The tree recursion runs once for a solved state, and a force is found by
 * its index, so the cost per joint and per force does not grow with the chain: 200 links may cost
 * at most eight times what 50 do. */
#define _POSIX_C_SOURCE 200809L
#include <holonom/holonom.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 50, MOST_GROWTH = 8 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A chain of n links of 1 m along x with springs. */
static char *chain(int n) {
    char *text = malloc((size_t)n * 400 + 1024), *at = text;
    if (!text) return NULL;
    at += sprintf(at, "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
                      "simulation: {coordinates: relative, step: 1e-4, end: 1e9}\nbodies:\n");
    for (int i = 0; i < n; i++)
        at += sprintf(at, "  b%d: {mass: 1, inertia: 0.08, position: [%g, 0]}\n", i, i + 0.5);
    at += sprintf(at, "joints:\n");
    for (int i = 0; i < n; i++) {
        char parent[16] = "ground";
        if (i) snprintf(parent, sizeof parent, "b%d", i - 1);
        at += sprintf(at, "  j%d: {type: revolute, bodies: [%s, b%d], at: [%d, 0]}\n", i, parent, i,
                      i);
    }
    at += sprintf(at, "forces:\n");
    for (int i = 0; i < n; i++)
        at += sprintf(at,
                      "  s%d: {type: spring, bodies: [ground, b%d], from: [%d, 1], to: [%g, 0], "
                      "stiffness: 3}\n",
                      i, i, i, i + 0.5);
    return text;
}

typedef struct cost {
    double reactions, forces;
} cost;

static double least(double a, double b) {
    return a < b ? a : b;
}

/* The best of some states that all differ; -1 when it fails. */
static cost measure(hol_context *ctx, int n) {
    cost best = {1e300, 1e300};
    char *text = chain(n);
    hol_spec *spec = hol_spec_new(ctx);
    hol_model *model = NULL;
    hol_options *options = NULL;
    if (text && spec && hol_spec_read_text(spec, text, "chain") == HOL_OK)
        model = hol_model_from_spec(ctx, spec, &options);
    hol_sim *sim = model ? hol_sim_new(ctx, model, options) : NULL;
    hol_options_free(options);
    double sum = 0;
    for (int k = 0; sim && k < REPEATS; k++) {
        hol_data *data = hol_sim_data(sim);
        if (hol_sim_advance(sim, hol_data_time(data) + 1e-4)) return (cost){-1, -1};
        const double t0 = now();
        for (int i = 0; i < n; i++) {
            hol_reaction r = {.size = sizeof r};
            if (hol_data_reaction(data, i, &r)) return (cost){-1, -1};
            sum += r.force[1];
        }
        const double t1 = now();
        for (int i = 0; i < n; i++) {
            hol_load load = {.size = sizeof load};
            if (hol_data_force(data, i, &load)) return (cost){-1, -1};
            sum += load.force[1];
        }
        best.reactions = least(best.reactions, 1e6 * (t1 - t0));
        best.forces = least(best.forces, 1e6 * (now() - t1));
    }
    hol_sim_free(sim);
    hol_model_free(model);
    hol_spec_free(spec);
    free(text);
    return sim && sum == sum ? best : (cost){-1, -1};
}

int main(void) {
    hol_context *ctx = hol_context_new();
    cost first = {0}, last = {0};
    puts("microseconds for all joints and for all forces of a solved state");
    for (int n = 50; n <= 200; n *= 2) {
        last = measure(ctx, n);
        if (n == 50) first = last;
        printf("chain of %3d   reactions %8.2f   forces %8.2f\n", n, last.reactions, last.forces);
    }
    hol_context_free(ctx);
    return last.reactions < 0 || last.reactions > MOST_GROWTH * first.reactions ||
           last.forces > MOST_GROWTH * first.forces;
}

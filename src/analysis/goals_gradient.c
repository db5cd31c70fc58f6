/* goals_gradient.c: passes over a run until derivatives no longer change. */
#include "analysis/goals_linear.h"

#include <math.h>
#include <string.h>

/* Steps of the formula in one of the run at most; and how often neighbours are sought nearer. */
enum { MOST_PARTS = 64, ROUNDS = 4 };

static const double LEAST = 1e-6;

/* Neighbours beside a corner at that share of the parameter: what differences miss of a law with
 * p^1.5 at its corner falls like share^1.5, and rounding grows like eps/share, so share^2.5 = eps.
 */
static const double BESIDE = 4e-7;

/* One pass at p with so many steps of the formula in a step of the run. */
static hol_status pass(hol__linear *l, const double *p, int by) {
    hol__trial trial;
    hol_status status = hol__trial_open(l->goals, l->goals->own, p, -1, 0, NULL, &trial);
    l->steps = 0;
    if (!status) { /* the clock goes for the derivatives: that this run creeps was said before */
        trial.sim->creep.told = 1;
        trial.sim->options[HOL__OPT_MAX_CREEP] = 0;
    }
    if (!status)
        status = by == HOL__BY_ADJOINT ? hol__linear_adjoint(l, trial.sim)
                                       : hol__linear_direct(l, trial.sim);
    hol__trial_close(&trial);
    return status;
}

/* A derivative by parameter j that is nothing but rounding: a hundred thousandth of the largest
 * goal for all of the parameter. */
static double floor_of(const hol__linear *l, int j) {
    double largest = 0;
    for (int i = 0; i < l->found->n; i++) largest = fmax(largest, fabs(l->found->value[i]));
    return 1e-5 * largest / (l->p[j] != 0 ? fabs(l->p[j]) : 1);
}

/* By how much two gradients differ, against the largest derivative of goals with the same unit by
 * the same parameter, but no less than LEAST of the largest of all: what is zero but for rounding
 * does not count. */
static double differ(const hol__linear *l, const double *a, const double *b, double *size) {
    const hol__goals *g = l->goals;
    const int n = g->n_parameters;
    double most = 0;
    for (int j = 0; j < n; j++) {
        double largest = 0;
        memset(size, 0, sizeof *size * (size_t)g->n);
        for (int i = 0; i < g->n; i++) {
            size[g->kind[i]] = fmax(size[g->kind[i]], fabs(b[i * n + j]));
            largest = fmax(largest, fabs(b[i * n + j]));
        }
        for (int i = 0; i < g->n; i++) {
            const double off = fabs(a[i * n + j] - b[i * n + j]);
            const double least = fmax(LEAST * largest, floor_of(l, j));
            if (off > 0) most = fmax(most, off / fmax(size[g->kind[i]], least));
        }
    }
    return most;
}

/* What is left of a change, the last of all, where each of them was at most q of the one before:
 * their sum; `last`: that one before, 0: there is none, and the order of the formula is counted on,
 * as if it were six at least. A change that has not become smaller stays as it is: that is no error
 * of the formula, but of the states. */
static double left_of(double change, double last) {
    const double q = last > 0 ? fmax(change / last, 1.0 / 64) : 1.0 / 64;
    return q < 0.5 ? change * q / (1 - q) : change;
}

/* The gradient with enough steps: passes until two agree, or until shorter steps twice do not bring
 * them nearer to each other than any before. */
static hol_status refine(hol__linear *l, const double *p, int by, double *last) {
    hol__goals *g = l->goals;
    const size_t size = hol__area(g->n, g->n_parameters);
    hol_status status = HOL_OK;
    double change = l->first ? l->before : 0, least = INFINITY;
    int stays = 0;
    g->info.uncertain = INFINITY;
    for (l->parts = l->first > 1 ? l->first : 1;
         l->parts <= MOST_PARTS && !status && stays < 2 && !(g->info.uncertain <= g->tolerance);
         l->parts *= 2) {
        status = pass(l, p, by);
        if (status || l->family->split || l->too_far > 1) break;
        if (l->parts > 1 && l->parts > l->first) {
            const double now = differ(l, last, l->gradient, l->room);
            g->info.uncertain = left_of(now, change);
            stays = now > 0.5 * least ? stays + 1 : 0;
            least = fmin(least, now);
            l->before = change;
            change = now;
        }
        memcpy(last, l->gradient, sizeof *last * size);
        g->info.parts = l->parts;
        g->info.steps = l->steps;
    }
    return status;
}

/* Whether forces or events keep numbers beside the state, which the adjoint does not carry. */
static int remembers(const hol__linear *l) {
    const hol_sim *sim = hol__family_get(l->family, 0, 0)->trial.sim;
    return sim->data->model->n_memory > 0 || sim->whole->n_assigned > 0;
}

/* The pass that takes less: a column for each parameter, or a functional for each goal; that of an
 * integral is read at every node along all numbers of the state, and at changes there are as many
 * columns as free perturbations. */
static int choose_pass(const hol__linear *l, int by) {
    const hol__goals *g = l->goals;
    if (by != HOL__BY_CHEAPER || !g->n_parameters) return by;
    const hol__switching *s = &hol__family_get(l->family, 0, 0)->trial.sim->switching;
    int gathers = s->n_watches > 0 || s->n_slots > 0 || remembers(l);
    for (int i = 0; i < g->n; i++) gathers |= hol__goal_gathers(&g->goals[i]);
    return !gathers && g->n_parameters > 2 * g->n ? HOL__BY_ADJOINT : HOL__BY_DIRECT;
}

/* What came of a round. */
typedef struct outcome {
    int again;  /* neighbours have to be nearer */
    int split;  /* because a corner lies between them and the run */
    int beside; /* some lay on the other side of a corner, and differences were still to be had */
} outcome;

/* One round with neighbours at that share of the parameters. What a round says that is made again
 * is not told, but for the last. */
static hol_status go_round(hol__linear *l, const double *p, int by, double share, double *last,
                           int is_last, outcome *out) {
    hol__goals *g = l->goals;
    hol_context *own = g->own;
    l->too_far = 0;
    g->own = hol__context_like(own);
    hol_status status = g->own ? hol__family_new(g, p, share, &l->family) : HOL_ERR_MEMORY;
    if (!status) g->info.by = choose_pass(l, by);
    if (!status) status = refine(l, p, g->info.by, last);
    const int split = l->family && l->family->split;
    *out = (outcome){split || l->too_far > 1, split, l->family && l->family->beside};
    hol__family_free(l->family);
    l->family = NULL;
    if (g->own && (is_last || !out->again)) hol__context_take_messages(own, g->own);
    hol_context_free(g->own);
    g->own = own;
    return status;
}

/* Neighbours on the other side of a corner leave two points on this side, and an error that falls
 * with the share: once more, with nearer ones. Where these do not do, the first ones stay. */
static hol_status go_nearer(hol__linear *l, const double *p, int by, double share, double *last) {
    hol__goals *g = l->goals;
    const hol__goals_info info = g->info;
    const size_t size = sizeof(double) * hol__area(g->n, g->n_parameters);
    double *kept = hol__alloc(g->ctx, 1, size + 1);
    outcome came;
    if (!kept) return HOL_ERR_MEMORY;
    memcpy(kept, l->gradient, size);
    hol_context *own = g->own, *quiet = hol__context_like(own);
    if (quiet) g->own = quiet;
    l->first = info.parts / 2; /* with fewer they were too long */
    const hol_status status = quiet ? go_round(l, p, by, share, last, 0, &came) : HOL_ERR_MEMORY;
    g->own = own;
    hol_context_free(quiet);
    if (status || came.again) {
        memcpy(l->gradient, kept, size);
        g->info = info;
    }
    hol__release(g->ctx, kept);
    return status == HOL_ERR_MEMORY ? status : HOL_OK;
}

hol_status hol__goals_gradient(hol__goals *g, const double *p, int by, const hol__gather *found,
                               double *gradient, hol__arena *room) {
    hol__linear l = {.goals = g, .p = p, .found = found, .gradient = gradient};
    double *last = HOL__NEW_N(room, double, hol__area(g->n, g->n_parameters) + 1), share = 1e-3;
    l.room = HOL__NEW_N(room, double, g->n + 1);
    hol_status status = last && l.room ? HOL_OK : HOL_ERR_MEMORY;
    for (int round = 0; round < ROUNDS && !status; round++) {
        outcome came;
        status = go_round(&l, p, by, share, last, round + 1 == ROUNDS, &came);
        if (!came.again)
            return !status && came.beside && share > 1e-4
                       ? go_nearer(&l, p, by, fmin(0.01 * share, BESIDE), last)
                       : status;
        if (status == HOL_ERR_MEMORY || round + 1 == ROUNDS) break;
        status = HOL_OK;
        share /= came.split ? 100 : 2 * l.too_far;
    }
    if (status) return status;
    return hol__report(g->own, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                       "the derivatives are so large, or corners of laws so close to each other, "
                       "that differences over neighbouring models do not reach them; shorten the "
                       "run, or smooth the laws");
}

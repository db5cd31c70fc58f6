/* evolution.c: differential evolution [Storn, Price 1997] with scales that adapt themselves [Brest
 * and others 2006].
 *
 * Each member x_i of a population of N tries, generation after generation,
 *
 *     v = x_a + F_i (x_b - x_c)      a, b, c different members, other than i
 *     u_j = v_j with the probability C_i, and for one j in any case; else x_ij
 *
 * and becomes u where u is no worse. F_i is drawn anew from [0.1, 1] and C_i from [0, 1], each with a
 * probability of 0.1, and kept where u is. What leaves the bounds is mirrored at them. The first
 * member is the start, the others are points of Sobol's sequence. It ends where all members agree
 * within the tolerance, in their parameters or (its square) in their values.
 *
 * The points of a generation do not depend on each other: they are the cases of a study, numbered
 * from generation to generation. What is drawn is a function of the seed, the generation, the member
 * and the parameter, so that threads and restarts make no difference.
 */
#define _POSIX_C_SOURCE 200809L
#include "study/searches.h"

#include "study/quota.h"
#include "study/random.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const double renewed = 0.1, scale_low = 0.1, scale_span = 0.9; /* [Brest 2006] */

/* A member: parameters as shares, f and the violation (infinite where it did not run). */
typedef struct member {
    double *x, scale, cross, value, violation;
} member;

typedef struct population {
    hol__searches *s;
    int size, n, generation;
    member *members, *trials;
    double *points; /* of the trials, in units of the parameters */
    double evaluations;
} population;

/* ---- one point ---- */

/* Where points are evaluated. They stay from generation to generation, each with memory of its own:
 * what the first evaluation finds out about the model is long compared with a run. */
typedef struct evaluator {
    hol__quota *quota;
    hol__optimization q;
    struct evaluators *home;
    struct evaluator *next;
} evaluator;

typedef struct evaluators {
    const hol__searches *s;
    pthread_mutex_t lock;
    evaluator *idle;
} evaluators;

static void drop(evaluator *e) {
    hol__optimization_close(&e->q);
    hol__quota_free(e->quota);
    free(e);
}

/* One more; NULL without memory: what is wrong with the question was told before. */
static evaluator *make_evaluator(evaluators *all) {
    evaluator *e = calloc(1, sizeof *e);
    if (e) e->quota = hol__quota_new(0);
    if (!e || !e->quota) {
        free(e);
        return NULL;
    }
    e->home = all;
    if (!hol__optimization_open(&e->q, hol__quota_context(e->quota), "hol_optimize_widely",
                                all->s->q.spec, &all->s->asked))
        return e;
    drop(e);
    return NULL;
}

static void *begin(void *self, hol_context *ctx) {
    evaluators *all = self;
    (void)ctx;
    pthread_mutex_lock(&all->lock);
    evaluator *e = all->idle;
    if (e) all->idle = e->next;
    pthread_mutex_unlock(&all->lock);
    return e ? e : make_evaluator(all);
}

static void end(void *self) {
    evaluator *e = self;
    pthread_mutex_lock(&e->home->lock);
    e->next = e->home->idle;
    e->home->idle = e;
    pthread_mutex_unlock(&e->home->lock);
}

static void drop_all(evaluators *all) {
    while (all->idle) {
        evaluator *e = all->idle;
        all->idle = e->next;
        drop(e);
    }
    pthread_mutex_destroy(&all->lock);
}

static hol_status run(void *self, void *own, long long k, const atomic_int *stop,
                      hol__outcome *out) {
    const hol__searches *s = ((evaluators *)self)->s;
    hol__optimization *q = &((evaluator *)own)->q;
    (void)stop;
    hol_message_clear(q->ctx);
    q->reason = NULL;
    q->seen = 1; /* reasons are kept, not told */
    out->evaluations = 1;
    out->status =
        hol__optimization_values(q, s->points + (k - s->first) * q->vary.n, out->goals, NULL);
    out->state = out->status ? HOL__CASE_FAILED : HOL__CASE_DONE;
    if (out->status)
        hol__print(out->reason, sizeof out->reason, "%s",
                   q->reason && *q->reason ? q->reason : hol_status_text(out->status));
    return out->status < 0 ? out->status : HOL_OK;
}

static const hol__runner runner = {begin, run, end};

/* ---- the population ---- */

/* A number between 0 and 1: the `what`-th of a member in this generation. */
static double draw(const population *p, int i, int what) {
    const uint64_t seed = p->s->q.o.seed ? p->s->q.o.seed : 1,
                   stream = ((uint64_t)p->generation << 20) + (uint64_t)i;
    return hol__unit_number(hol__bits_at(seed, hol__mix(stream), (uint64_t)what));
}

enum { DRAW_RENEW_SCALE, DRAW_SCALE, DRAW_RENEW_CROSS, DRAW_CROSS, DRAW_KEPT, DRAW_OTHER };

/* Three different members other than i. */
static void choose(const population *p, int i, int other[3]) {
    int what = DRAW_OTHER + p->n;
    for (int k = 0; k < 3; k++) {
        int again = 1;
        while (again) {
            other[k] = (int)(draw(p, i, what++) * p->size);
            again = other[k] == i;
            for (int l = 0; l < k; l++) again |= other[k] == other[l];
        }
    }
}

/* A share within its bounds, mirrored at them. */
static double mirrored(double u) {
    u = fabs(fmod(u, 2));
    return u > 1 ? 2 - u : u;
}

/* What member i tries. */
static void try_member(population *p, int i) {
    const member *m = &p->members[i];
    member *t = &p->trials[i];
    int other[3];
    const int sure = (int)(draw(p, i, DRAW_KEPT) * p->n);
    choose(p, i, other);
    t->scale = draw(p, i, DRAW_RENEW_SCALE) < renewed
                   ? scale_low + scale_span * draw(p, i, DRAW_SCALE)
                   : m->scale;
    t->cross = draw(p, i, DRAW_RENEW_CROSS) < renewed ? draw(p, i, DRAW_CROSS) : m->cross;
    const double *a = p->members[other[0]].x, *b = p->members[other[1]].x,
                 *c = p->members[other[2]].x;
    for (int j = 0; j < p->n; j++)
        t->x[j] = j == sure || draw(p, i, DRAW_OTHER + j) < t->cross
                      ? mirrored(a[j] + t->scale * (b[j] - c[j]))
                      : m->x[j];
}

/* The trials as points of the study. */
static void place_trials(population *p) {
    const hol__vary *v = &p->s->q.vary;
    for (int i = 0; i < p->size; i++) {
        double *point = p->points + (size_t)i * (size_t)p->n;
        if (!p->generation) {
            hol__searches_spread(p->s, i, point);
            for (int j = 0; j < p->n; j++)
                p->trials[i].x[j] = (point[j] - v->low[j]) / (v->high[j] - v->low[j]);
            continue;
        }
        try_member(p, i);
        for (int j = 0; j < p->n; j++) {
            const double u = p->trials[i].x[j];
            point[j] = u >= 1 ? v->high[j] : v->low[j] + u * (v->high[j] - v->low[j]);
        }
    }
}

/* Constraints with a limit of 0 are measured by the largest that the first generation has. */
static void find_sizes(population *p) {
    hol__searches *s = p->s;
    for (int i = 0, k = 0; i < s->q.n_aims; i++) {
        if (s->q.aims[i].weight != 0) continue;
        double most = 0;
        for (int m = 0; m < p->size; m++)
            if (s->cases.state[m] == HOL__CASE_DONE)
                most = fmax(most, fabs(s->cases.goals[1 + k][m]));
        if (s->q.aims[i].limit == 0 && most > 0) s->size[k] = most;
        k++;
    }
}

/* Whether a is no worse than b: fewer violations, then the value [Deb 2000]. */
static int no_worse(const member *a, const member *b) {
    const double x = a->violation > HOL__FEASIBLE ? a->violation : 0,
                 y = b->violation > HOL__FEASIBLE ? b->violation : 0;
    return x < y || (x == y && (isinf(y) || a->value <= b->value));
}

/* The values of the trials, and who stays. */
static hol_status take_trials(population *p) {
    hol__searches *s = p->s;
    double *values = HOL__NEW_N(&s->arena, double, 1 + s->q.n_limits);
    if (!values) return HOL_ERR_MEMORY;
    for (int i = 0; i < p->size; i++) {
        const long long k = s->first + i;
        const int done = s->cases.state[k] == HOL__CASE_DONE;
        member *t = &p->trials[i], *m = &p->members[i];
        for (int g = 0; g <= s->q.n_limits; g++) values[g] = s->cases.goals[g][k];
        t->value = values[0];
        t->violation =
            done && isfinite(values[0]) ? hol__searches_violation(s, values) : (double)INFINITY;
        p->evaluations++;
        if (!isfinite(t->violation) && !s->q.reason && s->cases.n_reasons)
            s->q.reason = hol__arena_text(&s->q.arena, s->cases.reasons[0].text);
        s->q.failed += !isfinite(t->violation);
        if (isfinite(t->violation))
            hol__searches_offer(s, p->points + (size_t)i * (size_t)p->n, t->value, t->violation,
                                p->evaluations);
        if (p->generation && !no_worse(t, m)) continue;
        double *x = m->x;
        *m = *t;
        m->x = memcpy(x, t->x, sizeof *x * (size_t)p->n);
    }
    return HOL_OK;
}

/* Whether the members agree, and in what. */
static int has_ended(const population *p, hol__ended *ended) {
    const double tolerance = hol__optimization_tolerance(&p->s->q);
    double apart = 0, least = INFINITY, most = -INFINITY;
    for (int j = 0; j < p->n; j++) {
        double low = 1, high = 0;
        for (int i = 0; i < p->size; i++) {
            low = fmin(low, p->members[i].x[j]);
            high = fmax(high, p->members[i].x[j]);
        }
        apart = fmax(apart, high - low);
    }
    int all_hold = 1;
    for (int i = 0; i < p->size; i++) {
        all_hold &= p->members[i].violation <= HOL__FEASIBLE;
        least = fmin(least, p->members[i].value);
        most = fmax(most, p->members[i].value);
    }
    *ended = apart <= tolerance ? HOL__ENDED_PARAMETERS : HOL__ENDED_VALUE;
    return apart <= tolerance ||
           (all_hold && most - least <= tolerance * tolerance * fmax(fabs(most), fabs(least)));
}

/* ---- the search ---- */

static hol_status make(population *p) {
    hol__arena *a = &p->s->arena;
    p->members = HOL__NEW_N(a, member, p->size);
    p->trials = HOL__NEW_N(a, member, p->size);
    p->points = HOL__NEW_N(a, double, (size_t)p->size *(size_t)p->n + 1);
    for (int i = 0; i < p->size && p->members && p->trials; i++) {
        p->members[i] = (member){.x = HOL__NEW_N(a, double, p->n + 1)};
        p->trials[i] = (member){.x = HOL__NEW_N(a, double, p->n + 1), .scale = 0.5, .cross = 0.9};
    }
    return a->failed ? HOL_ERR_MEMORY : HOL_OK;
}

/* One generation: its points run, and taken. */
static hol_status evolve(population *p) {
    hol__searches *s = p->s;
    s->generation = p->generation;
    s->first = (long long)p->generation * p->size;
    s->study.cases = s->first + p->size;
    s->points = p->points;
    place_trials(p);
    hol_status status = hol__searches_run(s);
    if (status) return status;
    if (!p->generation) find_sizes(p);
    return take_trials(p);
}

/* Generations until the members agree or evaluations are used up. */
static hol_status search(population *p, hol__ended *ended) {
    const hol__searches *s = p->s;
    const double most = s->q.o.evaluations ? s->q.o.evaluations
                                           : (double)s->q.algorithms[0]->evaluations * (p->n + 1);
    hol_status status = HOL_OK;
    int done = 0;
    *ended = HOL__ENDED_EVALUATIONS;
    while (!status && !done && (!p->generation || p->evaluations + p->size <= most)) {
        status = evolve(p);
        if (!status && has_ended(p, ended))
            done = 1;
        else if (!status)
            *ended = HOL__ENDED_EVALUATIONS;
        p->generation++;
    }
    if (status == HOL_ERR_INTERRUPTED && s->found) {
        *ended = HOL__ENDED_INTERRUPTED;
        return HOL_OK;
    }
    return status;
}

hol_status hol__search_evolution(hol__searches *s, hol_answer *answer, hol__minimum *best) {
    const int n = s->q.vary.n, usual = 10 * n > 20 ? 10 * n : 20;
    population p = {.s = s, .n = n, .size = s->wide.population ? s->wide.population : usual};
    hol__ended ended;
    if (p.size < 4)
        return hol__report(s->q.ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "a population has at least 4 members: one, and three to vary it by");
    evaluators all = {.s = s};
    s->study.runner = &runner;
    s->study.runs = &all;
    s->study.n_goals = 1 + s->q.n_limits;
    pthread_mutex_init(&all.lock, NULL);
    hol_status status = make(&p);
    if (!status) status = search(&p, &ended);
    drop_all(&all);
    if (status) return status;
    if (!s->found)
        return hol__report(s->q.ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                           "none of %.0f points could be evaluated; try narrower bounds",
                           p.evaluations);
    hol__answer_number(answer, "population", "members of the population", p.size, "");
    hol__answer_number(answer, "generations", "generations", p.generation, "");
    s->q.before = (long)p.evaluations;
    if (s->q.n_algorithms > 1 && ended != HOL__ENDED_INTERRUPTED)
        return hol__optimization_search(&s->q, s->best_p, 1, best);
    status = hol__optimization_judge(&s->q, s->from, s->best_p, best);
    if (!status) best->ended = ended;
    return status;
}

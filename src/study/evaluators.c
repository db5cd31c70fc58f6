/* evaluators.c: points of a population, run as cases of a study. See evaluators.h. */
#define _POSIX_C_SOURCE 200809L
#include "study/evaluators.h"

#include "study/quota.h"

#include <stdlib.h>

typedef struct evaluator {
    hol__quota *quota;
    hol__optimization q;
    hol__evaluators *home;
    struct evaluator *next;
} evaluator;

static void drop(evaluator *e) {
    hol__optimization_close(&e->q);
    hol__quota_free(e->quota);
    free(e);
}

/* One more; NULL without memory: what is wrong with the question was told before. */
static evaluator *make_evaluator(hol__evaluators *all) {
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
    hol__evaluators *all = self;
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

static hol_status run(void *self, void *own, long long k, const atomic_int *stop,
                      hol__outcome *out) {
    const hol__searches *s = ((hol__evaluators *)self)->s;
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

void hol__evaluators_init(hol__evaluators *all, hol__searches *s) {
    *all = (hol__evaluators){.s = s};
    pthread_mutex_init(&all->lock, NULL);
    s->study.runner = &runner;
    s->study.runs = all;
    s->study.n_goals = 1 + s->q.n_limits;
}

void hol__evaluators_free(hol__evaluators *all) {
    while (all->idle) {
        evaluator *e = all->idle;
        all->idle = e->next;
        drop(e);
    }
    pthread_mutex_destroy(&all->lock);
}

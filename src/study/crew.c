/* crew.c: threads take one case after the other. See crew.h.
 *
 * A case is so much longer than taking it (a lock, 0.1 us) and writing its record that it needs no
 * shares of its own. Which thread runs a case, and when, does not show in its numbers.
 */
#include "study/crew.h"

#include "common/clock.h"
#include "study/case_log.h"
#include "study/quota.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

/* Seconds between two reports of progress. */
static const double REPORT = 0.2;

/* ---- cases ---- */

hol_status hol__cases_init(hol__cases *c, hol_study *s) {
    *c = (hol__cases){0};
    hol__arena_init(&c->arena, s->ctx);
    c->state = HOL__NEW_N(&c->arena, unsigned char, s->cases);
    c->steps = HOL__NEW_N(&c->arena, double, s->cases);
    c->evaluations = HOL__NEW_N(&c->arena, double, s->cases);
    c->goals = HOL__NEW_N(&c->arena, double *, s->n_goals + 1);
    for (int i = 0; i < s->n_goals && c->goals; i++)
        c->goals[i] = HOL__NEW_N(&c->arena, double, s->cases);
    return c->arena.failed ? HOL_ERR_MEMORY : HOL_OK;
}

void hol__cases_free(hol__cases *c) {
    hol__arena_free(&c->arena);
}

/* Why a case failed. */
static hol_status keep_reason(hol__cases *c, const hol__outcome *o) {
    struct hol__reason *reasons = hol__arena_grow(&c->arena, c->reasons, sizeof *reasons,
                                                  c->n_reasons, &c->capacity, c->n_reasons + 1);
    const char *text = hol__arena_text(&c->arena, o->reason);
    if (!reasons || !text) return HOL_ERR_MEMORY;
    c->reasons = reasons;
    reasons[c->n_reasons++] = (struct hol__reason){o->number, o->status, text};
    return HOL_OK;
}

/* One more case is done. A record of a case that there is not (of a study that had more of them)
 * or that was known already says nothing. */
static hol_status keep(hol__cases *c, const hol_study *s, const hol__outcome *o) {
    const long long k = o->number;
    if (k < 0 || k >= s->cases || c->state[k] != HOL__CASE_OPEN) return HOL_OK;
    c->state[k] = (unsigned char)o->state;
    c->steps[k] = o->steps;
    c->evaluations[k] = o->evaluations;
    for (int i = 0; i < s->n_goals; i++) c->goals[i][k] = o->goals[i];
    c->done++;
    c->failed += o->state == HOL__CASE_FAILED;
    c->beyond += o->state == HOL__CASE_BEYOND;
    return o->state == HOL__CASE_FAILED ? keep_reason(c, o) : HOL_OK;
}

/* ---- threads ---- */

/* What they share, under its lock. */
typedef struct crew {
    hol_study *study;
    const hol_study_options *options;
    hol__cases *cases;
    hol__case_log *log;
    pthread_mutex_t lock;
    long long next;
    atomic_int stop;
    hol_status status; /* the first that ended it */
    double begin, reported;
} crew;

/* The work ends, for all. */
static void end_with(crew *all, hol_status status) {
    if (status && !all->status) all->status = status;
    if (status) atomic_store(&all->stop, 1);
}

/* The next open case; -1 where there is none, or the work ends. */
static long long take(crew *all) {
    long long k = -1;
    pthread_mutex_lock(&all->lock);
    while (all->next < all->study->cases && all->cases->state[all->next] != HOL__CASE_OPEN)
        all->next++;
    if (!atomic_load(&all->stop) && all->next < all->study->cases) k = all->next++;
    pthread_mutex_unlock(&all->lock);
    return k;
}

/* A case is done: into memory and the log. */
static void hand_in(crew *all, const hol__outcome *o) {
    pthread_mutex_lock(&all->lock);
    hol_status status = keep(all->cases, all->study, o);
    if (!status && all->log) status = hol__case_log_add(all->log, o);
    end_with(all, status);
    pthread_mutex_unlock(&all->lock);
}

/* Say how far it is, from the thread of the caller; at its end in any case. */
static void report(crew *all, int at_end) {
    const double now = hol__clock_wall();
    if (!all->options->on_progress || (!at_end && now - all->reported < REPORT)) return;
    pthread_mutex_lock(&all->lock);
    const hol__cases *c = all->cases;
    hol_study_state state = {.size = sizeof state,
                             .cases = all->study->cases,
                             .done = c->done,
                             .failed = c->failed,
                             .found = c->found,
                             .elapsed = now - all->begin};
    pthread_mutex_unlock(&all->lock);
    const double here = (double)(state.done - state.found);
    state.remaining =
        here > 0 ? state.elapsed / here * (double)(state.cases - state.done) : (double)NAN;
    const hol_status status = all->options->on_progress(all->options->user, &state);
    all->reported = now;
    pthread_mutex_lock(&all->lock);
    end_with(all, status);
    pthread_mutex_unlock(&all->lock);
}

/* Cases one after the other; in the thread of the caller with reports. */
static hol_status work(crew *all, hol_context *ctx, int reports) {
    const hol_study *s = all->study;
    hol__bench *bench = hol__bench_new(ctx, s);
    hol__outcome out = {.goals = hol__alloc(ctx, (size_t)s->n_goals + 1, sizeof *out.goals)};
    hol_status status = bench && out.goals ? HOL_OK : HOL_ERR_MEMORY;
    for (long long k; !status && (k = take(all)) >= 0;) {
        status = hol__bench_run(bench, k, &all->stop, &out);
        if (!status) hand_in(all, &out);
        if (reports) report(all, 0);
    }
    hol__release(ctx, out.goals);
    hol__bench_free(bench);
    return status == HOL_ERR_INTERRUPTED ? HOL_OK : status;
}

/* The life of a thread, with memory of its own. */
static void *live(void *self) {
    crew *all = self;
    hol__quota *quota = hol__quota_new(all->study->max_bytes);
    const hol_status status =
        quota ? work(all, hol__quota_context(quota), 0) : HOL_ERR_MEMORY;
    hol__quota_free(quota);
    pthread_mutex_lock(&all->lock);
    end_with(all, status);
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

/* So many more threads than this one, which works too: nothing is lost where others cannot be
 * started. */
static hol_status work_together(crew *all, int more) {
    pthread_t *threads = hol__alloc(all->study->ctx, (size_t)(more > 0 ? more : 0) + 1,
                                    sizeof *threads);
    hol__quota *quota = hol__quota_new(all->study->max_bytes);
    hol_status status = threads && quota ? HOL_OK : HOL_ERR_MEMORY;
    int made = 0;
    while (!status && made < more && pthread_create(&threads[made], NULL, live, all) == 0) made++;
    if (!status) status = work(all, hol__quota_context(quota), 1);
    if (status) atomic_store(&all->stop, 1);
    for (int i = 0; i < made; i++) pthread_join(threads[i], NULL);
    hol__quota_free(quota);
    hol__release(all->study->ctx, threads);
    return status ? status : all->status;
}

/* ---- all of it ---- */

static hol_status take_record(void *user, const hol__outcome *o) {
    crew *all = user;
    return keep(all->cases, all->study, o);
}

/* The cases that a log knows. */
static hol_status open_log(crew *all) {
    const hol_study_options *o = all->options;
    const hol__case_log_mode mode = o->so_far  ? HOL__LOG_READ
                                    : o->fresh ? HOL__LOG_FRESH
                                               : HOL__LOG_GO_ON;
    if (!o->log || !all->study->spec) return HOL_OK;
    const hol_status status =
        hol__case_log_open(all->study, o->log, mode, take_record, all, &all->log);
    all->cases->found = all->cases->done;
    return status;
}

/* Without a model a case is its values. */
static void count_formulas(const crew *all) {
    hol__cases *c = all->cases;
    memset(c->state, HOL__CASE_DONE, (size_t)all->study->cases);
    c->done = all->study->cases;
}

hol_status hol__crew_run(hol_study *s, const hol_study_options *options, hol__cases *cases) {
    crew all = {.study = s, .options = options, .cases = cases, .begin = hol__clock_wall()};
    pthread_mutex_init(&all.lock, NULL);
    hol_status status = open_log(&all);
    if (!status && !s->spec)
        count_formulas(&all);
    else if (!status && !options->so_far) {
        status = work_together(&all, options->threads - 1);
        const hol_status closed = hol__case_log_close(all.log);
        if (!status) status = closed;
    }
    report(&all, 1);
    pthread_mutex_destroy(&all.lock);
    return status;
}

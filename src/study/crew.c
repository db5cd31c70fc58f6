/* crew.c: threads take one case after the other. See crew.h.
 *
 * Threads of a process share a piece of the cases, which the process takes from the counter of all
 * ranks: one case for a process by itself, and otherwise so many that at the end each thread has
 * had some ten of them. Which thread of which rank runs a case, and when, does not show in its
 * numbers. Each rank has a log of its own ("x.cases", "x.cases.1" …); all logs are read before the
 * first case and after the last.
 */
#define _POSIX_C_SOURCE 200809L
#include "study/crew.h"

#include "base/text.h"
#include "common/clock.h"
#include "study/case_log.h"
#include "study/quota.h"
#include "study/ranks.h"

#include <math.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

/* ---- threads ---- */

/* What they share, under its lock. */
typedef struct crew {
    hol_study *study;
    const hol_study_options *options;
    hol__cases *cases;
    hol__case_log *log;
    pthread_mutex_t lock;
    hol__ranks *ranks;
    long long next, behind, piece; /* the piece of the cases at hand, and how long pieces are */
    atomic_int stop;
    hol_status status; /* the first that ended it */
    double begin;
} crew;

/* The work ends, for all. */
static void end_with(crew *all, hol_status status) {
    if (status && !all->status) all->status = status;
    if (status) atomic_store(&all->stop, 1);
}

/* The next case, open or not; -1 behind the last. */
static long long advance(crew *all) {
    if (all->next == all->behind) {
        const long long cases = all->study->cases;
        all->next = hol__ranks_take(all->ranks, all->piece);
        if (all->next > cases) all->next = cases;
        all->behind = all->next + all->piece < cases ? all->next + all->piece : cases;
    }
    return all->next < all->behind ? all->next++ : -1;
}

/* The next open case; -1 where there is none, or the work ends. */
static long long take(crew *all) {
    long long k = -1;
    pthread_mutex_lock(&all->lock);
    if (!atomic_load(&all->stop)) do
            k = advance(all);
        while (k >= 0 && all->cases->state[k] != HOL__CASE_OPEN);
    pthread_mutex_unlock(&all->lock);
    return k;
}

/* A case is done: into memory and the log. */
static void hand_in(crew *all, const hol__outcome *o) {
    pthread_mutex_lock(&all->lock);
    hol_status status = hol__cases_keep(all->cases, all->study, o);
    if (!status && all->log) status = hol__case_log_add(all->log, o);
    end_with(all, status);
    pthread_mutex_unlock(&all->lock);
}

/* Say how far it is, from the thread of the caller. */
static void report(crew *all) {
    const double now = hol__clock_wall();
    if (!all->options->on_progress) return;
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
        if (reports) report(all);
    }
    hol__release(ctx, out.goals);
    hol__bench_free(bench);
    return status == HOL_ERR_INTERRUPTED ? HOL_OK : status;
}

/* The life of a thread, with memory of its own. */
static void *live(void *self) {
    crew *all = self;
    hol__quota *quota = hol__quota_new(all->study->max_bytes);
    const hol_status status = quota ? work(all, hol__quota_context(quota), 0) : HOL_ERR_MEMORY;
    hol__quota_free(quota);
    pthread_mutex_lock(&all->lock);
    end_with(all, status);
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

/* So many more threads than this one, which works too: nothing is lost where others cannot be
 * started. */
static hol_status work_together(crew *all, int more) {
    pthread_t *threads =
        hol__alloc(all->study->ctx, (size_t)(more > 0 ? more : 0) + 1, sizeof *threads);
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
    return hol__cases_keep(all->cases, all->study, o);
}

/* The log of a rank; NULL without memory. */
static char *log_name(const crew *all, int rank) {
    char number[24] = "";
    hol__text name;
    hol__text_init(&name, all->study->ctx);
    if (rank) hol__print(number, sizeof number, ".%d", rank);
    hol__text_add(&name, "%s%s", all->options->log, number);
    return hol__text_take(&name);
}

/* Open the log of a rank in a mode, or only read it; those of higher ranks may not be there. */
static hol_status open_log(crew *all, int rank, hol__case_log_mode mode, int *there) {
    char *name = log_name(all, rank);
    hol__case_log *log = NULL;
    if (!name) return HOL_ERR_MEMORY;
    *there = !rank || mode == HOL__LOG_GO_ON || access(name, F_OK) == 0;
    hol_status status =
        *there ? hol__case_log_open(all->study, name, mode, take_record, all, &log) : HOL_OK;
    hol__release(all->study->ctx, name);
    if (mode == HOL__LOG_GO_ON)
        all->log = log;
    else if (log)
        status = hol__case_log_close(log);
    return status;
}

/* Open or read the logs of all ranks that there are, but one (-1: none). */
static hol_status open_logs(crew *all, hol__case_log_mode mode, int but) {
    hol_status status = HOL_OK;
    for (int rank = 0, there = 1; there && !status; rank++)
        if (rank != but) status = open_log(all, rank, mode, &there);
    return status;
}

/* What the logs know, of an earlier start; the own one stays open. */
static hol_status find_done(crew *all) {
    const hol_study_options *o = all->options;
    const int own = hol__ranks_number(all->ranks);
    hol_status status = HOL_OK;
    int there;
    if (!o->log || !all->study->spec) return HOL_OK;
    if (o->so_far) return open_logs(all, HOL__LOG_READ, -1);
    if (o->fresh && !own) status = open_logs(all, HOL__LOG_FRESH, -1);
    hol__ranks_meet(all->ranks);
    if (!status) status = open_log(all, own, HOL__LOG_GO_ON, &there);
    hol__ranks_meet(all->ranks); /* every log has its head */
    if (!status) status = open_logs(all, HOL__LOG_READ, own);
    all->cases->found = all->cases->done;
    hol__ranks_meet(all->ranks); /* and nothing is added before all have read */
    return status;
}

/* Close the own log; rank 0 reads what the others have added. */
static hol_status gather(crew *all) {
    hol_status status = hol__case_log_close(all->log);
    hol__ranks_meet(all->ranks);
    if (status || hol__ranks_count(all->ranks) == 1 || hol__ranks_number(all->ranks)) return status;
    return open_logs(all, HOL__LOG_READ, 0);
}

/* Without a model a case is its values. */
static void count_formulas(const crew *all) {
    hol__cases *c = all->cases;
    memset(c->state, HOL__CASE_DONE, (size_t)all->study->cases);
    c->done = all->study->cases;
}

/* How many cases are taken at a time. */
static long long piece_of(const crew *all) {
    const int ranks = hol__ranks_count(all->ranks),
              threads = all->options->threads > 1 ? all->options->threads : 1;
    const long long open = all->study->cases - all->cases->done,
                    piece = ranks > 1 ? open / ((long long)ranks * threads * 10) : 1;
    return piece > 1 ? piece : 1;
}

/* The cases that are open. A rank that failed before meets the others all the same. */
static hol_status run_cases(crew *all, hol_status status) {
    all->piece = piece_of(all);
    if (!status) status = work_together(all, all->options->threads - 1);
    const hol_status gathered = gather(all);
    return status ? status : gathered;
}

hol_status hol__crew_run(hol_study *s, const hol_study_options *options, hol__cases *cases,
                         int *leads) {
    crew all = {.study = s, .options = options, .cases = cases, .begin = hol__clock_wall()};
    all.ranks = hol__ranks_join(s->ctx, !options->so_far && s->spec);
    if (!all.ranks) return HOL_ERR_FEATURE;
    *leads = hol__ranks_number(all.ranks) == 0;
    if (hol__ranks_count(all.ranks) > 1 && !options->log) {
        hol__ranks_leave(all.ranks);
        return hol__report(s->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "the ranks of an MPI job share their cases by a log; name one");
    }
    pthread_mutex_init(&all.lock, NULL);
    hol_status status = find_done(&all);
    if (!status && !s->spec)
        count_formulas(&all);
    else if (s->spec && !options->so_far)
        status = run_cases(&all, status);
    report(&all);
    pthread_mutex_destroy(&all.lock);
    hol__ranks_leave(all.ranks);
    return status;
}

/* threads.c: the cases of a study by threads of one process, which share the piece at hand. */
#define _POSIX_C_SOURCE 200809L
#include "study/crew_work.h"

#include "study/quota.h"

#include <pthread.h>

/* What they share, under its lock. */
typedef struct team {
    hol__crew *all;
    pthread_mutex_t lock;
    hol__piece_of piece;
} team;

/* The next place of the agenda; -1 behind the last. */
static long long advance(team *t) {
    if (t->piece.begin == t->piece.end)
        t->piece = hol__agenda_piece(&t->all->agenda, hol__ranks_take(t->all->ranks));
    return t->piece.begin < t->piece.end ? t->piece.begin++ : -1;
}

/* The next case; -1 where there is none, or the work ends. */
static long long take(team *t) {
    pthread_mutex_lock(&t->lock);
    const long long place = atomic_load(&t->all->stop) ? -1 : advance(t);
    pthread_mutex_unlock(&t->lock);
    return place < 0 ? -1 : hol__agenda_case(&t->all->agenda, place);
}

static void hand_in(team *t, const hol__outcome *o) {
    pthread_mutex_lock(&t->lock);
    hol__crew_end(t->all, hol__crew_keep(t->all, o));
    pthread_mutex_unlock(&t->lock);
}

static void report(team *t) {
    pthread_mutex_lock(&t->lock);
    hol__crew_end(t->all, hol__crew_report(t->all));
    pthread_mutex_unlock(&t->lock);
}

/* Cases one after the other; in the thread of the caller with reports. */
static hol_status work(team *t, hol_context *ctx, int reports) {
    const hol_study *s = t->all->study;
    hol__bench *bench = hol__bench_new(ctx, s);
    hol__outcome out = {.goals = hol__alloc(ctx, (size_t)s->n_goals + 1, sizeof *out.goals)};
    hol_status status = bench && out.goals ? HOL_OK : HOL_ERR_MEMORY;
    for (long long k; !status && (k = take(t)) >= 0;) {
        status = hol__bench_run(bench, k, &t->all->stop, &out);
        if (!status) hand_in(t, &out);
        if (reports) report(t);
    }
    hol__release(ctx, out.goals);
    hol__bench_free(bench);
    return status == HOL_ERR_INTERRUPTED ? HOL_OK : status;
}

/* The life of a thread, with memory of its own. */
static void *live(void *self) {
    team *t = self;
    hol__quota *quota = hol__quota_new(t->all->study->max_bytes);
    const hol_status status = quota ? work(t, hol__quota_context(quota), 0) : HOL_ERR_MEMORY;
    hol__quota_free(quota);
    pthread_mutex_lock(&t->lock);
    hol__crew_end(t->all, status);
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

/* So many more threads than this one, which works too: nothing is lost where others cannot be
 * started. */
hol_status hol__crew_threads(hol__crew *all, int threads) {
    hol_context *ctx = all->study->ctx;
    team t = {.all = all};
    const int more = threads > 1 ? threads - 1 : 0;
    pthread_t *others = hol__alloc(ctx, (size_t)more + 1, sizeof *others);
    hol__quota *quota = hol__quota_new(all->study->max_bytes);
    hol_status status = others && quota ? HOL_OK : HOL_ERR_MEMORY;
    int made = 0;
    pthread_mutex_init(&t.lock, NULL);
    while (!status && made < more && pthread_create(&others[made], NULL, live, &t) == 0) made++;
    if (!status) status = work(&t, hol__quota_context(quota), 1);
    if (status) atomic_store(&all->stop, 1);
    for (int i = 0; i < made; i++) pthread_join(others[i], NULL);
    pthread_mutex_destroy(&t.lock);
    hol__quota_free(quota);
    hol__release(ctx, others);
    return status ? status : all->status;
}

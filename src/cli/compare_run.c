/* compare_run.c: the runs of a comparison in threads, several at a time.
 *
 * Each run has a context, a model and a simulation of its own, so that the figures are the same one
 * by one and side by side, and a trial is written by its thread alone. Models are read one after
 * the other: what reads YAML makes no promise about threads. A signal is seen by every run after
 * its next step.
 */
#include "cli/compare.h"
#include "cli/run.h"

#include <pthread.h>
#include <stdlib.h>

/* What the threads share, under its lock. */
typedef struct crew {
    cli_comparison *c;
    pthread_mutex_t lock;
    int next, done;
} crew;

/* Say on a terminal how far it is. */
static void show_progress(const cli_comparison *c, int done) {
    cli_session *cli = c->cli;
    if (cli->quiet || !cli_is_terminal(stderr)) return;
    cli_progress_clear(cli);
    fprintf(stderr, "%d of %d runs", done, c->n_trials);
    fflush(stderr);
    cli->progress = 1;
}

/* The next trial, or NULL when all are taken or the user wants to stop. */
static cli_trial *next_trial(crew *all) {
    cli_trial *trial = NULL;
    pthread_mutex_lock(&all->lock);
    if (!cli_interrupt_signal() && all->next < all->c->n_trials)
        trial = &all->c->trials[all->next++];
    pthread_mutex_unlock(&all->lock);
    return trial;
}

/* A trial is done with. */
static void count_trial(crew *all) {
    pthread_mutex_lock(&all->lock);
    show_progress(all->c, ++all->done);
    pthread_mutex_unlock(&all->lock);
}

/* The life of a thread. */
static void *work(void *self) {
    crew *all = self;
    for (cli_trial *trial; (trial = next_trial(all)); count_trial(all))
        cli_trial_carry_out(all->c, trial);
    return NULL;
}

hol_status cli_compare_run(cli_comparison *c) {
    const int n = (c->jobs < c->n_trials ? c->jobs : c->n_trials) - 1;
    pthread_t *threads = calloc((size_t)(n > 0 ? n : 0) + 1, sizeof *threads);
    crew all = {.c = c};
    pthread_mutex_t reading;
    int made = 0;
    if (!threads) {
        cli_report(c->cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
        return HOL_ERR_MEMORY;
    }
    pthread_mutex_init(&all.lock, NULL);
    pthread_mutex_init(&reading, NULL);
    c->reading = &reading;
    show_progress(c, 0);
    /* this thread works too, so that nothing is lost where no other can be started */
    while (made < n && pthread_create(&threads[made], NULL, work, &all) == 0) made++;
    work(&all);
    for (int i = 0; i < made; i++) pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&reading);
    c->reading = NULL;
    pthread_mutex_destroy(&all.lock);
    cli_progress_clear(c->cli);
    free(threads);
    return cli_interrupt_signal() ? HOL_ERR_INTERRUPTED : HOL_OK;
}

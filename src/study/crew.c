/* crew.c: the cases of a study are found, run and gathered. See crew.h.
 *
 * Takers (the threads of a process, the processes that it starts, the ranks of an MPI job) fetch
 * pieces of the agenda from one counter. Which of them runs a case, and when, does not show in its
 * numbers. Each rank has a log of its own ("x.cases", "x.cases.1" …); all logs are read before the
 * first case and after the last, and by the first rank whenever an answer so far is asked for.
 */
#define _POSIX_C_SOURCE 200809L
#include "study/crew.h"

#include "base/text.h"
#include "common/clock.h"
#include "study/answer.h"
#include "study/crew_work.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* Seconds between two answers so far, at least; and as a multiple of what one takes. */
static const double REFRESH = 1, REFRESH_COST = 100;

/* Seconds between two words of a rank about its progress. */
static const double TELL = 1;

/* ---- at work ---- */

void hol__crew_end(hol__crew *all, hol_status status) {
    if (status && !all->status) all->status = status;
    if (status) atomic_store(&all->stop, 1);
}

hol_status hol__crew_keep(hol__crew *all, const hol__outcome *o) {
    const hol_status status = hol__cases_keep(all->cases, all->study, o);
    return !status && all->log ? hol__case_log_add(all->log, o) : status;
}

/* What this process has done since the start. */
static hol__progress own_progress(const hol__crew *all) {
    return (hol__progress){all->cases->done - all->cases->found - all->read,
                           all->cases->failed - all->found_failed - all->read_failed};
}

/* What all ranks have done. */
static hol__progress progress(hol__crew *all, double now) {
    const hol__progress own = own_progress(all);
    if (hol__ranks_count(all->ranks) == 1) return own;
    if (now - all->told > TELL) {
        all->told = now;
        hol__ranks_tell(all->ranks, own);
    }
    return hol__ranks_number(all->ranks) ? own : hol__ranks_told(all->ranks);
}

/* The answer of the cases so far, for the caller; as seldom as it takes little of the time. */
static hol_status answer_so_far(hol__crew *all, double now) {
    const hol_study_options *o = all->options;
    hol_answer *answer = NULL;
    if (!o->on_answer || hol__ranks_number(all->ranks) || now < all->next_answer) return HOL_OK;
    hol_status status = hol__crew_read_others(all);
    if (!status && all->cases->done)
        status = hol__study_answer(all->study, all->cases, now - all->begin, &answer);
    if (answer) status = o->on_answer(o->user, answer);
    hol_answer_free(answer);
    const double took = hol__clock_wall() - now;
    all->next_answer = now + took + fmax(REFRESH, REFRESH_COST * took);
    return status;
}

hol_status hol__crew_report(hol__crew *all) {
    const double now = hol__clock_wall();
    const hol__progress done = progress(all, now);
    const hol__cases *c = all->cases;
    hol_study_state state = {.size = sizeof state,
                             .cases = all->study->cases,
                             .done = c->found + done.done,
                             .failed = all->found_failed + done.failed,
                             .found = c->found,
                             .elapsed = now - all->begin,
                             .rank = hol__ranks_number(all->ranks),
                             .ranks = hol__ranks_count(all->ranks)};
    state.remaining = done.done > 0
                          ? state.elapsed / (double)done.done * (double)(state.cases - state.done)
                          : (double)NAN;
    const hol_status status =
        all->options->on_progress ? all->options->on_progress(all->options->user, &state) : HOL_OK;
    return status ? status : answer_so_far(all, now);
}

/* ---- logs ---- */

static hol_status take_record(void *user, const hol__outcome *o) {
    hol__crew *all = user;
    return hol__cases_keep(all->cases, all->study, o);
}

/* The log of a rank; NULL without memory. */
static char *log_name(const hol__crew *all, int rank) {
    char number[24] = "";
    hol__text name;
    hol__text_init(&name, all->study->ctx);
    if (rank) hol__print(number, sizeof number, ".%d", rank);
    hol__text_add(&name, "%s%s", all->options->log, number);
    return hol__text_take(&name);
}

/* Open the log of a rank in a mode, or only read it; those of higher ranks may not be there. */
static hol_status open_log(hol__crew *all, int rank, hol__case_log_mode mode, int *there) {
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
static hol_status open_logs(hol__crew *all, hol__case_log_mode mode, int but) {
    hol_status status = HOL_OK;
    for (int rank = 0, there = 1; there && !status; rank++)
        if (rank != but) status = open_log(all, rank, mode, &there);
    return status;
}

/* What the logs know, of an earlier start; the own one stays open. */
static hol_status find_done(hol__crew *all) {
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
    all->found_failed = all->cases->failed;
    hol__ranks_meet(all->ranks); /* and nothing is added before all have read */
    return status;
}

hol_status hol__crew_read_others(hol__crew *all) {
    const long long done = all->cases->done, failed = all->cases->failed;
    if (hol__ranks_count(all->ranks) == 1) return HOL_OK;
    const hol_status status = open_logs(all, HOL__LOG_READ, hol__ranks_number(all->ranks));
    all->read += all->cases->done - done;
    all->read_failed += all->cases->failed - failed;
    return status;
}

/* Close the own log; rank 0 reads what the others have added. */
static hol_status gather(hol__crew *all) {
    const hol_status status = hol__case_log_close(all->log);
    hol__ranks_tell(all->ranks, own_progress(all));
    hol__ranks_meet(all->ranks);
    return status || hol__ranks_number(all->ranks) ? status : hol__crew_read_others(all);
}

/* Without a model a case is its values. */
static void count_formulas(const hol__crew *all) {
    hol__cases *c = all->cases;
    memset(c->state, HOL__CASE_DONE, (size_t)all->study->cases);
    c->done = all->study->cases;
}

/* The agenda, by whoever is to work. Only the first process of a study may start others: those of
 * an MPI job hold connections that no copy may touch. */
static hol_status work(hol__crew *all) {
    const hol_study_options *o = all->options;
    const int ranks = hol__ranks_count(all->ranks), apart = o->processes > 0 && ranks == 1;
    const hol_status status =
        hol__agenda_init(&all->agenda, all->study, all->cases, apart ? o->processes : ranks);
    if (status) return status;
    if (apart) return hol__crew_processes(all, o->processes);
    return hol__crew_threads(all, o->processes > 0 ? o->processes : o->threads);
}

/* The cases that are open. A rank that failed before meets the others all the same. */
static hol_status run_cases(hol__crew *all, hol_status status) {
    if (!status) status = work(all);
    hol__agenda_free(&all->agenda);
    const hol_status gathered = gather(all);
    return status ? status : gathered;
}

hol_status hol__crew_run(hol_study *s, const hol_study_options *options, hol__cases *cases,
                         int *leads) {
    hol__crew all = {.study = s, .options = options, .cases = cases, .begin = hol__clock_wall()};
    all.next_answer = all.begin + REFRESH;
    all.ranks = hol__ranks_join(s->ctx, !options->so_far && s->spec);
    if (!all.ranks) return HOL_ERR_FEATURE;
    *leads = hol__ranks_number(all.ranks) == 0;
    if (hol__ranks_count(all.ranks) > 1 && !options->log) {
        hol__ranks_leave(all.ranks);
        return hol__report(s->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "the ranks of an MPI job share their cases by a log; name one");
    }
    hol_status status = find_done(&all);
    if (!status && !s->spec)
        count_formulas(&all);
    else if (s->spec && !options->so_far)
        status = run_cases(&all, status);
    all.next_answer = INFINITY; /* that of the end is made by whoever called */
    hol__crew_report(&all);
    hol__ranks_leave(all.ranks);
    return status;
}

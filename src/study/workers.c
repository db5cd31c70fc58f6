/* workers.c: the cases of a study by processes that this one starts, watches and replaces.
 *
 * Copies of this process (fork), which have read the study, take pieces of the agenda from the
 * board and put their outcomes onto it; this one runs no case, keeps what it finds there, and is
 * the only one that writes the log. A process may die at any instant, of what its case does or by
 * somebody's hand: another one takes its seat. The case that it ran, and those that it had taken
 * and not begun, stay open and are the agenda of the next round, which begins when no piece is
 * left.
 *
 * A case whose processes died TRIES times is recorded as failed. Whether it was the case's doing is
 * not to be seen of one death: somebody who kills processes at random, x times in a study of N
 * cases, hits one case twice with a chance of x^2/2N, but three times with x^3/6N^2 alone; ten
 * kills in a thousand cases: 5 % and 0.02 %.
 *
 * Where cases have a limit of time, one that does not come to the end of a step, where it would see
 * the limit itself, is ended with its process after twice as long.
 */
#define _GNU_SOURCE
#include "study/crew_work.h"

#include "common/child.h"
#include "common/clock.h"
#include "study/board.h"
#include "study/quota.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 3, FIRST_OTHER = 3 };

/* Deaths of each process without a case, one after another, that end the study. */
enum { IN_VAIN = 10 };

/* Seconds between two looks at the board: a hundredth of the time so far, within these. */
static const double SHORTEST = 5e-4, LONGEST = 0.05;

/* Seconds in which processes come to the end of a step when the work ends. */
static const double PATIENCE = 2;

/* A case that was running when its process died. */
typedef struct death {
    long long number;
    int times;
} death;

typedef struct workers {
    hol__crew *all;
    hol__board *board;
    hol__outcome out; /* room */
    int n, alive;
    struct worker {
        long process; /* 0: none */
        int overdue;  /* it was ended for its case's limit of time */
    } * list;
    death *deaths;
    int n_deaths, capacity;
    hol__arena arena;
    int in_vain;    /* processes that died one after another without a case */
    double stopped; /* when the end of the work was asked for; 0: not yet */
} workers;

/* ---- in the processes ---- */

/* Be the first that the system ends when memory is short, before any other program and before the
 * one that can replace it. */
static void volunteer(void) {
    const int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd >= 0 && write(fd, "1000", 4) < 0) errno = 0;
    if (fd >= 0) close(fd);
}

/* Pieces, case by case. */
static hol_status serve_cases(const workers *w, int seat, hol_context *ctx) {
    const hol_study *s = w->all->study;
    const hol__agenda *agenda = &w->all->agenda;
    atomic_int *stop = hol__board_stop(w->board);
    hol__bench *bench = hol__bench_new(ctx, s);
    hol__outcome out = {.goals = hol__alloc(ctx, (size_t)s->n_goals + 1, sizeof *out.goals)};
    hol_status status = bench && out.goals ? HOL_OK : HOL_ERR_MEMORY;
    while (!status && !atomic_load(stop)) {
        const hol__piece_of piece = hol__agenda_piece(agenda, hol__board_take(w->board));
        if (piece.begin == piece.end) break;
        for (long long i = piece.begin; i < piece.end && !status && !atomic_load(stop); i++) {
            const long long k = hol__agenda_case(agenda, i);
            hol__board_begin(w->board, seat, k);
            status = hol__bench_run(bench, k, stop, &out);
            if (!status) hol__board_put(w->board, seat, &out);
        }
    }
    return status == HOL_ERR_INTERRUPTED ? HOL_OK : status;
}

/* The life of a process. What it has taken goes with it. */
static void serve(const workers *w, int seat) {
    hol__child_close_from(FIRST_OTHER); /* a lock on the log would outlive its owner here */
    signal(SIGINT, SIG_IGN);            /* the whole group gets it; the first process decides */
    signal(SIGHUP, SIG_IGN);
    volunteer();
    hol__quota *quota = hol__quota_new(w->all->study->max_bytes);
    hol__board_rise(w->board, seat,
                    quota ? serve_cases(w, seat, hol__quota_context(quota)) : HOL_ERR_MEMORY);
    _exit(0);
}

/* ---- in the first one ---- */

/* A process for a seat; 0 where none can be started. */
static int start(workers *w, int seat) {
    hol__board_sit(w->board, seat);
    const long process = hol__child_start();
    if (process == 0) serve(w, seat);
    if (process < 0) return 0;
    w->list[seat] = (struct worker){process, 0};
    w->alive++;
    return 1;
}

/* What stands on the board for a seat, into memory and the log. */
static hol_status fetch(workers *w, int seat) {
    hol_status status = HOL_OK;
    while (!status && hol__board_get(w->board, seat, &w->out)) {
        status = hol__crew_keep(w->all, &w->out);
        w->in_vain = 0;
    }
    return status;
}

/* How often processes have died with this case, with one more of them. */
static int count_death(workers *w, long long k) {
    for (int i = 0; i < w->n_deaths; i++)
        if (w->deaths[i].number == k) return ++w->deaths[i].times;
    death *grown = hol__arena_grow(&w->arena, w->deaths, sizeof *grown, w->n_deaths, &w->capacity,
                                   w->n_deaths + 1);
    if (!grown) return TRIES;
    w->deaths = grown;
    grown[w->n_deaths++] = (death){k, 1};
    return 1;
}

/* The case is recorded as failed. */
static hol_status give_up(workers *w, long long k, hol_status why, const char *words) {
    hol__outcome *o = &w->out;
    o->number = k;
    o->state = HOL__CASE_FAILED;
    o->status = why;
    o->steps = o->evaluations = 0;
    for (int i = 0; i < w->all->study->n_goals; i++) o->goals[i] = NAN;
    hol__print(o->reason, sizeof o->reason, "%s", words);
    return hol__crew_keep(w->all, o);
}

/* What ended a process, in words. */
static const char *how_it_ended(int state, char *buf, size_t size) {
    const int by = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
    if (!by)
        hol__print(buf, size, "ended with exit code %d", WEXITSTATUS(state));
    else if (by == SIGKILL || by == SIGTERM)
        hol__print(buf, size, "was killed (%s), by hand or for want of memory", strsignal(by));
    else
        hol__print(buf, size, "crashed (%s)", strsignal(by));
    return buf;
}

/* A process died that had more to do. */
static hol_status mourn(workers *w, int seat, int state) {
    const hol_study *s = w->all->study;
    char how[120], words[HOL__REASON_SIZE];
    double since;
    const long long k = hol__board_running(w->board, seat, &since);
    how_it_ended(state, how, sizeof how);
    if (k < 0 || w->all->cases->state[k] != HOL__CASE_OPEN) {
        if (++w->in_vain < IN_VAIN * w->n) return HOL_OK;
        return hol__report(s->ctx, HOL_ERROR, HOL_ERR_MEMORY, NULL, NULL,
                           "%d processes of the study died one after another before their first "
                           "case; the last one %s",
                           w->in_vain, how);
    }
    if (w->list[seat].overdue) {
        hol__print(words, sizeof words,
                   "the case took more than %.9g s, and within twice as long no step of it ended",
                   s->max_seconds);
        return give_up(w, k, HOL_ERR_TOLERANCE, words);
    }
    if (count_death(w, k) < TRIES) return HOL_OK; /* it is run again in the next round */
    hol__print(words, sizeof words, "%d processes died with this case; the last one %s", TRIES,
               how);
    return give_up(w, k, HOL_ERR_INTERRUPTED, words);
}

/* Whether there is a piece for a new process. */
static int has_more(const workers *w) {
    const hol__piece_of next = hol__agenda_piece(&w->all->agenda, hol__board_next(w->board));
    return !w->stopped && next.begin < next.end;
}

/* One look at a seat. */
static hol_status look(workers *w, int seat) {
    struct worker *worker = &w->list[seat];
    int state = 0;
    hol_status how, status;
    if (!worker->process) return HOL_OK;
    const pid_t ended = waitpid((pid_t)worker->process, &state, WNOHANG);
    status = fetch(w, seat);
    if (!ended || (ended < 0 && errno == EINTR)) return status;
    worker->process = 0;
    w->alive--;
    const int done = hol__board_is_done(w->board, seat, &how);
    if (done && how && !status)
        status = hol__report(w->all->study->ctx, HOL_ERROR, how, NULL, NULL,
                             "a process of the study could not begin: %s", hol_status_text(how));
    if (!done && !w->stopped && !status) status = mourn(w, seat, state);
    if (!done && !status && has_more(w)) start(w, seat);
    return status;
}

/* End processes that have been at their case for too long, or that do not come to an end. */
static void end_slow(workers *w) {
    const double now = hol__clock_wall(), most = 2 * w->all->study->max_seconds;
    for (int i = 0; i < w->n; i++) {
        double since;
        if (!w->list[i].process) continue;
        const int slow = most > 0 && hol__board_running(w->board, i, &since) >= 0 &&
                         now - since > most,
                  late = w->stopped > 0 && now - w->stopped > PATIENCE;
        if (!slow && !late) continue;
        w->list[i].overdue = slow;
        kill((pid_t)w->list[i].process, SIGKILL);
    }
}

/* The end of the work, asked for once. */
static void stop(workers *w, hol_status status) {
    if (!status || w->stopped > 0) return;
    hol__crew_end(w->all, status);
    w->stopped = hol__clock_wall();
    atomic_store(hol__board_stop(w->board), 1);
}

/* Until all processes have ended. */
static void watch(workers *w) {
    while (w->alive) {
        for (int i = 0; i < w->n; i++) stop(w, look(w, i));
        stop(w, hol__crew_report(w->all));
        end_slow(w);
        const double wait =
            fmin(fmax(0.01 * (hol__clock_wall() - w->all->begin), SHORTEST), LONGEST);
        if (w->alive) nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * wait)}, NULL);
    }
}

/* The open cases once, by as many processes as can be started. */
static hol_status run_round(workers *w) {
    const long long most = w->all->agenda.n < w->n ? w->all->agenda.n : w->n;
    hol__board_rewind(w->board);
    for (int i = 0; i < most; i++) start(w, i);
    if (!w->alive)
        return hol__report(w->all->study->ctx, HOL_ERROR, HOL_ERR_MEMORY, NULL, NULL,
                           "no process can be started: %s; take threads instead", strerror(errno));
    watch(w);
    return w->all->status;
}

hol_status hol__crew_processes(hol__crew *all, int processes) {
    hol_study *s = all->study;
    workers w = {
        .all = all, .n = processes, .board = hol__board_new(s->ctx, processes, s->n_goals)};
    hol__arena_init(&w.arena, s->ctx);
    w.list = HOL__NEW_N(&w.arena, struct worker, processes);
    w.out.goals = HOL__NEW_N(&w.arena, double, s->n_goals + 1);
    hol_status status = w.board && !w.arena.failed ? HOL_OK : HOL_ERR_MEMORY;
    /* the first agenda is there */
    while (!status && all->agenda.n) {
        status = run_round(&w);
        hol__agenda_free(&all->agenda);
        if (!status) status = hol__agenda_init(&all->agenda, s, all->cases, processes);
    }
    hol__arena_free(&w.arena);
    hol__board_free(w.board);
    return status;
}

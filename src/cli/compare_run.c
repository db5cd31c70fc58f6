/* compare_run.c: the runs of a comparison, each in a process of its own, several at a time.
 *
 * A process that fails, is ended by a signal or runs out of memory costs its own row and nothing
 * else. It sends a record, the message and the samples through a pipe; the parent reads from all
 * pipes as they fill, so that no process waits for another. Both sides are the same program, so the
 * record travels as it lies in memory.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/compare.h"
#include "cli/run.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A process at work. */
typedef struct worker {
    pid_t pid; /* 0: none */
    int pipe;  /* the end to read from */
    cli_trial *trial;
    char *bytes; /* what it sent so far */
    size_t n_bytes, capacity;
} worker;

/* ---- the process ---- */

/* Write all; 0 when the reader has gone. */
static int write_all(int fd, const void *bytes, size_t n) {
    const char *p = bytes;
    while (n > 0) {
        const ssize_t k = write(fd, p, n);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) return 0;
        p += k;
        n -= (size_t)k;
    }
    return 1;
}

/* A signal that the parent catches ends the process; one that is ignored stays so. */
static void uncatch(int number) {
    struct sigaction now;
    if (sigaction(number, NULL, &now) == 0 && now.sa_handler != SIG_IGN) signal(number, SIG_DFL);
}

/* The life of a process: run, send, end without touching the parent's files. */
static void work(const cli_comparison *c, cli_trial *trial, int fd) {
    uncatch(SIGINT);
    uncatch(SIGTERM);
    cli_trial_carry_out(c, trial);
    cli_record *record = &trial->record;
    const size_t width = ((size_t)c->n_columns + 1) * sizeof *trial->samples;
    record->message_size = trial->message ? strlen(trial->message) : 0;
    const int sent = write_all(fd, record, sizeof *record) &&
                     write_all(fd, trial->message, record->message_size) &&
                     write_all(fd, trial->samples, record->n_samples * width);
    _exit(sent ? 0 : 1);
}

/* ---- the parent ---- */

/* Start a process for the trial; 0 when the system does not let us. */
static int start(const cli_comparison *c, cli_trial *trial, worker *w) {
    int ends[2];
    if (pipe(ends) != 0) return 0;
    const pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        work(c, trial, ends[1]);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return 0;
    }
    *w = (worker){.pid = pid, .pipe = ends[0], .trial = trial};
    return 1;
}

/* Give the trial a message of ours. */
static void fail(cli_trial *trial, hol_status status, const char *text) {
    trial->record.status = status;
    free(trial->message);
    trial->message = strdup(text);
}

/* Take what came through the pipe apart; 0 when it is not whole. */
static int decode(const cli_comparison *c, const worker *w) {
    cli_trial *trial = w->trial;
    cli_record *record = &trial->record;
    const size_t width = ((size_t)c->n_columns + 1) * sizeof *trial->samples;
    if (w->n_bytes < sizeof *record) return 0;
    memcpy(record, w->bytes, sizeof *record);
    const size_t n_text = record->message_size, n_samples = record->n_samples * width;
    if (w->n_bytes != sizeof *record + n_text + n_samples) {
        *record = (cli_record){0};
        return 0;
    }
    trial->message = strndup(w->bytes + sizeof *record, n_text);
    trial->samples = malloc(n_samples + 1);
    if (trial->samples) memcpy(trial->samples, w->bytes + sizeof *record + n_text, n_samples);
    if (!trial->samples || !trial->message) fail(trial, HOL_ERR_MEMORY, "out of memory");
    return 1;
}

/* The process has closed its pipe: what it sent, or how it ended. */
static void finish(const cli_comparison *c, worker *w) {
    int how = 0;
    close(w->pipe);
    while (waitpid(w->pid, &how, 0) < 0 && errno == EINTR) {
    }
    if (!decode(c, w)) {
        char text[128] = "the process of this run ended without a result";
        if (WIFSIGNALED(how))
            snprintf(text, sizeof text, "the process of this run was ended by signal %d (%s)",
                     WTERMSIG(how), strsignal(WTERMSIG(how)));
        fail(w->trial, HOL_ERR_MEMORY, text);
    }
    free(w->bytes);
    *w = (worker){0};
}

/* Read what is there; 0 at the end of the pipe. */
static int receive(worker *w) {
    enum { CHUNK = 1 << 16 };
    if (w->capacity - w->n_bytes < CHUNK) {
        const size_t capacity = 2 * w->capacity + CHUNK;
        char *grown = realloc(w->bytes, capacity);
        if (!grown) return 0;
        w->bytes = grown;
        w->capacity = capacity;
    }
    const ssize_t n = read(w->pipe, w->bytes + w->n_bytes, CHUNK);
    if (n > 0) w->n_bytes += (size_t)n;
    return n > 0 || (n < 0 && errno == EINTR);
}

/* Say on a terminal how far it is. */
static void show_progress(const cli_comparison *c, int done) {
    cli_session *cli = c->cli;
    if (cli->quiet || !cli_is_terminal(stderr)) return;
    cli_progress_clear(cli);
    fprintf(stderr, "%d of %d runs", done, c->n_trials);
    fflush(stderr);
    cli->progress = 1;
}

/* End all processes. */
static void stop(worker *workers, int n) {
    for (int i = 0; i < n; i++) {
        if (!workers[i].pid) continue;
        kill(workers[i].pid, SIGKILL);
        close(workers[i].pipe);
        while (waitpid(workers[i].pid, NULL, 0) < 0 && errno == EINTR) {
        }
        free(workers[i].bytes);
    }
}

/* Wait for the pipes and read; the number of trials that are done with. */
static int attend(const cli_comparison *c, worker *workers, struct pollfd *fds, int n) {
    int done = 0;
    for (int i = 0; i < n; i++)
        fds[i] = (struct pollfd){workers[i].pid ? workers[i].pipe : -1, POLLIN, 0};
    if (poll(fds, (nfds_t)n, -1) < 0) return 0;
    for (int i = 0; i < n; i++)
        if (workers[i].pid && fds[i].revents && !receive(&workers[i])) {
            finish(c, &workers[i]);
            done++;
        }
    return done;
}

/* Hand the next trials to workers without one; those that cannot be started are done with. */
static int hand_out(const cli_comparison *c, worker *workers, int n, int *next) {
    int failed = 0;
    for (int i = 0; i < n && *next < c->n_trials; i++) {
        if (workers[i].pid) continue;
        cli_trial *trial = &c->trials[(*next)++];
        if (start(c, trial, &workers[i])) continue;
        fail(trial, HOL_ERR_MEMORY, "no process could be started for this run");
        failed++;
    }
    return failed;
}

hol_status cli_compare_run(cli_comparison *c) {
    const int n = c->jobs < c->n_trials ? c->jobs : c->n_trials;
    worker *workers = calloc((size_t)n + 1, sizeof *workers);
    struct pollfd *fds = calloc((size_t)n + 1, sizeof *fds);
    hol_status status = workers && fds ? HOL_OK : HOL_ERR_MEMORY;
    int next = 0, done = 0;
    if (status) cli_report(c->cli, HOL_ERROR, status, "out of memory");
    while (!status && done < c->n_trials) {
        done += hand_out(c, workers, n, &next);
        show_progress(c, done);
        if (done < c->n_trials) done += attend(c, workers, fds, n);
        if (cli_interrupt_signal()) status = HOL_ERR_INTERRUPTED;
    }
    cli_progress_clear(c->cli);
    if (workers) stop(workers, n);
    free(workers);
    free(fds);
    return status;
}

/* interrupt.c: SIGINT, SIGTERM and SIGHUP raise a flag that the run looks at after each step.
 *
 * Whoever is not patient enough for that ends the program with a second signal, unless it is held
 * because it ends soon anyway and has something to take away before. One that follows
 * within a second is the same wish come twice: timeout(1) and job control send a signal to the
 * process and to its group.
 *
 * A command that answers at its end, and has nothing to keep before, ends at once and says so.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/run.h"
#include "common/clock.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t caught, held;
static int catching;
static double caught_at; /* used in the handler only, which does not interrupt itself */

static void on_signal(int number) {
    const double now = hol__clock_wall();
    if (!caught) {
        caught = number;
        caught_at = now;
        return;
    }
    if (now - caught_at >= 1 && !held) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

/* Say that there is no answer, and end by the signal. */
static void on_signal_early(int number) {
    static const char words[] =
        "warning: interrupted before there was an answer; files of earlier answers are as they "
        "were\n";
    signal(number, SIG_DFL);
    const ssize_t n = write(STDERR_FILENO, words, sizeof words - 1);
    (void)n; /* there is nobody left to tell */
    raise(number);
}

/* Catch one signal, unless whoever started the program wants it ignored. */
static void catch_one(int number, void (*handler)(int)) {
    struct sigaction now, wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.sa_handler = handler;
    wanted.sa_flags = SA_RESTART;
    sigemptyset(&wanted.sa_mask);
    sigaddset(&wanted.sa_mask, SIGINT);
    sigaddset(&wanted.sa_mask, SIGTERM);
    sigaddset(&wanted.sa_mask, SIGHUP);
    if (sigaction(number, NULL, &now) == 0 && now.sa_handler != SIG_IGN)
        sigaction(number, &wanted, NULL);
}

/* Catch those that ask the program to end. */
static void catch_all(void (*handler)(int)) {
    catch_one(SIGINT, handler);
    catch_one(SIGTERM, handler);
    catch_one(SIGHUP, handler);
}

void cli_interrupt_catch(void) {
    catching = 1;
    catch_all(on_signal);
}

void cli_interrupt_tell(int early) {
    if (!catching) catch_all(early ? on_signal_early : SIG_DFL);
}

void cli_interrupt_hold(void) {
    held = 1;
}

int cli_interrupt_signal(void) {
    return (int)caught;
}

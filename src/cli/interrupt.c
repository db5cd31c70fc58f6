/* interrupt.c: SIGINT, SIGTERM and SIGHUP raise a flag that the run looks at after each step.
 *
 * Whoever is not patient enough for that ends the program with a second signal, unless it is held
 * because it ends soon anyway and has something to take away before. One that follows
 * within a second is the same wish come twice: timeout(1) and job control send a signal to the
 * process and to its group.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/run.h"
#include "common/clock.h"

#include <signal.h>
#include <string.h>

static volatile sig_atomic_t caught, held;
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

/* Catch one signal, unless whoever started the program wants it ignored. */
static void catch_one(int number) {
    struct sigaction now, wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.sa_handler = on_signal;
    wanted.sa_flags = SA_RESTART;
    sigemptyset(&wanted.sa_mask);
    sigaddset(&wanted.sa_mask, SIGINT);
    sigaddset(&wanted.sa_mask, SIGTERM);
    sigaddset(&wanted.sa_mask, SIGHUP);
    if (sigaction(number, NULL, &now) == 0 && now.sa_handler != SIG_IGN)
        sigaction(number, &wanted, NULL);
}

void cli_interrupt_catch(void) {
    catch_one(SIGINT);
    catch_one(SIGTERM);
    catch_one(SIGHUP);
}

void cli_interrupt_hold(void) {
    held = 1;
}

int cli_interrupt_signal(void) {
    return (int)caught;
}

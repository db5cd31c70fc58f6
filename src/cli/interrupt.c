/* interrupt.c: SIGINT and SIGTERM raise a flag that the run looks at after each step. */
#define _POSIX_C_SOURCE 200809L
#include "cli/run.h"

#include <signal.h>
#include <string.h>

static volatile sig_atomic_t caught;

static void on_signal(int number) {
    caught = number;
}

/* Catch one signal once, unless whoever started the program wants it ignored. */
static void catch_one(int number) {
    struct sigaction now, wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.sa_handler = on_signal;
    wanted.sa_flags = SA_RESTART | (int)SA_RESETHAND;
    sigemptyset(&wanted.sa_mask);
    if (sigaction(number, NULL, &now) == 0 && now.sa_handler != SIG_IGN)
        sigaction(number, &wanted, NULL);
}

void cli_interrupt_catch(void) {
    catch_one(SIGINT);
    catch_one(SIGTERM);
}

int cli_interrupt_signal(void) {
    return (int)caught;
}

/* events.h: reading the section `events`. */
#ifndef HOL_COMPILE_EVENTS_H
#define HOL_COMPILE_EVENTS_H

#include "compile/compile.h"

/* event_actions.c: an action or a list of them. */
void hol__read_actions(hol__build *build, hol__node *node, hol__event *event);

#endif

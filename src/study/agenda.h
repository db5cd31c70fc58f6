/* agenda.h: the cases that are open when the work begins, and the pieces in which they are taken.
 *
 * A taker (a process) raises a counter by one, and piece i of the agenda is its own. All that lies
 * behind a number of a piece is arithmetic that every taker does for itself, so that one fetch of a
 * counter is all that takers need of each other.
 */
#ifndef HOL_STUDY_AGENDA_H
#define HOL_STUDY_AGENDA_H

#include "study/cases.h"

typedef struct hol__agenda {
    hol_context *ctx;
    long long n, takers;
    long long *number; /* by place: the case; NULL: all cases are open */
} hol__agenda;

/* Places begin … end - 1. */
typedef struct hol__piece_of {
    long long begin, end;
} hol__piece_of;

/* Of the open cases of a study, for so many takers. */
hol_status hol__agenda_init(hol__agenda *agenda, const hol_study *study, const hol__cases *cases,
                            long long takers);
void hol__agenda_free(hol__agenda *agenda);

/* Piece i; empty behind the last. */
hol__piece_of hol__agenda_piece(const hol__agenda *agenda, long long i);

/* The case at a place. */
static inline long long hol__agenda_case(const hol__agenda *agenda, long long place) {
    return agenda->number ? agenda->number[place] : place;
}

#endif

/* board.h: what the processes of a study share: memory that outlives each of them but the first.
 *
 * The processes take pieces of the agenda by a counter. Each has a seat: the case that it is
 * running, and a ring of the outcomes that the parent has not fetched yet. A process that is killed
 * at any instant leaves whole outcomes: one counts from the moment in which the ring's number is
 * raised. */
#ifndef HOL_STUDY_BOARD_H
#define HOL_STUDY_BOARD_H

#include "study/bench.h"

typedef struct hol__board hol__board;

/* A board of so many seats, for outcomes with n goals; NULL without memory, which is reported. */
hol__board *hol__board_new(hol_context *ctx, int seats, int n_goals);
void hol__board_free(hol__board *board);

/* Begin anew with the first piece; the next piece, for whoever asks; the one that comes next. */
void hol__board_rewind(hol__board *board);
long long hol__board_take(hol__board *board);
long long hol__board_next(const hol__board *board);

/* The flag that ends all work. */
atomic_int *hol__board_stop(hol__board *board);

/* A new process takes a seat; and says that it has done all it could, or why it could not begin. */
void hol__board_sit(hol__board *board, int seat);
void hol__board_rise(hol__board *board, int seat, hol_status status);

/* Whether it has, and with what status. */
int hol__board_is_done(const hol__board *board, int seat, hol_status *status);

/* The process runs this case from now on (-1: none); which, and since when. */
void hol__board_begin(hol__board *board, int seat, long long k);
long long hol__board_running(const hol__board *board, int seat, double *since);

/* One more outcome, after which no case is running; waits while the ring is full. */
void hol__board_put(hol__board *board, int seat, const hol__outcome *outcome);

/* The next outcome of a seat: 0 where there is none. out->goals has room. */
int hol__board_get(hol__board *board, int seat, hol__outcome *out);

#endif

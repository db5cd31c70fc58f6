/* clock.h: seconds, for measuring how long something takes. */
#ifndef HOL_COMMON_CLOCK_H
#define HOL_COMMON_CLOCK_H

/* Seconds of a clock that never goes back. May be called in a signal handler. */
double hol__clock_wall(void);

/* Seconds of processor time that this thread has used. */
double hol__clock_thread(void);

#endif

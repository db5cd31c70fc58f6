/* again.h: a step that has failed, tried once more. */
#ifndef HOL_SIM_AGAIN_H
#define HOL_SIM_AGAIN_H

typedef struct hol__again_state {
    long count;  /* steps that passed then … */
    long step;   /* … and the number of steps after the last of them */
    long thrown; /* attempts that had failed before this step */
    int tried;   /* this step was tried again … */
    int said;    /* … when that many messages were held back */
} hol__again_state;

#endif

/* extremes.h: the least and the largest value of every measure over all accepted steps, and over
 * the outputs alone. */
#ifndef HOL_SIM_EXTREMES_H
#define HOL_SIM_EXTREMES_H

typedef struct hol__extremes {
    int n;      /* columns of measures; 0: nobody wants them */
    int solves; /* some need accelerations or reactions */
    long samples;
    double *block;
    double *low, *t_low, *high, *t_high; /* over accepted steps and outputs, and when */
    double *sample_low, *sample_high;    /* over outputs */
} hol__extremes;

#endif

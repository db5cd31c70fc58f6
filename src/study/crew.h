/* crew.h: the cases of a study run by threads. */
#ifndef HOL_STUDY_CREW_H
#define HOL_STUDY_CREW_H

#include "study/bench.h"

/* What is known of all cases. */
typedef struct hol__cases {
    hol__arena arena;
    unsigned char *state;        /* hol__case_state, by case */
    double *steps, *evaluations; /* by case */
    double **goals;              /* by goal, by case */
    long long done, failed, beyond, found;
    int n_reasons, capacity;
    struct hol__reason {
        long long number;
        hol_status status;
        const char *text;
    } * reasons; /* in the order in which cases failed */
} hol__cases;

/* Room for all cases of a study, none of which is done. */
hol_status hol__cases_init(hol__cases *cases, hol_study *study);
void hol__cases_free(hol__cases *cases);

/* Run those that are open, or read what the log knows. HOL_ERR_INTERRUPTED where the caller ended
 * it; messages to the context of the study. *leads: this process is the one that knows all cases,
 * and makes the answer. */
hol_status hol__crew_run(hol_study *study, const hol_study_options *options, hol__cases *cases,
                         int *leads);

#endif

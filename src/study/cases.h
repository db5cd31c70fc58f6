/* cases.h: what is known of the cases of a study, in memory. */
#ifndef HOL_STUDY_CASES_H
#define HOL_STUDY_CASES_H

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

/* One more case is done. A record of a case that there is not (of a study that had more of them)
 * or that was known already says nothing. */
hol_status hol__cases_keep(hol__cases *cases, const hol_study *study, const hol__outcome *outcome);

#endif

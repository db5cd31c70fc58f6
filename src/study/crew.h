/* crew.h: the cases of a study run by threads. */
#ifndef HOL_STUDY_CREW_H
#define HOL_STUDY_CREW_H

#include "study/cases.h"

/* Run those that are open, or read what the log knows. HOL_ERR_INTERRUPTED where the caller ended
 * it; messages to the context of the study. *leads: this process is the one that knows all cases,
 * and makes the answer. */
hol_status hol__crew_run(hol_study *study, const hol_study_options *options, hol__cases *cases,
                         int *leads);

#endif

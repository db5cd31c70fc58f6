/* answer.h: what the cases of a study say. */
#ifndef HOL_STUDY_ANSWER_H
#define HOL_STUDY_ANSWER_H

#include "study/columns.h"

/* Of the cases that are done, after so many seconds of this start. */
hol_status hol__study_answer(hol_study *study, const hol__cases *cases, double seconds,
                             hol_answer **out);

#endif

/* answer.h: what the cases of a study say. */
#ifndef HOL_STUDY_ANSWER_H
#define HOL_STUDY_ANSWER_H

#include "study/columns.h"

/* Of the cases that are done. */
hol_status hol__study_answer(hol_study *study, const hol__cases *cases, hol_answer **out);

#endif

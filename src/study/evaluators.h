/* evaluators.h: where the points of a population are evaluated: f and g of a run each.
 *
 * They stay from generation to generation, each with memory of its own: what the first evaluation
 * finds out about the model takes longer than a run. A thread takes one that is idle.
 */
#ifndef HOL_STUDY_EVALUATORS_H
#define HOL_STUDY_EVALUATORS_H

#include "study/searches.h"

#include <pthread.h>

typedef struct hol__evaluators {
    const hol__searches *s;
    pthread_mutex_t lock;
    struct evaluator *idle;
} hol__evaluators;

/* The cases of the searches are points from now on: s->points, numbered from s->first. */
void hol__evaluators_init(hol__evaluators *evaluators, hol__searches *s);
void hol__evaluators_free(hol__evaluators *evaluators);

#endif

/* analysis.h: analyses as rows of a table. */
#ifndef HOLONOM_PYTHON_ANALYSIS_H
#define HOLONOM_PYTHON_ANALYSIS_H

#include "core.h"

/* One call of an analysis: what it works on, what is asked (a struct of the library), what it
 * answers, and the function that hears of it. */
typedef struct job {
    hol_context *ctx;
    hol_spec *spec;
    hol_sim *sim;
    void *how;
    hol_answer *answer;
    PyObject *function;
    const char *motion; /* a result file to follow */
} job;

/* An analysis: its options, and the call, which runs without the interpreter lock. */
typedef struct analysis {
    const char *name;
    const member *members;
    int wants_sim;
    hol_status (*call)(job *job);
    size_t size; /* of its struct, 0: none */
    /* what the table of members cannot say, from the dictionary, whose keys it takes out */
    int (*more)(pool *p, PyObject *values, void *how, job *job);
} analysis;

extern const analysis analyses[];

PyObject *answer_wrap(description_object *description, hol_answer *answer);

#endif

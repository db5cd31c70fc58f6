/* goals_object.h: what the files of goals.h share. */
#ifndef HOL_ANALYSIS_GOALS_OBJECT_H
#define HOL_ANALYSIS_GOALS_OBJECT_H

#include "analysis/gather.h"
#include "analysis/goals.h"

struct hol__goals {
    hol_context *ctx;
    hol__arena arena;
    hol_spec *spec;
    hol_options *run; /* NULL: as the description says */
    int n_parameters;
    const char **parameters;
    double *given;
    int n;
    hol__goal *goals;
    int columns;      /* of the measures */
    double tolerance; /* of derivatives, against the largest of their column */

    /* of the evaluation at hand, and of the last one */
    hol_context *own; /* what it says */
    char reason[1024];
    int by;           /* the pass that was taken */
    double uncertain; /* derivatives, as the tolerance has it */
    int parts;        /* steps of the formula in a step of the run … */
    long steps;       /* … and in all */
};

/* A run: the model at some values of the parameters, and its simulation. */
typedef struct hol__trial {
    hol_spec *spec;
    hol_options *options;
    hol_model *model;
    hol_sim *sim;
} hol__trial;

/* At p, but for parameter j (-1: none), which is shifted, with messages to ctx; adapt changes the
 * options (NULL: nobody does). */
hol_status hol__trial_open(hol__goals *goals, hol_context *ctx, const double *p, int j,
                           double shift, hol_status (*adapt)(hol_options *options),
                           hol__trial *trial);
void hol__trial_close(hol__trial *trial);

#endif

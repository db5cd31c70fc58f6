/* goals_object.h: what the files of goals.h share. */
#ifndef HOL_ANALYSIS_GOALS_OBJECT_H
#define HOL_ANALYSIS_GOALS_OBJECT_H

#include "analysis/gather.h"
#include "analysis/goals.h"

struct hol__goals {
    hol_context *ctx;
    hol__arena arena;
    hol_spec *spec;
    hol_options *run;        /* NULL: as the description says */
    const char *coordinates; /* of the models */
    int n_parameters;
    const char **parameters; /* by name or path, and as parameters of spec */
    const char **keys;
    double *given;
    int n;
    hol__goal *goals;
    int *kind;        /* by goal: the first goal with the same unit */
    int columns;      /* of the measures */
    double tolerance; /* of derivatives, against the largest of their column */

    /* of the evaluation at hand, and of the last one */
    hol_context *own; /* what it says */
    char reason[1024];
    hol__goals_info info;
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

/* The gradient at p, with steps of the formula as short and neighbours as near as it needs; found:
 * the values, and where extremes lie. */
hol_status hol__goals_gradient(hol__goals *goals, const double *p, int by, const hol__gather *found,
                               double *gradient, hol__arena *room);

#endif

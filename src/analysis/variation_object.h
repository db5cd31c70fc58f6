/* variation_object.h: what the files of variation.h share. */
#ifndef HOL_ANALYSIS_VARIATION_OBJECT_H
#define HOL_ANALYSIS_VARIATION_OBJECT_H

#include "analysis/variation.h"

struct hol__variation_equations {
    const hol_model *model;
    hol__arena arena;
    hol_data *data; /* a copy to solve in */
    hol__tangent *tangent;
    hol__collocation formulas[2]; /* inside, and where the equations jump at the end of a step */
    const hol__collocation *formula;
    int n, columns, most; /* of Y, which is n x columns */
    double *Y;
    hol__variation_place place[HOL__STAGES]; /* G: n x n */
    double *F[HOL__STAGES];                  /* like Y; NULL: zero */
    double *rate;                            /* Y' at the nodes: 5 n x columns */
    hol__lu *lu;                             /* 5 n */
    double *right;                           /* 5 n x columns */
    int has_chosen, n_chosen, *chosen;       /* the independent numbers of a perturbation */
    double *guides, *basis;                  /* n x n */
    double *load, *rows, *multipliers;       /* nv, m, m */
    double *zero, *x, *room;                 /* nv, n, 3 nv */
};

#endif

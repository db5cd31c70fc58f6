/* symbolic.h: the equations of motion of a small model as formulas.
 *
 *     M v' + A^T lambda = Q     Phi = 0     A v = b     A v' = c
 *
 * From the poses r, R of the bodies as formulas of the coordinates (coords/formula.h) and their
 * velocities r', w, which are linear in v:
 *
 *     M = sum_b m dr'/dv^T dr'/dv + dw/dv^T J dw/dv
 *     Q = sum_b dr'/dv^T (m g - m a0) - dw/dv^T (J alpha0 + w x J w) + what forces do
 *         a0, alpha0: derivatives of r', w along the motion with v held
 *     A = dpsi/dv,  b = -psi at v = 0,  c = -psi' with v held        psi = Phi', or as it is given
 *
 * The formulas are evaluated at states and with parameters at random near those of the model, and
 * compared with the numbers of the library: what does not agree is an error and is never shown.
 */
#ifndef HOL_ANALYSIS_SYMBOLIC_H
#define HOL_ANALYSIS_SYMBOLIC_H

#include "base/answer.h"
#include "coords/formula.h"

#include <holonom/equations.h>
#include <holonom/sim.h>
#include <holonom/spec.h>

typedef struct hol__equations {
    hol_context *ctx;
    hol_context *quiet; /* of the models with other parameters */
    hol__algebra *a;
    hol__symbolic to;
    hol__candidates numbers;
    hol_model **models;
    int n_models;
    /* the section `parameters`: its names, what they are (a symbol, or a number where the model
     * cannot be compiled with another value), and their definitions by others (NULL: a number) */
    int n_names;
    const char **names;
    hol__sym *values, *definition;
    int n_wanted; /* only these parameters are symbols; 0: all of them */
    const char *const *wanted;
    int fixed; /* parameters are numbers: with others near its own the model is another one */
    int nv, m, mh;
    hol__sym *M, *A, *Q, *Phi, *b, *c; /* row after row */
    long most;                         /* operations that they may take */
    int n_derived; /* symbols that they have; what a method adds comes behind them */
    double worst;  /* of the check: the largest difference, relative */
    int states;    /* at which they were compared */
} hol__equations;

/* The models with other parameters, the symbols of the parameters and the candidates for numbers;
 * model: as described. */
hol_status hol__symbolic_models(hol__equations *e, const hol_spec *spec, const hol_model *model);

/* The equations. Reports a joint that has no formula, and formulas that are too long. */
hol_status hol__symbolic_derive(hol__equations *e);

/* Compare them with the numbers of the library. */
hol_status hol__symbolic_check(hol__equations *e);

/* The values of all symbols at the state in data, which is one of model k (stage DYN); NaN for
 * those of a method. work: as many numbers as the algebra has nodes. */
void hol__symbolic_values(hol__equations *e, int k, hol_data *data, double *values, double *work);

/* All operations of the equations, as they are written. */
long hol__symbolic_operations(const hol__equations *e);

/* The tables of what the method of the simulation solves. */
void hol__symbolic_system(hol__equations *e, const hol_sim *sim, hol_answer *answer);

/* A table of rows x columns formulas; vector: one column without a name. */
void hol__symbolic_table(hol__equations *e, hol_answer *answer, const char *name, const char *title,
                         int rows, int columns, const hol__sym *entries,
                         const char *const *row_names, const char *const *column_names);

#endif

/* assemblies.h: what the parts of the search for assemblies share. */
#ifndef HOL_ANALYSIS_ASSEMBLIES_H
#define HOL_ANALYSIS_ASSEMBLIES_H

#include "analysis/closing.h"
#include "base/answer.h"
#include "sim/sim.h"

#include <holonom/assemblies.h>
#include <holonom/matrix.h>

/* So many are kept. */
enum { HOL__MOST_ASSEMBLIES = 512 };

typedef struct hol__branch {
    double *q;
    double *coordinates; /* of revolute and prismatic joints, by joint */
    int count, freedoms, sign;
} hol__branch;

typedef struct hol__assemblies {
    hol_context *ctx;
    const hol_model *model; /* as it is run … */
    const hol_model *from;  /* … and in reference-point coordinates, with values at the start */
    const hol_options *options;
    hol_assemblies_options how;
    hol__arena arena;
    hol_data *data;
    hol__closing closing;
    double *drawn, *start;
    int *rows, n_rows;
    hol__lu *lu;
    int starts, closed, n, more;
    int runs; /* a run can start as drawn, in the first assembly */
    hol__branch branch[HOL__MOST_ASSEMBLIES];
} hol__assemblies;

/* The largest displacement of a body between two positions, and the largest rotation. */
void hol__assemblies_apart(const hol__assemblies *a, const double *q, const double *other,
                           double apart[2]);

/* assemblies_family.c: the last assembly, which can still move, is counted with an earlier one that
 * it can move to. */
hol_status hol__assemblies_merge(hol__assemblies *a);

/* assemblies_answer.c: facts and tables. */
void hol__assemblies_tell(hol__assemblies *a, hol_answer *answer);

/* assemblies_elbows.c: the table of how loops are folded. */
void hol__assemblies_tell_elbows(hol__assemblies *a, hol_answer *answer);

#endif

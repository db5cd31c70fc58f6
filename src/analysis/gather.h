/* gather.h: the values of goals along a run.
 *
 * Integrals by Gauss's formula with three nodes in each part of a step, order six. Extremes lie at
 * the start, at the end, at a change, or inside a step: there the highest of the nodes is followed
 * up by a search on the dense output.
 */
#ifndef HOL_ANALYSIS_GATHER_H
#define HOL_ANALYSIS_GATHER_H

#include "analysis/passage.h"
#include "analysis/goal.h"

/* Where an extreme lies: at a time inside a step, at one side of a change, or at the end, which has
 * the number behind the last of them. */
typedef struct hol__spot {
    double t;
    int change; /* -1: inside; else its number in the run */
    int behind; /* the state is that after it; 2: at its own time, which does not move */
} hol__spot;

typedef struct hol__gather {
    int n;
    const hol__goal *goals;
    double *value;     /* n, whole after the end of the run */
    hol__spot *place;  /* n, of extremes, and of times that lie within a change */
    double *integral;  /* n, of g or g^2 */
    double *column;    /* room for all measures */
    double start, end; /* times */
} hol__gather;

int hol__gather_init(hol__gather *gather, int n, const hol__goal *goals, int columns,
                     hol__arena *arena);

/* Parts of a step for the nodes of integrals, of the watcher of a run that gathers and does nothing
 * else. */
enum { HOL__GATHER_PARTS = 2 };
extern const hol__passage_watcher hol__gather_watcher;

/* The calls of such a watcher, each by itself. */
hol_status hol__gather_begin(hol__gather *gather, hol__passage *passage);
hol_status hol__gather_span(hol__gather *gather, hol__passage *passage, int parts, double t0,
                            double t1);
hol_status hol__gather_side(hol__gather *gather, hol__passage *passage, int behind);
hol_status hol__gather_end(hol__gather *gather, hol__passage *passage);

#endif

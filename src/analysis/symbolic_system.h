/* symbolic_system.h: what the tables of a method and the basis R share. */
#ifndef HOL_ANALYSIS_SYMBOLIC_SYSTEM_H
#define HOL_ANALYSIS_SYMBOLIC_SYSTEM_H

#include "analysis/symbolic.h"

typedef struct system_work {
    hol__equations *e;
    hol_answer *answer;
    hol__sym *cbar;
    const char **velocity, **independent; /* names */
    int k;                                /* independent velocities */
    hol__sym *R, *Sc;                     /* nv x k; nv */
} system_work;

/* R and S cbar by elimination; 0 where that takes too many operations. */
int hol__symbolic_basis(system_work *s);

#endif

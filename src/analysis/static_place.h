/* static_place.h: a state of a mechanism kept aside, to come back to. */
#ifndef HOL_ANALYSIS_STATIC_PLACE_H
#define HOL_ANALYSIS_STATIC_PLACE_H

#include "dyn/data.h"

typedef struct hol__static_place {
    double *q, *z, *angles, *memory;
    double *turn; /* full turns of bodies in the plane, which their coordinates do not count */
} hol__static_place;

/* The state in data, in the arena; 0 without memory. */
int hol__static_place_keep(hol__arena *arena, const hol_data *data, hol__static_place *place);

/* Back into data. */
void hol__static_place_put(hol_data *data, const hol__static_place *place);

#endif

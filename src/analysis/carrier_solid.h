/* carrier_solid.h: one body in three components, plane or space, for what finds and uses a
 * carrier. */
#ifndef HOL_ANALYSIS_CARRIER_SOLID_H
#define HOL_ANALYSIS_CARRIER_SOLID_H

#include "analysis/carrier.h"

typedef struct hol__solid {
    double r[3], R[9], v[3], w[3], a[3], alpha[3];
} hol__solid;

/* Body i of a data whose accelerations are up to date (data->acc). */
hol__solid hol__solid_of(const hol_data *data, int i);

#endif

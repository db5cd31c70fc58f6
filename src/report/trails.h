/* trails.h: which points leave a trail. */
#ifndef HOL_REPORT_TRAILS_H
#define HOL_REPORT_TRAILS_H

#include "report/geometry.h"

/* Whether a column is the one that goes by its name. */
int hol__trail_keeps(const hol_result *result, int column);

/* The first column (x) of the next measured position behind a column (0 at first); -1: no more. */
int hol__trail_next(const hol_result *result, int planar, int after);

/* The bodies whose mass centres leave a trail where no position is measured; how many. */
int hol__trail_bodies(const hol__geometry *geometry, int bodies[3]);

/* Where a measured position (columns from x on), or a mass centre, is at a record, in metres. */
void hol__trail_measured(const hol__movie *movie, int planar, int column, int row, double out[3]);
void hol__trail_centre(const hol__movie *movie, int body, int row, double out[3]);

/* The colour of the trail of a measured position, apart from those of the first bodies, as in the
 * page. */
unsigned hol__trail_color(int index);

#endif

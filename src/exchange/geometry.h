/* geometry.h: shapes that are drawn, for the readers of all formats. */
#ifndef HOL_EXCHANGE_GEOMETRY_H
#define HOL_EXCHANGE_GEOMETRY_H

#include "exchange/robot.h"

/* "#rrggbb" of numbers between 0 and 1. */
void hol__color(const double rgba[4], char out[8]);

/* A box (edges), cylinder (radius, length) or sphere (radius) of a body, drawn; one without a size
 * is listed. */
void hol__draw_shape(hol_import *im, int body, const hol__xml *shape, const char *type,
                     const double size[3], const hol__placement *at, const char *color);

/* A mesh from a file; what speaks against it is listed. */
void hol__draw_mesh(hol_import *im, int body, const hol__xml *mesh, const char *attribute,
                    const char *uri, const double scale[3], const hol__placement *at,
                    const char *color);

#endif

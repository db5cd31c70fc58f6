/* geometry.h: shapes that are drawn, for the readers of all formats. */
#ifndef HOL_EXCHANGE_GEOMETRY_H
#define HOL_EXCHANGE_GEOMETRY_H

#include "exchange/robot.h"

/* "#rrggbb" of numbers between 0 and 1. */
void hol__color(const double rgba[4], char out[8]);

/* The other way; 0 where it is no colour. */
int hol__color_numbers(const char color[8], double rgba[4]);

/* A box (edges), cylinder, cone, capsule (radius, length; a capsule is a cylinder with two spheres)
 * or sphere (radius) of a body, drawn; one without a size is listed. */
void hol__draw_shape(hol_import *im, int body, const hol__xml *shape, const char *type,
                     const double size[3], const hol__placement *at, const char *color);

/* The volume of a sphere, capsule, cylinder, box or ellipsoid by half-lengths (radius and
 * half-length of what is round); I: its principal inertias for a mass of 1. */
double hol__solid(const char *type, const double half[3], double I[3]);

/* A mesh from a file; what speaks against it is listed. */
void hol__draw_mesh(hol_import *im, int body, const hol__xml *mesh, const char *attribute,
                    const char *uri, const double scale[3], const hol__placement *at,
                    const char *color);

#endif

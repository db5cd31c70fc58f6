/* geometry.h: what there is to draw of a mechanism: outlines of bodies, joints, forces, and how
 * large it all is. */
#ifndef HOL_REPORT_GEOMETRY_H
#define HOL_REPORT_GEOMETRY_H

#include "report/movie.h"

/* A body: its shapes where the model gives some (or a solid of the same inertia where nothing else
 * is there to draw), and the points at which joints and forces hold it, all in its frame. */
typedef struct hol__outline {
    int n_points;
    double *points; /* three numbers each */
    int given;      /* the shapes are those of the model, and all that is drawn */
    int n_shapes;
    const hol_shape *shapes;
    hol_shape own; /* the solid of the same inertia */
} hol__outline;

typedef struct hol__geometry {
    int planar;
    int n_bodies, n_joints, n_forces;
    hol__outline *bodies; /* ground last */
    hol_element_info *joints, *forces;
    double low[3], high[3]; /* a box around the whole motion */
    double size; /* its diagonal, or a measure of the mechanism itself where it travels */
    int travels; /* the way it goes is much longer than it is large */
    double link; /* how long a typical body is */
    double gravity[3];
} hol__geometry;

/* Collect it in the arena of the movie; 0 without memory. */
int hol__geometry_init(hol__geometry *geometry, hol__movie *movie);

#endif

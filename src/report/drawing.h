/* drawing.h: a mechanism at one instant, drawn in the plane. */
#ifndef HOL_REPORT_DRAWING_H
#define HOL_REPORT_DRAWING_H

#include "report/canvas.h"
#include "report/geometry.h"
#include "report/labels.h"
#include "report/loads.h"

#include <holonom/report.h>

/* How points of space come to the picture: parallel projection along a fixed direction, the whole
 * motion in sight. */
typedef struct hol__camera {
    double right[3], up[3], back[3]; /* axes of the picture; back points to the eye */
    double centre[3];
    double scale; /* pixels a metre */
    double x, y;  /* of the centre, in pixels */
} hol__camera;

/* The camera for a picture of that size. */
void hol__camera_init(hol__camera *camera, const hol__geometry *geometry, int width, int height);

/* x, y in pixels, and the distance towards the eye. */
void hol__camera_project(const hol__camera *camera, const double point[3], double out[3]);

typedef struct hol__drawing {
    const hol__movie *movie;
    const hol__geometry *geometry;
    hol__camera camera;
    int dark;
    int names;               /* write those of bodies and joints */
    unsigned show;           /* HOL_MOTION_... bits: trails over the whole motion, arrows, axes */
    const hol__loads *loads; /* what arrows show; NULL: there are none … */
    hol_unit load_units[2];  /* … and the units of forces and moments */
} hol__drawing;

/* Note what is to be shown beside the mechanism, with what that needs. */
void hol__drawing_show(hol__drawing *drawing, hol__movie *movie, hol__loads *loads, unsigned show);

/* Draw the mechanism at the record; 0 without memory. */
int hol__drawing_draw(const hol__drawing *drawing, int row, hol__canvas *canvas);

/* The trails of points, at that record; 0 without memory. */
int hol__drawing_trails(const hol__drawing *drawing, int row, hol__canvas *canvas);

/* The arrows of reactions and forces at that record, with their values where there is room. */
void hol__drawing_arrows(const hol__drawing *drawing, int row, hol__labels *labels,
                         hol__canvas *canvas);

/* The axes of the bodies' frames at that record (drawing_axes.c); their colours, and how long they
 * are drawn, in metres. */
void hol__drawing_axes(const hol__drawing *drawing, int row, hol__canvas *canvas);
extern const unsigned hol__axis_colors[3];
double hol__axis_length(const hol__geometry *geometry);

/* The colour of the ground; and words in the lower left corner. */
unsigned hol__drawing_paper(int dark);
void hol__drawing_caption(const hol__drawing *drawing, hol__canvas *canvas, int height,
                          const char *words);

#endif

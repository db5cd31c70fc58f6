/* parts.h: the bodies of a mechanism at one instant as bars and areas of a picture, to be drawn
 * from the far ones to the near ones. */
#ifndef HOL_REPORT_PARTS_H
#define HOL_REPORT_PARTS_H

#include "report/drawing.h"

/* Something to draw: a bar between two points, a wide line through more, or an area. */
typedef struct hol__part {
    double depth;
    unsigned color, rim;
    double opacity;
    double width; /* of a bar; 0: an area */
    int n;
    size_t at; /* of its first point in the pool */
} hol__part;

typedef struct hol__parts {
    hol_context *ctx;
    int n, capacity;
    hol__part *items;
    size_t n_xy, xy_capacity;
    double *xy; /* the pool: x and y of all points */
    int failed; /* no memory */
} hol__parts;

/* Add body `index` at the record, or (n_bodies) what stands on ground. */
void hol__parts_add(hol__parts *parts, const hol__drawing *drawing, int row, int index);

void hol__parts_draw(hol__parts *parts, hol__canvas *canvas);
void hol__parts_free(hol__parts *parts);

/* The colour of a body by its place; a colour that is darker by a factor. */
unsigned hol__body_color(int index);
unsigned hol__darken(unsigned color, double factor);

/* "#rrggbb" as a number, or the other colour. */
unsigned hol__color_of(const char *text, unsigned otherwise);

#endif

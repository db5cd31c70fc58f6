/* labels.h: places for words in a picture, clear of each other and, where there is room, of what is
 * drawn. */
#ifndef HOL_REPORT_LABELS_H
#define HOL_REPORT_LABELS_H

#include "base/context.h"

/* The picture in small squares: free, drawn on, or taken by a word. */
typedef struct hol__labels {
    hol_context *ctx;
    int columns, rows;
    unsigned char *cells;
} hol__labels;

/* 0 without memory. */
int hol__labels_init(hol__labels *labels, hol_context *ctx, int width, int height);
void hol__labels_free(hol__labels *labels);

/* Note what is drawn: a line of some width through n points, and an area inside them. */
void hol__labels_line(hol__labels *labels, int n, const double *xy, double width);
void hol__labels_area(hol__labels *labels, int n, const double *xy);

/* A place for a word of that size beside a point, at least `gap` away from it: its left upper
 * corner goes to out, and the place is taken. 0 where every place is out of the picture or that of
 * another word. */
int hol__labels_place(hol__labels *labels, const double point[2], double width, double height,
                      double gap, double out[2]);

#endif

/* canvas_type.h: what draws a kind of picture: one table of functions each. */
#ifndef HOL_REPORT_CANVAS_TYPE_H
#define HOL_REPORT_CANVAS_TYPE_H

#include "report/canvas.h"

typedef struct hol__text_mark {
    double x, y, size;
    hol__anchor anchor;
    int turned;
    unsigned color;
} hol__text_mark;

/* Colours arrive mixed with the paper; points may be infinite or NaN. self is what create made; the
 * functions that draw remember a failure until finish. */
struct hol__canvas_type {
    const char *ending;
    const char *missing; /* the part that the library was built without; the functions are NULL */
    const char *(*load)(void); /* what it needs: NULL, or why not; may itself be NULL */
    void *(*create)(hol_context *ctx, int width, int height, unsigned background);
    void (*clip)(void *self, double x, double y, double width, double height);
    void (*line)(void *self, int n, const double *xy, const hol__stroke *stroke);
    void (*fill)(void *self, int n, const double *xy, unsigned color, double opacity);
    void (*disc)(void *self, double x, double y, double radius, unsigned color, double opacity);
    void (*text)(void *self, const hol__text_mark *mark, const char *text);
    int (*finish)(void *self, hol__text *out);
    void (*free)(void *self);
};

extern const hol__canvas_type hol__canvas_svg, hol__canvas_png, hol__canvas_pdf;

#endif

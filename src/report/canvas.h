/* canvas.h: drawing in the plane, as SVG, PNG or PDF, with the same calls.
 *
 * Coordinates are pixels from the upper left corner. Colours are 0xRRGGBB.
 */
#ifndef HOL_REPORT_CANVAS_H
#define HOL_REPORT_CANVAS_H

#include "base/text.h"

typedef struct hol__stroke {
    unsigned color;
    double width;
    double dash; /* length of strokes and gaps; 0: none */
    double opacity;
} hol__stroke;

typedef enum hol__anchor { HOL__ANCHOR_START, HOL__ANCHOR_MIDDLE, HOL__ANCHOR_END } hol__anchor;

typedef struct hol__canvas hol__canvas;

/* A kind of picture: how names of its files end, and what draws it. */
typedef struct hol__canvas_type hol__canvas_type;

/* The kind of a file by the end of its name, and of that ending ("png"); NULL: none. */
const hol__canvas_type *hol__canvas_type_of(const char *path);
const hol__canvas_type *hol__canvas_type_find(const char *ending);

/* The ending of a kind, without the dot. */
const char *hol__canvas_ending(const hol__canvas_type *type);

/* Whether the library was built with what draws the kind; reports where not. */
hol_status hol__canvas_check(hol_context *ctx, const hol__canvas_type *type, const char *path);

/* A canvas of that size, of one colour, of a kind that was checked; NULL without memory. */
hol__canvas *hol__canvas_new(hol_context *ctx, const hol__canvas_type *type, int width, int height,
                             unsigned background);
void hol__canvas_free(hol__canvas *canvas);

/* Drawing is kept inside this rectangle from now on; width 0: everywhere. */
void hol__canvas_clip(hol__canvas *canvas, double x, double y, double width, double height);

/* Colours are mixed with that of the paper from now on: strength 1 leaves them as they are, 0 makes
 * everything paper. */
void hol__canvas_pale(hol__canvas *canvas, unsigned paper, double strength);

/* Lines through n points (x, y in turn), and areas inside them. */
void hol__canvas_line(hol__canvas *canvas, int n, const double *xy, hol__stroke stroke);
void hol__canvas_fill(hol__canvas *canvas, int n, const double *xy, unsigned color, double opacity);
void hol__canvas_disc(hol__canvas *canvas, double x, double y, double radius, unsigned color,
                      double opacity);

/* A text whose base line starts, is centred or ends at the point; turned: from below to above. */
void hol__canvas_text(hol__canvas *canvas, double x, double y, double size, hol__anchor anchor,
                      int turned, unsigned color, const char *text);

/* How wide a text is, about: fonts differ. */
double hol__canvas_text_width(const char *text, double size);

/* The picture as the bytes of a file. 0 without memory. */
int hol__canvas_finish(hol__canvas *canvas, hol__text *out);

#endif

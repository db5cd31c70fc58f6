/* canvas.h: drawing in the plane, on SVG or on pixels, with the same calls.
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

/* A canvas of that size, of one colour; NULL without memory. */
hol__canvas *hol__canvas_new(hol_context *ctx, int width, int height, unsigned background, int png);
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

/* How wide a text is, about. */
double hol__canvas_text_width(const char *text, double size);

/* The picture as a file: SVG text or the bytes of a PNG. 0 without memory. */
int hol__canvas_finish(hol__canvas *canvas, hol__text *out);

/* ---- pixels ---- */

/* Pixels as red, green, blue. */
typedef struct hol__raster {
    hol_context *ctx;
    int width, height;
    unsigned char *pixels;
    float *cover;   /* of one line of pixels */
    double clip[4]; /* x0, y0, x1, y1 */
    int failed;     /* memory ran out */
} hol__raster;

int hol__raster_init(hol__raster *raster, hol_context *ctx, int width, int height,
                     unsigned background);
void hol__raster_free(hol__raster *raster);

/* Fill the union of n rings, smooth at its edges; ring k has the points from ends[k - 1] (0 for the
 * first) to ends[k] - 1. */
void hol__raster_fill(hol__raster *raster, int n, const int *ends, const double *xy, unsigned color,
                      double opacity);

/* The pixels as a PNG file [RFC 2083]. */
void hol__png_write(const hol__raster *raster, hol__text *out);

/* The strokes of a character: pairs of a digit (x) and a letter (y: c on the base line, i at the
 * top of capitals, a at the bottom), with a space between strokes; *advance is how far the next
 * character is. */
const char *hol__font_glyph(unsigned code, int *advance);

#endif

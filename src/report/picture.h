/* picture.h: files that hold one picture: their kind, their size, and how a canvas becomes one. */
#ifndef HOL_REPORT_PICTURE_H
#define HOL_REPORT_PICTURE_H

#include "report/canvas.h"

/* What a picture is: its size in pixels, and its kind. */
typedef struct hol__picture {
    int width, height;
    const hol__canvas_type *type;
} hol__picture;

/* The picture for a path: its kind by the end of the name, its size (0: the default) within 50 and
 * 16000 pixels; reports what is wrong. */
hol_status hol__picture_init(hol__picture *picture, hol_context *ctx, const char *path, int width,
                             int height, int default_width, int default_height);

/* Finish the canvas and write it; frees it. NULL stands for one that had no memory. */
hol_status hol__picture_write(hol_context *ctx, hol__canvas *canvas, const char *path);

#endif

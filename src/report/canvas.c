/* canvas.c: the calls that draw: colours are mixed with the paper, and the kind of the picture does
 * the rest. */
#include "report/canvas_type.h"

#include "common/extension.h"
#include "common/utf8.h"

#include <math.h>
#include <string.h>

struct hol__canvas {
    hol_context *ctx;
    const hol__canvas_type *type;
    void *self;
    unsigned paper; /* colours are mixed with it */
    double strength;
};

/* ---- kinds ---- */

static const hol__canvas_type *const types[] = {&hol__canvas_svg, &hol__canvas_png,
                                                &hol__canvas_pdf};

const hol__canvas_type *hol__canvas_type_find(const char *ending) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i]->ending, ending) == 0) return types[i];
    return NULL;
}

const hol__canvas_type *hol__canvas_type_of(const char *path) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const char ending[] = {'.', types[i]->ending[0], types[i]->ending[1], types[i]->ending[2],
                               '\0'};
        if (hol__has_extension(path, ending)) return types[i];
    }
    return NULL;
}

const char *hol__canvas_ending(const hol__canvas_type *type) {
    return type->ending;
}

hol_status hol__canvas_check(hol_context *ctx, const hol__canvas_type *type, const char *path) {
    const hol_location where = {path, 0, 0};
    const char *wrong = type->load ? type->load() : NULL;
    if (wrong)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_FEATURE, &where, NULL,
                           "pictures as .%s cannot be drawn: %s; use .svg, or install the library",
                           type->ending, wrong);
    if (!type->missing) return HOL_OK;
    return hol__report(ctx, HOL_ERROR, HOL_ERR_FEATURE, &where, NULL,
                       "pictures as .%s cannot be drawn: not built with %s; use .svg, or build the "
                       "library with it",
                       type->ending, type->missing);
}

/* ---- making and finishing ---- */

hol__canvas *hol__canvas_new(hol_context *ctx, const hol__canvas_type *type, int width, int height,
                             unsigned background) {
    hol__canvas *canvas = hol__alloc(ctx, 1, sizeof *canvas);
    if (!canvas) return NULL;
    *canvas = (hol__canvas){.ctx = ctx, .type = type, .strength = 1};
    canvas->self = type->create(ctx, width, height, background);
    if (canvas->self) return canvas;
    hol__release(ctx, canvas);
    return NULL;
}

void hol__canvas_free(hol__canvas *canvas) {
    if (!canvas) return;
    canvas->type->free(canvas->self);
    hol__release(canvas->ctx, canvas);
}

int hol__canvas_finish(hol__canvas *canvas, hol__text *out) {
    return canvas->type->finish(canvas->self, out);
}

/* ---- drawing ---- */

void hol__canvas_clip(hol__canvas *canvas, double x, double y, double width, double height) {
    canvas->type->clip(canvas->self, x, y, width, height);
}

void hol__canvas_pale(hol__canvas *canvas, unsigned paper, double strength) {
    canvas->paper = paper;
    canvas->strength = strength;
}

/* A colour, mixed with the paper. */
static unsigned mixed(const hol__canvas *canvas, unsigned color) {
    unsigned out = 0;
    if (canvas->strength >= 1) return color;
    for (int k = 0; k < 24; k += 8) {
        const double ink = color >> k & 0xFF, paper = canvas->paper >> k & 0xFF;
        out |= (unsigned)lround(paper + canvas->strength * (ink - paper)) << k;
    }
    return out;
}

/* How many of n points from the first on are all finite, or all not. */
static int run_of(int n, const double *xy, int finite) {
    int k = 0;
    while (k < n && !isfinite(xy[2 * k] + xy[2 * k + 1]) == !finite) k++;
    return k;
}

/* The pieces between points that are not finite. */
void hol__canvas_line(hol__canvas *canvas, int n, const double *xy, hol__stroke stroke) {
    stroke.color = mixed(canvas, stroke.color);
    for (int k = run_of(n, xy, 0); n > k; k = run_of(n, xy, 0)) {
        n -= k, xy += 2 * k;
        const int piece = run_of(n, xy, 1);
        canvas->type->line(canvas->self, piece, xy, &stroke);
        n -= piece, xy += 2 * piece;
    }
}

void hol__canvas_fill(hol__canvas *canvas, int n, const double *xy, unsigned color,
                      double opacity) {
    if (n >= 3 && run_of(n, xy, 1) == n)
        canvas->type->fill(canvas->self, n, xy, mixed(canvas, color), opacity);
}

void hol__canvas_disc(hol__canvas *canvas, double x, double y, double radius, unsigned color,
                      double opacity) {
    if (!isfinite(x + y) || !(radius > 0)) return;
    canvas->type->disc(canvas->self, x, y, radius, mixed(canvas, color), opacity);
}

void hol__canvas_text(hol__canvas *canvas, double x, double y, double size, hol__anchor anchor,
                      int turned, unsigned color, const char *text) {
    const hol__text_mark mark = {x, y, size, anchor, turned, mixed(canvas, color)};
    if (*text) canvas->type->text(canvas->self, &mark, text);
}

/* ---- widths ---- */

/* The width of a character in sizes of the letters, by classes of the usual sans-serif fonts, the
 * wider ones: a layout with too much room is better than one with too little. */
static double character_width(unsigned code) {
    if (code < 128 && strchr("ijl.,:;'|!", (int)code)) return 0.32;
    if (code < 128 && strchr("frt ()[]/\\-\"", (int)code)) return 0.40;
    if (code < 128 && strchr("mwMW@%", (int)code)) return 0.92;
    return code >= 'A' && code <= 'Z' ? 0.70 : 0.64;
}

double hol__canvas_text_width(const char *text, double size) {
    double sum = 0;
    while (*text) sum += character_width(hol__utf8_next(&text));
    return sum * size;
}

/* canvas_with_cairo.c: pictures as PNG and PDF, drawn by cairo with the fonts of the machine.
 *
 * Cairo remembers its first failure and draws nothing from then on; finish asks for it. A pixel is
 * a point (1/72 inch) of a PDF, whose creation date is left out, so that the same picture is the
 * same file. */
#include "report/canvas_type.h"

#include "common/utf8.h"

#include "report/cairo_calls.h"

#include <math.h>
#include <string.h>

typedef struct drawing {
    hol_context *ctx;
    cairo_surface_t *surface;
    cairo_t *cr;
    hol__text bytes; /* of a PDF, as they come */
} drawing;

static void set_color(cairo_t *cr, unsigned color, double opacity) {
    cairo_set_source_rgba(cr, (color >> 16 & 0xFF) / 255.0, (color >> 8 & 0xFF) / 255.0,
                          (color & 0xFF) / 255.0, opacity);
}

/* For cairo: bytes to a text. */
static cairo_status_t take_bytes(void *to, const unsigned char *data, unsigned length) {
    hol__text *text = to;
    hol__text_add_n(text, (const char *)data, length);
    return text->failed ? CAIRO_STATUS_WRITE_ERROR : CAIRO_STATUS_SUCCESS;
}

/* ---- making and finishing ---- */

static void release(void *self) {
    drawing *d = self;
    cairo_destroy(d->cr);
    cairo_surface_destroy(d->surface);
    hol__text_free(&d->bytes);
    hol__release(d->ctx, d);
}

/* A drawing on a surface that was just made, with its paper; NULL without memory. */
static drawing *begin(drawing *d, unsigned background) {
    d->cr = cairo_create(d->surface);
    cairo_select_font_face(d->cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_line_cap(d->cr, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(d->cr, CAIRO_LINE_JOIN_ROUND);
    set_color(d->cr, background, 1);
    cairo_paint(d->cr);
    if (cairo_status(d->cr) == CAIRO_STATUS_SUCCESS) return d;
    release(d);
    return NULL;
}

static drawing *new_drawing(hol_context *ctx) {
    drawing *d = hol__cairo_load() ? NULL : hol__alloc(ctx, 1, sizeof *d);
    if (!d) return NULL;
    d->ctx = ctx;
    hol__text_init(&d->bytes, ctx);
    return d;
}

static void *create_png(hol_context *ctx, int width, int height, unsigned background) {
    drawing *d = new_drawing(ctx);
    if (!d) return NULL;
    d->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    return begin(d, background);
}

static void *create_pdf(hol_context *ctx, int width, int height, unsigned background) {
    drawing *d = new_drawing(ctx);
    if (!d) return NULL;
    d->surface = cairo_pdf_surface_create_for_stream(take_bytes, &d->bytes, width, height);
    cairo_pdf_surface_set_metadata(d->surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
    return begin(d, background);
}

static int finish_png(void *self, hol__text *out) {
    drawing *d = self;
    return cairo_status(d->cr) == CAIRO_STATUS_SUCCESS &&
           cairo_surface_write_to_png_stream(d->surface, take_bytes, out) == CAIRO_STATUS_SUCCESS;
}

static int finish_pdf(void *self, hol__text *out) {
    drawing *d = self;
    const int drawn = cairo_status(d->cr) == CAIRO_STATUS_SUCCESS;
    cairo_surface_finish(d->surface);
    if (!drawn || cairo_surface_status(d->surface) || d->bytes.failed) return 0;
    hol__text_add_n(out, d->bytes.data, d->bytes.length);
    return !out->failed;
}

/* ---- drawing ---- */

static void clip(void *self, double x, double y, double width, double height) {
    cairo_t *cr = ((drawing *)self)->cr;
    cairo_reset_clip(cr);
    if (!(width > 0)) return;
    cairo_rectangle(cr, x, y, width, height);
    cairo_clip(cr);
}

/* The path through n points; those that are no numbers, or far outside of the picture, break it. */
static void trace(cairo_t *cr, int n, const double *xy) {
    cairo_new_path(cr);
    for (int i = 0; i < n; i++) {
        const double x = xy[2 * i], y = xy[2 * i + 1];
        if (fabs(x) < 1e6 && fabs(y) < 1e6)
            cairo_line_to(cr, x, y);
        else
            cairo_new_sub_path(cr);
    }
}

static void line(void *self, int n, const double *xy, const hol__stroke *stroke) {
    cairo_t *cr = ((drawing *)self)->cr;
    cairo_set_dash(cr, &stroke->dash, stroke->dash > 0, 0);
    cairo_set_line_width(cr, stroke->width);
    set_color(cr, stroke->color, stroke->opacity);
    trace(cr, n, xy);
    cairo_stroke(cr);
}

static void fill(void *self, int n, const double *xy, unsigned color, double opacity) {
    cairo_t *cr = ((drawing *)self)->cr;
    set_color(cr, color, opacity);
    trace(cr, n, xy);
    cairo_fill(cr);
}

static void disc(void *self, double x, double y, double radius, unsigned color, double opacity) {
    cairo_t *cr = ((drawing *)self)->cr;
    if (!(fabs(x) < 1e6 && fabs(y) < 1e6 && radius < 1e6)) return;
    set_color(cr, color, opacity);
    cairo_new_path(cr);
    cairo_arc(cr, x, y, radius, 0, 2 * acos(-1.0));
    cairo_fill(cr);
}

/* The text as cairo takes it: UTF-8 without a flaw, for one flaw stops all drawing. */
static void put_characters(const char *words, hol__text *out) {
    while (*words) {
        const char *from = words;
        const unsigned code = hol__utf8_next(&words);
        if (code == 0xFFFD || code < 0x20)
            hol__text_add(out, "?");
        else
            hol__text_add_n(out, from, (size_t)(words - from));
    }
}

static void text(void *self, const hol__text_mark *mark, const char *words) {
    drawing *d = self;
    hol__text clean;
    cairo_text_extents_t size;
    if (!(fabs(mark->x) < 1e6 && fabs(mark->y) < 1e6)) return;
    hol__text_init(&clean, d->ctx);
    put_characters(words, &clean);
    cairo_save(d->cr);
    set_color(d->cr, mark->color, 1);
    cairo_set_font_size(d->cr, mark->size);
    cairo_translate(d->cr, mark->x, mark->y);
    if (mark->turned) cairo_rotate(d->cr, -0.5 * acos(-1.0));
    if (!clean.failed && clean.length) {
        cairo_text_extents(d->cr, clean.data, &size);
        cairo_move_to(d->cr, -0.5 * (double)mark->anchor * size.x_advance, 0);
        cairo_show_text(d->cr, clean.data);
    }
    cairo_restore(d->cr);
    hol__text_free(&clean);
}

#define DRAWN_BY_CAIRO                                                                             \
    .clip = clip, .line = line, .fill = fill, .disc = disc, .text = text, .free = release

const hol__canvas_type hol__canvas_png = {.ending = "png",
                                          .load = hol__cairo_load,
                                          .create = create_png,
                                          .finish = finish_png,
                                          DRAWN_BY_CAIRO};

const hol__canvas_type hol__canvas_pdf = {.ending = "pdf",
                                          .load = hol__cairo_load,
                                          .create = create_pdf,
                                          .finish = finish_pdf,
                                          DRAWN_BY_CAIRO};

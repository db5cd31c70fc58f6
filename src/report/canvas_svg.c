/* canvas_svg.c: pictures as SVG text; letters are left to whoever shows it. */
#include "report/canvas_type.h"

#include "base/escape.h"

#include <math.h>

typedef struct svg {
    hol_context *ctx;
    int clips, open_clip;
    hol__text text;
} svg;

/* ---- parts of elements ---- */

/* A coordinate with two decimals, in every locale. */
static void put_number(hol__text *out, double x) {
    if (!(fabs(x) < 1e9)) x = 0;
    const long n = lround(100 * x), size = n < 0 ? -n : n;
    hol__text_add(out, size % 100 ? "%s%ld.%02ld" : "%s%ld", n < 0 ? "-" : "", size / 100,
                  size % 100);
}

static void put_attribute(hol__text *out, const char *name, double x) {
    hol__text_add(out, " %s=\"", name);
    put_number(out, x);
    hol__text_add(out, "\"");
}

/* "x,y x,y …" */
static void put_points(hol__text *out, int n, const double *xy) {
    for (int i = 0; i < n; i++) {
        if (i) hol__text_add_n(out, " ", 1);
        put_number(out, xy[2 * i]);
        hol__text_add_n(out, ",", 1);
        put_number(out, xy[2 * i + 1]);
    }
}

/* ---- the functions of the kind ---- */

static void *create(hol_context *ctx, int width, int height, unsigned background) {
    svg *s = hol__alloc(ctx, 1, sizeof *s);
    if (!s) return NULL;
    s->ctx = ctx;
    hol__text_init(&s->text, ctx);
    hol__text_add(&s->text,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                  "viewBox=\"0 0 %d %d\" "
                  "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n"
                  "<rect width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n",
                  width, height, width, height, width, height, background);
    return s;
}

static void clip(void *self, double x, double y, double width, double height) {
    svg *s = self;
    if (s->open_clip) hol__text_add(&s->text, "</g>\n");
    s->open_clip = width > 0;
    if (!s->open_clip) return;
    hol__text_add(&s->text, "<clipPath id=\"clip%d\"><rect", ++s->clips);
    put_attribute(&s->text, "x", x);
    put_attribute(&s->text, "y", y);
    put_attribute(&s->text, "width", width);
    put_attribute(&s->text, "height", height);
    hol__text_add(&s->text, "/></clipPath>\n<g clip-path=\"url(#clip%d)\">\n", s->clips);
}

static void line(void *self, int n, const double *xy, const hol__stroke *stroke) {
    hol__text *out = &((svg *)self)->text;
    hol__text_add(out,
                  "<polyline fill=\"none\" stroke=\"#%06x\" stroke-linecap=\"round\" "
                  "stroke-linejoin=\"round\"",
                  stroke->color);
    put_attribute(out, "stroke-width", stroke->width);
    if (stroke->opacity < 1) put_attribute(out, "stroke-opacity", stroke->opacity);
    if (stroke->dash > 0) put_attribute(out, "stroke-dasharray", stroke->dash);
    hol__text_add(out, " points=\"");
    put_points(out, n, xy);
    hol__text_add(out, "\"/>\n");
}

static void fill(void *self, int n, const double *xy, unsigned color, double opacity) {
    hol__text *out = &((svg *)self)->text;
    hol__text_add(out, "<polygon fill=\"#%06x\"", color);
    if (opacity < 1) put_attribute(out, "fill-opacity", opacity);
    hol__text_add(out, " points=\"");
    put_points(out, n, xy);
    hol__text_add(out, "\"/>\n");
}

static void disc(void *self, double x, double y, double radius, unsigned color, double opacity) {
    hol__text *out = &((svg *)self)->text;
    hol__text_add(out, "<circle fill=\"#%06x\"", color);
    if (opacity < 1) put_attribute(out, "fill-opacity", opacity);
    put_attribute(out, "cx", x);
    put_attribute(out, "cy", y);
    put_attribute(out, "r", radius);
    hol__text_add(out, "/>\n");
}

static void text(void *self, const hol__text_mark *mark, const char *words) {
    static const char *const anchors[] = {"start", "middle", "end"};
    hol__text *out = &((svg *)self)->text;
    hol__text_add(out, "<text fill=\"#%06x\" text-anchor=\"%s\"", mark->color,
                  anchors[mark->anchor]);
    put_attribute(out, "font-size", mark->size);
    if (mark->turned) {
        hol__text_add(out, " transform=\"translate(");
        put_number(out, mark->x);
        hol__text_add(out, ",");
        put_number(out, mark->y);
        hol__text_add(out, ") rotate(-90)\"");
    } else {
        put_attribute(out, "x", mark->x);
        put_attribute(out, "y", mark->y);
    }
    hol__text_add(out, ">");
    hol__text_add_xml(out, words);
    hol__text_add(out, "</text>\n");
}

static int finish(void *self, hol__text *out) {
    svg *s = self;
    clip(s, 0, 0, 0, 0);
    hol__text_add(&s->text, "</svg>\n");
    if (s->text.failed) return 0;
    hol__text_add_n(out, s->text.data, s->text.length);
    return !out->failed;
}

static void release(void *self) {
    svg *s = self;
    hol__text_free(&s->text);
    hol__release(s->ctx, s);
}

const hol__canvas_type hol__canvas_svg = {
    .ending = "svg",
    .create = create,
    .clip = clip,
    .line = line,
    .fill = fill,
    .disc = disc,
    .text = text,
    .finish = finish,
    .free = release,
};

/* canvas.c: the same drawing as SVG text or on pixels. */
#include "report/canvas.h"

#include "common/utf8.h"

#include <math.h>
#include <string.h>

enum { ROUND = 12 }; /* corners of a disc at a joint of lines */

struct hol__canvas {
    hol_context *ctx;
    int is_png, clips, open_clip;
    unsigned paper; /* colours are mixed with it */
    double strength;
    hol__text svg;
    hol__raster raster;
};

/* ---- SVG ---- */

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

/* Text with everything escaped that XML wants escaped; what XML does not allow is left out. */
static void put_escaped(hol__text *out, const char *text) {
    while (*text) {
        const char *from = text;
        const unsigned code = hol__utf8_next(&text);
        if (code == '<' || code == '>' || code == '&' || code == '"' || code == '\'')
            hol__text_add(out, "&#%u;", code);
        else if (code == 0xFFFD || (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF)
            hol__text_add(out, "&#65533;");
        else if (code >= 0x20 && code != 0x7F && code != 0xFFFE && code != 0xFFFF)
            hol__text_add_n(out, from, (size_t)(text - from));
        else
            hol__text_add_n(out, " ", 1);
    }
}

/* ---- making and finishing ---- */

hol__canvas *hol__canvas_new(hol_context *ctx, int width, int height, unsigned background,
                             int png) {
    hol__canvas *canvas = hol__alloc(ctx, 1, sizeof *canvas);
    if (!canvas) return NULL;
    *canvas = (hol__canvas){.ctx = ctx, .is_png = png, .strength = 1};
    hol__text_init(&canvas->svg, ctx);
    if (png && !hol__raster_init(&canvas->raster, ctx, width, height, background)) {
        hol__release(ctx, canvas);
        return NULL;
    }
    if (!png)
        hol__text_add(&canvas->svg,
                      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                      "viewBox=\"0 0 %d %d\" "
                      "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n"
                      "<rect width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n",
                      width, height, width, height, width, height, background);
    return canvas;
}

void hol__canvas_free(hol__canvas *canvas) {
    if (!canvas) return;
    hol__text_free(&canvas->svg);
    if (canvas->is_png) hol__raster_free(&canvas->raster);
    hol__release(canvas->ctx, canvas);
}

int hol__canvas_finish(hol__canvas *canvas, hol__text *out) {
    if (canvas->is_png) {
        hol__png_write(&canvas->raster, out);
        return !out->failed;
    }
    hol__canvas_clip(canvas, 0, 0, 0, 0);
    hol__text_add(&canvas->svg, "</svg>\n");
    if (canvas->svg.failed) return 0;
    hol__text_add_n(out, canvas->svg.data, canvas->svg.length);
    return !out->failed;
}

void hol__canvas_clip(hol__canvas *canvas, double x, double y, double width, double height) {
    if (canvas->is_png) {
        hol__raster *r = &canvas->raster;
        r->clip[0] = width > 0 ? fmax(0, x) : 0, r->clip[1] = width > 0 ? fmax(0, y) : 0;
        r->clip[2] = width > 0 ? fmin(x + width, r->width) : r->width;
        r->clip[3] = width > 0 ? fmin(y + height, r->height) : r->height;
        return;
    }
    hol__text *svg = &canvas->svg;
    if (canvas->open_clip) hol__text_add(svg, "</g>\n");
    canvas->open_clip = width > 0;
    if (!(width > 0)) return;
    hol__text_add(svg, "<clipPath id=\"clip%d\"><rect", ++canvas->clips);
    put_attribute(svg, "x", x);
    put_attribute(svg, "y", y);
    put_attribute(svg, "width", width);
    put_attribute(svg, "height", height);
    hol__text_add(svg, "/></clipPath>\n<g clip-path=\"url(#clip%d)\">\n", canvas->clips);
}

/* ---- lines on pixels ---- */

/* Rings that are being gathered for one fill. */
typedef struct rings {
    hol_context *ctx;
    int n, points, ring_capacity, point_capacity;
    int *ends;
    double *xy;
    int failed;
} rings;

/* Twice the room, contents kept; NULL without memory. */
static void *grow(rings *r, void *old, size_t used, int *capacity, size_t size) {
    const int more = 2 * *capacity + 256;
    char *block = hol__alloc(r->ctx, (size_t)more, size);
    if (block && used) memcpy(block, old, used * size);
    if (block) {
        hol__release(r->ctx, old);
        *capacity = more;
    } else
        r->failed = 1;
    return block;
}

static void add_ring(rings *r, int n, const double *xy) {
    if (r->n + 1 > r->ring_capacity) {
        int *ends = grow(r, r->ends, (size_t)r->n, &r->ring_capacity, sizeof *ends);
        if (ends) r->ends = ends;
    }
    while (!r->failed && 2 * (r->points + n) > r->point_capacity) {
        double *points = grow(r, r->xy, 2 * (size_t)r->points, &r->point_capacity, sizeof *points);
        if (points) r->xy = points;
    }
    if (r->failed) return;
    memcpy(r->xy + 2 * r->points, xy, 2 * (size_t)n * sizeof *xy);
    r->points += n;
    r->ends[r->n++] = r->points;
}

/* A disc as a ring. */
static void add_disc(rings *r, double x, double y, double radius, int corners) {
    double xy[2 * 64];
    if (corners > 64) corners = 64;
    for (int i = 0; i < corners; i++) {
        const double angle = 2 * acos(-1.0) * i / corners;
        xy[2 * i] = x + radius * cos(angle);
        xy[2 * i + 1] = y + radius * sin(angle);
    }
    add_ring(r, corners, xy);
}

/* A line with round ends as rings. */
static void add_segment(rings *r, const double *a, const double *b, double width) {
    const double dx = b[0] - a[0], dy = b[1] - a[1], length = hypot(dx, dy);
    if (!isfinite(length)) return;
    if (width > 1.2 || length == 0) {
        add_disc(r, a[0], a[1], 0.5 * width, ROUND);
        add_disc(r, b[0], b[1], 0.5 * width, ROUND);
    }
    if (length == 0) return;
    const double nx = -0.5 * width * dy / length, ny = 0.5 * width * dx / length;
    const double xy[8] = {a[0] + nx, a[1] + ny, b[0] + nx, b[1] + ny,
                          b[0] - nx, b[1] - ny, a[0] - nx, a[1] - ny};
    add_ring(r, 4, xy);
}

/* A segment in dashes; *along is the length since the last dash began. */
static void add_dashes(rings *r, const double *a, const double *b, const hol__stroke *stroke,
                       double *along) {
    const double length = hypot(b[0] - a[0], b[1] - a[1]), period = 2 * stroke->dash;
    if (!(length < 1e6)) return;
    for (double s = 0; s < length;) {
        const double phase = fmod(*along, period),
                     left = (phase < stroke->dash ? stroke->dash : period) - phase;
        const double to = fmin(length, s + fmax(left, 1e-6));
        if (phase < stroke->dash) {
            const double p[2] = {a[0] + s / length * (b[0] - a[0]),
                                 a[1] + s / length * (b[1] - a[1])};
            const double q[2] = {a[0] + to / length * (b[0] - a[0]),
                                 a[1] + to / length * (b[1] - a[1])};
            add_segment(r, p, q, stroke->width);
        }
        *along += to - s;
        s = to;
    }
}

static void fill_rings(hol__canvas *canvas, rings *r, unsigned color, double opacity) {
    if (r->failed)
        canvas->raster.failed = 1;
    else if (r->n)
        hol__raster_fill(&canvas->raster, r->n, r->ends, r->xy, color, opacity);
    hol__release(canvas->ctx, r->ends);
    hol__release(canvas->ctx, r->xy);
}

/* ---- drawing ---- */

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

void hol__canvas_line(hol__canvas *canvas, int n, const double *xy, hol__stroke stroke) {
    if (n < 1) return;
    stroke.color = mixed(canvas, stroke.color);
    if (canvas->is_png) {
        rings r = {.ctx = canvas->ctx};
        double along = 0;
        for (int i = 0; i + 1 < n; i++) {
            if (stroke.dash > 0)
                add_dashes(&r, xy + 2 * i, xy + 2 * i + 2, &stroke, &along);
            else
                add_segment(&r, xy + 2 * i, xy + 2 * i + 2, stroke.width);
        }
        fill_rings(canvas, &r, stroke.color, stroke.opacity);
        return;
    }
    hol__text *svg = &canvas->svg;
    hol__text_add(svg,
                  "<polyline fill=\"none\" stroke=\"#%06x\" stroke-linecap=\"round\" "
                  "stroke-linejoin=\"round\"",
                  stroke.color);
    put_attribute(svg, "stroke-width", stroke.width);
    if (stroke.opacity < 1) put_attribute(svg, "stroke-opacity", stroke.opacity);
    if (stroke.dash > 0) put_attribute(svg, "stroke-dasharray", stroke.dash);
    hol__text_add(svg, " points=\"");
    put_points(svg, n, xy);
    hol__text_add(svg, "\"/>\n");
}

void hol__canvas_fill(hol__canvas *canvas, int n, const double *xy, unsigned color,
                      double opacity) {
    if (n < 3) return;
    color = mixed(canvas, color);
    if (canvas->is_png) {
        hol__raster_fill(&canvas->raster, 1, &n, xy, color, opacity);
        return;
    }
    hol__text *svg = &canvas->svg;
    hol__text_add(svg, "<polygon fill=\"#%06x\"", color);
    if (opacity < 1) put_attribute(svg, "fill-opacity", opacity);
    hol__text_add(svg, " points=\"");
    put_points(svg, n, xy);
    hol__text_add(svg, "\"/>\n");
}

void hol__canvas_disc(hol__canvas *canvas, double x, double y, double radius, unsigned color,
                      double opacity) {
    if (!isfinite(x + y) || !(radius > 0)) return;
    color = mixed(canvas, color);
    if (canvas->is_png) {
        rings r = {.ctx = canvas->ctx};
        add_disc(&r, x, y, radius, 16 + (int)fmin(radius, 48));
        fill_rings(canvas, &r, color, opacity);
        return;
    }
    hol__text *svg = &canvas->svg;
    hol__text_add(svg, "<circle fill=\"#%06x\"", color);
    if (opacity < 1) put_attribute(svg, "fill-opacity", opacity);
    put_attribute(svg, "cx", x);
    put_attribute(svg, "cy", y);
    put_attribute(svg, "r", radius);
    hol__text_add(svg, "/>\n");
}

/* ---- text ---- */

/* Pixels a unit of the strokes: capitals are 0.7 of the size high, and 6 units. */
static double unit_of(double size) {
    return 0.7 * size / 6;
}

double hol__canvas_text_width(const char *text, double size) {
    int sum = 0, advance;
    while (*text) {
        hol__font_glyph(hol__utf8_next(&text), &advance);
        sum += advance;
    }
    return sum > 2 ? (sum - 2) * unit_of(size) : 0;
}

/* The strokes of a text as rings, along x or upwards. */
static void add_strokes(rings *r, double x, double y, double size, int turned, const char *text) {
    const double u = unit_of(size);
    double along = 0;
    while (*text) {
        int advance;
        const char *p = hol__font_glyph(hol__utf8_next(&text), &advance);
        double last[2] = {0, 0};
        for (int down = 0; *p; p += *p == ' ' ? 1 : 2) {
            if (*p == ' ') {
                down = 0;
                continue;
            }
            const double right = along + (p[0] - '0') * u, up = (p[1] - 'c') * u;
            const double point[2] = {turned ? x - up : x + right, turned ? y - right : y - up};
            if (down) add_segment(r, last, point, fmax(1.1, 0.095 * size));
            memcpy(last, point, sizeof last);
            down = 1;
        }
        along += advance * u;
    }
}

void hol__canvas_text(hol__canvas *canvas, double x, double y, double size, hol__anchor anchor,
                      int turned, unsigned color, const char *text) {
    static const char *const anchors[] = {"start", "middle", "end"};
    if (!*text) return;
    color = mixed(canvas, color);
    if (canvas->is_png) {
        rings r = {.ctx = canvas->ctx};
        const double shift = 0.5 * (double)anchor * hol__canvas_text_width(text, size);
        add_strokes(&r, turned ? x : x - shift, turned ? y + shift : y, size, turned, text);
        fill_rings(canvas, &r, color, 1);
        return;
    }
    hol__text *svg = &canvas->svg;
    hol__text_add(svg, "<text fill=\"#%06x\" text-anchor=\"%s\"", color, anchors[anchor]);
    put_attribute(svg, "font-size", size);
    if (turned) {
        hol__text_add(svg, " transform=\"translate(");
        put_number(svg, x);
        hol__text_add(svg, ",");
        put_number(svg, y);
        hol__text_add(svg, ") rotate(-90)\"");
    } else {
        put_attribute(svg, "x", x);
        put_attribute(svg, "y", y);
    }
    hol__text_add(svg, ">");
    put_escaped(svg, text);
    hol__text_add(svg, "</text>\n");
}

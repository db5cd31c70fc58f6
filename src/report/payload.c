/* payload.c: a result as the page reads it.
 *
 * The motion is thinned to as many frames as suit the size of a page, the columns to the smallest
 * and the largest value of each stretch of time, so that no peak is lost; evenly spaced values are
 * kept too where columns are thinned. Motion has 4-byte numbers, columns have 8-byte ones unless
 * they are many.
 */
#include "common/number.h"
#include "report/payload.h"

#include "base/unit_set.h"
#include "base/bytes.h"
#include "report/drawing.h"
#include "report/trails.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MIN_FRAMES = 2000,
    MAX_FRAMES = 20000,
    MIN_POINTS = 1000,
    MAX_POINTS = 4000,
    BUDGET = 8 << 20,
    DIGITS = 9
};

void hol__payload_init(hol__payload *payload, hol_context *ctx, int n_results) {
    hol__text_init(&payload->text, ctx);
    payload->json = (hol__json){.put = hol__text_sink,
                                .to = &payload->text,
                                .flags = HOL__JSON_COMPACT | HOL__JSON_IN_HTML};
    hol__text_init(&payload->bytes, ctx);
    payload->budget = BUDGET / (size_t)(n_results > 0 ? n_results : 1);
}

void hol__payload_free(hol__payload *payload) {
    hol__text_free(&payload->text);
    hol__text_free(&payload->bytes);
}

/* ---- bytes ---- */

/* "key":{"type":"f4","offset":n,"count":m}, at the end of the bytes, which are filled up to a
 * multiple of 8 first. */
static void put_block(hol__payload *p, const char *key, const char *type, size_t count) {
    while (p->bytes.length % 8 && !p->bytes.failed) hol__text_add_n(&p->bytes, "", 1);
    hol__json_open(&p->json, key, '{');
    hol__json_text(&p->json, "type", type);
    hol__json_integer(&p->json, "offset", (long long)p->bytes.length);
    hol__json_integer(&p->json, "count", (long long)count);
    hol__json_close(&p->json, '}');
}

/* n numbers, rounded for drawing. */
static void put_vector(hol__json *json, const char *key, const double *x, int n) {
    hol__json_numbers(json, key, n, x, DIGITS);
}

/* A text, "" where there is none. */
static void put_text(hol__json *json, const char *key, const char *text) {
    hol__json_text(json, key, text ? text : "");
}

/* ---- bodies, joints, forces ---- */

static void put_shape(hol__json *json, const hol_shape *shape) {
    static const char *const kinds[] = {"box", "cylinder", "sphere", "cone",
                                        "rod", "torus",    "mesh",   "plane"};
    hol__json_open(json, NULL, '{');
    hol__json_text(json, "kind", kinds[shape->kind]);
    put_vector(json, "at", shape->at, 3);
    put_vector(json, "R", shape->R, 9);
    put_vector(json, "size", shape->size, 3);
    if (shape->n_vertices) {
        put_vector(json, "vertices", shape->vertices, 3 * shape->n_vertices);
        hol__json_open(json, "faces", '[');
        for (int i = 0; i < shape->n_indices; i++) hol__json_integer(json, NULL, shape->indices[i]);
        hol__json_close(json, ']');
    }
    put_text(json, "color", shape->color);
    hol__json_close(json, '}');
}

static void put_bodies(hol__json *json, const hol__movie *movie, const hol__geometry *g) {
    hol__json_open(json, "bodies", '[');
    for (int i = 0; i <= g->n_bodies; i++) {
        const hol__outline *body = &g->bodies[i];
        hol_body_info info = {.size = sizeof info};
        if (movie->model && i < g->n_bodies) hol_model_body_describe(movie->model, i, &info);
        char name[32];
        snprintf(name, sizeof name, "body %d", i + 1);
        hol__json_open(json, NULL, '{');
        put_text(json, "name", i == g->n_bodies ? "ground" : info.name ? info.name : name);
        hol__json_number(json, "mass", info.mass, DIGITS);
        put_vector(json, "com", info.com, 3);
        put_vector(json, "label", body->label, 3);
        if (body->n_plate) put_vector(json, "plate", body->plate, 3 * body->n_plate);
        hol__json_bool(json, "behind", body->behind);
        hol__json_open(json, "shapes", '[');
        for (int k = 0; k < body->n_shapes; k++) put_shape(json, &body->shapes[k]);
        hol__json_close(json, ']');
        hol__json_close(json, '}');
    }
    hol__json_close(json, ']');
}

/* How a joint is drawn. */
static void put_mark(hol__json *json, const hol__mark *mark) {
    hol__json_text(json, "symbol", hol__symbol_name(mark->symbol));
    if (!(mark->high > mark->low)) return;
    const double range[2] = {mark->low, mark->high};
    hol__json_integer(json, "rail", mark->rail);
    put_vector(json, "range", range, 2);
    put_vector(json, "block", mark->block, 3);
}

static void put_elements(hol__json *json, const char *key, const hol_element_info *elements,
                         const hol__mark *marks, int n) {
    hol__json_open(json, key, '[');
    for (int i = 0; i < n; i++) {
        const hol_element_info *e = &elements[i];
        hol__json_open(json, NULL, '{');
        put_text(json, "name", e->name);
        put_text(json, "type", e->type);
        if (marks) put_mark(json, &marks[i]);
        hol__json_open(json, "bodies", '[');
        for (int k = 0; k < 2; k++) hol__json_integer(json, NULL, e->body[k]);
        hol__json_close(json, ']');
        hol__json_open(json, "points", '[');
        for (int k = 0; k < 2; k++) put_vector(json, NULL, e->point[k], 3);
        hol__json_close(json, ']');
        hol__json_open(json, "axes", '[');
        for (int k = 0; k < 2; k++) put_vector(json, NULL, e->axis[k], 3);
        hol__json_close(json, ']');
        hol__json_close(json, '}');
    }
    hol__json_close(json, ']');
}

/* Curves of joints, and what is stretched between points: its kind, its section and its place. */
static void put_marks(hol__json *json, const hol__geometry *g) {
    hol__json_open(json, "curves", '[');
    for (int i = 0; i < g->n_curves; i++) {
        const hol__curve_mark *c = &g->curves[i];
        hol__json_open(json, NULL, '{');
        hol__json_integer(json, "body", c->body);
        hol__json_bool(json, "closed", c->closed);
        hol__json_bool(json, "given", g->bodies[c->body].given);
        put_vector(json, "normal", c->about.normal, 3);
        put_vector(json, "points", c->points, 3 * c->n);
        hol__json_close(json, '}');
    }
    hol__json_close(json, ']');
    hol__json_open(json, "stretched", '[');
    for (int i = 0; i < g->n_stretches; i++) {
        const hol__stretch *s = &g->stretches[i];
        hol__json_open(json, NULL, '{');
        hol__json_text(json, "kind", hol__stretch_name(s->kind));
        hol__json_text(json, "section", s->is_joint ? "joints" : "forces");
        hol__json_integer(json, "index", s->index);
        hol__json_number(json, "barrel", s->barrel, DIGITS);
        hol__json_close(json, '}');
    }
    hol__json_close(json, ']');
}

/* The joints whose reactions were not unique at some record. */
static void put_not_unique(hol__json *json, const hol__movie *movie) {
    hol__json_open(json, "notUnique", '[');
    for (int i = 0; movie->joint_unique && i < movie->n_joints; i++) {
        int open = 0;
        for (int row = 0; row < movie->rows && !open; row++)
            open = !(movie->joint_unique[(size_t)row * (size_t)movie->n_joints + (size_t)i] > 0.5);
        if (open) hol__json_integer(json, NULL, i);
    }
    hol__json_close(json, ']');
}

/* ---- motion ---- */

/* The record of a frame. */
static int row_of(int frame, int n_frames, int rows) {
    return n_frames > 1 ? (int)((long long)frame * (rows - 1) / (n_frames - 1)) : 0;
}

/* How many frames the motion is thinned to. */
static int count_frames(const hol__payload *p, const hol__movie *movie) {
    const size_t bytes =
        4 * (size_t)(7 * movie->n_bodies + 6 * movie->n_joints + 6 * movie->n_forces + 2);
    const size_t fit = p->budget / bytes;
    const size_t most = fit < MIN_FRAMES ? MIN_FRAMES : fit > MAX_FRAMES ? MAX_FRAMES : fit;
    return (size_t)movie->rows < most ? movie->rows : (int)most;
}

/* width numbers of each record at the frames. */
static void put_motion(hol__payload *p, const hol__movie *movie, int frames, const char *key,
                       const double *values, int width) {
    if (!values || !width) return;
    put_block(p, key, "f4", (size_t)frames * (size_t)width);
    for (int i = 0; i < frames; i++) {
        const double *from = values + (size_t)row_of(i, frames, movie->rows) * (size_t)width;
        for (int k = 0; k < width; k++) hol__put_float(&p->bytes, from[k]);
    }
}

/* Roads: heights over x, or at each frame below the wheel. */
static void put_roads(hol__payload *p, const hol__movie *movie, const hol__geometry *g,
                      int frames) {
    hol__json_open(&p->json, "roads", '[');
    for (int i = 0; i < g->n_roads; i++) {
        const hol__road *road = &g->roads[i];
        hol__json_open(&p->json, NULL, '{');
        hol__json_integer(&p->json, "body", road->body);
        put_vector(&p->json, "center", road->center, 3);
        hol__json_number(&p->json, "radius", road->radius, DIGITS);
        hol__json_bool(&p->json, "moves", road->moves);
        if (road->moves)
            put_motion(p, movie, frames, "height", road->height, 1);
        else {
            put_vector(&p->json, "x", road->x, road->n);
            put_vector(&p->json, "z", road->height, road->n);
        }
        hol__json_close(&p->json, '}');
    }
    hol__json_close(&p->json, ']');
}

/* Where the forces act, where one of them does so elsewhere than at its point of its first body;
 * NULL: none does. */
static const double *moving_points(const hol__movie *movie, const hol__geometry *g) {
    const int n = movie->n_forces;
    if (!movie->model || !movie->force_point || !movie->force_force) return movie->force_point;
    for (size_t i = 0; i < (size_t)movie->rows * (size_t)n; i++) {
        const int row = (int)(i / (size_t)n), k = (int)(i % (size_t)n);
        const hol_pose pose = hol__movie_pose(movie, row, g->forces[k].body[0]);
        const double *at = movie->force_point + 3 * i, *F = movie->force_force + 3 * i;
        double own[3];
        hol__pose_point(&pose, g->forces[k].point[0], own);
        if (hypot(F[0], hypot(F[1], F[2])) > 0 &&
            hypot(at[0] - own[0], hypot(at[1] - own[1], at[2] - own[2])) > 1e-6 * g->size)
            return movie->force_point;
    }
    return NULL;
}

static void put_motions(hol__payload *p, const hol__movie *movie, const hol__geometry *g,
                        int frames) {
    const int nb = movie->n_bodies, nj = movie->n_joints, nf = movie->n_forces;
    hol__json_integer(&p->json, "frames", frames);
    hol__json_open(&p->json, "motion", '{');
    put_block(p, "time", "f8", (size_t)frames);
    for (int i = 0; i < frames; i++)
        hol__put_double(&p->bytes, hol__movie_time(movie, row_of(i, frames, movie->rows)));
    put_motion(p, movie, frames, "position", movie->position, 3 * nb);
    put_motion(p, movie, frames, "quaternion", movie->quaternion, 4 * nb);
    put_motion(p, movie, frames, "jointPoint", movie->model ? NULL : movie->joint_point, 3 * nj);
    put_motion(p, movie, frames, "jointForce", movie->joint_force, 3 * nj);
    put_motion(p, movie, frames, "jointMoment", movie->joint_moment, 3 * nj);
    put_motion(p, movie, frames, "forcePoint", moving_points(movie, g), 3 * nf);
    put_motion(p, movie, frames, "forceForce", movie->force_force, 3 * nf);
    put_motion(p, movie, frames, "forceMoment", movie->force_moment, 3 * nf);
    hol__json_close(&p->json, '}');
}

/* ---- columns ---- */

/* How columns are thinned: n points, in pairs where n < rows; 8 or 4 bytes a number. */
typedef struct thinning {
    int rows, n, wide;
} thinning;

/* The first record of stretch k. */
static int stretch_start(const thinning *t, int k) {
    return (int)((long long)k * t->rows / (t->n / 2));
}

/* The times of the points, and of the samples where columns are thinned. */
static void put_times(hol__payload *p, const thinning *t, const double *time) {
    put_block(p, "time", "f8", (size_t)t->n);
    for (int i = 0; i < t->n; i++) {
        int row = i;
        if (t->n < t->rows) {
            const int a = stretch_start(t, i / 2), b = stretch_start(t, i / 2 + 1);
            row = i % 2 ? a + (b - a) / 2 : a;
        }
        hol__put_double(&p->bytes, time[row]);
    }
    if (t->n == t->rows) return;
    put_block(p, "sampleTime", "f8", (size_t)t->n);
    for (int i = 0; i < t->n; i++) hol__put_double(&p->bytes, time[row_of(i, t->n, t->rows)]);
}

static void put_value(hol__payload *p, const thinning *t, double value) {
    if (t->wide)
        hol__put_double(&p->bytes, value);
    else
        hol__put_float(&p->bytes, value);
}

/* A column: all of it, or the least and the greatest of each stretch in the order in which they
 * come. */
static void put_values(hol__payload *p, const thinning *t, const double *x) {
    put_block(p, "values", t->wide ? "f8" : "f4", (size_t)t->n);
    if (t->n == t->rows) {
        for (int i = 0; i < t->n; i++) put_value(p, t, x[i]);
        return;
    }
    for (int k = 0; k < t->n / 2; k++) {
        const int a = stretch_start(t, k), b = stretch_start(t, k + 1);
        int least = a, most = a;
        for (int i = a; i < b; i++) {
            if (x[i] < x[least] || isnan(x[least])) least = i;
            if (x[i] > x[most] || isnan(x[most])) most = i;
        }
        put_value(p, t, x[least < most ? least : most]);
        put_value(p, t, x[least < most ? most : least]);
    }
}

/* A column with its values and, where they are known, its extremes over all steps. */
static void put_column(hol__payload *p, const thinning *t, const hol_column *column,
                       const double *x, const hol_extremes *extremes, int is_log) {
    hol__json_open(&p->json, NULL, '{');
    put_text(&p->json, "name", column->name);
    put_text(&p->json, "unit", column->unit);
    put_text(&p->json, "frame", column->frame);
    put_text(&p->json, "doc", column->doc);
    hol__json_bool(&p->json, "log", is_log);
    hol_unit unit; /* what brings it to SI units, for the drawing */
    if (hol__unit_try(column->unit, &unit) && unit.times != unit.over)
        hol__json_number(&p->json, "si", unit.times / unit.over, 0);
    if (extremes) {
        const double list[4] = {extremes->minimum, extremes->minimum_time, extremes->maximum,
                                extremes->maximum_time};
        hol__json_numbers(&p->json, "extremes", 4, list, 0);
    }
    put_values(p, t, x);
    if (t->n < t->rows) {
        put_block(p, "samples", t->wide ? "f8" : "f4", (size_t)t->n);
        for (int i = 0; i < t->n; i++) put_value(p, t, x[row_of(i, t->n, t->rows)]);
    }
    hol__json_close(&p->json, '}');
}

/* The scale of energies that the run told by, in the unit of a column; 0: it did not. */
static double energy_scale(const hol_result *result, const char *name) {
    const char *text = hol_result_text(result, "statistics.energy_scale"), *end;
    const hol_column *column = hol_result_column(result, hol_result_find(result, name));
    hol_unit unit;
    const double scale = text ? hol__number_read(text, &end) : 0;
    if (!(scale > 0) || !column || !hol__unit_try(column->unit, &unit)) return 0;
    return scale * unit.over / unit.times;
}

/* |balance - balance at the start| over the scale of energies: that of the run, which is at least
 * the one of a very slow motion, or the largest kinetic energy, range of potential energy, or
 * work. */
static void put_energy_error(hol__payload *p, const thinning *t, hol__movie *movie) {
    static const hol_column column = {
        "energy.error", "", "",
        "change of the energy balance since the start, relative to the energies at work"};
    const hol_result *result = movie->result;
    const double *balance = hol_result_values(result, hol_result_find(result, "energy.balance"));
    const double *kinetic = hol_result_values(result, hol_result_find(result, "energy.kinetic"));
    const double *potential =
        hol_result_values(result, hol_result_find(result, "energy.potential"));
    const double *work = hol_result_values(result, hol_result_find(result, "energy.work"));
    double *error = HOL__NEW_N(&movie->arena, double, t->rows + 1);
    double scale = energy_scale(result, "energy.balance"), low = INFINITY, high = -INFINITY;
    if (!balance || !kinetic || !potential || !work || !error || t->rows < 2) return;
    for (int i = 0; i < t->rows; i++) {
        scale = fmax(scale, fmax(kinetic[i], fabs(work[i])));
        low = fmin(low, potential[i]), high = fmax(high, potential[i]);
        scale = fmax(scale, high - low);
        error[i] = fabs(balance[i] - balance[0]);
    }
    for (int i = 0; i < t->rows; i++) error[i] = scale > 0 ? error[i] / scale : error[i];
    put_column(p, t, &column, error, NULL, 1);
}

static void put_columns(hol__payload *p, hol__movie *movie) {
    const hol_result *result = movie->result;
    const int n = hol_result_columns(result), rows = hol_result_rows(result);
    const size_t fit =
        p->budget / 16 / (size_t)n; /* points and samples of 4 bytes, in half of the budget */
    const int most = fit > MAX_POINTS ? MAX_POINTS : fit < MIN_POINTS ? MIN_POINTS : (int)fit;
    thinning t = {rows, rows > most ? most / 2 * 2 : rows, fit >= MAX_POINTS};
    hol__json_integer(&p->json, "rows", rows);
    hol__json_open(&p->json, "table", '{');
    hol__json_open(&p->json, "timeUnit", '{');
    put_text(&p->json, "name", movie->time_unit.name);
    hol__json_number(&p->json, "factor", movie->time_unit.over / movie->time_unit.times, 0);
    hol__json_close(&p->json, '}');
    put_times(p, &t, hol_result_values(result, 0));
    hol__json_open(&p->json, "columns", '[');
    for (int i = 1; i < n; i++) {
        const hol_column column = *hol_result_column(result, i);
        if (!hol__trail_keeps(result, i)) continue;
        const int is_log = strncmp(column.name, "constraints.", 12) == 0;
        hol_extremes x = {.size = sizeof x};
        const int known = hol_result_extremes(result, i, &x) == HOL_OK;
        put_column(p, &t, &column, hol_result_values(result, i), known ? &x : NULL, is_log);
    }
    put_energy_error(p, &t, movie);
    hol__json_close(&p->json, ']');
    hol__json_close(&p->json, '}');
}

/* ---- trails ---- */

/* The measured positions, by their places among the columns that are kept. */
static void put_trails(hol__json *json, const hol__movie *movie, int planar) {
    const hol_result *result = movie->result;
    hol__json_open(json, "trails", '[');
    for (int i = 0, from = 1, at = 0; (i = hol__trail_next(result, planar, i)) > 0;) {
        for (; from < i; from++) at += hol__trail_keeps(result, from);
        hol__json_integer(json, NULL, at);
    }
    hol__json_close(json, ']');
}

/* ---- a result ---- */

/* What the drawing shows lengths, forces and moments in, as the option units says: name, and shown
 * value over SI value. */
static void put_units(hol__json *json, const hol__movie *movie) {
    static const char *const kinds[][2] = {{"length", "m"}, {"force", "N"}, {"moment", "N*m"}};
    hol__unit_set set = {0};
    if (hol__unit_set_read(movie->quiet, &set, hol_result_text(movie->result, "options.units")))
        set = (hol__unit_set){0};
    hol__json_open(json, "units", '{');
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        hol_unit unit;
        hol__unit_set_show(&set, kinds[i][1], &unit);
        hol__json_open(json, kinds[i][0], '{');
        put_text(json, "name", unit.name);
        hol__json_number(json, "factor", unit.over / unit.times, 0);
        hol__json_close(json, '}');
    }
    hol__json_close(json, '}');
}

static void put_texts(hol__json *json, const hol_result *result) {
    hol__json_open(json, "texts", '{');
    for (int i = 0; i < result->n_texts; i++)
        if (strcmp(result->texts[i].key, "model") != 0)
            put_text(json, result->texts[i].key, result->texts[i].value);
    hol__json_close(json, '}');
}

/* The mechanism at its first record as SVG, for browsers that cannot draw it. */
static void put_still(hol__payload *p, hol__movie *movie, const hol__geometry *g) {
    enum { WIDTH = 640, HEIGHT = 480 };
    hol__drawing drawing = {.movie = movie, .geometry = g, .names = 1, .show = HOL_MOTION_TRAILS};
    hol__text svg;
    if (!movie->rows) return;
    hol__camera_init(&drawing.camera, g, WIDTH, HEIGHT);
    hol__canvas *canvas = hol__canvas_new(movie->ctx, hol__canvas_type_find("svg"), WIDTH, HEIGHT,
                                          hol__drawing_paper(0));
    hol__text_init(&svg, movie->ctx);
    if (canvas && hol__drawing_draw(&drawing, 0, canvas) && hol__canvas_finish(canvas, &svg))
        put_text(&p->json, "still", svg.data);
    else
        p->text.failed = 1;
    hol__canvas_free(canvas);
    hol__text_free(&svg);
}

void hol__payload_add(hol__payload *p, hol__movie *movie, const hol__geometry *g) {
    hol__json *json = &p->json;
    const char *name = hol_result_text(movie->result, "model_name");
    const int frames = count_frames(p, movie);
    hol__json_open(json, NULL, '{');
    put_text(json, "file", movie->file);
    put_text(json, "name", name && *name ? name : movie->file);
    put_text(json, "model", hol_result_text(movie->result, "model"));
    put_text(json, "trouble", movie->trouble);
    hol__json_bool(json, "complete", hol__movie_is_complete(movie));
    hol__json_bool(json, "planar", g->planar);
    hol__json_bool(json, "view", hol_result_text(movie->result, "view") != NULL);
    put_texts(json, movie->result);
    put_units(json, movie);
    put_vector(json, "low", g->low, 3);
    put_vector(json, "high", g->high, 3);
    put_vector(json, "gravity", g->gravity, 3);
    hol__json_bool(json, "travels", g->travels);
    hol__json_number(json, "size", g->size, DIGITS);
    hol__json_number(json, "radius", g->radius, DIGITS);
    hol__json_number(json, "axis", hol__axis_length(g), DIGITS);
    put_bodies(json, movie, g);
    put_elements(json, "joints", g->joints, g->marks, g->n_joints);
    put_elements(json, "forces", g->forces, NULL, g->n_forces);
    put_marks(json, g);
    put_not_unique(json, movie);
    put_trails(json, movie, g->planar);
    put_roads(p, movie, g, frames);
    put_motions(p, movie, g, frames);
    put_columns(p, movie);
    put_still(p, movie, g);
    hol__json_close(json, '}');
}

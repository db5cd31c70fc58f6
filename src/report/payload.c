/* payload.c: a result as the page reads it.
 *
 * The motion is thinned to as many frames as suit the size of a page, the columns to the smallest and the largest value of each
 * stretch of time, so that no peak is lost; evenly spaced values are kept too where columns are thinned. Motion has 4-byte
 * numbers, columns have 8-byte ones unless they are many.
 */
#include "report/payload.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    MIN_FRAMES = 2000,
    MAX_FRAMES = 20000,
    MIN_POINTS = 1000,
    MAX_POINTS = 4000,
    BUDGET = 8 << 20
};

void hol__payload_init(hol__payload *payload, hol_context *ctx, int n_results) {
    hol__text_init(&payload->json, ctx);
    hol__text_init(&payload->bytes, ctx);
    payload->budget = BUDGET / (size_t)(n_results > 0 ? n_results : 1);
}

void hol__payload_free(hol__payload *payload) {
    hol__text_free(&payload->json);
    hol__text_free(&payload->bytes);
}

/* ---- bytes ---- */

/* Append the low n bytes of bits, the lowest first. */
static void put_bits(hol__text *bytes, uint64_t bits, int n) {
    char out[8];
    for (int i = 0; i < n; i++) out[i] = (char)(bits >> (8 * i) & 0xFF);
    hol__text_add_n(bytes, out, (size_t)n);
}

static void put_double(hol__text *bytes, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_bits(bytes, bits, 8);
}

static void put_float(hol__text *bytes, double value) {
    const float f = (float)value;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    put_bits(bytes, bits, 4);
}

/* "key":{"type":"f4","offset":n,"count":m}, at the end of the bytes, which are filled up to a multiple of 8 first. */
static void put_block(hol__payload *p, const char *key, const char *type, size_t count) {
    while (p->bytes.length % 8 && !p->bytes.failed) hol__text_add_n(&p->bytes, "", 1);
    hol__text_add(&p->json, "\"%s\":{\"type\":\"%s\",\"offset\":%zu,\"count\":%zu},", key, type,
                  p->bytes.length, count);
}

/* ---- pieces of JSON ---- */

static void put_vector(hol__text *json, const double *x, int n) {
    hol__text_add_n(json, "[", 1);
    for (int i = 0; i < n; i++) {
        if (i) hol__text_add_n(json, ",", 1);
        hol__json_number(json, x[i], 9);
    }
    hol__text_add_n(json, "]", 1);
}

/* "key":"text", */
static void put_text(hol__text *json, const char *key, const char *text) {
    hol__json_text(json, key);
    hol__text_add_n(json, ":", 1);
    hol__json_text(json, text ? text : "");
    hol__text_add_n(json, ",", 1);
}

/* Take away the comma after the last member. */
static void end_list(hol__text *json, const char *bracket) {
    if (!json->failed && json->length && json->data[json->length - 1] == ',') json->length--;
    hol__text_add(json, "%s", bracket);
}

/* ---- bodies, joints, forces ---- */

static void put_shape(hol__text *json, const hol_shape *shape) {
    static const char *const kinds[] = {"box", "cylinder", "sphere", "cone",
                                        "rod", "torus",    "mesh"};
    hol__text_add(json, "{\"kind\":\"%s\",\"at\":", kinds[shape->kind]);
    put_vector(json, shape->at, 3);
    hol__text_add(json, ",\"R\":");
    put_vector(json, shape->R, 9);
    hol__text_add(json, ",\"size\":");
    put_vector(json, shape->size, 3);
    if (shape->n_vertices) {
        hol__text_add(json, ",\"vertices\":");
        put_vector(json, shape->vertices, 3 * shape->n_vertices);
        hol__text_add(json, ",\"faces\":[");
        for (int i = 0; i < shape->n_indices; i++)
            hol__text_add(json, "%s%d", i ? "," : "", shape->indices[i]);
        hol__text_add(json, "]");
    }
    hol__text_add(json, ",");
    put_text(json, "color", shape->color);
    end_list(json, "},");
}

static void put_bodies(hol__text *json, const hol__movie *movie, const hol__geometry *g) {
    hol__text_add(json, "\"bodies\":[");
    for (int i = 0; i <= g->n_bodies; i++) {
        const hol__outline *body = &g->bodies[i];
        const hol_body_info info = movie->model && i < g->n_bodies
                                       ? hol_model_body_describe(movie->model, i)
                                       : (hol_body_info){.name = NULL};
        char name[32];
        snprintf(name, sizeof name, "body %d", i + 1);
        hol__text_add(json, "{");
        put_text(json, "name", i == g->n_bodies ? "ground" : info.name ? info.name : name);
        hol__text_add(json, "\"mass\":");
        hol__json_number(json, info.mass, 9);
        hol__text_add(json, ",\"com\":");
        put_vector(json, info.com, 3);
        hol__text_add(json, ",\"points\":");
        put_vector(json, body->points, 3 * body->n_points);
        hol__text_add(json, ",\"given\":%s,\"shapes\":[", body->given ? "true" : "false");
        for (int k = 0; k < body->n_shapes; k++) put_shape(json, &body->shapes[k]);
        end_list(json, "]},");
    }
    end_list(json, "],");
}

static void put_elements(hol__text *json, const char *key, const hol_element_info *elements,
                         int n) {
    hol__text_add(json, "\"%s\":[", key);
    for (int i = 0; i < n; i++) {
        const hol_element_info *e = &elements[i];
        hol__text_add(json, "{");
        put_text(json, "name", e->name);
        put_text(json, "type", e->type);
        hol__text_add(json, "\"bodies\":[%d,%d],\"points\":[", e->body[0], e->body[1]);
        put_vector(json, e->point[0], 3);
        hol__text_add(json, ",");
        put_vector(json, e->point[1], 3);
        hol__text_add(json, "],\"axes\":[");
        put_vector(json, e->axis[0], 3);
        hol__text_add(json, ",");
        put_vector(json, e->axis[1], 3);
        hol__text_add(json, "]},");
    }
    end_list(json, "],");
}

/* The joints whose reactions were not unique at some record. */
static void put_not_unique(hol__text *json, const hol__movie *movie) {
    hol__text_add(json, "\"notUnique\":[");
    for (int i = 0; movie->joint_unique && i < movie->n_joints; i++) {
        int open = 0;
        for (int row = 0; row < movie->rows && !open; row++)
            open = !(movie->joint_unique[(size_t)row * (size_t)movie->n_joints + (size_t)i] > 0.5);
        if (open) hol__text_add(json, "%d,", i);
    }
    end_list(json, "],");
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
        for (int k = 0; k < width; k++) put_float(&p->bytes, from[k]);
    }
}

static void put_motions(hol__payload *p, const hol__movie *movie, int frames) {
    const int nb = movie->n_bodies, nj = movie->n_joints, nf = movie->n_forces;
    hol__text_add(&p->json, "\"frames\":%d,\"motion\":{", frames);
    put_block(p, "time", "f8", (size_t)frames);
    for (int i = 0; i < frames; i++)
        put_double(&p->bytes, hol__movie_time(movie, row_of(i, frames, movie->rows)));
    put_motion(p, movie, frames, "position", movie->position, 3 * nb);
    put_motion(p, movie, frames, "quaternion", movie->quaternion, 4 * nb);
    put_motion(p, movie, frames, "jointPoint", movie->model ? NULL : movie->joint_point, 3 * nj);
    put_motion(p, movie, frames, "jointForce", movie->joint_force, 3 * nj);
    put_motion(p, movie, frames, "jointMoment", movie->joint_moment, 3 * nj);
    put_motion(p, movie, frames, "forceForce", movie->force_force, 3 * nf);
    put_motion(p, movie, frames, "forceMoment", movie->force_moment, 3 * nf);
    end_list(&p->json, "},");
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
        put_double(&p->bytes, time[row]);
    }
    if (t->n == t->rows) return;
    put_block(p, "sampleTime", "f8", (size_t)t->n);
    for (int i = 0; i < t->n; i++) put_double(&p->bytes, time[row_of(i, t->n, t->rows)]);
}

static void put_value(hol__payload *p, const thinning *t, double value) {
    if (t->wide)
        put_double(&p->bytes, value);
    else
        put_float(&p->bytes, value);
}

/* A column: all of it, or the least and the greatest of each stretch in the order in which they come. */
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

static void put_column(hol__payload *p, const thinning *t, const hol_column *column,
                       const double *x, int is_log) {
    hol__text_add(&p->json, "{");
    put_text(&p->json, "name", column->name);
    put_text(&p->json, "unit", column->unit);
    put_text(&p->json, "frame", column->frame);
    put_text(&p->json, "doc", column->doc);
    hol__text_add(&p->json, "\"log\":%s,", is_log ? "true" : "false");
    put_values(p, t, x);
    if (t->n < t->rows) {
        put_block(p, "samples", t->wide ? "f8" : "f4", (size_t)t->n);
        for (int i = 0; i < t->n; i++) put_value(p, t, x[row_of(i, t->n, t->rows)]);
    }
    end_list(&p->json, "},");
}

/* |balance - balance at the start| over the scale of energies: the largest kinetic energy, range of potential energy, or work. */
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
    double scale = 0, low = INFINITY, high = -INFINITY;
    if (!balance || !kinetic || !potential || !work || !error || t->rows < 2) return;
    for (int i = 0; i < t->rows; i++) {
        scale = fmax(scale, fmax(kinetic[i], fabs(work[i])));
        low = fmin(low, potential[i]), high = fmax(high, potential[i]);
        scale = fmax(scale, high - low);
        error[i] = fabs(balance[i] - balance[0]);
    }
    for (int i = 0; i < t->rows; i++) error[i] = scale > 0 ? error[i] / scale : error[i];
    put_column(p, t, &column, error, 1);
}

/* Whether a column is the first of its name: a measure may be one of the columns that every result has. */
static int is_kept(const hol_result *result, int column) {
    return hol_result_find(result, hol_result_column(result, column).name) == column;
}

static void put_columns(hol__payload *p, hol__movie *movie) {
    const hol_result *result = movie->result;
    const int n = hol_result_columns(result), rows = hol_result_rows(result);
    const size_t fit =
        p->budget / 16 / (size_t)n; /* points and samples of 4 bytes, in half of the budget */
    const int most = fit > MAX_POINTS ? MAX_POINTS : fit < MIN_POINTS ? MIN_POINTS : (int)fit;
    thinning t = {rows, rows > most ? most / 2 * 2 : rows, fit >= MAX_POINTS};
    hol__text_add(&p->json, "\"rows\":%d,\"table\":{", rows);
    put_times(p, &t, hol_result_values(result, 0));
    hol__text_add(&p->json, "\"columns\":[");
    for (int i = 1; i < n; i++) {
        const hol_column column = hol_result_column(result, i);
        if (!is_kept(result, i)) continue;
        const int is_log = strncmp(column.name, "constraints.", 12) == 0;
        put_column(p, &t, &column, hol_result_values(result, i), is_log);
    }
    put_energy_error(p, &t, movie);
    end_list(&p->json, "]");
    hol__text_add(&p->json, "},");
}

/* ---- trails ---- */

/* The measured positions: columns name.x, name.y (and name.z) that are positions of points. */
static void put_trails(hol__text *json, const hol__movie *movie, int planar) {
    const hol_result *result = movie->result;
    const char *title = "";
    for (int i = 0; hol_element_get(i).name; i++)
        if (strcmp(hol_element_get(i).name, "position") == 0) title = hol_element_get(i).title;
    hol__text_add(json, "\"trails\":[");
    for (int i = 1, at = 0; i + (planar ? 1 : 2) < hol_result_columns(result); i++) {
        const hol_column column = hol_result_column(result, i);
        const size_t n = strlen(column.name);
        if (!is_kept(result, i)) continue;
        if (n > 2 && strcmp(column.name + n - 2, ".x") == 0 && strcmp(column.doc, title) == 0)
            hol__text_add(json, "%d,", at);
        at++;
    }
    end_list(json, "],");
}

/* ---- a result ---- */

static void put_texts(hol__text *json, const hol_result *result) {
    hol__text_add(json, "\"texts\":{");
    for (int i = 0; i < result->n_texts; i++)
        if (strcmp(result->texts[i].key, "model") != 0)
            put_text(json, result->texts[i].key, result->texts[i].value);
    end_list(json, "},");
}

void hol__payload_add(hol__payload *p, hol__movie *movie, const hol__geometry *g) {
    hol__text *json = &p->json;
    const char *name = hol_result_text(movie->result, "model_name");
    const int frames = count_frames(p, movie);
    hol__text_add(json, "{");
    put_text(json, "file", movie->file);
    put_text(json, "name", name && *name ? name : movie->file);
    put_text(json, "model", hol_result_text(movie->result, "model"));
    put_text(json, "trouble", movie->trouble);
    hol__text_add(json, "\"complete\":%s,\"planar\":%s,\"view\":%s,",
                  hol__movie_is_complete(movie) ? "true" : "false", g->planar ? "true" : "false",
                  hol_result_text(movie->result, "view") ? "true" : "false");
    put_texts(json, movie->result);
    hol__text_add(json, "\"low\":");
    put_vector(json, g->low, 3);
    hol__text_add(json, ",\"high\":");
    put_vector(json, g->high, 3);
    hol__text_add(json, ",\"gravity\":");
    put_vector(json, g->gravity, 3);
    hol__text_add(json, ",\"travels\":%s,\"size\":", g->travels ? "true" : "false");
    hol__json_number(json, g->size, 9);
    hol__text_add(json, ",\"link\":");
    hol__json_number(json, g->link, 9);
    hol__text_add(json, ",");
    put_bodies(json, movie, g);
    put_elements(json, "joints", g->joints, g->n_joints);
    put_elements(json, "forces", g->forces, g->n_forces);
    put_not_unique(json, movie);
    put_trails(json, movie, g->planar);
    put_motions(p, movie, frames);
    put_columns(p, movie);
    end_list(json, "}");
}

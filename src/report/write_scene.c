/* write_scene.c: a mechanism in motion as a glTF file: which records become key frames, and when.
 *
 * Times are 4-byte numbers in the file and have to rise: a record that is not later than the one
 * before as such a number is left out. */
#include <holonom/report.h>

#include "base/argument.h"
#include "common/extension.h"
#include "io/out_file.h"
#include "report/scene.h"

#include <math.h>
#include <string.h>

enum { MAX_KEYS = 20000 };

/* Whether the file is binary; -1 where it is none of either kind. */
static int kind_of(const char *path) {
    return hol__has_extension(path, ".glb") ? 1 : hol__has_extension(path, ".gltf") ? 0 : -1;
}

/* The record of key frame i at most, of those from first to last, by the rate that is asked for. */
static int row_at(const hol__movie *movie, const hol_motion *about, int first, int last, int i) {
    const int rows = last - first + 1;
    if (about->rate > 0)
        return hol__movie_nearest(movie, hol__movie_time(movie, first) + i / about->rate);
    return rows <= MAX_KEYS ? first + i : first + (int)((long long)i * (rows - 1) / (MAX_KEYS - 1));
}

/* How many key frames there are at most; an error where they are too many. */
static hol_status count_keys(const hol__movie *movie, const hol_motion *about, int first, int last,
                             int *n) {
    const int rows = last - first + 1;
    const double span = hol__movie_time(movie, last) - hol__movie_time(movie, first),
                 wanted = floor(span * about->rate + 1e-9) + 1;
    *n = rows < MAX_KEYS ? rows : MAX_KEYS;
    if (!(about->rate > 0)) return HOL_OK;
    if (!(wanted <= MAX_KEYS))
        return hol__report(movie->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "%.0f key frames are too many (at most %d); ask for fewer per second",
                           wanted, MAX_KEYS);
    *n = (int)wanted;
    return HOL_OK;
}

/* Choose the key frames: rows and times from 0 on. */
static hol_status choose(hol__movie *movie, const hol_motion *about, int **rows, double **times,
                         int *n) {
    double from = about->from, to = about->to;
    hol_status status = hol__movie_span(movie, &from, &to);
    if (status) return status;
    const int first = hol__movie_nearest(movie, from), last = hol__movie_nearest(movie, to);
    const double speed = about->speed > 0 ? about->speed : 1;
    int most;
    status = count_keys(movie, about, first, last, &most);
    if (status) return status;
    *rows = HOL__NEW_N(&movie->arena, int, most + 1);
    *times = HOL__NEW_N(&movie->arena, double, most + 1);
    if (!*rows || !*times) return HOL_ERR_MEMORY;
    *n = 0;
    for (int i = 0; i < most; i++) {
        const int row = row_at(movie, about, first, last, i);
        const double t = (hol__movie_time(movie, row) - hol__movie_time(movie, first)) / speed;
        if (*n && !((float)t > (float)(*times)[*n - 1])) continue;
        (*rows)[*n] = row;
        (*times)[(*n)++] = t;
    }
    return HOL_OK;
}

/* What points upwards: y in the plane, else against gravity, z without it. */
static void up_of(const hol__geometry *g, double up[3]) {
    double size = 0;
    for (int i = 0; i < 3; i++) up[i] = g->planar ? i == 1 : -g->gravity[i], size += fabs(up[i]);
    if (!(size > 0)) up[2] = 1;
    for (int i = 0; i < 3; i++) up[i] = fabs(up[i]) > 0 ? up[i] : 0;
}

/* Write a movie that has records. */
static hol_status write(hol__movie *movie, const hol_motion *about, const char *path, int *n) {
    hol__geometry geometry;
    hol__text out;
    double up[3], *times;
    int *rows;
    hol_status status = choose(movie, about, &rows, &times, n);
    if (status) return status;
    if (!hol__geometry_init(&geometry, movie)) return HOL_ERR_MEMORY;
    hol__scene scene = {.movie = movie, .geometry = &geometry, .n_rows = *n, .rows = rows};
    scene.front = hol__scene_top(&geometry) + 4 * geometry.radius;
    scene.nodes = HOL__NEW_N(&movie->arena, int, geometry.n_bodies + 1);
    scene.gltf = hol__gltf_new(&movie->arena, *n, times);
    if (!scene.nodes || !scene.gltf) return HOL_ERR_MEMORY;
    hol__scene_bodies(&scene);
    hol__scene_joints(&scene);
    hol__scene_stretches(&scene);
    hol__scene_roads(&scene);
    if (!about->show || about->show & HOL_MOTION_TRAILS) hol__scene_trails(&scene);
    if (about->show & HOL_MOTION_AXES) hol__scene_axes(&scene);
    hol__scene_arrows(&scene, about->show & HOL_MOTION_REACTIONS, about->show & HOL_MOTION_FORCES);
    up_of(&geometry, up);
    const char *name = hol_result_text(movie->result, "model_name");
    hol__text_init(&out, movie->ctx);
    status = HOL_ERR_MEMORY;
    if (hol__gltf_finish(scene.gltf, name && *name ? name : movie->file, up,
                         hol__movie_time(movie, rows[0]), kind_of(path), &out)) {
        const hol__piece piece = {out.data, out.length};
        status = hol__out_write(movie->ctx, path, &piece, 1);
    }
    hol__text_free(&out);
    hol__gltf_free(scene.gltf);
    return status;
}

/* The name of the file has to say what it is. */
static hol_status check_path(hol_context *ctx, const char *path) {
    const hol_location where = {path, 0, 0};
    if (kind_of(path) >= 0) return HOL_OK;
    return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, &where, NULL,
                       "the name of a glTF file must end with .glb or .gltf");
}

hol_status hol_motion_write(hol_context *ctx, const char *result, const hol_motion *motion,
                            const char *path, int *n) {
    static const char call[] = "hol_motion_write";
    hol__movie movie;
    if (!ctx || hol__need(ctx, call, "the count to fill", n)) return HOL_ERR_ARGUMENT;
    *n = 0;
    if (hol__need(ctx, call, "the result", result) ||
        hol__need(ctx, call, "what to write", motion) || hol__need(ctx, call, "the path", path) ||
        hol__need_finite(ctx, call, "the rate", motion->rate) ||
        hol__need_finite(ctx, call, "the speed", motion->speed))
        return HOL_ERR_ARGUMENT;
    hol_status status = check_path(ctx, path);
    if (!status) status = hol__out_none_of(ctx, path, 1, &result);
    if (status) return status;
    status = hol__movie_open(&movie, ctx, result);
    if (!status) status = write(&movie, motion, path, n);
    hol__movie_free(&movie);
    return status;
}

hol_status hol_motion_view(hol_sim *sim, const char *path) {
    static const hol_motion all = {0};
    hol_context *ctx = hol_sim_context(sim);
    if (!ctx || hol__need(ctx, "hol_motion_view", "the path", path)) return HOL_ERR_ARGUMENT;
    hol__movie movie;
    int n;
    hol_status status = check_path(ctx, path);
    if (status) return status;
    status = hol__movie_of_sim(&movie, sim);
    if (!status) status = write(&movie, &all, path, &n);
    hol__movie_free(&movie);
    return status;
}

/* scene_trails.c: trails of points over the key frames as lines. */
#include "report/parts.h"
#include "report/scene.h"
#include "report/trails.h"

#include <math.h>
#include <string.h>

/* A line through points of which those that are not finite are left out. */
static void add_line(hol__scene *scene, const char *of, double *points, unsigned color) {
    char *name = hol__arena_format(&scene->movie->arena, "trail of %s", of);
    int n = 0;
    for (int i = 0; i < scene->n_rows; i++) {
        double *to = points + 3 * (size_t)n;
        memmove(to, points + 3 * (size_t)i, 3 * sizeof *to);
        if (isfinite(to[0] + to[1] + to[2])) n++;
        /* in the plane below what moves */
        if (scene->geometry->planar) to[2] = -0.6 * scene->geometry->radius;
    }
    const int node = name && n > 1 ? hol__gltf_node(scene->gltf, name, -1) : -1;
    hol__gltf_line(scene->gltf, node, n, points, color);
}

/* A measured position: columns from `first` on, in metres. */
static void add_measured(hol__scene *scene, int first, unsigned color) {
    const hol_result *result = scene->movie->result;
    double *points = HOL__NEW_N(&scene->movie->arena, double, 3 * (size_t)scene->n_rows);
    const char *name = hol_result_column(result, first)->name;
    for (int i = 0; points && i < scene->n_rows; i++)
        hol__trail_measured(scene->movie, scene->geometry->planar, first, scene->rows[i],
                            points + 3 * (size_t)i);
    char *of = hol__arena_text_n(&scene->movie->arena, name, strlen(name) - 2);
    if (points && of) add_line(scene, of, points, color);
}

/* The way of a mass centre. */
static void add_centre(hol__scene *scene, int body) {
    double *points = HOL__NEW_N(&scene->movie->arena, double, 3 * (size_t)scene->n_rows);
    hol_body_info info = {.size = sizeof info, .name = ""};
    hol_model_body_describe(scene->movie->model, body, &info);
    for (int i = 0; points && i < scene->n_rows; i++)
        hol__trail_centre(scene->movie, body, scene->rows[i], points + 3 * (size_t)i);
    if (points) add_line(scene, info.name, points, hol__body_color(body));
}

void hol__scene_trails(hol__scene *scene) {
    const hol__geometry *g = scene->geometry;
    const hol_result *result = scene->movie->result;
    int bodies[3], n = 0;
    if (scene->n_rows < 2 || !result) return;
    for (int i = 0; (i = hol__trail_next(result, g->planar, i)) > 0; n++)
        add_measured(scene, i, hol__trail_color(n));
    if (n || !scene->movie->model) return;
    n = hol__trail_bodies(g, bodies);
    for (int i = n - 1; i >= 0; i--) add_centre(scene, bodies[i]);
}

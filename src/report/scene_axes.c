/* scene_axes.c: the axes of the frames of bodies, which move with them. */
#include "report/drawing.h"
#include "report/scene.h"

void hol__scene_axes(hol__scene *scene) {
    static const char *const names[3] = {"axis x", "axis y", "axis z"};
    static const double origin[3] = {0, 0, 0};
    const hol__geometry *g = scene->geometry;
    const double length = hol__axis_length(g), radius = 0.2 * g->radius;
    for (int i = 0; i < g->n_bodies; i++)
        for (int k = 0; k < (g->planar ? 2 : 3); k++) {
            double along[3] = {0, 0, 0};
            along[k] = 1;
            hol__placement place = hol__placed_along(origin, along);
            hol__surface shaft = hol__scene_surface(scene);
            hol__surface_cylinder(&shaft, &place, radius, 0, length);
            hol__surface_cone(&shaft, &place, 2.4 * radius, length, length + 6 * radius);
            const int node = hol__gltf_node(scene->gltf, names[k], scene->nodes[i]);
            hol__gltf_paint(scene->gltf, node, &shaft, hol__axis_colors[k], 0);
        }
}

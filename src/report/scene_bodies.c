/* scene_bodies.c: bodies as solids: their shapes, the edges of cams and tracks. A planar mechanism
 * is made of thin plates, one above the other as in the page. */
#include "report/parts.h"
#include "report/scene.h"

#include <math.h>
#include <string.h>

enum { ROUND = 12 };

hol__surface hol__scene_surface(const hol__scene *scene) {
    return (hol__surface){.arena = &scene->movie->arena};
}

hol__placement hol__placed_at(double x, double y, double z) {
    return (hol__placement){{x, y, z}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

hol__placement hol__placed_along(const double at[3], const double axis[3]) {
    hol_shape shape = {.kind = HOL_SHAPE_ROD};
    hol__placement place;
    hol__shape_turn(&shape, axis);
    memcpy(place.at, at, sizeof place.at);
    memcpy(place.R, shape.R, sizeof place.R);
    return place;
}

double hol__scene_level(const hol__geometry *g, int body) {
    int behind = 0;
    if (body == g->n_bodies) return -1.2 * g->radius;
    for (int i = 0; i < g->n_bodies; i++) behind |= g->bodies[i].behind;
    return (body % 6 + (behind && !g->bodies[body].behind ? 6 : 0)) * 0.9 * g->radius;
}

double hol__scene_top(const hol__geometry *g) {
    double top = 0;
    for (int i = 0; i < g->n_bodies; i++) top = fmax(top, hol__scene_level(g, i));
    return top + 0.8 * g->radius;
}

/* ---- shapes ---- */

/* A bar with round ends along x, as a plate. */
static void add_bar(hol__surface *s, const hol__placement *place, double radius, double length,
                    double thick) {
    double xy[4 * (ROUND + 1)];
    for (int i = 0; i <= 2 * ROUND + 1; i++) {
        const int end = i > ROUND;
        const double angle = acos(-1.0) * ((double)(i - end) / ROUND - 0.5);
        xy[2 * i] = (end ? -0.5 : 0.5) * length + radius * cos(angle);
        xy[2 * i + 1] = radius * sin(angle);
    }
    hol__surface_prism(s, place, 2 * ROUND + 2, xy, 0, thick);
}

/* Whether a mesh is one face with its corners in the plane, in their order. */
static int is_polygon(const hol_shape *shape) {
    if (shape->n_vertices < 3 || shape->n_indices != shape->n_vertices + 1) return 0;
    for (int i = 0; i < shape->n_vertices; i++)
        if (shape->vertices[3 * i + 2] != 0 || shape->indices[i] != i) return 0;
    return 1;
}

static void add_polygon(hol__surface *s, const hol_shape *shape, const hol__placement *place,
                        double thick) {
    double *xy = HOL__NEW_N(s->arena, double, 2 * shape->n_vertices);
    for (int i = 0; xy && i < shape->n_vertices; i++)
        memcpy(xy + 2 * i, shape->vertices + 3 * i, 2 * sizeof *xy);
    if (xy) hol__surface_prism(s, place, shape->n_vertices, xy, 0, thick);
}

/* A shape of a planar body, as a plate on a level. */
static void add_flat(hol__surface *s, const hol_shape *shape, double level, double thick) {
    const double *size = shape->size, *R = shape->R;
    const int rod = shape->kind == HOL_SHAPE_ROD;
    const double c = rod ? R[2] : R[0], d = rod ? R[5] : R[3], length = hypot(c, d);
    hol__placement place = hol__placed_at(shape->at[0], shape->at[1], level);
    if (length > 0) {
        const double turn[9] = {c / length, -d / length, 0, d / length, c / length, 0, 0, 0, 1};
        memcpy(place.R, turn, sizeof turn);
    }
    const double corners[8] = {-0.5 * size[0], -0.5 * size[1], 0.5 * size[0],  -0.5 * size[1],
                               0.5 * size[0],  0.5 * size[1],  -0.5 * size[0], 0.5 * size[1]};
    const double below[8] = {-0.5 * size[0], -size[2], 0.5 * size[0],  -size[2],
                             0.5 * size[0],  0,        -0.5 * size[0], 0};
    switch (shape->kind) {
    case HOL_SHAPE_BOX: hol__surface_prism(s, &place, 4, corners, 0, thick); break;
    case HOL_SHAPE_ROD: add_bar(s, &place, size[0], size[1], thick); break;
    case HOL_SHAPE_TORUS:
        hol__surface_washer(s, &place, fmax(size[0] - size[1], 0), size[0] + size[1], 0, thick);
        break;
    case HOL_SHAPE_MESH:
        if (is_polygon(shape))
            add_polygon(s, shape, &place, thick);
        else
            hol__surface_faces(s, &place, shape->n_vertices, shape->vertices, shape->n_indices,
                               shape->indices);
        break;
    case HOL_SHAPE_PLANE: hol__surface_prism(s, &place, 4, below, 0, thick); break;
    case HOL_SHAPE_CYLINDER:
    case HOL_SHAPE_SPHERE:
    case HOL_SHAPE_CONE: hol__surface_cylinder(s, &place, size[0], 0, thick); break;
    }
}

/* A shape in space. */
static void add_solid(hol__surface *s, const hol_shape *shape) {
    const double *size = shape->size;
    hol__placement place;
    memcpy(place.at, shape->at, sizeof place.at);
    memcpy(place.R, shape->R, sizeof place.R);
    switch (shape->kind) {
    case HOL_SHAPE_BOX: hol__surface_box(s, &place, size); break;
    case HOL_SHAPE_PLANE:
        for (int i = 0; i < 3; i++) place.at[i] -= 0.5 * size[2] * place.R[3 * i + 2];
        hol__surface_box(s, &place, size);
        break;
    case HOL_SHAPE_CYLINDER:
        hol__surface_cylinder(s, &place, size[0], -0.5 * size[1], 0.5 * size[1]);
        break;
    case HOL_SHAPE_SPHERE: hol__surface_rod(s, &place, size[0], 0); break;
    case HOL_SHAPE_CONE:
        hol__surface_cone(s, &place, size[0], -0.25 * size[1], 0.75 * size[1]);
        break;
    case HOL_SHAPE_ROD: hol__surface_rod(s, &place, size[0], size[1]); break;
    case HOL_SHAPE_TORUS: hol__surface_ring(s, &place, size[0], size[1]); break;
    case HOL_SHAPE_MESH:
        hol__surface_faces(s, &place, shape->n_vertices, shape->vertices, shape->n_indices,
                           shape->indices);
        break;
    }
}

/* The shapes of a body, those of one colour together. */
static void add_shapes(hol__scene *scene, int index, unsigned color) {
    const hol__geometry *g = scene->geometry;
    const hol__outline *body = &g->bodies[index];
    const double level = hol__scene_level(g, index);
    for (int k = 0; k < body->n_shapes; k++) {
        const unsigned own = hol__color_of(body->shapes[k].color, color);
        hol__surface s = hol__scene_surface(scene);
        int done = 0;
        for (int i = 0; i < k; i++) done |= hol__color_of(body->shapes[i].color, color) == own;
        for (int i = k; i < body->n_shapes && !done; i++) {
            if (hol__color_of(body->shapes[i].color, color) != own) continue;
            if (g->planar)
                add_flat(&s, &body->shapes[i], level, 0.8 * g->radius);
            else
                add_solid(&s, &body->shapes[i]);
        }
        hol__gltf_paint(scene->gltf, scene->nodes[index], &s, own, 0.05);
    }
}

/* The area between the points of a planar body, half as bright as the paper. */
static void add_plate(hol__scene *scene, int index, unsigned color) {
    const hol__outline *body = &scene->geometry->bodies[index];
    const double r = scene->geometry->radius;
    double *xy = HOL__NEW_N(&scene->movie->arena, double, 2 * body->n_plate + 1);
    hol__surface s = hol__scene_surface(scene);
    unsigned pale = 0;
    if (!xy || body->n_plate < 3) return;
    for (int i = 0; i < body->n_plate; i++) memcpy(xy + 2 * i, body->plate + 3 * i, 2 * sizeof *xy);
    for (int k = 0; k < 24; k += 8) pale |= ((color >> k & 0xFF) + 2 * 0xFF) / 3 << k;
    const hol__placement place = hol__placed_at(0, 0, hol__scene_level(scene->geometry, index));
    hol__surface_prism(&s, &place, body->n_plate, xy, 0.1 * r, 0.4 * r);
    hol__gltf_paint(scene->gltf, scene->nodes[index], &s, pale, 0.05);
}

/* ---- curves ---- */

/* An edge as a disc of some thickness in the plane of the curve. */
static void add_edge(hol__surface *s, const hol__scene *scene, const hol__curve_mark *c, double low,
                     double high) {
    hol__placement place = hol__placed_along(c->points, c->about.normal);
    double *xy = HOL__NEW_N(&scene->movie->arena, double, 2 * c->n);
    if (scene->geometry->planar) place = hol__placed_at(c->points[0], c->points[1], 0);
    for (int i = 0; xy && i < c->n; i++)
        for (int k = 0; k < 2; k++) {
            xy[2 * i + k] = 0;
            for (int j = 0; j < 3; j++)
                xy[2 * i + k] += place.R[3 * j + k] * (c->points[3 * i + j] - c->points[j]);
        }
    if (xy) hol__surface_prism(s, &place, c->n, xy, low, high);
}

/* Edges of cams and tracks. */
static void add_curves(hol__scene *scene, int index, unsigned color) {
    const hol__geometry *g = scene->geometry;
    const double r = g->radius, level = g->planar ? hol__scene_level(g, index) : -1.5 * r;
    for (int i = 0; i < g->n_curves; i++) {
        const hol__curve_mark *c = &g->curves[i];
        hol__surface s = hol__scene_surface(scene);
        if (c->body != index || g->bodies[index].given) continue;
        if (c->closed && index < g->n_bodies)
            add_edge(&s, scene, c, level, level + (g->planar ? 0.8 : 3) * r);
        else {
            const hol__placement here = hol__placed_at(0, 0, 0);
            hol__surface_tube(&s, &here, c->n, c->points, c->closed, c->about.normal, 0.4 * r);
        }
        hol__gltf_paint(scene->gltf, scene->nodes[index], &s, color, 0.05);
    }
}

/* ---- motion ---- */

/* Places and orientations of a body at the key frames. What is not finite is as before. */
static void move(hol__scene *scene, int body) {
    const hol__movie *m = scene->movie;
    double *places = HOL__NEW_N(&scene->movie->arena, double, 3 * (size_t)scene->n_rows),
           *turns = HOL__NEW_N(&scene->movie->arena, double, 4 * (size_t)scene->n_rows);
    if (!places || !turns) return;
    for (int i = 0; i < scene->n_rows; i++) {
        const size_t at = (size_t)scene->rows[i] * (size_t)m->n_bodies + (size_t)body;
        double *p = places + 3 * (size_t)i, *q = turns + 4 * (size_t)i, sum = 0;
        for (int k = 0; k < 3; k++) sum += m->position[3 * at + (size_t)k];
        for (int k = 0; k < 4; k++) sum += m->quaternion[4 * at + (size_t)k];
        if (isfinite(sum)) {
            memcpy(p, m->position + 3 * at, 3 * sizeof *p);
            memcpy(q, m->quaternion + 4 * at, 4 * sizeof *q);
        } else if (i) {
            memcpy(p, p - 3, 3 * sizeof *p);
            memcpy(q, q - 4, 4 * sizeof *q);
        } else
            q[0] = 1;
    }
    hol__gltf_move(scene->gltf, scene->nodes[body], places, turns, NULL);
}

void hol__scene_bodies(hol__scene *scene) {
    const hol__geometry *g = scene->geometry;
    for (int i = 0; i <= g->n_bodies; i++) {
        const char *name = scene->movie->model ? hol_model_body_name(scene->movie->model, i)
                           : i == g->n_bodies
                               ? "ground"
                               : hol__arena_format(&scene->movie->arena, "body %d", i + 1);
        const unsigned color = i == g->n_bodies ? HOL__METAL : hol__body_color(i);
        scene->nodes[i] = hol__gltf_node(scene->gltf, name ? name : "", -1);
        add_curves(scene, i, color);
        if (g->bodies[i].n_plate) add_plate(scene, i, color);
        add_shapes(scene, i, color);
        if (i < g->n_bodies) move(scene, i);
    }
}

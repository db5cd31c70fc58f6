/* sdf_links.c: links of SDFormat: inertias and what is drawn.
 *
 * A link without <inertial> has 1 kg and the inertia 1 about each axis, as the format says. With
 * auto="true" its mass is that of its collisions, of their density, or 1000.
 */
#include "exchange/geometry.h"
#include "exchange/sdf.h"

#include <string.h>

/* ---- frames inside a link ---- */

/* The pose of something in a link, in the frame of the link. */
static hol__placement local_pose(hol__sdf *s, hol__sdf_entry *link, const hol__xml *element) {
    const char *relative;
    hol__placement pose = hol__sdf_pose(s->im, element, &relative), frame;
    const hol__xml *asks = hol__xml_child(element, "pose");
    if (!relative || strcmp(relative, link->name) == 0) return pose;
    if (strcmp(relative, "__model__") == 0)
        frame = HOL__PLACEMENT_ZERO;
    else if (!hol__sdf_find(s, link->scope, asks, relative, &frame))
        return pose;
    const hol__placement back = hol__placement_inverse(&link->at);
    frame = hol__placement_mul(&back, &frame);
    return hol__placement_mul(&frame, &pose);
}

/* ---- shapes ---- */

/* The shape of a <geometry>: its type and sizes in full; NULL: none of these. */
static const char *read_shape(hol__sdf *s, const hol__xml *geometry, const hol__xml **shape,
                              double size[3]) {
    static const struct {
        const char *type, *first, *second;
        int n;
    } shapes[] = {{"box", "size", NULL, 3},        {"cylinder", "radius", "length", 1},
                  {"sphere", "radius", NULL, 1},   {"capsule", "radius", "length", 1},
                  {"ellipsoid", "radii", NULL, 3}, {"cone", "radius", "length", 1}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        *shape = hol__xml_child(geometry, shapes[i].type);
        if (!*shape) continue;
        hol__sdf_vector(s->im, *shape, shapes[i].first, shapes[i].n, size);
        if (shapes[i].second) size[1] = hol__sdf_number(s->im, *shape, shapes[i].second, 0);
        return shapes[i].type;
    }
    return NULL;
}

/* The colour of a visual: what its material has as `diffuse`, else as `ambient`. */
static void read_color(hol__sdf *s, const hol__xml *visual, char color[8]) {
    const hol__xml *material = hol__xml_child(visual, "material");
    const hol__xml *own = hol__xml_child(material, "diffuse");
    double rgba[4];
    color[0] = '\0';
    if (!own) own = hol__xml_child(material, "ambient");
    if (own && hol__xml_some(s->im, own, NULL, 3, 4, rgba)) hol__color(rgba, color);
}

static void draw_mesh(hol__sdf *s, const hol__sdf_entry *link, const hol__xml *mesh,
                      const hol__placement *at, const char *color) {
    double scale[3] = {1, 1, 1};
    const char *uri = hol__sdf_text(s->im, mesh, "uri");
    hol__sdf_vector(s->im, mesh, "scale", 3, scale);
    const hol__xml *part = hol__xml_child(mesh, "submesh");
    if (!uri || !*uri)
        hol__note(s->im, HOL_IMPORT_NO_EFFECT, mesh, NULL, "is not drawn: it names no file");
    else if (part) {
        hol__note(s->im, HOL_IMPORT_NO_EFFECT, mesh, NULL,
                  "'%s' is not drawn: parts of meshes are not taken out of their file", uri);
        hol__xml_cover((hol__xml *)part);
    } else
        hol__draw_mesh(s->im, link->body, mesh, NULL, uri, scale, at, color);
}

static void read_visuals(hol__sdf *s, hol__sdf_entry *link) {
    for (hol__xml *v = hol__xml_child(link->element, "visual"); v; v = hol__xml_next(v)) {
        char color[8];
        double size[3] = {0};
        const hol__xml *shape;
        const hol__placement at = local_pose(s, link, v);
        const hol__xml *geometry = hol__xml_child(v, "geometry");
        const char *type = read_shape(s, geometry, &shape, size);
        hol__xml_value(v, "name");
        read_color(s, v, color);
        const hol__xml *mesh = type ? NULL : hol__xml_child(geometry, "mesh");
        if (mesh)
            draw_mesh(s, link, mesh, &at, color);
        else if (type && strcmp(type, "ellipsoid") == 0)
            hol__note(s->im, HOL_IMPORT_NO_EFFECT, shape, NULL, "ellipsoids are not drawn");
        else if (type)
            hol__draw_shape(s->im, link->body, shape, type, size, &at, color);
    }
}

/* ---- inertia ---- */

/* Mass and inertia of the collisions of a link. */
static void weigh_collisions(hol__sdf *s, hol__sdf_entry *link, const hol__xml *inertial) {
    hol_import *im = s->im;
    const double usual = hol__sdf_number(im, inertial, "density", 1000);
    for (hol__xml *c = hol__xml_child(link->element, "collision"); c; c = hol__xml_next(c)) {
        double size[3] = {0}, I[3], J[9] = {0}, turned[9];
        const hol__xml *shape;
        const hol__placement at = local_pose(s, link, c);
        const char *type = read_shape(s, hol__xml_child(c, "geometry"), &shape, size);
        if (!type || strcmp(type, "cone") == 0) {
            hol__import_error(im, c, NULL,
                              "the inertia of the link follows from its collisions, and this one "
                              "is no box, cylinder, sphere, capsule or ellipsoid: give the link "
                              "a mass and an inertia");
            return;
        }
        const int box = strcmp(type, "box") == 0, round = !box && strcmp(type, "ellipsoid") != 0;
        for (int i = 0; i < 3; i++) size[i] *= box || (round && i == 1) ? 0.5 : 1;
        const double mass = hol__sdf_number(im, c, "density", usual) * hol__solid(type, size, I);
        for (int i = 0; i < 3; i++) J[4 * i] = mass * I[i];
        hol__turn_inertia(at.q, J, turned);
        hol__add_inertia(&im->robot.bodies[link->body], mass, at.r, turned);
    }
    hol__note(im, HOL_IMPORT_CHANGED, inertial, "auto", "its collisions weigh %g kg",
              im->robot.bodies[link->body].mass);
}

/* Mass, centre and inertia as they are given. */
static void read_numbers(hol__sdf *s, hol__sdf_entry *link, const hol__xml *inertial) {
    static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    static const int place[6] = {0, 4, 8, 1, 2, 5};
    hol_import *im = s->im;
    hol__robot_body *body = &im->robot.bodies[link->body];
    const hol__placement at = local_pose(s, link, inertial);
    const hol__xml *inertia = hol__xml_child(inertial, "inertia"),
                   *mass = hol__xml_child(inertial, "mass");
    double J[9] = {0};
    body->mass = hol__xml_number(im, mass, NULL, 1);
    if (body->mass < 0)
        hol__import_error(im, mass, NULL, "the mass is %g; no body has that", body->mass);
    for (int i = 0; i < 6; i++) J[place[i]] = hol__sdf_number(im, inertia, names[i], i < 3 ? 1 : 0);
    J[3] = J[1], J[6] = J[2], J[7] = J[5];
    memcpy(body->com, at.r, sizeof at.r);
    hol__turn_inertia(at.q, J, body->J);
    if (!mass || !inertia)
        hol__note(im, HOL_IMPORT_CHANGED, inertial, NULL, "it has no <%s>: %s, as the format says",
                  mass ? "inertia" : "mass",
                  mass      ? "1 kg m^2 about each axis"
                  : inertia ? "1 kg"
                            : "1 kg and 1 kg m^2 about each axis");
    if (body->mass == 0) memset(body->J, 0, sizeof body->J);
}

static void read_inertial(hol__sdf *s, hol__sdf_entry *link) {
    hol_import *im = s->im;
    const hol__xml *inertial = hol__xml_child(link->element, "inertial");
    hol__robot_body *body = &im->robot.bodies[link->body];
    if (link->scope->is_static) {
        if (inertial) hol__xml_cover((hol__xml *)inertial);
        return;
    }
    if (inertial && hol__xml_flag(im, inertial, "auto", 0)) {
        weigh_collisions(s, link, inertial);
        return;
    }
    if (inertial) {
        read_numbers(s, link, inertial);
        return;
    }
    body->mass = body->J[0] = body->J[4] = body->J[8] = 1;
    hol__note(im, HOL_IMPORT_CHANGED, link->element, NULL,
              "it has no <inertial>: 1 kg and 1 kg m^2 about each axis, as the format says");
}

/* ---- all ---- */

/* A row for a flag that is set and does something that does not exist here. */
static void note_flag(hol__sdf *s, const hol__xml *element, const char *child, int harmless,
                      const char *words) {
    if (hol__sdf_flag(s->im, element, child, harmless) != harmless)
        hol__note(s->im, HOL_IMPORT_LEFT_OUT, hol__xml_child(element, child), NULL, "%s", words);
}

void hol__sdf_link(hol__sdf *s, hol__sdf_entry *link) {
    hol_import *im = s->im;
    const hol__placement at = hol__sdf_at(s, link);
    link->body = hol__robot_add_body(im, hol__sdf_called(s, link), link->element, &at);
    if (link->body < 0) return;
    read_inertial(s, link);
    read_visuals(s, link);
    if (!hol__sdf_flag(im, link->element, "gravity", 1) && !link->scope->is_static) {
        im->robot.bodies[link->body].carried = 1;
        hol__note(im, HOL_IMPORT_CHANGED, hol__xml_child(link->element, "gravity"), NULL,
                  "a force carries its weight");
    }
    note_flag(s, link->element, "kinematic", 0, "it moves as any other body");
    note_flag(s, link->element, "self_collide", 0, "contact is not carried over");
    note_flag(s, link->element, "enable_wind", 0,
              "there is no wind here (see forces of type drag)");
}

/* urdf_links.c: the links of a URDF: inertias and what is drawn. */
#include "exchange/geometry.h"
#include "exchange/urdf.h"

#include <string.h>

hol__placement hol__urdf_origin(hol_import *im, const hol__xml *element) {
    const hol__xml *origin = hol__xml_child(element, "origin");
    hol__placement at = HOL__PLACEMENT_ZERO;
    double rpy[3] = {0, 0, 0};
    if (!origin) return at;
    hol__xml_vector(im, origin, "xyz", 3, at.r);
    if (hol__xml_vector(im, origin, "rpy", 3, rpy) && !hol__all_zero(rpy, 3))
        hol__quat_rpy(rpy, at.q);
    return at;
}

/* ---- inertia ---- */

static void read_inertial(hol_import *im, const hol__xml *link, hol__robot_body *body) {
    static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    static const int place[6] = {0, 4, 8, 1, 2, 5};
    const hol__xml *inertial = hol__xml_child(link, "inertial");
    if (!inertial) return;
    const hol__placement at = hol__urdf_origin(im, inertial);
    const hol__xml *mass = hol__xml_child(inertial, "mass"),
                   *inertia = hol__xml_child(inertial, "inertia");
    if (!mass || !hol__xml_find(mass, "value"))
        hol__import_error(im, inertial, NULL, "it has no <mass value=\"…\"/>");
    body->mass = hol__xml_number(im, mass, "value", 0);
    if (body->mass < 0)
        hol__import_error(im, mass, "value", "the mass is %g; no body has that", body->mass);
    double J[9] = {0};
    for (int i = 0; i < 6 && inertia; i++) {
        if (i < 3 && !hol__xml_find(inertia, names[i]))
            hol__import_error(im, inertia, NULL, "'%s' is missing", names[i]);
        J[place[i]] = hol__xml_number(im, inertia, names[i], 0);
    }
    if (!inertia && body->mass > 0)
        hol__import_error(im, inertial, NULL, "it has no <inertia ixx=\"…\" …/>");
    J[3] = J[1], J[6] = J[2], J[7] = J[5];
    memcpy(body->com, at.r, sizeof at.r);
    hol__turn_inertia(at.q, J, body->J);
    if (body->mass == 0 && !hol__all_zero(J, 9)) {
        hol__note(im, HOL_IMPORT_CHANGED, inertial, NULL,
                  "an inertia without a mass: the link counts as one without either");
        memset(body->J, 0, sizeof body->J);
    }
}

/* ---- drawing ---- */

/* The colour of a visual: its own, or that of the material of its name in the robot. */
static void read_color(hol_import *im, const hol__xml *visual, char color[8]) {
    const hol__xml *material = hol__xml_child(visual, "material");
    const char *name = material ? hol__xml_value(material, "name") : NULL;
    double rgba[4];
    color[0] = '\0';
    if (!material) return;
    const hol__xml *own = hol__xml_child(material, "color");
    if (own) {
        if (hol__xml_vector(im, own, "rgba", 4, rgba)) hol__color(rgba, color);
        return;
    }
    const uintptr_t *found = name ? hol__name_tree_find(&im->root->entries, name) : NULL;
    if (!found) return;
    hol__xml *m = (hol__xml *)*found;
    m->used = 1;
    hol__xml_value(m, "name");
    const hol__xml *shared = hol__xml_child(m, "color");
    if (shared && hol__xml_vector(im, shared, "rgba", 4, rgba)) hol__color(rgba, color);
}

/* The materials of the robot by their names. */
static void enter_materials(hol_import *im) {
    for (hol__xml *m = im->root->first; m; m = m->next) {
        const hol__xml_attribute *a =
            strcmp(m->name, "material") == 0 ? hol__xml_find(m, "name") : NULL;
        if (a) hol__name_tree_add(&im->root->entries, &im->arena, a->value, (uintptr_t)m);
    }
}

/* The one shape of a <geometry>. */
static void read_geometry(hol_import *im, int body, const hol__xml *geometry,
                          const hol__placement *at, const char *color) {
    const hol__xml *box = hol__xml_child(geometry, "box"),
                   *cylinder = hol__xml_child(geometry, "cylinder"),
                   *sphere = hol__xml_child(geometry, "sphere"),
                   *capsule = hol__xml_child(geometry, "capsule"),
                   *mesh = hol__xml_child(geometry, "mesh");
    double size[3] = {0};
    if (box) {
        hol__xml_vector(im, box, "size", 3, size);
        hol__draw_shape(im, body, box, "box", size, at, color);
    } else if (cylinder || capsule) {
        const hol__xml *round = cylinder ? cylinder : capsule;
        size[0] = hol__xml_number(im, round, "radius", 0);
        size[1] = hol__xml_number(im, round, "length", 0);
        hol__draw_shape(im, body, round, round->name, size, at, color);
    } else if (sphere) {
        size[0] = hol__xml_number(im, sphere, "radius", 0);
        hol__draw_shape(im, body, sphere, "sphere", size, at, color);
    } else if (mesh) {
        double scale[3] = {1, 1, 1};
        const char *uri = hol__xml_value(mesh, "filename");
        hol__xml_vector(im, mesh, "scale", 3, scale);
        if (uri)
            hol__draw_mesh(im, body, mesh, "filename", uri, scale, at, color);
        else
            hol__note(im, HOL_IMPORT_NO_EFFECT, mesh, NULL, "is not drawn: it names no file");
    }
}

static void read_visuals(hol_import *im, const hol__xml *link, int body) {
    for (hol__xml *v = hol__xml_child(link, "visual"); v; v = hol__xml_next(v)) {
        char color[8];
        const hol__placement at = hol__urdf_origin(im, v);
        const hol__xml *geometry = hol__xml_child(v, "geometry");
        read_color(im, v, color);
        if (geometry) read_geometry(im, body, geometry, &at, color);
    }
}

/* The link 'world' where a joint has it as its parent and the file does not: the ground, as
 * simulators take it. 0 without memory. */
static int add_world(hol_import *im) {
    const hol__placement origin = HOL__PLACEMENT_ZERO;
    if (hol__robot_body_named(&im->robot, "world") >= 0) return 1;
    for (hol__xml *j = hol__xml_child(im->root, "joint"); j; j = hol__xml_next(j)) {
        const hol__xml *parent = hol__xml_child(j, "parent");
        const char *name = parent ? hol__xml_value(parent, "link") : NULL;
        if (!name || strcmp(name, "world") != 0) continue;
        hol__note(im, HOL_IMPORT_CHANGED, parent, "link",
                  "there is no link of this name: it is the ground");
        return hol__robot_add_body(im, "world", parent, &origin) >= 0;
    }
    return 1;
}

/* ---- all ---- */

int hol__urdf_links(hol_import *im) {
    const hol__placement origin = HOL__PLACEMENT_ZERO;
    enter_materials(im);
    for (hol__xml *link = hol__xml_child(im->root, "link"); link; link = hol__xml_next(link)) {
        const char *name = hol__xml_value(link, "name");
        if (!name || !*name) {
            hol__import_error(im, link, NULL, "a link has no name");
            continue;
        }
        const int before = hol__robot_body_named(&im->robot, name);
        if (before >= 0) {
            const hol_location *at = &im->robot.bodies[before].element->where;
            hol__import_error(im, link, "name", "there is a link of this name at %s:%d:%d already",
                              at->file, at->line, at->column);
            continue;
        }
        const int body = hol__robot_add_body(im, name, link, &origin);
        if (body < 0) return 0;
        read_inertial(im, link, &im->robot.bodies[body]);
        read_visuals(im, link, body);
    }
    if (im->robot.n_bodies) return add_world(im);
    hol__import_error(im, im->root, NULL, "this robot has no links");
    return 0;
}

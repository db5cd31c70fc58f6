/* joint_rolling.c: disks and spheres that roll on a plane fixed in the first body (rolling.c), or
 * slip on it.
 *
 * In the plane a disk rolls on a line, which is holonomic: with x along t and the angle theta,
 *     n . (C - O) = r,   x + r theta = 0,   t = n turned by -90 deg.
 */
#include "element/coupler.h"
#include "element/joints.h"
#include "element/rolling.h"
#include "math/vec3.h"

#include <string.h>

#define KEY_GROUND                                                                                 \
    {"bodies", HOL__KEY_BODIES,                                                                    \
     NULL,     NULL,                                                                               \
     0,        "The body with the plane (usually ground), and the body that rolls on it.",         \
     NULL,     HOL__AT(hol__rolling_params, bodies)},                                              \
        {"plane",                                                                                  \
         HOL__KEY_POINT,                                                                           \
         "m",                                                                                      \
         "",                                                                                       \
         0,                                                                                        \
         "A point of the plane (in planar models: of the line) at the drawn position; default: "   \
         "the origin.",                                                                            \
         NULL,                                                                                     \
         HOL__AT(hol__rolling_params, plane)},                                                     \
    {                                                                                              \
        "normal", HOL__KEY_DIRECTION, NULL, "", 0,                                                 \
            "The normal of the plane, towards the rolling body; default: [0, 0, 1], in planar "    \
            "models [0, 1].",                                                                      \
            NULL, HOL__AT(hol__rolling_params, normal)                                             \
    }
#define KEY_CENTER                                                                                 \
    {                                                                                              \
        "center", HOL__KEY_POINT, "m", "", 0,                                                      \
            "The centre of the rim at the drawn position; default: the mass centre.", NULL,        \
            HOL__AT(hol__rolling_params, point)                                                    \
    }
#define KEY_RADIUS                                                                                 \
    {                                                                                              \
        "radius", HOL__KEY_NUMBER, "m", NULL, HOL__POSITIVE, "The radius.", NULL,                  \
            HOL__AT(hol__rolling_params, radius)                                                   \
    }
#define KEY_SLIP                                                                                   \
    {                                                                                              \
        "slip", HOL__KEY_BOOL, NULL, "false", 0,                                                   \
            "true: it touches the plane and slips on it, without rolling; the force "              \
            "rolling_resistance "                                                                  \
            "brakes it.",                                                                          \
            NULL, HOL__AT(hol__rolling_params, slip)                                               \
    }

/* Whether it slips, into r, and whether it is held in contact (in the plane always). */
static int set_contact(hol__build *build, const hol__rolling_params *p, hol__rolling *r) {
    const int contact = build->model->dim == 2 || p->contact;
    r->slips = p->slip;
    if (r->slips && !contact)
        hol__field_error(build, p, NULL, "neither touches nor rolls; nothing is left");
    return contact;
}

/* Leave the geometry for forces that act at the contact. */
static void lend_contact(hol__build *build, hol__element *joint, const hol__rolling *r) {
    hol__rolling *kept = HOL__NEW(build->arena, hol__rolling);
    if (!kept) return;
    *kept = *r;
    joint->contact = kept;
}

/* ---- disk ---- */

static const hol__key disk_keys[] = {
    KEY_GROUND,
    KEY_CENTER,
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, HOL__IN_SPACE,
     "The axis of the disk at the drawn position.", NULL, HOL__AT(hol__rolling_params, axis)},
    KEY_RADIUS,
    HOL__KEY_CONTACT,
    KEY_SLIP,
    HOL__KEY_END,
};

/* A disk on a line: height and rolling are both given displacements. */
static void planar_disk(hol__build *build, hol__element *joint, const hol__rolling *r) {
    hol__coupler height = {.n = 1, .factor = {1}, .f = {r->radius, NULL}, .label = "contact"};
    hol__coordinate x, theta;
    const int turned = r->n[1] != 0 || r->n[0] != 0;
    if (!turned) return;
    hol__coordinate_between(build, joint, HOL__COORDINATE_SLIDE, &height.x[0]);
    memcpy(height.x[0].e[0], r->n, sizeof r->n);
    hol__add_coupler(build, joint, &height);
    if (r->slips) return;
    const double t[3] = {r->n[1], -r->n[0], 0};
    hol__coordinate_between(build, joint, HOL__COORDINATE_SLIDE, &x);
    memcpy(x.e[0], t, sizeof t);
    hol__coordinate_between(build, joint, HOL__COORDINATE_ANGLE, &theta);
    /* x is 0 as drawn, like the angle */
    double o[3], R[9], e[3], from[3], to[3];
    hol__drawn_pose(build->model, joint->body[0], o, R);
    hol__mul3(R, t, e);
    hol__drawn_point(build->model, joint->body[0], joint->marker[0].s, from);
    hol__drawn_point(build->model, joint->body[1], joint->marker[1].s, to);
    const double start = hol__dot3(e, to) - hol__dot3(e, from);
    hol__add_pair(build, joint, &x, 1, &theta, r->radius, start, "rolling");
}

/* A disk; in the plane by couplers. */
static void rolling_disk(hol__build *build, hol__element *joint, const void *params) {
    const hol__rolling_params *p = params;
    hol__rolling r = {.shape = HOL__ROLLING_DISK};
    const int space = build->model->dim == 3;
    const int ok = hol__rolling_set(build, joint, p, "center", &r);
    const int contact = set_contact(build, p, &r);
    if (!ok || (r.slips && !contact)) return;
    lend_contact(build, joint, &r);
    if (space)
        hol__rolling_add(build, joint, &r, contact, r.slips ? 0 : 2);
    else
        planar_disk(build, joint, &r);
}

const hol__element_type hol__joint_rolling_disk = {
    .section = "joints",
    .name = "rolling_disk",
    .title = "A thin disk rolls without slip on a plane (in planar models: on a line).",
    .equations = "n . (X - O) = 0; t_k . (V2(X) - V1(X)) = 0, X = C - r u, u the direction of the "
                 "rim's lowest radius",
    .example = "  roll: {type: rolling_disk, bodies: [ground, rod], plane: [0, -0.3], radius: 0.3}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = disk_keys,
    .size = sizeof(hol__rolling_params),
    .compile_element = rolling_disk,
};

/* ---- sphere ---- */

static const hol__key sphere_keys[] = {
    KEY_GROUND,
    {"center", HOL__KEY_POINT, "m", "", 0,
     "The centre of the sphere at the drawn position; default: the mass centre.", NULL,
     HOL__AT(hol__rolling_params, point)},
    KEY_RADIUS,
    HOL__KEY_CONTACT,
    KEY_SLIP,
    {"spin", HOL__KEY_BOOL, NULL, "true", 0,
     "Whether it may spin about the normal; false for a rubber ball.", NULL,
     HOL__AT(hol__rolling_params, spin)},
    HOL__KEY_END,
};

/* A sphere, with or without spin. */
static void rolling_sphere(hol__build *build, hol__element *joint, const void *params) {
    const hol__rolling_params *p = params;
    hol__rolling r = {.shape = HOL__ROLLING_SPHERE};
    const int ok = hol__rolling_set(build, joint, p, "center", &r);
    const int contact = set_contact(build, p, &r), spin = p->spin;
    if (r.slips && !spin)
        hol__field_error(build, p, NULL,
                         "a sphere that slips spins freely; leave out `spin: false`");
    if (!ok || (r.slips && (!contact || !spin))) return;
    lend_contact(build, joint, &r);
    hol__rolling_add(build, joint, &r, contact, r.slips ? 0 : spin ? 2 : 3);
}

const hol__element_type hol__joint_rolling_sphere = {
    .section = "joints",
    .name = "rolling_sphere",
    .title = "A sphere rolls without slip on a plane.",
    .equations = "n . (X - O) = 0; t_k . (V2(X) - V1(X)) = 0, X = C - r n; n . (omega2 - omega1) = "
                 "0 where it does not spin",
    .example =
        "  roll: {type: rolling_sphere, bodies: [ground, rod], plane: [0, 0, -0.3], radius: 0.3}",
    .spaces = HOL__IN_SPACE,
    .keys = sphere_keys,
    .size = sizeof(hol__rolling_params),
    .compile_element = rolling_sphere,
};

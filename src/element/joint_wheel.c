/* joint_wheel.c: wheels and blades on a plane fixed in the first body (rolling.c): no slip across.
 *
 * In planar models the plane is seen from above, and with e a direction of the second body, P its point,
 *     e . (V2(P) - V1(P)) = f(t)      wheel: e along its axis, f = 0; e forward, f the speed    blade: e across, f = 0
 */
#include "element/coupler.h"
#include "element/joints.h"
#include "element/rolling.h"

#include <string.h>

/* e . (V2(P) - V1(P)) = f for a direction e of the second body. */
static void add_planar_velocity(hol__build *build, hol__element *joint, const hol__rolling *r,
                                double ex, double ey, hol__law f, const char *label) {
    hol__rate rate = {.n = 1, .factor = {{1, NULL}}, .f = f, .state = -1, .label = label};
    hol__coordinate *x = &rate.term[0];
    hol__coordinate_between(build, joint, HOL__COORDINATE_VELOCITY, x);
    memcpy(x->marker[1].s, r->c, sizeof r->c);
    x->frame = 1;
    x->e[1][0] = ex, x->e[1][1] = ey, x->e[1][2] = 0;
    hol__add_rate(build, joint, &rate);
}

/* ---- wheel ---- */

static const hol__key wheel_keys[] = {
    {"bodies", HOL__KEY_BODIES, NULL, NULL, 0,
     "The body with the plane (usually ground), and the body that carries the wheel.", NULL},
    {"plane", HOL__KEY_POINT, "m", "", HOL__IN_SPACE,
     "A point of the plane at the drawn position; the origin when left out.", NULL},
    {"normal", HOL__KEY_DIRECTION, NULL, "", HOL__IN_SPACE,
     "The normal of the plane, towards the wheel; [0, 0, 1] when left out.", NULL},
    {"center", HOL__KEY_POINT, "m", "", 0,
     "The centre of the wheel at the drawn position; the mass centre when left out.", NULL},
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, 0,
     "The axis of the wheel at the drawn position, fixed in its carrier.", NULL},
    {"radius", HOL__KEY_NUMBER, "m", NULL, HOL__IN_SPACE | HOL__POSITIVE, "The radius.", NULL},
    HOL__KEY_CONTACT,
    {"speed", HOL__KEY_TIME_LAW, "m/s", "", HOL__IN_PLANE,
     "The speed at which a driven wheel rolls forward (its axis turned by -90 deg); it rolls "
     "freely when left out.",
     NULL},
    HOL__KEY_END,
};

/* No slip along the axis; in the plane with a speed where one is given. */
static void wheel(hol__build *build, hol__element *joint, hol__node *item) {
    hol__rolling r = {.shape = HOL__ROLLING_WHEEL};
    const int errors = build->errors, space = build->model->dim == 3;
    const int ok = hol__rolling_read(build, joint, item, wheel_keys, "center", "axis", &r);
    const hol__law none = {0, NULL};
    if (space) {
        const int contact = hol__read_bool(build, item, wheel_keys, "contact");
        if (ok) hol__rolling_add(build, joint, &r, contact, 1);
        return;
    }
    const hol__law speed =
        hol__node_get(item, "speed") ? hol__read_law(build, item, wheel_keys, "speed", NULL) : none;
    if (!ok || build->errors > errors) return;
    add_planar_velocity(build, joint, &r, r.a[0], r.a[1], none, "no side slip");
    if (hol__node_get(item, "speed"))
        add_planar_velocity(build, joint, &r, r.a[1], -r.a[0], speed, "speed of the wheel");
}

const hol__element_type hol__joint_wheel = {
    .section = "joints",
    .name = "wheel",
    .title =
        "A massless wheel on a carrier: no slip along its axis. In planar models seen from above.",
    .equations =
        "l . (V2(X) - V1(X)) = 0, l along the axis in the plane; in space also n . (X - O) = 0",
    .example = "  rear: {type: wheel, bodies: [ground, rod], center: [0, 0], axis: [0, 1]}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = wheel_keys,
    .compile_element = wheel,
};

/* ---- knife edge ---- */

static const hol__key blade_keys[] = {
    {"bodies", HOL__KEY_BODIES, NULL, NULL, 0,
     "The body with the plane (usually ground), and the body with the blade.", NULL},
    {"plane", HOL__KEY_POINT, "m", "", HOL__IN_SPACE,
     "A point of the plane at the drawn position; the origin when left out.", NULL},
    {"normal", HOL__KEY_DIRECTION, NULL, "", HOL__IN_SPACE,
     "The normal of the plane; [0, 0, 1] when left out.", NULL},
    {"at", HOL__KEY_POINT, "m", "", 0,
     "The point of the blade at the drawn position; the mass centre when left out.", NULL},
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, 0, "The direction of the blade at the drawn position.",
     NULL},
    HOL__KEY_CONTACT,
    HOL__KEY_END,
};

/* No slip across the blade. */
static void knife_edge(hol__build *build, hol__element *joint, hol__node *item) {
    hol__rolling r = {.shape = HOL__ROLLING_BLADE};
    const hol__law none = {0, NULL};
    if (!hol__rolling_read(build, joint, item, blade_keys, "at", "axis", &r)) return;
    if (build->model->dim == 2) {
        add_planar_velocity(build, joint, &r, -r.a[1], r.a[0], none, "no side slip");
        return;
    }
    hol__rolling_add(build, joint, &r, hol__read_bool(build, item, blade_keys, "contact"), 1);
}

const hol__element_type hol__joint_knife_edge = {
    .section = "joints",
    .name = "knife_edge",
    .title = "A blade (skate): its point moves along its direction only. In planar models seen "
             "from above.",
    .equations = "l . (V2(P) - V1(P)) = 0, l across the blade; in space also n . (P - O) = 0",
    .example = "  blade: {type: knife_edge, bodies: [ground, rod], at: [0.2, 0], axis: [1, 0]}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = blade_keys,
    .compile_element = knife_edge,
};

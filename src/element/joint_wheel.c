/* joint_wheel.c: wheels and blades on a plane fixed in the first body (rolling.c): no slip across.
 *
 * In planar models the plane is seen from above, and with e a direction of the second body, P its
 * point,
 *     e . (V2(P) - V1(P)) = f(t)      wheel: e along its axis, f = 0; e forward, f the speed
 *                                     blade: e across, f = 0
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
     "The body with the plane (usually ground), and the body that carries the wheel.", NULL,
     HOL__AT(hol__rolling_params, bodies)},
    {"plane", HOL__KEY_POINT, "m", "", HOL__IN_SPACE,
     "A point of the plane at the drawn position; default: the origin.", NULL,
     HOL__AT(hol__rolling_params, plane)},
    {"normal", HOL__KEY_DIRECTION, NULL, "", HOL__IN_SPACE,
     "The normal of the plane, towards the wheel; default: [0, 0, 1].", NULL,
     HOL__AT(hol__rolling_params, normal)},
    {"center", HOL__KEY_POINT, "m", "", 0,
     "The centre of the wheel at the drawn position; default: the mass centre.", NULL,
     HOL__AT(hol__rolling_params, point)},
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, 0,
     "The axis of the wheel at the drawn position, fixed in its carrier.", NULL,
     HOL__AT(hol__rolling_params, axis)},
    {"radius", HOL__KEY_NUMBER, "m", NULL, HOL__IN_SPACE | HOL__POSITIVE, "The radius.", NULL,
     HOL__AT(hol__rolling_params, radius)},
    HOL__KEY_CONTACT,
    {"speed", HOL__KEY_TIME_LAW, "m/s", "", HOL__IN_PLANE,
     "The speed at which a driven wheel rolls forward (its axis turned by -90 deg); default: "
     "it rolls freely.",
     NULL, HOL__AT(hol__rolling_params, speed)},
    HOL__KEY_END,
};

/* No slip along the axis; in the plane with a speed where one is given. */
static void wheel(hol__build *build, hol__element *joint, const void *params) {
    const hol__rolling_params *p = params;
    const hol__law none = {0, NULL};
    hol__rolling r = {.shape = HOL__ROLLING_WHEEL};
    if (!hol__rolling_set(build, joint, p, "center", &r)) return;
    if (build->model->dim == 3) {
        hol__rolling_add(build, joint, &r, p->contact, 1);
        return;
    }
    add_planar_velocity(build, joint, &r, r.a[0], r.a[1], none, "no side slip");
    if (hol__is_given(p, "speed"))
        add_planar_velocity(build, joint, &r, r.a[1], -r.a[0], p->speed, "speed of the wheel");
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
    .size = sizeof(hol__rolling_params),
    .compile_element = wheel,
};

/* ---- knife edge ---- */

static const hol__key blade_keys[] = {
    {"bodies", HOL__KEY_BODIES, NULL, NULL, 0,
     "The body with the plane (usually ground), and the body with the blade.", NULL,
     HOL__AT(hol__rolling_params, bodies)},
    {"plane", HOL__KEY_POINT, "m", "", HOL__IN_SPACE,
     "A point of the plane at the drawn position; default: the origin.", NULL,
     HOL__AT(hol__rolling_params, plane)},
    {"normal", HOL__KEY_DIRECTION, NULL, "", HOL__IN_SPACE,
     "The normal of the plane; default: [0, 0, 1].", NULL, HOL__AT(hol__rolling_params, normal)},
    {"at", HOL__KEY_POINT, "m", "", 0,
     "The point of the blade at the drawn position; default: the mass centre.", NULL,
     HOL__AT(hol__rolling_params, point)},
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, 0, "The direction of the blade at the drawn position.",
     NULL, HOL__AT(hol__rolling_params, axis)},
    HOL__KEY_CONTACT,
    HOL__KEY_END,
};

/* No slip across the blade. */
static void knife_edge(hol__build *build, hol__element *joint, const void *params) {
    const hol__rolling_params *p = params;
    const hol__law none = {0, NULL};
    hol__rolling r = {.shape = HOL__ROLLING_BLADE};
    if (!hol__rolling_set(build, joint, p, "at", &r)) return;
    if (build->model->dim == 2) {
        add_planar_velocity(build, joint, &r, -r.a[1], r.a[0], none, "no side slip");
        return;
    }
    hol__rolling_add(build, joint, &r, p->contact, 1);
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
    .size = sizeof(hol__rolling_params),
    .compile_element = knife_edge,
};

/* joint_links.c: massless links between two bodies: what a rod without inertia leaves of the two
 * joints at its ends.
 *
 * The link runs from P1 on body 1 to P2 on body 2, d = P2 - P1, as long as drawn or given (L). A
 * revolute joint at an end has its axis a_i fixed in body i and in the link, so that it keeps its
 * angle to everything else in the link.
 *
 *     spherical–spherical    |d| = L
 *                            3 + 3 - 6 joint rows less the spin of the rod: 1 row
 *     universal–spherical    |d| = L
 *                            4 + 3 - 6 = 1 row: the link may point anywhere
 *     revolute–spherical     |d| = L,  a1 . d = c1                            5 + 3 - 6 = 2 rows
 *     revolute–revolute      |d| = L,  a1 . d = c1,  a2 . d = c2,  and one    5 + 5 - 6 = 4 rows
 *                            for the angle of a1 and a2 about d
 *
 * The last is a1 . a2 = c3 where the three vectors span a volume as drawn, and (a1 x a2) . d = 0
 * where they lie in a plane: of these, the one has the better gradient (both are constant in the
 * link). Where the axes are parallel (a planar link) the four rows are |d| = L, a1 . d = c1 and p_x
 * = p_y = 0 of frames along the axes. A link along the axis of its own revolute joint would only
 * turn on the spot and is refused.
 */
#include "element/coupler.h"
#include "element/joints.h"

#include <string.h>

enum { RX = 8, RY = 16 };

typedef struct link_params {
    hol__params head;
    int bodies[2];
    double from[3], to[3];
    double axis[3], axis_second[3];
    double length;
} link_params;

#define KEY_ENDS                                                                                   \
    HOL__KEY_PAIR(link_params, bodies),                                                            \
        {"from", HOL__KEY_POINT,                                                                   \
         "m",    NULL,                                                                             \
         0,      "The joint on the first body, at the drawn position.",                            \
         NULL,   HOL__AT(link_params, from)},                                                      \
        {"to", HOL__KEY_POINT,                                                                     \
         "m",  NULL,                                                                               \
         0,    "The joint on the second body, at the drawn position.",                             \
         NULL, HOL__AT(link_params, to)},                                                          \
    {                                                                                              \
        "length", HOL__KEY_NUMBER, "m", "", HOL__POSITIVE,                                         \
            "Its length; default: as drawn. Where it is given, the drawing is to another scale "   \
            "and the bodies are moved until the link fits.",                                       \
            NULL, HOL__AT(link_params, length)                                                     \
    }

static const hol__key ball_keys[] = {KEY_ENDS, HOL__KEY_END};

static const hol__key revolute_ball_keys[] = {
    KEY_ENDS,
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, 0,
     "The axis of the revolute joint on the first body, at the drawn position.", NULL,
     HOL__AT(link_params, axis)},
    HOL__KEY_END,
};

static const hol__key revolutes_keys[] = {
    KEY_ENDS,
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, HOL__IN_SPACE,
     "The axis of the revolute joint on the first body, at the drawn position.", NULL,
     HOL__AT(link_params, axis)},
    {"axis_second", HOL__KEY_DIRECTION, NULL, "", HOL__IN_SPACE,
     "That on the second body; default: parallel to `axis`.", NULL,
     HOL__AT(link_params, axis_second)},
    HOL__KEY_END,
};

/* The link as drawn, global. */
typedef struct link {
    double d[3], L;
    double axis[2][3];
} link;

/* Bodies, ends and axes into the element's markers and the link; 0 after an error. */
static int set_link(hol__build *build, hol__element *joint, const link_params *p, link *l) {
    double frame[2][4] = {{1, 0, 0, 0}, {1, 0, 0, 0}};
    memcpy(joint->body, p->bodies, sizeof joint->body);
    if (hol__is_given(p, "axis")) {
        memcpy(l->axis[0], p->axis, sizeof p->axis);
        memcpy(l->axis[1], hol__is_given(p, "axis_second") ? p->axis_second : p->axis,
               sizeof p->axis);
        for (int i = 0; i < 2; i++) hol__frame_along(l->axis[i], NULL, frame[i]);
    }
    hol__sub3(p->to, p->from, l->d);
    l->L = hol__norm3(l->d);
    if (!(l->L > 0)) {
        hol__field_error(build, p, NULL,
                         "the link has length 0 as drawn; join the bodies directly");
        return 0;
    }
    if (hol__is_given(p, "length")) {
        for (int k = 0; k < 3; k++) l->d[k] *= p->length / l->L;
        l->L = p->length;
    }
    for (int i = 0; i < 2; i++)
        hol__marker_set(build->model, joint->body[i], i ? p->to : p->from, frame[i],
                        &joint->marker[i]);
    return 1;
}

static void add_distance(hol__build *build, hol__element *joint, double L) {
    hol__distance *rec = hol__add_con(
        build, joint, build->model->dim == 2 ? &hol__con_distance2 : &hol__con_distance3, 1);
    if (!rec) return;
    memcpy(rec->s1, joint->marker[0].s, sizeof rec->s1);
    memcpy(rec->s2, joint->marker[1].s, sizeof rec->s2);
    rec->L = (hol__law){L, NULL};
    rec->L0 = L;
}

/* a_i . d = c as drawn, with a_i fixed in body i. */
static void add_height(hol__build *build, hol__element *joint, int i, double c) {
    hol__coupler height = {
        .n = 1, .factor = {i ? -1 : 1}, .f = {c, NULL}, .label = "height along the axis"};
    hol__coordinate *x = &height.x[0];
    hol__coordinate_between(build, joint, HOL__COORDINATE_SLIDE, x);
    if (i) {
        /* body 2 first: the displacement is then a2 . (P1 - P2) */
        *x = (hol__coordinate){
            .kind = HOL__COORDINATE_SLIDE, .body = {joint->body[1], joint->body[0]}, .angle = -1};
        x->marker[0] = joint->marker[1];
        x->marker[1] = joint->marker[0];
        for (int k = 0; k < 3; k++) x->e[0][k] = x->marker[0].F[3 * k + 2];
    }
    hol__add_coupler(build, joint, &height);
}

/* 1 when the link does not lie along the axis, else a report. */
static int check_crank(hol__build *build, const link_params *p, const link *l, int i) {
    double cross[3];
    hol__cross3(l->axis[i], l->d, cross);
    if (hol__norm3(cross) > 1e-6 * l->L) return 1;
    hol__field_error(build, p, NULL,
                     "the link lies along the axis of its revolute joint on the %s body and would "
                     "turn on the spot; use another "
                     "axis, or join the bodies directly",
                     i ? "second" : "first");
    return 0;
}

/* ---- ball joints at both ends ---- */

static void ball_link(hol__build *build, hol__element *joint, const void *params) {
    const link_params *p = params;
    link l;
    if (set_link(build, joint, p, &l)) add_distance(build, joint, l.L);
}

const hol__element_type hol__joint_spherical_spherical = {
    .section = "joints",
    .name = "spherical_spherical",
    .title = "A massless link with spherical joints at both ends.",
    .equations = "(d . d - L^2) / (2 L) = 0",
    .example = "  rod2: {type: spherical_spherical, bodies: [ground, rod], from: [0, 1, 0.2], to: "
               "[1, 0, 0]}",
    .spaces = HOL__IN_SPACE,
    .keys = ball_keys,
    .size = sizeof(link_params),
    .compile_element = ball_link,
};

const hol__element_type hol__joint_universal_spherical = {
    .section = "joints",
    .name = "universal_spherical",
    .title = "A massless link with a universal joint on the first body and a spherical joint on "
             "the second; it cannot spin about itself.",
    .equations = "(d . d - L^2) / (2 L) = 0",
    .example = "  rod2: {type: universal_spherical, bodies: [ground, rod], from: [0, 1, 0.2], to: "
               "[1, 0, 0]}",
    .spaces = HOL__IN_SPACE,
    .keys = ball_keys,
    .size = sizeof(link_params),
    .compile_element = ball_link,
};

/* ---- revolute and spherical ---- */

static void revolute_spherical(hol__build *build, hol__element *joint, const void *params) {
    const link_params *p = params;
    link l;
    if (!set_link(build, joint, p, &l) || !check_crank(build, p, &l, 0)) return;
    add_distance(build, joint, l.L);
    add_height(build, joint, 0, hol__dot3(l.axis[0], l.d));
}

const hol__element_type hol__joint_revolute_spherical = {
    .section = "joints",
    .name = "revolute_spherical",
    .title = "A massless link with a revolute joint on the first body and a spherical joint on the "
             "second.",
    .equations = "(d . d - L^2) / (2 L) = 0; a1 . d = c1 as drawn",
    .example = "  arm: {type: revolute_spherical, bodies: [ground, rod], from: [1, 0.5, 0.3], to: "
               "[1, 0, 0], axis: [1, 0, 0.2]}",
    .spaces = HOL__IN_SPACE,
    .keys = revolute_ball_keys,
    .size = sizeof(link_params),
    .compile_element = revolute_spherical,
};

/* ---- revolute at both ends ---- */

/* The row for the angle of the two axes about the link. */
static void add_torsion(hol__build *build, hol__element *joint, const link *l) {
    double normal[3], m1[3], m2[3];
    hol__cross3(l->axis[0], l->axis[1], normal);
    hol__cross3(l->axis[0], l->d, m1);
    hol__cross3(l->axis[1], l->d, m2);
    /* sine of the angle between the planes (a1, d) and (a2, d) */
    const double volume = hol__dot3(normal, l->d),
                 sine = volume * l->L / (hol__norm3(m1) * hol__norm3(m2));
    const int by_volume = fabs(sine) < 0.5;
    hol__coupler c = {.n = 1, .label = "angle of the axes"};
    hol__coordinate_between(build, joint,
                            by_volume ? HOL__COORDINATE_VOLUME : HOL__COORDINATE_COSINE, &c.x[0]);
    c.factor[0] = by_volume ? 1 / l->L : 1;
    c.f.value = by_volume ? volume / l->L : hol__dot3(l->axis[0], l->axis[1]);
    hol__add_coupler(build, joint, &c);
}

static void revolute_revolute(hol__build *build, hol__element *joint, const void *params) {
    const link_params *p = params;
    link l;
    if (!set_link(build, joint, p, &l)) return;
    if (build->model->dim == 2) {
        add_distance(build, joint, l.L);
        return;
    }
    double normal[3];
    if (!check_crank(build, p, &l, 0) || !check_crank(build, p, &l, 1)) return;
    hol__cross3(l.axis[0], l.axis[1], normal);
    add_distance(build, joint, l.L);
    add_height(build, joint, 0, hol__dot3(l.axis[0], l.d));
    if (hol__norm3(normal) < 1e-6) {
        hol__lock(build, joint, RX | RY, NULL);
        return;
    }
    add_height(build, joint, 1, hol__dot3(l.axis[1], l.d));
    add_torsion(build, joint, &l);
}

const hol__element_type hol__joint_revolute_revolute = {
    .section = "joints",
    .name = "revolute_revolute",
    .title = "A massless link with revolute joints at both ends.",
    .equations = "(d . d - L^2) / (2 L) = 0; in space also a1 . d, a2 . d and the angle of a1 and "
                 "a2 about d as drawn",
    .example =
        "  arm: {type: revolute_revolute, bodies: [ground, rod], from: [0.4, 1], to: [1, 0]}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = revolutes_keys,
    .size = sizeof(link_params),
    .compile_element = revolute_revolute,
};

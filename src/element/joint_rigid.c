/* joint_rigid.c: joints that push and do not pull: rigid contact of two shapes, a rope, and a stop
 * of a coordinate. What they have in common is in rigid.c. */
#include "element/contact.h"
#include "element/joints.h"
#include "element/rigid.h"

#include <math.h>
#include <string.h>

/* How they meet. */
typedef struct meeting_fields {
    double restitution, friction, static_friction;
} meeting_fields;

#define KEY_RESTITUTION(type)                                                                      \
    {                                                                                              \
        "restitution", HOL__KEY_NUMBER, "", "0", HOL__NOT_NEGATIVE,                                \
            "e, the speed of parting over that of meeting (Newton): 0 without a rebound, 1 "       \
            "without a loss.",                                                                     \
            NULL, HOL__AT(type, meeting.restitution)                                               \
    }

/* e is a share. */
static int check_meeting(hol__build *build, const void *params, const meeting_fields *f) {
    if (f->restitution <= 1) return 1;
    return hol__field_error(build, params, "restitution",
                            "a restitution of %g would make energy; it lies between 0 and 1",
                            f->restitution);
}

/* ---- contact ---- */

typedef struct contact_params {
    hol__params head;
    int bodies[2];
    hol__param_list shapes;
    meeting_fields meeting;
} contact_params;

static const hol__key contact_keys[] = {
    HOL__KEY_PAIR(contact_params, bodies),
    {"shapes", HOL__KEY_SOLIDS, NULL, NULL, 0,
     "The shape on the first body and that on the second; at most one is a plane.", NULL,
     HOL__LIST_AT(contact_params, shapes, &hol__contact_shapes)},
    KEY_RESTITUTION(contact_params),
    {"friction", HOL__KEY_NUMBER, "", "0", HOL__NOT_NEGATIVE,
     "mu of Coulomb's law: it sticks while the force across the gap is at most mu times the push, "
     "and slides against mu times the push otherwise.",
     NULL, HOL__AT(contact_params, meeting.friction)},
    {"static_friction", HOL__KEY_NUMBER, "", "", HOL__NOT_NEGATIVE,
     "mu of what sticks; default: `friction`. Not less than that.", NULL,
     HOL__AT(contact_params, meeting.static_friction)},
    HOL__KEY_END,
};

/* How many corners can meet something; 0 after an error. */
static int count_corners(hol__build *build, const contact_params *p, const hol__touch_pair *pair) {
    const int n[2] = {pair->shape[0].core.n, pair->shape[1].core.n};
    if (pair->shape[0].core.disc > 0 || pair->shape[1].core.disc > 0)
        return hol__field_error(build, p, "shapes",
                                "a cylinder has no corners to hold on to; use a capsule or a hull, "
                                "or the force `contact`");
    if (pair->shape[0].half_space || pair->shape[1].half_space) return n[pair->shape[0].half_space];
    return n[0] == 1 || n[1] == 1 ? 1 : n[0] + n[1];
}

/* How many corners and pairs of edges can meet; 0 after an error. */
static int count_slots(hol__build *build, const contact_params *p, hol__rigid *r) {
    enum { MOST = 10000 };
    const hol__touch_shape *s = r->pair.shape;
    const int edges = build->model->dim == 3 && !s[0].half_space && !s[1].half_space &&
                      s[0].core.n > 1 && s[1].core.n > 1;
    r->corners = count_corners(build, p, &r->pair);
    if (!r->corners || !edges) return r->corners;
    const int n = r->corners + hol__rigid_edge_slots(&r->pair);
    if (n <= MOST) return n;
    return hol__field_error(build, p, "shapes",
                            "have %d corners and pairs of edges that may meet, and at most %d are "
                            "taken; use hulls with fewer corners",
                            n, (int)MOST);
}

static void rigid_contact(hol__build *build, hol__element *joint, const void *params) {
    const contact_params *p = params;
    hol__rigid r = {.restitution = p->meeting.restitution, .friction = p->meeting.friction};
    double at[2][3];
    int sound = p->shapes.n == 2 && check_meeting(build, p, &p->meeting);
    for (int k = 0; k < p->shapes.n && k < 2; k++)
        sound &=
            hol__contact_shape(build, p->shapes.items[k], p->bodies[k], &r.pair.shape[k], at[k]);
    if (!sound || !hol__contact_fits(build, p, &r.pair)) return;
    r.slots = count_slots(build, p, &r);
    if (!r.slots) return;
    memcpy(joint->body, p->bodies, sizeof joint->body);
    for (int k = 0; k < 2; k++)
        hol__marker_set(build->model, joint->body[k], at[k], NULL, &joint->marker[k]);
    r.pair.plane = build->model->dim == 2;
    hol__touch_bound(&r.pair);
    hol__touch_draw(build, joint, &r.pair);
    r.grip = hol__is_given(p, "static_friction") ? p->meeting.static_friction : r.friction;
    if (r.grip < r.friction) {
        hol__field_error(
            build, p, "static_friction",
            "is %g, less than `friction`, %g: what slides cannot hold better than what "
            "sticks",
            r.grip, r.friction);
        return;
    }
    r.across = !(r.grip > 0) ? 0 : r.pair.plane ? 1 : 2;
    hol__rigid_add(build, joint, &r);
}

const hol__element_type hol__joint_rigid_contact = {
    .section = "joints",
    .name = "rigid_contact",
    .title = "Rigid contact of two shapes, with impact and Coulomb friction: they push and do not "
             "pull, and never overlap.",
    .equations = "g >= 0, N >= 0, g N = 0; |F_t| <= mu N, against the sliding where it slides; "
                 "impact: g'+ = -e g'-",
    .example = "  floor: {type: rigid_contact, bodies: [ground, rod], shapes: [{type: plane, at: "
               "[0, -0.6], normal: [0, 1]},\n    {type: capsule, at: [0, 0], to: [1, 0], radius: "
               "0.02}], restitution: 0.5, friction: 0.3}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = contact_keys,
    .size = sizeof(contact_params),
    .compile_element = rigid_contact,
};

/* ---- coordinates ---- */

/* A joint over a coordinate between low and high; either may be infinite. */
static void add_coordinate(hol__build *build, hol__element *joint, const hol__coordinate *x,
                           double low, double high, double restitution) {
    hol__rigid r = {.has_coordinate = 1,
                    .corners = 2,
                    .x = *x,
                    .low = low,
                    .high = high,
                    .slots = isfinite(low) + isfinite(high),
                    .restitution = restitution};
    hol__coordinate_lend(x, joint);
    memcpy(joint->body, x->body, sizeof joint->body);
    r.x.slot[0] = 0, r.x.slot[1] = 1;
    r.pair.plane = build->model->dim == 2;
    hol__rigid_add(build, joint, &r);
}

typedef struct rope_params {
    hol__params head;
    int bodies[2];
    double from[3], to[3], length;
    meeting_fields meeting;
} rope_params;

static const hol__key rope_keys[] = {
    HOL__KEY_PAIR(rope_params, bodies),
    {"from", HOL__KEY_POINT, "m", NULL, 0, "Its end on the first body, at the drawn position.",
     NULL, HOL__AT(rope_params, from)},
    {"to", HOL__KEY_POINT, "m", NULL, 0, "Its end on the second body, at the drawn position.", NULL,
     HOL__AT(rope_params, to)},
    {"length", HOL__KEY_NUMBER, "m", "", HOL__POSITIVE,
     "Its length; default: as drawn, so that it is taut there.", NULL,
     HOL__AT(rope_params, length)},
    KEY_RESTITUTION(rope_params),
    HOL__KEY_END,
};

static void rope(hol__build *build, hol__element *joint, const void *params) {
    const rope_params *p = params;
    hol__coordinate x = {0};
    double d[3];
    if (!check_meeting(build, p, &p->meeting)) return;
    hol__sub3(p->to, p->from, d);
    const double drawn = hol__norm3(d), L = hol__is_given(p, "length") ? p->length : drawn;
    if (!(drawn > 0)) {
        hol__field_error(build, p, "to",
                         "both ends of the rope are at the same place; draw them apart");
        return;
    }
    hol__coordinate_of_distance(build, p->bodies, p->from, p->to, &x);
    add_coordinate(build, joint, &x, -INFINITY, L, p->meeting.restitution);
}

const hol__element_type hol__joint_rope = {
    .section = "joints",
    .name = "rope",
    .title = "Two points are at most a length apart: a rope without mass that does not stretch.",
    .equations =
        "|P2 - P1| <= L, S >= 0, S (L - |P2 - P1|) = 0; when it becomes taut: l'+ = -e l'-",
    .example = "  sling: {type: rope, bodies: [ground, rod], from: [1.5, 1], to: [1, 0], length: "
               "1.3}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = rope_keys,
    .size = sizeof(rope_params),
    .compile_element = rope,
};

typedef struct stop_params {
    hol__params head;
    hol__coordinate_fields x;
    double lower, upper;
    meeting_fields meeting;
} stop_params;

static const hol__key stop_keys[] = {
    HOL__KEY_COORDINATE(stop_params),
    {"lower", HOL__KEY_NUMBER, NULL, "", 0, "The smallest value of the coordinate; default: none.",
     NULL, HOL__AT(stop_params, lower)},
    {"upper", HOL__KEY_NUMBER, NULL, "", 0, "The largest value of the coordinate; default: none.",
     NULL, HOL__AT(stop_params, upper)},
    KEY_RESTITUTION(stop_params),
    HOL__KEY_END,
};

static void stop(hol__build *build, hol__element *joint, const void *params) {
    const stop_params *p = params;
    hol__coordinate x = {0};
    const char *unit = NULL;
    const int errors = build->errors, low = hol__is_given(p, "lower"),
              high = hol__is_given(p, "upper");
    if (!hol__coordinate_set(build, p, &p->x, &x, &unit)) return;
    hol__field_end(build, p, "lower", unit);
    hol__field_end(build, p, "upper", unit);
    if (!low && !high) hol__field_error(build, p, NULL, "give `lower`, `upper` or both");
    if (low && high && !(p->lower < p->upper))
        hol__field_error(build, p, "upper", "`lower` is %g and must lie below `upper`, %g",
                         p->lower, p->upper);
    check_meeting(build, p, &p->meeting);
    if (build->errors > errors) return;
    add_coordinate(build, joint, &x, low ? p->lower : -INFINITY, high ? p->upper : INFINITY,
                   p->meeting.restitution);
}

const hol__element_type hol__joint_rigid_stop = {
    .section = "joints",
    .name = "rigid_stop",
    .title = "A coordinate stays between two rigid ends: the angle or displacement of a joint, a "
             "component, a distance.",
    .equations = "lower <= x <= upper; each end pushes and does not pull; impact: x'+ = -e x'-",
    .example = "  end: {type: rigid_stop, body: rod, at: [1, 0], component: y, lower: -0.6, "
               "restitution: 0.2}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = stop_keys,
    .size = sizeof(stop_params),
    .late = 1,
    .compile_element = stop,
};

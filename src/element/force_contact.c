/* force_contact.c: contact of two shapes; and under names of their own, of a point or a sphere with
 * a plane and of two spheres (in the plane: a line, and discs). The force is in contact.c. */
#include "element/contact.h"
#include "element/forces.h"

#include <string.h>

/* ---- plane ---- */

typedef struct plane_params {
    hol__params head;
    int bodies[2];
    double plane[3], normal[3], point[3];
    double radius;
    hol__contact_fields contact;
} plane_params;

static const hol__key plane_keys[] = {
    {"bodies", HOL__KEY_BODIES, NULL, NULL, 0,
     "The body with the plane, and the body with the point or sphere; `ground` is allowed.", NULL,
     HOL__AT(plane_params, bodies)},
    {"plane", HOL__KEY_POINT, "m", NULL, 0, "A point of the plane, at the drawn position.", NULL,
     HOL__AT(plane_params, plane)},
    {"normal", HOL__KEY_DIRECTION, NULL, NULL, 0,
     "The direction out of the plane, to the side where the second body is.", NULL,
     HOL__AT(plane_params, normal)},
    {"point", HOL__KEY_POINT, "m", NULL, 0,
     "The point, or the centre of the sphere, at the drawn position.", NULL,
     HOL__AT(plane_params, point)},
    {"radius", HOL__KEY_NUMBER, "m", "0", HOL__NOT_NEGATIVE,
     "The radius of the sphere; 0 for a point.", NULL, HOL__AT(plane_params, radius)},
    HOL__KEYS_CONTACT(plane_params),
    HOL__KEY_END,
};

/* A core of one point, in the arena. */
static void set_point(hol__build *build, int body, const double at[3], double radius,
                      hol__convex *core) {
    double(*x)[3] = hol__arena_alloc(build->arena, 2, sizeof *x);
    static const double none[1][3] = {{0, 0, 0}};
    hol__marker marker;
    hol__marker_set(build->model, body, at, NULL, &marker);
    if (x) memcpy(x[0], marker.s, sizeof *x);
    *core = (hol__convex){.n = 1, .x = x ? (const double(*)[3])x : none, .radius = radius};
}

static void compile_plane(hol__build *build, hol__element *force, const void *params) {
    const plane_params *p = params;
    hol__touch_pair pair = {.shape = {{.half_space = 1}}};
    double at[2][3], (*n)[3] = hol__arena_alloc(build->arena, 1, sizeof *n);
    memcpy(at[0], p->plane, sizeof at[0]);
    memcpy(at[1], p->point, sizeof at[1]);
    set_point(build, p->bodies[0], p->plane, 0, &pair.shape[0].core);
    set_point(build, p->bodies[1], p->point, p->radius, &pair.shape[1].core);
    if (!n) return;
    hol__drawn_direction(build->model, p->bodies[0], p->normal, n[0]);
    pair.shape[0].core.normals = (const double(*)[3])n;
    hol__add_contact(build, force, p, p->bodies, (const double(*)[3])at, &pair, &p->contact,
                     p->radius);
}

const hol__element_type hol__force_contact_plane = {
    .section = "forces",
    .name = "contact_plane",
    .title = "Contact of a point or a sphere with a plane, with dissipation and friction.",
    .equations =
        "N = k p^n (1 + gain p'/v0) for p > 0; friction mu N tanh(v/slip); V = k p^(n+1)/(n+1)",
    .example = "  floor: {type: contact_plane, bodies: [ground, rod], plane: [0, -0.02], normal: "
               "[0, 1],\n    point: [1, 0], radius: 0.01, stiffness: 1e6, restitution: 0.7, "
               "friction: 0.3, slip_speed: 0.02}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = plane_keys,
    .size = sizeof(plane_params),
    .quantities = hol__contact_quantities,
    .compile_element = compile_plane,
};

/* ---- spheres ---- */

typedef struct spheres_params {
    hol__params head;
    int bodies[2];
    double from[3], to[3];
    double radius_from, radius_to;
    hol__contact_fields contact;
} spheres_params;

static const hol__key spheres_keys[] = {
    {"bodies", HOL__KEY_BODIES, NULL, NULL, 0,
     "The first and the second body; `ground` is allowed.", NULL, HOL__AT(spheres_params, bodies)},
    {"from", HOL__KEY_POINT, "m", NULL, 0,
     "The centre of the sphere on the first body, at the drawn position.", NULL,
     HOL__AT(spheres_params, from)},
    {"to", HOL__KEY_POINT, "m", NULL, 0,
     "The centre of the sphere on the second body, at the drawn position.", NULL,
     HOL__AT(spheres_params, to)},
    {"radius_from", HOL__KEY_NUMBER, "m", NULL, HOL__POSITIVE, "The radius of the first sphere.",
     NULL, HOL__AT(spheres_params, radius_from)},
    {"radius_to", HOL__KEY_NUMBER, "m", NULL, HOL__POSITIVE, "The radius of the second sphere.",
     NULL, HOL__AT(spheres_params, radius_to)},
    HOL__KEYS_CONTACT(spheres_params),
    HOL__KEY_END,
};

static void compile_spheres(hol__build *build, hol__element *force, const void *params) {
    const spheres_params *p = params;
    const double r1 = p->radius_from, r2 = p->radius_to;
    hol__touch_pair pair = {0};
    double at[2][3];
    memcpy(at[0], p->from, sizeof at[0]);
    memcpy(at[1], p->to, sizeof at[1]);
    set_point(build, p->bodies[0], p->from, r1, &pair.shape[0].core);
    set_point(build, p->bodies[1], p->to, r2, &pair.shape[1].core);
    hol__add_contact(build, force, p, p->bodies, (const double(*)[3])at, &pair, &p->contact,
                     r1 * r2 / (r1 + r2));
}

const hol__element_type hol__force_contact_spheres = {
    .section = "forces",
    .name = "contact_spheres",
    .title = "Contact of two spheres (in the plane: discs), with dissipation and friction.",
    .equations =
        "N = k p^n (1 + gain p'/v0) for p > 0; friction mu N tanh(v/slip); V = k p^(n+1)/(n+1)",
    .example = "  ball: {type: contact_spheres, bodies: [ground, rod], from: [1, -0.16], to: [1, "
               "0],\n    radius_from: 0.1, radius_to: 0.05, modulus: 4e8, dissipation: flores, "
               "restitution: 0.8}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = spheres_keys,
    .size = sizeof(spheres_params),
    .quantities = hol__contact_quantities,
    .compile_element = compile_spheres,
};

/* ---- any two shapes ---- */

typedef struct contact_params {
    hol__params head;
    int bodies[2];
    hol__param_list shapes;
    hol__contact_fields contact;
} contact_params;

static const hol__key contact_keys[] = {
    {"bodies", HOL__KEY_BODIES, NULL, NULL, 0,
     "The first and the second body; `ground` is allowed.", NULL, HOL__AT(contact_params, bodies)},
    {"shapes", HOL__KEY_SOLIDS, NULL, NULL, 0,
     "The shape on the first body and that on the second; at most one is a plane.", NULL,
     HOL__LIST_AT(contact_params, shapes, &hol__contact_shapes)},
    HOL__KEYS_CONTACT(contact_params),
    HOL__KEY_END,
};

static void compile_contact(hol__build *build, hol__element *force, const void *params) {
    const contact_params *p = params;
    hol__touch_pair pair = {0};
    double at[2][3];
    int sound = p->shapes.n == 2;
    for (int k = 0; k < p->shapes.n && k < 2; k++)
        sound &= hol__contact_shape(build, p->shapes.items[k], p->bodies[k], &pair.shape[k], at[k]);
    if (!sound || !hol__contact_fits(build, p, &pair)) return;
    const double R = hol__contact_radius(&pair);
    if (hol__is_given(p, "modulus") && !(R > 0))
        hol__field_error(
            build, p, "modulus",
            "the law of Hertz is that of two spheres or of a sphere on a plane; give a "
            "`stiffness` for other shapes");
    else
        hol__add_contact(build, force, p, p->bodies, (const double(*)[3])at, &pair, &p->contact, R);
}

const hol__element_type hol__force_contact = {
    .section = "forces",
    .name = "contact",
    .title =
        "Contact of two shapes: plane, sphere, capsule, cylinder, box, hull; with dissipation and "
        "friction.",
    .equations = "at every corner of the region of contact N = k p^n (1 + gain p'/v0) for p > 0; "
                 "friction mu N tanh(v/slip); V = k p^(n+1)/(n+1)",
    .example = "  block: {type: contact, bodies: [ground, rod], shapes: [{type: plane, at: [0, "
               "-0.03], normal: [0, 1]},\n    {type: box, at: [0.5, 0], size: [1, 0.04]}], "
               "stiffness: 1e6, exponent: 1, friction: 0.3, slip_speed: 0.02}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = contact_keys,
    .size = sizeof(contact_params),
    .quantities = hol__contact_quantities,
    .compile_element = compile_contact,
};

/* force_contact.c: contact of a point or a sphere with a plane, and of two spheres (in the plane: a
 * line, and discs).
 *
 *     plane     n fixed in body 1, d = n . (C - P0),  p = radius - d
 *               C: centre of the sphere on body 2
 *     spheres   n = (C2 - C1)/l,  p = r1 + r2 - l
 *               effective radius R = r1 r2/(r1 + r2)
 *     N n on body 2 at the place of contact, -N n on body 1; N(p, p') in impact.c, p' = -n . u
 *     friction  -mu N tanh(|u_t|/slip) u_t/|u_t|,
 *               u: velocity of body 2 against body 1 at the place of contact, u_t across n
 *
 * The elastic part of N has a potential; its dissipation and friction count as power.
 */
#include "element/dual_forces.h"
#include "element/forces.h"
#include "element/impact.h"

#include <math.h>
#include <string.h>

typedef struct contact {
    int element;
    int body[2];
    double s1[3], s2[3]; /* P0 or C1 on body 1, C or C2 on body 2 */
    double n1[3];        /* the normal in body 1 */
    double radius[2];    /* of the spheres; the plane uses the second */
    double mu, slip;
    hol__impact impact;
    int corner;
} contact;

/* Normal, penetration and place of contact. */
typedef void contact_geometry(const contact *rec, const hol__force_args *args, double n[3],
                              double *p, double P[3]);

static void at_plane(const contact *rec, const hol__force_args *args, double n[3], double *p,
                     double P[3]) {
    double P0[3], C[3], d[3];
    hol__turned(args, rec->body[0], rec->n1, n);
    hol__place_of(args, rec->body[0], rec->s1, P0);
    hol__place_of(args, rec->body[1], rec->s2, C);
    hol__sub3(C, P0, d);
    const double height = hol__dot3(n, d);
    for (int i = 0; i < 3; i++) P[i] = C[i] - height * n[i];
    *p = rec->radius[1] - height;
}

static void at_spheres(const contact *rec, const hol__force_args *args, double n[3], double *p,
                       double P[3]) {
    double C1[3], C2[3];
    hol__place_of(args, rec->body[0], rec->s1, C1);
    hol__place_of(args, rec->body[1], rec->s2, C2);
    hol__sub3(C2, C1, n);
    const double l = hol__norm3(n), inverse = l > 0 ? 1 / l : 0;
    for (int i = 0; i < 3; i++) n[i] *= inverse;
    *p = rec->radius[0] + rec->radius[1] - l;
    for (int i = 0; i < 3; i++) P[i] = C1[i] + (rec->radius[0] - 0.5 * *p) * n[i];
}

/* u, the velocity of body 2 against body 1 at P. */
static void slip_velocity(const contact *rec, const hol__force_args *args, const double *P,
                          double u[3]) {
    double V1[3], V2[3];
    hol__velocity_at(args, rec->body[0], P, V1);
    hol__velocity_at(args, rec->body[1], P, V2);
    hol__sub3(V2, V1, u);
}

/* The quantities that do not depend on the contact being closed. */
static void tell(const contact *rec, const hol__force_args *args, const double *n, double p,
                 const double *P) {
    double u[3];
    slip_velocity(rec, args, P, u);
    const double across = hol__dot3(n, u);
    for (int i = 0; i < 3; i++) u[i] -= across * n[i];
    hol__tell(args, 0, p);
    hol__tell(args, 1, -across);
    hol__tell(args, 3, hol__norm3(u));
}

/* F += friction for the push N; adds its power. */
static void add_friction(const contact *rec, const double *n, const double *u, double N,
                         double F[3], hol__force_args *args) {
    const double across = hol__dot3(n, u);
    double t[3];
    for (int i = 0; i < 3; i++) t[i] = u[i] - across * n[i];
    const double v = hol__norm3(t), x = v / rec->slip;
    const double k = rec->mu * N * (x > 1e-8 ? tanh(x) / v : 1 / rec->slip);
    for (int i = 0; i < 3; i++) F[i] -= k * t[i];
    args->power -= k * v * v;
    hol__tell(args, 4, k * v);
}

/* A number with the sign of p that is as smooth as the motion: (R^2 - l^2)/(2 R) for spheres, R
 * the sum of the radii, which has no corner where they pass close by. */
static double smooth_depth(const contact *rec, double p) {
    const double R = rec->radius[0] + rec->radius[1];
    return rec->radius[0] > 0 ? p * (1 - 0.5 * p / R) : p;
}

static void fill(const contact *rec, int n, contact_geometry *geometry, hol__force_args *args) {
    for (int i = 0; i < n; i++, rec++) {
        double normal[3], P[3], u[3], F[3], p;
        geometry(rec, args, normal, &p, P);
        if (args->told) tell(rec, args, normal, p, P);
        *hol__recorded(args->scratch, rec->corner) = smooth_depth(rec, p);
        if (p <= 0) continue;
        slip_velocity(rec, args, P, u);
        const double N = hol__impact_push(&rec->impact, p, -hol__dot3(normal, u), args);
        for (int k = 0; k < 3; k++) F[k] = N * normal[k];
        if (rec->mu > 0) add_friction(rec, normal, u, N, F, args);
        hol__tell(args, 2, N);
        hol__push_body(args, rec->body[0], P, F, -1);
        hol__push_body(args, rec->body[1], P, F, 1);
    }
}

static void keep(const contact *rec, int n, contact_geometry *geometry, const hol__force_args *args,
                 double *memory) {
    for (int i = 0; i < n; i++, rec++) {
        double normal[3], P[3], u[3], p;
        geometry(rec, args, normal, &p, P);
        slip_velocity(rec, args, P, u);
        hol__impact_keep(&rec->impact, p, -hol__dot3(normal, u), memory);
    }
}

static void fill_plane(const void *records, int n, hol__force_args *args) {
    fill(records, n, at_plane, args);
}

static void keep_plane(const void *records, int n, const hol__force_args *args, double *memory) {
    keep(records, n, at_plane, args, memory);
}

static void fill_spheres(const void *records, int n, hol__force_args *args) {
    fill(records, n, at_spheres, args);
}

static void keep_spheres(const void *records, int n, const hol__force_args *args, double *memory) {
    keep(records, n, at_spheres, args, memory);
}

/* ---- the same in dual numbers ---- */

typedef void dual_geometry(const contact *rec, const hol__dual_args *args, hol__dual3 *n,
                           hol__dual *p, hol__dual3 *P);

static void dual_at_plane(const contact *rec, const hol__dual_args *args, hol__dual3 *n,
                          hol__dual *p, hol__dual3 *P) {
    const hol__dual3 C = hol__dual_place(&args->body[1], rec->s2);
    *n = hol__dual_turned(&args->body[0], rec->n1);
    const hol__dual3 d = hol__dual3_add(C, -1, hol__dual_place(&args->body[0], rec->s1));
    const hol__dual height = hol__dual3_dot(*n, d);
    *P = hol__dual3_add(C, -1, hol__dual3_scale(height, *n));
    *p = (hol__dual){rec->radius[1] - height.f, -height.d};
}

static void dual_at_spheres(const contact *rec, const hol__dual_args *args, hol__dual3 *n,
                            hol__dual *p, hol__dual3 *P) {
    const hol__dual3 C1 = hol__dual_place(&args->body[0], rec->s1);
    hol__dual l;
    *n = hol__dual3_unit(hol__dual3_add(hol__dual_place(&args->body[1], rec->s2), -1, C1), &l);
    *p = (hol__dual){rec->radius[0] + rec->radius[1] - l.f, -l.d};
    const hol__dual in = {rec->radius[0] - 0.5 * p->f, -0.5 * p->d};
    *P = hol__dual3_add(C1, 1, hol__dual3_scale(in, *n));
}

/* N n and friction at P on both bodies. */
static void dual(const contact *rec, hol__dual_args *args, dual_geometry *geometry) {
    hol__dual3 n, P;
    hol__dual p;
    geometry(rec, args, &n, &p, &P);
    if (p.f <= 0) return;
    const hol__dual3 u = hol__dual3_add(hol__dual_velocity(&args->body[1], P), -1,
                                        hol__dual_velocity(&args->body[0], P));
    const hol__dual across = hol__dual3_dot(n, u);
    const hol__dual N =
        hol__impact_dual(&rec->impact, p, (hol__dual){-across.f, -across.d}, args->args->memory);
    hol__dual3 F = hol__dual3_scale(N, n);
    if (rec->mu > 0) {
        const hol__dual3 t = hol__dual3_add(u, -1, hol__dual3_scale(across, n));
        const hol__dual k = hol__dual_mul((hol__dual){rec->mu * N.f, rec->mu * N.d},
                                          hol__dual_grip(hol__dual_norm(t), rec->slip));
        F = hol__dual3_add(F, -1, hol__dual3_scale(k, t));
    }
    hol__dual_push_body(&args->body[0], P, F, -1);
    hol__dual_push_body(&args->body[1], P, F, 1);
}

static void dual_plane(const void *record, hol__dual_args *args) {
    dual(record, args, dual_at_plane);
}

static void dual_spheres(const void *record, hol__dual_args *args) {
    dual(record, args, dual_at_spheres);
}

static void tangent_plane(const void *record, hol__force_args *args, hol__force_tangent *out) {
    hol__dual_tangent(record, args, dual_plane, out);
}

static void tangent_spheres(const void *record, hol__force_args *args, hol__force_tangent *out) {
    hol__dual_tangent(record, args, dual_spheres, out);
}

static const hol__force_type plane_type = {.name = "contact with a plane",
                                           .size = sizeof(contact),
                                           .fill = fill_plane,
                                           .keep = keep_plane,
                                           .tangent = tangent_plane};
static const hol__force_type spheres_type = {.name = "contact of spheres",
                                             .size = sizeof(contact),
                                             .fill = fill_spheres,
                                             .keep = keep_spheres,
                                             .tangent = tangent_spheres};

/* What both have in common: friction, places, the record. */
static void finish(hol__build *build, hol__element *force, const int bodies[2], const double P1[3],
                   const double P2[3], const hol__contact_fields *f, const hol__force_type *type,
                   contact *s) {
    s->mu = f->friction;
    s->slip = f->slip_speed;
    memcpy(force->body, bodies, sizeof force->body);
    hol__marker_set(build->model, force->body[0], P1, NULL, &force->marker[0]);
    hol__marker_set(build->model, force->body[1], P2, NULL, &force->marker[1]);
    memcpy(s->body, force->body, sizeof s->body);
    memcpy(s->s1, force->marker[0].s, sizeof s->s1);
    memcpy(s->s2, force->marker[1].s, sizeof s->s2);
    contact *rec = hol__add_force(build, force, type);
    s->corner = hol__add_corner(build, &hol__cells_of_sign, force->label);
    if (!rec) return;
    s->element = rec->element;
    *rec = *s;
}

static const hol__quantity quantities[] = {
    {"penetration", HOL__TELLS_NUMBER, "m", NULL, 0, "p; negative while it does not touch."},
    {"rate", HOL__TELLS_NUMBER, "m/s", NULL, 0, "p', the speed of approach."},
    {"normal", HOL__TELLS_NUMBER, "N", NULL, 1, "N, never negative."},
    {"slip", HOL__TELLS_NUMBER, "m/s", NULL, 0,
     "The speed at which the bodies slide at the place of contact, never negative."},
    {"friction", HOL__TELLS_NUMBER, "N", NULL, 1, "The size of the friction, across the normal."},
    HOL__QUANTITY_END,
};

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

static void compile_plane(hol__build *build, hol__element *force, const void *params) {
    const plane_params *p = params;
    contact s = {.radius = {0, p->radius}};
    if (!hol__impact_of_contact(build, p, &p->contact, p->radius, &s.impact)) return;
    const int body = p->bodies[0];
    if (body == build->model->nb)
        memcpy(s.n1, p->normal, sizeof s.n1);
    else {
        hol__marker unturned;
        hol__marker_set(build->model, body, p->plane, NULL, &unturned);
        hol__mul3(unturned.F, p->normal, s.n1);
    }
    finish(build, force, p->bodies, p->plane, p->point, &p->contact, &plane_type, &s);
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
    .quantities = quantities,
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
    const double r1 = p->radius_from, r2 = p->radius_to, R = r1 * r2 / (r1 + r2);
    contact s = {.radius = {r1, r2}};
    if (hol__impact_of_contact(build, p, &p->contact, R, &s.impact))
        finish(build, force, p->bodies, p->from, p->to, &p->contact, &spheres_type, &s);
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
    .quantities = quantities,
    .compile_element = compile_spheres,
};

/* rolling.c: disks, spheres, wheels and blades on a plane that is fixed in the first body.
 *
 * The plane has the normal n through O. The second body touches it at X: with C a point and a an axis of that body, r the radius,
 *
 *     disk, wheel   X = C - r u,  u = (n - (n . a) a) / |…|     sphere   X = C - r n          blade   X = C
 *
 * V_i(X) is the velocity of the point of body i that is at X.
 *
 *     contact (holonomic)     Phi = n . (X - O) = 0             Phi' = n . (V2(X) - V1(X))
 *     rolling (nonholonomic)  t_k . (V2(X) - V1(X)) = 0         t_1, t_2 directions of the plane
 *     no spin                 n . (omega2 - omega1) = 0
 *     wheel                   l . (V2(X) - V1(X)) = 0           l = (a - (n . a) n) / |…|, across the wheel
 *     blade                   l . (V2(X) - V1(X)) = 0           l = n x e / |n x e|, e the direction of the blade
 *
 * The rate of the contact condition is that of the material points because the rim is perpendicular to u: moving the point of contact
 * along the rim does not change the height. X and all directions are taken with their rates (math/dual3.h), so A' is exact.
 *
 * In the plane a disk rolls on a line, which is holonomic: with x along t and the angle theta,
 *     n . (C - O) = r,   x + r theta = 0,   t = n turned by -90 deg.
 */
#include "element/coupler.h"
#include "element/joints.h"
#include "element/rolling.h"
#include "math/quat.h"

#include <string.h>

typedef struct rolling {
    hol__con con;
    hol__rolling at;
} rolling;

/* ---- rows ---- */

/* The geometry of a contact. */
typedef struct touch {
    hol__dual3 n, a, X;
} touch;

static void find_touch(const rolling *rec, const hol__mover *movers, touch *at) {
    at->n = hol__mover_direction(&movers[0], rec->at.n);
    at->a = hol__mover_direction(&movers[1], rec->at.a);
    at->X = hol__mover_point(&movers[1], rec->at.c);
    hol__dual3 u = at->n;
    if (rec->at.shape == HOL__ROLLING_DISK || rec->at.shape == HOL__ROLLING_WHEEL) {
        const hol__dual cosine = hol__dual3_dot(at->n, at->a);
        const hol__dual minus = {-cosine.f, -cosine.d};
        u = hol__dual3_unit(hol__dual3_add(at->n, 1, hol__dual3_scale(minus, at->a)), NULL);
    }
    at->X = hol__dual3_add(at->X, -rec->at.radius, u);
}

/* e . (V2(X) - V1(X)) */
static void slip_row(const hol__mover *movers, hol__dual3 e, hol__dual3 X, hol__row *row) {
    memset(row, 0, sizeof *row);
    hol__row_at(&movers[0], -1, e, X, &row->lin[0], &row->turn[0]);
    hol__row_at(&movers[1], 1, e, X, &row->lin[1], &row->turn[1]);
}

static void fill_contact(const void *records, int n, const hol__con_args *args) {
    const rolling *rec = records;
    for (int i = 0; i < n; i++, rec++) {
        hol__mover movers[HOL__MAX_BODIES];
        touch at;
        hol__row row;
        hol__movers(&rec->con, args, movers);
        find_touch(rec, movers, &at);
        const hol__dual3 O = hol__mover_point(&movers[0], rec->at.o);
        slip_row(movers, at.n, at.X, &row);
        row.Phi = hol__dot3(at.n.f, at.X.f) - hol__dot3(at.n.f, O.f);
        hol__row_put(&rec->con, 0, movers, &row, args);
    }
}

/* The direction across a wheel or a blade. */
static hol__dual3 across(const rolling *rec, const touch *at) {
    if (rec->at.shape == HOL__ROLLING_BLADE)
        return hol__dual3_unit(hol__dual3_cross(at->n, at->a), NULL);
    const hol__dual cosine = hol__dual3_dot(at->n, at->a), minus = {-cosine.f, -cosine.d};
    return hol__dual3_unit(hol__dual3_add(at->a, 1, hol__dual3_scale(minus, at->n)), NULL);
}

static void fill_rolling(const void *records, int n, const hol__con_args *args) {
    const rolling *rec = records;
    for (int i = 0; i < n; i++, rec++) {
        hol__mover movers[HOL__MAX_BODIES];
        touch at;
        hol__row row;
        hol__movers(&rec->con, args, movers);
        find_touch(rec, movers, &at);
        if (rec->at.shape == HOL__ROLLING_WHEEL || rec->at.shape == HOL__ROLLING_BLADE) {
            slip_row(movers, across(rec, &at), at.X, &row);
            hol__row_put(&rec->con, 0, movers, &row, args);
            continue;
        }
        for (int k = 0; k < 2; k++) {
            slip_row(movers, hol__mover_direction(&movers[0], rec->at.t[k]), at.X, &row);
            hol__row_put(&rec->con, k, movers, &row, args);
        }
        if (rec->con.n_rows < 3) continue;
        memset(&row, 0, sizeof row);
        row.turn[0] = hol__dual3_add(row.turn[0], -1, at.n);
        row.turn[1] = at.n;
        hol__row_put(&rec->con, 2, movers, &row, args);
    }
}

static unsigned live(const void *record, int k, int slot) {
    const rolling *rec = record;
    (void)slot;
    return k == 2 && rec->at.shape == HOL__ROLLING_SPHERE ? 56 : 63;
}

static const char *contact_label(const void *record, int k) {
    (void)record, (void)k;
    return "contact";
}

static const char *rolling_label(const void *record, int k) {
    static const char *const names[] = {"rolling along x", "rolling along y", "spin"};
    const rolling *rec = record;
    return rec->at.shape == HOL__ROLLING_WHEEL || rec->at.shape == HOL__ROLLING_BLADE
               ? "no side slip"
               : names[k];
}

static const hol__con_type contact_type = {
    .name = "contact with a plane",
    .size = sizeof(rolling),
    .holonomic = 1,
    .live = live,
    .label = contact_label,
    .fill = fill_contact,
};
static const hol__con_type rolling_type = {
    .name = "rolling on a plane",
    .size = sizeof(rolling),
    .holonomic = 0,
    .live = live,
    .label = rolling_label,
    .fill = fill_rolling,
};

/* ---- reading ---- */

#define KEY_GROUND                                                                                 \
    {"bodies", HOL__KEY_BODIES,                                                                    \
     NULL,     NULL,                                                                               \
     0,        "The body with the plane (usually ground), and the body that rolls on it.",         \
     NULL},                                                                                        \
        {"plane",                                                                                  \
         HOL__KEY_POINT,                                                                           \
         "m",                                                                                      \
         "",                                                                                       \
         0,                                                                                        \
         "A point of the plane (in planar models: of the line) at the drawn position; the origin " \
         "when left out.",                                                                         \
         NULL},                                                                                    \
    {                                                                                              \
        "normal", HOL__KEY_DIRECTION, NULL, "", 0,                                                 \
            "The normal of the plane, towards the rolling body; [0, 0, 1], in planar models [0, "  \
            "1], when left out.",                                                                  \
            NULL                                                                                   \
    }
#define KEY_CENTER                                                                                 \
    {                                                                                              \
        "center", HOL__KEY_POINT, "m", "", 0,                                                      \
            "The centre of the rim at the drawn position; the mass centre when left out.", NULL    \
    }
#define KEY_RADIUS                                                                                 \
    { "radius", HOL__KEY_NUMBER, "m", NULL, HOL__POSITIVE, "The radius.", NULL }
#define KEY_CONTACT                                                                                \
    {                                                                                              \
        "contact", HOL__KEY_BOOL, NULL, "true", HOL__IN_SPACE,                                     \
            "Whether it is held in contact with the plane; false where other joints do so.", NULL  \
    }
#define KEY_SLIP                                                                                   \
    {                                                                                              \
        "slip", HOL__KEY_BOOL, NULL, "false", 0,                                                   \
            "true: it touches the plane and slips on it, without rolling; the force "              \
            "rolling_resistance "                                                                  \
            "brakes it.",                                                                          \
            NULL                                                                                   \
    }

/* Put a drawn direction into the components of a body. */
static void into_body(const hol_model *model, int body, const double *drawn, double *e) {
    double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (body < model->nb) hol__quat_matrix(model->bodies[body].p, R);
    hol__mul3_t(R, drawn, e);
}

/* What all of them have: bodies, plane, the point and the drawn direction on the second body; 0 after an error. */
static int read_rolling(hol__build *build, hol__element *joint, hol__node *item,
                        const hol__key *keys, const char *point_key, const char *axis_key,
                        hol__rolling *r) {
    const hol_model *model = build->model;
    const int errors = build->errors, space = model->dim == 3;
    double plane[3], normal[3] = {0, space ? 0.0 : 1.0, space ? 1.0 : 0.0}, point[3],
                     axis[3] = {1, 0, 0}, p[4], R[9];
    hol__read_bodies(build, item, keys, "bodies", joint->body);
    hol__read_point(build, item, keys, "plane", plane);
    hol__read_direction(build, item, keys, "normal", normal);
    if (!hol__read_point(build, item, keys, point_key, point) && joint->body[1] < model->nb)
        memcpy(point, model->bodies[joint->body[1]].r, sizeof point);
    if (axis_key) hol__read_direction(build, item, keys, axis_key, axis);
    if (hol__key_find(keys, "radius")) r->radius = hol__read_number(build, item, keys, "radius");
    if (build->errors > errors) return 0;
    hol__frame_along(normal, NULL, p);
    hol__quat_matrix(p, R);
    hol__marker_set(model, joint->body[0], plane, p, &joint->marker[0]);
    hol__marker_set(model, joint->body[1], point, p, &joint->marker[1]);
    memcpy(r->o, joint->marker[0].s, sizeof r->o);
    memcpy(r->c, joint->marker[1].s, sizeof r->c);
    into_body(model, joint->body[0], normal, r->n);
    into_body(model, joint->body[1], axis, r->a);
    for (int k = 0; k < 2; k++) {
        const double t[3] = {R[k], R[3 + k], R[6 + k]};
        into_body(model, joint->body[0], t, r->t[k]);
    }
    const double cosine = fabs(hol__dot3(normal, axis));
    if (axis_key && space && (r->shape == HOL__ROLLING_BLADE ? cosine > 0.999 : cosine > 0.9999)) {
        hol__build_error(build, hol__node_get(item, axis_key),
                         r->shape == HOL__ROLLING_BLADE
                             ? "the blade is drawn upright on the plane"
                             : "the disk is drawn lying flat on the plane");
        return 0;
    }
    return 1;
}

static void add(hol__build *build, hol__element *joint, const hol__con_type *type, int n_rows,
                const hol__rolling *r) {
    rolling *rec = hol__add_con(build, joint, type, n_rows);
    if (!rec) return;
    rec->at = *r;
}

/* Leave the geometry for forces that act at the contact. */
static void lend_contact(hol__build *build, hol__element *joint, const hol__rolling *r, int slips) {
    hol__rolling *kept = HOL__NEW(build->arena, hol__rolling);
    if (!kept) return;
    *kept = *r;
    kept->slips = slips;
    joint->contact = kept;
}

/* ---- disk ---- */

static const hol__key disk_keys[] = {
    KEY_GROUND,
    KEY_CENTER,
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, HOL__IN_SPACE,
     "The axis of the disk at the drawn position.", NULL},
    KEY_RADIUS,
    KEY_CONTACT,
    KEY_SLIP,
    HOL__KEY_END,
};

/* A disk on a line: height and rolling are both given displacements. */
static void planar_disk(hol__build *build, hol__element *joint, const hol__rolling *r, int slip) {
    hol__coupler height = {.n = 1, .factor = {1}, .f = {r->radius, NULL}, .label = "contact"};
    hol__coordinate x, theta;
    const int turned = r->n[1] != 0 || r->n[0] != 0;
    if (!turned) return;
    hol__coordinate_between(build, joint, HOL__COORDINATE_SLIDE, &height.x[0]);
    memcpy(height.x[0].e[0], r->n, sizeof r->n);
    hol__add_coupler(build, joint, &height);
    if (slip) return;
    const double t[3] = {r->n[1], -r->n[0], 0};
    hol__coordinate_between(build, joint, HOL__COORDINATE_SLIDE, &x);
    memcpy(x.e[0], t, sizeof t);
    hol__coordinate_between(build, joint, HOL__COORDINATE_ANGLE, &theta);
    /* x is 0 as drawn, like the angle */
    const hol_model *model = build->model;
    double start = 0;
    for (int i = 0; i < 2; i++) {
        const int body = joint->body[i];
        double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, u[3], e[3];
        if (joint->body[0] < model->nb) hol__quat_matrix(model->bodies[joint->body[0]].p, R);
        hol__mul3(R, t, e);
        if (body < model->nb) hol__quat_matrix(model->bodies[body].p, R);
        hol__mul3(R, joint->marker[i].s, u);
        for (int k = 0; k < 3; k++) u[k] += body < model->nb ? model->bodies[body].r[k] : 0;
        start += (i ? 1 : -1) * hol__dot3(e, u);
    }
    hol__add_pair(build, joint, &x, 1, &theta, r->radius, start, "rolling");
}

static void rolling_disk(hol__build *build, hol__element *joint, hol__node *item) {
    hol__rolling r = {.shape = HOL__ROLLING_DISK};
    const int space = build->model->dim == 3;
    const int ok = read_rolling(build, joint, item, disk_keys, "center", space ? "axis" : NULL, &r);
    const int slip = hol__read_bool(build, item, disk_keys, "slip");
    const int contact = !space || hol__read_bool(build, item, disk_keys, "contact");
    if (slip && !contact)
        hol__build_error(build, item, "neither touches nor rolls; nothing is left");
    if (!ok || (slip && !contact)) return;
    lend_contact(build, joint, &r, slip);
    if (!space) {
        planar_disk(build, joint, &r, slip);
        return;
    }
    if (contact) add(build, joint, &contact_type, 1, &r);
    if (!slip) add(build, joint, &rolling_type, 2, &r);
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
    .compile_element = rolling_disk,
};

/* ---- sphere ---- */

static const hol__key sphere_keys[] = {
    KEY_GROUND,
    {"center", HOL__KEY_POINT, "m", "", 0,
     "The centre of the sphere at the drawn position; the mass centre when left out.", NULL},
    KEY_RADIUS,
    KEY_CONTACT,
    KEY_SLIP,
    {"spin", HOL__KEY_BOOL, NULL, "true", 0,
     "Whether it may spin about the normal; false for a rubber ball.", NULL},
    HOL__KEY_END,
};

static void rolling_sphere(hol__build *build, hol__element *joint, hol__node *item) {
    hol__rolling r = {.shape = HOL__ROLLING_SPHERE};
    const int ok = read_rolling(build, joint, item, sphere_keys, "center", NULL, &r);
    const int slip = hol__read_bool(build, item, sphere_keys, "slip"),
              spin = hol__read_bool(build, item, sphere_keys, "spin");
    const int contact = hol__read_bool(build, item, sphere_keys, "contact");
    if (slip && !contact)
        hol__build_error(build, item, "neither touches nor rolls; nothing is left");
    if (slip && !spin)
        hol__build_error(build, item, "a sphere that slips spins freely; leave out `spin: false`");
    if (!ok || (slip && (!contact || !spin))) return;
    lend_contact(build, joint, &r, slip);
    if (contact) add(build, joint, &contact_type, 1, &r);
    if (!slip) add(build, joint, &rolling_type, spin ? 2 : 3, &r);
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
    .compile_element = rolling_sphere,
};

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
    KEY_CONTACT,
    {"speed", HOL__KEY_TIME_LAW, "m/s", "", HOL__IN_PLANE,
     "The speed at which a driven wheel rolls forward (its axis turned by -90 deg); it rolls "
     "freely when left out.",
     NULL},
    HOL__KEY_END,
};

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

static void wheel(hol__build *build, hol__element *joint, hol__node *item) {
    hol__rolling r = {.shape = HOL__ROLLING_WHEEL};
    const int errors = build->errors, space = build->model->dim == 3;
    const int ok = read_rolling(build, joint, item, wheel_keys, "center", "axis", &r);
    const hol__law none = {0, NULL};
    if (space) {
        if (ok && hol__read_bool(build, item, wheel_keys, "contact"))
            add(build, joint, &contact_type, 1, &r);
        if (ok) add(build, joint, &rolling_type, 1, &r);
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
    KEY_CONTACT,
    HOL__KEY_END,
};

static void knife_edge(hol__build *build, hol__element *joint, hol__node *item) {
    hol__rolling r = {.shape = HOL__ROLLING_BLADE};
    const hol__law none = {0, NULL};
    if (!read_rolling(build, joint, item, blade_keys, "at", "axis", &r)) return;
    if (build->model->dim == 2) {
        add_planar_velocity(build, joint, &r, -r.a[1], r.a[0], none, "no side slip");
        return;
    }
    if (hol__read_bool(build, item, blade_keys, "contact")) add(build, joint, &contact_type, 1, &r);
    add(build, joint, &rolling_type, 1, &r);
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

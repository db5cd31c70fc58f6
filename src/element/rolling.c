/* rolling.c: contact with, and rolling on, a plane that is fixed in the first body.
 *
 * The plane has the normal n through O. The second body touches it at X: with C a point and a an
 * axis of that body, r the radius,
 *
 *     disk, wheel   X = C - r u,  u = (n - (n . a) a) / |…|
 *     sphere        X = C - r n
 *     blade         X = C
 *
 * V_i(X) is the velocity of the point of body i that is at X.
 *
 *     contact (holonomic)     Phi = n . (X - O) = 0             Phi' = n . (V2(X) - V1(X))
 *     rolling (nonholonomic)  t_k . (V2(X) - V1(X)) = 0         t_1, t_2 directions of the plane
 *     no spin                 n . (omega2 - omega1) = 0
 *     wheel                   l . (V2(X) - V1(X)) = 0
 *                             l = (a - (n . a) n) / |…|, across the wheel
 *     blade                   l . (V2(X) - V1(X)) = 0
 *                             l = n x e / |n x e|, e the direction of the blade
 *
 * The rate of the contact condition is that of the material points because the rim is perpendicular
 * to u: moving the point of contact along the rim does not change the height. X and all directions
 * are taken with their rates (math/dual3.h), so A' is exact.
 */
#include "element/rolling.h"
#include "element/rows.h"
#include "math/quat.h"

#include <math.h>
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

/* The bodies, and X and the directions with their rates. */
static void find_touch(const rolling *rec, const hol__con_args *args, hol__mover *movers,
                       touch *at) {
    hol__movers(&rec->con, args, movers);
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

/* The direction across a wheel or a blade. */
static hol__dual3 across(const rolling *rec, const touch *at) {
    if (rec->at.shape == HOL__ROLLING_BLADE)
        return hol__dual3_unit(hol__dual3_cross(at->n, at->a), NULL);
    const hol__dual cosine = hol__dual3_dot(at->n, at->a), minus = {-cosine.f, -cosine.d};
    return hol__dual3_unit(hol__dual3_add(at->a, 1, hol__dual3_scale(minus, at->n)), NULL);
}

/* The rows of one contact at the place where it touches. */
typedef void put_fn(const rolling *rec, const hol__mover *movers, const touch *at,
                    const hol__con_args *args);

/* The rows of all contacts. */
static inline void fill_each(const rolling *rec, int n, const hol__con_args *args, put_fn *put) {
    for (int i = 0; i < n; i++, rec++) {
        hol__mover movers[HOL__MAX_BODIES];
        touch at;
        find_touch(rec, args, movers, &at);
        put(rec, movers, &at, args);
    }
}

/* Phi = n . (X - O). */
static void put_contact(const rolling *rec, const hol__mover *movers, const touch *at,
                        const hol__con_args *args) {
    const hol__dual3 O = hol__mover_point(&movers[0], rec->at.o);
    hol__row row;
    slip_row(movers, at->n, at->X, &row);
    row.Phi = hol__dot3(at->n.f, at->X.f) - hol__dot3(at->n.f, O.f);
    hol__row_put(&rec->con, 0, movers, &row, args);
}

static void fill_contact(const void *records, int n, const hol__con_args *args) {
    fill_each(records, n, args, put_contact);
}

/* The conditions on velocities: across a wheel or a blade alone, else along both directions and,
 * with a third row, no spin. */
static void put_rolling(const rolling *rec, const hol__mover *movers, const touch *at,
                        const hol__con_args *args) {
    hol__row row;
    if (rec->at.shape == HOL__ROLLING_WHEEL || rec->at.shape == HOL__ROLLING_BLADE) {
        slip_row(movers, across(rec, at), at->X, &row);
        hol__row_put(&rec->con, 0, movers, &row, args);
        return;
    }
    for (int k = 0; k < 2; k++) {
        slip_row(movers, hol__mover_direction(&movers[0], rec->at.t[k]), at->X, &row);
        hol__row_put(&rec->con, k, movers, &row, args);
    }
    if (rec->con.n_rows < 3) return;
    memset(&row, 0, sizeof row);
    row.turn[0] = hol__dual3_add(row.turn[0], -1, at->n);
    row.turn[1] = at->n;
    hol__row_put(&rec->con, 2, movers, &row, args);
}

static void fill_rolling(const void *records, int n, const hol__con_args *args) {
    fill_each(records, n, args, put_rolling);
}

/* No spin touches the angular velocities alone. */
static unsigned live(const void *record, int k, int slot) {
    const rolling *rec = record;
    (void)slot;
    return k == 2 && rec->at.shape == HOL__ROLLING_SPHERE ? 56 : 63;
}

/* What the row of the contact holds. */
static const char *contact_label(const void *record, int k) {
    (void)record, (void)k;
    return "contact";
}

/* What a row on velocities holds. */
static const char *rolling_label(const void *record, int k) {
    static const char *const names[] = {"rolling along x", "rolling along y", "spin"};
    const rolling *rec = record;
    return rec->at.shape == HOL__ROLLING_WHEEL || rec->at.shape == HOL__ROLLING_BLADE
               ? "no side slip"
               : names[k];
}

static int contact_formula(const void *record, struct hol__symbolic *to) {
    const rolling *rec = record;
    return hol__rolling_contact_formula(&rec->con, &rec->at, to);
}

static int rolling_formula(const void *record, struct hol__symbolic *to) {
    const rolling *rec = record;
    return hol__rolling_formula(&rec->con, &rec->at, to);
}

static const hol__local_type at_rest = {
    .space = HOL__LOCAL_ROW, .x = "x': what rolls at the contact, row by row", .C = "1"};

static const hol__con_type contact_type = {
    .name = "contact with a plane",
    .size = sizeof(rolling),
    .holonomic = 1,
    .live = live,
    .label = contact_label,
    .fill = fill_contact,
    .formula = contact_formula,
};
static const hol__con_type rolling_type = {
    .name = "rolling on a plane",
    .size = sizeof(rolling),
    .holonomic = 0,
    .live = live,
    .label = rolling_label,
    .fill = fill_rolling,
    .local = &at_rest,
    .formula = rolling_formula,
};

/* ---- setting and adding ---- */

/* The markers of the joint and the geometry in its bodies, from what is drawn. */
static void set_geometry(const hol_model *model, hol__element *joint, const double plane[3],
                         const double normal[3], const double point[3], const double axis[3],
                         hol__rolling *r) {
    double p[4], R[9];
    hol__frame_along(normal, NULL, p);
    hol__quat_matrix(p, R);
    hol__marker_set(model, joint->body[0], plane, p, &joint->marker[0]);
    hol__marker_set(model, joint->body[1], point, p, &joint->marker[1]);
    memcpy(r->o, joint->marker[0].s, sizeof r->o);
    memcpy(r->c, joint->marker[1].s, sizeof r->c);
    hol__drawn_direction(model, joint->body[0], normal, r->n);
    hol__drawn_direction(model, joint->body[1], axis, r->a);
    for (int k = 0; k < 2; k++) {
        const double t[3] = {R[k], R[3 + k], R[6 + k]};
        hol__drawn_direction(model, joint->body[0], t, r->t[k]);
    }
}

int hol__rolling_set(hol__build *build, hol__element *joint, const hol__rolling_params *p,
                     const char *point, hol__rolling *r) {
    const hol_model *model = build->model;
    const int space = model->dim == 3, has_axis = hol__is_given(p, "axis");
    const double up[3] = {0, space ? 0.0 : 1.0, space ? 1.0 : 0.0}, ahead[3] = {1, 0, 0};
    const double *normal = hol__is_given(p, "normal") ? p->normal : up,
                 *axis = has_axis ? p->axis : ahead, *at = p->point;
    memcpy(joint->body, p->bodies, sizeof joint->body);
    if (!hol__is_given(p, point) && joint->body[1] < model->nb)
        at = model->bodies[joint->body[1]].r;
    r->radius = p->radius;
    set_geometry(model, joint, p->plane, normal, at, axis, r);
    const double cosine = fabs(hol__dot3(normal, axis));
    if (has_axis && space && (r->shape == HOL__ROLLING_BLADE ? cosine > 0.999 : cosine > 0.9999))
        return hol__field_error(build, p, "axis",
                                r->shape == HOL__ROLLING_BLADE
                                    ? "the blade is drawn upright on the plane"
                                    : "the disk is drawn lying flat on the plane");
    return 1;
}

/* A record of one of the two types. */
static void add(hol__build *build, hol__element *joint, const hol__con_type *type, int n_rows,
                const hol__rolling *r) {
    rolling *rec = hol__add_con(build, joint, type, n_rows);
    if (rec) rec->at = *r;
}

void hol__rolling_add(hol__build *build, hol__element *joint, const hol__rolling *r, int contact,
                      int n_rows) {
    if (contact) add(build, joint, &contact_type, 1, r);
    if (n_rows > 0) add(build, joint, &rolling_type, n_rows, r);
}

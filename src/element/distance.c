/* distance.c: two points of two bodies are a distance L(t) apart, in the plane and in space.
 *
 *     d = P2 - P1      Phi = (d . d - L^2) / (2 L0)
 *     L0 = L at the start, so that |grad Phi| = 1 on a constant rod
 *     A = [-d, -d . dP1/dw1 | d, d . dP2/dw2] / L0          with P' = v + (dP/dw) w
 *     b = L L' / L0,    c = (L'^2 + L L'') / L0 - A' v
 *
 * A' follows by d -> d' and by the rotation of the arms.
 */
#include "element/formula.h"
#include "element/kinematics.h"
#include "element/moving.h"
#include "element/primitives.h"

/* b, c from the law of L and from A' v. */
static void fill_bias(const hol__distance *rec, const hol__jet *L, double Adot_v,
                      const hol__con_args *args) {
    args->b[rec->con.row] = L->f * L->d1 / rec->L0;
    args->c[rec->con.row] = (L->d1 * L->d1 + L->f * L->d2) / rec->L0 - Adot_v;
}

/* Copy the row over both bodies to its place. */
static void put(const hol__con *con, double *values, double *trash, const double *row1,
                const double *row2, int width) {
    double *out1 = hol__con_block(con, 0, values, trash),
           *out2 = hol__con_block(con, 1, values, trash);
    for (int k = 0; k < width; k++) out1[k] = row1[k], out2[k] = row2[k];
}

static void fill2_one(const hol__distance *rec, const hol__con_args *args) {
    const hol__con *con = &rec->con;
    const hol__body2 *b1 = &args->bodies.b2[con->body[0]], *b2 = &args->bodies.b2[con->body[1]];
    const double k = 1 / rec->L0;
    double u1[2], u2[2], d[2], e[2];
    hol__arm2(b1, rec->s1, u1);
    hol__arm2(b2, rec->s2, u2);
    hol__gap2(b1, u1, b2, u2, d, e);
    const hol__jet L = hol__law_jet(&rec->L, args->inputs[0], args->scratch);
    if (args->want & HOL__WANT_POS) {
        const double row1[3] = {-k * d[0], -k * d[1], -k * (u1[0] * d[1] - u1[1] * d[0])};
        const double row2[3] = {k * d[0], k * d[1], k * (u2[0] * d[1] - u2[1] * d[0])};
        args->Phi[con->row] = 0.5 * k * (d[0] * d[0] + d[1] * d[1] - L.f * L.f);
        put(con, args->A, args->trash, row1, row2, 3);
    }
    if (!(args->want & (HOL__WANT_VEL | HOL__WANT_ADOT))) return;
    const double w1 = b1->w, w2 = b2->w;
    /* (u x d)' = u' x d + u x d',  u' x d = w (J u) x d = -w u . d */
    const double row1[3] = {-k * e[0], -k * e[1],
                            -k *
                                (u1[0] * e[1] - u1[1] * e[0] - w1 * (u1[0] * d[0] + u1[1] * d[1]))};
    const double row2[3] = {k * e[0], k * e[1],
                            k * (u2[0] * e[1] - u2[1] * e[0] - w2 * (u2[0] * d[0] + u2[1] * d[1]))};
    if (args->want & HOL__WANT_VEL)
        fill_bias(rec, &L,
                  row1[0] * b1->v[0] + row1[1] * b1->v[1] + row1[2] * w1 + row2[0] * b2->v[0] +
                      row2[1] * b2->v[1] + row2[2] * w2,
                  args);
    if (args->want & HOL__WANT_ADOT) put(con, args->Adot, args->trash, row1, row2, 3);
}

/* row = k [d, s x R^T d], and its rate [e, s x (R^T e - w x R^T d)] */
static void arm3(const hol__body3 *body, const double *s, double k, const double *d,
                 const double *e, double *row, double *rate) {
    double h[3], hdot[3], turn[3], moment[3];
    hol__mul3_t(body->R, d, h);
    hol__cross3(s, h, moment);
    for (int i = 0; i < 3; i++) row[i] = k * d[i], row[3 + i] = k * moment[i];
    hol__mul3_t(body->R, e, hdot);
    hol__cross3(body->w, h, turn);
    hol__sub3(hdot, turn, hdot);
    hol__cross3(s, hdot, moment);
    for (int i = 0; i < 3; i++) rate[i] = k * e[i], rate[3 + i] = k * moment[i];
}

static void fill3_one(const hol__distance *rec, const hol__con_args *args) {
    const hol__con *con = &rec->con;
    const hol__body3 *b1 = &args->bodies.b3[con->body[0]], *b2 = &args->bodies.b3[con->body[1]];
    double d[3], e[3], row1[6], row2[6], rate1[6], rate2[6];
    hol__gap3(b1, rec->s1, b2, rec->s2, d, e);
    arm3(b1, rec->s1, -1 / rec->L0, d, e, row1, rate1);
    arm3(b2, rec->s2, 1 / rec->L0, d, e, row2, rate2);
    const hol__jet L = hol__law_jet(&rec->L, args->inputs[0], args->scratch);
    if (args->want & HOL__WANT_POS) {
        args->Phi[con->row] = (hol__dot3(d, d) - L.f * L.f) / (2 * rec->L0);
        put(con, args->A, args->trash, row1, row2, 6);
    }
    if (args->want & HOL__WANT_VEL)
        fill_bias(rec, &L,
                  hol__dot3(rate1, b1->v) + hol__dot3(rate1 + 3, b1->w) + hol__dot3(rate2, b2->v) +
                      hol__dot3(rate2 + 3, b2->w),
                  args);
    if (args->want & HOL__WANT_ADOT) put(con, args->Adot, args->trash, rate1, rate2, 6);
}

static void fill2(const void *records, int n, const hol__con_args *args) {
    for (int i = 0; i < n; i++) fill2_one((const hol__distance *)records + i, args);
}

static void fill3(const void *records, int n, const hol__con_args *args) {
    for (int i = 0; i < n; i++) fill3_one((const hol__distance *)records + i, args);
}

/* c of d . d/(2 L0) */
static void bias(const void *record, const hol__pose_direction *at, double *rows) {
    const hol__distance *rec = record;
    const hol__moving d = hol__moving_gap(at, rec->s1, rec->s2);
    rows[0] = hol__moving_bias(&d, &d) / (2 * rec->L0);
}

/* The rotation columns are missing where the point is the mass centre. */
static unsigned live2(const void *record, int k, int slot) {
    const hol__distance *rec = record;
    const double *s = slot ? rec->s2 : rec->s1;
    (void)k;
    return s[0] != 0 || s[1] != 0 ? 7 : 3;
}

static unsigned live3(const void *record, int k, int slot) {
    const hol__distance *rec = record;
    const double *s = slot ? rec->s2 : rec->s1;
    (void)k;
    return s[0] != 0 || s[1] != 0 || s[2] != 0 ? 63 : 7;
}

static const char *label(const void *record, int k) {
    (void)record, (void)k;
    return "distance";
}

/* x . x / (2 L0): C = d / L0 */
static void local_rows2(const void *record, const hol__marker marker[2], const hol__con_args *args,
                        double *C) {
    const hol__distance *rec = record;
    const hol__body2 *b1 = &args->bodies.b2[rec->con.body[0]],
                     *b2 = &args->bodies.b2[rec->con.body[1]];
    double u1[2], u2[2], d[2], rate[2];
    (void)marker;
    hol__arm2(b1, rec->s1, u1);
    hol__arm2(b2, rec->s2, u2);
    hol__gap2(b1, u1, b2, u2, d, rate);
    for (int k = 0; k < 2; k++) C[k] = d[k] / rec->L0;
}

static void local_rows3(const void *record, const hol__marker marker[2], const hol__con_args *args,
                        double *C) {
    const hol__distance *rec = record;
    double d[3], rate[3];
    (void)marker;
    hol__gap3(&args->bodies.b3[rec->con.body[0]], rec->s1, &args->bodies.b3[rec->con.body[1]],
              rec->s2, d, rate);
    for (int k = 0; k < 3; k++) C[k] = d[k] / rec->L0;
}

#define LOCAL(function)                                                                            \
    &(const hol__local_type) {                                                                     \
        .space = HOL__LOCAL_GAP, .x = "P2 - P1", .C = "(P2 - P1)^T / L", .rows = function          \
    }

/* Phi = (d . d - L^2)/(2 L0) */
static int formula(const void *record, hol__symbolic *to) {
    const hol__distance *rec = record;
    hol__algebra *a = to->a;
    hol__sym s1[3], s2[3], d[3];
    hol__symbolic_vector(to, rec->s1, "a", s1);
    hol__symbolic_vector(to, rec->s2, "b", s2);
    hol__symbolic_gap(to, rec->con.body, s1, s2, d);
    const hol__sym L = hol__symbolic_drive(to, &rec->L, "L"),
                   L0 = hol__symbolic_number(to, &rec->L0, "L_0"),
                   square = hol__sym_shorten(a, hol__symbolic_dot(to, d, d));
    hol__symbolic_row(to, 0,
                      hol__sym_div(a, hol__sym_sub(a, square, hol__sym_square(a, L)),
                                   hol__sym_mul(a, a->two, L0)));
    return 1;
}

const hol__con_type hol__con_distance2 = {
    .name = "given distance",
    .size = sizeof(hol__distance),
    .holonomic = 1,
    .live = live2,
    .label = label,
    .fill = fill2,
    .tangent = bias,
    .local = LOCAL(local_rows2),
    .formula = formula,
};
const hol__con_type hol__con_distance3 = {
    .name = "given distance",
    .size = sizeof(hol__distance),
    .holonomic = 1,
    .live = live3,
    .label = label,
    .fill = fill3,
    .tangent = bias,
    .local = LOCAL(local_rows3),
    .formula = formula,
};

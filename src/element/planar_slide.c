/* planar_slide.c: the distance vector of two points has the component f(t) along a direction fixed
 * in body 1.
 *
 *     d = r2 + R2 s2 - r1 - R1 s1,   e = R1 e'      Phi = e . d - f(t)
 *     A = [-e, (J e) . d - e . J R1 s1 | e, e . J R2 s2]
 *     b = f',   c = f'' - A' v
 *     A' = [-w1 J e, (J e) . d' - w1 e . d | w1 J e, w1 (J e) . J R2 s2 - w2 e . R2 s2]
 *
 * (e . J R1 s1 does not change: both turn with body 1.)
 */
#include "element/formula.h"
#include "element/kinematics.h"
#include "element/moving.h"
#include "element/primitives.h"

static double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1];
}

/* One record. */
static void fill_one(const hol__slide2 *rec, const hol__con_args *args) {
    const hol__con *con = &rec->con;
    const hol__body2 *b1 = &args->bodies.b2[con->body[0]], *b2 = &args->bodies.b2[con->body[1]];
    double u1[2], u2[2], e[2], d[2], ddot[2];
    hol__arm2(b1, rec->s1, u1);
    hol__arm2(b2, rec->s2, u2);
    hol__arm2(b1, rec->e, e);
    hol__gap2(b1, u1, b2, u2, d, ddot);
    const double Je[2] = {-e[1], e[0]}, Ju1[2] = {-u1[1], u1[0]}, Ju2[2] = {-u2[1], u2[0]};
    const hol__jet f = hol__law_jet(&rec->f, args->inputs[0], args->scratch);
    if (args->want & HOL__WANT_POS) {
        double *A1 = hol__con_block(con, 0, args->A, args->trash),
               *A2 = hol__con_block(con, 1, args->A, args->trash);
        args->Phi[con->row] = dot(e, d) - f.f;
        A1[0] = -e[0], A1[1] = -e[1], A1[2] = dot(Je, d) - dot(e, Ju1);
        A2[0] = e[0], A2[1] = e[1], A2[2] = dot(e, Ju2);
    }
    if (!(args->want & (HOL__WANT_VEL | HOL__WANT_ADOT))) return;
    const double w1 = b1->w, w2 = b2->w;
    const double D1[3] = {-w1 * Je[0], -w1 * Je[1], dot(Je, ddot) - w1 * dot(e, d)};
    const double D2[3] = {w1 * Je[0], w1 * Je[1], w1 * dot(Je, Ju2) - w2 * dot(e, u2)};
    if (args->want & HOL__WANT_VEL) {
        args->b[con->row] = f.d1;
        args->c[con->row] = f.d2 - (D1[0] * b1->v[0] + D1[1] * b1->v[1] + D1[2] * w1 +
                                    D2[0] * b2->v[0] + D2[1] * b2->v[1] + D2[2] * w2);
    }
    if (args->want & HOL__WANT_ADOT) {
        double *out1 = hol__con_block(con, 0, args->Adot, args->trash);
        double *out2 = hol__con_block(con, 1, args->Adot, args->trash);
        for (int k = 0; k < 3; k++) out1[k] = D1[k], out2[k] = D2[k];
    }
}

static void fill(const void *records, int n, const hol__con_args *args) {
    const hol__slide2 *rec = records;
    for (int i = 0; i < n; i++) fill_one(rec + i, args);
}

/* c of e . d */
static void bias(const void *record, const hol__pose_direction *at, double *rows) {
    const hol__slide2 *rec = record;
    const hol__moving e = hol__moving_direction(at, 0, rec->e),
                      d = hol__moving_gap(at, rec->s1, rec->s2);
    rows[0] = hol__moving_bias(&e, &d);
}

static unsigned live(const void *record, int k, int slot) {
    (void)record, (void)k, (void)slot;
    return 7;
}

static const char *label(const void *record, int k) {
    (void)k;
    return ((const hol__slide2 *)record)->label;
}

/* e' . x */
static void local_rows(const void *record, const hol__marker marker[2], const hol__con_args *args,
                       double *C) {
    const hol__slide2 *rec = record;
    (void)marker, (void)args;
    C[0] = rec->e[0], C[1] = rec->e[1];
}

/* Phi = e . d - f(t) */
static int formula(const void *record, hol__symbolic *to) {
    const hol__slide2 *rec = record;
    return hol__symbolic_slide(to, rec->con.body, rec->s1, rec->s2, rec->e, &rec->f);
}

static const hol__local_type local = {
    .space = HOL__LOCAL_SEEN,
    .x = "R1^T (P2 - P1)",
    .C = "e_i^T",
    .rows = local_rows,
};

const hol__con_type hol__con_slide2 = {
    .name = "given displacement",
    .size = sizeof(hol__slide2),
    .holonomic = 1,
    HOL__CON_OWN,
    .tangent = bias,
    .local = &local,
    .formula = formula,
};

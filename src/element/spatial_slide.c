/* spatial_slide.c: the distance vector of two points has the component f(t) along a direction fixed
 * in body 1.
 *
 *     d = r2 + R2 s2 - r1 - R1 s1,  D = R1^T d,  e = R1 e',  g = R2^T e
 *     Phi = e . d - f(t) = e' . D - f
 *     D' = R1^T (v2 - v1) + R1^T R2 (w2 x s2) - w1 x (s1 + D)
 *     A  = [-e, e' x (s1 + D) | e, s2 x g]
 *     A' = [-e_dot, e' x D' | e_dot, s2 x g_dot]
 *         e_dot = R1 (w1 x e'),   g_dot = R2^T e_dot - w2 x g
 *     b = f',   c = f'' - A' v
 */
#include "element/formula.h"
#include "element/moving.h"
#include "element/primitives.h"
#include "math/vec3.h"

/* Copy [sign a, m] to a row. */
static void put(double *out, double sign, const double *a, const double *m) {
    for (int k = 0; k < 3; k++) out[k] = sign * a[k], out[3 + k] = m[k];
}

/* D' as above. */
static void relative_velocity(const hol__slide3 *rec, const hol__body3 *b1, const hol__body3 *b2,
                              const double *lever, double *Ddot) {
    double ws[3], u[3], dv[3], turn[3];
    hol__cross3(b2->w, rec->s2, ws);
    hol__mul3(b2->R, ws, u);
    for (int k = 0; k < 3; k++) dv[k] = b2->v[k] - b1->v[k] + u[k];
    hol__mul3_t(b1->R, dv, Ddot);
    hol__cross3(b1->w, lever, turn);
    hol__sub3(Ddot, turn, Ddot);
}

static void fill_one(const hol__slide3 *rec, const hol__con_args *args) {
    const hol__con *con = &rec->con;
    const hol__body3 *b1 = &args->bodies.b3[con->body[0]], *b2 = &args->bodies.b3[con->body[1]];
    double u1[3], u2[3], d[3], D[3], e[3], g[3], lever[3], m1[3], m2[3];
    hol__mul3(b1->R, rec->s1, u1);
    hol__mul3(b2->R, rec->s2, u2);
    for (int k = 0; k < 3; k++) d[k] = b2->r[k] + u2[k] - b1->r[k] - u1[k];
    hol__mul3_t(b1->R, d, D);
    hol__mul3(b1->R, rec->e, e);
    hol__mul3_t(b2->R, e, g);
    hol__add3(rec->s1, D, lever);
    const hol__jet f = hol__law_jet(&rec->f, args->inputs[0], args->scratch);
    if (args->want & HOL__WANT_POS) {
        args->Phi[con->row] = hol__dot3(rec->e, D) - f.f;
        hol__cross3(rec->e, lever, m1);
        hol__cross3(rec->s2, g, m2);
        put(hol__con_block(con, 0, args->A, args->trash), -1, e, m1);
        put(hol__con_block(con, 1, args->A, args->trash), 1, e, m2);
    }
    if (!(args->want & (HOL__WANT_VEL | HOL__WANT_ADOT))) return;
    double Ddot[3], we[3], edot[3], gdot[3], turn[3];
    relative_velocity(rec, b1, b2, lever, Ddot);
    hol__cross3(b1->w, rec->e, we);
    hol__mul3(b1->R, we, edot);
    hol__mul3_t(b2->R, edot, gdot);
    hol__cross3(b2->w, g, turn);
    hol__sub3(gdot, turn, gdot);
    hol__cross3(rec->e, Ddot, m1);
    hol__cross3(rec->s2, gdot, m2);
    if (args->want & HOL__WANT_VEL) {
        args->b[con->row] = f.d1;
        args->c[con->row] = f.d2 - (hol__dot3(edot, b2->v) - hol__dot3(edot, b1->v) +
                                    hol__dot3(m1, b1->w) + hol__dot3(m2, b2->w));
    }
    if (args->want & HOL__WANT_ADOT) {
        put(hol__con_block(con, 0, args->Adot, args->trash), -1, edot, m1);
        put(hol__con_block(con, 1, args->Adot, args->trash), 1, edot, m2);
    }
}

static void fill(const void *records, int n, const hol__con_args *args) {
    for (int i = 0; i < n; i++) fill_one((const hol__slide3 *)records + i, args);
}

/* c of e . d */
static void bias(const void *record, const hol__pose_direction *at, double *rows) {
    const hol__slide3 *rec = record;
    const hol__moving e = hol__moving_direction(at, 0, rec->e),
                      d = hol__moving_gap(at, rec->s1, rec->s2);
    rows[0] = hol__moving_bias(&e, &d);
}

static unsigned live(const void *record, int k, int slot) {
    (void)record, (void)k, (void)slot;
    return 63;
}

static const char *label(const void *record, int k) {
    (void)k;
    return ((const hol__slide3 *)record)->label;
}

/* e' . x */
static void local_rows(const void *record, const hol__marker marker[2], const hol__con_args *args,
                       double *C) {
    const hol__slide3 *rec = record;
    (void)marker, (void)args;
    for (int k = 0; k < 3; k++) C[k] = rec->e[k];
}

/* Phi = e . d - f(t) */
static int formula(const void *record, hol__symbolic *to) {
    const hol__slide3 *rec = record;
    return hol__symbolic_slide(to, rec->con.body, rec->s1, rec->s2, rec->e, &rec->f);
}

static const hol__local_type local = {
    .space = HOL__LOCAL_SEEN,
    .x = "R1^T (P2 - P1)",
    .C = "e_i^T",
    .rows = local_rows,
};

const hol__con_type hol__con_slide3 = {
    .name = "given displacement",
    .size = sizeof(hol__slide3),
    .holonomic = 1,
    HOL__CON_OWN,
    .tangent = bias,
    .local = &local,
    .formula = formula,
};

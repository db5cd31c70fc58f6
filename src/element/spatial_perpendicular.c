/* spatial_perpendicular.c: a direction of body 1 stays perpendicular to a direction of body 2.
 *
 *     a = R1 e1,  b = R2 e2,  alpha = R2^T a,  beta = R1^T b         Phi = a . b
 *     A  = [0, e1 x beta | 0, e2 x alpha]
 *     A' = [0, e1 x beta' | 0, e2 x alpha'],   beta' = R1^T R2 (w2 x e2) - w1 x beta,
 *     alpha' = R2^T R1 (w1 x e1) - w2 x alpha
 *     b = 0,   c = -A' v
 */
#include "element/formula.h"
#include "element/moving.h"
#include "element/primitives.h"
#include "math/vec3.h"

/* m = e x h', h' = Rto^T Rfrom (w_from x e_from) - w_to x h */
static void rate(const hol__body3 *to, const hol__body3 *from, const double *e_to,
                 const double *e_from, const double *h, double *m) {
    double turn[3], u[3], hdot[3], back[3];
    hol__cross3(from->w, e_from, turn);
    hol__mul3(from->R, turn, u);
    hol__mul3_t(to->R, u, hdot);
    hol__cross3(to->w, h, back);
    hol__sub3(hdot, back, hdot);
    hol__cross3(e_to, hdot, m);
}

static void put(double *out, const double *m) {
    for (int k = 0; k < 3; k++) out[k] = 0, out[3 + k] = m[k];
}

static void fill_one(const hol__perpendicular_record *rec, const hol__con_args *args) {
    const hol__con *con = &rec->con;
    const hol__body3 *b1 = &args->bodies.b3[con->body[0]], *b2 = &args->bodies.b3[con->body[1]];
    double a[3], b[3], alpha[3], beta[3], m1[3], m2[3];
    hol__mul3(b1->R, rec->e1, a);
    hol__mul3(b2->R, rec->e2, b);
    hol__mul3_t(b2->R, a, alpha);
    hol__mul3_t(b1->R, b, beta);
    if (args->want & HOL__WANT_POS) {
        args->Phi[con->row] = hol__dot3(a, b);
        hol__cross3(rec->e1, beta, m1);
        hol__cross3(rec->e2, alpha, m2);
        put(hol__con_block(con, 0, args->A, args->trash), m1);
        put(hol__con_block(con, 1, args->A, args->trash), m2);
    }
    if (!(args->want & (HOL__WANT_VEL | HOL__WANT_ADOT))) return;
    rate(b1, b2, rec->e1, rec->e2, beta, m1);
    rate(b2, b1, rec->e2, rec->e1, alpha, m2);
    if (args->want & HOL__WANT_VEL) {
        args->b[con->row] = 0;
        args->c[con->row] = -hol__dot3(m1, b1->w) - hol__dot3(m2, b2->w);
    }
    if (args->want & HOL__WANT_ADOT) {
        put(hol__con_block(con, 0, args->Adot, args->trash), m1);
        put(hol__con_block(con, 1, args->Adot, args->trash), m2);
    }
}

static void fill(const void *records, int n, const hol__con_args *args) {
    for (int i = 0; i < n; i++) fill_one((const hol__perpendicular_record *)records + i, args);
}

/* c of a . b */
static void bias(const void *record, const hol__pose_direction *at, double *rows) {
    const hol__perpendicular_record *rec = record;
    const hol__moving a = hol__moving_direction(at, 0, rec->e1),
                      b = hol__moving_direction(at, 1, rec->e2);
    rows[0] = hol__moving_bias(&a, &b);
}

static unsigned live(const void *record, int k, int slot) {
    (void)record, (void)k, (void)slot;
    return 56;
}

static const char *label(const void *record, int k) {
    (void)record, (void)k;
    return "right angle";
}

/* (a . b)' = (a x b) . (omega1 - omega2), in the joint's frame on the second body. */
static void local_rows(const void *record, const hol__marker marker[2], const hol__con_args *args,
                       double *C) {
    const hol__perpendicular_record *rec = record;
    const hol__body3 *b1 = &args->bodies.b3[rec->con.body[0]],
                     *b2 = &args->bodies.b3[rec->con.body[1]];
    double a[3], alpha[3], normal[3];
    hol__mul3(b1->R, rec->e1, a);
    hol__mul3_t(b2->R, a, alpha);
    hol__cross3(rec->e2, alpha, normal);
    hol__mul3_t(marker[1].F, normal, C);
}

static const hol__local_type local = {
    .space = HOL__LOCAL_TURN,
    .x = "x' = F2^T (w2 - R2^T R1 w1)",
    .C = "(F2^T R2^T (a2 x a1))^T",
    .rows = local_rows,
};

/* Phi = R1 e1 . R2 e2 */
static int formula(const void *record, hol__symbolic *to) {
    const hol__perpendicular_record *rec = record;
    hol__sym e1[3], e2[3];
    hol__symbolic_vector(to, rec->e1, "e", e1);
    hol__symbolic_vector(to, rec->e2, "u", e2);
    hol__symbolic_turned(to, rec->con.body[0], e1, e1);
    hol__symbolic_turned(to, rec->con.body[1], e2, e2);
    hol__symbolic_row(to, 0, hol__symbolic_dot(to, e1, e2));
    return 1;
}

const hol__con_type hol__con_perpendicular3 = {
    .name = "perpendicular directions",
    .size = sizeof(hol__perpendicular_record),
    .holonomic = 1,
    HOL__CON_OWN,
    .tangent = bias,
    .local = &local,
    .formula = formula,
};

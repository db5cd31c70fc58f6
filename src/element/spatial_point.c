/* spatial_point.c: two points of two bodies coincide in space (global components).
 *
 *     Phi = r2 + R2 s2 - r1 - R1 s1
 *     A   = [-I, R1 [s1]x | I, -R2 [s2]x]                 (R s)' = R (w x s) = -R [s]x w
 *     A'  = [0, R1 [w1]x [s1]x | 0, -R2 [w2]x [s2]x]      c = -A' v
 */
#include "element/formula.h"
#include "element/moving.h"
#include "element/primitives.h"
#include "math/vec3.h"

/* out = sign R [s]x, and rate = sign R [w]x [s]x, into rows of the given stride */
static void arm(const hol__body3 *body, const double *s, double sign, double *out, double *rate,
                int stride) {
    double S[9], RS[9];
    hol__skew3(s, S);
    if (out) {
        hol__mat3_mul(body->R, S, RS);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) out[i * stride + j] = sign * RS[3 * i + j];
    }
    if (rate) {
        double W[9], WS[9];
        hol__skew3(body->w, W);
        hol__mat3_mul(W, S, WS);
        hol__mat3_mul(body->R, WS, RS);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) rate[i * stride + j] = sign * RS[3 * i + j];
    }
}

/* out = R (w x (w x s)) */
static void centripetal(const hol__body3 *body, const double *s, double *out) {
    double ws[3], wws[3];
    hol__cross3(body->w, s, ws);
    hol__cross3(body->w, ws, wws);
    hol__mul3(body->R, wws, out);
}

static void fill_one(const hol__point3 *rec, const hol__con_args *args) {
    const hol__con *con = &rec->con;
    const hol__body3 *b1 = &args->bodies.b3[con->body[0]], *b2 = &args->bodies.b3[con->body[1]];
    const int w = con->stride;
    if (args->want & HOL__WANT_POS) {
        double *A1 = hol__con_block(con, 0, args->A, args->trash),
               *A2 = hol__con_block(con, 1, args->A, args->trash);
        double u1[3], u2[3];
        hol__mul3(b1->R, rec->s1, u1);
        hol__mul3(b2->R, rec->s2, u2);
        for (int k = 0; k < 3; k++) {
            args->Phi[con->row + k] = b2->r[k] + u2[k] - b1->r[k] - u1[k];
            for (int j = 0; j < 3; j++) A1[k * w + j] = -(j == k), A2[k * w + j] = (j == k);
        }
        arm(b1, rec->s1, 1, A1 + 3, NULL, w);
        arm(b2, rec->s2, -1, A2 + 3, NULL, w);
    }
    if (args->want & HOL__WANT_VEL) {
        double a1[3], a2[3];
        centripetal(b1, rec->s1, a1);
        centripetal(b2, rec->s2, a2);
        for (int k = 0; k < 3; k++) {
            args->b[con->row + k] = 0;
            args->c[con->row + k] = a1[k] - a2[k];
        }
    }
    if (args->want & HOL__WANT_ADOT) {
        double *D1 = hol__con_block(con, 0, args->Adot, args->trash);
        double *D2 = hol__con_block(con, 1, args->Adot, args->trash);
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 3; j++) D1[k * w + j] = D2[k * w + j] = 0;
        arm(b1, rec->s1, 1, NULL, D1 + 3, w);
        arm(b2, rec->s2, -1, NULL, D2 + 3, w);
    }
}

static void fill(const void *records, int n, const hol__con_args *args) {
    for (int i = 0; i < n; i++) fill_one((const hol__point3 *)records + i, args);
}

/* c = P1'' - P2'' */
static void bias(const void *record, const hol__pose_direction *at, double *rows) {
    const hol__point3 *rec = record;
    const hol__moving d = hol__moving_gap(at, rec->s1, rec->s2);
    for (int k = 0; k < 3; k++) rows[k] = -d.second.d[k];
}

static unsigned live(const void *record, int k, int slot) {
    const hol__point3 *rec = record;
    const double *s = slot ? rec->s2 : rec->s1;
    return (1u << k) | (s[0] != 0 || s[1] != 0 || s[2] != 0 ? 56u : 0u);
}

static const char *label(const void *record, int k) {
    static const char *const names[] = {"translation x", "translation y", "translation z"};
    (void)record;
    return names[k];
}

static int common(const void *record, double first[3], double second[3]) {
    const hol__point3 *rec = record;
    for (int i = 0; i < 3; i++) first[i] = rec->s1[i], second[i] = rec->s2[i];
    return HOL__COMMON_POINT;
}

/* Phi = x */
static void local_rows(const void *record, const hol__marker marker[2], const hol__con_args *args,
                       double *C) {
    (void)record, (void)marker, (void)args;
    for (int k = 0; k < 9; k++) C[k] = k % 4 == 0;
}

/* Phi = P2 - P1 */
static int formula(const void *record, hol__symbolic *to) {
    const hol__point3 *rec = record;
    return hol__symbolic_coincide(to, rec->con.body, rec->s1, rec->s2);
}

static const hol__local_type local = {
    .space = HOL__LOCAL_GAP, .x = "P2 - P1", .C = "1", .rows = local_rows};

const hol__con_type hol__con_point3 = {
    .name = "coincident points",
    .size = sizeof(hol__point3),
    .holonomic = 1,
    HOL__CON_OWN,
    .common = common,
    .tangent = bias,
    .local = &local,
    .formula = formula,
};

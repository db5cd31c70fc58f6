/* planar_point.c: two points of two bodies coincide in the plane.
 *
 *     Phi = r2 + R2 s2 - r1 - R1 s1                 d/dt (R s) = omega J R s,  J = [0 -1; 1 0]
 *     A   = [-I, -J R1 s1 | I, J R2 s2]
 *     c   = omega2^2 R2 s2 - omega1^2 R1 s1         A': angle columns +omega1 R1 s1, -omega2 R2 s2
 */
#include "element/formula.h"
#include "element/kinematics.h"
#include "element/moving.h"
#include "element/primitives.h"

static void fill(const void *records, int n, const hol__con_args *args) {
    const hol__point2 *rec = records;
    for (int i = 0; i < n; i++, rec++) {
        const hol__con *con = &rec->con;
        const hol__body2 *b1 = &args->bodies.b2[con->body[0]], *b2 = &args->bodies.b2[con->body[1]];
        double u1[2], u2[2];
        hol__arm2(b1, rec->s1, u1);
        hol__arm2(b2, rec->s2, u2);
        const int w = con->stride;
        if (args->want & HOL__WANT_POS) {
            double *Phi = args->Phi + con->row;
            double *A1 = hol__con_block(con, 0, args->A, args->trash),
                   *A2 = hol__con_block(con, 1, args->A, args->trash);
            Phi[0] = b2->r[0] + u2[0] - b1->r[0] - u1[0];
            Phi[1] = b2->r[1] + u2[1] - b1->r[1] - u1[1];
            A1[0] = -1, A1[1] = 0, A1[2] = u1[1];
            A1[w] = 0, A1[w + 1] = -1, A1[w + 2] = -u1[0];
            A2[0] = 1, A2[1] = 0, A2[2] = -u2[1];
            A2[w] = 0, A2[w + 1] = 1, A2[w + 2] = u2[0];
        }
        if (args->want & HOL__WANT_VEL) {
            const double k1 = b1->w * b1->w, k2 = b2->w * b2->w;
            double *b = args->b + con->row, *c = args->c + con->row;
            b[0] = b[1] = 0;
            c[0] = k2 * u2[0] - k1 * u1[0];
            c[1] = k2 * u2[1] - k1 * u1[1];
        }
        if (args->want & HOL__WANT_ADOT) {
            double *D1 = hol__con_block(con, 0, args->Adot, args->trash);
            double *D2 = hol__con_block(con, 1, args->Adot, args->trash);
            for (int k = 0; k < 2; k++) {
                D1[k * w] = D1[k * w + 1] = D2[k * w] = D2[k * w + 1] = 0;
                D1[k * w + 2] = b1->w * u1[k];
                D2[k * w + 2] = -b2->w * u2[k];
            }
        }
    }
}

/* c = P1'' - P2'' */
static void bias(const void *record, const hol__pose_direction *at, double *rows) {
    const hol__point2 *rec = record;
    const hol__moving d = hol__moving_gap(at, rec->s1, rec->s2);
    for (int k = 0; k < 2; k++) rows[k] = -d.second.d[k];
}

/* Row k has the columns k and theta; theta is missing when the point is the mass centre. */
static unsigned live(const void *record, int k, int slot) {
    const hol__point2 *rec = record;
    const double *s = slot ? rec->s2 : rec->s1;
    return (1u << k) | (s[0] != 0 || s[1] != 0 ? 4u : 0u);
}

static const char *label(const void *record, int k) {
    (void)record;
    return k ? "translation y" : "translation x";
}

static int common(const void *record, double first[3], double second[3]) {
    const hol__point2 *rec = record;
    for (int i = 0; i < 2; i++) first[i] = rec->s1[i], second[i] = rec->s2[i];
    return HOL__COMMON_POINT;
}

/* Phi = x */
static void local_rows(const void *record, const hol__marker marker[2], const hol__con_args *args,
                       double *C) {
    (void)record, (void)marker, (void)args;
    for (int k = 0; k < 4; k++) C[k] = k % 3 == 0;
}

/* Phi = P2 - P1 */
static int formula(const void *record, hol__symbolic *to) {
    const hol__point2 *rec = record;
    return hol__symbolic_coincide(to, rec->con.body, rec->s1, rec->s2);
}

static const hol__local_type local = {
    .space = HOL__LOCAL_GAP, .x = "P2 - P1", .C = "1", .rows = local_rows};

const hol__con_type hol__con_point2 = {
    .name = "coincident points",
    .size = sizeof(hol__point2),
    .holonomic = 1,
    HOL__CON_OWN,
    .common = common,
    .tangent = bias,
    .local = &local,
    .formula = formula,
};

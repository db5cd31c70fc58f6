/* spatial_rotation.c: rotations about some axes of the joint's frame are given functions of time
 * (zero: locked).
 *
 * The joint's frame is at orientation q1 f1 on body 1 and q2 f2 on body 2. The wanted relative
 * rotation is q_t = exp(x a(t)) exp(y b(t)) exp(z c(t)), driven rotations first; what is left over
 * is
 *
 *     p = q_t* f1* q1* q2 f2
 *     Phi_k = 2 p_k for the rows k in {x, y, z} that are locked or driven
 *     Phi' = E+ F2^T w2 - E- (T^T F1^T w1 + w_t),      E+- = p0 I +- [p]x,   T = R(q_t),
 *            w_t: rate of q_t in its own frame
 *     A  = [0, -E- T^T F1^T | 0, E+ F2^T]        b = E- w_t
 *     A' : p' = 1/2 (-p . w_p, Phi'),  (T^T)' = -[w_t]x T^T;         c = b' - A' v
 *
 * With Phi = 0 the rows are orthonormal in the relative angular velocity, for any free rotation: no
 * angle is singular.
 */
#include "element/formula.h"
#include "element/moving.h"
#include "element/primitives.h"
#include "math/quat.h"

#include <string.h>

/* The wanted rotation: quaternion, rate and its derivative in its own frame. */
typedef struct target {
    double q[4], w[3], wdot[3];
} target;

/* Append a rotation by the law f about axis k:
 * w <- R^T w + f' e,  w' <- R^T w' - f' e x (R^T w) + f'' e. */
static void append_rotation(target *to, int k, hol__jet f) {
    double u[3] = {0, 0, 0}, e[4], q[4], R[9], w[3], wdot[3], axis[3] = {0, 0, 0}, cross[3];
    u[k] = f.f;
    axis[k] = 1;
    hol__quat_exp(u, e);
    hol__quat_mul(to->q, e, q);
    hol__quat_matrix(e, R);
    hol__mul3_t(R, to->w, w);
    hol__mul3_t(R, to->wdot, wdot);
    hol__cross3(axis, w, cross);
    for (int i = 0; i < 3; i++) {
        to->w[i] = w[i] + f.d1 * axis[i];
        to->wdot[i] = wdot[i] - f.d1 * cross[i] + f.d2 * axis[i];
    }
    memcpy(to->q, q, sizeof q);
}

/* E = p0 I + sign [p]x */
static void e_matrix(const double *p, double sign, double *E) {
    hol__skew3(p + 1, E);
    for (int i = 0; i < 9; i++) E[i] *= sign;
    for (int i = 0; i < 3; i++) E[4 * i] += p[0];
}

/* Rows axis[k] of the 3x3 matrix B times F^T, into the rotation columns; the translation columns
 * are zero. */
static void put_rows(const hol__rotation3 *rec, const double *B, const double *F, double sign,
                     double *out) {
    for (int k = 0; k < rec->con.n_rows; k++) {
        const double *row = B + 3 * rec->axis[k];
        double *to = out + k * rec->con.stride;
        for (int j = 0; j < 3; j++) {
            to[j] = 0;
            to[3 + j] = sign * hol__dot3(row, F + 3 * j);
        }
    }
}

/* The velocity level: p', the rates of the two coefficient matrices, b and c. B1 = E- T^T, B2 =
 * E+. */
static void fill_velocity(const hol__rotation3 *rec, const hol__con_args *args, const target *to,
                          const double *T, const double *p, const double *B1, const double *B2) {
    const hol__con *con = &rec->con;
    const hol__body3 *b1 = &args->bodies.b3[con->body[0]], *b2 = &args->bodies.b3[con->body[1]];
    double x1[3], x2[3], Eminus[9], from1[3], from2[3], drive[3], w2p[3], t[3], Phidot[3], pdot[4];
    hol__mul3_t(rec->F1, b1->w, x1);
    hol__mul3_t(rec->F2, b2->w, x2);
    e_matrix(p, -1, Eminus);
    hol__mul3(B1, x1, from1);
    hol__mul3(B2, x2, from2);
    hol__mul3(Eminus, to->w, drive);
    for (int i = 0; i < 3; i++) Phidot[i] = from2[i] - from1[i] - drive[i];
    /* p0' = -1/2 p . w_p,  with p . w_p = p . x2 - p . (T^T x1 + w_t): [p]x terms drop out */
    hol__mul3_t(T, x1, t);
    for (int i = 0; i < 3; i++) w2p[i] = x2[i] - t[i] - to->w[i];
    pdot[0] = -0.5 * hol__dot3(p + 1, w2p);
    for (int i = 0; i < 3; i++) pdot[i + 1] = 0.5 * Phidot[i];
    double Eplus_dot[9], Eminus_dot[9], B1_dot[9], Wt[9], Tt[9], WT[9], EWT[9];
    e_matrix(pdot, 1, Eplus_dot);
    e_matrix(pdot, -1, Eminus_dot);
    hol__skew3(to->w, Wt);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) Tt[3 * i + j] = T[3 * j + i];
    hol__mat3_mul(Wt, Tt, WT);
    hol__mat3_mul(Eminus, WT, EWT);
    hol__mat3_mul(Eminus_dot, Tt, B1_dot);
    for (int i = 0; i < 9; i++) B1_dot[i] -= EWT[i];
    if (args->want & HOL__WANT_VEL)
        for (int k = 0; k < con->n_rows; k++) {
            const int i = rec->axis[k];
            const double bdot =
                hol__dot3(Eminus_dot + 3 * i, to->w) + hol__dot3(Eminus + 3 * i, to->wdot);
            args->b[con->row + k] = drive[i];
            args->c[con->row + k] =
                bdot - hol__dot3(Eplus_dot + 3 * i, x2) + hol__dot3(B1_dot + 3 * i, x1);
        }
    if (args->want & HOL__WANT_ADOT) {
        put_rows(rec, B1_dot, rec->F1, -1, hol__con_block(con, 0, args->Adot, args->trash));
        put_rows(rec, Eplus_dot, rec->F2, 1, hol__con_block(con, 1, args->Adot, args->trash));
    }
}

/* p, what is left over of the relative rotation beyond the wanted one. */
static void left_over(const hol__rotation3 *rec, const hol__bodies *bodies, const target *to,
                      double *p) {
    double q1[4], q2[4], relative[4];
    hol__quat_mul(bodies->b3[rec->con.body[0]].p, rec->f1, q1);
    hol__quat_mul(bodies->b3[rec->con.body[1]].p, rec->f2, q2);
    hol__quat_mul_c(q1, q2, relative);
    hol__quat_mul_c(to->q, relative, p);
}

/* The wanted rotation at time t. */
static target target_at(const hol__rotation3 *rec, double t, double *scratch) {
    target to = {.q = {1, 0, 0, 0}};
    for (int k = 0; k < 3 && rec->driven; k++)
        append_rotation(&to, k, hol__law_jet(&rec->drive[k], t, scratch));
    return to;
}

static void fill_one(const hol__rotation3 *rec, const hol__con_args *args) {
    const hol__con *con = &rec->con;
    const target to = target_at(rec, args->inputs[0], args->scratch);
    double p[4], T[9], Eplus[9], Eminus[9], B1[9];
    left_over(rec, &args->bodies, &to, p);
    hol__quat_matrix(to.q, T);
    e_matrix(p, 1, Eplus);
    e_matrix(p, -1, Eminus);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) B1[3 * i + j] = hol__dot3(Eminus + 3 * i, T + 3 * j);
    if (args->want & HOL__WANT_POS) {
        for (int k = 0; k < con->n_rows; k++) args->Phi[con->row + k] = 2 * p[1 + rec->axis[k]];
        put_rows(rec, B1, rec->F1, -1, hol__con_block(con, 0, args->A, args->trash));
        put_rows(rec, Eplus, rec->F2, 1, hol__con_block(con, 1, args->A, args->trash));
    }
    if (args->want & (HOL__WANT_VEL | HOL__WANT_ADOT))
        fill_velocity(rec, args, &to, T, p, B1, Eplus);
}

static void fill(const void *records, int n, const hol__con_args *args) {
    for (int i = 0; i < n; i++) fill_one((const hol__rotation3 *)records + i, args);
}

/* ---- tangent ---- */

/* q (0, w)/2 */
static void turn_quaternion(const double *q, const double *w, double *out) {
    const double y[4] = {0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]};
    hol__quat_mul(q, y, out);
}

/* a = q f and its rates, q: of a body with w, f fixed: q' = q (0, w)/2, q'' = -|w|^2/4 q. */
static void moving_frame(const double *q, const double *w, const double *f, double a[3][4]) {
    double qdot[4];
    turn_quaternion(q, w, qdot);
    hol__quat_mul(q, f, a[0]);
    hol__quat_mul(qdot, f, a[1]);
    for (int i = 0; i < 4; i++) a[2][i] = -0.25 * hol__dot3(w, w) * a[0][i];
}

/* a becomes a q_t: q_t' = q_t (0, w_t)/2, q_t'' = q_t' (0, w_t)/2 + q_t (0, w_t')/2. */
static void append_target(const target *to, double a[3][4]) {
    double t[3][4], x[4], y[4], z[4];
    memcpy(t[0], to->q, sizeof t[0]);
    turn_quaternion(t[0], to->w, t[1]);
    turn_quaternion(t[1], to->w, x);
    turn_quaternion(t[0], to->wdot, y);
    for (int i = 0; i < 4; i++) t[2][i] = x[i] + y[i];
    hol__quat_mul(a[2], t[0], x);
    hol__quat_mul(a[1], t[1], y);
    hol__quat_mul(a[0], t[2], z);
    for (int i = 0; i < 4; i++) a[2][i] = x[i] + 2 * y[i] + z[i];
    hol__quat_mul(a[1], t[0], x);
    hol__quat_mul(a[0], t[1], y);
    for (int i = 0; i < 4; i++) a[1][i] = x[i] + y[i];
    hol__quat_mul(a[0], t[0], x);
    memcpy(a[0], x, sizeof x);
}

/* c = -2 (a* b)'', a = q1 f1 q_t, b = q2 f2: linear in q1 and q2, which turn by q (0, e_k)/2. */
static void bias(const void *record, const hol__pose_direction *at, double *rows) {
    const hol__rotation3 *rec = record;
    const hol__body3 *b1 = &at->args->bodies.b3[rec->con.body[0]],
                     *b2 = &at->args->bodies.b3[rec->con.body[1]];
    double e[3] = {0, 0, 0}, q1[4], q2[4], a[3][4], b[3][4], x[4], y[4], z[4];
    if (at->k < 3) return;
    const target to = target_at(rec, at->args->inputs[0], at->args->scratch);
    e[at->k - 3] = 1;
    memcpy(q1, b1->p, sizeof q1);
    memcpy(q2, b2->p, sizeof q2);
    turn_quaternion(at->slot ? b2->p : b1->p, e, at->slot ? q2 : q1);
    moving_frame(q1, b1->w, rec->f1, a);
    moving_frame(q2, b2->w, rec->f2, b);
    append_target(&to, a);
    hol__quat_mul_c(a[2], b[0], x);
    hol__quat_mul_c(a[1], b[1], y);
    hol__quat_mul_c(a[0], b[2], z);
    for (int r = 0; r < rec->con.n_rows; r++) {
        const int k = 1 + rec->axis[r];
        rows[r] = -2 * (x[k] + 2 * y[k] + z[k]);
    }
}

static unsigned live(const void *record, int k, int slot) {
    (void)record, (void)k, (void)slot;
    return 56;
}

static const char *label(const void *record, int k) {
    static const char *const names[] = {"rotation x", "rotation y", "rotation z"};
    return names[((const hol__rotation3 *)record)->axis[k]];
}

/* Two locked rotations leave the third axis in common. */
static int common(const void *record, double first[3], double second[3]) {
    const hol__rotation3 *rec = record;
    if (rec->con.n_rows != 2 || rec->driven) return HOL__COMMON_NONE;
    const int k = 3 - rec->axis[0] - rec->axis[1];
    for (int i = 0; i < 3; i++) first[i] = rec->F1[3 * i + k], second[i] = rec->F2[3 * i + k];
    return HOL__COMMON_AXIS;
}

/* Phi' = E+ x': the rows of E+, because E- = E+ R(p)^T and R(p)^T T^T F1^T w1 is what the second
 * body's frame sees of w1. */
static void local_rows(const void *record, const hol__marker marker[2], const hol__con_args *args,
                       double *C) {
    const hol__rotation3 *rec = record;
    const target to = target_at(rec, args->inputs[0], args->scratch);
    double p[4], Eplus[9];
    (void)marker;
    left_over(rec, &args->bodies, &to, p);
    e_matrix(p, 1, Eplus);
    for (int k = 0; k < rec->con.n_rows; k++)
        memcpy(C + 3 * k, Eplus + 3 * rec->axis[k], 3 * sizeof *C);
}

static const hol__local_type local = {
    .space = HOL__LOCAL_TURN,
    .x = "x' = F2^T (w2 - R2^T R1 w1)",
    .C = "row i of p_0 1 + [p]x",
    .rows = local_rows,
};

/* Four numbers of a quaternion; conjugate: with the vector turned round. */
static void quaternion_formula(hol__symbolic *to, const double *field, const char *hint,
                               int conjugate, hol__sym p[4]) {
    for (int k = 0; k < 4; k++) {
        const hol__sym x = hol__symbolic_number(to, field + k, hint);
        p[k] = conjugate && k ? hol__sym_neg(to->a, x) : x;
    }
}

/* q_t* from the laws: rotations backwards, in the opposite order. */
static void target_formula(hol__symbolic *to, const hol__rotation3 *rec, hol__sym q[4]) {
    hol__algebra *a = to->a;
    for (int k = 0; k < 4; k++) q[k] = k ? a->zero : a->one;
    for (int k = 2; k >= 0 && rec->driven; k--) {
        const hol__sym half =
            hol__sym_mul(a, a->half, hol__symbolic_drive(to, &rec->drive[k], "f"));
        hol__sym e[4] = {hol__sym_cos(a, half), a->zero, a->zero, a->zero};
        e[1 + k] = hol__sym_neg(a, hol__sym_sin(a, half));
        hol__symbolic_quat_mul(to, q, e, q);
    }
}

/* Phi_k = 2 p_k, p = q_t* f1* q1* q2 f2 */
static int formula(const void *record, hol__symbolic *to) {
    const hol__rotation3 *rec = record;
    const hol__symbolic_body *b1 = &to->bodies[rec->con.body[0]],
                             *b2 = &to->bodies[rec->con.body[1]];
    hol__sym p[4], f1[4], f2[4], q1[4];
    target_formula(to, rec, p);
    quaternion_formula(to, rec->f1, "f", 1, f1);
    quaternion_formula(to, rec->f2, "g", 0, f2);
    for (int k = 0; k < 4; k++) q1[k] = k ? hol__sym_neg(to->a, b1->p[k]) : b1->p[0];
    hol__symbolic_quat_mul(to, p, f1, p);
    hol__symbolic_quat_mul(to, p, q1, p);
    hol__symbolic_quat_mul(to, p, b2->p, p);
    hol__symbolic_quat_mul(to, p, f2, p);
    for (int k = 0; k < rec->con.n_rows; k++)
        hol__symbolic_row(to, k, hol__sym_mul(to->a, to->a->two, p[1 + rec->axis[k]]));
    return 1;
}

const hol__con_type hol__con_rotation3 = {
    .name = "given rotation",
    .size = sizeof(hol__rotation3),
    .holonomic = 1,
    HOL__CON_OWN,
    .common = common,
    .tangent = bias,
    .local = &local,
    .formula = formula,
};

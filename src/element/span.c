/* span.c: distances, displacements and angles with first and second derivatives by the poses of two
 * bodies. See span.h.
 *
 * A point P = r + R s has P_i = e_i for translations and R (e_i x s) for rotations; a second
 * derivative only for two rotations of its body,
 *
 *     P_ij = R (e_j x (e_i x s)),    c . P_ij = (R^T c)_i s_j - (R^T c . s) delta_ij          in
 * the plane -c . R s
 *
 * (first i, then j: rotations do not commute.)
 *
 *     distance      x = |d|, u = d/x     g = u . d_i     H = (d_i . d_j - g_i g_j)/x + u . d_ij    
 *      d = P2 - P1
 *     displacement  x = e . d            g = e . d_i + e_i . d     H = e_i . d_j + e_j . d_i + e .
 * d_ij + e_ij . d
 *     angle         x = 2 atan2(p3, p0) of the relative quaternion p; with y the rotation of frame
 * 2 against frame 1 in frame 2:
 *                   x_y = m(p) (kinematics.h), p_y = p (0, y)/2, L = dm/dy, B = (R2 F2)^T R1:
 *                   g = (-B^T m, F2 m)      H11 = B^T L B - (B^T m) x      H12 = -B^T (L - m x)
 * F2^T
 *                                           H21 = -F2 L B                  H22 = F2 L F2^T
 */
#include "element/span.h"

#include "math/quat.h"

#include <string.h>

/* ---- points ---- */

/* P_i of a point of a body, or of a direction (fixed: it does not move with the body's centre). */
static void spokes(const hol__force_args *args, int body, const double *s, int fixed,
                   double out[6][3]) {
    const int dim = args->bodies.b2 ? 2 : 3;
    memset(out, 0, sizeof(double) * 18);
    for (int k = 0; k < dim; k++) out[k][k] = fixed ? 0 : 1;
    if (dim == 2) {
        double u[3];
        hol__turned(args, body, s, u);
        out[2][0] = -u[1], out[2][1] = u[0];
        return;
    }
    for (int k = 0; k < 3; k++) {
        double e[3] = {0, 0, 0}, t[3];
        e[k] = 1;
        hol__cross3(e, s, t);
        hol__turned(args, body, t, out[3 + k]);
    }
}

/* H += sign c . P_ij over the rotations of the body in a slot. */
static void add_bend(const hol__force_args *args, int body, int slot, const double *s,
                     const double *c, double sign, hol__span *out) {
    if (args->bodies.b2) {
        double u[3];
        hol__turned(args, body, s, u);
        out->H[(3 * slot + 2) * 6 + 3 * slot + 2] -= sign * (c[0] * u[0] + c[1] * u[1]);
        return;
    }
    double local[3];
    hol__mul3_t(args->bodies.b3[body].R, c, local);
    const double along = hol__dot3(local, s);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out->H[(6 * slot + 3 + i) * 12 + 6 * slot + 3 + j] +=
                sign * (local[i] * s[j] - (i == j ? along : 0));
}

/* d = P2 - P1 and d_i over both bodies. */
static void gap(const hol__force_args *args, const int body[2], const double *s1, const double *s2,
                double d[3], double by[HOL__SPAN][3]) {
    const int bw = args->bodies.b2 ? 3 : 6;
    double P1[3], P2[3], D[6][3];
    hol__place_of(args, body[0], s1, P1);
    hol__place_of(args, body[1], s2, P2);
    hol__sub3(P2, P1, d);
    spokes(args, body[0], s1, 0, D);
    for (int k = 0; k < bw; k++)
        for (int i = 0; i < 3; i++) by[k][i] = -D[k][i];
    spokes(args, body[1], s2, 0, D);
    for (int k = 0; k < bw; k++) memcpy(by[bw + k], D[k], sizeof D[k]);
}

/* x' = g . V */
static void set_rate(const hol__force_args *args, hol__span *out) {
    out->rate = 0;
    for (int slot = 0; slot < 2; slot++) {
        const int body = out->body[slot];
        if (args->bodies.b2) {
            const hol__body2 *b = &args->bodies.b2[body];
            const double *g = out->g + 3 * slot;
            out->rate += g[0] * b->v[0] + g[1] * b->v[1] + g[2] * b->w;
        } else {
            const hol__body3 *b = &args->bodies.b3[body];
            out->rate +=
                hol__dot3(out->g + 6 * slot, b->v) + hol__dot3(out->g + 6 * slot + 3, b->w);
        }
    }
}

static void open_span(const hol__force_args *args, const int body[2], hol__span *out) {
    memset(out, 0, sizeof *out);
    out->n = args->bodies.b2 ? 6 : 12;
    memcpy(out->body, body, sizeof out->body);
}

void hol__span_distance(const hol__force_args *args, const int body[2], const double *s1,
                        const double *s2, hol__span *out) {
    double d[3], by[HOL__SPAN][3], u[3];
    open_span(args, body, out);
    gap(args, body, s1, s2, d, by);
    out->x = hol__norm3(d);
    const double inverse = out->x > 0 ? 1 / out->x : 0;
    for (int i = 0; i < 3; i++) u[i] = inverse * d[i];
    for (int i = 0; i < out->n; i++) out->g[i] = hol__dot3(u, by[i]);
    for (int i = 0; i < out->n; i++)
        for (int j = 0; j < out->n; j++)
            out->H[i * out->n + j] = inverse * (hol__dot3(by[i], by[j]) - out->g[i] * out->g[j]);
    add_bend(args, body[0], 0, s1, u, -1, out);
    add_bend(args, body[1], 1, s2, u, 1, out);
    set_rate(args, out);
}

/* The displacement along e1, fixed in the first body. */
static void slide(const hol__travel *c, const hol__force_args *args, hol__span *out) {
    double d[3], by[HOL__SPAN][3], e[3], E[HOL__SPAN][3], T[6][3];
    gap(args, c->body, c->s1, c->s2, d, by);
    hol__turned(args, c->body[0], c->e1, e);
    spokes(args, c->body[0], c->e1, 1, T);
    memset(E, 0, sizeof E);
    memcpy(E, T, sizeof(double) * 3 * (size_t)(out->n / 2));
    out->x = hol__dot3(e, d);
    for (int i = 0; i < out->n; i++) {
        out->g[i] = hol__dot3(e, by[i]) + hol__dot3(E[i], d);
        for (int j = 0; j < out->n; j++)
            out->H[i * out->n + j] = hol__dot3(E[i], by[j]) + hol__dot3(E[j], by[i]);
    }
    add_bend(args, c->body[0], 0, c->s1, e, -1, out);
    add_bend(args, c->body[1], 1, c->s2, e, 1, out);
    add_bend(args, c->body[0], 0, c->e1, d, 1, out);
}

/* ---- angles ---- */

/* m(p) and L = dm/dy. */
static void twist_of(const double p[4], double m[3], double L[9]) {
    const double n = p[0] * p[0] + p[3] * p[3], k = n > 0 ? 1 / n : 0;
    const double by_p[2][4] = {{-p[2], p[3], -p[0], p[1]}, {p[1], p[0], p[3], p[2]}};
    m[0] = k * (p[1] * p[3] - p[0] * p[2]);
    m[1] = k * (p[0] * p[1] + p[2] * p[3]);
    m[2] = 1;
    memset(L, 0, 9 * sizeof *L);
    for (int j = 0; j < 3; j++) {
        const double y[4] = {0, j == 0, j == 1, j == 2};
        double dp[4];
        hol__quat_mul(p, y, dp);
        const double dn = p[0] * dp[0] + p[3] * dp[3]; /* dp is twice p_y, n_y half of that */
        for (int i = 0; i < 2; i++) {
            double sum = 0;
            for (int r = 0; r < 4; r++) sum += 0.5 * by_p[i][r] * dp[r];
            L[3 * i + j] = k * (sum - m[i] * dn);
        }
    }
}

/* Put a 3 x 3 block for the rotations of two slots. */
static void put_block(hol__span *out, int row, int column, double sign, const double *M) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out->H[(6 * row + 3 + i) * 12 + 6 * column + 3 + j] += sign * M[3 * i + j];
}

static void angle3(const hol__travel *c, const hol__force_args *args, hol__span *out) {
    const hol__body3 *b1 = &args->bodies.b3[c->body[0]], *b2 = &args->bodies.b3[c->body[1]];
    double q1[4], q2[4], p[4], R[9], B[9], F2[9], m[3], L[9], g1[3], X[9], Y[9], Z[9], S[9];
    hol__quat_mul(b1->p, c->f1, q1);
    hol__quat_mul(b2->p, c->f2, q2);
    hol__quat_mul_c(q1, q2, p);
    hol__quat_matrix(q2, R);
    hol__quat_matrix(c->f2, F2);
    hol__mat3_mul_t(R, b1->R, B);
    twist_of(p, m, L);
    hol__mul3_t(B, m, g1);
    for (int i = 0; i < 3; i++) out->g[3 + i] = -g1[i];
    hol__mul3(F2, m, out->g + 9);
    /* H11 = B^T L B - g1 x */
    hol__mat3_mul(L, B, X);
    hol__mat3_mul_t(B, X, Y);
    hol__skew3(g1, S);
    put_block(out, 0, 0, 1, Y);
    put_block(out, 0, 0, -1, S);
    /* H21 = -F2 L B */
    hol__mat3_mul(F2, X, Y);
    put_block(out, 1, 0, -1, Y);
    /* H22 = F2 L F2^T, H12 = -B^T (L - m x) F2^T */
    for (int i = 0; i < 9; i++) Z[i] = F2[3 * (i % 3) + i / 3];
    hol__mat3_mul(L, Z, X);
    hol__mat3_mul(F2, X, Y);
    put_block(out, 1, 1, 1, Y);
    hol__skew3(m, S);
    hol__mat3_mul(S, Z, Y);
    for (int i = 0; i < 9; i++) X[i] -= Y[i];
    hol__mat3_mul_t(B, X, Y);
    put_block(out, 0, 1, -1, Y);
}

void hol__span_travel(const hol__travel *c, const hol__force_args *args, hol__span *out) {
    open_span(args, c->body, out);
    if (c->slides)
        slide(c, args, out);
    else {
        if (args->bodies.b2)
            out->g[2] = -1, out->g[5] = 1;
        else
            angle3(c, args, out);
        out->x = args->angles[c->angle];
    }
    set_rate(args, out);
}

/* ---- tangents ---- */

/* The velocities of both bodies. */
static void velocities(const hol__force_args *args, const hol__span *span, double V[HOL__SPAN]) {
    for (int slot = 0; slot < 2; slot++) {
        if (args->bodies.b2) {
            const hol__body2 *b = &args->bodies.b2[span->body[slot]];
            V[3 * slot] = b->v[0], V[3 * slot + 1] = b->v[1], V[3 * slot + 2] = b->w;
            continue;
        }
        const hol__body3 *b = &args->bodies.b3[span->body[slot]];
        memcpy(V + 6 * slot, b->v, sizeof b->v);
        memcpy(V + 6 * slot + 3, b->w, sizeof b->w);
    }
}

/* The call of a force along one of its arguments, rates of states with it. */
typedef struct probe {
    const void *record;
    const hol__span *span;
    hol__span_force *force;
    hol__dual_args x;
    hol__dual state[HOL__DUAL_STATES], rate[HOL__DUAL_STATES];
} probe;

/* F with its derivative: by x, by x', or by what the arguments say. */
static hol__dual call(probe *p, double by_x, double by_rate, const hol__force_tangent *out) {
    for (int i = 0; i < out->n_aux; i++) {
        p->state[i].f = p->x.args->aux[out->aux + i];
        p->rate[i] = (hol__dual){0, 0};
    }
    return p->force(p->record, &p->x, (hol__dual){p->span->x, by_x},
                    (hol__dual){p->span->rate, by_rate});
}

/* By the poses and velocities: h is the derivative of x' by the poses. */
static void by_bodies(probe *p, const double *h, hol__force_tangent *out) {
    const int n = p->span->n;
    const double *g = p->span->g, *H = p->span->H;
    const hol__dual F = call(p, 1, 0, out);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) out->pose[i * n + j] += g[i] * F.d * g[j] + F.f * H[i * n + j];
        for (int z = 0; z < out->n_aux; z++) out->rate_pose[z * n + j] += p->rate[z].d * g[j];
    }
    const double by_rate = call(p, 0, 1, out).d;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            out->pose[i * n + j] += by_rate * g[i] * h[j];
            out->twist[i * n + j] += by_rate * g[i] * g[j];
        }
        for (int z = 0; z < out->n_aux; z++) {
            out->rate_pose[z * n + j] += p->rate[z].d * h[j];
            out->rate_twist[z * n + j] += p->rate[z].d * g[j];
        }
    }
}

/* By inputs and states. */
static void by_numbers(probe *p, hol__force_tangent *out) {
    for (int k = 0; k < out->n_reads; k++) {
        out->along[out->reads[k]] = 1;
        const double by = call(p, 0, 0, out).d;
        out->along[out->reads[k]] = 0;
        for (int i = 0; i < out->n; i++) out->input[i * out->n_reads + k] += p->span->g[i] * by;
        for (int z = 0; z < out->n_aux; z++) out->rate_input[z * out->n_reads + k] += p->rate[z].d;
    }
    for (int k = 0; k < out->n_aux; k++) {
        p->state[k].d = 1;
        const double by = call(p, 0, 0, out).d;
        p->state[k].d = 0;
        for (int i = 0; i < out->n; i++) out->state[i * out->n_aux + k] += p->span->g[i] * by;
        for (int z = 0; z < out->n_aux; z++) out->rate_state[z * out->n_aux + k] += p->rate[z].d;
    }
}

void hol__span_tangent(const void *record, hol__force_args *args, const hol__span *span,
                       hol__span_force *force, hol__force_tangent *out) {
    double V[HOL__SPAN], h[HOL__SPAN];
    probe p = {.record = record, .span = span, .force = force};
    memset(p.state, 0, sizeof p.state);
    p.x = (hol__dual_args){.args = args,
                           .plane = args->bodies.b2 != NULL,
                           .none = out->none,
                           .along = out->along,
                           .state = p.state,
                           .rate = p.rate};
    velocities(args, span, V);
    for (int j = 0; j < span->n; j++) {
        h[j] = 0;
        for (int i = 0; i < span->n; i++) h[j] += V[i] * span->H[i * span->n + j];
    }
    by_bodies(&p, h, out);
    by_numbers(&p, out);
}

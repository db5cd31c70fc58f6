/* iltis_corner.c: the right front suspension of the Iltis over a bump (Marques, Souto and
 * Flores, tables 5 and 6), leaf link and tie rod without mass, in the angle of the A-arm, in the
 * frame of the chassis. The carrier is turned by a, b, c about its x, y and z axes one after the
 * other; they follow from
 *
 *     x of the leaf's outer end = that of the inner one, its distance from that, the tie rod's
 *     length
 *
 * by Newton's iteration. */
#include "space.h"

/* From the drawn position, in metres. */
static const double arm_in[3] = {0.97, -0.259, 0.302}, arm_out[3] = {0.97, -0.572, 0.229},
                    leaf_in[3] = {0.97, -0.1585, 0.600}, leaf_out[3] = {0.97, -0.488, 0.531},
                    tie_in[3] = {0.83, -0.070, 0.600}, tie_out[3] = {0.83, -0.448, 0.531},
                    shock_in[3] = {1.045, -0.297, 0.632}, shock_out[3] = {1.045, -0.500, 0.241},
                    wheel[3] = {0.97, -0.615, 0.356}, arm[3] = {0.97, -0.4155, 0.2655};

/* A point of the A-arm: place, and velocity for a rate of 1. */
static void on_arm(number phi, const double *drawn, number *r, number *v) {
    const number c = ccos(phi), s = csin(phi), dy = drawn[1] - arm_in[1], dz = drawn[2] - arm_in[2];
    r[0] = drawn[0];
    r[1] = arm_in[1] + c * dy - s * dz;
    r[2] = arm_in[2] + s * dy + c * dz;
    v[0] = 0;
    v[1] = -(r[2] - arm_in[2]);
    v[2] = r[1] - arm_in[1];
}

/* The carrier: its matrix, the ball joint on the arm, and for a rate of 1 of the arm its angular
 * velocity. */
typedef struct carrier {
    number R[9], ball[3], ball_v[3], omega[3];
} carrier;

/* From the ball to a point of the carrier. */
static void arm_to(const carrier *k, const double *drawn, number *d) {
    for (int i = 0; i < 3; i++) {
        d[i] = 0;
        for (int j = 0; j < 3; j++) d[i] += k->R[3 * i + j] * (drawn[j] - arm_out[j]);
    }
}

/* Where a point of the carrier is, and its velocity for a rate of 1. */
static void on_carrier(const carrier *k, const double *drawn, number *r, number *v) {
    number d[3];
    arm_to(k, drawn, d);
    for (int i = 0; i < 3; i++) {
        r[i] = k->ball[i] + d[i];
        v[i] = k->ball_v[i];
    }
    add_cross(k->omega, d, v);
}

static double distance2(const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

/* Solve 3 equations for complex numbers by Cramer's rule. */
static void solve3(number a[3][3], const number *b, number *x) {
    number col[3][3], n[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) col[j][i] = a[i][j];
    for (int j = 0; j < 3; j++) {
        n[j][0] = n[j][1] = n[j][2] = 0;
        add_cross(col[(j + 1) % 3], col[(j + 2) % 3], n[j]);
    }
    const number det = dot(col[0], n[0]);
    for (int j = 0; j < 3; j++) x[j] = dot(b, n[j]) / det;
}

/* The axes of the three turns, and the matrix after all of them. */
static void turn_thrice(const number *angles, number axes[3][3], number *R) {
    const number one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    memcpy(R, one, sizeof one);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) axes[k][i] = R[3 * i + k];
        turn(R, k, angles[k]);
    }
}

/* Rows of the three conditions over the turns, what is left of them, and what the ball's motion
 * adds. */
static void conditions(const carrier *k, number axes[3][3], number a[3][3], number *left,
                       number *moved) {
    number leaf[3], tie[3], from_leaf[3], from_tie[3], v[3];
    arm_to(k, leaf_out, leaf);
    arm_to(k, tie_out, tie);
    for (int i = 0; i < 3; i++) {
        from_leaf[i] = k->ball[i] + leaf[i] - leaf_in[i];
        from_tie[i] = k->ball[i] + tie[i] - tie_in[i];
    }
    left[0] = from_leaf[0];
    left[1] = 0.5 * (dot(from_leaf, from_leaf) - distance2(leaf_out, leaf_in));
    left[2] = 0.5 * (dot(from_tie, from_tie) - distance2(tie_out, tie_in));
    moved[0] = k->ball_v[0];
    moved[1] = dot(from_leaf, k->ball_v);
    moved[2] = dot(from_tie, k->ball_v);
    for (int j = 0; j < 3; j++) {
        v[0] = v[1] = v[2] = 0;
        add_cross(axes[j], leaf, v);
        a[0][j] = v[0];
        a[1][j] = dot(from_leaf, v);
        v[0] = v[1] = v[2] = 0;
        add_cross(axes[j], tie, v);
        a[2][j] = dot(from_tie, v);
    }
}

static carrier carried(number phi) {
    carrier k = {0};
    number angles[3] = {0}, axes[3][3], a[3][3], left[3], moved[3], step[3];
    on_arm(phi, arm_out, k.ball, k.ball_v);
    for (int i = 0, done = 0; i < 9 && !done; i++) {
        turn_thrice(angles, axes, k.R);
        conditions(&k, axes, a, left, moved);
        solve3(a, left, step);
        done = 1;
        for (int j = 0; j < 3; j++) {
            angles[j] -= step[j];
            done &= fabs(creal(step[j])) < 1e-15 && fabs(cimag(step[j])) < 1e-45;
        }
    }
    solve3(a, moved, step);
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) k.omega[i] -= step[j] * axes[j][i];
    return k;
}

static number kinetic(const number *q, const number *v) {
    static const double inertia[3] = {1.2402, 1.9080, 1.2402};
    const carrier k = carried(q[0]);
    number r[3], velocity[3], T = 0;
    on_carrier(&k, wheel, r, velocity);
    for (int i = 0; i < 3; i++) {
        number w = 0;
        for (int j = 0; j < 3; j++) w += k.R[3 * j + i] * k.omega[j];
        T += 0.5 * inertia[i] * w * w;
    }
    T += 0.5 * 57.35 * dot(velocity, velocity) + 0.5 * (0.052099 + 6 * distance2(arm, arm_in));
    return T * v[0] * v[0];
}

static number potential(const number *q) {
    const carrier k = carried(q[0]);
    number r[3], v[3], b[3];
    on_carrier(&k, wheel, r, v);
    on_arm(q[0], arm, b, v);
    return 9.81 * (57.35 * r[2] + 6 * b[2]);
}

static double shock_force(double length, double rate) {
    const double spring =
        -4.0092e6 + length * (2.8397e7 + length * (-6.7061e7 + length * 5.2796e7));
    if (rate < -0.2) return spring - 416.42 + 1844.3 * rate;
    if (rate > 0.21) return spring + 1919.1638 + 1634.727 * rate;
    return spring + rate * (9945.627 + rate * (33955.72 + rate * (-59832.25 - rate * 395651)));
}

static double road(double x) {
    const double s = x - 5.97;
    return s > 0 && s < 5 ? 0.1 * (1 - cos(2 * acos(-1.0) * s / 5)) : 0;
}

static double shock_length(number phi, double *slope) {
    number r[3], v[3];
    double sum = 0, rate = 0;
    on_arm(phi, shock_out, r, v);
    for (int i = 0; i < 3; i++) {
        const double d = creal(r[i]) - shock_in[i];
        sum += d * d;
        rate += d * creal(v[i]);
    }
    *slope = rate / sqrt(sum);
    return sqrt(sum);
}

static void forces(double t, const double *q, const double *v, double *Q) {
    const carrier k = carried(q[0]);
    number r[3], u[3];
    double slope;
    const double length = shock_length(q[0], &slope);
    Q[0] = -shock_force(length, slope * v[0]) * slope;
    on_carrier(&k, leaf_out, r, u);
    const double leaf = 2728.9 / 35900 + creal(r[2]) - leaf_out[2];
    Q[0] -= (35900 * leaf + 1e7 * fmax(0, leaf - 0.145)) * creal(u[2]);
    on_carrier(&k, wheel, r, u);
    const double dent = 0.364325 - creal(r[2]) + road(creal(r[0]) + 5 * t);
    Q[0] += 460000 * fmax(0, dent) * creal(u[2]);
}

/* Leaf deflection, what the tyre is pressed in, and the wheel behind the start of the bump. */
static void contacts(double t, number phi, double *leaf, double *dent, double *along) {
    const carrier k = carried(phi);
    number r[3], u[3];
    on_carrier(&k, leaf_out, r, u);
    *leaf = 2728.9 / 35900 + creal(r[2]) - leaf_out[2];
    on_carrier(&k, wheel, r, u);
    *along = creal(r[0]) + 5 * t - 5.97;
    *dent = 0.364325 - creal(r[2]) + road(creal(r[0]) + 5 * t);
}

/* Where laws have corners: the damper, the bump stop, the tyre, the ends of the bump. */
static void corners(double t, const double *y, double *out) {
    double slope;
    shock_length(y[0], &slope);
    out[0] = slope * y[1] + 0.2;
    out[1] = slope * y[1] - 0.21;
    contacts(t, y[0], &out[2], &out[3], &out[4]);
    out[2] -= 0.145;
    out[5] = out[4] - 5;
}

static void f(double t, const double *y, double *ydot) {
    const mechanism m = {.n = 1, .kinetic = kinetic, .potential = potential, .force = forces};
    lagrange(&m, t, y, ydot);
}

static void values(double t, const double *y, double *out) {
    const carrier k = carried(y[0]);
    number r[3], v[3];
    double slope;
    (void)t;
    on_carrier(&k, wheel, r, v);
    out[0] = creal(r[1]);
    out[1] = creal(r[2]);
    on_carrier(&k, leaf_out, r, v);
    out[2] = creal(r[2]);
    out[3] = shock_length(y[0], &slope);
    out[4] = y[0];
}

int main(int argc, char **argv) {
    const motion m = {.n = 2,
                      .y = {0, 0},
                      .step = 2e-3,
                      .f = f,
                      .values = values,
                      .n_corners = 6,
                      .corners = corners,
                      .names = "wheel.y,wheel.z,leaf_height,shock,arm_angle",
                      .columns = 5};
    return print_motion(&m, argc, argv);
}

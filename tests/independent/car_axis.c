/* car_axis.c: the car axis of the test set for initial value problems, in the height of the left
 * end above the axle, along its normal, and the angle of the chassis; the third coordinate is
 * time. */
#include "planar.h"

static const double m = 0.01 * 0.01 * 10 / 2;

/* The ends of the chassis; the axle has the angle asin(0.1 sin(10 t)). */
static void ends(const number *q, const number *v, point *left, point *right) {
    const number s = 0.1 * csin(10 * q[2]), c = csqrt(1 - s * s), w = ccos(10 * q[2]) / c * v[2];
    *left = (point){-q[0] * s, q[0] * c, -v[0] * s - q[0] * c * w, v[0] * c - q[0] * s * w};
    *right = on_body(*left, q[1], v[1], 1, 0);
}

static number kinetic(const number *q, const number *v) {
    point left, right;
    ends(q, v, &left, &right);
    return energy(m, left, 0, 0) + energy(m, right, 0, 0);
}

static number potential(const number *q) {
    const number rest[3] = {0}, s = 0.1 * csin(10 * q[2]), c = csqrt(1 - s * s);
    point left, right;
    ends(q, rest, &left, &right);
    const number dx = right.x - c, dy = right.y - s;
    const number a = q[0] - 0.5, b = csqrt(dx * dx + dy * dy) - 0.5;
    return 0.5 * (a * a + b * b) + m * (left.y + right.y);
}

static void f(double t, const double *y, double *ydot) {
    const mechanism axis = {.n = 3, .driven = 1, .kinetic = kinetic, .potential = potential};
    lagrange(&axis, t, y, ydot);
}

static void values(double t, const double *y, double *out) {
    const number q[3] = {y[0], y[1], y[2]}, v[3] = {y[3], y[4], y[5]};
    point left, right;
    (void)t;
    ends(q, v, &left, &right);
    out[0] = creal(left.x);
    out[1] = creal(left.y);
    out[2] = creal(right.x);
    out[3] = creal(right.y);
    out[4] = creal(left.vx);
    out[5] = creal(left.vy);
    out[6] = creal(right.vx);
    out[7] = creal(right.vy);
}

int main(int argc, char **argv) {
    const motion run = {
        .n = 6,
        .y = {0.5, 0, 0, 0, 0, 1},
        .step = 0.005,
        .f = f,
        .values = values,
        .names = "left.x,left.y,right.x,right.y,left_velocity.x,left_velocity.y,right_velocity.x,"
                 "right_velocity.y",
        .columns = 8};
    return print_motion(&run, argc, argv);
}

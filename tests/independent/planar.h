/* planar.h: points of planar linkages, for complex angles too. A point has a place and a
 * velocity. */
#ifndef PLANAR_H
#define PLANAR_H

#include "independent.h"

typedef struct point {
    number x, y, vx, vy;
} point;

static const double pi = 3.14159265358979323846;

/* The point at distance (a along, b across) from p on a body that has turned by theta, at rate
 * w. */
static inline point on_body(point p, number theta, number w, number a, number b) {
    const number c = ccos(theta), s = csin(theta);
    const number dx = c * a - s * b, dy = s * a + c * b;
    return (point){p.x + dx, p.y + dy, p.vx - w * dy, p.vy + w * dx};
}

/* The point at distances a from p and b from q, to the left of p to q with side = 1, to the right
 * with -1; its velocity follows from (r - p).(v - v_p) = 0 and (r - q).(v - v_q) = 0. */
static inline point join(point p, double a, point q, double b, int side) {
    const number dx = q.x - p.x, dy = q.y - p.y, d2 = dx * dx + dy * dy;
    const number along = (a * a - b * b + d2) / (2 * d2);
    const number across = side * csqrt(a * a / d2 - along * along);
    const number ex = along * dx - across * dy, ey = along * dy + across * dx;
    const number fx = ex - dx, fy = ey - dy;
    const number ue = ex * p.vx + ey * p.vy, uf = fx * q.vx + fy * q.vy;
    const number det = ex * fy - ey * fx;
    return (point){p.x + ex, p.y + ey, (ue * fy - uf * ey) / det, (ex * uf - fx * ue) / det};
}

/* The rate at which the line from p to q turns. */
static inline number turning(point p, point q) {
    const number dx = q.x - p.x, dy = q.y - p.y;
    return (dx * (q.vy - p.vy) - dy * (q.vx - p.vx)) / (dx * dx + dy * dy);
}

static inline double direction(point p, point q) {
    return atan2(creal(q.y - p.y), creal(q.x - p.x));
}

/* The point at the share s of the way from p to q. */
static inline point between(point p, point q, double s) {
    return (point){p.x + s * (q.x - p.x), p.y + s * (q.y - p.y), p.vx + s * (q.vx - p.vx),
                   p.vy + s * (q.vy - p.vy)};
}

/* m v^2 / 2 + I w^2 / 2. */
static inline number energy(double m, point c, double inertia, number w) {
    return 0.5 * (m * (c.vx * c.vx + c.vy * c.vy) + inertia * w * w);
}

/* The same of a rod from p to q with its mass centre half-way. */
static inline number rod_energy(double m, double inertia, point p, point q) {
    return energy(m, between(p, q, 0.5), inertia, turning(p, q));
}

/* An angle that goes on from `last` without jumps of full turns. */
static inline double unwound(double angle, double last) {
    return angle + 2 * pi * round((last - angle) / (2 * pi));
}

#endif

/* a03_andrews.c: Andrews' squeezer (IFToMM benchmark A03; test set for initial value problems),
 * in the angle beta of the crank O-F. E lies at 0.028 m from F and 0.035 m from B, G at 0.02 m
 * from E and 0.04 m from A, H likewise on the other side. PARAMETER: beta at the start. */
#include "planar.h"

/* The moving points. */
typedef struct squeezer {
    point F, E, G, H;
} squeezer;

static const point A = {.x = -0.06934, .y = -0.00227}, B = {.x = -0.03635, .y = 0.03273};

static squeezer points(number beta, number rate) {
    squeezer s = {.F = on_body((point){0}, beta, rate, 0.007, 0)};
    s.E = join(s.F, 0.028, B, 0.035, 1);
    s.G = join(s.E, 0.02, A, 0.04, -1);
    s.H = join(s.E, 0.02, A, 0.04, 1);
    return s;
}

/* The point (a, b) of a body whose x axis points from p, its origin, to q, at a distance of
 * `length`. */
static point fixed(point p, point q, double length, double a, double b) {
    const point d = {(q.x - p.x) / length, (q.y - p.y) / length, (q.vx - p.vx) / length,
                     (q.vy - p.vy) / length};
    return (point){p.x + a * d.x - b * d.y, p.y + a * d.y + b * d.x, p.vx + a * d.vx - b * d.vy,
                   p.vy + a * d.vy + b * d.vx};
}

/* The point of body B-D-E, whose y axis points from E to B. */
static point on_BE(point E, double a, double b) {
    return fixed(E, B, 0.035, b, -a);
}

static number kinetic(const number *q, const number *v) {
    const squeezer s = points(q[0], v[0]);
    const point O = {0};
    return energy(0.04325, fixed(O, s.F, 0.007, 0.00092, 0), 2.194e-6, v[0]) +
           energy(0.00365, fixed(s.E, s.F, 0.028, 0.0165, 0), 4.410e-7, turning(s.E, s.F)) +
           energy(0.02373, on_BE(s.E, 0.01043, 0.01626), 5.255e-6, turning(s.E, B)) +
           energy(0.00706, fixed(s.G, s.E, 0.02, 0.00579, 0), 5.667e-7, turning(s.G, s.E)) +
           energy(0.07050, fixed(A, s.G, 0.04, 0.02308, 0.00916), 1.169e-5, turning(A, s.G)) +
           energy(0.00706, fixed(s.H, s.E, 0.02, 0.00579, 0), 5.667e-7, turning(s.H, s.E)) +
           energy(0.05498, fixed(A, s.H, 0.04, 0.01228, -0.00449), 1.912e-5, turning(A, s.H));
}

static number potential(const number *q) {
    const point D = on_BE(points(q[0], 0).E, 0.02, 0.017);
    const number dx = D.x - 0.014, dy = D.y - 0.072, stretch = csqrt(dx * dx + dy * dy) - 0.07785;
    return 0.5 * 4530 * stretch * stretch - 0.033 * q[0];
}

static void f(double t, const double *y, double *ydot) {
    const mechanism m = {.n = 1, .kinetic = kinetic, .potential = potential};
    lagrange(&m, t, y, ydot);
}

static void values(double t, const double *y, double *out) {
    const squeezer s = points(y[0], 0);
    (void)t;
    out[0] = y[0];
    out[1] = creal(s.F.x);
    out[2] = creal(s.F.y);
    out[3] = creal(s.E.x);
    out[4] = creal(s.E.y);
    out[5] = creal(s.G.x);
    out[6] = creal(s.G.y);
    out[7] = creal(s.H.x);
}

int main(int argc, char **argv) {
    const motion m = {.n = 2,
                      .y = {argc > 3 ? strtod(argv[3], NULL) : -0.0620, 0},
                      .step = 1e-4,
                      .f = f,
                      .values = values,
                      .names = "beta,F.x,F.y,E.x,E.y,G.x,G.y,H.x",
                      .columns = 8};
    return print_motion(&m, argc, argv);
}

/* three_links.c: a four-bar as a chain of three links (Blajer, example 1), in which no link
 * turns fully, so that none of the angles theta is a coordinate for the whole motion. Along the
 * tangent tau of the closed curve l1 e1 + l2 e2 + l3 e3 = A, e_i = (cos theta_i, sin theta_i),
 * the speed follows from the energy, and it never vanishes:
 *
 *     theta' = tau sqrt((E - V) / T(tau)),  tau = (l2 l3 sin(th3 - th2), l3 l1 sin(th1 - th3),
 *                                                   l1 l2 sin(th2 - th1))
 */
#include "planar.h"

static const double l[3] = {0.9, 1.3, 1.1}, mass[3] = {1.1, 0.7, 0.9},
                    inertia[3] = {0.11, 0.13, 0.12};
static double total, sign; /* energy; of tau, so that the first link starts forwards */

static void energies(const double *th, const double *rate, double *T, double *V) {
    point end = {0};
    *T = *V = 0;
    for (int i = 0; i < 3; i++) {
        const point next = on_body(end, th[i], rate[i], l[i], 0);
        *T += creal(rod_energy(mass[i], inertia[i], end, next));
        *V += creal(9.81 * mass[i] * between(end, next, 0.5).y);
        end = next;
    }
}

static void tangent(const double *th, double *tau) {
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        tau[i] = sign * l[j] * l[k] * sin(th[k] - th[j]);
    }
}

static void f(double t, const double *y, double *ydot) {
    double tau[3], T, V;
    (void)t;
    tangent(y, tau);
    energies(y, tau, &T, &V);
    for (int i = 0; i < 3; i++) ydot[i] = tau[i] * sqrt((total - V) / T);
}

static void values(double t, const double *y, double *out) {
    (void)t;
    memcpy(out, y, 3 * sizeof *out);
}

int main(int argc, char **argv) {
    motion m = {.n = 3,
                .step = 0.005,
                .names = "theta1,theta2,theta3",
                .columns = 3,
                .f = f,
                .values = values};
    const point B = on_body((point){0}, 70 * pi / 180, 0, l[0], 0), A = {.x = 1.8, .y = 0.5};
    const point C = join(B, l[1], A, l[2], 1);
    double tau[3], T, V;
    m.y[0] = 70 * pi / 180;
    m.y[1] = direction(B, C);
    m.y[2] = direction(C, A);
    sign = 1;
    tangent(m.y, tau);
    sign = tau[0] > 0 ? 1 : -1;
    for (int i = 2; i >= 0; i--) tau[i] *= 7 / tau[0];
    energies(m.y, tau, &T, &V);
    total = T + V;
    return print_motion(&m, argc, argv);
}

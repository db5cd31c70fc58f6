/* three_links_slider.c: three links, the end of which slides on an inclined line (Blajer,
 * example 2), in their angles theta. No two of the three are coordinates for the whole motion,
 * so the force of the line, one number, stays in:
 *
 *     M theta'' + n lambda = right side,  n.theta'' = sum_i l_i sin(theta_i - alpha) theta_i'^2,
 *     n_i = l_i cos(theta_i - alpha)
 */
#include "planar.h"

static const double l[3] = {0.8, 1.1, 0.9}, mass[3] = {1.1, 0.7, 0.9},
                    inertia[3] = {0.09, 0.08, 0.07};
static const double alpha = 25 * 3.14159265358979323846 / 180;

static number kinetic(const number *q, const number *v) {
    point end = {0};
    number T = 0;
    for (int i = 0; i < 3; i++) {
        const point next = on_body(end, q[i], v[i], l[i], 0);
        T += energy(mass[i], between(end, next, 0.5), inertia[i], v[i]);
        end = next;
    }
    return T;
}

static number potential(const number *q) {
    number V = 0, y = 0;
    for (int i = 0; i < 3; i++) {
        V += 9.81 * mass[i] * (y + 0.5 * l[i] * csin(q[i]));
        y += l[i] * csin(q[i]);
    }
    return V;
}

static void f(double t, const double *y, double *ydot) {
    const mechanism m = {.n = 3, .kinetic = kinetic, .potential = potential};
    double a[MOST][MOST + 1], x[4];
    equations(&m, t, y, a);
    a[3][3] = a[3][4] = 0;
    for (int i = 0; i < 3; i++) {
        a[i][4] = a[i][3];
        a[i][3] = a[3][i] = l[i] * cos(y[i] - alpha);
        a[3][4] += l[i] * sin(y[i] - alpha) * y[3 + i] * y[3 + i];
    }
    solve_rows(4, a, x);
    for (int i = 0; i < 3; i++) {
        ydot[i] = y[3 + i];
        ydot[3 + i] = x[i];
    }
}

static void values(double t, const double *y, double *out) {
    (void)t;
    out[3] = out[4] = 0;
    for (int i = 0; i < 3; i++) {
        out[i] = y[i];
        out[3] += l[i] * cos(y[i]);
        out[4] += l[i] * sin(y[i]);
    }
}

int main(int argc, char **argv) {
    const motion m = {.n = 6,
                      .y = {75 * pi / 180, 10 * pi / 180, -50 * pi / 180},
                      .step = 0.01,
                      .f = f,
                      .values = values,
                      .names = "theta1,theta2,theta3,slide.x,slide.y",
                      .columns = 5};
    return print_motion(&m, argc, argv);
}

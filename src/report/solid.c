/* solid.c: the solid that has the mass and the inertia of a body:
 *
 *     cylinder:  r^2 = 2 I3/m,  L^2 = 12 (I1/m - r^2/4)          where two principal moments agree
 *     sphere:    r^2 = 5 I/(2 m)                                 where all three do
 *     box:       a_i^2 = 6 (I_j + I_k - I_i)/m
 *     disc:      r^2 = 2 I/m                                     in the plane
 *
 * within limits that can be seen and do not hide the rest.
 */
#include "report/geometry.h"

#include <math.h>
#include <string.h>

static double limit(const hol__geometry *g, double x) {
    const double low = 0.012 * g->size, high = 0.3 * g->size;
    return !(x > low) ? low : x > high ? high : x;
}

void hol__shape_turn(hol_shape *shape, const double axis[3]) {
    double z[3], x[3] = {0, 0, 0}, length = 0;
    int least = 0;
    for (int i = 0; i < 3; i++) {
        length += axis[i] * axis[i];
        if (fabs(axis[i]) < fabs(axis[least])) least = i;
    }
    length = sqrt(length);
    for (int i = 0; i < 3; i++) z[i] = length > 0 ? axis[i] / length : i == 2;
    x[least] = 1;
    double along = z[least], size = 0;
    for (int i = 0; i < 3; i++) x[i] -= along * z[i], size += x[i] * x[i];
    for (int i = 0; i < 3; i++) x[i] /= sqrt(size);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        shape->R[3 * i] = x[i];
        shape->R[3 * i + 1] = z[j] * x[k] - z[k] * x[j];
        shape->R[3 * i + 2] = z[i];
    }
}

hol_shape hol__equivalent_solid(const hol__geometry *g, const hol_body_info *body) {
    hol_shape shape = {.kind = HOL_SHAPE_SPHERE,
                       .color = "",
                       .R = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                       .size = {limit(g, 1.6 * g->radius), 0, 0}};
    const double *J = body->inertia, I[3] = {J[0], J[4], J[8]}, m = body->mass;
    const double most = I[0] + I[1] + I[2];
    memcpy(shape.at, body->com, sizeof shape.at);
    if (!(m > 0) || !(most > 0)) return shape;
    if (g->planar) {
        shape.size[0] = limit(g, sqrt(2 * J[8] / m));
        return shape;
    }
    if (fabs(J[1]) + fabs(J[2]) + fabs(J[5]) > 1e-6 * most) return shape;
    for (int k = 0; k < 3; k++) {
        const double I1 = I[(k + 1) % 3], I2 = I[(k + 2) % 3];
        if (fabs(I1 - I2) > 1e-6 * most || fabs(I[k] - I1) <= 1e-6 * most) continue;
        const double r2 = 2 * I[k] / m, L2 = 12 * (I1 / m - r2 / 4);
        const double axis[3] = {k == 0, k == 1, k == 2};
        shape.kind = HOL_SHAPE_CYLINDER;
        hol__shape_turn(&shape, axis);
        shape.size[0] = limit(g, sqrt(r2));
        shape.size[1] = limit(g, L2 > 0 ? sqrt(L2) : 0);
        return shape;
    }
    if (fabs(I[0] - I[1]) <= 1e-6 * most) {
        shape.size[0] = limit(g, sqrt(2.5 * I[0] / m));
        return shape;
    }
    shape.kind = HOL_SHAPE_BOX;
    for (int k = 0; k < 3; k++) {
        const double a2 = 6 * (most - 2 * I[k]) / m;
        shape.size[k] = limit(g, a2 > 0 ? sqrt(a2) : 0);
    }
    return shape;
}

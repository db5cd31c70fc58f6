/* frame.c: frames given in global coordinates at the drawn position, as markers of bodies. */
#include "math/quat.h"
#include "model/build.h"

#include <string.h>

void hol__marker_set(const hol_model *model, int body, const double at[3], const double p[4],
                     hol__marker *marker) {
    static const double identity[4] = {1, 0, 0, 0}, origin[3] = {0, 0, 0};
    const double *r = body == model->nb ? origin : model->bodies[body].r;
    const double *q = body == model->nb ? identity : model->bodies[body].p;
    double d[3], R[9];
    hol__sub3(at, r, d);
    hol__quat_matrix(q, R);
    hol__mul3_t(R, d, marker->s);
    hol__quat_mul_c(q, p ? p : identity, marker->f);
    hol__quat_normalize(marker->f);
    hol__quat_matrix(marker->f, marker->F);
    marker->angle = 2 * atan2(marker->f[3], marker->f[0]);
}

void hol__frame_along(const double axis[3], const double *x, double p[4]) {
    double ex[3], ey[3], length = 0;
    if (x) {
        const double along = hol__dot3(axis, x);
        for (int i = 0; i < 3; i++) ex[i] = x[i] - along * axis[i];
        length = hol__norm3(ex);
    }
    if (length > 1e-8)
        for (int i = 0; i < 3; i++) ex[i] /= length;
    else
        hol__perpendicular3(axis, ex);
    hol__cross3(axis, ex, ey);
    double R[9];
    for (int i = 0; i < 3; i++) R[3 * i] = ex[i], R[3 * i + 1] = ey[i], R[3 * i + 2] = axis[i];
    hol__quat_from_matrix(R, p);
}

/* marker.c: frames given in global coordinates at the drawn position, as markers of bodies. */
#include "math/quat.h"
#include "model/build.h"

#include <string.h>

static const double identity[4] = {1, 0, 0, 0}, origin[3] = {0, 0, 0};

const double *hol__drawn_turn(const hol_model *model, int body) {
    return body < model->nb ? model->bodies[body].p : identity;
}

void hol__drawn_pose(const hol_model *model, int body, double r[3], double R[9]) {
    memcpy(r, body < model->nb ? model->bodies[body].r : origin, sizeof origin);
    hol__quat_matrix(hol__drawn_turn(model, body), R);
}

void hol__drawn_point(const hol_model *model, int body, const double s[3], double out[3]) {
    double r[3], R[9], u[3];
    hol__drawn_pose(model, body, r, R);
    hol__mul3(R, s, u);
    hol__add3(r, u, out);
}

/* The scale of a body against its drawing, and its mass centre in its frame. */
static double scale_of(const hol_model *model, int body, const double **com) {
    *com = body < model->nb ? model->bodies[body].com : origin;
    return body < model->nb ? model->bodies[body].scale : 1;
}

/* The frame of the body stands where it is drawn; what is on it is (s + com)/scale away. */
void hol__sketched_point(const hol_model *model, int body, const double s[3], double out[3]) {
    const double *com, scale = scale_of(model, body, &com);
    double drawn[3];
    for (int i = 0; i < 3; i++) drawn[i] = scale == 1 ? s[i] : (s[i] + com[i]) / scale - com[i];
    hol__drawn_point(model, body, drawn, out);
}

void hol__drawn_direction(const hol_model *model, int body, const double drawn[3], double e[3]) {
    double r[3], R[9];
    hol__drawn_pose(model, body, r, R);
    hol__mul3_t(R, drawn, e);
}

void hol__marker_set(const hol_model *model, int body, const double at[3], const double p[4],
                     hol__marker *marker) {
    double r[3], d[3], R[9];
    hol__drawn_pose(model, body, r, R);
    hol__sub3(at, r, d);
    hol__mul3_t(R, d, marker->s);
    const double *com, scale = scale_of(model, body, &com);
    for (int i = 0; scale != 1 && i < 3; i++)
        marker->s[i] = scale * (marker->s[i] + com[i]) - com[i];
    hol__quat_mul_c(hol__drawn_turn(model, body), p ? p : identity, marker->f);
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

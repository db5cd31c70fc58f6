/* coords.c: the table of coordinate sets, the kinetic energy, and angles that are followed over full turns. */
#include "coords/coords.h"
#include "math/quat.h"



const hol__coords *hol__coords_get(int i) {
    static const hol__coords *const sets[] = {&hol__coords_planar, &hol__coords_spatial, NULL};
    return sets[i];
}

double hol__kinetic(const hol_model *model, const double *v) {
    const hol__csr *M = &model->M;
    double T = 0;
    for (int i = 0; i < M->rows; i++)
        for (int k = M->ptr[i]; k < M->ptr[i + 1]; k++) T += v[i] * M->x[k] * v[M->idx[k]];
    return 0.5 * T;
}

/* The angle of frame 2 against frame 1 about z, up to full turns: in space the twist of the relative rotation. */
static double angle_now(const hol__angle *angle, const hol__body2 *b2, const hol__body3 *b3) {
    const hol__marker *m1 = &angle->marker[0], *m2 = &angle->marker[1];
    if (b2) return b2[angle->body[1]].theta + m2->angle - b2[angle->body[0]].theta - m1->angle;
    double q1[4], q2[4], p[4];
    hol__quat_mul(b3[angle->body[0]].p, m1->f, q1);
    hol__quat_mul(b3[angle->body[1]].p, m2->f, q2);
    hol__quat_mul_c(q1, q2, p);
    return 2 * atan2(p[3], p[0]);
}

void hol__angles_update(const hol_model *model, const hol__body2 *b2, const hol__body3 *b3, const double *last,
                        double *angles) {
    const double turn = 2 * acos(-1.0);
    for (int i = 0; i < model->n_angles; i++) {
        const double now = angle_now(&model->angles[i], b2, b3);
        angles[i] = now - turn * round((now - last[i]) / turn);
    }
}

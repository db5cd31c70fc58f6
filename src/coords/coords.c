/* coords.c: the table of coordinate sets, the kinetic energy, and angles that are followed over full turns. */
#include "coords/natural.h"
#include "coords/tree.h"

#include "math/quat.h"

const hol__coords *hol__coords_get(int i) {
    static const hol__coords *const sets[] = {&hol__coords_planar,
                                              &hol__coords_spatial,
                                              &hol__coords_natural_planar,
                                              &hol__coords_natural_spatial,
                                              &hol__coords_relative_planar,
                                              &hol__coords_relative_spatial,
                                              NULL};
    return sets[i];
}

double hol__largest_mass(const hol_model *model) {
    const hol__csr *M = model->reference ? &model->reference->M : &model->M;
    double largest = 0;
    for (int k = 0; M->x && k < M->ptr[M->rows]; k++) largest = fmax(largest, fabs(M->x[k]));
    return largest;
}

double hol__kinetic(const hol_model *model, const double *v) {
    const hol__csr *M = &model->M;
    double T = 0;
    for (int i = 0; i < M->rows; i++)
        for (int k = M->ptr[i]; k < M->ptr[i + 1]; k++) T += v[i] * M->x[k] * v[M->idx[k]];
    return 0.5 * T;
}

/* The angle of frame 2 against frame 1 about z in space, up to full turns: the twist of the relative rotation. */
static double twist_now(const hol__angle *angle, const hol__body3 *b3) {
    double q1[4], q2[4], p[4];
    hol__quat_mul(b3[angle->body[0]].p, angle->marker[0].f, q1);
    hol__quat_mul(b3[angle->body[1]].p, angle->marker[1].f, q2);
    hol__quat_mul_c(q1, q2, p);
    return 2 * atan2(p[3], p[0]);
}

/* The same in the plane for the angles of the two bodies. */
static double angle_between(const hol__angle *angle, double theta1, double theta2) {
    return theta2 + angle->marker[1].angle - theta1 - angle->marker[0].angle;
}

static double drawn_theta(const hol_model *model, int body) {
    return body < model->nb ? model->bodies[body].theta : 0;
}

/* In the plane the coordinates count full turns themselves; only those of the drawn position are taken off. */
void hol__angles_update(const hol_model *model, const hol__body2 *b2, const hol__body3 *b3,
                        const double *last, double *scratch, double *angles) {
    const double turn = 2 * acos(-1.0);
    for (int i = 0; i < model->n_angles; i++) {
        const hol__angle *angle = &model->angles[i];
        const int first = angle->body[0], second = angle->body[1];
        if (angle->follow) {
            angles[i] = angle->follow(angle->self, b2, b3, last[i], scratch);
        } else if (b2) {
            const double drawn =
                angle_between(angle, drawn_theta(model, first), drawn_theta(model, second));
            angles[i] = angle_between(angle, b2[first].theta, b2[second].theta) -
                        turn * round(drawn / turn);
        } else {
            const double now = twist_now(angle, b3);
            angles[i] = now - turn * round((now - last[i]) / turn);
        }
    }
}

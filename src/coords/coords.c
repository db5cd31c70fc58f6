/* coords.c: the table of coordinate sets, the kinetic energy, angles that are followed over full
 * turns, and the drawn position. */
#include "coords/natural.h"
#include "coords/tree.h"

#include "math/quat.h"

#include <stdint.h>
#include <string.h>

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

/* The angle of frame 2 against frame 1 about z in space, up to full turns: the twist of the
 * relative rotation. */
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

/* In the plane the coordinates count full turns themselves; only those of the drawn position are
 * taken off. */
double hol__angle_at(const hol_model *model, int i, const hol__bodies *bodies, double last,
                     double *scratch) {
    const double turn = 2 * acos(-1.0);
    const hol__angle *angle = &model->angles[i];
    const int first = angle->body[0], second = angle->body[1];
    if (angle->follow) return angle->follow(angle->self, bodies, last, scratch);
    if (bodies->b2) {
        const double drawn =
            angle_between(angle, drawn_theta(model, first), drawn_theta(model, second));
        return angle_between(angle, bodies->b2[first].theta, bodies->b2[second].theta) -
               turn * round(drawn / turn);
    }
    const double now = twist_now(angle, bodies->b3);
    return now - turn * round((now - last) / turn);
}

void hol__angles_update(const hol_model *model, const hol__bodies *bodies, const double *last,
                        double *scratch, double *angles) {
    for (int i = 0; i < model->n_angles; i++)
        angles[i] = hol__angle_at(model, i, bodies, last[i], scratch);
}

/* ---- the drawn position ---- */

void hol__drawn_bodies(const hol_model *model, hol__bodies *bodies) {
    hol__body2 *b2 = bodies->b2;
    hol__body3 *b3 = bodies->b3;
    for (int i = 0; i < model->nb; i++) {
        const hol__body *b = &model->bodies[i];
        if (b2) {
            b2[i] = (hol__body2){.r = {b->r[0], b->r[1]},
                                 .c = cos(b->theta),
                                 .s = sin(b->theta),
                                 .theta = b->theta,
                                 .v = {b->v[0], b->v[1]},
                                 .w = b->w[2]};
            continue;
        }
        memcpy(b3[i].r, b->r, sizeof b3->r);
        memcpy(b3[i].p, b->p, sizeof b3->p);
        memcpy(b3[i].v, b->v, sizeof b3->v);
        memcpy(b3[i].w, b->w, sizeof b3->w);
        hol__quat_matrix(b->p, b3[i].R);
    }
    if (b2)
        b2[model->nb] = (hol__body2){.c = 1};
    else
        b3[model->nb] = (hol__body3){.p = {1, 0, 0, 0}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

void hol__start_drawn(const hol_model *model, double *q, double *v) {
    hol__arena *arena = &((hol_model *)(uintptr_t)model)->arena;
    const int n = model->nb + 1;
    hol__bodies bodies = {model->dim == 2 ? HOL__NEW_N(arena, hol__body2, n) : NULL,
                          model->dim == 3 ? HOL__NEW_N(arena, hol__body3, n) : NULL};
    if (!bodies.b2 && !bodies.b3) return;
    hol__drawn_bodies(model, &bodies);
    model->coords->maps->from_bodies(model, &bodies, q, v);
}

/* angle.c: angles that are followed over full turns (coords.h).
 *
 *     in the plane   theta_2 - theta_1 and numbers: joint coordinates count full turns themselves
 *     in space       x = 2 atan2(p3, p0) of the relative rotation of two frames, and of x + 2 pi k
 *                    the one nearest to the angle at the last step, which is part of the state
 */
#include "generate/program.h"

#include <float.h>
#include <math.h>

static const double turn = 6.283185307179586476925286766559;

static double drawn_theta(const hol_model *model, int body) {
    return body < model->nb ? model->bodies[body].theta : 0;
}

/* What is added to theta_2 - theta_1, in the plane. */
static double planar_offset(const hol_model *model, int i) {
    const hol__angle *x = &model->angles[i];
    const double frames = x->marker[1].angle - x->marker[0].angle,
                 drawn = drawn_theta(model, x->body[1]) - drawn_theta(model, x->body[0]) + frames;
    return frames - turn * round(drawn / turn);
}

/* Whether the angle is that of the first model in all of them, whatever their parameters are. */
static int is_common(const hol__program *p, int i) {
    if (p->model->dim == 3) return p->n_models == 1;
    const double first = planar_offset(p->model, i);
    for (int k = 1; k < p->n_models; k++)
        if (fabs(planar_offset(p->models[k], i) - first) > 64 * DBL_EPSILON * turn) return 0;
    return 1;
}

static hol__ref planar(hol__program *p, int i) {
    hol__dag *d = &p->dag;
    const hol__angle *x = &p->model->angles[i];
    return hol__dag_add(d,
                        hol__dag_sub(d, p->bodies[x->body[1]].theta, p->bodies[x->body[0]].theta),
                        hol__dag_number(d, planar_offset(p->model, i)));
}

/* The relative rotation of the frames on two bodies with the quaternions p. */
static void relative(hol__program *p, const hol__ref *const of[2], const hol__marker *marker,
                     hol__ref rel[4]) {
    hol__dag *d = &p->dag;
    hol__ref frame[4], q[2][4];
    for (int k = 0; k < 2; k++) {
        for (int j = 0; j < 4; j++) frame[j] = hol__dag_number(d, marker[k].f[j]);
        hol__gquat_mul(d, of[k], frame, q[k]);
    }
    for (int j = 1; j < 4; j++) q[0][j] = hol__dag_neg(d, q[0][j]);
    hol__gquat_mul(d, q[0], q[1], rel);
}

static hol__ref spatial(hol__program *p, int i) {
    hol__dag *d = &p->dag;
    const hol__angle *x = &p->model->angles[i];
    const hol__ref *const of[2] = {p->bodies[x->body[0]].p, p->bodies[x->body[1]].p};
    hol__ref rel[4];
    relative(p, of, x->marker, rel);
    const hol__ref now =
        hol__dag_mul(d, hol__dag_number(d, 2), hol__dag_2(d, HOL__OP_ATAN2, rel[3], rel[0]));
    if (p->near[i] < 0) p->near[i] = hol__dag_input(d);
    const hol__ref turns =
        hol__dag_mul(d, hol__dag_number(d, 1 / turn), hol__dag_sub(d, now, p->near[i]));
    const hol__ref whole =
        hol__dag_1(d, HOL__OP_FLOOR, hol__dag_add(d, turns, hol__dag_number(d, 0.5)));
    return hol__dag_sub(d, now, hol__dag_mul(d, hol__dag_number(d, turn), whole));
}

/* x' = 2 (p0 p3' - p3 p0')/(p0^2 + p3^2), p' of the relative rotation from those of both bodies. */
hol__ref hol__program_angle_rate(hol__program *p, const int body[2], const hol__marker *marker) {
    hol__dag *d = &p->dag;
    const hol__gbody *b[2] = {&p->bodies[body[0]], &p->bodies[body[1]]};
    hol__ref rate[2][4], rel[4], dot[2][4];
    if (p->model->dim == 2) return hol__dag_sub(d, b[1]->w[2], b[0]->w[2]);
    for (int k = 0; k < 2; k++) {
        const hol__ref w[4] = {d->zero, b[k]->w[0], b[k]->w[1], b[k]->w[2]};
        hol__gquat_mul(d, b[k]->p, w, rate[k]); /* twice p' */
    }
    const hol__ref *const now[2] = {b[0]->p, b[1]->p}, *const first[2] = {rate[0], b[1]->p},
                          *const second[2] = {b[0]->p, rate[1]};
    relative(p, now, marker, rel);
    relative(p, first, marker, dot[0]);
    relative(p, second, marker, dot[1]);
    const hol__ref p0 = hol__dag_add(d, dot[0][0], dot[1][0]),
                   p3 = hol__dag_add(d, dot[0][3], dot[1][3]);
    return hol__dag_over(
        d, hol__dag_sub(d, hol__dag_mul(d, rel[0], p3), hol__dag_mul(d, rel[3], p0)),
        hol__dag_add(d, hol__dag_mul(d, rel[0], rel[0]), hol__dag_mul(d, rel[3], rel[3])));
}

int hol__program_has_angle(const hol__program *p, int i) {
    return !p->model->angles[i].follow && is_common(p, i);
}

hol__ref hol__program_angle(hol__program *p, int i) {
    const hol__angle *x = &p->model->angles[i];
    if (x->follow) return hol__dag_refuse(&p->dag, "it follows a place on a curve");
    if (!is_common(p, i))
        return hol__dag_refuse(&p->dag, "an angle that is counted over full turns has no formula "
                                        "of the parameters");
    if (p->angle[i] < 0) p->angle[i] = p->model->dim == 2 ? planar(p, i) : spatial(p, i);
    return p->angle[i];
}

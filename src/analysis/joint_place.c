/* joint_place.c: see joint_place.h.
 *
 * x, y, z: the frame of the joint on its first body, x2 the first direction on its second; P: the
 * points; r: mass centres, w: rates of turn.
 *
 *     angle         tan = y.x2 / x.x2     rate: (w2 - w1) . (x2 x (c y - s x)) / (c^2 + s^2)
 *                                         with c = x.x2, s = y.x2
 *     displacement  a . (P2 - P1)         rate: a . (P2' - P1') + (w1 x a) . (P2 - P1)
 *                                         with a = z (in the plane x)
 */
#include "analysis/joint_place.h"

#include "element/joints.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* What a joint has on one of its bodies, in the global frame. */
typedef struct side {
    double R[9], arm[3], point[3], x[3], y[3], axis[3];
} side;

int hol__joint_place_kind(const hol__element *joint) {
    if (!joint->params) return 0;
    return joint->type == &hol__joint_revolute ? 1 : joint->type == &hol__joint_prismatic ? 2 : 0;
}

/* A direction of the joint's frame. */
static void direction(const hol_pose *pose, const hol__marker *marker, int dim, int axis,
                      double out[3]) {
    const double c = cos(marker->angle), s = sin(marker->angle);
    const double plane[3][3] = {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
    double local[3];
    for (int k = 0; k < 3; k++) local[k] = dim == 2 ? plane[axis][k] : marker->F[3 * k + axis];
    hol__mul3(pose->R, local, out);
}

static side side_of(hol_data *data, const hol__element *e, int k) {
    const hol_model *m = data->model;
    const hol__marker *marker = &e->marker[k];
    double centre[3] = {0, 0, 0}, to[3];
    hol_pose pose;
    side out;
    hol_data_body_pose(data, e->body[k], &pose);
    if (e->body[k] < m->nb) hol__mul3(pose.R, m->bodies[e->body[k]].com, centre);
    hol__mul3(pose.R, marker->s, out.arm);
    hol__add3(pose.r, centre, to);
    hol__add3(to, out.arm, out.point);
    memcpy(out.R, pose.R, sizeof out.R);
    direction(&pose, marker, m->dim, 0, out.x);
    direction(&pose, marker, m->dim, 1, out.y);
    direction(&pose, marker, m->dim, m->dim == 2 ? 0 : 2, out.axis);
    return out;
}

double hol__joint_place(hol_data *data, const hol__element *joint) {
    const side a = side_of(data, joint, 0), b = side_of(data, joint, 1);
    double apart[3];
    hol__sub3(b.point, a.point, apart);
    return hol__joint_place_kind(joint) == 2 ? hol__dot3(a.axis, apart)
                                             : atan2(hol__dot3(a.y, b.x), hol__dot3(a.x, b.x));
}

/* The derivatives by the velocity of a body's mass centre and by its rate of turn, global frame. */
static void by_body(const side *a, const side *b, int kind, int second, double shift[3],
                    double turn[3]) {
    const double sign = second ? 1 : -1;
    double apart[3], with[3];
    hol__sub3(b->point, a->point, apart);
    if (kind == 1) {
        const double c = hol__dot3(a->x, b->x), s = hol__dot3(a->y, b->x),
                     scale = sign / (c * c + s * s);
        for (int i = 0; i < 3; i++) shift[i] = 0, with[i] = scale * (c * a->y[i] - s * a->x[i]);
        hol__cross3(b->x, with, turn);
        return;
    }
    for (int i = 0; i < 3; i++) shift[i] = sign * a->axis[i];
    hol__cross3(second ? b->arm : a->arm, shift, turn);
    if (second) return;
    hol__cross3(a->axis, apart, with);
    hol__add3(turn, with, turn);
}

int hol__joint_place_row(hol_data *data, const hol__element *joint,
                         int column[HOL__JOINT_PLACE_WIDTH], double value[HOL__JOINT_PLACE_WIDTH]) {
    const hol_model *m = data->model;
    const side part[2] = {side_of(data, joint, 0), side_of(data, joint, 1)};
    const int kind = hol__joint_place_kind(joint), swapped = joint->body[1] < joint->body[0];
    int n = 0;
    for (int i = 0; i < 2; i++) {
        const int k = swapped ? 1 - i : i, body = joint->body[k];
        double shift[3], turn[3], own[3];
        if (body >= m->nb) continue; /* ground */
        by_body(&part[0], &part[1], kind, k, shift, turn);
        hol__mul3_t(part[k].R, turn, own);
        for (int j = 0; j < m->bw; j++, n++) {
            column[n] = body * m->bw + j;
            value[n] = j < m->dim ? shift[j] : m->dim == 2 ? turn[2] : own[j - 3];
        }
    }
    return n;
}

/* bodies.c: poses and velocities of bodies in the user's frames, and forces from the caller. */
#include "base/argument.h"
#include "dyn/data.h"
#include "math/vec3.h"

#include <string.h>

static const double origin[3] = {0, 0, 0};

/* The origin of the user's frame relative to the mass centre, in the body frame. */
static void frame_origin(const hol_model *m, int body, double s[3]) {
    for (int i = 0; i < 3; i++) s[i] = body < m->nb ? -m->bodies[body].com[i] : 0;
}

/* A body of the plane as one of space. */
static hol__body3 lift(const hol__body2 *b) {
    return (hol__body3){.r = {b->r[0], b->r[1], 0},
                        .R = {b->c, -b->s, 0, b->s, b->c, 0, 0, 0, 1},
                        .v = {b->v[0], b->v[1], 0},
                        .w = {0, 0, b->w}};
}

static hol__body3 body_in_space(const hol_data *data, int body) {
    return data->bodies.b2 ? lift(&data->bodies.b2[body]) : data->bodies.b3[body];
}

/* Whether there is that body, of which ground is the last, and what the caller gives or takes. */
static hol_status check_body(const hol_data *data, const char *call, int body, const char *what,
                             const void *pointer) {
    if (!data) return HOL_ERR_ARGUMENT;
    const hol_status bad = hol__need_index(data->ctx, call, "body", body, data->model->nb + 1);
    return bad ? bad : hol__need(data->ctx, call, what, pointer);
}

hol_status hol_data_body_pose(hol_data *data, int body, hol_pose *out) {
    const hol_status status = check_body(data, "hol_data_body_pose", body, "the pose to fill", out);
    double s[3], u[3];
    if (status) return status;
    hol_data_update(data, HOL_STAGE_POS);
    const hol__body3 b = body_in_space(data, body);
    frame_origin(data->model, body, s);
    hol__mul3(b.R, s, u);
    hol__add3(b.r, u, out->r);
    memcpy(out->R, b.R, sizeof out->R);
    return HOL_OK;
}

hol_status hol_data_body_twist(hol_data *data, int body, hol_twist *out) {
    const hol_status status =
        check_body(data, "hol_data_body_twist", body, "the twist to fill", out);
    double s[3], ws[3], u[3];
    if (status) return status;
    hol_data_update(data, HOL_STAGE_VEL);
    const hol__body3 b = body_in_space(data, body);
    frame_origin(data->model, body, s);
    hol__cross3(b.w, s, ws);
    hol__mul3(b.R, ws, u);
    hol__add3(b.v, u, out->v);
    hol__mul3(b.R, b.w, out->omega);
    return HOL_OK;
}

/* w += (force, moment): in space the moment in the body frame, in the plane the one about z. */
static void add_to(const hol_data *data, const double force[3], const double moment[3], double *w) {
    if (data->bodies.b2) {
        w[0] += force[0], w[1] += force[1], w[2] += moment[2];
        return;
    }
    hol__add3(w, force, w);
    hol__add3(w + 3, moment, w + 3);
}

/* Add a force at s (from the mass centre, body frame) and a torque, both global, to Q; count their
 * power. */
static void add_wrench(hol_data *data, int body, const double *s, const double *force,
                       const double *torque) {
    const hol__body3 b = body_in_space(data, body);
    const int at = data->model->bw * body;
    double f[3], t[3], moment[3];
    hol__mul3_t(b.R, force, f);
    hol__mul3_t(b.R, torque, t);
    hol__cross3(s, f, moment);
    hol__add3(moment, t, moment);
    data->power += hol__dot3(force, b.v) + hol__dot3(moment, b.w);
    add_to(data, force, moment, data->load + at);
    add_to(data, force, moment, data->called + at);
}

hol_status hol_data_add_force(hol_data *data, int body, const double point[3],
                              const double force[3]) {
    hol_status status = check_body(data, "hol_data_add_force", body, "the force", force);
    double s[3];
    if (!status) status = hol__need(data->ctx, "hol_data_add_force", "the point", point);
    if (status) return status;
    frame_origin(data->model, body, s);
    hol__add3(s, point, s);
    add_wrench(data, body, s, force, origin);
    return HOL_OK;
}

hol_status hol_data_add_torque(hol_data *data, int body, const double torque[3]) {
    const hol_status status = check_body(data, "hol_data_add_torque", body, "the torque", torque);
    if (!status) add_wrench(data, body, origin, origin, torque);
    return status;
}

/* kinematics_check.c: whether drivers determine the motion, by name; and why one cannot go on. */
#include "analysis/actuated.h"
#include "analysis/kinematics.h"

#include "la/dense.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what cannot be followed ---- */

/* Joints that come and go, or push only. */
static hol_status check_joints(const hol_sim *sim) {
    const hol_model *m = sim->whole;
    for (int i = 0; i < m->n_joints; i++) {
        const hol__element *e = &m->joints[i];
        if (!e->active && !e->by_event && !e->rigid) continue;
        return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_INPUT, &e->where, e->label,
                           "%s, so that the constraints do not determine the motion by "
                           "themselves: use holonom run",
                           e->rigid ? "pushes and does not pull"
                                    : "takes hold and lets go during the motion");
    }
    return HOL_OK;
}

/* The first body without mass; reported where loads are asked for. */
static hol_status check_masses(hol__kinematics *k) {
    const hol_model *m = k->sim->model;
    for (int i = m->nb - 1; i >= 0; i--)
        if (m->bodies[i].massless) k->massless = i;
    if (k->massless < 0) return HOL_OK;
    const hol__body *b = &m->bodies[k->massless];
    if (k->how.loads)
        return hol__report(k->sim->ctx, HOL_ERROR, HOL_ERR_INPUT, &b->where, b->label,
                           "has no mass or no inertia, which loads need: give both, or leave out "
                           "the loads");
    return HOL_OK;
}

/* Forces with states of their own have a history, which loads would need. */
static hol_status check_states(hol__kinematics *k) {
    const hol_model *m = k->sim->model;
    for (int i = 0; i < m->n_forces && k->how.loads; i++)
        if (m->forces[i].n_aux)
            return hol__report(k->sim->ctx, HOL_ERROR, HOL_ERR_INPUT, &m->forces[i].where,
                               m->forces[i].label,
                               "has a state that changes with time, on which its load depends: "
                               "use holonom run for the loads");
    return HOL_OK;
}

/* ---- freedoms ---- */

/* The angle and displacement of two bodies against each other in the motion in data. */
static double relative_speed(hol_data *data, const hol__element *e) {
    hol_twist x, y;
    double sum = 0;
    hol_data_body_twist(data, e->body[0], &x);
    hol_data_body_twist(data, e->body[1], &y);
    for (int i = 0; i < 3; i++) sum += fabs(x.omega[i] - y.omega[i]);
    if (sum > 0) return sum;
    for (int i = 0; i < 3; i++) sum += fabs(x.v[i] - y.v[i]) / data->model->length;
    return sum;
}

/* The joint that a driver could move, by the free motion in data: one between ground and a body
 * where there is one; -1: none. */
static int joint_to_drive(hol_data *data) {
    const hol_model *m = data->model;
    int best = -1;
    double most = 1e-9;
    for (int i = 0; i < m->n_joints; i++) {
        const hol__element *e = &m->joints[i];
        if (!e->params ||
            (strcmp(e->type->name, "revolute") != 0 && strcmp(e->type->name, "prismatic") != 0))
            continue;
        const double to_ground = e->body[0] == m->nb || e->body[1] == m->nb ? 1e3 : 1,
                     speed = to_ground * relative_speed(data, e);
        if (speed > most * (1 + 1e-6)) most = speed, best = i;
    }
    return best;
}

/* A motion that the constraints leave free into the velocities of data. */
static hol_status free_motion(hol__kinematics *k) {
    hol_data *data = k->sim->data;
    const hol_model *m = data->model;
    const int rows = m->m > 0 ? m->m : 1;
    hol__svd *svd = hol__svd_new(&k->arena, rows, m->nv);
    double *v = HOL__NEW_N(&k->arena, double, m->nv);
    if (!svd || !v) return HOL_ERR_MEMORY;
    hol_data_update(data, HOL_STAGE_POS);
    memset(svd->a, 0, sizeof(double) * (size_t)rows * (size_t)m->nv);
    for (int i = 0; i < m->m; i++)
        for (int j = data->A.ptr[i]; j < data->A.ptr[i + 1]; j++)
            svd->a[(size_t)i + (size_t)rows * (size_t)data->A.idx[j]] = data->A.x[j];
    if (hol__svd_factor(svd)) return HOL_ERR_SINGULAR;
    for (int i = 0; i < m->nv; i++) v[i] = svd->vt[(size_t)(m->nv - 1) + (size_t)m->nv * (size_t)i];
    hol_data_set(data, data->t, NULL, v);
    return hol_data_update(data, HOL_STAGE_VEL);
}

/* The name of a body that the motion in data moves. */
static const char *moving_body(hol_data *data) {
    const hol_model *m = data->model;
    int at = 0;
    double most = 0;
    for (int i = 0; i < m->nb; i++) {
        hol_twist x;
        hol_data_body_twist(data, i, &x);
        const double speed = fabs(x.v[0]) + fabs(x.v[1]) + fabs(x.v[2]);
        if (speed > most) most = speed, at = i;
    }
    return m->nb ? m->bodies[at].name : "";
}

/* How fast a body moves by the motion in data, in turns and lengths of the mechanism. */
static double body_speed(hol_data *data, int body) {
    hol_twist x;
    double sum = 0;
    hol_data_body_twist(data, body, &x);
    for (int c = 0; c < 3; c++) sum += fabs(x.omega[c]) + fabs(x.v[c]) / data->model->length;
    return sum;
}

/* "'a', 'b' and 3 more": the bodies that the motion in data moves; slower than the square root of
 * rounding beside the fastest is none. */
static void list_bodies(hol_data *data, char *list, size_t size) {
    const hol_model *m = data->model;
    double most = 0;
    size_t used = 0;
    int n = 0;
    list[0] = '\0';
    for (int i = 0; i < m->nb; i++) most = fmax(most, body_speed(data, i));
    for (int i = 0; i < m->nb; i++) {
        if (!(body_speed(data, i) > sqrt(DBL_EPSILON) * most) || ++n > 5 || used + 1 >= size)
            continue;
        used += (size_t)snprintf(list + used, size - used, "%s'%.60s'", n > 1 ? ", " : "",
                                 m->bodies[i].name);
    }
    if (n > 5 && used < size) snprintf(list + used, size - used, " and %d more", n - 5);
}

/* Freedoms without a driver. */
static hol_status report_missing(hol__kinematics *k, int missing, int drivers) {
    hol_data *data = k->sim->data;
    char bodies[512], advice[256] = "";
    const hol_status status = free_motion(k);
    if (status) return status;
    list_bodies(data, bodies, sizeof bodies);
    const int joint = joint_to_drive(data);
    if (joint >= 0)
        snprintf(advice, sizeof advice,
                 ", for example drive: {type: motor, joint: %.80s, angle: %s}",
                 data->model->joints[joint].name,
                 data->model->joints[joint].slides ? "0.1*sin(t)" : "2*pi*t");
    else
        snprintf(advice, sizeof advice,
                 ", or to coordinates of bodies, for example drive: {type: driver, body: %.80s, "
                 "component: x, position: 0.1*sin(t)}",
                 moving_body(data));
    return hol__report(k->sim->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "kinematics",
                       "%d driver%s and %d freedom%s: the motion is not determined, and %s can "
                       "move while all drivers stand still; add %d driver%s to the joints%s",
                       drivers, drivers == 1 ? "" : "s", drivers + missing,
                       drivers + missing == 1 ? "" : "s", bodies, missing, missing == 1 ? "" : "s",
                       advice);
}

/* Drivers whose rows depend on joints and other drivers. */
static hol_status check_surplus(const hol__kinematics *k) {
    const hol_data *data = k->sim->data;
    const hol_model *m = data->model;
    hol_status status = HOL_OK;
    for (int i = 0; i < m->m; i++) {
        const hol__element *e = m->row_joint[i] < 0 ? NULL : &m->joints[m->row_joint[i]];
        if (!e || !hol__is_driver(m, e->index) || !data->redundant_rows[i]) continue;
        status = hol__report(k->sim->ctx, HOL_ERROR, HOL_ERR_INPUT, &e->where, e->label,
                             "is one driver too many: the joints and the other drivers determine "
                             "what it prescribes; leave it out, or another driver");
    }
    return status;
}

hol_status hol__kinematics_check(hol__kinematics *k) {
    hol_sim *sim = k->sim;
    hol__drive *drives;
    int drivers = 0;
    hol_status status = check_joints(sim);
    if (!status) status = check_masses(k);
    if (!status) status = check_states(k);
    if (status) return status;
    const int rates = hol__drives_find(&k->arena, sim->data, &drives);
    if (rates < 0) return rates == -1 ? HOL_ERR_INPUT : HOL_ERR_MEMORY;
    for (int i = 0; i < sim->model->n_joints; i++) drivers += hol__is_driver(sim->model, i);
    if (sim->rank.dof > 0) return report_missing(k, sim->rank.dof, drivers);
    return check_surplus(k);
}

/* ---- dead points ---- */

/* "joint 'A', joint 'B'": what else holds against the driver. */
static void list_others(const hol_model *m, const double *y, int driver, char *list, size_t size) {
    size_t used = 0;
    int n = 0, last = -1;
    snprintf(list, size, "what it moves");
    for (int i = 0; i < m->m; i++) {
        const int joint = m->row_joint[i];
        if (joint < 0 || joint == driver || joint == last || !(fabs(y[i]) > 1e-3)) continue;
        last = joint;
        if (++n > 5 || used + 1 >= size) continue;
        used += (size_t)snprintf(list + used, size - used, "%s%.80s", n > 1 ? ", " : "",
                                 m->joints[joint].label);
    }
}

/* The driver whose rows have the largest share of y, -1: none. */
static int worst_driver(const hol_model *m, const double *y) {
    double most = 1e-6;
    int driver = -1;
    for (int i = 0; i < m->m; i++) {
        const int joint = m->row_joint[i];
        if (joint < 0 || !hol__is_driver(m, joint) || !(fabs(y[i]) > most)) continue;
        most = fabs(y[i]);
        driver = joint;
    }
    return driver;
}

int hol__kinematics_ended(hol__kinematics *k, double t) {
    hol_data *data = k->sim->data;
    const double reached = data->t;
    hol_data_set(data, t, NULL, NULL);
    const hol__element *e = hol__data_blame(data);
    const int found = e && hol__data_report_culprit(data, e, t);
    hol_data_set(data, reached, NULL, NULL);
    return found;
}

hol_status hol__kinematics_ahead(hol__kinematics *k, double t) {
    double when;
    const hol__element *e = hol__data_driver_breaks(k->sim->data, k->follow->at.t, t, &when);
    if (!e) return HOL_OK;
    if (!hol__kinematics_ended(k, when))
        hol__data_report_break(k->sim->data, e, when, HOL_ERR_SINGULAR);
    return HOL_ERR_SINGULAR;
}

hol_status hol__kinematics_stuck(hol__kinematics *k) {
    hol_data *data = k->sim->data;
    const hol_model *m = data->model;
    char list[512];
    double *y = HOL__NEW_N(&k->arena, double, m->m), value;
    int turns;
    if (!y) return HOL_ERR_MEMORY;
    const hol_status status = k->follow ? hol__follow_blocked(k->follow, y) : HOL_ERR_SINGULAR;
    const int driver = status ? -1 : worst_driver(m, y);
    if (driver < 0)
        return hol__report(k->sim->ctx, HOL_ERROR, HOL_ERR_SINGULAR, NULL, "kinematics",
                           "the positions at t = %.9g are singular and do not tell how the motion "
                           "goes on; start from another position",
                           data->t);
    const hol__element *e = &m->joints[driver];
    list_others(m, y, driver, list, sizeof list);
    hol_data_update(data, HOL_STAGE_POS);
    if (!hol__driver_value(data, driver, &value, &turns)) value = NAN, turns = 0;
    return hol__report(
        k->sim->ctx, HOL_ERROR, HOL_ERR_SINGULAR, &e->where, e->label,
        "comes to a dead point at t = %.9g, where it has reached %.9g %s, and cannot "
        "go on: it is stopped by %s. Drive another joint, or let it turn back "
        "before",
        data->t, value, turns ? "rad" : "m", list);
}

/* carrier.c: what the screw motions and the spins of a steady motion do. See carrier.h. */
#include "analysis/carrier_solid.h"

#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

hol__carrier hol__carrier_new(const hol_model *m, hol__arena *arena) {
    return (hol__carrier){.part = HOL__NEW_N(arena, int, m->nb + 1),
                          .screw = HOL__NEW_N(arena, double, 6 * m->nb + 1),
                          .spin = HOL__NEW_N(arena, double, 3 * m->nb + 1)};
}

void hol__carrier_copy(const hol_model *m, const hol__carrier *from, hol__carrier *to) {
    const size_t n = (size_t)m->nb;
    to->parts = from->parts;
    to->moving = from->moving;
    to->repeats = from->repeats;
    if (!n) return;
    memcpy(to->part, from->part, sizeof(int) * n);
    memcpy(to->screw, from->screw, sizeof(double) * 6 * n);
    memcpy(to->spin, from->spin, sizeof(double) * 3 * n);
}

double hol__motion_largest(const hol_model *m, const double *x) {
    double most = 0;
    for (int i = 0; i < m->bw * m->nb; i++)
        most = fmax(most, fabs(x[i]) * (hol__is_length(m, i) ? 1 : hol__mechanism_size(m)));
    return most;
}

/* The largest acceleration that gravity or one force by itself would give a body. */
static double pulled(hol_data *data) {
    const hol_model *m = data->model;
    double g[3];
    hol_model_gravity(m, g);
    double most = hol__norm3(g);
    for (int i = 0; i < m->n_forces; i++) {
        hol__data_force_wrench(data, i);
        for (int k = 0; k < 2; k++) {
            const int body = m->forces[i].body[k];
            if (body < 0 || body >= m->nb || !(m->bodies[body].mass > 0)) continue;
            const double force = hol__norm(data->wrench + m->bw * body, m->dim);
            if (isfinite(force)) most = fmax(most, force / m->bodies[body].mass);
        }
    }
    return most;
}

void hol__motion_scales(hol_data *data, double *speed, double *acceleration) {
    const hol_model *m = data->model;
    const double L = hol__mechanism_size(m);
    *speed = 0;
    *acceleration = pulled(data);
    for (int i = 0; i < m->nb; i++) {
        const double *load = data->load + m->bw * i, mass = m->bodies[i].mass;
        const hol__body2 *b2 = data->bodies.b2 ? &data->bodies.b2[i] : NULL;
        const hol__body3 *b3 = b2 ? NULL : &data->bodies.b3[i];
        const double v = b2 ? hypot(b2->v[0], b2->v[1]) : hol__norm3(b3->v),
                     w = b2 ? fabs(b2->w) : hol__norm3(b3->w);
        *speed = fmax(*speed, fmax(v, L * w));
        *acceleration = fmax(*acceleration, fmax(w * v, L * w * w));
        if (mass > 0) *acceleration = fmax(*acceleration, hol__norm(load, m->dim) / mass);
    }
    *acceleration = fmax(*acceleration, hol__motion_largest(m, data->acc));
}

hol__solid hol__solid_of(const hol_data *data, int i) {
    hol__solid s = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const int bw = data->model->bw;
    const double *acc = data->acc + bw * i;
    if (data->bodies.b2) {
        const hol__body2 *b = &data->bodies.b2[i];
        const double R[9] = {b->c, -b->s, 0, b->s, b->c, 0, 0, 0, 1};
        memcpy(s.R, R, sizeof R);
        memcpy(s.r, b->r, sizeof b->r);
        memcpy(s.v, b->v, sizeof b->v);
        s.w[2] = b->w;
        s.a[0] = acc[0], s.a[1] = acc[1], s.alpha[2] = acc[2];
        return s;
    }
    const hol__body3 *b = &data->bodies.b3[i];
    memcpy(s.r, b->r, sizeof s.r);
    memcpy(s.R, b->R, sizeof s.R);
    memcpy(s.v, b->v, sizeof s.v);
    memcpy(s.w, b->w, sizeof s.w);
    memcpy(s.a, acc, sizeof s.a);
    memcpy(s.alpha, acc + 3, sizeof s.alpha);
    return s;
}

/* The bw numbers of a body as two vectors, and back. */
static void unpack(int bw, const double *x, double *linear, double *angular) {
    memset(linear, 0, 3 * sizeof *linear);
    memset(angular, 0, 3 * sizeof *angular);
    memcpy(linear, x, sizeof(double) * (bw == 3 ? 2 : 3));
    if (bw == 3)
        angular[2] = x[2];
    else
        memcpy(angular, x + 3, 3 * sizeof(double));
}

static void pack(int bw, const double *linear, const double *angular, double *x) {
    memcpy(x, linear, sizeof(double) * (bw == 3 ? 2 : 3));
    if (bw == 3)
        x[2] = angular[2];
    else
        memcpy(x + 3, angular, 3 * sizeof(double));
}

/* ---- using it ---- */

void hol__carrier_residual(const hol__carrier *carrier, hol_data *data, double *dV, double *dacc) {
    const int bw = data->model->bw;
    hol__data_accelerations(data);
    for (int i = 0; i < data->model->nb; i++) {
        const hol__solid s = hol__solid_of(data, i);
        const double *spin = carrier->spin + 3 * i, *u = hol__carrier_screw(carrier, i),
                     *omega = u + 3;
        double x[3], y[3];
        hol__cross3(omega, s.r, x);
        hol__mul3_t(s.R, omega, y);
        for (int k = 0; k < 3; k++) x[k] = s.v[k] - u[k] - x[k], y[k] = s.w[k] - y[k] - spin[k];
        pack(bw, x, y, dV + bw * i);
        hol__cross3(omega, s.v, x);
        hol__cross3(s.w, spin, y);
        for (int k = 0; k < 3; k++) x[k] = s.a[k] - x[k], y[k] = s.alpha[k] - y[k];
        pack(bw, x, y, dacc + bw * i);
    }
}

void hol__carrier_rates(const hol__carrier *carrier, const hol_data *data, const double *dx,
                        const double *dV, const double *dacc, double *x_rate, double *V_rate) {
    const int bw = data->model->bw;
    for (int i = 0; i < data->model->nb; i++) {
        const hol__solid s = hol__solid_of(data, i);
        const double *omega = hol__carrier_screw(carrier, i) + 3;
        double turn[3], linear[3], angular[3], of_linear[3], of_angular[3], x[3], y[3];
        hol__mul3_t(s.R, omega, turn);
        unpack(bw, dx + bw * i, linear, angular);
        hol__cross3(omega, linear, of_linear);
        hol__cross3(turn, angular, of_angular);
        unpack(bw, dV + bw * i, linear, angular);
        for (int k = 0; k < 3; k++)
            x[k] = linear[k] - of_linear[k], y[k] = angular[k] - of_angular[k];
        pack(bw, x, y, x_rate + bw * i);
        hol__cross3(omega, linear, of_linear);
        hol__cross3(angular, carrier->spin + 3 * i, of_angular);
        unpack(bw, dacc + bw * i, linear, angular);
        for (int k = 0; k < 3; k++)
            x[k] = linear[k] - of_linear[k], y[k] = angular[k] - of_angular[k];
        pack(bw, x, y, V_rate + bw * i);
    }
}

/* ---- moving on ---- */

/* r <- exp(tau (u, Omega)) r. */
static void move_point(const double *u, double tau, const double *E, double *r) {
    const double *omega = u + 3, rate = hol__norm3(omega);
    double turned_r[3], side[3];
    hol__mul3(E, r, turned_r);
    for (int k = 0; k < 3; k++) r[k] = turned_r[k] + tau * u[k];
    if (!(rate > 0)) return;
    const double sine = sin(rate * tau) / rate, versine = (1 - cos(rate * tau)) / (rate * rate),
                 along = hol__dot3(omega, u) / (rate * rate);
    hol__cross3(omega, u, side);
    for (int k = 0; k < 3; k++)
        r[k] += (sine - tau) * u[k] + versine * side[k] + (tau - sine) * along * omega[k];
}

/* The quaternion of exp(tau x). */
static void turn_by(const double *x, double tau, double *p) {
    const double angle[3] = {tau * x[0], tau * x[1], tau * x[2]};
    hol__quat_exp(angle, p);
}

static void move_body(const hol__carrier *carrier, double tau, int i, hol__bodies *bodies) {
    const double *spin = carrier->spin + 3 * i, *screw = hol__carrier_screw(carrier, i);
    double p[4], E[9], s[4], S[9], x[3];
    turn_by(screw + 3, tau, p);
    hol__quat_matrix(p, E);
    turn_by(spin, tau, s);
    hol__quat_matrix(s, S);
    if (bodies->b2) {
        hol__body2 *b = &bodies->b2[i];
        const double v[3] = {b->v[0], b->v[1], 0};
        double r[3] = {b->r[0], b->r[1], 0};
        move_point(screw, tau, E, r);
        hol__mul3(E, v, x);
        memcpy(b->r, r, sizeof b->r);
        memcpy(b->v, x, sizeof b->v);
        b->theta += tau * (screw[5] + spin[2]);
        b->c = cos(b->theta), b->s = sin(b->theta);
        return;
    }
    hol__body3 *b = &bodies->b3[i];
    double ps[4];
    move_point(screw, tau, E, b->r);
    hol__mul3(E, b->v, x);
    memcpy(b->v, x, sizeof x);
    hol__mul3_t(S, b->w, x);
    memcpy(b->w, x, sizeof x);
    hol__quat_mul(b->p, s, ps);
    hol__quat_mul(p, ps, b->p);
    hol__quat_normalize(b->p);
    hol__quat_matrix(b->p, b->R);
}

void hol__carrier_move(const hol__carrier *carrier, hol_data *from, double tau, hol_data *to) {
    const hol_model *m = from->model;
    hol_data_update(from, HOL_STAGE_VEL);
    hol_data_copy(to, from);
    hol_data_update(to, HOL_STAGE_VEL);
    for (int i = 0; i < m->nb; i++) move_body(carrier, tau, i, &to->bodies);
    if (m->coords->maps)
        m->coords->maps->from_bodies(m, &to->bodies, to->q, to->v);
    else
        hol__data_bodies_state(to, to->q, to->v);
    for (int i = 0; to->bodies.b2 && !m->coords->maps && i < m->nb; i++)
        to->q[3 * i + 2] -= to->bodies.b2[i].turn;
    hol_data_set(to, from->t + tau, NULL, NULL);
}

void hol__carrier_turn(const hol__carrier *carrier, const hol_model *m, double tau, double *dx,
                       double *dV) {
    double p[4], E[9], s[4], S[9], linear[3], angular[3], x[3], y[3];
    for (int i = 0; i < m->nb; i++) {
        double *const of[2] = {dx + m->bw * i, dV + m->bw * i};
        turn_by(hol__carrier_screw(carrier, i) + 3, tau, p);
        hol__quat_matrix(p, E);
        turn_by(carrier->spin + 3 * i, tau, s);
        hol__quat_matrix(s, S);
        for (int k = 0; k < 2; k++) {
            unpack(m->bw, of[k], linear, angular);
            hol__mul3(E, linear, x);
            hol__mul3_t(S, angular, y);
            pack(m->bw, x, y, of[k]);
        }
    }
}

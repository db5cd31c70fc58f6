/* carrier.c: the screw motion and the spins of a steady motion. See carrier.h. */
#include "analysis/carrier.h"

#include "la/cod.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

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

/* One body in three components, plane or space. */
typedef struct solid {
    double r[3], R[9], v[3], w[3], a[3], alpha[3];
} solid;

static solid solid_of(const hol_data *data, int i) {
    solid s = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
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

/* ---- finding it ---- */

/* Least squares for (u L^-1, Omega), with equations that are added one vector at a time. */
typedef struct fit {
    hol__cod *cod;
    double *b;
    int row, rows, columns;
    const int *column; /* which of the six unknowns */
} fit;

/* Three equations: [U W] (u, Omega) = b, matrices row-major 3 x 3 (NULL: zero). */
static void equate(fit *f, const double *U, const double *W, const double *b, double weight) {
    for (int i = 0; i < 3; i++, f->row++) {
        for (int c = 0; c < f->columns; c++) {
            const int k = f->column[c];
            const double *const from = k < 3 ? U : W;
            f->cod->qr->a[c * f->rows + f->row] = from ? weight * from[3 * i + k % 3] : 0;
        }
        f->b[f->row] = weight * b[i];
    }
}

/* - [x]: Omega -> Omega x x. */
static void turned(const double *x, double *W) {
    hol__skew3(x, W);
    for (int i = 0; i < 9; i++) W[i] = -W[i];
}

/* R^T as a matrix. */
static void turned_back(const double *R, double *RT) {
    for (int j = 0; j < 9; j++) RT[j] = R[3 * (j % 3) + j / 3];
}

/* All equations of all bodies; L makes lengths of angles. */
static void equations(fit *f, const hol_data *data, int still, double L) {
    const double U[9] = {L, 0, 0, 0, L, 0, 0, 0, L};
    for (int i = 0; i < data->model->nb; i++) {
        const solid s = solid_of(data, i);
        double W[9], K[9], RT[9], skew[9];
        turned(s.r, W);
        equate(f, U, W, s.v, 1 / L);
        if (still) continue;
        turned(s.v, W);
        equate(f, NULL, W, s.a, 1 / L);
        turned_back(s.R, RT);
        hol__skew3(s.w, skew); /* omega' = omega x s = - omega x R^T Omega */
        hol__mat3_mul(skew, RT, K);
        for (int j = 0; j < 9; j++) K[j] = -K[j];
        equate(f, NULL, K, s.alpha, 1);
    }
}

/* Where a joint holds a body to ground; 0: it does not. */
static int ground_point(const hol_data *data, int joint, double *P) {
    hol_element_info info = {.size = sizeof info};
    const int ground = data->model->nb;
    if (hol_model_joint_describe(data->model, joint, &info)) return 0;
    const int end = info.body[0] == ground ? 0 : 1;
    if (info.body[end] != ground || info.body[1 - end] == ground) return 0;
    memcpy(P, info.point[end], sizeof info.point[end]);
    return 1;
}

/* What the choice among the solutions makes small: the spins; Omega; or what of Omega is not along
 * gravity, and the velocity of the points at which joints hold something to ground. */
static void wishes(fit *f, const hol_data *data, int which) {
    const double none[3] = {0, 0, 0}, L = hol__mechanism_size(data->model),
                 unit[9] = {L, 0, 0, 0, L, 0, 0, 0, L};
    double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, g[3];
    hol_model_gravity(data->model, g);
    const double square = hol__dot3(g, g);
    for (int j = 0; which == 2 && square > 0 && j < 9; j++) one[j] -= g[j / 3] * g[j % 3] / square;
    for (int i = 0; i < data->model->nb; i++) {
        const solid s = solid_of(data, i);
        double RT[9];
        turned_back(s.R, RT);
        equate(f, NULL, which ? one : RT, which ? none : s.w, 1);
    }
    for (int i = 0; i < data->model->n_joints; i++) {
        double P[3], W[9];
        const int held = which == 2 && ground_point(data, i, P);
        if (held) turned(P, W);
        equate(f, held ? unit : NULL, held ? W : NULL, none, 1 / L);
    }
}

/* Room for equations. */
static int fit_new(fit *f, int rows, int columns, const int *column, hol__arena *arena) {
    *f = (fit){.rows = rows, .columns = columns, .column = column};
    f->cod = hol__cod_new(arena, rows, columns);
    f->b = HOL__NEW_N(arena, double, rows);
    return f->cod && f->b;
}

/* x += Z c with the c for which the wishes are met best; Z: the null space of the equations. */
static hol_status choose(fit *f, const hol_data *data, int which, hol__arena *arena, double *x) {
    const int free = f->columns - f->cod->rank,
              rows = 3 * (data->model->nb + data->model->n_joints);
    double Z[36], c[6];
    fit wish;
    hol__cod *cod = hol__cod_new(arena, rows, free);
    if (!cod || !fit_new(&wish, rows, f->columns, f->column, arena)) return HOL_ERR_MEMORY;
    for (int k = 0; k < free; k++) hol__cod_null_vector(f->cod, k, Z + f->columns * k);
    wishes(&wish, data, which);
    hol__dense_product(0, 0, rows, free, f->columns, wish.cod->qr->a, Z, cod->qr->a);
    hol__dense_mul(rows, f->columns, -1, wish.cod->qr->a, x, 1, wish.b);
    if (hol__cod_factor(cod)) return HOL_ERR_SINGULAR;
    hol__cod_truncate(cod, hol__cod_rank(cod, 1e-9));
    hol__cod_solve(cod, wish.b, c);
    hol__dense_mul(f->columns, free, 1, Z, c, 1, x);
    return HOL_OK;
}

static hol_status solve(hol_data *data, int which, int still, hol__arena *arena,
                        hol__carrier *out) {
    static const int all[] = {0, 1, 2, 3, 4, 5}, plane[] = {0, 1, 5};
    const hol_model *m = data->model;
    const int flat = m->dim == 2;
    const double L = hol__mechanism_size(m);
    double x[6] = {0};
    fit f;
    if (!fit_new(&f, (still ? 3 : 9) * m->nb, flat ? 3 : 6, flat ? plane : all, arena))
        return HOL_ERR_MEMORY;
    equations(&f, data, still, L);
    if (hol__cod_factor(f.cod)) return HOL_ERR_SINGULAR;
    hol__cod_truncate(f.cod, hol__cod_rank(f.cod, 1e-9));
    hol__cod_solve(f.cod, f.b, x);
    const hol_status status = f.cod->rank < f.columns ? choose(&f, data, which, arena, x) : HOL_OK;
    for (int c = 0; c < f.columns && !status; c++) {
        const int k = f.column[c];
        if (k < 3)
            out->u[k] = x[c] * L;
        else
            out->omega[k - 3] = x[c];
    }
    return status;
}

/* Numbers that are rounding of the velocities are none. */
static void clean(hol_data *data, hol__carrier *out) {
    const hol_model *m = data->model;
    const double L = hol__mechanism_size(m);
    double speed, acceleration;
    hol__motion_scales(data, &speed, &acceleration);
    /* below 1e-9 rad/s nothing turns within a lifetime */
    const double fastest = fmax(fmax(speed / L, sqrt(acceleration / L)), 1e-9);
    for (int k = 0; k < 3; k++) {
        if (fabs(out->u[k]) <= 1e-12 * L * fastest) out->u[k] = 0;
        if (fabs(out->omega[k]) <= 1e-12 * fastest) out->omega[k] = 0;
    }
    for (int i = 0; i < m->nb; i++) {
        const solid s = solid_of(data, i);
        double turn[3];
        hol__mul3_t(s.R, out->omega, turn);
        for (int k = 0; k < 3; k++) {
            out->spin[3 * i + k] = s.w[k] - turn[k];
            if (fabs(out->spin[3 * i + k]) <= 1e-12 * fastest) out->spin[3 * i + k] = 0;
            if (out->spin[3 * i + k] != 0 || out->u[k] != 0 || out->omega[k] != 0) out->moving = 1;
        }
    }
}

hol_status hol__carrier_find(hol_data *data, int which, int still, hol__arena *arena,
                             hol__carrier *out) {
    memset(out, 0, sizeof *out);
    out->spin = HOL__NEW_N(arena, double, 3 * data->model->nb + 1);
    if (!out->spin) return HOL_ERR_MEMORY;
    if (!data->model->nb) return HOL_OK;
    hol__data_accelerations(data);
    const hol_status status = solve(data, which, still, arena, out);
    if (!status) clean(data, out);
    return status;
}

/* ---- using it ---- */

void hol__carrier_residual(const hol__carrier *carrier, hol_data *data, double *dV, double *dacc) {
    const int bw = data->model->bw;
    hol__data_accelerations(data);
    for (int i = 0; i < data->model->nb; i++) {
        const solid s = solid_of(data, i);
        const double *spin = carrier->spin + 3 * i;
        double x[3], y[3];
        hol__cross3(carrier->omega, s.r, x);
        hol__mul3_t(s.R, carrier->omega, y);
        for (int k = 0; k < 3; k++)
            x[k] = s.v[k] - carrier->u[k] - x[k], y[k] = s.w[k] - y[k] - spin[k];
        pack(bw, x, y, dV + bw * i);
        hol__cross3(carrier->omega, s.v, x);
        hol__cross3(s.w, spin, y);
        for (int k = 0; k < 3; k++) x[k] = s.a[k] - x[k], y[k] = s.alpha[k] - y[k];
        pack(bw, x, y, dacc + bw * i);
    }
}

void hol__carrier_rates(const hol__carrier *carrier, const hol_data *data, const double *dx,
                        const double *dV, const double *dacc, double *x_rate, double *V_rate) {
    const int bw = data->model->bw;
    for (int i = 0; i < data->model->nb; i++) {
        const solid s = solid_of(data, i);
        double turn[3], linear[3], angular[3], of_linear[3], of_angular[3], x[3], y[3];
        hol__mul3_t(s.R, carrier->omega, turn);
        unpack(bw, dx + bw * i, linear, angular);
        hol__cross3(carrier->omega, linear, of_linear);
        hol__cross3(turn, angular, of_angular);
        unpack(bw, dV + bw * i, linear, angular);
        for (int k = 0; k < 3; k++)
            x[k] = linear[k] - of_linear[k], y[k] = angular[k] - of_angular[k];
        pack(bw, x, y, x_rate + bw * i);
        hol__cross3(carrier->omega, linear, of_linear);
        hol__cross3(angular, carrier->spin + 3 * i, of_angular);
        unpack(bw, dacc + bw * i, linear, angular);
        for (int k = 0; k < 3; k++)
            x[k] = linear[k] - of_linear[k], y[k] = angular[k] - of_angular[k];
        pack(bw, x, y, V_rate + bw * i);
    }
}

/* ---- moving on ---- */

/* r <- exp(tau (u, Omega)) r. */
static void move_point(const hol__carrier *carrier, double tau, const double *E, double *r) {
    const double *u = carrier->u, *omega = carrier->omega, rate = hol__norm3(omega);
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
    const double *spin = carrier->spin + 3 * i;
    double p[4], E[9], s[4], S[9], x[3];
    turn_by(carrier->omega, tau, p);
    hol__quat_matrix(p, E);
    turn_by(spin, tau, s);
    hol__quat_matrix(s, S);
    if (bodies->b2) {
        hol__body2 *b = &bodies->b2[i];
        const double v[3] = {b->v[0], b->v[1], 0};
        double r[3] = {b->r[0], b->r[1], 0};
        move_point(carrier, tau, E, r);
        hol__mul3(E, v, x);
        memcpy(b->r, r, sizeof b->r);
        memcpy(b->v, x, sizeof b->v);
        b->theta += tau * (carrier->omega[2] + spin[2]);
        b->c = cos(b->theta), b->s = sin(b->theta);
        return;
    }
    hol__body3 *b = &bodies->b3[i];
    double ps[4];
    move_point(carrier, tau, E, b->r);
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
    turn_by(carrier->omega, tau, p);
    hol__quat_matrix(p, E);
    for (int i = 0; i < m->nb; i++) {
        double *const of[2] = {dx + m->bw * i, dV + m->bw * i};
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

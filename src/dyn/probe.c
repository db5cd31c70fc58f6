/* probe.c: bodies moved a little, with what depends on them alone. See probe.h. */
#include "dyn/probe.h"

#include "math/quat.h"

#include <string.h>

const struct hol__stencil_point hol__stencil[HOL__STENCIL] = {
    {1, 8.0 / 12}, {-1, -8.0 / 12}, {2, -1.0 / 12}, {-2, 1.0 / 12}};

const struct hol__stencil_point hol__sides[HOL__SIDES][HOL__SIDE_POINTS] = {
    {{1, 8.0 / 12}, {-1, -8.0 / 12}, {2, -1.0 / 12}, {-2, 1.0 / 12}},
    {{0, -25.0 / 12}, {1, 48.0 / 12}, {2, -36.0 / 12}, {3, 16.0 / 12}, {4, -3.0 / 12}},
    {{0, 25.0 / 12}, {-1, -48.0 / 12}, {-2, 36.0 / 12}, {-3, -16.0 / 12}, {-4, 3.0 / 12}}};

int hol__finite_column(int n, const double *x, int stride) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += 0 * x[(size_t)i * (size_t)stride];
    return sum == 0;
}

/* Steps as shares of their scales: a length of the mechanism, a radian, a second, the speeds of the
 * state. */
static const double share = 1e-4, share_turn = 1e-3;

/* Tracked angles by body. */
static int list_angles(hol__probe *p, hol__arena *arena) {
    const hol_model *m = p->model;
    p->angle_ptr = HOL__NEW_N(arena, int, m->nb + 2);
    p->angle_of = HOL__NEW_N(arena, int, 2 * m->n_angles + 1);
    if (!p->angle_ptr || !p->angle_of) return 0;
    int n = 0;
    for (int body = 0; body <= m->nb; body++) {
        p->angle_ptr[body] = n;
        for (int i = 0; i < m->n_angles; i++)
            if (m->angles[i].body[0] == body || m->angles[i].body[1] == body) p->angle_of[n++] = i;
    }
    p->angle_ptr[m->nb + 1] = n;
    return 1;
}

int hol__probe_init(hol__probe *p, hol__arena *arena, const hol_model *m) {
    const size_t n = (size_t)m->nb + 1, rows = (size_t)m->m, entries = (size_t)m->G.ptr[m->m];
    *p = (hol__probe){.model = m};
    if (m->dim == 2)
        p->bodies.b2 = HOL__NEW_N(arena, hol__body2, n);
    else
        p->bodies.b3 = HOL__NEW_N(arena, hol__body3, n);
    p->angles = HOL__NEW_N(arena, double, m->n_angles);
    p->inputs = HOL__NEW_N(arena, double, m->n_inputs);
    p->scratch = HOL__NEW_N(arena, double, m->n_corners + m->scratch);
    if (p->scratch) p->scratch += m->n_corners;
    p->aux = HOL__NEW_N(arena, double, m->n_aux);
    p->aux_rate = HOL__NEW_N(arena, double, m->n_aux);
    p->wrench = HOL__NEW_N(arena, double, n *(size_t)m->bw);
    p->Phi = HOL__NEW_N(arena, double, rows);
    p->b = HOL__NEW_N(arena, double, rows);
    p->c = HOL__NEW_N(arena, double, rows);
    p->G = HOL__NEW_N(arena, double, entries);
    p->Gdot = HOL__NEW_N(arena, double, entries);
    p->trash = HOL__NEW_N(arena, double, 8 * HOL__MAX_BODIES * m->bw);
    p->step_length = share * m->length;
    p->step_turn = share_turn;
    p->step_time = share;
    return list_angles(p, arena) && !arena->failed;
}

/* The largest speed and angular velocity, at least the mechanism's length and a radian in a second.
 * */
static void set_speeds(hol__probe *p) {
    const hol_model *m = p->model;
    double speed = m->length, spin = 1;
    for (int i = 0; i < m->nb; i++) {
        if (p->bodies.b2) {
            const hol__body2 *b = &p->bodies.b2[i];
            speed = fmax(speed, hypot(b->v[0], b->v[1]));
            spin = fmax(spin, fabs(b->w));
        } else {
            speed = fmax(speed, hol__norm3(p->bodies.b3[i].v));
            spin = fmax(spin, hol__norm3(p->bodies.b3[i].w));
        }
    }
    p->step_speed = share * speed;
    p->step_spin = share * spin;
}

static void copy(double *to, const double *from, int n) {
    if (n) memcpy(to, from, sizeof(double) * (size_t)n);
}

void hol__probe_take(hol__probe *p, const hol_data *data) {
    const hol_model *m = p->model;
    const size_t n = (size_t)m->nb + 1;
    p->data = data;
    if (p->bodies.b2)
        memcpy(p->bodies.b2, data->bodies.b2, n * sizeof *p->bodies.b2);
    else
        memcpy(p->bodies.b3, data->bodies.b3, n * sizeof *p->bodies.b3);
    copy(p->angles, data->angles, m->n_angles);
    copy(p->inputs, data->inputs, m->n_inputs);
    copy(p->aux, data->aux, m->n_aux);
    copy(p->aux_rate, data->aux_rate, m->n_aux);
    set_speeds(p);
}

/* The tracked angles of a body at its present pose. */
static void follow(hol__probe *p, int body) {
    for (int k = p->angle_ptr[body]; k < p->angle_ptr[body + 1]; k++) {
        const int i = p->angle_of[k];
        p->angles[i] = hol__angle_at(p->model, i, &p->bodies, p->data->angles_base[i], p->scratch);
    }
}

static void move2(hol__body2 *b, int k, double h) {
    if (k < 2) {
        b->r[k] += h;
        return;
    }
    const double c = cos(h), s = sin(h), turned = c * b->c - s * b->s;
    b->s = s * b->c + c * b->s;
    b->c = turned;
    b->theta += h;
}

static void move3(hol__body3 *b, int k, double h) {
    if (k < 3) {
        b->r[k] += h;
        return;
    }
    double u[3] = {0, 0, 0}, p[4];
    u[k - 3] = h;
    hol__quat_plus(b->p, u, p);
    memcpy(b->p, p, sizeof p);
    hol__quat_matrix(p, b->R);
}

void hol__probe_move(hol__probe *p, int body, int k, double h) {
    if (p->bodies.b2) {
        p->bodies.b2[body] = p->data->bodies.b2[body];
        move2(&p->bodies.b2[body], k, h);
    } else {
        p->bodies.b3[body] = p->data->bodies.b3[body];
        move3(&p->bodies.b3[body], k, h);
    }
    follow(p, body);
}

void hol__probe_put_back(hol__probe *p, int body) {
    if (p->bodies.b2)
        p->bodies.b2[body] = p->data->bodies.b2[body];
    else
        p->bodies.b3[body] = p->data->bodies.b3[body];
    for (int k = p->angle_ptr[body]; k < p->angle_ptr[body + 1]; k++)
        p->angles[p->angle_of[k]] = p->data->angles[p->angle_of[k]];
}

double *hol__probe_velocity(hol__probe *p, int body, int k) {
    if (p->bodies.b2) return k < 2 ? &p->bodies.b2[body].v[k] : &p->bodies.b2[body].w;
    return k < 3 ? &p->bodies.b3[body].v[k] : &p->bodies.b3[body].w[k - 3];
}

void hol__probe_stop(hol__probe *p, int body) {
    for (int k = 0; k < p->model->bw; k++) *hol__probe_velocity(p, body, k) = 0;
}

double hol__probe_pose_step(const hol__probe *p, int k) {
    return k < p->model->dim ? p->step_length : p->step_turn;
}

double hol__probe_twist_step(const hol__probe *p, int k) {
    return k < p->model->dim ? p->step_speed : p->step_spin;
}

double hol__probe_number_step(double x) {
    return share * fmax(1, fabs(x));
}

hol__force_args hol__probe_force_args(hol__probe *p) {
    return (hol__force_args){.bodies = p->bodies,
                             .inputs = p->inputs,
                             .local = p->model->local,
                             .scratch = p->scratch,
                             .angles = p->angles,
                             .aux = p->aux,
                             .aux_rate = p->aux_rate,
                             .memory = p->data->memory,
                             .wrench = p->wrench};
}

hol__con_args hol__probe_con_args(hol__probe *p, int want) {
    return (hol__con_args){.want = want,
                           .bodies = p->bodies,
                           .inputs = p->inputs,
                           .scratch = p->scratch,
                           .angles = p->angles,
                           .memory = p->data->memory,
                           .aux = p->aux,
                           .aux_rate = p->aux_rate,
                           .Phi = p->Phi,
                           .A = p->G,
                           .b = p->b,
                           .c = p->c,
                           .Adot = p->Gdot,
                           .trash = p->trash};
}

/* tangent_force.c: derivatives of the forces in body space, record by record.
 *
 * A record depends on the poses and velocities of its bodies, on inputs u (time, measures) and on
 * its states z:
 *
 *     w = w(x, V, u, z),  z' = r(x, V, u, z),  u = u(x, V, t)          dw/dx = w_x + w_u u_x, and
 * so on
 *
 * Where a type has no tangent of its own, w_x, … by differences (probe.h) over the bodies of the
 * record alone. Gravity that is constant has no derivative; the gyroscopic torque -omega x J omega
 * of a body in space has (J omega) x - omega x J.
 */
#include "dyn/tangent_work.h"
#include "element/dual_forces.h"

#include "math/vec3.h"

#include <string.h>

/* ---- differences ---- */

/* Wrenches on the bodies and rates of the states of a record at the state of the probe. */
static void evaluate(hol__probe *p, const hol__force_part *part, double *wrench, double *rate) {
    const int bw = p->model->bw;
    hol__force_args args = hol__probe_force_args(p);
    for (int i = 0; i < 2; i++)
        memset(p->wrench + bw * part->out.body[i], 0, sizeof(double) * (size_t)bw);
    part->type->fill(part->record, 1, &args);
    for (int i = 0; i < 2; i++)
        memcpy(wrench + bw * i, p->wrench + bw * part->out.body[i], sizeof(double) * (size_t)bw);
    for (int i = 0; i < part->out.n_aux; i++) rate[i] = p->aux_rate[part->out.aux + i];
}

/* Column k of w and r gets weight times their values now. */
static void add_column(hol__probe *p, hol__force_part *part, double weight, double *w, double *r,
                       int width, int k) {
    double wrench[12];
    double *rate = p->aux_rate + part->out.aux;
    evaluate(p, part, wrench, rate);
    for (int i = 0; i < part->out.n; i++) w[i * width + k] += weight * wrench[i];
    for (int i = 0; i < part->out.n_aux; i++) r[i * width + k] += weight * rate[i];
}

/* What is varied: a number that the record reads, or (x is NULL) a body along direction k. */
typedef struct varied {
    double *x, here;
    int body, k;
} varied;

/* By the difference of one side into column k of w and r. */
static void by_side(hol__probe *p, hol__force_part *part, const varied *u, double h,
                    const struct hol__stencil_point *side, double *w, double *r, int width, int k) {
    for (int i = 0; i < part->out.n; i++) w[i * width + k] = 0;
    for (int i = 0; i < part->out.n_aux; i++) r[i * width + k] = 0;
    for (int s = 0; s < HOL__SIDE_POINTS && side[s].weight != 0; s++) {
        if (u->x)
            *u->x = u->here + side[s].at * h;
        else
            hol__probe_move(p, u->body, u->k, side[s].at * h);
        add_column(p, part, side[s].weight / h, w, r, width, k);
    }
    if (u->x)
        *u->x = u->here;
    else
        hol__probe_put_back(p, u->body);
}

/* About the place, or on the side of it where a law has values. */
static void by_difference(hol__probe *p, hol__force_part *part, varied u, double h, double *w,
                          double *r, int width, int k) {
    int side = 0;
    do by_side(p, part, &u, h, hol__sides[side], w, r, width, k);
    while (!(hol__finite_column(part->out.n, w + k, width) &&
             hol__finite_column(part->out.n_aux, r + k, width)) &&
           ++side < HOL__SIDES);
}

/* By a number that the record reads. */
static void by_number(hol__probe *p, hol__force_part *part, double *x, double h, double *w,
                      double *r, int width, int k) {
    by_difference(p, part, (varied){.x = x, .here = *x}, h, w, r, width, k);
}

/* By the pose and the velocities of the body in a slot. */
static void by_body(hol__probe *p, hol__force_part *part, int slot) {
    hol__force_tangent *out = &part->out;
    const int bw = p->model->bw, body = out->body[slot];
    for (int k = 0; k < bw; k++) {
        by_difference(p, part, (varied){.body = body, .k = k}, hol__probe_pose_step(p, k),
                      out->pose, out->rate_pose, out->n, slot * bw + k);
        by_number(p, part, hol__probe_velocity(p, body, k), hol__probe_twist_step(p, k), out->twist,
                  out->rate_twist, out->n, slot * bw + k);
    }
}

void hol__force_differences(hol__probe *p, hol__force_part *part) {
    hol__force_tangent *out = &part->out;
    for (int slot = 0; slot < 2; slot++)
        if (out->body[slot] < p->model->nb && !(slot && out->body[0] == out->body[1]))
            by_body(p, part, slot);
    for (int k = 0; k < out->n_reads; k++) {
        double *u = &p->inputs[out->reads[k]];
        by_number(p, part, u, k ? hol__probe_number_step(*u) : p->step_time, out->input,
                  out->rate_input, out->n_reads, k);
    }
    for (int k = 0; k < out->n_aux; k++) {
        double *z = &p->aux[out->aux + k];
        by_number(p, part, z, hol__probe_number_step(*z), out->state, out->rate_state, out->n_aux,
                  k);
    }
}

/* ---- sums ---- */

/* The measure of a column, and the row of the column in it. */
static const hol__measure_part *measure_of(const hol__tangent *tangent, int column, int *row) {
    const hol_model *m = tangent->model;
    int i = 0;
    while (column >= m->measures[i].first + m->measures[i].count) i++;
    *row = column - m->measures[i].first;
    return &tangent->work->measures[i];
}

/* block += a b^T for bw numbers each. */
static void add_outer(const double *a, int stride, const double *b, int bw, double *block) {
    for (int i = 0; i < bw; i++)
        for (int j = 0; j < bw; j++) block[i * bw + j] += a[i * stride] * b[j];
}

/* The blocks of one body of a force over its own bodies. */
static void add_blocks(const hol__tangent *tangent, const hol__force_part *part, int slot) {
    const hol_model *m = tangent->model;
    hol__tangent_work *w = tangent->work;
    const hol__force_tangent *out = &part->out;
    const int bw = m->bw;
    for (int other = 0; other < 2; other++) {
        if (out->body[other] >= m->nb) continue;
        const int at = bw * bw * hol__block_find(w, out->body[slot], out->body[other]);
        for (int i = 0; i < bw; i++)
            for (int j = 0; j < bw; j++) {
                const int from = (bw * slot + i) * out->n + bw * other + j;
                w->load_pose[at + bw * i + j] += out->pose[from];
                w->load_twist[at + bw * i + j] += out->twist[from];
            }
    }
}

/* What one body of a force takes through time, measures and states. */
static void add_inputs(const hol__tangent *tangent, const hol__force_part *part, int slot) {
    const hol_model *m = tangent->model;
    hol__tangent_work *w = tangent->work;
    const hol__force_tangent *out = &part->out;
    const int bw = m->bw, body = out->body[slot], n = out->n_reads;
    const double *by = out->input + bw * slot * n;
    double *time = w->load_time + bw * body;
    for (int i = 0; i < bw; i++) time[i] += by[i * n];
    for (int k = 1; k < n; k++) {
        int row;
        const hol__measure_part *x = measure_of(tangent, out->reads[k] - 1, &row);
        for (int i = 0; i < bw; i++) time[i] += by[i * n + k] * x->time[row];
        for (int b = 0; b < x->n; b++) {
            const int at = bw * bw * hol__block_find(w, body, x->body[b]),
                      from = (row * x->n + b) * bw;
            add_outer(by + k, n, x->pose + from, bw, w->load_pose + at);
            add_outer(by + k, n, x->twist + from, bw, w->load_twist + at);
        }
    }
    for (int z = 0; z < out->n_aux; z++)
        for (int i = 0; i < bw; i++)
            w->load_state[(out->aux + z) * bw * m->nb + bw * body + i] +=
                out->state[(bw * slot + i) * out->n_aux + z];
}

/* The rates of the states of a force. */
static void add_rates(hol__tangent *tangent, const hol__force_part *part) {
    const hol_model *m = tangent->model;
    hol__tangent_work *w = tangent->work;
    const hol__force_tangent *out = &part->out;
    const int bw = m->bw, width = bw * m->nb;
    for (int z = 0; z < out->n_aux; z++) {
        double *pose = w->rate_pose + (out->aux + z) * width,
               *twist = w->rate_twist + (out->aux + z) * width;
        const double *by = out->rate_input + z * out->n_reads;
        for (int i = 0; i < out->n; i++) {
            const int body = out->body[i / bw];
            if (body >= m->nb) continue;
            pose[bw * body + i % bw] += out->rate_pose[z * out->n + i];
            twist[bw * body + i % bw] += out->rate_twist[z * out->n + i];
        }
        tangent->R_t[out->aux + z] += by[0];
        for (int k = 1; k < out->n_reads; k++) {
            int row;
            const hol__measure_part *x = measure_of(tangent, out->reads[k] - 1, &row);
            tangent->R_t[out->aux + z] += by[k] * x->time[row];
            for (int i = 0; i < bw * x->n; i++) {
                const int to = bw * x->body[i / bw] + i % bw;
                pose[to] += by[k] * x->pose[row * x->n * bw + i];
                twist[to] += by[k] * x->twist[row * x->n * bw + i];
            }
        }
        for (int k = 0; k < out->n_aux; k++)
            tangent->Rz[(out->aux + z) * m->n_aux + out->aux + k] +=
                out->rate_state[z * out->n_aux + k];
    }
}

static void clear(double *x, int n) {
    if (n) memset(x, 0, sizeof(double) * (size_t)n);
}

void hol__tangent_open_part(hol__tangent_work *w, hol__force_part *part) {
    hol__force_tangent *out = &part->out;
    const int n = out->n;
    out->pose = w->block;
    out->twist = w->block + n * n;
    clear(out->pose, 2 * n * n);
    clear(out->input, n * out->n_reads);
    clear(out->state, n * out->n_aux);
    clear(out->rate_pose, n * out->n_aux);
    clear(out->rate_twist, n * out->n_aux);
    clear(out->rate_input, out->n_aux * out->n_reads);
    clear(out->rate_state, out->n_aux * out->n_aux);
}

void hol__tangent_part(hol__tangent *tangent, hol__force_part *part) {
    hol__tangent_work *w = tangent->work;
    hol__tangent_open_part(w, part);
    /* a tangent of its own counts on two bodies and a few states */
    const int single = part->owner && part->out.body[0] == part->out.body[1];
    if (part->type->tangent && !single && part->out.n_aux <= HOL__DUAL_STATES) {
        hol__force_args args = hol__probe_force_args(&w->probe);
        part->type->tangent(part->record, &args, &part->out);
    } else
        hol__force_differences(&w->probe, part);
}

/* One record into the sums. */
static void add_part(hol__tangent *tangent, hol__force_part *part) {
    const int nb = tangent->model->nb;
    hol__tangent_part(tangent, part);
    for (int slot = 0; slot < 2; slot++) {
        if (part->out.body[slot] >= nb || (slot && part->out.body[0] == part->out.body[1]))
            continue;
        add_blocks(tangent, part, slot);
        add_inputs(tangent, part, slot);
    }
    add_rates(tangent, part);
}

/* The gyroscopic torques of bodies in space; natural coordinates have none. */
static void add_gyroscopic(const hol__tangent *tangent, const hol_data *data) {
    const hol_model *m = tangent->model;
    hol__tangent_work *w = tangent->work;
    for (int b = 0; m->dim == 3 && !m->items && b < m->nb; b++) {
        double *block = w->load_twist + 36 * hol__block_find(w, b, b);
        const double *J = m->bodies[b].J;
        double Jw[3], L[9], W[9], WJ[9];
        hol__mul3(J, data->bodies.b3[b].w, Jw);
        hol__skew3(Jw, L);
        hol__skew3(data->bodies.b3[b].w, W);
        hol__mat3_mul(W, J, WJ);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) block[6 * (3 + i) + 3 + j] += L[3 * i + j] - WJ[3 * i + j];
    }
}

void hol__tangent_forces(hol__tangent *tangent, const hol_data *data) {
    const hol_model *m = tangent->model;
    hol__tangent_work *w = tangent->work;
    const int numbers = w->block_ptr[m->nb] * m->bw * m->bw, width = m->bw * m->nb;
    clear(w->load_pose, numbers);
    clear(w->load_twist, numbers);
    clear(w->load_time, width);
    clear(w->load_state, width * m->n_aux);
    clear(w->rate_pose, width * m->n_aux);
    clear(w->rate_twist, width * m->n_aux);
    clear(tangent->R_t, m->n_aux);
    clear(tangent->Rz, m->n_aux * m->n_aux);
    add_gyroscopic(tangent, data);
    for (int i = 0; i < w->n_forces; i++) {
        hol__force_part *part = &w->forces[i];
        for (int b = 0; !part->owner && b < m->nb; b++) {
            part->out.body[0] = b;
            add_part(tangent, part);
        }
        if (part->owner) add_part(tangent, part);
    }
}

/* tangent_measure.c: derivatives of the measures that laws read, by the poses and velocities of
 * their bodies and by time.
 *
 * A measure of bodies by differences over its own bodies (probe.h); an expression u = e(t, u_1, …)
 * by its exact gradient: du = e_t dt + sum e_k du_k, in the order in which measures are evaluated.
 */
#include "dyn/tangent_work.h"

#include <string.h>

static void clear(double *x, int n) {
    if (n) memset(x, 0, sizeof(double) * (size_t)n);
}

/* Column k of out gets weight times the columns of the measure at the state of the probe. */
static void add_column(hol__probe *p, const hol__measure *m, double weight, double *out, int width,
                       int k) {
    double *value = p->trash;
    const hol__measure_args args = {.bodies = p->bodies,
                                    .acc = p->data->acc,
                                    .inputs = p->inputs,
                                    .scratch = p->scratch,
                                    .angles = p->angles};
    m->type->eval(m, &args, value);
    for (int i = 0; i < m->count; i++) out[i * width + k] += weight * value[i];
}

/* By pose and velocity k of body b of the part. */
static void by_direction(hol__probe *p, const hol__measure *m, hol__measure_part *part, int b,
                         int k) {
    const int body = part->body[b], bw = p->model->bw, width = bw * part->n, at = bw * b + k;
    const double h = hol__probe_pose_step(p, k), g = hol__probe_twist_step(p, k);
    for (int s = 0; s < HOL__STENCIL; s++) {
        hol__probe_move(p, body, k, hol__stencil[s].at * h);
        add_column(p, m, hol__stencil[s].weight / h, part->pose, width, at);
    }
    hol__probe_put_back(p, body);
    double *v = hol__probe_velocity(p, body, k);
    const double here = *v;
    for (int s = 0; s < HOL__STENCIL; s++) {
        *v = here + hol__stencil[s].at * g;
        add_column(p, m, hol__stencil[s].weight / g, part->twist, width, at);
    }
    *v = here;
}

/* to += k from over the bodies of from, which are among those of to; rows of one column each. */
static void add_row(const hol__measure_part *from, int row, double k, int bw,
                    hol__measure_part *to) {
    for (int i = 0; i < from->n; i++) {
        int at = 0;
        while (to->body[at] != from->body[i]) at++;
        for (int d = 0; d < bw; d++) {
            to->pose[bw * at + d] += k * from->pose[(row * from->n + i) * bw + d];
            to->twist[bw * at + d] += k * from->twist[(row * from->n + i) * bw + d];
        }
    }
    to->time[0] += k * from->time[row];
}

/* An expression of other measures. */
static void by_expression(hol__tangent *tangent, const hol__measure *m, hol__measure_part *part) {
    const hol_model *model = tangent->model;
    hol__tangent_work *w = tangent->work;
    double *gradient = w->block;
    hol__expr_gradient(m->e, w->probe.inputs, gradient, w->probe.scratch);
    part->time[0] += gradient[0];
    for (int i = 0; i < model->n_measures; i++)
        for (int c = 0; w->measures[i].used && c < model->measures[i].count; c++) {
            const int input = 1 + model->measures[i].first + c;
            if (hol__expr_reads(m->e, input))
                add_row(&w->measures[i], c, gradient[input], model->bw, part);
        }
}

void hol__tangent_measures(hol__tangent *tangent, const hol_data *data) {
    const hol_model *model = tangent->model;
    hol__tangent_work *w = tangent->work;
    (void)data;
    for (int i = 0; i < model->n_measures; i++) {
        const int at = model->measure_order[i];
        const hol__measure *m = &model->measures[at];
        hol__measure_part *part = &w->measures[at];
        if (!part->used) continue;
        clear(part->pose, m->count * part->n * model->bw);
        clear(part->twist, m->count * part->n * model->bw);
        clear(part->time, m->count);
        if (m->e) {
            by_expression(tangent, m, part);
            continue;
        }
        for (int b = 0; b < part->n; b++)
            for (int k = 0; k < model->bw; k++) by_direction(&w->probe, m, part, b, k);
    }
}

void hol__tangent_take_measures(hol__tangent *tangent, hol_data *data) {
    hol__probe_take(&tangent->work->probe, data);
    hol__tangent_measures(tangent, data);
}

/* out = J^T w; the recursion of the coordinates is left as it was. */
static void pull(const hol_model *m, hol_data *data, double *w, double *out, double *column) {
    const hol__maps *maps = m->coords->maps;
    if (!maps) {
        memcpy(out, w, sizeof(double) * (size_t)m->nv);
        return;
    }
    /* forces are affine in the wrenches: J^T (w - M_b J' v) */
    maps->forces(m, &data->bodies, data->recursion, w, out);
    clear(w, m->bw * (m->nb + 1));
    maps->forces(m, &data->bodies, data->recursion, w, column);
    for (int i = 0; i < m->nv; i++) out[i] -= column[i];
    maps->forces(m, &data->bodies, data->recursion, data->load, data->Q);
}

double hol__tangent_of_column(hol__tangent *tangent, hol_data *data, int column, double *out) {
    const hol_model *m = tangent->model;
    hol__tangent_work *w = tangent->work;
    int k = 0;
    while (column >= m->measures[k].first + m->measures[k].count) k++;
    const hol__measure_part *part = &w->measures[k];
    const int row = column - m->measures[k].first, bw = m->bw;
    double rate = part->time[row];
    clear(w->acc, bw * (m->nb + 1));
    clear(w->wrench, bw * (m->nb + 1));
    /* J' v, the accelerations of the bodies where v does not change */
    if (m->coords->maps)
        m->coords->maps->accelerations(m, &data->bodies, data->recursion, w->zero, w->acc);
    for (int b = 0; b < part->n; b++)
        for (int d = 0; d < bw; d++) {
            const int at = (row * part->n + b) * bw + d, place = part->body[b] * bw + d;
            rate += part->pose[at] * *hol__probe_velocity(&w->probe, part->body[b], d);
            rate += part->twist[at] * w->acc[place];
            w->wrench[place] += part->twist[at];
        }
    pull(m, data, w->wrench, out, w->column);
    return rate;
}

/* drives.c: rows on rates that are integrable, and the coordinates of drivers.
 *
 *     sum_i a_i x_i' = f(t)   ->   sum_i a_i x_i = X(t),  X(t) = X(t_0) + int_{t_0}^t f ds
 *     with a state, z' = f:        X(t) = X(t_0) + z(t_0) (t - t_0) + int (t - s) f(s) ds
 *
 * The integrals over a step are Gauss-Legendre sums with ten points, halved until two halves agree
 * with the whole.
 */
#include "analysis/actuated.h"
#include "analysis/follow.h"

#include <math.h>

enum { HALVINGS = 24 };

/* Nodes and weights of ten points on [-1, 1], the positive half. */
static const double node[5] = {0.14887433898163121, 0.43339539412924719, 0.67940956829902441,
                               0.86506336668898451, 0.97390652851717172};
static const double weight[5] = {0.29552422471475287, 0.26926671930999636, 0.21908636251598204,
                                 0.14945134915058059, 0.066671344308688138};

/* What constraints read of a data. */
static hol__con_args args_of(const hol_data *d) {
    return (hol__con_args){.want = HOL__WANT_POS,
                           .bodies = d->bodies,
                           .inputs = d->inputs,
                           .scratch = d->scratch,
                           .angles = d->angles,
                           .aux = d->aux,
                           .aux_rate = d->aux_rate};
}

/* The value of one coordinate of a record. */
static double value_of(const hol__con *con, const hol__coordinate *x, const hol_data *data) {
    const hol__con_args args = args_of(data);
    hol__mover movers[HOL__MAX_BODIES];
    hol__coordinate_row row;
    hol__movers(con, &args, movers);
    hol__coordinate_eval(x, movers, &args, &row);
    return row.x;
}

double hol__drive_value(const hol__drive *drive, const hol_data *data) {
    const hol__rate *rate = drive->rate;
    double sum = 0;
    for (int i = 0; i < rate->n; i++)
        sum += rate->factor[i].value * value_of(&rate->con, &rate->term[i], data);
    return sum;
}

/* The integrals of f and of (t1 - s) f over [a, b]. */
static void gauss(const hol__law *f, double *scratch, double a, double b, double t1,
                  double sum[2]) {
    const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
    sum[0] = sum[1] = 0;
    for (int i = 0; i < 5; i++)
        for (int side = -1; side <= 1; side += 2) {
            const double s = middle + side * half * node[i],
                         value = half * weight[i] * hol__law_jet(f, s, scratch).f;
            sum[0] += value;
            sum[1] += (t1 - s) * value;
        }
}

/* The same, halved where two halves are more exact. */
static void integrate(const hol__law *f, double *scratch, double a, double b, double t1, int depth,
                      double sum[2]) {
    const double middle = 0.5 * (a + b);
    double whole[2], left[2], right[2];
    gauss(f, scratch, a, b, t1, whole);
    gauss(f, scratch, a, middle, t1, left);
    gauss(f, scratch, middle, b, t1, right);
    const double size = fabs(left[0]) + fabs(right[0]);
    if (depth > 0 && fabs(left[0] + right[0] - whole[0]) > 1e-15 * size) {
        integrate(f, scratch, a, middle, t1, depth - 1, left);
        integrate(f, scratch, middle, b, t1, depth - 1, right);
    }
    for (int i = 0; i < 2; i++) sum[i] = left[i] + right[i];
}

void hol__drive_advance(const hol__drive *drive, hol_data *data, double t0, double t1,
                        double *target, double *speed) {
    const hol__law *f = &drive->rate->f;
    double sum[2];
    if (f->e)
        integrate(f, data->scratch, t0, t1, t1, HALVINGS, sum);
    else
        sum[0] = f->value * (t1 - t0), sum[1] = 0.5 * f->value * (t1 - t0) * (t1 - t0);
    if (drive->rate->state < 0) {
        *target += sum[0];
        return;
    }
    *target += *speed * (t1 - t0) + sum[1];
    *speed += sum[0];
}

/* Whether a record on rates is integrable: constant factors before coordinates. */
static int is_integrable(const hol__rate *rate) {
    if (rate->n_x) return 0;
    for (int i = 0; i < rate->n; i++)
        if (rate->factor[i].e || rate->term[i].kind == HOL__COORDINATE_VELOCITY ||
            rate->term[i].kind == HOL__COORDINATE_SPIN)
            return 0;
    return 1;
}

/* The joint of a record holds velocities in a way that says nothing of positions. */
static void refuse(const hol_data *data, const hol__con *con) {
    const hol__element *e = &data->model->joints[con->element];
    hol__report(data->ctx, HOL_ERROR, HOL_ERR_INPUT, &e->where, e->label,
                "restrains velocities and not positions (nonholonomic), so that positions depend "
                "on the way there: use holonom run, whose results have velocities and "
                "accelerations too");
}

int hol__drives_find(hol__arena *arena, const hol_data *data, hol__drive **drives) {
    const hol_model *m = data->model;
    int n = 0, refused = 0;
    *drives = HOL__NEW_N(arena, hol__drive, m->m - m->mh + 1);
    if (!*drives) return -2;
    for (int i = 0; i < m->n_con_batches; i++) {
        const hol__con_batch *batch = &m->con_batches[i];
        for (int k = 0; k < batch->count && !batch->type->holonomic; k++) {
            const hol__rate *rate = hol__con_record(batch, k);
            if (batch->type == &hol__con_rate && is_integrable(rate))
                (*drives)[n++] = (hol__drive){.rate = rate, .row = rate->con.row};
            else
                refuse(data, &rate->con), refused = 1;
        }
    }
    return refused ? -1 : n;
}

int hol__driver_value(const hol_data *data, int joint, double *value, int *turns) {
    const hol_model *m = data->model;
    const hol__element *e = &m->joints[joint];
    for (int i = 0; i < e->n_parts && hol__is_driver(m, e->index); i++) {
        const hol__con_batch *batch = &m->con_batches[e->part[i].batch];
        const void *record = hol__con_record(batch, e->part[i].record);
        const hol__coupler *c = record;
        const hol__rate *r = record;
        const hol__coordinate *x = batch->type == &hol__con_coupler ? &c->x[0]
                                   : batch->type == &hol__con_rate  ? &r->term[0]
                                                                    : NULL;
        if (!x) continue;
        *value = value_of(record, x, data);
        *turns = x->kind == HOL__COORDINATE_ANGLE;
        return 1;
    }
    return 0;
}

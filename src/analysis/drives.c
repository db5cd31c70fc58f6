/* drives.c: rows on rates that are integrable, and the coordinates of drivers.
 *
 *     sum_i a_i x_i' = f(t)   ->   sum_i a_i x_i = X(t),  X(t) = X(t_0) + int_{t_0}^t f ds
 *     with a state, z' = f:        X(t) = X(t_0) + z(t_0) (t - t_0) + int (t - s) f(s) ds
 *
 * The integrals are those of model/law_integral.h.
 */
#include "analysis/actuated.h"
#include "analysis/follow.h"
#include "model/law_integral.h"

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

void hol__drive_advance(const hol__drive *drive, hol_data *data, double t0, double t1,
                        double *target, double *speed) {
    const hol__law *f = &drive->rate->f;
    double sum[2];
    const double scale =
        drive->rate->term[0].kind == HOL__COORDINATE_ANGLE ? 1 : data->model->length;
    if (f->e)
        hol__law_integrate(f, 0, data->scratch, t0, t1, scale, sum);
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

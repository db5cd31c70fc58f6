/* drives.c: rows on rates that are integrable, and the coordinates of drivers.
 *
 *     sum_i a_i x_i' = f(t)   ->   sum_i a_i x_i = X(t),  X(t) = X(t_0) + int_{t_0}^t f ds
 *     with a state, z' = f:        X(t) = X(t_0) + z(t_0) (t - t_0) + int (t - s) f(s) ds
 *
 * The integrals over a step are Gauss-Legendre sums with ten points, of pieces that are parted
 * until their parts agree with the whole to rounding. Where f grows without bound the parts never
 * agree: to 1e-8 of the size of f after all where the integral exists (1/sqrt|t - t_p|, of which t
 * itself leaves no more digits), else not at all (1/(t - t_p)), and the integral is NaN.
 */
#include "analysis/actuated.h"
#include "analysis/follow.h"

#include <math.h>

enum { MOST_PIECES = 20000 };

static const double rounding = 1e-15; /* of the size of a sum */
static const double noise = 1e-3; /* of a piece: a law that has so few digits is no singular one */
static const double most_error = 3e-8; /* of an integral at singular places, of its size */
static const double least_span = 1e-6; /* around them, of the time looked at */

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

/* Integrals over a piece [a, b] of f, of (t1 - s) f, of |f|, and of |s f'|: by how much rounding of
 * s moves f. */
typedef struct piece {
    double a, b, sum[2], size, turn;
} piece;

/* An integral over a step: of the law, or of its rate, up to t1; size: of |f|, as first guessed and
 * as seen; error: by how much pieces and their parts differ; left: pieces that may still be
 * made. */
typedef struct integral {
    const hol__law *f;
    int rate;
    double *scratch, t1, sum[2], size, seen, error;
    long left;
} integral;

/* One piece by ten points. */
static piece gauss(const integral *x, double a, double b) {
    const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
    piece p = {.a = a, .b = b};
    for (int i = 0; i < 5; i++)
        for (int side = -1; side <= 1; side += 2) {
            const double s = middle + side * half * node[i], w = half * weight[i];
            const hol__jet law = hol__law_jet(x->f, s, x->scratch);
            const double f = x->rate ? law.d1 : law.f;
            p.sum[0] += w * f;
            p.sum[1] += w * f * (x->t1 - s);
            p.size += w * fabs(f);
            p.turn += w * fabs(s * (x->rate ? law.d2 : law.d1));
        }
    return p;
}

/* Add a piece: parted until its two parts agree with it to rounding. The parts are uneven, so that
 * the sides of a pole cannot cancel in both sums. */
static void add(integral *x, const piece *whole) {
    const double between = whole->a + 0.46 * (whole->b - whole->a);
    const piece part[2] = {gauss(x, whole->a, between), gauss(x, between, whole->b)};
    const double size = part[0].size + part[1].size, turn = part[0].turn + part[1].turn,
                 off = fabs(part[0].sum[0] + part[1].sum[0] - whole->sum[0]);
    const int agree = off <= rounding * fmax(size + turn, x->size);
    if (!isfinite(off)) x->left = 0;
    if (!agree && between > whole->a && between < whole->b && x->left > 0) {
        x->left -= 2;
        add(x, &part[0]);
        add(x, &part[1]);
        return;
    }
    for (int i = 0; i < 2; i++) x->sum[i] += part[0].sum[i] + part[1].sum[i];
    x->seen += size;
    if (!(off <= noise * size)) x->error += off;
}

/* The integrals of f and of (t1 - s) f over [t0, t1], NaN where they are not to be had; scale: a
 * size of the coordinate. */
static void integrate(const hol__law *f, int rate, double *scratch, double t0, double t1,
                      double scale, double sum[2]) {
    integral x = {.f = f, .rate = rate, .scratch = scratch, .t1 = t1, .left = MOST_PIECES};
    const piece whole = gauss(&x, t0, t1);
    x.size = whole.size;
    add(&x, &whole);
    const int found = x.error <= most_error * fmax(x.seen, scale);
    for (int i = 0; i < 2; i++) sum[i] = found ? x.sum[i] : NAN;
}

void hol__drive_advance(const hol__drive *drive, hol_data *data, double t0, double t1,
                        double *target, double *speed) {
    const hol__law *f = &drive->rate->f;
    double sum[2];
    const double scale =
        drive->rate->term[0].kind == HOL__COORDINATE_ANGLE ? 1 : data->model->length;
    if (f->e)
        integrate(f, 0, data->scratch, t0, t1, scale, sum);
    else
        sum[0] = f->value * (t1 - t0), sum[1] = 0.5 * f->value * (t1 - t0) * (t1 - t0);
    if (drive->rate->state < 0) {
        *target += sum[0];
        return;
    }
    *target += *speed * (t1 - t0) + sum[1];
    *speed += sum[0];
}

/* Whether the law, or its rate, has no integral from t0 to t1. */
static int is_lost(const hol__law *f, int rate, hol_data *data, double t0, double t1) {
    double sum[2];
    integrate(f, rate, data->scratch, t0, t1, 1, sum);
    return !isfinite(sum[0]);
}

int hol__law_breaks(const hol__law *f, int rate, hol_data *data, double t0, double t1,
                    double *when) {
    if (!f->e) return 0;
    const double least = least_span * (t1 - t0);
    if (!is_lost(f, rate, data, t0, t1)) return 0;
    for (;;) {
        const double middle = 0.5 * (t0 + t1);
        if (!(middle > t0 && middle < t1)) break;
        if (is_lost(f, rate, data, t0, middle))
            t1 = middle;
        else if (is_lost(f, rate, data, middle, t1))
            t0 = middle;
        else if (t1 - t0 > least)
            return 0;
        else
            break;
    }
    *when = t1;
    return 1;
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

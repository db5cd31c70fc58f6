/* kinematics_cycle.c: when a driver has made its turns: the first t with |x(t) - x(0)| = 2 pi n. */
#include "analysis/actuated.h"
#include "analysis/kinematics.h"

#include <math.h>

enum { SAMPLES = 20000, PER_TURN = 360, MOST_TURNS = 10000 };

static const double two_pi = 6.283185307179586476925;
static const double spans = 20; /* so many times of the run are searched */

/* The law of a driver: of its coordinate, or through a drive of its rate. */
typedef struct turning {
    hol_data *data;
    const hol__coupler *coupler;
    hol__drive drive;
    double t, target, speed; /* as far as the drive was followed */
} turning;

/* By how much the coordinate has changed since the start, at a time not before the last. */
static double change_at(turning *x, double t) {
    if (x->coupler) {
        const hol__law *f = &x->coupler->f;
        return (hol__law_jet(f, t, x->data->scratch).f -
                hol__law_jet(f, x->data->t, x->data->scratch).f) /
               x->coupler->factor[0];
    }
    double target = x->target, speed = x->speed;
    hol__drive_advance(&x->drive, x->data, x->t, t, &target, &speed);
    return target;
}

/* The drive followed to t. */
static void advance(turning *x, double t) {
    if (!x->coupler) hol__drive_advance(&x->drive, x->data, x->t, t, &x->target, &x->speed);
    x->t = t;
}

/* The law of the driver of a joint; 0 where it is none that turns. */
static int find_law(const hol__kinematics *k, const hol__element *e, turning *x) {
    hol_data *data = k->sim->data;
    const hol_model *m = data->model;
    *x = (turning){.data = data, .t = data->t};
    for (int i = 0; i < e->n_parts && hol__is_driver(m, e->index); i++) {
        const hol__con_batch *batch = &m->con_batches[e->part[i].batch];
        const void *record = hol__con_record(batch, e->part[i].record);
        if (batch->type == &hol__con_coupler) {
            x->coupler = record;
            return x->coupler->x[0].kind == HOL__COORDINATE_ANGLE;
        }
        if (batch->type != &hol__con_rate) continue;
        const hol__rate *rate = x->drive.rate = record;
        if (rate->state >= 0) x->speed = data->aux[rate->state];
        return rate->term[0].kind == HOL__COORDINATE_ANGLE;
    }
    return 0;
}

/* Whether so much of a turn is done, or its law has ended. */
static int is_over(double change, double whole) {
    return !(fabs(change) < whole);
}

/* The end of so many turns, NaN: it does not make them; *most: the largest change that was seen. */
static double end_of_turns(turning *x, double turns, double span, double *most) {
    const double start = x->t, whole = two_pi * turns;
    const long samples = (long)ceil(SAMPLES * fmax(turns, 1));
    *most = 0;
    for (long i = 1; i <= samples; i++) {
        const double t = start + spans * span * (double)i / SAMPLES;
        const double change = change_at(x, t);
        *most = fmax(*most, fabs(change));
        if (!is_over(change, whole)) {
            advance(x, t);
            continue;
        }
        double low = x->t, high = t;
        for (int j = 0; j < 200 && high - low > 0; j++) {
            const double middle = 0.5 * (low + high);
            if (middle <= low || middle >= high) break;
            if (is_over(change_at(x, middle), whole))
                high = middle;
            else
                low = middle;
        }
        return isfinite(change_at(x, high)) ? high : NAN;
    }
    return NAN;
}

hol_status hol__kinematics_cycle(hol__kinematics *k) {
    hol_sim *sim = k->sim;
    const hol_model *m = sim->model;
    const int joint = hol__model_named(m, HOL__JOINTS, k->how.cycle);
    const double turns = k->how.turns > 0 ? k->how.turns : 1;
    const double points = k->how.points > 1 ? k->how.points : fmax(2, round(PER_TURN * turns + 1));
    turning x;
    double most;
    if (joint < 0 || !find_law(k, &m->joints[joint], &x))
        return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "kinematics",
                           "'%s' is not a motor or driver of an angle, whose turn would be a cycle",
                           k->how.cycle);
    if (!(turns <= MOST_TURNS))
        return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "kinematics",
                           "a cycle of %g turns is too long; at most %d", turns, MOST_TURNS);
    const double span = sim->options[HOL__OPT_END] - sim->options[HOL__OPT_START];
    const double end = end_of_turns(&x, turns, span > 0 ? span : 1, &most);
    const hol__element *e = &m->joints[joint];
    if (!isfinite(end))
        return hol__report(
            sim->ctx, HOL_ERROR, HOL_ERR_INPUT, &e->where, e->label,
            "does not make %g turn%s within %g times the time of the run: it turns by "
            "%.6g rad at most; leave out the cycle, or drive it further",
            turns, turns == 1 ? "" : "s", spans * fmax(turns, 1), most);
    sim->options[HOL__OPT_END] = end;
    sim->options[HOL__OPT_OUTPUT] = (end - sim->options[HOL__OPT_START]) / (points - 1);
    return HOL_OK;
}

/* parting.c: a run beside one that is less exact. See parting.h.
 *
 * The derivatives Y along a run belong to its states y. With states that are off by d, Y' = J(y) Y
 * is off by (J_y d) Y: as angles in radians and places in lengths of the mechanism bend laws and
 * constraints by about 1 for a change of 1, Y is off by about the share d. Nothing in Y shows it.
 * What d is shows a second run whose local errors are ten times as large.
 */
#include "analysis/parting.h"

#include "base/context.h"

#include <math.h>

enum { INSTANTS = 64 };

/* Options of the run that is less exact. */
static hol_status loosen(hol_options *options) {
    double step = 0, tolerance = 0;
    hol_status status = hol_options_get_real(options, "step", &step);
    if (!status) status = hol_options_get_real(options, "tolerance", &tolerance);
    if (!status)
        status = step > 0 ? hol_options_set_real(options, "step", 2 * step)
                          : hol_options_set_real(options, "tolerance", 10 * tolerance);
    return status;
}

/* How far two orientations are apart: the angle in the plane, the chord of it in space. */
static double turned(const hol_model *m, const double *a, const double *b) {
    if (m->dim == 2) return 2 * fabs(sin(0.5 * (a[2] - b[2])));
    double same = 0, opposite = 0;
    for (int k = 3; k < 7; k++) {
        same += (a[k] - b[k]) * (a[k] - b[k]);
        opposite += (a[k] + b[k]) * (a[k] + b[k]);
    }
    return 2 * sqrt(fmin(same, opposite));
}

/* The largest distance of a body of two simulations. */
static double distance(hol_sim *one, hol_sim *other, double *q) {
    const hol_model *m = one->data->model;
    const int width = m->dim == 2 ? 3 : 7;
    double *r = q + 7 * m->nb, *v = r + 7 * m->nb, most = 0;
    hol__sim_bodies_state(one, q, v);
    hol__sim_bodies_state(other, r, v);
    for (int i = 0; i < m->nb; i++) {
        const double *a = q + width * i, *b = r + width * i;
        double square = 0;
        for (int k = 0; k < m->dim; k++) square += (a[k] - b[k]) * (a[k] - b[k]);
        most = fmax(most, sqrt(square) / (m->length > 0 ? m->length : 1));
        if (!m->bodies[i].point) most = fmax(most, turned(m, a, b));
    }
    return most;
}

/* Both side by side to the end. */
static hol_status compare(hol_sim *one, hol_sim *other, double *q, double *apart) {
    const double start = one->data->t, end = one->options[HOL__OPT_END];
    hol_status status = HOL_OK;
    *apart = 0;
    for (int i = 1; i <= INSTANTS && !status; i++) {
        const double t = i == INSTANTS ? end : start + (end - start) * i / INSTANTS;
        status = hol_sim_advance(one, t);
        if (!status) status = hol_sim_advance(other, t);
        /* one that was stopped */
        if (status || one->data->t != t || other->data->t != t) break;
        *apart = fmax(*apart, distance(one, other, q));
    }
    return status;
}

hol_status hol__parting(hol__goals *goals, const double *p, double *apart) {
    hol_context *quiet = hol__context_like(goals->ctx);
    hol__trial one = {0}, other = {0};
    hol__arena room;
    *apart = NAN;
    hol__arena_init(&room, goals->ctx);
    hol_status status = quiet ? HOL_OK : HOL_ERR_MEMORY;
    if (!status) status = hol__trial_open(goals, quiet, p, -1, 0, NULL, &one);
    if (!status) status = hol__trial_open(goals, quiet, p, -1, 0, loosen, &other);
    double *q = status ? NULL : HOL__NEW_N(&room, double, 20 * one.model->nb + 1);
    if (!status) status = q ? compare(one.sim, other.sim, q, apart) : HOL_ERR_MEMORY;
    if (status && status != HOL_ERR_MEMORY && status != HOL_ERR_INTERRUPTED)
        status = HOL_OK, *apart = NAN;
    hol__trial_close(&one);
    hol__trial_close(&other);
    hol__arena_free(&room);
    hol_context_free(quiet);
    return status;
}

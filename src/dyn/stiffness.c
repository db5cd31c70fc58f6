/* stiffness.c: which force has the fastest time scale at a state.
 *
 * A force with the tangents K = -dw/dx and D = -dw/dV between two bodies makes them swing by
 * themselves with omega^2 = k (1/m1 + 1/m2) and settle with the rate d (1/m1 + 1/m2): k and d on
 * the diagonal of each direction, m the mass or the inertia in it. Joints that tie masses together
 * make the motion slower, never faster, so that these are bounds; they rank the forces of a model.
 */
#include "dyn/stiffness.h"

#include "dyn/tangent_work.h"

#include <math.h>

/* The mass of a body in a direction; INFINITY: it does not move. */
static double mass_in(const hol_model *m, int body, int k) {
    if (body >= m->nb) return INFINITY;
    const hol__body *b = &m->bodies[body];
    const double mass = k < m->dim ? b->mass : m->dim == 2 ? b->inertia : b->J[4 * (k - 3)];
    return mass > 0 ? mass : INFINITY; /* a body without mass follows the others */
}

/* Take a rate into the fastest so far. */
static void take(hol__fastest *fastest, const hol__element *force, double rate, double coefficient,
                 int damps, int turns) {
    if (!(rate > fastest->rate)) return;
    *fastest = (hol__fastest){force, rate, coefficient, damps, turns};
}

/* The rates of one record, direction by direction. */
static void look_at(const hol_model *m, const hol__force_part *part, hol__fastest *fastest) {
    const hol__force_tangent *out = &part->out;
    const int bw = m->bw;
    for (int k = 0; k < bw; k++) {
        double stiff = 0, damp = 0;
        for (int slot = 0; slot < 2; slot++) {
            const double mass = mass_in(m, out->body[slot], k);
            const int at = (bw * slot + k) * (out->n + 1);
            if (mass == INFINITY || bw * slot + k >= out->n) continue;
            stiff += fabs(out->pose[at]) / mass;
            damp += fabs(out->twist[at]) / mass;
            take(fastest, part->owner, sqrt(stiff), fabs(out->pose[at]), 0, k >= m->dim);
            take(fastest, part->owner, damp, fabs(out->twist[at]), 1, k >= m->dim);
        }
    }
}

hol_status hol__data_fastest(hol_data *data, hol__fastest *fastest) {
    hol__tangent *tangent = NULL;
    *fastest = (hol__fastest){0};
    hol_status status = hol_data_update(data, HOL_STAGE_DYN);
    if (!status) status = hol__tangent_new(data, &tangent);
    if (status) return status;
    hol__tangent_work *w = tangent->work;
    hol__probe_take(&w->probe, data);
    for (int i = 0; i < w->n_forces; i++) {
        if (!w->forces[i].owner) continue;
        hol__tangent_part(tangent, &w->forces[i]);
        look_at(data->model, &w->forces[i], fastest);
    }
    hol__tangent_free(tangent);
    return HOL_OK;
}

const char *hol__fastest_unit(const hol__fastest *fastest) {
    if (fastest->damps) return fastest->turns ? "N*m*s/rad" : "N*s/m";
    return fastest->turns ? "N*m/rad" : "N/m";
}

/* tangent_user.c: forces of the caller and friction of rigid contacts, functions of the whole
 * state: derivatives by differences (probe.h) over all coordinates.
 *
 * The function sees a state beside that of the run, moved along q (+) h e_j or v + h e_j, and adds
 * its forces to loads that are zero. user holds the derivatives of the loads, bw nb numbers for
 * each coordinate, by q and then by v; those by time go where those of the laws are.
 */
#include "dyn/tangent_work.h"

#include <math.h>
#include <string.h>

/* Of the speed over which friction turns: the error of the difference is its fourth power. */
static const double SHARE = 0.02;

/* The loads of the caller's forces and of friction at the state beside. */
static hol_status loads(hol_data *beside) {
    const hol_model *m = beside->model;
    const int n = m->bw * (m->nb + 1);
    hol_status status = hol_data_update(beside, m->n_slides ? HOL_STAGE_DYN : HOL_STAGE_VEL);
    if (status) return status;
    memset(beside->load, 0, sizeof(double) * (size_t)n);
    status = beside->on_force ? hol__data_call(beside) : HOL_OK;
    const double *rubbing = hol__data_rubbing(beside);
    for (int i = 0; rubbing && i < n; i++) beside->load[i] += rubbing[i];
    return status;
}

/* out += weight loads, for coordinate j moved by h: of q (part 0) or of v. */
static hol_status add_point(hol__tangent *tangent, const hol_data *data, int part, int j, double h,
                            double weight, double *out) {
    const hol_model *m = tangent->model;
    hol__tangent_work *w = tangent->work;
    hol_data *beside = w->beside;
    if (part) {
        hol_data_set(beside, data->t, data->q, data->v);
        beside->v[j] += h;
    } else {
        w->column[j] = h;
        m->coords->plus(m, data->q, w->column, w->q);
        w->column[j] = 0;
        hol_data_set(beside, data->t, w->q, data->v);
    }
    const hol_status status = loads(beside);
    for (int i = 0; i < m->bw * m->nb; i++) out[i] += weight * beside->load[i];
    return status;
}

/* load_time += what the loads change with time alone. */
static hol_status add_time(hol__tangent *tangent, const hol_data *data) {
    const hol_model *m = tangent->model;
    hol__tangent_work *w = tangent->work;
    const double h = w->probe.step_time;
    hol_status status = HOL_OK;
    for (int s = 0; s < HOL__STENCIL && !status; s++) {
        hol_data_set(w->beside, data->t + hol__stencil[s].at * h, data->q, data->v);
        status = loads(w->beside);
        for (int i = 0; i < m->bw * m->nb; i++)
            w->load_time[i] += hol__stencil[s].weight / h * w->beside->load[i];
    }
    return status;
}

/* The step of a difference by coordinate j of q (part 0) or of v: no longer than a share of what
 * turns the direction of friction. */
static double step_of(const hol__tangent_work *w, const hol_model *m, int part, int j,
                      double range) {
    const int turn = hol__is_turn(m, j);
    if (!part) return turn ? w->probe.step_turn : w->probe.step_length;
    return turn ? fmin(w->probe.step_spin, SHARE * range / fmax(1, m->length))
                : fmin(w->probe.step_speed, SHARE * range);
}

hol_status hol__tangent_user(hol__tangent *tangent, const hol_data *data) {
    const hol_model *m = tangent->model;
    hol__tangent_work *w = tangent->work;
    const size_t width = (size_t)(m->bw * m->nb);
    if (!w->user) return HOL_OK;
    hol_status status = hol_data_copy(w->beside, data);
    if (!status) status = hol_data_update(w->beside, HOL_STAGE_VEL);
    if (status) return status;
    const double range = hol__data_slide_range(w->beside);
    memset(w->user, 0, sizeof(double) * 2 * (size_t)m->nv * width);
    memset(w->column, 0, sizeof(double) * (size_t)m->nv);
    for (int part = 0; part < 2; part++)
        for (int j = 0; j < m->nv; j++) {
            const double h = step_of(w, m, part, j, range);
            double *out = w->user + ((size_t)(part * m->nv + j)) * width;
            for (int s = 0; s < HOL__STENCIL && !status; s++)
                status = add_point(tangent, data, part, j, hol__stencil[s].at * h,
                                   hol__stencil[s].weight / h, out);
        }
    return status ? status : add_time(tangent, data);
}

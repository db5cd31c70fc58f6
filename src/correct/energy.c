/* energy.c: the speed along the constraints scaled so that the energy balance of the start holds.
 *
 *     v = v_p + v_t,  A v_t = 0
 *     T = T_p + C + T_t,  C = v_p^T M v_t (zero when v_t is the part orthogonal in M)
 *     v <- v_p + s v_t,  T_t s^2 + C s + T_p = E_0 - V + W,  |s - 1| <= limit
 *
 * Where the mechanism is momentarily at rest the balance says little about the speed; the limit
 * keeps s near 1 there.
 */
#include "correct/correct.h"

#include <math.h>
#include <string.h>

hol_status hol__correct_energy(hol__correction *c) {
    hol_data *data = c->data;
    const hol_model *m = data->model;
    hol_status status = hol_data_update(data, HOL_STAGE_DYN);
    if (status) return status;
    memcpy(c->v0, data->v, sizeof(double) * (size_t)m->nv);
    hol__correction_tangent(c, c->f, c->v0);
    for (int i = 0; i < m->nv; i++) c->f[i] = data->v[i] - c->v0[i];
    const double T = hol__data_kinetic(data, data->v), Tt = hol__data_kinetic(data, c->v0),
                 Tp = hol__data_kinetic(data, c->f), C = T - Tp - Tt;
    const double wanted = c->balance - data->potential + data->work;
    if (!(Tt > 0)) return HOL_OK;
    const double root = (sqrt(fmax(0, C * C - 4 * Tt * (Tp - wanted))) - C) / (2 * Tt);
    const double s = fmin(1 + c->energy_limit, fmax(1 - c->energy_limit, root));
    for (int i = 0; i < m->nv; i++) data->v[i] += (s - 1) * c->v0[i];
    hol__data_set_v(data, NULL);
    return HOL_OK;
}

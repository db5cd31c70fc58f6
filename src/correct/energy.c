/* energy.c: the speed along the constraints scaled so that the energy balance of the start holds.
 *
 *     v = v_p + v_t,  A v_t = 0,  v_p orthogonal to v_t in M          T = T_p + T_t
 *     v <- v_p + s v_t,  s^2 = (E_0 - V + W - T_p) / T_t,  |s - 1| <= limit
 *
 * Where the mechanism is momentarily at rest the balance says little about the speed; the limit keeps s near 1 there.
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
    const double T = hol__kinetic(m, data->v), Tt = hol__kinetic(m, c->v0);
    const double wanted = c->balance - data->potential + data->work - (T - Tt);
    if (!(Tt > 0)) return HOL_OK;
    const double s = fmin(1 + c->energy_limit, fmax(1 - c->energy_limit, sqrt(fmax(0, wanted / Tt))));
    for (int i = 0; i < m->nv; i++) data->v[i] += (s - 1) * c->v0[i];
    hol__data_set_v(data, NULL);
    return HOL_OK;
}

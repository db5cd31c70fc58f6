/* static_carried.c: equilibrium as it is seen from a frame that carries the bodies on. See
 * static_system.h.
 *
 * At a position the carrier says the velocities V and accelerations V' of all bodies. B takes
 * velocities of the coordinates to those of the bodies, and Z spans what A leaves. Those of the
 * coordinates that keep to the constraints and are nearest to the carrier's are
 *
 *     v = v_0 + Z (B Z)^+ (V - B v_0),       A v_0 = b
 *     a = a_0 + Z (B Z)^+ (V' - V'(a_0)),    A a_0 = c
 *
 * which are exact where the frame is one that the joints let pass; `astray` says by how much they
 * are not. A change dq moves the bodies by dx; their velocities follow as seen from the carrier at
 * rest, and with them dv and da, in the same way. So
 *
 *     d(Q - M a - A^T lambda) = K dq + dQ/dv dv - M da
 */
#include "analysis/static_system.h"

#include "math/vec3.h"

#include <math.h>
#include <string.h>

hol_status hol__static_ride(hol__static *s, const hol__carrier *carrier) {
    s->carrier = carrier;
    if (!carrier || s->motion) return HOL_OK;
    const int rows = s->n_body > 0 ? s->n_body : 1, nv = s->model->nv;
    s->motion = hol__cod_new(&s->arena, rows, nv);
    s->a = HOL__NEW_N(&s->arena, double, nv + 1);
    s->ride = HOL__NEW_N(&s->arena, double, 5 * (size_t)s->n_body + 3 * (size_t)nv + 1);
    s->rows = HOL__NEW_N(&s->arena, double, s->model->m + 1);
    return s->motion && !s->arena.failed ? HOL_OK : HOL_ERR_MEMORY;
}

double hol__static_turning(const hol__static *s) {
    const hol__carrier *c = s->carrier;
    double most = 0;
    for (int i = 0; i < s->model->nb; i++) {
        const double *u = hol__carrier_screw(c, i);
        most = fmax(most, fmax(hol__norm3(u) / s->model->length,
                               fmax(hol__norm3(u + 3), hol__norm3(c->spin + 3 * i))));
    }
    return most;
}

/* Factor B Z; columns behind the last freedom are zero. */
static int factor_motions(hol__static *s) {
    const size_t rows = (size_t)s->n_body;
    double *a = s->motion->qr->a;
    memset(a, 0, sizeof(double) * rows * (size_t)s->model->nv);
    if (s->n) hol__dense_product(0, 0, s->n_body, s->n, s->model->nv, s->B, s->Z, a);
    if (hol__cod_factor(s->motion)) return 0;
    hol__cod_truncate(s->motion, hol__cod_rank(s->motion, 1e-12));
    return 1;
}

/* x -= Z (B Z)^+ y for y over the bodies, whose angles become lengths in place. */
static void correct(hol__static *s, double *y, double *x) {
    const hol_model *m = s->model;
    double *along = s->ride + 5 * s->n_body + 2 * m->nv;
    for (int i = 0; i < s->n_body; i++) y[i] *= hol__is_length(m, i) ? 1 : m->length;
    if (!s->n) return;
    hol__cod_solve(s->motion, y, along);
    hol__dense_mul(m->nv, s->n, -1, s->Z, along, 1, x);
}

/* The state with these velocities and accelerations: what they differ from the carrier. */
static void compare(hol__static *s, const double *a, double *dV, double *dacc) {
    hol_data *data = s->data;
    hol__data_set_v(data, NULL);
    memcpy(data->a, a, sizeof(double) * (size_t)s->model->nv);
    hol_data_update(data, HOL_STAGE_VEL);
    hol__carrier_residual(s->carrier, data, dV, dacc);
}

hol_status hol__static_carry(hol__static *s) {
    const hol_model *m = s->model;
    hol_data *data = s->data;
    double *dV = s->ride, *dacc = dV + s->n_body;
    s->astray = 0;
    if (!s->n_body || !m->nv) return HOL_OK;
    if (!factor_motions(s)) return HOL_NONFINITE;
    memset(s->a, 0, sizeof(double) * (size_t)m->nv);
    hol_data_update(data, HOL_STAGE_VEL); /* b, which no velocity changes */
    hol__static_solve_rows(s, data->b, data->v);
    compare(s, s->a, dV, dacc);
    correct(s, dV, data->v);
    compare(s, s->a, dV, dacc); /* and with it c */
    const double turning = hol__static_turning(s) * m->length;
    for (int i = 0; i < s->n_body; i++)
        s->astray = fmax(s->astray, fabs(dV[i]) * (hol__is_length(m, i) ? 1 : m->length));
    if (turning > 0) s->astray /= turning;
    hol__static_solve_rows(s, data->c, s->a);
    compare(s, s->a, dV, dacc);
    correct(s, dacc, s->a);
    return isfinite(hol__norm(s->a, m->nv)) ? HOL_OK : HOL_NONFINITE;
}

/* dv and da that follow dq. */
static void follow(hol__static *s, const double *dq, double *dv, double *da) {
    const hol__tangent *t = s->tangent;
    const int n = s->n_body, m = s->model->m;
    double *dx = s->ride, *dV = dx + n, *dacc = dV + n, *to_V = dacc + n, *to_acc = to_V + n,
           *row = s->rows;
    memset(dv, 0, 2 * sizeof(double) * (size_t)s->model->nv);
    hol__csr_mul(&t->Pq, dq, row);
    for (int i = 0; i < m; i++) row[i] = -row[i];
    hol__static_solve_rows(s, row, dv);
    hol__tangent_bodies(t, dq, dv, da, dx, dV, dacc);
    hol__carrier_rates(s->carrier, s->data, dx, dV, dacc, to_V, to_acc);
    correct(s, to_V, dv);
    hol__csr_mul(&t->Cq, dq, row);
    hol__csr_mul_add(&t->Cv, 1, dv, row);
    hol__static_solve_rows(s, row, da);
    hol__tangent_bodies(t, dq, dv, da, dx, dV, dacc);
    hol__carrier_rates(s->carrier, s->data, dx, dV, dacc, to_V, to_acc);
    correct(s, to_acc, da);
}

void hol__static_change(hol__static *s, const double *dq, double *out, double *rate) {
    const hol_model *m = s->model;
    const hol__tangent *t = s->tangent;
    const int nv = m->nv;
    double *dv = s->carrier ? s->ride + 5 * s->n_body : NULL, *da = dv ? dv + nv : NULL;
    hol__csr_mul(&t->K, dq, out);
    if (dv) {
        follow(s, dq, dv, da);
        hol__csr_mul_add(&t->B, 1, dv, out);
        hol__csr_mul_add(hol__data_mass(s->data), -1, da, out);
    }
    for (int z = 0; rate && z < m->n_aux; z++) {
        rate[z] = 0;
        for (int j = 0; j < nv; j++)
            rate[z] += t->Rq[z * nv + j] * dq[j] + (dv ? t->Rv[z * nv + j] * dv[j] : 0);
    }
}

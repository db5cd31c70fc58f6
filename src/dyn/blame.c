/* blame.c: which element is behind a value that is not finite.
 *
 * Called only after an evaluation has failed, at the state where it did: first the rows of the joints (functions of time, curves), then
 * the forces one by one. A state that is itself not finite says nothing about elements.
 */
#include "dyn/data.h"

#include <math.h>

static int finite_all(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += 0 * x[i];
    return sum == 0;
}

/* The first joint with a row that is not finite. */
static const hol__element *bad_joint(hol_data *data) {
    const hol_model *m = data->model;
    for (int i = 0; i < m->m; i++)
        if (!isfinite(data->b[i]) || !isfinite(data->c[i]) ||
            (i < m->mh && !isfinite(data->Phi[i])))
            return &m->joints[m->row_joint[i]];
    return NULL;
}

/* The first force whose wrench on some body is not finite. */
static const hol__element *bad_force(hol_data *data) {
    const hol_model *m = data->model;
    for (int i = 0; i < m->n_forces; i++) {
        hol_data_force(data, i);
        if (!finite_all(data->wrench, (m->nb + 1) * m->bw)) return &m->forces[i];
    }
    return NULL;
}

const hol__element *hol__data_blame(hol_data *data) {
    const hol_model *m = data->model;
    if (!isfinite(data->t) || !finite_all(data->q, m->nq) || !finite_all(data->v, m->nv))
        return NULL;
    hol_data_update(data, HOL_STAGE_DYN);
    const hol__element *joint = bad_joint(data);
    return joint ? joint : bad_force(data);
}

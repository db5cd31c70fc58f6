/* spatial.c: reference-point coordinates in space: q = (r, p) of each mass centre with p a unit
 * quaternion, v = (r', omega), omega in the body frame.
 *
 *     M = diag(m I, J), J in the body frame, constant       Q = (m g, -omega x J omega)
 *     increments d = (dr, u): r + dr, p exp(u)
 *     u' by the inverse of the differential of exp (math/quat.h)
 */
#include "coords/coords.h"
#include "math/quat.h"

#include <string.h>

static void start(const hol_model *model, double *q, double *v) {
    for (int i = 0; i < model->nb; i++) {
        const hol__body *b = &model->bodies[i];
        memcpy(q + 7 * i, b->r, 3 * sizeof *q);
        memcpy(q + 7 * i + 3, b->p, 4 * sizeof *q);
        memcpy(v + 6 * i, b->v, 3 * sizeof *v);
        memcpy(v + 6 * i + 3, b->w, 3 * sizeof *v);
    }
}

static void poses(const hol_model *model, const double *q, hol__bodies *bodies, double *work) {
    hol__body3 *b3 = bodies->b3;
    (void)work;
    for (int i = 0; i < model->nb; i++, b3++, q += 7) {
        memcpy(b3->r, q, sizeof b3->r);
        memcpy(b3->p, q + 3, sizeof b3->p);
        hol__quat_matrix(b3->p, b3->R);
    }
}

static void twists(const hol_model *model, const double *v, hol__bodies *bodies, double *work) {
    hol__body3 *b3 = bodies->b3;
    (void)work;
    for (int i = 0; i < model->nb; i++, b3++, v += 6) {
        memcpy(b3->v, v, sizeof b3->v);
        memcpy(b3->w, v + 3, sizeof b3->w);
    }
}

static void plus(const hol_model *model, const double *q, const double *d, double *out) {
    for (int i = 0; i < model->nb; i++, q += 7, d += 6, out += 7) {
        double p[4];
        hol__quat_plus(q + 3, d + 3, p);
        hol__add3(q, d, out);
        memcpy(out + 3, p, sizeof p);
    }
}

static void minus(const hol_model *model, const double *a, const double *b, double *d) {
    for (int i = 0; i < model->nb; i++, a += 7, b += 7, d += 6) {
        double p[4];
        hol__sub3(a, b, d);
        hol__quat_mul_c(b + 3, a + 3, p);
        hol__quat_log(p, d + 3);
    }
}

static void rate(const hol_model *model, const double *d, const double *v, double *ddot) {
    for (int i = 0; i < model->nb; i++, d += 6, v += 6, ddot += 6) {
        memcpy(ddot, v, 3 * sizeof *ddot);
        hol__quat_dexpinv(d + 3, v + 3, ddot + 3);
    }
}

static int rotations(const hol_model *model, int *first) {
    for (int i = 0; first && i < model->nb; i++) first[i] = 6 * i + 3;
    return model->nb;
}

static hol_status mass(hol_model *model) {
    hol__csr *M = &model->M;
    const int n = model->nv, nnz = 12 * model->nb;
    *M = (hol__csr){.rows = n,
                    .cols = n,
                    .ptr = HOL__NEW_N(&model->arena, int, n + 1),
                    .idx = HOL__NEW_N(&model->arena, int, nnz),
                    .x = HOL__NEW_N(&model->arena, double, nnz),
                    .live = HOL__NEW_N(&model->arena, unsigned char, nnz)};
    if (model->arena.failed) return HOL_ERR_MEMORY;
    for (int i = 0, k = 0; i < n; i++) {
        const hol__body *b = &model->bodies[i / 6];
        const int r = i % 6 - 3;
        for (int j = r < 0 ? 2 : 0; j < 3; j++, k++) {
            M->idx[k] = r < 0 ? i : i - r + j;
            M->x[k] = r < 0 ? b->mass : b->J[3 * r + j];
            M->live[k] = r < 0 || r == j || b->J[3 * r + j] != 0;
        }
        M->ptr[i + 1] = k;
    }
    return HOL_OK;
}

static double inertia(const hol_model *model, const hol__bodies *bodies, double *Q) {
    const hol__body3 *b3 = bodies->b3;
    double potential = 0;
    for (int i = 0; i < model->nb; i++, b3++, Q += 6) {
        const hol__body *b = &model->bodies[i];
        double Jw[3], gyro[3];
        hol__mul3(b->J, b3->w, Jw);
        hol__cross3(b3->w, Jw, gyro);
        for (int k = 0; k < 3; k++) Q[k] = b->mass * model->gravity[k], Q[3 + k] = -gyro[k];
        potential -= hol__dot3(Q, b3->r);
    }
    memset(Q, 0, 6 * sizeof *Q);
    return potential;
}

const hol__coords hol__coords_spatial = {
    .name = "spatial",
    .title = "spatial reference point (unit quaternions)",
    .space = HOL_SPATIAL,
    .nq_body = 7,
    .nv_body = 6,
    HOL__COORDS_OWN,
    .rotations = rotations,
};

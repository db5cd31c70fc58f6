/* turning.c: rates of coordinates and directions of velocities. See turning.h. */
#include "coords/turning.h"

#include "math/quat.h"

int hol__turning_find(const hol_model *model, int *first) {
    return model->coords->rotations ? model->coords->rotations(model, first) : 0;
}

/* out = p (0, u) times factor. */
static void turn(const double *p, const double *u, double factor, double *out) {
    const double w[4] = {0, u[0], u[1], u[2]};
    hol__quat_mul(p, w, out);
    for (int k = 0; k < 4; k++) out[k] *= factor;
}

void hol__turning_rates(const hol_model *model, int n, const int *first, const double *q,
                        const double *v, double *out) {
    for (int j = 0, at = 0, k = 0; j < model->nv;) {
        if (k < n && first[k] == j) {
            turn(q + at, v + j, 0.5, out + at);
            at += 4, j += 3, k++;
        } else
            out[at++] = v[j++];
    }
}

void hol__turning_directions(const hol_model *model, int n, const int *first, const double *q,
                             const double *dq, double *out) {
    for (int j = 0, at = 0, k = 0; j < model->nv;) {
        if (k < n && first[k] == j) {
            double w[4];
            hol__quat_mul_c(q + at, dq + at, w);
            for (int i = 0; i < 3; i++) out[j + i] = 2 * w[1 + i];
            at += 4, j += 3, k++;
        } else
            out[j++] = dq[at++];
    }
}

/* tangent_bodies.c: what increments of the coordinates do to the bodies. See tangent.h. */
#include "dyn/tangent_work.h"

#include <string.h>

/* out += f x over one body. */
static void add(int n, double f, const double *x, double *out) {
    for (int i = 0; i < n; i++) out[i] += f * x[i];
}

void hol__tangent_bodies(const hol__tangent *tangent, const double *dq, const double *dv,
                         const double *da, double *dx, double *dV, double *dacc) {
    const hol_model *m = tangent->model;
    const hol__variation *x = &tangent->work->variation;
    const int bw = m->bw;
    const size_t bytes = sizeof(double) * (size_t)(bw * m->nb);
    if (!m->nb) return;
    if (!m->coords->maps) {
        memcpy(dx, dq, bytes);
        memcpy(dV, dv, bytes);
        if (dacc) memcpy(dacc, da, bytes);
        return;
    }
    memset(dx, 0, bytes);
    memset(dV, 0, bytes);
    if (dacc) memset(dacc, 0, bytes);
    for (int j = 0; j < m->nv; j++)
        for (int k = x->ptr[j]; k < x->ptr[j + 1]; k++) {
            const int at = bw * x->body[k], of = bw * k;
            add(bw, dq[j], x->pose + of, dx + at);
            add(bw, dv[j], x->pose + of, dV + at);
            add(bw, dq[j], x->twist + of, dV + at);
            if (!dacc) continue;
            add(bw, da[j], x->pose + of, dacc + at);
            add(bw, dq[j], x->acc + of, dacc + at);
            add(bw, dv[j], x->bias + of, dacc + at);
        }
}

void hol__tangent_pull(hol__tangent *tangent, const double *w, double *out) {
    const hol_model *m = tangent->model;
    if (m->coords->maps)
        hol__variation_pull(m, &tangent->work->last->bodies, w, &tangent->work->variation, out);
    else if (m->nv)
        memcpy(out, w, sizeof(double) * (size_t)m->nv);
}

/* static_states.c: the states that elements added (controllers, filters, bristles), at rest while
 * positions move: r + Rq x + Rz dz = 0 as far as Rz allows; integrators, whose rate does not depend
 * on them, stay. */
#include "analysis/static_search.h"

#include <math.h>
#include <string.h>

static const double none = 1e-12; /* a singular value below this share of the largest is zero */

int hol__static_states_new(hol__static *s, hol__arena *arena, hol__static_states *out) {
    const int n = s->model->n_aux;
    *out = (hol__static_states){.n = n};
    if (!n) return 1;
    out->svd = hol__svd_new(arena, n, n);
    out->dz = HOL__NEW_N(arena, double, n);
    out->right = HOL__NEW_N(arena, double, n);
    return out->svd && out->dz && out->right;
}

void hol__static_states_take(hol__static *s, hol__static_states *states) {
    const int n = states->n;
    if (n) memcpy(states->svd->a, s->Rz, sizeof(double) * (size_t)n * (size_t)n);
    if (n) hol__svd_factor(states->svd);
}

void hol__static_states_follow(const hol__static *s, hol__static_states *states, int rates,
                               const double *x) {
    const int n = states->n;
    const hol__svd *svd = states->svd;
    for (int i = 0; i < n; i++) {
        states->right[i] = rates ? -s->rate[i] : 0;
        for (int k = 0; x && k < s->n; k++) states->right[i] -= s->Rq[k * n + i] * x[k];
        states->dz[i] = 0;
    }
    for (int k = 0; k < n; k++) {
        double along = 0;
        if (!(svd->s[k] > none * svd->s[0])) continue;
        for (int i = 0; i < n; i++) along += svd->u[k * n + i] * states->right[i];
        for (int i = 0; i < n; i++) states->dz[i] += svd->vt[i * n + k] * along / svd->s[k];
    }
}

double hol__static_unrest(const hol__static *s, int *state) {
    const int n = s->model->n_aux;
    double worst = 0;
    *state = -1;
    for (int i = 0; i < n; i++) {
        double terms = 0;
        for (int k = 0; k < s->n; k++) terms += fabs(s->Rq[k * n + i]) * s->model->length;
        for (int j = 0; j < n; j++)
            terms += fabs(s->Rz[j * n + i]) * fmax(fabs(s->data->aux[j]), 1e-3);
        const double rate = fabs(s->rate[i]) / fmax(terms, 1e-300);
        if (s->rate[i] != 0 && rate > worst) worst = rate, *state = i;
    }
    return worst;
}

void hol__static_condense(hol__static *s, hol__static_states *states, double *unit, double *out) {
    const int n = s->n, na = states->n;
    hol__static_states_take(s, states);
    memcpy(out, s->H, sizeof(double) * (size_t)n * (size_t)n);
    memset(unit, 0, sizeof(double) * (size_t)n);
    for (int k = 0; na && k < n; k++) {
        unit[k] = 1;
        hol__static_states_follow(s, states, 0, unit);
        unit[k] = 0;
        for (int i = 0; i < n; i++)
            for (int a = 0; a < na; a++) out[k * n + i] -= s->Qz[a * n + i] * states->dz[a];
    }
}

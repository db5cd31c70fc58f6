/* assemblies_family.c: assemblies that can still move, as one each.
 *
 * Where loops fold onto each other (the two long arms of a Peaucellier cell), joints leave freedoms
 * beside those that are held, and every start ends in another position of the same family. Two of
 * them are one where the mechanism moves from one to the other: from q a part of the way to the
 * other, the joints closed, and so on, as long as the distance falls. The distance is measured in
 * radians and lengths of the mechanism. */
#include "analysis/assemblies.h"

#include <math.h>
#include <string.h>

enum { STEPS = 400 };

static const double longest = 0.1, /* of a step */
    shortest = 1e-3, arrived = 1e-6;

/* The way from the positions in data to q into closing.delta; its length. */
static double way(hol__assemblies *a, const double *q) {
    const hol_model *m = a->from;
    double *d = a->closing.delta, sum = 0;
    m->coords->minus(m, q, a->data->q, d);
    for (int i = 0; i < m->nv; i++) {
        if (m->dim == 2 && hol__is_turn(m, i)) d[i] = remainder(d[i], 6.283185307179586476925);
        const double x = d[i] / (hol__is_turn(m, i) ? 1 : m->length);
        sum += x * x;
    }
    return sqrt(sum);
}

/* Whether the mechanism moves from `from` (room for nq) to `to`; `from` is where it came to. */
static hol_status leads(hol__assemblies *a, double *from, const double *to, int *there) {
    const hol_model *m = a->from;
    double *next = a->start, step = longest;
    *there = 0;
    for (int k = 0; k < STEPS && step > shortest; k++) {
        hol__data_set_q(a->data, a->data->t, from);
        const double before = way(a, to);
        if (before < arrived) break;
        const double part = fmin(1, step / before);
        for (int i = 0; i < m->nv; i++) a->closing.delta[i] *= part;
        m->coords->plus(m, from, a->closing.delta, next);
        const hol_status status = hol__closing_run(&a->closing, next);
        if (status < 0) return status;
        const double after = way(a, to);
        /* a jump to another branch closes by more than a step */
        m->coords->minus(m, a->data->q, from, a->closing.away);
        if (!status && after < before - 0.1 * part * before && way(a, from) < 2 * part * before) {
            memcpy(from, a->data->q, sizeof *from * (size_t)m->nq);
            step = fmin(longest, 2 * step);
        } else {
            step *= 0.5;
        }
    }
    hol__data_set_q(a->data, a->data->t, from);
    *there = way(a, to) < arrived;
    return HOL_OK;
}

hol_status hol__assemblies_merge(hol__assemblies *a) {
    const hol_model *m = a->from;
    const int last = a->n - 1;
    double *from = HOL__NEW_N(&a->arena, double, m->nq);
    hol_status status = from ? HOL_OK : HOL_ERR_MEMORY;
    for (int i = 0, there; i < last && !status; i++) {
        if (a->branch[i].freedoms != a->branch[last].freedoms) continue;
        memcpy(from, a->branch[last].q, sizeof *from * (size_t)m->nq);
        status = leads(a, from, a->branch[i].q, &there);
        if (status || !there) continue;
        a->branch[i].count++;
        a->n--;
        break;
    }
    return status;
}

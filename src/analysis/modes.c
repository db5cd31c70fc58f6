/* modes.c: modes as motions, for results that pages and pictures show.
 *
 * The state is moved along the real part of v exp(i w tau), brought onto the constraints, and
 * carried on with the steady motion by tau (carrier.h). A mode that does not oscillate shows how it
 * decays, v exp(lambda tau), one that grows how it comes there.
 */
#include "analysis/linearize.h"

#include "base/argument.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

struct hol_modes {
    hol_context *ctx;
    hol__small *s;
    hol__spectrum x;
    hol_data *moved, *carried;
    double *dq, *v, *q, *z;
};

void hol_modes_free(hol_modes *modes) {
    if (!modes) return;
    hol_data_free(modes->moved);
    hol_data_free(modes->carried);
    hol__small_free(modes->s);
    hol__release(modes->ctx, modes);
}

hol_status hol_modes_new(hol_context *ctx, hol_sim *sim, int settle, hol_modes **out) {
    static const char call[] = "hol_modes_new";
    if (!ctx || hol__need(ctx, call, "the simulation", sim) ||
        hol__need(ctx, call, "the modes", out))
        return HOL_ERR_ARGUMENT;
    hol_modes *m = *out = hol__alloc(ctx, 1, sizeof *m);
    if (!m) return HOL_ERR_MEMORY;
    m->ctx = ctx;
    hol_status status = hol__small_about(sim, settle, &m->s);
    if (!status) status = hol__small_spectrum(m->s, NULL, &m->x);
    if (!status) {
        const hol_model *model = m->s->model;
        hol__arena *arena = &m->s->matrices;
        m->moved = hol_data_new(ctx, model);
        m->carried = hol_data_new(ctx, model);
        m->dq = HOL__NEW_N(arena, double, model->nv + 1);
        m->v = HOL__NEW_N(arena, double, model->nv + 1);
        m->q = HOL__NEW_N(arena, double, model->nq + 1);
        m->z = HOL__NEW_N(arena, double, model->n_aux + 1);
        if (!m->moved || !m->carried || arena->failed) status = HOL_ERR_MEMORY;
    }
    if (!status) return HOL_OK;
    hol_modes_free(m);
    *out = NULL;
    return status > 0 ? HOL_ERR_SINGULAR : status;
}

int hol_modes_count(const hol_modes *modes) {
    return modes ? hol__mode_count(&modes->x) : 0;
}

double hol_modes_time(const hol_modes *m, int i) {
    if (!m || i < 0 || i >= hol_modes_count(m)) return NAN;
    const int k = hol__mode_column(&m->x, i);
    return m->x.im[k] > 0 ? 2 * acos(-1.0) / m->x.im[k] : 3 / fabs(m->x.re[k]);
}

/* The largest displacement of the bodies in a mode, in lengths of the mechanism and radians. */
static double largest(const hol_modes *m, int k) {
    const hol__small *s = m->s;
    const int width = s->model->bw * s->model->nb, pair = m->x.im[k] > 0;
    double most = 0;
    for (int i = 0; i < width; i++) {
        double re = 0, im = 0;
        for (int j = 0; j < s->p.n; j++) {
            const double e = s->E[hol__area(j, s->rows) + (size_t)i];
            re += e * m->x.vectors[hol__area(k, s->p.n) + (size_t)j];
            if (pair) im += e * m->x.vectors[hol__area(k + 1, s->p.n) + (size_t)j];
        }
        most = fmax(most, hypot(re, im));
    }
    return most;
}

/* The state of `moved` along c times the real minus s times the imaginary part of the vector. */
static hol_status move(hol_modes *m, int k, double c, double s) {
    const hol__small *small = m->s;
    const hol_model *model = small->model;
    const hol__perturb *p = &small->p;
    const double *re = m->x.vectors + hol__area(k, p->n), *im = m->x.im[k] > 0 ? re + p->n : NULL;
    const hol_data *data = small->data;
    memset(m->dq, 0, sizeof(double) * (size_t)model->nv);
    memcpy(m->v, data->v, sizeof(double) * (size_t)model->nv);
    for (int j = 0; j < p->n; j++) {
        const double x = c * re[j] - (im ? s * im[j] : 0);
        for (int i = 0; i < model->nv; i++) {
            m->dq[i] += x * p->dq[hol__area(j, p->nv) + (size_t)i];
            m->v[i] += x * p->dv[hol__area(j, p->nv) + (size_t)i];
        }
        const int z = j - p->n_q - p->n_v;
        if (z >= 0) m->z[z] = data->aux[z] + x;
    }
    hol_status status = hol_data_copy(m->moved, data);
    if (status) return status;
    model->coords->plus(model, data->q, m->dq, m->q);
    hol_data_set(m->moved, data->t, m->q, m->v);
    if (model->n_aux) hol__data_set_aux(m->moved, m->z);
    hol__arena arena;
    hol__arena_init(&arena, m->ctx);
    status = hol__perturb_close(m->moved, &arena);
    hol__arena_free(&arena);
    return status;
}

hol_status hol_modes_put(hol_modes *m, int i, double tau, double amplitude, hol_sim *sim) {
    static const char call[] = "hol_modes_put";
    if (!m || hol__need(m->ctx, call, "the simulation", sim) ||
        hol__need_index(m->ctx, call, "mode", i, hol_modes_count(m)))
        return HOL_ERR_ARGUMENT;
    const int k = hol__mode_column(&m->x, i), pair = m->x.im[k] > 0;
    const double most = largest(m, k), w = m->x.im[k], rate = m->x.re[k];
    double size = most > 0 ? amplitude / most : 0;
    if (!pair) size *= exp(rate > 0 ? rate * (tau - hol_modes_time(m, i)) : rate * tau);
    hol_status status = move(m, k, size * cos(w * tau), size * sin(w * tau));
    if (status > 0)
        return hol__report(m->ctx, HOL_ERROR, HOL_ERR_ASSEMBLY, NULL, NULL,
                           "mode %d: the joints do not close at the amplitude %.3g; take a smaller "
                           "one",
                           i + 1, amplitude);
    if (status) return status;
    hol__carrier_move(&m->s->carrier, m->moved, tau, m->carried);
    sim->end = HOL_END_TIME;
    return hol_data_copy(sim->data, m->carried);
}

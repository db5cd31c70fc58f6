/* steady_frame.c: the frame that the velocities of a start make. See steady.h.
 *
 * The velocities of the bodies say the frame, but where something does not ask for its own (a hinge
 * without a rate on a shaft that is driven) they are those of least energy, and no frame has them
 * all. So the screw motions are changed by as little as lets the mechanism follow: what its
 * velocities, which keep to the constraints, differ from those of the frame is linear in them.
 * Choices HOL__CARRIERS and above have no spins: parts turn as a whole.
 */
#include "analysis/static_contact.h"
#include "analysis/steady.h"

#include <math.h>
#include <string.h>

static const double fits = 1e-9; /* of the fastest rate: what the mechanism may miss */

void hol__frame_free(hol_context *ctx, hol__frame *frame) {
    if (!frame) return;
    hol__arena_free(&frame->arena);
    hol__release(ctx, frame);
}

/* What the velocities of the mechanism differ from those of the frame: n_body numbers. */
static hol_status look(hol__static *s, double *out) {
    const hol_model *m = s->model;
    const hol_status status = hol__static_carry(s);
    if (status) return status;
    hol__carrier_residual(s->carrier, s->data, s->ride, s->ride + s->n_body);
    for (int i = 0; i < s->n_body; i++)
        out[i] = s->ride[i] * (hol__is_length(m, i) ? 1 : m->length);
    return HOL_OK;
}

/* Change the screw motions by as little as lets the mechanism follow; lengths over that of the
 * mechanism. */
static hol_status adapt(hol__static *s, hol__frame *f) {
    const hol_model *m = s->model;
    const int n = 6 * f->carrier.parts, rows = s->n_body;
    hol__cod *cod = hol__cod_new(&f->arena, rows, n);
    double *off = HOL__NEW_N(&f->arena, double, rows + 1), *x = HOL__NEW_N(&f->arena, double, n);
    if (!cod || f->arena.failed) return HOL_ERR_MEMORY;
    hol_status status = look(s, off);
    for (int k = 0; k < n && !status; k++) {
        double *column = cod->qr->a + hol__area(k, rows), *screw = f->carrier.screw + k;
        const double kept = *screw, unit = k % 6 < 3 ? hol__mechanism_size(m) : 1;
        memset(column, 0, sizeof(double) * (size_t)rows);
        if (m->dim == 2 && (k % 6 == 2 || k % 6 == 3 || k % 6 == 4)) continue;
        *screw += unit;
        status = look(s, column);
        *screw = kept;
        for (int i = 0; i < rows; i++) column[i] -= off[i];
    }
    if (status || hol__cod_factor(cod)) return status ? status : HOL_SINGULAR;
    hol__cod_truncate(cod, hol__cod_rank(cod, 1e-10));
    hol__cod_solve(cod, off, x);
    for (int k = 0; k < n; k++)
        f->carrier.screw[k] -= x[k] * (k % 6 < 3 ? hol__mechanism_size(m) : 1);
    return HOL_OK;
}

/* An empty frame in c. */
static hol_status renew(hol__static_case *c, int which) {
    if (c->frame)
        hol__arena_free(&c->frame->arena);
    else
        c->frame = hol__alloc(c->ctx, 1, sizeof *c->frame);
    if (!c->frame) return HOL_ERR_MEMORY;
    *c->frame = (hol__frame){.which = which};
    hol__arena_init(&c->frame->arena, c->ctx);
    return HOL_OK;
}

hol_status hol__steady_frame(hol__static_case *c, int which) {
    const int rigid = which >= HOL__CARRIERS;
    const int choice = rigid ? (which - HOL__CARRIERS) * (HOL__CARRIERS / 2) : which;
    hol__static *s = c->system;
    hol__static_ride(s, NULL);
    hol_status status = renew(c, which);
    if (!status) status = hol_data_solve(c->data);
    if (status) return status;
    hol__carrier *carrier = &c->frame->carrier;
    status = hol__carrier_find(c->data, choice, 1, &c->frame->arena, carrier);
    if (!status && carrier->repeats) return HOL_RETRY;
    if (status) return status;
    if (rigid && c->model->nb) memset(carrier->spin, 0, sizeof(double) * 3 * (size_t)c->model->nb);
    status = hol__static_ride(s, carrier);
    if (!status) status = hol__static_evaluate(s);
    if (!status && s->astray > fits && s->n_body) {
        status = adapt(s, c->frame);
        if (!status) status = hol__static_evaluate(s);
        if (!status && s->astray > fits) status = HOL_RETRY;
    }
    return status;
}

/* How far the velocities of the frame are from v, as a share. */
static double apart(const hol__static *s, const double *v) {
    double most = 0, size = 0;
    for (int i = 0; i < s->model->nv; i++) {
        most = fmax(most, fabs(s->data->v[i] - v[i]) * s->scale[i]);
        size = fmax(size, fabs(v[i]) * s->scale[i]);
    }
    return size > 0 ? most / size : most;
}

hol_status hol__steady_begin(hol__static_case *c) {
    static const int order[] = {HOL__CARRIERS, HOL__CARRIERS + 1, 0};
    const int nv = c->data->model->nv;
    double *v = hol__alloc(c->ctx, (size_t)nv + 1, sizeof *v);
    if (!v) return HOL_ERR_MEMORY;
    memcpy(v, c->data->v, sizeof(double) * (size_t)nv);
    hol_status status = HOL_RETRY;
    for (int k = 0; k < 3 && status > 0; k++) {
        status = hol__steady_frame(c, order[k]);
        if (!status && k < 2 && apart(c->system, v) > fits) status = HOL_RETRY;
        hol__data_set_v(c->data, v);
    }
    hol__release(c->ctx, v);
    return status < 0 ? status : HOL_OK;
}

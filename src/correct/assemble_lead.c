/* assemble_lead.c: drivers that ask for angles which Newton's method does not find from the drawn
 * position.
 *
 * They are led there: the rows Phi_i - f Phi_i(q_drawn) of theirs, f from 1 to 0 in steps of half a
 * radian, each closed from the one before, over full turns as well. A step that does not close is
 * halved.
 */
#include "correct/assemble.h"

#include <math.h>
#include <string.h>

static const double led_least = 1e-3; /* radians of the shortest step */
static const double full_turn = 6.283185307179586476925;

double hol__assembly_asked_turn(const hol__assembly *s, int i) {
    const hol_model *m = s->data->model;
    const hol__element *e = m->row_joint[i] < 0 ? NULL : &m->joints[m->row_joint[i]];
    return e && hol__assembly_drives(e) && !e->pushes ? s->data->Phi[i] : 0;
}

/* From the share f of the way to g, where it closes there; f stays otherwise. room: for the
 * positions and angles before. */
static hol_status lead_to(hol__assembly *s, const double *asked, double *room, double *f,
                          double g) {
    const hol_model *m = s->data->model;
    int closed;
    double *q = room, *angles = room + m->nq;
    memcpy(q, s->data->q, sizeof(double) * (size_t)m->nq);
    memcpy(angles, s->data->angles_base, sizeof(double) * (size_t)m->n_angles);
    for (int i = 0; i < m->mh; i++) s->offset[i] = g * asked[i];
    const hol_status status = hol__assembly_close(s, &closed);
    if (status || closed) {
        *f = g;
        return status;
    }
    memcpy(s->data->angles_base, angles, sizeof(double) * (size_t)m->n_angles);
    hol__data_set_q(s->data, s->data->t, q);
    return HOL_OK;
}

hol_status hol__assembly_lead(hol__assembly *s, const double *asked, double most, int *closed) {
    const hol_model *m = s->data->model;
    double f = 2, by = HOL__LED / most;
    double *room = HOL__NEW_N(&s->arena, double, m->nq + m->n_angles + 1);
    hol_status status = room ? lead_to(s, asked, room, &f, 1) : HOL_ERR_MEMORY;
    while (!status && f > 0 && f <= 1 && by * most >= led_least) {
        const double from = f;
        status = lead_to(s, asked, room, &f, fmax(0, f - by));
        by = f < from ? fmin(2 * by, HOL__LED / most) : 0.5 * by;
    }
    memset(s->offset, 0, sizeof(double) * (size_t)m->mh);
    s->data->stage = HOL_STAGE_NONE;
    *closed = !status && f == 0 &&
              hol__assembly_residual(s) <= fmax(hol__assembly_slack(s), s->tolerance);
    return status;
}

void hol__assembly_warn_of_turns(const hol__assembly *s, const double *asked) {
    const hol_model *m = s->data->model;
    for (int i = 0; i < m->mh; i++) {
        if (!(fabs(asked[i]) > full_turn)) continue;
        const hol__element *e = &m->joints[m->row_joint[i]];
        hol__warn(s->data->ctx, &e->where, e->label,
                  "begins %.6g rad, %.3g turns, away from the drawn position; write '%.6g deg' if "
                  "degrees are meant",
                  fabs(asked[i]), fabs(asked[i]) / full_turn, fabs(asked[i]));
    }
}

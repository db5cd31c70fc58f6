/* static_contact.c: see static_contact.h. */
#include "analysis/static_contact.h"
#include "analysis/steady.h"

#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_ROUNDS = 200, MAX_CUTS = 60 };

/* ---- gaps ---- */

double hol__static_gap(const hol__static *s) {
    const struct hol__static_gaps *gaps = s->gaps;
    double least = INFINITY;
    if (!gaps) return least;
    const hol__switching *set = &gaps->sim->switching;
    const hol__force_args force = hol__data_force_args(s->data);
    const hol__con_args args = hol__rigid_args(&force);
    hol_data_update(s->data, HOL_STAGE_VEL);
    for (int k = 0; k < s->model->n_joints; k++) {
        const hol__rigid *r = set->off[k] ? NULL : s->model->joints[k].rigid;
        hol__rigid_view view;
        if (r) hol__rigid_look(r, &args, &view);
        for (int i = 0; r && i < r->slots; i++) {
            hol__rigid_point at;
            if (!gaps->all && (set->touch[r->first + i] & HOL__TOUCH_CLOSED)) continue;
            hol__rigid_see(&view, i, &at);
            if (!at.beside) least = fmin(least, at.gap);
        }
    }
    return least;
}

int hol__static_passes(const hol__static *s) {
    return s->gaps && hol__static_gap(s) < -0.25 * s->gaps->touches;
}

/* Move by a share of the step. */
static hol_status move(hol__static *s, const double *x, const double *dz, double share, double *a,
                       double *b) {
    for (int i = 0; i < s->n; i++) a[i] = share * x[i];
    for (int i = 0; dz && i < s->model->n_aux; i++) b[i] = share * dz[i];
    return hol__static_move(s, a, dz ? b : NULL);
}

/* The share of the step at which the gap is closed, between one where it is open and one where it
 * is passed: by false position, with halving where that is slow. */
static hol_status cut(hol__static *s, double *x, double *dz, double passed, double *share) {
    const double touches = s->gaps->touches;
    double low = 0, high = 1, over, under = passed, *a, *b;
    hol__arena arena;
    hol__arena_init(&arena, s->data->ctx);
    a = HOL__NEW_N(&arena, double, s->n + 1);
    b = HOL__NEW_N(&arena, double, s->model->n_aux + 1);
    hol_status status = a && b ? HOL_OK : HOL_ERR_MEMORY;
    if (!status) hol__static_back(s);
    over = status ? 0 : fmax(hol__static_gap(s), 0);
    *share = 0;
    for (int k = 0; k < MAX_CUTS && !status; k++) {
        const double even = low + (high - low) * over / (over - under);
        const double there = k % 3 == 2 || !(even > low && even < high) ? 0.5 * (low + high) : even;
        if (there == low || there == high) break;
        status = move(s, x, dz, there, a, b);
        const double gap = status ? -INFINITY : hol__static_gap(s);
        if (status > 0) status = HOL_OK; /* joints do not close: nearer */
        if (gap >= -0.25 * touches) *share = low = there, over = fmax(gap, 0);
        if (gap < -0.25 * touches) high = there, under = isfinite(gap) ? gap : -over;
        hol__static_back(s);
        if (fabs(gap) <= 0.25 * touches) break;
    }
    if (!status) status = move(s, x, dz, *share, a, b);
    for (int i = 0; !status && i < s->n; i++) x[i] = a[i];
    for (int i = 0; !status && dz && i < s->model->n_aux; i++) dz[i] = b[i];
    hol__arena_free(&arena);
    return status;
}

hol_status hol__static_step(hol__static *s, double *x, double *dz, double *share) {
    *share = 1;
    const hol_status status = hol__static_move(s, x, dz);
    if (status || !s->gaps) return status;
    const double gap = hol__static_gap(s);
    if (gap >= -0.25 * s->gaps->touches) return HOL_OK;
    s->met = 1;
    return cut(s, x, dz, gap, share);
}

/* ---- sets ---- */

hol_status hol__static_case_gaps(hol__static_case *c) {
    if (!c->model->n_slots) return HOL_OK;
    c->gaps = hol__alloc(c->ctx, 1, sizeof *c->gaps);
    if (!c->gaps) return HOL_ERR_MEMORY;
    *c->gaps = (struct hol__static_gaps){c->sim, hol__rigid_tolerance(c->sim), 0};
    return HOL_OK;
}

/* Start the simulation anew at the state of the case, or its own: at rest, or in a steady motion
 * with its velocities. */
static hol_status restart(hol__static_case *c) {
    hol_data *start = hol_sim_data(c->sim);
    const hol_model *m = start->model;
    const hol_data *from = c->data ? c->data : start;
    /* the data of the simulation may be another one on the way */
    double *q = hol__alloc(c->ctx, (size_t)(m->nq + m->nv) + 1, sizeof *q);
    if (!q) return HOL_ERR_MEMORY;
    memcpy(q, from->q, sizeof(double) * (size_t)m->nq);
    if (c->steady) memcpy(q + m->nq, from->v, sizeof(double) * (size_t)m->nv);
    if (c->data && m->n_aux) hol__data_set_aux(start, c->data->aux);
    const hol_status status = hol_sim_restart(c->sim, from->t, q, q + m->nq);
    hol__release(c->ctx, q);
    return status;
}

hol_status hol__static_case_touch(hol__static_case *c) {
    const double force = c->system ? c->system->force : 0;
    hol_status status = restart(c);
    if (status) return status;
    hol__static_free(c->system);
    hol_data_free(c->data);
    c->system = NULL;
    const hol_data *start = hol_sim_data(c->sim);
    c->data = hol_data_new(c->ctx, hol_data_model(start));
    status = c->data ? hol_data_copy(c->data, start) : HOL_ERR_MEMORY;
    if (!status) status = hol__static_new(c->data, &c->system);
    if (!status) c->system->gaps = c->gaps, c->system->force = force;
    if (!status && c->frame) status = hol__static_ride(c->system, &c->frame->carrier);
    return status;
}

/* What the slots do, kept aside. */
static void keep_set(const hol__static_case *c, hol__touch_bits *touch) {
    memcpy(touch, c->sim->switching.touch, sizeof *touch * (size_t)c->model->n_slots);
}

/* Whether other gaps are closed, or others slide, than were kept. */
static int has_changed(const hol__static_case *c, const hol__touch_bits *touch) {
    const unsigned kinds = HOL__TOUCH_CLOSED | HOL__TOUCH_SLIDES;
    for (int i = 0; i < c->model->n_slots; i++)
        if ((touch[i] ^ c->sim->switching.touch[i]) & kinds) return 1;
    return 0;
}

/* Say that sets followed each other without an end. */
static hol_status no_end(const hol__static_case *c) {
    int i = 0;
    if (c->steady) return HOL_NOT_CONVERGED; /* the search goes on otherwise */
    while (!c->model->joints[i].rigid) i++;
    return hol__report(c->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, &c->model->joints[i].where,
                       c->model->joints[i].label,
                       "no equilibrium found: contacts close and open %d times on the way, and the "
                       "search does not come to rest; draw the bodies nearer to where they rest",
                       MAX_ROUNDS);
}

/* Say why the search ended without an equilibrium: a contact that slips away, or what holds
 * nothing. */
static hol_status explain(const hol__static_case *c, const hol__equilibrium *e) {
    const hol_model *m = c->data->model;
    if (c->steady) return HOL_NOT_CONVERGED;
    if (!m->n_slides) return hol__equilibrium_explain(c->system, e);
    const hol__element *joint = &m->joints[m->slides[0].joint];
    return hol__report(c->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, &joint->where, joint->label,
                       "slips, and comes to no place where its friction holds the load; hold the "
                       "bodies otherwise, or give more friction");
}

static hol_status settle(hol__static_case *c, hol__equilibrium *e, hol__touch_bits *touch) {
    int iterations = 0, blocked = 0;
    double way = 0;
    for (int k = 0; k < MAX_ROUNDS; k++) {
        keep_set(c, touch);
        c->system->met = 0;
        hol_status status = hol__equilibrium_find(c->system, e);
        const int met = c->system->met;
        iterations += e->iterations;
        way += e->moved;
        if (status < 0) return status;
        if (status && !met) return explain(c, e);
        blocked = met && e->moved <= c->gaps->touches ? blocked + 1 : 0;
        if (blocked > 3) break;
        status = hol__static_case_touch(c);
        if (status) return status;
        if (met || has_changed(c, touch)) continue;
        e->iterations = iterations;
        e->moved = way;
        status = hol__static_evaluate(c->system);
        return status ? status : hol__static_stiffness(c->system);
    }
    return no_end(c);
}

hol_status hol__static_case_settle(hol__static_case *c, hol__equilibrium *e) {
    return c->steady ? hol__steady_find(c, e, NULL)
           : c->gaps ? hol__static_case_rounds(c, e)
                     : hol__equilibrium_of(c->system, e);
}

hol_status hol__static_case_rounds(hol__static_case *c, hol__equilibrium *e) {
    hol__touch_bits *touch = hol__alloc(c->ctx, (size_t)c->model->n_slots + 1, sizeof *touch);
    const hol_status status = touch ? settle(c, e, touch) : HOL_ERR_MEMORY;
    hol__release(c->ctx, touch);
    return status;
}

/* ---- what they do ---- */

/* A joint's pushes at the equilibrium, in words. */
static const char *word_of(unsigned bits, int n) {
    return !n ? "open" : bits & HOL__TOUCH_SLIDES ? "at the limit of its friction" : "carries";
}

void hol__static_case_tell(hol_answer *answer, const hol__static_case *c) {
    for (int k = 0; c->gaps && k < c->model->n_joints; k++) {
        const hol__rigid *r = c->model->joints[k].rigid;
        unsigned bits = 0;
        int n = 0;
        for (int i = 0; r && i < r->slots; i++) {
            const unsigned touch = c->sim->switching.touch[r->first + i];
            if (touch & HOL__TOUCH_CLOSED) n++, bits |= touch;
        }
        if (!r) continue;
        char key[300], title[300];
        snprintf(key, sizeof key, "contact_%s", c->model->joints[k].name);
        snprintf(title, sizeof title, "joint '%s'", c->model->joints[k].name);
        if (n > 1)
            hol__answer_text(answer, key, title, "%s, at %d places", word_of(bits, n), n);
        else
            hol__answer_text(answer, key, title, "%s", word_of(bits, n));
    }
}

/* strike.c: the action `impact` of an event as one more contact: bodies rebound along the one
 * equation of a joint that does not act, and rub across it.
 *
 * A unit push along the equation is a force n on the second body and -n on the first, along a line.
 * The place Q of contact is on that line: beside the joint's point on the second body, or a radius
 * from there against n, where a ball or wheel is held by its centre. With u the velocity of the
 * second body against the first at Q, and the impulse z there,
 *
 *     u_N+ = -e u_N-      |z_T| <= mu z_N,  z_T = -mu z_N u_T+/|u_T+| where u_T+ is not 0
 *
 * as at rigid contacts (rigid_solve.c), which take part: what the impulse makes approach is hit
 * next, or at once with the option impacts: together.
 */
#include "element/acting.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

int hol__strike_row(const hol_data *data, int joint) {
    int row = -1;
    for (int i = 0; i < data->model->m; i++)
        if (data->model->row_joint[i] == joint) {
            if (row >= 0) return -1;
            row = i;
        }
    return row;
}

/* A point of a body, global. */
static void place_of(const hol_data *data, int body, const double s[3], double out[3]) {
    const hol__force_args args = hol__data_force_args((hol_data *)data);
    hol__body_dual b;
    hol__dual_body(&args, body, &b);
    const hol__dual3 at = hol__dual_place(&b, s);
    memcpy(out, at.f, sizeof at.f);
}

/* n, Q and the scale, from what a unit multiplier does to the first body. */
static void find_line(hol__strike *r) {
    hol_data *d = r->data;
    hol_reaction unit = {.size = sizeof unit};
    double P[3], arm[3];
    memset(d->lambda, 0, sizeof(double) * (size_t)d->model->m);
    d->lambda[r->row] = -1;
    hol__data_set_solved(d, HOL__SOLVED_PLAIN);
    hol_data_reaction(d, r->joint->index, &unit);
    hol__data_stale(d);
    memcpy(r->origin, unit.point, sizeof r->origin);
    const double F = hol__norm3(unit.force);
    r->scale /= F;
    for (int i = 0; i < 3; i++) r->n[i] = -r->scale * unit.force[i];
    hol__cross3(unit.force, unit.moment, arm);
    place_of(d, r->joint->body[1], r->joint->marker[1].s, P);
    for (int i = 0; i < 3; i++) r->Q[i] = unit.point[i] + arm[i] / (F * F);
    hol__sub3(P, r->Q, arm);
    const double along = hol__dot3(arm, r->n) - r->action->radius;
    for (int i = 0; i < 3; i++) r->Q[i] += along * r->n[i];
}

/* What a unit push along e at Q does to the bodies. */
static void load_of(const hol__strike *r, const double e[3], double *load) {
    hol__force_args args = hol__data_force_args(r->data);
    const hol_model *m = r->data->model;
    memset(load, 0, sizeof(double) * (size_t)(m->bw * (m->nb + 1)));
    args.wrench = load;
    hol__push_body(&args, r->joint->body[0], r->Q, e, -1);
    hol__push_body(&args, r->joint->body[1], r->Q, e, 1);
}

/* Whether the equation of the joint is the force n along the line, and nothing else. */
static int is_force(const hol__strike *r, double *load) {
    const hol__csr *A = &r->data->A;
    double size = 0, off = 0;
    if (!isfinite(r->scale)) return 0;
    load_of(r, r->n, load);
    for (int k = A->ptr[r->row]; k < A->ptr[r->row + 1]; k++) {
        size = fmax(size, fabs(r->scale * A->x[k]));
        load[A->idx[k]] -= r->scale * A->x[k];
    }
    for (int i = 0; i < r->data->model->nv; i++) off = fmax(off, fabs(load[i]));
    return off <= 1e-9 * size;
}

/* Refuse a joint that does not say where bodies rub. */
static hol_status refuse(const hol_sim *sim, const hol__strike *r) {
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, &r->action->where,
                       sim->whole->events[sim->events.by].label,
                       "%s has no one equation along a line between its two bodies, so that there "
                       "is no place where they could rub; use a joint such as point_in_plane, or "
                       "generic with one translation locked, or leave out `friction`",
                       r->joint->label);
}

/* Push along the equation; in the direction in which the bodies part. */
static void add_normal(hol__strike *r, hol__pushes *p) {
    const hol_data *d = r->data;
    double u;
    hol__pushes_add_row(p, r->row);
    u = hol__pushes_along(p, p->m - 1, d->v) - d->b[r->row];
    r->scale = u > 0 ? -1 : 1;
}

/* Push along n and across it, at Q. */
static hol_status add_rubbing(hol_sim *sim, hol__arena *arena, hol__strike *r, hol__pushes *p) {
    const hol_model *m = r->data->model;
    double *load = HOL__NEW_N(arena, double, m->bw *(m->nb + 1));
    hol__dual3 t[2];
    if (!load) return HOL_ERR_MEMORY;
    find_line(r);
    if (!is_force(r, load)) return refuse(sim, r);
    hol__across(hol__dual3_still(r->n), NULL, r->data->bodies.b2 != NULL, t);
    for (int k = 0; k < r->rigid.across; k++) {
        memcpy(r->t[k], t[k].f, sizeof r->t[k]);
        load_of(r, r->t[k], load);
        hol__pushes_add_load(p, load, 0);
    }
    return HOL_OK;
}

hol_status hol__contacts_add_strike(hol_sim *sim, hol__contacts *c, const hol__action *action) {
    hol__strike *r = &c->strike;
    const int first = c->p.m, across = c->data->bodies.b2 ? 1 : 2;
    *r = (hol__strike){.action = action,
                       .joint = &c->model->joints[action->joint],
                       .data = c->data,
                       .row = hol__strike_row(c->data, action->joint),
                       .first = first,
                       .rigid = {.across = action->friction > 0 ? across : 0,
                                 .friction = action->friction,
                                 .grip = action->friction,
                                 .restitution = action->restitution}};
    if (r->row < 0) return refuse(sim, r);
    c->at[c->n++] = (hol__touching){
        .joint = r->joint, .rigid = &r->rigid, .index = -1, .first = first, .passed = 1};
    add_normal(r, &c->p);
    const hol_status status = action->friction > 0 ? add_rubbing(sim, &c->arena, r, &c->p) : HOL_OK;
    if (status) return status;
    hol__pushes_scale(&c->p, first, r->scale);
    for (int i = first; i < c->p.m; i++) c->row[i] = -1;
    return HOL_OK;
}

/* The impulses of all joints into the entry at the end of the list, with friction, which is none of
 * the multipliers; and what was hit. */
static void keep(hol_sim *sim, hol__contacts *c, hol__switch *entry) {
    const hol__strike *r = &c->strike;
    hol__pushes_lend(&c->p, c->row);
    c->data->lambda[r->row] = r->scale * c->p.impulse[r->first];
    hol__switching_keep_impulses(sim, c->data);
    double *out = hol__switching_impulse(&sim->switching, sim->switching.n, r->joint->index),
           F[3] = {0, 0, 0}, arm[3], M[3];
    for (int k = 0; k < r->rigid.across; k++)
        for (int i = 0; i < 3; i++) F[i] += c->p.impulse[r->first + 1 + k] * r->t[k][i];
    hol__sub3(r->Q, r->origin, arm);
    hol__cross3(arm, F, M);
    for (int i = 0; i < 3; i++) out[i] += F[i], out[3 + i] += M[i];
    for (int i = 0; i < c->n; i++)
        if (c->at[i].index >= 0 && c->at[i].hit && !entry->change[c->at[i].joint->index])
            entry->change[c->at[i].joint->index] = HOL_IS_HIT;
}

hol_status hol__sim_strike(hol_sim *sim, const hol__action *action, hol__switch *entry) {
    hol__contacts c;
    hol_status status = hol__contacts_open(sim, sim->data, 0, action, &c);
    if (!status) status = hol__contacts_impact(sim, &c);
    if (!status) hol__warn_of_gain(sim, &c.p, c.strike.joint);
    if (!status) entry->work = c.p.work;
    if (!status) status = hol__switching_take(sim, c.data, entry);
    if (!status) keep(sim, &c, entry);
    hol__contacts_close(&c);
    return status;
}

/* rigid_switch.c: what contacts make of a switch: the impacts at the state that a set begins with,
 * what the slots do from there on, and how that is told. */
#include "sim/sim.h"

#include <float.h>
#include <string.h>

/* Stop where contacts change again and again without time advancing. */
static hol_status check_resolved(hol_sim *sim, const hol__contacts *c, int changed) {
    enum { MOST = 100 };
    hol__switching *s = &sim->switching;
    const double t = sim->data->t;
    if (t - s->resolved_at > 3 * hol__sim_same_instant(t)) s->resolved = 0;
    s->resolved_at = t;
    s->resolved += changed;
    if (s->resolved < MOST) return HOL_OK;
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, c->n ? &c->at[0].joint->where : NULL,
                       c->n ? c->at[0].joint->label : "contact",
                       "changes back and forth %d times without time advancing, at t = %.12g: let "
                       "the events and conditions that change it leave time between them",
                       s->resolved, t);
}

int hol__rigid_is_closed(const hol__rigid *r, const hol__touch_bits *touch) {
    int closed = 0;
    for (int i = r->first; i < r->first + r->slots; i++) closed |= touch[i];
    return (closed & HOL__TOUCH_CLOSED) != 0;
}

void hol__rigid_hold_here(hol_data *data) {
    const hol_model *m = data->model;
    hol_data_update(data, HOL_STAGE_POS);
    const hol__force_args force = hol__data_force_args(data);
    const hol__con_args args = hol__rigid_args(&force);
    for (int k = 0; k < m->n_joints; k++) {
        const hol__rigid *r = m->joints[k].rigid;
        for (int i = 0; r && r->touch && i < r->slots; i++) {
            const int sticks =
                r->touch[i] & HOL__TOUCH_CLOSED && !(r->touch[i] & HOL__TOUCH_SLIDES);
            if (sticks && hol__rigid_has_anchor(r))
                hol__rigid_drop_anchor(r, &args, i, data->memory);
        }
    }
    hol_data_set(data, data->t, NULL, NULL); /* rows anew */
}

/* What a rigid joint does otherwise than before. */
static hol_change change_of_rigid(const hol__rigid *r, const hol__touch_bits *before,
                                  const hol__touch_bits *now, int hit) {
    int was = 0, is = 0, sticks[2] = {0, 0};
    for (int i = r->first; i < r->first + r->slots; i++) {
        was |= before[i] & HOL__TOUCH_CLOSED;
        is |= now[i] & HOL__TOUCH_CLOSED;
        sticks[0] |= (before[i] & HOL__TOUCH_CLOSED) && !(before[i] & HOL__TOUCH_SLIDES);
        sticks[1] |= (now[i] & HOL__TOUCH_CLOSED) && !(now[i] & HOL__TOUCH_SLIDES);
    }
    if (is && !was) return HOL_TAKES_HOLD;
    if (hit) return HOL_IS_HIT;
    if (!is && was) return HOL_LETS_GO;
    if (is && r->across && sticks[0] != sticks[1]) return sticks[1] ? HOL_STICKS : HOL_SLIDES;
    return HOL_STAYS;
}

int hol__contacts_turned(const hol_data *data, const hol__contacts *c, int i) {
    const int memory = c->at[i].rigid->memory + HOL__SLIDE * c->at[i].slot;
    return !(hol__dot3(data->memory + memory, c->data->memory + memory) > 0);
}

/* Whether a slot that slides does so in another direction than it is known to. */
static int some_turn(const hol_data *data, const hol__contacts *c, const hol__touch_bits *touch) {
    const hol__force_args force = hol__data_force_args(c->data);
    const hol__con_args args = hol__rigid_args(&force);
    for (int i = 0; i < c->n; i++) {
        const hol__rigid *r = c->at[i].rigid;
        const double *last = data->memory + r->memory + HOL__SLIDE * c->at[i].slot;
        hol__rigid_point at;
        if (!(touch[c->at[i].index] & HOL__TOUCH_SLIDES)) continue;
        hol__rigid_at(r, &args, c->at[i].slot, &at);
        if (hol__contacts_turned(data, c, i) || hol__rigid_turns_back(r, &args, &at, last))
            return 1;
    }
    return 0;
}

/* Slots that touch and stay open are not passed while they approach by no more than what impacts
 * take for none: rounding, and what the instant is not known to. */
static void keep_still(hol_sim *sim, hol__contacts *c, const hol__touch_bits *touch) {
    for (int i = 0; i < c->n; i++) {
        const hol__touching *at = &c->at[i];
        const int memory = at->rigid->memory + HOL__SLIDE * at->slot + HOL__STILL;
        if (touch[at->index] & HOL__TOUCH_CLOSED) continue;
        sim->data->memory[memory] = c->data->memory[memory] = c->noise[at->first];
    }
}

/* Newton's restitution ties the speeds along the normal alone, and friction may turn that into more
 * than there was. */
void hol__warn_of_gain(hol_sim *sim, const hol__pushes *p, const hol__element *joint) {
    hol__switching *s = &sim->switching;
    if (s->gained || !(p->given > 4096 * DBL_EPSILON * p->moved)) return;
    s->gained = 1;
    hol__warn(
        sim->ctx, &joint->where, joint->label,
        "the impact at t = %.9g gives %.3g J to the bodies: an eccentric impact with friction "
        "does that under Newton's law of restitution; without restitution, and with the "
        "force `contact`, none does",
        p->data->t, p->given);
}

/* The first joint that was hit; NULL: none was. */
static const hol__element *first_hit(const hol__contacts *c) {
    for (int i = 0; i < c->n; i++)
        if (c->at[i].hit) return c->at[i].joint;
    return NULL;
}

/* Slots that rub and whose rebounds are none: with friction for the whole of an impact that is
 * taken back they would be slower by mu times the speed of the rebound than at the end of all
 * rebounds (docs/theory/rigid.md, "Rest"). Whether there are such; they are hit without one. */
static int some_rest(hol__contacts *c) {
    int any = 0;
    for (int i = 0; i < c->n; i++) {
        hol__touching *at = &c->at[i];
        if (!at->hit || !at->back || at->plastic || !at->rigid->across) continue;
        if (!(at->rigid->restitution > 0)) continue;
        at->plastic = any = 1;
    }
    return any;
}

/* The impacts at a state and what the slots do from there on; `plastic`: by slot. */
static hol_status meet_once(hol_sim *sim, hol_data *from, int joints, const unsigned char *plastic,
                            hol__contacts *c, hol__touch_bits *touch) {
    hol_status status = hol__contacts_open(sim, from, joints, NULL, c);
    for (int i = 0; !status && i < c->n; i++) c->at[i].plastic = plastic[c->at[i].index];
    if (!status && c->n) status = hol__contacts_impact(sim, c);
    return status ? status : hol__contacts_plan(sim, c, touch);
}

/* The same, once more for each slot that comes to rest. */
static hol_status meet(hol_sim *sim, hol_data *from, int joints, hol__contacts *c,
                       hol__touch_bits *touch) {
    const int n = sim->switching.n_slots;
    unsigned char *plastic = hol__alloc(sim->ctx, (size_t)n + 1, 1);
    hol_status status = plastic ? meet_once(sim, from, joints, plastic, c, touch) : HOL_ERR_MEMORY;
    for (int round = 0; !status && round < n && some_rest(c); round++) {
        for (int i = 0; i < c->n; i++) plastic[c->at[i].index] |= c->at[i].plastic != 0;
        hol__contacts_close(c);
        status = meet_once(sim, from, joints, plastic, c, touch);
    }
    hol__release(sim->ctx, plastic);
    return status;
}

hol_status hol__rigid_resolve(hol_sim *sim, hol_data *from, int joints, hol__contacts *c,
                              hol__touch_bits *touch, int *changed) {
    hol__switching *s = &sim->switching;
    *c = (hol__contacts){0};
    hol__arena_init(&c->arena, sim->ctx);
    hol_status status = meet(sim, from, joints, c, touch);
    if (!status && first_hit(c)) hol__warn_of_gain(sim, &c->p, first_hit(c));
    if (status) return status;
    keep_still(sim, c, touch);
    *changed = c->hit || memcmp(touch, s->touch, sizeof *touch * (size_t)s->n_slots) != 0 ||
               some_turn(sim->data, c, touch);
    return check_resolved(sim, c, *changed);
}

void hol__rigid_note(hol_sim *sim, hol__contacts *c, const hol__touch_bits *before,
                     signed char *change) {
    const hol__switching *s = &sim->switching;
    for (int k = 0; k < s->n_joints; k++) {
        const hol__rigid *r = sim->whole->joints[k].rigid;
        int hit = 0;
        for (int i = 0; i < c->n; i++) hit |= c->at[i].joint->index == k && c->at[i].hit;
        if (r && r->line && !hol__rigid_is_closed(r, before) && !hol__rigid_is_closed(r, s->touch))
            continue; /* its equation may have taken hold */
        if (r) change[k] = (signed char)change_of_rigid(r, before, s->touch, hit);
    }
    hol__pushes_lend(&c->p, c->row);
    hol__switching_keep_impulses(sim, c->data);
}

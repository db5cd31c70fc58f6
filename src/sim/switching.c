/* switching.c: joints and forces that take hold and let go during a run.
 *
 * A set of elements that act is a model of its own. At a switch
 *
 *     1. the state goes over to the model of the new set by the poses and velocities of the bodies;
 *     2. where rows appear, positions are closed and velocities jump (jump.c); where rows disappear
 *        nothing changes;
 *     3. the work of the impulses, and what forces that switch hold in their potentials, enters the
 *        work W of the energy balance;
 *     4. rank, freedoms and all parts of the run are made anew (sim.c), and the integrator starts
 *        again, on its grid of fixed steps.
 *
 * A jump may change conditions at once: they are read again until none asks for a switch. An
 * element that would take hold, or let go, twice at one instant stops the run.
 */
#include "math/quat.h"
#include "math/vec3.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Stop where an element would do the same again without time advancing: taking hold, letting go and
 * taking hold are two intervals, each found to the resolution of instants, and rounding. */
static hol_status check_chatter(hol_sim *sim, const signed char *change) {
    hol__switching *s = &sim->switching;
    const double t = sim->data->t;
    char names[512];
    for (int i = 0; i < s->n_elements; i++) {
        double *last = &s->last[2 * i + (change[i] < 0)];
        if (!change[i] || !hol__switching_element(sim, i)->active) continue;
        if (t - *last > 3 * hol__sim_same_instant(t)) {
            *last = t;
            continue;
        }
        hol__switching_name(sim, change, names, sizeof names);
        return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE,
                           &hol__switching_element(sim, i)->active->where,
                           hol__switching_element(sim, i)->label,
                           "switches back and forth without time advancing, at t = %.12g (%s; %d "
                           "switches so far); make its conditions leave room between taking hold "
                           "and letting go",
                           t, names, s->n);
    }
    return HOL_OK;
}

/* The frame of the first body as a place on the second, where they are now. */
static void meet(const hol_data *data, const hol__element *joint, hol__marker *out) {
    const hol__marker *m1 = &joint->marker[0];
    *out = *m1;
    if (data->bodies.b2) {
        const hol__body2 *a = &data->bodies.b2[joint->body[0]],
                         *b = &data->bodies.b2[joint->body[1]];
        const double x = a->r[0] + a->c * m1->s[0] - a->s * m1->s[1] - b->r[0],
                     y = a->r[1] + a->s * m1->s[0] + a->c * m1->s[1] - b->r[1];
        out->s[0] = b->c * x + b->s * y;
        out->s[1] = -b->s * x + b->c * y;
        out->angle = a->theta + m1->angle - b->theta;
        const double c = cos(out->angle), sn = sin(out->angle),
                     F[9] = {c, -sn, 0, sn, c, 0, 0, 0, 1};
        memcpy(out->F, F, sizeof F);
        out->f[0] = cos(0.5 * out->angle), out->f[3] = sin(0.5 * out->angle);
        return;
    }
    const hol__body3 *a = &data->bodies.b3[joint->body[0]], *b = &data->bodies.b3[joint->body[1]];
    double u[3], p[4], back[4] = {b->p[0], -b->p[1], -b->p[2], -b->p[3]};
    hol__mul3(a->R, m1->s, u);
    for (int i = 0; i < 3; i++) u[i] += a->r[i] - b->r[i];
    hol__mul3_t(b->R, u, out->s);
    hol__quat_mul(a->p, m1->f, p);
    hol__quat_mul(back, p, out->f);
    hol__quat_matrix(out->f, out->F);
}

/* The places of joints that hold what they meet, from now on or no longer, at the state in data. */
static void place_joints(hol_sim *sim, hol_data *data, const signed char *change) {
    hol__switching *s = &sim->switching;
    hol_data_update(data, HOL_STAGE_POS);
    for (int k = 0; k < s->n_joints; k++) {
        const hol__element *joint = &sim->whole->joints[k];
        if (!change[k] || !joint->active->here) continue;
        s->place[k] = change[k] > 0 ? &s->met[k] : NULL;
        if (s->place[k]) meet(data, joint, &s->met[k]);
        /* frames that coincide have turned by nothing */
        if (s->place[k] && joint->angle >= 0) data->angles_base[joint->angle] = 0;
    }
}

/* Whether some joint takes hold of what it meets. */
static int some_meet(const hol_sim *sim, const signed char *change) {
    for (int k = 0; k < sim->switching.n_joints; k++)
        if (change[k] > 0 && sim->whole->joints[k].active->here) return 1;
    return 0;
}

/* The state in data without the drift of the joints that act, which a joint that holds what it
 * meets would hold too, against them; NULL after a failure. */
static hol_data *without_drift(hol_sim *sim, hol_status *status) {
    const hol_model *m = sim->model;
    hol_data *rows = hol_data_new(sim->ctx, m->reference ? m->reference : m);
    *status = HOL_ERR_MEMORY;
    if (!rows) return NULL;
    hol__data_carry(rows, sim->data);
    *status = hol__sim_close_positions(sim, rows);
    if (!*status) return rows;
    hol_data_free(rows);
    return NULL;
}

/* Whether anything does; whether some joint takes hold; whether some force switches. */
static int some_change(const hol__switching *s, const signed char *change) {
    for (int i = 0; i < s->n_elements; i++)
        if (change[i]) return 1;
    return 0;
}

static int some_take_hold(const hol__switching *s, const signed char *change) {
    for (int k = 0; k < s->n_joints; k++)
        if (change[k] > 0) return 1;
    return 0;
}

static int some_force(const hol__switching *s, const signed char *change) {
    for (int k = s->n_joints; k < s->n_elements; k++)
        if (change[k]) return 1;
    return 0;
}

/* The largest gap that is closed. */
static double catch_tolerance(const hol_sim *sim) {
    return sim->options[HOL__OPT_CATCH_TOLERANCE] * fmax(1, sim->whole->length);
}

/* The potential of the state in a data; *status of its forces. */
static double potential(hol_data *data, hol_status *status) {
    if (!*status) *status = hol_data_update(data, HOL_STAGE_DYN);
    return data->potential;
}

/* A state over to `next`, with the jump in a model with rows for all joints. */
static hol_status carry_with_jump(hol_sim *sim, hol_data *from, hol_data *next, hol__switch *entry,
                                  double *work) {
    const hol_model *m = next->model;
    hol_data *rows = hol_data_new(sim->ctx, m->reference ? m->reference : m);
    hol__jump jump = {.change = entry->change, .tolerance = catch_tolerance(sim)};
    if (!rows) return HOL_ERR_MEMORY;
    hol__data_carry(rows, from);
    const hol_status status = hol__sim_jump(sim, rows, &jump);
    if (!status) {
        hol__switching_keep_impulses(sim, rows);
        hol__data_carry(next, rows);
        entry->gap = jump.gap;
        *work += jump.work;
    }
    hol_data_free(rows);
    return status;
}

/* A state over to `next`, a data of the model of the new set. */
static hol_status carry(hol_sim *sim, hol_data *from, hol_data *next, hol__switch *entry) {
    const int forces = some_force(&sim->switching, entry->change);
    hol_status status = HOL_OK;
    double work = entry->work;
    next->on_force = sim->data->on_force, next->user = sim->data->user;
    hol__data_carry(next, from);
    if (forces) work += potential(next, &status) - potential(sim->data, &status);
    if (!status && (some_take_hold(&sim->switching, entry->change) || sim->switching.n_slots))
        status = carry_with_jump(sim, from, next, entry, &work);
    next->work = sim->data->work + work;
    sim->switching.lost[sim->switching.n] = 0 - work;
    return status;
}

/* Say once what a set of elements makes of the mechanism. */
static void report_set(hol_sim *sim, const hol__switch *entry) {
    char names[512];
    hol__switching_name(sim, entry->change, names, sizeof names);
    hol__report(sim->ctx, HOL_NOTE, HOL_OK, NULL, "switch",
                "at t = %.9g %s: %d degree%s of freedom, %d of %d constraints redundant",
                sim->data->t, names, entry->dof, entry->dof == 1 ? "" : "s", entry->n_redundant,
                sim->model->m);
    if (entry->n_redundant) hol__sim_report_redundant(sim);
}

/* A state over to the model of the set in off, with its parts. On failure before these the run
 * keeps its set. */
static hol_status enter_set(hol_sim *sim, hol_data *from, hol__switch *entry, int *is_new) {
    hol__switching *s = &sim->switching;
    const hol_model *const before = s->own;
    s->own = NULL;
    const hol_model *model = hol__switching_model(sim, is_new);
    hol_data *next = model ? hol_data_new(sim->ctx, model) : NULL;
    hol_status status = next ? carry(sim, from, next, entry) : HOL_ERR_MEMORY;
    const hol_model *unused = before;
    for (int k = 0; !status && sim->events.n && k < s->n_joints; k++)
        if (entry->change[k] > 0) sim->events.holds[k] = 1;
    if (status) {
        for (int i = 0; i < s->n_elements; i++) s->off[i] ^= entry->change[i] != 0;
        unused = s->own;
        s->own = before;
    } else
        status = hol__sim_change_model(sim, model, next); /* next is the old one now */
    hol_data_free(next);
    if (unused) hol__model_release(unused);
    return status;
}

/* Joints at which rebounds came to rest, and which push no longer, let go. */
static void part_rests(hol_sim *sim, hol__switch *entry) {
    hol__switching *s = &sim->switching;
    for (int k = 0; k < s->n_joints; k++) {
        const hol__rigid *r = sim->whole->joints[k].rigid;
        if (!r || !r->line || s->off[k] || !sim->events.rests[k]) continue;
        if (hol__rigid_is_closed(r, s->touch)) continue;
        s->off[k] = s->next[k] = 1;
        sim->events.rests[k] = 0;
        entry->change[k] = HOL_LETS_GO;
    }
}

/* The set in off, with its contacts, at a state; *changed: it is another one, or velocities are. */
static hol_status settle(hol_sim *sim, hol_data *from, hol__switch *entry, int *is_new,
                         int *changed) {
    hol__switching *s = &sim->switching;
    hol__contacts c;
    if (!s->n_slots) return enter_set(sim, from, entry, is_new);
    const int joints = some_take_hold(s, entry->change), elements = *changed;
    const size_t size = sizeof *s->touch * (size_t)s->n_slots;
    hol__touch_bits *before = hol__alloc(sim->ctx, 2, size),
                    *touch = before ? before + s->n_slots : NULL;
    if (!before) return HOL_ERR_MEMORY;
    memcpy(before, s->touch, size);
    hol_status status = hol__rigid_resolve(sim, from, joints, &c, touch, changed);
    if (!status) entry->work += c.p.work;
    *changed |= elements;
    if (!status && *changed) {
        memcpy(s->touch, touch, size);
        part_rests(sim, entry);
        status = enter_set(sim, c.data, entry, is_new);
        if (status)
            memcpy(s->touch, before, size);
        else
            hol__rigid_note(sim, &c, before, entry->change);
    }
    hol__contacts_close(&c);
    hol__release(sim->ctx, before);
    return status;
}

hol_status hol__switching_take(hol_sim *sim, hol_data *from, hol__switch *entry) {
    int is_new, changed = 1;
    return settle(sim, from, entry, &is_new, &changed);
}

hol_status hol__switching_force(hol_sim *sim, const hol__touch_bits *touch, const double *memory) {
    hol__switching *s = &sim->switching;
    const hol_model *m = sim->model;
    int is_new;
    hol__switch *entry = hol__switching_new_entry(sim);
    if (!entry) return HOL_ERR_MEMORY;
    for (int k = 0; k < m->n_joints; k++) {
        const hol__rigid *r = m->joints[k].rigid;
        if (r)
            memcpy(sim->data->memory + r->memory, memory + r->memory,
                   sizeof *memory * (size_t)(HOL__SLIDE * r->slots));
    }
    memcpy(s->touch, touch, sizeof *touch * (size_t)s->n_slots);
    const hol_status status = enter_set(sim, sim->data, entry, &is_new);
    hol__switching_drop_entry(sim, entry);
    return status;
}

/* From the set in off to that in next, at the state in data; an entry of nothing is not counted. */
static hol_status change_set(hol_sim *sim, hol__switch *entry) {
    hol__switching *s = &sim->switching;
    int is_new = 0, changed = !s->n_slots, elements = 0;
    for (int i = 0; i < s->n_elements; i++) {
        entry->change[i] = (signed char)(s->off[i] - s->next[i]);
        elements |= entry->change[i] != 0;
    }
    hol_status status = check_chatter(sim, entry->change);
    if (status) return status;
    changed |= elements;
    hol_data *settled = some_meet(sim, entry->change) ? without_drift(sim, &status) : NULL;
    hol_data *from = settled ? settled : sim->data;
    if (!status) {
        memcpy(s->off, s->next, (size_t)s->n_elements);
        place_joints(sim, from, entry->change);
        status = settle(sim, from, entry, &is_new, &changed);
    }
    hol_data_free(settled);
    if (status || !changed || !some_change(s, entry->change)) return status;
    entry->dof = sim->rank.dof;
    entry->n_redundant = sim->rank.n_redundant;
    if (is_new && elements) report_set(sim, entry);
    status = hol__switching_close_entry(sim);
    return status ? status : hol__events_note(sim, s->n - 1);
}

hol_status hol__switching_change(hol_sim *sim) {
    hol__switching *s = &sim->switching;
    const int n = s->n;
    if (!s->n_elements || (!s->resolve && memcmp(s->off, s->next, (size_t)s->n_elements) == 0))
        return HOL_OK;
    s->resolve = 0;
    hol__switch *entry = hol__switching_new_entry(sim);
    const hol_status status = entry ? change_set(sim, entry) : HOL_ERR_MEMORY;
    if (entry && s->n == n) hol__switching_drop_entry(sim, entry);
    return status;
}

hol_status hol__switching_run(hol_sim *sim) {
    hol__switching *s = &sim->switching;
    hol_status status = HOL_OK;
    while (!status && s->fired) {
        s->fired = 0;
        status = hol__switching_change(sim);
        if (!status) status = hol__events_run(sim);
        /* what events did to velocities concerns contacts too */
        s->resolve = s->n_slots && sim->events.n;
        if (!status && s->resolve) status = hol__switching_change(sim);
        /* what contacts do follows from the same state */
        if (!status && sim->end == HOL_END_RUNNING) status = hol__sim_read_again(sim, 0);
    }
    hol__sim_next_instant(sim);
    return status;
}

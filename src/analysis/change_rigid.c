/* change_rigid.c: rigid contacts that close, open, stick or slide, to first order.
 *
 * What decides such a change is a number of a slot, each with its sign in the set before:
 *
 *     open      the gap                       > 0
 *     closed    its push N                    > 0
 *     sticks    the cone, mu_s N - |T|        > 0, of the slot, and of the sums over the joint
 *     slides    the speed along its direction > 0
 *
 * (Slots of a joint that stick together have one row across for all of them, and slide together.)
 *
 * Where the change is an impact, the neighbours of the run are led to their own instants, at which
 * the gap is closed to rounding, and collide there. Where it is none the velocities go on, and the
 * neighbours take over the set that the run goes on with: their own numbers are off by the square
 * of the difference, and would decide by chance. Open slots that touch when another is hit must
 * touch in the neighbours too, to first order; what is left of their gaps is not looked at.
 */
#include "analysis/change.h"

#include <math.h>
#include <string.h>

/* Of the speed of an impact, by which it is changed for a difference. */
static const double most_share = 0.01;

/* The joint of a slot of the model, and which of its slots it is. */
static const hol__element *joint_of(const hol_model *m, int slot, int *k) {
    for (int i = 0; i < m->n_joints; i++) {
        const hol__rigid *r = m->joints[i].rigid;
        if (!r || slot < r->first || slot >= r->first + r->slots) continue;
        *k = slot - r->first;
        return &m->joints[i];
    }
    return NULL;
}

/* A slot at the state of a data. */
typedef struct place {
    const hol__element *joint;
    const hol__rigid *rigid;
    int slot;
    hol__rigid_point at;
    double slip[3];
} place;

static hol_status look_at(hol_data *data, int slot, place *out) {
    const hol_status status = hol_data_update(data, HOL_STAGE_VEL);
    if (status) return status;
    const hol__force_args force = hol__data_force_args(data);
    const hol__con_args args = hol__rigid_args(&force);
    out->joint = joint_of(data->model, slot, &out->slot);
    out->rigid = out->joint->rigid;
    hol__rigid_at(out->rigid, &args, out->slot, &out->at);
    hol__rigid_slip(out->rigid, &args, &out->at, out->slip);
    return HOL_OK;
}

/* The push along row k of a slot in the solution; 0 where it has no such row. */
static double push(const hol_data *data, const place *p, int k) {
    const int row = hol__rigid_row(data->model, p->joint, p->slot, k);
    return row < 0 ? 0 : -data->lambda[row];
}

/* ---- the numbers ---- */

static double gap(const hol_data *data, place *p) {
    (void)data;
    return p->at.gap;
}

static double push_of_gap(const hol_data *data, place *p) {
    return push(data, p, 0);
}

static double cone(const hol_data *data, place *p) {
    return p->rigid->grip * push(data, p, 0) - hypot(push(data, p, 1), push(data, p, 2));
}

/* The same of the sums over the slots of the joint. */
static double cone_of_all(const hol_data *data, place *p) {
    double N = 0, T[2] = {0, 0};
    for (p->slot = 0; p->slot < p->rigid->slots; p->slot++) {
        N += push(data, p, 0);
        for (int k = 0; k < 2; k++) T[k] += push(data, p, k + 1);
    }
    return p->rigid->grip * N - hypot(T[0], T[1]);
}

static double speed(const hol_data *data, place *p) {
    const double *last = data->memory + p->rigid->memory + HOL__SLIDE * p->slot;
    return hol__dot3(p->slip, last) / fmax(hol__norm3(last), 1e-300);
}

/* What a slot must do, and must not, for a number to decide something; and whether that takes the
 * solved equations. */
static const struct {
    double (*value)(const hol_data *data, place *p);
    unsigned does, does_not;
    int solved;
} kinds[HOL__RIGID_KINDS] = {
    [HOL__RIGID_GAP] = {gap, 0, HOL__TOUCH_CLOSED, 0},
    [HOL__RIGID_PUSH] = {push_of_gap, HOL__TOUCH_CLOSED | HOL__TOUCH_GAP, 0, 1},
    [HOL__RIGID_CONE] = {cone, HOL__TOUCH_CLOSED | HOL__TOUCH_ACROSS, HOL__TOUCH_SLIDES, 1},
    [HOL__RIGID_CONE_OF_ALL] = {cone_of_all, HOL__TOUCH_CLOSED | HOL__TOUCH_ACROSS,
                                HOL__TOUCH_SLIDES, 1},
    [HOL__RIGID_SLIP] = {speed, HOL__TOUCH_SLIDES, 0, 0},
};

hol_status hol__change_rigid_number(hol_data *data, int number, double *g) {
    const int kind = number % HOL__RIGID_KINDS;
    place p;
    hol_status status = look_at(data, number / HOL__RIGID_KINDS, &p);
    if (!status && kinds[kind].solved) status = hol__data_accelerate(data);
    if (!status) *g = kinds[kind].value(data, &p);
    return status;
}

int hol__change_rigid_counts(const hol_sim *sim, int number) {
    const unsigned touch = sim->switching.touch[number / HOL__RIGID_KINDS];
    const int kind = number % HOL__RIGID_KINDS;
    return (touch & kinds[kind].does) == kinds[kind].does && !(touch & kinds[kind].does_not);
}

const hol__element *hol__change_rigid_joint(const hol_sim *sim, int number) {
    int k;
    return joint_of(sim->model, number / HOL__RIGID_KINDS, &k);
}

/* ---- the change ---- */

hol_status hol__change_foresee(hol__change_work *w, hol_sim *sim) {
    const hol__switching *s = &sim->switching;
    hol__contacts c;
    w->hit = 0;
    w->touch = HOL__NEW_N(&w->arena, hol__touch_bits, s->n_slots + 1);
    w->slides = HOL__NEW_N(&w->arena, double, sim->model->n_memory + 1);
    if (w->arena.failed) return HOL_ERR_MEMORY;
    hol_status status = hol__contacts_open(sim, sim->data, 0, NULL, &c);
    if (!status && c.n) status = hol__contacts_impact(sim, &c);
    if (!status) status = hol__contacts_plan(sim, &c, w->touch);
    if (!status) {
        w->hit = c.hit;
        memcpy(w->slides, c.data->memory, sizeof *w->slides * (size_t)sim->model->n_memory);
        w->planned = HOL__NEW_N(&w->arena, double, c.data->model->nv + 1);
        if (w->planned)
            memcpy(w->planned, c.data->v, sizeof *w->planned * (size_t)c.data->model->nv);
    }
    hol__contacts_close(&c);
    return w->arena.failed ? HOL_ERR_MEMORY : status;
}

double hol__change_rigid_step(const hol__change_work *w, hol__bundle *b, const hol_data *at,
                              const hol__direction *along, double h) {
    double rate[2] = {0, 0};
    if (!w->hit || w->closes < 0) return h;
    for (int i = 0; i < 2; i++) {
        place p;
        if (hol_data_copy(b->side, at)) return h;
        if (i) hol__nudge_put(&b->nudge, at, h, along, b->side);
        if (look_at(b->side, w->closes, &p)) return h;
        rate[i] = p.at.rate;
    }
    const double share = fabs(rate[1] / rate[0] - 1);
    return share > most_share ? h * most_share / share : h;
}

/* The state in a data moved along its motion until the gap of a slot is closed to rounding, from
 * outside. */
static hol_status reach(hol__change_work *w, hol__bundle *b, hol_data *data, int slot) {
    const hol__direction motion = {w->f, w->f + b->nv, w->f + 2 * b->nv, 1};
    for (int i = 0; i < 8; i++) {
        place p;
        const hol_status status = look_at(data, slot, &p);
        if (status) return status;
        const double over = p.at.gap + 2 * p.rigid->slack, by = -over / p.at.rate;
        if (!(p.at.rate < 0) || !isfinite(by)) return HOL_NOT_CONVERGED;
        if (fabs(over) <= p.rigid->slack) return HOL_OK;
        hol__nudge_put(&b->nudge, data, by, &motion, data);
    }
    return HOL_OK;
}

int hol__change_rigid_touches(const hol_sim *sim, hol_data *data, int slot) {
    place p;
    return !(sim->switching.touch[slot] & HOL__TOUCH_CLOSED) && !look_at(data, slot, &p) &&
           !p.at.beside && fabs(p.at.gap) <= hol__rigid_tolerance(sim);
}

/* The largest gap of the slots that are to touch. */
static double most_open(const hol__change_work *w, hol_data *data) {
    double most = 0;
    for (int i = 0; i < w->n_touching; i++) {
        place p;
        if (!look_at(data, w->touching[i], &p)) most = fmax(most, fabs(p.at.gap));
    }
    return most;
}

/* Over the impact, at which slots touch that do in the run. */
static hol_status collide(hol__change_work *w, hol_sim *other) {
    double *tolerance = &other->options[HOL__OPT_CONTACT_TOLERANCE];
    const double before = *tolerance;
    if (w->n_touching)
        *tolerance = fmax(before, 2 * most_open(w, other->data) / other->whole->length);
    const hol_status status = hol__switching_run(other);
    *tolerance = before;
    return status;
}

/* Where slots that touch and carry nothing do otherwise than in the run, which the square of the
 * difference decides, the neighbour takes over what they do there: no more than that may change. */
static hol_status take_set(hol__change_work *w, const hol_data *at, hol_sim *other) {
    const size_t width = (size_t)at->model->nb * (size_t)at->model->bw;
    double *v = HOL__NEW_N(&w->arena, double, 3 * width + 1), off = 0, away = 0;
    double *q = HOL__NEW_N(&w->arena, double, 7 * (size_t)at->model->nb + 1);
    if (!v || !q) return HOL_ERR_MEMORY;
    hol__sim_bodies_state(other, q, v);
    const hol_status status = hol__switching_force(other, w->touch, w->slides);
    if (status) return status;
    hol__sim_bodies_state(other, q, v + width);
    for (size_t i = 0; i < width; i++) {
        off = fmax(off, fabs(v[width + i] - v[i]));
        away = fmax(away, fabs(v[i] - w->planned[i]));
    }
    if (off <= 0.01 * away) return HOL_OK;
    return hol__report(
        w->family->goals->own, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
        "at t = %.9g rigid contacts open, close, stick or slide otherwise nearby, so "
        "that the run has no derivative (--by direct may help)",
        at->t);
}

hol_status hol__change_rigid_go(hol__change_work *w, hol__bundle *b, const hol_data *at,
                                hol_sim *other) {
    if (!w->hit) return hol__switching_force(other, w->touch, w->slides);
    hol_status status = w->closes >= 0 ? reach(w, b, other->data, w->closes) : HOL_OK;
    if (status) return status;
    status = collide(w, other);
    const size_t size = sizeof *w->touch * (size_t)other->switching.n_slots;
    if (status || memcmp(other->switching.touch, w->touch, size) == 0) return status;
    return take_set(w, at, other);
}

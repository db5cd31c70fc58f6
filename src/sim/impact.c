/* impact.c: the action `impact` of an event: bodies rebound along the rows of a joint that does not
 * act.
 *
 * The velocities jump in the model in which the joint acts beside the others (jump.c; with friction
 * strike.c), and go back to the model without it. Where its rows would be pulled back to where they
 * are, with the acceleration a, before they have moved by more than the errors of positions,
 *
 *     u^2/(2 a) <= tolerance,  u = A_J v+ - b_J,  a = -sign(u) (A_J v' - c_J)
 *
 * rebounds can no longer be told apart: the bodies are at rest against each other. The joint takes
 * hold then, if it can let go again by itself (`until`) or by an event; otherwise the run stops and
 * says so. Of one with friction a rigid contact along its equation does (element/rigid_line.c).
 */
#include "sim/sim.h"

#include <float.h>
#include <math.h>

/* Behind a jump a history of steps begins with one of order 1, positions behind velocities by some
 * quarter of the tolerance in the mean of all entries: a rise that is lower is lost in it, and what
 * rises would be met while it does, or not at all. */
double hol__sim_least_rise(const hol_sim *sim, double least) {
    const double lost = 0.5 * sqrt((double)sim->form.n) * sim->options[HOL__OPT_TOLERANCE];
    return sim->stepper->paces ? fmax(least, lost * sim->whole->length) : least;
}

/* Heights that are not told apart from 0: ten times what corrections leave of positions, and no
 * less than 1e4 roundings of numbers of the size of the mechanism. */
double hol__sim_least_height(const hol_sim *sim) {
    return hol__sim_least_rise(
        sim, 10 * fmax(1, sim->whole->length) *
                 fmax(sim->options[HOL__OPT_POSITION_TOLERANCE], 1e3 * DBL_EPSILON));
}

/* Whether some row of the joint comes back at once, by `share` of the velocities in rows and the
 * accelerations of the run. */
static int comes_to_rest(hol_sim *sim, hol_data *rows, int joint, double share,
                         hol_status *status) {
    const hol_model *m = rows->model;
    const double least = hol__sim_least_height(sim);
    *status = hol__form_solve(&sim->form);
    if (*status) return 0;
    hol__data_accelerations(sim->data);
    hol_data_update(rows, HOL_STAGE_VEL);
    for (int i = 0; i < m->m; i++) {
        double u = -rows->b[i], a = -rows->c[i];
        if (m->row_joint[i] != joint) continue;
        for (int k = rows->A.ptr[i]; k < rows->A.ptr[i + 1]; k++) {
            u += rows->A.x[k] * rows->v[rows->A.idx[k]];
            a += rows->A.x[k] * sim->data->acc[rows->A.idx[k]];
        }
        u *= share;
        const double back = u > 0 ? -a : u < 0 ? a : fabs(a);
        if (back > 0 && u * u <= 2 * back * least) return 1;
    }
    return 0;
}

/* Whether a joint that holds can let go again. */
static int can_let_go(const hol_sim *sim, int joint) {
    if (sim->whole->joints[joint].active->until) return 1;
    for (int i = 0; i < sim->events.n; i++)
        for (int k = 0; k < sim->whole->events[i].n_actions; k++) {
            const hol__action *action = &sim->whole->events[i].actions[k];
            for (int j = 0; action->kind == HOL__DO_RELEASE && j < action->n; j++)
                if (action->elements[j] == joint) return 1;
        }
    return 0;
}

/* Of a joint that rubs, the slot along which the bodies approach each other, from 1; 0: it has
 * none. */
static unsigned char approached(hol_sim *sim, int joint) {
    const hol__rigid *r = sim->model->joints[joint].rigid;
    const hol__force_args force = hol__data_force_args(sim->data);
    const hol__con_args args = hol__rigid_args(&force);
    hol__rigid_point at;
    if (!r || hol_data_update(sim->data, HOL_STAGE_VEL)) return 0;
    hol__rigid_at(r, &args, 0, &at);
    return at.rate > 0 ? 2 : 1;
}

/* The bodies are at rest against each other: the joint takes hold; of one that rubs a slot does,
 * and lets go where it would have to pull. */
static hol_status rest(hol_sim *sim, const hol__action *action, unsigned char slot) {
    const hol__element *joint = &sim->whole->joints[action->joint];
    if (!slot && !can_let_go(sim, action->joint))
        return hol__report(
            sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, &action->where,
            sim->whole->events[sim->events.by].label,
            "the rebounds of %s at t = %.9g can no longer be told apart: the bodies come to rest "
            "against each other; let the joint hold them from then on by saying when it lets go, "
            "such as active: {initially: false, until: N > 0} with its reaction, or use a joint "
            "for contact",
            joint->label, sim->data->t);
    if (action->friction > 0 && !slot)
        hol__warn(sim->ctx, &action->where, sim->whole->events[sim->events.by].label,
                  "the rebounds of %s end at t = %.9g; from here on it holds without friction, "
                  "which belongs to impacts; a joint rigid_contact has it in both",
                  joint->label, sim->data->t);
    sim->switching.next[action->joint] = 0;
    sim->events.rests[action->joint] = slot ? slot : 1;
    return hol__switching_change(sim);
}

/* The jump along all rows of the joint, with those of all others held. */
static hol_status jump(hol_sim *sim, const hol__action *action, hol_data *rows,
                       hol__switch *entry) {
    hol__jump jump = {.joint = action->joint, .restitution = action->restitution};
    const hol_status status = hol__sim_jump(sim, rows, &jump);
    if (status) return status;
    hol__switching_keep_impulses(sim, rows);
    entry->work = jump.work;
    return hol__switching_take(sim, rows, entry);
}

/* The jump at the state of the run, as an entry of the list. With friction, or along one equation
 * where there are rigid contacts, it is an impact of contacts. */
static hol_status rebound(hol_sim *sim, const hol__action *action, hol_data *rows) {
    hol__switching *s = &sim->switching;
    hol__switch *entry = hol__switching_new_entry(sim);
    if (!entry) return HOL_ERR_MEMORY;
    entry->rebounds = action->joint + 1;
    const int one =
        action->friction > 0 || (s->n_slots && hol__strike_row(rows, action->joint) >= 0);
    hol_status status = one ? hol__sim_strike(sim, action, entry) : jump(sim, action, rows, entry);
    if (!status) hol__data_carry(rows, sim->data);
    entry->dof = sim->rank.dof;
    entry->n_redundant = sim->rank.n_redundant;
    if (status)
        hol__release(sim->ctx, entry->change);
    else
        status = hol__switching_close_entry(sim);
    return status ? status : hol__events_note(sim, s->n - 1);
}

/* The rebound; *rests: it is the last one. That with friction is then without restitution: the
 * friction of a rebound that is taken back would be too much (docs/theory/rigid.md, "Rest"). Behind
 * an impact without restitution speeds are rounding, so that it is asked before. */
static hol_status strike_rows(hol_sim *sim, const hol__action *action, int rubs, hol_data *rows,
                              int *rests) {
    hol__action last = *action;
    hol_status status = HOL_OK;
    rows->on_force = sim->data->on_force, rows->user = sim->data->user;
    hol__data_carry(rows, sim->data);
    *rests = (rubs || action->restitution == 0) &&
             comes_to_rest(sim, rows, action->joint, -action->restitution, &status);
    if (*rests) last.restitution = 0;
    if (!status) status = rebound(sim, &last, rows);
    if (!status && !*rests) *rests = comes_to_rest(sim, rows, action->joint, 1, &status);
    return status;
}

hol_status hol__sim_impact(hol_sim *sim, const hol__action *action) {
    if (!sim->switching.off[action->joint])
        return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, &action->where,
                           sim->whole->events[sim->events.by].label,
                           "%s acts at t = %.9g, and what it holds cannot rebound; release it "
                           "before",
                           sim->whole->joints[action->joint].label, sim->data->t);
    const hol_model *model = hol__switching_with(sim, action->joint);
    if (!model) return HOL_ERR_MEMORY;
    const unsigned char slot = action->friction > 0 ? approached(sim, action->joint) : 0;
    int rests = 0;
    hol_data *rows = hol_data_new(sim->ctx, model->reference ? model->reference : model);
    hol_status status = rows ? strike_rows(sim, action, slot, rows, &rests) : HOL_ERR_MEMORY;
    hol_data_free(rows);
    hol__model_release(model);
    return status || !rests ? status : rest(sim, action, slot);
}

/* rigid.c: whether the set of closed gaps that acts still solves the problem of contact.
 *
 * With the solution of the run at hand this takes a look at signs: closed gaps push, those that
 * stick stay within the cone of friction, those that slide do not turn back, those that are open
 * are. Where nothing slides, redundant contacts are held by some of them alone, and a sign may be
 * wrong for these and right for the way in which all share: then the problem itself is solved, and
 * the answer compared.
 */
#include "sim/sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Whether a closed slot cannot be closed where it is. */
static int has_left(const hol_sim *sim, const hol__rigid_point *at, unsigned touch) {
    return at->beside ||
           (!(touch & HOL__TOUCH_GAP) && !(fabs(at->gap) <= hol__rigid_tolerance(sim)));
}

/* What of pushes is rounding: a share of the largest in the solution, and of the largest load of a
 * body, of which pushes that should be none are the remainder. */
static double rounding_of_pushes(const hol_data *data) {
    const hol_model *m = data->model;
    double most = 0;
    for (int i = 0; i < m->nb; i++)
        for (int k = 0; k < m->dim; k++)
            most = fmax(most, fabs(data->load[(size_t)i * (size_t)m->bw + (size_t)k]));
    for (int i = 0; i < data->model->m; i++) {
        const int k = data->model->row_joint[i];
        if (k >= 0 && data->model->joints[k].rigid) most = fmax(most, fabs(data->lambda[i]));
    }
    return 4096 * DBL_EPSILON * most;
}

/* Whether the pushes of a slot in the solution are those of its kind. A slot whose gap follows from
 * others has no push of its own, and friction only where it is left to others as well. */
static int pushes_rightly(const hol_data *data, const hol__element *joint, int slot, unsigned touch,
                          double rounding) {
    const hol__rigid *r = joint->rigid;
    const hol_model *m = data->model;
    const int gap = hol__rigid_row(m, joint, slot, 0);
    const double N = m->n_slides && m->n_beside ? hol__data_carries(data, joint->index, slot)
                     : gap < 0                  ? 0
                                                : -data->lambda[gap];
    double T = 0;
    for (int k = 1; k <= r->across; k++) {
        const int row = hol__rigid_row(data->model, joint, slot, k);
        if (row >= 0) T = hypot(T, data->lambda[row]);
    }
    return N >= -rounding && ((touch & HOL__TOUCH_SLIDES) || !(T > r->grip * N + rounding));
}

/* Whether a slot slides slower than the run shows: then it may go back by rounding alone. */
static int is_slow(const hol_sim *sim, const hol__rigid *r, const hol__con_args *args,
                   const hol__rigid_point *at) {
    double u[3];
    hol__rigid_slip(r, args, at, u);
    return hol__norm3(u) <= hol__rigid_slowest(sim);
}

/* 1 where a slot has changed for certain, 2 where the problem has to be solved to know, 0 where it
 * has not. */
static int look_at(const hol_sim *sim, hol_data *data, hol__rigid_view *view,
                   const hol__element *joint, int slot, double rounding) {
    const hol__rigid *r = joint->rigid;
    const unsigned touch = sim->switching.touch[r->first + slot];
    hol__rigid_point at;
    hol__rigid_see(view, slot, &at);
    if (!(touch & HOL__TOUCH_CLOSED))
        return !r->line && hol__rigid_passed(r, slot, data->memory, &at) >= 0;
    if (has_left(sim, &at, touch)) return 1;
    const double *last = data->memory + r->memory + HOL__SLIDE * slot;
    const int rubs = touch & HOL__TOUCH_SLIDES && touch & (HOL__TOUCH_GAP | HOL__TOUCH_SHARES);
    if (rubs && hol__rigid_turns_back(r, view->args, &at, last))
        return is_slow(sim, r, view->args, &at) ? 2 : 1;
    return pushes_rightly(data, joint, slot, touch, rounding) ? 0 : 2;
}

/* Whether other slots are closed, or others slide, than the plan has; or, while some slide, whether
 * others carry. */
static int differs(const hol_sim *sim, const hol__touch_bits *touch) {
    const hol__touch_bits *now = sim->switching.touch;
    const unsigned kinds = HOL__TOUCH_CLOSED | HOL__TOUCH_SLIDES,
                   carries = HOL__TOUCH_GAP | HOL__TOUCH_SHARES;
    int slide = 0, carry = 0;
    for (int i = 0; i < sim->whole->n_slots; i++) {
        if ((touch[i] ^ now[i]) & kinds) return 1;
        slide |= (now[i] & HOL__TOUCH_SLIDES) != 0;
        carry |= !(touch[i] & carries) != !(now[i] & carries);
    }
    return slide && carry;
}

/* Whether some slot is to slide in another direction. */
static int some_turn(const hol_sim *sim, const hol__contacts *c, const hol__touch_bits *touch) {
    for (int i = 0; i < c->n; i++)
        if (touch[c->at[i].index] & HOL__TOUCH_SLIDES && hol__contacts_turned(sim->data, c, i))
            return 1;
    return 0;
}

/* The problem itself. */
static hol_status solve(hol_sim *sim, int *changed) {
    hol__contacts c;
    hol_status status = hol__contacts_open(sim, sim->data, 0, NULL, &c);
    hol__touch_bits *touch = HOL__NEW_N(&c.arena, hol__touch_bits, sim->whole->n_slots + 1);
    if (!status && !touch) status = HOL_ERR_MEMORY;
    if (!status) status = hol__contacts_plan(sim, &c, touch);
    if (!status) *changed = differs(sim, touch) || some_turn(sim, &c, touch);
    hol__contacts_close(&c);
    return status;
}

hol_status hol__rigid_changed(hol_sim *sim, int *changed) {
    hol_data *data = sim->data;
    const hol_model *m = data->model;
    const hol__force_args force = hol__data_force_args(data);
    const hol__con_args args = hol__rigid_args(&force);
    int unsure = 0, closed = 0;
    *changed = 0;
    for (int i = 0; i < m->n_slots; i++) closed |= sim->switching.touch[i];
    hol_status status = closed ? hol__data_accelerate(data) : HOL_OK;
    if (status) return status;
    const double rounding = closed ? rounding_of_pushes(data) : 0;
    for (int k = 0; k < m->n_joints && !*changed; k++) {
        const hol__rigid *r = sim->switching.off[k] ? NULL : m->joints[k].rigid;
        hol__rigid_view view;
        if (r) hol__rigid_look(r, &args, &view);
        for (int i = 0; r && i < r->slots && !*changed; i++) {
            const int look = look_at(sim, data, &view, &m->joints[k], i, rounding);
            *changed = look == 1;
            unsure |= look == 2;
        }
    }
    return !*changed && unsure ? solve(sim, changed) : HOL_OK;
}

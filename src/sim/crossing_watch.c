/* crossing_watch.c: methods that are not helped over singular positions, or by the length of their
 * steps alone (canonical ones, which can be lent no correction), and the names of the joints.
 *
 * While a share is small, velocities and energy must go on from the last state away from the
 * position as those of a smooth motion; and error-controlled steps must not have led so near to it
 * that what the constraints are off by decides where the motion goes. Otherwise the run stops; with
 * crossing: off it goes on, with a warning, so that a method can be seen as its source prints it.
 */
#include "sim/sim.h"

#include <math.h>
#include <string.h>

void hol__crossing_name(hol_sim *sim, hol_status status) {
    const hol_model *m = sim->model;
    hol__crossing *c = &sim->crossing;
    double share;
    if (!c->gauge || hol__crossing_read(sim, &share) || share > HOL__SMOOTH) return;
    hol__gauge_rows(c->gauge, &sim->data->A, c->lengths, c->before);
    for (int i = 0, named = 0; i < m->m && named < 8; i++) {
        if (c->before[i] > HOL__SMOOTH) continue;
        hol__report(sim->ctx, HOL_NOTE, status, &m->rows[i].where, m->rows[i].element,
                    "is in or near a singular position at t = %.6g (%s)", sim->data->t,
                    m->rows[i].direction);
        named++;
    }
}

/* What to try where the method does not lead over a singular position. */
static const char *advice(const hol_sim *sim) {
    if (sim->crossing.lays) return "try another tolerance or step";
    if ((int)sim->options[HOL__OPT_CROSSING] != HOL__CROSSING_OFF)
        return "use the method auto, a method with a correction, or the option crossing: on";
    return hol__crossing_is_helped(sim)
               ? "crossing: off keeps it from being helped; use crossing: auto"
               : "crossing: off keeps it from being helped; use crossing: on, or the method auto "
                 "with crossing: auto";
}

/* That branches are parted by a violation that nothing takes back, with what to try. */
static hol_status stop_parted(hol_sim *sim) {
    return hol__report(
        sim->ctx, HOL_ERROR, HOL_ERR_SINGULAR, NULL, "singular position",
        "at t = %.6g the constraints lose rank and branches of the motion cross; the method '%s' "
        "does not continue the motion there: its velocities keep A v = b, so that nothing takes "
        "back |Phi| = %.2g, by which the branches are parted, and canonical equations can be lent "
        "no correction; use the method canonical-augmented, which takes it back, or auto",
        sim->data->t, sim->method->name, hol__norm(sim->data->Phi, sim->model->mh));
}

hol_status hol__crossing_stop(hol_sim *sim) {
    if (hol__blocked(sim, HOL__SMOOTH)) return HOL_ERR_SINGULAR;
    hol__crossing_name(sim, HOL_ERR_SINGULAR);
    if (sim->form.state->keeps && !sim->correction_type->run &&
        (int)sim->options[HOL__OPT_CROSSING] != HOL__CROSSING_OFF)
        return stop_parted(sim);
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_SINGULAR, NULL, "singular position",
                       "at t = %.6g the constraints lose rank and branches of the motion cross; "
                       "the method '%s' does not continue the motion there; %s",
                       sim->data->t, sim->method->name, advice(sim));
}

hol_status hol__crossing_lost(hol_sim *sim) {
    if ((int)sim->options[HOL__OPT_CROSSING] != HOL__CROSSING_OFF) return hol__crossing_stop(sim);
    if (sim->crossing.lost) return HOL_OK;
    sim->crossing.lost = 1;
    hol__crossing_name(sim, HOL_OK);
    return hol__report(
        sim->ctx, HOL_WARNING, HOL_OK, NULL, "singular position",
        "at t = %.6g the constraints lose rank and the method '%s' does not continue "
        "the motion; with crossing: off the run goes on all the same, and what "
        "follows is not the motion of the mechanism",
        sim->data->t, sim->method->name);
}

/* What the constraints are off by against what would decide where the motion goes at this distance:
 * beside a singular position the combination of rows that nearly vanishes is g = k u w = C, u and w
 * along the branches, s = k (u^2 + w^2)^(1/2). Where C alone parts the branches s^2 falls to 2 k C,
 * k at most HOL__STEEPEST; rounding alone does where it is a tenth of s^2. */
static double parting(hol_sim *sim) {
    hol__crossing *c = &sim->crossing;
    const hol_model *m = sim->model;
    const double rounding = hol__data_rounding(sim->data) / (HOL__SMOOTH * c->share * c->share);
    memset(c->pull, 0, sizeof(double) * (size_t)m->m);
    memcpy(c->pull, sim->data->Phi, sizeof(double) * (size_t)m->mh);
    return fmax(rounding,
                2 * HOL__STEEPEST *
                    hol__gauge_pull(c->gauge, &sim->data->A, c->lengths, c->pull, c->pull + m->m)) /
           m->length;
}

/* Whether it may have decided: since steps there are as long as the distance, the reading that is
 * nearest may be four times as far away as the motion was. */
static int may_part(hol_sim *sim) {
    return sim->crossing.near && parting(sim) > 1.0 / 16;
}

/* Whether error-controlled steps have led so near to a singular position that it decides. Kernels
 * that let weak directions fade do not divide by x. */
static int is_inside(hol_sim *sim) {
    return sim->options[HOL__OPT_STEP] == 0 && sim->crossing.share < HOL__SMOOTH * HOL__SMOOTH &&
           !(sim->kernel_type->flags & HOL__KERNEL_SMOOTH) &&
           (int)sim->options[HOL__OPT_CROSSING] != HOL__CROSSING_OFF && parting(sim) > 1;
}

/* Whether steps are so short because the position is near: what the constraints are off by, noise
 * of parting/8 in the velocities, is what the error control sees, and steps have become a tenth of
 * the longest since the motion came here. What is stiff, or at rest, has short steps as well, far
 * from a position as beside it. */
static int is_led_in(hol_sim *sim, double step) {
    hol__crossing *c = &sim->crossing;
    double share;
    c->short_steps = 0; /* asked again after as many */
    return step < HOL__SMOOTH * c->longest && !hol__crossing_read(sim, &share) &&
           parting(sim) > sim->options[HOL__OPT_TOLERANCE];
}

int hol__crossing_creeps(hol_sim *sim, double speed) {
    hol__crossing *c = &sim->crossing;
    const double step = hol__crossing_next_step(sim);
    if (c->share >= HOL__SMOOTH * HOL__SMOOTH) {
        c->longest = step;
        return 0;
    }
    c->longest = fmax(c->longest, step);
    c->short_steps = step * speed < HOL__CREEP * c->share ? c->short_steps + 1 : 0;
    return sim->options[HOL__OPT_STEP] == 0 && c->short_steps >= HOL__CREEPING_STEPS &&
           is_led_in(sim, step);
}

/* Keep the state in data, away from singular positions: what a method that is not helped comes
 * from. */
static hol_status keep_away(hol_sim *sim) {
    const hol_model *m = sim->model;
    hol__crossing *c = &sim->crossing;
    const hol_status status = hol__form_accelerate(&sim->form);
    c->t_away = sim->data->t;
    c->doubtful = 0;
    c->balance_away = sim->balance;
    memcpy(c->v_away, sim->data->v, sizeof(double) * (size_t)m->nv);
    memcpy(c->a_away, sim->data->a, sizeof(double) * (size_t)m->nv);
    return status;
}

/* Whether velocities, where they are in doubt, and energy changed smoothly since the state away
 * from singular positions: over h the velocities of a smooth motion are v + h a up to (h w)^2/2 of
 * themselves. */
static int goes_on(hol_sim *sim) {
    const hol__crossing *c = &sim->crossing;
    const hol_data *d = sim->data;
    const double h = d->t - c->t_away,
                 speed = fmax(hol__crossing_size(sim, c->v_away), hol__crossing_size(sim, d->v));
    for (int i = 0; i < sim->model->nv; i++) c->y[i] = d->v[i] - c->v_away[i] - h * c->a_away[i];
    return (!c->doubtful ||
            hol__crossing_size(sim, c->y) <= (HOL__SMOOTH + h * h * speed * speed / 2) * speed) &&
           fabs(sim->balance - c->balance_away) <= HOL__ENERGY_CHANGE * hol__sim_energy_scale(sim);
}

hol_status hol__crossing_watch(hol_sim *sim) {
    hol__crossing *c = &sim->crossing;
    const int known = c->t_away < INFINITY, was_near = c->near;
    hol_status status = HOL_OK;
    c->near = c->share < HOL__SMOOTH;
    c->doubtful |= may_part(sim);
    if (c->lays && (c->lent || hol__crossing_is_helped(sim))) return HOL_OK;
    if (is_inside(sim) || (known && (c->near || was_near) && !goes_on(sim)))
        status = hol__crossing_lost(sim);
    return status || c->near ? status : keep_away(sim);
}

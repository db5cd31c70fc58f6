/* crossing.c: singular positions: one principle. Its numbers stand in crossing.h.
 *
 * In a singular position the constraints lose rank and branches of the motion cross. Let x be the
 * distance to it in radians and lengths of the mechanism. What the constraints are off by, C, means
 * C/x across them in the positions, C v/x^2 in the velocities, 2 C v^2/x^3 in the accelerations. So
 * shorter steps lead into the trouble; a step that begins and ends well away from the position,
 * with no stage near it, leads over it.
 *
 *   seen ahead    by a measure of geometry alone: the smallest share of a constraint row that is
 *                 independent of the others (la/gauge.h), in the metric of lengths. It falls like
 *                 x. Masses do not enter.
 *   land before   so that the singular instant falls into the widest gap between the stages of the
 *                 next step
 *   one step      over it, as long as the controller wants it, with the error test of every step;
 *                 its stages are brought onto the constraints: what they are off by would be
 *                 divided by x. The motion is a solution of y' = f(P(y)), P the correction, as it
 *                 is one of y' = f(y), so that the formula keeps its order.
 *   accept        only if positions, velocities and the energy balance continue the branch; else
 *                 land nearer and make a shorter one; else stop and name the joints
 *
 * A method that is not helped (option crossing) makes its own steps; a step of it that leads over a
 * singular position has to continue the branch all the same, or the run stops (with crossing: off a
 * warning says so, and it goes on).
 *
 * crossing_ahead.c sees them, crossing_watch.c watches those that are not helped, crossing_start.c
 * leaves a start in one.
 */
#include "sim/sim.h"

#include <math.h>
#include <string.h>

/* ---- the option ---- */

static const char *crossing_choice(int i) {
    static const char *const names[] = {"auto", "off", "on", NULL};
    return names[i];
}

static const hol_option rows[] = {
    HOL__CHOICE(
        "crossing", crossing_choice, "auto",
        "How singular positions are crossed. auto: steps are placed around them for the method "
        "auto, for methods with a correction and for independent coordinates; all others run as "
        "they are and may stop there. off: no method is helped; where a position throws a run off, "
        "it goes on as the equations of its method have it, with a warning. on: all methods are "
        "helped; one without a correction uses direct-mass there if its state is dependent."),
};

const hol__option_rows hol__crossing_options = HOL__ROWS(rows);

/* ---- what is lent ---- */

hol_status hol__crossing_lend(hol_sim *sim, const hol__kernel_options *options) {
    hol__crossing *c = &sim->crossing;
    hol__kernel *exact = sim->kernel;
    const int lends = (int)sim->options[HOL__OPT_CROSSING] == HOL__CROSSING_ON;
    if (!lends || sim->correction_type->run || !sim->model->m || !sim->form.state->dependent)
        return HOL_OK;
    if (sim->kernel_type->flags & HOL__KERNEL_SMOOTH) {
        const hol_status status = hol__kernel_new(sim->ctx, &hol__kernel_kkt, &sim->data->M,
                                                  &sim->data->A, options, &c->lender);
        if (status) return status;
        exact = c->lender;
    }
    c->lent = hol__sim_correction(sim, hol__correction_find("direct-mass"), exact, options);
    if (!c->lent) return HOL_ERR_MEMORY;
    if (sim->started) return HOL_OK; /* it was said when the run was set up */
    return hol__report(sim->ctx, HOL_NOTE, HOL_OK, NULL, "crossing",
                       "the method '%s' has no correction; it is lent direct-mass for the steps "
                       "over singular positions",
                       sim->method->name);
}

hol__correction *hol__crossing_correction(const hol_sim *sim) {
    if (sim->correction_type->run) return sim->correction;
    return sim->crossing.active || sim->crossing.near ? sim->crossing.lent : NULL;
}

hol_status hol__crossing_stage(hol_sim *sim, double t, const double **y) {
    hol__crossing *c = &sim->crossing;
    hol__correction *correction = hol__crossing_correction(sim);
    hol_status status = hol__form_unpack(&sim->form, t, *y);
    if (!status) status = hol__correction_run_stage(correction);
    if (status) return status;
    memcpy(c->stage, *y, sizeof(double) * (size_t)sim->form.n);
    hol__form_repack(&sim->form, c->stage);
    *y = c->stage;
    return HOL_OK;
}

hol_status hol__crossing_correct(hol_sim *sim, double t, const double *y) {
    const hol_model *m = sim->model;
    hol__crossing *c = &sim->crossing;
    const int near = c->kept && c->active;
    if (near) memcpy(c->q_there, sim->data->q, sizeof(double) * (size_t)m->nq);
    hol_status status = hol__correction_run(sim->correction);
    if (!near) return status;
    m->coords->minus(m, sim->data->q, c->q_there, c->x);
    const double x = fabs(t - c->t_singular) * hol__crossing_size(sim, c->v);
    if (status > 0 || hol__crossing_size(sim, c->x) > HOL__SMOOTH * x)
        status = hol__form_unpack(&sim->form, t, y);
    return status;
}

/* ---- setting up ---- */

/* The middle of the widest gap between the stages of the formula, the first of equals. */
static double widest_gap(const hol__integrator *integ) {
    double stage[HOL__MAX_STAGES], width = 0, middle = 0.5;
    const int n = hol__integrator_stages(integ, stage);
    for (double low = 0, high; low < 1; low = high) {
        high = 1;
        for (int i = 0; i < n; i++)
            if (stage[i] > low) high = fmin(high, stage[i]);
        if (high - low > width * (1 + 1e-12)) width = high - low, middle = 0.5 * (low + high);
    }
    return middle;
}

hol__gauge *hol__crossing_gauge(hol_sim *sim, const hol__csr *A, int rank) {
    const hol_model *m = sim->model;
    double *weight = HOL__NEW_N(&sim->arena, double, m->nv + 1);
    for (int i = 0; weight && i < m->nv; i++)
        weight[i] = hol__is_turn(m, i) ? m->length * m->length : 1;
    return weight ? hol__gauge_new(&sim->arena, A, weight, rank) : NULL;
}

int hol__crossing_is_helped(const hol_sim *sim) {
    return sim->correction_type->run || sim->form.state->reduced;
}

hol_status hol__crossing_init(hol_sim *sim) {
    const hol_model *m = sim->model;
    hol__crossing *c = &sim->crossing;
    const int mode = (int)sim->options[HOL__OPT_CROSSING];
    c->t_singular = INFINITY;
    if (!m->m) return HOL_OK;
    c->lays =
        mode == HOL__CROSSING_ON || (mode == HOL__CROSSING_AUTO && hol__crossing_is_helped(sim));
    c->gap = widest_gap(sim->integ);
    c->q = HOL__NEW_N(&sim->arena, double, m->nq);
    c->q_there = HOL__NEW_N(&sim->arena, double, m->nq);
    c->v = HOL__NEW_N(&sim->arena, double, m->nv);
    c->a = HOL__NEW_N(&sim->arena, double, m->nv);
    c->x = HOL__NEW_N(&sim->arena, double, m->nv);
    c->y = HOL__NEW_N(&sim->arena, double, m->nv);
    c->stage = HOL__NEW_N(&sim->arena, double, sim->form.n);
    c->v_away = HOL__NEW_N(&sim->arena, double, m->nv);
    c->a_away = HOL__NEW_N(&sim->arena, double, m->nv);
    c->lengths = HOL__NEW_N(&sim->arena, double, m->m);
    c->shares = HOL__NEW_N(&sim->arena, double, m->m);
    c->before = HOL__NEW_N(&sim->arena, double, m->m);
    c->behind = HOL__NEW_N(&sim->arena, double, m->m);
    c->pull = HOL__NEW_N(&sim->arena, double, 3 * m->m);
    if (sim->arena.failed || hol__crossing_units(sim)) return HOL_ERR_MEMORY;
    c->gauge = hol__crossing_gauge(sim, &sim->data->A, sim->rank.rank);
    if (!c->gauge) return HOL_ERR_MEMORY;
    hol__aside_gauge(sim);
    return HOL_OK;
}

void hol__crossing_free(hol_sim *sim) {
    hol__correction_free(sim->crossing.lent);
    hol__kernel_free(sim->crossing.lender);
}

long hol__crossing_factorizations(const hol_sim *sim) {
    const hol__crossing *c = &sim->crossing;
    return c->readings + (c->lender ? c->lender->info.factorizations : 0) +
           (c->lent ? hol__correction_factorizations(c->lent) : 0);
}

/* The state from which a singular position is in reach, and the last one away from it. */
static void walk_states(const hol_model *m, hol__crossing *c, hol__archive *archive) {
    HOL__ARCHIVE(archive, c->kept);
    HOL__ARCHIVE(archive, c->t);
    HOL__ARCHIVE(archive, c->balance);
    HOL__ARCHIVE_N(archive, c->q, m->nq);
    HOL__ARCHIVE_N(archive, c->v, m->nv);
    HOL__ARCHIVE_N(archive, c->a, m->nv);
    HOL__ARCHIVE(archive, c->near);
    HOL__ARCHIVE(archive, c->t_away);
    HOL__ARCHIVE(archive, c->balance_away);
    HOL__ARCHIVE(archive, c->doubtful);
    HOL__ARCHIVE(archive, c->lost);
    HOL__ARCHIVE_N(archive, c->v_away, m->nv);
    HOL__ARCHIVE_N(archive, c->a_away, m->nv);
}

hol_status hol__crossing_walk(hol_sim *sim, hol__archive *archive) {
    const hol_model *m = sim->model;
    hol_data *data = sim->data;
    hol__crossing *c = &sim->crossing;
    hol_status status = HOL_OK;
    if (!c->gauge) return HOL_OK;
    HOL__ARCHIVE(archive, c->share);
    HOL__ARCHIVE(archive, c->t_share);
    HOL__ARCHIVE(archive, c->n_shares);
    HOL__ARCHIVE_N(archive, c->shares, m->m);
    HOL__ARCHIVE(archive, c->readings);
    HOL__ARCHIVE(archive, c->short_steps);
    HOL__ARCHIVE(archive, c->longest);
    HOL__ARCHIVE(archive, c->moved);
    HOL__ARCHIVE(archive, c->t_singular);
    HOL__ARCHIVE(archive, c->active);
    HOL__ARCHIVE(archive, c->cuts);
    HOL__ARCHIVE(archive, c->wanted);
    HOL__ARCHIVE(archive, c->at_start);
    HOL__ARCHIVE(archive, c->count);
    HOL__ARCHIVE(archive, c->times);
    walk_states(m, c, archive);
    if (c->lender)
        status = hol__kernel_walk(c->lender, hol__data_mass_for(data, c->lender), &data->A,
                                  data->stamp, archive);
    return status || !c->lent ? status : hol__correction_walk(c->lent, archive);
}

/* ---- accepted only if it continues ---- */

/* Whether the state in data, solved, continues the one that is kept. Over a step h a smooth motion
 * has
 *     q1 - q0 - h (v0 + v1)/2 + h^2 (a1 - a0)/12 = O(h^5)      v1 - v0 - h (a0 + a1)/2 = O(h^3)
 * and one that changes its branch is off by about h v and v. */
static int continues(hol_sim *sim) {
    const hol_model *m = sim->model;
    const hol__crossing *c = &sim->crossing;
    const hol_data *d = sim->data;
    const double h = d->t - c->t,
                 speed = fmax(hol__crossing_size(sim, c->v), hol__crossing_size(sim, d->v));
    m->coords->minus(m, d->q, c->q, c->x);
    for (int i = 0; i < m->nv; i++) {
        c->x[i] += -h / 2 * (c->v[i] + d->v[i]) + h * h / 12 * (d->a[i] - c->a[i]);
        c->y[i] = d->v[i] - c->v[i] - h / 2 * (c->a[i] + d->a[i]);
    }
    hol_energy e;
    if (hol__data_energy(sim->data, &e)) return 0;
    const double change = fabs(e.balance - c->balance), fixed = sim->options[HOL__OPT_STEP],
                 most =
                     fixed > 0 || !c->lays ? HOL__ENERGY_CHANGE : sim->options[HOL__OPT_TOLERANCE];
    return hol__crossing_size(sim, c->x) <= HOL__SMOOTH * h * speed &&
           hol__crossing_size(sim, c->y) <= HOL__SMOOTH * speed &&
           change <= most * hol__sim_energy_scale(sim);
}

/* Stop: no step that was tried from the state that is kept continues the motion. */
static hol_status stop_there(hol_sim *sim) {
    const hol__crossing *c = &sim->crossing;
    hol_data_set(sim->data, c->t, c->q, c->v);
    if (hol__blocked(sim, HOL__SMOOTH)) return HOL_ERR_SINGULAR;
    hol__crossing_move(sim, c->t_singular - c->t);
    const hol_status status = hol__crossing_stop(sim);
    hol_data_set(sim->data, c->t, c->q, c->v);
    return status;
}

/* The singular position is behind. */
static void count(hol__crossing *c) {
    if (c->count < HOL__CROSSINGS_KEPT) c->times[c->count] = c->t_singular;
    c->count++;
    c->doubtful = 1;
    c->t_singular = INFINITY;
    c->share = c->kept = 0;
    if (c->cuts > 0) c->cuts--; /* the next one may be longer again */
}

/* ---- steps ---- */

/* Whether the open step is right: its error estimate passes, and it continues the motion. */
static hol_status judge(hol_sim *sim, int *right) {
    const double error = hol__integrator_error(sim->integ), t = hol__integrator_time(sim->integ);
    hol_status status = hol__form_unpack(&sim->form, t, hol__integrator_state(sim->integ));
    if (!status) status = hol__form_solve(&sim->form);
    *right = !status && !(error > 1) && continues(sim);
    return status < 0 ? status : HOL_OK;
}

/* The step of the integrator that `go` makes, with rows set aside. */
static hol_status integrate(hol_sim *sim, hol_status (*go)(hol__integrator *, double), double t) {
    hol__aside_begin(sim);
    const hol_status status = go(sim->integ, t);
    hol__aside_end(sim);
    return status;
}

/* Try the step from the state that is kept to t_new; *passed: it is right and open. */
static hol_status leap(hol_sim *sim, double t_new, int *passed) {
    *passed = 0;
    sim->crossing.leaps = hol__crossing_correction(sim) != NULL;
    hol_status status = integrate(sim, hol__integrator_leap, t_new);
    sim->crossing.leaps = 0;
    if (status) return status < 0 ? status : hol__crossing_put_back(sim);
    status = judge(sim, passed);
    if (*passed || status) return status;
    hol__integrator_undo(sim->integ);
    return hol__crossing_put_back(sim);
}

/* The open step, which is not laid, does not continue the motion over the singular position. */
static hol_status lose_there(hol_sim *sim) {
    if ((int)sim->options[HOL__OPT_CROSSING] != HOL__CROSSING_OFF) return stop_there(sim);
    hol__crossing_move(sim, sim->crossing.t_singular - sim->crossing.t);
    const hol_status status = hol__crossing_lost(sim);
    return status ? status
                  : hol__form_unpack(&sim->form, hol__integrator_time(sim->integ),
                                     hol__integrator_state(sim->integ));
}

/* A step that is not laid. Where it leads over a singular position it must continue the motion. */
static hol_status plain_step(hol_sim *sim, double t_stop) {
    const hol__crossing *c = &sim->crossing;
    hol_status status = integrate(sim, hol__integrator_step, t_stop);
    if (status || !c->kept || c->t_singular > hol__integrator_time(sim->integ)) return status;
    int right;
    status = judge(sim, &right);
    return status || right ? status : lose_there(sim);
}

/* The first step of a run that starts in a singular position. */
static hol_status first_step(hol_sim *sim, double t_hard) {
    hol__crossing *c = &sim->crossing;
    const double fixed = sim->options[HOL__OPT_STEP], t = c->t,
                 h = fixed > 0 ? fixed : HOL__SMOOTH / hol__crossing_size(sim, c->v);
    for (c->cuts = 0; c->cuts <= HOL__MOST_CUTS; c->cuts++) {
        int passed;
        const hol_status status = leap(sim, fmin(t_hard, t + ldexp(h, -c->cuts)), &passed);
        if (passed) c->at_start = 0;
        if (status || passed) return status;
    }
    return stop_there(sim);
}

/* The step that is wanted over the singular position ahead. An implicit formula that goes at its own
 * pace grows anew from each step that ends early, as those do that lead to the position: the longest
 * that it has wanted since that was seen. */
static double wanted(hol_sim *sim) {
    hol__crossing *c = &sim->crossing;
    const double h = hol__crossing_next_step(sim);
    const int regrows = sim->stepper->paces && sim->stepper->implicit;
    c->wanted = regrows && c->t_singular < INFINITY ? fmax(c->wanted, h) : 0;
    return fmax(c->wanted, h);
}

hol_status hol__crossing_step(hol_sim *sim, double t_soft, double t_hard) {
    hol__crossing *c = &sim->crossing;
    if (c->at_start && c->active) return first_step(sim, t_hard);
    for (;; c->cuts++) {
        const double t = hol__integrator_time(sim->integ), h = ldexp(wanted(sim), -c->cuts),
                     room = c->gap * h, d = c->t_singular - t, t_new = t + d / c->gap;
        c->active = c->lays && c->kept && d > 0 && d < h + room;
        if (!c->active) return plain_step(sim, t_soft);
        if (d > (1 + HOL__LANDING) * room)
            return plain_step(sim, fmin(t_soft, c->t_singular - room));
        if (t_new > t_hard) return plain_step(sim, t_hard);
        int passed;
        const hol_status status = leap(sim, t_new, &passed);
        if (status || passed) return status;
        if (c->cuts == HOL__MOST_CUTS) return stop_there(sim);
    }
}

hol_status hol__crossing_accept(hol_sim *sim) {
    hol__crossing *c = &sim->crossing;
    if (!c->gauge) return HOL_OK;
    if (c->kept && c->t_singular <= sim->data->t) count(c);
    return hol__crossing_look(sim);
}

hol_status hol__crossing_start(hol_sim *sim) {
    hol__crossing *c = &sim->crossing;
    c->kept = c->cuts = c->active = c->near = c->doubtful = c->lost = 0;
    c->wanted = 0;
    c->share = c->moved = 0;
    c->short_steps = 0;
    c->longest = 0;
    c->t_share = c->t_away = INFINITY;
    c->t_singular = INFINITY;
    if (!c->gauge) return HOL_OK;
    return c->at_start ? hol__crossing_leave(sim) : hol__crossing_look(sim);
}

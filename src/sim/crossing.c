/* crossing.c: singular positions: one principle, and the only place with its numbers.
 *
 * In a singular position the constraints lose rank and branches of the motion cross. Let x be the
 * distance to it in radians and lengths of the mechanism. What the constraints are off by, C, means
 * C/x across them in the positions, C v/x^2 in the velocities, 2 C v^2/x^3 in the accelerations. So
 * shorter steps lead into the trouble; a step that begins and ends well away from the position, with
 * no stage near it, leads over it.
 *
 *   seen ahead    by a measure of geometry alone: the smallest share of a constraint row that is
 *                 independent of the others (la/gauge.h), in the metric of lengths. It falls like x.
 *                 Masses do not enter.
 *   land before   so that the singular instant falls into the widest gap between the stages of the
 *                 next step
 *   one step      over it, as long as the controller wants it, with the error test of every step;
 *                 its stages are brought onto the constraints: what they are off by would be
 *                 divided by x. The motion is a solution of y' = f(P(y)), P the correction, as it is
 *                 one of y' = f(y), so that the formula keeps its order.
 *   accept        only if positions, velocities and the energy balance continue the branch; else
 *                 land nearer and make a shorter one; else stop and name the joints
 *
 * A method that is not helped (option crossing) makes its own steps; a step of it that leads over a
 * singular position has to continue the branch all the same, or the run stops.
 *
 * The numbers are derived in docs/theory/crossing.md.
 */
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A share falls by at most this for each radian or length that the mechanism moves. */
static const double steepest = 4;

/* Rates of the share are differences over so many radians or lengths. */
static const double difference = 1e-3;

/* Beside a singular position is so many radians or lengths from it. */
static const double beside = 1e-2;

/* So many ways out of the start are tried where its constraints depend. */
enum { MOST_DIRECTIONS = 6 };

/* A step that would end within this of the landing place makes the step over it at once. */
static const double slack = 0.1;

/* The step over a singular position is cut in half so often before the run stops. */
enum { MOST_CUTS = 6 };

/* What a smooth motion leaves of Hermite's formula over a step h, against its velocities: at most
 * (h w)^2/12, where h w <= 1. A motion that changes its branch leaves about 1. */
static const double smooth = 0.1;

/* A change of branch by an angle of `smooth` costs this share of the kinetic energy. Steps that are
 * laid and error-controlled must keep the balance to their tolerance: it is an estimate of the error
 * that no projection hides. */
static const double energy_change = 1e-2;

/* ---- the option ---- */

static const char *crossing_choice(int i) {
    static const char *const names[] = {"auto", "off", "on", NULL};
    return names[i];
}

static const hol_option rows[] = {
    HOL__CHOICE(
        "crossing", crossing_choice, "auto",
        "Help over singular positions. auto: steps are laid around them for the method auto "
        "and for methods with a correction; all others run as they are and stop there. off: "
        "none. on: for all methods; one without a correction is lent direct-mass there."),
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
    return c->lent ? HOL_OK : HOL_ERR_MEMORY;
}

hol__correction *hol__crossing_correction(const hol_sim *sim) {
    if (sim->correction_type->run) return sim->correction;
    return sim->crossing.active ? sim->crossing.lent : NULL;
}

hol_status hol__crossing_stage(hol_sim *sim, double t, const double **y) {
    hol__crossing *c = &sim->crossing;
    hol__correction *correction = hol__crossing_correction(sim);
    if (!c->leaps) return HOL_OK;
    hol_status status = hol__form_unpack(&sim->form, t, *y);
    const double threshold = correction->threshold;
    correction->threshold = 0; /* P is smooth: also a correction that waits for drift acts here */
    if (!status) status = hol__correction_run(correction);
    correction->threshold = threshold;
    if (status) return status;
    memcpy(c->stage, *y, sizeof(double) * (size_t)sim->form.n);
    hol__form_repack(&sim->form, c->stage);
    *y = c->stage;
    return HOL_OK;
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

/* The gauge over the metric of lengths: 1 for translations, length^2 for turns. */
static hol_status make_gauge(hol_sim *sim) {
    const hol_model *m = sim->model;
    hol__crossing *c = &sim->crossing;
    double *weight = HOL__NEW_N(&sim->arena, double, m->nv + 1);
    if (!weight) return HOL_ERR_MEMORY;
    for (int i = 0; i < m->nv; i++) weight[i] = hol__is_turn(m, i) ? m->length * m->length : 1;
    c->gauge = hol__gauge_new(&sim->arena, &sim->data->A, weight, sim->rank.rank);
    return c->gauge ? HOL_OK : HOL_ERR_MEMORY;
}

hol_status hol__crossing_init(hol_sim *sim) {
    const hol_model *m = sim->model;
    hol__crossing *c = &sim->crossing;
    const int mode = (int)sim->options[HOL__OPT_CROSSING];
    const int own = sim->correction_type->run || sim->form.state->reduced;
    c->t_singular = INFINITY;
    if (!m->m) return HOL_OK;
    c->lays = mode == HOL__CROSSING_ON || (mode == HOL__CROSSING_AUTO && own);
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
    return sim->arena.failed ? HOL_ERR_MEMORY : make_gauge(sim);
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
    HOL__ARCHIVE(archive, c->moved);
    HOL__ARCHIVE(archive, c->t_singular);
    HOL__ARCHIVE(archive, c->active);
    HOL__ARCHIVE(archive, c->cuts);
    HOL__ARCHIVE(archive, c->at_start);
    HOL__ARCHIVE(archive, c->count);
    HOL__ARCHIVE(archive, c->times);
    walk_states(m, c, archive);
    if (c->lender)
        status = hol__kernel_walk(c->lender, hol__data_mass(data), &data->A, data->stamp, archive);
    return status || !c->lent ? status : hol__correction_walk(c->lent, archive);
}

/* ---- seen ahead ---- */

/* x . W^-1 x over the entries of a row of a pattern; turns(i): whether column i is an angle. */
static double row_square(const hol_sim *sim, const hol__csr *A, const double *x, int row,
                         int over_bodies) {
    const hol_model *m = sim->model;
    const double L = m->length;
    double sum = 0;
    for (int k = A->ptr[row]; k < A->ptr[row + 1]; k++) {
        const int i = A->idx[k], turn = over_bodies ? i % m->bw >= m->dim : hol__is_turn(m, i);
        sum += turn ? x[k] * x[k] / (L * L) : x[k] * x[k];
    }
    return sum;
}

/* The lengths of the rows over the bodies, which do not vanish where the coordinates make them
 * vanish; of rows among the coordinates their own. */
static void find_lengths(hol_sim *sim) {
    const hol_model *m = sim->model;
    hol__crossing *c = &sim->crossing;
    for (int i = 0; i < m->m; i++) {
        double square = row_square(sim, &m->G, sim->data->G, i, 1);
        if (!(square > 0)) square = row_square(sim, &sim->data->A, sim->data->A.x, i, 0);
        c->lengths[i] = square > 0 ? sqrt(square) : 1;
    }
}

/* The share of the most dependent row at the positions in data. */
static hol_status read_share(hol_sim *sim, double *share) {
    hol_data_update(sim->data, HOL_STAGE_POS);
    find_lengths(sim);
    sim->crossing.readings++;
    return hol__gauge_read(sim->crossing.gauge, &sim->data->A, sim->crossing.lengths, share);
}

/* The largest component in radians and lengths. */
static double size_of(const hol_sim *sim, const double *x) {
    const hol_model *m = sim->model;
    double most = 0;
    for (int i = 0; i < m->nv; i++)
        most = fmax(most, fabs(x[i]) / (hol__is_turn(m, i) ? 1 : m->length));
    return most;
}

/* ---- named ---- */

void hol__crossing_name(hol_sim *sim, hol_status status) {
    const hol_model *m = sim->model;
    hol__crossing *c = &sim->crossing;
    double share;
    if (!c->gauge || read_share(sim, &share) || share > smooth) return;
    hol__gauge_rows(c->gauge, &sim->data->A, c->lengths, c->before);
    for (int i = 0, named = 0; i < m->m && named < 8; i++) {
        if (c->before[i] > smooth) continue;
        hol__report(sim->ctx, HOL_NOTE, status, &m->rows[i].where, m->rows[i].element,
                    "is in or near a singular position at t = %.6g (%s)", sim->data->t,
                    m->rows[i].direction);
        named++;
    }
}

/* Stop at the singular position in data. */
static hol_status stop(hol_sim *sim) {
    hol__crossing_name(sim, HOL_ERR_SINGULAR);
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_SINGULAR, NULL, "singular position",
                       "at t = %.6g the constraints lose rank and branches of the motion cross; "
                       "the method '%s' does not continue the motion there; %s",
                       sim->data->t, sim->method->name,
                       sim->crossing.lays ? "try another tolerance or step"
                                          : "use the method auto, a method with a correction, or "
                                            "the option crossing: on");
}

/* Whether error-controlled steps have led so near to a singular position that what the constraints
 * are off by, C/x^2 in the velocities, decides where the motion goes. Kernels that let weak
 * directions fade do not divide by x. */
static int is_inside(hol_sim *sim) {
    const hol__crossing *c = &sim->crossing;
    const double x = c->share,
                 C = fmax(hol__norm(sim->data->Phi, sim->model->mh), hol__data_rounding(sim->data));
    return !c->lays && sim->options[HOL__OPT_STEP] == 0 && x < smooth * smooth &&
           !(sim->kernel_type->flags & HOL__KERNEL_SMOOTH) &&
           C > smooth * x * x * sim->model->length;
}

/* ---- foretold ---- */

/* Keep the state in data, solved. */
static hol_status keep(hol_sim *sim) {
    const hol_model *m = sim->model;
    hol__crossing *c = &sim->crossing;
    const hol_status status = hol__form_solve(&sim->form);
    if (status) return status;
    c->kept = 1;
    c->t = sim->data->t;
    c->balance = sim->balance;
    memcpy(c->q, sim->data->q, sizeof(double) * (size_t)m->nq);
    memcpy(c->v, sim->data->v, sizeof(double) * (size_t)m->nv);
    memcpy(c->a, sim->data->a, sizeof(double) * (size_t)m->nv);
    return HOL_OK;
}

/* Put the state that is kept back into data. */
static hol_status put_back(hol_sim *sim) {
    hol__crossing *c = &sim->crossing;
    hol_data_set(sim->data, c->t, c->q, c->v);
    return hol__form_solve(&sim->form);
}

/* The positions a time tau from the state that is kept, by its Taylor series, into data. */
static void move_by(hol_sim *sim, double tau) {
    const hol_model *m = sim->model;
    hol__crossing *c = &sim->crossing;
    for (int i = 0; i < m->nv; i++) c->x[i] = tau * (c->v[i] + 0.5 * tau * c->a[i]);
    m->coords->plus(m, c->q, c->x, c->q_there);
    hol__data_set_q(sim->data, c->t + tau, c->q_there);
}

/* Read the shares where the motion is a time tau from the state that is kept, into out. */
static hol_status read_at(hol_sim *sim, double tau, double *out) {
    int n;
    double least;
    move_by(sim, tau);
    const hol_status status = read_share(sim, &least);
    const double *shares = hol__gauge_shares(sim->crossing.gauge, &n);
    memcpy(out, shares, sizeof(double) * (size_t)n);
    return status;
}

/* How long until a share becomes zero, s + s' t + s'' t^2/2 = 0, by its values tau before, at and tau
 * behind the state; INFINITY: it does not. */
static double zero_of(double before, double s, double behind, double tau) {
    const double rate = (behind - before) / (2 * tau),
                 curve = (behind - 2 * s + before) / (tau * tau),
                 discriminant = rate * rate - 2 * curve * s;
    return rate < 0 && discriminant > 0 ? 2 * s / (sqrt(discriminant) - rate) : INFINITY;
}

/* When the first of the shares becomes zero, by their values and rates at the state that is kept. */
static hol_status predict(hol_sim *sim, double speed) {
    hol__crossing *c = &sim->crossing;
    const double tau = fmin(difference, c->share / (2 * steepest)) / speed;
    hol_status status = read_at(sim, -tau, c->before);
    if (!status) status = read_at(sim, tau, c->behind);
    if (!status) status = put_back(sim);
    if (status) return status;
    double soonest = INFINITY;
    for (int k = 0; k < c->n_shares; k++)
        soonest = fmin(soonest, zero_of(c->before[k], c->shares[k], c->behind[k], tau));
    c->t_singular = c->t + soonest;
    return HOL_OK;
}

/* Whether the share nearly vanishes at the instant that was found: the series is off by (h w)^3/6
 * there, a small part of it. */
static hol_status verify(hol_sim *sim) {
    hol__crossing *c = &sim->crossing;
    double there = 0;
    if (!(c->t_singular < INFINITY)) return HOL_OK;
    move_by(sim, c->t_singular - c->t);
    hol_status status = read_share(sim, &there);
    if (!status) status = put_back(sim);
    if (there > smooth * c->share) c->t_singular = INFINITY;
    return status;
}

/* Take the last reading as that of the state; whether it and the one at the start of the last step, h
 * before, keep all shares from becoming zero within reach, also if they fall twice as fast from here
 * on. */
static int stays(hol__crossing *c, double h, double reach) {
    const double *now = hol__gauge_shares(c->gauge, &c->n_shares);
    int stays = h > 0;
    for (int k = 0; k < c->n_shares; k++) {
        stays &= now[k] * h > 2 * reach * (c->shares[k] - now[k]);
        c->shares[k] = now[k];
    }
    return stays;
}

/* The length of the next step. */
static double next_step(const hol_sim *sim) {
    const double fixed = sim->options[HOL__OPT_STEP];
    return fixed > 0 ? fixed : hol__integrator_wanted(sim->integ);
}

/* Keep the state in data, away from singular positions: what a method that is not helped comes from. */
static hol_status keep_away(hol_sim *sim) {
    const hol_model *m = sim->model;
    hol__crossing *c = &sim->crossing;
    const hol_status status = hol__form_solve(&sim->form);
    c->t_away = sim->data->t;
    c->balance_away = sim->balance;
    memcpy(c->v_away, sim->data->v, sizeof(double) * (size_t)m->nv);
    memcpy(c->a_away, sim->data->a, sizeof(double) * (size_t)m->nv);
    return status;
}

/* Whether velocities and energy changed smoothly since the state away from singular positions: over
 * h the velocities of a smooth motion are v + h a up to (h w)^2/2 of themselves. */
static int goes_on(hol_sim *sim) {
    const hol__crossing *c = &sim->crossing;
    const hol_data *d = sim->data;
    const double h = d->t - c->t_away, speed = fmax(size_of(sim, c->v_away), size_of(sim, d->v));
    for (int i = 0; i < sim->model->nv; i++) c->y[i] = d->v[i] - c->v_away[i] - h * c->a_away[i];
    return size_of(sim, c->y) <= (smooth + h * h * speed * speed / 2) * speed &&
           fabs(sim->balance - c->balance_away) <= energy_change * hol__sim_energy_scale(sim);
}

/* Watch a method that is not helped: it must not be led into a singular position, nor change its
 * branch near one. */
static hol_status watch(hol_sim *sim) {
    hol__crossing *c = &sim->crossing;
    const int known = c->t_away < INFINITY, was_near = c->near;
    c->near = c->share < smooth;
    if (is_inside(sim) || (known && (c->near || was_near) && !goes_on(sim))) return stop(sim);
    return c->near ? HOL_OK : keep_away(sim);
}

/* Look ahead from the accepted state in data: is there a singular position within two steps? The
 * share is read where it could be zero by then. */
static hol_status look(hol_sim *sim) {
    hol__crossing *c = &sim->crossing;
    const double t = sim->data->t, t_old = hol__integrator_old_time(sim->integ),
                 speed = size_of(sim, sim->data->v), reach = 2 * next_step(sim),
                 since = c->t_share == t_old ? t - t_old : 0;
    c->t_singular = INFINITY;
    c->kept = 0;
    c->moved += speed * (t - t_old);
    if (c->share > steepest * (c->moved + speed * reach)) return HOL_OK;
    hol_status status = read_share(sim, &c->share);
    c->t_share = t;
    c->moved = 0;
    const int far = stays(c, since, reach) || c->share > steepest * speed * reach;
    if (!status && !c->lays) status = watch(sim);
    if (status || far) return status;
    status = keep(sim);
    if (!status) status = predict(sim, speed);
    return status ? status : verify(sim);
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
    const double h = d->t - c->t, speed = fmax(size_of(sim, c->v), size_of(sim, d->v));
    m->coords->minus(m, d->q, c->q, c->x);
    for (int i = 0; i < m->nv; i++) {
        c->x[i] += -h / 2 * (c->v[i] + d->v[i]) + h * h / 12 * (d->a[i] - c->a[i]);
        c->y[i] = d->v[i] - c->v[i] - h / 2 * (c->a[i] + d->a[i]);
    }
    hol_energy e;
    if (hol__data_energy(sim->data, &e)) return 0;
    const double change = fabs(e.balance - c->balance), fixed = sim->options[HOL__OPT_STEP],
                 most = fixed > 0 || !c->lays ? energy_change : sim->options[HOL__OPT_TOLERANCE];
    return size_of(sim, c->x) <= smooth * h * speed && size_of(sim, c->y) <= smooth * speed &&
           change <= most * hol__sim_energy_scale(sim);
}

/* Stop: no step that was tried from the state that is kept continues the motion. */
static hol_status stop_there(hol_sim *sim) {
    const hol__crossing *c = &sim->crossing;
    move_by(sim, c->t_singular - c->t);
    const hol_status status = stop(sim);
    hol_data_set(sim->data, c->t, c->q, c->v);
    return status;
}

/* The singular position is behind. */
static void count(hol__crossing *c) {
    if (c->count < HOL__CROSSINGS_KEPT) c->times[c->count] = c->t_singular;
    c->count++;
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

/* Try the step from the state that is kept to t_new; *passed: it is right and open. */
static hol_status leap(hol_sim *sim, double t_new, int *passed) {
    *passed = 0;
    sim->crossing.leaps = hol__crossing_correction(sim) != NULL;
    hol_status status = hol__integrator_leap(sim->integ, t_new);
    sim->crossing.leaps = 0;
    if (status) return status < 0 ? status : put_back(sim);
    status = judge(sim, passed);
    if (*passed || status) return status;
    hol__integrator_undo(sim->integ);
    return put_back(sim);
}

/* A step that is not laid. Where it leads over a singular position it must continue the motion. */
static hol_status plain_step(hol_sim *sim, double t_stop) {
    const hol__crossing *c = &sim->crossing;
    hol_status status = hol__integrator_step(sim->integ, t_stop);
    if (status || !c->kept || c->t_singular > hol__integrator_time(sim->integ)) return status;
    int right;
    status = judge(sim, &right);
    return status || right ? status : stop_there(sim);
}

/* The first step of a run that starts in a singular position. */
static hol_status first_step(hol_sim *sim, double t_hard) {
    hol__crossing *c = &sim->crossing;
    const double fixed = sim->options[HOL__OPT_STEP], t = c->t,
                 h = fixed > 0 ? fixed : smooth / size_of(sim, c->v);
    for (c->cuts = 0; c->cuts <= MOST_CUTS; c->cuts++) {
        int passed;
        const hol_status status = leap(sim, fmin(t_hard, t + ldexp(h, -c->cuts)), &passed);
        if (passed) c->at_start = 0;
        if (status || passed) return status;
    }
    return stop_there(sim);
}

hol_status hol__crossing_step(hol_sim *sim, double t_soft, double t_hard) {
    hol__crossing *c = &sim->crossing;
    if (c->at_start && c->active) return first_step(sim, t_hard);
    for (;; c->cuts++) {
        const double t = hol__integrator_time(sim->integ), h = ldexp(next_step(sim), -c->cuts),
                     room = c->gap * h, d = c->t_singular - t, t_new = t + d / c->gap;
        c->active = c->lays && c->kept && d > 0 && d < h + room;
        if (!c->active) return plain_step(sim, t_soft);
        if (d > (1 + slack) * room) return plain_step(sim, fmin(t_soft, c->t_singular - room));
        if (t_new > t_hard) return plain_step(sim, t_hard);
        int passed;
        const hol_status status = leap(sim, t_new, &passed);
        if (status || passed) return status;
        if (c->cuts == MOST_CUTS) return stop_there(sim);
    }
}

hol_status hol__crossing_accept(hol_sim *sim) {
    hol__crossing *c = &sim->crossing;
    if (!c->gauge) return HOL_OK;
    if (c->kept && c->t_singular <= sim->data->t) count(c);
    return look(sim);
}

/* ---- at the start ---- */

/* A direction of motion at the state in data, the first that of the velocities, if it moves, all
 * others any that the constraints allow there; its size. */
static double some_direction(hol_sim *sim, hol__correction *correction, int which, double *d) {
    const int nv = sim->model->nv;
    memcpy(d, sim->data->v, sizeof(double) * (size_t)nv);
    if (which == 0) return size_of(sim, d);
    for (int i = 0; i < nv; i++) d[i] = sin(which + 2.385 * i);
    hol__data_set_q(correction->data, sim->data->t, sim->data->q);
    hol__correction_tangent(correction, d, d);
    return size_of(sim, d);
}

/* The rank a little way along motions from the state in data, on the constraints, until one shows a
 * larger rank. */
static hol_status rank_beside(hol_sim *sim, hol_data *there, hol__correction *correction) {
    const hol_model *m = sim->model;
    double *d = HOL__NEW_N(&sim->arena, double, m->nv + 1),
           *q = HOL__NEW_N(&sim->arena, double, m->nq + 1);
    if (sim->arena.failed) return HOL_ERR_MEMORY;
    hol_status status = HOL_OK;
    for (int which = 0; which < MOST_DIRECTIONS && status >= 0; which++) {
        const double size = some_direction(sim, correction, which, d);
        for (int i = 0; i < m->nv; i++) d[i] *= size > 0 ? beside / size : 0;
        m->coords->plus(m, sim->data->q, d, q);
        hol__data_set_q(there, there->t, q);
        status = hol__correction_run(correction);
        if (!status) status = hol__data_analyse(there);
        if (!status && there->rank > sim->data->rank) return HOL_OK;
    }
    return status;
}

/* Say that the run starts in a singular position, and which joints are in it. */
static void report_start(hol_sim *sim, const hol_data *there) {
    const hol_model *m = sim->model;
    char joints[512] = "";
    for (int i = 0; i < m->m; i++) {
        const size_t used = strlen(joints);
        if (sim->data->redundant_rows[i] && !there->redundant_rows[i])
            snprintf(joints + used, sizeof joints - used, "%s%.100s (%s)", used ? "; " : "",
                     m->rows[i].element, m->rows[i].direction);
    }
    hol__warn(
        sim->ctx, NULL, "singular position",
        "the run starts in one: the constraints lose rank there (%s) and do not determine the "
        "motion, branches of which cross. %s",
        joints,
        size_of(sim, sim->data->v) > 0
            ? "The velocities at the start say which one is followed"
            : "At rest the start does not say which one is followed; start beside it, or "
              "give velocities");
}

hol_status hol__crossing_probe(hol_sim *sim, const hol__kernel_options *options) {
    hol__kernel *kernel = NULL;
    hol__correction *correction = NULL;
    hol_data *there = hol_data_new(sim->ctx, sim->model);
    hol_status status = there ? hol_data_copy(there, sim->data) : HOL_ERR_MEMORY;
    if (!status) hol__data_mass(there);
    if (!status)
        status =
            hol__kernel_new(sim->ctx, &hol__kernel_kkt, &there->M, &there->A, options, &kernel);
    if (!status) {
        correction = hol__correction_new(there, hol__correction_find("direct"), kernel, options,
                                         sim->options[HOL__OPT_POSITION_TOLERANCE],
                                         sim->options[HOL__OPT_VELOCITY_TOLERANCE]);
        status = correction ? rank_beside(sim, there, correction) : HOL_ERR_MEMORY;
    }
    if (!status && there->rank > sim->data->rank) {
        report_start(sim, there);
        sim->crossing.at_start = 1;
        hol__data_adopt_rank(sim->data, there);
    }
    hol__correction_free(correction);
    hol__kernel_free(kernel);
    hol_data_free(there);
    return status < 0 ? status : HOL_OK;
}

/* The mean of the accelerations a time tau before and behind the state that is kept, into out. */
static hol_status mean_acceleration(hol_sim *sim, double tau, double *out) {
    const int nv = sim->model->nv;
    hol_status status = HOL_OK;
    memset(out, 0, sizeof(double) * (size_t)nv);
    for (int side = -1; side <= 1 && !status; side += 2) {
        move_by(sim, side * tau);
        hol__data_set_v(sim->data, sim->crossing.v);
        status = hol__correction_run(hol__crossing_correction(sim));
        if (!status) status = hol__form_solve(&sim->form);
        for (int i = 0; i < nv; i++) out[i] += 0.5 * sim->data->a[i];
    }
    return status;
}

/* The acceleration of the branch at the start, a = (4 a(tau) - a(2 tau))/3 + O(tau^4), where the
 * equations of motion leave it open. */
static hol_status extrapolate(hol_sim *sim, double tau) {
    hol__crossing *c = &sim->crossing;
    memset(c->a, 0, sizeof(double) * (size_t)sim->model->nv);
    hol_status status = mean_acceleration(sim, tau, c->y);
    if (!status) status = mean_acceleration(sim, 2 * tau, c->a_away);
    if (!status) status = put_back(sim);
    for (int i = 0; i < sim->model->nv; i++) c->a[i] = (4 * c->y[i] - c->a_away[i]) / 3;
    return status;
}

/* The first step from a singular position, in motion: its slope there is that of the branch. */
static hol_status leave_start(hol_sim *sim) {
    hol__crossing *c = &sim->crossing;
    const double speed = size_of(sim, sim->data->v);
    if (!c->lays || !(speed > 0) || !sim->form.state->dependent) return HOL_OK;
    c->active = 1;
    hol_status status = keep(sim);
    if (!status) status = extrapolate(sim, beside / speed);
    if (!status) status = sim->system.rhs(sim, c->t, sim->y, c->stage);
    memcpy(c->stage + sim->model->nv, c->a, sizeof(double) * (size_t)sim->model->nv);
    if (!status) hol__integrator_prime(sim->integ, c->stage);
    c->t_singular = c->t;
    return status;
}

hol_status hol__crossing_start(hol_sim *sim) {
    hol__crossing *c = &sim->crossing;
    c->kept = c->cuts = c->active = c->near = 0;
    c->share = c->moved = 0;
    c->t_share = c->t_away = INFINITY;
    c->t_singular = INFINITY;
    if (!c->gauge) return HOL_OK;
    return c->at_start ? leave_start(sim) : look(sim);
}

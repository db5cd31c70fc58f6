/* crossing_ahead.c: singular positions seen ahead, by a measure that depends on geometry alone.
 *
 * The rows of A in the metric of lengths, 1 for translations and length^2 for turns, by their
 * lengths over the bodies (la/gauge.h). Each share s changes smoothly along the motion; the first
 * that becomes zero within two steps is a singular position:
 *
 *     s + s' t + s'' t^2/2 = 0,   rates by differences along q (+) (tau v + tau^2 a/2)
 */
#include "sim/sim.h"

#include <math.h>
#include <string.h>

/* x . W^-1 x over the entries of a row of a pattern, whose columns are the velocities of the bodies
 * or those of the coordinates. */
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

/* Of rows over the bodies, which do not vanish where the coordinates make them vanish; of rows
 * among the coordinates their own. */
void hol__crossing_lengths(hol_sim *sim) {
    const hol_model *m = sim->model;
    hol__crossing *c = &sim->crossing;
    hol_data_update(sim->data, HOL_STAGE_POS);
    const hol__spared *spared = sim->data->spared; /* these have none */
    for (int i = 0; i < m->m; i++) {
        if (spared && spared->rows[i]) continue;
        double square = row_square(sim, &m->G, sim->data->G, i, 1);
        if (!(square > 0)) square = row_square(sim, &sim->data->A, sim->data->A.x, i, 0);
        c->lengths[i] = square > 0 ? sqrt(square) : 1;
    }
}

hol_status hol__crossing_read(hol_sim *sim, double *share) {
    hol__crossing_lengths(sim);
    sim->crossing.readings++;
    return hol__gauge_read(sim->crossing.gauge, &sim->data->A, sim->crossing.lengths, share);
}

hol_status hol__crossing_units(hol_sim *sim) {
    const hol_model *m = sim->model;
    hol__crossing *c = &sim->crossing;
    if (c->units) return HOL_OK;
    c->units = HOL__NEW_N(&sim->arena, double, m->nv + 1);
    for (int i = 0; c->units && i < m->nv; i++)
        c->units[i] = hol__is_turn(m, i) ? 1 : 1 / m->length;
    return c->units ? HOL_OK : HOL_ERR_MEMORY;
}

double hol__crossing_size(const hol_sim *sim, const double *x) {
    const double *unit = sim->crossing.units;
    const int n = sim->model->nv;
    double most = 0;
    for (int i = 0; i < n; i++) {
        const double size = fabs(x[i]) * unit[i];
        most = size > most ? size : most;
    }
    return most;
}

hol_status hol__crossing_keep(hol_sim *sim) {
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

hol_status hol__crossing_put_back(hol_sim *sim) {
    hol__crossing *c = &sim->crossing;
    hol_data_set(sim->data, c->t, c->q, c->v);
    return hol__form_solve(&sim->form);
}

void hol__crossing_move(hol_sim *sim, double tau) {
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
    hol__crossing_move(sim, tau);
    const hol_status status = hol__crossing_read(sim, &least);
    const double *shares = hol__gauge_shares(sim->crossing.gauge, &n);
    memcpy(out, shares, sizeof(double) * (size_t)n);
    return status;
}

/* How long until a share becomes zero, s + s' t + s'' t^2/2 = 0, by its values tau before, at and
 * tau behind the state; INFINITY: it does not. */
static double zero_of(double before, double s, double behind, double tau) {
    const double rate = (behind - before) / (2 * tau),
                 curve = (behind - 2 * s + before) / (tau * tau),
                 discriminant = rate * rate - 2 * curve * s;
    return rate < 0 && discriminant > 0 ? 2 * s / (sqrt(discriminant) - rate) : INFINITY;
}

/* When the first of the shares becomes zero, by their values and rates at the state that is
 * kept. */
static hol_status predict(hol_sim *sim, double speed) {
    hol__crossing *c = &sim->crossing;
    const double tau = fmin(HOL__DIFFERENCE, c->share / (2 * HOL__STEEPEST)) / speed;
    hol_status status = read_at(sim, -tau, c->before);
    if (!status) status = read_at(sim, tau, c->behind);
    if (!status) status = hol__crossing_put_back(sim);
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
    hol__crossing_move(sim, c->t_singular - c->t);
    hol_status status = hol__crossing_read(sim, &there);
    if (!status) status = hol__crossing_put_back(sim);
    if (there > HOL__SMOOTH * c->share) c->t_singular = INFINITY;
    return status;
}

int hol__crossing_stays(const hol__gauge *gauge, double h, double reach, double *shares, int *n) {
    const double *now = hol__gauge_shares(gauge, n);
    int stays = h > 0;
    for (int k = 0; k < *n; k++) {
        stays &= now[k] * h > HOL__FASTER * reach * (shares[k] - now[k]);
        shares[k] = now[k];
    }
    return stays;
}

double hol__crossing_next_step(const hol_sim *sim) {
    const double fixed = sim->options[HOL__OPT_STEP];
    return fixed > 0 ? fixed : hol__integrator_wanted(sim->integ);
}

/* The share is read where it could be zero by then. */
hol_status hol__crossing_look(hol_sim *sim) {
    hol__crossing *c = &sim->crossing;
    const double t = sim->data->t, t_old = hol__integrator_old_time(sim->integ),
                 speed = hol__crossing_size(sim, sim->data->v),
                 reach = HOL__REACH * hol__crossing_next_step(sim),
                 since = c->t_share == t_old ? t - t_old : 0;
    c->t_singular = INFINITY;
    c->kept = 0;
    c->moved += speed * (t - t_old);
    if (hol__crossing_creeps(sim, speed)) {
        hol__aside_rest_end(sim);
        return hol__crossing_stop(sim);
    }
    if (sim->aside.set.on || !(c->t_share < INFINITY)) c->share = 0; /* that of the kept rows */
    if (hol__aside_look(sim, speed, reach) && hol__aside_suffices(sim)) {
        c->share = sim->aside.share;
        c->t_share = INFINITY;
        return hol__crossing_watch(sim);
    }
    if (c->share > HOL__STEEPEST * (c->moved + speed * reach)) return HOL_OK;
    hol_status status = hol__crossing_read(sim, &c->share);
    c->t_share = t;
    c->moved = 0;
    if (c->share < HOL__DEAD && hol__blocked(sim, HOL__DEAD)) return HOL_ERR_SINGULAR;
    const int far = hol__crossing_stays(c->gauge, since, reach, c->shares, &c->n_shares) ||
                    c->share > HOL__STEEPEST * speed * reach;
    if (!status) status = hol__crossing_watch(sim);
    if (status || far) return status;
    status = hol__crossing_keep(sim);
    if (!status) status = predict(sim, speed);
    return status ? status : verify(sim);
}

/* hybrid.c: who holds the constraints in a step: nobody, Baumgarte's terms, or pure partitioning.
 * [GJB 5.2.2, Park and Haug]
 *
 * All q and v are integrated. What acts is decided at the accepted state and stays through the
 * step, so that the right-hand side is smooth inside it:
 *
 *   nobody         |Phi| and |psi| are below the threshold T: accelerations from (5.10)
 *   terms          one of them is above: accelerations from (5.26)
 *   partitioning   every evaluation is made at the positions and velocities that Newton finds from
 *                  the independent ones, and so is the end of the step: as in the state
 *                  independent, of which this is the same formula over (5.56)
 *
 * When the terms fail. They make a violation obey Phi'' + g1 Phi' + g0 Phi = 0 and psi' + g1 psi =
 * 0, for which
 *
 *     L^2 = sum psi^2 + sum g0 Phi^2         (L^2)' = -2 sum g1 psi^2 <= 0
 *
 * never grows. A step with the terms at whose end L is larger than at its start has put in more
 * violation than they took out: they do not hold the threshold, near a singular position or because
 * the step is too long for it. Newton then brings this end onto the constraints, and partitioning
 * goes on from there. So it does from a step that is laid over a singular position.
 *
 * When the terms would hold again. The steps of partitioning begin on the constraints; L at their
 * end, before Newton, is the violation that one step makes. The terms take the share 1 - exp(-r h)
 * out of a violation in a step h, with r the slowest rate of their equation, so that they settle
 * where both are equal, which is below the threshold if L <= (1 - exp(-r h)) T. T counts in L
 * with the smaller of its two meanings, |psi| = T and sqrt(g0) |Phi| = sqrt(g0) T. Both rules are
 * the one inequality between what a step makes and what the terms remove, seen from its two sides.
 *
 * Rows that are set aside (aside.c) do not count in these norms: inside a step they have no values.
 */
#include "sim/hybrid.h"

#include "form/stabilize.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

hol_status hol__hybrid_init(hol_sim *sim) {
    hol__hybrid *h = &sim->hybrid;
    const int m = sim->model->m;
    h->partitions = m && sim->correction_type->run == hol__correct_hybrid;
    h->on = h->partitions || (m && sim->stabilizer->id == HOL__STABILIZER_HYBRID);
    h->Phi0 = HOL__NEW_N(&sim->arena, double, m);
    h->psi0 = HOL__NEW_N(&sim->arena, double, m);
    return sim->arena.failed ? HOL_ERR_MEMORY : HOL_OK;
}

/* Whether row i counts. */
static int counts(const hol_sim *sim, int i) {
    return !sim->aside.set.on || sim->aside.only_read || !sim->aside.rows[i];
}

/* Whether a violation is above the threshold T. */
static int is_above(const hol_sim *sim, const double *x, int n, double T) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        if (counts(sim, i)) sum += x[i] * x[i];
    return sqrt(sum) > T;
}

/* L of violations, with the gains of the terms. */
static double level(hol_sim *sim, const double *Phi, const double *psi) {
    const hol_model *m = sim->model;
    double sum = 0;
    hol__form_make_gains(&sim->form, 0);
    for (int i = 0; i < m->m; i++) {
        if (!counts(sim, i)) continue;
        sum += psi[i] * psi[i];
        if (i < m->mh) sum += sim->form.g0[i] * Phi[i] * Phi[i];
    }
    return sqrt(sum);
}

/* L that the terms take out of a violation at the threshold in a step h, with the slowest rate of
 * all rows: of s^2 + g1 s + g0, and g1 where a row is on velocities alone. */
static double removed(hol_sim *sim, double h) {
    const hol_model *m = sim->model;
    double rate = INFINITY, size = 1;
    hol__form_make_gains(&sim->form, 0);
    for (int i = 0; i < m->m; i++) {
        const double g1 = sim->form.g1[i], g0 = sim->form.g0[i];
        rate = fmin(rate, i < m->mh ? (g1 - sqrt(fmax(0, g1 * g1 - 4 * g0))) / 2 : g1);
        if (i < m->mh) size = fmin(size, sqrt(g0));
    }
    return -expm1(-rate * h) * size * sim->options[HOL__OPT_THRESHOLD];
}

/* Keep the violations in data; the terms act from here on if one is above the threshold and
 * partitioning does not take care of it. */
static void begin(hol_sim *sim) {
    const hol_model *m = sim->model;
    hol_data *data = sim->data;
    hol__hybrid *h = &sim->hybrid;
    const double T = sim->options[HOL__OPT_THRESHOLD];
    hol__data_psi(data);
    memcpy(h->Phi0, data->Phi, sizeof(double) * (size_t)m->m);
    memcpy(h->psi0, data->psi, sizeof(double) * (size_t)m->m);
    h->t = data->t;
    sim->form.terms = !h->partitioned &&
                      (is_above(sim, data->Phi, m->mh, T) || is_above(sim, data->psi, m->m, T));
}

void hol__hybrid_start(hol_sim *sim) {
    if (!sim->hybrid.on) return;
    sim->hybrid.partitioned = sim->correction->held = sim->correction->engaged = 0;
    hol_data_update(sim->data, HOL_STAGE_VEL);
    begin(sim);
}

void hol__hybrid_judge(hol_sim *sim) {
    hol__hybrid *h = &sim->hybrid;
    if (!h->partitions) return;
    hol_data_update(sim->data, HOL_STAGE_VEL);
    hol__data_psi(sim->data);
    h->level = level(sim, sim->data->Phi, sim->data->psi);
    const int fails = sim->form.terms && h->level > level(sim, h->Phi0, h->psi0);
    sim->correction->engaged = h->partitioned || sim->crossing.leaps || fails;
}

/* Whether partitioning goes on from the accepted state in data. */
static int goes_on(hol_sim *sim) {
    const hol__hybrid *h = &sim->hybrid;
    if (!h->partitioned) return sim->correction->engaged;
    return h->level > removed(sim, sim->data->t - h->t);
}

int hol__hybrid_accept(hol_sim *sim, hol_status *status) {
    hol__hybrid *h = &sim->hybrid;
    const int terms = sim->form.terms, was = h->partitioned;
    int changed;
    h->term_steps += terms;
    h->partition_steps += was;
    if (h->partitions) {
        h->partitioned = sim->correction->held = goes_on(sim);
        h->switches += h->partitioned != was;
    }
    if (h->partitioned && was)
        *status = hol__completion_renew(sim->correction->completion, &changed);
    else if (h->partitions && !h->partitioned)
        sim->correction->completion->last = 0; /* not watched: the next look follows upon none */
    begin(sim);
    if (sim->form.terms == terms) return 0;
    hol__data_stale(sim->data);
    return 1;
}

void hol__hybrid_walk(hol_sim *sim, hol__archive *archive) {
    hol__hybrid *h = &sim->hybrid;
    HOL__ARCHIVE(archive, h->partitioned);
    HOL__ARCHIVE(archive, h->t);
    HOL__ARCHIVE_N(archive, h->Phi0, sim->model->m);
    HOL__ARCHIVE_N(archive, h->psi0, sim->model->m);
    HOL__ARCHIVE(archive, h->switches);
    HOL__ARCHIVE(archive, h->term_steps);
    HOL__ARCHIVE(archive, h->partition_steps);
}

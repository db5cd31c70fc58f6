/* laws.c: laws of time that a run cannot follow to its end. See laws.h.
 *
 * A law f(t) of a driver that becomes infinite (1/(t - 0.5), or the rate of sqrt(1 - t)) has
 * derivatives that grow: over the time T of the run |f''| T^2 > (|f| + 1)/sqrt(eps), f' changes by
 * its size within sqrt(eps) T, and |f'| T > |f| + 1, which a sine at its crest has not.
 */
#include "sim/laws.h"

#include "model/fields.h"

#include <float.h>
#include <math.h>

/* ---- tables that end before the run ---- */

/* Laws of time alone at a time: the first that has no value, and the table that it reads. */
typedef struct search {
    double t, *scratch;
    const hol__law *law;
    hol__beyond beyond;
} search;

static int is_beyond(void *user, const hol__key *key, const hol__law *law) {
    search *s = user;
    (void)key;
    if (hol__expr_read(law->e, 0) != 0 || hol__expr_read(law->e, 1) >= 0) return 0;
    s->law = law;
    return isnan(hol__expr_value(law->e, &s->t, s->scratch)) &&
           hol__expr_beyond(law->e, &s->t, s->scratch, &s->beyond);
}

/* Warn of an element whose laws have no value at t. */
static int check_element(hol_sim *sim, const hol__element *e, double t) {
    search s = {.t = t, .scratch = sim->data->scratch};
    if (!hol__params_laws(e->params, is_beyond, &s)) return 0;
    hol__warn(sim->ctx, &e->where, e->label,
              "the run goes from t = %.9g to %.9g, but '%.200s' has no value at t = %.9g: table "
              "'%s' goes from %.9g to %.9g and is read at %.9g; change `start` or `end`, or give "
              "the table more points or `outside`",
              sim->options[HOL__OPT_START], sim->options[HOL__OPT_END], hol__expr_text(s.law->e), t,
              s.beyond.table, s.beyond.low, s.beyond.high, s.beyond.at);
    return 1;
}

void hol__laws_check(hol_sim *sim) {
    const hol_model *m = sim->whole;
    const double times[] = {sim->options[HOL__OPT_START], sim->options[HOL__OPT_END]};
    for (int i = 0; i < m->n_joints + m->n_forces; i++) {
        const hol__element *e = i < m->n_joints ? &m->joints[i] : &m->forces[i - m->n_joints];
        for (int k = 0; k < 2; k++)
            if (isfinite(times[k]) && check_element(sim, e, times[k])) break;
    }
}

/* ---- laws that become infinite ---- */

typedef struct flight {
    double t, whole, *scratch, value, within;
    const hol__law *law;
} flight;

static int runs_away(void *user, const hol__key *key, const hol__law *law) {
    flight *f = user;
    const double least = sqrt(DBL_EPSILON) * f->whole;
    if (key->kind != HOL__KEY_TIME_LAW && key->kind != HOL__KEY_DRIVES) return 0;
    const hol__jet jet = hol__law_jet(law, f->t, f->scratch);
    const double first = fabs(jet.f), second = fabs(jet.d1), third = fabs(jet.d2);
    f->law = law;
    f->value = jet.f;
    f->within = second / third;
    return third * least * f->whole > first + 1 && second < least * third &&
           second * f->whole > first + 1;
}

int hol__laws_run_away(hol_sim *sim) {
    const hol_model *m = sim->model;
    const double start = sim->options[HOL__OPT_START], end = sim->options[HOL__OPT_END],
                 t = sim->data->t, whole = isfinite(end) ? end - start : fmax(t - start, 1);
    for (int i = 0; i < m->n_joints; i++) {
        flight f = {.t = t, .whole = whole, .scratch = sim->data->scratch};
        if (!hol__params_laws(m->joints[i].params, runs_away, &f)) continue;
        hol__report(sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, &m->joints[i].where, m->joints[i].label,
                    "cannot be followed beyond t = %.12g: '%.200s' is %.4g there, and its rate "
                    "changes by its own size within %.2g s (a division by 0, or the end of a "
                    "root, lies ahead); change it, or end the run before",
                    t, hol__expr_text(f.law->e), f.value, f.within);
        return 1;
    }
    return 0;
}

/* stabilize.c: stabilisers. g1 and g0 are diagonal matrices [BL 34]: every row may have gains of
 * its own.
 *
 *     cbar = c - g1 Phi' - g0 Phi       holonomic rows
 *     cbar = c - g1 psi                 nonholonomic rows
 *
 *     Baumgarte            g1 = 2 alpha,      g0 = beta^2      nonholonomic g1 = alpha
 *     penalty              g1 = 2 Omega mu,   g0 = Omega^2     nonholonomic g1 = mu
 *     hybrid               as Baumgarte in steps that begin with |Phi| or |psi| above a threshold
 *                          (sim/hybrid.c), else nothing
 *     Braun–Goldfarb       braun_goldfarb.c
 */
#include "form/stabilize.h"

#include "form/braun_goldfarb.h"

#include <math.h>

/* The gain of row i: its own where the model gives one, else that of the run. */
static double own(const hol_model *m, int gain, int i, double of_run) {
    const double *given = m->gains[gain];
    return given && !isnan(given[i]) ? given[i] : of_run;
}

/* 2 alpha and beta^2; alpha in nonholonomic rows. */
static void make_baumgarte(hol__form *form) {
    const hol__form_options *o = &form->options;
    const hol_model *m = form->model;
    const hol__step_gains s = o->adaptive ? hol__place_held_poles(form->pole) : o->step_gains;
    const int by_step = s.alpha > 0 && form->reach > 0;
    const double alpha = by_step ? s.alpha / form->reach : o->alpha,
                 beta = by_step ? s.beta / form->reach : o->beta,
                 rate = by_step ? s.rate / form->reach : o->alpha;
    for (int i = 0; i < m->m; i++) {
        const double a = own(m, HOL__GAIN_ALPHA, i, i < m->mh ? alpha : rate),
                     b = own(m, HOL__GAIN_BETA, i, beta);
        form->g1[i] = i < m->mh ? 2 * a : a;
        form->g0[i] = i < m->mh ? b * b : 0;
    }
}

/* 2 Omega mu and Omega^2; mu in nonholonomic rows. */
static void make_penalty(hol__form *form) {
    const hol_model *m = form->model;
    for (int i = 0; i < m->m; i++) {
        const double omega = own(m, HOL__GAIN_OMEGA, i, form->options.omega),
                     mu = own(m, HOL__GAIN_MU, i, form->options.mu);
        form->g1[i] = i < m->mh ? 2 * omega * mu : mu;
        form->g0[i] = i < m->mh ? omega * omega : 0;
    }
}

/* Whether the stabiliser acts at the state in data. */
static int acts(const hol__form *form) {
    switch (form->stabilizer) {
    case HOL__STABILIZER_BAUMGARTE:
    case HOL__STABILIZER_PENALTY: return 1;
    case HOL__STABILIZER_HYBRID: return form->terms;
    case HOL__STABILIZER_BRAUN_GOLDFARB: /* no gains: it divides by the step */
    case HOL__STABILIZER_GGL:            /* not in the accelerations */
    case HOL__STABILIZER_NONE: break;
    }
    return 0;
}

void hol__form_make_gains(hol__form *form, int penalty) {
    if (form->gains_step == form->reach) return;
    if (penalty)
        make_penalty(form);
    else
        make_baumgarte(form);
    form->gains_step = form->reach;
}

hol__gains hol__form_gains(hol__form *form) {
    if (!acts(form) || form->start_psi) return (hol__gains){NULL, NULL};
    hol__form_make_gains(form, form->stabilizer == HOL__STABILIZER_PENALTY);
    return (hol__gains){form->g1, form->g0};
}

/* cbar = c - g1 psi - g0 Phi. */
static const double *add_terms(hol__form *form, const double *Phi, const double *psi) {
    const hol_model *m = form->model;
    const double *c = form->data->c;
    hol__form_make_gains(form, form->stabilizer == HOL__STABILIZER_PENALTY);
    for (int i = 0; i < m->mh; i++)
        form->cbar[i] = c[i] - form->g1[i] * psi[i] - form->g0[i] * Phi[i];
    for (int i = m->mh; i < m->m; i++) form->cbar[i] = c[i] - form->g1[i] * psi[i];
    return form->cbar;
}

const double *hol__stabilized(hol__form *form) {
    hol_data *data = form->data;
    if (form->stabilizer == HOL__STABILIZER_NONE) return data->c;
    if (form->embedded) return hol__braun_goldfarb_rhs(form);
    if (form->start_psi) return add_terms(form, form->start_Phi, form->start_psi);
    hol__data_psi(data);
    return acts(form) ? add_terms(form, data->Phi, data->psi) : data->c;
}

/* stabilize.c: stabilisers.
 *
 *     cbar = c - g1 Phi' - g0 Phi       holonomic rows
 *     cbar = c - gn psi                 nonholonomic rows
 *
 *     Baumgarte            g1 = 2 alpha,      g0 = beta^2,   gn = alpha
 *     penalty              g1 = 2 Omega mu,   g0 = Omega^2,  gn = mu
 *     hybrid               as Baumgarte while |Phi| or |psi| exceeds a threshold, else nothing
 *     Braun–Goldfarb       braun_goldfarb.c
 */
#include "form/stabilize.h"

#include "form/braun_goldfarb.h"

static hol__gains baumgarte(const hol__form *form) {
    const hol__form_options *o = &form->options;
    const double from_step = o->step_gain > 0 && form->step > 0 ? o->step_gain / form->step : 0;
    const double alpha = from_step > 0 ? from_step : o->alpha,
                 beta = from_step > 0 ? from_step : o->beta;
    return (hol__gains){2 * alpha, beta * beta, alpha};
}

hol__gains hol__form_gains(hol__form *form) {
    const hol__form_options *o = &form->options;
    const hol_data *data = form->data;
    switch (form->stabilizer) {
    case HOL__STABILIZER_BAUMGARTE: return baumgarte(form);
    case HOL__STABILIZER_PENALTY:
        return (hol__gains){2 * o->omega * o->mu, o->omega * o->omega, o->mu};
    case HOL__STABILIZER_HYBRID:
        if (hol__norm(data->Phi, form->model->mh) > o->threshold ||
            hol__norm(data->psi, form->model->m) > o->threshold)
            return baumgarte(form);
        break;
    case HOL__STABILIZER_BRAUN_GOLDFARB: /* no gains: it divides by the step */
    case HOL__STABILIZER_NONE: break;
    }
    return (hol__gains){0, 0, 0};
}

const double *hol__stabilized(hol__form *form) {
    const hol_model *m = form->model;
    hol_data *data = form->data;
    if (form->stabilizer == HOL__STABILIZER_NONE) return data->c;
    hol__data_psi(data);
    if (form->stabilizer == HOL__STABILIZER_BRAUN_GOLDFARB) return hol__braun_goldfarb_rhs(form);
    const hol__gains g = hol__form_gains(form);
    for (int i = 0; i < m->mh; i++)
        form->cbar[i] = data->c[i] - g.g1 * data->psi[i] - g.g0 * data->Phi[i];
    for (int i = m->mh; i < m->m; i++) form->cbar[i] = data->c[i] - g.gn * data->psi[i];
    return form->cbar;
}

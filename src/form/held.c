/* held.c: terms that are held through a step. See held.h.
 *
 *     cbar = c - g1 psi_0 - g0 Phi_0       Phi_0, psi_0 at the start of the step
 *
 * The stages of a formula lie off the constraints by powers of h even where both ends lie on them,
 * and gains of the order of 1/h turn that into accelerations; held terms do not see it, and the
 * formula keeps its order.
 *
 * Adaptive gains [after Chang and Nikravesh; the rule is this one]. With a double pole p a step
 * makes of the violation E = sqrt(|Phi|^2 + h^2 |psi|^2)
 *
 *     E_(k+1) = p E_k + d,     d: what a step adds, as the last one did, E_k - p_(k-1) E_(k-1)
 *
 * and the p that leads to E_(k+1) = threshold is (threshold - d) / E_k, within 0 (all is removed)
 * and exp(-alpha h) (the gains of the options, on which nothing presses). h is the reach (form.h).
 */
#include "form/held.h"

#include <math.h>
#include <string.h>

int hol__held_init(hol__form *form, hol__arena *arena) {
    if (!form->options.held) return 1;
    form->start_Phi = HOL__NEW_N(arena, double, form->model->m);
    form->start_psi = HOL__NEW_N(arena, double, form->model->m);
    return !arena->failed;
}

/* The pole of the step to come. */
static void adapt(hol__form *form) {
    const hol_data *data = form->data;
    const hol_model *m = form->model;
    const double E = hypot(hol__norm(data->Phi, m->mh), form->reach * hol__norm(data->psi, m->m));
    const double calm = exp(-form->options.alpha * form->reach);
    const double added = form->sampled ? fmax(0, E - form->pole * form->violation) : 0;
    const double pole = E > 0 ? (form->options.threshold - added) / E : calm;
    form->pole = fmax(0, fmin(calm, pole));
    form->violation = E;
    form->sampled = 1;
    form->gains_step = NAN;
}

void hol__held_take(hol__form *form) {
    hol_data *data = form->data;
    hol_data_update(data, HOL_STAGE_VEL);
    hol__data_psi(data);
    memcpy(form->start_Phi, data->Phi, sizeof(double) * (size_t)form->model->mh);
    memcpy(form->start_psi, data->psi, sizeof(double) * (size_t)form->model->m);
    if (form->options.adaptive) adapt(form);
}

void hol__held_walk(hol__form *form, hol__archive *archive) {
    if (!form->start_psi) return;
    HOL__ARCHIVE_N(archive, form->start_Phi, form->model->mh);
    HOL__ARCHIVE_N(archive, form->start_psi, form->model->m);
    HOL__ARCHIVE(archive, form->pole);
    HOL__ARCHIVE(archive, form->violation);
    HOL__ARCHIVE(archive, form->sampled);
}

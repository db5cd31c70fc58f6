/* form.c: what all formulations share: the equations of motion solved with their stabilisers, and
 * the parts of y behind the mechanical one. */
#include "form/form.h"

#include "dyn/completion.h"
#include "form/braun_goldfarb.h"
#include "form/held.h"
#include "form/stabilize.h"

#include <math.h>
#include <string.h>

static const hol__state_type *const states[] = {&hol__state_dependent,
                                                &hol__state_canonical,
                                                &hol__state_canonical_integral,
                                                &hol__state_canonical_basic,
                                                &hol__state_canonical_plain,
                                                &hol__state_extended,
                                                &hol__state_independent,
                                                &hol__state_canonical_independent,
                                                NULL};

const hol__state_type *hol__state_get(int i) {
    return i >= 0 && i < (int)(sizeof states / sizeof *states) ? states[i] : NULL;
}

const hol__state_type *hol__state_find(const char *name) {
    for (int i = 0; states[i]; i++)
        if (strcmp(states[i]->name, name) == 0) return states[i];
    return NULL;
}

void hol__form_reset_step(hol__form *form) {
    form->step = form->reach = form->kept_reach = form->options.step;
    form->sampled = 0;
}

hol_status hol__form_init(hol__form *form, hol__arena *arena, hol_data *data, hol__kernel *kernel,
                          const hol__state_type *state, hol__stabilizer stabilizer,
                          const hol__form_options *options) {
    const hol_model *m = data->model;
    form->model = m;
    form->data = data;
    form->kernel = kernel;
    form->state = state;
    form->stabilizer = stabilizer;
    form->options = *options;
    form->base = HOL__NEW_N(arena, double, m->nq);
    form->q = HOL__NEW_N(arena, double, m->nq);
    form->cbar = HOL__NEW_N(arena, double, m->m);
    form->g1 = HOL__NEW_N(arena, double, m->m);
    form->g0 = HOL__NEW_N(arena, double, m->m);
    form->gains_step = NAN;
    form->x = HOL__NEW_N(arena, double, m->nv);
    form->f = HOL__NEW_N(arena, double, m->nv);
    form->p = HOL__NEW_N(arena, double, m->nv);
    form->integral = HOL__NEW_N(arena, double, m->m);
    form->sigma = HOL__NEW_N(arena, double, m->m);
    form->rhs = HOL__NEW_N(arena, double, m->m);
    form->largest_mass = hol__largest_mass(m);
    form->apart = kernel && (kernel->aside || kernel->type->flags & HOL__KERNEL_APART) &&
                  !m->rheonomic && stabilizer != HOL__STABILIZER_BRAUN_GOLDFARB;
    form->n_mech = state->size(form);
    form->n = form->n_mech + m->n_aux + 1;
    return hol__held_init(form, arena) && hol__turns_init(&form->turns, arena, m) && !arena->failed
               ? HOL_OK
               : HOL_ERR_MEMORY;
}

hol_status hol__form_complete(hol__form *form, hol__arena *arena, hol_data *data, int basis,
                              double watch, const hol__set_aside *aside, int by_completion) {
    const int n = data->model->nv;
    form->completion = hol__completion_new(arena, data, (hol__completion_basis)basis, watch, aside);
    if (!form->completion) return HOL_ERR_MEMORY;
    if (form->state == &hol__state_canonical_independent) hol__completion_weigh(form->completion);
    const hol_status status = hol__completion_select(form->completion);
    const size_t f = (size_t)form->completion->f;
    form->by_completion = by_completion;
    form->d = HOL__NEW_N(arena, double, n);
    form->w = HOL__NEW_N(arena, double, n);
    form->y = HOL__NEW_N(arena, double, 2 * n);
    form->MR = HOL__NEW_N(arena, double, (size_t)n *f);
    form->RMR = HOL__NEW_N(arena, double, f *f);
    form->turned = hol__lu_new(arena, (int)f);
    return arena->failed ? HOL_ERR_MEMORY : status;
}

int hol__form_renew(hol__form *form, hol_status *status) {
    int changed = 0;
    *status = form->completion ? hol__completion_renew(form->completion, &changed) : HOL_OK;
    if (changed) form->reduced = form->unpacked = 0;
    return changed && *status == HOL_OK;
}

void hol__form_pack(hol__form *form, double *y) {
    const hol_model *m = form->model;
    memcpy(form->base, form->data->q, sizeof(double) * (size_t)m->nq);
    form->state->pack(form, y);
    if (m->n_aux) memcpy(y + form->n_mech, form->data->aux, sizeof(double) * (size_t)m->n_aux);
    y[form->n - 1] = form->data->work;
}

/* The states of elements in y. b may depend on them, and with it the velocities of states that
 * solve A v = b for them. */
static void set_aux(hol__form *form, const double *aux) {
    if (memcmp(aux, form->data->aux, sizeof(double) * (size_t)form->model->n_aux) == 0) return;
    hol__data_set_aux(form->data, aux);
    form->unpacked = 0;
}

hol_status hol__form_unpack(hol__form *form, double t, const double *y) {
    if (form->model->n_aux) set_aux(form, y + form->n_mech);
    const hol_status status = form->state->unpack(form, t, y);
    form->data->work = y[form->n - 1];
    return status;
}

void hol__form_repack(hol__form *form, double *y) {
    form->state->repack(form, y);
}

void hol__form_place(hol__form *form, double t, const double *d) {
    const hol_model *m = form->model;
    hol_data *data = form->data;
    m->coords->plus(m, form->base, d, form->q);
    if (t != data->t || memcmp(form->q, data->q, sizeof(double) * (size_t)m->nq) != 0)
        hol__data_set_q(data, t, form->q);
}

hol_status hol__form_factor_rows(hol__form *form, hol__kernel *kernel, const hol__csr *rows) {
    hol_data *data = form->data;
    if (kernel->tag == data->stamp) return HOL_OK;
    hol_data_update(data, HOL_STAGE_POS);
    const hol_status status = hol__kernel_factor(kernel, hol__data_mass_for(data, kernel), rows);
    if (!status) kernel->tag = data->stamp;
    return status;
}

hol_status hol__form_factor(hol__form *form) {
    return hol__form_factor_rows(form, form->kernel, &form->data->A);
}

/* Whether something of the start of a step is kept through it. */
static int holds(const hol__form *form) {
    return form->embedded || form->start_psi;
}

void hol__form_hold(hol__form *form, int first) {
    form->kept_reach = form->reach;
    if (!holds(form)) return;
    if (form->embedded) hol__braun_goldfarb_hold(form, first);
    if (form->start_psi) hol__held_take(form);
    hol__data_stale(form->data);
    form->fresh = 1;
}

int hol__form_begin_step(hol__form *form, double h) {
    const int changed = holds(form) && (form->fresh || form->step != h);
    if (holds(form) && form->step != h) hol__data_stale(form->data);
    form->step = h;
    form->reach = fmax(h, fmax(form->options.step, form->kept_reach / 2));
    form->fresh = 0;
    return changed;
}

void hol__form_tangent(hol__form *form, double *d, double *v) {
    double *const parts[2] = {d, v};
    if (hol__form_factor(form)) return;
    for (int k = 0; k < 2; k++) {
        hol__csr_mul(&form->data->A, parts[k], form->rhs);
        if (hol__kernel_solve(form->kernel, NULL, form->rhs, form->x, NULL)) return;
        for (int i = 0; i < form->model->nv; i++) parts[k][i] -= form->x[i];
    }
}

/* a, and lambda where it is not NULL, by recursion or by the kernel. */
static hol_status solve(hol__form *form, double *lambda) {
    hol_data *data = form->data;
    hol_status status = hol_data_update(data, HOL_STAGE_DYN);
    if (status) return status;
    if (!data->moving) form->evaluations++;
    if (data->recursive)
        status = form->model->coords->maps->solve(form->model, &data->bodies, data->recursion,
                                                  data->load, data->a);
    else
        status = hol__form_factor(form);
    if (!status && !data->recursive)
        status = hol__kernel_solve(form->kernel, data->Q, hol__stabilized(form), data->a, lambda);
    if (!status && form->embedded) status = hol__braun_goldfarb(form);
    if (status) return status;
    double sum = 0;
    for (int i = 0; i < form->model->nv; i++) sum += data->a[i];
    return isfinite(sum) ? HOL_OK : HOL_NONFINITE;
}

hol_status hol__form_solve(hol__form *form) {
    hol_data *data = form->data;
    if (data->solved == HOL__SOLVED_METHOD) return HOL_OK;
    const hol_status status = solve(form, data->lambda);
    if (!status) hol__data_set_solved(data, HOL__SOLVED_METHOD);
    return status;
}

hol_status hol__form_accelerate(hol__form *form) {
    hol_data *data = form->data;
    if (!form->apart) return hol__form_solve(form);
    if (data->moving || data->solved == HOL__SOLVED_METHOD) return HOL_OK;
    const hol_status status = solve(form, NULL);
    data->moving = !status;
    return status;
}

/* The power of forces without a potential, and of drivers. */
static hol_status power(hol__form *form, double *out) {
    const hol_model *m = form->model;
    hol_data *data = form->data;
    hol_status status = HOL_OK;
    if (m->rheonomic) status = hol__form_solve(form);
    *out = data->power;
    for (int i = 0; m->rheonomic && i < m->m; i++) *out -= data->lambda[i] * data->b[i];
    return status;
}

hol_status hol__form_power(hol__form *form, double t, const double *y, double *out) {
    hol_status status = hol__form_unpack(form, t, y);
    if (!form->model->rheonomic) form->evaluations++; /* with drivers the solution counts itself */
    if (!status) status = hol_data_update(form->data, HOL_STAGE_DYN);
    return status ? status : power(form, out);
}

/* (d', v', W') by code; 0 where it has no digits or numbers that are not finite. The data is left
 * as it is. */
static int by_code(hol__form *form, double t, const double *y, double *ydot) {
    const hol_model *m = form->model;
    const int nv = m->nv;
    double sum = 0;
    m->coords->plus(m, form->base, y, form->q);
    if (!form->code->at(t, form->q, y + nv, form->data->angles_base, ydot + nv, &ydot[form->n - 1]))
        return 0;
    m->coords->rate(m, y, y + nv, ydot);
    for (int i = 0; i < nv; i++) sum += ydot[nv + i];
    if (!isfinite(sum + ydot[form->n - 1])) return 0;
    form->evaluations++;
    return 1;
}

/* y' of the state; energies that are not finite are found here where a state does not solve for
 * accelerations. */
static hol_status rhs(hol__form *form, double t, const double *y, double *ydot) {
    const hol_model *m = form->model;
    if (form->code && !form->data->on_force && by_code(form, t, y, ydot)) return HOL_OK;
    if (form->code) form->beside_code++;
    hol_status status = hol__form_unpack(form, t, y);
    if (!status) status = form->state->rate(form, y, ydot);
    if (status) return status;
    if (m->n_aux)
        memcpy(ydot + form->n_mech, form->data->aux_rate, sizeof(double) * (size_t)m->n_aux);
    status = power(form, &ydot[form->n - 1]);
    return status || isfinite(ydot[form->n - 1] + form->data->potential) ? status : HOL_NONFINITE;
}

hol_status hol__form_judge(hol__form *form, hol_status status) {
    if (status == HOL_NONFINITE) {
        form->data->culprit = hol__data_blame(form->data);
        form->data->culprit_time = form->data->t;
    }
    return status;
}

hol_status hol__form_rhs(hol__form *form, double t, const double *y, double *ydot) {
    return hol__form_judge(form, rhs(form, t, y, ydot));
}

void hol__form_rebase(hol__form *form, double t, double *y) {
    const hol_model *m = form->model;
    form->state->rebase(form, t, y);
    if (m->coords->wrap) m->coords->wrap(m, form->base, &form->data->bodies);
}

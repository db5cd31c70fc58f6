/* walk.c: what a formulation keeps from one evaluation to the next, for exact states
 * (base/archive.h).
 *
 * That is the base point, what was found when y was last unpacked (a later Newton starts from it),
 * the gains that depend on the past, the independent coordinates with their factorisation, and the
 * kernel. The data is walked over before.
 */
#include "form/form.h"

#include "dyn/completion.h"
#include "form/braun_goldfarb.h"
#include "form/held.h"

#include <math.h>
#include <string.h>

/* Increments, momenta and velocities as they were unpacked. */
static void walk_unpacked(hol__form *form, hol__archive *archive) {
    const hol_model *m = form->model;
    HOL__ARCHIVE_N(archive, form->p, m->nv);
    HOL__ARCHIVE_N(archive, form->integral, m->m);
    HOL__ARCHIVE_N(archive, form->sigma, m->m);
    hol__data_walk_stamp(form->data, &form->unpacked, archive);
    HOL__ARCHIVE(archive, form->unpacked_t);
    if (form->shift) HOL__ARCHIVE_N(archive, form->shift, m->nv);
    if (!form->completion) return;
    HOL__ARCHIVE_N(archive, form->d, m->nv);
    HOL__ARCHIVE_N(archive, form->y, form->n_mech);
    if (hol__archive_reads(archive)) form->reduced = 0;
}

hol_status hol__form_walk(hol__form *form, hol__archive *archive) {
    const int sizes[] = {form->n, form->n_mech, (int)form->stabilizer};
    hol__archive_mark(archive, form->state->name, strlen(form->state->name));
    hol__archive_mark(archive, sizes, sizeof sizes);
    HOL__ARCHIVE(archive, form->terms);
    HOL__ARCHIVE(archive, form->step);
    HOL__ARCHIVE(archive, form->reach);
    HOL__ARCHIVE(archive, form->kept_reach);
    HOL__ARCHIVE(archive, form->balance);
    if (hol__archive_reads(archive)) form->gains_step = NAN; /* made anew for the step */
    HOL__ARCHIVE(archive, form->fresh);
    HOL__ARCHIVE_N(archive, form->base, form->model->nq);
    hol__held_walk(form, archive);
    HOL__ARCHIVE(archive, form->reduced_lambda);
    HOL__ARCHIVE(archive, form->status);
    HOL__ARCHIVE(archive, form->evaluations);
    HOL__ARCHIVE(archive, form->derivatives);
    HOL__ARCHIVE(archive, form->beside_code);
    walk_unpacked(form, archive);
    if (form->completion) {
        const hol_status status = hol__completion_walk(form->completion, archive);
        if (status) form->status = status;
    }
    if (!form->kernel) return HOL_OK;
    const hol_status status =
        hol__kernel_walk(form->kernel, hol__data_mass_for(form->data, form->kernel), &form->data->A,
                         form->data->stamp, archive);
    if (status) return status;
    if (form->embedded) return hol__braun_goldfarb_walk(form, archive);
    return form->mass ? hol__kernel_walk(form->mass, hol__data_mass_for(form->data, form->mass),
                                         &form->no_rows, form->data->stamp, archive)
                      : HOL_OK;
}

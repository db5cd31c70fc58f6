/* walk.c: what a formulation keeps from one evaluation to the next, for exact states
 * (base/archive.h).
 *
 * That is the base point, what was found when y was last unpacked (a later Newton starts from it),
 * the gains that depend on the past, the independent coordinates with their factorisation, and the
 * kernel. The data is walked over before.
 */
#include "form/form.h"

#include "form/completion.h"

#include <math.h>
#include <string.h>

/* A mark that says which state something belongs to, here that of the data or another. */
static void walk_stamp(const hol__form *form, unsigned long *stamp, hol__archive *archive) {
    int holds = *stamp == form->data->stamp;
    HOL__ARCHIVE(archive, holds);
    if (hol__archive_reads(archive)) *stamp = holds ? form->data->stamp : 0;
}

/* The independent coordinates: which, since when, and [A; B] as it is factored. */
static void walk_frame(hol__form *form, hol__archive *archive) {
    hol__completion *completion = form->completion;
    const int n = completion->n, f = completion->f,
              sizes[] = {completion->rank, f, (int)completion->basis};
    hol__archive_mark(archive, sizes, sizeof sizes);
    HOL__ARCHIVE_N(archive, completion->picked, n);
    HOL__ARCHIVE_N(archive, completion->B, f * n);
    HOL__ARCHIVE_N(archive, completion->R, f * n);
    HOL__ARCHIVE(archive, completion->changes);
    if (completion->lu) {
        HOL__ARCHIVE_N(archive, completion->K.ptr, n + 1);
        HOL__ARCHIVE_N(archive, completion->K.idx, completion->K.ptr[n]);
        HOL__ARCHIVE_N(archive, completion->K.x, completion->K.ptr[n]);
        hol__lu_fixed_walk(completion->lu, archive);
    }
    walk_stamp(form, &completion->tag, archive);
    walk_stamp(form, &completion->R_tag, archive);
    if (hol__archive_reads(archive) && completion->qr && completion->tag) {
        completion->tag = 0; /* made anew each time: nothing is remembered */
        form->status = hol__completion_factor(completion);
        if (completion->R_tag) completion->R_tag = completion->tag;
    }
    HOL__ARCHIVE(archive, completion->factorizations);
}

/* Increments, momenta and velocities as they were unpacked. */
static void walk_unpacked(hol__form *form, hol__archive *archive) {
    const hol_model *m = form->model;
    HOL__ARCHIVE_N(archive, form->p, m->nv);
    HOL__ARCHIVE_N(archive, form->integral, m->m);
    HOL__ARCHIVE_N(archive, form->sigma, m->m);
    walk_stamp(form, &form->unpacked, archive);
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
    HOL__ARCHIVE(archive, form->step);
    if (hol__archive_reads(archive)) form->gains_step = NAN; /* made anew for the step */
    HOL__ARCHIVE(archive, form->balance);
    HOL__ARCHIVE(archive, form->most_kinetic);
    HOL__ARCHIVE_N(archive, form->base, form->model->nq);
    HOL__ARCHIVE(archive, form->reduced_lambda);
    HOL__ARCHIVE(archive, form->status);
    HOL__ARCHIVE(archive, form->evaluations);
    walk_unpacked(form, archive);
    if (form->completion) walk_frame(form, archive);
    if (!form->kernel) return HOL_OK;
    return hol__kernel_walk(form->kernel, hol__data_mass(form->data), &form->data->A,
                            form->data->stamp, archive);
}

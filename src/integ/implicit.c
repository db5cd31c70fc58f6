/* implicit.c: what implicit steppers share: their vectors, and the linearized system. */
#include "integ/implicit.h"

#include <math.h>

hol_status hol__implicit_create(hol__stepper *stepper, int first, int stages) {
    hol__implicit *own = hol__alloc(stepper->ctx, 1, sizeof *own);
    if (!own) return HOL_ERR_MEMORY;
    double **const single[] = {&own->r, &own->x, &own->p, &own->z, &own->f_t};
    const size_t n = (size_t)stepper->n, n_single = sizeof single / sizeof *single;
    const size_t count = (size_t)(stages - first) + n_single;
    stepper->state = own;
    own->first = first;
    own->stages = stages;
    double *at = own->block = hol__alloc(stepper->ctx, count * n, sizeof *at);
    if (!at) return HOL_ERR_MEMORY;
    for (int i = first; i < stages; i++, at += n) own->k[i] = at;
    for (size_t i = 0; i < n_single; i++, at += n) *single[i] = at;
    return HOL_OK;
}

void hol__implicit_free(hol__stepper *stepper) {
    hol__implicit *own = stepper->state;
    hol__release(stepper->ctx, own->block);
    hol__release(stepper->ctx, own);
}

void hol__implicit_reset(hol__stepper *stepper) {
    hol__implicit *own = stepper->state;
    own->known = 0;
    own->t = NAN;
}

void hol__implicit_archive(hol__stepper *stepper, hol__archive *archive) {
    hol__implicit *own = stepper->state;
    HOL__ARCHIVE(archive, own->t);
    HOL__ARCHIVE(archive, own->h);
    for (int i = own->first; i < own->stages; i++)
        hol__archive_numbers(archive, own->k[i], stepper->n);
    if (archive->mode == HOL__ARCHIVE_READ) own->known = 0; /* J is asked for again */
}

hol_status hol__implicit_prepare(hol__stepper *stepper, hol__step *step, double g, int with_f_t) {
    const hol__system *system = stepper->system;
    hol__implicit *own = stepper->state;
    const int same = own->t == step->t;
    hol_status status = hol__stepper_first(stepper, step);
    if (status == HOL_OK && !(own->known && same)) {
        if (!same) own->h = step->h;
        own->t = step->t;
        status = system->linearize(system->self, step->t, step->y_old, step->f_old, own->h,
                                   with_f_t ? own->f_t : NULL);
        own->known = status == HOL_OK;
    }
    return status == HOL_OK ? system->shift(system->self, g) : status;
}

hol_status hol__implicit_refresh(hol__stepper *stepper, double t, const double *y, double g) {
    const hol__system *system = stepper->system;
    hol__implicit *own = stepper->state;
    own->known = 0;
    const hol_status status = system->linearize(system->self, t, y, NULL, own->h, NULL);
    return status == HOL_OK ? system->shift(system->self, g) : status;
}

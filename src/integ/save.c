/* save.c: the exact state of an integrator, out and in.
 *
 * It is the step (open or committed) with its states and slopes, the controller's memory, the grid
 * of fixed steps, the statistics, and what the stepper keeps. The history of a formula that paces
 * itself is not part of it: it begins anew, and says so. */
#include "integ/integ.h"

#include <stdio.h>

/* The integrator whose state it is: formula, size, kind of steps. */
static void mark(const hol__integrator *integ, hol__archive *archive) {
    char text[64] = "";
    snprintf(text, sizeof text, "%.30s %d %s", integ->type->name, integ->n,
             integ->control.step > 0 ? "fixed" : "controlled");
    hol__archive_mark(archive, text, sizeof text);
}

/* The step, with the states and slopes at its ends. */
static void walk_step(hol__step *step, int n, hol__archive *archive) {
    double *const vectors[] = {step->y_old, step->y, step->f_old, step->f};
    HOL__ARCHIVE(archive, step->t);
    HOL__ARCHIVE(archive, step->t_new);
    HOL__ARCHIVE(archive, step->h);
    HOL__ARCHIVE(archive, step->edge);
    HOL__ARCHIVE(archive, step->f_old_known);
    HOL__ARCHIVE(archive, step->f_known);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        hol__archive_numbers(archive, vectors[i], n);
}

/* What a stepper has counted, and what it keeps. */
static void walk_stepper(hol__stepper *stepper, hol__archive *archive) {
    HOL__ARCHIVE(archive, stepper->evaluations);
    HOL__ARCHIVE(archive, stepper->rejected);
    if (stepper->type->ops->archive) stepper->type->ops->archive(stepper, archive);
}

/* Everything that belongs to the state. */
static void walk(hol__integrator *integ, hol__archive *archive) {
    mark(integ, archive);
    walk_step(&integ->step, integ->n, archive);
    hol__archive_numbers(archive, integ->scale, integ->n);
    HOL__ARCHIVE(archive, integ->t);
    HOL__ARCHIVE(archive, integ->t_reach);
    HOL__ARCHIVE(archive, integ->open);
    HOL__ARCHIVE(archive, integ->h_try);
    HOL__ARCHIVE(archive, integ->error);
    HOL__ARCHIVE(archive, integ->memory);
    HOL__ARCHIVE(archive, integ->memory_old);
    HOL__ARCHIVE(archive, integ->t_grid);
    HOL__ARCHIVE(archive, integ->grid);
    HOL__ARCHIVE(archive, integ->grid_old);
    HOL__ARCHIVE(archive, integ->stats);
    walk_stepper(&integ->stepper, archive);
    if (!integ->type->paces) return;
    HOL__ARCHIVE(archive, integ->leapt);
    walk_stepper(&integ->leaper, archive);
}

/* Walks that count, write or compare leave the integrator as it is. */
static hol__archive walk_const(const hol__integrator *integ, hol__archive_mode mode, void *block) {
    hol__archive archive = {.mode = mode, .bytes = block};
    walk((hol__integrator *)integ, &archive);
    return archive;
}

size_t hol__integrator_size(const hol__integrator *integ) {
    return walk_const(integ, HOL__ARCHIVE_COUNT, NULL).size;
}

void hol__integrator_save(const hol__integrator *integ, void *block) {
    walk_const(integ, HOL__ARCHIVE_WRITE, block);
}

hol_status hol__integrator_load(hol__integrator *integ, const void *block, size_t size) {
    hol__archive archive = {.mode = HOL__ARCHIVE_READ, .bytes = (unsigned char *)block};
    const int fits = size == hol__integrator_size(integ) &&
                     !walk_const(integ, HOL__ARCHIVE_CHECK, (void *)block).mismatch;
    if (!fits)
        return hol__report(integ->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "integrator '%s': the saved state is not one of this formula with %d "
                           "unknowns and the same kind of steps; load it where it was saved",
                           integ->type->name, integ->n);
    walk(integ, &archive);
    if (!integ->type->paces) return HOL_OK;
    return hol__report(integ->ctx, HOL_NOTE, HOL_OK, NULL, NULL,
                       "integrator '%s': its history of steps is not part of a saved state; it "
                       "begins anew at t = %.12g and goes on within the tolerance, not with the "
                       "same bits",
                       integ->type->name, integ->t);
}

/* open.c: numbers of a model that differ from model to model of one structure, and are inputs of
 * the code: they are read from each model at the place where they stand in all of them. See
 * program.h.
 *
 * Models with other values say which numbers these are: one that is the same in all of them is
 * folded, and those that are equal to each other in every model are one input. The values are
 * drawn, so that numbers that may differ do. */
#include "generate/program.h"

#include <string.h>

/* The record that a place is in. */
static const char *record_of(const hol_model *m, const hol__symbolic_place *r) {
    return r->force ? (const char *)hol__force_record(&m->force_batches[r->batch], r->item)
                    : (const char *)hol__con_record(&m->con_batches[r->batch], r->item);
}

double hol__gplace_value(const hol__gplace *place, const hol_model *m) {
    const char *from = place->at ? place->at(m, place->item) : record_of(m, &place->record);
    double value;
    memcpy(&value, from + place->offset, sizeof value);
    return value;
}

hol__ref hol__program_open_number(hol__program *p, const hol__gplace *place, const double *values) {
    const size_t size = sizeof *values * (size_t)p->n_models;
    for (int i = 0; i < p->n_opened; i++)
        if (memcmp(p->opened[i].values, values, size) == 0) return p->opened[i].ref;
    hol__gopen *grown = hol__arena_grow(&p->dag.arena, p->opened, sizeof *grown, p->n_opened,
                                        &p->opened_capacity, p->n_opened + 1);
    double *own = HOL__NEW_N(&p->dag.arena, double, p->n_models);
    if (!grown || !own) {
        p->dag.status = HOL_ERR_MEMORY;
        return -1;
    }
    memcpy(own, values, size);
    p->opened = grown;
    p->opened[p->n_opened] = (hol__gopen){*place, hol__dag_input(&p->dag), own};
    return p->opened[p->n_opened++].ref;
}

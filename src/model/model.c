/* model.c: names in a model, and its end.
 *
 * A model that the caller compiled is freed by the caller. One that a simulation made because
 * joints or forces do not act has several users, its copies of data among them, and goes with the
 * last.
 */
#include "model/model.h"
#include "model/node.h"

#include <string.h>

void hol__model_name(hol_model *model, hol__named kind, const char *name, int i) {
    if (name) hol__name_tree_add(&model->named[kind], &model->arena, name, (uintptr_t)i);
}

int hol__model_named(const hol_model *model, hol__named kind, const char *name) {
    const uintptr_t *i = hol__name_tree_find(&model->named[kind], name);
    return i ? (int)*i : -1;
}

void hol__model_keep(const hol_model *model) {
    if (model->users) atomic_fetch_add(model->users, 1);
}

void hol__model_release(const hol_model *model) {
    hol_model *shared;
    if (!model->users) return;
    memcpy(&shared, &model, sizeof shared); /* the last user frees what all only read */
    hol_model_free(shared);
}

void hol_model_free(hol_model *model) {
    if (!model || (model->users && atomic_fetch_sub(model->users, 1) > 1)) return;
    hol_context *own = model->own;
    hol_spec_free(model->spec);
    hol_model_free(model->reference);
    hol_model_free(model->assembly);
    hol__arena_free(&model->arena);
    hol__release(own, model);
    hol_context_free(own);
}

const hol_unit *hol__model_asked_unit(const hol_model *model, int column) {
    for (int k = 0; k < model->n_measures; k++) {
        const hol__measure *m = &model->measures[k];
        if (column >= m->first && column < m->first + m->count) return m->asked ? &m->shown : NULL;
    }
    return NULL;
}

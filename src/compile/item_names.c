/* item_names.c: natural coordinates that stand at a point of the section `points` are called after
 * it. A name that two of them could have is given to neither. */
#include "compile/compile.h"

#include "coords/natural.h"
#include "math/vec3.h"

/* Points that are no further apart than this share of the mechanism are the same. */
static const double same = 1e-9;

/* Whether item i stands at x where the mechanism is drawn. */
static int stands_at(const hol_model *model, int i, const double x[3]) {
    const hol__item *item = &model->items->items[i];
    double at[3], d[3];
    if (item->vector) return 0;
    hol__sketched_point(model, item->body, item->local, at);
    hol__sub3(at, x, d);
    return hol__norm3(d) <= same * model->length;
}

/* The one free item at x that has no name yet; -1: none, or several. */
static int item_at(const hol_model *model, const double x[3]) {
    int found = -1;
    for (int i = 0; i < model->items->n_free; i++) {
        if (!stands_at(model, i, x)) continue;
        if (found >= 0 || model->item_names[i]) return -1;
        found = i;
    }
    return found;
}

void hol__compile_item_names(hol__build *build) {
    hol_model *model = build->model;
    if (!model->items || !build->points) return;
    model->item_names = HOL__NEW_N(build->arena, const char *, model->items->n_items + 1);
    if (!model->item_names) return;
    for (hol__node *point = build->points->first; point; point = point->next) {
        double x[3];
        if (!hol__read_point_at(build, point, x)) continue;
        const int i = item_at(model, x);
        if (i >= 0) model->item_names[i] = hol__keep(build, point->key);
    }
}

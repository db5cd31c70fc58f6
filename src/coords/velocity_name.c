/* velocity_name.c: what the velocities of a model are called, in every set of coordinates. */
#include "coords/natural.h"
#include "coords/tree.h"

#include <holonom/matrix.h>

#include <stdio.h>

/* The components of a vector, and of a body in the plane and in space. */
static const char *const axes[] = {"x", "y", "z"};
static const char *const planar[] = {"x", "y", "angle"};
static const char *const spatial[] = {"x", "y", "z", "omega_x", "omega_y", "omega_z"};

/* The name of a body; ground is none of the moving ones. */
static const char *body_name(const hol_model *model, int body) {
    return body < model->nb ? model->bodies[body].name : "ground";
}

/* The joint of the link that velocity i belongs to, or its body where it is free. */
static void tree_name(const hol_model *model, int i, char *buf, size_t size) {
    const hol__link *link = model->tree->links;
    while (i < link->v || i >= link->v + link->nv) link++;
    const char *name =
        link->joint >= 0 ? model->joints[link->joint].name : body_name(model, link->body);
    if (link->nv == 1)
        snprintf(buf, size, "%s", name);
    else
        snprintf(buf, size, "%s[%d]", name, i - link->v);
}

/* The point or vector that velocity i belongs to. */
static void item_name(const hol_model *model, int i, char *buf, size_t size) {
    const int k = i / model->dim;
    const hol__item *item = &model->items->items[k];
    if (model->item_names && model->item_names[k]) {
        snprintf(buf, size, "%s.%s", model->item_names[k], axes[i % model->dim]);
        return;
    }
    snprintf(buf, size, "%s.%s%d.%s", body_name(model, item->body),
             item->vector ? "vector" : "point", k, axes[i % model->dim]);
}

hol_status hol_model_velocity_name(const hol_model *model, int i, char *buf, size_t size) {
    if (!model || !buf || i < 0 || i >= model->nv) return HOL_ERR_ARGUMENT;
    if (model->tree)
        tree_name(model, i, buf, size);
    else if (model->items)
        item_name(model, i, buf, size);
    else
        snprintf(buf, size, "%s.%s", body_name(model, i / model->bw),
                 (model->dim == 2 ? planar : spatial)[i % model->bw]);
    return HOL_OK;
}

const char *hol_model_velocity_unit(const hol_model *model, int i) {
    if (!model || i < 0 || i >= model->nv) return NULL;
    if (model->items && model->items->items[i / model->dim].vector) return "1/s";
    return hol__is_turn(model, i) ? "rad/s" : "m/s";
}

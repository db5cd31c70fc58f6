/* describe.c: questions about a compiled model. */
#include "base/argument.h"
#include "base/give.h"
#include "compile/compile.h"
#include "element/forces.h"
#include "element/joints.h"

#include <string.h>

/* Whether i counts something of which there are n. */
static int is_index(int i, int n) {
    return i >= 0 && i < n;
}

hol_status hol_model_describe(const hol_model *model, hol_model_info *out) {
    if (!model) return HOL_ERR_ARGUMENT;
    const hol_model_info info = {
        .name = model->name,
        .source = model->source,
        .coordinates = model->coords->title,
        .space = model->space,
        .n_q = model->nq,
        .n_v = model->nv,
        .n_constraints = model->m,
        .n_holonomic = model->mh,
        .n_bodies = model->nb,
        .n_joints = model->n_joints,
        .n_forces = model->n_forces,
        .n_switched = model->n_switched,
        .n_measures = model->n_columns,
        .hash = model->hash,
        .text = model->text,
        .n_events = model->n_events,
    };
    return hol__give(NULL, "hol_model_describe", &info, sizeof info, out);
}

const hol_parameter *hol_model_parameter(const hol_model *model, int i) {
    return model && is_index(i, model->n_parameters) ? &model->parameters[i] : NULL;
}

hol_status hol_model_body_describe(const hol_model *model, int body, hol_body_info *out) {
    if (!model || !is_index(body, model->nb)) return HOL_ERR_ARGUMENT;
    const hol__body *b = &model->bodies[body];
    hol_body_info info = {.name = b->name,
                          .mass = b->mass,
                          .n_shapes = b->n_shapes,
                          .shapes = b->shapes,
                          .n_points = b->n_points,
                          .points = b->points};
    memcpy(info.com, b->com, sizeof info.com);
    if (model->dim == 2)
        info.inertia[8] = b->inertia;
    else
        memcpy(info.inertia, b->J, sizeof info.inertia);
    return hol__give(NULL, "hol_model_body_describe", &info, sizeof info, out);
}

/* Markers are relative to the mass centre; the user's frame has its own origin. */
static hol_status describe_element(const hol_model *model, const hol__element *e, const char *call,
                                   hol_element_info *out) {
    hol_element_info info = {.name = e->name, .type = e->type->name, .where = e->where};
    for (int k = 0; k < 2; k++) {
        const int body = e->body[k], column = model->dim == 2 ? 0 : 2;
        info.body[k] = body;
        info.shapes[k] = e->shape[k];
        for (int i = 0; i < 3; i++) {
            info.point[k][i] =
                e->marker[k].s[i] + (body < model->nb ? model->bodies[body].com[i] : 0);
            info.axis[k][i] = e->marker[k].F[3 * i + column];
        }
    }
    return hol__give(NULL, call, &info, sizeof info, out);
}

hol_status hol_model_joint_describe(const hol_model *model, int joint, hol_element_info *out) {
    if (!model || !is_index(joint, model->n_joints)) return HOL_ERR_ARGUMENT;
    return describe_element(model, &model->joints[joint], "hol_model_joint_describe", out);
}

hol_status hol_model_force_describe(const hol_model *model, int force, hol_element_info *out) {
    if (!model || !is_index(force, model->n_forces)) return HOL_ERR_ARGUMENT;
    return describe_element(model, &model->forces[force], "hol_model_force_describe", out);
}

hol_status hol_model_road(hol_context *ctx, const hol_model *model, int force, double t, double x,
                          double *height, int *moves) {
    static const char call[] = "hol_model_road";
    const double at[2] = {t, x};
    if (!ctx || hol__need(ctx, call, "the model", model) ||
        hol__need_index(ctx, call, "force", force, model->n_forces) ||
        hol__need_finite(ctx, call, "the time", t) || hol__need_finite(ctx, call, "the place", x) ||
        hol__need(ctx, call, "a number to fill", height && moves ? height : NULL))
        return HOL_ERR_ARGUMENT;
    const int found = hol__tyre_road(model, force, at, ctx, height, moves);
    if (found) return found > 0 ? HOL_OK : HOL_ERR_MEMORY;
    return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                       "force '%s' is not a tyre, so there is no road below it",
                       model->forces[force].name);
}

hol_status hol_model_curve(hol_context *ctx, const hol_model *model, int joint, int n,
                           double *points, hol_curve_info *out) {
    static const char call[] = "hol_model_curve";
    hol_curve_info info = {0};
    if (!ctx || hol__need(ctx, call, "the model", model) ||
        hol__need_index(ctx, call, "joint", joint, model->n_joints) ||
        hol__need_array(ctx, call, "points", n, 0, points) ||
        hol__need(ctx, call, "what to fill", out))
        return HOL_ERR_ARGUMENT;
    const int found = hol__joint_curve(model, joint, ctx, n, points, &info);
    if (found < 0) return HOL_ERR_MEMORY;
    if (!found)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "%s: joint '%s' has no curve", call, model->joints[joint].name);
    return hol__give(ctx, call, &info, sizeof info, out);
}

void hol_model_gravity(const hol_model *model, double gravity[3]) {
    if (model && gravity) memcpy(gravity, model->gravity, sizeof model->gravity);
}

const hol_column *hol_model_measure(const hol_model *model, int i) {
    return model && is_index(i, model->n_columns) ? &model->columns[i] : NULL;
}

int hol_model_body(const hol_model *model, const char *name) {
    return model && name ? hol__model_named(model, HOL__BODIES, name) : -1;
}

int hol_model_joint(const hol_model *model, const char *name) {
    return model && name ? hol__model_named(model, HOL__JOINTS, name) : -1;
}

int hol_model_force(const hol_model *model, const char *name) {
    return model && name ? hol__model_named(model, HOL__FORCES, name) : -1;
}

int hol_model_measure_index(const hol_model *model, const char *name) {
    return model && name ? hol__model_named(model, HOL__COLUMNS, name) : -1;
}

const char *hol_model_body_name(const hol_model *model, int body) {
    if (!model) return NULL;
    if (body == model->nb) return "ground";
    return is_index(body, model->nb) ? model->bodies[body].name : NULL;
}

const char *hol_model_joint_name(const hol_model *model, int joint) {
    return model && is_index(joint, model->n_joints) ? model->joints[joint].name : NULL;
}

const char *hol_model_force_name(const hol_model *model, int force) {
    return model && is_index(force, model->n_forces) ? model->forces[force].name : NULL;
}

const hol_row *hol_model_row(const hol_model *model, int i) {
    return model && is_index(i, model->m) ? &model->rows[i] : NULL;
}

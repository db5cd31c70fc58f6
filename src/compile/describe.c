/* describe.c: questions about a compiled model. */
#include "compile/compile.h"

#include <string.h>

hol_model_info hol_model_describe(const hol_model *model) {
    return (hol_model_info){
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
        .n_measures = model->n_columns,
        .hash = model->hash,
        .text = model->text,
    };
}

hol_column hol_model_measure(const hol_model *model, int i) {
    return model->columns[i];
}

int hol_model_body(const hol_model *model, const char *name) {
    for (int i = 0; i < model->nb; i++)
        if (strcmp(model->bodies[i].name, name) == 0) return i;
    return -1;
}

int hol_model_joint(const hol_model *model, const char *name) {
    for (int i = 0; i < model->n_joints; i++)
        if (strcmp(model->joints[i].name, name) == 0) return i;
    return -1;
}

int hol_model_measure_index(const hol_model *model, const char *name) {
    for (int i = 0; i < model->n_columns; i++)
        if (strcmp(model->columns[i].name, name) == 0) return i;
    return -1;
}

const char *hol_model_body_name(const hol_model *model, int body) {
    return body == model->nb ? "ground" : model->bodies[body].name;
}

const char *hol_model_joint_name(const hol_model *model, int joint) {
    return model->joints[joint].name;
}

hol_row hol_model_row(const hol_model *model, int i) {
    return model->rows[i];
}

/* body_joints.c: joints that bodies bring with them: prescribed motions, and the frames of point
 * masses.
 *
 * A body that moves as given is held by a driven joint to ground in all directions. A point mass
 * has no orientation, so its frame is kept from turning by a joint to ground that locks the
 * rotations alone; its reaction is zero, because nothing may turn a point mass.
 */
#include "compile/compile.h"

#include "element/joints.h"
#include "math/quat.h"

int hol__count_body_joints(const hol__build *build) {
    int n = 0;
    for (int i = 0; i < build->model->nb; i++)
        n += build->model->bodies[i].motion || build->model->bodies[i].point;
    return n;
}

/* A joint between ground and a body at the origin of its frame, along the global axes. */
static hol__element *add_joint(hol__build *build, int body, const char *what,
                               const hol__element_type *type) {
    hol_model *model = build->model;
    const hol__body *b = &model->bodies[body];
    const char *name = hol__arena_format(build->arena, "%s.%s", b->name, what);
    double R[9], u[3], origin[3];
    if (!name) return NULL;
    hol__element *joint = &model->joints[model->n_joints];
    *joint = hol__new_element(build, model->n_joints++, "joint", name, b->where);
    hol__model_name(model, HOL__JOINTS, joint->name, joint->index);
    joint->type = type;
    joint->body[1] = body;
    hol__quat_matrix(b->p, R);
    hol__mul3(R, b->com, u);
    hol__sub3(b->r, u, origin);
    hol__marker_set(model, model->nb, origin, NULL, &joint->marker[0]);
    hol__marker_set(model, body, origin, NULL, &joint->marker[1]);
    return joint;
}

/* Whether some row of a joint turns the body without moving it. */
static int has_turning_row(const hol_model *model, const hol__element *joint, int body) {
    const unsigned moves = model->dim == 2 ? 3 : 7;
    for (int part = 0; part < joint->n_parts; part++) {
        const hol__con_batch *batch = &model->con_batches[joint->part[part].batch];
        const hol__con *con = hol__con_record(batch, joint->part[part].record);
        for (int row = 0; row < con->n_rows; row++)
            for (int slot = 0; slot < con->n_bodies; slot++) {
                const unsigned live =
                    con->body[slot] == body ? batch->type->live(con, row, slot) : 0;
                if (live && !(live & moves)) return 1;
            }
    }
    return 0;
}

/* Joints that would hold the orientation of a point mass are refused. */
static void check_point(hol__build *build, int body) {
    const hol_model *model = build->model;
    for (int k = 0; k < model->n_joints; k++) {
        const hol__element *joint = &model->joints[k];
        int turns = has_turning_row(model, joint, body);
        for (int i = 0; i < 2; i++)
            if (joint->body[i] == body &&
                hol__norm3(joint->marker[i].s) > 1e-9 * (1 + hol__norm3(model->bodies[body].r)))
                turns = 1;
        if (!turns) continue;
        build->errors++;
        hol__error(build->ctx, &joint->where, joint->label,
                   "acts on the orientation of %s, which is a point mass and has none; attach it "
                   "at its place by a joint of points "
                   "(spherical, distance, in the plane revolute), or give it `inertia: 0` instead "
                   "of `point: true`",
                   model->bodies[body].label);
    }
}

void hol__compile_body_joints(hol__build *build) {
    hol_model *model = build->model;
    const unsigned turns = model->dim == 2 ? 32 : 8 | 16 | 32,
                   all = model->dim == 2 ? 1 | 2 | 32 : 63;
    for (int i = 0; i < model->nb; i++)
        if (model->bodies[i].point && !model->bodies[i].motion) check_point(build, i);
    for (int i = 0; i < model->nb; i++) {
        const hol__body *b = &model->bodies[i];
        if (!b->motion && !b->point) continue;
        hol__element *joint =
            b->motion ? add_joint(build, i, "motion", &hol__joint_generic)
                      : add_joint(build, i, "orientation", &hol__joint_same_orientation);
        if (joint) hol__lock(build, joint, b->motion ? all : turns, b->motion);
    }
}

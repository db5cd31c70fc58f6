/* layout.c: coordinates and start, rows and their pattern (coords/lay_rows.c), the mass matrix, and
 * the scale of length. */
#include "compile/compile.h"

#include "coords/coords.h"
#include "element/rigid.h"

#include "math/vec3.h"

/* The largest distance of a place of rigid contact from a mass centre. */
static double reach_of(const hol_model *model) {
    double reach = 0;
    for (int k = 0; k < model->n_joints; k++) {
        const hol__rigid *r = model->joints[k].rigid;
        for (int i = 0; r && i < 2; i++)
            if (r->body[i] < model->nb && !r->pair.shape[i].half_space) {
                const hol__touch_shape *shape = &r->pair.shape[i];
                reach = fmax(reach, hol__convex_reach(&shape->core) + shape->core.radius);
            }
    }
    return reach;
}

/* The largest distance of the two ends of a joint as drawn: of a rope, a rod. */
static double length_of_links(const hol_model *model) {
    double length = 0;
    for (int k = 0; k < model->n_joints; k++) {
        double end[2][3], d[3];
        for (int i = 0; i < 2; i++)
            hol__drawn_point(model, model->joints[k].body[i], model->joints[k].marker[i].s, end[i]);
        hol__sub3(end[1], end[0], d);
        length = fmax(length, hol__norm3(d));
    }
    return length;
}

/* The size of a body: the largest distance of a joint from a mass centre, twice; where no joint
 * tells, that of the bodies from the first, or from the centre that attracts them; of a single body
 * that of its places of contact, twice, or the length of what it hangs on; 1 for one that nothing
 * holds. */
static double size_of(const hol_model *model, double orbit) {
    double size = 0;
    for (int k = 0; k < model->n_joints; k++)
        for (int i = 0; i < 2; i++)
            if (model->joints[k].body[i] < model->nb)
                size = fmax(size, 2 * hol__norm3(model->joints[k].marker[i].s));
    for (int k = 1; k < model->nb && !(size > 0); k++) {
        double d[3];
        hol__sub3(model->bodies[k].r, model->bodies[0].r, d);
        size = fmax(orbit, hol__norm3(d));
    }
    if (!(size > 0)) size = orbit > 0 ? orbit : 2 * reach_of(model);
    if (!(size > 0)) size = length_of_links(model);
    return size > 0 ? size : 1;
}

/* Coordinates of the bodies themselves, and which velocities are angular. */
static int count_coordinates(hol_model *model) {
    model->nq = model->coords->nq_body * model->nb;
    model->nv = model->coords->nv_body * model->nb;
    model->turn = HOL__NEW_N(&model->arena, unsigned char, model->nv);
    for (int i = 0; model->turn && i < model->nv; i++) model->turn[i] = i % model->bw >= model->dim;
    return model->turn != NULL;
}

hol_status hol__compile_layout(hol__build *build) {
    hol_model *model = build->model;
    if (model->coords->maps) {
        const hol_status status = model->coords->maps->choose(model, build->cut);
        if (status) return status;
    } else if (!count_coordinates(model))
        return HOL_ERR_MEMORY;
    model->q0 = HOL__NEW_N(build->arena, double, model->nq);
    model->v0 = HOL__NEW_N(build->arena, double, model->nv);
    if (build->arena->failed) return HOL_ERR_MEMORY;
    model->coords->start(model, model->q0, model->v0);
    model->length = size_of(model, build->orbit);
    int first_own;
    hol_status status = hol__lay_rows(model, &first_own);
    if (!status) status = hol__lay_gains(model, first_own);
    return status ? status : model->coords->mass(model);
}

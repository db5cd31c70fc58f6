/* joint_start.c: the coordinates of a joint at the start, from its key `start`.
 *
 *     x(q) = value                      rows of the positions alone, for assembly
 *     x'   = rate                       rows of the velocities alone
 *
 * x is the angle about the joint's axis or the displacement along it, as the measure
 * `joint_coordinate` has them. The rows belong to an element of their own, which only the model
 * that is assembled has.
 */
#include "element/coupler.h"
#include "element/joints.h"

#include <string.h>

const hol__key hol__start_keys[] = {
    {"angle", HOL__KEY_NUMBER, "rad", "", 0, "The angle about the axis of the joint; 0 as drawn.",
     NULL, HOL__AT(hol__start_params, angle)},
    {"displacement", HOL__KEY_NUMBER, "m", "", 0, "The displacement along the axis; 0 as drawn.",
     NULL, HOL__AT(hol__start_params, displacement)},
    {"angle_rate", HOL__KEY_NUMBER, "rad/s", "", 0, "The rate of the angle.", NULL,
     HOL__AT(hol__start_params, angle_rate)},
    {"displacement_rate", HOL__KEY_NUMBER, "m/s", "", 0, "The rate of the displacement.", NULL,
     HOL__AT(hol__start_params, displacement_rate)},
    HOL__KEY_END,
};

/* Whether the joint leaves the coordinate free: 0 the angle, 1 the displacement. */
static int is_free(const hol_model *model, const hol__element *joint, int slides) {
    enum { X = 1, Z = 4, RZ = 32 };
    return !(joint->lock & (unsigned)(!slides ? RZ : model->dim == 2 ? X : Z));
}

/* Whether the joint has an axis that its coordinates belong to. */
static int has_axis(const hol_model *model, const hol__element *joint) {
    return joint->lock && !joint->type->late && strcmp(joint->type->name, "universal") != 0 &&
           (model->dim == 2 || hol__key_find(joint->type->keys, "axis"));
}

/* One value: row of the positions (rate 0) or of the velocities. */
static void add_row(hol__build *build, const hol__element *joint, int slides, int rate,
                    double value, const char *label, hol__element *rows) {
    hol__coordinate x;
    hol__coordinate_of_joint(build, joint->index, slides, &x);
    hol__coordinate_lend(&x, rows);
    if (!rate) {
        const hol__coupler c = {
            .n = 1, .x = {x}, .factor = {1}, .f = {value, NULL}, .label = label};
        hol__add_coupler(build, rows, &c);
        return;
    }
    const hol__rate r = {.n = 1,
                         .term = {x},
                         .factor = {{1, NULL}},
                         .f = {value, NULL},
                         .state = -1,
                         .label = label};
    hol__add_rate(build, rows, &r);
}

void hol__joint_start(hol__build *build, const hol__element *joint, const hol__start_params *p,
                      hol__element *rows) {
    const double values[] = {p->angle, p->displacement, p->angle_rate, p->displacement_rate};
    const int errors = build->errors;
    if (!has_axis(build->model, joint)) {
        hol__field_error(build, p, NULL,
                         "a %s joint has no angle about an axis and no displacement along one; "
                         "draw its bodies where they start, with `fix`",
                         joint->type->name);
        return;
    }
    for (int i = 0; hol__start_keys[i].name; i++) {
        const char *name = hol__start_keys[i].name;
        if (!hol__is_given(p, name)) continue;
        if (!is_free(build->model, joint, i & 1))
            hol__field_error(build, p, name, "the joint locks its %s",
                             i & 1 ? "displacement" : "angle");
        else if (rows && build->errors == errors)
            add_row(build, joint, i & 1, i > 1, values[i], name, rows);
    }
}

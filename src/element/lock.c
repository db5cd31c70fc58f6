/* lock.c: joints that lock or drive translations and rotations of a frame: the frame, and its
 * parts.
 *
 * The joint's frame has its z axis along `axis` (in the plane: its x axis). All three translations
 * locked make coincident points; fewer, or driven ones, make given displacements along axes fixed
 * in the first body. Rotations make one part.
 */
#include "element/joints.h"
#include "math/quat.h"

#include <string.h>

int hol__axis_frame(hol__build *build, const void *params, const double axis[3],
                    const double x_axis[3], double p[4]) {
    const int has_x = hol__is_given(params, "x_axis");
    if (build->model->dim == 2) {
        const double half = 0.5 * atan2(axis[1], axis[0]);
        p[0] = cos(half), p[1] = p[2] = 0, p[3] = sin(half);
        return 1;
    }
    /* some 1e-4 rad off the axis */
    if (has_x && !(1 - fabs(hol__dot3(axis, x_axis)) > 1e-8)) {
        hol__field_error(build, params, "x_axis",
                         "x_axis lies along the axis itself; give a direction across it");
        return 0;
    }
    hol__frame_along(axis, has_x ? x_axis : NULL, p);
    return 1;
}

/* The place on the second body of a joint that holds what it met; NULL: as drawn. */
static const hol__marker *met_place(const hol__build *build, const hol__element *joint) {
    const hol__variant *variant = build->variant;
    return variant && joint->index < variant->n_joints ? variant->place[joint->index] : NULL;
}

int hol__joint_frame(hol__build *build, hol__element *joint, const void *params,
                     const hol__frame_fields *f) {
    const double *at_second = hol__is_given(params, "at_second") ? f->at_second : f->at;
    double p[4] = {1, 0, 0, 0}, p_second[4];
    int ok = 1;
    memcpy(joint->body, f->bodies, sizeof joint->body);
    if (hol__is_given(params, "axis")) ok &= hol__axis_frame(build, params, f->axis, f->x_axis, p);
    memcpy(p_second, p, sizeof p);
    if (hol__is_given(params, "axis_second"))
        ok &= hol__axis_frame(build, params, f->axis_second, f->x_axis, p_second);
    if (!ok) return 0;
    hol__marker_set(build->model, joint->body[0], f->at, p, &joint->marker[0]);
    hol__marker_set(build->model, joint->body[1], at_second, p_second, &joint->marker[1]);
    const hol__marker *met = met_place(build, joint);
    if (met) joint->marker[1] = *met;
    return 1;
}

static const char *const along_frame[] = {"translation along the x axis of the joint",
                                          "translation along the y axis of the joint",
                                          "translation along the z axis of the joint"};

static hol__law law_of(const hol__law *drive, int k) {
    return drive ? drive[k] : (hol__law){0, NULL};
}

static int is_driven(const hol__law *drive, int k) {
    return drive && (drive[k].e || drive[k].value != 0);
}

static void lock_plane(hol__build *build, hol__element *joint, unsigned bits,
                       const hol__law *drive) {
    const hol__marker *m1 = &joint->marker[0], *m2 = &joint->marker[1];
    if ((bits & 3) == 3 && !is_driven(drive, 0) && !is_driven(drive, 1)) {
        hol__point2 *rec = hol__add_con(build, joint, &hol__con_point2, 2);
        for (int i = 0; rec && i < 2; i++) rec->s1[i] = m1->s[i], rec->s2[i] = m2->s[i];
    } else
        for (int k = 0; k < 2; k++)
            if (bits & (1u << k)) {
                hol__slide2 *rec = hol__add_con(build, joint, &hol__con_slide2, 1);
                if (!rec) return;
                for (int i = 0; i < 2; i++) rec->s1[i] = m1->s[i], rec->s2[i] = m2->s[i];
                rec->e[0] = m1->F[k];
                rec->e[1] = m1->F[3 + k];
                rec->f = law_of(drive, k);
                rec->label = along_frame[k];
            }
    if (bits & 32) {
        hol__angle2 *rec = hol__add_con(build, joint, &hol__con_angle2, 1);
        if (!rec) return;
        /* both markers are the same frame as drawn: theta2 + angle2 = theta1 + angle1 */
        rec->offset = m1->angle - m2->angle;
        const double *theta1 =
            joint->body[0] < build->model->nb ? &build->model->bodies[joint->body[0]].theta : NULL;
        const double *theta2 =
            joint->body[1] < build->model->nb ? &build->model->bodies[joint->body[1]].theta : NULL;
        const double drawn = (theta2 ? *theta2 : 0) - (theta1 ? *theta1 : 0);
        const double turn = 2 * acos(-1.0);
        if (!met_place(build, joint)) /* which has its full turns in its angle */
            rec->offset += turn * round((drawn - rec->offset) / turn);
        rec->f = law_of(drive, 5);
    }
}

static void lock_space(hol__build *build, hol__element *joint, unsigned bits,
                       const hol__law *drive) {
    const hol__marker *m1 = &joint->marker[0], *m2 = &joint->marker[1];
    if ((bits & 7) == 7 && !is_driven(drive, 0) && !is_driven(drive, 1) && !is_driven(drive, 2)) {
        hol__point3 *rec = hol__add_con(build, joint, &hol__con_point3, 3);
        for (int i = 0; rec && i < 3; i++) rec->s1[i] = m1->s[i], rec->s2[i] = m2->s[i];
    } else
        for (int k = 0; k < 3; k++)
            if (bits & (1u << k)) {
                hol__slide3 *rec = hol__add_con(build, joint, &hol__con_slide3, 1);
                if (!rec) return;
                for (int i = 0; i < 3; i++) {
                    rec->s1[i] = m1->s[i], rec->s2[i] = m2->s[i];
                    rec->e[i] = m1->F[3 * i + k];
                }
                rec->f = law_of(drive, k);
                rec->label = along_frame[k];
            }
    int n = 0, axis[3], driven = 0;
    for (int k = 0; k < 3; k++)
        if (bits & (8u << k)) {
            axis[n++] = k;
            driven |= is_driven(drive, 3 + k);
        }
    hol__rotation3 *rec = n ? hol__add_con(build, joint, &hol__con_rotation3, n) : NULL;
    if (!rec) return;
    memcpy(rec->f1, m1->f, sizeof rec->f1);
    memcpy(rec->f2, m2->f, sizeof rec->f2);
    memcpy(rec->F1, m1->F, sizeof rec->F1);
    memcpy(rec->F2, m2->F, sizeof rec->F2);
    memcpy(rec->axis, axis, sizeof(int) * (size_t)n);
    rec->driven = driven;
    for (int k = 0; k < 3; k++) rec->drive[k] = law_of(drive, 3 + k);
}

void hol__lock(hol__build *build, hol__element *joint, unsigned bits, const hol__law *drive) {
    joint->lock |= bits;
    for (int k = 0; k < 6; k++)
        if ((bits & (1u << k)) && is_driven(drive, k)) joint->lock |= HOL__LOCK_DRIVEN;
    if (build->model->dim == 2)
        lock_plane(build, joint, bits, drive);
    else
        lock_space(build, joint, bits, drive);
}

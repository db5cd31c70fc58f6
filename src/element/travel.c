/* travel.c: the angle or the displacement of a joint as something that forces act on.
 *
 *     angle          phi as followed over full turns; phi' = g . (omega2 - omega1);
 *                    torque F g on body 2, -F g on body 1
 *                    g: gradient of the twist,
 *                    the axis of the joint where the axes of both bodies coincide
 *     displacement   x = e . (P2 - P1), e fixed in body 1;
 *                    force F e at P2 on body 2 and -F e at the same place on body 1
 *
 * Both have the power F x' exactly, also where the joint is slightly open.
 */
#include "element/formula.h"
#include "element/travel.h"
#include "element/acting.h"

#include <string.h>

const char *const hol__travel_names[] = {"angle", "displacement", NULL};

int hol__joint_travels(hol__build *build, const void *params, const char *field,
                       const hol__element *joint, int slides) {
    enum { RZ = 32 };
    const char *name = joint->type->name;
    const int has_axis = build->model->dim == 2 ? joint->lock != 0
                                                : hol__key_find(joint->type->keys, "axis") != NULL;
    const int turns = !(joint->lock & RZ) || (joint->lock & HOL__LOCK_DRIVEN);
    if (!joint->type->late && !has_axis && build->errors)
        return 0; /* it may be that of the joint */
    if (joint->type->late || !has_axis)
        hol__field_error(build, params, field,
                         "%s is a %s joint, which has no axis to act about or along", joint->label,
                         name);
    else if (slides && !joint->slides)
        hol__field_error(build, params, field, "%s is a %s joint, which does not slide%s",
                         joint->label, name, turns ? "; use component: angle" : "");
    else if (!slides && !turns)
        hol__field_error(build, params, field, "%s is a %s joint, which does not turn%s",
                         joint->label, name, joint->slides ? "; use component: displacement" : "");
    else
        return 1;
    return 0;
}

/* Whether the fields mean the displacement. */
static int means_sliding(const hol__travel_fields *f, const hol__element *joint) {
    return f->component >= 0 ? f->component : joint->slides;
}

const char *const *hol__travel_units(const hol__build *build, const hol__travel_fields *f) {
    static const char *const units[2][2] = {{"rad", "rad/s"}, {"m", "m/s"}};
    if (f->joint < 0 || f->joint >= build->model->n_joints) return NULL;
    return units[means_sliding(f, &build->model->joints[f->joint]) != 0];
}

int hol__travel_set(hol__build *build, hol__element *force, const void *params,
                    const hol__travel_fields *f, hol__travel *c) {
    const hol__element *joint = &build->model->joints[f->joint];
    const int given = f->component >= 0, slides = means_sliding(f, joint);
    if (!joint->type ||
        !hol__joint_travels(build, params, given ? "component" : "joint", joint, slides))
        return 0;
    const hol__marker *m1 = &joint->marker[0], *m2 = &joint->marker[1];
    *c = (hol__travel){.slides = slides, .angle = -1};
    force->pushes = slides;
    memcpy(c->body, joint->body, sizeof c->body);
    memcpy(force->body, joint->body, sizeof c->body);
    memcpy(force->marker, joint->marker, sizeof force->marker);
    memcpy(c->f1, m1->f, sizeof c->f1);
    memcpy(c->f2, m2->f, sizeof c->f2);
    memcpy(c->s1, m1->s, sizeof c->s1);
    memcpy(c->s2, m2->s, sizeof c->s2);
    const int column = build->model->dim == 2 ? 0 : 2;
    for (int i = 0; i < 3; i++) c->e1[i] = m1->F[3 * i + column];
    if (!slides) c->angle = hol__track_joint_angle(build, f->joint);
    return 1;
}

/* The gradient of the angle, global. */
static void twist(const hol__travel *c, const hol__force_args *args, double g[3]) {
    if (args->bodies.b2)
        g[0] = g[1] = 0, g[2] = 1;
    else
        hol__twist3(&args->bodies.b3[c->body[0]], c->f1, &args->bodies.b3[c->body[1]], c->f2, g);
}

void hol__travel_get(const hol__travel *c, const hol__force_args *args, double *x, double *rate) {
    if (c->slides) {
        double e[3], P1[3], P2[3], V1[3], V2[3], d[3], ddot[3];
        hol__turned(args, c->body[0], c->e1, e);
        hol__place_of(args, c->body[0], c->s1, P1);
        hol__place_of(args, c->body[1], c->s2, P2);
        hol__velocity_at(args, c->body[0], P2,
                         V1); /* of the point of body 1 at P2: e' . d is in it */
        hol__velocity_at(args, c->body[1], P2, V2);
        hol__sub3(P2, P1, d);
        hol__sub3(V2, V1, ddot);
        *x = hol__dot3(e, d);
        *rate = hol__dot3(e, ddot);
        return;
    }
    double g[3], w1[3], w2[3];
    twist(c, args, g);
    hol__spin_of(args, c->body[0], w1);
    hol__spin_of(args, c->body[1], w2);
    *x = args->angles[c->angle];
    *rate = hol__dot3(g, w2) - hol__dot3(g, w1);
}

void hol__travel_act(const hol__travel *c, const hol__force_args *args, double F) {
    double e[3], P2[3];
    if (c->slides) {
        hol__turned(args, c->body[0], c->e1, e);
        hol__place_of(args, c->body[1], c->s2, P2);
        hol__push_body(args, c->body[0], P2, e, -F);
        hol__push_body(args, c->body[1], P2, e, F);
        return;
    }
    twist(c, args, e);
    hol__turn_body(args, c->body[0], e, -F);
    hol__turn_body(args, c->body[1], e, F);
}

hol__sym hol__travel_formula(hol__symbolic *to, const hol__travel *c) {
    hol__sym s1[3], s2[3], e[3], d[3];
    if (!c->slides) return hol__symbolic_angle(to, c->angle);
    hol__symbolic_vector(to, c->s1, "a", s1);
    hol__symbolic_vector(to, c->s2, "b", s2);
    hol__symbolic_vector(to, c->e1, "e", e);
    hol__symbolic_turned(to, c->body[0], e, e);
    hol__symbolic_gap(to, c->body, s1, s2, d);
    return hol__sym_shorten(to->a, hol__symbolic_dot(to, e, d));
}

/* force_torsion.c: torsional spring, damper and actuator about the axis of a joint.
 *
 *     phi: the angle of the second body against the first about the axis, 0 as drawn,
 *     followed over full turns
 *     T = -k (phi - phi0) - c phi' + f(angle, rate, t, measures)
 *     on the second body, -T on the first
 *     T = -P of spring_law.h with x = phi
 *
 * In space phi is the twist of the relative rotation and T acts along its gradient, which is the
 * axis where the joint keeps the axes of the bodies together; so the energy balance holds for any
 * joint and at any state.
 */
#include "element/formula.h"
#include "element/joints.h"
#include "element/kinematics.h"
#include "element/span.h"
#include "element/spring_law.h"
#include "element/travel.h"

#include <string.h>

typedef struct torsion {
    int element;
    int body[2];
    int angle;
    double f1[4], f2[4]; /* the joint's frame on each body */
    hol__spring_law law;
} torsion;

static const char *const locals[] = {"angle", "rate", NULL};
static const char *const units[] = {"rad", "rad/s"};

/* T on both bodies, in the plane. */
static void fill2(const void *records, int n, hol__force_args *args) {
    for (int i = 0; i < n; i++) {
        const torsion *rec = (const torsion *)records + i;
        const double rate = args->bodies.b2[rec->body[1]].w - args->bodies.b2[rec->body[0]].w;
        const double T = -hol__spring_pull(&rec->law, args->angles[rec->angle], rate, args);
        args->wrench[3 * rec->body[0] + 2] -= T;
        args->wrench[3 * rec->body[1] + 2] += T;
    }
}

/* T along the gradient of the twist, in space. */
static void fill3(const void *records, int n, hol__force_args *args) {
    for (int i = 0; i < n; i++) {
        const torsion *rec = (const torsion *)records + i;
        const hol__body3 *b1 = &args->bodies.b3[rec->body[0]], *b2 = &args->bodies.b3[rec->body[1]];
        double g[3], g1[3], g2[3];
        hol__twist3(b1, rec->f1, b2, rec->f2, g);
        hol__mul3_t(b1->R, g, g1);
        hol__mul3_t(b2->R, g, g2);
        const double T = -hol__spring_pull(&rec->law, args->angles[rec->angle],
                                           hol__dot3(g2, b2->w) - hol__dot3(g1, b1->w), args);
        for (int k = 0; k < 3; k++) {
            args->wrench[6 * rec->body[0] + 3 + k] -= T * g1[k];
            args->wrench[6 * rec->body[1] + 3 + k] += T * g2[k];
        }
    }
}

/* T along the gradient of the angle. */
static hol__dual along(const void *record, hol__dual_args *args, hol__dual x, hol__dual rate) {
    const hol__dual P = hol__spring_dual(&((const torsion *)record)->law, x, rate, args);
    return (hol__dual){-P.f, -P.d};
}

static void tangent(const void *record, hol__force_args *args, hol__force_tangent *out) {
    const torsion *rec = record;
    hol__travel about = {.body = {rec->body[0], rec->body[1]}, .angle = rec->angle};
    hol__span phi;
    memcpy(about.f1, rec->f1, sizeof about.f1);
    memcpy(about.f2, rec->f2, sizeof about.f2);
    hol__span_travel(&about, args, &phi);
    hol__span_tangent(rec, args, &phi, along, out);
}

/* T along the angle. */
static int formula(const void *record, hol__symbolic *to) {
    const torsion *rec = record;
    const hol__sym phi = hol__symbolic_angle(to, rec->angle);
    if (!phi) return 0;
    const hol__sym P = hol__spring_formula(to, &rec->law, locals, phi, hol__symbolic_rate(to, phi));
    if (!P) return 0;
    hol__symbolic_act(to, phi, hol__sym_neg(to->a, P));
    return 1;
}

static const hol__force_type torsion_plane = {.name = "torsional spring",
                                              .size = sizeof(torsion),
                                              .fill = fill2,
                                              .tangent = tangent,
                                              .formula = formula};
static const hol__force_type torsion_space = {.name = "torsional spring",
                                              .size = sizeof(torsion),
                                              .fill = fill3,
                                              .tangent = tangent,
                                              .formula = formula};

typedef struct torsion_params {
    hol__params head;
    int joint;
    hol__law stiffness, damping, torque;
    double free_angle;
} torsion_params;

static const hol__key keys[] = {
    {"joint", HOL__KEY_JOINT, NULL, NULL, 0,
     "The joint about whose axis it acts (revolute, cylindrical, generic).", NULL,
     HOL__AT(torsion_params, joint)},
    {"stiffness", HOL__KEY_LAW, "N*m/rad", "0", 0, "k; may use `angle` and `rate`.", NULL,
     HOL__LAW_OF(torsion_params, stiffness, locals, units)},
    {"free_angle", HOL__KEY_NUMBER, "rad", "0", 0, "phi0, counted from the drawn position.", NULL,
     HOL__AT(torsion_params, free_angle)},
    {"damping", HOL__KEY_LAW, "N*m*s/rad", "0", 0, "c; may use `angle` and `rate`.", NULL,
     HOL__LAW_OF(torsion_params, damping, locals, units)},
    {"torque", HOL__KEY_LAW, "N*m", "0", 0,
     "A further torque on the second body, positive when it increases the angle; may use `angle` "
     "and `rate`.",
     NULL, HOL__LAW_OF(torsion_params, torque, locals, units)},
    HOL__KEY_END,
};

/* The joint and the law. */
static void compile(hol__build *build, hol__element *force, const void *params) {
    const torsion_params *p = params;
    const hol__element *at = &build->model->joints[p->joint];
    torsion s = {
        .law = {
            .x0 = p->free_angle, .sign = -1, .k = p->stiffness, .c = p->damping, .f = p->torque}};
    if (!hol__spring_acts(build, p, "torque") || !at->type ||
        !hol__joint_travels(build, p, "joint", at, 0))
        return;
    s.angle = hol__track_joint_angle(build, p->joint);
    memcpy(s.body, at->body, sizeof s.body);
    memcpy(s.f1, at->marker[0].f, sizeof s.f1);
    memcpy(s.f2, at->marker[1].f, sizeof s.f2);
    memcpy(force->body, at->body, sizeof s.body);
    memcpy(force->marker, at->marker, sizeof force->marker);
    torsion *rec =
        hol__add_force(build, force, build->model->dim == 2 ? &torsion_plane : &torsion_space);
    if (!rec) return;
    s.element = rec->element;
    *rec = s;
}

static const hol__quantity quantities[] = {
    {"angle", HOL__TELLS_NUMBER, "rad", NULL, 0, "phi, over full turns."},
    {"rate", HOL__TELLS_NUMBER, "rad/s", NULL, 0, "phi'."},
    {"deformation", HOL__TELLS_NUMBER, "rad", NULL, 0, "phi - phi0."},
    {"torque", HOL__TELLS_NUMBER, "N*m", NULL, 1,
     "T on the second body, positive when it increases the angle."},
    HOL__QUANTITY_END,
};

const hol__element_type hol__force_torsion = {
    .section = "forces",
    .name = "torsion",
    .title = "Torsional spring, damper and actuator about the axis of a joint.",
    .equations = "T = -k (phi - phi0) - c phi' + f on the second body; V = k (phi - phi0)^2 / 2",
    .example = "  twist: {type: torsion, joint: A, stiffness: 10, damping: 0.1}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = keys,
    .size = sizeof(torsion_params),
    .quantities = quantities,
    .compile_element = compile,
};

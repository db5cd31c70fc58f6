/* measure_joint.c: the coordinate of a joint and its rate; the reaction in a joint; the multiplier
 * of one of its equations. */
#include "element/kinematics.h"
#include "element/measures.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- coordinate ---- */

static const char *const coordinates[] = {"angle", "displacement", "angle_rate",
                                          "displacement_rate", NULL};
static const char *const units[] = {"rad", "m", "rad/s", "m/s"};

static const hol__key coordinate_keys[] = {
    {"joint", HOL__KEY_JOINT, NULL, NULL, 0, "The joint.", NULL,
     HOL__AT(hol__joint_coordinate_params, joint)},
    {"component", HOL__KEY_CHOICE, NULL, "", 0,
     "angle about the axis (counted over full turns), displacement along it, or the rate of "
     "either; both are 0 as drawn. Default: "
     "displacement where the joint slides, angle elsewhere.",
     coordinates, HOL__AT(hol__joint_coordinate_params, component)},
    HOL__KEY_END,
};

static void compile_coordinate(hol__build *build, hol__measure *m, const void *params) {
    const hol__joint_coordinate_params *p = params;
    const hol__element *joint = &build->model->joints[p->joint];
    m->joint = p->joint;
    m->choice = p->component >= 0 ? p->component : joint->slides;
    if (!joint->type) return;
    if (joint->type->late) {
        hol__field_error(build, p, "joint",
                         "%s is a %s, which has no coordinate of its own; measure the joint, the "
                         "position, the distance or the angle that it acts on",
                         joint->label, joint->type->name);
        return;
    }
    if (build->model->dim == 3 && !hol__key_find(joint->type->keys, "axis")) {
        hol__field_error(build, p, "joint", "%s is a %s joint, which has no axis to measure along",
                         joint->label, joint->type->name);
        return;
    }
    if (m->choice >= 2) m->level = HOL__LEVEL_VEL;
    m->unit = units[m->choice];
    memcpy(m->body, joint->body, sizeof joint->body);
    memcpy(m->marker, joint->marker, sizeof m->marker);
    if (m->choice == 0) m->angle = hol__track_joint_angle(build, m->joint);
}

/* Component of P2 - P1 along the axis of the first body, and its rate. */
static void displacement(const hol__measure *m, const hol__measure_args *args, double *value,
                         double *rate) {
    const hol__marker *m1 = &m->marker[0], *m2 = &m->marker[1];
    if (args->bodies.b2) {
        const hol__body2 *b1 = &args->bodies.b2[m->body[0]], *b2 = &args->bodies.b2[m->body[1]];
        const double axis[2] = {m1->F[0], m1->F[3]};
        double u1[2], u2[2], d[2], ddot[2], e[2];
        hol__arm2(b1, m1->s, u1);
        hol__arm2(b2, m2->s, u2);
        hol__arm2(b1, axis, e);
        hol__gap2(b1, u1, b2, u2, d, ddot);
        *value = e[0] * d[0] + e[1] * d[1];
        *rate = e[0] * ddot[0] + e[1] * ddot[1] + b1->w * (e[0] * d[1] - e[1] * d[0]);
        return;
    }
    const hol__body3 *b1 = &args->bodies.b3[m->body[0]];
    const double axis[3] = {m1->F[2], m1->F[5], m1->F[8]};
    double d[3], ddot[3], e[3], we[3], edot[3];
    hol__gap3(b1, m1->s, &args->bodies.b3[m->body[1]], m2->s, d, ddot);
    hol__mul3(b1->R, axis, e);
    hol__cross3(b1->w, axis, we);
    hol__mul3(b1->R, we, edot);
    *value = hol__dot3(e, d);
    *rate = hol__dot3(e, ddot) + hol__dot3(edot, d);
}

/* The rate of the angle: in space of the twist of the relative rotation. */
static double angle_rate(const hol__measure *m, const hol__measure_args *args) {
    if (args->bodies.b2) return args->bodies.b2[m->body[1]].w - args->bodies.b2[m->body[0]].w;
    const hol__body3 *b1 = &args->bodies.b3[m->body[0]], *b2 = &args->bodies.b3[m->body[1]];
    double g[3], g1[3], g2[3];
    hol__twist3(b1, m->marker[0].f, b2, m->marker[1].f, g);
    hol__mul3_t(b1->R, g, g1);
    hol__mul3_t(b2->R, g, g2);
    return hol__dot3(g2, b2->w) - hol__dot3(g1, b1->w);
}

static void eval_coordinate(const hol__measure *m, const hol__measure_args *args, double *out) {
    double value, rate;
    if (m->choice == 0)
        out[0] = args->angles[m->angle];
    else if (m->choice == 2)
        out[0] = angle_rate(m, args);
    else {
        displacement(m, args, &value, &rate);
        out[0] = m->choice == 1 ? value : rate;
    }
}

const char *hol__scalar_component(const hol__build *build, const void *params, int i) {
    (void)build, (void)params;
    return i == 0 ? "" : NULL;
}

static const hol__measure_type coordinate_type = {HOL__LEVEL_POS, eval_coordinate};

const hol__element_type hol__measure_joint = {
    .section = "measures",
    .name = "joint_coordinate",
    .title = "Angle or displacement of a joint, or its rate.",
    .example = "  swing: {type: joint_coordinate, joint: A}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = coordinate_keys,
    .size = sizeof(hol__joint_coordinate_params),
    .measure = &coordinate_type,
    .unit = "rad",
    .units = "rad (angle), m (displacement), rad/s or m/s (their rates)",
    .compile_measure = compile_coordinate,
    .component = hol__scalar_component,
};

/* ---- reaction ---- */

static const char *const frames[] = {"global", "joint", NULL};
static const char *const in_space[] = {"fx", "fy", "fz", "mx", "my", "mz", NULL};
static const char *const in_plane[] = {"fx", "fy", "mz", NULL};

/* What can be picked: the components, and the lengths of force and moment. */
static const char *const picked[] = {
    "fx", "fy", "fz", "mx", "my", "mz", "magnitude", "moment_magnitude", NULL};
enum { OF_FORCE = 6, OF_MOMENT = 7 };

static const char *const points[] = {"first", "second", NULL};

/* Of the choice of a reaction: the frame of the joint, the point of the second body. */
enum { IN_JOINT = 1, ABOUT_SECOND = 2 };

typedef struct reaction_params {
    hol__params head;
    int joint, frame, component, about;
} reaction_params;

static const hol__key reaction_keys[] = {
    {"joint", HOL__KEY_JOINT, NULL, NULL, 0,
     "The joint. The moment is about its point on the first body as drawn there (where it has "
     "the key `plane`, that point), or what `about` says. A driver of a `body` has ground as its "
     "first body, with the origin.",
     NULL, HOL__AT(reaction_params, joint)},
    {"frame", HOL__KEY_CHOICE, NULL, "global", 0,
     "The frame of the components: global, or the joint's (z along its axis, in the plane x; fixed "
     "in the first body).",
     frames, HOL__AT(reaction_params, frame)},
    {"component", HOL__KEY_CHOICE, NULL, "", 0,
     "Only this one, or the length of the force (`magnitude`) or of the moment "
     "(`moment_magnitude`); default: all components.",
     picked, HOL__AT(reaction_params, component)},
    {"about", HOL__KEY_CHOICE, NULL, "first", 0,
     "The moment is about the point of the joint on its first body, or on its second one: the "
     "block of a slide, the point on a line.",
     points, HOL__AT(reaction_params, about)},
    HOL__KEY_END,
};

static void compile_reaction(hol__build *build, hol__measure *m, const void *params) {
    const reaction_params *p = params;
    const hol__element *joint = &build->model->joints[p->joint];
    m->joint = p->joint;
    m->choice = (p->frame ? IN_JOINT : 0) | (p->about ? ABOUT_SECOND : 0);
    m->component = p->component;
    m->frame = frames[p->frame];
    memcpy(m->body, joint->body, sizeof joint->body);
    memcpy(m->marker, joint->marker, sizeof m->marker);
    if (build->model->dim == 2 && (m->component == 2 || m->component == 3 || m->component == 4))
        hol__field_error(build, p, "component",
                         "there is no component '%s' in the plane; use fx, fy, mz or magnitude",
                         in_space[m->component]);
}

/* The moment about P2, the point of the second body: M2 = M1 - (P2 - P1) x F. */
static void about_second(const hol__measure *m, const hol__measure_args *args, hol_reaction *r) {
    const hol__marker *m1 = &m->marker[0], *m2 = &m->marker[1];
    double d[3] = {0, 0, 0}, rate[3], shift[3], turned[3];
    if (args->bodies.b2) {
        const hol__body2 *b1 = &args->bodies.b2[m->body[0]], *b2 = &args->bodies.b2[m->body[1]];
        double u1[2], u2[2];
        hol__arm2(b1, m1->s, u1);
        hol__arm2(b2, m2->s, u2);
        hol__gap2(b1, u1, b2, u2, d, rate);
    } else
        hol__gap3(&args->bodies.b3[m->body[0]], m1->s, &args->bodies.b3[m->body[1]], m2->s, d,
                  rate);
    hol__cross3(d, r->force, shift);
    hol__sub3(r->moment, shift, r->moment);
    memcpy(turned, shift, sizeof turned); /* in the plane the moment is about z in every frame */
    if (!args->bodies.b2) {
        double F[9];
        hol__mat3_mul(args->bodies.b3[m->body[0]].R, m1->F, F);
        hol__mul3_t(F, shift, turned);
    }
    hol__sub3(r->moment_joint, turned, r->moment_joint);
}

static void eval_reaction(const hol__measure *m, const hol__measure_args *args, double *out) {
    hol_reaction r = args->reaction(args->self, m->joint);
    if (m->choice & ABOUT_SECOND) about_second(m, args, &r);
    const double *f = m->choice & IN_JOINT ? r.force_joint : r.force,
                 *t = m->choice & IN_JOINT ? r.moment_joint : r.moment;
    const double all[6] = {f[0], f[1], f[2], t[0], t[1], t[2]}, plane[3] = {f[0], f[1], t[2]};
    if (m->component >= OF_FORCE)
        out[0] = hol__norm3(m->component == OF_FORCE ? f : t);
    else if (m->component >= 0)
        out[0] = all[m->component];
    else
        memcpy(out, args->bodies.b2 ? plane : all, sizeof(double) * (size_t)m->count);
}

static const char *reaction_component(const hol__build *build, const void *params, int i) {
    const reaction_params *p = params;
    if (p->component >= 0) return i == 0 ? "" : NULL;
    return (build->model->dim == 2 ? in_plane : in_space)[i];
}

static const char *reaction_unit(const hol__measure *m, int i) {
    const int k = m->component >= 0 ? m->component : i;
    if (m->component < 0 && m->count == 3) return i < 2 ? "N" : "N*m";
    return k < 3 || k == OF_FORCE ? "N" : "N*m";
}

static const hol__measure_type reaction_type = {HOL__LEVEL_ACC, eval_reaction};

const hol__element_type hol__measure_reaction = {
    .section = "measures",
    .name = "reaction",
    .title = "Force and moment that the first body of a joint receives from it, at the joint.",
    .example = "  pin: {type: reaction, joint: A}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = reaction_keys,
    .size = sizeof(reaction_params),
    .measure = &reaction_type,
    .unit = "N",
    .units = "N, of moments N*m",
    .unit_of = reaction_unit,
    .compile_measure = compile_reaction,
    .component = reaction_component,
};

/* ---- multiplier ---- */

typedef struct multiplier_params {
    hol__params head;
    int joint;
    double row;
} multiplier_params;

static const hol__key multiplier_keys[] = {
    {"joint", HOL__KEY_JOINT, NULL, NULL, 0, "The joint.", NULL, HOL__AT(multiplier_params, joint)},
    {"row", HOL__KEY_NUMBER, "", "1", HOL__POSITIVE,
     "Which of its equations, from 1, in the order in which they stand in its description.", NULL,
     HOL__AT(multiplier_params, row)},
    HOL__KEY_END,
};

/* The record and the place in it of equation k of a joint; NULL where it has no such one. */
static const hol__con *equation(const hol_model *model, const hol__element *joint, int *k,
                                const hol__con_type **type) {
    for (int i = 0; i < joint->n_parts && *k >= 0; i++) {
        const hol__con_batch *batch = &model->con_batches[joint->part[i].batch];
        const hol__con *con = hol__con_record(batch, joint->part[i].record);
        *type = batch->type;
        if (*k < con->n_rows) return con;
        *k -= con->n_rows;
    }
    return NULL;
}

/* Report an equation that the joint does not have, with those that it has. */
static void report_equations(hol__build *build, const multiplier_params *p) {
    const hol__element *joint = &build->model->joints[p->joint];
    const hol__con_type *type;
    const hol__con *con;
    char all[400] = "";
    for (int i = 0, k = 0; (con = equation(build->model, joint, &k, &type)); k = ++i) {
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%d %s", i ? ", " : "", i + 1,
                 type->label(con, k));
    }
    hol__field_error(build, p, "row", "%s has no equation %g; it has: %s", joint->label, p->row,
                     all[0] ? all : "none");
}

static void compile_multiplier(hol__build *build, hol__measure *m, const void *params) {
    const multiplier_params *p = params;
    const hol__con_type *type;
    int k = p->row >= 1 && p->row <= INT_MAX ? (int)p->row - 1 : -1;
    m->joint = p->joint;
    m->choice = k;
    m->frame = "";
    build->model->n_row_measures++;
    if (!build->model->joints[p->joint].type) return;
    if (p->row != k + 1 || k < 0 ||
        !equation(build->model, &build->model->joints[p->joint], &k, &type))
        report_equations(build, p);
}

/* An equation of angles alone is one of an angle, any other of a length; one that the user wrote
 * has the unit that he gave it. */
static const char *multiplier_unit(const hol_model *model, const hol__element *joint,
                                   const hol__con *con, const hol__con_type *type, int k) {
    const unsigned shifts = model->dim == 2 ? 3 : 7;
    unsigned live = 0;
    if (joint->type == &hol__joint_coupler || joint->type == &hol__joint_velocity_coupler ||
        joint->type == &hol__joint_velocity_constraint)
        return "";
    for (int slot = 0; slot < con->n_bodies; slot++) live |= type->live(con, k, slot);
    return live & shifts ? "N" : "N*m";
}

static void describe_multiplier(hol__build *build, const hol__measure *m, int i, hol_column *out) {
    const hol__element *joint = &build->model->joints[m->joint];
    const hol__con_type *type;
    int k = m->choice;
    const hol__con *con = equation(build->model, joint, &k, &type);
    (void)i;
    if (!con) return;
    out->unit = multiplier_unit(build->model, joint, con, type, k);
    out->doc = hol__arena_format(build->arena, "Multiplier of equation %d of %s: %s.",
                                 m->choice + 1, joint->label, type->label(con, k));
    if (!out->doc) out->doc = "";
}

static void eval_multiplier(const hol__measure *m, const hol__measure_args *args, double *out) {
    out[0] = args->multiplier(args->self, m->joint, m->choice);
}

static const hol__measure_type multiplier_type = {HOL__LEVEL_ACC, eval_multiplier};

const hol__element_type hol__measure_multiplier = {
    .section = "measures",
    .name = "multiplier",
    .title = "The multiplier of a single equation of a joint: N where it holds a length, N*m where "
             "it holds an angle.",
    .equations = "M v' + A^T lambda = Q: the equation exerts -lambda along its coordinate",
    .example = "  hold: {type: multiplier, joint: A, row: 2}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = multiplier_keys,
    .size = sizeof(multiplier_params),
    .measure = &multiplier_type,
    .unit = "",
    .units = "N where the equation holds a length, N*m where it holds an angle, none where it is a "
             "coupling",
    .compile_measure = compile_multiplier,
    .component = hol__scalar_component,
    .describe = describe_multiplier,
};

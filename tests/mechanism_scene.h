/* mechanism_scene.h: a mechanism taken apart into numbers and written again as a model file, moved,
 * turned, reordered, scaled.
 *
 * Bodies, joints and gravity come from a compiled model; forces and what a joint has besides its
 * frame are lines of text, in which P(x, y, z) stands for a point and D(x, y, z) for a direction at
 * the drawn position (in the plane z is left out).
 */
#ifndef HOL_TESTS_MECHANISM_SCENE_H
#define HOL_TESTS_MECHANISM_SCENE_H

#include "mechanism_fixture.h"

#include "element/primitives.h"

enum { SCENE_BODIES = 10, SCENE_JOINTS = 12 };

typedef struct scene_body {
    char name[32];
    double mass, J[9], com[3], r[3], p[4], v[3],
        w[3]; /* r: origin of the frame; w in the body frame */
    unsigned char given[6];
} scene_body;

typedef struct scene_joint {
    char name[32], type[32], body[2][32];
    double at[3], axis[3], axis_second[3], x_axis[3];
    int has_axis, has_second, has_x;
    char rest[256]; /* further keys, for example ", lock: [x]" */
} scene_joint;

typedef struct scene {
    int dim;
    double gravity[3];
    int n_bodies, n_joints;
    scene_body body[SCENE_BODIES];
    scene_joint joint[SCENE_JOINTS];
    char forces[2048], simulation[256];
} scene;

/* How a scene is written: turned by p, moved by d, in other units. */
typedef struct scene_frame {
    double p[4], d[3];
    double length, mass; /* units: numbers of lengths and masses are multiplied by these */
} scene_frame;

static const scene_frame scene_as_it_is = {{1, 0, 0, 0}, {0, 0, 0}, 1, 1};

/* ---- taking apart ---- */

static inline void scene_read_body(const hol_model *model, int i, scene_body *to) {
    const hol__body *b = &model->bodies[i];
    double R[9], u[3];
    *to = (scene_body){.mass = b->mass};
    snprintf(to->name, sizeof to->name, "%s", b->name);
    memcpy(to->J, b->J, sizeof to->J);
    if (model->dim == 2) to->J[8] = b->inertia;
    memcpy(to->com, b->com, sizeof to->com);
    memcpy(to->p, b->p, sizeof to->p);
    memcpy(to->v, b->v, sizeof to->v);
    memcpy(to->w, b->w, sizeof to->w);
    memcpy(to->given, b->given, sizeof to->given);
    hol__quat_matrix(b->p, R);
    hol__mul3(R, b->com, u);
    hol__sub3(b->r, u, to->r);
}

/* Column k of the joint's frame on the body of that slot, global as drawn. */
static inline void scene_axis(const hol_model *model, const hol__element *e, int slot, int k,
                              double out[3]) {
    const double *F = e->marker[slot].F, local[3] = {F[k], F[3 + k], F[6 + k]};
    double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (e->body[slot] < model->nb) hol__quat_matrix(model->bodies[e->body[slot]].p, R);
    hol__mul3(R, local, out);
}

/* The second axis of a universal joint, global as drawn: only its constraint knows it. */
static inline void scene_second_axis(const hol_model *model, const hol__element *e, double out[3]) {
    double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (e->body[1] < model->nb) hol__quat_matrix(model->bodies[e->body[1]].p, R);
    for (int i = 0; i < e->n_parts; i++) {
        const hol__con_batch *batch = &model->con_batches[e->part[i].batch];
        const hol__perpendicular_record *rec = hol__con_record(batch, e->part[i].record);
        if (batch->type == &hol__con_perpendicular3) hol__mul3(R, rec->e2, out);
    }
}

static inline void scene_read_joint(const hol_model *model, int i, scene_joint *to) {
    const hol__element *e = &model->joints[i];
    double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, u[3];
    *to = (scene_joint){.has_axis = hol__key_find(e->type->keys, "axis") != NULL};
    snprintf(to->name, sizeof to->name, "%s", e->name);
    snprintf(to->type, sizeof to->type, "%s", e->type->name);
    for (int k = 0; k < 2; k++)
        snprintf(to->body[k], sizeof to->body[k], "%s",
                 e->body[k] < model->nb ? model->bodies[e->body[k]].name : "ground");
    if (e->body[0] < model->nb) hol__quat_matrix(model->bodies[e->body[0]].p, R);
    hol__mul3(R, e->marker[0].s, u);
    for (int k = 0; k < 3; k++)
        to->at[k] = u[k] + (e->body[0] < model->nb ? model->bodies[e->body[0]].r[k] : 0);
    if (model->dim == 2 && strcmp(to->type, "revolute") == 0) to->has_axis = 0;
    scene_axis(model, e, 0, model->dim == 2 ? 0 : 2, to->axis);
    scene_second_axis(model, e, to->axis_second);
    scene_axis(model, e, 0, 0, to->x_axis);
    to->has_second = strcmp(to->type, "universal") == 0;
    to->has_x = model->dim == 3 && to->has_axis && hol__key_find(e->type->keys, "x_axis") != NULL;
}

/* The bodies, joints and gravity of a model; the joints have to be drawn closed. */
static inline void scene_read(const hol_model *model, scene *s) {
    assert_true(model->nb <= SCENE_BODIES && model->n_joints <= SCENE_JOINTS);
    s->dim = model->dim;
    s->n_bodies = model->nb;
    s->n_joints = model->n_joints;
    memcpy(s->gravity, model->gravity, sizeof s->gravity);
    for (int i = 0; i < model->nb; i++) scene_read_body(model, i, &s->body[i]);
    for (int i = 0; i < model->n_joints; i++) scene_read_joint(model, i, &s->joint[i]);
}

/* ---- writing ---- */

static inline void scene_turn(const scene_frame *f, const double *x, double *out) {
    double R[9];
    hol__quat_matrix(f->p, R);
    hol__mul3(R, x, out);
}

static inline void scene_put_vector(mech_text *to, int dim, const double *x, double factor) {
    put(to, "[%.17g, %.17g", factor * x[0], factor * x[1]);
    put(to, dim == 3 ? ", %.17g]" : "]", factor * x[2]);
}

/* A point or a direction as the frame has it. */
static inline void scene_put_point(mech_text *to, const scene *s, const scene_frame *f,
                                   const double *x) {
    double out[3];
    scene_turn(f, x, out);
    hol__add3(out, f->d, out);
    scene_put_vector(to, s->dim, out, f->length);
}

static inline void scene_put_direction(mech_text *to, const scene *s, const scene_frame *f,
                                       const double *x) {
    double out[3];
    scene_turn(f, x, out);
    scene_put_vector(to, s->dim, out, 1);
}

/* Lines of text with P(…) and D(…) replaced. */
static inline void scene_put_lines(mech_text *to, const scene *s, const scene_frame *f,
                                   const char *text) {
    for (const char *c = text; *c; c++) {
        const int is_point = strncmp(c, "P(", 2) == 0, is_direction = strncmp(c, "D(", 2) == 0;
        if (!is_point && !is_direction) {
            put(to, "%c", *c);
            continue;
        }
        double x[3] = {0, 0, 0};
        const int n = sscanf(c + 2, "%lf , %lf , %lf", &x[0], &x[1], &x[2]);
        assert_int_equal(n, s->dim);
        if (is_point)
            scene_put_point(to, s, f, x);
        else
            scene_put_direction(to, s, f, x);
        c = strchr(c, ')');
        assert_non_null(c);
    }
}

static inline void scene_put_body(mech_text *to, const scene *s, const scene_frame *f,
                                  const scene_body *b) {
    const double J = f->mass * f->length * f->length;
    double p[4], v[3];
    put(to, "  %s: {mass: %.17g, position: ", b->name, f->mass * b->mass);
    scene_put_point(to, s, f, b->r);
    put(to, ", com: ");
    scene_put_vector(to, s->dim, b->com, f->length);
    hol__quat_mul(f->p, b->p, p);
    scene_turn(f, b->v, v);
    if (s->dim == 2) {
        put(to, ", inertia: %.17g, angle: %.17g", J * b->J[8], 2 * atan2(p[3], p[0]));
        if (b->given[2]) put(to, ", omega: %.17g", b->w[2]);
    } else {
        put(to, ", inertia: [%.17g, %.17g, %.17g, %.17g, %.17g, %.17g]", J * b->J[0], J * b->J[4],
            J * b->J[8], J * b->J[1], J * b->J[2], J * b->J[5]);
        put(to, ", orientation: {quaternion: [%.17g, %.17g, %.17g, %.17g]}", p[0], p[1], p[2],
            p[3]);
        if (b->given[3])
            put(to, ", omega: [%.17g, %.17g, %.17g], omega_frame: body", b->w[0], b->w[1], b->w[2]);
    }
    if (b->given[0]) {
        put(to, ", velocity: ");
        scene_put_vector(to, s->dim, v, f->length);
    }
    put(to, "}\n");
}

static inline void scene_put_joint(mech_text *to, const scene *s, const scene_frame *f,
                                   const scene_joint *j) {
    put(to, "  %s: {type: %s, bodies: [%s, %s], at: ", j->name, j->type, j->body[0], j->body[1]);
    scene_put_point(to, s, f, j->at);
    if (j->has_axis) {
        put(to, ", axis: ");
        scene_put_direction(to, s, f, j->axis);
    }
    if (j->has_second) {
        put(to, ", axis_second: ");
        scene_put_direction(to, s, f, j->axis_second);
    }
    if (j->has_x) {
        put(to, ", x_axis: ");
        scene_put_direction(to, s, f, j->x_axis);
    }
    put(to, "%s}\n", j->rest);
}

/* The scene as a model file. */
static inline void scene_write(const scene *s, const scene_frame *f, mech_text *to) {
    double g[3];
    to->used = 0;
    scene_turn(f, s->gravity, g);
    put(to, "holonom: 1\nspace: %s\ngravity: ", s->dim == 2 ? "planar" : "spatial");
    scene_put_vector(to, s->dim, g, f->length);
    put(to, "\nbodies:\n");
    for (int i = 0; i < s->n_bodies; i++) scene_put_body(to, s, f, &s->body[i]);
    put(to, "joints:\n");
    for (int i = 0; i < s->n_joints; i++) scene_put_joint(to, s, f, &s->joint[i]);
    if (s->forces[0]) {
        put(to, "forces:\n");
        scene_put_lines(to, s, f, s->forces);
    }
    put(to, "simulation: {%s}\n", s->simulation);
}

/* ---- changing ---- */

/* Bodies and joints in another order: step through them by `stride`, which has no factor in common
 * with their numbers. */
static inline scene scene_permuted(const scene *s, int stride) {
    scene out = *s;
    for (int i = 0; i < s->n_bodies; i++)
        out.body[i] = s->body[(i * stride + s->n_bodies / 2) % s->n_bodies];
    for (int i = 0; i < s->n_joints; i++)
        out.joint[i] = s->joint[(i * stride + s->n_joints / 2) % s->n_joints];
    return out;
}

/* A joint with its bodies in the other order. */
static inline void scene_reverse(scene_joint *j) {
    const scene_joint old = *j;
    memcpy(j->body[0], old.body[1], sizeof old.body[1]);
    memcpy(j->body[1], old.body[0], sizeof old.body[0]);
    if (!old.has_second) return;
    memcpy(j->axis, old.axis_second, sizeof old.axis);
    memcpy(j->axis_second, old.axis, sizeof old.axis);
}

/* The scene with one of its joints given a second time, as the last one, "twin". */
static inline scene scene_doubled(const scene *s, int joint) {
    scene out = *s;
    scene_joint *twin = &out.joint[out.n_joints++];
    *twin = s->joint[joint];
    snprintf(twin->name, sizeof twin->name, "twin");
    return out;
}

#endif

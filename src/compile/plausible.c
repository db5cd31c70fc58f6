/* plausible.c: what a model may well mean and seldom does: warnings that name the element and say
 * how to write that it is meant.
 *
 * No gravity: a file does not mention it. A body that hangs on nothing beside others that do, and
 * is not given a velocity. A joint that is drawn far from its body, or a force that acts far from
 * it: ten times as far as all else is apart. Lengths that look like millimetres: a body of more
 * than ten metres whose radius of gyration is less than a five-hundredth of it (a slender rod has
 * 0.29, a rod with all its mass in a tenth of it 0.03); or a gravity beyond a thousand metres per
 * second squared. An inertia whose radius of gyration is ten times the mechanism. A negative
 * stiffness or damping. A stop that is passed as drawn, or ten times the mechanism away. */
#include "compile/compile.h"

#include "math/vec3.h"
#include "model/fields.h"

#include <math.h>

static const double far_times = 10;        /* of all else */
static const double large_body = 10;       /* metres */
static const double least_gyration = 2e-3; /* of the size of a body */
static const double most_gyration = 10;    /* of the size of the mechanism */
static const double most_gravity = 1e3;    /* m/s^2 */

/* The drawn place of a joint on its body i. */
static void joint_place(const hol_model *model, const hol__element *joint, int i, double at[3]) {
    hol__drawn_point(model, joint->body[i], joint->marker[i].s, at);
}

/* Whether an element is a joint of the file that has a place. */
static int has_place(const hol__element *e) {
    return e->params && e->n_parts > 0 && (e->lock & 7u);
}

static void check_gravity(hol__build *build) {
    const hol_model *model = build->model;
    const char *zero = model->dim == 2 ? "[0, 0]" : "[0, 0, 0]",
               *usual = model->dim == 2 ? "[0, -9.81]" : "[0, 0, -9.81]";
    const hol__node *node = hol__node_get(build->spec->root, "gravity");
    if (!node && build->model->source[0])
        hol__warn(build->ctx, NULL, NULL,
                  "there is no gravity; write 'gravity: %s', or 'gravity: %s' if that is meant",
                  usual, zero);
    if (node && hol__norm3(model->gravity) > most_gravity)
        hol__warn(build->ctx, &node->where, "gravity",
                  "%.6g m/s^2: lengths are in metres unless they carry a unit",
                  hol__norm3(model->gravity));
}

/* Mark the bodies that elements of a list hold or load. */
static void mark_bodies(const hol__element *e, int n, unsigned char *marks) {
    for (int i = 0; i < n; i++) marks[e[i].body[0]] = marks[e[i].body[1]] = 1;
}

/* Whether the file says how a body starts to move: it is meant to fly. */
static int starts_in_motion(const hol__body *b) {
    int given = 0;
    for (int k = 0; k < 6; k++) given |= b->given[k];
    return given || b->motion;
}

static void check_connected(hol__build *build) {
    const hol_model *model = build->model;
    unsigned char *marks = HOL__NEW_N(build->arena, unsigned char, model->nb + 1);
    if (!marks || model->n_joints == 0) return;
    mark_bodies(model->joints, model->n_joints, marks);
    mark_bodies(model->forces, model->n_forces, marks);
    for (int i = 0; i < model->nb; i++)
        if (!marks[i] && !starts_in_motion(&model->bodies[i]))
            hol__warn(build->ctx, &model->bodies[i].where, model->bodies[i].label,
                      "is connected to nothing: no joint and no force names it");
}

/* The largest distance between mass centres and joints, one joint left out. */
static double size_without(const hol_model *model, int left_out) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    int points = 0;
    for (int i = 0; i < model->nb + 2 * model->n_joints; i++) {
        const int joint = (i - model->nb) / 2;
        double at[3];
        if (i < model->nb) {
            const double none[3] = {0, 0, 0};
            hol__drawn_point(model, i, none, at);
        } else if (joint != left_out && has_place(&model->joints[joint])) {
            joint_place(model, &model->joints[joint], (i - model->nb) % 2, at);
        } else {
            continue;
        }
        points++;
        for (int k = 0; k < 3; k++) low[k] = fmin(low[k], at[k]), high[k] = fmax(high[k], at[k]);
    }
    const double d[3] = {high[0] - low[0], high[1] - low[1], high[2] - low[2]};
    return points > 1 ? hol__norm3(d) : 0;
}

/* The distance of a joint from the mass centre of its body i; 0 for ground. */
static double arm(const hol_model *model, const hol__element *joint, int i) {
    return joint->body[i] < model->nb ? hol__norm3(joint->marker[i].s) : 0;
}

/* The joint that is farthest from the mass centre of one of its bodies. */
static void check_far_joint(hol__build *build) {
    const hol_model *model = build->model;
    int farthest = -1, end = 0;
    double distance = 0;
    for (int j = 0; j < model->n_joints; j++)
        for (int i = 0; i < 2 && has_place(&model->joints[j]); i++)
            if (arm(model, &model->joints[j], i) > distance)
                distance = arm(model, &model->joints[j], i), farthest = j, end = i;
    if (farthest < 0) return;
    const hol__element *e = &model->joints[farthest];
    const double size = size_without(model, farthest);
    if (size > 0 && distance > far_times * size)
        hol__warn(build->ctx, &e->where, e->label,
                  "is drawn %.4g m from the mass centre of %s, and all else lies within %.4g m; "
                  "check its place",
                  distance, model->bodies[e->body[end]].label, size);
}

/* The distance of a point of a force, by its key, from the mass centre of the body it belongs to; 0
 * where that is the ground, or the key has no numbers. */
static double reach(const hol_model *model, const hol__element *e, const hol__key *key, int body) {
    const double none[3] = {0, 0, 0};
    double at[3] = {0, 0, 0}, centre[3];
    if (!key || key->kind != HOL__KEY_POINT || body >= model->nb ||
        hol__field_numbers(model, e->params, key, at, 3) < model->dim)
        return 0;
    hol__drawn_point(model, body, none, centre);
    for (int k = 0; k < 3; k++) at[k] -= centre[k];
    return hol__norm3(at);
}

/* A force that acts far from its body. */
static void check_far_force(hol__build *build) {
    static const char *const words[] = {"from", "to"};
    const hol_model *model = build->model;
    const double size = size_without(model, -1);
    for (int i = 0; i < model->n_forces && size > 0; i++)
        for (int k = 0; k < 2 && model->forces[i].params; k++) {
            const hol__element *e = &model->forces[i];
            const double distance =
                reach(model, e, hol__key_find(e->params->keys, words[k]), e->body[k]);
            if (!(distance > far_times * size)) continue;
            hol__warn(
                build->ctx, hol__field_where(e->params, words[k]), e->label,
                "acts %.4g m from the mass centre of %s, and all bodies and joints lie within "
                "%.4g m; check `%s` and its unit",
                distance, model->bodies[e->body[k]].label, size, words[k]);
            return;
        }
}

/* The radius of gyration of a body, the largest of its axes. */
static double gyration(const hol_model *model, const hol__body *b) {
    const double J = model->dim == 2 ? b->inertia : fmax(b->J[0], fmax(b->J[4], b->J[8]));
    return b->mass > 0 ? sqrt(J / b->mass) : 0;
}

static void check_millimetres(hol__build *build) {
    const hol_model *model = build->model;
    for (int j = 0; j < model->n_joints; j++)
        for (int i = 0; i < 2 && has_place(&model->joints[j]); i++) {
            const hol__element *e = &model->joints[j];
            const double size = arm(model, e, i);
            const hol__body *b = size > large_body ? &model->bodies[e->body[i]] : NULL;
            const double radius = b ? gyration(model, b) : 0;
            if (!b || radius <= 0 || radius >= least_gyration * size) continue;
            hol__warn(build->ctx, &b->where, b->label,
                      "has a joint %.4g m from its mass centre and a radius of gyration of %.3g m; "
                      "if the lengths are millimetres, write them so, e.g. '%.4g mm'",
                      size, radius, size);
            return;
        }
}

/* An inertia that is far too large for the mass and the size of the mechanism. */
static void check_inertia(hol__build *build) {
    const hol_model *model = build->model;
    const double size = size_without(model, -1);
    for (int i = 0; i < model->nb; i++) {
        const hol__body *b = &model->bodies[i];
        const double radius = gyration(model, b);
        if (!(size > 0) || !(radius > most_gyration * size)) continue;
        hol__warn(build->ctx, &b->where, b->label,
                  "its inertia and its mass have a radius of gyration of %.3g m, and the mechanism "
                  "is %.3g m large; check both and their units",
                  radius, size);
    }
}

/* Stiffnesses and dampings that are negative, and so drive what they should hold. */
static void check_signs(hol__build *build) {
    static const char *const words[] = {"stiffness", "damping"};
    const hol_model *model = build->model;
    for (int i = 0; i < model->n_forces; i++)
        for (int k = 0; k < 2 && model->forces[i].params; k++) {
            const hol__element *e = &model->forces[i];
            const hol__key *key = hol__key_find(e->params->keys, words[k]);
            double x = 0;
            if (!key || hol__field_numbers(model, e->params, key, &x, 1) != 1 || !(x < 0)) continue;
            hol__warn(build->ctx, hol__field_where(e->params, words[k]), e->label,
                      "its %s is negative, so that it %s", words[k],
                      k ? "feeds energy into the motion" : "pushes away from where it is at rest");
        }
}

/* One end of a travel that is measured from the drawn position, 0: on the wrong side of it (`side`
 * is 1 for an upper end) where no joint starts elsewhere, or farther than the mechanism can go.
 * Turns that look like degrees are told where they are read. */
static void check_end(hol__build *build, const hol__element *e, const char *word, double end,
                      int side, double size) {
    const char *unit = e->pushes ? "m" : "rad";
    if (side * end < 0 && !build->n_starts)
        hol__warn(
            build->ctx, hol__field_where(e->params, word), e->label,
            "the joint stands %.4g %s beyond this end as it is drawn, so that the stop pushes "
            "from the start; ends are measured from the drawn position",
            fabs(end), unit);
    else if (e->pushes && side * end > far_times * size && size > 0)
        hol__warn(build->ctx, hol__field_where(e->params, word), e->label,
                  "its %s end is %.4g m from the drawn position, and all bodies and joints lie "
                  "within %.4g m; check `%s` and its unit",
                  word, fabs(end), size, word);
}

/* Ends of travels that are passed as drawn, or out of reach. */
static void check_travels(hol__build *build) {
    static const char *const words[] = {"lower", "upper"};
    const hol_model *model = build->model;
    const double size = size_without(model, -1);
    for (int i = 0; i < model->n_forces; i++)
        for (int k = 0; k < 2 && model->forces[i].params; k++) {
            const hol__element *e = &model->forces[i];
            const hol__key *key = hol__key_find(e->params->keys, words[k]);
            double end = 0;
            if (key && hol__field_numbers(model, e->params, key, &end, 1) == 1)
                check_end(build, e, words[k], end, k ? 1 : -1, size);
        }
}

void hol__compile_doubts(hol__build *build) {
    if (build->only_reference || build->variant || build->shift) return;
    check_gravity(build);
    check_connected(build);
    check_far_joint(build);
    check_far_force(build);
    check_millimetres(build);
    check_inertia(build);
    check_signs(build);
    check_travels(build);
}

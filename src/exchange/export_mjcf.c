/* export_mjcf.c: a robot as MuJoCo's MJCF.
 *
 * Bodies are where they are at the start, where the coordinate of a joint is `ref`. Links of no
 * mass are written as further joints of the body that they carry. Angles are radians.
 */
#include "exchange/export.h"
#include "exchange/geometry.h"

#include "math/eig3.h"
#include "math/quat.h"

#include <math.h>
#include <string.h>

enum { MOST_DEPTH = HOL__XML_DEPTH - 10, MOST_STEPS = 6 };

typedef struct writer {
    hol_export *ex;
    const hol__robot *robot;
    hol__text *out;
    int *first, *next; /* joints below each body (0: the ground), and beside each other */
    char *busy;        /* bodies that something refers to by name */
    double least;      /* lighter bodies without inertia are links */
} writer;

/* ---- parts ---- */

static void indent(writer *w, int depth) {
    hol__text_add(w->out, "%*s", 2 * depth, "");
}

/* pos and quat, where they are not those of the frame around. */
static void write_frame(writer *w, const hol__placement *at) {
    double r[3], q[4];
    for (int i = 0; i < 3; i++) r[i] = hol__clean(at->r[i], fmax(w->robot->size, 1e-3));
    for (int i = 0; i < 4; i++) q[i] = hol__clean(at->q[i], 1);
    if (!hol__all_zero(r, 3)) hol__export_numbers(w->ex, "pos", 3, r);
    if (!hol__all_zero(q + 1, 3)) hol__export_numbers(w->ex, "quat", 4, q);
}

/* By principal axes, which are found here: MuJoCo leaves 1e-12 kg m^2 of the others. */
static void write_inertial(writer *w, const hol__robot_body *b, int depth) {
    double e[3] = {b->J[0], b->J[4], b->J[8]}, V[9], q[4];
    const int none = hol__all_zero(b->J, 9);
    const int turned = b->J[1] != 0 || b->J[2] != 0 || b->J[5] != 0;
    for (int i = 0; i < 3 && none; i++) e[i] = 1e-12;
    indent(w, depth);
    hol__text_add(w->out, "<inertial");
    hol__export_numbers(w->ex, "pos", 3, b->com);
    hol__export_numbers(w->ex, "mass", 1, &b->mass);
    if (turned) {
        hol__eigen3(b->J, e, V);
        const double R[9] = {V[0], V[3], V[6], V[1], V[4], V[7], V[2], V[5], V[8]};
        hol__quat_from_matrix(R, q);
        hol__export_numbers(w->ex, "quat", 4, q);
    }
    hol__export_numbers(w->ex, "diaginertia", 3, e);
    hol__text_add(w->out, "/>\n");
    if (none)
        hol__note_at(w->ex->im, HOL_IMPORT_CHANGED, (hol_location){w->ex->model->source, 1, 1},
                     b->called, "its inertia is 0, and 1e-12 kg m^2 there: MuJoCo wants one");
}

static void write_shapes(writer *w, const hol__robot_body *b, int depth) {
    for (const hol__drawn *d = b->drawn; d; d = d->next) {
        const int box = strcmp(d->type, "box") == 0, round = strcmp(d->type, "cylinder") == 0;
        double size[3] = {d->size[0], d->size[1] / 2, 0};
        for (int i = 0; i < 3 && box; i++) size[i] = d->size[i] / 2;
        indent(w, depth);
        hol__text_add(w->out, "<geom type=\"%s\"", d->type);
        hol__export_numbers(w->ex, "size", box ? 3 : round ? 2 : 1, size);
        write_frame(w, &d->at);
        double rgba[4];
        if (hol__color_numbers(d->color, rgba)) hol__export_numbers(w->ex, "rgba", 4, rgba);
        hol__text_add(w->out, " contype=\"0\" conaffinity=\"0\" group=\"1\"/>\n");
    }
}

/* The sites of springs and ropes at a body. */
static void write_sites(writer *w, int body, int depth) {
    for (const hol__strand *s = w->ex->strands; s; s = s->next)
        for (int k = 0; k < 2; k++) {
            if (s->body[k] != body) continue;
            indent(w, depth);
            hol__text_add(w->out, "<site");
            hol__export_word(w->ex, "name",
                             hol__arena_format(&w->ex->im->arena, "%s_%d", s->name, k + 1));
            hol__export_numbers(w->ex, "pos", 3, s->at[k]);
            hol__text_add(w->out, "/>\n");
        }
}

static void attribute(writer *w, const char *name, double x) {
    if (x != 0) hol__export_numbers(w->ex, name, 1, &x);
}

/* A joint in the body that it carries. */
static void write_joint(writer *w, const hol__robot_joint *j, const hol__robot_body *body,
                        int depth) {
    static const char *const types[] = {
        [HOL__JOINT_HINGE] = "hinge", [HOL__JOINT_SLIDE] = "slide", [HOL__JOINT_BALL] = "ball"};
    const hol__placement back = hol__placement_inverse(&body->at);
    double at[3], axis[3];
    if (j->kind == HOL__JOINT_FIXED) return;
    indent(w, depth);
    if (j->kind == HOL__JOINT_FREE) {
        hol__text_add(w->out, "<freejoint/>\n");
        return;
    }
    hol__text_add(w->out, "<joint");
    hol__export_word(w->ex, "name", j->called);
    hol__text_add(w->out, " type=\"%s\"", types[j->kind]);
    hol__placement_point(&back, j->at, at);
    hol__placement_turn(&back, j->axis, axis);
    for (int i = 0; i < 3; i++) at[i] = hol__clean(at[i], fmax(w->robot->size, 1e-3));
    for (int i = 0; i < 3; i++) axis[i] = hol__clean(axis[i], 1);
    if (!hol__all_zero(at, 3)) hol__export_numbers(w->ex, "pos", 3, at);
    if (j->kind != HOL__JOINT_BALL) hol__export_numbers(w->ex, "axis", 3, axis);
    attribute(w, "ref", j->ref);
    attribute(w, "stiffness", j->stiffness);
    if (j->stiffness != 0) attribute(w, "springref", j->spring_at);
    attribute(w, "damping", j->damping);
    attribute(w, "armature", j->armature);
    attribute(w, "frictionloss", j->friction);
    if (j->lower > -HUGE_VAL || j->upper < HUGE_VAL) {
        const double range[2] = {fmax(j->lower, -1e6), fmin(j->upper, 1e6)};
        hol__text_add(w->out, " limited=\"true\"");
        hol__export_numbers(w->ex, "range", 2, range);
    }
    hol__text_add(w->out, "/>\n");
}

/* ---- bodies ---- */

/* Whether a body is written as further joints of the one that it carries. */
static int is_link(const writer *w, int body) {
    const hol__robot_body *b = &w->robot->bodies[body];
    const int child = w->first[body + 1];
    if (!b->link && (b->mass > w->least || !hol__all_zero(b->J, 9))) return 0;
    return child >= 0 && w->next[child] < 0 && !w->busy[body] && !b->drawn;
}

/* A body with all that hangs on it. */
static void write_body(writer *w, int joint, int parent, int depth) {
    const hol__placement world = HOL__PLACEMENT_ZERO;
    int steps[MOST_STEPS], n = 0;
    steps[n++] = joint;
    int body = w->robot->joints[joint].child;
    while (n < MOST_STEPS && w->robot->joints[joint].kind != HOL__JOINT_FREE && is_link(w, body)) {
        steps[n++] = w->first[body + 1];
        body = w->robot->joints[steps[n - 1]].child;
    }
    const hol__robot_body *b = &w->robot->bodies[body];
    const hol__placement *around = parent < 0 ? &world : &w->robot->bodies[parent].at;
    const hol__placement back = hol__placement_inverse(around);
    const hol__placement at = hol__placement_mul(&back, &b->at);
    if (depth > MOST_DEPTH) {
        hol__error(w->ex->im->ctx, NULL, b->called,
                   "the chain to it is longer than %d bodies, which MJCF cannot nest", MOST_DEPTH);
        return;
    }
    indent(w, depth);
    hol__text_add(w->out, "<body");
    hol__export_word(w->ex, "name", b->called);
    write_frame(w, &at);
    attribute(w, "gravcomp", b->carried);
    hol__text_add(w->out, ">\n");
    for (int i = 0; i < n; i++) write_joint(w, &w->robot->joints[steps[i]], b, depth + 1);
    write_inertial(w, b, depth + 1);
    write_shapes(w, b, depth + 1);
    write_sites(w, body, depth + 1);
    for (int j = w->first[body + 1]; j >= 0; j = w->next[j]) write_body(w, j, body, depth + 1);
    indent(w, depth);
    hol__text_add(w->out, "</body>\n");
}

/* ---- what is beside the tree ---- */

static const char *body_name(const writer *w, int body) {
    return body < 0 ? "world" : w->robot->bodies[body].called;
}

/* A constraint between two bodies: the first is not the ground. */
static void write_closing(writer *w, const char *element, const char *name, int a, int b,
                          const double anchor[3]) {
    const int first = a < 0 ? b : a, second = a < 0 ? a : b;
    hol__text_add(w->out, "    <%s", element);
    hol__export_word(w->ex, "name", name);
    hol__export_word(w->ex, "body1", body_name(w, first));
    if (second >= 0) hol__export_word(w->ex, "body2", body_name(w, second));
    if (anchor) {
        const hol__placement back = hol__placement_inverse(&w->robot->bodies[first].at);
        double local[3];
        hol__placement_point(&back, anchor, local);
        hol__export_numbers(w->ex, "anchor", 3, local);
    }
    hol__text_add(w->out, "/>\n");
}

/* Joints that close loops: a hinge holds two points of its axis. */
static void write_loops(writer *w) {
    for (int i = 0; i < w->robot->n_joints; i++) {
        const hol__robot_joint *j = &w->robot->joints[i];
        if (!j->closes) continue;
        write_closing(w, j->kind == HOL__JOINT_FIXED ? "weld" : "connect", j->called, j->parent,
                      j->child, j->kind == HOL__JOINT_FIXED ? NULL : j->at);
        if (j->kind != HOL__JOINT_HINGE || w->ex->model->dim == 2) continue;
        double other[3];
        const double d = w->robot->size > 0 ? 0.25 * w->robot->size : 0.1;
        for (int k = 0; k < 3; k++) other[k] = j->at[k] + d * j->axis[k];
        write_closing(w, "connect", hol__arena_format(&w->ex->im->arena, "%s_axis", j->called),
                      j->parent, j->child, other);
    }
}

static void write_couplings(writer *w) {
    for (const hol__coupling *c = w->ex->couplings; c; c = c->next) {
        double p[5] = {c->value / c->factors[0], c->n > 1 ? -c->factors[1] / c->factors[0] : 0};
        if (c->n > 2) {
            hol__text_add(w->out, "    <tendon");
            hol__export_word(w->ex, "name", c->name);
            hol__export_word(w->ex, "tendon1", c->name);
            p[0] = c->value, p[1] = 0;
        } else {
            hol__text_add(w->out, "    <joint");
            hol__export_word(w->ex, "name", c->name);
            hol__export_word(w->ex, "joint1", w->robot->joints[c->joints[0]].called);
            if (c->n > 1) hol__export_word(w->ex, "joint2", w->robot->joints[c->joints[1]].called);
        }
        hol__export_numbers(w->ex, "polycoef", 5, c->is_poly ? c->poly : p);
        hol__text_add(w->out, "/>\n");
    }
}

static void write_tendons(writer *w) {
    for (const hol__coupling *c = w->ex->couplings; c; c = c->next) {
        if (c->n <= 2) continue;
        hol__text_add(w->out, "    <fixed");
        hol__export_word(w->ex, "name", c->name);
        hol__text_add(w->out, ">");
        for (int i = 0; i < c->n; i++) {
            hol__text_add(w->out, "<joint");
            hol__export_word(w->ex, "joint", w->robot->joints[c->joints[i]].called);
            hol__export_numbers(w->ex, "coef", 1, &c->factors[i]);
            hol__text_add(w->out, "/>");
        }
        hol__text_add(w->out, "</fixed>\n");
    }
    for (const hol__strand *s = w->ex->strands; s; s = s->next) {
        const double range[2] = {0, s->length};
        hol__text_add(w->out, "    <spatial");
        hol__export_word(w->ex, "name", s->name);
        if (s->is_rope) {
            hol__text_add(w->out, " limited=\"true\"");
            hol__export_numbers(w->ex, "range", 2, range);
        } else {
            attribute(w, "stiffness", s->stiffness);
            attribute(w, "damping", s->damping);
            if (s->stiffness != 0) hol__export_numbers(w->ex, "springlength", 1, &s->length);
        }
        hol__text_add(w->out, ">");
        for (int k = 1; k <= 2; k++) {
            hol__text_add(w->out, "<site");
            hol__export_word(w->ex, "site",
                             hol__arena_format(&w->ex->im->arena, "%s_%d", s->name, k));
            hol__text_add(w->out, "/>");
        }
        hol__text_add(w->out, "</spatial>\n");
    }
}

static void write_efforts(writer *w) {
    for (const hol__effort *f = w->ex->efforts; f; f = f->next) {
        const int law = !hol__all_zero(f->b, 3);
        hol__text_add(w->out, "    <%s", law ? "general" : "motor");
        hol__export_word(w->ex, "name", f->name);
        hol__export_word(w->ex, "joint", w->robot->joints[f->joint].called);
        if (law) {
            hol__text_add(w->out, " gainprm=\"0\" biastype=\"affine\"");
            hol__export_numbers(w->ex, "biasprm", 3, f->b);
        }
        hol__text_add(w->out, "/>\n");
    }
}

/* A section, where it has something in it. */
static void section(writer *w, const char *name, void (*write)(writer *w)) {
    const size_t before = w->out->length;
    hol__text_add(w->out, "  <%s>\n", name);
    const size_t start = w->out->length;
    write(w);
    if (w->out->length == start)
        w->out->length = before;
    else
        hol__text_add(w->out, "  </%s>\n", name);
}

static void write_equalities(writer *w) {
    write_loops(w);
    write_couplings(w);
}

/* ---- all ---- */

/* The joints below each body, bodies that are referred to, what counts as no mass. */
static int connect(writer *w) {
    const hol__robot *robot = w->robot;
    hol__arena *arena = &w->ex->im->arena;
    w->first = HOL__NEW_N(arena, int, robot->n_bodies + 1);
    w->next = HOL__NEW_N(arena, int, robot->n_joints + 1);
    w->busy = HOL__NEW_N(arena, char, robot->n_bodies + 1);
    if (!w->first || !w->next || !w->busy) return 0;
    for (int i = 0; i <= robot->n_bodies; i++) w->first[i] = -1;
    for (int i = 0; i < robot->n_bodies; i++)
        w->least = fmax(w->least, 1e-10 * robot->bodies[i].mass);
    for (int i = robot->n_joints - 1; i >= 0; i--) {
        const hol__robot_joint *j = &robot->joints[i];
        if (j->closes) {
            if (j->parent >= 0) w->busy[j->parent] = 1;
            if (j->child >= 0) w->busy[j->child] = 1;
            continue;
        }
        w->next[i] = w->first[j->parent + 1];
        w->first[j->parent + 1] = i;
    }
    for (const hol__strand *s = w->ex->strands; s; s = s->next)
        for (int k = 0; k < 2; k++)
            if (s->body[k] >= 0) w->busy[s->body[k]] = 1;
    return 1;
}

void hol__export_mjcf(hol_export *ex) {
    writer w = {.ex = ex, .robot = &ex->im->robot, .out = &ex->out};
    if (!connect(&w)) return;
    hol__text_add(w.out, "<mujoco");
    hol__export_word(ex, "model", ex->model->name);
    hol__text_add(w.out, ">\n  <compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n  <option");
    hol__export_numbers(ex, "gravity", 3, ex->model->gravity);
    hol__text_add(w.out, "/>\n  <default>\n    <equality solref=\"0.004 1\" solimp=\"0.9999 0.9999 "
                         "0.001\"/>\n  </default>\n  <worldbody>\n");
    write_sites(&w, HOL__GROUND, 2);
    for (int j = w.first[0]; j >= 0; j = w.next[j]) write_body(&w, j, HOL__GROUND, 2);
    hol__text_add(w.out, "  </worldbody>\n");
    section(&w, "equality", write_equalities);
    section(&w, "tendon", write_tendons);
    section(&w, "actuator", write_efforts);
    hol__text_add(w.out, "</mujoco>\n");
}

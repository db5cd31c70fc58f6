/* actuated.c: the coordinates along which actuators push.
 *
 * B is found as the rate for each unit velocity: exact, since it is linear.
 */
#include "analysis/actuated.h"

#include "compile/compile.h"
#include "element/joints.h"

#include <holonom/matrix.h>
#include <holonom/spec.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int hol__is_driver(const hol_model *model, int joint) {
    return joint >= 0 && (model->joints[joint].type == &hol__joint_driver ||
                          model->joints[joint].type == &hol__joint_motor);
}

/* The row of a joint that has one row. */
static int row_of(const hol_model *m, int joint) {
    for (int i = 0; i < m->m; i++)
        if (m->row_joint[i] == joint) return i;
    return -1;
}

/* Whether the kind of force tells the quantity. */
static int tells(const char *type, const char *quantity) {
    hol_quantity_doc doc = {.size = sizeof doc};
    for (int i = 0; hol_element_quantity("forces", type, i, &doc) == HOL_OK; i++)
        if (strcmp(doc.name, quantity) == 0) return 1;
    return 0;
}

/* ---- measures ---- */

/* A measure of that name with what it measures. */
static hol_status add_measure(hol_spec *spec, const char *name, const char *type, const char *key,
                              const char *element, const char *what, const char *which) {
    hol_item *item = hol_spec_add(spec, "measures", name, type);
    if (!item) return HOL_ERR_MEMORY;
    hol_status status = hol_item_text(item, key, element);
    return status ? status : hol_item_text(item, what, which);
}

/* Names of the measures of actuator i. */
enum { NAME = 64 };

static const char *measure_name(int i, const char *what, char buf[NAME]) {
    snprintf(buf, NAME, "actuator%d_%s", i, what);
    return buf;
}

/* The joint that a name begins with, "slide" of "slide.angle", and its component; -1: none. */
static int find_joint(const hol_model *m, const char *name, const char **component) {
    char joint[256];
    const char *dot = strrchr(name, '.');
    const int whole = hol_model_joint(m, name);
    *component = NULL;
    if (whole >= 0 || !dot || (size_t)(dot - name) >= sizeof joint) return whole;
    memcpy(joint, name, (size_t)(dot - name));
    joint[dot - name] = '\0';
    *component = dot + 1;
    return hol_model_joint(m, joint);
}

/* Say that there is no such actuator: which velocities a body has, or what was meant. */
static hol_status no_actuator(hol_context *ctx, const hol_model *m, const char *what,
                              const char *name) {
    hol__near near = hol__near_start(name);
    for (int i = 0; i < m->nb; i++) {
        const size_t n = strlen(m->bodies[i].name);
        if (strncmp(m->bodies[i].name, name, n) != 0 || (name[n] && name[n] != '.')) continue;
        return hol__report(ctx, HOL_ERROR, HOL_ERR_INPUT, &m->bodies[i].where, m->bodies[i].label,
                           "'%s' is none of its velocities, which are %s (write %s.x)", name,
                           m->dim == 2 ? "x, y and angle" : "x, y, z, omega_x, omega_y and omega_z",
                           m->bodies[i].name);
    }
    for (int i = 0; i < m->n_joints; i++) hol__near_try(&near, m->joints[i].name);
    for (int i = 0; i < m->n_forces; i++) hol__near_try(&near, m->forces[i].name);
    if (near.best)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, what,
                           "there is no joint or force '%s'; did you mean '%s'?", name, near.best);
    return hol__report(ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, what, "there is no joint or force '%s'",
                       name);
}

/* The measure of a joint's rate. */
static hol_status measure_joint(hol_context *ctx, hol_spec *spec, const hol_model *m, int joint,
                                const char *component, int i, hol__actuator *a) {
    const hol__element *e = &m->joints[joint];
    char name[NAME];
    int slides = e->slides;
    if (m->dim == 3 && !e->type->late && !hol__key_find(e->type->keys, "axis"))
        return hol__report(ctx, HOL_ERROR, HOL_ERR_INPUT, &e->where, e->label,
                           "a %s joint has no axis to push along; name a velocity of a body, such "
                           "as %.80s.omega_z",
                           e->type->name,
                           m->bodies[e->body[0] < m->nb ? e->body[0] : e->body[1]].name);
    if (component && strcmp(component, "angle") != 0 && strcmp(component, "displacement") != 0)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_INPUT, &e->where, e->label,
                           "an actuator pushes along its 'angle' or its 'displacement', not along "
                           "'%s'",
                           component);
    if (component) slides = *component == 'd';
    a->unit = slides ? "N" : "N*m";
    return add_measure(spec, measure_name(i, "rate", name), "joint_coordinate", "joint", e->name,
                       "component", slides ? "displacement_rate" : "angle_rate");
}

/* Those of a force: its rate and the load that it has. */
static hol_status measure_force(hol_context *ctx, hol_spec *spec, const hol_model *m, int force,
                                int i, hol__actuator *a) {
    const hol__element *e = &m->forces[force];
    const int line = tells(e->type->name, "tension");
    char name[NAME];
    if (!tells(e->type->name, "rate") || (!line && !tells(e->type->name, "torque")))
        return hol__report(ctx, HOL_ERROR, HOL_ERR_INPUT, &e->where, e->label,
                           "a force of the type `%s` has no coordinate that it pushes along; name "
                           "a joint, or a spring or a damper along a line or about an axis",
                           e->type->name);
    a->unit = line ? "N" : "N*m";
    a->sign = line ? -1 : 1; /* a tension shortens */
    a->present = 0;
    hol_status status = add_measure(spec, measure_name(i, "rate", name), "load", "force", e->name,
                                    "quantity", "rate");
    if (status) return status;
    return add_measure(spec, measure_name(i, "load", name), "load", "force", e->name, "quantity",
                       line ? "tension" : "torque");
}

/* Whether it is a body with a dot and one of its components behind it. */
static int is_velocity(const hol_model *m, const char *name) {
    static const char *const planar[] = {"x", "y", "angle", NULL}, *const spatial[] = {
                                                                       "x",       "y",
                                                                       "z",       "omega_x",
                                                                       "omega_y", "omega_z",
                                                                       NULL};
    char body[256];
    const char *dot = strrchr(name, '.');
    if (!dot || (size_t)(dot - name) >= sizeof body) return 0;
    memcpy(body, name, (size_t)(dot - name));
    body[dot - name] = '\0';
    if (hol__model_named(m, HOL__BODIES, body) < 0) return 0;
    for (const char *const *word = m->dim == 2 ? planar : spatial; *word; word++)
        if (strcmp(dot + 1, *word) == 0) return 1;
    return 0;
}

/* What actuator i is in the model, with its measures in the description. */
static hol_status add_actuator(hol_context *ctx, hol__actuated *out, hol_spec *spec,
                               const hol_model *m, const char *what, const hol_actuator *about,
                               int flags, int i) {
    hol__actuator *a = &out->actuators[i];
    const char *component;
    *a = (hol__actuator){.name = hol__arena_text(&out->arena, about->name),
                         .weight = about->weight > 0 ? about->weight : 1,
                         .low = about->low,
                         .high = about->high,
                         .driver = -1,
                         .row = -1,
                         .velocity = -1,
                         .rate = -1,
                         .present = -1,
                         .sign = 1};
    if ((flags & HOL__ONLY_VELOCITIES) && is_velocity(m, about->name)) return HOL_OK;
    const int joint = find_joint(m, about->name, &component),
              force = hol__model_named(m, HOL__FORCES, about->name);
    /* a body and a joint of one name: `car.y` is the body's */
    if (component && strcmp(component, "angle") != 0 && is_velocity(m, about->name)) return HOL_OK;
    if (hol__is_driver(m, joint)) {
        a->unit = m->joints[joint].pushes ? "N" : "N*m";
        a->row = a->driver = joint; /* its row is known when the model is compiled */
        return HOL_OK;
    }
    if (joint >= 0) return measure_joint(ctx, spec, m, joint, component, i, a);
    if (force >= 0) return measure_force(ctx, spec, m, force, i, a);
    if (is_velocity(m, about->name)) return HOL_OK; /* found when the model is compiled */
    return no_actuator(ctx, m, what, about->name);
}

/* ---- the model ---- */

/* The velocity of that name. */
static void find_velocity(const hol_model *m, hol__actuator *a) {
    char name[256];
    for (int i = 0; i < m->nv && a->velocity < 0; i++) {
        hol_model_velocity_name(m, i, name, sizeof name);
        if (strcmp(name, a->name) == 0) a->velocity = i;
    }
    a->unit = a->velocity >= 0 && hol__is_turn(m, a->velocity) ? "N*m" : "N";
}

/* Find rows and columns in the model with the measures. */
void hol__actuated_resolve(hol__actuated *out) {
    char name[NAME];
    for (int i = 0; out->power && i < out->model->n_forces; i++)
        out->power[i] = hol__model_named(out->model, HOL__COLUMNS, measure_name(i, "power", name));
    for (int i = 0; i < out->n; i++) {
        hol__actuator *a = &out->actuators[i];
        if (a->driver >= 0) {
            a->row = row_of(out->model, a->driver);
            continue;
        }
        a->rate = hol__model_named(out->model, HOL__COLUMNS, measure_name(i, "rate", name));
        if (a->rate < 0) find_velocity(out->model, a);
        if (a->present >= 0)
            a->present = hol__model_named(out->model, HOL__COLUMNS, measure_name(i, "load", name));
    }
}

/* The description again, from the text that the model keeps. */
static hol_spec *read_again(hol_context *ctx, const hol_model *m) {
    hol_spec *spec = hol_spec_new(ctx);
    if (spec && hol_spec_set_include_root(spec, "") == HOL_OK &&
        hol_spec_read_text(spec, m->text, m->source) == HOL_OK)
        return spec;
    hol_spec_free(spec);
    return NULL;
}

/* A measure of the power of every force. */
static hol_status add_powers(hol__actuated *out, hol_spec *spec, const hol_model *m) {
    hol_status status = HOL_OK;
    char name[NAME];
    out->power = HOL__NEW_N(&out->arena, int, m->n_forces + 1);
    if (!out->power) return HOL_ERR_MEMORY;
    for (int i = 0; i < m->n_forces && !status; i++)
        status = add_measure(spec, measure_name(i, "power", name), "load", "force",
                             m->forces[i].name, "quantity", "power");
    return status;
}

/* The arrays for states. */
static hol_status make_room(hol__actuated *out) {
    const hol_model *m = out->model;
    hol__arena *arena = &out->arena;
    out->body = HOL__NEW_N(arena, int, m->nb + 1);
    out->q = HOL__NEW_N(arena, double, m->nq + 1);
    out->v = HOL__NEW_N(arena, double, m->nv + 1);
    out->a = HOL__NEW_N(arena, double, m->nv + 1);
    out->unit = HOL__NEW_N(arena, double, 2 * m->nv + 1);
    out->data = hol_data_new(out->ctx, m);
    return arena->failed || !out->data ? HOL_ERR_MEMORY : HOL_OK;
}

/* The model with its measures; what is wrong with one of these is said of the actuator. */
static hol_status compile(hol__actuated *x, const hol_spec *spec) {
    hol_context *quiet = hol__context_like(x->ctx);
    x->model = x->whole = quiet ? hol_model_compile(quiet, spec, "reference") : NULL;
    hol_status status = x->model ? HOL_OK : HOL_ERR_INPUT;
    for (int i = 0; quiet && i < hol_message_count(quiet) && status; i++) {
        const hol_message *m = hol_message_get(quiet, i);
        if (m->severity != HOL_ERROR) continue;
        const int own = m->element && strncmp(m->element, "measure 'actuator", 17) == 0;
        const int k = own ? atoi(m->element + 17) : 0;
        status = hol__report(x->ctx, HOL_ERROR, m->status < 0 ? m->status : HOL_ERR_INPUT,
                             own ? NULL : &m->where, own ? x->actuators[k].name : m->element, "%s",
                             m->text);
    }
    hol_context_free(quiet);
    return status;
}

hol_status hol__actuated_new(hol_context *ctx, const hol_model *model, const char *what, int n,
                             const hol_actuator *about, int flags, hol__actuated *out) {
    *out = (hol__actuated){.ctx = ctx, .hash = model->hash, .n = n};
    hol__arena_init(&out->arena, ctx);
    out->actuators = HOL__NEW_N(&out->arena, hol__actuator, n + 1);
    if (!out->actuators) return HOL_ERR_MEMORY;
    hol_spec *spec = read_again(ctx, model);
    hol_status status = spec ? HOL_OK : HOL_ERR_INPUT;
    for (int i = 0; i < n && !status; i++)
        status = add_actuator(ctx, out, spec, model, what, &about[i], flags, i);
    if (!status && (flags & HOL__WITH_POWERS)) status = add_powers(out, spec, model);
    if (!status) status = compile(out, spec);
    hol_spec_free(spec);
    if (!status) status = make_room(out);
    if (!status) hol__actuated_resolve(out);
    return status;
}

void hol__actuated_free(hol__actuated *a) {
    hol_data_free(a->data);
    if (a->model != a->whole) hol__model_release(a->model);
    hol_model_free(a->whole);
    hol__arena_free(&a->arena);
}

/* ---- states ---- */

/* Find our bodies among those of another model. */
static hol_status match_bodies(hol__actuated *x, const hol_model *from) {
    const hol_model *m = x->model;
    if (from->dim != m->dim)
        return hol__report(x->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "motion",
                           "the motion and the model are not both planar or both spatial");
    for (int i = 0; i < m->nb; i++) {
        const int k = hol__model_named(from, HOL__BODIES, m->bodies[i].name);
        if (k < 0)
            return hol__report(x->ctx, HOL_ERROR, HOL_ERR_INPUT, &m->bodies[i].where,
                               m->bodies[i].label, "the motion has no body of that name");
        for (int j = 0; j < m->dim; j++)
            if (!(fabs(from->bodies[k].com[j] - m->bodies[i].com[j]) <=
                  64 * DBL_EPSILON * m->length))
                return hol__report(x->ctx, HOL_ERROR, HOL_ERR_INPUT, &m->bodies[i].where,
                                   m->bodies[i].label,
                                   "its mass centre is elsewhere in the body of the motion");
        x->body[i] = k;
    }
    const size_t nb = (size_t)from->nb, width = from->dim == 2 ? 3 : 7;
    x->q0 = HOL__NEW_N(&x->arena, double, nb *width + 1);
    x->v0 = HOL__NEW_N(&x->arena, double, nb *width + 1);
    if (!x->q0 || !x->v0) return HOL_ERR_MEMORY;
    x->from = from;
    return HOL_OK;
}

/* Our copy of n numbers a body. */
static void reorder(const hol__actuated *x, size_t n, const double *from, double *to) {
    for (int i = 0; i < x->model->nb; i++)
        memcpy(to + n * (size_t)i, from + n * (size_t)x->body[i], sizeof *to * n);
}

hol_status hol__actuated_take(hol__actuated *x, hol_data *state) {
    const size_t nq = x->model->dim == 2 ? 3 : 7, nv = (size_t)x->model->bw;
    hol_status status = hol__actuated_set(x, state->model);
    hol_data *to = x->data;
    if (!status && state->model != x->from) status = match_bodies(x, state->model);
    if (!status) status = hol_data_update(state, HOL_STAGE_ACC);
    if (!status && state->model->coords->maps) status = hol__data_twin(state);
    if (status) return status;
    const hol_data *from = state->model->coords->maps ? state->twin : state;
    hol__data_bodies_state(from, x->q0, x->v0);
    reorder(x, nq, x->q0, x->q);
    reorder(x, nv, x->v0, x->v);
    reorder(x, nv, from->a, x->a);
    /* theta counts the full turns that the coordinate leaves to the bodies */
    for (int i = 0; to->bodies.b2 && i < x->model->nb; i++) {
        to->bodies.b2[i].turn = from->bodies.b2[x->body[i]].turn;
        x->q[3 * i + 2] -= to->bodies.b2[i].turn;
    }
    if (state->model->hash == x->hash && to->model->n_angles == from->model->n_angles)
        hol__data_take_elements(to, from);
    else
        hol__data_keep_angles(to); /* turns are counted from one state to the next */
    hol_data_set(to, state->t, x->q, x->v);
    status = hol_data_update(to, HOL_STAGE_DYN);
    if (!status) hol__data_psi(to);
    return status;
}

/* ---- directions ---- */

/* The rate of actuator i at the velocities in the data. */
static double rate_of(hol__actuated *a, int i, hol_status *status) {
    double rate = 0;
    if (!*status) *status = hol_data_measure(a->data, a->actuators[i].rate, &rate);
    return rate;
}

hol_status hol__actuated_directions(hol__actuated *a, double *B, double *rates) {
    hol_data *d = a->data;
    const int nv = a->model->nv;
    double *v = a->unit, *rest = a->unit + nv;
    hol_status status = HOL_OK;
    memcpy(v, d->v, sizeof *v * (size_t)nv);
    for (int i = 0; i < a->n; i++) {
        const int row = a->actuators[i].row;
        double *b = B + (size_t)i * (size_t)nv;
        memset(b, 0, sizeof *b * (size_t)nv);
        rates[i] = 0;
        for (int k = row < 0 ? 0 : d->A.ptr[row]; row >= 0 && k < d->A.ptr[row + 1]; k++) {
            b[d->A.idx[k]] = d->A.x[k];
            rates[i] += d->A.x[k] * v[d->A.idx[k]];
        }
        const int velocity = a->actuators[i].velocity;
        if (velocity >= 0) b[velocity] = 1, rates[i] = v[velocity];
        if (row < 0 && velocity < 0) rates[i] = rate_of(a, i, &status);
    }
    for (int j = -1; j < nv && !status; j++) {
        memset(rest, 0, sizeof *rest * (size_t)nv);
        if (j >= 0) rest[j] = 1;
        hol_data_set(d, d->t, d->q, rest);
        status = hol_data_update(d, HOL_STAGE_VEL);
        for (int i = 0; i < a->n && !status; i++) {
            if (a->actuators[i].rate < 0) continue;
            double *b = B + (size_t)i * (size_t)nv;
            const double rate = rate_of(a, i, &status);
            if (j >= 0)
                b[j] += rate;
            else
                for (int l = 0; l < nv; l++) b[l] = -rate;
        }
    }
    hol_data_set(d, d->t, d->q, v);
    return status;
}

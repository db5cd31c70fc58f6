/* measures.c: columns of measures as a computation. A row of the table for each kind of measure
 * that follows from positions and velocities; those of forces, reactions and accelerations are none
 * of a program. */
#include "element/measures.h"
#include "generate/program.h"

#include <string.h>

/* ---- points and axes ---- */

static const void *measure_at(const hol_model *m, int i) {
    return &m->measures[i];
}

static hol__ref measure_number(hol__program *p, const hol__measure *m, const double *field) {
    return hol__program_number(p, measure_at, (int)(m - p->model->measures), field,
                               HOL__NUMBER_PLACE);
}

/* P = r + R s of marker `which` of a measure, and its velocity. */
static void point(hol__program *p, const hol__measure *m, int which, hol__ref P[3], hol__ref V[3]) {
    hol__dag *d = &p->dag;
    const hol__gbody *b = &p->bodies[m->body[which]];
    const double *s = m->marker[which].s;
    hol__ref arm[3], turn[3];
    for (int i = 0; i < 3; i++) arm[i] = i < p->model->dim ? measure_number(p, m, &s[i]) : d->zero;
    hol__gcross(d, b->w, arm, turn);
    hol__gmul(d, b->R, arm, P);
    hol__gadd(d, b->r, P, P);
    hol__gmul(d, b->R, turn, V);
    hol__gadd(d, b->v, V, V);
}

/* All columns of a vector, or the one that is picked. */
static void put(const hol__measure *m, const hol__ref *x, hol__ref *out) {
    for (int i = 0; i < m->count; i++) out[i] = x[m->component >= 0 ? m->component : i];
}

/* As body[1] sees it, in the axes of body[2]; velocity: V - V_O - w x (P - O). */
static void seen(hol__program *p, const hol__measure *m, int order, hol__ref *out) {
    hol__dag *d = &p->dag;
    const hol__gbody *who = &p->bodies[m->body[1]];
    hol__ref P[3], V[3], O[3], U[3], w[3], t[3];
    point(p, m, 0, P, V);
    if (m->choice) {
        point(p, m, 1, O, U);
        hol__gsub(d, P, O, P);
        hol__gmul(d, who->R, who->w, w);
        hol__gcross(d, w, P, t);
        hol__gsub(d, V, U, V);
        hol__gsub(d, V, t, V);
        hol__gmul_t(d, p->bodies[m->body[2]].R, P, P);
        hol__gmul_t(d, p->bodies[m->body[2]].R, V, V);
    }
    put(m, order ? V : P, out);
}

static int position(hol__program *p, const hol__measure *m, hol__ref *out) {
    seen(p, m, 0, out);
    return 1;
}

static int velocity(hol__program *p, const hol__measure *m, hol__ref *out) {
    seen(p, m, 1, out);
    return 1;
}

/* ---- joints ---- */

/* Component of P2 - P1 along the axis of the first body, and its rate. */
static void displacement(hol__program *p, const hol__measure *m, hol__ref *value, hol__ref *rate) {
    hol__dag *d = &p->dag;
    const hol__gbody *b = &p->bodies[m->body[0]];
    const int z = p->model->dim == 3 ? 2 : 0;
    hol__ref P1[3], V1[3], P2[3], V2[3], axis[3], e[3], edot[3];
    for (int i = 0; i < 3; i++) axis[i] = measure_number(p, m, &m->marker[0].F[3 * i + z]);
    if (p->model->dim == 2) axis[2] = d->zero;
    point(p, m, 0, P1, V1);
    point(p, m, 1, P2, V2);
    hol__gsub(d, P2, P1, P2);
    hol__gsub(d, V2, V1, V2);
    hol__gmul(d, b->R, axis, e);
    hol__gcross(d, b->w, axis, edot);
    hol__gmul(d, b->R, edot, edot);
    *value = hol__gdot(d, e, P2);
    *rate = hol__dag_add(d, hol__gdot(d, e, V2), hol__gdot(d, edot, P2));
}

static int joint_coordinate(hol__program *p, const hol__measure *m, hol__ref *out) {
    hol__ref value, rate;
    if (m->choice == 0) {
        if (!hol__program_has_angle(p, m->angle)) return 0;
        out[0] = hol__program_angle(p, m->angle);
        return 1;
    }
    if (m->choice == 2) {
        if (p->n_models > 1 && p->model->dim == 3) return 0;
        out[0] = hol__program_angle_rate(p, m->body, &m->marker[0]);
        return 1;
    }
    displacement(p, m, &value, &rate);
    out[0] = m->choice == 1 ? value : rate;
    return 1;
}

/* ---- rotations and distances ---- */

static int angle(hol__program *p, const hol__measure *m, hol__ref *out) {
    if (p->n_models > 1 && p->model->dim == 3) return 0;
    out[0] = p->model->dim == 3
                 ? hol__program_angle(p, m->angle)
                 : hol__dag_sub(&p->dag, p->bodies[m->body[1]].theta, p->bodies[m->body[0]].theta);
    return 1;
}

/* w_1 - w, in the axes of body[2]. */
static int angular_velocity(hol__program *p, const hol__measure *m, hol__ref *out) {
    hol__dag *d = &p->dag;
    hol__ref w[2][3];
    for (int i = 0; i < 2; i++)
        hol__gmul(d, p->bodies[m->body[i]].R, p->bodies[m->body[i]].w, w[i]);
    hol__gsub(d, w[0], w[1], w[0]);
    if (p->model->dim == 2) {
        out[0] = w[0][2];
        return 1;
    }
    hol__gmul_t(d, p->bodies[m->body[2]].R, w[0], w[0]);
    put(m, w[0], out);
    return 1;
}

/* |P2 - P1|, or its rate; a distance of 0 has none. */
static int distance(hol__program *p, const hol__measure *m, hol__ref *out) {
    hol__dag *d = &p->dag;
    hol__ref P1[3], V1[3], P2[3], V2[3];
    point(p, m, 0, P1, V1);
    point(p, m, 1, P2, V2);
    hol__gsub(d, P2, P1, P2);
    hol__gsub(d, V2, V1, V2);
    const hol__ref l = hol__dag_1(d, HOL__OP_SQRT, hol__gdot(d, P2, P2));
    out[0] = m->choice ? hol__dag_over(d, hol__gdot(d, P2, V2), l) : l;
    return 1;
}

/* ---- expressions ---- */

static int expression(hol__program *p, const hol__measure *m, hol__ref *out) {
    const int n = p->model->n_inputs;
    hol__ref *inputs = HOL__NEW_N(&p->dag.arena, hol__ref, n + 1);
    if (!inputs) {
        p->dag.status = HOL_ERR_MEMORY;
        return 0;
    }
    if (hol__program_mentions(p, hol__expr_text(m->e)) || !hol__program_inputs(p, m->e, inputs))
        return 0;
    out[0] = hol__program_law(p, m->e, inputs);
    return 1;
}

/* ---- the table ---- */

typedef struct kind {
    const char *name;
    int (*write)(hol__program *p, const hol__measure *m, hol__ref *out);
} kind;

static const kind kinds[] = {{"position", position},
                             {"velocity", velocity},
                             {"joint_coordinate", joint_coordinate},
                             {"angle", angle},
                             {"angular_velocity", angular_velocity},
                             {"distance", distance},
                             {"expression", expression}};

static const hol__measure *measure_of(const hol_model *model, int column) {
    for (int i = 0; i < model->n_measures; i++) {
        const hol__measure *m = &model->measures[i];
        if (column >= m->first && column < m->first + m->count) return m;
    }
    return NULL;
}

hol__ref hol__program_column(hol__program *p, int column, const char **why) {
    const hol__measure *m = measure_of(p->model, column);
    *why = "it reads a measure that generated code does not compute";
    if (p->column[column] != HOL__COLUMN_OPEN) return p->column[column];
    for (int i = 0; m && i < m->count; i++) p->column[m->first + i] = -1;
    for (size_t i = 0; m && i < sizeof kinds / sizeof *kinds; i++) {
        hol__ref out[16];
        if (strcmp(kinds[i].name, m->kind->name) != 0 || m->count > 16) continue;
        if (kinds[i].write(p, m, out))
            memcpy(&p->column[m->first], out, sizeof *out * (size_t)m->count);
    }
    return p->column[column];
}

int hol__program_inputs(hol__program *p, const hol__expr *e, hol__ref *inputs) {
    const char *why;
    int at;
    for (int i = 0; i < p->model->n_inputs; i++) inputs[i] = -1;
    inputs[0] = p->t;
    for (int i = 0; (at = hol__expr_read(e, i)) >= 0; i++) {
        if (at == 0 || at > p->model->n_columns) continue;
        inputs[at] = hol__program_column(p, at - 1, &why);
        if (inputs[at] < 0) return 0;
    }
    return 1;
}

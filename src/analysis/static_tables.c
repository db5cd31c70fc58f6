/* static_tables.c: see static_tables.h. */
#include "analysis/static_tables.h"

#include "analysis/steady.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 256, MAX_STIFFNESS = 40 };

/* Names and units of the columns of a vector table. */
typedef struct heading {
    const char *name, *unit;
} heading;

static void set_columns(hol__sheet *sheet, const heading *h, int n) {
    for (int i = 0; i < n; i++) hol__sheet_column(sheet, i, h[i].name, h[i].unit);
}

static const heading places[2][7] = {
    {{"x", "m"}, {"y", "m"}, {"angle", "rad"}},
    {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"p0", ""}, {"p1", ""}, {"p2", ""}, {"p3", ""}},
};

static const heading wrenches[2][6] = {
    {{"fx", "N"}, {"fy", "N"}, {"moment", "N*m"}},
    {{"fx", "N"}, {"fy", "N"}, {"fz", "N"}, {"mx", "N*m"}, {"my", "N*m"}, {"mz", "N*m"}},
};

/* How many columns places (0) and wrenches (1) have. */
static int width(const hol_model *m, int wrench) {
    return m->dim == 2 ? 3 : wrench ? 6 : 7;
}

/* The position of a body: the origin of its frame, and the angle or the quaternion. */
static void place_of(hol_data *data, int body, double *row) {
    hol_pose pose;
    hol_data_body_pose(data, body, &pose);
    memcpy(row, pose.r, sizeof(double) * (size_t)data->model->dim);
    if (data->bodies.b2)
        row[2] = data->bodies.b2[body].theta;
    else
        memcpy(row + 3, data->bodies.b3[body].p, 4 * sizeof *row);
}

hol__sheet *hol__static_positions_sheet(hol_answer *answer, const hol_model *m) {
    hol__sheet *sheet = hol__answer_sheet(
        answer, "positions",
        m->dim == 2 ? "positions of the bodies: origin and angle of their frames"
                    : "positions of the bodies: origin and unit quaternion of their frames",
        width(m, 0));
    set_columns(sheet, places[m->dim == 3], width(m, 0));
    return sheet;
}

void hol__static_positions_add(hol__sheet *sheet, hol_data *data, const char *prefix) {
    char name[NAME];
    for (int i = 0; i < data->model->nb; i++) {
        snprintf(name, sizeof name, "%s%s", prefix, data->model->bodies[i].name);
        double *row = hol__sheet_add(sheet, name);
        if (row) place_of(data, i, row);
    }
}

/* A force and a moment in a row. */
static void put_wrench(const hol_model *m, const double *force, const double *moment, double *row) {
    if (!row) return;
    memcpy(row, force, sizeof(double) * (size_t)m->dim);
    if (m->dim == 2)
        row[2] = moment[2];
    else
        memcpy(row + 3, moment, 3 * sizeof *row);
}

/* What the first body of each joint receives. */
static hol_status add_reactions(hol_answer *answer, hol_data *data) {
    const hol_model *m = data->model;
    if (!m->n_joints) return HOL_OK;
    hol__sheet *sheet = hol__answer_sheet(
        answer, "reactions", "reactions: what the first body of a joint receives, global frame",
        width(m, 1) + 1);
    set_columns(sheet, wrenches[m->dim == 3], width(m, 1));
    hol__sheet_column(sheet, width(m, 1), "unique", "");
    for (int i = 0; i < m->n_joints; i++) {
        hol_reaction r = {.size = sizeof r};
        if (m->joints[i].off && !m->joints[i].rigid) continue;
        const hol_status status = hol_data_reaction(data, i, &r);
        if (status < 0 && status != HOL_ERR_SINGULAR) return status;
        double *row = hol__sheet_add(sheet, m->joints[i].name);
        put_wrench(m, r.force, r.moment, row);
        if (row) row[width(m, 1)] = r.unique;
    }
    return HOL_OK;
}

/* What the first body of each force receives. */
static hol_status add_loads(hol_answer *answer, hol_data *data) {
    const hol_model *m = data->model;
    if (!m->n_forces) return HOL_OK;
    hol__sheet *sheet = hol__answer_sheet(
        answer, "loads", "loads: what the first body of a force receives, global frame",
        width(m, 1));
    set_columns(sheet, wrenches[m->dim == 3], width(m, 1));
    for (int i = 0; i < m->n_forces; i++) {
        hol_load load = {.size = sizeof load};
        if (m->forces[i].off) continue;
        const hol_status status = hol_data_force(data, i, &load);
        if (status) return status;
        put_wrench(m, load.force, load.moment, hol__sheet_add(sheet, m->forces[i].name));
    }
    return HOL_OK;
}

int hol__static_numbers(const hol_model *m) {
    return m->n_columns ? m->n_columns : m->nb * width(m, 0);
}

void hol__static_number_name(const hol_model *m, int i, char *name, size_t size,
                             const char **unit) {
    if (m->n_columns) {
        snprintf(name, size, "%s", m->columns[i].name);
        *unit = m->columns[i].unit ? m->columns[i].unit : "";
        return;
    }
    const heading *h = &places[m->dim == 3][i % width(m, 0)];
    snprintf(name, size, "%s.%s", m->bodies[i / width(m, 0)].name, h->name);
    *unit = h->unit;
}

hol_status hol__static_numbers_at(hol_data *data, double *out) {
    const hol_model *m = data->model;
    if (m->n_columns) return hol__measure_all(data, out);
    for (int i = 0; i < m->nb; i++) place_of(data, i, out + i * width(m, 0));
    return HOL_OK;
}

/* All measures, a row each. */
static hol_status add_measures(hol_answer *answer, hol_data *data) {
    const hol_model *m = data->model;
    if (!m->n_columns) return HOL_OK;
    double *values = HOL__NEW_N(&answer->arena, double, m->n_columns);
    if (!values) return HOL_ERR_MEMORY;
    const hol_status status = hol__measure_all(data, values);
    if (status < 0) return status;
    hol__sheet *sheet = hol__answer_sheet(answer, "measures", "measures", 1);
    hol__sheet_column(sheet, 0, "value", "");
    for (int i = 0; i < m->n_columns; i++) {
        double *row = hol__sheet_add(sheet, m->columns[i].name);
        hol__sheet_row_unit(sheet, i, m->columns[i].unit ? m->columns[i].unit : "");
        hol__sheet_row_shown(sheet, i, hol__model_asked_unit(m, i));
        if (row) *row = values[i];
    }
    return HOL_OK;
}

/* The eigenvalues of the reduced stiffness, told by their directions. */
static void add_stiffness(hol_answer *answer, const hol__static *s, const hol__rest *rest) {
    char direction[2 * NAME], name[2 * NAME + 16];
    if (!rest->n) return;
    hol__sheet *sheet = hol__answer_sheet(
        answer, "stiffness",
        rest->n > MAX_STIFFNESS ? "stiffness along the softest directions"
                                : "stiffness along the directions that the joints leave",
        rest->symmetric ? 1 : 2);
    hol__sheet_column(sheet, 0, "stiffness", "N/m");
    if (!rest->symmetric) hol__sheet_column(sheet, 1, "imaginary", "N/m");
    for (int k = 0; k < rest->n && k < MAX_STIFFNESS; k++) {
        hol__static_tell(s, rest->motion + (size_t)k * (size_t)rest->n, direction,
                         sizeof direction);
        snprintf(name, sizeof name, "%d: %s", k + 1, direction);
        double *row = hol__sheet_add(sheet, name);
        if (!row) return;
        row[0] = rest->value[k];
        if (!rest->symmetric) row[1] = rest->imaginary[k];
    }
}

/* A steady motion may be held by its turning where its stiffness is negative, and a motion of the
 * whole may grow where it is positive: the small motions decide. */
static hol__rest_verdict verdict_of(const hol__rest *rest, const hol__frame *frame) {
    if (!frame) return rest->verdict;
    if (frame->growing) return HOL__REST_UNSTABLE;
    return rest->n_negative ? HOL__REST_OPEN : rest->verdict;
}

/* The verdict and what it rests on. */
static void add_verdict(hol_answer *answer, const hol__static *s, const hol__rest *rest,
                        const hol__frame *frame) {
    char direction[2 * NAME];
    const hol__rest_verdict verdict = verdict_of(rest, frame);
    hol__answer_text(answer, "equilibrium", "equilibrium", "%s",
                     rest->n ? hol__rest_word(verdict) : "held: nothing is free to move");
    if (!rest->n) return;
    if (frame) hol__answer_number(answer, "growing", "small motions that grow", frame->growing, "");
    if (frame && verdict == HOL__REST_OPEN && rest->n_negative)
        hol__answer_text(answer, "note_turning", "note",
                         "turning holds it, and not its stiffness: no small motion grows, but "
                         "damping may change that; see holonom linearize");
    hol__answer_number(answer, "least_stiffness", "least stiffness", rest->value[0], "N/m");
    hol__static_tell(s, rest->motion, direction, sizeof direction);
    hol__answer_text(answer, "softest_direction", "in the direction", "%s", direction);
    hol__answer_number(answer, "unstable_directions", "unstable directions", rest->n_negative, "");
    hol__answer_number(answer, "neutral_directions", "neutral directions", rest->n_zero, "");
    for (int k = 0, n = 0; k < rest->n && rest->n_zero && n < 3; k++) {
        char key[32];
        if (rest->value[k] != 0 || rest->imaginary[k] != 0) continue;
        snprintf(key, sizeof key, "neutral_%d", ++n);
        hol__static_tell(s, rest->motion + (size_t)k * (size_t)rest->n, direction,
                         sizeof direction);
        hol__answer_text(answer, key, n == 1 ? "nothing holds" : "", "%s", direction);
    }
    if (!rest->symmetric)
        hol__answer_text(answer, "note_symmetry", "note",
                         "the stiffness is not symmetric (forces without a potential)%s",
                         rest->flutters ? ", and vibrations may grow: damping decides; see holonom "
                                          "linearize"
                                        : "");
    if (rest->integrators)
        hol__answer_text(answer, "note_states", "note",
                         "the stiffness is that at fixed values of integrating states");
}

hol_status hol__static_tables(hol_answer *answer, hol__static_case *c, const hol__equilibrium *e) {
    hol__static *s = c->system;
    hol__rest *rest;
    hol_energy energy;
    hol_status status = hol__rest_new(s, &rest);
    if (status) return status;
    add_verdict(answer, s, rest, c->frame);
    status = hol__equilibrium_solve(s);
    if (!status) status = hol__data_energy(c->data, &energy);
    if (!status) {
        hol__answer_number(answer, "potential_energy", "potential energy", energy.potential, "J");
        hol__answer_number(answer, "freedoms", "degrees of freedom", s->n, "");
        hol__answer_number(answer, "time", "time", c->data->t, "s");
        hol__answer_number(answer, "moved", "largest displacement of a body", e->moved, "m");
        hol__answer_number(answer, "residual", "residual over the largest force", e->residual, "");
        hol__answer_number(answer, "iterations", "iterations", e->iterations, "");
        hol__static_positions_add(hol__static_positions_sheet(answer, c->data->model), c->data, "");
        status = add_reactions(answer, c->data);
    }
    if (!status) status = add_loads(answer, c->data);
    if (!status) status = add_measures(answer, c->data);
    if (!status) add_stiffness(answer, s, rest);
    hol__rest_free(rest);
    return status;
}

/* equations.c: the equations of motion at the state of a simulation as tables with names. */
#include "analysis/equations.h"

#include "base/argument.h"
#include "base/text.h"
#include "coords/tree.h"
#include "dyn/data.h"

#include <holonom/equations.h>
#include <holonom/matrix.h>

#include <stdio.h>
#include <string.h>

enum { NAME = 256 };

/* ---- names and units ---- */

/* What a row of constraints measures: a displacement, a plain number (angles, products of unit
 * vectors), or what it couples (gears, racks, drivers), whose unit the row does not say: it is told
 * without one, in SI units. */
typedef enum measured { OPEN, LENGTH, PLAIN } measured;

static measured row_measures(const hol_model *m, int row) {
    static const struct {
        const char *words;
        measured what;
    } kinds[] = {{"translation", LENGTH}, {"distance", LENGTH},
                 {"contact", LENGTH},     {"gap", LENGTH},
                 {"height", LENGTH},      {"length of its segment", LENGTH},
                 {"rotation", PLAIN},     {"angle", PLAIN},
                 {"right angle", PLAIN},  {"length of its unit vector", PLAIN}};
    const char *direction = m->rows[row].direction;
    for (size_t i = 0; direction && i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(direction, kinds[i].words, strlen(kinds[i].words)) == 0) return kinds[i].what;
    return OPEN;
}

/* The unit of a row at a level: of Phi (0), of A v (1), of A v' (2), of its multiplier (3). */
static const char *row_unit(const hol_model *m, int row, int level) {
    static const char *const units[][4] = {
        [OPEN] = {"", "", "", ""},
        [LENGTH] = {"m", "m/s", "m/s^2", "N"},
        [PLAIN] = {"", "1/s", "1/s^2", "N*m"},
    };
    return units[row_measures(m, row)][level];
}

/* What velocity i is at a level: its unit (1), that of its rate (2), of the force along it (3). */
static const char *velocity_unit(const hol_model *m, int i, int level) {
    const char *unit = hol_model_velocity_unit(m, i);
    if (level == 1) return unit;
    if (strcmp(unit, "m/s") == 0) return level == 2 ? "m/s^2" : "N";
    if (strcmp(unit, "rad/s") == 0) return level == 2 ? "rad/s^2" : "N*m";
    return level == 2 ? "1/s^2" : "N*m";
}

static void velocity_name(const hol_model *m, int i, char name[NAME]) {
    hol_model_velocity_name(m, i, name, NAME);
}

void hol__equations_row_name(const hol_model *m, int i, char *name, size_t size) {
    const int joint = m->row_joint[i];
    snprintf(name, size, "%s: %s", joint < 0 ? m->rows[i].element : m->joints[joint].name,
             m->rows[i].direction);
}

/* ---- tables ---- */

/* What the rows or columns of a table are. */
typedef enum side { VELOCITIES, ROWS, FREEDOMS, ONE } side;

static void side_name(const hol_model *m, side what, int i, char name[NAME]) {
    if (what == VELOCITIES)
        velocity_name(m, i, name);
    else if (what == ROWS)
        hol__equations_row_name(m, i, name, NAME);
    else
        snprintf(name, NAME, "z%d", i + 1);
}

/* The unit of row or column i of that side, at a level as above (the level 3 of rows is that of
 * their multipliers). Freedoms of an orthonormal basis mix units: they have none. */
static const char *side_unit(const hol_model *m, side what, int i, int level) {
    if (what == VELOCITIES) return velocity_unit(m, i, level);
    if (what == ROWS) return row_unit(m, i, level);
    return "";
}

/* How a term is told. */
typedef struct shown {
    hol_term term;
    const char *name, *title;
    side rows, columns;
    int level, column_level; /* of the units */
} shown;

/* Fill a table with rows x columns numbers. */
static void add_table(hol_answer *answer, const hol_model *m, const shown *what, int rows,
                      int columns, const double *values) {
    char name[NAME];
    if (!rows || !columns) return;
    hol__sheet *sheet = hol__answer_sheet(answer, what->name, what->title, columns);
    for (int j = 0; j < columns && what->columns != ONE; j++) {
        side_name(m, what->columns, j, name);
        hol__sheet_column(sheet, j, name, side_unit(m, what->columns, j, what->column_level));
    }
    if (what->columns == ONE) hol__sheet_column(sheet, 0, what->name, "");
    for (int i = 0; i < rows; i++) {
        side_name(m, what->rows, i, name);
        double *row = hol__sheet_add(sheet, name);
        hol__sheet_row_unit(sheet, i, side_unit(m, what->rows, i, what->level));
        if (row) memcpy(row, values + (size_t)i * (size_t)columns, sizeof *row * (size_t)columns);
    }
    if (what->columns != ONE) hol__sheet_matrix(sheet);
}

/* A term of the data as a table. */
static hol_status add_term(hol_answer *answer, hol_data *data, const shown *what) {
    hol_size size = {.size = sizeof size};
    hol_status status = hol_data_term_size(data, what->term, &size);
    if (status || !size.rows || !size.columns) return status;
    const int n = size.rows * size.columns;
    double *values = HOL__NEW_N(&answer->arena, double, n);
    if (!values) return HOL_ERR_MEMORY;
    status = hol_data_term(data, what->term, values, n);
    if (!status) add_table(answer, data->model, what, size.rows, size.columns, values);
    return status;
}

/* R^T M R, from the terms. */
static hol_status add_reduced(hol_answer *answer, hol_data *data) {
    static const shown what = {
        HOL_TERM_M, "RMR", "R^T M R, the mass along the free directions", FREEDOMS, FREEDOMS, 0, 0};
    hol_size size = {.size = sizeof size};
    hol_status status = hol_data_term_size(data, HOL_TERM_R, &size);
    const int n = size.rows, k = size.columns;
    if (status || !n || !k) return status;
    double *M = HOL__NEW_N(&answer->arena, double, n *n),
           *R = HOL__NEW_N(&answer->arena, double, n *k),
           *MR = HOL__NEW_N(&answer->arena, double, n *k),
           *RMR = HOL__NEW_N(&answer->arena, double, k *k);
    if (!M || !R || !MR || !RMR) return HOL_ERR_MEMORY;
    status = hol_data_term(data, HOL_TERM_M, M, n * n);
    if (!status) status = hol_data_term(data, HOL_TERM_R, R, n * k);
    if (status) return status;
    for (int i = 0; i < n; i++)
        for (int l = 0; l < n; l++)
            for (int j = 0; j < k; j++) MR[i * k + j] += M[i * n + l] * R[l * k + j];
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++)
            for (int l = 0; l < n; l++) RMR[i * k + j] += R[l * k + i] * MR[l * k + j];
    add_table(answer, data->model, &what, k, k, RMR);
    return HOL_OK;
}

/* The numbers of a state or of multipliers as a vector. */
static void add_vector(hol_answer *answer, const hol_model *m, const char *name, const char *title,
                       side rows, int level, int n, const double *values) {
    const shown what = {HOL_TERM_M, name, title, rows, ONE, level, 0};
    if (values) add_table(answer, m, &what, n, 1, values);
}

static const shown terms[] = {
    {HOL_TERM_M, "M", "M, the mass matrix", VELOCITIES, VELOCITIES, 3, 2},
    {HOL_TERM_Q, "Q", "Q, the forces and what velocities add to them", VELOCITIES, ONE, 3, 0},
    {HOL_TERM_A, "A", "A, the Jacobian of the constraints", ROWS, VELOCITIES, 1, 1},
    {HOL_TERM_PHI, "Phi", "Phi, by how much positions are off the constraints", ROWS, ONE, 0, 0},
    {HOL_TERM_B, "b", "b, A v = b", ROWS, ONE, 1, 0},
    {HOL_TERM_C, "c", "c, A v' = c", ROWS, ONE, 2, 0},
    {HOL_TERM_R, "R", "R, an orthonormal basis of the free directions, A R = 0", VELOCITIES,
     FREEDOMS, 1, 0},
};

void hol__tell_reversed(hol_answer *answer, const hol_model *m) {
    hol__text names;
    int n = 0;
    hol__text_init(&names, answer->arena.ctx);
    for (int i = 0; m->tree && i < m->tree->n; i++) {
        const hol__link *link = &m->tree->links[i];
        if (link->joint < 0 || !link->reversed || !link->nv) continue;
        hol__text_add(&names, "%s%s", n++ ? ", " : "", m->joints[link->joint].name);
    }
    if (n && !names.failed)
        hol__answer_text(answer, "reversed", "reversed",
                         "%s: from the second body to the first, so that the sign is opposite to "
                         "that of the joint's angle or displacement",
                         names.data);
    hol__text_free(&names);
}

/* What is solved, in words. */
static void add_facts(hol_answer *answer, hol_sim *sim) {
    hol_sim_info info = {.size = sizeof info};
    hol_model_info about = {.size = sizeof about};
    hol_sim_describe(sim, &info);
    hol_model_describe(sim->data->model, &about);
    hol__answer_number(answer, "time", "time", sim->data->t, "s");
    hol__answer_text(answer, "coordinates", "coordinates", "%s", about.coordinates);
    hol__tell_reversed(answer, sim->data->model);
    hol__answer_text(answer, "method", "method", "%s", info.method);
    hol__answer_number(answer, "velocities", "velocities", sim->data->model->nv, "");
    hol__answer_number(answer, "constraints", "constraints", sim->data->model->m, "");
    hol__answer_text(answer, "equations", "equations",
                     "M v' + A^T lambda = Q, A v' = c, A v = b, Phi = 0");
}

hol_status hol_equations(hol_context *ctx, hol_sim *sim, hol_answer **out) {
    static const char call[] = "hol_equations";
    if (!ctx || hol__need(ctx, call, "the simulation", sim) ||
        hol__need(ctx, call, "the answer", out))
        return HOL_ERR_ARGUMENT;
    hol_data *data = sim->data;
    *out = NULL;
    hol_answer *answer = hol__answer_of(ctx, "equations", "equations of motion", data->model->name);
    if (!answer) return HOL_ERR_MEMORY;
    add_facts(answer, sim);
    hol_status status = hol_data_update(data, HOL_STAGE_ACC);
    const hol_model *m = data->model;
    for (size_t i = 0; i < sizeof terms / sizeof *terms && !status; i++)
        status = add_term(answer, data, &terms[i]);
    if (!status) status = add_reduced(answer, data);
    if (!status) {
        add_vector(answer, m, "velocities", "v, the velocities", VELOCITIES, 1, m->nv, data->v);
        add_vector(answer, m, "accelerations", "v', the accelerations", VELOCITIES, 2, m->nv,
                   hol_data_acceleration(data));
        add_vector(answer, m, "lambda", "lambda, the multipliers", ROWS, 3, m->m,
                   hol_data_multipliers(data));
    }
    if (!status) status = hol__tell_system(answer, sim);
    return hol__answer_finish(answer, status, out);
}

/* record_constraints.c: the reactions of single constraints as columns of a record, on request
 * [BL 35, 36].
 *
 *     lambda_j               the multiplier of constraint j, M v' + A^T lambda = Q: what it carries
 *                            in its own direction
 *     r_j = -A_j^T lambda_j  its generalised force, in the directions of v: one column for each
 *                            velocity that row j can have
 */
#include "io/record.h"
#include "model/model.h"

#include <holonom/matrix.h>

#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 96 };

/* Whether the options ask for them; a simulation whose constraints come and go refuses that. */
static int is_wanted(const hol_sim *sim) {
    const char *word = "off";
    hol_options_get_choice(hol_sim_options(sim), "constraint_reactions", &word);
    return strcmp(word, "on") == 0;
}

/* How many rows before j hold the same of the same element. */
static int count_same(const hol_model *model, int j) {
    const hol_row *row = hol_model_row(model, j);
    int n = 0;
    for (int i = 0; i < j; i++) {
        const hol_row *other = hol_model_row(model, i);
        n += strcmp(other->element, row->element) == 0 &&
             strcmp(other->direction, row->direction) == 0;
    }
    return n;
}

/* "A.translation x" from "joint 'A'" and the direction; a further row of the same kind counts:
 * "rod.angle of its segments 2". */
static char *row_name(hol__arena *arena, const hol_model *model, int j) {
    const hol_row *row = hol_model_row(model, j);
    const char *open = strchr(row->element, '\''), *close = strrchr(row->element, '\'');
    const int quoted = open && close > open, same = count_same(model, j);
    const char *name = quoted ? open + 1 : row->element;
    const int length = quoted ? (int)(close - open - 1) : (int)strlen(name);
    return same ? hol__arena_format(arena, "%.*s.%s %d", length, name, row->direction, same + 1)
                : hol__arena_format(arena, "%.*s.%s", length, name, row->direction);
}

/* The columns of row j, its entries among the velocities at column[0] … */
static void name_row(hol__constraint_columns *c, hol__arena *arena, const hol_model *model, int j) {
    const char *name = row_name(arena, model, j);
    hol_column *out = c->columns + j + c->start[j];
    if (!name) return;
    *out++ =
        (hol_column){hol__arena_format(arena, "%s.multiplier", name), "", "constraint",
                     "multiplier of the constraint: what it carries in its own direction, N for a "
                     "length and N*m for an angle"};
    for (int k = c->start[j]; k < c->start[j + 1]; k++) {
        char velocity[NAME_SIZE] = "";
        hol_model_velocity_name(model, c->column[k], velocity, sizeof velocity);
        *out++ =
            (hol_column){hol__arena_format(arena, "%s.%s", name, velocity),
                         hol__is_turn(model, c->column[k]) ? "N*m" : "N", "configuration space",
                         "generalised force of the constraint on this velocity"};
    }
}

int hol__constraint_columns_of(hol__constraint_columns *c, hol__arena *arena, hol_sim *sim) {
    hol_data *data = hol_sim_data(sim);
    hol_size size = {.size = sizeof size};
    *c = (hol__constraint_columns){.n = 0};
    if (!is_wanted(sim) || hol_data_term_size(data, HOL_TERM_A, &size)) return 1;
    c->rows = size.rows;
    c->entries = size.entries;
    c->start = HOL__NEW_N(arena, int, size.rows + 1);
    c->column = HOL__NEW_N(arena, int, size.entries + 1);
    c->value = HOL__NEW_N(arena, double, size.entries + 1);
    c->columns = HOL__NEW_N(arena, hol_column, size.rows + size.entries + 1);
    if (arena->failed) return 0;
    hol_data_term_rows(data, HOL_TERM_A, c->start, c->column, c->value, c->entries);
    for (int j = 0; j < c->rows; j++) name_row(c, arena, hol_sim_model(sim), j);
    c->n = size.rows + size.entries;
    return !arena->failed;
}

hol_status hol__constraint_columns_fill(const hol__constraint_columns *c, hol_data *data,
                                        double *out) {
    if (!c->n) return HOL_OK;
    hol_status status = hol_data_update(data, HOL_STAGE_ACC);
    if (!status)
        status = hol_data_term_rows(data, HOL_TERM_A, c->start, c->column, c->value, c->entries);
    if (status) return status;
    const double *lambda = hol_data_multipliers(data);
    for (int j = 0; j < c->rows; j++) {
        *out++ = lambda[j];
        for (int k = c->start[j]; k < c->start[j + 1]; k++) *out++ = -lambda[j] * c->value[k];
    }
    return HOL_OK;
}

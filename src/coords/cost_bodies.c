/* cost_bodies.c: the factorisation of [M A^T; A 0] over the velocities of the bodies, by its
 * pattern. */
#include "coords/cost.h"

/* M: in space the inertias are full. */
static void add_masses(const hol_model *model, hol__couples *to) {
    for (int b = 0; model->dim == 3 && b < model->nb; b++)
        for (int i = 4; i < 6; i++)
            for (int j = 3; j < i; j++) hol__cost_add(to, 6 * b + i, 6 * b + j);
}

/* Row k of a record: what can ever be non-zero. */
static void add_row(const hol_model *model, const hol__con_type *type, const hol__con *con, int k,
                    int row, hol__couples *to) {
    for (int b = 0; b < con->n_bodies; b++) {
        unsigned live = con->body[b] < model->nb ? type->live(con, k, b) : 0;
        for (int c = 0; c < b; c++) /* a body may stand in two slots */
            if (con->body[c] == con->body[b]) live &= ~type->live(con, k, c);
        for (int j = 0; j < model->bw; j++)
            if ((live >> j) & 1) hol__cost_add(to, row, model->bw * con->body[b] + j);
    }
}

/* All entries; returns the number of unknowns. */
static int list(const hol_model *model, hol__couples *to) {
    int row = model->bw * model->nb;
    add_masses(model, to);
    for (int i = 0; i < model->n_con_batches; i++)
        for (int r = 0; r < model->con_batches[i].count; r++) {
            const hol__con *con = hol__con_record(&model->con_batches[i], r);
            for (int k = 0; k < con->n_rows; k++, row++)
                add_row(model, model->con_batches[i].type, con, k, row, to);
        }
    return row;
}

double hol__cost_bodies(const hol_model *model, hol__arena *arena) {
    hol__couples e = {0, NULL, NULL};
    const int size = list(model, &e);
    if (!hol__cost_room(&e, arena)) return 0;
    list(model, &e);
    return hol__cost_pattern(&e, size, model->bw * model->nb, arena);
}

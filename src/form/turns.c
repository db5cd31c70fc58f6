/* turns.c: the rate of increments linearised. See turns.h. */
#include "form/turns.h"

#include <string.h>

/* Width of the differences of rate by d: at d = 0 they are exact for any, because rate is
 * dexp^-1_-d(omega) = omega + d x omega / 2 + an even function of d. */
static const double turn_width = 1e-3;

int hol__turns_init(hol__turns *turns, hol__arena *arena, const hol_model *model) {
    const hol__coords *coords = model->coords;
    *turns =
        (hol__turns){.model = model, .n = coords->rotations ? coords->rotations(model, NULL) : 0};
    turns->turn = HOL__NEW_N(arena, hol__turn, turns->n + 1);
    turns->d = HOL__NEW_N(arena, double, model->nv);
    turns->v = HOL__NEW_N(arena, double, model->nv);
    turns->rate = HOL__NEW_N(arena, double, model->nv);
    int *first = HOL__NEW_N(arena, int, turns->n + 1);
    if (arena->failed) return 0;
    if (turns->n) coords->rotations(model, first);
    for (int b = 0; b < turns->n; b++)
        for (int k = 0; k < 3; k++) turns->turn[b].at[k] = first[b] + k;
    return 1;
}

/* Factor times the rates of the three directions of each rotation is added to column k. */
static void take_column(hol__turns *turns, double factor, int of, int k) {
    for (int b = 0; b < turns->n; b++) {
        hol__turn *to = &turns->turn[b];
        for (int i = 0; i < 3; i++) to->m[of][3 * i + k] += factor * turns->rate[to->at[i]];
    }
}

/* x moved by h in the directions k of all rotations. */
static void move(const hol__turns *turns, double *x, int k, double h) {
    for (int b = 0; b < turns->n; b++) x[turns->turn[b].at[k]] += h;
}

void hol__turn_invert(const double *a, double *out) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int r = (j + 1) % 3, s = (j + 2) % 3, p = (i + 1) % 3, q = (i + 2) % 3;
            out[3 * i + j] = a[3 * r + p] * a[3 * s + q] - a[3 * r + q] * a[3 * s + p];
        }
    const double det = a[0] * out[0] + a[1] * out[3] + a[2] * out[6];
    for (int i = 0; i < 9; i++) out[i] /= det;
}

/* The k-th columns of all rotations at once. */
void hol__turns_fill(hol__turns *turns, const double *d, const double *v) {
    const hol_model *m = turns->model;
    const size_t size = sizeof *d * (size_t)m->nv;
    for (int b = 0; b < turns->n; b++) memset(turns->turn[b].m, 0, sizeof turns->turn[b].m);
    for (int k = 0; k < 3 && turns->n; k++) {
        memset(turns->v, 0, size);
        move(turns, turns->v, k, 1);
        m->coords->rate(m, d, turns->v, turns->rate);
        take_column(turns, 1, HOL__TURN_P, k);
        for (int sign = -1; sign <= 1; sign += 2) {
            memcpy(turns->d, d, size);
            move(turns, turns->d, k, sign * turn_width);
            m->coords->rate(m, turns->d, v, turns->rate);
            take_column(turns, sign / (2 * turn_width), HOL__TURN_E, k);
        }
    }
    for (int b = 0; b < turns->n; b++)
        hol__turn_invert(turns->turn[b].m[HOL__TURN_P], turns->turn[b].m[HOL__TURN_D]);
}

void hol__turns_apply(const hol__turns *turns, int of, double *x) {
    for (int k = 0; k < turns->n; k++) {
        const hol__turn *b = &turns->turn[k];
        const double in[3] = {x[b->at[0]], x[b->at[1]], x[b->at[2]]}, *m = b->m[of];
        for (int i = 0; i < 3; i++)
            x[b->at[i]] = m[3 * i] * in[0] + m[3 * i + 1] * in[1] + m[3 * i + 2] * in[2];
    }
}

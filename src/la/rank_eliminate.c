/* rank_eliminate.c: sparse Gaussian elimination of rows, keeping the row operations.
 *
 * A column that only one row touches makes that row independent of all others: row and column
 * leave. Chains and trees vanish this way. Where loops keep every column in two rows or more, the
 * column with the fewest rows is cleared: the pivot row (its entry at least PIVOT_SHARE of the
 * largest in the column and PIVOT_LEAST by itself; the shortest such row, the earliest among
 * equals) is taken from the others, which is an operation T on the rows:
 *     A' = T A,   z'^T A' = 0  =>  z = T^T z' is a left null vector of A.
 * Rows have unit length at the start and are not scaled again, so that a row that becomes small is
 * seen as dependent.
 */
#include "la/rank_internal.h"
#include "la/tolerances.h"

#include <math.h>

#define PIVOT_SHARE 0.5
#define PIVOT_LEAST 0.05

/* A row has left a column; where one remains, it waits. */
static void leave(hol__rank_work *w, int col) {
    if (--w->col_count[col] != 1 || w->is_single[col]) return;
    w->single[(w->first_single + w->n_single++) % w->n] = col;
    w->is_single[col] = 1;
}

/* The entry of a row in a column; 0 where there is none. */
static double entry_of(const hol__rank_row *row, int col) {
    int low = 0, high = row->count - 1;
    while (low <= high) {
        const int middle = (low + high) / 2;
        if (row->entry[middle].col == col) return row->entry[middle].x;
        if (row->entry[middle].col < col)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return 0;
}

/* Note that a row touches a column. */
static int touch(hol__rank_work *w, int col, int row) {
    int *grown = hol__arena_grow(w->arena, w->col_row[col], sizeof *grown, w->col_len[col],
                                 &w->col_room[col], w->col_len[col] + 1);
    if (!grown) return 0;
    w->col_row[col] = grown;
    grown[w->col_len[col]++] = row;
    w->col_count[col]++;
    return 1;
}

/* The column's list without rows that have gone or no longer touch it, without repetition (lists
 * stay short). */
static void tidy_column(hol__rank_work *w, int col) {
    int n = 0;
    for (int k = 0; k < w->col_len[col]; k++) {
        const int r = w->col_row[col][k];
        int known = w->gone[r] || entry_of(&w->row[r], col) == 0;
        for (int s = 0; s < n && !known; s++) known = w->col_row[col][s] == r;
        if (!known) w->col_row[col][n++] = r;
    }
    w->col_len[col] = w->col_count[col] = n;
}

/* The pivot row of a column, or -1 when no entry is good enough. */
static int choose_row(const hol__rank_work *w, int col) {
    double most = 0;
    int best = -1;
    for (int k = 0; k < w->col_len[col]; k++)
        most = fmax(most, fabs(entry_of(&w->row[w->col_row[col][k]], col)));
    if (most < PIVOT_LEAST) return -1;
    for (int k = 0; k < w->col_len[col]; k++) {
        const int r = w->col_row[col][k];
        if (fabs(entry_of(&w->row[r], col)) < PIVOT_SHARE * most) continue;
        const int shorter = best < 0 || w->row[r].count < w->row[best].count;
        if (shorter || (w->row[r].count == w->row[best].count && r < best)) best = r;
    }
    return best;
}

/* row to <- row to - factor * row from, without the column col. */
static int subtract(hol__rank_work *w, int to, int from, double factor, int col) {
    const hol__rank_row *a = &w->row[to], *b = &w->row[from];
    hol__rank_row sum = {.entry = HOL__NEW_N(w->arena, hol__rank_entry, a->count + b->count),
                         .room = a->count + b->count};
    if (!sum.entry) return 0;
    int i = 0, j = 0;
    while (i < a->count || j < b->count) {
        const int in_a = j == b->count || (i < a->count && a->entry[i].col <= b->entry[j].col);
        const int c = in_a ? a->entry[i].col : b->entry[j].col;
        const int in_b = j < b->count && b->entry[j].col == c;
        const double old = in_a ? a->entry[i++].x : 0, less = in_b ? b->entry[j++].x : 0;
        const double x = old - factor * less;
        if (c == col || fabs(x) < HOL__NOTHING) {
            if (in_a) leave(w, c);
            continue;
        }
        if (!in_a && !touch(w, c, to)) return 0;
        sum.entry[sum.count++] = (hol__rank_entry){c, x};
    }
    w->row[to] = sum;
    hol__rank_step *grown = hol__arena_grow(w->arena, w->step, sizeof *w->step, w->n_steps,
                                            &w->step_room, w->n_steps + 1);
    if (!grown) return 0;
    w->step = grown;
    w->step[w->n_steps++] = (hol__rank_step){to, from, factor};
    return 1;
}

/* Take pivot row r out through column col. */
static int eliminate(hol__rank_work *w, int r, int col) {
    const double pivot = entry_of(&w->row[r], col);
    for (int k = 0; k < w->col_len[col]; k++) {
        const int other = w->col_row[col][k];
        if (other != r && !subtract(w, other, r, entry_of(&w->row[other], col) / pivot, col))
            return 0;
    }
    w->gone[r] = 1;
    w->left--;
    w->smallest = fmin(w->smallest, fabs(pivot));
    for (int k = 0; k < w->row[r].count; k++) leave(w, w->row[r].entry[k].col);
    w->col_count[col] = 0;
    return 1;
}

/* Clear a column that at most width rows touch. How many rows went, -1 without memory. */
static int clear(hol__rank_work *w, int col, int width) {
    if (w->col_count[col] < 1 || w->col_count[col] > width) return 0;
    tidy_column(w, col);
    if (w->col_count[col] < 1 || w->col_count[col] > width) return 0;
    const int r = choose_row(w, col);
    if (r < 0) return 0;
    return eliminate(w, r, col) ? 1 : -1;
}

/* One round over all columns that at most width rows touch; how many rows went, -1 without
 * memory. */
static int round_of(hol__rank_work *w, int width, int few) {
    int went = 0;
    for (int col = 0; col < w->n && w->left > few; col++) {
        const int now = clear(w, col, width);
        if (now < 0) return -1;
        went += now;
    }
    return went;
}

/* The columns that were left with one row: a chain unwinds from its end, link by link. 0 without
 * memory. */
static int unwind(hol__rank_work *w, int few) {
    while (w->n_single && w->left > few) {
        const int col = w->single[w->first_single];
        w->first_single = (w->first_single + 1) % w->n;
        w->n_single--;
        w->is_single[col] = 0;
        if (clear(w, col, 1) < 0) return 0;
    }
    return 1;
}

int hol__rank_eliminate(hol__rank_work *w, int few) {
    for (int width = 1; width <= w->m && w->left > few;) {
        const int went = round_of(w, width, few);
        if (went < 0 || !unwind(w, few)) return 0;
        /* After progress the narrow columns come first again; the step up is gentle to keep the
         * fill low. */
        width = went > 0 ? 2 : width + 1;
        if (width > 64) break;
    }
    return 1;
}

void hol__rank_undo(const hol__rank_work *w, double *z) {
    for (int s = w->n_steps - 1; s >= 0; s--)
        z[w->step[s].from] -= w->step[s].factor * z[w->step[s].to];
}

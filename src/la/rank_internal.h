/* rank_internal.h: the sparse elimination before the dense rank analysis. Private to rank.c and
 * rank_eliminate.c. */
#ifndef HOL_LA_RANK_INTERNAL_H
#define HOL_LA_RANK_INTERNAL_H

#include "base/arena.h"

typedef struct hol__rank_entry {
    int col;
    double x;
} hol__rank_entry;

/* One row with its entries, columns rising. */
typedef struct hol__rank_row {
    hol__rank_entry *entry;
    int count, room;
} hol__rank_row;

/* row "to" had factor * row "from" taken away. */
typedef struct hol__rank_step {
    int to, from;
    double factor;
} hol__rank_step;

/* Rows of one component while they are eliminated. Row numbers are local (0 … m-1), columns too
 * (0 … n-1). */
typedef struct hol__rank_work {
    hol__arena *arena;
    int m, n;
    hol__rank_row *row;
    unsigned char *gone; /* m: eliminated as a pivot row, hence independent */
    int *col_count;      /* n: rows still there that touch the column */
    int **col_row;       /* n: those rows (may name rows that no longer touch it) */
    int *col_len, *col_room;
    /* columns that one row is left in, each once, first come first served: a ring of n */
    int *single, first_single, n_single;
    unsigned char *is_single;
    hol__rank_step *step;
    int n_steps, step_room;
    int left;        /* rows still there */
    double smallest; /* smallest pivot taken */
} hol__rank_work;

/* Eliminate sparsely until at most few rows are left or no good pivot remains. 0 without memory. */
int hol__rank_eliminate(hol__rank_work *work, int few);

/* z (m) <- T^T z: from a left null vector of the reduced rows (zero in pivot rows) to one of the
 * original rows. */
void hol__rank_undo(const hol__rank_work *work, double *z);

#endif

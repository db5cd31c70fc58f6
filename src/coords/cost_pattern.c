/* cost_pattern.c: multiplications to factor a symmetric matrix and to solve with it, by its
 * pattern: ordered and counted as a kernel does. */
#include "coords/cost.h"

#include "la/ldl.h"
#include "la/order.h"

void hol__cost_add(hol__couples *to, int row, int col) {
    if (to->row) to->row[to->n] = row, to->col[to->n] = col;
    to->n++;
}

int hol__cost_room(hol__couples *e, hol__arena *arena) {
    e->row = HOL__NEW_N(arena, int, e->n + 1);
    e->col = HOL__NEW_N(arena, int, e->n + 1);
    e->n = 0;
    return !arena->failed;
}

double hol__cost_pattern(const hol__couples *e, int size, int first_late, hol__arena *arena) {
    int *ptr = HOL__NEW_N(arena, int, size + 2), *idx = HOL__NEW_N(arena, int, 2 * e->n + 1),
        *perm = HOL__NEW_N(arena, int, size + 1);
    unsigned char *late = HOL__NEW_N(arena, unsigned char, size + 1);
    long long filled = 0;
    if (arena->failed) return 0;
    for (int i = first_late; i < size; i++) late[i] = 1;
    for (int k = 0; k < e->n; k++) ptr[e->row[k] + 2]++, ptr[e->col[k] + 2]++;
    for (int i = 0; i < size; i++) ptr[i + 2] += ptr[i + 1];
    for (int k = 0; k < e->n; k++) {
        idx[ptr[e->row[k] + 1]++] = e->col[k];
        idx[ptr[e->col[k] + 1]++] = e->row[k];
    }
    const int failed = hol__order_minimum_degree(arena->ctx, size, ptr, idx, late, perm) != HOL_OK;
    const long long updates =
        failed ? -1 : hol__ldl_count(arena->ctx, size, e->n, e->row, e->col, perm, &filled);
    if (updates < 0) arena->failed = 1;
    return (double)(updates + 2 * filled);
}

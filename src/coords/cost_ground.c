/* cost_ground.c: the closing rows that are left when the tree has been eliminated: two of them are
 * coupled where they come over the same link on ground. */
#include "coords/cost.h"

/* Beyond so many couples the rows count as coupled each to each. */
enum { MOST_COUPLES = 4000000 };

/* The pairs by link: those of link b are at[ptr[b]] … at[ptr[b + 1] - 1]. */
typedef struct by_link {
    int *ptr, *at;
} by_link;

static int sort(const hol__grounded *g, hol__arena *arena, by_link *c) {
    c->ptr = HOL__NEW_N(arena, int, g->links + 2);
    c->at = HOL__NEW_N(arena, int, g->n + 1);
    if (arena->failed) return 0;
    for (int k = 0; k < g->n; k++) c->ptr[g->link[k] + 2]++;
    for (int b = 0; b < g->links; b++) c->ptr[b + 2] += c->ptr[b + 1];
    for (int k = 0; k < g->n; k++) c->at[c->ptr[g->link[k] + 1]++] = k;
    return 1;
}

/* Couples of rows that share a link, each once; mark: by row, the last one it was coupled with. */
static void couple(const hol__grounded *g, const by_link *c, int *mark, hol__couples *to) {
    for (int i = 0; i < g->rows; i++) mark[i] = -1;
    for (int k = 0; k < g->n; k++)
        for (int p = c->ptr[g->link[k]]; p < c->ptr[g->link[k] + 1]; p++) {
            const int i = g->row[k], j = g->row[c->at[p]];
            if (j >= i || mark[j] == i) continue;
            mark[j] = i;
            hol__cost_add(to, i, j);
        }
}

double hol__cost_ground(const hol__grounded *g, hol__arena *arena) {
    const double all = g->rows;
    double most = 0;
    hol__couples e = {0, NULL, NULL};
    by_link c;
    int *mark = HOL__NEW_N(arena, int, g->rows + 1);
    if (!mark || !sort(g, arena, &c)) return 0;
    for (int b = 0; b < g->links; b++) {
        const double over = c.ptr[b + 1] - c.ptr[b];
        most += over * (over - 1) / 2;
    }
    if (most > MOST_COUPLES) return (all + 1) * all * (all - 1) / 6 + all * all;
    couple(g, &c, mark, &e);
    if (!hol__cost_room(&e, arena)) return 0;
    couple(g, &c, mark, &e);
    return hol__cost_pattern(&e, g->rows, g->rows, arena);
}

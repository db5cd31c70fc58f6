/* order.c: minimum degree on the explicit elimination graph.
 *
 * Eliminating node v joins all its neighbours with each other. The node with the fewest neighbours
 * goes next, the lowest number first among equals. Plain and exact: each list is a sorted set of
 * the neighbours that remain; once the rest is a complete graph any order is equally good and the
 * search stops.
 */
#include "la/order.h"

#include <string.h>

typedef struct graph {
    hol_context *ctx;
    int n, left;
    int **list; /* neighbours that remain, rising */
    int *count, *room;
    int *pending; /* early neighbours not yet eliminated, of a late node */
    unsigned char *done;
    int *merged; /* scratch, n */
} graph;

static void graph_free(graph *g) {
    if (g->list)
        for (int i = 0; i < g->n; i++) hol__release(g->ctx, g->list[i]);
    hol__release(g->ctx, g->list);
    hol__release(g->ctx, g->count);
    hol__release(g->ctx, g->room);
    hol__release(g->ctx, g->pending);
    hol__release(g->ctx, g->done);
    hol__release(g->ctx, g->merged);
}

void hol__sort_rising(int *a, int n) {
    for (int i = 1; i < n; i++) {
        const int v = a[i];
        int j = i;
        for (; j > 0 && a[j - 1] > v; j--) a[j] = a[j - 1];
        a[j] = v;
    }
}

/* Copy the pattern into lists of their own. */
static int graph_init(graph *g, hol_context *ctx, int n, const int *ptr, const int *idx,
                      const unsigned char *late) {
    const size_t size = (size_t)n;
    *g = (graph){.ctx = ctx, .n = n, .left = n};
    g->list = hol__alloc(ctx, size, sizeof *g->list);
    g->count = hol__alloc(ctx, size, sizeof *g->count);
    g->room = hol__alloc(ctx, size, sizeof *g->room);
    g->pending = hol__alloc(ctx, size, sizeof *g->pending);
    g->done = hol__alloc(ctx, size, sizeof *g->done);
    g->merged = hol__alloc(ctx, size + 1, sizeof *g->merged);
    if (!g->list || !g->count || !g->room || !g->pending || !g->done || !g->merged) return 0;
    for (int i = 0; i < n; i++) {
        const int count = ptr[i + 1] - ptr[i];
        g->list[i] = hol__alloc(ctx, (size_t)count, sizeof *g->list[i]);
        if (!g->list[i]) return 0;
        if (count) memcpy(g->list[i], idx + ptr[i], (size_t)count * sizeof *idx);
        hol__sort_rising(g->list[i], count);
        g->count[i] = g->room[i] = count;
        if (late && late[i])
            for (int p = ptr[i]; p < ptr[i + 1]; p++) g->pending[i] += !late[idx[p]];
    }
    return 1;
}

/* The eligible node with the fewest neighbours. There is always one: early nodes are never
 * blocked. */
static int next_node(const graph *g) {
    int best = -1;
    for (int i = 0; i < g->n; i++)
        if (!g->done[i] && g->pending[i] == 0 && (best < 0 || g->count[i] < g->count[best]))
            best = i;
    return best;
}

/* list(u) <- list(u) united with list(v), without u and v. */
static int join(graph *g, int u, int v) {
    int n = 0;
    const int *a = g->list[u], *b = g->list[v], *a_end = a + g->count[u], *b_end = b + g->count[v];
    while (a < a_end || b < b_end) {
        int w;
        if (b == b_end || (a < a_end && *a <= *b)) {
            w = *a++;
            if (b < b_end && *b == w) b++;
        } else
            w = *b++;
        if (w != u && w != v) g->merged[n++] = w;
    }
    if (n > g->room[u]) {
        const int room = n + n / 2 + 4;
        int *grown = hol__alloc(g->ctx, (size_t)room, sizeof *grown);
        if (!grown) return 0;
        hol__release(g->ctx, g->list[u]);
        g->list[u] = grown;
        g->room[u] = room;
    }
    memcpy(g->list[u], g->merged, (size_t)n * sizeof *g->merged);
    g->count[u] = n;
    return 1;
}

/* All that remain, early ones first. */
static void finish(graph *g, const unsigned char *late, int *perm, int at) {
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < g->n; i++)
            if (!g->done[i] && (late && late[i] ? 1 : 0) == pass) perm[at++] = i;
}

hol_status hol__order_minimum_degree(hol_context *ctx, int n, const int *ptr, const int *idx,
                                     const unsigned char *late, int *perm) {
    graph g;
    hol_status status = graph_init(&g, ctx, n, ptr, idx, late) ? HOL_OK : HOL_ERR_MEMORY;
    for (int k = 0; status == HOL_OK && k < n; k++) {
        const int v = next_node(&g);
        if (g.count[v] == g.left - 1) {
            finish(&g, late, perm, k);
            break;
        }
        perm[k] = v;
        g.done[v] = 1;
        g.left--;
        for (int p = 0; p < g.count[v] && status == HOL_OK; p++)
            if (!join(&g, g.list[v][p], v)) status = HOL_ERR_MEMORY;
        if (!late || !late[v])
            for (int p = ptr[v]; p < ptr[v + 1]; p++)
                if (late && late[idx[p]]) g.pending[idx[p]]--;
    }
    graph_free(&g);
    return status;
}

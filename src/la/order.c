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
    int *heap;   /* eligible nodes, the one that goes next in front of its two followers */
    int *place;  /* of a node in the heap, -1: it is not in it */
    int in_heap;
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
    hol__release(g->ctx, g->heap);
    hol__release(g->ctx, g->place);
}

void hol__sort_rising(int *a, int n) {
    for (int i = 1; i < n; i++) {
        const int v = a[i];
        int j = i;
        for (; j > 0 && a[j - 1] > v; j--) a[j] = a[j - 1];
        a[j] = v;
    }
}

/* Whether node a goes before node b. */
static int before(const graph *g, int a, int b) {
    return g->count[a] < g->count[b] || (g->count[a] == g->count[b] && a < b);
}

static void put_at(graph *g, int at, int node) {
    g->heap[at] = node;
    g->place[node] = at;
}

/* Put a node where it belongs on the way to the front, from a free place. */
static void rise(graph *g, int at, int node) {
    for (int up; at > 0 && before(g, node, g->heap[up = (at - 1) / 2]); at = up)
        put_at(g, at, g->heap[up]);
    put_at(g, at, node);
}

/* And on the way to the back. */
static void sink(graph *g, int at, int node) {
    for (int down; (down = 2 * at + 1) < g->in_heap; at = down) {
        if (down + 1 < g->in_heap && before(g, g->heap[down + 1], g->heap[down])) down++;
        if (!before(g, g->heap[down], node)) break;
        put_at(g, at, g->heap[down]);
    }
    put_at(g, at, node);
}

/* A node has another number of neighbours than before, or has become eligible. */
static void settle(graph *g, int node) {
    if (g->pending[node] > 0) return;
    if (g->place[node] < 0) g->place[node] = g->in_heap++;
    rise(g, g->place[node], node);
    sink(g, g->place[node], node);
}

/* The eligible node with the fewest neighbours leaves the heap. There is always one: early nodes
 * are never blocked. */
static int next_node(graph *g) {
    const int first = g->heap[0], last = g->heap[--g->in_heap];
    g->place[first] = -1;
    if (first != last) sink(g, 0, last);
    return first;
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
    g->heap = hol__alloc(ctx, size, sizeof *g->heap);
    g->place = hol__alloc(ctx, size, sizeof *g->place);
    if (!g->list || !g->count || !g->room || !g->pending || !g->done || !g->merged || !g->heap ||
        !g->place)
        return 0;
    for (int i = 0; i < n; i++) {
        const int count = ptr[i + 1] - ptr[i];
        g->list[i] = hol__alloc(ctx, (size_t)count, sizeof *g->list[i]);
        if (!g->list[i]) return 0;
        if (count) memcpy(g->list[i], idx + ptr[i], (size_t)count * sizeof *idx);
        hol__sort_rising(g->list[i], count);
        g->count[i] = g->room[i] = count;
        if (late && late[i])
            for (int p = ptr[i]; p < ptr[i + 1]; p++) g->pending[i] += !late[idx[p]];
        g->place[i] = -1;
        settle(g, i);
    }
    return 1;
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
        if (late && !late[v])
            for (int p = ptr[v]; p < ptr[v + 1]; p++)
                if (late[idx[p]]) g.pending[idx[p]]--;
        for (int p = 0; p < g.count[v] && status == HOL_OK; p++) {
            if (!join(&g, g.list[v][p], v)) status = HOL_ERR_MEMORY;
            settle(&g, g.list[v][p]); /* the heap bears one that is out of place at a time */
        }
    }
    graph_free(&g);
    return status;
}

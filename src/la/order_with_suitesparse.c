/* order_with_suitesparse.c: the fill-reducing ordering by AMD of SuiteSparse.
 *
 * The inner routine is called with workspace of ours, so that the memory comes from the context.
 */
#include "la/order.h"

#include <suitesparse/amd.h>

#include <string.h>

hol_status hol__order(hol_context *ctx, int n, const int *ptr, const int *idx, int *perm) {
    if (n == 0) return HOL_OK;
    const size_t size = (size_t)n, count = (size_t)ptr[n], room = count + count / 5 + size + 1;
    int *block = hol__alloc(ctx, room + 8 * size, sizeof *block);
    if (!block) return HOL_ERR_MEMORY;
    int *part[8], *graph = block + 8 * size;
    for (size_t k = 0; k < 8; k++) part[k] = block + k * size;
    for (int i = 0; i < n; i++) {
        part[0][i] = ptr[i];
        part[1][i] = ptr[i + 1] - ptr[i];
    }
    if (count) memcpy(graph, idx, count * sizeof *graph);
    /* start, graph, length, room, filled, then: sizes, inverse, permutation, heads, elements,
     * degrees, marks. */
    amd_2(n, part[0], graph, part[1], (int)room, (int)count, part[2], part[3], perm, part[4],
          part[5], part[6], part[7], NULL, NULL);
    hol__release(ctx, block);
    return HOL_OK;
}

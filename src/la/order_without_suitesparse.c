/* order_without_suitesparse.c: the fill-reducing ordering where SuiteSparse is not built in: our
 * own minimum degree. */
#include "la/order.h"

hol_status hol__order(hol_context *ctx, int n, const int *ptr, const int *idx, int *perm) {
    return hol__order_minimum_degree(ctx, n, ptr, idx, NULL, perm);
}

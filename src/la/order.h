/* order.h: fill-reducing orderings of a symmetric pattern.
 *
 * A pattern is given as adjacency lists (ptr, idx) of the undirected graph: both triangles, no
 * diagonal, no entry twice. perm[k] is the node that is eliminated k-th. All orderings are
 * deterministic.
 */
#ifndef HOL_LA_ORDER_H
#define HOL_LA_ORDER_H

#include "base/context.h"

/* Approximate minimum degree where SuiteSparse is built in, minimum degree otherwise. */
hol_status hol__order(hol_context *ctx, int n, const int *ptr, const int *idx, int *perm);

/* Minimum degree. With late (may be NULL): a node with late[i] != 0 comes after all its neighbours
 * with late == 0.
 * For a saddle point matrix the constraints are the late ones, and then every pivot exists. */
hol_status hol__order_minimum_degree(hol_context *ctx, int n, const int *ptr, const int *idx,
                                     const unsigned char *late, int *perm);

/* Sort a short list of numbers by insertion. */
void hol__sort_rising(int *a, int n);

#endif

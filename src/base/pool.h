/* pool.h: memory that is used again: what is given back is kept and handed out to the next who asks
 * for about as much.
 *
 * Work that is done over and over with objects of the same sizes takes its memory once. A pool
 * serves one thread at a time.
 */
#ifndef HOL_BASE_POOL_H
#define HOL_BASE_POOL_H

#include "base/context.h"

typedef struct hol__pool hol__pool;

/* A pool that takes memory from ctx, which must outlive it; NULL without memory. */
hol__pool *hol__pool_new(hol_context *ctx);

/* All blocks go back, those that are in use included. */
void hol__pool_free(hol__pool *pool);

/* A context without messages over the pool; NULL without memory. */
hol_context *hol__pool_context(hol__pool *pool);

#endif

/* context.h: memory and messages of a context.
 *
 * Every allocation of the library passes through hol__alloc, so that a caller's allocator sees all
 * of it and a test can fail the k-th. hol__report adds a message; it never fails:
 * the first error that finds no memory for its words is kept in room that the context has from the
 * start.
 */
#ifndef HOL_BASE_CONTEXT_H
#define HOL_BASE_CONTEXT_H

#include "common/format.h"

#include <holonom/status.h>
#include <stdarg.h>

/* count * size bytes set to zero; NULL (and a message) without memory. Never NULL for count 0. */
void *hol__alloc(hol_context *ctx, size_t count, size_t size);
void hol__release(hol_context *ctx, void *block);

/* The array of n things of that size with room for more of them, which are zero; NULL (and a
 * message) without memory, and the old one stays. */
void *hol__grown(hol_context *ctx, void *array, size_t size, int n, int room);

/* A context with the same allocator and no messages, for work whose messages the caller need not
 * see; NULL (and a message) without memory. */
hol_context *hol__context_like(hol_context *ctx);

/* A context with the same allocator and a list of its own, whose messages go to ctx as well until
 * it is detached; NULL (and a message) without memory. What an object said can so be told from what
 * others said. */
hol_context *hol__context_child(hol_context *ctx);
void hol__context_detach(hol_context *child);

/* From now on what is said to a context that was made apart, or to the one above it, goes to ctx as
 * well, and what was said there goes to ctx at once. */
void hol__context_attach(hol_context *apart, hol_context *ctx);

/* Add the messages of another context to the list, as if they had arisen here; nobody is told of
 * them again. */
void hol__context_take_messages(hol_context *ctx, const hol_context *from);

/* Messages are held back from now on; how many are; errors among those from..to - 1 are forgotten;
 * and the others are told, and from now on all are at once. */
void hol__context_hold(hol_context *ctx);
int hol__context_held(const hol_context *ctx);
void hol__context_forget_errors(hol_context *ctx, int from, int to);
void hol__context_tell(hol_context *ctx);

/* The files that were read through the context: an output must be none of them. A file is what its
 * device and inode say, whatever it is called; one that grows (a log) may be written further by
 * whoever lets it grow. add: 0 without memory; find: the name under which it was read, NULL where
 * it was not. A child context asks and tells its parent; share: and so does one that was made apart
 * from ctx. */
int hol__context_add_input(hol_context *ctx, unsigned long long device, unsigned long long inode,
                           int grows, const char *path);
const char *hol__context_find_input(const hol_context *ctx, unsigned long long device,
                                    unsigned long long inode, int grows);
void hol__context_share_files(hol_context *apart, hol_context *ctx);

/* A copy of text; NULL without memory. */
char *hol__copy_text(hol_context *ctx, const char *text);

/* Add a message; where and element may be NULL. Returns status, so that `return hol__report(…)`
 * reads well. */
hol_status hol__report(hol_context *ctx, hol_severity severity, hol_status status,
                       const hol_location *where, const char *element, const char *format, ...)
    HOL__PRINTF(6, 7);

/* The same with the arguments in a list. */
hol_status hol__vreport(hol_context *ctx, hol_severity severity, hol_status status,
                        const hol_location *where, const char *element, const char *format,
                        va_list args) HOL__PRINTF(6, 0);

/* The commonest forms: an error in the input at a place, and a warning. */
#define hol__error(ctx, where, element, ...)                                                       \
    hol__report((ctx), HOL_ERROR, HOL_ERR_INPUT, (where), (element), __VA_ARGS__)
#define hol__verror(ctx, where, element, format, args)                                             \
    hol__vreport((ctx), HOL_ERROR, HOL_ERR_INPUT, (where), (element), (format), (args))
#define hol__warn(ctx, where, element, ...)                                                        \
    hol__report((ctx), HOL_WARNING, HOL_OK, (where), (element), __VA_ARGS__)

#endif

/* give.h: structs that may grow, handed to a caller who was compiled with another form of them.
 *
 * The first member of such a struct is size_t size. The caller sets it to sizeof of what he has,
 * the library fills at most that many bytes: members that he does not know are left out, members
 * that he knows and the library does not stay as they were.
 */
#ifndef HOL_BASE_GIVE_H
#define HOL_BASE_GIVE_H

#include "base/context.h"

/* What is known, of `known` bytes, into out; HOL_ERR_ARGUMENT, with a message that names the call,
 * where out is NULL or has no size. */
hol_status hol__give(hol_context *ctx, const char *call, const void *full, size_t known, void *out);

#endif

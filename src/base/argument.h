/* argument.h: arguments of public calls that are not what the call takes.
 *
 * A call on an object that is NULL has nobody to report to: it returns HOL_ERR_ARGUMENT, or what
 * its header names, without a word. Every other wrong argument is said to the context of the
 * object, with the name of the call.
 */
#ifndef HOL_BASE_ARGUMENT_H
#define HOL_BASE_ARGUMENT_H

#include "base/context.h"

/* HOL_ERR_ARGUMENT, with a message, where the pointer is NULL; what: "the path". */
hol_status hol__need(hol_context *ctx, const char *call, const char *what, const void *pointer);

/* The same where i is not an index of n things; what: "joint". */
hol_status hol__need_index(hol_context *ctx, const char *call, const char *what, int i, int n);

/* The same where there are fewer than `least` things, or things without an array of them; what:
 * "texts". */
hol_status hol__need_array(hol_context *ctx, const char *call, const char *what, int n, int least,
                           const void *array);

/* The same for texts, at least one, none of which is NULL. */
hol_status hol__need_texts(hol_context *ctx, const char *call, const char *what, int n,
                           const char *const *texts);

/* The same where a number is NaN or infinite. */
hol_status hol__need_finite(hol_context *ctx, const char *call, const char *what, double value);

#endif

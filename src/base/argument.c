/* argument.c: messages about wrong arguments. See argument.h. */
#include "base/argument.h"

#include <math.h>

hol_status hol__need(hol_context *ctx, const char *call, const char *what, const void *pointer) {
    if (pointer) return HOL_OK;
    return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call, "%s is NULL", what);
}

hol_status hol__need_index(hol_context *ctx, const char *call, const char *what, int i, int n) {
    if (i >= 0 && i < n) return HOL_OK;
    return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                       "there is no %s %d; there are %d, counted from 0", what, i, n);
}

hol_status hol__need_array(hol_context *ctx, const char *call, const char *what, int n, int least,
                           const void *array) {
    if (n < least)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                           "the number of %s is %d; it is at least %d", what, n, least);
    return n ? hol__need(ctx, call, what, array) : HOL_OK;
}

hol_status hol__need_texts(hol_context *ctx, const char *call, const char *what, int n,
                           const char *const *texts) {
    hol_status bad = hol__need_array(ctx, call, what, n, 1, texts);
    for (int i = 0; !bad && i < n; i++) bad = hol__need(ctx, call, "a text", texts[i]);
    return bad;
}

hol_status hol__need_finite(hol_context *ctx, const char *call, const char *what, double value) {
    if (isfinite(value)) return HOL_OK;
    return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call, "%s is %g", what, value);
}

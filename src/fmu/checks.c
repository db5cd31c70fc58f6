/* checks.c: numbers that the importer gives, and steps that it asks for. See calls.h. */
#include "fmu/calls.h"

#include <math.h>

/* How far times of the importer and of the instance may be apart, which add up steps each. */
static double slack(double t) {
    return 1e-9 * fmax(1, fabs(t));
}

hol_status hol__fmu_check_number(hol_context *ctx, const char *what, double value) {
    if (isfinite(value)) return HOL_OK;
    return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "FMU", "%s must be finite, not %g",
                       what, value);
}

hol_status hol__fmu_check_span(hol_context *ctx, double start, double stop, double tolerance) {
    const hol_status status = hol__fmu_check_number(ctx, "the start of the run", start);
    if (status) return status;
    if (!(stop > start))
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "FMU",
                           "the run ends at %.17g, not after its start at %.17g", stop, start);
    if (!(tolerance >= 0 && isfinite(tolerance)))
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "FMU",
                           "the tolerance %g is no positive number", tolerance);
    return HOL_OK;
}

hol_status hol__fmu_check_step(hol_context *ctx, double now, double stop, double t, double h) {
    if (!(fabs(t - now) <= slack(now)))
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "FMU",
                           "a step from %.17g was asked for, and the FMU is at %.17g", t, now);
    if (!(h > 0) || !isfinite(h))
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "FMU",
                           "a step of %.17g s leads nowhere", h);
    if (t + h > stop + slack(stop))
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "FMU",
                           "a step to %.17g leads beyond the end of the run at %.17g", t + h, stop);
    return HOL_OK;
}

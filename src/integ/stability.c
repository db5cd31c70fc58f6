/* stability.c: one step of y' = z y with h = 1 from y = 1. See stability.h. */
#include "integ/stability.h"

#include <math.h>

/* Formulas that iterate do so until rounding. */
#define TOLERANCE 1e-15

struct hol__stability {
    hol_context *ctx;
    hol__system system;
    hol__stepper stepper;
    double z[2], shifted[2]; /* z, and 1 - g z as it was shifted last */
    double y_old[2], y[2], f_old[2], f[2], scale[2];
};

/* ydot = z y */
static hol_status rhs(void *self, double t, const double *y, double *ydot) {
    const double *z = ((const hol__stability *)self)->z;
    (void)t;
    ydot[0] = z[0] * y[0] - z[1] * y[1];
    ydot[1] = z[1] * y[0] + z[0] * y[1];
    return HOL_OK;
}

/* J = z always. */
static hol_status linearize(void *self, double t, const double *y, const double *f, double h,
                            double *ft) {
    (void)self, (void)t, (void)y, (void)f, (void)h;
    if (ft) ft[0] = ft[1] = 0;
    return HOL_OK;
}

static hol_status shift(void *self, double g) {
    hol__stability *s = self;
    s->shifted[0] = 1 - g * s->z[0];
    s->shifted[1] = -g * s->z[1];
    return hypot(s->shifted[0], s->shifted[1]) > 0 ? HOL_OK : HOL_SINGULAR;
}

/* x = r / (1 - g z) */
static hol_status solve(void *self, const double *r, double *x) {
    const double *w = ((const hol__stability *)self)->shifted, size = w[0] * w[0] + w[1] * w[1];
    x[0] = (w[0] * r[0] + w[1] * r[1]) / size;
    x[1] = (w[0] * r[1] - w[1] * r[0]) / size;
    return HOL_OK;
}

hol__stability *hol__stability_new(hol_context *ctx, const hol__stepper_type *type) {
    if (type->paces || type->varies) return NULL;
    hol__stability *s = hol__alloc(ctx, 1, sizeof *s);
    if (!s) return NULL;
    s->ctx = ctx;
    s->scale[0] = s->scale[1] = 1;
    s->system = (hol__system){
        .n = 2, .self = s, .rhs = rhs, .linearize = linearize, .shift = shift, .solve = solve};
    if (hol__stepper_open(&s->stepper, ctx, type, &s->system) == HOL_OK) return s;
    hol__stability_free(s);
    return NULL;
}

void hol__stability_free(hol__stability *stability) {
    if (!stability) return;
    hol__stepper_close(&stability->stepper);
    hol__release(stability->ctx, stability);
}

hol_status hol__stability_at(void *self, const double z[2], double R[2]) {
    hol__stability *s = self;
    hol__step step = {.t = 0,
                      .t_new = 1,
                      .h = 1,
                      .y_old = s->y_old,
                      .y = s->y,
                      .f_old = s->f_old,
                      .f = s->f,
                      .scale = s->scale,
                      .tolerance = TOLERANCE};
    s->z[0] = z[0];
    s->z[1] = z[1];
    s->y_old[0] = 1;
    s->y_old[1] = 0;
    hol__stepper_reset(&s->stepper);
    const hol_status status = s->stepper.type->ops->attempt(&s->stepper, &step);
    R[0] = s->y[0];
    R[1] = s->y[1];
    return status;
}

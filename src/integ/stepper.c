/* stepper.c: what every stepper uses: f counted and not evaluated twice, the projection, norms. */
#include "integ/stepper.h"

#include <math.h>

hol_status hol__stepper_open(hol__stepper *stepper, hol_context *ctx, const hol__stepper_type *type,
                             const hol__system *system) {
    *stepper = (hol__stepper){.type = type, .system = system, .ctx = ctx, .n = system->n};
    return type->ops->create(stepper);
}

void hol__stepper_close(hol__stepper *stepper) {
    if (stepper->type && stepper->state) stepper->type->ops->free(stepper);
    stepper->state = NULL;
}

hol_status hol__stepper_rhs(hol__stepper *stepper, double t, const double *y, double *ydot) {
    stepper->evaluations++;
    return stepper->system->rhs(stepper->system->self, t, y, ydot);
}

hol_status hol__stepper_first(hol__stepper *stepper, hol__step *step) {
    if (step->f_old_known) return HOL_OK;
    const hol_status status = hol__stepper_rhs(stepper, step->t, step->y_old, step->f_old);
    step->f_old_known = status == HOL_OK;
    return status;
}

hol_status hol__stepper_last(hol__stepper *stepper, hol__step *step) {
    if (step->f_known) return HOL_OK;
    const hol_status status = hol__stepper_rhs(stepper, step->t_new, step->y, step->f);
    step->f_known = status == HOL_OK;
    return status;
}

hol_status hol__stepper_project(const hol__stepper *stepper, hol__step *step) {
    const hol__system *system = stepper->system;
    return system->project ? system->project(system->self, step->t_new, step->y) : HOL_OK;
}

double hol__mean_square(int n, const double *x, const double *s) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        const double r = x[i] / s[i];
        sum += r * r;
    }
    return n ? sum / n : 0;
}

double hol__stepper_norm(const hol__stepper *stepper, double *error, const double *scale) {
    const hol__system *system = stepper->system;
    if (system->tangent) system->tangent(system->self, error);
    return hol__mean_square(stepper->n, error, scale);
}

/* 0 x is 0 for every finite x and NaN for every other. */
int hol__all_finite(int n, const double *x) {
    double sum[4] = {0};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int j = 0; j < 4; j++) sum[j] += 0 * x[i + j];
    for (; i < n; i++) sum[0] += 0 * x[i];
    return sum[0] + sum[1] + sum[2] + sum[3] == 0;
}

/* spring_law.c: the pull of a spring, a damper and an actuator along one coordinate. See spring_law.h. */
#include "element/spring_law.h"

#include "element/span.h"

int hol__spring_acts(hol__build *build, const void *params, const char *f_key) {
    if (hol__is_given(params, "stiffness") || hol__is_given(params, "damping") ||
        hol__is_given(params, f_key))
        return 1;
    hol__field_error(build, params, NULL, "has no effect; give `stiffness`, `damping` or `%s`",
                     f_key);
    return 0;
}

double hol__spring_pull(const hol__spring_law *law, double x, double rate, hol__force_args *args) {
    args->inputs[args->local] = x;
    args->inputs[args->local + 1] = rate;
    const double stretch = x - law->x0;
    const double k = hol__law_value(&law->k, args->inputs, args->scratch);
    double rest = hol__law_value(&law->c, args->inputs, args->scratch) * rate +
                  law->sign * hol__law_value(&law->f, args->inputs, args->scratch);
    const double P = k * stretch + rest;
    if (law->k.e)
        rest = P;
    else
        args->potential += 0.5 * k * stretch * stretch;
    args->power -= rest * rate;
    return P;
}

hol__pull_slope hol__spring_slope(const hol__spring_law *law, double x, double rate,
                                  hol__force_args *args, hol__force_tangent *out) {
    double local[2] = {0, 0};
    args->inputs[args->local] = x;
    args->inputs[args->local + 1] = rate;
    const double k = hol__law_value(&law->k, args->inputs, args->scratch),
                 c = hol__law_value(&law->c, args->inputs, args->scratch),
                 f = hol__law_value(&law->f, args->inputs, args->scratch);
    hol__clear_slopes(out);
    hol__law_slopes(&law->k, x - law->x0, args, 2, local, out);
    hol__law_slopes(&law->c, rate, args, 2, local, out);
    hol__law_slopes(&law->f, law->sign, args, 2, local, out);
    return (hol__pull_slope){k * (x - law->x0) + c * rate + law->sign * f, k + local[0],
                             c + local[1]};
}

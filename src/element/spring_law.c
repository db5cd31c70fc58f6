/* spring_law.c: the pull of a spring, a damper and an actuator along one coordinate. See spring_law.h. */
#include "element/spring_law.h"

void hol__spring_read(hol__build *build, hol__node *item, const hol__key *keys,
                      const char *const locals[], const char *f_key, hol__spring_law *law) {
    law->k = hol__read_law(build, item, keys, "stiffness", locals);
    law->c = hol__read_law(build, item, keys, "damping", locals);
    law->f = hol__read_law(build, item, keys, f_key, locals);
    if (!hol__node_get(item, "stiffness") && !hol__node_get(item, "damping") &&
        !hol__node_get(item, f_key))
        hol__build_error(build, item, "has no effect; give `stiffness`, `damping` or `%s`", f_key);
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

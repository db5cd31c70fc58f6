/* spring_law.c: the pull of a spring, a damper and an actuator along one coordinate. See
 * spring_law.h. */
#include "element/formula.h"
#include "element/spring_law.h"

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
    hol__tell(args, 0, x);
    hol__tell(args, 1, rate);
    hol__tell(args, 2, stretch);
    hol__tell(args, 3, law->sign * P);
    if (law->k.e)
        rest = P;
    else
        args->potential += 0.5 * k * stretch * stretch;
    args->power -= rest * rate;
    return P;
}

hol__dual hol__spring_dual(const hol__spring_law *law, hol__dual x, hol__dual rate,
                           const hol__dual_args *args) {
    const hol__dual local[2] = {x, rate}, stretch = {x.f - law->x0, x.d};
    const hol__dual elastic = hol__dual_mul(hol__dual_law(&law->k, args, 2, local), stretch),
                    damping = hol__dual_mul(hol__dual_law(&law->c, args, 2, local), rate);
    return hol__dual_add(hol__dual_add(elastic, 1, damping), law->sign,
                         hol__dual_law(&law->f, args, 2, local));
}

hol__sym hol__spring_formula(hol__symbolic *to, const hol__spring_law *law,
                             const char *const *locals, hol__sym x, hol__sym rate) {
    hol__algebra *a = to->a;
    const hol__sym local[2] = {x, rate};
    const hol__sym k = hol__symbolic_law(to, &law->k, locals, local, "k"),
                   c = hol__symbolic_law(to, &law->c, locals, local, "c"),
                   f = hol__symbolic_law(to, &law->f, locals, local, "f");
    if (!k || !c || !f) return NULL;
    const hol__sym x0 = hol__sym_is(k, 0) ? a->zero : hol__symbolic_number(to, &law->x0, "l_0");
    const hol__sym terms[3] = {hol__sym_mul(a, k, hol__sym_sub(a, x, x0)), hol__sym_mul(a, c, rate),
                               law->sign < 0 ? hol__sym_neg(a, f) : f};
    if (!law->k.e) hol__symbolic_keep(to, x, hol__sym_neg(a, terms[0]));
    return hol__sym_sum(a, 3, terms);
}

/* impact.c: the force of one-sided contact as a function of penetration p and its rate p'. [Hertz,
 * HC75, Flores11]
 *
 *     N = max(0, k p^n (1 + gain p'/v0) + c s(p/depth) p')   for p > 0, else 0;   s: 0 … 1, smooth
 *     V = k p^(n+1) / (n + 1);  the rest of N counts as power, -(N - k p^n) p'
 *
 *     gain   Hunt–Crossley 3 (1 - e)/2,   Flores 8 (1 - e)/(5 e)
 *            for a coefficient of restitution e
 *            exact: the root g of (1 + e) g = ln((1 + g)/(1 - e g)), 0 < g < 1/e
 *
 * The last is what m p'' = -N says while nothing else acts: p' dp'/(1 + g p'/v0) = -k/m p^n dp,
 * whose left side, from v0 at p = 0 to -e v0 at p = 0, is zero for any n and m.
 *
 * v0 is the speed of approach at which the contact began. It cannot be told from the state, so it
 * is remembered: of the last accepted state the records know p and p' while apart, and v0 while in
 * contact. In the step in which the contact begins v0 is estimated as if the approach were
 * uniformly accelerated, v0^2 = p1'^2 + (p'^2 - p1'^2) (-p1)/(p - p1), and never below |p'|; what
 * was estimated at the end of that step is kept to the end of the contact.
 */
#include "element/impact.h"

#include <math.h>
#include <string.h>

const char *const hol__dissipations[] = {"hunt_crossley", "flores", "linear", "exact", NULL};

enum { HUNT_CROSSLEY, FLORES, LINEAR, EXACT };

/* v0 at penetration p > 0. memory: v0 or 0 while apart, p, p'. */
static double impact_speed(const hol__impact *impact, double p, double rate, const double *memory) {
    if (memory[0] > 0) return memory[0];
    const double share = p > memory[1] ? -memory[1] / (p - memory[1]) : 1;
    const double square = memory[2] * memory[2] + (rate * rate - memory[2] * memory[2]) * share;
    return fmax(impact->slowest, sqrt(fmax(square, rate * rate)));
}

/* 0 … 1 for x = 0 … 1, with zero slope at both ends. */
static double smooth(double x) {
    return x >= 1 ? 1 : x * x * (3 - 2 * x);
}

double hol__impact_push(const hol__impact *impact, double p, double rate, hol__force_args *args) {
    if (!(p > 0)) return p <= 0 ? 0 : p; /* a value that is not a number stays one */
    const double elastic = impact->k * (impact->n == 1 ? p : pow(p, impact->n));
    double N = elastic;
    if (impact->gain > 0)
        N += elastic * impact->gain * rate /
             impact_speed(impact, p, rate, args->memory + impact->memory);
    if (impact->c > 0) N += impact->c * (impact->depth > 0 ? smooth(p / impact->depth) : 1) * rate;
    if (N < 0) N = 0;
    args->potential += elastic * p / (impact->n + 1);
    args->power -= (N - elastic) * rate;
    return N;
}

/* v0 of impact_speed. */
static hol__dual speed_dual(const hol__impact *impact, hol__dual p, hol__dual rate,
                            const double *memory) {
    const double v0 = impact_speed(impact, p.f, rate.f, memory);
    if (memory[0] > 0 || v0 <= impact->slowest) return (hol__dual){v0, 0};
    const double gap = p.f - memory[1], share = gap > 0 ? -memory[1] / gap : 1;
    const double more = rate.f * rate.f - memory[2] * memory[2];
    if (memory[2] * memory[2] + more * share <= rate.f * rate.f)
        return (hol__dual){v0, rate.f * rate.d / v0};
    const double by_share = gap > 0 ? -0.5 * more * share * p.d / gap : 0;
    return (hol__dual){v0, (by_share + rate.f * share * rate.d) / v0};
}

hol__dual hol__impact_dual(const hol__impact *impact, hol__dual p, hol__dual rate,
                           const double *memory) {
    if (!(p.f > 0)) return (hol__dual){p.f <= 0 ? 0 : p.f, 0};
    const double power = impact->k * pow(p.f, impact->n);
    const hol__dual elastic = {power, impact->n * power / p.f * p.d};
    hol__dual N = elastic;
    if (impact->gain > 0) {
        const hol__dual v = speed_dual(impact, p, rate, memory + impact->memory);
        const double share = impact->gain * rate.f / v.f,
                     change = impact->gain * rate.d / v.f - share * v.d / v.f;
        N.f += elastic.f * share;
        N.d += elastic.d * share + elastic.f * change;
    }
    if (impact->c > 0) {
        const double x = impact->depth > 0 ? p.f / impact->depth : 1;
        const double by_p = x < 1 ? 6 * x * (1 - x) / impact->depth : 0;
        N.f += impact->c * smooth(x) * rate.f;
        N.d += impact->c * (smooth(x) * rate.d + by_p * p.d * rate.f);
    }
    return N.f < 0 ? (hol__dual){0, 0} : N;
}

void hol__impact_keep(const hol__impact *impact, double p, double rate, double *memory) {
    if (impact->memory < 0) return;
    double *m = memory + impact->memory;
    m[0] = p > 0 ? impact_speed(impact, p, rate, m) : 0;
    m[1] = fmin(p, 0);
    m[2] = rate;
}

/* The stiffness of k p^n: a unit can be given for n = 1 only. */
static void check_stiffness(hol__build *build, const void *params, double n, const char *unit) {
    hol__field_unit(build, params, "stiffness", n == 1 ? unit : "");
}

int hol__impact_of_stop(hol__build *build, const void *params, const hol__stop_fields *f, int turns,
                        hol__impact *impact) {
    const int errors = build->errors;
    *impact = (hol__impact){.k = f->stiffness,
                            .n = f->exponent,
                            .c = f->damping,
                            .depth = f->depth,
                            .slowest = 1,
                            .memory = -1};
    check_stiffness(build, params, f->exponent, turns ? "N*m/rad" : "N/m");
    hol__field_unit(build, params, "damping", turns ? "N*m*s/rad" : "N*s/m");
    hol__field_unit(build, params, "depth", turns ? "rad" : "m");
    return build->errors == errors;
}

/* k and n from a stiffness or from Hertz. */
static void set_elastic(hol__build *build, const void *params, const hol__contact_fields *f,
                        double R, hol__impact *impact) {
    const int stiffness = hol__is_given(params, "stiffness"),
              modulus = hol__is_given(params, "modulus");
    impact->n = f->exponent;
    impact->k = f->stiffness;
    check_stiffness(build, params, f->exponent, "N/m");
    if (stiffness == modulus)
        hol__field_error(build, params, "modulus", "give either `stiffness` or `modulus`");
    else if (modulus && !(R > 0))
        hol__field_error(build, params, "modulus",
                         "a point has no stiffness after Hertz; give a `radius`, or a `stiffness`");
    else if (modulus && hol__is_given(params, "exponent"))
        hol__field_error(build, params, "exponent",
                         "the exponent of Hertz is 1.5; leave it out with `modulus`");
    if (modulus) impact->k = 4.0 / 3 * f->modulus * sqrt(R), impact->n = 1.5;
}

/* The gain that parts the bodies at e times the speed at which they met. The left side less the
 * right is (1 - e^2) g^2/2 - (1 + e^3) g^3/3 for small g, whose root serves where the logarithms
 * would cancel. */
static double exact_gain(double e) {
    const double near_elastic = 1.5 * (1 - e * e) / (1 + e * e * e);
    if (near_elastic < 1e-4) return near_elastic;
    double low = 0.5 * near_elastic, high = 1 / e;
    for (int k = 0; k < 100; k++) {
        const double g = 0.5 * (low + high);
        if ((1 + e) * g - log1p(g) + log1p(-e * g) > 0)
            low = g;
        else
            high = g;
    }
    return low;
}

/* What belongs together: restitution to all dissipations but the linear one, which has
 * `damping`. */
static void check_dissipation(hol__build *build, const void *params, const hol__contact_fields *f) {
    const double e = f->restitution;
    const int model = f->dissipation;
    if (hol__is_given(params, "slip_speed") && !hol__is_given(params, "friction"))
        hol__field_error(build, params, "slip_speed",
                         "'slip_speed' has a meaning only beside 'friction'");
    if (e > 1)
        hol__field_error(build, params, "restitution", "restitution is %g; it lies between 0 and 1",
                         e);
    if (model == LINEAR && hol__is_given(params, "restitution"))
        hol__field_error(build, params, "restitution",
                         "linear dissipation takes `damping`, not `restitution`");
    if (model != LINEAR && hol__is_given(params, "damping"))
        hol__field_error(build, params, "damping",
                         "`damping` belongs to dissipation: linear; the others take `restitution`");
    if ((model == FLORES || model == EXACT) && !(e > 0))
        hol__field_error(build, params, "restitution",
                         "the dissipation '%s' grows without bound as restitution goes to 0; "
                         "give one above 0",
                         hol__dissipations[model]);
}

int hol__impact_of_contact(hol__build *build, const void *params, const hol__contact_fields *f,
                           double R, hol__impact *impact) {
    const int errors = build->errors, model = f->dissipation;
    const double e = f->restitution;
    *impact = (hol__impact){.c = f->damping, .slowest = f->slowest_impact, .memory = -1};
    set_elastic(build, params, f, R, impact);
    check_dissipation(build, params, f);
    if (build->errors > errors) return 0;
    if (model == HUNT_CROSSLEY) impact->gain = 1.5 * (1 - e);
    if (model == FLORES) impact->gain = 8 * (1 - e) / (5 * e);
    if (model == EXACT) impact->gain = exact_gain(e);
    if (impact->gain > 0) impact->memory = hol__add_memory(build, HOL__IMPACT_MEMORY);
    return 1;
}

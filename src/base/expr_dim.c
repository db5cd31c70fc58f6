/* expr_dim.c: what the units in an expression say about the dimension of its parts.
 *
 * A part is firm (units were written: in the text, or with a parameter), soft (the time or a
 * measure, whose unit is known though none was written), bare (a plain number for certain) or open
 * (a name without a unit is in it, which takes the unit of where it is used).
 *
 *     a + b, if, min …   both known: must be alike; else that of the known one; both bare: bare
 *     a b, a/b           both known: exponents add, subtract, soft when both are; firm and bare:
 *                        that of the firm one; both bare: bare; else open, for the plain number
 *                        beside a soft quantity stands for a coefficient: 6*t is an angle
 *     a^n                a known, n a constant: n times the exponents where these are whole
 *
 * Beside a quantity whose unit was written and is not that of SI a plain constant is an error,
 * unless it is 0: of "90 deg - 30" nobody knows whether the 30 are degrees, and of
 * "L + 20" with L: 600 mm whether the 20 are millimetres. A number with pi in it is in radians.
 *
 * The radian is a plain number in products with other dimensions (arc = radius times angle), but
 * cycles (Hz) and radians do not mix: 2*pi turns the one into the other.
 *
 * The rules only ever reject what is certainly wrong: open and soft go with everything that they
 * are not added to.
 */
#include "base/expr_internal.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_EXPONENT = 99 };

static const char hertz[] =
    "; Hz counts cycles: 2*pi times Hz is rad/s, a plain rate is written in 1/s";

static const hol__dim open_dim = {.known = 0}, plain_dim = {.known = 1};

/* Whether the dimension is one of angles, cycles and times alone. */
static int is_turning(hol__dim a) {
    return a.m == 0 && a.kg == 0;
}

/* Whether quantities of two known dimensions may be added: radians count as plain numbers, but not
 * beside cycles; nor does what was made with a frequency where masses are in it. */
static int are_alike(hol__dim a, hol__dim b) {
    const int mixed = (is_turning(a) && ((a.cycle && b.rad) || (a.rad && b.cycle))) ||
                      (a.kg && a.cycle != b.cycle);
    return a.m == b.m && a.kg == b.kg && a.s == b.s && !mixed;
}

/* Report a constant without a unit beside a quantity in a unit that is not that of SI. */
static void fail_scaled(hol__expr_parser *p, int offset, const hol__expr_term *quantity,
                        double value) {
    const int length = quantity->unit_length < 40 ? quantity->unit_length : 40;
    char si[64];
    hol__dim_text(quantity->dim, si, sizeof si);
    if (quantity->unit)
        hol__expr_fail(p, offset,
                       "%.9g has no unit beside a quantity in %.*s, and would count as %.9g %s: "
                       "write '%.9g %.*s' or '%.9g %s'",
                       value, length, quantity->unit, value, si, value, length, quantity->unit,
                       value, si);
    else
        hol__expr_fail(p, offset,
                       "%.9g has no unit beside a quantity that was given in another unit than %s, "
                       "and would count as %.9g %s: write '%.9g %s', or give it that unit",
                       value, si, value, si, value, si);
}

/* Warn of a name without a unit that turns by more than once beside an angle in another unit. */
static void warn_of_turns(hol__expr_parser *p, int offset, const hol__expr_term *quantity,
                          double value) {
    static const double turn = 6.283185307179586476925286766559;
    const hol__dim d = quantity->dim;
    if (!is_turning(d) || d.s || !d.rad || !(fabs(value) > turn)) return;
    hol_location where = p->where;
    where.column += offset;
    hol__warn(
        p->ctx, &where, p->element,
        "%.9g has no unit beside an angle in another unit, and counts as %.9g rad, %.3g turns; "
        "give the parameter its unit",
        value, value, fabs(value) / turn);
}

/* A warning at a place of the text. */
static void warn_of_degrees(hol__expr_parser *p, int offset, double value) {
    hol_location where = p->where;
    where.column += offset;
    hol__warn(p->ctx, &where, p->element,
              "%.9g is taken in radians; write '%.9g deg' if degrees are meant, or '%.9g rad'",
              value, value, value);
}

/* Whether a term is a written number that looks like degrees: a whole multiple of 5 up to 360 and
 * above a turn in radians. */
static int looks_like_degrees(const hol__expr_parser *p, const hol__expr_term *x, double *value) {
    return x->bare && !x->has_pi && hol__expr_node_constant(&p->graph, x->node, value) &&
           fabs(*value) > 6.3 && fabs(*value) <= 360 && fmod(*value, 5) == 0;
}

void hol__expr_doubt_angle(hol__expr_parser *p, const hol__expr_term *angle,
                           const hol__expr_term *number) {
    const hol__dim d = angle ? angle->dim : (hol__dim){.known = 1, .rad = 1};
    double value;
    if (d.known && is_turning(d) && d.rad == 1 && !d.s && !d.cycle && !(angle && angle->shown) &&
        looks_like_degrees(p, number, &value))
        warn_of_degrees(p, number->offset, value);
}

/* Whether a number may stand beside a quantity; 0 and an error where it lacks the unit that the
 * quantity has been given. What a name stands for is in SI units, as studies set it. */
static int may_join(hol__expr_parser *p, int offset, const hol__expr_term *quantity,
                    const hol__expr_term *number) {
    double value = 0;
    if (!quantity->dim.scaled || number->dim.known || number->has_pi ||
        !hol__expr_node_constant(&p->graph, number->node, &value) || value == 0)
        return 1;
    if (number->bare)
        fail_scaled(p, offset, quantity, value);
    else
        warn_of_turns(p, offset, quantity, value);
    return !number->bare;
}

int hol__expr_same_dim(hol__expr_parser *p, const char *verb, int offset, const hol__expr_term *a,
                       const hol__expr_term *b, hol__expr_term *out) {
    char left[64], right[64];
    out->bare = a->bare && b->bare;
    out->has_pi = 0;
    out->dim = a->dim.known ? a->dim : b->dim;
    if (!may_join(p, offset, a, b) || !may_join(p, offset, b, a)) return 0;
    if (!a->dim.known || !b->dim.known) return 1;
    if (!are_alike(a->dim, b->dim)) {
        hol__expr_fail(p, offset, "cannot %s %s and %s%s", verb,
                       hol__dim_text(a->dim, left, sizeof left),
                       hol__dim_text(b->dim, right, sizeof right),
                       a->dim.cycle != b->dim.cycle && a->dim.s == b->dim.s ? hertz : "");
        return 0;
    }
    /* of an angle and a plain number the sum is an angle */
    if (is_turning(a->dim) && a->dim.rad == 0 && a->dim.cycle == 0) out->dim = b->dim;
    out->dim.soft = a->dim.soft || b->dim.soft;
    out->dim.scaled = a->dim.scaled || b->dim.scaled;
    return 1;
}

/* a + n b for each exponent; open when one leaves the range. An angle per cycle takes the cycles
 * away. */
static hol__dim combine(hol__dim a, hol__dim b, int n) {
    const int m = a.m + n * b.m, kg = a.kg + n * b.kg, s = a.s + n * b.s, rad = a.rad + n * b.rad;
    const int cycle = rad ? 0 : a.cycle + n * b.cycle;
    if (abs(m) > MAX_EXPONENT || abs(kg) > MAX_EXPONENT || abs(s) > MAX_EXPONENT ||
        abs(rad) > MAX_EXPONENT || abs(cycle) > MAX_EXPONENT)
        return open_dim;
    const int plain = !m && !kg && !s && !rad;
    return (hol__dim){(signed char)m,
                      (signed char)kg,
                      (signed char)s,
                      (signed char)rad,
                      1,
                      (signed char)cycle,
                      a.soft && b.soft,
                      !plain && (a.scaled || b.scaled)};
}

/* The dimension of a firm quantity times a bare number: with pi in it cycles become radians. */
static hol__dim times_number(hol__dim firm, const hol__expr_term *number) {
    if (number->has_pi && firm.cycle && is_turning(firm)) {
        firm.rad = firm.cycle;
        firm.cycle = 0;
    }
    return firm;
}

void hol__expr_product_dim(const hol__expr_term *a, const hol__expr_term *b, int sign,
                           hol__expr_term *out) {
    out->bare = a->bare && b->bare;
    out->has_pi = out->bare && (a->has_pi || b->has_pi);
    out->dim = open_dim;
    if (a->dim.known && b->dim.known)
        out->dim = combine(a->dim, b->dim, sign);
    else if (a->dim.known && !a->dim.soft && b->bare)
        out->dim = times_number(a->dim, b);
    else if (a->bare && b->dim.known && !b->dim.soft)
        out->dim = times_number(combine(plain_dim, b->dim, sign), a);
}

hol__dim hol__expr_dim_power(hol__dim a, double n) {
    const int exponents[] = {a.m, a.kg, a.s, a.rad, a.cycle};
    int e[5];
    if (!a.known || !(fabs(n) <= MAX_EXPONENT)) return open_dim;
    for (int i = 0; i < 5; i++) {
        const double power = exponents[i] * n, whole = round(power);
        if (fabs(power - whole) > 1e-9 || fabs(whole) > MAX_EXPONENT) return open_dim;
        e[i] = (int)whole;
    }
    return (hol__dim){(signed char)e[0],
                      (signed char)e[1],
                      (signed char)e[2],
                      (signed char)e[3],
                      1,
                      (signed char)e[4],
                      a.soft,
                      a.scaled};
}

int hol__expr_power_dim(hol__expr_parser *p, int offset, const hol__expr_term *a,
                        const hol__expr_term *b, hol__expr_term *out) {
    char text[64];
    double n;
    out->bare = a->bare && b->bare;
    out->has_pi = out->bare && a->has_pi;
    out->dim = open_dim;
    if (b->dim.known && !b->dim.soft && !hol__dim_equal(b->dim, plain_dim)) {
        hol__expr_fail(p, offset, "an exponent must be a plain number, not %s",
                       hol__dim_text(b->dim, text, sizeof text));
        return 0;
    }
    if (hol__expr_node_constant(&p->graph, b->node, &n)) out->dim = hol__expr_dim_power(a->dim, n);
    return 1;
}

int hol__expr_check_argument(hol__expr_parser *p, const hol__expr_builtin *f,
                             const hol__expr_term *x) {
    const hol__dim d = x->dim;
    const int to_angle = f->rule == HOL__DIM_TO_ANGLE;
    char text[64];
    if (!d.known || d.soft || (f->rule != HOL__DIM_PLAIN && !to_angle)) return 1;
    const int fits = is_turning(d) && d.s == 0 && !d.cycle && d.rad >= 0 && d.rad <= !to_angle;
    if (fits) return 1;
    hol__expr_fail(p, x->offset, "%s needs %s, not %s%s", f->name,
                   to_angle ? "a plain number" : "an angle or a plain number",
                   d.cycle && d.s == 0 ? "cycles" : hol__dim_text(d, text, sizeof text),
                   d.cycle ? hertz : "");
    return 0;
}

int hol__dim_fits(hol__dim have, hol__dim want) {
    if (!have.known || have.soft) return 1;
    /* an angle is no plain number, a rate of turning no frequency, and a frequency no plain rate:
     * forces and dampings made with it would lack a factor of 2 pi */
    const int clash = is_turning(want)
                          ? (have.rad && !want.rad) || have.cycle != want.cycle
                          : (want.kg || abs(have.cycle) > 1) && have.cycle != want.cycle;
    return have.m == want.m && have.kg == want.kg && have.s == want.s && !clash;
}

const char *hol__dim_hint(hol__dim have, hol__dim want) {
    const int same = have.m == want.m && have.kg == want.kg && have.s == want.s;
    if (have.cycle != want.cycle && same) return hertz;
    if (same && have.rad && !want.rad)
        return "; give angles their unit: 1 rev or 360 deg instead of 2*pi";
    /* one base unit is missing: a number was written without it, as in 2.5*L^2 for an inertia */
    const int m = want.m - have.m, kg = want.kg - have.kg, s = want.s - have.s;
    if (!have.m && !have.kg && !have.s) return "";
    if (m == 1 && !kg && s == -2) return "; kg and lb are masses, a force is in N, kgf or lbf";
    if (m == -1 && !kg && s == 2) return "; N, kgf and lbf are forces, a mass is in kg, lb or slug";
    if (m == 1 && kg == -1 && s == -2)
        return "; g is the gram, an acceleration is in m/s^2, as in 2*9.80665 m/s^2";
    if (kg == 1 && !m && !s) return "; a number that is in kg needs its unit, as in 2.5 kg*L^2";
    if (m == 1 && !kg && !s) return "; a number that is in m needs its unit, as in 0.2 m*n";
    if (s == 1 && !kg && !m) return "; a number that is in s needs its unit, as in 0.5 s*n";
    return "";
}

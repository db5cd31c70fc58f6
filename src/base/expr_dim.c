/* expr_dim.c: what the units in an expression say about the dimension of its parts.
 *
 * A part is known (it comes from literals with units), bare (plain numbers only) or open (a name is
 * in it).
 *
 *     a + b, if, min …   both known: must be equal; both bare: bare; else open
 *     a b, a/b           both known: exponents add, subtract; one known, other bare: that of the
 *                        known one; both bare: bare; else open
 *     a^n                a known and n a constant integer: n times the exponents; else open
 *
 * The rules only ever reject what is certainly wrong: open goes with everything.
 */
#include "base/expr_internal.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_EXPONENT = 99 };

static const hol__dim open_dim = {.known = 0};

int hol__expr_same_dim(hol__expr_parser *p, const char *verb, int offset, const hol__expr_term *a,
                       const hol__expr_term *b, hol__expr_term *out) {
    char left[64], right[64];
    out->bare = a->bare && b->bare;
    out->dim = open_dim;
    if (!a->dim.known || !b->dim.known) return 1;
    if (!hol__dim_equal(a->dim, b->dim)) {
        hol__expr_fail(p, offset, "cannot %s %s and %s", verb,
                       hol__dim_text(a->dim, left, sizeof left),
                       hol__dim_text(b->dim, right, sizeof right));
        return 0;
    }
    out->dim = a->dim;
    return 1;
}

/* a + n b for each exponent; open when one leaves the range. */
static hol__dim combine(hol__dim a, hol__dim b, int n) {
    const int m = a.m + n * b.m, kg = a.kg + n * b.kg, s = a.s + n * b.s, rad = a.rad + n * b.rad;
    if (abs(m) > MAX_EXPONENT || abs(kg) > MAX_EXPONENT || abs(s) > MAX_EXPONENT ||
        abs(rad) > MAX_EXPONENT)
        return open_dim;
    return (hol__dim){(signed char)m, (signed char)kg, (signed char)s, (signed char)rad, 1};
}

void hol__expr_product_dim(const hol__expr_term *a, const hol__expr_term *b, int sign,
                           hol__expr_term *out) {
    const hol__dim plain = {.known = 1};
    out->bare = a->bare && b->bare;
    out->dim = open_dim;
    if (a->dim.known && b->dim.known)
        out->dim = combine(a->dim, b->dim, sign);
    else if (a->dim.known && b->bare)
        out->dim = a->dim;
    else if (a->bare && b->dim.known)
        out->dim = combine(plain, b->dim, sign);
}

int hol__expr_power_dim(hol__expr_parser *p, int offset, const hol__expr_term *a,
                        const hol__expr_term *b, hol__expr_term *out) {
    const hol__dim plain = {.known = 1};
    char text[64];
    double n;
    out->bare = a->bare && b->bare;
    out->dim = open_dim;
    if (b->dim.known && !hol__dim_equal(b->dim, plain)) {
        hol__expr_fail(p, offset, "an exponent must be a plain number, not %s",
                       hol__dim_text(b->dim, text, sizeof text));
        return 0;
    }
    if (a->dim.known && hol__expr_node_constant(&p->graph, b->node, &n) &&
        fabs(n) <= MAX_EXPONENT && n == floor(n))
        out->dim = combine(plain, a->dim, (int)n);
    return 1;
}

int hol__dim_fits(hol__dim have, hol__dim want) {
    if (!have.known) return 1;
    const int same = have.m == want.m && have.kg == want.kg && have.s == want.s;
    const int angle_clash = same && have.rad != want.rad && have.rad != 0 && want.rad == 0 &&
                            want.m == 0 && want.kg == 0;
    return same && !angle_clash;
}

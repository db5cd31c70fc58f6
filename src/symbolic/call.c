/* call.c: functions in normal form.
 *
 *     sin(-x) = -sin(x), cos(-x) = cos(x)         so that arguments have no leading minus
 *     sin(x + k pi/2), cos(x + k pi/2)            without the quarter turns
 *     sin and cos of multiples of pi/6 and pi/4   by their values
 */
#include "symbolic/sym.h"

#include <math.h>

static hol__sym plain(hol__algebra *a, hol__sym_function f, hol__sym x, hol__sym y) {
    return hol__sym_node(
        a, &(struct hol__sym_node){
               .kind = HOL__SYM_CALL, .function = f, .n = y ? 2 : 1, .arg = (hol__sym[]){x, y}});
}

/* The number in front of the first term. */
static double leading(hol__sym x) {
    if (x->kind == HOL__SYM_SUM) return leading(x->arg[0]);
    if (x->kind == HOL__SYM_NUMBER || x->kind == HOL__SYM_PRODUCT)
        return hol__exact_value(x->number);
    return 1;
}

/* The exact number k of x = k pi + …; 0 where there is none. */
static hol__exact turns_in(const hol__algebra *a, hol__sym x) {
    if (x == a->pi) return hol__exact_integer(1);
    if (x->kind == HOL__SYM_PRODUCT && x->rest == a->pi) return x->number;
    for (int i = 0; x->kind == HOL__SYM_SUM && i < x->n; i++) {
        const hol__exact k = turns_in(a, x->arg[i]);
        if (!hol__exact_is(k, 0)) return k;
    }
    return hol__exact_integer(0);
}

/* sin of k/12 of a half turn, 0 <= k <= 6; NULL where it is no simple root. */
static hol__sym simple_sine(hol__algebra *a, int k) {
    switch (k) {
    case 0: return a->zero;
    case 2: return a->half;
    case 3: return hol__sym_mul(a, a->half, hol__sym_sqrt(a, a->two));
    case 4: return hol__sym_mul(a, a->half, hol__sym_sqrt(a, hol__sym_integer(a, 3)));
    case 6: return a->one;
    default: return NULL;
    }
}

/* sin(k pi/12), any k; NULL where it is no simple root. */
static hol__sym sine_of_twelfths(hol__algebra *a, long long k) {
    const int r = (int)(((k % 24) + 24) % 24), sign = r >= 12 ? -1 : 1, half = r % 12;
    const hol__sym s = simple_sine(a, half <= 6 ? half : 12 - half);
    return s && sign < 0 ? hol__sym_neg(a, s) : s;
}

/* sin (shift 0) or cos (shift 1) of x, which has no quarter turns to lose. */
static hol__sym sine_or_cosine(hol__algebra *a, hol__sym x, int shift) {
    if (leading(x) < 0) {
        const hol__sym up = plain(a, shift ? HOL__SYM_COS : HOL__SYM_SIN, hol__sym_neg(a, x), NULL);
        return shift ? up : hol__sym_neg(a, up);
    }
    return plain(a, shift ? HOL__SYM_COS : HOL__SYM_SIN, x, NULL);
}

/* sin(x + shift pi/2) */
static hol__sym wave(hol__algebra *a, hol__sym x, long long shift) {
    if (hol__sym_is(x, 0)) return sine_of_twelfths(a, 6 * shift);
    const hol__exact k = turns_in(a, x);
    if (k.d && k.n && 12 % k.d == 0 && (x == a->pi || x->kind == HOL__SYM_PRODUCT)) {
        const hol__sym value = sine_of_twelfths(a, k.n * (12 / k.d) + 6 * shift);
        if (value) return value;
    }
    if (k.d && k.n) { /* take whole quarter turns out */
        const double quarters = 2 * hol__exact_value(k);
        const long long whole = (long long)floor(quarters);
        shift += whole;
        x = hol__sym_sub(a, x, hol__sym_mul(a, hol__sym_fraction(a, whole, 2), a->pi));
        if (!x) return NULL;
        if (hol__sym_is(x, 0)) return sine_of_twelfths(a, 6 * shift);
    }
    const long long r = ((shift % 4) + 4) % 4;
    const hol__sym value = sine_or_cosine(a, x, r & 1);
    return r & 2 ? hol__sym_neg(a, value) : value;
}

static double apply(hol__sym_function f, double x, double y) {
    switch (f) {
    case HOL__SYM_SIN: return sin(x);
    case HOL__SYM_COS: return cos(x);
    case HOL__SYM_TAN: return tan(x);
    case HOL__SYM_ASIN: return asin(x);
    case HOL__SYM_ACOS: return acos(x);
    case HOL__SYM_ATAN: return atan(x);
    case HOL__SYM_ATAN2: return atan2(x, y);
    case HOL__SYM_SINH: return sinh(x);
    case HOL__SYM_COSH: return cosh(x);
    case HOL__SYM_TANH: return tanh(x);
    case HOL__SYM_EXP: return exp(x);
    case HOL__SYM_LOG: return log(x);
    case HOL__SYM_ABS: return fabs(x);
    case HOL__SYM_SIGN: return (x > 0) - (x < 0);
    }
    return NAN;
}

double hol__sym_apply(hol__sym_function f, double x, double y) {
    return apply(f, x, y);
}

/* Of numbers: exact at 0 and 1, else as a real. */
static hol__sym of_numbers(hol__algebra *a, hol__sym_function f, hol__sym x, hol__sym y) {
    const double value = apply(f, hol__exact_value(x->number), y ? hol__exact_value(y->number) : 0);
    if (!isfinite(value)) return plain(a, f, x, y);
    if (value == floor(value)) return hol__sym_integer(a, (long long)value);
    return hol__sym_exact(a, (hol__exact){.x = value, .decimal = 1});
}

hol__sym hol__sym_call(hol__algebra *a, hol__sym_function f, hol__sym x, hol__sym y) {
    if (!x || (f == HOL__SYM_ATAN2 && !y) || a->status) return NULL;
    if (f != HOL__SYM_ATAN2) y = NULL;
    if (hol__sym_is_number(x) && (!y || hol__sym_is_number(y))) return of_numbers(a, f, x, y);
    if (f == HOL__SYM_SIN) return wave(a, x, 0);
    if (f == HOL__SYM_COS) return wave(a, x, 1);
    if (f == HOL__SYM_ABS && hol__sym_is_positive(a, x)) return x;
    if (f == HOL__SYM_SIGN && hol__sym_is_positive(a, x)) return a->one;
    return plain(a, f, x, y);
}

hol__sym hol__sym_sin(hol__algebra *a, hol__sym x) {
    return hol__sym_call(a, HOL__SYM_SIN, x, NULL);
}

hol__sym hol__sym_cos(hol__algebra *a, hol__sym x) {
    return hol__sym_call(a, HOL__SYM_COS, x, NULL);
}

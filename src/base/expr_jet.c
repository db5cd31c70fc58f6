/* expr_jet.c: exact first and second derivatives of a program, forwards.
 *
 * Every value carries its derivatives along two directions u and v: (f, f_u, f_v, f_uv). For a
 * function of one operand x and of two operands x, y they are
 *
 *     f_u  = f' x_u                        f_u  = f_x x_u + f_y y_u
 *     f_uv = f' x_uv + f'' x_u x_v         f_uv = f_x x_uv + f_y y_uv + f_xx x_u x_v
 *                                                 + f_xy (x_u y_v + x_v y_u) + f_yy y_u y_v
 *
 * A curve in(s) is u = v = in', uv = in'': f_u = df/ds, f_uv = d2f/ds2. Directions e_i and e_j give
 * two entries of the gradient and one of the Hessian, without differences of large numbers.
 *
 * Where the text chooses (if, min, max, abs, clamp …) the derivatives are those of the branch
 * taken, whatever the others are. A derivative that is zero stays zero when it is multiplied by an
 * infinite or undefined factor: sqrt(x) + y at x = 0 has df/dy = 1. Where f is NaN all its
 * derivatives are.
 */
#include "base/expr_internal.h"

#include <math.h>

typedef struct dual {
    double f, u, v, uv;
} dual;

/* Derivatives of the inputs: along a curve (d1, d2), or the unit directions u and v (d1 is
 * NULL). */
typedef struct seed {
    const double *in, *d1, *d2;
    int u, v;
} seed;

static inline double times(double factor, double derivative) {
    return derivative == 0 ? 0 : factor * derivative;
}

static inline dual constant(double f) {
    return (dual){f, 0, 0, 0};
}

/* f(x) from f, f' and f''. */
static dual chain(dual x, double f, double df, double ddf) {
    const double second = times(df, x.uv) + times(ddf, x.u * x.v);
    return (dual){f, times(df, x.u), times(df, x.v), second};
}

/* f, f_x, f_y, f_xx, f_xy, f_yy. */
typedef struct partials {
    double f, x, y, xx, xy, yy;
} partials;

/* f(x, y) from its partial derivatives. */
static dual chain2(dual x, dual y, partials p) {
    const double curvature = times(p.xx, x.u * x.v) + times(p.yy, y.u * y.v) +
                             times(p.xy, x.u * y.v) + times(p.xy, x.v * y.u);
    return (dual){p.f, times(p.x, x.u) + times(p.y, y.u), times(p.x, x.v) + times(p.y, y.v),
                  times(p.x, x.uv) + times(p.y, y.uv) + curvature};
}

static inline dual add(dual x, dual y, double sign) {
    return (dual){x.f + sign * y.f, x.u + sign * y.u, x.v + sign * y.v, x.uv + sign * y.uv};
}

static inline dual multiply(dual x, dual y) {
    return (dual){x.f * y.f, times(y.f, x.u) + times(x.f, y.u), times(y.f, x.v) + times(x.f, y.v),
                  times(y.f, x.uv) + x.u * y.v + x.v * y.u + times(x.f, y.uv)};
}

/* numerator/y of a derivative: zero stays zero. */
static double over(double numerator, double y) {
    return numerator == 0 ? 0 : numerator / y;
}

/* q = x/y by q_u = (x_u - q y_u)/y, and the same once more. */
static inline dual divide(dual x, dual y) {
    const double q = x.f / y.f;
    const double u = over(x.u - times(q, y.u), y.f), v = over(x.v - times(q, y.v), y.f);
    const double second = x.uv - times(u, y.v) - times(v, y.u) - times(q, y.uv);
    return (dual){q, u, v, over(second, y.f)};
}

/* n x^(n-1) and n (n-1) x^(n-2), zero where the factor in front is. */
static void power_derivatives(double x, double n, double *df, double *ddf) {
    *df = n == 0 ? 0 : n * pow(x, n - 1);
    *ddf = n * (n - 1) == 0 ? 0 : n * (n - 1) * pow(x, n - 2);
}

/* x^y; the derivatives by y, f log x and on, are needed only where y changes. At x = 0 they are
 * the limits from above. */
static dual power(dual x, dual y) {
    partials p = {.f = pow(x.f, y.f)};
    power_derivatives(x.f, y.f, &p.x, &p.xx);
    if (y.u == 0 && y.v == 0 && y.uv == 0) return chain(x, p.f, p.x, p.xx);
    const double l = log(x.f);
    if (x.f != 0 || y.f <= 0) {
        p.y = p.f * l;
        p.yy = p.f * l * l;
    }
    if (x.f != 0 || y.f <= 1) p.xy = pow(x.f, y.f - 1) * (1 + times(l, y.f));
    return chain2(x, y, p);
}

/* atan2(y, x), with cosine c and sine s of the angle and r^2 = x^2 + y^2. */
static dual angle(dual y, dual x) {
    const double r = hypot(x.f, y.f), c = x.f / r, s = y.f / r;
    const partials p = {.f = atan2(y.f, x.f),
                        .x = c / r,
                        .y = -s / r,
                        .xx = -2 * s * c / r / r,
                        .xy = (s - c) * (s + c) / r / r,
                        .yy = 2 * s * c / r / r};
    return chain2(y, x, p);
}

static dual length(dual x, dual y) {
    const double r = hypot(x.f, y.f), c = x.f / r, s = y.f / r;
    const partials p = {.f = r, .x = c, .y = s, .xx = s * s / r, .xy = -s * c / r, .yy = c * c / r};
    return chain2(x, y, p);
}

/* x - y q with q = floor(x/y) held fast. */
static dual modulo(dual x, dual y) {
    const double r = hol__expr_mod(x.f, y.f), q = round((x.f - r) / y.f);
    return (dual){r, x.u - times(q, y.u), x.v - times(q, y.v), x.uv - times(q, y.uv)};
}

/* The first if it is known to hold, the second if it is known not to, else NaN. */
static dual choose(double truth, dual x, dual y) {
    return isnan(truth) ? constant(truth) : truth != 0 ? x : y;
}

static dual minimum(dual x, dual y) {
    return choose(isunordered(x.f, y.f) ? NAN : x.f <= y.f, x, y);
}

static dual maximum(dual x, dual y) {
    return choose(isunordered(x.f, y.f) ? NAN : x.f >= y.f, x, y);
}

static dual negate(dual x) {
    return (dual){-x.f, -x.u, -x.v, -x.uv};
}

/* The ramp p = 10 s^3 - 15 s^4 + 6 s^5: p' = 30 s^2 (1-s)^2, p'' = 60 s (1-s) (1-2s). */
static dual ramp(dual s) {
    const double x = s.f;
    if (!(x > 0 && x < 1)) return constant(hol__expr_ramp(x));
    const double w = x * (1 - x);
    return chain(s, hol__expr_ramp(x), 30 * w * w, 60 * w * (1 - 2 * x));
}

/* asin x and acos x (sign -1): f' = ±1/sqrt(1 - x^2), f'' = x f'^3. */
static dual arc(dual x, double f, double sign) {
    const double d = sign / sqrt((1 - x.f) * (1 + x.f));
    return chain(x, f, d, x.f * d * d * d);
}

/* The functions of one operand whose derivatives follow from their own value. */
static dual apply_smooth(hol__expr_op op, dual x) {
    double f, d;
    switch (op) {
    case HOL__OP_SIN: f = sin(x.f); return chain(x, f, cos(x.f), -f);
    case HOL__OP_COS: f = cos(x.f); return chain(x, f, -sin(x.f), -f);
    case HOL__OP_TAN:
        f = tan(x.f);
        d = 1 + f * f;
        return chain(x, f, d, 2 * f * d);
    case HOL__OP_ASIN: return arc(x, asin(x.f), 1);
    case HOL__OP_ACOS: return arc(x, acos(x.f), -1);
    case HOL__OP_ATAN: d = 1 / (1 + x.f * x.f); return chain(x, atan(x.f), d, -2 * x.f * d * d);
    case HOL__OP_SINH: f = sinh(x.f); return chain(x, f, cosh(x.f), f);
    case HOL__OP_COSH: f = cosh(x.f); return chain(x, f, sinh(x.f), f);
    case HOL__OP_TANH:
        f = tanh(x.f);
        d = 1 / cosh(x.f);
        return chain(x, f, d * d, -2 * f * d * d);
    case HOL__OP_EXP: f = exp(x.f); return chain(x, f, f, f);
    case HOL__OP_LOG: d = 1 / x.f; return chain(x, log(x.f), d, -d * d);
    case HOL__OP_LOG10: d = 1 / x.f / log(10.0); return chain(x, log10(x.f), d, -d / x.f);
    case HOL__OP_SQRT:
        f = sqrt(x.f);
        d = 0.5 / f;
        return chain(x, f, d, -0.5 * d / x.f);
    case HOL__OP_CBRT:
        f = cbrt(x.f);
        d = 1 / (3 * f * f);
        return chain(x, f, d, -2 * d / (3 * x.f));
    default: return constant(NAN);
    }
}

/* The functions of two operands. */
static dual apply_two(hol__expr_op op, dual x, dual y) {
    switch (op) {
    case HOL__OP_POW: return power(x, y);
    case HOL__OP_ATAN2: return angle(x, y);
    case HOL__OP_HYPOT: return length(x, y);
    case HOL__OP_MOD: return modulo(x, y);
    case HOL__OP_MIN: return minimum(x, y);
    case HOL__OP_MAX: return maximum(x, y);
    default: return constant(NAN);
    }
}

/* The operand with its derivatives. */
static inline dual read_operand(const hol__expr *e, const seed *s, const double *r,
                                unsigned operand) {
    const unsigned i = HOL__OPERAND_INDEX(operand);
    if (HOL__OPERAND_FROM(operand) == HOL__FROM_CONSTANT) return constant(e->constants[i]);
    if (HOL__OPERAND_FROM(operand) == HOL__FROM_REGISTER)
        return (dual){r[4 * i], r[4 * i + 1], r[4 * i + 2], r[4 * i + 3]};
    if (s->d1) return (dual){s->in[i], s->d1[i], s->d1[i], s->d2[i]};
    return (dual){s->in[i], s->u == (int)i, s->v == (int)i, 0};
}

static dual table(const hol__expr_spline *spline, dual x) {
    double f[3];
    hol__expr_spline_at(spline, x.f, f);
    return chain(x, f[0], f[1], f[2]);
}

/* The value of one instruction without derivatives, for functions that are piecewise constant. */
static dual flat(hol__expr_instruction i, double x, double y) {
    const double k[] = {x, y};
    double f;
    i.a = HOL__OPERAND(HOL__FROM_CONSTANT, 0);
    i.b = HOL__OPERAND(HOL__FROM_CONSTANT, 1);
    i.to = 0;
    hol__expr_run(&i, 1, k, NULL, NULL, &f);
    return constant(f);
}

/* One instruction that is not arithmetic, with first operand x. */
static dual apply(const hol__expr *e, const seed *s, const double *r,
                  const hol__expr_instruction *i, dual x) {
    const hol__expr_op op = (hol__expr_op)i->op;
    switch (op) {
    case HOL__OP_NEG: return negate(x);
    case HOL__OP_ABS: return x.f < 0 ? negate(x) : add(x, constant(0), 1);
    case HOL__OP_RAMP: return ramp(x);
    case HOL__OP_TABLE: return table(&e->splines[i->c], x);
    case HOL__OP_SELECT:
        return choose(x.f, read_operand(e, s, r, i->b), read_operand(e, s, r, i->c));
    case HOL__OP_NOT:
    case HOL__OP_SIGN:
    case HOL__OP_FLOOR:
    case HOL__OP_CEIL: return flat(*i, x.f, 0);
    case HOL__OP_LT:
    case HOL__OP_LE:
    case HOL__OP_EQ:
    case HOL__OP_NE:
    case HOL__OP_AND:
    case HOL__OP_OR: return flat(*i, x.f, read_operand(e, s, r, i->b).f);
    default: break;
    }
    return op < HOL__OP_ADD ? apply_smooth(op, x) : apply_two(op, x, read_operand(e, s, r, i->b));
}

/* The value and its derivatives into their register. */
static inline void store(dual f, double *to) {
    to[0] = f.f;
    to[1] = f.u;
    to[2] = f.v;
    to[3] = f.uv;
}

/* g of the recorded switches that instruction number `at` begins, the next of which is k, in front
 * of the registers; the one after it. */
static int record(const hol__expr *e, const seed *s, double *r, int at, int k) {
    if (k == e->n_recorded || e->recorded[k].at != at) return k;
    const hol__expr_instruction *i = e->code + at;
    r[-e->record - k] =
        hol__expr_switch_value(i, read_operand(e, s, r, i->a).f, read_operand(e, s, r, i->b).f);
    return k + 1;
}

/* The whole program. */
static dual run(const hol__expr *e, const seed *s, double *r) {
    int k = 0;
    for (const hol__expr_instruction *i = e->code; i < e->code + e->n_code; i++) {
        if (e->record) k = record(e, s, r, (int)(i - e->code), k);
        const dual x = read_operand(e, s, r, i->a);
        double *to = r + 4 * i->to;
        switch ((hol__expr_op)i->op) {
        case HOL__OP_ADD: store(add(x, read_operand(e, s, r, i->b), 1), to); break;
        case HOL__OP_SUB: store(add(x, read_operand(e, s, r, i->b), -1), to); break;
        case HOL__OP_MUL: store(multiply(x, read_operand(e, s, r, i->b)), to); break;
        case HOL__OP_DIV: store(divide(x, read_operand(e, s, r, i->b)), to); break;
        default: store(apply(e, s, r, i, x), to);
        }
    }
    const dual f = read_operand(e, s, r, e->result);
    return isnan(f.f) ? (dual){f.f, NAN, NAN, NAN} : f;
}

hol__jet hol__expr_jet(const hol__expr *e, const double *in, const double *d1, const double *d2,
                       double *scratch) {
    const seed s = {.in = in, .d1 = d1, .d2 = d2};
    const dual f = run(e, &s, scratch);
    return (hol__jet){f.f, f.u, f.uv};
}

double hol__expr_gradient(const hol__expr *e, const double *in, double *gradient, double *scratch) {
    seed s = {.in = in};
    for (int i = 0; i < e->n_inputs; i++) gradient[i] = 0;
    if (e->n_read == 0) return hol__expr_value(e, in, scratch);
    double f = NAN;
    /* two entries at a time */
    for (int i = 0; i < e->n_read; i += 2) {
        s.u = e->read[i];
        s.v = e->read[i + 1 < e->n_read ? i + 1 : i];
        const dual d = run(e, &s, scratch);
        f = d.f;
        gradient[s.u] = d.u;
        gradient[s.v] = d.v;
    }
    return f;
}

double hol__expr_hessian(const hol__expr *e, const double *in, double *gradient, double *hessian,
                         double *scratch) {
    const size_t n = (size_t)e->n_inputs;
    seed s = {.in = in};
    for (size_t i = 0; i < n; i++) gradient[i] = 0;
    for (size_t i = 0; i < n * n; i++) hessian[i] = 0;
    if (e->n_read == 0) return hol__expr_value(e, in, scratch);
    double f = NAN;
    for (int i = 0; i < e->n_read; i++)
        for (int j = i; j < e->n_read; j++) {
            s.u = e->read[i];
            s.v = e->read[j];
            const dual d = run(e, &s, scratch);
            f = d.f;
            gradient[s.u] = d.u;
            gradient[s.v] = d.v;
            hessian[(size_t)s.u * n + (size_t)s.v] = hessian[(size_t)s.v * n + (size_t)s.u] = d.uv;
        }
    return f;
}

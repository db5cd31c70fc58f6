/* recognise.c: the formula of a number from its samples. See recognise.h. */
#include "symbolic/recognise.h"

#include <math.h>
#include <string.h>

/* Rounding of a number that a compiler found in some operations. */
static const double tiny = 1e-13;

/* The largest denominator and numerator of simple fractions. */
enum { DENOMINATOR = 24, NUMERATOR = 48 };

static int is_near(double x, double y, double size) {
    return fabs(x - y) <= tiny * (fabs(size) + fabs(y));
}

static double spread(const hol__candidates *c, const double *value) {
    double out = 0;
    for (int k = 1; k < c->n_samples; k++) out = fmax(out, fabs(value[k] - value[0]));
    return out;
}

static double largest(const hol__candidates *c, const double *value) {
    double out = 0;
    for (int k = 0; k < c->n_samples; k++) out = fmax(out, fabs(value[k]));
    return out;
}

void hol__candidates_add(hol__candidates *c, hol__sym e) {
    hol__algebra *a = c->a;
    if (!e || a->status || hol__sym_is_number(e)) return;
    for (int i = 0; i < c->n; i++)
        if (c->list[i].e == e) return;
    double *value = HOL__NEW_N(&a->arena, double, c->n_samples),
           *work = hol__alloc(a->ctx, (size_t)a->n_nodes, sizeof *work);
    hol__candidate *list =
        hol__arena_grow(&a->arena, c->list, sizeof *list, c->n, &c->capacity, c->n + 1);
    if (!value || !work || !list) {
        a->status = HOL_ERR_MEMORY;
        hol__release(a->ctx, work);
        return;
    }
    c->list = list;
    int good = 1;
    for (int k = 0; k < c->n_samples; k++) {
        value[k] = hol__sym_value(a, e, c->sample[k], work);
        good &= isfinite(value[k]) && value[k] != 0;
    }
    hol__release(a->ctx, work);
    if (good && spread(c, value) > 1e-9 * largest(c, value))
        list[c->n++] = (hol__candidate){e, value};
}

/* ---- numbers ---- */

/* x as n/d, a simple fraction; 0: it is none. */
static int simple(double x, long long *n, long long *d) {
    for (int q = 1; q <= DENOMINATOR; q++) {
        const double p = round(x * q);
        if (p != 0 && fabs(p) <= NUMERATOR && fabs(x * q - p) <= 1e-11 * fabs(p)) {
            *n = (long long)p;
            *d = q;
            return 1;
        }
    }
    return 0;
}

hol__sym hol__recognise_number(hol__algebra *a, double x, double scale, int angle) {
    static const double pi = 3.14159265358979323846;
    long long n, d;
    if (fabs(x) <= 4e-16 * (1 + scale)) return a->zero;
    if (fabs(x) < 1e15 && fabs(x - round(x)) <= 4e-16 * fabs(x))
        return hol__sym_integer(a, (long long)round(x));
    if (angle && simple(x / pi, &n, &d) && fabs(x - pi * (double)n / (double)d) <= 1e-15 * fabs(x))
        return hol__sym_mul(a, hol__sym_fraction(a, n, d), a->pi);
    if (fabs(x) < 10 && hol__exact_of(x).d == 0 && simple(x * x, &n, &d) && n * d < 1000 &&
        fabs(fabs(x) - sqrt((double)n / (double)d)) <= 4e-16 * fabs(x))
        return hol__sym_mul(a, hol__sym_fraction(a, x < 0 ? -1 : 1, d),
                            hol__sym_sqrt(a, hol__sym_integer(a, n * d)));
    /* what rounding left in the last digits of a decimal */
    const double power = pow(10, 14 - floor(log10(fabs(x)))), rounded = round(x * power) / power;
    const hol__exact near = hol__exact_of(rounded);
    if (near.d && fabs(rounded - x) <= 8e-16 * fabs(x)) return hol__sym_exact(a, near);
    return hol__sym_number(a, x);
}

/* ---- one or two candidates ---- */

/* How simple r is: 0 for 1, else more; -1: it is no simple fraction. */
static int cost(double r, long long *n, long long *d) {
    if (!simple(r, n, d)) return -1;
    return (int)((*n != 1 && *n != -1) + (*d != 1)) + (*n < 0 && 0);
}

/* v = r w in all samples; r into *r. */
static int is_multiple(const hol__candidates *c, const double *v, const double *w, double *r) {
    *r = v[0] / w[0];
    for (int k = 1; k < c->n_samples; k++)
        if (!is_near(*r * w[k], v[k], v[k])) return 0;
    return 1;
}

/* The better of two formulas: the shorter one, then the earlier one. */
static hol__sym better(hol__sym x, hol__sym y) {
    return y && (!x || y->operations < x->operations) ? y : x;
}

static hol__sym times(hol__algebra *a, long long n, long long d, hol__sym e) {
    return hol__sym_mul(a, hol__sym_fraction(a, n, d), e);
}

static hol__sym by_one(const hol__candidates *c, const double *v) {
    hol__sym best = NULL;
    for (int i = 0; i < c->n; i++) {
        double r;
        long long n, d;
        if (is_multiple(c, v, c->list[i].value, &r) && cost(r, &n, &d) >= 0)
            best = better(best, times(c->a, n, d, c->list[i].e));
    }
    return best;
}

/* r e f */
static hol__sym by_product(const hol__candidates *c, const double *v) {
    hol__sym best = NULL;
    for (int i = 0; i < c->n; i++)
        for (int j = i; j < c->n; j++) {
            const double *p = c->list[i].value, *q = c->list[j].value;
            const double r = v[0] / (p[0] * q[0]);
            long long n, d;
            int good = cost(r, &n, &d) >= 0;
            for (int k = 1; good && k < c->n_samples; k++)
                good = is_near(r * p[k] * q[k], v[k], v[k]);
            if (good)
                best =
                    better(best, times(c->a, n, d, hol__sym_mul(c->a, c->list[i].e, c->list[j].e)));
        }
    return best;
}

/* r e + s f, from two samples, met by all. */
static hol__sym by_pair(const hol__candidates *c, const double *v) {
    hol__sym best = NULL;
    const double size = largest(c, v);
    for (int i = 0; i < c->n; i++)
        for (int j = -1; j < i; j++) { /* j = -1: a number */
            const double *p = c->list[i].value, *q = j < 0 ? NULL : c->list[j].value;
            const double q0 = q ? q[0] : 1, q1 = q ? q[1] : 1;
            const double det = p[0] * q1 - p[1] * q0;
            if (fabs(det) < 1e-9 * fabs(p[0] * q1)) continue;
            const double r = (v[0] * q1 - v[1] * q0) / det, s = (p[0] * v[1] - p[1] * v[0]) / det;
            long long n, d, m = 0, e = 1;
            int good = cost(r, &n, &d) >= 0 && (!q || cost(s, &m, &e) >= 0);
            const double r1 = good ? (double)n / (double)d : 0,
                         s1 = good && q ? (double)m / (double)e : v[0] - r1 * p[0];
            for (int k = 0; good && k < c->n_samples; k++)
                good = fabs(r1 * p[k] + s1 * (q ? q[k] : 1) - v[k]) <= 10 * tiny * size;
            if (!good) continue;
            const hol__sym second =
                q ? times(c->a, m, e, c->list[j].e) : hol__recognise_number(c->a, s1, c->scale, 0);
            best = better(best, hol__sym_add(c->a, times(c->a, n, d, c->list[i].e), second));
        }
    return best;
}

/* ---- all parameters ---- */

enum { MOST = 16 };

/* Least squares by the normal equations of a small system: rows of n numbers and a right-hand
 * side; 0 where it is singular. */
static int fit(int n, int rows, double (*row)[MOST + 1], const double *right, double *x) {
    double N[MOST + 1][MOST + 2] = {{0}};
    for (int k = 0; k < rows; k++)
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) N[i][j] += row[k][i] * row[k][j];
            N[i][n] += row[k][i] * right[k];
        }
    for (int i = 0; i < n; i++) {
        int p = i;
        for (int k = i + 1; k < n; k++)
            if (fabs(N[k][i]) > fabs(N[p][i])) p = k;
        if (!(fabs(N[p][i]) > 0)) return 0;
        for (int j = 0; j <= n; j++) {
            const double t = N[i][j];
            N[i][j] = N[p][j];
            N[p][j] = t;
        }
        for (int k = 0; k < n; k++) {
            if (k == i) continue;
            const double f = N[k][i] / N[i][i];
            for (int j = i; j <= n; j++) N[k][j] -= f * N[i][j];
        }
    }
    for (int i = 0; i < n; i++) x[i] = N[i][n] / N[i][i];
    return 1;
}

static double parameter_value(const hol__candidates *c, int k, int i) {
    return c->sample[k][c->parameter[i]->symbol];
}

/* r prod p_i^k_i */
static hol__sym by_monomial(const hol__candidates *c, const double *v) {
    enum { SAMPLES = 64 };
    hol__algebra *a = c->a;
    double row[SAMPLES][MOST + 1], right[SAMPLES], x[MOST + 1];
    const int n = c->n_parameters, rows = c->n_samples - 1;
    if (n > MOST || rows > SAMPLES || rows <= n) return NULL;
    for (int k = 0; k < rows; k++) {
        right[k] = log(v[k + 1] / v[0]);
        for (int i = 0; i < n; i++)
            row[k][i] = log(parameter_value(c, k + 1, i) / parameter_value(c, 0, i));
        for (int i = 0; i < n; i++)
            if (!isfinite(row[k][i])) row[k][i] = 0; /* a parameter that is 0 is no factor */
        if (!isfinite(right[k])) return NULL;
    }
    for (int i = 0; i < n; i++) /* … and keeps its equation regular */
        if (parameter_value(c, 0, i) == 0) row[i % rows][i] += 1e-3;
    if (!fit(n, rows, row, right, x)) return NULL;
    double r = v[0];
    hol__sym out = a->one;
    for (int i = 0; i < n; i++) {
        const double k = round(2 * x[i]);
        if (fabs(2 * x[i] - k) > 1e-4 || fabs(k) > 12) return NULL;
        if (k == 0) continue;
        r /= pow(parameter_value(c, 0, i), 0.5 * k);
        out = hol__sym_mul(
            a, out, hol__sym_power(a, c->parameter[i], hol__sym_fraction(a, (long long)k, 2)));
    }
    for (int s = 1; s < c->n_samples; s++) {
        double product = r;
        for (int i = 0; i < n; i++)
            if (round(2 * x[i]) != 0)
                product *= pow(parameter_value(c, s, i), 0.5 * round(2 * x[i]));
        if (!is_near(product, v[s], v[s])) return NULL;
    }
    long long p, q;
    const int part = simple(r, &p, &q) && (p == 1 || p == -1 || q % 3 == 0);
    return hol__sym_mul(a, part ? hol__sym_fraction(a, p, q) : hol__recognise_number(a, r, 0, 0),
                        out);
}

/* r_0 + sum r_i p_i */
static hol__sym by_line(const hol__candidates *c, const double *v, int angle) {
    enum { SAMPLES = 64 };
    hol__algebra *a = c->a;
    double row[SAMPLES][MOST + 1], right[SAMPLES], x[MOST + 1];
    const int n = c->n_parameters, rows = c->n_samples - 1;
    if (n > MOST || rows > SAMPLES || rows <= n) return NULL;
    for (int k = 0; k < rows; k++) {
        right[k] = v[k + 1] - v[0];
        for (int i = 0; i < n; i++)
            row[k][i] = parameter_value(c, k + 1, i) - parameter_value(c, 0, i);
    }
    if (!fit(n, rows, row, right, x)) return NULL;
    double rest = v[0], size = fabs(v[0]);
    hol__sym out = a->zero;
    for (int i = 0; i < n; i++) {
        long long p = 0, q = 1;
        if (fabs(x[i]) > 1e-6 &&
            (fabs(x[i] * 24 - round(x[i] * 24)) > 1e-4 || !simple(round(x[i] * 24) / 24, &p, &q)))
            return NULL;
        x[i] = (double)p / (double)q;
        rest -= x[i] * parameter_value(c, 0, i);
        size += fabs(x[i] * parameter_value(c, 0, i));
        out = hol__sym_add(a, out, times(a, p, q, c->parameter[i]));
    }
    for (int k = 1; k < c->n_samples; k++) {
        double sum = rest;
        for (int i = 0; i < n; i++) sum += x[i] * parameter_value(c, k, i);
        if (fabs(sum - v[k]) > 10 * tiny * size) return NULL;
    }
    return hol__sym_add(a, out, hol__recognise_number(a, rest, size, angle));
}

hol__sym hol__recognise(const hol__candidates *c, const double *v, int angle) {
    const double size = largest(c, v), rounding = 4e-15 * (size + c->scale);
    if (c->a->status) return NULL;
    if (size <= 4e-16 * (1 + c->scale) || spread(c, v) <= fmin(rounding, 1e-12 * size))
        return hol__recognise_number(c->a, v[0], c->scale, angle);
    for (int k = 0; k < c->n_samples; k++)
        if (!isfinite(v[k])) return NULL;
    hol__sym best = better(by_one(c, v), by_monomial(c, v));
    if (best && best->operations <= 2) return best;
    best = better(best, by_line(c, v, angle));
    best = better(best, by_product(c, v));
    return better(best, by_pair(c, v));
}

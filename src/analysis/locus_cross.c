/* locus_cross.c: where eigenvalues cross the border of stability between two values of the
 * parameter.
 *
 * Where the numbers of growing ones differ, halving the interval finds a crossing. Where they are
 * the same, one may have crossed and come back. So along every branch numbers f are watched that
 * are zero on the border and smooth where they reach it:
 *
 *     the real part;
 *     of a pair on the imaginary axis, +-iw, its square: it leaves the axis through zero;
 *     of two such pairs (wa^2 - wb^2)^2: they leave it where they meet.
 *
 * With their derivatives at both ends: where f falls at one end and rises at the other and the two
 * tangents meet beyond zero, or where f at the middle is not what the cubic through both ends says,
 * by half of what it is away from zero, both halves are looked at. dlambda/dp is a difference over
 * a thousandth of the interval.
 */
#include "analysis/locus.h"

#include <math.h>
#include <string.h>

enum { HALVINGS = 80, DEPTH = 16 };

static const double border = 1e-9; /* a real part of this share of its eigenvalue, or of the fastest
                                      one, is on the border */

/* ---- one crossing ---- */

/* The eigenvalue that is nearest to the border among those that are not zero. */
static int nearest(const hol__roots *r) {
    int best = -1;
    for (int k = 0; k < r->x.n - r->x.n_zero; k++)
        if (r->x.im[k] >= 0 && (best < 0 || fabs(r->x.re[k]) < fabs(r->x.re[best]))) best = k;
    return best;
}

/* One crossing between a and b, whose numbers differ, into the table; what is left between it and b
 * is looked at again. */
static hol_status cross(hol__locus *l, double a, const hol__roots *at_a, double b,
                        const hol__roots *at_b, hol__sheet *sheet) {
    hol__roots low = *at_a, high = *at_b;
    double end = b;
    /* an eigenvalue that goes through zero is none of those that are always zero */
    const hol__spectrum like = at_a->x.n_zero <= at_b->x.n_zero ? at_a->x : at_b->x;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (a + end);
        if (middle == a || middle == end) break;
        hol__roots there;
        const hol_status status = hol__locus_roots(l, middle, &like, &there);
        if (status) return status;
        if (there.growing == low.growing)
            a = middle, low = there;
        else
            end = middle, high = there;
    }
    const int k = nearest(&high), j = nearest(&low);
    double *row = hol__sheet_add(sheet, NULL);
    if (!row) return HOL_ERR_MEMORY;
    const double im = k >= 0 ? high.x.im[k] : j >= 0 ? low.x.im[j] : 0;
    row[0] = 0.5 * (a + end);
    row[1] = im;
    row[2] = im / (2 * acos(-1.0));
    row[3] = low.growing;
    row[4] = high.growing;
    if (high.growing == at_b->growing || end >= b) return HOL_OK;
    return cross(l, end, &high, b, at_b, sheet);
}

/* ---- two that cancel ---- */

/* Rates of the eigenvalues at value, by a step of either sign. */
static hol_status find_rates(hol__locus *l, double value, double step, hol__roots *r) {
    hol__roots beside;
    const int n = r->x.n;
    if (r->re_rate) return HOL_OK;
    hol_status status = hol__locus_roots(l, value + step, &r->x, &beside);
    if (!status && beside.x.n != n) status = HOL_RETRY;
    if (!status) status = hol__locus_follow(l, r, &beside);
    if (status) return status;
    double *re = HOL__NEW_N(&l->arena, double, n + 1), *im = HOL__NEW_N(&l->arena, double, n + 1);
    if (!re || !im) return HOL_ERR_MEMORY;
    for (int k = 0; k < n; k++) {
        re[k] = (beside.x.re[k] - r->x.re[k]) / step;
        im[k] = (beside.x.im[k] - r->x.im[k]) / step;
    }
    r->re_rate = re;
    r->im_rate = im;
    return HOL_OK;
}

/* A number and its rate at both ends, and the number in the middle; less: what is rounding. */
typedef struct watched {
    double at[2], rate[2], middle, less;
} watched;

/* Whether it may be zero between the ends although it has the same sign at both. */
static int may_vanish(const watched *w, double width) {
    const double sign = w->at[0] < 0 ? -1 : 1, f = sign * w->at[0], g = sign * w->at[1],
                 d = sign * w->rate[0] * width, e = sign * w->rate[1] * width,
                 middle = sign * w->middle;
    if (f <= w->less || g <= w->less) return 0; /* on the border: nothing leaves it here */
    if (middle < -w->less) return 1;
    if (d < 0 && e > 0) { /* the tangents meet at s, in units of the width */
        const double s = (g - e - f) / (d - e);
        if (s > 0 && s < 1 && f + d * s < -w->less) return 1;
    }
    const double foreseen = 0.5 * (f + g) + 0.125 * (d - e);
    return fabs(middle - foreseen) > 0.5 * fmin(fmin(f, g), fabs(middle)) + w->less;
}

/* Three sets of roots and where they are. */
typedef struct span {
    const hol__roots *end[2], *middle;
    double width, size; /* size: of the largest eigenvalue */
} span;

/* On the imaginary axis at both ends. */
static int is_on_axis(const span *x, int k) {
    for (int i = 0; i < 2; i++)
        if (fabs(x->end[i]->x.re[k]) > border * x->size || x->end[i]->x.im[k] <= 0) return 0;
    return 1;
}

static double square(const hol__roots *r, int k) {
    return r->x.im[k] * r->x.im[k] - r->x.re[k] * r->x.re[k];
}

static int real_part_vanishes(const span *x, int k) {
    watched w = {.middle = x->middle->x.re[k], .less = border * x->size};
    for (int i = 0; i < 2; i++) w.at[i] = x->end[i]->x.re[k], w.rate[i] = x->end[i]->re_rate[k];
    return may_vanish(&w, x->width);
}

static int frequency_vanishes(const span *x, int k) {
    watched w = {.middle = square(x->middle, k), .less = border * x->size * x->size};
    for (int i = 0; i < 2; i++) {
        w.at[i] = square(x->end[i], k);
        w.rate[i] = 2 * x->end[i]->x.im[k] * x->end[i]->im_rate[k];
    }
    return may_vanish(&w, x->width);
}

static int frequencies_meet(const span *x, int k, int j) {
    const double size = x->size * x->size, apart = square(x->middle, k) - square(x->middle, j);
    watched w = {.middle = apart * apart, .less = border * size * size};
    if (fabs(x->middle->x.re[k]) > border * x->size) return 1; /* they have left the axis */
    for (int i = 0; i < 2; i++) {
        const hol__roots *r = x->end[i];
        const double d = square(r, k) - square(r, j);
        w.at[i] = d * d;
        w.rate[i] = 4 * d * (r->x.im[k] * r->im_rate[k] - r->x.im[j] * r->im_rate[j]);
    }
    return may_vanish(&w, x->width);
}

/* Whether something on some branch may have crossed and come back. */
static int is_suspect(const span *x) {
    const int n = x->end[0]->x.n - x->end[0]->x.n_zero;
    for (int k = 0; k < n; k++) {
        if (x->end[0]->x.im[k] < 0) continue;
        if (!is_on_axis(x, k)) {
            if (real_part_vanishes(x, k)) return 1;
            continue;
        }
        if (frequency_vanishes(x, k)) return 1;
        for (int j = k + 1; j < n; j++)
            if (is_on_axis(x, j) && frequencies_meet(x, k, j)) return 1;
    }
    return 0;
}

static double largest(const hol__roots *r) {
    double most = 0;
    for (int k = 0; k < r->x.n; k++) most = fmax(most, hypot(r->x.re[k], r->x.im[k]));
    return most;
}

static hol_status look(hol__locus *l, double a, hol__roots *at_a, double b, hol__roots *at_b,
                       int depth, hol__sheet *sheet) {
    const double width = b - a, middle = 0.5 * (a + b);
    hol__roots there;
    if (at_a->growing != at_b->growing && depth >= DEPTH) return cross(l, a, at_a, b, at_b, sheet);
    if (depth >= DEPTH || !(middle > a && middle < b)) return HOL_OK;
    hol_status status = find_rates(l, a, 1e-3 * width, at_a);
    if (!status) status = find_rates(l, b, -1e-3 * width, at_b);
    if (!status) status = hol__locus_roots(l, middle, NULL, &there);
    if (!status && there.x.n == at_a->x.n) status = hol__locus_follow(l, at_a, &there);
    if (status) return status < 0 ? status : HOL_OK;
    const span x = {.end = {at_a, at_b},
                    .middle = &there,
                    .width = width,
                    .size = fmax(largest(at_a), largest(at_b))};
    const int alike = there.x.n_zero == at_a->x.n_zero && at_b->x.n_zero == at_a->x.n_zero;
    if (there.growing == at_a->growing && there.growing == at_b->growing &&
        !(alike && is_suspect(&x)))
        return HOL_OK;
    /* one crossing, and nothing else that is suspect */
    hol__roots second = *at_b;
    status = look(l, a, at_a, middle, &there, depth + 1, sheet);
    return status ? status : look(l, middle, &there, b, &second, depth + 1, sheet);
}

hol_status hol__locus_crossings(hol__locus *l, double a, hol__roots *at_a, double b,
                                hol__roots *at_b, hol__sheet *sheet) {
    return look(l, a, at_a, b, at_b, 0, sheet);
}

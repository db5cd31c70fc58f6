/* law_integral.c: integrals of laws of time, and where they are not to be had.
 *
 *     int_{t_0}^{t_1} f ds,   int (t_1 - s) f(s) ds
 *
 * Gauss-Legendre sums with ten points, of pieces that are parted until their parts agree with the
 * whole to rounding. Where f grows without bound the parts never agree: to 1e-8 of the size of f
 * after all where the integral exists (1/sqrt|t - t_p|, of which t itself leaves no more digits),
 * else not at all (1/(t - t_p)), and the integral is NaN.
 */
#include "model/law_integral.h"

#include <math.h>

enum { MOST_PIECES = 20000 };

static const double rounding = 1e-15; /* of the size of a sum */
static const double noise = 1e-3; /* of a piece: a law that has so few digits is no singular one */
static const double most_error = 3e-8; /* of an integral at singular places, of its size */
static const double least_span = 1e-6; /* around them, of the time looked at */

/* Nodes and weights of ten points on [-1, 1], the positive half. */
static const double node[5] = {0.14887433898163121, 0.43339539412924719, 0.67940956829902441,
                               0.86506336668898451, 0.97390652851717172};
static const double weight[5] = {0.29552422471475287, 0.26926671930999636, 0.21908636251598204,
                                 0.14945134915058059, 0.066671344308688138};

/* Integrals over a piece [a, b] of f, of (t1 - s) f, of |f|, and of |s f'|: by how much rounding of
 * s moves f. */
typedef struct piece {
    double a, b, sum[2], size, turn;
} piece;

/* An integral over a step: of the law, or of its rate, up to t1; size: of |f|, as first guessed and
 * as seen; error: by how much pieces and their parts differ; left: pieces that may still be
 * made. */
typedef struct integral {
    const hol__law *f;
    int rate;
    double *scratch, t1, sum[2], size, seen, error;
    long left;
} integral;

/* One piece by ten points. */
static piece gauss(const integral *x, double a, double b) {
    const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
    piece p = {.a = a, .b = b};
    for (int i = 0; i < 5; i++)
        for (int side = -1; side <= 1; side += 2) {
            const double s = middle + side * half * node[i], w = half * weight[i];
            const hol__jet law = hol__law_jet(x->f, s, x->scratch);
            const double f = x->rate ? law.d1 : law.f;
            p.sum[0] += w * f;
            p.sum[1] += w * f * (x->t1 - s);
            p.size += w * fabs(f);
            p.turn += w * fabs(s * (x->rate ? law.d2 : law.d1));
        }
    return p;
}

/* Add a piece: parted until its two parts agree with it to rounding. The parts are uneven, so that
 * the sides of a pole cannot cancel in both sums. */
static void add(integral *x, const piece *whole) {
    const double between = whole->a + 0.46 * (whole->b - whole->a);
    const piece part[2] = {gauss(x, whole->a, between), gauss(x, between, whole->b)};
    const double size = part[0].size + part[1].size, turn = part[0].turn + part[1].turn,
                 off = fabs(part[0].sum[0] + part[1].sum[0] - whole->sum[0]);
    const int agree = off <= rounding * fmax(size + turn, x->size);
    if (!isfinite(off)) x->left = 0;
    if (!agree && between > whole->a && between < whole->b && x->left > 0) {
        x->left -= 2;
        add(x, &part[0]);
        add(x, &part[1]);
        return;
    }
    for (int i = 0; i < 2; i++) x->sum[i] += part[0].sum[i] + part[1].sum[i];
    x->seen += size;
    if (!(off <= noise * size)) x->error += off;
}

void hol__law_integrate(const hol__law *f, int rate, double *scratch, double t0, double t1,
                        double scale, double sum[2]) {
    integral x = {.f = f, .rate = rate, .scratch = scratch, .t1 = t1, .left = MOST_PIECES};
    const piece whole = gauss(&x, t0, t1);
    x.size = whole.size;
    add(&x, &whole);
    const int found = x.error <= most_error * fmax(x.seen, scale);
    for (int i = 0; i < 2; i++) sum[i] = found ? x.sum[i] : NAN;
}

/* Whether the law, or its rate, has no integral from t0 to t1. */
static int is_lost(const hol__law *f, int rate, double *scratch, double t0, double t1) {
    double sum[2];
    hol__law_integrate(f, rate, scratch, t0, t1, 1, sum);
    return !isfinite(sum[0]);
}

int hol__law_breaks(const hol__law *f, int rate, double *scratch, double t0, double t1,
                    double *when) {
    if (!f->e) return 0;
    const double least = least_span * (t1 - t0);
    if (!is_lost(f, rate, scratch, t0, t1)) return 0;
    for (;;) {
        const double middle = 0.5 * (t0 + t1);
        if (!(middle > t0 && middle < t1)) break;
        if (is_lost(f, rate, scratch, t0, middle))
            t1 = middle;
        else if (is_lost(f, rate, scratch, middle, t1))
            t0 = middle;
        else if (t1 - t0 > least)
            return 0;
        else
            break;
    }
    *when = t1;
    return 1;
}

/* law_integral.c: integrals of laws of time, and where they are not to be had.
 *
 *     int_{t_0}^{t_1} f ds,   int (t_1 - s) f(s) ds
 *
 * Gauss-Legendre sums with ten points, of pieces that are parted until their parts agree with the
 * whole to rounding. Around a place t_p where f grows as |t - t_p|^-p they never agree, and are
 * parted until t has no numbers between the nodes. Of the integral over a span 1/w times as long
 * that last piece has the share w^(1-p) where the integral exists, p < 1: 0.01 for p = 1/2 and
 * w = 1e-4. Where it does not, and is NaN, the share is c/(c + 2 ln(1/w)) for p = 1, c = 2 ln of
 * the some 80 numbers in a last piece, about 0.3; and more for p > 1.
 */
#include "model/law_integral.h"

#include <math.h>

enum { MOST_PIECES = 20000 };

static const double rounding = 1e-15; /* of the size of a sum */
static const double noise = 1e-3; /* of a piece: a law that has so few digits is no singular one */
static const double alike = 0.05; /* how rounding may differ between a piece and its parts */
static const double most_error = 3e-8; /* of an integral that is not found to rounding */
static const double span = 1e4;        /* widths of a last piece around it */
static const double most_share = 0.1;  /* of it in that span, between 0.01 and 0.3 */

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
 * as seen; error: by how much pieces and their parts differ; left: pieces that may still be made;
 * last: the largest that could not be parted; lost: there is no integral, by what is right before
 * the time `when`. */
typedef struct integral {
    const hol__law *f;
    int rate, lost;
    double *scratch, t1, sum[2], size, seen, error, when;
    piece last;
    long left;
} integral;

/* The law, or its rate, and the next derivative; where it has no value, that right beside it. */
static hol__jet value_at(const integral *x, double s, double beside) {
    hol__jet law = hol__law_jet(x->f, s, x->scratch);
    if (!isfinite(x->rate ? law.d1 : law.f))
        law = hol__law_jet(x->f, nextafter(s, beside), x->scratch);
    return x->rate ? (hol__jet){law.d1, law.d2, 0} : law;
}

/* One piece by ten points. */
static piece gauss(const integral *x, double a, double b) {
    const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
    piece p = {.a = a, .b = b};
    for (int i = 0; i < 5; i++)
        for (int side = -1; side <= 1; side += 2) {
            const double s = middle + side * half * node[i], w = half * weight[i];
            const hol__jet law = value_at(x, s, middle);
            p.sum[0] += w * law.f;
            p.sum[1] += w * law.f * (x->t1 - s);
            p.size += w * fabs(law.f);
            p.turn += w * fabs(s * law.d1);
        }
    return p;
}

/* Whether the nodes of a piece are not all apart from its ends. */
static int is_last(const piece *p) {
    const double middle = 0.5 * (p->a + p->b), s = middle + 0.5 * (p->b - p->a) * node[4];
    return !(nextafter(s, p->b) < p->b);
}

/* There is no integral, by a piece. */
static void lose(integral *x, const piece *p) {
    x->lost = 1;
    x->when = 2 * p->b - p->a;
}

static void add(integral *x, const piece *whole);

/* Add the two parts of a piece, and see what a last piece among them is of it. */
static void add_parts(integral *x, const piece *whole, const piece part[2]) {
    const piece before = x->last;
    const double seen = x->seen;
    x->left -= 2;
    x->last = (piece){0};
    for (int i = 0; i < 2 && !x->lost; i++) add(x, &part[i]);
    const double around = (whole->b - whole->a) / (x->last.b - x->last.a);
    if (!x->lost && around > span && x->last.size > most_share * (x->seen - seen))
        lose(x, &x->last);
    if (before.size > x->last.size) x->last = before;
}

/* Add a piece: parted until its two parts agree with it to rounding. The parts are uneven, so that
 * the sides of a pole cannot cancel in both sums; and both must tell the same of rounding, which
 * a node next to a pole does not. */
static void add(integral *x, const piece *whole) {
    const double between = whole->a + 0.46 * (whole->b - whole->a);
    const piece part[2] = {gauss(x, whole->a, between), gauss(x, between, whole->b)};
    const double size = part[0].size + part[1].size, turn = part[0].turn + part[1].turn,
                 off = fabs(part[0].sum[0] + part[1].sum[0] - whole->sum[0]),
                 digits = rounding * (size + turn);
    const int smooth = fabs(turn - whole->turn) <= alike * turn && digits <= noise * size,
              agree = off <= rounding * x->size || (off <= digits && smooth),
              last = !agree && is_last(whole);
    if (!agree && !last && x->left > 0) {
        add_parts(x, whole, part);
        return;
    }
    if (!isfinite(off)) lose(x, whole);
    if (last && size > x->last.size) x->last = (piece){.a = whole->a, .b = whole->b, .size = size};
    for (int i = 0; i < 2; i++) x->sum[i] += part[0].sum[i] + part[1].sum[i];
    x->seen += size;
    if (!(off <= noise * size)) x->error += off;
}

/* The integral over [t0, t1]. */
static integral integrate(const hol__law *f, int rate, double *scratch, double t0, double t1) {
    integral x = {.f = f, .rate = rate, .scratch = scratch, .t1 = t1, .left = MOST_PIECES};
    const piece whole = gauss(&x, t0, t1);
    x.size = isfinite(whole.size) ? whole.size : 0;
    add(&x, &whole);
    return x;
}

void hol__law_integrate(const hol__law *f, int rate, double *scratch, double t0, double t1,
                        double scale, double sum[2]) {
    const integral x = integrate(f, rate, scratch, t0, t1);
    const int found = !x.lost && x.error <= most_error * fmax(x.seen, scale);
    for (int i = 0; i < 2; i++) sum[i] = found ? x.sum[i] : NAN;
}

int hol__law_breaks(const hol__law *f, int rate, double *scratch, double t0, double t1,
                    double *when) {
    if (!f->e) return 0;
    const integral x = integrate(f, rate, scratch, t0, t1);
    *when = x.when;
    return x.lost;
}

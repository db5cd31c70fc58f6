/* gain_rule.c: gains by rules. See gain_rule.h.
 *
 * Pole placement: the eigenvalues of R(h G) are R(h s), s the roots of s^2 + 2 alpha s + beta^2. A
 * root z of R(z) = pole with its conjugate gives alpha h = -Re z, beta h = |z|; a real one is taken
 * twice (critically damped). The root nearest to zero has the smallest gains.
 *
 * Held: trace and determinant of the map, 2 - 2 alpha h - beta^2 h^2/2 and 1 - 2 alpha h + beta^2
 * h^2/2, are 2 p and p^2 for beta h = 1 - p, alpha h = (1 - p)(3 + p)/4.
 *
 * Optimal: with x = (Phi, h Phi') and w = h^2 u the map is x_1 + x_2 + w/2, x_2 + w, and w = -k x
 * makes the sum of x_1^2 + x_2^2 smallest where P = Q + F^T P F - F^T P B k, k = B^T P F / B^T P B
 * (Riccati), F = [1 1; 0 1], B = (1/2, 1), Q = 1; then beta^2 h^2 = k_1, 2 alpha h = k_2.
 */
#include "form/gain_rule.h"

#include <float.h>
#include <math.h>

static const hol__gain_rule_type rules[] = {
    {HOL__GAINS_FIXED, "fixed", "alpha and beta of the options", 0},
    {HOL__GAINS_STEP, "step", "step_gain (1 where it is 0) over the step, for both", 0},
    {HOL__GAINS_TAYLOR, "taylor",
     "1/h and sqrt(2)/h: Phi vanishes to second order in a step (Weijia et al.)", 0},
    {HOL__GAINS_POLES, "pole-placement",
     "poles of the discrete map of the violation, for the formula and the step in use (digital "
     "control: Lin and Huang; Bae and Yang)",
     0},
    {HOL__GAINS_ADAPTIVE, "adaptive",
     "as large as the violation and its growth ask for, so that it stays below a threshold (after "
     "Chang and Nikravesh)",
     1},
    {HOL__GAINS_OPTIMAL, "optimal",
     "the smallest sum of squared violations over all steps to come (optimal control, after "
     "Ostermeyer)",
     1},
};

const hol__gain_rule_type *hol__gain_rule_get(int i) {
    return i < (int)(sizeof rules / sizeof *rules) ? &rules[i] : NULL;
}

/* ---- pole placement ---- */

/* The formula, and where its poles shall be. */
typedef struct placing {
    hol__response_fn *R;
    void *self;
    double pole;
} placing;

/* R(z) - pole; 0 where the formula fails. */
static int miss(const placing *p, const double z[2], double out[2]) {
    if (p->R(p->self, z, out)) return 0;
    out[0] -= p->pole;
    return isfinite(out[0]) && isfinite(out[1]);
}

/* One step of Newton from z; R' by differences along the real axis, which is as good as any. The
 * length of the step, negative where there is none. */
static double newton_step(const placing *p, double z[2]) {
    const double width = 1e-5 * (1 + hypot(z[0], z[1]));
    double f[2], ahead[2], behind[2];
    const double right[2] = {z[0] + width, z[1]}, left[2] = {z[0] - width, z[1]};
    if (!miss(p, z, f) || !miss(p, right, ahead) || !miss(p, left, behind)) return -1;
    const double a = (ahead[0] - behind[0]) / (2 * width), b = (ahead[1] - behind[1]) / (2 * width),
                 size = a * a + b * b;
    if (!(size > 0)) return -1;
    const double dx = (f[0] * a + f[1] * b) / size, dy = (f[1] * a - f[0] * b) / size;
    z[0] -= dx;
    z[1] -= dy;
    return hypot(dx, dy);
}

/* z <- a root; 0 where Newton does not find one. A double root is found to the root of rounding. */
static int find_root(const placing *p, double z[2]) {
    double f[2], step = 1;
    for (int i = 0; i < 60 && step > 4 * DBL_EPSILON * hypot(z[0], z[1]); i++) {
        step = newton_step(p, z);
        if (step < 0 || !isfinite(step)) return 0;
    }
    return step < 1e-6 * (1 + hypot(z[0], z[1])) && miss(p, z, f) && hypot(f[0], f[1]) < 1e-12;
}

/* The root nearest to zero in the left half-plane, from starts within the circle of 12 that holds
 * the zeros of R of all formulas in use; 0 where there is none. */
static int nearest_root(const placing *p, double best[2]) {
    const double quarter = acos(0);
    double least = HUGE_VAL;
    for (double r = 0.25; r < 12; r *= 1.25)
        for (int k = 0; k < 9; k++) {
            double z[2] = {-r * cos(quarter * k / 9), r * sin(quarter * k / 9)};
            if (!find_root(p, z)) continue;
            const double size = hypot(z[0], z[1]);
            if (!(z[0] < -1e-3 * size) || size >= least * (1 - 1e-6)) continue;
            least = size;
            best[0] = z[0];
            best[1] = z[1];
        }
    return least < HUGE_VAL;
}

/* |R(-x) - pole| */
static double real_miss(const placing *p, double x) {
    const double z[2] = {-x, 0};
    double f[2];
    return miss(p, z, f) ? hypot(f[0], f[1]) : HUGE_VAL;
}

/* The first x > 0 at which R(-x) comes nearest to the pole: the first interval of a grid in which
 * it turns away, then by thirds. */
static double nearest_real(const placing *p) {
    enum { GRID = 400 };
    const double width = 0.03;
    int at = 1;
    while (at < GRID && real_miss(p, width * (at + 1)) < real_miss(p, width * at)) at++;
    double low = width * (at - 1), high = width * (at + 1);
    for (int i = 0; i < 120; i++) {
        const double third = (high - low) / 3;
        if (real_miss(p, low + third) < real_miss(p, high - third))
            high -= third;
        else
            low += third;
    }
    return (low + high) / 2;
}

int hol__place_poles(hol__response_fn *R, void *self, double pole, hol__step_gains *out) {
    const placing p = {R, self, pole};
    double z[2] = {0, 0};
    if (!nearest_root(&p, z)) return 0;
    const double size = hypot(z[0], z[1]);
    const int real = fabs(z[1]) < 1e-6 * size;
    *out = (hol__step_gains){.alpha = real ? size : -z[0], .beta = size, .rate = nearest_real(&p)};
    return 1;
}

/* ---- held terms ---- */

hol__step_gains hol__place_held_poles(double pole) {
    return (hol__step_gains){
        .alpha = (1 - pole) * (3 + pole) / 4, .beta = 1 - pole, .rate = 1 - pole};
}

hol__step_gains hol__optimal_gains(void) {
    double P11 = 1, P12 = 0, P22 = 1, k1 = 0, k2 = 0, change = 1;
    /* errors shrink by the square of the slower pole, 1/9, a pass */
    for (int i = 0; i < 100 && change > DBL_EPSILON; i++) {
        const double b1 = P11 / 2 + P12, b2 = P12 / 2 + P22, size = b1 / 2 + b2;
        k1 = b1 / size;
        k2 = (b1 + b2) / size;
        const double Q11 = 1 + P11 - b1 * k1, Q12 = P11 + P12 - b1 * k2,
                     Q22 = 1 + P11 + 2 * P12 + P22 - (b1 + b2) * k2;
        change = fabs(Q11 - P11) + fabs(Q12 - P12) + fabs(Q22 - P22);
        P11 = Q11;
        P12 = Q12;
        P22 = Q22;
    }
    /* psi_(k+1) = psi - alpha h psi has its smallest sum at once */
    return (hol__step_gains){.alpha = k2 / 2, .beta = sqrt(k1), .rate = 1};
}

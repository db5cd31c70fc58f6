/* curve.c: a plane curve C(s) with two continuous derivatives.
 *
 * By expressions: C = (x(s), y(s)), derivatives exact; functions with kinks are refused. Through
 * points P_i: a cubic spline in each component over the chord length, s_{i+1} - s_i = |P_{i+1} -
 * P_i| = h_i, with second derivatives m_i from
 *
 *     h_{i-1} m_{i-1} + 2 (h_{i-1} + h_i) m_i + h_i m_{i+1}
 *         = 6 ((P_{i+1} - P_i)/h_i - (P_i - P_{i-1})/h_{i-1}),
 *
 * indices going round in a closed curve, m = 0 at the ends of an open one (which goes on straight).
 * The matrix is diagonally dominant (the diagonal is twice the rest of the row), so Gauss–Seidel
 * gains at least a binary digit a sweep.
 */
#include "element/curve.h"
#include "math/vec3.h"

#include <string.h>

enum { SWEEPS = 80, SAMPLES = 1000, HALVINGS = 30 };

/* f, f', f'' of one component of a spline at s = s_i + h t between knots i and k. */
static void spline_at(const hol__curve *c, int axis, int i, int k, double h, double t,
                      double f[3]) {
    const double *p = c->p[axis], *m = c->m[axis];
    const double slope = (p[k] - p[i]) / h - h * (2 * m[i] + m[k]) / 6, jerk = (m[k] - m[i]) / h,
                 u = h * t;
    f[0] = p[i] + u * (slope + u * (m[i] / 2 + u * jerk / 6));
    f[1] = slope + u * (m[i] + u * jerk / 2);
    f[2] = m[i] + u * jerk;
}

/* The knot before s, which is inside. */
static int find_knot(const hol__curve *c, double s) {
    int low = 0, high = c->closed ? c->n : c->n - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (s < c->s[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* s within one turn of a closed curve. */
static double wrap(const hol__curve *c, double s) {
    const double length = c->to - c->from;
    return c->closed ? s - length * floor((s - c->from) / length) : s;
}

void hol__curve_jerk(const hol__curve *c, double s, double out[2]) {
    s = wrap(c, s);
    const int outside = s < c->from || s > c->to, i = outside ? 0 : find_knot(c, s);
    for (int axis = 0; axis < 2; axis++)
        out[axis] =
            outside ? 0 : (c->m[axis][(i + 1) % c->n] - c->m[axis][i]) / (c->s[i + 1] - c->s[i]);
}

static void spline_point(const hol__curve *c, double s, double f[2][3]) {
    s = wrap(c, s);
    const double inside = s < c->from ? c->from : s > c->to ? c->to : s;
    const int i = find_knot(c, inside), k = (i + 1) % c->n;
    const double h = c->s[i + 1] - c->s[i];
    for (int axis = 0; axis < 2; axis++) {
        spline_at(c, axis, i, k, h, (inside - c->s[i]) / h, f[axis]);
        f[axis][0] += (s - inside) * f[axis][1];
    }
}

void hol__curve_at(const hol__curve *curve, double s, double C[2], double C1[2], double C2[2],
                   double *scratch) {
    const hol__expr *const e[2] = {curve->x, curve->y};
    const double in[2] = {0, s}, one[2] = {0, 1}, zero[2] = {0, 0};
    double f[2][3] = {{0}};
    if (curve->n) spline_point(curve, s, f);
    for (int i = 0; i < 2; i++) {
        if (!curve->n) {
            const hol__jet jet = e[i] ? hol__expr_jet(e[i], in, one, zero, scratch)
                                      : (hol__jet){curve->fixed[i], 0, 0};
            f[i][0] = jet.f, f[i][1] = jet.d1, f[i][2] = jet.d2;
        }
        C[i] = f[i][0], C1[i] = f[i][1], C2[i] = f[i][2];
    }
}

/* ---- from the fields ---- */

/* The second derivatives of one component. */
static void solve_spline(const hol__curve *c, const double *p, double *m) {
    const int n = c->n;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int i = c->closed ? 0 : 1; i < (c->closed ? n : n - 1); i++) {
            const int before = (i + n - 1) % n, after = (i + 1) % n;
            const double h1 = c->s[i + 1] - c->s[i], h0 = c->s[i ? i : n] - c->s[i ? i - 1 : n - 1];
            const double rhs = 6 * ((p[after] - p[i]) / h1 - (p[i] - p[before]) / h0);
            m[i] = (rhs - h0 * m[before] - h1 * m[after]) / (2 * (h0 + h1));
        }
}

/* No two points in a row are the same; 0 after an error. */
static int check_points(hol__build *build, const hol__polygon *p, int closed) {
    const int errors = build->errors, n = p->n;
    for (int i = 1; i < n; i++)
        if (p->x[i] == p->x[i - 1] && p->y[i] == p->y[i - 1])
            hol__place_error(
                build, &p->where[i],
                "is the same as the point before it; the curve would not be differentiable there");
    if (build->errors == errors && closed && p->x[0] == p->x[n - 1] && p->y[0] == p->y[n - 1])
        hol__place_error(build, &p->where[n - 1],
                         "repeats the first point; a closed curve goes back to it by itself");
    return build->errors == errors;
}

/* A cubic spline through the points. */
static int set_spline(hol__build *build, const hol__polygon *p, int closed, hol__curve *curve) {
    const int n = p->n;
    double *block = HOL__NEW_N(build->arena, double, 3 * n + 1);
    if (!block || !check_points(build, p, closed)) return 0;
    double *mx = block, *my = block + n, *s = block + 2 * n;
    for (int i = 0; i < n; i++) {
        const int k = (i + 1) % n;
        s[i + 1] = s[i] + hypot(p->x[k] - p->x[i], p->y[k] - p->y[i]);
    }
    *curve = (hol__curve){.closed = closed,
                          .n = n,
                          .s = s,
                          .to = s[closed ? n : n - 1],
                          .p = {p->x, p->y},
                          .m = {mx, my}};
    solve_spline(curve, p->x, mx);
    solve_spline(curve, p->y, my);
    return 1;
}

/* One expression of s, without kinks; a constant goes to *fixed. */
static const hol__expr *set_component(hol__build *build, const void *params, const char *field,
                                      const hol__formula *formula, double *fixed) {
    static const char *const names[] = {"s", NULL};
    const hol__expr *e = hol__formula_expr(build, formula, HOL__NAMES_LOCAL, names, NULL, "m");
    if (!e) return NULL;
    const char *kink = hol__expr_kink(e);
    if (kink)
        hol__field_error(build, params, field,
                         "the curve is not differentiable: %s has %s, which has no continuous "
                         "derivatives; use smooth functions or "
                         "`points`",
                         field, kink);
    if (hol__expr_reads(e, 0))
        hol__field_error(build, params, field,
                         "a curve does not depend on time; move the body that carries it");
    if (!hol__expr_is_constant(e)) return e;
    *fixed = hol__expr_constant(e);
    return NULL;
}

/* How much the tangent turns and stretches between two places, and the curve runs ahead of it;
 * infinite where something is not finite. */
static double unevenness(const hol__curve *curve, double a, double b, double *scratch) {
    double Ca[2], Ta[2], Cb[2], Tb[2], C2[2];
    hol__curve_at(curve, a, Ca, Ta, C2, scratch);
    hol__curve_at(curve, b, Cb, Tb, C2, scratch);
    const double la = hypot(Ta[0], Ta[1]), lb = hypot(Tb[0], Tb[1]);
    const double turn = fabs(atan2(Ta[0] * Tb[1] - Ta[1] * Tb[0], Ta[0] * Tb[0] + Ta[1] * Tb[1])),
                 stretch = fabs(log(lb / la)),
                 ahead = hypot(Cb[0] - Ca[0], Cb[1] - Ca[1]) / ((b - a) * fmax(la, lb)) - 1;
    const double sum = turn + stretch + fmax(ahead, 0);
    return isfinite(sum) ? sum : INFINITY;
}

/* A corner, a jump or a place without derivatives between two samples: what does not fade as the
 * stretch around it is halved (of a smooth curve it halves each time); 0 when there is none.
 * Stretches end at 1e-9 of what they were, where rounding of C, over the length, is 1e-4. */
static int find_corner(const hol__curve *curve, double a, double b, double *scratch, double *at) {
    if (unevenness(curve, a, b, scratch) < 0.02) return 0;
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = 0.5 * (a + b);
        if (unevenness(curve, a, middle, scratch) > unevenness(curve, middle, b, scratch))
            b = middle;
        else
            a = middle;
    }
    *at = 0.5 * (a + b);
    return unevenness(curve, a, b, scratch) > 0.01;
}

/* The curve must be finite and have a tangent everywhere. */
static int check_regular(hol__build *build, const hol_location *where, const hol__curve *curve) {
    double size = 0, C[2], C1[2], C2[2];
    const double range = curve->to - curve->from;
    for (int i = 0; i <= SAMPLES; i++) {
        hol__curve_at(curve, curve->from + range * i / SAMPLES, C, C1, C2, build->scratch);
        size = fmax(size, hypot(C1[0], C1[1]));
    }
    for (int i = 0; i <= SAMPLES; i++) {
        const double s = curve->from + range * i / SAMPLES;
        hol__curve_at(curve, s, C, C1, C2, build->scratch);
        const int finite = isfinite(C[0]) && isfinite(C[1]) && isfinite(C1[0]) && isfinite(C1[1]) &&
                           isfinite(C2[0]) && isfinite(C2[1]);
        if (finite && hypot(C1[0], C1[1]) > 1e-6 * size) continue;
        hol__place_error(build, where,
                         finite ? "the curve is not differentiable: it has no tangent at s = %.6g"
                                : "the curve is not differentiable: it is not finite, or its "
                                  "derivatives are not, at s = %.6g",
                         s);
        return 0;
    }
    for (int i = 0; !curve->n && i < SAMPLES; i++) {
        const double a = curve->from + range * i / SAMPLES,
                     b = curve->from + range * (i + 1) / SAMPLES;
        double at;
        if (!find_corner(curve, a, b, build->scratch, &at)) continue;
        hol__place_error(
            build, where,
            "the curve is not differentiable: it has a corner, a jump or no derivative "
            "at s = %.6g",
            fabs(at) > 1e-9 * range ? at : 0);
        return 0;
    }
    return 1;
}

int hol__curve_set(hol__build *build, const void *params, const hol__curve_fields *f,
                   hol__curve *curve) {
    const int errors = build->errors, points = hol__is_given(params, "points"),
              x = hol__is_given(params, "x"), y = hol__is_given(params, "y");
    memset(curve, 0, sizeof *curve);
    if (points ? x || y : !x || !y)
        return hol__field_error(
            build, params, NULL,
            "a curve has either `points`, or both `x` and `y` as expressions of s");
    if (points)
        return set_spline(build, &f->points, f->closed, curve) &&
               check_regular(build, hol__field_where(params, "points"), curve);
    if (f->closed)
        hol__field_error(build, params, "closed", "'closed' has a meaning only beside 'points'");
    curve->from = f->s_from;
    curve->to = f->s_to;
    if (!(curve->to > curve->from))
        hol__field_error(build, params, NULL, "s_to must be larger than s_from");
    curve->x = set_component(build, params, "x", &f->x, &curve->fixed[0]);
    curve->y = set_component(build, params, "y", &f->y, &curve->fixed[1]);
    return build->errors == errors && check_regular(build, hol__field_where(params, "x"), curve);
}

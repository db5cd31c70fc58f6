/* expr_calls.c: what a call of a function becomes in the graph, and what it asks of its arguments.
 *
 *     min(a, b, c)             min(min(a, b), c)
 *     clamp(x, lo, hi)         min(max(x, lo), hi)
 *     step(x, x0, y0, x1, y1)  y0 (1 - p) + y1 p,  p = ramp((x - x0)/(x1 - x0)): y0 and y1
 *                              exactly outside
 *     poly(x, c0, c1, …)       c0 + x (c1 + x (…))
 *     table(x, x1, y1, …)      a spline made now, from constants
 *
 * The number of arguments has been checked against the table of functions.
 */
#include "base/expr_internal.h"

#include <math.h>

/* The dimension of f(x), where that of the arguments is in *out. */
static void value_dim(const hol__expr_builtin *f, hol__expr_term *out) {
    const hol__dim open = {.known = 0}, angle = {.rad = 1, .known = 1, .soft = 1};
    switch (f->rule) {
    case HOL__DIM_ANY:
    case HOL__DIM_PLAIN:
        out->dim = open;
        out->bare = 1;
        break;
    case HOL__DIM_TO_ANGLE:
    case HOL__DIM_RATIO_TO_ANGLE: out->dim = out->bare ? open : angle; break;
    case HOL__DIM_SQUARE_ROOT: out->dim = hol__expr_dim_power(out->dim, 0.5); break;
    case HOL__DIM_CUBE_ROOT: out->dim = hol__expr_dim_power(out->dim, 1 / 3.0); break;
    case HOL__DIM_ALIKE: break;
    }
}

/* One or two operands. */
hol__expr_term hol__expr_call_simple(hol__expr_parser *p, const hol__expr_builtin *f,
                                     const hol__expr_term *x, int n) {
    hol__expr_term out = {.offset = x[0].offset, .bare = x[0].bare, .dim = x[0].dim};
    if (!hol__expr_check_argument(p, f, &x[0])) return hol__expr_failed(p);
    if (f->op == HOL__OP_SIN || f->op == HOL__OP_COS || f->op == HOL__OP_TAN)
        hol__expr_doubt_angle(p, NULL, &x[0]);
    if (n == 2) {
        if (!hol__expr_same_dim(p, f->op == HOL__OP_ATAN2 ? "take the angle of" : "combine",
                                x[1].offset, &x[0], &x[1], &out))
            return hol__expr_failed(p);
        out.node = hol__expr_node2(&p->graph, f->op, x[0].node, x[1].node);
    } else {
        out.node = hol__expr_node1(&p->graph, f->op, x[0].node);
    }
    value_dim(f, &out);
    return out;
}

/* x[0] op x[1] op x[2] … */
hol__expr_term hol__expr_call_fold(hol__expr_parser *p, const hol__expr_builtin *f,
                                   const hol__expr_term *x, int n) {
    hol__expr_term out = x[0];
    for (int i = 1; i < n; i++) {
        hol__expr_term next = {.offset = x[0].offset};
        if (!hol__expr_same_dim(p, f->op == HOL__OP_HYPOT ? "combine" : "compare", x[i].offset,
                                &out, &x[i], &next))
            return hol__expr_failed(p);
        next.node = hol__expr_node2(&p->graph, f->op, out.node, x[i].node);
        out = next;
    }
    return out;
}

hol__expr_term hol__expr_call_pow(hol__expr_parser *p, const hol__expr_builtin *f,
                                  const hol__expr_term *x, int n) {
    (void)n;
    hol__expr_term out = {.offset = x[0].offset};
    if (!hol__expr_power_dim(p, x[1].offset, &x[0], &x[1], &out)) return hol__expr_failed(p);
    out.node = hol__expr_node2(&p->graph, f->op, x[0].node, x[1].node);
    return out;
}

hol__expr_term hol__expr_call_if(hol__expr_parser *p, const hol__expr_builtin *f,
                                 const hol__expr_term *x, int n) {
    (void)f, (void)n;
    hol__expr_term out = {.offset = x[0].offset};
    if (!hol__expr_same_dim(p, "choose between", x[2].offset, &x[1], &x[2], &out))
        return hol__expr_failed(p);
    out.bare = out.bare && x[0].bare;
    out.node = hol__expr_select_node(&p->graph, x[0].node, x[1].node, x[2].node);
    return out;
}

hol__expr_term hol__expr_call_clamp(hol__expr_parser *p, const hol__expr_builtin *f,
                                    const hol__expr_term *x, int n) {
    (void)f, (void)n;
    hol__expr_term low = {.offset = x[0].offset}, out = {.offset = x[0].offset};
    double lo, hi;
    if (hol__expr_node_constant(&p->graph, x[1].node, &lo) &&
        hol__expr_node_constant(&p->graph, x[2].node, &hi) && lo > hi)
        return hol__expr_fail(p, x[2].offset,
                              "clamp: the upper limit %g is below the lower limit %g", hi, lo);
    if (!hol__expr_same_dim(p, "compare", x[1].offset, &x[0], &x[1], &low) ||
        !hol__expr_same_dim(p, "compare", x[2].offset, &x[1], &x[2], &out) ||
        !hol__expr_same_dim(p, "compare", x[2].offset, &low, &x[2], &out))
        return hol__expr_failed(p);
    low.node = hol__expr_node2(&p->graph, HOL__OP_MAX, x[0].node, x[1].node);
    out.node = hol__expr_node2(&p->graph, HOL__OP_MIN, low.node, x[2].node);
    return out;
}

/* y0 (1 - p) + y1 p. */
static int blend(hol__expr_graph *g, int p, int y0, int y1) {
    double zero;
    const int high = hol__expr_node2(g, HOL__OP_MUL, y1, p);
    if (hol__expr_node_constant(g, y0, &zero) && zero == 0) return high;
    const int q = hol__expr_node2(g, HOL__OP_SUB, hol__expr_constant_node(g, 1), p);
    return hol__expr_node2(g, HOL__OP_ADD, hol__expr_node2(g, HOL__OP_MUL, y0, q), high);
}

hol__expr_term hol__expr_call_step(hol__expr_parser *p, const hol__expr_builtin *f,
                                   const hol__expr_term *x, int n) {
    (void)n;
    hol__expr_graph *g = &p->graph;
    hol__expr_term out = {.offset = x[0].offset};
    double from, to;
    if (hol__expr_node_constant(g, x[1].node, &from) &&
        hol__expr_node_constant(g, x[3].node, &to) && from == to)
        return hol__expr_fail(p, x[3].offset, "step: x1 must differ from x0 (both are %g)", to);
    if (!hol__expr_same_dim(p, "compare", x[1].offset, &x[0], &x[1], &out) ||
        !hol__expr_same_dim(p, "compare", x[3].offset, &x[1], &x[3], &out) ||
        !hol__expr_same_dim(p, "step between", x[4].offset, &x[2], &x[4], &out))
        return hol__expr_failed(p);
    const int run = hol__expr_node2(g, HOL__OP_SUB, x[0].node, x[1].node);
    const int width = hol__expr_node2(g, HOL__OP_SUB, x[3].node, x[1].node);
    const int s = hol__expr_node2(g, HOL__OP_DIV, run, width);
    out.node = blend(g, hol__expr_node1(g, f->op, s), x[2].node, x[4].node);
    out.bare = out.bare && x[0].bare && x[1].bare && x[3].bare;
    return out;
}

hol__expr_term hol__expr_call_poly(hol__expr_parser *p, const hol__expr_builtin *f,
                                   const hol__expr_term *x, int n) {
    (void)f;
    hol__expr_graph *g = &p->graph;
    hol__expr_term out = x[1];
    for (int i = 1; i + 1 < n; i++) { /* c0 + c1 x, then with c2 x^2 … */
        hol__expr_term power = x[0], term, sum = {.offset = x[0].offset};
        power.dim = hol__expr_dim_power(x[0].dim, i);
        hol__expr_product_dim(&x[i + 1], &power, 1, &term);
        if (!hol__expr_same_dim(p, "add", x[i + 1].offset, &out, &term, &sum))
            return hol__expr_failed(p);
        out = sum;
    }
    out.bare = out.bare && x[0].bare;
    out.node = x[n - 1].node;
    for (int i = n - 2; i > 0; i--)
        out.node = hol__expr_node2(g, HOL__OP_ADD, x[i].node,
                                   hol__expr_node2(g, HOL__OP_MUL, x[0].node, out.node));
    return out;
}

/* The abscissae of a table must be alike with its argument, the ordinates with each other; the
 * dimension of the value into *out. */
static int table_dim(hol__expr_parser *p, const hol__expr_term *x, int points,
                     hol__expr_term *out) {
    hol__expr_term across = x[0], up = x[2], next = {.offset = x[0].offset};
    for (int i = 0; i < points; i++) {
        if (!hol__expr_same_dim(p, "compare", x[1 + 2 * i].offset, &across, &x[1 + 2 * i], &next))
            return 0;
        across = next;
        if (!hol__expr_same_dim(p, "interpolate between", x[2 + 2 * i].offset, &up, &x[2 + 2 * i],
                                &next))
            return 0;
        up = next;
    }
    out->dim = up.dim;
    out->bare = up.bare && across.bare;
    return 1;
}

/* Check the points of a table and copy them to px and py. */
static int read_points(hol__expr_parser *p, const hol__expr_term *x, int points, double *px,
                       double *py) {
    for (int i = 0; i < 2 * points; i++) {
        double *to = i % 2 ? &py[i / 2] : &px[i / 2];
        if (!hol__expr_node_constant(&p->graph, x[i].node, to) || !isfinite(*to)) {
            hol__expr_fail(p, x[i].offset, "table: %s %d must be a finite constant",
                           i % 2 ? "ordinate" : "abscissa", i / 2 + 1);
            return 0;
        }
        if (i >= 2 && i % 2 == 0 && px[i / 2] <= px[i / 2 - 1]) {
            hol__expr_fail(p, x[i].offset, "table: abscissae must increase, but %g follows %g",
                           px[i / 2], px[i / 2 - 1]);
            return 0;
        }
    }
    return 1;
}

/* Warn of a curve that goes far beyond its points. */
static void warn_of_swing(hol__expr_parser *p, int offset, const hol__expr_spline *spline) {
    double x, y;
    hol_location at = p->where;
    at.column += offset;
    if (hol__expr_spline_overshoot(spline, &x, &y) > HOL__OVERSHOOT)
        hol__warn(p->ctx, &at, p->element,
                  "the spline of table() goes to %.4g at x = %.6g, far beyond its points; put more "
                  "points where it should be flat, or use a table with `interpolation: linear`",
                  y, x);
}

hol__expr_term hol__expr_call_table(hol__expr_parser *p, const hol__expr_builtin *f,
                                    const hol__expr_term *x, int n) {
    const int points = (n - 1) / 2;
    hol__expr_term out = {.offset = x[0].offset};
    hol__expr_spline spline;
    if (n % 2 == 0)
        return hol__expr_fail(p, x[n - 1].offset,
                              "table: an abscissa without its ordinate; write %s", f->signature);
    double *px = HOL__NEW_N(&p->scratch, double, points),
           *py = HOL__NEW_N(&p->scratch, double, points);
    if (!px || !py || !table_dim(p, x, points, &out) || !read_points(p, x + 1, points, px, py) ||
        !hol__expr_spline_make(&p->scratch, HOL__SPLINE_NATURAL, points, px, py, &spline))
        return hol__expr_failed(p);
    for (int i = 0; i < points; i++)
        if (!isfinite(spline.s[i]) || !isfinite(spline.m[i]))
            return hol__expr_fail(p, x[1 + 2 * i].offset,
                                  "table: the curve is too steep here to be represented");
    warn_of_swing(p, x[0].offset, &spline);
    out.node = hol__expr_table_node(&p->graph, x[0].node, &spline);
    return out;
}

/* Where the argument lies in the table: within its ends, or brought there. */
static int inside_node(hol__expr_graph *g, const hol__table *table, int x) {
    const int first = hol__expr_constant_node(g, table->x[0]),
              last = hol__expr_constant_node(g, table->x[table->n - 1]);
    if (table->outside == HOL__OUTSIDE_CLAMP)
        return hol__expr_node2(g, HOL__OP_MIN, hol__expr_node2(g, HOL__OP_MAX, x, first), last);
    if (table->outside != HOL__OUTSIDE_PERIODIC) return x;
    const int width = hol__expr_node2(g, HOL__OP_SUB, last, first);
    const int from = hol__expr_node2(g, HOL__OP_SUB, x, first);
    return hol__expr_node2(g, HOL__OP_ADD, first, hol__expr_node2(g, HOL__OP_MOD, from, width));
}

hol__expr_term hol__expr_call_named(hol__expr_parser *p, const hol__table *table,
                                    const hol__expr_term *x) {
    const hol__expr_term ends = {.offset = x->offset, .dim = table->x_dim};
    hol__expr_graph *g = &p->graph;
    hol__expr_term out = {.offset = x->offset};
    hol__expr_spline spline;
    if (!hol__expr_same_dim(p, "compare", x->offset, x, &ends, &out) ||
        !hol__expr_spline_make(&p->scratch, hol__table_kind(table), table->n, table->x, table->y,
                               &spline))
        return hol__expr_failed(p);
    if (table->outside == HOL__OUTSIDE_ERROR) spline.ends = table->name;
    out = (hol__expr_term){.offset = x->offset, .dim = table->y_dim};
    out.node = hol__expr_table_node(g, inside_node(g, table, x->node), &spline);
    if (table->outside != HOL__OUTSIDE_ERROR) return out;
    const int below =
                  hol__expr_node2(g, HOL__OP_LT, x->node, hol__expr_constant_node(g, table->x[0])),
              above = hol__expr_node2(g, HOL__OP_LT,
                                      hol__expr_constant_node(g, table->x[table->n - 1]), x->node);
    out.node = hol__expr_select_node(g, hol__expr_node2(g, HOL__OP_OR, below, above),
                                     hol__expr_constant_node(g, NAN), out.node);
    return out;
}

/* cone_path.c: following the solutions of w = G z + b + t c from open contacts to t = 0.
 *
 * Within the pieces of the moment H(y) = 0 are p equations for p + 1 unknowns: a curve. Its
 * direction dy solves
 *
 *     [dH/dy; border] dy = (0, …, 0, 1)
 *
 * with, as border, the derivative of the number of the edge through which the path came, so that
 * this number grows. The step leads to the nearest edge and Newton's iteration puts it there,
 * H = 0 with the number of that edge 0. Where no angle turns all of this is linear and exact, and
 * this is Lemke's method. Where angles turn, a step is at most TURN and shorter where Newton's
 * iteration fails or an edge was passed unseen.
 *
 * It ends without a solution on a ray: no edge ahead.
 */
#include "kernel/cone_path.h"

#include <math.h>
#include <string.h>

static const double TURN = 0.3;       /* rad in a step */
static const double TIGHT = 2e-15;    /* residuals, as shares of the terms of w */
static const double LOOSE = 1e-10;    /* the same where iterating further does not help */
static const double ROUNDING = 1e-13; /* rates below this share of the largest are rounding */
static const double FAR = 1e9;        /* a step this far, in sizes of z, is along a ray */
enum { ITERATIONS = 8, HALVINGS = 24 };

/* What lies behind an edge, and the number that grows from there on. */
static const struct {
    hol__cone_state state;
    hol__cone_edge enters;
} behind[] = {
    [HOL__EDGE_GAP] = {HOL__CONE_SLIDES, HOL__EDGE_PUSH},
    [HOL__EDGE_PUSH] = {HOL__CONE_OPEN, HOL__EDGE_GAP},
    [HOL__EDGE_SPEED] = {HOL__CONE_STICKS, HOL__EDGE_CONE},
    [HOL__EDGE_CONE] = {HOL__CONE_SLIDES, HOL__EDGE_SPEED},
};

/* u <- the direction of v, or as it was for v = 0. */
static void set_direction(hol__cone_part *part, double sign, const double *v) {
    const double length = part->across == 2 ? hypot(v[0], v[1]) : fabs(v[0]);
    if (!(length > 0)) return;
    for (int k = 0; k < part->across; k++) part->u[k] = sign * v[k] / length;
}

/* Enter the piece behind an edge; the edge as it looks from there. */
static hol__cone_mark cross(hol__cone_path *path, hol__cone_mark mark) {
    hol__cone_part *part = &path->part[mark.part];
    if (part->coulomb && mark.edge == HOL__EDGE_GAP)
        set_direction(part, 1, path->w + part->first + 1);
    if (mark.edge == HOL__EDGE_CONE) set_direction(part, -1, path->z + part->first + 1);
    part->state = behind[mark.edge].state;
    hol__cone_lay(path);
    hol__cone_place(path);
    return (hol__cone_mark){behind[mark.edge].enters, mark.part};
}

/* The edges of the piece of a contact; how many. */
static int edges(const hol__cone_part *part, hol__cone_edge edge[2]) {
    if (part->state == HOL__CONE_OPEN) return edge[0] = HOL__EDGE_GAP, 1;
    if (part->state == HOL__CONE_STICKS) return edge[0] = HOL__EDGE_CONE, 1;
    edge[0] = HOL__EDGE_PUSH;
    edge[1] = HOL__EDGE_SPEED;
    return 1 + part->coulomb;
}

/* The largest |x|; not a number where one of them is none. */
static double largest(int n, const double *x) {
    double most = 0;
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i]) <= most) && !isnan(most)) most = fabs(x[i]);
    return most;
}

/* The step at which value + h rate becomes negative. */
static double step_down(double value, double rate, double rounding) {
    return rate < -rounding ? fmax(0, value) / -rate : INFINITY;
}

/* The step at which mu z_N < |z_T|: the root of A + 2 B h + C h^2. */
static double step_cone(int across, double mu, const double *z, const double *dz, double rounding) {
    double A = mu * mu * z[0] * z[0], B = mu * mu * z[0] * dz[0], C = mu * mu * dz[0] * dz[0];
    for (int k = 1; k <= across; k++) {
        A -= z[k] * z[k];
        B -= z[k] * dz[k];
        C -= dz[k] * dz[k];
    }
    const double size = mu * fabs(z[0]) + largest(across, z + 1);
    A = fmax(A, 0);
    if (B < -rounding * size) {
        const double root = B * B - A * C;
        return root >= 0 ? A / (-B + sqrt(root)) : INFINITY;
    }
    return C < -rounding * rounding ? (-B - sqrt(fmax(0, B * B - A * C))) / C : INFINITY;
}

double hol__cone_step(int across, double mu, const double *z, const double *dz) {
    return fmin(1, step_cone(across, mu, z, dz, ROUNDING * largest(1 + across, dz)));
}

/* The nearest edge ahead and the step there, INFINITY for none. */
static double nearest(const hol__cone_path *path, hol__cone_mark *mark) {
    const double rounding = ROUNDING * fmax(largest(path->m, path->dz), largest(path->m, path->dw));
    double least = step_down(path->t, path->dy[path->p], 0);
    *mark = (hol__cone_mark){HOL__EDGE_END, 0};
    for (int i = 0; i < path->n; i++) {
        const hol__cone_part *part = &path->part[i];
        const double *z = path->z + part->first, *dz = path->dz + part->first,
                     *w = path->w + part->first, *dw = path->dw + part->first;
        hol__cone_edge edge[2];
        const int count = edges(part, edge);
        for (int k = 0; k < count; k++) {
            double h = INFINITY, s = 0, ds = 0;
            for (int l = 0; l < part->across; l++) {
                s += part->u[l] * w[1 + l];
                ds += part->u[l] * dw[1 + l];
            }
            if (edge[k] == HOL__EDGE_GAP) h = step_down(w[0], dw[0], rounding);
            if (edge[k] == HOL__EDGE_PUSH) h = step_down(z[0], dz[0], rounding);
            if (edge[k] == HOL__EDGE_SPEED) h = step_down(s, ds, rounding);
            if (edge[k] == HOL__EDGE_CONE) h = step_cone(part->across, part->mu, z, dz, rounding);
            if (h < least) {
                least = h;
                *mark = (hol__cone_mark){edge[k], i};
            }
        }
    }
    return least;
}

/* What the number of an edge is to be compared with: the terms of its contact, or of all. */
static double size_of(const hol__cone_path *path, const hol__cone_mark *mark) {
    const int own = mark && (mark->edge == HOL__EDGE_GAP || mark->edge == HOL__EDGE_SPEED);
    return own ? hol__cone_terms(path, mark->part) : path->size;
}

/* Newton's iteration for H = 0 on the edge, or where that is NULL on the plane across dy. */
static int correct(hol__cone_path *path, const hol__cone_mark *mark, double h) {
    const int p = path->p;
    double last = INFINITY;
    for (int k = 0; k < ITERATIONS; k++) {
        hol__cone_place(path);
        hol__cone_equations(path, path->rhs);
        path->rhs[p] = mark ? hol__cone_edge_value(path, *mark) : 0;
        if (!mark) {
            for (int i = 0; i <= p; i++) {
                path->rhs[p] += path->dy[i] * (path->y[i] - path->before[i] - h * path->dy[i]);
                path->border[i] = path->dy[i];
            }
        }
        if (!isfinite(largest(p + 1, path->rhs))) return 0;
        const double error =
            fmax(hol__cone_error(path, path->rhs), fabs(path->rhs[p]) / size_of(path, mark));
        const int agree = hol__cone_speeds_agree(path, LOOSE * path->size);
        if (error <= TIGHT && agree) return 1;
        if (k > 1 && error >= 0.5 * last) return error <= LOOSE && agree;
        last = error;
        if (mark) hol__cone_edge_row(path, *mark, path->border);
        hol__cone_matrix(path, path->border);
        if (hol__lu_factor(path->lu) != 0) return 0;
        hol__lu_solve(path->lu, 0, path->rhs);
        for (int i = 0; i <= p; i++) path->rhs[i] = -path->rhs[i];
        hol__cone_foresee(path, path->rhs);
        for (int i = 0; i <= p; i++) path->y[i] += path->rhs[i];
    }
    return 0;
}

/* Whether no edge but this one was passed, and no angle turned by more than it may. */
static int is_within(const hol__cone_path *path, const hol__cone_mark *mark) {
    for (int i = 0; i < path->n; i++) {
        const hol__cone_part *part = &path->part[i];
        hol__cone_edge edge[2];
        const int count = edges(part, edge);
        for (int k = 0; k < count; k++) {
            const hol__cone_mark own = {edge[k], i};
            if (mark && mark->part == i && mark->edge == edge[k]) continue;
            if (hol__cone_edge_value(path, own) < -100 * TIGHT * size_of(path, &own)) return 0;
        }
        if (hol__cone_turns(part) &&
            fabs(path->y[part->at + 1] - path->before[part->at + 1]) > 2 * TURN)
            return 0;
    }
    return path->t > -LOOSE * path->size;
}

/* How fast the fastest angle turns. */
static double turning(const hol__cone_path *path) {
    double most = 0;
    for (int i = 0; i < path->n; i++) {
        const hol__cone_part *part = &path->part[i];
        if (hol__cone_turns(part)) most = fmax(most, fabs(path->dy[part->at + 1]));
    }
    return most;
}

/* dy with border dy = 1, then scaled so that its largest part is 1; 0 is well. */
static int set_out(hol__cone_path *path) {
    const int p = path->p;
    hol__cone_speeds(path);
    hol__cone_matrix(path, path->border);
    if (hol__lu_factor(path->lu) != 0) return 1;
    for (int i = 0; i < p; i++) path->dy[i] = 0;
    path->dy[p] = 1;
    hol__lu_solve(path->lu, 0, path->dy);
    const double size = largest(p + 1, path->dy);
    if (!isfinite(size)) return 1;
    for (int i = 0; i <= p; i++) path->dy[i] /= size;
    hol__cone_rates(path, path->dy);
    return 0;
}

/* One step along dy: 1 with *mark set where it ends on an edge, 0 where it ends between, -1
 * where there is no way on. */
static int step(hol__cone_path *path, hol__cone_mark *mark) {
    const size_t bytes = (size_t)(path->p + 1) * sizeof *path->y;
    double h = nearest(path, mark);
    const double rate = turning(path), most = rate > 0 ? TURN / rate : INFINITY;
    int lands = h <= most;
    h = fmin(h, most);
    if (!(h < FAR * (1 + largest(path->m, path->z)))) return -1;
    memcpy(path->before, path->y, bytes);
    for (int i = 0; i < path->n; i++) {
        hol__cone_part *part = &path->part[i];
        if (!hol__cone_turns(part)) continue;
        part->s_before = part->s;
        part->ds = part->u[0] * path->dw[part->first + 1] + part->u[1] * path->dw[part->first + 2];
    }
    for (int k = 0; k < HALVINGS; k++) {
        for (int i = 0; i <= path->p; i++) path->y[i] = path->before[i] + h * path->dy[i];
        for (int i = 0; i < path->n; i++)
            path->part[i].s = path->part[i].s_before + h * path->part[i].ds;
        const hol__cone_mark *to = lands ? mark : NULL;
        if (correct(path, to, h) && is_within(path, to)) return lands;
        h *= 0.5;
        lands = 0;
    }
    return -1;
}

void hol__cone_start(hol__cone_path *path) {
    path->mark = (hol__cone_mark){HOL__EDGE_END, 0};
    path->lands = 1;
    path->t = 0;
    for (int i = 0; i < path->n; i++) {
        const int row = path->part[i].first;
        path->part[i].state = HOL__CONE_OPEN;
        if (-path->b[row] > path->t * path->c[row]) {
            path->t = -path->b[row] / path->c[row];
            path->mark = (hol__cone_mark){HOL__EDGE_GAP, i};
        }
    }
    hol__cone_lay(path);
    hol__cone_place(path);
}

hol__cone_way hol__cone_follow(hol__cone_path *path, double until) {
    const int most = 20 * (path->m + 10);
    for (int k = 0; k < most; k++) {
        if (path->lands && path->mark.edge == HOL__EDGE_END) return HOL__WAY_ENDED;
        if (path->t <= until) return HOL__WAY_PAUSED;
        if (path->lands)
            hol__cone_edge_row(path, cross(path, path->mark), path->border);
        else
            memcpy(path->border, path->dy, (size_t)(path->p + 1) * sizeof *path->dy);
        if (set_out(path) != 0) return HOL__WAY_LOST;
        path->lands = step(path, &path->mark);
        if (path->lands < 0) return HOL__WAY_LOST;
    }
    return HOL__WAY_LOST;
}

/* cone_chart.c: the pieces of the surface of a contact problem: unknowns, equations and their
 * derivatives, edges. See cone_path.h for the symbols.
 *
 * An unknown of contact i moves z by a vector of its rows,
 *
 *     sliding   dz_N: (1, -mu u)    d angle: (0, -mu z_N u_perp)
 *     sticking  dz: unit vectors
 *
 * and all w by G times that. What contact j asks of w is linear in w, save that its u_perp turns:
 * d(w_T u_perp)/d angle has the term -s. Newton's iteration takes s as an unknown of its own,
 * w_T = s u, and eliminates it: w_T u would carry the errors of a large z into the matrix.
 */
#include "kernel/cone_path.h"

#include <math.h>

int hol__cone_turns(const hol__cone_part *part) {
    return part->coulomb && part->across == 2 && part->state == HOL__CONE_SLIDES;
}

/* How many unknowns and equations it has. */
static int unknowns(const hol__cone_part *part) {
    if (part->state == HOL__CONE_OPEN) return 0;
    return part->state == HOL__CONE_STICKS ? 1 + part->across : 1 + hol__cone_turns(part);
}

void hol__cone_lay(hol__cone_path *path) {
    int p = 0;
    for (int i = 0; i < path->n; i++) {
        hol__cone_part *part = &path->part[i];
        part->at = p;
        const int count = unknowns(part);
        for (int k = 0; k < count; k++) path->y[p + k] = path->z[part->first + k];
        if (hol__cone_turns(part)) path->y[p + 1] = part->angle = atan2(part->u[1], part->u[0]);
        p += count;
    }
    path->p = p;
    path->y[p] = path->t;
}

/* z and u of a contact from its unknowns. */
static void place_part(hol__cone_part *part, const double *y, double *z) {
    for (int k = 0; k <= part->across; k++) z[k] = 0;
    if (part->state == HOL__CONE_OPEN) return;
    if (part->state == HOL__CONE_STICKS) {
        for (int k = 0; k <= part->across; k++) z[k] = y[k];
        return;
    }
    if (hol__cone_turns(part)) {
        part->angle = y[1];
        part->u[0] = cos(y[1]);
        part->u[1] = sin(y[1]);
    }
    z[0] = y[0];
    for (int k = 0; k < part->across; k++) z[1 + k] = -part->mu * part->u[k] * y[0];
}

/* x + y = *sum + the error that is returned. */
static double add_exactly(double x, double y, double *sum) {
    *sum = x + y;
    const double part = *sum - x;
    return (x - (*sum - part)) + (y - part);
}

/* x y = *product + the error that is returned (Dekker). */
static double multiply_exactly(double x, double y, double *product) {
    const double split = 134217729; /* 2^27 + 1 */
    const double cx = split * x, cy = split * y, x1 = cx - (cx - x), y1 = cy - (cy - y),
                 x2 = x - x1, y2 = y - y1;
    *product = x * y;
    return ((x1 * y1 - *product) + x1 * y2 + x2 * y1) + x2 * y2;
}

/* g z + b + t c as if in twice the precision. */
static double exact_row(const hol__cone_path *path, size_t i) {
    const size_t m = (size_t)path->m;
    const double *g = path->G + i * m;
    double sum = path->b[i], product, rest = multiply_exactly(path->t, path->c[i], &product);
    rest += add_exactly(sum, product, &sum);
    for (size_t j = 0; j < m; j++) {
        if (g[j] == 0 || path->z[j] == 0) continue;
        rest += multiply_exactly(g[j], path->z[j], &product);
        rest += add_exactly(sum, product, &sum);
    }
    return sum + rest;
}

void hol__cone_place(hol__cone_path *path) {
    const size_t m = (size_t)path->m;
    for (int i = 0; i < path->n; i++) {
        hol__cone_part *part = &path->part[i];
        place_part(part, path->y + part->at, path->z + part->first);
    }
    path->t = path->y[path->p];
    path->size = 0;
    for (size_t i = 0; i < m; i++) {
        const double *g = path->G + i * m;
        double sum = path->b[i] + path->t * path->c[i], terms = fabs(path->b[i]) + fabs(path->t);
        for (size_t j = 0; j < m; j++) {
            sum += g[j] * path->z[j];
            terms += fabs(g[j] * path->z[j]);
        }
        /* heavy bodies on light ones: forces a thousand times those that b alone would need */
        path->w[i] = terms > 1e3 ? exact_row(path, i) : sum;
        path->terms[i] = terms;
        path->size = fmax(path->size, terms);
    }
}

/* The vector of rows by which unknown k of a contact moves its z. */
static void column(const hol__cone_part *part, const double *z, int k, double dz[3]) {
    dz[0] = dz[1] = dz[2] = 0;
    if (part->state == HOL__CONE_STICKS) {
        dz[k] = 1;
    } else if (k == 0) {
        dz[0] = 1;
        for (int l = 0; l < part->across; l++) dz[1 + l] = -part->mu * part->u[l];
    } else {
        dz[1] = part->mu * z[0] * part->u[1];
        dz[2] = -part->mu * z[0] * part->u[0];
    }
}

/* What a contact asks to vanish, of w or of its changes. */
static void ask(const hol__cone_part *part, const double *w, double *r) {
    const int count = unknowns(part);
    for (int k = 0; k < count; k++) r[k] = w[k];
    if (hol__cone_turns(part)) r[1] = part->u[0] * w[2] - part->u[1] * w[1];
}

void hol__cone_equations(const hol__cone_path *path, double *r) {
    for (int i = 0; i < path->n; i++)
        ask(&path->part[i], path->w + path->part[i].first, r + path->part[i].at);
}

double hol__cone_terms(const hol__cone_path *path, int i) {
    const hol__cone_part *part = &path->part[i];
    double most = 0;
    for (int k = 0; k <= part->across; k++) most = fmax(most, path->terms[part->first + k]);
    return most;
}

double hol__cone_error(const hol__cone_path *path, const double *r) {
    double most = 0;
    for (int i = 0; i < path->n; i++) {
        const hol__cone_part *part = &path->part[i];
        const int count = unknowns(part);
        const double size = hol__cone_terms(path, i);
        for (int k = 0; k < count; k++)
            if (r[part->at + k] != 0) most = fmax(most, fabs(r[part->at + k]) / size);
    }
    return most;
}

/* dw of contact j for dz of contact i. */
static void moved(const hol__cone_path *path, const hol__cone_part *j, const hol__cone_part *i,
                  const double dz[3], double dw[3]) {
    for (int k = 0; k <= j->across; k++) {
        const double *g = path->G + (size_t)(j->first + k) * (size_t)path->m + i->first;
        dw[k] = 0;
        for (int l = 0; l <= i->across; l++) dw[k] += g[l] * dz[l];
    }
}

/* The number of an edge is a z + e w over the rows of its contact. */
static void edge_factors(const hol__cone_path *path, hol__cone_mark mark, double a[3],
                         double e[3]) {
    const hol__cone_part *part = &path->part[mark.part];
    const double *z = path->z + part->first;
    for (int k = 0; k < 3; k++) a[k] = e[k] = 0;
    if (mark.edge == HOL__EDGE_GAP) e[0] = 1;
    if (mark.edge == HOL__EDGE_PUSH) a[0] = 1;
    if (mark.edge == HOL__EDGE_SPEED)
        for (int k = 0; k < part->across; k++) e[1 + k] = part->u[k];
    if (mark.edge != HOL__EDGE_CONE) return;
    const double length = part->across == 2 ? hypot(z[1], z[2]) : fabs(z[1]);
    a[0] = part->mu;
    for (int k = 0; k < part->across; k++) a[1 + k] = length > 0 ? -z[1 + k] / length : -part->u[k];
}

double hol__cone_edge_value(const hol__cone_path *path, hol__cone_mark mark) {
    double a[3], e[3], sum = 0;
    if (mark.edge == HOL__EDGE_END) return path->t;
    edge_factors(path, mark, a, e);
    const hol__cone_part *part = &path->part[mark.part];
    for (int k = 0; k <= part->across; k++)
        sum += a[k] * path->z[part->first + k] + e[k] * path->w[part->first + k];
    return sum;
}

void hol__cone_edge_row(const hol__cone_path *path, hol__cone_mark mark, double *border) {
    double a[3], e[3], dz[3], dw[3];
    for (int k = 0; k <= path->p; k++) border[k] = 0;
    if (mark.edge == HOL__EDGE_END) {
        border[path->p] = 1;
        return;
    }
    edge_factors(path, mark, a, e);
    const hol__cone_part *own = &path->part[mark.part];
    for (int i = 0; i < path->n; i++) {
        const hol__cone_part *part = &path->part[i];
        const int count = unknowns(part);
        for (int k = 0; k < count; k++) {
            column(part, path->z + part->first, k, dz);
            moved(path, own, part, dz, dw);
            for (int l = 0; l <= own->across; l++)
                border[part->at + k] += e[l] * dw[l] + (i == mark.part ? a[l] * dz[l] : 0);
        }
    }
    for (int l = 0; l <= own->across; l++) border[path->p] += e[l] * path->c[own->first + l];
}

void hol__cone_matrix(hol__cone_path *path, const double *border) {
    const int p = path->p, order = p + (border != NULL);
    double dz[3], dw[3];
    path->lu->n = order;
    for (int i = 0; i < path->n; i++) {
        const hol__cone_part *part = &path->part[i];
        const int count = unknowns(part);
        for (int k = 0; k < count; k++) {
            double *to = path->lu->a + (size_t)(part->at + k) * (size_t)order;
            column(part, path->z + part->first, k, dz);
            for (int j = 0; j < path->n; j++) {
                const hol__cone_part *other = &path->part[j];
                if (other->state == HOL__CONE_OPEN) continue;
                moved(path, other, part, dz, dw);
                ask(other, dw, to + other->at);
            }
            if (k == 1 && hol__cone_turns(part)) to[part->at + 1] -= part->s;
            if (border) to[p] = border[part->at + k];
        }
    }
    if (!border) return;
    double *to = path->lu->a + (size_t)p * (size_t)order;
    for (int j = 0; j < path->n; j++)
        ask(&path->part[j], path->c + path->part[j].first, to + path->part[j].at);
    to[p] = border[p];
}

void hol__cone_rates(hol__cone_path *path, const double *dy) {
    const size_t m = (size_t)path->m;
    double move[3];
    for (size_t i = 0; i < m; i++) path->dz[i] = 0;
    for (int i = 0; i < path->n; i++) {
        const hol__cone_part *part = &path->part[i];
        const int count = unknowns(part);
        for (int k = 0; k < count; k++) {
            column(part, path->z + part->first, k, move);
            for (int l = 0; l <= part->across; l++)
                path->dz[part->first + l] += move[l] * dy[part->at + k];
        }
    }
    for (size_t i = 0; i < m; i++) {
        const double *g = path->G + i * m;
        path->dw[i] = dy[path->p] * path->c[i];
        for (size_t j = 0; j < m; j++) path->dw[i] += g[j] * path->dz[j];
    }
}

/* u w_T, or u dw_T. */
static double along(const hol__cone_part *part, const double *w) {
    return part->u[0] * w[part->first + 1] + part->u[1] * w[part->first + 2];
}

void hol__cone_speeds(hol__cone_path *path) {
    for (int i = 0; i < path->n; i++) {
        hol__cone_part *part = &path->part[i];
        if (hol__cone_turns(part)) part->s = along(part, path->w);
    }
}

int hol__cone_speeds_agree(const hol__cone_path *path, double size) {
    for (int i = 0; i < path->n; i++) {
        const hol__cone_part *part = &path->part[i];
        if (hol__cone_turns(part) && fabs(along(part, path->w) - part->s) > size) return 0;
    }
    return 1;
}

void hol__cone_foresee(hol__cone_path *path, const double *dy) {
    hol__cone_rates(path, dy);
    for (int i = 0; i < path->n; i++) {
        hol__cone_part *part = &path->part[i];
        if (hol__cone_turns(part)) part->s = along(part, path->w) + along(part, path->dw);
    }
}

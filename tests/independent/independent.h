/* independent.h: what the reference programs of this folder share. Nothing in this folder uses the
 * library: a mechanism is written from its mechanics, in as few coordinates as it has freedoms, and
 * prints its motion:
 *
 *     PROGRAM END EVERY [PARAMETER...]     values at 0, EVERY, 2 EVERY, …, END, then two lines:
 *                                          `error`, how far the values may be off, and `growth`,
 *                                          by how much an error at the start is magnified
 *
 * Lagrange's equations from the energies alone: T(q, v) is quadratic in v, so that
 *
 *     M_ij = T(e_i + e_j) - T(e_i) - T(e_j),   p_i = dT/dv_i = T(v + e_i) - T(v) - T(e_i)
 *     M v' = Q + dT/dq - dV/dq - (dp/dq) v
 *
 * hold without differences, and derivatives by q are the imaginary parts after an imaginary step of
 * 1e-30: exact to rounding.
 *
 * Integration: Gragg's formula with 2, 4, …, 14 substeps extrapolated to order 14, steps of equal
 * length; `error` is the difference of steps of two lengths, or of a closed form and the
 * integration. `growth` is the change of a value for a change of 1e-7 of every number of the start,
 * each as a share of the largest that it becomes, added up (of long states in four groups).
 */
#ifndef INDEPENDENT_H
#define INDEPENDENT_H

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef double complex number;

/* coordinates of Lagrange's equations, numbers of a state and of a line, at most */
enum { MOST = 12, STATE = 2048, COLUMNS = 8 };

/* A motion y' = f(t, y) and what is printed of it. */
typedef struct motion {
    int n;             /* numbers of the state */
    double y[STATE];   /* at the start */
    double step;       /* the longest step */
    const char *names; /* of what is printed, with commas */
    int columns;
    void (*f)(double t, const double *y, double *ydot);
    void (*values)(double t, const double *y, double *out);
    void (*exact)(double t, double *out); /* the same by a closed form; NULL: there is none */
    /* numbers at whose changes of sign f has corners; steps end there */
    int n_corners;
    void (*corners)(double t, const double *y, double *out);
} motion;

/* ---- Lagrange's equations ---- */

/* A mechanism by its energies in n coordinates, the last `driven` of which run at constant rates
 * (time itself, where something is driven); force adds what has no potential (NULL: nothing). */
typedef struct mechanism {
    int n, driven;
    number (*kinetic)(const number *q, const number *v);
    number (*potential)(const number *q);
    void (*force)(double t, const double *q, const double *v, double *Q);
} mechanism;

/* Solve a x = b of n unknowns, b behind each row of a, by elimination with pivots; x into b's place
 * of x. */
static inline void solve_rows(int n, double a[][MOST + 1], double *x) {
    for (int i = 0; i < n; i++) {
        int p = i;
        for (int k = i + 1; k < n; k++)
            if (fabs(a[k][i]) > fabs(a[p][i])) p = k;
        for (int j = 0; j <= n; j++) {
            const double swap = a[i][j];
            a[i][j] = a[p][j];
            a[p][j] = swap;
        }
        for (int k = i + 1; k < n; k++) {
            const double factor = a[k][i] / a[i][i];
            for (int j = i; j <= n; j++) a[k][j] -= factor * a[i][j];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] = a[i][n];
        for (int j = i + 1; j < n; j++) x[i] -= a[i][j] * x[j];
        x[i] /= a[i][i];
    }
}

/* M v' = right side, for the state y = (q, v): rows of M with the right side behind them. */
static inline void equations(const mechanism *m, double t, const double *y, double a[][MOST + 1]) {
    const int n = m->n;
    const double h = 1e-30;
    double Q[MOST] = {0};
    number q[MOST] = {0}, v[MOST] = {0}, e[MOST] = {0}, along[MOST] = {0}, own[MOST] = {0};
    for (int i = 0; i < n; i++) {
        q[i] = y[i];
        v[i] = y[n + i];
        along[i] = y[i] + h * y[n + i] * I;
    }
    for (int i = 0; i < n; i++) {
        e[i] = 1;
        own[i] = m->kinetic(q, e);
        e[i] = 0;
    }
    if (m->force) m->force(t, y, y + n, Q);
    const number T_along = m->kinetic(along, v);
    for (int i = 0; i < n; i++) {
        a[i][i] = 2 * creal(own[i]);
        for (int j = 0; j < i; j++) {
            e[i] = e[j] = 1;
            a[i][j] = a[j][i] = creal(m->kinetic(q, e) - own[i] - own[j]);
            e[i] = e[j] = 0;
        }
        e[i] = 1;
        const number lone = m->kinetic(along, e);
        e[i] = 0;
        v[i] += 1;
        const number p = m->kinetic(along, v) - T_along - lone;
        v[i] -= 1;
        q[i] += h * I;
        a[i][n] = Q[i] + (cimag(m->kinetic(q, v)) - cimag(m->potential(q)) - cimag(p)) / h;
        q[i] = y[i];
    }
}

/* y' = (v, v'). */
static inline void lagrange(const mechanism *m, double t, const double *y, double *ydot) {
    double a[MOST][MOST + 1];
    const int n = m->n, free_ones = n - m->driven;
    equations(m, t, y, a);
    for (int i = 0; i < free_ones; i++) a[i][free_ones] = a[i][n];
    solve_rows(free_ones, a, ydot + n);
    for (int i = 0; i < n; i++) ydot[i] = y[n + i];
    for (int i = free_ones; i < n; i++) ydot[n + i] = 0;
}

/* ---- integration ---- */

/* One step of length H from (t, y). */
static inline void extrapolated_step(const motion *m, double t, double H, double *y) {
    enum { DEPTH = 7 };
    double table[DEPTH][STATE], f0[STATE], f[STATE];
    m->f(t, y, f0);
    for (int j = 0; j < DEPTH; j++) {
        const int substeps = 2 * (j + 1);
        const double h = H / substeps;
        double back[STATE], now[STATE];
        for (int i = 0; i < m->n; i++) {
            back[i] = y[i];
            now[i] = y[i] + h * f0[i];
        }
        for (int s = 1; s < substeps; s++) {
            m->f(t + s * h, now, f);
            for (int i = 0; i < m->n; i++) {
                const double next = back[i] + 2 * h * f[i];
                back[i] = now[i];
                now[i] = next;
            }
        }
        m->f(t + H, now, f);
        for (int i = 0; i < m->n; i++) table[j][i] = 0.5 * (now[i] + back[i] + h * f[i]);
        /* Neville's scheme in h^2, upwards so that one column is enough */
        for (int k = j - 1; k >= 0; k--) {
            const double ratio = (double)substeps / (2 * (k + 1));
            for (int i = 0; i < m->n; i++)
                table[k][i] =
                    table[k + 1][i] + (table[k + 1][i] - table[k][i]) / (ratio * ratio - 1);
        }
    }
    memcpy(y, table[0], (size_t)m->n * sizeof *y);
}

/* Whether a number changes its sign between two states. */
static inline int has_corner(const motion *m, double t0, const double *y0, double t1,
                             const double *y1) {
    double a[COLUMNS], b[COLUMNS];
    if (!m->n_corners) return 0;
    m->corners(t0, y0, a);
    m->corners(t1, y1, b);
    for (int i = 0; i < m->n_corners; i++)
        if ((a[i] > 0) != (b[i] > 0)) return 1;
    return 0;
}

/* From t to t + H: in one step, or in several that end right behind corners, found by bisection. */
static inline void advance(const motion *m, double t, double H, double *y) {
    const size_t size = (size_t)m->n * sizeof *y;
    double next[STATE], left = H;
    while (left > 0) {
        double shorter = 0, longer = left, tried[STATE];
        memcpy(next, y, size);
        extrapolated_step(m, t, left, next);
        const int corner = has_corner(m, t, y, t + left, next);
        while (corner && longer - shorter > 1e-13 * H) {
            const double h = 0.5 * (shorter + longer);
            memcpy(tried, y, size);
            extrapolated_step(m, t, h, tried);
            if (has_corner(m, t, y, t + h, tried)) {
                longer = h;
                memcpy(next, tried, size);
            } else
                shorter = h;
        }
        memcpy(y, next, size);
        t += longer;
        left = longer == left ? 0 : left - longer;
    }
}

/* The state at lines * every, one line after the other into states[line * n]; steps are at most
 * `longest`. */
static inline void integrate(const motion *m, const double *start, int lines, double every,
                             double longest, double *states) {
    const long steps = (long)ceil(every / longest - 1e-9);
    double y[STATE];
    memcpy(y, start, (size_t)m->n * sizeof *y);
    for (int line = 0; line < lines; line++) {
        if (line)
            for (long s = 0; s < steps; s++)
                advance(m, every * (line - 1 + (double)s / (double)steps), every / (double)steps,
                        y);
        memcpy(states + line * m->n, y, (size_t)m->n * sizeof *y);
    }
}

/* ---- what is printed ---- */

static inline double *take(size_t count) {
    double *block = calloc(count, sizeof *block);
    if (!block) exit(7);
    return block;
}

/* All values of a run from the start, and the largest |y_i| of it where asked for. */
static inline void values_of(const motion *m, const double *start, int lines, double every,
                             double longest, double *out, double *largest) {
    double *states = take((size_t)lines * (size_t)m->n);
    integrate(m, start, lines, every, longest, states);
    for (int line = 0; line < lines; line++) {
        const double *y = states + line * m->n;
        m->values(line * every, y, out + line * COLUMNS);
        for (int c = 0; c < m->columns; c++)
            if (!isfinite(out[line * COLUMNS + c])) {
                fprintf(stderr, "not finite at t = %g\n", line * every);
                exit(1);
            }
        for (int i = 0; largest && i < m->n; i++) largest[i] = fmax(largest[i], fabs(y[i]));
    }
    free(states);
}

/* growth[c]: how much an error of 1 at the start becomes in column c. */
static inline void growth_of(const motion *m, int lines, double every, const double *base,
                             const double *largest, double *growth) {
    const double delta = 1e-7;
    double *moved = take((size_t)lines * COLUMNS), *sum = take((size_t)lines * COLUMNS),
           start[STATE];
    const int groups = m->n > 2 * MOST ? 4 : m->n;
    for (int k = 0; k < groups; k++) {
        memcpy(start, m->y, sizeof start);
        for (int i = k; i < m->n; i += groups)
            start[i] += delta * (largest[i] > 0 ? largest[i] : 1);
        values_of(m, start, lines, every, m->step, moved, NULL);
        for (int i = 0; i < lines * COLUMNS; i++) sum[i] += fabs(moved[i] - base[i]) / delta;
    }
    for (int k = 0; k < lines * COLUMNS; k++)
        growth[k % COLUMNS] = fmax(growth[k % COLUMNS], sum[k]);
    free(moved);
    free(sum);
}

static inline void print_line(const char *head, const motion *m, const double *values,
                              const char *format) {
    printf("%s", head);
    for (int c = 0; c < m->columns; c++) printf(format, values[c]);
    printf("\n");
}

/* The whole program: END and EVERY are the first two words. */
static inline int print_motion(const motion *m, int argc, char **argv) {
    const double end = argc > 2 ? strtod(argv[1], NULL) : 0,
                 every = argc > 2 ? strtod(argv[2], NULL) : 0;
    if (!(end > 0 && every > 0 && every <= end)) {
        fprintf(stderr, "usage: %s END EVERY [PARAMETER...]\n", argv[0]);
        return 2;
    }
    const int lines = 1 + (int)lround(end / every);
    const size_t size = (size_t)lines * COLUMNS;
    double *coarse = take(size), *fine = take(size), *shown = take(size);
    double largest[STATE] = {0}, error[COLUMNS] = {0}, growth[COLUMNS] = {0};
    values_of(m, m->y, lines, every, m->step, coarse, NULL);
    values_of(m, m->y, lines, every, m->step / 2, fine, largest);
    memcpy(shown, fine, size * sizeof *shown);
    for (int line = 0; m->exact && line < lines; line++)
        m->exact(line * every, shown + line * COLUMNS);
    for (size_t k = 0; k < size; k++)
        error[k % COLUMNS] =
            fmax(error[k % COLUMNS], fabs(fine[k] - (m->exact ? shown[k] : coarse[k])));
    growth_of(m, lines, every, coarse, largest, growth);
    printf("t,%s\n", m->names);
    for (int line = 0; line < lines; line++) {
        char head[40];
        snprintf(head, sizeof head, "%.12g", line * every);
        print_line(head, m, shown + line * COLUMNS, ",%.17g");
    }
    print_line("error", m, error, ",%.2g");
    print_line("growth", m, growth, ",%.3g");
    free(coarse);
    free(fine);
    free(shown);
    return 0;
}

#endif

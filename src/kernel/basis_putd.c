/* basis_putd.c: pseudo upper triangular decomposition: Householder reflections turn A^^T into
 * [T; 0] row of A by row of A in the given order; R = the last columns of H^T [PV 7.3].
 *
 * No pivoting: a row whose length beyond the reflections so far is below the tolerance depends on
 * the rows before it and is passed over; its coefficients stay in its column, so the triangle has
 * steps. A row passed over before is held to the release tolerance.
 *     S c = Q1 T^-T c_kept (least norm),   A^^T y = g: T y_kept = Q1^T g
 * Cost: 2 m r n - r^3 … for the triangle, 4 r n (n - r) for R; no blocks, fastest for small n.
 */
#include "kernel/basis.h"

#include <math.h>
#include <string.h>

typedef struct putd {
    double *H;                /* n x m: columns turned; T above */
    double *v;                /* n x min(n, m): v[i …] of reflection i, v_i = 1 */
    double *tau;              /* min(n, m) */
    double *t;                /* n */
    int *kept;                /* kept[i]: the row of A of reflection i */
    unsigned char *dependent; /* m: passed over; remembered */
} putd;

static hol_status create(hol__basis *b, hol__arena *arena) {
    const size_t n = (size_t)b->n, m = (size_t)b->m, most = n < m ? n : m;
    putd *p = b->self = HOL__NEW(arena, putd);
    if (!p) return HOL_ERR_MEMORY;
    p->H = HOL__NEW_N(arena, double, n *m);
    p->v = HOL__NEW_N(arena, double, n *most);
    p->tau = HOL__NEW_N(arena, double, most + n);
    p->kept = HOL__NEW_N(arena, int, most);
    p->dependent = HOL__NEW_N(arena, unsigned char, m);
    if (arena->failed) return HOL_ERR_MEMORY;
    p->t = p->tau + most;
    return HOL_OK;
}

/* w <- H_i w. */
static void reflect(const putd *p, int n, int i, double *w) {
    const double *v = p->v + (size_t)i * (size_t)n;
    double sum = 0;
    for (int k = i; k < n; k++) sum += v[k] * w[k];
    sum *= p->tau[i];
    for (int k = i; k < n; k++) w[k] -= sum * v[k];
}

/* w <- Q^T w = H_(r-1) … H_0 w, and w <- Q w. */
static void turn(const putd *p, int n, int r, double *w) {
    for (int i = 0; i < r; i++) reflect(p, n, i, w);
}

static void turn_back(const putd *p, int n, int r, double *w) {
    for (int i = r - 1; i >= 0; i--) reflect(p, n, i, w);
}

/* Reflection i takes w[i …] of length `length` to w[i] = ∓length. */
static void make_reflection(const putd *p, int n, int i, double length, double *w) {
    double *v = p->v + (size_t)i * (size_t)n;
    const double end = w[i] > 0 ? -length : length, head = w[i] - end;
    v[i] = 1;
    for (int k = i + 1; k < n; k++) v[k] = w[k] / head;
    p->tau[i] = -head / end;
    w[i] = end;
}

/* t <- T^-1 t; column i of T is in the column of its row of A. */
static void upper_solve(const putd *p, int n, int r, double *t) {
    for (int i = r - 1; i >= 0; i--) {
        const double *h = p->H + (size_t)p->kept[i] * (size_t)n;
        t[i] /= h[i];
        for (int k = 0; k < i; k++) t[k] -= h[k] * t[i];
    }
}

/* t <- T^-T t. */
static void upper_solve_t(const putd *p, int n, int r, double *t) {
    for (int i = 0; i < r; i++) {
        const double *h = p->H + (size_t)p->kept[i] * (size_t)n;
        for (int k = 0; k < i; k++) t[i] -= h[k] * t[k];
        t[i] /= h[i];
    }
}

/* The triangle with steps. */
static void triangularise(hol__basis *b) {
    putd *p = b->self;
    const int n = b->n;
    int r = 0;
    for (int j = 0; j < b->m; j++) {
        double *w = p->H + (size_t)j * (size_t)n, sum = 0;
        turn(p, n, r, w);
        for (int k = r; k < n; k++) sum += w[k] * w[k];
        const double length = sqrt(sum);
        p->dependent[j] = !(length > (p->dependent[j] ? b->release : b->tolerance));
        if (p->dependent[j]) {
            for (int k = r; k < n; k++) w[k] = 0;
            continue;
        }
        make_reflection(p, n, r, length, w);
        b->share = fmin(b->share, length);
        p->kept[r++] = j;
    }
    b->rank = r;
}

static hol_status factor(hol__basis *b) {
    putd *p = b->self;
    const int n = b->n, m = b->m;
    if (n > 0 && m > 0) memcpy(p->H, b->At, (size_t)n * (size_t)m * sizeof *p->H);
    triangularise(b);
    const int r = b->rank;
    for (int k = r; k < n; k++) {
        double *w = b->R + (size_t)(k - r) * (size_t)n;
        for (int i = 0; i < n; i++) w[i] = i == k;
        turn_back(p, n, r, w);
    }
    int null = 0;
    for (int j = 0; j < m; j++) {
        if (!p->dependent[j]) continue;
        double *v = b->N + (size_t)null++ * (size_t)m;
        for (int i = 0; i < r; i++) p->t[i] = p->H[(size_t)j * (size_t)n + (size_t)i];
        upper_solve(p, n, r, p->t);
        for (int i = 0; i < m; i++) v[i] = i == j;
        for (int i = 0; i < r; i++) v[p->kept[i]] = -p->t[i];
    }
    return HOL_OK;
}

static void solve(hol__basis *b, const double *c, double *x) {
    const putd *p = b->self;
    const int n = b->n, r = b->rank;
    for (int i = 0; i < n; i++) x[i] = i < r ? c[p->kept[i]] : 0;
    upper_solve_t(p, n, r, x);
    turn_back(p, n, r, x);
}

static void solve_t(hol__basis *b, const double *g, double *y) {
    const putd *p = b->self;
    const int n = b->n, r = b->rank;
    for (int i = 0; i < n; i++) p->t[i] = g[i];
    turn(p, n, r, p->t);
    upper_solve(p, n, r, p->t);
    for (int j = 0; j < b->m; j++) y[j] = 0;
    for (int i = 0; i < r; i++) y[p->kept[i]] = p->t[i];
}

static void remember(hol__basis *b, hol__archive *archive) {
    putd *p = b->self;
    HOL__ARCHIVE_N(archive, p->dependent, b->m);
}

const hol__basis_type hol__basis_putd = {
    .name = "putd",
    .source = "PV 7.3",
    .flags = HOL__BASIS_ORTHONORMAL | HOL__BASIS_MINIMUM,
    .title = "Pseudo upper triangular decomposition (Householder)",
    .create = create,
    .factor = factor,
    .solve = solve,
    .solve_t = solve_t,
    .remember = remember,
};

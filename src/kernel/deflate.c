/* deflate.c: dependent and nearly dependent constraints beside a static factorisation. See
 * deflate.h for the equations. */
#include "kernel/deflate.h"

#include <math.h>

/* Numbers in Z and Y of a part that its weak rows may take, and as many in T and N; rows that may be
 * weak in any case; and steps of refinement and of the directions. */
enum { WEAK_ROOM = 4000000, LEAST_ROWS = 16, REFINEMENTS = 4, CORRECTIONS = 4 };

/* z_j is good when the last correction changed it by less than this. */
#define Z_GOOD 1e-14

/* A threshold that no pivot passes. */
#define ALWAYS 2.0

/* ---- creation ---- */

/* Numbers for k directions of a part of so many rows and columns: Z, N, Y, T, V, values. */
static size_t numbers(size_t size, size_t k) {
    return k * (2 * size + k + 1);
}

/* Room for so many numbers, and for the eigenvalues of so many rows of one part. The room there was
 * stays with the kernel: each is at least twice the last. */
static hol_status make_room(hol__deflate *d, size_t need, int rows) {
    if (need > d->most) {
        d->most = need > 2 * d->most ? need : 2 * d->most;
        d->room = HOL__NEW_N(d->arena, double, d->most);
    }
    if (!d->eigh || rows > d->eigh->n)
        d->eigh =
            hol__eigh_new(d->arena, !d->eigh || rows > 2 * d->eigh->n ? rows : 2 * d->eigh->n);
    return d->room && d->eigh ? HOL_OK : HOL_ERR_MEMORY;
}

hol__deflate *hol__deflate_new(hol__arena *arena, hol__saddle *system, const hol__pattern *pattern,
                               hol__saddle_apply *basic, void *self, double tolerance,
                               double release) {
    hol__deflate *d = HOL__NEW(arena, hol__deflate);
    if (!d) return NULL;
    *d = (hol__deflate){.system = system,
                        .basic = basic,
                        .self = self,
                        .tolerance = tolerance,
                        .release = release,
                        .share = 1,
                        .arena = arena};
    if (!hol__split_init(&d->split, arena, pattern)) return NULL;
    const size_t parts = (size_t)d->split.parts;
    d->in = HOL__NEW_N(arena, unsigned char, system->m + 1);
    d->nulls = HOL__NEW_N(arena, int, 2 * parts + 1);
    d->slot = d->nulls + parts;
    return arena->failed ? NULL : d;
}

/* What does not depend on the number of rows; made with the first that are dropped. */
static hol_status make_lists(hol__deflate *d) {
    const size_t n = (size_t)d->system->n, m = (size_t)d->system->m;
    if (d->scale) return HOL_OK;
    d->active = HOL__NEW_N(d->arena, hol__deflated, d->split.parts);
    d->row = HOL__NEW_N(d->arena, int, m);
    double *at = d->scale = HOL__NEW_N(d->arena, double, 7 * m + 3 * n);
    if (!d->active || !d->row || !at) return HOL_ERR_MEMORY;
    d->gamma = at += m;
    d->beta = at += m;
    d->c = at += m;
    d->z = at += m;
    d->step = at += m;
    d->rows = at += m;
    d->y = at += m;
    d->t = at += n;
    d->cols = at + n;
    return HOL_OK;
}

/* ---- which rows ---- */

static double *column(double *matrix, int size, int k) {
    return matrix + (size_t)k * (size_t)size;
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* Whether a row was dropped in a part with dependent directions. */
static int remembers(const hol__deflate *d, int row) {
    return d->in[row] && d->nulls[hol__split_part(&d->split, row)] > 0;
}

/* Thresholds: that of the pivots, and for the rows that are remembered one that none passes. */
static void set_thresholds(const hol__deflate *d, hol__ldl *ldl, int offset, double pivot) {
    for (int i = offset; i < ldl->n; i++)
        ldl->threshold[ldl->place[i]] = remembers(d, i - offset) ? ALWAYS : pivot;
}

void hol__deflate_arm(const hol__deflate *d, hol__ldl *ldl, int offset) {
    set_thresholds(d, ldl, offset, HOL__DEFLATE_PIVOT);
}

void hol__deflate_relax(const hol__deflate *d, hol__ldl *ldl, int offset) {
    set_thresholds(d, ldl, offset, HOL__PIVOT_NOISE);
}

void hol__deflate_choose(hol__deflate *d, hol__ldl *ldl, int offset) {
    for (int p = 0; p < d->split.parts; p++) d->nulls[p] = 0;
    d->n_null = 0;
    for (int i = 0; i < d->system->m; i++)
        if (d->in[i]) d->nulls[hol__split_part(&d->split, i)]++, d->n_null++;
    hol__deflate_arm(d, ldl, offset);
}

void hol__deflate_forget(hol__deflate *d, hol__ldl *ldl, int offset) {
    for (int p = 0; p < d->split.parts; p++) d->nulls[p] = 0;
    d->n_null = 0;
    hol__deflate_arm(d, ldl, offset);
}

void hol__deflate_remember(hol__deflate *d, hol__ldl *ldl, int offset, hol__archive *archive) {
    HOL__ARCHIVE(archive, d->n_null);
    HOL__ARCHIVE_N(archive, d->nulls, d->split.parts);
    HOL__ARCHIVE_N(archive, d->in, d->system->m);
    if (hol__archive_reads(archive)) hol__deflate_arm(d, ldl, offset);
}

/* slot <- how many rows of each part were dropped; columns of W may be among them. */
static void count_rows(hol__deflate *d, const hol__ldl *ldl, int offset) {
    for (int p = 0; p < d->split.parts; p++) d->slot[p] = 0;
    for (int j = 0; j < ldl->n_dropped; j++) {
        const int row = ldl->perm[ldl->dropped[j]] - offset;
        if (row >= 0) d->slot[hol__split_part(&d->split, row)]++;
    }
}

int hol__deflate_has_room(hol__deflate *d, const hol__ldl *ldl, int offset) {
    const hol__split *s = &d->split;
    count_rows(d, ldl, offset);
    for (int p = 0; p < s->parts; p++) {
        const int size = s->row_ptr[p + 1] - s->row_ptr[p] + s->col_ptr[p + 1] - s->col_ptr[p];
        if (d->slot[p] > LEAST_ROWS && d->slot[p] > WEAK_ROOM / (size + 1)) return 0;
    }
    return 1;
}

/* The active parts with their numbers of rows, and room for them. */
static hol_status open_parts(hol__deflate *d, const hol__ldl *ldl, int offset) {
    const hol__split *s = &d->split;
    int first = 0, most = 0;
    size_t need = 0;
    if (make_lists(d)) return HOL_ERR_MEMORY;
    count_rows(d, ldl, offset);
    d->n_active = 0;
    for (int p = 0; p < s->parts; p++) {
        if (!d->slot[p]) continue;
        hol__deflated *a = &d->active[d->n_active];
        *a = (hol__deflated){.part = p,
                             .first = first,
                             .k = d->slot[p],
                             .m = s->row_ptr[p + 1] - s->row_ptr[p],
                             .n = s->col_ptr[p + 1] - s->col_ptr[p],
                             .row = hol__split_list(s->row, s->row_ptr[p]),
                             .col = hol__split_list(s->col, s->col_ptr[p])};
        d->slot[p] = d->n_active++;
        first += a->k;
        if (a->k > most) most = a->k;
        need += numbers((size_t)(a->m + a->n), (size_t)a->k);
    }
    if (make_room(d, need, most)) return HOL_ERR_MEMORY;
    double *at = d->room;
    for (int i = 0; i < d->n_active; i++) {
        hol__deflated *a = &d->active[i];
        a->Z = at;
        a->N = column(a->Z, a->m, a->k);
        a->Y = column(a->N, a->m, a->k);
        a->T = column(a->Y, a->n, a->k);
        a->V = column(a->T, a->n, a->k);
        a->values = column(a->V, a->k, a->k);
        at = a->values + a->k;
        a->k = 0; /* counted again as the rows come */
    }
    return HOL_OK;
}

/* The dropped rows to their parts. */
static void list_rows(hol__deflate *d, const hol__ldl *ldl, int offset) {
    for (int i = 0; i < d->system->m; i++) d->in[i] = 0;
    for (int j = 0; j < ldl->n_dropped; j++) {
        const int place = ldl->dropped[j], row = ldl->perm[place] - offset;
        hol__deflated *a = &d->active[d->slot[hol__split_part(&d->split, row)]];
        const int at = a->first + a->k++;
        /* For a dependent row the terms add up to twice the square of its length. */
        const double length2 = 0.5 * ldl->magnitude[place];
        d->in[row] = 1;
        d->row[at] = row;
        d->scale[at] = length2 > 0 ? 1 / sqrt(length2) : 1;
    }
}

/* ---- directions ---- */

/* A step of z of a part: whether it was the last. Then z_j and y_j are kept, and z is none. */
static int correct_direction(hol__deflate *d, hol__deflated *a, int j, int last) {
    double *z = column(a->Z, a->m, j), change = 0, most = 0;
    hol__split_gather(a->m, a->row, d->z, z);
    for (int i = 0; i < a->m; i++) {
        const double step = d->step[hol__split_number(a->row, i)];
        z[i] -= step;
        change = fmax(change, fabs(step));
        most = fmax(most, fabs(z[i]));
    }
    const int good = last || change <= Z_GOOD * most;
    if (good) hol__split_gather(a->n, a->col, d->y, column(a->Y, a->n, j));
    for (int i = 0; i < a->m; i++) d->z[hol__split_number(a->row, i)] = good ? 0 : z[i];
    return good;
}

/* z_j and y_j = W^-1 A^T z_j with A_kept y_j = 0 for the j-th row of every part: from z = e_j, take
 * away the multipliers of f = A^T z until they vanish. slot: 1 where a part has its direction.
 * Returns how many parts have one. */
static int find_directions(hol__deflate *d, int j) {
    const hol__saddle *s = d->system;
    int left = 0;
    for (int i = 0; i < s->m; i++) d->z[i] = 0;
    for (int i = 0; i < d->n_active; i++) {
        d->slot[i] = d->active[i].k <= j;
        if (d->slot[i]) continue;
        d->z[d->row[d->active[i].first + j]] = 1;
        left++;
    }
    const int found = left;
    for (int round = 1; left > 0; round++) {
        hol__csr_mul_t(s->A, d->z, d->t);
        d->basic(d->self, d->t, NULL, d->y, d->step);
        for (int i = 0; i < d->n_active; i++)
            if (!d->slot[i] && correct_direction(d, &d->active[i], j, round == CORRECTIONS)) {
                d->slot[i] = 1;
                left--;
            }
    }
    return found;
}

/* W y_j of every part. */
static void multiply_directions(hol__deflate *d, int j) {
    const hol__saddle *s = d->system;
    for (int i = 0; i < s->n; i++) d->y[i] = 0;
    for (int i = 0; i < d->n_active; i++) {
        const hol__deflated *a = &d->active[i];
        if (j < a->k) hol__split_scatter(a->n, a->col, column(a->Y, a->n, j), d->y);
    }
    hol__csr_mul(s->W, d->y, d->t);
    for (int i = 0; i < d->n_active; i++) {
        const hol__deflated *a = &d->active[i];
        if (j < a->k) hol__split_gather(a->n, a->col, d->t, column(a->T, a->n, j));
    }
}

/* Scaled Y^T W Y of a part into the eigenvalue problem. */
static void form_gram(hol__deflate *d, const hol__deflated *a) {
    const double *scale = d->scale + a->first;
    for (int j = 0; j < a->k; j++)
        for (int i = j; i < a->k; i++) {
            const double b = 0.5 * (dot(a->n, column(a->Y, a->n, i), column(a->T, a->n, j)) +
                                    dot(a->n, column(a->Y, a->n, j), column(a->T, a->n, i)));
            column(d->eigh->a, a->k, j)[i] = scale[i] * scale[j] * b;
        }
}

/* How many of the smallest sigma count as zero: those that did before by the release tolerance,
 * others by the rank tolerance. */
static int count_dependent(const hol__deflate *d, const hol__deflated *a) {
    int n = 0;
    while (n < a->k) {
        const double limit = n < d->nulls[a->part] ? d->release : d->tolerance;
        if (a->values[n] > limit * limit) break;
        n++;
    }
    return n;
}

/* The null space of A^T: Z scale v for the dependent eigenvectors v, orthonormal. */
static void form_null_space(const hol__deflate *d, hol__deflated *a) {
    for (int c = 0; c < a->n_null; c++) {
        double *v = column(a->N, a->m, c);
        const double *e = column(a->V, a->k, c);
        for (int i = 0; i < a->m; i++) v[i] = 0;
        for (int j = 0; j < a->k; j++) {
            const double *z = column(a->Z, a->m, j), share = e[j] * d->scale[a->first + j];
            for (int i = 0; i < a->m; i++) v[i] += share * z[i];
        }
    }
    hol__orthonormalise(a->m, a->n_null, a->N);
}

/* Gram matrix and null space of a part. */
static hol_status divide(hol__deflate *d, hol__deflated *a) {
    hol__eigh *e = d->eigh;
    form_gram(d, a);
    for (int j = 0; j < a->k; j++)
        for (int i = j; i < a->k; i++)
            if (!isfinite(column(e->a, a->k, j)[i])) return HOL_NONFINITE;
    if (hol__eigh_factor(e, a->k) != 0) return HOL_SINGULAR;
    for (int i = 0; i < a->k * a->k; i++) a->V[i] = e->a[i];
    for (int i = 0; i < a->k; i++) a->values[i] = e->values[i];
    a->n_null = count_dependent(d, a);
    if (a->n_null < a->k) d->share = fmin(d->share, sqrt(a->values[a->n_null]));
    form_null_space(d, a);
    return HOL_OK;
}

hol_status hol__deflate_take(hol__deflate *d, hol__ldl *ldl, int offset) {
    hol_status status = open_parts(d, ldl, offset);
    if (status) return status;
    list_rows(d, ldl, offset);
    for (int j = 0; find_directions(d, j) > 0; j++) multiply_directions(d, j);
    d->share = 1;
    for (int i = 0; i < d->n_active && !status; i++) status = divide(d, &d->active[i]);
    if (status) return status;
    d->n_null = 0;
    for (int p = 0; p < d->split.parts; p++) d->nulls[p] = 0;
    for (int i = 0; i < d->n_active; i++) {
        d->nulls[d->active[i].part] = d->active[i].n_null;
        d->n_null += d->active[i].n_null;
    }
    hol__deflate_arm(d, ldl, offset);
    return HOL_OK;
}

int hol__deflate_depends(hol__deflate *d) {
    hol__saddle *s = d->system;
    hol__saddle_columns(s);
    for (int j = 0, any = 1; any; j++) {
        any = 0;
        for (int i = 0; i < s->m; i++) d->z[i] = 0;
        for (int i = 0; i < d->n_active; i++) {
            const hol__deflated *a = &d->active[i];
            if (j < a->k) hol__split_scatter(a->m, a->row, column(a->Z, a->m, j), d->z), any = 1;
        }
        if (any) hol__saddle_terms(s, d->z);
        for (int i = 0; any && i < d->n_active; i++) {
            const hol__deflated *a = &d->active[i];
            double left = 0, terms = 0;
            for (int c = 0; j < a->k && c < a->n; c++) {
                left = fmax(left, s->rf[hol__split_number(a->col, c)]);
                terms = fmax(terms, s->sf[hol__split_number(a->col, c)]);
            }
            if (terms > 0 && left / terms > HOL__SADDLE_CANCELLED) return 0;
        }
    }
    return 1;
}

/* ---- solution ---- */

/* beta = scale V L^-1 V^T scale gamma over the independent eigenvectors of a part. */
static void solve_small(hol__deflate *d, const hol__deflated *a) {
    const double *scale = d->scale + a->first;
    for (int j = 0; j < a->k; j++) d->beta[j] = 0;
    for (int c = a->n_null; c < a->k; c++) {
        const double *v = column(a->V, a->k, c);
        double share = 0;
        for (int j = 0; j < a->k; j++) share += v[j] * scale[j] * d->gamma[j];
        share /= a->values[c];
        for (int j = 0; j < a->k; j++) d->beta[j] += v[j] * scale[j] * share;
    }
}

/* v without its parts in the null spaces. */
static void give_up(const void *deflate, double *v) {
    const hol__deflate *d = deflate;
    for (int i = 0; i < d->n_active; i++) {
        const hol__deflated *a = &d->active[i];
        if (!a->n_null) continue;
        hol__split_gather(a->m, a->row, v, d->rows);
        hol__project_out(a->m, a->n_null, a->N, d->rows);
        hol__split_scatter(a->m, a->row, d->rows, v);
    }
}

/* c projected on the range of A, into out. */
static void project(const hol__deflate *d, const double *c, double *out) {
    for (int i = 0; i < d->system->m; i++) out[i] = c ? c[i] : 0;
    if (c) give_up(d, out);
}

/* What the independent directions of a part add to x and mu. */
static void add_directions(hol__deflate *d, const hol__deflated *a, double *x, double *mu) {
    hol__split_gather(a->m, a->row, d->c, d->rows);
    hol__split_gather(a->n, a->col, x, d->cols);
    for (int j = 0; j < a->k; j++)
        d->gamma[j] =
            dot(a->m, column(a->Z, a->m, j), d->rows) - dot(a->n, column(a->T, a->n, j), d->cols);
    solve_small(d, a);
    for (int j = 0; j < a->k; j++) {
        const double *z = column(a->Z, a->m, j), *y = column(a->Y, a->n, j), beta = d->beta[j];
        for (int i = 0; i < a->n; i++) x[hol__split_number(a->col, i)] += beta * y[i];
        for (int i = 0; i < a->m; i++) mu[hol__split_number(a->row, i)] -= beta * z[i];
    }
}

void hol__deflate_apply(void *deflate, const double *f, const double *c, double *x, double *mu) {
    hol__deflate *d = deflate;
    project(d, c, d->c);
    d->basic(d->self, f, d->c, x, mu);
    for (int i = 0; i < d->n_active; i++)
        if (d->active[i].n_null < d->active[i].k) add_directions(d, &d->active[i], x, mu);
    give_up(d, mu);
}

double hol__deflate_solve(hol__deflate *d, const double *f, const double *c, double *x,
                          double *mu) {
    hol__saddle *s = d->system;
    project(d, c, s->c);
    if (!mu) mu = s->mu;
    /* off the constraints a dependent direction is not quite dependent: what x does in it does not
     * count */
    s->who = d;
    s->give_up = d->n_null ? give_up : NULL;
    const double omega = hol__saddle_solve(s, hol__deflate_apply, d, f, s->c, x, mu, REFINEMENTS);
    s->give_up = NULL;
    give_up(d, mu);
    return omega;
}

/* static_newton.c: Newton's method for the equations of equilibrium. See equilibrium.h.
 *
 *     [ H    -Qz ] [ x  ]   [ f ]
 *     [ -Rq  -Rz ] [ dz ] = [ r ]
 *
 * Rows and columns of states are brought to the size of the others. Singular values that are
 * rounding are left out: along a direction without stiffness nothing moves, unless a force pushes.
 */
#include "analysis/static_contact.h"
#include "analysis/static_search.h"

#include <math.h>
#include <string.h>

enum { MAX_STEPS = 80, MAX_HALVINGS = 30, SWEEPS = 4 };

static const double longest = 0.5; /* lengths of the mechanism, or radians, in a step */
static const double none = 1e-13;  /* of the largest singular value, where states are among them */
static const double least = 1e-15; /* residual that is left as it is */

typedef struct newton {
    hol__static *s;
    hol__svd *svd; /* made anew where the number of freedoms changes */
    hol__arena arena;
    int size;
    double *row, *column, *right, *y, *x, *dz;
    double *loose; /* the force along directions without stiffness */
    double *rate;  /* scale of the rates of the states, at the start */
} newton;

double hol__static_unbalance(const hol__static *s) {
    return s->n && s->force > 0 ? hol__norm(s->f, s->n) / s->force : 0;
}

/* The norm that the line search makes smaller. */
static double merit(const newton *w) {
    const double force = hol__static_unbalance(w->s);
    double sum = force * force;
    for (int i = 0; i < w->s->model->n_aux; i++) {
        const double r = w->s->rate[i] / w->rate[i];
        sum += r * r;
    }
    return sqrt(sum);
}

/* The whole matrix, by columns. */
static void fill(const newton *w, double *a) {
    const hol__static *s = w->s;
    const int n = s->n, na = s->model->n_aux, size = n + na;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) a[j * size + i] = s->H[j * n + i];
        for (int i = 0; i < na; i++) a[j * size + n + i] = -s->Rq[j * na + i];
    }
    for (int j = 0; j < na; j++) {
        for (int i = 0; i < n; i++) a[(n + j) * size + i] = -s->Qz[j * n + i];
        for (int i = 0; i < na; i++) a[(n + j) * size + n + i] = -s->Rz[j * na + i];
    }
}

/* Scales of rows and columns, so that all have about the same size; 1 where there are no states. */
static void equilibrate(newton *w, double *a) {
    const int size = w->size;
    for (int i = 0; i < size; i++) w->row[i] = w->column[i] = 1;
    for (int sweep = 0; sweep < SWEEPS && w->s->model->n_aux; sweep++)
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < size; i++) {
                double sum = 0;
                for (int k = 0; k < size; k++)
                    sum += fabs(side ? a[i * size + k] : a[k * size + i]);
                const double by = sum > 0 ? 1 / sum : 1;
                for (int k = 0; k < size; k++) a[side ? i * size + k : k * size + i] *= by;
                (side ? w->column : w->row)[i] *= by;
            }
}

/* Whether singular value k is rounding of its terms. */
static int is_nothing(const newton *w, int k) {
    const hol__svd *svd = w->svd;
    if (w->s->model->n_aux) return !(svd->s[k] > none * svd->s[0]);
    for (int i = 0; i < w->size; i++) w->x[i] = svd->vt[i * w->size + k];
    return !(svd->s[k] > HOL__STATIC_NEUTRAL * hol__static_terms(w->s, w->x));
}

/* y of the equations, directions without stiffness left out: the force along those into loose. */
static void resolve(newton *w) {
    const hol__svd *svd = w->svd;
    memset(w->y, 0, sizeof(double) * (size_t)w->size);
    memset(w->loose, 0, sizeof(double) * (size_t)w->size);
    for (int k = 0; k < w->size; k++) {
        const int nothing = is_nothing(w, k);
        double along = 0;
        for (int i = 0; i < w->size; i++)
            along += (nothing ? svd->vt[i * w->size + k] : svd->u[k * w->size + i]) * w->right[i];
        double *to = nothing ? w->loose : w->y;
        const double by = nothing ? along : along / svd->s[k];
        for (int i = 0; i < w->size; i++) to[i] += svd->vt[i * w->size + k] * by;
    }
}

/* Where a force pushes along a direction without stiffness (a pendulum that is drawn level), the
 * step has no end: the longest one, the way the force points. */
static void push_loose(newton *w) {
    hol__static *s = w->s;
    if (s->model->n_aux || !(hol__norm(w->loose, s->n) > HOL__STATIC_NEUTRAL * s->force)) return;
    const double by = longest * s->model->length / hol__static_farthest(s, w->loose);
    for (int i = 0; i < s->n; i++) w->x[i] += by * w->loose[i];
}

/* The step into x and dz, no longer than a body may go. */
static hol_status make_step(newton *w) {
    hol__static *s = w->s;
    const int n = s->n, na = s->model->n_aux;
    if (w->size != n + na || !w->svd) {
        w->size = n + na;
        w->svd = hol__svd_new(&w->arena, w->size, w->size);
        if (!w->svd) return HOL_ERR_MEMORY;
    }
    fill(w, w->svd->a);
    equilibrate(w, w->svd->a);
    if (hol__svd_factor(w->svd)) return HOL_SINGULAR;
    for (int i = 0; i < n; i++) w->right[i] = w->row[i] * s->f[i];
    for (int i = 0; i < na; i++) w->right[n + i] = w->row[n + i] * s->rate[i];
    resolve(w);
    for (int i = 0; i < n; i++) w->x[i] = w->column[i] * w->y[i];
    for (int i = 0; i < na; i++) w->dz[i] = w->column[n + i] * w->y[n + i];
    push_loose(w);
    const double size = hol__static_farthest(s, w->x), most = longest * s->model->length;
    const double by = size > most ? most / size : 1;
    for (int i = 0; i < n; i++) w->x[i] *= by;
    for (int i = 0; i < na; i++) w->dz[i] *= by;
    return HOL_OK;
}

/* Go along the step as far as the norm falls; > 0 where it does not. */
static hol_status line_search(newton *w, hol__equilibrium *e, double before) {
    hol__static *s = w->s;
    const int n = s->n, na = s->model->n_aux;
    for (int k = 0; k < MAX_HALVINGS; k++) {
        hol_status status = hol__static_move(s, w->x, na ? w->dz : NULL);
        if (!status && hol__static_passes(s)) status = HOL_RETRY;
        if (!status) status = hol__static_evaluate(s);
        e->iterations++;
        if (status < 0) return status;
        if (!status && merit(w) < before * (1 - 1e-4 * ldexp(1, -k))) {
            hol__static_accept(s);
            return hol__static_evaluate(s);
        }
        hol__static_back(s);
        status = hol__static_evaluate(s);
        if (status) return status;
        for (int i = 0; i < n; i++) w->x[i] *= 0.5;
        for (int i = 0; i < na; i++) w->dz[i] *= 0.5;
    }
    return HOL_NOT_CONVERGED;
}

/* What the rates of the states are measured by. */
static void scale_rates(newton *w) {
    const hol__static *s = w->s;
    const int na = s->model->n_aux;
    for (int i = 0; i < na; i++) {
        double sum = fabs(s->rate[i]);
        for (int k = 0; k < s->n; k++) sum += fabs(s->Rq[k * na + i]) * s->model->length;
        w->rate[i] = sum > 0 ? sum : 1;
    }
}

static hol_status iterate(newton *w, hol__equilibrium *e) {
    hol__static *s = w->s;
    hol_status status = hol__static_evaluate(s);
    if (!status) status = hol__static_stiffness(s);
    if (!status) scale_rates(w);
    for (int k = 0; k < MAX_STEPS && !status; k++) {
        const double before = merit(w);
        if (!(before > least)) break;
        status = make_step(w);
        if (status) return status;
        status = line_search(w, e, before);
        if (status > 0) break;
        if (!status) status = hol__static_stiffness(s);
    }
    if (status < 0) return status;
    if (hol__static_evaluate(s)) return HOL_NOT_CONVERGED;
    return hol__static_stiffness(s);
}

hol_status hol__static_newton(hol__static *s, hol__equilibrium *e) {
    newton w = {.s = s};
    const int n = s->model->nv + s->model->n_aux + 1;
    hol__arena_init(&w.arena, s->data->ctx);
    double **const all[] = {&w.row, &w.column, &w.right, &w.y, &w.x, &w.dz, &w.rate, &w.loose};
    for (int i = 0; i < 8; i++) *all[i] = HOL__NEW_N(&w.arena, double, n);
    const hol_status status = w.arena.failed ? HOL_ERR_MEMORY : iterate(&w, e);
    hol__arena_free(&w.arena);
    return status;
}

/* contradiction.c: redundant constraints that cannot hold together.
 *
 * Rows that depend on each other, n^T A = 0, hold together only if
 *
 *     n^T b = 0   of A v = b,      n^T c = 0   of A a = c
 *
 * The residual r = b - A x of the least-squares solution x lies in that left null space, A^T r = 0,
 * and vanishes exactly where every n^T b does: r_i is by how much row i is missed at best, whatever
 * the velocities are and whatever the method.
 *
 * What counts. Error control measures velocities against sigma_j = l_j/tau: a radian or the length
 * of the mechanism, and the time in which it moves by that, a second at most (system.c). A row
 * changes by
 *
 *     s_i = sum_j |A_ij| sigma_j
 *
 * when they do, and in accelerations by s_i/tau; by no less than |G_i| l/tau, G_i the row over the
 * bodies: in relative coordinates a redundant row may vanish as a whole, and rounding beside it
 * says nothing. Rows contradict each other where |r_i| > (tolerance + drift) s_i. Drift is the
 * share of the mechanism's size by which the state is off the constraints, times HOL__STEEPEST, by
 * which rows turn against each other for as much (a row turns with at most two bodies, and so do
 * those it is compared with): rows that depend on each other on the constraints do so here only up
 * to that.
 *
 * While rows are set aside (aside.c), x by the kept rows has a residual of zero in them and r_K in
 * the others; the r of least squares is the part of it in the left null space, so that |r| is at
 * most |r_K|. Where |r_K| is below the limit of every row all rows need not be factored.
 *
 * Along the run a contradiction shows in psi, which nothing can make zero then. psi is looked into
 * where a row of it exceeds its limit, and again whenever it has doubled: drift of a method without
 * a correction is looked into a few times, not at every step.
 */
#include "sim/sim.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NAMED = 6 };

/* The probe ahead of a failed step, in times of the mechanism; its Taylor series is off by the
 * square of that in the rows. */
static const double ahead = 1e-3;

/* Rows that are missed by less than this share of the one that is missed most are not named. */
static const double noticed = 1e-3;

static const char *const levels[] = {"velocities", "accelerations"};

hol_status hol__contradiction_init(hol_sim *sim) {
    const hol_model *m = sim->model;
    hol__contradiction *c = &sim->contradiction;
    hol__arena *arena = &sim->arena;
    *c = (hol__contradiction){0};
    if (!sim->rank.n_redundant) return HOL_OK;
    c->x = HOL__NEW_N(arena, double, m->nv);
    c->r = HOL__NEW_N(arena, double, m->m);
    c->size = HOL__NEW_N(arena, double, m->m);
    if (hol__csr_identity(arena, m->nv, &c->W) || arena->failed) return HOL_ERR_MEMORY;
    for (int j = 0; j < m->nv; j++) c->W.x[j] = hol__is_turn(m, j) ? m->length * m->length : 1;
    const hol__kernel_options options = {.storage = (hol__storage)sim->options[HOL__OPT_STORAGE],
                                         .rank_tolerance = sim->options[HOL__OPT_RANK_TOLERANCE],
                                         .aside = sim->aside.set.rows ? &sim->aside.set : NULL};
    hol_status status =
        hol__kernel_new(sim->ctx, &hol__kernel_kkt, &c->W, &sim->data->A, &options, &c->kernel);
    /* every look starts from nothing, so that what is said does not depend on earlier ones */
    return status ? status : hol__kernel_remember_as(c->kernel, NULL);
}

void hol__contradiction_free(hol_sim *sim) {
    hol__kernel_free(sim->contradiction.kernel);
    sim->contradiction.kernel = NULL;
}

/* s_i of velocities, into size, at the state in data; returns 1/tau. */
static double find_sizes(hol_sim *sim) {
    const hol_model *m = sim->model;
    hol__contradiction *c = &sim->contradiction;
    const hol__csr *A = &sim->data->A;
    const double often = hol__sim_frequency(sim);
    hol__crossing_lengths(sim);
    for (int i = 0; i < A->rows; i++) {
        c->size[i] = often * m->length * sim->crossing.lengths[i];
        double sum = 0;
        for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++)
            sum += fabs(A->x[k]) * (hol__is_turn(m, A->idx[k]) ? often : often * m->length);
        c->size[i] = fmax(c->size[i], sum);
    }
    return often;
}

/* The largest of |x_i|/s_i over n rows, and which. */
static double largest_share(const hol__contradiction *c, const double *x, int n, int *worst) {
    double most = 0;
    *worst = 0;
    for (int i = 0; i < n; i++)
        if (c->size[i] > 0 && fabs(x[i]) > most * c->size[i])
            most = fabs(x[i]) / c->size[i], *worst = i;
    return most;
}

/* By how much rows that depend on each other on the constraints may miss that here. */
static double drift(const hol_sim *sim, double often) {
    int worst;
    return HOL__STEEPEST * often *
           largest_share(&sim->contradiction, sim->data->Phi, sim->model->mh, &worst);
}

/* r = rhs - A x, x by the rows that count for kernels; 0 where it cannot be found. */
static int find_left_over(hol_sim *sim, const double *rhs) {
    hol__contradiction *c = &sim->contradiction;
    const hol__csr *A = &sim->data->A;
    hol__kernel_remember_as(c->kernel, NULL);
    if (hol__kernel_factor(c->kernel, &c->W, A)) return 0;
    memcpy(c->r, rhs, sizeof(double) * (size_t)A->rows);
    for (int pass = 0; pass < 2; pass++) { /* the second takes out what rounding left */
        if (hol__kernel_solve(c->kernel, NULL, c->r, c->x, NULL)) return 0;
        hol__csr_mul_add(A, -1, c->x, c->r);
    }
    return 1;
}

/* Whether the kept rows alone show that no share of r exceeds what is allowed. */
static int is_clear(hol_sim *sim, const double *rhs, double allowed) {
    const hol__contradiction *c = &sim->contradiction;
    double least = INFINITY;
    if (!sim->aside.set.on || !find_left_over(sim, rhs)) return 0;
    for (int i = 0; i < sim->model->m; i++)
        if (c->size[i] > 0) least = fmin(least, c->size[i]);
    return hol__norm(c->r, sim->model->m) <= allowed * least;
}

/* r of A x = rhs with all rows, and the largest share where it may exceed what is allowed; 0 where
 * it does not or cannot be found. */
static double left_over(hol_sim *sim, const double *rhs, double allowed, int *worst) {
    hol__contradiction *c = &sim->contradiction;
    const int on = sim->aside.set.on;
    if (is_clear(sim, rhs, allowed)) return 0;
    sim->aside.set.on = 0;
    const int found = find_left_over(sim, rhs);
    sim->aside.set.on = on;
    return found ? largest_share(c, c->r, sim->model->m, worst) : 0;
}

/* "joint 'slow' (driven rate 6), …" of the elements whose rows are missed, each once. */
static int list_elements(const hol_sim *sim, const double *rhs, double least, char *list,
                         size_t size) {
    const hol_model *m = sim->model;
    const hol__contradiction *c = &sim->contradiction;
    int n = 0;
    size_t used = 0;
    list[0] = '\0';
    for (int i = 0; i < m->m; i++) {
        const int same = i && strcmp(m->rows[i].element, m->rows[i - 1].element) == 0;
        if (fabs(c->r[i]) < least * c->size[i] ||
            (same && fabs(c->r[i - 1]) >= least * c->size[i - 1]))
            continue;
        if (++n > MOST_NAMED || used + 1 >= size) continue;
        used +=
            (size_t)hol__print(list + used, size - used, "%s%.80s (%s %.12g)", n > 1 ? ", " : "",
                               m->rows[i].element, m->rows[i].direction, rhs[i]);
    }
    if (n > MOST_NAMED && used < size)
        snprintf(list + used, size - used, " and %d more", n - MOST_NAMED);
    return n;
}

/* The places of the elements beside the worst, as notes. */
static void point_at_others(hol_sim *sim, double least, int worst) {
    const hol_model *m = sim->model;
    const hol__contradiction *c = &sim->contradiction;
    const char *last = m->rows[worst].element;
    for (int i = 0, n = 1; i < m->m && n < MOST_NAMED; i++) {
        const hol_row *row = &m->rows[i];
        if (fabs(c->r[i]) < least * c->size[i] || strcmp(row->element, last) == 0 ||
            strcmp(row->element, m->rows[worst].element) == 0)
            continue;
        last = row->element;
        hol__report(sim->ctx, HOL_NOTE, HOL_OK, &row->where, row->element,
                    "is one of the constraints that contradict each other");
        n++;
    }
}

/* The row to name first: that of a driver where one takes part, which is what is changed most
 * easily; else the worst. */
static int headline(const hol_sim *sim, double least, int worst) {
    const hol_model *m = sim->model;
    const hol__contradiction *c = &sim->contradiction;
    for (int i = 0; i < m->m; i++) {
        const hol__element *e = m->row_joint[i] < 0 ? NULL : &m->joints[m->row_joint[i]];
        if (e && e->type && e->type->late && e->type->quantities && !e->start &&
            fabs(c->r[i]) >= least * c->size[i])
            return i;
    }
    return worst;
}

/* The error, with everything that takes part. */
static hol_status report(hol_sim *sim, int level, const double *rhs, double share, int worst,
                         hol_status status) {
    const hol__contradiction *c = &sim->contradiction;
    const double least = noticed * share;
    const int first = headline(sim, least, worst);
    const hol_row *row = &sim->model->rows[first];
    char list[1024];
    list_elements(sim, rhs, least, list, sizeof list);
    hol__report(sim->ctx, HOL_ERROR, status, &row->where, row->element,
                "contradicts other constraints at t = %.9g: no %s satisfy %s together; the nearest "
                "miss one of them by %.3g. Leave one out, or make them agree",
                sim->data->t, levels[level], list, fabs(c->r[worst]));
    point_at_others(sim, least, first);
    sim->contradiction.told = 1;
    return status;
}

/* Both levels at the state in data, with the share that is allowed beside drift. */
static hol_status check(hol_sim *sim, double allowed, hol_status status) {
    hol__contradiction *c = &sim->contradiction;
    hol_data *data = sim->data;
    const int n = sim->model->m;
    int worst;
    if (hol_data_update(data, HOL_STAGE_DYN)) return HOL_OK; /* said by who needs it */
    const double often = find_sizes(sim);
    allowed += drift(sim, often);
    double share = left_over(sim, data->b, allowed, &worst);
    if (share > allowed) return report(sim, 0, data->b, share, worst, status);
    hol__data_psi(data);
    allowed += largest_share(c, data->psi, n, &worst); /* c is that of these velocities */
    for (int i = 0; i < n; i++) c->size[i] *= often;
    share = left_over(sim, data->c, allowed, &worst);
    return share > allowed ? report(sim, 1, data->c, share, worst, status) : HOL_OK;
}

hol_status hol__contradiction_check(hol_sim *sim, hol_status status) {
    if (!sim->contradiction.kernel) return HOL_OK;
    return check(sim, sim->options[HOL__OPT_TOLERANCE], status);
}

hol_status hol__contradiction_watch(hol_sim *sim) {
    hol__contradiction *c = &sim->contradiction;
    int worst;
    if (!c->kernel || sim->data->spared) return HOL_OK;
    find_sizes(sim);
    const double tolerance = sim->options[HOL__OPT_TOLERANCE],
                 share = largest_share(c, sim->data->psi, sim->model->m, &worst) / tolerance;
    if (!(share > 1) || share < 2 * c->looked) return HOL_OK;
    c->looked = share;
    return hol__contradiction_check(sim, HOL_ERR_TOLERANCE);
}

void hol__contradiction_explain(hol_sim *sim, hol_status status) {
    const hol_model *m = sim->model;
    hol_data *data = sim->data;
    hol__contradiction *c = &sim->contradiction;
    if (!c->kernel || !sim->started || c->told) return;
    if (check(sim, sqrt(DBL_EPSILON) * sim->options[HOL__OPT_TOLERANCE], status)) return;
    const double h = ahead / hol__sim_frequency(sim);
    if (hol__crossing_keep(sim)) return;
    hol__crossing_move(sim, h);
    for (int j = 0; j < m->nv; j++) c->x[j] = sim->crossing.v[j] + h * sim->crossing.a[j];
    hol__data_set_v(data, c->x);
    check(sim, fmax(ahead * ahead, sim->options[HOL__OPT_TOLERANCE]), status);
    hol_data_set(data, sim->crossing.t, sim->crossing.q, sim->crossing.v);
}

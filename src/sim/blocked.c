/* blocked.c: a driver that cannot go on: a slider that is pushed into the dead point of its crank,
 * a cylinder longer than its linkage allows.
 *
 * Let D be the lengths of the rows of A in the metric of lengths W, z = D^-1 b what the drivers ask
 * for. The smallest velocities that satisfy all rows, and their multipliers,
 *
 *     W x + A^T mu = 0,  A x = b            D mu = -S^-1 z,   S = D^-1 A W^-1 A^T D^-1
 *
 * In a singular position y^T S = 0. Branches cross where y^T z = 0: the velocities stay finite.
 * Where the drivers have a part in y, no velocity does what they ask for, and at a share s from the
 * position D mu = -y (y^T z)/s^2: so |D mu| s^2/|z| is the part y^T z/|z|. Drivers are the rows
 * with b_i mu_i, the other rows in D mu stop them. In other coordinates than those of reference
 * points joints may hold without rows; who stops is then read from the rows of the twin, the same
 * state in reference-point coordinates.
 */
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NAMED = 6 };

/* The least part of the drivers in y; beside s itself, what other rows bring. */
static const double least_part = 0.02;

/* Rows with less than this of the largest part in y are not named. */
static const double noticed = 0.05;

/* A driver that has lost more than this of its rate when the position would be reached stops by
 * itself. */
static const double lets_go = 0.25;

typedef struct look {
    hol_sim *sim;
    hol_data *data;       /* of the simulation, or its twin */
    const double *length; /* D */
    hol__arena arena;
    hol__kernel *kernel;
    hol__csr W;
    double *x, *mu, *b; /* velocities, multipliers, rates */
    double *q, *q_there;
    double share;  /* how near the position is */
    double faster; /* the velocities against what the driver asks for */
    int driver;    /* its row */
} look;

/* Everything that is needed, in an arena of its own. */
static hol_status prepare(look *l) {
    const hol_model *m = l->data->model;
    const hol__kernel_options options = {.storage = (hol__storage)l->sim->options[HOL__OPT_STORAGE],
                                         .rank_tolerance = 1e-15};
    hol__arena_init(&l->arena, l->sim->ctx);
    l->x = HOL__NEW_N(&l->arena, double, m->nv);
    l->mu = HOL__NEW_N(&l->arena, double, m->m);
    l->b = HOL__NEW_N(&l->arena, double, m->m);
    l->q = HOL__NEW_N(&l->arena, double, m->nq);
    l->q_there = HOL__NEW_N(&l->arena, double, m->nq);
    if (hol__csr_identity(&l->arena, m->nv, &l->W) || l->arena.failed) return HOL_ERR_MEMORY;
    for (int j = 0; j < m->nv; j++) l->W.x[j] = hol__is_turn(m, j) ? m->length * m->length : 1;
    return hol__kernel_new(l->sim->ctx, &hol__kernel_kkt, &l->W, &l->data->A, &options, &l->kernel);
}

/* |D^k x| over the rows. */
static double norm_of(const look *l, const double *x, int inverse) {
    double sum = 0;
    for (int i = 0; i < l->data->model->m; i++)
        sum += pow(inverse ? x[i] / l->length[i] : x[i] * l->length[i], 2);
    return sqrt(sum);
}

/* x and mu; in the very position mu is what is left of b, which is y. The part of the drivers in y
 * at the share s. */
static double part_of(look *l, double s) {
    const hol_data *data = l->data;
    double *left = l->mu;
    const double z = norm_of(l, l->b, 1);
    if (!(z > 0) || hol__kernel_factor(l->kernel, &l->W, &data->A) ||
        hol__kernel_solve(l->kernel, NULL, l->b, l->x, l->mu))
        return 0;
    const double part = norm_of(l, l->mu, 0) * s * s / z;
    if (part >= fmax(least_part, s)) return part;
    memcpy(left, l->b, sizeof(double) * (size_t)data->A.rows);
    hol__csr_mul_add(&data->A, -1, l->x, left);
    return norm_of(l, left, 1) / z;
}

/* The row that asks for most of it. */
static void find_driver(look *l) {
    double most = -1;
    for (int i = 0; i < l->data->model->m; i++)
        if (fabs(l->b[i] * l->mu[i]) > most) most = fabs(l->b[i] * l->mu[i]), l->driver = i;
}

/* Whether anything is driven at the state in data. */
static int is_driven(hol_sim *sim) {
    if (hol_data_update(sim->data, HOL_STAGE_VEL)) return 0;
    for (int i = 0; i < sim->model->m; i++)
        if (sim->data->b[i] != 0) return 1;
    return 0;
}

/* The rates there; 0 where there are none. */
static int read_rates(look *l) {
    const int driven = is_driven(l->sim);
    memcpy(l->b, l->sim->data->b, sizeof(double) * (size_t)l->sim->model->m);
    return driven;
}

/* Whether a driver takes part in what becomes singular here. */
static int find(look *l, double near) {
    if (hol__crossing_read(l->sim, &l->share) || l->share > near || !read_rates(l)) return 0;
    if (part_of(l, l->share) < fmax(least_part, l->share)) return 0;
    find_driver(l);
    const double asked = fabs(l->b[l->driver]) / l->length[l->driver];
    l->faster = hol__crossing_size(l->sim, l->x) * l->sim->model->length / asked;
    return 1;
}

/* ---- what is said ---- */

/* The unit of what a row asks for; none where its element does not say. */
static const char *unit_of(const hol_model *m, int row) {
    const hol__element *e = m->row_joint[row] < 0 ? NULL : &m->joints[m->row_joint[row]];
    const int drives = e && e->type && e->type->late && e->type->quantities;
    return !drives ? "" : e->pushes ? " m/s" : " rad/s";
}

/* Whether a row has a part in y, and its element has not been named by a row before it. */
static int takes_part(const look *l, int row, double least) {
    const hol_row *rows = l->data->model->rows;
    const double *length = l->length;
    if (fabs(l->mu[row] * length[row]) < least ||
        strcmp(rows[row].element, rows[l->driver].element) == 0)
        return 0;
    for (int i = 0; i < row; i++)
        if (fabs(l->mu[i] * length[i]) >= least && strcmp(rows[i].element, rows[row].element) == 0)
            return 0;
    return 1;
}

/* "joint 'A', joint 'B' and 3 more". */
static void list_stops(const look *l, char *list, size_t size) {
    const hol_model *m = l->data->model;
    double most = 0;
    int n = 0;
    size_t used = 0;
    for (int i = 0; i < m->m; i++) most = fmax(most, fabs(l->mu[i] * l->length[i]));
    snprintf(list, size, "the joints of what it moves");
    for (int i = 0; i < m->m; i++) {
        if (!takes_part(l, i, noticed * most) || ++n > MOST_NAMED || used + 1 >= size) continue;
        used += (size_t)snprintf(list + used, size - used, "%s%.80s", n > 1 ? ", " : "",
                                 m->rows[i].element);
    }
    if (n > MOST_NAMED && used < size)
        snprintf(list + used, size - used, " and %d more", n - MOST_NAMED);
}

/* The lengths of the rows, in the metric W. */
static int measure_rows(look *l) {
    const hol__csr *A = &l->data->A;
    double *length = HOL__NEW_N(&l->arena, double, A->rows);
    for (int i = 0; length && i < A->rows; i++) {
        double square = 0;
        for (int p = A->ptr[i]; p < A->ptr[i + 1]; p++)
            square += A->x[p] * A->x[p] / l->W.x[A->idx[p]];
        length[i] = square > 0 ? sqrt(square) : 1;
    }
    l->length = length;
    return length != NULL;
}

/* The same as in `of` where every joint has its rows; 0 where they are those, or without memory. */
static int look_at_twin(const look *of, look *l) {
    hol_data *data = of->data;
    *l = (look){.sim = of->sim};
    if (!data->model->reference) return 0;
    hol__data_twin(data); /* which need not be solved here */
    l->data = data->twin;
    if (!l->data || l->data->stage < HOL_STAGE_VEL || prepare(l) || !measure_rows(l)) return 0;
    memcpy(l->b, l->data->b, sizeof(double) * (size_t)l->data->model->m);
    if (!(part_of(l, 1) > 0)) return 0;
    find_driver(l);
    return 1;
}

/* Forget it. */
static void end_look(look *l) {
    hol__kernel_free(l->kernel);
    hol__arena_free(&l->arena);
}

static void report(look *l) {
    const hol_sim *sim = l->sim;
    const hol_row *row = &sim->model->rows[l->driver];
    char list[800];
    look twin;
    list_stops(look_at_twin(l, &twin) ? &twin : l, list, sizeof list);
    if (twin.data) end_look(&twin);
    hol__report(sim->ctx, HOL_ERROR, HOL_ERR_SINGULAR, &row->where, row->element,
                "cannot go on at t = %.6g: it asks for %.4g%s (%s) and is stopped by %s, at a dead "
                "point or at the end of their reach; something would have to move ever faster, "
                "%.2g times as fast as that by now. Let it stop or turn back before, drive another "
                "joint there, or change the lengths",
                sim->data->t, l->b[l->driver], unit_of(sim->model, l->driver), row->direction, list,
                l->faster);
}

/* When the position is reached: the share falls with the velocities as they are; INFINITY: it
 * grows. Leaves data at other positions. */
static double time_left(look *l) {
    hol_sim *sim = l->sim;
    const hol_model *m = sim->model;
    hol_data *data = sim->data;
    const double speed = hol__crossing_size(sim, data->v), tau = HOL__DIFFERENCE * l->share / speed;
    double share;
    if (!(speed > 0)) return INFINITY;
    for (int i = 0; i < m->nv; i++) l->x[i] = tau * data->v[i];
    m->coords->plus(m, l->q, l->x, l->q_there);
    hol__data_set_q(data, data->t + tau, l->q_there);
    if (hol__crossing_read(sim, &share) || share >= l->share) return INFINITY;
    return tau * l->share / (l->share - share);
}

/* Whether the driver still asks for its rate when the position would be reached. */
static int holds_on(look *l) {
    hol_data *data = l->sim->data;
    const double t = data->t, b = l->b[l->driver];
    memcpy(l->q, data->q, sizeof(double) * (size_t)l->sim->model->nq);
    const double left = time_left(l);
    double then = 0;
    if (left < INFINITY) {
        hol__data_set_q(data, t + left, l->q);
        then = read_rates(l) ? l->b[l->driver] : 0;
    }
    l->b[l->driver] = b;
    hol__data_set_q(data, t, l->q);
    hol_data_update(data, HOL_STAGE_VEL);
    return then * b > (1 - lets_go) * b * b;
}

int hol__blocked(hol_sim *sim, double near) {
    look l = {.sim = sim, .data = sim->data, .length = sim->crossing.lengths};
    int blocked = 0;
    if (!sim->crossing.gauge || !is_driven(sim)) return 0;
    if (!prepare(&l)) blocked = find(&l, near) && holds_on(&l);
    if (blocked) report(&l);
    end_look(&l);
    return blocked;
}

/* workspace.c: where a point can be brought by two drivers.
 *
 * A grid of values of the drivers is filled from the start: a node is reached from a neighbour by
 * closing the joints a few times on the way,
 *
 *     x_k(q) = from_k + s (to_k - from_k)
 *
 * where bodies move by little from one to the next and the determinant keeps its sign.
 */
#include "analysis/actuated.h"
#include "analysis/closing.h"
#include "analysis/follow.h"
#include "base/answer.h"
#include "base/argument.h"
#include "sim/sim.h"

#include <holonom/kinematics.h>

#include <math.h>
#include <string.h>

enum { POINTS = 41, PARTS = 4 };

static const double most_move = 0.4; /* of one part, in sizes of the mechanism and radians */

typedef struct workspace {
    hol_context *ctx;
    hol_sim *sim;
    hol_workspace_options how;
    hol__arena arena;
    const hol_model *model; /* in reference-point coordinates */
    hol_data *data;
    hol__closing closing;
    hol__lu *lu;
    int *rows, sign;
    int joint[2], row[2], n; /* drivers, their equations, points of each */
    double factor[2], law[2];
    const hol__measure *point;
    unsigned char *reached;
    double *q, *place, *before; /* nodes x nq, nodes x 3; one position */
    int *queue, head, tail;
} workspace;

/* ---- what is asked for ---- */

/* The equation of a driver that prescribes a coordinate: row, factor and law at the start. */
static hol_status find_driver(workspace *w, int k) {
    const hol_model *m = w->model;
    const char *name = w->how.drivers[k];
    const int joint = name ? hol__model_named(m, HOL__JOINTS, name) : -1;
    for (int i = 0; joint >= 0 && i < m->joints[joint].n_parts; i++) {
        const hol__con_batch *batch = &m->con_batches[m->joints[joint].part[i].batch];
        const hol__coupler *c = hol__con_record(batch, m->joints[joint].part[i].record);
        if (batch->type != &hol__con_coupler || !hol__is_driver(m, joint)) continue;
        w->joint[k] = joint;
        w->row[k] = c->con.row;
        w->factor[k] = c->factor[0];
        w->law[k] = hol__law_jet(&c->f, w->data->t, w->data->scratch).f;
        return HOL_OK;
    }
    return hol__report(w->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "workspace",
                       "'%s' is not a motor or driver that prescribes a position (keys `angle`, "
                       "`position`)",
                       name ? name : "");
}

/* The measure of the point. */
static hol_status find_point(workspace *w) {
    const hol_model *m = w->model;
    for (int i = 0; i < m->n_measures && w->how.point; i++)
        if (strcmp(m->measures[i].name, w->how.point) == 0 &&
            strcmp(m->measures[i].kind->name, "position") == 0 && m->measures[i].count == m->dim)
            w->point = &m->measures[i];
    if (w->point) return HOL_OK;
    return hol__report(w->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "workspace",
                       "'%s' is not a measure of the position of a point, for example tip: {type: "
                       "position, body: arm, at: P}",
                       w->how.point ? w->how.point : "");
}

/* The mechanism cannot move while the drivers stand still. */
static hol_status check_freedoms(workspace *w) {
    int freedoms, n;
    hol_status status = hol__closing_freedoms(&w->closing, &freedoms);
    if (!status && freedoms)
        return hol__report(w->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "workspace",
                           "%d freedom%s left where all drivers of positions stand still: drive or "
                           "lock them",
                           freedoms, freedoms == 1 ? " is" : "s are");
    if (!status) status = hol__closing_independent(&w->closing, w->rows, &n);
    if (!status) w->lu = hol__lu_new(&w->arena, w->model->nv);
    if (!status && !w->lu) status = HOL_ERR_MEMORY;
    if (!status) w->sign = hol__closing_sign(&w->closing, w->lu, w->rows);
    return status;
}

/* ---- the search ---- */

/* The value of a driver at a node. */
static double value_at(const workspace *w, int k, int node) {
    const int i = k ? node / w->n : node % w->n;
    return w->how.from[k] + (w->how.to[k] - w->how.from[k]) * i / (w->n - 1);
}

/* Close with the drivers at x, from the positions in data; whether that is the same branch. */
static int step_to(workspace *w, const double x[2], hol_status *status) {
    const hol_model *m = w->model;
    memcpy(w->before, w->data->q, sizeof(double) * (size_t)m->nq);
    memcpy(w->closing.angles, w->data->angles, sizeof(double) * (size_t)m->n_angles);
    for (int k = 0; k < 2; k++) w->closing.offset[w->row[k]] = w->factor[k] * x[k] - w->law[k];
    const hol_status closed = hol__closing_run(&w->closing, w->before);
    if (closed < 0) *status = closed;
    if (closed) return 0;
    m->coords->minus(m, w->data->q, w->before, w->closing.away);
    for (int i = 0; i < m->nv; i++)
        if (fabs(w->closing.away[i]) > most_move * (hol__is_turn(m, i) ? 1 : m->length)) return 0;
    return hol__closing_sign(&w->closing, w->lu, w->rows) == w->sign;
}

/* From the positions in data, where the drivers have the values x, to a node, in parts. */
static int go_to(workspace *w, const double x[2], int node, int parts, hol_status *status) {
    for (int p = 1; p <= parts; p++) {
        double at[2];
        for (int k = 0; k < 2; k++) at[k] = x[k] + (value_at(w, k, node) - x[k]) * p / parts;
        if (!step_to(w, at, status)) return 0;
    }
    return 1;
}

/* The positions in data are those of a node. */
static void reach(workspace *w, int node) {
    const hol_model *m = w->model;
    memcpy(w->q + (size_t)node * (size_t)m->nq, w->data->q, sizeof(double) * (size_t)m->nq);
    for (int c = 0; c < m->dim; c++)
        hol_data_measure(w->data, w->point->first + c, w->place + 3 * (size_t)node + c);
    w->reached[node] = 1;
    w->queue[w->tail++] = node;
}

/* The neighbours of a node that was reached. */
static hol_status spread(workspace *w, int node) {
    static const int side[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    hol_status status = HOL_OK;
    const double x[2] = {value_at(w, 0, node), value_at(w, 1, node)};
    for (int s = 0; s < 4 && !status; s++) {
        const int i = node % w->n + side[s][0], j = node / w->n + side[s][1], next = j * w->n + i;
        if (i < 0 || j < 0 || i >= w->n || j >= w->n || w->reached[next]) continue;
        hol__data_set_q(w->data, w->data->t, w->q + (size_t)node * (size_t)w->model->nq);
        hol_data_update(w->data, HOL_STAGE_POS);
        if (go_to(w, x, next, PARTS, &status)) reach(w, next);
    }
    return status;
}

/* From the start to the nearest node, then from node to node. */
static hol_status search(workspace *w) {
    double x[2];
    int turns, node = 0;
    hol_status status = HOL_OK;
    for (int k = 0; k < 2; k++) {
        const double width = w->how.to[k] - w->how.from[k];
        hol__driver_value(w->data, w->joint[k], &x[k], &turns);
        const double share = fmin(1, fmax(0, (x[k] - w->how.from[k]) / width));
        node += (int)lround(share * (w->n - 1)) * (k ? w->n : 1);
    }
    if (go_to(w, x, node, 40, &status)) reach(w, node);
    while (w->head < w->tail && !status) status = spread(w, w->queue[w->head++]);
    return status;
}

/* ---- what is told ---- */

/* The area of the place that a cell of the grid becomes; 0 where a corner was not reached. */
static double area_of(const workspace *w, int i, int j) {
    const int node[4] = {j * w->n + i, j * w->n + i + 1, (j + 1) * w->n + i + 1,
                         (j + 1) * w->n + i};
    double sum = 0;
    for (int c = 0; c < 4; c++) {
        const double *p = w->place + 3 * (size_t)node[c],
                     *q = w->place + 3 * (size_t)node[(c + 1) % 4];
        if (!w->reached[node[c]]) return 0;
        sum += 0.5 * (p[0] * q[1] - p[1] * q[0]);
    }
    return fabs(sum);
}

/* The extent of the point along each axis, and the area. */
static void tell_extent(const workspace *w, hol_answer *answer) {
    static const char *const keys[3][2] = {
        {"least_x", "least x"}, {"least_y", "least y"}, {"least_z", "least z"}};
    static const char *const others[3][2] = {
        {"largest_x", "largest x"}, {"largest_y", "largest y"}, {"largest_z", "largest z"}};
    double area = 0;
    for (int c = 0; c < w->model->dim; c++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < w->tail; i++) {
            low = fmin(low, w->place[3 * (size_t)w->queue[i] + (size_t)c]);
            high = fmax(high, w->place[3 * (size_t)w->queue[i] + (size_t)c]);
        }
        hol__answer_number(answer, keys[c][0], keys[c][1], low, "m");
        hol__answer_number(answer, others[c][0], others[c][1], high, "m");
    }
    for (int j = 0; j + 1 < w->n; j++)
        for (int i = 0; i + 1 < w->n; i++) area += area_of(w, i, j);
    if (w->model->dim == 2) hol__answer_number(answer, "area", "area", area, "m^2");
}

static void tell(const workspace *w, hol_answer *answer) {
    static const char *const axes[] = {"x", "y", "z"};
    const hol_model *m = w->model;
    hol__answer_number(answer, "nodes", "positions of the drivers", w->n * w->n, "");
    hol__answer_number(answer, "reached", "reached", w->tail, "");
    if (!w->tail) return;
    tell_extent(w, answer);
    hol__sheet *sheet =
        hol__answer_sheet(answer, "workspace", "where the point can be brought", 2 + m->dim);
    for (int k = 0; k < 2; k++)
        hol__sheet_column(sheet, k, w->how.drivers[k], m->joints[w->joint[k]].pushes ? "m" : "rad");
    for (int c = 0; c < m->dim; c++) hol__sheet_column(sheet, 2 + c, axes[c], "m");
    for (int node = 0; node < w->n * w->n; node++) {
        double *row = w->reached[node] ? hol__sheet_add(sheet, NULL) : NULL;
        if (!row) continue;
        row[0] = value_at(w, 0, node), row[1] = value_at(w, 1, node);
        memcpy(row + 2, w->place + 3 * (size_t)node, sizeof *row * (size_t)m->dim);
    }
    /* from above, and in space from the front and the side too */
    for (int c = 0; c < (m->dim == 2 ? 1 : 3); c++)
        hol__sheet_path(sheet, c == 2 ? 3 : 2, c == 0 ? 3 : 4, 1);
}

/* ---- life ---- */

static hol_status set_up(workspace *w) {
    const hol_model *m = w->model;
    w->n = w->how.points > 1 ? w->how.points : POINTS;
    const size_t nodes = (size_t)w->n * (size_t)w->n;
    w->data = hol_data_new(w->ctx, m);
    w->rows = HOL__NEW_N(&w->arena, int, m->mh + m->nv + 1);
    w->reached = HOL__NEW_N(&w->arena, unsigned char, nodes);
    w->q = HOL__NEW_N(&w->arena, double, nodes *(size_t)m->nq);
    w->place = HOL__NEW_N(&w->arena, double, 3 * nodes);
    w->before = HOL__NEW_N(&w->arena, double, m->nq);
    w->queue = HOL__NEW_N(&w->arena, int, nodes);
    if (!w->data || w->arena.failed) return HOL_ERR_MEMORY;
    hol__data_take_bodies(w->data, w->sim->data);
    return hol__closing_init(&w->closing, &w->arena, w->data);
}

hol_status hol_workspace(hol_context *ctx, hol_sim *sim, const hol_workspace_options *options,
                         hol_answer **out) {
    static const char call[] = "hol_workspace";
    if (!ctx || hol__need(ctx, call, "the simulation", sim) ||
        hol__need(ctx, call, "the options", options) || hol__need(ctx, call, "the answer", out))
        return HOL_ERR_ARGUMENT;
    *out = NULL;
    workspace w = {.ctx = ctx, .sim = sim};
    memcpy(&w.how, options, options->size < sizeof w.how ? options->size : sizeof w.how);
    w.model = sim->model->reference ? sim->model->reference : sim->model;
    hol__arena_init(&w.arena, ctx);
    hol_answer *answer = hol__answer_of(ctx, "kinematics", "workspace", sim->whole->name);
    hol_status status = answer ? set_up(&w) : HOL_ERR_MEMORY;
    for (int k = 0; k < 2 && !status; k++) status = find_driver(&w, k);
    if (!status) status = find_point(&w);
    if (!status) status = check_freedoms(&w);
    if (!status) status = search(&w);
    if (!status) tell(&w, answer);
    hol__closing_end(&w.closing);
    hol_data_free(w.data);
    hol__arena_free(&w.arena);
    return answer ? hol__answer_finish(answer, status, out) : status;
}

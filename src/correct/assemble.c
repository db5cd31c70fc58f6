/* assemble.c: consistent initial conditions from the drawn position.
 *
 * Positions: Gauss–Newton towards Phi(q) = 0 that moves the bodies as little as their weights
 * allow,
 *     W delta + D^T mu = -K (q (-) q_drawn),   D delta = -Phi,
 *     W = weights (+ K, large, where a coordinate is fixed)
 * with a line search on |Phi|. Drivers that ask for angles which Newton's method does not find from
 * the drawn position are led there: the rows Phi_i - f Phi_i(q_drawn) of theirs, f from 1 to 0 in
 * steps of half a radian, each closed from the one before, over full turns as well.
 *
 * Velocities: among all v with A v = b, those nearest to the given ones; what is left open is as
 * small as possible in the metric of the weights. The given ones count w = 1, the others 1e-6; the
 * method of multipliers makes them exact where they can be:
 *     (eps W + G) v + A^T mu = G (v_given - y),   A v = b,   y <- y + (v - v_given)
 * Fixed ones come first: where they contradict others that are given, those count without a
 * multiplier, as well as they can.
 *
 * Values of joints at the start are rows of Phi for the positions and rows of A v = b for the rates
 * (element/joint_start.c); a row that is there for the positions alone is released before the
 * velocities.
 */
#include "correct/correct.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_NEWTON = 80, MAX_HALVINGS = 25, MAX_MULTIPLIER = 12, MAX_NAMED = 5 };

static const double hold = 1e8;    /* weight of a fixed coordinate over a free one */
static const double open_w = 1e-6; /* weight of a velocity that is not given over one that is */
static const double displacement = 0.1; /* radians from a drawn position that cannot be closed */
static const double closed_v = 1e-11;   /* |A v - b| that is left as it is */
static const double led = 0.5;          /* radians by which drivers are led in one step, … */
static const double led_least = 1e-3;   /* … and at least */
static const double full_turn = 6.283185307179586476925;

typedef struct assembly {
    hol_data *data;
    hol__arena arena;
    hol__csr W, D;
    hol__kernel *kernel;
    double *weight; /* of each velocity direction */
    unsigned char *fixed, *fixed_v, *given;
    unsigned char *yields; /* a given velocity that gives way to fixed ones */
    double *q0, *q_try, *delta, *pull, *rhs;
    double *angles0; /* tracked angles as drawn */
    double *off;     /* Phi - offset at the positions in data, … */
    double *offset;  /* … by holonomic row: where drivers are led to */
    double tolerance;
} assembly;

static int allocate(assembly *s) {
    const hol_model *m = s->data->model;
    hol__arena *arena = &s->arena;
    const int n = m->nv;
    s->W = (hol__csr){.rows = n,
                      .cols = n,
                      .ptr = HOL__NEW_N(arena, int, n + 1),
                      .idx = HOL__NEW_N(arena, int, n),
                      .x = HOL__NEW_N(arena, double, n)};
    s->weight = HOL__NEW_N(arena, double, n);
    s->fixed = HOL__NEW_N(arena, unsigned char, n);
    s->fixed_v = HOL__NEW_N(arena, unsigned char, n);
    s->given = HOL__NEW_N(arena, unsigned char, n);
    s->yields = HOL__NEW_N(arena, unsigned char, n);
    s->q0 = HOL__NEW_N(arena, double, m->nq);
    s->q_try = HOL__NEW_N(arena, double, m->nq);
    s->delta = HOL__NEW_N(arena, double, n);
    s->pull = HOL__NEW_N(arena, double, n);
    s->rhs = HOL__NEW_N(arena, double, m->m);
    s->angles0 = HOL__NEW_N(arena, double, m->n_angles + 1);
    s->off = HOL__NEW_N(arena, double, m->mh + 1);
    s->offset = HOL__NEW_N(arena, double, m->mh + 1);
    if (arena->failed) return 0;
    for (int i = 0; i < n; i++) s->W.ptr[i + 1] = i + 1, s->W.idx[i] = i;
    return 1;
}

/* Weights: mass for translations, inertia (at least a little) for rotations, times the user's. */
static void set_weights(assembly *s) {
    const hol_model *m = s->data->model;
    for (int i = 0; i < m->nv; i++) {
        const hol__body *b = &m->bodies[i / m->bw];
        const int k = i % m->bw, turn = hol__is_turn(m, i);
        const double J = m->dim == 2 ? b->inertia : turn ? b->J[4 * (k - 3)] : 0;
        const double mass = b->mass > 0 ? b->mass : 1; /* one that moves as given may have none */
        s->weight[i] = b->weight * (turn ? fmax(J, 1e-4 * mass * m->length * m->length) : mass);
        s->fixed[i] = b->fix[k];
        s->fixed_v[i] = b->fix_velocity[k];
        s->given[i] = b->given[k] || b->fix_velocity[k];
    }
}

static double residual(assembly *s) {
    hol_data_update(s->data, HOL_STAGE_POS);
    for (int i = 0; i < s->data->model->mh; i++) s->off[i] = s->data->Phi[i] - s->offset[i];
    return hol__norm(s->off, s->data->model->mh);
}

/* The Gauss–Newton step into delta. */
static hol_status newton_step(assembly *s) {
    const hol_model *m = s->data->model;
    m->coords->minus(m, s->data->q, s->q0, s->pull);
    for (int i = 0; i < m->nv; i++) {
        s->W.x[i] = s->weight[i] * (s->fixed[i] ? hold : 1);
        s->pull[i] = s->fixed[i] ? -s->W.x[i] * s->pull[i] : 0;
    }
    for (int i = 0; i < m->mh; i++) s->rhs[i] = -s->off[i];
    const hol_status status = hol__kernel_factor(s->kernel, &s->W, &s->D);
    return status ? status : hol__kernel_solve(s->kernel, s->pull, s->rhs, s->delta, NULL);
}

/* Shorten delta so that no body moves by more than half the mechanism or turns by more than half a
 * radian. */
static void limit_step(assembly *s) {
    const hol_model *m = s->data->model;
    double largest = 0;
    for (int i = 0; i < m->nv; i++) {
        largest = fmax(largest, fabs(s->delta[i]) / (hol__is_turn(m, i) ? 0.5 : 0.5 * m->length));
    }
    if (largest > 1)
        for (int i = 0; i < m->nv; i++) s->delta[i] /= largest;
}

/* Move along delta as far as |Phi| falls; 0 when it does not. */
static int line_search(assembly *s, double norm) {
    const hol_model *m = s->data->model;
    memcpy(s->q_try, s->data->q, sizeof(double) * (size_t)m->nq);
    for (int k = 0; k < MAX_HALVINGS; k++) {
        double *q = s->data->q;
        m->coords->plus(m, s->q_try, s->delta, q);
        hol__data_set_q(s->data, s->data->t, NULL);
        const double now = residual(s);
        if (now < norm * (1 - 1e-4 * ldexp(1, -k))) {
            /* angles are followed over full turns from step to step */
            memcpy(s->data->angles_base, s->data->angles, sizeof(double) * (size_t)m->n_angles);
            return 1;
        }
        for (int i = 0; i < m->nv; i++) s->delta[i] *= 0.5;
    }
    hol__data_set_q(s->data, s->data->t, s->q_try);
    return 0;
}

/* Where joints have values at the start, these may be what keeps the others open. */
static void report_starts(assembly *s) {
    const hol_model *m = s->data->model;
    residual(s);
    for (int i = 0; i < m->mh; i++) {
        const hol__element *rows = m->row_joint[i] < 0 ? NULL : &m->joints[m->row_joint[i]];
        if (rows && rows->start)
            hol__report(s->data->ctx, HOL_ERROR, HOL_ERR_ASSEMBLY, &rows->where, rows->label,
                        "the joints cannot be closed with this %s from the drawn position (it is "
                        "off by %.3g at best); change it or leave it out",
                        m->rows[i].direction, s->data->Phi[i]);
    }
}

/* The residual of a joint; values at the start are not held against it. */
static double open_by(const assembly *s, int joint) {
    const hol_model *m = s->data->model;
    double sum = 0;
    for (int i = 0; i < m->mh && !m->joints[joint].start; i++)
        if (m->row_joint[i] == joint) sum += s->data->Phi[i] * s->data->Phi[i];
    return sqrt(sum);
}

/* The joint that is open most, by more than least, -1: none, and how many are. */
static int most_open(const assembly *s, double least, int *count) {
    const hol_model *m = s->data->model;
    double largest = least;
    int worst = -1;
    *count = 0;
    for (int j = 0; j < m->n_joints; j++) {
        const double size = open_by(s, j);
        if (size > least) ++*count;
        if (size > largest) largest = size, worst = j;
    }
    return worst;
}

/* What else may keep joints open: values of joints at the start, coordinates that are fixed. */
static const char *other_causes(const assembly *s) {
    const hol_model *m = s->data->model;
    for (int i = 0; i < m->mh; i++)
        if (m->row_joint[i] >= 0 && m->joints[m->row_joint[i]].start)
            return ", or change or leave out a `start`";
    for (int i = 0; i < m->nv; i++)
        if (s->fixed[i]) return ", or leave out a `fix`";
    return "";
}

/* Name the rows of a joint that are open, which count as closed from then on. */
static void report_open_joint(assembly *s, int joint) {
    const hol_model *m = s->data->model;
    const hol__element *e = &m->joints[joint];
    const double size = open_by(s, joint);
    double *Phi = s->data->Phi;
    char rows[256] = "";
    for (int i = 0; i < m->mh; i++) {
        if (m->row_joint[i] != joint) continue;
        const size_t used = strlen(rows);
        if (fabs(Phi[i]) > 1e-6 * size)
            hol__print(rows + used, sizeof rows - used, "%s%s %.3g", used ? ", " : "",
                       m->rows[i].direction, Phi[i]);
        Phi[i] = 0;
    }
    hol__report(s->data->ctx, HOL_ERROR, HOL_ERR_ASSEMBLY, &e->where, e->label,
                "cannot be closed: off by %.3g at best (%s); check the lengths, what drivers ask "
                "for and the drawn position%s",
                size, rows, other_causes(s));
}

/* Whether an element drives a coordinate. */
static int drives(const hol__element *e) {
    return e->type && e->type->late && e->type->quantities && !e->start;
}

/* "joint 'A', joint 'B' and 2 more": those that are open beside one. */
static void list_others(const assembly *s, int one, double least, char *list, size_t size) {
    const hol_model *m = s->data->model;
    size_t used = 0;
    int n = 0;
    snprintf(list, size, "the joints of what it moves");
    for (int j = 0; j < m->n_joints; j++) {
        if (j == one || !(open_by(s, j) > least) || ++n > MAX_NAMED || used + 1 >= size) continue;
        used += (size_t)snprintf(list + used, size - used, "%s%.80s", n > 1 ? ", " : "",
                                 m->joints[j].label);
    }
    if (n > MAX_NAMED && used < size)
        snprintf(list + used, size - used, " and %d more", n - MAX_NAMED);
}

/* The driver that asks for most of what cannot be closed, with what stops it: the residual of the
 * nearest position lies in the rows that hold against each other. Returns whether there is one. */
static int report_impossible(assembly *s, double least) {
    const hol_model *m = s->data->model;
    double most = least;
    int driver = -1;
    char list[600];
    for (int j = 0; j < m->n_joints; j++)
        if (drives(&m->joints[j]) && open_by(s, j) > most) most = open_by(s, j), driver = j;
    if (driver < 0) return 0;
    const hol__element *e = &m->joints[driver];
    list_others(s, driver, least, list, sizeof list);
    hol__report(s->data->ctx, HOL_ERROR, HOL_ERR_ASSEMBLY, &e->where, e->label,
                "asks for a position at t = %.6g that cannot be reached from the drawn one: the "
                "nearest is %.4g %s off, and it is stopped by %s. Give it one that the linkage "
                "reaches, or change the lengths",
                s->data->t, most, e->pushes ? "m" : "rad", list);
    for (int i = 0; i < m->mh; i++) /* it is named, and counts as closed from then on */
        if (m->row_joint[i] == driver) s->data->Phi[i] = 0;
    return 1;
}

/* Drivers whose law does not begin near the drawn position may be what keeps the others open: the
 * coordinate of a point or a distance was taken for a displacement from there. */
static void report_far_drivers(assembly *s) {
    const hol_model *m = s->data->model;
    hol__data_set_q(s->data, s->data->t, s->q0);
    residual(s);
    for (int i = 0; i < m->mh; i++) {
        const hol__element *e = m->row_joint[i] < 0 ? NULL : &m->joints[m->row_joint[i]];
        if (e && drives(e) && fabs(s->data->Phi[i]) > 0.1 * (e->pushes ? m->length : 1))
            hol__report(s->data->ctx, HOL_NOTE, HOL_OK, &e->where, e->label,
                        "at the start it asks for something %.4g away from the drawn position; a "
                        "driver of a body or a distance takes the coordinate itself, not a "
                        "displacement",
                        fabs(s->data->Phi[i]));
    }
}

/* Name the joints that stay open, worst first, and say how many are not named. One that is off by a
 * thousandth of the worst is not quite closed because of that. Where none is open by its share of
 * the whole, the values at the start are. */
static hol_status report_open(assembly *s) {
    double least = 1e-3 * residual(s) / sqrt(s->data->model->n_joints);
    int count, joint = most_open(s, least, &count);
    if (joint >= 0) least = fmax(least, 1e-3 * open_by(s, joint));
    int named = report_impossible(s, least);
    for (; (joint = most_open(s, least, &count)) >= 0 && named < MAX_NAMED; named++)
        report_open_joint(s, joint);
    if (joint >= 0)
        hol__report(s->data->ctx, HOL_NOTE, HOL_OK, NULL, NULL,
                    "%d more joint%s cannot be closed; those that are off most are named", count,
                    count == 1 ? "" : "s");
    s->data->stage = HOL_STAGE_NONE;
    report_starts(s);
    report_far_drivers(s);
    return HOL_ERR_ASSEMBLY;
}

/* Fixed coordinates must be where they were drawn. */
static hol_status check_fixed(assembly *s) {
    const hol_model *m = s->data->model;
    hol_status status = HOL_OK;
    m->coords->minus(m, s->data->q, s->q0, s->delta);
    for (int i = 0; i < m->nv; i++)
        if (s->fixed[i] && fabs(s->delta[i]) > 1e-9 * fmax(1, m->length)) {
            const hol__body *b = &m->bodies[i / m->bw];
            status = hol__report(s->data->ctx, HOL_ERROR, HOL_ERR_ASSEMBLY, &b->where, b->label,
                                 "a fixed coordinate had to move by %.3g to close the joints; "
                                 "leave out the `fix` or redraw",
                                 s->delta[i]);
        }
    return status;
}

/* By how much rows may be off that are closed. */
static double closing(const assembly *s) {
    return 1e-10 * fmax(1, s->data->model->length);
}

/* Newton from the positions in data; *closed: whether it ended on the constraints. */
static hol_status close_positions(assembly *s, int *closed) {
    *closed = 0;
    for (int k = 0; k < MAX_NEWTON; k++) {
        const double norm = residual(s);
        if (!isfinite(norm)) return HOL_OK;
        if (norm <= s->tolerance) break;
        const hol_status status = newton_step(s);
        if (status < 0) return status;
        if (status > 0) return HOL_OK;
        limit_step(s);
        if (!line_search(s, norm)) break;
    }
    *closed = residual(s) <= fmax(closing(s), s->tolerance);
    return HOL_OK;
}

/* ---- drivers that ask for angles far away ---- */

/* What row i of a driver that turns is off at the drawn position, in whose place data is; 0 for all
 * other rows. */
static double asked_turn(const assembly *s, int i) {
    const hol_model *m = s->data->model;
    const hol__element *e = m->row_joint[i] < 0 ? NULL : &m->joints[m->row_joint[i]];
    return e && drives(e) && !e->pushes ? s->data->Phi[i] : 0;
}

/* From the share f of the way to g, where it closes there; f stays otherwise. */
static hol_status lead_to(assembly *s, const double *asked, double *f, double g) {
    const hol_model *m = s->data->model;
    int closed;
    double *q = HOL__NEW_N(&s->arena, double, m->nq + m->n_angles + 1), *angles = q + m->nq;
    if (!q) return HOL_ERR_MEMORY;
    memcpy(q, s->data->q, sizeof(double) * (size_t)m->nq);
    memcpy(angles, s->data->angles_base, sizeof(double) * (size_t)m->n_angles);
    for (int i = 0; i < m->mh; i++) s->offset[i] = g * asked[i];
    const hol_status status = close_positions(s, &closed);
    if (status || closed) {
        *f = g;
        return status;
    }
    memcpy(s->data->angles_base, angles, sizeof(double) * (size_t)m->n_angles);
    hol__data_set_q(s->data, s->data->t, q);
    return HOL_OK;
}

/* Lead all drivers that turn from the drawn position to what they ask for; *closed: they are
 * there. asked: what their rows are off as drawn, and most the largest. */
static hol_status lead_drivers(assembly *s, const double *asked, double most, int *closed) {
    const hol_model *m = s->data->model;
    double f = 2, by = led / most;
    hol_status status = lead_to(s, asked, &f, 1);
    while (!status && f > 0 && f <= 1 && by * most >= led_least) {
        const double from = f;
        status = lead_to(s, asked, &f, fmax(0, f - by));
        by = f < from ? fmin(2 * by, led / most) : 0.5 * by;
    }
    memset(s->offset, 0, sizeof(double) * (size_t)m->mh);
    s->data->stage = HOL_STAGE_NONE;
    *closed = !status && f == 0 && residual(s) <= fmax(closing(s), s->tolerance);
    return status;
}

/* Say which drivers ask for more than a turn: radians may have been taken for degrees. */
static void warn_of_turns(const assembly *s, const double *asked) {
    const hol_model *m = s->data->model;
    for (int i = 0; i < m->mh; i++) {
        if (!(fabs(asked[i]) > full_turn)) continue;
        const hol__element *e = &m->joints[m->row_joint[i]];
        hol__warn(s->data->ctx, &e->where, e->label,
                  "begins %.6g rad, %.3g turns, away from the drawn position; write '%.6g deg' if "
                  "degrees are meant",
                  fabs(asked[i]), fabs(asked[i]) / full_turn, fabs(asked[i]));
    }
}

/* Positions as drawn, or others from there, with the turns counted from the drawn ones. */
static void start_over(assembly *s, const double *q) {
    memcpy(s->data->angles_base, s->angles0, sizeof(double) * (size_t)s->data->model->n_angles);
    hol__data_set_q(s->data, s->data->t, q);
}

/* Every body turned a little, each by another angle, from where it was drawn: |Phi| may be
 * stationary there without being least, as where two axes point in opposite directions. */
static void displace(assembly *s) {
    const hol_model *m = s->data->model;
    for (int i = 0; i < m->nv; i++)
        s->delta[i] = hol__is_turn(m, i) && !s->fixed[i] ? displacement * (1 + sin(1.0 + i)) : 0;
    m->coords->plus(m, s->q0, s->delta, s->q_try);
    start_over(s, s->q_try);
}

/* Name the joint whose rows are not finite at the positions in data: nothing closes there. */
static hol_status report_infinite(assembly *s) {
    hol_data *data = s->data;
    if (!hol__data_report_culprit(data, hol__data_blame(data), data->t))
        hol__report(data->ctx, HOL_ERROR, HOL_ERR_SINGULAR, NULL, "assembly",
                    "the constraints are NaN or infinite at the drawn position, t = %.6g", data->t);
    return HOL_ERR_SINGULAR;
}

/* The next way to close what Newton's method from the drawn position did not: drivers led over
 * their turns, then all bodies turned a little. */
static hol_status try_again(assembly *s, const double *asked, double most, int *closed) {
    const hol_model *m = s->data->model;
    hol_status status = HOL_OK;
    double *best = HOL__NEW_N(&s->arena, double, m->nq);
    if (!best) return HOL_ERR_MEMORY;
    memcpy(best, s->data->q, sizeof(double) * (size_t)m->nq);
    if (most > led) {
        start_over(s, s->q0);
        status = lead_drivers(s, asked, most, closed);
        if (status || *closed) return status;
        memcpy(best, s->data->q, sizeof(double) * (size_t)m->nq);
    }
    displace(s);
    status = close_positions(s, closed);
    if (!status && !*closed) hol__data_set_q(s->data, s->data->t, best);
    return status;
}

static hol_status assemble_positions(assembly *s) {
    const hol_model *m = s->data->model;
    int closed;
    double most = 0, *asked = HOL__NEW_N(&s->arena, double, m->mh + 1);
    if (!asked) return HOL_ERR_MEMORY;
    memcpy(s->angles0, s->data->angles_base, sizeof(double) * (size_t)m->n_angles);
    if (!isfinite(residual(s))) return report_infinite(s);
    for (int i = 0; i < m->mh; i++) {
        asked[i] = asked_turn(s, i);
        most = fmax(most, fabs(asked[i]));
    }
    warn_of_turns(s, asked);
    hol_status status = close_positions(s, &closed);
    if (!status && !closed) status = try_again(s, asked, most, &closed);
    if (status) return status;
    return closed ? check_fixed(s) : report_open(s);
}

/* Solve for the velocities once with the multipliers y of the given ones (in pull). */
static hol_status velocity_solve(assembly *s, const double *wanted, double *y) {
    const hol_model *m = s->data->model;
    for (int i = 0; i < m->nv; i++) {
        s->W.x[i] = s->weight[i] * (s->given[i] ? (s->fixed_v[i] ? 1e3 : 1) : open_w);
        s->pull[i] = s->given[i] ? s->W.x[i] * (wanted[i] - y[i]) : 0;
    }
    hol_status status = hol__kernel_factor(s->kernel, &s->W, &s->data->A);
    if (!status) status = hol__kernel_solve(s->kernel, s->pull, s->data->b, s->delta, NULL);
    if (status) return status;
    for (int i = 0; i < m->nv; i++)
        if (s->given[i] && !s->yields[i]) y[i] += s->delta[i] - wanted[i];
    hol__data_set_v(s->data, s->delta);
    return HOL_OK;
}

/* By how much a given velocity may differ from what it should be. */
static double close_to(const assembly *s, const double *wanted) {
    double scale = 1e-3;
    for (int k = 0; k < s->data->model->nv; k++) scale = fmax(scale, fabs(wanted[k]));
    return 1e-8 * scale;
}

/* Whether a given velocity is not what it should be. */
static int is_missed(const assembly *s, const double *wanted, double close, int i) {
    return s->given[i] && fabs(s->data->v[i] - wanted[i]) > close;
}

/* Where fixed velocities and others that are given contradict each other, the others yield; 0 when
 * no fixed one is missed. */
static int make_others_yield(assembly *s, const double *wanted) {
    const double close = close_to(s, wanted);
    int missed = 0, yielding = 0;
    for (int i = 0; i < s->data->model->nv; i++) {
        const int miss = is_missed(s, wanted, close, i);
        missed |= miss && s->fixed_v[i];
        s->yields[i] = miss && !s->fixed_v[i];
        yielding |= s->yields[i];
    }
    return missed && yielding;
}

/* Say which given velocities could not be kept. */
static hol_status check_velocities(assembly *s, const double *wanted) {
    const hol_model *m = s->data->model;
    static const char *const names[2][6] = {{"vx", "vy", "omega", "", "", ""},
                                            {"vx", "vy", "vz", "wx", "wy", "wz"}};
    const double close = close_to(s, wanted);
    hol_status status = HOL_OK;
    for (int i = 0; i < m->nv; i++) {
        const hol__body *b = &m->bodies[i / m->bw];
        if (!is_missed(s, wanted, close, i)) continue;
        const char *name = names[m->dim == 3][i % m->bw];
        if (s->fixed_v[i])
            status = hol__report(s->data->ctx, HOL_ERROR, HOL_ERR_ASSEMBLY, &b->where, b->label,
                                 "the joints do not allow %s = %.9g (nearest: %.9g); leave out "
                                 "`fix_velocity` or change it",
                                 name, wanted[i], s->data->v[i]);
        else
            hol__warn(s->data->ctx, &b->where, b->label,
                      "%s = %.9g was changed to %.9g to satisfy the joints", name, wanted[i],
                      s->data->v[i]);
    }
    return status;
}

/* Rows that hold values of joints at the start do not hold the rates of these. */
static void release_start_rows(assembly *s) {
    const hol_model *m = s->data->model;
    for (int i = 0; i < m->mh; i++)
        if (m->row_joint[i] >= 0 && m->joints[m->row_joint[i]].start)
            memset(s->data->A.x + m->A.ptr[i], 0,
                   sizeof(double) * (size_t)(m->A.ptr[i + 1] - m->A.ptr[i]));
}

/* Rates of joints at the start must be what they should be. */
static hol_status check_start_rates(assembly *s) {
    const hol_model *m = s->data->model;
    hol_status status = HOL_OK;
    double scale = 1e-3;
    hol__data_psi(s->data);
    for (int i = 0; i < m->m; i++) scale = fmax(scale, fabs(s->data->b[i]));
    for (int i = m->mh; i < m->m; i++) {
        const hol__element *rows = m->row_joint[i] < 0 ? NULL : &m->joints[m->row_joint[i]];
        if (!rows || !rows->start || !(fabs(s->data->psi[i]) > 1e-8 * scale)) continue;
        status = hol__report(s->data->ctx, HOL_ERROR, HOL_ERR_ASSEMBLY, &rows->where, rows->label,
                             "the joints do not allow %s = %.9g (nearest: %.9g); change it or "
                             "leave it out",
                             m->rows[i].direction, s->data->b[i], s->data->b[i] + s->data->psi[i]);
    }
    return status;
}

/* Weights far apart leave A v = b open by some digits: take out what is left with the factors at
 * hand, A delta = -psi. */
static hol_status close_velocities(assembly *s) {
    const hol_model *m = s->data->model;
    memset(s->pull, 0, sizeof(double) * (size_t)m->nv);
    for (int k = 0; k < 2; k++) {
        hol__data_psi(s->data);
        if (hol__norm(s->data->psi, m->m) <= closed_v) break;
        for (int i = 0; i < m->m; i++) s->rhs[i] = -s->data->psi[i];
        const hol_status status = hol__kernel_solve(s->kernel, s->pull, s->rhs, s->delta, NULL);
        if (status) return status;
        for (int i = 0; i < m->nv; i++) s->delta[i] += s->data->v[i];
        hol__data_set_v(s->data, s->delta);
    }
    return HOL_OK;
}

static hol_status assemble_velocities(assembly *s) {
    const hol_model *m = s->data->model;
    double *wanted = HOL__NEW_N(&s->arena, double, m->nv),
           *y = HOL__NEW_N(&s->arena, double, m->nv);
    if (!wanted || !y) return HOL_ERR_MEMORY;
    memcpy(wanted, s->data->v, sizeof(double) * (size_t)m->nv);
    hol_data_update(s->data, HOL_STAGE_VEL);
    if (!isfinite(hol__norm(s->data->b, m->m))) return report_infinite(s);
    release_start_rows(s);
    for (int pass = 0; pass == 0 || (pass == 1 && make_others_yield(s, wanted)); pass++) {
        memset(y, 0, sizeof(double) * (size_t)m->nv);
        for (int k = 0; k < MAX_MULTIPLIER; k++) {
            hol_data_update(s->data, HOL_STAGE_VEL);
            const hol_status status = velocity_solve(s, wanted, y);
            if (status) return status;
        }
    }
    hol_status status = close_velocities(s);
    if (!status) status = check_start_rates(s);
    return status ? status : check_velocities(s, wanted);
}

/* How far the positions moved: the largest distance, with angles times the size of the
 * mechanism. */
static double distance_moved(assembly *s) {
    const hol_model *m = s->data->model;
    double largest = 0;
    m->coords->minus(m, s->data->q, s->q0, s->delta);
    for (int i = 0; i < m->nv; i++) {
        largest = fmax(largest, fabs(s->delta[i]) * (hol__is_turn(m, i) ? m->length : 1));
    }
    return largest;
}

hol_status hol__assemble(hol_data *data, const hol__kernel_options *options, double tolerance,
                         double *moved) {
    const hol_model *m = data->model;
    assembly s = {.data = data, .tolerance = tolerance};
    hol__arena_init(&s.arena, data->ctx);
    hol_status status = allocate(&s) ? HOL_OK : HOL_ERR_MEMORY;
    *moved = 0;
    if (!status) {
        set_weights(&s);
        memcpy(s.q0, data->q, sizeof(double) * (size_t)m->nq);
        s.D = data->A;
        s.D.rows = m->mh;
        status = hol__kernel_new(data->ctx, hol__kernel_get(0), &s.W, &s.D, options, &s.kernel);
    }
    if (!status && m->mh) status = assemble_positions(&s);
    if (!status) *moved = distance_moved(&s);
    if (!status && m->m > m->mh) {
        hol__kernel_free(s.kernel);
        status = hol__kernel_new(data->ctx, hol__kernel_get(0), &s.W, &data->A, options, &s.kernel);
    }
    if (!status) status = assemble_velocities(&s);
    hol__kernel_free(s.kernel);
    hol__arena_free(&s.arena);
    return status;
}

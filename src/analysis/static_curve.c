/* static_curve.c: predictor and corrector along a curve of equilibria. See static_curve.h. */
#include "analysis/static_curve.h"

#include "analysis/static_contact.h"
#include "analysis/static_rest.h"
#include "analysis/steady.h"
#include "model/path.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_POINTS = 400, MAX_CORRECTIONS = 10, MAX_LOCATE = 40 };

static const double first_step = 0.01, most_step = 0.04, least_step = 1e-7;
static const double difference = 1e-5; /* of the range, for derivatives by the parameter */
static const double corrected = 1e-11; /* |f| over the largest force at a point */
static const double turned = 0.95;     /* cosine between the tangents of neighbours, at least */
static const double along = 1e-3;      /* share of g along e, above which it is a limit point … */
static const double nothing = 1e-7; /* … where the whole range makes this share of the forces */

/* One point, and what is known of the curve there. */
typedef struct stand {
    hol__static_case at;
    hol_context *ctx; /* of the case: its messages are not the caller's */
    double p;
    double *g, *t;  /* n, n: dp's force; tangent along the motions, with t_p of length 1 */
    double *w, *tu; /* nv: F + K u_p; Z t */
    double *e;      /* n: scratch */
    double t_p;
    hol__rest *rest;
    double *room;
} stand;

typedef struct curve {
    hol_context *ctx;
    hol_spec *spec;
    const hol__curve_options *options;
    char path[256];
    double span, length;
    stand now, next;
    int stepped; /* there is a point before this one: the tangent goes on from it */
} curve;

static void leave(stand *s) {
    hol__rest_free(s->rest);
    if (s->ctx) hol__release(s->ctx, s->room);
    hol__static_case_close(&s->at);
    hol_context_free(s->ctx);
    *s = (stand){.p = 0};
}

/* The parameter gets a value in the description of the curve. */
static hol_status set_parameter(curve *c, double p) {
    char text[64];
    hol__print(text, sizeof text, "%.17g", p);
    return hol_spec_set(c->spec, c->path, text, "--vary");
}

/* Room for the vectors of a stand. */
static int give_room(stand *s) {
    const hol_model *m = s->at.data->model;
    s->room = hol__alloc(s->ctx, 5 * (size_t)m->nv + 5, sizeof(double));
    if (!s->room) return 0;
    s->g = s->room;
    s->t = s->g + m->nv + 1;
    s->w = s->t + m->nv + 1;
    s->tu = s->w + m->nv + 1;
    s->e = s->tu + m->nv + 1;
    return 1;
}

/* A stand at p with the numbers of another, moved by u (may be NULL), joints closed. */
static hol_status stand_like(curve *c, const stand *from, double p, const double *u, stand *s) {
    *s = (stand){.p = p, .ctx = hol__context_like(c->ctx)};
    hol_status status = s->ctx ? set_parameter(c, p) : HOL_ERR_MEMORY;
    if (!status) status = hol__static_case_like(&from->at, s->ctx, c->spec, &s->at);
    if (!status && !give_room(s)) status = HOL_ERR_MEMORY;
    if (!status && u) status = hol__static_shift(s->at.system, u);
    if (status) leave(s);
    return status;
}

/* Q - M a - A^T lambda, and Phi behind it, of the numbers of a stand at another value of p. */
static hol_status values_at(curve *c, const stand *from, double p, double weight, double *out) {
    stand s;
    hol_status status = stand_like(c, from, p, NULL, &s);
    if (status) return status;
    hol_data *data = s.at.data;
    const hol_model *m = data->model;
    status = hol__static_evaluate(s.at.system);
    if (!status) {
        hol__csr_mul_t_add(&data->A, -weight, from->at.system->lambda, out);
        for (int i = 0; i < m->nv; i++) out[i] += weight * s.at.system->load[i];
        for (int i = 0; i < m->mh; i++) out[m->nv + i] += weight * data->Phi[i];
    }
    leave(&s);
    return status;
}

/* w = F + K u_p and g at a stand, by central differences, or towards one side where the model does
 * not go to the other. */
static hol_status find_drive(curve *c, stand *s) {
    const hol_model *m = s->at.data->model;
    hol__static *sys = s->at.system;
    const double h = difference * c->span;
    const size_t size = (size_t)(m->nv + m->mh) + 1;
    double *value = hol__alloc(s->ctx, 2 * size, sizeof *value), *back = value + size;
    if (!value) return HOL_ERR_MEMORY;
    hol_status status = values_at(c, s, s->p + h, 1, value), other = HOL_OK;
    if (!status) other = values_at(c, s, s->p - h, 1, back);
    double over = 2 * h;
    if (status || other) { /* one side and the point itself */
        if (status && !(status = values_at(c, s, s->p - h, 1, back))) over = h;
        memset(status || over == h ? value : back, 0, sizeof(double) * size);
        if (!status) status = values_at(c, s, s->p, 1, over == h ? value : back);
        over = h;
    }
    for (size_t i = 0; i < size; i++) value[i] = (value[i] - back[i]) / over;
    if (!status) {
        hol__static_lift(sys, value + m->nv, back);
        hol__static_change(sys, back, s->w, NULL);
        for (int i = 0; i < m->nv; i++) s->w[i] += value[i];
        if (sys->n) hol__dense_mul_t(m->nv, sys->n, 1, sys->Z, s->w, 0, s->g);
    }
    hol__release(s->ctx, value);
    return status;
}

/* Directions that nothing holds, and no force either, stay where they are: they get a stiffness in
 * the matrix (n + 1 rows, of size 1). */
static void hold_neutral(curve *c, stand *s, double *a) {
    const hol__rest *rest = c->now.rest;
    hol__static *sys = s->at.system, *there = c->now.at.system;
    const int n = sys->n, nv = sys->model->nv;
    for (int k = 0; rest && rest->n == n && k < n && rest->n_zero; k++) {
        if (rest->value[k] != 0 || rest->imaginary[k] != 0) continue;
        hol__dense_mul(nv, n, 1, there->Z, rest->motion + (size_t)k * (size_t)n, 0, sys->step);
        hol__static_seen(sys, sys->step, s->e);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) a[j * (n + 1) + i] += s->e[i] * s->e[j];
    }
}

/* Solve [H, -g; b^T/L^2, b_p/span^2] (x, dp) = (f, r) in a stand; > 0 where it is singular. */
static hol_status solve_bordered(curve *c, stand *s, const double *b, double b_p, const double *f,
                                 double r, double *x, double *dp) {
    const hol__static *sys = s->at.system;
    const int n = sys->n;
    hol__arena arena;
    hol__arena_init(&arena, s->ctx);
    hol__lu *lu = hol__lu_new(&arena, n + 1);
    double *y = HOL__NEW_N(&arena, double, n + 1);
    hol_status status = lu && y ? HOL_OK : HOL_ERR_MEMORY;
    const double unit = fmax(sys->force, 1e-300), L = c->length; /* rows and columns of size 1 */
    for (int i = 0; i < n && !status; i++) {
        for (int j = 0; j < n; j++) lu->a[j * (n + 1) + i] = sys->H[j * n + i] * L / unit;
        lu->a[n * (n + 1) + i] = -s->g[i] * c->span / unit;
        lu->a[i * (n + 1) + n] = b[i] / L;
        y[i] = f ? f[i] / unit : 0;
    }
    if (!status) {
        lu->a[n * (n + 1) + n] = b_p / c->span;
        y[n] = r;
        hold_neutral(c, s, lu->a);
        status = hol__lu_factor(lu) ? HOL_SINGULAR : HOL_OK;
    }
    if (!status) {
        hol__lu_solve(lu, 0, y);
        for (int i = 0; i < n; i++) x[i] = y[i] * L;
        *dp = y[n] * c->span;
        if (!isfinite(hol__norm(y, n + 1))) status = HOL_SINGULAR;
    }
    hol__arena_free(&arena);
    return status;
}

/* The tangent at a stand, in the sense of (b, b_p), of length 1. */
static hol_status find_tangent(curve *c, stand *s, const double *b, double b_p) {
    hol__static *sys = s->at.system;
    const hol_status status = solve_bordered(c, s, b, b_p, NULL, 1, s->t, &s->t_p);
    if (status) return status;
    const double size = hypot(hol__norm(s->t, sys->n) / c->length, fabs(s->t_p) / c->span);
    for (int i = 0; i < sys->n; i++) s->t[i] /= size;
    s->t_p /= size;
    if (sys->n) hol__dense_mul(sys->model->nv, sys->n, 1, sys->Z, s->t, 0, s->tu);
    return HOL_OK;
}

/* Everything at a stand that is on the curve but the tangent. */
static hol_status finish(curve *c, stand *s) {
    hol_status status = hol__static_stiffness(s->at.system);
    if (!status) status = find_drive(c, s);
    return status ? status : hol__rest_new(s->at.system, &s->rest);
}

/* Back onto the curve across the tangent of `now`, by Newton's method. *count: how many steps. */
static hol_status correct(curve *c, stand *s, int *count) {
    const hol_model *m = c->now.at.data->model; /* all have its sizes */
    double *x = hol__alloc(c->ctx, 3 * (size_t)m->nv + 3, sizeof *x);
    if (!x) return HOL_ERR_MEMORY;
    double *b = x + m->nv + 1, *u = b + m->nv + 1, last = INFINITY;
    hol_status status = HOL_NOT_CONVERGED;
    for (*count = 0; *count < MAX_CORRECTIONS; ++*count) {
        hol__static *sys = s->at.system;
        double dp = 0;
        status = hol__static_evaluate(sys);
        if (!status) status = hol__static_stiffness(sys);
        if (status) break;
        const double off = hol__static_unbalance(sys);
        if (off <= corrected || (off < 100 * corrected && off > 0.5 * last)) break;
        status = HOL_NOT_CONVERGED;
        if (off > 1e3 * last || *count + 1 == MAX_CORRECTIONS) break;
        last = off;
        hol__static_seen(sys, c->now.tu, b);
        status = HOL_OK;
        if (*count)
            status = find_drive(c, s);
        else if (sys->n)
            hol__dense_mul_t(m->nv, sys->n, 1, sys->Z, c->now.w, 0, s->g);
        if (!status) status = solve_bordered(c, s, b, c->now.t_p, sys->f, 0, x, &dp);
        if (status) break;
        if (sys->n) hol__dense_mul(m->nv, sys->n, 1, sys->Z, x, 0, u);
        stand moved;
        hol__static_accept(sys);
        status = stand_like(c, s, s->p + dp, u, &moved);
        if (status) break;
        leave(s);
        *s = moved;
    }
    hol__release(c->ctx, x);
    return status;
}

/* The point at the arc length ds behind `now`, into next. */
static hol_status step_to(curve *c, double ds, int *count) {
    const hol_model *m = c->now.at.data->model;
    double *u = hol__alloc(c->ctx, (size_t)m->nv + 1, sizeof *u);
    if (!u) return HOL_ERR_MEMORY;
    for (int i = 0; i < m->nv; i++) u[i] = ds * c->now.tu[i];
    leave(&c->next);
    hol_status status = stand_like(c, &c->now, c->now.p + ds * c->now.t_p, u, &c->next);
    hol__release(c->ctx, u);
    if (!status) status = correct(c, &c->next, count);
    if (!status && c->next.at.system->n != c->now.at.system->n) status = HOL_RETRY;
    if (!status) {
        hol__static_accept(c->next.at.system);
        status = hol__static_evaluate(c->next.at.system);
    }
    return status ? status : finish(c, &c->next);
}

/* The tangent at next in the sense of the step that led there; *turn: its cosine with it. */
static hol_status go_on(curve *c, double *turn) {
    stand *s = &c->next;
    hol__static *sys = s->at.system;
    const double L2 = c->length * c->length, P2 = c->span * c->span;
    hol__static_seen(sys, c->now.tu, s->t);
    double *b = s->tu; /* free until the tangent is there */
    memcpy(b, s->t, sizeof(double) * (size_t)sys->n);
    const hol_status status = find_tangent(c, s, b, c->now.t_p);
    if (status) return status;
    hol__static_seen(sys, c->now.tu, sys->f); /* f is zero here */
    *turn = s->t_p * c->now.t_p / P2;
    for (int i = 0; i < sys->n; i++) *turn += s->t[i] * sys->f[i] / L2;
    return hol__static_evaluate(sys);
}

/* Tell of a stand. */
static hol_status tell(stand *s, hol__curve_kind kind, const double *motion, hol__curve_fn *fn,
                       void *self) {
    const hol__curve_point point = {.kind = kind,
                                    .p = s->p,
                                    .least = s->rest->n ? s->rest->value[0] : 0,
                                    .negative = s->rest->n_negative,
                                    .at = &s->at,
                                    .motion = motion};
    return fn(self, &point);
}

/* The interval in which a sign changes, by its values and the parameter at the lower end. */
typedef struct bracket {
    double low, high, f_low, f_high, p_low;
} bracket;

/* Where a straight line through both ends is zero. */
static double middle_of(const bracket *b) {
    return (b->low * b->f_high - b->high * b->f_low) / (b->f_high - b->f_low);
}

/* The parameter's part of the tangent at the arc length `at`; p there. */
static hol_status slope_at(curve *c, double at, double *f, double *p) {
    double turn;
    int count;
    hol_status status = step_to(c, at, &count);
    if (!status) status = go_on(c, &turn);
    *f = c->next.t_p;
    *p = c->next.p;
    return status;
}

/* Where two branches cross, the equations say little about p and the tangent: both are taken a
 * quarter of the step to either side, and p changes by half of what the lower tangent says. */
static hol_status bring_crossing(curve *c, double ds) {
    bracket b = {0, ds, c->now.t_p, c->next.t_p, c->now.p};
    const double near = middle_of(&b);
    double ignored;
    int count;
    hol_status status = HOL_OK;
    b.low = fmax(0, near - 0.25 * ds);
    b.high = fmin(ds, near + 0.25 * ds);
    if (b.low > 0) status = slope_at(c, b.low, &b.f_low, &b.p_low);
    if (!status && b.high < ds) status = slope_at(c, b.high, &b.f_high, &ignored);
    if (status) return status;
    const double at = (b.f_low < 0) != (b.f_high < 0) ? middle_of(&b) : near;
    status = step_to(c, at, &count);
    if (status > 0) status = step_to(c, b.low, &count);
    if (!status) c->next.p = b.p_low + 0.5 * b.f_low * (at - b.low);
    return status;
}

/* Eigenvalue k where H is symmetric, else the real one that is nearest to zero: its index. */
static int watched(const stand *s, int k) {
    int at = -1;
    if (s->rest->symmetric) return k;
    for (int i = 0; i < s->rest->n; i++)
        if (s->rest->imaginary[i] == 0 &&
            (at < 0 || fabs(s->rest->value[i]) < fabs(s->rest->value[at])))
            at = i;
    return at < 0 ? k : at;
}

/* Between now and next, ds apart, eigenvalue k changes sign: bring next to where it does. */
static hol_status bring(curve *c, double ds, int k) {
    bracket b = {0, ds, c->now.rest->value[watched(&c->now, k)],
                 c->next.rest->value[watched(&c->next, k)], c->now.p};
    if ((b.f_low < 0) == (b.f_high < 0)) return HOL_RETRY;
    int count, side = 0;
    for (int i = 0; i < MAX_LOCATE && b.high - b.low > 1e-12; i++) {
        const double at = middle_of(&b);
        const hol_status status = step_to(c, at, &count);
        if (status < 0) return status;
        if (status) break;
        const double f = c->next.rest->value[watched(&c->next, k)];
        if (fabs(f) <= 1e-13 * (fabs(b.f_low) + fabs(b.f_high))) return HOL_OK;
        const int lower = (f < 0) == (b.f_low < 0);
        const double ease = side == (lower ? -1 : 1) ? 0.5 : 1; /* Illinois */
        if (lower)
            b.low = at, b.f_low = f, b.f_high *= ease;
        else
            b.high = at, b.f_high = f, b.f_low *= ease;
        side = lower ? -1 : 1;
    }
    return step_to(c, b.low, &count);
}

/* The eigenvalue of a stand that is nearest to zero, of those that hold. */
static int nearest_zero(const stand *s, const stand *before) {
    int at = 0;
    for (int k = 1; k < s->rest->n; k++) {
        const int neutral = k < before->rest->n && before->rest->value[k] == 0;
        if (!neutral && fabs(s->rest->value[k]) < fabs(s->rest->value[at])) at = k;
    }
    return at;
}

/* The limit or bifurcation point between now and next, ds apart, is told; next is lost. */
static hol_status locate(curve *c, double ds, int k, hol__curve_fn *fn, void *self) {
    const hol_status status = k < 0 ? bring_crossing(c, ds) : bring(c, ds, k);
    const stand *s = &c->next;
    if (status) return status;
    const double *e = s->rest->motion + (size_t)(k < 0 ? nearest_zero(s, &c->now) : watched(s, k)) *
                                            (size_t)s->rest->n;
    double drive = 0;
    for (int i = 0; i < s->rest->n; i++) drive += e[i] * s->g[i];
    const int limit = k >= 0 && fabs(drive) > along * hol__norm(s->g, s->rest->n) &&
                      fabs(drive) * c->span > nothing * s->at.system->force;
    return tell(&c->next, limit ? HOL__CURVE_LIMIT : HOL__CURVE_BIFURCATION, e, fn, self);
}

/* next becomes now. */
static void advance(curve *c) {
    leave(&c->now);
    c->now = c->next;
    c->next = (stand){.p = 0};
}

/* The last point, at p exactly, from the positions of next beyond it. */
static hol_status land(curve *c, double p, hol__curve_fn *fn, void *self) {
    stand last;
    hol__equilibrium e = {.method = HOL__STATICS_NEWTON};
    double *none = hol__alloc(c->ctx, (size_t)c->now.at.data->model->nv + 1, sizeof *none);
    if (!none) return HOL_ERR_MEMORY;
    hol_status status = stand_like(c, &c->next, p, none, &last);
    hol__release(c->ctx, none);
    if (status) return status;
    status = hol__equilibrium_find(last.at.system, &e);
    if (!status) status = hol__rest_new(last.at.system, &last.rest);
    if (!status) status = tell(&last, HOL__CURVE_POINT, NULL, fn, self);
    leave(&last);
    return status;
}

/* One step of the curve: next is a point with its tangent, *ds the step that led there. */
static hol_status try_step(curve *c, double *ds) {
    for (; *ds >= least_step; *ds *= 0.5) {
        double turn = 1;
        int count = 0;
        hol_status status = step_to(c, *ds, &count);
        if (!status) status = go_on(c, &turn);
        if (status < 0 && status != HOL_ERR_INPUT && status != HOL_ERR_ARGUMENT) return status;
        if (!status && turn > turned && count < 7) return HOL_OK;
    }
    return HOL_NOT_CONVERGED;
}

/* From the first point on. */
static hol_status follow(curve *c, hol__curve_fn *fn, void *self, hol__curve_end *end) {
    const hol__curve_options *o = c->options;
    const double sense = o->to > o->from ? 1 : -1;
    const int most = o->most > 0 ? o->most : MAX_POINTS;
    double ds = first_step;
    for (int k = 1; k < most; k++) {
        hol_status status = try_step(c, &ds);
        *end = HOL__CURVE_LOST;
        if (status > 0) return HOL_OK;
        if (status) return status;
        const double made = ds, p = c->next.p;
        const int out = sense * (p - o->to) >= 0, back = sense * (p - o->from) < 0;
        const int before = c->now.rest->n_negative, after = c->next.rest->n_negative;
        /* a branch that turns back without a change of stability meets another there */
        const int touches = before == after && (c->now.t_p > 0) != (c->next.t_p > 0);
        /* two real eigenvalues that meet and become complex are no zero of H */
        const int symmetric = c->now.rest->symmetric && c->next.rest->symmetric;
        const int crosses = symmetric ? before != after : (before + after) % 2 != 0;
        if (crosses || touches) {
            status = locate(c, made, touches ? -1 : before < after ? before : after, fn, self);
            if (status > 0) status = HOL_OK; /* the change stands in the curve all the same */
            double turn;
            int count;
            if (!status) status = step_to(c, made, &count);
            if (!status) status = go_on(c, &turn);
            if (status) return status > 0 ? HOL_OK : status;
        }
        *end = out ? HOL__CURVE_REACHED : HOL__CURVE_RETURNED;
        if (out || back) return land(c, out ? o->to : o->from, fn, self);
        status = tell(&c->next, HOL__CURVE_POINT, NULL, fn, self);
        if (status) return status;
        advance(c);
        ds = fmin(1.5 * ds, most_step);
    }
    *end = HOL__CURVE_MANY;
    return HOL_OK;
}

/* Say that a steady motion was found with other velocities than those of the start. */
static hol_status not_of_start(const curve *c) {
    return hol__report(c->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, "statics",
                       "the steady motion that was found at %s = %.6g turns otherwise than the "
                       "start, so that it cannot be followed from there; give the start its "
                       "velocities, or use holonom linearize --vary",
                       c->options->name, c->options->from);
}

/* The first point: an equilibrium at `from`, found as any other; with joints that push all others
 * too. */
static hol_status begin(curve *c, hol__curve_fn *fn, void *self, hol__curve_end *end) {
    const hol__curve_options *o = c->options;
    hol__static_case first = {.ctx = c->ctx};
    hol__equilibrium e = {.method = o->method};
    hol_status status = set_parameter(c, o->from);
    if (!status) status = hol__static_case_open(c->ctx, c->spec, o->time, o->steady, &first);
    if (!status) status = hol__static_case_settle(&first, &e);
    if (!status) status = hol__static_case_check(&first);
    if (!status && o->steady && first.frame->which < 0) status = not_of_start(c);
    if (!status && first.gaps) {
        const hol__sweep sweep = {c->ctx, c->spec, o, c->path, fn, self};
        status = hol__static_sweep(&sweep, &first);
        *end = HOL__CURVE_REACHED;
        hol__static_case_close(&first);
        return status;
    }
    if (!status) {
        c->length = first.model->length;
        stand start = {.at = first, .p = o->from};
        status = stand_like(c, &start, o->from, NULL, &c->now);
    }
    hol__static_case_close(&first);
    if (!status) status = hol__static_evaluate(c->now.at.system);
    if (!status) status = finish(c, &c->now);
    if (!status) {
        memset(c->now.t, 0, sizeof(double) * (size_t)(c->now.at.system->n + 1));
        double *b = c->now.tu;
        memset(b, 0, sizeof(double) * (size_t)(c->now.at.system->n + 1));
        status = find_tangent(c, &c->now, b, o->to > o->from ? c->span : -c->span);
    }
    return status ? status : tell(&c->now, HOL__CURVE_POINT, NULL, fn, self);
}

hol_status hol__static_curve(hol_context *ctx, const hol_spec *spec,
                             const hol__curve_options *options, hol__curve_fn *fn, void *self,
                             hol__curve_end *end) {
    curve c = {.ctx = ctx, .options = options, .span = fabs(options->to - options->from)};
    *end = HOL__CURVE_LOST;
    if (!(c.span > 0) || !isfinite(c.span))
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, options->name,
                           "the range of the parameter is empty; write --vary %s=FROM:TO with two "
                           "different numbers",
                           options->name);
    const char *key = "";
    c.spec = hol_spec_copy(ctx, spec);
    hol_status status = c.spec ? hol__path_parameter(c.spec, options->name, &key) : HOL_ERR_MEMORY;
    snprintf(c.path, sizeof c.path, "parameters.%.200s", key);
    if (!status) status = begin(&c, fn, self, end);
    if (!status && c.now.ctx) status = follow(&c, fn, self, end);
    if (status > 0)
        status = hol__report(ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, "statics",
                             "the curve over '%s' cannot be followed from %.6g", options->name,
                             options->from);
    leave(&c.next);
    leave(&c.now);
    hol_spec_free(c.spec);
    return status;
}

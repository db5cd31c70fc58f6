/* event.c: instants at which a condition changes: stop_when, when joints and forces act, and where
 * laws have corners.
 *
 * One list of watched functions with their roles. After a step across which one of them changes,
 * the first instant is found on the interpolant.
 *
 *   conditions   the step is taken again so that it ends at that instant, with its correction, and
 *                the state is a true point of the integration. What changes is decided on the
 *                interpolant at the end of the bisection and not asked again at that instant: there
 *                a condition is zero but for rounding.
 *   corners      (corners.c) the step is taken again up to just before the instant, with the error
 *                test of every step, so that no stage that counts has seen the other side. The next
 *                step is a very short one that leads over it: a jump of f enters the state with
 *                that length only, whatever the formula, and f at its end is the one behind.
 */
#include "sim/sim.h"

#include <math.h>

/* Instants are found to this, relative to the time. */
static const double resolution = 1e-14;

/* In units of it: steps that are no longer are not made shorter to tell on which side they end; and
 * how long what an event has decided stays so. */
enum { SHORT = 16, MOMENT = 100 };

/* Changes within one step that are looked for, from the last to the first. */
enum { LOOKS = 100 };

double hol__sim_same_instant(double t) {
    return resolution * fmax(1, fabs(t));
}

/* Whether a watched expression is positive at the measures in data (NaN counts as not
 * positive). */
static int is_positive(hol_sim *sim, const hol__watch *w) {
    return hol__expr_value(w->e, sim->data->inputs, sim->switching.scratch) > 0;
}

/* Whether a change from `positive` to `now` decides something. */
static int decides(const hol_sim *sim, const hol__watch *w, int now) {
    if (now == w->positive || w->decided) return 0;
    if (w->role == HOL__WATCH_EVENT) return hol__events_may(sim, w->element, now);
    const int off = w->element >= 0 && sim->switching.off[w->element];
    switch (w->role) {
    case HOL__WATCH_STOP: return now;
    case HOL__WATCH_WHEN: return 1;
    case HOL__WATCH_UNTIL: return now && !off;
    case HOL__WATCH_FROM: return now && off;
    default: return 0;
    }
}

/* Whether the condition of an event stays as it was decided: right behind the instant its number is
 * zero but for rounding. */
static int is_held(const hol_sim *sim, const hol__watch *w) {
    const double t = sim->data->t;
    return w->role == HOL__WATCH_EVENT && !sim->whole->events[w->element].discrete &&
           t - sim->events.last[w->element] <= MOMENT * hol__sim_same_instant(t);
}

/* Whether a watched expression is positive, as it was where it differs by what a joint holds. */
static int sign_of(hol_sim *sim, const hol__watch *w) {
    const int now = is_positive(sim, w);
    return now != w->positive && hol__resting_holds(sim, w->e) ? w->positive : now;
}

/* While it does, its numbers are those at the start of the step: nothing of it is crossed. */
static void hold_numbers(hol_sim *sim, const hol__watch *w) {
    const hol__corners *c = &sim->corners;
    const int first = hol__expr_first_recorded(w->e), n = hol__expr_recorded(w->e);
    for (int i = first; c->n > c->n_model && i < first + n; i++)
        *hol__recorded(sim->switching.scratch, i) = c->samples[0][c->n_model + i];
}

/* Read all watches at the state in data, solved; *any: one of them decides something. */
static hol_status read_watches(hol_sim *sim, int *any) {
    hol__switching *s = &sim->switching;
    *any = 0;
    if (s->n_watches) hol__measure_all(sim->data, NULL);
    for (int i = 0; i < s->n_watches; i++) {
        hol__watch *w = &s->watches[i];
        const int held = is_held(sim, w);
        w->now = held ? w->positive : sign_of(sim, w);
        if (held) hold_numbers(sim, w);
        *any |= decides(sim, w, w->now);
    }
    const hol_status status = s->n_slots ? hol__rigid_changed(sim, &s->touch_now) : HOL_OK;
    *any |= s->touch_now;
    return status;
}

/* The forces at the state in data, and what follows from them where conditions may read it. */
static hol_status evaluate(hol_sim *sim) {
    return sim->switching.n_watches || sim->switching.n_slots
               ? hol__form_solve(&sim->form)
               : hol_data_update(sim->data, HOL_STAGE_DYN);
}

hol_status hol__sim_read_at(hol_sim *sim, double t, int *any) {
    *any = 0;
    hol_status status = hol__integrator_dense(sim->integ, t, sim->y);
    if (!status) status = hol__form_unpack(&sim->form, t, sim->y);
    if (!status) status = evaluate(sim);
    if (!status) status = read_watches(sim, any);
    if (status) return status;
    *any |= hol__corners_read(sim);
    return HOL_OK;
}

/* What was read holds at the end of the interval. */
static void keep_high(hol__switching *s) {
    for (int i = 0; i < s->n_watches; i++) s->watches[i].at_high = s->watches[i].now;
    s->touch_high = s->touch_now;
}

/* What holds at one end of the bracket: the corners into out. */
static void keep_end(const hol_sim *sim, double *out) {
    for (int i = 0; i < sim->corners.n; i++) out[i] = sim->corners.now[i];
}

/* The next time to look at between low and high: where the corner that changes is expected to, by
 * its depths f at both ends, or half-way. */
static double between(double low, double high, const double f[2], int half) {
    const double x = low + (high - low) * f[0] / (f[0] - f[1]);
    return half || !(x > low && x < high) ? 0.5 * (low + high) : x;
}

/* Narrow the bracket in which the first change lies; nothing has changed at *low, and something has
 * at *high, which is what was read last. A secant that keeps moving the same end has the weight of
 * the other halved. */
static hol_status narrow(hol_sim *sim, double *low, double *high) {
    hol__corners *c = &sim->corners;
    const int first = hol__corners_changed(sim, c->high);
    double f[2] = {1, -1};
    if (first >= 0)
        f[0] = hol__corners_depth(sim, first, c->low[first]),
        f[1] = hol__corners_depth(sim, first, c->high[first]);
    int side = -1;
    for (int i = 0; i < 100 && *high - *low > hol__sim_same_instant(*high); i++) {
        int any;
        const double t = between(*low, *high, f, first < 0 || i > 12 || i % 4 == 3);
        const hol_status status = hol__sim_read_at(sim, t, &any);
        if (status) return status;
        *(any ? high : low) = t;
        keep_end(sim, any ? c->high : c->low);
        if (any) keep_high(&sim->switching);
        if (first >= 0) f[any] = hol__corners_depth(sim, first, c->now[first]);
        if (side == any) f[!any] *= 0.5;
        side = any;
    }
    return HOL_OK;
}

/* What follows from the signs at_high: the end of the run, or another set of elements that act. */
static void decide(hol_sim *sim) {
    hol__switching *s = &sim->switching;
    for (int i = 0; i < s->n_watches; i++) {
        hol__watch *w = &s->watches[i];
        if (decides(sim, w, w->at_high)) {
            /* what variables decide is exact, and may be asked again */
            w->decided = w->role != HOL__WATCH_EVENT || !sim->whole->events[w->element].discrete;
            if (w->role == HOL__WATCH_STOP)
                sim->end = HOL_END_STOP;
            else if (w->role == HOL__WATCH_EVENT)
                s->fired = sim->events.fired[w->element] = 1;
            else {
                s->fired = 1;
                s->next[w->element] =
                    w->role == HOL__WATCH_WHEN ? !w->at_high : w->role == HOL__WATCH_UNTIL;
            }
        }
        w->positive = w->at_high;
    }
    if (s->touch_high) s->fired = s->resolve = 1;
    s->touch_high = 0;
    if (sim->end == HOL_END_STOP) s->fired = 0;
}

/* Whether a condition decides something at the end of the bracket. */
static int conditions_decide(const hol_sim *sim) {
    const hol__switching *s = &sim->switching;
    for (int i = 0; i < s->n_watches; i++)
        if (decides(sim, &s->watches[i], s->watches[i].at_high)) return 1;
    return s->touch_high;
}

/* The step again, up to t: with the error test where there is one, and then it may end before. */
static hol_status shorten(hol_sim *sim, double t) {
    if (sim->options[HOL__OPT_STEP] > 0 || sim->crossing.active)
        return hol__integrator_retake(sim->integ, t);
    hol__integrator_undo(sim->integ);
    return hol__crossing_step(sim, t, t);
}

/* How far behind the start of a step a corner lies right behind it. */
static double leap_limit(double t) {
    return 1e-9 * fmax(1, fabs(t));
}

/* From the start of the step over the corner that lies right behind it, by the shortest step that
 * does, and at most to `end`, where the step was to end; *over: it was found. */
static hol_status leap_over(hol_sim *sim, double high, double end, int *over) {
    const double t = hol__integrator_old_time(sim->integ), most = leap_limit(t);
    double to = t;
    *over = 0;
    for (double h = fmax(high - t, hol__sim_same_instant(t)); h <= most && to < end && !*over;
         h *= 4) {
        to = fmin(t + h, end);
        hol__integrator_undo(sim->integ);
        hol_status status = hol__integrator_leap(sim->integ, to);
        if (!status) status = hol__sim_read_at(sim, hol__integrator_time(sim->integ), over);
        if (status) return status;
    }
    sim->corners.leapt = *over;
    return HOL_OK;
}

/* Where the corner that has changed at the end of the step, read last, is crossed, by its depths at
 * the start and there; a little before. */
static double expected(hol_sim *sim, double t_old, double t_end) {
    hol__corners *c = &sim->corners;
    keep_end(sim, c->high);
    const int i = hol__corners_changed(sim, c->high);
    const double f0 = hol__corners_depth(sim, i, c->samples[0][i]),
                 f1 = hol__corners_depth(sim, i, c->high[i]), x = f0 / (f0 - f1);
    return t_old + (t_end - t_old) * (x > 0 && x < 0.9 ? (1 - 1e-6) * x : 0.5);
}

/* The step again so that it ends before the corner; *before: it does. The interpolant may be far
 * off where the force behind the corner is large; the end of a step that does not reach it is
 * not. */
static hol_status land_before(hol_sim *sim, double low, int *before) {
    const double t_old = hol__integrator_old_time(sim->integ),
                 gap = 4 * hol__sim_same_instant(t_old);
    *before = 0;
    for (int i = 0; i < 60 && !*before && low - t_old > gap; i++) {
        int any;
        hol_status status = shorten(sim, low);
        const double t = hol__integrator_time(sim->integ);
        if (!status) status = hol__sim_read_at(sim, t, &any);
        if (status) return status;
        *before = hol__corners_changed(sim, sim->corners.now) < 0;
        if (!*before) low = expected(sim, t_old, t);
    }
    return HOL_OK;
}

/* End the step before the corner in the bracket, or lead it over one that lies at its start. */
static hol_status meet_corner(hol_sim *sim, double low, double high) {
    const double t_old = hol__integrator_old_time(sim->integ),
                 end = hol__integrator_time(sim->integ), moment = 16 * hol__sim_same_instant(t_old);
    const int first = hol__corners_changed(sim, sim->corners.high);
    int done = 0;
    sim->corners.met = 1;
    hol_status status = land_before(sim, low, &done);
    /* right behind an event its number is rounding: a step that does not change it would be made
     * again and again, while velocities turn round */
    if (done && first >= 0 && low - t_old <= leap_limit(t_old) &&
        sim->corners.now[first] == sim->corners.samples[0][first])
        done = 0;
    if (!status && !done) status = leap_over(sim, fmin(high, t_old + moment), end, &done);
    if (status || done) return status;
    sim->corners.met = 0; /* it was touched and not crossed */
    hol__integrator_undo(sim->integ);
    return hol__crossing_step(sim, end, end);
}

/* What holds at the start of the bracket; where something has changed there already it ends there,
 * and begins with the step. */
static hol_status read_low(hol_sim *sim, double *low, double *high) {
    hol__corners *c = &sim->corners;
    const double t_old = hol__integrator_old_time(sim->integ);
    int any = 0;
    if (*low > t_old) {
        const hol_status status = hol__sim_read_at(sim, *low, &any);
        if (status) return status;
        keep_end(sim, c->low);
        if (!any) return HOL_OK;
        *high = *low;
        *low = t_old;
    }
    for (int i = 0; i < c->n; i++) c->low[i] = c->samples[0][i];
    return HOL_OK;
}

/* A change within the step that was made, up to `end`: *low and *high are the same where there is
 * none. */
static hol_status find_before(hol_sim *sim, double end, double *low, double *high) {
    hol__corners *c = &sim->corners;
    int any;
    *low = *high = hol__integrator_old_time(sim->integ);
    c->end = end;
    hol_status status = c->n ? hol__corners_bracket(sim, low, high) : HOL_OK;
    if (!status) status = read_low(sim, low, high);
    const double t = *high > *low ? *high : end;
    if (!status) status = hol__sim_read_at(sim, t, &any);
    if (status) return status;
    keep_high(&sim->switching);
    keep_end(sim, c->high);
    *high = any ? t : *low;
    return any ? narrow(sim, low, high) : HOL_OK;
}

/* What holds at the end of the bracket, again. */
static hol_status read_high(hol_sim *sim, double high) {
    int any;
    const hol_status status = hol__sim_read_at(sim, high, &any);
    keep_high(&sim->switching);
    keep_end(sim, sim->corners.high);
    return status;
}

/* The first change within the step: before one that was found another may come and go. */
static hol_status find_change(hol_sim *sim, double *low, double *high) {
    const double t_old = hol__integrator_old_time(sim->integ);
    hol_status status = find_before(sim, hol__integrator_time(sim->integ), low, high);
    for (int i = 0; i < LOOKS && !status && sim->corners.n && *high > *low && *low > t_old; i++) {
        double first = t_old, last = t_old;
        status = find_before(sim, *low, &first, &last);
        if (!status && !(last > first)) return read_high(sim, *high);
        *low = first, *high = last;
    }
    return status;
}

/* The end of the step as it is now: corners, and conditions where they were not decided. */
static hol_status read_end(hol_sim *sim, int conditions) {
    int any;
    const hol_status status = hol__sim_read_at(sim, hol__integrator_time(sim->integ), &any);
    if (status) return status;
    if (conditions) keep_high(&sim->switching);
    hol__corners_crossed(sim);
    hol__corners_accept(sim);
    return HOL_OK;
}

/* The step was made again up to an instant that the interpolant gave; events whose conditions have
 * not become true at its end wait for a further step, from here. */
static hol_status confirm(hol_sim *sim) {
    hol__switching *s = &sim->switching;
    const double t = hol__integrator_time(sim->integ), t_old = hol__integrator_old_time(sim->integ);
    int any;
    if (!sim->events.n || t - t_old <= SHORT * hol__sim_same_instant(t)) return HOL_OK;
    const hol_status status = hol__sim_read_at(sim, t, &any);
    for (int i = 0; i < s->n_watches && !status; i++)
        if (s->watches[i].role == HOL__WATCH_EVENT) s->watches[i].at_high = s->watches[i].now;
    return status;
}

/* The step was made again up to an instant at which the interpolant meets a contact. Its end is
 * more exact than that: where it lies deeper in the contact than steps explain, it is made shorter,
 * by the depths at its start and end. One that ends before the contact leaves it to the next step,
 * which begins there. */
static hol_status surface(hol_sim *sim) {
    enum { MOST = 60 };
    const double t_old = hol__integrator_old_time(sim->integ);
    hol_status status = HOL_OK;
    for (int i = 0; i < MOST && sim->switching.n_slots; i++) {
        int any;
        const double t = hol__integrator_time(sim->integ);
        status = hol__sim_read_at(sim, t, &any);
        const int deepest = status ? -1 : hol__rigid_too_deep(sim, sim->corners.now);
        if (deepest < 0 || !(sim->corners.samples[0][deepest] < 0)) break;
        const double f0 = sim->corners.samples[0][deepest], f1 = sim->corners.now[deepest],
                     sooner = t_old + (t - t_old) * f0 / (f0 - f1);
        if (!(sooner > t_old && sooner < t)) break;
        status = hol__integrator_retake(sim->integ, sooner);
        if (!status) status = hol__sim_read_at(sim, sooner, &any);
        if (status) break;
        keep_high(&sim->switching);
    }
    return status;
}

/* The step again, up to where something is decided. *sooner: no iteration converges there (what
 * slides in space has no direction where it stops); the step ends half-way, and nothing is known of
 * it yet. */
static hol_status retake(hol_sim *sim, double high, int *sooner) {
    const double t_old = hol__integrator_old_time(sim->integ),
                 middle = t_old + 0.5 * (high - t_old);
    const int may = !(sim->options[HOL__OPT_STEP] > 0) && !sim->crossing.active &&
                    middle - t_old > SHORT * hol__sim_same_instant(t_old);
    hol_status status = may ? hol__integrator_try_retake(sim->integ, high)
                            : hol__integrator_retake(sim->integ, high);
    *sooner = may && status > 0;
    if (*sooner) return hol__crossing_step(sim, middle, middle);
    if (!status) status = surface(sim);
    return status ? status : confirm(sim);
}

hol_status hol__sim_end_of_step(hol_sim *sim) {
    double low, high;
    hol_status status;
    int sooner, changes, decided, corner;
    sim->corners.met = sim->corners.leapt = 0;
    do {
        sooner = 0;
        status = find_change(sim, &low, &high);
        changes = !status && high > low, decided = changes && conditions_decide(sim);
        corner = decided && hol__corners_changed(sim, sim->corners.high) >= 0;
        if (decided && high < hol__integrator_time(sim->integ))
            status = retake(sim, high, &sooner);
        else if (changes && !decided)
            status = meet_corner(sim, low, high);
    } while (!status && sooner);
    if (!status && sim->corners.n) status = read_end(sim, changes && !decided);
    if (!status) decide(sim);
    sim->switching.jumped = sim->switching.fired && (corner || sim->corners.leapt);
    return status;
}

hol_status hol__sim_read_corners(hol_sim *sim) {
    if (!sim->corners.n) return HOL_OK;
    int ignore;
    hol_status status = evaluate(sim);
    if (!status) status = read_watches(sim, &ignore);
    if (status) return status;
    /* those of conditions that stay as they were decided, too, are the numbers of this state */
    for (int i = 0; i < sim->switching.n_watches; i++) is_positive(sim, &sim->switching.watches[i]);
    hol__corners_start(sim);
    return hol__resting_read(sim);
}

hol_status hol__sim_read_again(hol_sim *sim, int touches) {
    hol__switching *s = &sim->switching;
    int ignore;
    hol_status status = hol__form_solve(&sim->form);
    if (!status) status = read_watches(sim, &ignore);
    if (status) return status;
    s->touch_high = touches && s->touch_now;
    for (int i = 0; i < s->n_watches; i++)
        s->watches[i].at_high = s->watches[i].decided ? s->watches[i].positive : s->watches[i].now;
    decide(sim);
    return HOL_OK;
}

void hol__sim_next_instant(hol_sim *sim) {
    for (int i = 0; i < sim->switching.n_watches; i++) sim->switching.watches[i].decided = 0;
}

hol_status hol__sim_first_reading(hol_sim *sim) {
    hol__switching *s = &sim->switching;
    hol__sim_next_instant(sim);
    for (int i = 0; i < 2 * s->n_elements; i++) s->last[i] = -INFINITY;
    for (int i = 0; i < sim->events.n; i++)
        sim->events.last[i] = -INFINITY, sim->events.fired[i] = 0;
    for (int i = 0; sim->events.n && i < sim->whole->n_joints; i++)
        sim->events.rests[i] = sim->events.holds[i] = 0;
    if (!s->n_watches && !s->n_slots) return HOL_OK;
    int ignore;
    hol_status status = hol__form_solve(&sim->form);
    if (!status) status = read_watches(sim, &ignore);
    if (status) return status;
    s->touch_high = s->n_slots > 0;
    for (int i = 0; i < s->n_watches; i++) {
        hol__watch *w = &s->watches[i];
        w->at_high = w->now;
        w->positive = w->role == HOL__WATCH_WHEN ? !s->off[w->element] : w->now;
    }
    decide(sim);
    return HOL_OK;
}

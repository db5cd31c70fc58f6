/* pace.c: when independent coordinates are exchanged under integrators with a history of steps.
 *
 * A change costs the history: the formula begins anew with order 1 and short steps. Coordinates
 * that are worse than the watch wants them (strain > 1, dyn/completion.h) cost speed, because
 * errors are counted by what they make of the others, and the equations become steep. Neither is
 * known beforehand; both are measured, in evaluations.
 *
 * Cost of a fresh start. With E evaluations and the time T since then, E(T) becomes a straight line
 * once the order and the step no longer grow, and the cost C is where that line meets T = 0. The
 * slope is looked at each time E has doubled: the start is over when it has not fallen any more. C
 * is the mean over the starts of the run, of which its beginning is the first.
 *
 * Loss. Against the pace p of the last stretch of at least C evaluations with strain <= 1, of the
 * last C to 2 C of them,
 *
 *     L = sum (evaluations - p h)       over the steps with strain > 1, not below 0
 *
 * The change comes when L > C. Whatever follows, the run has then spent at most twice what it would
 * have spent had it known whether to change when the coordinates became worse: it has lost C, and
 * pays C; had they become good again before, it would have lost less than C and paid nothing.
 *
 * Before that where they would fail: 1/strain falls to zero there, and linearly near it. The change
 * comes where the straight line through the last two looks reaches zero within the step that is
 * wanted next, up to what the line was off at the last look. While nothing has been measured, and
 * where the history is lost anyway, the watch decides alone.
 */
#include "sim/sim.h"

#include <math.h>

void hol__pace_start(hol_sim *sim, int first) {
    hol__pace *p = &sim->pace;
    const hol__pace was = first ? (hol__pace){.on = p->on} : *p;
    *p = (hol__pace){.on = was.on, .cost = was.cost, .measured = was.measured};
    p->slack = p->drop = NAN;
    p->t = sim->data->t;
    p->evaluations = sim->form.evaluations;
    p->starts = hol__integrator_stats(sim->integ).starts;
}

/* Evaluations a second between two marks. */
static double slope(const hol__course *from, const hol__course *to) {
    return (to->evaluations - from->evaluations) / (to->time - from->time);
}

/* A step on the way from a fresh start. */
static void follow_start(hol__pace *p, double evaluations, double h) {
    p->start.evaluations += evaluations;
    p->start.time += h;
    if (p->start.evaluations < 2 * p->mark.evaluations) return;
    const int over =
        p->before.time > 0 && slope(&p->mark, &p->start) >= slope(&p->before, &p->mark);
    if (!over) {
        p->before = p->mark;
        p->mark = p->start;
        return;
    }
    const double line = slope(&p->before, &p->mark);
    const double cost = fmax(0, p->mark.evaluations - line * p->mark.time);
    p->cost += (cost - p->cost) / (double)++p->measured;
    p->starting = 0;
    p->good = (hol__course){0, 0};
}

/* A step with coordinates as the watch wants them: its part in the pace, and nothing is lost. */
static void follow_good(hol__pace *p, double evaluations, double h) {
    p->lost = 0;
    p->good.evaluations += evaluations;
    p->good.time += h;
    if (p->good.evaluations < p->cost) return;
    p->per_second = p->good.evaluations / p->good.time;
    if (p->good.evaluations < 2 * p->cost) return;
    p->good.evaluations /= 2;
    p->good.time /= 2;
}

/* A step with worse ones: whether more is lost than a change costs. */
static int follow_worse(hol__pace *p, double evaluations, double h) {
    p->good = (hol__course){0, 0};
    p->lost = fmax(0, p->lost + evaluations - p->per_second * h);
    return !p->measured || !(p->per_second > 0) || p->lost > p->cost;
}

/* Whether the coordinates would fail within a step of length `next`, as the last two looks say. */
static int is_about_to_fail(hol__pace *p, double strain, double h, double next) {
    const double slack = 1 / strain, rate = (slack - p->slack) / h;
    const double off = isnan(p->drop) ? 0 : fabs(slack - p->slack - p->drop * h);
    const int fails = slack + rate * next <= off;
    p->slack = slack;
    p->drop = rate;
    return fails && strain > 1;
}

/* The first step of a fresh start. */
static void begin(hol__pace *p, const hol__paced_step *step) {
    p->starting = 1;
    p->slack = p->drop = NAN;
    p->start = p->mark = (hol__course){step->evaluations, step->h};
    p->before = (hol__course){0, 0};
}

int hol__pace_step(hol__pace *p, const hol__paced_step *step) {
    int over = 0;
    if (step->fresh)
        begin(p, step);
    else if (p->starting)
        follow_start(p, step->evaluations, step->h);
    else if (step->strain <= 1)
        follow_good(p, step->evaluations, step->h);
    else
        over = follow_worse(p, step->evaluations, step->h);
    if (is_about_to_fail(p, step->strain, step->h, step->next)) over = 1;
    if (over) p->lost = 0;
    return over;
}

int hol__pace_is_over(hol_sim *sim) {
    hol__pace *p = &sim->pace;
    const long starts = hol__integrator_stats(sim->integ).starts;
    const hol__paced_step step = {.h = sim->data->t - p->t,
                                  .next = hol__integrator_wanted(sim->integ),
                                  .evaluations = (double)(sim->form.evaluations - p->evaluations),
                                  .strain = sim->form.completion->strain,
                                  .fresh = starts != p->starts};
    if (!(step.h > 0)) return 0;
    p->t = sim->data->t;
    p->evaluations = sim->form.evaluations;
    p->starts = starts;
    return hol__pace_step(p, &step);
}

void hol__pace_walk(hol_sim *sim, hol__archive *archive) {
    hol__pace p = sim->pace;
    HOL__ARCHIVE(archive, p);
    sim->pace = p;
}

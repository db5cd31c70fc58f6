/* certify_verdict.c: whether what is judged has the digits that are asked for; else what is in the
 * way, as far as the runs tell, and what to try.
 *
 * In this order: fewer than two witnesses; a witness that differs by more than it says of itself
 * (there is no voting); an energy that does not close, a constant that is none; an answer that has
 * too few digits itself; and at last the run that is judged.
 */
#include "analysis/certify.h"

#include "base/text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SAY(where, ...) hol__print((where), sizeof(where), __VA_ARGS__)

/* "null space in natural coordinates with radau9" */
typedef struct label {
    char text[160];
} label;

static label name_of(const hol__run *run) {
    label l;
    if (run->with.as_asked || !run->with.family)
        SAY(l.text, "the run as asked for (%s, %s, %s)", run->method, run->coordinates,
            run->integrator);
    else
        SAY(l.text, "%s (%s, %s, %s)", run->with.family, run->method, run->coordinates,
            run->integrator);
    return l;
}

static const char *column(const hol__certify *c, int j) {
    return j >= 0 ? c->model->columns[j].name : "the motion";
}

/* The last singular position that one of the runs met up to a time, a tenth of the span before it
 * at most; NaN: none. */
static double crossed_before(const hol__certify *c, double t) {
    const hol__grid *g = &c->grid;
    const double reach = (g->end - g->start) / 10 + g->interval;
    double last = NAN;
    for (int k = -1; k < c->n; k++) {
        const hol__run *run = k < 0 ? &c->judged : &c->witness[k].fine;
        for (long i = 0; i < run->crossings && i < 8; i++)
            if (run->crossed[i] <= t + g->interval && run->crossed[i] >= t - reach &&
                !(run->crossed[i] < last))
                last = run->crossed[i];
    }
    return last;
}

/* Whether growth of rounding errors alone takes the digits that are asked for: a unit of the last
 * place in each step of the answer, grown; and the motion, more than the steps, is to blame. */
static int is_sensitive(const hol__certify *c) {
    const double steps = c->answer >= 0 ? (double)c->witness[c->answer].fine.steps : 0;
    return c->growth.known && c->growth.most > 1e3 &&
           c->growth.most * DBL_EPSILON * fmax(steps, 1) > c->share;
}

/* What the growth is, in words. */
static void tell_growth(const hol__certify *c, char *out, size_t size) {
    const hol__growth *w = &c->growth;
    if (w->exponential)
        hol__print(out, size,
                   "neighbouring motions part exponentially, at %.3g 1/s (ten times every %.3g s): "
                   "the motion is chaotic, or passes close to an unstable one",
                   w->rate, log(10) / w->rate);
    else
        hol__print(out, size, "differences grow %.2g times over the run", w->most);
}

/* ---- witnesses ---- */

static int lack_witnesses(hol__certify *c) {
    if (c->n_counted >= 2) return 0;
    SAY(c->verdict, "refused: %d of the runs by other equations reached the end; two are needed",
        c->n_counted);
    SAY(c->cause, "%s",
        c->notes ? c->note[0] : "the mechanism has elements that the other methods do not take");
    SAY(c->attempt, "a shorter span (--end), or a looser tolerance (--digits)");
    return 1;
}

/* What rounding alone may make of a run: a unit of the last place of its state in every step,
 * grown; what iterations leave in every step; or what it is seen to make of the runs themselves,
 * as a share of the size of a column. One sample of a random number is within a factor of
 * ten of another's in 9 of 10 cases, and the largest over many instants nearly always. */
static double rounding_of(hol__certify *c, hol__witness *w, int column, int singular) {
    static const double iterations = 1e-14; /* newton.c, ROUNDING */
    const double steps = (double)w->fine.steps * fmax(1, c->growth.most);
    /* where branches cross rounding can choose one, which is no excuse */
    if (singular) return steps * iterations;
    return fmax(steps * iterations, 10 * (hol__certify_noise(c, w, column) +
                                          hol__certify_noise(c, &c->witness[c->answer], column)));
}

static int disagree(hol__certify *c) {
    for (int k = 0; k < c->n; k++) {
        hol__witness *w = &c->witness[k];
        if (!w->apart) continue;
        const double t = hol__grid_time(&c->grid, w->apart_row), met = crossed_before(c, t);
        if (w->off <= rounding_of(c, w, w->off_column, !isnan(met))) continue;
        const int joint = w->apart_joint;
        SAY(c->verdict,
            "refused: %s and %s disagree from t = %.6g on, by more than either says of "
            "itself; first in '%s'%s%s%s",
            name_of(&w->fine).text, name_of(&c->witness[c->answer].fine).text, t,
            column(c, w->apart_column), joint >= 0 ? ", and at joint '" : "",
            joint >= 0 ? c->model->joints[joint].name : "", joint >= 0 ? "'" : "");
        if (!isnan(met))
            SAY(c->cause,
                "singular position: branches of the motion cross at t = %.6g, and the "
                "runs left it on different ones, or with different errors",
                met);
        else if (is_sensitive(c))
            tell_growth(c, c->cause, sizeof c->cause);
        else
            SAY(c->cause, "not known: neither a singular position nor growing differences lie "
                          "before it. One of the two is wrong there, or the model is not smooth");
        SAY(c->attempt, "%s",
            !isnan(met) ? "end the run before it (--end), or a tolerance that "
                          "resolves it"
                        : "the same with --end a little before, and with other "
                          "coordinates (--coordinates)");
        return 1;
    }
    return 0;
}

/* ---- energy and constants ---- */

/* What is the largest share that the bound has of a size. */
static double share_of_bound(const hol__certify *c) {
    return pow(10, 0 - hol__certify_fewest(c, c->bound, 0, c->grid.rows).digits);
}

/* Whether the balance stays open in every witness, whatever the tolerance. */
static int stays_open(const hol__certify *c, double *least) {
    const double bound = 100 * share_of_bound(c);
    *least = INFINITY;
    for (int k = 0; k < c->n; k++) {
        const hol__witness *w = &c->witness[k];
        if (!w->counted) continue;
        /* what the tolerance means over all steps of the run (sim/verdict.c) */
        const double e = w->fine.energy_error, limit = fmax(w->fine.energy_limit, bound);
        if (!(e > limit) || (w->coarse.x != w->fine.x && e < 0.5 * w->coarse.energy_error))
            return 0;
        *least = fmin(*least, e);
    }
    return 1;
}

static int energy_fails(hol__certify *c) {
    double least, by = 0, t = 0;
    int force = -1;
    if (!stays_open(c, &least) || hol__certify_find_law(c, &force, &by, &t)) return 0;
    const int found = force >= 0 && by > 1e-6;
    /* impacts and contacts that last no longer than rounding resolves leave a little, and no force
     * to blame */
    if (!found && least < 1e-6) return 0;
    SAY(c->verdict,
        "refused: the runs agree, but the energy balance stays off by %.2g of the energy that "
        "moves under every method, however fine",
        least);
    if (found)
        SAY(c->cause,
            "a force law that is not what its energy says: force '%s', whose power and the rate "
            "of its energy differ by %.2g of the largest power at t = %.6g",
            c->model->forces[force].name, by, t);
    else
        SAY(c->cause, "a law that is not what its energy says, though no single force shows it");
    SAY(c->attempt, "measure energy and power of the forces (type: load) and compare");
    return 1;
}

/* Whether a measured column belongs to a name of the list: itself, or a part of it. */
static int is_named(const char *list, const char *name) {
    const size_t n = strlen(name);
    for (const char *p = list; p && *p; p += strcspn(p, ",")) {
        p += strspn(p, ", ");
        const size_t m = strcspn(p, ", ");
        if (m && m <= n && strncmp(p, name, m) == 0 && (m == n || name[m] == '.')) return 1;
    }
    return 0;
}

static int constant_fails(hol__certify *c) {
    const hol__grid *g = &c->grid;
    for (int j = 0; j < g->n && c->o.conserved; j++) {
        double most = 0, t = 0, bound = 0;
        if (!is_named(c->o.conserved, c->model->columns[j].name)) continue;
        for (int i = 1; i < g->rows; i++) {
            if (!hol__certify_counts(c, i, j)) continue;
            const double d = fabs(c->x[(size_t)i * (size_t)g->width + (size_t)j] - c->x[j]);
            bound = fmax(bound, c->bound[(size_t)i * (size_t)g->n + (size_t)j]);
            if (d > most) most = d, t = hol__grid_time(g, i);
        }
        if (!(most > bound + c->share * c->size[j])) continue;
        SAY(c->verdict,
            "refused: '%s' is said to stay constant and changes by %.4g %s up to "
            "t = %.6g, while the runs agree on it to %.2g",
            c->model->columns[j].name, most, c->model->columns[j].unit, t, bound);
        SAY(c->cause,
            "a force law that is not what this energy says, or one that it leaves out: "
            "the balance of the forces themselves closes to %.2g",
            c->witness[c->answer].fine.energy_error);
        SAY(c->attempt, "compare its terms with the measures energy and load of each force");
        return 1;
    }
    return 0;
}

/* ---- digits ---- */

static int answer_lacks(hol__certify *c) {
    const hol__fewest f = hol__certify_fewest(c, c->bound, 0, c->grid.rows);
    /* of a quick one the bound is the run's own error: what follows finds its cause */
    if (f.digits >= c->digits || c->o.quick) return 0;
    int row = 0;
    while (row < c->grid.rows - 1 &&
           hol__certify_fewest(c, c->bound, row, row + 1).digits >= c->digits)
        row++;
    const double until = hol__grid_time(&c->grid, row ? row - 1 : 0);
    /* the bound is an envelope over a tenth of the span: it rises that much before its reason */
    const double ahead = (c->grid.end - c->grid.start) / 10;
    double met = crossed_before(c, hol__grid_time(&c->grid, row));
    if (isnan(met)) met = crossed_before(c, hol__grid_time(&c->grid, row) + ahead);
    SAY(c->verdict,
        "refused: of '%s' %.1f digits are certain at t = %.6g, and %.3g are asked for; "
        "all measures have them up to t = %.6g",
        column(c, f.column), f.digits, f.t, c->digits, until);
    if (is_sensitive(c)) {
        tell_growth(c, c->cause, sizeof c->cause);
        SAY(c->attempt, "end the run at t = %.4g, or ask for fewer digits", until);
    } else if (!isnan(met)) {
        SAY(c->cause, "singular position passed at t = %.6g: what the runs differ by grows there",
            met);
        SAY(c->attempt, "end the run before it, or ask for fewer digits, %.0f at most",
            floor(f.digits));
    } else {
        hol__certify_lack(c, &f, c->cause, sizeof c->cause);
        SAY(c->attempt, "ask for fewer digits, %.0f at most", floor(f.digits));
    }
    return 1;
}

/* The largest difference to the answer, as a share of the sizes, of a run. */
static double worst_of(const hol__certify *c, const double *x) {
    double most = 0;
    for (int i = 0; i < c->grid.rows; i++)
        for (int j = 0; j < c->grid.n; j++) {
            const size_t at = (size_t)i * (size_t)c->grid.width + (size_t)j;
            if (!hol__certify_counts(c, i, j) || isnan(c->x[at])) continue;
            const double d = fabs(x[at] - c->x[at]);
            most = fmax(most, isnan(d) ? INFINITY : d / c->size[j]);
        }
    return most;
}

/* Whether a step is too long for the fastest force under an explicit formula: their regions of
 * stability end between 2 (Euler) and 6 (dop853), 2.8 for rk4. */
static int is_stiff(const hol__certify *c, double step) {
    static const char *const formulas[] = {"euler", "heun", "rk4", "bs32", "dopri5", "dop853"};
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        if (strcmp(c->judged.integrator, formulas[i]) == 0)
            return c->fastest && step * c->rate > (i < 2 ? 2 : i < 5 ? 2.7 : 6);
    return 0;
}

/* Where a fixed step is in the way. */
static void blame_step(hol__certify *c, double step, double mine, double half) {
    const double order = log2(mine / half);
    if (is_stiff(c, step)) {
        SAY(c->cause,
            "stiff model under a fixed step: force '%s' acts within 1/%.3g s, and %s with the step "
            "%.3g s is not stable there",
            c->fastest, c->rate, c->judged.integrator, step);
        SAY(c->attempt, "--step 0 (steps by error), or an implicit integrator: radau5, radau9");
    } else if (order > 0.5) {
        SAY(c->cause, "step too long: half of %.3g s is off by %.2g of the sizes in place of %.2g",
            step, half, mine);
        SAY(c->attempt, "--step %.2g", step * pow(c->share / 2 / mine, 1 / order));
    } else {
        SAY(c->cause, "the step %.3g s does not resolve the motion: half of it is no better", step);
        SAY(c->attempt, "--step 0 (steps by error)");
    }
}

/* What makes a run fall short whose answer is known. */
static void blame_run(hol__certify *c, double t) {
    const double met = crossed_before(c, t), mine = worst_of(c, c->judged.x);
    const int again = c->refined.whole;
    const double finer = again ? worst_of(c, c->refined.fine.x) : INFINITY;
    double step = 0, tolerance = 0;
    hol_options_get_real(c->options, "step", &step);
    hol_options_get_real(c->options, "tolerance", &tolerance);
    if (!isnan(met) && !(finer < mine / 10)) {
        SAY(c->cause,
            "singular position: branches of the motion cross at t = %.6g, and behind it "
            "the run is on another one than the answer, whatever its tolerance",
            met);
        SAY(c->attempt, "method auto, or crossing: on");
    } else if (step > 0) {
        blame_step(c, step, mine, finer);
    } else if (finer < mine / 2) {
        if (c->o.quick)
            SAY(c->cause,
                "tolerance too loose for this measure: runs with %.2g and %.2g differ by %.2g of "
                "the sizes",
                tolerance, c->refined.fine.with.tolerance, mine);
        else
            SAY(c->cause,
                "tolerance too loose for this measure: with %.2g the run is off by %.2g of the "
                "sizes, with %.2g by %.2g",
                tolerance, mine, c->refined.fine.with.tolerance, finer);
        SAY(c->attempt, "--tol %.1g", fmax(1e-15, tolerance * c->share / (3 * mine)));
    } else if (is_sensitive(c)) {
        tell_growth(c, c->cause, sizeof c->cause);
        SAY(c->attempt, "end the run at t = %.4g", t);
    } else {
        SAY(c->cause,
            "the method as it is asked for: a finer run of it comes no nearer to the "
            "answer of the others (%.2g of the sizes, then %.2g)",
            mine, finer);
        SAY(c->attempt, "method auto");
    }
}

/* Samples that are judged, in place of a run. */
static void blame_samples(hol__certify *c, double t) {
    const double met = crossed_before(c, t);
    if (!isnan(met)) {
        SAY(c->cause,
            "singular position: branches of the motion cross at t = %.6g, and behind it the "
            "numbers are on another one than the answer, or of another model",
            met);
        SAY(c->attempt, "run it again with method auto, or crossing: on");
        return;
    }
    SAY(c->cause,
        "the numbers are not those of this model with these parameters from t = %.6g on, "
        "or the run that they come from had a looser tolerance",
        t);
    SAY(c->attempt, "run it again with a smaller tolerance, or give the model that it belongs to");
}

static int run_lacks(hol__certify *c) {
    const int rows = c->grid.rows;
    if (c->o.refine) return 0;
    if (c->judged.status) {
        SAY(c->verdict, "refused: the run as asked for stopped at t = %.6g: %s", c->judged.t,
            c->judged.why);
        blame_run(c, c->judged.t);
        return 1;
    }
    const hol__fewest f = hol__certify_fewest(c, c->off, 0, rows);
    if (f.digits >= c->digits) return 0;
    int row = 0;
    while (row < rows - 1 && hol__certify_fewest(c, c->off, row, row + 1).digits >= c->digits)
        row++;
    const double t = hol__grid_time(&c->grid, row);
    SAY(c->verdict,
        "refused: '%s' of the %s has %.1f digits at t = %.6g, and %.3g are asked for; "
        "it begins at t = %.6g",
        column(c, f.column), c->o.samples ? "result" : "run", f.digits, f.t, c->digits, t);
    if (c->o.samples)
        blame_samples(c, t);
    else
        blame_run(c, t);
    return 1;
}

void hol__certify_judge(hol__certify *c) {
    if (lack_witnesses(c) || disagree(c) || energy_fails(c) || constant_fails(c) ||
        answer_lacks(c) || run_lacks(c))
        return;
    const hol__fewest f = hol__certify_fewest(c, c->off, 0, c->grid.rows);
    char until[64] = "";
    c->certified = 1;
    if (c->o.samples && c->judged.t < c->grid.end - 1e-9 * c->grid.interval)
        SAY(until, ", up to t = %.6g, where it ends", c->judged.t);
    if (f.column < 0)
        SAY(c->verdict, "certified: nothing that is measured can differ");
    else
        SAY(c->verdict,
            "certified: all measures of the %s have %.1f digits or more (fewest: '%s' "
            "at t = %.6g)%s",
            c->o.refine    ? "answer"
            : c->o.samples ? "result"
                           : "run",
            f.digits, column(c, f.column), f.t, until);
}

/* certify_noise.c: what takes the digits that an answer lacks, told by numbers of the runs.
 *
 * The bound at an instant is B = e + 2 |x - x_w|, w the counted witness that is farthest off. Three
 * things make it, each shown by a number:
 *
 *   rounding    the fine run of a witness is made again from a start that is moved by four units of
 *               the last place. What the two differ by is what rounding makes of this measure in
 *               this formulation: every step rounds otherwise, the motion magnifies it, and the
 *               measure does. How much of it the motion accounts for is known: g eps sqrt(N), N
 *               steps that round at random, g the growth of neighbouring motions; the rest is the
 *               condition of the measure and of the equations. Where the second run makes other
 *               steps it is the error of these: multistep formulas choose them, and their order, by
 *               estimates near rounding.
 *   a family    rounding does not account for 2 |x - x_w|: the witness is off by what its formula
 *               or its formulation leaves with the least tolerance.
 *   tolerance   rounding does not account for e, which is more than that: the answer itself changes
 *               as its tolerance does, and there is none below.
 *
 * The runs land on the instants, so that no interpolation has a share in it.
 */
#include "analysis/certify.h"

#include "base/text.h"

#include <float.h>
#include <math.h>

/* Units of the last place by which the start is moved. */
static const double JOLT = 4 * DBL_EPSILON;

double hol__certify_noise(hol__certify *c, hol__witness *w, int column) {
    const hol__grid *g = &c->grid;
    double most = 0;
    if (!w->jolted && w->fine.x) {
        hol__run_setting with = w->fine.with;
        hol__run again;
        with.moved = JOLT;
        if (hol__certify_run(c, &with, &again) || again.status) return 0;
        w->jolted = again.x;
        w->jolted_steps = again.steps;
    }
    for (int i = 0; w->jolted && i < g->rows; i++) {
        const size_t at = (size_t)i * (size_t)g->width + (size_t)column;
        const double d = fabs(w->jolted[at] - w->fine.x[at]);
        if (hol__certify_counts(c, i, column) && d > most) most = d;
    }
    return most / c->size[column];
}

/* The counted witness that is farthest from the answer at a place, and how far in shares of the
 * size; *other: the same without it. */
static hol__witness *farthest(hol__certify *c, const hol__fewest *at, double *far, double *other) {
    hol__witness *worst = NULL;
    *far = *other = 0;
    for (int k = 0; k < c->n; k++) {
        hol__witness *w = &c->witness[k];
        if (!w->counted || k == c->answer) continue;
        const double d = hol__certify_around(c, w, at->row, at->column) / c->size[at->column];
        if (!worst || d > *far)
            *other = *far, *far = d, worst = w;
        else
            *other = fmax(*other, d);
    }
    return worst;
}

/* Rounding, and what magnifies it. */
static void tell_rounding(const hol__certify *c, const hol__witness *w, double noise, char *out,
                          size_t size) {
    const hol__run *run = &w->fine;
    const double steps = (double)run->steps, grown = fmax(1, c->growth.most),
                 motion = DBL_EPSILON * sqrt(steps) * grown;
    const int n = hol__print(
        out, size,
        "rounding: %s (%s, %s, %s) differs by %.2g of the size where its start is moved by "
        "four units of the last place; ",
        run->with.family ? run->with.family : "the run", run->method, run->coordinates,
        run->integrator, noise);
    if (n < 0 || (size_t)n >= size) return;
    /* a hundredth of the steps more or less: they fall otherwise, and their errors with them */
    if (fabs((double)w->jolted_steps - steps) > 0.01 * steps)
        hol__print(out + n, size - (size_t)n,
                   "it makes %ld steps in place of %ld then: this is the error of steps whose "
                   "lengths hang on rounding",
                   w->jolted_steps, run->steps);
    else
        hol__print(out + n, size - (size_t)n,
                   "%.0f steps that round and the motion (differences grow %.2g times) explain "
                   "%.2g, the condition of the measure and of the equations the factor of %.2g "
                   "between them",
                   steps, grown, motion, fmax(1, noise / motion));
}

void hol__certify_lack(hol__certify *c, const hol__fewest *where, char *out, size_t size) {
    const int j = where->column;
    hol__witness *x = &c->witness[c->answer];
    double far, other;
    hol__witness *w = farthest(c, where, &far, &other);
    const double own = x->error[(size_t)where->row * (size_t)c->grid.n + (size_t)j] / c->size[j];
    const double mine = hol__certify_noise(c, x, j), its = w ? hol__certify_noise(c, w, j) : 0;
    /* noise of one run is a sample: that of another is rarely ten times larger */
    if (10 * fmax(mine, its) >= fmax(far, own)) {
        tell_rounding(c, its > mine ? w : x, fmax(mine, its), out, size);
    } else if (w && 2 * far > own) {
        char next[64] = "";
        if (c->n_counted > 2) hol__print(next, sizeof next, ", the next one by %.2g", other);
        hol__print(
            out, size,
            "a witness: %s (%s, %s, %s) differs from the answer by %.2g of the size with the "
            "tolerance %.0e%s; rounding explains %.2g",
            w->fine.with.family ? w->fine.with.family : "the run", w->fine.method,
            w->fine.coordinates, w->fine.integrator, far, w->fine.with.tolerance, next,
            fmax(mine, its));
    } else {
        hol__print(out, size,
                   "the least tolerance there is: %s (%s, %s, %s) changes by %.2g of the size from "
                   "%ld steps (tolerance %.0e) to %ld (%.0e); rounding explains %.2g",
                   x->fine.with.family ? x->fine.with.family : "the run", x->fine.method,
                   x->fine.coordinates, x->fine.integrator, own, x->coarse.steps,
                   x->coarse.with.tolerance, x->fine.steps, x->fine.with.tolerance, mine);
    }
}

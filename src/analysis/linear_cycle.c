/* linear_cycle.c: the multipliers of a motion that repeats itself in the answer of hol_linearize.
 * */
#include "analysis/linearize.h"

#include "analysis/cycle.h"
#include "la/eigen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What M may change by when the number of steps is doubled, over its size. */
#define TOLERANCE 1e-10

static void tell_facts(hol_answer *answer, const hol__cycle *c, const hol__eig *eig) {
    int outside = 0, one = 0;
    const double blur = 1e-7 + 100 * c->uncertain;
    for (int k = 0; k < c->small->p.n; k++) {
        const double size = hypot(eig->re[k], eig->im[k]);
        outside += size > 1 + blur;
        one += hypot(eig->re[k] - 1, eig->im[k]) <= blur;
    }
    hol__answer_number(answer, "time", "time", c->small->data->t, "s");
    hol__answer_text(answer, "about", "about", "cycle");
    hol__answer_number(answer, "period", "period", c->period, "s");
    hol__answer_number(answer, "missed", "missed after a period, as a share", c->missed, "");
    hol__answer_number(answer, "uncertain", "error of M, as a share", c->uncertain, "");
    hol__answer_number(answer, "steps", "steps of the perturbations", c->steps, "");
    hol__answer_number(answer, "growing", "multipliers outside the unit circle", outside, "");
    if (one) hol__answer_number(answer, "ones", "multipliers that are 1", one, "");
    hol__answer_text(answer, "stability", "stability", "%s",
                     outside ? "unstable"
                     : one   ? "stable but for directions that are ignored"
                             : "stable");
}

/* Multipliers in falling order of their size, pairs once. */
static void tell_multipliers(hol_answer *answer, const hol__cycle *c, const hol__eig *eig,
                             unsigned char *told) {
    static const char *const names[] = {"real", "imaginary", "magnitude", "exponent_real",
                                        "exponent_imaginary"};
    static const char *const units[] = {"", "", "", "1/s", "1/s"};
    const int n = c->small->p.n;
    hol__sheet *sheet = hol__answer_sheet(
        answer, "multipliers", "multipliers, of a pair that with positive imaginary part", 5);
    for (int j = 0; j < 5; j++) hol__sheet_column(sheet, j, names[j], units[j]);
    for (int i = 0; i < n; i++) {
        int best = -1;
        for (int k = 0; k < n; k++)
            if (!told[k] && eig->im[k] >= 0 &&
                (best < 0 || hypot(eig->re[k], eig->im[k]) > hypot(eig->re[best], eig->im[best])))
                best = k;
        if (best < 0) return;
        told[best] = 1;
        char name[32];
        snprintf(name, sizeof name, "mode %d", i + 1);
        double *row = hol__sheet_add(sheet, name);
        if (!row) return;
        const double size = hypot(eig->re[best], eig->im[best]);
        row[0] = eig->re[best], row[1] = eig->im[best], row[2] = size;
        row[3] = size > 0 ? log(size) / c->period : -INFINITY;
        row[4] = atan2(eig->im[best], eig->re[best]) / c->period;
    }
}

hol_status hol__tell_cycle(hol_answer *answer, hol_sim *sim, const hol_linearize_options *how) {
    hol__cycle *c = NULL;
    hol__side states;
    hol_status status = hol__cycle_new(sim, how->period, how->settle, TOLERANCE, &c);
    if (status) return status;
    hol__small *s = c->small;
    const int n = s->p.n;
    hol__eig *eig = hol__eig_new(&s->matrices, n);
    unsigned char *told = HOL__NEW_N(&s->matrices, unsigned char, n + 1);
    status = eig && told ? hol__states_side(s, 0, &states) : HOL_ERR_MEMORY;
    if (!status) {
        memcpy(eig->a, c->M, sizeof(double) * (size_t)n * (size_t)n);
        status = hol__eig_factor(eig, n) ? HOL_NOT_CONVERGED : HOL_OK;
    }
    if (!status) {
        tell_facts(answer, c, eig);
        tell_multipliers(answer, c, eig, told);
        hol__tell_matrix(answer, "M", "M, perturbations after a period", &states, &states, c->M);
    }
    hol__cycle_free(c);
    return status;
}

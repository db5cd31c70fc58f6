/* compare_front.c: the settings of a sweep that no other beats in both error and cost.
 *
 * A setting is beaten where another one has an error and a cost that are no larger, and one of them
 * smaller. Errors below what the reference may be off by count as equal to it: which of them is
 * smaller is not known.
 */
#include "cli/compare.h"

#include <math.h>

/* Whether a trial is part of the comparison of a cost. */
static int takes_part(const cli_figure *cost, const cli_trial *trial) {
    return trial->kind == CLI_TRIAL_SHOWN && !trial->record.status && isfinite(trial->error) &&
           isfinite(cli_figure_value(cost, trial));
}

/* The error as far as it is known. */
static double known(const cli_comparison *c, const cli_trial *trial) {
    return fmax(trial->error, cli_compare_reference_error(c, 0));
}

int cli_compare_is_front(const cli_comparison *c, const cli_figure *cost, const cli_trial *trial) {
    if (!takes_part(cost, trial)) return 0;
    const double e = known(c, trial), w = cli_figure_value(cost, trial);
    for (int i = 0; i < c->n_trials; i++) {
        const cli_trial *other = &c->trials[i];
        if (other == trial || !takes_part(cost, other)) continue;
        const double oe = known(c, other), ow = cli_figure_value(cost, other);
        if (oe <= e && ow <= w && (oe < e || ow < w)) return 0;
        /* of equals the first */
        if (oe == e && ow == w && other < trial) return 0;
    }
    return 1;
}

const cli_trial *cli_compare_next_front(const cli_comparison *c, const cli_figure *cost,
                                        const cli_trial *after) {
    const cli_trial *next = NULL;
    const double from = after ? known(c, after) : INFINITY;
    for (int i = 0; i < c->n_trials; i++) {
        const cli_trial *trial = &c->trials[i];
        if (!cli_compare_is_front(c, cost, trial) || !(known(c, trial) < from)) continue;
        if (!next || known(c, trial) > known(c, next)) next = trial;
    }
    return next;
}

/* static_scatter.c: equilibria with joints that push and do not pull, from many starts.
 *
 * Which gaps are closed differs from one equilibrium to the next, and with them the constraints, so
 * that each start is a case of its own. From the drawn position the bodies are moved in scattered
 * directions with all gaps open, as far as one that closes lets them; from there the case settles
 * on what it meets (static_contact.h), and counts where a run that starts there does not move.
 */
#include "analysis/static_contact.h"
#include "analysis/static_starts.h"
#include "sim/sim.h"

#include <math.h>

/* Move the drawn bodies of a case away: all gaps are looked at, none is held. */
static hol_status scatter(hol__static_case *c, double reach, uint64_t *seed) {
    struct hol__static_gaps gaps = *c->gaps;
    hol_data *data = hol_data_new(c->ctx, c->model);
    hol__static *s = NULL;
    if (!data) return HOL_ERR_MEMORY;
    gaps.all = 1;
    hol__data_carry(data, c->data);
    hol_status status = hol__static_new(data, &s);
    if (!status) status = hol__static_evaluate(s);
    if (!status) {
        s->gaps = &gaps;
        status = hol__static_walk(s, reach, seed);
    }
    if (!status) hol__data_carry(c->data, data);
    hol__static_free(s);
    hol_data_free(data);
    return status < 0 ? status : HOL_OK;
}

/* One start, settled; > 0 where it comes to no equilibrium. What it says is not told. */
static hol_status settle_one(hol_context *quiet, const hol__scatter *from, double reach,
                             uint64_t *seed, hol__static_case *c) {
    hol__equilibrium e = {.method = HOL__STATICS_DESCENT};
    hol_status status = hol__static_case_open(quiet, from->spec, from->time, from->steady, c);
    if (!status && reach > 0) status = scatter(c, reach, seed);
    if (!status && reach > 0 && c->frame) status = hol__static_evaluate(c->system);
    if (!status && reach > 0) status = hol__static_case_touch(c);
    if (!status) status = hol__static_case_settle(c, &e);
    if (!status) status = hol__static_case_check(c);
    return status == HOL_ERR_MEMORY || !status ? status : HOL_RETRY;
}

hol_status hol__static_scatter(hol_context *ctx, const hol__scatter *from, int starts, double reach,
                               hol__static_list *list) {
    uint64_t seed = 0x9e3779b97f4a7c15u;
    *list = (hol__static_list){.n = 0};
    hol__arena_init(&list->arena, ctx);
    hol_status status = HOL_OK;
    for (int k = 0; k < starts && !status; k++) {
        const int known = list->n;
        hol__static_case *c = HOL__NEW(&list->arena, hol__static_case);
        hol_context *quiet = c ? hol__context_like(ctx) : NULL;
        if (!quiet) return HOL_ERR_MEMORY;
        status = settle_one(quiet, from, k ? reach : 0, &seed, c);
        list->searches++;
        if (!status) status = hol__static_note(c->system, c, list);
        if (status > 0) list->failed++, status = HOL_OK;
        if (!status && list->n > known) continue; /* the case is that of the equilibrium */
        hol__static_case_close(c);
        hol_context_free(quiet);
    }
    return status;
}

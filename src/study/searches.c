/* searches.c: hol_optimize_widely. See searches.h and holonom/optimize.h.
 *
 * What is done in many places is run by the engine of studies (crew.h): a case is a search from a
 * start, or a run at a point of a population. So it is done on threads and, for starts, by the
 * processes of an MPI job; what is done stands in a log, and the same command goes on from it; and
 * the numbers do not depend on any of this, since a case depends on its number and its point alone.
 */
#include "study/searches.h"

#include "base/argument.h"
#include "base/text.h"
#include "common/clock.h"
#include "study/crew.h"
#include "study/random.h"
#include "study/ranks.h"
#include "study/sobol.h"

#include <holonom/version.h>

#include <math.h>
#include <string.h>

static const char call[] = "hol_optimize_widely";

/* ---- points ---- */

void hol__searches_spread(const hol__searches *s, long long k, double *p) {
    const hol__vary *v = &s->q.vary;
    const uint64_t seed = hol__mix(s->q.o.seed ? s->q.o.seed : 1);
    for (int j = 0; j < v->n; j++) {
        const double u = k ? hol__sobol((uint64_t)(k - 1), j, seed) : 0;
        p[j] = k ? v->low[j] + (v->high[j] - v->low[j]) * u : v->start[j];
    }
}

double hol__searches_violation(const hol__searches *s, const double *values) {
    double most = 0;
    for (int i = 0, k = 0; i < s->q.n_aims; i++) {
        if (s->q.aims[i].weight != 0) continue;
        const double g = values[1 + k] / s->size[k];
        most = fmax(most, s->q.aims[i].sign ? g : fabs(g));
        k++;
    }
    return most;
}

/* Fewer violations first [Deb 2000]: of two points at which all constraints hold the lower one, else
 * the one that violates them less. */
int hol__searches_offer(hol__searches *s, const double *p, double value, double violation,
                        double number) {
    const hol__vary *v = &s->q.vary;
    const double seen = violation > HOL__FEASIBLE ? violation : 0,
                 before = s->violation > HOL__FEASIBLE ? s->violation : 0;
    if (s->found && !(seen < before || (seen == before && value < s->best_value))) return 0;
    if (!s->found) memcpy(s->from, p, sizeof *p * (size_t)v->n);
    s->best_value = value;
    memcpy(s->best_p, p, sizeof *p * (size_t)v->n);
    s->violation = violation;
    s->found = 1;
    double *row = hol__sheet_add(s->q.progress, NULL);
    if (!row) return 1;
    row[0] = number;
    row[1] = value;
    row[2] = violation;
    row[3] = NAN;
    memcpy(row + 4, p, sizeof *row * (size_t)v->n);
    return 1;
}

/* ---- the engine ---- */

/* All that decides what a case gives. */
static hol_status find_mark(hol__searches *s) {
    const hol_optimize_options *o = &s->asked;
    const struct {
        int n;
        const char *const *texts;
    } lists[] = {{o->n_vary, o->vary},
                 {o->n_minimize, o->minimize},
                 {o->n_maximize, o->maximize},
                 {o->n_subject, o->subject}};
    hol__text all;
    hol__text_init(&all, s->q.ctx);
    hol__text_add(&all, "holonom %s searches %s %s %a %d %lu %d\n", HOL_VERSION,
                  o->algorithm ? o->algorithm : "", o->by ? o->by : "", o->tolerance,
                  o->evaluations, o->seed, s->wide.population);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < lists[i].n; k++) hol__text_add(&all, "%d %s\n", i, lists[i].texts[k]);
    char *model = hol_spec_text(s->q.spec);
    if (model) hol__text_add_n(&all, model, strlen(model));
    hol_free(s->q.ctx, model);
    s->study.mark = hol__hash(HOL__HASH_START, all.data ? all.data : "", all.length);
    const int failed = all.failed || !model;
    hol__text_free(&all);
    return failed ? HOL_ERR_MEMORY : HOL_OK;
}

/* The caller hears of it. */
static hol_status tell(void *self, const hol_study_state *state) {
    const hol__searches *s = self;
    if (!s->wide.on_progress) return HOL_OK;
    const hol_wide_state told = {.size = sizeof told,
                                 .generation = s->generation,
                                 .done = state->done - s->first,
                                 .cases = state->cases - s->first,
                                 .value = s->found && s->violation <= HOL__FEASIBLE ? s->best_value
                                                                                    : (double)NAN,
                                 .elapsed = hol__clock_wall() - s->begin};
    return s->wide.on_progress(s->wide.user, &told);
}

hol_status hol__searches_run(hol__searches *s) {
    const hol_study_options how = {.size = sizeof how,
                                   .threads = s->wide.threads,
                                   .log = s->wide.log,
                                   .fresh = s->wide.fresh && !s->generation,
                                   .on_progress = tell,
                                   .user = s};
    int leads = 1;
    hol__cases_free(&s->cases);
    hol_status status = hol__cases_init(&s->cases, &s->study);
    if (status) return status;
    memset(s->cases.state, HOL__CASE_DONE, (size_t)s->first); /* of generations before */
    s->cases.done = s->first;
    status = hol__crew_run(&s->study, &how, &s->cases, &leads);
    s->follows = !leads;
    return status || leads ? status : HOL_ERR_INTERRUPTED;
}

/* ---- the whole ---- */

/* Both bounds of all parameters, and as many as a sequence has coordinates. */
static hol_status check_bounds(const hol__searches *s) {
    const hol__vary *v = &s->q.vary;
    for (int j = 0; j < v->n; j++)
        if (!isfinite(v->low[j]) || !isfinite(v->high[j]))
            return hol__report(s->q.ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                               "searches in many places lie between bounds: give '%s' both of "
                               "them, '%s=LOW:HIGH'",
                               v->names[j], v->names[j]);
    if (v->n > HOL__SOBOL_MOST)
        return hol__report(s->q.ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "starts are spread over at most %d parameters", HOL__SOBOL_MOST);
    return HOL_OK;
}

/* Whether this process is in no MPI job with others. */
static int is_alone(hol_context *ctx) {
    hol__ranks *ranks = hol__ranks_join(ctx, 1);
    const int alone = !ranks || hol__ranks_count(ranks) == 1;
    if (ranks) hol__ranks_leave(ranks);
    return alone;
}

static hol_status check(const hol__searches *s) {
    const hol_wide_options *w = &s->wide;
    const int evolves = (s->q.algorithms[0]->able & HOL__EVOLVES) != 0;
    if (w->starts < 0 || w->population < 0 || w->threads < 0)
        return hol__report(s->q.ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                           "starts, population and threads must not be negative");
    if (evolves && w->starts > 1)
        return hol__report(s->q.ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "the algorithm %s looks everywhere by itself; give it no starts",
                           s->q.algorithms[0]->name);
    if (evolves && !is_alone(s->q.ctx))
        return hol__report(s->q.ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "a population is evaluated by the threads of one process; start it "
                           "without mpirun, or search from many starts");
    if (!evolves && w->population)
        return hol__report(s->q.ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "a population is one of the algorithm evolution");
    return check_bounds(s);
}

/* Room for the best, and a study whose cases are these. */
static hol_status make(hol__searches *s) {
    const int n = s->q.vary.n, m = s->q.n_limits;
    s->best_p = HOL__NEW_N(&s->arena, double, n + 1);
    s->from = HOL__NEW_N(&s->arena, double, n + 1);
    s->size = HOL__NEW_N(&s->arena, double, m + 1);
    if (s->arena.failed) return HOL_ERR_MEMORY;
    for (int i = 0, k = 0; i < s->q.n_aims; i++)
        if (s->q.aims[i].weight == 0)
            s->size[k++] = s->q.aims[i].limit != 0 ? fabs(s->q.aims[i].limit) : 1;
    s->study = (hol_study){.ctx = s->q.ctx,
                           .spec = (hol_spec *)s->q.spec, /* which is only read */
                           .title = "optimize",
                           .n_variants = 1,
                           .runs = s};
    return find_mark(s);
}

/* Look everywhere, then see what the best is. */
static hol_status search(hol__searches *s, hol_answer *answer) {
    const int evolves = (s->q.algorithms[0]->able & HOL__EVOLVES) != 0;
    hol__minimum best;
    hol__optimization_progress(&s->q, answer);
    hol_status status =
        evolves ? hol__search_evolution(s, answer, &best) : hol__search_starts(s, answer, &best);
    if (!status) status = hol__optimization_finish(&s->q, &best, answer);
    return status;
}

hol_status hol_optimize_widely(hol_context *ctx, const hol_spec *spec,
                               const hol_optimize_options *options, const hol_wide_options *wide,
                               hol_answer **out) {
    hol__searches s = {.begin = hol__clock_wall()};
    if (out) *out = NULL;
    if (!ctx || hol__need(ctx, call, "the answer", out) ||
        hol__need(ctx, call, "the options", options) ||
        hol__need(ctx, call, "how widely it is searched", wide))
        return HOL_ERR_ARGUMENT;
    memcpy(&s.wide, wide, wide->size < sizeof s.wide ? wide->size : sizeof s.wide);
    hol__arena_init(&s.arena, ctx);
    hol_status status = hol__optimization_open(&s.q, ctx, call, spec, options);
    s.asked = s.q.o;
    s.asked.on_attempt = NULL;
    s.asked.model = 0;
    if (!status) status = check(&s);
    if (!status) status = make(&s);
    hol_answer *answer = status ? NULL : hol__optimization_new_answer(ctx, spec);
    if (!status) status = answer ? search(&s, answer) : HOL_ERR_MEMORY;
    hol__cases_free(&s.cases);
    hol__optimization_close(&s.q);
    hol__arena_free(&s.arena);
    if (s.follows) {
        hol_answer_free(answer);
        return HOL_OK;
    }
    return answer ? hol__answer_finish(answer, status, out) : status;
}

/* starts.c: searches from many starts, and the optima at which they end.
 *
 * Starts are the values of the model and points of Sobol's sequence between the bounds. Searches end
 * at one optimum where their parameters agree within the square root of the tolerance, as shares of
 * the ranges: a search stops where steps of the tolerance gain no more, and along a valley that is
 * 1/tolerance times longer than wide it may do so that far from the bottom.
 *
 * After N searches that found W optima there are W (N - 1)/(N - W - 2) in the mean, found or not, and
 * the searches from all points of the box would end at one of the W with the probability
 * (N - W - 1)(N + W)/(N (N - 1)), if nothing was known before [Boender, Rinnooy Kan 1987].
 */
#include "study/searches.h"

#include <math.h>
#include <string.h>

/* ---- one search ---- */

/* A thread: memory of its own. */
typedef struct own {
    hol_context *ctx;
    const atomic_int *stop;
} own;

static void *begin(void *self, hol_context *ctx) {
    own *o = hol__alloc(ctx, 1, sizeof *o);
    (void)self;
    if (o) o->ctx = ctx;
    return o;
}

static void end(void *self) {
    own *o = self;
    hol__release(o->ctx, o);
}

/* A search ends where all do. */
static hol_status look(void *self, const hol_attempt *attempt) {
    const own *o = self;
    (void)attempt;
    return atomic_load_explicit(o->stop, memory_order_relaxed) ? HOL_ERR_INTERRUPTED : HOL_OK;
}

/* Why it failed: the first error of the context, or what the status says. */
static void give_reason(const hol_context *ctx, hol_status status, hol__outcome *out) {
    for (int i = 0; i < hol_message_count(ctx) && !out->reason[0]; i++)
        if (hol_message_get(ctx, i)->severity == HOL_ERROR)
            hol__print(out->reason, sizeof out->reason, "%s", hol_message_get(ctx, i)->text);
    if (!out->reason[0]) hol__print(out->reason, sizeof out->reason, "%s", hol_status_text(status));
}

/* What was found, as the numbers of a case. */
static void put_numbers(const hol__optimization *q, const hol__minimum *best, hol__outcome *out) {
    out->state = HOL__CASE_DONE;
    out->steps = (double)q->failed;
    out->evaluations = (double)q->before;
    out->goals[0] = best->values[0];
    out->goals[1] = best->violation;
    out->goals[2] = best->residual;
    out->goals[3] = (double)best->ended;
    out->goals[4] = (double)best->gradients;
    memcpy(out->goals + HOL__SEARCH_NUMBERS, best->p, sizeof(double) * (size_t)q->vary.n);
}

/* The search from start k, with an optimization of its own: it does not depend on those before. */
static hol_status run(void *self, void *self_own, long long k, const atomic_int *stop,
                      hol__outcome *out) {
    const hol__searches *s = self;
    own *o = self_own;
    hol_optimize_options asked = s->asked;
    hol__optimization q;
    hol__minimum best;
    asked.on_attempt = stop ? look : NULL;
    asked.user = o;
    o->stop = stop;
    hol_status status =
        hol__optimization_open(&q, o->ctx, "hol_optimize_widely", s->q.spec, &asked);
    double *start = status ? NULL : HOL__NEW_N(&q.arena, double, q.vary.n + 1);
    if (!status && !start) status = HOL_ERR_MEMORY;
    if (!status) {
        hol__searches_spread(s, k, start);
        status = hol__optimization_search(&q, start, 0, &best);
    }
    const int stopped = stop && atomic_load(stop);
    out->status = status;
    if (!status && !stopped) put_numbers(&q, &best, out);
    if (status) {
        out->state = HOL__CASE_FAILED;
        out->evaluations = (double)q.before;
        give_reason(o->ctx, status, out);
    }
    hol__optimization_close(&q);
    if (stopped) return HOL_ERR_INTERRUPTED;
    return status == HOL_ERR_MEMORY || status == HOL_ERR_FEATURE ? status : HOL_OK;
}

static const hol__runner runner = {begin, run, end};

/* ---- what they found ---- */

typedef struct found {
    int count, n, optima;
    double *ends, *values, *width;
    unsigned char *kept;
    int *optimum;
} found;

/* Whether a search came to where it gains no more. */
static int has_arrived(hol__ended ended) {
    return ended == HOL__ENDED_VALUE || ended == HOL__ENDED_PARAMETERS ||
           ended == HOL__ENDED_ROUNDING;
}

/* What is known of the searches, and which optimum each reached. */
static hol_status gather(hol__searches *s, found *f) {
    const hol__vary *v = &s->q.vary;
    hol__arena *a = &s->arena;
    f->count = (int)s->study.cases;
    f->n = v->n;
    f->ends = HOL__NEW_N(a, double, (size_t)f->count *(size_t)f->n + 1);
    f->values = HOL__NEW_N(a, double, f->count + 1);
    f->width = HOL__NEW_N(a, double, f->n + 1);
    f->kept = HOL__NEW_N(a, unsigned char, f->count + 1);
    f->optimum = HOL__NEW_N(a, int, f->count + 1);
    if (a->failed) return HOL_ERR_MEMORY;
    for (int j = 0; j < f->n; j++) f->width[j] = v->high[j] - v->low[j];
    for (int k = 0; k < f->count; k++) {
        double *const *goals = s->cases.goals;
        f->kept[k] = s->cases.state[k] == HOL__CASE_DONE && !(goals[1][k] > HOL__FEASIBLE) &&
                     has_arrived((hol__ended)goals[3][k]);
        f->values[k] = goals[0][k];
        for (int j = 0; j < f->n; j++) f->ends[k * f->n + j] = goals[HOL__SEARCH_NUMBERS + j][k];
    }
    f->optima = hol__optima_sort(a, f->count, f->n, f->ends, f->values, f->kept, f->width,
                                 sqrt(hol__optimization_tolerance(&s->q)), f->optimum);
    return f->optima < 0 ? HOL_ERR_MEMORY : HOL_OK;
}

/* The best of all searches, in the order of their numbers; which it is, -1: none. */
static int take_best(hol__searches *s, const found *f) {
    double number = 0;
    int best = -1;
    for (int k = 0; k < f->count; k++) {
        number += s->cases.evaluations[k];
        if (s->cases.state[k] != HOL__CASE_DONE) continue;
        s->q.failed += (long)s->cases.steps[k];
        if (hol__searches_offer(s, f->ends + k * f->n, f->values[k], s->cases.goals[1][k], number))
            best = k;
    }
    s->q.before = (long)number;
    return best;
}

/* Whether the best is an optimum, and what of its search is told. */
static hol_status judge(hol__searches *s, const found *f, int k, hol__minimum *best) {
    hol__searches_spread(s, k, s->from);
    const hol_status status = hol__optimization_judge(&s->q, s->from, f->ends + k * f->n, best);
    if (status) return status;
    best->ended = (hol__ended)s->cases.goals[3][k];
    for (int i = 0; i < f->count; i++)
        if (s->cases.state[i] == HOL__CASE_DONE) best->gradients += (long)s->cases.goals[4][i];
    return HOL_OK;
}

/* The different optima: value, how many searches ended there, and where it is. */
static void put_optima(hol__searches *s, const found *f, hol_answer *answer) {
    const hol__vary *v = &s->q.vary;
    hol__sheet *sheet =
        hol__answer_sheet(answer, "optima", "optima at which searches ended", 2 + f->n);
    hol__sheet_column(sheet, 0, "value", s->q.unit);
    hol__sheet_column(sheet, 1, "searches", "");
    for (int j = 0; j < f->n; j++) hol__sheet_column(sheet, 2 + j, v->names[j], v->units[j]);
    for (int i = 0; i < f->optima; i++) {
        double *row = hol__sheet_add(sheet, NULL);
        int best = -1;
        if (!row) return;
        for (int k = 0; k < f->count; k++) {
            if (f->optimum[k] != i) continue;
            row[1]++;
            if (best < 0 || f->values[k] < f->values[best]) best = k;
        }
        row[0] = f->values[best];
        memcpy(row + 2, f->ends + best * f->n, sizeof *row * (size_t)f->n);
    }
}

/* Every search: where it began and ended. */
static void put_starts(hol__searches *s, const found *f, hol_answer *answer) {
    static const char *const names[] = {"search", "optimum", "value", "violation", "evaluations"};
    const hol__vary *v = &s->q.vary;
    hol__sheet *sheet =
        hol__answer_sheet(answer, "starts", "searches, where they began and ended", 5 + 2 * f->n);
    for (int i = 0; i < 5; i++) hol__sheet_column(sheet, i, names[i], i == 2 ? s->q.unit : "");
    for (int j = 0; j < f->n; j++) {
        const char *name = hol__arena_format(&s->arena, "%s at the start", v->names[j]);
        hol__sheet_column(sheet, 5 + j, name ? name : "", v->units[j]);
        hol__sheet_column(sheet, 5 + f->n + j, v->names[j], v->units[j]);
    }
    for (int k = 0; k < f->count; k++) {
        double *row = hol__sheet_add(sheet, NULL);
        if (!row) return;
        row[0] = k;
        row[1] = f->optimum[k] < 0 ? (double)NAN : f->optimum[k];
        row[2] = f->values[k];
        row[3] = s->cases.goals[1][k];
        row[4] = s->cases.evaluations[k];
        hol__searches_spread(s, k, row + 5);
        memcpy(row + 5 + f->n, f->ends + k * f->n, sizeof *row * (size_t)f->n);
    }
}

/* How many searches there were, and how sure it is that no optimum is missing. */
static void put_facts(const hol__searches *s, const found *f, int which, hol_answer *answer) {
    double N = 0, best = 0;
    for (int k = 0; k < f->count; k++) {
        N += f->kept[k];
        best += f->optimum[k] >= 0 && f->optimum[k] == f->optimum[which];
    }
    const double W = f->optima;
    hol__answer_number(answer, "searches", "searches", f->count, "");
    hol__answer_number(answer, "searches_failed", "of them without an end", (double)s->cases.failed,
                       "");
    hol__answer_number(answer, "searches_arrived", "of them at an optimum", N, "");
    hol__answer_number(answer, "optima", "different optima", W, "");
    hol__answer_number(answer, "reached", "searches that ended at the best", best, "");
    if (s->cases.failed)
        hol__answer_text(answer, "search_failure", "why the first failed", "%s",
                         s->cases.reasons[0].text);
    if (!(N > W + 2)) return;
    hol__answer_number(answer, "optima_expected", "optima to be expected, found or not",
                       W * (N - 1) / (N - W - 2), "");
    hol__answer_number(answer, "share_known",
                       "share of the starts that lead to one of these, about",
                       (N - W - 1) * (N + W) / (N * (N - 1)), "");
}

hol_status hol__search_starts(hol__searches *s, hol_answer *answer, hol__minimum *best) {
    found f;
    s->study.runner = &runner;
    s->study.n_goals = HOL__SEARCH_NUMBERS + s->q.vary.n;
    s->study.cases = s->wide.starts > 1 ? s->wide.starts : 1;
    hol_status status = hol__searches_run(s);
    const int ended = status == HOL_ERR_INTERRUPTED && s->cases.done > s->cases.failed;
    if (status && !ended) return status;
    status = gather(s, &f);
    if (status) return status;
    const int which = take_best(s, &f);
    if (which < 0)
        return hol__report(s->q.ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                           "none of %d searches came to an end; the first: %s", f.count,
                           s->cases.n_reasons ? s->cases.reasons[0].text : "");
    put_facts(s, &f, which, answer);
    put_optima(s, &f, answer);
    put_starts(s, &f, answer);
    status = judge(s, &f, which, best);
    if (!status && ended) best->ended = HOL__ENDED_INTERRUPTED;
    return status;
}

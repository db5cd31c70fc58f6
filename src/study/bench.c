/* bench.c: one thread's mechanisms, and the cases that are run with them. See bench.h.
 *
 * Each combination of words has a mechanism of its own with many values (hol_varied), which is made
 * when it is first needed. A set of values gives the bits of a fresh compilation, so that a case
 * does not depend on those before it.
 */
#include "study/bench.h"

#include "analysis/gather.h"
#include "common/clock.h"
#include "sim/verdict.h"
#include "study/design.h"

#include <math.h>
#include <string.h>

struct hol__bench {
    const hol_study *study;
    hol_context *ctx;
    hol__arena arena;
    hol_varied **varied; /* by variant; NULL: not needed yet */
    double *factors, *numbers;
    void *own; /* of a runner */
    /* goals against the model of the variant that was run last */
    int variant;
    hol__arena room;
    hol__goal *goals;
    /* the run at hand; the gather comes first, so that it is the watcher's self */
    struct watch {
        hol__gather gather;
        const hol_study *study;
        const atomic_int *stop;
        double begin, steps;
    } watch;
};

hol__bench *hol__bench_new(hol_context *ctx, const hol_study *study) {
    hol__bench *b = hol__alloc(ctx, 1, sizeof *b);
    if (!b) return NULL;
    b->study = study;
    b->ctx = ctx;
    b->variant = -1;
    hol__arena_init(&b->arena, ctx);
    hol__arena_init(&b->room, ctx);
    b->varied = HOL__NEW_N(&b->arena, hol_varied *, study->n_variants);
    b->factors = HOL__NEW_N(&b->arena, double, study->n_factors);
    b->numbers = HOL__NEW_N(&b->arena, double, study->n_factors);
    if (!b->arena.failed && study->runner) b->own = study->runner->begin(study->runs, ctx);
    if (!b->arena.failed && (b->own || !study->runner)) return b;
    hol__bench_free(b);
    return NULL;
}

void hol__bench_free(hol__bench *b) {
    if (!b) return;
    if (b->own) b->study->runner->end(b->own);
    for (int i = 0; b->varied && i < b->study->n_variants; i++) hol_varied_free(b->varied[i]);
    hol__arena_free(&b->room);
    hol__arena_free(&b->arena);
    hol__release(b->ctx, b);
}

/* ---- the mechanism of a case ---- */

/* The mechanism of a combination of words. */
static hol_varied *mechanism(hol__bench *b, int variant) {
    const hol_study *s = b->study;
    if (b->varied[variant]) return b->varied[variant];
    hol_spec *spec = hol__study_variant(s, b->ctx, variant);
    const char **names = HOL__NEW_N(&b->arena, const char *, s->n_numbers + 1);
    for (int i = 0; names && i < s->n_numbers; i++) names[i] = s->factors[s->numbers[i]].path;
    if (spec && names) hol_varied_new(b->ctx, spec, s->n_numbers, names, &b->varied[variant]);
    hol_spec_free(spec);
    return b->varied[variant];
}

/* The mechanism with the values of case k; NULL after errors. */
static hol_varied *set(hol__bench *b, long long k) {
    const hol_study *s = b->study;
    hol__study_values(s, k, b->factors);
    hol_varied *varied = mechanism(b, hol__study_variant_of(s, b->factors));
    for (int i = 0; i < s->n_numbers; i++) b->numbers[i] = b->factors[s->numbers[i]];
    return varied && hol_varied_set(varied, b->numbers) == HOL_OK ? varied : NULL;
}

hol_sim *hol__bench_sim(hol__bench *b, long long k) {
    hol_varied *varied = set(b, k);
    hol_sim *sim = varied ? hol_varied_sim(varied) : NULL;
    if (sim) hol__context_attach(sim->ctx, b->ctx); /* what its run says is for the caller */
    return sim;
}

/* ---- its run ---- */

/* The goals against this model, where it is another one than before. */
static hol_status resolve(hol__bench *b, const hol_varied *varied) {
    const hol_study *s = b->study;
    const hol_model *model = hol_varied_model(varied);
    const int variant = hol__study_variant_of(s, b->factors);
    if (variant == b->variant && !hol_varied_changed(varied)) return HOL_OK;
    hol__arena_free(&b->room);
    hol__arena_init(&b->room, b->ctx);
    b->variant = -1;
    b->goals = HOL__NEW_N(&b->room, hol__goal, s->n_goals + 1);
    hol_status status = b->goals ? HOL_OK : HOL_ERR_MEMORY;
    for (int i = 0; i < s->n_goals && !status; i++)
        status = hol__goal_resolve(b->ctx, model, &s->goals[i], &b->room, &b->goals[i]);
    if (!status &&
        !hol__gather_init(&b->watch.gather, s->n_goals, b->goals, model->n_columns, &b->room))
        status = HOL_ERR_MEMORY;
    if (!status) b->variant = variant;
    return status;
}

/* Whether the run has gone beyond the limits of a case, or is to end. */
static hol_status check_limits(struct watch *w, const hol__passage *c) {
    const hol_study *s = w->study;
    if (w->stop && atomic_load_explicit(w->stop, memory_order_relaxed)) return HOL_ERR_INTERRUPTED;
    if (s->max_steps > 0 && ++w->steps > s->max_steps)
        return hol__report(c->sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                           "the case took more than %.9g steps, up to t = %.9g", s->max_steps,
                           c->sim->data->t);
    if (s->max_seconds > 0 && hol__clock_wall() - w->begin > s->max_seconds)
        return hol__report(c->sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                           "the case took more than %.9g s, up to t = %.9g", s->max_seconds,
                           c->sim->data->t);
    return HOL_OK;
}

static hol_status begin(void *self, hol__passage *c) {
    return hol__gather_watcher.begin(self, c);
}

static hol_status span(void *self, hol__passage *c, double t0, double t1) {
    const hol_status status = check_limits(self, c);
    return status ? status : hol__gather_watcher.span(self, c, t0, t1);
}

static hol_status before(void *self, hol__passage *c, hol__change_kind kind) {
    return hol__gather_watcher.before(self, c, kind);
}

static hol_status after(void *self, hol__passage *c, hol__change_kind kind) {
    return hol__gather_watcher.after(self, c, kind);
}

static hol_status end(void *self, hol__passage *c) {
    return hol__gather_watcher.end(self, c);
}

/* The run of the mechanism as it is set. */
static hol_status run(hol__bench *b, hol_varied *varied, hol__outcome *out) {
    static const hol__passage_watcher watcher = {begin, span, before, after, end};
    hol_sim_info info = {.size = sizeof info};
    hol_sim *sim = hol_varied_sim(varied);
    if (!sim) return HOL_ERR_INPUT;
    b->watch.begin = hol__clock_wall();
    b->watch.steps = 0;
    hol_status status = hol__passage_run(sim, &watcher, &b->watch);
    if (!status) hol__verdict_say(sim);
    hol_sim_describe(sim, &info);
    out->steps = (double)info.steps;
    out->evaluations = (double)info.evaluations;
    out->state = info.beyond ? HOL__CASE_BEYOND : HOL__CASE_DONE;
    for (int i = 0; i < b->study->n_goals && !status; i++) {
        out->goals[i] = b->watch.gather.value[i];
        /* a level that is never met has no time, which is no failure */
        if (!isfinite(out->goals[i]) && !hol__goal_crosses(&b->goals[i]))
            status = hol__report(b->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                                 "'%s' has no value: the run ended at t = %.9g", b->goals[i].text,
                                 info.t);
    }
    return status;
}

/* The first error of a context into the reason, where there is none yet. */
static void give_reason(const hol_context *ctx, hol__outcome *out) {
    for (int i = 0; ctx && !out->reason[0] && i < hol_message_count(ctx); i++) {
        const hol_message *m = hol_message_get(ctx, i);
        if (m->severity == HOL_ERROR)
            hol__print(out->reason, sizeof out->reason, "%s%s%s", m->element ? m->element : "",
                       m->element ? ": " : "", m->text);
    }
}

hol_status hol__bench_run(hol__bench *b, long long k, const atomic_int *stop, hol__outcome *out) {
    hol_message_clear(b->ctx);
    out->number = k;
    out->reason[0] = '\0';
    out->steps = out->evaluations = 0;
    for (int i = 0; i < b->study->n_goals; i++) out->goals[i] = NAN;
    if (b->own) return b->study->runner->run(b->study->runs, b->own, k, stop, out);
    b->watch.study = b->study;
    b->watch.stop = stop;
    hol_varied *varied = set(b, k);
    hol_status status = varied ? resolve(b, varied) : HOL_ERR_INPUT;
    if (!status) status = run(b, varied, out);
    if (status == HOL_ERR_INTERRUPTED && stop && atomic_load(stop)) return status;
    out->status = status;
    if (!status) return HOL_OK;
    out->state = HOL__CASE_FAILED;
    for (int i = 0; i < b->study->n_goals; i++) out->goals[i] = NAN;
    give_reason(varied ? hol_varied_context(varied) : NULL, out);
    give_reason(b->ctx, out);
    if (!out->reason[0]) hol__print(out->reason, sizeof out->reason, "%s", hol_status_text(status));
    return HOL_OK;
}

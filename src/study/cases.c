/* cases.c: what is known of all cases. See cases.h. */
#include "study/cases.h"

hol_status hol__cases_init(hol__cases *c, hol_study *s) {
    *c = (hol__cases){0};
    hol__arena_init(&c->arena, s->ctx);
    c->state = HOL__NEW_N(&c->arena, unsigned char, s->cases);
    c->steps = HOL__NEW_N(&c->arena, double, s->cases);
    c->evaluations = HOL__NEW_N(&c->arena, double, s->cases);
    c->goals = HOL__NEW_N(&c->arena, double *, s->n_goals + 1);
    for (int i = 0; i < s->n_goals && c->goals; i++)
        c->goals[i] = HOL__NEW_N(&c->arena, double, s->cases);
    return c->arena.failed ? HOL_ERR_MEMORY : HOL_OK;
}

void hol__cases_free(hol__cases *c) {
    hol__arena_free(&c->arena);
}

/* Why a case failed. */
static hol_status keep_reason(hol__cases *c, const hol__outcome *o) {
    struct hol__reason *reasons = hol__arena_grow(&c->arena, c->reasons, sizeof *reasons,
                                                  c->n_reasons, &c->capacity, c->n_reasons + 1);
    const char *text = hol__arena_text(&c->arena, o->reason);
    if (!reasons || !text) return HOL_ERR_MEMORY;
    c->reasons = reasons;
    reasons[c->n_reasons++] = (struct hol__reason){o->number, o->status, text};
    return HOL_OK;
}

hol_status hol__cases_keep(hol__cases *c, const hol_study *s, const hol__outcome *o) {
    const long long k = o->number;
    if (k < 0 || k >= s->cases || c->state[k] != HOL__CASE_OPEN) return HOL_OK;
    c->state[k] = (unsigned char)o->state;
    c->steps[k] = o->steps;
    c->evaluations[k] = o->evaluations;
    for (int i = 0; i < s->n_goals; i++) c->goals[i][k] = o->goals[i];
    c->done++;
    c->failed += o->state == HOL__CASE_FAILED;
    c->beyond += o->state == HOL__CASE_BEYOND;
    return o->state == HOL__CASE_FAILED ? keep_reason(c, o) : HOL_OK;
}

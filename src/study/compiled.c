/* compiled.c: machine code for the mechanisms of a study (`compiled: true`).
 *
 * One for each combination of words, made before the first case and shared by all processes and
 * threads; the numbers that vary are read from the model of each case. Which ones these are three
 * mechanisms say, whose values lie within a thousandth of those of the first case, at random: only
 * numbers that do not depend on any of them are the same in all.
 */
#include "study/design.h"
#include "study/random.h"

#include <holonom/generate.h>

enum { OTHERS = 3 };
static const double NEAR = 1e-3;

/* Values near those of the first case, of number k. */
static void draw(const hol_study *s, int k, const double *first, double *values) {
    for (int i = 0; i < s->n_numbers; i++) {
        const double x = first[s->numbers[i]],
                     u = 2 * hol__unit_number(
                                 hol__bits_at(s->seed, 1000 + (uint64_t)k, (uint64_t)i)) -
                         1;
        values[i] = x + NEAR * u * (x != 0 ? x : 1);
    }
}

/* The code of a combination of words. */
static hol_status compile(hol_study *s, int variant, const hol_code_options *how) {
    hol_varied *others[OTHERS] = {NULL};
    hol__arena room;
    hol__arena_init(&room, s->ctx);
    hol_spec *spec = hol__study_variant(s, s->ctx, variant);
    const char **names = HOL__NEW_N(&room, const char *, s->n_numbers + 1);
    double *first = HOL__NEW_N(&room, double, s->n_factors + 1),
           *values = HOL__NEW_N(&room, double, s->n_factors + 1);
    hol_status status = spec && !room.failed ? HOL_OK : HOL_ERR_MEMORY;
    for (int i = 0; i < s->n_numbers && !status; i++) names[i] = s->factors[s->numbers[i]].path;
    if (!status) hol__study_values(s, 0, first);
    for (int k = 0; k < OTHERS && !status; k++) {
        draw(s, k, first, values);
        status = hol_varied_new(s->ctx, spec, s->n_numbers, names, &others[k]);
        if (!status) status = hol_varied_set(others[k], values);
    }
    if (!status)
        status = hol_code_new_varied(s->ctx, spec, OTHERS, others, how, &s->codes[variant]);
    for (int k = 0; k < OTHERS; k++) hol_varied_free(others[k]);
    hol_spec_free(spec);
    hol__arena_free(&room);
    return status;
}

hol_status hol__study_compile(hol_study *s, const char *compiler) {
    const hol_code_options how = {.size = sizeof how, .compiler = compiler};
    hol_status status = HOL_OK;
    if (!s->compiled || s->codes) return HOL_OK;
    s->codes = HOL__NEW_N(&s->arena, struct hol_code *, s->n_variants);
    if (!s->codes) return HOL_ERR_MEMORY;
    for (int i = 0; i < s->n_variants && !status; i++) status = compile(s, i, &how);
    return status;
}

void hol__study_free_codes(hol_study *s) {
    for (int i = 0; s->codes && i < s->n_variants; i++) hol_code_free(s->codes[i]);
}

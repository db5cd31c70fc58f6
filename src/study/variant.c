/* variant.c: the descriptions of a study: one for each combination of words. */
#include "study/study.h"

hol_spec *hol__study_variant(const hol_study *s, hol_context *ctx, int variant) {
    hol_spec *spec = hol_spec_copy(ctx, s->spec);
    hol_status status = spec ? HOL_OK : HOL_ERR_MEMORY;
    for (int i = 0; i < s->n_words && !status; i++) {
        const hol__factor *f = &s->factors[s->words[i]];
        status = hol_spec_set(spec, f->path, f->words[variant % f->n_levels], "study");
        variant /= f->n_levels;
    }
    if (!status) return spec;
    hol_spec_free(spec);
    return NULL;
}

int hol__study_variant_of(const hol_study *s, const double *values) {
    int variant = 0;
    for (int i = s->n_words - 1; i >= 0; i--) {
        const hol__factor *f = &s->factors[s->words[i]];
        variant = variant * f->n_levels + (int)values[s->words[i]];
    }
    return variant;
}

/* splu.c: sparse LU that keeps its pivots. See splu.h. */
#include "la/splu.h"

#include <math.h>
#include <string.h>

/* Up to this size the own elimination is faster, and takes no more than 10 MB. */
enum { MOST_OWN = 400 };

/* Pivots that have fallen to less than this share of their size at the choice are chosen anew. */
static const double KEPT = 1e-3;

hol_status hol__splu_open(hol__splu *lu, hol__arena *arena, const hol__csr *T) {
    *lu = (hol__splu){.n = T->rows, .T = *T};
    lu->work = HOL__NEW_N(arena, double, T->rows);
    if (!lu->work) return HOL_ERR_MEMORY;
    if (lu->n > MOST_OWN && hol__klu_available())
        return hol__klu_new(arena->ctx, lu->n, T->ptr, T->idx, &lu->klu);
    lu->own = hol__lu_fixed_new(arena, lu->n);
    return lu->own ? HOL_OK : HOL_ERR_MEMORY;
}

void hol__splu_close(hol__splu *lu) {
    hol__klu_free(lu->klu);
    lu->klu = NULL;
}

hol_status hol__splu_factor(hol__splu *lu) {
    if (lu->klu) return hol__klu_factor(lu->klu, lu->T.x);
    if (!hol__csr_is_finite(&lu->T)) return HOL_NONFINITE;
    if (lu->chosen && hol__lu_fixed_factor(lu->own, &lu->T) > KEPT) return HOL_OK;
    lu->chosen = hol__lu_fixed_choose(lu->own, &lu->T);
    return lu->chosen ? HOL_OK : HOL_SINGULAR;
}

hol_status hol__splu_solve(hol__splu *lu, double *b) {
    if (lu->klu) return hol__klu_solve(lu->klu, b);
    if (!lu->chosen) return HOL_SINGULAR;
    memcpy(lu->work, b, sizeof *b * (size_t)lu->n);
    hol__lu_fixed_solve_t(lu->own, lu->work, b);
    return HOL_OK;
}

void hol__splu_walk(hol__splu *lu, hol__archive *archive) {
    if (lu->klu) {
        hol__klu_remember(lu->klu, archive);
        return;
    }
    HOL__ARCHIVE(archive, lu->chosen);
    if (lu->chosen) hol__lu_fixed_walk(lu->own, archive);
}

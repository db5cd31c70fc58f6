/* basis_schur.c: R = the Schur vectors of A^^T A^ for zero eigenvalues [PV 7.6].
 *
 * A^^T A^ = V T V^T. For a symmetric matrix T is diagonal up to rounding, so any set of Schur
 * vectors spans an invariant space; they are sorted by |T_jj|. About 25 n^3. See basis_gram.h.
 */
#include "kernel/basis_gram.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

typedef struct schur {
    hol__schur *form;
    int *order;
} schur;

/* Insertion sort of the places by |T_jj|. */
static void sort_places(int size, const double *t, int *order) {
    for (int i = 0; i < size; i++) {
        int j = i;
        for (; j > 0 && fabs(t[order[j - 1]]) > fabs(t[i]); j--) order[j] = order[j - 1];
        order[j] = i;
    }
}

static int decompose(void *decomposition, int size, const double *a, double *vectors,
                     double *values) {
    const schur *s = decomposition;
    const size_t n = (size_t)size;
    memcpy(s->form->a, a, n * n * sizeof *a);
    const int info = hol__schur_factor(s->form, size);
    if (info != 0) return info;
    sort_places(size, s->form->re, s->order);
    for (size_t j = 0; j < n; j++) {
        const size_t from = (size_t)s->order[j];
        values[j] = fabs(s->form->re[from]);
        memcpy(vectors + j * n, s->form->v + from * n, n * sizeof *a);
    }
    return 0;
}

static hol_status create(hol__basis *b, hol__arena *arena) {
    const int longer = b->n > b->m ? b->n : b->m;
    schur *s = HOL__NEW(arena, schur);
    if (!s) return HOL_ERR_MEMORY;
    s->form = hol__schur_new(arena, longer);
    s->order = HOL__NEW_N(arena, int, longer);
    if (!s->form || !s->order) return HOL_ERR_MEMORY;
    return hol__gram_create(b, arena, decompose, s);
}

const hol__basis_type hol__basis_schur = {
    .name = "schur",
    .source = "PV 7.6",
    .flags = HOL__BASIS_ORTHONORMAL | HOL__BASIS_MINIMUM | HOL__BASIS_SQUARED,
    .title = "Schur vectors of A^T A",
    .create = create,
    .factor = hol__gram_factor,
    .solve = hol__gram_solve,
    .solve_t = hol__gram_solve_t,
};

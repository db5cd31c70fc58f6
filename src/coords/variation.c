/* variation.c: the pairs of velocities and bodies, and J^T w by them. See variation.h. */
#include "coords/variation.h"

#include <string.h>

/* The pairs by body, then the same by velocity. */
static void list_pairs(hol__variation *x, const hol_model *model) {
    const hol__maps *maps = model->coords->maps;
    for (int i = 0; i < model->nb; i++) {
        const int n = maps->movers(model, i, x->of_v + x->of_ptr[i]);
        x->of_ptr[i + 1] = x->of_ptr[i] + n;
        for (int k = x->of_ptr[i]; k < x->of_ptr[i + 1]; k++) x->ptr[x->of_v[k] + 1]++;
    }
    for (int j = 0; j < model->nv; j++) x->ptr[j + 1] += x->ptr[j];
    for (int i = 0; i < model->nb; i++)
        for (int k = x->of_ptr[i]; k < x->of_ptr[i + 1]; k++) {
            x->of[k] = x->ptr[x->of_v[k]]++;
            x->body[x->of[k]] = i;
        }
    memmove(x->ptr + 1, x->ptr, sizeof(int) * (size_t)model->nv);
    x->ptr[0] = 0;
}

int hol__variation_init(hol__variation *x, hol__arena *arena, const hol_model *model) {
    const hol__maps *maps = model->coords->maps;
    size_t pairs = 0;
    for (int i = 0; i < model->nb; i++) pairs += (size_t)maps->movers(model, i, NULL);
    const size_t numbers = pairs * (size_t)model->bw;
    x->ptr = HOL__NEW_N(arena, int, model->nv + 2);
    x->body = HOL__NEW_N(arena, int, pairs);
    x->of_ptr = HOL__NEW_N(arena, int, model->nb + 1);
    x->of_v = HOL__NEW_N(arena, int, pairs);
    x->of = HOL__NEW_N(arena, int, pairs);
    x->pose = HOL__NEW_N(arena, double, numbers);
    x->twist = HOL__NEW_N(arena, double, numbers);
    x->acc = HOL__NEW_N(arena, double, numbers);
    x->bias = HOL__NEW_N(arena, double, numbers);
    x->work = HOL__NEW_N(arena, double, maps->variation_size(model));
    if (arena->failed) return 0;
    list_pairs(x, model);
    return 1;
}

void hol__variation_pull(const hol_model *model, const hol__bodies *bodies, const double *w,
                         hol__variation *x, double *out) {
    if (model->coords->maps->pull) {
        model->coords->maps->pull(model, bodies, w, x, out);
        return;
    }
    memset(out, 0, sizeof(double) * (size_t)model->nv);
    for (int i = 0; i < model->nb; i++, w += model->bw)
        for (int k = x->of_ptr[i]; k < x->of_ptr[i + 1]; k++) {
            const double *J = x->pose + model->bw * x->of[k];
            for (int d = 0; d < model->bw; d++) out[x->of_v[k]] += J[d] * w[d];
        }
}

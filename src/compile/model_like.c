/* model_like.c: a model with the set of elements of another one of the same elements. */
#include "compile/compile.h"
#include "element/rigid.h"

/* The same with parameters that events have set; NULL values: as described. */
static hol_model *make_like(hol_context *ctx, const hol_model *whole, const hol_model *from,
                            const double *values) {
    const int joints = whole->n_joints;
    hol__arena arena;
    hol__arena_init(&arena, ctx);
    unsigned char *off = HOL__NEW_N(&arena, unsigned char, joints + whole->n_forces + 1);
    hol__touch_bits *touch = HOL__NEW_N(&arena, hol__touch_bits, whole->n_slots + 1);
    const hol__marker **place = HOL__NEW_N(&arena, const hol__marker *, joints + 1);
    hol_model *model = NULL;
    if (!arena.failed) {
        for (int i = 0; i < whole->n_forces; i++) off[joints + i] = from->forces[i].off != 0;
        for (int i = 0; i < joints; i++) {
            const hol__rigid *r = from->joints[i].rigid;
            off[i] = (!r || r->line) && from->joints[i].off;
            if (hol__joint_has_caught(&from->joints[i])) place[i] = &from->joints[i].marker[1];
            for (int k = 0; r && r->touch && k < r->slots; k++) touch[r->first + k] = r->touch[k];
        }
        const hol__variant variant = {.n_joints = joints,
                                      .off = off,
                                      .place = place,
                                      .touch = touch,
                                      .n_values = values ? from->n_assigned : 0,
                                      .names = from->assigned,
                                      .values = values};
        model = hol__model_variant(ctx, whole, &variant);
    }
    hol__arena_free(&arena);
    return model;
}

hol_model *hol__model_like(hol_context *ctx, const hol_model *whole, const hol_model *from) {
    return make_like(ctx, whole, from, NULL);
}

hol_model *hol__model_loosened(hol_context *ctx, const hol_model *from) {
    return make_like(ctx, from, from, from->values);
}

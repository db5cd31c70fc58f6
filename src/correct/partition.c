/* partition.c: the position and velocity problems with the independent coordinates kept.
 * [GJB 5.2.2, 5.57]
 *
 *     repeat   [D; B] delta = [-Phi(q); 0],   q <- q (+) delta        until |Phi| <= tolerance
 *     then     [A; B] dv = [-psi; 0],         v <- v + dv
 *
 * For a partition B picks coordinates and this is D_d delta_d = -Phi, A_d v_d = b - A_i v_i.
 * Constraints on velocities alone give no Phi: delta keeps to them too, A_n delta = 0. Newton
 * itself is that of the direct correction (direct.c).
 *
 *     partition   at the end of every step
 *     drift       where |Phi| has passed the threshold [Paul]
 *     hybrid      while Baumgarte's terms do not hold the threshold [Park and Haug]; who decides
 *                 that is sim/hybrid.c
 */
#include "correct/correct.h"

hol_status hol__correction_complete(hol__correction *c, hol__completion *completion, double watch) {
    if (!c->type->partitioned) return HOL_OK;
    c->own = !completion;
    c->completion = completion ? completion
                               : hol__completion_new(&c->arena, c->data, HOL__COMPLETION_PARTITION,
                                                     watch, c->aside);
    if (!c->completion) return HOL_ERR_MEMORY;
    return c->own ? hol__completion_select(c->completion) : HOL_OK;
}

hol_status hol__correct_partition(hol__correction *c) {
    int changed;
    hol_status status = HOL_OK;
    if (c->own && !c->held && !c->inside) status = hol__completion_renew(c->completion, &changed);
    return status ? status : hol__correct_direct(c);
}

hol_status hol__correct_drift(hol__correction *c) {
    hol_data_update(c->data, HOL_STAGE_POS);
    if (c->inside || hol__norm(c->data->Phi, c->data->model->mh) > c->threshold)
        return hol__correct_partition(c);
    if (c->own) c->completion->last = 0; /* the next look does not follow upon the last one */
    return HOL_OK;
}

hol_status hol__correct_hybrid(hol__correction *c) {
    return c->inside || c->engaged ? hol__correct_partition(c) : HOL_OK;
}

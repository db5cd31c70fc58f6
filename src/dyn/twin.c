/* twin.c: a state in other coordinates over to reference-point coordinates, where every joint has
 * multipliers.
 *
 *     M_b a_b + G^T lambda = load        over all joints; the accelerations are the same, the
 * multipliers are the reactions
 */
#include "dyn/data.h"

#include <string.h>

/* The twin at the state of data, forces evaluated. Those of the caller, who knows only the
 * coordinates of data, are taken over. */
static hol_status follow(hol_data *data) {
    hol_data *twin = data->twin;
    hol_status status = hol_data_update(data, data->on_force ? HOL_STAGE_DYN : HOL_STAGE_VEL);
    if (status) return status;
    hol__data_take_elements(twin, data);
    twin->halted = data->halted;
    for (int i = 0; twin->bodies.b2 && i < data->model->nb; i++) twin->bodies.b2[i].turn = 0;
    hol__data_bodies_state(data, twin->q, twin->v);
    hol_data_set(twin, data->t, NULL, NULL);
    status = hol_data_update(twin, HOL_STAGE_DYN);
    for (int i = 0; data->on_force && i < twin->model->nv; i++) twin->Q[i] += data->called[i];
    return status;
}

int hol__data_needs_twin(const hol_data *data) {
    const hol__maps *maps = data->model->coords->maps;
    /* where reactions are not unique, the smallest are those over all joints, not over the closing
     * ones alone */
    return maps &&
           (!maps->reactions || data->model->n_row_measures || (data->analysed && data->redundant));
}

/* The twin itself, once: which of its multipliers are unique is found where it stands first. */
static hol_status make_twin(hol_data *data) {
    hol_status status = hol__data_have_twin(data, 1);
    if (status) return status;
    hol__data_set_solving(data->twin, &data->solving);
    status = follow(data);
    if (!status) status = hol__data_analyse(data->twin);
    if (status) hol__data_have_twin(data, 0);
    return status;
}

hol_status hol__data_twin(hol_data *data) {
    if (data->known & HOL__KNOWN_TWIN) return HOL_OK;
    hol_status status = data->twin ? follow(data) : make_twin(data);
    if (!status) status = hol__data_accelerate(data->twin);
    if (!status) data->known |= HOL__KNOWN_TWIN;
    return status;
}

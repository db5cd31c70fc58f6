/* redundancy.c: which constraints depend on others at the current position, and which multipliers
 * that leaves open.
 *
 * The data keeps what was found until it looks again: reactions say by it whether they are unique.
 */
#include "dyn/data.h"
#include "la/rank.h"

#include <string.h>

void hol__data_adopt_rank(hol_data *data, const hol_data *from) {
    const size_t m = (size_t)data->model->m;
    data->analysed = 1;
    data->rank = from->rank;
    data->redundant = from->redundant;
    data->smallest = from->smallest;
    memcpy(data->redundant_rows, from->redundant_rows, m);
    memcpy(data->undetermined, from->undetermined, m);
    memcpy(data->aside, from->aside, m);
}

hol_status hol__data_analyse(hol_data *data) {
    hol__rank_result found = {.redundant = data->redundant_rows,
                              .undetermined = data->undetermined,
                              .aside = data->aside,
                              .order = data->model->row_joint};
    hol_data_update(data, HOL_STAGE_POS);
    const hol_status status = hol__rank_analyse(data->ctx, &data->A, 0, &found);
    if (status) return status;
    data->analysed = 1;
    data->rank = found.rank;
    data->redundant = found.rank < data->model->m;
    data->smallest = found.smallest;
    return HOL_OK;
}

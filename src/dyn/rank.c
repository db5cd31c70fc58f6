/* rank.c: which constraints depend on others at the current position, and which multipliers that leaves open.
 *
 * The data keeps what was found until it looks again: reactions say by it whether they are unique.
 */
#include "dyn/data.h"
#include "la/rank.h"

hol_status hol__data_analyse(hol_data *data) {
    hol__rank_result found = {.redundant = data->redundant_rows,
                              .undetermined = data->undetermined};
    hol_data_update(data, HOL_STAGE_POS);
    const hol_status status = hol__rank_analyse(data->ctx, &data->A, 0, &found);
    if (status) return status;
    data->analysed = 1;
    data->rank = found.rank;
    data->redundant = found.rank < data->model->m;
    data->smallest = found.smallest;
    return HOL_OK;
}

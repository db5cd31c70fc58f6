/* answer_hdf5_without_hdf5.c: stands in for answers as HDF5 where the library was built without
 * it. */
#include "base/answer.h"
#include "io/answer_format.h"

hol_status hol__answer_put_hdf5(const hol_answer *answer, hol__text *out) {
    (void)out;
    return hol__report(answer->ctx, HOL_ERROR, HOL_ERR_FEATURE, NULL, NULL,
                       "an answer cannot be written as HDF5: not built with HDF5; use .json, .csv "
                       "or .mat, or build the library with it");
}

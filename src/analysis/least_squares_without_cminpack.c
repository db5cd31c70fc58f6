/* least_squares_without_cminpack.c: stands in for the search where the library was built without
 * cminpack. */
#include "analysis/least_squares.h"

hol_status hol__turning_search(hol__turning *turning) {
    return hol__report(turning->problem->ctx, HOL_ERROR, HOL_ERR_FEATURE, NULL, NULL,
                       "this program was built without cminpack, which fits parameters; install it "
                       "(Debian: libcminpack-dev) and build again");
}

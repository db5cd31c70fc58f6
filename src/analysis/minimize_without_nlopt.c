/* minimize_without_nlopt.c: stands in for the search where the library was built without NLopt. */
#include "analysis/minimize.h"

hol_status hol__shares_search(hol__shares *shares) {
    return hol__report(shares->problem->ctx, HOL_ERROR, HOL_ERR_FEATURE, NULL, NULL,
                       "this program was built without NLopt, which searches the optimum; install "
                       "it (Debian: libnlopt-dev) and build again");
}

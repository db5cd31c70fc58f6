/* dae.c: multipliers at a state whose rates are known. */
#include "integ/dae.h"

#include <string.h>

/* One iteration from lambda = 0: with y' = f the residual is A^T lambda, so that nothing else
 * moves. */
hol_status hol__dae_multipliers(const hol__dae *dae, double t, const double *y, const double *f,
                                double h, double *x, double *F) {
    const hol__sigma sigma = {{1 / h, 0}, {1 / h, 0}};
    const int m = dae->m + dae->mh;
    for (int i = 0; i < m; i++) x[i] = 0;
    if (!m) return HOL_OK;
    hol_status status = dae->residual(dae->self, t, y, f, x, F);
    if (!status) status = dae->linearize(dae->self, t, y, f, x);
    if (!status) status = dae->shift(dae->self, 0, &sigma);
    if (!status) status = dae->solve(dae->self, 0, F, NULL);
    for (int i = 0; i < dae->m && !status; i++) x[i] = -F[dae->n + i];
    return status;
}

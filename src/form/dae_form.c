/* dae_form.c: the table of the forms of constrained equations. A new one is a line. */
#include "form/dae_form.h"

#include "form/form.h"

/* clang-format off */
static const hol__dae_form forms[] = {
    {"ggl", "stabilised index 2: A v = b and Phi = 0, d' = v - A^T mu [HW VII.1]",
     .state = &hol__state_dependent, .positions = 1},
    {"index-1", "A v' = c alone: constraints drift as with lagrange [GJB 5.10]",
     .state = &hol__state_dependent, .accelerations = 1},
    {"index-2", "A v = b alone: positions drift [HW VII.1]",
     .state = &hol__state_dependent},
    {"index-2-canonical", "p = M v differentiated instead of v, A v = b alone: positions drift "
     "[GJB 5.97, 5.98]",
     .state = &hol__state_canonical_plain},
};
/* clang-format on */

const hol__dae_form *hol__dae_form_get(int i) {
    return i >= 0 && i < (int)(sizeof forms / sizeof *forms) ? &forms[i] : NULL;
}

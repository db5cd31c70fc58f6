/* held.h: variables of a description (measures of that type that no event sets) as parameters. In
 * generated code nothing sets them but the caller, so that they are what parameters are. */
#ifndef HOL_GENERATE_HELD_H
#define HOL_GENERATE_HELD_H

#include <holonom/spec.h>

/* The description with its variables as parameters of the same names, values and units; *out NULL
 * where there are none. What is wrong with the description is left to its compiler. */
hol_status hol__held_spec(hol_context *ctx, const hol_spec *spec, hol_spec **out);

#endif

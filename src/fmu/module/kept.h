/* kept.h: states of instances that the importer holds, and as bytes of its own. An error is
 * reported in the name of the call. */
#ifndef HOL_FMU_KEPT_H
#define HOL_FMU_KEPT_H

#include "fmu/component.h"

/* The state now, in place of what *out was; back; and freed. */
hol_status fmu_keep(hol__fmu *c, const char *call, void **out);
hol_status fmu_bring_back(hol__fmu *c, const char *call, const void *state);
void fmu_let_go(hol__fmu *c, void **state);

/* As bytes: how many, out, in. */
hol_status fmu_kept_size(const hol__fmu *c, const char *call, const void *state, size_t *size);
hol_status fmu_kept_write(const hol__fmu *c, const char *call, const void *state, void *bytes,
                          size_t size);
hol_status fmu_kept_read(hol__fmu *c, const char *call, const void *bytes, size_t size, void **out);

#endif

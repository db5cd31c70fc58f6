/* context.h: memory and messages of an instance in an FMU of sources, by the names that the library
 * has for them (base/context.h), as far as the files of the FMU use them. */
#ifndef HOL_FMU_SOURCES_CONTEXT_H
#define HOL_FMU_SOURCES_CONTEXT_H

#include "fmu/module/exports.h"

#include <holonom/status.h>

#if defined(__GNUC__)
#define HOL__PRINTF(a, b) __attribute__((format(printf, a, b)))
#else
#define HOL__PRINTF(a, b)
#endif

/* count * size bytes set to zero; NULL (and a message) without memory. */
void *hol__alloc(hol_context *ctx, size_t count, size_t size);
void hol__release(hol_context *ctx, void *block);

/* Tell the listener of a message; returns status. where is not used. */
hol_status hol__report(hol_context *ctx, hol_severity severity, hol_status status,
                       const hol_location *where, const char *element, const char *format, ...)
    HOL__PRINTF(6, 7);

#endif

/* module_file.h: the shared object that goes into every FMU. */
#ifndef HOL_FMU_MODULE_FILE_H
#define HOL_FMU_MODULE_FILE_H

#include "base/context.h"

/* Its bytes, to be released: of the file `path`, or (NULL) of the one beside the running program,
 * or of this installation. HOL_ERR_IO, with a message, where there is none. */
hol_status hol__fmu_read_module(hol_context *ctx, const char *path, void **out, size_t *size);

#endif

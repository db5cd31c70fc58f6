/* exports.h: how functions of the interface are shown by the runtime: by cmake/fmu.map. In an FMU
 * of sources a file of this name is generated (fmu/names.c), which shows them and gives all
 * functions names of their own. */
#ifndef HOL_FMU_EXPORTS_H
#define HOL_FMU_EXPORTS_H

#define FMU_EXPORT

#endif

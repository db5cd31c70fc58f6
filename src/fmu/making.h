/* making.h: an FMU that is being made, with a binary (fmu.c) or of sources (sources.c). */
#ifndef HOL_FMU_MAKING_H
#define HOL_FMU_MAKING_H

#include "base/text.h"
#include "fmu/table.h"
#include "fmu/zip.h"

#include <holonom/fmu.h>

typedef struct hol__fmu_making {
    hol_context *ctx;
    hol_spec *spec; /* read from the text that goes into the FMU */
    char *text;
    hol__text tunables; /* names, each with a line feed behind it */
    hol__fmu_table table;
    hol__text xml, page;
    char name[128];
    void *module;
    size_t module_size;
    int n_left_out; /* of sources: measures that the code does not compute, and … */
    double step;    /* … the longest step */
} hol__fmu_making;

/* The description with inputs (hol_spec_add_input); NULL after an error. */
hol_spec *hol__fmu_with_inputs(hol_context *ctx, const hol_spec *spec, int n,
                               const char *const *names);

/* Write the files as an archive. */
hol_status hol__fmu_write_archive(hol_context *ctx, const char *path, int n,
                                  const hol__zipped *files);

/* An FMU of sources; m: its context, name and texts; its table is made here. */
hol_status hol__fmu_write_sources(hol__fmu_making *m, const hol_spec *spec, const char *path,
                                  const hol_fmu_options *how, int version);

/* exports.h of an FMU of sources: all functions of the shared files get the name of the FMU in
 * front, those of the interface unless FMIx_OVERRIDE_FUNCTION_PREFIX is defined. */
void hol__fmu_exports(const char *name, int version, hol__text *out);

/* Whether a shared file belongs to FMUs of that version. */
int hol__fmu_is_of(const char *file, int version);

#endif

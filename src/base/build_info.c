/* build_info.c: the version and the optional parts of this build.
 *
 * The version itself stands in <holonom/version.h> and nowhere else. The build defines
 * HOL__WITH_<PART> as 0 or 1 for this file alone; every other file is chosen whole (x_with_part.c
 * or x_without_part.c) and needs no such definition. A build that defines nothing has no optional
 * part. HOL__LATE_<PART> is the file of a library that is loaded when it is used (late.h).
 */
#include <holonom/version.h>

#include <stddef.h>

#ifndef HOL__WITH_SUITESPARSE
#define HOL__WITH_SUITESPARSE 0
#endif
#ifndef HOL__WITH_HDF5
#define HOL__WITH_HDF5 0
#endif
#ifndef HOL__WITH_FYAML
#define HOL__WITH_FYAML 0
#endif

#ifndef HOL__WITH_CAIRO
#define HOL__WITH_CAIRO 0
#endif
#ifndef HOL__WITH_SUNDIALS
#define HOL__WITH_SUNDIALS 0
#endif
#ifndef HOL__WITH_NLOPT
#define HOL__WITH_NLOPT 0
#endif
#ifndef HOL__WITH_CMINPACK
#define HOL__WITH_CMINPACK 0
#endif
#ifndef HOL__WITH_XML2
#define HOL__WITH_XML2 0
#endif
#ifndef HOL__WITH_ZIP
#define HOL__WITH_ZIP 0
#endif
#ifndef HOL__WITH_MPI
#define HOL__WITH_MPI 0
#endif
#ifndef HOL__WITH_WEB
#define HOL__WITH_WEB 0
#endif

#ifndef HOL__LATE_OPENBLAS
#define HOL__LATE_OPENBLAS ""
#endif
#ifndef HOL__LATE_HDF5
#define HOL__LATE_HDF5 ""
#endif
#ifndef HOL__LATE_CAIRO
#define HOL__LATE_CAIRO ""
#endif
#ifndef HOL__LATE_XML2
#define HOL__LATE_XML2 ""
#endif
#ifndef HOL__LATE_ZIP
#define HOL__LATE_ZIP ""
#endif
#ifndef HOL__LATE_MPI
#define HOL__LATE_MPI ""
#endif

static const hol_feature features[] = {
    {"lapack", 1, "dense linear algebra", HOL__LATE_OPENBLAS},
    {"suitesparse", HOL__WITH_SUITESPARSE, "fill-reducing orderings and sparse LU for large models",
     ""},
    {"hdf5", HOL__WITH_HDF5, "results in HDF5 files", HOL__LATE_HDF5},
    {"fyaml", HOL__WITH_FYAML, "models in YAML files", ""},
    {"cairo", HOL__WITH_CAIRO, "pictures as PNG and PDF", HOL__LATE_CAIRO},
    {"sundials", HOL__WITH_SUNDIALS, "integrators with a history of steps (CVODE, IDA)", ""},
    {"nlopt", HOL__WITH_NLOPT, "optimization of parameters (NLopt)", ""},
    {"cminpack", HOL__WITH_CMINPACK, "parameters fitted to data (MINPACK in C)", ""},
    {"xml2", HOL__WITH_XML2, "robot descriptions of other programs (URDF, MJCF)", HOL__LATE_XML2},
    {"zip", HOL__WITH_ZIP, "models as FMUs for other simulation programs", HOL__LATE_ZIP},
    {"mpi", HOL__WITH_MPI, "studies on several machines (Open MPI)", HOL__LATE_MPI},
    {"web", HOL__WITH_WEB, "reports as pages to look at", ""},
};

const char *hol_version(void) {
    return HOL_VERSION;
}

const hol_feature *hol_feature_get(int i) {
    return i >= 0 && i < (int)(sizeof features / sizeof *features) ? &features[i] : NULL;
}

/* version.h: the version of the library (semantic versioning) and what it was built with. */
#ifndef HOLONOM_VERSION_H
#define HOLONOM_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

#define HOL_VERSION_MAJOR 0
#define HOL_VERSION_MINOR 2
#define HOL_VERSION_PATCH 0
#define HOL_VERSION "0.2.0"

/* The version of the library that is linked, as "major.minor.patch". */
const char *hol_version(void);

/* One optional part of the build: its name, whether it is in, and what it is for. */
typedef struct hol_feature {
    const char *name;
    int built;
    const char *purpose;
    const char *loaded; /* its shared library, where that is loaded when it is first used; "" */
} hol_feature;

/* Part i; NULL past the end. */
const hol_feature *hol_feature_get(int i);

#ifdef __cplusplus
}
#endif
#endif

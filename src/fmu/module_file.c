/* module_file.c: where the runtime of FMUs is: beside the program in the folder of a build, in the
 * folder of libraries that belongs to the program, or where this library was installed. */
#define _GNU_SOURCE
#include "fmu/module_file.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Read a regular file; NULL where there is none, or no memory. */
static void *read_file(hol_context *ctx, const char *path, size_t *size) {
    struct stat about;
    FILE *file = fopen(path, "rbe");
    void *bytes = NULL;
    if (file && fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode)) {
        *size = (size_t)about.st_size;
        bytes = hol__alloc(ctx, *size + 1, 1);
    }
    if (bytes && fread(bytes, 1, *size, file) != *size) {
        hol__release(ctx, bytes);
        bytes = NULL;
    }
    if (file) fclose(file);
    return bytes;
}

/* A file seen from the folder of the running program. */
static void *read_beside(hol_context *ctx, const char *name, size_t *size) {
    char folder[4096];
    const ssize_t n = readlink("/proc/self/exe", folder, sizeof folder - 1);
    if (n <= 0) return NULL;
    folder[n] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash) *slash = '\0';
    hol__text path;
    hol__text_init(&path, ctx);
    hol__text_add(&path, "%s/%s", folder, name);
    void *bytes = path.failed ? NULL : read_file(ctx, path.data, size);
    hol__text_free(&path);
    return bytes;
}

hol_status hol__fmu_read_module(hol_context *ctx, const char *path, void **out, size_t *size) {
    *out = NULL;
    if (path) {
        *out = read_file(ctx, path, size);
        if (*out) return HOL_OK;
        return hol__report(ctx, HOL_ERROR, HOL_ERR_IO, NULL, NULL,
                           "the runtime of FMUs cannot be read: %s", path);
    }
    static const char *const beside[] = {"holonom_fmu.so", HOL__FMU_BESIDE};
    for (int i = 0; i < 2 && !*out; i++) *out = read_beside(ctx, beside[i], size);
    if (!*out) *out = read_file(ctx, HOL__FMU_INSTALLED, size);
    if (*out) return HOL_OK;
    return hol__report(ctx, HOL_ERROR, HOL_ERR_IO, NULL, NULL,
                       "the runtime of FMUs, holonom_fmu.so, is neither beside the program nor in "
                       "%s: this build has none (it needs static libraries of OpenBLAS, "
                       "SuiteSparse, SUNDIALS and libfyaml); give its path",
                       HOL__FMU_INSTALLED);
}

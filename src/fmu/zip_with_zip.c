/* zip_with_zip.c: archives by libzip, in memory, so that they are written as all other files are.
 * Their dates are fixed: the same files make the same bytes. */
#include "fmu/zip.h"

#include "fmu/zip_calls.h"

#include <string.h>

/* 1980-01-01, the first date that an archive can hold, as it is written. */
enum { DOS_DATE = 1 << 5 | 1 };

/* One more file in an archive that is open. */
static int add(zip_t *archive, const hol__zipped *file) {
    zip_source_t *source = zip_source_buffer(archive, file->data, file->size, 0);
    const zip_int64_t i = source ? zip_file_add(archive, file->name, source, ZIP_FL_ENC_UTF_8) : -1;
    if (i < 0) {
        if (source) zip_source_free(source);
        return 0;
    }
    const zip_uint32_t rights = strstr(file->name, ".so") ? 0100755 : 0100644;
    return zip_set_file_compression(archive, (zip_uint64_t)i, ZIP_CM_DEFLATE, 6) == 0 &&
           zip_file_set_dostime(archive, (zip_uint64_t)i, 0, DOS_DATE, 0) == 0 &&
           zip_file_set_external_attributes(archive, (zip_uint64_t)i, 0, ZIP_OPSYS_UNIX,
                                            rights << 16) == 0;
}

/* What an archive in a source has come to. */
static hol_status read_back(hol_context *ctx, zip_source_t *source, void **out, size_t *size) {
    zip_stat_t about;
    if (zip_source_stat(source, &about) != 0 || zip_source_open(source) != 0) return HOL_ERR_IO;
    *out = hol__alloc(ctx, about.size, 1);
    const zip_int64_t n = *out ? zip_source_read(source, *out, about.size) : 0;
    zip_source_close(source);
    if (!*out) return HOL_ERR_MEMORY;
    *size = (size_t)about.size;
    if (n == (zip_int64_t)about.size) return HOL_OK;
    hol__release(ctx, *out);
    *out = NULL;
    return HOL_ERR_IO;
}

/* The files in an archive over the source. */
static hol_status fill(zip_source_t *source, int n, const hol__zipped *files, zip_error_t *error) {
    zip_t *archive = zip_open_from_source(source, ZIP_TRUNCATE, error);
    if (!archive) return HOL_ERR_IO;
    zip_source_keep(source);
    int good = 1;
    for (int i = 0; i < n && good; i++) good = add(archive, &files[i]);
    if (good && zip_close(archive) == 0) return HOL_OK;
    zip_error_set(error, zip_error_code_zip(zip_get_error(archive)), 0);
    zip_discard(archive);
    zip_source_free(source);
    return HOL_ERR_IO;
}

hol_status hol__zip_files(hol_context *ctx, int n, const hol__zipped *files, void **out,
                          size_t *size) {
    zip_error_t error;
    *out = NULL;
    const char *missing = hol__zip_load();
    if (missing)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_FEATURE, NULL, NULL,
                           "libzip cannot be loaded: %s", missing);
    zip_error_init(&error);
    zip_source_t *source = zip_source_buffer_create(NULL, 0, 0, &error);
    hol_status status = source ? fill(source, n, files, &error) : HOL_ERR_IO;
    if (!status) {
        status = read_back(ctx, source, out, size);
        zip_source_free(source);
    }
    if (status == HOL_ERR_IO)
        hol__report(ctx, HOL_ERROR, status, NULL, NULL, "the archive cannot be made: %s",
                    zip_error_strerror(&error));
    zip_error_fini(&error);
    return status;
}

/* folder.c: files of one folder, all or none. See folder.h. */
#include "generate/folder.h"

#include "base/arena.h"
#include "common/in_file.h"
#include "io/out_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder is there: 1, and *made where it was not before; 0 after an error. */
static int make_folder(hol_context *ctx, const char *path, int *made) {
    struct stat about;
    *made = mkdir(path, 0777) == 0;
    const int reason = errno;
    if (*made || (reason == EEXIST && stat(path, &about) == 0 && S_ISDIR(about.st_mode))) return 1;
    hol__report(ctx, HOL_ERROR, HOL_ERR_IO, NULL, NULL, "cannot make the folder '%s': %s", path,
                reason == EEXIST ? "there is a file of that name" : strerror(reason));
    return 0;
}

/* Whether the file of that path says at its beginning that it was generated. */
static int is_generated(const char *path) {
    char start[512] = "";
    hol__in_file file;
    if (hol__in_open(path, 0, &file)) return 0;
    hol__in_read(&file, start, sizeof start - 1);
    hol__in_close(&file);
    return strstr(start, "enerated by holonom") != NULL;
}

/* Whether all files that are there may be overwritten: they were generated, by their own words or
 * by those of the folder's page (README.md); an error otherwise. */
static hol_status check_foreign(hol_context *ctx, const char *page, int n,
                                const char *const *paths) {
    if (is_generated(page)) return HOL_OK;
    for (int i = 0; i < n; i++)
        if (access(paths[i], F_OK) == 0 && !is_generated(paths[i]))
            return hol__report(ctx, HOL_ERROR, HOL_ERR_IO, NULL, NULL,
                               "'%s' is there already and was not generated, so it is not "
                               "overwritten; give a folder of its own to the code",
                               paths[i]);
    return HOL_OK;
}

hol_status hol__gfolder_write(hol_context *ctx, const char *folder, int n,
                              const hol__gfile *files) {
    hol__arena arena;
    int made, written = 0;
    hol_status status = HOL_OK;
    hol__arena_init(&arena, ctx);
    const char **paths = HOL__NEW_N(&arena, const char *, n + 1);
    unsigned char *fresh = HOL__NEW_N(&arena, unsigned char, n + 1);
    for (int i = 0; i < n && !arena.failed; i++)
        paths[i] = hol__arena_format(&arena, "%s/%s", folder, files[i].name);
    const char *page = hol__arena_format(&arena, "%s/README.md", folder);
    status = arena.failed ? HOL_ERR_MEMORY : check_foreign(ctx, page, n, paths);
    if (!status && !make_folder(ctx, folder, &made)) status = HOL_ERR_IO;
    if (status) {
        hol__arena_free(&arena);
        return status;
    }
    for (; written < n && !status; written++) {
        const hol__piece piece = {files[written].text.data, files[written].text.length};
        fresh[written] = access(paths[written], F_OK) != 0;
        status = hol__out_write(ctx, paths[written], &piece, 1);
        if (status) break;
    }
    for (int i = 0; i < written && status; i++)
        if (fresh[i]) hol__out_remove(ctx, paths[i]);
    if (status && made) rmdir(folder);
    hol__arena_free(&arena);
    return status;
}

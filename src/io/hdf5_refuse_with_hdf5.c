/* hdf5_refuse_with_hdf5.c: what is refused in HDF5 files, by name: everything that leads out of the
 * file (external and user-defined links, external storage, virtual datasets), soft links, which may
 * lead there, and filters other than deflate, shuffle and checksums, whose code may be loaded from
 * elsewhere. */
#include "io/hdf5_input.h"
#include "common/format.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void hol__h5input_wrong(hol__h5guard *guard, const char *format, ...) {
    va_list args;
    if (guard->failed) return;
    guard->failed = 1;
    va_start(args, format);
    hol__vprint(guard->reason, sizeof guard->reason, format, args);
    va_end(args);
}

/* ---- links ---- */

/* Whether the link at path is a hard one; notes it otherwise. */
static int is_hard(hol__h5guard *guard, hid_t file, const char *path) {
    H5L_info_t info;
    if (H5Lget_info(file, path, &info, H5P_DEFAULT) < 0) {
        hol__h5input_wrong(guard, "'%.150s' is damaged or missing", path);
        return 0;
    }
    if (info.type == H5L_TYPE_HARD) return 1;
    hol__h5input_wrong(guard,
                       "'%.100s' is %s; a result holds everything itself, and links are not "
                       "followed",
                       path,
                       info.type == H5L_TYPE_EXTERNAL ? "a link to another file (external link)"
                       : info.type == H5L_TYPE_SOFT   ? "a soft link"
                                                      : "a user-defined link");
    return 0;
}

/* Whether every step of the path is a hard link. */
static int check_links(hol__h5guard *guard, hid_t file, const char *path) {
    char part[1024];
    const size_t n = strlen(path);
    if (n >= sizeof part) {
        hol__h5input_wrong(guard, "'%.100s…' is too long a name", path);
        return 0;
    }
    for (size_t i = 1; i <= n; i++) {
        if (path[i] != '/' && path[i] != '\0') continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (strcmp(part, "/") != 0 && !is_hard(guard, file, part)) return 0;
    }
    return 1;
}

/* ---- storage ---- */

/* The filters that are read, with the most by which each can expand data. */
static const struct filter_row {
    H5Z_filter_t id;
    int expands;
} filters[] = {{H5Z_FILTER_DEFLATE, 1032}, {H5Z_FILTER_SHUFFLE, 1}, {H5Z_FILTER_FLETCHER32, 1}};

static const hsize_t HSIZE_MOST = (hsize_t)-1;

enum { N_FILTERS = sizeof filters / sizeof *filters };

/* How much the filter of that number can expand data; 0 where it is not read. */
static int expands(H5Z_filter_t id) {
    for (int i = 0; i < N_FILTERS; i++)
        if (filters[i].id == id) return filters[i].expands;
    return 0;
}

/* Filter i of a dataset, and its name. */
static H5Z_filter_t filter_of(hid_t create, int i, char *name, size_t size) {
    unsigned flags, config;
    size_t n = 0;
    name[0] = '\0';
    const H5Z_filter_t id =
        H5Pget_filter2(create, (unsigned)i, &flags, &n, NULL, size, name, &config);
    name[size - 1] = '\0';
    return id;
}

/* Note what is wrong with the storage of the set at path; whether nothing is. */
static int check_storage(hol__h5guard *guard, hid_t create, const char *path) {
    char name[64];
    if (H5Pget_layout(create) == H5D_VIRTUAL)
        hol__h5input_wrong(guard,
                           "'%.100s' is a virtual dataset, made of others; results are read from "
                           "one file only",
                           path);
    else if (H5Pget_external_count(create) != 0)
        hol__h5input_wrong(guard,
                           "'%.100s' keeps its data in another file (external storage); results "
                           "are read from one file only",
                           path);
    const int n = guard->failed ? 0 : H5Pget_nfilters(create);
    for (int i = 0; i < n && !guard->failed; i++) {
        const H5Z_filter_t id = filter_of(create, i, name, sizeof name);
        if (!expands(id))
            hol__h5input_wrong(guard,
                               "'%.100s' is stored through the filter %d (%.40s); deflate (gzip), "
                               "shuffle and fletcher32 are read",
                               path, (int)id, *name ? name : "without a name");
    }
    if (n < 0) hol__h5input_wrong(guard, "'%.150s' is damaged", path);
    return !guard->failed;
}

hsize_t hol__h5input_most(hid_t set, hsize_t n) {
    char name[64];
    const hid_t create = H5Dget_create_plist(set);
    const int count = create >= 0 ? H5Pget_nfilters(create) : 0;
    for (int i = 0; i < count; i++) {
        const int by = expands(filter_of(create, i, name, sizeof name));
        if (by > 1) n = n < HSIZE_MOST / (hsize_t)by ? n * (hsize_t)by : HSIZE_MOST;
    }
    if (create >= 0) H5Pclose(create);
    return n;
}

/* ---- opening ---- */

hid_t hol__h5input_group(hol__h5guard *guard, hid_t file, const char *path) {
    if (guard->failed || !check_links(guard, file, path)) return -1;
    const hid_t group = H5Gopen2(file, path, H5P_DEFAULT);
    if (group < 0) hol__h5input_wrong(guard, "'%.150s' is damaged", path);
    return group;
}

hid_t hol__h5input_set(hol__h5guard *guard, hid_t file, const char *path) {
    if (guard->failed || !check_links(guard, file, path)) return -1;
    const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    const hid_t create = set >= 0 ? H5Dget_create_plist(set) : -1;
    if (create < 0) hol__h5input_wrong(guard, "'%.150s' is damaged", path);
    const int good = create >= 0 && check_storage(guard, create, path);
    if (create >= 0) H5Pclose(create);
    if (good) return set;
    if (set >= 0) H5Dclose(set);
    return -1;
}

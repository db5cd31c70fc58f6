/* hdf5_read_with_hdf5.c: HDF5 results read back: time, measures, energies, violations, and all
 * texts. It runs in a process apart: damage can make HDF5 crash, run in circles and ask for any
 * memory.
 *
 * The file of a run that was killed has datasets that may differ in length by what was being
 * written; the result has as many rows as all of them hold. What a damaged file claims about sizes
 * is compared with what it stores before memory is asked for.
 */
#define _POSIX_C_SOURCE 200809L
#include "common/number.h"
#include "io/hdf5_content.h"
#include "io/hdf5_input.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An attribute takes 64 KB at most. */
enum { FORMAT_VERSION = 1, MOST_LISTED = 65536 / sizeof(double) };

static const char NO_MEMORY[] = "it needs more memory than a file of its size may take";

#define DAMAGED "'%.200s' is damaged or missing"

/* A column on the way in: where it is in the file. */
typedef struct source {
    const char *path;
    hol_column column;
    long order;
} source;

typedef struct h5_reader {
    hol__h5guard guard;
    hol_result *result;
    hid_t file;
    int n_sources, capacity;
    source *sources;
    hsize_t rows;
    const char *prefix; /* of the keys of texts while attributes are walked */
    int no_memory;
} h5_reader;

/* Whether the file behind fd has the mark of HDF5 at one of the places where it may stand: 0, 512,
 * 1024, 2048 … */
static int is_hdf5(int fd) {
    char mark[8];
    for (off_t at = 0; pread(fd, mark, sizeof mark, at) == sizeof mark; at = at ? 2 * at : 512)
        if (memcmp(mark, "\211HDF\r\n\032\n", sizeof mark) == 0) return 1;
    return 0;
}

hid_t hol__h5content_open(hol__h5guard *guard, int fd) {
    if (!hol__h5guard_take(guard)) return -1;
    H5PLset_loading_state(0);
    if (is_hdf5(fd)) return hol__h5input_open(guard, fd);
    hol__h5input_wrong(guard, "it is not an HDF5 file");
    return -1;
}

/* ---- texts ---- */

/* The only element of a text object of up to `most` bytes, read by the given function, in the
 * arena; NULL when it is no text of a fixed length. */
static const char *read_text(hol__arena *arena, hid_t object, hid_t type, hid_t space, hsize_t most,
                             herr_t (*read)(hid_t object, hid_t type, void *to)) {
    if (type < 0 || space < 0 || H5Tget_class(type) != H5T_STRING ||
        H5Tis_variable_str(type) != 0 || H5Sget_simple_extent_npoints(space) != 1)
        return NULL;
    const size_t n = H5Tget_size(type);
    char *text = n <= most ? hol__arena_alloc(arena, n + 1, 1) : NULL;
    return text && read(object, type, text) >= 0 ? text : NULL;
}

/* The two ways to read a text. */
static herr_t read_from_attribute(hid_t object, hid_t type, void *to) {
    return H5Aread(object, type, to);
}

/* The same for a dataset. */
static herr_t read_from_set(hid_t object, hid_t type, void *to) {
    return H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
}

/* n reals of an open attribute, written out with ", " between them; NULL after an error. */
static const char *list_text(hol__arena *arena, hid_t attribute, hssize_t n) {
    const int known = n <= MOST_LISTED ? (int)n : -1;
    double *values = known >= 0 ? HOL__NEW_N(arena, double, known + 1) : NULL;
    char *text = values ? HOL__NEW_N(arena, char, known *(HOL__NUMBER_SIZE + 2) + 1) : NULL;
    char *end = text;
    if (!text || (known > 0 && H5Aread(attribute, H5T_NATIVE_DOUBLE, values) < 0)) return NULL;
    for (int i = 0; i < known; i++) {
        if (i) *end++ = ',', *end++ = ' ';
        end += hol__number_write(values[i], 0, end);
    }
    *end = '\0';
    return text;
}

/* An open attribute as text: texts as they are, numbers written out; NULL for anything else. */
static const char *attribute_text(hol__arena *arena, hid_t attribute) {
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    const hssize_t points = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    const int one = points == 1;
    const char *text = read_text(arena, attribute, type, space, H5Aget_storage_size(attribute),
                                 read_from_attribute);
    long long integer;
    if (one && H5Tget_class(type) == H5T_INTEGER &&
        H5Aread(attribute, H5T_NATIVE_LLONG, &integer) >= 0)
        text = hol__arena_format(arena, "%lld", integer);
    if (points >= 0 && H5Tget_class(type) == H5T_FLOAT) text = list_text(arena, attribute, points);
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
    return text;
}

/* The attribute of an object by name as text; NULL when there is none or it is damaged, which the
 * guard notes. */
static const char *attribute_of(h5_reader *r, hid_t object, const char *name) {
    const htri_t there = H5Aexists(object, name);
    if (!hol__h5ok(&r->guard, there) || !there) return NULL;
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (!hol__h5ok(&r->guard, attribute)) return NULL;
    const char *text = attribute_text(&r->result->arena, attribute);
    H5Aclose(attribute);
    if (!text) hol__h5input_wrong(&r->guard, DAMAGED, name);
    return text;
}

/* Keep one attribute as a text of the result, under prefix + name. */
static herr_t take_attribute(hid_t object, const char *name, const H5A_info_t *info, void *self) {
    h5_reader *r = self;
    (void)info;
    const char *text = attribute_of(r, object, name);
    const char *key = hol__arena_format(&r->result->arena, "%s%s", r->prefix, name);
    if (!text) return -1;
    if (!key || !hol__result_add_text(r->result, key, text)) r->no_memory = 1;
    return r->no_memory ? -1 : 0;
}

/* All attributes of the group at path as texts with a prefix. */
static void take_attributes(h5_reader *r, const char *path, const char *prefix) {
    const hid_t group = hol__h5input_group(&r->guard, r->file, path);
    if (group < 0) return;
    r->prefix = prefix;
    hol__h5ok(&r->guard, H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_INC, NULL, take_attribute, r));
    H5Gclose(group);
}

/* The texts of a dataset, a line each, under a key; nothing where the file has no such dataset. */
static void take_names(h5_reader *r, const char *group, const char *path, const char *key) {
    if (r->guard.failed || H5Lexists(r->file, group, H5P_DEFAULT) <= 0 ||
        H5Lexists(r->file, path, H5P_DEFAULT) <= 0)
        return;
    const hid_t set = hol__h5input_set(&r->guard, r->file, path);
    if (set < 0) return;
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    const hssize_t n = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    const size_t size = type >= 0 ? H5Tget_size(type) : 0;
    const int sound = n >= 0 && n <= INT_MAX && H5Tget_class(type) == H5T_STRING &&
                      H5Tis_variable_str(type) == 0 && size > 0 &&
                      (hsize_t)n * size <= H5Dget_storage_size(set);
    char *rows = sound ? hol__arena_alloc(&r->result->arena, (size_t)n + 1, size) : NULL;
    char *lines = rows ? hol__arena_alloc(&r->result->arena, (size_t)n + 1, size + 1) : NULL;
    char *end = lines;
    if (lines && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows) >= 0) {
        for (hssize_t i = 0; i < n; i++) {
            const size_t length = strnlen(rows + (size_t)i * size, size);
            memcpy(end, rows + (size_t)i * size, length);
            end += length;
            *end++ = '\n';
        }
        if (!hol__result_add_text(r->result, key, lines)) r->no_memory = 1;
    } else {
        hol__h5input_wrong(&r->guard, DAMAGED, path);
    }
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
    H5Dclose(set);
}

/* The model file that is stored in the result, and short names for what is asked for most. */
static void take_texts(h5_reader *r) {
    static const char *const also[][2] = {{"version", "holonom_version"},
                                          {"name", "model_name"},
                                          {"hash", "model_hash"},
                                          {"end", "statistics.end"}};
    take_attributes(r, "/", "");
    take_attributes(r, "/options", "options.");
    take_attributes(r, "/statistics", "statistics.");
    const hid_t set = hol__h5input_set(&r->guard, r->file, "/model");
    if (set >= 0) {
        const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
        const char *text =
            read_text(&r->result->arena, set, type, space, H5Dget_storage_size(set), read_from_set);
        if (!text)
            hol__h5input_wrong(&r->guard, DAMAGED, "model");
        else if (!hol__result_add_text(r->result, "model", text))
            r->no_memory = 1;
        if (type >= 0) H5Tclose(type);
        if (space >= 0) H5Sclose(space);
        H5Dclose(set);
    }
    take_names(r, "/bodies", "/bodies/names", "bodies.names");
    take_names(r, "/joints", "/joints/names", "joints.names");
    take_names(r, "/forces", "/forces/names", "forces.names");
    for (size_t i = 0; i < sizeof also / sizeof *also; i++) {
        const char *text = hol_result_text(r->result, also[i][1]);
        if (text && !hol__result_add_text(r->result, also[i][0], text)) r->no_memory = 1;
    }
}

/* ---- numbers ---- */

int hol__h5content_sizes(hid_t set, hsize_t dims[3]) {
    const hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    const H5T_class_t kind = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
    hsize_t total = 1;
    int good = rank >= 1 && rank <= 3 && (kind == H5T_FLOAT || kind == H5T_INTEGER);
    dims[0] = dims[1] = dims[2] = 1;
    if (good) good = H5Sget_simple_extent_dims(space, dims, NULL) == rank;
    for (int i = 0; i < 3 && good; i++) {
        good = dims[i] <= INT_MAX && (dims[i] == 0 || total <= ((hsize_t)1 << 40) / dims[i]);
        total *= dims[i];
    }
    if (good) good = total * H5Tget_size(type) <= hol__h5input_most(set, H5Dget_storage_size(set));
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    return good;
}

/* Note a column that the file has. */
static void add_source(h5_reader *r, const char *path, hol_column column, long order) {
    hol__arena *arena = &r->result->arena;
    source *grown = hol__arena_grow(arena, r->sources, sizeof *grown, r->n_sources, &r->capacity,
                                    r->n_sources + 1);
    if (!grown || !path || !column.name) {
        r->no_memory = 1;
        return;
    }
    r->sources = grown;
    grown[r->n_sources++] = (source){path, column, order};
}

/* Look at the dataset at path: its attributes, and how many rows it has. name is for where it has
 * none itself. */
static void look_at(h5_reader *r, const char *path, const char *name) {
    hsize_t dims[3];
    const hid_t set = path ? hol__h5input_set(&r->guard, r->file, path) : -1;
    if (set < 0 || !hol__h5content_sizes(set, dims) || dims[1] != 1 || dims[2] != 1) {
        if (set >= 0) H5Dclose(set);
        hol__h5input_wrong(&r->guard, DAMAGED, path ? path : name);
        return;
    }
    const char *own = attribute_of(r, set, "name"), *order = attribute_of(r, set, "column");
    const hol_column column = {own ? own : name, attribute_of(r, set, "unit"),
                               attribute_of(r, set, "frame"), attribute_of(r, set, "description")};
    add_source(r, path, column, order ? atol(order) : 0);
    if (dims[0] < r->rows) r->rows = dims[0];
    H5Dclose(set);
}

/* Look at one dataset of /measures. */
static herr_t look_at_measure(hid_t group, const char *name, const H5L_info_t *info, void *self) {
    h5_reader *r = self;
    (void)group, (void)info;
    const char *own = hol__arena_text(&r->result->arena, name);
    look_at(r, hol__arena_format(&r->result->arena, "/measures/%s", name), own ? own : "");
    return r->guard.failed || r->no_memory ? -1 : 0;
}

/* Order of columns. */
static int by_order(const void *a, const void *b) {
    const source *p = a, *q = b;
    if (p->order != q->order) return p->order < q->order ? -1 : 1;
    return strcmp(p->path, q->path);
}

/* Find all columns: time, measures in their order, energies and violations. */
static void find_columns(h5_reader *r) {
    static const char *const others[][2] = {
        {"/energy/kinetic", "energy.kinetic"},
        {"/energy/potential", "energy.potential"},
        {"/energy/work", "energy.work"},
        {"/energy/balance", "energy.balance"},
        {"/constraints/position_violation", "constraints.position_violation"},
        {"/constraints/velocity_violation", "constraints.velocity_violation"}};
    look_at(r, "/time", "time");
    if (!r->guard.failed && H5Lexists(r->file, "measures", H5P_DEFAULT) > 0) {
        const hid_t group = hol__h5input_group(&r->guard, r->file, "/measures");
        const herr_t done =
            group < 0 ? -1
                      : H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, look_at_measure, r);
        if (!r->guard.failed) hol__h5ok(&r->guard, done);
        if (group >= 0) H5Gclose(group);
    }
    if (r->n_sources > 1)
        qsort(r->sources + 1, (size_t)r->n_sources - 1, sizeof *r->sources, by_order);
    for (size_t i = 0; i < sizeof others / sizeof *others && !r->guard.failed; i++)
        look_at(r, others[i][0], others[i][1]);
}

/* The first r->rows numbers of a column into the result. */
static void read_column(h5_reader *r, const source *from) {
    double *values = hol__result_add(r->result, &from->column);
    if (!values) {
        r->no_memory = 1;
        return;
    }
    if (r->rows == 0) return;
    const hid_t set = hol__h5input_set(&r->guard, r->file, from->path);
    if (set < 0) return;
    const hid_t space = H5Dget_space(set);
    const hsize_t start[3] = {0, 0, 0}, count[3] = {r->rows, 1, 1};
    const hid_t memory = H5Screate_simple(1, count, NULL);
    if (hol__h5ok(&r->guard, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL)))
        hol__h5ok(&r->guard, H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values));
    if (memory >= 0) H5Sclose(memory);
    if (space >= 0) H5Sclose(space);
    H5Dclose(set);
}

/* Whether the file says that it is a result, of a version that we know. */
static int check_format(h5_reader *r) {
    const char *format = attribute_of(r, r->file, "format");
    const char *version = attribute_of(r, r->file, "format_version");
    if (format && strcmp(format, "holonom answer") == 0)
        hol__h5input_wrong(&r->guard,
                           "it holds the tables of an analysis, not the results of a run; "
                           "read its datasets with h5py, Octave or h5dump");
    else if (!format || strcmp(format, "holonom result") != 0)
        hol__h5input_wrong(&r->guard, "it is an HDF5 file, but not a result of holonom");
    else if (!version || atol(version) > FORMAT_VERSION || atol(version) < 1)
        hol__h5input_wrong(&r->guard, "it was written by a newer version of holonom");
    return !r->guard.failed;
}

/* Everything of an open result into memory. */
static void read_all(h5_reader *r) {
    hol_result *result = r->result;
    find_columns(r);
    result->rows = (int)r->rows;
    for (int i = 0; i < r->n_sources && !r->guard.failed && !r->no_memory; i++)
        read_column(r, &r->sources[i]);
    if (!r->guard.failed && !r->no_memory) take_texts(r);
}

int hol__h5content_result(hol_result *result, int fd, char reason[HOL__H5_REASON]) {
    h5_reader r = {.result = result, .rows = INT_MAX};
    r.file = hol__h5content_open(&r.guard, fd);
    if (r.file >= 0 && check_format(&r)) read_all(&r);
    if (r.no_memory || result->arena.failed)
        snprintf(reason, HOL__H5_REASON, "%s", NO_MEMORY);
    else if (r.guard.failed)
        snprintf(reason, HOL__H5_REASON, "%s", r.guard.reason);
    else
        return 1;
    return 0;
}

/* All numbers of an open dataset; NULL after an error. */
static double *read_block(hol_context *ctx, hol__h5guard *guard, hid_t set, const char *name,
                          int dims[3]) {
    hsize_t sizes[3];
    if (!hol__h5content_sizes(set, sizes)) {
        hol__h5input_wrong(guard, DAMAGED, name);
        return NULL;
    }
    for (int i = 0; i < 3; i++) dims[i] = (int)sizes[i];
    double *values = hol__alloc(ctx, (size_t)(sizes[0] * sizes[1] * sizes[2]), sizeof *values);
    if (!values)
        hol__h5input_wrong(guard, "%s", NO_MEMORY);
    else if (H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
        hol__h5input_wrong(guard, DAMAGED, name);
    return guard->failed ? NULL : values;
}

double *hol__h5content_block(hol_context *ctx, int fd, const char *dataset, int dims[3],
                             char reason[HOL__H5_REASON]) {
    hol__h5guard guard;
    const hid_t file = hol__h5content_open(&guard, fd);
    const hid_t set = file >= 0 ? hol__h5input_set(&guard, file, dataset) : -1;
    double *values = set >= 0 ? read_block(ctx, &guard, set, dataset, dims) : NULL;
    if (!values) snprintf(reason, HOL__H5_REASON, "%s", guard.reason);
    return values;
}

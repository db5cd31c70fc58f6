/* hdf5_read_with_hdf5.c: HDF5 results read back: time, measures, energies, violations, and all
 * texts.
 *
 * The file of a run that was killed has datasets that may differ in length by what was being
 * written; the result has as many rows as all of them hold. What a damaged file claims about sizes
 * is compared with what it stores before memory is asked for.
 */
#include "io/format.h"
#include "io/hdf5_guard.h"
#include "common/number.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An attribute takes 64 KB at most. */
enum { FORMAT_VERSION = 1, MOST_LISTED = 65536 / sizeof(double) };

/* A column on the way in: where it is in the file. */
typedef struct source {
    const char *path;
    hol_column column;
    long order;
} source;

typedef struct h5_reader {
    hol__h5guard guard;
    hol_result *result;
    const char *path;
    hid_t file;
    int n_sources, capacity;
    source *sources;
    hsize_t rows;
    const char *prefix; /* of the keys of texts while attributes are walked */
    int no_memory;
} h5_reader;

/* Report that the file cannot be read. */
static hol_status cannot_read(hol_context *ctx, const char *path, const char *reason) {
    const hol_location where = {path, 0, 0};
    return hol__report(ctx, HOL_ERROR, HOL_ERR_IO, &where, NULL, "cannot read '%s': %s", path,
                       reason);
}

/* Note that a part of the file is damaged or missing. */
static void damaged(h5_reader *r, const char *name) {
    if (!r->guard.failed)
        snprintf(r->guard.reason, sizeof r->guard.reason, "'%.200s' is damaged or missing", name);
    r->guard.failed = 1;
}

/* Open the file for reading; -1 after an error, which is reported. */
static hid_t open_file(hol_context *ctx, hol__h5guard *guard, const char *path) {
    FILE *probe = fopen(path, "rb");
    if (!probe) {
        cannot_read(ctx, path, strerror(errno));
        return -1;
    }
    fclose(probe);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0) H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    const htri_t is = H5Fis_hdf5(path);
    const hid_t file = is > 0 ? H5Fopen(path, H5F_ACC_RDONLY, access) : -1;
    if (is <= 0) {
        guard->failed = 1;
        cannot_read(ctx, path, "it is not an HDF5 file");
    } else if (!hol__h5ok(guard, file))
        cannot_read(ctx, path, guard->reason);
    if (access >= 0) H5Pclose(access);
    return file;
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
    if (!text) damaged(r, name);
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
    const hid_t group = H5Gopen2(r->file, path, H5P_DEFAULT);
    if (!hol__h5ok(&r->guard, group)) return;
    r->prefix = prefix;
    hol__h5ok(&r->guard, H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_INC, NULL, take_attribute, r));
    H5Gclose(group);
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
    const hid_t set = H5Dopen2(r->file, "model", H5P_DEFAULT);
    if (hol__h5ok(&r->guard, set)) {
        const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
        const char *text =
            read_text(&r->result->arena, set, type, space, H5Dget_storage_size(set), read_from_set);
        if (!text)
            damaged(r, "model");
        else if (!hol__result_add_text(r->result, "model", text))
            r->no_memory = 1;
        if (type >= 0) H5Tclose(type);
        if (space >= 0) H5Sclose(space);
        H5Dclose(set);
    }
    for (size_t i = 0; i < sizeof also / sizeof *also; i++) {
        const char *text = hol_result_text(r->result, also[i][1]);
        if (text && !hol__result_add_text(r->result, also[i][0], text)) r->no_memory = 1;
    }
}

/* ---- numbers ---- */

/* The sizes of an open dataset of numbers (1 in missing dimensions); 0 when it claims more than it
 * stores. */
static int set_sizes(hid_t set, hsize_t dims[3]) {
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
    if (good) good = total * H5Tget_size(type) <= H5Dget_storage_size(set);
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
    const hid_t set = path ? H5Dopen2(r->file, path, H5P_DEFAULT) : -1;
    if (set < 0 || !set_sizes(set, dims) || dims[1] != 1 || dims[2] != 1) {
        if (set >= 0) H5Dclose(set);
        damaged(r, path ? path : name);
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
    if (H5Lexists(r->file, "measures", H5P_DEFAULT) > 0) {
        const hid_t group = H5Gopen2(r->file, "measures", H5P_DEFAULT);
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
    const hid_t set = H5Dopen2(r->file, from->path, H5P_DEFAULT);
    if (!hol__h5ok(&r->guard, set)) return;
    const hid_t space = H5Dget_space(set);
    const hsize_t start[3] = {0, 0, 0}, count[3] = {r->rows, 1, 1};
    const hid_t memory = H5Screate_simple(1, count, NULL);
    if (hol__h5ok(&r->guard, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL)))
        hol__h5ok(&r->guard, H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values));
    if (memory >= 0) H5Sclose(memory);
    if (space >= 0) H5Sclose(space);
    H5Dclose(set);
}

/* Whether the file says that it is a result, of a version that we know; reports it otherwise. */
static int check_format(h5_reader *r) {
    const char *format = attribute_of(r, r->file, "format");
    const char *version = attribute_of(r, r->file, "format_version");
    if (r->guard.failed)
        cannot_read(r->result->ctx, r->path, r->guard.reason);
    else if (!format || strcmp(format, "holonom result") != 0)
        cannot_read(r->result->ctx, r->path, "it is an HDF5 file, but not a result of holonom");
    else if (!version || atol(version) > FORMAT_VERSION || atol(version) < 1)
        cannot_read(r->result->ctx, r->path, "it was written by a newer version of holonom");
    else
        return 1;
    return 0;
}

/* Everything of an open result into memory. */
static hol_status read_all(h5_reader *r) {
    hol_result *result = r->result;
    find_columns(r);
    result->rows = (int)r->rows;
    for (int i = 0; i < r->n_sources && !r->guard.failed && !r->no_memory; i++)
        read_column(r, &r->sources[i]);
    if (!r->guard.failed && !r->no_memory) take_texts(r);
    if (r->no_memory || result->arena.failed) return HOL_ERR_MEMORY;
    return r->guard.failed ? cannot_read(result->ctx, r->path, r->guard.reason) : HOL_OK;
}

hol_status hol__hdf5_read(hol_result *result, const char *path) {
    h5_reader r = {.result = result, .path = path, .rows = INT_MAX};
    hol__h5guard_take(&r.guard);
    r.file = open_file(result->ctx, &r.guard, path);
    const hol_status status = r.file >= 0 && check_format(&r) ? read_all(&r) : HOL_ERR_IO;
    if (r.file >= 0) H5Fclose(r.file);
    hol__h5guard_release(&r.guard);
    return status;
}

/* All numbers of an open dataset; NULL after an error. */
static double *read_block(hol_context *ctx, hol__h5guard *guard, hid_t set, int dims[3]) {
    hsize_t sizes[3];
    if (!hol__h5ok(guard, set) || !hol__h5ok(guard, set_sizes(set, sizes) - 1)) return NULL;
    for (int i = 0; i < 3; i++) dims[i] = (int)sizes[i];
    double *values = hol__alloc(ctx, (size_t)(sizes[0] * sizes[1] * sizes[2]), sizeof *values);
    if (values &&
        hol__h5ok(guard, H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values)))
        return values;
    hol__release(ctx, values);
    return NULL;
}

double *hol__hdf5_block(hol_context *ctx, const char *path, const char *dataset, int dims[3]) {
    hol__h5guard guard;
    hol__h5guard_take(&guard);
    const hid_t file = open_file(ctx, &guard, path);
    const hid_t set = file >= 0 ? H5Dopen2(file, dataset, H5P_DEFAULT) : -1;
    double *values = file >= 0 ? read_block(ctx, &guard, set, dims) : NULL;
    if (file >= 0 && !values && guard.failed) {
        const hol_location where = {path, 0, 0};
        hol__report(ctx, HOL_ERROR, HOL_ERR_IO, &where, NULL,
                    "the dataset '%s' is damaged or missing", dataset);
    }
    if (set >= 0) H5Dclose(set);
    if (file >= 0) H5Fclose(file);
    hol__h5guard_release(&guard);
    return values;
}

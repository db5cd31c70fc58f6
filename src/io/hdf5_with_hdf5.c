/* hdf5_with_hdf5.c: results as HDF5: everything that a run computes, with its model, options and
 * statistics.
 *
 *   /                attributes: format, format_version, holonom_version, model_name, model_hash,
 *                    method, kernel …
 *   /model           the whole model file
 *   /options         attributes: the options as they were used
 *   /time            and one dataset for each field of the record (record.c), the first dimension
 *                    being time:
 *   /measures/…      attributes unit, frame, description, name (as the model has it) and column
 *                    (its order)
 *   /energy/… /constraints/… /state/…
 *   /bodies/… /joints/… /forces/…    with the names of each in …/names
 *   /statistics      attributes: end ("running" until the file is closed), steps …
 *
 * Datasets of what has no column have an attribute `extremes`: minimum, its time, maximum, its time
 * over all accepted steps, one after another in its first dimension. Those of measures,
 * energies and violations are statistics.
 *
 * Records collect in a buffer and go to the file when it is full, or when a second has passed since
 * the last time; then the file is flushed. Only a flush changes the file, all at once
 * (hdf5_driver_with_hdf5.c), so that a run that is killed at any moment or meets a full disk leaves
 * a readable file with the records up to the last flush. The file has the format of HDF5 1.8, whose
 * descriptions of data carry checksums: most damage is noticed. Not all of it is, so that files are
 * read in a process apart. No times of day and no durations are written: the same run gives the
 * same file.
 */
#include "base/text.h"
#include "common/clock.h"
#include "io/format.h"
#include "io/hdf5_content.h"
#include "io/hdf5_driver.h"
#include "io/hdf5_guard.h"

#include <string.h>

enum {
    FORMAT_VERSION = 1,
    BUFFER_ROWS = 256,
    BUFFER_BYTES = 8 << 20,
    TEXT_SIZE = 60000,
    WARNING_BYTES = 16384
};

/* Seconds after which the records so far go to the file. */
static const double FLUSH_AFTER = 1.0;

typedef struct h5_file {
    hol_context *ctx;
    const hol__record *record;
    hol__out_file *out;
    hol__h5driver driver;
    hid_t driver_id;
    hid_t file;
    hid_t links, groups; /* how links and groups are created */
    hid_t text, single;  /* the type of texts, of the last one's length; the space of one value */
    hid_t *sets;         /* by field; -1 where it is empty */
    double *buffer;      /* by field: rows x size */
    int rows, filled;
    hsize_t written;
    double flushed_at;
    int failed;
} h5_file;

/* End a guarded part: report a failure once; HOL_OK when there was none. */
static hol_status finish(h5_file *f, const hol__h5guard *guard) {
    hol__h5guard_release(guard);
    if (!guard->failed && !f->driver.reason) return f->failed ? HOL_ERR_IO : HOL_OK;
    if (!f->failed) hol__out_fail(f->out, f->driver.reason, guard->reason);
    f->failed = 1;
    return HOL_ERR_IO;
}

/* ---- attributes and texts ---- */

/* Write values of the memory type as an attribute of the object, which has none of that name yet.
 * values may be NULL where it is empty. */
static void put_in(hol__h5guard *g, hid_t object, const char *name, hid_t type, hid_t space,
                   const void *values) {
    const hid_t attribute =
        g->failed ? -1 : H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (g->failed || !hol__h5ok(g, attribute)) return;
    if (values) hol__h5ok(g, H5Awrite(attribute, type, values));
    H5Aclose(attribute);
}

/* Write a text as an attribute; HDF5 takes 64 KB at most. */
static void put_text(hol__h5guard *g, const h5_file *f, hid_t object, const char *name,
                     const char *text) {
    const char *value = text ? text : "";
    const size_t n = strlen(value) < TEXT_SIZE ? strlen(value) : TEXT_SIZE;
    if (!g->failed && hol__h5ok(g, H5Tset_size(f->text, n + 1)))
        put_in(g, object, name, f->text, f->single, value);
}

/* Write a number as an attribute. */
static void put_long(hol__h5guard *g, const h5_file *f, hid_t object, const char *name,
                     long value) {
    put_in(g, object, name, H5T_NATIVE_LONG, f->single, &value);
}

/* Write numbers as an attribute, as many as fit into one. */
static void put_list(hol__h5guard *g, hid_t object, const char *name, hol_list list) {
    const int most = TEXT_SIZE / (int)sizeof *list.values, n = list.n < most ? list.n : most;
    const hsize_t count = (hsize_t)n;
    const hid_t space = H5Screate_simple(1, &count, NULL);
    put_in(g, object, name, H5T_NATIVE_DOUBLE, space, n ? list.values : NULL);
    if (space >= 0) H5Sclose(space);
}

/* A group; -1 after a failure. */
static hid_t make_group(hol__h5guard *g, const h5_file *f, const char *name) {
    if (g->failed) return -1;
    const hid_t group = H5Gcreate2(f->file, name, f->links, f->groups, H5P_DEFAULT);
    hol__h5ok(g, group);
    return group;
}

/* n texts of the type in one row after another, as a dataset: a list, or one alone where n is
 * -1. */
static void put_rows(hol__h5guard *g, const h5_file *f, const char *path, int n, hid_t type,
                     const char *rows) {
    const hsize_t count = n < 0 ? 1 : (hsize_t)n;
    const hid_t space = n < 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, NULL);
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    hol__h5ok(g, H5Pset_obj_track_times(create, 0));
    const hid_t set =
        g->failed ? -1 : H5Dcreate2(f->file, path, type, space, f->links, create, H5P_DEFAULT);
    if (!g->failed && hol__h5ok(g, set)) {
        hol__h5ok(g, H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows));
        H5Dclose(set);
    }
    if (space >= 0) H5Sclose(space);
    if (create >= 0) H5Pclose(create);
}

/* Whether no byte is beyond ASCII. */
static int is_ascii(const char *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)bytes[i] > 127) return 0;
    return 1;
}

/* Texts as a dataset: a list of n, or one alone where n is -1. 0 without memory. */
static int put_texts(hol__h5guard *g, const h5_file *f, const char *path, int n,
                     const char *const *texts) {
    const size_t count = n < 0 ? 1 : (size_t)n;
    size_t size = 0;
    if (g->failed || n == 0) return 1;
    for (size_t i = 0; i < count; i++) size = strlen(texts[i]) > size ? strlen(texts[i]) : size;
    char *rows = hol__alloc(f->ctx, count, size + 1);
    const hid_t type = rows ? hol__h5text_type(size) : -1;
    for (size_t i = 0; rows && i < count; i++)
        memcpy(rows + i * (size + 1), texts[i], strlen(texts[i]));
    /* Octave reads texts of ASCII alone */
    if (type >= 0 && is_ascii(rows, count * (size + 1))) H5Tset_cset(type, H5T_CSET_ASCII);
    if (rows && hol__h5ok(g, type)) put_rows(g, f, path, n, type, rows);
    if (type >= 0) H5Tclose(type);
    hol__release(f->ctx, rows);
    return rows != NULL;
}

/* ---- datasets ---- */

/* A name that can be a link: without slashes, not only dots, not taken in the group. */
static void link_name(hid_t group, const char *name, char *buf, size_t size) {
    size_t n = 0;
    for (; name[n] && n + 24 < size; n++) buf[n] = name[n] == '/' ? '_' : name[n];
    buf[n] = '\0';
    if (strspn(buf, ".") == n) memcpy(buf, "_", 2), n = 1;
    for (int i = 2; H5Lexists(group, buf, H5P_DEFAULT) > 0; i++)
        snprintf(buf + n, size - n, "_%d", i);
}

/* The dataset of a field: extendible in time, in pieces of as many records as the buffer has. */
static hid_t make_set(hol__h5guard *g, const h5_file *f, hid_t group, const hol__field *field) {
    hsize_t dims[3] = {0, (hsize_t)field->dims[0], (hsize_t)field->dims[1]};
    hsize_t most[3] = {H5S_UNLIMITED, dims[1], dims[2]};
    const hsize_t chunk[3] = {(hsize_t)f->rows, dims[1], dims[2]};
    char name[512];
    link_name(group, field->name, name, sizeof name);
    const hid_t space = H5Screate_simple(field->rank + 1, dims, most);
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    hol__h5ok(g, H5Pset_obj_track_times(create, 0));
    hol__h5ok(g, H5Pset_chunk(create, field->rank + 1, chunk));
    const hid_t set = g->failed ? -1
                                : H5Dcreate2(group, name, H5T_NATIVE_DOUBLE, space, f->links,
                                             create, H5P_DEFAULT);
    if (!g->failed) hol__h5ok(g, set);
    put_text(g, f, set, "unit", field->unit);
    put_text(g, f, set, "frame", field->frame);
    put_text(g, f, set, "description", field->doc);
    if (space >= 0) H5Sclose(space);
    if (create >= 0) H5Pclose(create);
    return set;
}

/* The datasets of all fields that are not empty, in the order of the record. */
static void make_sets(hol__h5guard *g, h5_file *f) {
    const hol__record *record = f->record;
    hid_t group = -1;
    const char *name = "";
    for (int i = 0; i < record->n_fields && !g->failed; i++) {
        const hol__field *field = &record->fields[i];
        if (strcmp(field->group, name) != 0) {
            if (group >= 0) H5Gclose(group);
            group = make_group(g, f, field->group);
            name = field->group;
        }
        if (g->failed || field->size == 0) continue;
        f->sets[i] = make_set(g, f, *field->group ? group : f->file, field);
        if (i < 1 || i > record->shape.n_measures) continue;
        put_text(g, f, f->sets[i], "name", field->name);
        put_long(g, f, f->sets[i], "column", i);
    }
    if (group >= 0) H5Gclose(group);
}

/* What describes the run: texts, options, model, names, and that it is still running. 0 without
 * memory. */
static int write_description(hol__h5guard *g, const h5_file *f) {
    const hol__shape *shape = &f->record->shape;
    put_text(g, f, f->file, "format", "holonom result");
    put_long(g, f, f->file, "format_version", FORMAT_VERSION);
    for (int i = 0; i < shape->n_texts; i++)
        put_text(g, f, f->file, shape->texts[i].key, shape->texts[i].value);
    const int written = put_texts(g, f, "/model", -1, &shape->model) &&
                        put_texts(g, f, "/bodies/names", shape->n_bodies, shape->bodies) &&
                        put_texts(g, f, "/joints/names", shape->n_joints, shape->joints) &&
                        put_texts(g, f, "/forces/names", shape->n_forces, shape->forces);
    const hid_t options = make_group(g, f, "/options");
    for (int i = 0; i < shape->n_options; i++)
        put_text(g, f, options, shape->options[i].key, shape->options[i].value);
    if (options >= 0) H5Gclose(options);
    const hid_t statistics = make_group(g, f, "/statistics");
    put_text(g, f, statistics, "end", hol_end_name(HOL_END_RUNNING));
    if (statistics >= 0) H5Gclose(statistics);
    return written;
}

/* ---- records ---- */

/* Append the buffered rows of one field to its dataset. */
static void append_field(hol__h5guard *g, const h5_file *f, int i) {
    const hol__field *field = &f->record->fields[i];
    const hid_t set = f->sets[i];
    if (set < 0 || g->failed) return;
    const hsize_t total[3] = {f->written + (hsize_t)f->filled, (hsize_t)field->dims[0],
                              (hsize_t)field->dims[1]};
    const hsize_t start[3] = {f->written, 0, 0},
                  count[3] = {(hsize_t)f->filled, total[1], total[2]};
    if (!hol__h5ok(g, H5Dset_extent(set, total))) return;
    const hid_t memory = H5Screate_simple(field->rank + 1, count, NULL), space = H5Dget_space(set);
    if (hol__h5ok(g, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL)))
        hol__h5ok(g, H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT,
                              f->buffer + (size_t)f->rows * (size_t)field->offset));
    if (memory >= 0) H5Sclose(memory);
    if (space >= 0) H5Sclose(space);
}

/* Bring the buffered records to the disk. */
static void flush(hol__h5guard *g, h5_file *f) {
    for (int i = 0; i < f->record->n_fields && f->filled; i++) append_field(g, f, i);
    if (!g->failed) hol__h5ok(g, H5Fflush(f->file, H5F_SCOPE_LOCAL));
    f->written += (hsize_t)f->filled;
    f->filled = 0;
    f->flushed_at = hol__clock_wall();
}

/* One record into the buffer; to the file when it is time. */
static hol_status h5_append(void *self) {
    h5_file *f = self;
    const hol__record *record = f->record;
    if (f->failed) return HOL_ERR_IO;
    f->out->sum = hol__hash_numbers(f->out->sum, record->values, (size_t)record->size);
    for (int i = 0; i < record->n_fields; i++) {
        const hol__field *field = &record->fields[i];
        double *to = f->buffer + (size_t)f->rows * (size_t)field->offset +
                     (size_t)f->filled * (size_t)field->size;
        memcpy(to, record->values + field->offset, (size_t)field->size * sizeof *to);
    }
    /* at the end of a piece of the datasets, so that hardly any byte is written twice */
    const int at_end = (f->written + (hsize_t)++f->filled) % (hsize_t)f->rows == 0;
    if (!at_end && f->written && hol__clock_wall() - f->flushed_at < FLUSH_AFTER) return HOL_OK;
    hol__h5guard guard;
    hol__h5guard_take(&guard);
    flush(&guard, f);
    return finish(f, &guard);
}

/* Records so far to the disk, unless a reader keeps it as it is. */
static hol_status h5_sync(void *self) {
    h5_file *f = self;
    hol__h5guard guard;
    if (f->failed) return HOL_ERR_IO;
    hol__h5guard_take(&guard);
    flush(&guard, f);
    const hol_status status = finish(f, &guard);
    return !status && f->driver.pending ? HOL_RETRY : status;
}

/* ---- the records of an earlier run ---- */

/* Append records that come field by field. */
static hol_status take_records(void *self, const double *block, int records) {
    h5_file *f = self;
    const hol__record *record = f->record;
    hol_status status = HOL_OK;
    for (int k = 0; k < records && !status; k++) {
        for (int i = 0; i < record->n_fields; i++) {
            const hol__field *field = &record->fields[i];
            const double *from =
                block + (size_t)records * (size_t)field->offset + (size_t)k * (size_t)field->size;
            memcpy(record->values + field->offset, from, (size_t)field->size * sizeof *from);
        }
        status = h5_append(f);
    }
    return status;
}

/* The paths of the datasets, by field, which the earlier file has too; 0 without memory. */
static int name_sets(const h5_file *f, hol__arena *arena, char **paths) {
    for (int i = 0; i < f->record->n_fields; i++) {
        paths[i] = NULL;
        if (f->sets[i] < 0) continue;
        const ssize_t n = H5Iget_name(f->sets[i], NULL, 0);
        paths[i] = n > 0 ? hol__arena_alloc(arena, (size_t)n + 1, 1) : NULL;
        if (!paths[i] || H5Iget_name(f->sets[i], paths[i], (size_t)n + 1) != n) return 0;
    }
    return 1;
}

/* The first records of another file; the values of the last stay in the record, which the next one
 * follows. */
static hol_status h5_copy(void *self, const char *from, long rows) {
    h5_file *f = self;
    const hol__record *record = f->record;
    hol__arena arena;
    hol__arena_init(&arena, f->ctx);
    char **paths = HOL__NEW_N(&arena, char *, record->n_fields);
    hol_status status = paths && name_sets(f, &arena, paths) ? HOL_OK : HOL_ERR_MEMORY;
    const hol__h5rows what = {rows, f->rows, record->n_fields, record->fields, paths, record->size};
    if (!status && rows > 0) status = hol__hdf5_rows(f->ctx, from, &what, take_records, f);
    hol__arena_free(&arena);
    return status;
}

/* ---- opening and closing ---- */

/* The messages of one severity of the context so far, one a line, as far as they fit into an
 * attribute. */
static void put_messages(hol__h5guard *g, const h5_file *f, hid_t group, hol_severity severity,
                         const char *key) {
    char text[WARNING_BYTES] = "";
    size_t used = 0;
    for (int i = 0; i < hol_message_count(f->ctx); i++) {
        const hol_message *message = hol_message_get(f->ctx, i);
        const size_t room = sizeof text - used;
        if (message->severity != severity) continue;
        if (used) text[used] = '\n';
        const int n = hol_message_format(message, text + used + (used > 0), room - (used > 0));
        if (n < 0 || (size_t)n + 2 >= room) {
            text[used] = '\0';
            break;
        }
        used += (size_t)n + (used > 0);
    }
    put_text(g, f, group, key, text);
}

/* One statistic as an attribute. */
static void put_statistic(hol__h5guard *g, const h5_file *f, hid_t group,
                          const hol_statistic *statistic, hol_statistic_value value) {
    const char *key = statistic->stored ? statistic->stored : statistic->key;
    switch (statistic->kind) {
    case HOL_STATISTIC_COUNT: put_long(g, f, group, key, value.count); break;
    case HOL_STATISTIC_REAL:
        put_in(g, group, key, H5T_NATIVE_DOUBLE, f->single, &value.real);
        break;
    case HOL_STATISTIC_TEXT: put_text(g, f, group, key, value.text); break;
    case HOL_STATISTIC_LIST: put_list(g, group, key, value.list); break;
    }
}

/* What the run cost, and how it ended. */
static void write_statistics(hol__h5guard *g, const h5_file *f, const hol_sim_info *info) {
    const hid_t group = g->failed ? -1 : H5Gopen2(f->file, "/statistics", H5P_DEFAULT);
    if (g->failed || !hol__h5ok(g, group)) return;
    hol__h5ok(g, H5Adelete(group, "end")); /* "running" so far */
    for (int i = 0; hol_statistic_get(i); i++)
        if (hol_statistic_get(i)->show & HOL_SHOW_FILE)
            put_statistic(g, f, group, hol_statistic_get(i), hol_statistic_of(info, i));
    put_messages(g, f, group, HOL_WARNING, "warnings");
    if (info->end == HOL_END_FAILED) put_messages(g, f, group, HOL_ERROR, "errors");
    H5Gclose(group);
}

/* The four numbers of each value of a field, in its unit, to `out`. */
static void list_extremes(const hol__record *record, int i, double *out) {
    const hol__record_extremes *x = &record->extremes;
    const hol__field *field = &record->fields[i];
    const double *const lists[] = {x->low, x->t_low, x->high, x->t_high};
    for (int k = 0; k < 4; k++) {
        const int shown = k % 2 ? 0 : i;
        for (int j = field->offset; j < field->offset + field->size; j++)
            *out++ = record->units[shown].times != 0
                         ? hol_unit_show(&record->units[shown], lists[k][j])
                         : lists[k][j];
    }
}

/* The extremes of all fields with several numbers, each an attribute of its dataset. */
static void write_extremes(hol__h5guard *g, const h5_file *f) {
    const hol__record *record = f->record;
    const int first = 1 + record->shape.n_measures + HOL__FIELD_NUMBERS;
    for (int i = first; record->extremes.n && i < record->n_fields && !g->failed; i++) {
        const hol__field *field = &record->fields[i];
        const hsize_t dims[3] = {4, (hsize_t)field->dims[0], (hsize_t)field->dims[1]};
        if (f->sets[i] < 0) continue;
        list_extremes(record, i, f->buffer); /* which is written, and has room for four rows */
        const hid_t space = H5Screate_simple(field->rank + 1, dims, NULL);
        put_in(g, f->sets[i], "extremes", H5T_NATIVE_DOUBLE, space, f->buffer);
        if (space >= 0) H5Sclose(space);
    }
}

/* Close everything of HDF5 that is open. */
static void close_ids(hol__h5guard *g, h5_file *f) {
    for (int i = 0; f->sets && i < f->record->n_fields; i++)
        if (f->sets[i] >= 0) hol__h5ok(g, H5Dclose(f->sets[i]));
    if (f->text >= 0) H5Tclose(f->text);
    if (f->single >= 0) H5Sclose(f->single);
    if (f->links >= 0) H5Pclose(f->links);
    if (f->groups >= 0) H5Pclose(f->groups);
    if (f->file >= 0) hol__h5ok(g, H5Fclose(f->file));
    if (f->driver_id >= 0) H5FDunregister(f->driver_id);
}

/* Release the memory. */
static void free_file(h5_file *f) {
    hol__release(f->ctx, f->sets);
    hol__release(f->ctx, f->buffer);
    hol__release(f->ctx, f);
}

/* Create the file itself and the property lists. */
static void create_file(hol__h5guard *g, h5_file *f) {
    const hid_t create = H5Pcreate(H5P_FILE_CREATE), access = H5Pcreate(H5P_FILE_ACCESS);
    f->links = H5Pcreate(H5P_LINK_CREATE);
    f->groups = H5Pcreate(H5P_GROUP_CREATE);
    f->text = hol__h5text_type(0);
    f->single = H5Screate(H5S_SCALAR);
    hol__h5ok(g, f->text);
    hol__h5ok(g, f->single);
    hol__h5ok(g, H5Pset_char_encoding(f->links, H5T_CSET_UTF8));
    hol__h5ok(g, H5Pset_obj_track_times(f->groups, 0));
    hol__h5ok(g, H5Pset_obj_track_times(create, 0));
    hol__h5ok(g, H5Pset_fclose_degree(access, H5F_CLOSE_STRONG));
    hol__h5ok(g, H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18));
    f->driver_id = hol__h5driver_choose(access, &f->driver);
    hol__h5ok(g, f->driver_id);
    if (!g->failed) {
        f->file = H5Fcreate(f->out->part, H5F_ACC_TRUNC, create, access);
        hol__h5ok(g, f->file);
    }
    if (create >= 0) H5Pclose(create);
    if (access >= 0) H5Pclose(access);
}

/* Memory for a file: the buffer has a fixed number of rows, fewer where records are large. */
static h5_file *new_file(hol__out_file *out, const hol__record *record) {
    hol_context *ctx = out->ctx;
    h5_file *f = hol__alloc(ctx, 1, sizeof *f);
    if (!f) return NULL;
    *f = (h5_file){.ctx = ctx,
                   .record = record,
                   .out = out,
                   .file = -1,
                   .links = -1,
                   .groups = -1,
                   .text = -1,
                   .single = -1,
                   .driver_id = -1,
                   .driver = {.ctx = ctx, .fd = out->fd}};
    const size_t fit = BUFFER_BYTES / sizeof(double) / (size_t)record->size;
    f->rows = fit > BUFFER_ROWS ? BUFFER_ROWS : fit < 4 ? 4 : (int)fit;
    f->sets = hol__alloc(ctx, (size_t)record->n_fields, sizeof *f->sets);
    f->buffer = hol__alloc(ctx, (size_t)f->rows * (size_t)record->size, sizeof *f->buffer);
    for (int i = 0; f->sets && i < record->n_fields; i++) f->sets[i] = -1;
    if (f->sets && f->buffer) return f;
    free_file(f);
    return NULL;
}

/* Write the description and empty datasets. */
static hol_status h5_open(hol__out_file *out, const hol__record *record, void **file) {
    h5_file *f = new_file(out, record);
    hol__h5guard guard;
    if (!f) return HOL_ERR_MEMORY;
    if (hol__h5guard_take(&guard)) create_file(&guard, f);
    make_sets(&guard, f);
    const int described = guard.failed || write_description(&guard, f);
    if (!guard.failed) hol__h5ok(&guard, H5Fflush(f->file, H5F_SCOPE_LOCAL));
    const int failed = guard.failed || f->driver.reason || !described;
    if (failed) close_ids(&guard, f);
    const hol_status status = finish(f, &guard);
    if (failed)
        free_file(f);
    else
        *file = f;
    return status ? status : described ? HOL_OK : HOL_ERR_MEMORY;
}

/* The last records, the statistics, and the end. */
static hol_status h5_close(void *self, const hol_sim_info *info) {
    h5_file *f = self;
    hol__h5guard guard;
    hol__h5guard_take(&guard);
    if (!f->failed && info) {
        flush(&guard, f);
        write_statistics(&guard, f, info);
        write_extremes(&guard, f);
    }
    close_ids(&guard, f);
    const hol_status status = finish(f, &guard);
    free_file(f);
    return status;
}

/* All numbers of a record. */
static double h5_row_bytes(const hol__record *record) {
    return (double)record->size * sizeof(double);
}

const hol__format hol__hdf5_format = {.extension = ".h5",
                                      .title = "HDF5: everything",
                                      .open = h5_open,
                                      .append = h5_append,
                                      .close = h5_close,
                                      .read = hol__hdf5_read,
                                      .sync = h5_sync,
                                      .copy = h5_copy,
                                      .row_bytes = h5_row_bytes,
                                      .whole = 1};

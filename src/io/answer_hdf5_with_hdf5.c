/* answer_hdf5_with_hdf5.c: an answer as HDF5.
 *
 *   /           attributes: format ("holonom answer"), command, title
 *   /facts      attributes: a number or a text under its key, its unit under "KEY unit"
 *   /NAME       a dataset for each table, rows by columns; attributes title, columns, rows,
 *               column_units, row_units. A table of formulas is one of texts, and /NAME_latex
 *               has the same in LaTeX
 *
 * The file is made in memory and written as all others are. No times of day: the same answer gives
 * the same file.
 */
#include "base/answer.h"
#include "common/format.h"
#include "io/answer_format.h"
#include "io/hdf5_guard.h"

#include <string.h>

/* How an object is made that keeps no times. */
static hid_t timeless(hol__h5guard *g, hid_t kind) {
    const hid_t how = H5Pcreate(kind);
    hol__h5ok(g, how);
    hol__h5ok(g, H5Pset_obj_track_times(how, 0));
    return how;
}

/* Texts of one width, for HDF5: n of them, with their type; NULL without memory. */
static char *lay_out(hol_context *ctx, hsize_t n, const char *const *texts, hid_t *type) {
    size_t width = 1;
    for (hsize_t i = 0; i < n; i++)
        if (texts[i] && strlen(texts[i]) + 1 > width) width = strlen(texts[i]) + 1;
    char *block = hol__alloc(ctx, n, width);
    *type = hol__h5text_type(width - 1);
    for (hsize_t i = 0; block && i < n; i++)
        if (texts[i]) memcpy(block + i * width, texts[i], strlen(texts[i]));
    return block;
}

/* Texts as an attribute: n of them, -1: one alone. */
static void put_texts(hol__h5guard *g, hol_context *ctx, hid_t object, const char *name, int n,
                      const char *const *texts) {
    const hsize_t count = (hsize_t)(n < 0 ? 1 : n);
    hid_t type;
    if (g->failed || !texts || !n) return;
    char *block = lay_out(ctx, count, texts, &type);
    const hid_t space = n < 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, NULL);
    if (!block) g->failed = 1;
    const hid_t attribute =
        g->failed ? -1 : H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (!g->failed && hol__h5ok(g, attribute)) {
        hol__h5ok(g, H5Awrite(attribute, type, block));
        H5Aclose(attribute);
    }
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    hol__release(ctx, block);
}

static void put_number(hol__h5guard *g, hid_t object, const char *name, double value) {
    if (g->failed) return;
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute =
        H5Acreate2(object, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    if (hol__h5ok(g, attribute)) {
        hol__h5ok(g, H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value));
        H5Aclose(attribute);
    }
    H5Sclose(space);
}

static void put_facts(hol__h5guard *g, const hol_answer *a, hid_t file) {
    const hid_t how = timeless(g, H5P_GROUP_CREATE);
    const hid_t group = g->failed ? -1 : H5Gcreate2(file, "facts", H5P_DEFAULT, how, H5P_DEFAULT);
    if (how >= 0) H5Pclose(how);
    if (g->failed || !hol__h5ok(g, group)) return;
    for (int i = 0; i < a->n_facts; i++) {
        const hol_fact *fact = &a->shown[i];
        char name[256];
        if (fact->text) {
            put_texts(g, a->ctx, group, fact->key, -1, &fact->text);
            continue;
        }
        put_number(g, group, fact->key, fact->value);
        hol__print(name, sizeof name, "%s unit", fact->key);
        put_texts(g, a->ctx, group, name, -1, &fact->unit);
    }
    H5Gclose(group);
}

/* A table under a name: its numbers, or texts (formulas). */
static void put_cells(hol__h5guard *g, hol_context *ctx, hid_t file, const hol_table *t,
                      const char *name, const char *const *texts) {
    const hsize_t dims[] = {(hsize_t)t->rows, (hsize_t)t->columns}, n = dims[0] * dims[1];
    hid_t type = -1;
    if (g->failed) return;
    char *block = texts ? lay_out(ctx, n, texts, &type) : NULL;
    if (texts && !block) g->failed = 1;
    const hid_t space = H5Screate_simple(2, dims, NULL), in_file = texts ? type : H5T_IEEE_F64LE,
                here = texts ? type : H5T_NATIVE_DOUBLE;
    const hid_t how = timeless(g, H5P_DATASET_CREATE);
    const hid_t set =
        g->failed ? -1 : H5Dcreate2(file, name, in_file, space, H5P_DEFAULT, how, H5P_DEFAULT);
    if (how >= 0) H5Pclose(how);
    if (!g->failed && hol__h5ok(g, set)) {
        const void *from = texts ? (const void *)block : t->values;
        if (n) hol__h5ok(g, H5Dwrite(set, here, H5S_ALL, H5S_ALL, H5P_DEFAULT, from));
        put_texts(g, ctx, set, "title", -1, &t->title);
        put_texts(g, ctx, set, "columns", t->columns, t->column_names);
        put_texts(g, ctx, set, "column_units", t->columns, t->column_units);
        put_texts(g, ctx, set, "rows", t->rows, t->row_names);
        put_texts(g, ctx, set, "row_units", t->rows, t->row_units);
        H5Dclose(set);
    }
    H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    hol__release(ctx, block);
}

static void put_table(hol__h5guard *g, hol_context *ctx, hid_t file, const hol_table *t) {
    char name[256];
    put_cells(g, ctx, file, t, t->name, t->formulas);
    if (!t->formulas) return;
    hol__print(name, sizeof name, "%.200s_latex", t->name);
    put_cells(g, ctx, file, t, name, t->latex);
}

/* ---- the file in memory ---- */

/* The bytes of a file of the core driver, which gives them up when it is closed: they are whole
 * only then (an image of the open file has a checksum that is not its own). */
typedef struct image {
    hol_context *ctx;
    char *data;
    size_t room;
} image;

static void *image_resize(void *old, size_t size, H5FD_file_image_op_t op, void *self) {
    image *m = self;
    char *data = hol__alloc(m->ctx, size, 1);
    (void)op;
    if (!data) return NULL;
    if (old) memcpy(data, old, m->room < size ? m->room : size);
    hol__release(m->ctx, old);
    m->data = data;
    m->room = size;
    return data;
}

static void *image_alloc(size_t size, H5FD_file_image_op_t op, void *self) {
    return image_resize(NULL, size, op, self);
}

static void *image_copy(void *to, const void *from, size_t size, H5FD_file_image_op_t op,
                        void *self) {
    (void)op, (void)self;
    return memcpy(to, from, size);
}

/* It stays: take_image reads and frees it. */
static herr_t image_free(void *data, H5FD_file_image_op_t op, void *self) {
    (void)data, (void)op, (void)self;
    return 0;
}

static void *self_copy(void *self) {
    return self;
}

static herr_t self_free(void *self) {
    (void)self;
    return 0;
}

/* A file that stays in memory, in the format of HDF5 1.8. */
static hid_t open_in_memory(hol__h5guard *g, image *m) {
    H5FD_file_image_callbacks_t calls = {
        image_alloc, image_copy, image_resize, image_free, self_copy, self_free, m};
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS), how = timeless(g, H5P_FILE_CREATE);
    hid_t file = -1;
    if (hol__h5ok(g, access) && hol__h5ok(g, H5Pset_fapl_core(access, 1 << 16, 0)) &&
        hol__h5ok(g, H5Pset_file_image_callbacks(access, &calls)) &&
        hol__h5ok(g, H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18)))
        hol__h5ok(g, file = H5Fcreate("answer", H5F_ACC_TRUNC, how, access));
    if (how >= 0) H5Pclose(how);
    if (access >= 0) H5Pclose(access);
    return file;
}

/* Close the file and take its bytes. */
static void take_image(hol__h5guard *g, image *m, hid_t file, hol__text *out) {
    hsize_t size = 0;
    if (file < 0) return;
    if (!g->failed && hol__h5ok(g, H5Fflush(file, H5F_SCOPE_GLOBAL)))
        hol__h5ok(g, H5Fget_filesize(file, &size));
    hol__h5ok(g, H5Fclose(file));
    if (!g->failed && m->data && size <= m->room)
        hol__text_add_n(out, m->data, (size_t)size);
    else
        out->failed = 1;
}

hol_status hol__answer_put_hdf5(const hol_answer *answer, hol__text *out) {
    static const char *const format = "holonom answer";
    hol__h5guard guard;
    image memory = {.ctx = answer->ctx};
    const hid_t file = hol__h5guard_take(&guard) ? open_in_memory(&guard, &memory) : -1;
    if (!guard.failed) {
        put_texts(&guard, answer->ctx, file, "format", -1, &format);
        put_texts(&guard, answer->ctx, file, "command", -1, &answer->command);
        put_texts(&guard, answer->ctx, file, "title", -1, &answer->title);
        put_facts(&guard, answer, file);
    }
    for (int i = 0; i < answer->n_tables; i++) {
        const hol_table table = hol__table_of(answer, i);
        put_table(&guard, answer->ctx, file, &table);
    }
    take_image(&guard, &memory, file, out);
    hol__release(answer->ctx, memory.data);
    hol__h5guard_release(&guard);
    if (!guard.failed && !out->failed) return HOL_OK;
    return hol__report(answer->ctx, HOL_ERROR, out->failed ? HOL_ERR_MEMORY : HOL_ERR_IO, NULL,
                       NULL, "the answer cannot be written as HDF5: %s",
                       guard.failed ? guard.reason : "out of memory");
}

/* answer_hdf5_with_hdf5.c: an answer as HDF5.
 *
 *   /           attributes: format ("holonom answer"), command, title
 *   /facts      attributes: a number or a text under its key, its unit under "KEY unit"
 *   /NAME       a dataset for each table, rows by columns; attributes title, columns, rows,
 *               column_units, row_units
 *
 * The file is made in memory and written as all others are. No times of day: the same answer gives
 * the same file.
 */
#include "base/answer.h"
#include "common/format.h"
#include "io/answer_format.h"
#include "io/hdf5_guard.h"

#include <string.h>

/* Texts as an attribute: n of them, -1: one alone. */
static void put_texts(hol__h5guard *g, hol_context *ctx, hid_t object, const char *name, int n,
                      const char *const *texts) {
    const hsize_t count = (hsize_t)(n < 0 ? 1 : n);
    size_t width = 1;
    if (g->failed || !texts || !n) return;
    for (hsize_t i = 0; i < count; i++)
        if (texts[i] && strlen(texts[i]) + 1 > width) width = strlen(texts[i]) + 1;
    char *block = hol__alloc(ctx, count, width);
    const hid_t type = hol__h5text_type(width - 1);
    const hid_t space = n < 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, NULL);
    if (!block) g->failed = 1;
    for (hsize_t i = 0; block && i < count; i++)
        if (texts[i]) memcpy(block + i * width, texts[i], strlen(texts[i]));
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
    const hid_t group = H5Gcreate2(file, "facts", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (!hol__h5ok(g, group)) return;
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

static void put_table(hol__h5guard *g, hol_context *ctx, hid_t file, const hol_table *t) {
    const hsize_t dims[] = {(hsize_t)t->rows, (hsize_t)t->columns};
    if (g->failed) return;
    const hid_t space = H5Screate_simple(2, dims, NULL);
    const hid_t set =
        H5Dcreate2(file, t->name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (hol__h5ok(g, set)) {
        if (t->rows && t->columns)
            hol__h5ok(g,
                      H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, t->values));
        put_texts(g, ctx, set, "title", -1, &t->title);
        put_texts(g, ctx, set, "columns", t->columns, t->column_names);
        put_texts(g, ctx, set, "column_units", t->columns, t->column_units);
        put_texts(g, ctx, set, "rows", t->rows, t->row_names);
        put_texts(g, ctx, set, "row_units", t->rows, t->row_units);
        H5Dclose(set);
    }
    H5Sclose(space);
}

/* A file that stays in memory, in the format of HDF5 1.8. */
static hid_t open_in_memory(hol__h5guard *g) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = -1;
    if (hol__h5ok(g, access) && hol__h5ok(g, H5Pset_fapl_core(access, 1 << 16, 0)) &&
        hol__h5ok(g, H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18)))
        hol__h5ok(g, file = H5Fcreate("answer", H5F_ACC_TRUNC, H5P_DEFAULT, access));
    if (access >= 0) H5Pclose(access);
    return file;
}

/* The bytes of the file. */
static void take_image(hol__h5guard *g, hol_context *ctx, hid_t file, hol__text *out) {
    if (g->failed || !hol__h5ok(g, H5Fflush(file, H5F_SCOPE_GLOBAL))) return;
    const ssize_t n = H5Fget_file_image(file, NULL, 0);
    char *bytes = hol__h5ok(g, n) ? hol__alloc(ctx, (size_t)n, 1) : NULL;
    if (bytes && hol__h5ok(g, H5Fget_file_image(file, bytes, (size_t)n)))
        hol__text_add_n(out, bytes, (size_t)n);
    else
        out->failed = 1;
    hol__release(ctx, bytes);
}

hol_status hol__answer_put_hdf5(const hol_answer *answer, hol__text *out) {
    static const char *const format = "holonom answer";
    hol__h5guard guard;
    const hid_t file = hol__h5guard_take(&guard) ? open_in_memory(&guard) : -1;
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
    take_image(&guard, answer->ctx, file, out);
    if (file >= 0) hol__h5ok(&guard, H5Fclose(file));
    hol__h5guard_release(&guard);
    if (!guard.failed && !out->failed) return HOL_OK;
    return hol__report(answer->ctx, HOL_ERROR, out->failed ? HOL_ERR_MEMORY : HOL_ERR_IO, NULL,
                       NULL, "the answer cannot be written as HDF5: %s",
                       guard.failed ? guard.reason : "out of memory");
}

/* answer_write.c: answers as files, by the end of their names. */
#include "io/answer_format.h"

#include "base/answer.h"
#include "base/argument.h"
#include "common/extension.h"

#include <holonom/spec.h>

#include <stdio.h>
#include <string.h>

static const struct {
    const char *extension;
    hol__answer_put *put;
} kinds[] = {
    {".txt", hol__answer_put_text}, {".json", hol__answer_put_json}, {".h5", hol__answer_put_hdf5},
    {".mat", hol__answer_put_mat},  {".tex", hol__answer_put_tex},
};

/* "name [unit]" into buf. */
static const char *label(const char *name, const char *unit, char *buf, size_t size) {
    snprintf(buf, size, unit && *unit ? "%s [%s]" : "%s", name ? name : "", unit);
    return buf;
}

const char *hol__row_label(const hol_table *table, int i, char *buf, size_t size) {
    return label(table->row_names ? table->row_names[i] : NULL,
                 table->row_units ? table->row_units[i] : NULL, buf, size);
}

const char *hol__column_label(const hol_table *table, int i, char *buf, size_t size) {
    return label(table->column_names[i], table->column_units ? table->column_units[i] : NULL, buf,
                 size);
}

/* A file of one table. */
static hol_status write_csv(const hol_answer *answer, int i, const char *path) {
    hol__text text;
    const hol_table table = hol__table_of(answer, i);
    hol__text_init(&text, answer->ctx);
    hol__answer_put_csv(&table, &text);
    const hol__piece piece = {text.data, text.length};
    const hol_status status =
        text.failed ? HOL_ERR_MEMORY : hol__out_write(answer->ctx, path, &piece, 1);
    hol__text_free(&text);
    return status;
}

/* "x.csv" where there is one table, otherwise "x.NAME.csv" for each. */
static hol_status write_tables(const hol_answer *answer, const char *path) {
    const int stem = (int)(strlen(path) - strlen(".csv"));
    hol_status status = HOL_OK;
    if (answer->n_tables == 1) return write_csv(answer, 0, path);
    for (int i = 0; i < answer->n_tables && !status; i++) {
        hol__text name;
        hol__text_init(&name, answer->ctx);
        hol__text_add(&name, "%.*s.%s%s", stem, path, answer->tables[i]->about.name, path + stem);
        status = name.failed ? HOL_ERR_MEMORY : write_csv(answer, i, name.data);
        hol__text_free(&name);
    }
    return status;
}

/* The whole answer as one file. */
static hol_status write_whole(const hol_answer *answer, hol__answer_put *put, const char *path) {
    hol__text text;
    hol__text_init(&text, answer->ctx);
    hol_status status = put(answer, &text);
    const hol__piece piece = {text.data, text.length};
    if (!status && text.failed) status = HOL_ERR_MEMORY;
    if (!status) status = hol__out_write(answer->ctx, path, &piece, 1);
    hol__text_free(&text);
    return status;
}

/* The model file, which is read once more as the new one: what it includes may not be beside it. */
static hol_status write_model(const hol_answer *answer, const char *path) {
    const hol__piece piece = {answer->model, strlen(answer->model)};
    const hol_status status = hol__out_write(answer->ctx, path, &piece, 1);
    hol_context *quiet = status ? NULL : hol__context_like(answer->ctx);
    hol_spec *spec = quiet ? hol_spec_new(quiet) : NULL;
    const hol_location where = {path, 0, 0};
    if (spec && hol_spec_set_include_root(spec, "/") == HOL_OK &&
        hol_spec_read_text(spec, answer->model, path) != HOL_OK)
        hol__warn(answer->ctx, &where, NULL,
                  "the file cannot be read where it is (%s); write it beside the model it was made "
                  "from",
                  hol_message_count(quiet) ? hol_message_get(quiet, 0)->text : "");
    hol_spec_free(spec);
    hol_context_free(quiet);
    return status;
}

hol_status hol_answer_write(const hol_answer *answer, const char *path) {
    static const char call[] = "hol_answer_write";
    const hol_location where = {path, 0, 0};
    if (!answer || hol__need(answer->ctx, call, "the path", path)) return HOL_ERR_ARGUMENT;
    if (hol__has_extension(path, ".csv")) return write_tables(answer, path);
    if (answer->model && (hol__has_extension(path, ".yaml") || hol__has_extension(path, ".yml")))
        return write_model(answer, path);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (hol__has_extension(path, kinds[i].extension))
            return write_whole(answer, kinds[i].put, path);
    return hol__report(answer->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, &where, NULL,
                       "an answer is written to a file that ends with .txt, .json, .csv, .h5, "
                       ".mat or .tex (.html: a page)");
}

char *hol_answer_to_text(const hol_answer *answer, int most_rows) {
    hol__text text;
    if (!answer) return NULL;
    hol__text_init(&text, answer->ctx);
    hol__answer_put_rows(answer, most_rows, &text);
    return hol__text_take(&text);
}

char *hol_answer_to_json(const hol_answer *answer) {
    hol__text text;
    if (!answer) return NULL;
    hol__text_init(&text, answer->ctx);
    hol__answer_put_json(answer, &text);
    return hol__text_take(&text);
}

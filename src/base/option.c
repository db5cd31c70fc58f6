/* option.c: the object of options: a value, whether it was given, and where, for each row of its
 * table. */
#include "base/argument.h"
#include "base/option.h"

#include "base/expr.h"
#include "base/text.h"
#include "common/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct hol_options {
    hol_context *ctx;
    hol__arena arena;
    int n;
    const hol_option **rows;
    double *values;
    const hol__option_text **texts; /* of lists */
    unsigned char *given;
    hol_location *where;
};

/* What messages call the place of an option. */
static const char section[] = "simulation";

/* ---- the table ---- */

const hol_option *hol__option_row(const hol__option_rows *const *parts, int i) {
    for (; i >= 0 && *parts; i -= (*parts++)->n)
        if (i < (*parts)->n) return &(*parts)->rows[i];
    return NULL;
}

const hol_option *hol__options_row(const hol_options *options, int i) {
    return i >= 0 && i < options->n ? options->rows[i] : NULL;
}

int hol__options_find(const hol_options *options, const char *name) {
    for (int i = 0; options && name && i < options->n; i++)
        if (strcmp(options->rows[i]->name, name) == 0) return i;
    return -1;
}

static const char *name_of(const void *options, int i) {
    const hol_option *row = hol__options_row(options, i);
    return row ? row->name : NULL;
}

const char *hol__options_suggest(const hol_options *options, const char *name, char *buf,
                                 size_t size) {
    return hol__did_you_mean(hol__nearest(name, name_of, options), buf, size);
}

/* ---- life ---- */

/* The index of a word among the choices of a row; -1 when it is none. */
static int choice_index(const hol_option *row, const char *word) {
    const char *choice;
    for (int i = 0; (choice = row->choice(i)); i++)
        if (strcmp(choice, word) == 0) return i;
    return -1;
}

/* The default of a row. */
static double initial_value(const hol_option *row) {
    if (row->kind == HOL_OPTION_CHOICE) return choice_index(row, row->initial);
    if (row->kind == HOL_OPTION_BOOL) return strcmp(row->initial, "true") == 0;
    if (row->kind == HOL_OPTION_LIST) return 0;
    const char *end;
    return hol__number_read(row->initial, &end);
}

/* An object with room for n rows; NULL without memory. */
static hol_options *allocate(hol_context *ctx, int n) {
    hol_options *options = hol__alloc(ctx, 1, sizeof *options);
    if (!options) return NULL;
    options->ctx = ctx;
    options->n = n;
    hol__arena_init(&options->arena, ctx);
    options->rows = HOL__NEW_N(&options->arena, const hol_option *, n);
    options->values = HOL__NEW_N(&options->arena, double, n);
    options->texts = HOL__NEW_N(&options->arena, const hol__option_text *, n);
    options->given = HOL__NEW_N(&options->arena, unsigned char, n);
    options->where = HOL__NEW_N(&options->arena, hol_location, n);
    if (!options->arena.failed) return options;
    hol_options_free(options);
    return NULL;
}

hol_options *hol__options_new(hol_context *ctx, const hol__option_rows *const *parts) {
    int n = 0;
    while (hol__option_row(parts, n)) n++;
    hol_options *options = allocate(ctx, n);
    for (int i = 0; options && i < n; i++) {
        options->rows[i] = hol__option_row(parts, i);
        options->values[i] = initial_value(options->rows[i]);
    }
    return options;
}

void hol_options_free(hol_options *options) {
    if (!options) return;
    hol__arena_free(&options->arena);
    hol__release(options->ctx, options);
}

/* Note that value i was given at a place, whose file name is kept. */
static hol_status note_given(hol_options *options, int i, const hol_location *where) {
    hol_location kept = {0};
    if (where && where->file) {
        kept = *where;
        kept.file = hol__arena_text(&options->arena, where->file);
        if (!kept.file) return HOL_ERR_MEMORY;
    }
    options->given[i] = 1;
    options->where[i] = kept;
    return HOL_OK;
}

hol_options *hol_options_copy(hol_context *ctx, const hol_options *options) {
    if (!ctx || hol__need(ctx, "hol_options_copy", "the options to copy", options)) return NULL;
    hol_options *copy = allocate(ctx, options->n);
    for (int i = 0; copy && i < options->n; i++) {
        copy->rows[i] = options->rows[i];
        copy->values[i] = options->values[i];
        if (!options->given[i]) continue;
        const int n = options->texts[i] ? (int)options->values[i] : 0;
        if (note_given(copy, i, &options->where[i]) == HOL_OK &&
            (!n ||
             hol__options_put_list(copy, i, n, options->texts[i], &options->where[i]) == HOL_OK))
            continue;
        hol_options_free(copy);
        copy = NULL;
    }
    return copy;
}

hol_context *hol__options_context(const hol_options *options) {
    return options->ctx;
}

/* ---- setting ---- */

const hol__option_text *hol__options_texts(const hol_options *options, int i) {
    return options->texts[i];
}

hol_status hol__options_put_list(hol_options *options, int i, int n, const hol__option_text *texts,
                                 const hol_location *where) {
    hol__option_text *kept = HOL__NEW_N(&options->arena, hol__option_text, n + 1);
    for (int k = 0; kept && k < n; k++) {
        kept[k] = texts[k];
        kept[k].text = hol__arena_text(&options->arena, texts[k].text);
        if (texts[k].where.file)
            kept[k].where.file = hol__arena_text(&options->arena, texts[k].where.file);
    }
    if (!kept || options->arena.failed) return HOL_ERR_MEMORY;
    const hol_status status = note_given(options, i, where);
    if (status) return status;
    options->texts[i] = kept;
    options->values[i] = n;
    return HOL_OK;
}

/* Take the next text before a comma off the front of *rest, without the blanks around it. */
static char *next_text(char **rest) {
    char *text = *rest, *end = strchr(text, ',');
    *rest = end ? end + 1 : NULL;
    if (!end) end = text + strlen(text);
    while (*text == ' ') text++;
    while (end > text && end[-1] == ' ') end--;
    *end = '\0';
    return text;
}

hol_status hol__options_put_texts(hol_options *options, int i, const char *text,
                                  const hol_location *where) {
    int most = 1, n = 0;
    for (const char *c = text; *c; c++) most += *c == ',';
    char *rest = hol__arena_text(&options->arena, text);
    hol__option_text *texts = HOL__NEW_N(&options->arena, hol__option_text, most);
    if (!rest || !texts) return HOL_ERR_MEMORY;
    while (rest) {
        texts[n].text = next_text(&rest);
        if (where) texts[n].where = *where;
        n++;
    }
    if (n == 1 && !texts[0].text[0]) n = 0; /* an empty text is an empty list */
    return hol__options_put_list(options, i, n, texts, where);
}

double hol__options_value(const hol_options *options, int i) {
    return options->values[i];
}

/* What stands for word k of a number: below every number of a row. */
static double value_of_word(int k) {
    return -ldexp(1, 1010 + k);
}

int hol__option_word(const hol_option *row, const char *text, double *value) {
    if (row->kind != HOL_OPTION_REAL || !row->choice) return 0;
    for (int k = 0; row->choice(k); k++)
        if (strcmp(row->choice(k), text) == 0) {
            *value = value_of_word(k);
            return 1;
        }
    return 0;
}

/* The word that stands for the value of a number; NULL where none does. */
static const char *word_of(const hol_option *row, double value) {
    if (row->kind != HOL_OPTION_REAL || !row->choice) return NULL;
    for (int k = 0; row->choice(k); k++)
        if (value == value_of_word(k)) return row->choice(k);
    return NULL;
}

hol_status hol__options_put(hol_options *options, int i, double value, const hol_location *where) {
    const hol_option *row = options->rows[i];
    const int bounded = row->kind == HOL_OPTION_REAL || row->kind == HOL_OPTION_INTEGER;
    if (row->kind == HOL_OPTION_INTEGER && value != floor(value))
        return hol__error(options->ctx, where, section, "'%s' is a whole number, found %g",
                          row->name, value);
    if (bounded && !(value >= row->min && value <= row->max) && !word_of(row, value))
        return hol__error(options->ctx, where, section, "'%s' is %g; it must lie between %g and %g",
                          row->name, value, row->min, row->max);
    const hol_status status = note_given(options, i, where);
    if (!status) options->values[i] = value;
    return status;
}

static const char *choice_of(const void *row, int i) {
    return ((const hol_option *)row)->choice(i);
}

/* Report a word that is no choice of the row, with all that are. */
static hol_status not_a_choice(const hol_options *options, const hol_option *row, const char *word,
                               const hol_location *where) {
    char all[512] = "", hint[128];
    const char *name;
    for (int i = 0; (name = row->choice(i)); i++) {
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", name);
    }
    return hol__error(options->ctx, where, section, "'%s' is not a value of '%s'; one of: %s%s",
                      word, row->name, all,
                      hol__did_you_mean(hol__nearest(word, choice_of, row), hint, sizeof hint));
}

/* 1 or 0 for the words of a bool, -1 for any other. */
static int truth_of(const char *word) {
    static const char *const words[] = {"false", "no", "true", "yes"};
    for (int i = 0; i < 4; i++)
        if (strcmp(words[i], word) == 0) return i >= 2;
    return -1;
}

hol_status hol__options_put_word(hol_options *options, int i, const char *word,
                                 const hol_location *where) {
    const hol_option *row = options->rows[i];
    const int value = row->kind == HOL_OPTION_BOOL ? truth_of(word) : choice_index(row, word);
    if (value >= 0) return hol__options_put(options, i, value, where);
    if (row->kind == HOL_OPTION_CHOICE) return not_a_choice(options, row, word, where);
    return hol__error(options->ctx, where, section, "'%s' is true or false", row->name);
}

/* The index of a name; -1 and a message when there is none. */
static int find(const hol_options *options, const char *name, const hol_location *where) {
    char hint[128];
    if (!options || hol__need(options->ctx, "hol_options", "the name", name)) return -1;
    const int i = hol__options_find(options, name);
    if (i < 0)
        hol__error(options->ctx, where, section, "unknown option '%s'%s", name,
                   hol__options_suggest(options, name, hint, sizeof hint));
    return i;
}

/* The index of a name whose row is of the kind; -1 and a message otherwise. */
static int find_kind(const hol_options *options, const char *name, hol_option_kind kind) {
    static const char *const setters[] = {"real", "integer", "bool", "choice", "list"};
    const int i = find(options, name, NULL);
    if (i < 0 || options->rows[i]->kind == kind) return i;
    hol__report(options->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, section,
                "'%s' is not of kind %s but %s: use hol_options_set_%s or hol_options_set", name,
                setters[kind], setters[options->rows[i]->kind], setters[options->rows[i]->kind]);
    return -1;
}

hol_status hol_options_set_real(hol_options *options, const char *name, double value) {
    const int i = find_kind(options, name, HOL_OPTION_REAL);
    return i < 0 ? HOL_ERR_ARGUMENT : hol__options_put(options, i, value, NULL);
}

hol_status hol_options_set_integer(hol_options *options, const char *name, long long value) {
    const int i = find_kind(options, name, HOL_OPTION_INTEGER);
    return i < 0 ? HOL_ERR_ARGUMENT : hol__options_put(options, i, (double)value, NULL);
}

hol_status hol_options_set_bool(hol_options *options, const char *name, int value) {
    const int i = find_kind(options, name, HOL_OPTION_BOOL);
    return i < 0 ? HOL_ERR_ARGUMENT : hol__options_put(options, i, value != 0, NULL);
}

hol_status hol_options_set_choice(hol_options *options, const char *name, const char *word) {
    const int i = find_kind(options, name, HOL_OPTION_CHOICE);
    if (i < 0 || hol__need(options->ctx, "hol_options_set_choice", "the word", word))
        return HOL_ERR_ARGUMENT;
    return hol__options_put_word(options, i, word, NULL);
}

hol_status hol_options_set_list(hol_options *options, const char *name, int n,
                                const char *const *texts) {
    static const char call[] = "hol_options_set_list";
    const int i = find_kind(options, name, HOL_OPTION_LIST);
    if (i < 0 || hol__need_array(options->ctx, call, "texts", n, 0, texts)) return HOL_ERR_ARGUMENT;
    for (int k = 0; k < n; k++)
        if (hol__need(options->ctx, call, "a text", texts[k])) return HOL_ERR_ARGUMENT;
    hol__option_text *list = HOL__NEW_N(&options->arena, hol__option_text, n + 1);
    for (int k = 0; list && k < n; k++) list[k].text = texts[k];
    return list ? hol__options_put_list(options, i, n, list, NULL) : HOL_ERR_MEMORY;
}

/* The value of an expression of numbers with units; NaN (and a message) when it is none, or of
 * another unit. */
static double number_of(hol_options *options, const hol_option *row, const char *text,
                        const hol_location *where) {
    hol__arena scratch;
    hol__arena_init(&scratch, options->ctx);
    const hol__expr *e = hol__expr_compile(&scratch, text, NULL, 0, where, section);
    double value = e ? hol__expr_constant(e) : NAN; /* without names it is one, and finite */
    if (e && !hol__dim_fits(hol__expr_dim(e), hol__dim_of(row->unit))) {
        char has[64];
        hol__error(options->ctx, where, section, "'%s' has the wrong unit; expected %s, found %s%s",
                   text, row->unit[0] ? row->unit : "a plain number",
                   hol__dim_text(hol__expr_dim(e), has, sizeof has),
                   hol__dim_hint(hol__expr_dim(e), hol__dim_of(row->unit)));
        value = NAN;
    }
    hol__arena_free(&scratch);
    return value;
}

hol_status hol_options_set(hol_options *options, const char *name, const char *text,
                           const char *origin) {
    const hol_location where = {origin, 0, 0};
    const int i = find(options, name, &where);
    if (i < 0 || hol__need(options->ctx, "hol_options_set", "the text", text))
        return HOL_ERR_ARGUMENT;
    const hol_option *row = options->rows[i];
    if (row->kind == HOL_OPTION_CHOICE || row->kind == HOL_OPTION_BOOL)
        return hol__options_put_word(options, i, text, &where);
    if (row->kind == HOL_OPTION_LIST) return hol__options_put_texts(options, i, text, &where);
    double value;
    if (!hol__option_word(row, text, &value)) value = number_of(options, row, text, &where);
    return isnan(value) ? HOL_ERR_INPUT : hol__options_put(options, i, value, &where);
}

/* ---- getting ---- */

/* The value of a name whose row is of the kind into *value; out: where the caller wants it. */
static hol_status get(const hol_options *options, const char *name, hol_option_kind kind,
                      const void *out, double *value) {
    const int i = find_kind(options, name, kind);
    if (i < 0 || hol__need(options->ctx, "hol_options_get", "the value to fill", out))
        return HOL_ERR_ARGUMENT;
    *value = options->values[i];
    return HOL_OK;
}

hol_status hol_options_get_real(const hol_options *options, const char *name, double *value) {
    return get(options, name, HOL_OPTION_REAL, value, value);
}

hol_status hol_options_get_integer(const hol_options *options, const char *name, long long *value) {
    double x;
    const hol_status status = get(options, name, HOL_OPTION_INTEGER, value, &x);
    if (!status) *value = (long long)x;
    return status;
}

hol_status hol_options_get_bool(const hol_options *options, const char *name, int *value) {
    double x;
    const hol_status status = get(options, name, HOL_OPTION_BOOL, value, &x);
    if (!status) *value = x != 0;
    return status;
}

hol_status hol_options_get_choice(const hol_options *options, const char *name, const char **word) {
    double x;
    const hol_status status = get(options, name, HOL_OPTION_CHOICE, word, &x);
    if (!status) *word = options->rows[hol__options_find(options, name)]->choice((int)x);
    return status;
}

hol_status hol_options_get_text(const hol_options *options, const char *name, int k,
                                const char **text) {
    double n;
    const hol_status status = get(options, name, HOL_OPTION_LIST, text, &n);
    if (status || k < 0 || k >= (int)n) return HOL_ERR_ARGUMENT;
    *text = options->texts[hol__options_find(options, name)][k].text;
    return HOL_OK;
}

/* The texts of list i with commas between them. */
static void join_texts(const hol_options *options, int i, char *buf, size_t size) {
    size_t used = 0;
    if (size) buf[0] = '\0';
    for (int k = 0; k < (int)options->values[i] && used < size; k++)
        used += (size_t)snprintf(buf + used, size - used, "%s%s", k ? ", " : "",
                                 options->texts[i][k].text);
}

const char *hol_options_text(const hol_options *options, const char *name, char *buf, size_t size) {
    const int i = hol__options_find(options, name);
    if (i < 0 || !buf) return NULL;
    const hol_option *row = options->rows[i];
    const double value = options->values[i];
    char number[HOL__NUMBER_SIZE];
    if (row->kind == HOL_OPTION_CHOICE)
        snprintf(buf, size, "%s", row->choice((int)value));
    else if (row->kind == HOL_OPTION_BOOL)
        snprintf(buf, size, "%s", value != 0 ? "true" : "false");
    else if (row->kind == HOL_OPTION_LIST)
        join_texts(options, i, buf, size);
    else
        snprintf(buf, size, "%s",
                 word_of(row, value) ? word_of(row, value) : hol__number_text(value, number));
    return buf;
}

int hol_options_is_given(const hol_options *options, const char *name) {
    const int i = hol__options_find(options, name);
    return i >= 0 && options->given[i];
}

hol_location hol_options_where(const hol_options *options, const char *name) {
    const int i = hol__options_find(options, name);
    return i < 0 ? (hol_location){0} : options->where[i];
}

/* table.c: read tests/validation.yaml. Under `mechanisms` each has
 *
 *     title, source, model        what it is, where it comes from, the file of models/
 *     made_by                     instead of `model`: a command that prints the model file
 *     by                          the mechanics of its independent program, in words
 *     end, every                  the instants, in seconds
 *     arguments                   further words for the independent program
 *     measures, set               measures beside those of the model; values that are set
 *     published, about            times of other programs; what else is to be said
 *     listed                      values in print: {t:, quantity:, value:, wrong:}
 *     rows                        maps of options of the simulation; a list means all its values
 *
 * and a row beside the options `within`, `energy_within`, `gap`, `quick`, `benchmark` (validate.h).
 */
#include "validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void *taken(size_t count, size_t size) {
    void *block = calloc(count ? count : 1, size);
    if (!block) {
        fprintf(stderr, "validate: out of memory\n");
        exit(7);
    }
    return block;
}

/* Stop at a mistake in the table. */
static void mistake(const hol_item *item, const char *text) {
    const hol_location at = hol_item_place(item);
    fprintf(stderr, "%s:%d:%d: error: %s\n", at.file ? at.file : "validation.yaml", at.line,
            at.column, text);
    exit(3);
}

static const char *text_of(const hol_item *map, const char *key) {
    return hol_item_value(hol_item_find(map, key));
}

/* The number under a key; 0 where there is none. */
static double number_of(const hol_item *map, const char *key) {
    const hol_item *item = hol_item_find(map, key);
    const char *text = hol_item_value(item);
    if (!text) return 0;
    char *end;
    const double value = strtod(text, &end);
    if (*end || !isfinite(value)) mistake(item, "a number is expected");
    return value;
}

static int is_true(const hol_item *map, const char *key) {
    const char *text = text_of(map, key);
    return text && strcmp(text, "true") == 0;
}

/* Refuse keys that are not in the list. */
static void check_keys(const hol_item *map, const char *const *known) {
    for (const hol_item *k = hol_item_first(map); k; k = hol_item_next(k)) {
        int found = 0;
        for (int i = 0; known[i]; i++) found |= strcmp(known[i], hol_item_key(k)) == 0;
        if (!found) mistake(k, "this key is not known here");
    }
}

/* A unit of the last digit of a number as it is written. */
static double last_digit(const char *text) {
    const char *point = strchr(text, '.'), *e = strpbrk(text, "eE");
    const char *end = e ? e : text + strlen(text);
    const double decimals = point ? (double)(end - point - 1) : 0;
    return pow(10, (e ? strtod(e + 1, NULL) : 0) - decimals);
}

static void read_listed(const hol_item *list, subject *s) {
    static const char *const known[] = {"t", "quantity", "value", "wrong", NULL};
    s->listed = taken((size_t)hol_item_count(list), sizeof *s->listed);
    for (const hol_item *i = hol_item_first(list); i; i = hol_item_next(i)) {
        check_keys(i, known);
        listed *l = &s->listed[s->n_listed++];
        *l = (listed){.t = number_of(i, "t"),
                      .quantity = text_of(i, "quantity"),
                      .text = text_of(i, "value"),
                      .wrong = text_of(i, "wrong")};
        if (!l->quantity || !l->text) mistake(i, "a listed value has `quantity` and `value`");
        l->unit = last_digit(l->text);
    }
}

/* ---- rows ---- */

static const char *const judged[] = {"within", "energy_within", "gap", "quick", "benchmark", NULL};

static int is_option(const hol_item *item) {
    for (int i = 0; judged[i]; i++)
        if (strcmp(judged[i], hol_item_key(item)) == 0) return 0;
    return 1;
}

/* How many combinations of its lists a row stands for. */
static int combinations(const hol_item *map) {
    int n = 1;
    for (const hol_item *k = hol_item_first(map); k; k = hol_item_next(k))
        if (hol_item_kind_of(k) == HOL_ITEM_LIST) n *= hol_item_count(k);
    return n;
}

/* Value number i of an item: of a list, the item itself otherwise. */
static const char *value_at(const hol_item *item, int i) {
    if (hol_item_kind_of(item) != HOL_ITEM_LIST) return hol_item_value(item);
    const hol_item *value = hol_item_first(item);
    while (i-- > 0) value = hol_item_next(value);
    return hol_item_value(value);
}

/* Combination number c of a row of the table. */
static row make_row(const hol_item *map, int c, const subject *s) {
    row r = {.of = s,
             .within = number_of(map, "within"),
             .gap = text_of(map, "gap"),
             .energy_within = number_of(map, "energy_within"),
             .benchmark = is_true(map, "benchmark"),
             .quick = c == 0 && is_true(map, "quick")};
    for (const hol_item *k = hol_item_first(map); k; k = hol_item_next(k)) {
        if (!is_option(k)) continue;
        if (r.n_options == (int)(sizeof r.names / sizeof *r.names)) mistake(k, "too many options");
        const int n = hol_item_kind_of(k) == HOL_ITEM_LIST ? hol_item_count(k) : 1;
        r.names[r.n_options] = hol_item_key(k);
        r.options[r.n_options] = value_at(k, c % n);
        if (!r.options[r.n_options++]) mistake(k, "a value, or a list of values, is expected");
        c /= n;
    }
    return r;
}

static void read_rows(const hol_item *list, subject *s) {
    int n = 0;
    for (const hol_item *i = hol_item_first(list); i; i = hol_item_next(i)) n += combinations(i);
    if (!n) mistake(list, "a mechanism needs `rows`");
    s->rows = taken((size_t)n, sizeof *s->rows);
    for (const hol_item *i = hol_item_first(list); i; i = hol_item_next(i))
        for (int c = 0; c < combinations(i); c++) {
            row *r = &s->rows[s->n_rows++];
            *r = make_row(i, c, s);
            int adaptive = 1;
            for (int k = 0; k < r->n_options; k++) adaptive &= strcmp(r->names[k], "step") != 0;
            if (!adaptive && !r->within) mistake(i, "a row with a fixed step needs `within`");
        }
}

/* ---- mechanisms ---- */

static void read_subject(const hol_item *item, subject *s) {
    static const char *const known[] = {"title",     "source", "model",     "made_by",  "by",
                                        "end",       "every",  "arguments", "measures", "set",
                                        "published", "about",  "listed",    "rows",     NULL};
    check_keys(item, known);
    *s = (subject){.key = hol_item_key(item),
                   .title = text_of(item, "title"),
                   .model = text_of(item, "model"),
                   .made_by = text_of(item, "made_by"),
                   .source = text_of(item, "source"),
                   .by = text_of(item, "by"),
                   .published = text_of(item, "published"),
                   .about = text_of(item, "about"),
                   .end = number_of(item, "end"),
                   .every = number_of(item, "every"),
                   .measures = hol_item_find(item, "measures"),
                   .set = hol_item_find(item, "set"),
                   .arguments = hol_item_find(item, "arguments")};
    if (!s->title || !s->source || !s->by || !(s->model || s->made_by))
        mistake(item, "a mechanism has `title`, `source`, `by` and `model` or `made_by`");
    if (!(s->every > 0 && s->end >= s->every)) mistake(item, "`end` and `every` give the instants");
    read_listed(hol_item_find(item, "listed"), s);
    read_rows(hol_item_find(item, "rows"), s);
}

void table_read(hol_context *ctx, const char *path, table *out) {
    *out = (table){.document = hol_document_read(ctx, path)};
    if (!out->document) exit(3);
    const hol_item *all = hol_item_find(hol_document_root(out->document), "mechanisms");
    out->subjects = taken((size_t)hol_item_count(all), sizeof *out->subjects);
    for (const hol_item *i = hol_item_first(all); i; i = hol_item_next(i))
        read_subject(i, &out->subjects[out->n++]);
    if (!out->n) mistake(hol_document_root(out->document), "`mechanisms` are expected");
}

void table_free(table *t) {
    for (int i = 0; i < t->n; i++) {
        subject *s = &t->subjects[i];
        for (int k = 0; k < s->n_rows; k++) free(s->rows[k].errors);
        free(s->rows);
        free(s->listed);
        free(s->reference.t);
        free(s->reference.values);
    }
    free(t->subjects);
    hol_document_free(t->document);
}

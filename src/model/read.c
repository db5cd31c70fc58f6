/* read.c: typed reading of the keys of an item, with messages that name the place and what was
 * expected. */
#include "base/text.h"
#include "math/vec3.h"
#include "model/read.h"
#include "common/format.h"
#include "common/number.h"

#include <stdio.h>
#include <string.h>

void hol__build_error_at(hol__build *build, const hol_location *where, const char *format,
                         va_list args) {
    build->errors++;
    /* what follows from memory that is missing is no mistake in the model */
    if (!build->arena->failed) hol__verror(build->ctx, where, build->element, format, args);
}

void hol__build_error(hol__build *build, const hol__node *node, const char *format, ...) {
    va_list args;
    va_start(args, format);
    hol__build_error_at(build, node ? &node->where : NULL, format, args);
    va_end(args);
}

int hol__place_error(hol__build *build, const hol_location *where, const char *format, ...) {
    va_list args;
    va_start(args, format);
    hol__build_error_at(build, where, format, args);
    va_end(args);
    return 0;
}

int hol__has_enough_errors(hol__build *build) {
    enum { ENOUGH = 100 };
    if (build->errors < ENOUGH || build->stopped) return build->stopped;
    build->stopped = 1;
    hol__error(build->ctx, NULL, NULL, "these are %d errors; what follows was not looked at",
               build->errors);
    return 1;
}

void hol__read_span(hol__build *build, double span[2]) {
    static const char *const ends[2] = {"start", "end"};
    const hol__node *run = hol__node_get(build->spec->root, "simulation");
    span[0] = 0, span[1] = 10;
    for (int i = 0; i < 2; i++) {
        hol__node *end = hol__node_get(run, ends[i]);
        if (end) span[i] = hol__read_constant(build, end, NULL, span[i]);
    }
}

const char *hol__keep(hol__build *build, const char *text) {
    const char *copy = text ? hol__arena_text(build->arena, text) : NULL;
    return copy ? copy : "";
}

hol_location hol__keep_location(hol__build *build, hol_location where) {
    if (!where.file) return where;
    if (strcmp(where.file, build->model->source) == 0)
        where.file = build->model->source;
    else if (build->kept_file && strcmp(where.file, build->kept_file) == 0)
        where.file = build->kept_file;
    else
        where.file = build->kept_file = hol__keep(build, where.file);
    return where;
}

/* ---- keys ---- */

/* The i-th key of two tables, for hol__nearest; NULL past the last. */
static const char *key_name(const void *list, int i) {
    const hol__key *const *tables = list;
    for (int k = 0; k < 2; k++)
        for (const hol__key *key = tables[k]; key && key->name; key++)
            if (i-- == 0) return key->name;
    return NULL;
}

/* Whether a key has a meaning in the dimension of the model. */
static int key_fits_space(const hol__build *build, const hol__key *key) {
    const unsigned only = key->flags & (HOL__IN_PLANE | HOL__IN_SPACE);
    return only == 0 || (only & (build->model->dim == 2 ? HOL__IN_PLANE : HOL__IN_SPACE));
}

/* Whether a key is the rest of an expression that a comma cut: it closes more than it opens. */
static int is_rest_of_expression(const hol__node *child) {
    int open = 0;
    for (const char *c = child->key; *c; c++) {
        open += (*c == '(') - (*c == ')');
        if (open < 0) return child->kind == HOL__NULL;
    }
    return 0;
}

/* The key that has the word among its choices; NULL: none. */
static const hol__key *key_with_choice(const hol__key *const tables[2], const char *word) {
    for (int k = 0; k < 2; k++)
        for (const hol__key *key = tables[k]; key && key->name; key++)
            for (int i = 0; key->kind == HOL__KEY_CHOICE && key->choices && key->choices[i]; i++)
                if (strcmp(key->choices[i], word) == 0) return key;
    return NULL;
}

/* What was probably meant by a key that a map does not have. */
static const char *guess_key(const char *word, const hol__key *const tables[2], char *hint,
                             size_t size) {
    const hol__key *key = key_with_choice(tables, word);
    if (!key) return hol__did_you_mean(hol__nearest(word, key_name, tables), hint, size);
    snprintf(hint, size, "; did you mean '%s: %s'?", key->name, word);
    return hint;
}

/* Report a key that a map does not have. */
static void report_unknown_key(hol__build *build, const hol__node *child,
                               const hol__key *const tables[2], const char *what) {
    char hint[128];
    build->errors++;
    if (is_rest_of_expression(child))
        hol__error(build->ctx, &child->key_at, build->element,
                   "'%s' reads as a key: a comma inside { } ends a value; quote the whole "
                   "expression, e.g. 'max(a, b)'",
                   child->key);
    else
        hol__error(build->ctx, &child->key_at, build->element, "unknown key '%s' in %s%s",
                   child->key, what, guess_key(child->key, tables, hint, sizeof hint));
}

/* Report required keys of a table that the item lacks. */
static void check_required(hol__build *build, hol__node *item, const hol__key *keys,
                           const char *what) {
    for (const hol__key *key = keys; key && key->name; key++)
        if (!key->initial && key_fits_space(build, key) && !hol__node_get(item, key->name))
            hol__build_error(build, item, "%s needs the key '%s' (%s): %s", what, key->name,
                             hol__key_kind_name(key->kind), key->doc);
}

void hol__check_keys(hol__build *build, hol__node *item, const hol__key *keys, const hol__key *more,
                     const char *what) {
    const hol__key *tables[2] = {keys, more};
    for (hol__node *child = item->first; child && !hol__has_enough_errors(build);
         child = child->next) {
        const hol__key *key = hol__key_find(keys, child->key);
        if (!key) key = hol__key_find(more, child->key);
        if (!key) {
            report_unknown_key(build, child, tables, what);
        } else if (!key_fits_space(build, key)) {
            build->errors++;
            hol__error(build->ctx, &child->key_at, build->element,
                       "the key '%s' has no meaning in a %s model", child->key,
                       build->model->dim == 2 ? "planar" : "spatial");
        }
    }
    check_required(build, item, keys, what);
    check_required(build, item, more, what);
}

/* ---- values with their defaults and ranges ---- */

hol__node *hol__take_key(const hol__build *build, hol__node *item, const hol__key *keys,
                         const char *name, const hol__key **key) {
    *key = hol__key_find(keys, name);
    return *key && key_fits_space(build, *key) ? hol__node_get(item, name) : NULL;
}

/* Report a constant outside the range of its key. */
static double check_range(hol__build *build, const hol__node *node, const hol__key *key,
                          double value) {
    if ((key->flags & HOL__POSITIVE) && !(value > 0))
        hol__build_error(build, node, "%s is %g; it must be positive", key->name, value);
    else if ((key->flags & HOL__NOT_NEGATIVE) && !(value >= 0))
        hol__build_error(build, node, "%s is %g; it must not be negative", key->name, value);
    else
        return value;
    return 1;
}

/* The default of a key as a number. */
static double initial_number(const hol__key *key) {
    const char *end;
    return key->initial && key->initial[0] ? hol__number_read(key->initial, &end) : 0;
}

double hol__number_at(hol__build *build, hol__node *node, const hol__key *key) {
    if (!node) return initial_number(key);
    return check_range(build, node, key, hol__read_constant(build, node, key->unit, 1));
}

double hol__read_number(hol__build *build, hol__node *item, const hol__key *keys,
                        const char *name) {
    const hol__key *key;
    hol__node *node = hol__take_key(build, item, keys, name, &key);
    return hol__number_at(build, node, key);
}

int hol__bool_at(hol__build *build, const hol__node *node, const hol__key *key) {
    const char *text = node && node->kind == HOL__SCALAR ? node->text : node ? "?" : key->initial;
    if (strcmp(text, "true") == 0 || strcmp(text, "yes") == 0) return 1;
    if (node && strcmp(text, "false") != 0 && strcmp(text, "no") != 0)
        hol__build_error(build, node, "expected true or false");
    return 0;
}

int hol__read_bool(hol__build *build, hol__node *item, const hol__key *keys, const char *name) {
    const hol__key *key;
    hol__node *node = hol__take_key(build, item, keys, name, &key);
    return hol__bool_at(build, node, key);
}

/* The i-th choice, for hol__nearest. */
static const char *choice_name(const void *list, int i) {
    return ((const char *const *)list)[i];
}

/* The index of text among the choices; reports and returns -1 when it is none of them. */
static int find_choice(hol__build *build, const hol__node *node, const hol__key *key) {
    const char *text = node->kind == HOL__SCALAR ? node->text : "";
    for (int i = 0; key->choices[i]; i++)
        if (strcmp(key->choices[i], text) == 0) return i;
    char list[256] = "", hint[128];
    for (int i = 0; key->choices[i]; i++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", key->choices[i]);
    }
    hol__build_error(
        build, node, "'%s' is not a value of '%s'; it is one of: %s%s", text, key->name, list,
        hol__did_you_mean(hol__nearest(text, choice_name, key->choices), hint, sizeof hint));
    return -1;
}

int hol__choice_at(hol__build *build, const hol__node *node, const hol__key *key) {
    if (node) {
        const int i = find_choice(build, node, key);
        return i < 0 ? 0 : i;
    }
    for (int i = 0; key->initial && key->choices[i]; i++)
        if (strcmp(key->choices[i], key->initial) == 0) return i;
    return 0;
}

int hol__read_choice(hol__build *build, hol__node *item, const hol__key *keys, const char *name) {
    const hol__key *key;
    hol__node *node = hol__take_key(build, item, keys, name, &key);
    return hol__choice_at(build, node, key);
}

unsigned hol__words_at(hol__build *build, const hol__node *node, const hol__key *key) {
    unsigned bits = 0;
    if (!node) return 0;
    if (node->kind != HOL__LIST) {
        hol__build_error(build, node, "'%s' is a list of words, for example [%s]", key->name,
                         key->choices[0]);
        return 0;
    }
    for (const hol__node *child = node->first; child; child = child->next) {
        const int i = find_choice(build, child, key);
        if (i >= 0) bits |= 1u << i;
    }
    return bits;
}

unsigned hol__read_words(hol__build *build, hol__node *item, const hol__key *keys,
                         const char *name) {
    const hol__key *key;
    hol__node *node = hol__take_key(build, item, keys, name, &key);
    return hol__words_at(build, node, key);
}

const char *hol__text_at(hol__build *build, const hol__node *node, const hol__key *key) {
    if (!node) return key->initial ? key->initial : "";
    if (node->kind == HOL__SCALAR) return node->text;
    hol__build_error(build, node, "'%s' is a text, found %s", key->name, hol__node_kind_name(node));
    return "";
}

const char *hol__read_text(hol__build *build, hol__node *item, const hol__key *keys,
                           const char *name) {
    const hol__key *key;
    hol__node *node = hol__take_key(build, item, keys, name, &key);
    return hol__text_at(build, node, key);
}

hol__law hol__law_at(hol__build *build, hol__node *node, const hol__key *key,
                     const char *const *locals) {
    hol__law law = {0, NULL};
    if (!node) return (hol__law){initial_number(key), NULL};
    const hol__names names = key->kind == HOL__KEY_TIME_LAW || key->kind == HOL__KEY_DRIVES
                                 ? HOL__NAMES_TIME
                                 : HOL__NAMES_ALL;
    build->local_units = locals == key->locals ? key->local_units : NULL;
    const hol__expr *e = hol__read_expr(build, node, names, locals, key->unit);
    build->local_units = NULL;
    if (!e) return law;
    if (!hol__expr_is_constant(e)) {
        law.e = e;
        return law;
    }
    law.value = check_range(build, node, key, hol__expr_constant(e));
    return law;
}

/* ---- vectors ---- */

/* The item of a list that is the beginning of an expression which a comma cut: it opens more than
 * it closes; NULL: none. */
static const hol__node *cut_item(const hol__node *list) {
    for (const hol__node *item = list->first; item; item = item->next) {
        int open = 0;
        for (const char *c = item->kind == HOL__SCALAR ? item->text : ""; *c; c++)
            open += (*c == '(') - (*c == ')');
        if (open > 0 && item->next && item->next->kind == HOL__SCALAR) return item;
    }
    return NULL;
}

/* Report a list of another length, once for all who use it. */
static void report_list(hol__build *build, const hol__node *node, const char *what, int n) {
    const hol__node *cut = cut_item(node);
    const size_t room = sizeof build->wrong_list / sizeof *build->wrong_list;
    size_t i = 0;
    while (i < room && build->wrong_list[i] && build->wrong_list[i] != node) i++;
    if (i < room && build->wrong_list[i]) {
        build->errors++;
        return;
    }
    if (i < room) build->wrong_list[i] = node;
    if (cut)
        hol__build_error(build, cut,
                         "'%s, %s' is cut by its comma, which separates items of a list: quote the "
                         "whole expression, as in \"hypot(a, b)\"",
                         cut->text, cut->next->text);
    else
        hol__build_error(build, node, "%s has %d components in a %s model, found %d", what, n,
                         build->model->dim == 2 ? "planar" : "spatial", node->count);
}

/* A list of exactly n items; NULL after an error. */
static hol__node *list_of(hol__build *build, hol__node *node, const char *what, int n) {
    if (node->kind == HOL__LIST && node->count == n) return node->first;
    if (node->kind == HOL__LIST)
        report_list(build, node, what, n);
    else if (node->kind == HOL__SCALAR && build->points && hol__node_get(build->points, node->text))
        hol__build_error(build, node,
                         "%s must be a list, e.g. %s; '%s' is a point: a direction goes from one "
                         "point to another, as in [P, Q]",
                         what, n == 2 ? "[1, 0]" : "[1, 0, 0]", node->text);
    else
        hol__build_error(build, node, "%s must be a list, e.g. %s; found %s", what,
                         n == 2 ? "[1, 0]" : "[1, 0, 0]", hol__node_kind_name(node));
    return NULL;
}

int hol__read_vector_at(hol__build *build, hol__node *node, const char *what, const char *unit,
                        double out[3]) {
    out[0] = out[1] = out[2] = 0;
    hol__node *child = list_of(build, node, what, build->model->dim);
    if (!child) return 0;
    for (int i = 0; child; child = child->next)
        out[i++] = hol__read_constant(build, child, unit, 0);
    return 1;
}

int hol__read_vector(hol__build *build, hol__node *item, const hol__key *keys, const char *name,
                     double out[3]) {
    const hol__key *key;
    hol__node *node = hol__take_key(build, item, keys, name, &key);
    out[0] = out[1] = out[2] = 0;
    return node ? hol__read_vector_at(build, node, name, key->unit, out) : 0;
}

int hol__laws_at(hol__build *build, hol__node *node, const hol__key *key, const char *const *locals,
                 hol__law out[3]) {
    if (key->kind == HOL__KEY_TURN && build->model->dim == 2) {
        out[2] = hol__law_at(build, node, key, locals);
        return 1;
    }
    hol__node *child = list_of(build, node, key->name, build->model->dim);
    if (!child) return 0;
    for (int i = 0; child; child = child->next) out[i++] = hol__law_at(build, child, key, locals);
    return 1;
}

/* The unit of entry (i, j) of a matrix over translations and rotations: that of the key, which ends
 * in "/m", for two translations, a length more for each rotation. */
static void matrix_unit(const hol__key *key, int n, int i, int j, char *unit, size_t size) {
    static const char *const ends[] = {"/m", "", "*m/rad"};
    const int translations = n == 3 ? 2 : 3, load = (int)strlen(key->unit) - 2;
    snprintf(unit, size, "%.*s%s", load, key->unit,
             ends[(i >= translations) + (j >= translations)]);
}

int hol__matrix_at(hol__build *build, hol__node *node, const hol__key *key, int n, double *out) {
    const int nested =
        node->kind == HOL__LIST && node->count == n && node->first->kind == HOL__LIST;
    int ok = node->kind == HOL__LIST && node->count == n;
    for (hol__node *row = ok && nested ? node->first : NULL; row; row = row->next)
        ok = ok && row->kind == HOL__LIST && row->count == n;
    if (!ok) {
        hol__build_error(build, node,
                         "%s is a list of %d numbers (the diagonal), or %d rows of %d numbers",
                         key->name, n, n, n);
        return 0;
    }
    const int errors = build->errors;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            char unit[64];
            matrix_unit(key, n, i, j, unit, sizeof unit);
            if (nested)
                out[n * i + j] =
                    hol__read_constant(build, hol__node_at(hol__node_at(node, i), j), unit, 0);
            else if (i == j)
                out[n * i + i] = hol__read_constant(build, hol__node_at(node, i), unit, 0);
        }
    return build->errors == errors;
}

/* The components of a direction: plain numbers, or lengths. */
static int direction_components(hol__build *build, hol__node *node, const hol__key *key,
                                double out[3]) {
    const int errors = build->errors;
    out[0] = out[1] = out[2] = 0;
    hol__node *child = list_of(build, node, key->name, build->model->dim);
    if (!child) return 0;
    for (int i = 0; child; child = child->next) {
        const int before = build->errors;
        out[i++] = hol__read_constant(build, child, NULL, 0);
        if (build->errors == before && !hol__dim_fits(build->dim, hol__dim_of("")))
            hol__check_unit(build, &child->where, child->text, build->dim, "m");
    }
    return build->errors == errors;
}

/* Whether the item of a list is a point: its name, its components, or a place on a body. */
static int is_point(const hol__build *build, const hol__node *item) {
    return item->kind != HOL__SCALAR || (build->points && hol__node_get(build->points, item->text));
}

/* Whether a direction is given by two points. In space two items are nothing else, once one of them
 * is a point; in the plane two names may be components as well, of parameters with the names of
 * points: then neither is taken. */
static int is_between(hol__build *build, const hol__node *node, const hol__key *key) {
    if (key->kind != HOL__KEY_DIRECTION || node->kind != HOL__LIST || node->count != 2) return 0;
    const int points = is_point(build, node->first) + is_point(build, node->last);
    if (build->model->dim > 2) return points > 0;
    if (points < 2) return 0;
    for (const hol__node *item = node->first; item; item = item->next)
        if (item->kind == HOL__SCALAR && hol__named_parameter(build, item->text)) {
            hol__build_error(build, item,
                             "'%s' is a point and a parameter: %s would be the direction between "
                             "two points or a list of components; give one of them another name",
                             item->text, key->name);
            return -1;
        }
    return 1;
}

/* From the first to the second of two points. */
static int direction_between(hol__build *build, hol__node *node, const hol__key *key,
                             double out[3]) {
    double from[3], to[3];
    const int first = hol__read_point_at(build, node->first, from),
              second = hol__read_point_at(build, node->last, to);
    if (!first || !second) return 0;
    hol__sub3(to, from, out);
    if (hol__norm3(out) > 1e-300) return 1;
    hol__build_error(build, node, "the two points of '%s' coincide", key->name);
    return 0;
}

int hol__direction_at(hol__build *build, hol__node *node, const hol__key *key, double out[3]) {
    const int between = is_between(build, node, key);
    out[0] = out[1] = out[2] = 0;
    if (between < 0 || (between && !direction_between(build, node, key, out)) ||
        (!between && !direction_components(build, node, key, out)))
        return 0;
    const double length = hol__norm3(out);
    if (!(length > 1e-300)) {
        hol__build_error(build, node, "%s has length 0; give a direction such as %s", key->name,
                         build->model->dim == 2 ? "[1, 0]" : "[0, 0, 1]");
        return 0;
    }
    for (int i = 0; i < 3; i++) out[i] /= length;
    return 1;
}

int hol__read_direction(hol__build *build, hol__node *item, const hol__key *keys, const char *name,
                        double out[3]) {
    const hol__key *key;
    hol__node *node = hol__take_key(build, item, keys, name, &key);
    return node ? hol__direction_at(build, node, key, out) : 0;
}

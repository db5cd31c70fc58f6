/* read.c: typed reading of the keys of an item, with messages that name the place and what was expected. */
#include "base/text.h"
#include "math/quat.h"
#include "model/build.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void hol__build_error(hol__build *build, const hol__node *node, const char *format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    build->errors++;
    hol__error(build->ctx, node ? &node->where : NULL, build->element, "%s", text);
}

/* ---- keys ---- */

static const char *key_name(const void *list, int i) {
    const hol__key *const *tables = list;
    for (int k = 0; k < 2; k++)
        for (const hol__key *key = tables[k]; key && key->name; key++)
            if (i-- == 0) return key->name;
    return NULL;
}

static int key_fits_space(const hol__build *build, const hol__key *key) {
    const unsigned only = key->flags & (HOL__IN_PLANE | HOL__IN_SPACE);
    return only == 0 || (only & (build->model->dim == 2 ? HOL__IN_PLANE : HOL__IN_SPACE));
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
    for (hol__node *child = item->first; child; child = child->next) {
        const hol__key *key = hol__key_find(keys, child->key);
        if (!key) key = hol__key_find(more, child->key);
        char hint[128];
        if (!key) {
            build->errors++;
            hol__error(
                build->ctx, &child->key_at, build->element, "unknown key '%s' in %s%s", child->key,
                what,
                hol__did_you_mean(hol__nearest(child->key, key_name, tables), hint, sizeof hint));
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

/* ---- names in expressions ---- */

/* Names that refer to each other may do so this deep; in the order of the file there is no limit. */
enum { MAX_DEPTH = 200 };

/* How many parameters are being evaluated now. */
static int parameter_depth(const hol__build *build) {
    int depth = 0;
    for (int i = 0; i < build->n_parameters; i++)
        depth += build->parameters[i].state == HOL__PARAMETER_BUSY;
    return depth;
}

static hol__symbol find_parameter(hol__build *build, hol__parameter *p, const hol_location *where) {
    hol__symbol symbol = {HOL__SYMBOL_ERROR, 0, 0};
    if (p->state == HOL__PARAMETER_BUSY) {
        build->errors++;
        hol__error(build->ctx, where, build->element, "parameter '%s' depends on itself", p->name);
        p->state = HOL__PARAMETER_FAILED;
    }
    if (p->state == HOL__PARAMETER_OPEN && parameter_depth(build) >= MAX_DEPTH) {
        build->errors++;
        hol__error(
            build->ctx, where, build->element,
            "parameters refer to each other more than %d deep; put '%s' before those that use it",
            MAX_DEPTH, p->name);
        p->state = HOL__PARAMETER_FAILED;
    }
    if (p->state == HOL__PARAMETER_OPEN) {
        const hol__names names = build->names;
        const char *const *locals = build->locals;
        const char *element = build->element;
        char label[160];
        snprintf(label, sizeof label, "parameter '%.100s'", p->name);
        p->state = HOL__PARAMETER_BUSY;
        build->element = label;
        const int errors = build->errors;
        p->value = hol__read_constant(build, p->node, NULL, 0);
        p->state = build->errors == errors ? HOL__PARAMETER_DONE : HOL__PARAMETER_FAILED;
        build->names = names;
        build->locals = locals;
        build->element = element;
    }
    if (p->state == HOL__PARAMETER_DONE) symbol = (hol__symbol){HOL__SYMBOL_CONSTANT, p->value, 0};
    return symbol;
}

static hol__symbol not_here(hol__build *build, const hol_location *where, const char *name,
                            const char *what) {
    build->errors++;
    hol__error(build->ctx, where, build->element,
               build->names == HOL__NAMES_CONSTANT ? "'%s' is %s, but a constant is wanted here"
               : build->names == HOL__NAMES_LOCAL  ? "'%s' is %s, which may not be used here"
                                                   : "'%s' is %s, but only time may be used here",
               name, what);
    return (hol__symbol){HOL__SYMBOL_ERROR, 0, 0};
}

/* Whether the name is a measure or a component of one ("tip.x"), by the section, which may not be compiled yet. */
static int names_measure(const hol__build *build, const char *name) {
    const hol__node *measures = hol__node_get(build->spec->root, "measures");
    const size_t length = strcspn(name, ".");
    for (const hol__node *m = measures && measures->kind == HOL__MAP ? measures->first : NULL; m;
         m = m->next)
        if (strncmp(m->key, name, length) == 0 && m->key[length] == '\0') return 1;
    return 0;
}

/* A measure in an expression that may not read measures as such: one that is taken in, or an error. */
static hol__symbol find_measure(hol__build *build, const char *name, const hol_location *where) {
    if (build->names != HOL__NAMES_LOCAL || !build->adopt)
        return not_here(build, where, name, "a measure");
    const int i = build->adopt->measure(build, build->adopt, name, where);
    return i < 0 ? (hol__symbol){HOL__SYMBOL_ERROR, 0, 0}
                 : (hol__symbol){HOL__SYMBOL_INPUT, 0, 1 + i};
}

static int is_parameter(const hol__build *build, const char *name) {
    for (int i = 0; i < build->n_parameters; i++)
        if (strcmp(build->parameters[i].name, name) == 0) return 1;
    return 0;
}

/* The column of a measure, or -1. */
static int find_column(const hol__build *build, const char *name) {
    for (int i = 0; i < build->model->n_columns; i++)
        if (strcmp(build->model->columns[i].name, name) == 0) return i;
    return -1;
}

/* A parameter whose name has another meaning where it is used. */
static hol__symbol two_meanings(hol__build *build, const char *name, const char *other,
                                const hol_location *where) {
    build->errors++;
    hol__error(build->ctx, where, build->element,
               "'%s' is a parameter and also %s; call the parameter something else", name, other);
    return (hol__symbol){HOL__SYMBOL_ERROR, 0, 0};
}

static hol__symbol scope_find(void *self, const char *name, const hol_location *where) {
    hol__build *build = self;
    const int own = is_parameter(build, name), column = find_column(build, name);
    for (int i = 0; build->locals && build->locals[i]; i++)
        if (strcmp(build->locals[i], name) == 0)
            return own ? two_meanings(build, name, "what this key offers under that name", where)
                       : (hol__symbol){
                             HOL__SYMBOL_INPUT, 0,
                             (build->names == HOL__NAMES_LOCAL ? 1 : build->model->local) + i};
    if (own && column >= 0 && build->names == HOL__NAMES_ALL)
        return two_meanings(build, name, "a measure", where);
    for (int i = 0; i < build->n_parameters; i++)
        if (strcmp(build->parameters[i].name, name) == 0)
            return find_parameter(build, &build->parameters[i], where);
    if (strcmp(name, "t") == 0 || strcmp(name, "time") == 0)
        return build->names == HOL__NAMES_CONSTANT ? not_here(build, where, name, "the time")
                                                   : (hol__symbol){HOL__SYMBOL_INPUT, 0, 0};
    if (column >= 0)
        return build->names == HOL__NAMES_ALL ? (hol__symbol){HOL__SYMBOL_INPUT, 0, 1 + column}
                                              : find_measure(build, name, where);
    if (build->names != HOL__NAMES_ALL && names_measure(build, name))
        return find_measure(build, name, where);
    return (hol__symbol){HOL__SYMBOL_UNKNOWN, 0, 0};
}

static const char *scope_name(const void *self, int i) {
    const hol__build *build = self;
    for (int k = 0; build->locals && build->locals[k]; k++)
        if (i-- == 0) return build->locals[k];
    if (i < build->n_parameters) return build->parameters[i].name;
    i -= build->n_parameters;
    if (build->names == HOL__NAMES_CONSTANT) return NULL;
    if (i-- == 0) return "time";
    return build->names == HOL__NAMES_ALL && i < build->model->n_columns
               ? build->model->columns[i].name
               : NULL;
}

/* The dimension that the units of an expression give must be the wanted one; angles count as plain numbers beside others. */
static void check_unit(hol__build *build, const hol__node *node, const hol__expr *e,
                       const char *unit) {
    const hol__dim have = hol__expr_dim(e);
    if (!unit || !have.known) return;
    const hol__dim want = hol__dim_of(unit);
    const int same = have.m == want.m && have.kg == want.kg && have.s == want.s;
    const int angle_clash = same && have.rad != want.rad && have.rad != 0 && want.rad == 0 &&
                            want.m == 0 && want.kg == 0;
    if (!same || angle_clash)
        hol__build_error(build, node, "'%s' has the wrong unit; expected %s", node->text,
                         unit[0] ? unit : "a plain number");
}

/* Words of YAML and C for what is no finite number (".nan", "-inf"), unless a parameter is called so. */
static int is_not_finite(const hol__build *build, const char *text) {
    static const char *const words[] = {"nan", "inf", "infinity"};
    if (*text == '-' || *text == '+') text++;
    if (is_parameter(build, text)) return 0;
    if (*text == '.') text++;
    for (int i = 0; i < 3; i++) {
        size_t n = 0;
        while (words[i][n] && tolower((unsigned char)text[n]) == words[i][n]) n++;
        if (!words[i][n] && !text[n]) return 1;
    }
    return 0;
}

const hol__expr *hol__read_expr(hol__build *build, hol__node *node, hol__names names,
                                const char *const *locals, const char *unit) {
    node->used = 1;
    if (node->kind != HOL__SCALAR) {
        hol__build_error(build, node, "expected a number or an expression, found %s",
                         hol__node_kind_name(node));
        return NULL;
    }
    if (is_not_finite(build, node->text)) {
        hol__build_error(build, node, "'%s' is not a finite number", node->text);
        return NULL;
    }
    build->names = names;
    build->locals = locals;
    const hol__scope scope = {build, scope_find, scope_name};
    int n_inputs = names == HOL__NAMES_ALL ? build->model->n_inputs : 1;
    for (int i = 0; names == HOL__NAMES_LOCAL && locals && locals[i]; i++) n_inputs++;
    if (names == HOL__NAMES_LOCAL && build->adopt) n_inputs = 1 + build->adopt->most;
    const int errors = build->errors;
    hol_location where = node->where;
    if (node->quoted) where.column++;
    const hol__expr *e =
        hol__expr_compile(build->arena, node->text, &scope, n_inputs, &where, build->element);
    if (!e) {
        if (build->errors == errors) build->errors++;
        return NULL;
    }
    check_unit(build, node, e, unit);
    if (names == HOL__NAMES_TIME && !hol__expr_is_constant(e)) build->model->rheonomic = 1;
    if (build->on_law && names == HOL__NAMES_ALL) build->on_law(build, e, node);
    if (hol__expr_scratch(e) > build->model->scratch) build->model->scratch = hol__expr_scratch(e);
    return e;
}

double hol__read_constant(hol__build *build, hol__node *node, const char *unit, double fallback) {
    const hol__expr *e = hol__read_expr(build, node, HOL__NAMES_CONSTANT, NULL, unit);
    if (!e) return fallback;
    const double value = hol__expr_constant(e);
    if (isfinite(value)) return value;
    hol__build_error(build, node, "'%s' is not a finite number", node->text);
    return fallback;
}

/* ---- keys with their defaults and ranges ---- */

/* The node of a key, or NULL (also for a key that the space does not have, which is reported elsewhere); *key receives its row. */
static hol__node *take(const hol__build *build, hol__node *item, const hol__key *keys,
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
    double value = 0;
    if (key->initial && key->initial[0]) sscanf(key->initial, "%lf", &value);
    return value;
}

double hol__read_number(hol__build *build, hol__node *item, const hol__key *keys,
                        const char *name) {
    const hol__key *key;
    hol__node *node = take(build, item, keys, name, &key);
    if (!node) return initial_number(key);
    return check_range(build, node, key, hol__read_constant(build, node, key->unit, 1));
}

int hol__read_bool(hol__build *build, hol__node *item, const hol__key *keys, const char *name) {
    const hol__key *key;
    hol__node *node = take(build, item, keys, name, &key);
    const char *text = node && node->kind == HOL__SCALAR ? node->text : node ? "?" : key->initial;
    if (strcmp(text, "true") == 0 || strcmp(text, "yes") == 0) return 1;
    if (node && strcmp(text, "false") != 0 && strcmp(text, "no") != 0)
        hol__build_error(build, node, "expected true or false");
    return 0;
}

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

int hol__read_choice(hol__build *build, hol__node *item, const hol__key *keys, const char *name) {
    const hol__key *key;
    hol__node *node = take(build, item, keys, name, &key);
    if (node) {
        const int i = find_choice(build, node, key);
        return i < 0 ? 0 : i;
    }
    for (int i = 0; key->initial && key->choices[i]; i++)
        if (strcmp(key->choices[i], key->initial) == 0) return i;
    return 0;
}

unsigned hol__read_words(hol__build *build, hol__node *item, const hol__key *keys,
                         const char *name) {
    const hol__key *key;
    hol__node *node = take(build, item, keys, name, &key);
    unsigned bits = 0;
    if (!node) return 0;
    if (node->kind != HOL__LIST) {
        hol__build_error(build, node, "'%s' is a list of words, for example [%s]", name,
                         key->choices[0]);
        return 0;
    }
    for (hol__node *child = node->first; child; child = child->next) {
        const int i = find_choice(build, child, key);
        if (i >= 0) bits |= 1u << i;
    }
    return bits;
}

const char *hol__read_text(hol__build *build, hol__node *item, const hol__key *keys,
                           const char *name) {
    const hol__key *key;
    hol__node *node = take(build, item, keys, name, &key);
    if (!node) return key->initial ? key->initial : "";
    if (node->kind == HOL__SCALAR) return node->text;
    hol__build_error(build, node, "'%s' is a text, found %s", name, hol__node_kind_name(node));
    return "";
}

/* A law from a node: constants are folded and checked against the range. */
static hol__law law_at(hol__build *build, hol__node *node, const hol__key *key,
                       const char *const *locals) {
    hol__law law = {0, NULL};
    const hol__names names = key->kind == HOL__KEY_TIME_LAW || key->kind == HOL__KEY_DRIVES
                                 ? HOL__NAMES_TIME
                                 : HOL__NAMES_ALL;
    const hol__expr *e = hol__read_expr(build, node, names, locals, key->unit);
    if (!e) return law;
    if (!hol__expr_is_constant(e)) {
        law.e = e;
        return law;
    }
    law.value = check_range(build, node, key, hol__expr_constant(e));
    if (!isfinite(law.value))
        hol__build_error(build, node, "'%s' is not a finite number", node->text);
    return law;
}

hol__law hol__read_law(hol__build *build, hol__node *item, const hol__key *keys, const char *name,
                       const char *const *locals) {
    const hol__key *key;
    hol__node *node = take(build, item, keys, name, &key);
    return node ? law_at(build, node, key, locals) : (hol__law){initial_number(key), NULL};
}

double hol__read_number_in(hol__build *build, hol__node *item, const hol__key *keys,
                           const char *name, const char *unit) {
    hol__key row[2] = {*hol__key_find(keys, name), HOL__KEY_END};
    row[0].unit = unit;
    return hol__read_number(build, item, row, name);
}

hol__law hol__read_law_in(hol__build *build, hol__node *item, const hol__key *keys,
                          const char *name, const char *const *locals, const char *unit) {
    hol__key row[2] = {*hol__key_find(keys, name), HOL__KEY_END};
    row[0].unit = unit;
    return hol__read_law(build, item, row, name, locals);
}

/* ---- vectors ---- */

/* A list of exactly n items; NULL after an error. */
static hol__node *list_of(hol__build *build, hol__node *node, const char *what, int n) {
    if (node->kind == HOL__LIST && node->count == n) return node->first;
    if (node->kind == HOL__LIST)
        hol__build_error(build, node, "%s has %d components in a %s model, found %d", what, n,
                         build->model->dim == 2 ? "planar" : "spatial", node->count);
    else
        hol__build_error(build, node, "%s is a list such as %s, found %s", what,
                         n == 2 ? "[1, 0]" : "[1, 0, 0]", hol__node_kind_name(node));
    return NULL;
}

/* A list of dim constants. */
static int vector_at(hol__build *build, hol__node *node, const char *what, const char *unit,
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
    hol__node *node = take(build, item, keys, name, &key);
    out[0] = out[1] = out[2] = 0;
    return node ? vector_at(build, node, name, key->unit, out) : 0;
}

int hol__read_laws_of(hol__build *build, hol__node *item, const hol__key *keys, const char *name,
                      const char *const *locals, hol__law out[3]) {
    const hol__key *key;
    hol__node *node = take(build, item, keys, name, &key);
    for (int i = 0; i < 3; i++) out[i] = (hol__law){0, NULL};
    if (node && key->kind == HOL__KEY_TURN && build->model->dim == 2) {
        out[2] = law_at(build, node, key, locals);
        return 1;
    }
    hol__node *child = node ? list_of(build, node, name, build->model->dim) : NULL;
    if (!child) return 0;
    for (int i = 0; child; child = child->next) out[i++] = law_at(build, child, key, locals);
    return 1;
}

int hol__read_laws(hol__build *build, hol__node *item, const hol__key *keys, const char *name,
                   hol__law out[3]) {
    return hol__read_laws_of(build, item, keys, name, NULL, out);
}

int hol__read_turn(hol__build *build, hol__node *item, const hol__key *keys, const char *name,
                   hol__law out[3]) {
    return hol__read_laws_of(build, item, keys, name, NULL, out);
}

int hol__read_matrix(hol__build *build, hol__node *item, const hol__key *keys, const char *name,
                     int n, double *out) {
    const hol__key *key;
    hol__node *node = take(build, item, keys, name, &key);
    for (int i = 0; i < n * n; i++) out[i] = 0;
    if (!node) return 0;
    const int nested =
        node->kind == HOL__LIST && node->count == n && node->first->kind == HOL__LIST;
    int ok = node->kind == HOL__LIST && node->count == n;
    for (hol__node *row = ok && nested ? node->first : NULL; row; row = row->next)
        ok = ok && row->kind == HOL__LIST && row->count == n;
    if (!ok) {
        hol__build_error(build, node,
                         "%s is a list of %d numbers (the diagonal), or %d rows of %d numbers",
                         name, n, n, n);
        return 0;
    }
    const int errors = build->errors;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (nested)
                out[n * i + j] =
                    hol__read_constant(build, hol__node_at(hol__node_at(node, i), j), key->unit, 0);
            else if (i == j)
                out[n * i + i] = hol__read_constant(build, hol__node_at(node, i), key->unit, 0);
    return build->errors == errors;
}

int hol__read_direction(hol__build *build, hol__node *item, const hol__key *keys, const char *name,
                        double out[3]) {
    const hol__key *key;
    hol__node *node = take(build, item, keys, name, &key);
    if (!node) return 0;
    const int errors = build->errors;
    if (!vector_at(build, node, name, key->unit, out) || build->errors > errors) return 0;
    const double length = hol__norm3(out);
    if (!(length > 1e-300)) {
        hol__build_error(build, node, "%s has length 0; give a direction such as %s", name,
                         build->model->dim == 2 ? "[1, 0]" : "[0, 0, 1]");
        return 0;
    }
    for (int i = 0; i < 3; i++) out[i] /= length;
    return 1;
}

int hol__read_x_axis(hol__build *build, hol__node *item, const hol__key *keys, const double axis[3],
                     double x[3]) {
    if (!hol__key_find(keys, "x_axis") || !hol__read_direction(build, item, keys, "x_axis", x))
        return 0;
    if (1 - fabs(hol__dot3(axis, x)) > 1e-8) return 1; /* some 1e-4 rad off the axis */
    hol__build_error(build, hol__node_get(item, "x_axis"),
                     "x_axis lies along the axis itself; give a direction across it");
    return 0;
}

/* ---- bodies and joints by name ---- */

static const char *body_name(const void *list, int i) {
    const hol_model *model = list;
    return i < model->nb ? model->bodies[i].name : i == model->nb ? "ground" : NULL;
}

int hol__find_body(hol__build *build, hol__node *node) {
    const hol_model *model = build->model;
    char hint[128];
    node->used = 1;
    if (node->kind != HOL__SCALAR) {
        hol__build_error(build, node, "expected the name of a body, found %s",
                         hol__node_kind_name(node));
        return -1;
    }
    for (int i = 0; i <= model->nb; i++)
        if (strcmp(body_name(model, i), node->text) == 0) return i;
    hol__build_error(
        build, node, "there is no body '%s'%s", node->text,
        hol__did_you_mean(hol__nearest(node->text, body_name, model), hint, sizeof hint));
    return -1;
}

int hol__read_body(hol__build *build, hol__node *item, const hol__key *keys, const char *name) {
    const hol__key *key;
    hol__node *node = take(build, item, keys, name, &key);
    const int body = node ? hol__find_body(build, node) : build->model->nb;
    return body < 0 ? build->model->nb : body;
}

int hol__read_bodies(hol__build *build, hol__node *item, const hol__key *keys, const char *name,
                     int body[2]) {
    const hol__key *key;
    hol__node *node = take(build, item, keys, name, &key);
    body[0] = body[1] = build->model->nb;
    if (!node) return 0;
    if (node->kind != HOL__LIST || node->count != 2) {
        hol__build_error(build, node, "'%s' is a list of two bodies, for example [ground, crank]",
                         name);
        return 0;
    }
    const int first = hol__find_body(build, node->first),
              second = hol__find_body(build, node->last);
    if (first < 0 || second < 0) return 0;
    if (first == second) {
        hol__build_error(build, node,
                         "'%s' names '%s' twice; an element acts between two different bodies",
                         name, node->first->text);
        return 0;
    }
    body[0] = first;
    body[1] = second;
    return 1;
}

static const char *joint_name(const void *list, int i) {
    const hol_model *model = list;
    return i < model->n_joints ? model->joints[i].name : NULL;
}

int hol__find_joint(hol__build *build, hol__node *node) {
    char hint[128];
    node->used = 1;
    const char *text = node->kind == HOL__SCALAR ? node->text : "";
    for (int i = 0; i < build->model->n_joints; i++)
        if (strcmp(joint_name(build->model, i), text) == 0) return i;
    hol__build_error(
        build, node, "there is no joint '%s'%s", text,
        hol__did_you_mean(hol__nearest(text, joint_name, build->model), hint, sizeof hint));
    return -1;
}

int hol__read_joint(hol__build *build, hol__node *item, const hol__key *keys, const char *name) {
    const hol__key *key;
    hol__node *node = take(build, item, keys, name, &key);
    return node ? hol__find_joint(build, node) : -1;
}

/* ---- points ---- */

/* A point of the user's body frame, in global coordinates at the drawn position. */
static void body_point(const hol_model *model, int body, const double at[3], double out[3]) {
    if (body == model->nb) {
        memcpy(out, at, 3 * sizeof(double));
        return;
    }
    const hol__body *b = &model->bodies[body];
    double s[3], R[9], u[3];
    hol__sub3(at, b->com, s);
    hol__quat_matrix(b->p, R);
    hol__mul3(R, s, u);
    hol__add3(b->r, u, out);
}

static const char *point_name(const void *list, int i) {
    const hol__node *points = list;
    const hol__node *node = hol__node_at(points, i);
    return node ? node->key : NULL;
}

/* {body: name, at: [x, y]} */
static int point_on_body(hol__build *build, hol__node *node, double out[3]) {
    static const hol__key keys[] = {
        {"body", HOL__KEY_BODY, NULL, NULL, 0, "the body", NULL},
        {"at", HOL__KEY_VECTOR, "m", NULL, 0, "the point in the frame of the body", NULL},
        HOL__KEY_END,
    };
    double at[3];
    const int errors = build->errors;
    hol__check_keys(build, node, keys, NULL, "a point on a body");
    const int body = hol__read_body(build, node, keys, "body");
    hol__read_vector(build, node, keys, "at", at);
    if (build->errors > errors) return 0;
    if (build->on_body && !build->on_body(build, body, node)) return 0;
    body_point(build->model, body, at, out);
    return 1;
}

int hol__read_point_at(hol__build *build, hol__node *node, double out[3]) {
    out[0] = out[1] = out[2] = 0;
    if (node->kind == HOL__MAP) return point_on_body(build, node, out);
    if (node->kind != HOL__SCALAR) {
        const int errors = build->errors;
        return vector_at(build, node, "a point", "m", out) && build->errors == errors;
    }
    hol__node *named = hol__node_get(build->points, node->text);
    char hint[128];
    if (!named) {
        hol__build_error(build, node, "there is no point '%s' in the section points%s", node->text,
                         hol__did_you_mean(hol__nearest(node->text, point_name, build->points),
                                           hint, sizeof hint));
        return 0;
    }
    if (named->used > 1) {
        hol__build_error(build, named, "point '%s' is defined by itself", node->text);
        return 0;
    }
    int depth = 0;
    for (const hol__node *point = build->points->first; point; point = point->next)
        depth += point->used > 1;
    if (depth >= MAX_DEPTH) {
        hol__build_error(build, node, "points refer to each other more than %d deep", MAX_DEPTH);
        return 0;
    }
    named->used = 2;
    const int ok = hol__read_point_at(build, named, out);
    named->used = 1;
    return ok;
}

int hol__read_point(hol__build *build, hol__node *item, const hol__key *keys, const char *name,
                    double out[3]) {
    const hol__key *key;
    hol__node *node = take(build, item, keys, name, &key);
    out[0] = out[1] = out[2] = 0;
    return node ? hol__read_point_at(build, node, out) : 0;
}

/* read_expr.c: expressions of a model file: which names each may use, compiled and checked for its
 * unit.
 *
 * A name is looked up among the local names, the parameters, the time and the columns of measures,
 * in this order; what build->names forbids is reported as such and not as unknown. Inputs of the
 * compiled expression: 0 is t; with HOL__NAMES_LOCAL the local names (or the measures taken in)
 * follow from 1; otherwise the columns of measures follow from 1 and the local names from
 * model->local.
 */
#include "base/text.h"
#include "base/unit_set.h"
#include "model/read.h"
#include "common/ascii.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A parameter by value, evaluated at its first use; what it depends on is evaluated on the way. */
static hol__symbol find_parameter(hol__build *build, hol__parameter *p, const hol_location *where) {
    hol__symbol symbol = {.kind = HOL__SYMBOL_ERROR};
    if (p->state == HOL__PARAMETER_BUSY) {
        build->errors++;
        hol__error(build->ctx, where, build->element, "parameter '%s' depends on itself", p->name);
        p->state = HOL__PARAMETER_FAILED;
    }
    if (p->state == HOL__PARAMETER_OPEN && build->n_busy >= HOL__MAX_DEPTH) {
        build->errors++;
        hol__error(
            build->ctx, where, build->element,
            "parameters refer to each other more than %d deep; put '%s' before those that use it",
            HOL__MAX_DEPTH, p->name);
        p->state = HOL__PARAMETER_FAILED;
    }
    if (p->state == HOL__PARAMETER_OPEN) {
        const hol__names names = build->names;
        const char *const *locals = build->locals, *const *units = build->local_units;
        const char *element = build->element;
        char label[160];
        snprintf(label, sizeof label, "parameter '%.100s'", p->name);
        p->state = HOL__PARAMETER_BUSY;
        build->n_busy++;
        build->element = label;
        const int errors = build->errors;
        p->value = hol__read_constant(build, p->node, NULL, 0);
        build->n_busy--;
        p->dim = build->dim;
        p->state = build->errors == errors ? HOL__PARAMETER_DONE : HOL__PARAMETER_FAILED;
        if (build->shift && strcmp(p->name, build->shift->name) == 0) {
            build->shift->found = 1;
            build->shift->value = p->value;
            p->value += build->shift->by;
        }
        const hol__variant *v = build->variant;
        for (int i = 0; v && i < v->n_values; i++)
            if (!isnan(v->values[i]) && strcmp(p->name, v->names[i]) == 0) p->value = v->values[i];
        build->names = names;
        build->locals = locals;
        build->local_units = units;
        build->element = element;
    }
    if (p->state == HOL__PARAMETER_DONE)
        symbol = (hol__symbol){.kind = HOL__SYMBOL_CONSTANT, .value = p->value, .dim = p->dim};
    return symbol;
}

/* Report a name that exists but that this expression may not use. */
static hol__symbol not_here(hol__build *build, const hol_location *where, const char *name,
                            const char *what) {
    build->errors++;
    hol__error(build->ctx, where, build->element,
               build->names == HOL__NAMES_CONSTANT ? "'%s' is %s, but a constant is wanted here"
               : build->names == HOL__NAMES_LOCAL  ? "'%s' is %s, which may not be used here"
                                                   : "'%s' is %s, but only time may be used here",
               name, what);
    return (hol__symbol){.kind = HOL__SYMBOL_ERROR};
}

/* Whether the name is a measure or a component of one ("tip.x"), by the section, which may not be
 * compiled yet. */
static int names_measure(const hol__build *build, const char *name) {
    const hol__node *measures = hol__node_get(build->spec->root, "measures");
    const size_t length = strcspn(name, ".");
    for (const hol__node *m = measures && measures->kind == HOL__MAP ? measures->first : NULL; m;
         m = m->next)
        if (strncmp(m->key, name, length) == 0 && m->key[length] == '\0') return 1;
    return 0;
}

/* A measure in an expression that may not read measures as such: one that is taken in, or an
 * error. */
static hol__symbol find_measure(hol__build *build, const char *name, const hol_location *where) {
    if (build->names != HOL__NAMES_LOCAL || !build->adopt)
        return not_here(build, where, name, "a measure");
    const int i = build->adopt->measure(build, build->adopt, name, where);
    return i < 0 ? (hol__symbol){.kind = HOL__SYMBOL_ERROR}
                 : (hol__symbol){.kind = HOL__SYMBOL_INPUT, .input = 1 + i};
}

hol__parameter *hol__named_parameter(const hol__build *build, const char *name) {
    const uintptr_t *i = hol__name_tree_find(&build->parameter_names, name);
    return i ? &build->parameters[*i] : NULL;
}

/* Input i, a quantity in that unit (NULL: not known yet). */
static hol__symbol input_of(int i, const char *unit) {
    hol__symbol symbol = {.kind = HOL__SYMBOL_INPUT, .input = i};
    if (unit && *unit) symbol.dim = hol__dim_of(unit);
    symbol.dim.soft = 1;
    return symbol;
}

/* A parameter whose name has another meaning where it is used. */
static hol__symbol two_meanings(hol__build *build, const char *name, const char *other,
                                const hol_location *where) {
    build->errors++;
    hol__error(build->ctx, where, build->element,
               "'%s' is a parameter and also %s; call the parameter something else", name, other);
    return (hol__symbol){.kind = HOL__SYMBOL_ERROR};
}

/* The unit that a column is shown in where that is not its own: what its measure asks for, or what
 * the section `units` says of its kind. */
static const char *shown_unit(const hol__build *build, int column) {
    const hol_model *m = build->model;
    const char *si = m->columns[column].unit;
    const hol__node *units = hol__node_get(build->spec->root, "units"), *unit = NULL;
    int low = 0, high = m->n_measures - 1; /* first grows with the measures */
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (m->measures[middle].first <= column)
            low = middle;
        else
            high = middle - 1;
    }
    const char *shown = m->n_measures ? m->measures[low].asked : NULL;
    for (int i = 0; !shown && units && si && hol__unit_kind_get(i).name; i++)
        if (strcmp(hol__unit_kind_get(i).si, si) == 0)
            unit = hol__node_get(units, hol__unit_kind_get(i).name);
    if (unit && unit->kind == HOL__SCALAR) shown = unit->text;
    return shown && si && *si && strcmp(shown, si) != 0 ? shown : NULL;
}

/* Input of a column. */
static hol__symbol column_of(const hol__build *build, int column) {
    hol__symbol symbol = input_of(1 + column, build->model->columns[column].unit);
    symbol.shown = build->assembly ? NULL : shown_unit(build, column);
    return symbol;
}

/* What a name stands for, in the order: local names, parameters, time, columns of measures. */
static hol__symbol scope_find(void *self, const char *name, const hol_location *where) {
    hol__build *build = self;
    hol__parameter *own = hol__named_parameter(build, name);
    const int column = hol__model_named(build->model, HOL__COLUMNS, name);
    for (int i = 0; build->locals && build->locals[i]; i++)
        if (strcmp(build->locals[i], name) == 0)
            return own ? two_meanings(build, name, "what this key offers under that name", where)
                       : input_of((build->names == HOL__NAMES_LOCAL ? 1 : build->model->local) + i,
                                  build->local_units ? build->local_units[i] : NULL);
    if (own && column >= 0 && build->names == HOL__NAMES_ALL)
        return two_meanings(build, name, "a measure", where);
    if (own) return find_parameter(build, own, where);
    if (strcmp(name, "t") == 0 || strcmp(name, "time") == 0)
        return build->names == HOL__NAMES_CONSTANT ? not_here(build, where, name, "the time")
                                                   : input_of(0, "s");
    if (column >= 0)
        return build->names == HOL__NAMES_ALL ? column_of(build, column)
                                              : find_measure(build, name, where);
    if (build->names != HOL__NAMES_ALL && names_measure(build, name))
        return find_measure(build, name, where);
    return (hol__symbol){.kind = HOL__SYMBOL_UNKNOWN};
}

/* What a name that could be a unit stands for as well: the order is that of scope_find, and a name
 * that may not be used here has no second meaning. */
static const char *scope_means(const void *self, const char *name) {
    const hol__build *build = self;
    for (int i = 0; build->locals && build->locals[i]; i++)
        if (strcmp(build->locals[i], name) == 0) return "the quantity of this element";
    if (hol__named_parameter(build, name)) return "the parameter";
    if (strcmp(name, "t") == 0) return "the time";
    const int adopts = build->names == HOL__NAMES_LOCAL && build->adopt;
    const int measures = build->names == HOL__NAMES_ALL || adopts;
    if (measures && (hol__model_named(build->model, HOL__COLUMNS, name) >= 0 ||
                     (adopts && names_measure(build, name))))
        return "the measure";
    return NULL;
}

static const hol__table *scope_table(const void *self, const char *name) {
    const hol__build *build = self;
    for (int i = 0; i < build->n_tables; i++)
        if (strcmp(build->tables[i].name, name) == 0) return &build->tables[i];
    return NULL;
}

/* The i-th name that the expression may use, for suggestions. */
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

/* The dimension that the units of an expression give must be the wanted one. */
void hol__check_unit(hol__build *build, const hol_location *where, const char *text, hol__dim have,
                     const char *unit) {
    char unit_text[64], hint[96] = "";
    if (!unit || hol__dim_fits(have, hol__dim_of(unit))) return;
    if (build->doubt && *build->doubt)
        snprintf(hint, sizeof hint, "; '%.20s' behind a number is a unit, to multiply write *%.20s",
                 build->doubt, build->doubt);
    else
        snprintf(hint, sizeof hint, "%s", hol__dim_hint(have, hol__dim_of(unit)));
    hol__place_error(build, where, "'%s' has the wrong unit; expected %s, found %s%s", text,
                     unit[0] ? unit : "a plain number",
                     hol__dim_text(have, unit_text, sizeof unit_text), hint);
}

/* Words of YAML and C for what is no finite number (".nan", "-inf"), unless a parameter is called
 * so. */
static int is_not_finite(const hol__build *build, const char *text) {
    static const char *const words[] = {"nan", "inf", "infinity"};
    if (*text == '-' || *text == '+') text++;
    if (hol__named_parameter(build, text)) return 0;
    if (*text == '.') text++;
    for (int i = 0; i < 3; i++) {
        size_t n = 0;
        while (words[i][n] && hol__lower(text[n]) == words[i][n]) n++;
        if (!words[i][n] && !text[n]) return 1;
    }
    return 0;
}

int hol__is_expression(hol__build *build, hol__node *node) {
    node->used = 1;
    if (node->kind == HOL__SCALAR) return 1;
    hol__build_error(
        build, node, "expected a number or an expression, found %s%s", hol__node_kind_name(node),
        node->kind == HOL__MAP ? "; an expression that contains ': ' needs quotes, such "
                                 "as \"t < 1 ? 2 : 3\""
                               : "");
    return 0;
}

const hol__expr *hol__read_expr(hol__build *build, hol__node *node, hol__names names,
                                const char *const *locals, const char *unit) {
    if (!hol__is_expression(build, node)) return NULL;
    if (is_not_finite(build, node->text)) {
        hol__build_error(build, node, "'%s' is not a finite number", node->text);
        return NULL;
    }
    build->names = names;
    build->locals = locals;
    const hol__scope scope = {build, scope_find, scope_name, scope_means, scope_table};
    int n_inputs = names == HOL__NAMES_ALL ? build->model->n_inputs : 1;
    for (int i = 0; names == HOL__NAMES_LOCAL && locals && locals[i]; i++) n_inputs++;
    if (names == HOL__NAMES_LOCAL && build->adopt) n_inputs = 1 + build->adopt->most;
    const int errors = build->errors;
    const hol_location where = node->where;
    hol__expr *e =
        hol__expr_compile(build->arena, node->text, &scope, n_inputs, &where, build->element);
    if (!e) {
        if (build->errors == errors) build->errors++;
        return NULL;
    }
    build->dim = hol__expr_dim(e);
    build->doubt = hol__expr_doubt(e);
    hol__check_unit(build, &node->where, node->text, build->dim, unit);
    if (names == HOL__NAMES_TIME && !hol__expr_is_constant(e)) build->model->rheonomic = 1;
    if (build->on_law && names == HOL__NAMES_ALL) build->on_law(build, e, node);
    hol__note_choosing(build, e);
    if (hol__expr_scratch(e) > build->model->scratch) build->model->scratch = hol__expr_scratch(e);
    return e;
}

void hol__warn_of_degrees(hol__build *build, const hol_location *where, const char *text,
                          const char *unit) {
    const double turn = 6.283185307179586;
    double value;
    if (build->assembly || !unit || strcmp(unit, "rad") != 0 || !text ||
        !hol__expr_is_number(text, &value) || !(fabs(value) > turn))
        return;
    hol__warn(build->ctx, where, build->element,
              "%.6g is taken in radians, %.3g turns; write '%.6g deg' or '%.6g rad'", value,
              fabs(value) / turn, value, value);
}

double hol__read_constant(hol__build *build, hol__node *node, const char *unit, double fallback) {
    double value;
    if (node->kind == HOL__SCALAR && hol__expr_is_number(node->text, &value)) {
        hol__warn_of_degrees(build, &node->where, node->text, unit);
        node->used = 1;
        build->dim = (hol__dim){.known = 0};
        build->doubt = "";
        return value;
    }
    const hol__expr *e = hol__read_expr(build, node, HOL__NAMES_CONSTANT, NULL, unit);
    return e ? hol__expr_constant(e) : fallback;
}

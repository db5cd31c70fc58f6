/* events.c: the section `events`: when each happens, and how often.
 *
 * An event is watched as an expression that becomes positive. A measure that crosses a value is
 * the comparison of the two, so that a crossing there and back within a step is seen like any
 * other corner of the state.
 */
#include "base/text.h"
#include "compile/compile.h"
#include "compile/events.h"

#include <math.h>
#include <string.h>

/* ---- when ---- */

/* The i-th column, for hol__nearest. */
static const char *column_name(const void *list, int i) {
    const hol_model *model = list;
    return i < model->n_columns ? model->columns[i].name : NULL;
}

/* The column of a measure at a node; -1 after an error. */
static int find_column(hol__build *build, hol__node *node) {
    const hol_model *model = build->model;
    const char *text = node->kind == HOL__SCALAR ? node->text : "";
    const int column = hol__model_named(model, HOL__COLUMNS, text);
    char hint[128];
    node->used = 1;
    if (column >= 0) return column;
    for (int k = 0; k < model->n_measures; k++)
        if (strcmp(model->measures[k].name, text) == 0 && model->measures[k].count) {
            hol__build_error(build, node, "'%s' has several columns; take one, such as %s", text,
                             model->columns[model->measures[k].first].name);
            return -1;
        }
    hol__build_error(build, node, "there is no measure '%s'%s", text,
                     hol__did_you_mean(hol__nearest(text, column_name, model), hint, sizeof hint));
    return -1;
}

/* The expression of a comparison with the value that is crossed, which has its unit where one was
 * written. */
static const hol__expr *compare(hol__build *build, const hol__node *measure, int column,
                                double level, const char *unit, int falls) {
    hol__node made = *measure;
    made.quoted = 0;
    made.text =
        hol__arena_format(build->arena, "%s %c (%.17g %s)", build->model->columns[column].name,
                          falls ? '<' : '>', level, unit);
    return made.text ? hol__read_expr(build, &made, HOL__NAMES_ALL, NULL, NULL) : NULL;
}

/* A measure that crosses a value. */
static void read_crossing(hol__build *build, hol__node *item, hol__event *event) {
    enum { RISING, FALLING, BOTH };
    hol__node *measure = hol__node_get(item, "measure"), *value = hol__node_get(item, "crosses");
    const int errors = build->errors;
    if (!measure || !value) {
        hol__build_error(build, item,
                         "says not when it happens; give `when`, or `measure` and `crosses`");
        return;
    }
    const int column = find_column(build, measure);
    const char *unit = column < 0 ? NULL : build->model->columns[column].unit;
    const double level = hol__read_constant(build, value, unit, 0);
    const hol__dim dim = build->dim;
    const int written = unit && dim.known && (dim.m || dim.kg || dim.s || dim.rad);
    const int direction = hol__read_choice(build, item, hol__event_keys, "direction");
    if (build->errors > errors) return;
    event->both = direction == BOTH;
    event->when = compare(build, measure, column, level, written ? unit : "", direction == FALLING);
}

/* Whether an expression reads variables alone, which actions change and the motion does not. */
static int reads_variables_alone(const hol_model *model, const hol__expr *e) {
    for (int i = 0; hol__expr_read(e, i) >= 0; i++) {
        const int input = hol__expr_read(e, i);
        int found = 0;
        for (int k = 0; k < model->n_measures && !found; k++) {
            const hol__measure *m = &model->measures[k];
            if (input - 1 < m->first || input - 1 >= m->first + m->count) continue;
            found = m->e ? reads_variables_alone(model, m->e) : m->memory >= 0;
        }
        if (!found) return 0;
    }
    return 1;
}

/* The condition of an event. */
static void read_when(hol__build *build, hol__node *item, hol__event *event) {
    static const char *const others[] = {"measure", "crosses", "direction"};
    hol__node *when = hol__node_get(item, "when");
    for (int i = 0; when && i < 3; i++)
        if (hol__node_get(item, others[i]))
            hol__build_error(build, hol__node_get(item, others[i]),
                             "`%s` says when it happens, and so does `when`; give one of them",
                             others[i]);
    if (when)
        event->when = hol__read_expr(build, when, HOL__NAMES_ALL, NULL, NULL);
    else
        read_crossing(build, item, event);
    if (event->when) event->discrete = reads_variables_alone(build->model, event->when);
}

/* How often it happens at most. */
static void read_times(hol__build *build, hol__node *item, hol__event *event) {
    hol__node *node = hol__node_get(item, "times");
    const int errors = build->errors;
    if (!node) return;
    const double times = hol__read_number(build, item, hol__event_keys, "times");
    if (build->errors > errors) return;
    event->times = times < 1e9 ? (long)times : 0;
    if (times != floor(times))
        hol__build_error(build, node, "times is %g; it must be a whole number", times);
}

/* ---- the section ---- */

static void read_event(hol__build *build, hol__node *item, hol__event *event) {
    event->name = hol__keep(build, item->key);
    event->label = hol__arena_format(build->arena, "event '%s'", item->key);
    event->where = hol__keep_location(build, item->key_at);
    build->element = event->label;
    if (item->kind != HOL__MAP) {
        hol__build_error(build, item, "expected a map such as {when: gap < 0, do: stop}, found %s",
                         hol__node_kind_name(item));
        return;
    }
    hol__check_keys(build, item, hol__event_keys, NULL, "an event");
    read_when(build, item, event);
    read_times(build, item, event);
    hol__node *actions = hol__node_get(item, "do");
    if (actions) hol__read_actions(build, actions, event);
}

void hol__compile_events(hol__build *build) {
    hol_model *model = build->model;
    hol__node *section = hol__section(build, "events");
    if (!section) return;
    model->events = HOL__NEW_N(build->arena, hol__event, section->count);
    if (!model->events) return;
    for (hol__node *item = section->first; item && !hol__has_enough_errors(build);
         item = item->next)
        read_event(build, item, &model->events[model->n_events++]);
    const hol__variant *variant = build->variant;
    if (variant && variant->n_values && variant->n_values == model->n_assigned) {
        model->values = HOL__NEW_N(build->arena, double, model->n_assigned);
        for (int i = 0; model->values && i < model->n_assigned; i++)
            model->values[i] = variant->values[i];
    }
}

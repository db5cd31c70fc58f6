/* event_actions.c: what an event does: a word (stop, record), or a map with one key that says what
 * is done with which elements. One action, or a list of them. */
#include "base/text.h"
#include "base/unit_set.h"
#include "compile/events.h"
#include "element/rigid.h"

#include <string.h>

/* ---- joints and forces by name ---- */

/* The i-th of all joints and forces, for hol__nearest. */
static const char *element_name(const void *list, int i) {
    const hol_model *model = list;
    if (i < model->n_joints) return model->joints[i].name;
    i -= model->n_joints;
    return i < model->n_forces ? model->forces[i].name : NULL;
}

/* A joint or force by its number: joints first. */
static hol__element *element_of(const hol_model *model, int i) {
    return i < model->n_joints ? &model->joints[i] : &model->forces[i - model->n_joints];
}

/* The number of the joint or force at a node; -1 after an error. */
static int find_element(hol__build *build, hol__node *node) {
    const hol_model *model = build->model;
    const char *text = node->kind == HOL__SCALAR ? node->text : "";
    const int joint = hol__model_named(model, HOL__JOINTS, text),
              force = hol__model_named(model, HOL__FORCES, text);
    char hint[128];
    node->used = 1;
    if (joint >= 0 && force >= 0)
        hol__build_error(build, node,
                         "'%s' is a joint and also a force; call one of them something else", text);
    else if (joint >= 0 || force >= 0)
        return joint >= 0 ? joint : model->n_joints + force;
    else
        hol__build_error(
            build, node, "there is no joint or force '%s'%s", text,
            hol__did_you_mean(hol__nearest(text, element_name, model), hint, sizeof hint));
    return -1;
}

/* A name or a list of names: elements that the event switches. */
static void read_elements(hol__build *build, hol__node *node, hol__action *action) {
    const int is_list = node->kind == HOL__LIST;
    action->elements = HOL__NEW_N(build->arena, int, is_list ? node->count : 1);
    node->used = 1;
    if (!action->elements) return;
    if (node->kind == HOL__MAP || (is_list && !node->count)) {
        hol__build_error(build, node, "expected a joint or a force, or a list of them, found %s",
                         is_list ? "an empty list" : hol__node_kind_name(node));
        return;
    }
    for (hol__node *item = is_list ? node->first : node; item; item = is_list ? item->next : NULL) {
        const int i = find_element(build, item);
        if (i < 0) continue;
        element_of(build->model, i)->by_event = 1;
        action->elements[action->n++] = i;
    }
}

/* ---- variables and parameters ---- */

/* The i-th variable or parameter, for hol__nearest. */
static const char *variable_name(const void *list, int i) {
    const hol__build *build = list;
    const hol_model *model = build->model;
    for (int k = 0; k < model->n_measures; k++)
        if (model->measures[k].memory >= 0 && i-- == 0) return model->measures[k].name;
    return i < build->n_parameters ? build->parameters[i].name : NULL;
}

/* The variable of that name; NULL: there is none. */
static const hol__measure *find_variable(const hol_model *model, const char *name) {
    for (int k = 0; k < model->n_measures; k++)
        if (model->measures[k].memory >= 0 && strcmp(model->measures[k].name, name) == 0)
            return &model->measures[k];
    return NULL;
}

/* Neither a variable nor a parameter. */
static void report_unknown(hol__build *build, const hol__node *node) {
    const hol_model *model = build->model;
    char hint[128];
    if (hol__model_named(model, HOL__COLUMNS, node->key) >= 0)
        hol__place_error(build, &node->key_at,
                         "'%s' is a measure that follows from the motion; only measures of type "
                         "variable and parameters can be set",
                         node->key);
    else
        hol__place_error(
            build, &node->key_at, "there is no variable or parameter '%s'%s", node->key,
            hol__did_you_mean(hol__nearest(node->key, variable_name, build), hint, sizeof hint));
}

/* The place of a parameter among those that events set, with a new one where it is the first. */
static int assigned(hol__build *build, const char *name) {
    hol_model *model = build->model;
    for (int i = 0; i < model->n_assigned; i++)
        if (strcmp(model->assigned[i], name) == 0) return i;
    const char **grown =
        hol__arena_append(build->arena, model->assigned, sizeof *grown, model->n_assigned, 1);
    if (!grown) return 0;
    model->assigned = grown;
    grown[model->n_assigned] = hol__keep(build, name);
    return model->n_assigned++;
}

/* What is set at a key; *unit: that of its values, NULL where it has none; 0 after an error. */
static int find_target(hol__build *build, const hol__node *node, hol__setting *out,
                       const char **unit) {
    const hol__measure *variable = find_variable(build->model, node->key);
    const hol__parameter *parameter = hol__named_parameter(build, node->key);
    char text[HOL_UNIT_SIZE];
    *out = (hol__setting){.memory = -1, .parameter = -1};
    *unit = NULL;
    if (variable) {
        out->name = variable->name;
        out->memory = variable->memory;
        *unit = build->model->columns[variable->first].unit;
    } else if (parameter) {
        out->parameter = assigned(build, node->key);
        out->name = hol__keep(build, node->key);
        if (parameter->dim.known)
            *unit = hol__keep(build, hol__unit_of_dim(parameter->dim, text, sizeof text));
    } else
        report_unknown(build, node);
    return variable || parameter;
}

/* {target: 3 rad/s, count: count + 1}; corners of the values are none of the motion. */
static void read_settings(hol__build *build, hol__node *node, hol__action *action) {
    node->used = 1;
    if (node->kind != HOL__MAP || !node->count) {
        hol__build_error(build, node,
                         "expected variables or parameters with their values, such as {target: 3}, "
                         "found %s",
                         node->kind == HOL__MAP ? "none" : hol__node_kind_name(node));
        return;
    }
    action->settings = HOL__NEW_N(build->arena, hol__setting, node->count);
    const int n_choosing = build->model->n_choosing;
    for (hol__node *item = node->first; item && action->settings; item = item->next) {
        hol__setting *setting = &action->settings[action->n_settings];
        const char *unit;
        item->used = 1;
        if (!find_target(build, item, setting, &unit)) continue;
        setting->value = hol__read_expr(build, item, HOL__NAMES_ALL, NULL, unit);
        setting->where = hol__keep_location(build, item->where);
        action->n_settings++;
    }
    build->model->n_choosing = n_choosing;
}

/* ---- impacts ---- */

/* What an impact asks of its joint. */
static void check_impact(hol__build *build, hol__node *node, const hol__action *action) {
    const hol__element *joint = &build->model->joints[action->joint];
    hol__node *friction = hol__node_get(node, "friction"), *radius = hol__node_get(node, "radius");
    if (joint->rigid && !joint->rigid->line)
        hol__build_error(build, hol__node_get(node, "joint"),
                         "%s has impacts of its own, by its `restitution`, wherever it closes; "
                         "let it act, and leave this impact out",
                         joint->label);
    else if (radius && !(action->friction > 0))
        hol__build_error(build, radius, "`radius` is where friction acts; give `friction` too");
    else if (action->friction > 0 && !build->variant && hol__joint_rows(build->model, joint) > 1)
        hol__build_error(build, friction,
                         "friction needs a joint with one equation, across which bodies rub, and "
                         "%s has %d; use one such as point_in_plane, or generic with one "
                         "translation locked",
                         joint->label, hol__joint_rows(build->model, joint));
    else if (joint->rigid && !(joint->rigid->friction == action->friction &&
                               joint->rigid->radius == action->radius))
        hol__build_error(build, node,
                         "%s has another impact, with friction %g and radius %g; they are those of "
                         "what rests there too, so give both the same",
                         joint->label, joint->rigid->friction, joint->rigid->radius);
}

/* {joint: wall, restitution: 0.8, friction: 0.3} */
static void read_impact(hol__build *build, hol__node *node, hol__action *action) {
    const hol_model *model = build->model;
    node->used = 1;
    if (node->kind != HOL__MAP) {
        hol__build_error(build, node, "expected {joint: wall, restitution: 0.8}, found %s",
                         hol__node_kind_name(node));
        return;
    }
    const int errors = build->errors;
    hol__check_keys(build, node, hol__impact_keys, NULL, "an impact");
    hol__node *joint = hol__node_get(node, "joint"), *e = hol__node_get(node, "restitution");
    action->joint = joint ? hol__find_joint(build, joint) : -1;
    action->restitution = hol__read_number(build, node, hol__impact_keys, "restitution");
    action->friction = hol__read_number(build, node, hol__impact_keys, "friction");
    action->radius = hol__read_number(build, node, hol__impact_keys, "radius");
    if (build->errors == errors && action->restitution > 1)
        hol__build_error(build, e, "restitution is %g; it must not be more than 1",
                         action->restitution);
    if (build->errors == errors) check_impact(build, node, action);
    if (build->errors > errors) return;
    hol__element *hit = &model->joints[action->joint];
    hit->by_event = 1;
    if (action->friction > 0 && !hit->rigid)
        hol__rigid_add_line(build, hit, action->friction, action->radius);
}

/* ---- actions ---- */

/* What can be done: words alone have no reader. */
static const struct action_row {
    const char *name;
    hol__action_kind kind;
    void (*read)(hol__build *build, hol__node *node, hol__action *action);
} rows[] = {
    {"stop", HOL__DO_STOP, NULL},
    {"record", HOL__DO_RECORD, NULL},
    {"activate", HOL__DO_ACTIVATE, read_elements},
    {"release", HOL__DO_RELEASE, read_elements},
    {"set", HOL__DO_SET, read_settings},
    {"impact", HOL__DO_IMPACT, read_impact},
};

enum { N_ROWS = sizeof rows / sizeof *rows };

/* The i-th action, for hol__nearest. */
static const char *row_name(const void *list, int i) {
    (void)list;
    return i < N_ROWS ? rows[i].name : NULL;
}

/* The row of that name; NULL after an error. */
static const struct action_row *find_row(hol__build *build, const hol_location *where,
                                         const char *name) {
    char hint[128];
    for (int i = 0; i < N_ROWS; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    hol__place_error(
        build, where,
        "there is no action '%s'%s; the actions are stop, record, {activate: …}, {release: "
        "…}, {set: …} and {impact: …}",
        name, hol__did_you_mean(hol__nearest(name, row_name, NULL), hint, sizeof hint));
    return NULL;
}

/* An action that is a word. */
static void read_word(hol__build *build, hol__node *node, hol__action *action) {
    const struct action_row *row = find_row(build, &node->where, node->text);
    if (!row) return;
    action->kind = row->kind;
    if (row->read)
        hol__build_error(build, node, "`%s` does not say what; write {%s: lock}", row->name,
                         row->name);
}

/* An action that is a map with one key. */
static void read_map(hol__build *build, hol__node *node, hol__action *action) {
    hol__node *what = node->first;
    if (node->count != 1) {
        hol__build_error(
            build, node,
            "an action has one key, such as {activate: lock}; write several as a list");
        return;
    }
    const struct action_row *row = find_row(build, &what->key_at, what->key);
    if (!row) return;
    action->kind = row->kind;
    if (row->read)
        row->read(build, what, action);
    else
        hol__build_error(build, what, "`%s` takes nothing; write the word alone", row->name);
}

static void read_action(hol__build *build, hol__node *node, hol__event *event) {
    hol__action *action = &event->actions[event->n_actions++];
    action->where = hol__keep_location(build, node->where);
    node->used = 1;
    if (node->kind == HOL__SCALAR)
        read_word(build, node, action);
    else if (node->kind == HOL__MAP)
        read_map(build, node, action);
    else
        hol__build_error(build, node,
                         "expected an action such as stop or {activate: lock}, found %s",
                         hol__node_kind_name(node));
}

void hol__read_actions(hol__build *build, hol__node *node, hol__event *event) {
    const int is_list = node->kind == HOL__LIST;
    event->actions = HOL__NEW_N(build->arena, hol__action, is_list ? node->count : 1);
    if (!event->actions) return;
    if (is_list && !node->count) hol__build_error(build, node, "the list of actions is empty");
    for (hol__node *item = is_list ? node->first : node; item; item = is_list ? item->next : NULL)
        read_action(build, item, event);
}

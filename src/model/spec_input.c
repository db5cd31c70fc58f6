/* spec_input.c: inputs in a description: a parameter becomes a variable; a load on a body or about
 * a joint becomes a variable and a force that follows it.
 *
 *     F           parameters.F: 3 N       ->  measures.F: {type: variable, value: 3 N}
 *     rod.fx      measures.rod_fx: {type: variable, value: 0, unit: N}
 *                 forces.rod_fx: {type: force, body: rod, force: [rod_fx, 0]}
 *     hinge       measures.hinge_torque, forces.hinge_torque: {type: torsion, joint: hinge, …}
 */
#include "model/node.h"

#include <holonom/drive.h>

#include <stdio.h>
#include <string.h>

/* The components of a load, plane and space. */
static const char *const planar[] = {"fx", "fy", "m", NULL};
static const char *const spatial[] = {"fx", "fy", "fz", "mx", "my", "mz", NULL};

/* The child of a section by name. */
static hol__node *in(const hol_spec *spec, const char *section, const char *name) {
    return hol__node_get(hol__node_get(spec->root, section), name);
}

static int is_planar(const hol_spec *spec) {
    const hol__node *space = hol__node_get(spec->root, "space");
    return !space || !space->text || strcmp(space->text, "spatial") != 0;
}

/* The status of a call that hands out an item. */
static hol_status made(const hol_item *item) {
    return item ? HOL_OK : HOL_ERR_INPUT;
}

/* A variable with a value and (not NULL) a unit. */
static hol_status add_variable(hol_spec *spec, const char *name, const char *value,
                               const char *unit) {
    hol_item *variable = hol_spec_add(spec, "measures", name, "variable");
    hol_status status = made(variable);
    if (!status) status = hol_item_text(variable, "value", value);
    if (!status && unit) status = hol_item_text(variable, "unit", unit);
    return status;
}

/* The parameter becomes a variable. */
static hol_status from_parameter(hol_spec *spec, const char *name, hol__node *parameter) {
    if (parameter->kind != HOL__SCALAR)
        return hol__error(spec->ctx, &parameter->where, NULL,
                          "parameter '%s' is %s and no number, so it can be no input", name,
                          hol__node_kind_name(parameter));
    const char *const value = parameter->text;
    hol__node_remove(parameter);
    return add_variable(spec, name, value, NULL);
}

/* Component k of the load on a body, as an element that follows the variable. */
static hol_status add_load(hol_spec *spec, const char *name, const char *body, int k) {
    const int plane = is_planar(spec), dim = plane ? 2 : 3, turns = k >= dim;
    const char *parts[3] = {"0", "0", "0"};
    hol_item *force = hol_spec_add(spec, "forces", name, turns ? "torque" : "force");
    hol_status status = made(force);
    parts[turns ? k - dim : k] = name;
    if (!status) status = hol_item_text(force, "body", body);
    if (!status && plane && turns) return hol_item_text(force, "torque", name);
    if (!status) status = hol_item_texts(force, turns ? "torque" : "force", dim, parts);
    return status;
}

/* Whether the name is that of a load on a body; and then the body's own and the component. */
static int is_load(const hol_spec *spec, const char *name, char *body, size_t size, int *k) {
    const char *const *parts = is_planar(spec) ? planar : spatial;
    const char *dot = strrchr(name, '.');
    if (!dot || (size_t)(dot - name) >= size) return 0;
    memcpy(body, name, (size_t)(dot - name));
    body[dot - name] = '\0';
    for (*k = 0; parts[*k] && strcmp(parts[*k], dot + 1) != 0; (*k)++) {
    }
    return parts[*k] && in(spec, "bodies", body);
}

/* A torque about the axis of a joint. */
static hol_status from_joint(hol_spec *spec, const char *joint) {
    char name[128];
    snprintf(name, sizeof name, "%.100s_torque", joint);
    hol_status status = add_variable(spec, name, "0", "N*m");
    hol_item *torsion = status ? NULL : hol_spec_add(spec, "forces", name, "torsion");
    if (!status) status = made(torsion);
    if (!status) status = hol_item_text(torsion, "joint", joint);
    return status ? status : hol_item_text(torsion, "torque", name);
}

hol_status hol_spec_add_input(hol_spec *spec, const char *name) {
    char body[128];
    int k;
    if (!spec) return HOL_ERR_ARGUMENT;
    if (!name || !*name)
        return hol__report(spec->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "hol_spec_add_input",
                           "the name is missing");
    hol__node *parameter = in(spec, "parameters", name);
    if (parameter) return from_parameter(spec, name, parameter);
    const hol__node *measure = in(spec, "measures", name), *type = hol__node_get(measure, "type");
    if (type && type->text && strcmp(type->text, "variable") == 0) return HOL_OK;
    if (is_load(spec, name, body, sizeof body, &k)) {
        char own[160];
        const int plane = is_planar(spec);
        const char *component = plane ? planar[k] : spatial[k];
        snprintf(own, sizeof own, "%s_%s", body, component);
        const hol_status status = add_variable(spec, own, "0", component[0] == 'f' ? "N" : "N*m");
        return status ? status : add_load(spec, own, body, k);
    }
    if (in(spec, "joints", name)) return from_joint(spec, name);
    return hol__report(spec->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                       "there is no input '%s'; an input is a parameter of the model, a variable "
                       "among its measures, a load on a body such as 'rod.fx', or a joint for a "
                       "torque about its axis",
                       name);
}

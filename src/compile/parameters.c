/* parameters.c: named numbers, each an expression of others, in any order. */
#include "compile/compile.h"
#include "base/unit_set.h"
#include "common/ascii.h"

#include <string.h>

int hol__is_identifier(const char *name) {
    if (!hol__is_letter(name[0]) && name[0] != '_') return 0;
    for (const char *c = name; *c; c++)
        if (!hol__is_letter(*c) && !hol__is_digit(*c) && *c != '_') return 0;
    return 1;
}

static void check_name(hol__build *build, const hol__node *node) {
    const int taken = strcmp(node->key, "t") == 0 || strcmp(node->key, "time") == 0 ||
                      strcmp(node->key, "pi") == 0;
    if (hol__is_identifier(node->key) && !taken) return;
    build->errors++;
    hol__error(build->ctx, &node->key_at, build->element,
               taken ? "the name '%s' is taken (t and time are the time, pi is pi)"
                     : "'%s' cannot be used in expressions; use letters, digits and _",
               node->key);
}

void hol__keep_parameters(hol__build *build) {
    hol_model *model = build->model;
    const int n = build->n_parameters;
    model->parameters = HOL__NEW_N(build->arena, hol_parameter, n);
    for (int i = 0; model->parameters && i < n; i++) {
        const hol__parameter *from = &build->parameters[i];
        char unit[HOL_UNIT_SIZE];
        hol__unit_of_dim(from->dim, unit, sizeof unit);
        model->parameters[model->n_parameters++] =
            (hol_parameter){hol__keep(build, from->name), from->value, hol__keep(build, unit)};
    }
}

void hol__compile_parameters(hol__build *build) {
    hol__node *section = hol__section(build, "parameters");
    if (!section) return;
    build->element = "parameters";
    build->parameters = HOL__NEW_N(build->arena, hol__parameter, section->count);
    if (!build->parameters) return;
    for (hol__node *node = section->first; node; node = node->next) {
        check_name(build, node);
        hol__name_tree_add(&build->parameter_names, build->arena, node->key,
                           (uintptr_t)build->n_parameters);
        build->parameters[build->n_parameters++] =
            (hol__parameter){.name = node->key, .node = node};
    }
    /* the first use of each evaluates it; read every one so that all errors show */
    hol__node probe = {.kind = HOL__SCALAR};
    for (int i = 0; i < build->n_parameters && !hol__has_enough_errors(build); i++) {
        if (build->parameters[i].state != HOL__PARAMETER_OPEN ||
            !hol__is_identifier(build->parameters[i].name))
            continue;
        probe.text = build->parameters[i].name;
        probe.where = build->parameters[i].node->where;
        hol__read_expr(build, &probe, HOL__NAMES_CONSTANT, NULL, NULL);
    }
}

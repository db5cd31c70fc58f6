/* options.c: the keys under `simulation`, by the table of options. */
#include "compile/compile.h"

#include "base/text.h"

#include <holonom/options.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *option_name(const void *list, int i) {
    int n;
    const hol_option *options = hol_options(&n);
    (void)list;
    return i < n ? options[i].name : NULL;
}

static const char *choice_of(const void *list, int i) {
    return ((const hol_option *)list)->choice(i);
}

/* The index of a choice; -1 after an error. */
static int read_choice(hol__build *build, const hol__node *node, const hol_option *option) {
    char all[512] = "", hint[128];
    const char *name;
    for (int i = 0; (name = option->choice(i)); i++) {
        if (strcmp(name, node->text) == 0) return i;
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", name);
    }
    hol__build_error(
        build, node, "'%s' is not a value of '%s'; one of: %s%s", node->text, option->name, all,
        hol__did_you_mean(hol__nearest(node->text, choice_of, option), hint, sizeof hint));
    return -1;
}

/* The value of an option at a node. */
static double read_value(hol__build *build, hol__node *node, const hol_option *option) {
    if (node->kind != HOL__SCALAR) {
        hol__build_error(build, node, "'%s' takes a single value, found %s", option->name,
                         hol__node_kind_name(node));
        return 0;
    }
    if (option->kind == HOL_OPTION_CHOICE) return read_choice(build, node, option);
    if (option->kind == HOL_OPTION_BOOL) {
        const int yes = strcmp(node->text, "true") == 0 || strcmp(node->text, "yes") == 0;
        if (!yes && strcmp(node->text, "false") != 0 && strcmp(node->text, "no") != 0)
            hol__build_error(build, node, "'%s' is true or false", option->name);
        return yes;
    }
    const int errors = build->errors;
    const double value = hol__read_constant(build, node, option->unit, 0);
    if (build->errors > errors) return 0;
    if (option->kind == HOL_OPTION_INTEGER && value != floor(value))
        hol__build_error(build, node, "'%s' is a whole number, found %s", option->name, node->text);
    else if (!(value >= option->min && value <= option->max))
        hol__build_error(build, node, "'%s' is %g; it must lie between %g and %g", option->name,
                         value, option->min, option->max);
    return value;
}

/* The default of an option. */
static double initial_value(const hol_option *option) {
    double value = 0;
    if (option->kind == HOL_OPTION_CHOICE) {
        for (int i = 0; option->choice(i); i++)
            if (strcmp(option->choice(i), option->initial) == 0) return i;
    } else if (option->kind == HOL_OPTION_BOOL)
        value = strcmp(option->initial, "true") == 0;
    else
        sscanf(option->initial, "%lf", &value);
    return value;
}

void hol__compile_options(hol__build *build) {
    hol_model *model = build->model;
    hol__node *section = hol__section(build, "simulation");
    int n;
    const hol_option *options = hol_options(&n);
    build->element = "simulation";
    model->n_options = n;
    model->options = HOL__NEW_N(build->arena, double, n);
    model->option_given = HOL__NEW_N(build->arena, unsigned char, n);
    model->option_where = HOL__NEW_N(build->arena, hol_location, n);
    if (build->arena->failed) return;
    for (int i = 0; i < n; i++) {
        hol__node *node = hol__node_get(section, options[i].name);
        model->option_given[i] = node != NULL;
        if (node) model->option_where[i] = hol__keep_location(build, node->where);
        model->options[i] =
            node ? read_value(build, node, &options[i]) : initial_value(&options[i]);
        if (node) node->used = 1;
    }
    char hint[128];
    for (hol__node *node = section ? section->first : NULL; node; node = node->next)
        if (!node->used) {
            build->errors++;
            hol__error(
                build->ctx, &node->key_at, build->element, "unknown option '%s'%s", node->key,
                hol__did_you_mean(hol__nearest(node->key, option_name, NULL), hint, sizeof hint));
        }
}

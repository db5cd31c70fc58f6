/* measure_scalar.c: the energies, and expressions of other measures. */
#include "element/joints.h"

static const char *const energies[] = {"kinetic", "potential", "work", "balance", NULL};

static const hol__key energy_keys[] = {
    {"component", HOL__KEY_CHOICE, NULL, "", 0,
     "kinetic T, potential V, work W of everything that is not conservative, or the balance T + V "
     "- W, which should not "
     "change; all four when left out.",
     energies},
    HOL__KEY_END,
};

static void compile_energy(hol__build *build, hol__measure *m, hol__node *item) {
    m->component = hol__node_get(item, "component")
                       ? hol__read_choice(build, item, energy_keys, "component")
                       : -1;
}

static void eval_energy(const hol__measure *m, const hol__measure_args *args, double *out) {
    const hol_energy e = args->energy(args->self);
    const double all[4] = {e.kinetic, e.potential, e.work, e.balance};
    for (int i = 0; i < m->count; i++) out[i] = all[m->component >= 0 ? m->component : i];
}

static const char *energy_component(const hol__build *build, const hol__node *item, int i) {
    (void)build;
    return hol__node_get(item, "component") ? (i == 0 ? "" : NULL) : energies[i];
}

static const hol__measure_type energy_type = {HOL__LEVEL_FORCE, eval_energy};

const hol__element_type hol__measure_energy = {
    .section = "measures",
    .name = "energy",
    .title = "Kinetic and potential energy, work, and their balance.",
    .example = "  E: {type: energy}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = energy_keys,
    .measure = &energy_type,
    .unit = "J",
    .compile_measure = compile_energy,
    .component = energy_component,
};

/* ---- expression ---- */

static const hol__key expression_keys[] = {
    {"value", HOL__KEY_LAW, NULL, NULL, 0, "The expression.", NULL},
    {"unit", HOL__KEY_TEXT, NULL, "", 0, "The unit, for the output.", NULL},
    HOL__KEY_END,
};

static void compile_expression(hol__build *build, hol__measure *m, hol__node *item) {
    hol__node *value = hol__node_get(item, "value");
    m->unit = hol__read_text(build, item, expression_keys, "unit");
    m->frame = "";
    if (value) m->e = hol__read_expr(build, value, HOL__NAMES_ALL, NULL, NULL);
}

static void eval_expression(const hol__measure *m, const hol__measure_args *args, double *out) {
    out[0] = hol__expr_value(m->e, args->inputs, args->scratch);
}

static const char *scalar_component(const hol__build *build, const hol__node *item, int i) {
    (void)build, (void)item;
    return i == 0 ? "" : NULL;
}

static const hol__measure_type expression_type = {HOL__LEVEL_POS, eval_expression};

const hol__element_type hol__measure_expression = {
    .section = "measures",
    .name = "expression",
    .title = "An expression of time, parameters and other measures.",
    .example = "  doubled: {type: expression, value: 2*t}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = expression_keys,
    .measure = &expression_type,
    .unit = "",
    .compile_measure = compile_expression,
    .component = scalar_component,
};

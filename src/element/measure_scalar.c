/* measure_scalar.c: the energies, expressions of other measures, and variables. */
#include "base/unit_set.h"
#include "element/measures.h"

static const char *const energies[] = {"kinetic", "potential", "work", "balance", NULL};

typedef struct energy_params {
    hol__params head;
    int component;
} energy_params;

static const hol__key energy_keys[] = {
    {"component", HOL__KEY_CHOICE, NULL, "", 0,
     "kinetic T, potential V, work W of everything that is not conservative, or the balance T + V "
     "- W, which should not "
     "change; default: all four.",
     energies, HOL__AT(energy_params, component)},
    HOL__KEY_END,
};

static void compile_energy(hol__build *build, hol__measure *m, const void *params) {
    const energy_params *p = params;
    (void)build;
    m->component = p->component;
}

static void eval_energy(const hol__measure *m, const hol__measure_args *args, double *out) {
    const hol_energy e = args->energy(args->self);
    const double all[4] = {e.kinetic, e.potential, e.work, e.balance};
    for (int i = 0; i < m->count; i++) out[i] = all[m->component >= 0 ? m->component : i];
}

static const char *energy_component(const hol__build *build, const void *params, int i) {
    const energy_params *p = params;
    (void)build;
    return p->component >= 0 ? (i == 0 ? "" : NULL) : energies[i];
}

static const hol__measure_type energy_type = {HOL__LEVEL_FORCE, eval_energy};

const hol__element_type hol__measure_energy = {
    .section = "measures",
    .name = "energy",
    .title = "Kinetic and potential energy, work, and their balance.",
    .example = "  E: {type: energy}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = energy_keys,
    .size = sizeof(energy_params),
    .measure = &energy_type,
    .unit = "J",
    .compile_measure = compile_energy,
    .component = energy_component,
};

/* ---- expression ---- */

typedef struct expression_params {
    hol__params head;
    hol__formula value;
} expression_params;

static const hol__key expression_keys[] = {
    {"value", HOL__KEY_LAW, NULL, NULL, HOL__AS_TEXT, "The expression.", NULL,
     HOL__AT(expression_params, value)},
    HOL__KEY_END,
};

/* The unit of a measure whose value is that expression: the one that is asked for, or what the
 * units in it tell. */
static void take_unit(hol__build *build, hol__measure *m, const hol__expr *e, const char *text) {
    char unit[HOL_UNIT_SIZE];
    hol__dim dim = hol__expr_dim(e);
    dim.soft = 0; /* what is shown is not a coefficient of anything */
    if (m->asked && !hol__dim_fits(dim, hol__dim_of(m->asked)))
        hol__place_error(build, &m->asked_where, "'%s' is not a unit of '%s', which is in %s",
                         m->asked, text, hol__unit_of_dim(dim, unit, sizeof unit));
    if (m->asked) return;
    m->unit = hol__keep(build, hol__unit_of_dim(hol__expr_dim(e), unit, sizeof unit));
}

static void compile_expression(hol__build *build, hol__measure *m, const void *params) {
    const expression_params *p = params;
    m->frame = "";
    m->e = hol__formula_expr(build, &p->value, HOL__NAMES_ALL, NULL, NULL, NULL);
    if (m->e) take_unit(build, m, m->e, p->value.text);
}

static void eval_expression(const hol__measure *m, const hol__measure_args *args, double *out) {
    out[0] = hol__expr_value(m->e, args->inputs, args->scratch);
}

static const hol__measure_type expression_type = {HOL__LEVEL_POS, eval_expression};

const hol__element_type hol__measure_expression = {
    .section = "measures",
    .name = "expression",
    .title = "An expression of time, parameters and other measures.",
    .equations =
        "Its unit is that of the value as far as the units in it tell, or `unit`, in which "
        "case the value is taken in the SI unit of that.",
    .example = "  doubled: {type: expression, value: 2*t}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = expression_keys,
    .size = sizeof(expression_params),
    .measure = &expression_type,
    .unit = "",
    .units = "that of the value as far as the units in it tell, or the key `unit`",
    .compile_measure = compile_expression,
    .component = hol__scalar_component,
};

/* ---- variable ---- */

static const hol__key variable_keys[] = {
    {"value", HOL__KEY_NUMBER, NULL, "0", HOL__AS_TEXT, "The value at the start.", NULL,
     HOL__AT(expression_params, value)},
    HOL__KEY_END,
};

static void compile_variable(hol__build *build, hol__measure *m, const void *params) {
    const expression_params *p = params;
    const hol__expr *e = hol__formula_expr(build, &p->value, HOL__NAMES_CONSTANT, NULL, NULL, NULL);
    m->frame = "";
    m->memory = hol__add_memory(build, 1);
    if (!e) return;
    m->start = hol__expr_constant(e);
    take_unit(build, m, e, p->value.text);
}

static void eval_variable(const hol__measure *m, const hol__measure_args *args, double *out) {
    out[0] = args->memory[m->memory];
}

static const hol__measure_type variable_type = {HOL__LEVEL_POS, eval_variable};

const hol__element_type hol__measure_variable = {
    .section = "measures",
    .name = "variable",
    .title = "A number that keeps its value until an event sets it.",
    .equations = "Laws of forces and conditions may read it. Its unit is that of the value as far "
                 "as the units in it tell, or `unit`.",
    .example = "  target: {type: variable, value: 3 rad/s}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = variable_keys,
    .size = sizeof(expression_params),
    .measure = &variable_type,
    .unit = "",
    .units = "that of the value as far as the units in it tell, or the key `unit`",
    .compile_measure = compile_variable,
    .component = hol__scalar_component,
};

/* translate.c: numbers, formulas and laws of a model as nodes of a computation. */
#include "common/ascii.h"
#include "common/format.h"
#include "common/number.h"
#include "generate/program.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- numbers ---- */

/* A place without what rounding left: 0, or the decimal of 14 digits that it is within two units of
 * its last place, so that equal lengths of one mechanism are equal. */
static double clean(const hol__program *p, double x) {
    const double size = fmin(1, p->model->length > 0 ? p->model->length : 1);
    char text[HOL__NUMBER_SIZE];
    const char *end;
    if (fabs(x) < 4 * DBL_EPSILON * size) return 0;
    hol__print(text, sizeof text, "%.14g", x);
    const double y = hol__number_read(text, &end);
    return fabs(x - y) <= 2 * DBL_EPSILON * fabs(x) ? y : x;
}

hol__ref hol__program_number(hol__program *p, hol__place_fn *at, int i, const double *field,
                             hol__number_kind kind) {
    double values[64];
    const ptrdiff_t offset = (const char *)field - (const char *)at(p->model, i);
    int same = 1;
    for (int k = 0; k < p->n_models; k++) {
        memcpy(&values[k], (const char *)at(p->models[k], i) + offset, sizeof *values);
        same &= values[k] == values[0];
    }
    if (p->n_models == 1 || (p->open && same))
        return hol__dag_number(&p->dag, kind == HOL__NUMBER_PLACE ? clean(p, *field) : *field);
    if (p->open)
        return hol__program_open_number(p, &(hol__gplace){.at = at, .item = i, .offset = offset},
                                        values);
    return hol__program_formula(
        p, hol__symbolic_of_values(&p->to, values, "n", "", kind == HOL__NUMBER_ANGLE));
}

/* ---- formulas ---- */

static hol__ref formula(hol__program *p, hol__sym x);

/* number times the factors; negative powers are divided by, at once. */
static hol__ref product(hol__program *p, hol__sym x, double number) {
    hol__dag *d = &p->dag;
    hol__ref above = hol__dag_number(d, number), below = d->one;
    for (int i = 0; i < x->n; i++) {
        const hol__sym base = hol__sym_base(x->arg[i]), e = hol__sym_exponent(p->a, x->arg[i]);
        const int under = hol__sym_is_number(e) && hol__exact_value(e->number) < 0;
        if (!under) {
            above = hol__dag_mul(d, above, formula(p, x->arg[i]));
            continue;
        }
        const hol__ref power = hol__dag_number(d, -hol__exact_value(e->number));
        below = hol__dag_mul(d, below, hol__dag_power(d, formula(p, base), power));
    }
    return hol__dag_over(d, above, below);
}

static hol__ref sum(hol__program *p, hol__sym x) {
    hol__dag *d = &p->dag;
    hol__ref out = d->zero;
    for (int i = 0; i < x->n; i++) {
        const hol__sym term = x->arg[i];
        const double number = term->kind == HOL__SYM_PRODUCT ? hol__exact_value(term->number) : 1;
        if (number < 0)
            out = hol__dag_sub(d, out, product(p, term, -number));
        else
            out = hol__dag_add(d, out, formula(p, term));
    }
    return out;
}

static hol__ref call(hol__program *p, hol__sym x) {
    static const hol__expr_op ops[] = {
        [HOL__SYM_SIN] = HOL__OP_SIN,     [HOL__SYM_COS] = HOL__OP_COS,
        [HOL__SYM_TAN] = HOL__OP_TAN,     [HOL__SYM_ASIN] = HOL__OP_ASIN,
        [HOL__SYM_ACOS] = HOL__OP_ACOS,   [HOL__SYM_ATAN] = HOL__OP_ATAN,
        [HOL__SYM_ATAN2] = HOL__OP_ATAN2, [HOL__SYM_SINH] = HOL__OP_SINH,
        [HOL__SYM_COSH] = HOL__OP_COSH,   [HOL__SYM_TANH] = HOL__OP_TANH,
        [HOL__SYM_EXP] = HOL__OP_EXP,     [HOL__SYM_LOG] = HOL__OP_LOG,
        [HOL__SYM_ABS] = HOL__OP_ABS,     [HOL__SYM_SIGN] = HOL__OP_SIGN};
    const hol__ref a = formula(p, x->arg[0]);
    return x->n > 1 ? hol__dag_2(&p->dag, ops[x->function], a, formula(p, x->arg[1]))
                    : hol__dag_1(&p->dag, ops[x->function], a);
}

/* A symbol that is no pose or velocity of a body and no law: those have their nodes. */
static hol__ref other_symbol(hol__program *p, hol__sym x) {
    const hol__symbolic_source *s = &p->to.source[x->symbol];
    hol__dag *d = &p->dag;
    if (x == p->a->pi) return hol__dag_number(d, 3.14159265358979323846);
    switch (s->kind) {
    case HOL__SYMBOLIC_DEFINED: return formula(p, s->is);
    case HOL__SYMBOLIC_TIME: return p->t;
    case HOL__SYMBOLIC_ANGLE: return hol__program_angle(p, s->i);
    case HOL__SYMBOLIC_INPUT: {
        const char *why = NULL;
        const hol__ref column = hol__program_column(p, s->i - 1, &why);
        return column >= 0 || d->status ? column : hol__dag_refuse(d, why);
    }
    case HOL__SYMBOLIC_OWN:
        for (int k = 1; k < p->n_models; k++)
            if (s->own[k] != s->own[0] && p->open && s->place.known)
                return hol__program_open_number(
                    p, &(hol__gplace){.record = s->place, .offset = s->place.offset}, s->own);
            else if (s->own[k] != s->own[0])
                return hol__dag_refuse(d, "a number of it depends on the parameters in a way that "
                                          "has no short formula");
        return hol__dag_number(d, s->own[0]);
    default: return hol__dag_refuse(d, "it has a state or a force of its own");
    }
}

static hol__ref fresh(hol__program *p, hol__sym x) {
    switch (x->kind) {
    case HOL__SYM_NUMBER: return hol__dag_number(&p->dag, hol__exact_value(x->number));
    case HOL__SYM_SYMBOL:
        return x->symbol < p->n_of_symbol && p->of_symbol[x->symbol] >= 0 ? p->of_symbol[x->symbol]
                                                                          : other_symbol(p, x);
    case HOL__SYM_POWER:
        return hol__dag_power(&p->dag, formula(p, x->arg[0]), formula(p, x->arg[1]));
    case HOL__SYM_PRODUCT: return product(p, x, hol__exact_value(x->number));
    case HOL__SYM_SUM: return sum(p, x);
    default: return call(p, x);
    }
}

static hol__ref formula(hol__program *p, hol__sym x) {
    hol__dag *d = &p->dag;
    if (!x || d->status) {
        if (!d->status) d->status = p->a->status ? p->a->status : HOL_ERR_ARGUMENT;
        return -1;
    }
    if (x->id < p->n_of_node && p->of_node[x->id]) return p->of_node[x->id] - 1;
    const hol__ref out = fresh(p, x);
    if (x->id >= p->n_of_node) {
        hol__ref *grown = hol__arena_grow(&d->arena, p->of_node, sizeof *grown, p->n_of_node,
                                          &p->n_of_node, x->id + 1);
        if (!grown) d->status = HOL_ERR_MEMORY;
        if (!grown) return -1;
        p->of_node = grown;
    }
    p->of_node[x->id] = out + 1;
    return out;
}

hol__ref hol__program_formula(hol__program *p, hol__sym x) {
    return formula(p, x);
}

int hol__program_bind(hol__program *p, hol__sym symbol, hol__ref x) {
    if (!symbol || x < 0) return 0;
    if (symbol->symbol >= p->n_of_symbol) {
        const int before = p->n_of_symbol;
        hol__ref *grown = hol__arena_grow(&p->dag.arena, p->of_symbol, sizeof *grown, before,
                                          &p->n_of_symbol, symbol->symbol + 1);
        if (!grown) {
            p->dag.status = HOL_ERR_MEMORY;
            return 0;
        }
        p->of_symbol = grown;
        for (int i = before; i < p->n_of_symbol; i++) grown[i] = -1;
    }
    p->of_symbol[symbol->symbol] = x;
    return 1;
}

/* ---- parameters ---- */

static int is_symbol(const hol__program *p, int i) {
    return p->symbols[i] && p->symbols[i]->kind == HOL__SYM_SYMBOL;
}

int hol__program_mentions(const hol__program *p, const char *text) {
    for (int i = 0; i < p->n_names; i++) {
        const size_t n = strlen(p->names[i]);
        if (!is_symbol(p, i)) continue;
        for (const char *at = strstr(text, p->names[i]); at; at = strstr(at + 1, p->names[i])) {
            const char before = at == text ? ' ' : at[-1], after = at[n];
            if (!hol__is_letter(before) && !hol__is_digit(before) && before != '_' &&
                before != '.' && !hol__is_letter(after) && !hol__is_digit(after) && after != '_')
                return 1;
        }
    }
    return 0;
}

void hol__program_parameters(hol__program *p) {
    for (int i = 0; i < p->n_names; i++)
        for (int k = 0; k < p->n_parameters; k++)
            if (is_symbol(p, i) && !p->definitions[i] && strcmp(p->names[i], p->parameter[k]) == 0)
                hol__program_bind(p, p->symbols[i], p->parameter_ref[k]);
    /* those that follow from others, in the order in which they can be known: by definition */
    for (int i = 0; i < p->n_names; i++)
        if (is_symbol(p, i) && p->definitions[i])
            p->to.source[p->symbols[i]->symbol] =
                (hol__symbolic_source){.kind = HOL__SYMBOLIC_DEFINED, .is = p->definitions[i]};
}

/* ---- laws ---- */

static hol__ref operand(hol__program *p, const hol__expr *e, unsigned which,
                        const hol__ref *registers, const hol__ref *inputs) {
    const unsigned i = HOL__OPERAND_INDEX(which);
    switch (HOL__OPERAND_FROM(which)) {
    case HOL__FROM_REGISTER: return registers[i];
    case HOL__FROM_CONSTANT: return hol__dag_number(&p->dag, e->constants[i]);
    default: return inputs[i];
    }
}

hol__ref hol__program_law(hol__program *p, const hol__expr *e, const hol__ref *inputs) {
    hol__dag *d = &p->dag;
    hol__ref *r = HOL__NEW_N(&d->arena, hol__ref, e->n_registers + 1);
    if (!r) d->status = HOL_ERR_MEMORY;
    for (int i = 0; i < e->n_code && !d->status; i++) {
        const hol__expr_instruction *c = &e->code[i];
        const hol__expr_op op = (hol__expr_op)c->op;
        const hol__ref x = operand(p, e, c->a, r, inputs),
                       y = op >= HOL__OP_ADD ? operand(p, e, c->b, r, inputs) : -1;
        r[c->to] = op == HOL__OP_SELECT  ? hol__dag_select(d, x, y, operand(p, e, c->c, r, inputs))
                   : op == HOL__OP_TABLE ? hol__dag_table(d, x, &e->splines[c->c], 0)
                   : op == HOL__OP_POW   ? hol__dag_power(d, x, y)
                   : op >= HOL__OP_ADD   ? hol__dag_2(d, op, x, y)
                                         : hol__dag_1(d, op, x);
    }
    return d->status ? -1 : operand(p, e, e->result, r, inputs);
}

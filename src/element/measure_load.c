/* measure_load.c: what a force, a driver or gravity does: the measure `load`.
 *
 * A force element tells the quantities of its own table (hol__quantity: length, rate, tension …)
 * and what all forces have:
 *
 *     force, moment   what the body `on` receives; the moment about the point of the force there
 *     power           sum of F . v + M . omega over its bodies
 *     energy          V, what it stores
 *     dissipation     D: power + V' = -D, what leaves the mechanical energy here
 *
 * A joint tells the power of its constraints, -sum lambda_k b_k, and a driver the load it takes,
 * -lambda. Gravity tells the weight of a body, its power and its energy -m g . r.
 */
#include "common/nearest.h"
#include "element/seen.h"
#include "math/vec3.h"

#include <stdio.h>
#include <string.h>

typedef struct load_params {
    hol__params head;
    hol__force_ref force;
    int joint, gravity;
    const char *quantity;
    int component, on, in;
} load_params;

static const char *const components[] = {"x",  "y",     "z",         "rx", "ry",
                                         "rz", "angle", "magnitude", NULL};
enum { ANGLE = 6, MAGNITUDE = 7 };

static const hol__key keys[] = {
    {"force", HOL__KEY_FORCE, NULL, "", 0, "The force; or give `joint` or `gravity`.", NULL,
     HOL__AT(load_params, force)},
    {"joint", HOL__KEY_JOINT, NULL, "", 0,
     "A driver or a motor: the load it takes and its power. Of any other joint: the power of its "
     "constraints, which is 0 where nothing is driven.",
     NULL, HOL__AT(load_params, joint)},
    {"gravity", HOL__KEY_BODY, NULL, "", 0, "The body whose weight is measured.", NULL,
     HOL__AT(load_params, gravity)},
    {"quantity", HOL__KEY_TEXT, NULL, "", 0,
     "Which quantity; default: all, as columns of their own. Every force has force, moment, power, "
     "energy and dissipation; what else it has is listed with it.",
     NULL, HOL__AT(load_params, quantity)},
    {"component", HOL__KEY_CHOICE, NULL, "", 0,
     "Only this one of a `quantity` that has several, or the length of a force or a moment "
     "(`magnitude`); default: all.",
     components, HOL__AT(load_params, component)},
    {"on", HOL__KEY_BODY, NULL, "", 0,
     "The body whose force and moment are measured; default: the first body of the force.", NULL,
     HOL__AT(load_params, on)},
    {"in", HOL__KEY_BODY, NULL, "", 0,
     "The body in whose frame force and moment are written; default: ground, the global frame.",
     NULL, HOL__AT(load_params, in)},
    HOL__KEY_END,
};

enum { FORCE, MOMENT, POWER, ENERGY, LOSS, N_COMMON };

const hol__quantity hol__force_quantities[] = {
    {"force", HOL__TELLS_VECTOR, "N", NULL, 1, "The force on the body."},
    {"moment", HOL__TELLS_TURN, "N*m", NULL, 1,
     "The moment on the body about the point of the force there."},
    {"power", HOL__TELLS_NUMBER, "W", NULL, 1,
     "The power of the force on its bodies, positive where it drives them."},
    {"energy", HOL__TELLS_NUMBER, "J", NULL, 1, "The potential energy in it."},
    {"dissipation", HOL__TELLS_NUMBER, "W", NULL, 1,
     "The power that leaves kinetic and potential energy here; negative where it is fed in."},
    HOL__QUANTITY_END,
};

const hol__quantity hol__joint_quantities[] = {
    {"power", HOL__TELLS_NUMBER, "W", NULL, 1,
     "The power of what it exerts on its bodies, positive where it drives them."},
    HOL__QUANTITY_END,
};

/* The first rows of what forces have: those of gravity. */
static const hol__quantity gravity_quantities[] = {
    {"force", HOL__TELLS_VECTOR, "N", NULL, 1, "The weight."},
    {"power", HOL__TELLS_NUMBER, "W", NULL, 1, "The power of the weight."},
    {"energy", HOL__TELLS_NUMBER, "J", NULL, 1, "The potential energy, 0 at the origin."},
    HOL__QUANTITY_END,
};

/* ---- which columns ---- */

/* A column: the quantity, whether it is the element's own, its place in that table, and which
 * component it is of how many. */
typedef struct column {
    const hol__quantity *quantity;
    int own, place, k, width;
} column;

/* Own quantities (0) and common ones (1) of what is measured; NULL: none. */
static const hol__quantity *table_of(const hol__build *build, const load_params *p, int common) {
    const hol__element_type *type =
        p->joint >= 0 ? build->model->joints[p->joint].type : p->force.type;
    if (hol__is_given(p, "gravity")) return common ? gravity_quantities : NULL;
    if (common) return p->joint >= 0 ? hol__joint_quantities : hol__force_quantities;
    return type ? type->quantities : NULL;
}

static int width_of(hol__quantity_shape shape, int dim) {
    static const int widths[2][4] = {{1, 2, 1, 3}, {1, 3, 3, 6}};
    return widths[dim == 3][shape];
}

/* The name of a component among `components`, -1 for a single number. */
static int word_of(const column *c, int dim) {
    if (c->width == 1) return -1;
    return dim == 2 && c->k == 2 ? ANGLE : c->k;
}

/* Whether a quantity is a vector, with a length. */
static int is_vector(const hol__quantity *quantity) {
    return quantity->shape == HOL__TELLS_VECTOR || quantity->shape == HOL__TELLS_TURN;
}

/* Column i of the measure; 0 past the end. */
static int find_column(const hol__build *build, const load_params *p, int i, column *out) {
    const int dim = build->model->dim;
    for (int common = 0; common < 2; common++) {
        const hol__quantity *table = table_of(build, p, common);
        for (int at = 0; table && table[at].name; at++) {
            if (p->quantity[0] && strcmp(table[at].name, p->quantity) != 0) continue;
            const int width = width_of(table[at].shape, dim);
            for (int k = 0; k < width; k++) {
                *out = (column){&table[at], !common, at, k, width};
                if (p->component == MAGNITUDE) return is_vector(&table[at]) && i == 0;
                if (p->component >= 0 && word_of(out, dim) != p->component) continue;
                if (i-- == 0) return 1;
            }
        }
    }
    return 0;
}

static const char *component(const hol__build *build, const void *params, int i) {
    const load_params *p = params;
    column c;
    if (!find_column(build, p, i, &c)) return NULL;
    const int word = p->component >= 0 ? -1 : word_of(&c, build->model->dim);
    if (p->quantity[0]) return word < 0 ? "" : components[word];
    if (word < 0) return c.quantity->name;
    const char *name = hol__arena_format(build->arena, "%s.%s", c.quantity->name, components[word]);
    return name ? name : "";
}

/* ---- checks ---- */

typedef struct quantity_list {
    const hol__build *build;
    const load_params *params;
} quantity_list;

/* The i-th quantity, for hol__nearest. */
static const char *quantity_name(const void *list, int i) {
    const quantity_list *l = list;
    for (int common = 0; common < 2; common++) {
        const hol__quantity *table = table_of(l->build, l->params, common);
        for (int at = 0; table && table[at].name; at++)
            if (i-- == 0) return table[at].name;
    }
    return NULL;
}

static int has_quantity(const hol__build *build, const load_params *p) {
    const quantity_list list = {build, p};
    const char *name;
    for (int i = 0; (name = quantity_name(&list, i)); i++)
        if (strcmp(name, p->quantity) == 0) return 1;
    return 0;
}

/* Report a quantity that the element does not have. */
static void report_unknown(hol__build *build, const load_params *p) {
    const quantity_list list = {build, p};
    char all[400] = "", hint[128];
    const char *name;
    for (int i = 0; (name = quantity_name(&list, i)); i++) {
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", name);
    }
    hol__field_error(
        build, p, "quantity", "there is no quantity '%s' here; one of: %s%s", p->quantity, all,
        hol__did_you_mean(hol__nearest(p->quantity, quantity_name, &list), hint, sizeof hint));
}

/* Report what does not fit together; 0 then. */
static int check(hol__build *build, const load_params *p) {
    const int gravity = hol__is_given(p, "gravity");
    column c;
    if (hol__is_given(p, "force") + hol__is_given(p, "joint") + gravity != 1)
        return hol__field_error(build, p, NULL,
                                "give exactly one of `force`, `joint` and `gravity`");
    if (gravity && p->gravity == build->model->nb)
        return hol__field_error(build, p, "gravity", "ground has no weight; name a body");
    if (p->component >= 0 && !p->quantity[0])
        return hol__field_error(build, p, "component",
                                "a component is one of a `quantity`; give it too");
    const int found = find_column(build, p, 0, &c);
    if (!found && p->component >= 0)
        return hol__field_error(build, p, "component", "'%s' has no component '%s'", p->quantity,
                                components[p->component]);
    if (hol__is_given(p, "on") && !hol__is_given(p, "force"))
        return hol__field_error(build, p, "on", "only forces have bodies to choose from");
    if (hol__is_given(p, "in") &&
        (p->joint >= 0 || (p->quantity[0] && (c.own || c.quantity->shape == HOL__TELLS_NUMBER))))
        return hol__field_error(build, p, "in",
                                "only force and moment are written in another frame");
    return found;
}

static void compile(hol__build *build, hol__measure *m, const void *params) {
    const load_params *p = params;
    column *columns = HOL__NEW_N(build->arena, column, m->count + 1);
    m->joint = p->joint;
    m->force = p->force.index;
    m->level = p->joint >= 0 ? HOL__LEVEL_ACC : HOL__LEVEL_FORCE;
    m->self = columns;
    if (p->quantity[0] && !has_quantity(build, p))
        report_unknown(build, p);
    else if (check(build, p) && columns)
        for (int i = 0; i < m->count; i++) {
            find_column(build, p, i, &columns[i]);
            if (columns[i].quantity->acts) m->acts |= 1ull << i;
        }
}

/* The frame of a column: that of `in` for forces and moments. */
static const char *frame_of(hol__build *build, const load_params *p, const column *c) {
    if (c->own) return c->width > 1 ? "element, on the first body" : "";
    if (c->quantity->shape == HOL__TELLS_NUMBER) return "";
    return hol__frame_name(build, p->in);
}

static void describe(hol__build *build, const hol__measure *m, int i, hol_column *out) {
    const load_params *p = (const void *)m->params;
    column c;
    if (!find_column(build, p, i, &c)) return;
    const int dim = build->model->dim;
    const int pushes = p->joint >= 0 ? build->model->joints[p->joint].pushes : p->force.pushes;
    const int turns = c.quantity->shape == HOL__TELLS_NUMBER ? !pushes : c.k >= (dim == 2 ? 2 : 3);
    out->unit = c.quantity->turn && turns ? c.quantity->turn : c.quantity->unit;
    out->frame = frame_of(build, p, &c);
    out->doc = c.quantity->doc;
}

/* The forces are there: which of its bodies is measured. */
static void finish(hol__build *build, hol__measure *m) {
    const load_params *p = (const void *)m->params;
    if (!hol__is_given(p, "on") || p->force.index < 0) return;
    const hol__element *force = &build->model->forces[p->force.index];
    m->choice = force->body[0] != p->on;
    if (force->body[m->choice] != p->on ||
        (m->choice && p->on == build->model->nb && !hol__key_find(force->type->keys, "bodies") &&
         !hol__key_find(force->type->keys, "joint")))
        hol__field_error(build, p, "on", "%s does not act on this body", force->label);
}

/* ---- values ---- */

/* All numbers of the common quantities, HOL__TOLD_WIDTH each. */
static void common_values(const hol__measure *m, const hol__measure_args *args,
                          const hol__told *told, double *out) {
    const load_params *p = (const void *)m->params;
    double force[3], moment[3];
    memcpy(force, told->force[m->choice], sizeof force);
    memcpy(moment, told->moment[m->choice], sizeof moment);
    hol__write_in(args, p->in, force);
    hol__write_in(args, p->in, moment);
    memcpy(out + HOL__TOLD_WIDTH * FORCE, force, sizeof force);
    memcpy(out + HOL__TOLD_WIDTH * MOMENT, args->bodies.b2 ? moment + 2 : moment,
           sizeof(double) * (args->bodies.b2 ? 1 : 3));
    out[HOL__TOLD_WIDTH * POWER] = told->power;
    out[HOL__TOLD_WIDTH * ENERGY] = told->energy;
    out[HOL__TOLD_WIDTH * LOSS] = told->loss;
}

/* What a joint does: the load of a driver, and the power. */
static void joint_values(const hol__measure *m, const hol__measure_args *args, hol__told *told,
                         double *values) {
    const column *columns = m->self;
    int wants_load = 0;
    for (int i = 0; i < m->count; i++) wants_load |= columns[i].own;
    values[0] = args->power(args->self, m->joint);
    if (wants_load) told->own[0] = -args->multiplier(args->self, m->joint, 0);
}

/* What gravity does to a body. */
static void weight_values(const hol__measure *m, const hol__measure_args *args, hol__told *told,
                          double *values) {
    const load_params *p = (const void *)m->params;
    args->weight(args->self, p->gravity, told);
    hol__write_in(args, p->in, told->force[0]);
    memcpy(values, told->force[0], sizeof told->force[0]);
    values[HOL__TOLD_WIDTH] = told->power;
    values[2 * HOL__TOLD_WIDTH] = told->energy;
}

/* |x| of up to three components. */
static double length_of(const double *x, int n) {
    double padded[3] = {0, 0, 0};
    memcpy(padded, x, sizeof(double) * (size_t)n);
    return hol__norm3(padded);
}

static void eval(const hol__measure *m, const hol__measure_args *args, double *out) {
    const load_params *p = (const void *)m->params;
    const column *c = m->self;
    double values[HOL__TOLD_WIDTH * N_COMMON] = {0};
    hol__told told = {.power = 0};
    if (m->joint >= 0)
        joint_values(m, args, &told, values);
    else if (p->force.index < 0)
        weight_values(m, args, &told, values);
    else {
        args->force(args->self, p->force.index, &told);
        common_values(m, args, &told, values);
    }
    for (int i = 0; i < m->count; i++, c++) {
        const double *x = (c->own ? told.own : values) + HOL__TOLD_WIDTH * c->place;
        out[i] = p->component == MAGNITUDE ? length_of(x, c->width) : x[c->k];
    }
}

static const hol__measure_type load_type = {HOL__LEVEL_FORCE, eval};

const hol__element_type hol__measure_load = {
    .section = "measures",
    .name = "load",
    .title = "What a force, a driver or gravity does: forces, lengths, rates, power, energy.",
    .equations = "power + V' = -dissipation; of a driver load = -lambda, power = load x'",
    .example = "holonom: 1\n"
               "name: load\n"
               "space: planar\n"
               "gravity: [0, -9.81]\n"
               "bodies:\n"
               "  rod: {mass: 1.2, inertia: 0.1, along: [[0, 0], [1, 0]]}\n"
               "joints:\n"
               "  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
               "forces:\n"
               "  strut: {type: spring, bodies: [ground, rod], from: [0, 1], to: [1, 0], "
               "stiffness: 100, damping: 2}\n"
               "measures:\n"
               "  tension: {type: load, force: strut, quantity: tension}\n"
               "  pull: {type: load, force: strut, quantity: force, on: rod, in: rod}\n"
               "  all: {type: load, force: strut}\n"
               "  weight: {type: load, gravity: rod}\n"
               "simulation: {end: 0.1}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = keys,
    .size = sizeof(load_params),
    .measure = &load_type,
    .unit = "",
    .units = "that of the quantity",
    .compile_measure = compile,
    .component = component,
    .describe = describe,
    .finish = finish,
};

/* measures.c: measures and their columns; the order in which they are evaluated; what they need.
 *
 * Columns come first, so that any expression can name them; an expression measure is evaluated
 * after those it reads, and its level is the highest of theirs. Without a section `measures` the
 * motion of every body and the energies are measured.
 */
#include "base/unit_set.h"
#include "compile/compile.h"
#include "element/joints.h"
#include "model/fields.h"

#include <stdio.h>
#include <string.h>

/* Measures for a model that names none: a description of its own. */
static hol_spec *default_measures(hol__build *build) {
    hol_spec *spec = hol_spec_new(build->ctx);
    char name[256];
    for (int i = 0; spec && i < build->model->nb; i++) {
        const char *body = build->model->bodies[i].name;
        hol_item *item = hol_spec_add(spec, "measures", body, "position");
        if (item) hol_item_text(item, "body", body);
        const int planar = build->model->dim == 2;
        snprintf(name, sizeof name, planar ? "%.200s.angle" : "%.200s.q", body);
        item = hol_spec_add(spec, "measures", name, planar ? "angle" : "orientation");
        if (item) hol_item_text(item, "body", body);
    }
    if (spec) hol_spec_add(spec, "measures", "energy", "energy");
    if (!spec || spec->arena.failed) build->arena->failed = 1;
    return spec;
}

/* The parameters of a measure; it is compiled only where they are right. */
static void read_params(hol__build *build, hol__measure *m, hol__node *item) {
    const int errors = build->errors;
    char what[96];
    hol__item_words(m->kind->name, "measure", what, sizeof what);
    const hol__key *common = hol__common_keys("measures");
    m->params = hol__params_read(build, item, m->kind->keys, common, m->kind->size, what);
    const hol__node *unit = hol__node_get(item, "unit");
    if (unit) {
        m->asked = hol__keep(build, hol__read_text(build, item, common, "unit"));
        m->asked_where = hol__keep_location(build, unit->where);
        build->errors +=
            hol__unit_named(build->ctx, m->asked, &m->asked_where, m->label, &m->shown) != HOL_OK;
    }
    m->invariant = hol__read_bool(build, item, common, "invariant") != 0;
    m->sound = build->errors == errors;
}

static void add_measure(hol__build *build, hol__node *item) {
    hol_model *model = build->model;
    hol__measure *m = &model->measures[model->n_measures];
    *m = (hol__measure){.joint = -1,
                        .force = -1,
                        .angle = -1,
                        .component = -1,
                        .memory = -1,
                        .body = {model->nb, model->nb, model->nb},
                        .frame = "global"};
    m->name = hol__keep(build, item->key);
    m->label = hol__arena_format(build->arena, "measure '%s'", item->key);
    m->where = hol__keep_location(build, item->key_at);
    for (int i = 0; i < 2; i++)
        m->marker[i].f[0] = m->marker[i].F[0] = m->marker[i].F[4] = m->marker[i].F[8] = 1;
    model->n_measures++;
    build->element = m->label;
    m->kind = hol__item_type(build, item, "measures");
    if (!m->kind) return;
    m->type = m->kind->measure;
    m->level = m->type->level;
    m->unit = m->kind->unit;
    read_params(build, m, item);
}

/* How many columns the measures have, each its own. */
static void count_columns(hol__build *build) {
    hol_model *model = build->model;
    for (int k = 0; k < model->n_measures; k++) {
        hol__measure *m = &model->measures[k];
        m->first = model->n_columns;
        while (m->params && m->kind->component(build, m->params, m->count)) m->count++;
        model->n_columns += m->count;
    }
}

/* Names of the columns: "tip.x", or "tip" for a scalar. */
static void name_columns(hol__build *build, const hol__measure *m) {
    for (int i = 0; i < m->count; i++) {
        const char *part = m->kind->component(build, m->params, i);
        build->model->columns[m->first + i].name =
            part[0] ? hol__arena_format(build->arena, "%s.%s", m->name, part) : m->name;
        hol__model_name(build->model, HOL__COLUMNS, build->model->columns[m->first + i].name,
                        m->first + i);
    }
}

/* The unit that a measure is to be shown in must be one of its columns'. */
static void check_shown(hol__build *build, const hol__measure *m, const hol_column *column) {
    if (!m->asked || hol__units_agree(m->asked, column->unit)) return;
    hol__place_error(build, &m->asked_where, "'%s' is not a unit of '%s', which is in %s", m->asked,
                     column->name, *column->unit ? column->unit : "plain numbers");
}

/* Units, frame and text of the columns, known after the measure was compiled. */
static void describe_columns(hol__build *build, hol__measure *m) {
    char si[HOL_UNIT_SIZE];
    if (m->asked && (m->kind == &hol__measure_expression || m->memory >= 0))
        m->unit = hol__unit_si(m->asked, si, sizeof si);
    for (int i = 0; i < m->count; i++) {
        hol_column *column = &build->model->columns[m->first + i];
        column->unit = m->kind->unit_of ? m->kind->unit_of(m, i) : hol__keep(build, m->unit);
        column->frame = m->frame;
        column->doc = m->kind->title;
        if (m->kind->describe) m->kind->describe(build, m, i, column);
        check_shown(build, m, column);
    }
}

/* The measure that the column of an input belongs to; -1 for other inputs. */
static int measure_of(const hol_model *model, int input) {
    int low = 0, high = model->n_measures - 1;
    if (input < 1 || input > model->n_columns) return -1;
    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        if (model->measures[middle].first <= input - 1)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* A walk through the measures, each after those that it reads. */
typedef struct walk {
    int n, *stack; /* measures that are being visited, */
    int *next;     /* and by measure what it reads next */
    unsigned char *state;
    int done;
} walk;

enum { NEW, BUSY, DONE };

/* Go to a measure that the last one on the stack reads (NULL: none does). */
static void enter(hol__build *build, walk *w, int k) {
    const hol__measure *m = &build->model->measures[k];
    if (w->state[k] == BUSY) {
        build->errors++;
        hol__error(build->ctx, &m->where, m->label, "depends on itself");
    } else if (w->state[k] == NEW) {
        w->state[k] = BUSY;
        w->stack[w->n++] = k;
    }
}

/* Visit a measure and what it reads; a file may have them by the hundred thousand, each reading the
 * next, so the way back is kept here and not in calls. */
static void visit(hol__build *build, walk *w, int first) {
    hol_model *model = build->model;
    enter(build, w, first);
    while (w->n && !build->errors) {
        const int k = w->stack[w->n - 1];
        hol__measure *m = &model->measures[k];
        const int input = m->e ? hol__expr_read(m->e, w->next[k]) : -1;
        const int read = measure_of(model, input);
        if (input < 0) {
            w->state[k] = DONE;
            w->n--;
            model->measure_order[w->done++] = k;
        } else if (read >= 0 && w->state[read] != DONE) {
            enter(build, w, read);
        } else {
            if (read >= 0 && model->measures[read].level > m->level)
                m->level = model->measures[read].level;
            w->next[k]++;
        }
    }
}

static void order_measures(hol__build *build) {
    hol_model *model = build->model;
    const int n = model->n_measures;
    walk w = {.stack = HOL__NEW_N(build->arena, int, n),
              .next = HOL__NEW_N(build->arena, int, n),
              .state = HOL__NEW_N(build->arena, unsigned char, n)};
    model->measure_order = HOL__NEW_N(build->arena, int, n);
    if (build->arena->failed) return;
    for (int k = 0; k < n && !build->errors; k++) visit(build, &w, k);
}

/* A measure, with those that it reads, is needed at every evaluation. */
static void make_live(hol__build *build, hol__measure *m) {
    if (m->live) return;
    m->live = 1;
    build->model->n_live++;
    if (m->e) hol__use_measures(build, m->e, NULL);
}

/* Accelerations reach velocities alone: an invariant is a measure of these. */
static void check_invariants(hol__build *build) {
    hol_model *model = build->model;
    for (int k = 0; k < model->n_measures; k++) {
        hol__measure *m = &model->measures[k];
        if (!m->invariant) continue;
        if (m->level == HOL__LEVEL_VEL) {
            make_live(build, m);
            continue;
        }
        build->errors++;
        hol__error(build->ctx, &m->where, m->label,
                   m->level == HOL__LEVEL_POS
                       ? "cannot be an invariant: it does not depend on velocities, which alone "
                         "are held; measure its rate"
                       : "cannot be an invariant: it follows from the forces; take a measure of "
                         "positions and velocities (the energy is held without this key)");
    }
}

/* Compile the measures that are expressions, or the others, which come first: their units are then
 * known where expressions read them. */
static void compile_kind(hol__build *build, int expressions) {
    hol_model *model = build->model;
    for (int k = 0; k < model->n_measures && !hol__has_enough_errors(build); k++) {
        hol__measure *m = &model->measures[k];
        if (!m->params || !m->sound) continue;
        if ((m->kind == &hol__measure_expression) != expressions) continue;
        build->element = m->label;
        m->kind->compile_measure(build, m, m->params);
        describe_columns(build, m);
    }
}

static void compile_items(hol__build *build, hol__node *section) {
    hol_model *model = build->model;
    model->measures = HOL__NEW_N(build->arena, hol__measure, section->count);
    model->n_live = 0;
    if (!model->measures) return;
    for (hol__node *item = section->first; item && !hol__has_enough_errors(build);
         item = item->next)
        add_measure(build, item);
    count_columns(build);
    model->columns = HOL__NEW_N(build->arena, hol_column, model->n_columns);
    if (!model->columns) return;
    for (int k = 0; k < model->n_measures; k++) name_columns(build, &model->measures[k]);
    model->local = 1 + model->n_columns;
    model->n_inputs = model->local + HOL__LOCALS;
    compile_kind(build, 0);
    compile_kind(build, 1);
    order_measures(build);
    if (!build->errors) check_invariants(build);
}

void hol__compile_measures(hol__build *build) {
    hol_model *model = build->model;
    hol__node *section = hol__section(build, "measures");
    model->local = 1;
    model->n_inputs = 1 + HOL__LOCALS;
    if (section) {
        compile_items(build, section);
        return;
    }
    hol_spec *spec = default_measures(build);
    if (!build->arena->failed) compile_items(build, hol__node_get(spec->root, "measures"));
    hol_spec_free(spec);
}

void hol__finish_measures(hol__build *build) {
    hol_model *model = build->model;
    for (int k = 0; k < model->n_measures && !build->errors && !build->arena->failed; k++) {
        hol__measure *m = &model->measures[k];
        build->element = m->label;
        if (m->kind->finish) m->kind->finish(build, m);
    }
}

int hol__find_measure(hol__build *build, const char *column, hol__measure_found *found) {
    const hol__node *section = hol__node_get(build->spec->root, "measures");
    for (hol__node *item = section && section->kind == HOL__MAP ? section->first : NULL; item;
         item = item->next) {
        const size_t n = strlen(item->key);
        if (strncmp(column, item->key, n) != 0 || (column[n] && column[n] != '.')) continue;
        if (item->kind != HOL__MAP) continue;
        const hol__node *type = hol__node_get(item, "type");
        *found = (hol__measure_found){
            .name = item->key, .part = column[n] ? column + n + 1 : "", .item = item};
        if (type && type->kind == HOL__SCALAR)
            found->type = hol__element_type_find("measures", type->text);
        return 1;
    }
    return 0;
}

const hol__params *hol__read_measure(hol__build *build, const hol__measure_found *found) {
    return hol__params_read(build, found->item, found->type->keys, NULL, found->type->size, NULL);
}

/* The measures that a law reads become live; those that were not are put on the stack. */
static void make_read_live(hol__build *build, const hol__expr *e, const hol__node *node, int *top) {
    hol_model *model = build->model;
    for (int i = 0, input; (input = hol__expr_read(e, i)) >= 0; i++) {
        const int k = measure_of(model, input);
        if (k < 0) continue;
        hol__measure *m = &model->measures[k];
        if (m->level > HOL__LEVEL_VEL) {
            hol__build_error(build, node,
                             "'%s' follows from the forces and cannot drive one; use positions "
                             "and velocities",
                             model->columns[input - 1].name);
        } else if (!m->live) {
            m->live = 1;
            model->n_live++;
            m->below = *top;
            *top = k;
        }
    }
}

void hol__use_measures(hol__build *build, const hol__expr *e, const hol__node *node) {
    const hol_model *model = build->model;
    int top = -1;
    make_read_live(build, e, node, &top);
    while (top >= 0) {
        const hol__measure *m = &model->measures[top];
        top = m->below;
        if (m->e) make_read_live(build, m->e, node, &top);
    }
}

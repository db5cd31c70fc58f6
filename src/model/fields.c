/* fields.c: parameters of elements: one reader for each kind of field, and looking up what was
 * given. See fields.h. */
#include "model/fields.h"
#include "model/read.h"

#include <string.h>

/* A value of a key at its node (NULL: left out) into out, which is zero before. */
typedef void read_field(hol__build *build, hol__node *node, const hol__key *key, void *out);

/* ---- single values ---- */

static void read_number(hol__build *build, hol__node *node, const hol__key *key, void *out) {
    *(double *)out = hol__number_at(build, node, key);
}

static void read_text(hol__build *build, hol__node *node, const hol__key *key, void *out) {
    *(const char **)out = hol__keep(build, hol__text_at(build, node, key));
}

static void read_bool(hol__build *build, hol__node *node, const hol__key *key, void *out) {
    *(int *)out = hol__bool_at(build, node, key);
}

static void read_choice(hol__build *build, hol__node *node, const hol__key *key, void *out) {
    *(int *)out = !node && key->initial && !key->initial[0] ? -1 : hol__choice_at(build, node, key);
}

static void read_words(hol__build *build, hol__node *node, const hol__key *key, void *out) {
    *(unsigned *)out = hol__words_at(build, node, key);
}

static void read_law(hol__build *build, hol__node *node, const hol__key *key, void *out) {
    hol__key own = *key;
    if (key->units_of) own.local_units = key->units_of(build, (const char *)out - key->offset);
    *(hol__law *)out = hol__law_at(build, node, &own, key->locals);
}

static void read_body(hol__build *build, hol__node *node, const hol__key *key, void *out) {
    (void)key;
    const int body = node ? hol__find_body(build, node) : build->model->nb;
    *(int *)out = body < 0 ? build->model->nb : body;
}

static void read_joint(hol__build *build, hol__node *node, const hol__key *key, void *out) {
    (void)key;
    *(int *)out = node ? hol__find_joint(build, node) : -1;
}

static void read_force(hol__build *build, hol__node *node, const hol__key *key, void *out) {
    hol__force_ref *ref = out;
    (void)key;
    ref->index = -1;
    if (node) hol__find_force(build, node, ref);
}

/* ---- vectors ---- */

static void read_vector(hol__build *build, hol__node *node, const hol__key *key, void *out) {
    if (node) hol__read_vector_at(build, node, key->name, key->unit, out);
}

static void read_direction(hol__build *build, hol__node *node, const hol__key *key, void *out) {
    if (node) hol__direction_at(build, node, key, out);
}

static void read_point(hol__build *build, hol__node *node, const hol__key *key, void *out) {
    (void)key;
    if (node) hol__read_point_at(build, node, out);
}

static void read_laws(hol__build *build, hol__node *node, const hol__key *key, void *out) {
    if (node) hol__laws_at(build, node, key, key->locals, out);
}

static void read_matrix(hol__build *build, hol__node *node, const hol__key *key, void *out) {
    if (node) hol__matrix_at(build, node, key, build->model->dim == 2 ? 3 : 6, out);
}

static void read_bodies(hol__build *build, hol__node *node, const hol__key *key, void *out) {
    int *body = out;
    body[0] = body[1] = build->model->nb;
    if (node) hol__bodies_at(build, node, key->name, body);
}

static void read_joints(hol__build *build, hol__node *node, const hol__key *key, void *out) {
    hol__joint_pair *pair = out;
    pair->joint[0] = pair->joint[1] = -1;
    if (!node) return;
    if (node->kind != HOL__LIST || node->count != 2) {
        hol__build_error(build, node, "'%s' is a list of two joints, for example [A, B]",
                         key->name);
        return;
    }
    for (int i = 0; i < 2; i++) {
        hol__node *child = hol__node_at(node, i);
        pair->joint[i] = hol__find_joint(build, child);
        pair->where[i] = hol__keep_location(build, child->where);
    }
}

/* ---- expressions of names that the element knows ---- */

/* The text of an expression; nothing but a scalar is one. */
static void formula_at(hol__build *build, hol__node *node, hol__formula *f) {
    if (!hol__is_expression(build, node)) return;
    *f = (hol__formula){hol__keep(build, node->text), hol__keep_location(build, node->where),
                        node->quoted};
}

static void read_formula(hol__build *build, hol__node *node, const hol__key *key, void *out) {
    hol__formula *f = out;
    if (node)
        formula_at(build, node, f);
    else if (key->initial && key->initial[0])
        f->text = key->initial;
}

static void read_formulas(hol__build *build, hol__node *node, const hol__key *key, void *out) {
    hol__formulas *list = out;
    if (!node) return;
    if (node->kind != HOL__LIST) {
        hol__build_error(build, node, "'%s' is a list of numbers or expressions, found %s",
                         key->name, hol__node_kind_name(node));
        return;
    }
    hol__formula *f = HOL__NEW_N(build->arena, hol__formula, node->count);
    list->f = f;
    for (hol__node *child = f ? node->first : NULL; child; child = child->next)
        formula_at(build, child, &f[list->n++]);
}

const hol__expr *hol__formula_expr(hol__build *build, const hol__formula *formula, hol__names names,
                                   const char *const *locals, const char *const *local_units,
                                   const char *unit) {
    hol__node node = {.kind = HOL__SCALAR,
                      .text = formula->text,
                      .where = formula->where,
                      .quoted = formula->quoted};
    build->local_units = local_units;
    const hol__expr *e = hol__read_expr(build, &node, names, locals, unit);
    build->local_units = NULL;
    return e;
}

hol__law hol__formula_law(hol__build *build, const hol__formula *formula, const char *const *locals,
                          const char *const *local_units, const char *unit) {
    const hol__expr *e =
        hol__formula_expr(build, formula, HOL__NAMES_LOCAL, locals, local_units, unit);
    if (!e) return (hol__law){0, NULL};
    return hol__expr_is_constant(e) ? (hol__law){hol__expr_constant(e), NULL} : (hol__law){0, e};
}

/* ---- lists and maps ---- */

/* The numbers of count nodes, of which first is the first. */
static void read_each(hol__build *build, hol__node *first, int count, const hol__key *key,
                      hol__numbers *out) {
    double *x = HOL__NEW_N(build->arena, double, count);
    const char **text = HOL__NEW_N(build->arena, const char *, count);
    hol_location *where = HOL__NEW_N(build->arena, hol_location, count);
    if (!x || !text || !where) return;
    hol__node *child = first;
    for (int i = 0; i < count; i++, child = child->next) {
        x[i] = hol__number_at(build, child, key);
        text[i] = hol__keep(build, child->text);
        where[i] = hol__keep_location(build, child->where);
    }
    out->n = count;
    out->x = x;
    out->text = text;
    out->where = where;
}

static void read_numbers(hol__build *build, hol__node *node, const hol__key *key, void *out) {
    if (!node) return;
    if (node->kind == HOL__LIST)
        read_each(build, node->first, node->count, key, out);
    else
        hol__build_error(build, node, "'%s' is a list of numbers, found %s", key->name,
                         hol__node_kind_name(node));
}

/* One number, or a list of some. */
static void read_by_row(hol__build *build, hol__node *node, const hol__key *key, void *out) {
    hol__numbers *list = out;
    if (!node) return;
    list->single = node->kind != HOL__LIST;
    if (list->single)
        read_each(build, node, 1, key, list);
    else if (node->count)
        read_each(build, node->first, node->count, key, list);
    else
        hol__build_error(build, node, "'%s' is an empty list; give a number", key->name);
}

static void read_polygon(hol__build *build, hol__node *node, const hol__key *key, void *out) {
    if (!node) return;
    if (node->kind != HOL__LIST || node->count < 3) {
        hol__build_error(
            build, node,
            "'%s' is a list of at least three points such as [[0.3, 0], [0, 0.4], [-0.3, 0]]",
            key->name);
        return;
    }
    double *x = HOL__NEW_N(build->arena, double, node->count),
           *y = HOL__NEW_N(build->arena, double, node->count);
    hol_location *where = HOL__NEW_N(build->arena, hol_location, node->count);
    if (!x || !y || !where) return;
    int n = 0;
    for (hol__node *child = node->first; child; child = child->next, n++) {
        if (child->kind != HOL__LIST || child->count != 2) {
            hol__build_error(build, child,
                             "a point of a curve has two components, for example [0.3, 0.1]");
            return;
        }
        x[n] = hol__read_constant(build, child->first, key->unit, 0);
        y[n] = hol__read_constant(build, child->last, key->unit, 0);
        where[n] = hol__keep_location(build, child->where);
    }
    *(hol__polygon *)out = (hol__polygon){n, x, y, where};
}

static void read_corners(hol__build *build, hol__node *node, const hol__key *key, void *out) {
    if (!node) return;
    if (node->kind != HOL__LIST || node->count < 1) {
        hol__build_error(build, node, "'%s' is a list of points such as %s", key->name,
                         build->model->dim == 2 ? "[[0, 0], [1, 0], [0, 1]]"
                                                : "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]");
        return;
    }
    double(*x)[3] = hol__arena_alloc(build->arena, (size_t)node->count, sizeof *x);
    int n = 0;
    for (hol__node *child = x ? node->first : NULL; child; child = child->next)
        hol__read_vector_at(build, child, key->name, key->unit, x[n++]);
    *(hol__corner_list *)out = (hol__corner_list){n, (const double(*)[3])x};
}

static void read_drives(hol__build *build, hol__node *node, const hol__key *key, void *out) {
    hol__drives *drives = out;
    if (node) drives->bits = hol__drives_at(build, node, key->name, drives->law);
}

/* Parameters in a list, or by name in a map. */
static void read_items(hol__build *build, hol__node *node, const hol__key *key, void *out) {
    const hol__group *group = key->group;
    const int named = key->kind == HOL__KEY_COORDINATES, all = key->kind == HOL__KEY_SOLIDS;
    if (!node) return;
    if (node->kind != (named ? HOL__MAP : HOL__LIST) || node->count < (all ? group->most : 1) ||
        node->count > group->most) {
        hol__build_error(build, node,
                         named ? "'%s' is a map of 1 to %d names such as {a: %s}"
                         : all ? "'%s' is a list of %d maps such as %s"
                               : "'%s' is a list of 1 to %d maps such as %s",
                         key->name, group->most, group->example);
        return;
    }
    const hol__params **items = HOL__NEW_N(build->arena, const hol__params *, node->count);
    const char **names = HOL__NEW_N(build->arena, const char *, node->count + 1);
    if (!items || !names) return;
    int n = 0;
    for (hol__node *child = node->first; child; child = child->next) {
        if (child->kind != HOL__MAP) {
            hol__build_error(build, child, "%s is a map such as %s", group->what, group->example);
            continue;
        }
        if (named) names[n] = hol__keep(build, child->key);
        items[n] = hol__params_read(build, child, group->keys, NULL, group->size, group->what);
        if (items[n]) n++;
    }
    *(hol__param_list *)out = (hol__param_list){n, named ? names : NULL, items};
}

/* ---- the table of kinds ---- */

static const struct field_kind {
    read_field *read;
    size_t size;
} kinds[] = {
    [HOL__KEY_NUMBER] = {read_number, sizeof(double)},
    [HOL__KEY_TEXT] = {read_text, sizeof(const char *)},
    [HOL__KEY_BOOL] = {read_bool, sizeof(int)},
    [HOL__KEY_CHOICE] = {read_choice, sizeof(int)},
    [HOL__KEY_LAW] = {read_law, sizeof(hol__law)},
    [HOL__KEY_TIME_LAW] = {read_law, sizeof(hol__law)},
    [HOL__KEY_POINT] = {read_point, sizeof(double[3])},
    [HOL__KEY_VECTOR] = {read_vector, sizeof(double[3])},
    [HOL__KEY_DIRECTION] = {read_direction, sizeof(double[3])},
    [HOL__KEY_LAWS] = {read_laws, sizeof(hol__law[3])},
    [HOL__KEY_TURN] = {read_laws, sizeof(hol__law[3])},
    [HOL__KEY_BODY] = {read_body, sizeof(int)},
    [HOL__KEY_BODIES] = {read_bodies, sizeof(int[2])},
    [HOL__KEY_JOINT] = {read_joint, sizeof(int)},
    [HOL__KEY_FORCE] = {read_force, sizeof(hol__force_ref)},
    [HOL__KEY_WORDS] = {read_words, sizeof(unsigned)},
    [HOL__KEY_DRIVES] = {read_drives, sizeof(hol__drives)},
    [HOL__KEY_MATRIX] = {read_matrix, sizeof(double[36])},
    [HOL__KEY_NUMBERS] = {read_numbers, sizeof(hol__numbers)},
    [HOL__KEY_BY_ROW] = {read_by_row, sizeof(hol__numbers)},
    [HOL__KEY_FORMULA] = {read_formula, sizeof(hol__formula)},
    [HOL__KEY_FORMULAS] = {read_formulas, sizeof(hol__formulas)},
    [HOL__KEY_JOINTS] = {read_joints, sizeof(hol__joint_pair)},
    [HOL__KEY_COORDINATES] = {read_items, sizeof(hol__param_list)},
    [HOL__KEY_TERMS] = {read_items, sizeof(hol__param_list)},
    [HOL__KEY_CURVE] = {read_polygon, sizeof(hol__polygon)},
    [HOL__KEY_SOLIDS] = {read_items, sizeof(hol__param_list)},
    [HOL__KEY_CORNERS] = {read_corners, sizeof(hol__corner_list)},
    [HOL__KEY_ACTIVE] = {NULL, 0},
    [HOL__KEY_MAP] = {NULL, 0},
};

/* How a field is read: a law that the element compiles itself is a formula. */
static struct field_kind kind_of(const hol__key *key) {
    return kinds[key->flags & HOL__AS_TEXT ? HOL__KEY_FORMULA : key->kind];
}

size_t hol__field_size(const hol__key *key) {
    return kind_of(key).size;
}

/* ---- reading ---- */

/* Fill one field and note that it was given. */
static void read_one(hol__build *build, hol__node *item, const hol__key *key, hol__params *params,
                     hol__given *given) {
    const hol__key *row;
    hol__node *node = hol__take_key(build, item, key, key->name, &row);
    build->dim = (hol__dim){0};
    kind_of(key).read(build, node, key, (char *)params + key->offset);
    if (!node) return;
    given[params->n_given++] =
        (hol__given){key, hol__keep_location(build, node->where),
                     node->kind == HOL__SCALAR ? hol__keep(build, node->text) : NULL, build->dim};
}

hol__params *hol__params_read(hol__build *build, hol__node *item, const hol__key *keys,
                              const hol__key *more, size_t size, const char *what) {
    hol__params *params = hol__arena_alloc(build->arena, 1, size);
    hol__given *given = HOL__NEW_N(build->arena, hol__given, item->count);
    if (what) hol__check_keys(build, item, keys, more, what);
    if (!params || !given) return NULL;
    *params = (hol__params){
        .keys = keys, .where = hol__keep_location(build, item->where), .given = given};
    for (const hol__key *key = keys; key->name; key++)
        if (key->size) read_one(build, item, key, params, given);
    return params;
}

/* ---- what was given ---- */

static const hol__given *find_given(const hol__params *params, const char *name) {
    for (int i = 0; name && i < params->n_given; i++)
        if (strcmp(params->given[i].key->name, name) == 0) return &params->given[i];
    return NULL;
}

int hol__is_given(const void *params, const char *name) {
    return find_given(params, name) != NULL;
}

const hol_location *hol__field_where(const void *params, const char *name) {
    const hol__given *given = find_given(params, name);
    return given ? &given->where : &((const hol__params *)params)->where;
}

int hol__field_error(hol__build *build, const void *params, const char *name, const char *format,
                     ...) {
    va_list args;
    va_start(args, format);
    hol__build_error_at(build, hol__field_where(params, name), format, args);
    va_end(args);
    return 0;
}

hol__dim hol__field_dim(const void *params, const char *name) {
    const hol__given *given = find_given(params, name);
    return given ? given->dim : (hol__dim){0};
}

void hol__field_unit(hol__build *build, const void *params, const char *name, const char *unit) {
    const hol__given *given = find_given(params, name);
    build->doubt = NULL;
    if (given) hol__check_unit(build, &given->where, given->text, given->dim, unit);
}

void hol__field_end(hol__build *build, const void *params, const char *name, const char *unit) {
    const hol__given *given = find_given(params, name);
    hol__field_unit(build, params, name, unit);
    if (given) hol__warn_of_degrees(build, &given->where, given->text, unit);
}

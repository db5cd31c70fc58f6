/* tables.c: the section `tables`: named curves through points, which expressions call like
 * functions.
 *
 * The points come from the key `points`, or from `data`, which the reader of the model file makes
 * of a CSV file (io/table_file.c): compiling opens no file.
 */
#include "compile/compile.h"

#include "common/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* x and y of a table that is being read. */
typedef struct points {
    int n;
    double *x, *y;
} points;

/* ---- points ---- */

/* Room for n points; 0 without memory. */
static int make_points(hol__build *build, int n, points *p) {
    p->x = HOL__NEW_N(build->arena, double, n + 1);
    p->y = HOL__NEW_N(build->arena, double, n + 1);
    return p->x && p->y;
}

/* The key `points`: a list of pairs. */
static int read_list(hol__build *build, hol__node *list, points *p) {
    const int errors = build->errors;
    list->used = 1;
    if (list->kind != HOL__LIST) {
        hol__build_error(build, list, "'points' is a list such as [[0, 1.2], [0.5, 3.1]]");
        return 0;
    }
    if (!make_points(build, list->count, p)) return 0;
    for (hol__node *pair = list->first; pair; pair = pair->next) {
        if (pair->kind != HOL__LIST || pair->count != 2) {
            hol__build_error(build, pair, "a point of a table is a pair such as [0.5, 3.1]");
            return 0;
        }
        p->x[p->n] = hol__read_constant(build, pair->first, NULL, 0);
        p->y[p->n++] = hol__read_constant(build, pair->last, NULL, 0);
        if (p->n > 1 && build->errors == errors && !(p->x[p->n - 1] > p->x[p->n - 2]))
            hol__build_error(build, pair, "abscissae must increase, but %g follows %g",
                             p->x[p->n - 1], p->x[p->n - 2]);
    }
    return build->errors == errors;
}

/* The key `data`: x and y in turn, as text. */
static int read_data(hol__build *build, hol__node *node, points *p) {
    int numbers = 0;
    const char *at = hol__read_text(build, node->parent, hol__table_keys, "data"), *end;
    for (const char *c = at; *c; c++) numbers += *c == ' ' || *c == '\n';
    if (!make_points(build, numbers / 2 + 1, p)) return 0;
    numbers = 0;
    for (;; numbers++) {
        while (*at == ' ' || *at == '\n') at++;
        const double value = hol__number_read(at, &end);
        if (end == at) break;
        if (numbers % 2)
            p->y[numbers / 2] = value;
        else
            p->x[numbers / 2] = value;
        at = end;
    }
    p->n = numbers / 2;
    int sound = !*at && numbers % 2 == 0;
    for (int i = 0; i < p->n; i++)
        sound &= isfinite(p->x[i]) && isfinite(p->y[i]) && (!i || p->x[i] > p->x[i - 1]);
    if (!sound)
        hol__build_error(build, node, "'data' is x and y in turn, finite, with x increasing");
    return sound;
}

/* ---- units ---- */

/* Turn values in the unit of a key into SI; the dimension that they have. */
static hol__dim convert(hol__build *build, hol__node *item, const char *key, int n,
                        double *values) {
    hol__node *node = hol__node_get(item, key);
    const char *unit = node ? hol__read_text(build, item, hol__table_keys, key) : "";
    char text[96];
    if (!unit[0]) return (hol__dim){0};
    snprintf(text, sizeof text, "1 %.80s", unit);
    hol__node one = {.kind = HOL__SCALAR, .text = text, .where = node->where};
    const double factor = hol__read_constant(build, &one, NULL, 1);
    for (int i = 0; i < n; i++) values[i] *= factor;
    return build->dim;
}

/* ---- a table ---- */

/* Whether expressions can call the name: not that of a function or of a parameter. */
static void check_name(hol__build *build, const hol__node *item) {
    const char *taken = NULL;
    hol__function_doc f;
    for (int i = 0; (f = hol__expr_function(i)).name; i++)
        if (strcmp(f.name, item->key) == 0) taken = "a function";
    if (hol__named_parameter(build, item->key)) taken = "a parameter";
    if (!taken && hol__is_identifier(item->key)) return;
    build->errors++;
    if (taken)
        hol__error(build->ctx, &item->key_at, build->element,
                   "'%s' is %s already; call the table something else", item->key, taken);
    else
        hol__error(build->ctx, &item->key_at, build->element,
                   "'%s' cannot be used in expressions; use letters, digits and _", item->key);
}

/* Where the points are: `points` or `data`; NULL after an error. */
static hol__node *find_points(hol__build *build, hol__node *item) {
    hol__node *list = hol__node_get(item, "points"), *data = hol__node_get(item, "data"),
              *file = hol__node_get(item, "file");
    if (file)
        hol__build_error(build, file,
                         "files are read with the model file alone; give the `points` here");
    else if (!list == !data)
        hol__build_error(build, item, "a table needs `file` or `points`");
    else
        return list ? list : data;
    return NULL;
}

/* The first and the last ordinate of what repeats are one. */
static void check_ends(hol__build *build, const hol__node *at, points *p) {
    double size = 0;
    for (int i = 0; i < p->n; i++) size = fmax(size, fabs(p->y[i]));
    if (fabs(p->y[p->n - 1] - p->y[0]) > 1e-9 * size)
        hol__build_error(build, at,
                         "outside: periodic needs the same ordinate at both ends, but it begins "
                         "with %g and ends with %g",
                         p->y[0], p->y[p->n - 1]);
    p->y[p->n - 1] = p->y[0];
}

static void compile_table(hol__build *build, hol__node *item) {
    points p = {0};
    const int errors = build->errors;
    /* one with an error is known by its name, so that its calls are not reported too */
    hol__table *slot = &build->tables[build->n_tables++];
    *slot = (hol__table){.name = hol__keep(build, item->key)};
    build->element = hol__arena_format(build->arena, "table '%s'", item->key);
    check_name(build, item);
    if (item->kind != HOL__MAP) {
        hol__build_error(build, item, "a table is a map such as {file: gas.csv, x: angle, y: p}");
        return;
    }
    hol__check_keys(build, item, hol__table_keys, NULL, "a table");
    hol__node *at = find_points(build, item);
    if (!at ||
        !(strcmp(at->key, "data") == 0 ? read_data(build, at, &p) : read_list(build, at, &p)))
        return;
    hol__table table = {
        .name = slot->name,
        .n = p.n,
        .x = p.x,
        .y = p.y,
        .linear = hol__read_choice(build, item, hol__table_keys, "interpolation") == 1,
        .outside = (hol__outside)hol__read_choice(build, item, hol__table_keys, "outside")};
    if (p.n < 2) {
        hol__build_error(build, at, "a table has at least two points");
        return;
    }
    if (table.outside == HOL__OUTSIDE_PERIODIC) check_ends(build, at, &p);
    table.x_dim = convert(build, item, "x_unit", p.n, p.x);
    table.y_dim = convert(build, item, "y_unit", p.n, p.y);
    if (build->errors != errors) return;
    *slot = table;
    double x, y;
    if (hol__table_overshoot(build->arena, &table, &x, &y) > HOL__OVERSHOOT)
        hol__warn(build->ctx, &item->key_at, build->element,
                  "its spline goes to %.4g at x = %.6g (SI units), far beyond its points; use "
                  "`interpolation: linear`, or more points where it should be flat",
                  y, x);
}

void hol__compile_tables(hol__build *build) {
    hol__node *section = hol__section(build, "tables");
    if (!section) return;
    build->tables = HOL__NEW_N(build->arena, hol__table, section->count + 1);
    for (hol__node *item = build->tables ? section->first : NULL; item; item = item->next)
        compile_table(build, item);
    build->element = NULL;
}

/* read_design.c: the keys `design`, `cases`, `points` and `table`: which cases there are. */
#include "study/design.h"

#include "common/nearest.h"
#include "io/format.h"

#include <math.h>
#include <string.h>

static const char *design_name(const void *self, int i) {
    (void)self;
    return hol__design_get(i) ? hol__design_get(i)->name : NULL;
}

/* The design of that name. */
static hol_status find_design(hol_study *s, const hol_item *item) {
    const char *name = hol_item_value(item);
    char hint[128];
    if (!name) return hol__study_error(s, item, "design wants the name of a design");
    for (int i = 0; hol__design_get(i); i++)
        if (strcmp(hol__design_get(i)->name, name) == 0) s->design = hol__design_get(i);
    if (s->design) return HOL_OK;
    return hol__study_error(
        s, item, "there is no design '%s'%s (run 'holonom study --designs' for a list)", name,
        hol__did_you_mean(hol__nearest(name, design_name, NULL), hint, sizeof hint));
}

/* ---- the file of the design `table` ---- */

/* The column of a factor, in its unit; NULL after an error. */
static const double *find_column(hol_study *s, const hol__factor *f, hol_result *file,
                                 const char *path) {
    const int column = hol_result_find(file, f->about.name);
    const hol_location where = {path, 1, 1};
    if (column < 0) {
        hol__error(s->ctx, &where, NULL,
                   "there is no column '%s', which the factor of line %d has "
                   "its values from",
                   f->about.name, f->where.line);
        return NULL;
    }
    const double *values = hol_result_values(file, column);
    for (int i = 0; i < hol_result_rows(file); i++)
        if (!isfinite(values[i])) {
            hol__error(s->ctx, &where, NULL, "column '%s' has no number in row %d", f->about.name,
                       i + 1);
            return NULL;
        }
    return values;
}

/* The rows of the file as the values of the factors. */
static hol_status take_rows(hol_study *s, hol_result *file, const char *path) {
    const int rows = hol_result_rows(file);
    double *table = HOL__NEW_N(&s->arena, double, (size_t)(rows + 1) * (size_t)s->n_factors);
    if (!table) return HOL_ERR_MEMORY;
    for (int j = 0; j < s->n_factors; j++) {
        const double *values = find_column(s, &s->factors[j], file, path);
        if (!values) return HOL_ERR_INPUT;
        for (int i = 0; i < rows; i++) table[(long long)i * s->n_factors + j] = values[i];
    }
    s->table = table;
    s->cases = rows;
    return HOL_OK;
}

static hol_status read_table(hol_study *s, const hol_item *item) {
    const char *name = hol_item_value(item);
    const hol_location where = hol_item_place(item);
    if (!name) return hol__study_error(s, item, "table wants the name of a CSV file");
    char *path = hol__study_beside(s, where.file ? where.file : "", name);
    hol_result *file = path ? hol__csv_columns(s->ctx, path) : NULL;
    if (!file) return HOL_ERR_INPUT;
    hol_status status = hol_result_set_units(file, "");
    if (!status) status = take_rows(s, file, path);
    hol_result_free(file);
    return status;
}

/* ---- how many ---- */

/* `cases`, or `points` of the design of indices. */
static hol_status read_count(hol_study *s, const hol_item *root) {
    const int indices = hol__design_is_indices(s->design);
    const char *key = indices ? "points" : "cases", *other = indices ? "cases" : "points";
    const hol_item *given = hol_item_find(root, key), *wrong = hol_item_find(root, other);
    double count = 0;
    if (wrong && s->design->counted)
        return hol__study_error(s, wrong, "the design %s has %s, not %s", s->design->name, key,
                                other);
    if ((given || wrong) && !s->design->counted)
        return hol__study_error(s, given ? given : wrong,
                                "the cases of the design %s follow from its %s", s->design->name,
                                s->design->place ? "levels" : "table");
    if (!s->design->counted) return HOL_OK;
    if (!given)
        return hol__study_error(s, hol_item_find(root, "design"),
                                "the design %s needs the key '%s': how many", s->design->name, key);
    const hol_status status = hol__study_number(s, root, key, "", &count);
    if (!status && (count != floor(count) || count > 1e12))
        return hol__study_error(s, given, "%s wants a whole number up to 1e12", key);
    s->asked = (long long)count;
    return status;
}

/* Factors without a spread have their values from the table, and only these do. */
static hol_status check_spreads(hol_study *s) {
    hol_status status = HOL_OK;
    for (int j = 0; j < s->n_factors; j++) {
        const hol__factor *f = &s->factors[j];
        const int from_table = f->spread == HOL__SPREAD_TABLE;
        if (from_table != !s->design->place)
            status = hol__error(s->ctx, &f->where, NULL,
                                from_table ? "factor '%s' says nothing of its values; without the "
                                             "design table it wants a list or a range"
                                           : "factor '%s' has its values from the table; leave its "
                                             "own out: {}, or {path: ...}",
                                f->about.name);
    }
    return status;
}

hol_status hol__study_read_design(hol_study *s, const hol_item *root) {
    const hol_item *item = hol_item_find(root, "design"), *table = hol_item_find(root, "table");
    hol_status status = HOL_OK;
    s->design = item || table ? NULL : hol__design_get(0);
    if (item) status = find_design(s, item);
    if (table && !item)
        status = hol__study_error(s, table, "a table is of the design table; add `design: table`");
    if (!status) status = check_spreads(s);
    if (!status) status = read_count(s, root);
    if (!status && table && s->design->place)
        status = hol__study_error(s, table, "the design %s has no table", s->design->name);
    if (!status && table) status = read_table(s, table);
    if (!status) status = s->design->check(s, item ? item : root);
    if (!status && s->cases < 1)
        status = hol__study_error(s, item ? item : root, "there are no cases");
    return status;
}

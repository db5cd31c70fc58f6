/* result_units.c: the columns of a result in other units.
 *
 * Every column has its unit as a text; one that is no unit, or none, leaves its numbers as they
 * are.
 */
#include "base/unit_set.h"
#include "io/format.h"

#include <string.h>

/* Column i in another unit: x over/times of the new one times/over of the old one; 0 without
 * memory. */
static int convert(hol_result *result, int i, const hol_unit *from, const hol_unit *to) {
    hol_column *column = &result->columns[i];
    const char *name = hol__arena_text(&result->arena, to->name);
    double *x = result->values[i];
    if (!name) return 0;
    column->unit = name;
    for (int k = 0; k < result->rows; k++)
        x[k] = hol_unit_show(to, x[k] * from->times / from->over);
    return 1;
}

hol_status hol_result_set_units(hol_result *result, const char *units) {
    hol__unit_set set = {0};
    if (!result || hol__unit_set_read(result->ctx, &set, units)) return HOL_ERR_ARGUMENT;
    for (int i = 0; i < result->n_columns; i++) {
        char si[HOL_UNIT_SIZE];
        hol_unit from, to;
        if (!hol__unit_try(result->columns[i].unit, &from)) continue;
        hol__unit_set_show(&set, hol__unit_si(from.name, si, sizeof si), &to);
        if (strcmp(from.name, to.name) != 0 && !convert(result, i, &from, &to))
            return HOL_ERR_MEMORY;
    }
    return HOL_OK;
}

hol_status hol__result_follow(hol_result *result, const hol_result *first, const char *file) {
    const hol_location where = {file, 0, 0};
    for (int i = 0; i < result->n_columns; i++) {
        const char *name = result->columns[i].name, *unit = result->columns[i].unit;
        const int k = hol_result_find(first, name);
        const char *other = k >= 0 ? first->columns[k].unit : unit;
        hol_unit from, to;
        if (strcmp(unit, other) == 0) continue;
        if (!hol__unit_try(unit, &from) || !hol__unit_try(other, &to) ||
            !hol__units_agree(unit, other))
            return hol__error(result->ctx, &where, NULL,
                              "the column '%s' is in '%s' here and in '%s' in the first result; "
                              "show them apart",
                              name, unit, other);
        if (!convert(result, i, &from, &to)) return HOL_ERR_MEMORY;
    }
    return HOL_OK;
}

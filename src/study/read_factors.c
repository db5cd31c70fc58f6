/* read_factors.c: the section `factors`: what varies, and how.
 *
 *     factors:
 *       L2: [0.3 m, 0.4 m]                               levels
 *       L3: {from: 300 mm, to: 500 mm, steps: 5}         levels, evenly from end to end
 *       m: {from: 1 kg, to: 2 kg}                        uniform; with `mode` triangular
 *       k: {from: 1, to: 1e4, spacing: logarithmic}
 *       r: {mean: 0.4 m, deviation: 0.1 mm, within: [0.3998 m, 0.4002 m]}     normal
 *       c: {median: 20, factor: 1.3}                     lognormal: two thirds lie within a factor
 *       mass: {path: bodies.rod.mass, values: [1, 2]}    another name than that of the number
 *       method: {words: [lagrange, null-space]}          what is no number
 */
#include "study/study.h"

#include "analysis/vary.h"
#include "base/unit_set.h"
#include "common/number.h"
#include "compile/compile.h"
#include "model/path.h"

#include <math.h>
#include <string.h>

enum { MOST_LEVELS = 1000000, MOST_VARIANTS = 1000 };

/* ---- numbers ---- */

/* The factor has the SI unit of this number, where the model says none: "2.5 mm" is in m. */
static hol_status take_unit(hol_study *s, hol__factor *f, const char *text) {
    char si[64];
    hol_unit unit;
    const char *name = text + strspn(text, "0123456789.+-eE ");
    if (*f->about.unit || !*name || !hol__unit_try(name, &unit)) return HOL_OK;
    f->about.unit = hol__arena_text(&s->arena, hol__unit_si(name, si, sizeof si));
    return f->about.unit ? HOL_OK : HOL_ERR_MEMORY;
}

/* The number of an item, in the unit of the factor. */
static hol_status read_quantity(hol_study *s, hol__factor *f, const hol_item *item, double *value) {
    const hol_location where = hol_item_place(item);
    if (!hol_item_value(item))
        return hol__study_error(s, item, "factor '%s': expected a number", f->about.name);
    const hol_status status = hol__quantity_at(s->ctx, &s->arena, &where, hol_item_value(item),
                                               *f->about.unit ? f->about.unit : NULL, value);
    return status ? status : take_unit(s, f, hol_item_value(item));
}

/* The number of a key, which must be there. */
static hol_status read_key(hol_study *s, hol__factor *f, const hol_item *map, const char *key,
                           double *value) {
    const hol_item *item = hol_item_find(map, key);
    if (!item)
        return hol__study_error(s, map, "factor '%s': the key '%s' is missing", f->about.name, key);
    return read_quantity(s, f, item, value);
}

/* ---- levels ---- */

/* A list of levels, numbers or words. */
static hol_status read_list(hol_study *s, hol__factor *f, const hol_item *list, int words) {
    const int n = hol_item_count(list);
    double *levels = HOL__NEW_N(&s->arena, double, n + 1);
    const char **texts = words ? HOL__NEW_N(&s->arena, const char *, n + 1) : NULL;
    if (s->arena.failed) return HOL_ERR_MEMORY;
    if (hol_item_kind_of(list) != HOL_ITEM_LIST || !n)
        return hol__study_error(s, list, "factor '%s' wants a list of %s, e.g. %s", f->about.name,
                                words ? "words" : "values",
                                words ? "[lagrange, baumgarte]" : "[0.3, 0.4]");
    hol_status status = HOL_OK;
    int i = 0;
    for (const hol_item *item = hol_item_first(list); item && !status;
         item = hol_item_next(item), i++) {
        levels[i] = i;
        if (!words)
            status = read_quantity(s, f, item, &levels[i]);
        else if (!(texts[i] = hol_item_value(item)))
            status = hol__study_error(s, item, "factor '%s' wants words", f->about.name);
    }
    f->spread = HOL__SPREAD_LEVELS;
    f->n_levels = n;
    f->levels = levels;
    f->words = texts;
    return status;
}

/* Levels evenly from end to end, or in even ratios. */
static hol_status make_grid(hol_study *s, hol__factor *f, const hol_item *map) {
    double steps;
    const hol_status status = hol__study_number(s, map, "steps", "", &steps);
    if (status) return status;
    if (steps != floor(steps) || steps < 2 || steps > MOST_LEVELS)
        return hol__study_error(s, hol_item_find(map, "steps"),
                                "factor '%s': steps is the number of levels from end to end, a "
                                "whole number from 2 to %d",
                                f->about.name, MOST_LEVELS);
    const int n = (int)steps;
    double *levels = HOL__NEW_N(&s->arena, double, n);
    if (!levels) return HOL_ERR_MEMORY;
    for (int i = 0; i < n; i++) {
        const double share = (double)i / (n - 1);
        levels[i] = i == n - 1                             ? f->high
                    : f->spread == HOL__SPREAD_LOGARITHMIC ? f->low * pow(f->high / f->low, share)
                                                           : f->low + (f->high - f->low) * share;
    }
    f->spread = HOL__SPREAD_LEVELS;
    f->n_levels = n;
    f->levels = levels;
    return HOL_OK;
}

/* ---- spreads ---- */

static hol_status read_range(hol_study *s, hol__factor *f, const hol_item *map) {
    const hol_item *spacing = hol_item_find(map, "spacing"), *mode = hol_item_find(map, "mode");
    const char *word = hol_item_value(spacing);
    hol_status status = read_key(s, f, map, "from", &f->low);
    if (!status) status = read_key(s, f, map, "to", &f->high);
    if (status) return status;
    if (!(f->low < f->high))
        return hol__study_error(s, map, "factor '%s': 'from' must lie below 'to'", f->about.name);
    f->spread = mode ? HOL__SPREAD_TRIANGULAR : HOL__SPREAD_UNIFORM;
    if (spacing && word && strcmp(word, "logarithmic") == 0 && !mode)
        f->spread = HOL__SPREAD_LOGARITHMIC;
    else if (spacing && (!word || strcmp(word, "even") != 0))
        return hol__study_error(s, spacing, "factor '%s': spacing is even or logarithmic%s",
                                f->about.name, mode ? "; with a mode it is even" : "");
    if (f->spread == HOL__SPREAD_LOGARITHMIC && !(f->low > 0))
        return hol__study_error(s, spacing, "factor '%s': a logarithmic range begins above 0",
                                f->about.name);
    if (mode) status = read_quantity(s, f, mode, &f->centre);
    if (!status && mode && !(f->centre >= f->low && f->centre <= f->high))
        status = hol__study_error(s, mode, "factor '%s': the mode lies outside the range",
                                  f->about.name);
    if (!status && hol_item_find(map, "steps"))
        status = mode ? hol__study_error(s, mode, "factor '%s': levels have no mode", f->about.name)
                      : make_grid(s, f, map);
    return status;
}

/* The ends of `within`. */
static hol_status read_within(hol_study *s, hol__factor *f, const hol_item *map) {
    const hol_item *ends = hol_item_find(map, "within");
    if (!ends) return HOL_OK;
    if (hol_item_count(ends) != 2 || hol_item_kind_of(ends) != HOL_ITEM_LIST)
        return hol__study_error(s, ends, "factor '%s': within wants two ends, e.g. [0.39, 0.41]",
                                f->about.name);
    hol_status status = read_quantity(s, f, hol_item_first(ends), &f->low);
    if (!status) status = read_quantity(s, f, hol_item_next(hol_item_first(ends)), &f->high);
    if (!status && !(f->low < f->high))
        status = hol__study_error(s, ends, "factor '%s': the first end must lie below the second",
                                  f->about.name);
    return status;
}

static hol_status read_normal(hol_study *s, hol__factor *f, const hol_item *map) {
    f->spread = HOL__SPREAD_NORMAL;
    f->low = -INFINITY;
    f->high = INFINITY;
    hol_status status = read_key(s, f, map, "mean", &f->centre);
    if (!status) status = read_key(s, f, map, "deviation", &f->width);
    if (!status && !(f->width > 0))
        status = hol__study_error(s, hol_item_find(map, "deviation"),
                                  "factor '%s': the deviation must be above 0", f->about.name);
    return status ? status : read_within(s, f, map);
}

static hol_status read_lognormal(hol_study *s, hol__factor *f, const hol_item *map) {
    double median = 0, factor = 0;
    f->spread = HOL__SPREAD_LOGNORMAL;
    f->low = 0;
    f->high = INFINITY;
    hol_status status = read_key(s, f, map, "median", &median);
    if (!status) status = hol__study_number(s, map, "factor", "", &factor);
    if (status) return status;
    if (!(median > 0) || !(factor > 1))
        return hol__study_error(s, map,
                                "factor '%s' wants a median above 0 and a factor above 1, within "
                                "which two thirds of the values lie",
                                f->about.name);
    f->centre = log(median);
    f->width = log(factor);
    status = read_within(s, f, map);
    return status || f->low >= 0
               ? status
               : hol__study_error(s, map, "factor '%s': no value lies below 0", f->about.name);
}

/* ---- one factor ---- */

/* The keys that say how a factor is spread, the first of them decides, and all keys beside it. */
static const struct form {
    const char *key;
    const char *const *keys;
    hol_status (*read)(hol_study *s, hol__factor *f, const hol_item *map);
} forms[] = {
    {"values", (const char *const[]){"path", "doc", "values", NULL}, NULL},
    {"words", (const char *const[]){"path", "doc", "words", NULL}, NULL},
    {"from", (const char *const[]){"path", "doc", "from", "to", "steps", "spacing", "mode", NULL},
     read_range},
    {"mean", (const char *const[]){"path", "doc", "mean", "deviation", "within", NULL},
     read_normal},
    {"median", (const char *const[]){"path", "doc", "median", "factor", "within", NULL},
     read_lognormal},
};

enum { FORMS = sizeof forms / sizeof *forms };

static hol_status read_spread(hol_study *s, hol__factor *f, const hol_item *item) {
    if (hol_item_kind_of(item) == HOL_ITEM_LIST) return read_list(s, f, item, 0);
    for (int i = 0; i < FORMS; i++) {
        const hol_item *found = hol_item_find(item, forms[i].key);
        if (!found) continue;
        const hol_status status = hol__study_keys(s, item, forms[i].keys);
        if (status) return status;
        return forms[i].read ? forms[i].read(s, f, item) : read_list(s, f, found, i == 1);
    }
    static const char *const keys[] = {"path", "doc", NULL};
    f->spread = HOL__SPREAD_TABLE; /* of which the design decides whether it is right */
    if (hol_item_kind_of(item) == HOL_ITEM_MAP) return hol__study_keys(s, item, keys);
    return hol__study_error(s, item,
                            "factor '%s' wants a list of values, or one of {values}, {words}, "
                            "{from, to}, {mean, deviation}, {median, factor}",
                            f->about.name);
}

/* An option of the simulation may be named without its section; what the file leaves to defaults
 * is written into the description, so that it is there to be varied. */
static hol_status find_path(hol_study *s, hol__factor *f, const hol_item *item) {
    const hol_item *path = hol_item_find(item, "path");
    f->path = path ? hol_item_value(path) : f->about.name;
    if (!f->path) return hol__study_error(s, path, "path wants the name of a number of the model");
    if (!s->spec || hol__path_value(NULL, s->spec, f->path)) return HOL_OK;
    const hol_option *option = hol_option_find(f->path);
    if (!option) {
        hol__path_value(s->ctx, s->spec, f->path);
        return hol__study_error(s, path ? path : item, "factor '%s': the model has no number '%s'",
                                f->about.name, f->path);
    }
    f->path = hol__arena_format(&s->arena, "simulation.%s", option->name);
    if (!f->path) return HOL_ERR_MEMORY;
    return hol__path_value(NULL, s->spec, f->path)
               ? HOL_OK
               : hol_spec_set(s->spec, f->path, option->initial, "study");
}

static hol_status read_factor(hol_study *s, hol__factor *f, const hol_item *item) {
    const hol_item *doc = hol_item_find(item, "doc");
    f->about = (hol_column){hol_item_key(item), "", "", doc ? hol_item_value(doc) : ""};
    f->where = hol_item_key_place(item);
    if (!hol__is_identifier(f->about.name) && !strchr(f->about.name, '.'))
        return hol__study_error(s, item, "'%s' is no name for a factor", f->about.name);
    if (!f->about.doc) return hol__study_error(s, doc, "doc wants a text");
    hol_status status = find_path(s, f, item);
    if (!status && s->spec && !hol_item_find(item, "words"))
        f->about.unit = hol__parameter_unit(s->ctx, s->spec, &s->arena, f->path);
    if (!status && !f->about.unit) status = HOL_ERR_INPUT;
    if (!status) status = read_spread(s, f, item);
    if (!status && f->words && !s->spec)
        status = hol__study_error(s, item, "factor '%s': words are of a model, and there is none",
                                  f->about.name);
    return status;
}

/* Which factors are numbers of the model, which words, and how many combinations these have. */
static hol_status sort_factors(hol_study *s) {
    double variants = 1;
    s->numbers = HOL__NEW_N(&s->arena, int, s->n_factors + 1);
    s->words = HOL__NEW_N(&s->arena, int, s->n_factors + 1);
    if (s->arena.failed) return HOL_ERR_MEMORY;
    for (int j = 0; j < s->n_factors; j++) {
        if (s->factors[j].words)
            s->words[s->n_words++] = j, variants *= s->factors[j].n_levels;
        else
            s->numbers[s->n_numbers++] = j;
    }
    s->n_variants = (int)fmin(variants, MOST_VARIANTS);
    if (variants > MOST_VARIANTS)
        return hol__error(s->ctx, &s->factors[s->words[0]].where, NULL,
                          "the words of the factors have %.3g combinations, each a description of "
                          "its own; %d is the most",
                          variants, MOST_VARIANTS);
    return HOL_OK;
}

hol_status hol__study_read_factors(hol_study *s, const hol_item *root) {
    const hol_item *map = hol_item_find(root, "factors");
    const int n = hol_item_count(map);
    if (hol_item_kind_of(map) != HOL_ITEM_MAP || !n)
        return hol__study_error(s, map ? map : root,
                                "a study needs the section `factors`: what varies, e.g. {L2: "
                                "{from: 0.3, to: 0.5}}");
    s->factors = HOL__NEW_N(&s->arena, hol__factor, n);
    if (!s->factors) return HOL_ERR_MEMORY;
    hol_status status = HOL_OK;
    for (const hol_item *i = hol_item_first(map); i; i = hol_item_next(i)) {
        /* all mistakes are told */
        const hol_status one = read_factor(s, &s->factors[s->n_factors++], i);
        if (!status) status = one;
    }
    return status ? status : sort_factors(s);
}

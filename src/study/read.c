/* read.c: the file of a study.
 *
 *     title: What the linkage makes of its tolerances
 *     model: four_bar.yaml
 *     set: {tolerance: 1e-6, end: 10}
 *     factors: {L2: {mean: 0.4 m, deviation: 0.1 mm}, …}           read_factors.c
 *     design: sobol                                                read_design.c
 *     cases: 1024
 *     seed: 1
 *     responses: {peak: max torque, ratio: "peak/end_x", …}        responses.c
 *     accept: {strong: "peak < 30 N*m"}
 *     limits: {steps: 1e5, time: 10 s, memory: 1e9}
 *     keep: {cases: [0, 17], extremes: [peak]}                     keep.c
 */
#include "study/design.h"

#include "analysis/vary.h"
#include "base/text.h"
#include "common/number.h"

#include <holonom/version.h>

#include <math.h>
#include <stdarg.h>
#include <string.h>

hol_status hol__study_error(hol_study *s, const hol_item *item, const char *format, ...) {
    const hol_location where = hol_item_key_place(item);
    va_list args;
    va_start(args, format);
    const hol_status status = hol__verror(s->ctx, where.file ? &where : NULL, NULL, format, args);
    va_end(args);
    return status;
}

hol_status hol__study_keys(hol_study *s, const hol_item *map, const char *const *words) {
    for (const hol_item *item = hol_item_first(map); item; item = hol_item_next(item)) {
        hol__near near = hol__near_start(hol_item_key(item));
        char hint[128];
        int known = 0;
        for (int i = 0; words[i] && !known; i++) {
            known = strcmp(words[i], hol_item_key(item)) == 0;
            hol__near_try(&near, words[i]);
        }
        if (!known)
            return hol__study_error(s, item, "there is no key '%s' here%s", hol_item_key(item),
                                    hol__did_you_mean(near.best, hint, sizeof hint));
    }
    return HOL_OK;
}

hol_status hol__study_number(hol_study *s, const hol_item *map, const char *key, const char *unit,
                             double *value) {
    const hol_item *item = hol_item_find(map, key);
    const hol_location where = hol_item_place(item);
    *value = 0;
    if (!item) return HOL_OK;
    if (!hol_item_value(item)) return hol__study_error(s, item, "%s wants a number", key);
    const hol_status status =
        hol__quantity_at(s->ctx, &s->arena, &where, hol_item_value(item), unit, value);
    if (status) return status;
    return *value > 0 ? HOL_OK
                      : hol__study_error(s, item, "%s wants a number above 0, and '%s' is not", key,
                                         hol_item_value(item));
}

/* ---- the model ---- */

char *hol__study_beside(hol_study *s, const char *name, const char *path) {
    const char *slash = strrchr(name, '/');
    return *path == '/' || !slash
               ? hol__arena_text(&s->arena, path)
               : hol__arena_format(&s->arena, "%.*s%s", (int)(slash + 1 - name), name, path);
}

/* Values that all cases share. */
static hol_status set_values(hol_study *s, const hol_item *map) {
    hol_status status = HOL_OK;
    if (map && hol_item_kind_of(map) != HOL_ITEM_MAP)
        return hol__study_error(s, map, "set wants values by their paths, e.g. {tolerance: 1e-6}");
    for (const hol_item *i = hol_item_first(map); i && !status; i = hol_item_next(i)) {
        if (!hol_item_value(i)) return hol__study_error(s, i, "set wants one value for each path");
        status = hol_spec_set(s->spec, hol_item_key(i), hol_item_value(i), "set");
    }
    return status;
}

/* In the coordinates of `holonom run`, unless the model or `set` says otherwise. */
static hol_status choose_coordinates(hol_study *s) {
    hol_options *options = hol_options_from_spec(s->ctx, s->spec);
    if (!options) return HOL_ERR_INPUT;
    const char *coordinates = hol_options_run_coordinates(options);
    const hol_status status = hol_spec_set(s->spec, "simulation.coordinates", coordinates, "study");
    hol_options_free(options);
    return status;
}

static hol_status read_model(hol_study *s, const hol_item *root, const char *name) {
    const hol_item *item = hol_item_find(root, "model");
    s->model_path = "";
    if (!item && hol_item_find(root, "set"))
        return hol__study_error(s, hol_item_find(root, "set"),
                                "there is no model whose values could be set; add `model: FILE`");
    if (!item) return HOL_OK;
    if (!hol_item_value(item)) return hol__study_error(s, item, "model wants the name of a file");
    s->model_path = hol__study_beside(s, name, hol_item_value(item));
    s->spec = hol_spec_new(s->ctx);
    if (!s->model_path || !s->spec) return HOL_ERR_MEMORY;
    hol_status status = hol_spec_read_file(s->spec, s->model_path);
    if (!status) status = set_values(s, hol_item_find(root, "set"));
    return status ? status : choose_coordinates(s);
}

/* ---- the rest ---- */

static hol_status read_limits(hol_study *s, const hol_item *root) {
    static const char *const keys[] = {"steps", "time", "memory", NULL};
    const hol_item *limits = hol_item_find(root, "limits");
    if (limits && hol_item_kind_of(limits) != HOL_ITEM_MAP)
        return hol__study_error(s, limits, "limits wants a map, e.g. {steps: 1e5, time: 10 s}");
    hol_status status = hol__study_keys(s, limits, keys);
    if (!status) status = hol__study_number(s, limits, "steps", "", &s->max_steps);
    if (!status) status = hol__study_number(s, limits, "time", "s", &s->max_seconds);
    if (!status) status = hol__study_number(s, limits, "memory", "", &s->max_bytes);
    return status;
}

/* A seed is a whole number. */
static hol_status read_seed(hol_study *s, const hol_item *root) {
    const hol_item *item = hol_item_find(root, "seed");
    double seed = 1;
    hol_status status = item ? hol__study_number(s, root, "seed", "", &seed) : HOL_OK;
    if (!status && (seed != floor(seed) || seed > 0x1p53))
        status = hol__study_error(s, item, "seed wants a whole number from 1 to 2^53");
    s->seed = (uint64_t)seed;
    return status;
}

/* All that decides what a case is and what its run gives, in one number. */
static hol_status find_mark(hol_study *s) {
    hol__text all;
    hol__text_init(&all, s->ctx);
    hol__text_add(&all, "holonom %s\ndesign %s, seed %llu\n", HOL_VERSION, s->design->name,
                  (unsigned long long)s->seed);
    if (!s->design->grows) hol__text_add(&all, "cases %lld\n", s->cases);
    for (int j = 0; j < s->n_factors; j++) {
        const hol__factor *f = &s->factors[j];
        hol__text_add(&all, "factor %s %d %a %a %a %a", f->path, (int)f->spread, f->centre,
                      f->width, f->low, f->high);
        for (int i = 0; i < f->n_levels && f->words; i++) hol__text_add(&all, " %s", f->words[i]);
        for (int i = 0; i < f->n_levels && !f->words; i++) hol__text_add(&all, " %a", f->levels[i]);
        hol__text_add(&all, "\n");
    }
    for (int i = 0; i < s->n_goals; i++)
        hol__text_add(&all, "goal %s %s %a %s\n", s->goals[i].kind, s->goals[i].measure,
                      s->goals[i].time, s->goals[i].level ? s->goals[i].level : "");
    char *model = s->spec ? hol_spec_text(s->spec) : NULL;
    if (model) hol__text_add_n(&all, model, strlen(model));
    const hol_status status = s->spec && !model ? HOL_ERR_MEMORY : HOL_OK;
    hol_free(s->ctx, model);
    s->mark = hol__hash(HOL__HASH_START, all.data ? all.data : "", all.length);
    if (s->table)
        s->mark = hol__hash(s->mark, s->table,
                            sizeof *s->table * (size_t)s->cases * (size_t)s->n_factors);
    const int failed = all.failed;
    hol__text_free(&all);
    return failed ? HOL_ERR_MEMORY : status;
}

hol_status hol__study_read(hol_study *s, const char *name) {
    static const char *const keys[] = {"title",  "model",  "set",  "factors", "design",
                                       "cases",  "points", "seed", "table",   "responses",
                                       "accept", "limits", "keep", NULL};
    const hol_item *root = hol_document_root(s->document), *title = hol_item_find(root, "title");
    hol_status status = hol__study_keys(s, root, keys);
    if (!status && title && !hol_item_value(title))
        status = hol__study_error(s, title, "title wants a text");
    if (!status) s->title = hol__arena_text(&s->arena, title ? hol_item_value(title) : name);
    if (!status && !s->title) status = HOL_ERR_MEMORY;
    if (!status) status = read_model(s, root, name);
    if (!status) status = read_seed(s, root);
    if (!status) status = read_limits(s, root);
    if (!status) status = hol__study_read_factors(s, root);
    if (!status) status = hol__study_read_design(s, root);
    if (!status) status = hol__study_read_responses(s, root);
    if (!status) status = hol__study_read_keep(s, root);
    return status ? status : find_mark(s);
}

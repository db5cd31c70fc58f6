/* field_path.c: fields of a compiled model by their path: "forces.spring.stiffness", and elements:
 * "forces.spring".
 *
 * The section stands before the first dot and the field behind the last one; the name between them
 * may have dots of its own.
 */
#include "base/argument.h"
#include "model/fields.h"

#include <holonom/model.h>

#include <stdio.h>
#include <string.h>

/* What a path leads to; key is NULL for an element as a whole. */
typedef struct target {
    const hol__element_type *type;
    const hol__params *params;
    const hol__key *key;
} target;

/* The element of that name; 0 when the section has none. */
static int find_element(const hol_model *model, const char *section, const char *name,
                        target *out) {
    const int is_joint = strcmp(section, "joints") == 0;
    const hol__element *list = is_joint ? model->joints : model->forces;
    const int n = is_joint ? model->n_joints : strcmp(section, "forces") == 0 ? model->n_forces : 0;
    for (int i = 0; i < n; i++)
        if (strcmp(list[i].name, name) == 0 && !list[i].start) {
            *out = (target){list[i].type, list[i].params, NULL};
            return 1;
        }
    for (int i = 0; strcmp(section, "measures") == 0 && i < model->n_measures; i++)
        if (strcmp(model->measures[i].name, name) == 0) {
            *out = (target){model->measures[i].kind, model->measures[i].params, NULL};
            return 1;
        }
    return 0;
}

/* The i-th key of a table, for hol__nearest. */
static const char *key_name(const void *keys, int i) {
    return ((const hol__key *)keys)[i].name;
}

/* The element, or the field where that is wanted, that the path leads to; 0 after a message. */
static int find(hol_context *ctx, const char *call, const hol_model *model, const char *path,
                int want_field, target *out) {
    if (!ctx || hol__need(ctx, call, "the model", model) || hol__need(ctx, call, "the path", path))
        return 0;
    char section[32], name[300], hint[128];
    const char *first = strchr(path, '.'), *last = want_field ? strrchr(path, '.') : NULL,
               *end = last ? last : path + strlen(path);
    if (!first || end == first || end - first >= (int)sizeof name ||
        first - path >= (int)sizeof section) {
        hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                    "'%s' is not a path; it is a section, a name%s: '%s'", path,
                    want_field ? " and a key" : "",
                    want_field ? "forces.spring.stiffness" : "forces.spring");
        return 0;
    }
    snprintf(section, sizeof section, "%.*s", (int)(first - path), path);
    snprintf(name, sizeof name, "%.*s", (int)(end - first - 1), first + 1);
    if (!find_element(model, section, name, out) || !out->params) {
        hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                    "'%s': the model has no element '%s' in '%s'", path, name, section);
        return 0;
    }
    if (!want_field) return 1;
    out->key = hol__key_find(out->type->keys, last + 1);
    if (out->key) return 1;
    hol__report(
        ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL, "'%s': a %s has no key '%s'%s", path,
        out->type->name, last + 1,
        hol__did_you_mean(hol__nearest(last + 1, key_name, out->type->keys), hint, sizeof hint));
    return 0;
}

hol_status hol_model_field(hol_context *ctx, const hol_model *model, const char *path, int capacity,
                           double *values, int *count) {
    static const char call[] = "hol_model_field";
    target at;
    if (!ctx || hol__need(ctx, call, "the count to fill", count)) return HOL_ERR_ARGUMENT;
    *count = 0;
    if (hol__need_array(ctx, call, "numbers to fill", capacity, 0, values)) return HOL_ERR_ARGUMENT;
    if (!find(ctx, call, model, path, 1, &at)) return HOL_ERR_ARGUMENT;
    const int n = hol__field_numbers(model, at.params, at.key, values, capacity);
    if (n < 0)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "'%s' is not made of constant numbers but %s", path,
                           hol__key_kind_name(at.key->kind));
    *count = n;
    return HOL_OK;
}

char *hol_model_field_text(hol_context *ctx, const hol_model *model, const char *path) {
    target at;
    hol__text out;
    if (!find(ctx, "hol_model_field_text", model, path, 1, &at)) return NULL;
    hol__text_init(&out, ctx);
    if (hol__is_given(at.params, at.key->name) || (at.key->initial && at.key->initial[0]))
        hol__field_write(model, at.params, at.key, &out);
    return hol__text_take(&out);
}

char *hol_model_element_text(hol_context *ctx, const hol_model *model, const char *path) {
    target at;
    hol__text out;
    if (!find(ctx, "hol_model_element_text", model, path, 0, &at)) return NULL;
    hol__text_init(&out, ctx);
    hol__params_write(model, at.params, at.type->name, &out);
    return hol__text_take(&out);
}

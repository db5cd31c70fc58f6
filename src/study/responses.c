/* responses.c: the sections `responses` and `accept`: what is kept of each case.
 *
 *     responses:
 *       peak: max torque              a goal of the run (analysis/goal.h)
 *       ratio: "peak/end_x"           a formula over factors and the responses above it
 *     accept:
 *       strong: "peak < 30 N*m"       the same; 1 where it holds, and the yield is its mean
 */
#include "study/study.h"

#include "compile/compile.h"

#include <math.h>
#include <string.h>

/* Whether a text is a goal of the model, which is put into *goal; messages of what it is not go to
 * ctx. */
static hol_status try_goal(hol_study *s, hol_context *ctx, const hol_model *model, const char *text,
                           hol_goal *goal, const char **unit) {
    hol_goal *found;
    hol__goal out;
    int n;
    hol_status status = hol__goals_read(ctx, text, &s->arena, &n, &found);
    if (!status && n != 1) status = HOL_ERR_ARGUMENT;
    if (!status) status = hol__goal_resolve(ctx, model, found, &s->arena, &out);
    if (status) return status;
    *goal = *found;
    *unit = out.unit;
    return HOL_OK;
}

/* Whether it begins as a goal does, with a word and a blank behind it and no operator. */
static int looks_like_goal(const char *text) {
    static const char *const kinds[] = {"end ", "at ",  "integral ", "mean ", "mean-square ",
                                        "max ", "min ", "when ",     NULL};
    for (int i = 0; kinds[i]; i++)
        if (strncmp(text, kinds[i], strlen(kinds[i])) == 0) return 1;
    return 0;
}

/* A formula, tried at ones: names that it may use are those of factors and of responses before. */
static hol_status check_formula(hol_study *s, const hol__response *r) {
    const double one = 1;
    const int most = s->n_factors + s->n_responses;
    const char **names = HOL__NEW_N(&s->arena, const char *, most + 1);
    const double **columns = HOL__NEW_N(&s->arena, const double *, most + 1);
    double out;
    if (s->arena.failed) return HOL_ERR_MEMORY;
    const int n = hol__formula_names(s, s->n_responses, names);
    for (int i = 0; i < n; i++) columns[i] = &one;
    return hol_formula(s->ctx, r->about.doc, &r->where, n, names, 1, columns, &out);
}

/* A name must be new among factors and responses. */
static hol_status check_name(hol_study *s, const hol_item *item) {
    const char *name = hol_item_key(item);
    if (!hol__is_identifier(name))
        return hol__study_error(s, item, "'%s' is no name: letters, digits and _", name);
    for (int j = 0; j < s->n_factors; j++)
        if (strcmp(s->factors[j].about.name, name) == 0)
            return hol__study_error(s, item, "there is a factor '%s' already", name);
    for (int i = 0; i < s->n_responses; i++)
        if (strcmp(s->responses[i].about.name, name) == 0)
            return hol__study_error(s, item, "there is a response '%s' already", name);
    return HOL_OK;
}

static hol_status read_one(hol_study *s, const hol_model *model, const hol_item *item, int yields) {
    const char *text = hol_item_value(item), *unit = "";
    hol__response *r = &s->responses[s->n_responses];
    hol_status status = check_name(s, item);
    if (status) return status;
    if (!text)
        return hol__study_error(s, item, "'%s' wants a text, e.g. %s", hol_item_key(item),
                                yields ? "\"peak < 30 N*m\"" : "max torque");
    *r = (hol__response){{hol_item_key(item), "", "", text}, hol_item_place(item), -1, yields};
    hol_context *quiet = hol__context_like(s->ctx);
    if (!quiet) return HOL_ERR_MEMORY;
    if (model && !yields && try_goal(s, quiet, model, text, &s->goals[s->n_goals], &unit) == HOL_OK)
        r->goal = s->n_goals++;
    else if (model && !yields && looks_like_goal(text)) {
        try_goal(s, s->ctx, model, text, &s->goals[s->n_goals], &unit);
        status = hol__study_error(s, item, "'%s' has no value", hol_item_key(item));
    } else
        status = check_formula(s, r);
    hol_context_free(quiet);
    r->about.unit = unit;
    if (!status) s->n_responses++;
    return status;
}

/* All of a section. */
static hol_status read_section(hol_study *s, const hol_model *model, const hol_item *map,
                               int yields) {
    hol_status status = HOL_OK;
    if (map && hol_item_kind_of(map) != HOL_ITEM_MAP)
        return hol__study_error(s, map, "%s wants names with what they are", hol_item_key(map));
    for (const hol_item *i = hol_item_first(map); i; i = hol_item_next(i)) {
        const hol_status one = read_one(s, model, i, yields);
        if (!status) status = one;
    }
    return status;
}

hol_status hol__study_read_responses(hol_study *s, const hol_item *root) {
    const hol_item *map = hol_item_find(root, "responses"), *accept = hol_item_find(root, "accept");
    const int n = hol_item_count(map) + hol_item_count(accept);
    if (!hol_item_count(map))
        return hol__study_error(s, map ? map : root,
                                "a study needs the section `responses`: what is kept of each "
                                "case, e.g. {peak: max torque}");
    s->responses = HOL__NEW_N(&s->arena, hol__response, n);
    s->goals = HOL__NEW_N(&s->arena, hol_goal, n);
    if (s->arena.failed) return HOL_ERR_MEMORY;
    hol_spec *spec = s->spec ? hol__study_variant(s, s->ctx, 0) : NULL;
    hol_model *model = spec ? hol_model_from_spec(s->ctx, spec, NULL) : NULL;
    hol_status status = s->spec && !model ? HOL_ERR_INPUT : HOL_OK;
    if (!status) status = read_section(s, model, map, 0);
    if (!status) status = read_section(s, model, accept, 1);
    hol_model_free(model);
    hol_spec_free(spec);
    return status;
}

/* ---- evaluated ---- */

int hol__formula_names(const hol_study *s, int responses, const char **names) {
    int n = 0;
    for (int j = 0; j < s->n_factors; j++)
        if (hol__is_identifier(s->factors[j].about.name)) names[n++] = s->factors[j].about.name;
    for (int i = 0; i < responses; i++) names[n++] = s->responses[i].about.name;
    return n;
}

hol_status hol__response_formula(const hol_study *s, hol_context *ctx, int i, const char *text,
                                 int rows, double *const *factors, double *const *responses,
                                 double *out) {
    hol__arena room;
    hol__arena_init(&room, s->ctx);
    const int most = s->n_factors + s->n_responses;
    const char **names = HOL__NEW_N(&room, const char *, most + 1);
    const double **columns = HOL__NEW_N(&room, const double *, most + 1);
    hol_status status = room.failed ? HOL_ERR_MEMORY : HOL_OK;
    if (!status) {
        const int n = hol__formula_names(s, i, names);
        int k = 0;
        for (int j = 0; j < s->n_factors; j++)
            if (hol__is_identifier(s->factors[j].about.name)) columns[k++] = factors[j];
        for (int j = 0; j < i; j++) columns[k++] = responses[j];
        status = hol_formula(ctx, text, &s->responses[i].where, n, names, rows, columns, out);
    }
    hol__arena_free(&room);
    return status;
}

hol_status hol__responses_evaluate(hol_study *s, int rows, double *const *factors,
                                   double *const *responses) {
    hol_status status = HOL_OK;
    for (int i = 0; i < s->n_responses && !status && rows; i++)
        if (s->responses[i].goal < 0)
            status = hol__response_formula(s, s->ctx, i, s->responses[i].about.doc, rows, factors,
                                           responses, responses[i]);
    return status;
}

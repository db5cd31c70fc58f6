/* vary.c: parameters with bounds, and numbers with units, from texts. See vary.h. */
#include "analysis/vary.h"

#include "base/text.h"
#include "base/unit_set.h"
#include "common/ascii.h"
#include "model/path.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- numbers with units ---- */

hol_status hol__quantity_at(hol_context *ctx, hol__arena *arena, const hol_location *where,
                            const char *text, const char *unit, double *value) {
    char have[64];
    const hol__expr *e = hol__expr_compile(arena, text, NULL, 0, where, NULL);
    if (!e) return arena->failed ? HOL_ERR_MEMORY : HOL_ERR_INPUT;
    *value = hol__expr_constant(e); /* without names; what is not finite is refused above */
    const hol__dim dim = hol__expr_dim(e);
    if (unit && *unit && dim.known && !hol__dim_fits(dim, hol__dim_of(unit)))
        return hol__error(ctx, where, NULL, "'%s' is in %s, and %s is expected", text,
                          hol__dim_text(dim, have, sizeof have), unit);
    return HOL_OK;
}

hol_status hol__quantity_read(hol_context *ctx, hol__arena *arena, const char *what,
                              const char *text, const char *unit, double *value) {
    const hol_location where = {what, 0, 0};
    return hol__quantity_at(ctx, arena, &where, text, unit, value);
}

const char *hol__unit_over(hol__arena *arena, const char *unit, const char *over) {
    hol__dim a = hol__dim_of(unit);
    const hol__dim b = hol__dim_of(over);
    char buf[64];
    a.m = (signed char)(a.m - b.m);
    a.kg = (signed char)(a.kg - b.kg);
    a.s = (signed char)(a.s - b.s);
    a.rad = (signed char)(a.rad - b.rad);
    return hol__arena_text(arena, a.known && b.known ? hol__unit_of_dim(a, buf, sizeof buf) : "");
}

/* ---- parameters ---- */

const char *hol__parameter_unit(hol_context *ctx, const hol_spec *spec, hol__arena *arena,
                                const char *name) {
    const hol__node *node = hol__path_value(ctx, spec, name);
    char buf[64] = "";
    if (!node) return NULL;
    /* without names; an expression of other parameters leaves it open */
    hol_context *quiet = hol__context_like(ctx);
    hol__arena own;
    if (!quiet) return NULL;
    hol__arena_init(&own, quiet);
    const hol__expr *e =
        node->kind == HOL__SCALAR ? hol__expr_compile(&own, node->text, NULL, 0, NULL, NULL) : NULL;
    if (e && hol__expr_dim(e).known) hol__unit_of_dim(hol__expr_dim(e), buf, sizeof buf);
    hol__arena_free(&own);
    hol_context_free(quiet);
    return hol__arena_text(arena, buf);
}

/* A copy of a piece of text without blanks around it. */
static char *piece(hol__arena *arena, const char *from, const char *to) {
    while (from < to && hol__is_space(*from)) from++;
    while (to > from && hol__is_space(to[-1])) to--;
    return hol__arena_text_n(arena, from, (size_t)(to - from));
}

/* One "NAME=LOW:HIGH" as row i. */
static hol_status read_one(hol_context *ctx, const hol_spec *spec, hol__arena *arena,
                           const char *text, hol__vary *vary, int i) {
    const char *end = text + strlen(text), *equals = strchr(text, '='),
               *colon = equals ? strchr(equals, ':') : NULL;
    char *name = piece(arena, text, equals ? equals : end);
    char *low = colon ? piece(arena, equals + 1, colon) : "",
         *high = colon ? piece(arena, colon + 1, end) : "";
    if (arena->failed) return HOL_ERR_MEMORY;
    if (!*name || (equals && !colon))
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "'%s': write NAME=LOW:HIGH, for example 'k=10:1000' or 'l=100 mm:0.5 m'",
                           text);
    for (int k = 0; k < i; k++)
        if (strcmp(vary->names[k], name) == 0)
            return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                               "parameter '%s' is varied twice", name);
    vary->names[i] = name;
    vary->units[i] = hol__parameter_unit(ctx, spec, arena, name);
    if (!vary->units[i]) return arena->failed ? HOL_ERR_MEMORY : HOL_ERR_ARGUMENT;
    vary->low[i] = -INFINITY;
    vary->high[i] = INFINITY;
    hol_status status = HOL_OK;
    if (*low) status = hol__quantity_read(ctx, arena, text, low, vary->units[i], &vary->low[i]);
    if (*high && !status)
        status = hol__quantity_read(ctx, arena, text, high, vary->units[i], &vary->high[i]);
    return status;
}

hol_status hol__vary_read(hol_context *ctx, const hol_spec *spec, hol__arena *arena, int n,
                          const char *const *texts, hol__vary *vary) {
    *vary = (hol__vary){.n = n,
                        .names = HOL__NEW_N(arena, const char *, n + 1),
                        .units = HOL__NEW_N(arena, const char *, n + 1),
                        .low = HOL__NEW_N(arena, double, n + 1),
                        .high = HOL__NEW_N(arena, double, n + 1),
                        .start = HOL__NEW_N(arena, double, n + 1)};
    hol_status status = arena->failed ? HOL_ERR_MEMORY : HOL_OK;
    if (!n)
        status = hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                             "no parameter is varied; name at least one with its bounds "
                             "(NAME=LOW:HIGH)");
    for (int i = 0; i < n && !status; i++) status = read_one(ctx, spec, arena, texts[i], vary, i);
    return status;
}

hol_status hol__vary_check(hol_context *ctx, const hol__vary *vary) {
    hol_status status = HOL_OK;
    for (int i = 0; i < vary->n; i++) {
        const char *unit = vary->units[i], *space = *unit ? " " : "";
        if (!(vary->low[i] < vary->high[i]))
            status =
                hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                            "parameter '%s': the lower bound %.10g%s%s must lie below the upper "
                            "one %.10g%s%s",
                            vary->names[i], vary->low[i], space, unit, vary->high[i], space, unit);
        else if (!(vary->start[i] >= vary->low[i] && vary->start[i] <= vary->high[i]))
            status =
                hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                            "parameter '%s' is %.10g%s%s in the model, where the search begins, "
                            "and that is outside its bounds, %.10g to %.10g%s%s; change one of "
                            "them (--set %s=…; numbers without a unit are in SI units)",
                            vary->names[i], vary->start[i], space, unit, vary->low[i],
                            vary->high[i], space, unit, vary->names[i]);
    }
    return status;
}

/* ---- the model file ---- */

hol_status hol__vary_can_rewrite(hol_context *ctx, const hol_spec *spec, const hol__vary *vary) {
    hol_context *quiet = hol__context_like(ctx);
    hol_spec *copy = quiet ? hol_spec_copy(quiet, spec) : NULL;
    char *text = copy ? hol_spec_rewrite(copy, vary->n, vary->names, vary->start) : NULL;
    hol_status status = text ? HOL_OK : copy ? HOL_ERR_INPUT : HOL_ERR_MEMORY;
    for (int i = 0; status && copy && i < hol_message_count(quiet); i++) {
        const hol_message *m = hol_message_get(quiet, i);
        if (m->severity == HOL_ERROR)
            status = hol__report(ctx, HOL_ERROR, m->status, &m->where, m->element, "%s", m->text);
    }
    if (copy) hol_free(quiet, text);
    hol_spec_free(copy);
    hol_context_free(quiet);
    return status;
}

hol_status hol__vary_rewrite(const hol_spec *spec, const hol__vary *vary, const double *p,
                             hol_answer *answer) {
    char *text = hol_spec_rewrite(spec, vary->n, vary->names, p);
    if (!text) return HOL_ERR_INPUT;
    answer->model = hol__arena_text(&answer->arena, text);
    hol_free(spec->ctx, text);
    return answer->model ? HOL_OK : HOL_ERR_MEMORY;
}

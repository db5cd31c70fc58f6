/* parts.c: generated code as texts. See parts.h. */
#include "generate/parts.h"

#include "generate/held.h"
#include "generate/making.h"

#include <holonom/options.h>

#include <string.h>

/* Unit quaternions: their places among the coordinates, and of the angular velocity. */
static hol_status list_turns(hol__making *g, hol__gparts *out) {
    const hol__tree *tree = g->model->tree;
    int(*turns)[2] = hol__arena_alloc(&g->arena, (size_t)tree->n + 1, sizeof *turns);
    if (!turns) return HOL_ERR_MEMORY;
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        if (link->turn != HOL__TURN_BALL) continue;
        turns[out->n_turns][0] = link->q + link->n_move;
        turns[out->n_turns++][1] = link->v + link->n_move;
    }
    out->turns = (const int(*)[2])turns;
    return HOL_OK;
}

static hol_status list_outputs(hol__making *g, hol__gparts *out) {
    const char **columns = HOL__NEW_N(&g->arena, const char *, g->code.n_outputs + 1);
    if (!columns) return HOL_ERR_MEMORY;
    for (int i = 0; i < g->code.n_outputs; i++)
        columns[i] = g->model->columns[g->code.column[i]].name;
    out->n_outputs = g->code.n_outputs;
    out->outputs = g->code.outputs;
    out->columns = columns;
    return HOL_OK;
}

/* Parameters that have a formula of those that stay inputs. */
static hol_status list_following(hol__making *g, hol__gparts *out) {
    const hol__program *p = &g->program;
    const char **following = HOL__NEW_N(&g->arena, const char *, p->n_names + 1);
    if (!following) return HOL_ERR_MEMORY;
    for (int i = 0; i < p->n_names; i++)
        if (p->definitions && p->definitions[i]) following[out->n_following++] = p->names[i];
    out->following = following;
    return HOL_OK;
}

static hol_status describe(hol__making *g, hol__gparts *out) {
    out->name = g->code.name;
    out->integrator = g->code.formula.title;
    out->step = g->states.h;
    hol_options_get_real(g->options, "position_tolerance", &out->position_tolerance);
    hol_options_get_real(g->options, "velocity_tolerance", &out->velocity_tolerance);
    out->n_q = g->model->nq, out->n_v = g->model->nv;
    out->n_angles = g->code.n_near;
    out->n_parameters = g->program.n_parameters;
    out->parameters = g->code.parameters;
    hol_status status = list_turns(g, out);
    if (!status) status = list_outputs(g, out);
    return status ? status : list_following(g, out);
}

hol_status hol__gparts_make(hol_context *ctx, const hol_spec *spec, const hol_generate_options *how,
                            hol__gparts *out) {
    *out = (hol__gparts){.n_q = 0};
    hol__text_init(&out->source, ctx);
    hol__text_init(&out->header, ctx);
    hol_status status = hol__held_spec(ctx, spec, &out->held);
    hol__making *g = status ? NULL : hol__alloc(ctx, 1, sizeof *g);
    if (!g) return status ? status : HOL_ERR_MEMORY;
    out->owned = g;
    status = hol__making_open(g, ctx, out->held ? out->held : spec, how);
    if (!status) status = hol__gcode_source(&g->code, &out->source);
    if (!status) status = hol__gcode_header(&g->code, &out->header);
    return status ? status : describe(g, out);
}

void hol__gparts_free(hol__gparts *parts) {
    hol__making *g = parts->owned;
    hol__text_free(&parts->source);
    hol__text_free(&parts->header);
    if (g) {
        hol_context *ctx = g->ctx;
        hol__making_close(g);
        hol__release(ctx, g);
    }
    hol_spec_free(parts->held);
    parts->owned = NULL;
    parts->held = NULL;
}

hol_options *hol__gparts_options(hol_context *ctx, const hol_options *given) {
    static const char *const span[] = {"end", "tolerance", "output", NULL};
    hol_options *o = hol__gstates_new_options(ctx, given);
    char text[64];
    hol_status status = o ? HOL_OK : HOL_ERR_MEMORY;
    for (int i = 0; span[i] && !status; i++)
        if (hol_options_is_given(given, span[i]))
            status = hol_options_set(o, span[i],
                                     hol_options_text(given, span[i], text, sizeof text), NULL);
    if (!status) return o;
    hol_options_free(o);
    return NULL;
}

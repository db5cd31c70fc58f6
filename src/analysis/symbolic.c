/* symbolic.c: the equations of motion as formulas: derived, checked, told. See symbolic.h. */
#include "analysis/symbolic.h"

#include "analysis/equations.h"
#include "analysis/parameter_tangent.h"
#include "base/argument.h"

#include <holonom/matrix.h>

#include <stdio.h>
#include <string.h>

/* A page of print holds some 1250 operations (50 lines of 25); formulas of more than 16 pages are
 * not for reading. Nodes: intermediate forms are some fifty times as many. */
enum { OPERATIONS_A_PAGE = 1250, PAGES = 16, NODES = 50 * OPERATIONS_A_PAGE * PAGES };

/* ---- texts ---- */

static const char *written(hol__equations *e, hol__sym x, int latex) {
    hol__text text;
    hol__text_init(&text, e->ctx);
    hol__sym_write(e->a, x, latex, &text);
    const char *out = hol__arena_text(&e->a->arena, text.data ? text.data : "");
    if (text.failed) e->a->status = HOL_ERR_MEMORY;
    hol__text_free(&text);
    return out ? out : "";
}

void hol__symbolic_table(hol__equations *e, hol_answer *answer, const char *name, const char *title,
                         int rows, int columns, const hol__sym *entries,
                         const char *const *row_names, const char *const *column_names) {
    if (!rows || !columns) return;
    hol__sheet *sheet = hol__answer_sheet(answer, name, title, columns);
    for (int j = 0; j < columns; j++) {
        char number[16];
        snprintf(number, sizeof number, "%d", j + 1);
        hol__sheet_column(sheet, j,
                          columns == 1   ? name
                          : column_names ? column_names[j]
                                         : number,
                          "");
    }
    for (int i = 0; i < rows; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", i + 1);
        hol__sheet_add(sheet, row_names ? row_names[i] : number);
        if (columns == 1) hol__sheet_row_unit(sheet, i, "");
        for (int j = 0; j < columns; j++) {
            const hol__sym x = entries[i * columns + j];
            hol__sheet_formula(sheet, i, j, written(e, x, 0), written(e, x, 1));
        }
    }
    if (columns > 1) hol__sheet_matrix(sheet);
}

/* ---- the equations, written out ---- */

/* A symbol for the acceleration of velocity i: x' -> x'', w -> w'. */
static hol__sym acceleration(hol__equations *e, int i) {
    const hol__sym_symbol v = e->a->symbols[e->to.v[i]->symbol];
    char name[300], latex[400];
    snprintf(name, sizeof name, "%s'", v.name);
    if (strncmp(v.latex, "\\dot{", 5) == 0)
        snprintf(latex, sizeof latex, "\\ddot{%s", v.latex + 5);
    else {
        const int letter = (int)strcspn(v.latex, "_");
        snprintf(latex, sizeof latex, "\\dot{%.*s}%s", letter, v.latex, v.latex + letter);
    }
    return hol__sym_new(e->a, name, latex, HOL__SYM_ACCELERATION);
}

static hol__sym multiplier(hol__equations *e, int i) {
    char name[40], latex[40];
    snprintf(name, sizeof name, "lambda_%d", i + 1);
    snprintf(latex, sizeof latex, "\\lambda_{%d}", i + 1);
    return hol__sym_new(e->a, name, latex, HOL__SYM_ACCELERATION);
}

/* "left = right" as the only entry of a row. */
static void add_equation(hol__equations *e, hol__sheet *sheet, int i, const char *name,
                         hol__sym left, hol__sym right) {
    hol__sheet_add(sheet, name);
    hol__sheet_row_unit(sheet, i, "");
    const char *text = hol__arena_format(&e->a->arena, "%s = %s", written(e, left, 0),
                                         written(e, right, 0)),
               *latex = hol__arena_format(&e->a->arena, "%s = %s", written(e, left, 1),
                                          written(e, right, 1));
    hol__sheet_formula(sheet, i, 0, text ? text : "", latex ? latex : "");
}

static void tell_motion(hol__equations *e, hol_answer *answer, const char *const *velocities) {
    hol__algebra *a = e->a;
    const int n = e->nv, m = e->m;
    hol__sym *acc = HOL__NEW_N(&a->arena, hol__sym, n + 1),
             *lambda = HOL__NEW_N(&a->arena, hol__sym, m + 1),
             *terms = HOL__NEW_N(&a->arena, hol__sym, n + m + 1);
    if (!acc || !lambda || !terms || !n) return;
    for (int i = 0; i < n; i++) acc[i] = acceleration(e, i);
    for (int i = 0; i < m; i++) lambda[i] = multiplier(e, i);
    hol__sheet *sheet =
        hol__answer_sheet(answer, "motion", "the equations of motion, M v' + A^T lambda = Q", 1);
    hol__sheet_column(sheet, 0, "equation", "");
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) terms[j] = hol__sym_mul(a, e->M[i * n + j], acc[j]);
        for (int k = 0; k < m; k++) terms[n + k] = hol__sym_mul(a, e->A[k * n + i], lambda[k]);
        add_equation(e, sheet, i, velocities[i], hol__sym_sum(a, n + m, terms), e->Q[i]);
    }
}

static void tell_constraints(hol__equations *e, hol_answer *answer, const char *const *rows) {
    if (!e->m) return;
    hol__sheet *sheet = hol__answer_sheet(answer, "constraints",
                                          "the constraints: Phi = 0, on velocities A v - b = 0", 1);
    hol__sheet_column(sheet, 0, "equation", "");
    for (int i = 0; i < e->m; i++)
        add_equation(e, sheet, i, rows[i],
                     i < e->mh ? e->Phi[i] : hol__sym_shorten(e->a, e->to.psi[i]), e->a->zero);
}

/* ---- symbols ---- */

/* Mark the symbols of an expression. seen: by node. */
static void mark(hol__sym x, unsigned char *seen, unsigned char *used) {
    if (!x || seen[x->id]) return;
    seen[x->id] = 1;
    if (x->kind == HOL__SYM_SYMBOL) used[x->symbol] = 1;
    for (int i = 0; i < x->n; i++) mark(x->arg[i], seen, used);
}

/* By symbol: whether the equations have it, or a definition of one that they have. NULL without
 * memory. */
static const unsigned char *find_used(hol__equations *e) {
    const struct {
        const hol__sym *x;
        int n;
    } all[] = {{e->M, e->nv * e->nv}, {e->Q, e->nv}, {e->A, e->m * e->nv}, {e->to.psi, e->m},
               {e->b, e->m},          {e->c, e->m},  {e->Phi, e->mh}};
    unsigned char *seen = HOL__NEW_N(&e->a->arena, unsigned char, e->a->n_nodes + 1),
                  *used = HOL__NEW_N(&e->a->arena, unsigned char, e->a->n_symbols + 1);
    if (!seen || !used) return NULL;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (int i = 0; i < all[k].n; i++) mark(all[k].x[i], seen, used);
    for (int i = e->n_derived - 1; i >= 0; i--) /* definitions have earlier symbols */
        if (used[i] && e->to.source[i].kind == HOL__SYMBOLIC_DEFINED)
            mark(e->to.source[i].is, seen, used);
    for (int round = 0; round < e->n_names; round++) /* parameters in any order */
        for (int i = 0; i < e->n_names; i++)
            if (e->definition[i] && used[e->values[i]->symbol]) mark(e->definition[i], seen, used);
    return used;
}

/* Parameters and other numbers with symbols: their values. */
static void tell_symbols(hol__equations *e, const unsigned char *used, hol_answer *answer) {
    hol__sheet *sheet = NULL;
    for (int i = 0; i < e->n_derived; i++) {
        const hol__symbolic_source *s = &e->to.source[i];
        const hol__sym_symbol *symbol = &e->a->symbols[i];
        const int own = s->kind == HOL__SYMBOLIC_OWN,
                  parameter = s->kind == HOL__SYMBOLIC_NONE && symbol->what == HOL__SYM_PARAMETER;
        if (!used[i] || (!own && !parameter)) continue;
        if (!sheet) {
            sheet =
                hol__answer_sheet(answer, "symbols", "symbols and their values, in SI units", 1);
            hol__sheet_column(sheet, 0, "value", "");
        }
        double *row = hol__sheet_add(sheet, symbol->name);
        if (row) *row = own ? s->own[0] : e->numbers.sample[0][i];
    }
}

/* What stands for an expression, and parameters that follow from others. */
static void tell_definitions(hol__equations *e, const unsigned char *used, hol_answer *answer) {
    hol__sheet *sheet = NULL;
    int n = 0;
    for (int i = 0; i < e->n_names + e->n_derived; i++) {
        const int symbol = i < e->n_names ? -1 : i - e->n_names;
        const hol__sym left = symbol < 0 ? e->values[i] : e->a->symbols[symbol].node;
        const hol__sym right = symbol < 0 ? e->definition[i]
                               : e->to.source[symbol].kind == HOL__SYMBOLIC_DEFINED
                                   ? e->to.source[symbol].is
                                   : NULL;
        if (!left || !right || left->kind != HOL__SYM_SYMBOL || !used[left->symbol]) continue;
        if (!sheet) {
            sheet = hol__answer_sheet(answer, "definitions", "what symbols stand for", 1);
            hol__sheet_column(sheet, 0, "definition", "");
        }
        add_equation(e, sheet, n++, NULL, left, right);
    }
}

/* Symbols that only words explain. */
static void tell_notes(hol__equations *e, const unsigned char *used, hol_answer *answer) {
    for (int i = 0; i < e->n_derived; i++) {
        const char *note = e->to.source[i].note;
        char key[300];
        if (!note || !used[i]) continue;
        snprintf(key, sizeof key, "note_%s", e->a->symbols[i].name);
        hol__answer_text(answer, key, e->a->symbols[i].name, "%s", note);
    }
}

/* ---- the answer ---- */

static void tell_facts(hol__equations *e, hol_sim *sim, hol_answer *answer) {
    hol_model_info about = {.size = sizeof about};
    hol_sim_info info = {.size = sizeof info};
    hol_model_describe(e->to.model, &about);
    hol_sim_describe(sim, &info);
    hol__answer_text(answer, "coordinates", "coordinates", "%s", about.coordinates);
    hol__tell_reversed(answer, e->to.model);
    hol__answer_text(answer, "method", "method", "%s", info.method);
    hol__answer_number(answer, "velocities", "velocities", e->nv, "");
    hol__answer_number(answer, "constraints", "constraints", e->m, "");
    hol__answer_number(answer, "operations", "operations", (double)hol__symbolic_operations(e), "");
    if (e->fixed)
        hol__answer_text(answer, "parameters", "parameters",
                         "kept as numbers: with other values near their own the model has other "
                         "coordinates or constraints");
    hol__answer_text(answer, "checked", "checked",
                     "against the numbers of the library at %d states with %d set%s of parameters: "
                     "largest difference %.1g",
                     e->states, e->n_models, e->n_models == 1 ? "" : "s", e->worst);
}

/* Names of velocities and rows as the other tables of `equations` have them. */
static const char **names_of(hol__equations *e, int rows) {
    const int n = rows ? e->m : e->nv;
    const char **out = HOL__NEW_N(&e->a->arena, const char *, n + 1);
    for (int i = 0; out && i < n; i++) {
        char name[300];
        if (rows)
            hol__equations_row_name(e->to.model, i, name, sizeof name);
        else
            hol_model_velocity_name(e->to.model, i, name, sizeof name);
        out[i] = hol__arena_text(&e->a->arena, name);
    }
    return out;
}

static hol_status tell(hol__equations *e, hol_sim *sim, hol_answer *answer) {
    const char *const *v = (const char *const *)names_of(e, 0), *const *rows =
                                                                    (const char *const *)names_of(
                                                                        e, 1);
    const unsigned char *used = find_used(e);
    if (!v || !rows || !used) return HOL_ERR_MEMORY;
    const int n = e->nv, m = e->m;
    tell_facts(e, sim, answer);
    hol__tell_solved(answer, sim);
    tell_notes(e, used, answer);
    tell_motion(e, answer, v);
    tell_constraints(e, answer, rows);
    tell_symbols(e, used, answer);
    tell_definitions(e, used, answer);
    hol__symbolic_table(e, answer, "M", "M, the mass matrix", n, n, e->M, v, v);
    hol__symbolic_table(e, answer, "Q", "Q, the forces and what velocities add to them", n, 1, e->Q,
                        v, NULL);
    hol__symbolic_table(e, answer, "A", "A, the Jacobian of the constraints", m, n, e->A, rows, v);
    hol__symbolic_table(e, answer, "Phi", "Phi, the constraints", e->mh, 1, e->Phi, rows, NULL);
    hol__symbolic_table(e, answer, "b", "b, A v = b", m, 1, e->b, rows, NULL);
    hol__symbolic_table(e, answer, "c", "c, A v' = c", m, 1, e->c, rows, NULL);
    hol__symbolic_system(e, sim, answer);
    return e->a->status;
}

static hol_status too_long(hol__equations *e) {
    return hol__report(
        e->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, NULL,
        "the formulas of this model are too long to be read: more than %d operations, %d pages of "
        "print; use other coordinates (reference: short terms; relative: few equations), a model "
        "with fewer bodies or simpler numbers, or 'holonom equations' without --symbolic",
        OPERATIONS_A_PAGE * PAGES, PAGES);
}

/* Everything but the answer's end. */
static hol_status find(hol__equations *e, const hol_spec *spec, const hol_model *model,
                       hol_sim *sim, hol_answer *answer) {
    hol_status status = hol__symbolic_models(e, spec, model);
    if (!status) {
        e->models[0] = NULL;
        const hol_model **all = HOL__NEW_N(&e->a->arena, const hol_model *, e->n_models);
        if (!all) return HOL_ERR_MEMORY;
        for (int k = 0; k < e->n_models; k++) all[k] = k ? e->models[k] : model;
        e->to.models = all;
        e->to.n_models = e->n_models;
        status = hol__symbolic_derive(e);
    }
    if (e->a->status == HOL_ERR_ARGUMENT) return too_long(e);
    if (!status) status = hol__symbolic_check(e);
    if (!status) status = tell(e, sim, answer);
    return !status && e->a->arena.failed ? HOL_ERR_MEMORY : status;
}

/* Formulas are those of all elements together: say which of them do not act at the start. */
static void note_switched(hol_context *ctx, hol_sim *sim) {
    const hol_model *m = hol_data_model(hol_sim_data(sim));
    for (int i = 0; i < m->n_joints + m->n_forces; i++) {
        const hol__element *e = i < m->n_joints ? &m->joints[i] : &m->forces[i - m->n_joints];
        if (e->off && !e->rigid)
            hol__report(ctx, HOL_NOTE, HOL_OK, &e->where, e->label,
                        "does not act at the start; its formulas are those of when it acts");
    }
}

hol_status hol_equations_symbolic(hol_context *ctx, const hol_spec *spec,
                                  const hol_symbolic_options *how, hol_answer **out) {
    static const char call[] = "hol_equations_symbolic";
    if (!ctx || hol__need(ctx, call, "the description", spec) ||
        hol__need(ctx, call, "the answer", out))
        return HOL_ERR_ARGUMENT;
    *out = NULL;
    hol_options *options = NULL;
    hol_model *model = hol_model_from_spec(ctx, spec, &options);
    hol_sim *sim = model ? hol_sim_new(ctx, model, options) : NULL;
    hol_status status = sim ? HOL_OK : hol__why_not_made(ctx);
    hol__equations e = {
        .ctx = ctx, .most = OPERATIONS_A_PAGE * PAGES, .quiet = hol__context_like(ctx)};
    hol_answer *answer = NULL;
    if (!status && e.quiet) {
        e.a = hol__algebra_new(ctx, NODES);
        answer = hol__answer_of(ctx, "equations", "equations of motion, as formulas,", model->name);
    }
    if (!status && (!e.a || !answer)) status = HOL_ERR_MEMORY;
    if (!status) {
        e.to = (hol__symbolic){
            .a = e.a, .model = model, .numbers = &e.numbers, .name_all = how && how->name_all};
        status = find(&e, spec, model, sim, answer);
        if (!status) note_switched(ctx, sim);
    }
    if (answer) status = hol__answer_finish(answer, status, out);
    for (int k = 1; k < e.n_models; k++) hol_model_free(e.models[k]);
    hol__algebra_free(e.a);
    hol_context_free(e.quiet);
    hol_sim_free(sim);
    hol_options_free(options);
    hol_model_free(model);
    return status;
}

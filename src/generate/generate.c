/* generate.c: code for one mechanism: made, checked, written. See holonom/generate.h. */
#include <holonom/generate.h>

#include "base/answer.h"
#include "base/argument.h"
#include "generate/folder.h"
#include "generate/held.h"
#include "generate/making.h"

/* ---- the answer ---- */

/* The measured columns that the code does not compute, by name. */
static void tell_left_out(hol__making *g, hol_answer *answer) {
    const hol__program *p = &g->program;
    hol__text names;
    hol__text_init(&names, g->ctx);
    for (int i = 0; i < p->model->n_columns; i++)
        if (p->column[i] < 0)
            hol__text_add(&names, "%s%s", names.length ? ", " : "", p->model->columns[i].name);
    if (names.length && !names.failed)
        hol__answer_text(answer, "left_out", "measures left out",
                         "%s: the code does not compute them", names.data);
    hol__text_free(&names);
}

static void tell(hol__making *g, hol_answer *answer) {
    const hol__program *p = &g->program;
    const hol__gcode *c = &g->code;
    hol__answer_text(answer, "folder", "folder", "%s", g->how->folder);
    hol__answer_text(answer, "name", "name", "%s", c->name);
    hol__answer_text(answer, "integrator", "integrator", "%s: %s", c->formula.name,
                     c->formula.title);
    hol__answer_number(answer, "coordinates", "coordinates", p->model->nq, "");
    hol__answer_number(answer, "velocities", "velocities", p->model->nv, "");
    hol__answer_number(answer, "constraints", "constraints", p->model->m, "");
    hol__answer_number(answer, "independent", "independent constraints", p->n_kept, "");
    hol__answer_number(answer, "operations", "operations of an evaluation",
                       (double)c->rhs_operations, "");
    if (p->model->m)
        hol__answer_number(answer, "projection", "operations of a projection",
                           (double)c->project_operations, "");
    hol__answer_number(answer, "outputs", "outputs", c->n_outputs, "");
    tell_left_out(g, answer);
    hol__answer_text(answer, "checked", "checked",
                     "against the library at %d states: largest difference %.1g", 2 * g->states.n,
                     p->worst);
}

/* ---- files ---- */

typedef hol_status file_fn(hol__gcode *c, hol__text *out);

static hol_status write_files(hol__making *g) {
    const struct {
        const char *ending; /* behind the name; or the whole, where it is a name itself */
        int whole;
        file_fn *write;
    } rows[] = {{".c", 0, hol__gcode_source},
                {".h", 0, hol__gcode_header},
                {"test.c", 1, hol__gcode_test},
                {"Makefile", 1, hol__gcode_makefile},
                {"README.md", 1, hol__gcode_readme},
                {"_lanes.h", 0, hol__gcode_lanes_header},
                {"_lanes.c", 0, hol__gcode_lanes_source}};
    enum { FILES = sizeof rows / sizeof *rows };
    const int n = g->code.lanes ? FILES : FILES - 2;
    hol__gfile files[FILES];
    hol_status status = HOL_OK;
    for (int i = 0; i < FILES; i++) {
        hol__text_init(&files[i].text, g->ctx);
        files[i].name =
            hol__arena_format(&g->arena, "%s%s", rows[i].whole ? "" : g->code.name, rows[i].ending);
        if (!status && i < n) status = rows[i].write(&g->code, &files[i].text);
        if (!files[i].name || files[i].text.failed) status = HOL_ERR_MEMORY;
    }
    if (!status) status = hol__gfolder_write(g->ctx, g->how->folder, n, files);
    for (int i = 0; i < FILES; i++) hol__text_free(&files[i].text);
    return status;
}

/* ---- all ---- */

hol_status hol_generate(hol_context *ctx, const hol_spec *spec, const hol_generate_options *how,
                        hol_answer **out) {
    static const char call[] = "hol_generate";
    if (!ctx || hol__need(ctx, call, "the description", spec) ||
        hol__need(ctx, call, "the options", how) ||
        hol__need(ctx, call, "the folder", how->folder) || hol__need(ctx, call, "the answer", out))
        return HOL_ERR_ARGUMENT;
    *out = NULL;
    hol_message_clear(ctx);
    if (how->lanes != 0 && how->lanes != 4 && how->lanes != 8)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "%d lanes: there are 4, 8 or none", how->lanes);
    hol_spec *held;
    hol_status status = hol__held_spec(ctx, spec, &held);
    if (status) return status;
    hol__making g;
    status = hol__making_open(&g, ctx, held ? held : spec, how);
    hol_answer *answer =
        status ? NULL : hol__answer_of(ctx, "generate", "generated code", g.model->name);
    if (!status) status = answer ? write_files(&g) : HOL_ERR_MEMORY;
    if (!status) tell(&g, answer);
    if (answer) status = hol__answer_finish(answer, status, out);
    hol__making_close(&g);
    hol_spec_free(held);
    return status;
}

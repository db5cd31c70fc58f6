/* source.c: the source file of generated code: the functions of the equations, written out.
 *
 *     derivative   t, q, v -> v'
 *     onto         t, q, v -> Phi, and the steps dq, dv of a projection
 *     outputs      t, q, v -> columns of measures
 *     angles       t, q -> followed angles
 *
 * and, for code that a run of the library loads, the accelerations with the power.
 */
#include "generate/files.h"

#include <stdio.h>
#include <string.h>

/* One function: its results, and names of the arrays that it fills. */
typedef struct function {
    const char *name, *doc, *arguments;
    const char *first; /* a statement before all others, or NULL */
    int known;         /* it is given sines and cosines */
    int n, capacity;
    hol__emitted *results;
    long operations;
} function;

typedef struct source {
    hol__gcode *c;
    hol__arena arena;
    hol__emit emit;
    int with_power; /* accelerations come with it */
} source;

static void add(source *s, function *f, hol__ref node, const char *format, const char *name,
                int i) {
    hol__emitted *grown =
        hol__arena_grow(&s->arena, f->results, sizeof *grown, f->n, &f->capacity, f->n + 1);
    if (!grown) return;
    f->results = grown;
    grown[f->n++] = (hol__emitted){hol__arena_format(&s->arena, format, name, i), node};
}

static void add_all(source *s, function *f, const char *name, int n, const hol__ref *nodes) {
    for (int i = 0; i < n; i++) add(s, f, nodes[i], "%s[%d]", name, i);
}

/* "(void)v;" for arguments that no statement reads. */
static void unused(const source *s, hol__text *out) {
    const hol__program *p = s->c->program;
    const hol__dag_node *nodes = p->dag.nodes;
    const struct {
        const char *name;
        const hol__ref *refs;
        int n;
    } all[] = {{"t", &p->t, 1},
               {"q", p->q, p->model->nq},
               {"v", p->v, p->model->nv},
               {"angle", p->near, p->model->n_angles},
               {"in", p->parameter_ref, p->n_parameters}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        int any = 0;
        for (int i = 0; i < all[k].n; i++)
            any |= all[k].refs[i] >= 0 && s->emit.used[nodes[all[k].refs[i]].index];
        if (!any) hol__text_add(out, "    (void)%s;\n", all[k].name);
    }
}

static hol_status write_function(source *s, function *f, int returns, hol__text *out) {
    const int lanes = s->emit.lanes;
    hol__text body;
    hol__text_init(&body, out->ctx);
    memset(s->emit.used, 0, (size_t)s->c->program->dag.n_inputs + 1);
    s->emit.operations = s->emit.loops = 0;
    s->emit.known = f->known ? s->c->known_at : NULL;
    const hol_status status = hol__emit_body(&s->emit, f->n, f->results, &body);
    f->operations = s->emit.operations;
    hol__text_add(out, "/* %s %ld operations. */\n", f->doc, f->operations);
    /* vectors go through memory: how they are handed over by value depends on the processor */
    hol__text_add(out,
                  "static %s %s(%s, const real *q, const real *v, const real *angle,\n"
                  "    const ",
                  returns && !lanes ? "real" : "void", f->name, lanes ? "const real *t" : "real t");
    hol__gcode_put(s->c, out, lanes ? "real" : "@name@_inputs");
    hol__text_add(out, " *in%s%s%s) {\n", f->known ? ", const real *known" : "", f->arguments,
                  returns && lanes ? ", real *good" : "");
    if (returns) hol__text_add(out, "    real regular;\n");
    if (s->emit.loops) hol__text_add(out, "    int lane;\n");
    if (f->first) hol__text_add(out, "%s", f->first);
    unused(s, out);
    if (f->known && !(body.data && strstr(body.data, "known[")))
        hol__text_add(out, "    (void)known;\n");
    if (body.data) hol__text_add_n(out, body.data, body.length);
    hol__text_add(out, !returns ? "}\n\n"
                       : lanes  ? "    *good = regular;\n}\n\n"
                                : "    return regular;\n}\n\n");
    hol__text_free(&body);
    return status || out->failed ? HOL_ERR_MEMORY : HOL_OK;
}

/* The accelerations by one of the two solutions. */
static hol_status write_derivative(source *s, const char *name, const hol__gresults *r,
                                   hol__text *out, long *operations) {
    function f = {.name = name,
                  .doc = "The accelerations; 1 while the factorisations keep their digits.",
                  .arguments = s->with_power ? ", real *vdot, real *power" : ", real *vdot",
                  .known = s->c->n_known > 0};
    add_all(s, &f, "vdot", s->c->program->model->nv, r->vdot);
    if (s->with_power) add(s, &f, r->power, "%s[%d]", "power", 0);
    add(s, &f, r->regular, "%s", "regular", 0);
    const hol_status status = write_function(s, &f, 1, out);
    *operations = f.operations;
    return status;
}

static hol_status write_onto(source *s, const char *name, const hol__gresults *r, hol__text *out,
                             long *operations) {
    const hol__program *p = s->c->program;
    function f = {.name = name,
                  .doc = "Phi, and the steps dq onto Phi = 0 and dv onto A v = b.",
                  .arguments = ", real *Phi, real *dq, real *dv",
                  .known = s->c->n_known > 0,
                  .first = p->model->mh ? NULL : "    (void)Phi;\n"};
    add_all(s, &f, "Phi", p->model->mh, p->Phi);
    add_all(s, &f, "dq", p->model->nv, r->dq);
    add_all(s, &f, "dv", p->model->nv, r->dv);
    add(s, &f, r->dq_regular, "%s", "regular", 0);
    const hol_status status = write_function(s, &f, 1, out);
    *operations = f.operations;
    return status;
}

/* Sines and cosines of the coordinates. */
static hol_status write_known(source *s, hol__text *out) {
    function f = {.name = "know",
                  .doc = "Sines and cosines of the coordinates.",
                  .arguments = ", real *known"};
    if (!s->c->n_known) return HOL_OK;
    for (int i = 0; i < s->c->n_known; i++) add(s, &f, s->c->known[i], "%s[%d]", "known", i);
    return write_function(s, &f, 0, out);
}

/* The equations: by a choice of velocities, and where that has no digits by the other way. */
static hol_status write_equations(source *s, hol__text *out) {
    static const char both[] =
        "static real derivative(real t, const real *q, const real *v, const real *angle,\n"
        "    const @name@_inputs *in@, const real *known@, real *vdot) {\n"
        "    if (derivative_fast(t, q, v, angle, in@, known@, vdot) != 0.0) return 1.0;\n"
        "    return derivative_safe(t, q, v, angle, in@, known@, vdot);\n}\n\n"
        "static real onto(real t, const real *q, const real *v, const real *angle,\n"
        "    const @name@_inputs *in@, const real *known@, real *Phi, real *dq, real *dv) {\n"
        "    if (onto_fast(t, q, v, angle, in@, known@, Phi, dq, dv) != 0.0) return 1.0;\n"
        "    return onto_safe(t, q, v, angle, in@, known@, Phi, dq, dv);\n}\n\n";
    const hol__program *p = s->c->program;
    hol__gcode *c = s->c;
    long other = 0, *told = s->emit.lanes ? &other : &c->rhs_operations,
         *told_too = s->emit.lanes ? &other : &c->project_operations;
    const int two = p->partitioned;
    hol_status status = write_known(s, out);
    if (!status)
        status = write_derivative(s, two ? "derivative_safe" : "derivative", &p->safe, out,
                                  two ? &other : told);
    if (!status && p->model->m)
        status = write_onto(s, two ? "onto_safe" : "onto", &p->safe, out, two ? &other : told_too);
    if (!status && two) status = write_derivative(s, "derivative_fast", &p->fast, out, told);
    if (!status && two) status = write_onto(s, "onto_fast", &p->fast, out, told_too);
    if (!status && two && !s->emit.lanes) hol__gcode_put(c, out, both);
    return status;
}

static hol_status write_outputs(source *s, hol__text *out) {
    const hol__program *p = s->c->program;
    function f = {.name = "measure", .doc = "The outputs.", .arguments = ", real *out"};
    if (!s->c->n_outputs) return HOL_OK;
    for (int i = 0; i < s->c->n_outputs; i++)
        add(s, &f, p->column[s->c->column[i]], "%s[%d]", "out", i);
    return write_function(s, &f, 0, out);
}

static hol_status write_angles(source *s, hol__text *out) {
    const hol__program *p = s->c->program;
    function f = {.name = "follow",
                  .doc = "The angles that are followed over full turns, from those before.",
                  .arguments = ", real *now"};
    if (!s->c->n_near) return HOL_OK;
    for (int i = 0; i < s->c->n_near; i++) add(s, &f, p->angle[s->c->near[i]], "%s[%d]", "now", i);
    return write_function(s, &f, 0, out);
}

/* All functions of a state, or of lanes. */
static hol_status write_all(source *s, hol__text *out) {
    const int lanes = s->emit.lanes;
    hol_status status = write_equations(s, out);
    if (!status && !lanes) status = write_outputs(s, out);
    return status || lanes ? status : write_angles(s, out);
}

/* The accelerations alone, with the power. */
static hol_status write_rates(source *s, hol__text *out) {
    const hol__program *p = s->c->program;
    long operations;
    s->with_power = 1;
    hol_status status = write_known(s, out);
    if (!status) status = write_derivative(s, "derivative_safe", &p->safe, out, &operations);
    if (!status && p->partitioned)
        status = write_derivative(s, "derivative_fast", &p->fast, out, &operations);
    return status;
}

/* Functions, behind what they need. */
static hol_status write_functions(hol__gcode *c, int lanes,
                                  hol_status (*write)(source *s, hol__text *out), hol__text *out) {
    const hol__program *p = c->program;
    source s = {
        .c = c,
        .emit = {.dag = &p->dag, .inputs = lanes ? c->lane_inputs : c->inputs, .lanes = lanes}};
    hol__text functions;
    hol__arena_init(&s.arena, out->ctx);
    hol__text_init(&functions, out->ctx);
    s.emit.used = HOL__NEW_N(&s.arena, unsigned char, p->dag.n_inputs + 1);
    hol_status status = s.emit.used ? write(&s, &functions) : HOL_ERR_MEMORY;
    if (!status) {
        hol__emit_helpers(&s.emit, out);
        hol__text_add_n(out, functions.data, functions.length);
    }
    if (s.arena.failed || functions.failed || out->failed) status = HOL_ERR_MEMORY;
    hol__text_free(&functions);
    hol__arena_free(&s.arena);
    return status;
}

hol_status hol__gcode_equations(hol__gcode *c, int lanes, hol__text *out) {
    return write_functions(c, lanes, write_all, out);
}

hol_status hol__gcode_rate_functions(hol__gcode *c, hol__text *out) {
    return write_functions(c, 0, write_rates, out);
}

hol_status hol__gcode_source(hol__gcode *c, hol__text *out) {
    hol__gcode_put(c, out, "/* @name@.c: generated by holonom from '");
    hol__gcode_comment(out, c->model);
    hol__gcode_put(c, out, "'. See @name@.h. */\n#include \"@name@.h\"\n\n#include <math.h>\n\n");
    hol__text_add(out, "typedef double real;\n\n");
    const hol_status status = hol__gcode_equations(c, 0, out);
    return status ? status : hol__gcode_step(c, out);
}

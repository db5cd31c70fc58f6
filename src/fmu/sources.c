/* sources.c: a description as an FMU of sources: C99 that any compiler builds.
 *
 *     modelDescription.xml
 *     sources/NAME_mechanism.c, .h     the equations (src/generate/)
 *     sources/model.c, model.h         its variables: the table, and one call for each thing asked
 *     sources/exports.h                names of functions
 *     sources/…                        the interface of the standard, the same in every FMU
 *     sources/buildDescription.xml     (FMI 3.0)
 *     documentation/index.html
 *
 * The table is that of the model in relative coordinates without what the code does not compute:
 *
 *     time | parameters | inputs | outputs | x = (q, v) | x'
 */
#include "base/arena.h"
#include "common/format.h"
#include "fmu/making.h"
#include "fmu/texts.h"
#include "fmu/xml.h"
#include "generate/parts.h"

#include <holonom/document.h>

#include <math.h>
#include <string.h>

/* What belongs to an FMU of sources alone. */
typedef struct writing {
    hol__fmu_making *m;
    hol__arena arena;
    hol_spec *spec; /* with the inputs */
    hol_model *model;
    hol_sim *sim;
    hol__gparts parts;
    int n_values; /* parameters that can be set, then inputs: their names in the model */
    const char **values;
    hol__text left_out, files, exports, model_h, model_c, build;
} writing;

/* ---- the mechanism ---- */

/* The model in the coordinates of the code, and its state at the start. */
static hol_status compile(writing *w, const hol_spec *spec, const hol_fmu_options *how) {
    hol_context *ctx = w->m->ctx;
    w->spec = hol__fmu_with_inputs(ctx, spec, how->n_inputs, how->inputs);
    hol_options *given = w->spec ? hol_options_from_spec(ctx, w->spec) : NULL;
    hol_options *options = given ? hol__gparts_options(ctx, given) : NULL;
    if (options) w->model = hol_model_compile(ctx, w->spec, "relative");
    if (w->model) w->sim = hol_sim_new(ctx, w->model, options);
    hol_options_free(options);
    hol_options_free(given);
    return w->sim ? HOL_OK : HOL_ERR_INPUT;
}

/* The names of what can be set. */
static hol_status list_values(writing *w, const hol_fmu_options *how) {
    int n = how->n_tunables, column;
    for (int i = 0; hol_model_input(w->model, i) >= 0; i++) n++;
    w->values = HOL__NEW_N(&w->arena, const char *, n + 1);
    if (!w->values) return HOL_ERR_MEMORY;
    for (int i = 0; i < how->n_tunables; i++) w->values[w->n_values++] = how->tunables[i];
    for (int i = 0; (column = hol_model_input(w->model, i)) >= 0; i++)
        w->values[w->n_values++] = hol_model_measure(w->model, column)->name;
    return HOL_OK;
}

static hol_status generate(writing *w) {
    const hol_generate_options code = {.size = sizeof code,
                                       .name =
                                           hol__arena_format(&w->arena, "%s_mechanism", w->m->name),
                                       .n_parameters = w->n_values,
                                       .parameters = w->values};
    if (w->arena.failed) return HOL_ERR_MEMORY;
    const hol_status status = hol__gparts_make(w->m->ctx, w->spec, &code, &w->parts);
    w->m->step = w->parts.step;
    return status;
}

/* A run of the library ends there; one of the code does not. */
static void warn_of_stop(writing *w) {
    if (hol_item_find(hol_spec_root(w->spec), "stop_when"))
        hol__report(w->m->ctx, HOL_WARNING, HOL_OK, NULL, "FMU",
                    "stop_when is left out: generated code does not end a run by itself");
}

/* ---- the table ---- */

static int index_of(const char *const *list, int n, const char *name) {
    for (int i = 0; i < n; i++)
        if (strcmp(list[i], name) == 0) return i;
    return -1;
}

/* The row as the code has it; 0 where it does not. */
static int adapt(writing *w, hol__fmu_variable *row) {
    const hol__gparts *p = &w->parts;
    const char *name = NULL;
    if (row->kind == HOL__FMU_PARAMETER || row->kind == HOL__FMU_CALCULATED)
        name = hol_model_parameter(w->model, row->index)->name;
    if (row->kind == HOL__FMU_INPUT || row->kind == HOL__FMU_OUTPUT)
        name = hol_model_measure(w->model, row->index)->name;
    switch (row->kind) {
    case HOL__FMU_PARAMETER:
    case HOL__FMU_CALCULATED:
        if (index_of(p->following, p->n_following, name) >= 0) return 0;
        row->index = index_of(w->values, w->n_values, name);
        row->kind = row->index >= 0 ? HOL__FMU_TUNABLE : HOL__FMU_CONSTANT;
        if (row->kind == HOL__FMU_CONSTANT) row->doc = "parameter of the model, a number here";
        return 1;
    case HOL__FMU_INPUT: return (row->index = index_of(w->values, w->n_values, name)) >= 0;
    case HOL__FMU_OUTPUT:
        row->index = index_of(p->columns, p->n_outputs, name);
        if (row->index >= 0) return 1;
        hol__text_add(&w->left_out, "%s%s", w->left_out.length ? ", " : "", name);
        w->m->n_left_out++;
        return 0;
    case HOL__FMU_STATE:
    case HOL__FMU_RATE: return row->index < p->n_q + p->n_v;
    default: return row->kind == HOL__FMU_TIME;
    }
}

/* Where each kind of row begins, behind the one before it. */
static void count_rows(hol__fmu_table *t, int n_states) {
    int at[4] = {0};
    for (int i = 0; i < t->n; i++) {
        const hol__fmu_kind kind = t->rows[i].kind;
        at[0] += kind == HOL__FMU_TIME;
        at[1] += kind == HOL__FMU_CONSTANT || kind == HOL__FMU_TUNABLE;
        at[2] += kind == HOL__FMU_INPUT;
        at[3] += kind == HOL__FMU_OUTPUT;
    }
    t->first_parameter = at[0];
    t->first_input = t->first_parameter + at[1];
    t->first_output = t->first_input + at[2];
    t->first_state = t->first_output + at[3];
    t->first_rate = t->first_state + n_states;
    t->first_condition = t->n;
    t->n_inputs = at[2];
    t->n_outputs = at[3];
    t->n_states = n_states;
    t->n_conditions = 0;
    t->exchanges = 1;
}

static hol_status make_table(writing *w) {
    hol__fmu_table *t = &w->m->table;
    hol_status status = hol__fmu_table_make(w->m->ctx, w->spec, w->sim, NULL, t);
    int n = 0;
    if (status) return status;
    for (int i = 0; i < t->n; i++) {
        hol__fmu_variable row = t->rows[i];
        if (adapt(w, &row)) t->rows[n++] = row;
    }
    t->n = n;
    count_rows(t, w->parts.n_q + w->parts.n_v);
    const char *code =
        hol__arena_format(&w->arena, "%s, steps of %.17g s", w->parts.integrator, w->parts.step);
    if (!code) return HOL_ERR_MEMORY;
    hol__fmu_table_sign(t, w->model, code);
    if (w->left_out.failed) return HOL_ERR_MEMORY;
    if (w->left_out.length)
        hol__report(w->m->ctx, HOL_WARNING, HOL_OK, NULL, "FMU",
                    "measures that generated code does not compute are left out: %s",
                    w->left_out.data);
    return HOL_OK;
}

/* ---- model.h ---- */

/* A number as C has it. */
static void put(double x, hol__text *out) {
    char text[40];
    hol__print(text, sizeof text, "%.17g", x);
    hol__text_add(out, "%s%s", text, strpbrk(text, ".en") ? "" : ".0");
}

/* The shared file of that name. */
static const char *shared(const char *name) {
    const hol__fmu_text *file = hol__fmu_texts;
    while (file->name && strcmp(file->name, name) != 0) file++;
    return file->text;
}

static void write_model_h(writing *w) {
    const hol__gparts *p = &w->parts;
    const char *same = strstr(shared("model.h"), "/* ---- the same in every FMU ---- */");
    hol__text_add(&w->model_h,
                  "/* model.h: the mechanism of this FMU, as component.c asks for it. */\n"
                  "#ifndef FMU_MODEL_H\n#define FMU_MODEL_H\n\n"
                  "#include \"exports.h\"\n#include \"%s.h\"\n\n"
                  "enum {\n    FMU_VARIABLES = %d,\n    FMU_Q = %d,\n    FMU_V = %d,\n"
                  "    FMU_VALUES = %d,\n    FMU_OUTPUTS = %d\n};\n\n"
                  "typedef %s_state fmu_mechanism;\n\n%s",
                  p->name, w->m->table.n, p->n_q, p->n_v, w->n_values, p->n_outputs, p->name, same);
}

/* ---- model.c ---- */

static void write_rows(writing *w, hol__text *out) {
    static const char *const kinds[] = {
        [HOL__FMU_TIME] = "FMU_TIME",       [HOL__FMU_CONSTANT] = "FMU_CONSTANT",
        [HOL__FMU_TUNABLE] = "FMU_TUNABLE", [HOL__FMU_INPUT] = "FMU_INPUT",
        [HOL__FMU_OUTPUT] = "FMU_OUTPUT",   [HOL__FMU_STATE] = "FMU_STATE",
        [HOL__FMU_RATE] = "FMU_RATE"};
    hol__text_add(out, "const fmu_variable fmu_variables[] = {\n");
    for (int i = 0; i < w->m->table.n; i++) {
        const hol__fmu_variable *row = &w->m->table.rows[i];
        hol__text_add(out, "    {%s, %d, ", kinds[row->kind], row->index);
        put(isfinite(row->start) ? row->start : 0, out);
        hol__text_add(out, ", \"");
        for (const char *at = row->name; *at; at++)
            hol__text_add(out, *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
        hol__text_add(out, "\"},\n");
    }
    hol__text_add(out, "};\n\n");
}

static void write_constants(writing *w, hol__text *out) {
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"fmu_start_time", w->m->table.start},
                   {"fmu_longest_step", w->parts.step},
                   {"fmu_position_tolerance", w->parts.position_tolerance},
                   {"fmu_velocity_tolerance", w->parts.velocity_tolerance}};
    hol__text_add(out, "const char fmu_token[] = \"%s\";\n", w->m->table.token);
    for (int i = 0; i < 4; i++) {
        hol__text_add(out, "const double %s = ", numbers[i].name);
        put(numbers[i].value, out);
        hol__text_add(out, ";\n");
    }
}

/* Inputs of the code from the values that were set. */
static void write_give(const writing *w, hol__text *out) {
    const hol__gparts *p = &w->parts;
    hol__text_add(out,
                  "\nstatic %s_inputs give(const double *values) {\n    %s_inputs in;\n"
                  "    %s_defaults(&in);\n",
                  p->name, p->name, p->name);
    for (int i = 0; i < w->n_values; i++)
        hol__text_add(out, "    in.%s = values[%d];\n", p->parameters[i], i);
    hol__text_add(out, "%s    return in;\n}\n", w->n_values ? "" : "    (void)values;\n");
}

static const char make_unit[] =
    "\n/* Of length 1: an integrator of the importer's lets unit quaternions drift. */\n"
    "static void make_unit(double *p) {\n"
    "    const double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);\n"
    "    int i;\n    for (i = 0; i < 4; i++) p[i] /= length;\n}\n";

static void write_asked(const writing *w, hol__text *out) {
    const hol__gparts *p = &w->parts;
    const char *n = p->name;
    if (p->n_turns) hol__text_add(out, "%s", make_unit);
    hol__text_add(out,
                  "\nvoid fmu_model_start(fmu_mechanism *s) {\n    %s_start(s);\n}\n"
                  "\nint fmu_model_step(fmu_mechanism *s, const double *values, double h) {\n"
                  "    const %s_inputs in = give(values);\n    return %s_step(s, &in, h);\n}\n"
                  "\nint fmu_model_accelerations(const fmu_mechanism *s, const double *values,\n"
                  "                            double *vdot) {\n"
                  "    const %s_inputs in = give(values);\n"
                  "    return %s_derivative(s, &in, vdot);\n}\n"
                  "\nint fmu_model_project(fmu_mechanism *s, const double *values) {\n"
                  "    const %s_inputs in = give(values);\n",
                  n, n, n, n, n, n);
    for (int i = 0; i < p->n_turns; i++)
        hol__text_add(out, "    make_unit(s->q + %d);\n", p->turns[i][0]);
    hol__text_add(out, "    return %s_project(s, &in);\n}\n", n);
    hol__text_add(out, "\nvoid fmu_model_follow(fmu_mechanism *s, const double *values) {\n");
    if (p->n_angles)
        hol__text_add(out, "    const %s_inputs in = give(values);\n    %s_follow(s, &in);\n}\n", n,
                      n);
    else
        hol__text_add(out, "    (void)s, (void)values; /* nothing is followed */\n}\n");
    hol__text_add(out, "\nvoid fmu_model_outputs(const fmu_mechanism *s, const double *values, "
                       "double *out) {\n");
    if (p->n_outputs)
        hol__text_add(out,
                      "    const %s_inputs in = give(values);\n    %s_outputs all;\n"
                      "    %s_measure(s, &in, &all);\n",
                      n, n, n);
    else
        hol__text_add(out, "    (void)s, (void)values, (void)out; /* there are none */\n");
    for (int i = 0; i < p->n_outputs; i++)
        hol__text_add(out, "    out[%d] = all.%s;\n", i, p->outputs[i]);
    hol__text_add(out, "}\n");
}

/* q' = v, but for unit quaternions p, with the angular velocity u among v:
 * 2 p' = (-p.u, p0 u + p x u). */
static void write_velocities(const hol__gparts *p, hol__text *out) {
    hol__text_add(out, "\nvoid fmu_model_velocities(const fmu_mechanism *s, double *qdot) {\n"
                       "    const double *q = s->q, *v = s->v;\n");
    for (int i = 0, k = 0, turn = 0; i < p->n_q;) {
        if (turn == p->n_turns || p->turns[turn][0] != i) {
            hol__text_add(out, "    qdot[%d] = v[%d];\n", i++, k++);
            continue;
        }
        hol__text_add(out,
                      "    qdot[%d] = -0.5 * (q[%d] * v[%d] + q[%d] * v[%d] + q[%d] * v[%d]);\n", i,
                      i + 1, k, i + 2, k + 1, i + 3, k + 2);
        for (int a = 0; a < 3; a++) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            hol__text_add(out,
                          "    qdot[%d] = 0.5 * (q[%d] * v[%d] + q[%d] * v[%d] - q[%d] * v[%d]);\n",
                          i + 1 + a, i, k + a, i + 1 + b, k + c, i + 1 + c, k + b);
        }
        i += 4, k += 3, turn++;
    }
    hol__text_add(out, "%s}\n", p->n_turns ? "" : "    (void)q;\n");
}

static void write_model_c(writing *w) {
    hol__text *out = &w->model_c;
    hol__text_add(out,
                  "/* model.c: the variables of this FMU. See model.h. */\n"
                  "#include \"model.h\"\n\n%s",
                  w->parts.n_turns ? "#include <math.h>\n\n" : "");
    write_rows(w, out);
    write_constants(w, out);
    write_give(w, out);
    write_asked(w, out);
    write_velocities(&w->parts, out);
    hol__text_add(out, "\nconst char *fmu_model_why(int code) {\n"
                       "    static const char *const words[] = {\n        \"\",\n"
                       "        \"masses or constraints have lost their rank: a singular "
                       "position\",\n"
                       "        \"the constraints could not be closed\",\n"
                       "        \"a number is not finite\",\n    };\n"
                       "    return words[code > 0 && code < 4 ? code : 0];\n}\n");
}

/* ---- the archive ---- */

static int is_compiled(const char *name) {
    const size_t n = strlen(name);
    return name[n - 2] == '.' && name[n - 1] == 'c';
}

/* The files to be compiled, each with a line feed behind it. */
static void list_files(writing *w, int version) {
    hol__text_add(&w->files, "%s.c\nmodel.c\n", w->parts.name);
    for (const hol__fmu_text *file = hol__fmu_texts; file->name; file++)
        if (hol__fmu_is_of(file->name, version) && is_compiled(file->name))
            hol__text_add(&w->files, "%s\n", file->name);
}

/* A file of the folder of sources. */
static void add_file(writing *w, hol__zipped *files, int *n, const char *name, const char *data) {
    files[(*n)++] = (hol__zipped){hol__arena_format(&w->arena, "sources/%s", name), data,
                                  data ? strlen(data) : 0};
}

static hol_status write_archive(writing *w, const char *path, int version) {
    hol__fmu_making *m = w->m;
    hol__zipped files[40] = {{"modelDescription.xml", m->xml.data, m->xml.length},
                             {"documentation/index.html", m->page.data, m->page.length}};
    int n = 2;
    add_file(w, files, &n, hol__arena_format(&w->arena, "%s.c", w->parts.name),
             w->parts.source.data);
    add_file(w, files, &n, hol__arena_format(&w->arena, "%s.h", w->parts.name),
             w->parts.header.data);
    add_file(w, files, &n, "model.c", w->model_c.data);
    add_file(w, files, &n, "model.h", w->model_h.data);
    add_file(w, files, &n, "exports.h", w->exports.data);
    if (version == 3) add_file(w, files, &n, "buildDescription.xml", w->build.data);
    for (const hol__fmu_text *file = hol__fmu_texts; file->name; file++)
        if (hol__fmu_is_of(file->name, version) && strcmp(file->name, "model.h") != 0)
            add_file(w, files, &n, file->name, file->text);
    return w->arena.failed ? HOL_ERR_MEMORY : hol__fmu_write_archive(m->ctx, path, n, files);
}

/* All texts, once the table is made. */
static hol_status write_texts(writing *w, int version) {
    hol__fmu_making *m = w->m;
    list_files(w, version);
    write_model_h(w);
    write_model_c(w);
    hol__fmu_exports(m->name, version, &w->exports);
    if (w->files.failed) return HOL_ERR_MEMORY;
    if (version == 2)
        hol__fmu_xml2(&m->table, m->name, w->files.data, &m->xml);
    else
        hol__fmu_xml3(&m->table, m->name, w->files.data, &m->xml);
    hol__fmu_build3(m->name, w->files.data, &w->build);
    hol__fmu_page(&m->table, &m->page);
    return w->model_h.failed || w->model_c.failed || w->exports.failed || w->build.failed ||
                   m->xml.failed || m->page.failed
               ? HOL_ERR_MEMORY
               : HOL_OK;
}

hol_status hol__fmu_write_sources(hol__fmu_making *m, const hol_spec *spec, const char *path,
                                  const hol_fmu_options *how, int version) {
    writing w = {.m = m};
    hol__text *const texts[] = {&w.left_out, &w.files,   &w.exports,
                                &w.model_h,  &w.model_c, &w.build};
    enum { TEXTS = sizeof texts / sizeof *texts };
    hol__arena_init(&w.arena, m->ctx);
    for (int i = 0; i < TEXTS; i++) hol__text_init(texts[i], m->ctx);
    hol_status status = compile(&w, spec, how);
    if (!status) status = list_values(&w, how);
    if (!status) status = generate(&w);
    if (!status) status = make_table(&w);
    if (!status) warn_of_stop(&w);
    if (!status) status = write_texts(&w, version);
    if (!status) status = write_archive(&w, path, version);
    for (int i = 0; i < TEXTS; i++) hol__text_free(texts[i]);
    hol__gparts_free(&w.parts);
    hol_sim_free(w.sim);
    hol_model_free(w.model);
    hol_spec_free(w.spec);
    hol__arena_free(&w.arena);
    return status;
}

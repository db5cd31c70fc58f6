/* table.c: the variables of an FMU. See table.h. */
#include "fmu/table.h"

#include "base/expr.h"
#include "base/text.h"
#include "common/number.h"

#include <holonom/document.h>
#include <holonom/matrix.h>

#include <stdio.h>
#include <string.h>

hol_status hol__fmu_compile(hol_context *ctx, const hol_spec *spec, hol__fmu_model *out) {
    *out = (hol__fmu_model){NULL, NULL};
    out->options = hol_options_from_spec(ctx, spec);
    out->model = hol_model_compile(ctx, spec,
                                   out->options ? hol_options_run_coordinates(out->options) : NULL);
    if (out->options && out->model) return HOL_OK;
    hol__fmu_model_free(out);
    return HOL_ERR_INPUT;
}

void hol__fmu_model_free(hol__fmu_model *of) {
    hol_model_free(of->model);
    hol_options_free(of->options);
    *of = (hol__fmu_model){NULL, NULL};
}

/* ---- names ---- */

static int is_plain(char c, int first) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (!first && c >= '0' && c <= '9');
}

/* A name in the form of structured names: identifiers between dots; any other part in quotes. */
static const char *structured(hol__arena *arena, const char *name) {
    hol__text out;
    hol__text_init(&out, arena->ctx);
    for (const char *at = name; *at;) {
        const size_t length = strcspn(at, ".");
        int plain = length > 0;
        for (size_t i = 0; i < length; i++) plain &= is_plain(at[i], i == 0);
        if (!plain) hol__text_add(&out, "'");
        for (size_t i = 0; i < length; i++) {
            if (at[i] == '\'' || at[i] == '\\') hol__text_add_n(&out, "\\", 1);
            hol__text_add_n(&out, at + i, 1);
        }
        if (!plain) hol__text_add(&out, "'");
        at += length;
        if (*at == '.') hol__text_add_n(&out, at++, 1);
    }
    const char *kept = out.failed ? NULL : hol__arena_text(arena, out.data ? out.data : "");
    hol__text_free(&out);
    return kept;
}

/* A text with a number in it, in the arena. */
static const char *numbered(hol__arena *arena, const char *format, int i) {
    char text[64];
    snprintf(text, sizeof text, format, i);
    return hol__arena_text(arena, text);
}

/* ---- rows ---- */

/* The name, or where another variable has it the name with underscores behind it: a parameter and a
 * measure may be called alike. */
static const char *unlike(hol__fmu_table *t, const char *name) {
    for (int i = 0; name && i < t->n;) {
        if (strcmp(t->rows[i++].name, name) != 0) continue;
        hol__text longer;
        hol__text_init(&longer, t->arena.ctx);
        hol__text_add(&longer, "%s_", name);
        name = longer.failed ? NULL : hol__arena_text(&t->arena, longer.data);
        hol__text_free(&longer);
        i = 0;
    }
    return name ? name : "";
}

static hol__fmu_variable *add(hol__fmu_table *t, hol__fmu_kind kind, int index, const char *name,
                              const char *unit, const char *doc, double start) {
    const char *own = unlike(t, name);
    hol__fmu_variable *row = &t->rows[t->n++];
    const char *const kept_unit = hol__arena_text(&t->arena, unit ? unit : ""), *const kept_doc =
                                                                                    hol__arena_text(
                                                                                        &t->arena,
                                                                                        doc ? doc
                                                                                            : "");
    *row =
        (hol__fmu_variable){kind, index, own, kept_unit ? kept_unit : "", kept_doc ? kept_doc : "",
                            start}; /* the table outlives the model */
    return row;
}

/* Whether a parameter is given as a number, with a unit or without. */
static int is_number(const hol_spec *spec, const char *name) {
    const hol_item *parameters = hol_item_find(hol_spec_root((hol_spec *)spec), "parameters");
    const char *text = hol_item_value(hol_item_find(parameters, name));
    const char *end;
    if (!text) return 0;
    hol__number_read(text, &end);
    return end != text && hol__dim_of(end).known;
}

static void add_parameters(hol__fmu_table *t, const hol_spec *spec, const hol_model *model) {
    const hol_parameter *p;
    t->first_parameter = t->n;
    for (int i = 0; (p = hol_model_parameter(model, i)) != NULL; i++)
        add(t, is_number(spec, p->name) ? HOL__FMU_PARAMETER : HOL__FMU_CALCULATED, i,
            structured(&t->arena, p->name), p->unit, "parameter of the model", p->value);
}

static int is_input(const hol__fmu_table *t, int column) {
    for (int i = 0; i < t->n_inputs; i++)
        if (t->input_columns[i] == column) return 1;
    return 0;
}

int hol__fmu_is_listed(const char *names, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = names; at && *at; at += strcspn(at, "\n") + 1)
        if (strncmp(at, name, length) == 0 && at[length] == '\n') return 1;
    return 0;
}

/* Inputs, then outputs, with their values at the start. */
static void add_measures(hol__fmu_table *t, hol_data *data, const hol_model *model,
                         const char *tunables, int n) {
    const hol_column *column;
    for (int pass = 0; pass < 2; pass++) {
        *(pass ? &t->first_output : &t->first_input) = t->n;
        for (int i = 0; i < n && (column = hol_model_measure(model, i)) != NULL; i++) {
            double value = 0;
            if (is_input(t, i) == pass) continue;
            hol_data_measure(data, i, &value);
            const int tunable = !pass && hol__fmu_is_listed(tunables, column->name);
            add(t,
                pass      ? HOL__FMU_OUTPUT
                : tunable ? HOL__FMU_TUNABLE
                          : HOL__FMU_INPUT,
                i, structured(&t->arena, column->name), column->unit,
                pass      ? column->doc
                : tunable ? "parameter of the model"
                          : "held until it is set again",
                value);
        }
    }
    t->n_outputs = t->n - t->first_output;
}

/* What state i is, and its unit times s to the power of -order. */
static void describe_state(hol__fmu_table *t, const hol_model *model, const hol_model_info *about,
                           int i, int order, const char **doc, const char **unit) {
    const int nv = about->n_v, plain = about->n_q == nv, is_v = i >= about->n_q;
    const int velocity = is_v ? i - about->n_q : i;
    char name[160] = "", text[240];
    *unit = i == t->n_states - 1 ? (order ? "W" : "J") : "";
    if (velocity >= nv || (!is_v && !plain)) {
        *doc = is_v && i < t->n_states - 1 ? "state of an element"
               : is_v                      ? "work of what is not conservative"
                                           : "coordinate";
        return;
    }
    hol_model_velocity_name(model, velocity, name, sizeof name);
    snprintf(text, sizeof text, "%s of %s%s", is_v ? "velocity" : "coordinate", name,
             order ? ", its rate" : "");
    *doc = hol__arena_text(&t->arena, text);
    const char *own = hol_model_velocity_unit(model, velocity);
    const int power = is_v + order;
    const size_t stem = strcspn(own, "/");
    if (power == 0)
        snprintf(text, sizeof text, "%.*s", (int)stem, strncmp(own, "1/", 2) == 0 ? "" : own);
    else
        snprintf(text, sizeof text, power == 1 ? "%.*s/s" : "%.*s/s^2", (int)stem, own);
    *unit = hol__arena_text(&t->arena, text);
}

/* x and x'. */
static hol_status add_states(hol__fmu_table *t, hol_data *data, const hol_model *model,
                             const hol_model_info *about) {
    double *x = hol__arena_alloc(&t->arena, (size_t)t->n_states, sizeof *x);
    hol_status status = x ? hol_data_states(data, x, t->n_states) : HOL_ERR_MEMORY;
    const char *doc, *unit;
    t->first_state = t->n;
    for (int i = 0; i < t->n_states && !status; i++) {
        describe_state(t, model, about, i, 0, &doc, &unit);
        add(t, HOL__FMU_STATE, i, numbered(&t->arena, "x[%d]", i + 1), unit, doc, x[i]);
    }
    t->first_rate = t->n;
    if (!status) status = hol_data_rates(data, x, t->n_states);
    for (int i = 0; i < t->n_states && !status; i++) {
        describe_state(t, model, about, i, 1, &doc, &unit);
        add(t, HOL__FMU_RATE, i, numbered(&t->arena, "der(x[%d])", i + 1), unit, doc, x[i]);
    }
    return status;
}

static void add_conditions(hol__fmu_table *t) {
    t->first_condition = t->n;
    for (int i = 0; i < t->n_conditions; i++)
        add(t, HOL__FMU_CONDITION, i, numbered(&t->arena, "condition[%d]", i + 1), "",
            "changes its sign where something happens", 0);
}

/* The run that the model describes. */
static void take_run(hol__fmu_table *t, const hol_sim *sim) {
    const hol_options *options = hol_sim_options(sim);
    hol_options_get_real(options, "start", &t->start);
    hol_options_get_real(options, "end", &t->end);
    hol_options_get_real(options, "tolerance", &t->tolerance);
    hol_options_get_real(options, "output", &t->step);
    if (!(t->step > 0)) t->step = (t->end - t->start) / 1000;
}

void hol__fmu_table_sign(hol__fmu_table *t, const hol_model *model, const char *more) {
    hol_model_info about = {.size = sizeof about};
    hol_model_describe(model, &about);
    const unsigned long long h = about.hash;
    unsigned long long g = HOL__HASH_START;
    for (int i = 0; i < t->n; i++) {
        const hol__fmu_kind kind = t->rows[i].kind;
        g = hol__hash(g, t->rows[i].name, strlen(t->rows[i].name) + 1);
        if (kind == HOL__FMU_TUNABLE || kind == HOL__FMU_CONSTANT) g = hol__hash(g, &kind, 1);
    }
    g = hol__hash(g, about.coordinates, strlen(about.coordinates));
    g = hol__hash(g, more, strlen(more));
    snprintf(t->token, sizeof t->token, "{%08llx-%04llx-%04llx-%04llx-%012llx}", h >> 32,
             (h >> 16) & 0xffff, h & 0xffff, g >> 48, g & 0xffffffffffffULL);
}

/* The columns of the inputs, and how many rows there will be. */
static int measure_rows(hol__fmu_table *t, const hol_model *model, const hol_model_info *about) {
    int n_parameters = 0, n = 0;
    while (hol_model_parameter(model, n_parameters)) n_parameters++;
    while (hol_model_measure(model, n)) n++;
    t->input_columns = hol__arena_alloc(&t->arena, (size_t)(n + 1), sizeof *t->input_columns);
    if (!t->input_columns) return 0;
    for (int c; (c = hol_model_input(model, t->n_inputs)) >= 0;)
        t->input_columns[t->n_inputs++] = c;
    const int rows = 1 + n_parameters + n + 2 * t->n_states + t->n_conditions;
    t->rows = hol__arena_alloc(&t->arena, (size_t)rows, sizeof *t->rows);
    t->name = hol__arena_text(&t->arena, about->name);
    return t->arena.failed ? 0 : n;
}

hol_status hol__fmu_table_make(hol_context *ctx, const hol_spec *spec, hol_sim *sim,
                               const char *tunables, hol__fmu_table *t) {
    const hol_model *model = hol_sim_model(sim);
    hol_data *data = hol_sim_data(sim);
    hol_model_info about = {.size = sizeof about};
    *t = (hol__fmu_table){.n = 0};
    hol__arena_init(&t->arena, ctx);
    hol_status status = hol_model_describe(model, &about);
    t->n_states = hol_data_n_states(data);
    t->n_q = about.n_q, t->n_v = about.n_v;
    t->n_conditions = hol_sim_n_conditions(sim);
    const int n = status ? 0 : measure_rows(t, model, &about);
    if (t->arena.failed) return HOL_ERR_MEMORY;
    t->exchanges = !hol_sim_switches(sim) || strstr(about.coordinates, "reference") != NULL;
    add(t, HOL__FMU_TIME, 0, "time", "s", "", 0);
    add_parameters(t, spec, model);
    add_measures(t, data, model, tunables, n);
    if (!status) status = add_states(t, data, model, &about);
    add_conditions(t);
    take_run(t, sim);
    t->rows[0].start = t->start;
    if (t->arena.failed) return HOL_ERR_MEMORY;
    hol__fmu_table_sign(t, model, "");
    return status;
}

void hol__fmu_table_free(hol__fmu_table *t) {
    hol__arena_free(&t->arena);
    t->rows = NULL;
    t->n = 0;
}

/* run.c: the run of one row with the library, compared with the reference at every instant.
 *
 * The error is the largest |value - reference| over the largest |reference| of that quantity. Where
 * a row states no limit, the error control gives one: each of N steps may be off by the tolerance,
 * and the motion magnifies that by `growth`, as the independent program found:
 *
 *     allowed = N tolerance growth + error of the reference
 */
#include "validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What the observer of a run needs. */
typedef struct watch {
    row *row;
    int columns[QUANTITIES];
    int lines;
} watch;

/* The processor's time of this thread. */
static double own_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Compare one instant. */
static hol_status compare_line(void *user, hol_sim *sim) {
    watch *w = user;
    row *r = w->row;
    const reference *ref = &r->of->reference;
    const double t = hol_data_time(hol_sim_data(sim));
    if (w->lines >= ref->n_t || fabs(t - ref->t[w->lines]) > 1e-9 * r->of->end) return HOL_OK;
    const double *wanted = ref->values + w->lines * ref->n;
    double largest = 0;
    for (int k = 0; k < ref->n; k++) {
        double value = NAN;
        if (w->columns[k] < 0) continue;
        const hol_status status = hol_data_measure(hol_sim_data(sim), w->columns[k], &value);
        if (status) return status;
        const double error = fabs(value - wanted[k]) / ref->scale[k];
        if (error > r->worst || isnan(error)) {
            r->worst = error;
            r->worst_t = t;
            r->worst_quantity = k;
        }
        largest = fmax(largest, error);
    }
    r->errors[w->lines++] = largest;
    return HOL_OK;
}

/* Keep the last error of the context as the message of the row. */
static void keep_message(row *r, const hol_context *ctx) {
    for (int i = 0; i < hol_message_count(ctx); i++)
        if (hol_message_get(ctx, i)->severity == HOL_ERROR)
            snprintf(r->message, sizeof r->message, "%s", hol_message_get(ctx, i)->text);
}

/* The text that a command prints; to be freed. */
static char *printed(const setting *set, const char *command) {
    char line[2048];
    size_t used = 0, room = 1 << 16;
    char *text = taken(room, 1);
    snprintf(line, sizeof line, "cd '%s' && %s", set->root, command);
    FILE *pipe = popen(line, "r");
    for (size_t got; pipe && (got = fread(text + used, 1, room - used - 1, pipe)) > 0;) {
        used += got;
        if (room - used < 2) {
            char *more = taken(room * 2, 1);
            memcpy(more, text, used);
            free(text);
            text = more;
            room *= 2;
        }
    }
    if (pipe) pclose(pipe);
    text[used] = 0;
    return text;
}

/* Read the model of the row. */
static hol_status read_model(const setting *set, const subject *s, hol_spec *spec) {
    char path[1024];
    if (!s->made_by) {
        snprintf(path, sizeof path, "%s/models/%s.yaml", set->root, s->model);
        return hol_spec_read_file(spec, path);
    }
    char *text = printed(set, s->made_by);
    const hol_status status = hol_spec_read_text(spec, text, s->key);
    free(text);
    return status;
}

/* Write an item of the table as YAML in one line. */
static int item_text(const hol_item *item, char *out, size_t size) {
    const hol_item_kind kind = hol_item_kind_of(item);
    const int is_map = kind == HOL_ITEM_MAP;
    if (!is_map && kind != HOL_ITEM_LIST)
        return snprintf(out, size, "%s", hol_item_value(item) ? hol_item_value(item) : "");
    int used = snprintf(out, size, "%s", is_map ? "{" : "[");
    for (const hol_item *i = hol_item_first(item); i && used < (int)size; i = hol_item_next(i)) {
        used += snprintf(out + used, size - (size_t)used, "%s%s%s",
                         i == hol_item_first(item) ? "" : ", ", is_map ? hol_item_key(i) : "",
                         is_map ? ": " : "");
        if (used < (int)size) used += item_text(i, out + used, size - (size_t)used);
    }
    return used >= (int)size ? used
                             : used + snprintf(out + used, size - (size_t)used, is_map ? "}" : "]");
}

/* Set what the members of a map say, below a section. */
static hol_status set_all(hol_spec *spec, const char *section, const hol_item *map) {
    char path[128], text[TEXT_SIZE];
    hol_status status = HOL_OK;
    for (const hol_item *i = hol_item_first(map); i && !status; i = hol_item_next(i)) {
        snprintf(path, sizeof path, "%s%s", section, hol_item_key(i));
        item_text(i, text, sizeof text);
        status = hol_spec_set(spec, path, text, "validation.yaml");
    }
    return status;
}

static hol_status set_number(hol_spec *spec, const char *name, double value) {
    char text[40];
    snprintf(text, sizeof text, "%.12g", value);
    return hol_spec_set(spec, name, text, "validation.yaml");
}

/* The description with all that the mechanism and the row set. */
static hol_status describe(const setting *set, const row *r, hol_spec *spec) {
    const subject *s = r->of;
    hol_status status = read_model(set, s, spec);
    if (!status) status = set_all(spec, "measures.", s->measures);
    if (!status) status = set_all(spec, "", s->set);
    if (!status) status = set_number(spec, "simulation.end", s->end);
    if (!status) status = set_number(spec, "simulation.output", s->every);
    if (!status) status = set_number(spec, "simulation.max_time", 240);
    for (int i = 0; i < r->n_options && !status; i++) {
        char path[128];
        snprintf(path, sizeof path, "simulation.%s", r->names[i]);
        status = hol_spec_set(spec, path, r->options[i], "validation.yaml");
    }
    return status;
}

/* The columns of the quantities; 0 where the model measures none of them. */
static int find_columns(const hol_model *model, const reference *ref, int *columns) {
    int found = 0;
    for (int k = 0; k < ref->n; k++) {
        columns[k] = hol_model_measure_index(model, ref->names[k]);
        found += columns[k] >= 0;
    }
    return found;
}

/* What error control leaves: see above. */
static double leave(const row *r) {
    const reference *ref = &r->of->reference;
    double tolerance = 0, growth = 1, error = 0;
    for (int i = 0; i < r->n_options; i++)
        if (strcmp(r->names[i], "tolerance") == 0) tolerance = strtod(r->options[i], NULL);
    for (int k = 0; k < ref->n; k++) {
        growth = fmax(growth, ref->growth[k] / ref->scale[k]);
        error = fmax(error, ref->error[k] / ref->scale[k]);
    }
    return (double)r->steps * tolerance * growth + error;
}

/* Whether what was found is what was demanded, and whether that was expected. */
static void judge(row *r, hol_status status, int lines) {
    r->allowed = r->within > 0 ? r->within : leave(r);
    int met = !status && lines == r->of->reference.n_t && r->worst <= r->allowed;
    if (r->energy_within > 0) met &= r->energy <= r->energy_within;
    if (!r->message[0] && !status && lines != r->of->reference.n_t)
        snprintf(r->message, sizeof r->message, "only %d instants were reached", lines);
    if (met && r->gap)
        snprintf(r->message, sizeof r->message, "passes, where a gap is stated: remove `gap`");
    r->verdict = met == !r->gap ? (met ? VERDICT_PASS : VERDICT_GAP) : VERDICT_FAIL;
}

/* What the run tells of itself. */
static void keep_statistics(row *r, const hol_sim *sim) {
    hol_sim_info info = {.size = sizeof info};
    hol_sim_describe(sim, &info);
    r->steps = info.steps;
    r->evaluations = info.evaluations;
    r->energy = info.relative_energy_error * info.energy_scale;
    if (info.beyond) snprintf(r->message, sizeof r->message, "tolerances %s", info.verdict);
    snprintf(r->method, NAME_SIZE, "%s", info.method);
    /* "natural: points and …", "planar reference point": the word that chooses them */
    snprintf(r->coordinates, NAME_SIZE, "%.*s", (int)strcspn(info.coordinates, ":"),
             info.coordinates);
    if (strstr(info.coordinates, "reference point"))
        snprintf(r->coordinates, NAME_SIZE, "reference");
    snprintf(r->integrator, NAME_SIZE, "%s", info.integrator);
}

void row_run(const setting *set, row *r) {
    watch w = {.row = r};
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_options *options = NULL;
    hol_model *model = NULL;
    hol_sim *sim = NULL;
    hol_status status = spec ? describe(set, r, spec) : HOL_ERR_MEMORY;
    r->errors = taken((size_t)r->of->reference.n_t, sizeof *r->errors);
    for (int i = 0; i < r->of->reference.n_t; i++) r->errors[i] = NAN;
    if (!status) model = hol_model_from_spec(ctx, spec, &options);
    if (model && !find_columns(model, &r->of->reference, w.columns))
        snprintf(r->message, sizeof r->message,
                 "the model measures nothing that the program prints");
    else if (model)
        sim = hol_sim_new(ctx, model, options);
    if (sim) {
        const hol_observer observer = {.on_output = compare_line, .user = &w};
        const double before = own_time();
        status = hol_sim_run(sim, &observer);
        r->seconds = own_time() - before;
        keep_statistics(r, sim);
        keep_message(r, hol_sim_context(sim));
    } else if (!r->message[0])
        keep_message(r, ctx);
    judge(r, sim ? status : HOL_ERR_INPUT, w.lines);
    hol_sim_free(sim);
    hol_model_free(model);
    hol_options_free(options);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

void row_options(const row *r, char *out, size_t size) {
    int used = 0;
    *out = 0;
    for (int i = 0; i < r->n_options && used < (int)size; i++) {
        static const char *const own[] = {"method", "coordinates", "integrator"};
        int has_column = 0;
        for (int k = 0; k < 3; k++) has_column |= strcmp(own[k], r->names[i]) == 0;
        if (!has_column)
            used += snprintf(out + used, size - (size_t)used, "%s%s %s", used ? ", " : "",
                             r->names[i], r->options[i]);
    }
}

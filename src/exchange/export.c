/* export.c: a compiled model as a robot description, with a list of what that cannot hold. */
#include "exchange/export.h"

#include "base/argument.h"
#include "base/escape.h"
#include "common/number.h"
#include "io/out_file.h"

#include <math.h>
#include <string.h>

/* ---- for the readers ---- */

int hol__export_field(hol_export *ex, const char *section, const char *element, const char *field,
                      int most, double *out) {
    const char *path = hol__arena_format(&ex->im->arena, "%s.%s.%s", section, element, field);
    int n = 0;
    if (!path || hol_model_field(ex->quiet, ex->model, path, most, out, &n) != HOL_OK) return 0;
    return n <= most ? n : 0;
}

const char *hol__export_text(hol_export *ex, const char *section, const char *element,
                             const char *field) {
    const char *path = hol__arena_format(&ex->im->arena, "%s.%s.%s", section, element, field);
    char *text = path ? hol_model_field_text(ex->quiet, ex->model, path) : NULL;
    const char *kept = hol__arena_text(&ex->im->arena, text ? text : "");
    hol_free(ex->quiet, text);
    return kept ? kept : "";
}

int hol__export_coordinate(hol_export *ex, const char *joint, const char *component) {
    const int j = hol_model_joint(ex->model, joint);
    if (j < 0) return -1;
    const int second = strncmp(component, "displacement", 12) == 0 && ex->of[j][1] >= 0;
    const int found = ex->of[j][second];
    return found >= 0 && ex->im->robot.joints[found].closes ? -1 : found;
}

void hol__export_word(hol_export *ex, const char *name, const char *value) {
    if (strcmp(name, "name") == 0) ex->element = value;
    hol__text_add(&ex->out, " %s=\"", name);
    hol__text_add_xml(&ex->out, value);
    hol__text_add(&ex->out, "\"");
}

void hol__export_numbers(hol_export *ex, const char *name, int n, const double *x) {
    char buf[HOL__NUMBER_SIZE];
    hol__text_add(&ex->out, " %s=\"", name);
    for (int i = 0; i < n; i++) {
        if (!ex->beyond && !(fabs(x[i]) <= HOL__HUGE_NUMBER)) {
            ex->beyond = name;
            ex->holder = ex->element;
            ex->excess = x[i];
        }
        hol__number_text(x[i] == 0 ? 0 : x[i], buf);
        hol__text_add(&ex->out, "%s%s", i ? " " : "", buf);
    }
    hol__text_add(&ex->out, "\"");
}

/* ---- all of a model ---- */

/* What a model has beside its mechanism. */
static void note_rest(hol_export *ex) {
    hol_import *im = ex->im;
    const hol_location where = {ex->model->source, 1, 1};
    double v = 0;
    hol_data *data = hol_sim_data(ex->sim);
    for (int i = 0; i < ex->model->nb; i++) {
        hol_twist w;
        if (hol_data_body_twist(data, i, &w)) continue;
        for (int k = 0; k < 3; k++) v = fmax(v, fmax(fabs(w.v[k]), fabs(w.omega[k])));
    }
    if (v > 1e-12)
        hol__note_at(im, HOL_IMPORT_LEFT_OUT, where, "model",
                     "it moves at the start: the description begins at rest");
    if (ex->model->n_measures)
        hol__note_at(im, HOL_IMPORT_NO_EFFECT, where, "measures", "%d measure%s: they do not act",
                     ex->model->n_measures, ex->model->n_measures == 1 ? "" : "s");
    if (ex->model->n_events)
        hol__note_at(im, HOL_IMPORT_LEFT_OUT, where, "events", "%d event%s", ex->model->n_events,
                     ex->model->n_events == 1 ? "" : "s");
    hol__note_at(im, HOL_IMPORT_NO_EFFECT, where, "model",
                 "parameters and expressions are numbers in it; how to run is not part of it");
}

/* What acts on the motion and is not carried over, as errors; how many. */
static int refuse(hol_export *ex) {
    int count = 0;
    for (int i = 0; i < ex->im->n_notes && !ex->how.partial; i++) {
        const hol_import_note *n = &ex->im->notes[i];
        if (n->kind != HOL_IMPORT_LEFT_OUT) continue;
        hol__error(ex->im->ctx, &n->where, n->element, "%s; --partial leaves it out", n->text);
        count++;
    }
    return count;
}

/* Fill an export; 0 after errors. */
static int write_all(hol_export *ex) {
    hol_import *im = ex->im;
    const int errors = hol_message_count_of(im->ctx, HOL_ERROR);
    ex->quiet = hol__context_like(im->ctx);
    ex->sim = hol_sim_new(im->ctx, ex->model, NULL);
    if (!ex->quiet || !ex->sim || hol_data_update(hol_sim_data(ex->sim), HOL_STAGE_POS)) return 0;
    if (!hol__export_tree(ex)) return 0;
    memcpy(im->robot.gravity, ex->model->gravity, sizeof im->robot.gravity);
    hol__robot_measure_size(&im->robot);
    hol__robot_give_names(im);
    hol__export_couplings(ex);
    hol__export_forces(ex);
    note_rest(ex);
    if (ex->to_mjcf)
        hol__export_mjcf(ex);
    else
        hol__export_urdf(ex);
    hol__import_sort_notes(im);
    refuse(ex);
    if (ex->beyond)
        hol__error(im->ctx, NULL, ex->holder,
                   "its '%s' would be %.3g, and descriptions with numbers beyond %g are not read",
                   ex->beyond, ex->excess, HOL__HUGE_NUMBER);
    return !im->arena.failed && !ex->out.failed &&
           hol_message_count_of(im->ctx, HOL_ERROR) == errors;
}

/* Which format, by what was asked for or by the ending of the file; 0 after an error. */
static int choose(hol_export *ex) {
    const char *format = ex->how.format, *output = ex->how.output ? ex->how.output : "";
    const char *dot = strrchr(output, '.');
    if (!format && dot)
        format = strcmp(dot, ".xml") == 0 ? "mjcf" : strcmp(dot, ".urdf") == 0 ? "urdf" : dot;
    ex->to_mjcf = format && strcmp(format, "mjcf") == 0;
    if (ex->to_mjcf || (format && strcmp(format, "urdf") == 0)) return 1;
    hol__report(
        ex->im->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "hol_export_new",
        "'%s' is no format of an export: give urdf or mjcf, or a file with the ending .urdf "
        "or .xml",
        format ? format : "");
    return 0;
}

/* ---- public ---- */

hol_export *hol_export_new(hol_context *ctx, const hol_model *model,
                           const hol_export_options *options) {
    if (!ctx || hol__need(ctx, "hol_export_new", "the model", model)) return NULL;
    if (options && options->size <= sizeof options->size) {
        hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "hol_export_new",
                    "the options have size %zu; set options.size = sizeof options before the call",
                    options->size);
        return NULL;
    }
    hol_export *ex = hol__alloc(ctx, 1, sizeof *ex);
    if (!ex) return NULL;
    if (options)
        memcpy(&ex->how, options, options->size < sizeof ex->how ? options->size : sizeof ex->how);
    ex->model = model;
    hol__text_init(&ex->out, ctx);
    ex->im = hol__import_empty(ctx, model->source);
    if (ex->im && choose(ex) && write_all(ex)) return ex;
    hol_export_free(ex);
    return NULL;
}

void hol_export_free(hol_export *ex) {
    if (!ex) return;
    hol_context *ctx = ex->out.ctx;
    hol_sim_free(ex->sim);
    hol_context_free(ex->quiet);
    hol_import_free(ex->im);
    hol__text_free(&ex->out);
    hol__release(ctx, ex);
}

const char *hol_export_text(const hol_export *ex) {
    return ex && ex->out.data ? ex->out.data : NULL;
}

hol_status hol_export_write(const hol_export *ex, const char *path) {
    if (!ex || hol__need(ex->im->ctx, "hol_export_write", "the path", path))
        return HOL_ERR_ARGUMENT;
    const hol__piece piece = {ex->out.data, ex->out.length};
    return hol__out_write(ex->im->ctx, path, &piece, 1);
}

int hol_export_note_count(const hol_export *ex) {
    return ex ? hol_import_note_count(ex->im) : 0;
}

const hol_import_note *hol_export_note_get(const hol_export *ex, int i) {
    return ex ? hol_import_note_get(ex->im, i) : NULL;
}

/* fault_way.h: everything that a program does with a model, from reading it to the pages of its
 * results, with whatever fault is armed.
 */
#ifndef HOLONOM_TEST_FAULT_WAY_H
#define HOLONOM_TEST_FAULT_WAY_H

#include "fault_fixture.h"

/* ---- the way of a model ---- */

/* A model file, settings for a short run, and which of its switches matter. */
typedef struct subject {
    const char *file, *settings;
} subject;

static const subject subjects[] = {
    {"four_bar", "end=0.02 output=0.01 tolerance=1e-4"},
    {"four_bar", "end=0.01 output=0.01 coordinates=natural method=udwadia-kalaba step=0.005"},
    {"four_bar", "end=0.01 output=0.01 coordinates=relative method=nullspace tolerance=1e-3"},
    {"parallelogram_link", "end=0.01 output=0.01 tolerance=1e-3"},
    {"slider_crank_spatial", "end=0.004 output=0.002 tolerance=1e-3"},
    {"heavy_top", "end=0.004 output=0.002 integrator=rodas4 tolerance=1e-3"},
    {"lift_off", "end=0.3 output=0.1 tolerance=1e-3"},
    {"clutch", "end=0.05 output=0.05 tolerance=1e-3"},
    {"engine", "end=0.001 output=0.0005 tolerance=1e-3"},
    {"four_bar_spatial_natural", "end=0.004 output=0.002 tolerance=1e-3"},
    {"elements/contact_plane", "end=0.36 output=0.1 tolerance=1e-3"},
    {"elements/shapes", "end=0.004 output=0.002"},
    {"a01_simple_pendulum", "end=0.05 output=0.05 tolerance_kind=end tolerance=1e-3"},
    {"elements/rigid_contact", "end=0.4 output=0.2 tolerance=1e-3"},
    {"catch", "end=0.6 output=0.2 tolerance=1e-3"},
    {"slider_crank", "end=1.2 output=0.4 tolerance=1e-3 coordinates=reference method=lagrange"},
};

enum { N_SUBJECTS = sizeof subjects / sizeof *subjects };

/* What the way has made so far, and what came of it. */
typedef struct way {
    hol_context *ctx;
    hol_spec *spec;
    hol_options *options;
    hol_model *model;
    hol_sim *sim;
    const char *at; /* the station */
    hol_status status;
} way;

static hol_writer *writers[2];

static hol_status record(void *user, hol_sim *sim) {
    hol_status status = HOL_OK;
    (void)user;
    (void)sim;
    for (int i = 0; i < 2 && !status; i++)
        if (writers[i]) status = hol_writer_record(writers[i]);
    return status;
}

/* The status of something that is NULL after a failure. */
static hol_status made(const void *object) {
    return object ? HOL_OK : HOL_ERR_MEMORY;
}

static hol_status read_spec(way *w, const subject *s) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.yaml", HOLONOM_TEST_MODELS, s->file);
    w->spec = hol_spec_new(w->ctx);
    hol_status status = made(w->spec);
    if (!status) status = hol_spec_read_file(w->spec, path);
    return status ? status : run_settings(w->spec, s->settings);
}

static hol_status compile(way *w, const subject *s) {
    (void)s;
    w->model = hol_model_from_spec(w->ctx, w->spec, &w->options);
    return made(w->model);
}

static hol_status set_up(way *w, const subject *s) {
    (void)s;
    w->sim = hol_sim_new(w->ctx, w->model, w->options);
    if (w->sim) hol_sim_on_force(w->sim, fault_force, NULL);
    return made(w->sim);
}

/* A checkpoint before the first step. */
static hol_status between(void *user, hol_sim *sim) {
    const hol_checkpoint_parts parts = {
        .size = sizeof parts, .n_writers = built_with("hdf5") ? 2 : 1, .writers = writers};
    int *pauses = user;
    return (*pauses)++ == 0 ? hol_checkpoint_write(sim, "faults.checkpoint", &parts) : HOL_OK;
}

/* Run with the results into both kinds of files. */
static hol_status run_model(way *w, const subject *s) {
    const hol_observer observer = {.on_output = record};
    int pauses = 0;
    static const char *const paths[] = {"faults.csv", "faults.h5"};
    hol_status status = HOL_OK;
    (void)s;
    for (int i = 0; i < 2; i++) {
        writers[i] = NULL;
        if (status || (i && !built_with("hdf5"))) continue;
        writers[i] = hol_writer_open(w->sim, paths[i]);
        status = made(writers[i]);
    }
    hol_sim_on_checkpoint(w->sim, between, &pauses);
    if (!status) status = hol_sim_run(w->sim, &observer);
    hol_sim_on_checkpoint(w->sim, NULL, NULL);
    for (int i = 0; i < 2; i++) {
        const hol_status closed = hol_writer_close(writers[i]);
        if (!status) status = closed;
    }
    return status;
}

/* Ask the simulation and a copy of its state everything once. */
static hol_status ask(way *w, const subject *s) {
    hol_data *copy = hol_data_new(w->ctx, w->model);
    const size_t size = copy ? hol_sim_state_size(w->sim) : 0;
    char *block = size ? malloc(size) : NULL;
    hol_reaction reaction = {.size = sizeof reaction};
    hol_size term = {.size = sizeof term};
    hol_rank rank = {.size = sizeof rank};
    hol_cut cut = {.size = sizeof cut};
    (void)s;
    hol_status status = made(block);
    if (!status) status = hol_data_copy(copy, hol_sim_data(w->sim));
    if (!status && hol_model_joint_name(w->model, 0))
        status = hol_data_reaction(copy, 0, &reaction);
    if (!status) status = hol_data_term_size(copy, HOL_TERM_K, &term);
    if (!status) status = hol_sim_rank(w->sim, &rank);
    if (!status && hol_model_cut(w->ctx, w->model, 0, &cut) == HOL_ERR_MEMORY)
        status = HOL_ERR_MEMORY;
    if (!status) status = hol_sim_state_save(w->sim, block, size);
    if (!status) status = hol_sim_state_load(w->sim, block, size);
    free(block);
    hol_data_free(copy);
    return status;
}

/* Another simulation goes on from the checkpoint, into the same files. */
static hol_status resume(way *w, const subject *s) {
    const hol_observer observer = {.on_output = record};
    hol_sim *sim = hol_sim_new(w->ctx, w->model, w->options);
    hol_checkpoint *from = sim ? hol_checkpoint_read(w->ctx, "faults.checkpoint") : NULL;
    hol_status status = made(from);
    (void)s;
    if (sim) hol_sim_on_force(sim, fault_force, NULL);
    if (!status) status = hol_checkpoint_load(from, sim);
    for (int i = 0; i < 2; i++) {
        writers[i] = NULL;
        if (status || (i && !built_with("hdf5"))) continue;
        writers[i] = hol_checkpoint_writer(from, sim, i, NULL);
        status = made(writers[i]);
    }
    if (!status) status = hol_sim_run(sim, &observer);
    for (int i = 0; i < 2; i++) {
        const hol_status closed = hol_writer_close(writers[i]);
        if (!status) status = closed;
    }
    hol_checkpoint_free(from);
    hol_sim_free(sim);
    return status;
}

static hol_status read_results(way *w, const subject *s) {
    static const char *const paths[] = {"faults.csv", "faults.h5"};
    hol_status status = HOL_OK;
    (void)s;
    for (int i = 0; i < 2 && !status; i++) {
        if (i && !built_with("hdf5")) continue;
        hol_result *result = hol_result_read(w->ctx, paths[i]);
        status = made(result);
        if (!status) status = hol_result_set_units(result, "angle=deg, length=mm");
        hol_result_free(result);
    }
    return status;
}

static hol_status report(way *w, const subject *s) {
    static const char *const h5[] = {"faults.h5"}, *const csv[] = {"faults.csv"};
    const char *column = hol_model_measure(w->model, 0)->name;
    const hol_chart chart = {.n_results = 1, .results = csv, .n_columns = 1, .columns = &column};
    const hol_strobe strobe = {.every = 2e-3};
    int n;
    (void)s;
    hol_status status = hol_chart_write(w->ctx, &chart, "faults.svg");
    if (built_with("hdf5") && !status)
        status = hol_strobe_write(w->ctx, h5[0], &strobe, "strobe.svg", &n);
    if (built_with("web") && built_with("hdf5") && !status)
        status = hol_report_write(w->ctx, 1, h5, "faults.html");
    return status;
}

static const struct station {
    const char *name;
    hol_status (*go)(way *w, const subject *s);
} stations[] = {{"read", read_spec},
                {"compile", compile},
                {"set up", set_up},
                {"run", run_model},
                {"resume", resume},
                {"ask", ask},
                {"read results", read_results},
                {"report", report}};

/* What is left after a failure can be asked; whatever it answers, it does not crash. */
static void ask_what_is_left(way *w) {
    hol_sim_info info = {.size = sizeof info};
    hol_energy energy = {.size = sizeof energy};
    hol_rank rank = {.size = sizeof rank};
    if (!w->sim) return;
    hol_sim_describe(w->sim, &info);
    hol_data_energy(hol_sim_data(w->sim), &energy);
    hol_sim_rank(w->sim, &rank);
    hol_sim_state_size(w->sim);
    hol_sim_step(w->sim);
    hol_sim_advance(w->sim, hol_data_time(hol_sim_data(w->sim)) + 1e-3);
    hol_sim_restart(w->sim, 0, NULL, NULL);
}

/* The whole way with the armed fault. Returns what is wrong, NULL where nothing is. */
static const char *go(const subject *s, way *w) {
    const char *wrong = NULL;
    *w = (way){.ctx = fault_context(), .at = "context"};
    if (w->ctx)
        for (size_t i = 0; i < sizeof stations / sizeof *stations && !w->status; i++) {
            w->at = stations[i].name;
            w->status = stations[i].go(w, s);
        }
    if (w->status && hol_message_count_of(w->ctx, HOL_ERROR) == 0) wrong = "without a message";
    if (w->status > 0) wrong = "with a status that is none of a caller's";
    if (w->status) ask_what_is_left(w);
    hol_sim_free(w->sim);
    hol_options_free(w->options);
    hol_model_free(w->model);
    hol_spec_free(w->spec);
    if (wrong || (!faults.at && w->status)) run_print_messages(w->ctx);
    hol_context_free(w->ctx);
    faults.watching = 0;
    if (!wrong && faults.live != 0) wrong = "and leaves memory behind";
    return wrong;
}

#endif

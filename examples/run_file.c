/* run_file.c: run a model file, write the results, print a summary.
 *
 *     cc run_file.c $(pkg-config --cflags --libs holonom) -o run_file
 *     ./run_file models/four_bar.yaml
 *
 * Writes run_file.csv and, where the library has HDF5, run_file.h5. Given a folder, it runs the
 * four_bar.yaml in it.
 */
#include <holonom/holonom.h>

#include <stdio.h>
#include <string.h>

enum { MAX_WRITERS = 2 };

/* Where each output goes. */
typedef struct outputs {
    hol_writer *writer[MAX_WRITERS];
    int count;
    long rows;
} outputs;

static void print_message(void *user, const hol_message *message) {
    char line[1024];
    (void)user;
    hol_message_format(message, line, sizeof line);
    fprintf(stderr, "%s\n", line);
}

/* Whether the library was built with an optional part. */
static int has_part(const char *name) {
    const hol_feature *part;
    for (int i = 0; (part = hol_feature_get(i)); i++)
        if (strcmp(part->name, name) == 0) return part->built;
    return 0;
}

/* The state now goes to all files; the run stops when one cannot be written. */
static hol_status record(void *user, hol_sim *sim) {
    outputs *out = user;
    hol_status status = HOL_OK;
    (void)sim;
    for (int i = 0; i < out->count && !status; i++) status = hol_writer_record(out->writer[i]);
    out->rows++;
    return status;
}

/* Open a file for the results; the format follows its name. */
static hol_status open_writer(hol_sim *sim, outputs *out, const char *path) {
    hol_writer *writer = hol_writer_open(sim, path);
    if (!writer) return HOL_ERR_IO;
    out->writer[out->count++] = writer;
    return HOL_OK;
}

/* Run the whole span; files are closed in every case, so that what was computed stays. */
static hol_status run(hol_sim *sim) {
    outputs out = {0};
    const hol_observer observer = {.on_output = record, .user = &out};
    hol_status status = open_writer(sim, &out, "run_file.csv");
    if (!status && has_part("hdf5")) status = open_writer(sim, &out, "run_file.h5");
    if (!status) status = hol_sim_run(sim, &observer);
    for (int i = 0; i < out.count; i++) {
        const hol_status closed = hol_writer_close(out.writer[i]);
        if (!status) status = closed;
    }
    printf("%ld rows in %d file%s\n", out.rows, out.count, out.count == 1 ? "" : "s");
    return status;
}

/* What was run and how well, and every measure at the end. */
static void print_summary(const hol_model *model, hol_sim *sim) {
    hol_model_info about = {.size = sizeof about};
    hol_model_describe(model, &about);
    hol_sim_info info = {.size = sizeof info};
    hol_sim_describe(sim, &info);
    printf("%s: %d bodies, %d constraints, %d degrees of freedom\n", about.name, about.n_bodies,
           about.n_constraints, info.dof);
    printf("%s, %s: t = %g after %ld steps and %ld evaluations\n", info.method, info.integrator,
           info.t, info.steps, info.evaluations);
    printf(
        "largest violation: positions %.0e, velocities %.0e; relative error of the energy %.0e\n",
        info.max_position_violation, info.max_velocity_violation, info.relative_energy_error);
    for (int i = 0; i < about.n_measures; i++) {
        const hol_column column = *hol_model_measure(model, i);
        double value;
        if (hol_data_measure(hol_sim_data(sim), i, &value)) continue;
        printf("  %-20s %18.10g %s\n", column.name, value, column.unit);
    }
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: run_file MODEL.yaml\n");
        return 2;
    }
    if (!has_part("fyaml")) {
        printf("this build of the library cannot read model files\n");
        return 0;
    }
    char path[1024];
    const size_t length = strlen(argv[1]);
    const int is_file = length > 5 && strcmp(argv[1] + length - 5, ".yaml") == 0;
    snprintf(path, sizeof path, is_file ? "%s" : "%s/four_bar.yaml", argv[1]);

    hol_context *ctx = hol_context_new();
    if (!ctx) return 1;
    hol_context_on_message(ctx, print_message, NULL);
    hol_options *options; /* the section `simulation` of the file */
    hol_model *model = hol_model_from_file(ctx, path, &options);
    hol_sim *sim = model ? hol_sim_new(ctx, model, options) : NULL; /* assembles the mechanism */
    const hol_status status = sim ? run(sim) : HOL_ERR_INPUT;
    if (sim) print_summary(model, sim);

    hol_sim_free(sim);
    hol_options_free(options);
    hol_model_free(model);
    hol_context_free(ctx);
    return status == HOL_OK ? 0 : 1;
}

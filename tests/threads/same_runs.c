/* same_runs.c: one model, several simulations of it at once, each in a thread of its own with its
 * own results: same_runs MODEL PREFIX writes PREFIX.0.csv, PREFIX.1.csv, … . Settings are those of
 * tools/hashes.sh, and test_hashes.sh compares the bits. The locale is that of the environment.
 */
#include <holonom/holonom.h>

#include <locale.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4 };

/* The work of a thread, and what came of it. */
typedef struct task {
    const hol_model *model;
    const hol_options *options;
    char path[1024];
    hol_status status;
} task;

static hol_status record(void *user, hol_sim *sim) {
    (void)sim;
    return hol_writer_record(user);
}

/* Run the model and write its results. */
static void *work(void *self) {
    task *k = self;
    hol_context *ctx = hol_context_new();
    hol_options *options = ctx ? hol_options_copy(ctx, k->options) : NULL;
    hol_sim *sim = options ? hol_sim_new(ctx, k->model, options) : NULL;
    hol_writer *writer = sim ? hol_writer_open(sim, k->path) : NULL;
    k->status = HOL_ERR_MEMORY;
    if (writer) {
        const hol_observer observer = {.on_output = record, .user = writer};
        k->status = hol_sim_run(sim, &observer);
        const hol_status closed = hol_writer_close(writer);
        if (!k->status) k->status = closed;
    }
    hol_sim_free(sim);
    hol_options_free(options);
    hol_context_free(ctx);
    return NULL;
}

/* All runs at once; the first status that is none of success. */
static hol_status run_all(const hol_model *model, const hol_options *options, const char *prefix) {
    pthread_t threads[THREADS];
    static task tasks[THREADS];
    hol_status status = HOL_OK;
    int n = 0;
    for (; n < THREADS; n++) {
        tasks[n] = (task){.model = model, .options = options};
        snprintf(tasks[n].path, sizeof tasks[n].path, "%s.%d.csv", prefix, n);
        if (pthread_create(&threads[n], NULL, work, &tasks[n]) != 0) break;
    }
    for (int i = 0; i < n; i++) {
        pthread_join(threads[i], NULL);
        if (!status) status = tasks[i].status;
    }
    return n < THREADS ? HOL_ERR_MEMORY : status;
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    setlocale(LC_ALL, "");
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_options *options = NULL;
    hol_model *model = NULL;
    if (spec && hol_spec_read_file(spec, argv[1]) == HOL_OK &&
        hol_spec_set(spec, "output", "0.05", "--set") == HOL_OK &&
        hol_spec_set(spec, "end", "0.25", "--set") == HOL_OK &&
        hol_spec_set(spec, "coordinates", "cheapest", "--set") == HOL_OK) /* as `holonom run` */
        model = hol_model_from_spec(ctx, spec, &options);
    const hol_status status = model ? run_all(model, options, argv[2]) : HOL_ERR_INPUT;
    hol_options_free(options);
    hol_model_free(model);
    hol_spec_free(spec);
    hol_context_free(ctx);
    return status != HOL_OK;
}

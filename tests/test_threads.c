/* test_threads.c: one model, many threads: each has a context, options and a simulation of its own,
 * and the numbers are those of the same runs one after the other, bit for bit. The preset `tsan`
 * runs this under ThreadSanitizer (./dev tsan).
 *
 * What is compared is a hash over all output times: time, q, v, accelerations, multipliers,
 * reactions and measures, the figures of the run, and the messages. The context that compiled the
 * model is gone before the first thread starts.
 */
#include "mechanism_fixture.h"

#include "base/text.h"

#include <pthread.h>

enum { THREADS = 8, MOST_RUNS = 40 };

/* ---- one run ---- */

/* What a run is made of, and what came of it. */
typedef struct task {
    const hol_model *model;
    const char *method, *coordinates;
    int fixed; /* a fixed step instead of error control */
    unsigned long long hash;
    hol_status status;
    int outputs;
} task;

static void add(task *k, const double *x, int n) {
    k->hash = hol__hash(k->hash, x, (size_t)n * sizeof *x);
}

/* Everything there is to see at an output time. */
static hol_status see(void *user, hol_sim *sim) {
    task *k = user;
    hol_data *data = hol_sim_data(sim);
    const hol_model_info about = model_info(k->model);
    const double t = hol_data_time(data);
    add(k, &t, 1);
    add(k, hol_data_q(data), about.n_q);
    add(k, hol_data_v(data), about.n_v);
    add(k, hol_data_acceleration(data), about.n_v);
    add(k, hol_data_multipliers(data), about.n_constraints);
    for (int i = 0; i < about.n_joints; i++) {
        hol_reaction r = {.size = sizeof r};
        if (hol_data_reaction(data, i, &r)) return HOL_ERR_ARGUMENT;
        add(k, r.force, 3);
        add(k, r.moment, 3);
    }
    for (int i = 0; i < about.n_measures; i++) {
        double value;
        if (hol_data_measure(data, i, &value)) return HOL_ERR_ARGUMENT;
        add(k, &value, 1);
    }
    k->outputs++;
    return HOL_OK;
}

/* Figures and messages at the end. */
static void sum_up(task *k, const hol_sim *sim, const hol_context *ctx) {
    const hol_sim_info info = sim_info(sim);
    const double figures[] = {info.t,
                              (double)info.steps,
                              (double)info.evaluations,
                              (double)info.factorizations,
                              info.max_position_violation,
                              info.max_velocity_violation,
                              info.relative_energy_error};
    add(k, figures, (int)(sizeof figures / sizeof *figures));
    for (int i = 0; i < hol_message_count(ctx); i++) {
        char line[1024];
        hol_message_format(hol_message_get(ctx, i), line, sizeof line);
        k->hash = hol__hash(k->hash, line, strlen(line));
    }
}

/* A whole run in a context of its own. */
static void carry_out(task *k) {
    hol_context *ctx = hol_context_new();
    hol_options *options = ctx ? hol_options_new(ctx) : NULL;
    k->hash = HOL__HASH_START;
    k->outputs = 0;
    k->status = HOL_ERR_MEMORY;
    if (options && !hol_options_set_choice(options, "method", k->method) &&
        !hol_options_set_choice(options, "coordinates", k->coordinates) &&
        !hol_options_set_real(options, "tolerance", 1e-5) &&
        !hol_options_set_real(options, "end", 0.04) &&
        !hol_options_set_real(options, "output", 0.01) &&
        !hol_options_set_real(options, "step", k->fixed ? 0.0025 : 0)) {
        hol_sim *sim = hol_sim_new(ctx, k->model, options);
        const hol_observer observer = {.on_output = see, .user = k};
        k->status = sim ? hol_sim_run(sim, &observer) : HOL_ERR_INPUT;
        if (sim) sum_up(k, sim, ctx);
        hol_sim_free(sim);
    }
    hol_options_free(options);
    hol_context_free(ctx);
}

/* ---- many runs ---- */

/* The runs of one thread: every THREADS-th, from its own on. */
typedef struct share {
    task *tasks;
    int first, n;
} share;

static void *work(void *self) {
    const share *s = self;
    for (int i = s->first; i < s->n; i += THREADS) carry_out(&s->tasks[i]);
    return NULL;
}

/* All at once, in eight threads. */
static void run_threads(task *tasks, int n) {
    pthread_t threads[THREADS];
    share shares[THREADS];
    for (int i = 0; i < THREADS; i++) {
        shares[i] = (share){tasks, i, n};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &shares[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
}

/* Every method that fits the coordinates, alone and then among the others. */
static void check_model(const hol_model *model, const char *coordinates, const char *what) {
    task alone[MOST_RUNS], among[MOST_RUNS];
    int n = 0, done = 0;
    for (int i = 0; hol_method_get(i); i++) {
        const hol_method_doc m = *hol_method_get(i);
        if (m.coordinates && strcmp(m.coordinates, coordinates) != 0) continue;
        for (int fixed = 0; fixed < 2 && n < MOST_RUNS; fixed++)
            alone[n++] = (task){
                .model = model, .method = m.name, .coordinates = coordinates, .fixed = fixed};
    }
    memcpy(among, alone, sizeof(task) * (size_t)n);
    for (int i = 0; i < n; i++) carry_out(&alone[i]);
    run_threads(among, n);
    for (int i = 0; i < n; i++) {
        if (among[i].hash != alone[i].hash || among[i].status != alone[i].status)
            fail_msg("%s, %s coordinates, %s: other numbers among threads", what, coordinates,
                     alone[i].method);
        done += alone[i].status == HOL_OK && alone[i].outputs == 5;
    }
    /* what is compared are runs, not refusals */
    assert_true(done > n / 2);
}

/* A model in coordinates; the context that compiled it is gone when it is returned. */
static hol_model *open_model(const char *file, const char *coordinates) {
    char path[512];
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    snprintf(path, sizeof path, "%s/%s.yaml", HOLONOM_TEST_MODELS, file);
    if (hol_spec_read_file(spec, path)) fail_with_messages(ctx, file);
    hol_model *model = hol_model_compile(ctx, spec, coordinates);
    if (!model) fail_with_messages(ctx, file);
    hol_spec_free(spec);
    hol_context_free(ctx);
    return model;
}

static void check_file(const char *file) {
    static const char *const sets[] = {"reference", "natural", "relative"};
    for (int i = 0; i < 3; i++) {
        hol_model *model = open_model(file, sets[i]);
        check_model(model, sets[i], file);
        hol_model_free(model);
    }
}

static void test_plane(void **state) {
    (void)state;
    check_file("four_bar");
}

static void test_space(void **state) {
    (void)state;
    check_file("slider_crank_spatial");
}

/* Redundant constraints: a warning in every run, and dense solvers, which call the BLAS from all
 * threads at once. */
static void test_redundant(void **state) {
    (void)state;
    hol_model *model = open_model("a04_bricard", "natural");
    check_model(model, "natural", "a04_bricard");
    hol_model_free(model);
}

/* Forces that remember, laws with measures and splines, rolling contacts. */
static void test_elements(void **state) {
    (void)state;
    static const char *const files[] = {"bicycle", "elements/contact_plane",
                                        "elements/spring_table"};
    for (int i = 0; i < 3; i++) {
        hol_model *model = open_model(files[i], "reference");
        check_model(model, "reference", files[i]);
        hol_model_free(model);
    }
}

/* ---- messages ---- */

/* Two simulations in one context: each has its own messages and those of its model, the context has
 * all. */
static void test_messages_of_each(void **state) {
    (void)state;
    hol_context *ctx = hol_context_new();
    hol_options *options = hol_options_new(ctx);
    hol_model *plain = open_model("four_bar", "reference"),
              *redundant = open_model("a04_bricard", "reference");
    hol_sim *a = hol_sim_new(ctx, plain, options), *b = hol_sim_new(ctx, redundant, options);
    assert_true(a && b);
    assert_int_equal(hol_message_count_of(hol_sim_context(a), HOL_WARNING), 0);
    assert_true(hol_message_count_of(hol_sim_context(b), HOL_WARNING) > 0);
    assert_int_equal(hol_message_count(ctx), hol_message_count(hol_sim_context(b)));
    hol_sim_free(a);
    hol_sim_free(b);
    hol_model_free(plain);
    hol_model_free(redundant);
    hol_options_free(options);
    hol_context_free(ctx);
}

/* The warnings that a result file stores; "" where there are none. */
static void stored_warnings(hol_context *ctx, const char *path, char *buf, size_t size) {
    hol_result *result = hol_result_read(ctx, path);
    assert_non_null(result);
    const char *text = hol_result_text(result, "statistics.warnings");
    snprintf(buf, size, "%s", text ? text : "");
    hol_result_free(result);
}

/* A result file has the warnings of its own run, also when another one in the same context has
 * others. */
static void test_results_of_each(void **state) {
    static const char *const files[] = {"four_bar", "a04_bricard"}, *const paths[] = {
                                                                        "plain.h5", "redundant.h5"};
    (void)state;
    if (!built_with("hdf5")) skip();
    hol_context *ctx = hol_context_new();
    hol_model *model[2];
    hol_sim *sim[2];
    hol_writer *writer[2];
    char text[2][4096];
    for (int i = 0; i < 2; i++) {
        model[i] = open_model(files[i], "reference");
        sim[i] = hol_sim_new(ctx, model[i], NULL);
        writer[i] = hol_writer_open(sim[i], paths[i]);
        assert_non_null(writer[i]);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(hol_sim_advance(sim[i], 0.01), HOL_OK);
        assert_int_equal(hol_writer_record(writer[i]), HOL_OK);
        assert_int_equal(hol_writer_close(writer[i]), HOL_OK);
        stored_warnings(ctx, paths[i], text[i], sizeof text[i]);
        hol_sim_free(sim[i]);
        hol_model_free(model[i]);
        remove(paths[i]);
    }
    assert_string_equal(text[0], "");
    assert_non_null(strstr(text[1], "redundant"));
    hol_context_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_space),
        cmocka_unit_test(test_redundant),
        cmocka_unit_test(test_elements),
        cmocka_unit_test(test_messages_of_each),
        cmocka_unit_test(test_results_of_each),
    };
    return run_tests_of_models("threads", tests);
}

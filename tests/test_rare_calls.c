/* test_rare_calls.c: calls of the library that ask for what there is not, and that the program does
 * not make: the status, and words that say what would do. */
#define _POSIX_C_SOURCE 200809L
#include "model_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define PENDULUM                                                                                   \
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"                                             \
    "bodies:\n  rod: {mass: 1.27, inertia: 0.0715, along: [[0, 0], [0.66, 0.5]]}\n"                \
    "joints:\n  pivot: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"                      \
    "simulation: {end: 0.3, output: 0.1}\n"
#define GRIP                                                                                       \
    "forces:\n  grip: {type: torsion, joint: pivot, stiffness: 20, active: 'rod.angle < 0.5'}\n"

/* The status is the one wanted, and the last error has these words. */
static void must_say(const hol_context *ctx, hol_status status, hol_status wanted,
                     const char *words) {
    const hol_message *last = run_last_error(ctx);
    if (status != wanted || !last || !strstr(last->text, words)) {
        run_print_messages(ctx);
        fail_msg("status %d instead of %d, wanted '%s'", (int)status, (int)wanted, words);
    }
}

static hol_spec *spec_of(hol_context *ctx, const char *text) {
    hol_spec *spec = hol_spec_new(ctx);
    assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
    return spec;
}

static hol_status no_force(void *user, hol_data *data) {
    (void)user, (void)data;
    return HOL_OK;
}

/* Digits that numbers do not have; runs that cannot be made again. */
static void test_certify(void **state) {
    (void)state;
    run r = run_text(PENDULUM, NULL);
    hol_spec *spec = spec_of(r.ctx, PENDULUM);
    hol_answer *answer = NULL;
    int certified = 0;
    const hol_certify_options many = {.size = sizeof many, .digits = 14.5};
    must_say(r.ctx, hol_certify(r.ctx, spec, &many, &answer), HOL_ERR_ARGUMENT,
             "14.5 digits are more than a number of the machine holds");
    assert_null(answer);
    must_say(r.ctx, hol_certify_run(r.ctx, spec, r.sim, &certified), HOL_ERR_ARGUMENT,
             "the run has not come to its end");
    run_close(&r);
    r = run_text(PENDULUM, NULL);
    hol_spec_free(spec);
    spec = spec_of(r.ctx, PENDULUM);
    hol_sim_on_force(r.sim, no_force, NULL);
    run_whole(&r);
    must_say(r.ctx, hol_certify_run(r.ctx, spec, r.sim, &certified), HOL_ERR_ARGUMENT,
             "forces of the caller cannot be repeated in other runs");
    hol_spec_free(spec);
    run_close(&r);
}

static void test_lanes(void **state) {
    (void)state;
    hol_context *ctx = hol_context_new();
    hol_spec *spec = spec_of(ctx, PENDULUM);
    hol_answer *answer = NULL;
    const hol_generate_options how = {.size = sizeof how, .folder = "rare_calls_none", .lanes = 3};
    must_say(ctx, hol_generate(ctx, spec, &how, &answer), HOL_ERR_ARGUMENT,
             "3 lanes: there are 4, 8 or none");
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* Write the records of a run, all of them or none, to a file. */
static void write_run(const char *text, const char *settings, hol_force_fn *push, const char *path,
                      int records) {
    run r = run_text(text, settings);
    if (push) hol_sim_on_force(r.sim, push, NULL);
    hol_writer *writer = hol_writer_open(r.sim, path);
    assert_non_null(writer);
    for (int i = 0; i < records; i++) {
        run_to(&r, 0.1 * i);
        assert_int_equal(hol_writer_record(writer), HOL_OK);
    }
    assert_int_equal(hol_writer_close(writer), HOL_OK);
    run_close(&r);
}

/* A folder for compiled code whose name leaves no room for those of its files. */
static void test_long_cache(void **state) {
    char name[4090] = "/";
    const hol_code_options how = {.size = sizeof how, .cache = name};
    hol_context *ctx = hol_context_new();
    hol_spec *spec = spec_of(ctx, PENDULUM);
    hol_code *code = NULL;
    (void)state;
    assert_int_equal(hol_spec_set(spec, "simulation.coordinates", "relative", "test"), HOL_OK);
    memset(name + 1, 'x', sizeof name - 2);
    name[sizeof name - 1] = '\0';
    must_say(ctx, hol_code_new(ctx, spec, &how, &code), HOL_ERR_IO,
             "the name of the folder for compiled code has 4089 characters; it may have ");
    assert_null(code);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* What went into a stream cannot be taken back when a run is resumed. */
static void test_stream(void **state) {
    static const char pipe[] = "test_rare_calls.csv", file[] = "test_rare_calls.checkpoint";
    remove(pipe);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    const int reader = open(pipe, O_RDWR);
    run r = run_text(PENDULUM, NULL);
    hol_writer *writer = hol_writer_open(r.sim, "stream:test_rare_calls.csv");
    hol_writer *const writers[] = {writer};
    const hol_checkpoint_parts parts = {.size = sizeof parts, .writers = writers, .n_writers = 1};
    (void)state;
    assert_non_null(writer);
    must_say(r.ctx, hol_checkpoint_write(r.sim, file, &parts), HOL_ERR_ARGUMENT,
             "there is no checkpoint of a run into a stream");
    hol_writer_discard(writer);
    assert_int_not_equal(access(file, F_OK), 0);
    close(reader);
    remove(pipe);
    run_close(&r);
}

/* A force that lifts the rod. */
static hol_status lift(void *user, hol_data *data) {
    const double force[3] = {0, 31.7, 0}, point[3] = {0.2, 0, 0};
    (void)user;
    return hol_data_add_force(data, 0, point, force);
}

/* Records that are not those of the simulation. */
static void test_restart(void **state) {
    static const char path[] = "test_rare_calls.h5";
    (void)state;
    if (!built_with("hdf5")) skip();
    write_run(PENDULUM, "coordinates=natural", NULL, path, 2);
    run r = run_text(PENDULUM, "coordinates=reference");
    must_say(r.ctx, hol_result_restart(r.ctx, path, 0.1, r.sim), HOL_ERR_INPUT,
             "the run had other coordinates; choose them by --coordinates");
    run_close(&r);
    write_run(PENDULUM, NULL, NULL, path, 0);
    r = run_text(PENDULUM, NULL);
    must_say(r.ctx, hol_result_restart(r.ctx, path, 0.1, r.sim), HOL_ERR_INPUT,
             "the result has no records");
    run_close(&r);
    write_run(PENDULUM GRIP, NULL, lift, path, 3);
    r = run_text(PENDULUM GRIP, NULL);
    must_say(r.ctx, hol_result_restart(r.ctx, path, 0.2, r.sim), HOL_ERR_INPUT,
             "a run up to t = 0.2 ends elsewhere (off by ");
    must_say(
        r.ctx, hol_result_restart(r.ctx, path, 0.1, r.sim), HOL_ERR_INPUT,
        "the simulation is at t = 0.2, beyond the record at t = 0.1, and has to be run up to it");
    run_close(&r);
    remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_certify), cmocka_unit_test(test_lanes),
                                       cmocka_unit_test(test_long_cache),
                                       cmocka_unit_test(test_stream),
                                       cmocka_unit_test(test_restart)};
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}

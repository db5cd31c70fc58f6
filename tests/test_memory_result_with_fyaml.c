/* test_memory_result_with_fyaml.c: the records of a run in memory: the numbers of the file that the
 * run would have written, and a file made of them afterwards; copies of descriptions;
 * parameters. */
#include "common.h"

#include <holonom/holonom.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
                           "parameters: {L: 600 mm, twice: 2*L, n: 3}\n"
                           "bodies: {rod: {mass: 2.5, inertia: 0.075, position: [L/2, 0]}}\n"
                           "joints: {pin: {type: revolute, bodies: [ground, rod], at: [0, 0]}}\n"
                           "measures: {angle: {type: angle, body: rod, unit: deg}}\n"
                           "simulation: {end: 0.75, output: 0.05, tolerance: 1e-9}\n";

typedef struct fixture {
    hol_context *ctx;
    hol_spec *spec;
    hol_options *options;
    hol_model *model;
    hol_sim *sim;
    hol_writer *memory, *file;
} fixture;

static void begin(fixture *f) {
    *f = (fixture){.ctx = hol_context_new()};
    f->spec = hol_spec_new(f->ctx);
    assert_int_equal(hol_spec_read_text(f->spec, text, "rod.yaml"), HOL_OK);
    f->model = hol_model_from_spec(f->ctx, f->spec, &f->options);
    assert_non_null(f->model);
    f->sim = hol_sim_new(f->ctx, f->model, f->options);
    assert_non_null(f->sim);
}

static void end(fixture *f) {
    hol_writer_discard(f->memory);
    hol_sim_free(f->sim);
    hol_model_free(f->model);
    hol_options_free(f->options);
    hol_spec_free(f->spec);
    hol_context_free(f->ctx);
}

static hol_status on_output(void *user, hol_sim *sim) {
    fixture *f = user;
    (void)sim;
    const hol_status status = hol_writer_record(f->memory);
    return status || !f->file ? status : hol_writer_record(f->file);
}

/* The quantity of that name. */
static hol_quantity find(const hol_writer *writer, const char *group, const char *name) {
    hol_quantity q = {.size = sizeof q};
    for (int i = 0; hol_writer_quantity(writer, i, &q) == HOL_OK; i++)
        if (strcmp(q.group, group) == 0 && strcmp(q.name, name) == 0) return q;
    fail_msg("there is no quantity %s %s", group, name);
    return q;
}

static void test_memory_has_the_numbers_of_the_file(void **state) {
    fixture f;
    int rows, width;
    (void)state;
    begin(&f);
    f.memory = hol_writer_open_memory(f.sim);
    f.file = hol_writer_open(f.sim, "run.csv");
    const hol_observer observer = {.on_output = on_output, .user = &f};
    assert_int_equal(hol_sim_run(f.sim, &observer), HOL_OK);
    assert_int_equal(hol_writer_close(f.file), HOL_OK);
    const double *values = hol_writer_values(f.memory, &rows, &width);
    assert_int_equal(rows, 16); /* 0, 0.05 … 0.75 */
    assert_int_equal(hol_writer_save(f.memory, "memory.csv"), HOL_OK);
    assert_int_equal(hol_writer_save(f.memory, "memory.csv"), HOL_OK); /* as often as wanted */
    hol_result *run = hol_result_read(f.ctx, "run.csv"),
               *again = hol_result_read(f.ctx, "memory.csv");
    assert_non_null(run);
    assert_non_null(again);
    const hol_quantity angle = find(f.memory, "measures", "angle");
    assert_string_equal(angle.unit, "deg");
    for (int i = 0; i < rows; i++) {
        const double *row = values + (size_t)i * (size_t)width;
        assert_true(row[angle.offset] == hol_result_values(run, 1)[i]);
        assert_true(row[0] == hol_result_values(run, 0)[i]);
        assert_true(hol_result_values(again, 1)[i] == hol_result_values(run, 1)[i]);
        /* the rod: its place follows from its angle */
        const hol_quantity place = find(f.memory, "bodies", "position");
        const double a = row[angle.offset] * acos(-1) / 180;
        assert_string_equal(place.names[0], "rod");
        assert_int_equal(place.rank, 2);
        assert_true(fabs(row[place.offset] - 0.3 * cos(a)) < 1e-12);
        assert_true(fabs(row[place.offset + 1] - 0.3 * sin(a)) < 1e-12);
    }
    hol_extremes x = {.size = sizeof x}, y = {.size = sizeof y};
    assert_int_equal(hol_result_extremes(run, 1, &x), HOL_OK);
    assert_int_equal(hol_result_extremes(again, 1, &y), HOL_OK);
    assert_true(x.minimum == y.minimum && x.maximum_time == y.maximum_time);
    hol_result_free(run);
    hol_result_free(again);
    end(&f);
}

static void test_memory_grows_and_is_cut(void **state) {
    fixture f;
    int rows, width;
    (void)state;
    begin(&f);
    f.memory = hol_writer_open_memory(f.sim);
    for (int i = 0; i < 1000; i++) assert_int_equal(hol_writer_record(f.memory), HOL_OK);
    assert_non_null(hol_writer_values(f.memory, &rows, &width));
    assert_int_equal(rows, 1000);
    assert_int_equal(hol_writer_cut(f.memory, 1001), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_writer_cut(f.memory, -1), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_writer_cut(f.memory, 7), HOL_OK);
    hol_writer_values(f.memory, &rows, NULL);
    assert_int_equal(rows, 7);
    assert_null(hol_writer_file(f.memory));
    assert_int_equal(hol_writer_save(f.memory, NULL), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_writer_save(f.memory, "x.txt"), HOL_ERR_INPUT);
    assert_null(hol_writer_values(NULL, &rows, &width));
    assert_int_equal(rows, 0);
    hol_quantity q = {.size = sizeof q};
    assert_int_equal(hol_writer_quantity(f.memory, -1, &q), HOL_ERR_ARGUMENT);
    assert_null(hol_writer_open_memory(NULL));
    hol_writer *file = hol_writer_open(f.sim, "y.csv");
    assert_int_equal(hol_writer_save(file, "z.csv"), HOL_ERR_ARGUMENT);
    assert_null(hol_writer_values(file, NULL, NULL));
    hol_writer_discard(file);
    assert_int_equal(hol_writer_close(f.memory), HOL_OK);
    f.memory = NULL;
    end(&f);
}

static void test_memory_has_its_limit(void **state) {
    fixture f;
    (void)state;
    begin(&f);
    hol_sim_free(f.sim);
    assert_int_equal(hol_options_set_real(f.options, "max_bytes", 3000), HOL_OK);
    f.sim = hol_sim_new(f.ctx, f.model, f.options);
    f.memory = hol_writer_open_memory(f.sim);
    hol_status status = HOL_OK;
    for (int i = 0; i < 100 && !status; i++) status = hol_writer_record(f.memory);
    assert_int_equal(status, HOL_ERR_TOLERANCE);
    const int n = hol_message_count(f.ctx);
    assert_non_null(strstr(hol_message_get(f.ctx, n - 1)->text, "the result in memory"));
    end(&f);
}

static void test_parameters_have_values(void **state) {
    fixture f;
    (void)state;
    begin(&f);
    assert_string_equal(hol_model_parameter(f.model, 0)->name, "L");
    assert_true(hol_model_parameter(f.model, 0)->value == 0.6);
    assert_string_equal(hol_model_parameter(f.model, 0)->unit, "m");
    assert_true(hol_model_parameter(f.model, 1)->value == 1.2);
    assert_string_equal(hol_model_parameter(f.model, 2)->unit, "");
    assert_null(hol_model_parameter(f.model, 3));
    assert_null(hol_model_parameter(f.model, -1));
    assert_null(hol_model_parameter(NULL, 0));
    end(&f);
}

static void test_a_copy_goes_its_own_way(void **state) {
    fixture f;
    (void)state;
    begin(&f);
    hol_context *other = hol_context_new();
    hol_spec *copy = hol_spec_copy(other, f.spec);
    assert_int_equal(hol_spec_set(copy, "L", "0.9", "test"), HOL_OK);
    hol_model *longer = hol_model_compile(other, copy, NULL);
    hol_model *same = hol_model_compile(f.ctx, f.spec, NULL);
    assert_true(hol_model_parameter(longer, 0)->value == 0.9);
    assert_true(hol_model_parameter(same, 0)->value == 0.6);
    assert_int_equal(hol_spec_set(copy, "nothing", "1", "test"), HOL_ERR_INPUT);
    hol_spec *failed = hol_spec_copy(other, copy);
    assert_null(hol_model_compile(other, failed, NULL)); /* what failed stays so in its copies */
    assert_null(hol_spec_copy(other, NULL));
    hol_model_free(longer);
    hol_model_free(same);
    hol_spec_free(failed);
    hol_spec_free(copy);
    hol_context_free(other);
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_has_the_numbers_of_the_file),
        cmocka_unit_test(test_memory_grows_and_is_cut),
        cmocka_unit_test(test_memory_has_its_limit),
        cmocka_unit_test(test_parameters_have_values),
        cmocka_unit_test(test_a_copy_goes_its_own_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

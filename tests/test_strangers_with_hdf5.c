/* test_strangers_with_hdf5.c: results from strangers: what leads out of the file is refused by
 * name, what is compressed is read, and no number or size in the file brings the reader or the
 * drawings down. */
#include "report_fixture.h"

#include "io/format.h"
#include "report/geometry.h"

#include <hdf5.h>
#include <holonom/report.h>
#include <math.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* For the leak checker, where the test is built with it: fonts stay loaded. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_options(void);

const char *__lsan_default_suppressions(void) {
    return "leak:libfontconfig\nleak:libhdf5";
}

const char *__lsan_default_options(void) {
    return "print_suppressions=0";
}

static const char result_file[] = "result.h5";
static const double SECRET = 2.385e7;

/* The first records of a run of the four-bar. */
static void write_result(void) {
    hol_context *ctx = hol_context_new();
    hol_model *model = hol_model_from_file(ctx, HOLONOM_TEST_MODELS "/four_bar.yaml", NULL);
    hol_sim *sim = model ? hol_sim_new(ctx, model, NULL) : NULL;
    unlink(result_file);
    hol_writer *writer = sim ? hol_writer_open(sim, result_file) : NULL;
    assert_non_null(writer);
    for (int i = 0; i < 12; i++) {
        assert_int_equal(hol_sim_advance(sim, 0.0123 * i), HOL_OK);
        assert_int_equal(hol_writer_record(writer), HOL_OK);
    }
    assert_int_equal(hol_writer_close(writer), HOL_OK);
    hol_sim_free(sim);
    hol_model_free(model);
    hol_context_free(ctx);
}

/* What is not to be read: numbers as HDF5 and as bytes. */
static void write_secrets(void) {
    double values[12];
    const hsize_t n = 12;
    for (int i = 0; i < 12; i++) values[i] = SECRET + i;
    FILE *bytes = fopen("secret.bin", "wb");
    assert_int_equal(fwrite(values, sizeof *values, 12, bytes), 12);
    fclose(bytes);
    const hid_t file = H5Fcreate("secret.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(1, &n, NULL);
    const hid_t set =
        H5Dcreate2(file, "/data", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(set);
    H5Sclose(space);
    assert_true(H5Fclose(file) >= 0);
}

/* ---- changes of a result ---- */

/* Put a dataset of n numbers (NULL: those of the secret) in the place of one, made as `create`
 * says. */
static void replace_set(hid_t file, const char *path, hid_t create, hsize_t n, double first) {
    const hid_t space = H5Screate_simple(1, &n, NULL);
    H5Ldelete(file, path, H5P_DEFAULT);
    const hid_t set =
        H5Dcreate2(file, path, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, create, H5P_DEFAULT);
    assert_true(set >= 0);
    if (isfinite(first)) {
        double *values = calloc((size_t)n, sizeof *values);
        for (hsize_t i = 0; i < n; i++) values[i] = first + 0.0123 * (double)i;
        assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
        free(values);
    }
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(create);
}

static void external_link(hid_t file) {
    H5Ldelete(file, "/energy/work", H5P_DEFAULT);
    H5Lcreate_external("secret.h5", "/data", file, "/energy/work", H5P_DEFAULT, H5P_DEFAULT);
}

static void external_group(hid_t file) {
    H5Ldelete(file, "/measures", H5P_DEFAULT);
    H5Lcreate_external("secret.h5", "/", file, "/measures", H5P_DEFAULT, H5P_DEFAULT);
}

static void external_measure(hid_t file) {
    H5Lcreate_external("secret.h5", "/data", file, "/measures/odd", H5P_DEFAULT, H5P_DEFAULT);
}

static void soft_link(hid_t file) {
    H5Lcreate_external("secret.h5", "/", file, "/away", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/away/data", file, "/measures/odd", H5P_DEFAULT, H5P_DEFAULT);
}

static hid_t traverse(const char *name, hid_t group, const void *data, size_t n, hid_t link,
                      hid_t transfer) {
    (void)name, (void)group, (void)data, (void)n, (void)link, (void)transfer;
    return -1;
}

static void user_link(hid_t file) {
    const H5L_class_t kind = {.version = H5L_LINK_CLASS_T_VERS,
                              .id = (H5L_type_t)187,
                              .comment = "odd",
                              .trav_func = traverse};
    assert_true(H5Lregister(&kind) >= 0);
    assert_true(H5Lcreate_ud(file, "/measures/odd", (H5L_type_t)187, "x", 1, H5P_DEFAULT,
                             H5P_DEFAULT) >= 0);
}

static void external_storage(hid_t file) {
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(create, "secret.bin", 0, 12 * sizeof(double));
    replace_set(file, "/energy/work", create, 12, NAN);
}

static void virtual_set(hid_t file) {
    const hsize_t n = 12;
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &n, NULL);
    H5Pset_virtual(create, space, "secret.h5", "/data", space);
    replace_set(file, "/energy/work", create, 12, NAN);
    H5Sclose(space);
}

static void other_filter(hid_t file) {
    const hsize_t chunk = 12;
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(create, 1, &chunk);
    H5Pset_nbit(create);
    replace_set(file, "/energy/work", create, 12, 0.5);
}

/* More numbers than even zeros that are compressed could stand for. */
static void bomb(hid_t file) {
    const hsize_t chunk = 1 << 20;
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(create, 1, &chunk);
    H5Pset_deflate(create, 9);
    replace_set(file, "/time", create, (hsize_t)2000000000, NAN);
}

/* As many zeros as can be compressed into the file, for a day of memory. */
static void dense_bomb(hid_t file) {
    const hsize_t chunk = 1 << 22, n = 1 << 26;
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(create, 1, &chunk);
    H5Pset_deflate(create, 9);
    H5Pset_alloc_time(create, H5D_ALLOC_TIME_EARLY);
    replace_set(file, "/bodies/position", create, n, NAN);
}

static const struct change {
    const char *name;
    void (*make)(hid_t file);
    const char *words, *also;
} changes[] = {
    {"external link", external_link, "'/energy/work'", "external link"},
    {"external group", external_group, "'/measures'", "external link"},
    {"external measure", external_measure, "'/measures/odd'", "external link"},
    {"soft link", soft_link, "'/measures/odd'", "soft link"},
    {"user-defined link", user_link, "'/measures/odd'", "user-defined link"},
    {"external storage", external_storage, "'/energy/work'", "external storage"},
    {"virtual dataset", virtual_set, "'/energy/work'", "virtual dataset"},
    {"filter", other_filter, "'/energy/work'", "filter 5 (nbit)"},
    {"bomb", bomb, "'/time'", "damaged"},
};

/* Change the result in place. */
static void change_result(void (*make)(hid_t file)) {
    const hid_t file = H5Fopen(result_file, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    make(file);
    assert_true(H5Fclose(file) >= 0);
}

/* ---- tests ---- */

/* Everything that leads out of the file, and what is too large, is refused by name. */
static void refused(void **state) {
    fixture *f = *state;
    write_secrets();
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        write_result();
        change_result(changes[i].make);
        hol_message_clear(f->ctx);
        hol_result *result = hol_result_read(f->ctx, result_file);
        const hol_message *m = hol_message_get(f->ctx, 0);
        if (result || !m || !strstr(m->text, changes[i].words) || !strstr(m->text, changes[i].also))
            fail_msg("%s: %s", changes[i].name, m ? m->text : "was read");
        assert_int_equal(m->status, HOL_ERR_IO);
        assert_string_equal(m->where.file, result_file);
    }
}

/* Whether there is a warning with these words. */
static int warned(const hol_context *ctx, const char *words) {
    int found = 0;
    for (int i = 0; i < hol_message_count(ctx); i++) {
        const hol_message *m = hol_message_get(ctx, i);
        found |= m->severity == HOL_WARNING && strstr(m->text, words);
        if (!found) print_message("%s\n", m->text);
    }
    return found;
}

/* The motion of bodies is refused in the same way; the page is written without it and says so. */
static void motion_elsewhere(hid_t file) {
    H5Ldelete(file, "/bodies/position", H5P_DEFAULT);
    H5Lcreate_external("secret.h5", "/data", file, "/bodies/position", H5P_DEFAULT, H5P_DEFAULT);
}

static void refused_motion(void **state) {
    fixture *f = *state;
    const char *const file[] = {result_file};
    if (!built_with("web")) skip();
    write_secrets();
    write_result();
    change_result(motion_elsewhere);
    assert_int_equal(hol_report_write(f->ctx, 1, file, "page.html"), HOL_OK);
    assert_true(warned(f->ctx, "bodies/position' is a link to another file"));
}

/* Deflate and shuffle, as h5repack puts them on. */
static void compress(hid_t file) {
    const hsize_t chunk = 5;
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(create, 1, &chunk);
    H5Pset_shuffle(create);
    H5Pset_deflate(create, 6);
    H5Pset_fletcher32(create);
    replace_set(file, "/time", create, 12, 0.375);
}

static void compressed(void **state) {
    fixture *f = *state;
    write_result();
    change_result(compress);
    hol_result *result = hol_result_read(f->ctx, result_file);
    if (!result) run_print_messages(f->ctx);
    assert_non_null(result);
    assert_int_equal(hol_result_rows(result), 12);
    for (int i = 0; i < 12; i++) assert_true(hol_result_values(result, 0)[i] == 0.375 + 0.0123 * i);
    hol_result_free(result);
}

/* The model that a result holds names no other files. */
static void name_file(hid_t file) {
    static const char text[] = "holonom: 1\ninclude: secret.yaml\n";
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, sizeof text);
    H5Ldelete(file, "/model", H5P_DEFAULT);
    const hid_t set =
        H5Dcreate2(file, "/model", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
}

static void stored_model(void **state) {
    fixture *f = *state;
    const char *const file[] = {result_file};
    if (!built_with("web") || !built_with("fyaml")) skip();
    write_result();
    change_result(name_file);
    FILE *secret = fopen("secret.yaml", "w");
    fputs("topsecret: 1\n", secret);
    fclose(secret);
    assert_int_equal(hol_report_write(f->ctx, 1, file, "page.html"), HOL_OK);
    char *page = slurp("page.html", NULL);
    assert_null(strstr(page, "topsecret"));
    assert_non_null(strstr(page, "may not name other files"));
    free(page);
    assert_true(warned(f->ctx, "may not name other files"));
}

static void drop_model(hid_t file) {
    H5Ldelete(file, "/model", H5P_DEFAULT);
}

/* Questions about a result are about the model in it: a result without one is not whole. */
static void no_model(void **state) {
    char command[2048];
    const char *program = getenv("HOLONOM_PROGRAM");
    (void)state;
    if (!program || !built_with("fyaml")) skip();
    write_result();
    change_result(drop_model);
    snprintf(command, sizeof command, "%s linearize %s >said.txt 2>&1", program, result_file);
    const int how = system(command);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 4);
    char *said = slurp("said.txt", NULL);
    assert_non_null(strstr(said, "cannot read 'result.h5': '/model' is damaged or missing"));
    free(said);
}

/* Positions that are no numbers, or out of all proportion. */
static double odd;
static void put_odd(hid_t file) {
    double values[12 * 3 * 8];
    const hid_t set = H5Dopen2(file, "/bodies/position", H5P_DEFAULT);
    hsize_t dims[3];
    const hid_t space = H5Dget_space(set);
    H5Sget_simple_extent_dims(space, dims, NULL);
    const size_t n = (size_t)(dims[0] * dims[1] * dims[2]);
    assert_true(n <= sizeof values / sizeof *values);
    H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    /* some only: an order that is no order is worse than none */
    for (size_t i = 0; i < n; i++)
        if (i % 7 == 3) values[i] = odd;
    assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Sclose(space);
    H5Dclose(set);
}

static void odd_positions(void **state) {
    static const double numbers[] = {NAN, INFINITY, -INFINITY, 1e308, -1.7e308, 1e-320};
    fixture *f = *state;
    const char *const file[] = {result_file};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        int n = 0;
        odd = numbers[i];
        write_result();
        change_result(put_odd);
        const hol_frames frames = {.rate = 20};
        assert_int_equal(hol_frames_write(f->ctx, result_file, &frames, ".", &n), HOL_OK);
        assert_true(n > 1);
        int told = 0;
        for (int k = 0; k < hol_message_count(f->ctx); k++)
            told |= strstr(hol_message_get(f->ctx, k)->text, "the motion is NaN or infinite") != 0;
        assert_int_equal(told, !isfinite(odd));
        hol_message_clear(f->ctx);
        if (built_with("cairo")) {
            const hol_frames png = {.rate = 20, .png = 1};
            assert_int_equal(hol_frames_write(f->ctx, result_file, &png, ".", &n), HOL_OK);
        }
        if (built_with("web"))
            assert_int_equal(hol_report_write(f->ctx, 1, file, "page.html"), HOL_OK);
        hol_message_clear(f->ctx);
    }
}

/* Points on one line, and points that are not finite, need no more room than 2 n. */
static void hulls(void **state) {
    enum { N = 40 };
    double points[2 * N], out[4 * N + 2];
    uint64_t word = 88172645463325252u;
    (void)state;
    for (int k = 0; k < 2000; k++) {
        const double slope = 1e-3 * (double)(next_word(&word) % 100000);
        for (int i = 0; i < N; i++) {
            const double x = 1e-9 * (double)(next_word(&word) % 1000000000);
            points[2 * i] = next_word(&word) % 5 || k % 2 ? x : NAN;
            points[2 * i + 1] = k % 3 ? slope * x + 0.1 : x * (double)(next_word(&word) % 7);
        }
        out[4 * N] = SECRET;
        const int n = hol__hull_around(points, N, 2, out);
        assert_true(n >= 0 && n <= 2 * N && out[4 * N] == SECRET);
        for (int i = 0; i < 2 * n; i++) assert_true(isfinite(out[i]));
    }
}

/* A small file that stands for gigabytes: refused, and no gigabyte was taken. */
static void small_but_dense(void **state) {
    fixture *f = *state;
    int dims[3];
    write_result();
    change_result(dense_bomb);
    hol_free(f->ctx, hol__hdf5_block(f->ctx, result_file, "bodies/position", dims));
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    assert_true(used.ru_maxrss < 1 << 20);
    getrusage(RUSAGE_CHILDREN, &used);
    assert_true(used.ru_maxrss < 1 << 20);
}

int main(void) {
    if (!built_with("fyaml")) {
        puts("1..0 # SKIP built without libfyaml");
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refused_motion, set_up, tear_down),
        cmocka_unit_test_setup_teardown(compressed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stored_model, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_model, set_up, tear_down),
        cmocka_unit_test_setup_teardown(odd_positions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hulls, set_up, tear_down),
        cmocka_unit_test_setup_teardown(small_but_dense, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_answer_files_with_hdf5.c: answers in HDF5 and MAT files, read by others than the program:
 * the numbers of a table, and formulas as texts. */
#include "asked.h"

#include <hdf5.h>

static const char text[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {L: 0.73, m: 2.385}\n"
    "bodies:\n  rod: {mass: m, inertia: m*L^2/12, position: [L/2, 0]}\n"
    "joints:\n  pivot: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
    "simulation: {end: 1, coordinates: relative}\n";

/* The texts of a dataset of one column; the caller's. */
static char *read_texts(const char *path, const char *name, hsize_t *rows, size_t *width) {
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(set >= 0);
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    hsize_t dims[2] = {0, 0};
    assert_int_equal(H5Sget_simple_extent_dims(space, dims, NULL), 2);
    *rows = dims[0] * dims[1];
    *width = H5Tget_size(type);
    char *out = calloc(*rows, *width);
    assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    H5Fclose(file);
    return out;
}

/* HDF5 opens what was written, and finds the mass matrix of the rod: m L^2/3. */
static void test_numbers(void **state) {
    (void)state;
    run r = run_text(text, NULL);
    hol_answer *answer = NULL;
    double M = 0;
    assert_int_equal(hol_equations(r.ctx, r.sim, &answer), HOL_OK);
    assert_int_equal(hol_answer_write(answer, "rod.h5"), HOL_OK);
    const hid_t file = H5Fopen("rod.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    const hid_t set = H5Dopen2(file, "M", H5P_DEFAULT);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &M) >= 0);
    assert_true(fabs(M - 2.385 * 0.73 * 0.73 / 3) < 1e-14);
    H5Dclose(set);
    H5Fclose(file);
    hol_answer_free(answer);
    run_close(&r);
}

/* The formulas are those of the answer, in both kinds of files. */
static void test_formulas(void **state) {
    (void)state;
    asked a = asked_new();
    assert_int_equal(hol_spec_read_text(a.spec, text, "rod.yaml"), HOL_OK);
    a.status = hol_equations_symbolic(a.ctx, a.spec, NULL, &a.answer);
    a = asked_well(a);
    assert_int_equal(hol_answer_write(a.answer, "rod.h5"), HOL_OK);
    assert_int_equal(hol_answer_write(a.answer, "rod.mat"), HOL_OK);
    const hol_table t = answer_table(a.answer, "motion");
    assert_true(t.formulas && t.latex && t.rows == 1 && t.columns == 1);
    for (int k = 0; k < 2; k++) {
        hsize_t rows;
        size_t width;
        char *found = read_texts("rod.h5", k ? "motion_latex" : "motion", &rows, &width);
        assert_int_equal(rows, 1);
        assert_string_equal(found, k ? t.latex[0] : t.formulas[0]);
        free(found);
    }
    /* in the MAT file a row of letters, two bytes each */
    FILE *file = fopen("rod.mat", "rb");
    assert_non_null(file);
    static char bytes[1 << 20];
    const size_t n = fread(bytes, 1, sizeof bytes, file), length = strlen(t.formulas[0]);
    fclose(file);
    int seen = 0;
    for (size_t i = 0; i + 2 * length <= n && !seen; i++) {
        size_t k = 0;
        for (unsigned short letter; k < length; k++) {
            memcpy(&letter, bytes + i + 2 * k, sizeof letter);
            if (letter != (unsigned char)t.formulas[0][k]) break;
        }
        seen = k == length;
    }
    assert_true(seen);
    done(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_formulas),
    };
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}

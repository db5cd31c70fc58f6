/* MAT files: what is written, read by a parser of its own that follows the description of level 5
 * [MathWorks, MAT-File Format], and whole results against the columns of the file that they were
 * made of. */
#include "model_fixture.h"

#include "base/text.h"
#include "io/mat.h"

#include <holonom/holonom.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELL = 1, STRUCT = 2, LETTERS = 4, NUMBERS = 6 };

/* A variable in the bytes of a file. */
typedef struct variable {
    int class, dims[3], n_values;
    const unsigned char
        *values; /* of numbers and letters; of cells and structs where their elements begin */
    const unsigned char *end;
    int n_fields;
    const char *fields; /* 64 bytes each */
} variable;

static uint32_t word(const unsigned char *at) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* The bytes of the element at *at, which moves behind it; small ones have their length in the tag.
 */
static const unsigned char *element(const unsigned char **at, uint32_t *type, uint32_t *n) {
    const unsigned char *start = *at + 8;
    *type = word(*at), *n = word(*at + 4);
    if (*type >> 16) {
        *n = *type >> 16, *type &= 0xFFFF;
        start = *at + 4;
        *at += 8;
        return start;
    }
    *at = start + (*n + 7) / 8 * 8;
    return start;
}

/* The variable at *at, and its name. */
static variable read_variable(const unsigned char **at, char name[64]) {
    variable v = {.dims = {1, 1, 1}};
    uint32_t type, n;
    const unsigned char *in = element(at, &type, &n), *part;
    assert_int_equal(type, 14);
    v.end = in + n;
    part = element(&in, &type, &n);
    assert_int_equal(type * 100 + n, 608);
    v.class = part[0];
    part = element(&in, &type, &n);
    assert_int_equal(type, 5);
    for (uint32_t i = 0; i < n / 4 && i < 3; i++) v.dims[i] = (int)word(part + 4 * i);
    part = element(&in, &type, &n);
    assert_int_equal(type, 1);
    assert_true(n < 64);
    memcpy(name, part, n);
    name[n] = '\0';
    if (v.class == STRUCT) {
        part = element(&in, &type, &n);
        assert_int_equal(word(part), 64);
        v.fields = (const char *)element(&in, &type, &n);
        v.n_fields = (int)n / 64;
    }
    v.values = in;
    if (v.class == NUMBERS || v.class == LETTERS) {
        v.values = element(&in, &type, &n);
        assert_int_equal(type, v.class == NUMBERS ? 9 : 4);
        v.n_values = (int)n / (v.class == NUMBERS ? 8 : 2);
        assert_int_equal(v.n_values, v.dims[0] * v.dims[1] * v.dims[2]);
    }
    return v;
}

/* A field of a struct, or element k of a cell array. */
static variable inside(const variable *v, const char *field, int k) {
    const unsigned char *at = v->values;
    char name[64];
    for (int i = 0; field && i < v->n_fields; i++)
        if (strcmp(v->fields + 64 * i, field) == 0) k = i;
    if (k < 0) fail_msg("there is no field %s", field);
    for (int i = 0; i < k; i++) read_variable(&at, name);
    const variable found = read_variable(&at, name);
    assert_true(at <= v->end);
    assert_string_equal(name, "");
    return found;
}

/* Value i of a variable of numbers. */
static double number(const variable *v, int i) {
    double x;
    assert_int_equal(v->class, NUMBERS);
    memcpy(&x, v->values + 8 * i, 8);
    return x;
}

/* A row of letters of ASCII. */
static void check_letters(const variable *v, const char *expected) {
    char text[256] = "";
    assert_int_equal(v->class, LETTERS);
    assert_in_range(v->n_values, 0, 255);
    for (int i = 0; i < v->n_values; i++) text[i] = (char)v->values[2 * i];
    assert_string_equal(text, expected);
}

static void test_names(void **unused) {
    const char *texts[] = {"tip.x",
                           "tip_x",
                           "2nd",
                           "_a",
                           "",
                           "tip.x",
                           "a_name_that_is_longer_than_any_that_matlab_takes_in_a_struct_one",
                           "a_name_that_is_longer_than_any_that_matlab_takes_in_a_struct_one_2"};
    char names[8][HOL__MAT_NAME];
    (void)unused;
    hol__mat_names(texts, 8, names);
    assert_string_equal(names[0], "tip_x");
    assert_string_equal(names[1], "tip_x_2");
    assert_string_equal(names[2], "x2nd");
    assert_string_equal(names[3], "x_a");
    assert_string_equal(names[4], "x");
    assert_string_equal(names[5], "tip_x_3");
    assert_int_equal(strlen(names[6]), 63);
    assert_true(strcmp(names[6], names[7]) != 0 && strlen(names[7]) < 64);
}

static void test_values(void **unused) {
    hol_context *ctx = hol_context_new();
    hol__text out;
    char name[64];
    const char fields[][HOL__MAT_NAME] = {"block", "words", "letters"};
    double values[24];
    const int dims[3] = {2, 3, 4};
    const size_t steps[3] = {12, 4, 1};
    const char *words[] = {"\u00c4ste", "", "\U0001d6c0"};
    (void)unused;
    for (int i = 0; i < 24; i++) values[i] = 2.385 + 0.117 * i;
    hol__text_init(&out, ctx);
    hol__mat mat = hol__mat_begin(&out);
    const size_t start = hol__mat_struct(&mat, "all", 3, fields);
    hol__mat_numbers(&mat, NULL, dims, steps, values);
    hol__mat_texts(&mat, NULL, 3, words);
    hol__mat_rows(&mat, NULL, 3, words);
    hol__mat_end(&mat, start);
    assert_int_equal(hol__mat_status(&mat), HOL_OK);
    assert_int_equal(out.length % 8, 0);
    const unsigned char *at = (const unsigned char *)out.data + 128;
    assert_memory_equal(out.data + 124, "\0\1IM", 4);
    const variable all = read_variable(&at, name), block = inside(&all, "block", -1);
    assert_string_equal(name, "all");
    assert_ptr_equal(at, out.data + out.length);
    /* entry (1, 2, 3) stands at 1 + 2*2 + 2*3*3, column after column */
    assert_true(number(&block, 1 + 4 + 18) == values[12 + 8 + 3]);
    assert_true(number(&block, 0 + 2 + 6) == values[4 + 1]);
    const variable texts = inside(&all, "words", -1), first = inside(&texts, NULL, 0),
                   last = inside(&texts, NULL, 2), letters = inside(&all, "letters", -1);
    assert_int_equal(texts.class * 10 + texts.dims[0], 13);
    assert_int_equal(first.n_values, 4);
    assert_int_equal(first.values[0], 0xC4);
    assert_int_equal(last.n_values, 2); /* beyond U+FFFF: two units */
    assert_int_equal(last.values[1], 0xD8);
    assert_int_equal(letters.dims[0] * 10 + letters.dims[1], 34);
    assert_int_equal(letters.values[2 * 1], ' ');
    assert_int_equal(letters.values[2 * 3], 's');
    hol__text_free(&out);
    hol_context_free(ctx);
}

/* The bytes of a file; free them. */
static unsigned char *slurp(const char *path, size_t *n) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *n = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*n);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *n, file), *n);
    fclose(file);
    return bytes;
}

/* The four-bar for a second into a file. */
static void write_run(hol_context *ctx, const char *path) {
    hol_model *model = hol_model_from_file(ctx, HOLONOM_TEST_MODELS "/four_bar.yaml", NULL);
    hol_sim *sim = hol_sim_new(ctx, model, NULL);
    assert_non_null(sim);
    hol_writer *writer = hol_writer_open(sim, path);
    assert_non_null(writer);
    for (double t = 0; t < 0.83; t += 0.1) {
        assert_int_equal(hol_sim_advance(sim, t), HOL_OK);
        assert_int_equal(hol_writer_record(writer), HOL_OK);
    }
    assert_int_equal(hol_writer_close(writer), HOL_OK);
    hol_sim_free(sim);
    hol_model_free(model);
}

static void test_csv(void **unused) {
    hol_context *ctx = hol_context_new();
    size_t n;
    char name[64];
    (void)unused;
    write_run(ctx, "run.csv");
    assert_int_equal(hol_result_convert(ctx, "run.csv", "run.doc"), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_result_convert(ctx, "none.csv", "run.mat"), HOL_ERR_IO);
    assert_int_equal(hol_result_convert(ctx, "run.csv", "run.mat"), HOL_OK);
    unsigned char *bytes = slurp("run.mat", &n);
    const unsigned char *at = bytes + 128;
    const variable result = read_variable(&at, name), time = inside(&result, "time", -1),
                   measures = inside(&result, "measures", -1),
                   angle = inside(&measures, "crank_angle", -1),
                   units = inside(&result, "units", -1), of = inside(&units, "measures", -1),
                   unit = inside(&of, "crank_angle", -1);
    assert_string_equal(name, "result");
    assert_ptr_equal(at, bytes + n);
    assert_int_equal(time.dims[0], 9);
    assert_true(number(&time, 8) == 0.1 * 8 || fabs(number(&time, 8) - 0.8) < 1e-15);
    hol_result *csv = hol_result_read(ctx, "run.csv");
    const double *read = hol_result_values(csv, hol_result_find(csv, "crank_angle"));
    for (int i = 0; i < 9; i++) assert_true(number(&angle, i) == read[i]);
    check_letters(&unit, "rad");
    hol_result_free(csv);
    free(bytes);
    remove("run.mat"), remove("run.csv");
    hol_context_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_values),
                                       cmocka_unit_test(test_csv)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_locale.c: a host program that sets a locale with a decimal comma gets the same numbers,
 * files and messages, byte for byte, as one that sets none. The locale is made here, with
 * localedef, in the scratch folder of the test.
 */
#define _POSIX_C_SOURCE 200809L
#include "model_fixture.h"

#include "common/format.h"
#include "common/number.h"

#include <locale.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the locale ---- */

/* Make the locale `comma` and let setlocale find it; 0 where there is no localedef. */
static int make_locale(void) {
    static const char source[] = "comment_char %\nescape_char /\nLC_NUMERIC\ndecimal_point \",\"\n"
                                 "thousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n";
    char here[4096];
    FILE *file = fopen("comma.src", "w");
    assert_non_null(file);
    fputs(source, file);
    assert_int_equal(fclose(file), 0);
    assert_non_null(getcwd(here, sizeof here));
    setenv("LOCPATH", here, 1);
    /* it warns of the categories that are not there, with exit status 1 */
    if (system("localedef -c -i comma.src ./comma >localedef.log 2>&1") == -1) return 0;
    return access("comma/LC_NUMERIC", R_OK) == 0;
}

static void set_comma(int comma) {
    char text[8];
    assert_non_null(setlocale(LC_NUMERIC, comma ? "comma" : "C"));
    snprintf(text, sizeof text, "%g", 1.5);
    assert_string_equal(text, comma ? "1,5" : "1.5");
}

/* ---- formats ---- */

/* What hol__print writes in both locales, compared with snprintf in that of C. */
static void check_format(const char *format, ...) {
    char wanted[256], found[256];
    for (int comma = 0; comma < 2; comma++) {
        va_list args, again;
        va_start(args, format);
        va_copy(again, args);
        set_comma(0);
        const int n = vsnprintf(wanted, sizeof wanted, format, args);
        set_comma(comma);
        assert_int_equal(hol__vprint(found, sizeof found, format, again), n);
        assert_string_equal(found, wanted);
        va_end(args);
        va_end(again);
    }
    set_comma(0);
}

static void test_formats(void **state) {
    (void)state;
    char few[6];
    check_format("plain, 100%% of it");
    check_format("%g|%.3g|%12.4f|%-12.4e|%+.2f|%08.3f|%#g|%a", 2.385, -1e-7, 3.25, 1e300, 0.5, 2.5,
                 3.0, 0.15625);
    check_format("%.*g %*.*f %-*d|", 3, 2.71828, 9, 2, 1.005, 6, 42);
    check_format("%f %g %e", INFINITY, -INFINITY, 0.0);
    check_format("%d %i %u %x %X %o %c %s %.3s %10s|%-10s|", -7, 12, 7u, 255u, 255u, 8u, 'c',
                 "text", "shortened", "right", "left");
    check_format("%ld %lu %lld %llu %zu %zx %016llx %02X", -5L, 5UL, -6LL, ~0ULL, (size_t)77,
                 (size_t)255, 0xABCDEFULL, 10u);
    set_comma(1);
    assert_int_equal(hol__print(few, sizeof few, "%.3f and more", 2.5), 14);
    assert_string_equal(few, "2.500");
    assert_int_equal(hol__print(NULL, 0, "%s %d", "long", 5), 6);
    set_comma(0);
}

/* ---- whole runs ---- */

/* All bytes of a file. */
static char *bytes_of(const char *path, size_t *size) {
    struct stat about;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &about), 0);
    char *bytes = malloc((size_t)about.st_size + 1);
    assert_non_null(bytes);
    *size = fread(bytes, 1, (size_t)about.st_size, file);
    assert_int_equal(*size, about.st_size);
    bytes[*size] = '\0';
    fclose(file);
    return bytes;
}

static void same_file(const char *a, const char *b) {
    size_t n, m;
    char *x = bytes_of(a, &n), *y = bytes_of(b, &m);
    if (n != m || memcmp(x, y, n) != 0) fail_msg("%s and %s differ", a, b);
    free(x);
    free(y);
}

static hol_status record(void *user, hol_sim *sim) {
    (void)sim;
    return hol_writer_record(user);
}

/* A short run, written to a file; its last state and its messages into text. A model is the name
 * of a file, or the text of one. */
static void run_and_write(const char *model, const char *settings, const char *path, char *text,
                          size_t size) {
    run r = strchr(model, ':') ? run_text(model, settings) : run_open(model, settings);
    hol_writer *writer = hol_writer_open(r.sim, path);
    const hol_observer observer = {.on_output = record, .user = writer};
    char line[1024], number[HOL__NUMBER_SIZE];
    size_t used = 0;
    assert_non_null(writer);
    assert_int_equal(hol_sim_run(r.sim, &observer), HOL_OK);
    assert_int_equal(hol_writer_close(writer), HOL_OK);
    for (int i = 0; i < model_info(r.model).n_q && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s ",
                                 hol__number_text(hol_data_q(hol_sim_data(r.sim))[i], number));
    for (int i = 0; i < hol_message_count(r.ctx) && used < size; i++) {
        hol_message_format(hol_message_get(r.ctx, i), line, sizeof line);
        used += (size_t)snprintf(text + used, size - used, "\n%s", line);
    }
    run_close(&r);
}

/* A ball on the floor: exponent, slip speed and threshold of the contact are left to their
 * defaults, which have fractions. */
#define BALL                                                                                       \
    "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n  ball: {mass: 0.06, shape: {"   \
    "type: sphere, radius: 3.3 cm}, position: [0, 0, 0.1], velocity: [1.5, 0, 0]}\nforces:\n  "    \
    "floor: {type: contact_plane, bodies: [ground, ball], plane: [0, 0, 0], normal: [0, 0, 1], "   \
    "point: [0, 0, 0.1], radius: 3.3 cm, stiffness: 2e5, dissipation: flores, restitution: 0.8, "  \
    "friction: 0.4}\n"

/* Models with defaults that have a fraction, tables, units, natural coordinates, switches. */
static void test_runs(void **state) {
    static const char *const models[][2] = {
        {BALL, "end=0.2 output=0.02 tolerance=1e-6"},
        {"elements/contact_plane", "end=0.4 output=0.05"},
        {"elements/friction_lugre", "end=0.2 output=0.05"},
        {"elements/spring_table", "end=0.2 output=0.05"},
        {"elements/tyre", "end=0.1 output=0.02"},
        {"four_bar", "end=0.3 output=0.05 tolerance=1e-6"},
        {"four_bar_spatial_natural", "end=0.2 output=0.05"},
        {"engine", "end=0.02 output=0.005"},
        {"lift_off", "end=0.3 output=0.1"},
    };
    (void)state;
    static char plain[20000], other[20000];
    if (!run_reads_files()) skip();
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        set_comma(0);
        run_and_write(models[i][0], models[i][1], "plain.csv", plain, sizeof plain);
        set_comma(1);
        run_and_write(models[i][0], models[i][1], "comma.csv", other, sizeof other);
        set_comma(0);
        assert_string_equal(plain, other);
        same_file("plain.csv", "comma.csv");
    }
}

/* ---- texts ---- */

/* Everything that says numbers: schema, reference page, elements as text, errors. */
static char *all_texts(void) {
    static const char bad[] =
        "holonom: 1\nspace: planar\nbodies:\n  rod: {mass: -1.25, inertia: 0.1, angle: 2.5 kg}\n"
        "simulation: {tolerance: 7.5, step: 1.5 m}\n";
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    char *parts[2] = {hol_schema_json(ctx), hol_schema_markdown(ctx)}, line[1024];
    char *all = calloc(1, 400000);
    size_t used = 0;
    for (int i = 0; i < 2; i++) {
        used += (size_t)snprintf(all + used, 400000 - used, "%s\n", parts[i]);
        hol_free(ctx, parts[i]);
    }
    if (run_reads_files()) {
        hol_options *options = NULL;
        assert_int_equal(hol_spec_read_text(spec, bad, "bad.yaml"), HOL_OK);
        assert_null(hol_model_from_spec(ctx, spec, &options));
        assert_true(hol_message_count(ctx) >= 3);
    }
    for (int i = 0; i < hol_message_count(ctx); i++) {
        hol_message_format(hol_message_get(ctx, i), line, sizeof line);
        used += (size_t)snprintf(all + used, 400000 - used, "%s\n", line);
    }
    assert_true(used < 400000);
    hol_spec_free(spec);
    hol_context_free(ctx);
    return all;
}

static void test_texts(void **state) {
    (void)state;
    set_comma(0);
    char *plain = all_texts();
    set_comma(1);
    char *other = all_texts();
    set_comma(0);
    assert_int_equal(strcmp(plain, other), 0);
    free(plain);
    free(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_texts),
    };
    if (!make_locale()) {
        puts("1..0 # SKIP localedef is not here, so there is no locale with a comma");
        return 0;
    }
    return cmocka_run_group_tests_name("locale", tests, NULL, NULL);
}

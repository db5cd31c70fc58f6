/* test_answer.c: answers of analyses: what the equations of a pendulum say against numbers written
 * out here, in other units, and in every kind of file. */
#include "model_fixture.h"

#include <math.h>

/* A pendulum whose mass centre is l off its hinge, with the angle a against x and the speed w. */
static const double m = 2, J = 0.3, l = 0.5, a = 0.4, w = 3, g = 9.81;
static const char pendulum[] =
    "holonom: 1\nname: pendulum\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
    "  rod: {mass: 2, inertia: 0.3, position: [0.5*cos(0.4), 0.5*sin(0.4)], angle: 0.4, omega: 3, "
    "velocity: [-1.5*sin(0.4), 1.5*cos(0.4)]}\n"
    "joints:\n  hinge: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
    "simulation: {end: 1, coordinates: reference}\n";

static void open_pendulum(run *r, hol_answer **answer) {
    *r = run_text(pendulum, "method=lagrange");
    assert_int_equal(hol_sim_advance(r->sim, 0), HOL_OK);
    assert_int_equal(hol_equations(r->ctx, r->sim, answer), HOL_OK);
}

/* The signs of rows are free: A is known up to that. */
static void test_pendulum(void **unused) {
    const double x = l * cos(a), y = l * sin(a), alpha = -m * g * x / (J + m * l * l);
    hol_answer *answer;
    run r;
    (void)unused;
    open_pendulum(&r, &answer);
    const hol_table M = answer_table(answer, "M"), A = answer_table(answer, "A"),
                    Q = answer_table(answer, "Q"), c = answer_table(answer, "c"),
                    v = answer_table(answer, "velocities"),
                    acc = answer_table(answer, "accelerations"), R = answer_table(answer, "R"),
                    RMR = answer_table(answer, "RMR"), lambda = answer_table(answer, "lambda");
    assert_string_equal(hol_answer_title(answer), "equations of motion of pendulum");
    assert_int_equal(M.rows, 3);
    assert_int_equal(A.rows, 2);
    check_near("M", answer_entry(&M, 0, 0), m, 0);
    check_near("J", answer_entry(&M, 2, 2), J, 0);
    check_near("Q", answer_entry(&Q, 1, 0), -m * g, 1e-15);
    const double s = answer_entry(&A, 0, 0), t = answer_entry(&A, 1, 1);
    check_near("sign", fabs(s), 1, 1e-15);
    check_near("A", answer_entry(&A, 0, 2), s * y, 1e-15);
    check_near("A", answer_entry(&A, 1, 2), -t * x, 1e-15);
    check_near("c", answer_entry(&c, 0, 0), -s * w * w * x, 1e-14);
    check_near("c", answer_entry(&c, 1, 0), -t * w * w * y, 1e-14);
    check_near("omega", answer_entry(&v, 2, 0), w, 0);
    check_near("alpha", answer_entry(&acc, 2, 0), alpha, 1e-13);
    check_near("x''", answer_entry(&acc, 0, 0), -alpha * y - w * w * x, 1e-13);
    check_near("lambda", answer_entry(&lambda, 0, 0), s * -m * (-alpha * y - w * w * x), 1e-12);
    /* the free direction is (-y, x, 1) */
    const double size = sqrt(l * l + 1), turn = answer_entry(&R, 2, 0) > 0 ? 1 : -1;
    check_near("R", turn * answer_entry(&R, 0, 0), -y / size, 1e-15);
    check_near("R^T M R", answer_entry(&RMR, 0, 0), (m * l * l + J) / (size * size), 1e-15);
    assert_string_equal(M.row_names[2], "rod.angle");
    assert_string_equal(M.row_units[2], "N*m");
    assert_string_equal(M.column_units[0], "m/s^2");
    assert_string_equal(lambda.row_names[0], "hinge: translation x");
    assert_string_equal(lambda.row_units[0], "N");
    hol_answer_free(answer);
    run_close(&r);
}

/* Numbers follow the units: an entry of a matrix has that of its row over that of its column. */
static void test_units(void **unused) {
    hol_answer *answer;
    run r;
    (void)unused;
    open_pendulum(&r, &answer);
    assert_int_equal(hol_answer_set_units(answer, "length=mm,angle=deg"), HOL_OK);
    const double deg = 3.14159265358979323846 / 180;
    hol_table M = answer_table(answer, "M"), v = answer_table(answer, "velocities"),
              A = answer_table(answer, "A");
    assert_string_equal(M.row_units[2], "N*mm");
    assert_string_equal(M.column_units[2], "deg/s^2");
    check_near("kg in N s^2/mm", answer_entry(&M, 0, 0), m / 1000, 1e-18);
    check_near("J in N mm s^2/deg", answer_entry(&M, 2, 2), J * 1000 * deg, 1e-14);
    check_near("omega in deg/s", answer_entry(&v, 2, 0), w / deg, 1e-12);
    check_near("A in mm/deg", fabs(answer_entry(&A, 0, 2)), l * sin(a) * 1000 * deg, 1e-13);
    assert_int_equal(hol_answer_set_units(answer, NULL), HOL_OK);
    M = answer_table(answer, "M");
    check_near("back", answer_entry(&M, 2, 2), J, 0);
    assert_int_equal(hol_answer_set_units(answer, "length=parsec"), HOL_ERR_ARGUMENT);
    hol_answer_free(answer);
    run_close(&r);
}

/* A file of the test's folder as text, to be freed. */
static char *slurp(const char *path, size_t *n) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    *n = fread(text, 1, (1 << 20) - 1, file);
    fclose(file);
    remove(path);
    return text;
}

static void check_holds(const char *path, const char *words) {
    size_t n;
    char *text = slurp(path, &n);
    if (!strstr(text, words)) fail_msg("%s: no '%s' in\n%.2000s", path, words, text);
    free(text);
}

/* A matrix of a MAT file of level 5: elements of type 14 (8 bytes of tag) behind a head of 128
 * bytes, in them flags (16 bytes), two dimensions (16), the name (8 and its letters, padded to 8),
 * and the tag of the values. Returns the values' place; NULL: none of that name. */
static const char *find_mat(const char *text, size_t n, const char *name, int *rows, int *columns) {
    for (size_t i = 128; i + 56 <= n;) {
        int size, length, dims[2];
        memcpy(&size, text + i + 4, 4);
        memcpy(dims, text + i + 32, sizeof dims);
        memcpy(&length, text + i + 44, 4);
        if (strlen(name) == (size_t)length && memcmp(text + i + 48, name, (size_t)length) == 0) {
            *rows = dims[0], *columns = dims[1];
            return text + i + 48 + (length + 7) / 8 * 8 + 8;
        }
        i += 8 + (size_t)size;
    }
    return NULL;
}

static void test_files(void **unused) {
    hol_answer *answer;
    int rows = 0, columns = 0;
    size_t n;
    run r;
    (void)unused;
    open_pendulum(&r, &answer);
    assert_int_equal(hol_answer_write(answer, "pendulum.txt"), HOL_OK);
    check_holds("pendulum.txt", "\nM, the mass matrix\n");
    assert_int_equal(hol_answer_write(answer, "pendulum.json"), HOL_OK);
    check_holds("pendulum.json", "\"columns\": [\"rod.x\", \"rod.y\", \"rod.angle\"]");
    assert_int_equal(hol_answer_write(answer, "pendulum.csv"), HOL_OK);
    check_holds("pendulum.M.csv", "row,rod.x [m/s^2],rod.y [m/s^2],rod.angle [rad/s^2]\n"
                                  "rod.x [N],2,0,0\nrod.y [N],0,2,0\nrod.angle [N*m],0,0,0.3\n");
    assert_int_equal(hol_answer_write(answer, "pendulum.tex"), HOL_OK);
    check_holds("pendulum.tex", "\\mathrm{M} = \\begin{bmatrix}\n2 & 0 & 0 \\\\\n");
    assert_int_equal(hol_report_answer(r.ctx, answer, "pendulum.html"), HOL_OK);
    check_holds("pendulum.html", "<h2>M, the mass matrix</h2>");
    assert_int_equal(hol_answer_write(answer, "pendulum.mat"), HOL_OK);
    char *text = slurp("pendulum.mat", &n);
    const char *values = find_mat(text, n, "M", &rows, &columns);
    assert_non_null(values);
    assert_int_equal(rows * 10 + columns, 33);
    double inertia;
    unsigned short named;
    memcpy(&inertia, values + 8 * 8, 8);
    check_near("MAT", inertia, J, 0);
    values = find_mat(text, n, "M_rows", &rows, &columns);
    assert_non_null(values);
    memcpy(&named, values + sizeof named, sizeof named); /* the first letter of the second name */
    assert_int_equal(named, 'r');
    free(text);
    assert_int_equal(hol_answer_write(answer, "pendulum.doc"), HOL_ERR_ARGUMENT);
    for (int i = 0; i < hol_answer_tables(answer); i++) {
        hol_table table = {.size = sizeof table};
        char path[256];
        hol_answer_table(answer, i, &table);
        snprintf(path, sizeof path, "pendulum.%s.csv", table.name);
        remove(path);
    }
    hol_answer_free(answer);
    run_close(&r);
}

/* The system of a method has the accelerations as its solution: with the multipliers (kkt), for
 * these (schur), alone (penalty, whose own accelerations they are). */
static void test_system(void **unused) {
    static const struct {
        const char *settings;
        int a, lambda; /* whether these are the unknowns */
    } cases[] = {{"method=lagrange", 1, 1},
                 {"method=baumgarte", 1, 1},
                 {"method=lagrange kernel=schur", 0, 1},
                 {"method=penalty", 1, 0}};
    (void)unused;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        run r = run_text(pendulum, cases[k].settings);
        hol_answer *answer;
        double x[5];
        int n = 0;
        assert_int_equal(hol_sim_advance(r.sim, 0), HOL_OK);
        assert_int_equal(hol_equations(r.ctx, r.sim, &answer), HOL_OK);
        const hol_table system = answer_table(answer, "system"),
                        acc = answer_table(answer, "accelerations"),
                        lambda = answer_table(answer, "lambda");
        for (int i = 0; cases[k].a && i < 3; i++) x[n++] = answer_entry(&acc, i, 0);
        for (int i = 0; cases[k].lambda && i < 2; i++) x[n++] = answer_entry(&lambda, i, 0);
        assert_int_equal(system.rows, n);
        assert_int_equal(system.columns, n + 1);
        for (int i = 0; i < n; i++) {
            double sum = 0, size = 0;
            for (int j = 0; j < n; j++) {
                sum += answer_entry(&system, i, j) * x[j];
                size += fabs(answer_entry(&system, i, j) * x[j]);
            }
            check_near(cases[k].settings, sum, answer_entry(&system, i, n), 1e-13 * (1 + size));
        }
        hol_answer_free(answer);
        run_close(&r);
    }
}

/* With an orthonormal basis and S c of minimum norm, S c is at right angles to R and z = R^T v':
 * one number for the pendulum, whose sign is that of the basis. */
static void test_reduced_system(void **unused) {
    static const char *const bases[] = {"qr", "svd"};
    (void)unused;
    for (int k = 0; k < 2; k++) {
        char settings[64];
        snprintf(settings, sizeof settings, "method=nullspace basis=%s coordinates=reference",
                 bases[k]);
        run r = run_text(pendulum, settings);
        hol_answer *answer;
        assert_int_equal(hol_sim_advance(r.sim, 0), HOL_OK);
        assert_int_equal(hol_equations(r.ctx, r.sim, &answer), HOL_OK);
        const hol_table system = answer_table(answer, "system"),
                        acc = answer_table(answer, "accelerations"), R = answer_table(answer, "R");
        double z = 0;
        for (int i = 0; i < 3; i++) z += answer_entry(&R, i, 0) * answer_entry(&acc, i, 0);
        assert_int_equal(system.rows, 1);
        assert_int_equal(system.columns, 2);
        assert_true(fabs(z) > 0.1);
        check_near(settings, fabs(answer_entry(&system, 0, 1)),
                   answer_entry(&system, 0, 0) * fabs(z), 1e-12);
        hol_answer_free(answer);
        run_close(&r);
    }
}

/* A joint that is named from the moving body to ground: its unknown counts the other way, and the
 * answer says so. */
static void test_reversed(void **unused) {
    static const char *const orders[] = {"[ground, rod]", "[rod, ground]"};
    (void)unused;
    for (int k = 0; k < 2; k++) {
        char text[500];
        snprintf(text, sizeof text,
                 "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
                 "  rod: {mass: 1.3, inertia: 0.07, along: [[0, 0], [0.71, 0]], omega: 2.385}\n"
                 "joints:\n  hinge: {type: revolute, bodies: %s, at: [0, 0]}\nmeasures:\n"
                 "  rate: {type: joint_coordinate, joint: hinge, component: angle_rate}\n",
                 orders[k]);
        run r = run_text(text, "coordinates=relative");
        hol_answer *answer;
        hol_fact fact = {.size = sizeof fact};
        int said = 0;
        assert_int_equal(hol_sim_advance(r.sim, 0), HOL_OK);
        assert_int_equal(hol_equations(r.ctx, r.sim, &answer), HOL_OK);
        for (int i = 0; hol_answer_fact(answer, i, &fact) == HOL_OK; i++)
            said |= strcmp(fact.key, "reversed") == 0;
        assert_int_equal(said, k);
        const hol_table v = answer_table(answer, "velocities");
        check_near("velocity", answer_entry(&v, 0, 0), 2.385, 1e-15);
        check_near("rate", run_measure(&r, "rate"), k ? -2.385 : 2.385, 1e-15);
        hol_answer_free(answer);
        run_close(&r);
    }
}

/* Rows say what they measure: a segment has a length, a unit vector a number, and a rack, which
 * couples metres to radians, is told without a unit. */
static void test_row_units(void **unused) {
    static const struct {
        const char *model, *settings, *direction, *unit, *load;
    } rows[] = {
        {"slider_crank_spatial", "coordinates=natural", "length of its unit vector", "1/s", "N*m"},
        {"four_bar", "coordinates=natural", "length of its segment", "m/s", "N"},
        {"elements/rack_pinion", "coordinates=reference", "rack", "", ""}};
    (void)unused;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        run r = run_open(rows[k].model, rows[k].settings);
        hol_answer *answer;
        int found = 0;
        assert_int_equal(hol_sim_advance(r.sim, 0), HOL_OK);
        assert_int_equal(hol_equations(r.ctx, r.sim, &answer), HOL_OK);
        const hol_table b = answer_table(answer, "b"), lambda = answer_table(answer, "lambda");
        for (int i = 0; i < b.rows; i++) {
            if (!strstr(b.row_names[i], rows[k].direction)) continue;
            assert_string_equal(b.row_units[i], rows[k].unit);
            assert_string_equal(lambda.row_units[i], rows[k].load);
            found++;
        }
        assert_true(found > 0);
        hol_answer_free(answer);
        run_close(&r);
    }
}

/* What is asked wrongly is refused. */
static void test_arguments(void **unused) {
    hol_answer *answer;
    hol_fact fact = {.size = sizeof fact};
    hol_table table = {.size = sizeof table};
    run r;
    (void)unused;
    open_pendulum(&r, &answer);
    assert_int_equal(hol_answer_find(answer, "nothing"), -1);
    assert_int_equal(hol_answer_table(answer, -1, &table), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_answer_fact(answer, 1000, &fact), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_answer_fact(NULL, 0, &fact), HOL_ERR_ARGUMENT);
    assert_true(isnan(hol_answer_value(answer, "nothing")));
    check_near("velocities", hol_answer_value(answer, "velocities"), 3, 0);
    assert_int_equal(hol_equations(r.ctx, NULL, &answer), HOL_ERR_ARGUMENT);
    hol_answer_free(answer);
    hol_answer_free(NULL);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum),       cmocka_unit_test(test_units),
        cmocka_unit_test(test_files),          cmocka_unit_test(test_system),
        cmocka_unit_test(test_reduced_system), cmocka_unit_test(test_reversed),
        cmocka_unit_test(test_row_units),      cmocka_unit_test(test_arguments),
    };
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}

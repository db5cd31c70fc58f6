/* test_equations_symbolic.c: equations as formulas: those of textbooks, those of a loop, the
 * systems of the methods, files, errors; and of every model in every set of coordinates: they agree
 * with the numbers of the library (which the call itself checks), or an error says why not. */
#define _POSIX_C_SOURCE 200809L
#include "analysis/symbolic.h"
#include "tangent_fixture.h"

#include <ctype.h>
#include <math.h>

/* The answer for a text with settings "key=value,key=value"; NULL: an error, which is kept. */
static hol_answer *ask(hol_context *ctx, const char *text, const char *settings,
                       const hol_symbolic_options *how, hol_status *status) {
    hol_spec *spec = hol_spec_new(ctx);
    hol_answer *answer = NULL;
    assert_int_equal(hol_spec_read_text(spec, text, "model.yaml"), HOL_OK);
    char copy[200];
    snprintf(copy, sizeof copy, "%s", settings);
    for (char *pair = strtok(copy, ","); pair; pair = strtok(NULL, ",")) {
        char *equals = strchr(pair, '='), path[100];
        *equals = '\0';
        snprintf(path, sizeof path, "simulation.%s", pair);
        assert_int_equal(hol_spec_set(spec, path, equals + 1, "test"), HOL_OK);
    }
    *status = hol_equations_symbolic(ctx, spec, how, &answer);
    hol_spec_free(spec);
    return answer;
}

static const char *formula(const hol_answer *answer, const char *table, int i, int j) {
    const hol_table t = answer_table(answer, table);
    assert_non_null(t.name);
    assert_non_null(t.formulas);
    return t.formulas[i * t.columns + j];
}

static const char *latex(const hol_answer *answer, const char *table, int i, int j) {
    const hol_table t = answer_table(answer, table);
    return t.latex[i * t.columns + j];
}

#define HEAD "holonom: 1\nspace: planar\n"
#define PENDULUM                                                                                   \
    HEAD "gravity: [0, -g]\nparameters: {m: 2 kg, l: 600 mm, g: 9.81}\n"                           \
         "bodies:\n  rod: {mass: m, inertia: m*(2*l)^2/12, position: [0, -l], angle: -90 deg}\n"   \
         "joints:\n  phi: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"

/* m l^2 phi'' (with the inertia of a rod) = -m g l sin phi. */
static void pendulum(void **unused) {
    (void)unused;
    hol_status status;
    hol_context *ctx = hol_context_new();
    hol_answer *answer = ask(ctx, PENDULUM, "coordinates=relative", NULL, &status);
    assert_int_equal(status, HOL_OK);
    assert_string_equal(formula(answer, "M", 0, 0), "4*l^2*m/3");
    assert_string_equal(formula(answer, "Q", 0, 0), "-g*l*m*sin(phi)");
    assert_string_equal(formula(answer, "motion", 0, 0), "4*l^2*m*phi''/3 = -g*l*m*sin(phi)");
    assert_non_null(strstr(latex(answer, "motion", 0, 0), "\\frac{4\\,l^{2}\\,m\\,\\ddot{"));
    hol_answer_free(answer);
    /* reference-point coordinates: the same with two multipliers */
    answer = ask(ctx, PENDULUM, "coordinates=reference", NULL, &status);
    assert_int_equal(status, HOL_OK);
    assert_string_equal(formula(answer, "M", 0, 0), "m");
    assert_string_equal(formula(answer, "M", 2, 2), "l^2*m/3");
    assert_string_equal(formula(answer, "Q", 1, 0), "-g*m");
    assert_string_equal(formula(answer, "constraints", 0, 0), "rod.x - l*cos(rod.angle) = 0");
    assert_string_equal(formula(answer, "A", 0, 2), "l*sin(rod.angle)");
    assert_string_equal(formula(answer, "c", 1, 0), "-l*sin(rod.angle)*rod.angle'^2");
    hol_answer_free(answer);
    hol_context_free(ctx);
}

/* Two point masses on rods without mass: the equations of every textbook. */
static void double_pendulum(void **unused) {
    static const char text[] = HEAD
        "gravity: [0, -g]\nparameters: {m1: 1.3, m2: 0.7, l1: 0.9, l2: 0.6, g: 9.81, J: 1e-3}\n"
        "bodies:\n  a: {mass: m1, inertia: J, position: [0, -l1], angle: -90 deg}\n"
        "  b: {mass: m2, inertia: J, position: [0, -l1 - l2], angle: -90 deg}\n"
        "joints:\n  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
        "  B: {type: revolute, bodies: [a, b], at: [0, -l1]}\n";
    (void)unused;
    hol_status status;
    hol_context *ctx = hol_context_new();
    hol_answer *answer = ask(ctx, text, "coordinates=relative", NULL, &status);
    assert_int_equal(status, HOL_OK);
    assert_string_equal(formula(answer, "M", 1, 1), "J + l2^2*m2");
    assert_string_equal(formula(answer, "M", 0, 1), "J + l2*m2*(l1*cos(B) + l2)");
    assert_string_equal(formula(answer, "Q", 1, 0), "-l2*m2*(g*sin(A + B) + l1*sin(B)*A'^2)");
    hol_answer_free(answer);
    hol_context_free(ctx);
}

/* A cart on a rail with a pole, a push and a viscous brake. */
static void cart_pole(void **unused) {
    static const char text[] =
        HEAD "gravity: [0, -g]\nparameters: {M: 1.5, m: 0.2, l: 0.4, g: 9.81, F: 3, c: 0.3}\n"
             "bodies:\n  cart: {mass: M, inertia: 0.1, position: [0, 0]}\n"
             "  pole: {mass: m, inertia: m*l^2/3, position: [0, l], angle: 90 deg}\n"
             "joints:\n  x: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}\n"
             "  phi: {type: revolute, bodies: [cart, pole], at: [0, 0]}\n"
             "forces:\n  push: {type: force, body: cart, force: [F*sin(2*t), 0]}\n"
             "  brake: {type: torsion, joint: phi, damping: c}\n";
    (void)unused;
    hol_status status;
    hol_context *ctx = hol_context_new();
    hol_answer *answer = ask(ctx, text, "coordinates=relative", NULL, &status);
    assert_int_equal(status, HOL_OK);
    assert_string_equal(formula(answer, "M", 0, 0), "M + m");
    assert_string_equal(formula(answer, "M", 0, 1), "-l*m*cos(phi)");
    assert_string_equal(formula(answer, "M", 1, 1), "4*l^2*m/3");
    assert_string_equal(formula(answer, "Q", 0, 0), "F*sin(2*t) - l*m*sin(phi)*phi'^2");
    assert_string_equal(formula(answer, "Q", 1, 0), "g*l*m*sin(phi) - c*phi'");
    hol_answer_free(answer);
    hol_context_free(ctx);
}

/* ---- the systems of the methods ---- */

/* A slider-crank with its loop: R from elimination fits A. */
static void loop(void **unused) {
    static const char text[] =
        HEAD "gravity: [0, -g]\nparameters: {r: 0.2, l: 0.7, m: 1.1, g: 9.81}\n"
             "bodies:\n  crank: {mass: m, inertia: m*r^2/12, position: [r/2, 0]}\n"
             "  rod: {mass: m, inertia: m*l^2/12, position: [r + l/2, 0]}\n"
             "joints:\n  O: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
             "  P: {type: revolute, bodies: [crank, rod], at: [r, 0]}\n"
             "  S: {type: generic, bodies: [ground, rod], at: [r + l, 0], lock: [y]}\n";
    (void)unused;
    hol_status status;
    hol_context *ctx = hol_context_new();
    hol_answer *answer = ask(ctx, text, "coordinates=relative,method=nullspace", NULL, &status);
    assert_int_equal(status, HOL_OK);
    assert_string_equal(formula(answer, "constraints", 0, 0), "l*sin(O + P) + r*sin(O) = 0");
    assert_string_equal(formula(answer, "A", 0, 1), "l*cos(O + P)");
    const hol_table R = answer_table(answer, "R");
    assert_int_equal(R.columns, 1);
    assert_string_equal(formula(answer, "R", 0, 0), "1");
    assert_string_equal(formula(answer, "R", 1, 0), "-r*cos(O)/(l*cos(O + P)) - 1");
    assert_non_null(formula(answer, "system", 0, 0));
    assert_non_null(formula(answer, "right", 0, 0));
    hol_answer_free(answer);
    hol_context_free(ctx);
}

/* Every method has its formulas, or says in words what it solves. */
static void methods(void **unused) {
    (void)unused;
    int n = 0;
    for (int i = 0; hol_method_get(i); i++) {
        const hol_method_doc doc = *hol_method_get(i);
        char settings[100];
        hol_status status;
        hol_context *ctx = hol_context_new();
        snprintf(settings, sizeof settings, "coordinates=reference,method=%s", doc.name);
        hol_answer *answer = ask(ctx, PENDULUM, settings, NULL, &status);
        if (status && !run_last_error(ctx)) fail_msg("%s says nothing", doc.name);
        if (answer) {
            const int told = hol_answer_find(answer, "system") >= 0 ||
                             hol_answer_find(answer, "momenta") >= 0 ||
                             hol_answer_find(answer, "free") >= 0;
            if (!told) print_message("%s: in words\n", doc.name);
            n += told;
        }
        hol_answer_free(answer);
        hol_context_free(ctx);
    }
    print_message("%d methods with formulas\n", n);
    assert_true(n > 10);
}

/* ---- files ---- */

/* Braces and brackets of LaTeX close; nothing of C's formats is left. */
static void check_latex(const char *text, const char *what) {
    int depth = 0, left = 0;
    for (const char *c = text; *c; c++) {
        depth += (*c == '{') - (*c == '}');
        if (depth < 0) fail_msg("%s: a brace closes too early: %s", what, text);
        if (strncmp(c, "\\left", 5) == 0) left++;
        if (strncmp(c, "\\right", 6) == 0) left--;
        if ((unsigned char)*c < 32 && *c != '\n') fail_msg("%s: a control character", what);
    }
    if (depth || left) fail_msg("%s: braces or brackets stay open: %s", what, text);
}

static void files(void **unused) {
    static const char *const good[] = {"e.tex", "e.txt", "e.json", "e.html", "e.csv", "e.mat"};
    (void)unused;
    hol_status status;
    hol_context *ctx = hol_context_new();
    hol_answer *answer = ask(ctx, PENDULUM, "coordinates=reference", NULL, &status);
    assert_int_equal(status, HOL_OK);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_int_equal(strstr(good[i], "html") ? hol_report_answer(ctx, answer, good[i])
                                                 : hol_answer_write(answer, good[i]),
                         HOL_OK);
    char *json = hol_answer_to_json(answer), *plain = hol_answer_to_text(answer, 0);
    assert_non_null(strstr(json, "\"formulas\""));
    assert_non_null(strstr(json, "\"latex\""));
    assert_non_null(strstr(plain, "rod.x - l*cos(rod.angle) = 0"));
    hol_free(ctx, json);
    hol_free(ctx, plain);
    hol_answer_free(answer);
    hol_context_free(ctx);
}

/* ---- numbers and symbols ---- */

/* Numbers of the file stay, or get symbols of their own with their values. */
static void symbols(void **unused) {
    static const char text[] =
        HEAD "gravity: [0, -9.81]\nbodies:\n"
             "  rod: {mass: 2.5, inertia: 0.3, position: [0.4, 0]}\n"
             "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
             "forces:\n  s: {type: spring, bodies: [ground, rod], from: [0.5, 1], to: [0.8, 0], "
             "stiffness: 120, damping: 1.5}\n";
    (void)unused;
    hol_status status;
    hol_context *ctx = hol_context_new();
    hol_answer *answer = ask(ctx, text, "coordinates=reference", NULL, &status);
    assert_int_equal(status, HOL_OK);
    assert_string_equal(formula(answer, "M", 0, 0), "2.5");
    assert_true(hol_answer_find(answer, "symbols") < 0);
    assert_string_equal(formula(answer, "definitions", 0, 0),
                        "l_s = sqrt((rod.x + 0.4*cos(rod.angle) - 0.5)^2 + (rod.y + "
                        "0.4*sin(rod.angle) - 1)^2)");
    hol_answer_free(answer);
    const hol_symbolic_options all = {.size = sizeof all, .name_all = 1};
    answer = ask(ctx, text, "coordinates=reference", &all, &status);
    assert_int_equal(status, HOL_OK);
    assert_string_equal(formula(answer, "M", 0, 0), "m_rod");
    const hol_table values = answer_table(answer, "symbols");
    int found = 0;
    for (int i = 0; i < values.rows; i++)
        found += strcmp(values.row_names[i], "k_s") == 0 && values.values[i] == 120;
    assert_int_equal(found, 1);
    hol_answer_free(answer);
    hol_context_free(ctx);
}

/* What has no formula. */
static void refusals(void **unused) {
    static const char stop[] =
        HEAD "gravity: [0, -9.81]\nbodies:\n  rod: {mass: 2, inertia: 0.3, position: [0.4, 0]}\n"
             "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
             "forces:\n  top: {type: limit, joint: A, upper: 1, stiffness: 10}\n";
    (void)unused;
    hol_status status;
    hol_context *ctx = hol_context_new();
    hol_answer *answer = ask(ctx, stop, "coordinates=relative", NULL, &status);
    assert_int_equal(status, HOL_OK);
    assert_non_null(strstr(formula(answer, "Q", 0, 0), "T_top_rod"));
    hol_answer_free(answer);
    hol_context_free(ctx);
}

/* Rolling: the height of a coin is that of its rim, r times the sine of its axis to the normal,
 * and a disk, a ball, a wheel and a bicycle pass the check with the numbers of the library that
 * stands before every answer. */
static void rolling(void **unused) {
    static const char *const models[] = {"elements/rolling_disk", "elements/rolling_sphere",
                                         "elements/rolling_resistance", "gjb/problem_5_8",
                                         "bicycle"};
    (void)unused;
    for (int i = 0; i < 5; i++) {
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        hol_answer *answer = NULL;
        assert_int_equal(run_read(spec, models[i]), HOL_OK);
        assert_int_equal(run_settings(spec, "simulation.coordinates=reference"), HOL_OK);
        const hol_status status = hol_equations_symbolic(ctx, spec, NULL, &answer);
        if (status) run_print_messages(ctx);
        assert_int_equal(status, HOL_OK);
        if (i == 0) assert_string_equal(formula(answer, "Phi", 0, 0), "coin.z - r*d_roll");
        if (i == 2) assert_string_equal(formula(answer, "Phi", 0, 0), "ball.z - r");
        hol_answer_free(answer);
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
}

/* A wheel and a blade in space, whose directions are no axes of the body. */
static void wheels_in_space(void **unused) {
    static const char *const joints[] = {
        "wheel, bodies: [ground, cart], center: [0.4, 0, r], axis: [0, 1, 0.2], radius: r}",
        "knife_edge, bodies: [ground, cart], at: [-0.3, 0, 0], axis: [1, 0, 0.1]}"};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nparameters: {r: 0.31}\n"
                 "bodies:\n  cart: {mass: 2.3, inertia: [0.2, 0.3, 0.4], position: [0, 0, r]}\n"
                 "joints:\n  j: {type: %s\nsimulation: {end: 1}\n",
                 joints[i]);
        hol_context *ctx = hol_context_new();
        hol_status status;
        hol_answer *answer = ask(ctx, text, "coordinates=reference", NULL, &status);
        if (status) run_print_messages(ctx);
        assert_int_equal(status, HOL_OK);
        hol_answer_free(answer);
        hol_context_free(ctx);
    }
}

/* A joint without a formula is named, with its place. */
static void no_formula(void **unused) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_answer *answer = NULL;
    (void)unused;
    assert_int_equal(run_read(spec, "elements/cam"), HOL_OK);
    assert_int_equal(hol_equations_symbolic(ctx, spec, NULL, &answer), HOL_ERR_INPUT);
    assert_null(answer);
    const hol_message *error = run_last_error(ctx);
    assert_string_equal(error->element, "joint 'roller'");
    assert_true(error->where.line > 0);
    assert_non_null(strstr(error->text, "has no formula"));
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* A wrong term is found by the check that stands before every answer. */
static void wrong_term(void **unused) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_options *options = NULL;
    (void)unused;
    assert_int_equal(hol_spec_read_text(spec, PENDULUM, "model.yaml"), HOL_OK);
    hol_model *model = hol_model_from_spec(ctx, spec, &options);
    hol__equations e = {
        .ctx = ctx, .most = 20000, .quiet = hol_context_new(), .a = hol__algebra_new(ctx, 100000)};
    const hol_model *all[64];
    e.to = (hol__symbolic){.a = e.a, .model = model, .numbers = &e.numbers, .models = all};
    assert_int_equal(hol__symbolic_models(&e, spec, model), HOL_OK);
    assert_true(e.n_models > 4);
    for (int k = 0; k < e.n_models; k++) all[k] = k ? e.models[k] : model;
    e.to.n_models = e.n_models;
    assert_int_equal(hol__symbolic_derive(&e), HOL_OK);
    assert_int_equal(hol__symbolic_check(&e), HOL_OK);
    assert_true(e.worst < 1e-13);
    hol__sym *const terms[] = {e.M, e.Q, e.A, e.Phi, e.c};
    for (int i = 0; i < 5 && e.m; i++) {
        const hol__sym right = terms[i][0];
        terms[i][0] = hol__sym_add(e.a, right, hol__sym_number(e.a, 1e-9));
        assert_int_equal(hol__symbolic_check(&e), HOL_ERR_TOLERANCE);
        terms[i][0] = right;
    }
    assert_int_equal(hol__symbolic_check(&e), HOL_OK);
    for (int k = 1; k < e.n_models; k++) hol_model_free(e.models[k]);
    hol__algebra_free(e.a);
    hol_context_free(e.quiet);
    hol_options_free(options);
    hol_model_free(model);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* ---- numbers that cancel ---- */

static int failures;

/* No number of a formula is what rounding left of numbers that cancel. */
static void check_rounding(const char *text, const char *what) {
    for (const char *at = text; (at = strpbrk(at, "0123456789")) != NULL;) {
        char *end;
        const double x = strtod(at, &end);
        const int name = at > text && (isalpha((unsigned char)at[-1]) || at[-1] == '_');
        if (!name && x != 0 && fabs(x) < 1e-13 && failures++ < 20)
            print_error("%s: %g in %.200s\n", what, x, text);
        at = end;
    }
}

/* Numbers that cancel but for rounding leave no term: those of three skew links, whose centrifugal
 * terms by j1' j1' are 0.13 * 0.48 - 0.11 * 0.57 and the like. What does not act at the start is
 * told. */
static void nothing_left(void **unused) {
    static const char text[] =
        HEAD "gravity: [0, -g]\nparameters: {g: 9.81, k: 300}\nbodies:\n"
             "  crank: {mass: 1.1, inertia: 0.004, along: [[0, 0], [0.11, 0.13]]}\n"
             "  coupler: {mass: 2.3, inertia: 0.06, position: [0.37, 0.42]}\n"
             "  link: {mass: 1.2, inertia: 0.018, along: [[0.5, 0.77], [0.95, 0.7]]}\njoints:\n"
             "  j1: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
             "  j2: {type: revolute, bodies: [crank, coupler], at: [0.11, 0.13]}\n"
             "  j6: {type: revolute, bodies: [coupler, link], at: [0.5, 0.77]}\n"
             "  late: {type: motor, joint: j6, angle: 0.1, active: 't > 1'}\n";
    (void)unused;
    hol_status status;
    hol_context *ctx = hol_context_new();
    hol_answer *answer = ask(ctx, text, "coordinates=relative", NULL, &status);
    assert_int_equal(status, HOL_OK);
    const hol_table Q = answer_table(answer, "Q");
    for (int i = 0; i < 3; i++) check_rounding(Q.formulas[i], "Q");
    assert_int_equal(failures, 0);
    int told = 0;
    for (int i = 0; i < hol_message_count(ctx); i++) {
        const hol_message *m = hol_message_get(ctx, i);
        told += m->element && strcmp(m->element, "joint 'late'") == 0 &&
                strstr(m->text, "does not act at the start; its formulas are those") != NULL;
    }
    assert_int_equal(told, 1);
    hol_answer_free(answer);
    hol_context_free(ctx);
}

/* ---- every model ---- */

static int shown, refused, too_long;
static long operations;

static void check_texts(const hol_answer *answer, const char *what) {
    for (int i = 0; i < hol_answer_tables(answer); i++) {
        hol_table t = {.size = sizeof t};
        hol_answer_table(answer, i, &t);
        for (int k = 0; t.latex && k < t.rows * t.columns; k++) {
            check_latex(t.latex[k], what);
            check_rounding(t.formulas[k], what);
        }
    }
}

static void check_model(const char *file, const char *set, uint64_t *seed) {
    char what[300];
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_answer *answer = NULL;
    (void)seed;
    snprintf(what, sizeof what, "%s, %s", file, set);
    hol_status status = run_read(spec, file);
    if (!status) status = hol_spec_set(spec, "simulation.coordinates", set, "test");
    if (!status) status = hol_equations_symbolic(ctx, spec, NULL, &answer);
    const hol_message *error = run_last_error(ctx);
    if (answer) {
        shown++;
        operations += (long)hol_answer_value(answer, "operations");
        check_texts(answer, what);
    } else if (!error || status == HOL_ERR_TOLERANCE) {
        if (failures++ < 20) print_error("%s: %s\n", what, error ? error->text : "nothing said");
    } else if (strstr(error->text, "too long")) {
        too_long++;
    } else {
        refused++;
        print_message("%s: %s: %.100s\n", what, error->element ? error->element : "", error->text);
    }
    hol_answer_free(answer);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

static void models(void **unused) {
    (void)unused;
    if (each_model(check_model, 7)) assert_true(shown > 280);
    print_message("%d agree with the numbers (%ld operations), %d too long, %d refused\n", shown,
                  operations, too_long, refused);
    assert_int_equal(failures, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum),     cmocka_unit_test(double_pendulum),
        cmocka_unit_test(nothing_left), cmocka_unit_test(cart_pole),
        cmocka_unit_test(loop),         cmocka_unit_test(methods),
        cmocka_unit_test(files),        cmocka_unit_test(symbols),
        cmocka_unit_test(refusals),     cmocka_unit_test(models),
        cmocka_unit_test(rolling),      cmocka_unit_test(wheels_in_space),
        cmocka_unit_test(no_formula),   cmocka_unit_test(wrong_term),
    };
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}

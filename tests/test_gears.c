/* test_gears.c: gear trains reduced to their shafts: the rotary drive of [PV 6.1] with random
 * teeth, masses and slopes against the printed formulas, eigenvalues included; power flow; a train
 * in space; what is refused. */
#include "method_fixture.h"

static unsigned long long seed = 4101842887655102017ULL;

/* Between low and high. */
static double between(double low, double high) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.;
}

/* The drive with data of the test. */
typedef struct drive {
    double N2, N3, N4, N5, N6, I2, I3, I4, I5, I6, m5, kd1, kd2, kr;
} drive;

static run open_drive(const drive *d, const char *settings) {
    const struct {
        const char *path;
        double value;
    } keys[] = {{"parameters.N2", d->N2},        {"parameters.N3", d->N3},
                {"parameters.N4", d->N4},        {"parameters.N5", d->N5},
                {"parameters.N6", d->N6},        {"bodies.gear2.inertia", d->I2},
                {"bodies.arm3.inertia", d->I3},  {"bodies.gear4.inertia", d->I4},
                {"bodies.gear5.inertia", d->I5}, {"bodies.gear6.inertia", d->I6},
                {"bodies.gear5.mass", d->m5},    {"parameters.kd1", d->kd1},
                {"parameters.kd2", d->kd2},      {"parameters.kr", d->kr}};
    run r = {.ctx = hol_context_new()};
    hol_spec *spec = hol_spec_new(r.ctx);
    assert_int_equal(hol_spec_read_file(spec, HOLONOM_TEST_MODELS "/rotary_drive.yaml"), HOL_OK);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char text[64];
        snprintf(text, sizeof text, "%.17g", keys[i].value);
        assert_int_equal(hol_spec_set(spec, keys[i].path, text, "test"), HOL_OK);
    }
    hol_spec_set(spec, "simulation.coordinates", settings, "test");
    hol_options *options = NULL;
    r.model = hol_model_from_spec(r.ctx, spec, &options);
    assert_non_null(r.model);
    r.sim = hol_sim_new(r.ctx, r.model, options);
    assert_non_null(r.sim);
    hol_options_free(options);
    hol_spec_free(spec);
    return r;
}

static hol_answer *ask(run *r, int n, const char *const *shafts) {
    const hol_gears_options how = {.size = sizeof how, .n_shafts = n, .shafts = shafts};
    hol_answer *answer = NULL;
    assert_int_equal(hol_sim_advance(r->sim, sim_info(r->sim).t), HOL_OK);
    hol_gears(r->ctx, r->sim, &how, &answer);
    return answer;
}

/* Whichever shafts are chosen, the roots are those of the train. */
static void check_chosen(run *r, double low, double high) {
    hol_answer *answer = ask(r, 0, NULL);
    assert_non_null(answer);
    const hol_table e = answer_table(answer, "eigenvalues"), M = answer_table(answer, "M");
    const double x = answer_entry(&e, 0, 0), y = answer_entry(&e, 1, 0);
    assert_int_equal(M.rows, 2);
    assert_string_not_equal(M.row_names[0], M.row_names[1]);
    check_near("eigenvalue, chosen shafts", fmin(x, y), low, 1e-9 * (1 + fabs(low)));
    check_near("eigenvalue, chosen shafts", fmax(x, y), high, 1e-9 * (1 + fabs(high)));
    hol_answer_free(answer);
}

/* M, K, their characteristic equation and its roots, as printed. */
static void check_printed(const drive *d, const char *coordinates) {
    static const char *const shafts[] = {"gear2.angle", "gear4.angle"};
    const double t1 = -d->N3 / d->N2, t2 = -d->N4 / d->N5, t3 = d->N6 / d->N5,
                 delta = 0.002 * (d->N4 + d->N5);
    const double M11 = d->I2 + (d->I3 + d->m5 * delta * delta) / (t1 * t1) +
                       pow((t2 - 1) / t1, 2) * d->I5 + pow((t2 - t3) / (t1 * t3), 2) * d->I6,
                 M12 = (1 - t2) * t2 / t1 * d->I5 + (t3 - t2) * t2 / (t1 * t3 * t3) * d->I6,
                 M22 = d->I4 + d->I5 * t2 * t2 + t2 * t2 / (t3 * t3) * d->I6,
                 K11 = d->kd1 + pow((t2 - t3) / (t1 * t3), 2) * d->kr,
                 K12 = t2 * (t3 - t2) / (t1 * t3 * t3) * d->kr,
                 K22 = d->kd2 + t2 * t2 / (t3 * t3) * d->kr;
    run r = open_drive(d, coordinates);
    hol_answer *answer = ask(&r, 2, shafts);
    assert_non_null(answer);
    const hol_table M = answer_table(answer, "M"), K = answer_table(answer, "K"),
                    V = answer_table(answer, "V"), p = answer_table(answer, "characteristic"),
                    e = answer_table(answer, "eigenvalues");
    const double near = 1e-13 * (M11 + M22), slope = 1e-12 * (fabs(K11) + fabs(K22) + d->kr);
    check_near("M11", answer_entry(&M, 0, 0), M11, near);
    check_near("M12", answer_entry(&M, 0, 1), M12, near);
    check_near("M21", answer_entry(&M, 1, 0), M12, near);
    check_near("M22", answer_entry(&M, 1, 1), M22, near);
    check_near("K11", answer_entry(&K, 0, 0), K11, slope);
    check_near("K12", answer_entry(&K, 0, 1), K12, slope);
    check_near("K21", answer_entry(&K, 1, 0), K12, slope);
    check_near("K22", answer_entry(&K, 1, 1), K22, slope);
    check_near("V5,1", answer_entry(&V, 11, 0), (1 - t2) / t1, 1e-13);
    check_near("V6,2", answer_entry(&V, 14, 1), t2 / t3, 1e-13);
    const double a = M11 * M22 - M12 * M12, b = M11 * K22 + M22 * K11 - 2 * M12 * K12,
                 c = K11 * K22 - K12 * K12, s = b * b - 4 * a * c;
    check_near("lambda^2", answer_entry(&p, 2, 0), a, 1e-12 * (M11 + M22) * (M11 + M22));
    check_near("lambda^1", answer_entry(&p, 1, 0), b, 1e-11 * (fabs(b) + (M11 + M22) * d->kr));
    check_near("lambda^0", answer_entry(&p, 0, 0), c, 1e-11 * (fabs(c) + d->kr * d->kr));
    assert_true(s >= 0); /* symmetric M and K */
    const double low = (-b - sqrt(s)) / (2 * a), high = (-b + sqrt(s)) / (2 * a),
                 x = fmin(answer_entry(&e, 0, 0), answer_entry(&e, 1, 0)),
                 y = fmax(answer_entry(&e, 0, 0), answer_entry(&e, 1, 0));
    check_near("eigenvalue", x, low, 1e-9 * (1 + fabs(low)));
    check_near("eigenvalue", y, high, 1e-9 * (1 + fabs(high)));
    hol_answer_free(answer);
    check_chosen(&r, low, high);
    run_close(&r);
}

static void test_printed_formulas(void **unused) {
    (void)unused;
    for (int k = 0; k < 12; k++) {
        const drive d = {floor(between(12, 90)), floor(between(12, 90)), floor(between(12, 90)),
                         floor(between(12, 90)), floor(between(12, 90)), between(0.001, 0.1),
                         between(0.001, 0.1),    between(0.001, 0.1),    between(0.001, 0.1),
                         between(0.001, 0.1),    between(0.1, 3),        between(-0.05, 0.2),
                         between(-0.05, 0.2),    between(0, 0.2)};
        check_printed(&d, sets[k % N_SETS]);
    }
}

/* A pair of gears in space that turns steadily: what the motor gives arrives at the brake, through
 * the mesh. */
static void test_power(void **unused) {
    static const char *const shafts[] = {"in"};
    (void)unused;
    run r = run_text("holonom: 1\nspace: spatial\ngravity: [0, 0, 0]\nbodies:\n"
                     "  pinion: {mass: 1, inertia: [0.01, 0.01, 0.02], position: [0, 0, 0], omega: "
                     "[0, 0, 30]}\n"
                     "  wheel: {mass: 3, inertia: [0.1, 0.1, 0.2], position: [0.3, 0, 0], omega: "
                     "[0, 0, -10]}\njoints:\n"
                     "  in: {type: revolute, bodies: [ground, pinion], at: [0, 0, 0], axis: [0, 0, "
                     "1]}\n"
                     "  out: {type: revolute, bodies: [ground, wheel], at: [0.3, 0, 0], axis: [0, "
                     "0, 1]}\n"
                     "  mesh: {type: gear, joints: [in, out], teeth: [20, 60]}\nforces:\n"
                     "  motor: {type: torque, body: pinion, torque: [0, 0, 4]}\n"
                     "  brake: {type: torque, body: wheel, torque: [0, 0, 12]}\n"
                     "simulation: {end: 1}\n",
                     NULL);
    hol_answer *answer = ask(&r, 1, shafts);
    assert_non_null(answer);
    const hol_table M = answer_table(answer, "M"), power = answer_table(answer, "power");
    check_near("M", answer_entry(&M, 0, 0), 0.02 + 0.2 / 9, 1e-15);
    check_near("in", hol_answer_value(answer, "power_in"), 120, 1e-12);
    check_near("out", hol_answer_value(answer, "power_out"), 120, 1e-12);
    check_near("efficiency", hol_answer_value(answer, "efficiency"), 1, 1e-14);
    assert_string_equal(power.row_names[2], "mesh");
    check_near("pinion", answer_entry(&power, 2, 0), -120, 1e-11);
    check_near("wheel", answer_entry(&power, 2, 1), 120, 1e-11);
    hol_answer_free(answer);
    run_close(&r);
}

/* Two stages between shafts 1 and 3 with dampers in all bearings, steadily: power flows from
 * T1 to T3 or back, and what the dampers take is lost, whichever way the shafts turn. */
static void check_losses(double w1, double T3) {
    static const char *const shafts[] = {"A"};
    const double w2 = -w1 * 17 / 43, w3 = -w2 * 23 / 31,
                 lost = 0.0113 * w1 * w1 + 0.0271 * w2 * w2 + 0.0173 * w3 * w3,
                 T1 = (lost - T3 * w3) / w1, in = fmax(T1 * w1, 0) + fmax(T3 * w3, 0);
    char text[2000];
    snprintf(text, sizeof text,
             "holonom: 1\nspace: planar\ngravity: [0, 0]\nbodies:\n"
             "  g1: {mass: 1.1, inertia: 0.013, position: [0, 0], omega: %.17g}\n"
             "  g2: {mass: 2.1, inertia: 0.033, position: [0.3, 0.1]}\n"
             "  g3: {mass: 3.1, inertia: 0.053, position: [0.7, 0.2]}\njoints:\n"
             "  A: {type: revolute, bodies: [ground, g1], at: [0, 0]}\n"
             "  B: {type: revolute, bodies: [ground, g2], at: [0.3, 0.1]}\n"
             "  C: {type: revolute, bodies: [ground, g3], at: [0.7, 0.2]}\n"
             "  m1: {type: gear, joints: [A, B], teeth: [17, 43]}\n"
             "  m2: {type: gear, joints: [B, C], teeth: [23, 31]}\nforces:\n"
             "  T1: {type: torque, body: g1, torque: %.17g}\n"
             "  T3: {type: torque, body: g3, torque: %.17g}\n"
             "  f1: {type: torsion, joint: A, damping: 0.0113}\n"
             "  f2: {type: torsion, joint: B, damping: 0.0271}\n"
             "  f3: {type: torsion, joint: C, damping: 0.0173}\nsimulation: {end: 1}\n",
             w1, T1, T3);
    run r = run_text(text, NULL);
    hol_answer *answer = ask(&r, 1, shafts);
    assert_non_null(answer);
    check_near("in", hol_answer_value(answer, "power_in"), in, 1e-12 * in);
    check_near("lost", hol_answer_value(answer, "power_lost"), lost, 1e-12 * in);
    check_near("out", hol_answer_value(answer, "power_out"), in - lost, 1e-12 * in);
    check_near("efficiency", hol_answer_value(answer, "efficiency"), 1 - lost / in, 1e-12);
    hol_answer_free(answer);
    run_close(&r);
}

static void test_losses(void **unused) {
    (void)unused;
    check_losses(31.7, -2.37); /* T1 drives */
    check_losses(31.7, 4.91);  /* T3 drives */
    check_losses(-23.9, 3.13); /* and the other way round */
    check_losses(-23.9, -5.87);
}

/* A motor that holds a speed brings its power too; a shaft beside it that nothing brakes, and two
 * wheels with oil between them, are neutral, whatever rounding does to the eigenvalue. */
static void test_neutral(void **unused) {
    static const char *const one[] = {"C"}, *const two[] = {"A", "wheel.angle"};
#define PAIR                                                                                       \
    "holonom: 1\nspace: planar\ngravity: [0, 0]\nbodies:\n"                                        \
    "  g1: {mass: 1.1, inertia: 0.013, position: [0, 0], omega: 31.7}\n"                           \
    "  g2: {mass: 2.1, inertia: 0.033, position: [0.3, 0.1]}\n"                                    \
    "  wheel: {mass: 2.1, inertia: 0.037, position: [0.3, 0.1], omega: 2.9}\njoints:\n"            \
    "  A: {type: revolute, bodies: [ground, g1], at: [0, 0]}\n"                                    \
    "  B: {type: revolute, bodies: [ground, g2], at: [0.3, 0.1]}\n"                                \
    "  C: {type: revolute, bodies: [g2, wheel], at: [0.3, 0.1]}\n"                                 \
    "  m: {type: gear, joints: [A, B], teeth: [17, 43]}\n"
    static const char *const texts[] = {
        PAIR "  drive: {type: motor, joint: A, speed: 31.7}\nforces:\n"
             "  f: {type: torsion, joint: B, damping: 0.0713}\n"
             "  load: {type: torque, body: g2, torque: 1.37}\nsimulation: {end: 1}\n",
        PAIR "forces:\n  oil: {type: torsion, joint: C, damping: 0.0713}\nsimulation: {end: 1}\n"};
    (void)unused;
    for (int k = 0; k < 2; k++) {
        run r = run_text(texts[k], NULL);
        hol_answer *answer = ask(&r, k ? 2 : 1, k ? two : one);
        const double w2 = 31.7 * 17 / 43, lost = 0.0713 * w2 * w2;
        hol_fact fact = {.size = sizeof fact};
        assert_non_null(answer);
        assert_int_equal(hol_answer_fact(answer, 1, &fact), HOL_OK);
        assert_string_equal(fact.key, "stability");
        assert_non_null(strstr(fact.text, "neutral"));
        if (!k) {
            check_near("in", hol_answer_value(answer, "power_in"), lost + 1.37 * w2, 1e-11);
            check_near("efficiency", hol_answer_value(answer, "efficiency"),
                       1.37 * w2 / (lost + 1.37 * w2), 1e-13);
        }
        hol_answer_free(answer);
        run_close(&r);
    }
}

static void check_refused(int n, const char *const *shafts, const char *words) {
    run r = run_open("rotary_drive", NULL);
    assert_null(ask(&r, n, shafts));
    if (!said_why(r.ctx, words)) {
        run_print_messages(r.ctx);
        fail_msg("wanted an error with '%s'", words);
    }
    run_close(&r);
}

static void test_refusals(void **unused) {
    static const char *const one[] = {"gear2.angle"}, *const same[] = {"gear2.angle", "arm3.angle"},
                             *const held[] = {"gear2.angle", "gear4.x"},
                             *const none[] = {"gear2.angle", "gear44"};
    (void)unused;
    check_refused(1, one, "the mechanism has 2 freedoms, 1 shaft is named");
    check_refused(2, same, "does not turn by itself");
    check_refused(2, held, "does not turn by itself");
    check_refused(2, none, "there is no joint or force 'gear44'");
}

/* A body and a joint may have one name: `lift.y` is the body's, and so are shafts that are chosen.
 * Two masses with a damper between them: M and K by hand. */
static void test_one_name(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, 0]\nbodies:\n"
        "  lift: {mass: 3.7, inertia: 1, position: [0, 1]}\n"
        "  load: {mass: 1.9, inertia: 1, position: [0, 2]}\njoints:\n"
        "  lift: {type: prismatic, bodies: [ground, lift], at: [0, 0], axis: [0, 1]}\n"
        "  load: {type: prismatic, bodies: [ground, load], at: [0, 0], axis: [0, 1]}\nforces:\n"
        "  oil: {type: spring, bodies: [lift, load], from: [0, 1], to: [0, 2], damping: 0.83}\n"
        "simulation: {end: 1}\n";
    static const char *const named[] = {"lift.y", "load.y"};
    (void)unused;
    for (int k = 0; k < 2; k++) {
        run r = run_text(text, NULL);
        hol_answer *answer = ask(&r, k ? 2 : 0, k ? named : NULL);
        if (!answer) run_print_messages(r.ctx);
        assert_non_null(answer);
        const hol_table M = answer_table(answer, "M"), K = answer_table(answer, "K");
        const int lift = strcmp(M.row_names[0], "lift.y") != 0;
        check_near("lift", M.values[3 * lift], 3.7, 1e-13);
        check_near("load", M.values[3 * !lift], 1.9, 1e-13);
        for (int i = 0; i < 4; i++)
            check_near("K", K.values[i], i == 0 || i == 3 ? 0.83 : -0.83, 1e-13);
        hol_answer_free(answer);
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_printed_formulas), cmocka_unit_test(test_power),
        cmocka_unit_test(test_losses),           cmocka_unit_test(test_neutral),
        cmocka_unit_test(test_refusals),         cmocka_unit_test(test_one_name),
    };
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}

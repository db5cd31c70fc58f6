/* test_law_units.c: names that laws of forces offer (length, rate, …) have units: what certainly
 * does not fit is an error, and plain numbers go on standing for coefficients. */
#include "model_fixture.h"

/* Whether the model with that force compiles; with `text` among its errors where it does not. */
static void check_force(const char *force, const char *text) {
    static const char frame[] =
        "holonom: 1\nspace: planar\n"
        "parameters: {k: 40 N/m, c: 3 N*s/m, kt: 2 N*m/rad, ct: 1 N*m*s/rad, L0: 0.5 m,\n"
        "  w0: 20 rad/s}\n"
        "tables: {p: {points: [[0, 0], [1, 7]], x_unit: m, y_unit: N}}\n"
        "bodies:\n  rod: {mass: 1, inertia: 0.1, along: [[0, 0], [1, 0]]}\n"
        "  block: {mass: 2, inertia: 0.1}\n"
        "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
        "  B: {type: prismatic, bodies: [ground, block], at: [0, 0], axis: [1, 0]}\n"
        "forces:\n  f: {%s}\n";
    char model[1024];
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    snprintf(model, sizeof model, frame, force);
    assert_int_equal(hol_spec_read_text(spec, model, "test.yaml"), HOL_OK);
    hol_model *m = hol_model_from_spec(ctx, spec, NULL);
    int said = 0;
    for (int i = 0; text && i < hol_message_count(ctx); i++)
        said |= strstr(hol_message_get(ctx, i)->text, text) != NULL;
    if (!m != !!text || (text && !said)) {
        run_print_messages(ctx);
        fail_msg("%s: %s", force, text ? "no such error" : "is refused");
    }
    hol_model_free(m);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

#define SPRING "type: spring, bodies: [ground, rod], from: [0, -1], to: [1, 0], "
#define TORSION "type: torsion, joint: A, "

#define MOTOR "type: motor, joint: A, "
#define SLIDE "type: motor, joint: B, "
#define PID "type: pid, joint: A, proportional: 4, "
#define FRICTION "type: friction, joint: B, "
#define TYRE "type: tyre, body: rod, radius: 0.3, stiffness: 1e5, "

static void test_right(void **state) {
    static const char *const right[] = {
        SPRING "force: k*length",
        SPRING "force: k*(length - L0) + c*rate",
        SPRING "force: k*length^2/L0",
        SPRING "force: 100*length + 3*rate",
        SPRING "force: p(length)",
        SPRING "stiffness: 35 + length",
        SPRING "stiffness: k*(1 + 20*length)",
        SPRING "damping: c*(1 + (length/L0)^2)",
        TORSION "torque: kt*angle",
        TORSION "torque: kt*sin(angle)",
        MOTOR "curve: 'table(speed, 0, 14, 20, 12, 40, 0)'",
        MOTOR "curve: ct*(w0 - speed)",
        MOTOR "curve: 14 - 0.3*speed",
        MOTOR "curve: 3, command: 'if(speed > 10, 0, 1 - speed/w0)'",
        SLIDE "curve: -c*speed",
        PID "target: 0.3*sin(coordinate), feed: kt*coordinate + ct*rate",
        FRICTION "level: 'k*abs(coordinate) + 2'",
        FRICTION "level: 'c*abs(rate) + 2 N'",
        TYRE "road: 0.02*sin(3*x)",
        TYRE "road: 0.02*x",
        TYRE "road: 0.02 m*sin(2*pi*x/L0)",
    };
    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) check_force(right[i], NULL);
}

static void test_wrong(void **state) {
    (void)state;
    check_force(SPRING "force: k*rate", "expected N, found kg*m/s^3");
    check_force(SPRING "force: c*length", "expected N, found kg*m/s");
    check_force(SPRING "force: k*length^2", "expected N, found J");
    check_force(SPRING "force: k*length + c*length", "cannot add N and kg*m/s");
    check_force(SPRING "force: length + rate", "cannot add m and m/s");
    check_force(SPRING "force: p(rate)", "cannot compare m/s and m");
    check_force(SPRING "stiffness: k*rate", "expected N/m, found kg*m/s^3");
    check_force(SPRING "stiffness: p(length)", "expected N/m, found N");
    check_force(TORSION "torque: kt*rate", "expected N*m, found W");
    check_force(TORSION "stiffness: kt*rate", "expected N*m");
    check_force(MOTOR "curve: kt*speed", "expected N*m, found W");
    check_force(MOTOR "curve: c*speed", "expected N*m, found kg*rad/s^2");
    check_force(SLIDE "curve: ct*speed", "expected N, found ");
    check_force(MOTOR "curve: 3, command: 'speed/L0'", "found ");
    check_force(PID "target: coordinate*w0", "expected rad, found ");
    check_force(PID "feed: kt*rate", "expected N*m, found W");
    check_force(PID "feed: kt*coordinate + kt*rate", "cannot add");
    check_force(FRICTION "level: k*rate", "expected N, found kg*m/s^3");
    check_force(FRICTION "level: kt*coordinate", "expected N, found ");
    check_force(TYRE "road: x*L0", "expected m, found m^2");
    check_force(TYRE "road: x + t", "cannot add m and s");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_right), cmocka_unit_test(test_wrong)};
    return run_tests_of_models("law_units", tests);
}

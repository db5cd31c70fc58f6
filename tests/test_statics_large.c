/* test_statics_large.c: equilibria of mechanisms with hundreds of freedoms: chains that hang from
 * one end, and between two points as a catenary of links does, against closed solutions. */
#include "model_fixture.h"

#include <stdarg.h>

enum { ROOM = 1 << 18 };

static char text[ROOM];

static void write_line(size_t *used, const char *format, ...) {
    va_list args;
    va_start(args, format);
    *used += (size_t)vsnprintf(text + *used, ROOM - *used, format, args);
    va_end(args);
    assert_true(*used < ROOM);
}

/* n links of length l as drawn: along the x axis, or (span > 0) as a tent over [0, span] that hangs
 * down and is held at both ends. */
static void write_chain(int n, double l, double span) {
    const double slope = span > 0 ? -sqrt(pow(0.5 * n * l, 2) - 0.25 * span * span) * 2 / span : 0,
                 dx = span > 0 ? span / n : l;
    double x[400], y[400];
    size_t used = 0;
    for (int i = 0; i <= n; i++) {
        x[i] = i * dx;
        y[i] = span > 0 ? slope * (i <= n / 2 ? x[i] : span - x[i]) : 0;
    }
    write_line(&used, "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n");
    for (int i = 0; i < n; i++)
        write_line(&used,
                   "  l%d: {mass: 0.02, inertia: 1e-7, along: [[%.17g, %.17g], [%.17g, %.17g]]}\n",
                   i, x[i], y[i], x[i + 1], y[i + 1]);
    write_line(&used, "joints:\n");
    for (int i = 0; i < n; i++) {
        char before[16] = "ground";
        if (i) snprintf(before, sizeof before, "l%d", i - 1);
        write_line(&used, "  j%d: {type: revolute, bodies: [%s, l%d], at: [%.17g, %.17g]}\n", i,
                   before, i, x[i], y[i]);
    }
    if (span > 0)
        write_line(&used, "  end: {type: revolute, bodies: [ground, l%d], at: [%.17g, %.17g]}\n",
                   n - 1, x[n], y[n]);
    write_line(&used, "simulation: {end: 1}\n");
}

static hol_answer *rest_of(hol_context *ctx, const char *set) {
    hol_spec *spec = hol_spec_new(ctx);
    hol_answer *answer = NULL;
    assert_int_equal(hol_spec_read_text(spec, text, "chain.yaml"), HOL_OK);
    assert_int_equal(run_settings(spec, set), HOL_OK);
    const hol_status status = hol_statics(ctx, spec, NULL, &answer);
    if (status) run_print_messages(ctx);
    assert_int_equal(status, HOL_OK);
    hol_spec_free(spec);
    return answer;
}

static void check_close(double a, double b, double tolerance, const char *what, int i) {
    if (!(fabs(a - b) <= tolerance)) fail_msg("%s %d: %.12g, not %.12g", what, i, a, b);
}

/* From the side it comes to hang straight down. */
static void test_hanging(void **unused) {
    const int n = 240;
    const double l = 0.01;
    (void)unused;
    write_chain(n, l, 0);
    hol_context *ctx = hol_context_new();
    hol_answer *answer = rest_of(ctx, "coordinates=relative");
    const hol_table at = answer_table(answer, "positions"), by = answer_table(answer, "reactions");
    for (int i = 0; i < n;
         i++) { /* the frame of a body that is drawn along a line is at its start */
        check_close(answer_entry(&at, i, 0), 0, 1e-8, "x", i);
        check_close(answer_entry(&at, i, 1), -i * l, 1e-8, "y", i);
        check_close(answer_entry(&by, i, 1), -0.02 * 9.81 * (n - i), 1e-8, "weight", i);
    }
    hol_answer_free(answer);
    hol_context_free(ctx);
}

/* Link i of a chain with the pull H and the lift V at its left end has the slope
 * (V - (i + 1/2) w)/H; by symmetry V = n w/2, and H makes the span: by halving. */
static double pull_of(int n, double l, double w, double span) {
    double low = 1e-6, high = 1e6;
    for (int k = 0; k < 200; k++) {
        const double H = sqrt(low * high);
        double x = 0;
        for (int i = 0; i < n; i++) x += l / hypot(1, (0.5 * n - i - 0.5) * w / H);
        if (x < span)
            low = H;
        else
            high = H;
    }
    return sqrt(low * high);
}

static void test_catenary(void **unused) {
    const int n = 90;
    const double l = 0.02, w = 0.02 * 9.81, span = 1.1;
    (void)unused;
    write_chain(n, l, span);
    for (int set = 0; set < 2; set++) {
        hol_context *ctx = hol_context_new();
        hol_answer *answer = rest_of(ctx, set ? "coordinates=reference" : "coordinates=relative");
        const hol_table at = answer_table(answer, "positions");
        const double H = pull_of(n, l, w, span);
        double x = 0, y = 0;
        for (int i = 0; i < n; i++) {
            const double slope = -(0.5 * n - i - 0.5) * w / H, size = hypot(1, slope);
            check_close(answer_entry(&at, i, 0), x, 1e-8, "x", i);
            check_close(answer_entry(&at, i, 1), y, 1e-8, "y", i);
            x += l / size, y += l * slope / size;
        }
        hol_answer_free(answer);
        hol_context_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hanging),
                                       cmocka_unit_test(test_catenary)};
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}

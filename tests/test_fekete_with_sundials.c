/* test_fekete_with_sundials.c: twenty points on a sphere that push each other apart, a problem of
 * the test set for initial value problems (Mazzia, Magherini, release 2.4: Fekete problem, there of
 * index 2 with 160 equations), as a mechanism of index 3 under the method `dae`.
 *
 * Each point has the mass 1 and a distance joint of length 1 to the ground, is pushed from every
 * other at the distance d with the force 1/d, and is held back by 0.5 of its velocity. Until
 * t = 1000 all of them come to rest where the product of their distances is largest. */
#include "model_fixture.h"

enum { POINTS = 20 };

/* The positions at t = 1000 [the test set, its RADAU5 at 1e-12]. */
static const double reference[POINTS][3] = {
    {-0.4070263380333202, 0.3463758772791802, 0.8451942450030429},
    {0.07752934752521549, -0.2628662719972299, 0.9617122871829146},
    {0.7100577833343567, 0.1212948055586120, 0.6936177005172217},
    {0.2348267744557627, 0.7449277976923311, 0.6244509285956391},
    {-0.4341114738782885, 0.8785430442262876, 0.1992720444237660},
    {-0.9515059600312596, 0.2203508762787005, 0.2146669498274008},
    {-0.6385191643609878, -0.4310833259390688, 0.6375425027722121},
    {-0.1464175087914336, -0.9380871635228862, 0.3139337298744690},
    {0.5666974065069942, -0.6739221885076542, 0.4740073135462156},
    {0.9843259538440293, -0.1696995357819996, -0.04800504290609090},
    {0.1464175087914331, 0.9380871635228875, -0.3139337298744656},
    {-0.7092757549979014, 0.5264062637139616, -0.4688542938854929},
    {-0.8665731819284478, -0.4813878059756024, -0.1315929352982178},
    {-0.2347897778700538, -0.8594340408013130, -0.4541441287957579},
    {0.5530976940074118, -0.7674370265615124, -0.3242273140037833},
    {0.7711050969896927, 0.6357041816577034, 0.03573685519777001},
    {0.7103951209379591, 0.2403570431280519, -0.6614886725910596},
    {-0.03038208738735660, 0.4501923293640461, -0.8924145871442046},
    {-0.5772996158107093, -0.1766763414971813, -0.7971892020969544},
    {0.2414481766969039, -0.3416456818373135, -0.9082846503446250}};

/* The start: rings of 3, 7, 6 and 4 points. */
static const struct ring {
    int n, from; /* the angle of point i is 2 pi (i - from)/n + shift */
    double shift, latitude;
} rings[] = {{3, 0, 1. / 13, 3. / 8},
             {7, 3, 1. / 29, 1. / 8},
             {6, 10, 1. / 7, -2. / 15},
             {4, 17, 1. / 17, -3. / 10}};

static void put_start(double at[POINTS][3]) {
    const double pi = acos(-1);
    int i = 0;
    for (size_t k = 0; k < sizeof rings / sizeof *rings; k++)
        for (int j = 0; j < rings[k].n; j++, i++) {
            const double a = 2 * pi * (i + 1 - rings[k].from) / rings[k].n + pi * rings[k].shift,
                         b = pi * rings[k].latitude;
            at[i][0] = cos(a) * cos(b), at[i][1] = sin(a) * cos(b), at[i][2] = sin(b);
        }
}

/* The description. */
static char *describe(void) {
    const size_t size = 1 << 17;
    char *text = malloc(size), *end = text;
    double p[POINTS][3];
    assert_non_null(text);
    put_start(p);
#define PUT(...) end += snprintf(end, size - (size_t)(end - text), __VA_ARGS__)
#define AT(i) p[i][0], p[i][1], p[i][2]
    PUT("holonom: 1\nspace: spatial\ngravity: [0, 0, 0]\nbodies:\n");
    for (int i = 0; i < POINTS; i++)
        PUT("  p%d: {mass: 1, point: true, position: [%.17g, %.17g, %.17g]}\n", i, AT(i));
    PUT("joints:\n");
    for (int i = 0; i < POINTS; i++)
        PUT("  s%d: {type: distance, bodies: [ground, p%d], from: [0, 0, 0], to: [%.17g, %.17g, "
            "%.17g]}\n",
            i, i, AT(i));
    PUT("forces:\n");
    for (int i = 0; i < POINTS; i++) PUT("  drag%d: {type: drag, body: p%d, linear: 0.5}\n", i, i);
    for (int i = 0; i < POINTS; i++)
        for (int j = i + 1; j < POINTS; j++)
            PUT("  push%d_%d: {type: spring, bodies: [p%d, p%d], from: [%.17g, %.17g, %.17g], to: "
                "[%.17g, %.17g, %.17g], force: -1 N*m/length}\n",
                i, j, i, j, AT(i), AT(j));
    PUT("simulation: {method: dae, end: 1000, output: 1000}\n");
    assert_true(end - text < (long)size - 1);
    return text;
}

/* The largest difference from the reference, and the largest velocity. */
static double error_of(const run *r, double *speed) {
    double most = *speed = 0;
    for (int i = 0; i < POINTS; i++) {
        hol_pose pose;
        hol_twist twist;
        assert_int_equal(hol_data_body_pose(hol_sim_data(r->sim), i, &pose), HOL_OK);
        assert_int_equal(hol_data_body_twist(hol_sim_data(r->sim), i, &twist), HOL_OK);
        for (int k = 0; k < 3; k++) {
            most = fmax(most, fabs(pose.r[k] - reference[i][k]));
            *speed = fmax(*speed, fabs(twist.v[k]));
        }
    }
    return most;
}

/* The points come to rest at the positions of the test set: the error follows the tolerance, down
 * to the digits of the reference. */
static void test_reference(void **unused) {
    static const struct {
        const char *settings;
        double most;
    } runs[] = {{"integrator=ida tolerance=1e-6", 1e-6}, {"integrator=ida tolerance=1e-9", 1e-9}};
    char *text = describe();
    (void)unused;
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        double speed;
        run r = run_text(text, runs[k].settings);
        run_to(&r, 1000);
        const double error = error_of(&r, &speed);
        const hol_sim_info info = sim_info(r.sim);
        print_message("%s: %ld steps, error %.1e, velocities %.1e, |Phi| %.1e\n", runs[k].settings,
                      info.steps, error, speed, info.max_position_violation);
        assert_true(error < runs[k].most && speed < runs[k].most);
        assert_true(info.max_position_violation < runs[k].most);
        run_close(&r);
    }
    free(text);
}

/* Radau over the first two seconds, in which the points find their ways, against IDA. */
static void test_radau(void **unused) {
    char *text = describe();
    (void)unused;
    run r = run_text(text, "integrator=radau5 tolerance=1e-7"),
        s = run_text(text, "integrator=ida tolerance=1e-9");
    run_to(&r, 2);
    run_to(&s, 2);
    print_message("radau5 and ida at t = 2: %.1e apart\n", run_distance(&r, &s));
    assert_true(run_distance(&r, &s) < 1e-6);
    run_close(&r);
    run_close(&s);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference),
                                       cmocka_unit_test(test_radau)};
    return run_tests_of_models("fekete", tests);
}

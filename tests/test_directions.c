/* test_directions.c: directions that are given from one point to another. */
#include "model_fixture.h"

/* Directions from one point to another, by name, by components, or on a body: a body that swings
 * about an inclined line begins with u.(r x m g)/(u.J u + m |u x r|^2), one on a line with g.u. */
static void test_directions_between_points(void **state) {
    (void)state;
    run r = run_text("holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\n"
                     "points: {P: [0.13, 0.27, 0.31], Q: {body: arm, at: [0.11, 0.83, 0.42]}}\n"
                     "bodies:\n  arm: {mass: 2.4, inertia: [0.13, 0.21, 0.17], "
                     "position: [0.52, -0.33, 0.24]}\n"
                     "joints:\n  A: {type: revolute, bodies: [ground, arm], at: P, axis: [P, Q]}\n"
                     "simulation: {end: 1}\n",
                     "coordinates=reference");
    hol_data *data = hol_sim_data(r.sim);
    assert_int_equal(hol_data_solve(data), HOL_OK);
    const double d[3] = {0.63 - 0.13, 0.5 - 0.27, 0.66 - 0.31}, J[3] = {0.13, 0.21, 0.17},
                 x[3] = {0.52 - 0.13, -0.33 - 0.27, 0.24 - 0.31},
                 length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    double u[3], v[3], about = 0;
    for (int i = 0; i < 3; i++) u[i] = d[i] / length;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        v[i] = u[j] * x[k] - u[k] * x[j];
        about += J[i] * u[i] * u[i] + 2.4 * v[i] * v[i];
    }
    const double turn = -9.81 * 2.4 * v[2] / about, *a = hol_data_acceleration(data);
    for (int i = 0; i < 3; i++) check_near("acceleration", a[i], turn * v[i], 1e-12);
    run_close(&r);
    r = run_text("holonom: 1\nspace: planar\ngravity: [0.7, -9.81]\npoints: {P: [0.3, 0.9]}\n"
                 "bodies:\n  b: {mass: 1.7, inertia: 0.4}\njoints:\n"
                 "  A: {type: prismatic, bodies: [ground, b], at: P, axis: [P, [1.1, 0.2]]}\n"
                 "simulation: {end: 1}\n",
                 "coordinates=reference");
    data = hol_sim_data(r.sim);
    assert_int_equal(hol_data_solve(data), HOL_OK);
    const double along = (0.7 * 0.8 + 9.81 * 0.7) / (0.8 * 0.8 + 0.7 * 0.7);
    check_near("x", hol_data_acceleration(data)[0], 0.8 * along, 1e-12);
    check_near("y", hol_data_acceleration(data)[1], -0.7 * along, 1e-12);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_directions_between_points)};
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}

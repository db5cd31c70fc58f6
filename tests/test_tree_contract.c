/* test_tree_contract.c: relative coordinates against differences, on trees and loops with every
 * kind of link, forwards and backwards:
 *
 *     column k of A = dPhi along coordinate k        A' = d/dt A
 *     c = b' - A' v = -d/dt (A v - b) at constant v
 *     M' v = d/dt (M v) at constant v                d/dt (T + V) = power where M v' = Q
 *     momentum and energy of a floating tree stay
 *
 * J, M = J^T M_b J, Q and the recursive solution are in test_relative.c. Differences are those of
 * mechanism_fixture.h.
 */
#include "mechanism_fixture.h"

#include "coords/tree.h"
#include "tree_models.h"

static const char *const texts[] = {planar_tree, spatial_tree};
enum { N_TEXTS = sizeof texts / sizeof *texts, TRIALS = 6 };

/* A state of joint coordinates of no particular kind; full turns are counted from there. */
static mech_line random_line(mech *m, uint64_t *seed) {
    const hol_model *model = m->model;
    double *d = calloc((size_t)model->nv + 1, sizeof *d),
           *v = calloc((size_t)model->nv + 1, sizeof *v),
           *q = calloc((size_t)model->nq + 1, sizeof *q);
    do {
        for (int i = 0; i < model->nv; i++)
            d[i] = 0.9 * random_one(seed), v[i] = 0.6 * random_one(seed);
        model->coords->plus(model, model->q0, d, q);
        hol_data_set(m->data, 0.7, q, v);
        hol__data_keep_angles(m->data);
    } while (is_turned_over(m->data));
    free(d), free(v), free(q);
    return line_open(m);
}

/* ---- what is differentiated ---- */

static void get_phi(void *user, hol_data *data, double *out) {
    (void)user;
    hol_data_update(data, HOL_STAGE_POS);
    memcpy(out, data->Phi, sizeof(double) * (size_t)data->model->mh);
}

static void get_A(void *user, hol_data *data, double *out) {
    (void)user;
    hol_data_update(data, HOL_STAGE_POS);
    memcpy(out, data->A.x, sizeof(double) * (size_t)data->A.ptr[data->A.rows]);
}

static void get_psi(void *user, hol_data *data, double *out) {
    (void)user;
    hol__data_psi(data);
    memcpy(out, data->psi, sizeof(double) * (size_t)data->model->m);
}

/* M times the velocities of the first state. */
static void get_momenta(void *user, hol_data *data, double *out) {
    hol__csr_mul(hol__data_mass(data), user, out);
}

static void get_energy(void *user, hol_data *data, double *out) {
    (void)user;
    const hol_energy e = energy_of(data);
    *out = e.kinetic + e.potential;
}

/* ---- the checks ---- */

/* Entries of a mechanism of this size and speed have seventh derivatives up to 1e6: h^6 / 140 of
 * that is 3e-11. */
static const double tolerance = 1e-10;

static void check_rows(mech *m, mech_line *l) {
    const hol_model *model = m->model;
    const int nnz = model->A.ptr[model->m], n = model->nv;
    double *x = calloc((size_t)(nnz + n + model->m + 1), sizeof *x),
           *y = calloc((size_t)(nnz + n + model->m + 1), sizeof *y);
    hol_data_update(m->data, HOL_STAGE_VEL);
    memcpy(x, m->data->A.x, sizeof(double) * (size_t)nnz);
    for (int k = 0; k < n; k++) {
        line_along_coordinate(l, k);
        line_derivative(l, get_phi, NULL, model->mh, y);
        for (int i = 0; i < model->mh; i++) {
            double entry = 0;
            for (int p = model->A.ptr[i]; p < model->A.ptr[i + 1]; p++)
                if (model->A.idx[p] == k) entry += x[p];
            check_close(entry, y[i], tolerance, "A", model->rows[i].element);
        }
    }
    line_along_motion(l, NULL);
    line_derivative(l, get_A, NULL, nnz, y);
    hol__data_adot(m->data);
    for (int i = 0; i < model->m; i++)
        for (int p = model->A.ptr[i]; p < model->A.ptr[i + 1]; p++)
            check_close(m->data->Adot[p], y[p], tolerance, "A'", model->rows[i].element);
    line_derivative(l, get_psi, NULL, model->m, y);
    hol_data_update(m->data, HOL_STAGE_VEL);
    for (int i = 0; i < model->m; i++)
        check_close(m->data->c[i], -y[i], tolerance, "c", model->rows[i].element);
    free(x), free(y);
}

static void check_dynamics(mech *m, mech_line *l) {
    const int n = m->model->nv;
    double *x = calloc((size_t)n + 1, sizeof *x), *y = calloc((size_t)n + 1, sizeof *y), rate;
    line_along_motion(l, NULL);
    line_derivative(l, get_momenta, l->v, n, y);
    hol__data_add_momentum_rate(m->data, x);
    for (int i = 0; i < n; i++) check_close(x[i], y[i], tolerance, "M' v", m->model->name);
    free_acceleration(m->data, x);
    line_along_motion(l, x);
    line_derivative(l, get_energy, NULL, 1, &rate);
    hol_data_update(m->data, HOL_STAGE_DYN);
    check_close(m->data->power, rate, 100 * tolerance, "power", m->model->name);
    free(x), free(y);
}

static void test_differences(void **state) {
    uint64_t seed = 88172645463325252u;
    (void)state;
    if (!reads_yaml()) skip();
    for (int k = 0; k < N_TEXTS; k++) {
        mech m = mech_open(texts[k]);
        assert_non_null(m.model->tree);
        for (int trial = 0; trial < TRIALS; trial++) {
            mech_line l = random_line(&m, &seed);
            check_rows(&m, &l);
            check_dynamics(&m, &l);
            line_close(&l);
        }
        mech_close(&m);
    }
}

/* The links that a tree must have: how many velocities, and which of them turn and move. */
static void test_links(void **state) {
    static const struct {
        int model;
        const char *body;
        int move, turn, screw;
    } wanted[] = {
        {0, "a", 0, HOL__TURN_AXIS, 0}, {0, "b", 0, HOL__TURN_AXIS, 0},
        {0, "c", 1, HOL__TURN_NONE, 0}, {0, "e", 0, HOL__TURN_NONE, 0},
        {0, "f", 1, HOL__TURN_AXIS, 0}, {0, "g", 3, HOL__TURN_NONE, 0},
        {0, "p", 3, HOL__TURN_NONE, 0}, {1, "b", 0, HOL__TURN_UNIVERSAL, 0},
        {1, "c", 4, HOL__TURN_AXIS, 0}, {1, "d", 4, HOL__TURN_NONE, 0},
        {1, "e", 0, HOL__TURN_BALL, 0}, {1, "h", 0, HOL__TURN_AXIS, 1},
        {1, "i", 0, HOL__TURN_AXIS, 1}, {1, "j", 3, HOL__TURN_AXIS, 0},
        {1, "k", 7, HOL__TURN_NONE, 0}, {1, "l", 0, HOL__TURN_UNIVERSAL, 0},
        {1, "p", 7, HOL__TURN_NONE, 0}, {1, "g", 7, HOL__TURN_BALL, 0},
        {1, "f", 0, HOL__TURN_NONE, 0},
    };
    (void)state;
    if (!reads_yaml()) skip();
    for (int k = 0; k < N_TEXTS; k++) {
        mech m = mech_open(texts[k]);
        for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
            if (wanted[i].model != k) continue;
            int body = 0;
            while (strcmp(m.model->bodies[body].name, wanted[i].body) != 0) body++;
            const hol__link *link = &m.model->tree->links[m.model->tree->of_body[body]];
            if (link->move != wanted[i].move || link->turn != wanted[i].turn ||
                (link->pitch != 0) != wanted[i].screw)
                fail_msg("%s: body %s hangs by move %d, turn %d", m.model->name, wanted[i].body,
                         link->move, link->turn);
        }
        mech_close(&m);
    }
}

/* ---- a floating tree ---- */

static void momentum_of_all(hol_data *data, double P[3], double L[3]) {
    memset(P, 0, 3 * sizeof *P);
    memset(L, 0, 3 * sizeof *L);
    hol_data_update(data, HOL_STAGE_VEL);
    for (int b = 0; b < data->model->nb; b++) {
        const hol__body *body = &data->model->bodies[b];
        double p[3], Jw[3], spin[3], orbit[3];
        for (int k = 0; k < 3; k++) p[k] = body->mass * data->bodies.b3[b].v[k];
        hol__mul3(body->J, data->bodies.b3[b].w, Jw);
        hol__mul3(data->bodies.b3[b].R, Jw, spin);
        hol__cross3(data->bodies.b3[b].r, p, orbit);
        for (int k = 0; k < 3; k++) P[k] += p[k], L[k] += orbit[k] + spin[k];
    }
}

/* No gravity, no ground: momentum, angular momentum and energy stay at tolerance 1e-10 over 2 s, by
 * articulated bodies and by momenta. */
static void test_floating(void **state) {
    static const char *const methods[] = {"auto", "canonical", "nullspace"};
    (void)state;
    if (!reads_yaml()) skip();
    for (int k = 0; k < 3; k++) {
        mech_text text = {.used = 0};
        put(&text,
            "holonom: 1\nspace: spatial\nbodies:\n"
            "  a: {mass: 1.9, inertia: [0.31, 0.24, 0.19], position: [0.4, 0.1, 0.2], omega: [0.7, "
            "-1.3, 2.1], velocity: [0.3, -0.2, 0.4]}\n"
            "  b: {mass: 0.7, inertia: [0.11, 0.09, 0.1], position: [1.1, 0.5, -0.2], omega: [2.1, "
            "0.4, -1.3]}\n"
            "  c: {mass: 0.9, inertia: [0.17, 0.11, 0.13], position: [0.2, 0.9, 0.1]}\n"
            "  d: {mass: 0.6, inertia: [0.06, 0.08, 0.07], position: [-0.5, 0.4, 0.3]}\n"
            "joints:\n"
            "  B: {type: spherical, bodies: [b, a], at: [0.8, 0.3, 0]}\n"
            "  C: {type: screw, bodies: [a, c], at: [0.3, 0.5, 0.1], axis: [0.6, 0.8, 0.1], pitch: "
            "0.9}\n"
            "  D: {type: cylindrical, bodies: [d, c], at: [-0.3, 0.7, 0.2], axis: [0.8, -0.6, "
            "0.3]}\n"
            "simulation: {coordinates: relative, tolerance: 1e-10, end: 2, method: %s}\n",
            methods[k]);
        mech m = mech_open(text.text);
        assert_int_equal(m.model->nv, 12);
        assert_int_equal(m.model->m, 0);
        hol_sim *sim = hol_sim_new(m.ctx, m.model, m.options);
        if (!sim) fail_with_messages(m.ctx, methods[k]);
        double P0[3], L0[3], P[3], L[3];
        momentum_of_all(hol_sim_data(sim), P0, L0);
        const double T0 = energy_of(hol_sim_data(sim)).kinetic;
        for (int i = 1; i <= 4; i++) {
            assert_int_equal(hol_sim_advance(sim, 0.5 * i), HOL_OK);
            momentum_of_all(hol_sim_data(sim), P, L);
            for (int j = 0; j < 3; j++) {
                check_close(P[j], P0[j], 1e-8, "momentum", methods[k]);
                check_close(L[j], L0[j], 1e-8, "angular momentum", methods[k]);
            }
            check_close(energy_of(hol_sim_data(sim)).kinetic, T0, 1e-8, "energy", methods[k]);
        }
        hol_sim_free(sim);
        mech_close(&m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_differences),
        cmocka_unit_test(test_links),
        cmocka_unit_test(test_floating),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

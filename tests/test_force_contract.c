/* test_force_contract.c: what every force has to supply, checked at random states in the plane and
 * in space.
 *
 *     power balance        d/dt (T + V) = power along the motion without joints, M a = Q
 *     conservative part    Q_k = -dV/dq_k at rest
 *     action = reaction    internal forces have no resultant and no moment about the origin, ground
 *                          included
 *
 * Forces come from the table of element types: those named below in many variants, any other one
 * through its example.
 */
#include "mechanism_fixture.h"

/* Energies are some 50 J and change with rates up to 10/s where a spring is short: with h = 0.001
 * the differences are off by h^6 50e7/140 + 2 eps 50/h < 3e-11. */
static const double step = 0.001, tolerance = 1e-9;

enum { CONSERVATIVE = 1, INTERNAL = 2 };

typedef struct variant {
    const char *type;
    int spatial, flags;
    const char *keys;
} variant;

/* clang-format off */
static const variant variants[] = {
    {"force",   0, 0,                       "body: b1, force: [1.3, -0.7]"},
    {"force",   0, 0,
     "body: b2, at: [0.2, 0.9], force: [1.3*sin(2*t), 0.4 - 0.7*t]"},
    {"force",   0, 0,
     "body: b1, at: [0.2, 0.9], force: [1.3*cos(t), -0.7], frame: body"},
    {"force",   0, 0,
     "body: b1, at: [-0.6, 0.1], force: ['-0.8*speed.x + place.y', '-0.8*speed.y']"},
    {"force",   1, 0,                       "body: b1, force: [1.3, -0.7, 0.4]"},
    {"force",   1, 0,
     "body: b2, at: [0.2, 0.9, -0.4], force: [1.3*sin(2*t), 0.4, -0.7*t]"},
    {"force",   1, 0,
     "body: b1, at: [0.2, 0.9, 0.5], force: [1.3, -0.7*t, 0.9], frame: body"},
    {"force",   1, 0,
     "body: b1, force: ['-0.8*speed.x + place.z', '-0.8*speed.y', '0.3*place.x*t']"},
    {"torque",  0, INTERNAL,                "body: b1, torque: 0.6*cos(3*t)"},
    {"torque",  0, INTERNAL,                "body: b1, reaction: b2, torque: 1.7 - 0.3*place.x"},
    {"torque",  1, INTERNAL,                "body: b1, torque: [0.4, -0.6*t, 0.9]"},
    {"torque",  1, INTERNAL,
     "body: b1, reaction: b2, torque: [0.4, -0.6*sin(t), 0.9 - place.y]"},
    {"torque",  1, INTERNAL,
     "body: b2, reaction: b1, torque: [0.4, -0.6, 0.9*t], frame: body"},
    {"spring",  0, INTERNAL | CONSERVATIVE,
     "bodies: [b1, b2], from: [0.1, 0.7], to: [-0.4, 0.3], stiffness: 13.1"},
    {"spring",  0, INTERNAL | CONSERVATIVE,
     "bodies: [ground, b2], from: [0.1, 0.7], to: [-0.4, 0.3], stiffness: 13.1, free_length: 0.31"},
    {"spring",  0, INTERNAL,                "bodies: [b2, b1], from: [0.1, 0.7], to: [-0.4, 0.3], "
     "stiffness: 7.9, damping: 0.61, force: 2*sin(3*t)"},
    {"spring",  0, INTERNAL,                "bodies: [b1, ground], from: [0.1, 0.7], to: [-0.4, "
     "0.3], stiffness: 9 + length^2, damping: 0.3*(1 + rate^2)"},
    {"spring",  0, INTERNAL,                "bodies: [b1, b2], from: [0.1, 0.7], to: [-0.4, 0.3], "
     "force: -0.3*rate + 2*length*t + place.x"},
    {"spring",  1, INTERNAL | CONSERVATIVE,
     "bodies: [b1, b2], from: [0.1, 0.7, 0.2], to: [-0.4, 0.3, 0.8], stiffness: 13.1"},
    {"spring",  1, INTERNAL | CONSERVATIVE, "bodies: [b2, ground], from: [0.1, 0.7, 0.2], to: "
     "[-0.4, 0.3, 0.8], stiffness: 13.1, free_length: 0"},
    {"spring",  1, INTERNAL,                "bodies: [b2, b1], from: [0.1, 0.7, 0.2], to: [-0.4, "
     "0.3, 0.8], stiffness: 7.9, damping: 0.61, force: 2*sin(3*t)"},
    {"spring",  1, INTERNAL,                "bodies: [ground, b2], from: [0.1, 0.7, 0.2], to: "
     "[-0.4, 0.3, 0.8], stiffness: 9 + length^2, damping: 0.3*(1 + rate^2)"},
    {"axial_spring", 0, INTERNAL | CONSERVATIVE,
     "bodies: [b1, b2], from: [0.1, 0.7], to: [-0.4, 0.3], axis: [0.8, -0.3], stiffness: 13.1"},
    {"axial_spring", 0, INTERNAL | CONSERVATIVE, "bodies: [b2, ground], from: [0.1, 0.7], to: "
     "[-0.4, 0.3], axis: [0.8, -0.3], stiffness: 13.1, free_length: -0.2"},
    {"axial_spring", 0, INTERNAL, "bodies: [ground, b1], from: [0.1, 0.7], to: [-0.4, 0.3], axis: "
     "[0.2, 0.9], stiffness: 9 + displacement^2, damping: 0.3*(1 + rate^2), force: 2*sin(3*t)"},
    {"axial_spring", 1, INTERNAL | CONSERVATIVE, "bodies: [b1, b2], from: [0.1, 0.7, 0.2], to: "
     "[-0.4, 0.3, 0.8], axis: [0.8, -0.3, 0.5], stiffness: 13.1"},
    {"axial_spring", 1, INTERNAL, "bodies: [b2, b1], from: [0.1, 0.7, 0.2], to: [-0.4, 0.3, 0.8], "
     "axis: [0.1, 0.3, 0.9], stiffness: 7.9, damping: 0.61, force: place.x*displacement"},
    {"torsion", 0, INTERNAL | CONSERVATIVE, "joint: pin, stiffness: 3.7"},
    {"torsion", 0, INTERNAL | CONSERVATIVE, "joint: base, stiffness: 3.7, free_angle: 0.4"},
    {"torsion", 0, INTERNAL,
     "joint: pin, stiffness: 3.7, free_angle: 0.4, damping: 0.21, torque: 2*sin(t)"},
    {"torsion", 0, INTERNAL,
     "joint: base, stiffness: 1 + angle^2, damping: 0.21*(1 + rate^2), torque: place.x"},
    {"torsion", 1, INTERNAL | CONSERVATIVE, "joint: pin, stiffness: 3.7"},
    {"torsion", 1, INTERNAL | CONSERVATIVE, "joint: base, stiffness: 3.7, free_angle: 0.4"},
    {"torsion", 1, INTERNAL | CONSERVATIVE, "joint: loose, stiffness: 3.7, free_angle: 0.4"},
    {"torsion", 1, INTERNAL,
     "joint: pin, stiffness: 3.7, free_angle: 0.4, damping: 0.21, torque: 2*sin(t)"},
    {"torsion", 1, INTERNAL,
     "joint: base, stiffness: 1 + angle^2, damping: 0.21*(1 + rate^2), torque: place.x"},
    {"torsion", 1, INTERNAL,
     "joint: loose, damping: 0.21, torque: -rate^3 + 0.3*angle"},
};
/* clang-format on */

enum { VARIANTS = sizeof variants / sizeof *variants };

/* Two bodies in gravity with joints that the forces may name and measures that they may read. */
static void put_mechanism(mech_text *to, int spatial) {
    if (spatial)
        put(to, "holonom: 1\nspace: spatial\ngravity: [0.7, -1.9, 9.3]\nbodies:\n"
                "  b1: {mass: 1.37, inertia: [0.21, 0.34, 0.27, 0.02, -0.03, 0.01], position: "
                "[0.31, -0.22, 0.47], com: "
                "[0.13, -0.07, 0.19], orientation: {euler: [0.4, -0.7, 1.1]}}\n"
                "  b2: {mass: 0.83, inertia: [0.11, 0.15, 0.18], position: [-0.41, 0.36, 0.29], "
                "orientation: {axis: "
                "[1, 2, -0.5], angle: 0.9}}\n"
                "joints:\n"
                "  pin: {type: revolute, bodies: [b1, b2], at: [0.2, 0.5, -0.3], axis: [0.3, -0.8, "
                "0.5]}\n"
                "  base: {type: cylindrical, bodies: [ground, b1], at: [-0.2, 0.1, 0.3], axis: "
                "[0.6, 0.2, -0.7]}\n"
                "  loose: {type: generic, bodies: [b2, b1], at: [0.1, 0.2, 0.3], axis: [0.1, 1.2, "
                "0.4], lock: [x]}\n");
    else
        put(to, "holonom: 1\nspace: planar\ngravity: [0.7, -9.3]\nbodies:\n"
                "  b1: {mass: 1.37, inertia: 0.21, position: [0.31, -0.22], com: [0.13, -0.07], "
                "angle: 0.83}\n"
                "  b2: {mass: 0.83, inertia: 0.11, position: [-0.41, 0.36], angle: -2.1}\n"
                "joints:\n"
                "  pin: {type: revolute, bodies: [b1, b2], at: [0.2, 0.5]}\n"
                "  base: {type: revolute, bodies: [ground, b1], at: [-0.2, 0.1]}\n");
    put(to,
        "measures:\n  place: {type: position, body: b1}\n  speed: {type: velocity, body: b1}\n");
}

/* ---- the checks ---- */

static void value_energy(void *user, hol_data *data, double *out) {
    (void)user;
    const hol_energy e = energy_of(data);
    out[0] = e.kinetic + e.potential;
}

static void value_potential(void *user, hol_data *data, double *out) {
    (void)user;
    out[0] = energy_of(data).potential;
}

/* d/dt (T + V) = power, at the state in the data. */
static void check_power(mech *m, const char *text) {
    double *a = calloc((size_t)m->model->nv, sizeof *a), rate;
    free_acceleration(m->data, a);
    const double power = m->data->power;
    mech_line l = line_open(m);
    l.h = step;
    line_along_motion(&l, a);
    line_derivative(&l, value_energy, NULL, 1, &rate);
    line_close(&l);
    free(a);
    check_close(rate, power, tolerance, "power", text);
}

/* Q = -dV/dq at rest. */
static void check_gradient(mech *m, const char *text) {
    const int nv = m->model->nv;
    double *zero = calloc((size_t)nv, sizeof *zero), *Q = calloc((size_t)nv, sizeof *Q), slope;
    hol_data_set(m->data, m->data->t, NULL, zero);
    mech_line l = line_open(m);
    l.h = step;
    memcpy(Q, m->data->Q, (size_t)nv * sizeof *Q);
    for (int k = 0; k < nv; k++) {
        line_along_coordinate(&l, k);
        line_derivative(&l, value_potential, NULL, 1, &slope);
        check_close(Q[k], -slope, tolerance, "gradient of the potential", text);
    }
    line_close(&l);
    free(zero);
    free(Q);
}

/* The wrench of the forces alone, without gravity and inertia, into w (ground last). */
static void force_wrench(hol_data *data, double *w) {
    const hol_model *m = data->model;
    const int n = m->nv + m->bw;
    hol_data_update(data, HOL_STAGE_DYN);
    m->coords->inertia(m, &data->bodies, w);
    for (int i = 0; i < n; i++) w[i] = data->Q[i] - w[i];
}

/* Resultant force and moment about the origin of a wrench on all bodies, ground included. */
static void resultant(const hol_data *data, const double *w, double F[3], double M[3]) {
    const hol_model *m = data->model;
    for (int k = 0; k < 3; k++) F[k] = M[k] = 0;
    for (int b = 0; b <= m->nb; b++, w += m->bw) {
        double r[3] = {0, 0, 0}, f[3] = {0, 0, 0}, tau[3] = {0, 0, 0}, arm[3];
        for (int k = 0; k < m->dim; k++)
            r[k] = data->bodies.b2 ? data->bodies.b2[b].r[k] : data->bodies.b3[b].r[k], f[k] = w[k];
        if (data->bodies.b2)
            tau[2] = w[2];
        else
            hol__mul3(data->bodies.b3[b].R, w + 3, tau);
        hol__cross3(r, f, arm);
        for (int k = 0; k < 3; k++) F[k] += f[k], M[k] += arm[k] + tau[k];
    }
}

/* Forces of a few tens with arms of a few metres cancel to rounding: 1e-13 of their size. */
static void check_reaction(mech *m, const char *text) {
    double F[3], M[3], *w = calloc((size_t)(m->model->nv + m->model->bw), sizeof *w);
    force_wrench(m->data, w);
    resultant(m->data, w, F, M);
    double size = 0;
    for (int i = 0; i < m->model->nv; i++) size = fmax(size, fabs(w[i]));
    assert_true(size > 1e-3);
    for (int k = 0; k < 3; k++)
        if (!(fabs(F[k]) <= 1e-13 * (1 + size) && fabs(M[k]) <= 1e-13 * (1 + size)))
            fail_msg("resultant of component %d: force %g, moment %g\n%s", k, F[k], M[k], text);
    free(w);
}

static void check_text(const char *text, int flags, int states, uint64_t *seed) {
    mech m = mech_open(text);
    for (int i = 0; i < states; i++) {
        do {
            mech_random(&m, seed);
        } while (is_turned_over(m.data));
        check_power(&m, text);
        if (flags & INTERNAL) check_reaction(&m, text);
        if (flags & CONSERVATIVE) {
            assert_true(m.data->power == 0);
            check_gradient(&m, text);
        }
    }
    mech_close(&m);
}

static void check_variant(const variant *v, uint64_t *seed) {
    mech_text text = {.used = 0};
    put_mechanism(&text, v->spatial);
    put(&text, "forces:\n  F: {type: %s, %s}\n", v->type, v->keys);
    check_text(text.text, v->flags, 6, seed);
}

/* ---- the forces of the table ---- */

static void check_example(const hol__element_type *type, uint64_t *seed) {
    hol_context *ctx = hol_context_new();
    char *text = hol_element_example(ctx, type->section, type->name);
    assert_non_null(text);
    check_text(text, 0, 6, seed);
    hol_free(ctx, text);
    hol_context_free(ctx);
}

static void test_table(void **state) {
    uint64_t seed = 88172645463325252u;
    const hol__element_type *type;
    (void)state;
    if (!reads_yaml()) skip();
    for (int i = 0; (type = hol__element_type_get(i)); i++) {
        int tried = 0;
        if (strcmp(type->section, "forces") != 0) continue;
        for (int k = 0; k < VARIANTS; k++)
            if (strcmp(variants[k].type, type->name) == 0) {
                tried |= variants[k].spatial ? HOL__IN_SPACE : HOL__IN_PLANE;
                check_variant(&variants[k], &seed);
            }
        if (!tried)
            check_example(type, &seed);
        else
            assert_int_equal(tried, type->spaces);
    }
}

/* Gravity alone: the potential is -m g . r and does no work besides. */
static void test_gravity(void **state) {
    uint64_t seed = 4101842887655102017u;
    (void)state;
    if (!reads_yaml()) skip();
    for (int spatial = 0; spatial < 2; spatial++) {
        mech_text text = {.used = 0};
        put_mechanism(&text, spatial);
        check_text(text.text, CONSERVATIVE, 6, &seed);
        mech m = mech_open(text.text);
        mech_random(&m, &seed);
        double V = 0;
        for (int b = 0; b < 2; b++)
            for (int k = 0; k < m.model->dim; k++)
                V -= m.model->bodies[b].mass * m.model->gravity[k] *
                     m.data->q[m.model->coords->nq_body * b + k];
        check_close(energy_of(m.data).potential, V, 1e-14, "potential of gravity", text.text);
        mech_close(&m);
    }
}

/* A force F at P has the resultant F and the moment P x F about the origin, whatever the state. */
static void test_force_at_point(void **state) {
    uint64_t seed = 2685821657736338717u;
    (void)state;
    if (!reads_yaml()) skip();
    for (int spatial = 0; spatial < 2; spatial++)
        for (int in_body = 0; in_body < 2; in_body++) {
            mech_text text = {.used = 0};
            put_mechanism(&text, spatial);
            put(&text,
                "  P: {type: position, body: b1, at: %s}\nforces:\n  F: {type: force, body: b1, "
                "at: %s, force: %s%s}\n",
                spatial ? "[0.2, 0.9, -0.4]" : "[0.2, 0.9]",
                spatial ? "[0.2, 0.9, -0.4]" : "[0.2, 0.9]",
                spatial ? "[1.3, -0.7, 0.4]" : "[1.3, -0.7]", in_body ? ", frame: body" : "");
            mech m = mech_open(text.text);
            const int column = hol_model_measure_index(m.model, "P.x");
            for (int trial = 0; trial < 6; trial++) {
                double w[18], F[3], M[3], P[3] = {0, 0, 0},
                                          expected[3] = {1.3, -0.7, spatial ? 0.4 : 0}, moment[3];
                mech_random(&m, &seed);
                force_wrench(m.data, w);
                resultant(m.data, w, F, M);
                for (int k = 0; k < m.model->dim; k++) P[k] = measure_of(m.data, column + k);
                if (in_body) {
                    const hol_pose pose = pose_at(m.data, 0);
                    const double f[3] = {expected[0], expected[1], expected[2]};
                    hol__mul3(pose.R, f, expected);
                }
                hol__cross3(P, expected, moment);
                for (int k = 0; k < 3; k++) {
                    check_close(F[k], expected[k], 1e-14, "force", text.text);
                    check_close(M[k], moment[k], 2e-14, "moment", text.text);
                }
            }
            mech_close(&m);
        }
}

/* ---- forces of the caller ---- */

typedef struct push {
    double point[3], force[3], torque[3];
} push;

static hol_status push_body(void *user, hol_data *data) {
    const push *p = user;
    hol_data_add_force(data, 0, p->point, p->force);
    hol_data_add_torque(data, 1, p->torque);
    return HOL_OK;
}

/* Forces that the caller adds have the resultant they should, and their power is counted. */
static void test_caller(void **state) {
    uint64_t seed = 1442695040888963407u;
    (void)state;
    if (!reads_yaml()) skip();
    for (int spatial = 0; spatial < 2; spatial++) {
        mech_text text = {.used = 0};
        put_mechanism(&text, spatial);
        mech m = mech_open(text.text);
        push p;
        m.data->on_force = push_body;
        m.data->user = &p;
        for (int trial = 0; trial < 6; trial++) {
            double w[18], F[3], M[3], u[3], P[3], moment[3];
            for (int k = 0; k < 3; k++) {
                const int flat = !spatial && k == 2;
                p.point[k] = flat ? 0 : random_one(&seed),
                p.force[k] = flat ? 0 : 3 * random_one(&seed);
                p.torque[k] = spatial || k == 2 ? 2 * random_one(&seed) : 0;
            }
            mech_random(&m, &seed);
            check_power(&m, text.text);
            force_wrench(m.data, w);
            resultant(m.data, w, F, M);
            const hol_pose pose = pose_at(m.data, 0);
            hol__mul3(pose.R, p.point, u);
            hol__add3(pose.r, u, P);
            hol__cross3(P, p.force, moment);
            for (int k = 0; k < 3; k++) {
                check_close(F[k], p.force[k], 1e-14, "force", text.text);
                check_close(M[k], moment[k] + p.torque[k], 3e-14, "moment", text.text);
            }
        }
        mech_close(&m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_gravity),
        cmocka_unit_test(test_force_at_point),
        cmocka_unit_test(test_caller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

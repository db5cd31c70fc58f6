/* test_element_contract.c: every joint of the table in the plane and in space: rows, dead entries,
 * primitives, rigid motion.
 *
 * The joints come from the table of element types: those named below in many variants, any other
 * one through its example.
 */
#include "element_fixture.h"

/* ---- the joints of the table ---- */

/* Joints with a frame, in all orders of the bodies; 0 when the type is another one. */
static int check_framed(const char *type, int spatial, uint64_t *seed) {
    static const struct {
        const char *type;
        int axis; /* 0 none, 1 in space, 2 always, 3: two axes without x_axis */
    } known[] = {{"revolute", 1},  {"prismatic", 2}, {"cylindrical", 2},
                 {"spherical", 0}, {"universal", 3}, {"fixed", 0}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].type, type) != 0) continue;
        char keys[512];
        const int axis = known[i].axis == 2 || (known[i].axis == 1 && spatial);
        if (known[i].axis == 3)
            snprintf(keys, sizeof keys,
                     "%s, axis: [0.3, -0.8, 0.5], axis_second: [-0.2, 0.9, 1.56]", place(spatial));
        else
            snprintf(keys, sizeof keys, "%s%s%s", place(spatial), axis ? ", " : "",
                     axis ? axes(spatial) : "");
        for (int pair = 0; pair < PAIRS; pair++) check_joint(type, keys, spatial, pair, 4, seed);
        return 1;
    }
    return 0;
}

/* Distances: as drawn, of a given length, of a length that follows time. */
static void check_distance(int spatial, uint64_t *seed) {
    static const char *const lengths[] = {"", ", length: 0.73",
                                          ", length: 0.9 + 0.2*sin(1.7*t + 0.3)"};
    const char *points = spatial ? "from: [0.23, 0.54, -0.38], to: [0.61, -0.17, 0.28]"
                                 : "from: [0.23, 0.54], to: [0.61, -0.17]";
    for (int i = 0; i < 3; i++)
        for (int pair = 0; pair < PAIRS; pair++) {
            char keys[256];
            snprintf(keys, sizeof keys, "%s%s", points, lengths[i]);
            check_joint("distance", keys, spatial, pair, 4, seed);
        }
}

/* Directions of the generic joint and a function of time for each, no two alike. */
static const char *const planar_words[] = {"x", "y", "angle"};
static const char *const spatial_words[] = {"x", "y", "z", "rx", "ry", "rz"};
static const char *const drives[] = {
    "0.13 + 0.21*sin(1.3*t + 0.4)", "0.17*t^2 - 0.3*t", "0.25*exp(-0.4*t)",
    "0.3 + 0.4*cos(1.1*t)",         "0.7*t - 0.2",      "0.6*sin(0.9*t)^2 - t"};

/* The keys of a generic joint: each direction is free (0), locked (1) or driven (2). */
static void generic_keys(int spatial, const int *choice, char *keys, size_t size) {
    const char *const *words = spatial ? spatial_words : planar_words;
    const int n = spatial ? 6 : 3;
    int used = snprintf(keys, size, "%s, %s", place(spatial), axes(spatial));
    for (int kind = 1; kind <= 2; kind++) {
        const char *separator = kind == 1 ? ", lock: [" : ", drive: {";
        int any = 0;
        for (int i = 0; i < n; i++) {
            if (choice[i] != kind) continue;
            used += snprintf(keys + used, size - (size_t)used, "%s%s", any++ ? ", " : separator,
                             words[i]);
            if (kind == 2) used += snprintf(keys + used, size - (size_t)used, ": %s", drives[i]);
        }
        if (any) used += snprintf(keys + used, size - (size_t)used, kind == 1 ? "]" : "}");
    }
    assert_true(used > 0 && (size_t)used < size);
}

/* Every choice of free, locked and driven directions: 26 in the plane, 728 in space. */
static void check_generic(int spatial, uint64_t *seed) {
    const int n = spatial ? 6 : 3;
    int count = 1;
    for (int i = 0; i < n; i++) count *= 3;
    for (int code = 1; code < count; code++) {
        int choice[6];
        for (int i = 0, rest = code; i < n; i++, rest /= 3) choice[i] = rest % 3;
        char keys[1024];
        generic_keys(spatial, choice, keys, sizeof keys);
        for (int pair = 0; pair < PAIRS; pair++)
            check_joint("generic", keys, spatial, pair, spatial ? 1 : 3, seed);
    }
}

/* Any other joint through its example. */
static void check_example(const hol__element_type *type, uint64_t *seed) {
    hol_context *ctx = hol_context_new();
    char *text = hol_element_example(ctx, type->section, type->name);
    assert_non_null(text);
    check_text(text, 4, seed);
    hol_free(ctx, text);
    hol_context_free(ctx);
}

static void check_type(const hol__element_type *type, int spatial, uint64_t *seed) {
    if (strcmp(type->name, "distance") == 0)
        check_distance(spatial, seed);
    else if (strcmp(type->name, "generic") == 0)
        check_generic(spatial, seed);
    else if (!check_framed(type->name, spatial, seed))
        check_example(type, seed);
}

static void check_space(int spatial, uint64_t seed) {
    int n = 0;
    const hol__element_type *type;
    if (!reads_yaml()) skip();
    for (int i = 0; (type = hol__element_type_get(i)); i++) {
        if (strcmp(type->section, "joints") != 0 ||
            !(type->spaces & (spatial ? HOL__IN_SPACE : HOL__IN_PLANE)))
            continue;
        check_type(type, spatial, &seed);
        n++;
    }
    assert_true(n >= (spatial ? 8 : 5));
}

static void test_planar_joints(void **state) {
    (void)state;
    check_space(0, 88172645463325252u);
}

static void test_spatial_joints(void **state) {
    (void)state;
    check_space(1, 4101842887655102017u);
}

/* Points at the mass centres make rotation columns that are zero for good. */
static void test_dead_entries(void **state) {
    static const struct {
        int spatial, zeros; /* of A, at least */
        const char *joint;
    } cases[] = {
        {0, 4, "{type: revolute, bodies: [b2, ground], at: {body: b2, at: [0, 0]}}"},
        {0, 1,
         "{type: distance, bodies: [ground, b2], from: [0.3, 0.1], to: {body: b2, at: [0, 0]}}"},
        {1, 15,
         "{type: spherical, bodies: [b1, b2], at: {body: b1, at: [0.13, -0.07, 0.19]}, at_second: "
         "[0.2, 0.1, 0.3]}"},
        {1, 3,
         "{type: distance, bodies: [b2, ground], from: {body: b2, at: [0, 0, 0]}, to: [0.3, 0.1, "
         "0.7]}"},
        {1, 9, "{type: generic, bodies: [b1, ground], at: [0, 0, 0], lock: [rx, ry, rz]}"},
    };
    uint64_t seed = 2685821657736338717u;
    (void)state;
    if (!reads_yaml()) skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mech_text text = {.used = 0};
        put_bodies(&text, cases[i].spatial);
        put(&text, "  J: %s\n", cases[i].joint);
        check_text(text.text, 3, &seed);
        mech m = mech_open(text.text);
        int dead = 0;
        for (int k = 0; k < m.model->A.ptr[m.model->m]; k++) dead += !m.model->A.live[k];
        if (dead < cases[i].zeros)
            fail_msg("%d entries are marked, expected %d\n%s", dead, cases[i].zeros, text.text);
        mech_close(&m);
    }
}

/* The variants above reach every primitive of primitives.h: one model a primitive, found by its
 * type. */
static void test_primitives_reached(void **state) {
    static const struct {
        const hol__con_type *type;
        int spatial;
        const char *joint;
    } cases[] = {
        {&hol__con_point2, 0, "{type: revolute, bodies: [b1, b2], at: [0, 1]}"},
        {&hol__con_slide2, 0, "{type: prismatic, bodies: [b1, b2], at: [0, 1], axis: [1, 1]}"},
        {&hol__con_angle2, 0, "{type: fixed, bodies: [b1, b2], at: [0, 1]}"},
        {&hol__con_distance2, 0, "{type: distance, bodies: [b1, b2], from: [0, 1], to: [1, 0]}"},
        {&hol__con_point3, 1, "{type: spherical, bodies: [b1, b2], at: [0, 1, 0]}"},
        {&hol__con_slide3, 1,
         "{type: cylindrical, bodies: [b1, b2], at: [0, 1, 0], axis: [1, 1, 0]}"},
        {&hol__con_rotation3, 1,
         "{type: generic, bodies: [b1, b2], at: [0, 1, 0], drive: {rz: t}}"},
        {&hol__con_perpendicular3, 1,
         "{type: universal, bodies: [b1, b2], at: [0, 1, 0], axis: [1, 0, 0], axis_second: [0, 1, "
         "0]}"},
        {&hol__con_distance3, 1,
         "{type: distance, bodies: [b1, b2], from: [0, 1, 0], to: [1, 0, 2]}"},
    };
    (void)state;
    if (!reads_yaml()) skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mech_text text = {.used = 0};
        put_bodies(&text, cases[i].spatial);
        put(&text, "  J: %s\n", cases[i].joint);
        mech m = mech_open(text.text);
        int found = 0;
        for (int k = 0; k < m.model->n_con_batches; k++)
            found |= m.model->con_batches[k].type == cases[i].type;
        if (!found) fail_msg("'%s' is not used by\n%s", cases[i].type->name, text.text);
        mech_close(&m);
    }
}

/* Joints drawn closed have Phi = 0 as drawn and, without drives, at every rigid motion of both
 * bodies together. */
static void test_rigid_motion_keeps_joints(void **state) {
    static const char *const joints =
        "  J1: {type: revolute, bodies: [b1, b2], at: [0.2, 0.5, -0.3], axis: [0.3, -0.8, 0.5]}\n"
        "  J2: {type: universal, bodies: [b2, b1], at: [0.1, -0.4, 0.6], axis: [1, 0, 0], "
        "axis_second: [0, 2, 1]}\n"
        "  J3: {type: prismatic, bodies: [b1, b2], at: [0.7, 0.5, 0.3], axis: [0.1, 0.8, 0.4]}\n"
        "  J4: {type: distance, bodies: [b1, b2], from: [0.7, 0.5, 0.3], to: [0.1, 0.8, 0.4]}\n"
        "  J5: {type: fixed, bodies: [b2, b1], at: [0.3, 0.2, 0.1]}\n";
    uint64_t seed = 1442695040888963407u;
    (void)state;
    if (!reads_yaml()) skip();
    mech_text text = {.used = 0};
    put_bodies(&text, 1);
    put(&text, "%s", joints);
    mech m = mech_open(text.text);
    for (int trial = 0; trial < 20; trial++) {
        double p[4], d[3], R[9], q[14], v[12], w[3], V[3], u[3], x[3];
        random_quaternion(&seed, p);
        for (int k = 0; k < 3; k++)
            d[k] = random_one(&seed), w[k] = random_one(&seed), V[k] = random_one(&seed);
        hol__quat_matrix(p, R);
        for (int b = 0; b < 2; b++) {
            /* r <- d + R r, p <- p p_drawn, v = V + w x r, omega in the body frame */
            double B[9];
            hol__mul3(R, m.model->q0 + 7 * b, u);
            hol__add3(d, u, q + 7 * b);
            hol__quat_mul(p, m.model->q0 + 7 * b + 3, q + 7 * b + 3);
            hol__cross3(w, q + 7 * b, x);
            hol__add3(V, x, v + 6 * b);
            hol__quat_matrix(q + 7 * b + 3, B);
            hol__mul3_t(B, w, v + 6 * b + 3);
        }
        hol_data_set(m.data, 0.3, q, v);
        /* sums of a few products of numbers near 1 */
        const double rounding = 1e-14;
        for (int i = 0; i < m.model->m; i++) {
            check_close(hol_data_position_residual(m.data)[i], 0, rounding, "Phi",
                        hol_model_row(m.model, i)->direction);
            check_close(hol_data_velocity_residual(m.data)[i], 0, rounding, "psi",
                        hol_model_row(m.model, i)->direction);
        }
    }
    mech_close(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planar_joints),
        cmocka_unit_test(test_spatial_joints),
        cmocka_unit_test(test_dead_entries),
        cmocka_unit_test(test_primitives_reached),
        cmocka_unit_test(test_rigid_motion_keeps_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

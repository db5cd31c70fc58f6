/* test_element_contract.c: what every constraint has to supply, checked for all joints at random states.
 *
 *     A   = d Phi(q (+) e) / de          b = -dPhi/dt at fixed q          psi = A v - b = dPhi/dt along the motion
 *     A'  = dA/dt along the motion       c = b' - A' v = -d/dt (A v - b) with the velocities v kept
 *
 * Nonholonomic rows have no Phi: for them A' and c are checked. Entries that are marked as never live are exactly zero.
 * The joints come from the table of element types: those named below in many variants, any other one through its example.
 */
#include "mechanism_fixture.h"

#include "element/primitives.h"

/* ---- where joints are, and between what ---- */

static const char *const pairs[] = {"[b1, b2]", "[ground, b1]", "[b2, ground]"};

enum { PAIRS = sizeof pairs / sizeof *pairs };

/* Two bodies drawn anywhere, one with its mass centre away from its frame, and the head of the section joints. */
static void put_bodies(mech_text *to, int spatial) {
    put(to, "holonom: 1\nspace: %s\nbodies:\n", spatial ? "spatial" : "planar");
    if (spatial)
        put(to, "  b1: {mass: 1.37, inertia: [0.21, 0.34, 0.27, 0.02, -0.03, 0.01], position: "
                "[0.31, -0.22, 0.47], com: "
                "[0.13, -0.07, 0.19], orientation: {euler: [0.4, -0.7, 1.1]}}\n"
                "  b2: {mass: 0.83, inertia: [0.11, 0.15, 0.18], position: [-0.41, 0.36, 0.29], "
                "orientation: {axis: "
                "[1, 2, -0.5], angle: 0.9}}\n");
    else
        put(to, "  b1: {mass: 1.37, inertia: 0.21, position: [0.31, -0.22], com: [0.13, -0.07], "
                "angle: 0.83}\n"
                "  b2: {mass: 0.83, inertia: 0.11, position: [-0.41, 0.36], angle: -2.1}\n");
    put(to, "joints:\n");
}

/* Keys of the place and the axes, drawn apart and turned, so that no term of the equations vanishes. */
static const char *place(int spatial) {
    return spatial ? "at: [0.23, 0.54, -0.38], at_second: [0.61, -0.17, 0.28]"
                   : "at: [0.23, 0.54], at_second: [0.61, -0.17]";
}

static const char *axes(int spatial) {
    return spatial ? "axis: [0.3, -0.8, 0.5], axis_second: [-0.2, 0.9, 0.7], x_axis: [1, 0.2, 0]"
                   : "axis: [0.3, -0.8], axis_second: [0.7, 0.4]";
}

/* ---- the checks ---- */

static void value_phi(void *user, hol_data *data, double *out) {
    (void)user;
    hol_data_update(data, HOL_STAGE_POS);
    memcpy(out, data->Phi, (size_t)data->model->mh * sizeof *out);
}

static void value_a(void *user, hol_data *data, double *out) {
    (void)user;
    hol_data_update(data, HOL_STAGE_POS);
    memcpy(out, data->A.x, (size_t)data->A.ptr[data->model->m] * sizeof *out);
}

static void value_psi(void *user, hol_data *data, double *out) {
    (void)user;
    memcpy(out, hol_data_velocity_residual(data), (size_t)data->model->m * sizeof *out);
}

/* Everything that the state has, kept while the data moves. */
typedef struct rows {
    double *A, *Adot, *dense, *b, *c, *psi, *found;
} rows;

static rows rows_of(hol_data *data) {
    const hol_model *model = data->model;
    const size_t nnz = (size_t)model->A.ptr[model->m], m = (size_t)model->m, n = (size_t)model->nv;
    rows r = {calloc(nnz + 1, sizeof(double)),    calloc(nnz + 1, sizeof(double)),
              calloc(m * n + 1, sizeof(double)),  calloc(m + 1, sizeof(double)),
              calloc(m + 1, sizeof(double)),      calloc(m + 1, sizeof(double)),
              calloc(nnz + m + 1, sizeof(double))};
    if (!model->coords->maps) hol__data_adot(data);
    hol__data_psi(data);
    memcpy(r.A, data->A.x, nnz * sizeof *r.A);
    if (!model->coords->maps) memcpy(r.Adot, data->Adot, nnz * sizeof *r.A);
    memcpy(r.b, data->b, m * sizeof *r.b);
    memcpy(r.c, data->c, m * sizeof *r.c);
    memcpy(r.psi, data->psi, m * sizeof *r.psi);
    hol__csr_to_dense(&data->A, r.dense);
    return r;
}

static void rows_free(rows *r) {
    free(r->A), free(r->Adot), free(r->dense), free(r->b), free(r->c), free(r->psi), free(r->found);
}

/* A and b against Phi, at the state in the data. */
static void check_positions(mech *m, mech_line *l, rows *r, const char *text) {
    const hol_model *model = m->model;
    for (int k = 0; k < model->nv; k++) {
        line_along_coordinate(l, k);
        line_derivative(l, value_phi, NULL, model->mh, r->found);
        for (int i = 0; i < model->mh; i++)
            check_close(r->dense[i * model->nv + k], r->found[i], mech_tolerance, "A", text);
    }
    line_along_coordinate(l, -1);
    l->dt = 1;
    line_derivative(l, value_phi, NULL, model->mh, r->found);
    for (int i = 0; i < model->mh; i++) {
        check_close(r->b[i], -r->found[i], mech_tolerance, "b", text);
        if (r->b[i] != 0 && !model->rheonomic)
            fail_msg("b is not 0, but the model does not depend on time\n%s", text);
    }
}

/* psi, A' (which only reference-point coordinates make) and c along the motion. */
static void check_rates(mech *m, mech_line *l, rows *r, const char *text) {
    const hol_model *model = m->model;
    const int nnz = model->coords->maps ? 0 : model->A.ptr[model->m];
    line_along_motion(l, NULL);
    line_derivative(l, value_phi, NULL, model->mh, r->found);
    for (int i = 0; i < model->mh; i++)
        check_close(r->psi[i], r->found[i], mech_tolerance, "psi", text);
    if (nnz) line_derivative(l, value_a, NULL, nnz, r->found);
    for (int i = 0; i < nnz; i++) check_close(r->Adot[i], r->found[i], mech_tolerance, "A'", text);
    line_derivative(l, value_psi, NULL, model->m, r->found);
    for (int i = 0; i < model->m; i++)
        check_close(r->c[i], -r->found[i], mech_tolerance, "c", text);
}

/* Dead entries are zero, rows have words, and every entry stands in the columns of a body of the joint. */
static void check_marks(const hol_model *model, const rows *r, const char *text) {
    for (int i = 0; i < model->m; i++) {
        const hol_row row = hol_model_row(model, i);
        if (!row.element || !row.element[0] || !row.direction || !row.direction[0] ||
            row.where.line < 1)
            fail_msg("row %d has no words\n%s", i, text);
        for (int k = model->A.ptr[i]; k < model->A.ptr[i + 1]; k++) {
            if (!model->A.live[k] && (r->A[k] != 0 || r->Adot[k] != 0))
                fail_msg("row %d (%s), column %d: marked as zero for good, but A = %g, A' = %g\n%s",
                         i, row.direction, model->A.idx[k], r->A[k], r->Adot[k], text);
        }
    }
}

/* All checks of a mechanism at random states. Angles are counted from the state, so no difference crosses a turn. */
static void check_text_with(const char *text, int states, double h, uint64_t *seed) {
    mech m = mech_open(text);
    assert_true(m.model->m > 0);
    for (int i = 0; i < states; i++) {
        mech_random(&m, seed);
        mech_line l = line_open(&m);
        l.h = h;
        rows r = rows_of(m.data);
        check_positions(&m, &l, &r, text);
        check_rates(&m, &l, &r, text);
        check_marks(m.model, &r, text);
        rows_free(&r);
        line_close(&l);
    }
    mech_close(&m);
}

static void check_text(const char *text, int states, uint64_t *seed) {
    check_text_with(text, states, mech_step, seed);
}

/* The same in another set of coordinates, at states near the drawn one; returns how many rows are left there, 0 when the joints hold by the
 * coordinates. Natural coordinates stay nearer: legs must not shrink, or angles change too fast for the differences. */
static int check_set(const char *text, const char *set, int states, double h, uint64_t *seed) {
    mech m = {.ctx = hol_context_new()};
    hol_spec *spec = hol_spec_new(m.ctx);
    assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
    assert_int_equal(hol_spec_set(spec, "coordinates", set, "test"), HOL_OK);
    m.model = hol_model_compile(spec);
    if (!m.model) fail_with_messages(m.ctx, text);
    hol_spec_free(spec);
    m.data = hol_data_new(m.model);
    const int n = m.model->nv, rows_left = m.model->m;
    double *d = calloc((size_t)n + 1, sizeof *d), *v = calloc((size_t)n + 1, sizeof *v),
           *q = calloc((size_t)m.model->nq + 1, sizeof *q);
    for (int i = 0; rows_left && i < states; i++) {
        const double far = m.model->items ? 0.1 : 0.6;
        for (int k = 0; k < n; k++) d[k] = far * random_one(seed), v[k] = 1.3 * random_one(seed);
        m.model->coords->plus(m.model, m.model->q0, d, q);
        hol_data_set(m.data, 1 + random_one(seed), q, v);
        hol__data_keep_angles(m.data);
        mech_line l = line_open(&m);
        l.h = h;
        rows r = rows_of(m.data);
        check_positions(&m, &l, &r, text);
        check_rates(&m, &l, &r, text);
        rows_free(&r);
        line_close(&l);
    }
    free(d), free(v), free(q);
    mech_close(&m);
    return rows_left;
}

/* One joint, given by its keys, between the bodies of a pair. */
static void check_joint(const char *type, const char *keys, int spatial, int pair, int states,
                        uint64_t *seed) {
    mech_text text = {.used = 0};
    put_bodies(&text, spatial);
    put(&text, "  J: {type: %s, bodies: %s, %s}\n", type, pairs[pair], keys);
    check_text(text.text, states, seed);
}

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
            snprintf(keys, sizeof keys, "%s, axis: [0.3, -0.8, 0.5], axis_second: [-0.2, 0.9, 0.7]",
                     place(spatial));
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

/* Joints whose example shows only one of their forms, in the others: in space, against moving bodies, with every kind of coordinate, term
 * and follower. Curves are gentle, and steps are smaller: distances have large derivatives near a
 * centre of curvature, angles where a frame is nearly turned over (a quarter of the step has an error 4^6 times smaller, and rounding of
 * 4.4e-13 |f|). */
static void test_variants(void **state) {
    static const struct {
        int spatial;
        const char *joints;
    } cases[] = {
        {1, "  J: {type: planar, bodies: [b1, b2], at: [0.2, 0.5, -0.3], at_second: [0.6, -0.1, "
            "0.2], axis: [0.3, -0.8, 0.5], axis_second: [1, 2, 0]}"},
        {1, "  J: {type: screw, bodies: [b2, b1], at: [0.2, 0.5, -0.3], at_second: [0.6, -0.1, "
            "0.2], axis: [0.3, -0.8, 0.5], axis_second: [1, 2, 0], pitch: -0.7}"},
        {1, "  J: {type: constant_velocity, bodies: [b1, b2], at: [0.2, 0.5, -0.3], at_second: "
            "[0.6, -0.1, 0.2], axis: [0.3, -0.8, 0.5], axis_second: [1, -0.4, 0.2]}"},
        {1, "  J: {type: point_on_line, bodies: [b1, b2], at: [0.2, 0.5, -0.3], at_second: [0.6, "
            "-0.1, 0.2], axis: [0.3, -0.8, 0.5]}"},
        {0, "  J: {type: point_on_line, bodies: [b1, b2], at: [0.2, 0.5], at_second: [0.6, -0.1], "
            "axis: [0.3, -0.8]}"},
        {1, "  J: {type: line_in_plane, bodies: [b2, b1], at: [0.2, 0.5, -0.3], at_second: [0.6, "
            "-0.1, 0.2], axis: [0.3, -0.8, 0.5], line: [1, 2, 0]}"},
        {1, "  J: {type: constant_angle, bodies: [b1, b2], axis: [0.3, -0.8, 0.5], axis_second: "
            "[1, 2, 0], angle: 70 deg}"},
        {1, "  J: {type: same_orientation, bodies: [b1, b2]}"},
        {1, "  J: {type: revolute_spherical, bodies: [b2, b1], from: [0.2, 0.5, -0.3], to: [0.6, "
            "-0.1, 0.2], axis: [0.3, -0.8, 0.5]}"},
        {1, "  J: {type: revolute_revolute, bodies: [b1, b2], from: [0.2, 0.5, -0.3], to: [0.6, "
            "-0.1, 0.2], axis: [0.3, -0.8, 0.5], axis_second: [1, 2, 0]}"},
        {1, "  J: {type: revolute_revolute, bodies: [b1, b2], from: [0.2, 0.5, -0.3], to: [0.6, "
            "-0.1, 0.2], axis: [0.3, -0.8, 0.5]}"},
        {1, "  J: {type: revolute_revolute, bodies: [b1, b2], from: [0, 0, 0], to: [1, 0, 0], "
            "axis: [0, 1, 0.2], axis_second: [0.3, 1, 0.2]}"},
        {1,
         "  A: {type: revolute, bodies: [b1, b2], at: [0.2, 0.5, -0.3], axis: [0.3, -0.8, 0.5]}\n"
         "  B: {type: revolute, bodies: [ground, b1], at: [0.9, 0.5, -0.3], axis: [-0.3, 0.8, "
         "-0.5]}\n"
         "  J: {type: gear, joints: [A, B], teeth: [17, 43], kind: internal}"},
        {1,
         "  A: {type: revolute, bodies: [b1, b2], at: [0.2, 0.5, -0.3], axis: [0.3, -0.8, 0.5]}\n"
         "  B: {type: cylindrical, bodies: [ground, b1], at: [0.2, 0.5, -0.3], axis: [1, 0.2, 0]}\n"
         "  J: {type: gear, joints: [A, B], radii: [0.17, 0.43], kind: bevel}"},
        {1,
         "  A: {type: revolute, bodies: [b1, b2], at: [0.2, 0.5, -0.3], axis: [0.3, -0.8, 0.5]}\n"
         "  B: {type: revolute, bodies: [b1, ground], at: [0.9, 0.5, -0.3], axis: [0.3, -0.8, "
         "0.5]}\n"
         "  J: {type: belt, joints: [A, B], radii: [0.17, 0.43], crossed: true}"},
        {1, "  A: {type: revolute, bodies: [b1, b2], at: [0.2, 0.5, -0.3], axis: [0.5, 0.2, 0]}\n"
            "  B: {type: prismatic, bodies: [b1, ground], at: [0.3, 0.7, -0.1], axis: [0.2, -0.5, "
            "0.3]}\n"
            "  J: {type: rack_pinion, pinion: A, rack: B, radius: 0.31}"},
        {1, "  A: {type: cylindrical, bodies: [b1, b2], at: [0.2, 0.5, -0.3], axis: [0.3, -0.8, "
            "0.5]}\n"
            "  J: {type: coupler, coordinates: {a: {joint: A, component: angle}, s: {joint: A}, l: "
            "{bodies: [ground, b2], from: [3, 1, 2], to: [0, 0.4, 0.2]}, "
            "z: {body: b1, at: [1, 0.2, 0.3], component: z}}, equation: sin(a)*s + l^2/3 - "
            "z*cos(0.7*t) + 0.1*a*z}"},
        {0, "  J: {type: coupler, coordinates: {a: {bodies: [b1, b2]}, l: {bodies: [ground, b2], "
            "from: [3, 1], to: [0, 0.4]}, y: {body: b1, at: [1, 0.2], "
            "component: y}, c: {body: b2, component: angle}}, factors: [0.7, 1.2, -0.4, 0.9], "
            "value: 0.3*sin(t)}"},
        {1, "  J: {type: velocity_coupler, coordinates: {a: {bodies: [b1, b2], axis: [0.3, 0.5, "
            "-1]}, l: {bodies: [ground, b2], from: [3, 1, 2], to: [0, 0.4, 0.2]}, "
            "z: {body: b1, at: [1, 0.2, 0.3], component: z}}, factors: [1 + 0.3*l, cos(z)*t, 0.4], "
            "value: 0.2*t*sin(a) + z}"},
        {1, "  J: {type: velocity_constraint, coordinates: {z: {body: b1, component: z}, x: {body: "
            "b2, at: [0.4, 0.2, 0.1], component: x}}, terms: "
            "[{body: b1, component: vx, at: [1, 0.3, 0.2], factor: z}, {body: b2, against: b1, "
            "component: vy, frame: body, factor: 1 + x^2}, "
            "{body: b2, against: b1, component: wz, factor: 0.4*t}, {body: b1, component: wx, "
            "frame: body, factor: -0.3}], value: sin(x)*t}"},
        {0, "  J: {type: velocity_constraint, coordinates: {a: {body: b1, component: angle}}, "
            "terms: [{body: b1, component: vx, frame: body, at: [1, 0.3]}, "
            "{body: b2, against: b1, component: vy, factor: 1 + a^2}, {body: b2, component: omega, "
            "factor: 0.4*t}], value: sin(a)}"},
        {0,
         "  J: {type: velocity_constraint, coordinates: {a: {measure: turn}, x: {measure: tip.x}, "
         "y: {measure: up}}, terms: [{body: b1, component: vx, factor: cos(a) + x}, {body: b2, "
         "component: vy, factor: 1 + y^2}], value: sin(a*t) - x*y}\n"
         "measures:\n  turn: {type: angle, body: b1, relative_to: b2}\n  tip: {type: position, "
         "body: b2}\n  up: {type: position, body: b1, at: [0.4, 0.7], component: y}"},
        {1,
         "  A: {type: cylindrical, bodies: [b1, b2], at: [0.2, 0.5, -0.3], axis: [0.3, -0.8, "
         "0.5]}\n"
         "  J: {type: velocity_constraint, coordinates: {a: {measure: turn}, l: {measure: gap}, "
         "s: {measure: slide}, z: {measure: tip.z}}, terms: [{body: b1, component: vx, factor: "
         "cos(a) + l}, {body: b2, component: wy, factor: s*z}], value: sin(a*t) - l*z}\n"
         "measures:\n  turn: {type: angle, body: b1, axis: [1, 0.3, 2]}\n  gap: {type: distance, "
         "bodies: [ground, b2], from: [3, 1, 2], to: [0, 0.4, 0.2]}\n  slide: {type: "
         "joint_coordinate, joint: A}\n  tip: {type: position, body: b1}"},
        {1, "  J: {type: driver, bodies: [b1, b2], axis: [0.3, 0.5, -1], velocity: 2 + sin(3*t)}"},
        {1, "  J: {type: driver, bodies: [b1, b2], from: [3, 1, 2], to: [0, 0.4, 0.2], position: 2 "
            "+ sin(t)}"},
        {0, "  J: {type: driver, body: b1, at: [1, 0.2], component: x, acceleration: sin(3*t), "
            "initial_rate: 0.3}"},
        {1, "  J: {type: rolling_disk, bodies: [b1, b2], plane: [0.1, 0.2, -0.3], normal: [0.2, "
            "0.1, 1], center: [0.1, 0.3, 0.5], axis: [1, 0.4, 0.1], radius: 0.4}"},
        {0, "  J: {type: rolling_disk, bodies: [b1, b2], plane: [0.1, -0.3], normal: [0.2, 1], "
            "center: [0.1, 0.3], radius: 0.4}"},
        {1, "  J: {type: rolling_sphere, bodies: [b2, b1], plane: [0.1, 0.2, -0.3], normal: [0.2, "
            "0.1, 1], center: [0.1, 0.3, 0.5], radius: 0.4, spin: false}"},
        {1, "  J: {type: wheel, bodies: [b1, b2], plane: [0.1, 0.2, -0.3], normal: [0.2, 0.1, 1], "
            "center: [0.1, 0.3, 0.5], axis: [1, 0.4, 0.1], radius: 0.4}"},
        {0, "  J: {type: wheel, bodies: [b1, b2], center: [0.1, 0.3], axis: [1, 0.4], speed: 0.3 + "
            "t}"},
        {1, "  J: {type: knife_edge, bodies: [b2, b1], plane: [0.1, 0.2, -0.3], normal: [0.2, 0.1, "
            "1], at: [0.1, 0.3, 0.5], axis: [1, 0.4, 0.1]}"},
        {0, "  J: {type: knife_edge, bodies: [b2, b1], at: [0.1, 0.3], axis: [1, 0.4]}"},
        {1, "  J: {type: point_on_curve, bodies: [b1, b2], at: [0.1, 0.2, 0.3], axis: [0.2, 1, "
            "0.3], x: s + 0.1*sin(s), y: 0.1*cos(s), s_from: -9, s_to: 9, "
            "point: [0.3, 0.1, 0.4]}"},
        {0, "  J: {type: point_on_curve, bodies: [b1, b2], at: [0.1, 0.2], axis: [0.2, 1], points: "
            "[[-9, 0.3], [-5, -0.1], [0, 0.2], [4, 0.3], [9, -0.2]], "
            "point: [0.3, 0.1]}"},
        {0, "  J: {type: cam, bodies: [b2, b1], at: [0.1, 0.2], x: 30*cos(s), y: 30*sin(s) + 29 - "
            "0.2*cos(2*s), point: [0.3, 0.1], radius: 0.7}"},
        {0, "  J: {type: cam, bodies: [b2, b1], at: [0.1, 0.2], x: 2*cos(s) + 0.1*cos(2*s), y: "
            "2.2*sin(s), point: [0.3, 0.1], face: [0.3, 1]}"},
        {1, "  J: {type: cam, bodies: [b1, b2], axis: [0.2, 1, 0.3], x: 30*cos(s), y: 30*sin(s) + "
            "29 - 0.2*cos(2*s), point: [0.3, 0.1, 0.2], radius: 0.7}"},
    };
    uint64_t seed = 7046029254386353131u, own = 3935559000370003845u;
    int relative = 0;
    (void)state;
    if (!reads_yaml()) skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mech_text text = {.used = 0};
        put_bodies(&text, cases[i].spatial);
        put(&text, "%s\n", cases[i].joints);
        check_text_with(text.text, 3, 0.25 * mech_step, &seed);
        relative += check_set(text.text, "relative", 3, 0.25 * mech_step, &own) > 0;
        check_set(text.text, "natural", 3, 0.25 * mech_step, &own);
    }
    /* most of them are no links of a tree */
    assert_true(relative > 25);
}

/* Every example in natural and in relative coordinates. */
static void test_examples_in_other_coordinates(void **state) {
    const hol__element_type *type;
    uint64_t seed = 1181783497276652981u;
    (void)state;
    if (!reads_yaml()) skip();
    for (int i = 0; (type = hol__element_type_get(i)); i++) {
        if (strcmp(type->section, "joints") != 0) continue;
        hol_context *ctx = hol_context_new();
        char *text = hol_element_example(ctx, type->section, type->name);
        assert_non_null(text);
        check_set(text, "relative", 3, 0.25 * mech_step, &seed);
        check_set(text, "natural", 3, 0.25 * mech_step, &seed);
        hol_free(ctx, text);
        hol_context_free(ctx);
    }
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

/* The variants above reach every primitive of primitives.h: one model a primitive, found by its type. */
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

/* Joints drawn closed have Phi = 0 as drawn and, without drives, at every rigid motion of both bodies together. */
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
                        hol_model_row(m.model, i).direction);
            check_close(hol_data_velocity_residual(m.data)[i], 0, rounding, "psi",
                        hol_model_row(m.model, i).direction);
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
        cmocka_unit_test(test_variants),
        cmocka_unit_test(test_examples_in_other_coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

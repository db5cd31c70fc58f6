/* test_tangent_elements.c: the tangents of every element of the table through its example, of
 * forces at states where they act, of every measure that a law may read, of forces of the caller;
 * own derivatives against differences; symmetry.
 */
#define _POSIX_C_SOURCE 200809L
#include "tangent_fixture.h"

#include "dyn/tangent_work.h"
#include "model/element.h"

static const char *const sets[] = {"reference", "relative", "natural"};
enum { N_SETS = 3 };

/* ---- own derivatives against differences ---- */

/* The largest difference over the largest number of b. */
static double apart(const double *a, const double *b, int n) {
    double most = 0, size = 1e-300;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
        size = fmax(size, fabs(b[i]));
    }
    return size > 1e-200 ? most / size : 0;
}

/* A rows x columns matrix with rows and columns of ground left out. */
static double *add_matrix(const hol__tangent *t, const hol__force_tangent *out, const double *from,
                          int rows, int columns, double *to) {
    const int nb = t->model->nb, bw = t->model->bw;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            const int ground = (rows == out->n && out->body[i / bw] >= nb) ||
                               (columns == out->n && out->body[j / bw] >= nb);
            *to++ = ground ? 0 : from[i * columns + j];
        }
    return to;
}

/* All matrices of a record in a row. */
static void keep(const hol__tangent *t, const hol__force_tangent *out, double *to) {
    const int n = out->n, z = out->n_aux, u = out->n_reads;
    to = add_matrix(t, out, out->pose, n, n, to);
    to = add_matrix(t, out, out->twist, n, n, to);
    to = add_matrix(t, out, out->input, n, u, to);
    to = add_matrix(t, out, out->state, n, z, to);
    to = add_matrix(t, out, out->rate_pose, z, n, to);
    to = add_matrix(t, out, out->rate_twist, z, n, to);
    to = add_matrix(t, out, out->rate_input, z, u, to);
    add_matrix(t, out, out->rate_state, z, z, to);
}

/* Every force with a tangent of its own, at the state of the last update, against differences over
 * its bodies: 1e-8 of the largest number of the record, where rounding and steps leave some 1e-11
 * of smooth forces. */
static void check_own(hol__tangent *t, const char *what) {
    hol__tangent_work *w = t->work;
    for (int i = 0; i < w->n_forces; i++) {
        hol__force_part *part = &w->forces[i];
        hol__force_tangent *out = &part->out;
        const int n = out->n, z = out->n_aux, u = out->n_reads,
                  count = 2 * n * n + n * u + 3 * n * z + z * u + z * z;
        if (!part->type->tangent || !part->owner) continue;
        double *own = numbers(count), *other = numbers(count);
        hol__force_args args = hol__probe_force_args(&w->probe);
        hol__tangent_open_part(w, part);
        part->type->tangent(part->record, &args, out);
        keep(t, out, own);
        hol__tangent_open_part(w, part);
        hol__force_differences(&w->probe, part);
        keep(t, out, other);
        const double off = apart(own, other, count);
        if (off > 1e-8) {
            failures++;
            print_error("%s: %s: own tangent and differences are %.1e apart\n", what,
                        part->type->name, off);
        }
        free(own);
        free(other);
    }
}

/* ---- symmetry ---- */

/* Reactions of holonomic constraints have the potential lambda . Phi, so that their derivatives are
 * symmetric but for the order of two rotations of one body: w_ij - w_ji = n . (e_j x e_i), n: the
 * torque in the body frame. */
static void check_symmetry(residual *r, hol__tangent *t, const char *what) {
    const hol_model *m = r->model;
    const int n = m->nv, bw = m->bw;
    double *K = numbers(n * n), *w = numbers(n), most = 0;
    for (int i = m->mh; i < m->m; i++) r->lambda[i] = 0;
    residual_put(r);
    assert_int_equal(hol__tangent_update(t, r->data, HOL__PART_REACTIONS), HOL_OK);
    hol__csr_to_dense(&t->K, K);
    hol__csr_mul_t(&r->data->A, r->lambda, w);
    for (int i = 0; i < n * n; i++) most = fmax(most, fabs(K[i]));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double order = 0;
            if (m->dim == 3 && i / bw == j / bw && i % bw >= 3 && j % bw >= 3) {
                const int a = j % bw - 3, b = i % bw - 3, k = 3 - a - b;
                order = ((b - a + 3) % 3 == 1 ? 1 : -1) * w[bw * (i / bw) + 3 + k];
            }
            const double skew = -(K[i * n + j] - K[j * n + i]);
            if (fabs(skew - order) > 1e-12 * (most + fabs(order)) && failures++ < 20)
                print_error("%s: the derivatives (%d, %d) of the reactions differ by %.15g, not "
                            "%.15g\n",
                            what, i, j, skew, order);
        }
    free(K);
    free(w);
}

/* ---- one model ---- */

/* As if all contacts had begun within this step: apart before, and approaching. */
static void forget_contact(residual *r, uint64_t *seed) {
    for (int i = 0; i + 3 <= r->model->n_memory; i += 3) {
        r->data->memory[i] = 0;
        r->data->memory[i + 1] = -0.04 - 0.03 * random_unit(seed);
        r->data->memory[i + 2] = 1.1 + 0.8 * random_unit(seed);
    }
}

/* All checks at some states; own: also own derivatives against differences. */
static void check_model(hol_context *ctx, const hol_model *model, int states, double far, int own,
                        const char *what, uint64_t *seed) {
    residual r = residual_open(ctx, model);
    hol__tangent *t;
    assert_int_equal(hol__tangent_new(r.data, &t), HOL_OK);
    for (int i = 0; i < states; i++) {
        r.parts = HOL__PART_ALL;
        residual_random(&r, i % 2 ? 0.01 * far : far, seed);
        if (i % 3 == 2) forget_contact(&r, seed);
        check_tangent(&r, t, what);
        residual_put(&r);
        assert_int_equal(hol__tangent_update(t, r.data, HOL__PART_ALL), HOL_OK);
        if (own) check_own(t, what);
        if (!model->coords->maps) check_symmetry(&r, t, what);
    }
    hol__tangent_free(t);
    residual_close(&r);
}

/* A text in all sets of coordinates. */
static void check_text(const char *text, int states, double far, int own, const char *what,
                       uint64_t *seed) {
    for (int k = 0; k < N_SETS; k++) {
        char label[256];
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        hol_model *model = NULL;
        if (!hol_spec_read_text(spec, text, what)) model = hol_model_compile(ctx, spec, sets[k]);
        if (!model && k == 0) {
            run_print_messages(ctx);
            fail_msg("%s cannot be compiled", what);
        }
        snprintf(label, sizeof label, "%s in %s coordinates", what, sets[k]);
        if (model) check_model(ctx, model, states, far, own, label, seed);
        hol_spec_free(spec);
        hol_model_free(model);
        hol_context_free(ctx);
    }
}

/* ---- examples ---- */

static void test_examples(void **state) {
    const hol__element_type *type;
    uint64_t seed = 4101842887655102017u;
    int count = 0;
    (void)state;
    if (!run_reads_files()) skip();
    failures = 0;
    for (int i = 0; (type = hol__element_type_get(i)); i++) {
        hol_context *ctx = hol_context_new();
        char *text = hol_element_example(ctx, type->section, type->name), what[128];
        assert_non_null(text);
        snprintf(what, sizeof what, "%s %s", type->section, type->name);
        check_text(text, 4, 0.05, 0, what, &seed);
        hol_free(ctx, text);
        hol_context_free(ctx);
        count++;
    }
    assert_true(count > 50);
    assert_int_equal(failures, 0);
}

/* ---- forces that act at some states only ---- */

#define PLANE                                                                                      \
    "holonom: 1\nspace: planar\ngravity: [0.7, -9.3]\nbodies:\n"                                   \
    "  b1: {mass: 1.37, inertia: 0.21, position: [0.31, -0.22], com: [0.13, -0.07], angle: "       \
    "0.83}\n  b2: {mass: 0.83, inertia: 0.11, position: [-0.41, 0.36], angle: -2.1}\n"             \
    "joints:\n  pin: {type: revolute, bodies: [b1, b2], at: [0.2, 0.5]}\n"                         \
    "  rail: {type: prismatic, bodies: [ground, b1], at: [-0.2, 0.1], axis: [0.4, 0.9]}\n"         \
    "measures:\n  place: {type: position, body: b2}\n  speed: {type: velocity, body: b1}\n"        \
    "  both: {type: expression, value: 'place.x*speed.y + sin(t)'}\nforces:\n"

#define SPACE                                                                                      \
    "holonom: 1\nspace: spatial\ngravity: [0.7, -1.9, 9.3]\nbodies:\n"                             \
    "  b1: {mass: 1.37, inertia: [0.21, 0.34, 0.27, 0.02, -0.03, 0.01], position: [0.31, -0.22, "  \
    "0.47], com: [0.13, -0.07, 0.19], orientation: {euler: [0.4, -0.7, 1.1]}}\n"                   \
    "  b2: {mass: 0.83, inertia: [0.11, 0.15, 0.18], position: [-0.41, 0.36, 0.29], orientation: " \
    "{axis: [1, 2, -0.5], angle: 0.9}}\njoints:\n"                                                 \
    "  pin: {type: cylindrical, bodies: [b1, b2], at: [0.2, 0.5, -0.3], axis: [0.3, -0.8, 0.5]}\n" \
    "  loose: {type: generic, bodies: [ground, b1], at: [0.1, 0.2, 0.3], axis: [0.1, 1.2, 0.4], "  \
    "lock: [x]}\n"                                                                                 \
    "measures:\n  place: {type: position, body: b2}\n  speed: {type: velocity, body: b1}\n"        \
    "  both: {type: expression, value: 'place.x*speed.y + sin(t)'}\nforces:\n"

/* A disk and a sphere that slip on a moving table, and resistance with scales of the order of the
 * motion. */
#define ROLLING                                                                                    \
    "holonom: 1\nspace: spatial\ngravity: [0.7, -1.9, -9.3]\nbodies:\n"                            \
    "  table: {mass: 3.1, inertia: [0.4, 0.5, 0.7], position: [0.1, 0.2, -0.3], velocity: [0.4, "  \
    "0.1, 0.2], omega: [0.3, -0.2, 0.5]}\n"                                                        \
    "  disk: {mass: 0.9, inertia: [0.03, 0.05, 0.03], position: [0, 0, 0.31], velocity: [1.1, "    \
    "0.2, 0], omega: [0.4, 2.3, 0.9]}\n"                                                           \
    "  ball: {mass: 0.7, inertia: [0.04, 0.04, 0.04], position: [0.8, 0.4, 0.2], velocity: [0.3, " \
    "-0.9, 0], omega: [1.4, 0.3, -0.9]}\njoints:\n"                                                \
    "  on: {type: rolling_disk, bodies: [table, disk], radius: 0.31, axis: [0, 1, 0], plane: "     \
    "[0, 0, 0], normal: [0, 0, 1], slip: true}\n"                                                  \
    "  by: {type: rolling_sphere, bodies: [table, ball], radius: 0.2, plane: [0, 0, 0], normal: "  \
    "[0, 0, 1], slip: true}\n"                                                                     \
    "measures:\n  place: {type: position, body: ball}\nforces:\n"

static const char *const acting[] = {
    ROLLING "  f: {type: rolling_resistance, joint: on, load: '7 + place.y', arm: '0.1 + 0.02*t', "
            "spin_arm: 0.07, viscous: 0.03, spin_viscous: 0.02, friction: 0.4, slip_rate: 1.3, "
            "slip_speed: 0.9}\n"
            "  g: {type: rolling_resistance, joint: by, load: 5.1, arm: 0.1, spin_arm: "
            "'0.03*place.x', friction: 0.3, slip_rate: 0.8, slip_speed: 0.6}\n",
    PLANE
    "  f: {type: contact_plane, bodies: [b1, b2], plane: [0.1, 0.2], normal: [0.3, 1], point: "
    "[-0.4, 0.4], radius: 0.9, stiffness: 370, restitution: 0.7, friction: 0.3, slip_speed: "
    "0.8}\n",
    SPACE "  f: {type: contact_plane, bodies: [b1, b2], plane: [0.1, 0.2, 0], normal: [0.3, 1, "
          "-0.4], point: [-0.4, 0.4, 0.2], radius: 0.9, stiffness: 370, exponent: 1.5, "
          "dissipation: flores, restitution: 0.6, friction: 0.3, slip_speed: 0.8}\n",
    PLANE "  f: {type: contact_spheres, bodies: [b1, b2], from: [0.3, 0.2], to: [-0.4, 0.4], "
          "radius_from: 0.8, radius_to: 0.7, modulus: 430, dissipation: linear, damping: 3.1, "
          "friction: 0.2, slip_speed: 0.5}\n",
    SPACE "  f: {type: contact_spheres, bodies: [b1, b2], from: [0.3, 0.2, 0.1], to: [-0.4, 0.4, "
          "0.3], radius_from: 0.8, radius_to: 0.7, modulus: 430, dissipation: exact, restitution: "
          "0.8, friction: 0.2, slip_speed: 0.5}\n",
    PLANE "  f: {type: contact, bodies: [b1, b2], shapes: [{type: plane, at: [0.1, 0.2], normal: "
          "[0.3, 1]}, {type: box, at: [-0.4, 0.4], size: [1.3, 0.9]}], stiffness: 370, "
          "restitution: 0.7, friction: 0.3, slip_speed: 0.8}\n",
    SPACE "  f: {type: contact, bodies: [b1, b2], shapes: [{type: box, at: [0, -20, 0], size: [40, "
          "40, 40], along: [1, 0, 0]}, {type: sphere, at: [-0.4, 0.4, 0.3], radius: 0.8}], "
          "stiffness: 370, restitution: 0.7, friction: 0.3, slip_speed: 0.8}\n",
    SPACE
    "  f: {type: contact, bodies: [b1, b2], shapes: [{type: capsule, at: [0.3, 0.2, 0.1], to: "
    "[0.6, 0.3, 0.3], radius: 0.9}, {type: box, at: [-0.4, 0.4, 0.3], size: [0.2, 0.3, "
    "0.1]}], stiffness: 370, friction: 0.3, slip_speed: 0.8}\n",
    SPACE
    "  f: {type: contact, bodies: [b1, b2], shapes: [{type: capsule, at: [0.3, 0.2, 0.1], to: "
    "[0.6, 0.3, 0.3], radius: 0.9}, {type: capsule, at: [-0.4, 0.4, 0.3], to: [-0.6, 0, "
    "0.1], radius: 0.4}], stiffness: 370, restitution: 0.8, friction: 0.3, slip_speed: "
    "0.8}\n",
    PLANE "  f: {type: contact, bodies: [b1, b2], shapes: [{type: box, at: [0.3, 0.2], size: [1.3, "
          "0.9]}, {type: hull, at: [-0.4, 0.4], points: [[-0.8, -0.7], [0.9, -0.6], [0.1, 0.8]]}], "
          "stiffness: 370, exponent: 1, restitution: 0.7}\n",
    PLANE "  f: {type: bump_stop, bodies: [b1, b2], from: [0.3, 0.2], to: [-0.4, 0.4], length: "
          "1.9, stiffness: 210, exponent: 1.3, damping: 4.1, depth: 2.3}\n",
    SPACE "  f: {type: bump_stop, bodies: [b1, b2], from: [0.3, 0.2, 0.1], to: [-0.4, 0.4, 0.3], "
          "length: 0.3, acts: above, stiffness: 210, damping: 4.1, depth: 0.1}\n",
    PLANE
    "  f: {type: limit, joint: pin, lower: 0.4, upper: 1.2, stiffness: 41, damping: 2, "
    "depth: 0.9}\n  g: {type: limit, joint: rail, upper: -0.5, stiffness: 37, exponent: 1.5}\n",
    SPACE "  f: {type: limit, joint: pin, component: angle, lower: 0.4, stiffness: 41, damping: 2, "
          "depth: 0.9}\n  g: {type: limit, joint: pin, component: displacement, upper: -0.5, "
          "stiffness: 37}\n",
    PLANE "  f: {type: friction, joint: pin, level: '0.7 + 0.1*coordinate^2 + 0.2*both', "
          "level_static: 1.3, stribeck_speed: 0.9, slip_speed: 0.7, viscous: 0.3}\n"
          "  g: {type: friction, joint: rail, model: lugre, level: 0.9, level_static: "
          "'1.4+0.1*rate', stribeck_speed: 0.8, bristle_stiffness: 31, bristle_damping: 0.6}\n",
    SPACE "  f: {type: friction, joint: pin, component: angle, level: '0.7 + 0.1*coordinate^2 + "
          "0.2*both', level_static: 1.3, stribeck_speed: 0.9, slip_speed: 0.7}\n  g: {type: "
          "friction, joint: pin, component: displacement, model: lugre, level: 0.9, "
          "bristle_stiffness: 31, bristle_damping: 0.6}\n",
    PLANE "  f: {type: pid, joint: pin, target: '0.3*t + both', measured: 'coordinate + "
          "0.2*place.y', measured_rate: 'rate + 0.1*speed.x', proportional: 11, integral: 3.3, "
          "derivative: 1.7, feed: '0.4*rate*t', limit: 900}\n"
          "  g: {type: motor, joint: rail, curve: '3 - 0.4*speed^2', command: 'cos(t) + both'}\n",
    SPACE "  f: {type: pid, joint: pin, component: displacement, target: '0.3*t + both', "
          "proportional: 11, integral: 3.3, derivative: 1.7, limit: 0.5}\n"
          "  g: {type: motor, joint: pin, component: angle, curve: '3 - 0.4*speed^2'}\n",
    PLANE
    "  f: {type: bushing, bodies: [b1, b2], at: [0.3, 0.2], at_second: [0.1, 0.4], axis: "
    "[0.4, 0.7], stiffness: [[31, 4, 2], [4, 27, 1], [2, 1, 9]], damping: [2, 3, 0.4], force: "
    "['3*deflection^3 + both', '0.2*rate^3'], torque: 'deflection*rate'}\n",
    SPACE "  f: {type: bushing, bodies: [b1, b2], at: [0.3, 0.2, 0.4], axis: [0.4, 0.7, 0.1], "
          "stiffness: [31, 27, 19, 3, 4, 5], damping: [2, 3, 1, 0.4, 0.2, 0.3], force: "
          "['3*deflection^3 + both', '0.2*rate^3', 0], torque: ['deflection*rate', 0, 0.3*t]}\n",
    PLANE "  f: {type: drag, body: b2, at: [0.7, 0.2], linear: 0.4, quadratic: 0.9, turn_linear: "
          "0.2, turn_quadratic: 0.7, wind: ['sin(t)', 'both']}\n",
    SPACE "  f: {type: drag, body: b1, at: [0.7, 0.2, 0.1], linear: 0.4, quadratic: 0.9, "
          "turn_quadratic: 0.7, wind: ['sin(t)', 'both', 0.4]}\n",
    PLANE "  f: {type: force, body: b1, at: [0.7, 0.2], force: ['both', '1.3*t*speed.x'], frame: "
          "body}\n  g: {type: torque, body: b1, reaction: b2, torque: 'both*t'}\n",
    SPACE "  f: {type: force, body: b1, at: [0.7, 0.2, 0.4], force: ['both', '1.3*t*speed.x', "
          "0.7]}\n  g: {type: force, body: b2, force: [1.1, 'both', 0.7], frame: body}\n"
          "  h: {type: torque, body: b1, reaction: b2, torque: ['both*t', 0.7, -1.1], frame: "
          "body}\n  i: {type: torque, body: b2, torque: [0.4, 'place.z', 1.2]}\n",
    PLANE "  f: {type: spring, bodies: [b1, b2], from: [0.3, 0.2], to: [-0.4, 0.9], stiffness: "
          "'9 + 1.1*length^2 + both', damping: '0.3*(1 + rate^2)', force: 'place.y*length'}\n"
          "  g: {type: torsion, joint: pin, stiffness: '3 + angle^2', damping: 0.4, torque: "
          "both}\n",
    SPACE "  f: {type: spring, bodies: [b2, ground], from: [0.3, 0.2, 0.1], to: [-0.4, 0.9, 0.6], "
          "stiffness: '9 + 1.1*length^2 + both', damping: '0.3*(1 + rate^2)'}\n"
          "  g: {type: torsion, joint: loose, stiffness: '3 + angle^2', damping: 0.4, torque: "
          "both}\n",
    PLANE "  f: {type: tyre, body: b2, center: [-0.4, 0.2], radius: 0.9, stiffness: 430, damping: "
          "3, road: '-0.2 + 0.05*sin(3*x + t)'}\n",
    SPACE "  f: {type: tyre, body: b2, center: [-0.4, 0.2, 0.5], radius: 0.9, stiffness: 430, "
          "damping: 3, road: '0.05*sin(3*x + t)', direction: vertical}\n"
          "  g: {type: rotor, body: b1, axis: [0.3, 0.4, 1], inertia: 0.2, speed: 31}\n",
};

/* ---- joints in forms that their examples do not have ---- */

#define BODIES2                                                                                    \
    "holonom: 1\nspace: planar\ngravity: [0.7, -9.3]\nbodies:\n"                                   \
    "  b1: {mass: 1.37, inertia: 0.21, position: [0.31, -0.22], com: [0.13, -0.07], angle: "       \
    "0.83}\n  b2: {mass: 0.83, inertia: 0.11, position: [-0.41, 0.36], angle: -2.1}\njoints:\n"

#define BODIES3                                                                                    \
    "holonom: 1\nspace: spatial\ngravity: [0.7, -1.9, 9.3]\nbodies:\n"                             \
    "  b1: {mass: 1.37, inertia: [0.21, 0.34, 0.27, 0.02, -0.03, 0.01], position: [0.31, -0.22, "  \
    "0.47], com: [0.13, -0.07, 0.19], orientation: {euler: [0.4, -0.7, 1.1]}}\n"                   \
    "  b2: {mass: 0.83, inertia: [0.11, 0.15, 0.18], position: [-0.41, 0.36, 0.29], orientation: " \
    "{axis: [1, 2, -0.5], angle: 0.9}}\njoints:\n"

static const char *const holding[] = {
    BODIES2
    "  j: {type: generic, bodies: [b1, b2], at: [0.23, 0.54], axis: [0.3, -0.8], drive: {x: "
    "'0.13 + 0.21*sin(1.3*t)', y: '0.2*t^2', angle: '0.3*cos(1.7*t)'}}\n"
    "  k: {type: distance, bodies: [ground, b1], from: [0.2, 0.5], to: [0.6, -0.2], length: "
    "'0.9 + 0.2*sin(1.7*t + 0.3)'}\n",
    BODIES3
    "  j: {type: generic, bodies: [b1, b2], at: [0.23, 0.54, -0.4], axis: [0.3, -0.8, 0.5], "
    "drive: {rx: '0.3 + 0.4*cos(1.1*t)', ry: '0.7*t - 0.2', rz: '0.6*sin(0.9*t)^2 - t', x: "
    "'0.25*exp(-0.4*t)'}}\n"
    "  k: {type: distance, bodies: [ground, b1], from: [0.2, 0.5, 0.1], to: [0.6, -0.2, "
    "0.4], length: '0.9 + 0.2*sin(1.7*t + 0.3)'}\n",
    BODIES3 "  j: {type: generic, bodies: [ground, b1], at: [0.2, 0.5, -0.4], axis: [0.3, -0.8, "
            "0.5], lock: [ry, z], drive: {rz: '0.6*sin(0.9*t) - t'}}\n"
            "  k: {type: universal, bodies: [b1, b2], at: [0.1, 0.2, 0.3], axis: [0, 1, 0.2], "
            "axis_second: [1, 0, 0.4]}\n",
    BODIES3
    "  j: {type: screw, bodies: [ground, b1], at: [0.2, 0.5, -0.4], axis: [0.3, -0.8, 0.5], "
    "pitch: 0.3}\n  k: {type: spherical, bodies: [b1, b2], at: [0.1, 0.2, 0.3]}\n",
    BODIES3 "  j: {type: spherical, bodies: [ground, b1], at: [0.2, 0.5, -0.4]}\n"
            "  k: {type: cylindrical, bodies: [b1, b2], at: [0.1, 0.2, 0.3], axis: [0.4, 0.1, "
            "1]}\n",
};

static void test_holding(void **state) {
    uint64_t seed = 6364136223846793005u;
    (void)state;
    if (!run_reads_files()) skip();
    failures = 0;
    for (size_t i = 0; i < sizeof holding / sizeof *holding; i++)
        check_text(holding[i], 6, 0.1, 0, strstr(holding[i], "  j: {"), &seed);
    assert_int_equal(failures, 0);
}

static void test_acting(void **state) {
    uint64_t seed = 1181783497276652981u;
    (void)state;
    if (!run_reads_files()) skip();
    failures = 0;
    for (size_t i = 0; i < sizeof acting / sizeof *acting; i++)
        check_text(acting[i], 6, 0.08, 1, strstr(acting[i], "  f: {"), &seed);
    assert_int_equal(failures, 0);
}

/* ---- measures that laws read ---- */

/* A force on the first body made of all columns that laws may read. */
static hol_model *with_reader(hol_context *ctx, const char *text, const char *set,
                              const hol_model *plain) {
    static char law[3][2048];
    const char *texts[3];
    hol_spec *spec = hol_spec_new(ctx);
    assert_int_equal(hol_spec_read_text(spec, text, "measure"), HOL_OK);
    for (int k = 0; k < 3; k++) {
        int used = snprintf(law[k], sizeof law[k], "0.3");
        for (int i = 0; i < plain->n_measures; i++)
            for (int c = 0;
                 plain->measures[i].level <= HOL__LEVEL_VEL && c < plain->measures[i].count; c++)
                used +=
                    snprintf(law[k] + used, sizeof law[k] - (size_t)used, " + sin(%.1f*%s)",
                             0.7 + 0.2 * c + k, plain->columns[plain->measures[i].first + c].name);
        texts[k] = law[k];
    }
    hol_item *item = hol_spec_add(spec, "forces", "reader", "force");
    assert_non_null(item);
    hol_item_text(item, "body", plain->bodies[0].name);
    hol_item_texts(item, "force", plain->dim, texts);
    hol_model *model = hol_model_compile(ctx, spec, set);
    hol_spec_free(spec);
    return model;
}

static void test_measures(void **state) {
    const hol__element_type *type;
    uint64_t seed = 7664345821815920749u;
    (void)state;
    if (!run_reads_files()) skip();
    failures = 0;
    for (int i = 0; (type = hol__element_type_get(i)); i++) {
        if (strcmp(type->section, "measures") != 0 || type->measure->level > HOL__LEVEL_VEL)
            continue;
        hol_context *ctx = hol_context_new();
        char *text = hol_element_example(ctx, type->section, type->name);
        hol_spec *spec = hol_spec_new(ctx);
        assert_int_equal(hol_spec_read_text(spec, text, "measure"), HOL_OK);
        hol_model *plain = hol_model_compile(ctx, spec, "reference");
        assert_non_null(plain);
        for (int k = 0; k < N_SETS; k++) {
            hol_model *model = with_reader(ctx, text, sets[k], plain);
            char what[128];
            snprintf(what, sizeof what, "measure %s in %s coordinates", type->name, sets[k]);
            if (!model) {
                run_print_messages(ctx);
                fail_msg("%s cannot be compiled", what);
            }
            check_model(ctx, model, 4, 0.1, 0, what, &seed);
            hol_model_free(model);
        }
        hol_model_free(plain);
        hol_spec_free(spec);
        hol_free(ctx, text);
        hol_context_free(ctx);
    }
    assert_int_equal(failures, 0);
}

/* ---- forces of the caller ---- */

/* A spring and a damper between two bodies, without the help of an element. */
static hol_status own_force(void *user, hol_data *data) {
    const hol_model *m = user;
    const double point[3] = {0.3, -0.2, 0.1};
    double f[3];
    hol_pose pose[2];
    hol_twist twist[2];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(hol_data_body_pose(data, i % m->nb, &pose[i]), HOL_OK);
        assert_int_equal(hol_data_body_twist(data, i % m->nb, &twist[i]), HOL_OK);
    }
    for (int k = 0; k < 3; k++)
        f[k] = m->dim == 2 && k == 2 ? 0
                                     : 3.7 * (pose[1].r[k] - pose[0].r[k]) + 0.4 * twist[1].v[k] -
                                           0.9 * sin(pose[0].r[k]) * twist[0].omega[2];
    return hol_data_add_force(data, 0, point, f);
}

static void test_caller(void **state) {
    uint64_t seed = 3202034522624059733u;
    (void)state;
    if (!run_reads_files()) skip();
    failures = 0;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < N_SETS; k++) {
            hol_context *ctx = hol_context_new();
            hol_model *model = tangent_model(ctx, i ? "slider_crank_spatial" : "four_bar", sets[k]);
            assert_non_null(model);
            residual r = residual_open(ctx, model);
            hol__tangent *t;
            r.data->on_force = own_force;
            r.data->user = model;
            assert_int_equal(hol__tangent_new(r.data, &t), HOL_OK);
            r.parts = HOL__PART_ALL;
            residual_random(&r, 0.05, &seed);
            check_tangent(&r, t, "a force of the caller");
            hol__tangent_free(t);
            residual_close(&r);
            hol_model_free(model);
            hol_context_free(ctx);
        }
    assert_int_equal(failures, 0);
}

/* ---- memory ---- */

static void test_memory(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    for (int k = 0; k < N_SETS; k++) {
        counting c;
        hol_context *ctx = failing_context(&c, 0);
        hol_model *model = tangent_model(ctx, "elements/friction_lugre", sets[k]);
        hol_data *data = hol_data_new(ctx, model);
        assert_non_null(data);
        hol__tangent *t;
        hol_status status = HOL_ERR_MEMORY;
        for (int i = 1; status; i++) {
            assert_true(i < 1000);
            c.fail_at = c.made + i;
            status = hol__tangent_new(data, &t);
            if (status) {
                assert_int_equal(status, HOL_ERR_MEMORY);
                assert_null(t);
            }
        }
        c.fail_at = 0;
        const long made = c.made;
        assert_int_equal(hol__tangent_update(t, data, HOL__PART_ALL), HOL_OK);
        assert_int_equal(c.made, made);
        hol__tangent_free(t);
        hol_data_free(data);
        hol_model_free(model);
        hol_context_free(ctx);
        assert_int_equal(c.live, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples), cmocka_unit_test(test_holding),
        cmocka_unit_test(test_acting),   cmocka_unit_test(test_measures),
        cmocka_unit_test(test_caller),   cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

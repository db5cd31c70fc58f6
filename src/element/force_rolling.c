/* force_rolling.c: resistance of a disk or a sphere to rolling, to spinning and, where it slips, to
 * slipping on its plane.
 *
 * With the normal n, the angular velocity w = omega2 - omega1 and, where the joint lets it slip,
 * the velocity V = V2(X) - V1(X) of the point of contact along the plane:
 *
 *     w_n = n . w,   w_t = w - w_n n
 *     rolling    M_t = (b N g(|w_t| / w0) + c |w_t|) w_t / |w_t|
 *                b: arm of rolling resistance, c: viscous part
 *     spinning   M_n = (s N g(|w_n| / w0) + d |w_n|) sign(w_n) n
 *                s: arm of the resistance to spinning
 *     slipping   F   = mu N g(|V| / v0) V / |V|
 *     g = tanh
 *
 * -(M_t + M_n) acts on body 2 and -F at X, the opposite on body 1; the power is -(M_t . w + M_n . w
 * + F . V), never positive. N is given: the normal force of the joint is a multiplier, which
 * follows from the forces and cannot be one of their causes.
 */
#include "element/dual_forces.h"
#include "element/forces.h"
#include "element/rolling.h"

#include <math.h>

typedef struct resistance {
    int element;
    int body[2];
    const hol__rolling *at;
    hol__law load, arm, spin_arm;
    double viscous, spin_viscous, mu;
    double w0, v0;
} resistance;

/* (level g(size / slow) + c size) / size, finite at 0. */
static double over_size(double level, double c, double size, double slow) {
    const double x = size / slow;
    return c + level / slow * (x > 1e-4 ? tanh(x) / x : 1 - x * x / 3);
}

/* The point of contact X. */
static void contact_point(const resistance *rec, const hol__force_args *args, const double *n,
                          double X[3]) {
    const hol__rolling *at = rec->at;
    double a[3], u[3] = {n[0], n[1], n[2]};
    hol__place_of(args, rec->body[1], at->c, X);
    if (at->shape == HOL__ROLLING_DISK && !args->bodies.b2) {
        hol__turned(args, rec->body[1], at->a, a);
        const double cosine = hol__dot3(n, a);
        for (int i = 0; i < 3; i++) u[i] -= cosine * a[i];
        const double length = hol__norm3(u);
        for (int i = 0; i < 3; i++) u[i] /= length;
    }
    for (int i = 0; i < 3; i++) X[i] -= at->radius * u[i];
}

/* Resistance to rolling and spinning: one moment on both bodies. */
static void turn_bodies(const resistance *rec, const double *n, double N, hol__force_args *args) {
    double w1[3], w2[3], w[3], wt[3], M[3];
    hol__spin_of(args, rec->body[0], w1);
    hol__spin_of(args, rec->body[1], w2);
    hol__sub3(w2, w1, w);
    const double wn = hol__dot3(n, w);
    for (int i = 0; i < 3; i++) wt[i] = w[i] - wn * n[i];
    const double b = hol__law_value(&rec->arm, args->inputs, args->scratch),
                 s = hol__law_value(&rec->spin_arm, args->inputs, args->scratch);
    const double roll = over_size(b * N, rec->viscous, hol__norm3(wt), rec->w0),
                 spin = over_size(s * N, rec->spin_viscous, fabs(wn), rec->w0);
    for (int i = 0; i < 3; i++) M[i] = roll * wt[i] + spin * wn * n[i];
    hol__tell(args, 1, roll * hol__norm3(wt));
    hol__tell(args, 2, spin * fabs(wn));
    hol__turn_body(args, rec->body[0], M, 1);
    hol__turn_body(args, rec->body[1], M, -1);
    args->power -= hol__dot3(M, w);
}

/* Friction at the point of contact of one that slips. */
static void rub_bodies(const resistance *rec, const double *n, double N, hol__force_args *args) {
    double X[3], V1[3], V2[3], V[3];
    contact_point(rec, args, n, X);
    hol__velocity_at(args, rec->body[0], X, V1);
    hol__velocity_at(args, rec->body[1], X, V2);
    hol__sub3(V2, V1, V);
    const double off = hol__dot3(n, V);
    for (int i = 0; i < 3; i++) V[i] -= off * n[i];
    const double f = over_size(rec->mu * N, 0, hol__norm3(V), rec->v0);
    hol__tell(args, 3, f * hol__norm3(V));
    hol__push_body(args, rec->body[0], X, V, f);
    hol__push_body(args, rec->body[1], X, V, -f);
    args->power -= f * hol__dot3(V, V);
}

static void fill(const void *records, int n_records, hol__force_args *args) {
    for (int i = 0; i < n_records; i++) {
        const resistance *rec = (const resistance *)records + i;
        double n[3];
        hol__turned(args, rec->body[0], rec->at->n, n);
        const double N = fmax(0, hol__law_value(&rec->load, args->inputs, args->scratch));
        hol__tell(args, 0, N);
        turn_bodies(rec, n, N, args);
        if (rec->mu > 0) rub_bodies(rec, n, N, args);
    }
}

/* ---- the same in dual numbers ---- */

/* level g(size / slow)/size + c */
static hol__dual dual_over_size(hol__dual level, double c, hol__dual size, double slow) {
    const hol__dual k = hol__dual_mul(level, hol__dual_grip(size, slow));
    return (hol__dual){c + k.f, k.d};
}

static void dual_turn(const resistance *rec, hol__dual3 n, hol__dual N, hol__dual_args *args) {
    const hol__dual3 w = hol__dual3_add(args->body[1].w, -1, args->body[0].w);
    const hol__dual wn = hol__dual3_dot(n, w);
    const hol__dual3 along = hol__dual3_scale(wn, n), wt = hol__dual3_add(w, -1, along);
    const hol__dual b = hol__dual_law(&rec->arm, args, 0, NULL),
                    s = hol__dual_law(&rec->spin_arm, args, 0, NULL);
    const hol__dual size = {fabs(wn.f), wn.f < 0 ? -wn.d : wn.d};
    const hol__dual roll = dual_over_size(hol__dual_mul(b, N), rec->viscous, hol__dual_norm(wt),
                                          rec->w0),
                    spin = dual_over_size(hol__dual_mul(s, N), rec->spin_viscous, size, rec->w0);
    const hol__dual3 M =
        hol__dual3_add(hol__dual3_scale(roll, wt), 1, hol__dual3_scale(spin, along));
    hol__dual_turn_body(&args->body[0], M, 1);
    hol__dual_turn_body(&args->body[1], M, -1);
}

static void dual_rub(const resistance *rec, hol__dual3 n, hol__dual N, hol__dual_args *args) {
    const hol__rolling *at = rec->at;
    hol__dual3 u = n;
    if (at->shape == HOL__ROLLING_DISK && !args->plane) {
        const hol__dual3 a = hol__dual_turned(&args->body[1], at->a);
        u = hol__dual3_add(u, -1, hol__dual3_scale(hol__dual3_dot(n, a), a));
        u = hol__dual3_unit(u, NULL);
    }
    const hol__dual3 X = hol__dual3_add(hol__dual_place(&args->body[1], at->c), -at->radius, u);
    hol__dual3 V = hol__dual3_add(hol__dual_velocity(&args->body[1], X), -1,
                                  hol__dual_velocity(&args->body[0], X));
    V = hol__dual3_add(V, -1, hol__dual3_scale(hol__dual3_dot(n, V), n));
    const hol__dual f =
        dual_over_size((hol__dual){rec->mu * N.f, rec->mu * N.d}, 0, hol__dual_norm(V), rec->v0);
    hol__dual_push_body(&args->body[0], X, hol__dual3_scale(f, V), 1);
    hol__dual_push_body(&args->body[1], X, hol__dual3_scale(f, V), -1);
}

static void dual(const void *record, hol__dual_args *args) {
    const resistance *rec = record;
    const hol__dual3 n = hol__dual_turned(&args->body[0], rec->at->n);
    hol__dual N = hol__dual_law(&rec->load, args, 0, NULL);
    if (N.f < 0) N = (hol__dual){0, 0};
    dual_turn(rec, n, N, args);
    if (rec->mu > 0) dual_rub(rec, n, N, args);
}

static void tangent(const void *record, hol__force_args *args, hol__force_tangent *out) {
    hol__dual_tangent(record, args, dual, out);
}

static const hol__force_type resistance_type = {
    .name = "rolling resistance", .size = sizeof(resistance), .fill = fill, .tangent = tangent};

typedef struct resistance_params {
    hol__params head;
    int joint;
    hol__law load, arm, spin_arm;
    double viscous, spin_viscous, friction;
    double slip_rate, slip_speed;
} resistance_params;

static const hol__key keys[] = {
    {"joint", HOL__KEY_JOINT, NULL, NULL, 0, "The joint: a rolling_disk or a rolling_sphere.", NULL,
     HOL__AT(resistance_params, joint)},
    {"load", HOL__KEY_LAW, "N", "0", HOL__NOT_NEGATIVE,
     "N, the force that presses the bodies together (m*g on level ground). It is given, because "
     "the "
     "reaction of the joint follows from the forces and cannot drive one; may use measures of "
     "positions and velocities. Where it is negative it counts as 0.",
     NULL, HOL__AT(resistance_params, load)},
    {"arm", HOL__KEY_LAW, "m", "0", HOL__NOT_NEGATIVE,
     "b, the arm of rolling resistance: the moment b N acts against the part of the angular "
     "velocity that lies in the plane. Coefficients without a unit are b over "
     "the radius.",
     NULL, HOL__AT(resistance_params, arm)},
    {"spin_arm", HOL__KEY_LAW, "m", "0", HOL__NOT_NEGATIVE | HOL__IN_SPACE,
     "s, the arm of the resistance to spinning about the normal: the moment is s N (2/3 mu a for a "
     "contact area of radius a).",
     NULL, HOL__AT(resistance_params, spin_arm)},
    {"viscous", HOL__KEY_NUMBER, "N*m*s", "0", HOL__NOT_NEGATIVE,
     "c, moment against rolling that is proportional to its rate.", NULL,
     HOL__AT(resistance_params, viscous)},
    {"spin_viscous", HOL__KEY_NUMBER, "N*m*s", "0", HOL__NOT_NEGATIVE | HOL__IN_SPACE,
     "d, moment against spinning that is proportional to its rate.", NULL,
     HOL__AT(resistance_params, spin_viscous)},
    {"friction", HOL__KEY_NUMBER, "", "0", HOL__NOT_NEGATIVE,
     "mu, the coefficient of friction of a joint with `slip: true`, against slipping.", NULL,
     HOL__AT(resistance_params, friction)},
    {"slip_rate", HOL__KEY_NUMBER, "rad/s", "0.01", HOL__POSITIVE,
     "w0: the moments are b N tanh(rate/w0), full above some three times this rate.", NULL,
     HOL__AT(resistance_params, slip_rate)},
    {"slip_speed", HOL__KEY_NUMBER, "m/s", "0.001", HOL__POSITIVE,
     "v0: friction is mu N tanh(speed/v0), full above some three times this speed.", NULL,
     HOL__AT(resistance_params, slip_speed)},
    HOL__KEY_END,
};

/* The joint has to touch, and friction needs something that slips. */
static int check_joint(hol__build *build, const resistance_params *p, const hol__element *joint) {
    if (!joint->contact)
        hol__field_error(build, p, "joint",
                         "%s is a %s joint; rolling resistance acts in a rolling_disk or a "
                         "rolling_sphere",
                         joint->label, joint->type->name);
    else if (p->friction > 0 && !joint->contact->slips)
        hol__field_error(
            build, p, "friction",
            "%s rolls without slip, where friction does nothing; leave it out, or give "
            "the joint `slip: true`",
            joint->label);
    else
        return 1;
    return 0;
}

/* Something must act, and arms act with a load. */
static int check_load(hol__build *build, const resistance_params *p) {
    const int loaded = hol__is_given(p, "arm") || hol__is_given(p, "spin_arm") || p->friction > 0;
    if (loaded && !hol__is_given(p, "load"))
        hol__field_error(build, p, NULL,
                         "arms and friction act with a `load`, the force that presses the bodies "
                         "together");
    else if (!loaded && p->viscous == 0 && p->spin_viscous == 0)
        hol__field_error(build, p, NULL,
                         "has no effect; give `arm` or `friction` with a `load`, or `viscous`");
    else
        return 1;
    return 0;
}

static void compile(hol__build *build, hol__element *force, const void *params) {
    const resistance_params *p = params;
    const hol__element *joint = &build->model->joints[p->joint];
    resistance s = {.load = p->load,
                    .arm = p->arm,
                    .spin_arm = p->spin_arm,
                    .viscous = p->viscous,
                    .spin_viscous = p->spin_viscous,
                    .mu = p->friction,
                    .w0 = p->slip_rate,
                    .v0 = p->slip_speed};
    if (!check_load(build, p) || !joint->type || !check_joint(build, p, joint)) return;
    for (int i = 0; i < 2; i++) {
        s.body[i] = force->body[i] = joint->body[i];
        force->marker[i] = joint->marker[i];
    }
    s.at = joint->contact;
    resistance *rec = hol__add_force(build, force, &resistance_type);
    if (!rec) return;
    s.element = rec->element;
    *rec = s;
}

static const hol__quantity quantities[] = {
    {"normal", HOL__TELLS_NUMBER, "N", NULL, 1, "N, as given."},
    {"rolling", HOL__TELLS_NUMBER, "N*m", NULL, 1, "|M_t|, against rolling."},
    {"spinning", HOL__TELLS_NUMBER, "N*m", NULL, 1, "|M_n|, against spinning."},
    {"friction", HOL__TELLS_NUMBER, "N", NULL, 1, "|F|, against slipping."},
    HOL__QUANTITY_END,
};

const hol__element_type hol__force_rolling_resistance = {
    .section = "forces",
    .name = "rolling_resistance",
    .title = "Resistance of a disk or a sphere to rolling, spinning and slipping on its plane.",
    .equations = "M = (b N tanh(|w_t|/w0) + c |w_t|) w_t/|w_t| + (s N tanh(|w_n|/w0) + d |w_n|) "
                 "w_n/|w_n|; F = mu N tanh(|V|/v0) V/|V| where it slips",
    .example = "holonom: 1\n"
               "name: rolling_resistance\n"
               "space: planar\n"
               "gravity: [0, -9.81]\n"
               "bodies:\n"
               "  disk: {mass: 1.2, inertia: 0.05, position: [0, 0.3], velocity: [2, 0]}\n"
               "joints:\n"
               "  roll: {type: rolling_disk, bodies: [ground, disk], radius: 0.3}\n"
               "forces:\n"
               "  loss: {type: rolling_resistance, joint: roll, load: 1.2*9.81, arm: 5 mm}\n"
               "simulation: {end: 0.1}\n",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = keys,
    .size = sizeof(resistance_params),
    .quantities = quantities,
    .compile_element = compile,
};

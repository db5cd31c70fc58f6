/* force_stop.c: one-sided springs: between two points (bump stop, rope), and at the ends of the travel of a joint (limit).
 *
 *     bump stop   p = L - l (below the length L) or l - L (above it), l = |P2 - P1|
 *     limit       p = lower - x and p = x - upper for the coordinate x of a joint
 *     N = max(0, k p^n + c s(p/depth) p')  for p > 0 (impact.c)
 */
#include "element/acting.h"
#include "element/travel.h"
#include "element/forces.h"
#include "element/impact.h"

#include <string.h>

/* ---- bump stop ---- */

typedef struct bump_stop {
    int element;
    int body[2];
    double s1[3], s2[3];
    double L, sign; /* +1: acts below the length, -1: above */
    hol__impact impact;
} bump_stop;

static void fill_stop(const void *records, int n, hol__force_args *args) {
    for (int i = 0; i < n; i++) {
        const bump_stop *rec = (const bump_stop *)records + i;
        double P1[3], P2[3], V1[3], V2[3], d[3], e[3];
        hol__place_of(args, rec->body[0], rec->s1, P1);
        hol__place_of(args, rec->body[1], rec->s2, P2);
        hol__velocity_at(args, rec->body[0], P1, V1);
        hol__velocity_at(args, rec->body[1], P2, V2);
        hol__sub3(P2, P1, d);
        hol__sub3(V2, V1, e);
        const double l = hol__norm3(d), inverse = l > 0 ? 1 / l : 0;
        const double rate = -rec->sign * hol__dot3(d, e) * inverse;
        const double N = rec->sign *
                         hol__impact_push(&rec->impact, rec->sign * (rec->L - l), rate, args) *
                         inverse;
        hol__push_body(args, rec->body[0], P1, d, -N);
        hol__push_body(args, rec->body[1], P2, d, N);
    }
}

static const hol__force_type stop_type = {"bump stop", sizeof(bump_stop), fill_stop, NULL};

static const char *const sides[] = {"below", "above", NULL};

static const hol__key stop_keys[] = {
    HOL__KEY_PAIR,
    {"from", HOL__KEY_POINT, "m", NULL, 0, "The point on the first body, at the drawn position.",
     NULL},
    {"to", HOL__KEY_POINT, "m", NULL, 0, "The point on the second body, at the drawn position.",
     NULL},
    {"length", HOL__KEY_NUMBER, "m", NULL, HOL__NOT_NEGATIVE,
     "The distance of the points at which it begins to act.", NULL},
    {"acts", HOL__KEY_CHOICE, NULL, "below", 0,
     "Below the length (a bump stop, pushes) or above it (a rope, pulls).", sides},
    HOL__KEYS_STOP("N/m"),
    HOL__KEY_END,
};

static void compile_stop(hol__build *build, hol__element *force, hol__node *item) {
    const int errors = build->errors;
    double from[3], to[3];
    bump_stop s = {.sign = 1};
    hol__read_bodies(build, item, stop_keys, "bodies", force->body);
    hol__read_point(build, item, stop_keys, "from", from);
    hol__read_point(build, item, stop_keys, "to", to);
    s.L = hol__read_number(build, item, stop_keys, "length");
    if (hol__read_choice(build, item, stop_keys, "acts")) s.sign = -1;
    hol__read_stop(build, item, stop_keys, 0, &s.impact);
    if (build->errors > errors) return;
    hol__marker_set(build->model, force->body[0], from, NULL, &force->marker[0]);
    hol__marker_set(build->model, force->body[1], to, NULL, &force->marker[1]);
    memcpy(s.body, force->body, sizeof s.body);
    memcpy(s.s1, force->marker[0].s, sizeof s.s1);
    memcpy(s.s2, force->marker[1].s, sizeof s.s2);
    bump_stop *rec = hol__add_force(build, force, &stop_type);
    if (!rec) return;
    s.element = rec->element;
    *rec = s;
}

const hol__element_type hol__force_bump_stop = {
    .section = "forces",
    .name = "bump_stop",
    .title =
        "One-sided spring between two points: acts below a length (bump stop) or above it (rope).",
    .equations = "p = L - l (or l - L);  N = max(0, k p^n + c s(p/depth) p') for p > 0;  V = k "
                 "p^(n+1)/(n+1)",
    .example = "  stop: {type: bump_stop, bodies: [ground, rod], from: [1, -1], to: [1, 0], "
               "length: 0.99, stiffness: 2e4, "
               "damping: 50, depth: 1 mm}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = stop_keys,
    .compile_element = compile_stop,
};

/* ---- limit ---- */

typedef struct limit {
    int element;
    hol__travel x;
    double lower, upper;
    hol__impact impact;
} limit;

static void fill_limit(const void *records, int n, hol__force_args *args) {
    for (int i = 0; i < n; i++) {
        const limit *rec = (const limit *)records + i;
        double x, rate;
        hol__travel_get(&rec->x, args, &x, &rate);
        const double up = hol__impact_push(&rec->impact, rec->lower - x, -rate, args);
        const double down = hol__impact_push(&rec->impact, x - rec->upper, rate, args);
        hol__travel_act(&rec->x, args, up - down);
    }
}

static const hol__force_type limit_type = {"joint limit", sizeof(limit), fill_limit, NULL};

static const hol__key limit_keys[] = {
    HOL__KEY_TRAVEL,
    {"lower", HOL__KEY_NUMBER, NULL, "", 0,
     "The lower end of the travel, in rad or m from the drawn position; none when left out.", NULL},
    {"upper", HOL__KEY_NUMBER, NULL, "", 0,
     "The upper end of the travel, in rad or m from the drawn position; none when left out.", NULL},
    HOL__KEYS_STOP("N*m/rad or N/m"),
    HOL__KEY_END,
};

static void compile_limit(hol__build *build, hol__element *force, hol__node *item) {
    const int errors = build->errors;
    limit s = {.lower = -HUGE_VAL, .upper = HUGE_VAL};
    hol__node *lower = hol__node_get(item, "lower"), *upper = hol__node_get(item, "upper");
    const int found = hol__read_travel(build, force, item, limit_keys, &s.x);
    const char *unit = s.x.slides ? "m" : "rad";
    if (lower) s.lower = hol__read_constant(build, lower, found ? unit : NULL, 0);
    if (upper) s.upper = hol__read_constant(build, upper, found ? unit : NULL, 0);
    hol__read_stop(build, item, limit_keys, !s.x.slides, &s.impact);
    if (build->errors > errors) return;
    if (!lower && !upper) hol__build_error(build, item, "a limit needs `lower`, `upper` or both");
    if (!(s.lower < s.upper))
        hol__build_error(build, lower, "the lower end %g is not below the upper end %g", s.lower,
                         s.upper);
    limit *rec = build->errors > errors ? NULL : hol__add_force(build, force, &limit_type);
    if (!rec) return;
    s.element = rec->element;
    *rec = s;
}

const hol__element_type hol__force_limit = {
    .section = "forces",
    .name = "limit",
    .title = "Stops at the ends of the travel of a joint.",
    .equations = "p = lower - x and x - upper;  N = max(0, k p^n + c s(p/depth) p') for p > 0;  V "
                 "= k p^(n+1)/(n+1)",
    .example = "  ends: {type: limit, joint: A, lower: -0.02, upper: 1.2, stiffness: 400, damping: "
               "2, depth: 0.01}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = limit_keys,
    .compile_element = compile_limit,
};

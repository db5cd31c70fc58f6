/* force_stop.c: one-sided springs: between two points (bump stop, rope), and at the ends of the
 * travel of a joint (limit).
 *
 *     bump stop   p = L - l (below the length L) or l - L (above it), l = |P2 - P1|
 *     limit       p = lower - x and p = x - upper for the coordinate x of a joint
 *     N = max(0, k p^n + c s(p/depth) p')  for p > 0 (impact.c)
 */
#include "element/acting.h"
#include "element/travel.h"
#include "element/forces.h"
#include "element/impact.h"
#include "element/span.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- bump stop ---- */

typedef struct bump_stop {
    int element;
    int body[2];
    double s1[3], s2[3];
    double L, sign; /* +1: acts below the length, -1: above */
    hol__impact impact;
    int corner;
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
        /* (L^2 - l^2)/(L + L), as smooth as the motion also where the points pass close by */
        *hol__recorded(args->scratch, rec->corner) =
            rec->sign * (rec->L > 0 ? 0.5 * (rec->L - l * l / rec->L) : -l);
        const double p = rec->sign * (rec->L - l);
        const double push = hol__impact_push(&rec->impact, p, rate, args),
                     N = rec->sign * push * inverse;
        hol__push_body(args, rec->body[0], P1, d, -N);
        hol__push_body(args, rec->body[1], P2, d, N);
        hol__tell(args, 0, l);
        hol__tell(args, 1, -rec->sign * rate);
        hol__tell(args, 2, p);
        hol__tell(args, 3, push);
    }
}

/* sign N(p, p') along the gradient of the length, p = sign (L - l). */
static hol__dual stop_along(const void *record, hol__dual_args *args, hol__dual l, hol__dual rate) {
    const bump_stop *rec = record;
    const hol__dual p = {rec->sign * (rec->L - l.f), -rec->sign * l.d};
    const hol__dual N = hol__impact_dual(
        &rec->impact, p, (hol__dual){-rec->sign * rate.f, -rec->sign * rate.d}, args->args->memory);
    return (hol__dual){rec->sign * N.f, rec->sign * N.d};
}

static void tangent_stop(const void *record, hol__force_args *args, hol__force_tangent *out) {
    const bump_stop *rec = record;
    hol__span l;
    hol__span_distance(args, rec->body, rec->s1, rec->s2, &l);
    hol__span_tangent(rec, args, &l, stop_along, out);
}

static const hol__force_type stop_type = {
    .name = "bump stop", .size = sizeof(bump_stop), .fill = fill_stop, .tangent = tangent_stop};

static const char *const sides[] = {"below", "above", NULL};

typedef struct stop_params {
    hol__params head;
    int bodies[2];
    double from[3], to[3];
    double length;
    int acts;
    hol__stop_fields stop;
} stop_params;

static const hol__key stop_keys[] = {
    HOL__KEY_PAIR(stop_params, bodies),
    {"from", HOL__KEY_POINT, "m", NULL, 0, "The point on the first body, at the drawn position.",
     NULL, HOL__AT(stop_params, from)},
    {"to", HOL__KEY_POINT, "m", NULL, 0, "The point on the second body, at the drawn position.",
     NULL, HOL__AT(stop_params, to)},
    {"length", HOL__KEY_NUMBER, "m", NULL, HOL__NOT_NEGATIVE,
     "The distance of the points at which it begins to act.", NULL, HOL__AT(stop_params, length)},
    {"acts", HOL__KEY_CHOICE, NULL, "below", 0,
     "Below the length (a bump stop, pushes) or above it (a rope, pulls).", sides,
     HOL__AT(stop_params, acts)},
    HOL__KEYS_STOP(stop_params, "N/m"),
    HOL__KEY_END,
};

static void compile_stop(hol__build *build, hol__element *force, const void *params) {
    const stop_params *p = params;
    bump_stop s = {.L = p->length, .sign = p->acts ? -1 : 1};
    if (!hol__impact_of_stop(build, p, &p->stop, 0, &s.impact)) return;
    memcpy(force->body, p->bodies, sizeof force->body);
    hol__marker_set(build->model, force->body[0], p->from, NULL, &force->marker[0]);
    hol__marker_set(build->model, force->body[1], p->to, NULL, &force->marker[1]);
    memcpy(s.body, force->body, sizeof s.body);
    memcpy(s.s1, force->marker[0].s, sizeof s.s1);
    memcpy(s.s2, force->marker[1].s, sizeof s.s2);
    bump_stop *rec = hol__add_force(build, force, &stop_type);
    s.corner = hol__add_corner(build, &hol__cells_of_sign, force->label);
    if (!rec) return;
    s.element = rec->element;
    *rec = s;
}

static const hol__quantity stop_quantities[] = {
    {"length", HOL__TELLS_NUMBER, "m", NULL, 0, "l, the distance of the points."},
    {"rate", HOL__TELLS_NUMBER, "m/s", NULL, 0, "l'."},
    {"penetration", HOL__TELLS_NUMBER, "m", NULL, 0, "p; negative while it does not touch."},
    {"load", HOL__TELLS_NUMBER, "N", NULL, 1,
     "N, never negative: pushes the points apart (above a length: pulls them together)."},
    HOL__QUANTITY_END,
};

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
    .size = sizeof(stop_params),
    .quantities = stop_quantities,
    .compile_element = compile_stop,
};

/* ---- limit ---- */

typedef struct limit {
    int element;
    hol__travel x;
    double lower, upper;
    hol__impact impact;
    int corner; /* and the next one */
} limit;

static void fill_limit(const void *records, int n, hol__force_args *args) {
    for (int i = 0; i < n; i++) {
        const limit *rec = (const limit *)records + i;
        double x, rate;
        hol__travel_get(&rec->x, args, &x, &rate);
        *hol__recorded(args->scratch, rec->corner) = fmax(-DBL_MAX, rec->lower - x);
        *hol__recorded(args->scratch, rec->corner + 1) = fmax(-DBL_MAX, x - rec->upper);
        const double up = hol__impact_push(&rec->impact, rec->lower - x, -rate, args);
        const double down = hol__impact_push(&rec->impact, x - rec->upper, rate, args);
        hol__travel_act(&rec->x, args, up - down);
        hol__travel_tell(args, x, rate, up - down);
        hol__tell(args, 3, fmax(rec->lower - x, x - rec->upper));
    }
}

/* N at the lower end less N at the upper one, along the gradient of the coordinate. */
static hol__dual limit_along(const void *record, hol__dual_args *args, hol__dual x,
                             hol__dual rate) {
    const limit *rec = record;
    const double *memory = args->args->memory;
    const hol__dual up = hol__impact_dual(&rec->impact, (hol__dual){rec->lower - x.f, -x.d},
                                          (hol__dual){-rate.f, -rate.d}, memory);
    return hol__dual_add(
        up, -1, hol__impact_dual(&rec->impact, (hol__dual){x.f - rec->upper, x.d}, rate, memory));
}

static void tangent_limit(const void *record, hol__force_args *args, hol__force_tangent *out) {
    const limit *rec = record;
    hol__span x;
    hol__span_travel(&rec->x, args, &x);
    hol__span_tangent(rec, args, &x, limit_along, out);
}

static const hol__force_type limit_type = {
    .name = "joint limit", .size = sizeof(limit), .fill = fill_limit, .tangent = tangent_limit};

typedef struct limit_params {
    hol__params head;
    hol__travel_fields travel;
    double lower, upper;
    hol__stop_fields stop;
} limit_params;

static const hol__key limit_keys[] = {
    HOL__KEY_TRAVEL(limit_params),
    {"lower", HOL__KEY_NUMBER, NULL, "", 0,
     "The lower end of the travel, in rad or m from the drawn position; default: none.", NULL,
     HOL__AT(limit_params, lower)},
    {"upper", HOL__KEY_NUMBER, NULL, "", 0,
     "The upper end of the travel, in rad or m from the drawn position; default: none.", NULL,
     HOL__AT(limit_params, upper)},
    HOL__KEYS_STOP(limit_params, "N*m/rad or N/m"),
    HOL__KEY_END,
};

/* The ends of the travel: at least one, and in order. */
static void check_ends(hol__build *build, const limit_params *p, const limit *s) {
    const char *unit = s->x.slides ? "m" : "rad";
    hol__field_end(build, p, "lower", unit);
    hol__field_end(build, p, "upper", unit);
    if (!hol__is_given(p, "lower") && !hol__is_given(p, "upper"))
        hol__field_error(build, p, NULL, "a limit needs `lower`, `upper` or both");
    if (!(s->lower < s->upper))
        hol__field_error(build, p, "lower", "the lower end %g is not below the upper end %g",
                         s->lower, s->upper);
}

static void compile_limit(hol__build *build, hol__element *force, const void *params) {
    const limit_params *p = params;
    const int errors = build->errors;
    limit s = {.lower = hol__is_given(p, "lower") ? p->lower : -HUGE_VAL,
               .upper = hol__is_given(p, "upper") ? p->upper : HUGE_VAL};
    if (!hol__travel_set(build, force, p, &p->travel, &s.x)) return;
    hol__impact_of_stop(build, p, &p->stop, !s.x.slides, &s.impact);
    check_ends(build, p, &s);
    limit *rec = build->errors > errors ? NULL : hol__add_force(build, force, &limit_type);
    if (!rec) return;
    s.corner = hol__add_corner(build, &hol__cells_of_sign, force->label);
    hol__add_corner(build, &hol__cells_of_sign, force->label);
    s.element = rec->element;
    *rec = s;
}

static const hol__quantity limit_quantities[] = {
    HOL__QUANTITIES_TRAVEL,
    {"penetration", HOL__TELLS_NUMBER, "m", "rad", 0,
     "p at the nearer end; negative while it does not touch."},
    HOL__QUANTITY_END,
};

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
    .size = sizeof(limit_params),
    .quantities = limit_quantities,
    .compile_element = compile_limit,
};

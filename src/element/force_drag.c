/* force_drag.c: resistance of a medium to a body, linear and quadratic, against translation of a
 * point and against rotation.
 *
 *     F = -(c1 + c2 |u|) u at P,   u = P' - w(t)          w: velocity of the medium
 *     T = -(d1 + d2 |omega|) omega                         all of it counts as power
 */
#include "element/dual_forces.h"
#include "element/forces.h"
#include "element/formula.h"

#include <string.h>

typedef struct drag {
    int element;
    int body;
    double s[3];
    double c1, c2, d1, d2;
    hol__law wind[3];
} drag;

static void fill(const void *records, int n, hol__force_args *args) {
    for (int i = 0; i < n; i++) {
        const drag *rec = (const drag *)records + i;
        double P[3], V[3], u[3], w[3], F[3], T[3];
        hol__place_of(args, rec->body, rec->s, P);
        hol__velocity_at(args, rec->body, P, V);
        hol__spin_of(args, rec->body, w);
        for (int k = 0; k < 3; k++)
            u[k] = V[k] - hol__law_value(&rec->wind[k], args->inputs, args->scratch);
        const double c = rec->c1 + rec->c2 * hol__norm3(u), d = rec->d1 + rec->d2 * hol__norm3(w);
        for (int k = 0; k < 3; k++) F[k] = -c * u[k], T[k] = -d * w[k];
        hol__tell(args, 0, hol__norm3(u));
        hol__push_body(args, rec->body, P, F, 1);
        hol__turn_body(args, rec->body, T, 1);
        args->power += hol__dot3(F, V) + hol__dot3(T, w);
    }
}

/* The same in dual numbers. */
static void dual(const void *record, hol__dual_args *args) {
    const drag *rec = record;
    hol__body_dual *b = &args->body[0];
    const hol__dual3 P = hol__dual_place(b, rec->s);
    hol__dual3 u = hol__dual_velocity(b, P);
    for (int k = 0; k < 3; k++) {
        const hol__dual wind = hol__dual_law(&rec->wind[k], args, 0, NULL);
        u.f[k] -= wind.f, u.d[k] -= wind.d;
    }
    const hol__dual speed = hol__dual_norm(u), spin = hol__dual_norm(b->w);
    const hol__dual c = {rec->c1 + rec->c2 * speed.f, rec->c2 * speed.d};
    const hol__dual d = {rec->d1 + rec->d2 * spin.f, rec->d2 * spin.d};
    hol__dual_push_body(b, P, hol__dual3_scale(c, u), -1);
    hol__dual_turn_body(b, hol__dual3_scale(d, b->w), -1);
}

static void tangent(const void *record, hol__force_args *args, hol__force_tangent *out) {
    hol__dual_tangent(record, args, dual, out);
}

/* -(c1 + c2 |x|) */
static hol__sym resistance(hol__symbolic *to, const double *first, const double *second,
                           const hol__sym x[3]) {
    hol__algebra *a = to->a;
    const hol__sym c1 = hol__symbolic_number(to, first, "c"),
                   c2 = hol__symbolic_number(to, second, "c"),
                   size = hol__sym_sqrt(a, hol__symbolic_dot(to, x, x));
    return hol__sym_neg(a, hol__sym_add(a, c1, hol__sym_mul(a, c2, size)));
}

static int formula(const void *record, hol__symbolic *to) {
    const drag *rec = record;
    hol__algebra *a = to->a;
    hol__sym s[3], P[3], u[3], T[3];
    hol__symbolic_vector(to, rec->s, "a", s);
    hol__symbolic_point(to, rec->body, s, P);
    for (int k = 0; k < 3; k++) {
        const hol__sym wind =
            k < to->model->dim ? hol__symbolic_law(to, &rec->wind[k], NULL, NULL, "u") : a->zero;
        if (!wind) return 0;
        u[k] = hol__sym_sub(a, hol__symbolic_rate(to, P[k]), wind);
    }
    const hol__sym along = resistance(to, &rec->c1, &rec->c2, u),
                   about = resistance(to, &rec->d1, &rec->d2, to->bodies[rec->body].w);
    for (int k = 0; k < 3; k++) {
        hol__symbolic_act(to, P[k], hol__sym_mul(a, along, u[k]));
        T[k] = hol__sym_mul(a, about, to->bodies[rec->body].w[k]);
    }
    hol__symbolic_twist(to, rec->body, T);
    return 1;
}

static const hol__force_type drag_type = {
    .name = "drag", .size = sizeof(drag), .fill = fill, .tangent = tangent, .formula = formula};

typedef struct drag_params {
    hol__params head;
    int body;
    double at[3];
    double linear, quadratic, turn_linear, turn_quadratic;
    hol__law wind[3];
} drag_params;

static const hol__key keys[] = {
    {"body", HOL__KEY_BODY, NULL, NULL, 0, "The body that is slowed down.", NULL,
     HOL__AT(drag_params, body)},
    {"at", HOL__KEY_POINT, "m", "", 0,
     "The point where the force acts, at the drawn position; default: the mass centre.", NULL,
     HOL__AT(drag_params, at)},
    {"linear", HOL__KEY_NUMBER, "N*s/m", "0", HOL__NOT_NEGATIVE, "c1.", NULL,
     HOL__AT(drag_params, linear)},
    {"quadratic", HOL__KEY_NUMBER, "N*s^2/m^2", "0", HOL__NOT_NEGATIVE,
     "c2: half the density times the area times the drag coefficient.", NULL,
     HOL__AT(drag_params, quadratic)},
    {"turn_linear", HOL__KEY_NUMBER, "N*m*s/rad", "0", HOL__NOT_NEGATIVE, "d1, against rotation.",
     NULL, HOL__AT(drag_params, turn_linear)},
    {"turn_quadratic", HOL__KEY_NUMBER, "N*m*s^2/rad^2", "0", HOL__NOT_NEGATIVE,
     "d2, against rotation.", NULL, HOL__AT(drag_params, turn_quadratic)},
    {"wind", HOL__KEY_LAWS, "m/s", "", 0, "The velocity of the medium; default: at rest.", NULL,
     HOL__AT(drag_params, wind)},
    HOL__KEY_END,
};

static void compile(hol__build *build, hol__element *force, const void *params) {
    const drag_params *p = params;
    drag s = {.body = p->body,
              .c1 = p->linear,
              .c2 = p->quadratic,
              .d1 = p->turn_linear,
              .d2 = p->turn_quadratic};
    if (!hol__can_be_moved(build, p, "body", p->body)) return;
    if (!(s.c1 + s.c2 + s.d1 + s.d2 > 0)) {
        hol__field_error(build, p, NULL,
                         "all coefficients are 0; give `linear`, `quadratic`, `turn_linear` or "
                         "`turn_quadratic`");
        return;
    }
    force->body[0] = s.body;
    if (hol__is_given(p, "at"))
        hol__marker_set(build->model, s.body, p->at, NULL, &force->marker[0]);
    memcpy(s.wind, p->wind, sizeof s.wind);
    memcpy(s.s, force->marker[0].s, sizeof s.s);
    drag *rec = hol__add_force(build, force, &drag_type);
    if (!rec) return;
    s.element = rec->element;
    *rec = s;
}

static const hol__quantity quantities[] = {
    {"speed", HOL__TELLS_NUMBER, "m/s", NULL, 0, "|u|, of the point against the medium."},
    HOL__QUANTITY_END,
};

const hol__element_type hol__force_drag = {
    .section = "forces",
    .name = "drag",
    .title = "Resistance of a medium to a body, linear and quadratic.",
    .equations = "F = -(c1 + c2 |u|) u, u = P' - wind;  T = -(d1 + d2 |omega|) omega",
    .example = "  air: {type: drag, body: rod, at: [1, 0], linear: 0.1, quadratic: 0.3, "
               "turn_linear: 0.02}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = keys,
    .size = sizeof(drag_params),
    .quantities = quantities,
    .compile_element = compile,
};

/* force_tyre.c: a tyre as a radial spring and damper over a road profile, without tension.
 *
 *     road z = f(x, t);  C: wheel centre at (x, z);  in the plane the height is y
 *     normal     d = (z - f)/s, s = sqrt(1 + f_x^2): distance from the tangent of the road below
 * the centre;  n = (-f_x, 1)/s
 *     vertical   d = z - f,  n = (0, 1)
 *     p = r - d,  N = max(0, k p + c p') for p > 0, N n at C
 *
 * V = k p^2/2; power is what remains, N n . C' + k p p': it holds dissipation and the work of a
 * road that moves or is not followed exactly.
 */
#include "element/dual_forces.h"
#include "element/forces.h"
#include "element/formula.h"

#include <math.h>
#include <string.h>

typedef struct tyre {
    int element;
    int body;
    int up; /* index of the height: 1 in the plane, 2 in space */
    int vertical;
    double s[3];
    double r, k, c;
    double level;          /* of a flat road */
    const hol__expr *road; /* of t, x */
    int corner;
} tyre;

static const char *const locals[] = {"x", NULL}, *const units[] = {"m"};

/* Height, slope and curvature of the road at x; rates of height and slope at the place below a
 * centre that moves with xdot. */
typedef struct profile {
    double f, fx, fdot, fxdot;
} profile;

static profile road_at(const tyre *rec, double t, double x, double xdot, double *scratch) {
    if (!rec->road) return (profile){rec->level, 0, 0, 0};
    const double in[2] = {t, x}, none[2] = {0, 0}, along[2] = {0, 1}, moving[2] = {1, xdot},
                 both[2] = {1, xdot + 1};
    const hol__jet a = hol__expr_jet(rec->road, in, along, none, scratch);
    const hol__jet b = hol__expr_jet(rec->road, in, moving, none, scratch);
    const hol__jet ab = hol__expr_jet(rec->road, in, both, none, scratch);
    /* D2f[a, b] = (D2f[a + b, a + b] - D2f[a, a] - D2f[b, b])/2 */
    return (profile){a.f, a.d1, b.d1, 0.5 * (ab.d2 - a.d2 - b.d2)};
}

static void fill(const void *records, int n, hol__force_args *args) {
    for (int i = 0; i < n; i++) {
        const tyre *rec = (const tyre *)records + i;
        double C[3], V[3], F[3] = {0, 0, 0};
        hol__place_of(args, rec->body, rec->s, C);
        hol__velocity_at(args, rec->body, C, V);
        const profile road = road_at(rec, args->inputs[0], C[0], V[0], args->scratch);
        const double slope = rec->vertical ? 0 : road.fx, s = sqrt(1 + slope * slope);
        const double height = C[rec->up] - road.f, p = rec->r - height / s;
        *hol__recorded(args->scratch, rec->corner) = p;
        double rate = -(V[rec->up] - road.fdot) / s;
        if (!rec->vertical) rate += height * slope * road.fxdot / (s * s * s);
        hol__tell(args, 0, p);
        hol__tell(args, 1, rate);
        if (p <= 0) continue;
        const double elastic = rec->k * p;
        double N = elastic + rec->c * rate;
        if (N < 0) N = 0;
        hol__tell(args, 2, N);
        F[0] = -N * slope / s;
        F[rec->up] = N / s;
        hol__push_body(args, rec->body, C, F, 1);
        args->potential += 0.5 * elastic * p;
        args->power += hol__dot3(F, V) + elastic * rate;
    }
}

/* ---- the same in dual numbers ---- */

/* Rates of the second derivatives of the road (t t, t x, x x) along (dt, dx): expressions have no
 * third derivatives, so these are differences of the second ones, of order four with steps of 1e-4
 * m and 1e-4 s. */
static void bend_rate(const tyre *rec, const double in[2], const double along[2], double *scratch,
                      double out[3]) {
    static const double at[4] = {1, -1, 2, -2}, weight[4] = {8, -8, -1, 1}, h = 1e-4;
    memset(out, 0, 3 * sizeof *out);
    for (int i = 0; i < 4; i++) {
        const double moved[2] = {in[0] + at[i] * h * along[0], in[1] + at[i] * h * along[1]};
        double g[2], H[4];
        hol__expr_hessian(rec->road, moved, g, H, scratch);
        const double k = weight[i] / (12 * h);
        out[0] += k * H[0], out[1] += k * H[1], out[2] += k * H[3];
    }
}

typedef struct dual_profile {
    hol__dual f, fx, fdot, fxdot;
} dual_profile;

static dual_profile dual_road(const tyre *rec, const hol__dual_args *args, hol__dual x,
                              hol__dual xdot) {
    const double in[2] = {args->args->inputs[0], x.f}, along[2] = {args->along[0], x.d};
    double g[2], H[4], bend[3] = {0, 0, 0};
    if (!rec->road) return (dual_profile){{rec->level, 0}, {0, 0}, {0, 0}, {0, 0}};
    const double f = hol__expr_hessian(rec->road, in, g, H, args->args->scratch);
    if (along[0] != 0 || along[1] != 0) bend_rate(rec, in, along, args->args->scratch, bend);
    const hol__dual fx = {g[1], H[2] * along[0] + H[3] * along[1]};
    const hol__dual ft = {g[0], H[0] * along[0] + H[1] * along[1]};
    const hol__dual fxx = {H[3], bend[2]}, fxt = {H[1], bend[1]};
    return (dual_profile){{f, g[0] * along[0] + g[1] * along[1]},
                          fx,
                          hol__dual_add(ft, 1, hol__dual_mul(fx, xdot)),
                          hol__dual_add(fxt, 1, hol__dual_mul(fxx, xdot))};
}

static void dual(const void *record, hol__dual_args *args) {
    const tyre *rec = record;
    hol__body_dual *b = &args->body[0];
    const hol__dual3 C = hol__dual_place(b, rec->s), V = hol__dual_velocity(b, C);
    const hol__dual up = {C.f[rec->up], C.d[rec->up]}, rise = {V.f[rec->up], V.d[rec->up]};
    const dual_profile road =
        dual_road(rec, args, (hol__dual){C.f[0], C.d[0]}, (hol__dual){V.f[0], V.d[0]});
    const hol__dual slope = rec->vertical ? (hol__dual){0, 0} : road.fx;
    const double length = sqrt(1 + slope.f * slope.f);
    const hol__dual s = {length, slope.f * slope.d / length};
    const hol__dual height = hol__dual_add(up, -1, road.f), depth = hol__dual_over(height, s);
    const hol__dual p = {rec->r - depth.f, -depth.d};
    if (p.f <= 0) return;
    hol__dual rate = hol__dual_over(hol__dual_add(road.fdot, -1, rise), s);
    if (!rec->vertical) {
        const hol__dual bent = hol__dual_mul(hol__dual_mul(depth, slope), road.fxdot);
        rate = hol__dual_add(rate, 1, hol__dual_over(bent, hol__dual_mul(s, s)));
    }
    const hol__dual N = {rec->k * p.f + rec->c * rate.f, rec->k * p.d + rec->c * rate.d};
    if (N.f < 0) return;
    const hol__dual over = hol__dual_over(N, s), aside = hol__dual_mul(over, slope);
    hol__dual3 F = {{-aside.f, 0, 0}, {-aside.d, 0, 0}};
    F.f[rec->up] = over.f, F.d[rec->up] = over.d;
    hol__dual_push_body(b, C, F, 1);
}

static void tangent(const void *record, hol__force_args *args, hol__force_tangent *out) {
    hol__dual_tangent(record, args, dual, out);
}

/* N n along C, where conditions can be written. */
static int formula(const void *record, hol__symbolic *to) {
    const tyre *rec = record;
    hol__algebra *a = to->a;
    hol__sym s[3], C[3];
    if (!to->choose) return 0;
    hol__symbolic_vector(to, rec->s, "a", s);
    hol__symbolic_point(to, rec->body, s, C);
    const hol__sym f =
        rec->road ? to->law(to, rec->road, 1, 1, C) : hol__symbolic_number(to, &rec->level, "f");
    if (!f) return 0;
    /* x' has the velocity of the body with the factor 1, so that f' has f_x before it */
    const hol__sym slope = rec->vertical ? a->zero
                                         : hol__sym_derivative(a, hol__symbolic_rate(to, f),
                                                               to->bodies[rec->body].v[0]),
                   along = hol__sym_sqrt(a, hol__sym_add(a, a->one, hol__sym_square(a, slope))),
                   depth = hol__sym_div(a, hol__sym_sub(a, C[rec->up], f), along),
                   p = hol__sym_sub(a, hol__symbolic_number(to, &rec->r, "r"), depth),
                   elastic = hol__sym_mul(a, hol__symbolic_number(to, &rec->k, "k"), p),
                   push = hol__sym_add(a, elastic,
                                       hol__sym_mul(a, hol__symbolic_number(to, &rec->c, "c"),
                                                    hol__symbolic_rate(to, p))),
                   held = hol__symbolic_choose(to, push, push, a->zero),
                   N = hol__sym_div(a, hol__symbolic_choose(to, p, held, a->zero), along);
    hol__symbolic_keep(to, p, hol__symbolic_choose(to, p, hol__sym_neg(a, elastic), a->zero));
    hol__symbolic_act(to, C[rec->up], N);
    hol__symbolic_act(to, C[0], hol__sym_neg(a, hol__sym_mul(a, N, slope)));
    return 1;
}

static const hol__force_type tyre_type = {
    .name = "tyre", .size = sizeof(tyre), .fill = fill, .tangent = tangent, .formula = formula};

int hol__tyre_road(const hol_model *model, int force, const double at[2], hol_context *ctx,
                   double *height, int *moves) {
    for (int b = 0; b < model->n_force_batches; b++) {
        const hol__force_batch *batch = &model->force_batches[b];
        for (int i = 0; batch->type == &tyre_type && i < batch->count; i++) {
            const tyre *rec = hol__force_record(batch, i);
            if (batch->owner[i] != &model->forces[force]) continue;
            *height = rec->level;
            *moves = 0;
            if (!rec->road) return 1;
            /* an evaluation writes the switches of the model in front of its scratch */
            double *block =
                hol__alloc(ctx, (size_t)(model->n_corners + model->scratch) + 1, sizeof *block);
            if (!block) return -1;
            *height = hol__expr_value(rec->road, at, block + model->n_corners);
            *moves = hol__expr_reads(rec->road, 0);
            hol__release(ctx, block);
            return 1;
        }
    }
    return 0;
}

static const char *const directions[] = {"normal", "vertical", NULL};

typedef struct tyre_params {
    hol__params head;
    int body;
    double center[3];
    double radius, stiffness, damping;
    hol__formula road;
    int direction;
} tyre_params;

static const hol__key keys[] = {
    {"body", HOL__KEY_BODY, NULL, NULL, 0, "The body with the wheel.", NULL,
     HOL__AT(tyre_params, body)},
    {"center", HOL__KEY_POINT, "m", "", 0,
     "The wheel centre, at the drawn position; default: the mass centre.", NULL,
     HOL__AT(tyre_params, center)},
    {"radius", HOL__KEY_NUMBER, "m", NULL, HOL__POSITIVE, "The unloaded radius.", NULL,
     HOL__AT(tyre_params, radius)},
    {"stiffness", HOL__KEY_NUMBER, "N/m", NULL, HOL__POSITIVE, "k.", NULL,
     HOL__AT(tyre_params, stiffness)},
    {"damping", HOL__KEY_NUMBER, "N*s/m", "0", HOL__NOT_NEGATIVE, "c; the sum of both never pulls.",
     NULL, HOL__AT(tyre_params, damping)},
    {"road", HOL__KEY_LAW, "m", "0", HOL__AS_TEXT,
     "The height of the road (z, in the plane y) as an expression of `x`, the global x of the "
     "wheel centre, and of time. Smooth bumps that are shorter than a step need the option "
     "`max_step`; corners (`if`, `max`, `table`) are found.",
     NULL, HOL__AT(tyre_params, road)},
    {"direction", HOL__KEY_CHOICE, NULL, "normal", 0, "Along the normal of the road, or vertical.",
     directions, HOL__AT(tyre_params, direction)},
    HOL__KEY_END,
};

static void compile(hol__build *build, hol__element *force, const void *params) {
    const tyre_params *p = params;
    tyre t = {.body = p->body,
              .up = build->model->dim - 1,
              .vertical = p->direction,
              .r = p->radius,
              .k = p->stiffness,
              .c = p->damping};
    if (!hol__can_be_moved(build, p, "body", p->body)) return;
    const hol__law road = hol__formula_law(build, &p->road, locals, units, "m");
    t.level = road.value;
    t.road = road.e;
    force->body[0] = t.body;
    if (hol__is_given(p, "center"))
        hol__marker_set(build->model, t.body, p->center, NULL, &force->marker[0]);
    memcpy(t.s, force->marker[0].s, sizeof t.s);
    tyre *rec = hol__add_force(build, force, &tyre_type);
    if (!rec) return;
    t.corner = hol__add_corner(build, &hol__cells_of_sign, force->label);
    t.element = rec->element;
    *rec = t;
}

static const hol__quantity quantities[] = {
    {"deflection", HOL__TELLS_NUMBER, "m", NULL, 0, "p; negative while the wheel is off the road."},
    {"rate", HOL__TELLS_NUMBER, "m/s", NULL, 0, "p'."},
    {"normal", HOL__TELLS_NUMBER, "N", NULL, 1, "N, the wheel load, never negative."},
    HOL__QUANTITY_END,
};

const hol__element_type hol__force_tyre = {
    .section = "forces",
    .name = "tyre",
    .title = "A tyre: radial spring and damper over a road profile, without tension.",
    .equations = "p = r - d; N = max(0, k p + c p') for p > 0; V = k p^2/2;  d = (z - f)/sqrt(1 + "
                 "f_x^2), or z - f",
    .example = "  tyre: {type: tyre, body: rod, center: [1, 0], radius: 0.3, stiffness: 2e4, "
               "damping: 80, road: '-0.3 + 0.05*sin(3*x)'}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = keys,
    .size = sizeof(tyre_params),
    .quantities = quantities,
    .compile_element = compile,
};

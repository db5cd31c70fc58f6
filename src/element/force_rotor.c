/* force_rotor.c: a rotor that turns with constant speed on a body (gyrostat).
 *
 *     h = I W a, constant in the body frame          torque on the body: -omega x h
 *
 * I is the inertia of the rotor about its axis a and W its speed relative to the body. Mass and
 * inertia of the rotor at standstill belong to the body. The torque does no work: -(omega x h) .
 * omega = 0. The drive keeps W constant with a torque between rotor and body, which is internal, so
 * the motion of the body together with the rotor has the angular momentum R (J omega + h).
 */
#include "element/forces.h"
#include "element/formula.h"
#include "math/vec3.h"

#include <string.h>

typedef struct rotor {
    int element;
    int body;
    double h[3];
} rotor;

static void fill(const void *records, int n, hol__force_args *args) {
    for (int i = 0; i < n; i++) {
        const rotor *rec = (const rotor *)records + i;
        double T[3], *w = args->wrench + 6 * rec->body + 3;
        hol__cross3(args->bodies.b3[rec->body].w, rec->h, T);
        hol__sub3(w, T, w);
    }
}

/* The torque h x omega is linear in omega. */
static void tangent(const void *record, hol__force_args *args, hol__force_tangent *out) {
    double H[9];
    (void)args;
    hol__skew3(((const rotor *)record)->h, H);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out->twist[(3 + i) * out->n + 3 + j] += H[3 * i + j];
}

/* h x omega on the body. */
static int formula(const void *record, hol__symbolic *to) {
    const rotor *rec = record;
    hol__sym h[3], T[3];
    hol__symbolic_vector(to, rec->h, "h", h);
    hol__symbolic_cross(to, h, to->bodies[rec->body].w, T);
    hol__symbolic_twist(to, rec->body, T);
    return 1;
}

static const hol__force_type rotor_type = {
    .name = "rotor", .size = sizeof(rotor), .fill = fill, .tangent = tangent, .formula = formula};

typedef struct rotor_params {
    hol__params head;
    int body;
    double axis[3];
    double inertia, speed;
} rotor_params;

static const hol__key keys[] = {
    {"body", HOL__KEY_BODY, NULL, NULL, 0, "The body that carries the rotor.", NULL,
     HOL__AT(rotor_params, body)},
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, 0, "The axis of the rotor at the drawn position.",
     NULL, HOL__AT(rotor_params, axis)},
    {"inertia", HOL__KEY_NUMBER, "kg*m^2", NULL, HOL__POSITIVE,
     "The inertia of the rotor about its axis.", NULL, HOL__AT(rotor_params, inertia)},
    {"speed", HOL__KEY_NUMBER, "rad/s", NULL, 0, "The speed of the rotor relative to the body.",
     NULL, HOL__AT(rotor_params, speed)},
    HOL__KEY_END,
};

static void compile(hol__build *build, hol__element *force, const void *params) {
    const rotor_params *p = params;
    rotor s = {.body = p->body};
    double frame[4], center[3];
    if (!hol__can_be_moved(build, p, "body", p->body)) return;
    const double h = p->inertia * p->speed;
    hol__frame_along(p->axis, NULL, frame);
    force->body[0] = s.body;
    hol__sketched_point(build->model, s.body, (const double[3]){0}, center);
    hol__marker_set(build->model, s.body, center, frame, &force->marker[0]);
    for (int i = 0; i < 3; i++) s.h[i] = h * force->marker[0].F[3 * i + 2];
    rotor *rec = hol__add_force(build, force, &rotor_type);
    if (!rec) return;
    s.element = rec->element;
    *rec = s;
}

const hol__element_type hol__force_rotor = {
    .section = "forces",
    .name = "rotor",
    .title = "A rotor that turns with constant speed on a body (gyrostat).",
    .equations = "T = -omega x h, h = I W a; no power",
    .example = "  wheel: {type: rotor, body: rod, axis: [1, 0, 0], inertia: 0.01, speed: 200}",
    .spaces = HOL__IN_SPACE,
    .keys = keys,
    .size = sizeof(rotor_params),
    .compile_element = compile,
};

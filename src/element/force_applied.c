/* force_applied.c: a force at a point of a body, and a torque on a body, as functions of time and
 * measures.
 *
 *     wrench += [F, R^T ((P - r) x F)]       power = F . P'            (torque: power = T . omega)
 */
#include "element/forces.h"
#include "element/dual_forces.h"
#include "element/formula.h"

#include <string.h>

typedef struct applied {
    int element;
    int body;
    int in_body; /* components are given in the body frame */
    double s[3];
    hol__law f[3];
} applied;

/* The components of the laws. */
static void values(const applied *rec, const hol__force_args *args, double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = hol__law_value(&rec->f[i], args->inputs, args->scratch);
}

static void force2(const void *records, int n, hol__force_args *args) {
    for (int i = 0; i < n; i++) {
        const applied *rec = (const applied *)records + i;
        const hol__body2 *b = &args->bodies.b2[rec->body];
        double f[3], *w = args->wrench + 3 * rec->body;
        values(rec, args, f);
        const double F[2] = {rec->in_body ? b->c * f[0] - b->s * f[1] : f[0],
                             rec->in_body ? b->s * f[0] + b->c * f[1] : f[1]};
        double u[2];
        hol__arm2(b, rec->s, u);
        const double moment = u[0] * F[1] - u[1] * F[0];
        w[0] += F[0];
        w[1] += F[1];
        w[2] += moment;
        args->power += F[0] * b->v[0] + F[1] * b->v[1] + moment * b->w;
    }
}

static void force3(const void *records, int n, hol__force_args *args) {
    for (int i = 0; i < n; i++) {
        const applied *rec = (const applied *)records + i;
        const hol__body3 *b = &args->bodies.b3[rec->body];
        double f[3], g[3], moment[3], *w = args->wrench + 6 * rec->body;
        values(rec, args, f);
        if (rec->in_body)
            for (int k = 0; k < 3; k++) g[k] = f[k];
        else
            hol__mul3_t(b->R, f, g);
        if (rec->in_body) hol__mul3(b->R, g, f);
        hol__cross3(rec->s, g, moment);
        hol__add3(w, f, w);
        hol__add3(w + 3, moment, w + 3);
        args->power += hol__dot3(f, b->v) + hol__dot3(moment, b->w);
    }
}

/* The same in dual numbers. */
static void dual_force(const void *record, hol__dual_args *args) {
    const applied *rec = record;
    hol__body_dual *b = &args->body[0];
    hol__dual3 F;
    for (int k = 0; k < 3; k++) {
        const hol__dual f = hol__dual_law(&rec->f[k], args, 0, NULL);
        F.f[k] = f.f, F.d[k] = f.d;
    }
    if (rec->in_body) F = hol__dual3_out(b->R, b->turn, F);
    hol__dual_push_body(b, hol__dual_place(b, rec->s), F, 1);
}

static void tangent_force(const void *record, hol__force_args *args, hol__force_tangent *out) {
    hol__dual_tangent(record, args, dual_force, out);
}

/* The components of the laws; 0 where one has no formula. */
static int laws_formula(hol__symbolic *to, const hol__law *laws, hol__sym out[3]) {
    static const char *const hints[] = {"F_x", "F_y", "F_z"};
    for (int k = 0; k < 3; k++) {
        out[k] = hol__symbolic_law(to, &laws[k], NULL, NULL, hints[k]);
        if (!out[k]) return 0;
    }
    return 1;
}

/* F at P. */
static int formula_force(const void *record, hol__symbolic *to) {
    const applied *rec = record;
    hol__sym F[3], s[3], P[3];
    if (!laws_formula(to, rec->f, F)) return 0;
    if (rec->in_body) hol__symbolic_turned(to, rec->body, F, F);
    hol__symbolic_vector(to, rec->s, "b", s);
    hol__symbolic_point(to, rec->body, s, P);
    for (int k = 0; k < to->model->dim; k++) hol__symbolic_act(to, P[k], F[k]);
    return 1;
}

static const hol__force_type force_plane = {.name = "applied force",
                                            .size = sizeof(applied),
                                            .fill = force2,
                                            .tangent = tangent_force,
                                            .formula = formula_force};
static const hol__force_type force_space = {.name = "applied force",
                                            .size = sizeof(applied),
                                            .fill = force3,
                                            .tangent = tangent_force,
                                            .formula = formula_force};

static const char *const frames[] = {"global", "body", NULL};

typedef struct force_params {
    hol__params head;
    int body;
    double at[3];
    hol__law force[3];
    int frame;
} force_params;

static const hol__key force_keys[] = {
    {"body", HOL__KEY_BODY, NULL, NULL, 0, "The body that it acts on.", NULL,
     HOL__AT(force_params, body)},
    {"at", HOL__KEY_POINT, "m", "", 0,
     "The point of the body, at the drawn position; default: the mass centre.", NULL,
     HOL__AT(force_params, at)},
    {"force", HOL__KEY_LAWS, "N", NULL, 0, "The components.", NULL, HOL__AT(force_params, force)},
    {"frame", HOL__KEY_CHOICE, NULL, "global", 0,
     "The frame of the components: global, or turning with the body.", frames,
     HOL__AT(force_params, frame)},
    HOL__KEY_END,
};

int hol__can_be_moved(hol__build *build, const void *params, const char *field, int body) {
    if (body < build->model->nb) return 1;
    hol__field_error(build, params, field, "a force on ground has no effect; name a moving body");
    return 0;
}

static void compile_force(hol__build *build, hol__element *force, const void *params) {
    const force_params *p = params;
    applied a = {.body = p->body, .in_body = p->frame};
    if (!hol__can_be_moved(build, p, "body", p->body)) return;
    force->body[0] = a.body;
    if (hol__is_given(p, "at"))
        hol__marker_set(build->model, a.body, p->at, NULL, &force->marker[0]);
    memcpy(a.s, force->marker[0].s, sizeof a.s);
    memcpy(a.f, p->force, sizeof a.f);
    applied *rec =
        hol__add_force(build, force, build->model->dim == 2 ? &force_plane : &force_space);
    if (!rec) return;
    a.element = rec->element;
    *rec = a;
}

const hol__element_type hol__force_force = {
    .section = "forces",
    .name = "force",
    .title = "A force at a point of a body.",
    .equations = "F at P; power F . P'",
    .example = "  push: {type: force, body: rod, force: [10*sin(2*t), 0]}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .outside = 1,
    .keys = force_keys,
    .size = sizeof(force_params),
    .compile_element = compile_force,
};

/* ---- torque ---- */

typedef struct torque_record {
    int element;
    int body[2]; /* the second receives the opposite */
    int in_body;
    hol__law f[3];
} torque_record;

static void torque2(const void *records, int n, hol__force_args *args) {
    for (int i = 0; i < n; i++) {
        const torque_record *rec = (const torque_record *)records + i;
        const double T = hol__law_value(&rec->f[2], args->inputs, args->scratch);
        args->wrench[3 * rec->body[0] + 2] += T;
        args->wrench[3 * rec->body[1] + 2] -= T;
        args->power += T * (args->bodies.b2[rec->body[0]].w - args->bodies.b2[rec->body[1]].w);
    }
}

static void torque3(const void *records, int n, hol__force_args *args) {
    for (int i = 0; i < n; i++) {
        const torque_record *rec = (const torque_record *)records + i;
        const hol__body3 *b1 = &args->bodies.b3[rec->body[0]], *b2 = &args->bodies.b3[rec->body[1]];
        double *w1 = args->wrench + 6 * rec->body[0] + 3, *w2 = args->wrench + 6 * rec->body[1] + 3;
        double f[3], T[3], T1[3], T2[3];
        for (int k = 0; k < 3; k++) f[k] = hol__law_value(&rec->f[k], args->inputs, args->scratch);
        if (rec->in_body)
            hol__mul3(b1->R, f, T);
        else
            for (int k = 0; k < 3; k++) T[k] = f[k];
        hol__mul3_t(b1->R, T, T1);
        hol__mul3_t(b2->R, T, T2);
        hol__add3(w1, T1, w1);
        hol__sub3(w2, T2, w2);
        args->power += hol__dot3(T1, b1->w) - hol__dot3(T2, b2->w);
    }
}

/* The same in dual numbers; in the plane only the third component counts. */
static void dual_torque(const void *record, hol__dual_args *args) {
    const torque_record *rec = record;
    hol__dual3 T;
    for (int k = 0; k < 3; k++) {
        const hol__dual f = hol__dual_law(&rec->f[k], args, 0, NULL);
        T.f[k] = f.f, T.d[k] = f.d;
    }
    if (rec->in_body) T = hol__dual3_out(args->body[0].R, args->body[0].turn, T);
    hol__dual_turn_body(&args->body[0], T, 1);
    hol__dual_turn_body(&args->body[1], T, -1);
}

static void tangent_torque(const void *record, hol__force_args *args, hol__force_tangent *out) {
    hol__dual_tangent(record, args, dual_torque, out);
}

/* T on the first body, -T on the second; in the plane only the third component counts. */
static int formula_torque(const void *record, hol__symbolic *to) {
    const torque_record *rec = record;
    hol__sym T[3], own[3];
    if (!laws_formula(to, rec->f, T)) return 0;
    for (int k = 0; to->model->dim == 2 && k < 2; k++) T[k] = to->a->zero;
    if (rec->in_body) hol__symbolic_turned(to, rec->body[0], T, T);
    hol__symbolic_seen(to, rec->body[0], T, own);
    hol__symbolic_twist(to, rec->body[0], own);
    hol__symbolic_seen(to, rec->body[1], T, own);
    for (int k = 0; k < 3; k++) own[k] = hol__sym_neg(to->a, own[k]);
    hol__symbolic_twist(to, rec->body[1], own);
    return 1;
}

static const hol__force_type torque_plane = {.name = "applied torque",
                                             .size = sizeof(torque_record),
                                             .fill = torque2,
                                             .tangent = tangent_torque,
                                             .formula = formula_torque};
static const hol__force_type torque_space = {.name = "applied torque",
                                             .size = sizeof(torque_record),
                                             .fill = torque3,
                                             .tangent = tangent_torque,
                                             .formula = formula_torque};

typedef struct torque_params {
    hol__params head;
    int body, reaction;
    hol__law torque[3];
    int frame;
} torque_params;

static const hol__key torque_keys[] = {
    {"body", HOL__KEY_BODY, NULL, NULL, 0, "The body that it acts on.", NULL,
     HOL__AT(torque_params, body)},
    {"reaction", HOL__KEY_BODY, NULL, "", 0,
     "The body that receives the opposite torque; default: ground.", NULL,
     HOL__AT(torque_params, reaction)},
    {"torque", HOL__KEY_TURN, "N*m", NULL, 0,
     "In the plane a number or expression, in space a list of three.", NULL,
     HOL__AT(torque_params, torque)},
    {"frame", HOL__KEY_CHOICE, NULL, "global", HOL__IN_SPACE,
     "The frame of the components: global, or that of the body.", frames,
     HOL__AT(torque_params, frame)},
    HOL__KEY_END,
};

static void compile_torque(hol__build *build, hol__element *force, const void *params) {
    const torque_params *p = params;
    torque_record t = {.body = {p->body, p->reaction}, .in_body = p->frame};
    if (!hol__can_be_moved(build, p, "body", p->body)) return;
    if (p->body == p->reaction) {
        hol__field_error(build, p, "reaction", "the body would act on itself, which has no effect");
        return;
    }
    memcpy(t.f, p->torque, sizeof t.f);
    memcpy(force->body, t.body, sizeof t.body);
    torque_record *rec =
        hol__add_force(build, force, build->model->dim == 2 ? &torque_plane : &torque_space);
    if (!rec) return;
    t.element = rec->element;
    *rec = t;
}

const hol__element_type hol__force_torque = {
    .section = "forces",
    .name = "torque",
    .title = "A torque on a body, with its reaction on another or on ground.",
    .equations = "T on the body, -T on the other; power T . (omega - omega_other)",
    .example = "  motor: {type: torque, body: rod, torque: 0.5}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .outside = 1,
    .keys = torque_keys,
    .size = sizeof(torque_params),
    .compile_element = compile_torque,
};

/* step.c: the functions of generated code that its callers see: one step of the integrator with
 * its stages written out, and the projection onto the constraints after it.
 *
 *     d_i = h sum a_ij d'_j,  v_i = v + h sum a_ij v'_j,  d'_i = rate(d_i, v_i),  q_i = q (+) d_i
 *
 * as the library has it (integ/rk.c, form/state_dependent.c, correct/direct.c).
 */
#include "generate/files.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* Vectors up to this length are written out, longer ones are loops. */
enum { WRITTEN_OUT = 16 };

/* h (a_0 k_0 + …) over the terms that are not 0; at: the index, "j" or a number. */
static void combination(const double *a, int n, const char *k, const char *at, hol__text *out) {
    int first = 1;
    for (int j = 0; j < n; j++) {
        if (a[j] == 0) continue;
        hol__text_add(out, first ? "" : " + ");
        if (a[j] != 1) {
            hol__emit_number(a[j], out);
            hol__text_add(out, " * ");
        }
        hol__text_add(out, "%s[%d][%s]", k, j, at);
        first = 0;
    }
    if (first) hol__text_add(out, "0.0");
}

/* d and v of stage i, or of the end. */
void hol__gcode_stage(const hol__gcode *c, const double *a, int n, const char *of, hol__text *out) {
    const int nv = c->program->model->nv, loop = nv > WRITTEN_OUT;
    if (loop) hol__text_add(out, "    for (j = 0; j < NV; j++) {\n");
    for (int i = 0; i < (loop ? 1 : nv); i++) {
        char at[16] = "j";
        if (!loop) snprintf(at, sizeof at, "%d", i);
        hol__text_add(out, "    %sd[%s] = h * (", loop ? "    " : "", at);
        combination(a, n, "dd", at, out);
        hol__text_add(out, ");\n    %sv[%s] = %s[%s] + h * (", loop ? "    " : "", at,
                      *of == 's' ? "s->v" : "v0", at);
        combination(a, n, "dv", at, out);
        hol__text_add(out, ");\n");
    }
    hol__text_add(out, "%s    plus(%s, d, q);\n", loop ? "    }\n" : "",
                  *of == 's' ? "s->q" : "q0");
}

/* ---- increments ---- */

static int is_ball(const hol__link *link) {
    return link->turn == HOL__TURN_BALL;
}

static void write_increments(const hol__gcode *c, hol__text *out) {
    const hol__tree *tree = c->program->model->tree;
    hol__text_add(out, "/* out = q (+) d */\n"
                       "static void plus(const real *q, const real *d, real *out) {\n");
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        const int n = is_ball(link) ? link->n_move : link->nv;
        for (int k = 0; k < n; k++)
            hol__text_add(out, "    out[%d] = q[%d] + d[%d];\n", link->q + k, link->q + k,
                          link->v + k);
        if (is_ball(link))
            hol__text_add(out, "    turn(q + %d, d + %d, out + %d);\n", link->q + n, link->v + n,
                          link->q + n);
    }
    hol__text_add(out, "}\n\n");
    if (c->formula.n < 2) return;
    hol__text_add(out, "/* The rate of d at the velocities v. */\n"
                       "static void rate(const real *d, const real *v, real *ddot) {\n"
                       "    int j;\n    for (j = 0; j < NV; j++) ddot[j] = v[j];\n");
    for (int i = 0; i < tree->n; i++)
        if (is_ball(&tree->links[i]))
            hol__text_add(out, "    turn_rate(d + %d, v + %d, ddot + %d);\n",
                          tree->links[i].v + tree->links[i].n_move,
                          tree->links[i].v + tree->links[i].n_move,
                          tree->links[i].v + tree->links[i].n_move);
    hol__text_add(out, tree->plain ? "    (void)d;\n}\n\n" : "}\n\n");
}

/* Rotation vectors of unit quaternions, as math/quat.h has them. */
static const char turns[] =
    "/* out = p exp(u), normalised */\n"
    "static void turn(const real *p, const real *u, real *out) {\n"
    "    const real s2 = u[0] * u[0] + u[1] * u[1] + u[2] * u[2], s = sqrt(s2);\n"
    "    const real k = s < 1e-4 ? 0.5 - s2 / 48.0 : sin(0.5 * s) / s, e0 = cos(0.5 * s);\n"
    "    const real e1 = k * u[0], e2 = k * u[1], e3 = k * u[2];\n"
    "    const real r0 = p[0] * e0 - p[1] * e1 - p[2] * e2 - p[3] * e3;\n"
    "    const real r1 = p[0] * e1 + p[1] * e0 + p[2] * e3 - p[3] * e2;\n"
    "    const real r2 = p[0] * e2 + p[2] * e0 + p[3] * e1 - p[1] * e3;\n"
    "    const real r3 = p[0] * e3 + p[3] * e0 + p[1] * e2 - p[2] * e1;\n"
    "    const real over = 1.0 / sqrt(r0 * r0 + r1 * r1 + r2 * r2 + r3 * r3);\n"
    "    out[0] = r0 * over, out[1] = r1 * over, out[2] = r2 * over, out[3] = r3 * over;\n"
    "}\n\n";
static const char turn_rates[] =
    "/* The rate of u for the angular velocity w. */\n"
    "static void turn_rate(const real *u, const real *w, real *out) {\n"
    "    const real s2 = u[0] * u[0] + u[1] * u[1] + u[2] * u[2], s = sqrt(s2);\n"
    "    const real g = s < 0.03 ? (1.0 + s2 / 60.0 * (1.0 + s2 / 42.0)) / 12.0\n"
    "                            : (1.0 - 0.5 * s / tan(0.5 * s)) / s2;\n"
    "    const real x = u[1] * w[2] - u[2] * w[1], y = u[2] * w[0] - u[0] * w[2];\n"
    "    const real z = u[0] * w[1] - u[1] * w[0];\n"
    "    out[0] = w[0] + 0.5 * x + g * (u[1] * z - u[2] * y);\n"
    "    out[1] = w[1] + 0.5 * y + g * (u[2] * x - u[0] * z);\n"
    "    out[2] = w[2] + 0.5 * z + g * (u[0] * y - u[1] * x);\n"
    "}\n\n";

/* ---- projection ---- */

static const char projection[] =
    "/* Newton's method on Phi = 0, at most ITERATIONS steps, then the nearest velocity with\n"
    " * A v = b; q and v are replaced. */\n"
    "static int project(real t, real *q, real *v, const real *angle, const @name@_inputs *in@, "
    "real "
    "*known@) {\n"
    "    real Phi[MH + 1], dq[NV], dv[NV], moved[NQ], last = HUGE_VAL;\n"
    "    int i, j;\n"
    "    for (i = 0;; i++) {\n"
    "        real regular, norm = 0.0;\n"
    "@,        know(t, q, v, angle, in, known);\n@"
    "        regular = onto(t, q, v, angle, in@, known@, Phi, dq, dv);\n"
    "        for (j = 0; j < MH; j++) norm += Phi[j] * Phi[j];\n"
    "        norm = sqrt(norm);\n"
    "        if (!(norm < HUGE_VAL)) return @NAME@_NOT_FINITE;\n"
    "        if (regular == 0.0) return @NAME@_SINGULAR;\n"
    "        if (norm <= TOLERANCE || (norm > 0.5 * last && norm <= REST)) break;\n"
    "        if (i == ITERATIONS || norm > 1e3 * last) return @NAME@_OPEN;\n"
    "        last = norm;\n"
    "        plus(q, dq, moved);\n"
    "        for (j = 0; j < NQ; j++) q[j] = moved[j];\n"
    "    }\n"
    "    for (j = 0; j < NV; j++) v[j] += dv[j];\n"
    "    return @NAME@_OK;\n"
    "}\n\n";

/* ---- what callers see ---- */

static const char recalling[] =
    "/* Sines and cosines at the state, which the last step found where the caller has not moved "
    "it. "
    "*/\n"
    "static void recall(const @name@_state *s, const @name@_inputs *in, real *known) {\n"
    "    int j, same = 1;\n"
    "    for (j = 0; j < NQ; j++) same &= s->q[j] == s->known_q[j];\n"
    "    for (j = 0; j < NK && same; j++) known[j] = s->known[j];\n"
    "    if (!same) know(s->t, s->q, s->v, angles_of(s), in, known);\n"
    "}\n\n";

/* v' of a stage. */
static void write_stage(const hol__gcode *c, int i, hol__text *out) {
    const double at = c->formula.c[i];
    if (c->n_known)
        hol__text_add(out, i ? "    know(end, q, v, angles_of(s), in, known);\n"
                             : "    recall(s, in, known);\n");
    hol__text_add(out, "    if (derivative(");
    if (i == 0)
        hol__text_add(out, "s->t, s->q, s->v");
    else if (at == 1)
        hol__text_add(out, "end, q, v");
    else {
        hol__text_add(out, "s->t + ");
        hol__emit_number(at, out);
        hol__text_add(out, " * h, q, v");
    }
    hol__text_add(out, ", angles_of(s), in%s, dv[%d]) == 0.0)\n", c->n_known ? ", known" : "", i);
    hol__gcode_put(c, out, "        return @NAME@_SINGULAR;\n");
}

static void write_step(const hol__gcode *c, hol__text *out) {
    const hol__gstages *t = &c->formula;
    const int m = t->n, closed = c->program->model->m > 0;
    hol__gcode_put(c, out,
                   "int @name@_step(@name@_state *s, const @name@_inputs *in, double dt) {\n"
                   "    const real h = dt, end = s->t + dt;\n"
                   "    real dd[STAGES][NV], dv[STAGES][NV], d[NV], q[NQ], v[NV], sum = 0.0;\n"
                   "    int j;\n");
    if (closed) hol__text_add(out, "    int status;\n");
    if (c->n_known) hol__text_add(out, "    real known[NK];\n");
    for (int i = 0; i < m; i++) {
        hol__text_add(out, "    /* stage %d */\n", i + 1);
        if (i == 0)
            hol__text_add(out, "    for (j = 0; j < NV; j++) dd[0][j] = s->v[j];\n");
        else {
            hol__gcode_stage(c, t->a + i * t->width, i, "state", out);
            hol__text_add(out, "    rate(d, v, dd[%d]);\n", i);
        }
        write_stage(c, i, out);
    }
    hol__text_add(out, "    /* the end */\n");
    hol__gcode_stage(c, t->b, m, "state", out);
    if (closed)
        hol__gcode_put(c, out,
                       "    status = project(end, q, v, angles_of(s), in@, known@);\n"
                       "    if (status != @NAME@_OK) return status;\n");
    hol__gcode_put(c, out,
                   "    for (j = 0; j < NQ; j++) sum += fabs(q[j]);\n"
                   "    for (j = 0; j < NV; j++) sum += fabs(v[j]);\n"
                   "    if (!(sum < HUGE_VAL)) return @NAME@_NOT_FINITE;\n"
                   "    s->t = end;\n"
                   "    for (j = 0; j < NQ; j++) s->q[j] = q[j];\n"
                   "    for (j = 0; j < NV; j++) s->v[j] = v[j];\n");
    if (c->n_known)
        hol__text_add(out, "    for (j = 0; j < NQ; j++) s->known_q[j] = q[j];\n"
                           "    for (j = 0; j < NK; j++) s->known[j] = known[j];\n");
    if (c->n_near)
        hol__text_add(out, "    {\n        real now[NA];\n"
                           "        follow(end, q, v, s->angle, in, now);\n"
                           "        for (j = 0; j < NA; j++) s->angle[j] = now[j];\n    }\n");
    hol__gcode_put(c, out, "    return @NAME@_OK;\n}\n\n");
}

/* The start of the model. */
static void write_start(const hol__gcode *c, hol__text *out) {
    const hol_model *m = c->program->model;
    const hol__gstate *s = &c->states->list[0];
    hol__gcode_put(c, out, "void @name@_start(@name@_state *s) {\n    s->t = ");
    hol__emit_number(s->t, out);
    hol__text_add(out, ";\n");
    for (int i = 0; i < m->nq; i++) {
        hol__text_add(out, "    s->q[%d] = ", i);
        hol__emit_number(s->q[i], out);
        hol__text_add(out, ";\n");
    }
    for (int i = 0; i < m->nv; i++) {
        hol__text_add(out, "    s->v[%d] = ", i);
        hol__emit_number(s->v[i], out);
        hol__text_add(out, ";\n");
    }
    for (int i = 0; i < c->n_near; i++) {
        hol__text_add(out, "    s->angle[%d] = ", i);
        hol__emit_number(s->angles[c->near[i]], out);
        hol__text_add(out, ";\n");
    }
    if (c->n_known) hol__text_add(out, "    s->known_q[0] = HUGE_VAL; /* nothing is known */\n");
    hol__text_add(out, "}\n\n");
    hol__gcode_put(c, out, "void @name@_defaults(@name@_inputs *in) {\n");
    for (int i = 0; i < c->program->n_parameters; i++) {
        hol__text_add(out, "    in->%s = ", c->parameters[i]);
        hol__emit_number(c->program->parameter_value[i], out);
        hol__text_add(out, ";\n");
    }
    if (!c->program->n_parameters) hol__text_add(out, "    in->none = 0.0;\n");
    hol__text_add(out, "}\n\n");
}

static void write_questions(const hol__gcode *c, hol__text *out) {
    hol__gcode_put(c, out,
                   "int @name@_derivative(const @name@_state *s, const @name@_inputs *in, double "
                   "*vdot) {\n    real regular;\n"
                   "@,    real known[NK];\n    know(s->t, s->q, s->v, angles_of(s), in, known);\n@"
                   "    regular = derivative(s->t, s->q, s->v, angles_of(s), in@, known@, vdot);\n"
                   "    return regular == 0.0 ? @NAME@_SINGULAR : @NAME@_OK;\n"
                   "}\n\n"
                   "int @name@_project(@name@_state *s, const @name@_inputs *in) {\n");
    if (c->program->model->m)
        hol__gcode_put(c, out,
                       "    real q[NQ], v[NV];\n    int j, status;\n@,    real known[NK];\n@"
                       "    for (j = 0; j < NQ; j++) q[j] = s->q[j];\n"
                       "    for (j = 0; j < NV; j++) v[j] = s->v[j];\n"
                       "    status = project(s->t, q, v, angles_of(s), in@, known@);\n"
                       "    if (status != @NAME@_OK) return status;\n"
                       "    for (j = 0; j < NQ; j++) s->q[j] = q[j];\n"
                       "    for (j = 0; j < NV; j++) s->v[j] = v[j];\n");
    else
        hol__text_add(out, "    (void)s;\n    (void)in;\n");
    hol__gcode_put(c, out, "    return @NAME@_OK;\n}\n");
    if (c->n_near)
        hol__gcode_put(c, out,
                       "\nvoid @name@_follow(@name@_state *s, const @name@_inputs *in) {\n"
                       "    real now[NA];\n    int j;\n"
                       "    follow(s->t, s->q, s->v, s->angle, in, now);\n"
                       "    for (j = 0; j < NA; j++) s->angle[j] = now[j];\n}\n");
    if (!c->n_outputs) return;
    hol__gcode_put(c, out,
                   "\nvoid @name@_measure(const @name@_state *s, const @name@_inputs *in, "
                   "@name@_outputs *out) {\n    real x[");
    hol__text_add(out, "%d];\n    measure(s->t, s->q, s->v, angles_of(s), in, x);\n", c->n_outputs);
    for (int i = 0; i < c->n_outputs; i++)
        hol__text_add(out, "    out->%s = x[%d];\n", c->outputs[i], i);
    hol__text_add(out, "}\n");
}

/* Sizes, and how near a projection comes. */
void hol__gcode_constants(const hol__gcode *c, hol__text *out) {
    const hol_model *m = c->program->model;
    /* below rounding of the places nothing is gained */
    const double rounding = 4 * DBL_EPSILON * c->states->size,
                 tolerance = fmax(c->states->position_tolerance * c->states->size,
                                  rounding * sqrt(fmax(1, m->mh)));
    hol__text_add(out, "enum { NQ = %d, NV = %d, STAGES = %d", m->nq, m->nv, c->formula.n);
    if (m->m) hol__text_add(out, ", MH = %d, ITERATIONS = 12", m->mh);
    if (c->n_near) hol__text_add(out, ", NA = %d", c->n_near);
    if (c->n_known) hol__text_add(out, ", NK = %d", c->n_known);
    hol__text_add(out, " };\n\n");
    if (m->m) {
        hol__text_add(out, "/* |Phi| that is small enough, and that rounding may leave */\n"
                           "static const double TOLERANCE = ");
        hol__emit_number(tolerance, out);
        hol__text_add(out, ", REST = ");
        hol__emit_number(100 * tolerance, out);
        hol__text_add(out, ";\n\n");
    }
}

hol_status hol__gcode_step(const hol__gcode *c, hol__text *out) {
    hol__gcode_constants(c, out);
    hol__gcode_put(c, out, "static const double *angles_of(const @name@_state *s) {\n    return ");
    hol__text_add(out, c->n_near ? "s->angle;\n}\n\n" : "s->q; /* none */\n}\n\n");
    if (!c->program->model->tree->plain)
        hol__text_add(out, "%s%s", turns, c->formula.n > 1 ? turn_rates : "");
    write_increments(c, out);
    if (c->program->model->m) hol__gcode_put(c, out, projection);
    if (c->n_known) hol__gcode_put(c, out, recalling);
    write_start(c, out);
    write_step(c, out);
    write_questions(c, out);
    return out->failed ? HOL_ERR_MEMORY : HOL_OK;
}

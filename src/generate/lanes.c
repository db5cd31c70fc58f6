/* lanes.c: the same code for several states and inputs at once: numbers are vectors of the compiler
 * (GNU C), one lane a state. Where the compiler has none, and for mechanisms with balls or followed
 * angles, whose increments have conditions, the lanes are steps one after another.
 */
#include "generate/files.h"

static const char header_text[] =
    "/* @name@_lanes.h: @lanes@ states of @name@.h, each with its inputs, that step together. */\n"
    "#ifndef @NAME@_LANES_H\n#define @NAME@_LANES_H\n\n#include \"@name@.h\"\n\n"
    "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
    "enum { @NAME@_LANES = @lanes@ };\n\n"
    "/* By number, then by lane; filled by @name@_lanes_put. */\n"
    "typedef struct @name@_lanes {\n    double t[@lanes@];\n";

static const char header_functions[] =
    "/* A state with its inputs into a lane, and the state of a lane out. */\n"
    "void @name@_lanes_put(@name@_lanes *l, int lane, const @name@_state *s, const @name@_inputs "
    "*in);\n"
    "void @name@_lanes_get(const @name@_lanes *l, int lane, @name@_state *s);\n\n"
    "/* One step of length dt in every lane; status[lane] is what @name@_step would return, and a "
    "lane that\n * failed stays as it was. Returns the first status that is not 0. */\n"
    "int @name@_lanes_step(@name@_lanes *l, double dt, int status[@lanes@]);\n\n"
    "#ifdef __cplusplus\n}\n#endif\n\n#endif\n";

hol_status hol__gcode_lanes_header(hol__gcode *c, hol__text *out) {
    const hol__program *p = c->program;
    hol__gcode_put(c, out, header_text);
    hol__text_add(out, "    double q[%d][%d], v[%d][%d], in[%d][%d];\n", p->model->nq, c->lanes,
                  p->model->nv, c->lanes, p->n_parameters + 1, c->lanes);
    if (c->n_near) hol__text_add(out, "    double angle[%d][%d];\n", c->n_near, c->lanes);
    hol__gcode_put(c, out, "} @name@_lanes;\n\n");
    hol__gcode_put(c, out, header_functions);
    return out->failed ? HOL_ERR_MEMORY : HOL_OK;
}

/* ---- in and out ---- */

static void write_exchange(const hol__gcode *c, hol__text *out) {
    const hol__program *p = c->program;
    hol__gcode_put(c, out,
                   "void @name@_lanes_put(@name@_lanes *l, int lane, const @name@_state *s, const "
                   "@name@_inputs *in) {\n    int j;\n    l->t[lane] = s->t;\n"
                   "    for (j = 0; j < NQ; j++) l->q[j][lane] = s->q[j];\n"
                   "    for (j = 0; j < NV; j++) l->v[j][lane] = s->v[j];\n");
    if (c->n_near)
        hol__text_add(out, "    for (j = 0; j < NA; j++) l->angle[j][lane] = s->angle[j];\n");
    for (int i = 0; i < p->n_parameters; i++)
        hol__text_add(out, "    l->in[%d][lane] = in->%s;\n", i, c->parameters[i]);
    if (!p->n_parameters) hol__text_add(out, "    l->in[0][lane] = in->none;\n");
    hol__gcode_put(c, out,
                   "}\n\nvoid @name@_lanes_get(const @name@_lanes *l, int lane, @name@_state "
                   "*s) {\n    int j;\n    @name@_start(s);\n    s->t = l->t[lane];\n"
                   "    for (j = 0; j < NQ; j++) s->q[j] = l->q[j][lane];\n"
                   "    for (j = 0; j < NV; j++) s->v[j] = l->v[j][lane];\n");
    if (c->n_near)
        hol__text_add(out, "    for (j = 0; j < NA; j++) s->angle[j] = l->angle[j][lane];\n");
    hol__text_add(out, "}\n\n");
}

/* ---- one after another ---- */

static void write_loop(const hol__gcode *c, hol__text *out) {
    const hol__program *p = c->program;
    hol__gcode_put(c, out,
                   "int @name@_lanes_step(@name@_lanes *l, double dt, int status[@lanes@]) {\n"
                   "    int k, first = @NAME@_OK;\n"
                   "    for (k = 0; k < LANES; k++) {\n"
                   "        @name@_state s;\n        @name@_inputs in;\n"
                   "        @name@_lanes_get(l, k, &s);\n        @name@_defaults(&in);\n");
    for (int i = 0; i < p->n_parameters; i++)
        hol__text_add(out, "        in.%s = l->in[%d][k];\n", c->parameters[i], i);
    hol__gcode_put(c, out,
                   "        status[k] = @name@_step(&s, &in, dt);\n"
                   "        if (status[k] == @NAME@_OK) @name@_lanes_put(l, k, &s, &in);\n"
                   "        if (first == @NAME@_OK) first = status[k];\n    }\n"
                   "    return first;\n}\n");
}

/* ---- together ---- */

static const char vectors[] =
    "/* nothing is handed over by value: these are always inlined */\n"
    "#pragma GCC diagnostic ignored \"-Wpsabi\"\n"
    "#define INLINE static inline __attribute__((always_inline))\n"
    "typedef double real __attribute__((vector_size(8 * @lanes@)));\n\n"
    "INLINE real all(double x) {\n    real r = {0.0};\n    return r + x;\n}\n\n";

static const char plus[] =
    "static void plus(const real *q, const real *d, real *out) {\n    int j;\n"
    "    for (j = 0; j < NQ; j++) out[j] = q[j] + d[j];\n}\n\n";

/* Lanes in which the choice of velocities has lost its digits take the other solution. */
static const char both[] =
    "static void derivative(const real *t, const real *q, const real *v, const real *angle, const "
    "real *in@, const real *known@,\n    real *vdot, real *good) {\n"
    "    real other[NV], second;\n    int j, k, whole = 1;\n"
    "    derivative_fast(t, q, v, angle, in@, known@, vdot, good);\n"
    "    for (k = 0; k < LANES; k++) whole &= (*good)[k] != 0.0;\n"
    "    if (whole) return;\n"
    "    derivative_safe(t, q, v, angle, in@, known@, other, &second);\n"
    "    for (k = 0; k < LANES; k++) {\n        if ((*good)[k] != 0.0) continue;\n"
    "        for (j = 0; j < NV; j++) vdot[j][k] = other[j][k];\n"
    "        (*good)[k] = second[k];\n    }\n}\n\n"
    "static void onto(const real *t, const real *q, const real *v, const real *angle, const real "
    "*in@, const real *known@,\n    real *Phi, real *dq, real *dv, real *good) {\n"
    "    real dq2[NV], dv2[NV], second;\n    int j, k, whole = 1;\n"
    "    onto_fast(t, q, v, angle, in@, known@, Phi, dq, dv, good);\n"
    "    for (k = 0; k < LANES; k++) whole &= (*good)[k] != 0.0;\n"
    "    if (whole) return;\n"
    "    onto_safe(t, q, v, angle, in@, known@, Phi, dq2, dv2, &second);\n"
    "    for (k = 0; k < LANES; k++) {\n        if ((*good)[k] != 0.0) continue;\n"
    "        for (j = 0; j < NV; j++) dq[j][k] = dq2[j][k], dv[j][k] = dv2[j][k];\n"
    "        (*good)[k] = second[k];\n    }\n}\n\n";

static const char projection[] =
    "/* As in @name@.c, each lane until it is done. */\n"
    "static void project(const real *t, real *q, real *v, const real *in, int *status) {\n"
    "    real Phi[MH + 1], dq[NV], dv[NV], regular;\n@,    real known[NK];\n@"
    "    double last[LANES];\n    int done[LANES], i, j, k, open = 1;\n"
    "    for (k = 0; k < LANES; k++) last[k] = HUGE_VAL, done[k] = 0;\n"
    "    for (i = 0; open; i++) {\n        open = 0;\n"
    "@,        know(t, q, v, q, in, known);\n@"
    "        onto(t, q, v, q, in@, known@, Phi, dq, dv, &regular);\n"
    "        for (k = 0; k < LANES; k++) {\n            double norm = 0.0;\n"
    "            if (done[k] || status[k] != @NAME@_OK) continue;\n"
    "            for (j = 0; j < MH; j++) norm += Phi[j][k] * Phi[j][k];\n"
    "            norm = sqrt(norm);\n"
    "            if (!(norm < HUGE_VAL))\n                status[k] = @NAME@_NOT_FINITE;\n"
    "            else if (regular[k] == 0.0)\n                status[k] = @NAME@_SINGULAR;\n"
    "            else if (norm <= TOLERANCE || (norm > 0.5 * last[k] && norm <= REST)) {\n"
    "                for (j = 0; j < NV; j++) v[j][k] += dv[j][k];\n"
    "                done[k] = 1;\n"
    "            } else if (i == ITERATIONS || norm > 1e3 * last[k])\n"
    "                status[k] = @NAME@_OPEN;\n"
    "            else {\n                for (j = 0; j < NQ; j++) q[j][k] += dq[j][k];\n"
    "                last[k] = norm;\n                open = 1;\n            }\n"
    "        }\n    }\n}\n\n";

static void write_stage(const hol__gcode *c, int i, hol__text *out) {
    const char *q = i ? "q, v, q" : "q0, v0, q0";
    hol__text_add(out, "    now = t0 + ");
    hol__emit_number(c->formula.c[i], out);
    hol__text_add(out, " * h;\n");
    if (c->n_known) hol__text_add(out, "    know(&now, %s, in, known);\n", q);
    hol__text_add(out, "    derivative(&now, %s, in%s, dv[%d], &regular);\n    good *= regular;\n",
                  q, c->n_known ? ", known" : "", i);
}

static void write_together(const hol__gcode *c, hol__text *out) {
    const hol__gstages *t = &c->formula;
    hol__gcode_put(c, out,
                   "int @name@_lanes_step(@name@_lanes *l, double dt, int status[@lanes@]) {\n"
                   "    real t0, now, q0[NQ], v0[NV], in[NI], good = all(1.0), regular;\n"
                   "    real dd[STAGES][NV], dv[STAGES][NV], d[NV], q[NQ], v[NV];\n"
                   "@,    real known[NK];\n@"
                   "    const double h = dt;\n    int j, k, first = @NAME@_OK;\n"
                   "    memcpy(&t0, l->t, sizeof t0);\n    memcpy(q0, l->q, sizeof q0);\n"
                   "    memcpy(v0, l->v, sizeof v0);\n    memcpy(in, l->in, sizeof in);\n");
    for (int i = 0; i < t->n; i++) {
        if (i) hol__gcode_stage(c, t->a + i * t->width, i, "lanes", out);
        hol__text_add(out, "    for (j = 0; j < NV; j++) dd[%d][j] = v%s[j];\n", i, i ? "" : "0");
        write_stage(c, i, out);
    }
    hol__gcode_stage(c, t->b, t->n, "lanes", out);
    hol__gcode_put(c, out,
                   "    for (k = 0; k < LANES; k++)\n"
                   "        status[k] = good[k] == 0.0 ? @NAME@_SINGULAR : @NAME@_OK;\n"
                   "    now = t0 + h;\n");
    if (c->program->model->m) hol__text_add(out, "    project(&now, q, v, in, status);\n");
    hol__gcode_put(c, out,
                   "    for (k = 0; k < LANES; k++) {\n        double sum = 0.0;\n"
                   "        for (j = 0; j < NQ; j++) sum += fabs(q[j][k]);\n"
                   "        for (j = 0; j < NV; j++) sum += fabs(v[j][k]);\n"
                   "        if (!(sum < HUGE_VAL)) status[k] = @NAME@_NOT_FINITE;\n"
                   "        if (first == @NAME@_OK) first = status[k];\n"
                   "        if (status[k] != @NAME@_OK) continue;\n"
                   "        l->t[k] = now[k];\n"
                   "        for (j = 0; j < NQ; j++) l->q[j][k] = q[j][k];\n"
                   "        for (j = 0; j < NV; j++) l->v[j][k] = v[j][k];\n    }\n"
                   "    return first;\n}\n");
}

/* The functions of the equations over vectors, and the step. */
static hol_status write_vectors(hol__gcode *c, hol__text *out) {
    hol__gcode_put(c, out, vectors);
    hol_status status = hol__gcode_equations(c, 1, out);
    hol__text_add(out, "%s", plus);
    if (c->program->partitioned) hol__gcode_put(c, out, both);
    if (c->program->model->m) hol__gcode_put(c, out, projection);
    write_together(c, out);
    return status;
}

/* Lanes one after another, with sizes. */
static void write_single(const hol__gcode *c, hol__text *out) {
    hol__text_add(out, "enum { LANES = %d, NQ = %d, NV = %d, NA = %d };\n\n", c->lanes,
                  c->program->model->nq, c->program->model->nv, c->n_near);
    write_exchange(c, out);
    write_loop(c, out);
}

hol_status hol__gcode_lanes_source(hol__gcode *c, hol__text *out) {
    const int together = c->program->model->tree->plain && !c->n_near;
    hol_status status = HOL_OK;
    hol__gcode_put(c, out,
                   "/* @name@_lanes.c: generated by holonom. See @name@_lanes.h. */\n"
                   "#include \"@name@_lanes.h\"\n\n");
    if (together) {
        hol__gcode_put(c, out,
                       "#if defined __GNUC__ && !defined @NAME@_NO_VECTORS\n\n"
                       "#include <math.h>\n#include <string.h>\n\n");
        hol__gcode_constants(c, out);
        hol__text_add(out, "enum { LANES = %d, NI = %d };\n\n", c->lanes,
                      c->program->n_parameters + 1);
        write_exchange(c, out);
        status = write_vectors(c, out);
        hol__text_add(out, "\n#else\n\n");
    }
    write_single(c, out);
    if (together) hol__text_add(out, "\n#endif\n");
    return status || out->failed ? HOL_ERR_MEMORY : HOL_OK;
}

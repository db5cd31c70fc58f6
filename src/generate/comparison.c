/* comparison.c: the test program of generated code: its numbers against those of the library, which
 * were written down when it was generated; and the files that build it. */
#include "generate/files.h"

#include <holonom/version.h>

#include <math.h>

/* A table of n states by size numbers. */
static void table(const hol__gcode *c, const char *name, int size, int which, hol__text *out) {
    hol__text_add(out, "static const double %s[][%d] = {\n", name, size);
    for (int s = 0; s < c->states->n; s++) {
        const hol__gstate *x = &c->states->list[s];
        const double *values = which == 0 ? x->q : which == 1 ? x->v : x->a;
        hol__text_add(out, "    {");
        for (int i = 0; i < size; i++) {
            hol__text_add(out, i == 0 ? "" : i % 4 == 0 ? ",\n     " : ", ");
            hol__emit_number(values[i], out);
        }
        hol__text_add(out, "},\n");
    }
    hol__text_add(out, "};\n");
}

static void tables(const hol__gcode *c, hol__text *out) {
    const hol_model *m = c->program->model;
    hol__text_add(out, "static const int steps[] = {");
    for (int s = 0; s < c->states->n; s++)
        hol__text_add(out, s ? ", %d" : "%d", c->states->step[s]);
    hol__text_add(out, "};\nstatic const double times[] = {");
    for (int s = 0; s < c->states->n; s++) {
        hol__text_add(out, s ? ", " : "");
        hol__emit_number(c->states->list[s].t, out);
    }
    hol__text_add(out, "};\n");
    table(c, "lib_q", m->nq, 0, out);
    table(c, "lib_v", m->nv, 1, out);
    table(c, "lib_a", m->nv, 2, out);
    hol__text_add(out, "static const double dt = ");
    hol__emit_number(c->states->h, out);
    hol__text_add(out, ";\nenum { NQ = %d, NV = %d, STATES = %d };\n\n", m->nq, m->nv,
                  c->states->n);
}

static const char program_text[] =
    "/* The largest difference, against the largest number (at least 1). */\n"
    "static double off(int n, const double *x, const double *y) {\n"
    "    double largest = 1.0, most = 0.0;\n"
    "    int i;\n"
    "    for (i = 0; i < n; i++) {\n"
    "        const double d = fabs(x[i] - y[i]);\n"
    "        if (fabs(y[i]) > largest) largest = fabs(y[i]);\n"
    "        if (!(d <= most)) most = d;\n"
    "    }\n"
    "    return most / largest;\n"
    "}\n\n"
    "static void take(int k, @name@_state *s) {\n"
    "    int i;\n"
    "    @name@_start(s);\n"
    "    s->t = times[k];\n"
    "    for (i = 0; i < NQ; i++) s->q[i] = lib_q[k][i];\n"
    "    for (i = 0; i < NV; i++) s->v[i] = lib_v[k][i];\n"
    "}\n\n"
    "/* Seconds for n steps. */\n"
    "static double time_steps(const @name@_inputs *in, long n) {\n"
    "    @name@_state s;\n"
    "    const clock_t start = clock();\n"
    "    long i;\n"
    "    @name@_start(&s);\n"
    "    for (i = 0; i < n; i++)\n"
    "        if (@name@_step(&s, in, dt)) @name@_start(&s);\n"
    "    return (double)(clock() - start) / CLOCKS_PER_SEC;\n"
    "}\n\n";

/* Lanes that begin at the start and after three steps each, against single steps. */
static const char lanes_text[] =
    "static double check_lanes(const @name@_inputs *in) {\n"
    "    @name@_lanes l;\n"
    "    @name@_state s[@NAME@_LANES], got;\n"
    "    int status[@NAME@_LANES], i, k;\n"
    "    double worst = 0.0;\n"
    "    for (k = 0; k < @NAME@_LANES; k++) {\n"
    "        @name@_start(&s[k]);\n"
    "        for (i = 0; i < 3 * k; i++)\n"
    "            if (@name@_step(&s[k], in, dt)) return HUGE_VAL;\n"
    "        @name@_lanes_put(&l, k, &s[k], in);\n"
    "    }\n"
    "    for (i = 0; i < 20; i++)\n"
    "        if (@name@_lanes_step(&l, dt, status)) return HUGE_VAL;\n"
    "    for (k = 0; k < @NAME@_LANES; k++) {\n"
    "        double d;\n"
    "        for (i = 0; i < 20; i++)\n"
    "            if (@name@_step(&s[k], in, dt)) return HUGE_VAL;\n"
    "        @name@_lanes_get(&l, k, &got);\n"
    "        d = off(NQ, got.q, s[k].q) + off(NV, got.v, s[k].v) + fabs(got.t - s[k].t);\n"
    "        if (!(d <= worst)) worst = d;\n"
    "    }\n"
    "    return worst;\n"
    "}\n\n"
    "static double time_lanes(const @name@_inputs *in, long n) {\n"
    "    @name@_lanes l;\n"
    "    @name@_state s;\n"
    "    int status[@NAME@_LANES], k;\n"
    "    clock_t start;\n"
    "    long i;\n"
    "    @name@_start(&s);\n"
    "    for (k = 0; k < @NAME@_LANES; k++) @name@_lanes_put(&l, k, &s, in);\n"
    "    start = clock();\n"
    "    for (i = 0; i < n; i++)\n"
    "        if (@name@_lanes_step(&l, dt, status)) break;\n"
    "    return (double)(clock() - start) / CLOCKS_PER_SEC;\n"
    "}\n\n";

static const char main_text[] =
    "int main(int argc, char **argv) {\n"
    "    @name@_state s;\n"
    "    @name@_inputs in;\n"
    "    double a[NV], worst_a = 0.0, worst_s = 0.0;\n"
    "    int k, done = 0, status = 0;\n"
    "    @name@_defaults(&in);\n"
    "    for (k = 0; k < STATES; k++) {\n"
    "        double d;\n"
    "        take(k, &s);\n"
    "        status |= @name@_derivative(&s, &in, a);\n"
    "        d = off(NV, a, lib_a[k]);\n"
    "        if (!(d <= worst_a)) worst_a = d;\n"
    "    }\n"
    "    @name@_start(&s);\n"
    "    for (k = 0; k < STATES && !status; k++) {\n"
    "        double dq, dv;\n"
    "        for (; done < steps[k] && !status; done++) status = @name@_step(&s, &in, dt);\n"
    "        dq = off(NQ, s.q, lib_q[k]);\n"
    "        dv = off(NV, s.v, lib_v[k]);\n"
    "        printf(\"%4d steps: q differs by %.1e, v by %.1e\\n\", done, dq, dv);\n"
    "        if (!(dq <= worst_s)) worst_s = dq;\n"
    "        if (!(dv <= worst_s)) worst_s = dv;\n"
    "    }\n"
    "    printf(\"accelerations differ by %.1e, states by %.1e\\n\", worst_a, worst_s);\n";

static const char lanes_main[] =
    "    {\n        const double d = check_lanes(&in);\n"
    "        printf(\"lanes differ from single steps by %.1e\\n\", d);\n"
    "        if (!(d <= worst_s)) worst_s = d;\n    }\n"
    "    if (argc > 1 && strcmp(argv[1], \"time\") == 0)\n"
    "        printf(\"%.1f ns a step of a lane\\n\",\n"
    "               1e9 * time_lanes(&in, 50000) / (50000.0 * @NAME@_LANES));\n";

static const char end_text[] =
    "    if (argc > 1 && strcmp(argv[1], \"time\") == 0)\n"
    "        printf(\"%.1f ns a step\\n\", 1e9 * time_steps(&in, 200000) / 200000);\n"
    "    if (status) printf(\"a function returned %d\\n\", status);\n"
    "    if (status || !(worst_a <= A_LIMIT) || !(worst_s <= S_LIMIT)) {\n"
    "        printf(\"FAILED: more than %g or %g\\n\", A_LIMIT, S_LIMIT);\n"
    "        return 1;\n"
    "    }\n"
    "    printf(\"OK\\n\");\n"
    "    return 0;\n"
    "}\n";

hol_status hol__gcode_test(hol__gcode *c, hol__text *out) {
    hol__gcode_put(c, out,
                   "/* test.c: @name@ against the states and accelerations that the library "
                   "computed when the code was\n * generated. `./test time` also says how "
                   "long a step takes. */\n#include \"@name@.h\"\n");
    if (c->lanes) hol__gcode_put(c, out, "#include \"@name@_lanes.h\"\n");
    hol__gcode_put(c, out,
                   "\n#include <math.h>\n"
                   "#include <stdio.h>\n#include <string.h>\n#include <time.h>\n\n"
                   "/* Both round in their own order: ten times what they differed by "
                   "when the code was generated, at\n * least 1e-12; states add that up. "
                   "*/\nstatic const double A_LIMIT = ");
    hol__emit_number(fmax(1e-12, 10 * c->program->worst), out);
    hol__text_add(out, ", S_LIMIT = ");
    hol__emit_number(fmax(1e-10, 10 * c->program->worst), out);
    hol__text_add(out, ";\n\n");
    tables(c, out);
    hol__gcode_put(c, out, program_text);
    if (c->lanes) hol__gcode_put(c, out, lanes_text);
    hol__gcode_put(c, out, main_text);
    if (c->lanes) hol__gcode_put(c, out, lanes_main);
    hol__gcode_put(c, out, end_text);
    return out->failed ? HOL_ERR_MEMORY : HOL_OK;
}

hol_status hol__gcode_makefile(hol__gcode *c, hol__text *out) {
    if (c->lanes) {
        hol__gcode_put(
            c, out,
            "CC = cc\nCFLAGS = -O2 -std=c99 -Wall -Wextra -Wpedantic\nOBJECTS = @name@.o "
            "@name@_lanes.o\n\nall: $(OBJECTS) test\n\n"
            "# vectors are never handed over by value, so that their ABI does not matter\n"
            "%.o: %.c @name@.h @name@_lanes.h\n\t$(CC) $(CFLAGS) -Wno-psabi -c $< -o $@\n\n"
            "test: test.c $(OBJECTS)\n\t$(CC) $(CFLAGS) test.c $(OBJECTS) -lm -o $@\n\n"
            "check: test\n\t./test\n\nclean:\n\trm -f test $(OBJECTS)\n\n"
            ".PHONY: all check clean\n");
        return out->failed ? HOL_ERR_MEMORY : HOL_OK;
    }
    hol__gcode_put(c, out,
                   "CC = cc\nCFLAGS = -O2 -std=c99 -Wall -Wextra -Wpedantic\n\n"
                   "all: @name@.o test\n\n"
                   "@name@.o: @name@.c @name@.h\n\t$(CC) $(CFLAGS) -c @name@.c -o $@\n\n"
                   "test: test.c @name@.o\n\t$(CC) $(CFLAGS) test.c @name@.o -lm -o $@\n\n"
                   "check: test\n\t./test\n\n"
                   "clean:\n\trm -f test @name@.o\n\n.PHONY: all check clean\n");
    return out->failed ? HOL_ERR_MEMORY : HOL_OK;
}

hol_status hol__gcode_readme(hol__gcode *c, hol__text *out) {
    const hol_model *m = c->program->model;
    hol__gcode_put(c, out, "# @name@\n\nGenerated by holonom " HOL_VERSION " from `");
    hol__gcode_comment(out, c->model);
    hol__text_add(out, "` (%016llx). ", c->hash);
    hol__gcode_put(c, out,
                   "Do not edit: generate again.\n\n    make check     # builds test.c and "
                   "compares with the library\n\n| file | what it is |\n|---|---|\n"
                   "| `@name@.h`, `@name@.c` | the mechanism: C99, `libm` alone, no "
                   "allocation, no global state |\n| `test.c` | compares it with states of "
                   "the library; `./test time` times it |\n\n"
                   "```c\n@name@_state s;\n@name@_inputs in;\n@name@_start(&s);\n"
                   "@name@_defaults(&in);\nfor (int i = 0; i < 1000; i++)\n    if "
                   "(@name@_step(&s, &in, 1e-3)) break;\n```\n\n");
    hol__text_add(out,
                  "%d joint coordinates, %d velocities, %d constraints of which %d are "
                  "independent. One evaluation of the\naccelerations takes %ld operations",
                  m->nq, m->nv, m->m, c->program->n_kept, c->rhs_operations);
    if (m->m)
        hol__text_add(out,
                      ", one iteration of the projection %ld; at most 13 of these follow a "
                      "step",
                      c->project_operations);
    hol__text_add(out,
                  ".\nThe integrator is %s (`%s`), as in\n`holonom run --coordinates relative "
                  "--method direct-correction --integrator %s --step ...`.\n",
                  c->formula.title, c->formula.name, c->formula.name);
    return out->failed ? HOL_ERR_MEMORY : HOL_OK;
}

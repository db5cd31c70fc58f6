/* emit.c: statements of C for the nodes that results need. See emit.h.
 *
 * A node that is used once is written where it is used, while the line stays short; every other
 * one has a name. Parentheses keep the operations as they are, so that all compilers round alike.
 */
#include "generate/emit.h"

#include "common/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHORT = 56 };

void hol__emit_number(double x, hol__text *out) {
    char buf[HOL__NUMBER_SIZE];
    if (isnan(x)) {
        hol__text_add(out, "(0.0 / 0.0)");
        return;
    }
    if (isinf(x)) {
        hol__text_add(out, x > 0 ? "HUGE_VAL" : "(-HUGE_VAL)");
        return;
    }
    hol__number_text(x, buf);
    hol__text_add(out, x < 0 ? "(%s%s)" : "%s%s", buf, strpbrk(buf, ".e") ? "" : ".0");
}

/* ---- how operations are written ---- */

typedef struct form {
    const char *scalar; /* with % for the operands in order */
    const char *helper; /* its name where it is no function of C */
} form;

static const form forms[] = {
    [HOL__OP_NEG] = {"-%", NULL},
    [HOL__OP_NOT] = {"truth(% == 0.0)", NULL},
    [HOL__OP_SIN] = {"sin(%)", NULL},
    [HOL__OP_COS] = {"cos(%)", NULL},
    [HOL__OP_TAN] = {"tan(%)", NULL},
    [HOL__OP_ASIN] = {"asin(%)", NULL},
    [HOL__OP_ACOS] = {"acos(%)", NULL},
    [HOL__OP_ATAN] = {"atan(%)", NULL},
    [HOL__OP_SINH] = {"sinh(%)", NULL},
    [HOL__OP_COSH] = {"cosh(%)", NULL},
    [HOL__OP_TANH] = {"tanh(%)", NULL},
    [HOL__OP_EXP] = {"exp(%)", NULL},
    [HOL__OP_LOG] = {"log(%)", NULL},
    [HOL__OP_LOG10] = {"log10(%)", NULL},
    [HOL__OP_SQRT] = {"sqrt(%)", NULL},
    [HOL__OP_CBRT] = {"cbrt(%)", NULL},
    [HOL__OP_ABS] = {"fabs(%)", NULL},
    [HOL__OP_SIGN] = {"sign_of(%)", "static double sign_of(double x) {\n"
                                    "    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x;\n"
                                    "}\n\n"},
    [HOL__OP_FLOOR] = {"floor(%)", NULL},
    [HOL__OP_CEIL] = {"ceil(%)", NULL},
    [HOL__OP_RAMP] = {"ramp(%)", "/* from 0 to 1 with two continuous derivatives */\n"
                                 "static double ramp(double s) {\n"
                                 "    if (s <= 0.0) return 0.0;\n"
                                 "    if (s >= 1.0) return 1.0;\n"
                                 "    return s * s * s * (10.0 + s * (-15.0 + 6.0 * s));\n"
                                 "}\n\n"},
    [HOL__OP_TABLE] = {"curve_%d_%d(%)", NULL},
    [HOL__OP_ADD] = {"% + %", NULL},
    [HOL__OP_SUB] = {"% - %", NULL},
    [HOL__OP_MUL] = {"% * %", NULL},
    [HOL__OP_DIV] = {"% / %", NULL},
    [HOL__OP_POW] = {"pow(%, %)", NULL},
    [HOL__OP_ATAN2] = {"atan2(%, %)", NULL},
    [HOL__OP_HYPOT] = {"hypot(%, %)", NULL},
    [HOL__OP_MOD] = {"modulo(%, %)", "static double modulo(double x, double y) {\n"
                                     "    const double r = fmod(x, y);\n"
                                     "    return r != 0.0 && (r < 0.0) != (y < 0.0) ? r + y : r;\n"
                                     "}\n\n"},
    [HOL__OP_MIN] = {"smaller(%, %)", "static double smaller(double a, double b) {\n"
                                      "    return a <= b ? a : b;\n"
                                      "}\n\n"},
    [HOL__OP_MAX] = {"larger(%, %)", "static double larger(double a, double b) {\n"
                                     "    return a >= b ? a : b;\n"
                                     "}\n\n"},
    [HOL__OP_LT] = {"truth(% < %)", NULL},
    [HOL__OP_LE] = {"truth(% <= %)", NULL},
    [HOL__OP_EQ] = {"truth(% == %)", NULL},
    [HOL__OP_NE] = {"truth(% != %)", NULL},
    [HOL__OP_AND] = {"truth(% != 0.0 && % != 0.0)", NULL},
    [HOL__OP_OR] = {"truth(% != 0.0 || % != 0.0)", NULL},
    [HOL__OP_SELECT] = {"(% != 0.0 ? % : %)", NULL}};

enum { OPERATIONS = sizeof forms / sizeof *forms };

/* Whether the text of an operation stands for itself within another. */
static int is_closed(hol__expr_op op) {
    return op != HOL__OP_ADD && op != HOL__OP_SUB && op != HOL__OP_MUL && op != HOL__OP_DIV &&
           op != HOL__OP_NEG;
}

static int is_plain(hol__expr_op op) {
    return !is_closed(op);
}

/* ---- nodes ---- */

typedef struct writer {
    hol__emit *e;
    unsigned char *need;
    int *uses;
    char **text; /* of nodes that are written where they are used; NULL: by name */
    hol__arena arena;
} writer;

/* How an operand is written within an operation. */
static void operand(writer *w, hol__ref i, int closed, hol__text *out) {
    const hol__dag_node *n = &w->e->dag->nodes[i];
    if (w->e->known && w->e->known[i])
        hol__text_add(out, "known[%d]", w->e->known[i] - 1);
    else if (n->op == HOL__OP_CONSTANT) {
        if (w->e->lanes && closed) hol__text_add(out, "all(");
        hol__emit_number(n->value, out);
        if (w->e->lanes && closed) hol__text_add(out, ")");
    } else if (n->op == HOL__OP_INPUT) {
        hol__text_add(out, "%s", w->e->inputs[n->index]);
        if (w->e->used) w->e->used[n->index] = 1;
    } else if (w->text[i]) {
        const int wrap = !closed && is_plain(n->op);
        hol__text_add(out, wrap ? "(%s)" : "%s", w->text[i]);
    } else
        hol__text_add(out, "x%d", i);
}

/* In lanes, operations that are none of vectors are functions of all lanes at once. */
static void lane_function(writer *w, const hol__dag_node *n, hol__text *out) {
    const hol__ref of[3] = {n->a, n->b, n->op == HOL__OP_TABLE ? -1 : n->c};
    if (n->op == HOL__OP_TABLE)
        hol__text_add(out, "lanes_curve_%d_%d(", n->c, n->index);
    else
        hol__text_add(out, "lanes_%d(", (int)n->op);
    for (int k = 0; k < 3 && of[k] >= 0; k++) {
        if (k) hol__text_add(out, ", ");
        operand(w, of[k], 1, out);
    }
    hol__text_add(out, ")");
}

static void operation(writer *w, const hol__dag_node *n, hol__text *out) {
    const hol__ref of[3] = {n->a, n->b, n->c};
    const int calls = strchr(forms[n->op].scalar, '(') && n->op != HOL__OP_SELECT &&
                      strncmp(forms[n->op].scalar, "truth", 5) != 0;
    int k = 0;
    w->e->functions |= 1ULL << n->op;
    if (n->op == HOL__OP_TABLE) w->e->curves[n->c] |= (unsigned char)(1 << n->index);
    if (w->e->lanes && is_closed(n->op)) {
        lane_function(w, n, out);
        return;
    }
    if (n->op == HOL__OP_TABLE) {
        hol__text_add(out, "curve_%d_%d(", n->c, n->index);
        operand(w, n->a, 1, out);
        hol__text_add(out, ")");
        return;
    }
    for (const char *c = forms[n->op].scalar; *c; c++)
        if (*c == '%')
            operand(w, of[k++], calls, out);
        else
            hol__text_add_n(out, c, 1);
}

/* Whether a node is computed by a statement. */
static int is_computed(const writer *w, hol__ref i) {
    return w->need[i] && w->e->dag->nodes[i].a >= 0 && !(w->e->known && w->e->known[i]);
}

/* In lanes: the node of the sine where this is a cosine of the same, or the other way; -1: there is
 * none that is computed. They are found together, as the compiler has a function for both. */
static hol__ref partner(const writer *w, hol__ref i) {
    const hol__dag_node *nodes = w->e->dag->nodes;
    const hol__expr_op other = nodes[i].op == HOL__OP_SIN ? HOL__OP_COS : HOL__OP_SIN;
    if (!w->e->lanes || (nodes[i].op != HOL__OP_SIN && nodes[i].op != HOL__OP_COS)) return -1;
    for (hol__ref k = nodes[i].a + 1; k < w->e->dag->count; k++)
        if (nodes[k].op == other && nodes[k].a == nodes[i].a) return is_computed(w, k) ? k : -1;
    return -1;
}

/* Sine and cosine of all lanes in one loop, where the first of the two stands. */
static void sine_and_cosine(writer *w, hol__ref i, hol__ref k, hol__text *out) {
    const int sine = w->e->dag->nodes[i].op == HOL__OP_SIN;
    const hol__ref s = sine ? i : k, c = sine ? k : i;
    if (k < i) return; /* written with the other */
    hol__text_add(out, "    real x%d = ", s);
    operand(w, w->e->dag->nodes[i].a, 1, out);
    hol__text_add(out, ", x%d = x%d;\n", c, s);
    hol__text_add(out,
                  "    for (lane = 0; lane < LANES; lane++) {\n"
                  "        const double y = x%d[lane];\n"
                  "        x%d[lane] = sin(y), x%d[lane] = cos(y);\n    }\n",
                  s, s, c);
    w->e->operations += 2;
    w->e->loops = 1;
}

/* Give the node a name, or keep its text for the place where it is used. */
static void statement(writer *w, hol__ref i, hol__text *out) {
    const hol__dag_node *n = &w->e->dag->nodes[i];
    const hol__ref with = partner(w, i);
    hol__text text;
    if (with >= 0) {
        sine_and_cosine(w, i, with, out);
        return;
    }
    hol__text_init(&text, w->arena.ctx);
    operation(w, n, &text);
    w->e->operations++;
    if (text.failed)
        w->arena.failed = 1;
    else if (w->uses[i] == 1 && text.length <= SHORT)
        w->text[i] = hol__arena_text(&w->arena, text.data);
    else
        hol__text_add(out, "    const real x%d = %s;\n", i, text.data);
    hol__text_free(&text);
}

/* What is needed, from the last node to the first, and how often. */
static void count_uses(writer *w, int count) {
    for (int i = count - 1; i >= 0; i--) {
        const hol__dag_node *n = &w->e->dag->nodes[i];
        const hol__ref of[3] = {n->a, n->b, n->op == HOL__OP_TABLE ? -1 : n->c};
        if (!is_computed(w, i)) continue;
        for (int k = 0; k < 3; k++)
            if (of[k] >= 0) w->need[of[k]] = 1, w->uses[of[k]]++;
    }
}

hol_status hol__emit_body(hol__emit *e, int n, const hol__emitted *results, hol__text *out) {
    const int count = e->dag->count;
    writer w = {.e = e};
    hol__arena_init(&w.arena, out->ctx);
    w.need = HOL__NEW_N(&w.arena, unsigned char, count + 1);
    w.uses = HOL__NEW_N(&w.arena, int, count + 1);
    w.text = HOL__NEW_N(&w.arena, char *, count + 1);
    if (!w.arena.failed) {
        for (int i = 0; i < n; i++) w.need[results[i].node] = 1;
        count_uses(&w, count);
        for (int i = 0; i < n; i++) w.uses[results[i].node] += 1;
        for (int i = 0; i < count && !w.arena.failed; i++)
            if (is_computed(&w, i)) statement(&w, i, out);
        for (int i = 0; i < n; i++) {
            hol__text_add(out, "    %s = ", results[i].target);
            operand(&w, results[i].node, 1, out);
            hol__text_add(out, ";\n");
        }
    }
    const hol_status status = w.arena.failed || out->failed ? HOL_ERR_MEMORY : HOL_OK;
    hol__arena_free(&w.arena);
    return status;
}

/* ---- helpers ---- */

static void numbers(const char *name, int k, int n, const double *x, hol__text *out) {
    hol__text_add(out, "static const double %s_%d[] = {", name, k);
    for (int i = 0; i < n; i++) {
        hol__text_add(out, i % 6 == 0 ? "\n    " : " ");
        hol__emit_number(x[i], out);
        hol__text_add(out, i + 1 < n ? "," : "};\n");
    }
}

/* A curve of a table and its derivatives: cubic pieces, straight beyond the ends. */
static void curve(const hol__expr_spline *s, int k, unsigned orders, hol__text *out) {
    static const char *const inside[] = {
        "y_%d[i] + t * (s_%d[i] + t * (m / 2.0 + t * slope / 6.0))",
        "s_%d[i] + t * (m + t * slope / 2.0)", "m + t * slope"};
    numbers("t", k, s->n, s->x, out);
    numbers("y", k, s->n, s->y, out);
    numbers("s", k, s->n, s->s, out);
    numbers("m", k, s->n, s->m, out);
    for (int order = 0; order < 3; order++) {
        if (!(orders >> order & 1)) continue;
        hol__text_add(out, "static double curve_%d_%d(double x) {\n    int i = 0, high = %d;\n", k,
                      order, s->n - 1);
        hol__text_add(out, "    if (x < t_%d[0] || !(x < t_%d[%d])) {\n", k, k, s->n - 1);
        hol__text_add(out, "        const int end = x < t_%d[0] ? 0 : %d;\n", k, s->n - 1);
        if (order == 0)
            hol__text_add(out, "        return y_%d[end] + s_%d[end] * (x - t_%d[end]);\n", k, k,
                          k);
        else if (order == 1)
            hol__text_add(out, "        return s_%d[end];\n", k);
        else
            hol__text_add(out, "        return 0.0 * end;\n");
        hol__text_add(
            out,
            "    }\n    while (high - i > 1) {\n        const int middle = (i + high) / 2;\n"
            "        if (x < t_%d[middle])\n            high = middle;\n        else\n"
            "            i = middle;\n    }\n",
            k);
        hol__text_add(out,
                      "    const double t = x - t_%d[i], h = t_%d[i + 1] - t_%d[i];\n"
                      "    const double m = m_%d[i], slope = (m_%d[i + 1] - m) / h;\n    return ",
                      k, k, k, k, k);
        for (const char *c = inside[order]; *c; c++)
            if (c[0] == '%' && c[1] == 'd')
                hol__text_add(out, "%d", k), c++;
            else
                hol__text_add_n(out, c, 1);
        hol__text_add(out, ";\n}\n\n");
    }
}

/* A closed operation over all lanes, and one of a table. */
static void lane_helper(const char *name, const char *scalar, int operands, hol__text *out) {
    static const char *const arguments[] = {"", "real a", "real a, real b",
                                            "real a, real b, real c"};
    int k = 0;
    hol__text_add(out, "INLINE real %s(%s) {\n    real r = a;\n    int i;\n", name,
                  arguments[operands]);
    hol__text_add(out, "    for (i = 0; i < LANES; i++) r[i] = ");
    for (const char *c = scalar; *c; c++)
        if (*c == '%')
            hol__text_add(out, "%c[i]", "abc"[k++]);
        else
            hol__text_add_n(out, c, 1);
    hol__text_add(out, ";\n    return r;\n}\n\n");
}

static void lane_helpers(const hol__emit *e, hol__text *out) {
    char name[64], scalar[64];
    for (int op = 0; op < OPERATIONS; op++) {
        int operands = 0;
        if (!(e->functions >> op & 1) || is_plain((hol__expr_op)op) || op == HOL__OP_TABLE)
            continue;
        for (const char *c = forms[op].scalar; *c; c++) operands += *c == '%';
        snprintf(name, sizeof name, "lanes_%d", op);
        lane_helper(name, forms[op].scalar, operands, out);
    }
    for (int k = 0; k < e->dag->n_splines; k++)
        for (int order = 0; order < 3; order++) {
            if (!(e->curves[k] >> order & 1)) continue;
            snprintf(name, sizeof name, "lanes_curve_%d_%d", k, order);
            snprintf(scalar, sizeof scalar, "curve_%d_%d(%%)", k, order);
            lane_helper(name, scalar, 1, out);
        }
}

static int uses_truth(const hol__emit *e) {
    for (int op = 0; op < OPERATIONS; op++)
        if ((e->functions >> op & 1) && forms[op].scalar &&
            strncmp(forms[op].scalar, "truth", 5) == 0)
            return 1;
    return 0;
}

void hol__emit_helpers(const hol__emit *e, hol__text *out) {
    if (uses_truth(e))
        hol__text_add(out, "static double truth(int x) {\n    return x ? 1.0 : 0.0;\n}\n\n");
    for (int op = 0; op < OPERATIONS; op++)
        if ((e->functions >> op & 1) && forms[op].helper)
            hol__text_add(out, "%s", forms[op].helper);
    for (int k = 0; k < e->dag->n_splines; k++)
        if (e->curves[k]) curve(e->dag->splines[k], k, e->curves[k], out);
    if (e->lanes) lane_helpers(e, out);
}

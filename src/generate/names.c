/* names.c: identifiers of C for what a model calls by names of its own. */
#include "generate/files.h"

#include "common/ascii.h"

#include <stdio.h>
#include <string.h>

static const char *const keywords[] = {
    "auto",    "break",  "case",     "char",   "const",    "continue", "default",
    "do",      "double", "else",     "enum",   "extern",   "float",    "for",
    "goto",    "if",     "inline",   "int",    "long",     "register", "restrict",
    "return",  "short",  "signed",   "sizeof", "static",   "struct",   "switch",
    "typedef", "union",  "unsigned", "void",   "volatile", "while",    NULL};

static int is_word(char c) {
    return hol__is_letter(c) || hol__is_digit(c) || c == '_';
}

/* An identifier that none of the n before it is. */
static const char *identifier(hol__arena *arena, const char *name, int n,
                              const char *const *before) {
    const int good = is_word(*name) && !hol__is_digit(*name);
    char *out = hol__arena_format(arena, "%s%s", good ? "" : "x_", name);
    if (!out) return NULL;
    for (char *c = out; *c; c++)
        if (!is_word(*c)) *c = '_';
    for (int i = 0; keywords[i]; i++)
        if (strcmp(keywords[i], out) == 0) {
            out = hol__arena_format(arena, "%s_", out);
            break;
        }
    for (int i = 0, copy = 2; out && i < n; i++)
        if (before[i] && strcmp(before[i], out) == 0) {
            out = hol__arena_format(arena, "%s_%d", out, copy++);
            i = -1;
        }
    return out;
}

/* The identifier by which files and functions are called. Those of other files of the folder, also
 * where letters of both cases are the same, get a letter more. */
static const char *file_name(hol__arena *arena, const char *name) {
    static const char *const taken[] = {"test", "makefile", "gnumakefile"};
    const char *out = identifier(arena, name, 0, NULL);
    for (size_t i = 0; out && i < sizeof taken / sizeof *taken; i++) {
        size_t k = 0;
        while (out[k] && hol__lower(out[k]) == taken[i][k]) k++;
        if (!out[k] && !taken[i][k]) return hol__arena_format(arena, "%s_", out);
    }
    return out;
}

/* Outputs: the columns that the program computes. */
static hol_status name_outputs(hol__gcode *c, hol__arena *arena) {
    const hol__program *p = c->program;
    const int n = p->model->n_columns;
    c->column = HOL__NEW_N(arena, int, n + 1);
    c->outputs = HOL__NEW_N(arena, const char *, n + 1);
    for (int i = 0; i < n && !arena->failed; i++) {
        if (p->column[i] < 0) continue;
        c->column[c->n_outputs] = i;
        c->outputs[c->n_outputs] =
            identifier(arena, p->model->columns[i].name, c->n_outputs, c->outputs);
        c->n_outputs++;
    }
    return arena->failed ? HOL_ERR_MEMORY : HOL_OK;
}

/* How the inputs of the program are read in functions. */
static hol_status name_inputs(hol__gcode *c, hol__arena *arena) {
    const hol__program *p = c->program;
    const hol__dag_node *nodes = p->dag.nodes;
    const hol_model *m = p->model;
    c->inputs = HOL__NEW_N(arena, const char *, p->dag.n_inputs + 1);
    c->lane_inputs = HOL__NEW_N(arena, const char *, p->dag.n_inputs + 1);
    c->near = HOL__NEW_N(arena, int, m->n_angles + 1);
    if (arena->failed) return HOL_ERR_MEMORY;
    c->inputs[nodes[p->t].index] = "t";
    for (int i = 0; i < m->nq; i++)
        c->inputs[nodes[p->q[i]].index] = hol__arena_format(arena, "q[%d]", i);
    for (int i = 0; i < m->nv; i++)
        c->inputs[nodes[p->v[i]].index] = hol__arena_format(arena, "v[%d]", i);
    for (int i = 0; i < p->n_parameters; i++)
        c->inputs[nodes[p->parameter_ref[i]].index] =
            hol__arena_format(arena, "in->%s", c->parameters[i]);
    for (int i = 0; i < p->n_opened; i++)
        c->inputs[nodes[p->opened[i].ref].index] = hol__arena_format(arena, "in->x[%d]", i);
    for (int i = 0; i < m->n_angles; i++) {
        if (p->near[i] < 0) continue;
        c->inputs[nodes[p->near[i]].index] = hol__arena_format(arena, "angle[%d]", c->n_near);
        c->near[c->n_near++] = i;
    }
    memcpy(c->lane_inputs, c->inputs, sizeof *c->inputs * (size_t)p->dag.n_inputs);
    c->lane_inputs[nodes[p->t].index] = "t[0]";
    for (int i = 0; i < p->n_parameters; i++)
        c->lane_inputs[nodes[p->parameter_ref[i]].index] = hol__arena_format(arena, "in[%d]", i);
    return arena->failed ? HOL_ERR_MEMORY : HOL_OK;
}

/* By node: whether it follows from the coordinates and numbers alone. */
static void find_positions(const hol__program *p, unsigned char *of_q) {
    const hol__dag_node *nodes = p->dag.nodes;
    for (int i = 0; i < p->dag.count; i++) {
        const hol__ref of[3] = {nodes[i].a, nodes[i].b,
                                nodes[i].op == HOL__OP_TABLE ? -1 : nodes[i].c};
        if (nodes[i].op != HOL__OP_INPUT) of_q[i] = 1; /* inputs are marked already */
        for (int k = 0; k < 3; k++)
            if (of[k] >= 0) of_q[i] &= of_q[of[k]];
    }
}

/* Sines and cosines that the accelerations need: the projection at the end of a step finds those of
 * the start of the next. */
static hol_status list_known(hol__gcode *c, hol__arena *arena) {
    const hol__program *p = c->program;
    const hol__gresults *r = p->partitioned ? &p->fast : &p->safe;
    unsigned char *need = HOL__NEW_N(arena, unsigned char, p->dag.count + 1),
                  *of_q = HOL__NEW_N(arena, unsigned char, p->dag.count + 1);
    c->known = HOL__NEW_N(arena, int, p->dag.count + 1);
    c->known_at = HOL__NEW_N(arena, int, p->dag.count + 1);
    if (arena->failed) return HOL_ERR_MEMORY;
    if (!p->model->m) return HOL_OK;
    for (int i = 0; i < p->model->nq; i++) of_q[p->q[i]] = 1;
    for (int i = 0; i < p->model->nv; i++) need[r->vdot[i]] = need[r->dq[i]] = 1;
    hol__dag_mark(&p->dag, p->dag.count, need);
    find_positions(p, of_q);
    for (int i = 0; i < p->dag.count; i++) {
        const hol__expr_op op = p->dag.nodes[i].op;
        if (!need[i] || !of_q[i] || (op != HOL__OP_SIN && op != HOL__OP_COS)) continue;
        c->known[c->n_known++] = i;
        c->known_at[i] = c->n_known;
    }
    return HOL_OK;
}

hol_status hol__gcode_names(hol__gcode *c, hol__arena *arena) {
    const hol__program *p = c->program;
    const char *name = file_name(arena, c->name);
    char *upper = name ? hol__arena_text(arena, name) : NULL;
    c->parameters = HOL__NEW_N(arena, const char *, p->n_parameters + 1);
    if (arena->failed || !upper) return HOL_ERR_MEMORY;
    for (char *x = upper; *x; x++)
        if (hol__is_letter(*x)) *x = (char)(*x & ~0x20);
    c->name = name;
    c->upper = upper;
    for (int i = 0; i < p->n_parameters; i++)
        c->parameters[i] = identifier(arena, p->parameter[i], i, c->parameters);
    hol_status status = name_outputs(c, arena);
    if (!status) status = list_known(c, arena);
    return status ? status : name_inputs(c, arena);
}

void hol__gcode_comment(hol__text *out, const char *text) {
    for (; *text; text++) {
        hol__text_add_n(out, (unsigned char)*text < ' ' ? " " : text, 1);
        if ((text[0] == '*' && text[1] == '/') || (text[0] == '/' && text[1] == '*'))
            hol__text_add(out, " ");
    }
}

void hol__gcode_put(const hol__gcode *c, hol__text *out, const char *text) {
    while (*text) {
        const char *mark = strchr(text, '@');
        if (!mark) {
            hol__text_add(out, "%s", text);
            return;
        }
        hol__text_add_n(out, text, (size_t)(mark - text));
        if (strncmp(mark, "@name@", 6) == 0)
            hol__text_add(out, "%s", c->name), text = mark + 6;
        else if (strncmp(mark, "@NAME@", 6) == 0)
            hol__text_add(out, "%s", c->upper), text = mark + 6;
        else if (strncmp(mark, "@lanes@", 7) == 0)
            hol__text_add(out, "%d", c->lanes), text = mark + 7;
        else if (mark[1] == ',') { /* "@, words@": where sines and cosines are handed on */
            const char *end = strchr(mark + 1, '@');
            const size_t n = end ? (size_t)(end - mark - 1) : 0;
            const size_t skip = n > 1 && mark[2] == ' ' && mark[3] == ' '; /* a line of its own */
            if (c->n_known) hol__text_add_n(out, mark + 1 + skip, n - skip);
            text = mark + 1 + n + (end != NULL);
        } else
            hol__text_add(out, "@"), text = mark + 1;
    }
}

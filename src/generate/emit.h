/* emit.h: C text for a computation: statements that compute chosen nodes and nothing else. */
#ifndef HOL_GENERATE_EMIT_H
#define HOL_GENERATE_EMIT_H

#include "base/text.h"
#include "generate/dag.h"

/* How nodes are written: names of inputs, and whether a number is a vector of lanes. */
typedef struct hol__emit {
    const hol__dag *dag;
    const char *const *inputs; /* by input: "q[0]" */
    int lanes;
    const int *known;    /* by node: place from 1 in the array `known`; 0, NULL: computed */
    unsigned char *used; /* by input: whether a statement reads it; may be NULL */
    unsigned long long functions;          /* helpers that statements call, as bits by operation */
    unsigned char curves[HOL__DAG_TABLES]; /* by table: derivatives that are called, as bits */
    int loops;                             /* statements need `int lane` */
    long operations;                       /* how many were written */
} hol__emit;

/* One result: target = node. */
typedef struct hol__emitted {
    const char *target;
    hol__ref node;
} hol__emitted;

/* Statements for n results, each line behind four spaces. HOL_ERR_MEMORY. */
hol_status hol__emit_body(hol__emit *e, int n, const hol__emitted *results, hol__text *out);

/* The helpers that statements of these functions call, and tables. */
void hol__emit_helpers(const hol__emit *e, hol__text *out);

/* A number of C. */
void hol__emit_number(double x, hol__text *out);

#endif

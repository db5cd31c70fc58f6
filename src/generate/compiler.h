/* compiler.h: a source file made into a shared library by the system's compiler, and kept. */
#ifndef HOL_GENERATE_COMPILER_H
#define HOL_GENERATE_COMPILER_H

#include "base/context.h"
#include "base/text.h"
#include "common/scratch.h"

/* Where libraries are kept: a folder that nobody else may write in, made where there is none. */
typedef struct hol__shelf {
    hol_context *ctx;
    const char *folder;   /* NULL: nothing is kept */
    const char *compiler; /* a program, found as the shell finds it */
    hol__scratch own;     /* a folder for what is not kept */
    char path[4096];      /* of the library */
} hol__shelf;

/* The path of the library of that name, and whether it is there; an error is reported. Where it is
 * not, compile it from the source. At the end let go, when the library is loaded or not. */
hol_status hol__shelf_find(hol__shelf *s, const char *name, int *there);
hol_status hol__shelf_compile(hol__shelf *s, const hol__text *source);
void hol__shelf_close(hol__shelf *s);

#endif

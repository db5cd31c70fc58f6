/* out_path.h: the names of a file that is to be written; see out_path.c. */
#ifndef HOL_IO_OUT_PATH_H
#define HOL_IO_OUT_PATH_H

#include "base/context.h"

/* Where an output goes. */
typedef struct hol__out_path {
    char *target; /* symbolic links resolved; in the context's memory */
    int is_link;  /* the path is a symbolic link */
    int stream;   /* a FIFO or a device that was asked for */
    int exists;
    unsigned mode;         /* of the older file, permissions only */
    unsigned owner, group; /* and whose it is */
    const char *why;       /* why it cannot be written, in words; NULL: errno says so */
    int reason;            /* an error number, 0 when nothing speaks against it */
    const char *input;     /* the name of the input that it is, or NULL */
} hol__out_path;

/* What may be written beside regular files that are no inputs: FIFOs and devices, where the path
 * asks for them; a file that was read as one that grows. */
enum { HOL__OUT_STREAMS = 1, HOL__OUT_GROWS = 2 };

/* Look where a path leads, and whether a file may be written there; 0 when not (see why, reason,
 * input). target is to be released in every case. */
int hol__out_look(hol_context *ctx, const char *path, int may, hol__out_path *out);

/* Report what hol__out_look found. */
hol_status hol__out_refuse(hol_context *ctx, const char *path, const hol__out_path *found);

/* "x.part.csv" of "x.csv", and "x.resumed.part.csv"; NULL without memory. */
char *hol__out_part(hol_context *ctx, const char *target);
char *hol__out_part_again(hol_context *ctx, const char *target);

#endif

/* out_file.h: the one way in which files are written; see out_file.c. */
#ifndef HOL_IO_OUT_FILE_H
#define HOL_IO_OUT_FILE_H

#include "base/context.h"

/* A file that is being written. */
typedef struct hol__out_file {
    hol_context *ctx;
    char *path;        /* as the caller calls it */
    char *target;      /* what that leads to, symbolic links resolved */
    char *part;        /* the name of the file until it is whole; NULL for a stream */
    char *shown;       /* the same for people: beside the path, not beside what that leads to */
    int fd;            /* -1 when it is closed; open for reading too, but for a stream */
    int existed;       /* there is an older file, which stays until the new one is whole */
    int keep;          /* what was written is worth keeping when the rest cannot be */
    int failed;        /* an error was reported */
    long long written; /* bytes of whole pieces */
    unsigned long long sum; /* checksum of the records so far, kept by the format */
    int held; /* the part of an earlier run, locked until this one takes its place; 0: none */
} hol__out_file;

/* Open a file for writing, under a name of its own beside the path; an error is reported, and
 * nothing is changed. With `streams` the path may be "stream:" with the name of a FIFO or a device,
 * into which the bytes go as they come. */
hol_status hol__out_open(hol_context *ctx, const char *path, int streams, hol__out_file *out);

/* The same for a file that goes on with the records of an earlier run, which are read from *from,
 * to be released: its part, which nobody else may be writing, or the file that got its name. The
 * new one has a name of its own ("x.resumed.part.csv") until it takes the place of that part. */
hol_status hol__out_open_again(hol_context *ctx, const char *path, hol__out_file *out, char **from);
hol_status hol__out_take_place(hol__out_file *out);

/* A file that grows from one start of the program to the next, and so has its own name from the
 * beginning: opened for reading and writing, made where it is not there, and locked. *fd: -1 after
 * an error, which is reported; whoever has it closes it. */
hol_status hol__out_open_growing(hol_context *ctx, const char *path, int *fd);

/* Bring all bytes to the disk. */
hol_status hol__out_sync(hol__out_file *out);

/* An error where the path leads to one of n files that are read for the output. */
hol_status hol__out_none_of(hol_context *ctx, const char *path, int n, const char *const *inputs);

/* Append n bytes, all or none of them. */
hol_status hol__out_append(hol__out_file *out, const void *data, size_t n);

/* Report once that the file cannot be written, with the words for an error number (those given
 * where it is 0), and what is left of it. Returns HOL_ERR_IO. */
hol_status hol__out_fail(hol__out_file *out, int reason, const char *words);

/* The three ends, each of which closes the file and frees what it holds: give the whole file its
 * name; leave what was written under its present name; take everything back. */
hol_status hol__out_finish(hol__out_file *out);
hol_status hol__out_leave(hol__out_file *out);
void hol__out_drop(hol__out_file *out);

/* A whole file at once, from pieces one after another. */
typedef struct hol__piece {
    const void *data;
    size_t size;
} hol__piece;

hol_status hol__out_write(hol_context *ctx, const char *path, const hol__piece *pieces, int n);

/* Take away a file that an earlier run left, where it is one that could be written. */
void hol__out_remove(hol_context *ctx, const char *path);

/* ---- readers of files that may still be written ---- */

/* Whether the name is that of a file that is not whole yet: "x.part.csv". */
int hol__out_is_part(const char *path);

/* What a reader says of such a file before anything was written into it that can be read. */
#define HOL__NO_RECORD "it holds no record yet: its run has just begun, or was killed at its start"

#endif

/* input.h: files that the library reads: opened in one place, noted in the context; see input.c. */
#ifndef HOL_IO_INPUT_H
#define HOL_IO_INPUT_H

#include "base/text.h"
#include "common/in_file.h"

/* What is asked for. */
typedef struct hol__input {
    const char *path;
    const hol_location *asked; /* the place that names the file; NULL: whoever made the call */
    const char *below;         /* resolved folder in which it must lie; NULL: anywhere */
    int pipes;                 /* a pipe may take the place of a file */
    int text;                  /* bytes that are 0 are refused */
    int passing;               /* a result, which a later run may replace: it is not noted */
    size_t most;               /* bytes */
    const char *what;          /* for which `most` is enough: "model file" */
} hol__input;

/* Report that a file cannot be read, at the place that asked for it, or else at the file. */
hol_status hol__input_fail(hol_context *ctx, const hol__input *input, const char *reason);

/* Open a file and note it in the context; an error is reported. Close it with hol__in_close. */
hol_status hol__input_open(hol_context *ctx, const hol__input *input, hol__in_file *file);

/* All bytes of a file, added to text; an error is reported. */
hol_status hol__input_read(hol_context *ctx, const hol__input *input, hol__text *text);

#endif

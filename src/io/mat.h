/* mat.h: MAT files of level 5, which MATLAB, Octave and SciPy read: matrices of numbers, texts,
 * lists of texts and structs, one behind the other in a text. */
#ifndef HOL_IO_MAT_H
#define HOL_IO_MAT_H

#include "base/text.h"

enum { HOL__MAT_NAME = 64 }; /* a name with its 0: MATLAB takes 63 letters */

/* A file that is being written into a text: everything nests, and a struct names its fields first.
 */
typedef struct hol__mat {
    hol__text *out;
    int too_large; /* a variable has 4 GB or more, which the format cannot hold */
} hol__mat;

/* What stands at the beginning of a file. */
hol__mat hol__mat_begin(hol__text *out);

/* A text as a name: letters, digits and underlines, beginning with a letter. */
void hol__mat_name(const char *text, char name[HOL__MAT_NAME]);

/* n names for texts, as above, each different from those before it. */
void hol__mat_names(const char *const *texts, int n, char (*names)[HOL__MAT_NAME]);

/* An array of numbers; entry (i, j, k) is values[i steps[0] + j steps[1] + k steps[2]]. name: NULL
 * within a struct or a list. */
void hol__mat_numbers(hol__mat *mat, const char *name, const int dims[3], const size_t steps[3],
                      const double *values);

/* A text (UTF-8), as a row of letters; and n of them as rows that are as long as the longest. */
void hol__mat_text(hol__mat *mat, const char *name, const char *text);
void hol__mat_rows(hol__mat *mat, const char *name, int n, const char *const *texts);

/* n texts as a cell array, a column. */
void hol__mat_texts(hol__mat *mat, const char *name, int n, const char *const *texts);

/* A struct with n fields, whose values follow, one call each; what it returns goes to hol__mat_end
 * behind them. */
size_t hol__mat_struct(hol__mat *mat, const char *name, int n, const char (*fields)[HOL__MAT_NAME]);
void hol__mat_end(hol__mat *mat, size_t start);

/* Whether all of it could be written: HOL_ERR_IO with a message where a variable is too large. */
hol_status hol__mat_status(const hol__mat *mat);

#endif

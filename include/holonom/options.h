/* options.h: the settings of a run, as a table.
 *
 * Each option has a name, a type, a range, a default, a unit and one sentence. The keys under
 * `simulation` in a model file, `--set`, the help and the documentation all come from this table.
 */
#ifndef HOLONOM_OPTIONS_H
#define HOLONOM_OPTIONS_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hol_option_kind {
    HOL_OPTION_REAL,
    HOL_OPTION_INTEGER,
    HOL_OPTION_BOOL,
    HOL_OPTION_CHOICE
} hol_option_kind;

/* One row of the table. The value of a choice is its index. */
typedef struct hol_option {
    const char *name;
    hol_option_kind kind;
    double min, max;
    const char *initial;          /* the default, as text */
    const char *unit;             /* "s", "" … */
    const char *(*choice)(int i); /* the i-th choice, NULL past the end; for a choice only */
    const char *doc;              /* one sentence */
} hol_option;

/* The options of a simulation, in order; *n receives how many. */
const hol_option *hol_options(int *n);

#ifdef __cplusplus
}
#endif
#endif

/* options.h: how a mechanism is run: an object with one value for each row of a table.
 *
 * A row has a name, a type, a range, a default, a unit and one sentence. The keys under
 * `simulation` in a model file, `--set`, the help and the documentation all come from the table. An
 * object of options belongs to no model: the same options may run many, and one model may run with
 * many.
 *
 *     hol_options *options = hol_options_new(ctx);
 *     hol_options_set_real(options, "tolerance", 1e-10);
 *     hol_options_set_choice(options, "method", "lagrange");
 *
 * A setter that fails reports to the context of the object, names what was expected, and leaves the
 * value as it was.
 */
#ifndef HOLONOM_OPTIONS_H
#define HOLONOM_OPTIONS_H

#include "spec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hol_option_kind {
    HOL_OPTION_REAL,
    HOL_OPTION_INTEGER,
    HOL_OPTION_BOOL,
    HOL_OPTION_CHOICE,
    HOL_OPTION_LIST /* texts: names, or what else the sentence of the row says */
} hol_option_kind;

/* One row of the table. */
typedef struct hol_option {
    const char *name;
    hol_option_kind kind;
    double min, max;
    const char *initial; /* the default, as text */
    const char *unit;    /* "s", "" … */
    /* the i-th choice, NULL past the end; of a number, a word that may stand for it (and counts as
     * a value below all others); NULL where there are none */
    const char *(*choice)(int i);
    const char *doc; /* one sentence */
} hol_option;

/* Row i of the table, NULL past the end; and by name, NULL when there is none. */
const hol_option *hol_option_get(int i);
const hol_option *hol_option_find(const char *name);

typedef struct hol_options hol_options;

/* All options at their defaults; NULL without memory. The context must outlive the object. */
hol_options *hol_options_new(hol_context *ctx);
void hol_options_free(hol_options *options);

/* The same values, with messages to ctx; NULL without memory. */
hol_options *hol_options_copy(hol_context *ctx, const hol_options *options);

/* The section `simulation` of a description, the rest at its defaults. Values may be expressions of
 * the parameters. All errors are reported, each with its place; NULL after one. */
hol_options *hol_options_from_spec(hol_context *ctx, const hol_spec *spec);

/* Set a value by its name. */
hol_status hol_options_set_real(hol_options *options, const char *name, double value);
hol_status hol_options_set_integer(hol_options *options, const char *name, long long value);
hol_status hol_options_set_bool(hol_options *options, const char *name, int value);
hol_status hol_options_set_choice(hol_options *options, const char *name, const char *word);

/* The same for a list: n texts, which are copied. */
hol_status hol_options_set_list(hol_options *options, const char *name, int n,
                                const char *const *texts);

/* Set a value of any kind from text: a word, a number, an expression of numbers with units
 * ("2*pi", "5 ms"), or a list with commas between its texts. Messages name origin as the place
 * (for example "--tol"); NULL: none. */
hol_status hol_options_set(hol_options *options, const char *name, const char *text,
                           const char *origin);

/* A value by its name; HOL_ERR_ARGUMENT when there is none of that name and kind. The word of a
 * choice lives as long as the library. */
hol_status hol_options_get_real(const hol_options *options, const char *name, double *value);
hol_status hol_options_get_integer(const hol_options *options, const char *name, long long *value);
hol_status hol_options_get_bool(const hol_options *options, const char *name, int *value);
hol_status hol_options_get_choice(const hol_options *options, const char *name, const char **word);

/* Text k of a list, which lives as long as the object and until it is set again; HOL_ERR_ARGUMENT
 * past the last. */
hol_status hol_options_get_text(const hol_options *options, const char *name, int k,
                                const char **text);

/* A value of any kind as text that hol_options_set reads back to the same bits; NULL when there is
 * no such option. 32 bytes take every number and every word; a shorter buf gets what fits. */
const char *hol_options_text(const hol_options *options, const char *name, char *buf, size_t size);

/* Whether a value was set, and where: the place in a file, or an origin. file is NULL where it was
 * not, or by a call. */
int hol_options_is_given(const hol_options *options, const char *name);
hol_location hol_options_where(const hol_options *options, const char *name);

/* A unit that numbers are shown in: shown = SI value * over / times, with exact factors where there
 * are such. */
enum { HOL_UNIT_SIZE = 48 };

typedef struct hol_unit {
    char name[HOL_UNIT_SIZE]; /* "mm/s"; "" for a plain number */
    double times, over;
} hol_unit;

static inline double hol_unit_show(const hol_unit *unit, double si) {
    return unit ? si * unit->over / unit->times : si;
}

/* The coordinates to compile a model with for a run with these options (see hol_model_compile): the
 * option `coordinates`; where that is auto, what the method asks for, and "auto" where it leaves
 * that open. */
const char *hol_options_coordinates(const hol_options *options);

/* The same as `holonom run` has it: "cheapest" where neither coordinates nor a part of the method
 * is asked for (what these do, and the names of independent coordinates, depends on them). */
const char *hol_options_run_coordinates(const hol_options *options);

#ifdef __cplusplus
}
#endif
#endif

/* option.h: rows of options, and the object with a value for each.
 *
 * Each part of the library exports its rows (hol__option_rows); whoever knows all parts makes the
 * table of them. An object keeps pointers to the rows it was made with, so that this folder and
 * those between need not know the table.
 */
#ifndef HOL_BASE_OPTION_H
#define HOL_BASE_OPTION_H

#include "base/context.h"

#include <holonom/options.h>

/* The rows of one part. */
typedef struct hol__option_rows {
    int n;
    const hol_option *rows;
} hol__option_rows;

/* clang-format off */
#define HOL__REAL(name, low, high, initial, unit, doc) \
    {name, HOL_OPTION_REAL, low, high, initial, unit, 0, doc}
#define HOL__REAL_OR_WORD(name, low, high, initial, unit, list, doc) \
    {name, HOL_OPTION_REAL, low, high, initial, unit, list, doc}
#define HOL__INTEGER(name, low, high, initial, doc) \
    {name, HOL_OPTION_INTEGER, low, high, initial, "", 0, doc}
#define HOL__CHOICE(name, list, initial, doc) \
    {name, HOL_OPTION_CHOICE, 0, 0, initial, "", list, doc}
#define HOL__LIST(name, doc) \
    {name, HOL_OPTION_LIST, 0, 0, "", "", 0, doc}
#define HOL__ROWS(array) {(int)(sizeof(array) / sizeof *(array)), array}
/* clang-format on */

/* Row i of parts that end with NULL; NULL past the last. */
const hol_option *hol__option_row(const hol__option_rows *const *parts, int i);

/* All options of the parts at their defaults; NULL without memory. */
hol_options *hol__options_new(hol_context *ctx, const hol__option_rows *const *parts);

/* Row i of an object, NULL past the last; the index of a name, or -1. */
const hol_option *hol__options_row(const hol_options *options, int i);
int hol__options_find(const hol_options *options, const char *name);

/* "; did you mean '…'?" into buf, from the names of the rows. */
const char *hol__options_suggest(const hol_options *options, const char *name, char *buf,
                                 size_t size);

/* One text of a list, and where it stands. */
typedef struct hol__option_text {
    const char *text;
    hol_location where;
} hol__option_text;

/* Value i as a number: of a choice its index, of a bool 0 or 1, of a list its length. */
double hol__options_value(const hol_options *options, int i);

/* Set value i from a number, or from a word (a choice, true or false), at a place (may be NULL);
 * reports what is out of range, not whole, or no such word. */
hol_status hol__options_put(hol_options *options, int i, double value, const hol_location *where);
hol_status hol__options_put_word(hol_options *options, int i, const char *word,
                                 const hol_location *where);

/* Whether a text is one of the words that may stand for a number of that row, and its value. */
int hol__option_word(const hol_option *row, const char *text, double *value);

/* Set list i: n texts, which are copied, at a place; and from one text with commas between them. */
hol_status hol__options_put_list(hol_options *options, int i, int n, const hol__option_text *texts,
                                 const hol_location *where);
hol_status hol__options_put_texts(hol_options *options, int i, const char *text,
                                  const hol_location *where);

/* The texts of list i. */
const hol__option_text *hol__options_texts(const hol_options *options, int i);

/* The context that the object reports to. */
hol_context *hol__options_context(const hol_options *options);

#endif

/* csv_cell.h: texts as cells of comma-separated values [RFC 4180], so that every reader finds the
 * text and no spreadsheet takes it for a formula.
 *
 * A text that begins with one of = + - @, a tab or a line end, and is no number, is written behind
 * an apostrophe, as is one that begins with an apostrophe that a reader would take away.
 */
#ifndef HOL_COMMON_CSV_CELL_H
#define HOL_COMMON_CSV_CELL_H

/* Whether the cell stands in quotes (which are doubled within): it holds a comma, a quote, a tab, a
 * line end or a space at its ends, or is empty. */
int hol__csv_needs_quotes(const char *text);

/* Whether an apostrophe goes before the text; and the text of a cell, behind the apostrophe that
 * was put before it. */
int hol__csv_needs_guard(const char *text);
const char *hol__csv_unguarded(const char *cell);

#endif

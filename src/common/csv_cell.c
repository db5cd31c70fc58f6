/* csv_cell.c: quotes and apostrophes of cells. */
#include "common/csv_cell.h"

#include "common/number.h"

#include <string.h>

/* Whether a spreadsheet takes what begins so for a formula. */
static int begins_formula(char c) {
    return c && strchr("=+-@\t\r\n", c);
}

int hol__csv_needs_quotes(const char *text) {
    const size_t n = strlen(text);
    return n == 0 || text[strcspn(text, ",\"\t\r\n")] || text[0] == ' ' || text[n - 1] == ' ';
}

int hol__csv_needs_guard(const char *text) {
    const char *end = text;
    if (text[0] == '\'') return text[1] == '\'' || begins_formula(text[1]);
    if (!begins_formula(text[0])) return 0;
    hol__number_read(text, &end);
    return end == text || *end;
}

const char *hol__csv_unguarded(const char *cell) {
    return cell[0] == '\'' && (cell[1] == '\'' || begins_formula(cell[1])) ? cell + 1 : cell;
}

/* fuzz_table.c: any bytes as a CSV file of the section `tables`. The first byte chooses how columns
 * are asked for. What is read becomes a table that compiles, or an error with a place. */
#include "fuzz_tape.h"
#include "io/table_file.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t *bytes;
static size_t n_bytes;

/* The bytes in the place of the file. */
static int give(hol_spec *spec, const char *path, const hol_location *asked, hol__text *text) {
    (void)spec, (void)path, (void)asked;
    hol__text_add_n(text, (const char *)bytes, n_bytes);
    return !text->failed;
}

void fuzz_one(const uint8_t *data, size_t size) {
    static const char *const columns[] = {"1", "2", "angle", "p", "300", "-1", "1.5", "é"};
    tape t = {data, size};
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol__node *table = hol__node_add(spec, spec->root, "table", HOL__MAP);
    if (!table || !hol__node_add_scalar(spec, table, "file", "t.csv")) abort();
    const unsigned how = tape_byte(&t);
    if (how & 1) hol__node_add_scalar(spec, table, "x", columns[how >> 2 & 7]);
    if (how & 2) hol__node_add_scalar(spec, table, "y", columns[how >> 5 & 7]);
    bytes = t.at;
    n_bytes = t.left;
    const int good = hol__table_file(spec, table, "t.csv", give);
    const hol__node *found = hol__node_get(table, "data");
    if (good && (!found || hol__node_get(table, "file") || hol_message_count(ctx))) abort();
    if (!good && hol_message_count_of(ctx, HOL_ERROR) == 0) abort();
    hol_spec_free(spec);
    hol_context_free(ctx);
}
